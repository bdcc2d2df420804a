/* test_hull.c - convex hulls: faces, mass properties, and how they touch. */
#include <stdlib.h>

#include "math/vec3.h"
#include "model/hull.h"
#include "support.h"

static sn_arena arena;

/* Every point is below all faces, every face has its corners in its plane, V - E + F = 2. */
static void check(const sn_hull *h, int count, const double (*x)[3], double near) {
  assert_non_null(h);
  assert_int_equal(h->vertices - h->edges + h->faces, 2);
  for (int f = 0; f < h->faces; f++) {
    for (int i = 0; i < count; i++) {
      double w[3];
      sn_sub(w, x[i], h->center);
      assert_below(sn_dot(w, h->face[f].n) - h->face[f].level, near, "a point outside face %d", f);
    }
    for (int k = 0; k < h->face[f].count; k++)
      assert_below(fabs(sn_dot(h->vertex[h->corner[h->face[f].first + k]], h->face[f].n) - h->face[f].level), near,
                   "a corner of face %d", f);
  }
}

/* ---- a box with points on and in it, in any order ---- */

static void box(void **state) {
  (void)state;
  double x[8 + 30][3];
  uint64_t seed = 3;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) x[i][k] = (i >> k & 1 ? 1 : -1) * (k == 0 ? 0.5 : k == 1 ? 0.3 : 0.2) + 7;
  for (int i = 8; i < 38; i++) {
    for (int k = 0; k < 3; k++) x[i][k] = 7 + noise(&seed) * (k == 0 ? 0.5 : k == 1 ? 0.3 : 0.2);
    if (i < 20) x[i][i % 3] = x[i % 8][i % 3]; /* on a face */
  }
  for (int turn = 0; turn < 20; turn++) {
    for (int i = 37; i > 0; i--) {
      int j = (int)(fabs(noise(&seed)) * i);
      double swap[3];
      sn_copy(swap, x[i]);
      sn_copy(x[i], x[j]);
      sn_copy(x[j], swap);
    }
    const sn_hull *h = sn_hull_of(&arena, 38, (const double(*)[3])x);
    check(h, 38, (const double(*)[3])x, 1e-6);
    assert_int_equal(h->vertices, 8);
    assert_int_equal(h->faces, 6);
    assert_below(fabs(h->volume - 0.24), 1e-12, "volume");
    for (int k = 0; k < 3; k++) assert_below(fabs(h->center[k] - 7), 1e-12, "center");
    const double J[6] = {0.24 * (0.36 + 0.16) / 12, 0.24 * (1 + 0.16) / 12, 0.24 * (1 + 0.36) / 12, 0, 0, 0};
    assert_below(distance(h->J, J, 6), 1e-12, "inertia");
    const sn_hull *inner = sn_hull_inside(&arena, h, 0.05);
    assert_int_equal(inner->vertices, 8);
    assert_below(fabs(inner->volume - 0.9 * 0.5 * 0.3), 1e-12, "a box within the box");
  }
}

/* ---- a tetrahedron: V = det/6, J of the right corner from integrals over the simplex, x^2: 1/60, x y: 1/120 ---- */

static void tetrahedron(void **state) {
  (void)state;
  static const double x[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const sn_hull *h = sn_hull_of(&arena, 4, x);
  check(h, 4, x, 1e-12);
  assert_below(fabs(h->volume - 1.0 / 6), 1e-15, "volume");
  double square = 1.0 / 60 - 1.0 / 96, product = 1.0 / 120 - 1.0 / 96; /* about the center: less V/16 */
  const double J[6] = {2 * square, 2 * square, 2 * square, -product, -product, -product};
  for (int k = 0; k < 3; k++) assert_below(fabs(h->center[k] - 0.25), 1e-15, "center");
  assert_below(distance(h->J, J, 6), 1e-15, "inertia");
  static const double flat[][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.3, 0.4, 1}};
  assert_null(sn_hull_of(&arena, 5, flat));
  assert_null(sn_hull_of(&arena, 3, x));
}

/* ---- points on a sphere: all of them are vertices; on a grid: most are not ---- */

static void many(void **state) {
  (void)state;
  static double x[600][3];
  uint64_t seed = 11;
  for (int i = 0; i < 400; i++) {
    for (int k = 0; k < 3; k++) x[i][k] = noise(&seed);
    sn_normalize(x[i]);
  }
  const sn_hull *h = sn_hull_of(&arena, 400, (const double(*)[3])x);
  check(h, 400, (const double(*)[3])x, 1e-5);
  assert_true(h->vertices > 380);
  check(sn_hull_inside(&arena, h, 0.02 * h->inside), 0, NULL, 1e-5);
  for (int i = 0; i < 512; i++)
    for (int k = 0; k < 3; k++) x[i][k] = (i >> (3 * k) & 7) * 0.1;
  h = sn_hull_of(&arena, 512, (const double(*)[3])x);
  check(h, 512, (const double(*)[3])x, 1e-6);
  assert_int_equal(h->faces, 6);
}

