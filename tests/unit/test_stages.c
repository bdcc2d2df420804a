/* test_stages.c - lists of stages: each goes on where the last one ended, and all are in one file. */
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/modes.h"
#include "run/record.h"
#include "support.h"

#define BEAM                                                                                                      \
  "sinew: 1\ngravity: [0, -9.81, 0]\n"                                                                            \
  "materials: {rubber: {density: 7200, young: 2e7}}\n"                                                            \
  "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"                                            \
  "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: rubber, section: square, " \
  "stiffness_damping: 0.01}}\n"                                                                                   \
  "joints: {clamp: {type: fixed, between: [ground, beam.start]}}\n"                                               \
  "outputs: {tip: {point: beam.end}, clamp: {reaction: clamp}}\n"

#define STAGES                                                                                             \
  BEAM "analysis:\n"                                                                                       \
       "  - {type: dynamics, duration: 0.3, output_step: 0.1, integrator: {type: newmark, step: 0.002}}\n" \
       "  - {type: statics, steps: 2}\n"                                                                   \
       "  - {type: modes, count: 4}\n"                                                                     \
       "  - {type: dynamics, duration: 0.2, output_step: 0.05}\n"

static void one_file(void **state) {
  (void)state;
  run r;
  char path[] = "/tmp/sinew-stages-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  open_run(&r, STAGES, NULL);
  sn_writer *writer;
  assert_int_equal(sn_writer_open(r.simulation, path, &writer), SN_OK);
  if (sn_record(r.simulation, writer, NULL, NULL)) fail_msg("%s", sn_message(r.context));
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  assert_true(sn_all_finished(r.simulation));

  sn_result *result;
  assert_int_equal(sn_result_open(r.context, path, &result), SN_OK);
  const sn_result_info *info = sn_result_about(result);
  assert_string_equal(info->analysis, "dynamics, statics, modes, dynamics");
  const double *t = sn_result_time(result)->value, *stage = sn_result_series(result, "stage")->value;
  const double *load = sn_result_series(result, "load")->value, *y = sn_result_series(result, "tip.y")->value;
  const double *vy = sn_result_series(result, "tip.vy")->value,
               *error = sn_result_series(result, "energy.error")->value;
  size_t rows = info->rows, last[5] = {0};
  for (size_t i = 0; i < rows; i++) {
    assert_true(i == 0 || (t[i] >= t[i - 1] && stage[i] >= stage[i - 1]));
    assert_true(load[i] == 1); /* a later stage keeps the whole load */
    last[(int)stage[i]] = i;
  }
  assert_int_equal(last[1], 3); /* 0, 0.1, 0.2, 0.3 */
  assert_true(fabs(t[last[1]] - 0.3) < 1e-12 && fabs(t[last[2]] - 0.3) < 1e-12 && fabs(t[rows - 1] - 0.5) < 1e-12);
  assert_int_equal(last[3], last[2] + 1); /* one row for the modes */
  assert_int_equal(rows - 1 - last[3], 5);
  assert_true(fabs(vy[last[1]]) > 1e-3); /* it was moving, and statics stopped it where it stays */
  for (size_t i = last[2]; i < rows; i++) {
    check_below(fabs(y[i] - y[last[2]]), 1e-7, __FILE__, __LINE__, "at rest in row %zu", i);
    check_below(fabs(error[i]), 1e-9, __FILE__, __LINE__, "energy in row %zu", i);
  }
  sn_result_free(result);

  /* equilibrium does not depend on where it was looked for from */
  run direct;
  double tip[3];
  open_run(&direct, BEAM "analysis: statics\n", NULL);
  assert_int_equal(sn_run(direct.simulation), SN_OK);
  sn_read(direct.simulation, "tip", tip, 3);
  double now[3];
  sn_read(r.simulation, "tip", now, 3);
  check_below(distance(tip, now, 3), 1e-7, __FILE__, __LINE__, "equilibrium");
  close_run(&direct);
  close_run(&r);
  unlink(path);
}

