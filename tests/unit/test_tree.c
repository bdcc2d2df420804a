/* test_tree.c - trees of rigid bodies: the elimination along the tree against the general solver, which a twin of the
 * system uses, and against the equations themselves; with joints that close loops, also where they repeat others. */
#include "support.h"
#include "system/equations.h"

/* ---- models ---- */

/* Joints of all numbers of equations; %s: the two markers. */
static const char *const joint_kinds[] = {
    "type: spherical, between: [%s, %s]",
    "type: revolute, between: [%s, %s], axis: [0.3, 1, -0.2]",
    "type: universal, between: [%s, %s], axis: [1, 0, 0], axis2: [0, 1, 0.0]",
    "type: cylindrical, between: [%s, %s], axis: [1, 0.2, 0]",
    "type: prismatic, between: [%s, %s], axis: [0.1, 0, 1]",
    "type: planar, between: [%s, %s], axis: [0, 1, 0.5]",
    "type: fixed, between: [%s, %s]",
    "type: distance, between: [%s, %s], length: 0.7",
    "type: parallel, between: [%s, %s], axis: [0, 1, 1]",
    "type: point-on-line, between: [%s, %s], axis: [0, 1, 1]",
    "type: point-on-plane, between: [%s, %s], axis: [0, 1, 1]",
    "type: motion, between: [%s, %s], axis: [1, 0, 0.4], translation: 0.3*sin(3*t)",
    "type: motion, between: [%s, %s], axis: [0.1, 0, 1], rotation: 0.5*t + t^2",
};
enum { KINDS = sizeof joint_kinds / sizeof *joint_kinds };

static int pick(uint64_t *seed, int count) {
  const int k = (int)((noise(seed) + 1) / 2 * count);
  return k < count ? k : count - 1;
}

static void write_body(FILE *out, uint64_t *seed, int i) {
  double x[6];
  for (int k = 0; k < 6; k++) x[k] = noise(seed);
  fprintf(out,
          "  b%d: {type: rigid, position: [%.3f, %.3f, %.3f], rotation: {axis: [%.2f, %.2f, 1], angle: %.2f}, mass: "
          "%.2f, inertia: [0.2, 0.25, 0.3, 0.01, %.3f, 0.02], velocity: [0.1, 0, %.2f], angular_velocity: [%.2f, 1, "
          "-0.4]}\n",
          i, 3 * x[0], 3 * x[1], 3 * x[2], x[3], x[4], 2 * x[5], 1.2 + x[0], 0.02 * x[1], x[2], x[3]);
}

/* `kind` of the joints, -1: any; every fifth body is free, if there are several. */
static char *tree_text(uint64_t *seed, int bodies, int kind, const char *more) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "sinew: 1\ngravity: [1, -9.81, 0.5]\nbodies:\n");
  for (int i = 0; i < bodies; i++) write_body(out, seed, i);
  fprintf(out, "joints:\n");
  for (int i = 0; i < bodies; i++) {
    char up[64], own[64];
    const int parent = pick(seed, i + 1) - 1;
    if (i % 5 == 4) continue;
    char name[16] = "ground";
    if (parent >= 0) snprintf(name, sizeof name, "b%d", parent);
    snprintf(up, sizeof up, "\"%s.at(%g, %g, 0.2)\"", name, noise(seed), noise(seed));
    snprintf(own, sizeof own, "\"b%d.at(%g, 0.1, %g)\"", i, noise(seed), noise(seed));
    fprintf(out, "  j%d: {", i);
    fprintf(out, joint_kinds[kind < 0 ? pick(seed, KINDS) : kind], up, own);
    fprintf(out, "}\n");
  }
  fprintf(out, "%s", more);
  fclose(out);
  return text;
}

/* ---- comparisons ---- */

typedef struct pair {
  fixture f;
  sn_system *twin;
  sn_state other;
  double *x, *y; /* [n + m] */
} pair;

static void open_pair(pair *p, const char *text) {
  open_fixture(&p->f, text, NULL);
  sn_system *s = p->f.system;
  assert_int_equal(sn_system_twin(s, NULL, &p->twin), SN_OK);
  assert_null(p->twin->own->tree);
  sn_state_create(s, &p->other);
  p->x = calloc((size_t)(s->n + 2 * s->m), sizeof(double));
  p->y = calloc((size_t)(s->n + 2 * s->m), sizeof(double));
}

