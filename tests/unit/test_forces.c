/* test_forces.c - torsion springs, bushings, line loads, drag and followers against closed forms; stress resultants and
 * tapered cables. */
#include "analysis/modes.h"
#include "math/constants.h"
#include "math/quat.h"
#include "support.h"

#define G "gravity: [0, -9.81, 0]\n"
#define NO_G "gravity: [0, 0, 0]\n"
#define STEEL "materials: {m: {density: 7800, young: 2e11}}\n"
#define RUBBER "materials: {m: {density: 1000, young: 2e7}}\n"
#define SQUARE "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"

/* ---- torsion spring ---- */

/* Analytic: released 8 rad (more than a turn) from where the spring is free, J a'' + k (a + 8) = 0. In space it may
 * turn half a turn to each side. */
static void torsion_pendulum(void **state) {
  (void)state;
  static const struct {
    const char *head, *angle;
    double free;
  } cases[] = {{"sinew: 1\nplanar: true\n", "-8", -8}, {"sinew: 1\n", "1.5", 1.5}};
  for (int c = 0; c < 2; c++) {
    char text[800];
    run r;
    double w = sqrt(4 / 0.3), free = cases[c].free;
    snprintf(text, sizeof text,
             "%s" NO_G
             "bodies: {disk: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.2, 0.2, 0.3]}}\n"
             "joints: {pin: {type: revolute, between: [ground, disk.center]}}\n"
             "forces: {k: {type: torsion-spring, between: [ground, disk.center], stiffness: 4, angle: %s}}\n"
             "outputs: {pin: {joint: pin}, k: {spring: k}}\n"
             "analysis: {type: dynamics, duration: 3, integrator: {type: hht-i3, alpha: 0, step: 2e-4}}\n",
             cases[c].head, cases[c].angle);
    open_run(&r, text, NULL);
    for (int k = 1; k <= 6; k++) {
      double a[2], s[2], exact = free * (1 - cos(w * 0.5 * k));
      advance(&r, 0.5 * k);
      read_output(&r, "pin", a, 2);
      read_output(&r, "k", s, 2);
      assert_below(fabs(a[0] - exact), 1e-5 * fabs(free), "angle");
      assert_below(fabs(s[1] - 4 * (exact - free)), 1e-4 * fabs(free), "moment of the spring");
    }
    close_run(&r);
  }
}

/* ---- bushing ---- */

/* Analytic: a body on a bushing at its center has the frequencies sqrt(k/m) and sqrt(turn stiffness/J). */
static void bushing_modes(void **state) {
  (void)state;
  run r;
  run_to_end(
      &r, "sinew: 1\n" NO_G
          "bodies: {b: {type: rigid, position: [0.3, 0.2, 0.1], mass: 2, inertia: [0.3, 0.4, 0.5]}}\n"
          "forces: {k: {type: bushing, between: ['ground.at(0.3, 0.2, 0.1)', b.center], stiffness: [200, 800, 1800], "
          "turn_stiffness: [1200, 3600, 8000]}}\n"
          "analysis: {type: modes, count: 6}\n");
  const sn_modes *m = r.simulation->modes;
  static const double w2[6] = {100, 400, 900, 4000, 9000, 16000};
  for (int i = 0; i < 6; i++) assert_below(fabs(m->w2[i] / w2[i] - 1), 1e-9, "square of frequency %d", i + 1);
  close_run(&r);
}

/* ---- forces as outputs ---- */

#define CARRIED                                                                                               \
  "sinew: 1\ngravity: [0, 0, -10]\nbodies:\n"                                                                 \
  "  a: {type: rigid, position: [1, 0, 0], mass: 2, inertia: [1, 1, 1], points: {p: [0.5, 0.2, 0]}}\n"        \
  "  b: {type: rigid, position: [2, 0, 0], mass: 3, inertia: [1, 1, 1]}\n"                                    \
  "joints: {h: {type: revolute, between: [ground, b.center], axis: [0, 1, 0]}}\nforces:\n"                    \
  "  bush: {type: bushing, between: ['ground.at(1.5, 0.2, 0)', a.p], stiffness: [1e8, 1e8, 1e8], "            \
  "turn_stiffness: [1e8, 1e8, 1e8]}\n"                                                                        \
  "  motor: {type: actuator, joint: h, command: 2}\n  coil: {type: torsion-spring, joint: h, stiffness: 5}\n" \
  "  s: {type: spring, between: [a.center, b.center], stiffness: 100, length: 0.9}\n"

