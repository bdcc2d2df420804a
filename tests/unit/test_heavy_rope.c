/* test_heavy_rope.c - ropes with mass through pulleys and on drums against closed forms: the falling chain on a drum,
 * Atwood's machine with a heavy rope, a winch, de-spin by a heavy cord, a heavy pendulum, the capstan at speed; balance
 * of energy and momentum, order of integrators. */
#include "analysis/modes.h"
#include "support.h"

#define FLAT "sinew: 1\nplanar: true\n"
#define G "gravity: [0, -9.81, 0]\n"
#define NO_G "gravity: [0, 0, 0]\n"

/* A rope of 2.5 kg hangs from a drum and runs off it, with a small weight at its end. All of the rope has one speed, so
 * that M = J/R^2 + m + mu (wound + free) is constant, and M x'' = (m + mu x) g for the free length x: the falling chain,
 * x + m/mu = (x0 + m/mu) cosh(k t), k^2 = mu g/M. In the plane and in space, for several turns of the drum. */
static void running_off(void **state) {
  (void)state;
  const double mu = 0.5, m = 0.2, M = 0.02 / 0.01 + m + mu * 5, k = sqrt(mu * 9.81 / M), t = 1.5;
  const double exact = (1 + m / mu) * cosh(k * t) - m / mu;
  for (int space = 0; space < 2; space++) {
    char text[1200];
    run r;
    double y[9], w[2];
    snprintf(text, sizeof text,
             "sinew: 1\n%s" G
             "bodies:\n"
             "  drum: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.02]}\n"
             "  weight: {type: point-mass, position: [0.1, -1, 0], mass: 0.2}\n"
             "joints: {axle: {type: revolute, between: [ground, drum.center]}}\n"
             "forces: {rope: {type: reeving, pulleys: [drum.center], radius: [0.1], turn: [-1], to: weight, "
             "stiffness: 1e6, stiffness_damping: 1e-3, tension: 3, mass_per_length: 0.5, wound: [4]}}\n"
             "outputs: {weight: {point: weight}, drum: {joint: axle}}\n"
             "analysis: {type: dynamics, duration: 1.5, integrator: {type: radau, tolerance: 1e-7}}\n",
             space ? "" : "planar: true\n");
    run_to_end(&r, text);
    read_output(&r, "weight", y, 6);
    read_output(&r, "drum", w, 2);
    assert_below(fabs(-y[1] / exact - 1), 1e-4, "end of the rope %.6g, exactly %.6g, case %d", -y[1], exact, space);
    assert_below(fabs(fabs(w[1]) / (10 * (1 + m / mu) * k * sinh(k * t)) - 1), 1e-4, "rate of the drum");
    close_run(&r);
  }
}

/* Weights on a heavy rope over a pulley: M x'' = g (m1 - m2 + mu (l1 - l2 + 2 x)) with all masses M, so that
 * x = (cosh k t - 1) ((m1 - m2)/mu + l1 - l2)/2, k^2 = 2 mu g/M. Smooth, or turning a wheel of inertia J, without slip
 * and by friction. In the middle of the longer part the tension is (m1 + mu l1/2) (g - x''). */
static void atwood(void **state) {
  (void)state;
  static const char *const more[] = {"", ", no_slip: [wheel]", ", friction: [3], slip: 1e-5"};
  const double mu = 0.8, t = 0.8;
  for (int which = 0; which < 3; which++) {
    const double M = 1.2 + 1 + mu * (1.6 + 1.2 + 0.1 * PI) + (which ? 0.01 / 0.01 : 0), k = sqrt(2 * mu * 9.81 / M);
    const double A = (0.2 / mu + 0.4) / 2, exact = A * (cosh(k * t) - 1), accel = A * k * k * cosh(k * t);
    char text[1500];
    run r;
    double y[6], T[3];
    snprintf(text, sizeof text,
             FLAT G
             "bodies:\n"
             "  wheel: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.01]}\n"
             "  left: {type: point-mass, mass: 1.2, position: [-0.1, -1.6, 0]}\n"
             "  right: {type: point-mass, mass: 1, position: [0.1, -1.2, 0]}\n"
             "joints: {axle: {type: revolute, between: [ground, wheel.center]}}\n"
             "forces: {rope: {type: reeving, from: left, pulleys: [wheel.center], radius: [0.1], turn: [-1], "
             "to: right, stiffness: 1e6, stiffness_damping: 1e-3, tension: 14, mass_per_length: 0.8%s}}\n"
             "outputs: {left: {point: left}, rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 0.8, integrator: {type: radau, tolerance: 1e-7}}\n",
             more[which]);
    run_to_end(&r, text);
    read_output(&r, "left", y, 6);
    read_output(&r, "rope", T, which ? 3 : 2);
    assert_below(fabs((-1.6 - y[1]) / exact - 1), 3e-4, "fall %.6g, exactly %.6g, case %d", -1.6 - y[1], exact, which);
    if (which == 1)
      assert_below(fabs(T[1] / ((1.2 + mu * (1.6 + exact) / 2) * (9.81 - accel)) - 1), 1e-3, "tension, case %d", which);
    close_run(&r);
  }
}

