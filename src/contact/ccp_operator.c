/* ccp_operator.c - N = D' A^-1 D as an operator: its parts, edge by edge, and what is found before the iterations. Its
 * products: ccp_move.c. */
#include <string.h>

#include "contact/ccp_problem.h"
#include "math/eight.h"

void sn_ccp_run(const sn_ccp *c, bool shared, int chunks, sn_task task, void *user) {
  if (c->threads && shared) {
    sn_threads_run_pairs(c->threads, chunks, task, user);
  } else {
    for (int i = 0; i < chunks; i++) task(user, i);
  }
}

static int component_chunks(int components) {
  return (components + SN_COMPONENT_CHUNK - 1) / SN_COMPONENT_CHUNK;
}

/* ---- one edge of a large component ---- */

void sn_edge_add(const sn_ccp *c, int edge, const double g[3], const double f[3], double *x) {
  const sn_edge *e = &c->edge[edge];
  const double *row = c->rows + e->at;
  if (e->kind == SN_EDGE_WEIGHTS) {
    const int dim = e->carrier->dim;
    for (int k = 0; k < e->count; k++) {
      double *to = x + e->carrier->vector[k];
      for (int j = 0; j < dim; j++) to[j] += row[k] * f[j];
    }
    return;
  }
  const double *u = row + e->count, *w = u + e->count;
  for (int k = 0, at = 0; k < e->carrier->groups; k++) {
    double *to = x + c->matrix->first[e->carrier->group[k]];
    for (int j = 0; j < c->matrix->size[e->carrier->group[k]]; j++, at++)
      to[j] += row[at] * g[0] + u[at] * g[1] + w[at] * g[2];
  }
}

void sn_edge_gather(const sn_ccp *c, int edge, const double *x, double y[3]) {
  const sn_edge *e = &c->edge[edge];
  const double *row = c->rows + e->at;
  if (e->kind == SN_EDGE_WEIGHTS) {
    double v[3] = {0}, d[3];
    for (int k = 0; k < e->count; k++)
      for (int j = 0; j < e->carrier->dim; j++) v[j] += row[k] * x[e->carrier->vector[k] + j];
    sn_from_space(c->frame[edge / 2], v, d);
    for (int a = 0; a < 3; a++) y[a] += d[a];
    return;
  }
  const double *u = row + e->count, *w = u + e->count;
  for (int k = 0, at = 0; k < e->carrier->groups; k++) {
    const double *from = x + c->matrix->first[e->carrier->group[k]];
    for (int j = 0; j < c->matrix->size[e->carrier->group[k]]; j++, at++) {
      y[0] += row[at] * from[j];
      y[1] += u[at] * from[j];
      y[2] += w[at] * from[j];
    }
  }
}

/* ---- preparation ---- */

/* Do the four vectors of an edge lie two by two? */
static bool is_near(const sn_ccp *c, const sn_edge *e) {
  const int *number = c->numbers + e->at;
  return e->count == 4 && number[1] == number[0] + 4 && number[3] == number[2] + 4;
}

/* A^-1 between the vectors of linear carriers on an even component, a number times I3 each: contacts find it in one
 * place. */
static void find_inner(sn_ccp *c, int component) {
  for (int n = c->linear_start[component]; n < c->linear_start[component + 1]; n++) {
    const sn_edge e = {.carrier = &c->surfaces->carrier[c->linear[n]]};
    if (e.carrier->vectors > SN_INNER || e.carrier->dim != 3) continue;
    for (int k = 0; k < e.carrier->vectors; k++)
      for (int l = 0; l < e.carrier->vectors; l++) {
        int p = 0, q = 0, down, right;
        const int i = sn_edge_place(c, &e, k, &p), j = sn_edge_place(c, &e, l, &q);
        const double *Z = sn_component_inverse(&c->components, i, j, &down, &right);
        c->inner[c->linear[n]][SN_INNER * k + l] = Z ? Z[p * down + q * right] : 0;
      }
  }
}

