/* test_verify.c - error bars against errors that are known, and meshes refined in the document. */
#include <unistd.h>

#include "study/deviation.h"
#include "support.h"

/* x = 0.1 cos(10 t) + 1: a mass on a spring. */
static const char swing[] =
    "sinew: 1\n"
    "bodies: {mass: {type: point-mass, mass: 1, position: [1.1, 0, 0]}}\n"
    "forces: {spring: {type: spring, between: ['ground.at(0, 0, 0)', mass], stiffness: 100, length: 1}}\n"
    "outputs: {mass: {point: mass}}\n"
    "analysis: {type: dynamics, duration: 3, output_step: 0.01}\n";

static double true_error(const sn_trial *trial, int column) {
  double most = 0;
  for (int i = 0; i < trial->rows; i++) {
    double t = trial->t[i];
    double x = column == 0 ? 1 + 0.1 * cos(10 * t) : -sin(10 * t);
    most = fmax(most, fabs(trial->output[i * trial->outputs + column] - x));
  }
  return most;
}

/* The bar from a finer run is not below the error, and not far above, for methods of first and second order and of
 * adaptive steps. */
static void bars_are_errors(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double step, tolerance, finer;
  } cases[] = {{"newmark", 0.01, 0, 2},
               {"hht-i3", 0.005, 0, 2},
               {"symplectic-euler", 0.001, 0, 2},
               {"erk", 0, 1e-5, 10},
               {"radau5", 0, 1e-5, 10}};
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, swing);
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    sn_trial base, fine;
    sn_options options = {.integrator = cases[k].integrator, .step = cases[k].step, .tolerance = cases[k].tolerance};
    sn_trial_watch(model, &options, NULL, NULL, &base);
    options.finer = cases[k].finer;
    sn_trial_watch(model, &options, NULL, NULL, &fine);
    assert_int_equal(base.status, SN_OK);
    assert_int_equal(fine.status, SN_OK);
    assert_true(cases[k].step > 0 ? fine.step == base.step / 2 : fine.tolerance == base.tolerance / 10);
    for (int column = 0; column < 6; column += 3) { /* x, vx */
      double range = sn_verify_range(model, &base, column), error = true_error(&base, column);
      double d[SN_SOURCES] = {sn_verify_column(&base, &fine, column, range).largest, NAN, NAN};
      sn_source from;
      double bar = sn_verify_bar(&base, d, &from);
      assert_int_equal(from, SN_FROM_TIME);
      assert_below(fabs(range - (column ? 2 : 0.2)), 0.02, "range");
      if (!(bar >= error && bar < 2 * error))
        fail_msg("%s: column %d: bar %g, error %g", cases[k].integrator, column, bar, error);
    }
    sn_trial_free(&base);
    sn_trial_free(&fine);
  }
  sn_model_free(model);
  sn_context_free(context);
}

/* x = 0.001 cosh(5 t): errors grow by e^10. That of gam comes from its start and is the same with finer steps: another method
 * shows it. */
static void bars_of_unstable_motion(void **state) {
  (void)state;
  static const char *const methods[] = {"erk", "hht-i3", "radau", "ida", "gam"};
  sn_context *context = sn_context_create();
  sn_model *model =
      parse(context,
            "sinew: 1\nbodies: {m: {type: point-mass, mass: 1, position: [0.001, 0, 0]}}\nforces: {f: {type: force, "
            "at: m, force: ['25*m.x', 0, 0]}}\noutputs: {m: {point: m}}\n"
            "analysis: {type: dynamics, duration: 2, output_step: 0.02}\n");
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    sn_trial base, fine, other;
    sn_options options = {.integrator = methods[k], .tolerance = 1e-5};
    sn_trial_watch(model, &options, NULL, NULL, &base);
    options.finer = 10;
    sn_trial_watch(model, &options, NULL, NULL, &fine);
    options.integrator = strcmp(methods[k], "radau") == 0 ? "gam" : "radau";
    sn_trial_watch(model, &options, NULL, NULL, &other);
    double error = 0;
    for (int i = 0; i < base.rows; i++)
      error = fmax(error, fabs(base.output[i * base.outputs] - 1e-3 * cosh(5 * base.t[i])));
    sn_source from;
    const double range = sn_verify_range(model, &base, 0);
    const double off[SN_SOURCES] = {sn_verify_column(&base, &fine, 0, range).largest,
                                    sn_verify_column(&base, &other, 0, range).largest, NAN};
    const double bar = sn_verify_bar(&base, off, &from);
    if (!(bar >= error && bar < 20 * error)) fail_msg("%s: bar %g, error %g", methods[k], bar, error);
    sn_trial_free(&other);
    sn_trial_free(&base);
    sn_trial_free(&fine);
  }
  sn_model_free(model);
  sn_context_free(context);
}

