/* ccp_newton.c - Newton's method on the residual, from a good start to rounding, also for Coulomb's law.
 *
 *     F(x) = x - P(u),   u = x - (y + s n),   y = N x + r        s given, or mu |yt|
 *     J = I - V (I - S N),   V = dP/du,   S = I + n mu yt'/|yt|, or I
 *
 * F has kinks where a contact begins to touch or to slide: J is that of one side. Redundant contacts make J singular,
 * so that the step is that of Levenberg and Marquardt, (J'J + |F|^2 I) dx = -J'F, which converges quadratically as long
 * as |F| bounds the distance to the set of solutions.
 */
#include <lapacke.h>

#include "contact/ccp_dense.h"

/* V of one cone, by rows */
static void projection_slope(double mu, const double u[3], double V[9]) {
  double t = hypot(u[1], u[2]), n = (mu * t + u[0]) / (mu * mu + 1);
  memset(V, 0, 9 * sizeof *V);
  if (mu == 0) {
    V[0] = u[0] > 0;
  } else if (u[0] >= 0 && t <= mu * u[0]) {
    V[0] = V[4] = V[8] = 1;
  } else if (n > 0) { /* P = n (1, mu e), e = ut/t */
    double e[3] = {1, mu * u[1] / t, mu * u[2] / t};
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) V[3 * a + b] = e[a] * e[b] / (mu * mu + 1);
    for (int a = 1; a < 3; a++)
      for (int b = 1; b < 3; b++) V[3 * a + b] += mu * n / t * ((a == b) - u[a] * u[b] / (t * t));
  }
}

/* F, and J by rows */
static double linearize(const sn_dense *p, const double *given, double *F, double *J) {
  size_t n = 3 * (size_t)p->count;
  double sum = 0;
  for (size_t i = 0; i < n; i += 3) {
    const double *x = p->x + i, *y = p->y + i;
    double mu = p->mu[i / 3], t = hypot(y[1], y[2]), s = given ? given[i] : mu * t, V[9];
    double u[3] = {x[0] - y[0] - s, x[1] - y[1], x[2] - y[2]}, slope[3] = {1, 0, 0}; /* of y + s n along n */
    if (!given && t > 0) slope[1] = mu * y[1] / t, slope[2] = mu * y[2] / t;
    projection_slope(mu, u, V);
    sn_cone_project(mu, u);
    for (size_t a = 0; a < 3; a++) F[i + a] = x[a] - u[a], sum += F[i + a] * F[i + a];
    for (size_t j = 0; j < n; j++) {
      const double *N = p->N + j * n + i; /* column j of the rows of this contact */
      double d[3] = {slope[0] * N[0] + slope[1] * N[1] + slope[2] * N[2], N[1], N[2]};
      if (j >= i && j < i + 3) d[j - i] -= 1;
      for (size_t a = 0; a < 3; a++) J[(i + a) * n + j] = (j == i + a) + sn_dot(V + 3 * a, d);
    }
  }
  return sum;
}

/* A = J'J + small I, its upper triangle, row after row of J; dx = -A^-1 J'F */
static bool solve(size_t n, double small, const double *F, const double *J, double *A, double *dx) {
  memset(dx, 0, n * sizeof *dx);
  memset(A, 0, n * n * sizeof *A);
  for (size_t k = 0; k < n; k++) {
    const double *row = J + k * n;
    for (size_t i = 0; i < n; i++) {
      double f = row[i], *to = A + i * n;
      if (f == 0) continue;
      dx[i] -= f * F[k];
      for (size_t j = i; j < n; j++) to[j] += f * row[j];
    }
  }
  for (size_t i = 0; i < n; i++) A[i * n + i] += small;
  lapack_int size = (lapack_int)n;
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, A, size) != 0) return false;
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', size, 1, A, size, dx, size);
  return true;
}

int sn_dense_newton(sn_dense *p, const double *given, double tolerance, double *room, sn_ccp_result *result) {
  size_t n = 3 * (size_t)p->count;
  double *J = room, *A = J + n * n, *F = A + n * n, *dx = F + n, *best = dx + n;
  sn_ccp_result now;
  int k = 0;
  sn_dense_rates(p);
  sn_dense_judge(p, given, result);
  for (; k < 10 && result->residual > tolerance; k++) {
    memcpy(best, p->x, n * sizeof *best);
    double square = linearize(p, given, F, J);
    if (!solve(n, fmax(square, 1e-14), F, J, A, dx)) break;
    for (size_t i = 0; i < n; i++) p->x[i] += dx[i];
    sn_dense_rates(p);
    sn_dense_step(p, given);
    sn_dense_judge(p, given, &now);
    if (!(now.residual < 0.5 * result->residual)) break;
    result->residual = now.residual, result->worst = now.worst;
  }
  if (k < 10 && result->residual > tolerance) memcpy(p->x, best, n * sizeof *best);
  return k;
}
