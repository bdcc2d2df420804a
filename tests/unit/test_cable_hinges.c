/* test_cable_hinges.c - joints between two cables: their frame comes from a carrier of the axis (line_frame.c). */
#include "math/quat.h"
#include "math/vec3.h"
#include "support.h"

/* The last row of an output after `time`. */
static void final_of(const char *text, double time, const char *name, double *x, size_t count) {
  run r;
  open_run(&r, text, NULL);
  advance(&r, time);
  read_output(&r, name, x, count);
  close_run(&r);
}

#define STUFF                                     \
  "materials: {m: {density: 1000, young: 2e9}}\n" \
  "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
#define RADAU(duration)                            \
  "analysis: {type: dynamics, duration: " duration \
  ", integrator: {type: radau, tolerance: "        \
  "1e-6}}\n"

/* ---- a driven elbow: upper arm clamped, forearm turned ---- */

#define ARM(kind, more)                                                                                      \
  "bodies: {a: {type: " kind ", from: [0, 0, 0], to: [0.5, 0, 0], elements: 4, material: m, section: s" more \
  "}, b: {type: " kind ", from: [0.5, 0, 0], to: [0.9, 0, 0], elements: 4, material: m, section: s" more "}}\n"
#define ELBOW(more)                                                                    \
  "joints: {clamp: {type: fixed, between: [ground, a.start]}, "                        \
  "elbow: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]" more            \
  "}, "                                                                                \
  "drive: {type: motion, joint: elbow, rotation: \"15*t^3\"}}\n"                       \
  "outputs: {angle: {joint: elbow}, tip: {point: b.end}, moment: {reaction: drive}}\n" \
  "analysis: {type: dynamics, duration: 0.8, integrator: {type: radau, step: 8e-3}}\n"

/* The angle is the prescribed one, for more than a turn, through the folded and the straight position; in the plane, in
 * space, with planar beams and with beams that have sections. Same elements in plane and space: same motion. */
static void driven_elbow(void **state) {
  (void)state;
  static const char *const text[] = {
      "sinew: 1\ngravity: [0, -9.81, 0]\n" STUFF ARM("cable", "") ELBOW(", carrier: ground"),
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\n" STUFF ARM("cable", "") ELBOW(""),
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\n" STUFF ARM("planar-beam", "") ELBOW(""),
      "sinew: 1\ngravity: [0, -9.81, 0]\n" STUFF ARM("beam", ", elastic: elastic-line") ELBOW("")};
  static const double slack[] = {0, 1e-5, 2e-3, 5e-3};
  double first[4][2] = {{0}};
  for (size_t k = 0; k < SN_COUNT(text); k++) {
    run r;
    open_run(&r, text[k], NULL);
    for (int i = 1; i <= 4; i++) {
      double t = 0.2 * i, angle[2], tip[3];
      advance(&r, t);
      read_output(&r, "angle", angle, 2);
      read_output(&r, "tip", tip, 2);
      assert_below(fabs(angle[0] - 15 * t * t * t), 1e-8, "angle of the elbow, model %zu", k);
      if (k == 0) memcpy(first[i - 1], tip, sizeof first[0]);
      assert_below(hypot(tip[0] - first[i - 1][0], tip[1] - first[i - 1][1]), slack[k], "tip, model %zu, t = %g", k, t);
    }
    close_run(&r);
  }
}

/* ---- two links under a load across their plane ---- */

#define LINKS(kind, n, more)                                                                                      \
  "bodies: {a: {type: " kind ", from: [0, 0, 0], to: [0, -0.5, 0], elements: " n ", material: m, section: s" more \
  "}, b: {type: " kind ", from: [0, -0.5, 0], to: [0, -0.9, 0], elements: " n ", material: m, section: s" more "}}\n"
#define HANG(kind, more)                                                          \
  "joints: {top: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}, " \
  "elbow: {type: " kind ", between: [a.end, b.start]" more                        \
  "}}\n"                                                                          \
  "outputs: {tip: {point: b.end}, elbow: {point: a.end}}\n" RADAU("0.3")
#define ACROSS "sinew: 1\ngravity: [1, -9.81, 2]\n" STUFF

/* As two beams with the same hinge: the axis tilts with the upper link, which bends across. With a spherical joint, or
 * with an axis that stays as it is in space, the tip moves otherwise. */
