/* quat.h - Euler parameters p = (e0, e), scalar first.
 *
 *     G(p) = [-e, e0 I - skew(e)]    E(p) = [-e, e0 I + skew(e)]    A = E G^T    w_body = 2 G pdot
 *
 * All of these are linear in p (A is quadratic), which makes their derivatives short. For a constant vector s
 *
 *     A(p) s = B(p,s) p,   d(A s) = 2 B(p,s) dp,   B(p,s) = [e0 s + e x s,  e s^T + (e.s) I - s e^T - e0 skew(s)]
 *
 * B is 3x4. This holds for p of any length: A(p) s is homogeneous of degree 2.
 */
#ifndef SN_QUAT_H
#define SN_QUAT_H

#include "math/vec3.h"

/* Of length 1, as sn_is_unit */
static inline bool sn_is_unit_quat(const double p[4]) {
  return !(fabs(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1) > SN_UNIT_ERROR);
}

/* y = G(p) x, 3 from 4: G x = -e x0 + e0 xv - e x xv */
static inline void sn_quat_G(const double p[4], const double x[4], double y[3]) {
  y[0] = -p[1] * x[0] + p[0] * x[1] - (p[2] * x[3] - p[3] * x[2]);
  y[1] = -p[2] * x[0] + p[0] * x[2] - (p[3] * x[1] - p[1] * x[3]);
  y[2] = -p[3] * x[0] + p[0] * x[3] - (p[1] * x[2] - p[2] * x[1]);
}

/* y = G(p)^T n, 4 from 3: (-e.n, e0 n + e x n) */
static inline void sn_quat_Gt(const double p[4], const double n[3], double y[4]) {
  y[0] = -(p[1] * n[0] + p[2] * n[1] + p[3] * n[2]);
  y[1] = p[0] * n[0] + (p[2] * n[2] - p[3] * n[1]);
  y[2] = p[0] * n[1] + (p[3] * n[0] - p[1] * n[2]);
  y[3] = p[0] * n[2] + (p[1] * n[1] - p[2] * n[0]);
}

