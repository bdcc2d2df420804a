/* dense.c - block matrices as full ones, on the motions that constraints allow; see dense.h. */
#include "analysis/dense.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

void sn_dense_fill(const sn_matrix *A, int n, bool symmetric, double *D) {
  memset(D, 0, sizeof(double) * (size_t)n * (size_t)n);
  for (int j = 0; j < A->groups; j++)
    for (int b = A->column[j]; b < A->column[j + 1]; b++) {
      int i = A->row[b];
      if (A->constraint[i] || A->constraint[j]) continue;
      const double *lower = A->value + A->lower[b], *upper = A->upper ? A->value + A->upper[b] : NULL;
      for (int c = 0; c < A->size[j]; c++)
        for (int r = 0; r < A->size[i]; r++) {
          size_t row = (size_t)A->first[i] + (size_t)r, column = (size_t)A->first[j] + (size_t)c;
          double value = lower[r + A->size[i] * c];
          D[row + column * (size_t)n] = value;
          if (i != j) D[column + row * (size_t)n] = upper ? upper[c + A->size[j] * r] : value;
        }
    }
  for (int j = 0; symmetric && j < n; j++) /* a diagonal block may be unsymmetric: its symmetric part */
    for (int i = 0; i < j; i++) {
      size_t a = (size_t)i + (size_t)j * (size_t)n, b = (size_t)j + (size_t)i * (size_t)n;
      D[a] = D[b] = (D[a] + D[b]) / 2;
    }
}

void sn_dense_gradients(const sn_matrix *A, int n, int m, double *T) {
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

int sn_dense_complement(int n, int m, const double *T, double **Z) {
  int rank = 0, small = n < m ? n : m, wide = n > m ? n : m, info = 0;
  double *Q = sn_new((size_t)n * (size_t)wide + 1, sizeof(double)), *tau = sn_new((size_t)small + 1, sizeof(double));
  lapack_int *order = sn_new((size_t)m + 1, sizeof(lapack_int));
  if (m > 0) {
    memcpy(Q, T, sizeof(double) * (size_t)n * (size_t)m);
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

int sn_dense_null_space(const sn_matrix *A, int n, int m, double **Z) {
  double *T = sn_new((size_t)n * (size_t)m + 1, sizeof(double));
  sn_dense_gradients(A, n, m, T);
  const int size = sn_dense_complement(n, m, T, Z);
  sn_free(T);
  return size;
}

void sn_dense_project(int n, int size, const double *Z, const double *A, double *W, double *R) {
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
