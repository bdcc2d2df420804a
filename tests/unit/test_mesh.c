/* test_mesh.c - meshes that are too coarse are told, and fine ones are not called so: modes against Euler and Bernoulli
 * (bending) and rods (axial, torsion), rings against inextensional theory, vibrations against a mesh of 24
 * elements, a slow load against Euler and Bernoulli. */
#include "analysis/modes.h"
#include "support.h"

enum { LONG = 1200 };

static bool says(const sn_verdict *v) {
  return strstr(v->reasons, "too long") || strstr(v->reasons, "bends too little") ||
         strstr(v->reasons, "use more elements");
}

/* Told where the error is above `least`, silent below `most`. */
static void check_told(const sn_verdict *v, double error, double most, double least, const char *name) {
  if (fabs(error) > least && !says(v)) fail_msg("%s: off by %g, and silent: %s", name, error, v->reasons);
  if (fabs(error) < most && says(v)) fail_msg("%s: off by %g, and told: %s", name, error, v->reasons);
}

/* ---- modes: a clamped bar; the last of `count` modes of a plane, of frequency x2 sqrt(EI/(rho A)) ---- */

static void modes_of_bars(void **state) {
  (void)state;
  static const struct {
    const char *type, *more;
    bool planar;
  } kinds[] = {{"cable", "", true},
               {"cable", "", false},
               {"beam", "", false},
               {"beam", ", elastic: elastic-line", false},
               {"beam", ", elastic: selective", false},
               {"beam2d", "", true},
               {"floating", "", true},
               {"floating", "", false},
               {"planar-beam", "", true},
               {"planar-beam", ", formulation: ancf-s", true},
               {"planar-beam", ", formulation: frf", true}};
  static const double kl[] = {1.8751041, 4.6940911, 7.8547574, 10.9955407, 14.1371684};
  const double h = 0.002, unit = sqrt(2.1e11 * h * h / 12 / 7800);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int n = 1; n <= 12; n += n < 4 ? 1 : 4)
      for (int mode = 1; mode <= 5 && mode <= n + 1; mode += 2) {
        char text[LONG], name[200];
        run r;
        snprintf(
            text, sizeof text,
            "sinew: 1\nplanar: %s\nmaterials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
            "sections: {s: {type: rectangle, width: %g, height: %g}}\n"
            "bodies: {bar: {type: %s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: steel, section: s%s}}\n"
            "joints: {clamp: {type: fixed, between: [ground, bar.start]}}\n"
            "analysis: {type: modes, count: %d}\n",
            kinds[k].planar ? "true" : "false", h, h, kinds[k].type, n, kinds[k].more,
            kinds[k].planar ? mode : 2 * mode);
        snprintf(name, sizeof name, "%s%s%s, %d elements, mode %d", kinds[k].type, kinds[k].more,
                 kinds[k].planar ? " in the plane" : "", n, mode);
        open_run(&r, text, NULL);
        const sn_verdict v = verdict_of(&r, SN_OK);
        const sn_modes *m = r.simulation->modes;
        const double w = sqrt(m->w2[m->count - 1]);
        check_told(&v, w / (kl[mode - 1] * kl[mode - 1] * unit) - 1, 0.004, 0.02, name);
        close_run(&r);
      }
}

/* Twist of a tube, and waves along a floating body: linear within an element, (2 j - 1) pi/2 c/L. */
static void modes_of_rods(void **state) {
  (void)state;
  for (int twist = 0; twist <= 1; twist++)
    for (int n = 2; n <= 16; n *= 2) {
      char text[LONG], name[100];
      run r;
      snprintf(
          text, sizeof text,
          "sinew: 1\nplanar: %s\nmaterials: {m: {density: 1000, young: 2.6e9, poisson: 0.3}}\n"
          "sections: {s: {type: general, A: 1e-4, Iyy: 1, Izz: 1, J: 2%s}}\n"
          "bodies: {bar: {type: floating, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}}\n"
          "joints: {clamp: {type: fixed, between: [ground, bar.start]}}\n"
          "analysis: {type: modes, count: 1}\n",
          twist ? "false" : "true", twist ? ", rotary_Iyy: 1e3, rotary_Izz: 1e3" : "", n);
      snprintf(name, sizeof name, "%s, %d elements", twist ? "twist" : "axial", n);
      open_run(&r, text, NULL);
      const sn_verdict v = verdict_of(&r, SN_OK);
      const double c = twist ? sqrt(1e9 * 2 / (1000 * 2e3)) : sqrt(2.6e9 / 1000);
      check_told(&v, sqrt(r.simulation->modes->w2[0]) / (PI / 2 * c) - 1, 0.009, 0.02, name);
      close_run(&r);
    }
}

