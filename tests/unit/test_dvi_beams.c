/* test_dvi_beams.c - contact by complementarity on cables: thesis models 1 and 3, friction on a drum, solvers against
 * each other. */
#include "support.h"

static double value(run *r, const char *name, int column) {
  double values[16] = {0};
  assert_true(sn_read(r->simulation, name, values, 16) > (size_t)column);
  return values[column];
}

/* The text of models/pendulum-peg-dvi.yaml with the analysis and the contact replaced. */
static const char beam[] =
    "sinew: 1\ngravity: [0, -9.81, 0]\n"
    "materials: {rubber: {density: 7200, young: 2e7, poisson: 0.3}}\n"
    "sections: {round: {type: circle, radius: 0.01}}\n"
    "bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: rubber, section: round}, "
    "weight: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
    "joints: {pin: {type: spherical, between: [ground, beam.start]}, tip: {type: spherical, between: [beam.end, "
    "weight]}}\n"
    "surfaces: {beam: {type: spheres, on: beam, count: 100}, "
    "cylinder: {type: cylinder, from: [0.5, -0.1, -0.2], to: [0.5, -0.1, 0.2], radius: 0.01}}\n"
    "contacts: {touch: {%s}}\noutputs: {tip: {point: beam.end}, touch: {contact: [beam, ground]}}\n"
    "analysis: {type: dynamics, duration: 2, integrator: {type: symplectic-euler, %s}}\n";

static void open_beam(run *r, const char *contact, const char *integrator) {
  char text[2048];
  snprintf(text, sizeof text, beam, contact, integrator);
  open_run(r, text, NULL);
}

/* ---- energy, as in figures 56 and 59 of the thesis: kept with e = 1, lost with e = 0; accounted for in both ---- */

static void energy_of_impacts(void **state) {
  (void)state;
  for (int e = 0; e <= 1; e++) {
    run r;
    char contact[64];
    double largest = 0, kinetic = 0;
    snprintf(contact, sizeof contact, "method: dvi, restitution: %d", e);
    open_beam(&r, contact, "step: 2e-5");
    for (int k = 1; k <= 50; k++) {
      advance(&r, 0.02 * k);
      largest = fmax(largest, fabs(value(&r, "energy", SN_E_ERROR)));
      kinetic = fmax(kinetic, value(&r, "energy", SN_E_KINETIC));
    }
    double lost = value(&r, "energy", SN_E_TOTAL);
    print_message("e = %d: total %.4f J from 0, error %.1e of the largest kinetic energy %.2f J\n", e, lost,
                  largest / kinetic, kinetic);
    assert_below(largest / kinetic, 2e-3, "energy balance with e = %d", e);
    if (e == 0) assert_below(lost, -0.05 * kinetic, "energy lost by impacts");
    if (e == 1) assert_below(fabs(lost), 2e-3 * kinetic, "energy kept");
    close_run(&r);
  }
}

/* ---- the same as penalty, until small differences have grown ---- */

static void agrees_with_penalty(void **state) {
  (void)state;
  run dvi, penalty;
  double before = 0;
  int touched = 0;
  open_beam(&dvi, "method: dvi, friction: 0.1", "step: 2e-5");
  open_beam(&penalty, "friction: 0.1, damping: 10", "step: 2e-5");
  for (int k = 1; k <= 25; k++) {
    double d[2];
    advance(&dvi, 0.02 * k);
    advance(&penalty, 0.02 * k);
    for (int a = 0; a < 2; a++) d[a] = value(&dvi, "tip", a) - value(&penalty, "tip", a);
    before = fmax(before, hypot(d[0], d[1]));
    touched += value(&dvi, "touch", 3) > 0 && value(&penalty, "touch", 3) > 0;
  }
  assert_true(touched > 5);
  print_message("largest distance of the tips in 0.5 s: %.2e m\n", before);
  assert_below(before, 5e-3, "distance of the tips");
  close_run(&dvi);
  close_run(&penalty);
}

/* ---- table 5: steps of 1e-3 ---- */

static void long_steps(void **state) {
  (void)state;
  run fine, coarse;
  open_beam(&fine, "method: dvi, friction: 0.1", "step: 2e-5");
  open_beam(&coarse, "method: dvi, friction: 0.1", "step: 1e-3, elastic: implicit");
  advance(&fine, 0.3);
  advance(&coarse, 0.3);
  assert_below(
      hypot(value(&fine, "tip", 0) - value(&coarse, "tip", 0), value(&fine, "tip", 1) - value(&coarse, "tip", 1)), 0.01,
      "tip at 0.3 s");
  advance(&coarse, 2);
  assert_below(value(&coarse, "energy", SN_E_TOTAL), 1e-2, "energy at the end");
  assert_true(value(&coarse, "energy", SN_E_KINETIC) < 8);
  close_run(&fine);
  close_run(&coarse);
}

/* ---- solvers ---- */

