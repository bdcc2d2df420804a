/* test_sparse.c - block matrix, both linear solvers, rank of the constraints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sparse/ldl.h"
#include "sparse/linsolve.h"

/* ---- help: random numbers that are the same everywhere, dense algebra ---- */

static uint64_t seed = 1;

static uint64_t random_bits(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 33;
}
static double noise(void) {
  return (double)random_bits() / 1073741824.0 - 1.0;
}
static int pick(int count) {
  return (int)(random_bits() % (uint64_t)count);
}

static double *vector(size_t count) {
  double *v = calloc(count + 1, sizeof *v);
  assert_non_null(v);
  return v;
}

/* Full matrix, column major, from the blocks. */
static double *dense(const sn_matrix *m) {
  size_t n = (size_t)m->rows;
  double *full = vector(n * n);
  for (int j = 0; j < m->groups; j++) {
    for (int b = m->column[j]; b < m->column[j + 1]; b++) {
      int i = m->row[b], rows = m->size[i];
      for (int c = 0; c < m->size[j]; c++) {
        for (int r = 0; r < rows; r++) {
          size_t down = (size_t)(m->first[i] + r), right = (size_t)(m->first[j] + c);
          double lower = m->value[m->lower[b] + (size_t)(c * rows + r)];
          full[right * n + down] = lower;
          if (i != j) full[down * n + right] = m->upper ? m->value[m->upper[b] + (size_t)(r * m->size[j] + c)] : lower;
        }
      }
    }
  }
  return full;
}

/* x := A^-1 x by Gaussian elimination with partial pivoting; destroys A. */
static void dense_solve(size_t n, double *A, double *x) {
  for (size_t k = 0; k < n; k++) {
    size_t p = k;
    for (size_t i = k + 1; i < n; i++) p = fabs(A[k * n + i]) > fabs(A[k * n + p]) ? i : p;
    assert_true(A[k * n + p] != 0.0);
    for (size_t j = 0; j < n; j++) {
      double t = A[j * n + k];
      A[j * n + k] = A[j * n + p];
      A[j * n + p] = t;
    }
    double t = x[k];
    x[k] = x[p];
    x[p] = t;
    for (size_t i = k + 1; i < n; i++) A[k * n + i] /= A[k * n + k];
    for (size_t j = k + 1; j < n; j++) {
      for (size_t i = k + 1; i < n; i++) A[j * n + i] -= A[k * n + i] * A[j * n + k];
    }
    for (size_t i = k + 1; i < n; i++) x[i] -= A[k * n + i] * x[k];
  }
  for (size_t k = n; k-- > 0;) {
    x[k] /= A[k * n + k];
    for (size_t i = 0; i < k; i++) x[i] -= A[k * n + i] * x[k];
  }
}

