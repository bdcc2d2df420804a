/* test_bodies.c - body kinds against what is known in closed form. */
#include "math/quat.h"
#include "support.h"

#define E_MODULUS 2e7
#define WIDTH 0.02
#define EA (E_MODULUS * WIDTH * WIDTH)
#define EI (E_MODULUS * WIDTH * WIDTH * WIDTH * WIDTH / 12)
#define RHO_A (7200 * WIDTH * WIDTH)
enum { NODE = 6 };

/* A cable of length 1 along x without gravity, and what is tied to it. */
static void open_cable(fixture *f, int elements, const char *fields, const char *rest) {
  char text[1024];
  snprintf(text, sizeof text,
           "sinew: 1\n"
           "materials: {rubber: {density: 7200, young: %g}}\n"
           "sections: {square: {type: rectangle, width: %g, height: %g}}\n"
           "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: rubber, "
           "section: square%s}}\n%s",
           E_MODULUS, WIDTH, WIDTH, elements, fields, rest);
  open_fixture(f, text, "ldl");
}

/* ---- cable: patch tests ---- */

/* r = (1 + s) x: eps = ((1 + s)^2 - 1)/2 everywhere, the ends pull with N = EA eps (1 + s), nothing else is loaded. */
static void test_uniform_stretch(void **state) {
  (void)state;
  fixture f;
  sn_energy e;
  double s = 0.1, eps = ((1 + s) * (1 + s) - 1) / 2, N = EA * eps * (1 + s), r[4 * NODE];
  open_cable(&f, 3, "", "");
  for (int i = 0; i < f.model->n; i++) f.state.q[i] *= 1 + s;
  sn_system_residual(f.system, &f.state, 1, r);
  sn_system_energy(f.system, &f.state, &e);
  r[0] += N;
  r[3 * NODE] -= N;
  assert_below(largest(r, 4 * NODE), 1e-13 * N, "force besides the end forces");
  assert_below(fabs(e.strain / (EA * eps * eps / 2) - 1), 1e-13, "energy of a uniform stretch");
  close_fixture(&f);
}

/* Nodes on a circle of radius R at equal arc length: U -> EI L/(2 R^2). */
static double circle_energy(int elements, const char *fields, double R) {
  fixture f;
  sn_energy e;
  open_cable(&f, elements, fields, "");
  for (int i = 0; i <= elements; i++) {
    double a = (double)i / elements / R;
    double node[NODE] = {R * sin(a), R * (1 - cos(a)), 0, cos(a), sin(a), 0};
    memcpy(f.state.q + NODE * i, node, sizeof node);
  }
  sn_system_energy(f.system, &f.state, &e);
  close_fixture(&f);
  return e.strain;
}

static void test_pure_bending(void **state) {
  (void)state;
  static const char *const curvature[] = {"", ", curvature: material"};
  double R = 0.5, exact = EI / (2 * R * R);
  for (int k = 0; k < 2; k++) {
    double coarse = fabs(circle_energy(8, curvature[k], R) / exact - 1);
    double fine = fabs(circle_energy(16, curvature[k], R) / exact - 1);
    assert_below(coarse, 1e-3, "energy of 8 elements on a circle");
    assert_below(fine / coarse, 1.0 / 14, "the same with 16: of fourth order"); /* Hermite cubics: kappa to l^4 */
  }
}

/* ---- cable: small vibrations ----
 * Lowest frequency of [K G'; G 0] x = w^2 [M 0; 0 0] x by inverse iteration, for coordinates c, c + 3, .. only */

static double frequency(fixture *f, int c) {
  int n = f->model->n, m = f->model->m;
  double *x = calloc((size_t)(n + m), sizeof(double)), *y = calloc((size_t)n, sizeof(double)), value = 0;
  assert_true(sn_system_factor(f->system, &f->state, 0, 0, 0, 1));
  for (int i = c; i < n; i += 3) x[i] = 1 + f->state.q[NODE * (i / NODE)];
  for (int k = 0; k < 40; k++) {
    sn_system_mass_times(f->system, &f->state, x, y);
    double before = inner(x, y, n);
    memset(x, 0, (size_t)(n + m) * sizeof(double));
    memcpy(x, y, (size_t)n * sizeof(double));
    sn_system_solve_refined(f->system, x);
    for (int i = 0; i < n; i++) x[i] = (i - c) % 3 == 0 ? x[i] : 0; /* axial and bending do not mix */
    sn_system_mass_times(f->system, &f->state, x, y);
    double after = inner(x, y, n);
    value = sqrt(sqrt(before / after)); /* x shrinks by 1/w^2 */
    for (int i = 0; i < n; i++) x[i] /= sqrt(after);
  }
  free(x);
  free(y);
  return value;
}

static void test_cantilever_frequencies(void **state) {
  (void)state;
  fixture f;
  /* Euler-Bernoulli: w = 3.516015268500 sqrt(EI/(rho A L^4)), the first root of 1 + cos(b) cosh(b) = 0 squared.
   * Rod: w = pi/2 sqrt(E/rho)/L. */
  double bending = 1.875104068711961 * 1.875104068711961 * sqrt(EI / RHO_A), axial = PI / 2 * sqrt(EA / RHO_A);
  open_cable(&f, 8, "", "joints: {clamp: {type: fixed, between: [ground, beam.start]}}\n");
  assert_below(fabs(frequency(&f, 0) / axial - 1), 1e-6, "first axial frequency");
  assert_below(fabs(frequency(&f, 1) / bending - 1), 3e-6, "first bending frequency in y");
  assert_below(fabs(frequency(&f, 2) / bending - 1), 3e-6, "first bending frequency in z");
  close_fixture(&f);
}

