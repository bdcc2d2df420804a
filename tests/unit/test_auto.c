/* test_auto.c - what `auto` decides, that it says so, and that what comes of it is right. */
#include "analysis/checkpoint.h"
#include "analysis/choice.h"
#include "run/trial.h"
#include "support.h"

/* ---- what is known beforehand ---- */

static const struct {
  const char *model;
  double step, tolerance;
  const char *method, *because;
} rules[] = {
    {"models/pendulum-peg.yaml", 0, 1e-5, "hht-i3", "bodies may touch"},
    {"models/two-beams.yaml", 0, 1e-5, "hht-i3", "bodies may touch"},
    {"models/ellipsoids.yaml", 0, 1e-5, "radau", "rigid bodies may touch"},
    {"models/pendulum-peg-dvi.yaml", 1e-4, 0, "symplectic-euler", "only this integrator supports"},
    {"models/simple-pendulum.yaml", 1e-3, 0, "hht-i3", "steps are fixed"},
    {"models/pendulum.yaml", 1e-3, 0, "hht-i3", "steps are fixed"},
};

static void test_rules(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(rules); k++) {
    char words[200], name[40];
    run r;
    sn_options options = {.integrator = "auto", .step = rules[k].step, .tolerance = rules[k].tolerance};
    open_run(&r, rules[k].model, &options);
    snprintf(words, sizeof words, "integrator auto: %s, because %s", rules[k].method, rules[k].because);
    snprintf(name, sizeof name, "auto (%s)", rules[k].method);
    const char *notes = r.simulation->start.notes;
    if (!strstr(notes, words)) fail_msg("%s: no '%s' in: %s", rules[k].model, words, notes);
    assert_string_equal(r.simulation->ops->kind.name, rules[k].method);
    assert_string_equal(r.simulation->integrator_name, name);
    assert_true(r.simulation->settings->step == rules[k].step);
    if (rules[k].tolerance > 0) assert_true(r.simulation->settings->tolerance == rules[k].tolerance);
    close_run(&r);
  }
}

/* ---- judged by outcome ---- */

#define BAR(body, joint, duration)                                                                                  \
  "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {steel: {density: 7800, young: 2e11, poisson: 0.3},"                \
  " rubber: {density: 1200, young: 5e6, poisson: 0.4}}\nsections: {square: {type: rectangle, width: 0.02, height: " \
  "0.02}}\nbodies: {bar: {" body "}}\njoints: {" joint                                                              \
  "}\noutputs: {tip: {point: bar.end}}\n"                                                                           \
  "analysis: {type: dynamics, duration: " #duration ", output_step: 0.01}\n"

/* Closed loops whose equations repeat others, one of them only on its constraints (Bennett's linkage: links 1 and 0.6 m
 * long, twisted by 0.7 and asin(0.6 sin 0.7)), and a double pendulum that hits a stiff stop. */
static const char four_bar[] =
    "sinew: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n" SWINGING_FOUR_BAR
    "outputs:\n"
    "  tip: {point: b.end}\n"
    "analysis: {type: dynamics, duration: 2, output_step: 0.1}\n";
static const char bennett[] =
    "sinew: 1\n"
    "gravity: [0.3, -9.81, 2]\n"
    "bodies:\n"
    "  b1: {type: rigid, from: [0.453596121425577, 0.891207360061435, 0], to: [0.338872381749675, 0.317507895032183, "
    "-0.133069107534112], mass: 1, inertia: [0.05, 0.1, 0.12]}\n"
    "  b2: {type: rigid, from: [0.338872381749675, 0.317507895032183, -0.133069107534112], to: [-0.6, 0, "
    "-1.94289029309402e-16], mass: 2, inertia: [0.05, 0.1, 0.12]}\n"
    "  b3: {type: rigid, from: [-0.6, 0, -1.94289029309402e-16], to: [2.22044604925031e-16, -2.77555756156289e-17, "
    "-6.93889390390723e-17], mass: 3, inertia: [0.05, 0.1, 0.12]}\n"
    "joints:\n"
    "  j1: {type: revolute, between: [ground, b1.start], axis: [0.574131544347986, -0.292214644284772, "
    "0.764842187284489]}\n"
    "  j2: {type: revolute, between: [b1.end, b2.start], axis: [0.221781845890187, -0.262193180963404, "
    "0.939184512590488]}\n"
    "  j3: {type: revolute, between: [b2.end, b3.start], axis: [-1.66533453693773e-16, 0.386530612342614, "
    "0.922276577671819]}\n"
    "  j4: {type: revolute, between: [b3.end, ground], axis: [0, 0, 1]}\n"
    "outputs:\n"
    "  p: {point: b2.center}\n"
    "analysis: {type: dynamics, duration: 2, output_step: 0.1}\n";
