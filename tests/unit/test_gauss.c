/* test_gauss.c - Gauss's rules of math/gauss.h: exact to degree 2n - 1, and off by the known remainder at degree 2n. */
#include "math/gauss.h"
#include "support.h"

static const struct {
  int n;
  const double *x, *w;
} rules[] = {
    {2, sn_gauss2_points, sn_gauss2_weights},
    {3, sn_gauss3_points, sn_gauss3_weights},
    {4, sn_gauss4_points, sn_gauss4_weights},
    {5, sn_gauss5_points, sn_gauss5_weights},
};

static double sum(size_t rule, int degree) {
  double s = 0;
  for (int i = 0; i < rules[rule].n; i++) s += rules[rule].w[i] * pow(rules[rule].x[i], degree);
  return s;
}

static void test_exactness(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(rules); k++)
    for (int degree = 0; degree < 2 * rules[k].n; degree++)
      assert_below(fabs(sum(k, degree) - 1.0 / (degree + 1)), 4e-16, "%d points, degree %d", rules[k].n, degree);
}

/* int x^2n dx - sum = (n!)^4 / ((2n + 1) ((2n)!)^2) */
static void test_remainder(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(rules); k++) {
    int n = rules[k].n;
    double remainder = pow(tgamma(n + 1), 4) / ((2 * n + 1) * pow(tgamma(2 * n + 1), 2));
    assert_below(fabs(1.0 / (2 * n + 1) - sum(k, 2 * n) - remainder), 4e-16, "remainder of %d points", n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_exactness), cmocka_unit_test(test_remainder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
