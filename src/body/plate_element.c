/* plate_element.c - elastic, inertia and damping forces of thin ANCF plate elements, several at a time.
 *
 *   U = 1/2 int C e'P e + D k'P k dA,  C = E t/(1-nu^2), D = C t^2/12
 *   F = sum_i m_i G_i                  stresses and moments m_i times the gradients G_i of strains and curvatures
 *   M = rho t a b times the exact matrix int S_i S_j; gravity enters as M (ci a - (g, 0, 0, g, ...)): exact
 *
 * Strains e and curvatures k are in plate_strain.h, the tangent in plate_tangent.h, bending forces over a step in
 * plate_step.h, what they share in plate_pack.h; here they become a batch.
 */
#include "body/plate_element.h"

#include "body/plate_tangent.h"

/* ---- forces ---- */

/* f += elastic forces over a step */
static void bending_step(const sn_plate_pack *p, int point, const sn_v3 y[SN_PLATE_SLOTS],
                         const sn_v3 yd[SN_PLATE_SLOTS], sn_v3 f[SN_PLATE_SLOTS]) {
  sn_v3 d[SN_PLATE_SLOTS];
  sn_vd k0[3];
  for (int s = 0; s < SN_PLATE_SLOTS; s++) d[s] = sn_v3_scale(sn_vd_all(0.5 * p->step), yd[s]);
  for (int i = 0; p->e->kappa0 && i < 3; i++) k0[i] = sn_plate_curvature0(p, point, i);
  sn_plate_step_bending(p->D, p->nu, p->e->kappa0 ? k0 : NULL, y, d, f);
}

/* F += elastic and (xd not NULL) viscous forces */
SN_INLINE void internal(const sn_plate_pack *p, const sn_v3 x[SN_PLATE_SHAPES], const sn_v3 *xd,
                        sn_v3 F[SN_PLATE_SHAPES]) {
  sn_v3 y[SN_PLATE_SLOTS], yd[SN_PLATE_SLOTS], f[SN_PLATE_SLOTS], Nd, gd[3];
  sn_vd m[3];
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
    sn_plate_membrane_stress(p, g, x, xd, y, yd, m);
    f[SN_RX] = sn_v3_add(sn_v3_scale(m[0], y[SN_RX]), sn_v3_scale(m[2], y[SN_RY]));
    f[SN_RY] = sn_v3_add(sn_v3_scale(m[1], y[SN_RY]), sn_v3_scale(m[2], y[SN_RX]));
    sn_plate_spread(p, &p->e->tables->membrane[g], 2, f, F);
  }
  for (int g = 0; g < SN_PLATE_BENDING; g++) {
    sn_plate_bend b = sn_plate_moment(p, g, x, xd, y, yd, &Nd, gd, m);
    sn_v3 sum = sn_plate_zero();
    for (int i = 0; i < 3; i++) {
      sum = sn_v3_add(sum, sn_v3_scale(m[i], b.g[i]));
      f[SN_RXX + i] = sn_plate_third(i, sn_v3_scale(m[i], b.N));
    }
    f[SN_RX] = sn_v3_cross(y[SN_RY], sum);
    f[SN_RY] = sn_v3_cross(sum, y[SN_RX]);
    if (xd && p->step > 0) bending_step(p, g, y, yd, f);
    sn_plate_spread(p, &p->e->tables->bending[g], SN_PLATE_SLOTS, f, F);
  }
}

static void residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_plate_pack p = sn_plate_pack_at(e, i, range.last);
    sn_v3 x[SN_PLATE_SHAPES], v[SN_PLATE_SHAPES], a[SN_PLATE_SHAPES], F[SN_PLATE_SHAPES];
    sn_plate_gather(&p, ev->q, x);
    sn_plate_gather(&p, ev->a, a);
    for (int k = 0; k < SN_PLATE_SHAPES; k++) a[k] = sn_v3_scale(sn_vd_all(ev->ci), a[k]);
    if (ev->q0) p.step = ev->h;
    if (e->damped || ev->q0) {
      sn_plate_gather(&p, ev->v, v);
      for (int k = 0; k < SN_PLATE_SHAPES; k++) a[k] = sn_v3_add(a[k], sn_v3_scale(p.alpha, v[k]));
    }
    for (int k = 0; k < SN_PLATE_SHAPES; k += 3) {
      a[k].x -= ev->gravity[0];
      a[k].y -= ev->gravity[1];
      a[k].z -= ev->gravity[2];
    }
    sn_plate_mass_times(&p, a, F);
    if (e->damped || ev->q0)
      internal(&p, x, v, F);
    else
      internal(&p, x, NULL, F);
    sn_plate_scatter(&p, F, r);
  }
}

