/* test_steps.c - step control, failure, determinism, output between steps. */
#include "analysis/evidence.h"
#include "integrator/step.h"
#include "math/constants.h"
#include "model/registry.h"
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"

static const char *const pendulum = "models/pendulum.yaml";

/* ---- fixed steps ---- */

/* Grids that lie anyhow to the times at which steps have to end (a run that is resumed, instants, pauses): no step is
 * much shorter than its neighbors but next to such a time, where two make up one. A rest of 4e-10 s was a step. */
static void test_grids_beside_limits(void **state) {
  (void)state;
  const double h = 2e-3;
  for (double off = -1e-4; off < 1.05e-4; off += 2e-5)
    for (int tiny = 0; tiny < 2; tiny++) {
      const double start = tiny ? 4e-6 * off : off;
      sn_step_control c = sn_fixed_steps(h, start);
      double t = start;
      for (int k = 1; k <= 20; k++)
        for (const double limit = 0.1 * k; t < limit;) {
          const double step = sn_step_begin(&c, t, limit);
          assert_below(step, 1.011 * h, "step at %g s", t);
          if (step < 0.009 * h) fail_msg("a step of %g s at %g s, grid off by %g s", step, t, start);
          sn_step_judge(&c, t, step, 0);
          t = t + step > limit - 1e-12 ? limit : t + step;
        }
    }
}

/* ---- adaptive steps ---- */

/* A1 at t = 5 (see test_integrators.c): the error of the run goes with the tolerance and stays within ten of it. How
 * far it is below the tolerance is chance (0.07, 0.004 and 0.12 tolerances, as measured). */
static void test_tolerance(void **state) {
  (void)state;
  static const double exact[2] = {-0.9423054350, -0.3347543384};
  double before = INFINITY;
  for (double tolerance = 1e-4; tolerance > 5e-9; tolerance /= 100) {
    run r;
    double y[9];
    sn_options options = {.integrator = "hht-i3", .tolerance = tolerance, .until = 5};
    open_run(&r, "models/simple-pendulum.yaml", &options);
    advance(&r, 5);
    assert_true(sn_time(r.simulation) == 5); /* the last step ends there */
    sn_read(r.simulation, "bob", y, 9);
    double error = distance(y, exact, 2);
    assert_below(error, fmin(fmax(before / 5, tolerance), 10 * tolerance), "error with tolerance %g", tolerance);
    before = error;
    close_run(&r);
  }
}

/* Tolerances near the rounding of positions: what rounding puts into accelerations across the constraints, 1/h^2, is
 * not taken for an error, which would cut the steps until none is left. Energy as the reference. */
static void test_tight_tolerances(void **state) {
  (void)state;
  static const char *const methods[] = {"{type: hht-i3, horizon: 5}", "{type: hht-si2, horizon: 5}",
                                        "{type: nstiff, horizon: 5}", "{type: gssss, horizon: 5}"};
  for (size_t k = 0; k < SN_COUNT(methods); k++)
    for (double tolerance = 1e-9; tolerance > 5e-12; tolerance /= 10) {
      run r;
      sn_row row;
      sn_options options = {.integrator = methods[k], .tolerance = tolerance, .until = 0.005};
      open_run(&r, "models/slider-crank.yaml", &options);
      advance(&r, 0.005);
      sn_row_create(r.simulation, &row);
      sn_sample(r.simulation, 0.005, &row);
      const sn_statistics *count = sn_simulation_statistics(r.simulation);
      assert_true(count->smallest_step > 1e-8);
      assert_true(count->steps < 20000);
      assert_below(fabs(row.energy[SN_E_ERROR] / row.energy[SN_E_KINETIC]), fmax(10 * tolerance, 1e-9),
                   "%s, tolerance %g: energy", methods[k], tolerance);
      close_run(&r);
    }
}

/* A stiff rod in a driven loop takes short steps, at which the rounding of positions is above the tolerance of velocities:
 * cutting the step does not help. Steps stay above 1e-9 s; they used to fall to the minimum of 1e-12 s at 6e-5 s. */
