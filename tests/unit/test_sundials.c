/* test_sundials.c - ida, adams, erk and symplectic-euler: reference values, agreement, drift, energy, cost, failures.
 */
#include "integrator/ida_matrix.h"
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"

/* ---- reference values ---- */

typedef struct reference {
  double t, x[2];
} reference;

/* Each time is the end of a run of its own, so that steps land on it. */
static void check_references(const char *model, const char *name, double tolerance, const char *output,
                             const reference *list, int count, double limit) {
  for (int k = 0; k < count; k++) {
    run r;
    double y[9];
    sn_options options = {.integrator = name, .tolerance = tolerance, .until = list[k].t};
    open_run(&r, model, &options);
    advance(&r, list[k].t);
    assert_true(sn_read(r.simulation, output, y, 9) > 0);
    assert_below(distance(y, list[k].x, 2), limit, "%s: %s at t = %g", name, output, list[k].t);
    close_run(&r);
  }
}

/* A1. From the closed solution by elliptic functions (benchmarks page, values to all digits shown). */
static void test_simple_pendulum(void **state) {
  (void)state;
  static const reference list[] = {
      {1, {0.9862917511, -0.1650108531}}, {5, {-0.9423054350, -0.3347543384}}, {10, {-0.2750874626, -0.9614192051}}};
  check_references("models/simple-pendulum.yaml", "ida", 1e-12, "bob", list, 3, 1e-8);
  check_references("models/simple-pendulum.yaml", "adams", 1e-12, "bob", list, 3, 1e-8);
  check_references("models/simple-pendulum.yaml", "erk", 1e-10, "bob", list, 3, 1e-8);
  check_references("models/simple-pendulum.yaml", "tr-bdf2", 1e-10, "bob", list, 3, 1e-6);
}

/* B1. Computed independently for the same ten elements (benchmarks page, values to all digits shown). */
static void test_flexible_pendulum(void **state) {
  (void)state;
  static const reference list[] = {{0.50, {-0.193428113, -0.952584297}}, {1.00, {-0.926413692, 0.104542175}}};
  check_references("models/pendulum.yaml", "ida", 1e-7, "tip", list, 2, 1e-7);
  check_references("models/pendulum.yaml", "adams", 1e-7, "tip", list, 2, 1e-7);
  check_references("models/pendulum.yaml", "erk", 1e-7, "tip", list, 2, 1e-7);
}

/* The same pendulum in m and kg, in mm and t, and in km: the same motion. */
static void test_units(void **state) {
  (void)state;
  static const char *const names[] = {"ida", "adams", "erk"};
  static const double units[] = {1, 1000, 1e-3};
  for (size_t k = 0; k < SN_COUNT(names); k++) {
    double tip[SN_COUNT(units)][9];
    for (size_t i = 0; i < SN_COUNT(units); i++) {
      char text[800];
      run r;
      snprintf(text, sizeof text,
               "sinew: 1\nparameters: {u: %g, L: 2.5*u}\ngravity: [0, 0, -9.81*u]\nbodies: {rod: {type: rigid, from: "
               "[0, 0, 0], to: [0, L*cos(0.3), L*sin(0.3)], mass: 20/u, inertia: [1e-3*u, 20/u*L^2/12, 20/u*L^2/12]}}\n"
               "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [1, 0, 0]}}\n"
               "outputs: {tip: {point: rod.end}}\nanalysis: {type: dynamics, duration: 10, integrator: {type: %s, "
               "relative: 1e-7, absolute: %g}}\n",
               units[i], names[k], 1e-7 * units[i]);
      open_run(&r, text, NULL);
      advance(&r, 10);
      read_output(&r, "tip", tip[i], 9);
      for (int j = 0; j < 3; j++) tip[i][j] /= units[i];
      close_run(&r);
      assert_below(distance(tip[i], tip[0], 3), 1e-5, "%s, unit of 1/%g m", names[k], units[i]);
    }
  }
}

/* A2. Angles at t = 0.03 of the IVP test set (benchmarks page); the outputs count from the start. erk, gam and adams at
 * 1e-13, and erk with steps of 1e-6 and 5e-7 s, agree with each other within 1e-10 and differ from the published Theta
 * by 1.4e-9: so far the published digits can be compared with, and so far they are. */