static void against_beams(void **state) {
  (void)state;
  double beam[3], cable[3], ball[3];
  final_of(ACROSS LINKS("beam", "4", ", elastic: elastic-line") HANG("revolute", ", axis: [0, 0, 1]"), 0.3, "tip", beam,
           3);
  final_of(ACROSS LINKS("cable", "4", "") HANG("revolute", ", axis: [0, 0, 1]"), 0.3, "tip", cable, 3);
  final_of(ACROSS LINKS("cable", "4", "") HANG("spherical", ""), 0.3, "tip", ball, 3);
  assert_below(distance(beam, cable, 3), 0.02 * fabs(beam[2]), "tip of cables, %g across", beam[2]);
  assert_true(distance(beam, ball, 3) > 0.5 * fabs(beam[2]));
}

#define SOFT                                                                        \
  "sinew: 1\ngravity: [1, -9.81, 2]\nmaterials: {m: {density: 1000, young: 1e7}}\n" \
  "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"

/* Half the length of the elements: an error of at most a fourth. */
static void refinement(void **state) {
  (void)state;
  double tip[3][3], e[2];
  final_of(SOFT LINKS("cable", "2", "") HANG("revolute", ", axis: [0, 0, 1]"), 0.3, "tip", tip[0], 3);
  final_of(SOFT LINKS("cable", "4", "") HANG("revolute", ", axis: [0, 0, 1]"), 0.3, "tip", tip[1], 3);
  final_of(SOFT LINKS("cable", "8", "") HANG("revolute", ", axis: [0, 0, 1]"), 0.3, "tip", tip[2], 3);
  for (int k = 0; k < 2; k++) e[k] = distance(tip[k], tip[k + 1], 3);
  assert_below(e[1], e[0] / 4, "refinement, %g %g, across %g", e[0], e[1], tip[2][2]);
}

/* ---- the whole model turned ---- */

typedef struct turned {
  double p[4];
  char text[8][80];
  int used;
} turned;

static const char *vector_of(turned *t, double x, double y, double z) {
  double v[3];
  sn_quat_rotate(t->p, (double[3]){x, y, z}, v);
  char *text = t->text[t->used++];
  snprintf(text, sizeof t->text[0], "[%.17g, %.17g, %.17g]", v[0], v[1], v[2]);
  return text;
}

/* A free hub carries the axis between its two cables; gravity across. */
static void turn_and_run(const double p[4], const char *kind, double tip[3]) {
  static const char form[] =
      "sinew: 1\ngravity: %s\n" STUFF
      "bodies:\n"
      "  hub: {type: rigid, position: %s, rotation: [%.17g, %.17g, %.17g, %.17g], mass: 0.5, inertia: [2e-3, 1e-3, "
      "3e-3]}\n"
      "  a: {type: cable, from: %s, to: %s, elements: 3, material: m, section: s}\n"
      "  b: {type: cable, from: %s, to: %s, elements: 3, material: m, section: s}\n"
      "joints:\n"
      "  root: {type: fixed, between: [hub, a.start]}\n"
      "  hinge: {type: %s, between: [a.end, b.start], axis: %s, carrier: hub}\n"
      "outputs: {tip: {point: b.end}}\n" RADAU("0.2");
  turned t = {.used = 0};
  char text[2000];
  for (int k = 0; k < 4; k++) t.p[k] = p[k];
  snprintf(text, sizeof text, form, vector_of(&t, 1, -9.81, 4), vector_of(&t, -0.1, 0, 0.05), p[0], p[1], p[2], p[3],
           vector_of(&t, 0, 0, 0), vector_of(&t, 0.5, 0, 0), vector_of(&t, 0.5, 0, 0), vector_of(&t, 0.7, 0.3, 0), kind,
           vector_of(&t, 0, 0, 1));
  final_of(text, 0.2, "tip", tip, 3);
}

static void objectivity(void **state) {
  (void)state;
  static const char *const kinds[] = {"revolute", "cylindrical", "prismatic"};
  double p[4] = {0.5, -0.7, 0.3, 0.4}, one[4] = {1, 0, 0, 0}, norm = 0;
  for (int k = 0; k < 4; k++) norm += p[k] * p[k];
  for (int k = 0; k < 4; k++) p[k] /= sqrt(norm);
  for (size_t k = 0; k < SN_COUNT(kinds); k++) {
    double tip[3], other[3], expected[3];
    turn_and_run(one, kinds[k], tip);
    turn_and_run(p, kinds[k], other);
    sn_quat_rotate(p, tip, expected);
    assert_below(distance(expected, other, 3), 2e-6, "%s of the turned model", kinds[k]);
  }
}

/* ---- a four-bar linkage of cables ---- */

