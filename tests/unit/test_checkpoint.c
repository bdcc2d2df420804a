/* test_checkpoint.c - runs that are stopped and resumed: files, stages, other settings, what cannot be resumed.
 *
 * That every integrator goes on bit by bit: test_integrators.c.
 */
#include "recorded.h"

/* A closed loop in space, with equations that repeat each other, a driver, a damper and an angle beyond a turn. */
#define LOOP                                                                                                        \
  "sinew: 1\ngravity: [0, -9.81, 0]\nparameters: {w: 15}\n"                                                         \
  "bodies:\n"                                                                                                       \
  "  crank: {type: rigid, from: [0, 0, 0], to: [0.3, 0, 0], mass: 1, shape: {type: box, size: [0.3, 0.1, 0.1]}}\n"  \
  "  rod: {type: rigid, from: [0.3, 0, 0], to: [1, 0.5, 0], mass: 2, shape: {type: box, size: [1, 0.1, 0.1]}}\n"    \
  "  rocker: {type: rigid, from: [1, 0.5, 0], to: [1, 0, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.1]}}\n" \
  "joints:\n"                                                                                                       \
  "  a: {type: revolute, between: [ground, crank.start], axis: [0, 0, 1]}\n"                                        \
  "  b: {type: revolute, between: [crank.end, rod.start], axis: [0, 0, 1]}\n"                                       \
  "  c: {type: revolute, between: [rod.end, rocker.start], axis: [0, 0, 1]}\n"                                      \
  "  d: {type: revolute, between: [ground, rocker.end], axis: [0, 0, 1]}\n"                                         \
  "  drive: {type: motion, joint: a, rotation: w*t}\n"                                                              \
  "outputs: {angle: {joint: a}, end: {point: rod.end}, force: {reaction: d}}\n"

#define TWO_STAGES                                                                                         \
  LOOP "analysis:\n"                                                                                       \
       "  - {type: dynamics, duration: 0.1, output_step: 0.02, integrator: {type: newmark, step: 2e-3}}\n" \
       "  - {type: dynamics, duration: 0.9, output_step: 0.03, integrator: {type: radau5, tolerance: 1e-6}}\n"

/* ---- files ---- */

/* All series of two files, bit by bit. */
static void assert_same_files(const char *one, const char *two) {
  sn_context *context = sn_context_create();
  sn_result *a, *b;
  assert_int_equal(sn_result_open(context, one, &a), SN_OK);
  assert_int_equal(sn_result_open(context, two, &b), SN_OK);
  const char *const *name = sn_result_names(a);
  assert_int_equal(sn_result_about(a)->rows, sn_result_about(b)->rows);
  assert_int_equal(sn_result_about(a)->statistics.steps, sn_result_about(b)->statistics.steps);
  assert_int_equal(sn_result_about(a)->statistics.iterations, sn_result_about(b)->statistics.iterations);
  assert_string_equal(sn_result_about(b)->status, "done");
  for (; *name; name++) {
    const sn_series *x = sn_result_series(a, *name), *y = sn_result_series(b, *name);
    assert_non_null(x);
    assert_non_null(y);
    assert_int_equal(x->count, y->count);
    for (size_t i = 0; i < x->count; i++)
      if (memcmp(&x->value[i], &y->value[i], sizeof(double)) != 0)
        fail_msg("%s differs in row %zu: %.17g, %.17g", *name, i, x->value[i], y->value[i]);
  }
  sn_result_free(a);
  sn_result_free(b);
  sn_context_free(context);
}

/* Interrupted twice and resumed twice, in the second stage and once into the same file: the result of a run that was
 * left in peace. */
static void test_interrupted(void **state) {
  (void)state;
  char whole[64], part[64], other[64];
  sn_options options = {.checkpoint = 0.05};
  temporary(whole, "whole");
  temporary(part, "part");
  temporary(other, "other");
  record(TWO_STAGES, options, NULL, whole, 0);
  record(TWO_STAGES, options, NULL, part, 40); /* in the first stage */
  record(TWO_STAGES, options, part, part, 40); /* in the second */
  record(TWO_STAGES, options, part, other, 0);
  assert_same_files(whole, other);
  unlink(whole);
  unlink(part);
  unlink(other);
}

