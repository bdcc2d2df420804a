/* test_reeving.c - ropes through pulleys against closed forms: capstan, belt creep, block and tackle, Atwood's machine,
 * drums; balance of energy, order of integrators, independence of axes. */
#include "analysis/modes.h"
#include "analysis/trust.h"
#include "math/quat.h"
#include "support.h"

#define FLAT "sinew: 1\nplanar: true\n"
#define G "gravity: [0, -9.81, 0]\n"
#define NO_G "gravity: [0, 0, 0]\n"

/* The same with a row every hundredth of a second, as the audit and doubts are made there. */
static void solve_rows(run *r, const char *text, double end) {
  sn_row row;
  open_run(r, text, NULL);
  sn_row_create(r->simulation, &row);
  for (int k = 0; 0.01 * k <= end; k++) {
    advance(r, 0.01 * k);
    sn_sample(r->simulation, 0.01 * k, &row);
  }
}

/* ---- friction ---- */

/* Euler: a rope pulled over a fixed pulley, T2/T1 = exp(mu theta) with theta = pi. At 1000 creep speeds g differs from 1
 * by 5e-7. */
static void capstan(void **state) {
  (void)state;
  static const double angle[] = {0.5, 1, 2, 3, 4.5, 6};
  for (size_t i = 0; i < SN_COUNT(angle); i++) {
    char text[1200];
    run r;
    double T[3];
    snprintf(text, sizeof text,
             FLAT NO_G
             "bodies:\n"
             "  a: {type: rigid, position: [-0.5, -1, 0], mass: 1, inertia: [1, 1, 1]}\n"
             "  b: {type: rigid, position: [0.5, -2, 0], mass: 1, inertia: [1, 1, 1]}\n"
             "joints:\n"
             "  left: {type: prismatic, between: [ground, a.center], axis: [0, 1, 0]}\n"
             "  right: {type: prismatic, between: [ground, b.center], axis: [0, 1, 0]}\n"
             "  pull: {type: motion, joint: left, translation: 'if(t < 0.4, -t^2/0.8, 0.2 - t)'}\n"
             "forces:\n"
             "  rope: {type: reeving, from: a.center, pulleys: ['ground.at(0, 0, 0)'], radius: [0.5], turn: [-1], "
             "to: b.center, stiffness: 1e6, stiffness_damping: 1e-3, friction: [%.15g], mass_per_length: 1e-4, "
             "tension: 10}\n"
             "  weight: {type: force, at: b.center, force: [0, -10, 0]}\n"
             "  drag: {type: spring, between: ['ground.at(0.5, -9, 0)', b.center], damping: 20}\n"
             "outputs: {rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 0.8}\n",
             angle[i] / PI);
    run_to_end(&r, text);
    read_output(&r, "rope", T, 3);
    assert_below(fabs(T[1] / T[2] / exp(angle[i]) - 1), 1e-4, "capstan ratio at mu theta = %g: %g", angle[i],
                 T[1] / T[2]);
    close_run(&r);
  }
}

/* A rope that does not slip holds: below the limit it creeps with less than the creep speed. */
static void sticking(void **state) {
  (void)state;
  run r;
  double b[6], T[3];
  run_to_end(&r, FLAT NO_G
             "bodies: {b: {type: point-mass, mass: 1, position: [0.5, -1, 0]}}\n"
             "forces:\n"
             "  rope: {type: reeving, from: 'ground.at(-0.5, -1, 0)', pulleys: ['ground.at(0, 0, 0)'], radius: [0.5], "
             "turn: [-1], to: b, stiffness: 1e5, stiffness_damping: 1e-2, friction: [0.3], mass_per_length: 0.05, "
             "tension: 100, slip: 1e-6}\n"
             "  weight: {type: force, at: b, force: [0, '-100 - 100*min(t, 1)', 0]}\n"
             "outputs: {b: {point: b}, rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 2}\n");
  read_output(&r, "b", b, 6);
  read_output(&r, "rope", T, 3);
  assert_below(fabs(T[2] - 200), 0.1, "tension at the weight");
  assert_below(fabs(T[1] - 100), 0.3, "tension behind the pulley, where nothing has arrived");
  close_run(&r);
}

