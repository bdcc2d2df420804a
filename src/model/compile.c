/* compile.c - from the document to the model: groups, batches, chunks and colors. */
#include "model/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "math/vec3.h"
#include "model/registry.h"

enum { CHUNK = 64 };       /* instances per chunk: a multiple of the lanes, small enough to balance threads */
enum { MOST_GROUPS = 64 }; /* of an instance of any kind */

/* ---- growing arrays ---- */

static void *grow(sn_arena *arena, void *old, int count, int capacity, size_t size) {
  void *bigger = sn_alloc(arena, (size_t)capacity, size);
  if (count) memcpy(bigger, old, (size_t)count * size);
  return bigger;
}

static int add_group(sn_compiler *c, const char *name, int size, int first, bool constraint) {
  assert(name && size > 0 && first >= 0);
  if (c->groups == c->group_capacity) {
    int capacity = c->group_capacity ? 2 * c->group_capacity : 64;
    c->group_size = grow(&c->growth, c->group_size, c->groups, capacity, sizeof(int));
    c->group_first = grow(&c->growth, c->group_first, c->groups, capacity, sizeof(int));
    c->group_is_constraint = grow(&c->growth, c->group_is_constraint, c->groups, capacity, sizeof(bool));
    c->group_name = grow(&c->growth, c->group_name, c->groups, capacity, sizeof(char *));
    c->group_capacity = capacity;
  }
  c->group_size[c->groups] = size;
  c->group_first[c->groups] = first;
  c->group_is_constraint[c->groups] = constraint;
  c->group_name[c->groups] = name;
  return c->groups++;
}

static void *keep(sn_compiler *c, const void *array, int count, size_t size) {
  return grow(c->arena, (void *)array, count, count, size);
}

/* Arrays that grew are kept without the room they did not fill and without their smaller predecessors. */
static void keep_arrays(sn_compiler *c) {
  sn_model *m = c->model;
  m->groups = c->groups;
  m->group_size = keep(c, c->group_size, c->groups, sizeof *c->group_size);
  m->group_first = keep(c, c->group_first, c->groups, sizeof *c->group_first);
  m->group_is_constraint = keep(c, c->group_is_constraint, c->groups, sizeof *c->group_is_constraint);
  m->group_name = keep(c, c->group_name, c->groups, sizeof *c->group_name);
  m->q0 = keep(c, c->q0, m->n, sizeof *c->q0);
  m->v0 = keep(c, c->v0, m->n, sizeof *c->v0);
  m->discrete0 = c->discrete0;
}

int sn_add_coordinates(sn_compiler *c, const char *name, int size, const double *q0, const double *v0) {
  assert(c->model->m == 0); /* coordinates come before all multipliers */
  assert(size > 0 && q0 && v0);
  sn_model *m = c->model;
  if (m->n + size > c->coordinate_capacity) {
    int capacity = 2 * (m->n + size) + 64;
    c->q0 = grow(&c->growth, c->q0, m->n, capacity, sizeof(double));
    c->v0 = grow(&c->growth, c->v0, m->n, capacity, sizeof(double));
    c->coordinate_capacity = capacity;
  }
  memcpy(c->q0 + m->n, q0, (size_t)size * sizeof(double));
  memcpy(c->v0 + m->n, v0, (size_t)size * sizeof(double));
  int group = add_group(c, name, size, m->n, false);
  m->n += size;
  return group;
}

int sn_add_multipliers(sn_compiler *c, const char *name, int size) {
  int group = add_group(c, name, size, c->model->n + c->model->m, true);
  c->model->m += size;
  return group;
}

int sn_add_discrete(sn_compiler *c, double start) {
  sn_model *m = c->model;
  c->discrete0 = grow(c->arena, c->discrete0, m->discrete, m->discrete + 1, sizeof(double));
  c->discrete0[m->discrete] = start;
  return m->discrete++;
}

sn_batch *sn_batch_find(const sn_model *m, const sn_batch_ops *ops) {
  for (int i = 0; i < m->batches; i++)
    if (m->batch[i].ops == ops) return &m->batch[i];
  return NULL;
}

sn_batch *sn_batch_get(sn_compiler *c, const sn_batch_ops *ops, size_t size) {
  assert(ops && ops->groups && ops->max_groups > 0 && ops->max_groups <= MOST_GROUPS);
  sn_model *m = c->model;
  sn_batch *known = sn_batch_find(m, ops);
  if (known) return known;
  if (m->batches == c->batch_capacity) {
    c->batch_capacity = 2 * c->batch_capacity + 16;
    m->batch = grow(c->arena, m->batch, m->batches, c->batch_capacity, sizeof(sn_batch));
  }
  sn_batch *batch = &m->batch[m->batches++];
  *batch = (sn_batch){.ops = ops, .data = size ? sn_alloc(c->arena, 1, size) : NULL};
  return batch;
}

