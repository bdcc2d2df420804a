/* joint.c - what the joint kinds share when they compile. */
#include <math.h>

#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/predicates.h"
#include "model/compile.h"
#include "model/registry.h"

static bool is_one_place(const sn_marker m[2]) {
  const double *a = m[0].local, *b = m[1].local;
  return m[0].element == m[1].element && m[0].row == m[1].row && a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* A cable or a plate may close a loop. */
static bool two_bodies(sn_compiler *c, const sn_joint *joint) {
  const sn_marker *m = joint->marker;
  const bool loop = m[0].has_tangent || m[0].has_plane;
  if (m[0].body != m[1].body || (loop && !is_one_place(m))) return true;
  sn_field_error(&c->reader, joint->spec, "between", loop ? "two different points" : "two different bodies",
                 "%s '%s' joins %s'%s' to itself", joint->spec->kind->name, joint->name, loop ? "a point of " : "",
                 m[0].body->name);
  return false;
}

bool sn_joint_markers(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  return sn_resolve_pair(c, spec->between, joint->marker) && two_bodies(c, joint);
}

int sn_joint_points(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  const sn_marker *m = joint->marker;
  if (!sn_resolve_rows(c, spec->between, joint->marker) || !two_bodies(c, joint)) return 0;
  int a = m[0].points, b = m[1].points, row = a > 1 ? 0 : 1;
  if (a == b) return a;
  if (a > 1 && b > 1) {
    sn_field_error(&c->reader, joint->spec, "between", "edges with the same number of elements",
                   "the edges of %s '%s' have %d and %d nodes", joint->spec->kind->name, joint->name, a, b);
    return 0;
  }
  if (m[1 - row].ref->point || !m[1 - row].body->ops->place) {
    sn_field_error(&c->reader, joint->spec, "between", "a rigid body or the ground without a point, or another edge",
                   "%s '%s' ties a whole edge to one point of '%s'", joint->spec->kind->name, joint->name,
                   m[1 - row].body->name);
    return 0;
  }
  return m[row].points;
}

/* Do two edges run against each other? Then the first node of one starts nearer to the last of the other. */
static bool opposed(const sn_compiler *c, const sn_marker m[2]) {
  sn_marker end[3];
  double near[3], far[3];
  m[0].body->ops->pick(c, &m[0], 0, &end[0]);
  m[1].body->ops->pick(c, &m[1], 0, &end[1]);
  m[1].body->ops->pick(c, &m[1], m[1].points - 1, &end[2]);
  sn_sub(near, end[1].position, end[0].position);
  sn_sub(far, end[2].position, end[0].position);
  return sn_norm(far) < sn_norm(near);
}

void sn_joint_pair(const sn_compiler *c, const sn_joint *joint, int k, sn_marker pair[2]) {
  assert(k >= 0 && (joint->marker[0].points == 1 || k < joint->marker[0].points));
  assert(joint->marker[1].points == 1 || k < joint->marker[1].points);
  const sn_marker *m = joint->marker;
  bool reverse = m[0].points > 1 && m[1].points > 1 && opposed(c, m);
  for (int i = 0; i < 2; i++) {
    pair[i] = m[i];
    if (m[i].points > 1) m[i].body->ops->pick(c, &m[i], i && reverse ? m[i].points - 1 - k : k, &pair[i]);
  }
  for (int i = 0; i < 2; i++)
    if (m[i].points == 1 && m[1 - i].points > 1) sn_marker_at(m[i].body, pair[1 - i].position, &pair[i]);
}

void sn_joint_tie_slope(sn_compiler *c, const sn_joint *joint, int row, const sn_marker pair[2], int side, int k) {
  assert((side == 0 || side == 1) && pair[side].has_plane && (k == 0 || k == 1));
  const sn_marker *plane = &pair[side], *other = &pair[1 - side];
  sn_probe t, d;
  plane->body->ops->slope(plane, k, &t);
  sn_marker_direction(other, plane->slope[k], &d);
  sn_add_coincident(c, joint, row, side ? &d : &t, side ? &t : &d, false);
}

/* ---- axis and frame ---- */

static bool lies_in_plane(const double axis[3]) {
  return axis[2] == 0;
}

static bool is_normal_to_plane(const double axis[3]) {
  return fabs(axis[2]) >= 1 - 1e-12;
}

/* In space z is the axis and x the global x made normal to it (the global y where the axis is nearer to x). In the
 * plane z is the normal; an axis in the plane is x. */
static void set_frame(const sn_model *model, sn_joint *joint) {
  double(*e)[3] = joint->frame;
  if (model->dim == 3) {
    double near = fabs(joint->axis[0]);
    for (int k = 0; k < 3; k++) e[0][k] = k == (near < 0.75 ? 0 : 1);
    sn_copy(e[2], joint->axis);
    sn_axpy(e[0], -sn_dot(e[0], e[2]), e[2]);
    sn_normalize(e[0]);
    sn_cross(e[1], e[2], e[0]);
  } else if (lies_in_plane(joint->axis)) {
    sn_copy(e[0], joint->axis);
    sn_cross(e[1], e[2], e[0]);
  }
}

bool sn_joint_axis(sn_compiler *c, sn_joint *joint, const double given[3], double axis[3]) {
  sn_copy(axis, given);
  if (sn_normalize(axis) > 0) {
    sn_copy(joint->axis, axis);
    set_frame(c->model, joint);
    assert(sn_is_frame(joint->frame[0], joint->frame[1], joint->frame[2]));
    return true;
  }
  sn_field_error(&c->reader, joint->spec, "axis", "a direction", "the axis of %s '%s' has no length",
                 joint->spec->kind->name, joint->name);
  return false;
}

/* The body that carries the axis between lines; NULL after reporting that it cannot. */
static const sn_body *axis_carrier(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  const sn_body *body = sn_find_body(c, spec->carrier ? spec->carrier : "ground");
  if (!body) return NULL; /* reported by the reader */
  if (!body->ops->place || body == joint->marker[0].body || body == joint->marker[1].body) {
    sn_field_error(&c->reader, joint->spec, "carrier", "a rigid body or the ground",
                   "%s '%s' cannot carry the axis of %s '%s'", body->ops->kind.name, body->name,
                   joint->spec->kind->name, joint->name);
    return NULL;
  }
  if (!spec->carrier && !joint->note)
    joint->note = sn_format(c->arena,
                            "%s '%s' connects two cables: its axis is carried by the ground ('carrier' names another "
                            "body)",
                            joint->spec->kind->name, joint->name);
  return body;
}

bool sn_joint_line_frame(sn_compiler *c, sn_joint *joint, int side, const double axis[3]) {
  sn_marker *line = &joint->marker[side], carrier = {0};
  double e[3], z[3] = {0, 0, 1}, other[3];
  assert(line->has_tangent && !line->has_frame);
  if (c->model->dim == 2) {
    sn_complete_frame(c, line, z, NULL);
    return true;
  }
  const sn_body *body = axis_carrier(c, joint);
  if (!body) return false;
  sn_copy(e, axis);
  sn_axpy(e, -sn_dot(axis, line->tangent), line->tangent);
  if (sn_norm(e) < 1e-6) /* along the line: any normal will do */
    sn_frame(line->tangent, e, other);
  sn_normalize(e);
  sn_marker_at(body, line->position, &carrier);
  sn_complete_frame(c, line, e, &carrier);
  return true;
}

/* Is there an axis for two lines, or only a default? */
static bool axis_is_given(const sn_compiler *c, const sn_joint *joint) {
  return c->model->dim == 2 || (sn_field_index(joint->spec->kind, "carrier") >= 0 && sn_given(joint->spec, "axis"));
}

int sn_joint_carrier(sn_compiler *c, sn_joint *joint, const char *instead) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  const sn_marker *m = joint->marker;
  int side = m[0].has_frame ? 0 : m[1].has_frame ? 1 : -1;
  if (spec->carrier && (side >= 0 || c->model->dim == 2)) {
    sn_field_error(&c->reader, joint->spec, "carrier", "no carrier",
                   side >= 0 ? "the axis of %s '%s' is carried by '%s'"
                             : "the axis of %s '%s' is normal to the plane of this planar model",
                   joint->spec->kind->name, joint->name, side >= 0 ? m[side].body->name : "");
    return -1;
  }
  if (side >= 0) return side;
  bool lines = m[0].has_tangent && m[1].has_tangent;
  if (lines && axis_is_given(c, joint)) return sn_joint_line_frame(c, joint, 0, joint->axis) ? 0 : -1;
  bool could = lines && sn_field_index(joint->spec->kind, "carrier") >= 0;
  sn_field_error(&c->reader, joint->spec, "between",
                 sn_format(c->arena, "a rigid body or the ground on one side%s%s%s",
                           could ? "; an 'axis', and the 'carrier' that holds it" : "", instead ? "; or " : "",
                           instead ? instead : ""),
                 "neither side of %s '%s' has a frame to carry its axis", joint->spec->kind->name, joint->name);
  return -1;
}

