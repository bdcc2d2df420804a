/* test_friction.c - friction in joints, against closed forms and integrations of one equation that are written here. */
#include "math/constants.h"
#include "support.h"

static void start(run *r, const char *text, const char *integrator, double tolerance, double step) {
  sn_options options = {.integrator = integrator, .tolerance = tolerance, .step = step};
  open_run(r, text, &options);
}

static double value(run *r, const char *output, int column) {
  double y[16] = {0};
  assert_true(sn_read(r->simulation, output, y, 16) > (size_t)column);
  return y[column];
}

#define ANALYSIS "analysis: {type: dynamics, duration: 10, output_step: 0.01}\n"
#define FLAT "planar: true\n"

/* ---- a mass on a slide, with a spring ---- */

/* Coulomb friction mu N takes 2 mu N/k from each half swing; the mass stops where it turns with k |x| <= mu N. With m = 1,
 * k = 100, g = 10 and mu = 0.21 it turns at 0.1, -0.058 and 0.016, where it stays. */
#define OSCILLATOR(plane, mu, creep)                                                                         \
  "sinew: 1\n" plane                                                                                         \
  "gravity: [0, -10, 0]\nbodies: {box: {type: rigid, position: [0.1, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n" \
  "joints: {slide: {type: prismatic, between: [ground, box.center], axis: [1, 0, 0]}}\n"                     \
  "forces: {rub: {type: friction, joint: slide, coefficient: " mu ", creep_speed: " creep                    \
  "}, spring: {type: spring, between: ['ground.at(-9, 0, 0)', box.center], length: 9, stiffness: 100}}\n"    \
  "outputs: {box: {point: box.center}, slide: {reaction: slide}}\n"

/* Place at t, with w = 10 and d = mu N/k = mu/10: half swings about d and -d in turn. */
static double oscillator(double mu, double t) {
  const double w = 10, d = mu * 10 / 100;
  double x = 0.1;
  while (fabs(x) > d) {
    const double middle = x > 0 ? d : -d;
    if (w * t < PI) return middle + (x - middle) * cos(w * t);
    t -= PI / w;
    x = 2 * middle - x;
  }
  return x;
}

static void stops_where_theory_stops_it(void **state) {
  (void)state;
  static const char *const methods[] = {"radau",  "hht-i3",     "hht-si2", "ida", "erk",    "adams",
                                        "nstiff", "nstiff-si2", "gssss",   "gam", "tr-bdf2"};
  static const char *const models[] = {OSCILLATOR(FLAT, "0.21", "1e-4") ANALYSIS,
                                       OSCILLATOR("", "0.21", "1e-4") ANALYSIS};
  for (size_t i = 0; i < SN_COUNT(models); i++)
    for (size_t k = 0; k < SN_COUNT(methods); k++) {
      run r;
      start(&r, models[i], methods[k], 1e-6, 0);
      for (int row = 1; row <= 4; row++) {
        const double t = go_to(&r, 0.2 * row), x = value(&r, "box", 0);
        assert_below(fabs(x - oscillator(0.21, t)), 3e-5, "%s: place at %g s", methods[k], t);
      }
      assert_below(fabs(value(&r, "box", 0) - 0.016), 3e-5, "%s: where it sticks", methods[k]);
      /* friction that holds 16/21 of the most: rho(z) = 16/21 has z = 0.577 */
      const double u = value(&r, "box", i == 0 ? 2 : 3);
      assert_below(fabs(u + 0.5773e-4), 3e-6, "%s: creep", methods[k]);
      assert_below(energy_error_of(&r), 1e-5, "%s: energy", methods[k]);
      close_run(&r);
    }
}