/* Statics: a stiff bushing carries the weight 20 N at the arm (-0.5, -0.2, 0) and the pull 10 N of the spring; the
 * actuator and the torsion spring balance each other. On the ground acts the opposite, about the same point. */
static void forces_balance(void **state) {
  (void)state;
  static const struct {
    const char *output;
    double value[6];
  } expected[] = {{"o1", {-10, 0, 20, -4, 10, -2}}, {"o2", {10, 0, -20, 4, -10, 2}}, {"o3", {0, 0, 0, 0, 2, 0}},
                  {"o4", {0, 0, 0, 0, -2, 0}},      {"o5", {10, 0, 0, 0, 0, 0}},     {"o6", {-10, 0, 0, 0, 0, 0}}};
  run r;
  run_to_end(&r, CARRIED
             "outputs: {o1: {force: bush}, o2: {force: bush, on: ground}, o3: {force: motor}, "
             "o4: {force: coil}, o5: {force: s, on: a}, o6: {force: s}}\nanalysis: statics\n");
  for (size_t i = 0; i < SN_COUNT(expected); i++) {
    double y[6];
    read_output(&r, expected[i].output, y, 6);
    for (int k = 0; k < 6; k++)
      assert_below(fabs(y[k] - expected[i].value[k]), 1e-4, "%s, column %d", expected[i].output, k);
  }
  close_run(&r);
}

/* Closed forms at the start, straight and at rest: totals of a load 0.5 s N/m, of viscous drag 2 N s/m2 in wind of 1 m/s,
 * of dead pressure on a square, about the first point; a rope pulls with its tension. */
static void forces_of_fields(void **state) {
  (void)state;
  static const struct {
    const char *output;
    double value[6];
  } expected[] = {{"o1", {0, 0.25, 0, 0, 0, 1.0 / 6}},
                  {"o2", {0, 2, 0, 0, 0, 1}},
                  {"o3", {0, 0, 10, 5, -5, 0}},
                  {"o4", {0, 0, 7, 0, 0, 0}}};
  run r;
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, 0]\n" RUBBER SQUARE
           "bodies:\n  c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 3, material: m, section: s}\n"
           "  p: {type: plate, at: [0, 2, 0], along: [1, 0, 0], across: [0, 1, 0], elements: [2, 1], thickness: 0.05, "
           "material: m}\n  w: {type: rigid, position: [3, 0, -1], mass: 4, inertia: [1, 1, 1]}\n"
           "forces:\n  f1: {type: distributed, on: c, force: [0, 0.5, 0], profile: s}\n"
           "  f2: {type: drag, on: c, normal: 2, wind: [0, 1, 0]}\n"
           "  f3: {type: pressure, on: p, pressure: 10, follower: false}\n"
           "  f4: {type: reeving, from: 'ground.at(2.5, 0, 0)', to: w.center, pulleys: ['ground.at(2.9, 0, 0)'], "
           "radius: [0.1], axis: [0, 1, 0], stiffness: 1e4, tension: 7}\n"
           "outputs: {o1: {force: f1}, o2: {force: f2}, o3: {force: f3}, o4: {force: f4, on: w}}\n"
           "analysis: {type: dynamics, duration: 0.01}\n",
           NULL);
  for (size_t i = 0; i < SN_COUNT(expected); i++) {
    double y[6];
    read_output(&r, expected[i].output, y, 6);
    for (int k = 0; k < 6; k++)
      assert_below(fabs(y[k] - expected[i].value[k]), 1e-9, "%s, column %d", expected[i].output, k);
  }
  close_run(&r);
}

/* Profiles narrower than an element, with kinks and jumps in it, on meshes of one to three elements: force and moment
 * about the start are int p ds and int s p ds, whatever the mesh. */
