/* test_contact_solvers.c - every contact solver on whole models: stacks that land, heaps that rebound, wedges. */
#include "support.h"

static const char *const solvers[] = {"apgd", "interior-point", "lemke"};

/* Bodies above each other, or in two by two columns that lean. */
static void write_bodies(char *text, size_t size, const char *shape, const char *skin, int columns, double e,
                         const char *settings) {
  size_t n = (size_t)snprintf(text, size, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
  uint64_t seed = 4;
  int bodies = columns == 1 ? 3 : 12;
  for (int i = 0; i < bodies; i++) {
    int level = i / columns, x = i % columns % 2, y = i % columns / 2;
    double lean = columns == 1 ? 0 : 0.02;
    n += (size_t)snprintf(text + n, size - n,
                          "  b%d: {type: rigid, position: [%.6f, %.6f, %.6f], mass: %.4f, shape: %s}\n", i,
                          0.13 * x + lean * noise(&seed), 0.13 * y + lean * noise(&seed), 0.06 + 0.105 * level,
                          1 + 0.5 * noise(&seed), shape);
  }
  n += (size_t)snprintf(text + n, size - n, "surfaces:\n  floor: {type: plane, normal: [0, 0, 1]}\n");
  for (int i = 0; i < bodies; i++)
    n += (size_t)snprintf(text + n, size - n, "  s%d: {type: %s, on: b%d}\n", i, skin, i);
  snprintf(text + n, size - n,
           "contacts: {all: {method: dvi, friction: 0.4, restitution: %g}}\noutputs: {top: {point: b%d.center}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 1e-3, %s}}\n",
           e, bodies - 1, settings);
}

static void end_of(const char *text, double until, double x[3]) {
  run r;
  double point[16];
  open_run(&r, text, NULL);
  advance(&r, until);
  assert_true(sn_read(r.simulation, "top", point, SN_COUNT(point)) >= 3);
  memcpy(x, point, 3 * sizeof *x);
  if (r.simulation->system->statistics.contact.misses > 0)
    fail_msg("%ld steps missed by:\n%s", r.simulation->system->statistics.contact.misses, text);
  close_run(&r);
}

/* Three boxes fall on each other, four corners on four: the top comes to rest at 2.5 heights. */
static void stack_lands(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(solvers); k++)
    for (double e = 0; e < 0.5; e += 0.3) {
      char text[4096], settings[128];
      double x[3];
      snprintf(settings, sizeof settings, "contact_solver: %s, contact_iterations: 20000", solvers[k]);
      write_bodies(text, sizeof text, "{type: box, size: [0.1, 0.1, 0.1]}", "box", 1, e, settings);
      end_of(text, 0.8, x);
      assert_below(fabs(x[2] - 0.25), 1e-5, "height of the top, %s, e = %g", solvers[k], e);
    }
}

/* A heap that slides and rebounds moves as by the others, relaxed and by Coulomb's law; lemke comes nearer with more
 * facets. */
static void heap_rebounds(void **state) {
  (void)state;
  static const char *const models[] = {"coulomb", "relaxed"};
  for (size_t m = 0; m < SN_COUNT(models); m++) {
    double x[4][3];
    static const char *const by[] = {"apgd", "interior-point", "lemke, contact_facets: 4", "lemke, contact_facets: 32"};
    for (size_t k = 0; k < SN_COUNT(by); k++) {
      char text[4096], settings[160];
      snprintf(settings, sizeof settings,
               "contact_iterations: 100000, contact_tolerance: 1e-8, friction_model: %s, contact_solver: %s", models[m],
               by[k]);
      write_bodies(text, sizeof text, "{type: sphere, radius: 0.05}", "sphere", 4, 0.5, settings);
      end_of(text, 0.12, x[k]);
    }
    assert_below(distance(x[0], x[1], 3), 1e-7, "interior-point, %s", models[m]);
    double coarse = distance(x[0], x[2], 3), fine = distance(x[0], x[3], 3);
    print_message("%s: lemke off by %.1e m with 4 facets, %.1e m with 32\n", models[m], coarse, fine);
    assert_below(fine, coarse / 2, "lemke, %s", models[m]);
  }
}