/* T2/T1 = 1.3 = exp(mu theta g): a rope over a fixed pulley that friction would hold creeps at slip g/sqrt(1 - g^2), and
 * the run is doubtful; not where it slides (mu theta below log 1.3). A light rope without a given tension starts
 * unstretched, which is no reason to doubt its friction. */
static void rope_creep_is_told(void **state) {
  (void)state;
  for (int slides = 0; slides < 2; slides++) {
    const double mu = slides ? 0.02 : 0.3, end = slides ? 0.5 : 20, g = log(1.3) / (mu * PI);
    char text[1200];
    run r;
    snprintf(text, sizeof text,
             FLAT G
             "bodies:\n"
             "  a: {type: point-mass, mass: 1, position: [-0.1, -1, 0]}\n"
             "  b: {type: point-mass, mass: 1.3, position: [0.1, -1, 0]}\n"
             "forces:\n"
             "  r: {type: reeving, from: a, to: b, pulleys: ['ground.at(0, 0, 0)'], radius: [0.1], turn: [-1], "
             "stiffness: 1e4, stiffness_damping: 0.01, mass_per_length: 1e-3, friction: [%g]}\n"
             "outputs: {o: {point: b}}\n"
             "analysis: {type: dynamics, duration: %g, integrator: radau5}\n",
             mu, end);
    solve_rows(&r, text, end);
    const sn_verdict verdict = sn_judge(r.simulation, SN_OK);
    const double crept = r.simulation->system->statistics.contact.crept;
    assert_int_equal(verdict.level, slides ? SN_GOOD : SN_DOUBTFUL);
    assert_int_equal(strstr(verdict.reasons, "creep_speed") != NULL, !slides);
    assert_null(strstr(verdict.reasons, "the weight of rope"));
    if (!slides) assert_below(fabs(crept / (1e-3 * g / sqrt(1 - g * g) * end) - 1), 0.05, "creep %g m", crept);
    close_run(&r);
  }
}

/* Euler: the driven pulley of a belt is slower by the ratio of the lengths of what runs on, R2 w2/(R1 w1) =
 * (1 + e2)/(1 + e1), and moments are R (T1 - T2). */
static void belt_creep(void **state) {
  (void)state;
  run r;
  double T[3], w[2], m[2];
  run_to_end(&r, FLAT NO_G
             "bodies:\n"
             "  a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 0.01]}\n"
             "  b: {type: rigid, position: [1, 0, 0], mass: 1, inertia: [1, 1, 0.04]}\n"
             "joints:\n"
             "  a: {type: revolute, between: [ground, a.center]}\n"
             "  b: {type: revolute, between: [ground, b.center]}\n"
             "  drive: {type: motion, joint: a, rotation: 'if(t < 0.5, 20*t^2, 20*t - 5)'}\n"
             "forces:\n"
             "  belt: {type: reeving, closed: true, pulleys: [a.center, b.center], radius: [0.1, 0.2], stiffness: 1e4, "
             "tension: 200, stiffness_damping: 1e-3, friction: [0.5], slip: 1e-5, mass_per_length: 1e-3}\n"
             "  brake: {type: torsion-spring, joint: b, damping: 1.5}\n"
             "outputs: {belt: {spring: belt}, b: {joint: b}, brake: {spring: brake}}\n"
             "analysis: {type: dynamics, duration: 2}\n");
  read_output(&r, "belt", T, 3);
  read_output(&r, "b", w, 2);
  read_output(&r, "brake", m, 2);
  /* counterclockwise: the first segment leaves a, and is slack */
  double slack = T[1], tight = T[2], ratio = 0.2 * w[1] / (0.1 * 20);
  double exact = (1 + slack / 1e4) / (1 + tight / 1e4);
  assert_below(1e-3, 1 - exact, "there is creep");
  assert_below(fabs(ratio - exact), 2e-3 * (1 - exact), "ratio of speeds %.9g, by strains %.9g", ratio, exact);
  assert_below(fabs(0.2 * (tight - slack) / fabs(m[1]) - 1), 1e-6, "moment of the brake");
  close_run(&r);
}

