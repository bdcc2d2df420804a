/* roll.c - joints without sliding: a sphere or a disk rolls on a plane, an edge moves only along itself.
 *
 *   rolling     sphere: n.(r_j - r_i) - R = 0;  disk with the axis d: n.(r_j - r_i) - R sqrt(1 - (n.d)^2) = 0 (guide.h);
 *               no slip at the point of contact (rolling.h)
 *   knife-edge  no velocity of a point across the edge (rolling.h)
 */
#include "joint/guide.h"
#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/rolling.h"
#include "math/vec3.h"

typedef struct rolling_spec {
  sn_joint_spec head;
  double radius, normal[3];
} rolling_spec;

static const sn_field rolling_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .required = true,
     .help = "a point of the plane on the body that carries it (the ground, or a body with a frame), and the center of "
             "the sphere or disk",
     .example = "[\"ground.at(0, -0.1, 0)\", my_body.start]"},
    {"radius", SN_REAL, SN_AT(rolling_spec, radius), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "radius of the sphere or disk", .example = "0.1"},
    {"normal", SN_VECTOR, SN_AT(rolling_spec, normal), .required = true,
     .help = "normal of the plane at the start, global, toward the rolling body", .example = "[0, 1, 0]"},
    SN_AXIS_FIELD("a thin disk with this axis, in space; without it a sphere (in planar models a circle); the axis",
                  .def = "[0, 0, 0]"),
    {0},
};

static bool has_frames(sn_compiler *c, const sn_joint *joint) {
  for (int i = 0; i < 2; i++) {
    const sn_marker *m = &joint->marker[i];
    if (m->has_frame) continue;
    sn_field_error(&c->reader, joint->spec, "between", "rigid bodies, the ground, or other bodies with a frame",
                   "%s '%s' has no frame for %s '%s'", m->body->ops->kind.name, m->body->name, joint->spec->kind->name,
                   joint->name);
    return false;
  }
  return true;
}

/* A body alone elsewhere stands for its point at the other marker; here the two points are a radius apart. */
static bool has_points(sn_compiler *c, const sn_joint *joint) {
  for (int i = 0; i < 2; i++) {
    const sn_marker_ref *ref = joint->marker[i].ref;
    if (ref->point) continue;
    sn_node_error(
        &c->reader, ref->node,
        sn_format(c->arena, i ? "its center, such as %s.center" : "a point of the plane, such as %s.at(0, 0, 0)",
                  ref->body),
        "'%s' does not specify a point for rolling '%s'", ref->body, joint->name);
    return false;
  }
  return true;
}

static void direction(const sn_joint *joint, int side, const double d[3], sn_probe *probe) {
  joint->marker[side].body->ops->direction(&joint->marker[side], d, probe);
}

/* Directions a of the plane, n last; b of the body, the axis of a disk last. */
static bool set_directions(sn_compiler *c, const sn_joint *joint, bool disk, double a[3][3], double b[3][3]) {
  const rolling_spec *spec = (const rolling_spec *)(const void *)joint->spec;
  int dim = c->model->dim;
  double n[3], d[3], z[3] = {0, 0, 1};
  sn_copy(n, spec->normal);
  sn_copy(d, disk ? spec->head.axis : z);
  if (!(sn_normalize(n) > 0) || (dim == 2 && n[2] != 0) || (disk && !(sn_normalize(d) > 0))) {
    sn_field_error(&c->reader, joint->spec, "normal", dim == 2 ? "a direction in the plane" : "directions",
                   "the normal or axis of rolling '%s' has no length or leaves the plane", joint->name);
    return false;
  }
  if (disk && fabs(sn_dot(n, d)) > 0.9999) {
    sn_field_error(&c->reader, joint->spec, "axis", "an axis inclined to the normal",
                   "the disk of rolling '%s' lies flat on the plane", joint->name);
    return false;
  }
  if (dim == 2) {
    sn_cross(a[0], n, z);
    sn_copy(a[1], n);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++) b[k][i] = k == i;
  } else {
    sn_copy(a[2], n);
    sn_frame(n, a[0], a[1]);
    sn_copy(b[2], d);
    sn_frame(d, b[0], b[1]);
  }
  return true;
}

