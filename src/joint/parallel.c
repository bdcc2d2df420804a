/* parallel.c - an axis of one body stays parallel to an axis of the other; positions are free. */
#include "joint/joints.h"
#include "joint/primitive.h"

static const sn_field parallel_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("common direction; it may be the tangent of a cable or a normal of it,", .required = true,
                  .example = "[0, 0, 1]"),
    {0},
};

static void parallel_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  double axis[3];
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis) || !sn_joint_in_plane(c, joint)) return;
  int carrier = sn_joint_carrier(c, joint, NULL);
  int rows = carrier < 0 ? 0 : sn_parallel_rows(c, joint, carrier, "a body with an orientation");
  if (!rows) return;
  sn_joint_rows(c, joint, rows);
  sn_add_parallel(c, joint, 0, carrier);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_parallel = {
    .kind = {.name = "parallel",
             .category = SN_JOINTS,
             .summary = "axes of two bodies stay parallel; positions are free",
             .fields = parallel_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = parallel_compile,
};
