/* test_planar_beams.c - Huang's planar elements: three formulations against each other, cables and rigid bodies
 * (benchmark B6). */
#include "support.h"

static const char *const formulations[] = {"irf", "ancf-s", "frf"};
enum { FORMULATIONS = 3 };

/* The last output (a point, "tip") of a model file or text at a time, with fixed steps. */
static void tip_of(const char *model, const char *const *sets, size_t count, double step, double time, double y[3]) {
  sn_context *context = sn_context_create();
  sn_model *m = NULL;
  sn_simulation *simulation = NULL;
  bool file = strncmp(model, "models/", 7) == 0;
  if (file ? sn_model_load(context, model, sets, count, &m)
           : sn_model_parse(context, "case", model, strlen(model), sets, count, &m))
    fail_msg("%s", sn_message(context));
  if (sn_simulation_create(m, &(sn_options){.step = step, .until = time}, &simulation))
    fail_msg("%s", sn_message(context));
  if (sn_advance(simulation, time)) fail_msg("%s", sn_message(context));
  const sn_probe *probe = NULL;
  for (int i = 0; i < m->outputs; i++)
    if (strcmp(m->output[i].name, "tip") == 0) probe = &m->output[i].probe[0];
  assert_non_null(probe);
  probe->ops->value(probe, simulation->state.q, y);
  sn_simulation_free(simulation);
  sn_model_free(m);
  sn_context_free(context);
}

static void pendulum(const char *formulation, const char *theory, const char *E, int n, double step, double time,
                     double y[3]) {
  char text[4][40];
  const char *sets[4] = {text[0], text[1], text[2], text[3]};
  snprintf(text[0], sizeof text[0], "formulation=%s", formulation);
  snprintf(text[1], sizeof text[1], "theory=%s", theory);
  snprintf(text[2], sizeof text[2], "E=%s", E);
  snprintf(text[3], sizeof text[3], "n=%d", n);
  tip_of("models/huang-pendulum.yaml", sets, 4, step, time, y);
}

/* A bar that stays straight with linear displacements has one kinetic and one strain energy, whether written in nodal
 * positions or in a floating frame: irf and frf differ by the error of the steps only, which is of second order. */
static void test_bars_are_one(void **state) {
  (void)state;
  double irf[3], frf[3], error[2], h[2] = {1e-3, 2.5e-4};
  for (int k = 0; k < 2; k++) {
    pendulum("irf", "bar", "0.7e6", 1, h[k], 1, irf);
    pendulum("frf", "bar", "0.7e6", 1, h[k], 1, frf);
    error[k] = distance(irf, frf, 2);
  }
  assert_below(error[1], 2e-5, "tip of the soft bar, irf against frf");
  assert_below(error[1], error[0] / 8, "the same, decrease with the step");
}

/* Green's strain of the ancf-s bar differs from the engineering strain in second order: at ten times the stiffness the
 * tips differ ten times less (the strain is w/EA, the energies differ by a part of that order). */
static void test_green_strain(void **state) {
  (void)state;
  double irf[3], ancf[3], error[2];
  static const char *const E[2] = {"0.7e8", "0.7e9"};
  for (int k = 0; k < 2; k++) {
    pendulum("irf", "bar", E[k], 1, 2.5e-4, 0.5, irf);
    pendulum("ancf-s", "bar", E[k], 1, 2.5e-4, 0.5, ancf);
    error[k] = distance(irf, ancf, 2);
  }
  assert_below(error[0], 1e-3, "tip of the bar, irf against ancf-s");
  assert_below(error[1], error[0] / 5, "the same at ten times the stiffness");
}

