/* cable_element.c - elastic, inertia and damping forces of thin ANCF elements, eight at a time.
 *
 *   s = x/l in [0, 1],  d = (r1 - r0)/l:
 *   u = r_x    =      6s(1-s) d + (1-4s+3s^2) r0' + (3s^2-2s) r1'
 *   w = r_xx l =     (6-12s) d + (6s-4) r0'      + (6s-2) r1'
 *   U = l/2 int_0^1 EA (eps - eps0)^2 + EI g ds,    eps = (u.u - 1)/2
 *   f = kappa^2 = (u.u w.w - (u.w)^2)/(u.u)^p       p = 3 geometric, 2 material curvature
 *   g = f                                           straight reference
 *   g = f - 2 kappa0 S(f) + kappa0^2                curved; S = kappa, below kappa0 its series (see curved)
 *   g = |k - k0|^2 = f - 2 k0.k + k0.k0             curved and planar, k = u x w/(u.u)^(p/2)
 *   M = rho A l times the 4x4 Hermite block; gravity g enters as M (ci a - (g, 0, g, 0)): exact
 *
 * Damping (Kelvin-Voigt): EA beta eps' u, and with c = u x w the dissipation
 *   R = 1/2 EI beta ((c.c')^2 + d^2 c'.c')/(c.c + d^2),   d = 1/1000 of a radian per element
 * the rate of |c| = kappa (to first order in the stretch); the d terms keep it regular at c = 0. It vanishes in
 * rigid motion up to d.
 *
 * Since s2' + ... depend on l only through d, the kernel works on (d, r0', r1') and spreads the result at the end.
 */
#include "body/cable_element.h"

#include "math/gauss.h"
#include "math/lanes33.h"

/* Called once in many steps: one copy serves all variants, where the residual has one for each. */
#define RARE static __attribute__((noinline))

#define DAMPING_CORNER 1e-3 /* radian per element */

enum { D, A, B, PARTS }; /* d, r0', r1' */

typedef struct coefficients {
  double u[PARTS], w[PARTS];
} coefficients;

SN_INLINE coefficients at(double s) {
  return (coefficients){{6 * s * (1 - s), 1 - 4 * s + 3 * s * s, 3 * s * s - 2 * s},
                        {6 - 12 * s, 6 * s - 4, 6 * s - 2}};
}

/* What is known of eight elements. */
typedef struct pack {
  sn_vd l, EA, EI, mass, alpha, beta;
  const double *eps0, *kappa0, *k0;      /* of the first lane */
  const double *EA_at, *EI_at, *mass_at; /* NULL: the same along the element */
  int capacity;
  int lanes; /* in use */
  int dim;
  const int *first;
  /* Tangents of a kick: (kappa - kappa0)^2 <= |k - k0|^2 for any direction of k0, so that the stiffness of kappa^2,
   * which is more, bounds its own wherever the curvature goes */
  bool convex;
} pack;

SN_INLINE pack pack_at(const sn_cable_elements *e, int i, int last) {
  assert(i >= 0 && i % SN_LANES == 0 && i < last && i + SN_LANES <= e->capacity);
  pack p = {
      .l = sn_vd_load(e->length + i),
      .EA = sn_vd_load(e->EA + i),
      .EI = sn_vd_load(e->EI + i),
      .mass = sn_vd_load(e->mass + i),
      .alpha = sn_vd_load(e->alpha + i),
      .beta = sn_vd_load(e->beta + i),
      .capacity = e->capacity,
      .dim = e->dim,
      .lanes = last - i < SN_LANES ? last - i : SN_LANES,
      .first = e->first + i,
  };
  if (e->eps0) p.eps0 = e->eps0 + i, p.kappa0 = e->kappa0 + i;
  if (e->k0) p.k0 = e->k0 + i;
  if (e->EA_at) p.EA_at = e->EA_at + i, p.EI_at = e->EI_at + i, p.mass_at = e->mass_at + i;
  return p;
}

/* Stiffness at a Gauss point. */
SN_INLINE sn_vd axial(const pack *p, int point) {
  return p->EA_at ? sn_vd_load(p->EA_at + point * p->capacity) : p->EA;
}
SN_INLINE sn_vd flexural(const pack *p, int point) {
  return p->EI_at ? sn_vd_load(p->EI_at + point * p->capacity) : p->EI;
}

/* Place of M_ab in the ten numbers of a mass block. */
static const int mass_index[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};

/* e[0..3] = r0 r0' r1 r1' of eight elements from the vector x */
SN_INLINE void gather(const pack *p, const double *x, sn_v3 e[4]) {
  double buffer[12][SN_LANES] __attribute__((aligned(64)));
  if (p->dim == 3) {
    for (int k = 0; k < SN_LANES; k++) {
      const double *from = x + p->first[k];
      for (int c = 0; c < 12; c++) buffer[c][k] = from[c];
    }
  } else {
    for (int k = 0; k < SN_LANES; k++) {
      const double *from = x + p->first[k];
      for (int c = 0; c < 4; c++)
        buffer[3 * c][k] = from[2 * c], buffer[3 * c + 1][k] = from[2 * c + 1], buffer[3 * c + 2][k] = 0;
    }
  }
  memcpy(e, buffer, sizeof buffer);
}

