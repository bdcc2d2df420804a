/* test_ccp_large.c - a complementarity problem of several regions and many blocks (contact/ccp_solve.c): what rests
 * must be good when all is over. Rates of the result are found by a way of their own: D g, a solution with the whole
 * matrix, D'v. */
#include "contact/ccp.h"
#include "contact/ccp_problem.h"
#include "support.h"

enum { CABLES = 400, NODES = 4, CONTACTS = 2600, ROWS = 6 * NODES * CABLES };

typedef struct world {
  sn_arena arena;
  sn_matrix *matrix;
  void *solver;
} world;

/* What contacts are carried by: two neighboring nodes of a cable, and the ground. */
enum { SEGMENTS = CABLES * (NODES - 1) };
static sn_carrier carriers[SEGMENTS + 1];
static sn_law laws[2] = {{.friction = 0}, {.friction = 0.3}};
static const sn_surfaces surfaces = {.carriers = SEGMENTS + 1, .carrier = carriers, .laws = 2, .law = laws};
static sn_contact contacts[CONTACTS];

static void make_carriers(const world *w) {
  for (int k = 0; k < SEGMENTS; k++) {
    int node = k / (NODES - 1) * NODES + k % (NODES - 1);
    sn_carrier *c = &carriers[k];
    *c = (sn_carrier){.type = SN_CARRIER_LINEAR, .dim = 3, .groups = 2, .count = 12, .vectors = 4};
    for (int g = 0; g < 2; g++) {
      c->group[g] = node + g;
      c->first[g] = w->matrix->first[node + g];
      c->size[g] = 6;
      for (int v = 0; v < 2; v++) c->vector[2 * g + v] = c->first[g] + 3 * v;
    }
  }
  carriers[SEGMENTS] = (sn_carrier){.type = SN_CARRIER_GROUND};
}

/* Free chains, even (a x I3), of different masses. */
static void open_world(world *w) {
  sn_pattern *p = sn_pattern_create();
  uint64_t seed = 11;
  for (int k = 0; k < CABLES * NODES; k++) sn_pattern_group(p, 6, false);
  for (int k = 0; k < CABLES * NODES; k++)
    if (k % NODES) sn_pattern_couple(p, k, k - 1);
  *w = (world){0};
  w->matrix = sn_pattern_freeze(p, &w->arena, false);
  sn_matrix *m = w->matrix;
  for (int k = 0; k < CABLES * NODES; k++) {
    double scale = 1 + 30 * (k / NODES % 5);
    double *A = m->value + m->lower[sn_matrix_find(m, k, k)];
    double *B = k % NODES ? m->value + m->lower[sn_matrix_find(m, k, k - 1)] : NULL;
    double a[4] = {scale * (4 + noise(&seed)), 0, 0, scale * (4 + noise(&seed))}, b[4];
    a[1] = a[2] = 0.4 * scale * noise(&seed);
    for (int j = 0; j < 4; j++) b[j] = 0.8 * scale * noise(&seed);
    for (int j = 0; j < 36; j++) {
      A[j] = j % 3 == j / 6 % 3 ? a[2 * (j / 18) + j % 6 / 3] : 0;
      if (B) B[j] = j % 3 == j / 6 % 3 ? b[2 * (j / 18) + j % 6 / 3] : 0;
    }
  }
  int group;
  w->solver = sn_ldl.analyze(m);
  assert_true(sn_ldl.factor(w->solver, m, &group));
  make_carriers(w);
}

/* A point between two nodes of a cable. */
static void put_on(sn_side *side, int cable, uint64_t *seed) {
  side->carrier = cable * (NODES - 1) + (int)(fabs(noise(seed)) * (NODES - 1)) % (NODES - 1);
  for (int k = 0; k < 4; k++) side->weight[k] = noise(seed);
}

/* Contacts of each cable with its neighbors and, every tenth, with the ground; r = D'v, so that rest would do. Of
 * a hundred cables 20 come with a velocity; the others are good as they are until the push reaches them. Contacts
 * are in several heaps, one here, one there. Number 0, `every`, 2 `every` and so on are left out (0: none). Keys: three
 * contacts of a pair, in no order. */
