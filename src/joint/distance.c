/* distance.c - massless rod between two points: ((r_j - r_i)^2 - L^2)/(2 L) = 0. */
#include "joint/joints.h"
#include "joint/primitive.h"
#include "math/vec3.h"

typedef struct distance_spec {
  sn_joint_spec head;
  double length;
} distance_spec;

static const sn_field distance_fields[] = {
    {"between", SN_MARKERS, SN_AT(sn_joint_spec, between), .required = true, .help = "two markers, both with a point",
     .example = "[\"ground.at(0, 1, 0)\", my_body.start]"},
    {"length", SN_REAL, SN_AT(distance_spec, length), .unit = "m", .limits = SN_POSITIVE,
     .help = "constant distance; default: the initial distance"},
    {0},
};

static void distance_compile(sn_compiler *c, sn_joint *joint) {
  const distance_spec *spec = (const distance_spec *)(const void *)joint->spec;
  sn_probe r[2];
  const sn_marker_ref *ref = spec->head.between;
  if (!sn_resolve(c, &ref[0], &joint->marker[0]) || !sn_resolve(c, &ref[1], &joint->marker[1])) return;
  double d[3], L = spec->length;
  for (int i = 0; i < 2; i++) sn_marker_point(&joint->marker[i], &r[i]);
  sn_sub(d, joint->marker[1].position, joint->marker[0].position);
  if (!sn_given(spec, "length")) L = sn_norm(d);
  if (!(sn_norm(d) > 0)) {
    sn_field_error(&c->reader, joint->spec, "between", "points apart, or a spherical joint",
                   "the points of distance '%s' coincide at the start", joint->name);
    return;
  }
  sn_joint_rows(c, joint, 1);
  sn_add_distance(c, joint, 0, &r[0], &r[1], L);
}

const sn_joint_ops sn_distance = {
    .kind = {.name = "distance",
             .category = SN_JOINTS,
             .summary = "constant distance between two points (massless rod)",
             .fields = distance_fields,
             .spec_size = sizeof(distance_spec)},
    .compile = distance_compile,
};