static void narrow_profiles(void **state) {
  (void)state;
  static const struct {
    const char *profile;
    double force, moment;
  } list[] = {{"exp(-((s - 0.43)/0.02)^2)", 0.02 * 1.7724538509055160, 0.43 * 0.02 * 1.7724538509055160},
              {"if(s < 0.3, 1, 0)", 0.3, 0.045},
              {"max(0, 1 - abs(s - 0.55)/0.05)", 0.05, 0.05 * 0.55},
              {"sin(40*pi*s)^2", 0.5, 0.25}};
  for (size_t i = 0; i < SN_COUNT(list); i++)
    for (int n = 1; n <= 3; n++) {
      char text[700];
      run r;
      double y[6];
      snprintf(text, sizeof text,
               "sinew: 1\ngravity: [0, 0, 0]\n" RUBBER SQUARE
               "bodies:\n  c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}\n"
               "forces:\n  f: {type: distributed, on: c, force: [0, 1, 0], profile: '%s'}\n"
               "outputs: {o: {force: f}}\nanalysis: {type: dynamics, duration: 0.01}\n",
               n, list[i].profile);
      open_run(&r, text, NULL);
      read_output(&r, "o", y, 6);
      assert_below(fabs(y[1] - list[i].force), 2e-3 * list[i].force, "%s on %d elements: force", list[i].profile, n);
      assert_below(fabs(y[5] - list[i].moment), 2e-3 * list[i].moment, "%s on %d elements: moment", list[i].profile, n);
      close_run(&r);
    }
}

/* A body that turns in space, on every way to describe it: the force and moment of one load are those that were given. */
static void forces_of_loads(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "b: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 2, 3], angular_velocity: [1, 2, 3]}",
      "b: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s, angular_velocity: [1, 2, "
      "3]}",
      "b: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s, "
      "angular_velocity: [1, 2, 3]}"};
  static const double f[6] = {0, 0, 0, 0.3, -0.2, 0.5};
  for (size_t i = 0; i < SN_COUNT(bodies); i++) {
    char text[1200];
    run r;
    double y[6];
    snprintf(text, sizeof text,
             "sinew: 1\n" NO_G RUBBER SQUARE
             "bodies: {%s}\nforces: {f: {type: moment, at: b.%s, moment: [0.3, -0.2, "
             "0.5]}}\noutputs: {o: {force: f}}\nanalysis: {type: dynamics, duration: 0.3, integrator: {type: radau5, "
             "step: 1e-3}}\n",
             bodies[i], i ? "end" : "center");
    open_run(&r, text, NULL);
    advance(&r, 0.3);
    read_output(&r, "o", y, 6);
    for (int k = 0; k < 6; k++) assert_below(fabs(y[k] - f[k]), 1e-6, "body %d, column %d", (int)i, k);
    close_run(&r);
  }
}

/* Analytic: a turn about one of the axes of the bushing, or about any axis with equal stiffnesses and a ball's inertia,
 * is theta = W/w sin(w t), w^2 = k/J, for any amplitude below half a revolution; here 2.5 rad. */
static void bushing_turns(void **state) {
  (void)state;
  static const char *const stiffness[] = {"[18, 50, 3]", "[18, 18, 18]"};
  static const double axis[][3] = {{0.8, 0.6, 0}, {2.0 / 7, 3.0 / 7, 6.0 / 7}};
  const double w = 6, spin = 15, T = 0.2 * 2 * SN_PI / 6;
  for (int c = 0; c < 2; c++)
    for (int swapped = 0; swapped < 2; swapped++) {
      run r;
      char text[1200];
      const double *n = axis[c], theta = spin / w * sin(w * T), point[3] = {0.3, -0.2, 0.4};
      double turned[3], p[4] = {cos(theta / 2)}, found[3];
      for (int k = 0; k < 3; k++) p[k + 1] = n[k] * sin(theta / 2);
      snprintf(text, sizeof text,
               "sinew: 1\n" NO_G
               "bodies: {b: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [0.5, 0.5, 0.5], angular_velocity: "
               "[%.17g, %.17g, %.17g]}}\n"
               "forces: {k: {type: bushing, between: [%s], rotation: {axis: [0, 0, 1], angle: %s}, "
               "stiffness: [100, 100, 100], turn_stiffness: %s}}\n"
               "outputs: {p: {point: 'b.at(0.3, -0.2, 0.4)'}}\n"
               "analysis: {type: dynamics, duration: %.17g, integrator: {type: radau, tolerance: 1e-9}}\n",
               spin * n[0], spin * n[1], spin * n[2],
               swapped ? "b.center, 'ground.at(0, 0, 0)'" : "'ground.at(0, 0, 0)', b.center",
               c ? "0" : "'atan2(0.6, 0.8)'", stiffness[c], T);
      run_to_end(&r, text);
      read_output(&r, "p", found, 3);
      sn_quat_rotate(p, point, turned);
      assert_below(distance(found, turned, 3), 1e-7, "%s%s: place after a turn of %g rad", stiffness[c],
                   swapped ? ", bodies exchanged" : "", theta);
      close_run(&r);
    }
}