static void test_rounding_of_short_steps(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "hht-si2", "nstiff", "nstiff-si2", "gssss"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    sn_options options = {.integrator = methods[k], .tolerance = 1e-8, .until = 1e-4};
    open_run(&r, "models/flexible-slider-crank.yaml", &options);
    advance(&r, 1e-4);
    assert_true(sn_simulation_statistics(r.simulation)->smallest_step > 1e-9);
    close_run(&r);
  }
}

/* relative and absolute are the parts of the tolerance, for every method: both like it, it is the same run (rounding
 * apart); both larger, it is a shorter one. */
static void test_parts_of_tolerance(void **state) {
  (void)state;
  static const char *const methods[] = {"newmark", "hht-i3", "hht-add", "hht-si2", "nstiff", "nstiff-si2", "radau5",
                                        "radau",   "gam",    "ida",     "adams",   "erk",    "tr-bdf2"};
  static const char *const settings[] = {"tolerance: 1e-7", "relative: 1e-7, absolute: 1e-7",
                                         "relative: 1e-4, absolute: 1e-4"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    long steps[3];
    for (int j = 0; j < 3; j++) {
      char text[400];
      run r;
      snprintf(text, sizeof text,
               HEAD
               "bodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}\n"
               "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
               "analysis: {type: dynamics, duration: 1, integrator: {type: %s, %s}}\n",
               methods[k], settings[j]);
      open_run(&r, text, NULL);
      advance(&r, 1);
      steps[j] = sn_simulation_statistics(r.simulation)->steps;
      close_run(&r);
    }
    if (labs(steps[0] - steps[1]) > steps[1] / 100 || !(steps[2] < 0.8 * (double)steps[1]))
      fail_msg("%s: %ld steps with tolerance, %ld with its parts, %ld with larger ones", methods[k], steps[0], steps[1],
               steps[2]);
  }
}

/* Steps follow what happens: short while the mass is pushed, the longest allowed otherwise. */
/* Where drivers prescribe all of a motion nothing is left to integrate, and no step would change the positions at its
 * end: velocities, what lies between the steps and the work of the driver are what the tolerance bounds. The tip of a
 * crank of 1 m is at (cos f, sin f) with velocity f' (-sin f, cos f). */
static double error_of_crank(const char *method, const char *rotation, double (*f)(double), double (*rate)(double),
                             double *energy) {
  char text[1000];
  run r;
  sn_row row;
  double most = 0;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, -9.81, 0]\n"
           "bodies: {arm: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
           "joints: {pin: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]},"
           " drive: {type: motion, joint: pin, rotation: \"%s\"}}\noutputs: {tip: {point: arm.end}}\n"
           "analysis: {type: dynamics, duration: 2, output_step: 0.013, integrator: {type: %s, tolerance: 1e-5}}\n",
           rotation, method);
  open_run(&r, text, NULL);
  sn_row_create(r.simulation, &row);
  for (int k = 0; k <= 153; k++) {
    const double t = 0.013 * k, a = f(t), w = rate(t);
    while (sn_time(r.simulation) < t) assert_int_equal(sn_step(r.simulation), SN_OK);
    sn_sample(r.simulation, t, &row);
    most = fmax(most, fmax(fabs(row.values[0] - cos(a)), fabs(row.values[1] - sin(a))));
    most = fmax(most, fmax(fabs(row.values[3] + w * sin(a)), fabs(row.values[4] - w * cos(a))) / fmax(1, fabs(w)));
  }
  *energy = fabs(sn_evidence_energy(r.simulation));
  close_run(&r);
  return most;
}

static double turning(double t) {
  return 2 * SN_PI * t;
}
static double turning_rate(double t) {
  (void)t;
  return 2 * SN_PI;
}
static double swinging(double t) {
  return 0.5 * sin(2 * t);
}
static double swinging_rate(double t) {
  return cos(2 * t);
}

