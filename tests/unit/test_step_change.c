/* test_step_change.c - steps of any length after one another: where joints or stiffness hold positions, a change of the
 * step must not become motion. The reference is the method itself with steps of one length, the longest that is used.
 */
#include "integrator/low_order.h"
#include "run/trial.h"
#include "support.h"

/* A change of the step may cost as much as the step itself does. */
static const double FACTOR = 2;

typedef enum sequence { EQUAL, IN_TURN, RANDOM } sequence;
static const char *const sequence_names[] = {"equal", "in turn", "random"};

/* The k-th step, as a share of the longest. */
static double share(sequence s, int k, uint64_t *seed) {
  return s == EQUAL ? 1 : s == IN_TURN ? (k / 5 % 2 ? 0.7 : 1) : 0.75 + 0.25 * noise(seed);
}

/* A bar of 0.4 m falls from the horizontal. Its lowest bending mode makes 11 rad in a step of 2 ms. */
typedef struct bar {
  const char *name, *body;
  double step;
} bar;

static const bar rigid = {
    "rigid",
    "{type: rigid, from: [0, 0, 0], to: [0.4, 0, 0], shape: {type: box, size: [0.4, 0.04, 0.02]}, density: 7801}",
    4e-3};
static const bar cable = {
    "stiff cable", "{type: cable, from: [0, 0, 0], to: [0.4, 0, 0], elements: 4, material: steel, section: bar}", 2e-3};
static const bar beam = {
    "stiff beam",
    "{type: beam, from: [0, 0, 0], to: [0.4, 0, 0], elements: 2, material: steel, section: bar, elastic: selective}",
    2e-3};

/* Fixed steps, of another length from here on. */
static void set_step(sn_simulation *s, double h) {
  sn_step_control *control = &((sn_low_order *)s->integrator)->control;
  control->nominal = control->h = h;
  control->grid_start = s->state.t;
  control->grid_index = 0;
}

static double energy(sn_simulation *s) {
  sn_energy e;
  sn_system_energy(s->audit, &s->state, &e);
  return e.kinetic + e.strain + e.gravity;
}

static void open_bar(run *r, const bar *b, double time, const char *integrator) {
  char text[1000];
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, -9.81, 0]\n"
           "materials: {steel: {density: 7801, young: 2e11, poisson: 0.3}}\n"
           "sections: {bar: {type: rectangle, width: 0.02, height: 0.04}}\n"
           "bodies:\n  bar: %s\n"
           "joints:\n  pin: {type: revolute, between: [ground, bar.start], axis: [0, 0, 1]}\n"
           "analysis: {type: dynamics, duration: %g, integrator: {type: %s}}\n",
           b->body, time, integrator);
  open_run(r, text, NULL);
}

/* Largest error of the energy [J]. */
static double energy_error(const bar *b, const char *method, sequence s) {
  const double time = 3;
  char integrator[100];
  snprintf(integrator, sizeof integrator, "%s, step: %g", method, b->step);
  run r;
  open_bar(&r, b, time, integrator);
  sn_simulation *sim = r.simulation;
  uint64_t seed = 7;
  double worst = 0, start = energy(sim);
  for (int k = 0; sim->state.t < time; k++) {
    set_step(sim, b->step * share(s, k, &seed));
    if (sim->ops->step(sim->integrator, &sim->state, &sim->before, time))
      fail_msg("%s, %s, steps %s: %s", b->name, method, sequence_names[s], sn_message(r.context));
    worst = fmax(worst, fabs(energy(sim) - start));
  }
  close_run(&r);
  return worst;
}

static void check(const bar *b, const char *const *methods) {
  for (; *methods; methods++) {
    double equal = energy_error(b, *methods, EQUAL);
    for (sequence s = IN_TURN; s <= RANDOM; s++)
      assert_below(energy_error(b, *methods, s), FACTOR * equal, "%s, %s, steps %s: energy error", b->name, *methods,
                   sequence_names[s]);
  }
}