SN_INLINE void scatter(const pack *p, const sn_v3 e[4], double *x) {
  double buffer[12][SN_LANES] __attribute__((aligned(64)));
  memcpy(buffer, e, sizeof buffer);
  for (int k = 0; k < p->lanes; k++) {
    double *to = x + p->first[k];
    if (p->dim == 3)
      for (int c = 0; c < 12; c++) to[c] += buffer[c][k];
    else
      for (int c = 0; c < 4; c++) to[2 * c] += buffer[3 * c][k], to[2 * c + 1] += buffer[3 * c + 1][k];
  }
}

/* (r0, r0', r1, r1') -> (d, r0', r1') */
SN_INLINE void parts(const sn_v3 e[4], sn_vd l, sn_v3 x[PARTS]) {
  sn_vd il = 1 / l;
  x[D] = sn_v3_scale(il, sn_v3_sub(e[2], e[0]));
  x[A] = e[1];
  x[B] = e[3];
}

SN_INLINE sn_v3 mix(const double c[PARTS], const sn_v3 x[PARTS]) {
  return sn_v3_mix(c[D], x[D], c[A], x[A], c[B], x[B]);
}
SN_INLINE void spread(sn_v3 F[PARTS], const double c[PARTS], sn_v3 f) {
  for (int k = 0; k < PARTS; k++) sn_v3_axpy(&F[k], c[k], f);
}

/* ---- bending energy density at a point: g(u, w), its gradient and Hessian ---- */

enum { STRAIGHT, CURVED, PLANAR };

typedef struct bend {
  sn_vd iuu;        /* 1/u.u */
  sn_vd P;          /* (u.u)^-p */
  sn_vd uu, ww, uw; /* products */
  sn_vd f;          /* kappa^2 (per l^2: w carries a factor l) */
  sn_v3 fu, fw;     /* gradient of f */
  sn_vd g1, g2;     /* dg/df, d2g/df2 */
} bend;