static void take_some(sn_ccp *ccp, int heaps, int every, double *r) {
  static double v[ROWS], q[ROWS];
  static sn_contact *list[CONTACTS];
  uint64_t seed = 23;
  int count = 0;
  for (int i = 0; i < CONTACTS; i++) {
    const int size = CABLES / heaps, cable = i % heaps * size + (int)((long)i * (size - 3) / CONTACTS);
    sn_contact *c = &contacts[i];
    const uint64_t key = (uint64_t)(i / 3 + 1) << SN_FEATURE_BITS | (uint64_t)(9 - i % 3);
    *c = (sn_contact){.key = key, .law = i % 4 ? 1 : 0, .side[1].carrier = SEGMENTS};
    for (int k = 0; k < 3; k++) c->normal[k] = noise(&seed);
    sn_normalize(c->normal);
    put_on(&c->side[0], cable, &seed);
    if (i % 10) put_on(&c->side[1], cable + 1 + i % 3, &seed);
    if (!every || i % every) list[count++] = c;
  }
  sn_ccp_take(ccp, count, list, q);
  for (int k = 0; k < ROWS; k++) v[k] = k / (6 * NODES) % 100 < 20 ? noise(&seed) : 0;
  sn_ccp_rates(ccp, v, r);
}
static void take_contacts(sn_ccp *ccp, double *r) {
  take_some(ccp, 1, 0, r);
}

/* The largest s |g - P(g - d/s)|, d = D'A^-1 D g + r + mu |d_t| n. */
static double residual_of(const world *w, const sn_ccp *ccp, const double *g, const double *r) {
  static double f[ROWS], d[3 * CONTACTS];
  double largest = 0;
  memset(f, 0, sizeof f);
  sn_ccp_forces(ccp, f);
  sn_ldl.solve(w->solver, f);
  sn_ccp_rates(ccp, f, d);
  for (int i = 0; i < CONTACTS; i++) {
    double s = ccp->cone[i].s, mu = ccp->cone[i].mu, p[3];
    d[3 * i] += mu * hypot(d[3 * i + 1] + r[3 * i + 1], d[3 * i + 2] + r[3 * i + 2]);
    for (int k = 0; k < 3; k++) p[k] = g[3 * i + k] - (d[3 * i + k] + r[3 * i + k]) / s;
    double t = hypot(p[1], p[2]), n = (p[0] + mu * t) / (1 + mu * mu), cut = t > 0 ? mu * n / t : 0;
    if (t > mu * p[0] || p[0] < 0) {
      if (n < 0) n = cut = 0;
      p[0] = n, p[1] *= cut, p[2] *= cut;
    }
    for (int k = 0; k < 3; k++) p[k] = s * (g[3 * i + k] - p[k]);
    largest = fmax(largest, sqrt(sn_dot(p, p)));
  }
  return largest;
}

static void what_rests_is_solved(void **state) {
  (void)state;
  static double r[3 * CONTACTS], g[2][3 * CONTACTS];
  world w;
  open_world(&w);
  for (int k = 0; k < 2; k++) { /* one thread, three threads */
    sn_threads *threads = sn_threads_create(1 + 2 * k);
    sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, threads);
    take_contacts(ccp, r);
    sn_ccp_settings settings = {.tolerance = 2e-3, .iterations = 1000};
    sn_ccp_result result = sn_ccp_solve(ccp, r, &settings);
    print_message("%d iterations, of a contact %.1f\n", result.iterations, (double)result.work / CONTACTS);
    assert_true(result.converged && result.iterations < 150);      /* before all becomes one region */
    assert_true(result.work < 0.8 * result.iterations * CONTACTS); /* it has rested */
    memcpy(g[k], sn_ccp_impulses(ccp), sizeof g[k]);
    double residual = residual_of(&w, ccp, g[k], r);
    assert_below(fabs(residual - result.residual), 1e-9, "residual %g, as told %g", residual, result.residual);
    /* once more: it starts from these impulses, all of which are remembered (in several parts of the memory) */
    take_contacts(ccp, r);
    settings.iterations = 0;
    result = sn_ccp_solve(ccp, r, &settings);
    assert_true(result.converged);
    for (int i = 0; i < 3 * CONTACTS; i++)
      assert_below(fabs(sn_ccp_impulses(ccp)[i] - g[k][i]), 1e-12, "impulse %d", i);
    /* tight: more iterations than regions and rest are kept for */
    settings.tolerance = 1e-9, settings.iterations = 20000;
    sn_ccp_forget(ccp);
    take_contacts(ccp, r);
    result = sn_ccp_solve(ccp, r, &settings);
    print_message("tight: %d iterations\n", result.iterations);
    assert_true(result.converged && result.iterations > 200);
    residual = residual_of(&w, ccp, sn_ccp_impulses(ccp), r);
    assert_below(residual, 2e-9, "residual, tight");
    sn_ccp_free(ccp);
    sn_threads_free(threads);
  }
  assert_memory_equal(g[0], g[1], sizeof g[0]);
  sn_ldl.free(w.solver);
  sn_arena_free(&w.arena);
}