static double largest(size_t n, const double *x) {
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static double distance(size_t n, const double *x, const double *y) {
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

/* What a free rigid body has: three coordinates that are coupled with none. */
static void set_apart(double B[49]) {
  for (int c = 0; c < 3; c++)
    for (int r = c + 1; r < 7; r++) B[c * 7 + r] = B[r * 7 + c] = 0;
}

/* Random values: symmetric diagonal blocks raised by `shift`, nothing on the diagonal of constraints. */
static void fill(sn_matrix *m, double shift) {
  for (int j = 0; j < m->groups; j++) {
    int n = m->size[j];
    for (int b = m->column[j]; b < m->column[j + 1]; b++) {
      int i = m->row[b];
      double *B = m->value + m->lower[b];
      if (i == j && m->constraint[j]) continue;
      for (int k = 0; k < m->size[i] * n; k++) B[k] = noise();
      for (int c = 0; i == j && c < n; c++) {
        for (int r = 0; r < c; r++) B[c * n + r] = B[r * n + c];
        B[c * n + c] += shift;
      }
      if (i == j && n == 7 && j % 2) set_apart(B);
      if (i == j || !m->upper) continue;
      double *U = m->value + m->upper[b];
      for (int c = 0; c < n; c++) {
        for (int r = 0; r < m->size[i]; r++) U[r * n + c] = B[c * m->size[i] + r] + (shift < 0.0 ? noise() : 0.0);
      }
    }
  }
}

/* ---- patterns ---- */

typedef enum topology { CHAIN, TREE, LOOPS, HUB } topology;

static int partner(topology kind, int k, int bodies) {
  switch (kind) {
    case CHAIN:
      return k - 1;
    case TREE:
      return pick(k);
    case HUB:
      return 0;
    default:
      return pick(bodies);
  }
}

/* Bodies of mixed sizes with couplings and constraints between partners; constraints stand anywhere in the order. */
static sn_matrix *random_kkt(sn_arena *arena, topology kind, int bodies, bool coupled, bool unsymmetric) {
  static const int sizes[] = {6, 7, 12, 9, 3, 2, 17, 5, 4};
  sn_pattern *pattern = sn_pattern_create();
  int *body = calloc((size_t)bodies, sizeof *body);
  assert_non_null(body);
  bool uniform = pick(3) == 0;
  for (int k = 0; k < bodies; k++) {
    int size = uniform ? 6 : sizes[pick((int)SN_COUNT(sizes))];
    body[k] = sn_pattern_group(pattern, size, false);
    if (k == 0) continue;
    int other = partner(kind, k, k);
    if (coupled) sn_pattern_couple(pattern, body[k], body[other]);
    if (kind == LOOPS) sn_pattern_couple(pattern, body[pick(k + 1)], body[pick(k + 1)]);
    if (pick(2) && size >= 3) {
      int joint = sn_pattern_group(pattern, 1 + pick(size - 2), true);
      sn_pattern_couple(pattern, joint, body[k]);
      sn_pattern_couple(pattern, body[other], joint);
    }
    if (size >= 2) sn_pattern_couple(pattern, sn_pattern_group(pattern, 1, true), body[k]);
  }
  free(body);
  return sn_pattern_freeze(pattern, arena, unsymmetric);
}

static int body_count(int round) {
  static const int counts[] = {1, 2, 3, 8, 20, 40};
  return counts[round % (int)SN_COUNT(counts)];
}

/* Solve with one solver and compare with the dense solution; twice, so that a refactorization is checked too. */
static void check_solver(const sn_linsolve_ops *ops, sn_matrix *m, double shift, double tolerance) {
  size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n), *exact = vector(n), *product = vector(n);
  void *self = ops->analyze(m);
  assert_non_null(self);
  for (int pass = 0; pass < 2; pass++) {
    int group = -1;
    fill(m, shift);
    for (size_t i = 0; i < n; i++) x[i] = exact[i] = b[i] = noise();
    double *full = dense(m);
    dense_solve(n, full, exact);
    assert_true(ops->factor(self, m, &group));
    ops->solve(self, x);
    sn_matrix_multiply(m, x, product);
    double size = largest(n, exact);
    assert_true(distance(n, x, exact) <= tolerance * (1.0 + size));
    assert_true(distance(n, product, b) <= tolerance * (1.0 + size));
    free(full);
  }
  assert_true(ops->bytes(self) > 0);
  ops->free(self);
  free(x);
  free(b);
  free(exact);
  free(product);
}

/* ---- tests: matrix ---- */

static void test_pattern(void **state) {
  (void)state;
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  for (int g = 0; g < 5; g++) assert_int_equal(sn_pattern_group(pattern, g + 1, g == 4), g);
  sn_pattern_couple(pattern, 3, 1);
  sn_pattern_couple(pattern, 1, 3);
  sn_pattern_couple(pattern, 0, 4);
  sn_pattern_couple(pattern, 2, 2);
  sn_pattern_couple(pattern, 4, 1);
  sn_matrix *m = sn_pattern_freeze(pattern, &arena, false);
  static const int column[] = {0, 2, 5, 6, 7, 8}, row[] = {0, 4, 1, 3, 4, 2, 3, 4};
  assert_memory_equal(m->column, column, sizeof column);
  assert_memory_equal(m->row, row, sizeof row);
  assert_int_equal(m->rows, 15);
  assert_int_equal(m->values, 1 + 5 + 4 + 8 + 10 + 9 + 16 + 25);
  assert_int_equal(sn_matrix_find(m, 3, 1), 3);
  assert_int_equal(sn_matrix_find(m, 4, 1), 4);
  assert_true(m->constraint[4] && !m->constraint[3] && m->upper == NULL);
  sn_arena_free(&arena);
}

static void test_empty(void **state) {
  (void)state;
  sn_arena arena = {0};
  sn_matrix *m = sn_pattern_freeze(sn_pattern_create(), &arena, false);
  assert_int_equal(m->groups, 0);
  assert_int_equal(m->rows, 0);
  sn_arena_free(&arena);
}

/* Any number of groups and couplings: the sizes of a very large cable net. */
static void test_large_pattern(void **state) {
  (void)state;
  enum { GROUPS = 300000, PAIRS = 1000000 };
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  for (int g = 0; g < GROUPS; g++) sn_pattern_group(pattern, 1, false);
  for (int k = 0; k < PAIRS; k++) sn_pattern_couple(pattern, k % GROUPS, (k + 1 + k / GROUPS) % GROUPS);
  sn_matrix *m = sn_pattern_freeze(pattern, &arena, false);
  assert_int_equal(m->column[GROUPS], GROUPS + PAIRS);
  for (int j = 0; j < GROUPS; j++) {
    assert_int_equal(m->row[m->column[j]], j);
    for (int b = m->column[j] + 1; b < m->column[j + 1]; b++) assert_true(m->row[b] > m->row[b - 1]);
  }
  sn_arena_free(&arena);
}

/* Add a random local matrix over groups, some of them repeated; compare with scalar assembly by index. */
static void check_add(bool unsymmetric, int count, const int *groups) {
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  for (int g = 0; g < 4; g++) sn_pattern_group(pattern, 2 + g % 2, false);
  for (int k = 0; k < count; k++) {
    for (int c = 0; c < k; c++) sn_pattern_couple(pattern, groups[k], groups[c]);
  }
  sn_matrix *m = sn_pattern_freeze(pattern, &arena, unsymmetric);
  size_t n = (size_t)m->rows, local = 0, index[32];
  for (int k = 0; k < count; k++) {
    for (int r = 0; r < m->size[groups[k]]; r++) index[local++] = (size_t)(m->first[groups[k]] + r);
  }
  size_t stride = local + 2; /* larger than needed */
  double *T = vector(stride * local), *expected = vector(n * n);
  for (size_t k = 0; k < stride * local; k++) T[k] = noise();
  for (size_t c = 0; c < local; c++) {
    for (size_t r = 0; r < local; r++) {
      expected[index[c] * n + index[r]] +=
          unsymmetric ? T[c * stride + r] : 0.5 * (T[c * stride + r] + T[r * stride + c]);
    }
  }
  int slots[64];
  sn_matrix_slots(m, count, groups, slots);
  sn_matrix_add(m, count, groups, slots, T, (int)stride);
  double *full = dense(m), *x = vector(n), *y = vector(n), *z = vector(n);
  assert_true(distance(n * n, full, expected) < 1e-14);
  for (size_t i = 0; i < n; i++) x[i] = noise();
  for (size_t c = 0; c < n; c++) {
    for (size_t r = 0; r < n; r++) z[r] += full[c * n + r] * x[c];
  }
  sn_matrix_multiply(m, x, y);
  assert_true(distance(n, y, z) < 1e-13);
  sn_matrix_zero(m);
  assert_true(largest(m->values, m->value) == 0.0);
  free(T);
  free(expected);
  free(full);
  free(x);
  free(y);
  free(z);
  sn_arena_free(&arena);
}

static void test_add(void **state) {
  (void)state;
  static const int plain[] = {2, 0, 3}, repeated[] = {1, 3, 1, 0, 3}, same[] = {2, 2};
  for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
    check_add(unsymmetric, 3, plain);
    check_add(unsymmetric, 5, repeated);
    check_add(unsymmetric, 2, same);
  }
}

