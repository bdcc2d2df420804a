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
 * Parts (ldl_parts.c) are eliminated at the same time. What a part contributes to A_ik behind it is collected in U, and
 * added part by part, in their order; then the top is eliminated.
 *
 * A piece of a chain has two boundaries. Its columns are eliminated from one to the other, and the fill A_sj couples
 * each with the boundary s behind. In the matrix of a step of dynamics, which the mass dominates, A_sj decays from column
 * to column as a wave does that has no time to travel. Once it is below 1e-30 of what it was it is no longer stored: a
 * change of A by far less than its rounding. `live` is the end of what remains of a column; blocks behind it are zero.
 * A column that no column before it has changed there, and the matrix neither, is not even looked at, and there is no
 * room for it: `reached`.
 * Where stiffness dominates it does not decay, and cuts cost more than one thread is worth: sn_ldl_cuts_pay.
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
/* Trees: by so much a diagonal entry of coordinates may grow for each group behind it. A body carries the inertia of the
 * bodies behind it; more comes from constraints that move a child little and its parent much, and costs digits. */
static const double overgrown = 100;
/* Sum of the entries of a block of fill with a boundary, relative to the largest before: they have decayed. */
static const double vanished = 1e-30;

/* ---- load ---- */

static void copy_transposed(int rows, int columns, const double *restrict A, double *restrict T) {
  for (int c = 0; c < columns; c++) {
    for (int r = 0; r < rows; r++) T[r * columns + c] = A[c * rows + r];
  }
}

