/* planar_element.c - forces of two-node planar bars and beams in nodal coordinates.
 *
 * All elements interpolate r = sum s_k e_k over nodal vectors e, with constant mass M_kl = rho A int s_k s_l dx;
 * gravity g enters as M (e'' - (g, 0, g, 0)), as the shape functions of the positions sum to 1. Rotary inertia of
 * beams: the normal of a section moves as sum t_k e_k, t the shape functions of its rotation: rho I int t_k t_l dx, in
 * which those of the positions sum to 0.
 *
 *   irf bar      e = (r1, r2)               U = EA L/2 (d/L - 1)^2,             d = |r2 - r1|
 *   ancf-s bar   e = (r1, r2)               U = EA L/2 eps^2,                   eps = ((d/L)^2 - 1)/2
 *   ancf-s beam  e = (r1, r1', r2, r2')     U = 1/2 int EA eps^2 dx + 1/2 e'K e,  eps = (r'.r' - 1)/2
 *   irf beam     e = (r1, t1, r2, t2), t = (cos phi, sin phi) of the section's angle:
 *                U = EA L/2 eps^2 + 1/2 c'K c,  c = (phi1, phi2) - alpha, alpha the angle of r2 - r1,
 *                eps = d/L - 1 + 1/2 c'H c: the mean strain of the bent element (H = 0: of its chord, as in the thesis)
 *
 * With m = (phi1 + phi2)/2, c = phi - m - (alpha - m), and alpha - m is the angle from (cos m, sin m) to r2 - r1: turns
 * need no counting as long as the sections do not turn, on the average, by half a turn against their own element. A
 * constant mass, which leaves out the coupling of positions and angles, is written as n = (1, 0), t = 0. In the irf
 * beam e'' = (a, phi'' n - phi'^2 t, ...), n = dt/dphi; the force on phi is n.f_t.
 */
#include "body/planar_element.h"

#include <math.h>
#include <string.h>

#include "math/gauss.h"

static int planar_groups(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const sn_planar_item *it = (const sn_planar_item *)batch->data + i;
  groups[0] = it->group[0];
  groups[1] = it->group[1];
  return 2;
}

/* ---- nodal vectors ---- */

typedef enum shape { BAR, ANCF, IRF } shape;

/* Vectors of an element and their rates; edd with the factor ci. */
typedef struct vectors {
  int count; /* 2, 4 */
  double e[4][2], ed[4][2], edd[4][2];
  double t[2][2], n[2][2]; /* irf: e'' of the angles is phi'' n - phi'^2 t */
} vectors;

static void take(const sn_planar_item *it, const sn_eval *ev, shape sort, vectors *x) {
  *x = (vectors){.count = sort == BAR ? 2 : 4};
  int step = x->count / 2;
  for (int k = 0; k < 2; k++) {
    const double *q = ev->q + it->first[k], *v = ev->v + it->first[k], *a = ev->a + it->first[k];
    for (int j = 0; j < (sort == ANCF ? 2 : 1); j++)
      for (int i = 0; i < 2; i++) {
        x->e[step * k + j][i] = q[2 * j + i];
        x->ed[step * k + j][i] = v[2 * j + i];
        x->edd[step * k + j][i] = ev->ci * a[2 * j + i];
      }
    if (sort != IRF) continue;
    double *t = x->t[k], *n = x->n[k];
    n[0] = 1;
    if (!it->constant) t[0] = cos(q[2]), t[1] = sin(q[2]), n[0] = -t[1], n[1] = t[0];
    for (int i = 0; i < 2; i++) {
      x->e[2 * k + 1][i] = t[i];
      x->ed[2 * k + 1][i] = v[2] * n[i];
      x->edd[2 * k + 1][i] = ev->ci * a[2] * n[i] - v[2] * v[2] * t[i];
    }
  }
}

static bool is_position(const vectors *x, int k) {
  return x->count == 2 || k % 2 == 0;
}

/* f = M (e'' - g on positions) */
static void inertia(const sn_planar_item *it, const sn_eval *ev, const vectors *x, double f[4][2]) {
  for (int k = 0; k < x->count; k++)
    for (int i = 0; i < 2; i++) {
      f[k][i] = 0;
      for (int l = 0; l < x->count; l++)
        f[k][i] += it->M[k][l] * (x->edd[l][i] - (is_position(x, l) ? ev->gravity[i] : 0));
    }
}

