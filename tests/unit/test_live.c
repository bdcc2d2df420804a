/* test_live.c - expressions of the state: motions against exact solutions, variables, inputs. */
#include "math/constants.h"
#include "run/trial.h"
#include "support.h"

/* A run of `duration` by an integrator; rows of outputs are read with `value`. */
static void start(run *r, const char *text, const char *integrator, double tolerance, double step) {
  sn_options options = {.integrator = integrator, .tolerance = tolerance, .step = step};
  open_run(r, text, &options);
}

static double value(run *r, const char *output, int column) {
  double y[16] = {0};
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

#define ANALYSIS(duration) "analysis: {type: dynamics, duration: " #duration ", output_step: 0.01}\n"
#define BALL \
  "sinew: 1\nbodies: {ball: {type: point-mass, mass: 1, position: [0.5, 0, 0]}}\noutputs: {ball: {point: ball}}\n"

/* Complete elliptic integral of the first kind by the arithmetic-geometric mean. */
static double elliptic(double m) {
  double a = 1, b = sqrt(1 - m);
  for (int i = 0; i < 40; i++) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return SN_PI / (2 * a);
}

/* x'' = -k x - k3 x^3 from x = A at rest: period 4 K(m)/w, w^2 = k + k3 A^2, m = k3 A^2/(2 w^2) */
static void duffing_has_its_period(void **state) {
  (void)state;
  const double A = 0.5, w2 = 40 + 300 * A * A, period = 4 * elliptic(300 * A * A / (2 * w2)) / sqrt(w2);
  static const char *const forces[] = {
      "forces: {f: {type: force, at: ball, force: [-40*ball.x - 300*ball.x^3, 0, 0]}}\n",
      "variables: {x: {value: ball.x}, f: {value: '-(40 + 300*x^2)*x'}}\nforces: {f: {type: force, at: ball, force: "
      "[f, 0, 0]}}\n",
      "forces: {f: {type: spring, between: ['ground.at(-9, 0, 0)', ball], length: 9, force: 40*stretch + "
      "300*stretch^3}}\n",
  };
  for (size_t i = 0; i < SN_COUNT(forces); i++) {
    char text[1024];
    snprintf(text, sizeof text, BALL "%sanalysis: {type: dynamics, duration: %.17g, output_step: 0.1}\n", forces[i],
             5 * period);
    run r;
    start(&r, text, "radau", 1e-10, 0);
    advance(&r, 5 * period);
    assert_below(fabs(sn_time(r.simulation) - 5 * period), 1e-9, "end");
    assert_below(fabs(value(&r, "ball", 0) - A), 1e-8, "place after five periods");
    assert_below(fabs(value(&r, "ball", 3)), 1e-6, "velocity after five periods");
    close_run(&r);
  }
}

/* Laws that are linear are the springs there are, in every method. */
static void linear_laws_are_springs(void **state) {
  (void)state;
  static const char *const head =
      "sinew: 1\ngravity: [0, -9.81, 0]\nbodies: {a: {type: rigid, position: [0.3, 0, 0], mass: 1, inertia: [0.1, 0.2, "
      "0.3], "
      "angular_velocity: [1, 2, 0.5]}, b: {type: point-mass, mass: 0.5, position: [1, 0.2, 0.1]}}\n"
      "joints: {hinge: {type: revolute, between: [ground, 'a.at(-0.3, 0, 0)'], axis: [0, 0, 1]}}\noutputs: {a: {point: "
      "'a.at(0.2, 0.1, 0)'}, b: {point: b}, s: {spring: s}, u: {spring: u}}\n" ANALYSIS(0.5);
  static const char *const pairs[2] = {
      "forces: {s: {type: spring, between: [a.center, b], stiffness: 50, damping: 2}, u: {type: torsion-spring, joint: "
      "hinge, "
      "stiffness: 8, damping: 0.4, angle: 0.2}}\n",
      "forces: {s: {type: spring, between: [a.center, b], force: 50*stretch + 2*rate}, u: {type: torsion-spring, "
      "joint: "
      "hinge, angle: 0.2, moment: 8*angle + 0.4*rate}}\n"};
  static const char *const methods[] = {"hht-i3", "radau", "ida",   "erk",    "newmark",
                                        "nstiff", "gam",   "adams", "tr-bdf2"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    double y[2][6];
    for (int i = 0; i < 2; i++) {
      char text[2048];
      snprintf(text, sizeof text, "%s%s", head, pairs[i]);
      run r;
      start(&r, text, methods[k], 1e-7, 0);
      advance(&r, 0.5);
      const char *const outputs[] = {"a", "b", "s", "u"};
      for (int c = 0; c < 4; c++) y[i][c] = value(&r, outputs[c], c < 2 ? 1 : 0);
      y[i][4] = value(&r, "s", 1);
      y[i][5] = value(&r, "u", 1);
      close_run(&r);
    }
    for (int c = 0; c < 6; c++) assert_below(fabs(y[0][c] - y[1][c]), 1e-5, "%s: output %d", methods[k], c);
  }
}

/* x'' = (1 - x^2) x' - x: amplitude 2.00861986 and period 6.66328686 of the limit cycle (known numbers of the
 * van der Pol equation with mu = 1). */
static void van_der_pol(void **state) {
  (void)state;
  run r;
  start(&r,
        BALL "forces: {f: {type: force, at: ball, force: ['(1 - ball.x^2)*ball.vx - ball.x', 0, 0]}}\n" ANALYSIS(60),
        "radau", 1e-9, 0);
  double amplitude = 0, last = 0, crossed = NAN, before = NAN;
  while (sn_time(r.simulation) < 60) {
    const double t0 = sn_time(r.simulation), x0 = value(&r, "ball", 0);
    assert_int_equal(sn_step(r.simulation), SN_OK);
    const double t1 = sn_time(r.simulation), x1 = value(&r, "ball", 0), h = t1 - t0, v1 = value(&r, "ball", 3);
    if (t0 > 40) { /* of the cubic through the ends */
      for (int i = 0; i <= 100; i++) {
        const double u = i / 100.0, w = 1 - u, v0 = last;
        const double x = (1 + 2 * u) * w * w * x0 + u * u * (3 - 2 * u) * x1 + h * u * w * (w * v0 - u * v1);
        amplitude = fmax(amplitude, x);
      }
      if (x0 < 0 && x1 >= 0) {
        double u = -x0 / (x1 - x0);
        for (int i = 0; i < 20; i++) {
          const double w = 1 - u;
          const double x = (1 + 2 * u) * w * w * x0 + u * u * (3 - 2 * u) * x1 + h * u * w * (w * last - u * v1);
          u -= x / (h * ((1 - u) * last + u * v1));
        }
        before = crossed;
        crossed = t0 + u * h;
      }
    }
    last = v1;
  }
  assert_below(fabs(amplitude - 2.00861986), 1e-3, "amplitude");
  assert_below(fabs(crossed - before - 6.66328686), 1e-3, "period");
  close_run(&r);
}

/* Inverted rod of length 1 and mass 1 held by a moment -kp phi - kd phi': J phi'' = (m g/2 - kp) phi - kd phi' for small
 * angles, J = 1/3. */
static void inverted_pendulum_is_kept_up(void **state) {
  (void)state;
  for (int planar = 0; planar < 2; planar++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "sinew: 1\n%sgravity: [0, -9.81, 0]\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: [0, 1, 0], mass: 1, "
        "inertia: "
        "[0.001, 0.08333333333333333, 0.08333333333333333], angular_velocity: [0, 0, 1e-4]}}\njoints: {hinge: {type: "
        "revolute, between: [ground, rod.start]}}\nforces: {hold: {type: moment, at: rod.center, moment: [0, 0, "
        "-20*hinge.angle - 1.5*hinge.rate]}}\noutputs: {hinge: {joint: hinge}}\n" ANALYSIS(1),
        planar ? "planar: true\n" : "");
    run r;
    start(&r, text, "radau", 1e-11, 0);
    advance(&r, 1);
    const double J = 1.0 / 3, d = 1.5 / (2 * J), w = sqrt((20 - 9.81 / 2) / J - d * d), t = sn_time(r.simulation);
    const double exact = 1e-4 / w * exp(-d * t) * sin(w * t);
    assert_below(fabs(value(&r, "hinge", 0) - exact), 1e-3 * 1e-4 / w, "angle");
    close_run(&r);
  }
}

