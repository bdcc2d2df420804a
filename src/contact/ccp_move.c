/* ccp_move.c - products N f: forces of contacts, motion of components, velocities of contacts.
 *
 * Component by component: forces of its edges, its motion, velocities of its edges, all while it is in the nearest
 * cache. Sums over the contacts of a component run in the order of its links, on one thread: the result does not depend
 * on the number of threads.
 */
#include <string.h>

#include "contact/ccp_problem.h"

typedef struct mover {
  const sn_ccp *c;
  const sn_island *island;
  const double *f;
} mover;

/* Where the vector of an edge's contact begins, and that of the edge. */
static inline size_t at_contact(const sn_link *link) {
  return (size_t)((unsigned)link->edge >> 1) << 2;
}
static inline size_t at_edge(const sn_link *link) {
  return (size_t)(unsigned)link->edge << 2;
}

/* Asks for the force on an edge that comes soon. */
static inline void fetch(const double *forces, const double *speed, const sn_link *link) {
  __builtin_prefetch(forces + at_contact(link + SN_PREFETCH));
  __builtin_prefetch(speed + at_edge(link + SN_PREFETCH), 1);
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

static int same_element(const sn_link *link, int k, int count) {
  const int *near = link[k].near;
  do k++;
  while (k < count && link[k].near[0] == near[0] && link[k].near[1] == near[1]);
  return k;
}

static void push_vectors(const sn_ccp *c, const sn_link *link, const double *force, double *x) {
  const sn_edge *e = &c->edge[link->edge];
  const sn_four f = sn_four_load(force + at_contact(link));
  for (int k = 0; k < e->count; k++) {
    double *to = x + c->numbers[e->at + (size_t)k];
    sn_four_store(to, sn_four_load(to) + c->rows[e->at + (size_t)k] * f);
  }
}

static sn_four gather_vectors(const sn_ccp *c, const sn_link *link, const double *x) {
  const sn_edge *e = &c->edge[link->edge];
  sn_four sum = {0};
  for (int k = 0; k < e->count; k++)
    sum += c->rows[e->at + (size_t)k] * sn_four_load(x + c->numbers[e->at + (size_t)k]);
  return sum;
}

/* x += D f, element by element */
static void push_even(const sn_ccp *c, const double *forces, const sn_link *link, const double *lever, int count,
                      double *x) {
  for (int k = 0, last; k < count; k = last) {
    const int *near = link[k].near;
    last = same_element(link, k, count);
    for (int j = k; near[0] < 0 && j < last; j++) push_vectors(c, link + j, forces, x);
    if (near[0] < 0) continue;
    sn_four a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
    for (int j = k; j < last; j++) {
      const sn_four f = sn_four_load(forces + at_contact(link + j));
      const double *w = lever + 4 * j;
      fetch(forces, c->speed, link + j);
      a0 += w[0] * f, a1 += w[1] * f, b0 += w[2] * f, b1 += w[3] * f;
    }
    double *a = x + near[0], *b = x + near[1];
    sn_four_store(a, sn_four_load(a) + a0);
    sn_four_store(a + 4, sn_four_load(a + 4) + a1);
    sn_four_store(b, sn_four_load(b) + b0);
    sn_four_store(b + 4, sn_four_load(b + 4) + b1);
  }
}

/* y = D'x in the same way */
static void gather_even(const sn_ccp *c, const sn_link *link, const double *lever, int count, const double *x) {
  for (int k = 0, last; k < count; k = last) {
    const int *near = link[k].near;
    last = same_element(link, k, count);
    for (int j = k; near[0] < 0 && j < last; j++)
      sn_four_store(c->speed + at_edge(link + j), gather_vectors(c, link + j, x));
    if (near[0] < 0) continue;
    const double *a = x + near[0], *b = x + near[1];
    const sn_four a0 = sn_four_load(a), a1 = sn_four_load(a + 4), b0 = sn_four_load(b), b1 = sn_four_load(b + 4);
    for (int j = k; j < last; j++) {
      const double *w = lever + 4 * j;
      sn_four_store(c->speed + at_edge(link + j), (w[0] * a0 + w[1] * a1) + (w[2] * b0 + w[3] * b1));
    }
  }
}

/* The components `active` from k on, one or two of them: number by number the same. */
static void move_even(const sn_ccp *c, const double *forces, int k, int components) {
  double here[2][4 * SN_SHORT], *x[2];
  const int *component = c->active + k;
  for (int i = 0; i < components; i++) {
    const int vectors = sn_component_even_vectors(&c->components, component[i]), first = c->start[component[i]];
    x[i] = vectors <= SN_SHORT ? here[i] : c->x_even + 4 * c->components.even_first[c->components.first[component[i]]];
    memset(x[i], 0, 4 * (size_t)vectors * sizeof(double));
    push_even(c, forces, c->link + first, c->lever + 4 * (size_t)first, c->sides[component[i]], x[i]);
  }
  if (components == 2)
    sn_component_even_solve_two(&c->components, component, x);
  else
    sn_component_even_solve(&c->components, component[0], x[0]);
  for (int i = 0; i < components; i++) {
    const int first = c->start[component[i]];
    gather_even(c, c->link + first, c->lever + 4 * (size_t)first, c->sides[component[i]], x[i]);
  }
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

/* How the k-th touched component moves; SN_QUICK_NONE: it rests, or is behind the last one. */
static int quick_of(const sn_ccp *c, int k, int last) {
  return k < last && c->awake[k] ? c->quick[c->link[c->start[c->active[k]]].edge] : SN_QUICK_NONE;
}

static void move_chunk(void *user, int chunk) {
  const mover *w = user;
  const sn_ccp *c = w->c;
  int first_component = w->island->component_first + chunk * SN_COMPONENT_CHUNK,
      last = first_component + SN_COMPONENT_CHUNK;
  if (last > w->island->component_last) last = w->island->component_last;
  for (int k = first_component; k < last; k++) {
    const int component = c->active[k], first = c->start[component], count = c->sides[component],
              quick = quick_of(c, k, last);
    if (quick == SN_QUICK_EVEN) {
      const int both = quick_of(c, k + 1, last) == SN_QUICK_EVEN;
      for (int i = 1; i <= 1 + both && k + both + i < c->actives; i++)
        sn_component_even_fetch(&c->components, c->active[k + both + i]);
      move_even(c, w->f, k, 1 + both);
      k += both;
    } else if (quick >= 0) {
      move_small(c, w->f, quick, first, count);
    } else if (quick == SN_QUICK_LARGE) {
      move_large(c, w->f, component, first, count);
    }
  }
}

void sn_ccp_move(sn_ccp *c, const sn_island *island, const double *f) {
  mover w = {c, island, f};
  sn_ccp_run(c, island->shared, sn_component_chunks(island), move_chunk, &w);
}
