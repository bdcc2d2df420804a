/* test_constraint_function.c - constraints on coordinates of joints that are functions of a host program. */
#include "all_methods.h"
#include "analysis/simulation.h"
#include "support.h"

/* A wheel and a follower that rises by a sin(angle): in space, several turns. With the energy
 *   T + V = (I + m a^2 cos^2 p) p'^2/2 + m g a sin p
 * the rate p' at any angle is known. */
#define MODEL(lift)                                                                                               \
  "sinew: 1\n"                                                                                                    \
  "gravity: [0, -9.81, 0]\n"                                                                                      \
  "bodies:\n"                                                                                                     \
  "  wheel: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 6]}\n" \
  "  follower: {type: rigid, position: [1, 0, 0], mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"                      \
  "joints:\n"                                                                                                     \
  "  hinge: {type: revolute, between: ['ground.at(0, 0, 0)', wheel.center], axis: [0, 0, 1]}\n"                   \
  "  slide: {type: prismatic, between: ['ground.at(1, 0, 0)', follower.center], axis: [0, 1, 0]}\n"               \
  "  lift: {type: constraint, joints: [hinge, slide]" lift                                                        \
  "}\n"                                                                                                           \
  "outputs: {hinge: {joint: hinge}, slide: {joint: slide}, lift: {reaction: lift}}\n"                             \
  "analysis: {type: dynamics, duration: 10}\n"

static const double I = 0.1, m = 0.5, a = 0.1, g = 9.81;
enum { HINGE, SLIDE, LIFT }; /* joints and outputs */

typedef struct law {
  int given;          /* derivatives: 0, 1 or 2 orders */
  double fail_from;   /* it returns an error from this time on; 0: never */
  double none_beyond; /* no value from this angle on; 0: everywhere */
  double drive;       /* the follower is raised by drive t^2, too */
} law;

static int lift(void *user, double t, const double *x, double *value, double *first, double *second) {
  law *l = user;
  if (l->fail_from > 0 && t > l->fail_from) return 7;
  *value = l->none_beyond > 0 && x[0] > l->none_beyond ? NAN : x[1] - a * sin(x[0]) - l->drive * t * t;
  if (l->given > 0) {
    first[0] = -2 * l->drive * t;
    first[1] = -a * cos(x[0]);
    first[2] = 1;
  }
  if (l->given > 1) {
    for (int i = 0; i < 9; i++) second[i] = 0;
    second[0] = -2 * l->drive;
    second[4] = a * sin(x[0]);
  }
  return 0;
}

static double energy(double p, double rate) {
  return (I + m * a * a * cos(p) * cos(p)) * rate * rate / 2 + m * g * a * sin(p);
}

static void open_lift(run *r, const sn_options *options, law *l) {
  open_run(r, MODEL(""), options);
  if (sn_set_constraint_function(r->simulation, LIFT, lift, l)) fail_msg("%s", sn_message(r->context));
}

/* Reference: the energy above, and the same equation in the file. With all derivatives or none. */
static void test_every_method(void **state) {
  (void)state;
  sn_options list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    if (list[i].tolerance > 0) list[i].tolerance = 1e-6;
    double truth[8], reaction[6];
    run file;
    open_run(&file, MODEL(", equation: 'x2 - 0.1*sin(x1)'"), &list[i]);
    advance(&file, 0.7); /* more than half a turn */
    read_output(&file, "hinge", truth, 2);
    read_output(&file, "lift", reaction, 6);
    const double order = list[i].step > 0 ? 60 * list[i].step : 2e-4;
    assert_true(truth[0] > 3.5);
    const bool good = strcmp(sn_verdict_word(file.simulation), "good") == 0; /* newmark says that its energy is not */
    assert_below(fabs(energy(truth[0], truth[1]) - energy(0, 6)), good ? order : 0.02, "%s: equation",
                 list[i].integrator);
    for (int given = 0; given <= 2; given += 2) {
      run r;
      law l = {.given = given};
      double y[8], f[6];
      open_lift(&r, &list[i], &l);
      advance(&r, 0.7);
      read_output(&r, "hinge", y, 2);
      read_output(&r, "lift", f, 6);
      assert_below(fabs(y[0] - truth[0]) + fabs(y[1] - truth[1]), order, "%s, %d", list[i].integrator, given);
      assert_below(fabs(f[1] - reaction[1]), 10 * order, "%s, %d: reaction", list[i].integrator, given);
      const sn_statistics *cost = sn_simulation_statistics(r.simulation),
                          *own = sn_simulation_statistics(file.simulation);
      assert_below((double)cost->iterations, 1.3 * (double)own->iterations + 40, "%s, %d: iterations",
                   list[i].integrator, given);
      read_output(&r, "slide", y + 2, 2);
      assert_below(fabs(y[2] - a * sin(y[0])), 1e-6, "%s, %d: position", list[i].integrator, given);
      close_run(&r);
    }
    close_run(&file);
  }
}