static void prepare_components(void *user, int chunk) {
  sn_ccp *c = user;
  int last = (chunk + 1) * SN_COMPONENT_CHUNK < c->actives ? (chunk + 1) * SN_COMPONENT_CHUNK : c->actives;
  for (int k = chunk * SN_COMPONENT_CHUNK; k < last; k++) {
    int component = c->active[k];
    int small = c->small_of[component];
    if (small >= 0 && c->edge[c->link[c->start[component]].edge].kind == SN_EDGE_TWIST) {
      sn_component_congruent(&c->components, component, c->twist[small].T, c->small[small].W);
      continue;
    }
    if (c->inverted[component]) continue;
    sn_component_invert(&c->components, component);
    if (c->even[component]) find_inner(c, component);
    c->inverted[component] = true;
  }
}

/* Data of an edge for the iterations: its motion, and its place among the links. */
static void set_link(sn_ccp *c, int edge, int place) {
  const sn_edge *e = &c->edge[edge];
  sn_link *link = &c->link[place];
  double *lever = c->lever + 4 * (size_t)place, sign = edge & 1 ? -1 : 1;
  *link = (sn_link){edge, {-1, -1}};
  if (c->quick[edge] >= 0) {
    for (int k = 0; k < 3; k++) lever[k] = sign * c->arm[edge / 2][edge & 1][k];
    lever[3] = sign;
  }
  if (c->quick[edge] != SN_QUICK_EVEN || !is_near(c, e)) return;
  memcpy(lever, c->rows + e->at, 4 * sizeof *lever);
  link->near[0] = c->numbers[e->at];
  link->near[1] = c->numbers[e->at + 2];
}

/* Edges of an even component by the element they are on, and in the order of the contacts on each: in iterations its
 * vectors then stay in registers. */
static void link_even(sn_ccp *c, int component) {
  const int *edge = c->arrival + c->start[component], sides = c->sides[component];
  int at[SN_SHORT + 1] = {0};
  for (int k = 0; k < sides; k++) {
    const sn_edge *e = &c->edge[edge[k]];
    c->place[edge[k]] = is_near(c, e) ? 1 + c->numbers[e->at] / 4 : 0;
    at[c->place[edge[k]]]++;
  }
  for (int k = 0, sum = 0; k <= SN_SHORT; k++) { /* from numbers of edges to where they begin */
    const int count = at[k];
    at[k] = sum;
    sum += count;
  }
  for (int k = 0; k < sides; k++) {
    const int place = c->place[edge[k]] = at[c->place[edge[k]]]++;
    set_link(c, edge[k], c->start[component] + place);
  }
}

static void link_components(void *user, int chunk) {
  sn_ccp *c = user;
  const int last = (chunk + 1) * SN_COMPONENT_CHUNK < c->actives ? (chunk + 1) * SN_COMPONENT_CHUNK : c->actives;
  for (int k = chunk * SN_COMPONENT_CHUNK; k < last; k++) {
    const int component = c->active[k], *edge = c->arrival + c->start[component];
    if (c->even[component] && sn_component_even_vectors(&c->components, component) <= SN_SHORT) {
      link_even(c, component);
      continue;
    }
    for (int j = 0; j < c->sides[component]; j++) set_link(c, edge[j], c->start[component] + j);
  }
}

static void arrive_chunk(void *user, int chunk) {
  sn_ccp *c = user;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  for (int i = 2 * chunk * SN_CCP_CHUNK; i < 2 * last; i++) {
    const sn_edge *e = &c->edge[i];
    c->quick[i] = SN_QUICK_NONE;
    if (e->component < 0) {
      memset(c->speed + 4 * (size_t)i, 0, 4 * sizeof *c->speed);
      continue;
    }
    c->quick[i] = e->kind == SN_EDGE_TWIST ? e->small : c->even[e->component] ? SN_QUICK_EVEN : SN_QUICK_LARGE;
    c->arrival[c->start[e->component] + c->place[i]] = i;
  }
}