static void vector_energy(const sn_planar_item *it, const sn_eval *ev, const vectors *x, sn_energy *energy) {
  for (int k = 0; k < x->count; k++)
    for (int l = 0; l < x->count; l++)
      for (int i = 0; i < 2; i++) {
        energy->kinetic += 0.5 * it->M[k][l] * x->ed[k][i] * x->ed[l][i];
        if (is_position(x, l)) energy->gravity -= it->M[k][l] * ev->gravity[i] * x->e[k][i];
      }
}

static void add_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6], shape sort) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    vectors x;
    take(&item[n], ev, sort, &x);
    for (int k = 0; k < x.count; k++)
      for (int l = 0; l < x.count; l++) {
        double m = item[n].M[k][l];
        for (int i = 0; i < 2 && is_position(&x, k); i++) out[i] += m * x.ed[l][i];
        out[5] += m * (x.e[k][0] * x.ed[l][1] - x.e[k][1] * x.ed[l][0]);
        if (item[n].constant && k % 2 && l % 2) out[5] += m * x.ed[l][0];
      }
  }
}

static void add_matrix(const sn_batch *batch, int i, const sn_planar_item *it, const double *T, int size,
                       sn_matrix *A) {
  sn_matrix_add(A, 2, it->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, size);
}

/* ---- bars: force k1 (r2 - r1), its derivative k1 I + k2 (r2 - r1)(r2 - r1)' ---- */

typedef struct pull {
  double D[2], d; /* r2 - r1, its length */
  double U, k1, k2;
} pull;

static pull pull_at(const sn_planar_item *it, const double r1[2], const double r2[2], bool green) {
  pull p = {.D = {r2[0] - r1[0], r2[1] - r1[1]}};
  p.d = hypot(p.D[0], p.D[1]);
  double L = it->L, EA = it->EA;
  if (green) {
    double eps = (p.d * p.d / (L * L) - 1) / 2;
    p.U = EA * L / 2 * eps * eps;
    p.k1 = EA * eps / L;
    p.k2 = EA / (L * L * L);
  } else {
    double eps = p.d / L - 1;
    p.U = EA * L / 2 * eps * eps;
    p.k1 = EA * eps / p.d;
    p.k2 = (EA / L - p.k1) / (p.d * p.d);
  }
  return p;
}

/* Over a step of an energy-momentum method: eps is the mean of its values at the ends, and D.(D1 - D0) = dm (d1 - d0)
 * with the mean dm of d, so that k1 = EA eps/dm (green: EA eps/L) with D in the middle. */
static pull pull_over_step(const sn_planar_item *it, const sn_eval *ev, bool green) {
  pull end[2], p;
  for (int k = 0; k < 2; k++) {
    const double *q = k ? ev->q1 : ev->q0;
    end[k] = pull_at(it, q + it->first[0], q + it->first[1], green);
  }
  for (int i = 0; i < 2; i++) p.D[i] = 0.5 * (end[0].D[i] + end[1].D[i]);
  p.k1 = green ? 0.5 * (end[0].k1 + end[1].k1)
               : it->EA * ((end[0].d + end[1].d) / (2 * it->L) - 1) / (0.5 * (end[0].d + end[1].d));
  return p;
}

static void bar_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r, bool green) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    const sn_planar_item *it = &item[n];
    vectors x;
    double f[4][2];
    take(it, ev, BAR, &x);
    inertia(it, ev, &x, f);
    pull p = ev->q0 ? pull_over_step(it, ev, green) : pull_at(it, x.e[0], x.e[1], green);
    for (int i = 0; i < 2; i++) {
      r[it->first[0] + i] += f[0][i] - p.k1 * p.D[i];
      r[it->first[1] + i] += f[1][i] + p.k1 * p.D[i];
    }
  }
}

static void bar_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A, bool green) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    const sn_planar_item *it = &item[n];
    double T[16];
    pull p = pull_at(it, ev->q + it->first[0], ev->q + it->first[1], green);
    for (int k = 0; k < 2; k++)
      for (int l = 0; l < 2; l++)
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++) {
            double H = (i == j ? p.k1 : 0) + p.k2 * p.D[i] * p.D[j];
            T[2 * k + i + 4 * (2 * l + j)] = (i == j ? ev->cm * it->M[k][l] : 0) + ev->ck * (k == l ? H : -H);
          }
    add_matrix(batch, n, it, T, 4, A);
  }
}

static void bar_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy, bool green) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    vectors x;
    take(&item[n], ev, BAR, &x);
    vector_energy(&item[n], ev, &x, energy);
    energy->strain += pull_at(&item[n], x.e[0], x.e[1], green).U;
  }
}