/* G as a matrix, G[3][4] */
static inline void sn_quat_G_matrix(const double p[4], double G[3][4]) {
  double M[3][4] = {{-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) G[i][j] = M[i][j];
}

/* The 4x4 matrix T(n) with G(x)^T n = T(n) x for every x: [0, -n^T; n, -skew(n)]; antisymmetric. */
static inline void sn_quat_T(const double n[3], double T[4][4]) {
  double M[4][4] = {{0, -n[0], -n[1], -n[2]}, {n[0], 0, n[2], -n[1]}, {n[1], -n[2], 0, n[0]}, {n[2], n[1], -n[0], 0}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) T[i][j] = M[i][j];
}

/* B(p,s) above, B[3][4] */
static inline void sn_quat_B(const double p[4], const double s[3], double B[3][4]) {
  const double *e = p + 1;
  double c[3], es = sn_dot(e, s);
  sn_cross(c, e, s);
  for (int i = 0; i < 3; i++) {
    B[i][0] = p[0] * s[i] + c[i];
    for (int j = 0; j < 3; j++) B[i][1 + j] = e[i] * s[j] - s[i] * e[j];
    B[i][1 + i] += es;
  }
  /* - e0 skew(s) */
  B[0][2] += p[0] * s[2];
  B[0][3] -= p[0] * s[1];
  B[1][1] -= p[0] * s[2];
  B[1][3] += p[0] * s[0];
  B[2][1] += p[0] * s[1];
  B[2][2] -= p[0] * s[0];
}

/* y = A(p) s = (e0^2 - e.e) s + 2 (e.s) e + 2 e0 e x s */
static inline void sn_quat_rotate(const double p[4], const double s[3], double y[3]) {
  const double *e = p + 1, d = p[0] * p[0] - sn_dot(e, e), es = 2 * sn_dot(e, s), w = 2 * p[0];
  double c[3];
  sn_cross(c, e, s);
  const double turned[3] = {d * s[0] + es * e[0] + w * c[0], d * s[1] + es * e[1] + w * c[1],
                            d * s[2] + es * e[2] + w * c[2]};
  sn_copy(y, turned);
}

/* y = B(p,s) x = x0 (e0 s + e x s) + (s.x) e - (e.x) s + (e.s) x - e0 s x x */
static inline void sn_quat_B_times(const double p[4], const double s[3], const double x[4], double y[3]) {
  const double *e = p + 1, es = sn_dot(e, s), sx = sn_dot(s, x + 1), d = p[0] * x[0] - sn_dot(e, x + 1);
  double c[3], t[3];
  sn_cross(c, e, s);
  sn_cross(t, s, x + 1);
  for (int k = 0; k < 3; k++) y[k] = d * s[k] + x[0] * c[k] + sx * e[k] + es * x[1 + k] - p[0] * t[k];
}

/* f += g B(p,s)'n = g (e0 n.s + n.(e x s), (e.n) s + (e.s) n - (n.s) e + e0 s x n) */
static inline void sn_quat_add_Bt(const double p[4], const double s[3], double g, const double n[3], double f[4]) {
  const double *e = p + 1, en = g * sn_dot(e, n), es = g * sn_dot(e, s), ns = g * sn_dot(n, s), w = g * p[0];
  double c[3];
  sn_cross(c, s, n);
  f[0] += p[0] * ns + g * sn_dot(e, c);
  for (int k = 0; k < 3; k++) f[1 + k] += en * s[k] + es * n[k] - ns * e[k] + w * c[k];
}

/* y = A(p)^T s, for unit p */
static inline void sn_quat_unrotate(const double p[4], const double s[3], double y[3]) {
  double c[4] = {p[0], -p[1], -p[2], -p[3]};
  sn_quat_rotate(c, s, y);
}

/* f += 2 E(pm)^T m/(p0.p1), pm the middle of p0 and p1: the force on p with f.(p1 - p0) = m.c for Cayley's vector c =
 * 2 tan(turn/2) n of the turn from p0 to p1 */
static inline void sn_quat_add_moment(const double p0[4], const double p1[4], const double m[3], double f[4]) {
  double p[4], s = 0;
  for (int k = 0; k < 4; k++) p[k] = 0.5 * (p0[k] + p1[k]), s += p0[k] * p1[k];
  s = 2 / s;
  f[0] -= s * (p[1] * m[0] + p[2] * m[1] + p[3] * m[2]);
  f[1] += s * (p[0] * m[0] - (p[2] * m[2] - p[3] * m[1]));
  f[2] += s * (p[0] * m[1] - (p[3] * m[0] - p[1] * m[2]));
  f[3] += s * (p[0] * m[2] - (p[1] * m[1] - p[2] * m[0]));
}

/* c: the turn by h w, |h w| of any size */
static inline void sn_quat_of_turn(const double w[3], double h, double c[4]) {
  double angle = fabs(h) * sqrt(sn_dot(w, w)), half = angle / 2;
  double s = h / 2 * (angle < 1e-4 ? 1 - half * half / 6 : sin(half) / half);
  c[0] = cos(half);
  for (int k = 0; k < 3; k++) c[1 + k] = s * w[k];
}

/* p1 = p0 c, of length 1: turned by h w, w in the axes that turn */
static inline void sn_quat_turn(const double p0[4], const double w[3], double h, double p1[4]) {
  double c[4], v[3], n = 0;
  sn_quat_of_turn(w, h, c);
  sn_cross(v, p0 + 1, c + 1);
  p1[0] = p0[0] * c[0] - sn_dot(p0 + 1, c + 1);
  for (int k = 0; k < 3; k++) p1[1 + k] = p0[0] * c[1 + k] + c[0] * p0[1 + k] + v[k];
  for (int k = 0; k < 4; k++) n += p1[k] * p1[k];
  n = 1 / sqrt(n);
  for (int k = 0; k < 4; k++) p1[k] *= n;
}

/* tan(a/2)/(a/2) */
static inline double sn_half_tangent(double a) {
  return a == 0 ? 1 : tan(a / 2) / (a / 2);
}

/* Quaternion of the rotation that takes x to the unit vector u (shortest way). */
static inline void sn_quat_from_x(const double u[3], double p[4]) {
  assert(sn_is_unit(u));
  /* p ~ (1 + x.u, x x u); opposite direction: half a turn about z */
  double w = 1 + u[0];
  if (w < 1e-12) {
    p[0] = p[1] = p[2] = 0;
    p[3] = 1;
    return;
  }
  double n = sqrt(w * w + u[1] * u[1] + u[2] * u[2]);
  p[0] = w / n;
  p[1] = 0;
  p[2] = -u[2] / n;
  p[3] = u[1] / n;
}

#endif