/* Without checkpoints on the way: from where it stopped, and on beyond its end. */
static void test_goes_on(void **state) {
  (void)state;
  char path[64];
  sn_options options = {.integrator = "hht-i3", .step = 1e-3, .until = 0.5}, longer = options;
  temporary(path, "longer");
  longer.until = 1;
  record(TWO_STAGES, options, NULL, path, 0);
  record(TWO_STAGES, longer, path, path, 0);
  sn_context *context = sn_context_create();
  sn_result *result;
  assert_int_equal(sn_result_open(context, path, &result), SN_OK);
  const sn_series *t = sn_result_time(result);
  assert_true(t->value[t->count - 1] == 1);
  for (size_t i = 1; i < t->count; i++) assert_true(t->value[i] >= t->value[i - 1]);
  const sn_series *angle = sn_result_series(result, "angle.angle");
  assert_non_null(angle);
  assert_below(fabs(angle->value[angle->count - 1] - 15), 1e-6, "turned");
  sn_result_free(result);
  sn_context_free(context);
  unlink(path);
}

/* ---- other settings ---- */

/* Another method, or other settings: from the state alone, and so what that method makes of it. */
static void test_other_method(void **state) {
  (void)state;
  run first, second;
  sn_history history = {0};
  sn_options options = {.integrator = "nstiff", .step = 1e-3, .until = 0.4},
             other = {.integrator = "hht-si2", .tolerance = 1e-6, .until = 0.4};
  open_run(&first, TWO_STAGES, &options);
  while (sn_time(first.simulation) < 0.05)
    if (sn_step(first.simulation)) fail_msg("%s", sn_message(first.context));
  sn_checkpoint_save(first.simulation, &history);
  open_run(&second, TWO_STAGES, &other);
  assert_int_equal(sn_checkpoint_load(second.simulation, &history), SN_OK);
  assert_true(sn_time(second.simulation) == sn_time(first.simulation));
  assert_string_equal(second.simulation->integrator_name, "hht-si2");
  assert_int_equal(sn_run(first.simulation), SN_OK);
  assert_int_equal(sn_run(second.simulation), SN_OK);
  assert_below(distance(first.simulation->state.q, second.simulation->state.q, first.model->n), 1e-3, "positions");
  sn_history_free(&history);
  close_run(&first);
  close_run(&second);
}

/* A run in which `auto` had chosen goes on with a method that is named, and one with a named method with `auto`. */
static void test_auto_and_named(void **state) {
  (void)state;
  static const char *const named[] = {"hht-i3", "radau", "gam", "erk", "ida"};
  for (size_t k = 0; k < 2 * SN_COUNT(named); k++) {
    const char *name = named[k / 2];
    run first, second;
    sn_history history = {0};
    sn_options by_auto = {.integrator = "auto", .tolerance = 1e-6, .until = 0.4}, by_name = by_auto;
    by_name.integrator = name;
    open_run(&first, TWO_STAGES, k % 2 ? &by_name : &by_auto);
    while (sn_time(first.simulation) < 0.05)
      if (sn_step(first.simulation)) fail_msg("%s", sn_message(first.context));
    sn_checkpoint_save(first.simulation, &history);
    open_run(&second, TWO_STAGES, k % 2 ? &by_auto : &by_name);
    assert_int_equal(sn_checkpoint_load(second.simulation, &history), SN_OK);
    if (k % 2)
      assert_non_null(strstr(second.simulation->integrator_name, "auto ("));
    else
      assert_string_equal(second.simulation->integrator_name, name);
    assert_int_equal(sn_run(first.simulation), SN_OK);
    assert_int_equal(sn_run(second.simulation), SN_OK);
    assert_below(distance(first.simulation->state.q, second.simulation->state.q, first.model->n), 1e-3, "positions");
    sn_history_free(&history);
    close_run(&first);
    close_run(&second);
  }
}

/* ---- nothing is forgotten ---- */

/* What a run has added up by the time of a checkpoint: every number of it gets a value of its own, is saved, and is
 * loaded by a simulation that has just been made. */
