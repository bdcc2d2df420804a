/* beam_twist.h - twist of an element of `timoshenko` and `elastic-line`: by how much its sections turn about the line on
 * the way from one node to the other, however the line bends. With p = r_x, y = r_y, z = r_z of the nodes 0 and 1 and the
 * chord d, all of any length,
 *
 *   f = psi - S,   psi = atan2(a, c),   a = z0.y1 - y0.z1,   c = y0.y1 + z0.z1
 *                  S = D B(p0) B(d) B(p1),   D = (p0 x d).p1,   B(v) = (v.v)^-1/2
 *
 * psi is the angle against a section that comes from node 0 by the smallest rotation of its normal. One that comes along
 * the line without twist is ahead of it by the area on the unit sphere between the curve of the tangents and the great
 * arc of its ends. The tangents of a cubic pass the chord direction at half their height above that arc, so this is twice
 * the triangle t0, d, t1, which is S. Without S the moment of a bent element turns about its chord in place of its
 * tangents, and it twists too easily by a quarter of the squared angle between them.
 *
 * psi, with w = c + i a and log w = lambda + i psi:
 *   psi' = (c a' - a c')/(a^2 + c^2),   psi'' = (c a'' - a c'')/(a^2 + c^2) - lambda' psi' - psi' lambda'
 * S, with v = p0, d, p1 in turn, P = B B B, n = v/(v.v) and the cross product C of the other two, g = P C - S n:
 *   kk: -P (C n' + n C') + S (3 n n' - I/(v.v)),   kj: P dC/dv_j - P C_k n_j' - n_k P C_j' + S n_k n_j'
 *
 * Over a step of an energy-momentum method from x0 to x1 with the middle x, a and c are quadratic, and
 *   psi1 - psi0 = r (c_ (a1 - a0) - a_ (c1 - c0)),   r = atan(X/Y)/X,   X = a1 c0 - a0 c1,   Y = c0 c1 + a0 a1
 * S is taken as the curvature in beam_line_step.h.
 */
#ifndef SN_BEAM_TWIST_H
#define SN_BEAM_TWIST_H

#include "body/beam_pack.h"

enum { SN_TWIST_D, SN_TWIST_P, SN_TWIST_Y = 3, SN_TWIST_Z = 5 }; /* among the parts; of the first node */

static const int sn_twist_line[3] = {SN_TWIST_P, SN_TWIST_D, SN_TWIST_P + 1}; /* p0, d, p1 */

/* atan2(a, c)/a: tan of an eighth of the angle, and the series of atan, right to rounding up to a quarter turn */
SN_INLINE sn_vd sn_twist_ratio(sn_vd a, sn_vd c) {
  sn_vd down = 1 / (c + sn_vd_sqrt(a * a + c * c)), t = a * down;
  for (int i = 0; i < 2; i++) {
    sn_vd half = 1 / (1 + sn_vd_sqrt(1 + t * t));
    down *= half, t *= half;
  }
  sn_vd series = sn_vd_all(0), tt = -t * t;
  for (int k = 10; k >= 0; k--) series = 1.0 / (2 * k + 1) + tt * series;
  return 8 * series * down;
}

/* psi of the state x, the same turned back by the angle of a reference with this cosine and sine */
typedef struct sn_twist_turn {
  sn_vd a, c;
} sn_twist_turn;

SN_INLINE sn_twist_turn sn_twist_turn_at(const sn_v3 x[], sn_vd cosine, sn_vd sine) {
  sn_v3 y0 = x[SN_TWIST_Y], y1 = x[SN_TWIST_Y + 1], z0 = x[SN_TWIST_Z], z1 = x[SN_TWIST_Z + 1];
  sn_vd a = sn_v3_dot(z0, y1) - sn_v3_dot(y0, z1), c = sn_v3_dot(y0, y1) + sn_v3_dot(z0, z1);
  return (sn_twist_turn){a * cosine - c * sine, c * cosine + a * sine};
}
SN_INLINE sn_vd sn_twist_angle(sn_twist_turn w) {
  return w.a * sn_twist_ratio(w.a, w.c);
}

/* S and what its derivatives need */
typedef struct sn_twist_area {
  sn_vd S, P, vv[3];
  sn_v3 C[3]; /* P times the cross product of the other two */
  sn_v3 n[3];
} sn_twist_area;