/* Whole turns count: an equation that is not periodic holds over several. p'' = -m g b/(I + m b^2). */
static void test_turns(void **state) {
  (void)state;
  run r;
  double y[4];
  const double b = 0.02, t = 2.5;
  open_run(&r, MODEL(", equation: 'x2 - 0.02*x1'"), &(sn_options){.integrator = "radau", .tolerance = 1e-8});
  advance(&r, t);
  read_output(&r, "hinge", y, 2);
  read_output(&r, "slide", y + 2, 2);
  const double p = 6 * t - m * g * b / (I + m * b * b) * t * t / 2;
  assert_true(p > 10);
  assert_below(fabs(y[0] - p), 1e-6, "angle");
  assert_below(fabs(y[2] - b * p), 1e-7, "travel");
  close_run(&r);
}

/* A function of time does work, which is that of a driver: the follower is raised against its weight. */
static void test_work(void **state) {
  (void)state;
  for (int given = 0; given <= 2; given++) {
    run r;
    law l = {.given = given, .drive = 0.2};
    double e[SN_ENERGY_COUNT], before[SN_ENERGY_COUNT], y[4];
    open_lift(&r, &(sn_options){.integrator = "radau", .tolerance = 1e-9}, &l);
    sn_energies(r.simulation, before);
    advance(&r, 1);
    sn_energies(r.simulation, e);
    read_output(&r, "hinge", y, 2);
    read_output(&r, "slide", y + 2, 2);
    const double T = I * y[1] * y[1] / 2 + m * y[3] * y[3] / 2, V = m * g * y[2];
    assert_below(fabs(y[2] - a * sin(y[0]) - 0.2), 1e-7, "raised, %d", given);
    assert_true(fabs(T + V - energy(0, 6)) > 0.1);
    assert_below(fabs(e[SN_E_DRIVER] - before[SN_E_DRIVER] - (T + V - energy(0, 6))), 1e-5, "work, %d", given);
    close_run(&r);
  }
}

/* It is in modes and linear models: about the lowest place (p = -pi/2), w^2 = m g a/I. */
static void test_analyses(void **state) {
  (void)state;
  run r;
  law l = {0};
  sn_simulation *modes = NULL;
  sn_modes_info found;
  open_lift(&r, NULL, &l);
  const double q[14] = {0, 0, 0, sqrt(0.5), 0, 0, -sqrt(0.5), 1, -a, 0, 1, 0, 0, 0}, v[14] = {0};
  assert_int_equal(sn_set_state(r.simulation, q, v), SN_OK);
  if (sn_analyze(r.simulation, "{type: modes, count: 1}", &modes)) fail_msg("%s", sn_message(r.context));
  assert_int_equal(sn_modes_found(modes, &found), SN_OK);
  assert_int_equal(found.count, 1);
  assert_below(fabs(found.w2[0] - m * g * a / I), 1e-5, "frequency");
  sn_simulation_free(modes);
  close_run(&r);
}

/* Bits of a simulation that goes on, of one that is restored and of a copy whose function was set before; of another
 * number of threads too. */
static void test_snapshots(void **state) {
  (void)state;
  sn_options list[64];
  const int count = all_methods(list);
  for (int i = 0; i < count; i++) {
    run r, copy;
    if (list[i].tolerance > 0) list[i].tolerance = 1e-5;
    law l = {0}, other = {0};
    sn_snapshot *snapshot;
    double q[14];
    open_lift(&r, &list[i], &l);
    sn_options two = list[i];
    two.threads = 2;
    open_lift(&copy, &two, &other);
    advance(&r, 0.6); /* beyond half a turn */
    assert_int_equal(sn_snapshot_take(r.simulation, &snapshot), SN_OK);
    advance(&r, 0.65);
    memcpy(q, sn_positions(r.simulation), sizeof q);
    assert_int_equal(sn_snapshot_restore(r.simulation, snapshot), SN_OK);
    advance(&r, 0.65);
    assert_memory_equal(q, sn_positions(r.simulation), sizeof q);
    if (sn_snapshot_restore(copy.simulation, snapshot)) fail_msg("%s", sn_message(copy.context));
    advance(&copy, 0.65);
    assert_memory_equal(q, sn_positions(copy.simulation), sizeof q);
    sn_snapshot_free(snapshot);
    close_run(&copy);
    close_run(&r);
  }
}

static void assert_refused(const char *text, const char *why) {
  sn_context *context = sn_context_create();
  sn_model *model;
  assert_int_equal(sn_model_parse(context, "test", text, strlen(text), NULL, 0, &model), SN_BAD_MODEL);
  if (!strstr(sn_message(context), why)) fail_msg("%s", sn_message(context));
  sn_context_free(context);
}

