/* planar.c - two bodies slide on a common plane: n_i.d = 0, and the normals stay parallel. */
#include "joint/joints.h"
#include "joint/primitive.h"

static const sn_field planar_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("normal of the plane", .required = true, .example = "[1, -1, 0]"),
    {0},
};

static void planar_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  double axis[3];
  if (c->model->dim == 2) {
    sn_joint_only_in_space(c, joint, "nothing: all bodies are in one plane; or a point-on-line joint");
    return;
  }
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis)) return;
  int carrier = sn_joint_carrier(c, joint, "a spherical joint");
  int rows = carrier < 0 ? 0 : sn_parallel_rows(c, joint, carrier, "a point-on-plane joint");
  if (!rows) return;
  joint->has_rotation = true;
  sn_joint_rows(c, joint, 1 + rows);
  sn_add_slide(c, joint, 0, carrier, axis);
  sn_add_parallel(c, joint, 1, carrier);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_planar = {
    .kind = {.name = "planar",
             .category = SN_JOINTS,
             .summary = "two bodies translate and rotate in a common plane",
             .fields = planar_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = planar_compile,
};