/* All beams tend to the beam without shear; second method: sixteen cables. */
static void test_formulations_agree(void **state) {
  (void)state;
  static const char cable[] =
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nparameters: {E: 7e10}\n"
      "materials: {soft: {density: 5540, young: E}}\n"
      "sections: {general: {type: general, A: 0.0018, Izz: 1.215e-8, Iyy: 1.215e-8}}\n"
      "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1.2, 0, 0], elements: 16, material: soft, section: "
      "general}}\n"
      "joints: {pin: {type: revolute, between: [ground, beam.start]}}\noutputs: {tip: {point: beam.end}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, alpha: -0.05, step: 5e-4}}\n";
  static const char *const soft[] = {"E=7e9"};
  double small[3], large[3], y[3];
  tip_of(cable, NULL, 0, 5e-4, 0.5, small);
  tip_of(cable, soft, 1, 5e-4, 0.5, large);
  for (int k = 0; k < FORMULATIONS; k++) { /* tip deflection about 1 % and 10 % of the length */
    double coarse, fine;
    pendulum(formulations[k], "euler-bernoulli", "7e10", 8, 5e-4, 0.5, y);
    assert_below(distance(y, small, 2), 1e-5, "small deformation, 8 elements, %s against cables", formulations[k]);
    pendulum(formulations[k], "euler-bernoulli", "7e9", 4, 5e-4, 0.5, y);
    coarse = distance(y, large, 2);
    pendulum(formulations[k], "euler-bernoulli", "7e9", 8, 5e-4, 0.5, y);
    fine = distance(y, large, 2);
    assert_below(coarse, 1e-3, "larger deformation, 4 elements, %s against cables", formulations[k]);
    assert_below(fine, 0.45 * coarse, "larger deformation, %s, decrease from 4 to 8 elements", formulations[k]);
  }
}

/* The slender section leaves shear little to do: 12 EI/(k G A L^2) is 2e-4 for an element of 0.15 m. It must do
 * something. */
static void test_shear_is_small(void **state) {
  (void)state;
  for (int k = 0; k < FORMULATIONS; k++) {
    double y[3], z[3];
    pendulum(formulations[k], "euler-bernoulli", "7e9", 8, 5e-4, 0.5, y);
    pendulum(formulations[k], "timoshenko", "7e9", 8, 5e-4, 0.5, z);
    assert_below(distance(y, z, 2), 5e-5, "shear of a slender beam, %s", formulations[k]);
    assert_true(distance(y, z, 2) > 1e-6);
  }
}

/* ---- double pendulum ---- */

/* Two slender rods, J = m L^2/12. What separates elastic ones from them falls with 1/E. */
static void test_rigid_limit(void **state) {
  (void)state;
  static const char rigid[] =
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nparameters: {L: 1.8, m: 2767*2.5e-4*1.8}\n"
      "bodies:\n"
      "  upper: {type: rigid, from: [0, 0, 0], to: [L, 0, 0], mass: m, inertia: [1, 1, m*L^2/12]}\n"
      "  lower: {type: rigid, from: [L, 0, 0], to: [2*L, 0, 0], mass: m, inertia: [1, 1, m*L^2/12]}\n"
      "joints:\n"
      "  pin: {type: revolute, between: [ground, upper.start]}\n"
      "  hinge: {type: revolute, between: [upper.end, lower.start]}\n"
      "outputs: {tip: {point: lower.end}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: hht-i3, alpha: -0.05, step: 5e-4}}\n";
  static const char *const theory[] = {"theory=bar", "theory=euler-bernoulli", "theory=timoshenko"};
  static const char *const moduli[2] = {"E=1e8", "E=1e10"};
  double y[3], z[3];
  tip_of(rigid, NULL, 0, 2.5e-4, 1, y);
  for (int k = 0; k < FORMULATIONS; k++)
    for (int t = 0; t < 3; t++) {
      char text[40];
      double error[2];
      snprintf(text, sizeof text, "formulation=%s", formulations[k]);
      for (int e = 0; e < 2; e++) {
        const char *sets[] = {text, theory[t], moduli[e], t ? "n=2" : "n=1"};
        tip_of("models/huang-double-pendulum.yaml", sets, 4, 2.5e-4, 1, z);
        error[e] = distance(y, z, 2);
      }
      assert_below(error[1], 1e-4, "tip at E = 1e10 against rigid rods, %s, %s", formulations[k], theory[t]);
      assert_below(fabs(100 * error[1] / error[0] - 1), 0.1, "the same as 1/100 of that at E = 1e8, %s, %s",
                   formulations[k], theory[t]);
    }
}