static void close_pair(pair *p) {
  free(p->x);
  free(p->y);
  sn_system_free(p->twin);
  close_fixture(&p->f);
}

/* Off all constraints, as stages are: also off those of the Euler parameters. */
static void disturb(pair *p, uint64_t *seed) {
  sn_system *s = p->f.system;
  p->f.state.t = 0.3;
  add_noise(seed, 1e-2, p->f.state.q, s->n);
  add_noise(seed, 1, p->f.state.v, s->n);
  sn_state_copy(s, &p->other, &p->f.state);
}

static void compare(pair *p, const char *what, double limit) {
  const int n = p->f.system->n, m = p->f.system->m;
  const double *a = p->other.a, *l = p->other.l;
  assert_below(distance(p->f.state.a, a, n) / largest(a, n), limit, "accelerations, %s", what);
  if (m > 0) assert_below(distance(p->f.state.l, l, m) / fmax(1, largest(l, m)), limit, "multipliers, %s", what);
}

/* What remains of M a + G'l = Q and of Phi'' = -2 alpha Phi' - beta^2 Phi. */
static double remainder_of(pair *p, double alpha, double beta) {
  sn_system *s = p->f.system;
  double *phi = p->y, *rate = p->y + s->m, most;
  sn_system_residual(s, &p->f.state, 1, p->x);
  most = largest(p->x, s->n);
  sn_system_acceleration(s, &p->f.state, p->x);
  sn_system_position(s, &p->f.state, phi);
  sn_system_velocity(s, &p->f.state, rate);
  for (int i = 0; i < s->m; i++) p->x[i] += 2 * alpha * rate[i] + beta * beta * phi[i];
  return fmax(most, largest(p->x, s->m)) / fmax(1, largest(p->f.state.a, s->n));
}

static void check_stage(pair *p, const char *what) {
  const double alpha = 3, beta = 5;
  sn_system *s = p->f.system;
  assert_true(sn_system_stage(s, &p->f.state, alpha, beta, p->x));
  assert_true(s->own->tree_factored);
  assert_true(sn_system_stage(p->twin, &p->other, alpha, beta, p->x));
  assert_false(p->twin->own->tree_factored);
  compare(p, what, 1e-12);
  assert_below(remainder_of(p, alpha, beta), 1e-12, "equations, %s", what);
}

/* Any right-hand side by the last factors. */
static void check_solution(pair *p, uint64_t *seed, const char *what) {
  sn_system *s = p->f.system;
  const int size = s->n + s->m;
  assert_true(sn_system_factor_mass(s, &p->f.state));
  assert_true(sn_system_factor_mass(p->twin, &p->other));
  memset(p->x, 0, (size_t)size * sizeof(double));
  add_noise(seed, 1, p->x, size);
  memcpy(p->y, p->x, (size_t)size * sizeof(double));
  sn_system_solve_refined(s, p->x);
  sn_system_solve_refined(p->twin, p->y);
  assert_below(distance(p->x, p->y, size) / largest(p->y, size), 1e-12, "solution, %s", what);
}

static void check_text(char *text, uint64_t *seed, const char *what) {
  pair p;
  open_pair(&p, text);
  if (!p.f.system->own->tree) fail_msg("no tree: %s\n%s", what, text);
  disturb(&p, seed);
  check_stage(&p, what);
  check_solution(&p, seed, what);
  sn_system *both[] = {p.f.system, p.twin}; /* a kick has the same matrix */
  for (int k = 0; k < 2; k++) sn_system_begin_kick(both[k], 1e-3, NULL);
  check_solution(&p, seed, what);
  for (int k = 0; k < 2; k++) sn_system_end_kick(both[k]);
  close_pair(&p);
  free(text);
}

static void test_each_kind(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int kind = 0; kind < KINDS; kind++) check_text(tree_text(&seed, 4, kind, ""), &seed, joint_kinds[kind]);
}

static void test_random_trees(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < 60; k++) check_text(tree_text(&seed, 1 + k % 17, -1, ""), &seed, "random tree");
}

