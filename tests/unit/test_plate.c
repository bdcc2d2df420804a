/* test_plate.c - plates against exact solutions: rigid motion, patches, cylinder, deflection, frequency, conservation.
 *
 * Where a value comes from is said at each test. Plate theory: D = E t^3/(12 (1 - nu^2)).
 */
#include "math/vec3.h"
#include "support.h"

/* ---- models ---- */

static const char *plate_text(char *text, size_t size, const char *gravity, const char *fields, const char *rest) {
  snprintf(text, size,
           "sinew: 1\ngravity: %s\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
           "bodies: {p: {type: plate, material: m, %s}}\n%s\n",
           gravity, fields, rest);
  return text;
}

static void open_plate(fixture *f, const char *gravity, const char *fields, const char *rest) {
  char text[1024];
  open_fixture(f, plate_text(text, sizeof text, gravity, fields, rest), "ldl");
}

static double strain(fixture *f) {
  sn_energy e;
  sn_system_energy(f->system, &f->state, &e);
  return e.strain;
}

/* ---- rigid motion ---- */

static void turn(const double axis[3], double angle, const double x[3], double y[3]) { /* Rodrigues */
  double c[3], u[3];
  sn_copy(u, axis);
  sn_normalize(u);
  sn_cross(c, u, x);
  double d = (1 - cos(angle)) * sn_dot(u, x);
  for (int k = 0; k < 3; k++) y[k] = cos(angle) * x[k] + sin(angle) * c[k] + d * u[k];
}

/* A curved plate moved as a rigid body has no strain energy and no elastic force. */
static void test_rigid_motion(void **state) {
  (void)state;
  fixture f;
  double axis[3] = {1, -2, 0.5}, shift[3] = {3, -1, 2}, y[3];
  open_plate(&f, "[0, 0, 0]", "along: [1, 0, 0], across: [0, 0.7, 0], elements: [3, 2], thickness: 0.05, radius: 0.6",
             "");
  int n = f.model->n;
  double *r = calloc((size_t)n, sizeof(double));
  double scale = 1e7 * 0.05 * 0.7; /* E t b: the energy of unit strain */
  assert_below(strain(&f) / scale, 1e-25, "strain energy of the curved start shape");
  for (int i = 0; i < n; i += 3) {
    turn(axis, 2.3, f.state.q + i, y);
    sn_copy(f.state.q + i, y);
    if (i % 9 == 0) sn_axpy(f.state.q + i, 1, shift);
  }
  sn_system_residual(f.system, &f.state, 0, r);
  assert_below(strain(&f) / scale, 1e-25, "strain energy after a rigid motion");
  assert_below(largest(r, n) / scale, 1e-13, "forces after a rigid motion");
  free(r);
  close_fixture(&f);
}

/* ---- patches ---- */

enum { NX = 4, NY = 3 };

/* Largest force on inner nodes, relative to the largest on the rim. odd: only the part that changes sign with z, which
 * leaves out the strain of second order that goes with a deflection. */
static double inner_force(fixture *f, bool odd) {
  int n = f->model->n;
  double *r = calloc((size_t)(2 * n), sizeof(double)), *mirrored = r + n, inside = 0, rim = 0;
  sn_system_residual(f->system, &f->state, 0, r);
  for (int i = 2; odd && i < n; i += 3) f->state.q[i] = -f->state.q[i];
  if (odd) sn_system_residual(f->system, &f->state, 0, mirrored);
  for (int i = 0; odd && i < n; i++) r[i] = (r[i] - mirrored[i]) / 2;
  for (int j = 0; j <= NY; j++)
    for (int i = 0; i <= NX; i++) {
      double most = largest(r + 9 * (i + (NX + 1) * j), 9);
      if (i == 0 || j == 0 || i == NX || j == NY)
        rim = fmax(rim, most);
      else
        inside = fmax(inside, most);
    }
  free(r);
  assert_true(rim > 0);
  return inside / rim;
}

#define PATCH "along: [1, 0, 0], across: [0, 0.7, 0], elements: [4, 3], thickness: 0.05"