/* The center of a disk above the plane, as a function of its inclination. */
static void add_height(sn_compiler *c, sn_joint *joint, const double n[3], const double axis[3], bool disk) {
  const rolling_spec *spec = (const rolling_spec *)(const void *)joint->spec;
  sn_probe a, r[2];
  direction(joint, 0, n, &a);
  for (int i = 0; i < 2; i++) sn_marker_point(&joint->marker[i], &r[i]);
  if (disk) {
    sn_guide x = {.type = SN_GUIDE_RIM, .axes = 1, .radius = spec->radius, .probe = {a, r[0], r[1]}};
    direction(joint, 1, axis, &x.probe[3]);
    sn_add_guide(c, joint, &x);
    return;
  }
  sn_joint_rows(c, joint, 1);
  sn_add_offset(c, joint, 0, 0, &a, &r[0], &r[1], spec->radius, NULL);
}

static void rolling_compile(sn_compiler *c, sn_joint *joint) {
  const rolling_spec *spec = (const rolling_spec *)(const void *)joint->spec;
  int dim = c->model->dim;
  bool disk = dim == 3 && sn_given(spec, "axis");
  double a[3][3], b[3][3];
  if (!sn_joint_markers(c, joint) || !has_frames(c, joint) || !has_points(c, joint)) return;
  if (!set_directions(c, joint, disk, a, b)) return;
  add_height(c, joint, a[dim - 1], b[2], disk);
  sn_rolling x = {.type = disk ? SN_ROLLS_DISK : SN_ROLLS_SPHERE, .radius = spec->radius, .dim = dim};
  for (int k = 0; k < dim; k++) {
    direction(joint, 0, a[k], &x.probe[k]);
    direction(joint, 1, b[k], &x.probe[dim + 2 + k]);
  }
  for (int i = 0; i < 2; i++) sn_marker_point(&joint->marker[i], &x.probe[dim + i]);
  sn_add_rolling(c, joint, &x);
  sn_joint_hold_both(c, joint);
  joint->warning = sn_format(c->arena,
                             "the plane of rolling '%s' pulls for a while: as a constraint it holds a body that would "
                             "lift off; contact of surfaces can part",
                             joint->name);
}

/* Its first equation grows along the normal, and the force on the rolling body is -l along it. */
static const char *rolling_doubt(const sn_model *model, const sn_joint *joint, const double *q, const double *l,
                                 bool *bad) {
  (void)q, (void)bad;
  return sn_joint_pulls(model, joint, l) ? joint->warning : NULL;
}

const sn_joint_ops sn_rolling_joint = {
    .kind = {.name = "rolling",
             .category = SN_JOINTS,
             .summary = "a sphere or disk rolls on a plane without slip; it never leaves the plane, and a run in which "
                        "the plane pulls is doubtful",
             .fields = rolling_fields,
             .spec_size = sizeof(rolling_spec)},
    .compile = rolling_compile,
    .doubt = rolling_doubt,
};

/* ---- knife edge ---- */

static const sn_field edge_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .required = true,
     .help = "the body on which the edge glides (the ground, or a body with a frame), and the point of the edge",
     .example = "[ground, my_body.start]"},
    SN_AXIS_FIELD("direction across the edge, fixed to the second body,", .required = true, .example = "[1, -1, 0]"),
    {0},
};

static void edge_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  int dim = c->model->dim;
  double axis[3];
  if (!sn_joint_markers(c, joint) || !has_frames(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis) ||
      !sn_joint_in_plane(c, joint))
    return;
  sn_rolling x = {.type = SN_KNIFE_EDGE, .dim = dim};
  for (int k = 0; k < dim; k++) {
    double e[3] = {k == 0, k == 1, k == 2};
    direction(joint, 0, e, &x.probe[k]);
  }
  for (int i = 0; i < 2; i++) sn_marker_point(&joint->marker[i], &x.probe[dim + i]);
  direction(joint, 1, axis, &x.probe[dim + 2]);
  sn_add_rolling(c, joint, &x);
  sn_joint_hold_both(c, joint);
}

const sn_joint_ops sn_knife_edge = {
    .kind = {.name = "knife-edge",
             .category = SN_JOINTS,
             .summary = "a point moves only along an edge of its body, not across it: skate, blade, wheel of a cart",
             .fields = edge_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = edge_compile,
};
