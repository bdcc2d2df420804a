/* cable_bending.h - bending energy density at a point: g(u, w), its gradient and Hessian.
 *
 *   f = kappa^2 = (u.u w.w - (u.w)^2)/(u.u)^p       p = 3 geometric, 2 material curvature
 *   g = f                                           straight reference
 *   g = f - 2 kappa0 S(f) + kappa0^2                curved; S = kappa, below kappa0 its series (see sn_cable_curved)
 *   g = |k - k0|^2 = f - 2 k0.k + k0.k0             curved and planar, k = u x w/(u.u)^(p/2)
 */
#ifndef SN_CABLE_BENDING_H
#define SN_CABLE_BENDING_H

#include "body/cable_pack.h"

typedef struct sn_cable_bend {
  sn_vd iuu;        /* 1/u.u */
  sn_vd P;          /* (u.u)^-p */
  sn_vd uu, ww, uw; /* products */
  sn_vd f;          /* kappa^2 (per l^2: w carries a factor l) */
  sn_v3 fu, fw;     /* gradient of f */
  sn_vd g1, g2;     /* dg/df, d2g/df2 */
} sn_cable_bend;

SN_INLINE sn_cable_bend sn_cable_bend_at(sn_v3 u, sn_v3 w, int p) {
  sn_cable_bend b;
  b.uu = sn_v3_dot(u, u), b.ww = sn_v3_dot(w, w), b.uw = sn_v3_dot(u, w);
  b.iuu = 1 / b.uu;
  b.P = b.iuu * b.iuu;
  if (p == 3) b.P *= b.iuu;
  b.f = (b.uu * b.ww - b.uw * b.uw) * b.P;
  sn_vd cu = 2 * b.P * b.ww - (2.0 * p) * b.f * b.iuu, cw = -2 * b.P * b.uw;
  b.fu = sn_v3_add(sn_v3_scale(cu, u), sn_v3_scale(cw, w));
  b.fw = sn_v3_add(sn_v3_scale(cw, u), sn_v3_scale(2 * b.P * b.uu, w));
  return b;
}

/* Scalar measure of a curved reference, f = kappa^2:
 *
 *   g = f - 2 kappa0 S(f) + kappa0^2,   S = kappa = sqrt(f) for kappa >= kappa0, so that g = (kappa - kappa0)^2
 *
 * An element does not represent the side to which it bends, so its measure must be even in kappa, and (kappa -
 * kappa0)^2 has a corner at kappa = 0. Below a = kappa0, S is therefore the truncated power series of the root,
 *
 *   S = a P(z),   z = f/a^2 - 1 < 0,   P = sum over k = 0 to 5 of binomial(1/2, k) z^k
 *
 * which has five continuous derivatives at a. More terms would be closer to the corner and less smooth. Both cases in
 * one formula: with n = min(f, a^2) and m^2 = f - n + a^2, S = m + a (P(n/a^2 - 1) - 1). */
typedef struct sn_cable_rounded {
  sn_vd a, ia, m, z; /* a and 1/a; sqrt(max(f, a^2)); min(f/a^2, 1) - 1 */
} sn_cable_rounded;

SN_INLINE sn_cable_rounded sn_cable_rounded_at(sn_vd f, sn_vd kl) {
  sn_cable_rounded x = {.a = kl + 1e-60};
  x.ia = 1 / x.a;
  sn_vd aa = x.a * x.a, low = sn_vd_min(f, aa);
  x.m = sn_vd_sqrt(f - low + aa);
  x.z = (low - aa) * (x.ia * x.ia); /* exactly 0 above */
  return x;
}

/* P, P' and P''/2 at z by Horner */
SN_INLINE void sn_cable_root_at(sn_vd z, sn_vd P[3]) {
  P[0] = sn_vd_all(sn_cable_root[SN_CABLE_ROOT - 1]), P[1] = P[2] = sn_vd_all(0);
  for (int k = SN_CABLE_ROOT - 2; k >= 0; k--) {
    P[2] = P[2] * z + P[1];
    P[1] = P[1] * z + P[0];
    P[0] = P[0] * z + sn_cable_root[k];
  }
}

/* g', g'' of the curved reference; kl = kappa0 l. Returns g. */
SN_INLINE sn_vd sn_cable_curved(sn_cable_bend *b, sn_vd kl) {
  sn_cable_rounded x = sn_cable_rounded_at(b->f, kl);
  sn_vd P[3], im = 1 / x.m, S1, S2;
  sn_cable_root_at(x.z, P);
  S1 = 0.5 * im, S2 = -0.25 * im * im * im;
  for (int k = 0; k < SN_LANES; k++)
    if (x.z[k] < 0) S1[k] = P[1][k] * x.ia[k], S2[k] = 2 * P[2][k] * x.ia[k] * x.ia[k] * x.ia[k];
  b->g1 = 1 - 2 * kl * S1;
  b->g2 = -2 * kl * S2;
  sn_vd S = x.m + x.a * (P[0] - 1), root = x.m - kl; /* (m - kl)^2 + ...: no cancellation at kappa = kappa0 */
  return root * root + (b->f - x.m * x.m) - 2 * kl * (S - x.m);
}

/* h = k0.k = c R, c = k0.(u x w), R = (u.u)^(-p/2), with k0 l as w carries l */
typedef struct sn_cable_planar {
  sn_v3 k0, wk, ku; /* k0 l, w x k0, k0 x u */
  sn_vd R, h;
} sn_cable_planar;