/* The work of friction is mu N on its path, 0.1 to -0.058 to 0.016. */
static void work_is_counted(void **state) {
  (void)state;
  run r;
  double e[SN_ENERGIES];
  start(&r, OSCILLATOR(FLAT, "0.21", "1e-5") ANALYSIS, "radau", 1e-8, 0);
  advance(&r, 0.8);
  read_output(&r, "energy", e, SN_ENERGIES);
  const double path = 0.158 + 0.074;
  assert_below(fabs(e[SN_E_FRICTION] + 0.21 * 10 * path), 1e-4, "work of friction %g", e[SN_E_FRICTION]);
  close_run(&r);
}

/* ---- a pendulum ---- */

/* Small swings: the moment mu r m g takes 2 mu r/L from each half swing. Swings of 0.03 rad have N = m g to 1e-3. */
static void pendulum_loses_the_same_in_each_swing(void **state) {
  (void)state;
  static const char *const kinds[][2] = {{FLAT, "revolute"}, {"", "revolute"}, {FLAT, "spherical"}};
  const double L = 0.5, mu_r = 0.2 * 0.005, half = PI * sqrt(L / 9.81), loss = 2 * mu_r / L;
  for (size_t i = 0; i < SN_COUNT(kinds); i++) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "sinew: 1\n%sgravity: [0, -9.81, 0]\nbodies: {bob: {type: rigid, position: [0.5*sin(0.03), -0.5*cos(0.03), "
        "0], mass: 2, inertia: [1e-9, 1e-9, 1e-9]}}\njoints: {pin: {type: %s, between: ['ground.at(0, 0, 0)', "
        "bob]}}\nforces: {rub: {type: friction, joint: pin, coefficient: 0.2, radius: 0.005, creep_speed: "
        "1e-5}}\noutputs: {bob: {point: bob.center}}\n" ANALYSIS,
        kinds[i][0], kinds[i][1]);
    run r;
    start(&r, text, "radau5", 0, 1e-3);
    for (int k = 1; k <= 6; k++) {
      const double amplitude = 0.03 - loss * k;
      advance(&r, k * half);
      const double angle = asin(value(&r, "bob", 0) / L) * (k % 2 ? -1 : 1);
      assert_below(fabs(angle - amplitude), 5e-3 * loss * k, "%s: swing %d", kinds[i][1], k);
    }
    close_run(&r);
  }
}

/* The same with the steps that methods choose, until it sticks. Steps that are cut short where friction begins to hold
 * are followed by long ones, thousands of times their length. */
static void pendulum_stops_with_any_steps(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double creep, tolerance;
    int runs;
  } cases[] = {{"radau", 1e-3, 1e-5, 10}, {"radau", 1e-4, 1e-7, 20}, {"radau", 1e-5, 1e-8, 20},
               {"radau5", 1e-4, 1e-7, 5}, {"gam", 1e-4, 1e-7, 5},    {"ida", 1e-4, 1e-7, 5},
               {"hht-i3", 1e-4, 1e-6, 3}, {"erk", 1e-3, 1e-6, 3}};
  const double L = 0.5, rests = 0.2 * 0.005 / L, half = PI * sqrt(L / 9.81);
  for (size_t i = 0; i < SN_COUNT(cases); i++)
    for (int k = 0; k < cases[i].runs; k++) {
      double angle = 0.02 + 0.027 * fmod(0.6180339887 * (k + 1), 1);
      char text[1000];
      snprintf(text, sizeof text,
               "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {bob: {type: rigid, position: [0.5*sin(%.17g), "
               "-0.5*cos(%.17g), 0], mass: 2, inertia: [1e-9, 1e-9, 1e-9]}}\njoints: {pin: {type: revolute, between: "
               "['ground.at(0, 0, 0)', bob]}}\nforces: {rub: {type: friction, joint: pin, coefficient: 0.2, radius: "
               "0.005, creep_speed: %g}}\noutputs: {bob: {point: bob.center}}\n" ANALYSIS,
               angle, angle, cases[i].creep);
      run r;
      start(&r, text, cases[i].method, cases[i].tolerance, 0);
      for (int swing = 1; fabs(angle) > rests; swing++) { /* turns at -(angle - 2 rests) */
        angle = -(angle - copysign(2 * rests, angle));
        go_to(&r, swing * half);
      }
      const double t = go_to(&r, sn_time(r.simulation) + half), there = asin(value(&r, "bob", 0) / L);
      /* it creeps, and turned up to 1e-3 of its angle elsewhere: N is not m g */
      assert_below(fabs(there - angle), cases[i].creep * half + 2e-4, "%s, run %d: place at %g s", cases[i].method, k,
                   t);
      close_run(&r);
    }
}

