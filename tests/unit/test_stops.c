/* test_stops.c - elastic stops of joint coordinates and backlash, against closed forms. */
#include "support.h"

#define BY(duration, method) "analysis: {type: dynamics, duration: " duration ", integrator: {" method "}}\n"

#define SLIDER(speed)                                                                                  \
  "bodies: {car: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1], velocity: [" speed    \
  ", 0, 0]}}\n"                                                                                        \
  "joints: {guide: {type: prismatic, between: ['ground.at(0, 0, 0)', car.center], axis: [1, 0, 0]}}\n" \
  "outputs: {car: {joint: guide}}\n"

/* ---- between two stops ---- */

/* Analytic: a mass m goes to and fro between stops of stiffness k, a distance L apart, with the period
 * 2 L/v + 2 pi sqrt(m/k); its place at any time follows. */
static void between_stops(double t, double *x, double *v) {
  double m = 2, k = 5e4, w = sqrt(k / m), L = 0.5, speed = 3, half = L / speed + PI / w;
  t += 0.25 / speed; /* from the left stop on: the start is in the middle */
  int bounces = (int)floor(t / half);
  double sign = bounces % 2 ? -1 : 1, left = t - bounces * half;
  if (left < L / speed) {
    *x = sign * (left * speed - 0.25);
    *v = sign * speed;
  } else {
    double p = w * (left - L / speed);
    *x = sign * (0.25 + speed / w * sin(p));
    *v = sign * speed * cos(p);
  }
}

static void bounces(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double error; /* in tolerances */
  } list[] = {{"type: radau, tolerance: 1e-7", 10},    {"type: hht-i3, alpha: -0.05, tolerance: 1e-6", 30},
              {"type: gam, tolerance: 1e-7", 1000},    {"type: erk, tolerance: 1e-7", 10},
              {"type: ida, tolerance: 1e-6", 300},     {"type: adams, tolerance: 1e-6", 10},
              {"type: tr-bdf2, tolerance: 1e-6", 300}, {"type: nstiff, tolerance: 1e-6", 30}};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    char text[1200];
    double y[2], x, v;
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\n" SLIDER(
                 "3") "forces: {ends: {type: stop, joints: [guide], min: -0.25, max: 0.25, stiffness: 5e4}}\n" BY("2.2",
                                                                                                                  "%s"),
             list[i].method);
    open_run(&r, text, NULL);
    between_stops(go_to(&r, 2), &x, &v); /* ten impacts */
    read_output(&r, "car", y, 2);
    const char *at = strstr(list[i].method, "1e-");
    double tolerance = strtod(at, NULL);
    assert_below(fabs(y[0] - x), list[i].error * tolerance, "%s: place after ten impacts", list[i].method);
    assert_below(energy_error_of(&r), 9e-3, "%s: energy", list[i].method);
    close_run(&r);
  }
}

/* ---- restitution ---- */

/* Analytic: m d'' = -k d^e (1 + c d') without other forces keeps c v - ln(1 + c v) - (c^2 k/m) U(d): the speeds before
 * and after have c v - ln(1 + c v) in common, whatever m, k and e are. */
static double rebound(double c, double v) {
  double goal = c * v - log1p(c * v), low = 0, high = 1 / c;
  for (int i = 0; i < 200; i++) {
    double u = 0.5 * (low + high);
    if (-c * u - log1p(-c * u) < goal)
      low = u;
    else
      high = u;
  }
  return low;
}

static void restitution(void **state) {
  (void)state;
  static const char *const laws[] = {"exponent: 1, damping: 0.05", "exponent: 1.5, damping: 0.05",
                                     "exponent: 2, damping: 0.3"};
  static const double c[] = {0.05, 0.05, 0.3};
  for (size_t i = 0; i < SN_COUNT(laws); i++) {
    char text[1200];
    double y[2];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\nplanar: true\ngravity: [0, 0, 0]\n" SLIDER(
            "3") "forces: {end: {type: stop, joints: [guide.translation], max: 0.3, stiffness: 1e6, %s}}\n" BY("0.5",
                                                                                                               "type: "
                                                                                                               "radau, "
                                                                                                               "toleran"
                                                                                                               "ce: "
                                                                                                               "1e-9"),
        laws[i]);
    open_run(&r, text, NULL);
    advance(&r, 0.5);
    read_output(&r, "car", y, 2);
    assert_below(fabs(y[1] / -rebound(c[i], 3) - 1), 1e-5, "rebound, %s", laws[i]);
    assert_below(energy_error_of(&r), 1e-5, "energy with its damping, %s", laws[i]);
    close_run(&r);
  }
}

/* ---- a pendulum ---- */

/* Analytic: a rod that falls on a stop under its hinge, small angles: p'' = -w^2 p from p0 reaches p = 0 with the speed
 * w p0; at the stop p'' = -(w^2 + k/J) p. Half periods alternate: pi/w outside, pi/sqrt(w^2 + k/J) inside. */