/* Forces of other kinds enter by their residual. */
static void test_forces(void **state) {
  (void)state;
  uint64_t seed = 3;
  const char *more =
      "forces:\n"
      "  s: {type: spring, between: [b0.center, \"b2.at(0.1, 0.2, 0.3)\"], stiffness: 80, damping: 2, length: 0.4}\n"
      "  f: {type: force, at: \"b1.at(0.3, 0, 0)\", force: [1, 2*t, 0.5]}\n";
  check_text(tree_text(&seed, 4, -1, more), &seed, "with forces");
}

/* ---- loops ---- */

/* More joints between any two bodies, or with the ground; without springs that would hide what they do. */
static char *closing_joints(uint64_t *seed, int bodies, int count) {
  static const int few[] = {7, 8, 9, 10, 11}; /* kinds of one or two equations */
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; i < count; i++) {
    const int a = pick(seed, bodies), b = (a + 1 + pick(seed, bodies)) % (bodies + 1);
    char from[64], to[64], name[16] = "ground";
    if (b < bodies) snprintf(name, sizeof name, "b%d", b);
    snprintf(from, sizeof from, "\"%s.at(%g, 1.2, %g)\"", name, noise(seed), noise(seed));
    snprintf(to, sizeof to, "\"b%d.at(%g, 0.3, %g)\"", a, noise(seed), noise(seed));
    fprintf(out, "  c%d: {", i);
    fprintf(out, joint_kinds[few[pick(seed, 5)]], from, to);
    fprintf(out, "}\n");
  }
  fclose(out);
  return text;
}

static void test_random_loops(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (int k = 0; k < 40; k++) {
    const int bodies = 3 + k % 14;
    char *more = closing_joints(&seed, bodies, 1 + bodies / 2);
    check_text(tree_text(&seed, bodies, 0, more), &seed, "random loops");
    free(more);
  }
}

/* Planar four-bar of revolute joints in space, in meters and in millimeters, and a parallelogram with a third crank: at a
 * state on their constraints, in motion. */
static const char *const repeated[] = {
    SWINGING_FOUR_BAR,
    /* in millimeters: directions count otherwise in the norm of multipliers */
    "  a: {type: rigid, from: [0, 0, 0], to: [2e-4, 6e-4, 0], mass: 1, inertia: [1e-8, 3e-8, 3e-8]}\n"
    "  b: {type: rigid, from: [2e-4, 6e-4, 0], to: [1.3e-3, 9e-4, 0], mass: 2, inertia: [2e-8, 2e-7, 2.1e-7]}\n"
    "  c: {type: rigid, from: [1.3e-3, 9e-4, 0], to: [1e-3, 0, 0], mass: 1.5, inertia: [1e-8, 1e-7, 1e-7]}\n"
    "joints:\n"
    "  i: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
    "  j: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
    "  k: {type: revolute, between: [b.end, c.start], axis: [0, 0, 1]}\n"
    "  l: {type: revolute, between: [c.end, ground], axis: [0, 0, 1]}\n",
    "  a: {type: rigid, from: [0, 0, 0], to: [0.2, 0.6, 0], mass: 1, inertia: [0.01, 0.03, 0.03]}\n"
    "  c: {type: rigid, from: [1, 0, 0], to: [1.2, 0.6, 0], mass: 1.5, inertia: [0.01, 0.1, 0.1]}\n"
    "  d: {type: rigid, from: [2, 0, 0], to: [2.2, 0.6, 0], mass: 1.7, inertia: [0.01, 0.1, 0.1]}\n"
    "  b: {type: rigid, from: [0.2, 0.6, 0], to: [2.2, 0.6, 0], mass: 2, inertia: [0.02, 0.2, 0.21]}\n"
    "joints:\n"
    "  i: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"
    "  j: {type: revolute, between: [\"ground.at(1, 0, 0)\", c.start], axis: [0, 0, 1]}\n"
    "  k: {type: revolute, between: [\"ground.at(2, 0, 0)\", d.start], axis: [0, 0, 1]}\n"
    "  l: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
    "  m: {type: revolute, between: [c.end, \"b.at(0, 0, 0)\"], axis: [0, 0, 1]}\n"
    "  n: {type: revolute, between: [d.end, b.end], axis: [0, 0, 1]}\n",
};