/* z' = -z + x, w' = -50 (w - z) beside an oscillator x'' = -4 x, all of it exact; and error control by them alone. */
static void differential_variables(void **state) {
  (void)state;
  static const char *const text = BALL
      "variables: {z: {rate: ball.x - z, start: 2}, w: {rate: '-50*(w - z)', start: 1}, s: {value: z + w}}\n"
      "forces: {f: {type: force, at: ball, force: [-4*ball.x, 0, 0]}}\n" ANALYSIS(2);
  static const struct {
    const char *method;
    double tolerance, allowed;
  } list[] = {{"radau", 1e-8, 1e-7}, {"radau5", 1e-8, 1e-7}, {"gam", 1e-8, 1e-7},    {"ida", 1e-8, 1e-6},
              {"erk", 1e-8, 1e-7},   {"adams", 1e-8, 1e-6},  {"hht-i3", 1e-6, 1e-4}, {"nstiff", 1e-6, 1e-4},
              {"gssss", 1e-6, 1e-4}, {"tr-bdf2", 1e-6, 1e-4}};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    run r;
    start(&r, text, list[i].method, list[i].tolerance, 0);
    advance(&r, 2);
    /* x = cos(2t)/2; z = a cos 2t + b sin 2t + c exp(-t), a = 0.1, b = 0.2; w by the same with 50 */
    const double t = sn_time(r.simulation), a = 0.1, b = 0.2, c = 2 - a;
    const double z = a * cos(2 * t) + b * sin(2 * t) + c * exp(-t), n = 2500 + 4;
    const double p = 50 * (50 * a - 2 * b) / n, q = 50 * (50 * b + 2 * a) / n, k = 50 * c / 49;
    const double w = p * cos(2 * t) + q * sin(2 * t) + k * exp(-t) + (1 - p - k) * exp(-50 * t);
    assert_below(fabs(value(&r, "z", 0) - z), list[i].allowed, "%s: z", list[i].method);
    assert_below(fabs(value(&r, "w", 0) - w), list[i].allowed, "%s: w", list[i].method);
    assert_below(fabs(value(&r, "s", 0) - z - w), 2 * list[i].allowed, "%s: z + w", list[i].method);
    close_run(&r);
  }
}