static void test_squeezer(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double start, end;
  } list[] = {
      {"beta", -0.0617138900142764496, 15.81077119629904},  {"Theta", 0, -15.75637105984298},
      {"gamma", 0.455279819163070380, 0.04082224013073101}, {"Phi", 0.222668390165885885, -0.5347301163226948},
      {"delta", 0.487364979543842550, 0.5244099658805304},  {"Omega", -0.222668390165885885, 0.5347301163226948},
      {"epsilon", 1.23054744454982119, 1.048080741042263}};
  run r;
  sn_options options = {.integrator = "ida", .tolerance = 1e-12, .until = 0.03};
  open_run(&r, "models/andrews.yaml", &options);
  advance(&r, 0.03);
  for (size_t k = 0; k < SN_COUNT(list); k++) {
    double y[2];
    assert_int_equal(sn_read(r.simulation, list[k].name, y, 2), 2);
    assert_below(fabs(y[0] - (list[k].end - list[k].start)), 2e-9, "%s", list[k].name);
  }
  close_run(&r);
}

/* ---- agreement ---- */

/* Rigid bodies in space, damped, swinging out of every plane of symmetry. */
static const char double_pendulum[] = HEAD
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"
    "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.2]}}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, a.start]}\n"
    "  hinge: {type: revolute, between: [a.end, b.start], axis: [1, 0, 1]}\n"
    "forces: {damper: {type: spring, between: ['ground.at(1.5, 1, 0)', b.end], stiffness: 30, damping: 4}}\n";

/* A planar linkage built in space from hinges: three of its equations repeat others. */
static const char linkage[] = HEAD
    "bodies:\n"
    "  crank: {type: rigid, from: [0, 0, 0], to: [0.3, 0.4, 0], mass: 1, shape: {type: cylinder, radius: 0.02}}\n"
    "  coupler: {type: rigid, from: [0.3, 0.4, 0], to: [1, 1, 0], mass: 2, shape: {type: cylinder, radius: 0.02}}\n"
    "  rocker: {type: rigid, from: [1, 1, 0], to: [1, 0, 0], mass: 2, shape: {type: cylinder, radius: 0.02}}\n"
    "joints:\n"
    "  hinge1: {type: revolute, between: [ground, crank.start], axis: [0, 0, 1]}\n"
    "  hinge2: {type: revolute, between: [crank.end, coupler.start], axis: [0, 0, 1]}\n"
    "  hinge3: {type: revolute, between: [coupler.end, rocker.start], axis: [0, 0, 1]}\n"
    "  hinge4: {type: revolute, between: [ground, rocker.end], axis: [0, 0, 1]}\n";

static double *solve(const char *model, sn_options options, int *n) {
  run r;
  open_run(&r, model, &options);
  *n = r.model->n;
  advance(&r, options.until);
  assert_true(sn_time(r.simulation) == options.until);
  double *x = malloc(2 * (size_t)*n * sizeof(double));
  memcpy(x, r.simulation->state.q, (size_t)*n * sizeof(double));
  memcpy(x + *n, r.simulation->state.v, (size_t)*n * sizeof(double));
  close_run(&r);
  return x;
}

/* All against hht-i3 with a small step, whose error is its own second-order one: the first row checks it. */
static void check_agreement(const char *model, double until) {
  static const struct {
    const char *name;
    double tolerance, step, limit;
  } others[] = {{"hht-i3", 0, 1e-4, 2e-6},
                {"ida", 1e-10, 0, 2e-6},
                {"adams", 1e-10, 0, 2e-6},
                {"tr-bdf2", 0, 1e-4, 2e-6},
                {"symplectic-euler", 0, 5e-5, 2e-3}};
  int n;
  double *x = solve(model, (sn_options){.integrator = "erk", .tolerance = 1e-10, .until = until}, &n);
  for (size_t k = 0; k < SN_COUNT(others); k++) {
    sn_options options = {
        .integrator = others[k].name, .tolerance = others[k].tolerance, .step = others[k].step, .until = until};
    double *y = solve(model, options, &n);
    assert_below(distance(x, y, n), others[k].limit, "%s and erk, positions", others[k].name);
    assert_below(distance(x + n, y + n, n), 10 * others[k].limit, "%s and erk, velocities", others[k].name);
    free(y);
  }
  free(x);
}

