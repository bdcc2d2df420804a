/* beam_element.c - elastic, inertia and damping forces of fully parameterized beam elements, several at a time.
 *
 *   r(x, y, z) = s1 r0 + s2 r0_x + s5 r1 + s6 r1_x + y ((1-s) r0_y + s r1_y) + z ((1-s) r0_z + s r1_z),  s = x/l
 *   s1 = 1-3s^2+2s^3   s2 = l(s-2s^2+s^3)   s5 = 3s^2-2s^3   s6 = l(s^3-s^2)      (order: node by node)
 *   M = int rho S'S dV, constant; gravity enters as M (ci a - g on r0 and r1): exact
 *
 * The elastic forces are in beam_volume.h and beam_line.h, what they share in beam_pack.h; here they become batches.
 */
#include "body/beam_element.h"

#include "body/beam_line.h"
#include "body/beam_volume.h"

/* ---- inertia ---- */

SN_INLINE void mass_times(const sn_beam_pack *p, int n, const sn_v3 x[], sn_v3 y[]) {
  int vectors = 2 * (n + 1), field = SN_BEAM_MASS;
  memset(y, 0, sizeof(sn_v3) * (size_t)vectors);
  for (int i = 0; i < vectors; i++)
    for (int j = 0; j <= i; j++) {
      sn_vd m = sn_beam_number(p, field++);
      y[i] = sn_v3_add(y[i], sn_v3_scale(m, x[j]));
      if (i != j) y[j] = sn_v3_add(y[j], sn_v3_scale(m, x[i]));
    }
}

/* ---- the elastic model of a batch ---- */

SN_INLINE int dimension(sn_beam_sort sort) {
  return sort == SN_BEAM_PLANE || sort == SN_BEAM_PLANE_CURVED ? 2 : 3;
}
SN_INLINE bool curved(sn_beam_sort sort) {
  return sort == SN_BEAM_CURVED || sort == SN_BEAM_PLANE_CURVED;
}

SN_INLINE void force(const sn_beam_pack *p, sn_beam_sort sort, bool axis, const sn_v3 x[], const sn_v3 *xd, sn_v3 F[]) {
  if (sort == SN_BEAM_LINE)
    sn_beam_line_force(p, x, xd, F);
  else
    sn_beam_volume_force(p, dimension(sort), curved(sort), axis, x, xd, F);
}

/* ---- functions of the batch ---- */

SN_INLINE void residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r, sn_beam_sort sort) {
  const sn_beam_elements *e = batch->data;
  int n = dimension(sort), vectors = 2 * (n + 1);
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_beam_pack p = sn_beam_pack_at(e, i, range.last);
    sn_v3 q[SN_BEAM_VECTORS], a[SN_BEAM_VECTORS], v[SN_BEAM_VECTORS], y[SN_BEAM_VECTORS];
    sn_v3 x[SN_PARTS], xd[SN_PARTS], F[SN_PARTS];
    memset(F, 0, sizeof F);
    sn_beam_gather(&p, n, ev->q, q);
    sn_beam_gather(&p, n, ev->a, a);
    for (int k = 0; k < vectors; k++) a[k] = sn_v3_scale(sn_vd_all(ev->ci), a[k]);
    sn_beam_parts(n, q, p.l, x);
    if (ev->q0) p.step = ev->h;
    if (e->damped || ev->q0) {
      sn_vd alpha = sn_beam_number(&p, SN_BEAM_ALPHA);
      sn_beam_gather(&p, n, ev->v, v);
      for (int k = 0; k < vectors; k++) a[k] = sn_v3_add(a[k], sn_v3_scale(alpha, v[k]));
      sn_beam_parts(n, v, p.l, xd);
      force(&p, sort, e->axis, x, xd, F);
    } else {
      force(&p, sort, e->axis, x, NULL, F);
    }
    for (int k = 0; k < vectors; k += n + 1) {
      a[k].x -= ev->gravity[0];
      a[k].y -= ev->gravity[1];
      a[k].z -= ev->gravity[2];
    }
    mass_times(&p, n, a, y);
    sn_beam_unparts(n, F, p.l, y);
    sn_beam_scatter(&p, n, y, r);
  }
}

