/* test_mesh_plates.c - meshes of plates that are too coarse are told in statics and modes, and fine ones are not called
 * so: square plates against Timoshenko and Woinowsky-Krieger (Poisson's ratio 0.3). */
#include "analysis/modes.h"
#include "support.h"

enum { LONG = 1200 };
#define D (7e10 * 1e-6 / 12 / (1 - 0.09))
#define PLATE                                                                                               \
  "sinew: 1\nmaterials: {m: {density: 2700, young: 7e10, poisson: 0.3}}\nbodies:\n"                         \
  "  p: {type: plate, along: [1, 0, 0], across: [0, 1, 0], elements: [%d, %d], thickness: 0.01, material: " \
  "m}\njoints: {rim: {type: %s, between: [ground, p.rim]}}\n"

static void check_told(const sn_verdict *v, double error, double most, double least, const char *name) {
  const bool says = strstr(v->reasons, "too coarse") || strstr(v->reasons, "too long");
  if (fabs(error) > least && !says) fail_msg("%s: off by %g, and silent: %s", name, error, v->reasons);
  if (fabs(error) < most && says) fail_msg("%s: off by %g, and told: %s", name, error, v->reasons);
}

static void deflections(void **state) {
  (void)state;
  static const struct {
    const char *rim, *load;
    double exact;
  } cases[] = {{"fixed", "{type: force, at: p.center, force: [0, 0, 20]}", 0.0056120 * 20 / D},
               {"spherical", "{type: force, at: p.center, force: [0, 0, 20]}", 0.0116008 * 20 / D},
               {"fixed", "{type: pressure, on: p, pressure: 100}", 0.00126532 * 100 / D}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int n = 2; n <= 12; n += 2) {
      char text[LONG], name[100];
      double c[4];
      run r;
      snprintf(text, sizeof text, PLATE "forces: {q: %s}\noutputs: {c: {point: p.center}}\nanalysis: {type: statics}\n",
               n, n, cases[k].rim, cases[k].load);
      snprintf(name, sizeof name, "%d x %d elements, %s, case %d", n, n, cases[k].rim, (int)k);
      open_run(&r, text, NULL);
      const sn_verdict v = verdict_of(&r, SN_OK);
      read_output(&r, "c", c, 4);
      check_told(&v, c[2] / cases[k].exact - 1, 0.007, 0.02, name);
      close_run(&r);
    }
}

/* Simply supported: pi^2 (i^2 + j^2) sqrt(D/(rho t)). */
static void frequencies(void **state) {
  (void)state;
  static const int squares[] = {2, 5, 5, 8, 10, 10, 13, 13};
  for (int n = 2; n <= 12; n += 2)
    for (int count = 1; count <= 8; count += 3) {
      char text[LONG], name[100];
      double worst = 0;
      run r;
      snprintf(text, sizeof text, PLATE "analysis: {type: modes, count: %d}\n", n, n, "spherical", count);
      snprintf(name, sizeof name, "%d x %d elements, %d modes", n, n, count);
      open_run(&r, text, NULL);
      const sn_verdict v = verdict_of(&r, SN_OK);
      const sn_modes *m = r.simulation->modes;
      for (int k = 0; k < m->count; k++)
        worst = fmax(worst, fabs(sqrt(m->w2[k]) / (PI * PI * squares[k] * sqrt(D / (2700 * 0.01))) - 1));
      check_told(&v, worst, 0.0015, 0.015, name);
      close_run(&r);
    }
}

/* Plates with free edges: on their corners, square and narrow, and clamped along one edge with a force at a corner; against
 * what 6 and 12 elements along an edge converge to. */
