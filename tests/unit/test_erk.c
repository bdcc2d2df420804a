/* test_erk.c - erk with `order: auto`: longer steps of 4(3) where vibrations limit those of 5(4), and only there.
 */
#include "analysis/checkpoint.h"
#include "run/trial.h"
#include "support.h"

typedef struct problem {
  const char *model;
  double time, tolerance;
} problem;

static double work_of(const problem *p, const char *order, sn_trial *trial) {
  sn_context *context = sn_context_create();
  sn_model *model;
  char integrator[80];
  snprintf(integrator, sizeof integrator, "{type: erk, tolerance: %g, order: %s}", p->tolerance, order);
  if (sn_model_load(context, p->model, NULL, 0, &model)) fail_msg("%s", sn_message(context));
  sn_trial_run(model, &(sn_options){.integrator = integrator, .until = p->time}, trial);
  if (trial->status) fail_msg("%s %s: %s", p->model, integrator, trial->message);
  sn_model_free(model);
  sn_context_free(context);
  return (double)trial->statistics.residuals;
}

/* Reference: 5(4), whose steps are limited by stability and have errors far below the tolerance. */
static void test_vibrations(void **state) {
  (void)state;
  static const problem cases[] = {{"models/pendulum.yaml", 0.6, 1e-3},
                                  {"models/pendulum-space.yaml", 0.4, 1e-3},
                                  {"models/cable-chain.yaml", 0.1, 1e-4}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    sn_trial by_auto, by_five;
    const double ours = work_of(&cases[k], "auto", &by_auto), others = work_of(&cases[k], "5", &by_five);
    assert_below(ours / others, 0.85, "%s: evaluations of auto over those of 5(4)", cases[k].model);
    assert_below(sn_trial_distance(&by_auto, &by_five, SN_POSITIONS), cases[k].tolerance, "%s", cases[k].model);
    sn_trial_free(&by_auto);
    sn_trial_free(&by_five);
  }
}

/* Steps that follow the motion: 5(4) remains, bit for bit, or what is tried costs little. */
static void test_motions(void **state) {
  (void)state;
  static const problem cases[] = {{"models/physical-pendulum.yaml", 5, 1e-6},
                                  {"models/slider-crank.yaml", 1, 1e-5},
                                  {"models/andrews.yaml", 0.03, 1e-5},
                                  {"models/pendulum.yaml", 0.3, 1e-6}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    sn_trial by_auto, by_five;
    const double ours = work_of(&cases[k], "auto", &by_auto), others = work_of(&cases[k], "5", &by_five);
    assert_below(ours / others, 1.05, "%s: evaluations of auto over those of 5(4)", cases[k].model);
    sn_trial_free(&by_auto);
    sn_trial_free(&by_five);
  }
}

/* A run that goes on from a checkpoint while 4(3) is in use has the bits of one that was not interrupted. */
static void test_checkpoint(void **state) {
  (void)state;
  run first, second;
  sn_history history = {0};
  const sn_options options = {.integrator = "erk", .tolerance = 1e-3, .until = 0.3};
  open_run(&first, "models/pendulum.yaml", &options);
  advance(&first, 0.2);
  sn_checkpoint_save(first.simulation, &history);
  open_run(&second, "models/pendulum.yaml", &options);
  assert_int_equal(sn_checkpoint_load(second.simulation, &history), SN_OK);
  assert_int_equal(sn_run(first.simulation), SN_OK);
  assert_int_equal(sn_run(second.simulation), SN_OK);
  const sn_state *a = &first.simulation->state, *b = &second.simulation->state;
  assert_memory_equal(a->q, b->q, (size_t)first.model->n * sizeof(double));
  assert_memory_equal(a->v, b->v, (size_t)first.model->n * sizeof(double));
  assert_int_equal(first.simulation->system->statistics.steps, second.simulation->system->statistics.steps);
  sn_history_free(&history);
  close_run(&first);
  close_run(&second);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vibrations), cmocka_unit_test(test_motions),
                                     cmocka_unit_test(test_checkpoint)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