/* ---- rings lock: the deflection under two opposite forces is (pi/4 - 2/pi) F R^3/EI ---- */

static void rings(void **state) {
  (void)state;
  const char *types[] = {"cable", "beam"};
  for (int k = 0; k < 2; k++)
    for (int n = 4; n <= 20; n += 4)
      for (int thin = 0; thin <= 1; thin++) {
        const double h = thin ? 0.002 : 0.02, EI = 2e11 * pow(h, 4) / 12, F = 1e-5 * EI;
        char text[LONG], name[100];
        double y[3];
        run r;
        snprintf(
            text, sizeof text,
            "sinew: 1\nplanar: %s\nmaterials: {m: {density: 1000, young: 2e11}}\n"
            "sections: {s: {type: rectangle, width: %g, height: %g}}\nbodies:\n"
            "  u: {type: %s, from: [1, 0, 0], via: [0, 1, 0], to: [-1, 0, 0], elements: %d, material: m, section: s}\n"
            "  v: {type: %s, from: [-1, 0, 0], via: [0, -1, 0], to: [1, 0, 0], elements: %d, material: m, section: s}\n"
            "joints: {a: {type: fixed, between: [u.end, v.start]}, b: {type: fixed, between: [v.end, u.start]},\n"
            "  g: {type: fixed, between: [ground, v.at(0.5)]}}\n"
            "forces: {f: {type: force, at: u.at(0.5), force: [0, %g, 0]}}\noutputs: {top: {point: u.at(0.5)}}\n"
            "analysis: {type: statics}\n",
            k == 0 ? "true" : "false", h, h, types[k], n, types[k], n, -F);
        snprintf(name, sizeof name, "ring of %s, %d elements, h = %g", types[k], 2 * n, h);
        open_run(&r, text, NULL);
        const sn_verdict v = verdict_of(&r, SN_OK);
        read_output(&r, "top", y, 3);
        check_told(&v, (1 - y[1]) / ((PI / 4 - 2 / PI) * 1e-5) - 1, 0.009, 0.035, name);
        close_run(&r);
      }
}

/* ---- motion: a cantilever swings after its load is gone ---- */

static sn_verdict swing(const char *type, int n, double *y, int count) {
  char text[LONG];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\nplanar: true\nmaterials: {m: {density: 1000, young: 2e8}}\n"
      "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\n"
      "bodies: {bar: {type: %s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}}\n"
      "joints: {clamp: {type: fixed, between: [ground, bar.start]}}\n"
      "forces: {f: {type: force, at: bar.end, force: [0, \"-12*(1 - step(t, 0.01, 0, 0.011, 1))\", 0]}}\n"
      "outputs: {tip: {point: bar.end}}\nanalysis:\n  - statics\n"
      "  - {type: dynamics, duration: 0.6, output_step: 0.02, companion: false, integrator: {type: radau, tolerance: "
      "1e-5}}\n",
      type, n);
  open_run(&r, text, NULL);
  advance(&r, 0);
  for (int i = 0; i < count; i++) {
    double tip[4];
    go_to(&r, 0.6 * (i + 1) / count);
    read_output(&r, "tip", tip, 4);
    y[i] = tip[1];
  }
  close_run(&r);
  open_run(&r, text, NULL);
  sn_verdict v = verdict_of(&r, SN_OK);
  static char reasons[4000];
  snprintf(reasons, sizeof reasons, "%s", v.reasons);
  v.reasons = reasons;
  close_run(&r);
  return v;
}

static void vibrations(void **state) {
  (void)state;
  enum { ROWS = 30 };
  const char *types[] = {"cable", "planar-beam"};
  double exact[ROWS], y[ROWS];
  swing("cable", 24, exact, ROWS);
  for (int k = 0; k < 2; k++)
    for (int n = 1; n <= 12; n += n < 4 ? 1 : 4) {
      char name[100];
      const sn_verdict v = swing(types[k], n, y, ROWS);
      const double range = 2 * largest(exact, ROWS);
      snprintf(name, sizeof name, "vibrations of %s, %d elements", types[k], n);
      check_told(&v, distance(y, exact, ROWS) / range, 0.004, 0.05, name);
    }
}

