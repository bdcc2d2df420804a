/* test_contact_slow.c - the contact benchmarks of Khude's thesis and Bulin's pulley. */
#include "support.h"

static double value(run *r, const char *name, int column) {
  double all[16];
  assert_true(sn_read(r->simulation, name, all, 16) > (size_t)column);
  return all[column];
}

/* Largest energy error over the run, seen every `every` seconds. */
static double energy_error(run *r, double end, double every) {
  double worst = 0;
  for (double t = every; t < end + every / 2; t += every) {
    advance(r, t);
    worst = fmax(worst, fabs(value(r, "energy", SN_E_ERROR)));
  }
  return worst;
}

/* C1: without friction all energy stays, peg low and high. 0.5 % of the largest kinetic energy, 14 J and 7.7 J. */
static void peg_keeps_energy(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/pendulum-peg.yaml", NULL);
  assert_below(energy_error(&r, 2, 0.01), 0.005 * 14, "energy, peg at -0.5");
  assert_true(fabs(value(&r, "tip", 0)) > 0.01);
  close_run(&r);
}

/* C2: two mirror images do not rub. */
static void beams_stay_mirror_images(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/two-beams.yaml", NULL);
  assert_below(energy_error(&r, 0.7, 0.01), 0.005 * 22, "energy");
  assert_below(fabs(value(&r, "left", 0) + value(&r, "right", 0)), 1e-6, "mirror images"); /* the models are */
  close_run(&r);
}

/* C3: it wraps around the peg, the weight ends on the other side, and energy balances. */
static void beam_wraps(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/wrap.yaml", &(sn_options){.step = 2e-5});
  assert_below(energy_error(&r, 1.2, 0.02), 0.005 * 190, "energy");
  assert_true(value(&r, "energy", SN_E_FRICTION) < -0.01);
  close_run(&r);
}

/* C5: the weights follow the rim, R w = 0.1 (pi^2/4) sin(pi t/2), within slip and swinging; Newton needs fewer than 4
 * iterations. */
static void weights_follow_the_pulley(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/pulley.yaml", NULL);
  advance(&r, 1);
  double mean = 0;
  const int samples = 50;
  for (int k = 0; k < samples; k++) { /* over more than two periods of the swinging, which is in both weights alike */
    advance(&r, 1 + 0.01 * (k + 1));
    double rim = 0.1 * PI * PI / 4 * sin(PI / 2 * sn_time(r.simulation));
    mean += ((value(&r, "right", 3) - value(&r, "left", 3)) / 2 - rim) / samples;
  }
  assert_below(fabs(mean), 0.02, "mean difference of speeds");
  sn_statistics s = *sn_simulation_statistics(r.simulation);
  assert_below((double)s.iterations / (double)s.steps, 4, "iterations per step");
  close_run(&r);
}

/* Plates: the sheet hangs on the ball, which carries its weight on average. */
static void sheet_drapes(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/drape.yaml", NULL);
  advance(&r, 0.3);
  assert_below(fabs(value(&r, "center", 2) - 0.165), 0.006, "height of its middle: radius and half the thickness");
  assert_true(value(&r, "corner", 2) < 0.1);
  assert_true(value(&r, "ball", 3) > 10);
  close_run(&r);
}

/* The net catches the ball: it bounces and stays, its weight is carried. */
static void net_catches(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/net.yaml", NULL);
  advance(&r, 1);
  assert_true(value(&r, "ball", 1) > -0.1 && value(&r, "ball", 1) < 0.25);
  assert_below(hypot(value(&r, "ball", 0), value(&r, "ball", 2)), 0.05, "in the middle");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(peg_keeps_energy), cmocka_unit_test(beams_stay_mirror_images),
                                     cmocka_unit_test(beam_wraps),       cmocka_unit_test(weights_follow_the_pulley),
                                     cmocka_unit_test(sheet_drapes),     cmocka_unit_test(net_catches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