SN_INLINE bend bend_at(sn_v3 u, sn_v3 w, int p) {
  bend b;
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
const double sn_cable_root[SN_CABLE_ROOT] = {1, 0.5, -0.125, 0.0625, -0.0390625, 0.02734375};

typedef struct rounded {
  sn_vd a, ia, m, z; /* a and 1/a; sqrt(max(f, a^2)); min(f/a^2, 1) - 1 */
} rounded;

SN_INLINE rounded rounded_at(sn_vd f, sn_vd kl) {
  rounded x = {.a = kl + 1e-60};
  x.ia = 1 / x.a;
  sn_vd aa = x.a * x.a, low = sn_vd_min(f, aa);
  x.m = sn_vd_sqrt(f - low + aa);
  x.z = (low - aa) * (x.ia * x.ia); /* exactly 0 above */
  return x;
}

/* P, P' and P''/2 at z by Horner */
SN_INLINE void root_at(sn_vd z, sn_vd P[3]) {
  P[0] = sn_vd_all(sn_cable_root[SN_CABLE_ROOT - 1]), P[1] = P[2] = sn_vd_all(0);
  for (int k = SN_CABLE_ROOT - 2; k >= 0; k--) {
    P[2] = P[2] * z + P[1];
    P[1] = P[1] * z + P[0];
    P[0] = P[0] * z + sn_cable_root[k];
  }
}

/* g', g'' of the curved reference; kl = kappa0 l. Returns g. */
SN_INLINE sn_vd curved(bend *b, sn_vd kl) {
  rounded x = rounded_at(b->f, kl);
  sn_vd P[3], im = 1 / x.m, S1, S2;
  root_at(x.z, P);
  S1 = 0.5 * im, S2 = -0.25 * im * im * im;
  for (int k = 0; k < SN_LANES; k++)
    if (x.z[k] < 0) S1[k] = P[1][k] * x.ia[k], S2[k] = 2 * P[2][k] * x.ia[k] * x.ia[k] * x.ia[k];
  b->g1 = 1 - 2 * kl * S1;
  b->g2 = -2 * kl * S2;
  sn_vd S = x.m + x.a * (P[0] - 1), root = x.m - kl; /* (m - kl)^2 + ...: no cancellation at kappa = kappa0 */
  return root * root + (b->f - x.m * x.m) - 2 * kl * (S - x.m);
}

/* g[f] between the ends of a step: S[f] = p/(m0 + m1) + (1 - p) P[z]/a, p the share of the change above a^2 */
SN_INLINE sn_vd curved_step(const sn_vd f[2], sn_vd kl) {
  rounded x = rounded_at(f[0], kl), y = rounded_at(f[1], kl);
  sn_vd b = sn_vd_all(sn_cable_root[SN_CABLE_ROOT - 1]), P1 = sn_vd_all(0), share;
  for (int k = SN_CABLE_ROOT - 2; k >= 0; k--) {
    P1 = P1 * x.z + b;
    b = b * y.z + sn_cable_root[k];
  }
  sn_vd low = sn_vd_min(f[1], y.a * y.a) - sn_vd_min(f[0], x.a * x.a), change = f[1] - f[0];
  for (int k = 0; k < SN_LANES; k++)
    share[k] = change[k] != 0 ? low[k] / change[k] : x.z[k] < 0; /* of the polynomial */
  return 1 - 2 * kl * ((1 - share) / (x.m + y.m) + share * P1 * x.ia);
}

/* h = k0.k = c R, c = k0.(u x w), R = (u.u)^(-p/2), with k0 l as w carries l */
typedef struct planar {
  sn_v3 k0, wk, ku; /* k0 l, w x k0, k0 x u */
  sn_vd R, h;
} planar;

SN_INLINE planar planar_at(const bend *b, sn_v3 u, sn_v3 w, sn_v3 k0, int p) {
  planar a = {.k0 = k0, .wk = sn_v3_cross(w, k0), .ku = sn_v3_cross(k0, u)};
  a.R = p == 3 ? b->iuu * sn_vd_sqrt(b->iuu) : b->iuu;
  a.h = sn_v3_dot(u, a.wk) * a.R;
  return a;
}

SN_INLINE sn_v3 planar_k0(const pack *p, int point) {
  const double *k = p->k0 + 3 * point * p->capacity;
  return (sn_v3){p->l * sn_vd_load(k), p->l * sn_vd_load(k + p->capacity), p->l * sn_vd_load(k + 2 * p->capacity)};
}

/* Gradient of g, and g itself. */
SN_INLINE sn_vd bend_gradient(const pack *p, int point, int power, int reference, sn_v3 u, sn_v3 w, sn_v3 *gu,
                              sn_v3 *gw) {
  bend b = bend_at(u, w, power);
  if (reference == STRAIGHT) {
    *gu = b.fu, *gw = b.fw;
    return b.f;
  }
  if (reference == CURVED) {
    sn_vd g = curved(&b, p->l * sn_vd_load(p->kappa0 + point * p->capacity));
    *gu = sn_v3_scale(b.g1, b.fu), *gw = sn_v3_scale(b.g1, b.fw);
    return g;
  }
  planar a = planar_at(&b, u, w, planar_k0(p, point), power);
  sn_v3 hu = sn_v3_sub(sn_v3_scale(a.R, a.wk), sn_v3_scale((double)power * a.h * b.iuu, u)),
        hw = sn_v3_scale(a.R, a.ku);
  sn_vd two = sn_vd_all(2);
  *gu = sn_v3_sub(b.fu, sn_v3_scale(two, hu)), *gw = sn_v3_sub(b.fw, sn_v3_scale(two, hw));
  return b.f - 2 * a.h + sn_v3_dot(a.k0, a.k0);
}

/* ---- forces ---- */

/* M x with a mass block of its own for each element */
SN_INLINE void mass_times_varying(const pack *p, const sn_v3 x[4], sn_v3 y[4]) {
  for (int a = 0; a < 4; a++) {
    y[a] = (sn_v3){0};
    for (int b = 0; b < 4; b++)
      y[a] = sn_v3_add(y[a], sn_v3_scale(sn_vd_load(p->mass_at + mass_index[a][b] * p->capacity), x[b]));
  }
}

/* M x for the four nodal vectors, M = mass times the Hermite block */
SN_INLINE void mass_times(const pack *p, const sn_v3 x[4], sn_v3 y[4]) {
  if (p->mass_at) {
    mass_times_varying(p, x, y);
    return;
  }
  sn_vd m = p->mass, ml = m * p->l, mll = ml * p->l;
  sn_vd a = m * (13.0 / 35), b = ml * (11.0 / 210), c = m * (9.0 / 70), d = ml * (13.0 / 420), e = mll * (1.0 / 105),
        f = mll * (1.0 / 140);
#define ROW(i, k0, k1, k2, k3)                                    \
  y[i].x = (k0)*x[0].x + (k1)*x[1].x + (k2)*x[2].x + (k3)*x[3].x; \
  y[i].y = (k0)*x[0].y + (k1)*x[1].y + (k2)*x[2].y + (k3)*x[3].y; \
  y[i].z = (k0)*x[0].z + (k1)*x[1].z + (k2)*x[2].z + (k3)*x[3].z
  ROW(0, a, b, c, -d);
  ROW(1, b, e, d, -f);
  ROW(2, c, d, a, -b);
  ROW(3, -d, -f, -b, e);
#undef ROW
}

/* F += dU/d(d, r0', r1') */
SN_INLINE void elastic(const pack *p, int power, int reference, const sn_v3 x[PARTS], sn_v3 F[PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    coefficients c = at(sn_gauss5_points[i]);
    sn_v3 u = mix(c.u, x);
    sn_vd eps = 0.5 * sn_v3_dot(u, u) - 0.5;
    if (reference != STRAIGHT) eps -= sn_vd_load(p->eps0 + i * p->capacity);
    spread(F, c.u, sn_v3_scale(sn_gauss5_weights[i] * axial(p, i) * p->l * eps, u));
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    coefficients c = at(sn_gauss3_points[i]);
    sn_v3 gu, gw;
    bend_gradient(p, i, power, reference, mix(c.u, x), mix(c.w, x), &gu, &gw);
    sn_vd k = (0.5 * sn_gauss3_weights[i]) * flexural(p, i) / p->l;
    spread(F, c.u, sn_v3_scale(k, gu));
    spread(F, c.w, sn_v3_scale(k, gw));
  }
}

/* ---- forces over a step of an energy-momentum method ----
 * U depends on q only through the products a = u.u, b = w.w, c = u.w. With their values at both ends of the step,
 * means m and divided differences [] give a discrete gradient that turns with the element:
 *   eps:  EA (mean of eps) u
 *   f = k P, k = a b - c^2, P = a^-p:  Da = k_m P[a] + P_m b_m,  Db = P_m a_m,  Dc = -2 P_m c_m,
 *         force on u: 2 Da u + Dc w, on w: Dc u + 2 Db w;   P[a] = -(1/a0^2 a1 + 1/a0 a1^2), p = 2, and so on
 *   g(f): times g[f], see curved_step
 *   h = c R, c = k0.(u x w), R = a^(-p/2):  c_m R[a] 2 u + R_m (w x k0) on u,  R_m (k0 x u) on w
 * u and w in the middle; at the ends u -+ du, du = h u'/2. */

typedef struct ends {
  sn_vd a[2], b[2], c[2], i[2]; /* at both ends; i = 1/a */
} ends;

SN_INLINE sn_vd mean(const sn_vd x[2]) {
  return 0.5 * (x[0] + x[1]);
}

SN_INLINE ends ends_of(sn_v3 u, sn_v3 w, sn_v3 du, sn_v3 dw) {
  ends e;
  for (int k = 0; k < 2; k++) {
    sn_v3 x = k ? sn_v3_add(u, du) : sn_v3_sub(u, du), y = k ? sn_v3_add(w, dw) : sn_v3_sub(w, dw);
    e.a[k] = sn_v3_dot(x, x), e.b[k] = sn_v3_dot(y, y), e.c[k] = sn_v3_dot(x, y);
    e.i[k] = 1 / e.a[k];
  }
  return e;
}

/* Discrete gradient of f; f at both ends. */
static void bend_step(const ends *e, int p, sn_v3 u, sn_v3 w, sn_v3 *gu, sn_v3 *gw, sn_vd f[2]) {
  const sn_vd *i = e->i;
  sn_vd k[2], P[2], slope = p == 3 ? i[0] * i[0] + i[0] * i[1] + i[1] * i[1] : i[0] + i[1];
  for (int n = 0; n < 2; n++) {
    k[n] = e->a[n] * e->b[n] - e->c[n] * e->c[n];
    P[n] = i[n] * i[n];
    if (p == 3) P[n] *= i[n];
    f[n] = k[n] * P[n];
  }
  sn_vd Pm = mean(P), Da = Pm * mean(e->b) - mean(k) * i[0] * i[1] * slope, Dc = -2 * Pm * mean(e->c);
  *gu = sn_v3_add(sn_v3_scale(2 * Da, u), sn_v3_scale(Dc, w));
  *gw = sn_v3_add(sn_v3_scale(Dc, u), sn_v3_scale(2 * Pm * mean(e->a), w));
}

/* The same of -2 h, added. */
static void planar_step(const pack *pk, int point, const ends *e, int p, const sn_v3 x[4], sn_v3 *gu, sn_v3 *gw) {
  sn_v3 u = x[0], w = x[1], k0 = planar_k0(pk, point);
  const sn_vd *i = e->i;
  sn_vd r[2] = {sn_vd_sqrt(i[0]), sn_vd_sqrt(i[1])}, R[2] = {i[0], i[1]}, c[2], slope = sn_vd_all(1);
  if (p == 3) {
    for (int n = 0; n < 2; n++) R[n] *= r[n];
    slope = (i[0] + r[0] * r[1] + i[1]) / (r[0] + r[1]);
  }
  c[0] = sn_v3_dot(k0, sn_v3_cross(sn_v3_sub(u, x[2]), sn_v3_sub(w, x[3])));
  c[1] = sn_v3_dot(k0, sn_v3_cross(sn_v3_add(u, x[2]), sn_v3_add(w, x[3])));
  sn_vd two = -2 * mean(R), along = 4 * mean(c) * i[0] * i[1] * slope;
  *gu = sn_v3_add(*gu, sn_v3_add(sn_v3_scale(along, u), sn_v3_scale(two, sn_v3_cross(w, k0))));
  *gw = sn_v3_add(*gw, sn_v3_scale(two, sn_v3_cross(k0, u)));
}

/* F += discrete gradient of U; dx: half the change of (d, r0', r1') over the step */
RARE void elastic_step(const pack *p, int power, int reference, const sn_v3 x[PARTS], const sn_v3 dx[PARTS],
                       sn_v3 F[PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    coefficients c = at(sn_gauss5_points[i]);
    sn_v3 u = mix(c.u, x), du = mix(c.u, dx);
    sn_vd eps = 0.5 * (sn_v3_dot(u, u) + sn_v3_dot(du, du)) - 0.5;
    if (reference != STRAIGHT) eps -= sn_vd_load(p->eps0 + i * p->capacity);
    spread(F, c.u, sn_v3_scale(sn_gauss5_weights[i] * axial(p, i) * p->l * eps, u));
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    coefficients c = at(sn_gauss3_points[i]);
    sn_v3 y[4] = {mix(c.u, x), mix(c.w, x), mix(c.u, dx), mix(c.w, dx)}, gu, gw;
    ends e = ends_of(y[0], y[1], y[2], y[3]);
    sn_vd f[2], k = (0.5 * sn_gauss3_weights[i]) * flexural(p, i) / p->l;
    bend_step(&e, power, y[0], y[1], &gu, &gw, f);
    if (reference == CURVED) {
      k *= curved_step(f, p->l * sn_vd_load(p->kappa0 + i * p->capacity));
    }
    if (reference == PLANAR) planar_step(p, i, &e, power, y, &gu, &gw);
    spread(F, c.u, sn_v3_scale(k, gu));
    spread(F, c.w, sn_v3_scale(k, gw));
  }
}

/* F += damping force on (d, r0', r1') with velocities xd */
SN_INLINE void damping(const pack *p, const sn_v3 x[PARTS], const sn_v3 xd[PARTS], sn_v3 F[PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    coefficients c = at(sn_gauss5_points[i]);
    sn_v3 u = mix(c.u, x);
    spread(F, c.u, sn_v3_scale(sn_gauss5_weights[i] * p->beta * axial(p, i) * p->l * sn_v3_dot(u, mix(c.u, xd)), u));
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    coefficients k = at(sn_gauss3_points[i]);
    sn_v3 u = mix(k.u, x), w = mix(k.w, x), ud = mix(k.u, xd), wd = mix(k.w, xd);
    sn_v3 c = sn_v3_cross(u, w), cd = sn_v3_add(sn_v3_cross(ud, w), sn_v3_cross(u, wd));
    sn_vd d2 = sn_vd_all(DAMPING_CORNER * DAMPING_CORNER);
    sn_vd scale = sn_gauss3_weights[i] * p->beta * flexural(p, i) / p->l / (sn_v3_dot(c, c) + d2);
    sn_v3 g = sn_v3_add(sn_v3_scale(scale * sn_v3_dot(c, cd), c), sn_v3_scale(scale * d2, cd));
    spread(F, k.u, sn_v3_cross(w, g));
    spread(F, k.w, sn_v3_cross(g, u));
  }
}

/* y += F spread back over (r0, r0', r1, r1') */
SN_INLINE void unparts(const pack *p, const sn_v3 F[PARTS], sn_v3 y[4]) {
  sn_v3 Fd = sn_v3_scale(1 / p->l, F[D]);
  y[0] = sn_v3_sub(y[0], Fd);
  y[1] = sn_v3_add(y[1], F[A]);
  y[2] = sn_v3_add(y[2], Fd);
  y[3] = sn_v3_add(y[3], F[B]);
}

SN_INLINE void residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r, int power, int reference) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 q[4], a[4], y[4], x[PARTS], F[PARTS] = {0};
    gather(&p, ev->q, q);
    gather(&p, ev->a, a);
    for (int k = 0; k < 4; k++) a[k] = sn_v3_scale(sn_vd_all(ev->ci), a[k]);
    parts(q, p.l, x);
    if (e->damped || ev->q0) {
      sn_v3 v[4], xd[PARTS];
      gather(&p, ev->v, v);
      parts(v, p.l, xd);
      if (e->damped) {
        for (int k = 0; k < 4; k++) a[k] = sn_v3_add(a[k], sn_v3_scale(p.alpha, v[k]));
        damping(&p, x, xd, F);
      }
      for (int k = 0; k < PARTS; k++) xd[k] = sn_v3_scale(sn_vd_all(0.5 * ev->h), xd[k]);
      if (ev->q0) elastic_step(&p, power, reference, x, xd, F);
    }
    for (int k = 0; k < 4; k += 2) {
      a[k].x -= ev->gravity[0];
      a[k].y -= ev->gravity[1];
      a[k].z -= ev->gravity[2];
    }
    mass_times(&p, a, y);
    if (!ev->q0) elastic(&p, power, reference, x, F);
    unparts(&p, F, y);
    scatter(&p, y, r);
  }
}

