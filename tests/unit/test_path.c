/* test_path.c - equilibrium paths around limit points against the closed form of the von Mises truss. */
#include "support.h"

/* Two springs of stiffness k = 1e5 N/m from the supports at (-1, 0) and (1, 0) to a point of 1 kg at the height h; load
 * 1000 N downward. With the height z of the point, l = sqrt(1 + z^2), l0 = sqrt(1 + h^2):
 *
 *     P = 2 k z (l0/l - 1),        limit points at z^2 = l0^(2/3) - 1,  P = +-2 k (l0^(2/3) - 1)^(3/2)
 *     K_zz = 2 k (1 - l0/l^3),     K_xx = 2 k (1 - l0 z^2/l^3)
 */
#define TRUSS(h, analysis)                                                                     \
  "sinew: 1\nbodies: {top: {type: point-mass, mass: 1, position: [0, " h                       \
  ", 0]}}\n"                                                                                   \
  "joints: {plane: {type: motion, between: [ground, top], axis: [0, 0, 1], translation: 0}}\n" \
  "forces:\n"                                                                                  \
  "  left: {type: spring, between: [\"ground.at(-1, 0, 0)\", top], stiffness: 1e5}\n"          \
  "  right: {type: spring, between: [\"ground.at(1, 0, 0)\", top], stiffness: 1e5}\n"          \
  "  load: {type: force, at: top, force: [0, -1000, 0]}\n"                                     \
  "outputs: {top: {point: top}}\nanalysis: " analysis "\n"
static const double k = 1e5, P0 = 1000;

static double load_at(double h, double z) {
  return 2 * k * z * (sqrt((1 + h * h) / (1 + z * z)) - 1) / P0;
}

/* The number behind the words in the notes, after the given place; NULL: there is none. */
static const char *noted(const char *from, const char *words, double *number) {
  const char *at = from ? strstr(from, words) : NULL;
  if (!at) return NULL;
  *number = strtod(at + strlen(words), NULL);
  return at + strlen(words);
}

/* Every point lies on the curve, with the eigenvalues that theory has there; both limit points are points of it. */
static void snap_through(void **state) {
  (void)state;
  const double h = 0.3, l0 = sqrt(1 + h * h), top = 2 * k * pow(cbrt(l0 * l0) - 1, 1.5) / P0;
  run r;
  open_run(&r, TRUSS("0.3", "{type: path, largest_load: 3}"), NULL);
  double least = 0, most = 0, last = h;
  int unstable = 0;
  for (int i = 0; i < 200 && !r.simulation->finished; i++) {
    double at[3];
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    sn_read(r.simulation, "top", at, 3);
    const double z = at[1], s = r.simulation->load, l = sqrt(1 + z * z);
    assert_below(fabs(s - load_at(h, z)), 1e-7, "load at z = %g", z);
    assert_true(z < last); /* no way back */
    const double across = 2 * k * (1 - l0 * z * z / l / l / l), along = 2 * k * (1 - l0 / l / l / l);
    assert_below(fabs(r.simulation->stability[0] - fmin(across, along)), 1e-2, "lowest eigenvalue at z = %g", z);
    if (fabs(fabs(s) - top) > 1e-9) assert_true(r.simulation->stability[1] == (along < 0 ? 1 : 0));
    unstable += along < 0;
    last = z;
    least = fmin(least, s);
    if (last > -0.2) most = fmax(most, s);
  }
  assert_true(r.simulation->finished && unstable > 4);
  assert_below(fabs(r.simulation->load - 3), 1e-12, "end of the path");
  assert_below(fabs(most - top), 1e-9, "upper limit point");
  assert_below(fabs(least + top), 1e-9, "lower limit point");
  double number = NAN;
  const char *notes = noted(r.simulation->start.notes, "limit point at a load factor of ", &number);
  assert_non_null(notes);
  assert_below(fabs(number - top), 1e-7, "named");
  notes = noted(notes, "limit point at a load factor of ", &number);
  assert_non_null(notes);
  assert_below(fabs(number + top), 1e-7, "named");
  assert_null(strstr(r.simulation->start.notes, "bifurcation"));
  close_run(&r);
}

