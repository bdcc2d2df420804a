/* modes_dense.c - all modes of a small system by LAPACK, on an orthonormal basis Z of the null space of G:
 *
 *     Z'K Z y = w2 Z'M Z y,  u = Z y     dsygv
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "analysis/dense.h"
#include "analysis/modes.h"

static void keep(const double *w, const double *Y, const double *Z, int n, int size, sn_arena *arena, sn_modes *modes) {
  modes->w2 = SN_NEW(arena, double, modes->count);
  modes->shape = SN_NEW(arena, double, (size_t)modes->count *(size_t)n);
  for (int k = 0; k < modes->count; k++) {
    modes->w2[k] = w[k];
    for (int j = 0; j < size; j++)
      for (int i = 0; i < n; i++)
        modes->shape[(size_t)k * (size_t)n + (size_t)i] +=
            Z[(size_t)i + (size_t)j * (size_t)n] * Y[(size_t)j + (size_t)k * (size_t)size];
  }
}

sn_status sn_modes_dense(sn_pencil *p, sn_arena *arena, int count, sn_modes *modes) {
  sn_system *sys = p->system;
  int n = sys->n, info = -1;
  size_t full = (size_t)n * (size_t)n;
  double *Z = NULL;
  sn_system_assemble(sys, &p->at, 0, 0, 0, 1);
  int size = sn_dense_null_space(sn_system_matrix(sys), n, sys->m, &Z);
  double *A = sn_new(4 * full + (size_t)n + 1, sizeof(double)), *W = A + full, *K = W + full, *M = K + full,
         *w = M + full;
  modes->method = "dense";
  modes->count = size < count ? size : count;
  if (size >= 0) {
    sn_dense_fill(sn_system_matrix(sys), n, true, A);
    sn_dense_project(n, size, Z, A, W, K);
    sn_dense_fill(p->mass, n, true, A);
    sn_dense_project(n, size, Z, A, W, M);
    info = size ? LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', size, K, size, M, size, w) : 0;
  }
  if (info == 0 && modes->count > 0) keep(w, K, Z, n, size, arena, modes);
  sn_free(A);
  sn_free(Z);
  if (info == 0) return SN_OK;
  return sn_fail(sys->context, SN_NUMERICS,
                 info > size ? "the mass matrix is singular: a degree of freedom has no mass (dsygv: %d)"
                             : "the modes could not be computed (dsygv: %d)",
                 info);
}
