/* motion.c - driver: one relative rotation or translation follows a function of time.
 *
 *   translation  a_i . (r_j - r_i) - c = f(t), c its value at the start
 *   rotation     phi - f(t) = 0, phi the angle about the axis (coordinate.h), for any number of turns (relation.h)
 *   joint        the same with the angle or travel of a joint
 */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/relation.h"
#include "math/vec3.h"

typedef struct motion_spec {
  sn_joint_spec head;
  const sn_expr *rotation, *translation;
  const char *joint; /* the one it drives, in place of markers and axis */
} motion_spec;

static const sn_field motion_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .help = "two markers, the first on a body with a frame",
     .example = "[ground, my_body.start]"},
    {"joint", SN_JOINT_NAME, SN_AT(motion_spec, joint),
     .help = "joint whose angle or travel is driven, instead of markers and axis"},
    {"axis", SN_VECTOR, SN_AT(sn_joint_spec, axis), .def = "[0, 0, 1]",
     .help = "initial axis, global; it moves with the first body"},
    {"rotation", SN_FUNCTION, SN_AT(motion_spec, rotation), .example = "2*pi*t", .unit = "rad",
     .help = "rotation of the second body relative to the first about the axis, from the start"},
    {"translation", SN_FUNCTION, SN_AT(motion_spec, translation), .unit = "m",
     .help = "translation of the second marker relative to the first along the axis, from the start"},
    {0},
};

static void motion_check(sn_reader *reader, const sn_spec *spec) {
  bool rotation = sn_given(spec, "rotation"), translation = sn_given(spec, "translation");
  bool between = sn_given(spec, "between"), joint = sn_given(spec, "joint");
  if (rotation == translation)
    sn_field_error(reader, spec, rotation ? "translation" : NULL, "one of: rotation, translation",
                   rotation ? "motion '%s' has both a rotation and a translation"
                            : "motion '%s' has neither a rotation nor a translation",
                   spec->name);
  else if (between == joint)
    sn_field_error(reader, spec, between ? "joint" : NULL, "one of: between, joint",
                   between ? "motion '%s' has both markers and a joint" : "motion '%s' has neither markers nor a joint",
                   spec->name);
  else if (joint && sn_given(spec, "axis"))
    sn_field_error(reader, spec, "axis", "the axis of the joint, without this key",
                   "motion '%s' has two axes: its own and that of the joint", spec->name);
}

/* x - f(t) = 0, x the coordinate of a joint from the start. */
static void drive_joint(sn_compiler *c, sn_joint *joint, const motion_spec *spec) {
  const sn_joint *of = sn_find_joint(c->model, spec->joint);
  sn_relation x = {.terms = 1, .w = {1}, .f = spec->rotation ? spec->rotation : spec->translation};
  if (!of || of->ops->after) {
    sn_field_error(&c->reader, joint->spec, "joint", "a joint with a coordinate of its own",
                   "joint '%s' has no coordinate to drive", spec->joint);
    return;
  }
  sn_coordinate_type type = spec->rotation ? SN_ROTATION_COORDINATE : SN_TRANSLATION_COORDINATE;
  if (!sn_joint_coordinate(c, of, type, joint->spec->node, &x.phi[0])) return;
  sn_joint_as(joint, of);
  sn_add_relation(c, joint, &x);
}

/* The same for the angle between two markers. */
static void drive_rotation(sn_compiler *c, sn_joint *joint, const sn_expr *f) {
  const sn_marker *second = &joint->marker[1];
  sn_relation x = {.terms = 1, .w = {1}, .f = f};
  if (sn_make_rotation(c->model, joint->marker, joint->axis, &x.phi[0])) {
    sn_field_error(&c->reader, joint->spec, second->has_tangent ? "axis" : "between",
                   second->has_tangent ? "an axis normal to the cable" : "a translation, or a body with an orientation",
                   "%s '%s' cannot rotate about this axis", second->body->ops->kind.name, second->body->name);
    return;
  }
  sn_add_relation(c, joint, &x);
  sn_joint_hold_both(c, joint);
}

static void motion_compile(sn_compiler *c, sn_joint *joint) {
  const motion_spec *spec = (const motion_spec *)(const void *)joint->spec;
  double axis[3], d[3];
  sn_probe a, r[2];
  if (spec->joint) {
    drive_joint(c, joint, spec);
    return;
  }
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->head.axis, axis)) return;
  const sn_marker *first = &joint->marker[0], *second = &joint->marker[1];
  if (!first->has_frame) {
    sn_field_error(&c->reader, joint->spec, "between", "a rigid body or the ground first",
                   "the first body of motion '%s' cannot carry its axis", joint->name);
    return;
  }
  if (spec->rotation) {
    if (sn_joint_across_plane(c, joint)) drive_rotation(c, joint, spec->rotation);
    return;
  }
  if (!sn_joint_in_plane(c, joint)) return;
  sn_joint_rows(c, joint, 1);
  for (int i = 0; i < 2; i++) sn_marker_point(&joint->marker[i], &r[i]);
  sn_marker_direction(first, axis, &a);
  sn_sub(d, second->position, first->position);
  sn_add_offset(c, joint, 0, 0, &a, &r[0], &r[1], sn_dot(axis, d), spec->translation);
  sn_joint_hold(c, joint, 0, first);
}

const sn_joint_ops sn_motion = {
    .kind = {.name = "motion",
             .category = SN_JOINTS,
             .summary = "driver: prescribed rotation or translation f(t)",
             .fields = motion_fields,
             .spec_size = sizeof(motion_spec),
             .check = motion_check},
    .after = true,
    .compile = motion_compile,
};
