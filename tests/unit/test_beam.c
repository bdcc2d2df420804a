/* test_beam.c - equilibrium and strain of fully parameterized beams: patch test, rotation, cantilevers against beam
 * theory, roll-up, Bathe's bend.
 *
 * Static problems are solved here by Newton on the assembled equations; loads grow with t from 0 to 1.
 */
#include "support.h"

/* ---- models ---- */

static char *format(const char *pattern, ...) SN_PRINTF(1, 2);
static char *format(const char *pattern, ...) {
  va_list arguments;
  char *text = malloc(2000);
  va_start(arguments, pattern);
  vsnprintf(text, 2000, pattern, arguments);
  va_end(arguments);
  return text;
}

static void open_text(fixture *f, char *text) {
  open_fixture(f, text, "klu");
  free(text);
}

/* A cantilever of length 1 along x, clamped at the start. width along z, height along y. */
static char *cantilever(const char *type, int elements, const char *section, double poisson, const char *load) {
  return format(
      "sinew: 1\n%smaterials: {m: {density: 1000, young: 1e7, poisson: %g}}\nsections: {s: {%s}}\n"
      "bodies: {rod: {%s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}}\n"
      "joints: {clamp: {type: fixed, between: [ground, rod.start]}}\nforces: {load: {at: rod.end, %s}}\n",
      strstr(type, "beam2d") ? "planar: true\ngravity: [0, 0, 0]\n" : "gravity: [0, 0, 0]\n", poisson, section, type,
      elements, load);
}

/* Newton with the load in `steps` equal parts; fails the test when it does not converge. */
static void equilibrium(fixture *f, int steps) {
  int n = f->model->n, m = f->model->m;
  double *x = calloc((size_t)(n + m), sizeof(double));
  for (int k = 1; k <= steps; k++) {
    double size = 1;
    f->state.t = (double)k / steps;
    for (int i = 0; size > 1e-11; i++) {
      if (i == 40) fail_msg("no equilibrium at load %g, correction %g", f->state.t, size);
      sn_system_residual(f->system, &f->state, 0, x);
      sn_system_position(f->system, &f->state, x + n);
      assert_true(sn_system_factor(f->system, &f->state, 0, 0, 0, 1));
      sn_system_solve(f->system, x);
      for (int j = 0; j < n; j++) f->state.q[j] -= x[j];
      for (int j = 0; j < m; j++) f->state.l[j] -= x[n + j];
      size = largest(x, n);
    }
  }
  free(x);
}

/* Vectors of the last node of the only beam. */
static const double *last_node(const fixture *f) {
  int dim = f->model->dim;
  return f->state.q + f->model->n - dim * (dim + 1);
}

/* ---- strain ---- */

static double strain_energy(fixture *f) {
  sn_energy e;
  sn_system_energy(f->system, &f->state, &e);
  return e.strain;
}

static const char *const free_beam =
    "sinew: 1\n%sgravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e5, poisson: 0.3}}\n"
    "sections: {s: {%s}}\nbodies: {rod: {%s, elements: 4, material: m, section: s}}\n";

/* Patch: an affine deformation strains all points alike, so nothing is left to balance at r and r_x of the inner nodes
 * (on r_y and r_z acts what the sides would have to pull), and the energy is that of the volume, 1/2 V E:D:E
 * (elastic-line has other constants; its energy is not compared). */