void *sn_batch_append(sn_compiler *c, const sn_batch_ops *ops, size_t size) {
  assert(ops && size > 0);
  sn_batch *batch = sn_batch_get(c, ops, 0);
  /* capacities are powers of two from 8 on: full exactly when count is one of them */
  if (batch->count == 0 || (batch->count >= 8 && (batch->count & (batch->count - 1)) == 0))
    batch->data = grow(c->arena, batch->data, batch->count, batch->count ? 2 * batch->count : 8, size);
  return (char *)batch->data + size * (size_t)batch->count++;
}

/* ---- markers ---- */

const sn_body *sn_find_body(const sn_compiler *c, const char *name) {
  if (c->bodies.count) return sn_map_get(&c->bodies, name);
  for (int i = 0; i < c->model->bodies; i++)
    if (strcmp(c->model->body[i].name, name) == 0) return &c->model->body[i];
  return NULL;
}

sn_joint *sn_find_joint(const sn_model *m, const char *name) {
  for (int i = 0; i < m->joints; i++)
    if (strcmp(m->joint[i].name, name) == 0) return &m->joint[i];
  return NULL;
}

static bool resolve_any(sn_compiler *c, const sn_marker_ref *ref, sn_marker *marker) {
  assert(ref->body);
  const sn_body *body = sn_find_body(c, ref->body);
  if (!body) return false; /* the reader has reported it */
  *marker = (sn_marker){.body = body, .points = 1, .ref = ref};
  return body->ops->marker(c, body, ref, marker);
}

static bool is_point(sn_compiler *c, const sn_marker *marker) {
  if (marker->points == 1) return true;
  sn_node_error(&c->reader, marker->ref->node, "a single point; whole edges: joints spherical and fixed",
                "'%s.%s' is an edge", marker->ref->body, marker->ref->point);
  return false;
}

bool sn_resolve(sn_compiler *c, const sn_marker_ref *ref, sn_marker *marker) {
  return resolve_any(c, ref, marker) && is_point(c, marker);
}

void sn_marker_at(const sn_body *body, const double position[3], sn_marker *marker) {
  assert(body->ops->place);
  /* all kinds with a frame start from the placement of their coordinates; they fill `local` in point() */
  const sn_marker_ref *ref = marker->ref;
  *marker = (sn_marker){.body = body, .has_frame = true, .points = 1, .ref = ref};
  sn_copy(marker->position, position);
  body->ops->place(body, marker);
}

bool sn_resolve_rows(sn_compiler *c, const sn_marker_ref ref[2], sn_marker marker[2]) {
  const sn_body *body[2] = {sn_find_body(c, ref[0].body), sn_find_body(c, ref[1].body)};
  if (!body[0] || !body[1]) return false;
  for (int i = 0; i < 2; i++) {
    int other = 1 - i;
    bool other_is_a_point = ref[other].point || !body[other]->ops->place; /* a point mass needs no name of a point */
    if (ref[i].point || !body[i]->ops->place || !other_is_a_point) continue;
    if (!resolve_any(c, &ref[other], &marker[other])) return false;
    marker[i].ref = &ref[i];
    sn_marker_at(body[i], marker[other].position, &marker[i]);
    return true;
  }
  return resolve_any(c, &ref[0], &marker[0]) && resolve_any(c, &ref[1], &marker[1]);
}

bool sn_resolve_pair(sn_compiler *c, const sn_marker_ref ref[2], sn_marker marker[2]) {
  return sn_resolve_rows(c, ref, marker) && is_point(c, &marker[0]) && is_point(c, &marker[1]);
}

void sn_check_plane(sn_compiler *c, const sn_spec *spec, const char *field, const double vector[3]) {
  assert(sn_is_field(spec->kind, field));
  if (c->model->dim == 2 && vector[2] != 0)
    sn_field_error(&c->reader, spec, field, "a third component of 0",
                   "'%s' of '%s' leaves the plane of this planar model", field, spec->name);
}

/* ---- chunks and colors ---- */

/* Greedy coloring: a chunk gets the lowest color that none of its groups has. More than 64 colors occur only if nearly
 * everything is connected to one body; such a batch runs chunk by chunk. */