/* Sources add up, what is not known does not count, and runs that part are told from when on. */
static void parts_and_sums(void **state) {
  (void)state;
  sn_trial base = {.integrator = "radau", .tolerance = 1e-5}, other = base;
  double t[] = {0, 1, 2, 3}, a[] = {0, 1, 0, 1}, b[] = {0, 1.05, 0.5, 1.02};
  base.t = other.t = t;
  base.rows = other.rows = 4;
  base.outputs = other.outputs = 1;
  base.output = a;
  other.output = b;
  sn_deviation d = sn_verify_column(&base, &other, 0, 1);
  assert_true(d.largest == 0.5 && fabs(d.final - 0.02) < 1e-15 && d.agree == 1);
  other.rows = 2; /* it failed */
  d = sn_verify_column(&base, &other, 0, 1);
  assert_true(fabs(d.largest - 0.05) < 1e-15 && isnan(d.agree));
  sn_source from;
  assert_true(fabs(sn_verify_bar(&base, (double[]){0.9, 2, 3}, &from) - 6.5) < 1e-12 && from == SN_FROM_MESH);
  assert_true(fabs(sn_verify_bar(&base, (double[]){9, NAN, NAN}, &from) - 12.5) < 1e-12 && from == SN_FROM_TIME);
  assert_true(isnan(sn_verify_bar(&base, (double[]){NAN, NAN, NAN}, &from)));
}