static void pendulum(void **state) {
  (void)state;
  static const char *const heads[] = {"sinew: 1\n", "sinew: 1\nplanar: true\n"};
  for (int p = 0; p < 2; p++) {
    char text[1200];
    double J = 2.0 / 3, w = sqrt(9.81 * 0.5 * 2 / J), in = sqrt(w * w + 2000 / J), p0 = 1e-4;
    run r;
    snprintf(text, sizeof text,
             "%sgravity: [0, -9.81, 0]\n"
             "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [sin(1e-4), -cos(1e-4), 0], mass: 2, inertia: [0.001, "
             "1/6, 1/6]}}\n"
             "joints: {hinge: {type: revolute, between: [ground, rod.start]}}\n"
             "forces: {stop: {type: stop, joints: [hinge], min: -1e-4, stiffness: 2000}}\n"
             "outputs: {rod: {joint: hinge}}\n" BY("4", "type: radau, tolerance: 1e-10, absolute: 1e-12"),
             heads[p]);
    open_run(&r, text, NULL);
    for (int k = 1; k <= 6; k++) {
      double y[2], t = go_to(&r, 0.6 * k), cycle = PI / w + PI / in, left = fmod(t + PI / (2 * w), cycle);
      double exact = left < PI / w ? p0 * sin(w * left) : -p0 * w / in * sin(in * (left - PI / w));
      read_output(&r, "rod", y, 2);
      assert_below(fabs(y[0] + p0 - exact), 2e-4 * p0, "angle at %g s", t);
    }
    close_run(&r);
  }
}

/* ---- backlash ---- */

/* Analytic: two gears of inertia J1, J2 and radii r1, r2 with play: the tooth force keeps J1 w1/r1 - J2 w2/r2, and without
 * damping reverses r1 w1 + r2 w2. */
static void backlash(void **state) {
  (void)state;
  static const char *const heads[] = {"sinew: 1\n", "sinew: 1\nplanar: true\n"};
  for (int p = 0; p < 2; p++) {
    char text[1500];
    double J1 = 0.2, J2 = 0.5, r1 = 0.1, r2 = 0.15, w1 = 4, w2 = 0, a[2], b[2];
    run r;
    snprintf(
        text, sizeof text,
        "%sgravity: [0, 0, 0]\n"
        "bodies:\n"
        "  one: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.3, 0.3, 0.2], angular_velocity: [0, 0, 4]}\n"
        "  two: {type: rigid, position: [0.25, 0, 0], mass: 1, inertia: [0.3, 0.3, 0.5]}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground, one.center]}\n"
        "  b: {type: revolute, between: [ground, two.center]}\n"
        "forces: {play: {type: stop, joints: [a, b], factors: [0.1, 0.15], min: -0.005, max: 0.005, stiffness: 1e6}}\n"
        "outputs: {one: {joint: a}, two: {joint: b}}\n" BY("0.5", "type: radau, tolerance: 1e-9"),
        heads[p]);
    open_run(&r, text, NULL);
    double t1 = 0.005 / (r1 * w1) + PI * sqrt(1 / (1e6 * (r1 * r1 / J1 + r2 * r2 / J2)));
    advance(&r, t1 + 5e-3); /* after the first impact, in the play again */
    read_output(&r, "one", a, 2);
    read_output(&r, "two", b, 2);
    double u = r1 * w1 + r2 * w2, impulse = 2 * u / (r1 * r1 / J1 + r2 * r2 / J2);
    assert_below(fabs(a[1] - (w1 - impulse * r1 / J1)), 1e-6, "speed of the first gear");
    assert_below(fabs(b[1] - (w2 - impulse * r2 / J2)), 1e-6, "speed of the second gear");
    advance(&r, 0.5); /* many impacts */
    read_output(&r, "one", a, 2);
    read_output(&r, "two", b, 2);
    assert_below(fabs(J1 * a[1] / r1 - J2 * b[1] / r2 - J1 * w1 / r1), 1e-6, "momentum");
    assert_below(energy_error_of(&r), 1e-5, "energy");
    close_run(&r);
  }
}

/* ---- fixed steps that miss an impact say so ---- */

static void fixed_steps(void **state) {
  (void)state;
  static const char *const steps[] = {"type: hht-i3, alpha: 0, step: 5e-3", "type: hht-i3, alpha: 0, step: 1e-4"};
  for (int k = 0; k < 2; k++) {
    char text[1200];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\n" SLIDER(
                 "3") "forces: {ends: {type: stop, joints: [guide], min: -0.25, max: 0.25, stiffness: 1e5}}\n" BY("0.5",
                                                                                                                  "%s"),
             steps[k]);
    open_run(&r, text, NULL);
    advance(&r, 0.5);
    assert_true((r.simulation->system->statistics.unseen_impacts > 0) == (k == 0));
    close_run(&r);
  }
}

