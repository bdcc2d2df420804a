/* test_expr.c - formulas: values, exact derivatives, tables, error messages, hostile input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* after the headers above, which it needs */
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/expr.h"

/* ---- a scope like that of a model: parameters L, zero, length, broken (in error) and three tables ---- */

static bool look_up(void *user, const char *name, double *value, bool *failed) {
  (void)user;
  if (strcmp(name, "broken") == 0) *failed = true;
  *value = strcmp(name, "L") == 0 ? 2.5 : strcmp(name, "length") == 0 ? 4.0 : 0.0;
  if (strcmp(name, "endless") == 0) *value = HUGE_VAL;
  return *value != 0.0 || strcmp(name, "zero") == 0;
}

enum { points = 6 };
static const double table_x[points] = {-1.0, 0.0, 0.5, 1.5, 2.0, 4.0};
static const double table_y[points] = {0.3, 1.0, -0.5, 2.0, 2.5, -1.0};
static double table_m[points];
static sn_table tables[] = {
    {.name = "ramp", .count = points, .x = table_x, .y = table_y},
    {.name = "curve", .count = points, .x = table_x, .y = table_y, .m = table_m},
    {.name = "single", .count = 1, .x = table_x, .y = table_y},
};
static const char *const names[] = {"L", "zero", "length", "broken"};
static const sn_scope with_time = {.lookup = look_up,
                                   .tables = tables,
                                   .table_count = SN_COUNT(tables),
                                   .time_allowed = true,
                                   .names = names,
                                   .name_count = SN_COUNT(names)};

static sn_arena arena;

static int set_up(void **state) {
  (void)state;
  sn_spline_fit(points, table_x, table_y, table_m);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  sn_arena_free(&arena);
  return 0;
}

static const sn_expr *compile(const char *text) {
  sn_expr_error error;
  const sn_expr *expr = sn_expr_compile(&arena, text, strlen(text), &with_time, &error);
  if (!expr) fail_msg("\"%s\": %s (at %d)", text, error.text, error.offset);
  assert_string_equal(error.text, "");
  return expr;
}

static sn_jet jet(const char *text, double t) {
  return sn_expr_jet(compile(text), t);
}

static void check_near(const char *what, double t, double found, double expected, double tolerance) {
  if (!(fabs(found - expected) <= tolerance * (1.0 + fabs(expected)))) {
    fail_msg("%s at t = %g: found %.17g, expected %.17g", what, t, found, expected);
  }
}

static void check_value(const char *text, double expected) {
  const sn_expr *expr = compile(text);
  check_near(text, 0.0, sn_expr_value(expr, 0.0), expected, 1e-15);
  assert_true(sn_expr_is_constant(expr));
}

/* ---- values ---- */

static void precedence(void **state) {
  (void)state;
  check_value("2^3^2", 512.0);
  check_value("(2^3)^2", 64.0);
  check_value("-2^2", -4.0);
  check_value("(-2)^2", 4.0);
  check_value("2*-3", -6.0);
  check_value("2^-1", 0.5);
  check_value("2^-2^2", 0.0625);
  check_value("10-4-3", 3.0);
  check_value("24/4/3", 2.0);
  check_value("24/4*3", 18.0);
  check_value("1+2*3", 7.0);
  check_value("1-2*3+4", -1.0);
  check_value("--3", 3.0);
  check_value("2- -3", 5.0);
  check_value("+-+3", -3.0);
  check_value("1+2 < 4", 1.0);
}

static void logic(void **state) {
  (void)state;
  check_value("1 || 0 && 0", 1.0);
  check_value("(1 || 0) && 0", 0.0);
  check_value("1 < 2 && 2 < 1", 0.0);
  check_value("2 <= 2", 1.0);
  check_value("2 >= 3", 0.0);
  check_value("2 > 1", 1.0);
  check_value("2 == 2", 1.0);
  check_value("2 != 2", 0.0);
  check_value("!0", 1.0);
  check_value("!3", 0.0);
  check_value("!0 + 1", 2.0);
  check_value("3 && 2", 1.0);
  check_value("if(L > 2, 10, 20)", 10.0);
  check_value("if(L < 2, 10, 20)", 20.0);
}

static void numbers_and_names(void **state) {
  (void)state;
  check_value(".5", 0.5);
  check_value("5.", 5.0);
  check_value("1e3", 1000.0);
  check_value("1.5E-2", 0.015);
  check_value("2.5e+1", 25.0);
  check_value(" \t1\n+\r1 ", 2.0);
  check_value("0.1", 0.1);
  check_value("1e-999", 0.0);
  check_value("123456789012345678901234567890", 123456789012345678901234567890.0);
  check_value("pi", 3.14159265358979323846);
  check_value("log(e)", 1.0);
  check_value("2*L", 5.0);
  check_value("length/L", 1.6);
  check_value("zero", 0.0);
}

