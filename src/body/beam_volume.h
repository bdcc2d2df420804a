/* beam_volume.h - elastic forces by integration over the volume (`continuum`, `selective`, and the beam in the plane).
 *
 *   U = sum over stations and section points  w l det J0  W(h),      W of svk.h
 *   [r_x r_y r_z] at the start = J0 = R Lambda, R orthonormal with its first axis along r_x, Lambda upper triangular
 *   h = [r_x r_y r_z] Lambda^-1: the strains E are those in the section's own axes; straight reference: Lambda = I
 *
 * Behind the points of the section comes one more, on the axis, with its own material: the part Dv of `selective`.
 */
#ifndef SN_BEAM_VOLUME_H
#define SN_BEAM_VOLUME_H

#include "body/beam_pack.h"
#include "body/svk.h"
#include "math/gauss.h"

/* One point of the section at one station. */
typedef struct sn_beam_point {
  sn_vd X[2];   /* y/l, z/l */
  sn_vd weight; /* w l det J0 */
  sn_vd L[6];   /* Lambda^-1: 11 12 22 13 23 33 */
} sn_beam_point;

SN_INLINE int sn_beam_points(int n) {
  return n == 3 ? SN_BEAM_POINTS : SN_BEAM_PLANE_POINTS;
}

SN_INLINE sn_beam_point sn_beam_point_at(const sn_beam_pack *p, int n, bool curved, int station, int k) {
  int all = sn_beam_points(n) + 1, from = SN_BEAM_REST + n * (curved ? station * all + k : k);
  sn_beam_point a = {0};
  for (int j = 0; j < n - 1; j++) a.X[j] = sn_beam_number(p, from + j);
  a.weight = sn_gauss5_weights[station] * p->l * sn_beam_number(p, from + n - 1);
  if (!curved) return a;
  from = SN_BEAM_REST + n * SN_BEAM_STATIONS * all + SN_BEAM_REFERENCE * (station * all + k);
  for (int c = 0; c < 6; c++) a.L[c] = sn_beam_number(p, from + c);
  a.weight *= sn_beam_number(p, from + 6);
  return a;
}

SN_INLINE sn_svk sn_beam_material(const sn_beam_pack *p, int field) {
  sn_svk D;
  for (int i = 0; i < 3; i++) D.normal[i] = sn_beam_number(p, field + i), D.shear[i] = sn_beam_number(p, field + 4 + i);
  D.other = sn_beam_number(p, field + 3);
  return D;
}

/* h from the gradients X of the station */
SN_INLINE void sn_beam_columns(const sn_beam_point *a, int n, bool curved, const sn_v3 X[], sn_v3 h[3]) {
  h[0] = X[0];
  for (int j = 0; j < n - 1; j++) {
    h[0] = sn_v3_add(h[0], sn_v3_scale(a->X[j], X[1 + j]));
    h[1 + j] = X[n + j];
  }
  if (!curved) return;
  if (n == 3)
    h[2] = sn_v3_add(sn_v3_scale(a->L[3], h[0]), sn_v3_add(sn_v3_scale(a->L[4], h[1]), sn_v3_scale(a->L[5], h[2])));
  h[1] = sn_v3_add(sn_v3_scale(a->L[1], h[0]), sn_v3_scale(a->L[2], h[1]));
  h[0] = sn_v3_scale(a->L[0], h[0]);
}

/* Q += forces on the gradients from forces P on h */
SN_INLINE void sn_beam_uncolumns(const sn_beam_point *a, int n, bool curved, sn_v3 P[3], sn_v3 Q[]) {
  if (curved) {
    P[0] = sn_v3_add(sn_v3_scale(a->L[0], P[0]), sn_v3_scale(a->L[1], P[1]));
    P[1] = sn_v3_scale(a->L[2], P[1]);
    if (n == 3) {
      P[0] = sn_v3_add(P[0], sn_v3_scale(a->L[3], P[2]));
      P[1] = sn_v3_add(P[1], sn_v3_scale(a->L[4], P[2]));
      P[2] = sn_v3_scale(a->L[5], P[2]);
    }
  }
  Q[0] = sn_v3_add(Q[0], P[0]);
  for (int j = 0; j < n - 1; j++) {
    Q[1 + j] = sn_v3_add(Q[1 + j], sn_v3_scale(a->X[j], P[0]));
    Q[n + j] = sn_v3_add(Q[n + j], P[1 + j]);
  }
}

