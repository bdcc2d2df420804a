/* ldl_factor.c - block LDL' of the quasi-definite matrix [A G'; G 0].
 *
 * Right-looking elimination by block columns j, with s = +1 for coordinates and s = -1 for multipliers:
 *
 *     s D_j = C C',  V = C^-T               (Cholesky of the pivot; the sign is known, see ldl_analyze.c)
 *     P_i   = A_ij V
 *     L_ij  = A_ij D_j^-1 = s P_i V'
 *     A_ik -= L_ij A_kj' = s P_i P_k'       for all i >= k in the structure of column j
 *
 * Updating through P rather than through an explicit D_j^-1 keeps the error at eps sqrt(cond D_j). Where s D_j is not
 * definite (an indefinite stiffness, say) D_j^-1 comes from Gauss-Jordan elimination with complete pivoting and the
 * update uses L_ij and A_kj themselves.
 *
 * Solution: y_i -= L_ij y_j forward, z_j = D_j^-1 y_j, x_j = z_j - L_ij' x_i backward.
 * Vectors stay in the numbering of the matrix: groups are found through `first`, nothing is permuted.
 */
#include "sparse/ldl.h"
#include "sparse/ldl_kernels.h"

/* A pivot below this share of what the diagonal entry once was is nothing but rounding. */
static const double singular = 1e-15;
/* Below this share an early constraint has no full rank by the coordinates before it, or nearly so. */
static const double too_early = 1e-8;

/* ---- load ---- */

static void copy_transposed(int rows, int columns, const double *restrict A, double *restrict T) {
  for (int c = 0; c < columns; c++) {
    for (int r = 0; r < rows; r++) T[r * columns + c] = A[c * rows + r];
  }
}

void sn_ldl_load(sn_ldl_data *f, const sn_matrix *matrix) {
  assert(matrix->groups == f->groups && matrix->rows == f->rows);
  for (size_t k = 0; k < f->fills; k++) {
    size_t b = f->fill[k];
    memset(f->L + f->at[b], 0, (f->at[b + 1] - f->at[b]) * sizeof(double));
  }
  for (int j = 0; j < f->groups; j++) {
    int b = matrix->column[j], n = matrix->size[j];
    const double *A = matrix->value + matrix->lower[b];
    memcpy(f->D + f->target[b], A, (size_t)(n * n) * sizeof(double));
    for (int r = 0; r < n; r++) f->scale[matrix->first[j] + r] = fabs(A[r * n + r]);
    for (b++; b < matrix->column[j + 1]; b++) {
      int m = matrix->size[matrix->row[b]];
      A = matrix->value + matrix->lower[b];
      if (f->transpose[b]) {
        copy_transposed(m, n, A, f->L + f->target[b]);
      } else {
        memcpy(f->L + f->target[b], A, (size_t)m * (size_t)n * sizeof(double));
      }
    }
  }
}

/* ---- factor ---- */

/* D := D^-1 by Gauss-Jordan elimination with complete pivoting of S^-1/2 D S^-1/2, S the scales of the rows: the
 * blocks mix lengths and angles, and only scaled pivots can be compared. False when singular. */
static bool invert_indefinite(int n, const double *scale, double *D, double *work) {
  assert(n > 0);
  double *root = work;
  int *pivot_row = (int *)(void *)(work + n), *pivot_column = pivot_row + n; /* n int pairs fit n doubles */
  bool *used = (bool *)(void *)(work + 2 * n);
  for (int i = 0; i < n; i++) {
    if (!(scale[i] > 0.0)) return false;
    root[i] = 1.0 / sqrt(scale[i]);
    used[i] = false;
  }
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) D[j * n + i] = D[i * n + j] = D[j * n + i] * root[i] * root[j];
  }
  for (int step = 0; step < n; step++) {
    int p = -1, q = -1;
    double largest = singular;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        if (!used[i] && !used[j] && fabs(D[j * n + i]) > largest) largest = fabs(D[j * n + i]), p = i, q = j;
      }
    }
    if (p < 0) return false;
    /* Bring the pivot onto the diagonal by swapping rows p and q, then sweep. */
    for (int j = 0; j < n && p != q; j++) {
      double t = D[j * n + p];
      D[j * n + p] = D[j * n + q];
      D[j * n + q] = t;
    }
    pivot_row[step] = p;
    pivot_column[step] = q;
    used[q] = true;
    double inverse = 1.0 / D[q * n + q];
    D[q * n + q] = 1.0;
    for (int j = 0; j < n; j++) D[j * n + q] *= inverse;
    for (int i = 0; i < n; i++) {
      double factor = D[q * n + i];
      if (i == q) continue;
      D[q * n + i] = 0.0;
      for (int j = 0; j < n; j++) D[j * n + i] -= D[j * n + q] * factor;
    }
  }
  for (int step = n - 1; step >= 0; step--) { /* row swaps of D are column swaps of D^-1 */
    int p = pivot_row[step], q = pivot_column[step];
    for (int i = 0; i < n && p != q; i++) {
      double t = D[p * n + i];
      D[p * n + i] = D[q * n + i];
      D[q * n + i] = t;
    }
  }
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) D[j * n + i] = D[i * n + j] = 0.5 * (D[j * n + i] + D[i * n + j]) * root[i] * root[j];
  }
  return true;
}

