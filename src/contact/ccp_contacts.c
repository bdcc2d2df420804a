/* ccp_contacts.c - from detected contacts to the rows of the complementarity problem: which contacts, in which order,
 * and how their sides move.
 *
 *     rigid body     x' = c' + w x arm, (c', w) = T v, arm from the body's origin to the contact point
 *     linear         x' = sum w_k e_k'
 *     other points   x' = J v, of the side's probe
 */
#include <assert.h>
#include <string.h>

#include "contact/ccp_problem.h"

static void clear(sn_ccp *c) {
  for (int k = 0; k < c->actives; k++) c->sides[c->active[k]] = 0;
  c->actives = 0;
  c->count = 0;
  c->row_count = 0;
  c->prepared = false;
}

/* ---- sides ---- */

/* Contacts of one component are added on several threads, which all write the same. */
static void set_uneven(sn_ccp *c, int component) {
  __atomic_store_n(&c->even[component], false, __ATOMIC_RELAXED);
}

/* On an even component the numbers of the vectors are kept too; if one lies across, the component is not even. */
static void add_weights(sn_ccp *c, const double *from, double sign, sn_edge *to) {
  const sn_carrier *carrier = to->carrier;
  double *weight = c->rows + to->at;
  to->kind = SN_EDGE_WEIGHTS;
  to->count = carrier->vectors;
  bool even = carrier->dim == 3;
  if (carrier->vectors <= SN_INNER) {
    const int *place = c->inner_place[carrier - c->surfaces->carrier];
    for (int k = 0; k < carrier->vectors; k++) {
      weight[k] = sign * from[k];
      c->numbers[to->at + (size_t)k] = place[k];
      even = even && place[k] >= 0;
    }
    if (!even) set_uneven(c, to->component);
    return;
  }
  for (int k = 0; k < carrier->vectors; k++) {
    int at, group;
    weight[k] = sign * from[k];
    group = sn_edge_place(c, to, k, &at);
    c->numbers[to->at + (size_t)k] = sn_component_even_place(&c->components, group, at);
    even = even && at % 3 == 0;
  }
  if (!even) set_uneven(c, to->component);
}

static void add_rows(sn_ccp *c, const double *rows, double sign, sn_edge *to) {
  double *row = c->rows + to->at;
  to->kind = SN_EDGE_ROWS;
  set_uneven(c, to->component); /* from now on, until the next factorization */
  for (int k = 0; k < 3 * to->count; k++) row[k] = sign * rows[k];
}

static void add_probe(sn_ccp *c, const sn_probe *probe, const double *q, double sign, const double frame[9],
                      sn_edge *to) {
  double J[3 * SN_PROBE_COORDINATES], rows[3 * SN_PROBE_COORDINATES];
  assert(probe->count == to->count);
  probe->ops->jacobian(probe, q, J);
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < to->count; k++) rows[a * to->count + k] = sn_dot(frame + 3 * a, J + 3 * k);
  add_rows(c, rows, sign, to);
}

/* T of a rigid body, once for each problem. In space w = 2 E(p) p', E = [-e, e0 I + skew(e)]. */
static const double *twist_of(sn_ccp *c, int number, const double *q) {
  const sn_carrier *carrier = &c->surfaces->carrier[number];
  double *T = c->carrier_twist + SN_TWIST_COLUMNS * SN_TWIST * (size_t)number;
  if (c->twisted[number] == c->problem) return T;
  c->twisted[number] = c->problem;
  T[0] = T[SN_TWIST + 1] = 1;
  if (carrier->type == SN_CARRIER_PLANAR) {
    T[2 * SN_TWIST + 5] = 1;
    return T;
  }
  T[2 * SN_TWIST + 2] = 1;
  const double *p = q + carrier->first[0] + 3;
  const double E[4][3] = {{-p[1], -p[2], -p[3]}, {p[0], p[3], -p[2]}, {-p[3], p[0], p[1]}, {p[2], -p[1], p[0]}};
  for (int j = 0; j < 4; j++)
    for (int k = 0; k < 3; k++) T[(3 + j) * SN_TWIST + 3 + k] = 2 * E[j][k];
  return T;
}

