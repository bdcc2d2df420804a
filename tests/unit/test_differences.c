/* test_differences.c - outputs beside those of the companion run: what the verdict says about them against their known
 * errors. */
#include "kinds/kinds.h"
#include "run/trial.h"
#include "study/deviation.h"
#include "support.h"

static void run_text(const char *text, const sn_options *options, sn_trial *trial) {
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  sn_trial_run(model, options, trial);
  assert_int_equal(trial->status, SN_OK);
  sn_model_free(model);
  sn_context_free(context);
}

static void expect(const sn_trial *trial, const char *reason) {
  if (trial->trust != (reason ? SN_DOUBTFUL : SN_GOOD) || (reason && !strstr(trial->reasons, reason)))
    fail_msg("%s (%g, %g)\n%s", sn_trust_names[trial->trust], trial->statistics.reaction_difference,
             trial->statistics.output_difference, trial->reasons);
}

/* A double pendulum on a train, recorded at the start and at the end alone: it is off by radians where the way of the
 * train is right, and nothing in it jumps. The same with a floor that it never touches, recorded twice. */
#define TRAIN(more, step)                                                                                          \
  "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {train: {type: rigid, position: [0, 0, 0], mass: 1e4, " \
  "inertia: [1, 1, 1e4], velocity: [80, 0, 0]}, a: {type: rigid, from: [0, 0, 0], to: [0.5, 0.1, 0], mass: 1, "    \
  "inertia: [1, 1, 0.02], velocity: [80, 0, 0]}, b: {type: rigid, from: [0.5, 0.1, 0], to: [1, 0.3, 0], mass: 1, " \
  "inertia: [1, 1, 0.02], velocity: [80, 0, 0]}}\njoints: {rail: {type: prismatic, between: [ground, "             \
  "train.center], axis: [1, 0, 0]}, h: {type: revolute, between: [train.center, a.start]}, k: {type: revolute, "   \
  "between: [a.end, b.start]}}\noutputs: {train: {point: train.center}, " more                                     \
  "}\nanalysis: {type: dynamics, duration: 15, output_step: " step ", integrator: {type: radau, tolerance: 1e-3}}\n"

static void one_row_counts_where_nothing_jumps(void **state) {
  (void)state;
  static const struct {
    const char *text, *reason;
  } runs[] = {{TRAIN("h: {relative: b.end, relative_to: train.center}", "15"), "output 'h' differs"},
              {TRAIN("f: {reaction: k}", "15"), "reactions 'f' differ"}};
  for (size_t k = 0; k < SN_COUNT(runs); k++) {
    sn_trial trial;
    run_text(runs[k].text, &(sn_options){0}, &trial);
    expect(&trial, runs[k].reason);
    sn_trial_free(&trial);
  }
}

/* A mass swings about x = 1 and pushes on another, which is held, while it is beyond: the reaction jumps at every second
 * recorded time, and is right. */
static void forces_may_jump(void **state) {
  (void)state;
  sn_trial trial;
  run_text(
      "sinew: 1\nbodies: {m: {type: point-mass, mass: 1, position: [1.1, 0, 0]}, held: {type: rigid, position: [0, "
      "2, 0], mass: 1, inertia: [1, 1, 1]}}\njoints: {hold: {type: fixed, between: [ground, held.center]}}\n"
      "forces: {s: {type: spring, between: ['ground.at(0, 0, 0)', m], stiffness: 100, length: 1}, push: {type: "
      "force, at: held.center, force: ['if(m.x > 1, 1, 0)', 0, 0]}}\noutputs: {m: {point: m}, hold: {reaction: "
      "hold}}\nanalysis: {type: dynamics, duration: 3, output_step: 'pi/20', integrator: {type: radau, tolerance: "
      "1e-6}}\n",
      &(sn_options){0}, &trial);
  expect(&trial, NULL);
  sn_trial_free(&trial);
}

