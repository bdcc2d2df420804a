/* tree_loops.c - joints that close loops of a tree of rigid bodies, mechanism by mechanism.
 *
 * Without the k equations R u = c of these joints the tree moves by u_0. Multiplier j of them alone, of size one, moves
 * it by u_j, with multipliers l_j of the tree. With all of them
 *
 *   u = u_0 + sum_j u_j x_j,   l = l_0 + sum_j l_j x_j,   W x = R u_0 - c,   W_ij = -R_i u_j
 *
 * W is symmetric and positive semidefinite: equations that repeat others (a planar four-bar in space) are linear
 * combinations of them in W too. Cholesky with the largest remaining pivot first, over what it is for bodies
 * without joints, finds them; their multipliers are zero at first. A combination z of rows with W z = 0 moves nothing: z, its multipliers of the tree
 * and those of the normalizations balance each other. Taking such combinations off leaves multipliers of least norm,
 * which are those of the general solver.
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "sparse/linsolve.h"
#include "system/tree.h"

static size_t rows_of(const sn_tree *t, const sn_tree_loop *x) {
  return (size_t)(t->w.row[x->last] - t->w.row[x->first]);
}

/* Answers are found for SN_TWIST multipliers at a time, a panel. */
static int panels(const sn_tree_loop *x) {
  return (x->rows + SN_TWIST - 1) / SN_TWIST;
}

static size_t panel_motion(const sn_tree_loop *x) {
  return 6 * SN_TWIST * (size_t)(x->last - x->first);
}

static size_t panel_rows(const sn_tree *t, const sn_tree_loop *x) {
  return SN_TWIST * rows_of(t, x);
}

static size_t null_size(const sn_tree *t, const sn_tree_loop *x) {
  return rows_of(t, x) + (size_t)x->rows + (size_t)(x->last - x->first);
}

void sn_tree_take_loop(const sn_tree *t, sn_tree_loop *x, sn_arena *arena) {
  const size_t k = (size_t)x->rows;
  x->pivot = SN_NEW(arena, int, k);
  x->W = SN_NEW(arena, double, k *k);
  x->whole = SN_NEW(arena, double, k);
  x->room = SN_NEW(arena, double, 2 * SN_TWIST * (size_t)panels(x));
  x->f = SN_NEW(arena, double, panel_motion(x));
  x->u = SN_NEW(arena, double, (size_t)panels(x) * panel_motion(x));
  x->l = SN_NEW(arena, double, (size_t)panels(x) * panel_rows(t, x) + 1);
  x->null = SN_NEW(arena, double, k *null_size(t, x));
  int *index = x->index = SN_NEW(arena, int, null_size(t, x));
  for (int row = t->w.row[x->first]; row < t->w.row[x->last]; row++) *index++ = t->multiplier[row];
  for (int row = t->w.row[x->slot]; row < t->w.row[x->end]; row++) *index++ = t->multiplier[row];
  for (int i = x->first; i < x->last; i++) *index++ = t->body[i].unit;
}

/* ---- rows of slots ---- */

/* R_i of a row of a slot: its entries on the body, with a stride, and on the other one. */
typedef struct side_rows {
  const double *own, *other;
  int body, parent;
} side_rows;

static side_rows row_at(const sn_tree *t, int slot, int row) {
  return (side_rows){.own = t->w.Z + 6 * SN_TWIST * slot + (row - t->w.row[slot]),
                     .other = t->w.V + SN_TWIST * row,
                     .body = t->body[slot].place,
                     .parent = t->w.parent[slot]};
}

/* y[k] := R u */
static void rows_times(const sn_tree *t, const sn_tree_loop *x, double *y) {
  for (int slot = x->slot; slot < x->end; slot++)
    for (int row = t->w.row[slot]; row < t->w.row[slot + 1]; row++) {
      const side_rows r = row_at(t, slot, row);
      const double *own = t->w.u + SN_TWIST * r.body, *other = t->w.u + SN_TWIST * r.parent;
      double sum = 0;
      for (int j = 0; j < 6; j++) sum += r.own[SN_TWIST * j] * own[j];
      for (int j = 0; r.parent >= 0 && j < 6; j++) sum += r.other[j] * other[j];
      *y++ = sum;
    }
}

/* ---- answers of the tree ---- */

/* Loads -R_j' of the rows of a panel. */
static void load_panel(const sn_tree *t, const sn_tree_loop *x, int panel) {
  int j = -SN_TWIST * panel;
  memset(x->f, 0, panel_motion(x) * sizeof *x->f);
  for (int slot = x->slot; slot < x->end; slot++)
    for (int row = t->w.row[slot]; row < t->w.row[slot + 1]; row++, j++) {
      if (j < 0 || j >= SN_TWIST) continue;
      const side_rows r = row_at(t, slot, row);
      double *own = x->f + 6 * SN_TWIST * (r.body - x->first) + j,
             *other = x->f + 6 * SN_TWIST * (r.parent - x->first) + j;
      for (int i = 0; i < 6; i++) own[SN_TWIST * i] -= r.own[SN_TWIST * i];
      for (int i = 0; r.parent >= 0 && i < 6; i++) other[SN_TWIST * i] -= r.other[i];
    }
}