static void test_patch(void **state) {
  (void)state;
  static const char *const type[] = {"type: beam, elastic: selective", "type: beam, elastic: continuum",
                                     "type: beam, elastic: elastic-line", "type: beam2d, elastic: continuum"};
  static const double general[3][3] = {{1.05, 0.02, -0.03}, {0.04, 0.97, 0.01}, {0.02, -0.05, 0.98}};
  /* elastic-line takes shear at the nodes: no patch of constant shear; turned stretches */
  static const double turned[3][3] = {{0.8 * 1.05, -0.6 * 0.97, 0}, {0.6 * 1.05, 0.8 * 0.97, 0}, {0, 0, 0.99}};
  for (int which = 0; which < 4; which++) {
    const double(*A)[3] = which == 2 ? turned : general;
    fixture f;
    char body[200];
    snprintf(body, sizeof body, "%s, from: [0, 0, 0], to: [1.2, 0, 0]", type[which]);
    open_text(&f,
              format(free_beam, which == 3 ? "planar: true\n" : "", "type: rectangle, width: 0.3, height: 0.2", body));
    int dim = f.model->dim, size = dim * (dim + 1), n = f.model->n;
    for (int i = 0; i < n; i += dim) {
      double y[3] = {0};
      for (int a = 0; a < dim; a++)
        for (int b = 0; b < dim; b++) y[a] += A[a][b] * f.state.q[i + b];
      memcpy(f.state.q + i, y, (size_t)dim * sizeof(double));
    }
    double *r = calloc((size_t)n, sizeof(double)), E[3][3], trace = 0, square = 0;
    sn_system_residual(f.system, &f.state, 0, r);
    assert_true(largest(r, size) > 10); /* the ends pull */
    for (int i = size; i < n - size; i += size)
      assert_below(largest(r + i, 2 * dim) / largest(r, size), 1e-13, "%s: force at inner nodes", type[which]);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) {
        E[i][j] = i == j ? -0.5 : 0;
        for (int k = 0; k < dim; k++) E[i][j] += A[k][i] * A[k][j] / 2;
        if (i == j) trace += E[i][i];
        square += E[i][j] * E[i][j];
      }
    double nu = 0.3, G = 1e5 / 2.6, lambda = which == 3 ? 1e5 * nu / (1 - nu * nu) : 1e5 * nu / (1.3 * 0.4);
    double U = 1.2 * 0.06 * (lambda / 2 * trace * trace + G * square);
    if (which == 0) U -= 1.2 * 0.06 * G / 6 * 2 * (E[0][1] * E[0][1] + E[0][2] * E[0][2]); /* k2 = k3 = 5/6 */
    if (which != 2) assert_below(fabs(strain_energy(&f) / U - 1), 1e-12, "%s: strain energy", type[which]);
    free(r);
    close_fixture(&f);
  }
}

/* The start is free of stress, also when it is curved and for every section; any rigid motion keeps a strained
 * beam's energy. */
static void test_reference_and_rotation(void **state) {
  (void)state;
  static const char *const line[] = {"from: [0, 0, 0], to: [1, 0.3, -0.2]",
                                     "from: [0, 0, 0], via: [0.5, 0.4, 0.2], to: [1, 0, 0]",
                                     "through: [[0, 0, 0], [0.3, 0.2, 0.1], [0.6, 0.1, 0.3], [0.9, 0.4, 0.2]]"};
  static const char *const elastic[] = {"selective", "continuum", "elastic-line", "timoshenko"};
  static const char *const section[] = {"type: rectangle, width: 0.03, height: 0.05", "type: circle, radius: 0.03",
                                        "type: tube, radius: 0.03, inner: 0.025",
                                        "type: general, A: 0.002, Iyy: 3e-7, Izz: 2e-7, J: 4e-7"};
  double c = cos(2.1), s = sin(2.1), R[3][3] = {{c, 0, s}, {s * 0.6, 0.8, -c * 0.6}, {-s * 0.8, 0.6, c * 0.8}};
  for (int which = 0; which < 3 * 4 * 4; which++) {
    fixture f;
    char body[300];
    uint64_t seed = 3;
    snprintf(body, sizeof body, "type: beam, elastic: %s, %s", elastic[which / 3 % 4], line[which % 3]);
    open_text(&f, format(free_beam, "", section[which / 12], body));
    int n = f.model->n;
    double *r = calloc((size_t)n, sizeof(double));
    sn_system_residual(f.system, &f.state, 0, r);
    assert_below(largest(r, n), 1e-10, "%s: force at the start [N]", body); /* of about EA = 200 N */
    add_noise(&seed, 0.02, f.state.q, n);
    double before = strain_energy(&f);
    for (int i = 0; i < n; i += 3) {
      double y[3] = {0};
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) y[a] += R[a][b] * f.state.q[i + b];
      for (int a = 0; a < 3; a++) f.state.q[i + a] = y[a] + (i % 12 == 0 ? 0.7 : 0);
    }
    assert_true(before > 1e-3);
    assert_below(fabs(strain_energy(&f) / before - 1), 1e-12, "%s: energy turned", body);
    free(r);
    close_fixture(&f);
  }
}

/* ---- small deflections: FL^3/(3EI) + FL/(kGA), TL/(GJ) ---- */

static double deflection(const char *type, double poisson, const char *load, int component) {
  fixture f;
  bool twist = strstr(load, "moment") != NULL;
  open_text(
      &f, cantilever(type, 16,
                     twist ? "type: rectangle, width: 0.1, height: 0.1" : "type: rectangle, width: 0.12, height: 0.08",
                     poisson, load));
  equilibrium(&f, 1);
  double w = last_node(&f)[component];
  close_fixture(&f);
  return w;
}