/* With friction that vanishes, statics and modes are those of a smooth pulley, whose rope is elastic on the arc, too:
 * w^2 = EA/(l m) with the length of all, the rope's inertia apart. */
static void vanishing_friction(void **state) {
  (void)state;
  for (int rough = 0; rough < 2; rough++) {
    char text[800];
    run r;
    snprintf(text, sizeof text,
             FLAT G
             "bodies: {b: {type: rigid, position: [0.5, -1, 0], mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {rail: {type: prismatic, between: [ground, b.center], axis: [0, 1, 0]}}\n"
             "forces: {rope: {type: reeving, from: 'ground.at(-0.5, -1, 0)', pulleys: ['ground.at(0, 0, 0)'], "
             "radius: [0.5], turn: [-1], to: b.center, stiffness: 1e5%s}}\n"
             "analysis: [statics, {type: modes, count: 1}]\n",
             rough ? ", friction: [0.3], mass_per_length: 1e-5" : "");
    run_to_end(&r, text);
    assert_below(fabs(r.simulation->modes->w2[0] / (1e5 / (2 + 0.5 * PI)) - 1), 1e-3, "frequency, case %d", rough);
    close_run(&r);
  }
}

/* ---- no friction ---- */

/* Archimedes: with n parts of rope at the moving block, the tension is 1/n of the weight, whatever their elasticity. */
static void block_and_tackle(void **state) {
  (void)state;
  for (int n = 2; n <= 6; n++) {
    char pulleys[600] = "", turns[100] = "", text[2000];
    run r;
    double T[2], b[6];
    for (int k = 0; k < n - 1; k++) { /* up and down in turn; x in steps of the diameter: all parts are vertical */
      char part[100];
      snprintf(part, sizeof part, "%s'%s.at(%.3g, %s, 0)'", k ? ", " : "", k % 2 == 0 ? "block" : "ground",
               0.05 + 0.1 * k - (k % 2 == 0 ? 0.1 * (n - 1) / 2 : 0), k % 2 == 0 ? "0" : "1");
      strcat(pulleys, part);
      strcat(turns, k ? (k % 2 ? ", -1" : ", 1") : "1");
    }
    snprintf(text, sizeof text,
             FLAT G
             "bodies: {block: {type: rigid, position: [%.15g, -1, 0], mass: 50, inertia: [1, 1, 1]}}\n"
             "joints: {guide: {type: prismatic, between: [ground, block.center], axis: [0, 1, 0]}}\n"
             "forces:\n"
             "  rope: {type: reeving, from: 'ground.at(0, 1, 0)', pulleys: [%s], radius: [0.05], turn: [%s], "
             "to: '%s.at(%.15g, %s, 0)', stiffness: 1e5}\n"
             "outputs: {rope: {spring: rope}, block: {point: block.center}}\n"
             "analysis: statics\n",
             0.1 * (n - 1) / 2, pulleys, turns, n % 2 ? "block" : "ground",
             0.1 * (n - 1) - (n % 2 ? 0.1 * (n - 1) / 2 : 0), n % 2 ? "0" : "1");
    run_to_end(&r, text);
    read_output(&r, "rope", T, 2);
    read_output(&r, "block", b, 6);
    assert_below(fabs(T[1] * n / (50 * 9.81) - 1), 1e-9, "tension of %d parts", n);
    double length = 2.0 * n + (n - 1) * 0.05 * PI; /* at the start; the block sinks by the n-th part of its stretch */
    assert_below(fabs((-1 - b[1]) * n / (length * T[1] / 1e5) - 1), 1e-8, "sinking of the block");
    close_run(&r);
  }
}