static void bar_momentum(const sn_batch *b, sn_range r, const sn_eval *ev, double out[6]) {
  add_momentum(b, r, ev, out, BAR);
}

#define BAR_BATCH(sort, title, green)                                                              \
  static void sort##_residual(const sn_batch *b, sn_range r, const sn_eval *ev, double *y) {       \
    bar_residual(b, r, ev, y, green);                                                              \
  }                                                                                                \
  static void sort##_tangent(const sn_batch *b, sn_range r, const sn_eval *ev, sn_matrix *A) {     \
    bar_tangent(b, r, ev, A, green);                                                               \
  }                                                                                                \
  static void sort##_energy(const sn_batch *b, sn_range r, const sn_eval *ev, sn_energy *energy) { \
    bar_energy(b, r, ev, energy, green);                                                           \
  }                                                                                                \
  static const sn_batch_ops sort = {                                                               \
      .name = title,                                                                               \
      .max_groups = 2,                                                                             \
      .groups = planar_groups,                                                                     \
      .residual = sort##_residual,                                                                 \
      .tangent = sort##_tangent,                                                                   \
      .energy = sort##_energy,                                                                     \
      .momentum = bar_momentum,                                                                    \
      .steady = sn_always_steady,                                                                  \
      .discrete = true,                                                                            \
  };
BAR_BATCH(irf_bar, "bars", false)
BAR_BATCH(ancf_bar, "ancf-s bars", true)

/* ---- ancf-s beams ---- */

/* r' at a Gauss point */
static void slope_at(const sn_planar_item *it, double e[4][2], int g, double u[2]) {
  for (int i = 0; i < 2; i++) {
    u[i] = 0;
    for (int k = 0; k < 4; k++) u[i] += it->slope[g][k] * e[k][i];
  }
}

/* What the mean of r'.r' at the ends of a step of an energy-momentum method has more than in the middle. */
static double step_strain(const sn_planar_item *it, const sn_eval *ev, vectors *x, int g) {
  double ud[2];
  if (!ev->q0) return 0;
  slope_at(it, x->ed, g, ud);
  return ev->h * ev->h / 4 * (ud[0] * ud[0] + ud[1] * ud[1]);
}

static void ancf_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    const sn_planar_item *it = &item[n];
    vectors x;
    double f[4][2], u[2];
    take(it, ev, ANCF, &x);
    inertia(it, ev, &x, f);
    for (int g = 0; g < SN_PLANAR_GAUSS; g++) {
      slope_at(it, x.e, g, u);
      double N =
          sn_gauss5_weights[g] * it->L * it->EA * (u[0] * u[0] + u[1] * u[1] - 1 + step_strain(it, ev, &x, g)) / 2;
      for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++) f[k][i] += N * it->slope[g][k] * u[i];
    }
    for (int k = 0; k < 4; k++)
      for (int i = 0; i < 2; i++) {
        for (int l = 0; l < 4; l++) f[k][i] += it->K[k][l] * x.e[l][i];
        r[it->first[k / 2] + 2 * (k % 2) + i] += f[k][i];
      }
  }
}

static void ancf_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    const sn_planar_item *it = &item[n];
    vectors x;
    double T[64], H[SN_PLANAR_GAUSS][2][2], u[2];
    take(it, ev, ANCF, &x);
    for (int g = 0; g < SN_PLANAR_GAUSS; g++) {
      slope_at(it, x.e, g, u);
      double c = ev->ck * sn_gauss5_weights[g] * it->L * it->EA, eps = (u[0] * u[0] + u[1] * u[1] - 1) / 2;
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) H[g][i][j] = c * (u[i] * u[j] + (i == j ? eps : 0));
    }
    for (int k = 0; k < 4; k++)
      for (int l = 0; l < 4; l++)
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++) {
            double sum = i == j ? ev->cm * it->M[k][l] + ev->ck * it->K[k][l] : 0;
            for (int g = 0; g < SN_PLANAR_GAUSS; g++) sum += it->slope[g][k] * it->slope[g][l] * H[g][i][j];
            T[2 * k + i + 8 * (2 * l + j)] = sum;
          }
    add_matrix(batch, n, it, T, 8, A);
  }
}