/* Methods that meet the equations of motion at the ends of the steps. */
#define AT_ENDS                                                                                                    \
  "hht-i3", "hht-i3, alpha: -0.1", "hht-i3, alpha: -0.3", "newmark", "hht-si2", "hht-add", "nstiff", "nstiff-si2", \
      "gssss, scheme: wbz", "gssss, scheme: wbz, index: 2", "gssss, scheme: wbz, stabilize: projection"

static void test_rigid(void **state) {
  (void)state;
  static const char *const methods[] = {
      AT_ENDS, "hht-i3, alpha: -0.01", "gssss", "gssss, index: 2", "gssss, stabilize: projection", "gssss, scheme: hht",
      NULL};
  check(&rigid, methods);
}

static void test_stiff(void **state) {
  (void)state;
  static const char *const methods[] = {AT_ENDS, NULL};
  check(&cable, methods);
  check(&beam, methods);
}

/* Steps that follow the error freely, every one of another length: what the changes leave in accelerations is part of
 * the next error, and steps are refused for it (a fifth of them before v followed the step in stiff directions). */
static void test_free_control(void **state) {
  (void)state;
  static const char *const tolerances[] = {"1e-5", "1e-6", "1e-7"};
  static const bar *const bars[] = {&rigid, &cable, &beam};
  for (size_t i = 0; i < SN_COUNT(bars); i++)
    for (size_t k = 0; k < SN_COUNT(tolerances); k++) {
      char integrator[100];
      snprintf(integrator, sizeof integrator, "hht-i3, control: hussein, tolerance: %s", tolerances[k]);
      run r;
      open_bar(&r, bars[i], 3, integrator);
      advance(&r, 3);
      const sn_statistics *st = sn_simulation_statistics(r.simulation);
      assert_below((double)st->error_rejections, 0.1 * (double)st->steps, "%s, tolerance %s: steps refused",
                   bars[i]->name, tolerances[k]);
      close_run(&r);
    }
}

/* A driver begins after a long rest: the step falls from half a second to parts of a millisecond, where q''' jumps. The
 * cart goes along exactly, and its velocity is that of a smooth step of fifth degree, 15/8 d/T in the middle. A mass on
 * a soft spring follows it: m x'' = k (s - x) from rest, and with k T^2 << m its velocity at the end is k d T/2m, less
 * by parts of k T^2/m. */
static void test_driver_begins(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "newmark", "hht-si2", "hht-add", "gssss", "gssss, scheme: wbz", NULL};
  for (const char *const *method = methods; *method; method++) {
    char text[1200];
    double cart[6], mass[6];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\nplanar: true\nbodies: {cart: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}, "
        "mass: {type: rigid, position: [0.5, 0, 0], mass: 1, inertia: [1, 1, 1]}}\njoints: {rail: {type: prismatic, "
        "between: [ground, cart.center], axis: [1, 0, 0]}, slide: {type: prismatic, between: [ground, mass.center], "
        "axis: [1, 0, 0]}, drive: {type: motion, joint: rail, translation: 'step(t, 1, 0, 1.05, 0.1)'}}\nforces: "
        "{spring: {type: spring, between: [cart.center, mass.center], stiffness: 1}}\noutputs: {cart: {point: "
        "cart.center}, mass: {point: mass.center}}\nanalysis: {type: dynamics, duration: 1.05, integrator: {type: "
        "%s}}\n",
        *method);
    open_run(&r, text, NULL);
    advance(&r, 1.025);
    read_output(&r, "cart", cart, 6);
    assert_below(fabs(cart[2] - 15.0 / 8 * 0.1 / 0.05), 0.1, "%s: speed of the cart", *method);
    advance(&r, 1.05);
    read_output(&r, "mass", mass, 6);
    assert_below(fabs(mass[2] - 0.0025), 0.01 * 0.0025, "%s: speed of the mass", *method);
    close_run(&r);
  }
}

/* A crank of 80 mm whose motion changes within a short part of a turn: steps are short where v.M q''' and a.M a are large,
 * and a change that keeps E instead of what steps of one length keep costs nine tolerances of energy in a turn. The
 * energy needs no reference. */
