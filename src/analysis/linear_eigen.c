/* linear_eigen.c - eigenvalues of a state-space matrix, and its damped modes: frequency |lambda|/2 pi, damping ratio
 * -re/|lambda|, complex shapes. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "analysis/linearize.h"
#include "math/constants.h"

/* Numbers of the eigenvalues in ascending size; of a conjugate pair the one with im > 0 first. */
static void sort(int n, const double *re, const double *im, int *order) {
  for (int i = 0; i < n; i++) {
    int k = i;
    const double size = hypot(re[i], im[i]);
    for (; k > 0 && hypot(re[order[k - 1]], im[order[k - 1]]) > size * (1 + 1e-12); k--) order[k] = order[k - 1];
    order[k] = i;
  }
}

/* The largest entry of the shape becomes 1. */
static void normalize(int n, double *re, double *im) {
  double a = 0, b = 0;
  for (int i = 0; i < n; i++)
    if (hypot(re[i], im[i]) > hypot(a, b) * (1 + 1e-9)) a = re[i], b = im[i];
  const double square = a * a + b * b;
  for (int i = 0; i < n && square > 0; i++) {
    const double x = re[i], y = im[i];
    re[i] = (x * a + y * b) / square;
    im[i] = (y * a - x * b) / square;
  }
}

typedef struct eigen {
  double *A, *re, *im, *V; /* by columns */
  int *order;
} eigen;

static void keep(sn_simulation *s, const sn_linear *L, const eigen *e, sn_modes *modes,
                 void (*lift)(void *user, const double *x, double *dq), void *user) {
  const size_t n = (size_t)s->model->n, size = (size_t)L->states;
  modes->method = "dense";
  modes->w2 = SN_NEW(&s->arena, double, size + 1);
  modes->re = SN_NEW(&s->arena, double, size + 1);
  modes->im = SN_NEW(&s->arena, double, size + 1);
  modes->damping = SN_NEW(&s->arena, double, size + 1);
  modes->shape = SN_NEW(&s->arena, double, (size + 1) * n);
  modes->imaginary = SN_NEW(&s->arena, double, (size + 1) * n);
  for (int i = 0; i < L->states; i++) {
    const int k = e->order[i];
    if (e->im[k] < 0) continue;
    const int at = modes->count++;
    double *re = modes->shape + (size_t)at * n, *im = modes->imaginary + (size_t)at * n;
    const double w = hypot(e->re[k], e->im[k]);
    modes->re[at] = e->re[k];
    modes->im[at] = e->im[k];
    modes->w2[at] = w * w;
    modes->damping[at] = w > 0 ? (0 - e->re[k]) / w : 0; /* no -0 */
    if (e->re[k] > 1e-6 * w) modes->unstable++;
    lift(user, e->V + (size_t)k * size, re);
    if (e->im[k] > 0) lift(user, e->V + (size_t)(k + 1) * size, im);
    normalize((int)n, re, im);
  }
}

sn_status sn_linear_eigen(sn_simulation *s, sn_linear *L, sn_modes *modes,
                          void (*lift)(void *user, const double *x, double *dq), void *user) {
  const size_t n = (size_t)L->states;
  sn_arena arena = {0};
  eigen e = {SN_NEW(&arena, double, n *n + 1), SN_NEW(&arena, double, n + 1), SN_NEW(&arena, double, n + 1),
             SN_NEW(&arena, double, n *n + 1), SN_NEW(&arena, int, n + 1)};
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) e.A[i + k * n] = L->A[i * n + k];
  int info = n ? LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', (int)n, e.A, (int)n, e.re, e.im, NULL, 1, e.V, (int)n) : 0;
  if (!info) {
    sort((int)n, e.re, e.im, e.order);
    for (size_t i = 0; i < n; i++) {
      L->re[i] = e.re[e.order[i]];
      L->im[i] = e.im[e.order[i]];
    }
    keep(s, L, &e, modes, lift, user);
  }
  sn_arena_free(&arena);
  return info ? sn_fail(s->context, SN_NUMERICS, "the eigenvalues could not be computed (dgeev: %d)", info) : SN_OK;
}
