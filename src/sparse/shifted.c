/* shifted.c - real and complex shifted systems over one pattern; see shifted.h. */
#include "sparse/shifted.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "sparse/ldl_complex.h"
#include "sparse/scalar.h"

/* Refactoring keeps old pivots. A reciprocal pivot growth below this says that they no longer fit. */
static const double growth_limit = 1e-5;

/* Antisymmetric parts below this share of the diagonal are left out. */
static const double symmetric_enough = 0.01;

typedef struct slot {
  bool real;
  bool symmetric; /* the last factorization is that of ldl */
  klu_numeric *numeric;
  sn_ldl_complex ldl;
} slot;

struct sn_shifted {
  sn_arena arena;
  const sn_matrix *pattern;
  sn_scalar scalar;
  bool exact;
  bool *border;                         /* [values] in a row or column of a multiplier */
  double *coefficient[SN_COEFFICIENTS]; /* [values] in the order of the block matrix */
  double *value[2];                     /* [values] real and imaginary parts of the system being factorized */
  double *entry;                        /* [2 entries] the same for KLU: (re, im) pairs, or reals without gaps */
  double *right[2];                     /* [rows] parts of a right-hand side */
  double *diagonal;                     /* [rows] magnitudes */
  int slots;
  slot *slot;
  sn_ldl_data *structure; /* of LDL' */
  klu_symbolic *symbolic;
  klu_common common;
};

/* ---- creation ---- */

static void mark_border(sn_shifted *k) {
  const sn_scalar *s = &k->scalar;
  const bool *constraint = k->pattern->constraint;
  for (int c = 0; c < s->rows; c++)
    for (int e = s->start[c]; e < s->start[c + 1]; e++)
      k->border[s->source[e]] = constraint[s->group[c]] || constraint[s->group[s->row[e]]];
}

static bool analyze(sn_shifted *k, sn_arena *arena) {
  const sn_matrix *pattern = k->pattern;
  if (!sn_scalar_create(&k->scalar, pattern, arena)) return false;
  k->border = SN_NEW(arena, bool, pattern->values);
  k->entry = SN_NEW(arena, double, 2 * (size_t)k->scalar.entries);
  k->diagonal = SN_NEW(arena, double, k->scalar.rows + 1);
  for (int p = 0; p < SN_COEFFICIENTS; p++) k->coefficient[p] = SN_NEW(arena, double, pattern->values);
  for (int c = 0; c < 2; c++) {
    k->value[c] = SN_NEW(arena, double, pattern->values);
    k->right[c] = SN_NEW(arena, double, k->scalar.rows + 1);
  }
  mark_border(k);
  klu_defaults(&k->common);
  k->symbolic = klu_analyze(k->scalar.rows, k->scalar.start, k->scalar.row, &k->common);
  if (!k->exact) k->structure = sn_ldl_analyze(pattern, SN_LDL_SAFE, SN_LDL_WHOLE);
  return k->symbolic && (k->exact || k->structure);
}

static void release(void *self) {
  sn_shifted *k = self;
  for (int i = 0; i < k->slots; i++)
    if (k->slot[i].numeric) klu_free_numeric(&k->slot[i].numeric, &k->common);
  if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
}

sn_shifted *sn_shifted_create(const sn_matrix *pattern, int slots, bool exact) {
  assert(pattern && pattern->upper && slots > 0);
  sn_shifted *k = sn_new_object(sizeof *k, release);
  k->pattern = pattern;
  k->exact = exact;
  if (!analyze(k, &k->arena)) {
    sn_shifted_free(k);
    return NULL;
  }
  k->slot = SN_NEW(&k->arena, slot, slots);
  k->slots = slots;
  for (int i = 0; i < slots && !exact; i++) sn_ldl_complex_create(&k->slot[i].ldl, pattern, k->structure, &k->arena);
  return k;
}

void sn_shifted_free(sn_shifted *k) {
  if (!k) return;
  release(k);
  if (k->structure) sn_ldl_free(k->structure);
  sn_arena_free(&k->arena);
  sn_free(k);
}

void sn_shifted_take(sn_shifted *k, sn_coefficient which, const sn_matrix *matrix) {
  assert(which < SN_COEFFICIENTS && matrix->values == k->pattern->values);
  memcpy(k->coefficient[which], matrix->value, k->pattern->values * sizeof(double));
}

/* ---- factorizations ---- */

static void combine(sn_shifted *k, double complex mu) {
  const double *M = k->coefficient[SN_COEFFICIENT_MASS], *D = k->coefficient[SN_COEFFICIENT_DAMPING],
               *K = k->coefficient[SN_COEFFICIENT_STIFFNESS];
  double complex d = 1 / mu, s = d * d;
  double dr = creal(d), di = cimag(d), sr = creal(s), si = cimag(s);
  double *re = k->value[0], *im = k->value[1];
  for (size_t e = 0; e < k->pattern->values; e++) {
    re[e] = k->border[e] ? K[e] : M[e] + dr * D[e] + sr * K[e];
    im[e] = k->border[e] ? 0 : di * D[e] + si * K[e];
  }
}

