/* floating_turn.c - rotation matrices and their derivatives.
 *
 * In space A(p) = (e0^2 - e.e) I + 2 e e' + 2 e0 skew(e) is a quadratic form; with its polar form
 *   Q(p, r) = 2 (p0 r0 - e.f) I + 2 (e f' + f e') + 2 (p0 skew(f) + r0 skew(e)),   r = (r0, f)
 * A = Q(p,p)/2, dA/dp_k = Q(p,1_k), A' = Q(p,p'), A'' = Q(p,p'') + Q(p',p'). p need not have unit length: A is then
 * scaled by p.p, which makes the inertia of a body regular in all four parameters; on p.p = 1 nothing changes but the
 * multiplier. In the plane A_angle = J A, J = [0, -1; 1, 0].
 */
#include <math.h>
#include <string.h>

#include "body/floating_element.h"

static void polar(const double p[4], const double r[4], double Q[9]) {
  const double *e = p + 1, *f = r + 1;
  double d = 2 * (p[0] * r[0] - e[0] * f[0] - e[1] * f[1] - e[2] * f[2]), w[3];
  for (int k = 0; k < 3; k++) w[k] = 2 * (p[0] * f[k] + r[0] * e[k]);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) Q[3 * a + b] = 2 * (e[a] * f[b] + f[a] * e[b]) + (a == b ? d : 0);
  Q[1] -= w[2], Q[2] += w[1];
  Q[3] += w[2], Q[5] -= w[0];
  Q[6] -= w[1], Q[7] += w[0];
}

static void turn_space(sn_turn *t, const double *p, const double *pd, const double *pdd, double ci) {
  double B[9];
  t->count = 4;
  polar(p, p, t->A);
  polar(p, pd, t->Ad);
  polar(p, pdd, t->Add);
  polar(pd, pd, B);
  for (int i = 0; i < 9; i++) t->A[i] *= 0.5, t->Add[i] = ci * t->Add[i] + B[i];
  for (int k = 0; k < 4; k++) {
    double e[4] = {k == 0, k == 1, k == 2, k == 3};
    polar(p, e, t->Ak[k]);
    polar(pd, e, t->Adk[k]);
    polar(pdd, e, t->Addk[k]);
    for (int i = 0; i < 9; i++) t->Addk[k][i] *= ci;
  }
}

static void turn_plane(sn_turn *t, double angle, double w, double wd) {
  double c = cos(angle), s = sin(angle), A[4] = {c, -s, s, c}, J[4] = {-s, -c, c, -s};
  t->count = 1;
  for (int i = 0; i < 4; i++) {
    t->A[i] = A[i];
    t->Ak[0][i] = J[i];
    t->Ad[i] = w * J[i];
    t->Add[i] = wd * J[i] - w * w * A[i];
    t->Adk[0][i] = -w * A[i];
    t->Addk[0][i] = -wd * A[i] - w * w * J[i];
  }
}

void sn_turn_set(sn_turn *t, int dim, const double *p, const double *pd, const double *pdd, double ci) {
  t->dim = dim;
  if (dim == 3)
    turn_space(t, p, pd, pdd, ci);
  else
    turn_plane(t, p[0], pd[0], ci * pdd[0]);
}

void sn_turn_second(const sn_turn *t, const double *F, double H[4][4]) {
  if (t->dim == 2) {
    H[0][0] = 0;
    for (int i = 0; i < 4; i++) H[0][0] -= t->A[i] * F[i];
    return;
  }
  double trace = F[0] + F[4] + F[8];
  double w[3] = {F[7] - F[5], F[2] - F[6], F[3] - F[1]};
  H[0][0] = 2 * trace;
  for (int i = 0; i < 3; i++) {
    H[0][1 + i] = H[1 + i][0] = 2 * w[i];
    for (int j = 0; j < 3; j++) H[1 + i][1 + j] = 2 * (F[3 * i + j] + F[3 * j + i]) - (i == j ? 2 * trace : 0);
  }
}
