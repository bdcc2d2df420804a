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

/* A four-bar linkage in space, 3 equations of which are redundant: those of directions have 1/J, those of places 1/m. */
static void run_loop(const char *method, double L, sn_trial *trial) {
  char words[2048];
  sn_context *context = sn_context_create();
  snprintf(words, sizeof words,
           "sinew: 1\ngravity: [0, %.17g, 0]\nparameters: {L: %.17g, J: 10*L^5}\nbodies:\n"
           "  a: {type: rigid, from: [0, 0, 0], to: [0.3*L, 0.2*L, 0], mass: 1000*L^3, inertia: [J, J, J]}\n"
           "  b: {type: rigid, from: [0.3*L, 0.2*L, 0], to: [1.2*L, 0.6*L, 0], mass: 2000*L^3, inertia: [9*J, 9*J, "
           "9*J]}\n"
           "  c: {type: rigid, from: [1.2*L, 0.6*L, 0], to: [L, 0, 0], mass: 1000*L^3, inertia: [J, J, J]}\njoints:\n"
           "  A: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
           "  B: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
           "  C: {type: revolute, between: [b.end, c.start], axis: [0, 0, 1]}\n"
           "  D: {type: revolute, between: [ground, c.end], axis: [0, 0, 1]}\n"
           "outputs: {b: {point: b.end}, f: {reaction: A}}\n"
           "analysis: {type: dynamics, duration: %g, output_step: 0.01, integrator: %s}\n",
           -9.81 * L, L, duration, method);
  sn_model *model = parse(context, words);
  sn_trial_run(model, &(sn_options){0}, trial);
  if (trial->status != SN_OK) fail_msg("%s, 1 m = %g: %s", method, L, trial->message);
  assert_true(trial->statistics.estimated_until > 0.999 * duration);
  sn_model_free(model);
  sn_context_free(context);
}

static void redundant_loops_do_not_depend_on_units(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "hht-si2", "newmark", "nstiff", "gssss", "radau",
                                        "radau5", "gam",     "ida",     "adams",  "erk"};
  static const double units[] = {1e3, 1e-3, 1e-5};
  for (size_t m = 0; m < SN_COUNT(methods); m++) {
    sn_trial one, other;
    run_loop(methods[m], 1, &one);
    for (size_t k = 0; k < SN_COUNT(units); k++) {
      const double L = units[k], force = 1000 * 9.81 * L * L * L * L;
      double place = 0, pull = 0;
      run_loop(methods[m], L, &other);
      assert_int_equal(one.rows, other.rows);
      for (int i = 0; i < one.rows; i++) {
        const double *x = one.output + i * one.outputs, *y = other.output + i * other.outputs;
        place = fmax(place, fabs(x[0] - y[0] / L) + fabs(x[1] - y[1] / L));
        const int f = one.outputs - 6;
        pull = fmax(pull, fabs(x[f] / 9810 - y[f] / force) + fabs(x[f + 1] / 9810 - y[f + 1] / force));
      }
      const double worse = strcmp(methods[m], "newmark") == 0 ? 100 : 1; /* of first order, its tolerance is of steps */
      assert_below(place, 1e-4 * worse, "place by %s, 1 m = %g", methods[m], L);
      assert_below(pull, 1e-3 * worse, "reaction by %s, 1 m = %g", methods[m], L);
      sn_trial_free(&other);
    }
    sn_trial_free(&one);
  }
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
      cmocka_unit_test(redundant_loops_do_not_depend_on_units),
      cmocka_unit_test(complementarity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
