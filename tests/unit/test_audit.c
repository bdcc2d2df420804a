/* test_audit.c - work and audited energy at any time, within long steps too.
 *
 * Errors are taken at rows 10 ms apart, far closer than the steps of the methods of high order. The tolerance E bounds
 * local errors; energy has the global ones, so what is allowed is some times what was measured (at most 4e-8 to 6e-8
 * for gam and erk, 5e-7 ida, 2e-6 radau and radau5, 9e-6 hht-i3) and far below what a work that is not integrated up to
 * the row leaves: percents. States within steps of radau are good to about E^((s+1)/2s) only, hht-i3 to E^(2/3).
 */
#include "support.h"

#define E 1e-8

typedef struct method {
  const char *name;
  double allowed; /* relative */
} method;

static const method methods[] = {{"radau", 1e-5}, {"gam", 3e-7}, {"radau5", 1e-5},
                                 {"ida", 3e-6},   {"erk", 3e-7}, {"hht-i3", 1e-4}};

/* Largest audited error, and the largest energy that moved: kinetic, or work. */
typedef struct audit {
  double error, moved;
} audit;

static void look(audit *a, const double *energy) {
  a->error = fmax(a->error, fabs(energy[SN_E_ERROR]));
  a->moved = fmax(a->moved, energy[SN_E_KINETIC]);
  for (int k = SN_E_APPLIED; k < SN_E_TOTAL; k++) a->moved = fmax(a->moved, fabs(energy[k]));
}

typedef void (*check)(const method *m, const sn_row *row);

static audit follow(const char *model, const method *m, double end, check at_row) {
  run r;
  audit a = {0};
  sn_row row;
  sn_options options = {.integrator = m->name, .tolerance = E, .until = end};
  open_run(&r, model, &options);
  sn_row_create(r.simulation, &row);
  for (int k = 1; 0.01 * k < end; k++) {
    advance(&r, 0.01 * k);
    sn_sample(r.simulation, 0.01 * k, &row);
    look(&a, row.energy);
    if (at_row) at_row(m, &row);
  }
  close_run(&r);
  return a;
}

/* ---- a damped mass on a spring: everything is known ---- */

static const char damped_mass[] =
    "sinew: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {mass: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
    "forces: {spring: {type: spring, between: ['ground.at(0, 0, 0)', mass], stiffness: 100, damping: 1, length: 0.5}}\n"
    "analysis: {type: dynamics, duration: 2}\n";

/* x = e^(-d t) (cos w t + d/w sin w t)/2,   d = c/(2m), w^2 = k/m - d^2;   x' = -e^(-d t) (k/m)/w sin(w t)/2 */
static void check_damped_mass(const method *m, const sn_row *row) {
  double d = 0.5, w = sqrt(100 - d * d), decay = 0.5 * exp(-d * row->t);
  double x = decay * (cos(w * row->t) + d / w * sin(w * row->t)), v = -decay * 100 / w * sin(w * row->t);
  double start = 0.5 * 100 * 0.25, left = 0.5 * v * v + 0.5 * 100 * x * x;
  assert_below(fabs(row->energy[SN_E_DAMPING] - (left - start)) / start, m->allowed, "%s: work of the damper at %g s",
               m->name, row->t);
}

static void test_damped_mass(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    audit a = follow(damped_mass, &methods[i], 2, check_damped_mass);
    assert_below(a.error / a.moved, methods[i].allowed, "%s: energy", methods[i].name);
  }
}

/* ---- a pendulum on a driven arm: multipliers do the work ---- */

static const char driven_pendulum[] =
    "sinew: 1\n"
    "planar: true\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {type: rigid, from: [0, 0, 0], to: [0.5, 0, 0], mass: 1, inertia: [1, 1, 0.02]}\n"
    "  rod: {type: rigid, from: [0.5, 0, 0], to: [1.2, 0, 0], mass: 1, inertia: [1, 1, 0.04]}\n"
    "joints:\n"
    "  pivot: {type: revolute, between: ['ground.at(0, 0, 0)', arm.start]}\n"
    "  elbow: {type: revolute, between: [arm.end, rod.start]}\n"
    "  motor: {type: motion, joint: pivot, rotation: 'sin(3*t)'}\n"
    "analysis: {type: dynamics, duration: 2}\n";

static void test_driven_pendulum(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    audit a = follow(driven_pendulum, &methods[i], 2, NULL);
    assert_true(a.moved > 1);
    assert_below(a.error / a.moved, methods[i].allowed, "%s: energy", methods[i].name);
  }
}

/* The same arm alone, moved by kinematics: J phi'' phi' + m g L/2 cos(phi) phi' is what the motor does. Cubics through
 * the exact power at four points: rows 10 ms apart leave far less than 1e-9. */