/* A winch lifts a car with the acceleration a: its moment is R ((M + mu l) (g + a) + (J/R^2 + mu wound) a), l the free
 * length and `wound` the rest. */
static void winch(void **state) {
  (void)state;
  const double a = 0.5, t = 3, l = 10 - a * t * t / 2, wound = 5 + a * t * t / 2;
  const double exact = 0.25 * ((20 + 2 * l) * (9.81 + a) + (0.5 / 0.0625 + 2 * wound) * a);
  run r;
  double m[3], T[2];
  run_to_end(&r, FLAT G
             "bodies:\n"
             "  drum: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.5]}\n"
             "  car: {type: rigid, position: [0.25, -10, 0], mass: 20, inertia: [1, 1, 1]}\n"
             "joints:\n"
             "  axle: {type: revolute, between: [ground, drum.center]}\n"
             "  rail: {type: prismatic, between: [ground, car.center], axis: [0, 1, 0]}\n"
             "  hoist: {type: motion, joint: axle, rotation: 't^2'}\n"
             "forces: {rope: {type: reeving, pulleys: [drum.center], radius: [0.25], turn: [-1], to: car.center, "
             "stiffness: 1e7, stiffness_damping: 2e-3, tension: 300, mass_per_length: 2, wound: [5]}}\n"
             "outputs: {hoist: {reaction: hoist}, rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 3}\n");
  read_output(&r, "hoist", m, 3);
  read_output(&r, "rope", T, 2);
  assert_below(fabs(fabs(m[2]) / exact - 1), 1e-4, "moment %.6g, exactly %.6g", m[2], exact);
  assert_below(fabs(T[1] / ((20 + l) * (9.81 + a)) - 1), 1e-4, "tension in the middle");
  close_run(&r);
}

/* A drum that turns freely with w0 and lets out a cord with a weight (yo-yo de-spin), without gravity. With
 * J = I + (m + mu (wound + free)) R^2 and K = (m + mu l/3) l^2, momentum J w + K g and energy J w^2 + K g^2 of the
 * rates w of the drum and g of the cord's direction are constant; both are w0 at first. The frame of the rope is the
 * ground, or turns with the drum. */
static void despin(void **state) {
  (void)state;
  for (int turning = 0; turning < 2; turning++) {
    char text[1200];
    run r;
    double y[6], w[2];
    snprintf(text, sizeof text,
             FLAT NO_G
             "bodies:\n"
             "  drum: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.3], angular_velocity: [0, 0, 4]}\n"
             "  weight: {type: point-mass, position: [-0.2, 0.5, 0], mass: 1, velocity: [-2, -0.8, 0]}\n"
             "joints: {axle: {type: revolute, between: [ground, drum.center]}}\n"
             "forces: {rope: {type: reeving, pulleys: [drum.center], radius: [0.5], turn: [-1], to: weight, "
             "stiffness: 1e6, stiffness_damping: 1e-4, tension: 4, mass_per_length: 0.6, wound: [3]%s}}\n"
             "outputs: {weight: {point: weight}, drum: {joint: axle}}\n"
             "analysis: {type: dynamics, duration: 0.35, integrator: {type: radau, tolerance: 1e-7}}\n",
             turning ? ", frame: drum" : "");
    run_to_end(&r, text);
    read_output(&r, "weight", y, 6);
    read_output(&r, "drum", w, 2);
    const double J = 0.3 + (1 + 0.6 * 3.2) * 0.25, l = sqrt(y[0] * y[0] + y[1] * y[1] - 0.25);
    const double K0 = (1 + 0.6 * 0.2 / 3) * 0.04, K = (1 + 0.6 * l / 3) * l * l, P = (J + K0) * 4, E = (J + K0) * 16;
    /* J w^2 + (P - J w)^2/K = E: the root that begins at w0 */
    const double a = J + J * J / K, b = -2 * P * J / K, c = P * P / K - E;
    const double slow = (-b - sqrt(b * b - 4 * a * c)) / (2 * a);
    assert_below(0.7, l, "the cord has run off");
    assert_below(fabs(w[1] - slow), 4e-4, "rate of the drum %.6g, exactly %.6g, case %d", w[1], slow, turning);
    close_run(&r);
  }
}

