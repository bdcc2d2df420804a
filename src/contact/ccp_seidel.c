/* ccp_seidel.c - projected Gauss-Seidel: contact after contact, g_i := P(g_i - d_i/b_i) with the d of this moment.
 *
 * b_i bounds the contact's own block of N. On small parts the running sums z = B'g give d and take the change. On large
 * parts a change would move the whole part, so that N is formed there once in a step, dense over the sides that touch
 * the part: columns A^-1 D of one side at a time, then the rows of all sides. That costs a solution with the part for
 * each row and, with k sides, 9 k^2 numbers: fine for some tens of contacts on each cable, not for thousands on one
 * mechanism.
 */
#include <stdlib.h>
#include <string.h>

#include "contact/ccp_problem.h"

/* N_c[p][q]: rows of side p of the part, columns of side q. */
static void fill_part(sn_ccp *c, int part) {
  const int *list = c->list + c->start[part];
  int k = c->start[part + 1] - c->start[part];
  double *N = c->delassus + c->delassus_at[part];
  for (int q = 0; q < k; q++)
    for (int b = 0; b < 3; b++) {
      double g[3] = {b == 0, b == 1, b == 2};
      sn_part_zero(&c->parts, part, c->x);
      sn_edge_add(c, list[q], g, c->x);
      sn_part_solve(&c->parts, part, c->x);
      for (int p = 0; p < k; p++) {
        double y[3] = {0};
        sn_edge_gather(c, list[p], c->x, y);
        for (int a = 0; a < 3; a++) N[((size_t)p * (size_t)k + (size_t)q) * 9 + (size_t)(3 * a + b)] = y[a];
      }
    }
}

static void fill_chunk(void *user, int chunk) {
  sn_ccp *c = user;
  if (c->small[c->active[chunk]] < 0) fill_part(c, c->active[chunk]);
}

static void own_blocks(sn_ccp *c) {
  for (int i = 0; i < c->count; i++) {
    double N[9] = {0};
    const sn_edge *side = c->side + 2 * i;
    for (int p = 0; p < 2; p++) {
      int part = side[p].part, e = 2 * i + p;
      if (part < 0) continue;
      if (c->small[part] >= 0) {
        const double *B = c->B + (size_t)e * 3 * SN_SMALL;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            for (int k = 0; k < SN_SMALL; k++) N[3 * a + b] += B[a * SN_SMALL + k] * B[b * SN_SMALL + k];
        continue;
      }
      size_t k = (size_t)(c->start[part + 1] - c->start[part]);
      for (int q = 0; q < 2; q++) {
        if (side[q].part != part) continue;
        const double *block =
            c->delassus + c->delassus_at[part] + ((size_t)c->place[e] * k + (size_t)c->place[2 * i + q]) * 9;
        for (int a = 0; a < 9; a++) N[a] += block[a];
      }
    }
    c->bound[i] = sn_block_bound(N, c->mu[i]);
  }
}

void sn_ccp_delassus(sn_ccp *c) {
  size_t values = 0;
  for (int k = 0; k < c->actives; k++) {
    int part = c->active[k];
    size_t sides = (size_t)(c->start[part + 1] - c->start[part]);
    c->delassus_at[part] = values;
    for (int e = c->start[part]; e < c->start[part + 1]; e++) c->place[c->list[e]] = e - c->start[part];
    if (c->small[part] < 0) values += 9 * sides * sides;
  }
  if (values > c->delassus_capacity) {
    free(c->delassus);
    c->delassus = calloc(2 * values, sizeof *c->delassus);
    if (!c->delassus) abort();
    c->delassus_capacity = 2 * values;
  }
  sn_ccp_chunks(c, c->actives, fill_chunk, c);
  own_blocks(c);
}

/* y += N_c g over the sides of a large part */
static void part_rows(const sn_ccp *c, int e, const double *g, double y[3]) {
  int part = c->side[e].part, k = c->start[part + 1] - c->start[part];
  const int *list = c->list + c->start[part];
  const double *N = c->delassus + c->delassus_at[part] + (size_t)c->place[e] * (size_t)k * 9;
  for (int q = 0; q < k; q++, N += 9) {
    const double *x = g + 3 * (list[q] / 2);
    for (int a = 0; a < 3; a++) y[a] += N[3 * a] * x[0] + N[3 * a + 1] * x[1] + N[3 * a + 2] * x[2];
  }
}

/* d of contact i without r */
static void rows_now(const sn_ccp *c, int i, const double *g, double y[3]) {
  double p[3][SN_SMALL] = {{0}};
  y[0] = y[1] = y[2] = 0;
  for (int e = 2 * i; e < 2 * i + 2; e++) {
    int part = c->side[e].part;
    if (part < 0) continue;
    if (c->small[part] >= 0)
      sn_small_rows(c->B + (size_t)e * 3 * SN_SMALL, c->z + (size_t)c->small[part] * SN_SMALL, p);
    else
      part_rows(c, e, g, y);
  }
  sn_small_sum(p, y);
}

static void sweep(sn_ccp *c, double *g) {
  for (int i = 0; i < c->count; i++) {
    double d[3], *gi = g + 3 * i, new[3], change[3], b = c->bound[i];
    rows_now(c, i, g, d);
    for (int a = 0; a < 3; a++) new[a] = gi[a] - (d[a] + c->r[3 * i + a]) / b;
    sn_cone_project(c->mu[i], new);
    for (int a = 0; a < 3; a++) change[a] = new[a] - gi[a], gi[a] = new[a];
    for (int e = 2 * i; e < 2 * i + 2; e++) {
      int part = c->side[e].part;
      if (part >= 0 && c->small[part] >= 0)
        sn_small_add(c->B + (size_t)e * 3 * SN_SMALL, change, c->z + (size_t)c->small[part] * SN_SMALL);
    }
  }
}

static void measure(const sn_ccp *c, const double *g, sn_ccp_result *result) {
  double largest = -1;
  for (int i = 0; i < c->count; i++) {
    double d[3];
    rows_now(c, i, g, d);
    for (int a = 0; a < 3; a++) d[a] += c->r[3 * i + a];
    double residual = sn_cone_residual(c->mu[i], c->s[i], g + 3 * i, d);
    if (residual > largest || !(residual <= INFINITY)) largest = residual, result->worst = i;
  }
  result->residual = sqrt(largest);
}

/* The residual costs as much as a sweep: it is looked at after 1, 2, 4, 6, 9, 13, ... of them. */
sn_ccp_result sn_ccp_gauss_seidel(sn_ccp *c, const sn_ccp_settings *settings) {
  sn_ccp_result result = {.worst = -1};
  double *g = c->vector[0];
  int next = 1;
  sn_ccp_delassus(c);
  sn_ccp_spread(c, g);
  measure(c, g, &result);
  for (int k = 1; k <= settings->iterations && !(result.residual <= settings->tolerance); k++) {
    sweep(c, g);
    result.iterations = k;
    if (k < next && k < settings->iterations) continue;
    measure(c, g, &result);
    next = k + 1 + k / 3;
  }
  result.converged = result.residual <= settings->tolerance;
  return result;
}
