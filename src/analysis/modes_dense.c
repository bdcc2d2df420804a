/* modes_dense.c - all modes of a small system by LAPACK.
 *
 *     G' P = Q R  (column pivoting)      the last n - rank columns of Q are an orthonormal basis Z of the
 *                                        null space of G
 *     Z'K Z y = w2 Z'M Z y,  u = Z y     dsygv
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "analysis/modes.h"

/* Coordinates of the part of the block matrix that couples rows and columns of coordinates, as a full matrix. */
static void fill_dense(const sn_matrix *A, int n, double *D) {
  for (int j = 0; j < A->groups; j++)
    for (int b = A->column[j]; b < A->column[j + 1]; b++) {
      int i = A->row[b];
      if (A->constraint[i] || A->constraint[j]) continue;
      const double *block = A->value + A->lower[b];
      for (int c = 0; c < A->size[j]; c++)
        for (int r = 0; r < A->size[i]; r++) {
          size_t row = (size_t)A->first[i] + (size_t)r, column = (size_t)A->first[j] + (size_t)c;
          D[row + column * (size_t)n] = block[r + A->size[i] * c];
          if (i != j) D[column + row * (size_t)n] = block[r + A->size[i] * c];
        }
    }
  for (int j = 0; j < n; j++) /* a diagonal block may be unsymmetric: its symmetric part */
    for (int i = 0; i < j; i++) {
      size_t a = (size_t)i + (size_t)j * (size_t)n, b = (size_t)j + (size_t)i * (size_t)n;
      D[a] = D[b] = (D[a] + D[b]) / 2;
    }
}

/* G', n x m, rows of G scaled to length 1 so that they can be compared. */
static void fill_gradients(const sn_matrix *A, int n, int m, double *T) {
  memset(T, 0, sizeof(double) * (size_t)n * (size_t)m);
  for (int j = 0; j < A->groups; j++)
    for (int b = A->column[j]; b < A->column[j + 1]; b++) {
      int i = A->row[b];
      if (A->constraint[i] == A->constraint[j]) continue; /* coordinates come first: i is the constraint */
      const double *block = A->value + A->lower[b];
      for (int c = 0; c < A->size[j]; c++)
        for (int r = 0; r < A->size[i]; r++)
          T[(size_t)(A->first[j] + c) + (size_t)(A->first[i] + r - n) * (size_t)n] = block[r + A->size[i] * c];
    }
  for (int k = 0; k < m; k++) {
    double *row = T + (size_t)k * (size_t)n, sum = 0;
    for (int i = 0; i < n; i++) sum += row[i] * row[i];
    for (int i = 0; i < n && sum > 0; i++) row[i] /= sqrt(sum);
  }
}

/* Z (n x free) from the front of `Q`; the number of its columns, or -1. */
static int null_space(const sn_matrix *A, int n, int m, double **Z) {
  int rank = 0, small = n < m ? n : m, wide = n > m ? n : m;
  double *Q = sn_new((size_t)n * (size_t)wide + 1, sizeof(double)), *tau = sn_new((size_t)small + 1, sizeof(double));
  lapack_int *order = sn_new((size_t)m + 1, sizeof(lapack_int));
  int info = 0;
  if (m > 0) {
    fill_gradients(A, n, m, Q);
    info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, m, Q, n, order, tau);
    while (!info && rank < small && fabs(Q[(size_t)rank * (size_t)(n + 1)]) > 1e-9) rank++;
    if (!info) info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, small, Q, n, tau);
  } else {
    for (int i = 0; i < n; i++) Q[(size_t)i * (size_t)(n + 1)] = 1;
  }
  sn_free(tau);
  sn_free(order);
  if (!info) memmove(Q, Q + (size_t)rank * (size_t)n, sizeof(double) * (size_t)n * (size_t)(n - rank));
  *Z = Q;
  return info ? -1 : n - rank;
}

/* R = Z'A Z, free x free */
static void project(int n, int size, const double *Z, const double *A, double *W, double *R) {
  for (int j = 0; j < size; j++) /* W = A Z */
    for (int i = 0; i < n; i++) {
      const double *a = A + (size_t)i * (size_t)n, *z = Z + (size_t)j * (size_t)n;
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[k] * z[k];
      W[(size_t)i + (size_t)j * (size_t)n] = sum;
    }
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++) {
      const double *w = W + (size_t)j * (size_t)n, *z = Z + (size_t)i * (size_t)n;
      double sum = 0;
      for (int k = 0; k < n; k++) sum += w[k] * z[k];
      R[(size_t)i + (size_t)j * (size_t)size] = sum;
    }
}

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
  int size = null_space(sn_system_matrix(sys), n, sys->m, &Z);
  double *A = sn_new(4 * full + (size_t)n + 1, sizeof(double)), *W = A + full, *K = W + full, *M = K + full,
         *w = M + full;
  modes->method = "dense";
  modes->count = size < count ? size : count;
  if (size >= 0) {
    fill_dense(sn_system_matrix(sys), n, A);
    project(n, size, Z, A, W, K);
    memset(A, 0, full * sizeof(double));
    fill_dense(p->mass, n, A);
    project(n, size, Z, A, W, M);
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