static void test_driven_motion(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "hht-add", "hht-si2", "nstiff", "nstiff-si2", "gssss", "radau5"};
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    double energy[2];
    double turn = error_of_crank(methods[i], "2*pi*t", turning, turning_rate, &energy[0]);
    double swing = error_of_crank(methods[i], "0.5*sin(2*t)", swinging, swinging_rate, &energy[1]);
    if (turn > 1e-4 || swing > 1e-4) fail_msg("%s: off by %g, %g", methods[i], turn, swing);
    /* hht-si2 takes the work of its reactions without the impulses that hold velocities, of first order in h */
    if (strcmp(methods[i], "hht-si2") != 0 && fmax(energy[0], energy[1]) > 1e-4)
      fail_msg("%s: energy error %g, %g", methods[i], energy[0], energy[1]);
  }
}

static void test_steps_adapt(void **state) {
  (void)state;
  static const char text[] = HEAD
      "bodies: {mass: {type: point-mass, mass: 1, position: [0, 1, 0]}}\n"
      "forces:\n"
      "  push: {type: force, at: mass, force: ['2e3*step(t, 0.5, 0, 0.51, 1)*step(t, 0.51, 1, 0.52, 0)', 0, 0]}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, tolerance: 1e-6, max_step: 0.02}}\n";
  run r;
  open_run(&r, text, NULL);
  advance(&r, 1);
  const sn_statistics *st = sn_simulation_statistics(r.simulation);
  assert_true(st->error_rejections > 0);
  assert_below(st->smallest_step, 2e-3, "shortest step");
  assert_below(fabs(st->largest_step - 0.02), 1e-15, "longest step off its limit");
  /* impulse: 2e3 N over two smooth steps of 10 ms, each half full */
  assert_below(fabs(r.simulation->state.v[0] / 20 - 1), 1e-3, "velocity after the impulse");
  close_run(&r);
}

/* From rest, where all of a1 - a0 is across the constraints after the step, and in motion. */
#define TWO_BOBS(v)                                                                                                \
  HEAD "bodies:\n"                                                                                                 \
       "  near: {type: point-mass, mass: 1, position: [1, 0, 0], velocity: [0, " v                                 \
       ", 0]}\n"                                                                                                   \
       "  far: {type: point-mass, mass: 1, position: [2, 0, 0], velocity: [0, " v                                  \
       ", 0]}\n"                                                                                                   \
       "joints:\n"                                                                                                 \
       "  rod: {type: distance, between: ['ground.at(0, 0, 0)', near]}\n  next: {type: distance, between: [near, " \
       "far]}\n"                                                                                                   \
       "analysis: {type: dynamics, duration: 1}\n"

static void swing_of(const char *text, const char *integrator, double *q) {
  run r;
  open_run(&r, text, &(sn_options){.integrator = integrator});
  if (sn_run(r.simulation)) fail_msg("%s: %s", integrator, sn_message(r.context));
  memcpy(q, r.simulation->state.q, (size_t)r.model->n * sizeof(double));
  close_run(&r);
}

/* A first step that is far too long is taken back: the run is as good as with a first step of the method's own. */
static void test_first_step(void **state) {
  (void)state;
  static const char *const models[] = {TWO_BOBS("0"), TWO_BOBS("2")};
  static const char *const first[] = {"0.03", "0.2", "5"};
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if ((*kind)->category != SN_INTEGRATORS || sn_field_index(*kind, "initial_step") < 0) continue;
    for (size_t k = 0; k < SN_COUNT(models) * SN_COUNT(first); k++) {
      const char *model = models[k % 2];
      double exact[6], usual[6], q[6];
      char text[200];
      swing_of(model, "{type: radau, tolerance: 1e-10}", exact);
      snprintf(text, sizeof text, "{type: %s, tolerance: 1e-5}", (*kind)->name);
      swing_of(model, text, usual);
      snprintf(text, sizeof text, "{type: %s, tolerance: 1e-5, initial_step: %s}", (*kind)->name, first[k / 2]);
      swing_of(model, text, q);
      const double error = distance(q, exact, 6), allowed = fmax(1e-4, 2 * distance(usual, exact, 6));
      if (!(error <= allowed)) fail_msg("%s, model %zu: off by %g, allowed %g", text, k % 2, error, allowed);
    }
  }
}

/* A control that is saved and loaded goes on as one that was not: same verdicts and same steps, whatever the errors.
 * The errors include long rows of steps at the smallest, which a control gives up after a while. */
