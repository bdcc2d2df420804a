/* test_pressure.c - pressure on plates: resultant and work by the area and volume it acts on, large deflections against
 * the elastica and a published plate, work in motion. */
#include "body/plate_element.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "support.h"

enum { NX = 3, NY = 2, NODES = (NX + 1) * (NY + 1) };
static const double A = 0.9 / NX, B = 0.5 / NY; /* edges of an element */

#define SHEET                                                                                 \
  "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e4, poisson: 0.3}}\n" \
  "bodies: {p: {type: plate, along: [0.9, 0, 0], across: [0, 0.5, 0], elements: [3, 2], "     \
  "thickness: 0.01, material: m}}\n"

/* ---- area and volume, by the test itself ---- */

/* V = int r.(r_x x r_y)/3 dx dy, each element in 2 x 2 parts of 5 x 5 points */
static double volume(const double *q) {
  double V = 0;
  for (int e = 0; e < NX * NY; e++)
    for (int g = 0; g < 100; g++) {
      int i = e % NX, j = e / NX, sw = i + (NX + 1) * j, node[4] = {sw, sw + 1, sw + NX + 2, sw + NX + 1};
      double s = (sn_gauss5_points[g % 5] + g / 25 % 2) / 2, h = (sn_gauss5_points[g / 5 % 5] + g / 50) / 2;
      double w = sn_gauss5_weights[g % 5] * sn_gauss5_weights[g / 5 % 5] / 4, r[3] = {0}, x[3] = {0}, y[3] = {0}, n[3];
      sn_plate_shape shape;
      sn_plate_shape_at(s, h, &shape);
      for (int k = 0; k < SN_PLATE_SHAPES; k++) {
        double scale = k % 3 == 0 ? 1 : k % 3 == 1 ? A : B;
        const double *u = q + 9 * node[k / 3] + 3 * (k % 3);
        sn_axpy(r, scale * shape.S[k], u);
        sn_axpy(x, scale * shape.d[0][k], u);
        sn_axpy(y, scale * shape.d[1][k], u);
      }
      sn_cross(n, x, y); /* times dx dy */
      V += w * sn_dot(r, n) / 3;
    }
  return V;
}

/* int n dA = int r x dr/2 around the rim, whose edges are cubics through the nodes */
static void rim_area(const double *q, double area[3]) {
  area[0] = area[1] = area[2] = 0;
  for (int side = 0; side < 4; side++) {
    int count = side % 2 ? NY : NX, slot = side % 2 ? 6 : 3;
    double l = side % 2 ? B : A;
    for (int k = 0; k < count; k++) {
      int i0 = side == 1 ? NX : side == 3 ? 0 : k, j0 = side == 2 ? NY : side == 0 ? 0 : k;
      int next = side % 2 ? NX + 1 : 1;
      const double *a = q + 9 * (i0 + (NX + 1) * j0), *b = a + 9 * next;
      for (int g = 0; g < 5; g++) {
        double s = sn_gauss5_points[g], r[3] = {0}, d[3] = {0}, c[3];
        sn_axpy(r, 1 - 3 * s * s + 2 * s * s * s, a), sn_axpy(d, -6 * s + 6 * s * s, a);
        sn_axpy(r, 3 * s * s - 2 * s * s * s, b), sn_axpy(d, 6 * s - 6 * s * s, b);
        sn_axpy(r, l * (s - 2 * s * s + s * s * s), a + slot), sn_axpy(d, l * (1 - 4 * s + 3 * s * s), a + slot);
        sn_axpy(r, l * (s * s * s - s * s), b + slot), sn_axpy(d, l * (3 * s * s - 2 * s), b + slot);
        sn_cross(c, r, d);
        sn_axpy(area, (side < 2 ? 0.5 : -0.5) * sn_gauss5_weights[g], c);
      }
    }
  }
}

