/* matrix.c - pattern and assembly of the block-sparse matrix. */
#include "sparse/matrix.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- building the pattern ---- */

typedef struct pair {
  int i, j; /* i > j */
} pair;

struct sn_pattern {
  int groups, group_capacity;
  int *size;
  bool *constraint;
  size_t pairs, pair_capacity;
  pair *pair; /* as coupled: any order, with repetitions */
};

sn_pattern *sn_pattern_create(void) {
  return sn_new(1, sizeof(sn_pattern));
}

int sn_pattern_group(sn_pattern *pattern, int size, bool constraint) {
  assert(size > 0);
  if (pattern->groups == pattern->group_capacity) {
    pattern->group_capacity = pattern->group_capacity ? 2 * pattern->group_capacity : 64;
    SN_RESIZE(pattern->size, pattern->group_capacity);
    SN_RESIZE(pattern->constraint, pattern->group_capacity);
  }
  pattern->size[pattern->groups] = size;
  pattern->constraint[pattern->groups] = constraint;
  return pattern->groups++;
}

void sn_pattern_couple(sn_pattern *pattern, int group_i, int group_j) {
  assert(group_i >= 0 && group_i < pattern->groups && group_j >= 0 && group_j < pattern->groups);
  if (group_i == group_j) return; /* the diagonal is always there */
  if (pattern->pairs == pattern->pair_capacity) {
    pattern->pair_capacity = pattern->pair_capacity ? 2 * pattern->pair_capacity : 256;
    SN_RESIZE(pattern->pair, pattern->pair_capacity);
  }
  bool ordered = group_i > group_j;
  pattern->pair[pattern->pairs++] = (pair){.i = ordered ? group_i : group_j, .j = ordered ? group_j : group_i};
}

/* Sort the pairs by (j, i): a counting sort by i, then a stable one by j. Linear in groups + pairs. */
static void sort_pairs(sn_pattern *pattern) {
  size_t groups = (size_t)pattern->groups, pairs = pattern->pairs;
  size_t *start = sn_new(groups + 2, sizeof *start);
  pair *sorted = sn_new(pairs + 1, sizeof *sorted);
  for (int pass = 0; pass < 2; pass++) {
    memset(start, 0, (groups + 2) * sizeof *start);
    for (size_t p = 0; p < pairs; p++) start[(pass ? pattern->pair[p].j : pattern->pair[p].i) + 1]++;
    for (size_t g = 0; g < groups; g++) start[g + 1] += start[g];
    for (size_t p = 0; p < pairs; p++) {
      pair it = pattern->pair[p];
      sorted[start[pass ? it.j : it.i]++] = it;
    }
    pair *swap = pattern->pair;
    pattern->pair = sorted;
    sorted = swap;
  }
  sn_free(sorted);
  sn_free(start);
}

/* Drop the repetitions of the sorted pairs. */
static void unique_pairs(sn_pattern *pattern) {
  size_t kept = 0;
  for (size_t p = 0; p < pattern->pairs; p++) {
    pair it = pattern->pair[p];
    if (kept && pattern->pair[kept - 1].i == it.i && pattern->pair[kept - 1].j == it.j) continue;
    pattern->pair[kept++] = it;
  }
  pattern->pairs = kept;
}

static void place_groups(const sn_pattern *pattern, sn_arena *arena, sn_matrix *matrix) {
  int groups = pattern->groups;
  int *size = SN_NEW(arena, int, groups + 1), *first = SN_NEW(arena, int, groups + 1);
  bool *constraint = SN_NEW(arena, bool, groups + 1);
  for (int g = 0; g < groups; g++) {
    size[g] = pattern->size[g];
    assert(size[g] <= INT_MAX - first[g]);
    constraint[g] = pattern->constraint[g];
    first[g + 1] = first[g] + size[g];
  }
  matrix->groups = groups;
  matrix->rows = first[groups];
  matrix->size = size;
  matrix->first = first;
  matrix->constraint = constraint;
}

