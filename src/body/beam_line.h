/* beam_line.h - elastic forces of `timoshenko` and `elastic-line`: energies of strains of the axis and its sections.
 *
 *   U = 1/2 int EA (eps - eps0)^2 + E Iyy (ky - ky0)^2 + E Izz (kz - kz0)^2 dx + G J (f - f0)^2/(2 l)
 *     + l/2 sum over both nodes of A W(r_x, r_y, r_z)
 *   eps = (u.u - 1)/2,   f: the twist of the element, beam_twist.h
 *   ky = k.r_y/n + c (gz1 - gz0)/l,   kz = k.r_z/n - c (gy1 - gy0)/l   with k = u x u_x/|u|^2, n the
 *   length of r_y or r_z without what bending takes
 *
 * W is svk.h without the axial strain: strain of the section (E) and shear (G k2, G k3). It is taken at the nodes
 * only, where the section is not bent by the interpolation: no locking. Quadrature: 5 Gauss points for eps (exact), 3
 * for the rest.
 *
 * elastic-line, c = 0: the turn of the tangent. timoshenko, c = 1: that of the sections, which lag behind the tangent
 * by the shear gy = r_x.r_y, gz = r_x.r_z of the nodes. The turn then has the mean of the sections and the variation of
 * the axis; with shear that is the same at both nodes nothing but the deflection by shear is added: exact for loads at
 * nodes.
 *
 * Each of eps, ky, kz is a scalar e of a few gradients, f one of the parts, with gradient g and Hessian H:
 *   force k (e - e0 + beta g.v) g,   tangent  s ck H + k g ((ck + cd beta) g + ck beta H v)'
 */
#ifndef SN_BEAM_LINE_H
#define SN_BEAM_LINE_H

#include "body/beam_line_step.h"
#include "body/beam_twist.h"
#include "body/beam_volume.h"
#include "math/gauss.h"

enum { SN_LINE_TERMS = 6 };

typedef struct sn_line_strain {
  int count;              /* gradients it depends on */
  int at[SN_LINE_TERMS];  /* which */
  sn_vd e;                /* value (curvatures: times l) */
  sn_v3 g[SN_LINE_TERMS]; /* gradient */
} sn_line_strain;

SN_INLINE sn_line_strain sn_line_axial(const sn_v3 X[]) {
  return (sn_line_strain){1, {0}, 0.5 * sn_v3_dot(X[0], X[0]) - 0.5, {X[0]}};
}

/* f = R c, c = (u x w).m, R = (u.u)^-1 N^-1/2, m = r_y or r_z: the turn of the tangent per reference length, the measure
 * whose work is done by the bending moment. N and its vectors: sn_line_length. */
SN_INLINE sn_line_strain sn_line_curvature(const sn_v3 X[], int which, double q) {
  sn_line_strain y = {.count = 6, .at = SN_LINE_SLOTS(which)};
  sn_v3 v[SN_LINE_TERMS];
  for (int i = 0; i < 6; i++) v[i] = X[y.at[i]];
  const sn_line_length N = sn_line_length_at(v, q);
  sn_v3 u = v[0], w = v[1], m = v[2], uw = sn_v3_cross(u, w);
  sn_vd iuu = 1 / sn_v3_dot(u, u), iN = 1 / N.N, R = iuu * sn_vd_sqrt(iN);
  y.e = R * sn_v3_dot(uw, m);
  y.g[0] = sn_v3_sub(sn_v3_scale(R, sn_v3_cross(w, m)), sn_v3_scale(2 * y.e * iuu, u));
  y.g[1] = sn_v3_scale(R, sn_v3_cross(m, u));
  y.g[2] = sn_v3_sub(sn_v3_scale(R, uw), sn_v3_scale(y.e * iN, N.n[0]));
  for (int i = 1; i < 4; i++) y.g[2 + i] = sn_v3_scale(-y.e * iN, N.n[i]);
  return y;
}

/* The strain, of curvatures at a bending point. */
SN_INLINE sn_line_strain sn_line_strain_at(int which, int point, const sn_v3 X[]) {
  if (which == SN_LINE_EPS) return sn_line_axial(X);
  return sn_line_curvature(X, which, sn_line_bow(point));
}

