/* ccp_dense.c - islands as dense problems: forming N, the start, the result. Islands are solved one after the other, in
 * the same memory, which grows with the largest of them.
 */
#include "contact/ccp_dense.h"

#include <stdio.h>

/* ---- memory ---- */

void sn_dense_room(sn_dense *p, size_t numbers, size_t indices) {
  if (numbers > p->numbers) {
    p->numbers = numbers + numbers / 2;
    SN_RESIZE(p->number, p->numbers);
  }
  if (indices > p->indices) {
    p->indices = indices + indices / 2;
    SN_RESIZE(p->index, p->indices);
  }
}

static void reserve(sn_dense *p, int count) {
  if (p->contact && count <= p->capacity) return;
  p->capacity = count + count / 2;
  size_t size = 3 * (size_t)p->capacity;
  SN_RESIZE(p->contact, p->capacity);
  SN_RESIZE(p->mu, p->capacity);
  SN_RESIZE(p->root, p->capacity);
  SN_RESIZE(p->N, size * size);
  SN_RESIZE(p->r, size);
  SN_RESIZE(p->x, size);
  SN_RESIZE(p->y, size);
}

void sn_dense_free(sn_dense *p) {
  if (!p) return;
  sn_free(p->contact);
  sn_free(p->mu);
  sn_free(p->root);
  sn_free(p->N);
  sn_free(p->r);
  sn_free(p->x);
  sn_free(p->y);
  sn_free(p->number);
  sn_free(p->index);
  sn_free(p);
}

/* ---- the problem ---- */

/* Column by column: the velocities of all contacts under a unit impulse at one. N is symmetric but for rounding: the
 * mean of both halves is exactly so. */
static void form_N(sn_ccp *c, const sn_island *island, sn_dense *p) {
  size_t size = 3 * (size_t)p->count;
  double *f = c->vector[1];
  memset(f + 4 * (size_t)island->first, 0, 4 * (size_t)(island->last - island->first) * sizeof *f);
  for (size_t k = 0; k < size; k++) {
    const double *axis = c->frame[p->contact[k / 3]] + 3 * (k % 3);
    double *at = f + 4 * (size_t)p->contact[k / 3];
    for (int a = 0; a < 3; a++) at[a] = axis[a];
    sn_ccp_move(c, island, f);
    for (int a = 0; a < 3; a++) at[a] = 0;
    for (int i = 0; i < p->count; i++) {
      double u[4], d[3], scale = 1 / (p->root[i] * p->root[k / 3]);
      sn_four_store(u, sn_ccp_velocity(c, p->contact[i]));
      sn_from_space(c->frame[p->contact[i]], u, d);
      for (size_t a = 0; a < 3; a++) p->N[k * size + 3 * (size_t)i + a] = scale * d[a];
    }
  }
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < i; j++)
      p->N[i * size + j] = p->N[j * size + i] = (p->N[i * size + j] + p->N[j * size + i]) / 2;
}

/* Contacts that cannot move, or are far off, are left out: their impulses are 0. */
static void form(sn_ccp *c, const sn_island *island, sn_dense *p) {
  p->count = 0;
  for (int i = island->first; i < island->last; i++) {
    if (c->cone[i].inverse_s == 0 || c->r[3 * i] > 0.5 * SN_CCP_FAR) {
      memset(c->vector[0] + 3 * i, 0, 3 * sizeof(double));
      continue;
    }
    int k = p->count++;
    p->contact[k] = i;
    p->mu[k] = c->cone[i].mu;
    p->root[k] = sqrt(c->cone[i].s);
    for (int a = 0; a < 3; a++) {
      p->r[3 * k + a] = c->r[3 * i + a] / p->root[k];
      p->x[3 * k + a] = c->vector[0][3 * i + a] * p->root[k];
    }
  }
  form_N(c, island, p);
}

void sn_dense_add(size_t size, const double *N, const double *x, double *y) {
  for (size_t j = 0; j < size; j++) { /* column by column, as compilers do not reorder sums */
    const double *column = N + j * size;
    double f = x[j];
    if (f == 0) continue;
    for (size_t i = 0; i < size; i++) y[i] += f * column[i];
  }
}

