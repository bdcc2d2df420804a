/* test_ccp.c - components of a factorization and the solvers of the cone complementarity problem, against dense
 * algebra. */
#include "contact/ccp.h"
#include "contact/ccp_problem.h"
#include "sparse/components.h"
#include "support.h"

/* ---- a matrix: free bodies of 7 with a constraint each, one of them tied to a chain of 6, free chains, of which the
 * last is even (a x I3) ---- */

enum { BODIES = 5, CHAINS = 3, NODES = 4, MASSES = 2 };

typedef struct world {
  sn_arena arena;
  sn_matrix *matrix;
  void *solver;
  int n;        /* coordinates */
  double *full; /* dense matrix */
  double *G;    /* its inverse */
  uint64_t seed;
} world;

static void symmetric(world *w, int group, int other) {
  sn_matrix *m = w->matrix;
  int b = sn_matrix_find(m, group > other ? group : other, group > other ? other : group);
  int rows = m->size[m->row[b]], columns = m->size[group > other ? other : group];
  double *A = m->value + m->lower[b];
  for (int c = 0; c < columns; c++)
    for (int r = 0; r < rows; r++) A[c * rows + r] = 0.3 * noise(&w->seed);
  if (group != other) return;
  for (int c = 0; c < columns; c++)
    for (int r = 0; r < c; r++) A[c * rows + r] = A[r * rows + c];
  for (int c = 0; c < columns; c++) A[c * rows + c] = m->constraint[group] ? 0 : 4 + noise(&w->seed);
  if (m->constraint[group]) memset(A, 0, sizeof(double) * (size_t)(rows * rows));
}

/* B := b x I3, b the corners of its 3 x 3 blocks. */
static void make_even(sn_matrix *m, int group, int other) {
  int rows = m->size[group], columns = m->size[other];
  double *B = m->value + m->lower[sn_matrix_find(m, group, other)];
  for (int c = 0; c < columns; c++)
    for (int r = 0; r < rows; r++) B[c * rows + r] = r % 3 == c % 3 ? B[(c - c % 3) * rows + r - r % 3] : 0;
}

static void invert(size_t n, const double *A, double *G) {
  double *B = malloc(n * n * sizeof *B);
  memcpy(B, A, n * n * sizeof *B);
  for (size_t i = 0; i < n * n; i++) G[i] = i % (n + 1) == 0;
  for (size_t k = 0; k < n; k++) {
    size_t p = k;
    for (size_t i = k; i < n; i++) p = fabs(B[k * n + i]) > fabs(B[k * n + p]) ? i : p;
    for (size_t j = 0; j < n; j++) {
      double t = B[j * n + k], u = G[j * n + k];
      B[j * n + k] = B[j * n + p], B[j * n + p] = t;
      G[j * n + k] = G[j * n + p], G[j * n + p] = u;
    }
    double inverse = 1 / B[k * n + k];
    for (size_t j = 0; j < n; j++) B[j * n + k] *= inverse, G[j * n + k] *= inverse;
    for (size_t i = 0; i < n; i++) {
      double f = B[k * n + i];
      for (size_t j = 0; i != k && j < n; j++) B[j * n + i] -= f * B[j * n + k], G[j * n + i] -= f * G[j * n + k];
    }
  }
  free(B);
}

static void make_carriers(const world *w);

