/* cable_element.c - elastic, inertia and damping forces of thin ANCF elements, several at a time.
 *
 *   U = l/2 int_0^1 EA (eps - eps0)^2 + EI g ds,    eps = (u.u - 1)/2
 *   M = rho A l times the 4x4 Hermite block; gravity g enters as M (ci a - (g, 0, g, 0)): exact
 *
 * u = r_x and w = r_xx l are in cable_pack.h, the bending energy g(u, w) in cable_bending.h, forces over a step in
 * cable_step.h, damping in cable_damping.h; here they become batches.
 */
#include "body/cable_element.h"

#include "body/cable_damping.h"
#include "body/cable_step.h"

/* ---- forces ---- */

/* F += dU/d(d, r0', r1') */
SN_INLINE void elastic(const sn_cable_pack *p, int power, int reference, const sn_v3 x[SN_CABLE_PARTS],
                       sn_v3 F[SN_CABLE_PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss5_points[i]);
    sn_v3 u = sn_cable_mix(c.u, x);
    sn_vd eps = 0.5 * sn_v3_dot(u, u) - 0.5;
    if (reference != SN_CABLE_STRAIGHT) eps -= sn_vd_load(p->eps0 + i * p->capacity);
    sn_cable_spread(F, c.u, sn_v3_scale(sn_gauss5_weights[i] * sn_cable_axial(p, i) * p->l * eps, u));
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss3_points[i]);
    sn_v3 gu, gw;
    sn_cable_bend_gradient(p, i, power, reference, sn_cable_mix(c.u, x), sn_cable_mix(c.w, x), &gu, &gw);
    sn_vd k = (0.5 * sn_gauss3_weights[i]) * sn_cable_flexural(p, i) / p->l;
    sn_cable_spread(F, c.u, sn_v3_scale(k, gu));
    sn_cable_spread(F, c.w, sn_v3_scale(k, gw));
  }
}

SN_INLINE void residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r, int power, int reference) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_cable_pack p = sn_cable_pack_at(e, i, range.last);
    sn_v3 q[4], a[4], y[4], x[SN_CABLE_PARTS], F[SN_CABLE_PARTS] = {0};
    sn_cable_gather(&p, ev->q, q);
    sn_cable_gather(&p, ev->a, a);
    for (int k = 0; k < 4; k++) a[k] = sn_v3_scale(sn_vd_all(ev->ci), a[k]);
    sn_cable_parts(q, p.l, x);
    if (e->damped || ev->q0) {
      sn_v3 v[4], xd[SN_CABLE_PARTS];
      sn_cable_gather(&p, ev->v, v);
      sn_cable_parts(v, p.l, xd);
      if (e->damped) {
        for (int k = 0; k < 4; k++) a[k] = sn_v3_add(a[k], sn_v3_scale(p.alpha, v[k]));
        sn_cable_damping_force(&p, x, xd, F);
      }
      for (int k = 0; k < SN_CABLE_PARTS; k++) xd[k] = sn_v3_scale(sn_vd_all(0.5 * ev->h), xd[k]);
      if (ev->q0) sn_cable_step_force(&p, power, reference, x, xd, F);
    }
    for (int k = 0; k < 4; k += 2) {
      a[k].x -= ev->gravity[0];
      a[k].y -= ev->gravity[1];
      a[k].z -= ev->gravity[2];
    }
    sn_cable_mass_times(&p, a, y);
    if (!ev->q0) elastic(&p, power, reference, x, F);
    sn_cable_unparts(&p, F, y);
    sn_cable_scatter(&p, y, r);
  }
}

SN_CABLE_RARE void elastic_once(const sn_cable_pack *p, int power, int reference, const sn_v3 x[SN_CABLE_PARTS],
                                sn_v3 F[SN_CABLE_PARTS]) {
  elastic(p, power, reference, x, F);
}

void sn_cable_forces(const sn_cable_elements *e, int i, int power, int reference, const double *q, double f[4][3]) {
  assert(i >= 0 && i < e->capacity);
  const int first = i / SN_LANES * SN_LANES, k = i - first;
  sn_cable_pack p = sn_cable_pack_at(e, first, i + 1);
  sn_v3 n[4], x[SN_CABLE_PARTS], F[SN_CABLE_PARTS] = {0}, y[4] = {0};
  sn_cable_gather(&p, q, n);
  sn_cable_parts(n, p.l, x);
  elastic_once(&p, power, reference, x, F);
  sn_cable_unparts(&p, F, y);
  for (int j = 0; j < 4; j++) f[j][0] = y[j].x[k], f[j][1] = y[j].y[k], f[j][2] = y[j].z[k];
}

/* ---- tangent ---- */

