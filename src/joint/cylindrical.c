/* cylindrical.c - shaft in a bearing: the second point stays on the axis through the first, x_i.d = y_i.d = 0, and the
 * axes stay parallel. The rotation about the axis and the displacement along it are free. */
#include "joint/joints.h"
#include "joint/primitive.h"

static const sn_field cylindrical_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("axis of rotation and sliding", .required = true, .example = "[1, -1, 0]"),
    SN_CARRIER_FIELD,
    {0},
};

static void cylindrical_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  double axis[3];
  if (c->model->dim == 2) {
    sn_joint_only_in_space(c, joint, "a prismatic joint, or a point-on-line joint where the body may turn");
    return;
  }
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis)) return;
  int carrier = sn_joint_carrier(c, joint, "a spherical joint");
  int rows = carrier < 0 ? 0 : sn_parallel_rows(c, joint, carrier, "a point-on-line joint");
  if (!rows) return;
  joint->has_rotation = joint->has_translation = true;
  sn_joint_rows(c, joint, 2 + rows);
  sn_add_parallel(c, joint, sn_add_on_line(c, joint, 0, carrier), carrier);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_cylindrical = {
    .kind = {.name = "cylindrical",
             .category = SN_JOINTS,
             .summary = "rotation about an axis and translation along it",
             .fields = cylindrical_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = cylindrical_compile,
};