static void color_batch(sn_compiler *c, sn_batch *b, uint64_t *seen) {
  b->chunk = CHUNK;
  b->chunks = (b->count + CHUNK - 1) / CHUNK;
  int *color = SN_NEW(c->arena, int, b->chunks);
  int *groups = SN_NEW(c->arena, int, b->ops->max_groups);
  memset(seen, 0, (size_t)c->groups * sizeof *seen);
  bool overflow = false;
  for (int k = 0; k < b->chunks; k++) {
    uint64_t taken = 0;
    int last = (k + 1) * CHUNK < b->count ? (k + 1) * CHUNK : b->count;
    for (int pass = 0; pass < 2; pass++) {
      uint64_t mine = pass ? (uint64_t)1 << color[k] : 0;
      for (int i = k * CHUNK; i < last; i++) {
        int n = b->ops->groups(b, i, groups);
        assert(n >= 0 && n <= b->ops->max_groups);
        for (int g = 0; g < n; g++) {
          assert(groups[g] >= 0 && groups[g] < c->groups);
          taken |= seen[groups[g]];
          seen[groups[g]] |= mine;
        }
      }
      if (pass) break;
      while (color[k] < 64 && (taken >> color[k] & 1)) color[k]++;
      if (color[k] == 64) overflow = true;
      if (overflow) break;
    }
    if (overflow) break;
  }
  if (overflow)
    for (int k = 0; k < b->chunks; k++) color[k] = k;
  for (int k = 0; k < b->chunks; k++)
    if (color[k] >= b->colors) b->colors = color[k] + 1;
  int *first = SN_NEW(c->arena, int, b->colors + 1), *chunk = SN_NEW(c->arena, int, b->chunks);
  for (int k = 0; k < b->chunks; k++) first[color[k] + 1]++;
  for (int k = 0; k < b->colors; k++) first[k + 1] += first[k];
  int *next = SN_NEW(c->arena, int, b->colors);
  for (int k = 0; k < b->chunks; k++) chunk[first[color[k]] + next[color[k]]++] = k;
  assert(first[b->colors] == b->chunks); /* each chunk has one color */
  b->color_first = first;
  b->color_chunk = chunk;
}

sn_matrix *sn_model_matrix(const sn_model *m, sn_arena *arena, bool unsymmetric, int pairs, const int *pair) {
  assert(pairs == 0 || pair);
  sn_pattern *pattern = sn_pattern_create();
  for (int g = 0; g < m->groups; g++) sn_pattern_group(pattern, m->group_size[g], m->group_is_constraint[g]);
  int groups[MOST_GROUPS];
  for (int k = 0; k < m->batches; k++) {
    const sn_batch *b = &m->batch[k];
    for (int i = 0; i < b->count; i++) {
      int n = b->ops->groups(b, i, groups);
      for (int x = 0; x < n; x++)
        for (int y = 0; y < x; y++)
          if (groups[x] != groups[y] && (!b->ops->couples || b->ops->couples(b, i, x, y)))
            sn_pattern_couple(pattern, groups[x], groups[y]);
    }
  }
  for (int k = 0; k < pairs; k++) sn_pattern_couple(pattern, pair[2 * k], pair[2 * k + 1]);
  return sn_pattern_freeze(pattern, arena, unsymmetric);
}

void sn_find_slots(const sn_model *m, const sn_matrix *matrix, sn_arena *arena, sn_batch *batch) {
  assert(matrix->groups == m->groups && matrix->rows == m->n + m->m);
  int groups[MOST_GROUPS];
  for (int k = 0; k < m->batches; k++) {
    sn_batch *b = &batch[k];
    if (!b->ops->tangent) continue;
    int most = 0; /* groups of an instance in this model, often fewer than the kind allows */
    for (int i = 0; i < b->count; i++) {
      int n = b->ops->groups(b, i, groups);
      if (n > most) most = n;
    }
    b->slot_stride = most * (most + 1) / 2;
    int *slots = SN_NEW(arena, int, (size_t)b->slot_stride *(size_t)b->count);
    for (int i = 0; i < b->count; i++) {
      int n = b->ops->groups(b, i, groups), *slot = slots + (size_t)b->slot_stride * (size_t)i;
      for (int x = 0; x < n; x++)
        for (int y = 0; y <= x; y++, slot++) {
          const bool coupled = groups[x] == groups[y] || !b->ops->couples || b->ops->couples(b, i, x, y);
          *slot = coupled ? sn_matrix_slot(matrix, groups[x], groups[y]) : -1;
        }
    }
    b->slots = slots;
  }
}

