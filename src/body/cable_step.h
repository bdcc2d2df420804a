/* cable_step.h - elastic forces of cables over a step of an energy-momentum method.
 *
 * U depends on q only through the products a = u.u, b = w.w, c = u.w. With their values at both ends of the step,
 * means m and divided differences [] give a discrete gradient that turns with the element:
 *   eps:  EA (mean of eps) u
 *   f = k P, k = a b - c^2, P = a^-p:  Da = k_m P[a] + P_m b_m,  Db = P_m a_m,  Dc = -2 P_m c_m,
 *         force on u: 2 Da u + Dc w, on w: Dc u + 2 Db w;   P[a] = -(1/a0^2 a1 + 1/a0 a1^2), p = 2, and so on
 *   g(f): times g[f], see sn_cable_curved_step
 *   h = c R, c = k0.(u x w), R = a^(-p/2):  c_m R[a] 2 u + R_m (w x k0) on u,  R_m (k0 x u) on w
 * u and w in the middle; at the ends u -+ du, du = h u'/2.
 */
#ifndef SN_CABLE_STEP_H
#define SN_CABLE_STEP_H

#include "body/cable_bending.h"
#include "math/gauss.h"

typedef struct sn_cable_ends {
  sn_vd a[2], b[2], c[2], i[2]; /* at both ends; i = 1/a */
} sn_cable_ends;

SN_INLINE sn_vd sn_cable_mean(const sn_vd x[2]) {
  return 0.5 * (x[0] + x[1]);
}

SN_INLINE sn_cable_ends sn_cable_ends_of(sn_v3 u, sn_v3 w, sn_v3 du, sn_v3 dw) {
  sn_cable_ends e;
  for (int k = 0; k < 2; k++) {
    sn_v3 x = k ? sn_v3_add(u, du) : sn_v3_sub(u, du), y = k ? sn_v3_add(w, dw) : sn_v3_sub(w, dw);
    e.a[k] = sn_v3_dot(x, x), e.b[k] = sn_v3_dot(y, y), e.c[k] = sn_v3_dot(x, y);
    e.i[k] = 1 / e.a[k];
  }
  return e;
}

/* Discrete gradient of f; f at both ends. */
static void sn_cable_bend_step(const sn_cable_ends *e, int p, sn_v3 u, sn_v3 w, sn_v3 *gu, sn_v3 *gw, sn_vd f[2]) {
  const sn_vd *i = e->i;
  sn_vd k[2], P[2], slope = p == 3 ? i[0] * i[0] + i[0] * i[1] + i[1] * i[1] : i[0] + i[1];
  for (int n = 0; n < 2; n++) {
    k[n] = e->a[n] * e->b[n] - e->c[n] * e->c[n];
    P[n] = i[n] * i[n];
    if (p == 3) P[n] *= i[n];
    f[n] = k[n] * P[n];
  }
  sn_vd Pm = sn_cable_mean(P), Da = Pm * sn_cable_mean(e->b) - sn_cable_mean(k) * i[0] * i[1] * slope,
        Dc = -2 * Pm * sn_cable_mean(e->c);
  *gu = sn_v3_add(sn_v3_scale(2 * Da, u), sn_v3_scale(Dc, w));
  *gw = sn_v3_add(sn_v3_scale(Dc, u), sn_v3_scale(2 * Pm * sn_cable_mean(e->a), w));
}

