/* test_impact.c - rebounds of rigid balls under step control: the speed after an impact is that of the law, whatever
 * the size, the modulus, the speed and the method. Hertz without damping gives back all of it; Hunt and Crossley's
 * damping for a restitution e that part; and balls of one kind in a row hand it on.
 */
#include "analysis/trust.h"
#include "support.h"

typedef struct ball {
  double radius, young, speed;
} ball;

/* Impacts from 1e-5 s to 0.01 s long, 1e-7 m to 1e-2 m deep. */
static const ball balls[] = {{0.01, 2e11, 1},  {0.05, 2e11, 0.1}, {0.1, 1e7, 3},  {0.001, 2e11, 10},
                             {0.5, 1e9, 0.01}, {0.02, 7e10, 20},  {0.03, 1e6, 1}, {0.2, 2e11, 0.001}};

/* Speed after the impact on a plane as a part of that before; position is some fraction of a step away. */
static double rebound(const ball *b, const char *integrator, const char *law, double start) {
  char text[1200];
  run r;
  double duration = 3 * b->radius / b->speed;
  snprintf(text, sizeof text,
           "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, %.17g], velocity: [0, 0, %g], density: 7800, shape: "
           "{type: sphere, radius: %g}}}\nsurfaces: {a: {type: sphere, on: a}, floor: {type: plane, normal: [0, 0, "
           "1]}}\ncontacts: {all: {young: %g%s}}\nanalysis: {type: dynamics, duration: %g, integrator: %s}\n",
           (1 + start) * b->radius, -b->speed, b->radius, b->young, law, duration, integrator);
  open_run(&r, text, NULL);
  advance(&r, duration);
  double e = r.simulation->state.v[2] / b->speed;
  close_run(&r);
  return e;
}

static const char *const adaptive[] = {"auto",   "hht-i3", "hht-add", "hht-si2",    "newmark",
                                       "radau",  "gam",    "erk",     "adams",      "gssss",
                                       "radau5", "ida",    "nstiff",  "nstiff-si2", "tr-bdf2"};

static void elastic(void **state) {
  (void)state;
  for (size_t m = 0; m < SN_COUNT(adaptive); m++)
    for (size_t k = 0; k < SN_COUNT(balls); k++) {
      double e = rebound(&balls[k], adaptive[m], "", 0.37 + 0.11 * (double)k);
      assert_below(fabs(e - 1), 0.01, "%s, ball %zu: rebound %g", adaptive[m], k, e);
    }
}

/* Ball 7 overlaps by 4e-7 m: what a test of positions with the first of these tolerances sees nothing of. */
static void tolerances(void **state) {
  (void)state;
  for (size_t m = 0; m < SN_COUNT(adaptive); m++)
    for (int k = 1; k < 8; k += 3)
      for (double tolerance = 1e-3; tolerance > 1e-9; tolerance /= 100) {
        char integrator[80];
        snprintf(integrator, sizeof integrator, "{type: %s, tolerance: %g}", adaptive[m], tolerance);
        double e = rebound(&balls[k], integrator, "", 0.5);
        assert_below(fabs(e - 1), 0.01, "%s, ball %d: rebound %g", integrator, k, e);
      }
}

/* Two balls of one kind exchange their speeds; a ball on a fixed capsule turns back. */
static void pairs(void **state) {
  (void)state;
  static const char *const other[] = {
      "  b: {type: rigid, position: [0, 0, 0], density: 7800, shape: {type: sphere, radius: %g}}\nsurfaces: {a: {type: "
      "sphere, on: a}, b: {type: sphere, on: b}}\n",
      "surfaces: {a: {type: sphere, on: a}, b: {type: capsule, on: ground, from: [-1, 0, 0], to: [1, 0, 0], radius: "
      "%g}}\n"};
  static const double after[] = {0, 1};
  for (size_t m = 0; m < SN_COUNT(adaptive); m++)
    for (size_t k = 0; k < SN_COUNT(balls); k++)
      for (int p = 0; p < 2; p++) {
        const ball *b = &balls[k];
        char text[1200], rest[300];
        run r;
        double duration = 3 * b->radius / b->speed;
        snprintf(rest, sizeof rest, other[p], b->radius);
        snprintf(text, sizeof text,
                 "sinew: 1\nbodies:\n  a: {type: rigid, position: [0, 0, %.17g], velocity: [0, 0, %g], density: 7800, "
                 "shape: {type: sphere, radius: %g}}\n%scontacts: {all: {young: %g}}\nanalysis: {type: dynamics, "
                 "duration: %g, integrator: {type: %s, tolerance: 1e-4}}\n",
                 2.43 * b->radius, -b->speed, b->radius, rest, b->young, duration, adaptive[m]);
        open_run(&r, text, NULL);
        advance(&r, duration);
        double v = r.simulation->state.v[2] / b->speed;
        close_run(&r);
        assert_below(fabs(v - after[p]), 0.01, "%s, ball %zu, pair %d: %g", adaptive[m], k, p, v);
      }
}