static void open_world(world *w) {
  sn_pattern *p = sn_pattern_create();
  *w = (world){.seed = 7};
  int chain = BODIES, mass = BODIES + CHAINS * NODES, constraint = mass + MASSES;
  for (int k = 0; k < BODIES; k++) sn_pattern_group(p, 7, false);
  for (int k = 0; k < CHAINS * NODES; k++) sn_pattern_group(p, 6, false);
  for (int k = 0; k < MASSES; k++) sn_pattern_group(p, 3, false);
  for (int k = 0; k < BODIES; k++) sn_pattern_couple(p, k, sn_pattern_group(p, 1, true));
  int tie = sn_pattern_group(p, 3, true); /* body 0 to the end of chain 0 */
  sn_pattern_couple(p, tie, 0);
  sn_pattern_couple(p, tie, chain + NODES - 1);
  for (int c = 0; c < CHAINS; c++)
    for (int k = 1; k < NODES; k++) sn_pattern_couple(p, chain + c * NODES + k, chain + c * NODES + k - 1);
  w->matrix = sn_pattern_freeze(p, &w->arena, false);
  for (int j = 0; j < w->matrix->groups; j++)
    for (int b = w->matrix->column[j]; b < w->matrix->column[j + 1]; b++) symmetric(w, j, w->matrix->row[b]);
  for (int k = mass - NODES; k < mass; k++) {
    make_even(w->matrix, k, k);
    if (k > mass - NODES) make_even(w->matrix, k, k - 1);
  }
  w->n = w->matrix->first[constraint];
  w->solver = sn_ldl.analyze(w->matrix);
  int group;
  assert_true(sn_ldl.factor(w->solver, w->matrix, &group));
  size_t rows = (size_t)w->matrix->rows;
  w->full = dense(w->matrix);
  w->G = malloc(rows * rows * sizeof *w->G);
  invert(rows, w->full, w->G);
  make_carriers(w);
}

static void close_world(world *w) {
  sn_ldl.free(w->solver);
  free(w->full);
  free(w->G);
  sn_arena_free(&w->arena);
}

/* ---- components ---- */

static void components_invert_as_the_whole(void **state) {
  (void)state;
  world w;
  sn_components components;
  open_world(&w);
  sn_components_create(&components, w.solver);
  assert_int_equal(components.count, BODIES + CHAINS + MASSES - 1);
  size_t rows = (size_t)w.matrix->rows;
  double x[256], y[256];
  for (size_t i = 0; i < rows; i++) x[i] = y[i] = noise(&w.seed);
  sn_ldl.solve(w.solver, x);
  for (int k = 0; k < components.count; k++) sn_component_solve(&components, k, y);
  assert_memory_equal(x, y, rows * sizeof(double));
  for (int k = 0; k < components.count; k++) sn_component_invert(&components, k);
  int blocks = 0;
  for (int j = 0; j < w.matrix->groups; j++)
    for (int i = 0; i < w.matrix->groups; i++) {
      int down, right;
      if (components.of_group[i] != components.of_group[j]) continue;
      const double *Z = sn_component_inverse(&components, i, j, &down, &right);
      if (!Z) continue;
      blocks++;
      for (int c = 0; c < w.matrix->size[j]; c++)
        for (int r = 0; r < w.matrix->size[i]; r++)
          assert_below(fabs(Z[r * down + c * right] -
                            w.G[(size_t)(w.matrix->first[j] + c) * rows + (size_t)(w.matrix->first[i] + r)]),
                       1e-12, "inverse block %d %d", i, j);
    }
  assert_true(blocks >= 2 * w.matrix->column[w.matrix->groups] - w.matrix->groups);
  sn_components_free(&components);
  close_world(&w);
}

/* ---- contacts ---- */

enum { CONTACTS = 30, SEGMENTS = CHAINS * (NODES - 1) };

/* What contacts are carried by: bodies, pairs of neighboring nodes of the chains (points linear in the coordinates, and
 * points with a probe), point masses, and the ground. */
enum { ON_BODY, ON_CHAIN = BODIES, ON_PROBE = ON_CHAIN + SEGMENTS, ON_MASS = ON_PROBE + SEGMENTS };
enum { ON_GROUND = ON_MASS + MASSES, CARRIERS };

static sn_carrier carriers[CARRIERS];
static sn_law laws[CONTACTS];
static const sn_surfaces surfaces = {.carriers = CARRIERS, .carrier = carriers, .laws = CONTACTS, .law = laws};
static sn_contact contacts[2 * CONTACTS];
static sn_probe probes[CONTACTS][2];
static double jacobians[CONTACTS][2][36];
static double q[128];

