/* ccp.c - the complementarity problem: memory, velocities and forces of contacts, the start from the last solution. */
#include "contact/ccp.h"

#include <string.h>

#include "contact/ccp_problem.h"
#include "math/eight.h"

/* ---- memory: grows while contacts become more, and never again ---- */

/* Aligned, and what was in it is not needed any more. */
static double *aligned(double *old, size_t count) {
  sn_free(old);
  return sn_new_aligned(count * sizeof(double));
}

void sn_ccp_room(sn_ccp *c, int count) {
  assert(count >= 0);
  if (count <= c->capacity) return;
  c->capacity = 2 * count + 64;
  SN_RESIZE(c->contact, c->capacity);
  SN_RESIZE(c->of_list, c->capacity);
  SN_RESIZE(c->component, 2 * c->capacity);
  SN_RESIZE(c->need, 2 * c->capacity);
  SN_RESIZE(c->key, c->capacity);
  SN_RESIZE(c->cone, c->capacity);
  SN_RESIZE(c->edge, 2 * c->capacity);
  SN_RESIZE(c->quick, 2 * c->capacity);
  SN_RESIZE(c->arrival, 2 * c->capacity);
  SN_RESIZE(c->link, 2 * c->capacity + SN_PREFETCH);
  SN_RESIZE(c->place, 2 * c->capacity);
  SN_RESIZE(c->arm, c->capacity);
  SN_RESIZE(c->frame, c->capacity);
  SN_RESIZE(c->past, c->capacity);
  for (size_t k = 0; k < SN_COUNT(c->vector); k++) c->vector[k] = aligned(c->vector[k], 4 * (size_t)c->capacity);
  c->bias = aligned(c->bias, (size_t)c->capacity);
  c->lever = aligned(c->lever, 8 * (size_t)c->capacity);
  c->speed = aligned(c->speed, 8 * (size_t)c->capacity);
}

static void free_component_arrays(sn_ccp *c) {
  sn_free(c->inverted);
  sn_free(c->even);
  sn_free(c->dof);
  sn_free(c->small_of);
  sn_free(c->small);
  sn_free(c->twist);
  sn_free(c->motion);
  sn_free(c->sides);
  sn_free(c->start);
  sn_free(c->active);
  sn_free(c->awake);
  sn_free(c->delassus_at);
  sn_free(c->L);
  sn_free(c->linear_start);
  sn_free(c->linear);
}

/* Linear carriers component by component. */
static void list_carriers(sn_ccp *c) {
  const sn_surfaces *s = c->surfaces;
  int at = 0;
  c->linear_start = sn_new((size_t)c->components.count + 2, sizeof *c->linear_start);
  c->linear = sn_new((size_t)s->carriers + 1, sizeof *c->linear);
  int *start = c->linear_start + 1; /* number of component k, its start, at last its end: the start of the next */
  for (int k = 0; k < s->carriers; k++)
    if (s->carrier[k].type == SN_CARRIER_LINEAR) start[c->components.of_group[s->carrier[k].group[0]]]++;
  for (int k = 0; k < c->components.count; k++) {
    const int size = start[k];
    start[k] = at;
    at += size;
  }
  for (int k = 0; k < s->carriers; k++)
    if (s->carrier[k].type == SN_CARRIER_LINEAR) c->linear[start[c->components.of_group[s->carrier[k].group[0]]]++] = k;
}

static void find_places(sn_ccp *c) {
  for (int n = 0; n < c->linear_start[c->components.count]; n++) {
    const int number = c->linear[n];
    const sn_edge e = {.carrier = &c->surfaces->carrier[number]};
    for (int k = 0; k < e.carrier->vectors && k < SN_INNER; k++) {
      int at, group = sn_edge_place(c, &e, k, &at);
      c->inner_place[number][k] = at % 3 == 0 ? sn_component_even_place(&c->components, group, at) : -1;
    }
  }
}

static void make_component_arrays(sn_ccp *c) {
  const sn_components *p = &c->components;
  size_t components = (size_t)p->count + 1;
  int smalls = 0;
  c->inverted = NULL, c->even = NULL, c->small_of = NULL, c->start = NULL, c->active = NULL, c->delassus_at = NULL,
  c->sides = NULL, c->dof = NULL, c->twist = NULL, c->L = NULL, c->awake = NULL;
  SN_RESIZE(c->inverted, components);
  SN_RESIZE(c->even, components);
  SN_RESIZE(c->dof, components);
  SN_RESIZE(c->small_of, components);
  SN_RESIZE(c->sides, components);
  SN_RESIZE(c->start, components + 1);
  SN_RESIZE(c->active, components);
  SN_RESIZE(c->awake, components);
  SN_RESIZE(c->delassus_at, components);
  SN_RESIZE(c->L, components);
  for (size_t k = 0; k < components; k++) c->L[k] = 1;
  memset(c->sides, 0, components * sizeof *c->sides);
  memset(c->dof, 0, components * sizeof *c->dof);
  for (int g = 0; g < c->matrix->groups; g++)
    c->dof[p->of_group[g]] += c->matrix->constraint[g] ? -c->matrix->size[g] : c->matrix->size[g];
  for (int k = 0; k < p->count; k++) c->small_of[k] = sn_component_is_small(p, k) ? smalls++ : -1;
  c->small = (sn_small *)(void *)aligned(NULL, (size_t)(smalls + 1) * sizeof(sn_small) / sizeof(double) + 1);
  c->motion = aligned(NULL, SN_TWIST * ((size_t)smalls + 1));
  SN_RESIZE(c->twist, smalls + 1);
  for (int k = 0; k < smalls; k++) c->twist[k].group = -1;
  c->actives = 0;
  list_carriers(c);
  find_places(c);
}

