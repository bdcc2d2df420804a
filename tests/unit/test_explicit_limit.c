/* test_explicit_limit.c - symplectic Euler takes damping explicitly where that is stable, implicitly elsewhere. */
#include <math.h>

#include "integrator/explicit_limit.h"
#include "math/constants.h"
#include "support.h"

/* A chain of three masses, held at one end: w = 2 sqrt(k/m) sin(5 pi/14), and dampers beside the springs: d = c/k w^2. */
static void test_rates(void **state) {
  (void)state;
  fixture f;
  open_fixture(&f,
               "sinew: 1\ngravity: [0, 0, 0]\n"
               "bodies:\n"
               "  a: {type: point-mass, mass: 2, position: [1, 0, 0]}\n"
               "  b: {type: point-mass, mass: 2, position: [2, 0, 0]}\n"
               "  c: {type: point-mass, mass: 2, position: [3, 0, 0]}\n"
               "forces:\n"
               "  s: {type: spring, between: ['ground.at(0, 0, 0)', a], stiffness: 300, damping: 5}\n"
               "  u: {type: spring, between: [a, b], stiffness: 300, damping: 5}\n"
               "  w: {type: spring, between: [b, c], stiffness: 300, damping: 5}\n"
               "analysis: {type: dynamics, duration: 1}\n",
               NULL);
  double x[9], w = 2 * sqrt(300.0 / 2) * sin(5 * SN_PI / 14), d = 5.0 / 300 * w * w;
  sn_state rest = {.q = f.state.q, .v = f.state.v, .a = f.system->zero, .l = f.system->zero + f.system->n};
  assert_true(sn_system_factor(f.system, &rest, 0, 1, 0, 0));
  assert_below(fabs(sn_damping_rate(f.system, &f.state, x) / d - 1), 0.03, "damping rate");
  assert_below(fabs(sn_highest_frequency(f.system, &f.state, x) / w - 1), 0.03, "highest frequency");
  close_fixture(&f);
}

/* A mass on a spring, displaced by 0.1 m, 400 steps of h: never farther away at the end, whatever h w and h d; and one
 * factorization where explicit damping is well within its limit. */
static void damped_steps(double hw, double hd) {
  const double h = 0.01;
  char text[500];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\ngravity: [0, 0, 0]\n"
      "bodies: {mass: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
      "forces: {s: {type: spring, between: ['ground.at(0, 0, 0)', mass], stiffness: %g, damping: %g, length: 0.9}}\n"
      "analysis: {type: dynamics, duration: 4, integrator: {type: symplectic-euler, step: %g}}\n",
      hw * hw / (h * h), hd / h, h);
  open_run(&r, text, NULL);
  sn_row row;
  sn_row_create(r.simulation, &row);
  advance(&r, 4);
  sn_sample(r.simulation, 4, &row);
  assert_below(fabs(row.q[0] - 0.9), 0.1, "displacement at h w = %g, h d = %g", hw, hd);
  long factorizations = sn_simulation_statistics(r.simulation)->factorizations;
  if (hd < 0.5 * (2 - hw * hw / 2))
    assert_below((double)factorizations, 5, "factorizations at h w = %g, h d = %g", hw, hd);
  close_run(&r);
}

static void test_steps(void **state) {
  (void)state;
  for (double hw = 0.1; hw < 2; hw += 0.2)
    for (double hd = 0.02; hd < 20; hd *= 1.5) damped_steps(hw, hd);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates), cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