/* |A_rc - A_cr|^2 against the diagonal for one pair of mirror values, lower (r, c) and upper (c, r). */
static bool pair_is_symmetric(const sn_shifted *k, size_t lower, size_t upper, int r, int c) {
  double re = k->value[0][lower] - k->value[0][upper], im = k->value[1][lower] - k->value[1][upper];
  return re * re + im * im <= symmetric_enough * symmetric_enough * k->diagonal[r] * k->diagonal[c];
}

static bool is_symmetric(sn_shifted *k) {
  const sn_matrix *A = k->pattern;
  for (int g = 0; g < A->groups; g++)
    for (int i = 0; i < A->size[g]; i++) {
      size_t at = A->lower[A->column[g]] + (size_t)(i * A->size[g] + i);
      k->diagonal[A->first[g] + i] = hypot(k->value[0][at], k->value[1][at]);
    }
  for (int j = 0; j < A->groups; j++) {
    if (A->constraint[j]) continue; /* G and G' always are */
    for (int b = A->column[j]; b < A->column[j + 1]; b++) {
      int i = A->row[b], m = A->size[i], n = A->size[j];
      if (A->constraint[i]) continue;
      for (int c = 0; c < n; c++)
        for (int r = i == j ? c + 1 : 0; r < m; r++)
          if (!pair_is_symmetric(k, A->lower[b] + (size_t)(c * m + r), A->upper[b] + (size_t)(r * n + c),
                                 A->first[i] + r, A->first[j] + c))
            return false;
    }
  }
  return true;
}

static void gather(sn_shifted *k, bool real) {
  const size_t *source = k->scalar.source;
  for (int e = 0; e < k->scalar.entries; e++) {
    if (real) {
      k->entry[e] = k->value[0][source[e]];
    } else {
      k->entry[2 * e] = k->value[0][source[e]];
      k->entry[2 * e + 1] = k->value[1][source[e]];
    }
  }
}

/* The old pivots, if they still fit the new values. */
static bool refactor(sn_shifted *k, const slot *s) {
  sn_scalar *c = &k->scalar;
  double *value = k->entry;
  bool good = s->real ? klu_refactor(c->start, c->row, value, k->symbolic, s->numeric, &k->common)
                      : klu_z_refactor(c->start, c->row, value, k->symbolic, s->numeric, &k->common);
  if (!good || k->common.status != KLU_OK) return false;
  good = s->real ? klu_rgrowth(c->start, c->row, value, k->symbolic, s->numeric, &k->common)
                 : klu_z_rgrowth(c->start, c->row, value, k->symbolic, s->numeric, &k->common);
  return good && k->common.rgrowth > growth_limit;
}

static bool factor_klu(sn_shifted *k, slot *s, bool real, int *group) {
  sn_scalar *c = &k->scalar;
  gather(k, real);
  if (s->numeric && s->real == real && refactor(k, s)) return true;
  if (s->numeric) klu_free_numeric(&s->numeric, &k->common);
  s->real = real;
  s->numeric = real ? klu_factor(c->start, c->row, k->entry, k->symbolic, &k->common)
                    : klu_z_factor(c->start, c->row, k->entry, k->symbolic, &k->common);
  if (s->numeric && k->common.status == KLU_OK) return true;
  int column = k->common.singular_col;
  *group = column >= 0 && column < c->rows ? c->group[column] : 0;
  return false;
}

bool sn_shifted_factor(sn_shifted *k, int index, double complex mu, int *group) {
  assert(index >= 0 && index < k->slots && mu != 0 && group);
  slot *s = &k->slot[index];
  bool real = cimag(mu) == 0;
  combine(k, mu);
  s->symmetric = !k->exact && is_symmetric(k);
  if (s->symmetric && sn_ldl_complex_factor(&s->ldl, k->value[0], real ? NULL : k->value[1], group)) return true;
  s->symmetric = false;
  return factor_klu(k, s, real, group);
}

void sn_shifted_solve(sn_shifted *k, int index, double complex *x) {
  assert(index >= 0 && index < k->slots && (k->slot[index].symmetric || k->slot[index].numeric)); /* factorized */
  const slot *s = &k->slot[index];
  int rows = k->scalar.rows;
  if (!s->symmetric && !s->real) {
    klu_z_solve(k->symbolic, s->numeric, rows, 1, (double *)x, &k->common);
    return;
  }
  double *re = k->right[0], *im = k->right[1];
  bool real = s->symmetric ? s->ldl.real : s->real;
  for (int i = 0; i < rows; i++) re[i] = creal(x[i]), im[i] = real ? 0 : cimag(x[i]);
  if (s->symmetric)
    sn_ldl_complex_solve(&s->ldl, re, im);
  else
    klu_solve(k->symbolic, s->numeric, rows, 1, re, &k->common);
  for (int i = 0; i < rows; i++) x[i] = CMPLX(re[i], im[i]);
}

/* ---- product ---- */

void sn_shifted_multiply(const sn_shifted *k, sn_coefficient which, const double *x, double *y) {
  assert(which < SN_COEFFICIENTS && x != y);
  const sn_scalar *s = &k->scalar;
  const double *P = k->coefficient[which];
  memset(y, 0, (size_t)s->rows * sizeof(double));
  for (int c = 0; c < s->rows; c++)
    for (int e = s->start[c]; e < s->start[c + 1]; e++)
      if (!k->border[s->source[e]]) y[s->row[e]] += P[s->source[e]] * x[c];
}
