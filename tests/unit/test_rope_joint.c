/* test_rope_joint.c - ropes of constant length: ratios of blocks and tackles, a winch, energy, slack. */
#include "analysis/trust.h"
#include "support.h"

/* A block hangs in n strands (two for each time that the rope runs through it), a weight at the free end. Strands are
 * vertical, as all eyes are in one line. M a = M g - n T, m b = m g - T, n a + b = 0. */
static void open_tackle(run *r, int times, double M, const char *feed) {
  char text[1500], through[600] = "";
  for (int i = 0; i < times; i++) strcat(through, "\"ground.at(0, 0, 0)\", block.center, ");
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  block: {type: rigid, position: [0, 0, -2], mass: %g, inertia: [1, 1, 1]}\n"
           "  weight: {type: point-mass, position: [0, 0, -1], mass: 1}\n"
           "joints: {line: {type: rope, through: [%s\"ground.at(0, 0, 0)\", weight]%s}}\n"
           "outputs: {pull: {reaction: line}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: radau, tolerance: 1e-9}}\n",
           M, through, feed);
  open_run(r, text, NULL);
}

static void tackle(void **state) {
  (void)state;
  static const double masses[] = {1, 3, 8};
  for (int times = 1; times <= 3; times++)
    for (int k = 0; k < 4; k++) {
      run r;
      double n = 2 * times, M = k < 3 ? masses[k] : n; /* the last is in balance */
      open_tackle(&r, times, M, "");
      double t = go_to(&r, 0.2), a = 9.81 * (M - n) / (M + n * n);
      const double *q = r.simulation->state.q;
      assert_below(fabs(q[2] + 2 + a * t * t / 2), 1e-9, "block in %g strands, mass %g", n, M);
      assert_below(fabs(q[9] + 1 - n * a * t * t / 2), 1e-8, "weight, %g strands, mass %g", n, M);
      close_run(&r);
    }
}

/* A winch pays out: n a + b = f''; the block in balance otherwise. */
static void winch(void **state) {
  (void)state;
  run r;
  open_tackle(&r, 1, 2, ", feed: 0.3*t^2");
  double t = go_to(&r, 0.5), T = (9.81 * 3 - 0.6) / (4.0 / 2 + 1), a = 9.81 - 2 * T / 2;
  assert_below(fabs(r.simulation->state.q[2] + 2 + a * t * t / 2), 1e-8, "block of a winch");
  close_run(&r);
}

/* A bead on a rope of two fixed ends moves on an ellipse; energy is kept. */
static void ellipse(void **state) {
  (void)state;
  run r;
  double e[SN_ENERGIES], start;
  open_run(&r,
           "sinew: 1\ngravity: [0, -9.81, 0]\nbodies: {bead: {type: point-mass, position: [0.5, -0.9, 0.1], mass: 1}}\n"
           "joints: {line: {type: rope, through: [\"ground.at(-1, 0, 0)\", bead, \"ground.at(1, 0, 0)\"]}}\n"
           "analysis: {type: dynamics, duration: 2, integrator: {type: radau, tolerance: 1e-8}}\n",
           NULL);
  sn_read(r.simulation, "energy", e, SN_ENERGIES);
  start = e[SN_E_TOTAL];
  const double *q = r.simulation->state.q;
  double length = sqrt(1.5 * 1.5 + 0.81 + 0.01) + sqrt(0.25 + 0.81 + 0.01);
  for (int k = 1; k <= 20; k++) {
    advance(&r, 0.1 * k);
    double now = sqrt((q[0] + 1) * (q[0] + 1) + q[1] * q[1] + q[2] * q[2]) +
                 sqrt((q[0] - 1) * (q[0] - 1) + q[1] * q[1] + q[2] * q[2]);
    assert_below(fabs(now - length), 1e-8, "length");
    sn_read(r.simulation, "energy", e, SN_ENERGIES);
    assert_below(fabs(e[SN_E_TOTAL] - start), 1e-6, "energy");
  }
  close_run(&r);
}

/* Thrown upward the weight would leave the rope slack: the run says so. */
static void slack(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {weight: {type: point-mass, position: [0, 0, -1], velocity: "
           "[5.5, 0, 0], mass: 1}}\njoints: {line: {type: rope, through: [\"ground.at(0, 0, 0)\", weight]}}\n"
           "outputs: {weight: {point: weight}}\n"
           "analysis: {type: dynamics, duration: 1.5, output_step: 0.01, integrator: {type: radau}}\n",
           NULL);
  sn_row row;
  sn_row_create(r.simulation, &row);
  for (int k = 1; k <= 150; k++) sn_sample(r.simulation, go_to(&r, 0.01 * k), &row);
  bool told = false;
  for (int k = 0; k < r.simulation->doubts.count; k++)
    told |= strstr(r.simulation->doubts.doubt[k].text, "slack") != NULL;
  assert_true(told);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tackle), cmocka_unit_test(winch), cmocka_unit_test(ellipse),
                                     cmocka_unit_test(slack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
