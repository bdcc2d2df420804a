/* test_tolerance.c - a tolerance bounds the error of the run; with bounds: step, a tighter one is never worse.
 *
 * The reference is radau, of order up to 13, with a tight tolerance: another family of methods. Errors are the largest
 * ones of positions at the output times, and of the energy, which needs no reference.
 */
#include "run/trial.h"
#include "support.h"

/* An error may rise by this when the tolerance is tightened a little: steps do not fall with it evenly. */
static const double WORSE = 1.5;

typedef struct motion {
  const char *model, *set; /* set: a parameter; NULL: as in the file */
  double time, tightest;
  double loosest;   /* whose position errors are compared */
  double reference; /* tolerance of it: its error is far below what is compared */
} motion;

static const char *const all[] = {"{type: hht-i3",  "{type: hht-si2",         "{type: hht-add",
                                  "{type: newmark", "{type: nstiff",          "{type: nstiff-si2",
                                  "{type: gssss",   "{type: gssss, index: 2", NULL};
static const char *const index3[] = {"{type: hht-i3", "{type: hht-i3, alpha: -0.1", "{type: nstiff", NULL};

static sn_model *load(sn_context *context, const motion *m) {
  sn_model *model;
  if (sn_model_load(context, m->model, &m->set, m->set != NULL, &model)) fail_msg("%s", sn_message(context));
  return model;
}

static void check(const motion *m, const char *const *methods) {
  static const double tolerances[] = {1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8};
  sn_context *context = sn_context_create();
  sn_model *model = load(context, m);
  sn_trial reference;
  sn_trial_run(model, &(sn_options){.integrator = "radau", .tolerance = m->reference, .until = m->time}, &reference);
  assert_int_equal(reference.status, SN_OK);
  for (; *methods; methods++) {
    double before[2] = {INFINITY, INFINITY};
    for (size_t i = 0; i < SN_COUNT(tolerances) && tolerances[i] >= m->tightest; i++) {
      char integrator[100];
      sn_trial trial;
      snprintf(integrator, sizeof integrator, "%s, bounds: step, tolerance: %g}", *methods, tolerances[i]);
      sn_trial_run(model, &(sn_options){.integrator = integrator, .until = m->time}, &trial);
      if (trial.status) fail_msg("%s %s: %s", m->model, integrator, trial.message);
      double error[2] = {sn_trial_distance(&trial, &reference, SN_POSITIONS), trial.energy_error};
      for (int k = 0; k < 2; k++) {
        assert_below(error[k], WORSE * before[k], "%s %s: %s error", m->model, integrator, k ? "energy" : "position");
        before[k] = k == 0 && tolerances[i] > m->loosest ? INFINITY : error[k];
      }
      sn_trial_free(&trial);
    }
  }
  sn_trial_free(&reference);
  sn_model_free(model);
  sn_context_free(context);
}

static void test_rigid(void **state) {
  (void)state;
  check(&(motion){"models/physical-pendulum.yaml", NULL, 6, 3e-8, 1, 1e-10}, all);
  check(&(motion){"models/slider-crank.yaml", NULL, 1, 3e-8, 1, 1e-10}, all);
}

/* Steps of the stiff bar at 3e-5 and above are as long as Newton lets them be, and there the energy lost, which
 * shortens the swing, and the steps, which lengthen it, cancel in the position by chance: compared is the energy alone.
 */
static void test_flexible(void **state) {
  (void)state;
  check(&(motion){"models/bulin-pendulum.yaml", NULL, 0.8, 1e-7, 1, 1e-10}, index3);
  check(&(motion){"models/orzechowski-pendulum.yaml", NULL, 0.5, 1e-6, 1, 1e-10}, index3);
  check(&(motion){"models/orzechowski-pendulum.yaml", "E=2e11", 3, 1e-7, 2e-5, 1e-7}, index3);
}

/* Many swings: steps that begin to follow each of them at some tolerance lose energy there. */
static void test_many_swings(void **state) {
  (void)state;
  static const char *const hht[] = {"{type: hht-i3", NULL};
  check(&(motion){"models/physical-pendulum.yaml", NULL, 60, 3e-8, 0, 1e-8}, hht);
}

/* ---- bounds: run ---- */

#define NEWMARK "newmark, bounds: run"