/* Two dynamic stages are one: the same steps, the same end. A start that is given moves the clock. */
static void time_goes_on(void **state) {
  (void)state;
  run one, two;
  double a[3], b[3];
  open_run(&one, BEAM "analysis: {type: dynamics, duration: 0.2, integrator: {type: hht-i3, step: 1e-3}}\n", NULL);
  open_run(&two,
           BEAM
           "analysis: [{type: dynamics, duration: 0.1, integrator: {type: hht-i3, step: 1e-3}}, "
           "{type: dynamics, duration: 0.1, integrator: {type: hht-i3, step: 1e-3}}]\n",
           NULL);
  assert_int_equal(sn_run(one.simulation), SN_OK);
  assert_int_equal(sn_run(two.simulation), SN_OK);
  assert_true(fabs(sn_time(two.simulation) - 0.2) < 1e-12);
  sn_read(one.simulation, "tip", a, 3);
  sn_read(two.simulation, "tip", b, 3);
  check_below(distance(a, b, 3), 1e-5, __FILE__, __LINE__, "tip"); /* the error of the method */
  close_run(&two);
  open_run(&two, BEAM "analysis: [{type: dynamics, duration: 0.1}, {type: dynamics, start: 5, duration: 0.1}]\n", NULL);
  assert_int_equal(sn_run(two.simulation), SN_OK);
  assert_true(fabs(sn_time(two.simulation) - 5.1) < 1e-12);
  close_run(&one);
  close_run(&two);
}

/* Options hold for all stages that move; the end is that of the last one. */
static void options_hold_for_all(void **state) {
  (void)state;
  run r;
  sn_options options = {.integrator = "newmark", .step = 0.01, .until = 0.4};
  open_run(&r, BEAM "analysis: [{type: dynamics, duration: 0.1}, statics, {type: dynamics, duration: 0.1}]\n",
           &options);
  for (int stage = 0; !sn_all_finished(r.simulation); stage = r.simulation->stage) {
    if (r.simulation->ops) {
      assert_string_equal(r.simulation->integrator_name, "newmark");
      assert_true(r.simulation->settings->step == 0.01);
    }
    assert_true(stage <= r.simulation->stage);
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
  }
  assert_true(fabs(sn_time(r.simulation) - 0.4) < 1e-12);
  close_run(&r);
}

/* An end within an earlier stage ends the run there; where a later stage begins anew in time, it is that of the last.
 */
static void end_in_a_stage(void **state) {
  (void)state;
  static const struct {
    const char *stages;
    double until, end;
    int stage;
  } list[] = {
      {"{type: dynamics, duration: 0.1}, {type: dynamics, duration: 0.1}", 0.05, 0.05, 0},
      {"{type: dynamics, duration: 0.1}, statics, {type: dynamics, duration: 0.1}", 0.15, 0.15, 2},
      {"{type: dynamics, duration: 0.1}, {type: dynamics, start: 0, duration: 0.1}", 0.05, 0.05, 1},
      {"{type: dynamics, duration: 0.1}, {type: dynamics, duration: 0.1}, statics", 0.12, 0.12, 2},
  };
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    char text[1000];
    run r;
    sn_options options = {.integrator = "newmark", .step = 0.01, .until = list[i].until};
    snprintf(text, sizeof text, BEAM "analysis: [%s]\n", list[i].stages);
    open_run(&r, text, &options);
    assert_int_equal(sn_run(r.simulation), SN_OK);
    assert_below(fabs(sn_time(r.simulation) - list[i].end), 1e-12, "end of case %d", (int)i);
    assert_int_equal(r.simulation->stage, list[i].stage);
    close_run(&r);
  }
}

/* A later static stage follows drivers in small steps to its own time: the arm is turned by a half, which one jump
 * could not do. */
