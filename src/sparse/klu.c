/* klu.c - SuiteSparse KLU behind the solver table.
 *
 * KLU wants scalars by columns (CSC). The map from its entries to the values of the blocks is made once; a
 * factorization then gathers the values and refactors with the pivots it knows, as long as these stay good. */
#include <math.h>
#include <stdlib.h>
#include <suitesparse/klu.h>

#include "sparse/linsolve.h"

/* Refactoring keeps old pivots. A reciprocal pivot growth below this says that they no longer fit. */
static const double growth_limit = 1e-5;
/* A pivot below this share of the largest entry of its column, rows scaled, is nothing but rounding. */
static const double singular = 1e-15;

typedef struct klu_data {
  sn_arena arena;
  size_t bytes; /* held by the copy, without what KLU reports itself */
  const sn_matrix *matrix;
  int rows, entries;
  int *start;     /* [rows + 1] first entry of a scalar column */
  int *row;       /* [entries] ascending in a column */
  size_t *source; /* [entries] which value of the matrix */
  double *value;  /* [entries] */
  int *group;     /* [rows] group of a scalar row, for messages */
  int *place;     /* [rows] pivot position of a scalar row */
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  klu_common common;
} klu_data;

/* ---- the scalar copy ---- */

/* Call for each block with its scalar place; pass 0 counts the entries of the columns, pass 1 writes them. A block of
 * the matrix whose mirror image is not stored gives that too, transposed. */
typedef struct scalar_block {
  int row, column, rows, columns; /* where, and how large */
  size_t value;                   /* its first value */
  size_t down, right;             /* steps between values along a column and along a row */
} scalar_block;

static void put_block(klu_data *k, const scalar_block *b, bool write) {
  for (int c = 0; c < b->columns; c++) {
    if (!write) {
      k->start[b->column + c + 2] += b->rows;
      continue;
    }
    int *next = &k->start[b->column + c + 1];
    for (int r = 0; r < b->rows; r++) {
      k->row[*next] = b->row + r;
      k->source[(*next)++] = b->value + (size_t)r * b->down + (size_t)c * b->right;
    }
  }
}

/* Blocks in an order that leaves the rows of each scalar column ascending: block column j is met once as a column
 * (rows >= j) and before that as a row of earlier columns (mirror blocks, rows < j). */
static void put_blocks(klu_data *k, const sn_matrix *matrix, bool write) {
  for (int j = 0; j < matrix->groups; j++) {
    for (int b = matrix->column[j]; b < matrix->column[j + 1]; b++) {
      int i = matrix->row[b], m = matrix->size[i], n = matrix->size[j];
      scalar_block lower = {.row = matrix->first[i], .column = matrix->first[j], .rows = m, .columns = n};
      lower.value = matrix->lower[b];
      lower.down = 1;
      lower.right = (size_t)m;
      put_block(k, &lower, write);
      if (i == j) continue;
      scalar_block mirror = {.row = lower.column, .column = lower.row, .rows = n, .columns = m};
      mirror.value = matrix->upper ? matrix->upper[b] : matrix->lower[b];
      mirror.down = matrix->upper ? 1 : (size_t)m;
      mirror.right = matrix->upper ? (size_t)n : 1;
      put_block(k, &mirror, write);
    }
  }
}

/* Number of scalar entries; KLU with int indices takes fewer than 2^31. */
static size_t count_entries(const sn_matrix *matrix) {
  size_t entries = 0;
  for (int j = 0; j < matrix->groups; j++) {
    for (int b = matrix->column[j]; b < matrix->column[j + 1]; b++) {
      size_t block = (size_t)matrix->size[matrix->row[b]] * (size_t)matrix->size[j];
      entries += matrix->row[b] == j ? block : 2 * block;
    }
  }
  return entries;
}