/* The constant mass of the thesis has 53/420 m L^2 in place of m L^2/12 about the middle of an element. */
static void test_constant_mass(void **state) {
  (void)state;
  static const char *const mass[] = {"consistent", "constant"};
  static const double J[] = {1.0 / 12, 53.0 / 420};
  for (int k = 0; k < 2; k++) {
    char text[512];
    fixture f;
    sn_energy e;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nmaterials: {m: {density: 1, young: 1}}\n"
             "sections: {s: {type: general, A: 1, Izz: 1, Iyy: 1}}\n"
             "bodies: {b: {type: planar-beam, elements: 1, from: [-1, 0, 0], to: [1, 0, 0], velocity: [0, -3, 0], "
             "angular_velocity: [0, 0, 3], material: m, section: s, rotary_inertia: false, mass: %s}}\n",
             mass[k]);
    open_fixture(&f, text, "ldl");
    sn_system_energy(f.system, &f.state, &e);
    assert_below(fabs(e.kinetic / (0.5 * 2 * 4 * J[k] * 9) - 1), 1e-13, "energy of a turning element, %s", mass[k]);
    close_fixture(&f);
  }
}

/* Sections turn too: m (L^2/12 + I/A) about the middle, and Rayleigh's frequencies of a beam on two supports,
 * w^2 = EI k^4/(rho A (1 + k^2 I/A)), k = n pi/L. */
static void test_rotary_inertia(void **state) {
  (void)state;
  static const char *const theory[] = {"euler-bernoulli", "timoshenko"};
  double L = 2, h = 0.3, I = pow(h, 4) / 12, A = h * h;
  for (int k = 0; k < FORMULATIONS; k++)
    for (int t = 0; t < 2; t++) {
      char text[512];
      fixture f;
      sn_energy e;
      snprintf(text, sizeof text,
               "sinew: 1\nplanar: true\nmaterials: {m: {density: 1000, young: 1e9}}\n"
               "sections: {s: {type: rectangle, width: 0.3, height: 0.3}}\n"
               "bodies: {b: {type: planar-beam, elements: 1, from: [-1, 0, 0], to: [1, 0, 0], velocity: [0, -3, 0], "
               "angular_velocity: "
               "[0, 0, 3], material: m, section: s, formulation: %s, theory: %s}}\n",
               formulations[k], theory[t]);
      open_fixture(&f, text, "ldl");
      sn_system_energy(f.system, &f.state, &e);
      double exact = 0.5 * 1000 * A * L * (L * L / 12 + I / A) * 9;
      assert_below(fabs(e.kinetic / exact - 1), 1e-12, "energy of a turning beam, %s, %s", formulations[k], theory[t]);
      close_fixture(&f);
    }
  for (int k = 0; k < FORMULATIONS; k++) {
    char text[1024];
    run r;
    double w[40], p = 2 * PI / L;
    snprintf(text, sizeof text,
             "sinew: 1\nplanar: true\nmaterials: {m: {density: 1000, young: 1e9}}\n"
             "sections: {s: {type: rectangle, width: 0.3, height: 0.3}}\n"
             "bodies: {b: {type: planar-beam, from: [-1, 0, 0], to: [1, 0, 0], elements: 16, material: m, section: s, "
             "formulation: %s}}\n"
             "joints: {a: {type: spherical, between: [ground, b.start]}, b: {type: point-on-line, between: [ground, "
             "b.end], axis: [1, 0, 0]}}\nanalysis: {type: modes, count: 4}\n",
             formulations[k]);
    open_run(&r, text, NULL);
    if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
    size_t count = sn_read(r.simulation, "modes", w, SN_COUNT(w));
    double exact = sqrt(1e9 * I * pow(p, 4) / (1000 * A * (1 + p * p * I / A))) / (2 * PI), nearest = INFINITY;
    for (size_t i = 0; i < count && i < SN_COUNT(w); i++) nearest = fmin(nearest, fabs(w[i] / exact - 1));
    assert_below(nearest, 1e-4, "second frequency with rotary inertia, %s", formulations[k]); /* 10 % without */
    close_run(&r);
  }
}

