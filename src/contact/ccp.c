/* ccp.c - the complementarity problem: memory, contacts, the start from the last solution. */
#include "contact/ccp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/ccp_problem.h"

/* ---- memory: grows while contacts become more, and never again ---- */

static void *grown(void *memory, size_t count, size_t size) {
  void *larger = realloc(memory, count * size);
  if (!larger) {
    fprintf(stderr, "sinew: out of memory for contacts\n");
    abort();
  }
  return larger;
}
#define GROW(array, count) ((array) = grown((array), (size_t)(count), sizeof *(array)))

/* Aligned, and what was in it is not needed any more. */
static double *aligned(double *old, size_t count) {
  free(old);
  double *memory = aligned_alloc(64, (count * sizeof(double) + 63) / 64 * 64);
  if (!memory) {
    fprintf(stderr, "sinew: out of memory for contacts\n");
    abort();
  }
  return memory;
}

static void grow_contacts(sn_ccp *c) {
  c->capacity = c->capacity ? 2 * c->capacity : 64;
  GROW(c->key, c->capacity);
  GROW(c->mu, c->capacity);
  GROW(c->s, c->capacity);
  GROW(c->bound, c->capacity);
  GROW(c->frame, c->capacity);
  GROW(c->side, 2 * c->capacity);
  GROW(c->list, 2 * c->capacity);
  GROW(c->place, 2 * c->capacity);
  c->B = aligned(c->B, 2 * 3 * SN_SMALL * (size_t)c->capacity);
  for (size_t k = 0; k < SN_COUNT(c->vector); k++) c->vector[k] = aligned(c->vector[k], 3 * (size_t)c->capacity);
  GROW(c->sum, SN_SUMS * (c->capacity / SN_CCP_CHUNK + 1));
}

static void free_part_arrays(sn_ccp *c) {
  free(c->inverted);
  free(c->small);
  free(c->start);
  free(c->active);
  free(c->delassus_at);
  free(c->F);
  free(c->z);
}

static void make_part_arrays(sn_ccp *c) {
  const sn_parts *p = &c->parts;
  size_t parts = (size_t)p->count + 1;
  int smalls = 0;
  c->inverted = NULL, c->small = NULL, c->start = NULL, c->active = NULL, c->delassus_at = NULL;
  GROW(c->inverted, parts);
  GROW(c->small, parts);
  GROW(c->start, parts + 1);
  GROW(c->active, parts);
  GROW(c->delassus_at, parts);
  for (int k = 0; k < p->count; k++) c->small[k] = p->coordinates[k] == 1 ? 0 : -1;
  for (int g = 0; g < c->matrix->groups; g++)
    if (!c->matrix->constraint[g] && c->matrix->size[g] > SN_SMALL) c->small[p->of_group[g]] = -1;
  for (int k = 0; k < p->count; k++)
    if (c->small[k] == 0) c->small[k] = smalls++;
  c->F = aligned(NULL, (size_t)(smalls + 1) * SN_SMALL * SN_SMALL);
  c->z = aligned(NULL, (size_t)(smalls + 1) * SN_SMALL);
}

sn_ccp *sn_ccp_create(const sn_matrix *matrix, const void *solver, sn_threads *threads) {
  sn_ccp *c = grown(NULL, 1, sizeof *c);
  *c = (sn_ccp){.matrix = matrix, .solver = solver, .threads = threads, .L = 1};
  sn_parts_create(&c->parts, solver);
  make_part_arrays(c);
  c->x = aligned(NULL, (size_t)matrix->rows + 1);
  sn_ccp_refactored(c);
  return c;
}

void sn_ccp_free(sn_ccp *c) {
  if (!c) return;
  free_part_arrays(c);
  free(c->x);
  free(c->key);
  free(c->mu);
  free(c->s);
  free(c->bound);
  free(c->frame);
  free(c->side);
  free(c->list);
  free(c->place);
  free(c->B);
  for (size_t k = 0; k < SN_COUNT(c->vector); k++) free(c->vector[k]);
  free(c->sum);
  free(c->rows);
  free(c->delassus);
  free(c->memory.key);
  free(c->memory.impulse);
  sn_parts_free(&c->parts);
  free(c);
}

void sn_ccp_refactored(sn_ccp *c) {
  if (!sn_parts_update(&c->parts, c->solver)) {
    free_part_arrays(c);
    make_part_arrays(c);
  }
  memset(c->inverted, 0, (size_t)c->parts.count * sizeof *c->inverted);
}

/* ---- contacts ---- */

void sn_ccp_clear(sn_ccp *c) {
  c->count = 0;
  c->row_count = 0;
}

int sn_ccp_count(const sn_ccp *c) {
  return c->count;
}

static double *take_rows(sn_ccp *c, size_t values) {
  if (c->row_count + values > c->row_capacity) {
    c->row_capacity = 2 * c->row_capacity + values + 1024;
    GROW(c->rows, c->row_capacity);
  }
  c->row_count += values;
  return c->rows + c->row_count - values;
}