/* On a large component: rows [n u w]'(T_c + T_w x arm). */
static void add_twist_rows(sn_ccp *c, const double *T, const double arm[3], double sign, const double frame[9],
                           sn_edge *to) {
  int n = to->count;
  double rows[3 * SN_TWIST_COLUMNS], moment[3];
  assert(n <= SN_TWIST_COLUMNS);
  for (int a = 0; a < 3; a++) {
    sn_cross(moment, arm, frame + 3 * a);
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += frame[3 * a + k] * T[SN_TWIST * j + k] + moment[k] * T[SN_TWIST * j + 3 + k];
      rows[a * n + j] = sum;
    }
  }
  add_rows(c, rows, sign, to);
}

/* T of the carrier of a side that is found for this problem; on a small component T belongs to it. */
static void take_twist(sn_ccp *c, const sn_side *side, int component, const double *q) {
  const double *T = twist_of(c, side->carrier, q);
  const int small = c->small_of[component];
  if (small >= 0) c->twist[small] = (sn_twist){.T = T, .group = c->surfaces->carrier[side->carrier].group[0]};
}

static void add_rigid(sn_ccp *c, const sn_contact *contact, int s, const double *q, double *arm, const double frame[9],
                      sn_edge *to) {
  const sn_carrier *carrier = to->carrier;
  const double *T = c->carrier_twist + SN_TWIST_COLUMNS * SN_TWIST * (size_t)contact->side[s].carrier;
  sn_sub(arm, contact->point, q + carrier->first[0]);
  if (contact->later) sn_axpy(arm, 1, contact->from[s]);
  if (carrier->type == SN_CARRIER_PLANAR) arm[2] = 0;
  if (c->small_of[to->component] < 0) {
    add_twist_rows(c, T, arm, s ? -1 : 1, frame, to);
    return;
  }
  to->kind = SN_EDGE_TWIST;
  to->small = c->small_of[to->component];
}

/* -1: it does not move */
static int component_of(const sn_ccp *c, const sn_side *side) {
  const sn_carrier *carrier = &c->surfaces->carrier[side->carrier];
  return carrier->type == SN_CARRIER_GROUND ? -1 : c->components.of_group[carrier->group[0]];
}

static void add_side(sn_ccp *c, int i, int s, const double *q) {
  const sn_contact *contact = c->contact[i];
  const sn_side *side = &contact->side[s];
  const sn_carrier *carrier = &c->surfaces->carrier[side->carrier];
  const double *frame = c->frame[i];
  double *arm = c->arm[i][s], sign = s ? -1 : 1;
  sn_edge *to = &c->edge[2 * i + s];
  *to = (sn_edge){
      .component = component_of(c, side), .small = -1, .count = carrier->count, .carrier = carrier, .at = to->at};
  memset(arm, 0, 3 * sizeof *arm);
  if (to->component < 0) return;
  if (carrier->type == SN_CARRIER_LINEAR)
    add_weights(c, side->weight, sign, to);
  else if (carrier->type == SN_CARRIER_PROBE)
    add_probe(c, side->probe, q, sign, frame, to);
  else
    add_rigid(c, contact, s, q, arm, frame, to);
}

/* ---- contacts ---- */

static void add_contact(sn_ccp *c, int i, const double *q) {
  const sn_contact *contact = c->contact[i];
  double *frame = c->frame[i];
  sn_copy(frame, contact->normal);
  sn_frame(frame, frame + 3, frame + 6);
  c->key[i] = contact->key;
  c->cone[i] = (sn_cone){.mu = c->surfaces->law[contact->law].friction, .s = 1, .a = 1, .t = 1};
  sn_copy(c->cone[i].n, contact->normal);
  for (int s = 0; s < 2; s++) add_side(c, i, s, q);
}

typedef struct taking {
  sn_ccp *c;
  int count;
  sn_contact *const *list;
  const double *q;
} taking;