/* ---- stick and slip on a belt ---- */

/* With D = (mu_s - mu_k) N/k the block sticks for 2 D/v0 and slips for (2/w) (pi - atan(w D/v0)), where friction falls
 * at once to that of sliding. Times at which the spring is stretched by mu_k N/k upwards are a period apart. */
static void sticks_and_slips(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "ida"};
  const double N = 10, k = 100, w = 10, speed = 0.1, D = (0.3 - 0.2) * N / k;
  const double stick = 2 * D / speed, slip = 2 / w * (PI - atan(w * D / speed));
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    start(&r,
          "sinew: 1\nplanar: true\ngravity: [0, -10, 0]\nbodies: {belt: {type: rigid, position: [0, 0, 0], mass: 1, "
          "inertia: [1, 1, 1], velocity: [0.1, 0, 0]}, block: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, "
          "1, 1], velocity: [0.1, 0, 0]}}\njoints: {drive: {type: prismatic, between: [ground, belt.center], axis: [1, "
          "0, 0]}, motor: {type: motion, joint: drive, translation: 0.1*t}, face: {type: prismatic, between: "
          "[belt.center, block.center], axis: [1, 0, 0]}}\nforces: {rub: {type: friction, joint: face, coefficient: "
          "0.2, breakaway: 1.5, stribeck_speed: 2e-5, creep_speed: 2e-6}, spring: {type: spring, between: "
          "['ground.at(-1, 0, 0)', block.center], length: 1, stiffness: 100}}\noutputs: {block: {point: block.center}, "
          "face: {joint: face}}\n" ANALYSIS,
          methods[i], 1e-7, 0);
    double held = 0, all = 0, last_t = 0, begin = -1;
    bool sticks = true;
    int changes = 0;
    for (int row = 1; row <= 3000; row++) { /* phases by the sliding speed */
      advance(&r, 5e-4 * row);
      const double t = sn_time(r.simulation);
      const bool now = fabs(value(&r, "face", 1)) < 1e-4;
      if (now != sticks) {
        changes++;
        if (changes == 2) begin = t; /* the first phase starts from a free spring */
        if (changes == 4) all = t - begin;
      }
      if (changes == 2 || (changes == 3 && now)) held += t - last_t;
      sticks = now;
      last_t = t;
    }
    assert_true(changes >= 4);
    assert_below(fabs(all - stick - slip), 2e-3, "%s: period %g", methods[i], all);
    assert_below(fabs(held - stick), 2e-3, "%s: sticks for %g", methods[i], held);
    close_run(&r);
  }
}

/* ---- Stribeck ---- */

/* m u' = -B s(u) - d u by Runge's method with 20000 steps. */
static double stribeck_speed_at(double t) {
  const int steps = 20000;
  const double h = t / steps;
  double u = 1;
  for (int i = 0; i < steps; i++) {
    double k[4], z = u;
    for (int s = 0; s < 4; s++) {
      const double x = (z - 1e-3) / 0.3;
      k[s] = -(0.2 * 10 + 0.5) * (1 + 1.5 * exp(-x * x)) - 0.4 * z;
      z = u + (s < 2 ? 0.5 : 1) * h * k[s];
    }
    u += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
  }
  return u;
}

