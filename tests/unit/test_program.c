/* test_program.c - what programs around the engine use (sinew/program.h, but for studies: test_program_cases.c): kinds and pages, facts of models, recordings and
 * summaries, contents of results, attempts; structs of callers that know fewer fields; wrong numbers and names.
 */
#include <unistd.h>

#include "sinew/about.h"
#include "sinew/attempt.h"
#include "sinew/recording.h"
#include "sinew/tables.h"
#include "support.h"

static const char pendulum[] =
    "sinew: 1\ntitle: Rod\ngravity: [0, -9.81, 0]\n"
    "parameters: {m: 2}\n"
    "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: m, inertia: [0.1, 0.1, 0.1]}}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\n"
    "outputs: {end: {point: rod.end}}\n"
    "analysis: {type: dynamics, duration: 0.2, integrator: {type: hht-i3, step: 1e-3}, output_step: 0.01}\n";

static void test_tables(void **state) {
  (void)state;
  sn_kind_info kind;
  size_t cable = SIZE_MAX, measure = SIZE_MAX, count = 0;
  for (; !sn_kind_at(count, &kind); count++) {
    if (!strcmp(kind.name, "cable") && !strcmp(kind.list, "bodies")) cable = count;
    if (!kind.of_models) measure = count;
  }
  assert_int_equal(count, sn_kind_count());
  assert_true(cable != SIZE_MAX && measure != SIZE_MAX);
  char *text = NULL;
  /* the example is a model: it compiles */
  assert_int_equal(sn_page(SN_PAGE_EXAMPLE, cable, &text), SN_OK);
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  assert_int_equal(sn_model_parse(context, "example.yaml", text, strlen(text), NULL, 0, &model), SN_OK);
  sn_model_free(model);
  sn_release(text);
  for (int page = SN_PAGE_KINDS; page <= SN_PAGE_TRUST_MARKDOWN; page++) {
    if (page == SN_PAGE_REFERENCE) continue; /* it compiles a model for every body; test reference */
    assert_int_equal(sn_page((sn_page_of)page, cable, &text), SN_OK);
    assert_true(strlen(text) > 100);
    sn_release(text);
  }
  assert_int_equal(sn_page(SN_PAGE_KIND, count, &text), SN_USAGE);
  assert_null(text);
  assert_int_equal(sn_page(SN_PAGE_EXAMPLE, measure, &text), SN_USAGE);
  assert_int_equal(sn_page((sn_page_of)99, 0, &text), SN_USAGE);
  assert_int_equal(sn_name_distance("cable", "calbe", 4), 1);
  sn_context_free(context);
}

/* A planar four-bar linkage of three bodies in space has one degree of freedom; by counting, 3*6 - 4*5 = -2: three of its
 * equations repeat others. */