/* ---- cable: stiffness damping ---- */

static double damping_power(fixture *f) {
  sn_power p;
  sn_system_power(f->system, &f->state, &p);
  return -p.damping;
}

/* A spinning cable is not damped: not at all where it is straight, and up to the rounded corner of the damping law
 * (d = 1/1000 of a radian per element, damping falls with d^2/(c.c + d^2)) where it is bent. */
static void test_spin_is_not_damped(void **state) {
  (void)state;
  static const double w[3] = {3, -2, 5};
  fixture f;
  uint64_t seed = 5;
  open_cable(&f, 4, ", stiffness_damping: 0.01", "");
  for (int bent = 0; bent < 2; bent++) {
    for (int i = 0; bent && i <= 4; i++) { /* an arc of 0.2 radian per element */
      double a = 0.2 * i, node[NODE] = {1.25 * sin(a), 1.25 * (1 - cos(a)), 0, cos(a), sin(a), 0};
      memcpy(f.state.q + NODE * i, node, sizeof node);
    }
    for (int i = 0; i < f.model->n; i += 3) sn_cross(f.state.v + i, w, f.state.q + i);
    double spinning = damping_power(&f);
    add_noise(&seed, 1, f.state.v, f.model->n);
    assert_below(spinning / damping_power(&f), bent ? 1e-7 : 1e-30, "damping of a spin against that of a deformation");
  }
  close_fixture(&f);
}

/* Damping of small bending is that of Kelvin and Voigt: the power is beta EI int (v'')^2 dx. A velocity v = x^2 of a
 * straight cable has v'' = 2 everywhere. */
static void test_bending_damping(void **state) {
  (void)state;
  fixture f;
  open_cable(&f, 4, ", stiffness_damping: 0.01", "");
  for (int i = 0; i <= 4; i++) {
    double x = 0.25 * i;
    f.state.v[NODE * i + 1] = x * x;
    f.state.v[NODE * i + 4] = 2 * x;
  }
  assert_below(fabs(damping_power(&f) / (0.01 * EI * 4) - 1), 1e-12, "power of bending damping");
  close_fixture(&f);
}

/* ---- rigid body: Newton and Euler ----
 * m r'' = F + m g,  J w' = n - w x J w in body axes. Neither knows J0, the mass that makes M regular. */
static void test_newton_euler(void **state) {
  (void)state;
  static const double J[3][3] = {{0.3, 0.05, -0.04}, {0.05, 0.4, 0.03}, {-0.04, 0.03, 0.5}};
  static const char text[] =
      "sinew: 1\n"
      "gravity: [1, -9, 2]\n"
      "bodies: {body: {type: rigid, position: [1, 2, 3], rotation: {axis: [1, 2, -1], angle: 0.8}, mass: 2.5,\n"
      "  inertia: [0.3, 0.4, 0.5, 0.05, -0.04, 0.03], angular_velocity: [3, -4, 5]}}\n"
      "forces: {push: {type: force, at: 'body.at(0.1, -0.2, 0.3)', force: [4, 5, -6]},\n"
      "  twist: {type: moment, at: body.center, moment: [0.7, -0.2, 0.5]}}\n";
  static const double force[3] = {4, 5, -6}, twist[3] = {0.7, -0.2, 0.5}, at[3] = {0.1, -0.2, 0.3};
  fixture f;
  sn_start start;
  open_fixture(&f, text, "ldl");
  assert_int_equal(sn_make_consistent(f.system, &f.state, &start), SN_OK);
  const double *p = f.state.q + 3;
  double w[3], dw[3], Jw[3], Jdw[3], local[3], n[3], arm[3], gyro[3];
  sn_quat_G(p, f.state.v + 3, w); /* w = 2 G p', w' = 2 G p'' */
  sn_quat_G(p, f.state.a + 3, dw);
  sn_scale(w, 2, w);
  sn_scale(dw, 2, dw);
  sn_quat_unrotate(p, force, local);
  sn_quat_unrotate(p, twist, n);
  sn_cross(arm, at, local);
  for (int i = 0; i < 3; i++) Jw[i] = sn_dot(J[i], w), Jdw[i] = sn_dot(J[i], dw);
  sn_cross(gyro, w, Jw);
  for (int i = 0; i < 3; i++) n[i] += arm[i] - gyro[i];
  assert_below(distance(Jdw, n, 3), 1e-13 * largest(n, 3), "Euler's equation");
  for (int i = 0; i < 3; i++) arm[i] = force[i] / 2.5 + f.model->gravity[i];
  assert_below(distance(f.state.a, arm, 3), 1e-13 * largest(arm, 3), "Newton's equation");
  close_fixture(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uniform_stretch),        cmocka_unit_test(test_pure_bending),
      cmocka_unit_test(test_cantilever_frequencies), cmocka_unit_test(test_spin_is_not_damped),
      cmocka_unit_test(test_bending_damping),        cmocka_unit_test(test_newton_euler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
