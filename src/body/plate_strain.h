/* plate_strain.h - strains and curvatures of plates at a point, their rates, and the stresses they cause.
 *
 *   e = (exx, eyy, gxy) = ((r_x.r_x - 1)/2, (r_y.r_y - 1)/2, r_x.r_y) - e0
 *   k = (kxx, kyy, 2 kxy) = (r_xx.N, r_yy.N, 2 r_xy.N) - k0,   n = r_x x r_y, N = n/|n|
 *
 * Kelvin-Voigt damping: e and k do not change in rigid motion, so neither do their rates act in it, and
 *   stress = C P (e + beta e'),  moment = D P (k + beta k'),   P = [1 nu 0; nu 1 0; 0 0 (1-nu)/2]
 * is objective as it stands.
 */
#ifndef SN_PLATE_STRAIN_H
#define SN_PLATE_STRAIN_H

#include "body/plate_pack.h"
#include "body/plate_step.h"

/* ---- membrane ---- */

SN_INLINE void sn_plate_membrane_strain(const sn_plate_pack *p, int point, const sn_v3 y[SN_PLATE_SLOTS], sn_vd e[3]) {
  e[0] = 0.5 * sn_v3_dot(y[SN_RX], y[SN_RX]) - 0.5;
  e[1] = 0.5 * sn_v3_dot(y[SN_RY], y[SN_RY]) - 0.5;
  e[2] = sn_v3_dot(y[SN_RX], y[SN_RY]);
  if (!p->e->eps0) return;
  for (int i = 0; i < 3; i++) e[i] -= sn_vd_load(p->e->eps0 + (3 * point + i) * p->e->capacity + p->i);
}

SN_INLINE void sn_plate_membrane_rate(const sn_v3 y[SN_PLATE_SLOTS], const sn_v3 yd[SN_PLATE_SLOTS], sn_vd e[3]) {
  e[0] = sn_v3_dot(y[SN_RX], yd[SN_RX]);
  e[1] = sn_v3_dot(y[SN_RY], yd[SN_RY]);
  e[2] = sn_v3_dot(y[SN_RX], yd[SN_RY]) + sn_v3_dot(yd[SN_RX], y[SN_RY]);
}

/* What the mean of the strains at the ends of a step has more than those in the middle. */
SN_INLINE void sn_plate_membrane_step(double step, const sn_v3 yd[SN_PLATE_SLOTS], sn_vd e[3]) {
  double tt = step * step / 8;
  e[0] += tt * sn_v3_dot(yd[SN_RX], yd[SN_RX]);
  e[1] += tt * sn_v3_dot(yd[SN_RY], yd[SN_RY]);
  e[2] += 2 * tt * sn_v3_dot(yd[SN_RX], yd[SN_RY]);
}

/* Stresses with their viscous part; xd NULL: undamped. yd is left for the tangent. */
SN_INLINE void sn_plate_membrane_stress(const sn_plate_pack *p, int g, const sn_v3 x[SN_PLATE_SHAPES], const sn_v3 *xd,
                                        sn_v3 y[SN_PLATE_SLOTS], sn_v3 yd[SN_PLATE_SLOTS], sn_vd m[3]) {
  sn_vd e[3], rate[3];
  sn_plate_slots_at(p, &p->e->tables->membrane[g], 2, x, y);
  sn_plate_membrane_strain(p, g, y, e);
  if (xd) {
    sn_plate_slots_at(p, &p->e->tables->membrane[g], 2, xd, yd);
    sn_plate_membrane_rate(y, yd, rate);
    for (int i = 0; i < 3; i++) e[i] += p->beta * rate[i];
    if (p->step > 0) sn_plate_membrane_step(p->step, yd, e);
  }
  sn_plate_stress(p->C, p->nu, e, m);
}

/* ---- bending: the curvatures and their gradients ----
 *   g_i = (I - N N') r_i/|n|,   dk_i/dr_x = r_y x g_i,   dk_i/dr_y = g_i x r_x,   dk_i/dr_i = N
 * for r_i = r_xx, r_yy, 2 r_xy. */

