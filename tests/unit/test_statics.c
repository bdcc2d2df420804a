/* test_statics.c - equilibria against closed forms, against settled dynamics, and what is said when there is none. */
#include "support.h"

static void load_run(run *r, const char *path, const char *const *sets, size_t count) {
  *r = (run){.context = sn_context_create()};
  if (sn_model_load(r->context, path, sets, count, &r->model)) fail_msg("%s", sn_message(r->context));
  if (sn_simulation_create(r->model, NULL, &r->simulation)) fail_msg("%s", sn_message(r->context));
}

static void finish(run *r) {
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
}

/* ---- B7 of the benchmarks page ---- */

/* Exact: the end moment 2 pi EI/L closes the circle. The mesh error falls with the fourth power of the element. */
static void roll_up(void **state) {
  (void)state;
  static const char *const meshes[] = {"n=16", "n=32"};
  double gap[2];
  for (int k = 0; k < 2; k++) {
    run r;
    double tip[2], clamp[3];
    load_run(&r, "models/roll-up.yaml", &meshes[k], 1);
    finish(&r);
    assert_int_equal(sn_read(r.simulation, "tip", tip, 2), 6);
    gap[k] = hypot(tip[0], tip[1]);
    sn_read(r.simulation, "clamp", clamp, 3);
    double EI = 2e9 * pow(0.02, 4) / 12;
    check_below(fabs(clamp[2] + 2 * PI * EI), 1e-7 * EI, __FILE__, __LINE__, "clamping moment");
    close_run(&r);
  }
  check_below(gap[0], 1e-4, __FILE__, __LINE__, "16 cables: gap of the circle");
  check_below(gap[1], gap[0] / 12, __FILE__, __LINE__, "32 cables: gap of the circle");
}

/* Elastica; tip (u, v)/L of the benchmarks page. */
static void elastica(void **state) {
  (void)state;
  static const struct {
    const char *load;
    double u, v;
  } cases[] = {{"load=1", 0.05643, 0.30172}, {"load=5", 0.38763, 0.71379}, {"load=10", 0.55500, 0.81061}};
  for (int k = 0; k < 3; k++) {
    run r;
    double tip[3];
    load_run(&r, "models/elastica.yaml", &cases[k].load, 1);
    finish(&r);
    sn_read(r.simulation, "tip", tip, 3);
    check_below(fabs(1 - tip[0] - cases[k].u), 1e-3, __FILE__, __LINE__, "%s: u", cases[k].load);
    check_below(fabs(-tip[1] - cases[k].v), 1e-3, __FILE__, __LINE__, "%s: v", cases[k].load);
    close_run(&r);
  }
}

/* ---- a hanging cable ---- */

#define CABLE                                     \
  "sinew: 1\n"                                    \
  "gravity: [0, -10, 0]\n"                        \
  "materials: {m: {density: 1000, young: 1e9}}\n" \
  "sections: {s: {type: general, A: 1e-4, Iyy: 1e-13, Izz: 1e-13, J: 1e-13}}\n"

/* Analytic: an inextensible cable of length S between points at a distance a at the same height hangs as y = c
 * cosh(x/c), 2 c sinh(a/2c) = S; sag c (cosh(a/2c) - 1), horizontal pull w c, vertical w S/2. EA is 1e6 N against 25 N
 * here. */
static void catenary(void **state) {
  (void)state;
  run r;
  double c = 1, middle[3], pin[3], a = 2, S;
  open_run(
      &r,
      CABLE
      "bodies: {c: {type: cable, from: [-1, 0, 0], via: [0, -0.8, 0], to: [1, 0, 0], elements: 40, material: m, "
      "bending: planar, "
      "section: s}}\n"
      "joints:\n  a: {type: spherical, between: [ground, c.start]}\n  b: {type: spherical, between: [ground, c.end]}\n"
      "outputs: {middle: {point: c.at(0.5)}, pin: {reaction: b}}\n"
      "analysis: statics\n",
      NULL);
  double R = (1 + 0.64) / 1.6; /* the arc through (-1, 0), (0, -0.8), (1, 0) */
  S = 2 * R * atan2(1, R - 0.8);
  for (int k = 0; k < 50; k++) { /* Newton */
    double f = 2 * c * sinh(a / (2 * c)) - S, d = 2 * sinh(a / (2 * c)) - a / c * cosh(a / (2 * c));
    c -= f / d;
  }
  finish(&r);
  sn_read(r.simulation, "middle", middle, 3);
  sn_read(r.simulation, "pin", pin, 3);
  double sag = c * (cosh(a / (2 * c)) - 1), w = 1000 * 1e-4 * 10;
  check_below(fabs(-middle[1] - sag), 2e-4 * sag, __FILE__, __LINE__, "sag");
  check_below(fabs(fabs(pin[0]) - w * c), 1e-3 * w * c, __FILE__, __LINE__, "horizontal pull");
  check_below(fabs(fabs(pin[1]) - w * S / 2), 1e-4 * w * S, __FILE__, __LINE__, "vertical pull");
  close_run(&r);
}

