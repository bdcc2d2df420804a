/* cam.c - a cam and its follower, which never part: the center of a roller stays at its radius from the profile, or a
 * flat face stays tangent to it; see guide.h. Both move in planes normal to `axis`, which other joints provide. */
#include <math.h>

#include "joint/guide.h"
#include "joint/joints.h"
#include "math/vec3.h"

typedef struct cam_spec {
  sn_joint_spec head;
  sn_curve_spec profile;
  int follower;
  double radius, face[3];
  bool groove;
} cam_spec;
enum { ROLLER, FLAT };

static const sn_field cam_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .required = true,
     .help = "the cam (a body with a frame), and the follower: the center of its roller, or a point of its flat face",
     .example = "[ground, my_body.start]"},
    SN_CURVE_FIELDS(cam_spec, profile, "true", "[0.2*sin(2*pi*s), 0.2*cos(2*pi*s) - 0.2, 0]"),
    SN_AXIS_FIELD("normal of the plane of the profile,", .def = "[0, 0, 1]"),
    {"follower", SN_CHOICE, SN_AT(cam_spec, follower), .def = "roller", .choices = "roller|flat",
     .help = "shape of the follower; a flat face needs a convex profile"},
    {"radius", SN_REAL, SN_AT(cam_spec, radius), .unit = "m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "radius of the roller; 0: a knife edge"},
    {"face", SN_VECTOR, SN_AT(cam_spec, face), .def = "[0, 0, 0]",
     .help = "flat follower: normal of its face at the start, global"},
    {"groove", SN_BOOL, SN_AT(cam_spec, groove), .def = "false",
     .help =
         "the follower is held on both sides, as by a groove, and the contact may pull; otherwise a run in which it "
         "pulls is bad",
     .example = "true"},
    {0},
};

static void cam_check(sn_reader *reader, const sn_spec *spec) {
  const cam_spec *s = (const cam_spec *)(const void *)spec;
  sn_curve_check(reader, spec);
  if (s->follower == FLAT && !sn_given(spec, "face"))
    sn_field_error(reader, spec, "follower", "face: the normal of the flat face",
                   "cam '%s' has a flat follower without 'face'", spec->name);
  if (s->follower == FLAT && sn_given(spec, "radius"))
    sn_field_error(reader, spec, "radius", "a roller", "cam '%s' has a radius but a flat follower", spec->name);
  if (s->follower == ROLLER && sn_given(spec, "face"))
    sn_field_error(reader, spec, "face", "follower: flat", "cam '%s' has a flat face but a roller", spec->name);
}

/* Curvature along the side of the roller, n.c''/|c'|^2, largest over the profile (of a straight part 0), and least. */
static void curvatures(const sn_curve *x, double side, double *most, double *least) {
  *most = -INFINITY, *least = INFINITY;
  for (int i = 0; i < x->samples; i++) {
    double c[4][3];
    sn_curve_at(x, x->sample_u[i], c);
    double k = side * (c[1][0] * c[2][1] - c[1][1] * c[2][0]) / pow(sn_dot(c[1], c[1]), 1.5);
    *most = fmax(*most, k);
    *least = fmin(*least, k);
  }
}

