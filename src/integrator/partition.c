/* partition.c - see partition.h. */
#include "integrator/partition.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-9; /* pivots below this are rounding: the equation repeats others */
enum { MOST_DENSE = 4000000 };      /* entries of G, full */

bool sn_partition_create(sn_partition *p, sn_system *s) {
  *p = (sn_partition){.system = s};
  sn_arena *arena = &s->arena;
  size_t n = (size_t)s->n, m = (size_t)s->m;
  if (n * m > MOST_DENSE || !sn_scalar_create(&p->scalar, s->matrix, arena)) {
    sn_fail(s->context, SN_NUMERICS,
            "adams: %d equations on %d coordinates are too many to choose independent coordinates\n"
            "  what may help: ida or hht-i3, which need no choice",
            s->m, s->n);
    return false;
  }
  p->dependent = SN_NEW(arena, int, m + 1);
  p->independent = SN_NEW(arena, int, n);
  p->kept = SN_NEW(arena, int, m + 1);
  p->dense = SN_NEW(arena, double, m *n + 1);
  p->scale = SN_NEW(arena, double, m + 1);
  p->equation = SN_NEW(arena, int, m + 1);
  p->place = SN_NEW(arena, int, n);
  p->b = SN_NEW(arena, double, m + 1);
  p->start = SN_NEW(arena, int, m + 1);
  p->row = SN_NEW(arena, int, p->scalar.entries);
  p->source = SN_NEW(arena, size_t, p->scalar.entries);
  p->value = SN_NEW(arena, double, p->scalar.entries);
  klu_defaults(&p->common);
  p->common.scale = 0; /* rows are scaled here, by all of G */
  return true;
}

static void forget(sn_partition *p) {
  if (p->numeric) klu_free_numeric(&p->numeric, &p->common);
  if (p->symbolic) klu_free_symbolic(&p->symbolic, &p->common);
}

void sn_partition_free(sn_partition *p) {
  forget(p);
}

/* ---- choosing ---- */

static void find_scales(sn_partition *p) {
  const sn_scalar *A = &p->scalar;
  const double *value = p->system->matrix->value;
  int n = p->system->n, m = p->system->m;
  memset(p->scale, 0, (size_t)m * sizeof(double));
  for (int j = 0; j < n; j++)
    for (int e = A->start[j + 1] - 1; e >= A->start[j] && A->row[e] >= n; e--) {
      double *most = &p->scale[A->row[e] - n];
      *most = fmax(*most, fabs(value[A->source[e]]));
    }
  for (int i = 0; i < m; i++) p->scale[i] = p->scale[i] > 0 ? 1 / p->scale[i] : 0;
}

static void fill_dense(sn_partition *p) {
  const sn_scalar *A = &p->scalar;
  int n = p->system->n, m = p->system->m;
  memset(p->dense, 0, (size_t)n * (size_t)m * sizeof(double));
  for (int j = 0; j < n; j++)
    for (int e = A->start[j + 1] - 1; e >= A->start[j] && A->row[e] >= n; e--) {
      int i = A->row[e] - n;
      p->dense[(size_t)i * (size_t)n + (size_t)j] = p->scale[i] * p->system->matrix->value[A->source[e]];
    }
}

static void exchange(int *list, int i, int j) {
  int x = list[i];
  list[i] = list[j];
  list[j] = x;
}

/* Elimination with full pivoting; rows and columns stay where they are and are reached through their order.
 * Returns the rank. */
static int eliminate(sn_partition *p) {
  int n = p->system->n, m = p->system->m;
  for (int i = 0; i < m; i++) p->equation[i] = i;
  for (int j = 0; j < n; j++) p->place[j] = j;
  for (int k = 0; k < m; k++) {
    double most = NOTHING;
    int pivot_row = -1, pivot_column = -1;
    for (int i = k; i < m; i++) {
      const double *row = p->dense + (size_t)p->equation[i] * (size_t)n;
      for (int j = k; j < n; j++)
        if (fabs(row[p->place[j]]) > most) most = fabs(row[p->place[j]]), pivot_row = i, pivot_column = j;
    }
    if (pivot_row < 0) return k;
    exchange(p->equation, k, pivot_row);
    exchange(p->place, k, pivot_column);
    const double *row = p->dense + (size_t)p->equation[k] * (size_t)n;
    for (int i = k + 1; i < m; i++) {
      double *other = p->dense + (size_t)p->equation[i] * (size_t)n;
      double f = other[p->place[k]] / row[p->place[k]];
      if (f == 0) continue;
      for (int j = k; j < n; j++) other[p->place[j]] -= f * row[p->place[j]];
    }
  }
  return m;
}

