/* test_measure.c - measures of curves, against curves whose numbers are known. */
#include "analysis/curve.h"
#include "support.h"

enum { rows = 4001 };
static double t[rows], y[rows];
static const sn_curve curve = {rows, t, y};

/* y = center + A exp(-d t) sin(2 pi t/T + phase), t from 0 to 20 */
static void fill(double center, double A, double d, double T, double phase) {
  for (int i = 0; i < rows; i++) {
    t[i] = 20.0 * i / (rows - 1);
    y[i] = center + A * exp(-d * t[i]) * sin(2 * PI * t[i] / T + phase);
  }
}

static void values(void **state) {
  (void)state;
  fill(3, 2, 0, 2.5, 0.3); /* 8 whole periods */
  assert_below(fabs(sn_curve_maximum(&curve) - 5), 1e-4, "maximum");
  assert_below(fabs(sn_curve_minimum(&curve) - 1), 1e-4, "minimum");
  assert_below(fabs(sn_curve_mean(&curve) - 3), 1e-12, "mean");
  assert_below(fabs(sn_curve_rms(&curve) - sqrt(9 + 2)), 1e-12, "rms"); /* 3^2 + 2^2/2 */
  assert_below(fabs(sn_curve_final(&curve) - (3 + 2 * sin(0.3))), 1e-12, "final");
  fill(0, 1, 0, 2.5, 0);
  assert_below(fabs(sn_curve_mean_absolute(&curve) - 2 / PI), 1e-5, "mean of |sin|");
  const sn_curve none = {0, t, y};
  assert_true(isnan(sn_curve_final(&none)) && isnan(sn_curve_maximum(&none)) && isnan(sn_curve_mean(&none)));
  y[7] = NAN;
  assert_true(isnan(sn_curve_maximum(&curve)) && isnan(sn_curve_mean(&curve)));
}

/* The first row above a level; the distance of two points, of which one has other rows and ends earlier. */
static void first_and_distance(void **state) {
  (void)state;
  fill(0, 2, 0, 20, 0); /* 2 sin(pi t/10): 1 at t = 5/3 */
  assert_below(fabs(sn_curve_first(&curve, 1) - 5.0 / 3), 0.005, "2 sin(pi t/10) passes 1");
  assert_true(isnan(sn_curve_first(&curve, 2.1)));
  enum { others = 101 };
  double ot[others], ox[others], oy[others], x[rows];
  for (int i = 0; i < others; i++) ot[i] = 0.1 * i, ox[i] = 3 + ot[i], oy[i] = 4 - 2 * ot[i];
  for (int i = 0; i < rows; i++) x[i] = t[i], y[i] = -2 * t[i] + (t[i] > 15 ? 100 : 0);
  const sn_curve a[2] = {{rows, t, x}, {rows, t, y}}, b[2] = {{others, ot, ox}, {others, ot, oy}};
  assert_below(fabs(sn_curve_distance(a, b, 2) - 5), 1e-12, "3, 4, 5: what lies behind the end of b does not count");
  assert_below(fabs(sn_curve_distance(a, b, 1) - 3), 1e-12, "one coordinate");
  oy[50] = 4 - 2 * ot[50] + 8;
  assert_below(fabs(sn_curve_distance(b, a, 2) - sqrt(9 + 144)), 1e-9, "the largest");
  const sn_curve none = {0, t, y};
  assert_true(isnan(sn_curve_distance(a, &none, 1)) && isnan(sn_curve_distance(&none, a, 1)));
}

/* Decay over k periods of a damped oscillation: 1 - exp(-d k T). */
static void cycles(void **state) {
  (void)state;
  const double d = 0.05, T = 1.37;
  fill(0, 2, d, T, -1);
  sn_arena arena = {0};
  int count;
  sn_curve_cycles(&curve, 0, &arena, &count);
  assert_int_equal(count, 14); /* rises at T/(2 pi) + k T: 15 of them before 20 s */
  sn_arena_free(&arena);
  assert_below(fabs(sn_curve_period(&curve, 0, SN_PICK_MEAN) - T), 1e-6, "period");
  assert_below(fabs(sn_curve_elongation(&curve, 0, 1.3, SN_PICK_MEAN) - (T / 1.3 - 1)), 1e-6, "elongation");
  double decay = sn_curve_decay(&curve, 0, NAN, SN_PICK_LAST), exact = 1 - exp(-d * (count - 1) * T);
  assert_below(fabs(decay - exact), 1e-6, "decay %g, exactly %g", decay, exact);
  assert_below(fabs(sn_curve_decay(&curve, 0, NAN, SN_PICK_EXTREME) - decay), 0, "the last is the extreme");
  assert_below(fabs(sn_curve_decay(&curve, 0, NAN, SN_PICK_FIRST)), 0, "the first is the reference");
  fill(0, 2, -d, T, -1); /* it grows */
  assert_true(sn_curve_decay(&curve, 0, NAN, SN_PICK_LAST) < -0.5);
  fill(7, 2, 0, T, -1); /* about another level, which is found */
  assert_below(fabs(sn_curve_period(&curve, NAN, SN_PICK_LAST) - T), 1e-6, "period about 7");
  assert_below(fabs(sn_curve_amplitude(&curve, NAN, SN_PICK_MEAN) - 2), 1e-6, "amplitude about 7");
  fill(7, 2, 0, 50, -1);
  assert_true(isnan(sn_curve_period(&curve, NAN, SN_PICK_MEAN))); /* no whole cycle */
  fill(1, 0, 0, 1, 0);
  assert_true(isnan(sn_curve_amplitude(&curve, NAN, SN_PICK_MEAN))); /* at rest */
}