/* Twice the area within the profile, positive if it runs counterclockwise. */
static double area(const sn_curve *x) {
  double sum = 0;
  for (int i = 0; i < x->samples; i++) {
    const double *a = x->sample[i], *b = x->sample[(i + 1) % x->samples];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum;
}

/* The roller starts on one side of the profile and has room there: R k < 1. A knife edge is outside of a closed one. */
static bool place_roller(sn_compiler *c, const sn_joint *joint, const double d[3], sn_guide *x) {
  double at[4][3], w[3], most, least;
  sn_curve_at(x->curve, sn_curve_nearest(x->curve, d), at);
  sn_sub(w, d, at[0]);
  x->side = at[1][0] * w[1] - at[1][1] * w[0] < 0 ? -1 : 1;
  if (x->radius == 0 && x->curve->closed) x->side = area(x->curve) > 0 ? -1 : 1;
  curvatures(x->curve, x->side, &most, &least);
  if (x->radius * most < 0.999) return true;
  sn_field_error(&c->reader, joint->spec, "radius",
                 sn_format(c->arena, "less than the radius of curvature of the hollow, %g m", 1 / most),
                 "the roller of cam '%s' does not fit into its profile", joint->name);
  return false;
}

/* The profile is convex and lies on one side of the face; m, the normal of the face in the axes of the profile, points
 * away from it. */
static bool place_face(sn_compiler *c, const sn_joint *joint, const sn_curve *curve, const double d[3], double m[3]) {
  double most, least, far[3], end[2];
  curvatures(curve, 1, &most, &least);
  if (!curve->closed || most * least <= 0) {
    sn_field_error(&c->reader, joint->spec, "follower", "a closed convex profile without straight parts, or a roller",
                   "the profile of cam '%s' is not convex: a flat follower would not touch all of it", joint->name);
    return false;
  }
  for (int k = 0; k < 2; k++) {
    double at[4][3];
    sn_scale(far, k ? -1 : 1, m);
    sn_curve_at(curve, sn_curve_farthest(curve, far), at);
    sn_sub(at[0], d, at[0]);
    end[k] = fabs(sn_dot(m, at[0]));
  }
  if (end[1] < end[0]) sn_scale(m, -1, m);
  return true;
}

static bool set_follower(sn_compiler *c, const sn_joint *joint, const double e[3][3], sn_guide *x) {
  const cam_spec *spec = (const cam_spec *)(const void *)joint->spec;
  const sn_marker *m = joint->marker;
  double D[3], d[3] = {0, 0, 0}, face[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
  sn_sub(D, m[1].position, m[0].position);
  for (int k = 0; k < 2; k++) d[k] = sn_dot(e[k], D), face[k] = sn_dot(e[k], spec->face);
  if (x->type == SN_GUIDE_PLANE) return place_roller(c, joint, d, x);
  if (!(sn_normalize(face) > 0) || fabs(sn_dot(e[2], spec->face)) > 1e-9 * sn_norm(spec->face)) {
    sn_field_error(&c->reader, joint->spec, "face", "a direction normal to 'axis'",
                   "the face of cam '%s' is not normal to the plane of the profile", joint->name);
    return false;
  }
  if (!m[1].has_frame) {
    sn_field_error(&c->reader, joint->spec, "between", "a rigid body, or a roller",
                   "%s '%s' has no frame to carry the flat face of cam '%s'", m[1].body->ops->kind.name,
                   m[1].body->name, joint->name);
    return false;
  }
  if (!place_face(c, joint, x->curve, d, face)) return false;
  for (int k = 0; k < 2; k++) sn_axpy(normal, face[k], e[k]);
  m[1].body->ops->direction(&m[1], normal, &x->probe[4]);
  return true;
}

static void cam_compile(sn_compiler *c, sn_joint *joint) {
  const cam_spec *spec = (const cam_spec *)(const void *)joint->spec;
  const sn_marker *m = joint->marker;
  double e[3][3];
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->head.axis, e[2])) return;
  if (!m[0].has_frame) {
    sn_field_error(&c->reader, joint->spec, "between", "a rigid body or the ground first",
                   "%s '%s' has no frame to carry the profile of cam '%s'", m[0].body->ops->kind.name, m[0].body->name,
                   joint->name);
    return;
  }
  if (c->model->dim == 2 && fabs(e[2][2]) < 1) {
    sn_field_error(&c->reader, joint->spec, "axis", "[0, 0, 1]",
                   "the profile of cam '%s' leaves the plane of this model", joint->name);
    return;
  }
  sn_frame(e[2], e[0], e[1]);
  sn_guide x = {.type = spec->follower == FLAT ? SN_GUIDE_FLAT : SN_GUIDE_PLANE, .axes = 2, .radius = spec->radius};
  x.curve = sn_make_curve(c, joint->spec, &spec->profile, m[0].position, (const double(*)[3])e, 2);
  if (!x.curve || !set_follower(c, joint, (const double(*)[3])e, &x)) return;
  for (int k = 0; k < 2; k++) m[0].body->ops->direction(&m[0], e[k], &x.probe[k]);
  sn_marker_point(&m[0], &x.probe[2]);
  sn_marker_point(&m[1], &x.probe[3]);
  sn_add_guide(c, joint, &x);
  sn_joint_hold(c, joint, 0, &m[0]);
  if (spec->follower == FLAT) sn_joint_hold(c, joint, 1, &m[1]);
  joint->has_ends = !x.curve->closed;
  joint->warning = sn_format(c->arena, "the follower of cam '%s' is beyond the end of the profile", joint->name);
  if (spec->groove || (spec->follower == ROLLER && spec->radius == 0 && !x.curve->closed)) return;
  joint->pulls =
      sn_format(c->arena,
                "the contact of cam '%s' pulls for a while: as a constraint it holds a follower that would "
                "lift off; a stiffer spring or more preload keeps the contact, contact of surfaces can part, "
                "and 'groove: true' is a follower that is held on both sides",
                joint->name);
}

/* Phi grows along the normal of the follower, away from the profile, and the force on the follower is -l along it:
 * l > 0 pulls. Which side of an open profile a knife edge touches is not known. */
static const char *cam_doubt(const sn_model *model, const sn_joint *joint, const double *q, const double *l,
                             bool *bad) {
  const char *beyond = sn_guide_beyond(model, joint, q, l, bad);
  if (beyond || !joint->pulls || !sn_joint_pulls(model, joint, l)) return beyond;
  *bad = true;
  return joint->pulls;
}

const sn_joint_ops sn_cam = {
    .kind = {.name = "cam",
             .category = SN_JOINTS,
             .summary = "cam with a follower that never leaves it: roller or flat face",
             .fields = cam_fields,
             .spec_size = sizeof(cam_spec),
             .check = cam_check},
    .compile = cam_compile,
    .doubt = cam_doubt,
};
