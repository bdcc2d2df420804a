/* test_embed.c - the public interface as a program uses it: exact times, outputs by number, states, snapshots, wrong use.
 * Nothing here looks inside of an object.
 */
#include <unistd.h>

#include "kinds/kinds.h"
#include "support.h"

static const char pendulum[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\ninputs: {push: {default: 0, range: [-5, 5], unit: N}}\n"
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"
    "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.2]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
    "  hinge: {type: spherical, between: [a.end, b.start]}\n"
    "forces: {push: {type: force, at: b.end, force: [push, 0, 0]}}\n"
    "outputs: {tip: {point: b.end}, angle: {joint: pin}, hold: {reaction: pin}}\n";

enum { TIP, ANGLE, HOLD, OUTPUTS };
enum { MOST = 16 };

/* Every method, with steps as it has them. */
typedef struct method {
  const char *name;
  sn_options options;
} method;

static int all_methods(method *list) {
  int count = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != SN_INTEGRATORS) continue;
    bool tolerance = false;
    for (const sn_field *field = (*kind)->fields; field->name; field++)
      tolerance |= strcmp(field->name, "tolerance") == 0;
    method *m = &list[count++];
    *m = (method){.name = (*kind)->name, .options = {.integrator = (*kind)->name}};
    if (tolerance)
      m->options.tolerance = 1e-7;
    else
      m->options.step = 5e-4;
  }
  assert_true(count > 10);
  return count;
}

static void tip_at(run *r, double *y) {
  if (sn_read_output(r->simulation, TIP, y)) fail_msg("%s", sn_message(r->context));
}

/* Reference: the same method in steps of its own to 0.3 s; and radau with a tight tolerance. */
static void test_exact_times(void **state) {
  (void)state;
  method list[64];
  const int count = all_methods(list);
  double truth[MOST];
  run fine;
  open_run(&fine, pendulum, &(sn_options){.integrator = "radau", .tolerance = 1e-10});
  advance(&fine, 0.3);
  assert_true(sn_time(fine.simulation) == 0.3);
  tip_at(&fine, truth);
  close_run(&fine);
  for (int i = 0; i < count; i++) {
    double y[MOST], alone[MOST];
    run r, whole;
    open_run(&r, pendulum, &list[i].options);
    open_run(&whole, pendulum, &list[i].options);
    for (int k = 1; k <= 30; k++) {
      const double t = k == 30 ? 0.3 : 0.3 * sqrt(k / 30.0);
      advance(&r, t);
      if (sn_time(r.simulation) != t) fail_msg("%s: %.17g instead of %.17g", list[i].name, sn_time(r.simulation), t);
    }
    advance(&whole, 0.3);
    tip_at(&r, y);
    tip_at(&whole, alone);
    const double off = distance(y, truth, 3), usual = distance(alone, truth, 3);
    assert_below(off, 3 * usual + 2e-6, "%s, with pauses; without them %g off", list[i].name, usual);
    close_run(&r);
    close_run(&whole);
  }
}

/* sn_advance_over shortens no step: bits are those of a run without pauses; between its steps the method's polynomial. */
static void test_times_within_steps(void **state) {
  (void)state;
  double y[MOST], truth[MOST];
  run r, plain, fine;
  const sn_options options = {.integrator = "radau", .tolerance = 1e-8};
  open_run(&r, pendulum, &options);
  open_run(&plain, pendulum, &options);
  open_run(&fine, pendulum, &(sn_options){.integrator = "radau", .tolerance = 1e-11});
  for (int k = 1; k <= 40; k++) {
    const double t = 0.0071 * k;
    if (sn_advance_over(r.simulation, t) || sn_read_output_at(r.simulation, TIP, t, y))
      fail_msg("%s", sn_message(r.context));
    advance(&fine, t);
    tip_at(&fine, truth);
    assert_below(distance(y, truth, 3), 1e-6, "at %g", t);
  }
  if (sn_advance_over(plain.simulation, 0.0071 * 40)) fail_msg("%s", sn_message(plain.context));
  assert_true(sn_time(plain.simulation) == sn_time(r.simulation));
  assert_memory_equal(sn_positions(plain.simulation), sn_positions(r.simulation),
                      sn_model_coordinates(r.model) * sizeof(double));
  assert_int_equal(sn_read_output_at(r.simulation, TIP, 0.1, y), SN_USAGE);
  close_run(&r);
  close_run(&plain);
  close_run(&fine);
}