/* start, link: the edges of each component, in the order that iterations take them in. */
static void sort_edges(sn_ccp *c) {
  int at = 0;
  for (int k = 0; k < c->actives; k++) {
    c->start[c->active[k]] = at;
    at += c->sides[c->active[k]];
  }
  c->listed = at;
  for (int k = 0; k < SN_PREFETCH; k++) c->link[at + k].edge = 0; /* what is asked for ahead of the last ones */
  sn_ccp_run(c, true, (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK, arrive_chunk, c);
  sn_ccp_run(c, true, component_chunks(c->actives), link_components, c);
}

/* C += block of A^-1 between the point of an edge and itself, in space. Cross terms between two edges on one large
 * component are left out: s is a scale, not more. On a small component the columns of C are the velocities v + w x arm
 * of the point, (v, w) = W (e_k, arm x e_k). */
static void twist_block(const sn_small *p, const double arm[3], double C[3][3]) {
  sn_eight x = sn_eight_load(p->W[3]), y = sn_eight_load(p->W[4]), z = sn_eight_load(p->W[5]);
  sn_eight column[3] = {sn_eight_load(p->W[0]) + arm[2] * y - arm[1] * z,
                        sn_eight_load(p->W[1]) - arm[2] * x + arm[0] * z,
                        sn_eight_load(p->W[2]) + arm[1] * x - arm[0] * y};
  double motion[3][SN_TWIST], turn[3];
  memcpy(motion, column, sizeof motion);
  for (int k = 0; k < 3; k++) {
    sn_cross(turn, motion[k] + 3, arm);
    for (int j = 0; j < 3; j++) C[j][k] += motion[k][j] + turn[j];
  }
}

int sn_edge_place(const sn_ccp *c, const sn_edge *e, int k, int *at) {
  for (int g = 0; g < e->carrier->groups; g++) {
    *at = e->carrier->vector[k] - c->matrix->first[e->carrier->group[g]];
    if (*at >= 0 && *at < c->matrix->size[e->carrier->group[g]]) return e->carrier->group[g];
  }
  return e->carrier->group[0];
}

/* Of an even component: a multiple of I3. */
static void even_block(const sn_ccp *c, const sn_edge *e, double C[3][3]) {
  const double *w = c->rows + e->at;
  double sum = 0;
  if (e->count == SN_INNER) {
    const double *inner = c->inner[e->carrier - c->surfaces->carrier];
    double of[SN_INNER];
    for (int k = 0; k < SN_INNER; k++) of[k] = sn_four_sum(sn_four_load(w) * sn_four_load(inner + SN_INNER * k));
    sum = sn_four_sum(sn_four_load(w) * sn_four_load(of));
  } else if (e->count < SN_INNER) {
    const double *inner = c->inner[e->carrier - c->surfaces->carrier];
    for (int k = 0; k < e->count; k++)
      for (int l = 0; l < e->count; l++) sum += w[k] * w[l] * inner[SN_INNER * k + l];
  }
  for (int i = 0; e->count > SN_INNER && i < e->carrier->groups; i++)
    for (int j = 0; j <= i; j++) {
      int down, right, first_i = c->matrix->first[e->carrier->group[i]],
                       first_j = c->matrix->first[e->carrier->group[j]];
      int size_i = c->matrix->size[e->carrier->group[i]], size_j = c->matrix->size[e->carrier->group[j]];
      const double *Z = sn_component_inverse(&c->components, e->carrier->group[i], e->carrier->group[j], &down, &right);
      for (int k = 0; Z && k < e->count; k++) {
        int p = e->carrier->vector[k] - first_i;
        for (int l = 0; p >= 0 && p < size_i && l < e->count; l++) {
          int q = e->carrier->vector[l] - first_j;
          if (q >= 0 && q < size_j) sum += (i == j ? 1 : 2) * w[k] * w[l] * Z[p * down + q * right];
        }
      }
    }
  for (int k = 0; k < 3; k++) C[k][k] += sum;
}

static void weights_block(const sn_ccp *c, const sn_edge *e, double C[3][3]) {
  const double *w = c->rows + e->at;
  int group[SN_SIDE_WEIGHTS], at[SN_SIDE_WEIGHTS];
  for (int k = 0; k < e->count; k++) group[k] = sn_edge_place(c, e, k, &at[k]);
  for (int k = 0; k < e->count; k++)
    for (int l = 0; l < e->count; l++) {
      int down, right;
      const double *Z = sn_component_inverse(&c->components, group[k], group[l], &down, &right);
      if (!Z) continue;
      Z += at[k] * down + at[l] * right;
      for (int p = 0; p < e->carrier->dim; p++)
        for (int q = 0; q < e->carrier->dim; q++) C[p][q] += w[k] * w[l] * Z[p * down + q * right];
    }
}

/* N += D'Z D, with the rows as they are */
static void rows_block(const sn_ccp *c, const sn_edge *e, double N[9]) {
  for (int i = 0, row = 0; i < e->carrier->groups; row += c->matrix->size[e->carrier->group[i++]])
    for (int j = 0, column = 0; j < e->carrier->groups; column += c->matrix->size[e->carrier->group[j++]]) {
      int down, right;
      const double *Z = sn_component_inverse(&c->components, e->carrier->group[i], e->carrier->group[j], &down, &right),
                   *D = c->rows + e->at;
      if (!Z) continue;
      for (int b = 0; b < 3; b++)
        for (int p = 0; p < c->matrix->size[e->carrier->group[i]]; p++) {
          double x = 0;
          for (int q = 0; q < c->matrix->size[e->carrier->group[j]]; q++)
            x += Z[p * down + q * right] * D[b * e->count + column + q];
          for (int a = 0; a < 3; a++) N[3 * a + b] += D[a * e->count + row + p] * x;
        }
    }
}

/* The same along n for uncoupled coordinates: sum of squares over the diagonal of A. If joints fix the point, the
 * remainder is rounding. */
static double loose(const sn_ccp *c, int edge) {
  const sn_edge *e = &c->edge[edge];
  const double *n = c->frame[edge / 2], *row = c->rows + e->at;
  double sum = 0;
  for (int g = 0, at = 0; g < e->carrier->groups; g++) {
    int size = c->matrix->size[e->carrier->group[g]], first = c->matrix->first[e->carrier->group[g]];
    const double *A = c->matrix->value + c->matrix->lower[c->matrix->column[e->carrier->group[g]]];
    for (int j = 0; j < size; j++, at++) {
      double d = 0;
      if (e->kind == SN_EDGE_ROWS) d = row[at];
      if (e->kind == SN_EDGE_TWIST && j < 3) d = n[j];
      for (int k = 0; e->kind == SN_EDGE_WEIGHTS && k < e->count; k++)
        if (first + j >= e->carrier->vector[k] && first + j < e->carrier->vector[k] + e->carrier->dim)
          d = row[k] * n[first + j - e->carrier->vector[k]];
      sum += d * d / A[j * (size + 1)];
    }
  }
  return sum;
}

/* Nothing can hold the point: its component has no joints, only the normalization of a rigid body's parameters. */
static bool is_free(const sn_ccp *c, int edge) {
  int component = c->edge[edge].component;
  if (c->edge[edge].kind == SN_EDGE_TWIST && c->dof[component] == 6) return true;
  return component >= 0 &&
         c->components.coordinates[component] == c->components.last[component] - c->components.first[component];
}

/* Do only even components move it? Its block of N then is a multiple of I3. */
static bool is_even(const sn_ccp *c, int i) {
  for (int k = 2 * i; k < 2 * i + 2; k++)
    if (c->quick[k] != SN_QUICK_EVEN && c->quick[k] != SN_QUICK_NONE) return false;
  return true;
}

static void prepare_contact(sn_ccp *c, int i) {
  sn_cone *cone = &c->cone[i];
  double C[3][3] = {{0}}, N[9] = {0};
  for (int s = 0; s < 2; s++) {
    const sn_edge *e = &c->edge[2 * i + s];
    if (e->kind == SN_EDGE_TWIST) twist_block(&c->small[e->small], c->arm[i][s], C);
    if (c->quick[2 * i + s] == SN_QUICK_EVEN)
      even_block(c, e, C);
    else if (e->kind == SN_EDGE_WEIGHTS)
      weights_block(c, e, C);
    if (e->kind == SN_EDGE_ROWS) rows_block(c, e, N);
  }
  const bool even = is_even(c, i);
  if (even) N[0] = N[4] = N[8] = C[0][0];
  for (int b = 0; b < 3 && !even; b++) {
    double x[3], y[3];
    for (int p = 0; p < 3; p++) x[p] = sn_dot(C[p], c->frame[i] + 3 * b);
    sn_from_space(c->frame[i], x, y);
    for (int a = 0; a < 3; a++) N[3 * a + b] += y[a];
  }
  cone->s = cone->a = cone->t = sn_block_bound(N, cone->mu);
  cone->inverse_s = 1 / cone->s;
  const double across = sn_block_across(N);
  if (cone->mu > 0 && N[0] > 1e-3 * cone->s && across > 1e-3 * cone->s) cone->a = N[0], cone->t = across;
  if (is_free(c, 2 * i) || is_free(c, 2 * i + 1)) return;
  if (N[0] > 1e-8 * (loose(c, 2 * i) + loose(c, 2 * i + 1))) return;
  cone->s = cone->a = cone->t = 1; /* both sides are held: no impulse moves them, and none is looked for */
  cone->inverse_s = 0;
}

static void prepare_contacts(void *user, int chunk) {
  sn_ccp *c = user;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  for (int i = chunk * SN_CCP_CHUNK; i < last; i++) prepare_contact(c, i);
}

/* Is it faster to solve the island by all threads, and others like it after it, than each by a thread of its own? An
 * iteration needs some blocks for each thread, and part of its time is spent waiting. */
static bool is_shared(const sn_ccp *c, const sn_island *i, int threads) {
  const double most = fmin(threads, sn_island_blocks(i) / 4.0), gain = 0.7 * most;
  return threads > 1 && gain * (i->last - i->first) > c->count;
}

/* Where they end, and who solves them. */
static void close_islands(sn_ccp *c) {
  int threads = c->threads ? sn_threads_count(c->threads) : 1, blocks = 0, groups = 0;
  for (int k = 0; k < c->islands.count; k++) {
    sn_island *i = &c->island[k];
    i->last = k + 1 < c->islands.count ? i[1].first : c->count;
    i->component_last = k + 1 < c->islands.count ? i[1].component_first : c->actives;
    i->block = blocks;
    i->cones = groups;
    blocks += sn_island_blocks(i);
    groups += sn_island_groups(i);
    i->shared = is_shared(c, i, threads);
  }
  if (blocks > c->block_capacity) {
    c->block_capacity = 2 * blocks + 16;
    SN_RESIZE(c->block, c->block_capacity);
    SN_RESIZE(c->region, c->block_capacity);
  }
  if (groups > c->cones_capacity) { /* what was in them is not needed any more */
    c->cones_capacity = 2 * groups + 16;
    sn_free(c->cones);
    c->cones = sn_new_aligned((size_t)c->cones_capacity * sizeof *c->cones);
  }
  for (int k = 0; k < c->actives; k++) c->awake[k] = true;
}

void sn_ccp_prepare(sn_ccp *c) {
  c->prepared = true;
  sort_edges(c);
  close_islands(c);
  sn_ccp_run(c, true, component_chunks(c->actives), prepare_components, c);
  sn_ccp_run(c, true, (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK, prepare_contacts, c);
}