static void statics_follows_drivers(void **state) {
  (void)state;
  run r;
  double tip[3];
  open_run(&r,
           "sinew: 1\nmaterials: {rubber: {density: 7200, young: 2e7}}\n"
           "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"
           "bodies:\n"
           "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
           "  arm: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: rubber, section: square}\n"
           "joints:\n"
           "  axle: {type: revolute, between: [ground, hub.center], axis: [0, 0, 1]}\n"
           "  root: {type: fixed, between: [hub.center, arm.start]}\n"
           "  turn: {type: motion, between: [ground, hub.center], axis: [0, 0, 1], rotation: pi*t}\n"
           "outputs: {tip: {point: arm.end}}\n"
           "analysis: [statics, {type: statics, start: 1}]\n",
           NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_read(r.simulation, "tip", tip, 3);
  check_below(distance(tip, (double[]){-1, 0, 0}, 3), 1e-8, __FILE__, __LINE__, "tip");
  assert_true(sn_time(r.simulation) == 1);
  close_run(&r);
}

static void empty_list(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model;
  const char *text = "sinew: 1\nanalysis: []\n";
  assert_int_equal(sn_model_parse(context, "case", text, strlen(text), NULL, 0, &model), SN_BAD_MODEL);
  assert_non_null(strstr(sn_message(context), "the list of stages is empty"));
  sn_context_free(context);
}

/* On a slope of 1 : 5 friction of 0.5 holds the box, the spring of statics alone lets it down: that is said, as long as no
 * dynamics follows. What does not move needs no friction. */
static void statics_without_friction_is_doubtful(void **state) {
  (void)state;
  static const struct {
    double gravity;
    const char *analysis;
    bool doubtful, noted;
  } cases[] = {{-10, "[{type: statics}]", true, false},
               {-10, "[{type: statics}, {type: dynamics, duration: 0.01}]", false, true},
               {0, "[{type: statics}]", false, false}};
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    char text[1000];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\ngravity: [0, %g, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 1, "
             "inertia: [1, 1, 1]}}\njoints: {s: {type: prismatic, between: [ground, box.center], axis: [1, 0.2, 0]}}\n"
             "forces: {rub: {type: friction, joint: s, coefficient: 0.5}, k: {type: spring, between: ['ground.at(-1, "
             "-0.2, 0)', box.center], stiffness: 100}}\nanalysis: %s\n",
             cases[i].gravity, cases[i].analysis);
    run_to_end(&r, text);
    const char *what = "statics is without dry friction: 'rub' could hold";
    assert_int_equal(strstr(verdict_of(&r, SN_OK).reasons, what) != NULL, cases[i].doubtful);
    assert_int_equal(strstr(r.simulation->start.notes, what) != NULL, cases[i].noted);
    close_run(&r);
  }
}

/* What a later stage refuses is said before the first one runs. */
static void refused_before_the_first(void **state) {
  (void)state;
#define MASS                                                                                                       \
  "sinew: 1\nplanar: true\nbodies: {m: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\njoints: " \
  "{h: {type: revolute, between: [\"ground.at(0, 0, 0)\", m.center]}}\n"
  static const struct {
    const char *text, *words;
  } cases[] = {
      {MASS "events: {e: {when: t - 1, lock: h}}\nanalysis: [{type: dynamics, duration: 9}, modes]\n",
       "modes does not support joints that events lock"},
      {MASS
       "variables: {x: {rate: 1}}\nanalysis: [{type: dynamics, duration: 9}, {type: dynamics, duration: 1}, {type: "
       "kinematics, duration: 1}]\n",
       "kinematics does not support differential variables: 'x'"},
      {MASS "variables: {x: {rate: 1}}\nanalysis: [statics, {type: dynamics, duration: 9}, modes]\n",
       "the model has the differential variable 'x'"},
      {MASS
       "forces: {s: {type: stop, joints: [h], max: 1, restitution: 0.5}}\nanalysis: [{type: dynamics, duration: 9, "
       "integrator: {type: symplectic-euler, step: 1e-3}}, linearize]\n",
       "linearize does not support stops with a restitution"},
  };
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    run r = {.context = sn_context_create()};
    if (sn_model_parse(r.context, "stages", cases[i].text, strlen(cases[i].text), NULL, 0, &r.model))
      fail_msg("%s", sn_message(r.context));
    assert_int_equal(sn_simulation_create(r.model, NULL, &r.simulation), SN_USAGE);
    if (!strstr(sn_message(r.context), cases[i].words)) fail_msg("%s", sn_message(r.context));
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statics_without_friction_is_doubtful),
      cmocka_unit_test(one_file),
      cmocka_unit_test(time_goes_on),
      cmocka_unit_test(options_hold_for_all),
      cmocka_unit_test(end_in_a_stage),
      cmocka_unit_test(statics_follows_drivers),
      cmocka_unit_test(empty_list),
      cmocka_unit_test(refused_before_the_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