static void functions(void **state) {
  (void)state;
  check_value("sin(pi/6)", 0.5);
  check_value("cos(pi/3)", 0.5);
  check_value("tan(pi/4)", 1.0);
  check_value("asin(1)", acos(0.0));
  check_value("acos(-1)", acos(-1.0));
  check_value("atan(1)", atan(1.0));
  check_value("atan2(1, -1)", 3.0 * atan(1.0));
  check_value("sinh(1)", sinh(1.0));
  check_value("cosh(1)", cosh(1.0));
  check_value("tanh(1)", tanh(1.0));
  check_value("exp(1)", exp(1.0));
  check_value("log10(1000)", 3.0);
  check_value("sqrt(2)", sqrt(2.0));
  check_value("abs(-3)", 3.0);
  check_value("sign(-3)", -1.0);
  check_value("sign(0)", 0.0);
  check_value("min(3, 1, 2)", 1.0);
  check_value("max(3, 7, 2, 5)", 7.0);
  check_value("floor(-1.5)", -2.0);
  check_value("ceil(-1.5)", -1.0);
  check_value("mod(7, 3)", 1.0);
  check_value("mod(-7, 3)", 2.0);
  check_value("mod(7, -3)", -2.0);
  check_value("mod(6, 3)", 0.0);
  check_value("hypot(3, 4)", 5.0);
  check_value("pow(2, 10)", 1024.0);
  check_value("(-8)^3", -512.0);
  check_value("0^0", 1.0);
  check_value("step(0.5, 0, 2, 1, 4)", 3.0);
  check_value("ramp(0.25)", 0.25);
  check_value("sqrt(0)", 0.0);
}

static void list_of_functions_is_complete(void **state) {
  (void)state;
  int count = 0;
  for (const char *const *pair = sn_expr_functions(); *pair; pair += 2, ++count) {
    assert_non_null(pair[1]);
    char text[64];
    snprintf(text, sizeof text, "%s(1,1,1,1,1,1)", pair[0]);
    sn_expr_error error;
    if (sn_expr_compile(&arena, text, strlen(text), &with_time, &error)) continue; /* min and max take them all */
    assert_true(strstr(error.text, "6 given") || strstr(error.text, "not a function"));
  }
  assert_int_equal(count, 28);
}

/* ---- folding ---- */

static void constants_fold(void **state) {
  (void)state;
  assert_true(sn_expr_is_constant(compile("2*L + sin(pi/4)^2 - ramp(1)")));
  assert_false(sn_expr_is_constant(compile("t")));
  assert_false(sn_expr_is_constant(compile("2*3 + t")));
  const sn_expr *constant = sn_expr_constant(&arena, 2.5);
  assert_true(sn_expr_is_constant(constant));
  const sn_jet f = sn_expr_jet(constant, 3.0);
  assert_true(f.value == 2.5 && f.rate == 0.0 && f.accel == 0.0);
}

/* A fault in what is not needed is no error. */
static void branch_not_taken_may_be_wrong(void **state) {
  (void)state;
  check_value("if(zero > 0, 1/zero, 7)", 7.0);
  check_value("if(zero == 0, 7, sqrt(-1)*2 + 1)", 7.0);
  check_value("if(1, if(0, log(0), 3), 1/0)", 3.0);
  check_value("zero > 0 && 1/zero > 1", 0.0);
  check_value("zero == 0 || 1/zero > 1", 1.0);
  const sn_jet f = jet("if(zero > 0, 1/zero, t^3) + t", 2.0);
  assert_true(f.value == 10.0 && f.rate == 13.0 && f.accel == 12.0);
  const sn_jet g = jet("1 + if(1, t^3, 1/zero)*t", 2.0);
  assert_true(g.value == 17.0 && g.rate == 32.0 && g.accel == 48.0);
  /* only the run can tell whether t gets there */
  assert_true(sn_expr_value(compile("if(t < 0, 1/zero, 5)"), 1.0) == 5.0);
  assert_true(isnan(sn_expr_value(compile("if(t < 0, 1/zero, 5)"), -1.0)));
  assert_true(sn_expr_value(compile("t > 0 && 1/zero > 1"), -1.0) == 0.0);
  assert_true(isnan(sn_expr_value(compile("t > 0 && 1/zero > 1"), 1.0)));
}

static void invalid_operations_give_nan(void **state) {
  (void)state;
  static const char *const wrong[] = {"1/(t-1)",       "sqrt(t-2)",   "log(t-1)",           "asin(t+1)",
                                      "(t-2)^0.5",     "(t-1)^-1",    "mod(t, t-1)",        "atan2(t-1, t-1)",
                                      "exp(t*1000)",   "(t-2)^t",     "sqrt(t-2) > 1",      "max(1, sqrt(t-2))",
                                      "ramp(1/(t-1))", "!log(t-1)",   "sign(sqrt(t-2))",    "if(sqrt(t-2), 1, 2)",
                                      "abs(log(t-1))", "1/(1/(t-1))", "step(t, t, 0, 1, 1)"};
  for (size_t i = 0; i < SN_COUNT(wrong); ++i) {
    const sn_jet f = jet(wrong[i], 1.0);
    if (!isnan(f.value) || !isnan(f.rate) || !isnan(f.accel)) fail_msg("%s is %g", wrong[i], f.value);
  }
  const sn_jet root = jet("sqrt(t)", 0.0); /* a value, but no derivative */
  assert_true(root.value == 0.0 && isnan(root.rate) && isnan(root.accel));
}

/* ---- derivatives ---- */

typedef struct analytic {
  const char *text;
  sn_jet (*exact)(double t);
} analytic;

