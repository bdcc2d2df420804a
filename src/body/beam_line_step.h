/* beam_line_step.h - strains of `elastic-line` over a step of an energy-momentum method: the ends of the step are X - d
 * and X + d, X in the middle and d = h X'/2. Means over the ends are written _, divided differences [].
 *
 * eps and tau are quadratic: the mean of the strain, with the gradient in the middle. For the curvature f = (u x w).m A
 * B, A = (u.u)^-1, B = (m.m)^-1/2, the energy k/2 (f - f0)^2 has two parts.
 *
 * f^2 is a function of products of vectors, a gradient made of their means turns with the element: with J = (m.m)^-1
 *   f^2 = A^2 (S - J V),   S = uu ww - uw^2,   V = ww um^2 - 2 uw um wm + uu wm^2
 *   V1 - V0 = (um^2)_ ww' + (wm^2)_ uu' - 2 (um wm)_ uw' + 2 (ww_ um_ - uw_ wm_) um' + 2 (uu_ wm_ - uw_ um_) wm'
 *   J[mm] = -J0 J1,   A^2[uu] = -A0 A1 (A0 + A1)                   (uu' and so on: the changes)
 *
 * f itself is not, as it changes its sign in a mirror:
 *   c = (u x w).m:  c1 - c0 = 2 (w x m + dw x dm/3).du + ..., in turn,   A[uu] = -A0 A1,  B[mm] = -B0^2 B1^2/(B0 + B1)
 * The thirds have a moment that is not balanced: where f0 is not 0, at rest or by shear, angular momentum is kept to
 * the second order of the step only.
 */
#ifndef SN_BEAM_LINE_STEP_H
#define SN_BEAM_LINE_STEP_H

#include "body/beam_pack.h"

enum { SN_LINE_EPS = -1, SN_LINE_KY, SN_LINE_KZ, SN_LINE_TAU };

/* What the mean of eps or tau has more than in the middle. */
SN_INLINE sn_vd sn_line_quadratic_step(int which, const sn_v3 Xd[], double step) {
  double tt = step * step / 8;
  if (which == SN_LINE_EPS) return tt * sn_v3_dot(Xd[0], Xd[0]);
  return tt * (sn_v3_dot(Xd[4], Xd[1]) - sn_v3_dot(Xd[3], Xd[2]));
}

/* Products at one end. */
typedef struct sn_line_end {
  sn_vd uu, ww, mm, uw, um, wm, S, V, A, B, c;
} sn_line_end;

SN_INLINE sn_line_end sn_line_end_at(sn_v3 u, sn_v3 w, sn_v3 m) {
  sn_line_end e = {.uu = sn_v3_dot(u, u), .ww = sn_v3_dot(w, w), .mm = sn_v3_dot(m, m), .uw = sn_v3_dot(u, w)};
  e.um = sn_v3_dot(u, m), e.wm = sn_v3_dot(w, m);
  e.S = e.uu * e.ww - e.uw * e.uw;
  e.V = e.ww * e.um * e.um - 2 * e.uw * e.um * e.wm + e.uu * e.wm * e.wm;
  e.A = 1 / e.uu;
  e.B = 1 / sn_vd_sqrt(e.mm);
  e.c = sn_v3_dot(sn_v3_cross(u, w), m);
  return e;
}

#define SN_MEAN(field) (0.5 * (e[0].field + e[1].field))