static void follows_stribeck(void **state) {
  (void)state;
  run r;
  start(&r,
        "sinew: 1\ngravity: [0, -10, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], "
        "velocity: [1, 0, 0]}}\njoints: {slide: {type: cylindrical, between: [ground, box.center], axis: [1, 0, 0]}}\n"
        "forces: {rub: {type: friction, joint: slide, coordinate: translation, coefficient: 0.2, constant: 0.5, "
        "breakaway: 2.5, stribeck_speed: 0.3, viscous: 0.4}}\noutputs: {box: {point: box.center}}\n" ANALYSIS,
        "radau", 1e-10, 0);
  for (int k = 1; k <= 5; k++) {
    advance(&r, 0.05 * k);
    assert_below(fabs(value(&r, "box", 3) - stribeck_speed_at(0.05 * k)), 1e-8, "speed after %g s", 0.05 * k);
  }
  close_run(&r);
}

/* A spring of 100 N/m pulls a mass of 1 kg with 0.1 m/s. It sticks until the spring has 3 N, then slides under
 * 2 (1 + exp(-(u/u_s)^2)/2) until it stops: by Runge's method, slides begun and ended within a step of 1e-6 s. Place at
 * the time t, and the last two starts of slides. */
static double pulled(double u_s, double t, double begin[2]) {
  const double h = 1e-6, force = 2, k = 100, speed = 0.1;
  double x = 0, u = 0;
  bool slides = false;
  for (long i = 0; (double)i * h < t; i++) {
    const double now = (double)i * h, c[4] = {0, 0.5, 0.5, 1};
    double dx[4] = {0}, du[4] = {0};
    if (!slides && k * (speed * now - x) < 1.5 * force) continue;
    if (!slides) begin[0] = begin[1], begin[1] = now;
    slides = true;
    for (int s = 0; s < 4; s++) {
      const double z = s > 0 ? u + c[s] * h * du[s - 1] : u, at = s > 0 ? x + c[s] * h * dx[s - 1] : x;
      dx[s] = z;
      du[s] = k * (speed * (now + c[s] * h) - at) - force * (1 + 0.5 * exp(-z * z / (u_s * u_s)));
    }
    x += h / 6 * (dx[0] + 2 * dx[1] + 2 * dx[2] + dx[3]);
    u += h / 6 * (du[0] + 2 * du[1] + 2 * du[2] + du[3]);
    slides = u >= 0;
    if (!slides) u = 0;
  }
  return x;
}

/* Set-valued friction has no creep speed: results do not depend on it, and the curve begins at rest. */
static void stribeck_without_creep(void **state) {
  (void)state;
  static const char *const creep[] = {"1e-2", "1e-3", "1e-5"};
  const double end = 1.1;
  double begin[2] = {0}, first[2] = {0};
  const double place = pulled(1e-2, end, begin);
  for (size_t i = 0; i < SN_COUNT(creep); i++) {
    char text[1200];
    double last[2] = {0}, before = 0;
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\nbodies: {cart: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, "
             "1]}, block: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\njoints: {slide: {type: "
             "prismatic, between: [ground, block.center], axis: [1, 0, 0]}, rail: {type: prismatic, between: [ground, "
             "cart.center], axis: [1, 0, 0]}, pull: {type: motion, joint: rail, translation: 0.1*t}}\nforces: {spring: "
             "{type: bushing, between: [cart.center, block.center], stiffness: [100, 0, 0]}, rub: {type: friction, "
             "joint: slide, constant: 2, breakaway: 1.5, stribeck_speed: 1e-2, creep_speed: %s}}\noutputs: {slide: "
             "{joint: slide}}\n" ANALYSIS,
             creep[i]);
    start(&r, text, "symplectic-euler", 0, 5e-5);
    for (int row = 1; row <= 1100; row++) {
      advance(&r, row * end / 1100);
      const double u = value(&r, "slide", 1);
      if (u > 0 && before == 0) last[0] = last[1], last[1] = sn_time(r.simulation);
      before = u;
    }
    const double found[2] = {value(&r, "slide", 0), value(&r, "slide", 1)};
    assert_below(fabs(found[0] - place), 3e-5, "creep_speed %s: place %g", creep[i], found[0]);
    assert_below(fabs(last[1] - last[0] - (begin[1] - begin[0])), 1.1e-3, "period %g", last[1] - last[0]);
    if (i == 0) memcpy(first, found, sizeof first);
    assert_memory_equal(first, found, sizeof first);
    close_run(&r);
  }
}

