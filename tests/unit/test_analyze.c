/* test_analyze.c - equilibria, modes and linear models as calls; parameters of compiled models; sized structs. References
 * are closed forms, and the same thing done with a file.
 */
#include "support.h"

/* A bar that hangs from a hinge with a spring of the host program: I w' = -(k + m g l) angle - c w + u. */
static const char bar[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\nparameters: {m: 1.5}\n"
    "inputs: {u: {of: [hinge.angle, hinge.rate]}, extra: {default: 0}}\n"
    "bodies: {a: {type: rigid, from: [0, 0, 0], to: [0, -0.6, 0], mass: m, inertia: [0.2, 0.1, 0.2]}}\n"
    "joints: {hinge: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}}\n"
    "forces: {motor: {type: moment, at: a.center, moment: [0, 0, u + extra]}}\n"
    "outputs: {angle: {joint: hinge}}\n";

static int spring(void *user, double t, const double *x, double *value, double *derivative) {
  (void)t, (void)derivative;
  const double *k = user;
  *value = -k[0] * x[0] - k[1] * x[1];
  return 0;
}

static void test_linear_model(void **state) {
  (void)state;
  double k[2] = {40, 0.3};
  run r;
  sn_simulation *found;
  sn_linear_info L;
  open_run(&r, bar, NULL);
  assert_int_equal(sn_set_input_function(r.simulation, 0, spring, k), SN_OK);
  const double q = sn_positions(r.simulation)[0];
  if (sn_analyze(r.simulation, "{type: linearize}", &found)) fail_msg("%s", sn_message(r.context));
  assert_int_equal(sn_linear_model(found, &L), SN_OK);
  assert_true(L.states == 2 && L.inputs == 2 && L.outputs >= 2);
  const double I = 0.2 + 1.5 * 0.09, stiff = 40 + 1.5 * 9.81 * 0.3, c = 0.3;
  const double re = -c / (2 * I), im = sqrt(stiff / I - re * re);
  assert_below(fabs(L.re[0] - re), 1e-7, "real part");
  assert_below(fabs(fabs(L.im[0]) - im), 1e-6, "imaginary part");
  assert_below(fabs(fabs(L.A[2]) - stiff / I), 1e-5, "stiffness");
  assert_below(fabs(fabs(L.B[1 * 2 + 1]) - 1 / I), 1e-7, "what an input does");
  assert_string_equal(L.input[1], "extra");
  assert_true(q == sn_positions(r.simulation)[0]);
  sn_modes_info modes;
  assert_int_equal(sn_modes_found(found, &modes), SN_OK);
  assert_string_equal(modes.kind, "damped");
  sn_simulation_free(found);
  assert_int_equal(sn_linear_model(r.simulation, &L), SN_USAGE);
  assert_int_equal(sn_modes_found(r.simulation, &modes), SN_USAGE);
  close_run(&r);
}

/* Two masses in a row on equal springs: w2 = k/m (3 -+ sqrt 5)/2; and where they hang. */
static const char hanging[] =
    "sinew: 1\ngravity: [0, -10, 0]\nparameters: {k: 200, m: 2}\n"
    "bodies:\n"
    "  a: {type: rigid, position: [0, -1, 0], mass: m, inertia: [1, 1, 1]}\n"
    "  b: {type: rigid, position: [0, -2, 0], mass: m, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  ga: {type: prismatic, between: [ground, a.center], axis: [0, 1, 0]}\n"
    "  gb: {type: prismatic, between: [ground, b.center], axis: [0, 1, 0]}\n"
    "forces:\n"
    "  one: {type: spring, between: ['ground.at(0, 0, 0)', a.center], stiffness: k, length: 1}\n"
    "  two: {type: spring, between: [a.center, b.center], stiffness: k, length: 1}\n"
    "outputs: {a: {point: a.center}, b: {point: b.center}}\n";

static void test_statics_and_modes(void **state) {
  (void)state;
  run r;
  sn_simulation *rest, *found;
  sn_modes_info modes;
  double y[9], f[3] = {0, -8, 0};
  size_t b;
  open_run(&r, hanging, &(sn_options){.integrator = "radau", .tolerance = 1e-8});
  assert_int_equal(sn_find_marker(r.simulation, "b.center", &b), SN_OK);
  assert_int_equal(sn_apply_force(r.simulation, b, f, NULL), SN_OK);
  advance(&r, 0.3);
  if (sn_analyze(r.simulation, "{type: statics}", &rest)) fail_msg("%s", sn_message(r.context));
  assert_int_equal(sn_read_output(rest, 0, y), SN_OK);
  assert_below(fabs(y[1] + 1 + 48.0 / 200), 1e-7, "2 m g + F on the first spring");
  assert_int_equal(sn_read_output(rest, 1, y), SN_OK);
  assert_below(fabs(y[1] + 2 + (48.0 + 28) / 200), 1e-7, "m g + F on the second");
  assert_int_equal(sn_marker_motion(rest, b, y, NULL), SN_OK);
  assert_below(fabs(y[1] + 2 + (48.0 + 28) / 200), 1e-7, "markers have the same numbers");
  assert_true(fabs(sn_positions(r.simulation)[1] - sn_positions(rest)[1]) > 1e-3);
  if (sn_analyze(rest, "{type: modes, count: 2}", &found)) fail_msg("%s", sn_message(r.context));
  assert_int_equal(sn_modes_found(found, &modes), SN_OK);
  assert_true(modes.count == 2 && modes.shape != NULL);
  assert_below(fabs(modes.w2[0] - 100 * (3 - sqrt(5)) / 2), 1e-5, "the lower mode");
  assert_below(fabs(modes.w2[1] - 100 * (3 + sqrt(5)) / 2), 1e-5, "the upper mode");
  sn_simulation_free(found);
  sn_simulation_free(rest);
  advance(&r, 0.4); /* it goes on */
  assert_int_equal(sn_analyze(r.simulation, "{type: nothing}", &found), SN_USAGE);
  assert_null(found);
  assert_true(strlen(sn_message(r.context)) > 5);
  assert_int_equal(sn_analyze(r.simulation, "{type: statics", &found), SN_USAGE);
  assert_int_equal(sn_analyze(r.simulation, "", &found), SN_USAGE);
  close_run(&r);
}

static void test_analysis_option(void **state) {
  (void)state;
  run r;
  double y[9];
  open_run(&r, hanging, &(sn_options){.analysis = "[{type: statics}, {type: modes, count: 1}]"});
  assert_int_equal(sn_run(r.simulation), SN_OK);
  assert_int_equal(sn_read_output(r.simulation, 0, y), SN_OK);
  assert_below(fabs(y[1] + 1 + 40.0 / 200), 1e-7, "2 m g on the first spring");
  sn_modes_info modes;
  assert_int_equal(sn_modes_found(r.simulation, &modes), SN_OK);
  close_run(&r);
}

/* Words, inputs that are set and aliases: a chain of changes gives the bits of a model that is read with all of them; the
 * first model is gone by then. Errors quote the line of the text. */
static void test_all_sorts_of_changes(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "parameters: {m: 2, k: 10, kind: point-mass, where: b, L: 1}\n"
      "inputs: {u: {default: 0}}\n"
      "bodies:\n"
      "  a: &ball {type: $kind, mass: m, position: [0, 0, 0]}\n"
      "  b: *ball\n"
      "forces:\n"
      "  s: {type: spring, between: ['ground.at(0, 0, 1)', a], stiffness: k, length: L}\n"
      "  p: {type: force, at: $where, force: [u, 0, 0]}\n";
  static const char plain[] =
      "sinew: 1\n"
      "parameters: {m: 2, k: 10, L: 1}\n"
      "inputs: {u: {default: 0}}\n"
      "bodies: {a: &ball {type: point-mass, mass: m, position: [0, 0, 0]}, b: *ball}\n"
      "forces: {s: {type: spring, between: ['ground.at(0, 0, 1)', a], stiffness: k, length: L}, p: {type: force, at: "
      "b, "
      "force: [u, 0, 0]}}\n";
  static const char *const sets[] = {"m=3", "u=4*t", "L=2", "where=a"};
  const char *const all[] = {text, plain};
  for (int which = 0; which < 2; which++) {
    sn_context *context = sn_context_create();
    sn_model *model, *truth;
    sn_simulation *a, *b;
    const size_t length = strlen(all[which]), count = which ? 3 : 4;
    assert_int_equal(sn_model_parse(context, "text", all[which], length, NULL, 0, &model), SN_OK);
    assert_int_equal(sn_model_parse(context, "text", all[which], length, sets, count, &truth), SN_OK);
    for (size_t k = 0; k < count; k++) {
      sn_model *next, *none;
      static const char *const wrong[] = {"m=-1"};
      assert_int_equal(sn_model_change(model, NULL, wrong, 1, &none), SN_BAD_MODEL);
      assert_non_null(strstr(sn_message(context), "ball {type"));
      assert_int_equal(sn_model_change(model, NULL, &sets[k], 1, &next), SN_OK);
      sn_model_free(model);
      model = next;
    }
    assert_int_equal(sn_simulation_create(model, NULL, &a), SN_OK);
    assert_int_equal(sn_simulation_create(truth, NULL, &b), SN_OK);
    assert_int_equal(sn_advance(a, 0.3), SN_OK);
    assert_int_equal(sn_advance(b, 0.3), SN_OK);
    assert_memory_equal(sn_positions(a), sn_positions(b), sn_model_coordinates(truth) * sizeof(double));
    assert_true(sn_positions(a)[which ? 3 : 0] > 0.001); /* pushed by u */
    sn_simulation_free(a);
    sn_simulation_free(b);
    sn_model_free(model);
    sn_model_free(truth);
    sn_context_free(context);
  }
}

/* The same as a model that is read with these parameters. */
static void test_parameters(void **state) {
  (void)state;
  static const char *const first[] = {"k=300"}, *const second[] = {"m=3"}, *const both[] = {"k=300", "m=3"},
                           *const third[] = {"k=100"}, *const wrong[] = {"nothing=1"};
  sn_context *context = sn_context_create(), *other = sn_context_create();
  sn_model *model, *changed, *again, *truth;
  double value;
  const size_t length = sizeof hanging - 1;
  assert_int_equal(sn_model_parse(context, "h", hanging, length, first, 1, &model), SN_OK);
  assert_int_equal(sn_model_change(model, other, second, 1, &changed), SN_OK);
  assert_int_equal(sn_model_parse(context, "h", hanging, length, both, 2, &truth), SN_OK);
  assert_int_equal(sn_model_count(changed, SN_LIST_PARAMETERS), 2);
  assert_int_equal(sn_model_parameter(changed, (size_t)sn_model_find(changed, SN_LIST_PARAMETERS, "k"), &value), SN_OK);
  assert_true(value == 300);
  sn_model_parameter(changed, (size_t)sn_model_find(changed, SN_LIST_PARAMETERS, "m"), &value);
  assert_true(value == 3);
  assert_int_equal(sn_model_parameter(changed, 2, &value), SN_USAGE);
  assert_int_equal(sn_model_change(changed, NULL, third, 1, &again), SN_OK);
  sn_model_parameter(again, (size_t)sn_model_find(again, SN_LIST_PARAMETERS, "k"), &value);
  assert_true(value == 100);
  sn_model_free(again);
  assert_int_equal(sn_model_change(model, other, wrong, 1, &again), SN_BAD_MODEL);
  assert_null(again);
  assert_true(sn_message(other)[0] != 0);
  sn_model_free(model); /* the other outlives it */
  sn_simulation *a, *b;
  assert_int_equal(sn_simulation_create(changed, NULL, &a), SN_OK);
  assert_int_equal(sn_simulation_create(truth, NULL, &b), SN_OK);
  assert_int_equal(sn_advance(a, 0.3), SN_OK);
  assert_int_equal(sn_advance(b, 0.3), SN_OK);
  assert_memory_equal(sn_positions(a), sn_positions(b), sn_model_coordinates(truth) * sizeof(double));
  sn_simulation_free(a);
  sn_simulation_free(b);
  sn_model_free(changed);
  sn_model_free(truth);
  sn_context_free(other);
  sn_context_free(context);
}

/* Each rollout has the bits of a model with its parameters; for any number of threads. */
static void test_rollouts(void **state) {
  (void)state;
  enum { COUNT = 6, SAMPLES = 3 };
  static const char *const names[] = {"k", "m"}, *const unknown[] = {"x"};
  double values[COUNT][2], y[COUNT][SAMPLES][9], again[COUNT][SAMPLES][9];
  const size_t output = 1;
  run r;
  open_run(&r, hanging, NULL);
  for (int i = 0; i < COUNT; i++) values[i][0] = 100 + 37.1 * i, values[i][1] = 2 + 0.3 * i;
  sn_rollouts what = {.size = sizeof what,
                      .count = COUNT,
                      .samples = SAMPLES,
                      .period = 0.1,
                      .output = &output,
                      .outputs = 1,
                      .parameter = names,
                      .parameters = 2,
                      .parameter_values = &values[0][0]};
  if (sn_roll_out(r.model, NULL, &what, &y[0][0][0], NULL)) fail_msg("%s", sn_message(r.context));
  what.threads = 3;
  assert_int_equal(sn_roll_out(r.model, NULL, &what, &again[0][0][0], NULL), SN_OK);
  assert_memory_equal(y, again, sizeof y);
  for (int i = 0; i < COUNT; i++) {
    char k[64], m[64];
    const char *sets[] = {k, m};
    sn_model *model;
    sn_simulation *simulation;
    double z[9];
    snprintf(k, sizeof k, "k=%.17g", values[i][0]);
    snprintf(m, sizeof m, "m=%.17g", values[i][1]);
    assert_int_equal(sn_model_parse(r.context, "h", hanging, sizeof hanging - 1, sets, 2, &model), SN_OK);
    assert_int_equal(sn_simulation_create(model, NULL, &simulation), SN_OK);
    for (int j = 0; j < SAMPLES; j++) {
      assert_int_equal(sn_advance(simulation, 0.1 * (j + 1)), SN_OK);
      assert_int_equal(sn_read_output(simulation, 1, z), SN_OK);
      assert_memory_equal(z, y[i][j], sizeof z);
    }
    sn_simulation_free(simulation);
    sn_model_free(model);
  }
  assert_true(y[0][2][1] != y[1][2][1]);
  what.parameter = unknown, what.parameters = 1;
  assert_int_equal(sn_roll_out(r.model, NULL, &what, &again[0][0][0], NULL), SN_USAGE);
  what.size = 3;
  assert_int_equal(sn_roll_out(r.model, NULL, &what, &again[0][0][0], NULL), SN_USAGE);
  close_run(&r);
}

/* A program that knows fewer fields, or more. */
static void test_sizes(void **state) {
  (void)state;
  struct {
    sn_options options;
    double later;
  } newer = {.later = 0};
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, hanging);
  sn_simulation *simulation;
  sn_default_options(&newer.options, sizeof newer);
  assert_int_equal(newer.options.size, sizeof newer);
  assert_int_equal(sn_simulation_create(model, &newer.options, &simulation), SN_OK);
  sn_simulation_free(simulation);
  newer.later = 1;
  assert_int_equal(sn_simulation_create(model, &newer.options, &simulation), SN_USAGE);
  assert_null(simulation);
  newer.options.size = 2;
  assert_int_equal(sn_simulation_create(model, &newer.options, &simulation), SN_USAGE);
  sn_options older = {.size = offsetof(sn_options, tolerance), .step = 1e-3, .integrator = "newmark", .tolerance = -5};
  assert_int_equal(sn_simulation_create(model, &older, &simulation), SN_OK); /* what lies behind is not looked at */
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear_model),    cmocka_unit_test(test_statics_and_modes),
      cmocka_unit_test(test_analysis_option), cmocka_unit_test(test_all_sorts_of_changes),
      cmocka_unit_test(test_parameters),      cmocka_unit_test(test_rollouts),
      cmocka_unit_test(test_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