/* r = F X with any F, finite: constant strain e = (F'F - I)/2, energy exact, no force inside. */
static void test_membrane_patch(void **state) {
  (void)state;
  fixture f;
  double F[2][3] = {{1.1, 0.2, -0.3}, {-0.1, 0.8, 0.25}}; /* images of the x and y axis */
  open_plate(&f, "[0, 0, 0]", PATCH, "");
  for (double *q = f.state.q; q < f.state.q + f.model->n; q += 9) {
    double x = q[0], y = q[1];
    for (int k = 0; k < 3; k++) {
      q[k] = x * F[0][k] + y * F[1][k];
      q[3 + k] = F[0][k];
      q[6 + k] = F[1][k];
    }
  }
  double nu = 0.3, exx = (sn_dot(F[0], F[0]) - 1) / 2, eyy = (sn_dot(F[1], F[1]) - 1) / 2, gxy = sn_dot(F[0], F[1]);
  double C = 1e7 * 0.05 / (1 - nu * nu);
  double U = 0.5 * C * 0.7 * (exx * exx + eyy * eyy + 2 * nu * exx * eyy + (1 - nu) / 2 * gxy * gxy);
  assert_below(fabs(strain(&f) / U - 1), 1e-13, "energy of constant strain");
  assert_below(inner_force(&f, false), 1e-12, "force inside a patch of constant strain");
  close_fixture(&f);
}

/* w = d (a x^2 + b y^2 + c x y) with small d: constant curvatures, energy exact, no force inside. */
static void test_bending_patch(void **state) {
  (void)state;
  fixture f;
  double d = 1e-5, kxx = 2 * d * 0.7, kyy = -2 * d * 0.4, kxy = d * 0.9, nu = 0.3;
  open_plate(&f, "[0, 0, 0]", PATCH, "");
  for (double *q = f.state.q; q < f.state.q + f.model->n; q += 9) {
    double x = q[0], y = q[1];
    q[2] = (kxx * x * x + kyy * y * y) / 2 + kxy * x * y;
    q[5] = kxx * x + kxy * y;
    q[8] = kyy * y + kxy * x;
  }
  double D = 1e7 * 0.05 * 0.05 * 0.05 / 12 / (1 - nu * nu);
  double U = 0.5 * D * 0.7 * (kxx * kxx + kyy * kyy + 2 * nu * kxx * kyy + (1 - nu) / 2 * 4 * kxy * kxy);
  assert_below(fabs(strain(&f) / U - 1), 1e-5, "energy of constant curvature"); /* the rest: strain of order d^2 */
  assert_below(inner_force(&f, true), 1e-6, "force inside a patch of constant curvature");
  close_fixture(&f);
}

/* Nodes on a cylinder of radius R, 90 degrees: energy -> D A/(2 R^2), the error falling with the fourth power of the
 * element size (the strain of the interpolated arc is of that order, and relative to (t/R)^2 it enters squared; t/R is
 * not small here). */
static double cylinder_error(int n) {
  char fields[200];
  fixture f;
  double R = 2 / PI, t = 0.2, nu = 0.3;
  snprintf(fields, sizeof fields, "along: [1, 0, 0], across: [0, 0.5, 0], elements: [%d, 1], thickness: %g", n, t);
  open_plate(&f, "[0, 0, 0]", fields, "");
  for (double *q = f.state.q; q < f.state.q + f.model->n; q += 9) {
    double a = q[0] / R;
    q[0] = R * sin(a), q[2] = R * (1 - cos(a));
    q[3] = cos(a), q[5] = sin(a);
  }
  double D = 1e7 * t * t * t / 12 / (1 - nu * nu), U = 0.5 * D * 0.5 / (R * R);
  double error = fabs(strain(&f) / U - 1);
  close_fixture(&f);
  return error;
}

static void test_cylinder(void **state) {
  (void)state;
  double coarse = cylinder_error(4), fine = cylinder_error(8);
  assert_below(fine, 1e-3, "energy of a cylinder with 8 elements over 90 degrees");
  assert_below(fine / coarse, 1.0 / 12, "error of the energy when elements are halved");
}

/* ---- equilibrium ---- */

/* Newton on -Q + G'l = 0, Phi = 0 from the start shape. */
static void equilibrium(fixture *f) {
  int n = f->model->n, m = f->model->m;
  double *x = calloc((size_t)(n + m), sizeof(double)), size = 1;
  memset(f->state.v, 0, (size_t)n * sizeof(double));
  for (int k = 0; k < 30 && size > 1e-12; k++) {
    sn_system_residual(f->system, &f->state, 0, x);
    sn_system_position(f->system, &f->state, x + n);
    assert_true(sn_system_factor(f->system, &f->state, 0, 0, 0, 1));
    sn_system_solve_refined(f->system, x);
    for (int i = 0; i < n; i++) f->state.q[i] -= x[i];
    for (int i = 0; i < m; i++) f->state.l[i] -= x[n + i];
    size = largest(x, n);
  }
  assert_below(size, 1e-12, "last correction of Newton");
  free(x);
}

