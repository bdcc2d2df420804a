/* test_compare.c - runs side by side: orders, errors, refinement of any ratio, failures as trials. */
#include "run/trial.h"
#include "support.h"

#define MODEL                                                               \
  "sinew: 1\ngravity: [0, -9.81, 0]\n"                                      \
  "bodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}\n"      \
  "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n" \
  "%s"                                                                      \
  "analysis: {type: dynamics, duration: 1, output_step: 0.05, integrator: {type: hht-i3}}\n"

/* The pendulum of benchmark A1, with or without outputs. */
static sn_model *pendulum(sn_context *context, const char *outputs) {
  char text[1024];
  snprintf(text, sizeof text, MODEL, outputs);
  return parse(context, text);
}

static const char both[] = "outputs: {bob: {point: bob}, rod: {reaction: rod}}\n";

/* ---- the formula: made-up values x(h) = c h^p ---- */

static void orders_of_powers(void **state) {
  (void)state;
  const double h[][3] = {{4, 2, 1}, {8, 4, 1}, {1, 0.9, 0.3}};
  for (size_t i = 0; i < SN_COUNT(h); i++)
    for (double p = 0.5; p < 7; p += 0.75) {
      double x[3];
      for (int k = 0; k < 3; k++) x[k] = 3 * pow(h[i][k], p);
      double seen = sn_observed_order((x[0] - x[1]) / (x[1] - x[2]), h[i][0] / h[i][1], h[i][1] / h[i][2]);
      assert_below(fabs(seen - p), 1e-7, "order %g of row %zu", p, i);
    }
  assert_true(isnan(sn_observed_order(0, 2, 2)));
  assert_true(isnan(sn_observed_order(4, 1, 2)));
  assert_true(isnan(sn_observed_order(NAN, 2, 2)));
}

/* ---- orders of methods: 1 for newmark (delta > 0), 2 for hht-i3 (theory) ---- */

static void check_orders(const char *outputs, const char *integrator, double order) {
  const double step[3] = {4e-3, 2e-3, 5e-4}; /* ratios differ */
  sn_context *context = sn_context_create();
  sn_model *model = pendulum(context, outputs);
  sn_trial trial[3];
  for (int i = 0; i < 3; i++) {
    sn_trial_run(model, &(sn_options){.integrator = integrator, .step = step[i]}, &trial[i]);
    assert_int_equal(trial[i].status, SN_OK);
    assert_int_equal(trial[i].rows, 21);
    assert_string_equal(trial[i].integrator, integrator);
    assert_true(trial[i].step == step[i]);
  }
  for (int k = 0; k < SN_MEASURES; k++) {
    double ratio =
        sn_trial_distance(&trial[0], &trial[1], (sn_measure)k) / sn_trial_distance(&trial[1], &trial[2], (sn_measure)k);
    double seen = sn_observed_order(ratio, step[0] / step[1], step[1] / step[2]);
    assert_below(fabs(seen - order), 0.15, "%s: order %g in %s", integrator, seen, sn_measure_names[k]);
  }
  for (int i = 0; i < 3; i++) sn_trial_free(&trial[i]);
  sn_model_free(model);
  sn_context_free(context);
}

static void orders_of_methods(void **state) {
  (void)state;
  check_orders(both, "newmark", 1);
  check_orders(both, "hht-i3", 2);
  check_orders("", "hht-i3", 2); /* of all coordinates and multipliers */
}

/* ---- errors; the reference run is itself checked by the energy of a fall from rest ---- */

static void errors_and_costs(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model = pendulum(context, both);
  sn_trial reference, loose, tight, twin;
  sn_trial_run(model, &(sn_options){.integrator = "radau", .tolerance = 1e-10}, &reference);
  sn_trial_run(model, &(sn_options){.tolerance = 1e-4}, &loose);
  sn_trial_run(model, &(sn_options){.tolerance = 1e-6}, &tight);
  sn_trial_run(model, &(sn_options){.tolerance = 1e-6}, &twin);
  double a = sn_trial_relative(&loose, &reference, SN_POSITIONS),
         b = sn_trial_relative(&tight, &reference, SN_POSITIONS);
  assert_true(a > 1e-5 && a < 0.05);
  assert_below(b, a / 4, "a tighter tolerance gives a smaller error");
  assert_true(sn_trial_relative(&tight, &tight, SN_POSITIONS) == 0);
  assert_true(sn_trial_distance(&tight, &twin, SN_MULTIPLIERS) == 0); /* runs are repeatable */
  assert_true(loose.statistics.steps < tight.statistics.steps && loose.statistics.iterations > 0);
  assert_true(tight.cpu > 0 && tight.drift[0] > 0 && tight.energy_error < loose.energy_error);
  /* v^2 = -2 g y: a fall from rest by the end */
  const double *x = reference.value[SN_POSITIONS] + 3 * 20, *v = reference.value[SN_VELOCITIES] + 3 * 20;
  assert_below(fabs(inner(v, v, 3) + 2 * 9.81 * x[1]), 1e-7, "speed of the pendulum");
  sn_trial_free(&reference);
  sn_trial_free(&loose);
  sn_trial_free(&tight);
  sn_trial_free(&twin);
  sn_model_free(model);
  sn_context_free(context);
}

/* ---- failures ---- */

static void failures_are_trials(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model = pendulum(context, both);
  sn_trial failed, done;
  sn_trial_run(model, &(sn_options){.integrator = "symplectic-euler", .tolerance = 1e-4}, &failed);
  assert_int_equal(failed.status, SN_USAGE);
  assert_non_null(strstr(failed.message, "has no error control"));
  assert_null(strchr(failed.message, '\n'));
  assert_string_equal(failed.integrator, "symplectic-euler");
  sn_trial_run(model, &(sn_options){.tolerance = 1e-4}, &done);
  assert_int_equal(done.status, SN_OK);
  assert_string_equal(done.message, "");
  assert_true(isnan(sn_trial_distance(&failed, &done, SN_POSITIONS)));
  sn_trial_free(&failed);
  sn_trial_free(&done);
  sn_interrupt(context);
  sn_trial_run(model, &(sn_options){.tolerance = 1e-4}, &failed);
  assert_int_equal(failed.status, SN_INTERRUPTED);
  sn_trial_free(&failed);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_of_powers),
      cmocka_unit_test(orders_of_methods),
      cmocka_unit_test(errors_and_costs),
      cmocka_unit_test(failures_are_trials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
