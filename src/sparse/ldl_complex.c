/* ldl_complex.c - block LDL' of complex symmetric matrices, on the order and structure of the real one (ldl_analyze.c).
 *
 * Real and imaginary parts are kept apart, so that all products are those of the real kernels:
 *
 *     D_j^-1 by Gauss-Jordan elimination,   L_ij = A_ij D_j^-1,   A_ik -= L_ij A_kj'  (transposed, not conjugated)
 *
 * No pivots are exchanged between blocks. That is stable when some turn exp(i phi) A has a definite real part on the
 * coordinates: so it is for M + D/mu + K/mu^2 as long as the stiffness is not negative, mu^2 being off the negative
 * axis.
 */
#include "sparse/ldl_complex.h"

#include <string.h>

#include "sparse/ldl_kernels.h"

static const double singular = 1e-14; /* share of the diagonal that is nothing but rounding */

void sn_ldl_complex_create(sn_ldl_complex *z, const sn_matrix *matrix, const sn_ldl_data *f, sn_arena *arena) {
  assert(matrix->groups == f->groups && matrix->rows == f->rows && !f->any_early);
  int largest = 1, pivots = 0;
  *z = (sn_ldl_complex){.structure = f, .matrix = matrix};
  for (int j = 0; j < f->groups; j++) {
    largest = f->size[j] > largest ? f->size[j] : largest;
    pivots += f->size[j] * f->size[j];
  }
  for (int c = 0; c < 2; c++) {
    z->L[c] = SN_NEW(arena, double, f->values);
    z->D[c] = SN_NEW(arena, double, pivots);
    z->Y[c] = SN_NEW(arena, double, f->panel_values);
    z->small[c] = SN_NEW(arena, double, largest *largest);
  }
  z->minus = SN_NEW(arena, double, f->panel_values);
  z->square = SN_NEW(arena, double, 4 * largest * largest);
  z->root = SN_NEW(arena, double, largest);
}

/* ---- load ---- */

/* The symmetric part: half the sum of the block and its mirror image, transposed where the order turned it over. */
static void load_block(const sn_matrix *A, int b, int m, int n, bool transposed, const double *value, double *to) {
  const double *lower = value + A->lower[b], *upper = A->upper ? value + A->upper[b] : NULL;
  for (int c = 0; c < n; c++)
    for (int r = 0; r < m; r++) {
      double x = upper ? 0.5 * (lower[c * m + r] + upper[r * n + c]) : lower[c * m + r];
      to[transposed ? r * n + c : c * m + r] = x;
    }
}

static void load(sn_ldl_complex *z, int part, const double *value) {
  const sn_ldl_data *f = z->structure;
  const sn_matrix *A = z->matrix;
  for (size_t k = 0; k < f->fills; k++) {
    size_t b = f->fill[k];
    memset(z->L[part] + f->at[b], 0, (f->at[b + 1] - f->at[b]) * sizeof(double));
  }
  for (int j = 0; j < f->groups; j++) {
    int b = A->column[j], n = A->size[j];
    load_block(A, b, n, n, false, value, z->D[part] + f->target[b]);
    for (b++; b < A->column[j + 1]; b++)
      load_block(A, b, A->size[A->row[b]], n, f->transpose[b], value, z->L[part] + f->target[b]);
  }
}

/* ---- factor ---- */

/* Parts are handled apart here too: the products of C's complex numbers look for infinities every time. */
typedef struct square {
  double *re, *im; /* n x n, row major */
} square;

static double magnitude(const square *S, int e) {
  return S->re[e] * S->re[e] + S->im[e] * S->im[e];
}

static void swap_rows(int n, square *S, int i, int k) {
  for (int c = 0; c < n; c++) {
    double re = S->re[i * n + c], im = S->im[i * n + c];
    S->re[i * n + c] = S->re[k * n + c], S->im[i * n + c] = S->im[k * n + c];
    S->re[k * n + c] = re, S->im[k * n + c] = im;
  }
}

/* row i := f row k + g row i, g = 0 or 1 */
static void add_row(int n, square *S, int i, int k, double re, double im, double g) {
  for (int c = 0; c < n; c++) {
    double x = S->re[k * n + c], y = S->im[k * n + c];
    S->re[i * n + c] = g * S->re[i * n + c] + re * x - im * y;
    S->im[i * n + c] = g * S->im[i * n + c] + re * y + im * x;
  }
}

