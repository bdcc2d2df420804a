/* tie.c - linear relations between coordinates of joints: gear, rack, tie; and `coordinate`, which only measures.
 *
 *   gear   ratio phi_1 - phi_2 = 0                 angles from the start
 *   rack   radius phi - s = 0
 *   tie    sum factor_k x_k - f(t) = 0             coordinates from the start
 *
 * See relation.h for angles of many turns.
 */
#include <math.h>

#include "joint/joints.h"
#include "joint/primitive.h"
#include "joint/relation.h"
#include "math/vec3.h"

/* ---- coordinate: no equation ---- */

static const sn_field coordinate_fields[] = {
    SN_BETWEEN_FIELD,
    SN_AXIS_FIELD("axis of the angle and the travel, carried by the first body,", .def = "[0, 0, 1]"),
    SN_CARRIER_FIELD,
    {0},
};

static void coordinate_compile(sn_compiler *c, sn_joint *joint) {
  const sn_joint_spec *spec = (const sn_joint_spec *)(const void *)joint->spec;
  double axis[3];
  if (!sn_joint_markers(c, joint) || !sn_joint_axis(c, joint, spec->axis, axis)) return;
  if (axis[2] != 0 && !sn_joint_across_plane(c, joint)) return;
  if (sn_joint_carrier(c, joint, NULL) < 0) return;
  sn_coordinate x;
  bool in_plane = c->model->dim == 3 || axis[2] == 0;
  joint->has_rotation = (c->model->dim == 3 || !in_plane) && !sn_make_rotation(c->model, joint->marker, axis, &x);
  joint->has_translation = in_plane;
}

const sn_joint_ops sn_coordinate_joint = {
    .kind = {.name = "coordinate",
             .category = SN_JOINTS,
             .summary = "angle and travel between two markers without constraint, for ties, drivers and outputs",
             .fields = coordinate_fields,
             .spec_size = sizeof(sn_joint_spec)},
    .compile = coordinate_compile,
};

/* ---- relations ---- */

/* What they have in common, the first member of their specs: no markers of their own. */
typedef struct relation_spec {
  sn_spec spec;
  sn_coordinate_refs joints;
} relation_spec;

#define JOINTS_FIELD(text, shown) \
  { "joints", SN_COORDINATES, SN_AT(relation_spec, joints), .required = true, .help = text, .example = shown }

static bool begin(sn_compiler *c, sn_joint *joint, const sn_coordinate_type *wanted, sn_relation *x) {
  return sn_relation_coordinates(c, joint, &((const relation_spec *)(const void *)joint->spec)->joints, wanted, x);
}

static void finish(sn_compiler *c, sn_joint *joint, const sn_relation *x, const char *field) {
  if (sn_add_relation(c, joint, x)) return;
  sn_field_error(&c->reader, joint->spec, field, "a ratio of integers up to 10000",
                 "in space %s '%s' needs a ratio of integers", joint->spec->kind->name, joint->name);
}

static bool two_joints(sn_reader *reader, const sn_spec *spec) {
  int count = ((const relation_spec *)(const void *)spec)->joints.count;
  if (count != 2)
    sn_field_error(reader, spec, "joints", "two joints", "%s '%s' names %d joint%s", spec->kind->name, spec->name,
                   count, count == 1 ? "" : "s");
  return count == 2;
}

/* ---- gear ---- */

typedef struct gear_spec {
  relation_spec head;
  double ratio;
  sn_reals teeth;
  bool inside;
} gear_spec;

static const sn_field gear_fields[] = {
    JOINTS_FIELD("the two revolute joints of the gears", "[my_hinge, my_other_hinge]"),
    {"ratio", SN_REAL, SN_AT(gear_spec, ratio),
     .help = "angle of the second revolute joint over that of the first, about their own axes; negative for external "
             "gears"},
    {"teeth", SN_REALS, SN_AT(gear_spec, teeth), .limits = SN_POSITIVE,
     .help = "numbers of teeth (or radii) of both gears, instead of the ratio; external gears rotate in opposite "
             "directions",
     .example = "[20, 40]"},
    {"inside", SN_BOOL, SN_AT(gear_spec, inside), .def = "false", .help = "internal gear"},
    {0},
};

static void gear_check(sn_reader *reader, const sn_spec *spec) {
  const gear_spec *s = (const gear_spec *)(const void *)spec;
  bool ratio = sn_given(spec, "ratio"), teeth = sn_given(spec, "teeth");
  if (!two_joints(reader, spec)) return;
  if (ratio == teeth)
    sn_field_error(reader, spec, ratio ? "ratio" : NULL, "one of: ratio, teeth", "gear '%s' has %s", spec->name,
                   ratio ? "two ratios" : "no ratio");
  else if (teeth && s->teeth.count != 2)
    sn_field_error(reader, spec, "teeth", "two numbers", "gear '%s' has %d wheels", spec->name, s->teeth.count);
  else if (ratio && s->ratio == 0)
    sn_field_error(reader, spec, "ratio", "a ratio other than 0", "gear '%s' has a ratio of zero", spec->name);
}