static void add_weights(sn_ccp *c, const sn_ccp_side *from, sn_edge *to) {
  double *weight = take_rows(c, (size_t)from->vectors);
  to->count = from->vectors;
  to->dim = from->dim;
  for (int k = 0; k < from->vectors; k++) {
    weight[k] = from->sign * from->weight[k];
    to->vector[k] = from->vector[k];
  }
}

static void add_rows(sn_ccp *c, const sn_ccp_side *from, sn_edge *to) {
  to->groups = from->groups;
  for (int k = 0; k < from->groups; k++) to->count += to->size[k];
  size_t values = 3 * (size_t)to->count;
  memcpy(take_rows(c, values), from->rows, values * sizeof(double));
}

static void add_side(sn_ccp *c, const sn_ccp_side *from, sn_edge *to) {
  *to = (sn_edge){.part = -1, .at = c->row_count};
  if (from->groups == 0) return;
  to->part = c->parts.of_group[from->group[0]];
  for (int k = 0; k < from->groups; k++) {
    to->group[k] = from->group[k];
    to->first[k] = c->matrix->first[from->group[k]];
    to->size[k] = c->matrix->size[from->group[k]];
  }
  if (from->rows)
    add_rows(c, from, to);
  else
    add_weights(c, from, to);
}

void sn_ccp_add(sn_ccp *c, const sn_ccp_contact *contact) {
  if (c->count == c->capacity) grow_contacts(c);
  int i = c->count++;
  c->key[i] = contact->key;
  c->mu[i] = contact->friction;
  memcpy(c->frame[i], contact->frame, sizeof c->frame[i]);
  for (int s = 0; s < 2; s++) add_side(c, &contact->side[s], &c->side[2 * i + s]);
}

void sn_ccp_rates(const sn_ccp *c, const double *v, double *d) {
  memset(d, 0, 3 * (size_t)c->count * sizeof *d);
  for (int e = 0; e < 2 * c->count; e++) sn_edge_gather(c, e, v, d + 3 * (e / 2));
}

void sn_ccp_forces(const sn_ccp *c, double *f) {
  for (int e = 0; e < 2 * c->count; e++)
    if (c->vector[0][3 * (e / 2)] != 0) sn_edge_add(c, e, c->vector[0] + 3 * (e / 2), f);
}

const double *sn_ccp_impulses(const sn_ccp *c) {
  return c->vector[0];
}

/* ---- impulses from step to step ---- */

static int slot_of(const sn_impulse_memory *m, uint64_t key) {
  uint64_t hash = key * 0x9e3779b97f4a7c15u;
  int slot = (int)((hash >> 32) & (uint64_t)(m->capacity - 1));
  while (m->key[slot] && m->key[slot] != key) slot = (slot + 1) & (m->capacity - 1);
  return slot;
}

static void recall(const sn_ccp *c, double *g) {
  const sn_impulse_memory *m = &c->memory;
  for (int i = 0; i < c->count; i++) {
    double *to = g + 3 * i;
    to[0] = to[1] = to[2] = 0;
    if (!m->capacity || !c->key[i]) continue;
    int slot = slot_of(m, c->key[i]);
    if (!m->key[slot]) continue;
    const double *p = m->impulse[slot], *e = c->frame[i];
    for (int a = 0; a < 3; a++) to[a] = e[3 * a] * p[0] + e[3 * a + 1] * p[1] + e[3 * a + 2] * p[2];
    sn_cone_project(c->mu[i], to);
  }
}

static void remember(sn_ccp *c, const double *g) {
  sn_impulse_memory *m = &c->memory;
  if (m->capacity < 2 * c->count) {
    m->capacity = m->capacity ? m->capacity : 64;
    while (m->capacity < 2 * c->count) m->capacity *= 2;
    m->capacity *= 2;
    GROW(m->key, m->capacity);
    GROW(m->impulse, m->capacity);
  }
  if (m->capacity) memset(m->key, 0, (size_t)m->capacity * sizeof *m->key);
  for (int i = 0; i < c->count; i++) {
    const double *p = g + 3 * i, *e = c->frame[i];
    if (!c->key[i] || p[0] == 0) continue;
    int slot = slot_of(m, c->key[i]);
    m->key[slot] = c->key[i];
    for (int k = 0; k < 3; k++) m->impulse[slot][k] = e[k] * p[0] + e[3 + k] * p[1] + e[6 + k] * p[2];
  }
}

void sn_ccp_forget(sn_ccp *c) {
  if (c->memory.capacity) memset(c->memory.key, 0, (size_t)c->memory.capacity * sizeof *c->memory.key);
}

sn_ccp_result sn_ccp_solve(sn_ccp *c, const double *r, const sn_ccp_settings *settings) {
  sn_ccp_result result = {.worst = -1, .converged = true};
  if (c->count > 0) {
    c->r = r;
    sn_ccp_prepare(c);
    recall(c, c->vector[0]);
    result = settings->method == SN_CCP_APGD     ? sn_ccp_apgd(c, settings)
             : settings->method == SN_CCP_JACOBI ? sn_ccp_jacobi(c, settings)
                                                 : sn_ccp_gauss_seidel(c, settings);
  }
  remember(c, c->vector[0]);
  return result;
}