/* ---- loads along a line ---- */

/* Gravity and a distributed load of the same weight do the same. */
static void distributed_weight(void **state) {
  (void)state;
  run heavy, loaded;
  double a[3], b[3];
#define SWING                                                                                              \
  "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0.2, 0.1], elements: 4, material: m, section: s}}\n" \
  "joints: {pin: {type: spherical, between: [ground, c.start]}}\n"                                         \
  "outputs: {tip: {point: c.end}}\n"                                                                       \
  "analysis: {type: dynamics, duration: 0.4, integrator: {type: hht-i3, step: 1e-3}}\n"
  open_run(&heavy, "sinew: 1\n" G RUBBER SQUARE SWING, NULL);
  open_run(&loaded,
           "sinew: 1\n" NO_G RUBBER SQUARE
           "forces: {w: {type: distributed, on: c, force: [0, -9.81*1000*4e-4, 0]}}\n" SWING,
           NULL);
  advance(&heavy, 0.4);
  advance(&loaded, 0.4);
  read_output(&heavy, "tip", a, 3);
  read_output(&loaded, "tip", b, 3);
  assert_below(distance(a, b, 3), 1e-9, "tips");
  assert_true(a[1] < -0.3);
  close_run(&heavy);
  close_run(&loaded);
}

/* Analytic: q(s) = q0 s from s = 0.3 to 0.9, not at nodes: resultant q0 L (0.81 - 0.09)/2, its moment about the clamp
 * q0 L^2 (0.729 - 0.027)/3. */
static void distributed_part(void **state) {
  (void)state;
  run r;
  double f[3], q = 2, L = 1.5;
  run_to_end(&r, "sinew: 1\nplanar: true\n" NO_G STEEL SQUARE
                 "bodies: {c: {type: cable, from: [0, 0, 0], to: [1.5, 0, 0], elements: 4, material: m, section: s}}\n"
                 "joints: {clamp: {type: fixed, between: [ground, c.start]}}\n"
                 "forces: {q: {type: distributed, on: c, force: [0, 2, 0], profile: s, from: 0.3, to: 0.9}}\n"
                 "outputs: {clamp: {reaction: clamp}}\n"
                 "analysis: statics\n");
  read_output(&r, "clamp", f, 3);
  assert_below(fabs(f[1] + q * L * 0.36), 1e-7, "force");
  assert_below(fabs(f[2] + q * L * L * 0.234), 1e-5, "moment"); /* the bar bends by 1e-3: the arms shorten */
  close_run(&r);
}

/* ---- drag ---- */

/* Analytic: a straight cable falls across itself, m v' = m g - c v: v = v1 (1 - exp(-g t/v1)), v1 = m g/c; with the
 * square law v = v1 tanh(g t/v1), v1^2 = 2 m g/(rho d C) (per length). Wind along the fall adds to both. */
static void drag_fall(void **state) {
  (void)state;
  double m = 1000 * 4e-4, g = 9.81, t = 2;
  double v1 = m * g / 2, v2 = sqrt(2 * m * g / (1.2 * 0.5 * 1.1));
  const struct {
    const char *drag;
    double v;
  } cases[] = {
      {"normal: 2", v1 * (1 - exp(-g * t / v1))},
      {"diameter: 0.5, normal_coefficient: 1.1", v2 * tanh(g * t / v2)},
      {"normal: 2, wind: [0, -0.7, 0]", 0.7 + v1 - (0.7 + v1) * exp(-g * t / v1)},
  };
  for (int k = 0; k < 3; k++) {
    char text[900];
    run r;
    double y[6], e[SN_ENERGIES];
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\n" G RUBBER SQUARE
             "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s}}\n"
             "forces: {air: {type: drag, on: c, %s}}\n"
             "outputs: {tip: {point: c.end}}\n"
             "analysis: {type: dynamics, duration: 2, integrator: {type: hht-i3, step: 1e-3}}\n",
             cases[k].drag);
    open_run(&r, text, NULL);
    advance(&r, t);
    read_output(&r, "tip", y, 6);
    read_output(&r, "energy", e, SN_ENERGIES);
    assert_below(fabs(y[3] + cases[k].v), 1e-5, "%s: speed", cases[k].drag);
    assert_below(fabs(e[SN_E_ERROR]), 1e-4, "%s: energy", cases[k].drag);
    close_run(&r);
  }
}

