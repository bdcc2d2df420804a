/* test_curved_cable.c - cables and beams that are not straight: how bending is measured where they straighten, and
 * shapes without stress that are not those of the start. */
#include <string.h>

#include "analysis/trust.h"
#include "body/line.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "support.h"

/* ---- a curved pendulum that straightens as it falls ---- */

static const double points[3][3] = {{0, 0, 0}, {0.35, -0.3, 0}, {0.8, -0.3, 0}};

/* The model turned by the quaternion p; extra: more of the cable; more: lines behind. */
static void pendulum_text(char *text, size_t size, const double p[4], const char *head, const char *extra,
                          const char *more) {
  double x[5][3], down[3] = {0, -9.81, 0};
  sn_quat_rotate(p, down, x[0]);
  for (int k = 0; k < 3; k++) sn_quat_rotate(p, points[k], x[1 + k]);
  snprintf(text, size,
           "sinew: 1\n%sgravity: [%.17g, %.17g, %.17g]\n"
           "materials: {rubber: {density: 7200, young: 2e6, poisson: 0.3}}\n"
           "sections: {round: {type: circle, radius: 0.01}}\n"
           "bodies:\n"
           "  c: {type: cable, from: [%.17g, %.17g, %.17g], via: [%.17g, %.17g, %.17g], to: [%.17g, %.17g, %.17g],\n"
           "      elements: 8, material: rubber, section: round%s}\n"
           "joints: {pin: {type: spherical, between: [ground, c.start]}}\n"
           "outputs: {tip: {point: c.end}}\n"
           "analysis: {type: dynamics, duration: 0.6, output_step: 0.02, integrator: {type: radau5}}\n%s",
           head, x[0][0], x[0][1], x[0][2], x[1][0], x[1][1], x[1][2], x[2][0], x[2][1], x[2][2], x[3][0], x[3][1],
           x[3][2], extra, more);
}

static const double upright[4] = {1, 0, 0, 0};

/* The tip at the end; what the run says of itself. */
static sn_trust tip_of(const char *text, double step, double tip[3]) {
  run r;
  sn_row row;
  open_run(&r, text, &(sn_options){.step = step});
  sn_row_create(r.simulation, &row);
  while (!sn_all_finished(r.simulation)) {
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_sample(r.simulation, sn_time(r.simulation), &row);
  }
  sn_read(r.simulation, "tip", tip, 3);
  sn_trust trust = r.simulation->doubts.level;
  close_run(&r);
  return trust;
}

/* radau5 has the order 5 in the default measure, and above 4 in the scalar one: forces are smooth where the cable
 * straightens. A root with a corner there gave the order 1. */
static void order_where_it_straightens(void **state) {
  (void)state;
  static const char *const bending[] = {"", ", bending: scalar"};
  for (int b = 0; b < 2; b++) {
    char text[2000];
    double tip[3][3], best[3];
    pendulum_text(text, sizeof text, upright, "", bending[b], "");
    tip_of(text, 1.25e-4, best);
    for (int k = 0; k < 3; k++) tip_of(text, 2e-3 / (1 << k), tip[k]);
    double first = distance(tip[0], best, 3), last = distance(tip[2], best, 3);
    assert_below(first, b ? 1e-3 : 1e-6, "error at h = 2e-3 [m]");
    assert_below(4.5, log2(first / last) / 2, "order of radau5, bending %d", b);
  }
}

/* The default is the signed measure where nothing can leave the plane: in a planar model, and in space however the
 * model is turned. */
static void default_is_signed_in_its_plane(void **state) {
  (void)state;
  static const double turns[][4] = {{1, 0, 0, 0}, {0.8, 0.6, 0, 0}, {0.5, 0.1, -0.7, 0.5}};
  char text[2000];
  double tip[3], signed_tip[3], turned[3];
  pendulum_text(text, sizeof text, upright, "", ", bending: planar", "");
  tip_of(text, 2e-3, signed_tip);
  pendulum_text(text, sizeof text, upright, "planar: true\n", "", "");
  tip_of(text, 2e-3, tip);
  assert_below(distance(tip, signed_tip, 2), 1e-9, "planar model against bending: planar [m]");
  for (size_t k = 0; k < SN_COUNT(turns); k++) {
    double p[4], length = sqrt(inner(turns[k], turns[k], 4));
    for (int i = 0; i < 4; i++) p[i] = turns[k][i] / length;
    pendulum_text(text, sizeof text, p, "", "", "");
    sn_trust trust = tip_of(text, 2e-3, tip);
    sn_quat_rotate(p, signed_tip, turned);
    assert_below(distance(tip, turned, 3), 1e-8, "turned in space, against bending: planar [m]");
    assert_int_equal(trust, SN_GOOD);
  }
}