/* ---- what presses ---- */

/* A slide pressed down by P and tilted by a moment M, with supports L apart: mu (|F/2 + M/L| + |F/2 - M/L|), F = m g + P.
 * A force along the axis and a moment about it do not press. */
static double deceleration(const char *plane, const char *field, double P, double M) {
  char text[1200];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\n%sgravity: [0, -10, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, "
      "1], velocity: [3, 0, 0]}}\njoints: {slide: {type: prismatic, between: [ground, box.center], axis: [1, 0, "
      "0]}}\nforces: {rub: {type: friction, joint: slide, coefficient: 0.1, %s}, press: {type: force, at: "
      "box.center, force: [0, %g, 0]}, tilt: {type: moment, at: box.center, moment: [%s, 0, %g]}}\noutputs: {box: "
      "{point: box.center}}\n" ANALYSIS,
      plane, field, -P, *plane ? "0" : "5", M);
  start(&r, text, "radau", 1e-9, 0);
  advance(&r, 0.5);
  const double u = value(&r, "box", *plane ? 2 : 3);
  close_run(&r);
  return (3 - u) / 0.5;
}

static void supports_carry_moments(void **state) {
  (void)state;
  static const char *const planes[] = {FLAT, ""};
  for (int i = 0; i < 2; i++) {
    assert_below(fabs(deceleration(planes[i], "constant: 0", 7, 4) - 0.1 * 27 / 2), 1e-8, "a point");
    assert_below(fabs(deceleration(planes[i], "length: 0.5", 7, 4) - 0.1 * 27 / 2), 1e-8, "both press down");
    assert_below(fabs(deceleration(planes[i], "length: 0.2", 7, 4) - 0.1 * (2 * 4 / 0.2) / 2), 1e-8, "one presses up");
    assert_below(fabs(deceleration(planes[i], "constant: 3", -20, 0) - 3.0 / 2), 1e-8, "no load");
  }
}

/* A rotor on a horizontal shaft is braked by mu r m g; on a vertical one by nothing. In a spherical joint its weight
 * brakes rotation about any axis; the axis stays as it is. */