/* Hessian; for the curvature, A = w x m, B = m x u, C = u x w, p = f_u, f_w, R C, n = half the gradient of N:
 *   uu: -2R/uu (u A' + A u') + f (8/uu^2 u u' - 2/uu I)     uw: -R skew(m) - 2R/uu u B'
 *   um:  R skew(w) - 2R/uu u C'                              wm: -R skew(u)
 *   and of all  -(p n' + n p')/N + 3f/N^2 n n' - f/N n'' */
SN_INLINE void sn_line_hessian(int which, int point, const sn_v3 X[], sn_m33 H[SN_LINE_TERMS][SN_LINE_TERMS]) {
  memset(H, 0, sizeof(sn_m33) * SN_LINE_TERMS * SN_LINE_TERMS);
  if (which == SN_LINE_EPS) {
    sn_m33_diagonal(&H[0][0], sn_vd_all(1));
    return;
  }
  const double q = sn_line_bow(point);
  const int at[6] = SN_LINE_SLOTS(which);
  sn_v3 v[6];
  for (int i = 0; i < 6; i++) v[i] = X[at[i]];
  const sn_line_length N = sn_line_length_at(v, q);
  sn_v3 u = v[0], w = v[1], m = v[2];
  sn_v3 A = sn_v3_cross(w, m), B = sn_v3_cross(m, u), C = sn_v3_cross(u, w);
  sn_vd iuu = 1 / sn_v3_dot(u, u), iN = 1 / N.N, R = iuu * sn_vd_sqrt(iN);
  sn_vd f = R * sn_v3_dot(C, m), t = -2 * R * iuu;
  sn_v3 p[3] = {sn_v3_sub(sn_v3_scale(R, A), sn_v3_scale(2 * f * iuu, u)), sn_v3_scale(R, B), sn_v3_scale(R, C)};
  sn_m33_outer(&H[0][0], t, u, A);
  sn_m33_outer(&H[0][0], t, A, u);
  sn_m33_outer(&H[0][0], 8 * f * iuu * iuu, u, u);
  sn_m33_diagonal(&H[0][0], -2 * f * iuu);
  sn_m33_skew(&H[0][1], -R, m);
  sn_m33_outer(&H[0][1], t, u, B);
  sn_m33_skew(&H[0][2], R, w);
  sn_m33_outer(&H[0][2], t, u, C);
  sn_m33_skew(&H[1][2], -R, u);
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 3; i++) sn_m33_outer(&H[i][2 + j], -iN, p[i], N.n[j]);
    for (int i = 0; i <= j; i++) {
      sn_m33_outer(&H[2 + i][2 + j], 3 * f * iN * iN, N.n[i], N.n[j]);
      sn_m33_outer(&H[2 + i][2 + j], q * f * iN, N.turn[i], N.turn[j]);
    }
  }
  sn_m33_outer(&H[2][2], -iN, N.n[0], p[2]);
  sn_m33_diagonal(&H[2][2], -f * iN);
  sn_m33_diagonal(&H[3][3], -q * f * iN);
  sn_m33_diagonal(&H[2][5], -0.5 * q * f * iN * N.t);
  sn_m33_diagonal(&H[3][4], 0.5 * q * f * iN * N.t);
  for (int i = 1; i < SN_LINE_TERMS; i++)
    for (int j = 0; j < i; j++) H[i][j] = sn_m33_transpose(&H[j][i]);
}

/* Stiffness (weight of the point included) and reference value of a strain. */
SN_INLINE int sn_line_field(int which, int point) {
  return SN_BEAM_REST + (which == SN_LINE_EPS ? point : SN_BEAM_STATIONS + 3 * point + which);
}
SN_INLINE sn_vd sn_line_stiffness(const sn_beam_pack *p, int which, int point) {
  sn_vd k = sn_beam_number(p, sn_line_field(which, point) + SN_BEAM_LINE_NUMBERS);
  return which == SN_LINE_EPS ? sn_gauss5_weights[point] * k * p->l : sn_gauss3_weights[point] * k / p->l;
}
SN_INLINE sn_vd sn_line_reference(const sn_beam_pack *p, int which, int point) {
  return sn_beam_number(p, sn_line_field(which, point));
}

/* What W is multiplied with at a node: half of the element, with the area there. */
SN_INLINE sn_vd sn_line_node_weight(const sn_beam_pack *p, int node) {
  return 0.5 * p->l * sn_beam_number(p, SN_BEAM_AXIS + node);
}