static void fill(sn_simulation *s, double seed) {
  double *audit[] = {&s->energy_start, &s->largest_energy_error, &s->largest_kinetic, &s->impact_step};
  for (size_t k = 0; k < SN_COUNT(audit); k++) *audit[k] = seed + 0.25 * (double)k;
  for (int k = 0; k < SN_LEVELS; k++) s->largest_constraint[k] = seed + 10 + k;
  for (int k = 0; k < SN_WORKS; k++) s->power[k] = seed + 20 + k, s->work[k] = seed + 30 + k;
  for (int i = 0; i < s->model->outputs; i++)
    s->memory[i] = (sn_output_memory){.known = true, .t = seed + 40, .angle = seed + 50 + i, .rate = seed + 60 + i};
  s->passed = 7;
}

static void test_audit_returns(void **state) {
  (void)state;
  run from, to;
  sn_history history = {0};
  sn_options options = {.integrator = "hht-i3", .step = 1e-3, .until = 0.4};
  open_run(&from, TWO_STAGES, &options);
  open_run(&to, TWO_STAGES, &options);
  advance(&from, 0.05);
  sn_simulation *a = from.simulation, *b = to.simulation;
  fill(a, 3.5);
  sn_checkpoint_save(a, &history);
  assert_int_equal(sn_checkpoint_load(b, &history), SN_OK);
  assert_true(a->energy_start == b->energy_start && a->largest_energy_error == b->largest_energy_error);
  assert_true(a->largest_kinetic == b->largest_kinetic && a->impact_step == b->impact_step);
  for (int k = 0; k < SN_LEVELS; k++) assert_true(a->largest_constraint[k] == b->largest_constraint[k]);
  for (int k = 0; k < SN_WORKS; k++) assert_true(a->power[k] == b->power[k] && a->work[k] == b->work[k]);
  for (int i = 0; i < a->model->outputs; i++) {
    const sn_output_memory *x = &a->memory[i], *y = &b->memory[i];
    assert_true(x->known == y->known && x->t == y->t && x->angle == y->angle && x->rate == y->rate);
  }
  assert_int_equal(a->passed, b->passed);
  sn_history_free(&history);
  close_run(&from);
  close_run(&to);
}

/* The same of all statistics, whatever members they have: all are eight bytes long but `most`, which has room for it.
 * Names of bodies are set apart. Times of the whole run are brought up to date when they are saved. */
static void test_statistics_return(void **state) {
  (void)state;
  enum { WORDS = sizeof(sn_statistics) / sizeof(int64_t) };
  run from, to;
  sn_history history = {0};
  sn_options options = {.integrator = "hht-i3", .step = 1e-3, .until = 0.4};
  open_run(&from, TWO_STAGES, &options);
  open_run(&to, TWO_STAGES, &options);
  advance(&from, 0.05);
  sn_statistics *a = &from.simulation->system->statistics, *b = &to.simulation->system->statistics, x, y;
  int64_t word[WORDS], other[WORDS];
  for (int k = 0; k < WORDS; k++) word[k] = 1000 + k;
  memcpy(a, word, sizeof *a);
  a->contact.between[0] = "rod";
  a->contact.between[1] = "rocker";
  sn_checkpoint_save(from.simulation, &history);
  assert_int_equal(sn_checkpoint_load(to.simulation, &history), SN_OK);
  assert_string_equal(b->contact.between[0], "rod");
  assert_string_equal(b->contact.between[1], "rocker");
  x = *a, y = *b;
  x.contact.between[0] = x.contact.between[1] = y.contact.between[0] = y.contact.between[1] = NULL;
  x.cpu = y.cpu, x.wall = y.wall;
  memcpy(word, &x, sizeof word);
  memcpy(other, &y, sizeof other);
  for (int k = 0; k < WORDS; k++)
    if (word[k] != other[k]) fail_msg("number %d of sn_statistics is not part of a checkpoint", k);
  sn_history_free(&history);
  close_run(&from);
  close_run(&to);
}

/* ---- contact ---- */

/* In touch with the peg: what contacts are found, and which places they have in the matrix, does not depend on the
 * past. */