SN_INLINE void elastic_tangent(const sn_cable_pack *p, int power, int reference, const sn_v3 x[SN_CABLE_PARTS],
                               sn_vd ck, sn_m33 T[SN_CABLE_PARTS][SN_CABLE_PARTS]) {
  for (int i = 0; i < SN_CABLE_AXIAL; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss5_points[i]);
    sn_v3 u = sn_cable_mix(c.u, x);
    sn_vd eps = 0.5 * sn_v3_dot(u, u) - 0.5, s = ck * sn_gauss5_weights[i] * sn_cable_axial(p, i) * p->l;
    if (reference != SN_CABLE_STRAIGHT) eps -= sn_vd_load(p->eps0 + i * p->capacity);
    sn_m33 H = {0};
    sn_m33_diagonal(&H, s * eps);
    sn_m33_outer(&H, s, u, u);
    sn_cable_accumulate(T, c.u, c.u, &H, false);
  }
  for (int i = 0; i < SN_CABLE_BENDING; i++) {
    sn_cable_coefficients c = sn_cable_at(sn_gauss3_points[i]);
    sn_m33 uu = {0}, uw = {0}, ww = {0};
    sn_cable_bend_hessian(p, i, power, reference, sn_cable_mix(c.u, x), sn_cable_mix(c.w, x), &uu, &uw, &ww);
    sn_vd s = ck * (0.5 * sn_gauss3_weights[i]) * sn_cable_flexural(p, i) / p->l;
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) uu.m[j][k] *= s, uw.m[j][k] *= s, ww.m[j][k] *= s;
    sn_cable_accumulate(T, c.u, c.u, &uu, false);
    sn_cable_accumulate(T, c.u, c.w, &uw, false);
    sn_cable_accumulate(T, c.w, c.u, &uw, true);
    sn_cable_accumulate(T, c.w, c.w, &ww, false);
  }
}

/* Spread the 9x9 tangent over 12 coordinates, add mass, hand lane by lane to the matrix. */
static void add_tangent(const sn_batch *batch, int i, const sn_cable_pack *p, sn_m33 T[SN_CABLE_PARTS][SN_CABLE_PARTS],
                        double cm, double cd, sn_matrix *matrix) {
  const sn_cable_elements *e = batch->data;
  static const double hermite[4][4] = {{13.0 / 35, 11.0 / 210, 9.0 / 70, -13.0 / 420},
                                       {11.0 / 210, 1.0 / 105, 13.0 / 420, -1.0 / 140},
                                       {9.0 / 70, 13.0 / 420, 13.0 / 35, -11.0 / 210},
                                       {-13.0 / 420, -1.0 / 140, -11.0 / 210, 1.0 / 105}};
  static const int part[4] = {SN_CABLE_D, SN_CABLE_A, SN_CABLE_D, SN_CABLE_B};
  int dim = e->dim, n = 4 * dim;
  for (int k = 0; k < p->lanes; k++) {
    double K[12 * 12], il = 1 / p->l[k], scale = cm + cd * p->alpha[k], m = scale * p->mass[k];
    double sign[4] = {-il, 1, il, 1}, slope[4] = {1, p->l[k], 1, p->l[k]};
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        double mass = m * slope[a] * slope[b] * hermite[a][b];
        if (p->mass_at) mass = scale * p->mass_at[sn_cable_mass_index[a][b] * p->capacity + k];
        for (int r = 0; r < dim; r++)
          for (int c = 0; c < dim; c++)
            K[dim * a + r + n * (dim * b + c)] =
                sign[a] * sign[b] * T[part[a]][part[b]].m[r][c][k] + (r == c ? mass : 0);
      }
    int groups[2] = {e->group[i + k], e->group[i + k] + 1};
    sn_matrix_add(matrix, 2, groups, batch->slots + (size_t)batch->slot_stride * (size_t)(i + k), K, n);
  }
}

SN_CABLE_RARE void tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *matrix, int power,
                           int reference) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_cable_pack p = sn_cable_pack_at(e, i, range.last);
    sn_v3 q[4], x[SN_CABLE_PARTS];
    sn_m33 T[SN_CABLE_PARTS][SN_CABLE_PARTS] = {0};
    p.convex = ev->kick;
    sn_cable_gather(&p, ev->q, q);
    sn_cable_parts(q, p.l, x);
    if (ev->ck != 0) elastic_tangent(&p, power, reference, x, sn_vd_all(ev->ck), T);
    if (e->damped && (ev->ck != 0 || ev->cd != 0)) {
      sn_v3 v[4], xd[SN_CABLE_PARTS];
      sn_cable_gather(&p, ev->v, v);
      sn_cable_parts(v, p.l, xd);
      sn_cable_damping_tangent(&p, x, xd, sn_vd_all(ev->cd), sn_vd_all(ev->ck), T);
    }
    add_tangent(batch, i, &p, T, ev->cm, ev->cd, matrix);
  }
}

