/* tableau.c - for both families of block methods: quadrature weights, eigenvalues of small matrices. */
#include "integrator/tableau.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/constants.h"

/* ---- polynomials ---- */

/* Gauss-Legendre on [-1, 1] by Newton's iteration on the Legendre polynomial P_n. */
enum { GAUSS = 8 }; /* exact to degree 15 */

static void gauss(double x[GAUSS], double w[GAUSS]) {
  const double pi = SN_PI;
  for (int i = 0; i < GAUSS; i++) {
    double z = -cos(pi * (i + 0.75) / (GAUSS + 0.5)), slope = 1;
    for (int k = 0; k < 10; k++) {
      double p = 1, before = 0;
      for (int n = 0; n < GAUSS; n++) { /* (n+1) P_{n+1} = (2n+1) z P_n - n P_{n-1} */
        double next = ((2 * n + 1) * z * p - n * before) / (n + 1);
        before = p;
        p = next;
      }
      slope = GAUSS * (z * p - before) / (z * z - 1);
      z -= p / slope;
    }
    x[i] = z;
    w[i] = 2 / ((1 - z * z) * slope * slope);
  }
}

void sn_lagrange(int count, const double *x, double at, double *l) {
  assert(count > 0 && count <= SN_NODES);
  for (int i = 0; i < count; i++) {
    l[i] = 1;
    for (int j = 0; j < count; j++)
      if (j != i) l[i] *= (at - x[j]) / (x[i] - x[j]);
  }
}

void sn_quadrature_weights(int count, const double *x, double from, double to, double *w) {
  assert(count > 0 && count <= SN_NODES);
  double z[GAUSS], gw[GAUSS], l[SN_NODES], half = (to - from) / 2;
  gauss(z, gw);
  for (int i = 0; i < count; i++) w[i] = 0;
  for (int k = 0; k < GAUSS; k++) {
    sn_lagrange(count, x, from + half * (1 + z[k]), l);
    for (int i = 0; i < count; i++) w[i] += half * gw[k] * l[i];
  }
}

/* ---- small complex matrices ---- */

void sn_solve_small(int s, sn_square A, int columns, sn_square X) {
  assert(s > 0 && s <= SN_STAGES && columns > 0 && columns <= SN_STAGES);
  for (int k = 0; k < s; k++) {
    int p = k;
    for (int i = k + 1; i < s; i++)
      if (cabs(A[i][k]) > cabs(A[p][k])) p = i;
    for (int j = 0; j < s; j++) {
      double complex swap = A[k][j];
      A[k][j] = A[p][j], A[p][j] = swap;
    }
    for (int j = 0; j < columns; j++) {
      double complex swap = X[k][j];
      X[k][j] = X[p][j], X[p][j] = swap;
    }
    for (int i = 0; i < s; i++) {
      if (i == k) continue;
      double complex f = A[i][k] / A[k][k];
      for (int j = k; j < s; j++) A[i][j] -= f * A[k][j];
      for (int j = 0; j < columns; j++) X[i][j] -= f * X[k][j];
    }
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < columns; j++) X[i][j] /= A[i][i];
}

/* S = z I - A */
static void shift(const sn_tableau *t, double complex z, sn_square S) {
  for (int i = 0; i < t->stages; i++)
    for (int j = 0; j < t->stages; j++) S[i][j] = (i == j ? z : 0) - t->A[i][j];
}

static void identity(int s, sn_square X) {
  memset(X, 0, sizeof(sn_square));
  for (int i = 0; i < s; i++) X[i][i] = 1;
}

/* All eigenvalues of A at once by Aberth's iteration on p(z) = det(z I - A): p'/p = trace((z I - A)^-1), and
 *     z_i -= 1/(p'/p - sum_{j != i} 1/(z_i - z_j)) */
