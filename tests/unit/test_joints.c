/* test_joints.c - joints, drivers, joint coordinates and reactions against closed forms. */
#include "support.h"

#define G "gravity: [0, -9.81, 0]\n"
#define NO_G "gravity: [0, 0, 0]\n"
#define HHT(duration, h) \
  "analysis: {type: dynamics, duration: " duration ", integrator: {type: hht-i3, alpha: -0.05, step: " h "}}\n"

/* ---- universal ---- */

/* Analytic: with the pivots as here tan(out) = cos(bend) tan(in), out'/in' = cos(bend)/(1 - (sin(bend) sin(in))^2). The
 * output shaft is held by a parallel joint, its angle is that of a coordinate; four turns. */
static void universal(void **state) {
  (void)state;
  run r;
  double bend = PI / 6, w = 5;
  open_run(&r,
           "sinew: 1\n" NO_G
           "bodies:\n"
           "  in: {type: rigid, position: [-0.5, 0, 0], mass: 1, inertia: [0.1, 0.2, 0.2]}\n"
           "  out: {type: rigid, position: [0.4, 0.2, 0.1], mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
           "joints:\n"
           "  bearing: {type: revolute, between: [ground, in.center], axis: [1, 0, 0]}\n"
           "  cross: {type: universal, between: ['in.at(0.5, 0, 0)', out], axis: [0, 0, 1], "
           "axis2: [sin(pi/6), -cos(pi/6), 0]}\n"
           "  hold: {type: parallel, between: [ground, out.center], axis: [cos(pi/6), sin(pi/6), 0]}\n"
           "  angle: {type: coordinate, between: [ground, out.center], axis: [cos(pi/6), sin(pi/6), 0]}\n"
           "  drive: {type: motion, joint: bearing, rotation: 5*t}\n"
           "outputs: {in: {joint: bearing}, out: {joint: angle}}\n" HHT("5", "1e-3"),
           NULL);
  for (int k = 1; k <= 20; k++) {
    double in[2], out[4];
    advance(&r, 0.25 * k);
    read_output(&r, "in", in, 2);
    read_output(&r, "out", out, 4);
    double a = w * 0.25 * k, s = sin(bend) * sin(a);
    double exact = atan2(cos(bend) * sin(a), cos(a)) + 2 * PI * round(a / (2 * PI)), rate = w * cos(bend) / (1 - s * s);
    if (exact - a > PI / 2) exact -= 2 * PI;
    if (exact - a < -PI / 2) exact += 2 * PI;
    assert_below(fabs(in[0] - a), 1e-9, "angle of the driven shaft");
    assert_below(fabs(out[0] - exact), 1e-9, "angle of the output shaft");
    assert_below(fabs(out[1] - rate), 5e-4, "speed of the output shaft"); /* index 3: of order h^2 */
  }
  close_run(&r);
}

/* ---- gears, racks, ties ---- */

/* Analytic: constant torque T on a wheel of inertia J1 geared to J2 by the ratio n: angle'' = T/(J1 + n^2 J2); the
 * tooth moment on the second wheel is J2 n angle''. */
static void check_gear(const char *model, double n, const char *name, double slack) {
  run r;
  double J1 = 0.2, J2 = 0.5, T = 3, a = T / (J1 + n * n * J2);
  open_run(&r, model, NULL);
  for (int k = 1; k <= 4; k++) {
    double first[2], second[2], moment[6], t = k;
    advance(&r, t);
    read_output(&r, "first", first, 2);
    read_output(&r, "second", second, 2);
    size_t count = r.model->dim == 2 ? 3 : 6;
    read_output(&r, "gear", moment, count);
    assert_below(fabs(first[0] - a * t * t / 2), slack, "%s: angle after %g turns", name, first[0] / (2 * PI));
    assert_below(fabs(second[0] - n * first[0]), 1e-9, "%s: ratio of the angles", name);
    assert_below(fabs(second[1] - n * a * t), slack, "%s: speed", name);
    assert_below(fabs(moment[count - 1] - J2 * n * a), slack, "%s: tooth moment", name);
  }
  assert_below(energy_error_of(&r), slack * T * a, "%s: energy", name);
  close_run(&r);
}