static sn_jet cubic(double t) {
  return (sn_jet){t * t * t - 2 * t, 3 * t * t - 2, 6 * t};
}
static sn_jet wave(double t) {
  return (sn_jet){3 * sin(2 * t), 6 * cos(2 * t), -12 * sin(2 * t)};
}
static sn_jet decay(double t) {
  const double f = exp(-t / 2);
  return (sn_jet){f * cos(3 * t), f * (-0.5 * cos(3 * t) - 3 * sin(3 * t)), f * (3 * sin(3 * t) - 8.75 * cos(3 * t))};
}
static sn_jet inverse(double t) {
  const double d = 1 + t * t;
  return (sn_jet){1 / d, -2 * t / (d * d), (6 * t * t - 2) / (d * d * d)};
}
static sn_jet root(double t) {
  const double f = sqrt(1 + t * t);
  return (sn_jet){f, t / f, 1 / (f * f * f)};
}
static sn_jet bell(double t) {
  const double f = exp(-t * t);
  return (sn_jet){f, -2 * t * f, (4 * t * t - 2) * f};
}
static sn_jet self_power(double t) {
  const double f = pow(1 + t, 1 + t), l = log(1 + t);
  return (sn_jet){f, f * (l + 1), f * ((l + 1) * (l + 1) + 1 / (1 + t))};
}
static sn_jet logarithm(double t) {
  const double d = 1 + t * t;
  return (sn_jet){log(d), 2 * t / d, 2 * (1 - t * t) / (d * d)};
}
static sn_jet turning(double t) {
  return (sn_jet){2 * t, 2.0, 0.0 * t};
}
static sn_jet radius(double t) {
  return (sn_jet){2.0, 0.0 * t, 0.0};
}
static sn_jet hyperbolic(double t) {
  const double f = tanh(t), d = 1 - f * f;
  return (sn_jet){f, d, -2 * f * d};
}
static sn_jet doubling(double t) {
  const double f = pow(2, t), l = log(2);
  return (sn_jet){f, f * l, f * l * l};
}

static void derivatives_match_formulas(void **state) {
  (void)state;
  static const analytic cases[] = {
      {"t^3 - 2*t", cubic},
      {"t*t*t - t - t", cubic},
      {"3*sin(2*t)", wave},
      {"6*sin(t)*cos(t)", wave},
      {"exp(-t/2)*cos(3*t)", decay},
      {"1/(1 + t^2)", inverse},
      {"(1 + t^2)^-1", inverse},
      {"cos(atan(t))^2", inverse},
      {"sqrt(1 + t*t)", root},
      {"hypot(1, t)", root},
      {"cosh(log(t + sqrt(t^2 + 1)))", root},
      {"exp(-t^2)", bell},
      {"1/exp(t^2)", bell},
      {"(1 + t)^(1 + t)", self_power},
      {"pow(1 + t, 1 + t)", self_power},
      {"log(1 + t^2)", logarithm},
      {"log10(1 + t^2)/log10(e)", logarithm},
      {"atan2(sin(2*t), cos(2*t))", turning},
      {"mod(2*t, 100)", turning},
      {"max(2*t, -t)", turning},
      {"min(9, 2*t)", turning},
      {"if(t > 0, 2*t, sin(t))", turning},
      {"abs(-2*t)", turning},
      {"hypot(2*sin(t), 2*cos(t))", radius},
      {"2*sign(t)", radius},
      {"1 + (t > 0)", radius},
      {"2 + floor(t/10)", radius},
      {"1 + ceil(t/10)", radius},
      {"tanh(t)", hyperbolic},
      {"sinh(t)/cosh(t)", hyperbolic},
      {"2^t", doubling},
  };
  static const double times[] = {0.1, 0.35, 0.8, 1.2, 1.5};
  for (size_t i = 0; i < SN_COUNT(cases); ++i) {
    for (size_t k = 0; k < SN_COUNT(times); ++k) {
      const double t = times[k];
      const sn_jet found = jet(cases[i].text, t), exact = cases[i].exact(t);
      check_near(cases[i].text, t, found.value, exact.value, 1e-14);
      check_near(cases[i].text, t, found.rate, exact.rate, 1e-13);
      check_near(cases[i].text, t, found.accel, exact.accel, 1e-12);
    }
  }
}

/* (f(t-2h) - 8 f(t-h) + 8 f(t+h) - f(t+2h))/12h of the value gives the rate, of the rate the acceleration. */
static void check_differences(const char *text, double t) {
  const double h = 1e-3;
  const sn_expr *f = compile(text);
  const sn_jet a = sn_expr_jet(f, t - 2 * h), b = sn_expr_jet(f, t - h), c = sn_expr_jet(f, t + h),
               d = sn_expr_jet(f, t + 2 * h), found = sn_expr_jet(f, t);
  check_near(text, t, found.rate, (a.value - 8 * b.value + 8 * c.value - d.value) / (12 * h), 1e-8);
  check_near(text, t, found.accel, (a.rate - 8 * b.rate + 8 * c.rate - d.rate) / (12 * h), 1e-8);
}

