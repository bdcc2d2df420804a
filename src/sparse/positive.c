/* positive.c - the positive semidefinite part of a small matrix: S = V diag(w) V', S+ = V diag(max(w, 0)) V'. */
#include <lapacke.h>
#include <math.h>

#include "sparse/matrix.h"

/* Cholesky of S + shift, which rounding of zero eigenvalues passes; S is lost. */
static bool is_positive(int n, double *S) {
  double trace = 0;
  for (int i = 0; i < n; i++) trace += fabs(S[i * (n + 1)]);
  for (int j = 0; j < n && trace > 0; j++) {
    double *column = S + j * n, pivot = column[j] + 1e-11 * trace;
    for (int k = 0; k < j; k++) pivot -= S[k * n + j] * S[k * n + j];
    if (!(pivot > 0)) return false;
    pivot = 1 / sqrt(pivot);
    column[j] = 1 / pivot;
    for (int i = j + 1; i < n; i++) {
      double x = column[i];
      for (int k = 0; k < j; k++) x -= S[k * n + i] * S[k * n + j];
      column[i] = x * pivot;
    }
  }
  return true;
}

static void symmetric_part(int n, const double *T, int stride, double *S) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) S[j * n + i] = 0.5 * (T[j * stride + i] + T[i * stride + j]);
}

const double *sn_positive_part(int n, const double *T, int *stride, double *room) {
  assert(n >= 0 && *stride >= n);
  double V[SN_POSITIVE_SIZE * SN_POSITIVE_SIZE], w[SN_POSITIVE_SIZE], work[4 * SN_POSITIVE_SIZE];
  if (n > SN_POSITIVE_SIZE) return T;
  symmetric_part(n, T, *stride, V);
  if (is_positive(n, V)) return T;
  symmetric_part(n, T, *stride, V);
  if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, V, n, w, work, SN_COUNT(work)) != 0) return T;
  *stride = n;
  for (int i = 0; i < n * n; i++) room[i] = 0;
  for (int k = 0; k < n; k++)
    for (int j = 0; w[k] > 0 && j < n; j++)
      for (int i = 0; i < n; i++) room[j * n + i] += w[k] * V[k * n + i] * V[k * n + j];
  return room;
}