/* F += dU/d(parts), with damping when xd (rates of the parts) is given */
SN_INLINE void sn_beam_volume_force(const sn_beam_pack *p, int n, bool curved, bool axis, const sn_v3 x[],
                                    const sn_v3 *xd, sn_v3 F[]) {
  int points = sn_beam_points(n), count = 2 * n - 1;
  sn_svk D[2] = {sn_beam_material(p, SN_BEAM_VOLUME), sn_beam_material(p, SN_BEAM_AXIS)};
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_v3 X[SN_GRADIENTS], Xd[SN_GRADIENTS], Q[SN_GRADIENTS], h[3], hd[3], P[3];
    memset(Q, 0, sizeof Q);
    sn_beam_gradients(n, count, sn_gauss5_points[i], x, X);
    if (xd) sn_beam_gradients(n, count, sn_gauss5_points[i], xd, Xd);
    for (int k = 0; k < points + axis; k++) {
      sn_beam_point a = sn_beam_point_at(p, n, curved, i, k);
      sn_beam_columns(&a, n, curved, X, h);
      if (xd) sn_beam_columns(&a, n, curved, Xd, hd);
      sn_svk_force(&D[k == points], n, h, xd ? hd : NULL, p->beta, p->step * p->step / 8, P);
      for (int j = 0; j < n; j++) P[j] = sn_v3_scale(a.weight, P[j]);
      sn_beam_uncolumns(&a, n, curved, P, Q);
    }
    sn_beam_ungradients(n, count, sn_gauss5_points[i], Q, F);
  }
}

SN_INLINE sn_vd sn_beam_volume_energy(const sn_beam_pack *p, int n, bool curved, bool axis, const sn_v3 x[]) {
  int points = sn_beam_points(n), count = 2 * n - 1;
  sn_svk D[2] = {sn_beam_material(p, SN_BEAM_VOLUME), sn_beam_material(p, SN_BEAM_AXIS)};
  sn_vd U = sn_vd_all(0);
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_v3 X[SN_GRADIENTS], h[3];
    sn_beam_gradients(n, count, sn_gauss5_points[i], x, X);
    for (int k = 0; k < points + axis; k++) {
      sn_beam_point a = sn_beam_point_at(p, n, curved, i, k);
      sn_beam_columns(&a, n, curved, X, h);
      U += a.weight * sn_svk_energy(&D[k == points], n, h);
    }
  }
  return U;
}

/* Lambda^-1 K Lambda^-T over the 3x3 blocks */
SN_INLINE void sn_beam_turn_tangent(const sn_beam_point *a, int n, sn_m33 K[3][3]) {
  static const int at[3][3] = {{0, 1, 3}, {0, 2, 4}, {0, 0, 5}}; /* of the entry (i, j) in L, j >= i */
  for (int side = 0; side < 2; side++)
    for (int c = 0; c < n; c++)
      for (int i = 0; i < n; i++) {
        sn_m33 sum = sn_m33_zero();
        for (int j = i; j < n; j++) sn_m33_add(&sum, a->L[at[i][j]], side ? &K[c][j] : &K[j][c]);
        if (side)
          K[c][i] = sum;
        else
          K[i][c] = sum;
      }
}

/* T += tangent between the gradients of a station from that of h at a point */
SN_INLINE void sn_beam_spread_tangent(const sn_beam_point *a, int n, sn_m33 K[3][3],
                                      sn_m33 T[SN_GRADIENTS][SN_GRADIENTS]) {
  sn_vd one = sn_vd_all(1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sn_m33 H = sn_m33_zero();
      sn_m33_add(&H, a->weight, &K[i][j]);
      for (int r = 0; r < (i ? 1 : n); r++)
        for (int c = 0; c < (j ? 1 : n); c++)
          sn_m33_add(&T[i ? n - 1 + i : r][j ? n - 1 + j : c], (r ? a->X[r - 1] : one) * (c ? a->X[c - 1] : one), &H);
    }
}

SN_INLINE void sn_beam_volume_tangent(const sn_beam_pack *p, int n, bool curved, bool axis, const sn_v3 x[],
                                      const sn_v3 *xd, double ck, double cd, sn_m33 K[SN_PARTS][SN_PARTS]) {
  int points = sn_beam_points(n), count = 2 * n - 1;
  sn_svk D[2] = {sn_beam_material(p, SN_BEAM_VOLUME), sn_beam_material(p, SN_BEAM_AXIS)};
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_v3 X[SN_GRADIENTS], Xd[SN_GRADIENTS], h[3], hd[3];
    sn_m33 T[SN_GRADIENTS][SN_GRADIENTS], H[3][3];
    memset(T, 0, sizeof T);
    sn_beam_gradients(n, count, sn_gauss5_points[i], x, X);
    if (xd) sn_beam_gradients(n, count, sn_gauss5_points[i], xd, Xd);
    for (int k = 0; k < points + axis; k++) {
      sn_beam_point a = sn_beam_point_at(p, n, curved, i, k);
      sn_beam_columns(&a, n, curved, X, h);
      if (xd) sn_beam_columns(&a, n, curved, Xd, hd);
      sn_svk_tangent(&D[k == points], n, h, xd ? hd : NULL, p->beta, ck, cd, H);
      if (curved) sn_beam_turn_tangent(&a, n, H);
      sn_beam_spread_tangent(&a, n, H, T);
    }
    sn_beam_ungradients_tangent(n, count, sn_gauss5_points[i], T, K);
  }
}

#endif
