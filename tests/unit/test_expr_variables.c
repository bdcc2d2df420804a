/* test_expr_variables.c - formulas of several variables: names, references, exact partial derivatives, tables beyond
 * their ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* after the headers above, which it needs */
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/expr.h"

/* ---- variables x, y, z; references hinge.angle, hinge.rate, beam.at(...).N, distance(...), wind ---- */

static const char *const variables[] = {"x", "y", "z"};
static const char *const calls[] = {"distance"};
static size_t seen_offset;

static const void *refer(void *user, const char *text, size_t offset, size_t length, bool *failed) {
  static const char *const known[] = {
      "hinge.angle", "hinge.rate", "beam.at(0.5*(1 + 1)).N", "distance(a.end, b.start)", "distance(a, b).rate", "wind"};
  seen_offset = offset;
  assert_null(user);
  for (size_t i = 0; i < SN_COUNT(known); i++)
    if (strlen(known[i]) == length && memcmp(known[i], text, length) == 0) return known[i];
  *failed = length >= 5 && memcmp(text, "wrong", 5) == 0;
  return NULL;
}

enum { points = 5 };
static const double table_x[points] = {-1.0, 0.0, 0.5, 1.5, 2.0}, table_y[points] = {0.3, 1.0, -0.5, 2.0, 2.5};
static double table_m[points];
static sn_table tables[] = {
    {"held", points, table_x, table_y, table_m, SN_EXTRAPOLATE_HOLD, NULL},
    {"ray", points, table_x, table_y, table_m, SN_EXTRAPOLATE_LINEAR, NULL},
    {"line", points, table_x, table_y, NULL, SN_EXTRAPOLATE_LINEAR, NULL},
    {"bounded", points, table_x, table_y, NULL, SN_EXTRAPOLATE_ERROR, NULL},
};
static const sn_scope scope = {.tables = tables,
                               .table_count = SN_COUNT(tables),
                               .time_allowed = true,
                               .variables = variables,
                               .variable_count = SN_COUNT(variables),
                               .refer = refer,
                               .calls = calls,
                               .call_count = SN_COUNT(calls)};
static sn_arena arena;

static void check_near(double found, double expected, double tolerance) {
  if (!(fabs(found - expected) <= tolerance)) fail_msg("%.15g instead of %.15g", found, expected);
}

static const sn_expr *compile(const char *text) {
  sn_expr_error error;
  const sn_expr *expr = sn_expr_compile(&arena, text, strlen(text), &scope, &error);
  if (!expr) fail_msg("\"%s\": %s (at %d)", text, error.text, error.offset);
  assert(expr);
  return expr;
}

static void refuse(const char *text, const char *message) {
  sn_expr_error error;
  if (sn_expr_compile(&arena, text, strlen(text), &scope, &error)) fail_msg("\"%s\" compiles", text);
  if (strcmp(error.text, message) != 0) fail_msg("\"%s\": '%s' instead of '%s'", text, error.text, message);
}

static void names_and_references(void **state) {
  (void)state;
  const double x[] = {2, 3, 5, 7, 11, 13};
  const sn_expr *f = compile("x*y + z^2 - hinge.angle*hinge.rate + hinge.angle");
  assert_int_equal(sn_expr_variables(f), 5);
  assert_null(sn_expr_reference(f, 2));
  assert_string_equal(sn_expr_reference(f, 3), "hinge.angle");
  assert_string_equal(sn_expr_reference(f, 4), "hinge.rate");
  check_near(sn_expr_value_at(f, 0, x), 6 + 25 - 77 + 7, 1e-14);
  f = compile("2*distance(a.end, b.start) + beam.at(0.5*(1 + 1)).N*t - wind/distance(a, b).rate");
  assert_int_equal(seen_offset, 61);
  assert_int_equal(sn_expr_variables(f), 7);
  assert_string_equal(sn_expr_reference(f, 4), "beam.at(0.5*(1 + 1)).N");
  assert_true(sn_expr_uses(f, -1) && !sn_expr_uses(f, 0) && sn_expr_uses(f, 6));
  assert_false(sn_expr_is_constant(compile("x")));
  refuse("hinge.angel + 1", "unknown quantity 'hinge.angel'");
  refuse("wrong.one", "");
  refuse("distance(a.end", "'(' is never closed");
  refuse("distnce(a.end, b)", "unknown function 'distnce'; did you mean 'distance'?");
  refuse("x(2)", "'x' is a value, not a function; is a '*' missing?");
  refuse("xx", "unknown name 'xx'; did you mean 'x'?");
}

