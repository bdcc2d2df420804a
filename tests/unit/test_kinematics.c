/* test_kinematics.c - driven mechanisms: closed forms, dynamics with the same driver, and what is said when it cannot
 * be done. */
#include "support.h"

/* Four-bar linkage: ground d = 0.4 along x, crank a = 0.1, coupler b = 0.35, rocker c = 0.3; the crank turns with 1
 * turn/s from along x. In space the revolute joints repeat three equations. */
#define HEAD_PLANAR "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\n"
#define HEAD_SPACE "sinew: 1\ngravity: [0, -9.81, 0]\n"
#define BARS                                                                                                          \
  "parameters: {a: 0.1, b: 0.35, c: 0.3, d: 0.4, e: d - a, x: \"(b^2 - c^2 + e^2)/(2*e)\", y: \"sqrt(b^2 - x^2)\"}\n" \
  "bodies:\n"                                                                                                         \
  "  crank: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], from: [0, 0, 0], to: [a, 0, 0]}\n"                    \
  "  coupler: {type: rigid, mass: 2, inertia: [1e-2, 1e-2, 2e-2], from: [a, 0, 0], to: [a + x, y, 0]}\n"              \
  "  rocker: {type: rigid, mass: 1.5, inertia: [1e-2, 1e-2, 1e-2], from: [d, 0, 0], to: [a + x, y, 0]}\n"             \
  "joints:\n"                                                                                                         \
  "  A: {type: revolute, between: [ground, crank.start], axis: [0, 0, 1]}\n"                                          \
  "  B: {type: revolute, between: [crank.end, coupler.start], axis: [0, 0, 1]}\n"                                     \
  "  C: {type: revolute, between: [coupler.end, rocker.end], axis: [0, 0, 1]}\n"                                      \
  "  D: {type: revolute, between: [ground, rocker.start], axis: [0, 0, 1]}\n"
#define DRIVER "  drive: {type: motion, between: [ground, crank.start], axis: [0, 0, 1], rotation: 2*pi*t}\n"
#define OUTPUTS "outputs: {pin: {point: coupler.end}, torque: {reaction: drive}}\n"
#define KINEMATICS "analysis: {type: kinematics, duration: 1, output_step: 0.02}\n"

/* Closed form: B on the crank, C at b from B and c from D, on the upper side. */
static void four_bar_pin(double t, double C[2]) {
  double f = 2 * PI * t, B[2] = {0.1 * cos(f), 0.1 * sin(f)}, u[2] = {0.4 - B[0], -B[1]}, e = hypot(u[0], u[1]);
  double x = (0.35 * 0.35 - 0.3 * 0.3 + e * e) / (2 * e), y = sqrt(0.35 * 0.35 - x * x);
  C[0] = B[0] + (x * u[0] - y * u[1]) / e;
  C[1] = B[1] + (x * u[1] + y * u[0]) / e;
}

static void check_pin(const double *pin, int dim, double t) {
  double C[2], low[2], high[2], h = 1e-4;
  four_bar_pin(t, C);
  four_bar_pin(t - h, low);
  four_bar_pin(t + h, high);
  for (int k = 0; k < 2; k++) {
    check_below(fabs(pin[k] - C[k]), 1e-10, __FILE__, __LINE__, "position at t = %g", t);
    check_below(fabs(pin[dim + k] - (high[k] - low[k]) / (2 * h)), 1e-5, __FILE__, __LINE__, "velocity at t = %g", t);
    check_below(fabs(pin[2 * dim + k] - (high[k] - 2 * C[k] + low[k]) / (h * h)), 1e-4, __FILE__, __LINE__,
                "acceleration at t = %g", t);
  }
}

static void four_bar(void **state) {
  (void)state;
  static const char *const texts[] = {HEAD_PLANAR BARS DRIVER OUTPUTS KINEMATICS,
                                      HEAD_SPACE BARS DRIVER OUTPUTS KINEMATICS};
  for (int k = 0; k < 2; k++) {
    run r;
    open_run(&r, texts[k], NULL);
    int dim = r.model->dim, rows = 0;
    assert_int_equal(r.simulation->start.redundant, k == 0 ? 0 : 3);
    for (; !sn_all_finished(r.simulation); rows++) {
      double pin[9];
      if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
      sn_read(r.simulation, "pin", pin, 9);
      check_pin(pin, dim, sn_time(r.simulation));
    }
    assert_int_equal(rows, 50);
    close_run(&r);
  }
}