/* Where nobody gives a level, rises through the middle between the extremes would come later from cycle to cycle. */
static void decaying_cycles(void **state) {
  (void)state;
  static const double rates[] = {-0.3, -0.05, 0, 0.02, 0.1, 0.3, 0.8};
  const double T = 1.37;
  for (size_t k = 0; k < 3 * SN_COUNT(rates); k++) {
    const double d = rates[k / 3], phase = 2.0 * (double)(k % 3);
    fill(-4, 2, d, T, phase);
    const double mean = sn_curve_period(&curve, NAN, SN_PICK_MEAN), last = sn_curve_period(&curve, NAN, SN_PICK_LAST);
    assert_below(fabs(mean / T - 1), 1e-4, "period %g at rate %g, phase %g", mean, d, phase);
    assert_below(fabs(last / T - 1), 1e-3, "last period %g at rate %g, phase %g", last, d, phase);
    assert_below(fabs(sn_curve_elongation(&curve, NAN, NAN, SN_PICK_EXTREME)), 1e-3, "elongation at rate %g", d);
    const double decay = sn_curve_decay(&curve, NAN, NAN, SN_PICK_LAST);
    sn_arena arena = {0};
    int count;
    sn_curve_cycles(&curve, NAN, &arena, &count);
    assert_below(fabs(decay - (1 - exp(-d * (count - 1) * T))), 1e-3, "decay over %d cycles at rate %g", count, d);
    sn_arena_free(&arena);
  }
}

/* Noise at the level makes no cycles. */
static void noisy_cycles(void **state) {
  (void)state;
  uint64_t seed = 1;
  fill(0, 1, 0, 2, 0.1);
  for (int i = 0; i < rows; i++) y[i] += 0.004 * noise(&seed);
  sn_arena arena = {0};
  int count;
  sn_curve_cycles(&curve, 0, &arena, &count);
  assert_int_equal(count, 9); /* ten rises, at 2 k - 0.1/pi for k from 1 to 10 */
  sn_arena_free(&arena);
}

static void roughness(void **state) {
  (void)state;
  fill(0, 1, 0, 2, 0);
  assert_below(sn_curve_roughness(&curve), 0.02, "a smooth motion is smooth");
  for (int i = rows / 2; i < rows; i++) y[i] += i % 2 ? 0.1 : -0.1;
  assert_below(1, sn_curve_roughness(&curve), "one that jumps is not");
}

static void classes(void **state) {
  (void)state;
  sn_class_rule rule = {.apart = INFINITY, .drift = 1e-6, .early = NAN, .noise = 0.01};
  fill(0, 0, 0, 2, 0); /* |Phi| */
  assert_int_equal(sn_classify(true, &curve, 0.009, &rule), SN_STABLE);
  assert_int_equal(sn_classify(true, &curve, NAN, &rule), SN_STABLE); /* not known */
  assert_int_equal(sn_classify(false, &curve, 0.009, &rule), SN_FAILS);
  assert_int_equal(sn_classify(true, &curve, 0.011, &rule), SN_OSCILLATES);
  y[rows - 1] = 2e-6;
  assert_int_equal(sn_classify(true, &curve, 0.011, &rule), SN_DRIFTS);
  rule.drift = 1e-5;
  assert_int_equal(sn_classify(true, &curve, 0, &rule), SN_STABLE);
  rule.early = 10;
  assert_int_equal(sn_classify(true, &curve, 0, &rule), SN_DRIFTS);
  y[rows / 4] = 1.1e-6; /* it was there before */
  assert_int_equal(sn_classify(true, &curve, 0, &rule), SN_STABLE);
  rule.apart = 1.9e-6;
  assert_int_equal(sn_classify(true, &curve, 0, &rule), SN_FAILS);
  y[3] = NAN;
  rule.apart = INFINITY;
  assert_int_equal(sn_classify(true, &curve, 0, &rule), SN_FAILS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values),          cmocka_unit_test(first_and_distance),
                                     cmocka_unit_test(cycles),          cmocka_unit_test(noisy_cycles),
                                     cmocka_unit_test(decaying_cycles), cmocka_unit_test(roughness),
                                     cmocka_unit_test(classes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