static void test_cantilever(void **state) {
  (void)state;
  const double F = 1e-3, E = 1e7, nu = 0.3, G = E / (2 * (1 + nu)), A = 0.0096;
  const double Izz = 0.12 * 0.08 * 0.08 * 0.08 / 12, Iyy = 0.08 * 0.12 * 0.12 * 0.12 / 12, k = 5.0 / 6;
  const char *y = "type: force, force: [0, 1e-3*t, 0]", *z = "type: force, force: [0, 0, 1e-3*t]";
  const char *twist = "type: moment, moment: [1e-3*t, 0, 0]";
  /* r_y is linear in an element, so its curvature is constant: 1/(4 n^2) = 0.1 % too stiff with 16 elements */
  double wy = F / (3 * E * Izz) + F / (k * G * A), wz = F / (3 * E * Iyy) + F / (k * G * A);
  assert_below(fabs(deflection("type: beam, elastic: selective", nu, y, 1) / wy - 1), 1.2e-3, "selective, in y");
  assert_below(fabs(deflection("type: beam, elastic: selective", nu, z, 2) / wz - 1), 1.2e-3, "selective, in z");
  /* the center line of elastic-line bends by itself: no shear deflection, cubics are exact */
  assert_below(fabs(deflection("type: beam, elastic: elastic-line", nu, y, 1) * 3 * E * Izz / F - 1), 1e-6,
               "line, in y");
  assert_below(fabs(deflection("type: beam, elastic: elastic-line", nu, z, 2) * 3 * E * Iyy / F - 1), 1e-6,
               "line, in z");
  /* timoshenko, the default: exact with shear, with any number of elements */
  assert_below(fabs(deflection("type: beam", nu, y, 1) / wy - 1), 1e-6, "timoshenko, in y");
  assert_below(fabs(deflection("type: beam", nu, z, 2) / wz - 1), 1e-6, "timoshenko, in z");
  /* locking: the section cannot grow a linear transverse strain, so bending has the constrained modulus */
  double locked = E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)),
         strain = deflection("type: beam, elastic: continuum", nu, y, 1);
  assert_below(fabs(strain / (F / (3 * locked * Izz) + F / (G * A)) - 1), 2e-3, "continuum locks");
  assert_below(fabs(deflection("type: beam, elastic: continuum", 0, y, 1) / (F / (3 * E * Izz) + 2 * F / (E * A)) - 1),
               1.2e-3, "continuum without Poisson effect");
  double plane = deflection("type: beam2d, elastic: continuum", nu, "type: force, force: [0, 1e-3*t, 0]", 1);
  assert_below(fabs(plane / (F * (1 - nu * nu) / (3 * E * Izz) + F / (G * A)) - 1), 2e-3, "beam2d, plane stress");
  plane = deflection("type: beam2d, elastic: continuum, plane: strain", nu, "type: force, force: [0, 1e-3*t, 0]", 1);
  assert_below(fabs(plane / (F / (3 * locked * Izz) + F / (G * A)) - 1), 2e-3, "beam2d, plane strain");
  plane = deflection("type: beam2d", nu, "type: force, force: [0, 1e-3*t, 0]", 1);
  assert_below(fabs(plane / wy - 1), 1.2e-3, "beam2d, selective");
  plane = deflection("type: beam2d, plane: strain", nu, "type: force, force: [0, 1e-3*t, 0]", 1);
  assert_below(fabs(plane / (F * (1 - nu * nu) / (3 * E * Izz) + F / (k * G * A)) - 1), 1.2e-3,
               "beam2d, selective, plane strain");
  /* torsion of a square, angle from r_y: selective has no warping, so G k (Iyy + Izz); elastic-line has G J (section.c)
   */
  double I = 1e-4 / 12, J = 0.1405770 * 1e-4; /* St. Venant */
  assert_below(fabs(deflection("type: beam, elastic: selective", nu, twist, 8) / (F / (G * k * 2 * I)) - 1), 1e-5,
               "selective, torsion");
  assert_below(fabs(deflection("type: beam, elastic: elastic-line", nu, twist, 8) / (F / (G * J)) - 1), 1e-5,
               "elastic-line, torsion");
  assert_below(fabs(deflection("type: beam", nu, twist, 8) / (F / (G * J)) - 1), 1e-5, "timoshenko, torsion");
}

/* ---- B7 ---- */

