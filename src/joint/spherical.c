/* spherical.c - two points coincide: r_i - r_j = 0 (3 equations; 2 in a planar model). On an edge of a plate the whole
 * line is tied: position and the slope along the edge, t_i = t_j, at each of its nodes; the plate turns about it. */
#include "joint/joints.h"
#include "joint/primitive.h"

static const sn_field spherical_fields[] = {SN_BETWEEN_FIELD, {0}};

static void spherical_compile(sn_compiler *c, sn_joint *joint) {
  sn_probe r[2];
  sn_marker pair[2];
  int points = sn_joint_points(c, joint), dim = c->model->dim;
  for (int k = 0; k < points; k++) {
    sn_joint_pair(c, joint, k, pair);
    for (int i = 0; i < 2; i++) sn_marker_point(&pair[i], &r[i]);
    int side = joint->marker[0].points > 1 ? 0 : 1, along = pair[side].along,
        slopes = points == 1 ? 0
                 : along > 1 ? 2
                             : 1;
    sn_joint_rows(c, joint, dim * (1 + slopes));
    sn_add_coincident(c, joint, 0, &r[0], &r[1], true);
    for (int s = 0; s < slopes; s++) sn_joint_tie_slope(c, joint, dim * (1 + s), pair, side, along > 1 ? s : along);
  }
}

const sn_joint_ops sn_spherical = {
    .kind = {.name = "spherical",
             .category = SN_JOINTS,
             .summary = "two points coincide, rotation is free",
             .fields = spherical_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = spherical_compile,
};