/* The impulses of the given problem, solved or (no iterations) as they are at the start. */
static void impulses_of(sn_ccp *ccp, const double *r, int iterations, double *g) {
  static double unused[3 * CONTACTS];
  take_contacts(ccp, unused);
  sn_ccp_settings settings = {.tolerance = 1e-5, .iterations = iterations};
  sn_ccp_result result = sn_ccp_solve(ccp, r, &settings);
  assert_true(result.converged || iterations == 0);
  memcpy(g, sn_ccp_impulses(ccp), 3 * CONTACTS * sizeof *g);
}

/* A solution starts from the mean of those before it, g + 0.15 (g1 - g) after two: also where a contact is open in the
 * last one, and where one step is of no effect on a long mean (the residue of a tolerance at rest). Contacts that stay
 * open are forgotten. */
static void start_is_the_mean(void **state) {
  (void)state;
  static double r[3 * CONTACTS], other[3 * CONTACTS], none[3 * CONTACTS], g[3 * CONTACTS], g1[3 * CONTACTS],
      start[3 * CONTACTS];
  world w;
  open_world(&w);
  sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
  take_contacts(ccp, r);
  memcpy(other, r, sizeof other);
  for (int i = 0; i < CONTACTS; i++) other[3 * i] += i % 5 ? 0.01 * (i % 7) : SN_CCP_FAR, none[3 * i] = SN_CCP_FAR;
  impulses_of(ccp, r, 5000, g);
  impulses_of(ccp, other, 5000, g1);
  impulses_of(ccp, r, 0, start);
  double moved = 0;
  int opened = 0;
  for (int i = 0; i < 3 * CONTACTS; i++) {
    moved = fmax(moved, fabs(g1[i] - g[i]));
    opened += i % 3 == 0 && g[i] > 0.01 && g1[i] == 0;
    const double mean = g[i - i % 3] > 0 ? g[i] + 0.15 * (g1[i] - g[i]) : g1[i]; /* it was open: nothing to average */
    const double dropped =
        1e-5 / 100 / ccp->cone[i / 3].s; /* of an open one: changes velocities by 1 % of the tolerance */
    assert_below(fabs(start[i] - mean), dropped + 1e-9, "start of contact %d", i / 3);
  }
  assert_true(moved > 0.1 && opened > 20);
  for (int k = 0; k < 150; k++) impulses_of(ccp, none, 10, g1);
  for (int k = 0; k < ccp->memory.count; k++) assert_true(ccp->memory.mean[k][3] == 0);
  sn_ccp_free(ccp);
  sn_ldl.free(w.solver);
  sn_arena_free(&w.arena);
}

enum { HEAPS = 2 };

/* Impulses are found by the keys of their contacts, whatever others there are beside them, and wherever islands put them.
 * `without`: those that `every` leaves out. */
static void start_with_others(sn_ccp *ccp, int every, int without, const double *g) {
  static double r[3 * CONTACTS];
  take_some(ccp, HEAPS, every, r);
  const sn_ccp_settings settings = {.tolerance = 1e-5, .iterations = 0};
  sn_ccp_solve(ccp, r, &settings);
  for (int i = 0; i < sn_ccp_count(ccp); i++) {
    const int number = (int)(sn_ccp_contacts(ccp)[i] - contacts);
    for (int k = 0; k < 3; k++) {
      const double known = without && number % without == 0 ? 0 : g[3 * number + k];
      assert_below(fabs(sn_ccp_impulses(ccp)[3 * i + k] - known), 1e-12 * (1 + fabs(known)), "contact %d", number);
    }
  }
}