/* Small weight on a simply supported square: w = 0.00406235 q a^4/D in the center (Timoshenko; benchmarks B7). */
static double deflection(int n) {
  char fields[200];
  fixture f;
  double t = 0.01, g = 1e-6, nu = 0.3, D = 1e7 * t * t * t / 12 / (1 - nu * nu);
  snprintf(fields, sizeof fields, "along: [1, 0, 0], across: [0, 1, 0], elements: [%d, %d], thickness: %g", n, n, t);
  open_plate(&f, "[0, 0, -1e-6]", fields, "joints: {rim: {type: spherical, between: [ground, p.rim]}}");
  equilibrium(&f);
  double w = -f.state.q[9 * (n / 2 + (n + 1) * (n / 2)) + 2];
  close_fixture(&f);
  return w / (1000 * t * g / D);
}

static void test_deflection(void **state) {
  (void)state;
  double w8 = deflection(8), w16 = deflection(16);
  assert_below(fabs(w8 / 0.00406235 - 1), 0.002, "deflection of the center, 8 x 8, %g", w8);
  assert_below(fabs(w16 / 0.00406235 - 1), 0.0005, "deflection of the center, 16 x 16, %g", w16);
}

/* ---- frequency ---- */

/* y = M x over the coordinates, for a model without gravity at its stress-free start: the residual is M a */
static void mass_times(fixture *f, const double *x, double *y) {
  memcpy(f->state.a, x, (size_t)f->model->n * sizeof(double));
  sn_system_residual(f->system, &f->state, 1, y);
  memset(f->state.a, 0, (size_t)f->model->n * sizeof(double));
}

/* Lowest frequency by inverse iteration on K x = w^2 M x with the constraints. */
static double lowest(fixture *f) {
  int n = f->model->n, m = f->model->m;
  double *x = calloc((size_t)(3 * n + m), sizeof(double)), *Mx = x + n + m, w2 = 0;
  uint64_t seed = 3;
  memset(f->state.v, 0, (size_t)n * sizeof(double));
  assert_true(sn_system_factor(f->system, &f->state, 0, 0, 0, 1));
  add_noise(&seed, 1, x, n);
  for (int k = 0; k < 60; k++) {
    mass_times(f, x, Mx);
    double before = inner(x, Mx, n);
    for (int i = 0; i < n; i++) x[i] = Mx[i] / sqrt(before);
    memset(x + n, 0, (size_t)m * sizeof(double));
    memcpy(Mx, x, (size_t)n * sizeof(double));
    sn_system_solve_refined(f->system, x);
    double energy = inner(x, Mx, n); /* x'K x of the new x, as K x = M x_old + constraint forces */
    mass_times(f, x, Mx);
    w2 = energy / inner(x, Mx, n);
  }
  free(x);
  return sqrt(w2);
}

/* (1, 1) mode of the simply supported square: 2 pi^2 sqrt(D/(rho t))/a^2 (benchmarks B8). */
static void test_frequency(void **state) {
  (void)state;
  fixture f;
  double t = 0.01, nu = 0.3, D = 1e7 * t * t * t / 12 / (1 - nu * nu), exact = 2 * PI * PI * sqrt(D / (1000 * t));
  open_plate(&f, "[0, 0, 0]", "along: [1, 0, 0], across: [0, 1, 0], elements: [8, 8], thickness: 0.01",
             "joints: {rim: {type: spherical, between: [ground, p.rim]}}");
  double w = lowest(&f);
  assert_below(fabs(w / exact - 1), 0.001, "frequency of the (1, 1) mode, 8 x 8");
  close_fixture(&f);
}

/* ---- large bending ---- */

/* A strip clamped at one edge and bent by M = 2 pi D b/L at the other closes to a circle (nu = 0; benchmarks B7). With
 * k = r_xx.N the strip shrinks by t^2 k^2/12, and its edges, where the moments act, by more (the strip also bends
 * across), so that it must be thin to close: the gap is of the order of t^2 k^2 L = 4e-5 L. The equilibrium is followed
 * in steps of the load, t from 0 to 1. Returns the gap between the ends over L. */
