/* klu.c - SuiteSparse KLU behind the solver table.
 *
 * A factorization gathers the values and refactors with the previous pivots as long as these are good. */
#include <math.h>
#include <suitesparse/klu.h>

#include "sparse/linsolve.h"
#include "sparse/scalar.h"

/* Refactoring keeps old pivots. A reciprocal pivot growth below this says that they no longer fit. */
static const double growth_limit = 1e-5;
/* A pivot below this share of the largest entry of its column, rows scaled, is nothing but rounding. */
static const double singular = 1e-15;

typedef struct klu_data {
  sn_arena arena;
  size_t bytes; /* held by the copy, without what KLU reports itself */
  sn_scalar scalar;
  double *value; /* [entries] */
  int *place;    /* [rows] pivot position of a scalar row */
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  klu_common common;
} klu_data;

/* ---- the table ---- */

static void release(void *self) {
  klu_data *k = self;
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
}

static void klu_release(void *self) {
  klu_data *k = self;
  if (!k) return;
  release(k);
  sn_arena_free(&k->arena);
  sn_free(k);
}

static void *klu_begin(const sn_matrix *matrix) {
  klu_data *k = sn_new_object(sizeof *k, release);
  if (!sn_scalar_create(&k->scalar, matrix, &k->arena)) {
    klu_release(k);
    return NULL;
  }
  k->place = SN_NEW(&k->arena, int, k->scalar.rows + 1);
  k->value = SN_NEW(&k->arena, double, k->scalar.entries);
  k->bytes =
      sizeof *k + k->scalar.bytes + (size_t)k->scalar.rows * sizeof(int) + (size_t)k->scalar.entries * sizeof(double);
  klu_defaults(&k->common);
  k->symbolic = klu_analyze(k->scalar.rows, k->scalar.start, k->scalar.row, &k->common);
  if (k->symbolic) return k;
  klu_release(k);
  return NULL;
}

/* Scalar column of a vanishing pivot, -1 if there is none. (KLU stores the scale factors by pivot position.) */
static int vanishing_column(klu_data *k) {
  const double *pivot = k->numeric->Udiag, *scale = k->numeric->Rs;
  for (int p = 0; p < k->scalar.rows; p++) k->place[k->numeric->Pnum[p]] = p;
  for (int p = 0; p < k->scalar.rows; p++) {
    int column = k->symbolic->Q[p];
    double largest = 0.0;
    for (int e = k->scalar.start[column]; e < k->scalar.start[column + 1]; e++) {
      largest = fmax(largest, fabs(k->value[e]) / scale[k->place[k->scalar.row[e]]]);
    }
    if (!(fabs(pivot[p]) > singular * largest)) return column;
  }
  return -1;
}

/* The old pivots, if they still fit the new values. */
static bool refactor(klu_data *k) {
  if (!k->numeric) return false;
  if (!klu_refactor(k->scalar.start, k->scalar.row, k->value, k->symbolic, k->numeric, &k->common)) return false;
  if (k->common.status != KLU_OK) return false;
  if (!klu_rgrowth(k->scalar.start, k->scalar.row, k->value, k->symbolic, k->numeric, &k->common)) return false;
  return k->common.rgrowth > growth_limit && vanishing_column(k) < 0;
}

static bool klu_factorize(void *self, const sn_matrix *matrix, int *group) {
  assert(matrix->rows == ((klu_data *)self)->scalar.rows);
  klu_data *k = self;
  for (int e = 0; e < k->scalar.entries; e++) k->value[e] = matrix->value[k->scalar.source[e]];
  if (refactor(k)) return true;
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  k->numeric = klu_factor(k->scalar.start, k->scalar.row, k->value, k->symbolic, &k->common);
  bool whole = k->numeric && k->common.status == KLU_OK;
  int column = whole ? vanishing_column(k) : k->common.singular_col;
  if (whole && column < 0) return true;
  *group = column >= 0 && column < k->scalar.rows ? k->scalar.group[column] : 0;
  return false;
}

static void klu_backsolve(void *self, double *b) {
  assert(((klu_data *)self)->numeric);
  klu_data *k = self;
  klu_solve(k->symbolic, k->numeric, k->scalar.rows, 1, b, &k->common);
}

static size_t klu_bytes(const void *self) {
  const klu_data *k = self;
  return k->bytes + k->common.memusage;
}

const sn_linsolve_ops sn_klu = {
    .name = "klu",
    .summary = "SuiteSparse KLU: sparse LU with partial pivoting",
    .unsymmetric = true,
    .pivots = true,
    .analyze = klu_begin,
    .factor = klu_factorize,
    .solve = klu_backsolve,
    .bytes = klu_bytes,
    .free = klu_release,
};
