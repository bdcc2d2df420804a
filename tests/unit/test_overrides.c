/* test_overrides.c - what a caller changes leaves the rest of the model as it is: another integrator keeps the accuracy
 * that the file asks for, whichever way it is named. */
#include "model/registry.h"
#include "support.h"

static const char adaptive[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n"
    "bodies: {bob: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
    "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
    "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, relative: 1e-7, absolute: 1e-9, max_step: "
    "0.1}}\n";
static const char fixed[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n"
    "bodies: {bob: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
    "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
    "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, step: 1e-3}}\n";

/* The settings in force: named by the options, or by an override of the file. */
static sn_integrator_spec settings_and(const char *text, const char *integrator, bool by_set, const char *field,
                                       double *value) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation;
  char set[128];
  const char *sets[] = {set};
  snprintf(set, sizeof set, "integrator=%s", integrator);
  const sn_options options = {.integrator = by_set ? NULL : integrator};
  if (sn_model_parse(context, "model", text, strlen(text), sets, by_set ? 1 : 0, &model))
    fail_msg("%s", sn_message(context));
  if (sn_simulation_create(model, &options, &simulation)) fail_msg("%s", sn_message(context));
  sn_integrator_spec s = *simulation->settings;
  if (field) *value = sn_setting(simulation, field);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return s;
}

static sn_integrator_spec settings(const char *text, const char *integrator, bool by_set) {
  return settings_and(text, integrator, by_set, NULL, NULL);
}

static void test_tolerances_are_kept(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "radau", "gam", "ida", "adams", "erk", "newmark", "gssss"};
  for (int by_set = 0; by_set < 2; by_set++)
    for (size_t i = 0; i < SN_COUNT(methods); i++) {
      sn_integrator_spec s = settings(adaptive, methods[i], by_set);
      assert_below(fabs(s.relative - 1e-7), 0, "relative tolerance of %s", methods[i]);
      assert_below(fabs(s.absolute - 1e-9), 0, "absolute tolerance of %s", methods[i]);
      assert_below(fabs(s.max_step - 0.1), 0, "largest step of %s", methods[i]);
      assert_below(s.step, 0, "fixed step of %s", methods[i]);
    }
}

static void test_steps_are_kept(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "radau5", "newmark", "gssss", "symplectic-euler"};
  for (int by_set = 0; by_set < 2; by_set++) {
    for (size_t i = 0; i < SN_COUNT(methods); i++)
      assert_below(fabs(settings(fixed, methods[i], by_set).step - 1e-3), 0, "step of %s", methods[i]);
    /* it cannot have one */
    assert_below(settings(fixed, "ida", by_set).step, 0, "step of ida");
  }
}

/* What the caller says counts, and then nothing of the file's accuracy. */
static void test_own_accuracy(void **state) {
  (void)state;
  for (int by_set = 0; by_set < 2; by_set++) {
    sn_integrator_spec s = settings(adaptive, "{type: radau, tolerance: 1e-4}", by_set);
    assert_below(fabs(s.tolerance - 1e-4) + s.relative + s.absolute, 0, "own tolerance");
    s = settings(adaptive, "{type: newmark, step: 1e-2}", by_set);
    assert_below(fabs(s.step - 1e-2), 0, "own step");
    s = settings(fixed, "{type: radau, tolerance: 1e-4}", by_set);
    assert_below(s.step + fabs(s.tolerance - 1e-4), 0, "own tolerance in place of a step");
    double alpha;
    s = settings_and(adaptive, "{type: hht-i3, alpha: -0.2}", by_set, "alpha", &alpha);
    assert_below(fabs(s.relative - 1e-7) + fabs(alpha + 0.2), 0, "the same method with another alpha");
  }
}

/* A step or tolerance of the caller: in place of the file's, by the fields of the method. */
static sn_status with_options(const char *text, sn_options options, double *step, double *tolerance) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *simulation = NULL;
  if (sn_model_parse(context, "model", text, strlen(text), NULL, 0, &model)) fail_msg("%s", sn_message(context));
  sn_status status = sn_simulation_create(model, &options, &simulation);
  if (!status) *step = simulation->settings->step, *tolerance = simulation->settings->tolerance;
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return status;
}

