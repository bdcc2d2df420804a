/* test_resolve.c - bounds of functions of time and of their derivatives, the places where they are not smooth, and how
 * long a step may be. */
#include "base/resolve.h"
#include "support.h"

static const double knot_x[] = {-1, 0, 0.5, 1.5, 2, 4}, knot_y[] = {0.3, 1, -0.5, 2, 2.5, -1};
static double knot_m[SN_COUNT(knot_x)];
static const sn_table tables[] = {{.name = "ramp", .count = SN_COUNT(knot_x), .x = knot_x, .y = knot_y},
                                  {.name = "curve", .count = SN_COUNT(knot_x), .x = knot_x, .y = knot_y, .m = knot_m}};
static const sn_scope scope = {.tables = tables, .table_count = SN_COUNT(tables), .time_allowed = true};
static sn_arena arena;

static const sn_expr *compile(const char *text) {
  sn_expr_error error;
  const sn_expr *f = sn_expr_compile(&arena, text, strlen(text), &scope, &error);
  if (!f) fail_msg("'%s': %s", text, error.text);
  return f;
}

/* ---- bounds ---- */

/* Every function of the language, alone and in others. */
static const char *const formulas[] = {"3 + 2*t - t^2",
                                       "1/(t^2 + 0.3)",
                                       "t/(t - 1)",
                                       "sin(5*t)",
                                       "cos(3*t + 1)",
                                       "tan(t)",
                                       "asin(sin(t))",
                                       "acos(t/7)",
                                       "asin(t/7)",
                                       "atan(3*t)",
                                       "atan2(sin(t), cos(t))",
                                       "atan2(t, 2)",
                                       "atan2(2, t)",
                                       "atan2(-2, t)",
                                       "sinh(t)",
                                       "cosh(t)",
                                       "tanh(4*t)",
                                       "exp(-t^2)",
                                       "log(t^2 + 0.1)",
                                       "log10(t + 7)",
                                       "sqrt(t^2 + 1e-3)",
                                       "sqrt(t)",
                                       "abs(t - 1)",
                                       "abs(sin(3*t))",
                                       "sign(t)",
                                       "min(t, 1 - t, 0.3)",
                                       "max(sin(t), cos(t))",
                                       "floor(3*t)",
                                       "ceil(t)",
                                       "mod(t, 0.7)",
                                       "mod(t, -0.7)",
                                       "hypot(t, 1)",
                                       "hypot(t, 0)",
                                       "pow(t + 6, 1.7)",
                                       "t^3",
                                       "t^-2",
                                       "(t^2 + 1)^-1.5",
                                       "2^t",
                                       "(t + 6)^t",
                                       "if(t < 1, t^2, 2*t - 1)",
                                       "if(t >= 1 && t <= 2, 5, sqrt(t - 1))",
                                       "!(t > 2) || t == 3",
                                       "step(t, 0, 1, 2, 3)",
                                       "step(t, t/2 - 1, sin(t), t/2 + 1, 2)",
                                       "ramp(t)",
                                       "curve(t)",
                                       "curve(2*sin(t))",
                                       "100*exp(-((t - 1)/0.01)^2) + sin(t)*cos(2*t)/(2 + sin(t))",
                                       "t != 0",
                                       "(t <= 0) + (t > 1)"};

/* Random intervals, wide and narrow: values inside are within the bounds, and derivatives where it is smooth. A value
 * that is not defined is within no bounds. */
static void test_bounds(void **state) {
  (void)state;
  uint64_t seed = 1;
  long smooth = 0;
  for (size_t i = 0; i < SN_COUNT(formulas); i++) {
    const sn_expr *f = compile(formulas[i]);
    for (int k = 0; k < 2000; k++) {
      const double middle = 5 * noise(&seed), half = pow(10, 2 * noise(&seed) - 2);
      const double a = k % 7 == 0 ? round(middle) : middle - half, b = a + 2 * half;
      const sn_taylor x = sn_expr_taylor(f, a, b, 4);
      smooth += x.smooth;
      for (int j = 0; j <= 8; j++) {
        const double t = j == 8 ? b : a + j / 8.0 * (b - a);
        const sn_jet y = sn_expr_jet(f, t);
        const double values[] = {y.value, y.rate, y.accel / 2};
        for (int c = 0; c < 3 && !isnan(y.value); c++) {
          if (isnan(values[c]) || (c > 0 && (!x.smooth || j == 0 || j == 8)))
            continue; /* ends may be of the next piece */
          const double slack = 1e-9 * (1 + fabs(values[c]));
          if (!(values[c] >= x.c[c].low - slack && values[c] <= x.c[c].high + slack))
            fail_msg("%s at t = %.17g in [%.17g, %.17g]: coefficient %d is %g, bounds %g %g", formulas[i], t, a, b, c,
                     values[c], x.c[c].low, x.c[c].high);
        }
        if (isnan(y.value) && x.smooth) fail_msg("%s is not defined at t = %.17g", formulas[i], t);
      }
    }
  }
  assert_true(smooth > 30000); /* bounds that are never sharp would pass, too */
}

/* The bound shrinks with the interval to the value itself: of first order at least. */
static void test_sharpness(void **state) {
  (void)state;
  static const char *const smooth[] = {"sin(5*t)", "exp(-((t - 1)/0.01)^2)", "step(t, 0, 1, 2, 3)",
                                       "curve(t)", "tanh(t)/(1 + t^2)",      "(2 + cos(t))^0.3"};
  for (size_t i = 0; i < SN_COUNT(smooth); i++) {
    const sn_expr *f = compile(smooth[i]);
    const sn_taylor wide = sn_expr_taylor(f, 0.99, 0.99 + 1e-4, 9), narrow = sn_expr_taylor(f, 0.99, 0.99 + 1e-6, 9);
    for (int k = 0; k < 3; k++) {
      const double w = wide.c[k].high - wide.c[k].low, n = narrow.c[k].high - narrow.c[k].low;
      assert_below(n, 0.03 * w + 1e-12 * sn_span_size(wide.c[k]), "%s: width of coefficient %d", smooth[i], k);
    }
  }
}