/* Second method: the same structure under dynamics with strong damping comes to rest where statics says. */
static void settles_where_statics_says(void **state) {
  (void)state;
#define SETTLING                                                                                                   \
  "sinew: 1\n"                                                                                                     \
  "gravity: [0, -9.81, 0]\n"                                                                                       \
  "materials: {m: {density: 7200, young: 2e7}}\n"                                                                  \
  "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"                                                  \
  "bodies:\n"                                                                                                      \
  "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: m, section: s, mass_damping: 8}\n" \
  "  bob: {type: rigid, shape: {type: sphere, radius: 0.05}, mass: 0.5, position: [1, 0, 0]}\n"                    \
  "joints:\n"                                                                                                      \
  "  clamp: {type: fixed, between: [ground, beam.start]}\n"                                                        \
  "  hold: {type: fixed, between: [beam.end, bob.center]}\n"                                                       \
  "forces: {stay: {type: spring, between: [\"ground.at(0.5, 1, 0)\", bob.center], stiffness: 20, damping: 5}}\n"   \
  "outputs: {bob: {point: bob.center}}\n"
  run still, moving;
  double a[3], b[3];
  open_run(&still, SETTLING "analysis: statics\n", NULL);
  finish(&still);
  sn_read(still.simulation, "bob", a, 3);
  open_run(&moving, SETTLING "analysis: {type: dynamics, duration: 12, integrator: {type: hht-i3, tolerance: 1e-6}}\n",
           NULL);
  finish(&moving);
  sn_read(moving.simulation, "bob", b, 3);
  check_below(distance(a, b, 3), 1e-6, __FILE__, __LINE__, "place at rest");
  assert_true(fabs(a[1]) > 0.05); /* it did move */
  close_run(&still);
  close_run(&moving);
}

/* The cable of the elevator (D2 of the benchmarks page), 80 m, first taut, then its end moved in by 78 m: it stays on
 * the stable side, where all of it hangs, and each end carries half its weight (symmetry). */
static void moved_in(void **state) {
  (void)state;
  run r;
  double a[3], middle[3], weight = 50.9 * 3.1457e-4 * 80 * 9.81;
  open_run(&r,
           "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 50.9, young: 2e7}}\n"
           "sections: {s: {type: general, A: 3.1457e-4, Iyy: 7.86425e-9, Izz: 7.86425e-9, J: 1e-8}}\n"
           "bodies: {c: {type: cable, from: [0, 0, 0], to: [80, 0, 0], elements: 100, material: m, section: s}}\n"
           "joints:\n"
           "  a: {type: spherical, between: [c.start, ground]}\n"
           "  x: {type: motion, between: [\"ground.at(80, 0, 0)\", c.end], axis: [1, 0, 0], translation: -78*t}\n"
           "  y: {type: motion, between: [\"ground.at(80, 0, 0)\", c.end], axis: [0, 1, 0], translation: 0}\n"
           "  z: {type: motion, between: [\"ground.at(80, 0, 0)\", c.end], axis: [0, 0, 1], translation: 0}\n"
           "outputs: {middle: {point: c.at(0.5)}, a: {reaction: a}}\n"
           "analysis: [statics, {type: statics, start: 1}]\n",
           NULL);
  finish(&r);
  assert_string_equal(r.simulation->start.notes, "");
  sn_read(r.simulation, "a", a, 3);
  sn_read(r.simulation, "middle", middle, 3);
  check_below(fabs(a[1] + weight / 2), 1e-6 * weight, __FILE__, __LINE__, "weight carried by an end");
  check_below(fabs(middle[0] - 1), 1e-6, __FILE__, __LINE__, "symmetry");
  assert_true(middle[1] < -39 && middle[1] > -40.1);
  close_run(&r);
}