static void test_control_returns(void **state) {
  (void)state;
  enum { STEPS = 4000 };
  static const double level[] = {0.01, 0.5, 0.95, 1.5}; /* mean error of a row of steps */
  for (int saved = 50; saved < STEPS; saved += 397)
    for (int kind = 0; kind < 4; kind++) {
      const sn_step_control start = {.fixed = kind == 3,
                                     .nominal = 1e-3,
                                     .h = 1e-3,
                                     .smallest = kind < 2 ? 1e-9 : 1e-5,
                                     .largest = 0.1,
                                     .memory = kind == 1 ? 0.9 : 0,
                                     .order = 3};
      sn_step_control on = start, resumed = start;
      sn_history history = {0};
      uint64_t seed = 11;
      double t = 0;
      for (int k = 0; k < STEPS; k++) {
        if (k == saved) {
          sn_step_history(&on, &history);
          sn_history_rewind(&history);
          sn_step_history(&resumed, &history);
          assert_false(history.failed);
        }
        bool resting = k / 1500 % 2; /* errors that no step makes small: just allowed, but asking for less */
        double error = resting ? 0.99 : level[k / 100 % 4] * (1 + 0.1 * noise(&seed));
        double h = sn_step_begin(&on, t, 1e9);
        bool good = sn_step_judge(&on, t, h, error);
        if (k >= saved) {
          if (sn_step_begin(&resumed, t, 1e9) != h || sn_step_judge(&resumed, t, h, error) != good)
            fail_msg("kind %d, saved at %d: differs at step %d", kind, saved, k);
          assert_true(resumed.h == on.h);
        }
        if (good) t += h;
      }
      sn_history_free(&history);
    }
}

/* ---- grids ---- */

/* Steps and durations with one or two digits: all pairs whose ratio is whole, and some that leave a remainder.
 * Multiples of the step miss the duration by rounding in a part of them; no step is left for that. */
static void test_round_grids(void **state) {
  (void)state;
  static const int digits[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 25, 75};
  int pairs = 0, rounded = 0;
  for (size_t i = 0; i < SN_COUNT(digits); i++)
    for (size_t j = 0; j < SN_COUNT(digits); j++)
      for (int power = 1; power <= 5; power++)
        for (int scale = 0; scale <= 1; scale++) {
          long whole = (long)digits[j] * (long)pow(10, power); /* duration over 10^-power */
          if (whole % digits[i] != 0) continue;
          char number[32];
          snprintf(number, sizeof number, "%de-%d", digits[i], power + scale);
          double h = strtod(number, NULL);
          snprintf(number, sizeof number, "%de-%d", digits[j], scale);
          double duration = strtod(number, NULL), t = 0, least = INFINITY;
          long count = 0, expected = whole / digits[i];
          if (expected > 200000) continue;
          sn_step_control c = {.fixed = true, .nominal = h, .h = h, .smallest = 1e-15};
          for (; t < duration; count++) {
            double step = sn_step_begin(&c, t, duration);
            assert_true(sn_step_judge(&c, t, step, 0));
            least = fmin(least, step);
            t += step;
            if (fabs(t - duration) < 1e-9 * h) t = duration; /* as dynamics does */
            assert_true(count <= expected);
          }
          pairs++;
          rounded += (double)expected * h != duration;
          if (count != expected) fail_msg("%g in steps of %g: %ld steps", duration, h, count);
          assert_below(fabs(least / h - 1), 1e-9, "%g in steps of %g: shortest", duration, h);
        }
  assert_true(pairs > 500 && rounded > 50);
}

/* Remainders: a step of its own from a hundredth of a step on, otherwise part of the last one. */
static void test_remainders(void **state) {
  (void)state;
  static const double share[] = {1e-15, 1e-9, 1e-3, 0.009, 0.011, 0.3, 0.9, 0.999, 1 - 1e-12};
  for (size_t i = 0; i < SN_COUNT(share); i++) {
    const double h = 0.1, end = 1 + share[i] * h;
    double t = 0, last = 0;
    sn_step_control c = {.fixed = true, .nominal = h, .h = h, .smallest = 1e-15};
    long count = 0;
    for (; t < end; count++) {
      last = sn_step_begin(&c, t, end);
      sn_step_judge(&c, t, last, 0);
      t += last;
      if (fabs(t - end) < 1e-9 * h) t = end;
    }
    assert_true(count == (share[i] < 0.01 ? 10 : 11));
    assert_true(last >= SN_LEAST_SHARE * h);
  }
}