/* A held input between exact times: piecewise constant, with the closed form of a mass under a constant force. */
static void test_held_input(void **state) {
  (void)state;
  static const char mass[] =
      "sinew: 1\ngravity: [0, 0, 0]\ninputs: {u: {default: 0}}\nbodies: {m: {type: point-mass, mass: 2, position: [0, "
      "0, "
      "0]}}\nforces: {f: {type: force, at: m, force: [u, 0, 0]}}\noutputs: {m: {point: m}}\n";
  method list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    run r;
    double y[MOST], x = 0, v = 0;
    const double T = 0.01;
    open_run(&r, mass, &list[i].options);
    for (int k = 0; k < 20; k++) {
      const double u = sin(k);
      assert_int_equal(sn_set_input(r.simulation, 0, u), SN_OK);
      advance(&r, (k + 1) * T);
      x += v * T + u / 4 * T * T;
      v += u / 2 * T;
    }
    assert_int_equal(sn_read_output(r.simulation, 0, y), SN_OK);
    const double order = list[i].options.step > 0 ? 0.2 * list[i].options.step : 1e-7; /* symplectic: of first order */
    assert_below(fabs(y[0] - x), order, "%s: position", list[i].name);
    assert_below(fabs(y[3] - v), 1e-9 + (list[i].options.step > 0 ? 1e-9 : 1e-7), "%s: velocity", list[i].name);
    close_run(&r);
  }
}

static void test_numbers_and_names(void **state) {
  (void)state;
  run r;
  double y[MOST], z[MOST];
  sn_output_info output;
  sn_body_info body;
  sn_input_info input;
  open_run(&r, pendulum, NULL);
  advance(&r, 0.1);
  assert_true(sn_model_count(r.model, SN_LIST_OUTPUTS) >= OUTPUTS);
  for (size_t i = 0; i < OUTPUTS; i++) {
    assert_int_equal(sn_model_output(r.model, i, &output), SN_OK);
    assert_int_equal(sn_model_find(r.model, SN_LIST_OUTPUTS, output.name), (long)i);
    assert_int_equal(sn_read_output(r.simulation, i, y), SN_OK);
    assert_int_equal(sn_read(r.simulation, output.name, z, MOST), output.columns);
    assert_below(distance(y, z, (int)output.columns), 1e-9, "%s", output.name);
    assert_true(output.column[0][0] != 0 && output.unit[0] != NULL);
  }
  assert_int_equal(sn_model_body(r.model, (size_t)sn_model_find(r.model, SN_LIST_BODIES, "b"), &body), SN_OK);
  assert_string_equal(body.name, "b");
  assert_string_equal(body.kind, "rigid");
  assert_true(body.first + body.count <= sn_model_coordinates(r.model));
  const double *q = sn_positions(r.simulation) + body.first;
  assert_true(isfinite(q[0]));
  assert_int_equal(sn_model_input(r.model, 0, &input), SN_OK);
  assert_true(strcmp(input.name, "push") == 0 && strcmp(input.unit, "N") == 0 && input.low == -5 && input.high == 5);
  assert_int_equal(sn_model_find(r.model, SN_LIST_JOINTS, "hinge"), 1);
  assert_int_equal(sn_model_find(r.model, SN_LIST_JOINTS, "no"), -1);
  assert_null(sn_model_name(r.model, SN_LIST_BODIES, 3));
  double e[SN_ENERGY_COUNT];
  assert_int_equal(sn_energies(r.simulation, e), SN_OK);
  assert_int_equal(sn_read(r.simulation, "energy", z, MOST), SN_ENERGY_COUNT);
  assert_below(distance(e, z, SN_ENERGY_COUNT), 1e-9, "energies");
  assert_string_equal(sn_energy_name(0), "kinetic");
  assert_null(sn_energy_name(SN_ENERGY_COUNT));
  close_run(&r);
}

