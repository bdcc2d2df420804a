/* prismatic.c - slider: the second point stays on the axis through the first, and the orientations stay together.
 *
 *   frames  x_i.d = y_i.d = 0,  a_i.x_j = a_i.y_j = 0,  x_i.y_j = 0        (planar: y_i.d = 0, x_i.y_j = 0)
 *   a line  x_i.d = y_i.d = 0,  u_i.t_j = v_i.t_j = 0 for u, v normal to its tangent t at the start
 */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"

static const sn_field prismatic_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("axis of sliding", .required = true, .example = "[1, -1, 0]"),
    SN_CARRIER_FIELD,
    {0},
};

static void hold_frames(sn_compiler *c, sn_joint *joint, int row) {
  const sn_marker *m = joint->marker;
  double x[3], y[3];
  sn_probe a, b;
  sn_frame(joint->axis, x, y);
  if (c->model->dim == 2) {
    double z[3] = {0, 0, 1};
    sn_copy(x, joint->axis);
    sn_cross(y, z, x);
  } else {
    sn_add_parallel(c, joint, row, 0);
    row += 2;
  }
  sn_marker_direction(&m[0], x, &a);
  sn_marker_direction(&m[1], y, &b);
  sn_add_dot(c, joint, row, &a, &b, 0);
}

static void hold_line(sn_compiler *c, sn_joint *joint, int row, int carrier) {
  const sn_marker *frame = &joint->marker[carrier], *line = &joint->marker[1 - carrier];
  double normal[2][3], z[3] = {0, 0, 1};
  sn_probe a, t;
  sn_frame(line->tangent, normal[0], normal[1]);
  if (c->model->dim == 2) sn_cross(normal[0], z, line->tangent);
  line->body->ops->tangent(line, &t);
  for (int k = 0; k < c->model->dim - 1; k++) {
    sn_marker_direction(frame, normal[k], &a);
    sn_add_dot(c, joint, row + k, carrier ? &t : &a, carrier ? &a : &t, 0);
  }
}

static void prismatic_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  double axis[3];
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis) || !sn_joint_in_plane(c, joint)) return;
  int carrier = sn_joint_carrier(c, joint, "a spherical joint"), dim = c->model->dim;
  if (carrier < 0) return;
  const sn_marker *other = &joint->marker[1 - carrier];
  if (!other->has_frame && !other->has_tangent) {
    sn_field_error(&c->reader, joint->spec, "between", "a point-on-line joint",
                   "%s '%s' has no orientation for prismatic '%s' to constrain", other->body->ops->kind.name,
                   other->body->name, joint->name);
    return;
  }
  joint->has_translation = true;
  sn_joint_rows(c, joint, sn_line_rows(c->model) + (dim == 2 ? 1 : other->has_frame ? 3 : 2));
  int row = sn_add_on_line(c, joint, 0, carrier);
  if (other->has_frame)
    hold_frames(c, joint, row);
  else
    hold_line(c, joint, row, carrier);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_prismatic = {
    .kind = {.name = "prismatic",
             .category = SN_JOINTS,
             .summary = "translation along an axis without rotation",
             .fields = prismatic_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = prismatic_compile,
};
