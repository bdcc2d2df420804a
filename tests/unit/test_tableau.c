/* test_tableau.c - coefficients of the block implicit methods, and the shifted systems they solve. */
#include "integrator/tableau.h"
#include "sparse/shifted.h"
#include "support.h"

enum { TABLEAUX = 7 };

static void make(int k, sn_tableau *t) {
  if (k < 3)
    sn_tableau_radau(t, 3 + 2 * k);
  else
    sn_tableau_gam(t, 3 + 2 * (k - 3));
}

/* ---- order ---- */

/* The quadrature of every point integrates x^(p-1): collocation (p <= s) for Radau, the shortest formula (p <= k + 1)
 * for GAM; that of the whole block, x^(p-1) for p up to the order. */
static void test_order_conditions(void **state) {
  (void)state;
  for (int k = 0; k < TABLEAUX; k++) {
    sn_tableau t;
    make(k, &t);
    for (int i = 0; i < t.stages; i++) {
      int most = i == t.stages - 1 || t.family == SN_GAM ? t.order : t.stages;
      for (int p = 1; p <= most; p++) {
        double sum = p == 1 ? t.b[i] : 0;
        for (int j = 0; j < t.stages; j++) sum += t.A[i][j] * pow(t.c[j], p - 1);
        assert_below(fabs(sum - pow(t.c[i], p) / p), 1e-13, "family %d, order %d, point %d, power %d", t.family,
                     t.order, i + 1, p);
      }
    }
  }
}

/* The embedded quadrature of the error estimate is exact to degree s - 1 and no further. */
static void test_embedded(void **state) {
  (void)state;
  for (int s = 3; s <= 7; s += 2) {
    sn_tableau t;
    sn_tableau_radau(&t, s);
    for (int p = 1; p <= s + 1; p++) {
      double sum = p == 1 ? t.error_b[0] : 0;
      for (int j = 0; j < s; j++) sum += t.error_A[0][j] * pow(t.c[j], p - 1);
      if (p <= s)
        assert_below(fabs(sum), 1e-13, "s = %d, power %d", s, p);
      else
        assert_true(fabs(sum) > 1e-6);
    }
  }
}