static void test_agreement(void **state) {
  (void)state;
  check_agreement(double_pendulum, 0.8);
  check_agreement(linkage, 0.5);
}

/* ---- the Jacobian of ida against differences ---- */

typedef struct form {
  fixture f;
  double *y, *rate, *reaction; /* (q, v, eta, zeta) and its rate */
  double c, s;                 /* y + s e_j, rate + c s e_j */
  int j;
} form;

static void form_residual(fixture *f, double *r) {
  form *w = (form *)(void *)f; /* the fixture is its first member */
  int n = f->model->n, m = f->model->m;
  double y = w->y[w->j], rate = w->rate[w->j];
  w->y[w->j] += w->s;
  w->rate[w->j] += w->c * w->s;
  sn_state at = {.t = 0.3, .q = w->y, .v = w->y + n, .a = w->rate + n, .l = w->rate + 2 * n};
  sn_system_residual(f->system, &at, 1, r);
  sn_system_reaction(f->system, &at, w->rate + 2 * n + m, w->reaction);
  for (int i = 0; i < n; i++) r[n + i] = w->rate[i] - at.v[i] + w->reaction[i];
  sn_system_velocity(f->system, &at, r + 2 * n);
  sn_system_position(f->system, &at, r + 2 * n + m);
  w->y[w->j] = y;
  w->rate[w->j] = rate;
}

static const char driven[] = HEAD
    "materials: {soft: {density: 1200, young: 4e4}}\n"
    "sections: {thick: {type: rectangle, width: 0.12, height: 0.15}}\n"
    "bodies:\n"
    "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"
    "  b: {type: cable, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], elements: 2, material: soft, section: thick}\n"
    "  c: {type: point-mass, mass: 1, position: [1.1, -1, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, a.start], axis: [0, 1, 0]}\n"
    "  turn: {type: motion, between: [ground, a.start], rotation: 0.3*sin(5*t), axis: [0, 1, 0]}\n"
    "  pin: {type: spherical, between: [a.end, b.start]}\n"
    "  rod: {type: distance, between: [b.end, c]}\n"
    "forces: {damper: {type: spring, between: ['ground.at(1.5, 1, 0)', c], stiffness: 30, damping: 4}}\n";

static void test_jacobian(void **state) {
  (void)state;
  form w = {.c = 7};
  fixture *f = &w.f;
  open_fixture(f, driven, "klu");
  int n = f->model->n, m = f->model->m, size = 2 * (n + m);
  uint64_t seed = 3;
  w.y = calloc((size_t)(4 * size), sizeof(double));
  w.rate = w.y + size;
  double *column = w.rate + size, *expected = column + size;
  w.reaction = calloc((size_t)n, sizeof(double));
  memcpy(w.y, f->state.q, (size_t)n * sizeof(double));
  add_noise(&seed, 0.03, w.y, n);
  add_noise(&seed, 1, w.y + n, size - n);
  add_noise(&seed, 1, w.rate, size - m); /* mu = 0: its derivative is left out */
  SUNContext context;
  SUNContext_Create(NULL, &context);
  sn_ida_matrix J = {0};
  assert_true(sn_ida_matrix_create(&J, f->system));
  assert_true(J.colors > 0 && J.colors <= 20);
  SUNMatrix A = SUNSparseMatrix(size, size, J.entries, CSC_MAT, context);
  sn_state at = {.t = 0.3, .q = w.y, .v = w.y + n, .a = w.rate + n, .l = w.rate + 2 * n};
  sn_ida_matrix_fill(&J, &at, w.c, A);
  const sunindextype *start = SUNSparseMatrix_IndexPointers(A), *row = SUNSparseMatrix_IndexValues(A);
  for (w.j = 0; w.j < size; w.j++) {
    memset(column, 0, (size_t)size * sizeof(double));
    for (sunindextype e = start[w.j]; e < start[w.j + 1]; e++) column[row[e]] += SUNSparseMatrix_Data(A)[e];
    difference(f, form_residual, size, &w.s, 1e-4, expected);
    assert_below(distance(column, expected, size) / fmax(1, largest(expected, size)), 1e-7, "column %d of %d", w.j,
                 size);
  }
  SUNMatDestroy(A);
  sn_ida_matrix_free(&J);
  SUNContext_Free(&context);
  free(w.y);
  free(w.reaction);
  close_fixture(f);
}