SN_INLINE sn_cable_planar sn_cable_planar_at(const sn_cable_bend *b, sn_v3 u, sn_v3 w, sn_v3 k0, int p) {
  sn_cable_planar a = {.k0 = k0, .wk = sn_v3_cross(w, k0), .ku = sn_v3_cross(k0, u)};
  a.R = p == 3 ? b->iuu * sn_vd_sqrt(b->iuu) : b->iuu;
  a.h = sn_v3_dot(u, a.wk) * a.R;
  return a;
}

SN_INLINE sn_v3 sn_cable_planar_k0(const sn_cable_pack *p, int point) {
  const double *k = p->k0 + 3 * point * p->capacity;
  return (sn_v3){p->l * sn_vd_load(k), p->l * sn_vd_load(k + p->capacity), p->l * sn_vd_load(k + 2 * p->capacity)};
}

/* Gradient of g, and g itself. */
SN_INLINE sn_vd sn_cable_bend_gradient(const sn_cable_pack *p, int point, int power, int reference, sn_v3 u, sn_v3 w,
                                       sn_v3 *gu, sn_v3 *gw) {
  sn_cable_bend b = sn_cable_bend_at(u, w, power);
  if (reference == SN_CABLE_STRAIGHT) {
    *gu = b.fu, *gw = b.fw;
    return b.f;
  }
  if (reference == SN_CABLE_CURVED) {
    sn_vd g = sn_cable_curved(&b, p->l * sn_vd_load(p->kappa0 + point * p->capacity));
    *gu = sn_v3_scale(b.g1, b.fu), *gw = sn_v3_scale(b.g1, b.fw);
    return g;
  }
  sn_cable_planar a = sn_cable_planar_at(&b, u, w, sn_cable_planar_k0(p, point), power);
  sn_v3 hu = sn_v3_sub(sn_v3_scale(a.R, a.wk), sn_v3_scale((double)power * a.h * b.iuu, u)),
        hw = sn_v3_scale(a.R, a.ku);
  sn_vd two = sn_vd_all(2);
  *gu = sn_v3_sub(b.fu, sn_v3_scale(two, hu)), *gw = sn_v3_sub(b.fw, sn_v3_scale(two, hw));
  return b.f - 2 * a.h + sn_v3_dot(a.k0, a.k0);
}

/* Second derivatives of g at a bending point; see the formulas of f above, N = uu ww - uw^2:
 *   f_uu = P N_uu - 2p P/uu (N_u u' + u N_u') + f (4p(p+1)/uu^2 u u' - 2p/uu I)
 *   f_uw = P N_uw - 2p P/uu u N_w',  f_ww = P N_ww
 *   N_uu = 2(ww I - w w'), N_ww = 2(uu I - u u'), N_uw = 2(2 u w' - w u' - uw I) */
SN_INLINE void sn_cable_bend_hessian(const sn_cable_pack *pk, int point, int power, int reference, sn_v3 u, sn_v3 w,
                                     sn_m33 *uu, sn_m33 *uw, sn_m33 *ww) {
  double p = power;
  sn_cable_bend b = sn_cable_bend_at(u, w, power);
  b.g1 = sn_vd_all(1), b.g2 = sn_vd_all(0);
  if (reference == SN_CABLE_CURVED && !pk->convex)
    sn_cable_curved(&b, pk->l * sn_vd_load(pk->kappa0 + point * pk->capacity));
  sn_vd P = b.g1 * b.P, f = b.g1 * b.f, t = -2 * p * P * b.iuu;
  sn_v3 Nu = sn_v3_sub(sn_v3_scale(2 * b.ww, u), sn_v3_scale(2 * b.uw, w));
  sn_v3 Nw = sn_v3_sub(sn_v3_scale(2 * b.uu, w), sn_v3_scale(2 * b.uw, u));
  sn_m33_diagonal(uu, 2 * P * b.ww - 2 * p * f * b.iuu);
  sn_m33_outer(uu, -2 * P, w, w);
  sn_m33_outer(uu, t, Nu, u);
  sn_m33_outer(uu, t, u, Nu);
  sn_m33_outer(uu, 4 * p * (p + 1) * f * b.iuu * b.iuu, u, u);
  sn_m33_diagonal(uw, -2 * P * b.uw);
  sn_m33_outer(uw, 4 * P, u, w);
  sn_m33_outer(uw, -2 * P, w, u);
  sn_m33_outer(uw, t, u, Nw);
  sn_m33_diagonal(ww, 2 * P * b.uu);
  sn_m33_outer(ww, -2 * P, u, u);
  if (reference == SN_CABLE_CURVED) {
    sn_m33_outer(uu, b.g2, b.fu, b.fu);
    sn_m33_outer(uw, b.g2, b.fu, b.fw);
    sn_m33_outer(ww, b.g2, b.fw, b.fw);
  }
  if (reference == SN_CABLE_PLANAR) { /* -2 h:  h_uu = R_u wk' + wk R_u' + c R_uu,  h_uw = -R skew(k0) + R_u ku' */
    sn_cable_planar a = sn_cable_planar_at(&b, u, w, sn_cable_planar_k0(pk, point), power);
    sn_vd Ru = -p * a.R * b.iuu;
    sn_m33_outer(uu, -2 * Ru, u, a.wk);
    sn_m33_outer(uu, -2 * Ru, a.wk, u);
    sn_m33_diagonal(uu, 2 * p * a.h * b.iuu);
    sn_m33_outer(uu, -2 * p * (p + 2) * a.h * b.iuu * b.iuu, u, u);
    sn_m33_skew(uw, 2 * a.R, a.k0);
    sn_m33_outer(uw, -2 * Ru, u, a.ku);
  }
}

#endif