/* Atwood's machine with a pulley that turns: a = g (m1 - m2)/(m1 + m2 + J/R^2), tensions m (g -+ a). */
static void atwood(void **state) {
  (void)state;
  run r;
  double y[6], T[3], a = 9.81 / 7;
  run_to_end(&r, FLAT G
             "bodies:\n"
             "  wheel: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.02]}\n"
             "  left: {type: point-mass, mass: 3, position: [-0.1, -1, 0]}\n"
             "  right: {type: point-mass, mass: 2, position: [0.1, -1, 0]}\n"
             "joints: {axle: {type: revolute, between: [ground, wheel.center]}}\n"
             "forces:\n"
             "  rope: {type: reeving, from: left, pulleys: [wheel.center], radius: [0.1], turn: [-1], to: right, "
             "stiffness: 1e7, no_slip: [wheel], tension: 24, stiffness_damping: 1e-3}\n"
             "outputs: {left: {point: left}, rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 0.5}\n");
  read_output(&r, "left", y, 6);
  read_output(&r, "rope", T, 3);
  assert_below(fabs((-1 - y[1]) / (a * 0.125) - 1), 2e-5, "fall of the heavier mass");
  assert_below(fabs(T[0] - 2 - 0.1 * PI), 1e-4, "length: two spans, and the arc on the pulley");
  assert_below(fabs(T[1] / (3 * (9.81 - a)) - 1), 1e-4, "tension at the heavier mass");
  assert_below(fabs(T[2] / (2 * (9.81 + a)) - 1), 1e-4, "tension at the lighter mass");
  close_run(&r);
}

/* A drum that has turned by psi has taken in R psi of rope; the rest is stretched by the weight over its own length, and
 * by half its own weight. In the plane and in space, where more than two turns go by. */
static void drum(void **state) {
  (void)state;
  double R = 0.2, free = 5 - R * 15, N = 9.81 * (100 + 0.1 * free / 2);
  for (int space = 0; space < 2; space++) {
    char text[1200];
    run r;
    double y[9], T[2];
    snprintf(text, sizeof text,
             "sinew: 1\n%s" G
             "bodies:\n"
             "  drum: {type: rigid, position: [0, 0, 0], mass: 4, inertia: [1, 1, 0.02]}\n"
             "  load: {type: rigid, position: [0.2, -5, 0], mass: 100, inertia: [1, 1, 1]}\n"
             "joints:\n"
             "  axle: {type: revolute, between: [ground, drum.center]}\n"
             "  rail: {type: prismatic, between: [ground, load.center], axis: [0, 1, 0]}\n"
             "  winch: {type: motion, joint: axle, rotation: 'step(t, 0, 0, 4, 15)'}\n"
             "forces: {rope: {type: reeving, pulleys: [drum.center], radius: [0.2], turn: [-1], to: load.center, "
             "stiffness: 1e5, stiffness_damping: 0.02, mass_per_length: 0.1}}\n"
             "outputs: {load: {point: load.center}, rope: {spring: rope}}\n"
             "analysis: {type: dynamics, duration: 6}\n",
             space ? "" : "planar: true\n");
    run_to_end(&r, text);
    read_output(&r, "load", y, 6);
    read_output(&r, "rope", T, 2);
    assert_below(fabs(T[1] / N - 1), 1e-5, "tension, case %d", space);
    assert_below(fabs(-y[1] / (free * (1 + N / 1e5)) - 1), 1e-6, "height of the load, %g, case %d", y[1], space);
    close_run(&r);
  }
}

/* ---- the whole ---- */

