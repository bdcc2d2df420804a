/* point_on.c - a point on a line, x_i.d = y_i.d = 0, or on a plane, n_i.d = 0, carried by a body with a frame. Any
 * point can be used: the orientation of the other body is not constrained. */
#include "joint/joints.h"
#include "joint/primitive.h"

static const sn_field line_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("direction of the line, which goes through the first marker,", .required = true,
                  .example = "[1, -1, 0]"),
    {0},
};

/* The carrier of line or plane, or -1. */
static int begin(sn_compiler *c, sn_joint *joint, double axis[3]) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis) || !sn_joint_in_plane(c, joint))
    return -1;
  return sn_joint_carrier(c, joint, "a spherical or a distance joint");
}

static void line_compile(sn_compiler *c, sn_joint *joint) {
  double axis[3];
  int carrier = begin(c, joint, axis);
  if (carrier < 0) return;
  joint->has_translation = true;
  sn_joint_rows(c, joint, sn_line_rows(c->model));
  sn_add_on_line(c, joint, 0, carrier);
  sn_joint_hold(c, joint, carrier, &joint->marker[carrier]);
}

const sn_joint_ops sn_point_on_line = {
    .kind = {.name = "point-on-line",
             .category = SN_JOINTS,
             .summary = "a point stays on a straight line of another body",
             .fields = line_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = line_compile,
};

static const sn_field plane_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("normal of the plane, which goes through the first marker,", .required = true,
                  .example = "[1, -1, 0]"),
    {0},
};

static void plane_compile(sn_compiler *c, sn_joint *joint) {
  double axis[3];
  int carrier = begin(c, joint, axis);
  if (carrier < 0) return;
  sn_joint_rows(c, joint, 1);
  sn_add_slide(c, joint, 0, carrier, axis);
  sn_joint_hold(c, joint, carrier, &joint->marker[carrier]);
}

const sn_joint_ops sn_point_on_plane = {
    .kind = {.name = "point-on-plane",
             .category = SN_JOINTS,
             .summary = "a point stays on a plane of another body",
             .fields = plane_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = plane_compile,
};