/* Rolled into a circle by M = 2 pi EI/L: the tip comes back to the start. Returns the gap. */
static double rolled(const char *type, int elements, double h) {
  fixture f;
  char load[100], section[100];
  snprintf(load, sizeof load, "type: moment, moment: [0, 0, %.17g*t]", 2 * PI * 1e7 * pow(h, 4) / 12);
  snprintf(section, sizeof section, "type: rectangle, width: %g, height: %g", h, h);
  open_text(&f, cantilever(type, elements, section, 0.3, load));
  equilibrium(&f, 20);
  double gap = hypot(last_node(&f)[0], last_node(&f)[1]);
  close_fixture(&f);
  return gap;
}

/* `selective` is too stiff here by (l angle/h)^2/60 (see docs/theory.md), and a solid of its thickness stretches as it
 * bends. */
static void test_roll_up(void **state) {
  (void)state;
  double gap32 = rolled("type: beam, elastic: selective", 32, 0.01),
         gap64 = rolled("type: beam, elastic: selective", 64, 0.01);
  assert_below(gap64, 1e-3, "64 elements, selective: gap");
  assert_below(gap64 / gap32, 1.0 / 8, "selective, 64 elements against 32");
}

/* Bathe & Bolourchi 1979: arc of 45 degrees, R 100, 1 x 1, E 1e7, nu 0, 600 out of plane at the tip; tip
 * moves 13.72, 23.65, 53.58 (benchmarks, B7) */
static void bend(const char *elastic, double limit) {
  fixture f;
  static const double moves[3] = {13.72, 23.65, 53.58};
  double a = PI / 4;
  open_text(&f, format("sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1, young: 1e7, poisson: 0}}\n"
                       "sections: {s: {type: rectangle, width: 1, height: 1}}\n"
                       "bodies: {rod: {type: beam, elastic: %s, from: [0, 0, 0], via: [%.17g, %.17g, 0], to: [%.17g, "
                       "%.17g, 0], elements: 16, material: m, section: s}}\n"
                       "joints: {clamp: {type: fixed, between: [ground, rod.start]}}\n"
                       "forces: {load: {type: force, at: rod.end, force: [0, 0, 600*t]}}\n",
                       elastic, 100 * sin(a / 2), 100 * (1 - cos(a / 2)), 100 * sin(a), 100 * (1 - cos(a))));
  double start[3], tip[3];
  memcpy(start, last_node(&f), sizeof start);
  equilibrium(&f, 12);
  for (int k = 0; k < 3; k++) tip[k] = last_node(&f)[k] - start[k];
  /* the arc starts along x and turns to +y: Bathe's u, v are along -y and -x */
  double found[3] = {-tip[1], -tip[0], tip[2]};
  for (int k = 0; k < 3; k++)
    assert_below(fabs(found[k] / moves[k] - 1), limit, "%s, tip %d: %g", elastic, k, found[k]);
  close_fixture(&f);
}

static void test_bend(void **state) {
  (void)state;
  bend("selective", 0.015);
  bend("elastic-line", 0.015);
  bend("timoshenko", 0.015);
}

/* The same by the program's own statics, from the model files. */
static void solve_model(const char *path, const char *set, double tip[3]) {
  run r = {.context = sn_context_create()};
  if (sn_model_load(r.context, path, &set, 1, &r.model) || sn_simulation_create(r.model, NULL, &r.simulation) ||
      sn_run(r.simulation))
    fail_msg("%s", sn_message(r.context));
  sn_read(r.simulation, "tip", tip, 3);
  close_run(&r);
}

static void test_models(void **state) {
  (void)state;
  double tip[3], a = PI / 4, gap[2];
  solve_model("models/bathe-bend.yaml", "n=16", tip);
  assert_below(fabs((100 * sin(a) - tip[0]) / 23.65 - 1), 0.015, "bend, in -x");
  assert_below(fabs((100 * (1 - cos(a)) - tip[1]) / 13.72 - 1), 0.015, "bend, in -y");
  assert_below(fabs(tip[2] / 53.58 - 1), 0.015, "bend, in z");
  solve_model("models/beam-roll-up.yaml", "n=16", tip);
  gap[0] = hypot(tip[0], tip[1]);
  solve_model("models/beam-roll-up.yaml", "n=32", tip);
  gap[1] = hypot(tip[0], tip[1]);
  assert_below(gap[0], 1e-4, "16 elements, elastic-line: gap");
  assert_below(gap[1] / gap[0], 1.0 / 10, "fourth order: 32 elements against 16");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patch),      cmocka_unit_test(test_reference_and_rotation),
      cmocka_unit_test(test_cantilever), cmocka_unit_test(test_roll_up),
      cmocka_unit_test(test_bend),       cmocka_unit_test(test_models),
  };
  return cmocka_run_group_tests_name("beam", tests, NULL, NULL);
}