/* Fixed steps h and h/2: the errors fall by 2^order. */
static void variables_keep_the_order(void **state) {
  (void)state;
  static const char *const text = BALL
      "variables: {z: {rate: '-z*(1 + ball.x)', start: 1}}\nforces: {f: {type: force, at: ball, force: "
      "['-4*ball.x - z', 0, 0]}}\n" ANALYSIS(1);
  static const struct {
    const char *method;
    double order, step;
  } list[] = {{"newmark", 1, 0.02}, {"hht-i3", 2, 0.02}, {"gssss", 2, 0.02}, {"tr-bdf2", 2, 0.02}, {"radau5", 5, 0.2}};
  run r;
  start(&r, text, "radau", 1e-13, 0);
  advance(&r, 1);
  const double z = value(&r, "z", 0), x = value(&r, "ball", 0);
  close_run(&r);
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    double error[2][2];
    for (int k = 0; k < 2; k++) {
      start(&r, text, list[i].method, 0, list[i].step / (k + 1));
      advance(&r, 1);
      error[k][0] = fabs(value(&r, "z", 0) - z);
      error[k][1] = fabs(value(&r, "ball", 0) - x);
      close_run(&r);
    }
    for (int c = 0; c < 2; c++) {
      const double order = log2(error[0][c] / error[1][c]);
      assert_below(list[i].order - 0.35 - order, 0, "%s: order %g of %s", list[i].method, order, c ? "x" : "z");
    }
  }
}