/* ---- tangent ---- */

/* Lane by lane to the matrix, with mass; T holds j <= i only when symmetric. */
static void add_tangent(const sn_batch *batch, const sn_plate_pack *p, sn_m33 T[SN_PLATE_SHAPES][SN_PLATE_SHAPES],
                        bool symmetric, const sn_eval *ev, sn_matrix *matrix) {
  enum { N = 3 * SN_PLATE_SHAPES };
  double K[N * N];
  for (int k = 0; k < p->lanes; k++) {
    const double slope[3] = {1, p->a[k], p->b[k]}, m = (ev->cm + ev->cd * p->alpha[k]) * p->mass[k];
    for (int i = 0; i < SN_PLATE_SHAPES; i++)
      for (int j = 0; j < SN_PLATE_SHAPES; j++) {
        bool mirror = symmetric && j > i;
        const sn_m33 *B = mirror ? &T[j][i] : &T[i][j];
        double f = slope[i % 3] * slope[j % 3], *to = K + 3 * i + N * 3 * j;
        for (int c = 0; c < 3; c++)
          for (int r = 0; r < 3; r++) to[r + N * c] = f * (mirror ? B->m[c][r][k] : B->m[r][c][k]);
        for (int c = 0; c < 3; c++) to[c + N * c] += f * m * p->e->tables->mass[i][j];
      }
    int groups[4], element = p->i + k;
    for (int n = 0; n < 4; n++) groups[n] = p->e->group[n][element];
    sn_matrix_add(matrix, 4, groups, batch->slots + (size_t)batch->slot_stride * (size_t)element, K, N);
  }
}

static void tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *matrix) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_plate_pack p = sn_plate_pack_at(e, i, range.last);
    sn_v3 x[SN_PLATE_SHAPES], v[SN_PLATE_SHAPES];
    sn_m33 T[SN_PLATE_SHAPES][SN_PLATE_SHAPES];
    memset(T, 0, sizeof T);
    sn_plate_gather(&p, ev->q, x);
    if (e->damped) {
      sn_plate_gather(&p, ev->v, v);
      sn_plate_tangent_of(&p, x, v, ev, T);
    } else {
      sn_plate_tangent_of(&p, x, NULL, ev, T);
    }
    add_tangent(batch, &p, T, !e->damped, ev, matrix);
  }
}

/* ---- audit ---- */

SN_INLINE sn_vd quadratic(const sn_vd m[3], const sn_vd e[3]) {
  return m[0] * e[0] + m[1] * e[1] + m[2] * e[2];
}

static sn_vd strain_energy(const sn_plate_pack *p, const sn_v3 x[SN_PLATE_SHAPES]) {
  sn_v3 y[SN_PLATE_SLOTS];
  sn_vd e[3], m[3], U = sn_vd_all(0), A = p->a * p->b;
  for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
    sn_plate_slots_at(p, &p->e->tables->membrane[g], 2, x, y);
    sn_plate_membrane_strain(p, g, y, e);
    sn_plate_stress(p->C, p->nu, e, m);
    U += 0.5 * p->e->tables->membrane[g].weight * A * quadratic(m, e);
  }
  for (int g = 0; g < SN_PLATE_BENDING; g++) {
    sn_plate_slots_at(p, &p->e->tables->bending[g], SN_PLATE_SLOTS, x, y);
    sn_plate_bend b = sn_plate_bend_at(y);
    for (int i = 0; i < 3; i++)
      if (p->e->kappa0) b.k[i] -= sn_vd_load(p->e->kappa0 + (3 * g + i) * p->e->capacity + p->i);
    sn_plate_stress(p->D, p->nu, b.k, m);
    U += 0.5 * p->e->tables->bending[g].weight * A * quadratic(m, b.k);
  }
  return U;
}