static void test_contact(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "radau5"};
  for (int k = 0; k < 2; k++) {
    run on, resumed;
    sn_history history = {0};
    sn_options options = {.integrator = methods[k], .tolerance = 1e-5, .until = 0.5};
    open_run(&on, "models/pendulum-peg.yaml", &options);
    while (sn_time(on.simulation) < 0.4)
      if (sn_step(on.simulation)) fail_msg("%s", sn_message(on.context));
    sn_checkpoint_save(on.simulation, &history);
    open_run(&resumed, "models/pendulum-peg.yaml", &options);
    assert_int_equal(sn_checkpoint_load(on.simulation, &history), SN_OK);
    assert_int_equal(sn_checkpoint_load(resumed.simulation, &history), SN_OK);
    advance(&on, 0.5);
    advance(&resumed, 0.5);
    const sn_state *a = &on.simulation->state, *b = &resumed.simulation->state;
    size_t size = (size_t)on.model->n * sizeof(double);
    assert_true(on.simulation->system->statistics.steps == resumed.simulation->system->statistics.steps);
    assert_true(a->t == b->t && !memcmp(a->q, b->q, size) && !memcmp(a->v, b->v, size));
    sn_history_free(&history);
    close_run(&on);
    close_run(&resumed);
  }
}

/* Files with contacts, by complementarity and by penalty, and with tables that say how bodies look. */
static void test_all_sorts_of_files(void **state) {
  (void)state;
  static const struct {
    const char *name;
    long steps; /* beyond the first checkpoint */
  } models[] = {
      {"models/solids.yaml", 60}, {"models/pendulum-peg.yaml", 2000}, {"models/flexible-slider-crank.yaml", 8000}};
  for (size_t k = 0; k < SN_COUNT(models); k++) {
    char whole[64], part[64];
    sn_options options = {.checkpoint = 0.01, .until = 0.05};
    temporary(whole, "whole");
    temporary(part, "part");
    record(models[k].name, options, NULL, whole, 0);
    record(models[k].name, options, NULL, part, models[k].steps);
    record(models[k].name, options, part, part, 0);
    assert_same_files(whole, part);
    unlink(whole);
    unlink(part);
  }
}

/* ---- what cannot be ---- */

static void refused(const char *text, const char *const *sets, size_t count, const char *path, const char *words) {
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  sn_resume resume = {0};
  if (sn_model_parse(context, "case", text, strlen(text), sets, count, &model)) fail_msg("%s", sn_message(context));
  assert_int_not_equal(sn_resume_read(model, path, &resume), SN_OK);
  if (!strstr(sn_message(context), words)) fail_msg("no '%s' in: %s", words, sn_message(context));
  sn_history_free(&resume.history);
  sn_model_free(model);
  sn_context_free(context);
}

static void test_refused(void **state) {
  (void)state;
  char path[64];
  static const char *const sets[] = {"w=16"};
  sn_options options = {.until = 0.3};
  temporary(path, "refused");
  refused(TWO_STAGES, NULL, 0, path, "not a result file");
  record(TWO_STAGES, options, NULL, path, 0);
  refused(LOOP, NULL, 0, path, "another model");
  refused(TWO_STAGES, sets, 1, path, "parameter w had a different value");
  record(LOOP "analysis: {type: kinematics, duration: 0.1}\n", options, NULL, path, 0);
  refused(LOOP "analysis: {type: kinematics, duration: 0.1}\n", NULL, 0, path, "no checkpoint");
  unlink(path);
}

/* Numbers that are missing or of another model are found before anything is done with them. */
static void test_damaged(void **state) {
  (void)state;
  run r, other;
  sn_history history = {0};
  sn_options options = {.integrator = "gam", .tolerance = 1e-6, .until = 0.4};
  open_run(&r, TWO_STAGES, &options);
  if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_checkpoint_save(r.simulation, &history);
  size_t whole = history.count;
  for (size_t count = 0; count < whole; count = count < 20 ? count + 1 : count + whole / 13) {
    history.count = count;
    assert_int_equal(sn_checkpoint_load(r.simulation, &history), SN_USAGE);
  }
  history.count = whole;
  assert_int_equal(sn_checkpoint_load(r.simulation, &history), SN_OK);
  open_run(&other, "models/pendulum.yaml", NULL);
  assert_int_equal(sn_checkpoint_load(other.simulation, &history), SN_USAGE);
  assert_non_null(strstr(sn_message(other.context), "does not belong"));
  sn_history_free(&history);
  close_run(&r);
  close_run(&other);
}

/* Any number may be damaged: the checkpoint is refused, or the run goes on or ends with a status. Assertions and the
 * sanitizers tell whether a wrong number became an index or a size. */