/* newmark bounds steps unless it is told to bound the run. */
static const char *const adaptive[] = {
    "hht-i3", "hht-si2", "hht-add", "nstiff", "nstiff-si2", "gssss", "gssss, index: 2, stabilize: projection",
    NEWMARK,  "radau5",  "radau",   "gam",    "ida",        "adams", "erk"};

static double random_number(unsigned *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (double)(*seed >> 8) / (double)(1u << 24);
}

/* A chain of two rigid bodies in space and a mass on springs, of random sizes: what a user may write. */
static void random_model(char *text, size_t size, unsigned seed, const char *integrator) {
  double x[12];
  for (int i = 0; i < 12; i++) x[i] = random_number(&seed, 0.3, 1);
  snprintf(text, size,
           "sinew: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
           "  a: {type: rigid, from: [0, 0, 0], to: [%g, %g, 0], mass: %g, shape: {type: box, size: [%g, 0.1, 0.2]}}\n"
           "  b: {type: rigid, from: [%g, %g, 0], to: [%g, %g, %g], mass: %g,"
           " shape: {type: box, size: [%g, 0.2, 0.1]}}\n"
           "  c: {type: point-mass, mass: %g, position: [%g, %g, 0]}\n"
           "joints:\n  pin: {type: spherical, between: [ground, a.start]}\n"
           "  knee: {type: spherical, between: [a.end, b.start]}\n"
           "forces:\n  spring: {type: spring, between: [b.end, c], stiffness: %g, damping: %g}\n"
           "outputs: {b: {point: b.end}, c: {point: c}}\n"
           "analysis: {type: dynamics, duration: %g, output_step: 0.05, integrator: %s}\n",
           x[0], x[1], x[2], x[0], x[0], x[1], x[0] + x[3], x[1], x[4], x[5], x[3], x[6], x[0] + x[3] + 1, x[1],
           50 * x[7], x[8], 0.5 + 2 * x[9], integrator);
}

static void run_random(unsigned seed, const char *integrator, sn_trial *trial) {
  char text[2000];
  sn_context *context = sn_context_create();
  sn_model *model;
  random_model(text, sizeof text, seed, integrator);
  if (sn_model_parse(context, "random", text, strlen(text), NULL, 0, &model)) fail_msg("%s", sn_message(context));
  sn_trial_run(model, NULL, trial);
  if (trial->status) fail_msg("seed %u, %s: %s", seed, integrator, trial->message);
  sn_model_free(model);
  sn_context_free(context);
}

/* Positions at all output times within ten tolerances of a tight run by another family, for every method; what is
 * above the tolerance does not rise when it is tightened. Newmark is of first order and would take a million steps. */
static void test_run_is_bounded(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 3; seed++) {
    sn_trial tight[2];
    run_random(seed, "{type: radau, tolerance: 1e-11}", &tight[0]);
    run_random(seed, "{type: adams, tolerance: 1e-10}", &tight[1]);
    for (size_t k = 0; k < SN_COUNT(adaptive); k++) {
      const sn_trial *reference = &tight[strncmp(adaptive[k], "radau", 5) == 0];
      const double way = fmax(1, sn_trial_scale(reference, SN_POSITIONS));
      double before = INFINITY;
      for (double tolerance = 1e-4; tolerance > (strcmp(adaptive[k], NEWMARK) ? 5e-7 : 5e-5); tolerance /= 10) {
        char integrator[80];
        sn_trial trial;
        snprintf(integrator, sizeof integrator, "{type: %s, tolerance: %g}", adaptive[k], tolerance);
        run_random(seed, integrator, &trial);
        double error = sn_trial_distance(&trial, reference, SN_POSITIONS) / way;
        assert_below(error, 10 * tolerance, "seed %u, %s: error", seed, integrator);
        if (error > tolerance) assert_below(error, WORSE * before, "seed %u, %s: rising error", seed, integrator);
        before = error;
        sn_trial_free(&trial);
      }
    }
    for (int k = 0; k < 2; k++) sn_trial_free(&tight[k]);
  }
}

/* newmark with its default, the tolerance of a step, misses ten tolerances of the run. No such run is called good, and its
 * reasons name methods that keep them. */