static const struct {
  const char *width, *joints, *load, *point;
} free_plates[] = {
#define CORNERS                                                                                     \
  "{a: {type: spherical, between: [ground, p.sw]}, b: {type: spherical, between: [ground, p.se]}, " \
  "c: {type: spherical, between: [ground, p.ne]}, d: {type: spherical, between: [ground, p.nw]}}"
    {"1", CORNERS, "{type: pressure, on: p, pressure: 100}", "p.center"},
    {"0.4", CORNERS, "{type: pressure, on: p, pressure: 100}", "p.center"},
    {"1", CORNERS, "{type: force, at: p.center, force: [0, 0, 20]}", "p.center"},
    {"1", "{a: {type: fixed, between: [ground, p.west]}}", "{type: force, at: p.se, force: [0, 0, 5]}", "p.se"},
};

/* The deflection; told or silent as it must be where the right one is known. */
static double free_plate(size_t k, int n, double right) {
  char text[LONG], name[100];
  double c[4];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\nmaterials: {m: {density: 2700, young: 7e10, poisson: 0.3}}\nbodies:\n"
      "  p: {type: plate, along: [1, 0, 0], across: [0, %s, 0], elements: [%d, %d], thickness: 0.01, material: m}\n"
      "joints: %s\nforces: {q: %s}\noutputs: {c: {point: %s}}\nanalysis: statics\n",
      free_plates[k].width, n, n, free_plates[k].joints, free_plates[k].load, free_plates[k].point);
  snprintf(name, sizeof name, "plate %d with free edges, %d elements", (int)k, n);
  open_run(&r, text, NULL);
  const sn_verdict v = verdict_of(&r, SN_OK);
  read_output(&r, "c", c, 4);
  if (right > 0) check_told(&v, c[2] / right - 1, 0.007, 0.016, name);
  close_run(&r);
  return c[2];
}

static void free_edges(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(free_plates); k++) {
    const double coarse = free_plate(k, 6, 0), fine = free_plate(k, 12, 0), right = fine + (fine - coarse) / 3;
    for (int n = 2; n <= 12; n += 2) free_plate(k, n, right);
  }
}

/* Their vibrations drift in phase: on corners a plate of 4 x 4 elements is off by 29 % of its swings after 0.2 s, clamped
 * along one edge by 1 %. */
static void motion(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(free_plates); k += 3) {
    char text[LONG];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 2700, young: 7e10, poisson: 0.3}}\nbodies:\n"
             "  p: {type: plate, along: [1, 0, 0], across: [0, 1, 0], elements: [4, 4], thickness: 0.01, material: m}\n"
             "joints: %s\noutputs: {c: {point: p.center}}\n"
             "analysis: {type: dynamics, duration: 0.2, output_step: 0.002, companion: false}\n",
             free_plates[k].joints);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    assert_true(!strstr(v.reasons, "too long") == (k > 0));
    close_run(&r);
  }
}

/* A quarter of a cylinder as a curved strip, force P at its end: P R^3/EI pi/4. Its curvature at rest does no work. */
static void shells(void **state) {
  (void)state;
  for (int n = 2; n <= 24; n *= 2) {
    char text[LONG], name[100];
    double e[4];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 7800, young: 2.1e11, poisson: 0}}\nbodies: {p: "
        "{type: plate, along: [pi/2, 0, 0], across: [0, 0.1, 0], radius: 1, elements: [%d, 1], thickness: 0.01, "
        "material: m}}\njoints: {c: {type: fixed, between: [ground, p.west]}}\nforces: {a: {type: force, at: p.se, "
        "force: [0.05, 0, 0]}, b: {type: force, at: p.ne, force: [0.05, 0, 0]}}\noutputs: {e: {point: 'p.at(1, "
        "0.5)'}}\nanalysis: statics\n",
        n);
    snprintf(name, sizeof name, "%d elements", n);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    read_output(&r, "e", e, 3);
    check_told(&v, (e[0] - 1) / (0.1 / (2.1e11 * 0.1 * 1e-6 / 12) * PI / 4) - 1, 0.007, 0.02, name);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(deflections), cmocka_unit_test(frequencies),
                                     cmocka_unit_test(free_edges), cmocka_unit_test(motion), cmocka_unit_test(shells)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
