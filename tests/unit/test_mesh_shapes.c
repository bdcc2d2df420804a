/* test_mesh_shapes.c - meshes that are too coarse are told by buckling, linearize and path, and fine ones are not called
 * so; elements in frames of their own that bend too much: columns against Euler, a clamped bar against Euler and
 * Bernoulli, a cantilever rolled by a moment, which is an arc. */
#include "analysis/modes.h"
#include "support.h"

enum { LONG = 1200 };
#define SQUARE 0.01

/* A bar along x, h by h. */
#define BAR                                                                                    \
  "sinew: 1\nplanar: true\nmaterials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n" \
  "sections: {s: {type: rectangle, width: 0.01, height: 0.01}}\n"                              \
  "bodies: {bar: {type: %s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: steel, section: s}}\n"
static const double EI = 2.1e11 * SQUARE * SQUARE * SQUARE * SQUARE / 12;

static const char *const types[] = {"cable",
                                    "planar-beam",
                                    "planar-beam, formulation: ancf-s",
                                    "planar-beam, axial_strain: chord",
                                    "beam2d",
                                    "beam2d, elastic: continuum"};

static bool says(const sn_verdict *v) {
  return strstr(v->reasons, "too long") || strstr(v->reasons, "bends too little");
}

/* Told where the error is above `least`, silent below `most`. */
static void check_told(const sn_verdict *v, double error, double most, double least, const char *name) {
  if (fabs(error) > least && !says(v)) fail_msg("%s: off by %g, and silent: %s", name, error, v->reasons);
  if (fabs(error) < most && says(v)) fail_msg("%s: off by %g, and told: %s", name, error, v->reasons);
}

/* Load factor `mode`, the last of the run: (x/L)^2 EI. */
static void column(const char *type, int n, int mode, bool clamped) {
  assert_in_range(mode, 1, 2);
  static const double free_ends[] = {3.14159265, 6.28318531}, clamped_ends[] = {6.28318531, 8.98681892};
  const double x = (clamped ? clamped_ends : free_ends)[mode == 2];
  char text[LONG], name[200];
  run r;
  snprintf(text, sizeof text,
           BAR
           "joints:\n  a: {type: %s, between: [\"ground.at(0, 0, 0)\", bar.start]}\n"
           "  b: {type: %s, between: [\"ground.at(1, 0, 0)\", bar.end], axis: [1, 0, 0]}\n"
           "forces: {p: {type: force, at: bar.end, force: [-1, 0, 0]}}\nanalysis: {type: buckling, count: %d}\n",
           type, n, clamped ? "fixed" : "revolute", clamped ? "prismatic" : "point-on-line", mode);
  snprintf(name, sizeof name, "%s column of %d %s, mode %d", clamped ? "clamped" : "pinned", n, type, mode);
  open_run(&r, text, NULL);
  const sn_verdict v = verdict_of(&r, SN_OK);
  const sn_modes *m = r.simulation->modes;
  if (m->count < mode) { /* what a mesh makes of shapes it does not have is left out */
    assert_true(m->count == mode - 1 && n == 3 && strstr(r.simulation->start.notes, "are left out"));
    close_run(&r);
    return;
  }
  const double error = m->factor[mode - 1] / (strstr(type, "continuum") ? 1 / (1 - 0.09) : 1) / (x * x * EI) - 1;
  check_told(&v, error, 0.01, 0.06, name);
  close_run(&r);
}

static void columns(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    for (int n = 3; n <= 24; n *= 2)
      for (int mode = 1; mode <= 2; mode++)
        for (int clamped = 0; clamped <= 1; clamped++) column(types[k], n, mode, clamped);
}

/* A clamped bar: the second frequency of those in damped modes. */
static void linearized(void **state) {
  (void)state;
  const double exact = 4.6940911 * 4.6940911 * sqrt(EI / (7800 * SQUARE * SQUARE));
  for (size_t k = 0; k < sizeof types / sizeof *types - 1; k++)
    for (int n = 2; n <= 24; n += n < 4 ? 1 : 4) {
      char text[LONG], name[100];
      run r;
      snprintf(text, sizeof text,
               BAR "joints: {a: {type: fixed, between: [ground, bar.start]}}\nanalysis: {type: linearize}\n", types[k],
               n);
      snprintf(name, sizeof name, "linearize: %d elements of %s", n, types[k]);
      open_run(&r, text, NULL);
      const sn_verdict v = verdict_of(&r, SN_OK);
      const double error = sqrt(r.simulation->modes->w2[1]) / exact - 1;
      check_told(&v, error, 0.0005, 0.03, name); /* the third is about eight times as much off */
      close_run(&r);
    }
}