/* ---- tests: solvers ---- */

static void check_family(const sn_linsolve_ops *ops, double shift, double tolerance, bool unsymmetric) {
  for (int round = 0; round < 96; round++) {
    sn_arena arena = {0};
    seed = (uint64_t)round + 7;
    sn_matrix *m = random_kkt(&arena, (topology)(round % 4), body_count(round / 4), round % 3 > 0, unsymmetric);
    check_solver(ops, m, shift, tolerance);
    sn_arena_free(&arena);
  }
}

static void test_ldl_definite(void **state) {
  (void)state;
  check_family(&sn_ldl, 60.0, 1e-10, false);
}
static void test_ldl_indefinite(void **state) {
  (void)state;
  check_family(&sn_ldl, 2.0, 1e-6, false);
}
static void test_ldl_reads_lower_only(void **state) {
  (void)state;
  check_family(&sn_ldl, 60.0, 1e-10, true);
}
static void test_klu_symmetric(void **state) {
  (void)state;
  check_family(&sn_klu, 60.0, 1e-10, false);
  check_family(&sn_klu, 2.0, 1e-7, false);
}
static void test_klu_unsymmetric(void **state) {
  (void)state;
  check_family(&sn_klu, -30.0, 1e-10, true);
}

/* Lengths and angles differ by orders of magnitude: S A S with S spread over twelve decades must do as well. */
static void test_ldl_scaling(void **state) {
  (void)state;
  sn_arena arena = {0};
  seed = 99;
  sn_matrix *m = random_kkt(&arena, LOOPS, 30, true, false);
  size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n), *s = vector(n);
  fill(m, 60.0);
  for (size_t i = 0; i < n; i++) s[i] = pow(10.0, 6.0 * noise()), x[i] = noise() / s[i];
  for (int j = 0; j < m->groups; j++) {
    for (int k = m->column[j]; k < m->column[j + 1]; k++) {
      int i = m->row[k];
      for (int e = 0; e < m->size[i] * m->size[j]; e++) {
        m->value[m->lower[k] + (size_t)e] *= s[m->first[i] + e % m->size[i]] * s[m->first[j] + e / m->size[i]];
      }
    }
  }
  sn_matrix_multiply(m, x, b);
  void *self = sn_ldl.analyze(m);
  int group;
  assert_true(sn_ldl.factor(self, m, &group));
  sn_ldl.solve(self, b);
  for (size_t i = 0; i < n; i++) assert_true(fabs(b[i] - x[i]) * s[i] < 1e-9);
  sn_ldl.free(self);
  free(x);
  free(b);
  free(s);
  sn_arena_free(&arena);
}

