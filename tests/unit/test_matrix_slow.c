/* test_matrix_slow.c - the error of every method follows the tolerance: a part of the matrix of
 * studies/tolerance-matrix.
 *
 * Against a tight run by another method: positions within ten times the tolerance (relative to the largest way,
 * or to the size of the model below 1 m, as tolerances are), reactions of rigid mechanisms within a hundred times of it, energy (relative
 * to the energy exchanged) within ten, and never
 * more than 1.5 times worse with a tighter tolerance.
 */
#include "run/trial.h"
#include "support.h"

static const struct problem {
  const char *model;
  double until;
  bool rigid;
} problems[] = {
    {"models/simple-pendulum.yaml", 2, true}, {"models/slider-crank.yaml", 1, true},
    {"models/andrews.yaml", 0.03, true},      {"models/heavy-top.yaml", 2, true},
    {"models/governor.yaml", 2, true},        {"models/spatial-slider-crank.yaml", 1, true},
    {"models/pendulum.yaml", 0.3, false},     {"models/beam-pendulum.yaml", 0.1, false},
};

static void try(const struct problem *p, const char *method, double tolerance, sn_trial *trial) {
  sn_context *context = sn_context_create();
  sn_options options = {.integrator = method, .tolerance = tolerance, .until = p->until};
  sn_model *model = parse(context, p->model);
  sn_trial_run(model, &options, trial);
  if (trial->status) fail_msg("%s by %s at %g: %s", p->model, method, tolerance, trial->message);
  sn_model_free(model);
  sn_context_free(context);
}

static void check_method(const char *method, const char *other) {
  static const double tolerances[] = {1e-4, 1e-6, 1e-8};
  for (size_t k = 0; k < SN_COUNT(problems); k++) {
    const struct problem *p = &problems[k];
    sn_trial reference, trial;
    double before = INFINITY;
    try(p, other, strcmp(other, "adams") == 0 ? 1e-10 : 1e-11, &reference);
    for (size_t i = 0; i < SN_COUNT(tolerances); i++) {
      double tolerance = tolerances[i];
      try(p, method, tolerance, &trial);
      double error = sn_trial_distance(&trial, &reference, SN_POSITIONS) /
                     fmax(reference.length, sn_trial_scale(&reference, SN_POSITIONS));
      assert_below(error, 10 * tolerance, "%s by %s at %g", p->model, method, tolerance);
      assert_below(error, fmax(1.5 * before, tolerance), "%s by %s gets worse at %g", p->model, method, tolerance);
      if (p->rigid) {
        double reaction = sn_trial_relative(&trial, &reference, SN_MULTIPLIERS);
        assert_below(reaction, 100 * tolerance, "reactions of %s by %s at %g", p->model, method, tolerance);
      }
      assert_below(fabs(trial.energy_ratio), 10 * tolerance, "energy of %s by %s at %g", p->model, method, tolerance);
      before = error;
      sn_trial_free(&trial);
    }
    sn_trial_free(&reference);
  }
}

static void test_radau5(void **state) {
  (void)state;
  check_method("radau5", "adams");
}
static void test_radau(void **state) {
  (void)state;
  check_method("radau", "adams");
}
static void test_gam(void **state) {
  (void)state;
  check_method("gam", "radau");
}
static void test_ida(void **state) {
  (void)state;
  check_method("ida", "radau");
}
static void test_adams(void **state) {
  (void)state;
  check_method("adams", "radau");
}
static void test_erk(void **state) {
  (void)state;
  check_method("erk", "radau");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_radau5), cmocka_unit_test(test_radau),
                                     cmocka_unit_test(test_gam),    cmocka_unit_test(test_ida),
                                     cmocka_unit_test(test_adams),  cmocka_unit_test(test_erk)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