/* ---- followers, solvers, repeated equations ---- */

#define PUSHED(follower, analysis)                                                                               \
  "sinew: 1\nmaterials: {m: {density: 1000, young: 2e9}}\nsections: {s: {type: rectangle, width: 0.01, height: " \
  "0.01}}\n"                                                                                                     \
  "bodies:\n"                                                                                                    \
  "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s}\n"                \
  "  tip: {type: rigid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [1, 0, 0]}\n"                          \
  "joints:\n  clamp: {type: fixed, between: [ground, beam.start]}\n  hold: {type: fixed, between: [beam.end, "   \
  "tip.center]}\n"                                                                                               \
  "forces: {push: {type: force, at: tip.center, force: [0, 5, 0], follower: " follower                           \
  "}}\n"                                                                                                         \
  "outputs: {tip: {point: tip.center}, clamp: {reaction: clamp}}\nanalysis: " analysis "\n"

/* The force keeps its angle to the tip, so that the clamp feels its size in any direction; its moment is that of the
 * force at the place of the tip. */
static void follower(void **state) {
  (void)state;
  run r;
  double tip[3], clamp[6];
  open_run(&r, PUSHED("true", "statics"), NULL);
  finish(&r);
  sn_read(r.simulation, "tip", tip, 3);
  sn_read(r.simulation, "clamp", clamp, 6);
  assert_true(tip[1] > 0.3); /* a large turn */
  check_below(fabs(hypot(clamp[0], clamp[1]) - 5), 1e-6, __FILE__, __LINE__, "size of the force");
  assert_true(fabs(clamp[0]) > 1);                         /* it has turned */
  double moment = tip[0] * -clamp[1] - tip[1] * -clamp[0]; /* of the force, which is opposite to the reaction */
  check_below(fabs(moment + clamp[5]), 1e-6, __FILE__, __LINE__, "moment at the clamp");
  assert_true(r.simulation->system->statistics.iterations <
              15 * r.simulation->system->statistics.steps); /* quadratic */
  close_run(&r);
}

static void solvers_agree(void **state) {
  (void)state;
  double tip[2][3];
  static const char *const texts[] = {PUSHED("false", "{type: statics, solver: klu}"),
                                      PUSHED("false", "{type: statics, solver: ldl}")};
  for (int k = 0; k < 2; k++) {
    run r;
    open_run(&r, texts[k], NULL);
    finish(&r);
    sn_read(r.simulation, "tip", tip[k], 3);
    close_run(&r);
  }
  check_below(distance(tip[0], tip[1], 3), 1e-9, __FILE__, __LINE__, "tip");
}

/* Analytic: a door on two hinges (five equations too many), held by a spring: moments about the hinges. */
static void repeated_equations(void **state) {
  (void)state;
  run r;
  double p[3];
  open_run(&r,
           "sinew: 1\nbodies: {door: {type: rigid, shape: {type: box, size: [1, 2, 0.05]}, mass: 10, position: [0.5, "
           "0, 0]}}\n"
           "joints:\n"
           "  top: {type: revolute, between: [\"ground.at(0, 1, 0)\", door], axis: [0, 1, 0]}\n"
           "  bottom: {type: revolute, between: [\"ground.at(0, -1, 0)\", door], axis: [0, 1, 0]}\n"
           "forces:\n"
           "  spring: {type: spring, between: [\"ground.at(0.5, 0, 5)\", door.center], stiffness: 100, length: 0}\n"
           "  push: {type: force, at: door.center, force: [0, 0, -1000]}\n"
           "outputs: {door: {point: door.center}}\nanalysis: {type: statics, steps: 20}\n",
           NULL);
  assert_int_equal(r.simulation->start.redundant, 5);
  finish(&r);
  sn_read(r.simulation, "door", p, 3);
  /* force on the center F = k (s - p) + (0, 0, -1000) has no moment about y: z F_x = x F_z */
  double Fx = 100 * (0.5 - p[0]), Fz = 100 * (5 - p[2]) - 1000;
  check_below(fabs(p[2] * Fx - p[0] * Fz), 1e-6, __FILE__, __LINE__, "moment about the hinges");
  check_below(fabs(hypot(p[0], p[2]) - 0.5), 1e-10, __FILE__, __LINE__, "the door keeps its width");
  close_run(&r);
}