/* ---- shear in the turn of the sections: change in e of ky and kz, the same at all points of an element ---- */

typedef struct sn_line_lag {
  int part;      /* r_z (ky) or r_y (kz) of the first node among the parts */
  sn_vd e, rate; /* its value; its rate, or over a step half its change in the middle */
  sn_v3 g[2][2]; /* gradient with respect to r_x, and to that vector, of each node */
  sn_vd c;
} sn_line_lag;

SN_INLINE sn_line_lag sn_line_lag_at(const sn_beam_pack *p, int which, const sn_v3 x[], const sn_v3 *xd) {
  sn_line_lag y = {.part = which == SN_LINE_KY ? 5 : 3, .c = sn_beam_number(p, SN_BEAM_AXIS + 2)};
  y.e = y.rate = sn_vd_all(0);
  for (int node = 0; node < 2; node++) {
    sn_vd c = ((which == SN_LINE_KY) == (node == 1)) ? y.c : -y.c;
    sn_v3 u = x[1 + node], m = x[y.part + node];
    y.e += c * sn_v3_dot(u, m);
    y.g[node][0] = sn_v3_scale(c, m), y.g[node][1] = sn_v3_scale(c, u);
    if (!xd) continue;
    y.rate += sn_v3_dot(y.g[node][0], xd[1 + node]) + sn_v3_dot(y.g[node][1], xd[y.part + node]);
    if (p->step > 0) y.e += c * (p->step * p->step / 4) * sn_v3_dot(xd[1 + node], xd[y.part + node]);
  }
  return y;
}

/* F += s g */
SN_INLINE void sn_line_lag_spread(const sn_line_lag *a, sn_vd s, sn_v3 F[]) {
  for (int node = 0; node < 2; node++) {
    F[1 + node] = sn_v3_add(F[1 + node], sn_v3_scale(s, a->g[node][0]));
    F[a->part + node] = sn_v3_add(F[a->part + node], sn_v3_scale(s, a->g[node][1]));
  }
}

/* Q += s g */
SN_INLINE void sn_line_spread(const sn_line_strain *a, sn_vd s, sn_v3 Q[]) {
  for (int k = 0; k < a->count; k++) Q[a->at[k]] = sn_v3_add(Q[a->at[k]], sn_v3_scale(s, a->g[k]));
}

/* beta times the rate of the strain */
SN_INLINE sn_vd sn_line_viscous(const sn_beam_pack *p, const sn_line_strain *a, const sn_v3 *Xd) {
  sn_vd s = sn_vd_all(0);
  for (int k = 0; Xd && k < a->count; k++) s += p->beta * sn_v3_dot(a->g[k], Xd[a->at[k]]);
  return s;
}

/* Strain `which` at a point: Q += force. lag: NULL for eps. Returns the stress, k times the strain. */
SN_INLINE sn_vd sn_line_add_force(const sn_beam_pack *p, int which, int point, const sn_v3 X[], const sn_v3 *Xd,
                                  const sn_line_lag *lag, sn_v3 Q[]) {
  sn_vd k = sn_line_stiffness(p, which, point), e0 = sn_line_reference(p, which, point);
  sn_line_strain a = sn_line_strain_at(which, point, X);
  sn_vd viscous = sn_line_viscous(p, &a, Xd);
  if (lag) e0 -= lag->e, viscous += p->beta * lag->rate;
  if (p->step > 0 && lag) return sn_line_curvature_step(X, Xd, p->step, which, sn_line_bow(point), k, e0, viscous, Q);
  if (p->step > 0) a.e += sn_line_axial_step(Xd, p->step);
  sn_vd stress = k * (a.e - e0 + viscous);
  sn_line_spread(&a, stress, Q);
  return stress;
}

/* Sums over the points of an element, for the tangent of the lag: of k, of the stress, and of k times the gradient and
 * its rate, on the parts. */
typedef struct sn_line_sums {
  sn_vd k, stress;
  sn_v3 g[SN_PARTS], r[SN_PARTS];
} sn_line_sums;

