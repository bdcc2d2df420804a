/* universal.c - Cardan joint: r_i - r_j = 0, and an axis of one body stays normal to an axis of the other: a_i.b_j = 0.
 */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"

typedef struct universal_spec {
  sn_joint_spec head;
  double axis2[3];
} universal_spec;

static const sn_field universal_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("pivot of the cross on the first body,", .required = true, .example = "[1, -1, 0]"),
    {"axis2", SN_VECTOR, SN_AT(universal_spec, axis2), .required = true,
     .help = "initial axis of the cross on the second body, normal to the first, global", .example = "[0, 0, 1]"},
    SN_CARRIER_FIELD,
    {0},
};

/* Both sides need a frame for the cross; two cables get theirs from a carrier. */
static bool has_frames(sn_compiler *c, sn_joint *joint, const double axis2[3]) {
  const sn_marker *m = joint->marker;
  if (sn_joint_carrier(c, joint, "a spherical joint") < 0) return false;
  if (m[0].frame && !m[1].has_frame) return sn_joint_line_frame(c, joint, 1, axis2);
  for (int i = 0; i < 2; i++) {
    if (m[i].has_frame) continue;
    sn_field_error(&c->reader, joint->spec, "between",
                   "a spherical joint, or a revolute one; or a small rigid body fixed to it",
                   "%s '%s' has no frame for the cross of universal '%s'", m[i].body->ops->kind.name, m[i].body->name,
                   joint->name);
    return false;
  }
  return true;
}

static void universal_compile(sn_compiler *c, sn_joint *joint) {
  const universal_spec *spec = (const universal_spec *)(const void *)joint->spec;
  double axis[3], axis2[3];
  sn_probe r[2], a, b;
  if (c->model->dim == 2) {
    sn_joint_only_in_space(c, joint, "a revolute joint");
    return;
  }
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->head.axis, axis)) return;
  const sn_marker *m = joint->marker;
  sn_copy(axis2, spec->axis2);
  if (!(sn_normalize(axis2) > 0) || fabs(sn_dot(axis, axis2)) > 1e-6) {
    sn_field_error(&c->reader, joint->spec, "axis2", "an axis normal to 'axis'",
                   "the pivots of universal '%s' are not normal to each other", joint->name);
    return;
  }
  if (!has_frames(c, joint, axis2)) return;
  sn_copy(joint->frame[0], axis); /* x and y along the pivots */
  sn_copy(joint->frame[1], axis2);
  sn_cross(joint->frame[2], axis, axis2);
  sn_joint_rows(c, joint, 4);
  for (int i = 0; i < 2; i++) sn_marker_point(&m[i], &r[i]);
  sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
  sn_marker_direction(&m[0], axis, &a);
  sn_marker_direction(&m[1], axis2, &b);
  sn_add_dot(c, joint, 3, &a, &b, 0);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_universal = {
    .kind = {.name = "universal",
             .category = SN_JOINTS,
             .summary = "Cardan joint: points coincide, rotation about two crossed axes",
             .fields = universal_fields,
             .spec_size = sizeof(universal_spec)},
    .compile = universal_compile,
};