/* The same through every method with fixed steps: 0.9 s in steps of 3e-4 s, where 3000 h is less than 0.9. */
static void test_round_runs(void **state) {
  (void)state;
  static const char *const methods[] = {"newmark",    "hht-i3",  "hht-add",         "hht-si2", "nstiff",
                                        "nstiff-si2", "gssss",   "radau5",          "radau",   "gam",
                                        "erk",        "tr-bdf2", "symplectic-euler"};
  static const double pair[][2] = {{3e-4, 0.9}, {7e-3, 0.7}, {6e-3, 0.9}, {1e-3, 0.3}};
  for (size_t k = 0; k < SN_COUNT(methods); k++)
    for (size_t i = 0; i < SN_COUNT(pair); i++) {
      char text[500];
      run r;
      snprintf(text, sizeof text,
               HEAD
               "bodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}\n"
               "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
               "analysis: {type: dynamics, duration: %g, integrator: {type: %s, step: %g}}\n",
               pair[i][1], methods[k], pair[i][0]);
      open_run(&r, text, NULL);
      assert_int_equal(sn_run(r.simulation), SN_OK);
      const sn_statistics *st = sn_simulation_statistics(r.simulation);
      assert_true(sn_time(r.simulation) == pair[i][1]);
      if (st->steps != lround(pair[i][1] / pair[i][0])) fail_msg("%s: %ld steps", methods[k], st->steps);
      assert_below(fabs(st->smallest_step / pair[i][0] - 1), 1e-6, "%s: shortest step", methods[k]);
      close_run(&r);
    }
}

/* As printed: h_new = 0.9 h Theta^(-1/6), Theta = (error/tolerance)^2, whether the step is accepted or not. */
static void test_printed_control(void **state) {
  (void)state;
  for (double error = 0.01; error < 20; error *= 3) {
    sn_step_control c = {.h = 1e-3, .smallest = 1e-12, .largest = 1, .order = 3, .memory = 0.99, .printed = true};
    assert_true(sn_step_judge(&c, 0, 1e-3, error) == (error <= 1));
    assert_below(fabs(c.h / (0.9e-3 * pow(error * error, -1.0 / 6)) - 1), 1e-14, "step after error %g", error);
  }
}

/* A method that remembers errors: steps do not grow where the error passes through zero, but soon after it is over. */
static void test_memory(void **state) {
  (void)state;
  enum { MEMORY = 50, STEPS = 400 };
  sn_step_control c = {.h = 1e-3, .smallest = 1e-12, .largest = 1, .order = 2, .memory = 1 - 1.0 / MEMORY};
  for (int k = 0; k < STEPS; k++) { /* a motion of 10 steps a radian; its error has double zeros */
    const double h = c.h, error = 0.9 * pow(cos(0.1 * k), 2) * pow(h / 1e-3, 2);
    assert_true(sn_step_judge(&c, k * h, h, error));
  }
  assert_below(c.h, 1.5e-3, "step");
  for (int k = 0; k < 3 * MEMORY; k++) assert_true(sn_step_judge(&c, k * 1e-3, c.h, 1e-9));
  assert_true(c.h > 0.1);
}

/* ---- failure ---- */

/* An error that does not fall with the step, just allowed: steps shrink a little each time, but never below the
 * smallest, and do not creep on there for good. */
static void test_smallest_step(void **state) {
  (void)state;
  sn_step_control c = {.h = 1e-3, .smallest = 1e-12, .largest = 1, .order = 3, .last_error = 1};
  double t = 0;
  long steps = 0;
  for (bool good = true; good; steps++) {
    double h = sn_step_begin(&c, t, 1);
    assert_true(h >= c.smallest);
    good = sn_step_judge(&c, t, h, 0.95);
    if (!good) assert_true(h <= c.smallest); /* where integrators report that the error cannot be met */
    t += h;
    assert_true(steps < 10000);
  }
  /* a smallest step that the user chose serves for as long as the error is allowed */
  c = (sn_step_control){.h = 1e-3, .smallest = 1e-4, .largest = 1, .order = 3, .last_error = 1};
  for (t = 0, steps = 0; t < 1 - 1e-9; steps++) {
    double h = sn_step_begin(&c, t, 1);
    assert_true(sn_step_judge(&c, t, h, 0.95));
    t += h;
  }
  assert_true(steps > 5000);
}

