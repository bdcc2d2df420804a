/* joint.c - what the joint kinds share when they compile. */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"
#include "model/compile.h"

bool sn_joint_markers(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  if (!sn_resolve_pair(c, spec->between, joint->marker)) return false;
  if (joint->marker[0].body == joint->marker[1].body && !joint->marker[0].has_tangent) { /* a cable may close a loop */
    sn_field_error(&c->reader, joint->spec, "between", "two different bodies", "%s '%s' joins '%s' to itself",
                   joint->spec->kind->name, joint->name, joint->marker[0].body->name);
    return false;
  }
  return true;
}

/* ---- axis and frame ---- */

static bool lies_in_plane(const double axis[3]) {
  return axis[2] == 0;
}

/* In space z is the axis. In the plane z is the normal; an axis in the plane is x. */
static void set_frame(const sn_model *model, sn_joint *joint) {
  double(*e)[3] = joint->frame;
  if (model->dim == 3) {
    sn_copy(e[2], joint->axis);
    sn_frame(e[2], e[0], e[1]);
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
    return true;
  }
  sn_field_error(&c->reader, joint->spec, "axis", "a direction", "the axis of %s '%s' has no length",
                 joint->spec->kind->name, joint->name);
  return false;
}

int sn_joint_carrier(sn_compiler *c, const sn_joint *joint, const char *instead) {
  for (int i = 0; i < 2; i++)
    if (joint->marker[i].has_frame) return i;
  sn_field_error(
      &c->reader, joint->spec, "between",
      sn_format(c->arena, "a rigid body or the ground on one side%s%s", instead ? "; or " : "", instead ? instead : ""),
      "neither side of %s '%s' has a frame to carry its axis", joint->spec->kind->name, joint->name);
  return -1;
}

void sn_joint_as(sn_joint *joint, const sn_joint *of) {
  for (int i = 0; i < 2; i++) joint->marker[i] = of->marker[i];
  sn_copy(joint->axis, of->axis);
  for (int i = 0; i < 3; i++) sn_copy(joint->frame[i], of->frame[i]);
}

bool sn_joint_in_plane(sn_compiler *c, const sn_joint *joint) {
  if (c->model->dim == 3 || lies_in_plane(joint->axis)) return true;
  sn_field_error(&c->reader, joint->spec, "axis", "an axis [x, y, 0]",
                 "the axis of %s '%s' leaves the plane of this planar model", joint->spec->kind->name, joint->name);
  return false;
}

void sn_joint_only_in_space(sn_compiler *c, const sn_joint *joint, const char *instead) {
  sn_node_error(&c->reader, joint->spec->label, instead, "a %s joint has no meaning in a planar model",
                joint->spec->kind->name);
}

/* ---- parallel ---- */

/* How the other side can stay parallel to the axis. */
static enum { NONE, FRAME, ALONG, NORMAL } side_of(const sn_joint *joint, int carrier) {
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
                   "the axis of %s '%s' is slanting to %s '%s'", joint->spec->kind->name, joint->name,
                   other->body->ops->kind.name, other->body->name);
  else if (side == NONE)
    sn_field_error(&c->reader, joint->spec, "between", instead, "%s '%s' has no orientation for %s '%s' to hold",
                   other->body->ops->kind.name, other->body->name, joint->spec->kind->name, joint->name);
  if (side == NONE) return 0;
  return c->model->dim == 2 || side == NORMAL ? 1 : 2;
}

static void direction(const sn_joint *joint, int side, const double d[3], sn_probe *probe) {
  joint->marker[side].body->ops->direction(&joint->marker[side], d, probe);
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