/* ---- tangent ---- */

/* T[a][b] += s ca cb H for all pairs of parts */
SN_INLINE void accumulate(sn_m33 T[PARTS][PARTS], const double ca[PARTS], const double cb[PARTS], const sn_m33 *H,
                          bool transposed) {
  for (int a = 0; a < PARTS; a++)
    for (int b = 0; b < PARTS; b++) {
      double s = ca[a] * cb[b];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[a][b].m[i][j] += s * (transposed ? H->m[j][i] : H->m[i][j]);
    }
}

/* Second derivatives of g at a bending point; see the formulas of f above, N = uu ww - uw^2:
 *   f_uu = P N_uu - 2p P/uu (N_u u' + u N_u') + f (4p(p+1)/uu^2 u u' - 2p/uu I)
 *   f_uw = P N_uw - 2p P/uu u N_w',  f_ww = P N_ww
 *   N_uu = 2(ww I - w w'), N_ww = 2(uu I - u u'), N_uw = 2(2 u w' - w u' - uw I) */
SN_INLINE void bend_hessian(const pack *pk, int point, int power, int reference, sn_v3 u, sn_v3 w, sn_m33 *uu,
                            sn_m33 *uw, sn_m33 *ww) {
  double p = power;
  bend b = bend_at(u, w, power);
  b.g1 = sn_vd_all(1), b.g2 = sn_vd_all(0);
  if (reference == CURVED && !pk->convex) curved(&b, pk->l * sn_vd_load(pk->kappa0 + point * pk->capacity));
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
  if (reference == CURVED) {
    sn_m33_outer(uu, b.g2, b.fu, b.fu);
    sn_m33_outer(uw, b.g2, b.fu, b.fw);
    sn_m33_outer(ww, b.g2, b.fw, b.fw);
  }
  if (reference == PLANAR) { /* -2 h:  h_uu = R_u wk' + wk R_u' + c R_uu,  h_uw = -R skew(k0) + R_u ku' */
    planar a = planar_at(&b, u, w, planar_k0(pk, point), power);
    sn_vd Ru = -p * a.R * b.iuu;
    sn_m33_outer(uu, -2 * Ru, u, a.wk);
    sn_m33_outer(uu, -2 * Ru, a.wk, u);
    sn_m33_diagonal(uu, 2 * p * a.h * b.iuu);
    sn_m33_outer(uu, -2 * p * (p + 2) * a.h * b.iuu * b.iuu, u, u);
    sn_m33_skew(uw, 2 * a.R, a.k0);
    sn_m33_outer(uw, -2 * Ru, u, a.ku);
  }
}