/* ---- rigid ---- */

/* Analytic: two springs of stiffness k at a right angle, preloaded; loads scaled from zero, springs pull at the start.
 */
static void preloaded_springs(void **state) {
  (void)state;
  run r;
  double p[3];
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, 0]\nbodies: {b: {type: point-mass, mass: 1, position: [0.3, 0.2, 0.1]}}\n"
           "forces:\n"
           "  left: {type: spring, between: [\"ground.at(-1, 0, 0)\", b], stiffness: 100, length: 0.5}\n"
           "  right: {type: spring, between: [\"ground.at(1, 0, 0)\", b], stiffness: 100, length: 0.5}\n"
           "  push: {type: force, at: b, force: [20, 0, 0]}\n"
           "outputs: {b: {point: b}}\n"
           "analysis: statics\n",
           NULL);
  finish(&r);
  sn_read(r.simulation, "b", p, 3);
  double exact[3] = {0.1, 0, 0}; /* 2 k x = F along the line of the springs */
  check_below(distance(p, exact, 3), 1e-9, __FILE__, __LINE__, "place");
  close_run(&r);
}

/* ---- no equilibrium ---- */

#define TWO_BARS(gravity)                                                                                    \
  "sinew: 1\ngravity: " gravity                                                                              \
  "\n"                                                                                                       \
  "bodies:\n"                                                                                                \
  "  held: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}, density: 1000, position: [-0.5, 0, 0]}\n"  \
  "  swings: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}, density: 1000, position: [0.5, 0, 0]}\n" \
  "joints:\n"                                                                                                \
  "  wall: {type: fixed, between: [\"ground.at(0, 0, 0)\", held]}\n"                                         \
  "  pin: {type: revolute, between: [\"ground.at(0, 0, 0)\", swings], axis: [0, 0, 1]}\n"                    \
  "outputs: {end: {point: swings.center}}\n"                                                                 \
  "analysis: statics\n"

/* Was it told, in a note or as a reason for doubt? */
static bool was_told(const sn_simulation *simulation, const char *text) {
  const sn_doubts *d = &simulation->doubts;
  for (int i = 0; i < d->count; i++)
    if (strstr(d->doubt[i].text, text)) return true;
  return strstr(simulation->start.notes, text) != NULL;
}

/* A block that nothing keeps from sliding down has no equilibrium at all. */
static void mechanism_is_named(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\ngravity: [0, -9.81, 0]\n"
           "bodies:\n"
           "  held: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}, density: 1000, position: [-0.5, 0, 0]}\n"
           "  slides: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}, density: 1000, position: [0.5, 0, 0]}\n"
           "joints:\n"
           "  wall: {type: fixed, between: [\"ground.at(0, 0, 0)\", held]}\n"
           "  rail: {type: prismatic, between: [\"ground.at(0, 0, 0)\", slides], axis: [0, 1, 0]}\n"
           "analysis: statics\n",
           NULL);
  assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
  const char *text = sn_message(r.context);
  assert_non_null(strstr(text, "mechanism"));
  assert_non_null(strstr(text, "'slides'"));
  assert_null(strstr(text, "'held'"));
  close_run(&r);
}

/* What nothing holds at the start may come to rest elsewhere: a bar that starts level hangs. */
/* A kilogram beside the end of a beam that weighs next to nothing: what it vibrates with is 1e-16 and less of what the
 * sections of the beam do. It is supported (deflection -W L^3/3EI - W e^2 L/GJ) unless a joint lets it turn, which is said; 1.3 times
 * the load of Euler is too much for it, and without any load nothing bends at all. */