typedef struct problem {
  double D[CONTACTS][3][128]; /* rows over all coordinates; contacts in the order of the problem */
  double mu[CONTACTS], r[3 * CONTACTS], v[128];
} problem;

static void random_frame(world *w, double e[3][3]) {
  for (int k = 0; k < 3; k++) e[0][k] = noise(&w->seed);
  sn_normalize(e[0]);
  sn_frame(e[0], e[1], e[2]);
}

static sn_carrier carrier_of(const world *w, sn_carrier_type type, int group, int groups) {
  const sn_matrix *m = w->matrix;
  sn_carrier c = {.type = type, .dim = 3, .groups = groups};
  for (int g = 0; g < groups; g++) {
    c.group[g] = group + g;
    c.first[g] = m->first[group + g];
    c.size[g] = m->size[group + g];
    c.count += c.size[g];
    for (int v = 0; type == SN_CARRIER_LINEAR && v < c.size[g] / 3; v++) c.vector[c.vectors++] = c.first[g] + 3 * v;
  }
  return c;
}

static void make_carriers(const world *w) {
  for (int k = 0; k < BODIES; k++) carriers[ON_BODY + k] = carrier_of(w, SN_CARRIER_RIGID, k, 1);
  for (int k = 0; k < SEGMENTS; k++) {
    int node = BODIES + k / (NODES - 1) * NODES + k % (NODES - 1);
    carriers[ON_CHAIN + k] = carrier_of(w, SN_CARRIER_LINEAR, node, 2);
    carriers[ON_PROBE + k] = carrier_of(w, SN_CARRIER_PROBE, node, 2);
  }
  for (int k = 0; k < MASSES; k++)
    carriers[ON_MASS + k] = carrier_of(w, SN_CARRIER_LINEAR, BODIES + CHAINS * NODES + k, 1);
  carriers[ON_GROUND] = (sn_carrier){.type = SN_CARRIER_GROUND};
}

static void stored_jacobian(const sn_probe *probe, const double *at, double *J) {
  (void)at;
  for (int i = 0; i < CONTACTS; i++)
    for (int s = 0; s < 2; s++)
      if (probe == &probes[i][s]) memcpy(J, jacobians[i][s], sizeof jacobians[i][s]);
}
static const sn_probe_ops stored = {.jacobian = stored_jacobian};

/* A point on a body: x' = c' + w x arm with w = 2 p' p*, by quaternion products. */
static void body_side(const sn_contact *c, int s, double e[3][3], double D[3][128]) {
  const sn_carrier *on = &carriers[c->side[s].carrier];
  const double *p = q + on->first[0] + 3;
  double arm[3];
  sn_sub(arm, c->point, q + on->first[0]);
  for (int j = 0; j < 7; j++) {
    double x[3] = {j == 0, j == 1, j == 2};
    if (j >= 3) {
      double d[4] = {j == 3, j == 4, j == 5, j == 6}, turn[3], cross[3];
      sn_cross(cross, d + 1, p + 1); /* vector of (d0, d) (p0, -p) */
      for (int k = 0; k < 3; k++) turn[k] = 2 * (p[0] * d[k + 1] - d[0] * p[k + 1] - cross[k]);
      sn_cross(x, turn, arm);
    }
    for (int a = 0; a < 3; a++) D[a][on->first[0] + j] += (s ? -1 : 1) * sn_dot(e[a], x);
  }
}

/* A side on a body, on two nodes of a chain (weights of four vectors), on a point mass, on nothing, or on two nodes by
 * a probe. Body 0 is tied to a chain: its component is a large one. */