static void energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *out) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_plate_pack p = sn_plate_pack_at(e, i, range.last);
    sn_v3 x[SN_PLATE_SHAPES], v[SN_PLATE_SHAPES], Mv[SN_PLATE_SHAPES], R = sn_plate_zero();
    sn_vd T = sn_vd_all(0);
    sn_plate_gather(&p, ev->q, x);
    sn_plate_gather(&p, ev->v, v);
    sn_plate_mass_times(&p, v, Mv);
    for (int k = 0; k < SN_PLATE_SHAPES; k++) {
      T += 0.5 * sn_v3_dot(v[k], Mv[k]);
      sn_v3_axpy(&R, e->tables->mean[k], x[k]);
    }
    sn_vd V = -p.mass * (ev->gravity[0] * R.x + ev->gravity[1] * R.y + ev->gravity[2] * R.z);
    out->kinetic += sn_vd_sum(T, p.lanes);
    out->gravity += sn_vd_sum(V, p.lanes);
    out->strain += sn_vd_sum(strain_energy(&p, x), p.lanes);
  }
}

/* -alpha v'M v - beta int C e''P e' + D k''P k' dA, primes on e and k being rates */
static void damping_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *out) {
  const sn_plate_elements *e = batch->data;
  if (!e->damped) return;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_plate_pack p = sn_plate_pack_at(e, i, range.last);
    sn_v3 x[SN_PLATE_SHAPES], v[SN_PLATE_SHAPES], Mv[SN_PLATE_SHAPES], y[SN_PLATE_SLOTS], yd[SN_PLATE_SLOTS], Nd, gd[3];
    sn_vd rate[3], m[3], W = sn_vd_all(0), A = p.a * p.b * p.beta;
    sn_plate_gather(&p, ev->q, x);
    sn_plate_gather(&p, ev->v, v);
    sn_plate_mass_times(&p, v, Mv);
    for (int k = 0; k < SN_PLATE_SHAPES; k++) W -= p.alpha * sn_v3_dot(v[k], Mv[k]);
    for (int g = 0; g < SN_PLATE_MEMBRANE; g++) {
      sn_plate_slots_at(&p, &e->tables->membrane[g], 2, x, y);
      sn_plate_slots_at(&p, &e->tables->membrane[g], 2, v, yd);
      sn_plate_membrane_rate(y, yd, rate);
      sn_plate_stress(p.C, p.nu, rate, m);
      W -= e->tables->membrane[g].weight * A * quadratic(m, rate);
    }
    for (int g = 0; g < SN_PLATE_BENDING; g++) {
      sn_plate_slots_at(&p, &e->tables->bending[g], SN_PLATE_SLOTS, x, y);
      sn_plate_slots_at(&p, &e->tables->bending[g], SN_PLATE_SLOTS, v, yd);
      sn_plate_bend b = sn_plate_bend_at(y);
      sn_plate_bend_rate(&b, y, yd, &Nd, rate, gd);
      sn_plate_stress(p.D, p.nu, rate, m);
      W -= e->tables->bending[g].weight * A * quadratic(m, rate);
    }
    out->damping += sn_vd_sum(W, p.lanes);
  }
}

/* p = sum of the rows of r in M v; angular momentum = sum_k e_k x (M v)_k, as r = sum S_k e_k */
static void momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const sn_plate_elements *e = batch->data;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_plate_pack p = sn_plate_pack_at(e, i, range.last);
    sn_v3 x[SN_PLATE_SHAPES], v[SN_PLATE_SHAPES], Mv[SN_PLATE_SHAPES], P = sn_plate_zero(), L = sn_plate_zero();
    sn_plate_gather(&p, ev->q, x);
    sn_plate_gather(&p, ev->v, v);
    sn_plate_mass_times(&p, v, Mv);
    for (int k = 0; k < SN_PLATE_SHAPES; k++) {
      L = sn_v3_add(L, sn_v3_cross(x[k], Mv[k]));
      if (k % 3 == 0) P = sn_v3_add(P, Mv[k]);
    }
    out[0] += sn_vd_sum(P.x, p.lanes), out[1] += sn_vd_sum(P.y, p.lanes), out[2] += sn_vd_sum(P.z, p.lanes);
    out[3] += sn_vd_sum(L.x, p.lanes), out[4] += sn_vd_sum(L.y, p.lanes), out[5] += sn_vd_sum(L.z, p.lanes);
  }
}

static int groups_of(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const sn_plate_elements *e = batch->data;
  for (int n = 0; n < 4; n++) groups[n] = e->group[n][i];
  return 4;
}

static const sn_batch_ops table = {
    .name = "plate elements",
    .max_groups = 4,
    .groups = groups_of,
    .residual = residual,
    .tangent = tangent,
    .energy = energy,
    .power = damping_power,
    .momentum = momentum,
    .steady = sn_always_steady,
    .discrete = true,
};

const sn_batch_ops *sn_plate_batch(void) {
  return &table;
}