/* z' = -1e4 (z - x) follows x with a lag of 1e-4 s; implicit methods do not see the time constant. */
static void stiff_variables(void **state) {
  (void)state;
  static const char *const text = BALL
      "variables: {z: {rate: '-1e4*(z - ball.x)', start: 0.5}}\nforces: {f: {type: force, at: ball, force: [-4*ball.x, "
      "0, "
      "0]}}\n" ANALYSIS(2);
  static const char *const methods[] = {"radau", "ida", "hht-i3", "tr-bdf2", "nstiff"};
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    start(&r, text, methods[i], 1e-5, 0);
    advance(&r, 2);
    const double x = value(&r, "ball", 0), v = value(&r, "ball", 3);
    assert_below(fabs(value(&r, "z", 0) - (x - 1e-4 * v)), 2e-5, "%s", methods[i]);
    assert_below((double)r.simulation->system->statistics.steps, 5000, "steps of %s", methods[i]);
    close_run(&r);
  }
}

/* Statics: k x^3 = 3 + z with z held, also after z has moved in a stage before. */
static void statics_with_expressions(void **state) {
  (void)state;
  run r;
  start(&r,
        BALL
        "variables: {z: {rate: -1, start: 5}}\nforces: {f: {type: force, at: ball, force: ['3 + z - 8*ball.x^3', "
        "-10*ball.y, -10*ball.z]}}\nanalysis: [{type: dynamics, duration: 1}, {type: statics}]\n",
        NULL, 0, 0);
  assert_int_equal(sn_run(r.simulation), SN_OK);
  assert_below(fabs(value(&r, "z", 0) - 4), 1e-4, "z");
  assert_below(fabs(value(&r, "ball", 0) - cbrt((3 + value(&r, "z", 0)) / 8)), 1e-7, "equilibrium");
  close_run(&r);
}

/* A pulse of 1e-4 s in an expression of the state is not stepped over: its impulse is 1. */
static void short_pulses_are_seen(void **state) {
  (void)state;
  static const char *const forces[] = {
      "forces: {f: {type: force, at: ball, force: ['if(t > 1 && t < 1.0001, 1e4, 0)*(1 + 0*ball.vx)', 0, 0]}}\n",
      "variables: {u: {value: 'if(t > 1 && t < 1.0001, 1e4, 0)'}}\nforces: {f: {type: force, at: ball, force: [u, 0, "
      "0]}}\n",
      "inputs: {u: {default: 'if(t > 1 && t < 1.0001, 1e4, 0)'}}\nforces: {f: {type: force, at: ball, force: [u, 0, "
      "0]}}\n"};
  for (size_t i = 0; i < SN_COUNT(forces); i++) {
    char text[1024];
    snprintf(text, sizeof text, BALL "%s" ANALYSIS(2), forces[i]);
    run r;
    start(&r, text, "radau", 1e-5, 0);
    advance(&r, 2);
    assert_below(fabs(value(&r, "ball", 3) - 1), 1e-3, "velocity after the pulse");
    close_run(&r);
  }
}

/* x'' = -w^2 x + F: with F constant for a time dt */
static void swing(double w, double force, double dt, double *x, double *v) {
  const double rest = force / (w * w), c = cos(w * dt), s = sin(w * dt), x0 = *x - rest, v0 = *v;
  *x = rest + x0 * c + v0 / w * s;
  *v = -x0 * w * s + v0 * c;
}