sn_ccp *sn_ccp_create(const sn_surfaces *surfaces, const sn_matrix *matrix, const void *solver, sn_threads *threads) {
  size_t carriers = (size_t)surfaces->carriers + 1;
  sn_ccp *c = sn_resized(NULL, 1, sizeof *c);
  *c = (sn_ccp){.surfaces = surfaces, .matrix = matrix, .solver = solver, .threads = threads};
  c->carrier_twist = sn_new(SN_TWIST_COLUMNS * SN_TWIST * carriers, sizeof *c->carrier_twist);
  c->twisted = sn_new(carriers, sizeof *c->twisted);
  c->inner = sn_new(carriers, sizeof *c->inner);
  c->inner_place = sn_new(carriers, sizeof *c->inner_place);
  sn_components_create(&c->components, solver);
  make_component_arrays(c);
  c->x = aligned(NULL, (size_t)matrix->rows + 1);
  c->x_even = aligned(NULL, 4 * ((size_t)matrix->rows / 3 + 1));
  sn_ccp_refactored(c);
  return c;
}

void sn_ccp_free(sn_ccp *c) {
  if (!c) return;
  free_component_arrays(c);
  sn_free(c->x);
  sn_free(c->x_even);
  sn_free(c->carrier_twist);
  sn_free(c->twisted);
  sn_free(c->inner);
  sn_free(c->inner_place);
  sn_free(c->contact);
  sn_free(c->of_list);
  sn_free(c->component);
  sn_free(c->need);
  sn_free(c->key);
  sn_free(c->cone);
  sn_free(c->edge);
  sn_free(c->quick);
  sn_free(c->numbers);
  sn_free(c->arrival);
  sn_free(c->link);
  sn_free(c->lever);
  sn_free(c->speed);
  sn_free(c->place);
  sn_free(c->arm);
  sn_free(c->frame);
  sn_free(c->past);
  for (size_t k = 0; k < SN_COUNT(c->vector); k++) sn_free(c->vector[k]);
  sn_free(c->bias);
  sn_free(c->block);
  sn_free(c->region);
  sn_free(c->cones);
  sn_free(c->rows);
  sn_free(c->delassus);
  sn_dense_free(c->dense);
  sn_free(c->island);
  sn_islands_free(&c->islands);
  sn_free(c->memory.key);
  sn_free(c->memory.mean);
  sn_components_free(&c->components);
  sn_free(c);
}

void sn_ccp_refactored(sn_ccp *c) {
  if (!sn_components_update(&c->components, c->solver)) {
    free_component_arrays(c);
    make_component_arrays(c);
  }
  memset(c->inverted, 0, (size_t)c->components.count * sizeof *c->inverted);
  for (int k = 0; k < c->components.count; k++)
    c->even[k] = c->small_of[k] < 0 && sn_component_reduce(&c->components, k);
}

/* ---- velocities of contacts, generalized forces ---- */

/* u += sum w_k v_k; points on cables have four vectors in space. */
static inline void add_point(const sn_edge *e, const double *w, const double *v, double u[3]) {
  const int *at = e->carrier->vector, dim = e->carrier->dim;
  if (e->count == 4 && dim == 3) {
    const double *x[4] = {v + at[0], v + at[1], v + at[2], v + at[3]};
    for (int a = 0; a < 3; a++) u[a] += (w[0] * x[0][a] + w[1] * x[1][a]) + (w[2] * x[2][a] + w[3] * x[3][a]);
    return;
  }
  for (int k = 0; k < e->count; k++)
    for (int a = 0; a < dim; a++) u[a] += w[k] * v[at[k] + a];
}

typedef struct rating {
  const sn_ccp *c;
  const double *v;
  double *d;
} rating;