static void test_any_number_damaged(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "gam", "hht-i3", "nstiff", "hht-add", "erk", "symplectic-euler"};
  static const double values[] = {-1, 0, 1e6, NAN};
  long refused_numbers = 0;
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    sn_history sound = {0}, history = {0};
    sn_options options = {.integrator = methods[k], .step = strcmp(methods[k], "symplectic-euler") == 0 ? 1e-3 : 0};
    open_run(&r, "models/simple-pendulum.yaml", &options);
    for (int i = 0; i < 3; i++)
      if (sn_step(r.simulation)) fail_msg("%s: %s", methods[k], sn_message(r.context));
    sn_checkpoint_save(r.simulation, &sound);
    close_run(&r);
    for (size_t i = 0; i < sound.count; i++) {
      sn_history_clear(&history);
      sn_history_reals(&history, sound.data, sound.count);
      history.data[i] = values[(i + k) % SN_COUNT(values)];
      open_run(&r, "models/simple-pendulum.yaml", &options);
      if (sn_checkpoint_load(r.simulation, &history))
        refused_numbers++;
      else
        sn_step(r.simulation);
      close_run(&r);
    }
    sn_history_free(&sound);
    sn_history_free(&history);
  }
  assert_true(refused_numbers > 0);
}

/* ---- the verdict ---- */

/* Errors grow from checkpoint to checkpoint as they do without: a double pendulum, 30 s. Angles count turns on both sides of
 * a checkpoint: a wheel, which is right. */
#define ESTIMATED(bodies, joints, outputs, duration)                                                 \
  "sinew: 1\ngravity: [0, -9.81, 0]\nbodies: {" bodies "}\njoints: {" joints "}\noutputs: {" outputs \
  "}\nanalysis: {type: dynamics, duration: " duration                                                \
  ", output_step: 0.01, integrator: {type: radau, tolerance: 1e-4}}\n"
#define BAR(name, from, to) name ": {type: rigid, from: " from ", to: " to ", mass: 1, inertia: [1, 1, 0.02]}"

static void test_estimate(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double checkpoint;
    const char *trust;
    long steps; /* after which it is interrupted */
  } runs[] = {
      {ESTIMATED(BAR("a", "[0, 0, 0]", "[0.5, 0.1, 0]") ", " BAR("b", "[0.5, 0.1, 0]", "[1, 0.3, 0]"),
                 "h: {type: revolute, between: [ground, a.start]}, k: {type: revolute, between: [a.end, b.start]}",
                 "e: {point: b.end}", "30"),
       1, "doubtful", 150},
      {ESTIMATED("w: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}",
                 "j: {type: revolute, between: [ground, w.center]}", "j: {joint: j}", "10"),
       0.5, "good", 5}};
  for (size_t k = 0; k < SN_COUNT(runs); k++) {
    double estimate[3] = {0};
    for (int with = 0; with < 3; with++) { /* checkpoints; and a run that is interrupted and resumed */
      char path[64];
      temporary(path, "estimate");
      sn_options options = {.checkpoint = with ? runs[k].checkpoint : 0};
      sn_result *result;
      sn_context *context = sn_context_create();
      record(runs[k].text, options, NULL, path, with == 2 ? runs[k].steps : 0);
      if (with == 2) record(runs[k].text, options, path, path, 0);
      assert_int_equal(sn_result_open(context, path, &result), SN_OK);
      if (strcmp(sn_result_about(result)->trust, runs[k].trust) != 0)
        fail_msg("model %zu, %d: %s", k, with, sn_result_about(result)->trust);
      estimate[with] = sn_result_about(result)->statistics.estimated_error;
      sn_result_free(result);
      sn_context_free(context);
      unlink(path);
    }
    for (int with = 1; with < 3; with++)
      if (!(estimate[with] > 0.1 * estimate[0] && estimate[with] < 10 * estimate[0]))
        fail_msg("model %zu, %d: %g tolerances, without checkpoints %g", k, with, estimate[with], estimate[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_number_damaged),
      cmocka_unit_test(test_interrupted),
      cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_estimate),
      cmocka_unit_test(test_other_method),
      cmocka_unit_test(test_auto_and_named),
      cmocka_unit_test(test_audit_returns),
      cmocka_unit_test(test_statistics_return),
      cmocka_unit_test(test_contact),
      cmocka_unit_test(test_all_sorts_of_files),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