static void place_blocks(const sn_pattern *pattern, sn_arena *arena, sn_matrix *matrix, bool unsymmetric) {
  int groups = pattern->groups, block = 0;
  size_t blocks = (size_t)groups + pattern->pairs, at = 0;
  assert(blocks <= INT_MAX);
  int *column = SN_NEW(arena, int, groups + 1), *row = SN_NEW(arena, int, blocks);
  size_t *lower = SN_NEW(arena, size_t, blocks), *upper = unsymmetric ? SN_NEW(arena, size_t, blocks) : NULL;
  const pair *next = pattern->pair, *end = next ? next + pattern->pairs : NULL;
  for (int j = 0; j < groups; j++) {
    column[j] = block;
    for (int i = j;; i = next++->i) { /* the diagonal, then the pairs of this column */
      size_t values = (size_t)matrix->size[i] * (size_t)matrix->size[j];
      row[block] = i;
      lower[block] = at;
      if (unsymmetric) upper[block] = i == j ? at : at + values;
      at += unsymmetric && i != j ? 2 * values : values;
      block++;
      if (next == end || next->j != j) break;
    }
  }
  assert(next == end && (size_t)block == blocks); /* every pair has its column */
  column[groups] = block;
  matrix->column = column;
  matrix->row = row;
  matrix->lower = lower;
  matrix->upper = upper;
  matrix->values = at;
  matrix->value = SN_NEW(arena, double, at);
}

sn_matrix *sn_pattern_freeze(sn_pattern *pattern, sn_arena *arena, bool unsymmetric) {
  assert(pattern && arena);
  sn_matrix *matrix = SN_NEW(arena, sn_matrix, 1);
  sort_pairs(pattern);
  unique_pairs(pattern);
  place_groups(pattern, arena, matrix);
  place_blocks(pattern, arena, matrix, unsymmetric);
  sn_free(pattern->size);
  sn_free(pattern->constraint);
  sn_free(pattern->pair);
  sn_free(pattern);
  return matrix;
}

sn_matrix *sn_matrix_like(const sn_matrix *matrix, sn_arena *arena) {
  sn_matrix *like = SN_NEW(arena, sn_matrix, 1);
  *like = *matrix;
  like->value = SN_NEW(arena, double, matrix->values);
  return like;
}

/* ---- access ---- */