/* All outputs of a step share one factorization. */
static void test_reading_is_cheap(void **state) {
  (void)state;
  run r;
  double y[MOST];
  open_run(&r, pendulum, NULL);
  advance(&r, 0.1);
  assert_int_equal(sn_read_output(r.simulation, TIP, y), SN_OK);
  const long before = sn_simulation_statistics(r.simulation)->factorizations;
  for (int k = 0; k < 1000; k++)
    for (size_t i = 0; i < OUTPUTS; i++) assert_int_equal(sn_read_output(r.simulation, i, y), SN_OK);
  assert_int_equal(sn_simulation_statistics(r.simulation)->factorizations, before);
  close_run(&r);
}

/* A run that goes on from a snapshot has the bits of the one it was taken of, again and again, also in another object. */
static void test_snapshots(void **state) {
  (void)state;
  method list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    run r, other;
    sn_snapshot *snapshot;
    open_run(&r, pendulum, &list[i].options);
    open_run(&other, pendulum, &list[i].options);
    const size_t bytes = sn_model_coordinates(r.model) * sizeof(double);
    double *q = malloc(bytes);
    sn_set_input(r.simulation, 0, 1.5);
    advance(&r, 0.05);
    if (sn_snapshot_take(r.simulation, &snapshot)) fail_msg("%s: %s", list[i].name, sn_message(r.context));
    advance(&r, 0.11);
    memcpy(q, sn_positions(r.simulation), bytes);
    for (int k = 0; k < 3; k++) {
      run *to = k < 2 ? &r : &other;
      if (sn_snapshot_restore(to->simulation, snapshot)) fail_msg("%s: %s", list[i].name, sn_message(to->context));
      assert_true(sn_time(to->simulation) == 0.05);
      advance(to, 0.11);
      if (memcmp(q, sn_positions(to->simulation), bytes) != 0) fail_msg("%s: other bits, %d", list[i].name, k);
    }
    sn_snapshot_free(snapshot);
    free(q);
    close_run(&r);
    close_run(&other);
  }
}

/* A state that is set goes on as a run that came there; one off its constraints is projected onto them. */
static void test_set_state(void **state) {
  (void)state;
  method list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    run r, other;
    double y[MOST], z[MOST], e[SN_ENERGY_COUNT];
    open_run(&r, pendulum, &list[i].options);
    open_run(&other, pendulum, &list[i].options);
    advance(&r, 0.2);
    advance(&other, 0.2);
    if (sn_set_state(other.simulation, sn_positions(r.simulation), sn_velocities(r.simulation)))
      fail_msg("%s: %s", list[i].name, sn_message(other.context));
    advance(&r, 0.3);
    advance(&other, 0.3);
    tip_at(&r, y);
    tip_at(&other, z);
    assert_below(distance(y, z, 3), 2e-5, "%s", list[i].name);
    const size_t n = sn_model_coordinates(r.model);
    double *q = malloc(n * sizeof *q);
    memcpy(q, sn_positions(r.simulation), n * sizeof *q);
    q[0] += 1e-3; /* the pin opens */
    assert_int_equal(sn_set_state(r.simulation, q, NULL), SN_OK);
    sn_row row;
    sn_row_create(r.simulation, &row);
    sn_sample(r.simulation, sn_time(r.simulation), &row);
    assert_below(row.constraint[0], 1e-9, "%s: constraints of a state that was set", list[i].name);
    sn_energies(r.simulation, e);
    assert_below(fabs(e[SN_ENERGY_COUNT - 1]), 1e-9, "%s: energy error", list[i].name);
    free(q);
    close_run(&r);
    close_run(&other);
  }
}

/* Many at once: each has the bits of a simulation that is alone, for any number of threads; one that fails says so, and the
 * others do not mind. */
