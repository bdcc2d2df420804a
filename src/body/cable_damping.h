/* cable_damping.h - Kelvin-Voigt damping of cables: EA beta eps' u, and with c = u x w the dissipation
 *
 *   R = 1/2 EI beta ((c.c')^2 + d^2 c'.c')/(c.c + d^2),   d = 1/1000 of a radian per element
 *
 * the rate of |c| = kappa (to first order in the stretch); the d terms keep it regular at c = 0. It vanishes in rigid
 * motion up to d.
 */
#ifndef SN_CABLE_DAMPING_H
#define SN_CABLE_DAMPING_H

#include "body/cable_pack.h"
#include "math/gauss.h"

#define SN_CABLE_CORNER 1e-3 /* radian per element */

/* F += damping force on (d, r0', r1') with velocities xd */
SN_INLINE void sn_cable_damping_force(const sn_cable_pack *p, const sn_v3 x[SN_CABLE_PARTS],
                                      const sn_v3 xd[SN_CABLE_PARTS], sn_v3 F[SN_CABLE_PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss5_points[i]);
    sn_v3 u = sn_cable_mix(c.u, x);
    sn_vd rate = sn_v3_dot(u, sn_cable_mix(c.u, xd));
    sn_cable_spread(F, c.u, sn_v3_scale(sn_gauss5_weights[i] * p->beta * sn_cable_axial(p, i) * p->l * rate, u));
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    sn_cable_coefficients k = sn_cable_at(sn_gauss3_points[i]);
    sn_v3 u = sn_cable_mix(k.u, x), w = sn_cable_mix(k.w, x), ud = sn_cable_mix(k.u, xd), wd = sn_cable_mix(k.w, xd);
    sn_v3 c = sn_v3_cross(u, w), cd = sn_v3_add(sn_v3_cross(ud, w), sn_v3_cross(u, wd));
    sn_vd d2 = sn_vd_all(SN_CABLE_CORNER * SN_CABLE_CORNER);
    sn_vd scale = sn_gauss3_weights[i] * p->beta * sn_cable_flexural(p, i) / p->l / (sn_v3_dot(c, c) + d2);
    sn_v3 g = sn_v3_add(sn_v3_scale(scale * sn_v3_dot(c, cd), c), sn_v3_scale(scale * d2, cd));
    sn_cable_spread(F, k.u, sn_v3_cross(w, g));
    sn_cable_spread(F, k.w, sn_v3_cross(g, u));
  }
}

/* Rows of the linear map x -> a x x, as columns: cross(a, e_j) */
SN_INLINE sn_v3 sn_cable_unit(int j, sn_vd one) {
  sn_v3 e = {sn_vd_all(0), sn_vd_all(0), sn_vd_all(0)};
  if (j == 0) e.x = one;
  if (j == 1) e.y = one;
  if (j == 2) e.z = one;
  return e;
}

/* Damping: cd dF/dv + ck dF/dq at a bending point, one column at a time: for a change (du, dw) of position or velocity
 *   dg = scale ((dc.c' + c.dc') c + (c.c') dc + d2 dc') - 2 (c.dc)/(c.c + d2) g
 *   dF_u = dw x g + w x dg,   dF_w = dg x u + g x du     (velocity changes: dc = 0, first terms vanish) */
SN_INLINE void sn_cable_damping_tangent(const sn_cable_pack *p, const sn_v3 x[SN_CABLE_PARTS],
                                        const sn_v3 xd[SN_CABLE_PARTS], sn_vd cd, sn_vd ck,
                                        sn_m33 T[SN_CABLE_PARTS][SN_CABLE_PARTS]) {
  sn_vd one = sn_vd_all(1);
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss5_points[i]);
    sn_v3 u = sn_cable_mix(c.u, x), ud = sn_cable_mix(c.u, xd);
    sn_vd s = sn_gauss5_weights[i] * p->beta * sn_cable_axial(p, i) * p->l;
    sn_m33 H = {0};
    sn_m33_outer(&H, cd * s, u, u);
    sn_m33_outer(&H, ck * s, u, ud);
    sn_m33_diagonal(&H, ck * s * sn_v3_dot(u, ud));
    sn_cable_accumulate(T, c.u, c.u, &H, false);
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    sn_cable_coefficients k = sn_cable_at(sn_gauss3_points[i]);
    sn_v3 u = sn_cable_mix(k.u, x), w = sn_cable_mix(k.w, x), ud = sn_cable_mix(k.u, xd), wd = sn_cable_mix(k.w, xd);
    sn_v3 c = sn_v3_cross(u, w), cdot = sn_v3_add(sn_v3_cross(ud, w), sn_v3_cross(u, wd));
    sn_vd d2 = one * (SN_CABLE_CORNER * SN_CABLE_CORNER), icc = 1 / (sn_v3_dot(c, c) + d2), s = sn_v3_dot(c, cdot);
    sn_vd scale = sn_gauss3_weights[i] * p->beta * sn_cable_flexural(p, i) / p->l * icc;
    sn_v3 g = sn_v3_add(sn_v3_scale(scale * s, c), sn_v3_scale(scale * d2, cdot));
    sn_m33 H[2][2] = {0}; /* rows F_u, F_w; columns u, w */
    for (int which = 0; which < 2; which++)
      for (int j = 0; j < 3; j++) {
        sn_v3 zero = sn_cable_unit(3, one), e = sn_cable_unit(j, one), du = which == 0 ? e : zero,
              dw = which == 1 ? e : zero;
        sn_v3 dc = sn_v3_add(sn_v3_cross(du, w), sn_v3_cross(u, dw));    /* also dc' of a velocity change */
        sn_v3 dcd = sn_v3_add(sn_v3_cross(ud, dw), sn_v3_cross(du, wd)); /* dc' of a position change */
        sn_v3 v = sn_v3_add(sn_v3_scale(scale * sn_v3_dot(c, dc), c), sn_v3_scale(scale * d2, dc));
        sn_v3 dg = sn_v3_scale(scale * (sn_v3_dot(dc, cdot) + sn_v3_dot(c, dcd)), c);
        dg = sn_v3_add(dg, sn_v3_add(sn_v3_scale(scale * s, dc), sn_v3_scale(scale * d2, dcd)));
        dg = sn_v3_sub(dg, sn_v3_scale(2 * icc * sn_v3_dot(c, dc), g));
        sn_v3 gg = sn_v3_add(sn_v3_scale(cd, v), sn_v3_scale(ck, dg));
        sn_v3 Fu = sn_v3_add(sn_v3_cross(w, gg), sn_v3_scale(ck, sn_v3_cross(dw, g)));
        sn_v3 Fw = sn_v3_add(sn_v3_cross(gg, u), sn_v3_scale(ck, sn_v3_cross(g, du)));
        H[0][which].m[0][j] = Fu.x, H[0][which].m[1][j] = Fu.y, H[0][which].m[2][j] = Fu.z;
        H[1][which].m[0][j] = Fw.x, H[1][which].m[1][j] = Fw.y, H[1][which].m[2][j] = Fw.z;
      }
    sn_cable_accumulate(T, k.u, k.u, &H[0][0], false);
    sn_cable_accumulate(T, k.u, k.w, &H[0][1], false);
    sn_cable_accumulate(T, k.w, k.u, &H[1][0], false);
    sn_cable_accumulate(T, k.w, k.w, &H[1][1], false);
  }
}

#endif