SN_INLINE void sn_line_add_tangent(const sn_beam_pack *p, int which, int point, const sn_v3 X[], const sn_v3 *Xd,
                                   double ck, double cd, const sn_line_lag *lag, sn_line_sums *sums,
                                   sn_m33 T[SN_GRADIENTS][SN_GRADIENTS]) {
  sn_line_strain a = sn_line_strain_at(which, point, X);
  sn_m33 H[SN_LINE_TERMS][SN_LINE_TERMS];
  sn_vd s = a.e - sn_line_reference(p, which, point), k = sn_line_stiffness(p, which, point);
  sn_v3 r[SN_LINE_TERMS];
  if (lag) s += lag->e + p->beta * lag->rate;
  sn_line_hessian(which, point, X, H);
  for (int i = 0; i < a.count; i++) {
    r[i] = sn_v3_scale(ck + cd * p->beta, a.g[i]);
    if (!Xd) continue;
    s += p->beta * sn_v3_dot(a.g[i], Xd[a.at[i]]);
    for (int j = 0; j < a.count; j++)
      r[i] = sn_v3_add(r[i], sn_v3_scale(ck * p->beta, sn_m33_times(&H[i][j], Xd[a.at[j]])));
  }
  for (int i = 0; i < a.count; i++)
    for (int j = 0; j < a.count; j++) {
      sn_m33_add(&T[a.at[i]][a.at[j]], ck * k * s, &H[i][j]);
      sn_m33_outer(&T[a.at[i]][a.at[j]], k, a.g[i], r[j]);
    }
  if (!lag) return;
  sn_v3 g[SN_GRADIENTS] = {0}, gr[SN_GRADIENTS] = {0};
  for (int i = 0; i < a.count; i++) g[a.at[i]] = sn_v3_scale(k, a.g[i]), gr[a.at[i]] = sn_v3_scale(k, r[i]);
  sn_beam_ungradients(3, SN_GRADIENTS, sn_gauss3_points[point], g, sums->g);
  sn_beam_ungradients(3, SN_GRADIENTS, sn_gauss3_points[point], gr, sums->r);
  sums->k += k;
  sums->stress += k * s;
}

/* What the lag d adds to the tangent: with the sums over the points, sum k g r_d' + d sum k r' + sum k d r_d' + stress
 * H, r_d its own rate as r is that of the rest. */
SN_INLINE void sn_line_lag_tangent(const sn_beam_pack *p, const sn_line_lag *lag, const sn_line_sums *sums,
                                   const sn_v3 *xd, double ck, double cd, sn_m33 K[SN_PARTS][SN_PARTS]) {
  const int at[4] = {1, 2, lag->part, lag->part + 1};
  sn_v3 d[4] = {lag->g[0][0], lag->g[1][0], lag->g[0][1], lag->g[1][1]}, r[4];
  sn_vd sign = lag->part == 5 ? lag->c : -lag->c;
  for (int i = 0; i < 4; i++) {
    sn_vd c = i % 2 ? sign : -sign;
    r[i] = sn_v3_scale(ck + cd * p->beta, d[i]);
    if (xd) r[i] = sn_v3_add(r[i], sn_v3_scale(ck * p->beta * c, xd[at[(i + 2) % 4]]));
    sn_m33_diagonal(&K[at[i]][at[(i + 2) % 4]], ck * sums->stress * c);
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) sn_m33_outer(&K[at[i]][at[j]], sums->k, d[i], r[j]);
    for (int part = 0; part < SN_PARTS; part++) {
      sn_m33_outer(&K[part][at[i]], sn_vd_all(1), sums->g[part], r[i]);
      sn_m33_outer(&K[at[i]][part], sn_vd_all(1), d[i], sums->r[part]);
    }
  }
}

/* ---- torsion: of the element as a whole ---- */

/* G J/l of the element; its points have the cosine and sine of psi and the area S of the reference */
SN_INLINE sn_vd sn_line_torsion_stiffness(const sn_beam_pack *p, sn_vd reference[3]) {
  sn_vd k = sn_vd_all(0);
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    k += sn_line_stiffness(p, SN_LINE_TAU, i);
    reference[i] = sn_line_reference(p, SN_LINE_TAU, i);
  }
  return k;
}

SN_INLINE void sn_line_torsion_force(const sn_beam_pack *p, const sn_v3 x[], const sn_v3 *xd, sn_v3 F[]) {
  sn_vd reference[3], k = sn_line_torsion_stiffness(p, reference), e;
  sn_v3 g[SN_PARTS];
  if (p->step > 0) {
    sn_twist_step(x, xd, p->step, reference, &e, g);
  } else {
    sn_twist y = sn_twist_at(x, reference);
    e = y.e;
    memcpy(g, y.g, sizeof g);
  }
  for (int i = 0; xd && i < SN_PARTS; i++) e += p->beta * sn_v3_dot(g[i], xd[i]);
  for (int i = 0; i < SN_PARTS; i++) F[i] = sn_v3_add(F[i], sn_v3_scale(k * e, g[i]));
}