static void derivatives_match_differences(void **state) {
  (void)state;
  static const char *const smooth[] = {
      "sin(t)",
      "cos(t^2)",
      "tan(t/3)",
      "asin(t/4)",
      "acos(sin(t)/2)",
      "atan(3*t)",
      "atan2(1 + t, 2 - t^2)",
      "sinh(t)",
      "cosh(2*t)",
      "tanh(t - 1)",
      "exp(sin(t))",
      "log(3 + cos(t))",
      "log10(2 + t)",
      "sqrt(2 + sin(5*t))",
      "abs(cos(t) - 3)",
      "hypot(t, 1 + t^2)",
      "hypot(sin(t), exp(t))",
      "(2 + sin(t))^(1 + cos(t))",
      "(1 + t)^2.5",
      "(t - 9)^3",
      "(t - 9)^-3",
      "2^(t^2)",
      "sin(t)/(2 + cos(t))",
      "1/(1 + exp(-t))",
      "t^0 + t^1",
      "mod(21 + t, 2.7*L + t^2/100)",
      "mod(-1 - t^2, -L*2)",
      "step(t, -0.1, 1, 2.3, 5)",
      "step(t, 0, sin(t), 2.5, t^2)",
      "step(sin(t), -1.5 - t/10, 1, 1.5 + t, 5)",
      "if(t > -5, sin(t)*t, 1/zero)",
      "min(t, t + 1, 9)*max(t^2, -1)",
      "-sin(t) + +cos(t) - !t",
      "curve(t)",
      "curve(3*sin(t) - 0.2)",
      "ramp(t/10 + 0.01)",
      "ramp(2.1 + sin(t)/20)^2",
      "L*sin(2*pi*t)*step(t, -1, 0, 9, 1) + ramp(curve(t)/100 + 3)",
  };
  static const double times[] = {0.113, 0.377, 0.741, 1.219, 1.891};
  for (size_t i = 0; i < SN_COUNT(smooth); ++i) {
    for (size_t k = 0; k < SN_COUNT(times); ++k) check_differences(smooth[i], times[k]);
  }
}

/* Variables: values and gradients against differences; t and the variables along a path against the same formula with
 * the path written out. */
static void variables_have_gradients(void **state) {
  (void)state;
  static const char *const variables[] = {"x", "y", "speed"};
  static const struct {
    const char *text, *on_path; /* x = sin(t), y = 1 + t^2, speed = t/2 */
  } cases[] = {
      {"x*y*speed + L", "sin(t)*(1 + t^2)*t/2 + L"},
      {"x^2/(2 + y) - t*speed", "sin(t)^2/(3 + t^2) - t*t/2"},
      {"exp(-x)*cos(3*y + t)", "exp(-sin(t))*cos(3*(1 + t^2) + t)"},
      {"if(speed > 9, x, hypot(x, y))", "hypot(sin(t), 1 + t^2)"},
      {"curve(x + y/9)*abs(speed - 7)", "curve(sin(t) + (1 + t^2)/9)*abs(t/2 - 7)"},
      {"2*t", "2*t"},
  };
  sn_scope scope = with_time;
  scope.variables = variables;
  scope.variable_count = 3;
  for (size_t i = 0; i < SN_COUNT(cases); ++i) {
    sn_expr_error error;
    const char *text = cases[i].text;
    const sn_expr *f = sn_expr_compile(&arena, text, strlen(text), &scope, &error);
    if (!f) fail_msg("\"%s\": %s", text, error.text);
    assert_true(sn_expr_has_variables(f) == (strchr(text, 'x') != NULL) && !sn_expr_is_constant(f));
    const double t = 0.7, h = 1e-3, x[3] = {sin(t), 1 + t * t, t / 2};
    double g[3];
    check_near(text, t, sn_expr_gradient(f, t, 3, x, g), sn_expr_value(compile(cases[i].on_path), t), 1e-14);
    for (int k = 0; k < 3; ++k) {
      double y[4];
      for (int d = 0; d < 4; ++d) {
        double z[3] = {x[0], x[1], x[2]};
        z[k] += h * (d < 2 ? d - 2 : d - 1);
        y[d] = sn_expr_gradient(f, t, 3, z, NULL);
      }
      check_near(text, t, g[k], (y[0] - 8 * y[1] + 8 * y[2] - y[3]) / (12 * h), 1e-8);
    }
    const sn_jet path[3] = {{x[0], cos(t), -sin(t)}, {x[1], 2 * t, 2}, {x[2], 0.5, 0}};
    const sn_jet found = sn_expr_along(f, (sn_jet){t, 1, 0}, path), exact = jet(cases[i].on_path, t);
    check_near(text, t, found.rate, exact.rate, 1e-13);
    check_near(text, t, found.accel, exact.accel, 1e-12);
  }
  const char *slip = "speeed + 1", *call = "x(3)";
  sn_expr_error error;
  assert_null(sn_expr_compile(&arena, slip, strlen(slip), &scope, &error));
  assert_string_equal(error.text, "unknown name 'speeed'; did you mean 'speed'?");
  assert_null(sn_expr_compile(&arena, call, strlen(call), &scope, &error));
  assert_non_null(strstr(error.text, "not a function"));
}

/* Whole powers at zero, where a general formula meets 0 * inf. */
static void derivatives_at_special_points(void **state) {
  (void)state;
  const sn_jet square = jet("t^2", 0.0);
  assert_true(square.value == 0.0 && square.rate == 0.0 && square.accel == 2.0);
  const sn_jet line = jet("t^1", 0.0);
  assert_true(line.value == 0.0 && line.rate == 1.0 && line.accel == 0.0);
  const sn_jet one = jet("t^0", 0.0);
  assert_true(one.value == 1.0 && one.rate == 0.0 && one.accel == 0.0);
  const sn_jet kink = jet("abs(t)", 0.0);
  assert_true(kink.value == 0.0 && kink.rate == 0.0 && kink.accel == 0.0);
  const sn_jet rest = jet("sqrt(max(0, t - 1)) + hypot(0*t, 0)", 0.5);
  assert_true(rest.value == 0.0 && rest.rate == 0.0 && rest.accel == 0.0);
  const sn_jet alternate = jet("(-1)^floor(t)", 3.5);
  assert_true(alternate.value == -1.0 && alternate.rate == 0.0 && alternate.accel == 0.0);
}