static void test_wrong_use(void **state) {
  (void)state;
  run r;
  law l = {.fail_from = 0.3};
  double q[14], values[2];
  const size_t output = 0;
  sn_rollouts what = {.size = sizeof what, .count = 1, .samples = 1, .period = 0.1, .output = &output, .outputs = 1};
  open_run(&r, MODEL(""), NULL);
  assert_int_equal(sn_step(r.simulation), SN_USAGE);
  assert_non_null(strstr(sn_message(r.context), "'lift' has neither an equation nor a function"));
  assert_int_equal(sn_set_constraint_function(r.simulation, HINGE, lift, &l), SN_USAGE);
  assert_int_equal(sn_set_constraint_function(r.simulation, 3, lift, &l), SN_USAGE);
  assert_int_equal(sn_roll_out(r.model, NULL, &what, values, NULL), SN_USAGE);
  assert_int_equal(sn_set_constraint_function(r.simulation, LIFT, lift, &l), SN_OK);
  assert_int_equal(sn_advance(r.simulation, 5), SN_CALLBACK);
  assert_non_null(strstr(sn_message(r.context), "the function of constraint 'lift' returned error 7"));
  /* one that has no value: where it is set, and on the way */
  law none = {.none_beyond = 1e-9}, far = {.none_beyond = 9};
  memcpy(q, sn_positions(r.simulation), sizeof q);
  assert_int_equal(sn_set_constraint_function(r.simulation, LIFT, lift, &none), SN_CALLBACK);
  assert_non_null(strstr(sn_message(r.context), "not finite"));
  assert_memory_equal(q, sn_positions(r.simulation), sizeof q);
  assert_int_equal(sn_set_constraint_function(r.simulation, LIFT, lift, &far), SN_OK);
  assert_int_equal(sn_advance(r.simulation, 5), SN_CALLBACK);
  assert_true(sn_time(r.simulation) > 1);
  /* none again: steps are refused */
  assert_int_equal(sn_set_constraint_function(r.simulation, LIFT, NULL, NULL), SN_OK);
  assert_int_equal(sn_step(r.simulation), SN_USAGE);
  close_run(&r);
  assert_refused(MODEL(", equation: 'x3 + x1'"), "has other quantities");
  assert_refused(MODEL(", equation: 'x1 - hinge.angle'"), "has other quantities");
  assert_refused(MODEL(", equation: sin(t)"), "has none of its coordinates");
}

/* A pendulum on a cart that is at rest but for 5 ms, in which it goes to and fro: by an equation, and by a driver. The
 * pendulum swings from then on. And a cart with 1 m/s that turns a wheel by 0.02 and back on 4 mm of its way, against
 * the energy T = (m + J phi'(x)^2) v^2/2. */
#define KNOCKED(joint)                                                                         \
  "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n"                                                \
  "  cart: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"                  \
  "  rod: {type: rigid, from: [0, 0, 0], to: [0, -1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n" \
  "joints:\n  rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}\n"      \
  "  pin: {type: revolute, between: [cart.center, rod.start]}\n  d: {" joint                   \
  "}\noutputs: {tip: {point: rod.end}}\nanalysis: {type: dynamics, duration: 6, integrator: radau}\n"
#define BUMP                                                                                                          \
  "sinew: 1\nbodies:\n  cart: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n" \
  "  wheel: {type: rigid, position: [0, 1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"                                  \
  "joints:\n  rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}\n"                             \
  "  hinge: {type: revolute, between: [ground, wheel.center]}\n"                                                      \
  "  d: {type: constraint, joints: [rail, hinge], equation: 'x2 - 0.02*exp(-((x1 - 3.013)/0.002)^2)'}\n"              \
  "outputs: {cart: {point: cart.center}}\nanalysis: {type: dynamics, duration: 6, integrator: radau}\n"

static void test_narrow(void **state) {
  (void)state;
  static const char *const knocked[] = {
      KNOCKED("type: constraint, joints: [rail], equation: 'x1 - 0.2*exp(-((t - 3.221)/0.002)^2)'"),
      KNOCKED("type: motion, joint: rail, translation: 0.2*exp(-((t - 3.221)/0.002)^2)")};
  double x[2][9], end[9];
  for (int k = 0; k < 2; k++) {
    run r;
    open_run(&r, knocked[k], NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    if (v.level != SN_GOOD) fail_msg("%s", v.reasons);
    read_output(&r, "tip", x[k], 2);
    close_run(&r);
  }
  assert_true(fabs(x[1][0]) > 0.1);
  assert_below(hypot(x[0][0] - x[1][0], x[0][1] - x[1][1]), 1e-4, "place of the pendulum");
  /* t = integral of dx sqrt((m + J phi'^2)/m), by Simpson's rule */
  double late = 0;
  for (int i = 0; i <= 2000; i++) {
    const double u = -10 + 0.01 * i, slope = 0.02 * -2 * u / 0.002 * exp(-u * u);
    late += (i == 0 || i == 2000 ? 1 : i % 2 ? 4 : 2) * 0.01 * 0.002 / 3 * (sqrt(1 + 0.1 * slope * slope) - 1);
  }
  run r;
  open_run(&r, BUMP, NULL);
  const sn_verdict v = verdict_of(&r, SN_OK);
  if (v.level != SN_GOOD) fail_msg("%s", v.reasons);
  read_output(&r, "cart", end, 1);
  assert_true(late > 3e-3);
  assert_below(fabs(end[0] - (6 - late)), 3e-4, "place of the cart");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_narrow),    cmocka_unit_test(test_every_method), cmocka_unit_test(test_turns),
      cmocka_unit_test(test_work),      cmocka_unit_test(test_analyses),     cmocka_unit_test(test_snapshots),
      cmocka_unit_test(test_wrong_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
