/* sharpen.c - small w2 of a pencil whose scale is so large that they are lost in its rounding.
 *
 * Eigenvalue solvers work with all of M^-1/2 K M^-1/2, and light stiff parts make its rounding larger than what heavy
 * ones vibrate with: a kilogram at the end of a beam of a milligram. Factorizations do not: they are the same for any
 * scaling of the coordinates. So the small modes U go through inverse iteration, which leaves nothing of the stiff ones
 * in them, and are those of Rayleigh and Ritz then:
 *
 *   U <- (K + s M)^-1 M U  on G u = 0, three times       (U'K U) y = w2 (U'M U) y,   u = U y
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "analysis/modes.h"

static void iterate(sn_pencil *p, double *u) {
  const size_t n = (size_t)p->system->n, m = (size_t)p->system->m;
  for (int pass = 0; pass < 3; pass++) {
    sn_pencil_mass(p, u, p->right);
    memset(p->right + n, 0, m * sizeof(double));
    sn_system_solve_refined(p->system, p->right);
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(p->right[i]));
    for (size_t i = 0; i < n; i++) u[i] = most > 0 ? p->right[i] / most : u[i];
  }
}

static double product(size_t n, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* y = K u */
static void stiffness_times(sn_pencil *p, const double *u, double *y) {
  const size_t n = (size_t)p->system->n, size = n + (size_t)p->system->m;
  memcpy(p->work, u, n * sizeof(double));
  memset(p->work + n, 0, (size - n) * sizeof(double));
  sn_matrix_multiply(p->stiff, p->work, p->work + size);
  memcpy(y, p->work + size, n * sizeof(double));
}

/* Rayleigh and Ritz for `count` columns of U[count][n]; false: they are not independent. */
static bool ritz(sn_pencil *p, sn_arena *arena, int count, double *U, double *w2) {
  const size_t n = (size_t)p->system->n, c = (size_t)count;
  double *K = SN_NEW(arena, double, 2 * c * c), *M = K + c * c, *y = SN_NEW(arena, double, n),
         *V = SN_NEW(arena, double, c *n);
  for (size_t j = 0; j < c; j++) {
    stiffness_times(p, U + j * n, y);
    for (size_t i = j; i < c; i++) K[i + c * j] = product(n, U + i * n, y);
    sn_pencil_mass(p, U + j * n, y);
    for (size_t i = j; i < c; i++) M[i + c * j] = product(n, U + i * n, y);
  }
  if (LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', count, K, count, M, count, w2)) return false;
  for (size_t k = 0; k < c; k++)
    for (size_t j = 0; j < c; j++)
      for (size_t i = 0; i < n; i++) V[k * n + i] += K[j + c * k] * U[j * n + i];
  memcpy(U, V, c * n * sizeof(double));
  return true;
}

bool sn_pencil_sharpen(sn_pencil *p, sn_arena *arena, sn_modes *modes) {
  const size_t n = (size_t)p->system->n;
  int first = -1, count = 0, lost = 0;
  for (int k = 0; k < modes->count; k++) {
    if (fabs(modes->w2[k]) > p->zero) continue;
    if (first < 0) first = k;
    if (first + count != k) return false; /* not sorted */
    count++;
    lost += fabs(modes->w2[k]) <= sn_pencil_noise(p);
  }
  if (lost == 0 || !sn_pencil_factor(p, -p->zero)) return false;
  double *U = SN_NEW(arena, double, (size_t)count *n), *w2 = SN_NEW(arena, double, count);
  memcpy(U, modes->shape + (size_t)first * n, (size_t)count * n * sizeof(double));
  for (int k = 0; k < count; k++) iterate(p, U + (size_t)k * n);
  if (!ritz(p, arena, count, U, w2)) return false;
  memcpy(modes->shape + (size_t)first * n, U, (size_t)count * n * sizeof(double));
  memcpy(modes->w2 + first, w2, (size_t)count * sizeof(double));
  return true;
}