/* Forces of the pressure alone: those with it minus those without. */
static void pressure_forces(const char *force, double *q, double *Q) {
  fixture with, without;
  char text[1024];
  snprintf(text, sizeof text, SHEET "forces: {p: {type: pressure, on: p, %s}}\n", force);
  open_fixture(&with, text, NULL);
  open_fixture(&without, SHEET, NULL);
  uint64_t seed = 5;
  double r[2][9 * NODES];
  add_noise(&seed, 0.1, with.state.q, 9 * NODES);
  memcpy(without.state.q, with.state.q, sizeof r[0]);
  memcpy(q, with.state.q, sizeof r[0]);
  sn_system_residual(with.system, &with.state, 0, r[0]);
  sn_system_residual(without.system, &without.state, 0, r[1]);
  for (int i = 0; i < 9 * NODES; i++) Q[i] = r[1][i] - r[0][i];
  close_fixture(&with);
  close_fixture(&without);
}

static bool on_rim(int node) {
  int i = node % (NX + 1), j = node / (NX + 1);
  return i == 0 || j == 0 || i == NX || j == NY;
}

/* Analytic: the resultant is p times the vector area of the rim, whatever the sheet does inside. */
static void resultant(void **state) {
  (void)state;
  double q[9 * NODES], Q[9 * NODES], area[3], sum[3] = {0};
  pressure_forces("pressure: 7", q, Q);
  for (int k = 0; k < NODES; k++) sn_axpy(sum, 1, Q + 9 * k);
  rim_area(q, area);
  sn_scale(area, 7, area);
  assert_below(distance(sum, area, 3), 1e-13, "resultant");
  assert_true(sn_norm(area) > 1);
}

/* Analytic: the work on a sheet with a fixed rim is p dV. V is a cubic in q: differences of order 4 are exact. */
static void work_is_volume(void **state) {
  (void)state;
  double q[9 * NODES], Q[9 * NODES], dq[9 * NODES] = {0}, x[9 * NODES], V[4], h = 0.1;
  pressure_forces("pressure: 7", q, Q);
  uint64_t seed = 9;
  for (int k = 0; k < NODES; k++)
    if (!on_rim(k)) add_noise(&seed, 1, dq + 9 * k, 9);
  for (int d = 0; d < 4; d++) {
    for (int i = 0; i < 9 * NODES; i++) x[i] = q[i] + h * (d < 2 ? d - 2 : d - 1) * dq[i];
    V[d] = volume(x);
  }
  double exact = 7 * (V[0] - 8 * V[1] + 8 * V[2] - V[3]) / (12 * h);
  assert_below(fabs(inner(Q, dq, 9 * NODES) - exact), 1e-12 * fabs(exact), "work of %g", exact);
}

/* So its tangent is symmetric there, though that of each element is not. */
static void symmetric_inside(void **state) {
  (void)state;
  fixture f;
  open_fixture(&f, SHEET "forces: {p: {type: pressure, on: p, pressure: 5e3}}\n", "klu");
  uint64_t seed = 5;
  add_noise(&seed, 0.1, f.state.q, 9 * NODES);
  sn_system_assemble(f.system, &f.state, 0, 0, 0, 1);
  double *K = dense(sn_system_matrix(f.system)), inside = 0, all = 0;
  for (int i = 0; i < 9 * NODES; i++)
    for (int j = 0; j < 9 * NODES; j++) {
      double off = fabs(K[i + 9 * NODES * j] - K[j + 9 * NODES * i]);
      all = fmax(all, off);
      if (!on_rim(i / 9) && !on_rim(j / 9)) inside = fmax(inside, off);
    }
  assert_true(all > 10);
  assert_below(inside, 1e-12 * all, "skew part inside");
  free(K);
  close_fixture(&f);
}

/* ---- the elastica ---- */

typedef struct rod { /* angle, curvature, force and place, over the length 1 with bending stiffness 1 */
  double y[6];
} rod;