/* A fixed step much too long for Newton is cut, and the steps return to their grid. */
static void test_cut_and_return(void **state) {
  (void)state;
  run r;
  sn_options options = {.integrator = "hht-i3", .step = 0.2, .until = 2};
  open_run(&r, pendulum, &options);
  int met = 0;
  while (sn_time(r.simulation) < 2) {
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    double t = sn_time(r.simulation), h = t - r.simulation->before.t;
    assert_true(h > 0 && h <= 0.2 * (1 + 1e-12));
    met += fabs(t - 0.2 * (met + 1)) < 1e-12;
  }
  const sn_statistics *st = sn_simulation_statistics(r.simulation);
  assert_true(st->newton_rejections > 0);
  assert_true(st->smallest_step < 0.1);
  assert_int_equal(met, 10);
  close_run(&r);
}

/* A driver that breaks: the run fails where that happens, says where and what, and keeps the last state. */
static void test_impossible_motion(void **state) {
  (void)state;
  static const char text[] = HEAD
      "bodies:\n"
      "  rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"
      "  arm: {type: rigid, from: [1, 0, 0], to: [2, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"
      "joints:\n"
      "  hinge: {type: revolute, between: [ground, rod.start]}\n"
      "  elbow: {type: revolute, between: [rod.end, arm.start]}\n"
      "  reach: {type: distance, between: ['ground.at(0, 0, 0)', arm.center]}\n" /* 1.5 m: stretched out */
      "  pull: {type: motion, between: ['ground.at(0, 0, 0)', arm.end], axis: [1, 0, 0], translation: 'if(t < 0.1, 0, "
      "1)'}\n"
      "outputs: {end: {point: arm.end}}\n";
  run r;
  sn_options options = {.integrator = "hht-i3", .step = 1e-3, .until = 1};
  open_run(&r, text, &options);
  sn_status status = sn_advance(r.simulation, 1);
  assert_int_equal(status, SN_NUMERICS);
  const char *message = sn_message(r.context);
  if (!strstr(message, "t = 0.1") && !strstr(message, "t = 0.09")) fail_msg("no time in the message:\n%s", message);
  if (!strstr(message, "'")) fail_msg("no name in the message:\n%s", message);
  double t = sn_time(r.simulation), q = r.simulation->state.q[0], end[9];
  assert_true(t > 0.09 && t <= 0.1 + 1e-9);
  assert_int_equal(sn_step(r.simulation), SN_NUMERICS); /* and again: nothing has moved */
  assert_true(sn_time(r.simulation) == t && r.simulation->state.q[0] == q);
  assert_int_equal(sn_read(r.simulation, "end", end, 9), 9);
  assert_below(fabs(end[0] - 2), 1e-6, "last good place of the end");
  close_run(&r);
}

/* ---- the same result, bit by bit ---- */

/* Final q and v; sampled between the steps if asked for. */
static int final_state(const sn_model *model, const sn_options *options, bool sampled, double **x) {
  sn_simulation *s;
  sn_row row;
  int n = model->n;
  if (sn_simulation_create(model, options, &s)) fail_msg("%s", sn_message(model->context));
  sn_row_create(s, &row);
  while (sn_time(s) < options->until) {
    if (sn_step(s)) fail_msg("%s", sn_message(model->context));
    if (sampled) sn_sample(s, s->before.t + 0.3 * (s->state.t - s->before.t), &row);
  }
  *x = malloc(2 * (size_t)n * sizeof(double));
  memcpy(*x, s->state.q, (size_t)n * sizeof(double));
  memcpy(*x + n, s->state.v, (size_t)n * sizeof(double));
  sn_simulation_free(s);
  return n;
}