/* Spread the tangent between parts over the coordinates, add mass, hand lane by lane to the matrix. */
SN_INLINE void add_tangent(const sn_batch *batch, int i, const sn_beam_pack *p, int n, sn_m33 T[SN_PARTS][SN_PARTS],
                           const sn_eval *ev, sn_matrix *matrix) {
  const sn_beam_elements *e = batch->data;
  int vectors = 2 * (n + 1), size = n * vectors;
  for (int k = 0; k < p->lanes; k++) {
    double K[9 * SN_BEAM_VECTORS * SN_BEAM_VECTORS], il = 1 / p->l[k];
    double m = ev->cm + ev->cd * p->value[SN_BEAM_ALPHA * p->capacity + k];
    for (int a = 0; a < vectors; a++)
      for (int b = 0; b < vectors; b++) {
        int na = a / (n + 1), nb = b / (n + 1), va = a % (n + 1), vb = b % (n + 1); /* node, vector of the node */
        int pa = va ? 2 * va - 1 + na : 0, pb = vb ? 2 * vb - 1 + nb : 0;           /* part */
        double sign = (va ? 1 : na ? il : -il) * (vb ? 1 : nb ? il : -il);
        int row = a > b ? a : b, column = a > b ? b : a;
        double mass = m * p->value[(SN_BEAM_MASS + row * (row + 1) / 2 + column) * p->capacity + k];
        for (int r = 0; r < n; r++)
          for (int c = 0; c < n; c++)
            K[n * a + r + size * (n * b + c)] = sign * T[pa][pb].m[r][c][k] + (r == c ? mass : 0);
      }
    int groups[2] = {e->group[i + k], e->group[i + k] + 1};
    sn_matrix_add(matrix, 2, groups, batch->slots + (size_t)batch->slot_stride * (size_t)(i + k), K, size);
  }
}

SN_INLINE void tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *matrix, sn_beam_sort sort) {
  const sn_beam_elements *e = batch->data;
  int n = dimension(sort);
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_beam_pack p = sn_beam_pack_at(e, i, range.last);
    sn_v3 q[SN_BEAM_VECTORS], v[SN_BEAM_VECTORS], x[SN_PARTS], xd[SN_PARTS];
    sn_m33 T[SN_PARTS][SN_PARTS];
    memset(T, 0, sizeof T);
    sn_beam_gather(&p, n, ev->q, q);
    sn_beam_parts(n, q, p.l, x);
    if (e->damped) {
      sn_beam_gather(&p, n, ev->v, v);
      sn_beam_parts(n, v, p.l, xd);
    }
    const sn_v3 *rates = e->damped ? xd : NULL;
    if (sort == SN_BEAM_LINE)
      sn_beam_line_tangent(&p, x, rates, ev->ck, ev->cd, T);
    else
      sn_beam_volume_tangent(&p, n, curved(sort), e->axis, x, rates, ev->ck, ev->cd, T);
    add_tangent(batch, i, &p, n, T, ev, matrix);
  }
}

SN_INLINE void energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *out, sn_beam_sort sort) {
  const sn_beam_elements *e = batch->data;
  int n = dimension(sort), vectors = 2 * (n + 1);
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_beam_pack p = sn_beam_pack_at(e, i, range.last);
    sn_v3 q[SN_BEAM_VECTORS], v[SN_BEAM_VECTORS], y[SN_BEAM_VECTORS], x[SN_PARTS];
    sn_vd T = sn_vd_all(0);
    sn_beam_gather(&p, n, ev->q, q);
    sn_beam_gather(&p, n, ev->v, v);
    mass_times(&p, n, v, y);
    for (int k = 0; k < vectors; k++) T += 0.5 * sn_v3_dot(v[k], y[k]);
    mass_times(&p, n, q, y); /* rows of r0 and r1: int rho r dV, as s1 + s5 = 1 */
    sn_v3 R = sn_v3_add(y[0], y[n + 1]);
    sn_vd V = -(ev->gravity[0] * R.x + ev->gravity[1] * R.y + ev->gravity[2] * R.z);
    sn_beam_parts(n, q, p.l, x);
    sn_vd U =
        sort == SN_BEAM_LINE ? sn_beam_line_energy(&p, x) : sn_beam_volume_energy(&p, n, curved(sort), e->axis, x);
    out->kinetic += sn_vd_sum(T, p.lanes);
    out->gravity += sn_vd_sum(V, p.lanes);
    out->strain += sn_vd_sum(U, p.lanes);
  }
}

