/* section_frame.h - the frame made of vectors a, b, c, and derivatives of its directions.
 *
 *   e1 = n/|n|,   e3 = k/|k|,   e2 = e3 x e1,   n = b x c or a,   k = e1 x b + c - (e1.c) e1
 *   y  = c1 e1 + c2 e2 + c3 e3
 *
 * section_probe.c explains it for sections that strain. Of a line whose tangent is a, with b = 0, it is the frame that
 * a reference direction c completes (line_frame.c). First derivatives: the gradient of f.y by the sweep backwards
 * through the formulas. Second derivatives: the same sweep with dual numbers, which carry the change of everything
 * along a change of a, b, c. */
#ifndef SN_SECTION_FRAME_H
#define SN_SECTION_FRAME_H

#include <string.h>

#include "math/vec3.h"
#include "model/model.h"

/* ---- vectors and numbers with their change ---- */

typedef struct sn_dual {
  double v, d;
} sn_dual;
typedef struct sn_dual3 {
  double v[3], d[3];
} sn_dual3;

static inline sn_dual3 sn_dual_add(sn_dual3 a, sn_dual3 b) {
  sn_axpy(a.v, 1, b.v);
  sn_axpy(a.d, 1, b.d);
  return a;
}
static inline sn_dual sn_dual_dot(sn_dual3 a, sn_dual3 b) {
  return (sn_dual){sn_dot(a.v, b.v), sn_dot(a.v, b.d) + sn_dot(a.d, b.v)};
}
static inline sn_dual3 sn_dual_scale(sn_dual s, sn_dual3 a) {
  for (int k = 0; k < 3; k++) a.d[k] = s.v * a.d[k] + s.d * a.v[k];
  sn_scale(a.v, s.v, a.v);
  return a;
}
static inline sn_dual3 sn_dual_cross(sn_dual3 a, sn_dual3 b) {
  sn_dual3 y;
  double x[3];
  sn_cross(y.v, a.v, b.v);
  sn_cross(y.d, a.v, b.d);
  sn_cross(x, a.d, b.v);
  sn_axpy(y.d, 1, x);
  return y;
}
static inline sn_dual sn_dual_minus(sn_dual s) {
  return (sn_dual){-s.v, -s.d};
}
/* 1/|a| */
static inline sn_dual sn_dual_one_over_length(sn_dual3 a) {
  double aa = sn_dot(a.v, a.v), i = 1 / sqrt(aa);
  return (sn_dual){i, -i * sn_dot(a.v, a.d) / aa};
}
/* a - (a.e) e */
static inline sn_dual3 sn_dual_across(sn_dual3 a, sn_dual3 e) {
  return sn_dual_add(a, sn_dual_scale(sn_dual_minus(sn_dual_dot(a, e)), e));
}
static inline sn_dual3 sn_dual_constant(double s, const double a[3]) {
  sn_dual3 y = {{s * a[0], s * a[1], s * a[2]}, {0, 0, 0}};
  return y;
}

/* ---- the frame ---- */

enum { SN_A, SN_B, SN_C };

typedef struct sn_section_frame {
  sn_dual3 x[3]; /* a, b, c */
  sn_dual3 e1, e2, e3;
  sn_dual in, ik; /* 1/|n|, 1/|k| */
  bool normal;    /* n = b x c */
} sn_section_frame;

static inline void sn_section_frame_set(sn_section_frame *s) {
  sn_dual3 n = s->normal ? sn_dual_cross(s->x[SN_B], s->x[SN_C]) : s->x[SN_A];
  s->in = sn_dual_one_over_length(n);
  s->e1 = sn_dual_scale(s->in, n);
  sn_dual3 k = sn_dual_add(sn_dual_cross(s->e1, s->x[SN_B]), sn_dual_across(s->x[SN_C], s->e1));
  s->ik = sn_dual_one_over_length(k);
  s->e3 = sn_dual_scale(s->ik, k);
  s->e2 = sn_dual_cross(s->e3, s->e1);
}

/* g = d(f.y)/d(a, b, c), backwards: with y = c1 e1 + c2 e3 x e1 + c3 e3
 *   E3 = c3 f + c2 e1 x f,   E1 = c1 f + c2 f x e3,   K = (E3 - (E3.e3) e3)/|k|
 *   b: K x e1,   c: K - (K.e1) e1,   E1 += b x K - (K.e1) c - (e1.c) K
 *   N = (E1 - (E1.e1) e1)/|n|;   n = a: a: N;   n = b x c: b += c x N, c += N x b */
static inline void sn_section_gradient(const sn_section_frame *s, const double comp[3], const double f[3],
                                       sn_dual3 g[3]) {
  sn_dual3 e1 = s->e1, b = s->x[SN_B], c = s->x[SN_C], F = sn_dual_constant(1, f);
  sn_dual3 E3 = sn_dual_add(sn_dual_constant(comp[2], f), sn_dual_scale((sn_dual){comp[1], 0}, sn_dual_cross(e1, F)));
  sn_dual3 E1 =
      sn_dual_add(sn_dual_constant(comp[0], f), sn_dual_scale((sn_dual){comp[1], 0}, sn_dual_cross(F, s->e3)));
  sn_dual3 K = sn_dual_scale(s->ik, sn_dual_across(E3, s->e3));
  g[SN_B] = sn_dual_cross(K, e1);
  g[SN_C] = sn_dual_across(K, e1);
  E1 = sn_dual_add(E1, sn_dual_cross(b, K));
  E1 = sn_dual_add(E1, sn_dual_scale(sn_dual_minus(sn_dual_dot(K, e1)), c));
  E1 = sn_dual_add(E1, sn_dual_scale(sn_dual_minus(sn_dual_dot(e1, c)), K));
  sn_dual3 N = sn_dual_scale(s->in, sn_dual_across(E1, e1));
  g[SN_A] = N;
  if (!s->normal) return;
  g[SN_B] = sn_dual_add(g[SN_B], sn_dual_cross(c, N));
  g[SN_C] = sn_dual_add(g[SN_C], sn_dual_cross(N, b));
}