static void random_side(world *w, int type, sn_contact *c, int i, int s, double e[3][3], double D[3][128]) {
  sn_side *side = &c->side[s];
  double sign = s ? -1 : 1;
  int chain = (int)(fabs(noise(&w->seed)) * CHAINS) % CHAINS, k = (int)(fabs(noise(&w->seed)) * (NODES - 1));
  if (type == 4 && chain == CHAINS - 1) chain = 0; /* rows would make the even chain one like others */
  int segment = chain * (NODES - 1) + k % (NODES - 1);
  const int place[] = {ON_BODY + (int)(fabs(noise(&w->seed)) * BODIES) % BODIES, ON_CHAIN + segment,
                       ON_MASS + chain % MASSES, ON_GROUND, ON_PROBE + segment};
  side->carrier = place[type];
  const sn_carrier *on = &carriers[side->carrier];
  if (type == 0) body_side(c, s, e, D);
  if (type == 4) {
    double *J = jacobians[i][s];
    probes[i][s] = (sn_probe){.ops = &stored, .groups = on->groups, .count = on->count, .dim = 3};
    side->probe = &probes[i][s];
    for (int j = 0; j < 36; j++) J[j] = noise(&w->seed);
    for (int a = 0; a < 3; a++)
      for (int j = 0; j < 12; j++) D[a][on->first[0] + j] += sign * sn_dot(e[a], J + 3 * j);
  }
  for (int v = 0; v < on->vectors; v++) {
    side->weight[v] = noise(&w->seed);
    for (int a = 0; a < 3; a++)
      for (int j = 0; j < 3; j++) D[a][on->vector[v] + j] += sign * side->weight[v] * e[a][j];
  }
}

/* Some contacts between anything and anything, `times` over, and velocities they bring with them. */
static void take_contacts(world *w, sn_ccp *ccp, int times, problem *p) {
  static double D[CONTACTS][3][128];
  sn_contact *list[2 * CONTACTS];
  memset(D, 0, sizeof D);
  for (int k = 0; k < w->n; k++) q[k] = noise(&w->seed);
  for (int i = 0; i < CONTACTS; i++) {
    sn_contact *c = &contacts[i];
    double frame[3][3];
    *c = (sn_contact){.key = (uint64_t)i + 1, .law = i};
    laws[i].friction = i % 4 == 0 ? 0 : 0.3 + 0.1 * (i % 5);
    random_frame(w, frame);
    sn_copy(c->normal, frame[0]);
    for (int k = 0; k < 3; k++) c->point[k] = noise(&w->seed);
    random_side(w, i % 3, c, i, 0, frame, D[i]);
    random_side(w, (i + i / 3) % 5, c, i, 1, frame, D[i]);
    contacts[i + CONTACTS] = *c;
    contacts[i + CONTACTS].key += CONTACTS;
  }
  for (int i = 0; i < times * CONTACTS; i++) list[i] = &contacts[i];
  sn_ccp_take(ccp, times * CONTACTS, list, q);
  assert_int_equal(sn_ccp_count(ccp), times * CONTACTS);
  for (int i = 0; times == 1 && i < CONTACTS; i++) {
    int number = (int)(sn_ccp_contacts(ccp)[i] - contacts);
    memcpy(p->D[i], D[number], sizeof p->D[i]);
    p->mu[i] = laws[number].friction;
  }
  /* r = D'v: rest would do, so that there is a solution */
  for (int k = 0; k < w->n; k++) p->v[k] = noise(&w->seed);
  if (times == 1) sn_ccp_rates(ccp, p->v, p->r);
}

/* d = D'A^-1 D g + r by dense algebra */
static void dense_rates(const world *w, const problem *p, const double *g, double *d) {
  size_t rows = (size_t)w->matrix->rows;
  double f[128] = {0}, x[128] = {0};
  for (int i = 0; i < 3 * CONTACTS; i++)
    for (int k = 0; k < w->n; k++) f[k] += p->D[i / 3][i % 3][k] * g[i];
  for (int k = 0; k < w->n; k++)
    for (int j = 0; j < w->n; j++) x[k] += w->G[(size_t)j * rows + (size_t)k] * f[j];
  for (int i = 0; i < 3 * CONTACTS; i++) d[i] = p->r[i] + inner(p->D[i / 3][i % 3], x, w->n);
}