/* Pulses that begin and end with jumps, in an expression of the state: the motion is that of the pieces, and no work is
 * lost between the near and the far side of a jump, by any method. */
static void jumps_keep_the_balance(void **state) {
  (void)state;
  static const char text[] = BALL
      "forces: {f: {type: force, at: ball, force: ['-100*ball.x + if(mod(t, 0.7) < 0.01, 300, 0)', 0, 0]}}\n" ANALYSIS(
          10);
  static const char *const methods[] = {"radau", "gam", "ida", "adams", "erk"};
  double x = 0.5, v = 0;
  for (int k = 0; k < 15; k++) {
    swing(10, 300, 0.01, &x, &v);
    swing(10, 0, k < 14 ? 0.69 : 0.19, &x, &v);
  }
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    start(&r, text, methods[i], 1e-8, 0);
    advance(&r, 10);
    assert_below(fabs(value(&r, "ball", 0) - x), 1e-6, "%s: place", methods[i]);
    assert_below(fabs(value(&r, "ball", 3) - v), 1e-5, "%s: velocity", methods[i]);
    assert_below(fabs(sn_energy_error(r.simulation)), 2e-6, "%s: energy error [J]", methods[i]);
    close_run(&r);
  }
}

static void inputs_are_set(void **state) {
  (void)state;
  run r;
  start(
      &r,
      BALL
      "inputs: {u: {default: 2, range: [-5, 5]}}\nforces: {f: {type: force, at: ball, force: [u, 0, 0]}}\n" ANALYSIS(2),
      "radau", 1e-9, 0);
  advance(&r, 1);
  const double t = sn_time(r.simulation);
  assert_below(fabs(value(&r, "ball", 3) - 2 * t), 1e-8, "velocity with the default");
  assert_int_equal(sn_simulation_set_input(r.simulation, "v", 1), SN_USAGE);
  assert_int_equal(sn_simulation_set_input(r.simulation, "u", 7), SN_USAGE);
  assert_int_equal(sn_simulation_set_input(r.simulation, "u", -3), SN_OK);
  assert_below(fabs(value(&r, "ball", 6) + 3), 1e-12, "acceleration after it is set");
  advance(&r, 2);
  assert_below(fabs(value(&r, "ball", 3) - (2 * t - 3 * (2 - t))), 1e-8, "velocity after it is set");
  assert_below(fabs(value(&r, "u", 0) + 3), 0, "recorded");
  close_run(&r);
}

