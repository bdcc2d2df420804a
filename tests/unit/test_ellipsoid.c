/* test_ellipsoid.c - ellipsoids that touch: a sphere among them, small rocking on a plane, contact of two by
 * complementarity, momentum. */
#include "math/vec3.h"
#include "support.h"

/* ---- three equal semi-axes: a sphere ---- */

static void run_of(const char *method, const char *integrator, const char *skin, double q[14]) {
  char text[1500];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  a: {type: rigid, position: [0, 0, 0.12], velocity: [1, 0, 0], angular_velocity: [3, 2, 1], mass: 1, shape: "
      "{type: sphere, radius: 0.1}}\n"
      "  b: {type: rigid, position: [0.25, 0.05, 0.1], mass: 2, shape: {type: sphere, radius: 0.1}}\n"
      "surfaces: {table: {type: plane, normal: [0, 0, 1]}, a: {type: %s, on: a}, b: {type: %s, on: b}, post: "
      "{type: box, size: [0.1, 0.1, 1], at: [0.5, 0.1, 0]}}\n"
      "contacts: {all: {%s}}\nanalysis: {type: dynamics, duration: 0.6, integrator: {%s}}\n",
      skin, skin, method, integrator);
  open_run(&r, text, NULL);
  advance(&r, 0.6);
  memcpy(q, r.simulation->state.q, 14 * sizeof *q);
  close_run(&r);
}

/* Penalty: the same forces, by other formulas; the tolerance of the steps is left. */
static void sphere(void **state) {
  (void)state;
  static const char *const laws[][2] = {
      {"stiffness: 1e5, friction: 0.3, slip: 0.01, damping: 0.1", "type: radau, tolerance: 1e-8"},
      {"method: dvi, friction: 0.3, restitution: 0.5", "type: symplectic-euler, step: 1e-3, contact_tolerance: 1e-10"}};
  for (int k = 0; k < 2; k++) {
    double a[14], b[14];
    run_of(laws[k][0], laws[k][1], "sphere", a);
    run_of(laws[k][0], laws[k][1], "ellipsoid, radii: [0.1, 0.1, 0.1]", b);
    assert_true(hypot(a[7] - 0.25, a[8] - 0.05) > 0.03); /* they have met */
    assert_below(distance(a, b, 14), 2e-6, "an ellipsoid that is a sphere, law %d", k);
  }
}

/* ---- rocking: the curvature at the lowest point, R = a^2/c, lifts the center of mass by (R - c) angle^2/2 ---- */

/* The second zero of the angle is 3/4 of a period after the start. */
static double frequency(double friction, double J) {
  char text[1200];
  run r;
  double a = 0.2, c = 0.08, tilt = 2e-3, before = tilt, t = 0, h = 1e-3;
  int zeros = 0;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [0, 0, %.17g], rotation: {axis: [0, "
           "1, 0], angle: %g}, mass: 1, inertia: [%g, %g, %g]}}\n"
           "surfaces: {table: {type: plane, normal: [0, 0, 1]}, skin: {type: ellipsoid, on: b, radii: [%g, 0.1, %g]}}\n"
           "contacts: {all: {stiffness: 1e7, exponent: 1, friction: %g, slip: 1e-5}}\n"
           "analysis: {type: dynamics, duration: 3, integrator: {type: radau, tolerance: 1e-7, max_step: 1e-3}}\n",
           hypot(a * sin(tilt), c * cos(tilt)) - 9.81e-7, tilt, J, J, J, a, c, friction);
  open_run(&r, text, NULL);
  while (zeros < 2 && t < 2) {
    double last = t;
    advance(&r, t + h);
    t = sn_time(r.simulation);
    double angle = 2 * r.simulation->state.q[5]; /* about y */
    if (angle * before < 0) zeros++;
    if (zeros == 2) t -= (t - last) * angle / (angle - before);
    before = angle;
  }
  close_run(&r);
  return 1.5 * acos(-1.0) / t;
}

static void rocking(void **state) {
  (void)state;
  double a = 0.2, c = 0.08, J = 0.01, weight = 9.81 * (a * a / c - c);
  assert_below(fabs(frequency(0, J) / sqrt(weight / J) - 1), 1e-3, "rocking without friction");
  assert_below(fabs(frequency(1, J) / sqrt(weight / (J + c * c)) - 1), 2e-3, "rocking without slip");
}

/* ---- two that meet in space ---- */

static void momentum(void **state) {
  (void)state;
  static const char *const laws[][2] = {
      {"stiffness: 1e6, friction: 0.4, slip: 0.1", "type: erk, tolerance: 1e-8"},
      {"method: dvi, friction: 0.4, restitution: 0.5", "type: symplectic-euler, step: 1e-3, contact_tolerance: 1e-10"}};
  uint64_t seed = 9;
  for (int k = 0; k < 24; k++) {
    char text[1500];
    run r;
    double p0[6], p1[6], v0[3];
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  a: {type: rigid, position: [-0.38, %g, %g], rotation: {axis: [%g, %g, 1], angle: %g}, velocity: [2, 0, 0],"
        " angular_velocity: [%g, %g, %g], density: 1000, shape: {type: ellipsoid, radii: [0.15, 0.1, 0.05]}}\n"
        "  b: {type: rigid, position: [0, 0, 0], rotation: {axis: [%g, 1, %g], angle: %g}, density: 500, shape: "
        "{type: ellipsoid, radii: [0.1, 0.2, 0.1]}}\n"
        "surfaces: {a: {type: ellipsoid, on: a}, b: {type: ellipsoid, on: b}}\n"
        "contacts: {all: {%s}}\nanalysis: {type: dynamics, duration: 0.3, integrator: {%s}}\n",
        0.05 * noise(&seed), 0.05 * noise(&seed), noise(&seed), noise(&seed), 3 * noise(&seed), 3 * noise(&seed),
        3 * noise(&seed), 3 * noise(&seed), noise(&seed), noise(&seed), 3 * noise(&seed), laws[k % 2][0],
        laws[k % 2][1]);
    open_run(&r, text, NULL);
    sn_system *s = r.simulation->system;
    sn_system_momentum(s, &r.simulation->state, p0);
    sn_copy(v0, r.simulation->state.v);
    advance(&r, 0.3);
    sn_system_momentum(s, &r.simulation->state, p1);
    sn_sub(v0, v0, r.simulation->state.v);
    assert_true(sn_norm(v0) > 0.1); /* they have met */
    assert_below(distance(p0, p1, 3) / sn_norm(p0), 1e-12, "momentum, scene %d", k);
    assert_below(distance(p0 + 3, p1 + 3, 3) / sn_norm(p0), k % 2 ? 1e-10 : 1e-8, "angular momentum, scene %d", k);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sphere), cmocka_unit_test(rocking), cmocka_unit_test(momentum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