/* ---- sections of beams ---- */

struct sn_held_section {
  double place; /* along the beam, in elements */
  struct sn_held_section *next;
};

bool sn_joint_held(sn_compiler *c, const sn_marker *m) {
  assert(m->body >= c->model->body && m->body < c->model->body + c->model->bodies);
  if (!c->held) c->held = SN_NEW(c->arena, struct sn_held_section *, c->model->bodies);
  struct sn_held_section **list = &c->held[m->body - c->model->body], *own;
  double place = m->element + m->local[0];
  for (own = *list; own; own = own->next)
    if (own->place == place) return true;
  own = SN_NEW(c->arena, struct sn_held_section, 1);
  *own = (struct sn_held_section){place, *list};
  *list = own;
  return false;
}

void sn_joint_hold(sn_compiler *c, sn_joint *joint, int side, const sn_marker *m) {
  assert(side == 0 || side == 1);
  sn_probe y, z;
  double start[2][3];
  if (!m->has_slopes || c->model->dim == 2 || sn_joint_held(c, m)) return;
  m->body->ops->slope(m, 1, &y);
  m->body->ops->slope(m, 2, &z);
  y.ops->value(&y, c->q0, start[0]);
  z.ops->value(&z, c->q0, start[1]);
  sn_joint_rows(c, joint, 1);
  sn_add_own_dot(c, joint, 0, side, &y, &z, sn_dot(start[0], start[1]));
}