static void gears(void **state) {
  (void)state;
#define WHEELS                                                                            \
  "bodies:\n"                                                                             \
  "  wheel: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.3, 0.3, 0.2]}\n"      \
  "  other: {type: rigid, position: [1, 0, 0], mass: 1, inertia: [0.3, 0.3, 0.5]}\n"      \
  "forces: {motor: {type: moment, at: wheel.center, moment: [0, 0, 3]}}\n"                \
  "outputs: {first: {joint: a}, second: {joint: b}, gear: {reaction: g, frame: joint}}\n" \
  "joints:\n"                                                                             \
  "  a: {type: revolute, between: [ground, wheel.center]}\n"                              \
  "  b: {type: revolute, between: [ground, other.center]}\n"
  check_gear("sinew: 1\n" NO_G WHEELS "  g: {type: gear, joints: [a, b], teeth: [20, 30]}\n" HHT("4", "5e-4"), -2.0 / 3,
             "outer gear in space", 1e-3);
  check_gear("sinew: 1\n" NO_G WHEELS
             "  g: {type: gear, joints: [a, b], teeth: [7, 5], inside: true}\n" HHT("4", "5e-4"),
             1.4, "inner gear in space", 1e-3);
  check_gear("sinew: 1\nplanar: true\n" NO_G WHEELS
             "  g: {type: gear, joints: [a, b], ratio: -sqrt(2)}\n" HHT("4", "5e-4"),
             -sqrt(2), "planar gear, no ratio of whole numbers", 1e-9);
}

/* Analytic: pinion of inertia J and radius R under a torque T moves a rack of mass m: angle'' = T/(J + m R^2); a screw
 * of lead p per radian likewise. Many turns, in space. */
static void rack_and_screw(void **state) {
  (void)state;
  run r;
  double x[4], a = 3 / (0.2 + 2 * 0.09);
  open_run(&r,
           "sinew: 1\n" NO_G
           "bodies:\n"
           "  pinion: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.3, 0.3, 0.2]}\n"
           "  bar: {type: rigid, position: [0, -0.3, 0], mass: 2, inertia: [0.3, 0.3, 0.2]}\n"
           "forces: {motor: {type: moment, at: pinion.center, moment: [0, 0, 3]}}\n"
           "outputs: {pinion: {joint: a}, bar: {joint: b}}\n"
           "joints:\n"
           "  a: {type: revolute, between: [ground, pinion.center]}\n"
           "  b: {type: prismatic, between: [ground, bar.center], axis: [1, 0, 0]}\n"
           "  g: {type: rack, joints: [a, b], radius: 0.3}\n" HHT("4", "5e-4"),
           NULL);
  advance(&r, 4);
  read_output(&r, "bar", x, 2);
  assert_below(fabs(x[0] - 0.3 * a * 8), 3e-4, "travel of the rack");
  read_output(&r, "pinion", x, 2);
  assert_below(fabs(x[0] - a * 8), 1e-3, "angle of the pinion");
  close_run(&r);
  a = 3 / (0.2 + 2 * 0.0025);
  open_run(&r,
           "sinew: 1\n" NO_G
           "bodies: {screw: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [0.2, 0.3, 0.3]}}\n"
           "forces: {motor: {type: moment, at: screw.center, moment: [3, 0, 0]}}\n"
           "outputs: {screw: {joint: nut}}\n"
           "joints:\n"
           "  nut: {type: cylindrical, between: [ground, screw.center], axis: [1, 0, 0]}\n"
           "  lead: {type: tie, joints: [nut.rotation, nut.translation], factors: [0.05, -1]}\n" HHT("4", "2e-4"),
           NULL);
  advance(&r, 4);
  read_output(&r, "screw", x, 4);
  assert_below(fabs(x[0] - a * 8), 2e-3, "angle of the screw");
  assert_below(fabs(x[2] - 0.05 * x[0]), 1e-9, "travel of the screw");
  close_run(&r);
}

/* ---- reactions ---- */

/* Analytic: a screw (m, J, lead p = 0.05 m/rad) that its weight along a tilted axis turns: p'' = F/(m + J/p^2). Thread
 * and guide act on the same body, and the reaction of the thread is all of it: the force along the axis, and the moment
 * -p times this force, as it does no work. The order of the coordinates does not matter, nor which body is the first. */
