/* buckling_solve.c - (K + f S) u = 0 on G u = 0, K positive definite: S u = v K u with v = -1/f, lowest v first. By
 * LAPACK on the null space of G, or by Lanczos with the operator K^-1 S and the inner product of K. Shapes have u'M u =
 * 1. */
#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/dense.h"
#include "analysis/lanczos.h"
#include "analysis/modes.h"

static const double none = 1e-12; /* |v| below this share of the largest is rounding */

/* u over its length in the mass norm */
static void normalize(sn_pencil *p, double *u) {
  int n = p->system->n;
  double sum = 0, *y = p->right;
  sn_pencil_mass(p, u, y);
  for (int i = 0; i < n; i++) sum += u[i] * y[i];
  for (int i = 0; i < n && sum > 0; i++) u[i] /= sqrt(sum);
}

static void make_room(sn_modes *modes, sn_arena *arena, int count, int n) {
  modes->count = count;
  modes->factor = SN_NEW(arena, double, count + 1);
  modes->w2 = SN_NEW(arena, double, count + 1);
  modes->shape = SN_NEW(arena, double, (size_t)(count + 1) * (size_t)n);
}

sn_status sn_buckling_dense(sn_pencil *p, sn_arena *arena, int wanted, sn_modes *modes) {
  sn_system *sys = p->system;
  int n = sys->n, count = 0, info = -1;
  size_t full = (size_t)n * (size_t)n;
  double *Z = NULL;
  int size = sn_dense_null_space(p->stiff, n, sys->m, &Z);
  double *A = sn_new(4 * full + (size_t)n + 1, sizeof(double)), *W = A + full, *K = W + full, *S = K + full,
         *v = S + full;
  modes->method = "dense";
  if (size > 0) {
    sn_dense_fill(p->stiff, n, true, A);
    sn_dense_project(n, size, Z, A, W, K);
    sn_dense_fill(p->stress, n, true, A);
    sn_dense_project(n, size, Z, A, W, S);
    info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', size, S, size, K, size, v);
  }
  if (info == 0) {
    const double most = fmax(-v[0], v[size - 1]);
    while (count < size && count < wanted && v[count] < -none * most) count++;
    modes->reversed = v[size - 1] > none * most ? -1 / v[size - 1] : NAN;
    make_room(modes, arena, count, n);
    for (int k = 0; k < count; k++) {
      double *u = modes->shape + (size_t)k * (size_t)n;
      modes->factor[k] = -1 / v[k];
      for (int j = 0; j < size; j++)
        for (int i = 0; i < n; i++)
          u[i] += Z[(size_t)i + (size_t)j * (size_t)n] * S[(size_t)j + (size_t)k * (size_t)size];
      normalize(p, u);
    }
  }
  sn_free(A);
  sn_free(Z);
  return info ? sn_fail(sys->context, SN_NUMERICS, "the load factors could not be computed (dsygv: %d)", info) : SN_OK;
}

/* y[n] = A x on coordinates */
static void times(sn_pencil *p, const sn_matrix *A, const double *x, double *y) {
  size_t n = (size_t)p->system->n, size = n + (size_t)p->system->m;
  memcpy(p->work, x, n * sizeof(double));
  memset(p->work + n, 0, (size - n) * sizeof(double));
  sn_matrix_multiply(A, p->work, p->work + size);
  memcpy(y, p->work + size, n * sizeof(double));
}

static void apply(void *user, const double *x, const double *Kx, double *y) {
  sn_pencil *p = user;
  (void)Kx;
  times(p, p->stress, x, p->right);
  memset(p->right + p->system->n, 0, (size_t)p->system->m * sizeof(double));
  sn_system_solve_refined(p->system, p->right);
  memcpy(y, p->right, (size_t)p->system->n * sizeof(double));
}

static void weigh(void *user, const double *x, double *y) {
  sn_pencil *p = user;
  times(p, p->stiff, x, y);
}

/* Ascending factors; insertion, as there are few. */
static void sort(sn_modes *modes, int n, double *swap) {
  for (int i = 1; i < modes->count; i++)
    for (int k = i; k > 0 && modes->factor[k] < modes->factor[k - 1]; k--) {
      double f = modes->factor[k], *a = modes->shape + (size_t)k * (size_t)n, *b = a - n;
      modes->factor[k] = modes->factor[k - 1];
      modes->factor[k - 1] = f;
      memcpy(swap, a, (size_t)n * sizeof(double));
      memcpy(a, b, (size_t)n * sizeof(double));
      memcpy(b, swap, (size_t)n * sizeof(double));
    }
}

/* ldl takes its pivots in a fixed order: where that fails, a trace of M, below rounding, makes K definite. */
static bool factor_stiffness(sn_pencil *p) {
  for (double shift = 0.1 * p->zero; !sn_pencil_factor(p, -p->shift); shift *= 4) {
    if (shift > p->zero) return false;
    for (size_t i = 0; i < p->stiff->values; i++) p->stiff->value[i] += (shift - p->shift) * p->mass->value[i];
    p->shift = shift;
  }
  return true;
}

sn_status sn_buckling_lanczos(sn_pencil *p, sn_arena *arena, int wanted, sn_modes *modes) {
  sn_system *sys = p->system;
  int n = sys->n, freedom = n - sys->m, found = 0;
  if (wanted > freedom - 2) wanted = freedom - 2;
  if (wanted < 1) return sn_buckling_dense(p, arena, wanted + 2, modes);
  if (!factor_stiffness(p)) return sn_fail(sys->context, SN_NUMERICS, "the stiffness matrix is singular");
  double *start = SN_NEW(&sys->arena, double, n), *noise = SN_NEW(&sys->arena, double, n);
  uint64_t seed = 7;
  for (int i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    noise[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
  }
  apply(p, noise, NULL, start);
  modes->method = "lanczos";
  modes->reversed = NAN;
  make_room(modes, arena, wanted, n);
  const sn_lanczos problem = {.n = n, .user = p, .apply = apply, .weigh = weigh, .which = "SA"};
  sn_status status = sn_lanczos_solve(&problem, sys->context, start, wanted, freedom, modes->factor, modes->shape);
  if (status) return status;
  for (int k = 0; k < wanted; k++) { /* 1/v are the values of the shifted operator, f = -1/v */
    double f = -modes->factor[k];
    if (!(f > 0) || !isfinite(f) || f > 1 / none) continue;
    modes->factor[found] = f;
    memmove(modes->shape + (size_t)found * (size_t)n, modes->shape + (size_t)k * (size_t)n, (size_t)n * sizeof(double));
    normalize(p, modes->shape + (size_t)found++ * (size_t)n);
  }
  modes->count = found;
  sort(modes, n, start);
  return SN_OK;
}