static void test_first_order_says_so(void **state) {
  (void)state;
  int missed = 0;
  for (unsigned seed = 1; seed <= 3; seed++) {
    sn_trial tight;
    run_random(seed, "{type: radau, tolerance: 1e-11}", &tight);
    for (double tolerance = 1e-4; tolerance > 5e-8; tolerance /= 10) {
      char integrator[80];
      sn_trial trial;
      snprintf(integrator, sizeof integrator, "{type: newmark, tolerance: %g}", tolerance);
      run_random(seed, integrator, &trial);
      const double way = fmax(1, sn_trial_scale(&tight, SN_POSITIONS));
      if (sn_trial_distance(&trial, &tight, SN_POSITIONS) / way > 10 * tolerance) {
        missed++;
        if (trial.trust == SN_GOOD) fail_msg("seed %u, %s is called good", seed, integrator);
        assert_non_null(strstr(trial.reasons, "of first order"));
        assert_non_null(strstr(trial.reasons, "hht-i3"));
      }
      sn_trial_free(&trial);
    }
    sn_trial_free(&tight);
  }
  assert_true(missed > 0);
}

/* An oscillator x = cos(w t): over many times the time the same tolerance bounds many times as many swings. */
static void test_long_run(void **state) {
  (void)state;
  static const double durations[][2] = {{3, 30}, {30, 600}}; /* of second and of high order */
  for (size_t k = 0; k < SN_COUNT(adaptive); k++) {
    if (strcmp(adaptive[k], NEWMARK) == 0) continue;
    const double *duration = durations[k > 7];
    for (int i = 0; i < 2; i++) {
      char text[600];
      run r;
      double y[9], w = 4;
      snprintf(text, sizeof text,
               "sinew: 1\nbodies: {ball: {type: point-mass, mass: 1, position: [3, 0, 0]}}\n"
               "forces: {spring: {type: spring, between: [\"ground.at(0, 0, 0)\", ball], stiffness: 16, length: 2}}\n"
               "outputs: {ball: {point: ball}}\n"
               "analysis: {type: dynamics, duration: %g, integrator: {type: %s, tolerance: 1e-4}}\n",
               duration[i], adaptive[k]);
      open_run(&r, text, NULL);
      advance(&r, duration[i]);
      sn_read(r.simulation, "ball", y, 9);
      assert_below(fabs(y[0] - 2 - cos(w * duration[i])), 10e-4 * 3, "%s after %g s: error", adaptive[k], duration[i]);
      close_run(&r);
    }
  }
}

/* A short pulse on a mass at rest: its impulse, 0.5 N s in closed form, is the velocity afterwards. */
static double error_after_pulse(const char *method, double width, double tolerance) {
  char text[700];
  run r;
  double y[9];
  snprintf(text, sizeof text,
           "sinew: 1\nbodies: {ball: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
           "forces: {hit: {type: force, at: ball, force: ['%g*(step(t, 0.3, 0, 0.3 + %g, 1) - "
           "step(t, 0.3 + %g, 0, 0.3 + %g, 1))', 0, 0]}}\n"
           "outputs: {ball: {point: ball}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: %s, tolerance: %g}}\n",
           1 / width, width / 2, width / 2, width, method, tolerance);
  open_run(&r, text, NULL);
  advance(&r, 1);
  sn_read(r.simulation, "ball", y, 9);
  close_run(&r);
  return fabs(y[3] - 0.5);
}

/* To ten tolerances of 1 m/s, however short the pulse is. newmark, of first order, is at 13 of them, as measured. */
static void test_short_pulse(void **state) {
  (void)state;
  static const double widths[] = {1e-3, 1e-4, 1e-5, 1e-6}, tolerances[] = {1e-4, 1e-6, 1e-8};
  for (size_t k = 0; k < SN_COUNT(adaptive); k++) {
    const double allowed = strcmp(adaptive[k], NEWMARK) == 0 ? 100 : 10;
    const bool low_order = k < 8; /* many steps: one width and tolerance */
    for (size_t i = 0; i < SN_COUNT(widths); i++)
      for (size_t j = 0; j < SN_COUNT(tolerances); j++)
        if (!low_order || (i == 1 && j == 1))
          assert_below(error_after_pulse(adaptive[k], widths[i], tolerances[j]), allowed * tolerances[j],
                       "%s, tolerance %g: velocity after a pulse of %g s, error", adaptive[k], tolerances[j],
                       widths[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run_is_bounded), cmocka_unit_test(test_first_order_says_so),
      cmocka_unit_test(test_long_run),       cmocka_unit_test(test_short_pulse),
      cmocka_unit_test(test_rigid),          cmocka_unit_test(test_many_swings),
      cmocka_unit_test(test_flexible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