/* What a run with expressions cannot vouch for is in its verdict. */
static void verdicts(void **state) {
  (void)state;
  static const struct {
    const char *model;
    sn_trust trust;
    const char *reason;
  } cases[] = {
      /* a servo that turns by 10 rad counts turns */
      {"sinew: 1\nbodies: {r: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
       "joints: {ax: {type: revolute, between: [ground, r.center]}}\noutputs: {ax: {joint: ax}}\n"
       "forces: {m: {type: moment, at: r.center, moment: [0, 0, 400*(10 - ax.angle) - 40*ax.rate]}}\n" ANALYSIS(3),
       SN_GOOD, ""},
      {"sinew: 1\nbodies: {r: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, "
       "15]}}\njoints: {ax: {type: revolute, between: [ground, r.center]}}\noutputs: {ax: {joint: ax}}\n"
       "forces: {m: {type: torsion-spring, joint: ax, stiffness: 0.5}}\n" ANALYSIS(1),
       SN_DOUBTFUL, "half a revolution"},
      /* a damper has no angle, but its record does */
      {"sinew: 1\nbodies: {r: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, "
       "15]}}\njoints: {ax: {type: revolute, between: [ground, r.center]}}\n"
       "outputs: {ax: {joint: ax}}\nforces: {m: {type: torsion-spring, joint: ax, damping: 0.5}}\n" ANALYSIS(1),
       SN_GOOD, ""},
      {"sinew: 1\nbodies: {r: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, "
       "15]}}\njoints: {ax: {type: revolute, between: [ground, r.center]}}\n"
       "outputs: {m: {spring: m}}\nforces: {m: {type: torsion-spring, joint: ax, damping: 0.5}}\n" ANALYSIS(1),
       SN_DOUBTFUL, "half a revolution"},
      /* Lorenz: chaotic */
      {BALL "variables: {x: {rate: 10*(y-x), start: 1}, y: {rate: x*(28-z)-y, start: 1}, z: {rate: x*y-8/3*z, start: "
            "1}}\n" ANALYSIS(30),
       SN_DOUBTFUL, "companion"},
      {BALL "variables: {a: {value: log(ball.x - 1)}}\n" ANALYSIS(0.1), SN_BAD, "log(-0.5), ball.x = 0.5"},
      {BALL "inputs: {u: {default: 20*t, range: [-1, 1]}}\n" ANALYSIS(0.1), SN_BAD, "'u' leaves its range"},
  };
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, cases[i].model);
    sn_trial trial;
    sn_trial_run(model, NULL, &trial);
    assert_int_equal(trial.status, SN_OK);
    assert_int_equal(trial.trust, cases[i].trust);
    if (!strstr(trial.reasons, cases[i].reason)) fail_msg("%s", trial.reasons);
    sn_trial_free(&trial);
    sn_model_free(model);
    sn_context_free(context);
  }
}

/* An angle in space has one value, in outputs, expressions, forces and events: it counts turns. A wheel with the moment
 * -2 N m until it has turned by 3 pi, at t = sqrt(3 pi); then a torsional spring of the expression stops it: the angle from
 * there on is 3 pi + W/w sin(w t), W = 2 sqrt(3 pi), w = 2. Driven, with 5 rad from row to row, it is 20 t. */
static void angles_count_turns(void **state) {
  (void)state;
  static const char *const methods[] = {"radau, tolerance: 1e-8", "erk, tolerance: 1e-8", "hht-i3, step: 1e-3"};
  const double begin = sqrt(3 * SN_PI);
  run r;
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "sinew: 1\nbodies: {r: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {ax: {type: revolute, between: [ground, r.center]}}\nvariables: {on: {held: 0}}\n"
             "forces: {m: {type: moment, at: r.center, moment: [0, 0, 'if(on > 0, -4*(ax.angle + 3*pi), -2)']}}\n"
             "events: {there: {when: ax.angle + 3*pi, direction: falling, once: true, set: {on: 1}}}\n"
             "outputs: {ax: {joint: ax}, e: {expression: ax.angle}}\n"
             "analysis: {type: dynamics, duration: 4, output_step: 0.1, integrator: {type: %s}}\n",
             methods[k]);
    run_to_end(&r, text);
    const double exact = -3 * SN_PI - begin * sin(2 * (4 - begin));
    assert_below(fabs(value(&r, "e", 0) - exact), 2e-5, "angle at the end, %s", methods[k]);
    assert_below(fabs(value(&r, "e", 0) - value(&r, "ax", 0)), 1e-12, "one value, %s", methods[k]);
    close_run(&r);
  }
  run_to_end(&r,
             "sinew: 1\nbodies: {r: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {ax: {type: revolute, between: [ground, r.center]}, d: {type: motion, joint: ax, rotation: "
             "20*t}}\noutputs: {e: {expression: ax.angle}}\nanalysis: {type: kinematics, duration: 2, output_step: "
             "0.25}\n");
  assert_below(fabs(value(&r, "e", 0) - 40), 1e-9, "driven");
  close_run(&r);
}

/* A slider that moves from 0 with 1 m/s, and an expression of its position that has no value from 0.5 m on. */
#define SLIDER                                                                                                    \
  "sinew: 1\nbodies: {b: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n" \
  "joints: {g: {type: prismatic, between: [ground, b.center], axis: [1, 0, 0]}}\n"