/* A long chain: no dense comparison, but the order must not produce more fill than one block for each inner node. */
static void test_long_chain(void **state) {
  (void)state;
  enum { NODES = 50000 };
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  for (int k = 0; k < NODES; k++) sn_pattern_group(pattern, 6, false);
  for (int k = 0; k + 1 < NODES; k++) sn_pattern_couple(pattern, k, k + 1);
  sn_matrix *m = sn_pattern_freeze(pattern, &arena, false);
  fill(m, 12.0);
  double *x = vector(6 * NODES), *b = vector(6 * NODES);
  for (int i = 0; i < 6 * NODES; i++) x[i] = noise();
  sn_matrix_multiply(m, x, b);
  const sn_linsolve_ops *solvers[] = {&sn_ldl, &sn_klu};
  for (size_t s = 0; s < SN_COUNT(solvers); s++) {
    int group;
    double *y = vector(6 * NODES);
    void *self = solvers[s]->analyze(m);
    assert_true(solvers[s]->factor(self, m, &group));
    memcpy(y, b, 6 * NODES * sizeof *y);
    solvers[s]->solve(self, y);
    assert_true(distance(6 * NODES, x, y) < 1e-12);
    if (solvers[s] == &sn_ldl) assert_true(sn_ldl.bytes(self) < (size_t)NODES * (800 + 36 * 8 + 32));
    solvers[s]->free(self);
    free(y);
  }
  free(x);
  free(b);
  sn_arena_free(&arena);
}

/* ---- parts for threads: large matrices of all shapes ---- */

enum { LARGE = 9000 }; /* groups, enough to be divided */

/* Nodes with joints of 3 equations between every fourth and the next. closed: the last couples with the first. */
static sn_matrix *large_chain(sn_arena *arena, bool joints, bool closed) {
  sn_pattern *pattern = sn_pattern_create();
  int first = sn_pattern_group(pattern, 6, false), node = first;
  for (int k = 1; k < LARGE; k++) {
    int next = sn_pattern_group(pattern, k % 50 == 0 ? 7 : 6, false);
    if (joints && k % 4 == 0) {
      int joint = sn_pattern_group(pattern, 3, true);
      sn_pattern_couple(pattern, joint, node);
      sn_pattern_couple(pattern, joint, next);
    } else {
      sn_pattern_couple(pattern, node, next);
    }
    node = next;
  }
  if (closed) sn_pattern_couple(pattern, first, node);
  return sn_pattern_freeze(pattern, arena, false);
}

/* A trunk with branches of 20 nodes, which fork. */
static sn_matrix *large_tree(sn_arena *arena) {
  sn_pattern *pattern = sn_pattern_create();
  for (int k = 0; k < LARGE; k++) {
    sn_pattern_group(pattern, 6, false);
    int before = k % 20 == 0 ? k - 20 : k % 20 == 10 ? k - 7 : k - 1;
    if (before >= 0) sn_pattern_couple(pattern, before, k);
  }
  return sn_pattern_freeze(pattern, arena, false);
}

static sn_matrix *large_plate(sn_arena *arena) {
  enum { SIDE = 95 };
  sn_pattern *pattern = sn_pattern_create();
  for (int k = 0; k < SIDE * SIDE; k++) {
    sn_pattern_group(pattern, 3, false);
    if (k % SIDE) sn_pattern_couple(pattern, k - 1, k);
    for (int d = -1; d <= 1; d++)
      if (k >= SIDE && k % SIDE + d >= 0 && k % SIDE + d < SIDE) sn_pattern_couple(pattern, k - SIDE + d, k);
  }
  return sn_pattern_freeze(pattern, arena, false);
}

/* Twice, with other numbers: what vanished in the first factorization is there in the second. The solution that the
 * right-hand side was made of, and the same bits from any number of threads and from none. */
static void check_parts(sn_matrix *m, double tolerance) {
  const int threads[] = {1, 2, 3, 8, 16};
  const size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n), *y = vector(n), *z = vector(n);
  void *self = sn_ldl.analyze(m), *other[SN_COUNT(threads)];
  for (size_t k = 0; k < SN_COUNT(threads); k++) other[k] = sn_ldl.analyze(m);
  for (int round = 0; round < 2; round++) {
    int group;
    fill(m, round == 0 ? 30.0 : 9.0);
    for (size_t i = 0; i < n; i++) x[i] = noise();
    sn_matrix_multiply(m, x, b);
    memcpy(y, b, n * sizeof *y);
    assert_true(sn_ldl.factor(self, m, &group));
    sn_ldl.solve(self, y);
    assert_true(distance(n, x, y) < tolerance);
    for (size_t k = 0; k < SN_COUNT(threads); k++) {
      sn_threads *pool = sn_threads_create(threads[k]);
      memcpy(z, b, n * sizeof *z);
      assert_true(sn_ldl.factor_shared(other[k], m, pool, &group));
      sn_ldl.solve_shared(other[k], pool, z);
      assert_memory_equal(y, z, n * sizeof *z);
      sn_threads_free(pool);
    }
  }
  /* a group without any number is found, whatever part it is in */
  int group = -1, bad = m->groups / 3;
  for (int b0 = m->column[bad]; b0 < m->column[bad + 1]; b0++)
    memset(m->value + m->lower[b0], 0, (size_t)(m->size[bad] * m->size[m->row[b0]]) * sizeof(double));
  for (int j = 0; j < bad; j++)
    for (int b0 = m->column[j]; b0 < m->column[j + 1]; b0++)
      if (m->row[b0] == bad) memset(m->value + m->lower[b0], 0, (size_t)(m->size[bad] * m->size[j]) * sizeof(double));
  assert_false(sn_ldl.factor(self, m, &group));
  assert_int_equal(group, bad);
  sn_ldl.free(self);
  for (size_t k = 0; k < SN_COUNT(threads); k++) sn_ldl.free(other[k]);
  free(x);
  free(b);
  free(y);
  free(z);
}