static double roll_up_gap(int n) {
  char text[1024];
  fixture f;
  double t = 0.001, b = 0.1, D = 1e7 * t * t * t / 12, M = 2 * PI * D * b;
  snprintf(text, sizeof text,
           "sinew: 1\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0}}\n"
           "bodies: {p: {type: plate, material: m, along: [1, 0, 0], across: [0, %g, 0], elements: [%d, 1], thickness: "
           "%g}}\njoints: {clamp: {type: fixed, between: [ground, p.west]}}\n"
           "forces: {a: {type: moment, at: p.se, moment: [0, -%.17g*t, 0]}, b: {type: moment, at: p.ne, moment: [0, "
           "-%.17g*t, 0]}}\n",
           b, n, t, M / 2, M / 2);
  open_fixture(&f, text, "klu");
  for (int k = 1; k <= 20; k++) {
    f.state.t = k / 20.0;
    equilibrium(&f);
  }
  double gap[3];
  sn_sub(gap, f.state.q + 9 * n, f.state.q);
  close_fixture(&f);
  return sn_norm(gap);
}

static void test_roll_up(void **state) {
  (void)state;
  double gap = roll_up_gap(16);
  assert_below(gap, 1e-4, "gap of the strip rolled into a circle, 16 elements");
}

/* ---- conservation ---- */

/* Whatever the motion, internal forces of a free damped plate have no resultant and no moment: sum f_k over positions
 * and sum e_k x f_k over all nodal vectors vanish. Momentum is that of the same sums of M v. */
static void test_momentum(void **state) {
  (void)state;
  fixture f;
  uint64_t seed = 5;
  double F[3] = {0}, M[3] = {0}, c[3], p[6], P[6] = {0};
  open_plate(&f, "[0, 0, 0]", PATCH ", radius: 0.8, stiffness_damping: 0.1", "");
  int n = f.model->n;
  double *r = calloc((size_t)n, sizeof(double));
  add_noise(&seed, 0.03, f.state.q, n);
  add_noise(&seed, 1, f.state.v, n);
  sn_system_residual(f.system, &f.state, 0, r);
  for (int i = 0; i < n; i += 3) {
    if (i % 9 == 0) sn_axpy(F, 1, r + i);
    sn_cross(c, f.state.q + i, r + i);
    sn_axpy(M, 1, c);
  }
  assert_below(sn_norm(F) / largest(r, n), 1e-12, "resultant of the internal forces");
  assert_below(sn_norm(M) / largest(r, n), 1e-12, "moment of the internal forces");
  memcpy(f.state.a, f.state.v, (size_t)n * sizeof(double));
  double *Mv = calloc((size_t)n, sizeof(double));
  sn_system_residual(f.system, &f.state, 1, Mv);
  for (int i = 0; i < n; i++) Mv[i] -= r[i];
  for (int i = 0; i < n; i += 3) {
    if (i % 9 == 0) sn_axpy(P, 1, Mv + i);
    sn_cross(c, f.state.q + i, Mv + i);
    sn_axpy(P + 3, 1, c);
  }
  sn_system_momentum(f.system, &f.state, p);
  assert_below(distance(p, P, 6) / largest(P, 6), 1e-9, "momentum against M v");
  free(Mv);
  free(r);
  close_fixture(&f);
}

/* The falling plate: what the integrator loses falls with the square of the step or faster, and is small. */
static void test_energy(void **state) {
  (void)state;
  double error[2];
  for (int k = 0; k < 2; k++) {
    char text[1024];
    run r;
    sn_energy start, end;
    sn_options options = {.integrator = "hht-i3", .step = k ? 1e-3 : 2e-3};
    open_run(&r,
             plate_text(text, sizeof text, "[0, 0, -9.81]",
                        "along: [0.5, 0, 0], across: [0, 0.5, 0], elements: [3, 3], thickness: 0.02",
                        "joints: {pin: {type: spherical, between: [ground, p.sw]}}"),
             &options);
    sn_simulation *s = r.simulation;
    sn_system_energy(s->system, &s->state, &start);
    advance(&r, 0.3);
    sn_system_energy(s->system, &s->state, &end);
    error[k] =
        fabs(end.kinetic + end.gravity + end.strain - start.kinetic - start.gravity - start.strain) / end.kinetic;
    close_run(&r);
  }
  assert_below(error[1], 1e-3, "energy error over kinetic energy, h = 1e-3");
  assert_below(error[1] / error[0], 0.3, "energy error when the step is halved");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rigid_motion), cmocka_unit_test(test_membrane_patch), cmocka_unit_test(test_bending_patch),
      cmocka_unit_test(test_cylinder),     cmocka_unit_test(test_deflection),     cmocka_unit_test(test_frequency),
      cmocka_unit_test(test_roll_up),      cmocka_unit_test(test_momentum),       cmocka_unit_test(test_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
