/* shifted.c - real and complex shifted systems over one pattern, by KLU; see shifted.h. */
#include "sparse/shifted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "sparse/scalar.h"

/* Refactoring keeps old pivots. A reciprocal pivot growth below this says that they no longer fit. */
static const double growth_limit = 1e-5;

typedef struct slot {
  bool real;
  klu_numeric *numeric;
} slot;

struct sn_shifted {
  sn_arena arena;
  sn_scalar scalar;
  bool *border;           /* [entries] in a row or column of a multiplier */
  double *part[SN_PARTS]; /* [entries] */
  double complex *value;  /* [entries] of the system being factorized */
  double *right;          /* [rows] real right-hand side */
  int slots;
  slot *slot;
  klu_symbolic *symbolic;
  klu_common common;
};

sn_shifted *sn_shifted_create(const sn_matrix *pattern, int slots) {
  sn_arena arena = {0};
  sn_shifted *k = SN_NEW(&arena, sn_shifted, 1);
  bool good = sn_scalar_create(&k->scalar, pattern, &arena);
  if (good) {
    const sn_scalar *s = &k->scalar;
    k->border = SN_NEW(&arena, bool, s->entries);
    k->value = SN_NEW(&arena, double complex, s->entries);
    k->right = SN_NEW(&arena, double, s->rows + 1);
    for (int p = 0; p < SN_PARTS; p++) k->part[p] = SN_NEW(&arena, double, s->entries);
    for (int c = 0; c < s->rows; c++)
      for (int e = s->start[c]; e < s->start[c + 1]; e++)
        k->border[e] = pattern->constraint[s->group[c]] || pattern->constraint[s->group[s->row[e]]];
    k->slots = slots;
    k->slot = SN_NEW(&arena, slot, slots);
    klu_defaults(&k->common);
    k->symbolic = klu_analyze(s->rows, s->start, s->row, &k->common);
  }
  k->arena = arena;
  if (k->symbolic) return k;
  sn_shifted_free(k);
  return NULL;
}

void sn_shifted_free(sn_shifted *k) {
  if (!k) return;
  for (int i = 0; i < k->slots; i++)
    if (k->slot[i].numeric) klu_free_numeric(&k->slot[i].numeric, &k->common);
  if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
  sn_arena arena = k->arena; /* it lives in its own arena */
  sn_arena_free(&arena);
}

void sn_shifted_take(sn_shifted *k, sn_part part, const sn_matrix *matrix) {
  double *to = k->part[part];
  for (int e = 0; e < k->scalar.entries; e++) to[e] = matrix->value[k->scalar.source[e]];
}

/* ---- factorizations ---- */

static void combine(sn_shifted *k, double complex mu, bool real) {
  const double *M = k->part[SN_PART_MASS], *D = k->part[SN_PART_DAMPING], *K = k->part[SN_PART_STIFFNESS];
  double complex d = 1 / mu, s = d * d;
  double dr = creal(d), di = cimag(d), sr = creal(s), si = cimag(s);
  double *value = (double *)k->value; /* (re, im) pairs, or reals without gaps */
  for (int e = 0; e < k->scalar.entries; e++) {
    double re = k->border[e] ? K[e] : M[e] + dr * D[e] + sr * K[e];
    if (real) {
      value[e] = re;
    } else {
      value[2 * e] = re;
      value[2 * e + 1] = k->border[e] ? 0 : di * D[e] + si * K[e];
    }
  }
}

/* The old pivots, if they still fit the new values. */
static bool refactor(sn_shifted *k, const slot *s) {
  sn_scalar *c = &k->scalar;
  double *value = (double *)k->value;
  bool good = s->real ? klu_refactor(c->start, c->row, value, k->symbolic, s->numeric, &k->common)
                      : klu_z_refactor(c->start, c->row, value, k->symbolic, s->numeric, &k->common);
  if (!good || k->common.status != KLU_OK) return false;
  good = s->real ? klu_rgrowth(c->start, c->row, value, k->symbolic, s->numeric, &k->common)
                 : klu_z_rgrowth(c->start, c->row, value, k->symbolic, s->numeric, &k->common);
  return good && k->common.rgrowth > growth_limit;
}

bool sn_shifted_factor(sn_shifted *k, int index, double complex mu, int *group) {
  slot *s = &k->slot[index];
  sn_scalar *c = &k->scalar;
  bool real = cimag(mu) == 0;
  double *value = (double *)k->value;
  combine(k, mu, real);
  if (s->numeric && s->real == real && refactor(k, s)) return true;
  if (s->numeric) klu_free_numeric(&s->numeric, &k->common);
  s->real = real;
  s->numeric = real ? klu_factor(c->start, c->row, value, k->symbolic, &k->common)
                    : klu_z_factor(c->start, c->row, value, k->symbolic, &k->common);
  if (s->numeric && k->common.status == KLU_OK) return true;
  int column = k->common.singular_col;
  *group = column >= 0 && column < c->rows ? c->group[column] : 0;
  return false;
}

void sn_shifted_solve(sn_shifted *k, int index, double complex *x) {
  const slot *s = &k->slot[index];
  int rows = k->scalar.rows;
  if (!s->real) {
    klu_z_solve(k->symbolic, s->numeric, rows, 1, (double *)x, &k->common);
    return;
  }
  for (int i = 0; i < rows; i++) k->right[i] = creal(x[i]);
  klu_solve(k->symbolic, s->numeric, rows, 1, k->right, &k->common);
  for (int i = 0; i < rows; i++) x[i] = k->right[i];
}

/* ---- product ---- */

void sn_shifted_multiply(const sn_shifted *k, sn_part part, const double *x, double *y) {
  const sn_scalar *s = &k->scalar;
  const double *P = k->part[part];
  memset(y, 0, (size_t)s->rows * sizeof(double));
  for (int c = 0; c < s->rows; c++)
    for (int e = s->start[c]; e < s->start[c + 1]; e++)
      if (!k->border[e]) y[s->row[e]] += P[e] * x[c];
}