/* theta'' = -(t x n), n' = -p (normal, or upward); see any text on the elastica */
static void rod_rate(const double y[6], double p, bool follower, double d[6]) {
  d[0] = y[1];
  d[1] = -(cos(y[0]) * y[3] - sin(y[0]) * y[2]);
  d[2] = follower ? p * sin(y[0]) : 0;
  d[3] = follower ? -p * cos(y[0]) : -p;
  d[4] = cos(y[0]);
  d[5] = sin(y[0]);
}

static void rod_run(rod *r, double p, bool follower, double length) {
  enum { STEPS = 2000 };
  double h = length / STEPS, k[4][6], x[6];
  for (int s = 0; s < STEPS; s++) {
    for (int stage = 0; stage < 4; stage++) {
      double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (int i = 0; i < 6; i++) x[i] = r->y[i] + (stage ? c * h * k[stage - 1][i] : 0);
      rod_rate(x, p, follower, k[stage]);
    }
    for (int i = 0; i < 6; i++) r->y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

/* A follower: from the free end, where angle and all else are 0, back to the clamp, and turned so that this is level. */
static void follower_tip(double p, double tip[2]) {
  rod r = {0};
  rod_run(&r, p, true, -1);
  double c = cos(r.y[0]), s = sin(r.y[0]);
  tip[0] = -(c * r.y[4] + s * r.y[5]);
  tip[1] = -(-s * r.y[4] + c * r.y[5]);
}

/* A dead load: from the clamp with the curvature that is 0 at the free end, by bisection. */
static void dead_tip(double p, double tip[2]) {
  double low = 0, high = p;
  rod r = {0};
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    r = (rod){{0, middle, 0, p, 0, 0}};
    rod_run(&r, p, false, 1);
    if (r.y[1] > 0)
      high = middle;
    else
      low = middle;
  }
  tip[0] = r.y[4];
  tip[1] = r.y[5];
}

/* A strip without contraction across, clamped at one edge: p L^3/EI = 8 bends it far beyond small angles. */
static double strip_error(int elements, bool follower) {
  double tip[2], y[16], E = 12e6, t = 5e-3, EI = E * t * t * t / 12, p = 8 * EI;
  char text[1024];
  run r;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: %.17g, poisson: 0}}\n"
           "bodies: {p: {type: plate, along: [1, 0, 0], across: [0, 0.1, 0], elements: [%d, 1], thickness: %.17g, "
           "material: m}}\n"
           "joints: {clamp: {type: fixed, between: [ground, p.west]}}\n"
           "forces: {p: {type: pressure, on: p, pressure: %.17g, follower: %s}}\n"
           "outputs: {tip: {point: p.se}}\nanalysis: {type: statics, steps: 20}\n",
           E, elements, t, p, follower ? "true" : "false");
  open_run(&r, text, NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_true(sn_read(r.simulation, "tip", y, 16) >= 3);
  (follower ? follower_tip : dead_tip)(8, tip);
  close_run(&r);
  return hypot(y[0] - tip[0], y[2] - tip[1]);
}

static void elastica(void **state) {
  (void)state;
  double tip[2][2];
  follower_tip(8, tip[0]);
  dead_tip(8, tip[1]);
  assert_true(distance(tip[0], tip[1], 2) > 0.1); /* two different problems */
  for (int follower = 0; follower < 2; follower++) {
    double coarse = strip_error(8, follower), fine = strip_error(24, follower);
    assert_below(fine, 3e-4, "tip of a strip, %s", follower ? "follower" : "dead"); /* t^2/12 and strain: 5e-5 */
    assert_below(fine, coarse / 5, "convergence from %g", coarse);
  }
}

/* ---- clamped plates, of which membrane forces carry a part ---- */