/* G_d by columns. */
static void make_pattern(sn_partition *p) {
  const sn_scalar *A = &p->scalar;
  int n = p->system->n, next = 0;
  for (int k = 0; k < p->rank; k++) {
    int j = p->dependent[k];
    p->start[k] = next;
    for (int e = A->start[j]; e < A->start[j + 1]; e++) {
      if (A->row[e] < n || p->kept[A->row[e] - n] < 0) continue;
      p->row[next] = p->kept[A->row[e] - n];
      p->source[next++] = A->source[e];
    }
  }
  p->start[p->rank] = next;
}

bool sn_partition_choose(sn_partition *p) {
  int n = p->system->n, m = p->system->m, rest = 0;
  forget(p);
  find_scales(p);
  fill_dense(p);
  p->rank = eliminate(p);
  if (p->rank < m) p->worst = p->equation[p->rank];
  for (int i = 0; i < m; i++) p->kept[i] = -1;
  for (int k = 0, i = 0; i < m; i++) { /* equations in their own order: KLU then meets them sorted */
    bool used = false;
    for (int r = 0; r < p->rank && !used; r++) used = p->equation[r] == i;
    if (used) p->kept[i] = k++;
  }
  memcpy(p->dependent, p->place, (size_t)p->rank * sizeof(int));
  for (int j = 0; j < n; j++) {
    bool dependent = false;
    for (int k = 0; k < p->rank && !dependent; k++) dependent = p->dependent[k] == j;
    if (!dependent) p->independent[rest++] = j;
  }
  if (p->rank == 0) {
    p->quality = p->chosen = 1;
    return m == 0;
  }
  make_pattern(p);
  p->symbolic = klu_analyze(p->rank, p->start, p->row, &p->common);
  if (!p->symbolic || !sn_partition_factor(p)) return false;
  p->chosen = p->quality;
  return true;
}

/* ---- using ---- */

bool sn_partition_factor(sn_partition *p) {
  if (p->rank == 0) return true;
  int *equation = p->equation; /* of each row of G_d */
  for (int i = 0; i < p->system->m; i++)
    if (p->kept[i] >= 0) equation[p->kept[i]] = i;
  find_scales(p);
  for (int e = 0; e < p->start[p->rank]; e++)
    p->value[e] = p->scale[equation[p->row[e]]] * p->system->matrix->value[p->source[e]];
  bool good = p->numeric && klu_refactor(p->start, p->row, p->value, p->symbolic, p->numeric, &p->common) &&
              p->common.status == KLU_OK &&
              klu_rgrowth(p->start, p->row, p->value, p->symbolic, p->numeric, &p->common) && p->common.rgrowth > 1e-3;
  if (!good) {
    if (p->numeric) klu_free_numeric(&p->numeric, &p->common);
    p->numeric = klu_factor(p->start, p->row, p->value, p->symbolic, &p->common);
    if (!p->numeric || p->common.status != KLU_OK) {
      if (p->numeric) klu_free_numeric(&p->numeric, &p->common);
      p->worst = equation[p->common.singular_col >= 0 && p->common.singular_col < p->rank ? p->common.singular_col : 0];
      return false;
    }
  }
  const double *pivot = p->numeric->Udiag;
  p->quality = INFINITY;
  for (int k = 0; k < p->rank; k++)
    if (fabs(pivot[k]) < p->quality) p->quality = fabs(pivot[k]), p->worst = equation[p->numeric->Pnum[k]];
  return p->quality > NOTHING;
}

double sn_partition_correct(sn_partition *p, const double *phi, double *x) {
  double change = 0;
  if (p->rank == 0) return 0;
  for (int i = 0; i < p->system->m; i++)
    if (p->kept[i] >= 0) p->b[p->kept[i]] = p->scale[i] * phi[i];
  klu_solve(p->symbolic, p->numeric, p->rank, 1, p->b, &p->common);
  for (int k = 0; k < p->rank; k++) {
    double *it = &x[p->dependent[k]];
    *it -= p->b[k];
    change = fmax(change, fabs(p->b[k]) / fmax(1, fabs(*it)));
  }
  return change;
}
