/* parts_even.c - even parts: A = a x I3, alike in all three directions and without coupling between them, as the mass
 * matrix of cables, beams and plates is, pinned or not. Its factors are even too, L = l x I3 and D = d x I3: a ninth of
 * the numbers, and one of them acts on a whole vector at once. Vectors are four numbers apart.
 *
 * Values of l and d stand at a ninth of the places those of L and D have, vectors at a third of theirs: blocks of even
 * parts keep their distance, whatever stands between them.
 */
#include "sparse/ldl.h"
#include "sparse/ldl_kernels.h"
#include "sparse/parts.h"

/* b := the m/3 x n/3 numbers of B = b x I3, m x n; false: B is not like that. Equal means up to rounding. */
static bool reduce_block(int m, int n, const double *B, double *b) {
  if (m % 3 || n % 3 || m > 3 * SN_WIDEST) return false;
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < m; r++) {
      double first = B[(c - c % 3) * m + r - r % 3], value = B[c * m + r];
      if (r % 3 != c % 3 ? value != 0 : fabs(value - first) > 1e-12 * fabs(first)) return false;
    }
  }
  for (int c = 0; c < n; c += 3)
    for (int r = 0; r < m; r += 3) b[c / 3 * (m / 3) + r / 3] = B[c * m + r];
  return true;
}

bool sn_part_reduce(const sn_parts *p, int part) {
  const sn_ldl_data *f = p->ldl;
  for (int j = p->first[part]; j < p->last[part]; j++) {
    if (!reduce_block(f->size[j], f->size[j], f->D + f->pivot[j], p->even_D + f->pivot[j] / 9)) return false;
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++)
      if (!reduce_block(f->size[f->row[k]], f->size[j], f->L + f->at[k], p->even_L + f->at[k] / 9)) return false;
  }
  return true;
}

/* The nests, once for nodes of cables (two vectors) and once for all. y -= B x, y -= B'x, y := B y */
SN_INLINE void forward_vectors(int m, int n, const double *B, const double *restrict x, double *restrict y) {
  for (int c = 0; c < n; c++)
    for (int r = 0; r < m; r++)
      for (int a = 0; a < 4; a++) y[4 * r + a] -= B[c * m + r] * x[4 * c + a];
}

SN_INLINE void backward_vectors(int m, int n, const double *B, const double *restrict x, double *restrict y) {
  for (int c = 0; c < n; c++)
    for (int r = 0; r < m; r++)
      for (int a = 0; a < 4; a++) y[4 * c + a] -= B[c * m + r] * x[4 * r + a];
}

SN_INLINE void apply_vectors(int n, const double *B, double *restrict y) {
  double sum[4 * SN_WIDEST] = {0};
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++)
      for (int a = 0; a < 4; a++) sum[4 * r + a] += B[c * n + r] * y[4 * c + a];
  for (int k = 0; k < 4 * n; k++) y[k] = sum[k];
}

static inline void even_forward(int m, int n, const double *B, const double *x, double *y) {
  if (m == 2 && n == 2)
    forward_vectors(2, 2, B, x, y);
  else
    forward_vectors(m, n, B, x, y);
}

static inline void even_backward(int m, int n, const double *B, const double *x, double *y) {
  if (m == 2 && n == 2)
    backward_vectors(2, 2, B, x, y);
  else
    backward_vectors(m, n, B, x, y);
}

static inline void even_apply(int n, const double *B, double *y) {
  if (n == 2)
    apply_vectors(2, B, y);
  else
    apply_vectors(n, B, y);
}

void sn_part_even_solve(const sn_parts *p, int part, double *x) {
  const sn_ldl_data *f = p->ldl;
  for (int j = p->first[part]; j < p->last[part]; j++) {
    const double *x_j = x + 4 * (f->first[j] / 3);
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k];
      even_forward(f->size[i] / 3, f->size[j] / 3, p->even_L + f->at[k] / 9, x_j, x + 4 * (f->first[i] / 3));
    }
  }
  for (int j = p->last[part] - 1; j >= p->first[part]; j--) {
    double *x_j = x + 4 * (f->first[j] / 3);
    even_apply(f->size[j] / 3, p->even_D + f->pivot[j] / 9, x_j);
    for (size_t k = f->column[j]; k < f->column[j + 1]; k++) {
      int i = f->row[k];
      even_backward(f->size[i] / 3, f->size[j] / 3, p->even_L + f->at[k] / 9, x + 4 * (f->first[i] / 3), x_j);
    }
  }
}

void sn_part_even_zero(const sn_parts *p, int part, double *x) {
  const sn_ldl_data *f = p->ldl;
  for (int j = p->first[part]; j < p->last[part]; j++)
    memset(x + 4 * (f->first[j] / 3), 0, 4 * (size_t)(f->size[j] / 3) * sizeof *x);
}