/* A steep truss goes sideways before it reaches its limit: l0 z^2 = l^3, between z = sqrt(2) and h. */
static void bifurcation(void **state) {
  (void)state;
  const double h = 3, l0 = sqrt(1 + h * h);
  double lo = sqrt(2), hi = h, number = NAN;
  for (int i = 0; i < 60; i++) {
    double z = (lo + hi) / 2;
    if (l0 * z * z > pow(1 + z * z, 1.5))
      lo = z;
    else
      hi = z;
  }
  run r;
  open_run(&r, TRUSS("3", "{type: path, largest_load: 200}"), NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  const char *notes = noted(r.simulation->start.notes, "bifurcation point at a load factor of ", &number);
  assert_non_null(notes);
  assert_below(fabs(number / load_at(h, lo) - 1), 1e-6, "load factor of the bifurcation");
  close_run(&r);
}

/* A limit point of the load and a bifurcation of smaller load within one step: the bifurcation keeps its own load. */
static void both_in_a_step(void **state) {
  (void)state;
  double number[2] = {NAN, NAN};
  for (int i = 0; i < 2; i++) {
    run r;
    char text[1024];
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nmaterials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
             "sections: {s: {type: rectangle, width: 0.01, height: 0.01}}\nbodies:\n"
             "  bar: {type: cable, from: [-0.5, 0, 0], to: [0.5, 0, 0], via: [0, 0.02, 0], elements: 16, "
             "material: steel, section: s}\n"
             "joints:\n  a: {type: spherical, between: [ground, bar.start]}\n"
             "  b: {type: spherical, between: [ground, bar.end]}\n"
             "forces: {P: {type: force, at: bar.at(0.5), force: [0, -1000, 0]}}\n"
             "analysis: {type: path, largest_load: 2, points: %d, steps: %d}\n",
             i ? 200 : 20, i ? 400 : 20);
    open_run(&r, text, NULL);
    assert_int_equal(sn_run(r.simulation), SN_OK);
    noted(r.simulation->start.notes, "bifurcation point at a load factor of ", &number[i]);
    close_run(&r);
  }
  assert_below(fabs(number[0] / number[1] - 1), 1e-6, "%g in long steps, %g in short ones", number[0], number[1]);
}