static void test_options(void **state) {
  (void)state;
  double step = -1, tolerance = -1;
  assert_int_equal(with_options(fixed, (sn_options){.tolerance = 1e-4}, &step, &tolerance), SN_OK);
  assert_true(step == 0 && tolerance == 1e-4);
  assert_int_equal(with_options(adaptive, (sn_options){.step = 1e-2}, &step, &tolerance), SN_OK);
  assert_true(step == 1e-2);
  assert_int_equal(with_options(fixed, (sn_options){.finer = 2}, &step, &tolerance), SN_OK);
  assert_true(step == 0.5e-3);
  /* no such fields */
  assert_int_equal(with_options(fixed, (sn_options){.integrator = "ida", .step = 1e-3}, &step, &tolerance), SN_USAGE);
  const sn_options no_tolerance = {.integrator = "symplectic-euler", .tolerance = 1e-4};
  assert_int_equal(with_options(fixed, no_tolerance, &step, &tolerance), SN_USAGE);
}

/* Every method, named by --integrator or by --set, is given the same accuracy, limits and bounds. */
static void test_both_ways_agree(void **state) {
  (void)state;
  static const char bounded[] =
      "sinew: 1\ngravity: [0, -9.81, 0]\n"
      "bodies: {bob: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, tolerance: 1e-6, bounds: step, horizon: 0.3, "
      "min_step: 1e-9}}\n";
  static const char *const texts[] = {adaptive, fixed, bounded};
  for (size_t k = 0; k < SN_COUNT(texts); k++)
    for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
      if ((*kind)->category != SN_INTEGRATORS) continue;
      if (strcmp((*kind)->name, "symplectic-euler") == 0 && k != 1) continue; /* it needs a step */
      const sn_integrator_spec a = settings(texts[k], (*kind)->name, false),
                               b = settings(texts[k], (*kind)->name, true);
      assert_true(a.step == b.step && a.tolerance == b.tolerance && a.relative == b.relative);
      assert_true(a.absolute == b.absolute && a.bounds == b.bounds && a.horizon == b.horizon);
      assert_true(a.min_step == b.min_step && a.max_step == b.max_step);
    }
  const sn_integrator_spec s = settings(bounded, "radau", true);
  assert_true(s.bounds == SN_BOUND_STEP && s.horizon == 0.3 && s.min_step == 1e-9);
}

/* ---- lengths of steps that contradict each other ---- */

static const char *const contradictions[] = {"min_step: 1, max_step: 1e-3", "max_step: 1e-13", "min_step: 1e31",
                                             "initial_step: 1, max_step: 0.1", "initial_step: 1e-4, min_step: 0.1"};
static const char *const of_fixed[] = {"step: 0.1, max_step: 0.01", "step: 0.1, min_step: 0.2",
                                       "step: 0.1, min_step: 0.2, max_step: 0.01"};