static void gear_compile(sn_compiler *c, sn_joint *joint) {
  static const sn_coordinate_type rotations[] = {SN_ROTATION_COORDINATE, SN_ROTATION_COORDINATE};
  const gear_spec *s = (const gear_spec *)(const void *)joint->spec;
  sn_relation x;
  if (!begin(c, joint, rotations, &x)) return;
  x.w[0] = s->ratio;
  x.w[1] = -1;
  if (sn_given(s, "teeth")) {
    x.w[0] = s->teeth.value[0] / s->teeth.value[1];
    x.w[1] = s->inside ? -1 : 1;
  }
  finish(c, joint, &x, sn_given(s, "teeth") ? "teeth" : "ratio");
}

const sn_joint_ops sn_gear = {
    .kind = {.name = "gear",
             .category = SN_JOINTS,
             .summary = "constant ratio of the angles of two revolute joints, for any number of revolutions",
             .fields = gear_fields,
             .spec_size = sizeof(gear_spec),
             .check = gear_check},
    .after = true,
    .compile = gear_compile,
};

/* ---- rack ---- */

typedef struct rack_spec {
  relation_spec head;
  double radius;
} rack_spec;

static const sn_field rack_fields[] = {
    JOINTS_FIELD("the revolute joint of the pinion, then the prismatic joint of the rack", "[my_hinge, my_slider]"),
    {"radius", SN_REAL, SN_AT(rack_spec, radius), .unit = "m", .required = true,
     .help = "travel of the rack per radian of the pinion; the sign gives the direction"},
    {0},
};

static void rack_check(sn_reader *reader, const sn_spec *spec) {
  if (two_joints(reader, spec) && ((const rack_spec *)(const void *)spec)->radius == 0)
    sn_field_error(reader, spec, "radius", "a radius other than 0", "rack '%s' cannot move", spec->name);
}

static void rack_compile(sn_compiler *c, sn_joint *joint) {
  static const sn_coordinate_type types[] = {SN_ROTATION_COORDINATE, SN_TRANSLATION_COORDINATE};
  const rack_spec *s = (const rack_spec *)(const void *)joint->spec;
  sn_relation x;
  if (!begin(c, joint, types, &x)) return;
  x.w[0] = s->radius;
  x.w[1] = -1;
  finish(c, joint, &x, "radius");
}

const sn_joint_ops sn_rack = {
    .kind = {.name = "rack",
             .category = SN_JOINTS,
             .summary = "travel of a prismatic joint proportional to the angle of a revolute joint",
             .fields = rack_fields,
             .spec_size = sizeof(rack_spec),
             .check = rack_check},
    .after = true,
    .compile = rack_compile,
};

/* ---- tie ---- */

typedef struct tie_spec {
  relation_spec head;
  sn_reals factors;
  const sn_expr *value;
} tie_spec;

static const sn_field tie_fields[] = {
    JOINTS_FIELD("up to four coordinates: joint, joint.rotation or joint.translation, each from its start",
                 "[my_hinge, my_other_hinge]"),
    {"factors", SN_REALS, SN_AT(tie_spec, factors), .required = true, .help = "factor of each coordinate",
     .example = "[1, -2]"},
    {"value", SN_FUNCTION, SN_AT(tie_spec, value), .def = "0", .help = "value of the sum of factor times coordinate"},
    {0},
};

static void tie_check(sn_reader *reader, const sn_spec *spec) {
  const tie_spec *s = (const tie_spec *)(const void *)spec;
  if (s->factors.count != s->head.joints.count)
    sn_field_error(reader, spec, "factors", "as many factors as joints", "tie '%s' has %d joints but %d factors",
                   spec->name, s->head.joints.count, s->factors.count);
  for (int k = 0; k < s->factors.count; k++)
    if (s->factors.value[k] == 0)
      sn_field_error(reader, spec, "factors", "factors other than 0", "a factor of tie '%s' is 0", spec->name);
}

static void tie_compile(sn_compiler *c, sn_joint *joint) {
  const tie_spec *s = (const tie_spec *)(const void *)joint->spec;
  sn_relation x;
  if (!begin(c, joint, NULL, &x)) return;
  for (int k = 0; k < x.terms; k++) x.w[k] = s->factors.value[k];
  if (!sn_expr_is_constant(s->value) || sn_expr_value(s->value, 0) != 0) x.f = s->value;
  finish(c, joint, &x, "factors");
}

const sn_joint_ops sn_tie = {
    .kind = {.name = "tie",
             .category = SN_JOINTS,
             .summary = "linear relation between coordinates of joints, constant or driven in time",
             .fields = tie_fields,
             .spec_size = sizeof(tie_spec),
             .check = tie_check},
    .after = true,
    .compile = tie_compile,
};