SN_INLINE sn_twist_area sn_twist_area_at(const sn_v3 x[]) {
  sn_v3 v[3] = {x[SN_TWIST_P], x[SN_TWIST_D], x[SN_TWIST_P + 1]};
  sn_twist_area s;
  sn_vd squares = sn_vd_all(1);
  for (int k = 0; k < 3; k++) {
    s.vv[k] = 1 / sn_v3_dot(v[k], v[k]);
    s.n[k] = sn_v3_scale(s.vv[k], v[k]);
    squares *= s.vv[k];
  }
  s.P = sn_vd_sqrt(squares);
  for (int k = 0; k < 3; k++) s.C[k] = sn_v3_scale(s.P, sn_v3_cross(v[(k + 1) % 3], v[(k + 2) % 3]));
  s.S = sn_v3_dot(s.C[0], v[0]);
  return s;
}

/* Gradient of psi with respect to y0, y1, z0, z1, and of lambda, of which it is a permutation. */
SN_INLINE void sn_twist_turn_gradient(const sn_v3 x[], sn_vd ra, sn_vd rc, sn_v3 g[4]) {
  sn_v3 y0 = x[SN_TWIST_Y], y1 = x[SN_TWIST_Y + 1], z0 = x[SN_TWIST_Z], z1 = x[SN_TWIST_Z + 1];
  g[0] = sn_v3_add(sn_v3_scale(-rc, z1), sn_v3_scale(-ra, y1));
  g[1] = sn_v3_add(sn_v3_scale(rc, z0), sn_v3_scale(-ra, y0));
  g[2] = sn_v3_add(sn_v3_scale(rc, y1), sn_v3_scale(-ra, z1));
  g[3] = sn_v3_add(sn_v3_scale(-rc, y0), sn_v3_scale(-ra, z0));
}

/* Twist against the reference, and its gradient with respect to the parts. */
typedef struct sn_twist {
  sn_vd e, ra, rc; /* a/(a^2 + c^2), c/(a^2 + c^2) */
  sn_twist_area area;
  sn_v3 g[SN_PARTS];
} sn_twist;

SN_INLINE sn_twist sn_twist_at(const sn_v3 x[], const sn_vd reference[3]) {
  sn_twist y;
  const sn_twist_turn w = sn_twist_turn_at(x, sn_vd_all(1), sn_vd_all(0));
  sn_vd size = 1 / (w.a * w.a + w.c * w.c);
  y.ra = w.a * size, y.rc = w.c * size;
  y.area = sn_twist_area_at(x);
  y.e = sn_twist_angle(sn_twist_turn_at(x, reference[0], reference[1])) - (y.area.S - reference[2]);
  sn_twist_turn_gradient(x, y.ra, y.rc, y.g + SN_TWIST_Y);
  for (int k = 0; k < 3; k++) y.g[sn_twist_line[k]] = sn_v3_sub(sn_v3_scale(y.area.S, y.area.n[k]), y.area.C[k]);
  return y;
}

/* Block of the Hessian between two of p0, d, p1. */
SN_INLINE sn_m33 sn_twist_area_block(const sn_twist_area *s, const sn_v3 x[], int k, int j) {
  sn_m33 H = sn_m33_zero();
  sn_m33_outer(&H, sn_vd_all(1), s->C[k], s->n[j]);
  sn_m33_outer(&H, sn_vd_all(1), s->n[k], s->C[j]);
  sn_m33_outer(&H, sn_vd_all(k == j ? -3 : -1) * s->S, s->n[k], s->n[j]);
  if (k == j)
    sn_m33_diagonal(&H, s->S * s->vv[k]);
  else /* C_k = v_k+1 x v_k+2 */
    sn_m33_skew(&H, j == (k + 1) % 3 ? s->P : -s->P, x[sn_twist_line[3 - k - j]]);
  return H;
}