/* Second method: dynamics of the same driven linkage needs the same torque. */
static void same_as_dynamics(void **state) {
  (void)state;
  run k, d;
  double a[6], b[6];
  open_run(&k, HEAD_PLANAR BARS DRIVER OUTPUTS KINEMATICS, NULL);
  open_run(&d,
           HEAD_PLANAR BARS DRIVER OUTPUTS
           "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, step: 1e-3}}\n",
           NULL);
  advance(&k, 0.5);
  advance(&d, 0.5);
  check_below(fabs(sn_time(k.simulation) - sn_time(d.simulation)), 1e-9, __FILE__, __LINE__, "time");
  sn_read(k.simulation, "pin", a, 6);
  sn_read(d.simulation, "pin", b, 6);
  check_below(distance(a, b, 2), 1e-9, __FILE__, __LINE__, "position");
  check_below(distance(a + 2, b + 2, 2), 1e-4, __FILE__, __LINE__, "velocity");
  sn_read(k.simulation, "torque", a, 3);
  sn_read(d.simulation, "torque", b, 3);
  assert_true(fabs(a[2]) > 0.1);
  check_below(fabs(a[2] - b[2]), 2e-3 * fabs(a[2]), __FILE__, __LINE__, "torque of the driver");
  close_run(&k);
  close_run(&d);
}

static void expect_failure(const char *text, sn_status expected, const char *const *words, int count) {
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  sn_simulation *simulation;
  sn_status status = sn_simulation_create(model, NULL, &simulation);
  if (status == SN_OK) status = sn_run(simulation);
  assert_int_equal(status, expected);
  for (int i = 0; i < count; i++)
    if (!strstr(sn_message(context), words[i])) fail_msg("'%s' is not in: %s", words[i], sn_message(context));
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
}

static void freedom_left(void **state) {
  (void)state;
  static const char *const words[] = {"1 degree of freedom is left", "'crank' (", "'coupler' (", "'rocker'"};
  expect_failure(HEAD_PLANAR BARS "outputs: {pin: {point: coupler.end}}\n" KINEMATICS, SN_BAD_MODEL, words, 4);
}

/* The rocker cannot follow when the driver turns the rocker beyond where crank and coupler are stretched. */
static void locks(void **state) {
  (void)state;
  static const char *const words[] = {"cannot move beyond t = "};
  expect_failure(HEAD_PLANAR BARS
                 "  drive: {type: motion, between: [ground, rocker.start], axis: [0, 0, 1], rotation: -2*pi*t}\n"
                 "outputs: {pin: {point: coupler.end}}\n" KINEMATICS,
                 SN_NUMERICS, words, 1);
}

/* A parallelogram whose bars lie in one line can go on in two ways: the drivers do not decide. */
static void singular_position(void **state) {
  (void)state;
  static const char *const words[] = {"singular position"};
  expect_failure(HEAD_PLANAR
                 "bodies:\n"
                 "  left: {type: rigid, mass: 1, inertia: [1, 1, 1], from: [0, 0, 0], to: [0, 1, 0]}\n"
                 "  top: {type: rigid, mass: 1, inertia: [1, 1, 1], from: [0, 1, 0], to: [2, 1, 0]}\n"
                 "  right: {type: rigid, mass: 1, inertia: [1, 1, 1], from: [2, 0, 0], to: [2, 1, 0]}\n"
                 "joints:\n"
                 "  A: {type: revolute, between: [ground, left.start]}\n"
                 "  B: {type: revolute, between: [left.end, top.start]}\n"
                 "  C: {type: revolute, between: [top.end, right.end]}\n"
                 "  D: {type: revolute, between: [ground, right.start]}\n"
                 "  drive: {type: motion, between: [ground, left.start], rotation: -2*pi*t}\n"
                 "analysis: {type: kinematics, duration: 1, output_step: 0.05}\n",
                 SN_NUMERICS, words, 1);
}

/* Drivers with kinks, at output times and between them, are followed. */
static void kinks(void **state) {
  (void)state;
  static const struct {
    const char *f;
    double end;
  } cases[] = {
      {"min(t, 2)", 2}, {"min(t, 2.003)", 2.003}, {"abs(t - 1)", 3}, {"max(0, t - 3)", 1}, {"if(t < 2, t, 2)", 2}};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    run r;
    char text[600];
    double y[2];
    snprintf(
        text, sizeof text,
        "sinew: 1\nbodies: {bar: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {h: {type: revolute, between: [ground, bar.start]}, d: {type: motion, joint: h, rotation: "
        "\"%s - (%s)\"}}\n"
        "outputs: {h: {joint: h}}\nanalysis: {type: kinematics, duration: 4}\n",
        cases[k].f, strcmp(cases[k].f, "abs(t - 1)") == 0 ? "1" : "0");
    open_run(&r, text, NULL);
    if (sn_run(r.simulation)) fail_msg("%s: %s", cases[k].f, sn_message(r.context));
    sn_read(r.simulation, "h", y, 2);
    assert_below(fabs(y[0] - (cases[k].end - (k == 2 ? 1 : 0))), 1e-9, "%s", cases[k].f);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_bar), cmocka_unit_test(same_as_dynamics),  cmocka_unit_test(freedom_left),
      cmocka_unit_test(locks),    cmocka_unit_test(singular_position), cmocka_unit_test(kinks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
