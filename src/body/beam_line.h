/* beam_line.h - elastic forces of `elastic-line`: energies of the axis alone.
 *
 *   U = 1/2 int EA (eps - eps0)^2 + E Iyy (ky - ky0)^2 + E Izz (kz - kz0)^2 + G J (tau - tau0)^2 dx
 *     + l/2 sum over both nodes of A W(r_x, r_y, r_z)
 *   eps = (u.u - 1)/2,   ky = k.r_y/|r_y|, kz = k.r_z/|r_z| with k = u x u_x/|u|^2,   tau = (r_z.r_y,x - r_y.r_z,x)/2
 *
 * W is svk.h without the axial strain: strain of the section (E) and shear (G k2, G k3). It is taken at the nodes
 * only, where the section is not bent by the interpolation: no locking. Quadrature: 5 Gauss points for eps (exact), 3
 * for the rest.
 *
 * Each of eps, ky, kz, tau is a scalar e of a few gradients with gradient g and Hessian H:
 *   force k (e - e0 + beta g.v) g,   tangent  s ck H + k g ((ck + cd beta) g + ck beta H v)'
 */
#ifndef SN_BEAM_LINE_H
#define SN_BEAM_LINE_H

#include "body/beam_line_step.h"
#include "body/beam_volume.h"

enum { SN_LINE_TERMS = 4 };

typedef struct sn_line_strain {
  int count;              /* gradients it depends on */
  int at[SN_LINE_TERMS];  /* which */
  sn_vd e;                /* value (curvatures: times l) */
  sn_v3 g[SN_LINE_TERMS]; /* gradient */
} sn_line_strain;

SN_INLINE sn_line_strain sn_line_axial(const sn_v3 X[]) {
  return (sn_line_strain){1, {0}, 0.5 * sn_v3_dot(X[0], X[0]) - 0.5, {X[0]}};
}

/* f = R c, c = (u x w).m, R = (u.u)^-1 (m.m)^-1/2; m = r_y or r_z: the turn of the tangent per reference length, the
 * measure whose work is done by the bending moment */
SN_INLINE sn_line_strain sn_line_curvature(const sn_v3 X[], int m) {
  sn_v3 u = X[0], w = X[SN_W], d = X[m], uw = sn_v3_cross(u, w);
  sn_vd iuu = 1 / sn_v3_dot(u, u), imm = 1 / sn_v3_dot(d, d), R = iuu * sn_vd_sqrt(imm);
  sn_vd f = R * sn_v3_dot(uw, d);
  return (sn_line_strain){3,
                          {0, SN_W, m},
                          f,
                          {sn_v3_sub(sn_v3_scale(R, sn_v3_cross(w, d)), sn_v3_scale(2 * f * iuu, u)),
                           sn_v3_scale(R, sn_v3_cross(d, u)), sn_v3_sub(sn_v3_scale(R, uw), sn_v3_scale(f * imm, d))}};
}

/* l tau = (r_z.g_y - r_y.g_z)/2 */
SN_INLINE sn_line_strain sn_line_torsion(const sn_v3 X[]) {
  sn_vd half = sn_vd_all(0.5);
  return (sn_line_strain){
      4,
      {1, 2, 3, 4},
      0.5 * (sn_v3_dot(X[4], X[1]) - sn_v3_dot(X[3], X[2])),
      {sn_v3_scale(half, X[4]), sn_v3_scale(-half, X[3]), sn_v3_scale(-half, X[2]), sn_v3_scale(half, X[1])}};
}

SN_INLINE sn_line_strain sn_line_strain_at(int which, const sn_v3 X[]) {
  if (which == SN_LINE_EPS) return sn_line_axial(X);
  if (which == SN_LINE_TAU) return sn_line_torsion(X);
  return sn_line_curvature(X, 3 + which);
}

/* Hessian; for the curvature, A = w x m, B = m x u, C = u x w, f_u and f_w its gradient:
 *   uu: -2R/uu (u A' + A u') + f (8/uu^2 u u' - 2/uu I)     uw: -R skew(m) - 2R/uu u B'
 *   um:  R skew(w) - 2R/uu u C' - f_u m'/mm                  wm: -R skew(u) - f_w m'/mm
 *   mm: -R/mm (C m' + m C') + f (3/mm^2 m m' - 1/mm I) */
