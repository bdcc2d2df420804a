/* components.c - components of a factorization A = L D L', and blocks of Z = A^-1 on the pattern of L (Takahashi):
 *
 *     Z_ij = -sum over k of Z_ik L_kj,   Z_jj = D_j^-1 - sum over k of L_kj' Z_kj        i, k in struct(j)
 *
 * from the last column to the first.
 *
 * struct(j) without its first member k is contained in struct(k), so that every Z_ik asked for is on the pattern. A
 * component is a tree of the elimination forest; in postorder it is a range of positions.
 */
#include "sparse/components.h"

#include <string.h>

#include "math/eight.h"
#include "sparse/ldl.h"
#include "sparse/ldl_kernels.h"

static void find_components(sn_components *p, const sn_ldl_data *f) {
  sn_arena arena = {0};
  int n = f->groups;
  *p = (sn_components){.ldl = f};
  p->first = SN_NEW(&arena, int, n + 1);
  p->last = SN_NEW(&arena, int, n + 1);
  p->coordinates = SN_NEW(&arena, int, n + 1);
  p->of_group = SN_NEW(&arena, int, n + 1);
  p->position = SN_NEW(&arena, int, n + 1);
  for (int j = 0; j < n; j++) {
    p->position[f->order[j]] = j;
    if (f->parent[j] >= 0) continue;
    p->first[p->count] = f->youngest[j];
    p->last[p->count++] = j + 1;
  }
  for (int k = 0; k < p->count; k++) {
    assert(p->first[k] == (k ? p->last[k - 1] : 0)); /* trees follow each other */
    for (int j = p->first[k]; j < p->last[k]; j++) {
      p->of_group[f->order[j]] = k;
      p->coordinates[k] += !f->constraint[j];
    }
  }
  p->Z = SN_NEW(&arena, double, f->values + 8);
  p->pivot = SN_NEW(&arena, double, (n ? f->pivot[n - 1] + (size_t)(f->size[n - 1] * f->size[n - 1]) : 0) + 8);
  p->even_L = SN_NEW(&arena, double, f->values / 9 + 8);
  p->even_D = SN_NEW(&arena, double, (n ? (f->pivot[n - 1] + (size_t)(f->size[n - 1] * f->size[n - 1])) / 9 : 0) + 8);
  p->even_first = SN_NEW(&arena, int, n + 1);
  p->chain = SN_NEW(&arena, bool, p->count + 1);
  for (int j = 0; j < n; j++) p->even_first[j + 1] = p->even_first[j] + f->size[j] / 3;
  p->work = SN_NEW(&arena, double, f->rows + 1);
  p->arena = arena;
}

void sn_components_create(sn_components *p, const void *solver) {
  find_components(p, sn_ldl_of(solver));
}

bool sn_components_update(sn_components *p, const void *solver) {
  const sn_ldl_data *f = sn_ldl_of(solver);
  if (p->ldl == f) return true;
  sn_components_free(p);
  find_components(p, f);
  return false;
}

void sn_components_free(sn_components *p) {
  sn_arena_free(&p->arena);
}

void sn_component_zero(const sn_components *p, int component, double *x) {
  assert(component >= 0 && component < p->count);
  const sn_ldl_data *f = p->ldl;
  for (int j = p->first[component]; j < p->last[component]; j++)
    memset(x + f->first[j], 0, (size_t)f->size[j] * sizeof *x);
}

void sn_component_solve(const sn_components *p, int component, double *x) {
  assert(component >= 0 && component < p->count);
  sn_ldl_solve_range(p->ldl, p->first[component], p->last[component], x, p->work);
}

/* ---- the inverse ---- */

/* Index of block (i, k), i > k, in row[]. */
static size_t find_block(const sn_ldl_data *f, int i, int k) {
  size_t b = f->column[k];
  while (f->row[b] != i) b++;
  assert(b < f->column[k + 1]);
  return b;
}

/* C -= Z_ik X, with C m x n, X s x n; Z_ik is m x s, or the transpose of the s x m block it is stored as. */
static void subtract(int m, int s, int n, double *C, const double *Z, bool transposed, const double *X) {
  if (m == 1) block_backward(s, n, X, Z, C);
  for (int c = 0; m > 1 && c < n; c++) {
    if (transposed)
      block_backward(s, m, Z, X + c * s, C + c * m);
    else
      block_forward(m, s, Z, X + c * s, C + c * m);
  }
}

static void invert_column(const sn_components *p, int j) {
  const sn_ldl_data *f = p->ldl;
  int n = f->size[j];
  double *Z_jj = p->pivot + f->pivot[j];
  memcpy(Z_jj, f->D + f->pivot[j], (size_t)(n * n) * sizeof(double));
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
    int i = f->row[b], m = f->size[i];
    double *Z_ij = p->Z + f->at[b];
    memset(Z_ij, 0, (size_t)m * (size_t)n * sizeof(double));
    for (size_t e = f->column[j]; e < f->column[j + 1]; e++) {
      int k = f->row[e];
      const double *Z_ik = k == i  ? p->pivot + f->pivot[i]
                           : k < i ? p->Z + f->at[find_block(f, i, k)]
                                   : p->Z + f->at[find_block(f, k, i)];
      subtract(m, f->size[k], n, Z_ij, Z_ik, k > i, f->L + f->at[e]);
    }
  }
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++)
    block_update_inner(f->size[f->row[b]], n, Z_jj, f->L + f->at[b], p->Z + f->at[b]);
}