/* ---- files: the same tetrahedron as CSV, OBJ and STL, binary and not; mass 6 V = 1 ---- */

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static void write_binary_stl(FILE *out) {
  const char head[80] = {0}, end[2] = {0};
  const uint32_t count = 4;
  fwrite(head, 1, sizeof head, out);
  fwrite(&count, sizeof count, 1, out);
  for (int t = 0; t < 4; t++) {
    float x[12] = {0};
    for (int k = 0; k < 9; k++) x[3 + k] = (float)corner[triangle[t][k / 3]][k % 3];
    fwrite(x, sizeof *x, 12, out);
    fwrite(end, 1, sizeof end, out);
  }
}

static void write_text(FILE *out, int form) {
  fputs(form == 0 ? "x, y, z\n" : form == 1 ? "# a tetrahedron\n" : "solid a\n", out);
  for (int i = 0; i < (form == 2 ? 12 : 4); i++) {
    const double *x = corner[form == 2 ? triangle[i / 3][i % 3] : i];
    fprintf(out, form == 0 ? "%g, %g, %g\n" : form == 1 ? "v %g %g %g\n" : "  vertex %g %g %g\n", x[0], x[1], x[2]);
  }
  if (form == 1) fputs("f 1 2 3\n", out);
}

static void files(void **state) {
  (void)state;
  static const char *const names[] = {"points.csv", "points.obj", "points.stl", "binary.stl"};
  for (int form = 0; form < 4; form++) {
    char path[300], text[700];
    run r;
    double p[6];
    snprintf(path, sizeof path, "%s/sinew-test-hull-%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", names[form]);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    if (form == 3)
      write_binary_stl(out);
    else
      write_text(out, form);
    fclose(out);
    snprintf(text, sizeof text,
             "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, 0], velocity: [1, 0, 0], density: 6, shape: {type: "
             "convex, points: %s}}}\nanalysis: {type: dynamics, duration: 1}\n",
             path);
    open_run(&r, text, NULL);
    sn_system_momentum(r.simulation->system, &r.simulation->state, p);
    assert_below(fabs(p[0] - 1), 1e-6, "mass from %s", names[form]);
    close_run(&r);
    remove(path);
  }
}

/* ---- a box as a hull moves as a box ---- */

static const char *const box_points =
    "[[-0.1, -0.15, -0.05], [0.1, -0.15, -0.05], [-0.1, 0.15, -0.05], [0.1, 0.15, -0.05], [-0.1, -0.15, 0.05], [0.1, "
    "-0.15, 0.05], [-0.1, 0.15, 0.05], [0.1, 0.15, 0.05]]";

static void run_of(bool hull, bool dvi, double duration, double q[14]) {
  char text[4000], shape[400];
  run r;
  snprintf(shape, sizeof shape, hull ? "convex, points: %s" : "box, size: [0.2, 0.3, 0.1]", box_points);
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  a: {type: rigid, position: [0, 0, 0.1], rotation: {axis: [1, 2, 0], angle: 0.2}, density: 500, shape: "
           "{type: %s}}\n"
           "  b: {type: rigid, position: [0.05, 0.02, 0.3], rotation: {axis: [1, 2, 1], angle: 0.6}, velocity: [0, 0, "
           "-1], density: 500, shape: {type: %s}}\n"
           "surfaces: {floor: {type: plane, normal: [0, 0, 1]}, a: {type: %s, on: a}, b: {type: %s, on: b}}\n"
           "contacts: {all: {%s}}\nanalysis: {type: dynamics, duration: 1, integrator: {%s}}\n",
           shape, shape, hull ? "convex" : "box", hull ? "convex" : "box",
           dvi ? "method: dvi, friction: 0.3" : "young: 1e7, friction: 0.3, damping: 0.5, slip: 0.01",
           dvi ? "type: symplectic-euler, step: 1e-3" : "type: radau, tolerance: 1e-7");
  open_run(&r, text, NULL);
  advance(&r, duration);
  memcpy(q, r.simulation->state.q, 14 * sizeof *q);
  close_run(&r);
}

/* Penalty: the same core, the same forces; what is left are steps. By complementarity boxes are sharp, hulls rounded. */
static void hull_is_box(void **state) {
  (void)state;
  double a[14], b[14];
  run_of(false, false, 0.3, a);
  run_of(true, false, 0.3, b);
  assert_below(distance(a, b, 14), 1e-4, "a box as a hull, penalty");
}

/* ---- a tetrahedron falls and comes to rest on a face, by both methods; and on a box as on a plane ---- */