/* Deflection of the center over the thickness for the load p a^4/(E t^4), E = 1e9, t = 0.01. */
static double deflection(const char *elements, double width, double poisson, const char *joints, double load) {
  char text[1024];
  double y[16];
  run r;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e9, poisson: %g}}\n"
           "bodies: {p: {type: plate, along: [1, 0, 0], across: [0, %g, 0], elements: %s, thickness: 0.01, "
           "material: m}}\njoints: {%s}\nforces: {p: {type: pressure, on: p, pressure: %.17g}}\n"
           "outputs: {center: {point: p.center}}\nanalysis: {type: statics, steps: 4}\n",
           poisson, width, elements, joints, load * 1e9 * 1e-8);
  open_run(&r, text, NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_true(sn_read(r.simulation, "center", y, 16) >= 3);
  close_run(&r);
  return y[2] / 0.01;
}

/* Analytic (Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, article 3): long plate with built-in edges,
 * D w'''' - S w'' = p, u^2 = S l^2/4D, here with E = t = l = 1:
 *   w = p/(16 u^3 D tanh u) (cosh(u (1 - 2x))/cosh u - 1) + p x (1 - x)/(8 u^2 D),   S = 1/2 int w'^2 dx */
static double long_plate(double p) {
  double D = 1.0 / 12, low = 1e-3, high = 100, u = 1;
  for (int i = 0; i < 80; i++) {
    double sum = 0;
    u = (low + high) / 2;
    for (int k = 0; k < 1000; k++) {
      double x = (k + 0.5) / 1000, c = p / (8 * u * u * D);
      double slope = c * (1 - 2 * x) - c * sinh(u * (1 - 2 * x)) / sinh(u);
      sum += slope * slope / 2000;
    }
    if (4 * D * u * u < sum)
      low = u;
    else
      high = u;
  }
  return p / (16 * u * u * u * D * tanh(u)) * (1 / cosh(u) - 1) + p / (32 * u * u * D);
}

static void built_in_strip(void **state) {
  (void)state;
  static const double loads[] = {10, 100, 400};
  const char *joints = "a: {type: fixed, between: [ground, p.west]}, b: {type: fixed, between: [ground, p.east]}";
  for (int k = 0; k < 3; k++) {
    double exact = long_plate(loads[k]), w = deflection("[16, 1]", 0.1, 0, joints, loads[k]);
    assert_below(fabs(w / exact - 1), 2e-3, "deflection %g, of the long plate %g, at load %g", w, exact, loads[k]);
  }
}

/* Levy (NACA TN 847, 1942): square plate, clamped, nu = 0.316. A series of few terms, an approximation: our deflections
 * at these loads, 0.2366, 0.9024 and 1.853, become 0.2363, 0.9020 and 1.856 with 16 x 16 elements. */
static void clamped_square(void **state) {
  (void)state;
  static const double table[][2] = {{17.79, 0.237}, {95, 0.912}, {402, 1.902}};
  for (int k = 0; k < 3; k++) {
    double w = deflection("[8, 8]", 1, 0.316, "clamp: {type: fixed, between: [ground, p.rim]}", table[k][0]);
    assert_below(fabs(w / table[k][1] - 1), 0.03, "deflection %g at load %g", w, table[k][0]);
  }
}

/* ---- motion ---- */

/* The audit has the work of the pressure: a free sheet turns and flies off. */
static void energy_in_motion(void **state) {
  (void)state;
  run r;
  double e[SN_ENERGIES];
  open_run(&r,
           SHEET
           "forces: {p: {type: pressure, on: p, pressure: 20*sin(5*t)*(1 + x)}}\n"
           "analysis: {type: dynamics, duration: 0.5, integrator: {type: radau, tolerance: 1e-7}}\n",
           NULL);
  advance(&r, 0.5);
  assert_true(sn_read(r.simulation, "energy", e, SN_ENERGIES) == SN_ENERGIES);
  assert_true(e[SN_E_KINETIC] > 0.1);
  assert_below(fabs(e[SN_E_ERROR]), 1e-5 * e[SN_E_KINETIC], "energy error");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resultant),        cmocka_unit_test(work_is_volume), cmocka_unit_test(symmetric_inside),
      cmocka_unit_test(elastica),         cmocka_unit_test(built_in_strip), cmocka_unit_test(clamped_square),
      cmocka_unit_test(energy_in_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