SN_INLINE void sn_line_torsion_tangent(const sn_beam_pack *p, const sn_v3 x[], const sn_v3 *xd, double ck, double cd,
                                       sn_m33 K[SN_PARTS][SN_PARTS]) {
  sn_vd reference[3], k = sn_line_torsion_stiffness(p, reference);
  const sn_twist y = sn_twist_at(x, reference);
  sn_v3 r[SN_PARTS];
  sn_vd s = y.e;
  for (int i = 0; i < SN_PARTS; i++) {
    r[i] = sn_v3_scale(ck + cd * p->beta, y.g[i]);
    if (xd) s += p->beta * sn_v3_dot(y.g[i], xd[i]);
  }
  for (int i = 0; i < SN_PARTS; i++)
    for (int j = 0; j < SN_PARTS; j++) {
      if ((i < SN_TWIST_Y) != (j < SN_TWIST_Y)) continue;
      static const int line[3] = {1, 0, 2}; /* d, p0, p1 among p0, d, p1 */
      const sn_m33 H = i < SN_TWIST_Y ? sn_twist_area_block(&y.area, x, line[i], line[j])
                                      : sn_twist_turn_block(&y, i - SN_TWIST_Y, j - SN_TWIST_Y);
      sn_m33_add(&K[i][j], ck * k * s, &H);
      if (xd) r[i] = sn_v3_add(r[i], sn_v3_scale(ck * p->beta, sn_m33_times(&H, xd[j])));
    }
  for (int i = 0; i < SN_PARTS; i++)
    for (int j = 0; j < SN_PARTS; j++) sn_m33_outer(&K[i][j], k, y.g[i], r[j]);
}

/* r_x, r_y, r_z of a node among the parts */
SN_INLINE void sn_line_node(int node, const sn_v3 x[], sn_v3 h[3]) {
  for (int j = 0; j < 3; j++) h[j] = x[1 + 2 * j + node];
}

SN_INLINE void sn_beam_line_force(const sn_beam_pack *p, const sn_v3 x[], const sn_v3 *xd, sn_v3 F[]) {
  sn_v3 X[SN_GRADIENTS], Xd[SN_GRADIENTS], Q[SN_GRADIENTS], h[3], hd[3], P[3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    double s = sn_gauss5_points[i];
    memset(Q, 0, sizeof Q);
    sn_beam_gradients(3, 1, s, x, X);
    if (xd) sn_beam_gradients(3, 1, s, xd, Xd);
    sn_line_add_force(p, SN_LINE_EPS, i, X, xd ? Xd : NULL, NULL, Q);
    sn_beam_ungradients(3, 1, s, Q, F);
  }
  sn_line_lag lag[2] = {sn_line_lag_at(p, SN_LINE_KY, x, xd), sn_line_lag_at(p, SN_LINE_KZ, x, xd)};
  sn_vd stress[2] = {0};
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    double s = sn_gauss3_points[i];
    memset(Q, 0, sizeof Q);
    sn_beam_gradients(3, SN_GRADIENTS, s, x, X);
    if (xd) sn_beam_gradients(3, SN_GRADIENTS, s, xd, Xd);
    for (int which = SN_LINE_KY; which <= SN_LINE_KZ; which++)
      stress[which] += sn_line_add_force(p, which, i, X, xd ? Xd : NULL, &lag[which], Q);
    sn_beam_ungradients(3, SN_GRADIENTS, s, Q, F);
  }
  for (int which = SN_LINE_KY; which <= SN_LINE_KZ; which++) sn_line_lag_spread(&lag[which], stress[which], F);
  sn_line_torsion_force(p, x, xd, F);
  sn_svk D = sn_beam_material(p, SN_BEAM_VOLUME);
  for (int node = 0; node < 2; node++) {
    sn_line_node(node, x, h);
    if (xd) sn_line_node(node, xd, hd);
    sn_svk_force(&D, 3, h, xd ? hd : NULL, p->beta, p->step * p->step / 8, P);
    sn_vd weight = sn_line_node_weight(p, node);
    for (int j = 0; j < 3; j++) F[1 + 2 * j + node] = sn_v3_add(F[1 + 2 * j + node], sn_v3_scale(weight, P[j]));
  }
}