/* A weight on a heavy rope: stretched by (m + mu l/2) g l/EA at rest; it swings as a rod with a weight,
 * w^2 = g (m l + mu l l/2)/(m l^2 + mu l l^2/3). */
static void pendulum(void **state) {
  (void)state;
  run r;
  double y[6];
  run_to_end(&r, FLAT G
             "bodies: {weight: {type: point-mass, position: [0, -2, 0], mass: 0.7}}\n"
             "forces: {rope: {type: reeving, from: 'ground.at(0, 0, 0)', to: weight, stiffness: 1e6, "
             "mass_per_length: 0.6}}\n"
             "outputs: {weight: {point: weight}}\n"
             "analysis: [statics, {type: modes, count: 1}]\n");
  read_output(&r, "weight", y, 6);
  const double N = (0.7 + 0.6) * 9.81, l = 2 * (1 + N / 1e6);
  assert_below(fabs(-y[1] - l), 1e-12, "length at rest");
  assert_below(fabs(r.simulation->modes->w2[0] / (9.81 * (0.7 + 0.6) / l / (0.7 + 1.2 / 3)) - 1), 1e-8, "frequency");
  close_run(&r);
}

/* A rope pulled over a fixed pulley with the speed v: (T1 - mu v^2)/(T2 - mu v^2) = exp(f theta). */
static void fast_capstan(void **state) {
  (void)state;
  run r;
  double T[3], lift = 0.4 * 16;
  run_to_end(&r, FLAT NO_G
             "bodies:\n"
             "  a: {type: rigid, position: [-0.5, -1, 0], mass: 1, inertia: [1, 1, 1]}\n"
             "  b: {type: rigid, position: [0.5, -6, 0], mass: 1, inertia: [1, 1, 1]}\n"
             "joints:\n"
             "  left: {type: prismatic, between: [ground, a.center], axis: [0, 1, 0]}\n"
             "  right: {type: prismatic, between: [ground, b.center], axis: [0, 1, 0]}\n"
             "  pull: {type: motion, joint: left, translation: 'if(t < 0.4, -5*t^2, 0.8 - 4*t)'}\n"
             "forces:\n"
             "  rope: {type: reeving, from: a.center, pulleys: ['ground.at(0, 0, 0)'], radius: [0.5], turn: [-1], "
             "to: b.center, stiffness: 1e6, stiffness_damping: 1e-3, friction: [0.3], mass_per_length: 0.4, "
             "tension: 20}\n"
             "  weight: {type: force, at: b.center, force: [0, -20, 0]}\n"
             "outputs: {rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 1.2}\n");
  read_output(&r, "rope", T, 3);
  assert_below(fabs((T[1] - lift) / (T[2] - lift) / exp(0.3 * PI) - 1), 1e-4, "capstan ratio, tensions %g and %g", T[1],
               T[2]);
  assert_below(fabs(T[2] / 20 - 1), 1e-4, "tension of the slack side: nothing accelerates");
  close_run(&r);
}

/* ---- the whole ---- */

/* A body that flies with two pulleys on it, one of them a wheel, and weights on the rope, which is taut for 0.25 s. */
#define FLIGHT                                                                                                      \
  "bodies:\n"                                                                                                       \
  "  box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 0.1], velocity: [0.3, 0.5, 0]}\n"             \
  "  wheel: {type: rigid, position: [0.6, 0.1, 0], mass: 0.5, inertia: [1, 1, 0.01], velocity: [0.3, 0.5, 0]}\n"    \
  "  left: {type: point-mass, mass: 0.4, position: [-0.5, -1, 0], velocity: [-1.5, -1, 0]}\n"                       \
  "  right: {type: point-mass, mass: 0.6, position: [1, -0.8, 0], velocity: [1.5, -1, 0]}\n"                        \
  "joints: {axle: {type: revolute, between: ['box.at(0.6, 0.1, 0)', wheel.center]}}\n"                              \
  "forces: {rope: {type: reeving, from: left, pulleys: [box.center, wheel.center], radius: [0.1, 0.2], turn: [-1, " \
  "-1], to: right, stiffness: 50, tension: 5, mass_per_length: 0.5, no_slip: [wheel]}}\n"                           \
  "outputs: {left: {point: left}, right: {point: right}}\n"