static void damped(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "radau", "gam", "erk", "adams", "newmark"};
  static const double restitution[] = {0.95, 0.8, 0.5, 0.2};
  for (size_t m = 0; m < SN_COUNT(methods); m++)
    for (size_t k = 0; k < SN_COUNT(balls); k++) {
      char law[80];
      double r = restitution[(k + m) % 4];
      snprintf(law, sizeof law, ", restitution: %g, impact_speed: %g", r, balls[k].speed);
      double e = rebound(&balls[k], methods[m], law, 0.4);
      assert_below(fabs(e - r), 0.01, "%s, ball %zu: rebound %g of %g", methods[m], k, e, r);
    }
}

/* Five balls in a row, with gaps: the last goes, the others stay. */
static void row(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "radau", "erk", "gam"};
  for (size_t m = 0; m < SN_COUNT(methods); m++) {
    char text[3000];
    run r;
    int used = snprintf(text, sizeof text,
                        "sinew: 1\nanalysis: {type: dynamics, duration: 1, integrator: %s}\ncontacts: {all: {young: "
                        "2e11}}\nbodies:\n",
                        methods[m]);
    for (int k = 0; k < 5; k++)
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "  b%d: {type: rigid, position: [%g, 0, 0], velocity: [%d, 0, 0], density: 7800, shape: {type: "
                       "sphere, radius: 0.1}}\n",
                       k, 0.201 * k - (k == 0 ? 0.3 : 0), k == 0);
    used += snprintf(text + used, sizeof text - (size_t)used, "surfaces:\n");
    for (int k = 0; k < 5; k++)
      used += snprintf(text + used, sizeof text - (size_t)used, "  b%d: {type: sphere, on: b%d}\n", k, k);
    open_run(&r, text, NULL);
    advance(&r, 1);
    for (int k = 0; k < 5; k++)
      assert_below(fabs(r.simulation->state.v[7 * k] - (k == 4)), 0.01, "%s: ball %d", methods[m], k);
    close_run(&r);
  }
}

/* A small ball against a thin wall at 20 m/s. Fixed steps that carry it from one side to the other say so; where it
 * ends up on the wall the overlap and the energy do. Adaptive steps bring it back. */
static void wall(void **state) {
  (void)state;
  static const char *const methods[] = {"{type: hht-i3, step: 0.00235}",
                                        "{type: symplectic-euler, step: 0.00235}",
                                        "hht-i3",
                                        "radau",
                                        "erk",
                                        "gam",
                                        "adams"};
  int passed = 0;
  for (size_t m = 0; m < SN_COUNT(methods); m++)
    for (int phase = 0; phase < 5; phase++) {
      char text[900];
      run r;
      snprintf(text, sizeof text,
               "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, %g], velocity: [0, 0, -20], density: 7800, shape: "
               "{type: sphere, radius: 0.005}}}\nsurfaces: {a: {type: sphere, on: a}, wall: {type: box, size: [1, 1, "
               "0.024]}}\ncontacts: {all: {young: 2e9}}\nanalysis: {type: dynamics, duration: 0.05, integrator: %s}\n",
               0.382 + 0.01 * phase, methods[m]);
      open_run(&r, text, NULL);
      sn_status status = SN_OK;
      while (status == SN_OK && r.simulation->state.t < 0.05) status = sn_step(r.simulation);
      double v = r.simulation->state.v[2];
      bool through = status == SN_OK && fabs(v / 20 + 1) < 1e-6;
      passed += through;
      if (through) assert_int_equal(sn_judge(r.simulation, status).level, SN_BAD);
      if (m >= 2) assert_below(fabs(v / 20 - 1), 0.01, "%s: rebound %g m/s", methods[m], v);
      close_run(&r);
    }
  assert_true(passed > 0);
}