static void operator_is_the_dense_one(void **state) {
  (void)state;
  world w;
  problem p;
  open_world(&w);
  sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
  take_contacts(&w, ccp, 1, &p);
  double g[3 * CONTACTS], d[3 * CONTACTS], v[128], rate[3 * CONTACTS];
  for (int i = 0; i < 3 * CONTACTS; i++) g[i] = noise(&w.seed);
  sn_ccp_prepare(ccp);
  int even = 0;
  for (int i = 0; i < 2 * CONTACTS; i++) even += ccp->quick[i] == SN_QUICK_EVEN;
  assert_true(even > 0);
  double space[4 * CONTACTS] = {0};
  for (int i = 0; i < CONTACTS; i++) sn_to_space(ccp->frame[i], g + 3 * i, space + 4 * i);
  for (int k = 0; k < ccp->islands.count; k++) sn_ccp_move(ccp, &ccp->island[k], space);
  dense_rates(&w, &p, g, d);
  for (int i = 0; i < CONTACTS; i++) {
    double u[4], y[3];
    sn_four_store(u, sn_ccp_velocity(ccp, i));
    sn_from_space(ccp->frame[i], u, y);
    for (int a = 0; a < 3; a++) assert_below(fabs(y[a] + p.r[3 * i + a] - d[3 * i + a]), 1e-11, "contact %d", i);
  }
  add_noise(&w.seed, 1, memset(v, 0, sizeof v), w.n);
  sn_ccp_rates(ccp, v, rate);
  for (int i = 0; i < 3 * CONTACTS; i++)
    assert_below(fabs(rate[i] - inner(p.D[i / 3][i % 3], v, w.n)), 1e-12, "rate %d", i);
  double f[128] = {0}, force[128] = {0};
  memcpy(ccp->vector[0], g, sizeof g);
  for (int i = 0; i < CONTACTS; i++) ccp->vector[0][3 * i] = fabs(g[3 * i]) + 0.1;
  for (int i = 0; i < 3 * CONTACTS; i++)
    for (int k = 0; k < w.n; k++) force[k] += p.D[i / 3][i % 3][k] * ccp->vector[0][i];
  sn_ccp_forces(ccp, f);
  assert_below(distance(f, force, w.n), 1e-11, "generalized force");
  sn_ccp_free(ccp);
  close_world(&w);
}

/* Optimality by dense algebra: g in the cone, d in the dual cone |dt| mu <= dn, g'd = 0, with dn + mu |dt| in place of
 * dn for Coulomb's law; the velocities of all solvers agree (the impulses need not). */
static void solvers_solve(bool relaxed) {
  world w;
  problem p;
  static const sn_ccp_method methods[] = {SN_CCP_APGD, SN_CCP_GAUSS_SEIDEL, SN_CCP_JACOBI, SN_CCP_INTERIOR_POINT};
  double d[SN_COUNT(methods)][3 * CONTACTS];
  open_world(&w);
  for (size_t method = 0; method < SN_COUNT(methods); method++) {
    sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
    w.seed = 99;
    take_contacts(&w, ccp, 1, &p);
    sn_ccp_settings settings = {
        .method = methods[method], .relaxed = relaxed, .tolerance = 1e-10, .iterations = 100000};
    sn_ccp_result result = sn_ccp_solve(ccp, p.r, &settings);
    assert_true(result.converged);
    print_message("method %zu: %d iterations, residual %.1e m/s\n", method, result.iterations, result.residual);
    const double *g = sn_ccp_impulses(ccp);
    dense_rates(&w, &p, g, d[method]);
    double touching = 0, sliding = 0;
    for (int i = 0; i < CONTACTS; i++) {
      const double *gi = g + 3 * i;
      double di[3], gt = hypot(gi[1], gi[2]);
      sn_copy(di, d[method] + 3 * i);
      double dt = hypot(di[1], di[2]);
      if (!relaxed && gi[0] > 0) assert_below(fabs(di[0]), 1e-8, "contact %d lifts off", i);
      if (!relaxed) di[0] += p.mu[i] * dt;
      touching += gi[0] > 0;
      sliding += gi[0] > 0 && p.mu[i] > 0 && dt > 1e-3;
      assert_below(gt - p.mu[i] * gi[0], 1e-9, "impulse %d outside its cone", i);
      assert_below(p.mu[i] * dt - di[0], 1e-8, "velocity %d outside the dual cone", i);
      assert_below(fabs(p.mu[i] > 0 ? inner(gi, di, 3) : gi[0] * di[0]), 1e-8, "contact %d not complementary", i);
    }
    assert_true(touching > 5 && touching < CONTACTS && sliding > 3);
    assert_below(distance(d[method], d[0], 3 * CONTACTS), 1e-7, "method %zu has other velocities", method);
    /* once more, from the solution: nothing is left to do */
    w.seed = 99;
    take_contacts(&w, ccp, 1, &p);
    settings.tolerance = 1e-8;
    result = sn_ccp_solve(ccp, p.r, &settings);
    assert_int_equal(result.iterations, 0);
    sn_ccp_free(ccp);
  }
  close_world(&w);
}

