/* ccp_operator.c - N = D' A^-1 D as an operator: forces of contacts, motion of components, velocities of contacts.
 *
 * Sums over the contacts of a component run in the order of the contacts, on one thread: the result does not depend on
 * the number of threads.
 */
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
    for (int k = 0; k < e->count; k++)
      for (int j = 0; j < e->carrier->dim; j++) x[e->carrier->vector[k] + j] += row[k] * f[j];
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
  if (c->quick[edge] != SN_QUICK_EVEN || e->count != 4) return;
  const int *number = c->numbers + e->at;
  if (number[1] != number[0] + 4 || number[3] != number[2] + 4) return;
  memcpy(lever, c->rows + e->at, 4 * sizeof *lever);
  link->near[0] = number[0];
  link->near[1] = number[2];
}

static void link_chunk(void *user, int chunk) {
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
    set_link(c, i, c->start[e->component] + c->place[i]);
  }
}

/* start, link: the edges of each component, in the order of the contacts. */
static void sort_edges(sn_ccp *c) {
  int at = 0;
  for (int k = 0; k < c->actives; k++) {
    c->start[c->active[k]] = at;
    at += c->sides[c->active[k]];
  }
  c->listed = at;
  sn_ccp_run(c, true, (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK, link_chunk, c);
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
  if (e->count <= SN_INNER) {
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
  if (even) memcpy(N, C, sizeof N);
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
  int threads = c->threads ? sn_threads_count(c->threads) : 1, blocks = 0;
  for (int k = 0; k < c->islands.count; k++) {
    sn_island *i = &c->island[k];
    i->last = k + 1 < c->islands.count ? i[1].first : c->count;
    i->component_last = k + 1 < c->islands.count ? i[1].component_first : c->actives;
    i->block = blocks;
    blocks += sn_island_blocks(i);
    i->shared = is_shared(c, i, threads);
  }
  if (blocks > c->block_capacity) {
    c->block_capacity = 2 * blocks + 16;
    SN_RESIZE(c->block, c->block_capacity);
    SN_RESIZE(c->region, c->block_capacity);
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

/* ---- N g ---- */

/* Component by component: forces of its edges, its motion, velocities of its edges, all while it is in the nearest
 * cache. */

typedef struct mover {
  const sn_ccp *c;
  const sn_island *island;
  const double *f;
} mover;

/* Asks for the force on an edge that comes soon. */
static inline void fetch(const sn_ccp *c, const double *forces, const sn_link *link) {
  if (link + SN_PREFETCH >= c->link + c->listed) return;
  int edge = link[SN_PREFETCH].edge;
  __builtin_prefetch(forces + 4 * (edge / 2));
  __builtin_prefetch(c->speed + 4 * edge, 1);
}

/* z = (sum s f, sum s arm x f), then s (c' + w x arm) */
static void move_small(const sn_ccp *c, const double *forces, int small, int first, int count) {
  double *motion = c->motion + SN_TWIST * small, z[8];
  const double *lever = c->lever + 4 * (size_t)first;
  sn_four force = {0}, moment = {0};
  for (int k = 0; k < count; k++) {
    sn_four f = sn_four_load(forces + 4 * (c->link[first + k].edge / 2)), arm = sn_four_load(lever + 4 * k);
    force += arm[3] * f;
    moment += sn_four_cross(arm, f);
  }
  sn_four_store(z, force);
  sn_four_store(z + 4, moment);
  memset(motion, 0, SN_TWIST * sizeof *motion);
  sn_small_push(&c->small[small], motion, 1, z, z + 4);
  sn_four shift = {motion[0], motion[1], motion[2], 0}, turn = {motion[3], motion[4], motion[5], 0};
  for (int k = 0; k < count; k++) {
    sn_four arm = sn_four_load(lever + 4 * k);
    sn_four_store(c->speed + 4 * c->link[first + k].edge, arm[3] * shift + sn_four_cross(turn, arm));
  }
}

static inline void even_add(const sn_ccp *c, const sn_link *link, const double *w, sn_four force, double *x) {
  if (link->near[0] >= 0) {
    double *a = x + link->near[0], *b = x + link->near[1];
    sn_four a0 = sn_four_load(a), a1 = sn_four_load(a + 4), b0 = sn_four_load(b), b1 = sn_four_load(b + 4);
    sn_four_store(a, a0 + w[0] * force);
    sn_four_store(a + 4, a1 + w[1] * force);
    sn_four_store(b, b0 + w[2] * force);
    sn_four_store(b + 4, b1 + w[3] * force);
    return;
  }
  const sn_edge *e = &c->edge[link->edge];
  for (int k = 0; k < e->count; k++) {
    double *to = x + c->numbers[e->at + (size_t)k];
    sn_four_store(to, sn_four_load(to) + c->rows[e->at + (size_t)k] * force);
  }
}

static inline sn_four even_gather(const sn_ccp *c, const sn_link *link, const double *w, const double *x) {
  if (link->near[0] >= 0) {
    const double *a = x + link->near[0], *b = x + link->near[1];
    return (w[0] * sn_four_load(a) + w[1] * sn_four_load(a + 4)) +
           (w[2] * sn_four_load(b) + w[3] * sn_four_load(b + 4));
  }
  const sn_edge *e = &c->edge[link->edge];
  sn_four sum = {0};
  for (int k = 0; k < e->count; k++)
    sum += c->rows[e->at + (size_t)k] * sn_four_load(x + c->numbers[e->at + (size_t)k]);
  return sum;
}

enum { SHORT = 128 }; /* vectors that find room on the stack */

static void move_even(const sn_ccp *c, const double *forces, int component, int first, int count) {
  int vectors = sn_component_even_vectors(&c->components, component);
  double here[4 * SHORT],
      *x = vectors <= SHORT ? here : c->x_even + 4 * c->components.even_first[c->components.first[component]];
  const double *lever = c->lever + 4 * (size_t)first;
  const sn_link *link = c->link + first;
  memset(x, 0, 4 * (size_t)vectors * sizeof *x);
  for (int k = 0; k < count; k++) {
    fetch(c, forces, link + k);
    even_add(c, link + k, lever + 4 * k, sn_four_load(forces + 4 * (link[k].edge / 2)), x);
  }
  sn_component_even_solve(&c->components, component, x);
  for (int k = 0; k < count; k++)
    sn_four_store(c->speed + 4 * link[k].edge, even_gather(c, link + k, lever + 4 * k, x));
}

static void move_large(const sn_ccp *c, const double *forces, int component, int first, int count) {
  sn_component_zero(&c->components, component, c->x);
  for (int k = 0; k < count; k++) {
    int edge = c->link[first + k].edge;
    const double *f = forces + 4 * (edge / 2);
    double g[3];
    if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
    sn_from_space(c->frame[edge / 2], f, g);
    sn_edge_add(c, edge, g, f, c->x);
  }
  sn_component_solve(&c->components, component, c->x);
  for (int k = 0; k < count; k++) {
    int edge = c->link[first + k].edge;
    double y[3] = {0}, *to = c->speed + 4 * edge;
    sn_edge_gather(c, edge, c->x, y);
    sn_to_space(c->frame[edge / 2], y, to);
    to[3] = 0;
  }
}

static void move_chunk(void *user, int chunk) {
  const mover *w = user;
  const sn_ccp *c = w->c;
  int first_component = w->island->component_first + chunk * SN_COMPONENT_CHUNK,
      last = first_component + SN_COMPONENT_CHUNK;
  if (last > w->island->component_last) last = w->island->component_last;
  for (int k = first_component; k < last; k++) {
    if (!c->awake[k]) continue;
    int component = c->active[k], first = c->start[component], count = c->sides[component],
        quick = c->quick[c->link[first].edge];
    if (k + 1 < c->actives) sn_component_even_fetch(&c->components, c->active[k + 1]);
    if (quick >= 0)
      move_small(c, w->f, quick, first, count);
    else if (quick == SN_QUICK_EVEN)
      move_even(c, w->f, component, first, count);
    else
      move_large(c, w->f, component, first, count);
  }
}

void sn_ccp_move(sn_ccp *c, const sn_island *island, const double *f) {
  mover w = {c, island, f};
  sn_ccp_run(c, island->shared, sn_component_chunks(island), move_chunk, &w);
}
