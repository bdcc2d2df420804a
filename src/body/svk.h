/* svk.h - St. Venant-Kirchhoff material at a point, with Kelvin-Voigt damping, several points at a time.
 *
 *   h_i = dr/dX_i, the columns of the deformation gradient; n = 3 material directions, or 2 in the plane
 *   E_ij = (h_i.h_j - delta_ij)/2,   E'_ij = (h_i.h'_j + h'_i.h_j)/2
 *   S_ii = sum_j C_ij (E_jj + beta E'_jj),   S_ij = 2 G_ij (E_ij + beta E'_ij)   (i != j)
 *   W    = 1/2 sum S_ij E_ij  (beta = 0),    P_i = dW/dh_i = sum_j S_ij h_j
 *
 * Over a step of an energy-momentum method the strains are means of those at its ends, with h in the middle and h' the
 * mean rate:  E_ij = (h_i.h_j + t^2/4 h'_i.h'_j - delta_ij)/2, t the length of the step. E is quadratic in h, so that
 * P_i = sum_j S_ij h_j with the stresses of these is a discrete gradient.
 *
 * Tangent of P for ck d/dh + cd d/dh': with  r_i = (ck + cd beta) h_i + ck beta h'_i
 *   K_ij = ck S_ij I + C_ij h_i r_j' + G_ij h_j r_i'   (i != j)
 *   K_ii = ck S_ii I + C_ii h_i r_i' + sum_{j != i} G_ij h_j r_j'
 */
#ifndef SN_SVK_H
#define SN_SVK_H

#include "math/lanes33.h"

typedef struct sn_svk {
  sn_vd normal[3]; /* C_ii */
  sn_vd other;     /* C_ij, i != j */
  sn_vd shear[3];  /* G_23, G_13, G_12: by the direction left out */
} sn_svk;

/* Strains E + beta E', or their means over a step t, tt = t^2/8 (else 0); hd: rates of h, NULL: not needed. */
SN_INLINE void sn_svk_strain(int n, const sn_v3 h[], const sn_v3 *hd, sn_vd beta, double tt, sn_vd E[3][3]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      E[i][j] = 0.5 * sn_v3_dot(h[i], h[j]);
      if (i == j) E[i][j] -= 0.5;
      if (hd) E[i][j] += beta * (0.5 * (sn_v3_dot(h[i], hd[j]) + sn_v3_dot(hd[i], h[j])));
      if (hd && tt > 0) E[i][j] += tt * sn_v3_dot(hd[i], hd[j]);
      E[j][i] = E[i][j];
    }
}

SN_INLINE void sn_svk_stress(const sn_svk *D, int n, sn_vd E[3][3], sn_vd S[3][3]) {
  sn_vd trace = sn_vd_all(0);
  for (int i = 0; i < n; i++) trace += E[i][i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      S[i][j] = i == j ? D->other * trace + (D->normal[i] - D->other) * E[i][i] : 2 * D->shear[3 - i - j] * E[i][j];
}

/* P_i, to be scaled by the weight of the point */
SN_INLINE void sn_svk_force(const sn_svk *D, int n, const sn_v3 h[], const sn_v3 *hd, sn_vd beta, double tt,
                            sn_v3 P[]) {
  sn_vd E[3][3], S[3][3];
  sn_svk_strain(n, h, hd, beta, tt, E);
  sn_svk_stress(D, n, E, S);
  for (int i = 0; i < n; i++) {
    P[i] = sn_v3_scale(S[i][0], h[0]);
    for (int j = 1; j < n; j++) P[i] = sn_v3_add(P[i], sn_v3_scale(S[i][j], h[j]));
  }
}

SN_INLINE sn_vd sn_svk_energy(const sn_svk *D, int n, const sn_v3 h[]) {
  sn_vd E[3][3], S[3][3], W = sn_vd_all(0);
  sn_svk_strain(n, h, NULL, W, 0, E);
  sn_svk_stress(D, n, E, S);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) W += 0.5 * S[i][j] * E[i][j];
  return W;
}

/* K_ij of a point, overwritten */
SN_INLINE void sn_svk_tangent(const sn_svk *D, int n, const sn_v3 h[], const sn_v3 *hd, sn_vd beta, double ck,
                              double cd, sn_m33 K[3][3]) {
  sn_vd E[3][3], S[3][3];
  sn_v3 r[3];
  sn_svk_strain(n, h, hd, beta, 0, E);
  sn_svk_stress(D, n, E, S);
  for (int i = 0; i < n; i++) {
    r[i] = sn_v3_scale(ck + cd * beta, h[i]);
    if (hd) r[i] = sn_v3_add(r[i], sn_v3_scale(ck * beta, hd[i]));
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      K[i][j] = sn_m33_zero();
      sn_m33_diagonal(&K[i][j], ck * S[i][j]);
      sn_m33_outer(&K[i][j], i == j ? D->normal[i] : D->other, h[i], r[j]);
      for (int k = 0; k < n; k++) {
        if (i != j && k == j) sn_m33_outer(&K[i][j], D->shear[3 - i - j], h[j], r[i]);
        if (i == j && k != i) sn_m33_outer(&K[i][j], D->shear[3 - i - k], h[k], r[k]);
      }
    }
}

#endif
