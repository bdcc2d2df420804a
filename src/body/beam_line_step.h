/* beam_line_step.h - strains of `elastic-line` over a step of an energy-momentum method: the ends of the step are X - d
 * and X + d, X in the middle and d = h X'/2. Means over the ends are written _, divided differences [].
 *
 * eps is quadratic: the mean of the strain, with the gradient in the middle. For the curvature f = (u x w).m
 * A B, A = (u.u)^-1, B = N^-1/2, N of sn_line_length, the energy k/2 (f - f0)^2 has two parts.
 *
 * f^2 is a function of products of vectors, a gradient made of their means turns with the element: with J = 1/N
 *   f^2 = A^2 J (mm S - V),   S = uu ww - uw^2,   V = ww um^2 - 2 uw um wm + uu wm^2
 *   V1 - V0 = (um^2)_ ww' + (wm^2)_ uu' - 2 (um wm)_ uw' + 2 (ww_ um_ - uw_ wm_) um' + 2 (uu_ wm_ - uw_ um_) wm'
 *   J[N] = -J0 J1,   A^2[uu] = -A0 A1 (A0 + A1)                    (uu' and so on: the changes)
 *
 * f itself is not, as it changes its sign in a mirror:
 *   c = (u x w).m:  c1 - c0 = 2 (w x m + dw x dm/3).du + ..., in turn,   A[uu] = -A0 A1,  B[N] = -B0^2 B1^2/(B0 + B1)
 * The thirds have a moment that is not balanced: where f0 is not 0, at rest or by shear, angular momentum is kept to
 * the second order of the step only.
 */
#ifndef SN_BEAM_LINE_STEP_H
#define SN_BEAM_LINE_STEP_H

#include "body/beam_pack.h"
#include "math/gauss.h"

enum { SN_LINE_EPS = -1, SN_LINE_KY, SN_LINE_KZ, SN_LINE_TAU };
/* u, w, m, g, and m, g of the other section vector */
#define SN_LINE_SLOTS(which) \
  { 0, SN_W, 3 + (which), 1 + (which), 4 - (which), 2 - (which) }

/* q = s (1 - s) of a bending point */
SN_INLINE double sn_line_bow(int point) {
  return sn_gauss3_points[point] * (1 - sn_gauss3_points[point]);
}

/* What the mean of eps has more than in the middle. */
SN_INLINE sn_vd sn_line_axial_step(const sn_v3 Xd[], double step) {
  return step * step / 8 * sn_v3_dot(Xd[0], Xd[0]);
}

/* Squared length of m = r_y or r_z without what bending takes. Between the nodes, which turn against each other by the change
 * g of m, m is shorter: by twist, which shortens both section vectors alike and so f; and by bending, which shortens m
 * in its plane only, where u x w points across it. With m, g of the other section vector, m', g',
 *   N = m.m + q (g.g - t^2),   q = s (1 - s),   t = (m'.g - m.g')/2: the sine of the twist */
typedef struct sn_line_length {
  sn_vd N, t;
  sn_v3 turn[4], n[4]; /* gradient of t, half that of N, with respect to m, g, m', g' */
} sn_line_length;

/* t: what stands for it in the gradient of t^2/2 */
SN_INLINE void sn_line_length_gradient(const sn_v3 v[6], double q, sn_vd t, sn_line_length *y) {
  sn_vd half = sn_vd_all(0.5);
  y->turn[0] = sn_v3_scale(-half, v[5]), y->turn[1] = sn_v3_scale(half, v[4]);
  y->turn[2] = sn_v3_scale(half, v[3]), y->turn[3] = sn_v3_scale(-half, v[2]);
  for (int i = 0; i < 4; i++) y->n[i] = sn_v3_scale(-q * t, y->turn[i]);
  y->n[0] = sn_v3_add(y->n[0], v[2]);
  sn_v3_axpy(&y->n[1], q, v[3]);
}

SN_INLINE sn_line_length sn_line_length_at(const sn_v3 v[6], double q) {
  sn_line_length y;
  y.t = 0.5 * (sn_v3_dot(v[4], v[3]) - sn_v3_dot(v[2], v[5]));
  y.N = sn_v3_dot(v[2], v[2]) + q * (sn_v3_dot(v[3], v[3]) - y.t * y.t);
  sn_line_length_gradient(v, q, y.t, &y);
  return y;
}

/* Products at one end. */
typedef struct sn_line_end {
  sn_vd uu, ww, mm, uw, um, wm, S, P, A, B, J, c, t;
} sn_line_end;

/* y = u, w, m, g, m', g' */
SN_INLINE sn_line_end sn_line_end_at(const sn_v3 y[6], double q) {
  sn_v3 u = y[0], w = y[1], m = y[2];
  sn_line_end e = {.uu = sn_v3_dot(u, u), .ww = sn_v3_dot(w, w), .mm = sn_v3_dot(m, m), .uw = sn_v3_dot(u, w)};
  e.um = sn_v3_dot(u, m), e.wm = sn_v3_dot(w, m);
  e.S = e.uu * e.ww - e.uw * e.uw;
  e.P = e.mm * e.S - (e.ww * e.um * e.um - 2 * e.uw * e.um * e.wm + e.uu * e.wm * e.wm);
  e.A = 1 / e.uu;
  const sn_line_length N = sn_line_length_at(y, q);
  e.J = 1 / N.N;
  e.t = N.t;
  e.B = sn_vd_sqrt(e.J);
  e.c = sn_v3_dot(sn_v3_cross(u, w), m);
  return e;
}