/* A ball between two walls that it just touches: without friction it falls; the relaxed law, which asks for
 * un >= mu |ut| at both walls, holds it. */
static void wedged_ball(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(solvers); k++)
    for (int held = 0; held < 2; held++) {
      char text[1024];
      double x[3];
      snprintf(
          text, sizeof text,
          "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [0, 0, 0], mass: 1, shape: {type: "
          "sphere, radius: 0.1}}}\nsurfaces: {l: {type: plane, at: [-0.1, 0, 0], normal: [1, 0, 0]}, r: {type: "
          "plane, at: [0.1, 0, 0], normal: [-1, 0, 0]}, s: {type: sphere, on: b}}\n"
          "contacts: {all: {method: dvi, friction: %g}}\noutputs: {top: {point: b.center}}\n"
          "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 1e-3, "
          "friction_model: relaxed, contact_solver: %s}}\n",
          held ? 0.3 : 0., solvers[k]);
      end_of(text, 0.1, x);
      assert_below(fabs(x[2] + (held ? 0 : 9.81 * 0.1 * 0.101 / 2)), 1e-6, "fall, %s", solvers[k]);
    }
}

/* A slab of 1,000 kg on three balls of 1 g, with the default solver: it does not sink, and by statics the balls carry a
 * quarter, a quarter and a half of it. Within 1000 iterations apgd alone does not find these forces. */
static void heavy_on_light(void **state) {
  (void)state;
  static const double place[3][2] = {{-0.3, -0.3}, {0.3, -0.3}, {0, 0.3}}, part[3] = {0.25, 0.25, 0.5};
  char text[3000];
  double x[16];
  run r;
  size_t n = (size_t)snprintf(text, sizeof text, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
  for (int i = 0; i < 3; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "  s%d: {type: rigid, position: [%g, %g, 0.02], mass: 0.001, shape: {type: sphere, radius: "
                          "0.02}}\n",
                          i, place[i][0], place[i][1]);
  snprintf(text + n, sizeof text - n,
           "  b: {type: rigid, position: [0, 0, 0.14], mass: 1000, shape: {type: box, size: [1, 1, 0.2]}}\nsurfaces:\n"
           "  f: {type: plane, normal: [0, 0, 1]}\n  b: {type: box, on: b}\n  s0: {type: sphere, on: s0}\n  s1: {type: "
           "sphere, on: s1}\n  s2: {type: sphere, on: s2}\ncontacts: {all: {method: dvi, friction: 0.5}}\noutputs: {b: "
           "{point: b.center}, f0: {contact: [s0, ground]}, f1: {contact: [s1, ground]}, f2: {contact: [s2, "
           "ground]}}\nanalysis: {type: dynamics, duration: 0.5, integrator: {type: symplectic-euler, step: 1e-3}}\n");
  open_run(&r, text, NULL);
  advance(&r, 0.5);
  assert_int_equal(r.simulation->system->statistics.contact.misses, 0);
  assert_true(r.simulation->system->statistics.contact.again > 0);
  sn_read(r.simulation, "b", x, 16);
  assert_below(fabs(x[2] - 0.14), 1e-6, "height of the slab");
  for (int i = 0; i < 3; i++) {
    const char *const name[] = {"f0", "f1", "f2"};
    sn_read(r.simulation, name[i], x, 16);
    assert_below(fabs(x[2] / 9810 - part[i]), 2e-3, "part of ball %d", i);
  }
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stack_lands),
      cmocka_unit_test(heap_rebounds),
      cmocka_unit_test(wedged_ball),
      cmocka_unit_test(heavy_on_light),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