static void test_rollouts(void **state) {
  (void)state;
  enum { COUNT = 9, SAMPLES = 5, WIDTH = 15 };
  static double u[COUNT][SAMPLES][1], q[COUNT][MOST], y[COUNT][SAMPLES][WIDTH], again[COUNT][SAMPLES][WIDTH];
  const size_t outputs[] = {TIP, HOLD};
  sn_status status[COUNT];
  run r;
  uint64_t seed = 1;
  open_run(&r, pendulum, NULL);
  const size_t n = sn_model_coordinates(r.model);
  assert_true(n <= MOST);
  double *starts = malloc(COUNT * n * sizeof *starts);
  for (int i = 0; i < COUNT; i++) {
    memcpy(q[i], sn_positions(r.simulation), n * sizeof(double));
    memcpy(starts + (size_t)i * n, q[i], n * sizeof(double));
    for (int k = 0; k < SAMPLES; k++) u[i][k][0] = 3 * noise(&seed);
  }
  u[4][2][0] = 7; /* outside of its range */
  const sn_options options = {.integrator = "hht-i3", .tolerance = 1e-5};
  sn_rollouts what = {.count = COUNT,
                      .samples = SAMPLES,
                      .period = 0.02,
                      .inputs = &u[0][0][0],
                      .q = starts,
                      .output = outputs,
                      .outputs = 2,
                      .threads = 1};
  assert_int_equal(sn_roll_out(r.model, &options, &what, &y[0][0][0], status), SN_USAGE);
  assert_non_null(strstr(sn_message(r.context), "rollout 4"));
  for (int threads = 2; threads < 5; threads++) {
    what.threads = threads;
    assert_int_equal(sn_roll_out(r.model, &options, &what, &again[0][0][0], NULL), SN_USAGE);
    assert_memory_equal(y, again, sizeof y);
  }
  for (int i = 0; i < COUNT; i++) {
    run alone;
    double z[MOST];
    assert_int_equal(status[i], i == 4 ? SN_USAGE : SN_OK);
    open_run(&alone, pendulum, &options);
    assert_int_equal(sn_set_state(alone.simulation, q[i], NULL), SN_OK);
    for (int k = 0; k < (i == 4 ? 2 : SAMPLES); k++) {
      sn_set_input(alone.simulation, 0, u[i][k][0]);
      advance(&alone, 0.02 * (k + 1));
      tip_at(&alone, z);
      assert_memory_equal(z, y[i][k], 9 * sizeof *z);
    }
    close_run(&alone);
  }
  assert_true(isnan(y[4][2][0]) && isnan(y[4][4][14]) && !isnan(y[4][1][14]));
  free(starts);
  close_run(&r);
}

/* A recorded run and its file: series have the values that outputs had, and a run that is interrupted keeps its rows. */
typedef struct patience {
  sn_context *context;
  int left;
} patience;

static void lose_patience(void *user, const sn_simulation *simulation) {
  patience *p = user;
  assert_true(sn_time(simulation) > 0);
  if (--p->left == 0) sn_interrupt(p->context);
}

static void test_recorded_run(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-embed-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  for (int left = 0; left < 4; left += 3) {
    run r;
    double y[MOST];
    sn_result *result;
    open_run(&r, pendulum, &(sn_options){.until = 0.4});
    patience p = {r.context, left};
    assert_int_equal(sn_record_run(r.simulation, path, left ? lose_patience : NULL, &p), left ? SN_INTERRUPTED : SN_OK);
    if (sn_result_open(r.context, path, &result)) fail_msg("%s", sn_message(r.context));
    const sn_series *t = sn_result_time(result), *x = sn_result_series(result, "tip.x");
    assert_true(t && x && t->count == x->count && t->count > 0 && !sn_result_failed(result));
    assert_null(sn_result_series(result, "tip.nothing"));
    if (!left) {
      tip_at(&r, y);
      assert_true(t->value[t->count - 1] == 0.4 && sn_finished(r.simulation));
      assert_below(fabs(x->value[x->count - 1] - y[0]), 1e-12, "the last row");
      assert_string_equal(sn_verdict_word(r.simulation), "good");
      assert_string_equal(sn_verdict_reasons(r.simulation), "");
    }
    sn_result_free(result);
    close_run(&r);
  }
  run r;
  open_run(&r, pendulum, &(sn_options){.until = 0.1});
  assert_int_equal(sn_record_run(r.simulation, "/nowhere/at/all.h5", NULL, NULL), SN_IO);
  assert_int_equal(sn_advance(r.simulation, 0.1), SN_OK); /* it can go on without */
  close_run(&r);
  remove(path);
}