static const char stop[] =
    "sinew: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.5, 0, 0], mass: 1, inertia: [0.001, 0.03, 0.03]}\n"
    "  b: {type: rigid, from: [0.5, 0, 0], to: [0.5, 0.5, 0], mass: 1, inertia: [0.03, 0.001, 0.03]}\n"
    "joints:\n"
    "  i: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
    "  j: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
    "forces:\n"
    "  s: {type: spring, between: [\"ground.at(-0.2, -1.2, 0)\", b.end], length: 0.5, force: \"if(stretch < 0, "
    "1e6*stretch + 1e3*rate*step(-stretch, 0, 0, 1e-3, 1), 0)\"}\n"
    "outputs: {tip: {point: b.end}}\n"
    "analysis: {type: dynamics, duration: 2, output_step: 0.01}\n";

/* Models of all kinds, some of which were looked at when the constants of choice.c were set: what a model gets that
 * names no method is called good, and is within ten tolerances of gam at 1e-9, which is not among the candidates. */
static const char *const outcomes[] = {
    "models/pendulum.yaml",
    "models/simple-pendulum.yaml",
    "models/spatial-slider-crank.yaml", /* a closed loop in space */
    "models/double-four-bar.yaml",      /* through its flat position */
    four_bar,
    bennett,
    stop,
    BAR("type: cable, from: [0, 0, 0], to: [1, 0.3, 0], elements: 5, material: rubber, section: square",
        "pin: {type: spherical, between: [ground, bar.start]}", 1),
    BAR("type: floating, from: [0, 0, 0], to: [0.7, 0, 0], elements: 4, modes: 4, material: steel, section: square",
        "pin: {type: revolute, between: [ground, bar.start], axis: [0, 0, 1]}", 1),
    BAR("type: rigid, from: [0, 0, 0], to: [0.3, 0, 0.1], mass: 2, inertia: [0.01, 0.03, 0.03], angular_velocity: [0, "
        "30, 0]",
        "pin: {type: universal, between: [ground, bar.start], axis: [0, 1, 0], axis2: [0, 0, 1]}", 2),
};