/* ---- places where it is not smooth ---- */

static void test_breaks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int count;
    double at[8];
  } list[] = {
      {"step(t, 1, 0, 1.25, 1)", 2, {1, 1.25}},
      {"if(t < pi, 0, 1)", 1, {PI}},
      {"if(t > 1 && t < 1.001, 5, 0)", 2, {1, 1.001}},
      {"abs(t - 0.1)", 1, {0.1}},
      {"max(t, 1) + min(t, 3)", 2, {1, 3}},
      {"floor(t/0.9)", 4, {0.9, 1.8, 2.7, 3.6}},
      {"mod(t, 1.5)", 2, {1.5, 3}},
      {"sign(sin(2*t))", 3, {0, PI / 2, PI}},
      {"ramp(t)", 3, {0.5, 1.5, 2}},
      {"curve(t)", 3, {0.5, 1.5, 2}},
      {"sin(t)*exp(-t)", 0, {0}},
      {"if(t < 2, t, sqrt(t - 2))", 1, {2}},
      {"max(0, sin(t))", 1, {PI}},
  };
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    const sn_expr *f = compile(list[i].text);
    sn_resolution r;
    int found = 0;
    double t = 0;
    sn_resolution_begin(&r, f, NULL, 0, 1e-6, 0, 4);
    for (int k = 0; t < 4; k++) {
      assert_true(k < 10000);
      sn_resolution_update(&r, t);
      if (isnan(r.next) || r.until >= 4) {
        t = r.until;
        continue;
      }
      const bool known = found > 0 && fabs(list[i].at[found - 1] - r.until) < 1e-14; /* in two parts, by rounding */
      if (!known) {
        if (found >= list[i].count) fail_msg("%s: one more at %.17g", list[i].text, r.until);
        assert_below(fabs(r.until - list[i].at[found]), 4e-15, "%s: place %d", list[i].text, found);
        found++;
      }
      t = fmax(r.next, t);
      if (r.next <= r.until) t = fmax(t, r.until);
    }
    if (found != list[i].count) fail_msg("%s: %d of %d places", list[i].text, found, list[i].count);
  }
}

/* ---- lengths of steps ---- */

/* A step over a wave of frequency w: at least three in a period, and not many more for a tolerance that is not fine. */
static void test_lengths(void **state) {
  (void)state;
  const sn_expr *wave = compile("sin(10*t)");
  for (int level = 0; level <= 2; level += 2) {
    sn_resolution r;
    int pieces = 0;
    sn_resolution_begin(&r, wave, NULL, level, 1e-5, 0, 100);
    for (double t = 0; t < 100; t = r.until, pieces++) sn_resolution_update(&r, t);
    const double periods = 100 * 10 / (2 * PI);
    assert_true(pieces > 3 * periods && pieces < 10 * periods);
  }
}

/* Formulas that bounds follow badly, or not at all, cost steps but never stop a run; what has no bounds is counted. */
static void test_unlucky(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool bounded;
  } list[] = {{"sqrt(t^2 - 2*t + 1)", true},
              {"abs(t - t) + sin(t)", true},
              {"acos(cos(5*t))", true},
              {"hypot(sin(t), 0)", true},
              {"t^1.5", true},
              {"sin(1/(t + 0.01))", true},
              {"atan2(sin(3*t), cos(3*t))", true},
              {"log(t + 1e-9)", true},
              {"max(sin(t), sin(t))", false}};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    sn_resolution r;
    int pieces = 0;
    sn_resolution_begin(&r, compile(list[i].text), NULL, 0, 1e-5, 0, 10);
    for (double t = 0; t < 10; pieces++) {
      sn_resolution_update(&r, t);
      t = r.until > t ? r.until : fmax(r.next, t + 1e-14);
      if (pieces > 4000) fail_msg("%s: no way through", list[i].text);
    }
    if ((r.unbounded < 0.1) != list[i].bounded) fail_msg("%s: %g s without bounds", list[i].text, r.unbounded);
  }
}

/* What a fixed step misses. */
static double unseen(const char *text, int level, double from, double to) {
  return sn_unseen(&(sn_resolution){.f = compile(text), .level = level}, from, to);
}

static void test_unseen(void **state) {
  (void)state;
  assert_below(unseen("sin(t)", 0, 1, 1.2), 0.1, "slow wave");
  assert_true(unseen("sin(t)", 0, 0.1, 3) > 0.5);
  assert_true(unseen("if(t > 1 && t < 1 + 1e-9, 1, 0)", 0, 0.7, 1.6) > 0.9);
  assert_true(unseen("exp(-((t-1)/1e-6)^2)", 0, 0.7, 1.6) > 0.9);
  assert_true(unseen("0.1*step(t, 1, 0, 1.01, 1)*step(t, 1.02, 1, 1.03, 0)", 2, 0.7, 1.6) > 0.9);
  assert_below(unseen("if(t > 1, 1, 0)", 0, 0.7, 1.6), 0.1, "one edge");
}

static int set_up(void **state) {
  (void)state;
  sn_spline_fit(SN_COUNT(knot_x), knot_x, knot_y, knot_m);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  sn_arena_free(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),  cmocka_unit_test(test_sharpness), cmocka_unit_test(test_breaks),
      cmocka_unit_test(test_lengths), cmocka_unit_test(test_unlucky),   cmocka_unit_test(test_unseen),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