/* Radau IIA of order 5: nodes (4 -+ sqrt 6)/10 and A in closed form (Hairer & Wanner II, table IV.5.6). */
static void test_radau5(void **state) {
  (void)state;
  double r = sqrt(6);
  const double A[3][3] = {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                          {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                          {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}};
  sn_tableau t;
  sn_tableau_radau(&t, 3);
  assert_below(fabs(t.c[0] - (4 - r) / 10), 1e-15, "first node");
  assert_below(fabs(t.c[1] - (4 + r) / 10), 1e-15, "second node");
  for (int i = 0; i < 3; i++) assert_below(distance(t.A[i], A[i], 3), 1e-15, "row %d", i);
  assert_below(fabs(creal(t.lambda[0]) - (3 - cbrt(3) + cbrt(9))), 1e-13, "real eigenvalue");
}

/* GAM of order 3: (5 f0 + 8 f1 - f2)/12 in all steps but the last, which is the mirror image (-f0 + 8 f1 + 5 f2)/12. */
static void test_gam3(void **state) {
  (void)state;
  sn_tableau t;
  sn_tableau_gam(&t, 3);
  assert_int_equal(t.stages, 4);
  const double beta[4][5] = {{5, 8, -1, 0, 0}, {0, 5, 8, -1, 0}, {0, 0, 5, 8, -1}, {0, 0, -1, 8, 5}};
  for (int j = 0; j < 4; j++) {
    double row[5] = {t.b[j] - (j ? t.b[j - 1] : 0)};
    for (int i = 0; i < 4; i++) row[i + 1] = t.A[j][i] - (j ? t.A[j - 1][i] : 0);
    for (int i = 0; i < 5; i++) row[i] *= 12 * 4;
    assert_below(distance(row, beta[j], 5), 1e-13, "step %d", j + 1);
  }
}

/* ---- stability ---- */

/* Theory page, section 4: |R(iy)| <= 1 for Radau and for GAM of orders 3 to 7; order 9 exceeds it by 4 %. Radau is
 * L-stable. */
static void test_stability(void **state) {
  (void)state;
  for (int k = 0; k < TABLEAUX; k++) {
    sn_tableau t;
    double most = 0;
    make(k, &t);
    for (double y = 1e-3; y < 1e5; y *= 1.01) most = fmax(most, cabs(sn_tableau_stability(&t, I * y)));
    if (t.family == SN_GAM && t.order == 9)
      assert_true(most > 1.035 && most < 1.045);
    else
      assert_below(most, 1 + 1e-12, "family %d, order %d: |R(iy)|", t.family, t.order);
    double end = cabs(sn_tableau_stability(&t, -1e10));
    assert_below(end, t.family == SN_RADAU ? 1e-7 : 0.9, "family %d, order %d: |R(-inf)|", t.family, t.order);
  }
}

/* R(z) = exp(z) + O(z^(order + 1)): at z = -0.1 nothing but rounding is left of the high orders. */
static void test_exponential(void **state) {
  (void)state;
  for (int k = 0; k < TABLEAUX; k++) {
    sn_tableau t;
    make(k, &t);
    assert_below(cabs(sn_tableau_stability(&t, -0.1) - exp(-0.1)), fmax(pow(0.1, t.order + 1), 1e-15),
                 "family %d, order %d", t.family, t.order);
  }
}

/* ---- decoupling ---- */

static void test_decoupling(void **state) {
  (void)state;
  for (int k = 0; k < TABLEAUX; k++) {
    sn_tableau t;
    make(k, &t);
    for (int i = 0; i < t.stages; i++)
      for (int j = 0; j < t.stages; j++) {
        double sum = 0;
        for (int e = 0; e < t.shifts; e++)
          sum += (cimag(t.lambda[e]) == 0 ? 1 : 2) * creal(t.T[i][e] / t.lambda[e] * t.inverse[e][j]);
        assert_below(fabs(sum - t.A[i][j]), 1e-10, "family %d, order %d, A(%d,%d)", t.family, t.order, i, j);
      }
    for (int e = 0; e < t.shifts; e++) assert_true(creal(t.lambda[e]) > 0); /* else no step could be solved stably */
  }
}

/* ---- shifted systems ---- */

/* Both triangles matter: a body that turns. */
static const char turning[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]},\n"
    "    angular_velocity: [10, 200, 300]}\n"
    "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.6, 0, 0.3], mass: 1, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, a.start]}\n"
    "  ball: {type: spherical, between: [a.end, b.start]}\n";