static void start_is_found_by_key(void **state) {
  (void)state;
  static double r[3 * CONTACTS], g[3 * CONTACTS];
  int impulses = 0;
  world w;
  open_world(&w);
  sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
  take_some(ccp, HEAPS, 0, r);
  const sn_ccp_settings settings = {.tolerance = 1e-5, .iterations = 5000};
  assert_true(sn_ccp_solve(ccp, r, &settings).converged);
  for (int i = 0; i < CONTACTS; i++) {
    const int number = (int)(sn_ccp_contacts(ccp)[i] - contacts);
    const double *from = sn_ccp_impulses(ccp) + 3 * i;
    for (int k = 0; k < 3; k++) g[3 * number + k] = from[k];
    impulses += from[0] > 0;
  }
  assert_int_equal(sn_ccp_islands(ccp)->count, HEAPS);
  assert_true(impulses > CONTACTS / 4);
  start_with_others(ccp, 7, 0, g); /* 300 of them open */
  start_with_others(ccp, 7, 0, g);
  start_with_others(ccp, 0, 7, g); /* they come back */
  sn_ccp_forget(ccp);
  start_with_others(ccp, 0, 1, g);
  sn_ccp_free(ccp);
  sn_ldl.free(w.solver);
  sn_arena_free(&w.arena);
}

/* The projection by the measure a gn^2 + t |gt|^2 = |g|_S^2 is the point p of the cone with (p - y)'S (q - p) >= 0 for
 * all q of the cone, y = f - step S^-1 d; random contacts. */
static void projection_is_nearest(void **state) {
  (void)state;
  sn_cones cones;
  uint64_t seed = 11;
  for (int trial = 0; trial < 300; trial++) {
    sn_cone cone = {.mu = fabs(noise(&seed)), .s = 1, .inverse_s = 1};
    cone.a = exp(2 * noise(&seed)), cone.t = exp(2 * noise(&seed));
    double f[4] = {0}, d[4] = {0}, p[4], y[3], step = 0.7;
    for (int k = 0; k < 3; k++) cone.n[k] = noise(&seed), f[k] = noise(&seed), d[k] = noise(&seed);
    sn_scale(cone.n, 1 / sqrt(sn_dot(cone.n, cone.n)), cone.n);
    sn_cones_take(&cone, 1, &cones);
    sn_ccp_project(&cones, 1, step, 0, f, f, d, d, p);
    for (int k = 0; k < 3; k++)
      y[k] = f[k] - step * (d[k] / cone.t + (1 / cone.a - 1 / cone.t) * sn_dot(cone.n, d) * cone.n[k]);
    for (int j = 0; j < 20; j++) {
      double q[4] = {noise(&seed), noise(&seed), noise(&seed), 0}, e[3], w[3];
      if (j > 0) sn_space_project(&cone, q); /* the first: that p itself is in the cone */
      if (j == 0) memcpy(q, p, sizeof q), sn_space_project(&cone, q);
      for (int k = 0; k < 3; k++) e[k] = p[k] - y[k], w[k] = q[k] - p[k];
      if (j == 0) assert_below(sqrt(sn_dot(w, w)), 1e-12, "out of the cone");
      double product = cone.t * sn_dot(e, w) + (cone.a - cone.t) * sn_dot(cone.n, e) * sn_dot(cone.n, w);
      assert_below(-product, 1e-12, "nearer to the point, trial %d", trial);
    }
  }
}

/* Contacts side by side against one after the other, from the definitions: sums, residuals of Coulomb's law, the next
 * iterate (by the projection above). For every number of lanes that stay empty. */
enum { SOME = 21 };
typedef struct some {
  sn_cone cone[SOME];
  double g1[4 * SOME], g0[4 * SOME], g[4 * SOME], d1[4 * SOME], d0[4 * SOME], d[4 * SOME], bias[SOME];
} some;