static void test_outcomes(void **state) {
  (void)state;
  static const double tolerances[] = {1e-4, 1e-5, 1e-6};
  for (size_t i = 0; i < SN_COUNT(outcomes); i++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, outcomes[i]);
    sn_trial reference;
    sn_options tight = {.integrator = "{type: gam, tolerance: 1e-9}"};
    sn_trial_run(model, &tight, &reference);
    for (size_t k = 0; k < SN_COUNT(tolerances); k++) {
      sn_trial trial;
      sn_trial_run(model, &(sn_options){.integrator = "auto", .tolerance = tolerances[k]}, &trial);
      assert_int_equal(trial.status, SN_OK);
      double error = reference.status ? 0 : sn_trial_relative(&trial, &reference, SN_POSITIONS);
      if (trial.trust != SN_GOOD || !(error <= 10 * tolerances[k]))
        fail_msg("%s\ntolerance %g: error %g, %s\n%s", outcomes[i], tolerances[k], error, sn_trust_names[trial.trust],
                 trial.reasons);
      sn_trial_free(&trial);
    }
    sn_trial_free(&reference);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* Along the tree, with few equations that close loops, erk is selected where it needs far less work. */
static void test_explicit_along_tree(void **state) {
  (void)state;
  static const struct {
    const char *model, *method;
  } cases[] = {{bennett, "erk"},
               {"models/spatial-slider-crank.yaml", "erk"},
               {"models/pendulum.yaml", NULL},
               {"models/heavy-top.yaml", NULL}};
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, cases[i].model);
    sn_simulation *s;
    assert_int_equal(sn_simulation_create(model, &(sn_options){.integrator = "auto", .tolerance = 1e-6}, &s), SN_OK);
    if ((strcmp(s->chosen, "erk") == 0) != (cases[i].method != NULL))
      fail_msg("%s: %s", cases[i].model, s->start.notes);
    sn_simulation_free(s);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* The state of the run itself is as it was, and the statistics are those of the run alone. */
static void test_trial_leaves_no_trace(void **state) {
  (void)state;
  run r;
  sn_options options = {.integrator = "auto", .tolerance = 1e-5};
  open_run(&r, "models/pendulum.yaml", &options);
  assert_true(r.simulation->state.t == 0);
  assert_int_equal(r.simulation->system->statistics.steps, 0);
  assert_true(r.simulation->trial_work > 0);
  assert_true(strstr(r.simulation->start.notes, "tried over") != NULL);
  char settings[100];
  snprintf(settings, sizeof settings, "{type: %s, tolerance: %.17g}", r.simulation->chosen, 1e-5 * r.simulation->share);
  run named;
  open_run(&named, "models/pendulum.yaml", &(sn_options){.integrator = settings});
  advance(&r, 0.3);
  advance(&named, 0.3);
  assert_memory_equal(r.simulation->state.q, named.simulation->state.q,
                      (size_t)r.simulation->system->n * sizeof(double));
  close_run(&r);
  close_run(&named);
}

#define MASS "sinew: 1\nbodies: {mass: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}\n"

/* It is what a model gets that names none; its own settings go over to the method. */
static void test_default_and_settings(void **state) {
  (void)state;
  run r;
  open_run(&r, MASS "analysis: {type: dynamics, duration: 1}\n", NULL);
  assert_non_null(strstr(r.simulation->integrator_name, "auto ("));
  close_run(&r);
  open_run(&r,
           MASS
           "analysis: {type: dynamics, duration: 1, integrator: {type: auto, tolerance: 1e-4, relative: 1e-3, "
           "absolute: 1e-6, max_step: 0.1, min_step: 1e-9, initial_step: 0.01, solver: klu}}\n",
           NULL);
  const sn_integrator_spec *s = r.simulation->settings;
  assert_true(s->tolerance == 1e-4 && s->relative == 1e-3 && s->absolute == 1e-6 && s->max_step == 0.1 &&
              s->min_step == 1e-9 && s->initial_step == 0.01);
  assert_string_equal(sn_system_solver(r.simulation->system, NULL)->name, "klu");
  close_run(&r);
  /* a model without an analysis goes on for ever */
  open_run(&r, MASS, NULL);
  advance(&r, 0.5);
  close_run(&r);
}

/* ---- the same choice, whoever asks ---- */

/* A decision holds where a run is resumed: it is not made again, though other settings would decide otherwise. */
static void test_checkpoint_keeps_it(void **state) {
  (void)state;
  run r, resumed;
  sn_history history = {0};
  sn_options options = {.integrator = "auto", .tolerance = 1e-5, .until = 2};
  open_run(&r, "models/simple-pendulum.yaml", &options);
  advance(&r, 0.5);
  sn_checkpoint_save(r.simulation, &history);
  options.step = 1e-3;
  open_run(&resumed, "models/simple-pendulum.yaml", &options);
  assert_string_equal(resumed.simulation->integrator_name, "auto (hht-i3)");
  close_run(&resumed);
  options.step = 0;
  open_run(&resumed, "models/simple-pendulum.yaml", &options);
  assert_int_equal(sn_checkpoint_load(resumed.simulation, &history), SN_OK);
  assert_string_equal(resumed.simulation->integrator_name, "auto (radau)");
  assert_true(resumed.simulation->share == r.simulation->share);
  assert_true(resumed.simulation->settings->tolerance == r.simulation->settings->tolerance);
  sn_history_free(&history);
  close_run(&r);
  close_run(&resumed);
}

/* A resumed run that is asked for something else is decided for that, as one that begins. */
static void test_resumed_otherwise(void **state) {
  (void)state;
  run r, resumed;
  sn_history history = {0};
  sn_options options = {.integrator = "auto", .tolerance = 1e-5, .until = 2};
  open_run(&r, "models/simple-pendulum.yaml", &options);
  advance(&r, 0.5);
  assert_string_equal(r.simulation->integrator_name, "auto (radau)");
  sn_checkpoint_save(r.simulation, &history);
  options.step = 1e-3;
  open_run(&resumed, "models/simple-pendulum.yaml", &options);
  assert_int_equal(sn_checkpoint_load(resumed.simulation, &history), SN_OK);
  assert_string_equal(resumed.simulation->integrator_name, "auto (hht-i3)"); /* what fixed steps call for */
  assert_int_equal(sn_run(resumed.simulation), SN_OK);
  close_run(&resumed);
  options = (sn_options){.integrator = "auto", .tolerance = 1e-3, .until = 2};
  open_run(&resumed, "models/simple-pendulum.yaml", &options);
  assert_int_equal(sn_checkpoint_load(resumed.simulation, &history), SN_OK);
  assert_true(resumed.simulation->given->tolerance == 1e-3);
  assert_true(resumed.simulation->settings->tolerance == 1e-3 * resumed.simulation->share);
  assert_true(resumed.simulation->tried_at > 0); /* work before it is not that since its trial */
  assert_false(sn_choice_due(resumed.simulation));
  sn_history_free(&history);
  close_run(&r);
  close_run(&resumed);
}

/* Trials on the way come at the same steps and decide the same with two threads, and in a run that is resumed. */
static void test_trials_on_the_way(void **state) {
  (void)state;
  run r, other;
  sn_history history = {0};
  const char *const model = "models/flexible-slider-crank.yaml";
  sn_options options = {.integrator = "auto", .tolerance = 1e-5}, two = options;
  two.threads = 2;
  open_run(&r, model, &options);
  const double first = r.simulation->tried_at;
  advance(&r, 0.3);
  sn_checkpoint_save(r.simulation, &history);
  assert_int_equal(sn_checkpoint_load(r.simulation, &history), SN_OK); /* as a run that writes one goes on */
  open_run(&other, model, &two);
  assert_int_equal(sn_checkpoint_load(other.simulation, &history), SN_OK);
  const size_t bytes = (size_t)r.simulation->system->n * sizeof(double);
  while (!sn_all_finished(r.simulation)) {
    assert_int_equal(sn_step(r.simulation), SN_OK);
    assert_int_equal(sn_step(other.simulation), SN_OK);
    assert_memory_equal(r.simulation->state.q, other.simulation->state.q, bytes);
    assert_true(r.simulation->tried_at == other.simulation->tried_at);
  }
  assert_true(r.simulation->tried_at > first); /* there was another trial */
  sn_history_free(&history);
  close_run(&r);
  close_run(&other);
}

/* A run of many steps is told at once; an integrator of high order is no remedy for one. */
static void test_many_steps(void **state) {
  (void)state;
  static const char *const names[] = {"hht-i3", "radau", "gam"};
  for (size_t i = 0; i < SN_COUNT(names); i++) {
    run r;
    open_run(&r, "models/pendulum.yaml", &(sn_options){.integrator = names[i], .tolerance = 1e-5, .until = 1e6});
    while (r.simulation->system->statistics.steps < 201) assert_int_equal(sn_step(r.simulation), SN_OK);
    const char *note = strstr(r.simulation->start.notes, "this run needs");
    assert_non_null(note);
    assert_int_equal(strstr(note, "(radau)") != NULL, i == 0);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_outcomes),
      cmocka_unit_test(test_explicit_along_tree),
      cmocka_unit_test(test_trial_leaves_no_trace),
      cmocka_unit_test(test_default_and_settings),
      cmocka_unit_test(test_checkpoint_keeps_it),
      cmocka_unit_test(test_resumed_otherwise),
      cmocka_unit_test(test_trials_on_the_way),
      cmocka_unit_test(test_many_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