/* A result is read while other runs of the process write theirs: whoever reads has closed their files, and must not take
 * one of them for its own. */
static void test_reading_beside_writers(void **state) {
  (void)state;
  enum { OTHERS = 12 };
  char path[] = "/tmp/sinew-embed-XXXXXX", name[64];
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  run r, other[OTHERS];
  sn_writer *writer[OTHERS];
  sn_result *result;
  open_run(&r, pendulum, &(sn_options){.until = 0.2});
  assert_int_equal(sn_record_run(r.simulation, path, NULL, NULL), SN_OK);
  for (int i = 0; i < OTHERS; i++) {
    snprintf(name, sizeof name, "%s-%d", path, i);
    open_run(&other[i], pendulum, &(sn_options){.until = 0.1});
    assert_int_equal(sn_writer_open(other[i].simulation, name, &writer[i]), SN_OK);
  }
  if (sn_result_open(r.context, path, &result)) fail_msg("%s", sn_message(r.context));
  const sn_series *t = sn_result_time(result);
  assert_true(t->count > 1 && t->value[t->count - 1] == 0.2);
  assert_string_equal(sn_result_verdict(result), "good");
  sn_result_free(result);
  for (int i = 0; i < OTHERS; i++) {
    assert_int_equal(sn_writer_close(writer[i], SN_OK, ""), SN_OK);
    snprintf(name, sizeof name, "%s-%d", path, i);
    remove(name);
    close_run(&other[i]);
  }
  close_run(&r);
  remove(path);
}

static void test_wrong_use(void **state) {
  (void)state;
  run r, statics;
  double y[MOST], bad[64];
  sn_snapshot *snapshot;
  open_run(&r, pendulum, NULL);
  advance(&r, 0.05);
  for (size_t i = 0; i < 64; i++) bad[i] = NAN;
  assert_int_equal(sn_advance(r.simulation, NAN), SN_USAGE);
  assert_int_equal(sn_read_output(r.simulation, 99, y), SN_USAGE);
  assert_int_equal(sn_set_input(r.simulation, 1, 0), SN_USAGE);
  assert_int_equal(sn_set_input(r.simulation, 0, 6), SN_USAGE);
  assert_non_null(strstr(sn_message(r.context), "-5 to 5"));
  assert_int_equal(sn_set_state(r.simulation, bad, NULL), SN_USAGE);
  assert_int_equal(sn_advance(r.simulation, 0.01), SN_OK); /* the past: nothing happens */
  assert_true(sn_time(r.simulation) == 0.05);
  assert_int_equal(sn_advance(r.simulation, 0.06), SN_OK);
  open_run(&statics, "models/beam-roll-up.yaml", NULL);
  assert_int_equal(sn_snapshot_take(statics.simulation, &snapshot), SN_USAGE);
  assert_null(snapshot);
  assert_int_equal(sn_set_state(statics.simulation, NULL, NULL), SN_USAGE);
  close_run(&statics);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact_times),      cmocka_unit_test(test_times_within_steps),
      cmocka_unit_test(test_held_input),       cmocka_unit_test(test_numbers_and_names),
      cmocka_unit_test(test_reading_is_cheap), cmocka_unit_test(test_snapshots),
      cmocka_unit_test(test_set_state),        cmocka_unit_test(test_rollouts),
      cmocka_unit_test(test_recorded_run),     cmocka_unit_test(test_reading_beside_writers),
      cmocka_unit_test(test_wrong_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