/* ---- mechanisms in space ---- */

/* Euler parameters and closed loops pass through every place where one choice of coordinates or another would be
 * singular. Against radau at 1e-11, and within ten times the tolerance. */
static void test_space(void **state) {
  (void)state;
  static const struct {
    const char *model, *output;
    double until;
  } cases[] = {{"models/heavy-top.yaml", "center", 2},
               {"models/governor.yaml", "ball", 2},
               {"models/spatial-slider-crank.yaml", "slider", 1}};
  static const double tolerances[] = {1e-3, 1e-5, 1e-8};
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    double exact[9], y[9];
    for (int i = -1; i < 3; i++) {
      run r;
      sn_options options = {
          .integrator = i < 0 ? "radau" : "adams", .tolerance = i < 0 ? 1e-11 : tolerances[i], .until = cases[k].until};
      open_run(&r, cases[k].model, &options);
      advance(&r, cases[k].until);
      sn_read(r.simulation, cases[k].output, i < 0 ? exact : y, 9);
      if (i >= 0)
        assert_below(distance(y, exact, 3), 10 * tolerances[i], "%s by adams at %g", cases[k].model, tolerances[i]);
      close_run(&r);
    }
  }
}

/* No motion is left, or all of it is driven: nothing to choose, and nothing goes wrong. */
static void test_prescribed(void **state) {
  (void)state;
  run r;
  sn_options options = {.integrator = "adams", .tolerance = 1e-6, .until = 1};
  open_run(
      &r,
      HEAD
      "bodies: {a: {type: rigid, position: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n  pin: {type: revolute, between: ['ground.at(0, 0, 0)', 'a.at(-1, 0, 0)'], axis: [0, 0, 1]}\n"
      "  drive: {type: motion, between: ['ground.at(0, 0, 0)', 'a.at(-1, 0, 0)'], axis: [0, 0, 1], rotation: 3*t}\n",
      &options);
  advance(&r, 1);
  assert_below(hypot(r.simulation->state.q[0] - cos(3), r.simulation->state.q[1] - sin(3)), 1e-12, "driven turn");
  close_run(&r);
}

/* ---- drift ---- */

static double drift(const char *baumgarte) {
  char text[400];
  run r;
  double phi[1], most = 0;
  snprintf(text, sizeof text,
           HEAD
           "bodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}\n"
           "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
           "analysis: {type: dynamics, duration: 80, integrator: {type: erk, order: 3, tolerance: 1e-4%s}}\n",
           baumgarte);
  open_run(&r, text, NULL);
  while (sn_time(r.simulation) < 80) {
    assert_int_equal(sn_step(r.simulation), SN_OK);
    sn_system_position(r.simulation->system, &r.simulation->state, phi);
    most = fmax(most, fabs(phi[0]));
  }
  close_run(&r);
  return most;
}

static void test_drift(void **state) {
  (void)state;
  double held = drift(""), free = drift(", alpha: 0, beta: 0");
  assert_below(held, 1e-4, "largest |Phi| with Baumgarte");
  assert_below(100 * held, free, "and without");
}

/* ---- symplectic Euler: energy ---- */

/* B1, h = 1e-4, 10 s. The method keeps E - h/2 v.dV/dq to second order; the energy itself swings about its start by
 * h/2 v.dV/dq, which grows as the motion passes into vibrations of higher frequency. */
static void test_energy(void **state) {
  (void)state;
  run r;
  const double h = 1e-4, kinetic = 13.8; /* J, the largest */
  double energy[SN_ENERGIES], most = 0, mean = 0, most_kept = 0;
  sn_options options = {.integrator = "symplectic-euler", .step = h, .until = 10};
  open_run(&r, "models/pendulum.yaml", &options);
  sn_system *s = r.simulation->audit;
  double *slope = malloc((size_t)s->n * sizeof(double));
  for (int k = 1; k <= 1000; k++) {
    advance(&r, 0.01 * k);
    sn_state at = r.simulation->state;
    sn_read(r.simulation, "energy", energy, SN_ENERGIES);
    at.a = s->zero, at.l = s->zero + s->n;
    sn_system_residual(s, &at, 0, slope);
    most = fmax(most, fabs(energy[SN_E_ERROR]));
    most_kept = fmax(most_kept, fabs(energy[SN_E_ERROR] - h / 2 * inner(at.v, slope, s->n)));
    mean += energy[SN_E_ERROR] / 1000;
  }
  assert_below(most, 0.005 * kinetic, "largest energy error");
  assert_below(fabs(mean), 0.0005 * kinetic, "its mean");
  assert_below(most_kept, 0.2 * most, "error of the energy the method keeps"); /* h w is near 1 for the highest w */
  assert_int_equal(sn_simulation_statistics(r.simulation)->factorizations, 1); /* M and G are constant */
  free(slope);
  close_run(&r);
}

