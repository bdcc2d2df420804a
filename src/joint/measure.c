/* measure.c - see measure.h.
 *
 * What a quantity depends on is found by trial: coordinates, velocities or multipliers of a group that are not numbers
 * make it one that is none.
 */
#include "joint/measure.h"

#include <math.h>
#include <string.h>

#include "joint/primitive.h"
#include "math/vec3.h"

/* ---- values ---- */

static double resultant_value(const sn_measured *x, const sn_eval *ev) {
  double y[16] = {0};
  x->marker.body->ops->resultants(&x->marker, ev, NULL, y);
  return y[x->column];
}

/* Components along the axes of the joint, of unit length. */
static void to_joint_frame(const sn_measured *x, const sn_eval *ev, double y[3]) {
  double local[3], e[3];
  for (int k = 0; k < 3; k++) {
    x->frame[k].ops->value(&x->frame[k], ev->q, e);
    sn_normalize(e);
    local[k] = sn_dot(e, y);
  }
  sn_copy(y, local);
}

static double reaction_value(const sn_measured *x, const sn_eval *ev) {
  sn_probe p;
  double about[3], F[3], M[3];
  sn_marker_point(&x->model->joint[x->joint].marker[1], &p);
  p.ops->value(&p, ev->q, about);
  sn_joint_reaction(x->model, x->joint, ev, about, F, M);
  if (x->column >= 6) return sn_norm(x->column == 6 ? F : M);
  if (x->local) to_joint_frame(x, ev, x->column < 3 ? F : M);
  return x->column < 3 ? F[x->column] : M[x->column - 3];
}

static double sum_of(const sn_measured *x, const sn_energy *e) {
  return (x->kinetic ? e->kinetic : 0) + (x->potential ? e->strain + e->gravity + e->spring : 0);
}

/* Batches go through their instances from multiples of 8 on: the instances before those of the body are taken off. */
static double energy_value(const sn_measured *x, const sn_eval *ev) {
  sn_energy all = {0}, before = {0};
  for (int k = 0; k < x->parts; k++) {
    const sn_batch *b = sn_batch_find(x->model, x->part[k]);
    const int begin = x->range[k].first / 8 * 8;
    b->ops->energy(b, (sn_range){begin, x->range[k].last}, ev, &all);
    if (begin < x->range[k].first) b->ops->energy(b, (sn_range){begin, x->range[k].first}, ev, &before);
  }
  for (int k = 0; k < x->model->batches && x->parts == 0; k++) {
    const sn_batch *b = &x->model->batch[k];
    if (b->ops->energy) b->ops->energy(b, (sn_range){0, b->count}, ev, &all);
  }
  return sum_of(x, &all) - sum_of(x, &before);
}

/* ---- what it depends on ---- */

/* Does y become NaN if x[0 .. count) do? */
static bool depends(const sn_measured *m, const sn_eval *ev, double *x, int count, double *keep) {
  memcpy(keep, x, (size_t)count * sizeof(double));
  for (int i = 0; i < count; i++) x[i] = NAN;
  const bool is = isnan(m->value(m, ev));
  memcpy(x, keep, (size_t)count * sizeof(double));
  return is;
}

static void add_group(const sn_compiler *c, sn_measured *m, int g) {
  if (m->groups == SN_MEASURED_GROUPS) {
    m->wide = true;
    return;
  }
  m->group[m->groups] = g;
  m->first[m->groups] = c->group_first[g];
  m->size[m->groups++] = c->group_size[g];
}

static void find_groups(sn_compiler *c, sn_measured *m) {
  const int n = c->model->n, rows = c->model->m;
  double *x = SN_NEW(c->arena, double, 3 * n + rows + 1), *keep = SN_NEW(c->arena, double, n + rows + 1);
  double *q = x, *v = q + n, *a = v + n, *l = a + n;
  const sn_eval ev = {.q = q, .v = v, .a = a, .l = l, .gravity = c->model->gravity, .load = 1, .ci = 1};
  memcpy(q, c->q0, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) v[i] = 0.1; /* any motion, any reactions */
  for (int i = 0; i < rows; i++) l[i] = 1;
  m->of_rates = depends(m, &ev, v, n, keep);
  m->reactive = rows > 0 && depends(m, &ev, l, rows, keep);
  for (int g = 0; g < c->groups; g++) {
    const int first = c->group_first[g], size = c->group_size[g];
    const bool is = c->group_is_constraint[g] ? m->reactive && depends(m, &ev, l + first - n, size, keep)
                                              : depends(m, &ev, q + first, size, keep) ||
                                                    (m->of_rates && depends(m, &ev, v + first, size, keep));
    if (is) add_group(c, m, g);
  }
  m->wide |= n > SN_MEASURED_COORDINATES || rows > SN_MEASURED_COORDINATES;
  if (m->wide) m->groups = 0;
}

/* The size of an element, if the body has some. */
static double length_of(const sn_body *body) {
  sn_geometry y = {0};
  if (!body || !body->ops->geometry || !body->data) return 1;
  body->ops->geometry(body, &y);
  double l = 1;
  if (y.element_length > 0) l = fmin(l, y.element_length);
  for (int k = 0; k < 2; k++)
    if (y.edge[k] > 0) l = fmin(l, y.edge[k]);
  return l;
}

