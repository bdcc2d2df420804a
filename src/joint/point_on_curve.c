/* point_on_curve.c - a point of one body stays on a curve carried by another: bead on a wire, car on a track. The
 * constraint is that of guide.h, without friction. */
#include "joint/guide.h"
#include "joint/joints.h"

typedef struct curve_spec {
  sn_joint_spec head;
  sn_curve_spec curve;
} curve_spec;

static const sn_field curve_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .required = true,
     .help = "the body that carries the curve (a rigid body, the ground, or a body with a frame), and the point",
     .example = "[ground, my_body.start]"},
    SN_CURVE_FIELDS(curve_spec, curve, "false", "[2*s - 1, (2*s - 1)^2, 0]"),
    {0},
};

static void curve_compile(sn_compiler *c, sn_joint *joint) {
  static const double global[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const curve_spec *spec = (const curve_spec *)(const void *)joint->spec;
  const sn_marker *m = joint->marker;
  if (!sn_joint_markers(c, joint)) return;
  if (!m[0].has_frame) {
    sn_field_error(&c->reader, joint->spec, "between", "a rigid body or the ground first; cables have no frame",
                   "%s '%s' has no frame to carry the curve of %s '%s'", m[0].body->ops->kind.name, m[0].body->name,
                   joint->spec->kind->name, joint->name);
    return;
  }
  int dim = c->model->dim;
  sn_guide x = {.type = dim == 3 ? SN_GUIDE_SPACE : SN_GUIDE_PLANE, .axes = dim, .side = 1};
  x.curve = sn_make_curve(c, joint->spec, &spec->curve, m[0].position, global, dim);
  if (!x.curve) return;
  if (dim == 3 && sn_curve_base(x.curve, x.base) < -0.99) {
    sn_field_error(&c->reader, joint->spec, NULL, "several joints with parts of the curve, in stages",
                   "the tangents of the curve of '%s' point in all directions of space", joint->name);
    return;
  }
  for (int k = 0; k < dim; k++) m[0].body->ops->direction(&m[0], global[k], &x.probe[k]);
  sn_marker_point(&m[0], &x.probe[dim]);
  sn_marker_point(&m[1], &x.probe[dim + 1]);
  sn_add_guide(c, joint, &x);
  sn_joint_hold(c, joint, 0, &m[0]);
  joint->has_ends = !x.curve->closed;
  if (!x.curve->closed)
    joint->warning =
        sn_format(c->arena, "the point of point-on-curve '%s' is beyond the end of the curve", joint->name);
}

const sn_joint_ops sn_point_on_curve = {
    .kind = {.name = "point-on-curve",
             .category = SN_JOINTS,
             .summary = "a point stays on a smooth curve of another body, given by points or formulas",
             .fields = curve_fields,
             .spec_size = sizeof(curve_spec),
             .check = sn_curve_check},
    .compile = curve_compile,
    .doubt = sn_guide_beyond,
};
