/* surfaces.c - surfaces into items and carriers. */
#include "contact/surfaces.h"

#include <assert.h>
#include <string.h>

#include "contact/solid.h"
#include "math/vec3.h"
#include "model/materials.h"
#include "model/registry.h"

/* ---- growing arrays ---- */

/* Room for `more` after `count` items. */
static void *room(sn_arena *arena, void *old, int count, int more, int *capacity, size_t size) {
  if (count + more <= *capacity) return old;
  *capacity = 2 * (count + more) + 16;
  void *bigger = sn_alloc(arena, (size_t)*capacity, size);
  if (count) memcpy(bigger, old, (size_t)count * size);
  return bigger;
}

sn_item *sn_add_item(sn_surface_builder *b, sn_item_shape shape) {
  assert(b->surface);
  sn_surfaces *s = b->surfaces;
  s->item = room(b->compiler->arena, s->item, s->items, 1, &b->item_capacity, sizeof *s->item);
  sn_item *item = &s->item[s->items++];
  *item = (sn_item){.shape = shape, .surface = (int)(b->surface - s->surface), .carrier = -1, .first = s->spheres};
  b->surface->items++;
  return item;
}

/* ---- carriers ---- */

static sn_carrier_type hold_of(const sn_probe *p) {
  if (p->groups == 0) return SN_CARRIER_GROUND;
  if (p->ops == &sn_probe_linear) return SN_CARRIER_LINEAR;
  if (p->ops == &sn_probe_rigid) return SN_CARRIER_RIGID;
  return p->ops == &sn_probe_planar && p->groups == 1 ? SN_CARRIER_PLANAR : SN_CARRIER_PROBE;
}

int sn_add_carrier(sn_surface_builder *b, const sn_body *body, const sn_probe *p) {
  assert(sn_is_probe(p));
  sn_surfaces *s = b->surfaces;
  int number = (int)(body - b->compiler->model->body);
  sn_carrier_type type = hold_of(p);
  bool shared = type == SN_CARRIER_GROUND || type == SN_CARRIER_RIGID || type == SN_CARRIER_PLANAR;
  if (shared && b->rigid_carrier[number] >= 0) return b->rigid_carrier[number];
  s->carrier = room(b->compiler->arena, s->carrier, s->carriers, 1, &b->carrier_capacity, sizeof *s->carrier);
  sn_carrier *h = &s->carrier[s->carriers];
  *h = (sn_carrier){.type = type, .body = number, .dim = p->dim ? p->dim : 3, .groups = p->groups, .count = p->count};
  memcpy(h->group, p->group, sizeof h->group);
  memcpy(h->first, p->first, sizeof h->first);
  memcpy(h->size, p->size, sizeof h->size);
  if (shared) b->rigid_carrier[number] = s->carriers;
  return s->carriers++;
}

/* Where coordinate x stands among those of the carrier's groups; a group it lacks is added. */
static int local_place(sn_carrier *h, const sn_probe *p, int g) {
  int at = 0;
  for (int k = 0; k < h->groups; k++) {
    if (h->group[k] == p->group[g]) return at;
    at += h->size[k];
  }
  assert(h->groups < SN_PROBE_GROUPS);
  h->group[h->groups] = p->group[g];
  h->first[h->groups] = p->first[g];
  h->size[h->groups++] = p->size[g];
  h->count += p->size[g];
  return at;
}

/* The number of a vector of a linear carrier, added when it is new. */
static int vector_of(sn_carrier *h, int coordinate, int local) {
  for (int k = 0; k < h->vectors; k++)
    if (h->vector[k] == coordinate) return k;
  assert(h->vectors < SN_SIDE_WEIGHTS);
  h->vector[h->vectors] = coordinate;
  h->local[h->vectors] = local;
  return h->vectors++;
}