int sn_matrix_find(const sn_matrix *matrix, int i, int j) {
  assert(j >= 0 && i >= j && i < matrix->groups);
  int low = matrix->column[j], high = matrix->column[j + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (matrix->row[middle] < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(matrix->row[low] == i);
  return low;
}

void sn_matrix_zero(sn_matrix *matrix) {
  memset(matrix->value, 0, matrix->values * sizeof(double));
}

int sn_matrix_slot(const sn_matrix *matrix, int i, int j) {
  return i >= j ? sn_matrix_find(matrix, i, j) : sn_matrix_find(matrix, j, i);
}

void sn_matrix_slots(const sn_matrix *matrix, int count, const int *groups, int *slots) {
  assert(count >= 0);
  for (int k = 0; k < count; k++) {
    assert(groups[k] >= 0 && groups[k] < matrix->groups);
    for (int c = 0; c <= k; c++) *slots++ = sn_matrix_slot(matrix, groups[k], groups[c]);
  }
}

/* ---- assembly ---- */

/* B += T, all column major. */
static void add_block(int rows, int columns, double *restrict B, const double *restrict T, int stride) {
  for (int c = 0; c < columns; c++, B += rows, T += stride) {
    for (int r = 0; r < rows; r++) B[r] += T[r];
  }
}

/* B += (T + U')/2: the symmetric part of the local matrix, T being its block (i, j) and U its block (j, i). */
static void add_symmetric(int rows, int columns, double *restrict B, const double *T, const double *U, int stride) {
  for (int c = 0; c < columns; c++, B += rows, T += stride, U++) {
    const double *u = U;
    for (int r = 0; r < rows; r++, u += stride) B[r] += 0.5 * (T[r] + *u);
  }
}

/* Local blocks (k, c) and (c, k), both known to be wanted. Two local entries of one group both land on its diagonal
 * block, T_kc + T_ck, as the local unknowns are then the same. */
static void add_pair(sn_matrix *matrix, const int *groups, int k, int c, int slot, const double *T_kc,
                     const double *T_ck, int stride) {
  assert(slot >= 0 && slot < matrix->column[matrix->groups]);
  double *lower = matrix->value + matrix->lower[slot];
  bool ordered = groups[k] >= groups[c], same = groups[k] == groups[c];
  assert(matrix->row[slot] == (ordered ? groups[k] : groups[c])); /* the block of this pair */
  int rows = matrix->size[ordered ? groups[k] : groups[c]], columns = matrix->size[ordered ? groups[c] : groups[k]];
  const double *T_ij = ordered ? T_kc : T_ck, *T_ji = ordered ? T_ck : T_kc;
  if (matrix->upper) {
    add_block(rows, columns, lower, T_ij, stride);
    add_block(columns, rows, matrix->value + matrix->upper[slot], T_ji, stride);
  } else {
    add_symmetric(rows, columns, lower, T_ij, T_ji, stride);
    if (same) add_symmetric(rows, columns, lower, T_ji, T_ij, stride);
  }
}

static void add_local(sn_matrix *matrix, int count, const int *groups, const int *slots, const double *T, int stride) {
  size_t row = 0, ld = (size_t)stride;
  for (int k = 0; k < count; k++) {
    size_t column = 0;
    for (int c = 0; c < k; c++, slots++) {
      if (*slots >= 0) add_pair(matrix, groups, k, c, *slots, T + row + column * ld, T + column + row * ld, stride);
      column += (size_t)matrix->size[groups[c]];
    }
    assert(groups[k] >= 0 && groups[k] < matrix->groups && *slots == matrix->column[groups[k]]);
    const double *T_kk = T + row + row * ld;
    double *diagonal = matrix->value + matrix->lower[*slots++];
    int size = matrix->size[groups[k]];
    if (matrix->upper) {
      add_block(size, size, diagonal, T_kk, stride);
    } else {
      add_symmetric(size, size, diagonal, T_kk, T_kk, stride);
    }
    row += (size_t)size;
  }
}

static void add_positive(sn_matrix *matrix, int count, const int *groups, const int *slots, const double *T,
                         int stride) {
  double room[SN_POSITIVE_SIZE * SN_POSITIVE_SIZE];
  int n = 0;
  for (int k = 0; k < count; k++) n += matrix->size[groups[k]];
  assert(n <= stride);
  T = sn_positive_part(n, T, &stride, room);
  add_local(matrix, count, groups, slots, T, stride);
}

void sn_matrix_add(sn_matrix *matrix, int count, const int *groups, const int *slots, const double *T, int stride) {
  assert(count >= 0 && stride > 0);
  (matrix->positive ? add_positive : add_local)(matrix, count, groups, slots, T, stride);
}

/* ---- product ---- */

static void multiply_add(int rows, int columns, const double *B, const double *restrict x, double *restrict y) {
  for (int c = 0; c < columns; c++, B += rows) {
    for (int r = 0; r < rows; r++) y[r] += B[r] * x[c];
  }
}

static void multiply_transposed_add(int rows, int columns, const double *B, const double *restrict x,
                                    double *restrict y) {
  for (int c = 0; c < columns; c++, B += rows) {
    double sum = 0.0;
    for (int r = 0; r < rows; r++) sum += B[r] * x[r];
    y[c] += sum;
  }
}

void sn_matrix_multiply(const sn_matrix *matrix, const double *x, double *y) {
  assert(x != y);
  memset(y, 0, (size_t)matrix->rows * sizeof *y);
  for (int j = 0; j < matrix->groups; j++) {
    const double *x_j = x + matrix->first[j];
    double *y_j = y + matrix->first[j];
    int n = matrix->size[j];
    for (int b = matrix->column[j]; b < matrix->column[j + 1]; b++) {
      int i = matrix->row[b], m = matrix->size[i];
      const double *B = matrix->value + matrix->lower[b];
      multiply_add(m, n, B, x_j, y + matrix->first[i]);
      if (i == j) continue;
      if (matrix->upper) {
        multiply_add(n, m, matrix->value + matrix->upper[b], x + matrix->first[i], y_j);
      } else {
        multiply_transposed_add(m, n, B, x + matrix->first[i], y_j);
      }
    }
  }
}

bool sn_matrix_is_symmetric(const sn_matrix *A) {
  double most = 0, off = 0;
  for (int j = 0; A->upper && j < A->groups; j++)
    for (int b = A->column[j]; b < A->column[j + 1]; b++) {
      int m = A->size[A->row[b]], n = A->size[j];
      const double *L = A->value + A->lower[b], *U = A->value + A->upper[b];
      for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++) {
          most = fmax(most, fabs(L[r + m * c]));
          off = fmax(off, fabs(L[r + m * c] - U[c + n * r]));
        }
    }
  return off <= 1e-9 * most;
}