static void light_beams(void **state) {
  (void)state;
  static const struct {
    const char *joint, *weight, *force;
    const char *said; /* NULL: good */
    const char *told; /* a note */
  } cases[] = {{"fixed", "-9.81", "0", NULL, NULL},
               {"revolute, axis: [1, 0, 0]", "0", "0", NULL, "unsupported in 1 direction"},
               {"spherical", "0", "0", NULL, "unsupported in 3 directions"},
               {"fixed", "0", "-0.8*pi^2/4*2.1e11*pi/4*0.01^4", NULL, NULL},
               {"fixed", "0", "-1.3*pi^2/4*2.1e11*pi/4*0.01^4", "the structure ", NULL},
               {"fixed", "0", "0", NULL, NULL}};
  static const char *const density[] = {"7800", "1e-3", "1e-6"};
  for (size_t k = 0; k < 3 * SN_COUNT(cases); k++) {
    const size_t i = k / 3, d = k % 3;
    char text[1500];
    double y[3];
    run r;
    if (d == 0 && i != 4) continue; /* the load of Euler: at any density; elsewhere the weight of the beam counts */
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, %s]\nmaterials: {m: {density: %s, young: 2.1e11, poisson: 0.3}}\nsections: {s: "
        "{type: circle, radius: 0.01}}\nbodies:\n  b: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 8, "
        "material: m, section: s}\n  t: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [1, %s, 0]}\n"
        "joints: {c: {type: %s, between: [ground, b.start]}, w: {type: fixed, between: [b.end, t]}}\n"
        "forces: {P: {type: force, at: t.center, force: ['%s', 0, 0]}}\noutputs: {t: {point: t.center}}\n"
        "analysis: statics\n",
        cases[i].weight, density[d], i < 3 ? "0.2" : "0", cases[i].joint, cases[i].force);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    if (cases[i].said ? !strstr(v.reasons, cases[i].said) : v.level != SN_GOOD)
      fail_msg("case %zu, density %s: %s", i, density[d], v.reasons);
    if (was_told(r.simulation, "unsupported") != (cases[i].told != NULL)) fail_msg("case %zu: supports", i);
    if (cases[i].told) assert_true(was_told(r.simulation, cases[i].told));
    if (i == 0) {
      read_output(&r, "t", y, 3);
      const double EI = 2.1e11 * PI * 1e-8 / 4, GJ = 2.1e11 / 2.6 * PI * 1e-8 / 2;
      assert_below(fabs(y[2] / (-9.81 / (3 * EI) - 9.81 * 0.04 / GJ) - 1), 5e-4, "deflection");
    }
    close_run(&r);
  }
}

static void loose_parts_come_to_rest(void **state) {
  (void)state;
  run r;
  double p[3];
  open_run(&r, TWO_BARS("[0, -9.81, 0]"), NULL);
  finish(&r);
  sn_read(r.simulation, "end", p, 3);
  check_below(distance(p, (double[]){0, -0.5, 0}, 3), 1e-7, __FILE__, __LINE__, "hanging");
  assert_true(was_told(r.simulation, "'swings' is unsupported"));
  close_run(&r);
}

/* A slack rope with next to no bending stiffness hangs in a catenary however fine its mesh is. Closed form: half length
 * a sinh(L/a), sag a (cosh(L/a) - 1), with the stretch of 1e-4 left out. */
static void thin_ropes_hang(void **state) {
  (void)state;
  static const int elements[] = {12, 30, 45, 60};
  const double L = 4, R = (16 + 2.5 * 2.5) / 5, half = R * asin(L / R);
  double low = 0.5, high = 50;
  for (int k = 0; k < 100; k++) {
    double a = (low + high) / 2;
    *(a * sinh(L / a) > half ? &low : &high) = a;
  }
  const double sag = low * (cosh(L / low) - 1);
  for (size_t e = 0; e < SN_COUNT(elements); e++)
    for (int thin = 12; thin <= 18; thin += 2) {
      run r;
      double p[3];
      char text[800];
      snprintf(text, sizeof text,
               "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 1e9}}\n"
               "sections: {s: {type: general, A: 1e-4, Iyy: 1e-%d, Izz: 1e-%d}}\n"
               "bodies: {rope: {type: cable, from: [0, 0, 0], to: [8, 0, 0], via: [4, -2.5, 0], elements: %d,\n"
               "  material: m, section: s}}\n"
               "joints: {a: {type: spherical, between: [ground, rope.start]},\n"
               "  b: {type: spherical, between: [ground, rope.end]}}\n"
               "outputs: {middle: {point: rope.at(0.5)}}\nanalysis: statics\n",
               thin, thin, elements[e]);
      open_run(&r, text, NULL);
      finish(&r);
      sn_read(r.simulation, "middle", p, 3);
      check_below(fabs(p[1] + sag), 2e-3 * sag, __FILE__, __LINE__, "sag with %d elements, I = 1e-%d", elements[e],
                  thin);
      close_run(&r);
    }
}