/* ---- plates: faces, edges and corners ---- */

/* Frictionless impacts of a plate conserve energy at every pair of features, and take some hundred steps: the force is
 * the gradient of one potential, and does not jump from sphere to sphere. Errors are relative to the kinetic energy. */
static void plates_keep_energy(void **state) {
  (void)state;
  static const char *const poses[] = {
      "at: [-0.1, -0.1, 0.1], along: [0.2, 0, 0], across: [0, 0.2, 0]",     /* flat */
      "at: [0, -0.1, 0.1], along: [0, 0, 0.2], across: [0, 0.2, 0]",        /* on an edge */
      "at: [0, 0, 0.1], along: [0.1, 0, 0.1], across: [-0.1, 0, 0.1]",      /* on a corner */
      "at: [-0.19, -0.1, 0.1], along: [0.2, 0, 0.01], across: [0, 0.2, 0]", /* with the edge over the other */
  };
  static const struct {
    const char *body, *surface;
    bool exact;
  } others[] = {
      {"", "type: sphere, at: [3e-3, 2e-3, 0.04], radius: 0.05, material: rubber", true},
      {"", "type: box, size: [0.06, 0.06, 0.05], at: [3e-3, 2e-3, 0.065], material: rubber", false},
      {"", "type: cylinder, from: [-0.08, 2e-3, 0.06], to: [0.083, 2e-3, 0.06], radius: 0.03, material: rubber", false},
      {", other: {type: cable, from: [-0.2, 2e-3, 0.08], to: [0.2, 2e-3, 0.08], elements: 6, material: rubber, "
       "section: round}",
       "type: spheres, on: other", true},
      {", other: {type: plate, at: [-0.1, -0.1, 0.08], along: [0.2, 0, 0], across: [0, 0.2, 0], elements: [2, 2], "
       "thickness: 0.01, material: rubber}",
       "type: grid, on: other", false},
  };
  for (size_t i = 0; i < SN_COUNT(others); i++)
    for (int k = 0; k < (int)SN_COUNT(poses) * (others[i].exact ? 2 : 1); k++) {
      char text[1500];
      run r;
      double e[SN_ENERGIES], kinetic = 0, stored = 0, error = 0;
      snprintf(text, sizeof text,
               "sinew: 1\nmaterials: {rubber: {density: 1000, young: 1e7, poisson: 0.3}}\nsections: {round: {type: "
               "circle, radius: 0.01}}\nbodies: {plate: {type: plate, %s, elements: [2, 2], thickness: 0.01, material: "
               "rubber, velocity: [0, 0, -1]}%s}\nsurfaces: {skin: {type: grid, on: plate}, other: {%s}}\n"
               "contacts: {touch: {exact: %s}}\nanalysis: {type: dynamics, duration: 0.025, integrator: {type: radau, "
               "tolerance: 1e-5}}\n",
               poses[k % 4], others[i].body, others[i].surface, k >= 4 ? "true" : "false");
      open_run(&r, text, NULL);
      for (int j = 0; j <= 25; j++) {
        if (j > 0) advance(&r, 1e-3 * j);
        assert_int_equal(sn_read(r.simulation, "energy", e, SN_ENERGIES), SN_ENERGIES);
        if (j == 0) kinetic = e[SN_E_KINETIC];
        stored = fmax(stored, e[SN_E_CONTACT]);
        error = fmax(error, fabs(e[SN_E_ERROR]));
      }
      assert_below(error / kinetic, 1e-4, "energy, other %zu, pose %d", i, k);
      if (i < 4 || k < 3) assert_below(1e-3, stored / kinetic, "they touch: other %zu, pose %d", i, k);
      assert_below((double)r.simulation->system->statistics.steps, 600, "steps, other %zu, pose %d", i, k);
      close_run(&r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elastic),
                                     cmocka_unit_test(tolerances),
                                     cmocka_unit_test(pairs),
                                     cmocka_unit_test(damped),
                                     cmocka_unit_test(row),
                                     cmocka_unit_test(wall),
                                     cmocka_unit_test(plates_keep_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
