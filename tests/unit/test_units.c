/* test_units.c - one model in meters, millimeters, kilometers and hundredths of a millimeter, with masses in
 * proportion: the same motion in the same number of steps, and the same verdict. */
#include "run/trial.h"
#include "support.h"

static const double duration = 0.3;

/* A ball that moves along falls on a floor with friction: all lengths times L, masses times L^3. */
static void run_ball(const char *method, bool dvi, double L, sn_trial *trial) {
  char words[1024], law[160];
  sn_context *context = sn_context_create();
  const double M = L * L * L, stiffness = 1e7 * M / sqrt(L);
  if (dvi)
    snprintf(law, sizeof law, "friction: 0.3, method: dvi");
  else
    snprintf(law, sizeof law, "friction: 0.3, stiffness: %.17g, slip: %.17g, damping: %.17g", stiffness, 1e-3 * L,
             0.5 / L);
  snprintf(words, sizeof words,
           "sinew: 1\ngravity: [0, 0, %.17g]\nbodies: {b: {type: rigid, position: [0, 0, %.17g], velocity: [%.17g, 0, "
           "0], mass: %.17g, shape: {type: sphere, radius: %.17g}}}\n"
           "surfaces: {skin: {type: sphere, on: b}, floor: {type: plane, normal: [0, 0, 1]}}\ncontacts: {touch: {%s}}\n"
           "outputs: {b: {point: b.center}}\n"
           "analysis: {type: dynamics, duration: %g, output_step: 0.01, integrator: %s}\n",
           -9.81 * L, 0.15 * L, 0.5 * L, 0.5 * M, 0.05 * L, law, duration, method);
  sn_model *model = parse(context, words);
  sn_trial_run(model, &(sn_options){0}, trial);
  if (trial->status != SN_OK) fail_msg("%s, 1 m = %g: %s", method, L, trial->message);
  sn_model_free(model);
  sn_context_free(context);
}

static void compare(const char *method, bool dvi, double L, double steps) {
  sn_trial one, other;
  run_ball(method, dvi, 1, &one);
  run_ball(method, dvi, L, &other);
  assert_int_equal(one.rows, other.rows);
  double apart = 0;
  for (int i = 0; i < one.rows; i++)
    apart = fmax(apart, fabs(one.output[i * one.outputs + 2] - other.output[i * other.outputs + 2] / L));
  assert_below(apart, 5e-5, "height by %s, 1 m = %g", method, L);
  const double times = (double)other.statistics.steps / (double)one.statistics.steps;
  assert_below(fabs(log(times)), log(steps), "steps of %s, 1 m = %g: %ld", method, L, other.statistics.steps);
  if (one.trust != other.trust)
    fail_msg("%s, 1 m = %g: %s, not %s\n%s", method, L, sn_trust_names[other.trust], sn_trust_names[one.trust],
             other.reasons);
  assert_true(other.statistics.estimated_until > 0.999 * duration); /* failed attempts do not end the estimate */
  sn_trial_free(&one);
  sn_trial_free(&other);
}

static void motion_does_not_depend_on_units(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "newmark", "gssss", "nstiff", "radau", "gam", "erk"};
  static const double units[] = {1e3, 1e-3, 1e-5};
  for (size_t i = 0; i < SN_COUNT(methods); i++)
    for (size_t k = 0; k < SN_COUNT(units); k++) compare(methods[i], false, units[k], 1.1);
  for (size_t k = 0; k < SN_COUNT(units); k++) compare("ida", false, units[k], 3);
}

/* Below, `contact_tolerance` of 1e-6 m/s is the speed of the motion. */
static void complementarity(void **state) {
  (void)state;
  compare("{type: symplectic-euler, step: 5e-4}", true, 1e3, 1.001);
  compare("{type: symplectic-euler, step: 5e-4}", true, 1e-3, 1.001);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motion_does_not_depend_on_units),
      cmocka_unit_test(complementarity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