static void solvers_agree(void **state) {
  (void)state;
  static const char *const solver[] = {"apgd", "gauss-seidel", "jacobi", "interior-point", "lemke"};
  double tip[SN_COUNT(solver)][2];
  for (size_t k = 0; k < SN_COUNT(solver); k++) {
    run r;
    char settings[128];
    snprintf(settings, sizeof settings,
             "step: 5e-5, contact_tolerance: 1e-11, contact_iterations: 100000, contact_solver: %s", solver[k]);
    open_beam(&r, "method: dvi, friction: 0.2", settings);
    advance(&r, 0.4);
    for (int a = 0; a < 2; a++) tip[k][a] = value(&r, "tip", a);
    assert_true(r.simulation->system->statistics.contact.most > 0);
    assert_int_equal(r.simulation->system->statistics.contact.misses, 0);
    close_run(&r);
  }
  for (size_t k = 1; k < SN_COUNT(solver); k++) assert_below(distance(tip[0], tip[k], 2), 1e-6, "tip by %s", solver[k]);
}

/* ---- a cable lies half around a drum that turns under it: the fixed end holds exp(mu pi) times the pull ---- */

static void capstan(void **state) {
  (void)state;
  const double mu = 0.25;
  run r;
  open_run(&r,
           "sinew: 1\n"
           "materials: {m: {density: 1000, young: 1e7}}\nsections: {s: {type: circle, radius: 0.005}}\n"
           "bodies: {line: {type: cable, from: [-0.105, 0, 0], via: [0, 0.105, 0], to: [0.105, 0, 0], elements: 24, "
           "material: m, section: s, mass_damping: 100}, "
           "drum: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {hold: {type: spherical, between: [ground, line.start]}, axle: {type: revolute, between: [ground, "
           "drum.center]}, turn: {type: motion, joint: axle, rotation: -t*t/(t + 0.05)}}\n"
           "forces: {pull: {type: force, at: line.end, force: [0, '-10*step(t, 0, 0, 0.05, 1)', 0]}}\n"
           "surfaces: {skin: {type: spheres, on: line, count: 97}, "
           "drum: {type: cylinder, on: drum, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.1}}\n"
           "contacts: {touch: {method: dvi, friction: 0.25}}\n"
           "outputs: {hold: {reaction: hold}}\n"
           "analysis: {type: dynamics, duration: 0.2, integrator: {type: symplectic-euler, step: 1e-4, elastic: "
           "implicit, contact_tolerance: 1e-5}}\n",
           NULL);
  advance(&r, 0.15);
  double force = 0;
  for (int k = 1; k <= 50; k++) { /* the mean of the last quarter: impulses of single steps scatter */
    advance(&r, 0.15 + 1e-3 * k);
    force += hypot(value(&r, "hold", 0), value(&r, "hold", 1)) / 50;
  }
  print_message("tension %.3f of %.3f N, %.0f iterations a step\n", force, 10 * exp(mu * PI),
                (double)r.simulation->system->statistics.contact.iterations / 2000);
  assert_below(fabs(force / (10 * exp(mu * PI)) - 1), 0.03, "tension of the fixed end");
  close_run(&r);
}

/* ---- C3 to its end: the beam wraps around the peg, energy balances, and penalty is a second method for where it is
 * before the end of the beam whips around ---- */

static void beam_wraps(void **state) {
  (void)state;
  run dvi, penalty;
  double worst = 0, kinetic = 0;
  const char *sets[] = {"method=dvi"};
  dvi = (run){.context = sn_context_create()};
  if (sn_model_load(dvi.context, "models/wrap.yaml", sets, 1, &dvi.model) ||
      sn_simulation_create(dvi.model, &(sn_options){.step = 5e-5}, &dvi.simulation))
    fail_msg("%s", sn_message(dvi.context));
  open_run(&penalty, "models/wrap.yaml", &(sn_options){.step = 2e-5});
  advance(&penalty, 1);
  for (int k = 1; k <= 75; k++) {
    advance(&dvi, 0.02 * k);
    worst = fmax(worst, fabs(value(&dvi, "energy", SN_E_ERROR)));
    kinetic = fmax(kinetic, value(&dvi, "energy", SN_E_KINETIC));
    if (k != 50) continue;
    double x = value(&dvi, "tip", 0) - value(&penalty, "tip", 0), y = value(&dvi, "tip", 1) - value(&penalty, "tip", 1);
    print_message("tip at t = 1 s: %.2f mm from that by penalty\n", 1e3 * hypot(x, y));
    assert_below(hypot(x, y), 0.01, "tip of a beam of 3 m");
  }
  print_message("energy error %.1e of %.0f J, friction and impacts %.2f J\n", worst / kinetic, kinetic,
                value(&dvi, "energy", SN_E_FRICTION));
  assert_below(worst / kinetic, 1e-3, "energy balance");
  assert_true(value(&dvi, "energy", SN_E_FRICTION) < -0.01);
  close_run(&dvi);
  close_run(&penalty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_of_impacts), cmocka_unit_test(agrees_with_penalty),
      cmocka_unit_test(long_steps),        cmocka_unit_test(solvers_agree),
      cmocka_unit_test(capstan),           cmocka_unit_test(beam_wraps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