SN_INLINE void elastic_tangent(const pack *p, int power, int reference, const sn_v3 x[PARTS], sn_vd ck,
                               sn_m33 T[PARTS][PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    coefficients c = at(sn_gauss5_points[i]);
    sn_v3 u = mix(c.u, x);
    sn_vd eps = 0.5 * sn_v3_dot(u, u) - 0.5, s = ck * sn_gauss5_weights[i] * axial(p, i) * p->l;
    if (reference != STRAIGHT) eps -= sn_vd_load(p->eps0 + i * p->capacity);
    sn_m33 H = {0};
    sn_m33_diagonal(&H, s * eps);
    sn_m33_outer(&H, s, u, u);
    accumulate(T, c.u, c.u, &H, false);
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    coefficients c = at(sn_gauss3_points[i]);
    sn_m33 uu = {0}, uw = {0}, ww = {0};
    bend_hessian(p, i, power, reference, mix(c.u, x), mix(c.w, x), &uu, &uw, &ww);
    sn_vd s = ck * (0.5 * sn_gauss3_weights[i]) * flexural(p, i) / p->l;
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) uu.m[j][k] *= s, uw.m[j][k] *= s, ww.m[j][k] *= s;
    accumulate(T, c.u, c.u, &uu, false);
    accumulate(T, c.u, c.w, &uw, false);
    accumulate(T, c.w, c.u, &uw, true);
    accumulate(T, c.w, c.w, &ww, false);
  }
}