static void comes_to_rest(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    char text[1500];
    run r;
    double e[SN_ENERGIES];
    bool dvi = k % 2, on_box = k / 2 % 2;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {a: {type: rigid, position: [0, 0, 0.16], rotation: {axis: [%d, "
        "2, 1], angle: 0.7}, density: 800, shape: {type: convex, points: [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], "
        "[0.05, 0.05, 0.15]]}}}\n"
        "surfaces: {floor: {type: %s}, a: {type: convex, on: a}}\n"
        "contacts: {all: {%s}}\nanalysis: {type: dynamics, duration: 3, integrator: {%s}}\n",
        1 + k / 4, on_box ? "box, size: [2, 2, 1], at: [0, 0, -0.5]" : "plane, normal: [0, 0, 1]",
        dvi ? "method: dvi, friction: 0.4" : "young: 1e6, friction: 0.4, damping: 3, slip: 1e-3",
        dvi ? "type: symplectic-euler, step: 1e-3" : "type: hht-i3, tolerance: 1e-5");
    open_run(&r, text, NULL);
    advance(&r, 2.5);
    sn_read(r.simulation, "energy", e, SN_ENERGIES);
    assert_below(e[SN_E_KINETIC], 1e-6, "a tetrahedron does not come to rest, case %d", k);
    assert_below(r.simulation->state.q[2], 0.08, "it lies, case %d", k);
    assert_below(0.02, r.simulation->state.q[2], "on the floor, case %d", k);
    close_run(&r);
  }
}

/* ---- impacts at random in space keep momentum ---- */

static void momentum(void **state) {
  (void)state;
  static const char *const laws[][2] = {
      {"stiffness: 1e6, friction: 0.4, slip: 0.1", "type: erk, tolerance: 1e-8"},
      {"method: dvi, friction: 0.4, restitution: 0.5", "type: symplectic-euler, step: 1e-3, contact_tolerance: 1e-10"}};
  static const char *const others[] = {"box, size: [0.2, 0.3, 0.25]", "cylinder, radius: 0.15, length: 0.3",
                                       "ellipsoid, radii: [0.1, 0.2, 0.15]",
                                       "convex, points: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [0.2, 0.2, "
                                       "0.2]]"};
  uint64_t seed = 9;
  for (int k = 0; k < 16; k++) {
    char text[1800], kind[20];
    run r;
    double p0[6], p1[6], v0[3];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(others[k / 2 % 4], ","), others[k / 2 % 4]);
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  a: {type: rigid, position: [-0.45, %g, %g], rotation: {axis: [%g, %g, 1], angle: %g}, velocity: [2, 0, "
             "0], angular_velocity: [%g, %g, %g], density: 1000, shape: {type: convex, points: [[0, 0, 0], [0.2, 0, 0],"
             " [0, 0.2, 0], [0.05, 0.05, 0.15]]}}\n"
             "  b: {type: rigid, position: [0, 0, 0], rotation: {axis: [%g, 1, %g], angle: %g}, density: 500, shape: "
             "{type: %s}}\n"
             "surfaces: {a: {type: convex, on: a}, b: {type: %s, on: b}}\n"
             "contacts: {all: {%s}}\nanalysis: {type: dynamics, duration: 0.3, integrator: {%s}}\n",
             0.03 * noise(&seed), 0.03 * noise(&seed), noise(&seed), noise(&seed), 3 * noise(&seed), 3 * noise(&seed),
             3 * noise(&seed), 3 * noise(&seed), noise(&seed), noise(&seed), 3 * noise(&seed), others[k / 2 % 4], kind,
             laws[k % 2][0], laws[k % 2][1]);
    open_run(&r, text, NULL);
    sn_system *s = r.simulation->system;
    sn_system_momentum(s, &r.simulation->state, p0);
    sn_copy(v0, r.simulation->state.v);
    advance(&r, 0.3);
    sn_system_momentum(s, &r.simulation->state, p1);
    sn_sub(v0, v0, r.simulation->state.v);
    assert_true(sn_norm(v0) > 0.1); /* they have met */
    assert_below(distance(p0, p1, 3) / sn_norm(p0), 1e-12, "momentum, scene %d", k);
    if (s->statistics.contact.recoveries) { /* overlaps that are corrected move bodies, not speeds */
      close_run(&r);
      continue;
    }
    assert_below(distance(p0 + 3, p1 + 3, 3) / sn_norm(p0), k % 2 ? 1e-10 : 1e-8, "angular momentum, scene %d", k);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(box),         cmocka_unit_test(tetrahedron),
                                     cmocka_unit_test(many),        cmocka_unit_test(files),
                                     cmocka_unit_test(hull_is_box), cmocka_unit_test(comes_to_rest),
                                     cmocka_unit_test(momentum)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sn_arena_free(&arena);
  return failed;
}