/* y[SN_TWIST] += c x[SN_TWIST] */
static inline void add_row(double *restrict y, double c, const double *restrict x) {
  for (int j = 0; j < SN_TWIST; j++) y[j] += c * x[j];
}

static inline double dot_row(const double *a, const double *b) {
  double sum = 0;
  for (int j = 0; j < SN_TWIST; j++) sum += a[j] * b[j];
  return sum;
}

/* Columns of W that belong to a panel: -R u. */
static void measure_panel(const sn_tree *t, const sn_tree_loop *x, int panel, const double *u) {
  const int from = SN_TWIST * panel, count = x->rows - from < SN_TWIST ? x->rows - from : SN_TWIST;
  double *W = x->W + from;
  for (int slot = x->slot; slot < x->end; slot++)
    for (int row = t->w.row[slot]; row < t->w.row[slot + 1]; row++, W += x->rows) {
      const side_rows r = row_at(t, slot, row);
      const double *own = u + 6 * SN_TWIST * (r.body - x->first), *other = u + 6 * SN_TWIST * (r.parent - x->first);
      double sum[SN_TWIST] = {0};
      for (int j = 0; j < 6; j++) add_row(sum, -r.own[SN_TWIST * j], own + SN_TWIST * j);
      for (int j = 0; r.parent >= 0 && j < 6; j++) add_row(sum, -r.other[j], other + SN_TWIST * j);
      memcpy(W, sum, (size_t)count * sizeof *W);
    }
}

/* ---- W ---- */

static void swap(const sn_tree_loop *x, int a, int b) {
  const int n = x->rows, keep_pivot = x->pivot[a];
  x->pivot[a] = x->pivot[b], x->pivot[b] = keep_pivot;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n; i++) {
      double *one = pass ? &x->W[i * n + a] : &x->W[a * n + i], *two = pass ? &x->W[i * n + b] : &x->W[b * n + i];
      const double old = *one;
      *one = *two, *two = old;
    }
}

/* W = L L' in place, in the order of the pivots, as long as one is more than `least` of what it is for bodies
 * without joints. */
static void factor(sn_tree_loop *x, double least) {
  const int n = x->rows;
  double *W = x->W;
  for (int i = 0; i < n; i++) x->pivot[i] = i;
  for (x->rank = 0; x->rank < n; x->rank++) {
    const int k = x->rank;
    int best = k;
    double most = -1;
    for (int i = k; i < n; i++) {
      const double share = W[i * n + i] / x->whole[x->pivot[i]];
      if (share > most) most = share, best = i;
    }
    if (!(most > least)) return;
    if (best != k) swap(x, k, best);
    W[k * n + k] = sqrt(W[k * n + k]);
    for (int i = k + 1; i < n; i++) W[i * n + k] /= W[k * n + k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) W[i * n + j] -= W[i * n + k] * W[j * n + k];
  }
}

/* y := L^-T y of the first `rank` rows */
static void solve_upper(const sn_tree_loop *x, double *y) {
  for (int i = x->rank - 1; i >= 0; i--) {
    for (int j = i + 1; j < x->rank; j++) y[i] -= x->W[j * x->rows + i] * y[j];
    y[i] /= x->W[i * x->rows + i];
  }
}

/* y[k] := W^-1 y, zero for equations that repeat others */
static void solve(const sn_tree_loop *x, double *y, double *z) {
  const int n = x->rows;
  for (int i = 0; i < x->rank; i++) {
    z[i] = y[x->pivot[i]];
    for (int j = 0; j < i; j++) z[i] -= x->W[i * n + j] * z[j];
    z[i] /= x->W[i * n + i];
  }
  solve_upper(x, z);
  for (int i = 0; i < n; i++) y[x->pivot[i]] = i < x->rank ? z[i] : 0;
}

/* ---- multipliers that balance each other ---- */

/* In the norm of multipliers. */
static double dot(const sn_tree *t, const sn_tree_loop *x, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < null_size(t, x); i++) sum += a[i] * b[i] * t->weight[x->index[i]];
  return sum;
}

static void add(double *y, double c, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) y[i] += c * x[i];
}

/* What the multipliers of rows first .. last - 1 of bodies or slots leave along p: -sum l (row along p). */
static void pull(const sn_tree *t, int first, int last, const double *l, int unit_first, double *unit) {
  for (int i = first; i < last; i++) {
    const int own = i < t->w.bodies ? i : t->body[i].place, parent = t->w.parent[i];
    for (int row = t->w.row[i]; row < t->w.row[i + 1]; row++, l++) {
      unit[own - unit_first] -= *l * t->own_pull[row];
      if (parent >= 0) unit[parent - unit_first] -= *l * t->up_pull[row];
    }
  }
}