static void test_freedom(void **state) {
  (void)state;
  static const char four_bar[] =
      "sinew: 1\nbodies:\n"
      "  a: {type: rigid, from: [0, 0, 0], to: [0, 1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "  b: {type: rigid, from: [0, 1, 0], to: [2, 2, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "  c: {type: rigid, from: [2, 2, 0], to: [2, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "joints:\n"
      "  p: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
      "  q: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
      "  r: {type: revolute, between: [b.end, c.start], axis: [0, 0, 1]}\n"
      "  s: {type: revolute, between: [ground, c.end], axis: [0, 0, 1]}\n";
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, four_bar);
  sn_freedom_info info = {.size = sizeof info};
  assert_int_equal(sn_model_freedom(model, &info), SN_OK);
  assert_int_equal(info.freedom, 1);
  assert_int_equal(info.redundant, 3);
  assert_non_null(strstr(info.notes, "redundant"));
  sn_release(info.notes);
  sn_joint_info joint;
  assert_int_equal(sn_model_joint(model, 3, &joint), SN_OK);
  assert_string_equal(joint.kind, "revolute");
  assert_string_equal(joint.body[1], "c");
  assert_int_equal(joint.equations, 5);
  assert_int_equal(sn_model_joint(model, 4, &joint), SN_USAGE);
  assert_int_equal(sn_model_stages(model), 0);
  sn_stage_info stage = {.size = sizeof stage};
  assert_int_equal(sn_model_stage(model, 0, &stage), SN_USAGE);
  sn_model_free(model);
  sn_context_free(context);
}

static void test_facts(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, pendulum), *finer;
  double g[3];
  int refined;
  sn_model_gravity(model, g);
  assert_string_equal(sn_model_title(model), "Rod");
  assert_true(g[1] == -9.81);
  assert_null(sn_model_parameter_word(model, 0)); /* a number */
  assert_null(sn_model_parameter_word(model, 1)); /* there is none */
  /* A caller who knows fewer fields: nothing is written behind those. */
  struct {
    sn_stage_info info;
    char behind[8];
  } s = {.info = {.size = offsetof(sn_stage_info, integrator), .integrator = "mine"}};
  memcpy(s.behind, "1234567", 8);
  assert_int_equal(sn_model_stage(model, 0, &s.info), SN_OK);
  assert_string_equal(s.info.kind, "dynamics");
  assert_true(s.info.duration == 0.2);
  assert_string_equal(s.info.integrator, "mine");
  assert_string_equal(s.behind, "1234567");
  s.info.size = sizeof s; /* ... and one who knows more */
  assert_int_equal(sn_model_stage(model, 0, &s.info), SN_OK);
  assert_string_equal(s.info.integrator, "hht-i3");
  assert_true(s.info.step == 1e-3);
  assert_string_equal(s.behind, "1234567");
  assert_int_equal(sn_model_refine(model, NULL, 2, &refined, &finer), SN_OK);
  assert_int_equal(refined, 0);
  assert_string_equal(sn_model_title(finer), "Rod");
  sn_model_free(finer);
  assert_int_equal(sn_model_refine(model, NULL, 0, &refined, &finer), SN_USAGE);
  assert_null(finer);
  assert_int_equal(sn_set_message(context, SN_IO, "mine"), SN_IO);
  assert_string_equal(sn_message(context), "mine");
  assert_false(sn_interrupted(context));
  sn_interrupt(context);
  assert_true(sn_interrupted(context));
  sn_model_free(model);
  sn_context_free(context);
}

/* ---- recordings and what lies in their files ---- */

static void count_steps(void *user, const sn_simulation *simulation) {
  sn_progress_info info = {.size = sizeof info};
  sn_simulation_progress(simulation, &info);
  assert_true(info.time == sn_time(simulation) && info.end > 0 && info.stage == 0);
  *(long *)user = info.steps;
}

/* The summary of the run is that of its file. */
static void compare_summaries(sn_recording *recording, sn_result *result) {
  sn_summary own = {.size = sizeof own}, file = {.size = sizeof file};
  assert_int_equal(sn_recording_summary(recording, &own), SN_OK);
  assert_int_equal(sn_result_summary(result, &file), SN_OK);
  assert_int_equal(own.steps, file.steps);
  assert_int_equal(own.iterations, file.iterations);
  assert_string_equal(own.title, "Rod");
  assert_string_equal(own.title, file.title);
  assert_string_equal(own.integrator, file.integrator);
  assert_string_equal(own.trust, file.trust);
  assert_string_equal(own.analysis, "dynamics");
  assert_true(own.energy_error == file.energy_error && own.kinetic == file.kinetic && own.reached == file.reached);
}