static void test_energy_kept(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double most; /* tolerances */
  } cases[] = {{"hht-i3", 4}, {"hht-si2", 4}, {"hht-add", 1.5}, {"nstiff", 4}, {"nstiff-si2", 4}};
  const double tolerance = 1e-5;
  sn_context *context = sn_context_create();
  sn_model *model;
  if (sn_model_load(context, "models/spatial-slider-crank.yaml", NULL, 0, &model)) fail_msg("%s", sn_message(context));
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    sn_trial trial;
    sn_trial_run(model, &(sn_options){.integrator = cases[k].method, .tolerance = tolerance, .until = 1}, &trial);
    assert_int_equal(trial.status, SN_OK);
    assert_below(fabs(trial.energy_ratio), cases[k].most * tolerance, "%s: energy error", cases[k].method);
    sn_trial_free(&trial);
  }
  sn_model_free(model);
  sn_context_free(context);
}

/* Two masses on rods that share nothing but the steps, which follow the wild one: each keeps its own energy. */
static void test_energy_of_each(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "hht-si2", "hht-add", "nstiff", "nstiff-si2", NULL};
  const double tolerance = 1e-5;
  for (const char *const *method = methods; *method; method++) {
    char text[900];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {wild: {type: point-mass, mass: 1, position: [0, "
        "0.3, 0], velocity: [0.5, 0, 0]}, calm: {type: point-mass, mass: 1, position: [2.6, -0.8, 0]}}\njoints: {a: "
        "{type: distance, between: [\"ground.at(0, 0, 0)\", wild]}, b: {type: distance, between: [\"ground.at(2, 0, "
        "0)\", "
        "calm]}}\noutputs: {wild: {point: wild}, calm: {point: calm}}\nanalysis: {type: dynamics, duration: 5, "
        "integrator: {type: %s, tolerance: %g}}\n",
        *method, tolerance);
    open_run(&r, text, NULL);
    for (int k = 0; k <= 50; k++) {
      static const char *const name[2] = {"wild", "calm"};
      const double start[2] = {0.5 * 0.5 * 0.5 + 9.81 * 0.3, 9.81 * -0.8}, scale[2] = {9.81 * 0.6, 9.81 * 0.2};
      double x[6];
      if (k > 0) advance(&r, 0.1 * k);
      for (int i = 0; i < 2; i++) {
        read_output(&r, name[i], x, 6);
        assert_below(fabs((x[2] * x[2] + x[3] * x[3]) / 2 + 9.81 * x[1] - start[i]), 5 * tolerance * scale[i],
                     "%s: energy of the %s mass", *method, name[i]);
      }
    }
    close_run(&r);
  }
}

/* Where a pendulum turns, the local error passes through zero. That is no reason for long steps, which the swing has to
 * take back: the energy of a stiff bar stays within the tolerance, as with equal steps. */
static void test_turning_points(void **state) {
  (void)state;
  static const double tolerances[] = {5e-3, 2e-3, 1e-3};
  sn_context *context = sn_context_create();
  sn_model *model;
  const char *const stiff[] = {"E=2e11"};
  if (sn_model_load(context, "models/orzechowski-pendulum.yaml", stiff, 1, &model)) fail_msg("%s", sn_message(context));
  for (size_t k = 0; k < SN_COUNT(tolerances); k++) {
    sn_trial trial;
    char integrator[80];
    snprintf(integrator, sizeof integrator, "{type: hht-i3, bounds: run, horizon: 3, tolerance: %g}", tolerances[k]);
    sn_trial_run(model, &(sn_options){.integrator = integrator, .until = 3}, &trial);
    assert_int_equal(trial.status, SN_OK);
    assert_below(fabs(trial.energy_ratio), tolerances[k], "energy error at %g", tolerances[k]);
    sn_trial_free(&trial);
  }
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid),         cmocka_unit_test(test_stiff),
                                     cmocka_unit_test(test_free_control),  cmocka_unit_test(test_driver_begins),
                                     cmocka_unit_test(test_energy_kept),   cmocka_unit_test(test_energy_of_each),
                                     cmocka_unit_test(test_turning_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