/* x = 1 + 0.1 cos 10 t, v = -sin 10 t by symplectic Euler. A plane that nothing touches brings a companion with half the
 * step. Errors that halve with the step are twice the difference; here, without impacts, they are of second order, 4/3
 * of it, and the estimate is 3/2 of the error. */
static void differences_are_errors(void **state) {
  (void)state;
  static const double steps[] = {4e-3, 1e-3, 2.5e-4};
  for (size_t k = 0; k < SN_COUNT(steps); k++) {
    sn_trial trial;
    double error = 0;
    run_text(
        "sinew: 1\nbodies: {m: {type: point-mass, mass: 1, position: [1.1, 0, 0]}, far: {type: rigid, position: "
        "[0, 9, 0], mass: 1, shape: {type: sphere, radius: 0.1}}}\njoints: {hold: {type: fixed, between: [ground, "
        "far.center]}}\nforces: {s: {type: spring, between: ['ground.at(0, 0, 0)', m], stiffness: 100, length: "
        "1}}\nsurfaces: {skin: {type: sphere, on: far}, floor: {type: plane, normal: [0, 1, 0]}}\ncontacts: {all: "
        "{method: dvi}}\noutputs: {m: {point: m}}\nanalysis: {type: dynamics, duration: 2, output_step: 0.004, "
        "integrator: {type: symplectic-euler, step: 1e-3}}\n",
        &(sn_options){.step = steps[k]}, &trial);
    for (int i = 0; i < trial.rows; i++)
      error = fmax(error, fabs(trial.output[(size_t)i * (size_t)trial.outputs + 3] + sin(10 * trial.t[i])));
    assert_below(fabs(log(trial.statistics.output_difference / error / 1.5)), log(1.1), "step %g: estimate over error",
                 steps[k]);
    sn_trial_free(&trial);
  }
}

/* The steel rod of a slider-crank vibrates without damping. radau5 damps it, more so with time, and the companion, which
 * does not, ends early: what it has seen goes on. */
static void differences_grow_after_the_companion(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double tolerance;
  } runs[] = {{"radau5", 5e-7}, {"radau", 1e-8}};
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, "models/flexible-slider-crank.yaml");
  const double until = 0.16;
  sn_trial reference;
  sn_trial_run(model, &(sn_options){.integrator = "radau", .tolerance = 1e-10, .until = until}, &reference);
  for (size_t k = 0; k < SN_COUNT(runs); k++) {
    sn_trial trial;
    int column;
    sn_trial_run(model, &(sn_options){.integrator = runs[k].integrator, .tolerance = runs[k].tolerance, .until = until},
                 &trial);
    const double error = sn_verify_others(model, &trial, &reference, &column);
    assert_true((error > 0.05) == (k == 0));
    if (k == 0)
      assert_true(trial.statistics.estimated_until < until / 2 && trial.statistics.reaction_difference < 0.05);
    if ((trial.trust == SN_GOOD) != (error <= 0.05))
      fail_msg("%s, off by %g: %s\n%s", runs[k].integrator, error, sn_trust_names[trial.trust], trial.reasons);
    sn_trial_free(&trial);
  }
  sn_trial_free(&reference);
  sn_model_free(model);
  sn_context_free(context);
}

/* A beam falls on a peg, by penalty and fixed explicit steps: radau would need far more work than it may, half the step
 * comes to the end. */
static void large_meshes_with_contacts_are_compared(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, "models/wrap.yaml");
  sn_trial trial;
  sn_trial_run(model, &(sn_options){.until = 0.66}, &trial);
  assert_true(trial.statistics.estimated_until > 0.6599 && trial.statistics.estimated_error > 0);
  assert_null(strstr(trial.reasons, "no error estimate"));
  sn_trial_free(&trial);
  sn_model_free(model);
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_row_counts_where_nothing_jumps),
                                     cmocka_unit_test(forces_may_jump), cmocka_unit_test(differences_are_errors),
                                     cmocka_unit_test(differences_grow_after_the_companion),
                                     cmocka_unit_test(large_meshes_with_contacts_are_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
