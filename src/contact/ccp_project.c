/* ccp_project.c - what iterations do with the contacts of a block, several at once: steps of a projected gradient, the
 * sums that judge them, residuals. All numbers of a contact are in space.
 *
 * Vectors of contacts stand one after the other, four numbers each; sums and differences of them are taken as they lie.
 * Where the cone comes in, they are turned into lanes, a contact in each.
 */
#include <math.h>

#include "contact/ccp_problem.h"
#include "math/lanes_rows.h"

enum { WIDTH = 4 * SN_LANES }; /* numbers of as many contacts as there are lanes */

static_assert(SN_CCP_CHUNK % SN_GROUP == 0 && SN_GROUP % SN_LANES == 0, "groups of whole lanes");

void sn_cones_take(const sn_cone *cone, int count, sn_cones *cones) {
  const sn_cone none = {.t = 1, .a = 1};
  for (int i = 0; i < (count + SN_GROUP - 1) / SN_GROUP * SN_GROUP; i++) {
    const sn_cone *c = i < count ? &cone[i] : &none;
    sn_cones *to = &cones[i / SN_GROUP];
    const int k = i % SN_GROUP;
    const double ratio = c->t / c->a;
    for (int a = 0; a < 3; a++) to->n[a][k] = c->n[a];
    to->mu[k] = c->mu;
    to->s[k] = c->s;
    to->inverse_s[k] = c->inverse_s;
    to->t[k] = c->t;
    to->more[k] = c->a - c->t;
    to->inverse_t[k] = c->inverse_s == 0 ? 0 : 1 / c->t;
    to->ratio[k] = ratio;
    to->scaled_mu[k] = c->mu * sqrt(ratio);
    to->share[k] = 1 / (c->mu * c->mu * ratio + 1);
  }
}

/* ---- lanes ---- */

typedef long long mask __attribute__((vector_size(8 * SN_LANES)));

SN_INLINE sn_vd choose(mask where, sn_vd yes, sn_vd no) {
  return (sn_vd)((where & (mask)yes) | (~where & (mask)no));
}

SN_INLINE sn_v3 turn(const double from[WIDTH]) {
  const double *row[SN_LANES];
  sn_vd x[4];
  for (int k = 0; k < SN_LANES; k++) row[k] = from + 4 * k;
  sn_turn_rows(row, 0, x);
  return (sn_v3){x[0], x[1], x[2]};
}

SN_INLINE void turn_back(sn_v3 f, double to[WIDTH]) {
  double *row[SN_LANES];
  const sn_vd x[4] = {f.x, f.y, f.z, sn_vd_all(0)};
  for (int k = 0; k < SN_LANES; k++) row[k] = to + 4 * k;
  sn_turn_columns(x, row, 0);
}

SN_INLINE sn_v3 normals(const sn_cones *c, int i) {
  return (sn_v3){sn_vd_load(&c->n[0][i]), sn_vd_load(&c->n[1][i]), sn_vd_load(&c->n[2][i])};
}

/* The point of the cone |gt| <= m gn nearest to along n + across / k, where side = |across| (ccp_problem.h); share is
 * 1/(m^2 + 1). */
SN_INLINE sn_v3 cut(sn_vd m, sn_vd share, sn_v3 n, sn_vd along, sn_v3 across, sn_vd side) {
  const sn_vd edge = (m * side + along) * share, none = sn_vd_all(0), to = choose(edge > none, edge, none);
  const mask inside = (along >= none) & (side <= m * along);
  const sn_vd scale = m * to / (side + 1e-300), one = sn_vd_all(1);
  return sn_v3_add(sn_v3_scale(choose(inside, along, to), n), sn_v3_scale(choose(inside, one, scale), across));
}

/* P(f - step (dn/a n + dt/t)), the point of the cone nearest to it by the measure a gn^2 + t |gt|^2: with gt in units of
 * k = sqrt(t/a) that is the projection onto the cone of mu k. */