/* ---- step ---- */

static void step_is_twice_continuous(void **state) {
  (void)state;
  const char *text = "step(t, 1, 2, 3, 10)";
  const double tiny = 1e-6; /* h'' = 60 s near s = 0: 8 * 60 * (tiny/2)/4 */
  const double bound = 8.0 * 60.0 * tiny / 2.0 / 4.0 * 1.01;
  for (int end = 0; end < 2; ++end) {
    const double t = end ? 3.0 : 1.0, y = end ? 10.0 : 2.0, inward = end ? -tiny : tiny;
    const sn_jet at_end = jet(text, t), inside = jet(text, t + inward), outside = jet(text, t - inward);
    assert_true(at_end.value == y && at_end.rate == 0.0 && at_end.accel == 0.0);
    assert_true(outside.value == y && outside.rate == 0.0 && outside.accel == 0.0);
    assert_true(fabs(inside.value - y) < 1e-15 * 8 && fabs(inside.rate) < bound * tiny);
    assert_true(fabs(inside.accel) < bound && fabs(inside.accel) > 0.5 * bound);
  }
  for (int i = 0; i <= 10; ++i) {
    const double s = 0.1 * i;
    check_near(text, 1 + 2 * s, jet(text, 1 + 2 * s).value,
               2.0 + 8.0 * (10 * pow(s, 3) - 15 * pow(s, 4) + 6 * pow(s, 5)), 1e-14);
  }
  const sn_jet middle = jet(text, 2.0);
  check_near(text, 2.0, middle.rate, 8.0 * 1.875 / 2.0, 1e-14);
  check_near(text, 2.0, middle.accel, 0.0, 1e-14);
}

/* ---- tables ---- */

static void tables_pass_through_their_points(void **state) {
  (void)state;
  for (int i = 0; i < points; ++i) {
    check_near("ramp", table_x[i], jet("ramp(t)", table_x[i]).value, table_y[i], 1e-15);
    check_near("curve", table_x[i], jet("curve(t)", table_x[i]).value, table_y[i], 1e-15);
  }
  const sn_jet slope = jet("ramp(t)", 1.0);
  check_near("ramp", 1.0, slope.value, 0.75, 1e-15);
  check_near("ramp", 1.0, slope.rate, 2.5, 1e-15);
  assert_true(slope.accel == 0.0);
}

static void tables_hold_their_ends(void **state) {
  (void)state;
  static const char *const both[] = {"ramp(t)", "curve(t)"};
  for (size_t i = 0; i < SN_COUNT(both); ++i) {
    const sn_jet before = jet(both[i], -2.0), after = jet(both[i], 5.0);
    assert_true(before.value == 0.3 && before.rate == 0.0 && before.accel == 0.0);
    assert_true(after.value == -1.0 && after.rate == 0.0 && after.accel == 0.0);
  }
  for (int i = -1; i <= 1; ++i) {
    const sn_jet f = jet("single(t)", -1.0 + i);
    assert_true(f.value == 0.3 && f.rate == 0.0 && f.accel == 0.0);
  }
}

static void spline_is_natural_and_twice_continuous(void **state) {
  (void)state;
  assert_true(jet("curve(t)", -1.0).accel == 0.0);
  check_near("curve''", 4.0, jet("curve(t)", 4.0).accel, 0.0, 1e-14);
  for (int i = 1; i < points - 1; ++i) {
    const double x = table_x[i], tiny = 1e-9;
    const sn_jet left = jet("curve(t)", x - tiny), right = jet("curve(t)", x);
    check_near("curve", x, left.value, right.value, 1e-7);
    check_near("curve'", x, left.rate, right.rate, 1e-7);
    check_near("curve''", x, left.accel, right.accel, 1e-6);
    assert_true(fabs(right.accel) > 0.1); /* or the test says nothing */
  }
}

/* Two cubics joined at x = 1 with continuous y, y', y'' = 6x before and 12 - 6x after it: y'' is zero at both ends of
 * [0, 2], so the natural spline through points of this curve, one of them the joint, is the curve itself. */
static double two_cubics(double x, double *d2) {
  const double z = x - 1.0;
  *d2 = x < 1.0 ? 6.0 * x : 6.0 - 6.0 * z;
  return x < 1.0 ? x * x * x : 1.0 + 3.0 * z + 3.0 * z * z - z * z * z;
}

static void spline_reproduces_cubics(void **state) {
  (void)state;
  enum { count = 9 };
  static const double x[count] = {0.0, 0.1, 0.35, 0.6, 1.0, 1.2, 1.25, 1.7, 2.0};
  double y[count], m[count], d2;
  for (int i = 0; i < count; ++i) y[i] = two_cubics(x[i], &d2);
  sn_spline_fit(count, x, y, m);
  const sn_table table = {.name = "natural", .count = count, .x = x, .y = y, .m = m};
  const sn_scope scope = {.tables = &table, .table_count = 1, .time_allowed = true};
  sn_expr_error error;
  const sn_expr *expr = sn_expr_compile(&arena, "natural(t)", 10, &scope, &error);
  assert_non_null(expr);
  for (int i = 0; i <= 200; ++i) {
    const double t = 0.01 * i, value = two_cubics(t, &d2);
    const sn_jet f = sn_expr_jet(expr, t);
    check_near("natural", t, f.value, value, 1e-13);
    check_near("natural''", t, f.accel, d2, 1e-11);
  }
  double few[2] = {1.0, 1.0};
  sn_spline_fit(2, x, y, few);
  assert_true(few[0] == 0.0 && few[1] == 0.0);
}