/* In a later stage the loads are there at the start; what lies behind is the same curve. */
static void later_stage(void **state) {
  (void)state;
  run r;
  double at[3];
  open_run(&r, TRUSS("0.4", "[statics, {type: path, largest_load: 8}]"), NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  sn_read(r.simulation, "top", at, 3);
  assert_true(at[1] < -0.4);
  assert_below(fabs(load_at(0.4, at[1]) - 8), 1e-6, "load at the end");
  close_run(&r);
}

static void says_why(void **state) {
  (void)state;
  run r = {.context = sn_context_create()};
  r.model = parse(r.context, TRUSS("0.4", "{type: path, largest_load: -1}"));
  assert_int_equal(sn_simulation_create(r.model, NULL, &r.simulation), SN_USAGE);
  assert_non_null(strstr(sn_message(r.context), "largest_load"));
  close_run(&r);
  open_run(&r, TRUSS("0.3", "{type: path, largest_load: 3, points: 5}"), NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  assert_non_null(strstr(sn_judge(r.simulation, SN_OK).reasons, "ends after 5 points"));
  close_run(&r);
}

/* ---- a thin strip, clamped and loaded in its strong direction, twists aside at the load of Prandtl and Michell,
 * 4.013 sqrt(EI2 GJ)/L^2 (1 - I2/I1)^-1/2 (1 - GJ/EI1)^-1/2. Its softest direction is 1e-13 of the stiffest ---- */

static void strip_of(run *r, double h, double L, double part, const char *analysis) {
  const double E = 2.1e11, w = 0.001, I1 = w * h * h * h / 12, I2 = h * w * w * w / 12;
  const double GJ = E / 2.6 * h * w * w * w * (1.0 / 3 - 0.21 * w / h);
  const double P = 4.0126 / (L * L) * sqrt(E * I2 * GJ / (1 - I2 / I1) / (1 - GJ / (E * I1)));
  char text[1000];
  snprintf(text, sizeof text,
           "sinew: 1\nmaterials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.001, height: %g}}\nbodies:\n"
           "  bar: {type: beam, from: [0, 0, 0], to: [%g, 0, 0], elements: 12, material: steel, section: s}\n"
           "joints: {a: {type: fixed, between: [ground, bar.start]}}\n"
           "forces: {p: {type: force, at: bar.end, force: [0, %.15g, 0]}}\nanalysis: {type: %s}\n",
           h, L, -part * P, analysis);
  open_run(r, text, NULL);
}

static void strip(run *r, double part, const char *analysis) {
  strip_of(r, 0.05, 1, part, analysis);
}

static void soft_directions(void **state) {
  (void)state;
  for (int above = 0; above <= 1; above++) {
    run r;
    strip(&r, above ? 1.1 : 0.95, "statics");
    const sn_verdict v = verdict_of(&r, SN_OK);
    assert_int_equal(v.level, above ? SN_DOUBTFUL : SN_GOOD);
    assert_true(!above == !strstr(v.reasons, "unstable"));
    close_run(&r);
  }
  run r;
  double number = 0;
  strip(&r, 1.5, "path, steps: 20");
  assert_int_equal(sn_run(r.simulation), SN_OK);
  noted(r.simulation->start.notes, "bifurcation point at a load factor of ", &number);
  assert_below(fabs(number * 1.5 - 1), 0.02, "load at which the strip twists aside: %g", number * 1.5);
  close_run(&r);
}

/* So slender that rounding hides where it is: said. */
static void hidden(void **state) {
  (void)state;
  run r;
  double number = 0, from = 0, to = 0;
  strip_of(&r, 0.1, 2, 5, "path, steps: 20");
  assert_int_equal(sn_run(r.simulation), SN_OK);
  const char *at = noted(r.simulation->start.notes, "bifurcation point at a load factor of ", &number);
  at = noted(at, " (between ", &from);
  assert_non_null(at);
  assert_non_null(noted(at, " and ", &to));
  assert_true(from < 0.2 && 0.2 < to && to - from < 0.2);
  close_run(&r);
}

/* ---- limit points where the matrix is nearly singular before they are found ---- */

/* Williams' toggle of beams in space: the load has a maximum and a minimum, 33.87 and 31.28 by planar-beam (without
 * shear) and no other path branches off. Close to the minimum rounding stops Newton's method. */
static void toggle(void **state) {
  (void)state;
  run r;
  double most = NAN, least = NAN;
  run_to_end(&r,
             "sinew: 1\nmaterials: {m: {density: 2.5e-4, young: 10.3e6, poisson: 0.3}}\n"
             "sections: {s: {type: rectangle, width: 0.753, height: 0.243}}\nbodies:\n"
             "  l: {type: beam, from: [-12.943, 0, 0], to: [0, 0.386, 0], material: m, section: s, up: [0, 1, 0]}\n"
             "  r: {type: beam, from: [0, 0.386, 0], to: [12.943, 0, 0], material: m, section: s, up: [0, 1, 0]}\n"
             "  k: {type: rigid, position: [0, 0.386, 0], mass: 1e-4, inertia: [1e-4, 1e-4, 1e-4]}\njoints:\n"
             "  a: {type: fixed, between: [ground, l.start]}\n  e: {type: fixed, between: [ground, r.end]}\n"
             "  j: {type: fixed, between: [k, l.end]}\n  j2: {type: fixed, between: [k, r.start]}\n"
             "forces: {P: {type: force, at: k.center, force: [0, -1, 0]}}\nanalysis: {type: path, largest_load: 40}\n");
  const char *notes = r.simulation->start.notes;
  const char *next = noted(notes, "limit point at a load factor of ", &most);
  noted(next, "limit point at a load factor of ", &least);
  assert_null(strstr(notes, "bifurcation"));
  assert_below(fabs(most / 33.87 - 1), 2e-3, "maximum %g", most);
  assert_below(fabs(least / 31.28 - 1), 2e-3, "minimum %g", least);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(toggle),         cmocka_unit_test(snap_through), cmocka_unit_test(bifurcation),
      cmocka_unit_test(both_in_a_step), cmocka_unit_test(later_stage),  cmocka_unit_test(soft_directions),
      cmocka_unit_test(says_why),       cmocka_unit_test(hidden),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