/* P L^3/(3 EI) along an equilibrium path. */
static void paths(void **state) {
  (void)state;
  for (int n = 2; n <= 24; n *= 2) {
    char text[LONG], name[100];
    double tip[4];
    run r;
    snprintf(text, sizeof text,
             BAR
             "joints: {a: {type: fixed, between: [ground, bar.start]}}\n"
             "forces: {p: {type: force, at: bar.end, force: [0, 0.1, 0]}}\n"
             "outputs: {tip: {point: bar.end}}\nanalysis: {type: path}\n",
             "beam2d", n);
    snprintf(name, sizeof name, "path: %d elements of beam2d", n);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    read_output(&r, "tip", tip, 4);
    check_told(&v, tip[1] * 3 * EI / 0.1 - 1, 0.01, 0.03, name);
    close_run(&r);
  }
}

/* An arc of the angle a, whose end is sin(a)/a, (1 - cos(a))/a. */
static void arcs(void **state) {
  (void)state;
  const double a = 3;
  for (int n = 4; n <= 32; n *= 2) {
    char text[LONG];
    double tip[4];
    run r;
    snprintf(text, sizeof text,
             BAR
             "joints: {a: {type: fixed, between: [ground, bar.start]}}\n"
             "forces: {m: {type: moment, at: bar.end, moment: [0, 0, %.15g]}}\n"
             "outputs: {tip: {point: bar.end}}\nanalysis: {type: statics}\n",
             "planar-beam, formulation: frf", n, a * EI);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    read_output(&r, "tip", tip, 4);
    const double error = hypot(tip[0] - sin(a) / a, tip[1] - (1 - cos(a)) / a) / hypot(sin(a) / a, (1 - cos(a)) / a);
    const bool told = strstr(v.reasons, "in their frames");
    if ((error > 0.02 && !told) || (error < 0.01 && told)) fail_msg("%d elements: %g: %s", n, error, v.reasons);
    close_run(&r);
  }
}

/* A bar clamped at both ends, bent at a quarter by a force, by a driver or slowly in time: P a^3 b^3/(3 EI). */
static double quarter(const char *type, int n, int how, sn_verdict *v) {
  static const char *const loads[] = {
      "forces: {p: {type: force, at: bar.at(0.25), force: [0, 10, 0]}}\n",
      "  p: {type: motion, between: [\"ground.at(0.25, 0, 0)\", bar.at(0.25)], axis: [0, 1, 0], translation: 1e-6}\n",
      "forces: {p: {type: force, at: bar.at(0.25), force: [0, \"10*step(t, 0, 0, 1, 1)\", 0]}}\n"};
  const double soft = pow(0.25 * 0.75, 3) / (3 * EI);
  static char reasons[4000];
  char text[LONG];
  double y[4];
  run r;
  snprintf(
      text, sizeof text,
      BAR
      "joints:\n  a: {type: fixed, between: [ground, bar.start]}\n"
      "  b: {type: prismatic, between: [ground, bar.end], axis: [1, 0, 0]}\n%soutputs: {y: {%s}}\n"
      "analysis: {type: %s}\n",
      type, n, loads[how], how == 1 ? "reaction: p" : "point: bar.at(0.25)",
      how == 2 ? "dynamics, duration: 1, output_step: 0.1, integrator: {type: radau, tolerance: 1e-4}" : "statics");
  open_run(&r, text, NULL);
  *v = verdict_of(&r, SN_OK);
  snprintf(reasons, sizeof reasons, "%s", v->reasons);
  v->reasons = reasons;
  read_output(&r, "y", y, 2);
  close_run(&r);
  return how == 1 ? y[1] / (1e-6 / soft) - 1 : y[1] / (10 * soft) - 1;
}

static void between_nodes(void **state) {
  (void)state;
  static const char *const kinds[] = {"cable", "floating", "planar-beam", "planar-beam, formulation: frf"};
  for (int how = 0; how < 3; how++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (int n = 1; n <= 10; n++) {
        char name[100];
        sn_verdict v;
        if (n == 1 && how > 0) continue; /* nothing can move */
        const double error = quarter(kinds[k], n, how, &v);
        snprintf(name, sizeof name, "%d elements of %s, load %d", n, kinds[k], how);
        check_told(&v, error, 0.007, 0.03, name);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns),       cmocka_unit_test(linearized), cmocka_unit_test(paths),
      cmocka_unit_test(between_nodes), cmocka_unit_test(arcs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