/* ---- audit ---- */

SN_CABLE_RARE void energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *out, int power,
                          int reference) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_cable_pack p = sn_cable_pack_at(e, i, range.last);
    sn_v3 q[4], v[4], Mv[4], x[SN_CABLE_PARTS];
    sn_cable_gather(&p, ev->q, q);
    sn_cable_gather(&p, ev->v, v);
    sn_cable_mass_times(&p, v, Mv);
    sn_vd T = 0.5 * (sn_v3_dot(v[0], Mv[0]) + sn_v3_dot(v[1], Mv[1]) + sn_v3_dot(v[2], Mv[2]) + sn_v3_dot(v[3], Mv[3]));
    sn_cable_mass_times(&p, q, Mv);
    sn_v3 R = sn_v3_add(Mv[0], Mv[2]); /* int rho A r dx */
    sn_vd V = -(ev->gravity[0] * R.x + ev->gravity[1] * R.y + ev->gravity[2] * R.z), U = sn_vd_all(0);
    sn_cable_parts(q, p.l, x);
    for (int k = 0; k < SN_CABLE_AXIAL; k++) {
      sn_v3 u = sn_cable_mix(sn_cable_at(sn_gauss5_points[k]).u, x);
      sn_vd eps = 0.5 * sn_v3_dot(u, u) - 0.5;
      if (reference != SN_CABLE_STRAIGHT) eps -= sn_vd_load(p.eps0 + k * p.capacity);
      U += (0.5 * sn_gauss5_weights[k]) * sn_cable_axial(&p, k) * p.l * eps * eps;
    }
    for (int k = 0; k < SN_CABLE_BENDING; k++) {
      sn_cable_coefficients c = sn_cable_at(sn_gauss3_points[k]);
      sn_v3 gu, gw;
      sn_vd g = sn_cable_bend_gradient(&p, k, power, reference, sn_cable_mix(c.u, x), sn_cable_mix(c.w, x), &gu, &gw);
      U += (0.5 * sn_gauss3_weights[k]) * sn_cable_flexural(&p, k) / p.l * g;
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
    sn_cable_pack p = sn_cable_pack_at(e, i, range.last);
    sn_v3 q[4], v[4], y[4], x[SN_CABLE_PARTS], xd[SN_CABLE_PARTS], F[SN_CABLE_PARTS] = {0};
    sn_cable_gather(&p, ev->q, q);
    sn_cable_gather(&p, ev->v, v);
    sn_cable_mass_times(&p, v, y);
    for (int k = 0; k < 4; k++) y[k] = sn_v3_scale(p.alpha, y[k]);
    sn_cable_parts(q, p.l, x);
    sn_cable_parts(v, p.l, xd);
    sn_cable_damping_force(&p, x, xd, F);
    sn_cable_unparts(&p, F, y);
    sn_vd W = sn_vd_all(0);
    for (int k = 0; k < 4; k++) W -= sn_v3_dot(y[k], v[k]);
    out->damping += sn_vd_sum(W, p.lanes);
  }
}

/* p = sum of rows 0 and 2 of M v; angular momentum = sum_k e_k x (M v)_k, as r = sum s_k e_k */
static void momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const sn_cable_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_cable_pack p = sn_cable_pack_at(e, i, range.last);
    sn_v3 q[4], v[4], y[4], L = {0};
    sn_cable_gather(&p, ev->q, q);
    sn_cable_gather(&p, ev->v, v);
    sn_cable_mass_times(&p, v, y);
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
INSTANCE(straight3, 3, SN_CABLE_STRAIGHT)
INSTANCE(curved3, 3, SN_CABLE_CURVED)
INSTANCE(planar3, 3, SN_CABLE_PLANAR)
INSTANCE(straight2, 2, SN_CABLE_STRAIGHT)
INSTANCE(curved2, 2, SN_CABLE_CURVED)
INSTANCE(planar2, 2, SN_CABLE_PLANAR)

#define TABLE(variant)                                                                                      \
  {                                                                                                         \
    .name = "cable elements", .max_groups = 2, .groups = groups_of, .residual = residual_##variant,         \
    .tangent = tangent_##variant, .energy = energy_##variant, .power = damping_power, .momentum = momentum, \
    .steady = sn_always_steady, .discrete = true,                                                           \
  }
static const sn_batch_ops tables[2][3] = {{TABLE(straight3), TABLE(curved3), TABLE(planar3)},
                                          {TABLE(straight2), TABLE(curved2), TABLE(planar2)}};

const sn_batch_ops *sn_cable_batch(int curvature, int reference) {
  return &tables[curvature][reference];
}