static void eigenvalues(const sn_tableau *t, double complex *z) {
  int s = t->stages;
  for (int i = 0; i < s; i++) z[i] = 0.2 * cexp(I * (2 * SN_PI * i / s + 0.4));
  for (int k = 0; k < 200; k++) {
    double moved = 0;
    for (int i = 0; i < s; i++) {
      sn_square S, X;
      shift(t, z[i], S);
      identity(s, X);
      sn_solve_small(s, S, s, X);
      double complex slope = 0;
      for (int j = 0; j < s; j++) slope += X[j][j];
      for (int j = 0; j < s; j++)
        if (j != i) slope -= 1 / (z[i] - z[j]);
      double complex step = 1 / slope;
      if (!isfinite(creal(step)) || !isfinite(cimag(step))) continue; /* on an eigenvalue to the last bit */
      z[i] -= step;
      moved = fmax(moved, cabs(step) / cabs(z[i]));
    }
    if (moved < 1e-14) break;
  }
}

/* Eigenvector by two inverse iterations, largest entry 1. */
static void eigenvector(const sn_tableau *t, double complex z, double complex *x) {
  int s = t->stages;
  sn_square X;
  for (int i = 0; i < s; i++) X[i][0] = 1 + 0.1 * i;
  for (int k = 0; k < 2; k++) {
    sn_square S;
    shift(t, z * (1 + 1e-13), S);
    sn_solve_small(s, S, 1, X);
    double complex most = X[0][0];
    for (int i = 1; i < s; i++)
      if (cabs(X[i][0]) > cabs(most)) most = X[i][0];
    for (int i = 0; i < s; i++) X[i][0] /= most;
  }
  for (int i = 0; i < s; i++) x[i] = X[i][0];
}

/* Order: real ones first, then pairs by their upper member; the lower members come last. */
void sn_tableau_decouple(sn_tableau *t) {
  assert(t->stages > 0 && t->stages <= SN_STAGES && t->c[t->stages - 1] == 1);
  int s = t->stages, at = 0;
  double complex z[SN_STAGES], all[SN_STAGES];
  eigenvalues(t, z);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < s; i++) {
      bool real = fabs(cimag(z[i])) < 1e-10 * cabs(z[i]);
      if (pass == 0 && real) all[at++] = creal(z[i]);
      if (pass == 1 && !real && cimag(z[i]) > 0) all[at++] = z[i];
    }
  t->shifts = at;
  for (int i = 0; i < t->shifts && at < s; i++)
    if (cimag(all[i]) != 0) all[at++] = conj(all[i]);
  assert(at == s); /* complex eigenvalues come in pairs */
  sn_square T, X;
  for (int k = 0; k < s; k++) {
    double complex x[SN_STAGES];
    eigenvector(t, all[k], x);
    for (int i = 0; i < s; i++) T[i][k] = x[i];
  }
  for (int k = 0; k < t->shifts; k++) {
    t->lambda[k] = 1 / all[k];
    for (int i = 0; i < s; i++) t->T[i][k] = T[i][k];
  }
  identity(s, X);
  sn_solve_small(s, T, s, X);
  for (int k = 0; k < t->shifts; k++)
    for (int i = 0; i < s; i++) t->inverse[k][i] = X[k][i];
  for (int i = 0; i < s; i++) { /* |T| |T^-1| 1; columns of T have the norm 1 */
    double sum = 0;
    for (int k = 0; k < t->shifts; k++)
      for (int j = 0; j < s; j++) sum += (cimag(t->lambda[k]) == 0 ? 1 : 2) * cabs(t->T[i][k]) * cabs(t->inverse[k][j]);
    t->amplify = fmax(t->amplify, sum);
  }
}

/* Y = y0 (1 + z b) + z A Y; R = Y_s/y0 */
double complex sn_tableau_stability(const sn_tableau *t, double complex z) {
  sn_square S, X;
  for (int i = 0; i < t->stages; i++) {
    for (int j = 0; j < t->stages; j++) S[i][j] = (i == j) - z * t->A[i][j];
    X[i][0] = 1 + z * t->b[i];
  }
  sn_solve_small(t->stages, S, 1, X);
  return X[t->stages - 1][0];
}