typedef struct sn_plate_bend {
  sn_v3 N;
  sn_vd in; /* 1/|n| */
  sn_v3 r[3], g[3];
  sn_vd k[3];
} sn_plate_bend;

SN_INLINE sn_v3 sn_plate_third(int i, sn_v3 a) { /* the twist counts twice */
  return i == 2 ? sn_v3_scale(sn_vd_all(2), a) : a;
}

SN_INLINE sn_plate_bend sn_plate_bend_at(const sn_v3 y[SN_PLATE_SLOTS]) {
  sn_plate_bend b;
  sn_v3 n = sn_v3_cross(y[SN_RX], y[SN_RY]);
  b.in = 1 / sn_vd_sqrt(sn_v3_dot(n, n));
  b.N = sn_v3_scale(b.in, n);
  for (int i = 0; i < 3; i++) {
    b.r[i] = sn_plate_third(i, y[SN_RXX + i]);
    b.k[i] = sn_v3_dot(b.r[i], b.N);
    b.g[i] = sn_v3_scale(b.in, sn_v3_sub(b.r[i], sn_v3_scale(b.k[i], b.N)));
  }
  return b;
}

/* Rates of N, k_i and g_i with the velocities yd of the slots. */
SN_INLINE void sn_plate_bend_rate(const sn_plate_bend *b, const sn_v3 y[SN_PLATE_SLOTS], const sn_v3 yd[SN_PLATE_SLOTS],
                                  sn_v3 *Nd, sn_vd kd[3], sn_v3 gd[3]) {
  sn_v3 nd = sn_v3_add(sn_v3_cross(yd[SN_RX], y[SN_RY]), sn_v3_cross(y[SN_RX], yd[SN_RY]));
  sn_vd stretch = b->in * sn_v3_dot(b->N, nd); /* |n|'/|n| */
  *Nd = sn_v3_sub(sn_v3_scale(b->in, nd), sn_v3_scale(stretch, b->N));
  for (int i = 0; i < 3; i++) {
    sn_v3 rd = sn_plate_third(i, yd[SN_RXX + i]);
    kd[i] = sn_v3_dot(rd, b->N) + sn_v3_dot(b->r[i], *Nd);
    sn_v3 d = sn_v3_sub(rd, sn_v3_add(sn_v3_scale(kd[i], b->N), sn_v3_scale(b->k[i], *Nd)));
    gd[i] = sn_v3_sub(sn_v3_scale(b->in, d), sn_v3_scale(stretch, b->g[i]));
  }
}

SN_INLINE sn_vd sn_plate_curvature0(const sn_plate_pack *p, int point, int i) {
  return sn_vd_load(p->e->kappa0 + (3 * point + i) * p->e->capacity + p->i);
}

/* Moments with their viscous part; the rest is left for the tangent. */
SN_INLINE sn_plate_bend sn_plate_moment(const sn_plate_pack *p, int g, const sn_v3 x[SN_PLATE_SHAPES], const sn_v3 *xd,
                                        sn_v3 y[SN_PLATE_SLOTS], sn_v3 yd[SN_PLATE_SLOTS], sn_v3 *Nd, sn_v3 gd[3],
                                        sn_vd m[3]) {
  sn_vd k[3], kd[3];
  sn_plate_slots_at(p, &p->e->tables->bending[g], SN_PLATE_SLOTS, x, y);
  sn_plate_bend b = sn_plate_bend_at(y);
  for (int i = 0; i < 3; i++) {
    k[i] = p->step > 0 ? sn_vd_all(0) : b.k[i]; /* over a step: bending_step */
    if (p->e->kappa0 && p->step == 0) k[i] -= sn_plate_curvature0(p, g, i);
  }
  if (xd) {
    sn_plate_slots_at(p, &p->e->tables->bending[g], SN_PLATE_SLOTS, xd, yd);
    sn_plate_bend_rate(&b, y, yd, Nd, kd, gd);
    for (int i = 0; i < 3; i++) k[i] += p->beta * kd[i];
  }
  sn_plate_stress(p->D, p->nu, k, m);
  return b;
}

#endif