static void solvers_agree(void **state) {
  (void)state;
  solvers_solve(true);
  solvers_solve(false);
}

/* ---- pyramids in place of cones: lemke ---- */

static const double *solve_by(sn_ccp *ccp, const double *r, sn_ccp_method method, bool relaxed, int facets) {
  sn_ccp_settings settings = {
      .method = method, .relaxed = relaxed, .tolerance = 1e-7, .iterations = 100000, .facets = facets};
  sn_ccp_result result = sn_ccp_solve(ccp, r, &settings);
  if (!result.converged) print_message("method %d, residual %.1e m/s\n", method, result.residual);
  assert_true(result.converged);
  return sn_ccp_impulses(ccp);
}

/* The law of a contact by pyramids, by dense algebra. Coulomb: the impulse along t_1 .. t_k within the polygon, and of
 * all of those the one that takes most from the sliding; no lift. Relaxed: d in the dual cone of the pyramid. */
static void check_pyramid(bool relaxed, int facets, double mu, const double g[3], const double d[3], int i) {
  double most = 0, least = INFINITY, out = 0;
  for (int k = 0; k < facets; k++) {
    double a = 8 * atan(1) * k / facets, b = a + 4 * atan(1) / facets;
    most = fmax(most, -cos(a) * d[1] - sin(a) * d[2]);
    least = fmin(least, d[0] + mu * (cos(a) * d[1] + sin(a) * d[2]));
    out = fmax(out, cos(b) * g[1] + sin(b) * g[2] - cos(4 * atan(1) / facets) * mu * g[0]);
  }
  assert_below(-g[0], 1e-12, "impulse %d pulls", i);
  assert_below(out, 1e-9, "impulse %d outside its pyramid", i);
  if (relaxed) {
    assert_below(-least, 1e-9, "velocity %d outside the dual pyramid", i);
    assert_below(fabs(g[0] * d[0] + (mu > 0 ? g[1] * d[1] + g[2] * d[2] : 0)), 1e-9, "contact %d not complementary", i);
  } else {
    assert_below(-d[0], 1e-9, "contact %d closes", i);
    assert_below(fabs(g[0] * d[0]), 1e-9, "contact %d not complementary", i);
    if (mu > 0) assert_below(fabs(g[1] * d[1] + g[2] * d[2] + mu * g[0] * most), 1e-9, "friction %d", i);
  }
}

static void lemke_solves(void **state) {
  (void)state;
  world w;
  problem p;
  double d[3 * CONTACTS];
  open_world(&w);
  for (int seed = 0; seed < 20; seed++)
    for (int relaxed = 0; relaxed < 2; relaxed++) {
      int facets = 3 + seed % 8;
      sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
      w.seed = 100 + (uint64_t)seed;
      take_contacts(&w, ccp, 1, &p);
      const double *g = solve_by(ccp, p.r, SN_CCP_LEMKE, relaxed, facets);
      dense_rates(&w, &p, g, d);
      for (int i = 0; i < CONTACTS; i++) check_pyramid(relaxed, facets, p.mu[i], g + 3 * i, d + 3 * i, i);
      sn_ccp_free(ccp);
    }
  close_world(&w);
}