static void thread_reaction(void **state) {
  (void)state;
  static const char *const threads[] = {
      "{type: tie, joints: [nut.rotation, nut.translation], factors: [0.05, -1]}",
      "{type: tie, joints: [nut.translation, nut.rotation], factors: [-1, 0.05]}",
      "{type: constraint, joints: [nut.rotation, nut.translation], equation: '0.05*x1 - x2'}",
      "{type: rack, joints: [nut, nut], radius: 0.05}"};
  const double axis[] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, m = 2, p = 0.05, weight = -m * 9 * axis[2];
  const double force = m * weight / (m + 0.01 / (p * p)) - weight;
  for (size_t i = 0; i < 2 * SN_COUNT(threads); i++) {
    const bool turned = i % 2 == 1;
    char text[1000];
    run r;
    double y[6];
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, -9]\nbodies: {screw: {type: rigid, position: [0.1, 0.2, 0.3], mass: 2, inertia: "
        "[0.01, 0.01, 0.01]}}\njoints:\n  nut: {type: cylindrical, between: [%s], axis: [1, 2, 2]}\n  lead: "
        "%s\noutputs: {lead: {reaction: lead}}\n"
        "analysis: {type: dynamics, duration: 1, integrator: {type: radau, tolerance: 1e-8}}\n",
        turned ? "screw.center, ground" : "ground, screw.center", threads[i / 2]);
    open_run(&r, text, NULL);
    advance(&r, 0.3);
    read_output(&r, "lead", y, 6);
    for (int k = 0; k < 3; k++) {
      assert_below(fabs(y[k] - (turned ? -1 : 1) * force * axis[k]), 1e-5 * force, "force of %s", threads[i / 2]);
      if (!turned) assert_below(fabs(y[3 + k] + p * force * axis[k]), 1e-5 * force, "moment of %s", threads[i / 2]);
    }
    close_run(&r);
  }
}

/* Analytic: gears on a carrier. Sun and planet turn on an arm that a moment T drives, the sun is braked by S; the gear acts
 * on the arm, on which both have their axes, with the sum of what acts on them, reversed. */
static void gear_on_carrier(void **state) {
  (void)state;
  run r;
  double y[3];
  /* x1 = sun - arm = 2 a, x2 = planet - arm = -2 x1; arm with the planet at 1 m */
  open_run(&r,
           "sinew: 1\nplanar: true\nbodies:\n"
           "  arm: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 0.4]}\n"
           "  sun: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 0.2]}\n"
           "  planet: {type: rigid, position: [1, 0, 0], mass: 0.5, inertia: [1, 1, 0.1]}\n"
           "forces: {T: {type: moment, at: sun.center, moment: [0, 0, 3]}}\n"
           "joints:\n"
           "  a: {type: revolute, between: [ground, arm.center]}\n"
           "  s: {type: revolute, between: [sun.center, arm.center]}\n"
           "  p: {type: revolute, between: [planet.center, arm]}\n"
           "  g: {type: gear, joints: [p, s], ratio: -0.5}\n"
           "outputs: {g: {reaction: g}}\n" HHT("1", "1e-3"),
           NULL);
  /* u = sun - arm, planet - arm = -u/(-0.5)... of the joints s = -u, p = -w with s = -0.5 p: w = -2 u.
   * Accelerations A of the arm and U of u: (0.4 + 0.5 + 0.2 + 0.1) A + (0.2 - 0.2) U = 3, (0.2 - 0.2) A + (0.2 + 0.4) U = 3. */
  const double A = 3 / 1.2, U = 3 / 0.6, on_sun = 0.2 * (A + U) - 3, on_planet = 0.1 * (A - 2 * U);
  advance(&r, 0.3);
  read_output(&r, "g", y, 3);
  assert_below(fabs(y[2] + on_sun + on_planet), 1e-6, "moment of the gear on the arm");
  close_run(&r);
}

/* Analytic: a slender rod of mass m, released horizontally and turned by b, pulls at its hinge with 5/2 m g sin b along
 * the rod and needs 1/4 m g cos b across it. The joint's frame turns with the rod, which is the first body; the
 * reaction is that on the ground, the second. */