/* [S | X] = [S | I] -> [I | S^-1], with row pivots. */
static bool gauss_jordan(int n, square *S, square *X) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (magnitude(S, i * n + k) > magnitude(S, p * n + k)) p = i;
    double size = magnitude(S, p * n + k);
    if (!(size > singular * singular)) return false;
    if (p != k) swap_rows(n, S, k, p), swap_rows(n, X, k, p);
    double re = S->re[k * n + k] / size, im = -S->im[k * n + k] / size; /* of the reciprocal */
    add_row(n, S, k, k, re, im, 0);
    add_row(n, X, k, k, re, im, 0);
    for (int i = 0; i < n; i++) {
      re = -S->re[i * n + k], im = -S->im[i * n + k];
      if (i == k || (re == 0 && im == 0)) continue;
      add_row(n, S, i, k, re, im, 1);
      add_row(n, X, i, k, re, im, 1);
    }
  }
  return true;
}

/* D := D^-1, rows and columns scaled to a diagonal of 1 on the way: the blocks mix lengths and angles. */
static bool invert(sn_ldl_complex *z, int n, double *re, double *im) {
  square S = {z->square, z->square + n * n}, X = {z->square + 2 * n * n, z->square + 3 * n * n};
  square D = {re, im};
  double *root = z->root;
  for (int i = 0; i < n; i++) {
    double size = magnitude(&D, i * n + i);
    if (!(size > 0)) return false;
    root[i] = 1 / sqrt(sqrt(size));
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int e = i * n + j;
      S.re[e] = re[e] * root[i] * root[j];
      S.im[e] = im[e] * root[i] * root[j];
      X.re[e] = i == j;
      X.im[e] = 0;
    }
  if (!gauss_jordan(n, &S, &X)) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double scale = 0.5 * root[i] * root[j];
      re[i * n + j] = scale * (X.re[i * n + j] + X.re[j * n + i]);
      im[i * n + j] = scale * (X.im[i * n + j] + X.im[j * n + i]);
    }
  return true;
}

/* L := A D^-1 with A kept in Y, for all blocks of column j. */
static void scale_column(sn_ldl_complex *z, int j) {
  const sn_ldl_data *f = z->structure;
  int n = f->size[j];
  size_t start = f->at[f->column[j]], values = f->at[f->column[j + 1]] - start;
  double *Lr = z->L[0] + start, *Li = z->L[1] + start, *work = z->minus;
  const double *Dr = z->D[0] + f->pivot[j], *Di = z->D[1] + f->pivot[j];
  memcpy(z->Y[0], Lr, values * sizeof(double));
  if (!z->real) memcpy(z->Y[1], Li, values * sizeof(double));
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
    int m = f->size[f->row[b]];
    size_t at = f->at[b] - start;
    block_times(m, n, Lr + at, z->Y[0] + at, Dr);
    if (z->real) continue;
    block_times(m, n, work + at, z->Y[1] + at, Di);
    for (int k = 0; k < m * n; k++) Lr[at + (size_t)k] -= work[at + (size_t)k];
    block_times(m, n, Li + at, z->Y[0] + at, Di);
    block_times(m, n, work + at, z->Y[1] + at, Dr);
    for (int k = 0; k < m * n; k++) Li[at + (size_t)k] += work[at + (size_t)k];
  }
  for (size_t k = 0; k < values && !z->real; k++) z->minus[k] = -Li[k];
}

/* C -= L Y': block `b` of column j times the transpose of its block c, both counted from `start`. */
static void update(sn_ldl_complex *z, int m, int n, int k, double *Cr, double *Ci, size_t start, size_t b, size_t c) {
  const double *Lr = z->L[0] + start + b, *Li = z->L[1] + start + b, *Yr = z->Y[0] + c, *Yi = z->Y[1] + c;
  block_update(m, n, k, Cr, Lr, Yr);
  if (z->real) return;
  block_update(m, n, k, Cr, z->minus + b, Yi);
  block_update(m, n, k, Ci, Lr, Yi);
  block_update(m, n, k, Ci, Li, Yr);
}