SN_INLINE sn_v3 project(const sn_cones *c, int i, double step, sn_v3 f, sn_v3 d) {
  const sn_v3 n = normals(c, i);
  const sn_vd h = step * sn_vd_load(c->inverse_t + i), ratio = sn_vd_load(c->ratio + i), rate = sn_v3_dot(n, d),
              at = sn_v3_dot(n, f);
  const sn_v3 f_t = sn_v3_sub(f, sn_v3_scale(at, n)), d_t = sn_v3_sub(d, sn_v3_scale(rate, n)),
              across = sn_v3_sub(f_t, sn_v3_scale(h, d_t));
  const sn_vd along = at - h * ratio * rate, side = sn_vd_sqrt(ratio * sn_v3_dot(across, across));
  return cut(sn_vd_load(c->scaled_mu + i), sn_vd_load(c->share + i), n, along, across, side);
}

/* ---- groups of contacts, the last one filled up with zeros ---- */

static void fill_up(const double *from, int lanes, double to[WIDTH]) {
  memset(to, 0, WIDTH * sizeof *to);
  memcpy(to, from, 4 * (size_t)lanes * sizeof *to);
}

SN_INLINE sn_vd part(const double *from, int j) {
  return sn_vd_load(from + j * SN_LANES);
}

SN_INLINE void put(double *to, int j, sn_vd x) {
  memcpy(to + j * SN_LANES, &x, sizeof x);
}

SN_INLINE void project_group(const sn_cones *c, int i, double step, double b, const double *at, const double *before,
                             const double *d, const double *d_before, double *to) {
  double f[WIDTH], rate[WIDTH];
  for (int j = 0; j < 4; j++) {
    put(f, j, part(at, j) + b * (part(at, j) - part(before, j)));
    put(rate, j, part(d, j) + b * (part(d, j) - part(d_before, j)));
  }
  turn_back(project(c, i, step, turn(f), turn(rate)), to);
}

void sn_ccp_project(const sn_cones *cones, int count, double step, double b, const double *at, const double *before,
                    const double *d, const double *d_before, double *to) {
  int i = 0;
  for (; i + SN_LANES <= count; i += SN_LANES) {
    const int k = 4 * i;
    project_group(cones + i / SN_GROUP, i % SN_GROUP, step, b, at + k, before + k, d + k, d_before + k, to + k);
  }
  if (i == count) return;
  double x[4][WIDTH], result[WIDTH];
  const double *from[4] = {at, before, d, d_before};
  for (int k = 0; k < 4; k++) fill_up(from[k] + 4 * i, count - i, x[k]);
  project_group(cones + i / SN_GROUP, i % SN_GROUP, step, b, x[0], x[1], x[2], x[3], result);
  memcpy(to + 4 * i, result, 4 * (size_t)(count - i) * sizeof *to);
}

/* ---- an iteration ---- */

typedef struct sums {
  sn_vd e_N_e, e_S_e, slope; /* number by number, or contact by contact */
} sums;

SN_INLINE void iterate_group(const sn_cones *c, int i, const sn_region *r, const double *d1, const sn_iterates *v,
                             sums *to) {
  double e[WIDTH], y[WIDTH], rate[WIDTH];
  for (int j = 0; j < 4; j++) {
    const sn_vd g1 = part(v->g1, j), g0 = part(v->g0, j), g = part(v->g, j), d0 = part(v->d0, j), d = part(v->d, j),
                D = part(d1, j), dy = d0 + r->blend * (d0 - d), error = g1 - (g0 + r->blend * (g0 - g));
    to->e_N_e += error * (D - dy);
    to->slope += dy * (g1 - g0);
    put(e, j, error);
    put(y, j, g1 + r->next * (g1 - g0));
    put(rate, j, D + r->next * (D - d0));
    put(v->d, j, D);
  }
  const sn_v3 error = turn(e);
  const sn_vd along = sn_v3_dot(normals(c, i), error);
  to->e_S_e += sn_vd_load(c->t + i) * sn_v3_dot(error, error) + sn_vd_load(c->more + i) * along * along;
  turn_back(project(c, i, r->step, turn(y), turn(rate)), v->g);
}