/* The same bars where gravity holds them: hanging is stable, one that stands on its end falls over, and no gravity
 * leaves them alone. */
static void pendulum_at_rest(void **state) {
  (void)state;
  static const struct {
    const char *text, *note;
  } cases[] = {{TWO_BARS("[9.81, 0, 0]"), NULL},
               {TWO_BARS("[-9.81, 0, 0]"), "unstable"},
               {TWO_BARS("[0, 0, 0]"), "unsupported"}};
  for (int k = 0; k < 3; k++) {
    run r;
    double p[3];
    open_run(&r, cases[k].text, NULL);
    finish(&r);
    sn_read(r.simulation, "end", p, 3);
    check_below(distance(p, (double[]){k == 1 ? -0.5 : 0.5, 0, 0}, 3), k == 1 ? 1e-7 : 1e-12, __FILE__, __LINE__,
                "place");
    if (cases[k].note)
      assert_true(was_told(r.simulation, cases[k].note));
    else
      assert_string_equal(r.simulation->start.notes, "");
    close_run(&r);
  }
}

/* A double pendulum starts 100 degrees from where it would hang: Newton would make it stand, relaxation lets it hang.
 */
static void mechanism_finds_its_rest(void **state) {
  (void)state;
  run r;
  double p[3], g = 100 * PI / 180;
  open_run(&r,
           "sinew: 1\ngravity: [9.81*cos(pi*100/180), -9.81*sin(pi*100/180), 0]\n"
           "bodies:\n"
           "  a: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}, density: 1000, position: [0.5, 0, 0]}\n"
           "  b: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}, density: 1000, position: [1.5, 0, 0]}\n"
           "joints:\n"
           "  p: {type: revolute, between: [\"ground.at(0, 0, 0)\", a], axis: [0, 0, 1]}\n"
           "  r: {type: revolute, between: [\"a.at(0.5, 0, 0)\", b], axis: [0, 0, 1]}\n"
           "outputs: {b: {point: b.center}}\n"
           "analysis: statics\n",
           NULL);
  finish(&r);
  sn_read(r.simulation, "b", p, 3);
  check_below(distance(p, (double[]){1.5 * cos(g), -1.5 * sin(g), 0}, 3), 1e-7, __FILE__, __LINE__, "hanging");
  close_run(&r);
}

/* Analytic: Euler's column, clamped at one end, buckles at P = pi^2 EI/(4 L^2). Straight on it stays, but unstable. */
static void buckling_is_told(void **state) {
  (void)state;
#define COLUMN(P)                                                                                                \
  "sinew: 1\nmaterials: {m: {density: 1000, young: 2e9}}\nsections: {s: {type: rectangle, width: 0.01, height: " \
  "0.01}}\n"                                                                                                     \
  "bodies: {c: {type: cable, from: [0, 0, 0], to: [0, 1, 0], elements: 8, material: m, section: s}}\n"           \
  "joints: {clamp: {type: fixed, between: [ground, c.start]}}\n"                                                 \
  "forces: {press: {type: force, at: c.end, force: [0, \"-" P                                                    \
  "*pi^2/4*2e9*0.01^4/12\", 0]}}\n"                                                                              \
  "analysis: {type: statics, steps: 1}\n"
  run r;
  open_run(&r, COLUMN("0.98"), NULL);
  finish(&r);
  assert_string_equal(r.simulation->start.notes, "");
  close_run(&r);
  open_run(&r, COLUMN("1.02"), NULL);
  finish(&r);
  assert_true(was_told(r.simulation, "unstable (2 directions)"));
  close_run(&r);
}

/* Two shallow springs snap through. Limit load from the closed form of this truss, F(y) = 2 k y (L0/sqrt(1 + y^2) - 1):
 * the path ends there, and relaxation finds the equilibrium on the other side. */
