/* test_spin.c - bodies that turn in space under symplectic Euler: angular momentum kept, energy without drift, and the
 * closed forms of a ball that rolls on a turntable. */
#include "support.h"

static void momentum_of(run *r, double p[6]) {
  sn_system_momentum(r->simulation->system, &r->simulation->state, p);
}

static double kinetic_of(run *r) {
  sn_energy e = {0};
  sn_system_energy(r->simulation->system, &r->simulation->state, &e);
  return e.kinetic;
}

/* ---- free bodies ---- */

static const char free_body[] =
    "sinew: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {type: rigid, position: [0, 0, 0], mass: 2, inertia: %s, velocity: [0.3, 0, 0],\n"
    "  rotation: {axis: [1, 2, 3], angle: 0.7}, angular_velocity: %s}}\n"
    "analysis: {type: dynamics, duration: 100, integrator: {type: symplectic-euler, step: %g}}\n";

/* L is kept to rounding (1e-15 a step) whatever the step, in size and direction; energy swings and does not drift: the
 * largest deviation of the second half is that of the first. */
static void free_bodies_keep_their_spin(void **state) {
  (void)state;
  static const char *const inertia[] = {"[0.4, 0.4, 0.4]", "[1, 2, 2.5]", "[1, 1, 0.2]",
                                        "[1.2, 2, 2.4, 0.1, -0.2, 0.15]"};
  static const char *const spin[] = {"[0, 24, 0]", "[0.1, 5, 0.2]", "[3, -4, 9]"};
  for (size_t i = 0; i < SN_COUNT(inertia); i++)
    for (size_t s = 0; s < SN_COUNT(spin); s++)
      for (double h = 2e-4; h < 2e-2; h *= 5) {
        char text[1024];
        run r;
        double start[6], now[6], worst = 0, swing[2] = {0};
        snprintf(text, sizeof text, free_body, inertia[i], spin[s], h);
        open_run(&r, text, NULL);
        momentum_of(&r, start);
        double T0 = kinetic_of(&r), L = sqrt(inner(start + 3, start + 3, 3));
        for (int k = 1; k <= 200; k++) {
          advance(&r, 20e3 * h * k / 200);
          momentum_of(&r, now);
          worst = fmax(worst, distance(now + 3, start + 3, 3) / L);
          swing[k > 100] = fmax(swing[k > 100], fabs(kinetic_of(&r) / T0 - 1));
        }
        assert_below(worst, 20e3 * 1e-15, "L of inertia %s, spin %s, h = %g", inertia[i], spin[s], h);
        assert_below(swing[1], 1.3 * swing[0] + 20e3 * 5e-15, "energy drifts: inertia %s, spin %s, h = %g", inertia[i],
                     spin[s], h);
        close_run(&r);
      }
}

/* The attitude converges with order two on a free body: the kick does nothing, and the rest is symmetric in time. */
static void attitude_converges(void **state) {
  (void)state;
  double q[3][7];
  for (int k = 0; k < 3; k++) {
    char text[1024];
    run r;
    snprintf(text, sizeof text, free_body, "[1, 2, 2.5]", "[3, -4, 9]", 1e-3 / (1 << k));
    open_run(&r, text, NULL);
    advance(&r, 1);
    memcpy(q[k], r.simulation->state.q, sizeof q[k]);
    close_run(&r);
  }
  double ratio = distance(q[0] + 3, q[1] + 3, 4) / distance(q[1] + 3, q[2] + 3, 4);
  assert_below(fabs(ratio - 4), 0.1, "order of the attitude: ratio %g", ratio);
}

/* A flexible frame keeps turning too. */
static void flexible_frame_turns_on(void **state) {
  (void)state;
  run r;
  double start[6], now[6];
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 7800, young: 2e9, poisson: 0.3}}\n"
           "sections: {s: {type: circle, radius: 0.02}}\n"
           "bodies: {a: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 2, modes: 2, material: m, "
           "section: s, angular_velocity: [10, 0, 0]}}\n"
           "analysis: {type: dynamics, duration: 2, integrator: {type: symplectic-euler, step: 1e-4}}\n",
           NULL);
  momentum_of(&r, start);
  advance(&r, 2);
  momentum_of(&r, now);
  assert_below(distance(now + 3, start + 3, 3) / fabs(start[3]), 1e-6, "spin of a floating body");
  close_run(&r);
}

/* ---- joints ---- */

