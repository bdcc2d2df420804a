/* plate_step.h - bending forces of a plate over a step of an energy-momentum method, several points at a time.
 *
 * U = D/2 (k - k0)'P (k - k0) at a point, k_i = r_i.N for r_i = r_xx, r_yy, 2 r_xy, with r_x, r_y =: x_1, x_2. The part
 * of r_i along the normal is the rest without its part along the plate:
 *   k_i k_j = r_i.r_j - al_i'H al_j,   al_i = (r_i.x_1, r_i.x_2),   H = g^-1,  g_kl = x_k.x_l
 * so that k'P k is a function of products of vectors. With their means _ over the ends of the step,
 *   B = sum_ij P_ij al_i al_j',  H1 - H0 = -H1 (g1 - g0) H0,   Z = sym(H0 B_ H1),   b_i = H_ sum_j P_ij al_j_
 * a discrete gradient that turns with the plate has the forces
 *   on r_i: D (sum_j P_ij r_j - sum_k b_ik x_k),    on x_k: D (sum_l Z_kl x_l - sum_i b_ik r_i)
 * with r_i and x_k in the middle. A curved reference adds
 *   -k'(D P k0) = -R.n/|n|,   R = sum_i (D P k0)_i r_i,   n = x_1 x x_2
 * With d half the change over the step and B = 1/|n|,
 *   (R.n)1 - (R.n)0 = 2 (n + dx_1 x dx_2/3).dR + ..., in turn,    1/|n|: B[n.n] = -B0^2 B1^2/(B0 + B1),
 *   n.n = g_11 g_22 - g_12^2
 * The thirds have a moment that is not balanced: with a curved reference, angular momentum is kept to the second order
 * of the step only.
 */
#ifndef SN_PLATE_STEP_H
#define SN_PLATE_STEP_H

#include "math/lanes.h"

enum { SN_STEP_SLOTS = 5 }; /* r_x, r_y, r_xx, r_yy, r_xy */

/* m = D P e */
SN_INLINE void sn_plate_stress(sn_vd D, sn_vd nu, const sn_vd e[3], sn_vd m[3]) {
  m[0] = D * (e[0] + nu * e[1]);
  m[1] = D * (e[1] + nu * e[0]);
  m[2] = D * (0.5 - 0.5 * nu) * e[2];
}

/* One end of the step. */
typedef struct sn_plate_end {
  sn_vd g[3], H[3], al[2][3], B[3], nn; /* symmetric 2x2 matrices as 11, 12, 22; B with the factor D */
} sn_plate_end;

SN_INLINE sn_plate_end sn_plate_end_at(sn_vd D, sn_vd nu, const sn_v3 x[2], const sn_v3 r[3]) {
  sn_plate_end e = {.g = {sn_v3_dot(x[0], x[0]), sn_v3_dot(x[0], x[1]), sn_v3_dot(x[1], x[1])}};
  sn_vd m[2][3];
  e.nn = e.g[0] * e.g[2] - e.g[1] * e.g[1];
  e.H[0] = e.g[2] / e.nn, e.H[1] = -e.g[1] / e.nn, e.H[2] = e.g[0] / e.nn;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) e.al[k][i] = sn_v3_dot(r[i], x[k]);
    sn_plate_stress(D, nu, e.al[k], m[k]);
  }
  for (int k = 0; k < 3; k++) { /* 11, 12, 22 */
    const sn_vd *left = m[k == 2], *right = e.al[k > 0];
    e.B[k] = left[0] * right[0] + left[1] * right[1] + left[2] * right[2];
  }
  return e;
}

/* fx, fr += forces of D/2 k'P k */
SN_INLINE void sn_plate_step_flat(sn_vd D, sn_vd nu, const sn_plate_end end[2], const sn_v3 x[2], const sn_v3 r[3],
                                  sn_v3 fx[2], sn_v3 fr[3]) {
  sn_vd H[3], B[3], m[2][3], al[2][3];
  for (int k = 0; k < 3; k++) {
    H[k] = 0.5 * (end[0].H[k] + end[1].H[k]);
    B[k] = 0.5 * (end[0].B[k] + end[1].B[k]);
    for (int i = 0; i < 2; i++) al[i][k] = 0.5 * (end[0].al[i][k] + end[1].al[i][k]);
  }
  for (int k = 0; k < 2; k++) sn_plate_stress(D, nu, al[k], m[k]);
  const sn_vd *P = end[0].H, *Q = end[1].H; /* Z = sym(P B Q) */
  sn_vd PB[2][2] = {{P[0] * B[0] + P[1] * B[1], P[0] * B[1] + P[1] * B[2]},
                    {P[1] * B[0] + P[2] * B[1], P[1] * B[1] + P[2] * B[2]}};
  sn_vd Z[3] = {PB[0][0] * Q[0] + PB[0][1] * Q[1],
                0.5 * (PB[0][0] * Q[1] + PB[0][1] * Q[2] + PB[1][0] * Q[0] + PB[1][1] * Q[1]),
                PB[1][0] * Q[1] + PB[1][1] * Q[2]};
  for (int k = 0; k < 2; k++) fx[k] = sn_v3_add(fx[k], sn_v3_add(sn_v3_scale(Z[k], x[0]), sn_v3_scale(Z[k + 1], x[1])));
  for (int i = 0; i < 3; i++) {
    sn_vd b[2] = {H[0] * m[0][i] + H[1] * m[1][i], H[1] * m[0][i] + H[2] * m[1][i]};
    for (int k = 0; k < 2; k++) {
      fx[k] = sn_v3_sub(fx[k], sn_v3_scale(b[k], r[i]));
      fr[i] = sn_v3_sub(fr[i], sn_v3_scale(b[k], x[k]));
    }
  }
  sn_vd shear = D * (0.5 - 0.5 * nu);
  fr[0] = sn_v3_add(fr[0], sn_v3_scale(D, sn_v3_add(r[0], sn_v3_scale(nu, r[1]))));
  fr[1] = sn_v3_add(fr[1], sn_v3_scale(D, sn_v3_add(r[1], sn_v3_scale(nu, r[0]))));
  fr[2] = sn_v3_add(fr[2], sn_v3_scale(shear, r[2]));
}