static void pendulum_reaction(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\n" G
           "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1.2, 0, 0], mass: 2, inertia: [0.001, 0.24, 0.24]}}\n"
           "joints: {pin: {type: revolute, between: [rod.start, ground]}}\n"
           "outputs: {pin: {joint: pin}, local: {reaction: pin, frame: joint}, global: {reaction: pin}}\n" HHT("0.5",
                                                                                                               "1e-4"),
           NULL);
  for (int k = 1; k <= 5; k++) {
    double angle[2], f[6], F[6];
    advance(&r, 0.1 * k);
    read_output(&r, "pin", angle, 2);
    read_output(&r, "local", f, 6);
    read_output(&r, "global", F, 6);
    double b = angle[0], along = 2.5 * 2 * 9.81 * sin(b), across = -0.25 * 2 * 9.81 * cos(b);
    double expected[6] = {along, across, 0, 0, 0, 0};
    double turned[3] = {cos(b) * along + sin(b) * across, -sin(b) * along + cos(b) * across, 0};
    assert_below(distance(f, expected, 6), 2e-5, "reaction in the axes of the joint"); /* h^2 */
    assert_below(distance(F, turned, 3), 2e-5, "reaction in global axes");
    assert_true(b > 0.05 && b < 3);
  }
  close_run(&r);
}

/* Analytic: a slider of mass m driven by s(t) needs the force m s'' along its guide, and the guide carries m g. The
 * work of the driver is the kinetic energy. */
static void driven_slider(void **state) {
  (void)state;
  static const char *const heads[] = {"sinew: 1\n", "sinew: 1\nplanar: true\n"};
  for (int p = 0; p < 2; p++) {
    char text[1200];
    run r;
    snprintf(text, sizeof text,
             "%s" G
             "bodies: {car: {type: rigid, position: [0.3, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"
             "joints:\n"
             "  drive: {type: motion, joint: guide, translation: 0.5*(1 - cos(3*t))}\n"
             "  guide: {type: prismatic, between: ['ground.at(0, 0, 0)', car.center], axis: [1, 0, 0]}\n"
             "outputs: {guide: {reaction: guide, frame: joint}, drive: {reaction: drive}, car: {joint: guide}}\n" HHT(
                 "1", "1e-4"),
             heads[p]);
    open_run(&r, text, NULL);
    for (int k = 1; k <= 5; k++) {
      double guide[6], drive[6], car[2], t = 0.2 * k;
      size_t count = p ? 3 : 6;
      advance(&r, t);
      read_output(&r, "guide", guide, count);
      read_output(&r, "drive", drive, count);
      read_output(&r, "car", car, 2);
      assert_below(fabs(car[0] - 0.5 * (1 - cos(3 * t))), 1e-10, "travel");
      assert_below(fabs(drive[0] - 2 * 4.5 * cos(3 * t)), 1e-8, "force of the driver");
      /* frame: in space z is the axis x, x and y the global y and z; in the plane x is the axis */
      assert_below(fabs(guide[p ? 1 : 0] - 2 * 9.81), 1e-8, "load of the guide");
      assert_below(fabs(guide[p ? 0 : 2]), 1e-8, "the guide does not pull along itself");
      assert_below(fabs(guide[p ? 2 : 4]), 1e-8, "no moment about the center of mass");
    }
    assert_below(energy_error_of(&r), 1e-6, "driver work");
    close_run(&r);
  }
}

/* ---- slides ---- */

/* Analytic: on an incline everything slides with g sin(slope) and presses with m g cos(slope). */
static void inclines(void **state) {
  (void)state;
  static const struct {
    const char *joint, *body;
  } cases[] = {
      {"point-on-line, between: [ground, b], axis: [cos(0.4), sin(0.4), 0]",
       "{type: point-mass, mass: 3, position: [0, 0, 0]}"},
      {"point-on-plane, between: [ground, b], axis: [-sin(0.4), cos(0.4), 0]",
       "{type: point-mass, mass: 3, position: [0, 0, 0]}"},
      {"planar, between: [ground, b.center], axis: [-sin(0.4), cos(0.4), 0]",
       "{type: rigid, position: [0, 0, 0], mass: 3, inertia: [1, 2, 3]}"},
      {"cylindrical, between: [ground, b.center], axis: [cos(0.4), sin(0.4), 0]",
       "{type: rigid, position: [0, 0, 0], mass: 3, inertia: [1, 2, 3]}"},
      {"prismatic, between: [ground, b.center], axis: [cos(0.4), sin(0.4), 0]",
       "{type: rigid, position: [0, 0, 0], mass: 3, inertia: [1, 2, 3]}"},
  };
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    char text[1000];
    run r;
    double x[9], f[6], a = 9.81 * sin(0.4), N = 3 * 9.81 * cos(0.4);
    snprintf(text, sizeof text,
             "sinew: 1\n" G
             "bodies: {b: %s}\njoints: {j: {type: %s}}\n"
             "outputs: {b: {point: %s}, j: {reaction: j}}\n" HHT("1", "1e-2"),
             cases[k].body, cases[k].joint, strstr(cases[k].body, "rigid") ? "b.center" : "b");
    open_run(&r, text, NULL);
    advance(&r, 1);
    read_output(&r, "b", x, 9);
    read_output(&r, "j", f, 6);
    assert_below(hypot(x[0] + a * cos(0.4) / 2, x[1] + a * sin(0.4) / 2), 1e-9, "%s: place", cases[k].joint);
    assert_below(hypot(f[0] + N * sin(0.4), f[1] - N * cos(0.4)), 1e-8, "%s: pressure", cases[k].joint);
    close_run(&r);
  }
}