/* Energy and momentum, which is computed from the places and velocities of the rope, are kept; the rope has a share. */
static void free_flight(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double energy, momentum;
  } cases[] = {{"radau, tolerance: 1e-10", 1e-8, 1e-8},
               {"gssss, conserve: energy-momentum, step: 1e-3", 1e-12, 1e-5},
               {"hht-si2, alpha: 0, step: 1e-4", 1e-4, 1e-5}};
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    char text[2500];
    run r;
    double p[2][6];
    sn_energy e[2];
    snprintf(text, sizeof text, FLAT NO_G FLIGHT "analysis: {type: dynamics, duration: 0.2, integrator: {type: %s}}\n",
             cases[i].method);
    open_run(&r, text, NULL);
    for (int k = 0; k < 2; k++) {
      if (k) advance(&r, 0.2);
      sn_system_energy(r.simulation->system, &r.simulation->state, &e[k]);
      sn_system_momentum(r.simulation->system, &r.simulation->state, p[k]);
    }
    double before = e[0].kinetic + e[0].spring, after = e[1].kinetic + e[1].spring;
    assert_below(fabs(after / before - 1), cases[i].energy, "energy by %s", cases[i].method);
    assert_below(distance(p[0], p[1], 6), cases[i].momentum, "momentum by %s", cases[i].method);
    close_run(&r);
  }
}

/* Of order p, halving h divides differences by 2^p. */
static void order(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double h, order;
  } cases[] = {{"newmark, delta: 0, step: %g", 4e-3, 2},
               {"hht-si2, step: %g", 4e-3, 2},
               {"gssss, step: %g", 4e-3, 2},
               {"gssss, conserve: energy-momentum, step: %g", 4e-3, 2},
               {"radau5, step: %g", 4e-2, 5},
               {"tr-bdf2, step: %g", 4e-3, 2}};
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    const double p = observed_order(FLAT G FLIGHT, cases[i].method, cases[i].h, 0.2,
                                    (const char *[]){"left", "right", NULL}, 4); /* positions and velocities */
    assert_below(cases[i].order - 0.4, p, "order of %s", cases[i].method);
  }
}

/* More rope runs off than was wound on the drum: said. */
static void empty_drum(void **state) {
  (void)state;
  run r;
  sn_row row;
  open_run(&r,
           FLAT G
           "bodies:\n"
           "  drum: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.02]}\n"
           "  weight: {type: point-mass, position: [0.1, -1, 0], mass: 1}\n"
           "joints: {axle: {type: revolute, between: [ground, drum.center]}}\n"
           "forces: {rope: {type: reeving, pulleys: [drum.center], radius: [0.1], turn: [-1], to: weight, "
           "stiffness: 1e5, stiffness_damping: 1e-3, tension: 6, mass_per_length: 0.5, wound: [0.3]}}\n"
           "analysis: {type: dynamics, duration: 1}\n",
           NULL);
  sn_row_create(r.simulation, &row);
  bool told = false;
  for (int k = 0; k <= 10; k++) {
    advance(&r, 0.1 * k);
    sn_sample(r.simulation, 0.1 * k, &row);
    if (k == 1) assert_int_equal(r.simulation->doubts.count, 0);
  }
  for (int i = 0; i < r.simulation->doubts.count; i++)
    told |= strstr(r.simulation->doubts.doubt[i].text, "run off a drum") != NULL;
  assert_true(told);
  close_run(&r);
}

/* Friction takes the tension in the middle of a span. 2 m of rope beside a pulley, of 0.3 N or of 30 N, on 100 N. */
static void heavy_with_friction(void **state) {
  (void)state;
  static const char *const density[] = {"0.015", "1.5"};
  for (int heavy = 0; heavy < 2; heavy++) {
    char text[1200];
    run r;
    snprintf(
        text, sizeof text,
        FLAT G
        "bodies:\n"
        "  left: {type: point-mass, position: [-0.1, -2, 0], mass: 10}\n"
        "  right: {type: point-mass, position: [0.1, -2, 0], mass: 10}\n"
        "forces: {rope: {type: reeving, from: left, pulleys: ['ground.at(0, 0, 0)'], radius: [0.1], turn: [-1], to: "
        "right, stiffness: 1e5, stiffness_damping: 1e-3, tension: 100, friction: [0.2], mass_per_length: %s}}\n"
        "outputs: {left: {point: left}}\nanalysis: {type: dynamics, duration: 0.1}\n",
        density[heavy]);
    open_run(&r, text, NULL);
    const sn_verdict verdict = verdict_of(&r, SN_OK);
    assert_int_equal(strstr(verdict.reasons, "friction does not count it") != NULL, heavy);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(running_off), cmocka_unit_test(atwood),
      cmocka_unit_test(winch),       cmocka_unit_test(despin),
      cmocka_unit_test(pendulum),    cmocka_unit_test(fast_capstan),
      cmocka_unit_test(free_flight), cmocka_unit_test(order),
      cmocka_unit_test(empty_drum),  cmocka_unit_test(heavy_with_friction),
  };
  return cmocka_run_group_tests_name("heavy_rope", tests, NULL, NULL);
}