/* [-1, d, -1] blocks; a seventh row has itself only. */
static void fill_chain(sn_matrix *m, double d) {
  sn_matrix_zero(m);
  for (int j = 0; j < m->groups; j++)
    for (int k = m->column[j]; k < m->column[j + 1]; k++)
      for (int r = 0; r < 6; r++) m->value[m->lower[k] + (size_t)(r * m->size[m->row[k]] + r)] = m->row[k] > j ? -1 : d;
  for (int j = 0; j < m->groups; j++)
    if (m->size[j] == 7) m->value[m->lower[m->column[j]] + 48] = 1;
}

/* Fill with boundaries has room where it is reached, for a quarter of it; the same factors serve numbers that decay
 * slowly and quickly, one after the other. */
static void test_fill_that_vanishes(void **state) {
  (void)state;
  static const double d[] = {3, 2.05, 12, 2.2, 3};
  sn_arena arena = {0};
  sn_matrix *m = large_chain(&arena, false, false);
  const size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n);
  sn_threads *pool = sn_threads_create(3);
  void *self = sn_ldl.analyze(m);
  const sn_ldl_data *f = sn_ldl_of(self);
  assert_true(f->cut && (double)f->values < 1.4 * (double)f->near);
  for (size_t k = 0; k < SN_COUNT(d); k++) {
    int group;
    fill_chain(m, d[k]);
    for (size_t i = 0; i < n; i++) x[i] = noise();
    sn_matrix_multiply(m, x, b);
    assert_true(sn_ldl.factor_shared(self, m, pool, &group));
    assert_ptr_equal(sn_ldl_of(self), f);
    sn_ldl.solve_shared(self, pool, b);
    assert_true(distance(n, x, b) < 1e-12);
  }
  sn_ldl.free(self);
  sn_threads_free(pool);
  sn_arena_free(&arena);
  free(x);
  free(b);
}

/* A chain whose stiffness dominates: [-1, 2 + e, -1] blocks, whose fill with a boundary decays by sqrt(e) per group
 * only. The order with cuts would cost twice as much, and is given up; with e = 1 it is kept. */
static void test_cuts_that_cost(void **state) {
  (void)state;
  sn_arena arena = {0};
  sn_matrix *m = large_chain(&arena, false, false);
  const size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n);
  sn_threads *pool = sn_threads_create(3);
  for (int stiff = 0; stiff < 2; stiff++) {
    int group;
    void *self = sn_ldl.analyze(m);
    assert_true(sn_ldl_of(self)->cut);
    fill_chain(m, stiff ? 2 + 1e-6 : 3);
    for (size_t i = 0; i < n; i++) x[i] = noise();
    sn_matrix_multiply(m, x, b);
    assert_true(sn_ldl.factor_shared(self, m, pool, &group));
    assert_int_equal(sn_ldl_of(self)->cut, !stiff);
    sn_ldl.solve_shared(self, pool, b);
    assert_true(distance(n, x, b) < (stiff ? 1e-8 : 1e-13));
    sn_ldl.free(self);
  }
  sn_threads_free(pool);
  free(x);
  free(b);
  sn_arena_free(&arena);
}

static void test_parts(void **state) {
  (void)state;
  sn_arena arena = {0};
  check_parts(large_chain(&arena, false, false), 1e-11);
  check_parts(large_chain(&arena, true, false), 1e-9);
  check_parts(large_chain(&arena, false, true), 1e-11);
  check_parts(large_tree(&arena), 1e-11);
  check_parts(large_plate(&arena), 1e-11);
  sn_arena_free(&arena);
}

/* A hub with very many rods: the constraints must not fill up. `twice`: each rod has two joints to the hub whose rows
 * on the rod are the same, so that they have full rank only together with the hub: the safe order is needed, and found.
 */