/* ---- followers on cables, seen by the stress resultants ---- */

/* Analytic, for any deflection: at the end under a force that stays normal to the tangent N = 0 and Q = that force; the
 * reaction of the clamp has its size. Dead force: the end has N, Q = its components. */
static void follower_end(void **state) {
  (void)state;
  static const char *const kinds[2] = {"true", "false"};
  for (int k = 0; k < 2; k++) {
    char text[1000];
    run r;
    double clamp[3], end[5], tip[6], P = 2;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\n" NO_G RUBBER SQUARE
             "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 24, material: m, section: s}}\n"
             "joints: {clamp: {type: fixed, between: [ground, c.start]}}\n"
             "forces: {P: {type: force, at: c.end, force: [0, 2, 0], follower: %s}}\n"
             "outputs: {clamp: {reaction: clamp}, end: {resultant: c.end}, start: {resultant: c.start}, tip: {point: "
             "c.end}}\n"
             "analysis: {type: statics}\n",
             kinds[k]);
    run_to_end(&r, text);
    read_output(&r, "clamp", clamp, 3);
    read_output(&r, "end", end, 5);
    read_output(&r, "tip", tip, 2);
    assert_below(fabs(hypot(clamp[0], clamp[1]) - P), 1e-6 * P, "size of the reaction");
    assert_below(fabs(clamp[2] + (tip[0] * -clamp[1] - tip[1] * -clamp[0])), 1e-6, "moment of the clamp");
    assert_below(fabs(end[2]), 0.02, "no moment at the end"); /* of order 1/elements^2 */
    if (k == 0) {
      assert_below(fabs(end[0]), 0.02 * P, "follower: no normal force at the end");
      assert_below(fabs(end[1] - P), 0.01 * P, "follower: shear force at the end");
      assert_true(tip[0] < 0.7);
    } else {
      assert_below(fabs(hypot(end[0], end[1]) - P), 0.01 * P, "dead: force at the end");
    }
    close_run(&r);
  }
}

/* The work of a follower is what the cable gains: a tangential and a normal force drive a free cable in space. */
static void follower_work(void **state) {
  (void)state;
  run r;
  double e[SN_ENERGIES];
  open_run(&r,
           "sinew: 1\n" NO_G RUBBER SQUARE
           "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: m, section: s}}\n"
           "forces: {P: {type: force, at: c.end, force: [0.5, 0.3, 0.4*t], follower: true}, "
           "M: {type: moment, at: c.start, moment: [0, 0.02, 0.05], follower: true}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, alpha: 0, step: 5e-4}}\n",
           NULL);
  advance(&r, 1);
  read_output(&r, "energy", e, SN_ENERGIES);
  assert_true(e[SN_E_APPLIED] > 0.1);
  assert_below(fabs(e[SN_E_ERROR]), 1e-4 * e[SN_E_APPLIED], "work against energy");
  close_run(&r);
}

/* ---- resultants ---- */

/* Analytic, small deflection: cantilever with end force P: M = P (L - x), Q = P with the signs of the part beyond, at
 * nodes and between; hanging bar: N = rho g A (L - x). */
static void cantilever_and_hanging(void **state) {
  (void)state;
  run r;
  double y[5];
  run_to_end(&r, "sinew: 1\nplanar: true\n" NO_G STEEL SQUARE
                 "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 5, material: m, section: s}}\n"
                 "joints: {clamp: {type: fixed, between: [ground, c.start]}}\n"
                 "forces: {P: {type: force, at: c.end, force: [0, -3, 0]}}\n"
                 "outputs: {a: {resultant: c.start}, b: {resultant: c.at(0.4)}, d: {resultant: c.at(0.53)}}\n"
                 "analysis: statics\n");
  static const struct {
    const char *name;
    double x;
  } stations[] = {{"a", 0}, {"b", 0.4}, {"d", 0.53}};
  double EI = 2e11 * pow(0.02, 4) / 12;
  for (int k = 0; k < 3; k++) {
    double M = -3 * (1 - stations[k].x);
    read_output(&r, stations[k].name, y, 5);
    assert_below(fabs(y[2] - M), 1e-5, "M at x = %g", stations[k].x);
    assert_below(fabs(y[1] + 3), 1e-4, "Q at x = %g", stations[k].x);
    assert_below(fabs(y[4] - M / EI), 1e-5 / EI, "curvature at x = %g", stations[k].x);
    assert_below(fabs(y[0]), 1e-2, "N at x = %g", stations[k].x); /* 3 N times the slope, 2e-4 */
  }
  close_run(&r);
  run_to_end(&r, "sinew: 1\n" G STEEL SQUARE
                 "bodies: {c: {type: cable, from: [0, 0, 0], to: [0, -2, 0], elements: 4, material: m, section: s}}\n"
                 "joints: {clamp: {type: fixed, between: [ground, c.start]}}\n"
                 "outputs: {a: {resultant: c.start}, b: {resultant: c.at(0.5)}, d: {resultant: c.at(0.8)}}\n"
                 "analysis: statics\n");
  double w = 7800 * 4e-4 * 9.81;
  const double x[3] = {0, 1, 1.6};
  const char *const names[3] = {"a", "b", "d"};
  for (int k = 0; k < 3; k++) {
    read_output(&r, names[k], y, 5);
    /* N is linear along the bar, the cubic element follows to a share of the weight of one element */
    assert_below(fabs(y[0] - w * (2 - x[k])), 1e-3 * w, "N at x = %g", x[k]);
    assert_below(fabs(y[3] * 2e11 * 4e-4 - y[0]), 1e-4 * w, "strain at x = %g", x[k]);
    assert_below(y[2], 1e-6, "no moment");
  }
  close_run(&r);
}