static void look_inside(sn_result *result, size_t rows) {
  sn_object *root = sn_result_object(result, "/", 1);
  sn_object_info info;
  bool time = false;
  sn_object_about(root, &info);
  assert_int_equal(info.kind, SN_OBJECT_GROUP);
  assert_string_equal(sn_object_text(root, "title"), "Rod");
  for (size_t i = 0; i < info.members; i++) {
    sn_object_info member;
    sn_object_about(sn_object_member_at(root, i), &member);
    time = time || (!strcmp(member.name, "time") && member.rows == rows);
  }
  assert_true(time);
  sn_attribute_info attribute;
  assert_null(sn_object_member_at(root, info.members));
  assert_int_equal(sn_object_attribute_at(root, info.attributes, &attribute), SN_USAGE);
  sn_object_free(root);
  double t[3];
  assert_int_equal(sn_result_rows(result, "/time", 1, 3, 2, sizeof *t, t), SN_OK);
  const sn_series *series = sn_result_time(result);
  for (size_t i = 0; i < 3; i++) assert_true(t[i] == series->value[1 + 2 * i]);
  assert_int_equal(sn_result_rows(result, "/time", rows, 1, 1, sizeof *t, t), SN_IO);
  assert_int_equal(sn_result_rows(result, "/no", 0, 1, 1, sizeof *t, t), SN_IO);
  assert_int_equal(sn_result_rows(result, "/time", 0, 1, 1, 3, t), SN_IO);
  assert_null(sn_result_object(result, "/no", 1));
  size_t length;
  sn_linear_info linear;
  assert_null(sn_result_text(result, "/no", &length));
  assert_int_equal(sn_result_linear(result, &linear), SN_USAGE);
  assert_null(sn_result_modes(result, &length));
  assert_null(sn_result_trouble(result));
}

/* The first half, then the rest from its checkpoint: the bits of one run, as from a checkpoint on the way. */
static void test_recording(void **state) {
  (void)state;
  char folder[] = "/tmp/sinew-program-XXXXXX", path[3][64];
  assert_non_null(mkdtemp(folder));
  for (int k = 0; k < 3; k++) snprintf(path[k], sizeof path[k], "%s/%d.h5", folder, k);
  const sn_options options[3] = {{.checkpoint = 0.05}, {.checkpoint = 0.05, .until = 0.1}, {0}};
  double last[3] = {0};
  for (int k = 0; k < 3; k++) {
    run r;
    sn_recording *recording = NULL;
    sn_result *result = NULL;
    long steps = 0;
    open_run(&r, pendulum, &options[k]);
    const sn_recording_options how = {sizeof how, path[k], k == 2 ? path[1] : NULL};
    if (sn_recording_open(r.simulation, &how, &recording)) fail_msg("%s", sn_message(r.context));
    assert_int_equal(sn_recording_watch(recording, &result), SN_OK);
    sn_result_free(result);
    assert_int_equal(sn_recording_run(recording, count_steps, &steps), SN_OK);
    assert_int_equal(sn_recording_run(recording, NULL, NULL), SN_USAGE);
    assert_int_equal(sn_recording_close(recording), SN_OK);
    assert_int_equal(sn_recording_close(recording), SN_USAGE);
    assert_int_equal(steps, k == 1 ? 100 : 200);
    assert_int_equal(sn_result_open(r.context, path[k], &result), SN_OK);
    compare_summaries(recording, result);
    const sn_series *x = sn_result_series(result, "end.x");
    assert_int_equal(x->count, k == 1 ? 11 : 21);
    last[k] = x->value[x->count - 1];
    if (k == 0) look_inside(result, 21);
    sn_result_free(result);
    sn_recording_free(recording);
    close_run(&r);
  }
  assert_true(fabs(last[0] - last[2]) < 1e-12);
  assert_true(last[0] != last[1]);
  /* a complete run cannot be resumed, nor can one of no file; nothing is left behind */
  run r;
  sn_recording *recording;
  char other[64];
  snprintf(other, sizeof other, "%s/other.h5", folder);
  open_run(&r, pendulum, NULL);
  const sn_recording_options complete = {sizeof complete, other, path[0]}, none = {sizeof none, other, "/no/such"},
                             nameless = {sizeof nameless, NULL, NULL};
  assert_int_equal(sn_recording_open(r.simulation, &none, &recording), SN_IO);
  assert_int_equal(sn_recording_open(r.simulation, &nameless, &recording), SN_USAGE);
  assert_int_equal(sn_recording_open(r.simulation, &complete, &recording), SN_USAGE);
  assert_null(recording);
  assert_int_not_equal(access(other, F_OK), 0);
  close_run(&r);
  for (int k = 0; k < 3; k++) unlink(path[k]);
  assert_int_equal(rmdir(folder), 0);
}