static void rotors_are_braked(void **state) {
  (void)state;
  static const struct {
    const char *joint, *gravity;
    double rate[3], braking;
  } list[] = {{"revolute", "[0, -10, 0]", {0, 0, 1}, 1},
              {"revolute", "[0, 0, -10]", {0, 0, 1}, 0},
              {"spherical", "[0, 0, -10]", {0, 0, 1}, 1},
              {"spherical", "[6, 0, -8]", {0.48, -0.6, 0.64}, 1}};
  const double w0 = 8, falls = 0.2 * 0.05 * 3 * 10 / 0.06; /* mu r m g/I */
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    char text[1200];
    double w[16];
    run r;
    const double *e = list[i].rate;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: %s\nbodies: {rotor: {type: rigid, position: [0, 0, 0], mass: 3, inertia: [0.06, 0.06, "
             "0.06], angular_velocity: [%.17g, %.17g, %.17g]}}\njoints: {pin: {type: %s, between: [ground, "
             "rotor.center]}}\nforces: {rub: {type: friction, joint: pin, coefficient: 0.2, radius: 0.05, creep_speed: "
             "1e-4}}\noutputs: {rotor: {orientation: rotor.center}}\n" ANALYSIS,
             list[i].gravity, w0 * e[0], w0 * e[1], w0 * e[2], list[i].joint);
    start(&r, text, "radau", 1e-9, 0);
    advance(&r, 1);
    read_output(&r, "rotor", w, 13);
    for (int k = 0; k < 3; k++)
      assert_below(fabs(w[10 + k] - e[k] * (w0 - list[i].braking * falls)), 1e-7, "%s %zu: rate", list[i].joint, i);
    if (list[i].braking > 0) {
      advance(&r, 2);
      read_output(&r, "rotor", w, 13);
      assert_below(sqrt(w[10] * w[10] + w[11] * w[11] + w[12] * w[12]), 1e-9, "%s %zu: at rest", list[i].joint, i);
    }
    close_run(&r);
  }
}

/* ---- set-valued friction, by impulses ---- */

/* The oscillator of above sticks where theory says, exactly: it never moves again. */
static void sticks_exactly(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    run r;
    double x[2];
    start(&r, i ? OSCILLATOR("", "0.21", "1") ANALYSIS : OSCILLATOR(FLAT, "0.21", "1") ANALYSIS, "symplectic-euler", 0,
          1e-4);
    for (int row = 1; row <= 4; row++) {
      const double t = go_to(&r, 0.15 * row);
      assert_below(fabs(value(&r, "box", 0) - oscillator(0.21, t)), 1e-4, "place at %g s", t);
    }
    for (int k = 0; k < 2; k++) {
      advance(&r, k ? 5 : 0.8);
      x[k] = value(&r, "box", 0);
      assert_below(fabs(value(&r, "box", i ? 3 : 2)), 1e-15, "it sticks");
      assert_below(fabs(value(&r, "slide", 1) - 10), 1e-9, "reaction");
    }
    assert_below(fabs(x[0] - 0.016), 1e-4, "where it sticks");
    assert_below(fabs(x[1] - x[0]), 1e-13, "it stays");
    assert_below(energy_error_of(&r), 1e-4, "energy");
    close_run(&r);
  }
}

/* A box on an incline of 0.4 rad: with mu = 0.45 > tan(0.4) = 0.42 it rests, with less it slides at
 * g (sin - mu cos). breakaway holds it at mu = 0.35, until it is pushed. */
static void rests_on_an_incline(void **state) {
  (void)state;
  static const struct {
    const char *friction;
    double push, accel;
  } list[] = {{"coefficient: 0.45", 0, 0},
              {"coefficient: 0.35", 0, 1},
              {"coefficient: 0.35, breakaway: 1.3", 0, 0},
              {"coefficient: 0.35, breakaway: 1.3, stribeck_speed: 1e-3", 0.1, 1}};
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    char text[1000];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, -10, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, "
        "1], velocity: [%.17g, %.17g, 0]}}\njoints: {slide: {type: prismatic, between: [ground, box.center], axis: "
        "[cos(0.4), -sin(0.4), 0]}}\nforces: {rub: {type: friction, joint: slide, %s}}\noutputs: {slide: {joint: "
        "slide}}\n" ANALYSIS,
        list[i].push * cos(0.4), -list[i].push * sin(0.4), list[i].friction);
    start(&r, text, "symplectic-euler", 0, 1e-3);
    advance(&r, 1);
    const double speed = list[i].push + list[i].accel * 10 * (sin(0.4) - 0.35 * cos(0.4));
    assert_below(fabs(value(&r, "slide", 1) - speed), speed > 0 ? 1e-9 : 1e-15, "%s: speed", list[i].friction);
    close_run(&r);
  }
}