#define SWING                                                                                                      \
  "bodies:\n"                                                                                                      \
  "  wheel: {type: rigid, position: [1, 0.3, 0], mass: 2, inertia: [1, 1, 0.01]}\n"                                \
  "  load: {type: point-mass, mass: 1, position: [-0.4, -0.8, 0], velocity: [0.6, 0, 0]}\n"                        \
  "  counter: {type: point-mass, mass: 1.2, position: [1.2, -1, 0]}\n"                                             \
  "joints: {axle: {type: revolute, between: [ground, wheel.center]}}\n"                                            \
  "forces: {rope: {type: reeving, from: load, pulleys: ['ground.at(0, 0, 0)', wheel.center], radius: [0.1, 0.2], " \
  "turn: [-1, -1], to: counter, stiffness: 2000, tension: 10, stiffness_damping: 1e-3%s}}\n"                       \
  "outputs: {load: {point: load}, counter: {point: counter}}\n"

/* The second derivative of the error in h: of order p, halving h divides differences by 2^p. */
static void order(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double h, order;
  } cases[] = {{"newmark, delta: 0, step: %g", 4e-3, 2},
               {"hht-si2, step: %g", 4e-3, 2},
               {"gssss, step: %g", 4e-3, 2},
               {"radau5, step: %g", 1e-2, 5},
               {"tr-bdf2, step: %g", 4e-3, 2}};
  char model[1500];
  snprintf(model, sizeof model, FLAT G SWING, ", no_slip: [wheel]");
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    const double p = observed_order(model, cases[i].method, cases[i].h, 0.4, (const char *[]){"load", NULL}, 2);
    assert_below(cases[i].order - 0.4, p, "order of %s", cases[i].method);
  }
}

/* Friction, slip and damping: what is lost is counted, and is lost in steps of energy-momentum methods, too. */
static void energy(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double error;
  } cases[] = {{"radau", 1e-4}, {"gssss, conserve: energy-momentum, step: 5e-4", 1e-3}};
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    char model[1500], text[2000];
    run r;
    snprintf(model, sizeof model, FLAT G SWING, ", friction: [0.1, 0.3], mass_per_length: 0.05");
    snprintf(text, sizeof text, "%sanalysis: {type: dynamics, duration: 0.5, integrator: {type: %s}}\n", model,
             cases[i].method);
    solve_rows(&r, text, 0.5);
    assert_below(r.simulation->largest_energy_error, cases[i].error * r.simulation->largest_kinetic,
                 "balance of energy by %s", cases[i].method);
    close_run(&r);
  }
}

/* In space, with all vectors turned: the same motion. */
static void turned(void **state) {
  (void)state;
  static const double p[4] = {0.5, -0.5, 0.1, 0.7}, origin[3] = {0.3, -0.2, 0.7};
  double turn[4], y[2][9], size = sqrt(inner(p, p, 4));
  for (int k = 0; k < 4; k++) turn[k] = p[k] / size;
  for (int which = 0; which < 2; which++) {
    double at[][3] = {{0, -9.81, 0}, {-0.4, -0.8, 0.1}, {0.6, 0, 0.4}, {1.2, -1, 0},
                      {0, 0, 1},     {0, 0, 0},         {1, 0.3, 0.02}};
    char v[7][80], text[2000];
    run r;
    for (int i = 0; i < 7; i++) {
      double x[3];
      memcpy(x, at[i], sizeof x);
      if (which) sn_quat_rotate(turn, at[i], x);
      for (int k = 0; which && k < 3 && (i == 1 || i == 3 || i >= 5); k++) x[k] += origin[k];
      snprintf(v[i], sizeof v[i], "%.17g, %.17g, %.17g", x[0], x[1], x[2]);
    }
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [%s]\n"
             "bodies:\n"
             "  load: {type: point-mass, mass: 1, position: [%s], velocity: [%s]}\n"
             "  counter: {type: point-mass, mass: 1.2, position: [%s]}\n"
             "forces: {rope: {type: reeving, from: load, pulleys: ['ground.at(%s)', 'ground.at(%s)'], radius: [0.1, "
             "0.2], turn: [-1, -1], to: counter, axis: [%s], stiffness: 2000, tension: 10, friction: [0.1, 0], "
             "mass_per_length: 0.05}}\n"
             "outputs: {load: {point: load}}\n"
             "analysis: {type: dynamics, duration: 0.5, integrator: {type: radau, tolerance: 1e-9}}\n",
             v[0], v[1], v[2], v[3], v[5], v[6], v[4]);
    run_to_end(&r, text);
    read_output(&r, "load", y[which], 9);
    close_run(&r);
  }
  double back[3], d[3], inverse[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
  for (int k = 0; k < 3; k++) d[k] = y[1][k] - origin[k];
  sn_quat_rotate(inverse, d, back);
  assert_below(distance(back, y[0], 3), 1e-8, "position of the load");
  assert_below(0.01, fabs(y[0][2]), "it moves out of the plane");
}

