/* revolute.c - hinge: r_i - r_j = 0, and the axis of one body stays normal to two directions of the other
 * (to the tangent, when the other is a cable). Between two cables the first gets a frame from a carrier of the axis. */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"

static const sn_field revolute_fields[] = {
    SN_BETWEEN_FIELD,
    {"axis", SN_VECTOR, SN_AT(sn_joint_spec, axis), .def = "[0, 0, 1]", .help = "initial joint axis, global"},
    SN_CARRIER_FIELD,
    {0},
};

/* Is the axis normal to the line on this side? Sections with axes of their own carry any axis. */
static bool is_normal(sn_compiler *c, const sn_joint *joint, int side) {
  const sn_marker *m = &joint->marker[side];
  if ((m->has_frame && !m->frame) || fabs(sn_dot(m->tangent, joint->axis)) <= 1e-6) return true;
  sn_field_error(&c->reader, joint->spec, "axis", "an axis normal to the cable",
                 "the axis of revolute '%s' is not normal to cable '%s'", joint->name, m->body->name);
  return false;
}

/* Directions of one marker that must stay normal to the other's axis: two of a frame, or the tangent of a line (which
 * has no twist, so one equation fewer). */
static void revolute_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  double axis[3], normal[2][3];
  sn_probe r[2], a, b;
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis)) return;
  if (!sn_joint_across_plane(c, joint)) return;
  joint->has_rotation = true;
  const sn_marker *m = joint->marker;
  bool lines = m[0].has_tangent && m[1].has_tangent && !m[0].has_frame && !m[1].has_frame;
  for (int i = 0; i < 2; i++) sn_marker_point(&m[i], &r[i]);
  if (c->model->dim == 2) { /* the axis is normal to the plane for all bodies */
    sn_joint_rows(c, joint, 2);
    sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
    if (lines || spec->carrier) sn_joint_carrier(c, joint, NULL); /* the angle needs a frame */
    return;
  }
  int base = sn_joint_carrier(c, joint, "a spherical joint");
  if (base < 0 || !is_normal(c, joint, base)) return;
  const sn_marker *frame = &joint->marker[base], *line = &joint->marker[1 - base];
  if (!line->has_frame && !line->has_tangent) {
    sn_field_error(&c->reader, joint->spec, "between", "a spherical joint",
                   "%s '%s' has no orientation for a revolute joint", line->body->ops->kind.name, line->body->name);
    return;
  }
  sn_marker_direction(frame, axis, &a);
  sn_joint_rows(c, joint, line->has_frame ? 5 : 4);
  sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
  if (line->has_frame) {
    sn_frame(axis, normal[0], normal[1]);
    for (int i = 0; i < 2; i++) {
      sn_marker_direction(line, normal[i], &b);
      sn_add_dot(c, joint, 3 + i, base ? &b : &a, base ? &a : &b, 0);
    }
    sn_joint_hold_both(c, joint);
    return;
  }
  if (!is_normal(c, joint, 1 - base)) return;
  line->body->ops->tangent(line, &b);
  sn_add_dot(c, joint, 3, base ? &b : &a, base ? &a : &b, 0);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_revolute = {
    .kind = {.name = "revolute",
             .category = SN_JOINTS,
             .summary = "points coincide, rotation about one axis (hinge)",
             .fields = revolute_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = revolute_compile,
};
