/* test_measure.c - measures of long runs, on motions whose amplitude and period are known. */
#include "analysis/measure.h"
#include "support.h"

enum { ROWS = 4001 };

/* x = A(t) cos(w t + phase), sampled at 100 points a period */
static void swing(double decay, double phase, double *t, double *x) {
  for (int i = 0; i < ROWS; i++) {
    t[i] = 0.01 * i;
    x[i] = 1.5 * (1 - decay * t[i]) * cos(2 * PI * t[i] + phase);
  }
}

static void test_steady_swing(void **state) {
  (void)state;
  static double t[ROWS], x[ROWS];
  swing(0, 0.3, t, x);
  sn_oscillation o = sn_measure_oscillation(t, x, ROWS, 1.5, 1);
  assert_int_equal(o.swings, 80);
  assert_int_equal(o.periods, 39);
  assert_below(fabs(o.amplitude_decay), 1e-5, "decay of a steady swing");
  assert_below(fabs(o.period_elongation), 1e-5, "elongation of a steady swing");
}

static void test_changes(void **state) {
  (void)state;
  static double t[ROWS], x[ROWS];
  swing(0.005, 0, t, x);
  sn_oscillation o = sn_measure_oscillation(t, x, ROWS, 1.5, 1);
  assert_below(fabs(o.amplitude_decay - 0.005 * 39.5), 1e-4, "decay, of the last extreme");
  swing(-0.005, 0, t, x);
  o = sn_measure_oscillation(t, x, ROWS, 1.5, 1);
  assert_below(fabs(o.amplitude_decay + 0.005 * 39.5), 1e-4, "growth, of the last extreme");
  swing(0, 0, t, x);
  o = sn_measure_oscillation(t, x, ROWS, 1.5, 1.25);
  assert_below(fabs(o.period_elongation + 0.2), 1e-5, "a period that should be longer");
  o = sn_measure_oscillation(t, x, 10, 1.5, 1); /* too short for any */
  assert_true(o.swings == 0 && o.periods == 0 && o.amplitude_decay == 0 && o.period_elongation == 0);
}

static void test_mean_change(void **state) {
  (void)state;
  static const double t[] = {0, 1, 2, 4}, x[] = {5, 6, 5, 4};
  assert_below(fabs(sn_mean_change(t, x, 4, false) - (0.5 + 0.5 - 1) / 4), 1e-15, "signed mean");
  assert_below(fabs(sn_mean_change(t, x, 4, true) - (0.5 + 0.5 + 1) / 4), 1e-15, "mean of sizes");
  assert_true(sn_mean_change(t, x, 1, true) == 0);
}

static void test_iterations(void **state) {
  (void)state;
  sn_statistics none = {0}, some = {.steps = 4, .iterations = 10};
  assert_true(isnan(sn_iterations_per_step(&none)) && sn_iterations_per_step(&some) == 2.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steady_swing),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_mean_change),
      cmocka_unit_test(test_iterations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