/* Rows of the linear map x -> a x x, as columns: cross(a, e_j) */
SN_INLINE sn_v3 unit(int j, sn_vd one) {
  sn_v3 e = {sn_vd_all(0), sn_vd_all(0), sn_vd_all(0)};
  if (j == 0) e.x = one;
  if (j == 1) e.y = one;
  if (j == 2) e.z = one;
  return e;
}

/* Damping: cd dF/dv + ck dF/dq at a bending point, one column at a time: for a change (du, dw) of position or velocity
 *   dg = scale ((dc.c' + c.dc') c + (c.c') dc + d2 dc') - 2 (c.dc)/(c.c + d2) g
 *   dF_u = dw x g + w x dg,   dF_w = dg x u + g x du     (velocity changes: dc = 0, first terms vanish) */
SN_INLINE void damping_tangent(const pack *p, const sn_v3 x[PARTS], const sn_v3 xd[PARTS], sn_vd cd, sn_vd ck,
                               sn_m33 T[PARTS][PARTS]) {
  sn_vd one = sn_vd_all(1);
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    coefficients c = at(sn_gauss5_points[i]);
    sn_v3 u = mix(c.u, x), ud = mix(c.u, xd);
    sn_vd s = sn_gauss5_weights[i] * p->beta * axial(p, i) * p->l;
    sn_m33 H = {0};
    sn_m33_outer(&H, cd * s, u, u);
    sn_m33_outer(&H, ck * s, u, ud);
    sn_m33_diagonal(&H, ck * s * sn_v3_dot(u, ud));
    accumulate(T, c.u, c.u, &H, false);
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    coefficients k = at(sn_gauss3_points[i]);
    sn_v3 u = mix(k.u, x), w = mix(k.w, x), ud = mix(k.u, xd), wd = mix(k.w, xd);
    sn_v3 c = sn_v3_cross(u, w), cdot = sn_v3_add(sn_v3_cross(ud, w), sn_v3_cross(u, wd));
    sn_vd d2 = one * (DAMPING_CORNER * DAMPING_CORNER), icc = 1 / (sn_v3_dot(c, c) + d2), s = sn_v3_dot(c, cdot);
    sn_vd scale = sn_gauss3_weights[i] * p->beta * flexural(p, i) / p->l * icc;
    sn_v3 g = sn_v3_add(sn_v3_scale(scale * s, c), sn_v3_scale(scale * d2, cdot));
    sn_m33 H[2][2] = {0}; /* rows F_u, F_w; columns u, w */
    for (int which = 0; which < 2; which++)
      for (int j = 0; j < 3; j++) {
        sn_v3 zero = unit(3, one), e = unit(j, one), du = which == 0 ? e : zero, dw = which == 1 ? e : zero;
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
    accumulate(T, k.u, k.u, &H[0][0], false);
    accumulate(T, k.u, k.w, &H[0][1], false);
    accumulate(T, k.w, k.u, &H[1][0], false);
    accumulate(T, k.w, k.w, &H[1][1], false);
  }
}