/* g += s times the discrete gradient of f^2/2 with respect to u, w, m */
SN_INLINE void sn_line_square_step(const sn_line_end e[2], sn_v3 u, sn_v3 w, sn_v3 m, sn_vd s, sn_v3 g[3]) {
  sn_vd J0 = e[0].B * e[0].B, J1 = e[1].B * e[1].B, J = 0.5 * (J0 + J1);
  sn_vd AA = 0.5 * s * 0.5 * (e[0].A * e[0].A + e[1].A * e[1].A), AJ = AA * J;
  sn_vd P = 0.5 * (e[0].S - J0 * e[0].V + e[1].S - J1 * e[1].V);
  sn_vd umum = 0.5 * (e[0].um * e[0].um + e[1].um * e[1].um), wmwm = 0.5 * (e[0].wm * e[0].wm + e[1].wm * e[1].wm);
  sn_vd umwm = 0.5 * (e[0].um * e[0].wm + e[1].um * e[1].wm);
  sn_vd uu = AA * SN_MEAN(ww) - AJ * wmwm - 0.5 * s * P * e[0].A * e[1].A * (e[0].A + e[1].A);
  sn_vd ww = AA * SN_MEAN(uu) - AJ * umum, uw = -2 * AA * SN_MEAN(uw) + 2 * AJ * umwm;
  sn_vd um = -2 * AJ * (SN_MEAN(ww) * SN_MEAN(um) - SN_MEAN(uw) * SN_MEAN(wm));
  sn_vd wm = -2 * AJ * (SN_MEAN(uu) * SN_MEAN(wm) - SN_MEAN(uw) * SN_MEAN(um)), mm = AA * SN_MEAN(V) * J0 * J1;
  g[0] = sn_v3_add(g[0], sn_v3_add(sn_v3_scale(2 * uu, u), sn_v3_add(sn_v3_scale(uw, w), sn_v3_scale(um, m))));
  g[1] = sn_v3_add(g[1], sn_v3_add(sn_v3_scale(uw, u), sn_v3_add(sn_v3_scale(2 * ww, w), sn_v3_scale(wm, m))));
  g[2] = sn_v3_add(g[2], sn_v3_add(sn_v3_scale(um, u), sn_v3_add(sn_v3_scale(wm, w), sn_v3_scale(2 * mm, m))));
}

/* g += s times that of f; y = u, w, m and d half their changes */
SN_INLINE void sn_line_plain_step(const sn_line_end e[2], const sn_v3 y[3], const sn_v3 d[3], sn_vd s, sn_v3 g[3]) {
  sn_vd third = sn_vd_all(1.0 / 3), R = 0.5 * s * (e[0].A * e[0].B + e[1].A * e[1].B), c = s * (e[0].c + e[1].c);
  sn_vd uu = -c * SN_MEAN(B) * e[0].A * e[1].A, BB = e[0].B * e[1].B;
  sn_vd mm = -c * SN_MEAN(A) * BB * BB / (e[0].B + e[1].B);
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    sn_v3 cross = sn_v3_add(sn_v3_cross(y[a], y[b]), sn_v3_scale(third, sn_v3_cross(d[a], d[b])));
    g[k] = sn_v3_add(g[k], sn_v3_scale(R, cross));
  }
  g[0] = sn_v3_add(g[0], sn_v3_scale(uu, y[0]));
  g[2] = sn_v3_add(g[2], sn_v3_scale(mm, y[2]));
}

/* Q += force of k/2 (f - f0)^2 over the step, and of the viscous strain; m: slot of the section's vector. Their two
 * sorts are added up before they are spread. f0 may change over the step (the lag of the sections): it is its mean, and
 * the force on it, returned, is the mean of k (f - f0). */
static __attribute__((noinline)) sn_vd sn_line_curvature_step(const sn_v3 X[], const sn_v3 Xd[], double step, int m,
                                                              sn_vd k, sn_vd f0, sn_vd viscous, sn_v3 Q[]) {
  const int at[3] = {0, SN_W, m};
  sn_v3 y[3], d[3], g[3];
  sn_line_end e[2];
  for (int i = 0; i < 3; i++) {
    y[i] = X[at[i]];
    d[i] = sn_v3_scale(sn_vd_all(0.5 * step), Xd[at[i]]);
    g[i] = Q[at[i]];
  }
  e[0] = sn_line_end_at(sn_v3_sub(y[0], d[0]), sn_v3_sub(y[1], d[1]), sn_v3_sub(y[2], d[2]));
  e[1] = sn_line_end_at(sn_v3_add(y[0], d[0]), sn_v3_add(y[1], d[1]), sn_v3_add(y[2], d[2]));
  sn_line_square_step(e, y[0], y[1], y[2], k, g);
  sn_line_plain_step(e, y, d, k * (viscous - f0), g);
  for (int i = 0; i < 3; i++) Q[at[i]] = g[i];
  return k * (0.5 * (e[0].c * e[0].A * e[0].B + e[1].c * e[1].A * e[1].B) - f0 + viscous);
}

#endif