void sn_joint_hold_both(sn_compiler *c, sn_joint *joint) {
  for (int i = 0; i < 2; i++) sn_joint_hold(c, joint, i, &joint->marker[i]);
}

bool sn_joint_pulls(const sn_model *model, const sn_joint *joint, const double *l) {
  const double none = 1e-9, small = 1e-6; /* N; of the largest reaction */
  double most = 0;
  for (int i = 0; l && i < model->m; i++) most = fmax(most, fabs(l[i]));
  return l && l[joint->first] > fmax(none, small * most);
}

void sn_joint_as(sn_joint *joint, const sn_joint *of) {
  assert(joint != of);
  for (int i = 0; i < 2; i++) joint->marker[i] = of->marker[i];
  joint->slide = of->slide;
  sn_copy(joint->axis, of->axis);
  for (int i = 0; i < 3; i++) sn_copy(joint->frame[i], of->frame[i]);
}

bool sn_joint_in_plane(sn_compiler *c, const sn_joint *joint) {
  if (c->model->dim == 3 || lies_in_plane(joint->axis)) return true;
  sn_field_error(&c->reader, joint->spec, "axis", "an axis [x, y, 0]",
                 "the axis of %s '%s' leaves the plane of this planar model", joint->spec->kind->name, joint->name);
  return false;
}

bool sn_joint_across_plane(sn_compiler *c, const sn_joint *joint) {
  if (c->model->dim == 3 || is_normal_to_plane(joint->axis)) return true;
  sn_field_error(&c->reader, joint->spec, "axis", "[0, 0, 1], or [0, 0, -1] to turn the other way",
                 "the axis of %s '%s' is not normal to the plane of this planar model", joint->spec->kind->name,
                 joint->name);
  return false;
}

