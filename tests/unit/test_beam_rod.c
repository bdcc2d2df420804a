/* test_beam_rod.c - beams in space against the geometrically exact rod (Reissner, Simo), solved by another method: its
 * equations are integrated along the arc by Runge and Kutta, and the moment at the clamp is found by Newton.
 *
 *   r' = R (e1 + C^-1 R'n),  R' = R hat(D^-1 R'm),  m' = -r' x n,  n = F,   C = (EA, kGA, kGA), D = (GJ, E Iyy, E Izz)
 */
#include "analysis/trust.h"
#include "math/vec3.h"
#include "support.h"

typedef struct rod {
  double L, C[3], D[3], F[3];
} rod;

static double torsion_constant(double a, double b) { /* St. Venant, of a rectangle, a >= b */
  double sum = 0;
  for (int k = 1; k < 60; k += 2) sum += tanh(k * PI * a / (2 * b)) / pow(k, 5);
  return a * b * b * b * (1.0 / 3 - 64 * b / (pow(PI, 5) * a) * sum);
}

static rod rod_of(double L, double E, double nu, double height, double width, const double F[3]) {
  double A = height * width, G = E / (2 * (1 + nu)), k = 5.0 / 6;
  rod x = {
      L, {E * A, k * G * A, k * G * A}, {0, E * height * pow(width, 3) / 12, E * width * pow(height, 3) / 12}, {0}};
  x.D[0] = G * torsion_constant(fmax(height, width), fmin(height, width));
  sn_copy(x.F, F);
  return x;
}

/* y = r, columns of R, m */
static void slope(const rod *x, const double y[15], double d[15]) {
  double strain[3], turn[3], c[3];
  for (int k = 0; k < 3; k++) {
    strain[k] = (k == 0) + sn_dot(y + 3 + 3 * k, x->F) / x->C[k];
    turn[k] = sn_dot(y + 3 + 3 * k, y + 12) / x->D[k];
  }
  for (int i = 0; i < 3; i++) {
    d[i] = c[i] = 0;
    for (int k = 0; k < 3; k++) d[i] += y[3 + 3 * k + i] * strain[k], c[i] += y[3 + 3 * k + i] * turn[k];
  }
  for (int k = 0; k < 3; k++) sn_cross(d + 3 + 3 * k, c, y + 3 + 3 * k);
  sn_cross(d + 12, x->F, d);
}