static void rate_chunk(void *user, int chunk) {
  const rating *w = user;
  const sn_ccp *c = w->c;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  for (int i = chunk * SN_CCP_CHUNK; i < last; i++) {
    double u[3] = {0};
    for (int s = 0; s < 2; s++) {
      const sn_edge *e = &c->edge[2 * i + s];
      if (e->kind == SN_EDGE_TWIST) sn_small_point(c->motion + SN_TWIST * e->small, c->arm[i][s], s ? -1 : 1, u);
      if (e->kind == SN_EDGE_WEIGHTS) add_point(e, c->rows + e->at, w->v, u);
    }
    sn_from_space(c->frame[i], u, w->d + 3 * i);
    for (int s = 0; s < 2; s++)
      if (c->edge[2 * i + s].kind == SN_EDGE_ROWS) sn_edge_gather(c, 2 * i + s, w->v, w->d + 3 * i);
  }
}

/* Of the k-th touched component, if it is touched as a rigid body; NULL otherwise. */
static const sn_twist *twist_of(const sn_ccp *c, int k, double **motion) {
  int small = c->small_of[c->active[k]];
  if (small < 0 || c->twist[small].group < 0) return NULL;
  *motion = c->motion + SN_TWIST * small;
  return &c->twist[small];
}

void sn_ccp_rates(const sn_ccp *c, const double *v, double *d) {
  for (int k = 0; k < c->actives; k++) {
    double *motion;
    sn_eight sum = {0};
    const sn_twist *t = twist_of(c, k, &motion);
    if (!t) continue;
    const double *x = v + c->matrix->first[t->group];
    for (int j = 0; j < c->matrix->size[t->group]; j++) sum += x[j] * sn_eight_load(t->T + SN_TWIST * j);
    memcpy(motion, &sum, sizeof sum);
  }
  rating w = {c, v, d};
  sn_ccp_run(c, true, (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK, rate_chunk, &w);
}

typedef struct forcing {
  const sn_ccp *c;
  double *f;
} forcing;

/* Edge by edge; of those with a twist the sums z = (sum f, sum arm x f) first, then T'z. */
static void force_component(const forcing *w, const sn_twist *t, const sn_link *link, int count) {
  const sn_ccp *c = w->c;
  double z[SN_TWIST] = {0}, force[3], moment[3];
  for (int j = 0; j < count; j++) {
    const int i = link[j].edge / 2, s = link[j].edge & 1;
    const double *g = c->vector[0] + 3 * i;
    if (g[0] == 0) continue;
    sn_to_space(c->frame[i], g, force);
    if (c->edge[link[j].edge].kind > SN_EDGE_TWIST) {
      sn_edge_add(c, link[j].edge, g, force, w->f);
      continue;
    }
    sn_cross(moment, c->arm[i][s], force);
    sn_axpy(z, s ? -1 : 1, force);
    sn_axpy(z + 3, s ? -1 : 1, moment);
  }
  double *to = t ? w->f + c->matrix->first[t->group] : NULL;
  for (int j = 0; t && j < c->matrix->size[t->group]; j++)
    to[j] += sn_eight_sum(sn_eight_load(z) * sn_eight_load(t->T + SN_TWIST * j));
}

static void force_chunk(void *user, int chunk) {
  const forcing *w = user;
  const sn_ccp *c = w->c;
  const int first = chunk * SN_COMPONENT_CHUNK, last = first + SN_COMPONENT_CHUNK;
  double *motion;
  for (int k = first; k < last && k < c->actives; k++)
    force_component(w, twist_of(c, k, &motion), c->link + c->start[c->active[k]], c->sides[c->active[k]]);
}

/* Component by component: each has coordinates of its own, and its edges in the order of the contacts. */
void sn_ccp_forces(const sn_ccp *c, double *f) {
  assert(c->prepared || c->count == 0);
  forcing w = {c, f};
  sn_ccp_run(c, true, (c->actives + SN_COMPONENT_CHUNK - 1) / SN_COMPONENT_CHUNK, force_chunk, &w);
}

const double *sn_ccp_impulses(const sn_ccp *c) {
  return c->vector[0];
}

void sn_ccp_to_space(const sn_ccp *c, int i, const double g[3], double impulse[3]) {
  assert(i >= 0 && i < c->count);
  sn_to_space(c->frame[i], g, impulse);
}

/* ---- impulses from step to step ----
 *
 * A solution starts from the mean m of the impulses that a contact has had, m += w (g - m) after each. With v1, v2 the
 * velocities after the last two steps of bodies at rest, which are what the tolerance leaves: d = v1 + (v1 - v2) at the
 * last impulses, d = v1 at a long mean. A heap at rest then needs few iterations or none. w = 0.15, about six steps,
 * also follows bodies that move. */

/* They are kept in the order in which contacts were listed: that of their pairs (contact/contact.h), so that those of a
 * step meet those of the last one in passing, as both lists are read from beginning to end. */
static const double NEW = 0.15; /* w */

static inline uint64_t pair_of(uint64_t key) {
  return key >> SN_FEATURE_BITS;
}

/* Where this contact was listed, probably at `next`; -1: it was not. */
static int listed_at(const sn_impulse_memory *m, uint64_t key, int next) {
  enum { PASSED = 4 }; /* contacts that have opened since */
  for (int k = next; k < m->count && k < next + PASSED; k++)
    if (m->key[k] == key) return k;
  int low = 0, high = m->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (pair_of(m->key[middle]) < pair_of(key))
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < m->count && pair_of(m->key[low]) == pair_of(key); low++)
    if (m->key[low] == key) return low;
  return -1;
}