/* Weights of a linear probe in the order of the carrier's vectors. */
static void linear_weights(sn_carrier *h, const sn_probe *p, double weight[SN_SIDE_WEIGHTS]) {
  memset(weight, 0, SN_SIDE_WEIGHTS * sizeof *weight);
  const double *w = p->weight;
  for (int g = 0; g < p->groups; g++) {
    int at = local_place(h, p, g);
    for (int c = 0; c < p->size[g]; c += p->dim, w++)
      if (*w != 0) weight[vector_of(h, p->first[g] + c, at + c)] = *w;
  }
}

/* ---- spheres ---- */

/* All weights of an item have the stride SN_SIDE_WEIGHTS until the item is whole. */
void sn_add_sphere(sn_surface_builder *b, const sn_body *body, const sn_probe *p, double radius, double place) {
  assert(b->surfaces->items > 0 && b->surfaces->item[b->surfaces->items - 1].shape == SN_ITEM_SPHERES);
  sn_surfaces *s = b->surfaces;
  sn_arena *arena = b->compiler->arena;
  sn_item *item = &s->item[s->items - 1];
  int capacity = b->sphere_capacity;
  s->radius = room(arena, s->radius, s->spheres, 1, &capacity, sizeof(double));
  s->place = room(arena, s->place, s->spheres, 1, &b->sphere_capacity, sizeof(double));
  s->radius[s->spheres] = radius;
  s->place[s->spheres++] = place;
  if (item->carrier < 0) item->carrier = sn_add_carrier(b, body, p);
  sn_carrier *h = &s->carrier[item->carrier];
  assert(h->body == (int)(body - b->compiler->model->body)); /* an item is carried by one body */
  if (h->type == SN_CARRIER_PROBE) {
    b->probe = room(arena, b->probe, b->probes, 1, &b->probe_capacity, sizeof *b->probe);
    if (item->count++ == 0) item->data = b->probes;
    b->probe[b->probes++] = *p;
  } else {
    s->weight = room(arena, s->weight, b->weights, SN_SIDE_WEIGHTS, &b->weight_capacity, sizeof(double));
    double *weight = s->weight + b->weights;
    if (item->count++ == 0) item->data = b->weights;
    b->weights += SN_SIDE_WEIGHTS;
    memset(weight, 0, SN_SIDE_WEIGHTS * sizeof *weight);
    if (h->type == SN_CARRIER_LINEAR)
      linear_weights(h, p, weight);
    else /* ground: the point itself; rigid: behind the weight of r */
      for (int k = 0; k < (h->type == SN_CARRIER_PLANAR ? 2 : 3); k++)
        weight[k] = p->weight[k + (h->type != SN_CARRIER_GROUND)];
  }
  if (radius > item->radius) item->radius = radius;
}

bool sn_solid_probe(const sn_body *body, const double local[3], sn_probe *probe) {
  if (!body->ops->place) return false;
  sn_marker marker = {.body = body, .has_frame = true, .points = 1};
  sn_copy(marker.local, local);
  sn_copy(marker.position, local); /* the ground has no axes but the global ones */
  body->ops->point(&marker, probe);
  sn_carrier_type type = hold_of(probe);
  return type == SN_CARRIER_GROUND || type == SN_CARRIER_RIGID || type == SN_CARRIER_PLANAR;
}

/* ---- the whole ---- */

/* (1 - nu^2)/E of the surface's material or of its body's. */
static double compliance_of(const sn_surface_spec *spec, const sn_body *body) {
  const sn_spec *m = spec->material;
  int field = sn_field_index(body->spec->kind, "material");
  if (!m && field >= 0) memcpy(&m, (const char *)body->spec + body->spec->kind->fields[field].at, sizeof m);
  if (!m) return 0;
  const sn_material_spec *material = (const sn_material_spec *)(const void *)m;
  return material->young > 0 ? (1 - material->poisson * material->poisson) / material->young : 0;
}

/* Weights of former items, for others that have the same: elements of one length and as many spheres share theirs,
 * which then stay in the cache. */
enum { FORMER = 64 };
typedef struct former_weights {
  int count, at[FORMER], values[FORMER];
} former_weights;