/* A constant matrix [M G'; G 0] is factorized once (none is counted where the start has done it); one that turns with
 * a rigid body is not kept. */
static void test_constant_mass(void **state) {
  (void)state;
  static const struct {
    const char *model, *integrator;
    bool constant;
  } all[] = {{"models/pendulum.yaml", "erk", true},
             {"models/pendulum.yaml", "adams", true},
             {"models/plate-pendulum.yaml", "erk", true},
             {"models/heavy-top.yaml", "erk", false},
             {"models/slider-crank.yaml", "erk", false}};
  for (size_t i = 0; i < SN_COUNT(all); i++) {
    run r;
    sn_options options = {.integrator = all[i].integrator, .tolerance = 1e-4, .until = 0.01};
    open_run(&r, all[i].model, &options);
    advance(&r, 0.01);
    long steps = sn_simulation_statistics(r.simulation)->steps;
    long factorizations = sn_simulation_statistics(r.simulation)->factorizations;
    assert_true(steps >= 2);
    if (all[i].constant ? factorizations > 1 : factorizations < steps)
      fail_msg("%s, %s: %ld factorizations in %ld steps", all[i].model, all[i].integrator, factorizations, steps);
    close_run(&r);
  }
}

/* Another matrix in between takes the place of the kept one. */
static void test_kept_mass_after_another_matrix(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/pendulum.yaml", &(sn_options){.integrator = "erk"});
  sn_system *s = r.simulation->system;
  const int size = s->n + s->m;
  double *x = malloc(2 * (size_t)size * sizeof(double)), *y = x + size;
  for (int i = 0; i < size; i++) x[i] = y[i] = 1;
  assert_true(sn_system_factor_mass(s, &r.simulation->state));
  sn_system_solve(s, x);
  assert_true(sn_system_factor(s, &r.simulation->state, 1, 1, 0, 1e-3));
  assert_true(sn_system_factor_mass(s, &r.simulation->state));
  sn_system_solve(s, y);
  assert_memory_equal(x, y, (size_t)size * sizeof(double));
  free(x);
  close_run(&r);
}

/* ---- cost against stiffness: explicit grows, implicit does not ---- */

static long cost(const char *name, const char *young) {
  char text[600];
  run r;
  sn_options options = {.integrator = name, .tolerance = 1e-4, .until = 0.2};
  snprintf(
      text, sizeof text,
      HEAD
      "materials: {m: {density: 7800, young: %s}}\n"
      "sections: {square: {type: rectangle, width: 0.04, height: 0.04}}\n"
      "bodies: {beam: {type: cable, from: [0, 0, 0], to: [0.4, 0, 0], elements: 2, material: m, section: square}}\n"
      "joints: {pin: {type: spherical, between: [ground, beam.start]}}\n",
      young);
  open_run(&r, text, &options);
  advance(&r, options.until);
  long residuals = sn_simulation_statistics(r.simulation)->residuals;
  close_run(&r);
  return residuals;
}

static void test_cost(void **state) {
  (void)state;
  double adams[2] = {(double)cost("adams", "2e6"), (double)cost("adams", "2e10")};
  const char *const local = "{type: hht-i3, bounds: step}";
  double hht[2] = {(double)cost(local, "2e6"), (double)cost(local, "2e10")};
  assert_below(30 * adams[0], adams[1], "evaluations of adams, soft and 10,000 times stiffer");
  assert_below(hht[1], 3 * hht[0], "evaluations of hht-i3, stiff and soft"); /* it follows the first vibrations */
}

/* M x of corrections as small as Newton's method of tr-bdf2 has them at tight tolerances: 2^-45 times M x of x of size 1. Beside
 * the forces of a stiff rod they were rounded off, and the iteration did not converge. */