/* A cantilever under an end force (50, 10) N: N = 50, Q = 10, M = 10 (1 - x) up to the deflection, 4e-4. */
static void test_resultants(void **state) {
  (void)state;
  static const double exact[] = {50, 10, 7, 50 / 1e7, 7 / (1e9 * 1e-4 / 12)};
  for (int k = 0; k < FORMULATIONS; k++)
    for (int within = 0; within < 2; within++) { /* within an element, and at a node */
      char text[1024];
      run r;
      double y[5];
      snprintf(text, sizeof text,
               "sinew: 1\nplanar: true\nmaterials: {m: {density: 1000, young: 1e9}}\n"
               "sections: {s: {type: rectangle, width: 0.1, height: 0.1}}\n"
               "bodies: {b: {type: planar-beam, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s, "
               "formulation: %s}}\n"
               "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
               "forces: {f: {type: force, at: b.end, force: [50, 10, 0]}}\n"
               "outputs: {b: {resultant: b.at(0.3)}}\nanalysis: {type: statics}\n",
               within ? 4 : 10, formulations[k]);
      open_run(&r, text, NULL);
      if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
      assert_int_equal(sn_read(r.simulation, "b", y, 5), 5);
      for (int i = 0; i < 5; i++) assert_below(fabs(y[i] / exact[i] - 1), 4e-3, "resultant %d, %s", i, formulations[k]);
      close_run(&r);
    }
}

/* Strain energy of the ancf-s beam without shear against a second quadrature: r is the Hermite cubic of the nodes,
 *   U = 1/2 int EA eps^2 + EI r''.r'' dx,   eps = (r'.r' - 1)/2
 * The integrand has degree 8: composite Simpson's rule with 2000 intervals gives it to 1e-9. Random shapes, so that no
 * weight of a quadrature point can be wrong. */
static void test_strain_energy(void **state) {
  (void)state;
  enum { INTERVALS = 2000 };
  const double L = 1.2, EA = 3e6 * 0.0018, EI = 3e6 * 1.215e-8;
  fixture f;
  uint64_t seed = 5;
  open_fixture(&f,
               "sinew: 1\nplanar: true\nmaterials: {soft: {density: 5540, young: 3e6}}\n"
               "sections: {general: {type: general, A: 0.0018, Izz: 1.215e-8, Iyy: 1.215e-8}}\n"
               "bodies: {beam: {type: planar-beam, formulation: ancf-s, theory: euler-bernoulli, from: [0, 0, 0], "
               "to: [1.2, 0, 0], elements: 1, material: soft, section: general}}\n",
               NULL);
  assert_int_equal(f.model->n, 8);
  for (int k = 0; k < 20; k++) {
    sn_energy energy = {0};
    double *q = f.state.q, U = 0;
    add_noise(&seed, 0.3, q, 8);
    sn_system_energy(f.system, &f.state, &energy);
    for (int i = 0; i <= INTERVALS; i++) {
      double s = (double)i / INTERVALS, weight = (i == 0 || i == INTERVALS ? 1 : i % 2 ? 4 : 2) * L / (3 * INTERVALS);
      double d[4] = {6 * (s * s - s) / L, 1 - 4 * s + 3 * s * s, 6 * (s - s * s) / L, 3 * s * s - 2 * s};
      double dd[4] = {(12 * s - 6) / (L * L), (6 * s - 4) / L, (6 - 12 * s) / (L * L), (6 * s - 2) / L};
      double slope[2] = {0}, second[2] = {0};
      for (int j = 0; j < 8; j++) slope[j % 2] += d[j / 2] * q[j], second[j % 2] += dd[j / 2] * q[j];
      double eps = (inner(slope, slope, 2) - 1) / 2;
      U += weight / 2 * (EA * eps * eps + EI * inner(second, second, 2));
    }
    assert_below(fabs(energy.strain / U - 1), 1e-8, "strain energy of shape %d", k);
  }
  close_fixture(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bars_are_one),       cmocka_unit_test(test_green_strain),
      cmocka_unit_test(test_formulations_agree), cmocka_unit_test(test_shear_is_small),
      cmocka_unit_test(test_rigid_limit),        cmocka_unit_test(test_constant_mass),
      cmocka_unit_test(test_rotary_inertia),     cmocka_unit_test(test_resultants),
      cmocka_unit_test(test_strain_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