/* Where the last `values` weights before `end` stand already; -1: nowhere, and now they are remembered. */
static int find_weights(former_weights *f, const double *weight, int end, int values) {
  int known = f->count < FORMER ? f->count : FORMER;
  for (int k = 0; k < known; k++)
    if (f->values[k] == values &&
        memcmp(weight + f->at[k], weight + end - values, (size_t)values * sizeof *weight) == 0)
      return f->at[k];
  f->at[f->count % FORMER] = end - values;
  f->values[f->count++ % FORMER] = values;
  return -1;
}

/* Weights without the gaps that were left for vectors to come. */
static void pack_weights(sn_surfaces *s) {
  double *to = s->weight;
  former_weights former = {0};
  for (int i = 0; i < s->items; i++) {
    sn_item *item = &s->item[i];
    if (item->shape != SN_ITEM_SPHERES || s->carrier[item->carrier].type == SN_CARRIER_PROBE) continue;
    int stride = sn_item_stride(s, item);
    const double *from = s->weight + item->data;
    item->data = (int)(to - s->weight);
    for (int k = 0; k < item->count; k++, to += stride, from += SN_SIDE_WEIGHTS)
      memmove(to, from, (size_t)stride * sizeof *to);
    int same = find_weights(&former, s->weight, (int)(to - s->weight), item->count * stride);
    if (same < 0) continue;
    to = s->weight + item->data;
    item->data = same;
  }
}

/* A margin that lasts for many steps and does not bring in many pairs: the smallest radius. */
static double margin_of(const sn_surfaces *s) {
  double least = INFINITY;
  for (int i = 0; i < s->items; i++) {
    const sn_item *item = &s->item[i];
    least = fmin(least, item->shape == SN_ITEM_SPHERES ? item->radius : sn_solids[item->shape]->size(item));
  }
  return isfinite(least) ? least : 0;
}

void sn_compile_surfaces(sn_compiler *c) {
  sn_model *m = c->model;
  const sn_list *list = &m->document->list[SN_SURFACES];
  if (list->count == 0 && m->document->list[SN_CONTACTS].count == 0) return;
  sn_surfaces *s = SN_NEW(c->arena, sn_surfaces, 1);
  sn_surface_builder b = {.compiler = c, .surfaces = s, .rigid_carrier = SN_NEW(c->arena, int, m->bodies)};
  for (int i = 0; i < m->bodies; i++) b.rigid_carrier[i] = -1;
  s->surface = SN_NEW(c->arena, sn_surface, list->count);
  s->surfaces = list->count;
  const sn_body **bodies = SN_NEW(c->arena, const sn_body *, list->count);
  const char **names = SN_NEW(c->arena, const char *, list->count);
  for (int i = 0; i < list->count; i++) {
    const sn_surface_spec *spec = (const sn_surface_spec *)(const void *)list->item[i];
    bodies[i] = sn_find_body(c, spec->on.body);
    names[i] = spec->spec.name;
  }
  const int *order = sn_order_surfaces(c, list->count, bodies, names);
  for (int k = 0; k < list->count; k++) {
    int i = order[k];
    const sn_surface_spec *spec = (const sn_surface_spec *)(const void *)list->item[i];
    const sn_body *body = bodies[i];
    b.surface = &s->surface[i];
    *b.surface = (sn_surface){.name = spec->spec.name, .first = s->items, .spec = &spec->spec};
    if (!body) continue; /* reported */
    b.surface->body = (int)(body - m->body);
    b.surface->compliance = compliance_of(spec, body);
    ((const sn_surface_ops *)(const void *)spec->spec.kind)->compile(&b, spec, body);
  }
  s->probe = b.probe;
  if (c->reader.errors) return;
  pack_weights(s);
  s->margin = margin_of(s);
  sn_compile_laws(c, s);
  if (c->reader.errors) return;
  m->surfaces = s;
  if (s->penalty && s->friction) m->has_power = m->unsymmetric = true;
}