/* The end for the moment m at the clamp. */
static void shoot(const rod *x, const double m[3], double y[15]) {
  enum { STEPS = 400 };
  double h = x->L / STEPS, k[4][15], z[15];
  memset(y, 0, 15 * sizeof(double));
  y[3] = y[7] = y[11] = 1;
  sn_copy(y + 12, m);
  for (int i = 0; i < STEPS; i++) {
    static const double at[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
      for (int j = 0; j < 15; j++) z[j] = y[j] + (s > 0 ? h * at[s] * k[s - 1][j] : 0);
      slope(x, z, k[s]);
    }
    for (int j = 0; j < 15; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

/* The clamp's moment such that there is none at the end, with loads raised in steps. */
static void solve_rod(rod x, double y[15]) {
  double m[3] = {0}, F[3];
  sn_copy(F, x.F);
  for (int step = 1; step <= 20; step++) {
    sn_scale(x.F, step / 20.0, F);
    for (int iteration = 0; iteration < 8; iteration++) {
      double J[3][3], z[15], size = 1e-6 * x.L * sn_norm(F), c[3], change[3];
      shoot(&x, m, y);
      for (int k = 0; k < 3; k++) {
        double p[3] = {m[0], m[1], m[2]};
        p[k] += size;
        shoot(&x, p, z);
        for (int i = 0; i < 3; i++) J[k][i] = (z[12 + i] - y[12 + i]) / size;
      }
      sn_cross(c, J[1], J[2]);
      double det = sn_dot(J[0], c);
      for (int k = 0; k < 3; k++) {
        sn_cross(c, J[(k + 1) % 3], J[(k + 2) % 3]);
        change[k] = -sn_dot(c, y + 12) / det;
      }
      sn_axpy(m, 1, change);
    }
  }
  shoot(&x, m, y);
  assert_below(sn_norm(y + 12) / (x.L * sn_norm(F)), 1e-9, "moment at the free end");
}

/* The tip of a cantilever along x, height along y. */
static void tip_of(const char *kind, int n, double L, double E, double nu, double height, double width,
                   const double F[3], double tip[3]) {
  char text[1200];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\nmaterials: {m: {density: 1000, young: %.17g, poisson: %.17g}}\n"
      "sections: {s: {type: rectangle, width: %.17g, height: %.17g}}\n"
      "bodies: {b: {type: %s, from: [0, 0, 0], to: [%.17g, 0, 0], elements: %d, material: m, section: s, up: [0, 1, "
      "0]}}\n"
      "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
      "forces: {load: {type: force, at: b.end, force: [%.17g, %.17g, %.17g]}}\n"
      "outputs: {tip: {point: b.end}}\nanalysis: {type: statics, steps: 5}\n",
      E, nu, width, height, kind, L, n, F[0], F[1], F[2]);
  open_run(&r, text, NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_read(r.simulation, "tip", tip, 3);
  close_run(&r);
}

/* The Princeton beam (Dowell and Traybar 1975): aluminum, 20 x 1/2 x 1/8 in, 3 lb at its tip, turned against the
 * section: both bendings and torsion. The rod is within the scatter of the experiment; the default beam follows the
 * rod. */
static void princeton(void **state) {
  (void)state;
  double L = 0.508, height = 0.0127, width = 0.003175, E = 7.17e10, nu = 0.31, P = 13.345;
  for (int angle = 0; angle <= 90; angle += 15) {
    double a = angle * PI / 180, F[3] = {0, -P * cos(a), -P * sin(a)}, y[15], tip[2][3];
    solve_rod(rod_of(L, E, nu, height, width, F), y);
    for (int k = 0; k < 2; k++) tip_of("beam", 8 << k, L, E, nu, height, width, F, tip[k]);
    assert_below(distance(tip[0], y, 3), 5e-4 * L, "default, 8 elements, load at %d degrees [m]", angle);
    assert_below(distance(tip[1], y, 3), 0.3 * distance(tip[0], y, 3) + 1e-7, "16 elements, %d degrees", angle);
    assert_below(fabs(tip[1][1] - y[1]), 5e-3 * fabs(y[1]) + 1e-9, "edgewise, by torsion, %d degrees", angle);
  }
}

/* Thick and slender, soft and strongly bent: shear is there and nothing locks. The tip turns by more than a radian. */
static void thick_and_slender(void **state) {
  (void)state;
  static const double height[] = {0.1, 0.03, 1e-3};
  for (int k = 0; k < 3; k++) {
    double h = height[k], E = 1e7, I = pow(h, 4) / 12, P = 4 * E * I, F[3] = {0, P, 0}, y[15], tip[3];
    solve_rod(rod_of(1, E, 0.3, h, h, F), y);
    tip_of("beam", 16, 1, E, 0.3, h, h, F, tip);
    /* strains of 8 % in the thickest: there St. Venant-Kirchhoff and the rod differ by their square */
    assert_below(distance(tip, y, 3), k == 0 ? 5e-3 : 5e-4, "height %g [m]", h);
  }
  double F[3] = {0, 4e7 * pow(1e-3, 4) / 12, 0}, tip[3], y[15];
  solve_rod(rod_of(1, 1e7, 0.3, 1e-3, 1e-3, F), y);
  tip_of("beam, elastic: selective", 16, 1, 1e7, 0.3, 1e-3, 1e-3, F, tip);
  assert_below(0.1, distance(tip, y, 3), "selective locks [m]");
}

/* Lateral buckling of a deep strip (Prandtl): P = 4.0126 sqrt(E Iyy G J)/L^2. A small load across tells on which side
 * of it a load is; which way the strip goes does not matter. */
static void lateral_buckling(void **state) {
  (void)state;
  double E = 1e9, nu = 0.3, h = 0.05, w = 0.002, L = 1, G = E / 2.6;
  double critical = 4.0126 * sqrt(E * h * pow(w, 3) / 12 * G * torsion_constant(h, w)) / (L * L), tip[2][3];
  for (int k = 0; k < 2; k++) {
    double F[3] = {0, -(k ? 1.04 : 0.9) * critical, 1e-4 * critical};
    tip_of("beam", 16, L, E, nu, h, w, F, tip[k]);
  }
  assert_below(fabs(tip[0][2]), 0.02, "below the critical load [m]");
  assert_below(0.1, fabs(tip[1][2]), "above it [m]");
}

/* A soft, thick beam whose elements are shorter than it is high finds a cheaper way than bending: it crushes the node
 * at the clamp. The run says that it is no beam any more. */
static void crushed(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.2, height: 0.2}}\n"
           "bodies: {b: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 16, material: m, section: s}}\n"
           "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
           "forces: {load: {type: force, at: b.end, force: [0, 5333, 0]}}\nanalysis: {type: statics, steps: 20}\n",
           NULL);
  sn_row row;
  sn_row_create(r.simulation, &row);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_sample(r.simulation, sn_time(r.simulation), &row);
  assert_int_equal(r.simulation->doubts.level, SN_BAD);
  close_run(&r);
}

/* ---- straight at rest and bent far ---- */

/* A section that is the same in all directions: the rod bends in the plane of its force, wherever that is, and does not
 * twist. A force with a small component across is followed by as much of the deflection. */
static void every_plane(void **state) {
  (void)state;
  static const char *const kind[] = {"beam", "beam, elastic: elastic-line"};
  const double tilt[] = {1e-3, 0.7}, w = 0.01, P = 6 * 7e10 * pow(w, 4) / 12;
  double tip[3];
  for (int k = 0; k < 4; k++) {
    const double a = tilt[k / 2], F[3] = {0, P * cos(a), P * sin(a)};
    tip_of(kind[k % 2], 8, 1, 7e10, 0.33, w, w, F, tip);
    assert_below(fabs(tip[2] / tip[1] / tan(a) - 1), 2e-3, "%s, plane at %g rad", kind[k % 2], a);
  }
}

/* A strip bent flat by 76 degrees and by a small force across, which bends it the other way and twists it. With six
 * elements the torque, which is constant in each of them, is what is left. */
static void bent_and_twisted(void **state) {
  (void)state;
  const double h = 0.005, w = 0.02, E = 7e10, nu = 0.33, P = 6 * E * w * h * h * h / 12;
  for (int k = 0; k < 2; k++) {
    const double F[3] = {0, P, P * (k ? 0.5 : 0.01)};
    double y[15], tip[3];
    solve_rod(rod_of(1, E, nu, h, w, F), y);
    tip_of("beam", 6, 1, E, nu, h, w, F, tip);
    assert_below(fabs(tip[2] / y[2] - 1), 0.012, "deflection across, %g of %g N", F[2], F[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_plane),      cmocka_unit_test(bent_and_twisted),
                                     cmocka_unit_test(princeton),        cmocka_unit_test(thick_and_slender),
                                     cmocka_unit_test(lateral_buckling), cmocka_unit_test(crushed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