/* ---- the whole ---- */

static void compile_bodies(sn_compiler *c) {
  const sn_list *list = &c->model->document->list[SN_BODIES];
  c->model->body = SN_NEW(c->arena, sn_body, list->count);
  c->model->bodies = list->count;
  for (int i = 0; i < list->count; i++) {
    const sn_body_ops *ops = (const sn_body_ops *)(const void *)list->item[i]->kind;
    c->model->body[i] =
        (sn_body){.ops = ops, .spec = list->item[i], .name = list->item[i]->name, .first = -1, .first_group = -1};
    sn_map_put(&c->bodies, c->arena, list->item[i]->name, &c->model->body[i]);
    if (c->model->dim == 3) continue;
    if (ops->planar)
      c->model->body[i].ops = ops->planar;
    else
      sn_node_error(&c->reader, list->item[i]->node, "a model without 'planar: true', or another type",
                    "a %s needs a model in space", ops->kind.name);
  }
  if (c->reader.errors) return;
  /* attached bodies borrow the coordinates of others: compile those that stand alone first; one with an error has none */
  for (int pass = 0; pass < 2 && !c->reader.errors; pass++)
    for (int i = 0; i < list->count; i++) {
      sn_body *b = &c->model->body[i];
      bool attached = b->ops->attached && b->ops->attached(b->spec);
      if (b->ops->compile && attached == (pass == 1)) b->ops->compile(c, b);
    }
}

/* Let a force add to batches. What it adds is its own: outputs evaluate it alone. */
static void make_force(sn_compiler *c, const sn_spec *spec, void (*make)(sn_compiler *, const sn_spec *),
                       sn_force_place *place) {
  const sn_model *m = c->model;
  const int before = m->batches;
  int *first = SN_NEW(c->arena, int, before + 1);
  for (int i = 0; i < before; i++) first[i] = m->batch[i].count;
  make(c, spec);
  sn_force_part *part = SN_NEW(c->arena, sn_force_part, place->parts + m->batches + 1);
  for (int i = 0; i < place->parts; i++) part[i] = place->part[i];
  for (int i = 0; i < m->batches; i++) {
    const sn_range range = {i < before ? first[i] : 0, m->batch[i].count};
    if (range.last > range.first) part[place->parts++] = (sn_force_part){m->batch[i].ops, range};
  }
  place->part = part;
}

static void reserve_forces(sn_compiler *c) {
  const sn_list *list = &c->model->document->list[SN_FORCES];
  c->model->force = SN_NEW(c->arena, sn_force_place, list->count);
  for (int i = 0; i < list->count; i++) {
    const sn_force_ops *ops = (const sn_force_ops *)(const void *)list->item[i]->kind;
    if (ops->reserve) make_force(c, list->item[i], ops->reserve, &c->model->force[i]);
  }
}