/* A spherical joint and a pin: braked as by a constant moment, then at rest. */
static void rotors_stop(void **state) {
  (void)state;
  for (int ball = 0; ball < 2; ball++) {
    char text[1000];
    double w[16];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, -10, 0]\nbodies: {rotor: {type: rigid, position: [0, 0, 0], mass: 3, inertia: "
             "[0.06, 0.06, 0.06], angular_velocity: %s}}\njoints: {pin: {type: %s, between: [ground, rotor.center]}}\n"
             "forces: {rub: {type: friction, joint: pin, coefficient: 0.2, radius: 0.05}}\noutputs: {rotor: "
             "{orientation: rotor.center}}\n" ANALYSIS,
             ball ? "[4.8, 0, 6.4]" : "[0, 0, 8]", ball ? "spherical" : "revolute");
    start(&r, text, "symplectic-euler", 0, 1e-3);
    advance(&r, 1);
    read_output(&r, "rotor", w, 13);
    assert_below(fabs(w[10] - (ball ? 0.6 * 3 : 0)), 1e-4, "rate about x");
    assert_below(fabs(w[12] - (ball ? 0.8 : 1) * 3), 1e-4, "rate about z");
    advance(&r, 2);
    read_output(&r, "rotor", w, 13);
    assert_below(fabs(w[10]) + fabs(w[11]) + fabs(w[12]), 1e-13, "at rest");
    close_run(&r);
  }
}

/* A cart with a pendulum, friction in slide and pins: reactions and friction depend on each other. Set-valued friction and
 * that with a small creep speed, in a method of another sort, agree as steps become short. */
static void cart(const char *integrator, double tolerance, double step, double y[2]) {
  run r;
  start(&r,
        "sinew: 1\nplanar: true\ngravity: [0, -10, 0]\nbodies: {cart: {type: rigid, position: [0, 0, 0], mass: 1, "
        "inertia: [1, 1, 1]}, rod: {type: rigid, from: [0, 0, 0], to: [0.8, -0.6, 0], mass: 2, inertia: [0.1, 0.1, "
        "0.1]}}\njoints: {slide: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}, pin: {type: "
        "revolute, between: [cart.center, rod.start]}}\nforces: {a: {type: friction, joint: slide, coefficient: 0.2, "
        "length: 0.3, creep_speed: 1e-5}, b: {type: friction, joint: pin, coefficient: 0.3, radius: 0.05, creep_speed: "
        "1e-5}}\noutputs: {cart: {joint: slide}, pin: {joint: pin}}\n" ANALYSIS,
        integrator, tolerance, step);
  advance(&r, 1.5);
  y[0] = value(&r, "cart", 0);
  y[1] = value(&r, "pin", 0);
  close_run(&r);
}

static void agrees_with_small_creep(void **state) {
  (void)state;
  double exact[2], y[2];
  cart("radau", 1e-8, 0, exact);
  for (double h = 4e-3; h > 2e-4; h /= 4) {
    cart("symplectic-euler", 0, h, y);
    for (int k = 0; k < 2; k++)
      assert_below(fabs(y[k] - exact[k]), 0.3 * h, "%s with steps of %g s", k ? "pin" : "cart", h);
  }
}

/* Two cars on a rail, the first pushed against the second (contact by complementarity). Friction C1 + C2 holds both, or
 * they accelerate with (P - C1 - C2)/(m1 + m2). */
static void works_with_contacts(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1600];
    run r;
    const double P = k ? 12 : 7, speed = k ? 0.5 * (12 - 9) / 3 : 0;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, 0]\nbodies: {one: {type: rigid, position: [0, 0, 0], mass: 1, shape: {type: "
        "sphere, radius: 0.1}}, two: {type: rigid, position: [0.2, 0, 0], mass: 2, shape: {type: sphere, radius: "
        "0.1}}}\njoints: {a: {type: prismatic, between: [ground, one.center], axis: [1, 0, 0]}, b: {type: "
        "prismatic, between: [ground, two.center], axis: [1, 0, 0]}}\nforces: {push: {type: force, at: one.center, "
        "force: [%g, 0, 0]}, fa: {type: friction, joint: a, constant: 4}, fb: {type: friction, joint: b, constant: "
        "5}}\nsurfaces: {s1: {type: sphere, on: one}, s2: {type: sphere, on: two}}\n"
        "contacts: {all: {method: dvi}}\noutputs: {one: {joint: a}, two: "
        "{joint: b}}\n" ANALYSIS,
        P);
    start(&r, text, "symplectic-euler", 0, 1e-3);
    advance(&r, 0.5);
    assert_below(fabs(value(&r, "one", 1) - speed), 1e-4, "first");
    assert_below(fabs(value(&r, "two", 1) - speed), 1e-4, "second");
    close_run(&r);
  }
}

