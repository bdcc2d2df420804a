/* ldl_rank.c - redundant constraints, by the native factorization.
 *
 * With A = [W G'; G 0] and W positive definite, the pivot block of constraint group c is -S, S being the part of
 * G W^-1 G' that the constraints eliminated before c do not explain. An equation r of c is redundant when
 * its pivot of S falls below a part of own_r = g_r W^-1 g_r', which is what it was before any other constraint came in.
 *
 * Redundant equations R of a group are decoupled by a unit pivot and the elimination goes on with the others, I. The
 * equations that say the same follow from the null vector [u; l] of the matrix eliminated so far: W u + G' l = 0 and
 * G u = 0 give u = 0 and G' l = 0, so only multipliers take part:
 *
 *     l_R = 1,  l_I = -S_II^-1 S_IR,  l_k = -sum over i of L_ik' l_i  for the constraint groups k before c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sparse/ldl.h"
#include "sparse/linsolve.h"

static const double member_above = 1e-6;  /* component / largest component, both times sqrt(own) */
static const double ignore_below = 1e-12; /* the same, for following a component further */

typedef struct rank_work {
  double redundant_below; /* pivot / own */
  sn_ldl_data *f;
  double *own;      /* [rows] g W^-1 g', numbering of the matrix */
  double *l;        /* [rows] multipliers of the null vector, zero between uses */
  bool *active;     /* [groups] position has a component worth following */
  double *involved; /* [groups] largest scaled component of a position over the equations of one group */
  double *S;        /* [largest^2] pivot block scaled by own; then S_IR */
  int *redundant;   /* [largest] redundant equations of the group at hand */
  int count;
} rank_work;

/* ---- own compliance of the equations ---- */

/* own_i += diag(X_i Y_i') for the constraint rows of coordinate column j: W^-1 grows by what j contributes. */
static void add_own(rank_work *w, int j, const double *X, const double *Y) {
  const sn_ldl_data *f = w->f;
  size_t start = f->at[f->column[j]];
  for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
    int i = f->row[b], m = f->size[i];
    if (!f->constraint[i]) continue;
    const double *X_i = X + (f->at[b] - start), *Y_i = Y + (f->at[b] - start);
    for (int r = 0; r < m; r++) {
      double sum = 0.0;
      for (int k = 0; k < f->size[j]; k++) sum += X_i[k * m + r] * Y_i[k * m + r];
      w->own[f->first[i] + r] += fabs(sum);
    }
  }
}

/* ---- one constraint group ---- */

/* Cholesky with diagonal pivoting of S scaled to a unit own diagonal; what is left over is redundant. */
static void find_redundant(rank_work *w, int j) {
  assert(w->f->constraint[j]);
  const sn_ldl_data *f = w->f;
  int n = f->size[j];
  const double *D = f->D + f->pivot[j], *own = w->own + f->first[j];
  double *S = w->S;
  for (int c = 0; c < n; c++) {
    for (int r = 0; r < n; r++) {
      double scale = sqrt(own[r] * own[c]);
      S[c * n + r] = scale > 0.0 ? -D[c > r ? r * n + c : c * n + r] / scale : 0.0; /* the lower triangle of D */
    }
  }
  w->count = n;
  for (int r = 0; r < n; r++) w->redundant[r] = r;
  while (w->count > 0) {
    int best = 0;
    for (int k = 1; k < w->count; k++) {
      int r = w->redundant[k], p = w->redundant[best];
      if (S[r * n + r] > S[p * n + p]) best = k;
    }
    int p = w->redundant[best];
    if (!(S[p * n + p] > w->redundant_below)) break;
    for (int k = best; k + 1 < w->count; k++) w->redundant[k] = w->redundant[k + 1]; /* keeps their order */
    w->count--;
    for (int a = 0; a < w->count; a++) {
      int c = w->redundant[a];
      double factor = S[c * n + p] / S[p * n + p];
      for (int b = 0; b < w->count; b++) S[c * n + w->redundant[b]] -= factor * S[p * n + w->redundant[b]];
    }
  }
}

