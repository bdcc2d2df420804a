/* ldl.c - the native solver: block LDL' (ldl_factor.c) with an order that is given up when it fails. */
#include "sparse/ldl.h"

#include <lapacke.h>
#include <string.h>

#include "sparse/linsolve.h"

typedef struct ldl {
  sn_ldl_data *data;
  sn_ldl_caution caution; /* constraints that still may come early */
} ldl;

/* A tree, or an order with early constraints, that fails is given up for a safer one, and one with cuts that cost too much for the
 * one without, once and for all. Both follow from the numbers of the matrix, never from the threads. */
static bool ldl_factor_shared(void *self, const sn_matrix *matrix, sn_threads *threads, int *group) {
  ldl *s = self;
  bool good = sn_ldl_factorize(s->data, matrix, threads, group);
  for (bool pays; !(pays = sn_ldl_cuts_pay(s->data)) || (!good && (s->data->tree || s->data->any_early));) {
    if (pays) s->caution = s->data->tree ? SN_LDL_HUBS : SN_LDL_SAFE;
    sn_ldl_data *other = sn_ldl_analyze(matrix, s->caution, pays ? SN_LDL_PIECES : SN_LDL_TREES);
    if (!other) return good;
    sn_ldl_free(s->data);
    s->data = other;
    good = sn_ldl_factorize(other, matrix, threads, group);
  }
  return good;
}
static bool ldl_factor(void *self, const sn_matrix *matrix, int *group) {
  return ldl_factor_shared(self, matrix, NULL, group);
}

static void ldl_solve(void *self, double *b) {
  sn_ldl_solve(((ldl *)self)->data, NULL, b);
}
static void ldl_solve_shared(const void *self, sn_threads *threads, double *b) {
  assert(threads);
  sn_ldl_solve(((const ldl *)self)->data, threads, b);
}

const sn_ldl_data *sn_ldl_of(const void *solver) {
  assert(solver);
  return ((const ldl *)solver)->data;
}

/* ---- inertia ---- */

/* A = L D L': by Sylvester's law A has as many negative eigenvalues as the blocks of D, or of D^-1, together. */
static int ldl_negative(const void *self) {
  const sn_ldl_data *f = ((const ldl *)self)->data;
  int largest = 1, count = 0;
  for (int j = 0; j < f->groups; j++) largest = f->size[j] > largest ? f->size[j] : largest;
  const size_t n2 = (size_t)largest * (size_t)largest;
  double *A = sn_new(n2 + (size_t)largest, sizeof(double)), *w = A + n2;
  for (int j = 0; j < f->groups; j++) {
    int n = f->size[j];
    memcpy(A, f->D + f->pivot[j], sizeof(double) * (size_t)(n * n));
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w)) continue;
    for (int i = 0; i < n; i++) count += w[i] < 0;
  }
  sn_free(A);
  return count;
}

static void *ldl_analyze(const sn_matrix *matrix) {
  ldl *s = sn_new(1, sizeof *s);
  s->data = sn_ldl_analyze(matrix, SN_LDL_BOLD, SN_LDL_PIECES);
  if (s->data) return s;
  sn_free(s);
  return NULL;
}
static double ldl_factor_cost(const void *self) {
  return ((const ldl *)self)->data->factor_cost;
}
static size_t ldl_bytes(const void *self) {
  return ((const ldl *)self)->data->bytes;
}
static void ldl_free(void *self) {
  if (self) sn_ldl_free(((ldl *)self)->data);
  sn_free(self);
}

const sn_linsolve_ops sn_ldl = {
    .name = "ldl",
    .summary = "native block LDL' with minimum-degree ordering, symmetric",
    .inverses = true,
    .analyze = ldl_analyze,
    .factor = ldl_factor,
    .solve = ldl_solve,
    .factor_shared = ldl_factor_shared,
    .solve_shared = ldl_solve_shared,
    .negative = ldl_negative,
    .factor_cost = ldl_factor_cost,
    .bytes = ldl_bytes,
    .free = ldl_free,
};