SN_INLINE void sn_line_hessian(int which, const sn_v3 X[], sn_m33 H[SN_LINE_TERMS][SN_LINE_TERMS]) {
  memset(H, 0, sizeof(sn_m33) * SN_LINE_TERMS * SN_LINE_TERMS);
  sn_vd half = sn_vd_all(0.5);
  if (which == SN_LINE_EPS) {
    sn_m33_diagonal(&H[0][0], sn_vd_all(1));
  } else if (which == SN_LINE_TAU) {
    sn_m33_diagonal(&H[0][3], half), sn_m33_diagonal(&H[3][0], half);
    sn_m33_diagonal(&H[1][2], -half), sn_m33_diagonal(&H[2][1], -half);
  } else {
    sn_v3 u = X[0], w = X[SN_W], m = X[3 + which];
    sn_v3 A = sn_v3_cross(w, m), B = sn_v3_cross(m, u), C = sn_v3_cross(u, w);
    sn_vd iuu = 1 / sn_v3_dot(u, u), imm = 1 / sn_v3_dot(m, m), R = iuu * sn_vd_sqrt(imm);
    sn_vd f = R * sn_v3_dot(C, m), t = -2 * R * iuu;
    sn_v3 fu = sn_v3_sub(sn_v3_scale(R, A), sn_v3_scale(2 * f * iuu, u)), fw = sn_v3_scale(R, B);
    sn_m33_outer(&H[0][0], t, u, A);
    sn_m33_outer(&H[0][0], t, A, u);
    sn_m33_outer(&H[0][0], 8 * f * iuu * iuu, u, u);
    sn_m33_diagonal(&H[0][0], -2 * f * iuu);
    sn_m33_skew(&H[0][1], -R, m);
    sn_m33_outer(&H[0][1], t, u, B);
    sn_m33_skew(&H[0][2], R, w);
    sn_m33_outer(&H[0][2], t, u, C);
    sn_m33_outer(&H[0][2], -imm, fu, m);
    sn_m33_skew(&H[1][2], -R, u);
    sn_m33_outer(&H[1][2], -imm, fw, m);
    sn_m33_outer(&H[2][2], -R * imm, C, m);
    sn_m33_outer(&H[2][2], -R * imm, m, C);
    sn_m33_outer(&H[2][2], 3 * f * imm * imm, m, m);
    sn_m33_diagonal(&H[2][2], -f * imm);
    H[1][0] = sn_m33_transpose(&H[0][1]);
    H[2][0] = sn_m33_transpose(&H[0][2]);
    H[2][1] = sn_m33_transpose(&H[1][2]);
  }
}

/* Stiffness (weight of the point included) and reference value of a strain. */
SN_INLINE int sn_line_field(int which, int point) {
  return SN_BEAM_REST + (which == SN_LINE_EPS ? point : SN_BEAM_STATIONS + 3 * point + which);
}
SN_INLINE sn_vd sn_line_stiffness(const sn_beam_pack *p, int which, int point) {
  sn_vd k = sn_beam_number(p, sn_line_field(which, point) + SN_BEAM_LINE_NUMBERS);
  return which == SN_LINE_EPS ? sn_beam_station_weights[point] * k * p->l : sn_beam_bending_weights[point] * k / p->l;
}
SN_INLINE sn_vd sn_line_reference(const sn_beam_pack *p, int which, int point) {
  return sn_beam_number(p, sn_line_field(which, point));
}