/* ---- a load that grows slowly while something else swings: no vibration of the bar, and no phase that drifts ---- */

static double bend_slowly(int n, sn_verdict *v) {
  char text[LONG];
  static char reasons[4000];
  double tip[4];
  run r;
  snprintf(text, sizeof text,
           "sinew: 1\nplanar: true\nmaterials: {m: {density: 1000, young: 2e8}}\n"
           "sections: {s: {type: rectangle, width: 0.02, height: 0.02}}\nbodies:\n"
           "  bar: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}\n"
           "  ball: {type: point-mass, mass: 1, position: [3, 1.002, 0]}\n"
           "joints: {clamp: {type: fixed, between: [ground, bar.start]}}\nforces:\n"
           "  load: {type: distributed, on: bar, force: [0, \"step(t, 0, 0, 10, 1)\", 0]}\n"
           "  spring: {type: spring, between: [\"ground.at(3, 0, 0)\", ball], stiffness: 1000, length: 1}\n"
           "outputs: {tip: {point: bar.end}}\n"
           "analysis: {type: dynamics, duration: 10, companion: false, integrator: {type: radau, tolerance: 1e-5}}\n",
           n);
  open_run(&r, text, NULL);
  *v = verdict_of(&r, SN_OK);
  snprintf(reasons, sizeof reasons, "%s", v->reasons);
  v->reasons = reasons;
  read_output(&r, "tip", tip, 4);
  close_run(&r);
  return tip[1];
}

static void slow_loads(void **state) {
  (void)state;
  sn_verdict v;
  const double exact = 1 / (8 * 2e8 * pow(0.02, 4) / 12), y = bend_slowly(2, &v); /* q L^4/(8 EI) */
  assert_true(fabs(y / exact - 1) < 0.01);
  check_told(&v, y / exact - 1, 0.01, 0.05, "slow load");
}

/* ---- bodies at rest have rounding errors of all energies, of which elements lack any part ---- */

static void rest(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\nmaterials: {m: {density: 2700, young: 7e10}}\nsections: {s: {type: tube, radius: 0.01, inner: "
           "0.009}}\nbodies:\n  hub: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
           "  bar: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: m, section: s}\njoints:\n"
           "  shaft: {type: revolute, between: [ground, hub.center], axis: [0, 0, 1]}\n"
           "  root: {type: fixed, between: [hub.center, bar.start]}\n"
           "  motor: {type: motion, joint: shaft, rotation: 0*t}\n"
           "analysis: {type: dynamics, duration: 1, output_step: 0.01}\n",
           NULL);
  const sn_verdict v = verdict_of(&r, SN_OK);
  assert_string_equal(v.reasons, "");
  close_run(&r);
}

/* ---- torque of bending moments about a curved line: a quarter of a circle, clamped, with a force across at its end
 * (Castigliano): P R^3 (pi/4/EI + (3 pi/4 - 2)/GJ) ---- */

static void quarters(void **state) {
  (void)state;
  const double E = 7e10, nu = 0.33, I = PI * pow(0.005, 4) / 4, GJ = E / (1 + nu) * I;
  for (int n = 1; n <= 8; n++) {
    char text[LONG], name[40];
    double tip[3];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nmaterials: {m: {density: 2700, young: %g, poisson: %g}}\nsections: {s: {type: circle, radius: "
             "0.005}}\nbodies: {b: {type: beam, from: [1, 0, 0], via: [0.7071067811865475, 0.7071067811865475, 0], to: "
             "[0, 1, 0], elements: %d, material: m, section: s}}\njoints: {clamp: {type: fixed, between: [ground, "
             "b.start]}}\nforces: {P: {type: force, at: b.end, force: [0, 0, 0.1]}}\noutputs: {tip: {point: b.end}}\n"
             "analysis: statics\n",
             E, nu, n);
    snprintf(name, sizeof name, "quarter of a circle, %d elements", n);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    read_output(&r, "tip", tip, 3);
    check_told(&v, tip[2] / (0.1 * (PI / 4 / (E * I) + (3 * PI / 4 - 2) / GJ)) - 1, 0.015, 0.025, name);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_of_bars), cmocka_unit_test(modes_of_rods), cmocka_unit_test(quarters),
      cmocka_unit_test(rings),         cmocka_unit_test(vibrations),    cmocka_unit_test(slow_loads),
      cmocka_unit_test(rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