static void copy_pattern(klu_data *k, const sn_matrix *matrix) {
  size_t entries = (size_t)k->entries, rows = (size_t)k->rows;
  k->start = SN_NEW(&k->arena, int, rows + 2);
  k->group = SN_NEW(&k->arena, int, rows + 1);
  k->place = SN_NEW(&k->arena, int, rows + 1);
  k->row = SN_NEW(&k->arena, int, entries);
  k->source = SN_NEW(&k->arena, size_t, entries);
  k->value = SN_NEW(&k->arena, double, entries);
  k->bytes += (3 * rows + entries) * sizeof(int) + entries * (sizeof(size_t) + sizeof(double));
  /* start[] runs one place ahead while it is being filled, as usual with counting sorts. */
  put_blocks(k, matrix, false);
  for (size_t c = 0; c < rows; c++) k->start[c + 2] += k->start[c + 1];
  put_blocks(k, matrix, true);
  for (int g = 0; g < matrix->groups; g++) {
    for (int r = matrix->first[g]; r < matrix->first[g + 1]; r++) k->group[r] = g;
  }
}

/* ---- the table ---- */

static void klu_release(void *self) {
  klu_data *k = self;
  if (!k) return;
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
  sn_arena_free(&k->arena);
  free(k);
}

static void *klu_begin(const sn_matrix *matrix) {
  klu_data *k = calloc(1, sizeof *k);
  size_t entries = count_entries(matrix);
  if (!k || entries >= INT32_MAX) {
    free(k);
    return NULL;
  }
  k->bytes = sizeof *k;
  k->matrix = matrix;
  k->rows = matrix->rows;
  k->entries = (int)entries;
  copy_pattern(k, matrix);
  klu_defaults(&k->common);
  k->symbolic = klu_analyze(k->rows, k->start, k->row, &k->common);
  if (k->symbolic) return k;
  klu_release(k);
  return NULL;
}

/* Scalar column of a vanishing pivot, -1 if there is none. (KLU stores the scale factors by pivot position.) */
static int vanishing_column(klu_data *k) {
  const double *pivot = k->numeric->Udiag, *scale = k->numeric->Rs;
  for (int p = 0; p < k->rows; p++) k->place[k->numeric->Pnum[p]] = p;
  for (int p = 0; p < k->rows; p++) {
    int column = k->symbolic->Q[p];
    double largest = 0.0;
    for (int e = k->start[column]; e < k->start[column + 1]; e++) {
      largest = fmax(largest, fabs(k->value[e]) / scale[k->place[k->row[e]]]);
    }
    if (!(fabs(pivot[p]) > singular * largest)) return column;
  }
  return -1;
}

/* The old pivots, if they still fit the new values. */
static bool refactor(klu_data *k) {
  if (!k->numeric) return false;
  if (!klu_refactor(k->start, k->row, k->value, k->symbolic, k->numeric, &k->common)) return false;
  if (k->common.status != KLU_OK) return false;
  if (!klu_rgrowth(k->start, k->row, k->value, k->symbolic, k->numeric, &k->common)) return false;
  return k->common.rgrowth > growth_limit && vanishing_column(k) < 0;
}

static bool klu_factorize(void *self, const sn_matrix *matrix, int *group) {
  klu_data *k = self;
  for (int e = 0; e < k->entries; e++) k->value[e] = matrix->value[k->source[e]];
  if (refactor(k)) return true;
  if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
  k->numeric = klu_factor(k->start, k->row, k->value, k->symbolic, &k->common);
  bool whole = k->numeric && k->common.status == KLU_OK;
  int column = whole ? vanishing_column(k) : k->common.singular_col;
  if (whole && column < 0) return true;
  *group = column >= 0 && column < k->rows ? k->group[column] : 0;
  return false;
}

static void klu_backsolve(void *self, double *b) {
  klu_data *k = self;
  klu_solve(k->symbolic, k->numeric, k->rows, 1, b, &k->common);
}

static size_t klu_bytes(const void *self) {
  const klu_data *k = self;
  return k->bytes + k->common.memusage;
}

const sn_linsolve_ops sn_klu = {
    .name = "klu",
    .summary = "SuiteSparse KLU: sparse LU with partial pivoting",
    .unsymmetric = true,
    .analyze = klu_begin,
    .factor = klu_factorize,
    .solve = klu_backsolve,
    .bytes = klu_bytes,
    .free = klu_release,
};