/* The same of -2 h, added. */
static void sn_cable_planar_step(const sn_cable_pack *pk, int point, const sn_cable_ends *e, int p, const sn_v3 x[4],
                                 sn_v3 *gu, sn_v3 *gw) {
  sn_v3 u = x[0], w = x[1], k0 = sn_cable_planar_k0(pk, point);
  const sn_vd *i = e->i;
  sn_vd r[2] = {sn_vd_sqrt(i[0]), sn_vd_sqrt(i[1])}, R[2] = {i[0], i[1]}, c[2], slope = sn_vd_all(1);
  if (p == 3) {
    for (int n = 0; n < 2; n++) R[n] *= r[n];
    slope = (i[0] + r[0] * r[1] + i[1]) / (r[0] + r[1]);
  }
  c[0] = sn_v3_dot(k0, sn_v3_cross(sn_v3_sub(u, x[2]), sn_v3_sub(w, x[3])));
  c[1] = sn_v3_dot(k0, sn_v3_cross(sn_v3_add(u, x[2]), sn_v3_add(w, x[3])));
  sn_vd two = -2 * sn_cable_mean(R), along = 4 * sn_cable_mean(c) * i[0] * i[1] * slope;
  *gu = sn_v3_add(*gu, sn_v3_add(sn_v3_scale(along, u), sn_v3_scale(two, sn_v3_cross(w, k0))));
  *gw = sn_v3_add(*gw, sn_v3_scale(two, sn_v3_cross(k0, u)));
}

/* g[f] between the ends of a step: S[f] = p/(m0 + m1) + (1 - p) P[z]/a, p the share of the change above a^2 */
SN_INLINE sn_vd sn_cable_curved_step(const sn_vd f[2], sn_vd kl) {
  sn_cable_rounded x = sn_cable_rounded_at(f[0], kl), y = sn_cable_rounded_at(f[1], kl);
  sn_vd b = sn_vd_all(sn_cable_root[SN_CABLE_ROOT - 1]), P1 = sn_vd_all(0), share = P1;
  for (int k = SN_CABLE_ROOT - 2; k >= 0; k--) {
    P1 = P1 * x.z + b;
    b = b * y.z + sn_cable_root[k];
  }
  sn_vd low = sn_vd_min(f[1], y.a * y.a) - sn_vd_min(f[0], x.a * x.a), change = f[1] - f[0];
  for (int k = 0; k < SN_LANES; k++)
    share[k] = change[k] != 0 ? low[k] / change[k] : x.z[k] < 0; /* of the polynomial */
  return 1 - 2 * kl * ((1 - share) / (x.m + y.m) + share * P1 * x.ia);
}

/* F += discrete gradient of U; dx: half the change of (d, r0', r1') over the step */
SN_CABLE_RARE void sn_cable_step_force(const sn_cable_pack *p, int power, int reference, const sn_v3 x[SN_CABLE_PARTS],
                                       const sn_v3 dx[SN_CABLE_PARTS], sn_v3 F[SN_CABLE_PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss5_points[i]);
    sn_v3 u = sn_cable_mix(c.u, x), du = sn_cable_mix(c.u, dx);
    sn_vd eps = 0.5 * (sn_v3_dot(u, u) + sn_v3_dot(du, du)) - 0.5;
    if (reference != SN_CABLE_STRAIGHT) eps -= sn_vd_load(p->eps0 + i * p->capacity);
    sn_cable_spread(F, c.u, sn_v3_scale(sn_gauss5_weights[i] * sn_cable_axial(p, i) * p->l * eps, u));
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss3_points[i]);
    sn_v3 y[4] = {sn_cable_mix(c.u, x), sn_cable_mix(c.w, x), sn_cable_mix(c.u, dx), sn_cable_mix(c.w, dx)}, gu, gw;
    sn_cable_ends e = sn_cable_ends_of(y[0], y[1], y[2], y[3]);
    sn_vd f[2], k = (0.5 * sn_gauss3_weights[i]) * sn_cable_flexural(p, i) / p->l;
    sn_cable_bend_step(&e, power, y[0], y[1], &gu, &gw, f);
    if (reference == SN_CABLE_CURVED) {
      k *= sn_cable_curved_step(f, p->l * sn_vd_load(p->kappa0 + i * p->capacity));
    }
    if (reference == SN_CABLE_PLANAR) sn_cable_planar_step(p, i, &e, power, y, &gu, &gw);
    sn_cable_spread(F, c.u, sn_v3_scale(k, gu));
    sn_cable_spread(F, c.w, sn_v3_scale(k, gw));
  }
}

#endif