/* Block of the Hessian between two of y0, y1, z0, z1. */
SN_INLINE sn_m33 sn_twist_turn_block(const sn_twist *t, int i, int j) {
  static const int lambda[4] = {2, 3, 0, 1};
  const sn_v3 *g = t->g + SN_TWIST_Y;
  sn_m33 H = sn_m33_zero();
  sn_m33_outer(&H, sn_vd_all(i == 0 || i == 3 ? -1 : 1), g[lambda[i]], g[j]);
  sn_m33_outer(&H, sn_vd_all(j == 0 || j == 3 ? -1 : 1), g[i], g[lambda[j]]);
  if ((i < 2) == (j < 2)) {
    if (i != j) sn_m33_diagonal(&H, -t->ra); /* y0 y1, z0 z1 */
  } else if (i + j == 3) {
    sn_m33_diagonal(&H, i == 0 || j == 0 ? -t->rc : t->rc); /* y0 z1, y1 z0 */
  }
  return H;
}

/* Add s times the discrete gradient of S, from x - d to x + d, to that of the parts. */
SN_INLINE void sn_twist_area_step(const sn_v3 x[], const sn_v3 d[], sn_vd s, sn_v3 F[]) {
  sn_v3 from[SN_PARTS], to[SN_PARTS];
  sn_vd B[2][3], D[2];
  for (int i = 0; i < 3; i++) from[i] = sn_v3_sub(x[i], d[i]), to[i] = sn_v3_add(x[i], d[i]);
  for (int end = 0; end < 2; end++) {
    const sn_v3 *v = end ? to : from;
    D[end] = sn_v3_dot(v[SN_TWIST_P], sn_v3_cross(v[SN_TWIST_D], v[SN_TWIST_P + 1]));
    for (int k = 0; k < 3; k++) B[end][k] = 1 / sn_vd_sqrt(sn_v3_dot(v[sn_twist_line[k]], v[sn_twist_line[k]]));
  }
  sn_vd P = 0.5 * s * (B[0][0] * B[0][1] * B[0][2] + B[1][0] * B[1][1] * B[1][2]), mean = 0.5 * s * (D[0] + D[1]);
  for (int k = 0; k < 3; k++) { /* B0 B1 B2: B0 against the product of the others, these against each other */
    int at = sn_twist_line[k], i = (k + 1) % 3, j = (k + 2) % 3, a = sn_twist_line[i], b = sn_twist_line[j];
    sn_vd others = k == 0 ? 0.5 * (B[0][1] * B[0][2] + B[1][1] * B[1][2])
                          : 0.25 * (B[0][0] + B[1][0]) * (B[0][3 - k] + B[1][3 - k]);
    sn_vd BB = B[0][k] * B[1][k];
    sn_v3 cross = sn_v3_add(sn_v3_cross(x[a], x[b]), sn_v3_scale(sn_vd_all(1.0 / 3), sn_v3_cross(d[a], d[b])));
    F[at] = sn_v3_add(F[at], sn_v3_scale(P, cross));
    F[at] = sn_v3_add(F[at], sn_v3_scale(-2 * mean * others * BB * BB / (B[0][k] + B[1][k]), x[at]));
  }
}

/* Mean of the twist over a step, and its discrete gradient. */
static __attribute__((noinline)) void sn_twist_step(const sn_v3 x[], const sn_v3 *xd, double step,
                                                    const sn_vd reference[3], sn_vd *e, sn_v3 g[SN_PARTS]) {
  sn_v3 d[SN_PARTS], end[SN_PARTS];
  sn_twist_turn w[2];
  *e = sn_vd_all(0);
  memset(g, 0, sizeof(sn_v3) * SN_PARTS);
  for (int i = 0; i < SN_PARTS; i++) d[i] = sn_v3_scale(sn_vd_all(0.5 * step), xd[i]);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < SN_PARTS; i++) end[i] = k ? sn_v3_add(x[i], d[i]) : sn_v3_sub(x[i], d[i]);
    w[k] = sn_twist_turn_at(end, sn_vd_all(1), sn_vd_all(0));
    *e += 0.5 * (sn_twist_angle(sn_twist_turn_at(end, reference[0], reference[1])) -
                 (sn_twist_area_at(end).S - reference[2]));
  }
  sn_vd r = 0.5 * sn_twist_ratio(w[1].a * w[0].c - w[0].a * w[1].c, w[0].c * w[1].c + w[0].a * w[1].a);
  sn_twist_turn_gradient(x, r * (w[0].a + w[1].a), r * (w[0].c + w[1].c), g + SN_TWIST_Y);
  sn_twist_area_step(x, d, sn_vd_all(-1), g);
}

#endif