void sn_dense_rates(sn_dense *p) {
  memcpy(p->y, p->r, 3 * (size_t)p->count * sizeof *p->y);
  sn_dense_add(3 * (size_t)p->count, p->N, p->x, p->y);
}

void sn_dense_judge(const sn_dense *p, const double *given, sn_ccp_result *result) {
  result->residual = 0;
  result->worst = 0;
  for (int i = 0; i < p->count; i++) {
    const double *x = p->x + 3 * i, *y = p->y + 3 * i;
    double s = given ? given[3 * i] : p->mu[i] * hypot(y[1], y[2]);
    double e[3] = {x[0] - y[0] - s, x[1] - y[1], x[2] - y[2]};
    sn_cone_project(p->mu[i], e);
    for (int a = 0; a < 3; a++) e[a] -= x[a];
    double residual = p->root[i] * sn_norm(e);
    if (residual > result->residual || isnan(residual)) result->residual = residual, result->worst = i;
  }
}

void sn_dense_step(sn_dense *p, const double *given) {
  for (int i = 0; i < p->count; i++) {
    double *x = p->x + 3 * i, *y = p->y + 3 * i;
    x[0] -= given ? given[3 * i] : p->mu[i] * hypot(y[1], y[2]);
    for (int k = 0; k < 3; k++) x[k] -= y[k];
    sn_cone_project(p->mu[i], x);
  }
  sn_dense_rates(p);
}

/* ---- all islands ---- */

static void solve_island(sn_ccp *c, const sn_ccp_settings *settings, int most, sn_dense_solver solver,
                         sn_island *island) {
  sn_dense *p = c->dense;
  sn_ccp_result *result = &island->result;
  *result = (sn_ccp_result){.worst = island->first};
  if (island->last - island->first > most) {
    result->residual = INFINITY;
    result->too_many = island->last - island->first;
    result->most = most;
    return;
  }
  reserve(p, island->last - island->first);
  form(c, island, p);
  if (p->count > 0) solver(p, settings, result);
  for (int k = 0; k < p->count; k++)
    for (int a = 0; a < 3; a++) c->vector[0][3 * p->contact[k] + a] = p->x[3 * k + a] / p->root[k];
  result->worst = p->count > 0 ? p->contact[result->worst] : island->first;
  result->converged = result->residual <= settings->tolerance;
  result->work = (long)result->iterations * p->count;
}

static void begin(sn_ccp *c) {
  if (c->dense) return;
  c->dense = sn_resized(NULL, 1, sizeof *c->dense);
  *c->dense = (sn_dense){0};
}

int sn_ccp_dense_rest(sn_ccp *c, const sn_ccp_settings *settings, int most, sn_dense_solver solver) {
  int again = 0;
  begin(c);
  for (int k = 0; k < c->actives; k++) c->awake[k] = true;
  for (int k = 0; k < c->islands.count; k++) {
    sn_island *island = &c->island[k];
    const sn_ccp_result before = island->result;
    const size_t at = 3 * (size_t)island->first, bytes = 3 * (size_t)(island->last - island->first) * sizeof(double);
    if (before.converged || island->last - island->first > most) continue;
    memcpy(c->vector[2] + at, c->vector[0] + at, bytes);
    solve_island(c, settings, most, solver, island);
    if (island->result.residual < before.residual) {
      island->result.iterations += before.iterations;
      island->result.work += before.work;
    } else {
      memcpy(c->vector[0] + at, c->vector[2] + at, bytes);
      island->result = before;
    }
    again++;
  }
  return again;
}

sn_ccp_result sn_ccp_dense(sn_ccp *c, const sn_ccp_settings *settings, int most, sn_dense_solver solver) {
  begin(c);
  for (int k = 0; k < c->islands.count; k++) solve_island(c, settings, most, solver, &c->island[k]);
  return sn_ccp_of_islands(c);
}