static size_t check_star(int rods, bool twice) {
  sn_arena arena = {0};
  sn_pattern *pattern = sn_pattern_create();
  int hub = sn_pattern_group(pattern, 7, false);
  for (int k = 0; k < rods; k++) {
    int rod = sn_pattern_group(pattern, 7, false);
    sn_pattern_couple(pattern, sn_pattern_group(pattern, 1, true), rod);
    for (int e = 0; e <= twice && (e == 0 || k == 0); e++) {
      int joint = sn_pattern_group(pattern, 3, true);
      sn_pattern_couple(pattern, joint, rod);
      sn_pattern_couple(pattern, joint, hub);
    }
  }
  sn_matrix *m = sn_pattern_freeze(pattern, &arena, false);
  fill(m, 12.0);
  if (twice) { /* groups: hub, rod, normalization, joint, joint */
    double *A = m->value + m->lower[sn_matrix_find(m, 3, 1)], *B = m->value + m->lower[sn_matrix_find(m, 4, 1)];
    memcpy(B, A, 21 * sizeof *A);
  }
  size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n);
  for (size_t i = 0; i < n; i++) x[i] = noise();
  sn_matrix_multiply(m, x, b);
  int group;
  void *self = sn_ldl.analyze(m);
  assert_true(sn_ldl.factor(self, m, &group));
  sn_ldl.solve(self, b);
  assert_true(distance(n, x, b) < 1e-10);
  size_t bytes = sn_ldl.bytes(self);
  sn_ldl.free(self);
  free(x);
  free(b);
  sn_arena_free(&arena);
  return bytes;
}

static void test_hub(void **state) {
  (void)state;
  assert_true(check_star(2000, false) < 2000 * 4000); /* dense constraints would take 2000 times more */
  check_star(100, true);
}

/* A tree of rigid bodies with joints of so many rows, pinned at body 0: with a normalization each and the blocks of
 * `coupled` pairs of bodies. */
static sn_matrix *rigid_tree(sn_arena *arena, int bodies, int rows, bool coupled) {
  sn_pattern *pattern = sn_pattern_create();
  for (int k = 0; k < bodies; k++) sn_pattern_group(pattern, 7, false);
  for (int k = 0; k < bodies; k++) sn_pattern_couple(pattern, sn_pattern_group(pattern, 1, true), k);
  for (int k = 0; k < bodies; k++) {
    int joint = sn_pattern_group(pattern, rows, true), other = k > 0 ? k - 1 - pick(k < 3 ? k : 3) : -1;
    sn_pattern_couple(pattern, joint, k);
    if (other < 0) continue;
    sn_pattern_couple(pattern, joint, other);
    if (coupled) sn_pattern_couple(pattern, k, other);
  }
  sn_matrix *m = sn_pattern_freeze(pattern, arena, false);
  fill(m, 12.0);
  for (int j = 0; j < bodies; j++) { /* joints move both of their bodies alike, as those of mechanisms do */
    for (int b = m->column[j] + 1; b < m->column[j + 1]; b++) {
      const int i = m->row[b], size = m->size[i];
      double *G = m->value + m->lower[b];
      for (int r = 0; i >= 2 * bodies && r < size; r++) G[r * (size + 1)] += 6.0;
      if (i >= bodies && i < 2 * bodies) G[6] += 6.0;
    }
  }
  return m;
}

/* Trees are eliminated from leaves to roots, and bodies with their joints solved with as links (ldl_links.c): each but
 * the root, unless bodies are coupled. Right-hand sides are made of known solutions. */
static void check_tree(int rows, bool coupled) {
  enum { BODIES = 40 };
  sn_arena arena = {0};
  seed = (uint64_t)rows;
  sn_matrix *m = rigid_tree(&arena, BODIES, rows, coupled);
  size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n);
  for (size_t i = 0; i < n; i++) x[i] = noise();
  sn_matrix_multiply(m, x, b);
  int group, links = 0;
  void *self = sn_ldl.analyze(m);
  assert_true(sn_ldl.factor(self, m, &group));
  const sn_ldl_data *f = sn_ldl_of(self);
  assert_true(f->tree);
  for (int j = 0; j < f->groups; j++) links += f->link[j] != NULL;
  assert_true(coupled ? links <= 1 : links >= BODIES - 1);
  sn_ldl.solve(self, b);
  assert_true(distance(n, x, b) < 1e-11);
  sn_ldl.free(self);
  free(x);
  free(b);
  sn_arena_free(&arena);
}

static void test_trees(void **state) {
  (void)state;
  for (int rows = 1; rows <= 6; rows++) {
    check_tree(rows, false);
    check_tree(rows, true);
  }
}