void sn_ccp_iterate(const sn_cones *cones, int count, const double *d1, const sn_iterates *v, sn_ccp_block *block) {
  sums all = {sn_vd_all(0), sn_vd_all(0), sn_vd_all(0)};
  int i = 0;
  for (; i + SN_LANES <= count; i += SN_LANES) {
    const int k = 4 * i;
    const sn_iterates at = {v->g1 + k, v->g0 + k, v->g + k, v->d0 + k, v->d + k};
    iterate_group(cones + i / SN_GROUP, i % SN_GROUP, block->region, d1 + k, &at, &all);
  }
  if (i < count) {
    double x[6][WIDTH];
    const double *from[6] = {v->g1, v->g0, v->g, v->d0, v->d, d1};
    const size_t bytes = 4 * (size_t)(count - i) * sizeof(double);
    for (int k = 0; k < 6; k++) fill_up(from[k] + 4 * i, count - i, x[k]);
    const sn_iterates at = {x[0], x[1], x[2], x[3], x[4]};
    iterate_group(cones + i / SN_GROUP, i % SN_GROUP, block->region, x[5], &at, &all);
    memcpy(v->g + 4 * i, x[2], bytes);
    memcpy(v->d + 4 * i, x[4], bytes);
  }
  block->e_N_e = sn_vd_sum(all.e_N_e, SN_LANES);
  block->e_S_e = sn_vd_sum(all.e_S_e, SN_LANES);
  block->slope = sn_vd_sum(all.slope, SN_LANES);
}

/* ---- residuals ---- */

/* s^2 |g - P(g - d/s)|^2 */
SN_INLINE sn_vd residual_of(const sn_cones *c, int i, sn_v3 g, sn_v3 d) {
  const sn_v3 n = normals(c, i), p = sn_v3_sub(g, sn_v3_scale(sn_vd_load(c->inverse_s + i), d));
  const sn_vd s = sn_vd_load(c->s + i), m = sn_vd_load(c->mu + i), along = sn_v3_dot(n, p);
  const sn_v3 across = sn_v3_sub(p, sn_v3_scale(along, n));
  const sn_vd side = sn_vd_sqrt(sn_v3_dot(across, across));
  const sn_v3 e = sn_v3_sub(cut(m, 1 / (m * m + sn_vd_all(1)), n, along, across, side), g);
  return s * s * sn_v3_dot(e, e);
}

/* Coulomb's law: d + (mu |d_t| - bias) n is the velocity. */
SN_INLINE void judge_group(const sn_cones *c, int i, const double *g, const double *d, const double *bias,
                           double *change, double *square) {
  sn_v3 u = turn(d);
  sn_vd r;
  if (bias) {
    const sn_v3 n = normals(c, i), across = sn_v3_sub(u, sn_v3_scale(sn_v3_dot(n, u), n));
    const sn_vd more = sn_vd_load(c->mu + i) * sn_vd_sqrt(sn_v3_dot(across, across)) - sn_vd_load(bias);
    u = sn_v3_add(u, sn_v3_scale(more, n));
    memcpy(change, &more, sizeof more);
  }
  r = residual_of(c, i, turn(g), u);
  memcpy(square, &r, sizeof r);
}

void sn_ccp_judge(const sn_cones *cones, int count, const double *g, const double *d, const double *bias,
                  double *change, double *square) {
  int i = 0;
  for (; i + SN_LANES <= count; i += SN_LANES)
    judge_group(cones + i / SN_GROUP, i % SN_GROUP, g + 4 * i, d + 4 * i, bias ? bias + i : NULL, change + i,
                square + i);
  if (i == count) return;
  double x[2][WIDTH], last[3][SN_LANES] = {{0}};
  const size_t bytes = (size_t)(count - i) * sizeof(double);
  fill_up(g + 4 * i, count - i, x[0]);
  fill_up(d + 4 * i, count - i, x[1]);
  if (bias) memcpy(last[0], bias + i, bytes);
  judge_group(cones + i / SN_GROUP, i % SN_GROUP, x[0], x[1], bias ? last[0] : NULL, last[1], last[2]);
  memcpy(change + i, last[1], bytes);
  memcpy(square + i, last[2], bytes);
}