/* Unit pivots for the redundant equations, and nothing below them. Column k of S receives S_IR of redundant[k]. */
static void decouple(rank_work *w, int j) {
  assert(w->count > 0 && w->count <= w->f->size[j]);
  sn_ldl_data *f = w->f;
  int n = f->size[j];
  double *D = f->D + f->pivot[j];
  for (int k = 0; k < w->count; k++) {
    int c = w->redundant[k];
    for (int r = 0; r < n; r++) w->S[k * n + r] = -D[c > r ? r * n + c : c * n + r];
  }
  for (int k = 0; k < w->count; k++) {
    int c = w->redundant[k];
    for (int a = 0; a < w->count; a++) w->S[a * n + c] = 0.0;
    for (int r = 0; r < n; r++) D[c * n + r] = D[r * n + c] = 0.0;
    D[c * n + c] = -1.0;
    f->scale[f->first[j] + c] = 1.0;
    for (size_t b = f->column[j]; b < f->column[j + 1]; b++) {
      int m = f->size[f->row[b]];
      memset(f->L + f->at[b] + (size_t)c * (size_t)m, 0, (size_t)m * sizeof(double));
    }
  }
}

/* Largest scaled component of position k. */
static double component(const rank_work *w, int k) {
  double largest = 0.0;
  for (int r = w->f->first[k]; r < w->f->first[k] + w->f->size[k]; r++) {
    largest = fmax(largest, fabs(w->l[r]) * sqrt(w->own[r]));
  }
  return largest;
}

/* The null vector belonging to redundant[which] of group j, backward through its subtree. */
static void null_vector(rank_work *w, int j, int which) {
  assert(which >= 0 && which < w->count);
  const sn_ldl_data *f = w->f;
  int n = f->size[j], first = f->first[j];
  const double *inverse = f->D + f->pivot[j]; /* -S_II^-1, beside the unit pivots */
  for (int r = 0; r < n; r++) {
    w->l[first + r] = r == w->redundant[which];
    for (int k = 0; k < n; k++) w->l[first + r] += inverse[k * n + r] * w->S[which * n + k];
  }
  double largest = component(w, j);
  w->active[j] = true;
  w->involved[j] = 1.0;
  for (int k = j - 1; k >= f->youngest[j]; k--) {
    if (!f->constraint[k]) continue;
    bool met = false;
    double *l_k = w->l + f->first[k];
    for (size_t b = f->column[k]; b < f->column[k + 1] && f->row[b] <= j; b++) {
      int i = f->row[b], m = f->size[i];
      if (!w->active[i]) continue;
      const double *L = f->L + f->at[b], *l_i = w->l + f->first[i];
      for (int c = 0; c < f->size[k]; c++) {
        for (int r = 0; r < m; r++) l_k[c] -= L[c * m + r] * l_i[r];
      }
      met = true;
    }
    double size = met ? component(w, k) : 0.0;
    largest = fmax(largest, size);
    w->active[k] = size > ignore_below * largest;
  }
  for (int k = f->youngest[j]; k <= j; k++) {
    if (!f->constraint[k]) continue;
    if (w->active[k] && largest > 0.0) w->involved[k] = fmax(w->involved[k], component(w, k) / largest);
    memset(w->l + f->first[k], 0, (size_t)f->size[k] * sizeof(double));
    w->active[k] = false;
  }
}

/* ---- report ---- */

typedef struct member {
  double involved;
  int group;
} member;

static int compare_members(const void *a, const void *b) {
  const member *x = a, *y = b;
  if (x->involved != y->involved) return x->involved < y->involved ? 1 : -1;
  return (x->group > y->group) - (x->group < y->group);
}