/* ---- errors ---- */

typedef struct mistake {
  const char *text;
  int offset, length;
  const char *message;
} mistake;

static void check_mistake(const mistake *m, const sn_scope *scope) {
  sn_expr_error error;
  if (sn_expr_compile(&arena, m->text, strlen(m->text), scope, &error)) fail_msg("\"%s\" compiles", m->text);
  if (strcmp(error.text, m->message) != 0) fail_msg("\"%s\": %s", m->text, error.text);
  if (error.offset != m->offset || error.length != m->length) {
    fail_msg("\"%s\": at %d+%d", m->text, error.offset, error.length);
  }
}

static void grammar_errors(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"", 0, 0, "formula is empty"},
      {"  ", 2, 0, "formula is empty"},
      {"1 +", 3, 0, "expected a number, a name or '(' after '+'"},
      {"1 + * 2", 4, 1, "expected a number, a name or '(' after '+'"},
      {"* 2", 0, 1, "expected a number, a name or '(' at the start"},
      {"()", 1, 1, "expected a number, a name or '(' after '('"},
      {"sin(1,)", 6, 1, "expected a number, a name or '(' after ','"},
      {"(1 + 2", 0, 1, "'(' is never closed"},
      {"1 + sin(2", 7, 1, "'(' is never closed"},
      {"(1 2)", 3, 1, "expected an operator or ')' after '1'"},
      {"sin(1 2)", 6, 1, "expected an operator, ',' or ')' after '1'"},
      {"1 + 2)", 5, 1, "')' without '('"},
      {"2 L", 2, 1,
       "expected an operator after '2'; units are not written (all are SI, angles in rad), a product has a '*'"},
      {"2L", 1, 1,
       "expected an operator after '2'; units are not written (all are SI, angles in rad), a product has a '*'"},
      {"0x10", 1, 3,
       "expected an operator after '0'; units are not written (all are SI, angles in rad), a product has a '*'"},
      {"1.2.3", 3, 2, "expected an operator after '1.2'"},
      {"sin(30deg)", 6, 3,
       "expected an operator, ',' or ')' after '30'; units are not written (all are SI, angles in rad), a product has "
       "a "
       "'*'"},
      {"1, 2", 1, 1, "expected an operator after '1'"},
      {"1,5", 1, 1, "expected an operator after '1'; decimals follow a point"},
      {"1e", 0, 2, "the exponent of the number has no digits"},
      {"2*1e+", 2, 3, "the exponent of the number has no digits"},
      {"1e999", 0, 5, "number is too large"},
      {".", 0, 1, "unexpected character '.'"},
      {"1 $ 2", 2, 1, "unexpected character '$'"},
      {"2 \xC3\x97 3", 2, 2, "unexpected character (byte 0xC3)"},
      {"2 ** 3", 2, 2, "'**' is not an operator; a power is written '^'"},
      {"L = 3", 2, 1, "'=' is not an operator; equality is written '=='"},
      {"1 & 1", 2, 1, "'&' is not an operator; 'and' is written '&&'"},
      {"1 | 1", 2, 1, "'|' is not an operator; 'or' is written '||'"},
      {"7 % 2", 2, 1, "'%' is not an operator; the remainder is written mod(a, b)"},
      {"1 < L < 3", 6, 1, "comparisons do not chain; write a < b && b < c"},
  };
  for (size_t i = 0; i < SN_COUNT(mistakes); ++i) check_mistake(&mistakes[i], &with_time);
  sn_expr_error error;
  assert_null(sn_expr_compile(&arena, "1\0+1", 4, &with_time, &error)); /* a zero byte is no end */
  assert_int_equal(error.offset, 1);
}

static void name_errors(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"2*lenght", 2, 6, "unknown name 'lenght'; did you mean 'length'?"},
      {"l", 0, 1, "unknown name 'l'; did you mean 'L'?"},
      {"PI", 0, 2, "unknown name 'PI'; did you mean 'pi'?"},
      {"inf", 0, 3, "unknown name 'inf'; did you mean 'if'?"},
      {"nan", 0, 3, "unknown name 'nan'; did you mean 'tan'?"},
      {"qqqqqq", 0, 6, "unknown name 'qqqqqq'"},
      {"sine(t)", 0, 4, "unknown function 'sine'; did you mean 'sin'?"},
      {"crve(t)", 0, 4, "unknown function 'crve'; did you mean 'curve'?"},
      {"sin", 0, 3, "'sin' is a function and needs arguments: sin(...)"},
      {"1 + curve", 4, 5, "'curve' is a function and needs arguments: curve(...)"},
      {"L(1 + 2)", 0, 1, "'L' is a value, not a function; is a '*' missing?"},
      {"t(1)", 0, 1, "'t' is a value, not a function; is a '*' missing?"},
      {"sin(1, 2)", 0, 3, "function 'sin' takes 1 argument, 2 given"},
      {"1 + sin()", 4, 3, "function 'sin' takes 1 argument, 0 given"},
      {"atan2(1)", 0, 5, "function 'atan2' takes 2 arguments, 1 given: atan2(y, x)"},
      {"step(t, 1)", 0, 4, "function 'step' takes 5 arguments, 2 given: step(t, t0, y0, t1, y1)"},
      {"max(1)", 0, 3, "function 'max' takes at least 2 arguments, 1 given"},
      {"curve(1, 2)", 0, 5, "table 'curve' takes 1 argument, 2 given"},
      {"endless + 1", 0, 7, "the value of 'endless' is not finite"},
      {"1 + broken", 4, 6, ""},
      {"broken(1)", 0, 6, ""},
  };
  for (size_t i = 0; i < SN_COUNT(mistakes); ++i) check_mistake(&mistakes[i], &with_time);
  const sn_scope no_time = {.lookup = look_up};
  check_mistake(&(mistake){"1 + 2*t", 6, 1, "'t' (time) is not allowed here"}, &no_time);
  check_mistake(&(mistake){"x", 0, 1, "unknown name 'x'"}, NULL);
  char long_name[200];
  memset(long_name, 'a', sizeof long_name);
  long_name[199] = 0;
  check_mistake(&(mistake){long_name, 0, 199, "name has more than 127 letters"}, &with_time);
}