static void test_mass_times_small(void **state) {
  (void)state;
  const double scale = 0x1p-45;
  run r;
  open_run(&r, "models/flexible-slider-crank.yaml", &(sn_options){.integrator = "radau", .until = 0.002});
  advance(&r, 0.002);
  sn_system *system = r.simulation->system;
  double x[100], y[100], small_x[100], small_y[100], largest = 0;
  assert_true(system->n < 100);
  for (int i = 0; i < system->n; i++) x[i] = sin(i + 1.0), small_x[i] = scale * x[i];
  sn_system_mass_times(system, &r.simulation->state, x, y);
  sn_system_mass_times(system, &r.simulation->state, small_x, small_y);
  for (int i = 0; i < system->n; i++) largest = fmax(largest, fabs(y[i]));
  for (int i = 0; i < system->n; i++)
    assert_below(fabs(small_y[i] / scale - y[i]), 1e-9 * largest, "M x of the coordinate %d", i);
  close_run(&r);
}

/* The largest number of iterations is between their mean, over attempts, and their sum, with every method that
 * iterates. */
static void test_most_iterations(void **state) {
  (void)state;
  static const char *const names[] = {"ida", "adams", "tr-bdf2", "radau", "hht-i3", "hht-add"};
  for (size_t k = 0; k < SN_COUNT(names); k++) {
    run r;
    open_run(&r, "models/slider-crank.yaml", &(sn_options){.integrator = names[k], .tolerance = 1e-4, .until = 0.1});
    advance(&r, 0.1);
    const sn_statistics *s = sn_simulation_statistics(r.simulation);
    double attempts = (double)(s->steps + s->error_rejections + s->newton_rejections);
    assert_below((double)s->iterations / attempts, (double)s->most_iterations + 1e-9, "%s: mean of iterations",
                 names[k]);
    assert_true(s->most_iterations < s->iterations);
    close_run(&r);
  }
}

/* ---- tolerances ---- */

static long steps(const char *settings) {
  char text[500];
  run r;
  snprintf(text, sizeof text,
           HEAD
           "bodies: {bob: {type: point-mass, mass: 1, position: [-10, 0, 0]}}\n"
           "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
           "analysis: {type: dynamics, duration: 2, integrator: {%s}}\n",
           settings);
  open_run(&r, text, NULL);
  advance(&r, 2);
  long count = sn_simulation_statistics(r.simulation)->steps;
  close_run(&r);
  return count;
}

static void test_tolerances(void **state) {
  (void)state;
  static const char *const names[] = {"hht-i3", "ida", "adams", "erk"};
  for (size_t k = 0; k < SN_COUNT(names); k++) {
    char one[100], both[100], absolute[100];
    snprintf(one, sizeof one, "type: %s, tolerance: 1e-6", names[k]);
    snprintf(both, sizeof both, "type: %s, relative: 1e-6, absolute: 1e-6", names[k]);
    snprintf(absolute, sizeof absolute, "type: %s, relative: 1e-12, absolute: 1e-6", names[k]);
    assert_int_equal(steps(one), steps(both));
    assert_true(steps(absolute) > steps(one)); /* |q| is 10 here: the relative part counts */
  }
}

/* ---- the same bits twice, with outputs or without; outputs between steps as good as the steps ---- */

static double *record(const char *name, double tolerance, double step, bool sample, int *n, double *off) {
  run r;
  sn_row row;
  sn_options options = {.integrator = name, .tolerance = tolerance, .step = step, .until = 1};
  open_run(&r, "models/simple-pendulum.yaml", &options);
  sn_row_create(r.simulation, &row);
  while (sn_time(r.simulation) < 1) {
    assert_int_equal(sn_step(r.simulation), SN_OK);
    const sn_state *a = &r.simulation->before, *b = &r.simulation->state;
    if (sample) {
      sn_sample(r.simulation, 0.4 * a->t + 0.6 * b->t, &row);
      *off = fmax(*off, fabs(row.energy[SN_E_ERROR]));
    }
  }
  *n = r.model->n;
  double *x = malloc(2 * (size_t)*n * sizeof(double));
  memcpy(x, r.simulation->state.q, (size_t)*n * sizeof(double));
  memcpy(x + *n, r.simulation->state.v, (size_t)*n * sizeof(double));
  close_run(&r);
  return x;
}