/* Spread the 9x9 tangent over 12 coordinates, add mass, hand lane by lane to the matrix. */
static void add_tangent(const sn_batch *batch, int i, const pack *p, sn_m33 T[PARTS][PARTS], double cm, double cd,
                        sn_matrix *matrix) {
  const sn_cable_elements *e = batch->data;
  static const double hermite[4][4] = {{13.0 / 35, 11.0 / 210, 9.0 / 70, -13.0 / 420},
                                       {11.0 / 210, 1.0 / 105, 13.0 / 420, -1.0 / 140},
                                       {9.0 / 70, 13.0 / 420, 13.0 / 35, -11.0 / 210},
                                       {-13.0 / 420, -1.0 / 140, -11.0 / 210, 1.0 / 105}};
  static const int part[4] = {D, A, D, B};
  int dim = e->dim, n = 4 * dim;
  for (int k = 0; k < p->lanes; k++) {
    double K[12 * 12], il = 1 / p->l[k], scale = cm + cd * p->alpha[k], m = scale * p->mass[k];
    double sign[4] = {-il, 1, il, 1}, slope[4] = {1, p->l[k], 1, p->l[k]};
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        double mass = m * slope[a] * slope[b] * hermite[a][b];
        if (p->mass_at) mass = scale * p->mass_at[mass_index[a][b] * p->capacity + k];
        for (int r = 0; r < dim; r++)
          for (int c = 0; c < dim; c++)
            K[dim * a + r + n * (dim * b + c)] =
                sign[a] * sign[b] * T[part[a]][part[b]].m[r][c][k] + (r == c ? mass : 0);
      }
    int groups[2] = {e->group[i + k], e->group[i + k] + 1};
    sn_matrix_add(matrix, 2, groups, batch->slots + (size_t)batch->slot_stride * (size_t)(i + k), K, n);
  }
}

RARE void tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *matrix, int power,
                  int reference) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 q[4], x[PARTS];
    sn_m33 T[PARTS][PARTS] = {0};
    p.convex = ev->kick;
    gather(&p, ev->q, q);
    parts(q, p.l, x);
    if (ev->ck != 0) elastic_tangent(&p, power, reference, x, sn_vd_all(ev->ck), T);
    if (e->damped && (ev->ck != 0 || ev->cd != 0)) {
      sn_v3 v[4], xd[PARTS];
      gather(&p, ev->v, v);
      parts(v, p.l, xd);
      damping_tangent(&p, x, xd, sn_vd_all(ev->cd), sn_vd_all(ev->ck), T);
    }
    add_tangent(batch, i, &p, T, ev->cm, ev->cd, matrix);
  }
}

/* ---- audit ---- */