/* Symmetric to rounding. */
static const char bending[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n"
    "materials: {soft: {density: 1200, young: 4e4}}\n"
    "sections: {thick: {type: rectangle, width: 0.12, height: 0.15}}\n"
    "bodies:\n"
    "  one: {type: cable, from: [0, 0, 0], to: [0.6, 0, 0.3], elements: 3, material: soft, section: thick,\n"
    "    stiffness_damping: 0.01}\n"
    "  two: {type: cable, from: [0.6, 0, 0.3], to: [1.6, 0, 0.3], elements: 3, material: soft, section: thick}\n"
    "  bob: {type: point-mass, mass: 1, position: [1.6, 0, 0.3]}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, one.start]}\n"
    "  ball: {type: spherical, between: [one.end, two.start]}\n"
    "  rod: {type: distance, between: [bob, one.start]}\n";

/* A(mu) x against dense M, D, K and G for real and complex shifts, first factorization and refactorization. */
static void check_shifted(const char *model, bool exact) {
  fixture f;
  open_fixture(&f, model, "klu");
  int n = f.model->n, size = n + f.model->m;
  uint64_t seed = 1;
  add_noise(&seed, 1, f.state.a, n);
  add_noise(&seed, 1, f.state.l, f.model->m);
  sn_shifted *shifted = sn_shifted_create(sn_system_matrix(f.system), 2, exact);
  double *coefficient[SN_COEFFICIENTS];
  for (int p = 0; p < SN_COEFFICIENTS; p++) {
    sn_system_assemble(f.system, &f.state, 1, p == 0, p == 1, p == 2);
    sn_shifted_take(shifted, (sn_coefficient)p, sn_system_matrix(f.system));
    coefficient[p] = dense(sn_system_matrix(f.system));
  }
  const double complex shifts[] = {300, 200 + 150 * I, 310, 30 - 250 * I};
  double complex *x = malloc((size_t)size * sizeof *x), *b = malloc((size_t)size * sizeof *b);
  for (int k = 0; k < 4; k++) {
    double complex mu = shifts[k];
    int group = -1;
    assert_true(sn_shifted_factor(shifted, k % 2, mu, &group));
    for (int i = 0; i < size; i++) x[i] = b[i] = noise(&seed) + (double)(k % 2) * I * noise(&seed);
    sn_shifted_solve(shifted, k % 2, x);
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) {
        size_t e = (size_t)i + (size_t)j * (size_t)size;
        bool inner_block = i < n && j < n;
        b[i] -= (inner_block ? coefficient[0][e] + coefficient[1][e] / mu + coefficient[2][e] / (mu * mu)
                             : coefficient[2][e]) *
                x[j];
      }
    for (int i = 0; i < size; i++) assert_below(cabs(b[i]), 1e-9, "exact %d: equation %d, shift %d", exact, i, k);
  }
  double *y = malloc((size_t)size * sizeof *y), *z = malloc((size_t)size * sizeof *z);
  for (int i = 0; i < size; i++) y[i] = noise(&seed);
  sn_shifted_multiply(shifted, SN_COEFFICIENT_DAMPING, y, z);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) z[i] -= coefficient[1][(size_t)i + (size_t)j * (size_t)size] * y[j];
    assert_below(fabs(z[i]), 1e-10, "product, row %d", i);
  }
  for (int p = 0; p < SN_COEFFICIENTS; p++) free(coefficient[p]);
  free(x);
  free(b);
  free(y);
  free(z);
  sn_shifted_free(shifted);
  close_fixture(&f);
}

static void test_shifted(void **state) {
  (void)state;
  check_shifted(turning, true);
  check_shifted(turning, false);
  check_shifted(bending, true);
  check_shifted(bending, false);
}

/* Two equal rows: the factorization says where. */
static void test_shifted_singular(void **state) {
  (void)state;
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  sn_pattern_group(pattern, 2, false);
  sn_pattern_group(pattern, 2, true);
  sn_pattern_couple(pattern, 1, 0);
  sn_matrix *A = sn_pattern_freeze(pattern, &arena, true);
  sn_shifted *shifted = sn_shifted_create(A, 1, false);
  A->value[A->lower[0]] = A->value[A->lower[0] + 3] = 1;
  sn_shifted_take(shifted, SN_COEFFICIENT_MASS, A);
  A->value[A->lower[1]] = A->value[A->lower[1] + 1] = 1; /* G = [1 0; 1 0] */
  A->value[A->upper[1]] = A->value[A->upper[1] + 2] = 1;
  sn_shifted_take(shifted, SN_COEFFICIENT_STIFFNESS, A);
  int group = -1;
  assert_false(sn_shifted_factor(shifted, 0, 2 + I, &group));
  assert_true(group == 0 || group == 1);
  sn_shifted_free(shifted);
  sn_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_conditions), cmocka_unit_test(test_embedded),
      cmocka_unit_test(test_radau5),           cmocka_unit_test(test_gam3),
      cmocka_unit_test(test_stability),        cmocka_unit_test(test_exponential),
      cmocka_unit_test(test_decoupling),       cmocka_unit_test(test_shifted),
      cmocka_unit_test(test_shifted_singular),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