#define TRUSS(analysis)                                                                          \
  "sinew: 1\nbodies: {b: {type: point-mass, mass: 1, position: [0, 0.1, 0]}}\n"                  \
  "joints:\n"                                                                                    \
  "  x: {type: motion, between: [\"ground.at(0, 0, 0)\", b], axis: [1, 0, 0], translation: 0}\n" \
  "  z: {type: motion, between: [\"ground.at(0, 0, 0)\", b], axis: [0, 0, 1], translation: 0}\n" \
  "forces:\n"                                                                                    \
  "  left: {type: spring, between: [\"ground.at(-1, 0, 0)\", b], stiffness: 1000}\n"             \
  "  right: {type: spring, between: [\"ground.at(1, 0, 0)\", b], stiffness: 1000}\n"             \
  "  push: {type: force, at: b, force: [0, -1, 0]}\n"                                            \
  "outputs: {b: {point: b}}\n"                                                                   \
  "analysis: " analysis "\n"

static double truss_force(double y) {
  return 2 * 1000 * y * (sqrt(1.01) / sqrt(1 + y * y) - 1);
}

static void snap_through(void **state) {
  (void)state;
  run r;
  double limit = 0, p[3];
  for (double y = 0; y < 0.1; y += 1e-5) limit = fmax(limit, truss_force(y));
  open_run(&r, TRUSS("{type: statics, relax: false}"), NULL);
  assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
  assert_non_null(strstr(sn_message(r.context), "limit point"));
  check_below(fabs(r.simulation->load - limit), 1e-3 * limit, __FILE__, __LINE__, "limit load");
  close_run(&r);
  open_run(&r, TRUSS("statics"), NULL);
  finish(&r);
  assert_true(was_told(r.simulation, "limit point"));
  sn_read(r.simulation, "b", p, 3);
  check_below(fabs(truss_force(p[1]) - 1), 1e-6, __FILE__, __LINE__, "balance on the other side");
  assert_true(p[1] < -0.1);
  close_run(&r);
}

/* Without relaxation nothing is ever found beyond the limit load, in however few steps; below it, the equilibrium that
 * hangs together with the start. */
static void no_silent_snap(void **state) {
  (void)state;
  static const double heights[] = {0.02, 0.05, 0.1, 0.3}, shares[] = {0.5, 0.9, 0.99, 1.01, 1.2, 1.5, 2.08, 3, 5, 10};
  for (size_t i = 0; i < SN_COUNT(heights) * SN_COUNT(shares) * 2; i++) {
    double h = heights[i / 2 % SN_COUNT(heights)], share = shares[i / 2 / SN_COUNT(heights)], p[3];
    double L0 = sqrt(1 + h * h), y = sqrt(pow(L0, 2.0 / 3) - 1), limit = 2e4 * y * (L0 / sqrt(1 + y * y) - 1);
    char text[800];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nbodies: {b: {type: point-mass, mass: 1, position: [0, %g, 0]}}\n"
             "forces:\n"
             "  left: {type: spring, between: [\"ground.at(-1, 0, 0)\", b], stiffness: 1e4}\n"
             "  right: {type: spring, between: [\"ground.at(1, 0, 0)\", b], stiffness: 1e4}\n"
             "  push: {type: force, at: b, force: [0, %.17g, 0]}\n"
             "outputs: {b: {point: b}}\nanalysis: {type: statics, relax: false, steps: %d}\n",
             h, -share * limit, i % 2 ? 10 : 1);
    open_run(&r, text, NULL);
    sn_status status = sn_run(r.simulation);
    sn_read(r.simulation, "b", p, 3);
    if (share > 1 ? status != SN_NUMERICS : status != SN_OK || p[1] < y)
      fail_msg("height %g, %g of the limit load: status %d at y = %g", h, share, (int)status, p[1]);
    close_run(&r);
  }
}

/* A rope that is 10 % longer than the straight line it starts on is compressed: it must not stay there. The sag of the
 * catenary of half length 5.5 m over 5 m in closed form, without bending and stretch. */
static void compressed_rope_sags(void **state) {
  (void)state;
  run r;
  double p[3], low = 1, high = 100;
  for (int k = 0; k < 100; k++) {
    double a = (low + high) / 2;
    *(a * sinh(5 / a) > 5.5 ? &low : &high) = a;
  }
  open_run(&r,
           "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 1e8}}\n"
           "sections: {s: {type: circle, radius: 0.005}}\n"
           "bodies: {rope: {type: cable, from: [0, 0, 0], to: [10, 0, 0], rest_length: 11, elements: 20, material: m, "
           "section: s}}\n"
           "joints: {a: {type: spherical, between: [ground, rope.start]}, b: {type: spherical, between: [ground, "
           "rope.end]}}\n"
           "outputs: {middle: {point: rope.at(0.5)}}\nanalysis: statics\n",
           NULL);
  finish(&r);
  sn_read(r.simulation, "middle", p, 3);
  check_below(fabs(p[1] + low * (cosh(5 / low) - 1)), 0.02, __FILE__, __LINE__, "sag");
  close_run(&r);
}