static void check_same(const char *text, const sn_options *a, const sn_options *b, bool sampled, double limit) {
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  double *x, *y;
  int n = final_state(model, a, false, &x);
  final_state(model, b, sampled, &y);
  if (limit == 0) assert_memory_equal(x, y, 2 * (size_t)n * sizeof(double));
  assert_below(distance(x, y, n), limit, "difference of the two runs in q");
  assert_below(distance(x + n, y + n, n), 100 * limit, "in v"); /* what Newton leaves is divided by the step */
  free(x);
  free(y);
  sn_model_free(model);
  sn_context_free(context);
}

/* Every sort of thing at once: many elements in several chunks, rigid bodies, a spring, a driver. */
#define MIXED(elements)                                                                                             \
  HEAD "materials: {rubber: {density: 7200, young: 2e7}}\n"                                                         \
       "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"                                         \
       "bodies:\n"                                                                                                  \
       "  beam: {type: cable, from: [0, 0, 0], to: [6, 0, 0], elements: " elements                                  \
       ", material: rubber, section: square,\n"                                                                     \
       "    stiffness_damping: 1e-3}\n"                                                                             \
       "  weight: {type: rigid, position: [6, 0, 0], mass: 0.5, inertia: [0.01, 0.02, 0.02]}\n"                     \
       "  bob: {type: rigid, from: [6, 0, 0], to: [7, 0, 0.2], mass: 0.5, shape: {type: cylinder, radius: 0.05}}\n" \
       "joints:\n"                                                                                                  \
       "  drive: {type: revolute, between: [ground, beam.start]}\n"                                                 \
       "  turn: {type: motion, between: [ground, beam.start], rotation: 0.3*sin(3*t)}\n"                            \
       "  weld: {type: fixed, between: [weight, beam.end]}\n"                                                       \
       "  ball: {type: spherical, between: [weight.center, bob.start]}\n"                                           \
       "forces: {spring: {type: spring, between: ['ground.at(6, 1, 0)', bob.end], stiffness: 50, damping: 1}}\n"

static const char mixed[] = MIXED("600"), few[] = MIXED("12");

static void test_two_runs(void **state) {
  (void)state;
  sn_options fixed = {.step = 1e-3, .until = 0.05}, adaptive = {.tolerance = 1e-5, .until = 0.05};
  check_same(mixed, &fixed, &fixed, false, 0);
  check_same(mixed, &adaptive, &adaptive, false, 0);
}

static void test_sampling_changes_nothing(void **state) {
  (void)state;
  sn_options fixed = {.step = 1e-3, .until = 0.05}, adaptive = {.tolerance = 1e-5, .until = 0.05};
  check_same(mixed, &fixed, &fixed, true, 0);
  check_same(mixed, &adaptive, &adaptive, true, 0);
}

static void test_threads(void **state) {
  (void)state;
  sn_options one = {.step = 1e-3, .until = 0.05, .threads = 1}, two = one, three = one;
  two.threads = 2;
  three.threads = 3;
  check_same(mixed, &one, &two, false, 0);
  check_same(mixed, &one, &three, false, 0);
}

/* A heap of 2 x 16 cables, two layers crosswise: more contacts, pairs and items than any task takes. */
static void heap_text(bool dvi, char *text, size_t size) {
  enum { ROWS = 16 };
  int used = snprintf(text, size,
                      HEAD
                      "materials: {rubber: {density: 1000, young: 1e6, poisson: 0.4}}\n"
                      "sections: {round: {type: circle, radius: 0.01}}\nbodies:\n");
  for (int i = 0; i < 2 * ROWS; i++) {
    bool upper = i >= ROWS;
    double at = (i % ROWS + 0.5) / ROWS, y = upper ? 0.0302 : 0.0101;
    used += snprintf(text + used, size - (size_t)used,
                     "  c%d: {type: cable, elements: 10, material: rubber, section: round, mass_damping: 0.5, "
                     "from: [%g, %g, %g], to: [%g, %g, %g], velocity: [0, %g, 0.3]}\n",
                     i, upper ? at : 0, y, upper ? 0 : at, upper ? at : 1, y, upper ? 1 : at, upper ? -1.0 : -0.5);
  }
  used += snprintf(text + used, size - (size_t)used, "surfaces:\n  floor: {type: plane, normal: [0, 1, 0]}\n");
  for (int i = 0; i < 2 * ROWS; i++)
    used += snprintf(text + used, size - (size_t)used, "  s%d: {type: spheres, on: c%d, count: 51}\n", i, i);
  snprintf(text + used, size - (size_t)used,
           "contacts: {all: {friction: 0.3, %s}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 2e-4}}\n",
           dvi ? "method: dvi, activation: 0.001" : "damping: 0.5, slip: 0.02");
}

