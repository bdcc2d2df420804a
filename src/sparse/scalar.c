/* scalar.c - scalars by columns; see scalar.h. */
#include "sparse/scalar.h"

/* Call for each block with its scalar place; pass 0 counts the entries of the columns, pass 1 writes them. A block of
 * the matrix whose mirror image is not stored gives that too, transposed. */
typedef struct scalar_block {
  int row, column, rows, columns; /* where, and how large */
  size_t value;                   /* its first value */
  size_t down, right;             /* steps between values along a column and along a row */
} scalar_block;

static void put_block(sn_scalar *k, const scalar_block *b, bool write) {
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
static void put_blocks(sn_scalar *k, const sn_matrix *matrix, bool write) {
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

/* Rows of each column one above the other, as KLU asks for. */
SN_ASSERTED static bool is_ascending(const sn_scalar *k) {
  for (int c = 0; c < k->rows; c++)
    for (int e = k->start[c]; e < k->start[c + 1]; e++)
      if (k->row[e] < 0 || k->row[e] >= k->rows || (e > k->start[c] && k->row[e] <= k->row[e - 1])) return false;
  return true;
}

bool sn_scalar_create(sn_scalar *k, const sn_matrix *matrix, sn_arena *arena) {
  size_t entries = count_entries(matrix), rows = (size_t)matrix->rows;
  if (entries >= INT32_MAX) return false;
  k->rows = matrix->rows;
  k->entries = (int)entries;
  k->start = SN_NEW(arena, int, rows + 2);
  k->group = SN_NEW(arena, int, rows + 1);
  k->row = SN_NEW(arena, int, entries);
  k->source = SN_NEW(arena, size_t, entries);
  k->bytes = (2 * rows + entries) * sizeof(int) + entries * sizeof(size_t);
  /* start[] runs one place ahead while it is being filled, as usual with counting sorts. */
  put_blocks(k, matrix, false);
  for (size_t c = 0; c < rows; c++) k->start[c + 2] += k->start[c + 1];
  put_blocks(k, matrix, true);
  assert(k->start[rows] == k->entries && is_ascending(k));
  for (int g = 0; g < matrix->groups; g++) {
    for (int r = matrix->first[g]; r < matrix->first[g + 1]; r++) k->group[r] = g;
  }
  return true;
}