/* Beams of one curvature in each element: too stiff by 1/(4 n^2) with a force at the end of a cantilever, by 4/n^2 with one
 * between two clamps (energy of the moments that are not constant in an element). Exact under a moment at the end. Beams
 * by default are exact at their nodes. */
static void flat_elements_are_doubtful(void **state) {
  (void)state;
  static const struct {
    const char *body;
    int elements, clamps;
    const char *load;
    double error;
  } list[] = {
      {"beam2d", 2, 1, "{type: force, at: b.end, force: [0, -0.01, 0]}", 1. / 16},
      {"beam2d", 8, 1, "{type: force, at: b.end, force: [0, -0.01, 0]}", 0},
      {"beam2d", 8, 2, "{type: force, at: b.at(0.5), force: [0, -0.01, 0]}", 1. / 16},
      {"beam2d", 16, 2, "{type: force, at: b.at(0.5), force: [0, -0.01, 0]}", 0},
      {"beam2d", 1, 1, "{type: moment, at: b.end, moment: [0, 0, 0.01]}", 0},
      {"beam, elastic: selective", 8, 2, "{type: force, at: b.at(0.5), force: [0, 0, -0.01]}", 1. / 16},
      {"beam, elastic: selective", 2, 1, "{type: force, at: b.end, force: [0, 0, -0.01]}", 1. / 16},
      {"beam", 2, 2, "{type: force, at: b.at(0.5), force: [0, -0.01, 0]}", 0},
      {"planar-beam", 2, 2, "{type: force, at: b.at(0.5), force: [0, -0.01, 0]}", 0},
  };
  for (size_t k = 0; k < SN_COUNT(list); k++) {
    const bool space = strncmp(list[k].body, "beam2d", 6) != 0 && list[k].body[0] == 'b';
    char text[1200];
    double part = 0;
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: %s\nmaterials: {m: {density: 7850, young: 2e11}}\n"
             "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"
             "bodies: {b: {from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s, type: %s}}\n"
             "joints: {a: {type: fixed, between: [ground, b.start]}%s}\nforces: {f: %s}\n"
             "analysis: {type: statics}\n",
             space ? "false" : "true", list[k].elements, list[k].body,
             list[k].clamps == 2 ? ", c: {type: fixed, between: [ground, b.end]}" : "", list[k].load);
    open_run(&r, text, NULL);
    const sn_verdict verdict = verdict_of(&r, SN_OK);
    const char *told = strstr(verdict.reasons, "bends too little by about ");
    if (told) part = strtod(told + strlen("bends too little by about "), NULL);
    assert_int_equal(verdict.level, list[k].error > 0 ? SN_DOUBTFUL : SN_GOOD);
    assert_below(fabs(part - list[k].error), 0.1 * list[k].error + 1e-9, "case %zu: error %g", k, part);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roll_up),
      cmocka_unit_test(elastica),
      cmocka_unit_test(catenary),
      cmocka_unit_test(settles_where_statics_says),
      cmocka_unit_test(moved_in),
      cmocka_unit_test(follower),
      cmocka_unit_test(solvers_agree),
      cmocka_unit_test(repeated_equations),
      cmocka_unit_test(preloaded_springs),
      cmocka_unit_test(mechanism_is_named),
      cmocka_unit_test(pendulum_at_rest),
      cmocka_unit_test(mechanism_finds_its_rest),
      cmocka_unit_test(buckling_is_told),
      cmocka_unit_test(snap_through),
      cmocka_unit_test(no_silent_snap),
      cmocka_unit_test(loose_parts_come_to_rest),
      cmocka_unit_test(light_beams),
      cmocka_unit_test(thin_ropes_hang),
      cmocka_unit_test(compressed_rope_sags),
      cmocka_unit_test(flat_elements_are_doubtful),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