/* Surfaces that are touched in the plane do not lead out of it: a wheel whose axis is across, a box, a ball. A wheel whose
 * axis is inclined does, and so does one that ends near the plane. */
static void contacts_in_its_plane(void **state) {
  (void)state;
  static const struct {
    const char *surface;
    bool plane;
  } cases[] = {{"{type: cylinder, from: [5, 0, -0.1], to: [5, 0, 0.2], radius: 0.1}", true},
               {"{type: capsule, from: [5, 0, 0], to: [5, 1, 0], radius: 0.1}", true},
               {"{type: box, at: [5, 0, 0], size: [1, 1, 1]}", true},
               {"{type: sphere, at: [5, 0, 0], radius: 0.1}", true},
               {"{type: plane, at: [5, 0, 0], normal: [-1, 0, 0]}", true},
               {"{type: cylinder, from: [5, 0, -0.1], to: [5, 0.01, 0.1], radius: 0.1}", false},
               {"{type: cylinder, from: [5, 0, 0], to: [5, 0, 0.2], radius: 0.1}", false},
               {"{type: box, at: [5, 0, 0.1], size: [1, 1, 1]}", false},
               {"{type: sphere, at: [5, 0, 0.01], radius: 0.1}", false},
               {"{type: plane, at: [5, 0, 0], normal: [-1, 0, 0.1]}", false}};
  double tip[3], as_planar[3], as_scalar[3];
  char text[2000], extra[400];
  pendulum_text(text, sizeof text, upright, "", ", bending: planar", "");
  tip_of(text, 2e-3, as_planar);
  pendulum_text(text, sizeof text, upright, "", ", bending: scalar", "");
  tip_of(text, 2e-3, as_scalar);
  assert_below(1e-4, distance(as_planar, as_scalar, 3), "difference of the two [m]");
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    snprintf(extra, sizeof extra, "surfaces: {s: %s, r: {type: spheres, on: c, radius: 0.01}}\ncontacts: {all: {}}\n",
             cases[k].surface);
    pendulum_text(text, sizeof text, upright, "", "", extra);
    tip_of(text, 2e-3, tip);
    assert_below(distance(tip, cases[k].plane ? as_planar : as_scalar, 3), 1e-9, "beside %s [m]", cases[k].surface);
  }
}

/* A spring to a point of the ground in the plane keeps the cable in it, one to a point beside it does not. */
static void springs_beside_its_plane(void **state) {
  (void)state;
  char text[2000], spring[200];
  double tip[3], other[3];
  for (int beside = 0; beside < 2; beside++) {
    snprintf(spring, sizeof spring,
             "forces: {k: {type: spring, between: ['ground.at(0.5, 0.5, %g)', c.end], stiffness: 5}}\n", 0.2 * beside);
    pendulum_text(text, sizeof text, upright, "", beside ? ", bending: scalar" : ", bending: planar", spring);
    tip_of(text, 2e-3, other);
    pendulum_text(text, sizeof text, upright, "", "", spring);
    tip_of(text, 2e-3, tip);
    assert_below(distance(tip, other, 3), 1e-12, beside ? "pulled out of its plane [m]" : "pulled in its plane [m]");
  }
}

/* What may leave the plane has no sign; where that matters, or where a sign was asked for, the run says so. */
static void doubts(void **state) {
  (void)state;
  static const char push[] = "forces: {push: {type: force, at: c.end, force: [0, 0, 'step(t, 0.1, 0, 0.2, 0.5)']}}\n";
  char text[2000];
  double tip[3], scalar[3];
  pendulum_text(text, sizeof text, upright, "", ", bending: scalar", push);
  assert_int_equal(tip_of(text, 2e-3, scalar), SN_DOUBTFUL); /* straightens */
  pendulum_text(text, sizeof text, upright, "", "", push);
  assert_int_equal(tip_of(text, 2e-3, tip), SN_DOUBTFUL);
  assert_below(distance(tip, scalar, 3), 1e-12, "the default in space is scalar [m]");
  pendulum_text(text, sizeof text, upright, "", ", bending: planar", push);
  assert_int_equal(tip_of(text, 2e-3, tip), SN_BAD); /* leaves its plane */
  pendulum_text(text, sizeof text, upright, "", ", rest: straight", push);
  assert_int_equal(tip_of(text, 2e-3, tip), SN_GOOD);
}

/* ---- shapes without stress ---- */