/* What W is multiplied with at a node: half of the element, with the area there. */
SN_INLINE sn_vd sn_line_node_weight(const sn_beam_pack *p, int node) {
  return 0.5 * p->l * sn_beam_number(p, SN_BEAM_AXIS + node);
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

/* Strain `which` at a point: Q += force. */
SN_INLINE void sn_line_add_force(const sn_beam_pack *p, int which, int point, const sn_v3 X[], const sn_v3 *Xd,
                                 sn_v3 Q[]) {
  sn_vd k = sn_line_stiffness(p, which, point), e0 = sn_line_reference(p, which, point);
  sn_line_strain a = sn_line_strain_at(which, X);
  if (p->step > 0 && which != SN_LINE_EPS && which != SN_LINE_TAU) {
    sn_line_curvature_step(X, Xd, p->step, 3 + which, k, e0, sn_line_viscous(p, &a, Xd), Q);
    return;
  }
  if (p->step > 0) a.e += sn_line_quadratic_step(which, Xd, p->step);
  sn_line_spread(&a, k * (a.e - e0 + sn_line_viscous(p, &a, Xd)), Q);
}

SN_INLINE void sn_line_add_tangent(const sn_beam_pack *p, int which, int point, const sn_v3 X[], const sn_v3 *Xd,
                                   double ck, double cd, sn_m33 T[SN_GRADIENTS][SN_GRADIENTS]) {
  sn_line_strain a = sn_line_strain_at(which, X);
  sn_m33 H[SN_LINE_TERMS][SN_LINE_TERMS];
  sn_vd s = a.e - sn_line_reference(p, which, point), k = sn_line_stiffness(p, which, point);
  sn_v3 r[SN_LINE_TERMS];
  sn_line_hessian(which, X, H);
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
}

/* r_x, r_y, r_z of a node among the parts */
SN_INLINE void sn_line_node(int node, const sn_v3 x[], sn_v3 h[3]) {
  for (int j = 0; j < 3; j++) h[j] = x[1 + 2 * j + node];
}

SN_INLINE void sn_beam_line_force(const sn_beam_pack *p, const sn_v3 x[], const sn_v3 *xd, sn_v3 F[]) {
  sn_v3 X[SN_GRADIENTS], Xd[SN_GRADIENTS], Q[SN_GRADIENTS], h[3], hd[3], P[3];
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    double s = sn_beam_stations[i];
    memset(Q, 0, sizeof Q);
    sn_beam_gradients(3, 1, s, x, X);
    if (xd) sn_beam_gradients(3, 1, s, xd, Xd);
    sn_line_add_force(p, SN_LINE_EPS, i, X, xd ? Xd : NULL, Q);
    sn_beam_ungradients(3, 1, s, Q, F);
  }
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    double s = sn_beam_bending_points[i];
    memset(Q, 0, sizeof Q);
    sn_beam_gradients(3, SN_GRADIENTS, s, x, X);
    if (xd) sn_beam_gradients(3, SN_GRADIENTS, s, xd, Xd);
    for (int which = SN_LINE_KY; which <= SN_LINE_TAU; which++) sn_line_add_force(p, which, i, X, xd ? Xd : NULL, Q);
    sn_beam_ungradients(3, SN_GRADIENTS, s, Q, F);
  }
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
    sn_beam_gradients(3, 1, sn_beam_stations[i], x, X);
    sn_vd e = sn_line_axial(X).e - sn_line_reference(p, SN_LINE_EPS, i);
    U += 0.5 * sn_line_stiffness(p, SN_LINE_EPS, i) * e * e;
  }
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    sn_beam_gradients(3, SN_GRADIENTS, sn_beam_bending_points[i], x, X);
    for (int which = SN_LINE_KY; which <= SN_LINE_TAU; which++) {
      sn_vd e = sn_line_strain_at(which, X).e - sn_line_reference(p, which, i);
      U += 0.5 * sn_line_stiffness(p, which, i) * e * e;
    }
  }
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
    double s = sn_beam_stations[i];
    memset(T, 0, sizeof T);
    sn_beam_gradients(3, 1, s, x, X);
    if (xd) sn_beam_gradients(3, 1, s, xd, Xd);
    sn_line_add_tangent(p, SN_LINE_EPS, i, X, xd ? Xd : NULL, ck, cd, T);
    sn_beam_ungradients_tangent(3, 1, s, T, K);
  }
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    double s = sn_beam_bending_points[i];
    memset(T, 0, sizeof T);
    sn_beam_gradients(3, SN_GRADIENTS, s, x, X);
    if (xd) sn_beam_gradients(3, SN_GRADIENTS, s, xd, Xd);
    for (int which = SN_LINE_KY; which <= SN_LINE_TAU; which++)
      sn_line_add_tangent(p, which, i, X, xd ? Xd : NULL, ck, cd, T);
    sn_beam_ungradients_tangent(3, SN_GRADIENTS, s, T, K);
  }
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