void sn_joint_only_in_space(sn_compiler *c, const sn_joint *joint, const char *instead) {
  sn_node_error(&c->reader, joint->spec->label, instead, "a %s joint is not available in a planar model",
                joint->spec->kind->name);
}

/* ---- parallel ---- */

/* How the other side can stay parallel to the axis. */
enum { NONE, FRAME, ALONG, NORMAL };
static int side_of(const sn_joint *joint, int carrier) {
  assert((carrier == 0 || carrier == 1) && joint->marker[carrier].has_frame && sn_is_unit(joint->axis));
  const sn_marker *other = &joint->marker[1 - carrier];
  if (other->has_frame) return FRAME;
  if (!other->has_tangent) return NONE;
  double along = fabs(sn_dot(other->tangent, joint->axis));
  return along > 1 - 1e-9 ? ALONG : along < 1e-6 ? NORMAL : NONE;
}

int sn_parallel_rows(sn_compiler *c, const sn_joint *joint, int carrier, const char *instead) {
  const sn_marker *other = &joint->marker[1 - carrier];
  int side = side_of(joint, carrier);
  if (side == NONE && other->has_tangent)
    sn_field_error(&c->reader, joint->spec, "axis", "an axis along the line or normal to it",
                   "the axis of %s '%s' is oblique to %s '%s'", joint->spec->kind->name, joint->name,
                   other->body->ops->kind.name, other->body->name);
  else if (side == NONE)
    sn_field_error(&c->reader, joint->spec, "between", instead, "%s '%s' has no orientation for %s '%s' to constrain",
                   other->body->ops->kind.name, other->body->name, joint->spec->kind->name, joint->name);
  if (side == NONE) return 0;
  return c->model->dim == 2 || side == NORMAL ? 1 : 2;
}

static void direction(const sn_joint *joint, int side, const double d[3], sn_probe *probe) {
  assert(joint->marker[side].has_frame);
  sn_marker_direction(&joint->marker[side], d, probe);
}

/* frame: axis_i.x_j = axis_i.y_j = 0; line along the axis: x_i.t_j = y_i.t_j = 0; normal: axis_i.t_j = 0 */
void sn_add_parallel(sn_compiler *c, const sn_joint *joint, int row, int carrier) {
  int side = side_of(joint, carrier), other = 1 - carrier;
  double x[3], y[3], z[3] = {0, 0, 1};
  sn_probe a, b;
  sn_frame(joint->axis, x, y);
  if (c->model->dim == 2) sn_cross(x, z, joint->axis);
  if (side != FRAME) joint->marker[other].body->ops->tangent(&joint->marker[other], &b);
  int rows = c->model->dim == 2 || side == NORMAL ? 1 : 2;
  for (int k = 0; k < rows; k++) {
    const double *normal = k ? y : x;
    direction(joint, carrier, side == ALONG ? normal : joint->axis, &a);
    if (side == FRAME) direction(joint, other, normal, &b);
    sn_add_dot(c, joint, row + k, carrier ? &b : &a, carrier ? &a : &b, 0);
  }
}

/* ---- slides ---- */

void sn_add_slide(sn_compiler *c, const sn_joint *joint, int row, int carrier, const double d[3]) {
  sn_probe a, r[2];
  direction(joint, carrier, d, &a);
  sn_marker_point(&joint->marker[carrier], &r[0]);
  sn_marker_point(&joint->marker[1 - carrier], &r[1]);
  sn_add_offset(c, joint, row, carrier, &a, &r[0], &r[1], 0, NULL);
}

int sn_add_on_line(sn_compiler *c, const sn_joint *joint, int row, int carrier) {
  double x[3], y[3], z[3] = {0, 0, 1};
  sn_frame(joint->axis, x, y);
  if (c->model->dim == 2) sn_cross(x, z, joint->axis);
  sn_add_slide(c, joint, row++, carrier, x);
  if (c->model->dim == 3) sn_add_slide(c, joint, row++, carrier, y);
  return row;
}