static void test_threads_of_heaps(void **state) {
  (void)state;
  static char text[16000];
  sn_options one = {.until = 0.012, .threads = 1}, two = one, three = one;
  two.threads = 2;
  three.threads = 3;
  for (int dvi = 0; dvi < 2; dvi++) {
    run r;
    heap_text(dvi, text, sizeof text);
    open_run(&r, text, &one);
    while (sn_time(r.simulation) < one.until) assert_int_equal(sn_step(r.simulation), SN_OK);
    assert_in_range(r.simulation->system->contacts->count, 300, 1100); /* 256 crossings, and 816 spheres on the floor */
    close_run(&r);
    check_same(text, &one, &two, false, 0);
    check_same(text, &one, &three, false, 0);
  }
}

static void test_solvers(void **state) {
  (void)state;
  sn_options ldl = {.step = 5e-5, .until = 0.05, .solver = "ldl"}, klu = ldl;
  klu.solver = "klu";
  check_same(few, &ldl, &klu, false, 1e-9);
}

/* ---- between steps ---- */

/* Put a known motion, x = sin t, at both ends of a step of length h; largest error of q and v in between. */
static void sample_error(double h, double error[2]) {
  run r;
  sn_row row;
  sn_options options = {.step = h, .until = 10};
  open_run(&r, HEAD "bodies: {mass: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n", &options);
  sn_row_create(r.simulation, &row);
  sn_state *end[2] = {&r.simulation->before, &r.simulation->state};
  for (int k = 0; k < 2; k++) {
    double t = 1 + h * k;
    end[k]->t = t;
    end[k]->q[0] = sin(t), end[k]->v[0] = cos(t), end[k]->a[0] = -sin(t);
  }
  error[0] = error[1] = 0;
  for (int k = 0; k <= 20; k++) {
    double t = 1 + h * k / 20;
    sn_sample(r.simulation, t, &row);
    error[0] = fmax(error[0], fabs(row.q[0] - sin(t)));
    error[1] = fmax(error[1], fabs(row.v[0] - cos(t)));
  }
  close_run(&r);
}

static void test_interpolation(void **state) {
  (void)state;
  double coarse[2], fine[2];
  sample_error(0.2, coarse);
  sample_error(0.1, fine);
  assert_below(fabs(log2(coarse[0] / fine[0]) - 4), 0.15, "order of the interpolated q: off");
  assert_below(fabs(log2(coarse[1] / fine[1]) - 4), 0.15, "order of the interpolated v: off");
  assert_below(fine[0], 1e-4 / 384 * 1.01, "error of the cubic, h^4/384 q''''");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tolerance),
      cmocka_unit_test(test_tight_tolerances),
      cmocka_unit_test(test_rounding_of_short_steps),
      cmocka_unit_test(test_parts_of_tolerance),
      cmocka_unit_test(test_driven_motion),
      cmocka_unit_test(test_grids_beside_limits),
      cmocka_unit_test(test_steps_adapt),
      cmocka_unit_test(test_first_step),
      cmocka_unit_test(test_control_returns),
      cmocka_unit_test(test_printed_control),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_smallest_step),
      cmocka_unit_test(test_cut_and_return),
      cmocka_unit_test(test_impossible_motion),
      cmocka_unit_test(test_two_runs),
      cmocka_unit_test(test_sampling_changes_nothing),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_solvers),
      cmocka_unit_test(test_interpolation),
      cmocka_unit_test(test_threads_of_heaps),
      cmocka_unit_test(test_round_grids),
      cmocka_unit_test(test_remainders),
      cmocka_unit_test(test_round_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
