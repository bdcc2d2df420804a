/* gam_tableau.c - generalized Adams methods (Brugnano & Trigiante; Iavernaro & Mazzia).
 *
 * Order k + 1, k even, on N equal steps of length h/N (here 1):
 *
 *     y_j - y_{j-1} = sum_i beta_ji f_i,   i = j - k/2 .. j + k/2, shifted inward at the ends of the block, j = 1..N
 *
 * beta is the integral of the Lagrange polynomials over the step. Summing up the steps gives the form of tableau.h.
 * N = 4, 6, 8, 9 for k = 2, 4, 6, 8, so that the points of a block carry the formula of order k + 3 (k + 2 for k = 8)
 * too: the difference is the error estimate.
 */
#include <string.h>

#include "integrator/tableau.h"

/* A and b of the formulas over k + 1 points, `back` of them before point j, on a block of N steps. */
static void formulas(int k, int N, int back, double A[][SN_STAGES], double *b) {
  for (int j = 1; j <= N; j++) {
    int first = j - back;
    if (first < 0) first = 0;
    if (first > N - k) first = N - k;
    double x[SN_STAGES + 1], beta[SN_STAGES + 1];
    for (int i = 0; i <= k; i++) x[i] = first + i;
    sn_quadrature_weights(k + 1, x, j - 1, j, beta);
    if (j > 1) {
      memcpy(A[j - 1], A[j - 2], sizeof A[0]);
      b[j - 1] = b[j - 2];
    }
    for (int i = 0; i <= k; i++) {
      if (first + i == 0)
        b[j - 1] += beta[i] / N;
      else
        A[j - 1][first + i - 1] += beta[i] / N;
    }
  }
}

void sn_tableau_gam(sn_tableau *t, int order) {
  static const int steps[] = {4, 6, 8, 9};
  int k = order - 1, N = steps[k / 2 - 1], high = k + 2 <= N ? k + 2 : k + 1;
  memset(t, 0, sizeof *t);
  t->family = SN_GAM;
  t->stages = N;
  t->order = order;
  for (int j = 0; j < N; j++) t->c[j] = (double)(j + 1) / N;
  formulas(k, N, k / 2, t->A, t->b);
  formulas(high, N, high / 2, t->error_A, t->error_b);
  formulas(k - 2, N, (k - 2) / 2, t->lower_A, t->lower_b);
  for (int i = 0; i < N; i++) {
    t->error_b[i] -= t->b[i];
    t->lower_b[i] = t->b[i] - t->lower_b[i];
    for (int j = 0; j < N; j++) {
      t->error_A[i][j] -= t->A[i][j];
      t->lower_A[i][j] = t->A[i][j] - t->lower_A[i][j];
    }
  }
  sn_tableau_decouple(t);
}