/* ---- other analyses ---- */

/* At rest there is no friction: statics finds where springs and weights balance, modes are those without friction. */
static void rest_has_no_friction(void **state) {
  (void)state;
  run r;
  run_to_end(&r, OSCILLATOR(FLAT, "0.21", "1e-4") "analysis: {type: statics}\n");
  assert_below(fabs(value(&r, "box", 0)), 1e-9, "place of balance");
  close_run(&r);
}

/* Two parallel slides repeat each other: which of them presses is open, and so is the friction of one of them. A constant
 * friction is not. */
static void open_reactions_are_doubtful(void **state) {
  (void)state;
  for (int constant = 0; constant < 2; constant++) {
    char text[1000];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\nplanar: true\ngravity: [0, -10, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, "
        "inertia: [1, 1, 1], velocity: [1, 0, 0]}}\njoints: {a: {type: prismatic, between: [ground, 'box.at(-1, 0, "
        "0)'], axis: [1, 0, 0]}, b: {type: prismatic, between: [ground, 'box.at(1, 0, 0)'], axis: [1, 0, 0]}}\n"
        "forces: {rub: {type: friction, joint: a, %s: 0.1}}\n"
        "analysis: {type: dynamics, duration: 0.1, output_step: 0.01}\n",
        constant ? "constant" : "coefficient");
    open_run(&r, text, NULL);
    assert_int_equal(verdict_of(&r, SN_OK).level, constant ? SN_GOOD : SN_DOUBTFUL);
    close_run(&r);
  }
}

/* Half of the friction holds the box: z (3 - z^2)/2 = 1/2 of the creep speed, z = 2 sin(10 degrees). The summary says how
 * far it crept. */
static void creep_is_told(void **state) {
  (void)state;
  run r;
  run_to_end(
      &r,
      "sinew: 1\nplanar: true\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {s: {type: prismatic, between: [ground, box.center], axis: [1, 0, 0]}}\n"
      "forces: {rub: {type: friction, joint: s, constant: 4}, f: {type: force, at: box.center, force: [2, 0, 0]}}\n"
      "analysis: {type: dynamics, duration: 20, output_step: 1}\n");
  const double z = 2 * sin(SN_PI / 18);
  assert_below(fabs(r.simulation->system->statistics.contact.crept - 20 * 1e-3 * z), 1e-2 * 20e-3 * z, "creep");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops_where_theory_stops_it),
      cmocka_unit_test(work_is_counted),
      cmocka_unit_test(pendulum_loses_the_same_in_each_swing),
      cmocka_unit_test(pendulum_stops_with_any_steps),
      cmocka_unit_test(sticks_and_slips),
      cmocka_unit_test(follows_stribeck),
      cmocka_unit_test(stribeck_without_creep),
      cmocka_unit_test(supports_carry_moments),
      cmocka_unit_test(rotors_are_braked),
      cmocka_unit_test(sticks_exactly),
      cmocka_unit_test(rests_on_an_incline),
      cmocka_unit_test(rotors_stop),
      cmocka_unit_test(agrees_with_small_creep),
      cmocka_unit_test(works_with_contacts),
      cmocka_unit_test(rest_has_no_friction),
      cmocka_unit_test(open_reactions_are_doubtful),
      cmocka_unit_test(creep_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