/* The quarter of a circle of radius R, of something straight: U = EI L/(2 R^2), to the error of the interpolated arc,
 * which falls with the fourth power of the element. A straight line whose shape without stress is the arc has the same
 * energy, and one stretched from 0.99 of its length EA L eps^2/2. Then nothing moves when the arc is the one at rest.
 */
static double energy_at_start(const char *head, const char *body) {
  char text[1200];
  run r;
  double energy[SN_ENERGIES];
  snprintf(text, sizeof text,
           "sinew: 1\n%smaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"
           "bodies: {b: {%s, elements: 32, material: m, section: s}}\n"
           "analysis: {type: dynamics, duration: 1e-3, integrator: {type: radau5}}\n",
           head, body);
  open_run(&r, text, &(sn_options){0});
  assert_int_equal(sn_read(r.simulation, "energy", energy, SN_ENERGIES), SN_ENERGIES);
  close_run(&r);
  return energy[SN_E_STRAIN];
}

static void energy_of_a_bent_line(void **state) {
  (void)state;
#define ARC "from: [1, 0, 0], via: [sqrt(0.5), sqrt(0.5), 0], to: [0, 1, 0]"
#define CHORD "from: [0, 0, 0], to: [pi/2, 0, 0]"
#define POINTS "through: [[0, 0, 0], [0.5, 0.2, 0], [1, 0.1, 0], [1.4, -0.3, 0]]"
  static const struct {
    const char *head, *body;
    double tolerance;
  } kinds[] = {{"", "type: cable", 1e-4},
               {"planar: true\n", "type: cable", 1e-4},
               {"", "type: beam, elastic: elastic-line, up: [0, 0, 1]", 1e-4},
               {"", "type: beam, elastic: selective, up: [0, 0, 1]", 0.2}};
  static const double from[4][3] = {{0, 0, 0}, {0.5, 0.2, 0}, {1, 0.1, 0}, {1.4, -0.3, 0}};
  double E = 1e7, L = PI / 2, r[2][3], t[2][3];
  sn_arena arena = {0};
  double spline_length = sn_line_spline(&arena, 4, from, 1, r, t);
  sn_arena_free(&arena);
  for (size_t k = 0; k < SN_COUNT(kinds); k++) {
    bool on_edge = k >= 2; /* height along z: bends about y */
    double I = on_edge ? 0.01 * pow(0.02, 3) / 12 : 0.02 * pow(0.01, 3) / 12, U = E * I * L / 2, A = 2e-4;
    char body[900];
    snprintf(body, sizeof body, "%s, " ARC ", rest: straight", kinds[k].body);
    assert_below(fabs(energy_at_start(kinds[k].head, body) / U - 1), kinds[k].tolerance, "arc, straight at rest, %zu",
                 k);
    snprintf(body, sizeof body, "%s, " ARC, kinds[k].body);
    assert_below(energy_at_start(kinds[k].head, body) / U, 1e-12, "arc at rest, %zu", k);
    double length = PI / 2 * 0.99, eps = (pow(1 / 0.99, 2) - 1) / 2;
    snprintf(body, sizeof body, "%s, " CHORD ", rest_length: %.17g", kinds[k].body, length);
    assert_below(fabs(energy_at_start(kinds[k].head, body) / (E * A * length * eps * eps / 2) - 1), k == 3 ? 0.4 : 1e-9,
                 "stretched, %zu", k); /* selective: the section cannot narrow at the start */
    if (k == 0 || k == 3) continue;    /* scalar: see doubts */
    snprintf(body, sizeof body, "%s, " POINTS ", rest: straight", kinds[k].body);
    double bent = energy_at_start(kinds[k].head, body);
    snprintf(body, sizeof body, "%s, from: [0, 0, 0], to: [%.17g, 0, 0], rest_" POINTS "%s", kinds[k].body,
             spline_length, on_edge ? ", rest_up: [0, 0, 1]" : "");
    assert_below(fabs(energy_at_start(kinds[k].head, body) / bent - 1), 1e-3, "straight, curved at rest, %zu", k);
  }
}

/* A line laid along a curve in space, straight at rest and round: nothing twists it, so that cable and beam move alike.
 */