/* Pyramids differ from cones by 1/facets^2, and so do what the relaxed problem minimizes; velocities, whose squares
 * that is, differ by 1/facets at most. Interior points have the cones. */
static void pyramids_become_cones(void **state) {
  (void)state;
  world w;
  problem p;
  double d[2][3 * CONTACTS], away[3];
  open_world(&w);
  for (int k = 0; k < 3; k++) {
    away[k] = 0;
    for (int seed = 0; seed < 10; seed++) {
      for (int method = 0; method < 2; method++) {
        sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
        w.seed = 300 + (uint64_t)seed;
        take_contacts(&w, ccp, 1, &p);
        dense_rates(&w, &p, solve_by(ccp, p.r, method ? SN_CCP_LEMKE : SN_CCP_INTERIOR_POINT, true, 6 << k), d[method]);
        sn_ccp_free(ccp);
      }
      away[k] += distance(d[0], d[1], 3 * CONTACTS) / 10;
    }
    print_message("%d facets: %.2e m/s\n", 6 << k, away[k]);
  }
  for (int k = 1; k < 3; k++) assert_below(away[k] / away[k - 1], 0.55, "twice as many facets");
  close_world(&w);
}

/* ---- contacts that stand twice: velocities of the relaxed problem do not see it, but N loses half its rank ---- */

static void redundant_contacts(void **state) {
  (void)state;
  static const sn_ccp_method methods[] = {SN_CCP_APGD, SN_CCP_INTERIOR_POINT, SN_CCP_LEMKE};
  world w;
  static problem p;
  open_world(&w);
  for (int seed = 0; seed < 10; seed++)
    for (size_t m = 0; m < SN_COUNT(methods); m++) {
      double v[2][128] = {{0}}, r[6 * CONTACTS];
      for (int twice = 0; twice < 2; twice++) {
        sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, NULL);
        w.seed = 500 + (uint64_t)seed;
        take_contacts(&w, ccp, 1 + twice, &p);
        sn_ccp_rates(ccp, p.v, r);
        solve_by(ccp, r, methods[m], true, 6);
        double f[256] = {0};
        sn_ccp_forces(ccp, f);
        sn_ldl.solve(w.solver, f);
        memcpy(v[twice], f, sizeof v[twice]);
        sn_ccp_free(ccp);
      }
      assert_below(distance(v[0], v[1], w.n), 1e-6, "contacts twice, method %zu, seed %d", m, seed);
    }
  close_world(&w);
}

/* The same bits with one thread and with three. */
static void threads_do_not_matter(void **state) {
  (void)state;
  world w;
  problem p;
  double g[2][3 * CONTACTS];
  open_world(&w);
  for (int k = 0; k < 2; k++) {
    sn_threads *threads = sn_threads_create(1 + 2 * k);
    sn_ccp *ccp = sn_ccp_create(&surfaces, w.matrix, w.solver, threads);
    w.seed = 5;
    take_contacts(&w, ccp, 1, &p);
    sn_ccp_settings settings = {.tolerance = 1e-9, .iterations = 1000};
    sn_ccp_solve(ccp, p.r, &settings);
    memcpy(g[k], sn_ccp_impulses(ccp), sizeof g[k]);
    sn_ccp_free(ccp);
    sn_threads_free(threads);
  }
  assert_memory_equal(g[0], g[1], sizeof g[0]);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(components_invert_as_the_whole),
      cmocka_unit_test(operator_is_the_dense_one),
      cmocka_unit_test(solvers_agree),
      cmocka_unit_test(lemke_solves),
      cmocka_unit_test(pyramids_become_cones),
      cmocka_unit_test(redundant_contacts),
      cmocka_unit_test(threads_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
