/* test_studies.c - the studies of bench/ in small: what can be told by counts and short runs. */
#include "run/trial.h"
#include "support.h"

/* A run of a file with parameters; fails the test when it fails. */
static void trial_of(const char *path, const char *set, const sn_options *options, sn_trial *trial) {
  sn_context *context = sn_context_create();
  sn_model *model;
  if (sn_model_load(context, path, &set, set != NULL, &model)) fail_msg("%s", sn_message(context));
  sn_trial_run(model, options, trial);
  if (trial->status) fail_msg("%s, %s: %s", path, trial->integrator, trial->message);
  sn_model_free(model);
  sn_context_free(context);
}

/* A5 (Khude 3.2b): global orders 1 and 2 in positions and velocities; stabilized methods keep velocities on their
 * constraints. bench_orders has A4, A6 and B9 too. */
static void test_orders(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int order;
    bool stabilized;
  } methods[] = {{"newmark", 1, false}, {"hht-i3", 2, false}, {"hht-add", 2, true},
                 {"hht-si2", 2, true},  {"nstiff", 2, false}, {"nstiff-si2", 2, true}};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    sn_trial trial[3];
    for (int j = 0; j < 3; j++) {
      sn_options options = {.integrator = methods[k].name, .step = 5e-4 / (1 << j), .until = 0.5};
      trial_of("models/slider-crank.yaml", NULL, &options, &trial[j]);
    }
    for (int m = SN_POSITIONS; m <= SN_VELOCITIES; m++) {
      double ratio = sn_trial_distance(&trial[0], &trial[1], (sn_measure)m) /
                     sn_trial_distance(&trial[1], &trial[2], (sn_measure)m);
      assert_below(fabs(log2(ratio) - methods[k].order), 0.15, "order %.3f of %s, measure %d: off", log2(ratio),
                   methods[k].name, m);
    }
    if (methods[k].stabilized) assert_below(trial[0].drift[1], 1e-13, "velocity drift of %s", methods[k].name);
    for (int j = 0; j < 3; j++) sn_trial_free(&trial[j]);
  }
}

/* B4, test II of Orzechowski & Fraczek: the energy stays within the 0.02 J they have after 600 s, with a matrix or so a
 * step. Steps that changed with every breath, or a Newton that left too much, lost or won a multiple of it. */
static void test_long_pendulum(void **state) {
  (void)state;
  static const char *const stiffness[] = {"E=2e11", "E=2e7"};
  for (int k = 0; k < 2; k++) {
    sn_options options = {.until = 40};
    sn_trial trial;
    trial_of("models/orzechowski-pendulum.yaml", stiffness[k], &options, &trial);
    assert_below(trial.energy_error, 0.01, "energy error, %s", stiffness[k]);
    assert_below((double)trial.statistics.steps, 20000, "steps, %s", stiffness[k]);
    assert_below((double)trial.statistics.jacobians, 1.2 * (double)trial.statistics.steps, "matrices, %s",
                 stiffness[k]);
    sn_trial_free(&trial);
  }
}

/* B3: adams agrees with hht-i3 where the beams are soft; its work grows with their stiffness, that of hht-i3 does not.
 */
static void test_stiffness(void **state) {
  (void)state;
  static const char *const stiffness[] = {"E=2e5", "E=2e7"}, *const methods[] = {"{type: hht-i3, bounds: step}",
                                                                                 "adams"};
  long work[2][2];
  for (int i = 0; i < 2; i++) {
    sn_trial trial[2];
    for (int k = 0; k < 2; k++) {
      sn_options options = {.integrator = methods[k], .tolerance = 1e-5, .until = 1};
      trial_of("models/hussein-pendulum.yaml", stiffness[i], &options, &trial[k]);
      work[i][k] = trial[k].statistics.residuals;
    }
    assert_below(sn_trial_relative(&trial[0], &trial[1], SN_POSITIONS), 2e-3, "adams and hht-i3 apart, %s",
                 stiffness[i]);
    for (int k = 0; k < 2; k++) sn_trial_free(&trial[k]);
  }
  assert_below((double)work[1][0], 2 * (double)work[0][0], "evaluations of hht-i3");
  assert_true(work[1][1] > 5 * work[0][1]);
}

/* B5: evaluations of the equations by newmark, h = 1e-3, against those of the explicit methods, more than four times
 * as many (an evaluation costs them more, they solve for accelerations each time). */
static void test_explicit(void **state) {
  (void)state;
  static const char *const methods[] = {"newmark", "erk", "adams"};
  long work[3];
  for (int k = 0; k < 3; k++) {
    sn_options options = {
        .integrator = methods[k], .step = k == 0 ? 1e-3 : 0, .tolerance = k == 0 ? 0 : 1e-3, .until = 0.3};
    sn_trial trial;
    trial_of("models/bulin-pendulum.yaml", NULL, &options, &trial);
    work[k] = trial.statistics.residuals;
    sn_trial_free(&trial);
  }
  assert_true(work[1] > 4 * work[0] && work[2] > 4 * work[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_long_pendulum),
      cmocka_unit_test(test_stiffness),
      cmocka_unit_test(test_explicit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