/* ---- tapered cable ---- */

/* Analytic (by quadrature): a bar whose width falls from b0 to b1 hangs under its own weight and an end load P:
 * N(x) = P + rho g int_x^L A, u = int N/(E A). Linear taper, and the same by a profile through a table. */
static void tapered_hanging(void **state) {
  (void)state;
  static const char *const tapers[] = {"", ", taper: blend(s)", ", taper: s^2"};
  double L = 2, b0 = 0.04, b1 = 0.01, h = 0.02, P = 50, rho = 7800, E = 2e11, g = 9.81, w0 = rho * h * g;
  for (int k = 0; k < 3; k++) {
    char text[1200];
    run r;
    double tip[3], clamp[6], u = 0, weight = 0, above = 0;
    enum { N = 20000 };
    for (int i = 0; i < N; i++) { /* from the lower end up; midpoint rule */
      double s = 1 - (i + 0.5) / N, f = k == 2 ? s * s : s, A = h * (b0 + f * (b1 - b0));
      u += (P + above + 0.5 * w0 * A / h * L / N) / (E * A) * L / N;
      above += w0 * A / h * L / N;
    }
    weight = above;
    snprintf(
        text, sizeof text,
        "sinew: 1\n" G STEEL
        "sections: {a: {type: rectangle, width: 0.04, height: 0.02}, b: {type: rectangle, width: 0.01, height: 0.02}}\n"
        "tables: {blend: {x: [0, 1], y: [0, 1], interpolation: linear}}\n"
        "bodies: {c: {type: cable, from: [0, 0, 0], to: [0, -2, 0], elements: 6, material: m, section: a, "
        "section_end: b%s}}\n"
        "joints: {clamp: {type: spherical, between: [ground, c.start]}}\n"
        "forces: {P: {type: force, at: c.end, force: [0, -50, 0]}}\n"
        "outputs: {tip: {point: c.end}, clamp: {reaction: clamp}, top: {resultant: c.start}}\n"
        "analysis: statics\n",
        tapers[k]);
    run_to_end(&r, text);
    read_output(&r, "tip", tip, 3);
    read_output(&r, "clamp", clamp, 6);
    assert_below(fabs(clamp[1] - P - weight), 1e-7 * P, "weight%s", tapers[k]);
    assert_below(fabs((-2 - tip[1]) / u - 1), 2e-5, "stretch%s", tapers[k]); /* strains of 1e-6; 6 elements */
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torsion_pendulum),       cmocka_unit_test(bushing_modes),
      cmocka_unit_test(forces_balance),         cmocka_unit_test(forces_of_fields),
      cmocka_unit_test(narrow_profiles),        cmocka_unit_test(forces_of_loads),
      cmocka_unit_test(bushing_turns),          cmocka_unit_test(distributed_weight),
      cmocka_unit_test(distributed_part),       cmocka_unit_test(drag_fall),
      cmocka_unit_test(follower_end),           cmocka_unit_test(follower_work),
      cmocka_unit_test(cantilever_and_hanging), cmocka_unit_test(tapered_hanging),
  };
  return cmocka_run_group_tests_name("forces", tests, NULL, NULL);
}