static void folding_errors(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"1/0", 2, 1, "division by zero"},
      {"1 + L/(2.5 - L)*3", 6, 9, "division by zero"},
      {"t/zero", 2, 4, "division by zero"},
      {"mod(t, 0)", 7, 1, "division by zero"},
      {"0^-1", 0, 1, "division by zero"},
      {"2*sqrt(1 - L)", 7, 5, "square root of a negative number"},
      {"t*sqrt(-1)", 7, 2, "square root of a negative number"},
      {"log(0)", 4, 1, "logarithm of zero"},
      {"log10(-L)", 6, 2, "logarithm of a negative number"},
      {"asin(L)", 5, 1, "argument is not between -1 and 1"},
      {"acos(-1.5)", 5, 4, "argument is not between -1 and 1"},
      {"(-8)^(1/3)", 0, 4, "fractional power of a negative number"},
      {"atan2(0, zero)", 0, 14, "the vector (0, 0) has no angle"},
      {"step(t, 1, 0, 1, 5)", 14, 1, "the step must end later than it begins"},
      {"1 + exp(1000)", 4, 9, "result is not finite"},
      {"1e200*1e200", 0, 11, "result is not finite"},
      {"if(1, 1/0, 2)", 8, 1, "division by zero"},
      {"if(0, 2, 1/0)", 11, 1, "division by zero"},
      {"if(1/0, 1, 2)", 5, 1, "division by zero"},
      {"if(t > 1, 1/0, 1/zero)", 12, 1, "division by zero"},
      {"1 && 1/0", 7, 1, "division by zero"},
      {"1/0 && 0", 2, 1, "division by zero"},
      {"0 || 1/0 > 1", 7, 1, "division by zero"},
  };
  for (size_t i = 0; i < SN_COUNT(mistakes); ++i) check_mistake(&mistakes[i], &with_time);
}

/* ---- limits ---- */

static char *put(char *end, const char *piece) {
  const size_t length = strlen(piece);
  memcpy(end, piece, length);
  return end + length;
}

/* count times `piece`, then `middle`, then count times `close` */
static const sn_expr *compile_repeated(const char *piece, const char *middle, const char *close, int count,
                                       sn_expr_error *error) {
  const size_t size = (size_t)count * (strlen(piece) + strlen(close)) + strlen(middle);
  char *text = malloc(size + 1), *end = text;
  assert_non_null(text);
  for (int i = 0; i < count; ++i) end = put(end, piece);
  end = put(end, middle);
  for (int i = 0; i < count; ++i) end = put(end, close);
  const sn_expr *expr = sn_expr_compile(&arena, text, size, &with_time, error);
  free(text);
  return expr;
}

static void check_bomb(const char *piece, const char *middle, const char *close, int count, const char *message) {
  sn_expr_error error;
  assert_null(compile_repeated(piece, middle, close, count, &error));
  assert_string_equal(error.text, message);
}

static void depth_and_size_are_limited(void **state) {
  (void)state;
  const char *deep = "formula is nested too deeply", *large = "formula is too long";
  sn_expr_error error;
  const sn_expr *expr = compile_repeated("(", "t", ")", 60, &error);
  assert_non_null(expr);
  assert_true(sn_expr_value(expr, 3.0) == 3.0);
  check_bomb("(", "t", ")", 70, deep);
  check_bomb("(", "t", ")", 100000, deep);
  check_bomb("-", "t", "", 100000, deep);
  check_bomb("2^", "t", "", 100000, deep);
  check_bomb("sin(", "t", ")", 100000, deep);
  check_bomb("1+(", "t", ")", 100000, deep);
  check_bomb("step(1,1,1,1,", "t", ")", 30, deep); /* fewer levels than values */
  check_bomb("t<1||t<1&&t<1+t*(", "t", ")", 30, deep);
  check_bomb("t+", "t", "", 100000, large);
  check_bomb(" ", "1", " ", 1000000, large);
  check_bomb("(", "", "", 100000, deep);

  expr = compile_repeated("t+", "t", "", 2047, &error); /* 2048 times t, 2047 sums: 4095 instructions */
  assert_non_null(expr);
  assert_true(sn_expr_value(expr, 2.0) == 4096.0);
  assert_null(compile_repeated("t+", "t", "", 2048, &error));
  expr = compile_repeated("1+", "1", "", 100000, &error); /* folds as it grows */
  assert_non_null(expr);
  assert_true(sn_expr_value(expr, 0.0) == 100001.0);
  expr = compile_repeated("sin(", "t", ")", 60, &error);
  assert_non_null(expr);
  assert_true(isfinite(sn_expr_jet(expr, 1.0).accel));
}