static bool finish(sn_compiler *c, const sn_measured *made, sn_quantity *s) {
  sn_measured *m = SN_NEW(c->arena, sn_measured, 1);
  *m = *made;
  m->model = c->model;
  find_groups(c, m);
  s->type = SN_QUANTITY_MEASURED;
  s->measured = m;
  return true;
}

/* ---- making them ---- */

static const char *list_of(sn_compiler *c, const sn_headings *columns) {
  const char *text = "one of";
  for (int i = 0; i < columns->count; i++) text = sn_format(c->arena, "%s%s %s", text, i ? "," : ":", columns->name[i]);
  return text;
}

bool sn_measure_resultant(sn_compiler *c, const sn_reference *r, const sn_marker_ref *at, const double *about,
                          sn_quantity *s) {
  sn_measured m = {.value = resultant_value};
  if (!sn_resolve(c, at, &m.marker)) return false;
  const sn_body *body = m.marker.body;
  const sn_headings *columns = body->ops->resultants ? body->ops->resultant_headings : NULL;
  m.column = columns ? sn_find_word(columns->name, columns->count, r->component) : -1;
  if (m.column < 0) {
    sn_node_error(&c->reader, r->node, columns ? list_of(c, columns) : "a flexible body",
                  "%s '%s' has no resultant '%s'", body->ops->kind.name, body->name, r->component);
    return false;
  }
  if (about && sn_norm(about) > 0) sn_scale(m.marker.about, 1 / sn_norm(about), about);
  m.length = length_of(body);
  return finish(c, &m, s);
}

static bool fail_reaction(sn_compiler *c, const sn_reference *r, const char *why) {
  sn_node_error(&c->reader, r->node, "the reaction of another joint", "'%s' cannot be used here: %s", r->text, why);
  return false;
}

bool sn_measure_reaction(sn_compiler *c, const sn_reference *r, const char *name, bool local, sn_quantity *s) {
  const sn_joint *joint = sn_find_joint(c->model, name);
  if (!joint) return false; /* reported where it stands */
  if (!joint->marker[1].body) return fail_reaction(c, r, "the joint has no reaction");
  if (joint->slide) return fail_reaction(c, r, "the joint slides along a line");
  const int word = sn_find_word(sn_reaction_words, SN_REFERENCE_REACTION_WORDS, r->component);
  const int column = word < 8 ? word : word - 8; /* x, y, z: fx, fy, fz */
  if (word < 0) return fail_reaction(c, r, "reactions have fx, fy, fz, mx, my, mz, force and moment");
  if (c->model->dim == 2 && column >= 2 && column < 5)
    return fail_reaction(c, r, "reactions of a planar model have fx, fy, mz, force and moment");
  sn_measured m = {.value = reaction_value,
                   .joint = (int)(joint - c->model->joint),
                   .column = column,
                   .local = local,
                   .length = fmin(length_of(joint->marker[0].body), length_of(joint->marker[1].body))};
  const int carrier = joint->marker[0].has_frame ? 0 : joint->marker[1].has_frame ? 1 : -1;
  for (int k = 0; k < 3; k++) {
    if (carrier >= 0)
      sn_marker_direction(&joint->marker[carrier], joint->frame[k], &m.frame[k]);
    else
      sn_constant_probe(joint->frame[k], &m.frame[k]);
  }
  return finish(c, &m, s);
}

/* The instances of a batch on the coordinates of a body: they are consecutive. */
static void add_part(const sn_batch *b, const sn_body *body, int *groups, sn_measured *m) {
  sn_range range = {0, 0};
  for (int i = 0; i < b->count; i++) {
    const int count = b->ops->groups(b, i, groups);
    if (count == 0 || groups[0] < body->first_group || groups[0] >= body->first_group + body->groups) continue;
    if (range.last == 0) range.first = i;
    range.last = i + 1;
  }
  if (range.last == 0 || m->parts == SN_MEASURED_PARTS) return;
  m->part[m->parts] = b->ops;
  m->range[m->parts++] = range;
}

bool sn_measure_energy(sn_compiler *c, const sn_reference *r, sn_quantity *s) {
  const sn_body *body = sn_find_body(c, r->name);
  const int word = sn_find_word(sn_energy_words, SN_REFERENCE_ENERGY_WORDS, r->component);
  sn_measured m = {.value = energy_value, .kinetic = word != 1, .potential = word != 0, .length = 1};
  if (!body) { /* model.energy */
    for (int i = 0; i < c->model->bodies; i++) m.length = fmin(m.length, length_of(&c->model->body[i]));
    return finish(c, &m, s);
  }
  m.length = length_of(body);
  for (int k = 0; k < c->model->batches; k++) {
    const sn_batch *b = &c->model->batch[k];
    if (!b->ops->energy || !b->ops->momentum) continue; /* of bodies */
    add_part(b, body, SN_NEW(c->arena, int, b->ops->max_groups + 1), &m);
  }
  if (m.parts > 0) return finish(c, &m, s);
  sn_node_error(&c->reader, r->node, "a body with coordinates of its own", "%s '%s' has no energy of its own",
                body->ops->kind.name, body->name);
  return false;
}