static const char pendulum[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n"
    "bodies: {bob: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
    "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n";

static sn_status read_with(const char *integrator, const char *const *sets, size_t count, const char *words) {
  char text[600];
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  snprintf(text, sizeof text, "%sanalysis: {type: dynamics, duration: 1, integrator: {%s}}\n", pendulum, integrator);
  const sn_status status = sn_model_parse(context, "model", text, strlen(text), sets, count, &model);
  if (words && !strstr(sn_message(context), words)) fail_msg("{%s}: %s", integrator, sn_message(context));
  sn_model_free(model);
  sn_context_free(context);
  return status;
}

/* Of every method, in the file with line and column, in an override, and in {type: ...} of a caller. */
static void test_contradictions(void **state) {
  (void)state;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != SN_INTEGRATORS || sn_field_index(*kind, "max_step") < 0) continue;
    const bool has_fixed = sn_field_index(*kind, "step") >= 0;
    for (size_t k = 0; k < SN_COUNT(contradictions) + (has_fixed ? SN_COUNT(of_fixed) : 0); k++) {
      char text[200], set[220];
      const size_t own = SN_COUNT(contradictions);
      const char *const sets[] = {set};
      snprintf(text, sizeof text, "type: %s, %s", (*kind)->name, k < own ? contradictions[k] : of_fixed[k - own]);
      snprintf(set, sizeof set, "integrator={%s}", text);
      assert_int_equal(read_with(text, NULL, 0, "model:5:"), SN_BAD_MODEL);
      assert_int_equal(read_with("type: hht-i3", sets, 1, "expected min_step <= step"), SN_BAD_MODEL);
      double a, b;
      assert_int_equal(with_options(adaptive, (sn_options){.integrator = strchr(set, '{')}, &a, &b), SN_BAD_MODEL);
    }
  }
}

/* Parts of it in the file, parts from a caller; what a fixed step leaves out is no contradiction. */
static void test_contradictions_of_two(void **state) {
  (void)state;
  static const char *const limited = "type: hht-i3, max_step: 0.01", *const least = "type: hht-i3, min_step: 0.01";
  static const char *const wrong[] = {"integrator.min_step=0.1", "integrator.step=0.1", "integrator.initial_step=0.1",
                                      "integrator={type: radau, min_step: 0.1}",
                                      "integrator={type: newmark, step: 0.1}"};
  static const char *const good[] = {"integrator.step=0.01", "integrator.min_step=0.01",
                                     "integrator={type: radau, max_step: 0.1, min_step: 0.05}",
                                     "integrator={type: radau, max_step: 1e-13, step: 1e-14}"};
  for (size_t k = 0; k < SN_COUNT(wrong); k++)
    assert_int_equal(read_with(limited, &wrong[k], 1, "max_step of 0.01 s"), SN_BAD_MODEL);
  for (size_t k = 0; k < SN_COUNT(good); k++) assert_int_equal(read_with(limited, &good[k], 1, NULL), SN_OK);
  assert_int_equal(read_with(least, (const char *const[]){"integrator.step=1e-3"}, 1, "below min_step"), SN_BAD_MODEL);
  double step, tolerance;
  assert_int_equal(with_options(adaptive, (sn_options){.step = 0.2}, &step, &tolerance), SN_USAGE);
  assert_int_equal(with_options(adaptive, (sn_options){.integrator = "radau", .step = 0.2}, &step, &tolerance),
                   SN_USAGE);
  assert_int_equal(
      with_options(adaptive, (sn_options){.integrator = "{type: radau, min_step: 0.2}"}, &step, &tolerance), SN_USAGE);
  assert_int_equal(with_options(adaptive, (sn_options){.step = 0.1}, &step, &tolerance), SN_OK);
}

/* A word nobody uses is no mistake; used as a number it is. */
static void test_unused_words(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  static const char unused[] =
      "sinew: 1\nparameters: {method: hht-i3, other: radau5, L: 2, M: L-1}\n"
      "bodies: {bob: {type: point-mass, mass: M, position: [L, 0, 0]}}\n";
  static const char used[] =
      "sinew: 1\nparameters: {method: radau5}\n"
      "bodies: {bob: {type: point-mass, mass: method, position: [1, 0, 0]}}\n";
  sn_model *model = parse(context, unused);
  sn_model_free(model);
  assert_int_equal(sn_model_parse(context, "model", used, strlen(used), NULL, 0, &model), SN_BAD_MODEL);
  assert_non_null(strstr(sn_message(context), "radau5"));
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tolerances_are_kept), cmocka_unit_test(test_steps_are_kept),
      cmocka_unit_test(test_own_accuracy),        cmocka_unit_test(test_options),
      cmocka_unit_test(test_both_ways_agree),     cmocka_unit_test(test_unused_words),
      cmocka_unit_test(test_contradictions),      cmocka_unit_test(test_contradictions_of_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