/* Force with damping less force without. */
SN_INLINE void power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *out, sn_beam_sort sort) {
  const sn_beam_elements *e = batch->data;
  int n = dimension(sort), vectors = 2 * (n + 1);
  if (!e->damped) return;
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_beam_pack p = sn_beam_pack_at(e, i, range.last);
    sn_v3 q[SN_BEAM_VECTORS], v[SN_BEAM_VECTORS], y[SN_BEAM_VECTORS], x[SN_PARTS], xd[SN_PARTS];
    sn_v3 F[SN_PARTS], F0[SN_PARTS];
    memset(F, 0, sizeof F);
    memset(F0, 0, sizeof F0);
    sn_beam_gather(&p, n, ev->q, q);
    sn_beam_gather(&p, n, ev->v, v);
    mass_times(&p, n, v, y);
    sn_beam_parts(n, q, p.l, x);
    sn_beam_parts(n, v, p.l, xd);
    force(&p, sort, e->axis, x, xd, F);
    force(&p, sort, e->axis, x, NULL, F0);
    sn_vd W = sn_vd_all(0), alpha = sn_beam_number(&p, SN_BEAM_ALPHA);
    for (int k = 0; k < vectors; k++) W -= alpha * sn_v3_dot(y[k], v[k]);
    for (int k = 0; k < 2 * n + 1; k++) W -= sn_v3_dot(sn_v3_sub(F[k], F0[k]), xd[k]);
    out->damping += sn_vd_sum(W, p.lanes);
  }
}

/* p = rows of r0 and r1 of M v; angular momentum = sum_k e_k x (M v)_k, as r = sum s_k e_k */
SN_INLINE void momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6], sn_beam_sort sort) {
  const sn_beam_elements *e = batch->data;
  int n = dimension(sort), vectors = 2 * (n + 1);
  for (int i = range.first; i < range.last; i += SN_LANES) {
    sn_beam_pack p = sn_beam_pack_at(e, i, range.last);
    sn_v3 q[SN_BEAM_VECTORS], v[SN_BEAM_VECTORS], y[SN_BEAM_VECTORS], L;
    memset(&L, 0, sizeof L);
    sn_beam_gather(&p, n, ev->q, q);
    sn_beam_gather(&p, n, ev->v, v);
    mass_times(&p, n, v, y);
    for (int k = 0; k < vectors; k++) L = sn_v3_add(L, sn_v3_cross(q[k], y[k]));
    sn_v3 P = sn_v3_add(y[0], y[n + 1]);
    out[0] += sn_vd_sum(P.x, p.lanes), out[1] += sn_vd_sum(P.y, p.lanes), out[2] += sn_vd_sum(P.z, p.lanes);
    out[3] += sn_vd_sum(L.x, p.lanes), out[4] += sn_vd_sum(L.y, p.lanes), out[5] += sn_vd_sum(L.z, p.lanes);
  }
}

static int groups_of(const sn_batch *batch, int i, int *groups) {
  assert(i >= 0 && i < batch->count);
  const sn_beam_elements *e = batch->data;
  groups[0] = e->group[i];
  groups[1] = e->group[i] + 1;
  return 2;
}

/* The kernels above, instantiated for each sort. */
#define INSTANCE(name, sort)                                                                  \
  static void residual_##name(const sn_batch *b, sn_range r, const sn_eval *e, double *y) {   \
    residual(b, r, e, y, sort);                                                               \
  }                                                                                           \
  static void tangent_##name(const sn_batch *b, sn_range r, const sn_eval *e, sn_matrix *m) { \
    tangent(b, r, e, m, sort);                                                                \
  }                                                                                           \
  static void energy_##name(const sn_batch *b, sn_range r, const sn_eval *e, sn_energy *y) {  \
    energy(b, r, e, y, sort);                                                                 \
  }                                                                                           \
  static void power_##name(const sn_batch *b, sn_range r, const sn_eval *e, sn_power *y) {    \
    power(b, r, e, y, sort);                                                                  \
  }                                                                                           \
  static void momentum_##name(const sn_batch *b, sn_range r, const sn_eval *e, double *y) {   \
    momentum(b, r, e, y, sort);                                                               \
  }
INSTANCE(straight, SN_BEAM_STRAIGHT)
INSTANCE(curved, SN_BEAM_CURVED)
INSTANCE(line, SN_BEAM_LINE)
INSTANCE(plane, SN_BEAM_PLANE)
INSTANCE(plane_curved, SN_BEAM_PLANE_CURVED)

#define TABLE(variant)                                                                             \
  {                                                                                                \
    .name = "beam elements", .max_groups = 2, .groups = groups_of, .residual = residual_##variant, \
    .tangent = tangent_##variant, .energy = energy_##variant, .power = power_##variant,            \
    .momentum = momentum_##variant, .steady = sn_always_steady, .discrete = true,                  \
  }
static const sn_batch_ops tables[SN_BEAM_SORTS] = {
    [SN_BEAM_STRAIGHT] = TABLE(straight),
    [SN_BEAM_CURVED] = TABLE(curved),
    [SN_BEAM_LINE] = TABLE(line),
    [SN_BEAM_PLANE] = TABLE(plane),
    [SN_BEAM_PLANE_CURVED] = TABLE(plane_curved),
};

const sn_batch_ops *sn_beam_batch(sn_beam_sort sort) {
  return &tables[sort];
}