static void ancf_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_planar_item *item = batch->data;
  for (int n = range.first; n < range.last; n++) {
    const sn_planar_item *it = &item[n];
    vectors x;
    double u[2];
    take(it, ev, ANCF, &x);
    vector_energy(it, ev, &x, energy);
    for (int g = 0; g < SN_PLANAR_GAUSS; g++) {
      slope_at(it, x.e, g, u);
      double eps = (u[0] * u[0] + u[1] * u[1] - 1) / 2;
      energy->strain += 0.5 * sn_gauss5_weights[g] * it->L * it->EA * eps * eps;
    }
    for (int k = 0; k < 4; k++)
      for (int l = 0; l < 4; l++)
        for (int i = 0; i < 2; i++) energy->strain += 0.5 * it->K[k][l] * x.e[k][i] * x.e[l][i];
  }
}

static void ancf_momentum(const sn_batch *b, sn_range r, const sn_eval *ev, double out[6]) {
  add_momentum(b, r, ev, out, ANCF);
}

static const sn_batch_ops ancf_beam = {
    .name = "ancf-s beams",
    .max_groups = 2,
    .groups = planar_groups,
    .residual = ancf_residual,
    .tangent = ancf_tangent,
    .energy = ancf_energy,
    .momentum = ancf_momentum,
    .steady = sn_always_steady,
    .discrete = true,
};

/* ---- irf beams ---- */

/* Chord, end rotations c and end moments m = K c + N L H c with N = EA eps. */
typedef struct chord {
  pull p;
  double u[2], n[2]; /* unit vectors along and across r2 - r1 */
  double c[2], m[2], Hc[2];
  double bending; /* c'K c/2 */
} chord;

static chord chord_at(const sn_planar_item *it, const double *q) {
  chord h = {.p = pull_at(it, q + it->first[0], q + it->first[1], false)};
  const double *D = h.p.D;
  h.u[0] = D[0] / h.p.d, h.u[1] = D[1] / h.p.d;
  h.n[0] = -h.u[1], h.n[1] = h.u[0];
  double phi[2] = {q[it->first[0] + 2], q[it->first[1] + 2]}, m = (phi[0] + phi[1]) / 2, t[2] = {cos(m), sin(m)};
  double bend = (phi[0] - phi[1]) / 2, turn = atan2(t[0] * D[1] - t[1] * D[0], t[0] * D[0] + t[1] * D[1]);
  h.c[0] = bend - turn;
  h.c[1] = -bend - turn;
  for (int k = 0; k < 2; k++) {
    h.m[k] = it->K[k][0] * h.c[0] + it->K[k][1] * h.c[1];
    h.Hc[k] = it->H[k][0] * h.c[0] + it->H[k][1] * h.c[1];
  }
  h.bending = 0.5 * (h.c[0] * h.m[0] + h.c[1] * h.m[1]);
  const double eps = h.p.d / it->L - 1 + 0.5 * (h.c[0] * h.Hc[0] + h.c[1] * h.Hc[1]), N = it->EA * eps;
  h.p.U = 0.5 * N * eps * it->L;
  h.p.k1 = N / h.p.d;
  h.p.k2 = (it->EA / it->L - h.p.k1) / (h.p.d * h.p.d);
  for (int k = 0; k < 2; k++) h.m[k] += N * it->L * h.Hc[k];
  return h;
}

void sn_planar_chord(const sn_planar_item *it, const double *q, bool beam, double *elongation, double c[2]) {
  c[0] = c[1] = 0;
  *elongation = pull_at(it, q + it->first[0], q + it->first[1], false).d - it->L;
  if (!beam) return;
  chord h = chord_at(it, q);
  *elongation += it->L / 2 * (h.c[0] * h.Hc[0] + h.c[1] * h.Hc[1]);
  c[0] = h.c[0], c[1] = h.c[1];
}

static void irf_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_planar_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_planar_item *it = &item[i];
    vectors x;
    double f[4][2];
    take(it, ev, IRF, &x);
    inertia(it, ev, &x, f);
    chord h = chord_at(it, ev->q);
    for (int k = 0; k < 2; k++) {
      double sign = k ? 1 : -1, *y = r + it->first[k];
      for (int j = 0; j < 2; j++) y[j] += f[2 * k][j] + sign * (h.p.k1 * h.p.D[j] - (h.m[0] + h.m[1]) * h.n[j] / h.p.d);
      y[2] += x.n[k][0] * f[2 * k + 1][0] + x.n[k][1] * f[2 * k + 1][1] + h.m[k];
    }
  }
}

/* Inertia: with z_k = d(e'')/dphi of a node's t, scaled: cm n - 2 cd phi' t - ck (ci phi'' t + phi'^2 n);
 * on phi also the change of n: -ck t.f. */
