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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(deflections), cmocka_unit_test(frequencies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