static void test_repeated_equations(void **state) {
  (void)state;
  for (int k = 0; k < (int)(sizeof repeated / sizeof *repeated); k++) {
    char text[4000];
    snprintf(text, sizeof text, "sinew: 1\ngravity: [1, -9.81, 0.5]\nbodies:\n%s", repeated[k]);
    pair p;
    fixture *f = &p.f;
    open_fixture(f, text, NULL);
    sn_start start;
    const double speed = k == 1 ? 1e-3 : 1;
    add_noise(&(uint64_t){4}, speed, f->state.v, f->system->n);
    if (sn_make_consistent_from(f->system, &f->state, &start)) fail_msg("%d: %s", k, sn_message(f->context));
    assert_true(f->system->own->tree && f->system->own->tree->loops == 1 && f->system->regularization > 0);
    assert_int_equal(sn_system_twin(f->system, NULL, &p.twin), SN_OK);
    sn_state_create(f->system, &p.other);
    sn_state_copy(f->system, &p.other, &f->state);
    p.x = calloc((size_t)(f->system->n + 2 * f->system->m), sizeof(double));
    p.y = calloc((size_t)(f->system->n + 2 * f->system->m), sizeof(double));
    assert_true(largest(f->state.v, f->system->n) > 0.1 * speed);
    assert_true(sn_system_stage(f->system, &f->state, 0, 0, NULL));
    assert_true(f->system->own->tree_factored);
    assert_true(sn_system_stage(p.twin, &p.other, 0, 0, NULL));
    assert_below(remainder_of(&p, 0, 0), 1e-9, "equations that repeat others");
    compare(&p, "equations that repeat others", 1e-7); /* the twin relaxes its constraints by 1e-9 */
    close_pair(&p);
  }
}

/* ---- what is no tree ---- */

#define RODS                                                                                               \
  "sinew: 1\nbodies:\n"                                                                                    \
  "  a: {type: rigid, from: [0, 0, 0], to: [1, 0, 0.2], mass: 1, shape: {type: cylinder, radius: 0.05}}\n" \
  "  b: {type: rigid, from: [1, 0, 0.2], to: [1, 1, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n" \
  "joints:\n  i: {type: spherical, between: [ground, a.start]}\n"                                          \
  "  k: {type: spherical, between: [a.end, b.start]}\n"

static void check_absent(const char *text, bool absent) {
  fixture f;
  open_fixture(&f, text, NULL);
  assert_int_equal(f.system->own->tree == NULL, absent);
  close_fixture(&f);
}

static void test_what_is_no_tree(void **state) {
  (void)state;
  check_absent(RODS, false);
  check_absent(RODS "  l: {type: parallel, between: [b.start, a.end], axis: [0, 0, 1]}\n", false); /* the same two */
  check_absent(RODS "  l: {type: spherical, between: [ground, b.end]}\n", false);                  /* a loop */
  check_absent(RODS "  l: {type: motion, between: [a.end, b.start], axis: [0, 0, 1], rotation: t}\n", false);
  check_absent(RODS "  l: {type: motion, between: [ground, b.start], axis: [0, 0, 1], rotation: t}\n", false);
  check_absent(RODS "  l: {type: distance, between: [\"ground.at(1, 2, 1)\", b.end]}\n", false);
  check_absent("sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n", true);
}

/* ---- threads ---- */

static void test_threads(void **state) {
  (void)state;
  double *expected = NULL;
  for (int threads = 1; threads <= 3; threads++) {
    uint64_t seed = 8;
    char *text = tree_text(&seed, 1200, 0, "");
    fixture f;
    open_fixture(&f, text, NULL);
    sn_system *s;
    sn_state at;
    assert_int_equal(sn_system_create(f.model, threads, NULL, &s), SN_OK);
    assert_true(s->own->tree && s->own->tree->parts > 1);
    sn_state_create(s, &at);
    memcpy(at.q, f.state.q, (size_t)s->n * sizeof(double));
    memcpy(at.v, f.state.v, (size_t)s->n * sizeof(double));
    assert_true(sn_system_stage(s, &at, 0, 0, NULL));
    if (!expected) {
      expected = calloc((size_t)s->n, sizeof(double));
      memcpy(expected, at.a, (size_t)s->n * sizeof(double));
    }
    assert_memory_equal(expected, at.a, (size_t)s->n * sizeof(double));
    sn_system_free(s);
    close_fixture(&f);
    free(text);
  }
  free(expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_kind),
      cmocka_unit_test(test_random_trees),
      cmocka_unit_test(test_forces),
      cmocka_unit_test(test_what_is_no_tree),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_random_loops),
      cmocka_unit_test(test_repeated_equations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