/* ---- hostile input ---- */

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state % limit;
}

/* Compile from a block of exactly the right size, so that reading beyond is seen, and evaluate what compiles. */
static bool try_text(const char *text, size_t length) {
  char *exact = malloc(length ? length : 1);
  assert_non_null(exact);
  memcpy(exact, text, length);
  sn_arena local = {0};
  sn_expr_error error;
  const sn_expr *expr = sn_expr_compile(&local, exact, length, &with_time, &error);
  if (expr) {
    const sn_jet f = sn_expr_jet(expr, 0.7);
    const bool same = isnan(f.value) ? isnan(sn_expr_value(expr, 0.7)) : sn_expr_value(expr, 0.7) == f.value;
    assert_true(same);
    assert_false(isinf(f.value) || isinf(f.rate) || isinf(f.accel));
    if (sn_expr_is_constant(expr)) assert_true(isfinite(f.value) && f.rate == 0.0 && f.accel == 0.0);
  } else {
    assert_true(error.offset >= 0 && error.length >= 0 && (size_t)(error.offset + error.length) <= length);
    assert_true(strlen(error.text) < sizeof error.text);
  }
  sn_arena_free(&local);
  free(exact);
  return expr != NULL;
}

static void random_bytes_do_no_harm(void **state) {
  (void)state;
  for (int i = 0; i < 100000; ++i) {
    char text[40];
    const uint32_t length = random_below(sizeof text + 1);
    for (uint32_t k = 0; k < length; ++k) text[k] = (char)random_below(i % 2 ? 256 : 128);
    try_text(text, length);
  }
}

static void random_tokens_do_no_harm(void **state) {
  (void)state;
  static const char *const tokens[] = {
      "t",   "1",    "0",    "2.5",   "1e3", "L",   "zero",   "pi",    "+",    "-",      "*",   "/",     "^",
      "(",   ")",    ",",    "<",     "==",  "&&",  "||",     "!",     "sin(", "log(",   "if(", "step(", "max(",
      "mod", "sqrt", "ramp", "curve", "(t)", "(1)", "1e-300", "1e300", " ",    "atan2(", "-1)", "t)",    "broken"};
  int compiled = 0;
  for (int i = 0; i < 200000; ++i) {
    char text[400] = "";
    size_t length = 0;
    for (uint32_t n = random_below(14); n > 0; --n) {
      const char *token = tokens[random_below(SN_COUNT(tokens))];
      memcpy(text + length, token, strlen(token));
      length += strlen(token);
    }
    compiled += try_text(text, length);
  }
  assert_true(compiled > 1000); /* or the tokens say little about evaluation */
}

static void mutated_formulas_do_no_harm(void **state) {
  (void)state;
  static const char *const formulas[] = {
      "L*sin(2*pi*t)*step(t, 0, 0, 1, 1) + ramp(curve(t)/100 + 3)",
      "if(t < 1 && L > 2 || !zero, hypot(t, 1)^2.5, max(t, 2, -3e-4))",
      "mod(t, 2) - atan2(sin(t), cos(t))/(1 + exp(-t/.5)) ^ -2",
  };
  int compiled = 0;
  for (int i = 0; i < 200000; ++i) {
    char text[80];
    const char *formula = formulas[i % (int)SN_COUNT(formulas)];
    size_t length = strlen(formula);
    memcpy(text, formula, length);
    for (uint32_t n = 1 + random_below(3); n > 0; --n) {
      const size_t k = random_below((uint32_t)length);
      switch (random_below(3)) {
        case 0:
          text[k] = (char)random_below(128);
          break;
        case 1:
          text[k] = text[random_below((uint32_t)length)];
          break;
        default:
          memmove(text + k, text + k + 1, length - k - 1);
          --length;
      }
    }
    compiled += try_text(text, length);
  }
  assert_true(compiled > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(precedence),
      cmocka_unit_test(logic),
      cmocka_unit_test(numbers_and_names),
      cmocka_unit_test(functions),
      cmocka_unit_test(list_of_functions_is_complete),
      cmocka_unit_test(constants_fold),
      cmocka_unit_test(branch_not_taken_may_be_wrong),
      cmocka_unit_test(invalid_operations_give_nan),
      cmocka_unit_test(derivatives_match_formulas),
      cmocka_unit_test(derivatives_match_differences),
      cmocka_unit_test(variables_have_gradients),
      cmocka_unit_test(derivatives_at_special_points),
      cmocka_unit_test(step_is_twice_continuous),
      cmocka_unit_test(tables_pass_through_their_points),
      cmocka_unit_test(tables_hold_their_ends),
      cmocka_unit_test(spline_is_natural_and_twice_continuous),
      cmocka_unit_test(spline_reproduces_cubics),
      cmocka_unit_test(grammar_errors),
      cmocka_unit_test(name_errors),
      cmocka_unit_test(folding_errors),
      cmocka_unit_test(depth_and_size_are_limited),
      cmocka_unit_test(random_bytes_do_no_harm),
      cmocka_unit_test(random_tokens_do_no_harm),
      cmocka_unit_test(mutated_formulas_do_no_harm),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