void sn_component_invert(const sn_components *p, int component) {
  assert(component >= 0 && component < p->count);
  for (int j = p->last[component] - 1; j >= p->first[component]; j--) invert_column(p, j);
}

const double *sn_component_inverse(const sn_components *p, int group_i, int group_j, int *down, int *right) {
  assert(group_i >= 0 && group_i < p->ldl->groups && group_j >= 0 && group_j < p->ldl->groups);
  const sn_ldl_data *f = p->ldl;
  int i = p->position[group_i], j = p->position[group_j], low = i < j ? i : j, high = i < j ? j : i;
  *down = 1;
  *right = f->size[i];
  if (i == j) return p->pivot + f->pivot[i];
  if (i < j) *down = f->size[j], *right = 1;
  for (size_t b = f->column[low]; b < f->column[low + 1]; b++)
    if (f->row[b] == high) return p->Z + f->at[b];
  return NULL;
}

/* ---- the mobility of a small component ---- */

bool sn_component_is_small(const sn_components *p, int component) {
  assert(component >= 0 && component < p->count);
  int rows[2] = {0};
  for (int j = p->first[component]; j < p->last[component]; j++) rows[p->ldl->constraint[j]] += p->ldl->size[j];
  return p->coordinates[component] == 1 && rows[0] <= 8 && rows[1] <= rows[0] &&
         p->last[component] - p->first[component] <= 9;
}

/* y_r = sum over c of B_rc x_c, B being m x n and its columns `stride` apart. */
SN_INLINE void combine_nest(int m, int n, const double *B, int stride, const sn_eight *x, sn_eight *y) {
  for (int r = 0; r < m; r++) y[r] = B[r] * x[0];
  for (int c = 1; c < n; c++)
    for (int r = 0; r < m; r++) y[r] += B[c * stride + r] * x[c];
}

static void combine(int m, int n, const double *B, int stride, const sn_eight *x, sn_eight *y) {
  if (m == 7 && n == 7) /* a rigid body */
    combine_nest(7, 7, B, stride, x, y);
  else if (m == 6 && n == 7)
    combine_nest(6, 7, B, stride, x, y);
  else
    combine_nest(m, n, B, stride, x, y);
}

/* y -= L x and y -= L'x, L being m x n */
static void subtract_rows(int m, int n, const double *L, const sn_eight *x, sn_eight *y) {
  for (int r = 0; r < m; r++) {
    sn_eight sum = y[r];
    for (int c = 0; c < n; c++) sum -= L[c * m + r] * x[c];
    y[r] = sum;
  }
}
static void subtract_columns(int m, int n, const double *L, const sn_eight *x, sn_eight *y) {
  for (int r = 0; r < m; r++)
    for (int c = 0; c < n; c++) y[c] -= L[c * m + r] * x[r];
}

/* [A G'; G 0] X = [T'; 0], W = T X: six solutions at once, as the numbers of X. */
void sn_component_congruent(const sn_components *p, int component, const double *T, double W[6][8]) {
  assert(sn_component_is_small(p, component));
  const sn_ldl_data *f = p->ldl;
  int first = p->first[component], last = p->last[component], n = 0;
  sn_eight X[16], Y[8], *rows = X, *at[9], *moving = X;
  for (int j = first; j < last; rows += f->size[j++]) {
    at[j - first] = rows;
    assert(rows - X + f->size[j] <= (int)SN_COUNT(X) && f->size[j] <= (int)SN_COUNT(Y));
    for (int r = 0; r < f->size[j]; r++) rows[r] = f->constraint[j] ? (sn_eight){0} : sn_eight_load(T + 8 * r);
    if (!f->constraint[j]) moving = rows, n = f->size[j];
  }
  for (int j = first; j < last; j++)
    for (size_t b = f->column[j]; b < f->column[j + 1]; b++)
      subtract_rows(f->size[f->row[b]], f->size[j], f->L + f->at[b], at[j - first], at[f->row[b] - first]);
  for (int j = last - 1; j >= first; j--) {
    combine(f->size[j], f->size[j], f->D + f->pivot[j], f->size[j], at[j - first], Y);
    for (size_t b = f->column[j]; b < f->column[j + 1]; b++)
      subtract_columns(f->size[f->row[b]], f->size[j], f->L + f->at[b], at[f->row[b] - first], Y);
    for (int r = 0; r < f->size[j]; r++) at[j - first][r] = Y[r];
  }
  assert(n > 0);
  combine(6, n, T, 8, moving, Y);
  memcpy(W, Y, 6 * sizeof *Y);
}