static void find_null(const sn_tree *t, const sn_tree_loop *x, int d) {
  const size_t rows = rows_of(t, x), size = null_size(t, x), k = (size_t)x->rows;
  double *N = x->null + (size_t)(d - x->rank) * size, *z = N + rows, *unit = z + k, *y = x->room;
  memset(N, 0, size * sizeof *N);
  for (int i = 0; i < x->rank; i++) y[i] = x->W[d * x->rows + i];
  solve_upper(x, y);
  z[x->pivot[d]] = 1;
  for (int i = 0; i < x->rank; i++) z[x->pivot[i]] = -y[i];
  double *share = y + SN_TWIST * panels(x); /* z, and zeros to the end of the panel */
  memset(share, 0, SN_TWIST * (size_t)panels(x) * sizeof *share);
  memcpy(share, z, k * sizeof *share);
  for (int p = 0; p < panels(x); p++) {
    const double *l = x->l + (size_t)p * panel_rows(t, x);
    for (size_t i = 0; i < rows; i++) N[i] += dot_row(l + SN_TWIST * i, share + SN_TWIST * p);
  }
  pull(t, x->first, x->last, N, x->first, unit);
  pull(t, x->slot, x->end, z, x->first, unit);
  for (int i = x->first; i < x->last; i++) unit[i - x->first] /= 2 * t->motion[i].pp;
  for (int pass = 0; pass < 2; pass++)
    for (const double *other = x->null; other < N; other += size) add(N, -dot(t, x, N, other), other, size);
  const double length = sqrt(dot(t, x, N, N));
  for (size_t i = 0; i < size; i++) N[i] /= length;
}

/* ---- what the tree uses ---- */

void sn_tree_measure_loop(const sn_tree *t, const sn_tree_loop *x) {
  double *whole = x->whole;
  for (int slot = x->slot; slot < x->end; slot++)
    for (int row = t->w.row[slot]; row < t->w.row[slot + 1]; row++) {
      const side_rows r = row_at(t, slot, row);
      const double *own = t->w.Y + 6 * SN_TWIST * r.body, *other = t->w.Y + 6 * SN_TWIST * r.parent;
      double sum = 0;
      for (int j = 0; j < 6; j++) sum += r.own[SN_TWIST * j] * r.own[SN_TWIST * j] / own[(SN_TWIST + 1) * j];
      for (int j = 0; r.parent >= 0 && j < 6; j++) sum += r.other[j] * r.other[j] / other[(SN_TWIST + 1) * j];
      *whole++ = sum;
    }
}

bool sn_tree_factor_loop(const sn_tree *t, sn_tree_loop *x, bool redundant) {
  const double rounding = 1e-13;
  const int n = x->rows;
  for (int p = 0; p < panels(x); p++) {
    double *u = x->u + (size_t)p * panel_motion(x), *l = x->l + (size_t)p * panel_rows(t, x);
    load_panel(t, x, p);
    sn_articulated_answers(&t->w, x->first, x->last, x->f, u, l);
    measure_panel(t, x, p, u);
  }
  for (int i = 0; i < n; i++) /* symmetric but for rounding */
    for (int k = 0; k < i; k++) x->W[i * n + k] = x->W[k * n + i] = (x->W[i * n + k] + x->W[k * n + i]) / 2;
  factor(x, redundant ? SN_REDUNDANT : rounding);
  if (x->rank < n && !redundant) return false;
  for (int d = x->rank; d < n; d++) find_null(t, x, d);
  return true;
}

void sn_tree_close_loop(const sn_tree *t, const sn_tree_loop *x) {
  const int start = t->w.row[x->slot], bodies = x->last - x->first, rows = (int)rows_of(t, x);
  double *u = t->w.u + SN_TWIST * x->first, *l = t->w.l + t->w.row[x->first], *closing = t->w.l + start;
  double *y = x->room, *z = y + SN_TWIST * panels(x);
  memset(closing, 0, (size_t)x->rows * sizeof *closing);
  memset(y, 0, SN_TWIST * (size_t)panels(x) * sizeof *y);
  for (int pass = 0; pass < 2; pass++) { /* the second one takes off what rounding left */
    rows_times(t, x, y);
    for (int i = 0; i < x->rows; i++) y[i] -= t->w.c[start + i];
    solve(x, y, z);
    for (int j = 0; j < x->rows; j++) closing[j] += y[j];
    for (int p = 0; p < panels(x); p++) {
      const double *up = x->u + (size_t)p * panel_motion(x), *lp = x->l + (size_t)p * panel_rows(t, x),
                   *yp = y + SN_TWIST * p;
      for (int i = 0; i < bodies; i++)
        for (int k = 0; k < 6; k++) u[SN_TWIST * i + k] += dot_row(up + SN_TWIST * (6 * i + k), yp);
      for (int i = 0; i < rows; i++) l[i] += dot_row(lp + SN_TWIST * i, yp);
    }
  }
}

void sn_tree_balance_loop(const sn_tree *t, const sn_tree_loop *x, double *l) {
  const size_t size = null_size(t, x);
  for (int d = 0; d < x->rows - x->rank; d++) {
    const double *N = x->null + (size_t)d * size;
    double sum = 0;
    for (size_t i = 0; i < size; i++) sum += N[i] * t->weight[x->index[i]] * l[x->index[i]];
    for (size_t i = 0; i < size; i++) l[x->index[i]] -= sum * N[i];
  }
}