#define SN_MEAN(field) (0.5 * (e[0].field + e[1].field))
#define SN_MEAN2(a, b) (0.5 * (e[0].a * e[0].b + e[1].a * e[1].b))

/* f += s times the discrete gradient of f^2/2 with respect to y; n: half that of N */
SN_INLINE void sn_line_square_step(const sn_line_end e[2], const sn_v3 y[6], const sn_v3 n[4], sn_vd s, sn_v3 f[6]) {
  sn_vd AA = 0.25 * s * (e[0].A * e[0].A * e[0].J + e[1].A * e[1].A * e[1].J), AM = AA * SN_MEAN(mm);
  sn_vd umum = SN_MEAN2(um, um), wmwm = SN_MEAN2(wm, wm), umwm = SN_MEAN2(um, wm), P = 0.5 * s * SN_MEAN(P);
  sn_vd uu = AM * SN_MEAN(ww) - AA * wmwm - P * SN_MEAN(J) * e[0].A * e[1].A * (e[0].A + e[1].A);
  sn_vd ww = AM * SN_MEAN(uu) - AA * umum, uw = -2 * AM * SN_MEAN(uw) + 2 * AA * umwm;
  sn_vd um = -2 * AA * (SN_MEAN(ww) * SN_MEAN(um) - SN_MEAN(uw) * SN_MEAN(wm));
  sn_vd wm = -2 * AA * (SN_MEAN(uu) * SN_MEAN(wm) - SN_MEAN(uw) * SN_MEAN(um));
  sn_vd N = -P * SN_MEAN2(A, A) * e[0].J * e[1].J, mm = AA * SN_MEAN(S);
  sn_v3 u = y[0], w = y[1], m = y[2];
  f[0] = sn_v3_add(f[0], sn_v3_add(sn_v3_scale(2 * uu, u), sn_v3_add(sn_v3_scale(uw, w), sn_v3_scale(um, m))));
  f[1] = sn_v3_add(f[1], sn_v3_add(sn_v3_scale(uw, u), sn_v3_add(sn_v3_scale(2 * ww, w), sn_v3_scale(wm, m))));
  f[2] = sn_v3_add(f[2], sn_v3_add(sn_v3_scale(um, u), sn_v3_add(sn_v3_scale(wm, w), sn_v3_scale(2 * mm, m))));
  for (int i = 0; i < 4; i++) f[2 + i] = sn_v3_add(f[2 + i], sn_v3_scale(2 * N, n[i]));
}

/* f += s times that of f; d: half the changes of y */
SN_INLINE void sn_line_plain_step(const sn_line_end e[2], const sn_v3 y[6], const sn_v3 d[6], const sn_v3 n[4], sn_vd s,
                                  sn_v3 f[6]) {
  sn_vd third = sn_vd_all(1.0 / 3), R = s * SN_MEAN2(A, B), c = s * (e[0].c + e[1].c), BB = e[0].B * e[1].B;
  sn_vd N = -c * SN_MEAN(A) * BB * BB / (e[0].B + e[1].B);
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    sn_v3 cross = sn_v3_add(sn_v3_cross(y[a], y[b]), sn_v3_scale(third, sn_v3_cross(d[a], d[b])));
    f[k] = sn_v3_add(f[k], sn_v3_scale(R, cross));
  }
  f[0] = sn_v3_add(f[0], sn_v3_scale(-c * SN_MEAN(B) * e[0].A * e[1].A, y[0]));
  for (int i = 0; i < 4; i++) f[2 + i] = sn_v3_add(f[2 + i], sn_v3_scale(N, n[i]));
}

/* Q += force of k/2 (f - f0)^2 over the step, and of the viscous strain. Their two sorts are added up before they are
 * spread. f0 may change over the step (the lag of the sections): it is its mean, and the force on it, returned, is the
 * mean of k (f - f0). */
static __attribute__((noinline)) sn_vd sn_line_curvature_step(const sn_v3 X[], const sn_v3 Xd[], double step, int which,
                                                              double q, sn_vd k, sn_vd f0, sn_vd viscous, sn_v3 Q[]) {
  const int at[6] = SN_LINE_SLOTS(which);
  sn_v3 y[6], d[6], f[6], from[6], to[6];
  sn_line_length N;
  for (int i = 0; i < 6; i++) {
    y[i] = X[at[i]];
    d[i] = sn_v3_scale(sn_vd_all(0.5 * step), Xd[at[i]]);
    f[i] = Q[at[i]];
    from[i] = sn_v3_sub(y[i], d[i]), to[i] = sn_v3_add(y[i], d[i]);
  }
  const sn_line_end e[2] = {sn_line_end_at(from, q), sn_line_end_at(to, q)};
  sn_line_length_gradient(y, q, SN_MEAN(t), &N);
  sn_line_square_step(e, y, N.n, k, f);
  sn_line_plain_step(e, y, d, N.n, k * (viscous - f0), f);
  for (int i = 0; i < 6; i++) Q[at[i]] = f[i];
  return k * (0.5 * (e[0].c * e[0].A * e[0].B + e[1].c * e[1].A * e[1].B) - f0 + viscous);
}

#endif