static void laid_in_space(void **state) {
  (void)state;
  static const char *const kind[] = {"cable", "beam, elastic: elastic-line"};
  double tip[2][3];
  for (int k = 0; k < 2; k++) {
    char text[1500];
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, -9.81]\n"
             "materials: {rubber: {density: 1200, young: 4e7, poisson: 0.3}}\n"
             "sections: {round: {type: circle, radius: 0.005}}\n"
             "bodies: {b: {type: %s, through: [[0, 0, 0], [0.3, 0.1, 0.1], [0.5, 0.3, 0.1], [0.6, 0.5, 0.3]], rest: "
             "straight, elements: 16, material: rubber, section: round}}\n"
             "joints: {pin: {type: spherical, between: [ground, b.start]}}\n"
             "outputs: {tip: {point: b.end}}\n"
             "analysis: {type: dynamics, duration: 0.2, integrator: {type: hht-i3, step: 5e-4}}\n",
             kind[k]);
    tip_of(text, 5e-4, tip[k]);
  }
  assert_below(distance(tip[0], tip[1], 3), 2e-3, "cable against beam, straight at rest [m]");
}

/* ---- torsion ---- */

/* A quarter of a circle, clamped to a body at one end, and loaded; does the verdict on its equilibrium miss the
 * torsion? */
static bool arc_under(const char *gravity, const char *body, const char *more) {
  char text[1500];
  run r;
  sn_row row;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: %s\nmaterials: {m: {density: 1200, young: 2e9}}\n"
           "sections: {s: {type: circle, radius: 0.004}}\n"
           "bodies: {c: {%s, elements: 12, material: m, section: s}}\n"
           "%soutputs: {tip: {point: c.end}}\nanalysis: {type: statics}\n",
           gravity, body, more);
  open_run(&r, text, &(sn_options){0});
  sn_row_create(r.simulation, &row);
  while (!sn_all_finished(r.simulation)) {
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_sample(r.simulation, sn_time(r.simulation), &row);
  }
  const sn_verdict verdict = sn_judge(r.simulation, SN_OK);
  const bool doubted = strstr(verdict.reasons, "turn freely") != NULL;
  if (doubted) assert_int_equal(verdict.level, SN_DOUBTFUL);
  close_run(&r);
  return doubted;
}

/* Across its plane an arc is held by its torsion alone, which a cable does not have, however small the load and whether
 * the arc turns in its clamp as a whole or twists; a beam has it. In its plane there is no torsion where it stays in it, nor where a rope that
 * was straight hangs in space, nor where the whole arc swings between two balls. */
static void torsion_that_is_missing(void **state) {
  (void)state;
#define QUARTER "from: [0, 0, 0], via: [0.212132, 0.087868, 0], to: [0.3, 0.3, 0], bending: scalar"
#define NEARLY "from: [0, 0, 0], via: [0.15, 2e-6, 0], to: [0.3, 0, 0]"
#define CLAMP "joints: {j: {type: fixed, between: [ground, c.start]}}\n"
#define BALLS \
  "joints: {j: {type: spherical, between: [ground, c.start]}, k: {type: spherical, between: [ground, c.end]}}\n"
#define CLAMPS "joints: {j: {type: fixed, between: [ground, c.start]}, k: {type: fixed, between: [ground, c.end]}}\n"
  static const struct {
    const char *gravity, *body, *more;
    bool doubtful;
  } cases[] = {
      {"[0, 0, -9.81]", "type: cable, " QUARTER, CLAMP, true},
      {"[0, 0, -1e-2]", "type: cable, " QUARTER, CLAMPS, true},
      {"[0, 9.81, 0]", "type: cable, " QUARTER, CLAMP, false},
      {"[0, -9.81, 0]", "type: cable, " QUARTER, CLAMP, true},  /* it stands on its clamp, and falls over */
      {"[0, -9.81, 0]", "type: cable, " QUARTER, CLAMPS, true}, /* compressed, it gives way across its plane */
      {"[0, 0, -9.81]", "type: cable, " QUARTER, BALLS, false},
      {"[0, 0, -9.81]", "type: cable, " NEARLY, CLAMP, false},
      {"[0, 0, -9.81]", "type: cable, from: [0, 0, 0], to: [0.3, 0, 0]", CLAMP, false},
      {"[0, 0, -9.81]", "type: beam, from: [0, 0, 0], via: [0.212132, 0.087868, 0], to: [0.3, 0.3, 0]", CLAMP, false},
  };
  for (size_t k = 0; k < SN_COUNT(cases); k++)
    if (arc_under(cases[k].gravity, cases[k].body, cases[k].more) != cases[k].doubtful) fail_msg("case %zu", k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_where_it_straightens),
      cmocka_unit_test(contacts_in_its_plane),
      cmocka_unit_test(springs_beside_its_plane),
      cmocka_unit_test(default_is_signed_in_its_plane),
      cmocka_unit_test(doubts),
      cmocka_unit_test(energy_of_a_bent_line),
      cmocka_unit_test(laid_in_space),
      cmocka_unit_test(torsion_that_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