static void test_modes(void **state) {
  (void)state;
  run r;
  const sn_options options = {.analysis = "[{type: statics}, {type: modes, count: 2}]"};
  sn_modes_info modes;
  size_t stage;
  const char *method;
  static const char hanging[] =
      "sinew: 1\ngravity: [0, -10, 0]\n"
      "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [0, -1, 0], mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\n";
  open_run(&r, hanging, &options);
  assert_int_equal(sn_modes_count(r.simulation), 0);
  assert_int_equal(sn_modes_at(r.simulation, 0, &modes, &stage, &method), SN_USAGE);
  assert_int_equal(sn_run(r.simulation), SN_OK);
  assert_int_equal(sn_modes_count(r.simulation), 1);
  assert_int_equal(sn_modes_at(r.simulation, 0, &modes, &stage, &method), SN_OK);
  assert_int_equal(stage, 1);
  assert_string_equal(modes.kind, "vibration");
  /* physical pendulum: w^2 = m g d/(I + m d^2) = 2*10*0.5/(0.1 + 2*0.25) */
  assert_true(fabs(modes.w2[0] - 10 / 0.6) < 1e-9);
  close_run(&r);
}

/* ---- attempts ---- */

/* hht-i3 is of second order: differences of runs with halved steps fall by four. */
static void test_attempts(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, pendulum);
  sn_attempt *attempt[3];
  for (int k = 0; k < 3; k++) {
    const sn_options options = {.integrator = "hht-i3", .step = 4e-3 / (1 << k)};
    sn_attempt_info info = {.size = sizeof info};
    assert_int_equal(sn_attempt_create(model, &options, NULL, &attempt[k]), SN_OK);
    assert_int_equal(sn_attempt_about(attempt[k], &info), SN_OK);
    assert_int_equal(info.status, SN_OK);
    assert_int_equal(info.rows, 21);
    assert_int_equal(info.steps, 50 << k);
    assert_string_equal(info.integrator, "hht-i3");
  }
  assert_true(sn_attempt_distance(attempt[0], attempt[0], SN_POSITIONS) == 0);
  const double a = sn_attempt_distance(attempt[0], attempt[1], SN_POSITIONS),
               b = sn_attempt_distance(attempt[1], attempt[2], SN_POSITIONS);
  assert_true(fabs(sn_observed_order(a / b, 2, 2) - 2) < 0.1);
  assert_true(fabs(sn_attempt_relative(attempt[0], attempt[1], SN_POSITIONS) -
                   a / sn_attempt_scale(attempt[1], SN_POSITIONS)) < 1e-15);
  const sn_deviation d = sn_attempt_deviation(attempt[0], attempt[1], 0, sn_attempt_range(model, attempt[0], 0));
  sn_source from;
  const double deviation[SN_SOURCES] = {d.largest, NAN, NAN};
  assert_true(d.largest > 0 && isnan(d.agree));
  assert_true(sn_attempt_bar(attempt[0], deviation, &from) >= d.largest && from == SN_FROM_TIME);
  assert_true(isnan(sn_attempt_range(model, attempt[0], 1000)));
  assert_true(isnan(sn_attempt_deviation(attempt[0], attempt[1], 1000, 1).largest));
  assert_true(isnan(sn_attempt_distance(attempt[0], attempt[1], SN_MEASURES)));
  assert_null(sn_measure_name(SN_MEASURES));
  assert_null(sn_source_name(SN_SOURCES));
  for (int k = 0; k < 3; k++) sn_attempt_free(attempt[k]);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tables),    cmocka_unit_test(test_freedom), cmocka_unit_test(test_facts),
      cmocka_unit_test(test_recording), cmocka_unit_test(test_modes),   cmocka_unit_test(test_attempts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