static void compile_constraints(sn_compiler *c) {
  sn_model *m = c->model;
  const sn_list *list = &m->document->list[SN_JOINTS];
  m->joint = SN_NEW(c->arena, sn_joint, list->count);
  m->joints = list->count;
  for (int i = 0; i < list->count; i++) {
    sn_joint *j = &m->joint[i];
    *j = (sn_joint){.ops = (const sn_joint_ops *)(const void *)list->item[i]->kind,
                    .spec = list->item[i],
                    .name = list->item[i]->name,
                    .group = -1,
                    .axis = {0, 0, 1},
                    .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (j->ops->coordinates) j->ops->coordinates(c, j);
  }
  for (int i = 0; i < m->bodies; i++)
    if (m->body[i].ops->constrain) m->body[i].ops->constrain(c, &m->body[i]);
  for (int pass = 0; pass < 2; pass++) /* gears and drivers speak of other joints */
    for (int i = 0; i < list->count && !(pass == 1 && c->reader.errors); i++)
      if (m->joint[i].ops->after == (pass == 1)) m->joint[i].ops->compile(c, &m->joint[i]);
}

/* Where a force acts, by the table of its fields: markers, a line it acts along or a joint. */
static void place_force(sn_compiler *c, const sn_spec *spec, sn_force_place *place) {
  const sn_force_ops *ops = (const sn_force_ops *)(const void *)spec->kind;
  if (ops->place) {
    ops->place(c, spec, place);
    return;
  }
  place->spec = spec;
  for (const sn_field *field = spec->kind->fields; field && field->name; ++field) {
    const void *value = (const char *)spec + field->at;
    if (!sn_given(spec, field->name)) continue;
    if (field->type == SN_MARKER && !strcmp(field->name, "on")) {
      place->on = ((const sn_marker_ref *)value)->body;
    } else if (field->type == SN_MARKER) {
      place->markers = sn_resolve(c, value, &place->marker[0]) ? 1 : 0;
    } else if (field->type == SN_MARKERS) {
      place->markers = sn_resolve_pair(c, value, place->marker) ? 2 : 0;
    } else if (field->type == SN_JOINT_NAME) {
      place->on = *(const char *const *)value;
    }
  }
}

static void compile_rest(sn_compiler *c) {
  sn_model *m = c->model;
  const sn_list *list = &m->document->list[SN_FORCES];
  sn_compile_category[SN_VARIABLES](c);
  sn_compile_category[SN_CONTROLLERS](c);
  sn_compile_category[SN_EVENTS](c);
  for (int i = 0; i < list->count; i++)
    make_force(c, list->item[i], ((const sn_force_ops *)(const void *)list->item[i]->kind)->compile, &m->force[i]);
  m->forces = c->reader.errors ? 0 : list->count;
  for (int i = 0; i < m->forces; i++) place_force(c, list->item[i], &m->force[i]);
  sn_compile_category[SN_SURFACES](c);
  sn_compile_category[SN_OUTPUTS](c);
}

/* Groups fill the vector (q, l) without gaps, coordinates first; bodies and joints lie within their groups. */
SN_ASSERTED static bool is_complete(const sn_model *m) {
  int at = 0;
  for (int g = 0; g < m->groups; at += m->group_size[g++])
    if (m->group_first[g] != at || m->group_is_constraint[g] != (at >= m->n)) return false;
  if (at != m->n + m->m) return false;
  for (int i = 0; i < m->bodies; i++) {
    const sn_body *b = &m->body[i];
    if (b->count < 0 || (b->count && (b->first < 0 || b->first + b->count > m->n))) return false;
    if (b->groups < 0 || (b->groups && (b->first_group < 0 || b->first_group + b->groups > m->groups))) return false;
  }
  for (int i = 0; i < m->joints; i++) {
    const sn_joint *j = &m->joint[i];
    if (j->group >= 0 && (j->first < 0 || j->first + j->count > m->m || !m->group_is_constraint[j->group]))
      return false;
  }
  return true;
}

sn_status sn_compile(sn_context *context, sn_arena arena, sn_document *document, sn_model **model) {
  sn_model *m = SN_NEW(&arena, sn_model, 1);
  m->arena = arena;
  m->context = context;
  m->document = document;
  m->dim = document->planar ? 2 : 3;
  sn_copy(m->gravity, document->gravity);
  sn_compiler c = {.context = context, .arena = &m->arena, .model = m};
  c.reader = sn_reader_for(context, &m->arena, document);
  compile_bodies(&c);
  if (!c.reader.errors) reserve_forces(&c);
  if (!c.reader.errors) sn_declare_category[SN_VARIABLES](&c);
  if (!c.reader.errors) sn_declare_category[SN_CONTROLLERS](&c);
  if (!c.reader.errors) sn_declare_category[SN_EVENTS](&c);
  if (!c.reader.errors) compile_constraints(&c);
  if (!c.reader.errors) compile_rest(&c);
  if (!c.reader.errors) sn_compile_keep(&c);
  if (!c.reader.errors && m->n == 0)
    sn_node_error(&c.reader, NULL, "at least one body besides the ground", "the model has no body that can move");
  if (c.reader.errors) {
    arena = m->arena;
    sn_arena_free(&arena);
    sn_arena_free(&c.growth);
    return SN_BAD_MODEL;
  }
  keep_arrays(&c);
  sn_compile_units(&c);
  uint64_t *seen = SN_NEW(&c.growth, uint64_t, c.groups);
  for (int i = 0; i < m->batches; i++) color_batch(&c, &m->batch[i], seen);
  sn_find_slots(m, sn_model_matrix(m, &c.growth, false, 0, NULL), c.arena, m->batch);
  sn_arena_free(&c.growth);
  assert(is_complete(m));
  sn_handle_made(m);
  *model = m;
  return SN_OK;
}

void sn_model_free(sn_model *model) {
  if (!model || sn_handle_check(model)) return;
  sn_handle_freed(model, "model", model->context);
  sn_arena arena = model->arena; /* the model lives in its own arena */
  sn_pool *pool = model->pool;
  sn_arena_free(&arena);
  sn_pool_free(pool);
}