static int chunks_of(int count) {
  return (count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK;
}

static int end_of(int chunk, int count) {
  return (chunk + 1) * SN_CCP_CHUNK < count ? (chunk + 1) * SN_CCP_CHUNK : count;
}

static void add_chunk(void *user, int chunk) {
  const taking *w = user;
  for (int i = chunk * SN_CCP_CHUNK; i < end_of(chunk, w->c->count); i++) add_contact(w->c, i, w->q);
}

/* The component of each side in the list, and the numbers its edge needs in `rows`; -1 - these where it is a rigid
 * body. */
static void look_at_chunk(void *user, int chunk) {
  const taking *w = user;
  sn_ccp *c = w->c;
  for (int i = chunk * SN_CCP_CHUNK; i < end_of(chunk, w->count); i++)
    for (int s = 0; s < 2; s++) {
      const sn_side *side = &w->list[i]->side[s];
      const sn_carrier *carrier = &c->surfaces->carrier[side->carrier];
      const int component = component_of(c, side);
      int need = 3 * carrier->count;
      if (carrier->type == SN_CARRIER_LINEAR)
        need = carrier->vectors;
      else if (carrier->type != SN_CARRIER_PROBE && component >= 0)
        need = c->small_of[component] < 0 ? -1 - need : -1;
      c->component[2 * i + s] = component;
      c->need[2 * i + s] = component < 0 ? 0 : need;
    }
}

/* Which contacts of the list have a side that moves, and the islands they form. */
static void find_islands(taking *w) {
  sn_ccp *c = w->c;
  int moving = 0;
  sn_ccp_run(c, true, chunks_of(w->count), look_at_chunk, w);
  for (int i = 0; i < w->count; i++) {
    const int *from = c->component + 2 * i;
    if (from[0] < 0 && from[1] < 0) continue;
    for (int s = 0; s < 2; s++) c->component[2 * moving + s] = from[s], c->need[2 * moving + s] = c->need[2 * i + s];
    c->of_list[moving++] = i;
  }
  sn_islands_find(&c->islands, c->components.count, moving, c->component);
  if (c->islands.count > c->island_capacity) {
    c->island_capacity = 2 * c->islands.count + 16;
    SN_RESIZE(c->island, c->island_capacity);
  }
}

/* The places of one contact's edges: among those of their components, and in `rows`. */
static void reserve_edges(taking *w, int i, int from) {
  sn_ccp *c = w->c;
  c->contact[i] = w->list[c->of_list[from]];
  for (int s = 0; s < 2; s++) {
    const int component = c->component[2 * from + s], need = c->need[2 * from + s];
    c->edge[2 * i + s].at = c->row_count;
    if (component < 0) continue;
    if (c->sides[component] == 0) c->active[c->actives++] = component;
    c->place[2 * i + s] = c->sides[component]++;
    if (need < 0) take_twist(c, &c->contact[i]->side[s], component, w->q);
    c->row_count += (size_t)(need < 0 ? -1 - need : need);
  }
}

void sn_ccp_take(sn_ccp *c, int count, sn_contact *const *list, const double *q) {
  taking w = {c, count, list, q};
  clear(c);
  sn_ccp_room(c, count);
  c->problem++;
  find_islands(&w);
  for (int k = 0; k < c->islands.count; k++) {
    c->island[k] = (sn_island){.first = c->count, .component_first = c->actives};
    for (int i = c->islands.start[k]; i < c->islands.start[k + 1]; i++)
      reserve_edges(&w, c->count++, c->islands.order[i]);
  }
  if (c->row_count > c->row_capacity) {
    c->row_capacity = 2 * c->row_count + 1024;
    SN_RESIZE(c->rows, c->row_capacity);
    SN_RESIZE(c->numbers, c->row_capacity);
  }
  sn_ccp_run(c, true, chunks_of(c->count), add_chunk, &w);
}

int sn_ccp_count(const sn_ccp *c) {
  return c->count;
}

sn_contact *const *sn_ccp_contacts(const sn_ccp *c) {
  return c->contact;
}

const sn_islands *sn_ccp_islands(const sn_ccp *c) {
  return &c->islands;
}