/* Three bodies, the second without any matrix of its own. */
static void test_singular_group(void **state) {
  (void)state;
  const sn_linsolve_ops *solvers[] = {&sn_ldl, &sn_klu};
  for (size_t s = 0; s < SN_COUNT(solvers); s++) {
    sn_arena arena = {0};
    sn_pattern *pattern = sn_pattern_create();
    for (int k = 0; k < 3; k++) sn_pattern_group(pattern, 6, false);
    sn_pattern_couple(pattern, 2, 0);
    sn_matrix *m = sn_pattern_freeze(pattern, &arena, false);
    int group = -1;
    fill(m, 10.0);
    memset(m->value + m->lower[sn_matrix_find(m, 1, 1)], 0, 36 * sizeof(double));
    void *self = solvers[s]->analyze(m);
    assert_false(solvers[s]->factor(self, m, &group));
    assert_int_equal(group, 1);
    fill(m, 10.0); /* and it recovers */
    assert_true(solvers[s]->factor(self, m, &group));
    solvers[s]->free(self);
    sn_arena_free(&arena);
  }
}

/* ---- tests: rank ---- */

/* A chain of rigid bodies: 7 coordinates and a normalization row each, joints of `rows` equations between neighbors
 * and, if closed, from the last body to the first. Groups: bodies, normalizations, joints, then `extra` more
 * constraints of one row over the first four bodies. */
static sn_matrix *mechanism(sn_arena *arena, int bodies, int rows, bool closed, int extra) {
  sn_pattern *pattern = sn_pattern_create();
  int joints = closed ? bodies : bodies - 1;
  for (int k = 0; k < bodies; k++) sn_pattern_group(pattern, 7, false);
  for (int k = 0; k < bodies; k++) sn_pattern_couple(pattern, sn_pattern_group(pattern, 1, true), k);
  for (int k = 0; k < joints; k++) {
    int joint = sn_pattern_group(pattern, rows, true);
    sn_pattern_couple(pattern, joint, k);
    sn_pattern_couple(pattern, joint, (k + 1) % bodies);
  }
  for (int k = 0; k < extra; k++) {
    int more = sn_pattern_group(pattern, 1, true);
    for (int body = 0; body < 4; body++) sn_pattern_couple(pattern, more, body);
  }
  sn_matrix *m = sn_pattern_freeze(pattern, arena, false);
  fill(m, 8.0);
  return m;
}

/* Row r of constraint group c := sum of factor[k] times row from_row[k] of group from[k], over `bodies` bodies. */
static void combine(sn_matrix *m, int c, int r, int count, const int *from, const int *from_row, const double *factor,
                    int bodies) {
  for (int body = 0; body < bodies; body++) {
    bool there = false;
    for (int b = m->column[body]; b < m->column[body + 1]; b++) there = there || m->row[b] == c;
    if (!there) continue;
    double *target = m->value + m->lower[sn_matrix_find(m, c, body)];
    for (int e = 0; e < 7; e++) target[e * m->size[c] + r] = 0.0;
    for (int k = 0; k < count; k++) {
      for (int b = m->column[body]; b < m->column[body + 1]; b++) {
        if (m->row[b] != from[k]) continue;
        const double *source = m->value + m->lower[b];
        for (int e = 0; e < 7; e++)
          target[e * m->size[c] + r] += factor[k] * source[e * m->size[from[k]] + from_row[k]];
      }
    }
  }
}

/* Exactly the groups of `expected` must be named, the redundant one among them, in any role. */
static void check_members(const sn_dependency *d, int count, const int *expected) {
  assert_int_equal(d->member_count, count - 1);
  for (int k = 0; k < count; k++) {
    bool named = d->group == expected[k];
    for (int i = 0; i < d->member_count; i++) named = named || d->members[i] == expected[k];
    assert_true(named);
  }
}

static void test_rank_full(void **state) {
  (void)state;
  static const int sizes[] = {1, 2, 5, 30, 300, 2000};
  for (size_t k = 0; k < SN_COUNT(sizes); k++) {
    for (int closed = 0; closed < 2; closed++) {
      sn_arena arena = {0};
      sn_dependency *found;
      seed = 5 + k;
      sn_matrix *m = mechanism(&arena, sizes[k], 3, closed && sizes[k] > 2, 0);
      assert_int_equal(sn_ldl_rank(m, SN_REDUNDANT, &arena, &found), 0);
      sn_arena_free(&arena);
    }
  }
}

static void test_rank_duplicate(void **state) {
  (void)state;
  static const int sizes[] = {4, 50, 2000};
  for (size_t k = 0; k < SN_COUNT(sizes); k++) {
    sn_arena arena = {0};
    sn_dependency *found;
    int bodies = sizes[k], joint = 2 * bodies, more = 3 * bodies - 1;
    sn_matrix *m = mechanism(&arena, bodies, 3, false, 1);
    const int from[] = {joint}, row[] = {1}, expected[] = {joint, more};
    const double factor[] = {-250.0}; /* in other units, too */
    combine(m, more, 0, 1, from, row, factor, bodies);
    assert_int_equal(sn_ldl_rank(m, SN_REDUNDANT, &arena, &found), 1);
    assert_int_equal(found[0].count, 1);
    check_members(&found[0], 2, expected);

    int group = -1; /* and the plain factorization stops there */
    void *self = sn_ldl.analyze(m);
    assert_false(sn_ldl.factor(self, m, &group));
    assert_int_equal(group, found[0].group);
    sn_ldl.free(self);
    sn_arena_free(&arena);
  }
}