static some some_contacts(uint64_t *seed) {
  some w = {0};
  for (int i = 0; i < SOME; i++) {
    sn_cone *c = &w.cone[i];
    *c = (sn_cone){.mu = i % 5 ? fabs(noise(seed)) : 0, .s = exp(noise(seed)), .a = exp(noise(seed))};
    c->t = exp(noise(seed));
    c->inverse_s = i == 3 ? 0 : 1 / c->s;
    w.bias[i] = noise(seed);
    double *of[6] = {w.g1, w.g0, w.g, w.d1, w.d0, w.d};
    for (int k = 0; k < 3; k++) c->n[k] = noise(seed);
    sn_scale(c->n, 1 / sqrt(sn_dot(c->n, c->n)), c->n);
    for (int v = 0; v < 6; v++)
      for (int k = 0; k < 3; k++) of[v][4 * i + k] = noise(seed);
  }
  return w;
}

/* e'N e, e'S e, dy'(g1 - g0) of one contact, added to sum */
static void add_sums(const some *w, int i, double blend, double sum[3]) {
  const sn_cone *c = &w->cone[i];
  double e[3], dy[3];
  for (int k = 0, j = 4 * i; k < 3; k++, j++) {
    e[k] = w->g1[j] - w->g0[j] - blend * (w->g0[j] - w->g[j]);
    dy[k] = w->d0[j] + blend * (w->d0[j] - w->d[j]);
    sum[0] += e[k] * (w->d1[j] - dy[k]);
    sum[2] += dy[k] * (w->g1[j] - w->g0[j]);
  }
  const double along = sn_dot(c->n, e);
  sum[1] += c->a * along * along + c->t * (sn_dot(e, e) - along * along);
}

static void side_by_side(void **state) {
  (void)state;
  sn_cones cones[SOME / SN_GROUP + 1];
  uint64_t seed = 5;
  for (int count = 1; count <= SOME; count++) {
    const some w = some_contacts(&seed);
    some x = w;
    sn_region region = {.blend = 0.4, .next = 0.6, .step = 0.7};
    sn_ccp_block block = {.region = &region};
    double sum[3] = {0}, next[4 * SOME], change[SOME], square[SOME];
    sn_cones_take(w.cone, count, cones);
    sn_ccp_project(cones, count, region.step, region.next, w.g1, w.g0, w.d1, w.d0, next);
    sn_ccp_iterate(cones, count, w.d1, &(sn_iterates){x.g1, x.g0, x.g, x.d0, x.d}, &block);
    sn_ccp_judge(cones, count, w.g1, w.d1, w.bias, change, square);
    for (int i = 0; i < SOME; i++) { /* beyond them nothing is written */
      for (int k = 4 * i; k < 4 * i + 3; k++) {
        assert_below(fabs(x.g[k] - (i < count ? next[k] : w.g[k])), 1e-14, "next iterate, %d of %d", i, count);
        assert_true(x.d[k] == (i < count ? w.d1[k] : w.d[k]));
      }
      if (i >= count) continue;
      const double *n = w.cone[i].n, *d1 = w.d1 + 4 * i, along = sn_dot(n, d1);
      const double slip = w.cone[i].mu * sqrt(fmax(sn_dot(d1, d1) - along * along, 0)), more = slip - w.bias[i];
      const double d[3] = {d1[0] + more * n[0], d1[1] + more * n[1], d1[2] + more * n[2]}, h = w.cone[i].inverse_s;
      const double *g = w.g1 + 4 * i;
      double p[4] = {g[0] - h * d[0], g[1] - h * d[1], g[2] - h * d[2], 0};
      sn_space_project(&w.cone[i], p);
      sn_sub(p, p, g);
      assert_below(fabs(change[i] - (more)), 1e-12, "bias, %d of %d", i, count);
      assert_below(fabs(square[i] - (w.cone[i].s * w.cone[i].s * sn_dot(p, p))), 1e-12, "residual, %d of %d", i, count);
      add_sums(&w, i, region.blend, sum);
    }
    assert_below(fabs(block.e_N_e - (sum[0])), 1e-12, "e'N e of %d", count);
    assert_below(fabs(block.e_S_e - (sum[1])), 1e-12, "e'S e of %d", count);
    assert_below(fabs(block.slope - (sum[2])), 1e-12, "slope of %d", count);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_rests_is_solved), cmocka_unit_test(start_is_the_mean),
                                     cmocka_unit_test(start_is_found_by_key), cmocka_unit_test(projection_is_nearest),
                                     cmocka_unit_test(side_by_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