static void report(rank_work *w, int j, member *members, sn_arena *arena, sn_dependency *dependency) {
  const sn_ldl_data *f = w->f;
  int count = 0;
  for (int k = f->youngest[j]; k <= j; k++) {
    if (k < j && w->involved[k] > member_above) members[count++] = (member){w->involved[k], f->order[k]};
    w->involved[k] = 0.0;
  }
  qsort(members, (size_t)count, sizeof *members, compare_members);
  int *groups = SN_NEW(arena, int, count + 1);
  for (int k = 0; k < count; k++) groups[k] = members[k].group;
  *dependency = (sn_dependency){.group = f->order[j], .count = w->count, .member_count = count, .members = groups};
}

/* W should be definite. Where it is not, the row is taken as free of coupling, which the rank does not mind. False: its
 * numbers are not finite. */
static bool eliminate(rank_work *w, int j, const double **X, const double **Y) {
  sn_ldl_data *f = w->f;
  if (sn_ldl_eliminate(f, j, X, Y)) return true;
  int n = f->size[j];
  double *D = f->D + f->pivot[j], *scale = f->scale + f->first[j];
  memset(D, 0, (size_t)(n * n) * sizeof *D);
  for (int r = 0; r < n; r++) {
    if (!(scale[r] > 0.0)) scale[r] = 1.0;
    D[r * n + r] = f->constraint[j] ? -scale[r] : scale[r];
  }
  return sn_ldl_eliminate(f, j, X, Y);
}

static rank_work *prepare(sn_ldl_data *f, const sn_matrix *matrix) {
  int largest = 1;
  for (int j = 0; j < f->groups; j++) largest = f->size[j] > largest ? f->size[j] : largest;
  rank_work *w = SN_NEW(&f->arena, rank_work, 1);
  w->f = f;
  w->own = SN_NEW(&f->arena, double, f->rows + 1);
  w->l = SN_NEW(&f->arena, double, f->rows + 1);
  w->active = SN_NEW(&f->arena, bool, f->groups + 1);
  w->involved = SN_NEW(&f->arena, double, f->groups + 1);
  w->S = SN_NEW(&f->arena, double, largest *largest);
  w->redundant = SN_NEW(&f->arena, int, largest);
  sn_ldl_load(f, matrix);
  memcpy(w->own, f->scale, (size_t)f->rows * sizeof *w->own); /* a compliance of the constraint, if it has one */
  return w;
}

int sn_ldl_rank(const sn_matrix *matrix, double below, sn_arena *arena, sn_dependency **dependencies) {
  assert(matrix && arena && dependencies);
  sn_ldl_data *f = sn_ldl_analyze(matrix, SN_LDL_SAFE, SN_LDL_WHOLE);
  *dependencies = NULL;
  if (!f) return 0;
  rank_work *w = prepare(f, matrix);
  w->redundant_below = below;
  sn_dependency *found = SN_NEW(&f->arena, sn_dependency, f->groups + 1);
  member *members = SN_NEW(&f->arena, member, f->groups + 1);
  int count = 0, broken = -1;
  for (int j = 0; j < f->groups && broken < 0; j++) {
    const double *X = NULL, *Y = NULL;
    w->count = 0;
    if (f->constraint[j]) find_redundant(w, j);
    if (w->count) decouple(w, j);
    if (!eliminate(w, j, &X, &Y)) {
      broken = f->order[j];
      break;
    }
    for (int k = 0; k < w->count; k++) null_vector(w, j, k);
    if (w->count) report(w, j, members, arena, &found[count++]);
    if (!f->constraint[j]) add_own(w, j, X, Y);
    sn_ldl_update(f, j, X, Y);
  }
  *dependencies = SN_NEW(arena, sn_dependency, count + 1);
  memcpy(*dependencies, found, (size_t)count * sizeof *found);
  sn_ldl_free(f);
  return broken < 0 ? count : -1 - broken;
}