static void test_driven_arm(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\n"
      "planar: true\n"
      "gravity: [0, -9.81, 0]\n"
      "bodies: {arm: {type: rigid, from: [0, 0, 0], to: [0.5, 0, 0], mass: 1, inertia: [1, 1, 0.02]}}\n"
      "joints:\n"
      "  pivot: {type: revolute, between: ['ground.at(0, 0, 0)', arm.start]}\n"
      "  motor: {type: motion, joint: pivot, rotation: 'sin(3*t)'}\n"
      "analysis: {type: kinematics, duration: 2, output_step: 0.01}\n";
  run r;
  sn_row row;
  open_run(&r, text, NULL);
  sn_row_create(r.simulation, &row);
  for (int k = 1; k <= 200; k++) {
    advance(&r, 0.01 * k);
    sn_sample(r.simulation, 0.01 * k, &row);
    double t = row.t, phi = sin(3 * t), rate = 3 * cos(3 * t), J = 0.02 + 0.25 * 0.25;
    double work = 0.5 * J * (rate * rate - 9) + 9.81 * 0.25 * sin(phi);
    assert_below(fabs(row.energy[SN_E_DRIVER] - work), 1e-9, "work of the motor at %g s", t);
    assert_below(fabs(row.energy[SN_E_ERROR]), 1e-9, "energy at %g s", t);
  }
  close_run(&r);
}

/* A driven arm and one that hangs on it, in the plane and in space. Second order in h: the largest energy error over the
 * run falls to a quarter when the step is halved, also where impulses keep velocities on their constraints (hht-si2,
 * projections), which do work against the driver. What conserves energy does so with a driver too: to rounding in the
 * plane. */
static double error_of_steps(const char *text, const char *type, double step) {
  run r;
  audit a = {0};
  sn_row row;
  char settings[100];
  snprintf(settings, sizeof settings, "{type: %s, step: %g}", type, step);
  sn_options options = {.integrator = settings};
  open_run(&r, text, &options);
  sn_row_create(r.simulation, &row);
  for (int k = 1; k <= 100; k++) {
    advance(&r, 0.02 * k);
    sn_sample(r.simulation, 0.02 * k, &row);
    look(&a, row.energy);
  }
  close_run(&r);
  return a.error / a.moved;
}

static void test_order_of_driven_arms(void **state) {
  (void)state;
#define DRIVEN_ARM(planar, axis)                                                                                     \
  "sinew: 1\nplanar: " planar                                                                                        \
  "\ngravity: [0, -9.81, 0]\n"                                                                                       \
  "bodies:\n"                                                                                                        \
  "  a: {type: rigid, position: [0.5, 0, 0], mass: 2, inertia: [0.1, 0.2, 0.3], points: {s: [-0.5, 0, 0], e: [0.5, " \
  "0, 0]}}\n"                                                                                                        \
  "  b: {type: rigid, position: [1.4, 0, 0], mass: 1, inertia: [0.1, 0.12, 0.15], points: {s: [-0.4, 0, 0]}}\n"      \
  "joints:\n"                                                                                                        \
  "  h: {type: revolute, between: [ground, a.s]" axis "}\n  e: {type: revolute, between: [a.e, b.s]" axis            \
  "}\n"                                                                                                              \
  "  motor: {type: motion, joint: h, rotation: 0.5*t*sin(3*t)}\n"                                                    \
  "analysis: {type: dynamics, duration: 2, companion: false}\n"
  static const char *const arm[] = {DRIVEN_ARM("true", ""), DRIVEN_ARM("false", ", axis: [0.2, 0.3, 1]")};
  static const char *const of_second_order[] = {"hht-i3",
                                                "hht-si2",
                                                "hht-add",
                                                "nstiff-si2",
                                                "gssss, scheme: midpoint-v0",
                                                "gssss, scheme: midpoint, stabilize: projection",
                                                "gssss, index: 2, stabilize: projection",
                                                "gssss, conserve: energy-momentum, stabilize: projection"};
  for (size_t k = 0; k < SN_COUNT(arm); k++)
    for (size_t i = 0; i < SN_COUNT(of_second_order); i++) {
      const double long_steps = error_of_steps(arm[k], of_second_order[i], 2e-3),
                   short_steps = error_of_steps(arm[k], of_second_order[i], 1e-3);
      assert_below(long_steps, 5e-4, "%s: energy", of_second_order[i]);
      assert_below(short_steps / long_steps, 0.27, "%s: energy, half the step", of_second_order[i]);
    }
  assert_below(error_of_steps(arm[0], "gssss, conserve: energy-momentum", 2e-3), 1e-9, "energy-momentum");
}

/* ---- stiff dampers: nearly all of the energy goes through one, in a few steps ---- */

static void test_stiff_dampers(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    if (strcmp(methods[i].name, "erk") == 0) continue; /* explicit: 12000 steps */
    audit a = follow("models/double-pendulum-springs.yaml", &methods[i], 1, NULL);
    assert_true(a.moved > 2e5); /* of 257 kJ in the second spring */
    assert_below(a.error / a.moved, methods[i].allowed, "%s: energy", methods[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_damped_mass),   cmocka_unit_test(test_driven_pendulum),
      cmocka_unit_test(test_driven_arm),    cmocka_unit_test(test_order_of_driven_arms),
      cmocka_unit_test(test_stiff_dampers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