static void expressions_without_a_value_are_named(void **state) {
  (void)state;
  static const struct {
    const char *model, *place, *what;
  } cases[] = {
      {SLIDER "forces: {f: {type: force, at: b.center, force: [asin(2*g.position), 0, 0]}}\n" ANALYSIS(2),
       ":4:49: ", "'asin(2*g.position)' of 'f' has no value: asin(1.0000"},
      {SLIDER "forces: {f: {type: force, at: b.center, force: [c(g.travel), 0, 0]}}\n"
              "tables: {c: {x: [0, 0.5], y: [0, 1], extrapolation: error}}\n" ANALYSIS(2),
       ":4:49: ", "table 'c' at 0.50000"},
      {SLIDER "forces: {f: {type: force, at: b.center, force: [sqrt(0.5 - t), 0, 0]}}\n" ANALYSIS(2),
       ":4:49: ", "'sqrt(0.5 - t)' of 'f' has no value: sqrt(-"},
      {SLIDER "variables: {u: {value: log(0.5 - g.position)}, w: {value: 2*u}}\n"
              "forces: {f: {type: force, at: b.center, force: [1e-3/w, 0, 0]}}\n" ANALYSIS(2),
       ":4:24: ", "'log(0.5 - g.position)' of 'u' has no value: log(-"},
      {SLIDER "forces: {f: {type: force, at: b.center, force: [log(g.position), 0, 0]}}\n" ANALYSIS(2),
       ":4:49: ", "has no value: log(0), g.position = 0"},
  };
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    run r = {.context = sn_context_create()};
    r.model = parse(r.context, cases[i].model);
    sn_status status = sn_simulation_create(r.model, NULL, &r.simulation);
    if (status == SN_OK) status = sn_run(r.simulation);
    assert_int_equal(status, SN_NUMERICS);
    const char *message = sn_message(r.context);
    if (!strstr(message, cases[i].place) || !strstr(message, cases[i].what)) fail_msg("%s", message);
    close_run(&r);
  }
}

/* Names of outputs in expressions: the same motion, bit for bit. Inputs set as parameters are. */
static void names_of_outputs_are_understood(void **state) {
  (void)state;
  static const char *const forces[] = {"[3 - g.position - 0.1*g.velocity + 0*u, 0, 0]",
                                       "[3 - g.travel - 0.1*g.travel_rate + 0*u.value, 0, 0]",
                                       "[3 - out.travel - 0.1*out.travel_rate + 0*u, 0, 0]"};
  const char *const sets[] = {"u=2*t"};
  double x[3] = {0};
  for (int i = 0; i < 3; i++) {
    char text[800];
    snprintf(text, sizeof text,
             SLIDER
             "inputs: {u: {default: 1, range: [-10, 10]}}\noutputs: {out: {joint: g}}\nforces: {f: {type: force, "
             "at: b.center, force: %s}}\n" ANALYSIS(1),
             forces[i]);
    run r = {.context = sn_context_create()};
    if (sn_model_parse(r.context, "model", text, strlen(text), sets, 1, &r.model))
      fail_msg("%s", sn_message(r.context));
    if (sn_simulation_create(r.model, NULL, &r.simulation)) fail_msg("%s", sn_message(r.context));
    advance(&r, 1);
    x[i] = value(&r, "out", 0);
    assert_true(x[i] == x[0] && x[i] > 1);
    assert_true(value(&r, "u", 0) == 2 * sn_time(r.simulation));
    close_run(&r);
  }
}