SN_INLINE sn_vd sn_beam_line_energy(const sn_beam_pack *p, const sn_v3 x[]) {
  sn_v3 X[SN_GRADIENTS], h[3];
  sn_vd U = sn_vd_all(0);
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_beam_gradients(3, 1, sn_gauss5_points[i], x, X);
    sn_vd e = sn_line_axial(X).e - sn_line_reference(p, SN_LINE_EPS, i);
    U += 0.5 * sn_line_stiffness(p, SN_LINE_EPS, i) * e * e;
  }
  sn_vd lag[2] = {sn_line_lag_at(p, SN_LINE_KY, x, NULL).e, sn_line_lag_at(p, SN_LINE_KZ, x, NULL).e};
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    sn_beam_gradients(3, SN_GRADIENTS, sn_gauss3_points[i], x, X);
    for (int which = SN_LINE_KY; which <= SN_LINE_KZ; which++) {
      sn_vd e = sn_line_strain_at(which, i, X).e + lag[which] - sn_line_reference(p, which, i);
      U += 0.5 * sn_line_stiffness(p, which, i) * e * e;
    }
  }
  sn_vd reference[3], k = sn_line_torsion_stiffness(p, reference), twist = sn_twist_at(x, reference).e;
  U += 0.5 * k * twist * twist;
  sn_svk D = sn_beam_material(p, SN_BEAM_VOLUME);
  for (int node = 0; node < 2; node++) {
    sn_line_node(node, x, h);
    U += sn_line_node_weight(p, node) * sn_svk_energy(&D, 3, h);
  }
  return U;
}

SN_INLINE void sn_beam_line_tangent(const sn_beam_pack *p, const sn_v3 x[], const sn_v3 *xd, double ck, double cd,
                                    sn_m33 K[SN_PARTS][SN_PARTS]) {
  sn_v3 X[SN_GRADIENTS], Xd[SN_GRADIENTS], h[3], hd[3];
  sn_m33 T[SN_GRADIENTS][SN_GRADIENTS], H[3][3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    double s = sn_gauss5_points[i];
    memset(T, 0, sizeof T);
    sn_beam_gradients(3, 1, s, x, X);
    if (xd) sn_beam_gradients(3, 1, s, xd, Xd);
    sn_line_add_tangent(p, SN_LINE_EPS, i, X, xd ? Xd : NULL, ck, cd, NULL, NULL, T);
    sn_beam_ungradients_tangent(3, 1, s, T, K);
  }
  sn_line_lag lag[2] = {sn_line_lag_at(p, SN_LINE_KY, x, xd), sn_line_lag_at(p, SN_LINE_KZ, x, xd)};
  sn_line_sums sums[2] = {0};
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    double s = sn_gauss3_points[i];
    memset(T, 0, sizeof T);
    sn_beam_gradients(3, SN_GRADIENTS, s, x, X);
    if (xd) sn_beam_gradients(3, SN_GRADIENTS, s, xd, Xd);
    for (int which = SN_LINE_KY; which <= SN_LINE_KZ; which++)
      sn_line_add_tangent(p, which, i, X, xd ? Xd : NULL, ck, cd, &lag[which], &sums[which], T);
    sn_beam_ungradients_tangent(3, SN_GRADIENTS, s, T, K);
  }
  for (int which = SN_LINE_KY; which <= SN_LINE_KZ; which++)
    sn_line_lag_tangent(p, &lag[which], &sums[which], xd, ck, cd, K);
  sn_line_torsion_tangent(p, x, xd, ck, cd, K);
  sn_svk D = sn_beam_material(p, SN_BEAM_VOLUME);
  for (int node = 0; node < 2; node++) {
    sn_line_node(node, x, h);
    if (xd) sn_line_node(node, xd, hd);
    sn_svk_tangent(&D, 3, h, xd ? hd : NULL, p->beta, ck, cd, H);
    sn_vd weight = sn_line_node_weight(p, node);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sn_m33_add(&K[1 + 2 * i + node][1 + 2 * j + node], weight, &H[i][j]);
  }
}

#endif