static const char heavy_top[] =
    "sinew: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {top: {type: rigid, position: [0, 0.6, 0.8], rotation: {axis: [1, 0, 0], angle: -0.6435011087932844},\n"
    "  mass: 15, inertia: [0.234375, 0.3, 0.46875], angular_velocity: [0, 30, 40], points: {tip: [0, 0, -1]}}}\n"
    "joints: {pin: {type: spherical, between: [ground, top.tip]}}\n"
    "outputs: {center: {point: top.center}}\n"
    "analysis: {type: dynamics, duration: 1, integrator: %s}\n";

static void top_at_end(const char *integrator, double x[3]) {
  char text[1024];
  run r;
  double value[16] = {0};
  snprintf(text, sizeof text, heavy_top, integrator);
  open_run(&r, text, NULL);
  advance(&r, 1);
  assert_true(sn_read(r.simulation, "center", value, 16) >= 3);
  memcpy(x, value, 3 * sizeof *x);
  close_run(&r);
}

/* With a joint the method is of first order; the reference is radau at a tight tolerance. */
static void heavy_top_against_radau(void **state) {
  (void)state;
  double reference[3], x[3], error[3];
  top_at_end("{type: radau, tolerance: 1e-10}", reference);
  for (int k = 0; k < 3; k++) {
    char euler[100];
    snprintf(euler, sizeof euler, "{type: symplectic-euler, step: %g}", 4e-4 / (1 << k));
    top_at_end(euler, x);
    error[k] = distance(x, reference, 3);
    print_message("heavy top, h = %g: %.3e m\n", 4e-4 / (1 << k), error[k]);
  }
  assert_below(error[2], 0.02, "heavy top against radau");
  assert_below(fabs(log2(error[1] / error[2]) - 1), 0.3, "order of the heavy top");
}

/* ---- a ball rolls on a turntable ---- */

static const char turntable[] =
    "sinew: 1\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  ball: {type: rigid, position: [0.3, 0, 0.05], mass: 1, shape: {type: sphere, radius: 0.05},\n"
    "    velocity: [0, %.17g, 0], angular_velocity: [%.17g, 0, 0]}\n"
    "  plate: {type: rigid, position: [0, 0, -0.05], mass: 1e6, inertia: [1e6, 1e6, 1e6], angular_velocity: [0, 0, "
    "3]}\n"
    "joints: {axle: {type: revolute, between: [\"ground.at(0, 0, -0.05)\", plate.center], axis: [0, 0, 1]}}\n"
    "surfaces: {floor: {type: plane, on: plate, at: [0, 0, 0.05], normal: [0, 0, 1]}, skin: {type: sphere, on: ball}}\n"
    "contacts: {all: {method: dvi, friction: 0.8}}\n"
    "outputs: {center: {point: ball.center}}\n"
    "analysis: {type: dynamics, duration: 8, integrator: {type: symplectic-euler, step: %g}}\n";

/* Rolling, x'' = 2/7 O z x x' (Earnshaw; a solid sphere): the velocity turns at 2/7 O, on a circle of radius v/(2/7 O).
 */
static void ball_on_turntable(void **state) {
  (void)state;
  double O = 3, rate = 2 * O / 7, v = 0.4, error[2];
  for (int k = 0; k < 2; k++) {
    char text[2048];
    run r;
    double value[16] = {0}, h = 1e-3 / (1 << (2 * k)), worst = 0;
    /* no slip at the start: v + w x (-R z) = O z x r, with w = (wx, 0, 0): v + R wx = O 0.3 */
    snprintf(text, sizeof text, turntable, v, (O * 0.3 - v) / 0.05, h);
    open_run(&r, text, NULL);
    for (int i = 1; i <= 40; i++) {
      double t = 0.2 * i, radius = v / rate;
      advance(&r, t);
      sn_read(r.simulation, "center", value, 16);
      double x = 0.3 - radius + radius * cos(rate * t), y = radius * sin(rate * t);
      worst = fmax(worst, hypot(value[0] - x, value[1] - y));
      assert_below(fabs(value[2] - 0.05), 1e-6, "the ball leaves the plate");
    }
    error[k] = worst;
    print_message("turntable, h = %g: off the circle by %.2e m\n", h, worst);
    close_run(&r);
  }
  assert_below(error[1], 2e-3, "ball on a turntable");
  assert_below(error[1], 0.4 * error[0], "convergence on the turntable");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_bodies_keep_their_spin), cmocka_unit_test(attitude_converges),
      cmocka_unit_test(flexible_frame_turns_on),     cmocka_unit_test(heavy_top_against_radau),
      cmocka_unit_test(ball_on_turntable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