/* Every kind with elements is refined: given, by a parameter, by default, along two edges. */
static void meshes_are_refined(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nparameters: {n: 3}\n"
      "materials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
      "sections: {s: {type: rectangle, width: 0.01, height: 0.01}}\n"
      "bodies:\n"
      "  given: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: m, section: s}\n"
      "  parameter: {type: cable, from: [0, 1, 0], to: [1, 1, 0], elements: 2*n, material: m, section: s}\n"
      "  plain: {type: cable, from: [0, 2, 0], to: [1, 2, 0], material: m, section: s}\n"
      "  beam: {type: beam, from: [0, 3, 0], to: [1, 3, 0], elements: 2, material: m, section: s}\n"
      "  plate: {type: plate, at: [0, 4, 0], along: [1, 0, 0], across: [0, 0, 1], elements: [2, 3], thickness: 0.01, "
      "material: m}\n"
      "  stone: {type: rigid, position: [0, 9, 0], mass: 1, shape: {type: sphere, radius: 0.1}}\n";
  char path[] = "/tmp/sinew-mesh-XXXXXX";
  int descriptor = mkstemp(path), refined = 0;
  assert_true(write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
  close(descriptor);
  sn_context *context = sn_context_create();
  sn_model *model, *fine;
  if (sn_model_load(context, path, NULL, 0, &model)) fail_msg("%s", sn_message(context));
  assert_int_equal(sn_model_load_refined(context, path, NULL, 0, 2, &refined, &fine), SN_OK);
  assert_int_equal(refined, 5);
  const int nodes[][2] = {{5, 9}, {7, 13}, {9, 17}, {3, 5}, {12, 35}};
  for (int i = 0, k = 0; i < model->bodies; i++) {
    if (model->body[i].groups < 2) continue;
    assert_int_equal(model->body[i].count * nodes[k][1], fine->body[i].count * nodes[k][0]);
    k++;
  }
  sn_model_free(model);
  sn_model_free(fine);
  sn_context_free(context);
  unlink(path);
}

/* `auto` may tighten the tolerance by itself: the repetition has finer steps all the same. */
static void auto_is_finer(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model =
      parse(context,
            "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {bar: {type: rigid, from: [0, 0, 0], "
            "to: [1, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.01}}}\njoints: {pin: {type: "
            "revolute, between: [ground, bar.start]}}\noutputs: {tip: {point: bar.end}}\nanalysis: {type: "
            "dynamics, duration: 10, output_step: 0.01}\n");
  sn_trial base, fine;
  sn_options options = {0};
  sn_trial_watch(model, &options, NULL, NULL, &base);
  options.finer = 10;
  sn_trial_watch(model, &options, NULL, NULL, &fine);
  const double differ = sn_verify_column(&base, &fine, 0, sn_verify_range(model, &base, 0)).largest;
  if (!(differ > 1e-11)) fail_msg("the same steps: %g", differ);
  sn_trial_free(&base);
  sn_trial_free(&fine);
  sn_model_free(model);
  sn_context_free(context);
}

/* Column of an output in a row; NULL: of what would follow the last. */
static int first_column(const sn_model *model, const char *name) {
  int first = 0;
  for (int i = 0; i < model->outputs && (!name || strcmp(model->output[i].name, name) != 0); i++)
    first += model->output[i].columns;
  return first;
}

/* Errors of outputs against values that are known: made-up rows, whose reference is the second trial. Velocities, an
 * angle, an orientation whose quaternion has the other sign, a moment that is nothing but rounding beside its force. */
static void outputs_are_compared(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\n"
      "bodies: {a: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}}\n"
      "outputs: {end: {point: a.end}, pin: {joint: pin}, hold: {reaction: pin}, way: {orientation: a.center},\n"
      "          sum: {expression: '2*pin.angle'}}\n";
  enum { COLUMNS = 34 };
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  const int END = first_column(model, "end"), HOLD = first_column(model, "hold"), PIN = first_column(model, "pin"),
            WAY = first_column(model, "way"), SUM = first_column(model, "sum");
  assert_int_equal(first_column(model, NULL), COLUMNS);
  double t[2] = {0, 1}, x[2 * COLUMNS] = {0}, y[2 * COLUMNS] = {0};
  sn_trial trial = {.rows = 2, .outputs = COLUMNS, .t = t, .output = x, .length = 1};
  sn_trial reference = trial;
  reference.output = y;
  int column;
  y[WAY] = y[COLUMNS + WAY] = 1;
  memcpy(x, y, sizeof x);
  x[WAY] = -1;
  assert_true(sn_verify_angles(model, &trial, &reference, &column) == 0);
  assert_true(sn_verify_others(model, &trial, &reference, &column) == 0);
  x[COLUMNS + WAY] = cos(0.05), x[COLUMNS + WAY + 3] = sin(0.05); /* turned by 0.1 rad */
  assert_true(fabs(sn_verify_angles(model, &trial, &reference, &column) - 0.1) < 1e-12 && column == WAY);
  y[COLUMNS + PIN] = 20, x[COLUMNS + PIN] = 24;
  assert_true(fabs(sn_verify_angles(model, &trial, &reference, &column) - 0.2) < 1e-12 && column == PIN);
  assert_true(sn_verify_others(model, &trial, &reference, &column) == 0);
  y[COLUMNS + END + 3] = 3, y[COLUMNS + END + 4] = 4; /* of the length 5, off by 1 across */
  memcpy(x + COLUMNS + END, y + COLUMNS + END, 9 * sizeof(double));
  x[COLUMNS + END + 5] = 1, x[COLUMNS + END + 6] = 100, x[COLUMNS + END] = 7; /* acceleration, position: elsewhere */
  assert_true(fabs(sn_verify_others(model, &trial, &reference, &column) - 0.2) < 1e-12 && column == END + 3);
  y[COLUMNS + HOLD] = x[COLUMNS + HOLD] = 1000, x[COLUMNS + HOLD + 5] = 1e-9;
  assert_true(fabs(sn_verify_others(model, &trial, &reference, &column) - 0.2) < 1e-12 && column == END + 3);
  y[COLUMNS + SUM] = 40, x[COLUMNS + SUM] = 60;
  assert_true(fabs(sn_verify_others(model, &trial, &reference, &column) - 0.5) < 1e-12 && column == SUM);
  t[1] = NAN;
  assert_true(isnan(sn_verify_others(model, &trial, &reference, &column)) && column == -1);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bars_are_errors),      cmocka_unit_test(bars_of_unstable_motion),
                                     cmocka_unit_test(parts_and_sums),       cmocka_unit_test(auto_is_finer),
                                     cmocka_unit_test(outputs_are_compared), cmocka_unit_test(meshes_are_refined)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