/* ---- rigid stops, by impulses ---- */

/* Each impact leaves e of the speed, exactly; between stops L apart the time of n impacts is known to a step each. With
 * e = 1 nothing is lost. */
static void rebounds_from_rigid_stops(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double e = k ? 1 : 0.5, h = 1e-4;
    char text[1200];
    double y[2], speed = 3, t = 0.25 / 3;
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, 0]\n" SLIDER(
            "3") "forces: {ends: {type: stop, joints: [guide], min: -0.25, max: 0.25, restitution: %g}}\n" BY("9",
                                                                                                              "type: "
                                                                                                              "symplect"
                                                                                                              "ic-"
                                                                                                              "euler, "
                                                                                                              "step: "
                                                                                                              "1e-4"),
        e);
    open_run(&r, text, NULL);
    for (int n = 1; n <= 3; n++) { /* a little after the n-th impact */
      speed *= e;
      advance(&r, t + 0.01);
      read_output(&r, "car", y, 2);
      assert_below(fabs(y[1] - (n % 2 ? -speed : speed)), 1e-12, "speed after %d impacts", n);
      assert_below(fabs(fabs(y[0]) - 0.25 + speed * 0.01), 2 * n * h * 3, "place after %d impacts", n);
      t += 0.5 / speed;
    }
    if (k) assert_below(energy_error_of(&r), 1e-12, "energy");
    close_run(&r);
  }
}

/* Dropped from H, it bounces ever faster and rests after sqrt(2 H/g) (1 + e)/(1 - e); then it stays. The stop of an angle,
 * in the plane and in space, holds a pendulum in the same way. */
static void comes_to_rest_on_a_rigid_stop(void **state) {
  (void)state;
  static const char *const models[] = {
      "sinew: 1\ngravity: [-10, 0, 0]\n" SLIDER("0") "forces: {floor: {type: stop, joints: [guide], min: -0.2, "
                                                     "restitution: 0.5}}\n",
      "sinew: 1\nplanar: true\ngravity: [0, -10, 0]\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: "
      "1, inertia: [0.1, 0.1, 0.1]}}\njoints: {pin: {type: revolute, between: [ground, rod.start]}}\nforces: {floor: "
      "{type: stop, joints: [pin], min: -0.2, restitution: 0.5}}\noutputs: {car: {joint: pin}}\n",
      "sinew: 1\ngravity: [0, -10, 0]\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: "
      "[0.1, 0.1, 0.1]}}\njoints: {pin: {type: revolute, between: [ground, rod.start]}}\nforces: {floor: {type: stop, "
      "joints: [pin], min: -0.2, restitution: 0.5}}\noutputs: {car: {joint: pin}}\n"};
  for (size_t i = 0; i < SN_COUNT(models); i++) {
    char text[1200];
    double y[2];
    run r;
    snprintf(text, sizeof text, "%s" BY("9", "type: symplectic-euler, step: 1e-4"), models[i]);
    open_run(&r, text, NULL);
    if (i == 0) {
      advance(&r, 0.9 * 0.2 * 3);
      read_output(&r, "car", y, 2);
      assert_true(fabs(y[1]) > 0.01);
    }
    advance(&r, i ? 2 : 1.05 * 0.2 * 3);
    read_output(&r, "car", y, 2);
    assert_below(fabs(y[1]), 1e-9, "model %zu: at rest", i);
    assert_below(fabs(y[0] + 0.2), 1e-6, "model %zu: at the stop", i);
    close_run(&r);
  }
}

/* The force of a stop on one joint is that on its second body: x = 0.1 + sin(10 (t - 0.1))/10 from t = 0.1 s on. */
static void output_of_one_joint(void **state) {
  (void)state;
  run r;
  double F[3];
  run_to_end(&r,
             "sinew: 1\nplanar: true\nbodies: {b: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], "
             "velocity: [1, 0, 0]}}\njoints: {s: {type: prismatic, between: [ground, b.center], axis: [1, 0, 0]}}\n"
             "forces: {e: {type: stop, joints: [s], max: 0.1, stiffness: 100}}\noutputs: {e: {force: e}}\n"
             "analysis: {type: dynamics, duration: 0.15, integrator: {type: radau, tolerance: 1e-8}}\n");
  read_output(&r, "e", F, 3);
  assert_below(fabs(F[0] + 10 * sin(0.5)), 1e-5, "force of a stop");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(output_of_one_joint),
      cmocka_unit_test(bounces),
      cmocka_unit_test(restitution),
      cmocka_unit_test(pendulum),
      cmocka_unit_test(backlash),
      cmocka_unit_test(fixed_steps),
      cmocka_unit_test(rebounds_from_rigid_stops),
      cmocka_unit_test(comes_to_rest_on_a_rigid_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