static inline void sn_section_direction(const sn_section_frame *s, const double comp[3], double y[3]) {
  sn_scale(y, comp[0], s->e1.v);
  sn_axpy(y, comp[1], s->e2.v);
  sn_axpy(y, comp[2], s->e3.v);
}

/* The frame of vectors x, with their change (NULL: none) */
static inline void sn_section_frame_of(bool normal, double x[3][3], const double (*change)[3], sn_section_frame *s) {
  s->normal = normal;
  for (int i = 0; i < 3; i++) {
    s->x[i] = sn_dual_constant(1, x[i]);
    if (change) sn_copy(s->x[i].d, change[i]);
  }
  sn_section_frame_set(s);
}

/* ---- over a step of an energy-momentum method ----
 *
 * Z is Y in the middle, corrected so that Z (x1 - x0) = y1 - y0 (energy) and Z (w x xm) = w x (y0 + y1)/2 for every w
 * (angular momentum), x the vectors a, b, c and xm their mean. Rotations first: with the columns R_i = e_i x xm and
 * their Gram matrix M = R'R, a change x1 - x0 = R c + u has R'u = 0, so that for each f
 *   Z'f = Y'f + R M^-1 m + s u,   m_i = f.(e_i x (ym' - ym)),   ym' the mean of y0 and y1, ym = y(xm)
 *   s u.u = f.(y1 - y0 - c x ym') - (Y'f).u                                                                  */

typedef struct sn_symmetric3 {
  double xx, yy, zz, xy, xz, yz;
} sn_symmetric3;

/* M^-1 b; in the plane only turns about z */
static inline void sn_symmetric3_solve(const sn_symmetric3 *M, bool plane, const double b[3], double y[3]) {
  y[0] = y[1] = 0, y[2] = b[2] / M->zz;
  if (plane) return;
  double r0[3] = {M->xx, M->xy, M->xz}, r1[3] = {M->xy, M->yy, M->yz}, r2[3] = {M->xz, M->yz, M->zz}, c[3];
  sn_cross(c, r1, r2);
  double det = sn_dot(r0, c);
  y[0] = sn_dot(b, c) / det;
  sn_cross(c, r2, r0);
  y[1] = sn_dot(b, c) / det;
  sn_cross(c, r0, r1);
  y[2] = sn_dot(b, c) / det;
}

/* Rigid part of a change of the vectors: x1 - x0 = c x xm + u. */
typedef struct sn_step_change {
  double xm[3][3], u[3][3], c[3], uu;
  sn_symmetric3 M;
} sn_step_change;

static inline void sn_step_change_of(bool plane, int from, int to, double x0[3][3], double x1[3][3],
                                     sn_step_change *s) {
  double turn[3] = {0}, x[3];
  sn_symmetric3 *M = &s->M;
  memset(s, 0, sizeof *s);
  for (int i = from; i < to; i++) {
    double *m = s->xm[i];
    for (int k = 0; k < 3; k++) m[k] = 0.5 * (x0[i][k] + x1[i][k]), s->u[i][k] = x1[i][k] - x0[i][k];
    double mm = sn_dot(m, m);
    M->xx += mm - m[0] * m[0], M->yy += mm - m[1] * m[1], M->zz += mm - m[2] * m[2];
    M->xy -= m[0] * m[1], M->xz -= m[0] * m[2], M->yz -= m[1] * m[2];
    sn_cross(x, m, s->u[i]);
    sn_axpy(turn, 1, x);
  }
  sn_symmetric3_solve(M, plane, turn, s->c);
  for (int i = from; i < to; i++) {
    sn_cross(x, s->c, s->xm[i]);
    sn_axpy(s->u[i], -1, x);
    s->uu += sn_dot(s->u[i], s->u[i]);
  }
}

/* g = Z'f over the vectors of change d, from y0 to y1; s: the frame of their means */
static inline void sn_section_step_gradient(const sn_step_change *d, const sn_section_frame *s, bool plane, int from,
                                            int to, const double comp[3], const double f[3], const double y0[3],
                                            const double y1[3], double g[3][3]) {
  double mean[3], ym[3], moment[3], w[3], x[3], off = 0, size = 0;
  sn_dual3 gm[3];
  sn_section_gradient(s, comp, f, gm);
  sn_section_direction(s, comp, ym);
  for (int k = 0; k < 3; k++) mean[k] = 0.5 * (y0[k] + y1[k]), x[k] = mean[k] - ym[k];
  sn_cross(moment, x, f);
  sn_symmetric3_solve(&d->M, plane, moment, w);
  sn_cross(x, d->c, mean);
  for (int k = 0; k < 3; k++) {
    off += f[k] * (y1[k] - y0[k] - x[k]);
    size += fabs(f[k]) * (fabs(y0[k]) + fabs(y1[k]));
  }
  for (int i = from; i < to; i++) {
    off -= sn_dot(gm[i].v, d->u[i]);
    sn_copy(g[i], gm[i].v);
    sn_cross(x, w, d->xm[i]);
    sn_axpy(g[i], 1, x);
  }
  for (int i = from; i < to && fabs(off) > 1e-15 * size; i++) sn_axpy(g[i], off / d->uu, d->u[i]);
}

#endif
