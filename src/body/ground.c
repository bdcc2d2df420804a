/* ground.c - the frame everything stands in. It has no coordinates and always exists, named "ground". */
#include <string.h>

#include "body/bodies.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct ground_spec {
  sn_spec spec;
  sn_point_map points;
} ground_spec;

static const sn_field ground_fields[] = {
    {"points", SN_POINT_MAP, SN_AT(ground_spec, points), .unit = "m", .help = "named points: {name: [x, y, z], ...}"},
    {0},
};

static void ground_place(const sn_body *body, sn_marker *marker) {
  (void)body;
  sn_copy(marker->local, marker->position);
}

static bool ground_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const ground_spec *spec = (const ground_spec *)(const void *)body->spec;
  marker->has_frame = true;
  if (!sn_local_point(c, body, ref, NULL, &spec->points, marker->position)) return false;
  ground_place(body, marker);
  return true;
}

static void ground_point(const sn_marker *marker, sn_probe *probe) {
  sn_constant_probe(marker->position, probe);
}

static void ground_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  (void)marker;
  sn_constant_probe(direction, probe);
}

static double ground_angle(const sn_marker *marker, sn_probe *probe) {
  static const double none[3] = {0, 0, 0};
  (void)marker;
  sn_constant_probe(none, probe);
  return 0;
}

const sn_body_ops sn_ground = {
    .kind = {.name = "ground",
             .category = SN_BODIES,
             .summary = "the inertial frame; always present",
             .fields = ground_fields,
             .spec_size = sizeof(ground_spec)},
    .planar = &sn_ground,
    .marker = ground_marker,
    .place = ground_place,
    .point = ground_point,
    .direction = ground_direction,
    .angle = ground_angle,
};