static void test_outputs(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double tolerance, step, energy;
  } all[] = {{"ida", 1e-8, 0, 1e-5}, {"adams", 1e-8, 0, 1e-5},   {"erk", 1e-8, 0, 1e-6},
             {"erk", 0, 1e-2, 1e-5}, {"tr-bdf2", 0, 1e-3, 1e-3}, {"symplectic-euler", 0, 1e-4, 1e-2}};
  for (size_t k = 0; k < SN_COUNT(all); k++) {
    int n;
    double off = 0, *x = record(all[k].name, all[k].tolerance, all[k].step, true, &n, &off);
    double *y = record(all[k].name, all[k].tolerance, all[k].step, false, &n, &off);
    assert_memory_equal(x, y, 2 * (size_t)n * sizeof(double));
    assert_below(off, all[k].energy, "%s: energy error between steps", all[k].name);
    free(x);
    free(y);
  }
}

/* ---- failures name the cause and a remedy ---- */

static void check_failure(const char *model, const sn_options *options, const char *cause, const char *remedy) {
  sn_context *context = sn_context_create();
  sn_model *m = NULL;
  sn_simulation *s = NULL;
  size_t length = strlen(model);
  sn_status status = strcmp(model + length - 5, ".yaml") == 0
                         ? sn_model_load(context, model, NULL, 0, &m)
                         : sn_model_parse(context, "text", model, length, NULL, 0, &m);
  assert_int_equal(status, SN_OK);
  status = sn_simulation_create(m, options, &s);
  if (status == SN_OK) status = sn_advance(s, options->until);
  assert_true(status != SN_OK);
  if (!strstr(sn_message(context), cause) || !strstr(sn_message(context), remedy)) fail_msg("%s", sn_message(context));
  sn_simulation_free(s);
  sn_model_free(m);
  sn_context_free(context);
}

static void test_failures(void **state) {
  (void)state;
  sn_options ida = {.integrator = "ida", .step = 1e-3, .until = 1};
  check_failure("models/pendulum.yaml", &ida, "ida has adaptive steps only", "tolerance");
  sn_options euler = {.integrator = "symplectic-euler", .tolerance = 1e-3, .until = 1};
  check_failure("models/pendulum.yaml", &euler, "symplectic-euler has no error control", "fixed step");
  sn_options unstable = {.integrator = "symplectic-euler", .step = 2e-3, .until = 1};
  check_failure("models/pendulum.yaml", &unstable, "grows without bound", "'beam'");
  sn_options rounding = {.integrator = "ida", .tolerance = 1e-17, .until = 1};
  check_failure("models/simple-pendulum.yaml", &rounding, "below the rounding error", "larger tolerance");
  sn_options fixed = {.integrator = "erk", .step = 0.02, .until = 1};
  check_failure("models/pendulum.yaml", &fixed, "no solution for the accelerations", "smaller step");
}

/* A force that is not defined beyond t = 1: trial steps that reach there are cut, and the run comes as near as it can.
 */
static void test_trial_steps(void **state) {
  (void)state;
  static const char *const methods[] = {"erk", "adams", "ida"};
  for (int i = 0; i < 3; i++) {
    run r;
    sn_options options = {.integrator = methods[i], .tolerance = 1e-6, .until = 2};
    open_run(&r,
             HEAD
             "bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
             "forces: {f: {type: force, at: a, force: [sqrt(1 - t), 0, 0]}}\n",
             &options);
    assert_int_equal(sn_advance(r.simulation, 2), SN_NUMERICS);
    assert_below(1 - sn_time(r.simulation), 1e-6, "%s stops before the end of the force by", methods[i]);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simple_pendulum),
      cmocka_unit_test(test_flexible_pendulum),
      cmocka_unit_test(test_squeezer),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_agreement),
      cmocka_unit_test(test_jacobian),
      cmocka_unit_test(test_space),
      cmocka_unit_test(test_trial_steps),
      cmocka_unit_test(test_prescribed),
      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_energy),
      cmocka_unit_test(test_constant_mass),
      cmocka_unit_test(test_kept_mass_after_another_matrix),
      cmocka_unit_test(test_cost),
      cmocka_unit_test(test_most_iterations),
      cmocka_unit_test(test_mass_times_small),
      cmocka_unit_test(test_outputs),
      cmocka_unit_test(test_tolerances),
      cmocka_unit_test(test_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