/* A rope that runs over two pulleys with a payload takes less time than it happens in, on one core. On the fixed pulley
 * it slips: T2/T3 = exp(mu theta), but for the inertia of the rope on it, 1 % of the exponent. */
static void faster_than_it_happens(void **state) {
  (void)state;
  double rope[4], weight[6];
  run r;
  open_run(&r, "models/rope-over-two-pulleys.yaml", NULL);
  const double begin = sn_cpu_time();
  advance(&r, 2);
  const double cpu = sn_cpu_time() - begin;
  read_output(&r, "rope", rope, 4);
  read_output(&r, "counterweight", weight, 6);
  const double theta = PI / 2 - asin(0.05 / 2); /* the span before it goes down by the difference of the radii */
  print_message("2 s in %.3f s, slip on the fixed pulley: ratio %.5f, exp(mu theta) %.5f\n", cpu, rope[2] / rope[3],
                exp(0.08 * theta));
#ifndef __SANITIZE_ADDRESS__ /* which takes most of the time */
  assert_below(cpu, 2, "CPU time");
#endif
  assert_true(fabs(weight[3]) > 0.1);
  assert_below(fabs(fabs(log(rope[2] / rope[3])) / (0.08 * theta) - 1), 0.02, "exponent of the ratio");
  close_run(&r);
}

/* What the formulas do not describe is said. */
static void lifting_off(void **state) {
  (void)state;
  run r;
  solve_rows(
      &r,
      FLAT NO_G
      "bodies: {b: {type: point-mass, mass: 1, position: [1, -0.2, 0], velocity: [0, 1, 0]}}\n"
      "forces: {rope: {type: reeving, from: 'ground.at(-1, -0.2, 0)', pulleys: ['ground.at(0, 0, 0)'], radius: [0.1], "
      "turn: [-1], to: b, stiffness: 100}}\n"
      "analysis: {type: dynamics, duration: 1}\n",
      1);
  sn_trust level = SN_GOOD;
  for (int i = 0; i < r.simulation->doubts.count; i++)
    if (strstr(r.simulation->doubts.doubt[i].text, "lifts off")) level = r.simulation->doubts.doubt[i].level;
  assert_int_equal(level, SN_BAD);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(capstan),
      cmocka_unit_test(rope_creep_is_told),
      cmocka_unit_test(sticking),
      cmocka_unit_test(belt_creep),
      cmocka_unit_test(vanishing_friction),
      cmocka_unit_test(block_and_tackle),
      cmocka_unit_test(atwood),
      cmocka_unit_test(drum),
      cmocka_unit_test(order),
      cmocka_unit_test(energy),
      cmocka_unit_test(turned),
      cmocka_unit_test(lifting_off),
      cmocka_unit_test(faster_than_it_happens),
  };
  return cmocka_run_group_tests_name("reeving", tests, NULL, NULL);
}