/* An integral part is not in equilibrium where statics keeps it. */
static void statics_keeps_variables(void **state) {
  (void)state;
  run r;
  open_run(
      &r,
      "sinew: 1\nbodies: {ball: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
      "variables: {i: {rate: 0.5 - ball.x}}\n"
      "forces: {s: {type: spring, between: ['ground.at(0, -1, 0)', ball], stiffness: 10, length: 1}, f: {type: force, "
      "at: ball, force: ['100*(0.2 - ball.x) + i', '-100*ball.y', '-100*ball.z']}}\n"
      "outputs: {ball: {point: ball}}\nanalysis: statics\n",
      NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_verdict verdict = sn_judge(r.simulation, SN_OK);
  assert_int_equal(verdict.level, SN_DOUBTFUL);
  assert_non_null(strstr(verdict.reasons, "variable 'i' is kept at 0"));
  close_run(&r);
}

/* -2*sign(v) has no motion to offer where the mass comes to rest, at t = 0.5 s: the run ends soon after with the name of
 * the force, instead of going on with steps of nanoseconds. */
static void jumps_at_rest_end_the_run(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "radau5", "hht-i3"};
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    const sn_options options = {.integrator = methods[i]};
    run r;
    open_run(&r,
             "sinew: 1\nbodies: {b: {type: point-mass, position: [0, 0, 0], mass: 1, velocity: [1, 0, 0]}}\n"
             "forces: {f: {type: force, at: b, force: [-2*sign(b.vx), 0, 0]}}\noutputs: {b: {point: b}}\n"
             "analysis: {type: dynamics, duration: 2, output_step: 0.01}\n",
             &options);
    assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
    assert_non_null(strstr(sn_message(r.context), "the expression of 'f' jumps to and fro"));
    assert_below(fabs(value(&r, "b", 0) - 0.25), 1e-5, "%s: place of rest", methods[i]);
    close_run(&r);
  }
}

/* An actuator has three expressions with one cause: it is named once, and two actuators are two. */
static void jumps_are_told_once(void **state) {
  (void)state;
  for (int two = 0; two < 2; two++) {
    char text[1000];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nbodies: {a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 0.5], "
             "angular_velocity: [0, 0, 30]}}\njoints: {h: {type: revolute, between: ['ground.at(0, 0, 0)', a]}}\n"
             "forces: {f: {type: actuator, joint: h, command: '-8*step(t, 0.5, 0, 0.7, 1)*sign(h.rate)'}%s}\n"
             "analysis: {type: dynamics, duration: 4}\n",
             two ? ", g: {type: actuator, joint: h, command: '-4*step(t, 0.5, 0, 0.7, 1)*sign(h.rate)'}" : "");
    open_run(&r, text, &(sn_options){.integrator = "radau5"});
    const sn_status status = sn_run(r.simulation);
    assert_int_equal(status, SN_NUMERICS);
    const sn_verdict v = sn_judge(r.simulation, status);
    int told = 0;
    for (const char *at = v.reasons; (at = strstr(at, "jumps to and fro from")); at++) told++;
    if (told != 1 + two) fail_msg("%d actuators: told %d times: %s", 1 + two, told, v.reasons);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_count_turns),
      cmocka_unit_test(duffing_has_its_period),
      cmocka_unit_test(linear_laws_are_springs),
      cmocka_unit_test(van_der_pol),
      cmocka_unit_test(inverted_pendulum_is_kept_up),
      cmocka_unit_test(differential_variables),
      cmocka_unit_test(variables_keep_the_order),
      cmocka_unit_test(stiff_variables),
      cmocka_unit_test(statics_with_expressions),
      cmocka_unit_test(short_pulses_are_seen),
      cmocka_unit_test(jumps_keep_the_balance),
      cmocka_unit_test(inputs_are_set),
      cmocka_unit_test(verdicts),
      cmocka_unit_test(expressions_without_a_value_are_named),
      cmocka_unit_test(names_of_outputs_are_understood),
      cmocka_unit_test(statics_keeps_variables),
      cmocka_unit_test(jumps_at_rest_end_the_run),
      cmocka_unit_test(jumps_are_told_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