bool sn_ldl_eliminate(sn_ldl_data *f, int j, const double **X, const double **Y) {
  assert(j >= 0 && j < f->groups);
  int n = f->size[j];
  double *D = f->D + f->pivot[j], *V = f->small, sign = f->constraint[j] ? -1.0 : 1.0;
  const double *scale = f->scale + f->first[j];
  size_t start = f->at[f->column[j]];
  bool definite = block_invert(n, sign, f->early[j] ? too_early : singular, scale, D, V, V + n * n);
  if (!definite && f->early[j]) return false;
  if (!definite && !invert_indefinite(n, scale, D, f->small)) return false;
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
    int m = f->size[f->row[b]], values = m * n;
    double *L = f->L + f->at[b], *P = f->panel + (f->at[b] - start);
    if (!definite) {
      memcpy(P, L, (size_t)values * sizeof *P);
      block_times(m, n, L, P, D);
      continue;
    }
    block_times_upper(m, n, P, L, V);
    block_times_upper_transposed(m, n, L, P, V);
    if (sign > 0.0) continue;
    double *S = P + f->panel_values;
    for (int k = 0; k < values; k++) L[k] = -L[k];
    for (int k = 0; k < values; k++) S[k] = -P[k];
  }
  *Y = f->panel;
  *X = !definite ? f->L + start : sign > 0.0 ? f->panel : f->panel + f->panel_values;
  return true;
}

/* struct(j) behind k is part of struct(k), so that the blocks (i, k) are found by walking along both lists: cheap
 * beside the products, and nothing to store for each pair. */
void sn_ldl_update(sn_ldl_data *f, int j, const double *X, const double *Y) {
  size_t start = f->at[f->column[j]], end = f->column[j + 1];
  int n = f->size[j];
  for (size_t c = f->column[j]; c < end; c++) {
    int k = f->row[c], size = f->size[k];
    const double *Y_k = Y + (f->at[c] - start);
    double *D = f->D + f->pivot[k], *scale = f->scale + f->first[k];
    block_update(size, size, n, D, X + (f->at[c] - start), Y_k);
    for (int r = 0; r < size; r++) scale[r] = fmax(scale[r], fabs(D[r * size + r]));
    size_t t = f->column[k];
    for (size_t b = c + 1; b < end; b++, t++) {
      int i = f->row[b];
      while (f->row[t] != i) t++;
      assert(t < f->column[k + 1]); /* the structure of k holds that of j */
      block_update(f->size[i], size, n, f->L + f->at[t], X + (f->at[b] - start), Y_k);
    }
  }
}

bool sn_ldl_factorize(sn_ldl_data *f, const sn_matrix *matrix, int *group) {
  const double *X, *Y;
  sn_ldl_load(f, matrix);
  for (int j = 0; j < f->groups; j++) {
    if (!sn_ldl_eliminate(f, j, &X, &Y)) {
      *group = f->order[j];
      return false;
    }
    sn_ldl_update(f, j, X, Y);
  }
  return true;
}

/* ---- solve ---- */

void sn_ldl_solve_range(const sn_ldl_data *f, int first, int last, double *b, double *work) {
  assert(first >= 0 && first <= last && last <= f->groups);
  for (int j = first; j < last; j++) {
    const double *y_j = b + f->first[j];
    int n = f->size[j];
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k];
      block_forward(f->size[i], n, f->L + f->at[k], y_j, b + f->first[i]);
    }
  }
  for (int j = last - 1; j >= first; j--) {
    double *x_j = b + f->first[j];
    int n = f->size[j];
    block_apply(n, f->D + f->pivot[j], x_j, work + f->first[j]);
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k];
      block_backward(f->size[i], n, f->L + f->at[k], b + f->first[i], x_j);
    }
  }
}