/* fx, fr += forces of -R.N, R = sum m_i r_i; dx, dr: half the changes */
SN_INLINE void sn_plate_step_curved(const sn_vd m[3], const sn_plate_end end[2], const sn_v3 x[2], const sn_v3 dx[2],
                                    const sn_v3 r[3], const sn_v3 dr[3], sn_v3 fx[2], sn_v3 fr[3]) {
  sn_v3 R = sn_v3_scale(m[0], r[0]), dR = sn_v3_scale(m[0], dr[0]), on[3];
  sn_vd B[2], c[2], third = sn_vd_all(1.0 / 3);
  for (int i = 1; i < 3; i++) R = sn_v3_add(R, sn_v3_scale(m[i], r[i])), dR = sn_v3_add(dR, sn_v3_scale(m[i], dr[i]));
  for (int k = 0; k < 2; k++) {
    sn_vd s = sn_vd_all(k ? 1 : -1);
    sn_v3 n = sn_v3_cross(sn_v3_add(x[0], sn_v3_scale(s, dx[0])), sn_v3_add(x[1], sn_v3_scale(s, dx[1])));
    B[k] = 1 / sn_vd_sqrt(end[k].nn);
    c[k] = sn_v3_dot(sn_v3_add(R, sn_v3_scale(s, dR)), n);
  }
  sn_v3 y[3] = {x[0], x[1], R}, d[3] = {dx[0], dx[1], dR};
  sn_vd Bm = -0.5 * (B[0] + B[1]);
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    on[k] = sn_v3_scale(Bm, sn_v3_add(sn_v3_cross(y[a], y[b]), sn_v3_scale(third, sn_v3_cross(d[a], d[b]))));
  }
  sn_vd nn = (c[0] + c[1]) * B[0] * B[0] * B[1] * B[1] / (B[0] + B[1]), g[3];
  for (int k = 0; k < 3; k++) g[k] = 0.5 * nn * (end[0].g[k] + end[1].g[k]);
  fx[0] = sn_v3_add(fx[0], sn_v3_add(on[0], sn_v3_sub(sn_v3_scale(g[2], x[0]), sn_v3_scale(g[1], x[1]))));
  fx[1] = sn_v3_add(fx[1], sn_v3_add(on[1], sn_v3_sub(sn_v3_scale(g[0], x[1]), sn_v3_scale(g[1], x[0]))));
  for (int i = 0; i < 3; i++) fr[i] = sn_v3_add(fr[i], sn_v3_scale(m[i], on[2]));
}

/* f += forces on the slots; y: slots in the middle, d: half their changes over the step; k0 NULL: flat reference */
SN_INLINE void sn_plate_step_bending(sn_vd D, sn_vd nu, const sn_vd *k0, const sn_v3 y[SN_STEP_SLOTS],
                                     const sn_v3 d[SN_STEP_SLOTS], sn_v3 f[SN_STEP_SLOTS]) {
  sn_plate_end end[2];
  sn_v3 r[3], dr[3], fr[3];
  sn_vd two = sn_vd_all(2), m[3];
  for (int i = 0; i < 3; i++) {
    r[i] = i == 2 ? sn_v3_scale(two, y[4]) : y[2 + i];
    dr[i] = i == 2 ? sn_v3_scale(two, d[4]) : d[2 + i];
    fr[i] = (sn_v3){sn_vd_all(0), sn_vd_all(0), sn_vd_all(0)};
  }
  for (int k = 0; k < 2; k++) {
    sn_v3 x1[2], r1[3];
    for (int i = 0; i < 2; i++) x1[i] = k ? sn_v3_add(y[i], d[i]) : sn_v3_sub(y[i], d[i]);
    for (int i = 0; i < 3; i++) r1[i] = k ? sn_v3_add(r[i], dr[i]) : sn_v3_sub(r[i], dr[i]);
    end[k] = sn_plate_end_at(D, nu, x1, r1);
  }
  sn_plate_step_flat(D, nu, end, y, r, f, fr);
  if (k0) {
    sn_plate_stress(D, nu, k0, m);
    sn_plate_step_curved(m, end, y, d, r, dr, f, fr);
  }
  for (int i = 0; i < 3; i++) f[2 + i] = sn_v3_add(f[2 + i], i == 2 ? sn_v3_scale(two, fr[i]) : fr[i]);
}

#endif
