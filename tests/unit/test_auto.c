/* test_auto.c - what `auto` decides for the models of the repository, and that it says so. */
#include "analysis/checkpoint.h"
#include "support.h"

typedef struct decision {
  const char *model;
  double step, tolerance;
  const char *method, *because;
} decision;

static const decision decisions[] = {
    /* rigid bodies, mechanisms with springs of their own pace: high order */
    {"models/simple-pendulum.yaml", 0, 1e-5, "radau", "nothing vibrates"},
    {"models/slider-crank.yaml", 0, 1e-5, "radau", "nothing vibrates"},
    {"models/andrews.yaml", 0, 1e-5, "radau", "nothing vibrates"},
    {"models/double-pendulum-springs.yaml", 0, 1e-5, "radau", "nothing vibrates"},
    {"models/huang-pendulum.yaml", 0, 1e-9, "radau", "nothing vibrates"}, /* a soft bar */
    /* flexible bodies with axial vibrations far above what is recorded */
    {"models/pendulum.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"},
    {"models/hussein-pendulum.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"},
    {"models/flexible-slider-crank.yaml", 0, 1e-6, "hht-i3", "it damps vibrations"},
    {"models/huang-double-pendulum.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"}, /* a nearly rigid one */
    {"models/cable-chain.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"},
    {"models/beam-pendulum.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"},
    {"models/plate-pendulum.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"},
    {"models/spin-up.yaml", 0, 1e-5, "hht-i3", "it damps vibrations"},
    /* the same to tight tolerances */
    {"models/pendulum.yaml", 0, 1e-9, "radau", "the tolerance is tight"},
    {"models/pendulum.yaml", 0, 1e-7, "hht-i3", "it damps vibrations"},
    {"models/flexible-slider-crank.yaml", 0, 1e-8, "radau", "the tolerance is tight"},
    /* contact */
    {"models/pendulum-peg.yaml", 0, 1e-5, "hht-i3", "parts may touch"},
    {"models/two-beams.yaml", 0, 1e-5, "hht-i3", "parts may touch"},
    {"models/pendulum-peg-dvi.yaml", 1e-4, 0, "symplectic-euler", "it alone carries"},
    /* fixed steps */
    {"models/simple-pendulum.yaml", 1e-3, 0, "hht-i3", "steps are fixed"},
    {"models/pendulum.yaml", 1e-3, 0, "hht-i3", "steps are fixed"},
};

static void test_decisions(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(decisions); k++) {
    const decision *d = &decisions[k];
    char words[200], name[40];
    run r;
    sn_options options = {.integrator = "auto", .step = d->step, .tolerance = d->tolerance};
    open_run(&r, d->model, &options);
    snprintf(words, sizeof words, "integrator auto: %s, because %s", d->method, d->because);
    snprintf(name, sizeof name, "auto (%s)", d->method);
    const char *notes = r.simulation->start.notes;
    if (!strstr(notes, words)) fail_msg("%s: no '%s' in: %s", d->model, words, notes);
    assert_string_equal(r.simulation->ops->kind.name, d->method);
    assert_string_equal(r.simulation->integrator_name, name);
    assert_true(r.simulation->settings.step == d->step);
    if (d->tolerance > 0) assert_true(r.simulation->settings.tolerance == d->tolerance);
    close_run(&r);
  }
}

#define MASS "sinew: 1\nbodies: {mass: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}\n"

/* It is what a model gets that names none; its own settings go over to the method. */
static void test_default_and_settings(void **state) {
  (void)state;
  run r;
  open_run(&r, MASS "analysis: {type: dynamics, duration: 1}\n", NULL);
  assert_string_equal(r.simulation->integrator_name, "auto (radau)");
  close_run(&r);
  open_run(&r,
           MASS
           "analysis: {type: dynamics, duration: 1, integrator: {type: auto, tolerance: 1e-4, relative: 1e-3, "
           "absolute: 1e-6, max_step: 0.1, min_step: 1e-9, initial_step: 0.01, solver: klu}}\n",
           NULL);
  const sn_integrator_spec *s = &r.simulation->settings;
  assert_true(s->tolerance == 1e-4 && s->relative == 1e-3 && s->absolute == 1e-6 && s->max_step == 0.1 &&
              s->min_step == 1e-9 && s->initial_step == 0.01);
  assert_string_equal(r.simulation->system->solver_ops->name, "klu");
  assert_true(s->project); /* a setting of the method alone: its default */
  close_run(&r);
}

/* A decision holds for the whole stage: it is not made again where a run is resumed. */
static void test_checkpoint_keeps_it(void **state) {
  (void)state;
  run r, resumed;
  sn_history history = {0};
  sn_options options = {.integrator = "auto", .tolerance = 1e-5, .until = 0.2};
  open_run(&r, "models/pendulum.yaml", &options);
  advance(&r, 0.05);
  sn_checkpoint_save(r.simulation, &history);
  options.tolerance = 1e-9; /* which would decide otherwise */
  open_run(&resumed, "models/pendulum.yaml", &options);
  assert_string_equal(resumed.simulation->integrator_name, "auto (radau)");
  assert_int_equal(sn_checkpoint_load(resumed.simulation, &history), SN_OK);
  assert_string_equal(resumed.simulation->integrator_name, "auto (hht-i3)");
  sn_history_free(&history);
  close_run(&r);
  close_run(&resumed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_decisions),
      cmocka_unit_test(test_default_and_settings),
      cmocka_unit_test(test_checkpoint_keeps_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