/* Every function and table of every variable against differences of fourth order. */
static void gradients(void **state) {
  (void)state;
  static const char *const formulas[] = {"x + y*z - x/z",
                                         "sin(x*y)",
                                         "cos(x) + tan(y/3)",
                                         "asin(x/4) + acos(y/5) + atan(z)",
                                         "atan2(x, y*z)",
                                         "sinh(x)*cosh(y) + tanh(z)",
                                         "exp(x/y)",
                                         "log(x*y) + log10(z)",
                                         "sqrt(x^2 + y*z)",
                                         "abs(x - 3*y)",
                                         "min(x, y, z)",
                                         "max(x*y, z)",
                                         "mod(x, y)",
                                         "hypot(x, y - z)",
                                         "x^y",
                                         "pow(x, 3) - (-z)^3",
                                         "if(x < y, x*z, y)",
                                         "step(x, 1, y, 2, z)",
                                         "held(x/2)",
                                         "ray(x*y) + ray(-z)",
                                         "line(x/3) + line(y*z)",
                                         "sin(t*x)*hinge.angle^2 - t",
                                         "-hinge.angle*held(hinge.angle/8)/hinge.rate"};
  const double x0[] = {1.3, 1.9, 2.3, 2.6, 0.7}, h = 1e-3, t = 0.8;
  for (size_t i = 0; i < SN_COUNT(formulas); i++) {
    const sn_expr *f = compile(formulas[i]);
    double dx[5], x[5];
    memcpy(x, x0, sizeof x);
    check_near(sn_expr_gradient(f, t, 5, x, dx), sn_expr_value_at(f, t, x), 0);
    for (int k = 0; k < sn_expr_variables(f); k++) {
      double y[4];
      const double at[4] = {-2 * h, -h, h, 2 * h};
      for (int j = 0; j < 4; j++) {
        x[k] = x0[k] + at[j];
        y[j] = sn_expr_value_at(f, t, x);
      }
      x[k] = x0[k];
      const double wanted = (y[0] - 8 * y[1] + 8 * y[2] - y[3]) / (12 * h);
      if (!(fabs(dx[k] - wanted) <= 1e-8 * fmax(1, fabs(wanted))))
        fail_msg("%s: d/dx%d is %.12g, by differences %.12g", formulas[i], k, dx[k], wanted);
    }
  }
}

/* A straight line with the end's slope; its bounds over time contain its values. */
static void beyond_the_ends(void **state) {
  (void)state;
  const sn_expr *ray = compile("ray(t)"), *line = compile("line(t)"), *bounded = compile("bounded(t)");
  check_near(sn_expr_value(line, 4), 2.5 + 2 * 1.0, 1e-14);
  check_near(sn_expr_value(line, -3), 0.3 - 2 * 0.7, 1e-14);
  for (int end = 0; end < 2; end++) { /* slope continuous at the ends, then constant */
    const double x = end ? 2 : -1, out = end ? 1e-9 : -1e-9;
    const double slope = sn_expr_jet(ray, x).rate;
    check_near(sn_expr_jet(ray, x + out).rate, slope, 1e-7);
    check_near(sn_expr_jet(ray, x + 3e9 * out).rate, slope, 1e-12);
    check_near(sn_expr_value(ray, x + 3e9 * out), table_y[end ? 4 : 0] + slope * 3e9 * out, 1e-12);
  }
  assert_true(isnan(sn_expr_value(bounded, 2.1)) && isnan(sn_expr_value(bounded, -1.1)));
  check_near(sn_expr_value(bounded, 2), 2.5, 1e-14);
  for (double from = -3; from < 4; from += 0.37)
    for (double width = 0; width < 4; width += 0.31) {
      const sn_taylor b = sn_expr_taylor(ray, from, from + width, 2);
      for (double u = 0; u <= 1; u += 0.0625) {
        const double y = sn_expr_value(ray, from + u * width);
        assert_true(y >= b.c[0].low - 1e-12 && y <= b.c[0].high + 1e-12);
      }
    }
  const double x[] = {2, 0, 0};
  const sn_expr *moved = compile("ray(x*t)");
  check_near(sn_expr_taylor_at(moved, x, 3, 3, 1).c[1].low, 2 * sn_expr_jet(ray, 5).rate, 1e-12);
}

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_references),
      cmocka_unit_test(gradients),
      cmocka_unit_test(beyond_the_ends),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