/* Links that hardly bend: the pin moves as that of the rigid linkage, whose loop is solved here. In the plane and in
 * space; the crank turns twice. */
static void four_bar(void **state) {
  (void)state;
  static const char links[] =
      "gravity: [0, 0, 0]\nmaterials: {m: {density: 100, young: 2e11}}\n"
      "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
      "parameters: {a: 0.1, b: 0.35, c: 0.3, d: 0.4, e: d - a, x: (b^2 - c^2 + e^2)/(2*e), y: sqrt(b^2 - x^2)}\n"
      "bodies:\n"
      "  crank: {type: cable, from: [0, 0, 0], to: [a, 0, 0], elements: 2, material: m, section: s}\n"
      "  coupler: {type: cable, from: [a, 0, 0], to: [a + x, y, 0], elements: 3, material: m, section: s}\n"
      "  rocker: {type: cable, from: [d, 0, 0], to: [a + x, y, 0], elements: 3, material: m, section: s}\n"
      "joints:\n"
      "  A: {type: revolute, between: [ground, crank.start], axis: [0, 0, 1]}\n"
      "  B: {type: revolute, between: [crank.end, coupler.start], axis: [0, 0, 1]}\n"
      "  C: {type: revolute, between: [coupler.end, rocker.end], axis: [0, 0, 1]}\n"
      "  D: {type: revolute, between: [ground, rocker.start], axis: [0, 0, 1]}\n"
      "  drive: {type: motion, joint: A, rotation: \"2*pi*t^2/(1 + t)*2\"}\n"
      "outputs: {pin: {point: coupler.end}, B: {joint: B}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, tolerance: 1e-6}}\n";
  for (int planar = 0; planar < 2; planar++) {
    char text[2000];
    run r;
    snprintf(text, sizeof text, "sinew: 1\nplanar: %s\n%s", planar ? "true" : "false", links);
    open_run(&r, text, NULL);
    for (int i = 1; i <= 8; i++) {
      double t = i / 8.0, phi = 4 * PI * t * t / (1 + t), pin[3], a = 0.1, b = 0.35, c = 0.3, d = 0.4;
      advance(&r, t);
      read_output(&r, "pin", pin, 2);
      double x = a * cos(phi), y = a * sin(phi), D = hypot(d - x, y), along = (b * b - c * c + D * D) / (2 * D);
      double up = sqrt(b * b - along * along), ex = (d - x) / D, ey = -y / D;
      assert_below(hypot(pin[0] - (x + along * ex - up * ey), pin[1] - (y + along * ey + up * ex)), 2e-5,
                   "pin of the linkage, planar %d, t = %g", planar, t);
    }
    close_run(&r);
  }
}

/* ---- a hinge body with mass ---- */

/* A pin of little mass fixed to one cable and hinged to the other moves in a plane as the hinge without it. */
static void hinge_body(void **state) {
  (void)state;
  double with[3], without[3];
#define SWING "sinew: 1\ngravity: [3, -9.81, 0]\n" STUFF
#define PIN(m)                                                                                           \
  "bodies: {a: {type: cable, from: [0, 0, 0], to: [0, -0.5, 0], elements: 4, material: m, section: s}, " \
  "b: {type: cable, from: [0, -0.5, 0], to: [0.2, -0.8, 0], elements: 4, material: m, section: s}, "     \
  "pin: {type: rigid, position: [0, -0.5, 0], mass: " m ", inertia: [1e-8, 1e-8, 1e-8]}}\n"
  final_of(SWING PIN("1e-5") "joints: {top: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}, weld: {type: "
                             "fixed, between: [a.end, pin]}, elbow: {type: revolute, between: [pin, b.start], axis: "
                             "[0, 0, 1]}}\noutputs: {tip: {point: b.end}}\n" RADAU("0.3"),
           0.3, "tip", with, 3);
  final_of(SWING PIN("1e-5") "joints: {top: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}, weld: {type: "
                             "fixed, between: [a.end, pin]}, elbow: {type: revolute, between: [a.end, b.start], axis: "
                             "[0, 0, 1], carrier: ground}}\noutputs: {tip: {point: b.end}}\n" RADAU("0.3"),
           0.3, "tip", without, 3);
  assert_below(distance(with, without, 3), 1e-5, "tip with a hinge body");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(driven_elbow), cmocka_unit_test(against_beams), cmocka_unit_test(refinement),
      cmocka_unit_test(objectivity),  cmocka_unit_test(four_bar),      cmocka_unit_test(hinge_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