/* ---- mechanisms of the benchmarks page ---- */

/* A2, published to 1e-14 (IVP test set). */
static void andrews(void **state) {
  (void)state;
  static const char *const names[7] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  static const double start[7] = {-0.0617138900142764496, 0,
                                  0.455279819163070380,   0.222668390165885884,
                                  0.487364979543842550,   -0.222668390165885884,
                                  1.23054744454982119};
  static const double end[7] = {15.81077119629904, -15.75637105984298, .04082224013073101, -.5347301163226948,
                                .5244099658805304, .5347301163226948,  1.048080741042263};
  run r;
  sn_options options = {.step = 5e-7};
  open_run(&r, "models/andrews.yaml", &options);
  assert_below(r.simulation->start.position_change, 1e-14, "the start is consistent as published");
  advance(&r, 0.03);
  for (int k = 0; k < 7; k++) {
    double x[2];
    read_output(&r, names[k], x, 2);
    assert_below(fabs(start[k] + x[0] - end[k]), 1e-6, "%s at t = 0.03", names[k]);
  }
  close_run(&r);
}

/* A5: wherever the crank is, x = L1 cos a + sqrt(L2^2 - (L1 sin a)^2); all energy is accounted for. */
static void slider_crank(void **state) {
  (void)state;
  run r;
  sn_options options = {.step = 1e-4};
  open_run(&r, "models/slider-crank.yaml", &options);
  double a0 = 3 * PI / 2, x0 = sqrt(0.36 - 0.09), first[SN_ENERGIES];
  read_output(&r, "energy", first, SN_ENERGIES);
  assert_below(r.simulation->start.velocity_change, 1e-14, "start velocities are consistent");
  for (int k = 1; k <= 5; k++) {
    double crank[2], slider[2];
    advance(&r, 0.2 * k);
    read_output(&r, "crank", crank, 2);
    read_output(&r, "slider", slider, 2);
    double a = a0 + crank[0], x = 0.3 * cos(a) + sqrt(0.36 - 0.09 * sin(a) * sin(a));
    assert_below(fabs(slider[0] + x0 - x), 1e-10, "slider against crank");
    assert_true(k < 5 || crank[0] > 4 * PI);
  }
  assert_below(energy_error_of(&r), 1e-4 * first[SN_E_KINETIC], "energy");
  close_run(&r);
}

/* A4: the stiff spring at the elbow lines the rods up, and the dampers account for the rest. */
static void double_pendulum_springs(void **state) {
  (void)state;
  run r;
  double elbow[2], first[SN_ENERGIES];
  open_run(&r, "models/double-pendulum-springs.yaml", NULL);
  read_output(&r, "energy", first, SN_ENERGIES);
  assert_below(fabs(first[SN_E_SPRING] / (0.5 * 3e5 * pow(5 * PI / 12, 2)) - 1), 1e-12, "energy stored at the start");
  advance(&r, 2);
  read_output(&r, "elbow", elbow, 2);
  assert_below(fabs(elbow[0] + 5 * PI / 12), 1e-3, "the rods are in line");
  assert_below(energy_error_of(&r), 1e-4 * first[SN_E_SPRING], "energy");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(universal),
      cmocka_unit_test(gears),
      cmocka_unit_test(rack_and_screw),
      cmocka_unit_test(thread_reaction),
      cmocka_unit_test(gear_on_carrier),
      cmocka_unit_test(pendulum_reaction),
      cmocka_unit_test(driven_slider),
      cmocka_unit_test(inclines),
      cmocka_unit_test(andrews),
      cmocka_unit_test(slider_crank),
      cmocka_unit_test(double_pendulum_springs),
  };
  return cmocka_run_group_tests_name("joints", tests, NULL, NULL);
}