static void load_group(sn_ldl_data *f, const sn_matrix *matrix, int j) {
  int b = matrix->column[j], n = matrix->size[j];
  const double *A = matrix->value + matrix->lower[b];
  memcpy(f->D + f->target[b], A, (size_t)(n * n) * sizeof(double));
  for (int r = 0; r < n; r++) f->scale[matrix->first[j] + r] = fabs(A[r * n + r]);
  for (int r = 0; f->given && r < n; r++) f->given[matrix->first[j] + r] = fabs(A[r * n + r]);
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

static void zero_block(sn_ldl_data *f, size_t b) {
  memset(f->L + f->at[b], 0, (f->place[b + 1] - f->place[b]) * sizeof(double));
}

/* What the groups of a part have in their columns of the matrix goes to columns of the part. */
static void load_part(sn_ldl_data *f, const sn_matrix *matrix, const sn_ldl_part *p) {
  for (size_t e = p->fill; e < p->fill_end; e++) zero_block(f, f->fill[e]);
  for (int j = p->first; j < p->last; j++) load_group(f, matrix, f->order[j]);
}

/* Before the parts: what couples with them may be in columns of their groups or in those of the top. */
static void load_top(sn_ldl_data *f, const sn_matrix *matrix) {
  for (size_t e = f->top_fill; e < f->fills; e++) zero_block(f, f->fill[e]);
  for (int k = 0; k < f->tops; k++) load_group(f, matrix, f->order[f->top[k]]);
}

void sn_ldl_load(sn_ldl_data *f, const sn_matrix *matrix) {
  assert(matrix->groups == f->groups && matrix->rows == f->rows);
  load_top(f, matrix);
  for (int k = 0; k < f->parts; k++) load_part(f, matrix, &f->part[k]);
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

/* Room for one column at a time: `half` is the length of half a panel. */
typedef struct room {
  double *panel, *small;
  size_t half;
} room;

static bool has_overgrown(const sn_ldl_data *f, int j) {
  if (!f->given || f->constraint[j]) return false;
  const double *scale = f->scale + f->first[j], *given = f->given + f->first[j];
  const double most = overgrown * (j - f->youngest[j] + 1);
  bool more = false;
  for (int r = 0; r < f->size[j]; r++) more |= !(scale[r] <= most * given[r]);
  return more;
}

static bool eliminate(sn_ldl_data *f, int j, const room *w, const double **X, const double **Y) {
  assert(j >= 0 && j < f->groups);
  if (has_overgrown(f, j)) return false;
  int n = f->size[j];
  double *D = f->D + f->pivot[j], *V = w->small, sign = f->constraint[j] ? -1.0 : 1.0;
  const double *scale = f->scale + f->first[j];
  size_t start = f->place[f->column[j]];
  bool definite = block_invert(n, sign, f->early[j] ? too_early : singular, scale, D, V, V + n * n);
  if (!definite && f->early[j]) return false;
  if (!definite && !invert_indefinite(n, scale, D, w->small)) return false;
  for (size_t b = f->column[j]; b < f->live[j]; b++) {
    int m = f->size[f->row[b]], values = m * n;
    double *L = f->L + f->at[b], *P = w->panel + (f->place[b] - start), *S = P + w->half;
    if (!definite) {
      memcpy(P, L, (size_t)values * sizeof *P);
      block_times(m, n, L, P, D);
      memcpy(S, L, (size_t)values * sizeof *S);
      continue;
    }
    block_times_upper(m, n, P, L, V);
    block_times_upper_transposed(m, n, L, P, V);
    if (sign > 0.0) continue;
    for (int k = 0; k < values; k++) L[k] = -L[k];
    for (int k = 0; k < values; k++) S[k] = -P[k];
  }
  *Y = w->panel;
  *X = definite && sign > 0.0 ? w->panel : w->panel + w->half;
  return true;
}

bool sn_ldl_eliminate(sn_ldl_data *f, int j, const double **X, const double **Y) {
  const room w = {f->panel, f->small, f->panel_values};
  return eliminate(f, j, &w, X, Y);
}

static void note_scale(const sn_ldl_data *f, int k) {
  const double *D = f->D + f->pivot[k];
  double *scale = f->scale + f->first[k];
  int size = f->size[k];
  for (int r = 0; r < size; r++) scale[r] = fmax(scale[r], fabs(D[r * size + r]));
}

/* A_ik -= X_i Y_k' for the columns k < last; returns the first block of column j that is not one of them.
 * struct(j) behind k is part of struct(k), so that the blocks (i, k) are found by walking along both lists: cheap
 * beside the products, and nothing to store for each pair. */
static size_t update(sn_ldl_data *f, int j, int last, const double *X, const double *Y) {
  size_t start = f->place[f->column[j]], end = f->live[j], c = f->column[j];
  int n = f->size[j];
  for (; c < end && f->row[c] < last; c++) {
    int k = f->row[c], size = f->size[k];
    const double *Y_k = Y + (f->place[c] - start);
    block_update(size, size, n, f->D + f->pivot[k], X + (f->place[c] - start), Y_k);
    note_scale(f, k);
    size_t t = f->column[k];
    for (size_t b = c + 1; b < end; b++, t++) {
      int i = f->row[b];
      while (f->row[t] != i) t++;
      assert(t < f->column[k + 1]); /* the structure of k holds that of j */
      block_update(f->size[i], size, n, f->L + f->at[t], X + (f->place[b] - start), Y_k);
    }
  }
  return c;
}

void sn_ldl_update(sn_ldl_data *f, int j, const double *X, const double *Y) {
  update(f, j, f->groups, X, Y);
}

/* ---- parts ---- */

/* Blocks (i, k) of the contribution of a part, i and k counted along its boundary. */
static size_t place_in_U(const sn_ldl_part *p, int i, int k, size_t column) {
  return column + (size_t)(p->place[i] - p->place[k]) * (size_t)(p->place[k + 1] - p->place[k]);
}
static size_t next_column(const sn_ldl_part *p, int k, size_t column) {
  return column + (size_t)(p->place[p->boundary] - p->place[k]) * (size_t)(p->place[k + 1] - p->place[k]);
}

/* U_ik -= X_i Y_k' for the blocks of column j from c on. */
static void contribute(const sn_ldl_data *f, const sn_ldl_part *p, int j, size_t c, const double *X, const double *Y) {
  size_t start = f->place[f->column[j]], column = 0;
  int n = f->size[j];
  for (int k = 0; c < f->live[j]; c++, column = next_column(p, k, column), k++) {
    for (; p->row[k] != f->row[c]; k++) column = next_column(p, k, column);
    int i = k;
    for (size_t b = c; b < f->live[j]; b++, i++) {
      while (p->row[i] != f->row[b]) i++;
      assert(i < p->boundary); /* the structure of the root holds that of j */
      block_update(f->size[p->row[i]], f->size[p->row[k]], n, p->U + place_in_U(p, i, k, column),
                   X + (f->place[b] - start), Y + (f->place[c] - start));
    }
  }
}

/* End of the blocks of column j that are not with the boundary. */
static size_t end_within(const sn_ldl_data *f, const sn_ldl_part *p, int j) {
  size_t end = f->column[j + 1];
  while (end > f->column[j] && f->row[end - 1] >= p->last) end--;
  return end;
}

/* Column j has numbers with the boundary: room for them. False: there is no more. */
static bool reach(sn_ldl_data *f, sn_ldl_part *p, int j) {
  if (f->reached[j]) return true;
  f->reached[j] = true;
  for (size_t b = end_within(f, p, j); b < f->column[j + 1]; b++) {
    if (f->at[b] < f->near) continue; /* of the matrix */
    const size_t values = f->place[b + 1] - f->place[b];
    if (values > p->far_end - p->far_next) return false;
    f->at[b] = p->far_next;
    p->far_next += values;
    zero_block(f, b);
  }
  return true;
}

/* The same for the columns that column j changes: where it has numbers with the boundary, they will. */
static bool reach_others(sn_ldl_data *f, sn_ldl_part *p, int j, size_t within) {
  size_t b = f->column[j];
  while (b < within && reach(f, p, f->row[b])) b++;
  return b == within;
}

/* End of the blocks of column j that have not vanished: fill with the boundary, from the last block back.
 * False: there is no room for what it changes. */
static bool find_live(sn_ldl_data *f, sn_ldl_part *p, int j) {
  const size_t within = end_within(f, p, j);
  size_t end = within;
  if (f->reached[j]) {
    bool vanishing = true;
    end = f->column[j + 1];
    for (int i = p->boundary - 1; end > within; end--) {
      while (p->row[i] != f->row[end - 1]) i--;
      double *A = f->L + f->at[end - 1], sum = 0.0;
      size_t values = f->place[end] - f->place[end - 1];
      for (size_t k = 0; k < values; k++) sum += fabs(A[k]);
      vanishing = vanishing && sum <= vanished * p->reach[i]; /* not there yet: 0 <= 0; NaN does not vanish */
      p->reach[i] = fmax(p->reach[i], sum);
      if (!vanishing) break;
      if (sum > 0.0) memset(A, 0, values * sizeof *A);
    }
    f->reached[j] = false;
  }
  f->live[j] = end;
  p->live += (int)(end - within);
  return end == within || reach_others(f, p, j, within);
}

/* A factorization that ends here leaves columns behind it as they are. */
static void give_up(sn_ldl_data *f, sn_ldl_part *p, int j) {
  p->broken = j;
  for (int k = j; k < p->last; k++) f->live[k] = p->boundary ? end_within(f, p, k) : f->column[k + 1];
  if (p->boundary) memset(f->reached + j, 0, (size_t)(p->last - j) * sizeof *f->reached);
}

static void factorize_part(sn_ldl_data *f, sn_ldl_part *p) {
  const double *X, *Y;
  const room w = {p->panel, p->small, p->panel_half};
  size_t values = 0;
  for (int k = 0; k < p->boundary; k++) values = next_column(p, k, values);
  memset(p->U, 0, values * sizeof *p->U);
  memset(p->reach, 0, (size_t)p->boundary * sizeof *p->reach);
  p->far_next = p->far;
  p->full = false;
  for (int k = 0; k < p->givens; k++) p->full |= !reach(f, p, p->given[k]);
  p->broken = -1;
  p->live = 0;
  for (int j = p->first; j < p->last; j++) {
    if (p->boundary) p->full |= !find_live(f, p, j);
    if (p->full || !eliminate(f, j, &w, &X, &Y)) {
      give_up(f, p, j);
      return;
    }
    size_t outside = update(f, j, p->last, X, Y);
    if (outside < f->live[j]) contribute(f, p, j, outside, X, Y);
  }
  sn_ldl_find_links(f, p->first, p->last);
}

/* A_ik += U_ik */
static void add_contribution(sn_ldl_data *f, const sn_ldl_part *p) {
  size_t column = 0;
  for (int c = 0; c < p->boundary; column = next_column(p, c, column), c++) {
    int k = p->row[c];
    size_t t = f->column[k];
    for (int r = c; r < p->boundary; r++) {
      const double *U = p->U + place_in_U(p, r, c, column);
      while (r > c && f->row[t] != p->row[r]) t++;
      double *A = r == c ? f->D + f->pivot[k] : f->L + f->at[t];
      for (int e = 0; e < f->size[p->row[r]] * f->size[k]; e++) A[e] += U[e];
    }
    note_scale(f, k);
  }
}

/* ---- all of it ---- */

typedef struct shared_work {
  sn_ldl_data *f;
  const sn_matrix *matrix;
  double *b;
} shared_work;

static void run(sn_threads *threads, int count, sn_task task, void *work) {
  if (threads) sn_threads_run(threads, count, task, work);
  for (int k = 0; !threads && k < count; k++) task(work, k);
}

static void factorize_task(void *work, int k) {
  const shared_work *w = work;
  load_part(w->f, w->matrix, &w->f->part[k]);
  factorize_part(w->f, &w->f->part[k]);
}

bool sn_ldl_factorize(sn_ldl_data *f, const sn_matrix *matrix, sn_threads *threads, int *group) {
  assert(matrix->groups == f->groups && matrix->rows == f->rows);
  const double *X, *Y;
  shared_work w = {.f = f, .matrix = matrix};
  load_top(f, matrix);
  run(threads, f->parts, factorize_task, &w);
  int broken = -1;
  for (int k = 0; k < f->parts && broken < 0; k++) {
    broken = f->part[k].broken;
    if (broken < 0) add_contribution(f, &f->part[k]);
  }
  for (int k = 0; k < f->tops && broken < 0; k++) {
    if (!sn_ldl_eliminate(f, f->top[k], &X, &Y)) broken = f->top[k];
    if (broken < 0) sn_ldl_update(f, f->top[k], X, Y);
  }
  if (broken >= 0) *group = f->order[broken];
  return broken < 0;
}

bool sn_ldl_cuts_pay(const sn_ldl_data *f) {
  const double most = 0.25; /* of the blocks of L */
  double live = 0;
  bool full = false;
  for (int k = 0; k < f->parts; k++) live += f->part[k].live, full |= f->part[k].full;
  return !f->cut || (!full && live <= most * (double)f->groups);
}

/* ---- solve ---- */

/* Blocks of columns lie one behind the other: of factors that no cache holds, what a later column needs is on its way
 * while this one is solved with. */
enum { AHEAD = 8, CACHED = 1 << 16 };

SN_INLINE void fetch(bool large, const double *block, int values, int ahead) {
  if (!large) return;
  const char *from = (const char *)(block + ahead * values);
  for (int k = 0; k < values * 8; k += 64) __builtin_prefetch(from + k);
}
/* y_i -= L_ij y_j for the columns first .. last - 1; rows of the boundary of part p (NULL: none) are collected in it. */
static void forward(const sn_ldl_data *f, int first, int last, const sn_ldl_part *p, double *b) {
  const int end = p && p->boundary ? p->last : f->groups;
  const bool large = f->values > CACHED;
  for (int j = first; j < last; j++) {
    if (f->link && j + 2 < last && f->link[j]) {
      j = sn_ldl_forward_links(f, j, last, b) - 1;
      continue;
    }
    const double *y_j = b + f->first[j];
    const int n = f->size[j];
    for (size_t k = f->column[j]; k < f->live[j]; k++) {
      const int i = f->row[k];
      double *y_i = b + f->first[i];
      if (i >= end && p) {
        int at = 0;
        while (p->row[at] != i) at++;
        y_i = p->y + p->place[at];
      }
      const double *L = f->L + f->at[k];
      fetch(large, L, f->size[i] * n, AHEAD);
      block_forward(f->size[i], n, L, y_j, y_i);
    }
  }
}

/* x_j = D_j^-1 y_j - L_ij' x_i for the same columns, the last one first. */
static void backward(const sn_ldl_data *f, int first, int last, double *b, double *work) {
  const bool large = f->values > CACHED;
  for (int j = last - 1; j >= first; j--) {
    if (f->link && j - 2 >= first && f->link[j - 2]) {
      j = sn_ldl_backward_links(f, first, j, b) + 1;
      continue;
    }
    double *x_j = b + f->first[j];
    const int n = f->size[j];
    const double *D = f->D + f->pivot[j];
    fetch(large, D, n * n, -AHEAD);
    block_apply(n, D, x_j, work + f->first[j]);
    for (size_t k = f->column[j]; k < f->live[j]; k++) {
      const double *L = f->L + f->at[k];
      fetch(large, L, f->size[f->row[k]] * n, -AHEAD);
      block_backward(f->size[f->row[k]], n, L, b + f->first[f->row[k]], x_j);
    }
  }
}

void sn_ldl_solve_range(const sn_ldl_data *f, int first, int last, double *b, double *work) {
  assert(first >= 0 && first <= last && last <= f->groups);
  forward(f, first, last, NULL, b);
  backward(f, first, last, b, work);
}

static void forward_task(void *work, int k) {
  const shared_work *w = work;
  const sn_ldl_part *p = &w->f->part[k];
  memset(p->y, 0, (size_t)p->place[p->boundary] * sizeof *p->y);
  forward(w->f, p->first, p->last, p, w->b);
}
static void backward_task(void *work, int k) {
  const shared_work *w = work;
  backward(w->f, w->f->part[k].first, w->f->part[k].last, w->b, w->f->work);
}
static void solve_task(void *work, int k) {
  const shared_work *w = work;
  sn_ldl_solve_range(w->f, w->f->part[k].first, w->f->part[k].last, w->b, w->f->work);
}

void sn_ldl_solve(const sn_ldl_data *f, sn_threads *threads, double *b) {
  shared_work w = {.f = (sn_ldl_data *)f, .b = b}; /* only its work vector changes */
  if (f->tops == 0) {
    run(threads, f->parts, solve_task, &w);
    return;
  }
  run(threads, f->parts, forward_task, &w);
  for (int k = 0; k < f->parts; k++) {
    const sn_ldl_part *p = &f->part[k];
    for (int i = 0; i < p->boundary; i++)
      for (int r = p->place[i]; r < p->place[i + 1]; r++) b[f->first[p->row[i]] + r - p->place[i]] += p->y[r];
  }
  for (int k = 0; k < f->tops; k++) forward(f, f->top[k], f->top[k] + 1, NULL, b);
  for (int k = f->tops - 1; k >= 0; k--) backward(f, f->top[k], f->top[k] + 1, b, f->work);
  run(threads, f->parts, backward_task, &w);
}
