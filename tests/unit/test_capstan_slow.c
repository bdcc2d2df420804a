/* test_capstan_slow.c - a rope lies around a drum that turns under it, one end held, the other pulled: the held end
 * bears exp(mu theta) times the pull (Euler and Eytelwein), by complementarity and by penalty. Of a rope that is
 * straight without load, bending stiffness takes contact angle where it lifts off, and gives a line of force there that
 * rubs as much: to the first order nothing changes. One that is curved without load bends its free ends, which may
 * change the ratio by parts of EI/(P a^2) = 1.8 %. */
#include "support.h"

enum { PULL = 10, ELEMENTS = 24, ROOM = 4096 };

/* Left end at (-a, -L), up to the drum, around it by theta clockwise, and on along the tangent. */
static int write_line(double theta, double direction[2], char *text, size_t size) {
  const double a = 0.105, L = 0.1;
  int n = (int)lround(theta / (PI / 12)), used = snprintf(text, size, "[[%g, %g, 0], [%g, %g, 0]", -a, -L, -a, -L / 2);
  for (int i = 0; i <= n; i++) {
    double f = PI - theta * i / n;
    used += snprintf(text + used, size - (size_t)used, ", [%.12g, %.12g, 0]", a * cos(f), a * sin(f));
  }
  double x = a * cos(PI - theta), y = a * sin(PI - theta);
  direction[0] = sin(PI - theta), direction[1] = -cos(PI - theta);
  for (int k = 1; k <= 2; k++)
    used += snprintf(text + used, size - (size_t)used, ", [%.12g, %.12g, 0]", x + k * L / 2 * direction[0],
                     y + k * L / 2 * direction[1]);
  return used + snprintf(text + used, size - (size_t)used, "]");
}

static double ratio(double theta, double mu, const char *rest, const char *method, const char *integrator) {
  char line[2048], text[ROOM];
  double d[2], force = 0, value[6];
  run r;
  write_line(theta, d, line, sizeof line);
  snprintf(
      text, sizeof text,
      "sinew: 1\nplanar: true\nmaterials: {m: {density: 1000, young: 4e6}}\n"
      "sections: {s: {type: circle, radius: 0.005}}\n"
      "bodies: {line: {type: cable, through: %s, elements: %d, material: m, section: s, rest: %s, mass_damping: 200, "
      "stiffness_damping: 2e-4}, drum: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {hold: {type: spherical, between: [ground, line.start]}, axle: {type: revolute, between: [ground, "
      "drum.center]}, turn: {type: motion, joint: axle, rotation: -12*t*t/(t + 0.05)}}\n"
      "forces: {pull: {type: force, at: line.end, force: ['%.12g*step(t, 0, 0, 0.05, 1)', '%.12g*step(t, 0, 0, "
      "0.05, 1)', 0]}}\n"
      "surfaces: {skin: {type: spheres, on: line, count: %d}, drum: {type: cylinder, on: drum, from: [0, 0, -0.1], "
      "to: [0, 0, 0.1], radius: 0.1}}\n"
      "contacts: {touch: {method: %s, friction: %g}}\noutputs: {hold: {reaction: hold}}\n"
      "analysis: {type: dynamics, duration: 0.2, integrator: {type: symplectic-euler, %s}}\n",
      line, ELEMENTS, rest, PULL * d[0], PULL * d[1], 4 * ELEMENTS + 1, method, mu, integrator);
  open_run(&r, text, NULL);
  advance(&r, 0.15);
  for (int k = 1; k <= 50; k++) { /* the mean: impulses of single steps scatter */
    advance(&r, 0.15 + 1e-3 * k);
    sn_read(r.simulation, "hold", value, 6);
    force += hypot(value[0], value[1]) / 50;
  }
  close_run(&r);
  return force / (PULL * exp(mu * theta));
}

static void check(double theta, double mu, const char *rest, const char *method, const char *integrator) {
  double found = ratio(theta, mu, rest, method, integrator);
  print_message("%s, rest: %s, %.2f rad, friction %g: %.4f of exp(mu theta)\n", method, rest, theta, mu, found);
  assert_below(fabs(found - 1), strcmp(rest, "curve") == 0 ? 0.018 : 0.01, "%s, rest: %s, %g rad, friction %g", method,
               rest, theta, mu);
}

static void complementarity(void **state) {
  (void)state;
  static const char *const rest[] = {"straight", "curve"};
  static const double theta[] = {PI / 2, PI, 4.4}, mu[] = {0.1, 0.3};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      for (int j = k; j < 2; j++)
        check(theta[i], mu[j], rest[k], "dvi", "step: 1e-4, elastic: implicit, contact_tolerance: 1e-5");
}

static void penalty(void **state) {
  (void)state;
  check(PI, 0.3, "straight", "penalty", "step: 2e-5");
  check(PI / 2, 0.3, "curve", "penalty", "step: 2e-5");
  check(PI, 0.1, "straight", "penalty", "step: 1e-4, elastic: implicit");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(complementarity), cmocka_unit_test(penalty)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
