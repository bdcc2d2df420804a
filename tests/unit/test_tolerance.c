/* test_tolerance.c - adaptive steps of the low-order methods: a tighter tolerance is never worse.
 *
 * The reference is radau, of order up to 13, with a tight tolerance: another family of methods. Errors are the largest
 * ones of positions at the output times, and of the energy, which needs no reference.
 */
#include "analysis/compare.h"
#include "support.h"

/* An error may rise by this when the tolerance is tightened a little: steps do not fall with it evenly. */
static const double WORSE = 1.5;

typedef struct motion {
  const char *model, *set; /* set: a parameter; NULL: as in the file */
  double time, tightest;
  double loosest;   /* whose position errors are compared */
  double reference; /* tolerance of it: its error is far below what is compared */
} motion;

static const char *const all[] = {"{type: hht-i3",  "{type: hht-si2",         "{type: hht-add",
                                  "{type: newmark", "{type: nstiff",          "{type: nstiff-si2",
                                  "{type: gssss",   "{type: gssss, index: 2", NULL};
static const char *const index3[] = {"{type: hht-i3", "{type: hht-i3, alpha: -0.1", "{type: nstiff", NULL};

static sn_model *load(sn_context *context, const motion *m) {
  sn_model *model;
  if (sn_model_load(context, m->model, &m->set, m->set != NULL, &model)) fail_msg("%s", sn_message(context));
  return model;
}

static void check(const motion *m, const char *const *methods) {
  static const double tolerances[] = {1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8};
  sn_context *context = sn_context_create();
  sn_model *model = load(context, m);
  sn_trial reference;
  sn_trial_run(model, &(sn_options){.integrator = "radau", .tolerance = m->reference, .until = m->time}, &reference);
  assert_int_equal(reference.status, SN_OK);
  for (; *methods; methods++) {
    double before[2] = {INFINITY, INFINITY};
    for (size_t i = 0; i < SN_COUNT(tolerances) && tolerances[i] >= m->tightest; i++) {
      char integrator[100];
      sn_trial trial;
      snprintf(integrator, sizeof integrator, "%s, tolerance: %g}", *methods, tolerances[i]);
      sn_trial_run(model, &(sn_options){.integrator = integrator, .until = m->time}, &trial);
      if (trial.status) fail_msg("%s %s: %s", m->model, integrator, trial.message);
      double error[2] = {sn_trial_distance(&trial, &reference, SN_POSITIONS), trial.energy_error};
      for (int k = 0; k < 2; k++) {
        assert_below(error[k], WORSE * before[k], "%s %s: %s error", m->model, integrator, k ? "energy" : "position");
        before[k] = k == 0 && tolerances[i] > m->loosest ? INFINITY : error[k];
      }
      sn_trial_free(&trial);
    }
  }
  sn_trial_free(&reference);
  sn_model_free(model);
  sn_context_free(context);
}

static void test_rigid(void **state) {
  (void)state;
  check(&(motion){"models/physical-pendulum.yaml", NULL, 6, 3e-8, 1, 1e-10}, all);
  check(&(motion){"models/slider-crank.yaml", NULL, 1, 3e-8, 1, 1e-10}, all);
}

/* Steps of the stiff bar at 3e-5 and above are as long as Newton lets them be, and there the energy lost, which
 * shortens the swing, and the steps, which lengthen it, cancel in the position by chance: compared is the energy alone.
 */
static void test_flexible(void **state) {
  (void)state;
  check(&(motion){"models/bulin-pendulum.yaml", NULL, 0.8, 1e-7, 1, 1e-10}, index3);
  check(&(motion){"models/orzechowski-pendulum.yaml", NULL, 0.5, 1e-6, 1, 1e-10}, index3);
  check(&(motion){"models/orzechowski-pendulum.yaml", "E=2e11", 3, 1e-7, 2e-5, 1e-7}, index3);
}

/* Many swings: steps that begin to follow each of them at some tolerance lose energy there. */
static void test_many_swings(void **state) {
  (void)state;
  static const char *const hht[] = {"{type: hht-i3", NULL};
  check(&(motion){"models/physical-pendulum.yaml", NULL, 60, 3e-8, 0, 1e-8}, hht);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rigid),
      cmocka_unit_test(test_many_swings),
      cmocka_unit_test(test_flexible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