static void update_behind(sn_ldl_complex *z, int j) {
  const sn_ldl_data *f = z->structure;
  size_t start = f->at[f->column[j]], end = f->column[j + 1];
  int n = f->size[j];
  for (size_t c = f->column[j]; c < end; c++) {
    int k = f->row[c], size = f->size[k];
    size_t c_at = f->at[c] - start, t = f->column[k];
    update(z, size, size, n, z->D[0] + f->pivot[k], z->D[1] + f->pivot[k], start, c_at, c_at);
    for (size_t b = c + 1; b < end; b++, t++) {
      int i = f->row[b];
      while (f->row[t] != i) t++;
      assert(t < f->column[k + 1]);
      update(z, f->size[i], size, n, z->L[0] + f->at[t], z->L[1] + f->at[t], start, f->at[b] - start, c_at);
    }
  }
}

bool sn_ldl_complex_factor(sn_ldl_complex *z, const double *re, const double *im, int *group) {
  assert(re && group);
  const sn_ldl_data *f = z->structure;
  z->real = im == NULL;
  load(z, 0, re);
  if (im) load(z, 1, im);
  for (int j = 0; j < f->groups; j++) {
    int n = f->size[j];
    if (z->real) memset(z->D[1] + f->pivot[j], 0, (size_t)(n * n) * sizeof(double));
    if (!invert(z, n, z->D[0] + f->pivot[j], z->D[1] + f->pivot[j])) {
      *group = f->order[j];
      return false;
    }
    scale_column(z, j);
    update_behind(z, j);
  }
  return true;
}

/* ---- solve ---- */

/* y -= B x and y -= B'x in complex numbers, through their parts; x is copied negated where the sign turns. */
static void forward(const sn_ldl_complex *z, int m, int n, size_t at, const double *xr, const double *xi,
                    const double *minus, double *yr, double *yi) {
  block_forward(m, n, z->L[0] + at, xr, yr);
  if (z->real) return;
  block_forward(m, n, z->L[1] + at, minus, yr);
  block_forward(m, n, z->L[0] + at, xi, yi);
  block_forward(m, n, z->L[1] + at, xr, yi);
}

static void backward(const sn_ldl_complex *z, int m, int n, size_t at, const double *xr, const double *xi, double *yr,
                     double *yi) {
  double *minus = z->small[0];
  block_backward(m, n, z->L[0] + at, xr, yr);
  if (z->real) return;
  for (int k = 0; k < m; k++) minus[k] = -xi[k];
  block_backward(m, n, z->L[1] + at, minus, yr);
  block_backward(m, n, z->L[0] + at, xi, yi);
  block_backward(m, n, z->L[1] + at, xr, yi);
}

/* y := D^-1 y for group j */
static void apply(const sn_ldl_complex *z, int j, double *yr, double *yi) {
  const sn_ldl_data *f = z->structure;
  int n = f->size[j];
  const double *Dr = z->D[0] + f->pivot[j], *Di = z->D[1] + f->pivot[j];
  double *re = z->small[0], *im = z->small[1];
  for (int r = 0; r < n; r++) re[r] = im[r] = 0;
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++) {
      re[r] += Dr[c * n + r] * yr[c] - Di[c * n + r] * yi[c];
      im[r] += Dr[c * n + r] * yi[c] + Di[c * n + r] * yr[c];
    }
  memcpy(yr, re, (size_t)n * sizeof(double));
  memcpy(yi, im, (size_t)n * sizeof(double));
}

void sn_ldl_complex_solve(const sn_ldl_complex *z, double *re, double *im) {
  const sn_ldl_data *f = z->structure;
  double *minus = z->small[0];
  for (int j = 0; j < f->groups; j++) {
    int n = f->size[j], first = f->first[j];
    for (int k = 0; k < n; k++) minus[k] = -im[first + k];
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k], to = f->first[i];
      forward(z, f->size[i], n, f->at[k], re + first, im + first, minus, re + to, im + to);
    }
  }
  for (int j = f->groups - 1; j >= 0; j--) {
    int n = f->size[j], first = f->first[j];
    apply(z, j, re + first, im + first);
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k], from = f->first[i];
      backward(z, f->size[i], n, f->at[k], re + from, im + from, re + first, im + first);
    }
  }
}