static void irf_inertia_tangent(const sn_planar_item *it, const sn_eval *ev, const vectors *x, double T[36]) {
  double f[4][2], z[2][2];
  const double(*n)[2] = x->n;
  inertia(it, ev, x, f);
  for (int k = 0; k < 2; k++) {
    const double *t = x->t[k];
    double w = ev->v[it->first[k] + 2], wd = ev->ci * ev->a[it->first[k] + 2];
    double dt = it->constant ? 0 : 1; /* dt/dphi = n, or 0 */
    for (int i = 0; i < 2; i++)
      z[k][i] = ev->cm * n[k][i] - 2 * ev->cd * w * t[i] - ev->ck * (wd * t[i] + w * w * dt * n[k][i]);
  }
  for (int k = 0; k < 2; k++)
    for (int l = 0; l < 2; l++) {
      double *B = T + 3 * k + 6 * 3 * l;
      double rr = it->M[2 * k][2 * l], rt = it->M[2 * k][2 * l + 1], tr = it->M[2 * k + 1][2 * l],
             tt = it->M[2 * k + 1][2 * l + 1];
      for (int i = 0; i < 2; i++) {
        B[i + 6 * i] += ev->cm * rr;
        B[i + 6 * 2] += rt * z[l][i];
        B[2 + 6 * i] += ev->cm * tr * n[k][i];
      }
      B[2 + 6 * 2] += tt * (n[k][0] * z[l][0] + n[k][1] * z[l][1]);
      if (k == l) B[2 + 6 * 2] -= ev->ck * (x->t[k][0] * f[2 * k + 1][0] + x->t[k][1] * f[2 * k + 1][1]);
    }
}

/* Elastic: d(alpha)/dD = n/d, d2(alpha)/dD2 = -(u n' + n u')/d^2, dc_k = dphi_k - d(alpha). Of eps: EA L deps deps', and
 * N L H over c. */
static void irf_elastic_tangent(const sn_planar_item *it, double ck, const chord *h, double T[36]) {
  double d = h->p.d, m = h->m[0] + h->m[1], NL = h->p.k1 * d * it->L, EA = it->EA, g[2][6] = {{0}};
  const double e[6] = {-h->u[0], -h->u[1], 0, h->u[0], h->u[1], 0}; /* dd/dq */
  for (int a = 0; a < 2; a++) {
    for (int i = 0; i < 2; i++) g[a][i] = h->n[i] / d, g[a][3 + i] = -h->n[i] / d;
    g[a][3 * a + 2] = 1;
  }
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 6; c++)
      for (int a = 0; a < 2; a++) {
        T[r + 6 * c] += ck * EA * h->Hc[a] * (g[a][r] * e[c] + e[r] * g[a][c]);
        for (int b = 0; b < 2; b++)
          T[r + 6 * c] += ck * (it->K[a][b] + NL * it->H[a][b] + EA * it->L * h->Hc[a] * h->Hc[b]) * g[a][r] * g[b][c];
      }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double H = (i == j ? h->p.k1 : 0) + h->p.k2 * h->p.D[i] * h->p.D[j];
      H += m * (h->u[i] * h->n[j] + h->n[i] * h->u[j]) / (d * d);
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++) T[3 * k + i + 6 * (3 * l + j)] += ck * (k == l ? H : -H);
    }
}

static void irf_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_planar_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    vectors x;
    double T[36] = {0};
    take(&item[i], ev, IRF, &x);
    chord h = chord_at(&item[i], ev->q);
    irf_inertia_tangent(&item[i], ev, &x, T);
    irf_elastic_tangent(&item[i], ev->ck, &h, T);
    add_matrix(batch, i, &item[i], T, 6, A);
  }
}

static void irf_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_planar_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    vectors x;
    take(&item[i], ev, IRF, &x);
    chord h = chord_at(&item[i], ev->q);
    vector_energy(&item[i], ev, &x, energy);
    energy->strain += h.p.U + h.bending;
  }
}

static void irf_momentum(const sn_batch *b, sn_range r, const sn_eval *ev, double out[6]) {
  add_momentum(b, r, ev, out, IRF);
}

static const sn_batch_ops irf_beam = {
    .name = "irf beams",
    .max_groups = 2,
    .groups = planar_groups,
    .residual = irf_residual,
    .tangent = irf_tangent,
    .energy = irf_energy,
    .momentum = irf_momentum,
};

const sn_batch_ops *sn_planar_batch(bool beam, bool ancf) {
  if (beam) return ancf ? &ancf_beam : &irf_beam;
  return ancf ? &ancf_bar : &irf_bar;
}
