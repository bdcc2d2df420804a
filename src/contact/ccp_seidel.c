/* ccp_seidel.c - projected Gauss-Seidel: contact by contact, g_i := P(g_i - d_i/s_i) with the current d.
 *
 * The motion of a small component takes each change at once. A change would move the whole of a large component, so
 * that N is formed there once in a step, dense over the edges of the component: columns A^-1 D of one edge at a time,
 * then the rows of all edges. That costs a solution with the component for each row and, with k edges, 9 k^2 numbers:
 * fine for some tens of contacts on each cable, not for thousands on one mechanism. s_i is then the bound of the exact
 * block.
 */
#include <stdio.h>
#include <string.h>

#include "contact/ccp_problem.h"

static bool is_large(const sn_ccp *c, int component) {
  return c->edge[c->link[c->start[component]].edge].kind != SN_EDGE_TWIST;
}

/* Block (p, q) of the dense N of a component: rows of edge p, columns of edge q. */
static double *block_of(const sn_ccp *c, int component, int p, int q) {
  return c->delassus + c->delassus_at[component] + 9 * ((size_t)p * (size_t)c->sides[component] + (size_t)q);
}

static void fill_component(void *user, int number) {
  sn_ccp *c = user;
  int component = c->active[number];
  const sn_link *link = c->link + c->start[component];
  for (int q = 0; is_large(c, component) && q < c->sides[component]; q++)
    for (int b = 0; b < 3; b++) {
      double g[3] = {b == 0, b == 1, b == 2};
      sn_component_zero(&c->components, component, c->x);
      sn_edge_add(c, link[q].edge, g, c->frame[link[q].edge / 2] + 3 * b, c->x);
      sn_component_solve(&c->components, component, c->x);
      for (int p = 0; p < c->sides[component]; p++) {
        double y[3] = {0}, *N = block_of(c, component, p, q);
        sn_edge_gather(c, link[p].edge, c->x, y);
        for (int a = 0; a < 3; a++) N[3 * a + b] = y[a];
      }
    }
}

/* Where both sides of a contact are on one large component, s has left out terms of the block: count it. */
static void exact_scales(sn_ccp *c) {
  for (int i = 0; i < c->count; i++) {
    int component = c->edge[2 * i].component;
    if (component < 0 || component != c->edge[2 * i + 1].component || c->cone[i].inverse_s == 0) continue;
    double N[9] = {0};
    for (int k = 0; k < 4; k++) {
      const double *block = block_of(c, component, c->place[2 * i + k / 2], c->place[2 * i + k % 2]);
      for (int a = 0; a < 9; a++) N[a] += block[a];
    }
    c->cone[i].s = sn_block_bound(N, c->cone[i].mu);
    c->cone[i].inverse_s = 1 / c->cone[i].s;
  }
}

static void form_dense(sn_ccp *c) {
  size_t values = 0;
  for (int k = 0; k < c->actives; k++) {
    int component = c->active[k];
    c->delassus_at[component] = values;
    if (is_large(c, component)) values += 9 * (size_t)c->sides[component] * (size_t)c->sides[component];
  }
  if (values > c->delassus_capacity) {
    sn_free(c->delassus);
    c->delassus = NULL; /* what was in it is not needed any more */
    SN_RESIZE(c->delassus, 2 * values);
    c->delassus_capacity = 2 * values;
  }
  sn_ccp_run(c, true, c->actives, fill_component, c);
  exact_scales(c);
}

/* y = N g of a contact, by the motions of small components and the dense N of large ones */
static void velocity_now(const sn_ccp *c, int i, const double *g, double y[3]) {
  const int *small = c->quick + 2 * i;
  double u[3] = {0};
  for (int s = 0; s < 2; s++)
    if (small[s] >= 0) sn_small_point(c->motion + SN_TWIST * small[s], c->arm[i][s], s ? -1 : 1, u);
  sn_from_space(c->frame[i], u, y);
  for (int s = 0; s < 2; s++) {
    if (small[s] >= SN_QUICK_NONE) continue;
    const sn_edge *e = &c->edge[2 * i + s];
    const sn_link *link = c->link + c->start[e->component];
    const double *N = block_of(c, e->component, c->place[2 * i + s], 0);
    for (int q = 0; q < c->sides[e->component]; q++, N += 9) {
      const double *x = g + 3 * (link[q].edge / 2);
      for (int a = 0; a < 3; a++) y[a] += N[3 * a] * x[0] + N[3 * a + 1] * x[1] + N[3 * a + 2] * x[2];
    }
  }
}

/* d = N g + r + s n at this moment */
static void rates_now(const sn_ccp *c, bool coulomb, int i, const double *g, double d[3]) {
  velocity_now(c, i, g, d);
  for (int a = 0; a < 3; a++) d[a] += c->r[3 * i + a];
  if (coulomb) d[0] += c->cone[i].mu * sqrt(d[1] * d[1] + d[2] * d[2]);
}

static void sweep(sn_ccp *c, bool coulomb, double *g) {
  for (int i = 0; i < c->count; i++) {
    double d[3], *gi = g + 3 * i, new[3], change[3], f[3], moment[3];
    rates_now(c, coulomb, i, g, d);
    for (int a = 0; a < 3; a++) new[a] = gi[a] - d[a] * c->cone[i].inverse_s;
    sn_cone_project(c->cone[i].mu, new);
    for (int a = 0; a < 3; a++) change[a] = new[a] - gi[a], gi[a] = new[a];
    if (change[0] == 0 && change[1] == 0 && change[2] == 0) continue;
    sn_to_space(c->frame[i], change, f);
    for (int s = 0; s < 2; s++) {
      int small = c->quick[2 * i + s];
      if (small < 0) continue;
      sn_cross(moment, c->arm[i][s], f);
      sn_small_push(&c->small[small], c->motion + SN_TWIST * small, s ? -1 : 1, f, moment);
    }
  }
}

static void judge(const sn_ccp *c, bool coulomb, const double *g, sn_ccp_result *result) {
  double largest = -1;
  for (int i = 0; i < c->count; i++) {
    double d[3];
    rates_now(c, coulomb, i, g, d);
    double residual = sn_cone_residual(&c->cone[i], g + 3 * i, d);
    if (residual > largest || isnan(residual)) largest = residual, result->worst = i;
  }
  result->residual = sqrt(largest);
}

/* The residual costs nearly as much as a sweep: it is looked at after 1, 2, 3, 5, 7, 10, 14, ... of them. */
static sn_ccp_result gauss_seidel(sn_ccp *c, const sn_ccp_settings *settings) {
  sn_ccp_result result = {.worst = -1};
  double *g = c->vector[0];
  int next = 1;
  bool coulomb = !settings->relaxed;
  form_dense(c);
  for (int i = 0; i < c->count; i++) {
    sn_to_space(c->frame[i], g + 3 * i, c->vector[1] + 4 * i);
    c->vector[1][4 * i + 3] = 0;
  }
  for (int k = 0; k < c->islands.count; k++) sn_ccp_move(c, &c->island[k], c->vector[1]);
  judge(c, coulomb, g, &result);
  for (int k = 1; k <= settings->iterations && !(result.residual <= settings->tolerance); k++) {
    sweep(c, coulomb, g);
    result.iterations = k;
    if (k < next && k < settings->iterations) continue;
    judge(c, coulomb, g, &result);
    next = k + 1 + k / 3;
  }
  result.converged = result.residual <= settings->tolerance;
  result.work = (long)result.iterations * c->count;
  return result;
}

const sn_ccp_solver_ops sn_ccp_gauss_seidel = {.name = "gauss-seidel", .solve = gauss_seidel};