static void recall(void *user, int chunk) {
  const sn_ccp *c = user;
  const sn_impulse_memory *m = &c->memory;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count, next = 0;
  for (int i = chunk * SN_CCP_CHUNK; i < last; i++) {
    double *to = c->vector[0] + 3 * i, *past = c->past[i];
    to[0] = to[1] = to[2] = past[0] = past[1] = past[2] = 0;
    past[3] = 1;
    if (!c->key[i] || c->cone[i].inverse_s == 0) continue;
    const int at = listed_at(m, c->key[i], next);
    if (at < 0) continue;
    next = at + 1;
    if (m->mean[at][3] == 0) continue;
    memcpy(past, m->mean[at], sizeof m->mean[at]);
    sn_from_space(c->frame[i], past, to);
    sn_cone_project(c->cone[i].mu, to);
  }
}

/* An open contact is kept as long as its mean impulse would change a velocity. */
static void put(const sn_ccp *c, int i) {
  const sn_impulse_memory *m = &c->memory;
  const int at = c->islands.order[i];
  const double *past = c->past[i];
  double *mean = m->mean[at];
  assert(at >= 0 && at < m->count);
  sn_to_space(c->frame[i], c->vector[0] + 3 * i, mean);
  for (int k = 0; k < 3; k++) mean[k] = past[k] + past[3] * (mean[k] - past[k]);
  m->key[at] = c->key[i];
  mean[3] = c->vector[0][3 * i] != 0 || c->cone[i].s * sn_norm(mean) > m->least ? NEW : 0;
}

static void remember_chunk(void *user, int chunk) {
  const sn_ccp *c = user;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  for (int i = chunk * SN_CCP_CHUNK; i < last; i++) put(c, i);
}

static void remember(sn_ccp *c, double tolerance) {
  sn_impulse_memory *m = &c->memory;
  m->least = tolerance / 100;
  m->count = c->count;
  if (m->capacity < c->count) {
    m->capacity = c->capacity;
    SN_RESIZE(m->key, m->capacity);
    SN_RESIZE(m->mean, m->capacity);
  }
  sn_ccp_run(c, true, (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK, remember_chunk, c);
}

void sn_ccp_forget(sn_ccp *c) {
  c->memory.count = 0;
}

const sn_ccp_solver_ops *sn_ccp_solver(int method) {
  static const sn_ccp_solver_ops *const solvers[SN_CCP_METHODS] = {
#define SOLVER(NAME, variable, word) &variable,
#include "contact/ccp_solvers.def"
  };
  return solvers[method];
}

sn_ccp_result sn_ccp_of_islands(const sn_ccp *c) {
  sn_ccp_result all = {.residual = -1, .converged = true};
  for (int k = 0; k < c->islands.count; k++) {
    const sn_ccp_result *r = &c->island[k].result;
    if (r->residual > all.residual || isnan(r->residual)) all.residual = r->residual, all.worst = r->worst;
    if (r->iterations > all.iterations) all.iterations = r->iterations;
    if (r->too_many > all.too_many) all.too_many = r->too_many, all.most = r->most;
    all.work += r->work;
    all.converged = all.converged && r->converged;
  }
  return all;
}

sn_ccp_result sn_ccp_solve(sn_ccp *c, const double *r, const sn_ccp_settings *settings) {
  assert(settings->method < SN_CCP_METHODS && settings->tolerance > 0 && settings->iterations >= 0);
  sn_ccp_result result = {.worst = -1, .converged = true};
  if (c->count > 0) {
    c->r = r;
    if (!c->prepared) sn_ccp_prepare(c);
    for (int k = 0; k < c->actives; k++) c->awake[k] = true;
    if (settings->apart)
      memset(c->vector[0], 0, 3 * (size_t)c->count * sizeof(double));
    else
      sn_ccp_run(c, true, (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK, recall, c);
    result = sn_ccp_solver((int)settings->method)->solve(c, settings);
    if (settings->rest && !settings->apart && !result.converged) {
      const int again = sn_ccp_interior_rest(c, settings);
      result = sn_ccp_of_islands(c);
      result.again = again;
    }
  }
  if (!settings->apart) remember(c, settings->tolerance);
  return result;
}