static void test_rank_combination(void **state) {
  (void)state;
  for (int bodies = 4; bodies < 60; bodies += 11) {
    sn_arena arena = {0};
    sn_dependency *found;
    int joint = 2 * bodies, more = 3 * bodies - 1;
    sn_matrix *m = mechanism(&arena, bodies, 3, false, 2); /* the second extra row is independent */
    const int from[] = {joint, joint + 1, joint + 2}, row[] = {0, 2, 1};
    const int expected[] = {joint, joint + 1, joint + 2, more};
    const double factor[] = {1.0, -2.0, 0.5};
    combine(m, more, 0, 3, from, row, factor, bodies);
    assert_int_equal(sn_ldl_rank(m, SN_REDUNDANT, &arena, &found), 1);
    assert_int_equal(found[0].count, 1);
    check_members(&found[0], 4, expected);
    sn_arena_free(&arena);
  }
}

/* Two equal rows in one joint, and two whole joints that say the same: counts add up, an empty row is redundant alone.
 */
static void test_rank_inside_group(void **state) {
  (void)state;
  sn_arena arena = {0};
  sn_dependency *found;
  int bodies = 20, joint = 2 * bodies + 7;
  sn_matrix *m = mechanism(&arena, bodies, 3, false, 1);
  const int from[] = {joint}, row[] = {0};
  const double one[] = {1.0};
  combine(m, joint, 2, 1, from, row, one, bodies);
  combine(m, 3 * bodies - 1, 0, 0, from, row, one, bodies);
  assert_int_equal(sn_ldl_rank(m, SN_REDUNDANT, &arena, &found), 2);
  for (int k = 0; k < 2; k++) {
    assert_true(found[k].group == joint || found[k].group == 3 * bodies - 1);
    assert_int_equal(found[k].count, 1);
    assert_int_equal(found[k].member_count, 0);
  }
  sn_arena_free(&arena);
}

static void test_rank_whole_joint(void **state) {
  (void)state;
  sn_arena arena = {0};
  sn_dependency *found;
  int bodies = 2, joint = 4, again = 5; /* a closed pair: two joints between the same bodies */
  sn_matrix *m = mechanism(&arena, bodies, 3, true, 0);
  for (int body = 0; body < bodies; body++) {
    memcpy(m->value + m->lower[sn_matrix_find(m, again, body)], m->value + m->lower[sn_matrix_find(m, joint, body)],
           21 * sizeof(double));
  }
  assert_int_equal(sn_ldl_rank(m, SN_REDUNDANT, &arena, &found), 1);
  assert_int_equal(found[0].count, 3);
  assert_int_equal(found[0].member_count, 1);
  assert_int_equal(found[0].group + found[0].members[0], joint + again);

  /* Static regularization makes the same matrix solvable: -eps on the diagonal of the constraints. */
  int group;
  for (int g = bodies; g < m->groups; g++) {
    double *D = m->value + m->lower[m->column[g]];
    for (int r = 0; r < m->size[g]; r++) D[r * m->size[g] + r] = -1e-9;
  }
  void *self = sn_ldl.analyze(m);
  assert_true(sn_ldl.factor(self, m, &group));
  size_t n = (size_t)m->rows;
  double *x = vector(n), *b = vector(n), *y = vector(n);
  for (size_t i = 0; i < n; i++) x[i] = noise();
  sn_matrix_multiply(m, x, b);
  memcpy(y, b, n * sizeof *y);
  sn_ldl.solve(self, y);
  assert_true(distance(14, x, y) < 1e-6); /* coordinates; only sums of the multipliers are determined well */
  sn_matrix_multiply(m, y, x);
  assert_true(distance(n, x, b) < 1e-6);
  sn_ldl.free(self);
  free(x);
  free(b);
  free(y);
  sn_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pattern),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_large_pattern),
      cmocka_unit_test(test_add),
      cmocka_unit_test(test_ldl_definite),
      cmocka_unit_test(test_ldl_indefinite),
      cmocka_unit_test(test_ldl_reads_lower_only),
      cmocka_unit_test(test_klu_symmetric),
      cmocka_unit_test(test_klu_unsymmetric),
      cmocka_unit_test(test_ldl_scaling),
      cmocka_unit_test(test_long_chain),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_fill_that_vanishes),
      cmocka_unit_test(test_cuts_that_cost),
      cmocka_unit_test(test_hub),
      cmocka_unit_test(test_trees),
      cmocka_unit_test(test_singular_group),
      cmocka_unit_test(test_rank_full),
      cmocka_unit_test(test_rank_duplicate),
      cmocka_unit_test(test_rank_combination),
      cmocka_unit_test(test_rank_inside_group),
      cmocka_unit_test(test_rank_whole_joint),
  };
  return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