RARE void energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *out, int power, int reference) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 q[4], v[4], Mv[4], x[PARTS];
    gather(&p, ev->q, q);
    gather(&p, ev->v, v);
    mass_times(&p, v, Mv);
    sn_vd T = 0.5 * (sn_v3_dot(v[0], Mv[0]) + sn_v3_dot(v[1], Mv[1]) + sn_v3_dot(v[2], Mv[2]) + sn_v3_dot(v[3], Mv[3]));
    mass_times(&p, q, Mv);
    sn_v3 R = sn_v3_add(Mv[0], Mv[2]); /* int rho A r dx */
    sn_vd V = -(ev->gravity[0] * R.x + ev->gravity[1] * R.y + ev->gravity[2] * R.z), U = sn_vd_all(0);
    parts(q, p.l, x);
    for (int k = 0; k < SN_CABLE_AXIAL; k++) {
      sn_v3 u = mix(at(sn_gauss5_points[k]).u, x);
      sn_vd eps = 0.5 * sn_v3_dot(u, u) - 0.5;
      if (reference != STRAIGHT) eps -= sn_vd_load(p.eps0 + k * p.capacity);
      U += (0.5 * sn_gauss5_weights[k]) * axial(&p, k) * p.l * eps * eps;
    }
    for (int k = 0; k < SN_CABLE_BENDING; k++) {
      coefficients c = at(sn_gauss3_points[k]);
      sn_v3 gu, gw;
      sn_vd g = bend_gradient(&p, k, power, reference, mix(c.u, x), mix(c.w, x), &gu, &gw);
      U += (0.5 * sn_gauss3_weights[k]) * flexural(&p, k) / p.l * g;
    }
    out->kinetic += sn_vd_sum(T, p.lanes);
    out->gravity += sn_vd_sum(V, p.lanes);
    out->strain += sn_vd_sum(U, p.lanes);
  }
}

static void damping_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *out) {
  const sn_cable_elements *e = batch->data;
  if (!e->damped) return;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 q[4], v[4], y[4], x[PARTS], xd[PARTS], F[PARTS] = {0};
    gather(&p, ev->q, q);
    gather(&p, ev->v, v);
    mass_times(&p, v, y);
    for (int k = 0; k < 4; k++) y[k] = sn_v3_scale(p.alpha, y[k]);
    parts(q, p.l, x);
    parts(v, p.l, xd);
    damping(&p, x, xd, F);
    unparts(&p, F, y);
    sn_vd W = sn_vd_all(0);
    for (int k = 0; k < 4; k++) W -= sn_v3_dot(y[k], v[k]);
    out->damping += sn_vd_sum(W, p.lanes);
  }
}

/* p = sum of rows 0 and 2 of M v; angular momentum = sum_k e_k x (M v)_k, as r = sum s_k e_k */
static void momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    pack p = pack_at(e, i, range.last);
    sn_v3 q[4], v[4], y[4], L = {0};
    gather(&p, ev->q, q);
    gather(&p, ev->v, v);
    mass_times(&p, v, y);
    for (int k = 0; k < 4; k++) L = sn_v3_add(L, sn_v3_cross(q[k], y[k]));
    sn_v3 P = sn_v3_add(y[0], y[2]);
    out[0] += sn_vd_sum(P.x, p.lanes), out[1] += sn_vd_sum(P.y, p.lanes), out[2] += sn_vd_sum(P.z, p.lanes);
    out[3] += sn_vd_sum(L.x, p.lanes), out[4] += sn_vd_sum(L.y, p.lanes), out[5] += sn_vd_sum(L.z, p.lanes);
  }
}

static int groups_of(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const sn_cable_elements *e = batch->data;
  groups[0] = e->group[i];
  groups[1] = e->group[i] + 1;
  return 2;
}

/* The kernels above, instantiated for each curvature measure and reference. */
#define INSTANCE(name, power, reference)                                                      \
  static void residual_##name(const sn_batch *b, sn_range r, const sn_eval *e, double *y) {   \
    residual(b, r, e, y, power, reference);                                                   \
  }                                                                                           \
  static void tangent_##name(const sn_batch *b, sn_range r, const sn_eval *e, sn_matrix *m) { \
    tangent(b, r, e, m, power, reference);                                                    \
  }                                                                                           \
  static void energy_##name(const sn_batch *b, sn_range r, const sn_eval *e, sn_energy *y) {  \
    energy(b, r, e, y, power, reference);                                                     \
  }
INSTANCE(straight3, 3, STRAIGHT)
INSTANCE(curved3, 3, CURVED)
INSTANCE(planar3, 3, PLANAR)
INSTANCE(straight2, 2, STRAIGHT)
INSTANCE(curved2, 2, CURVED)
INSTANCE(planar2, 2, PLANAR)

#define TABLE(variant)                                                                                      \
  {                                                                                                         \
    .name = "cable elements", .max_groups = 2, .groups = groups_of, .residual = residual_##variant,         \
    .tangent = tangent_##variant, .energy = energy_##variant, .power = damping_power, .momentum = momentum, \
    .steady = sn_always_steady, .discrete = true,                                                           \
  }
const sn_batch_ops sn_cable_batch[2][3] = {{TABLE(straight3), TABLE(curved3), TABLE(planar3)},
                                           {TABLE(straight2), TABLE(curved2), TABLE(planar2)}};
