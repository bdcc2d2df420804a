/* surface_solid.c - capsule, cylinder, box and plane on rigid bodies and the ground. */
#include <math.h>
#include <string.h>

#include "contact/surfaces.h"
#include "math/quat.h"

/* A new solid with its carrier; NULL after reporting. */
static sn_item *add_solid(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body, sn_item_shape shape) {
  sn_probe probe;
  if (s->on.point) {
    sn_field_error(&b->compiler->reader, &s->spec, "on", sn_format(b->compiler->arena, "just '%s'", s->on.body),
                   "surface '%s' is defined in the axes of the body, not at a point", s->spec.name);
    return NULL;
  }
  if (!sn_solid_probe(body, s->at, &probe)) {
    sn_field_error(&b->compiler->reader, &s->spec, "on",
                   "a rigid body or the ground; for others: spheres, grid, sphere", "%s '%s' cannot carry a %s",
                   body->ops->kind.name, body->name, s->spec.kind->name);
    return NULL;
  }
  sn_item *item = sn_add_item(b, shape);
  item->carrier = sn_add_carrier(b, body, &probe);
  item = &b->surfaces->item[b->surfaces->items - 1];
  for (int k = 0; k < 3; k++) item->axis[k][k] = 1;
  return item;
}

/* The solid that a body is; none where it only has one to be drawn. */
static sn_geometry solid_of(const sn_body *body) {
  sn_geometry geometry = {0};
  if (body->ops->geometry && body->data) body->ops->geometry(body, &geometry);
  return geometry.is_solid ? geometry : (sn_geometry){0};
}

/* ---- capsule and cylinder ---- */

static void round_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body, sn_item_shape shape) {
  sn_geometry geometry = solid_of(body);
  bool cylinder = geometry.type == SN_GEOMETRY_CYLINDER, ends = sn_given(s, "from");
  double radius = sn_given(s, "radius") ? s->radius : cylinder ? geometry.size[0] : 0;
  if (!(radius > 0) || (!ends && !cylinder)) {
    sn_field_error(&b->compiler->reader, &s->spec, NULL,
                   "'from', 'to' and 'radius', or a body with the shape of a cylinder", "surface '%s' has no %s",
                   s->spec.name, radius > 0 ? "length" : "radius");
    return;
  }
  double from[3] = {-geometry.size[1] / 2, 0, 0}, to[3] = {geometry.size[1] / 2, 0, 0}, d[3];
  if (ends) sn_copy(from, s->from), sn_copy(to, s->to);
  sn_sub(d, to, from);
  double length = sn_normalize(d);
  if (!(length > 0)) {
    sn_field_error(&b->compiler->reader, &s->spec, "to", "a point different from 'from'", "surface '%s' has no length",
                   s->spec.name);
    return;
  }
  sn_item *item = add_solid(b, s, body, shape);
  if (!item) return;
  for (int k = 0; k < 3; k++) item->center[k] = (from[k] + to[k]) / 2;
  sn_copy(item->axis[0], d);
  sn_frame(d, item->axis[1], item->axis[2]);
  item->half[0] = length / 2;
  item->half[1] = item->half[2] = item->radius = radius;
  item->reach = shape == SN_ITEM_CAPSULE ? length / 2 + radius : hypot(length / 2, radius);
}

static void capsule_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  round_compile(b, s, body, SN_ITEM_CAPSULE);
}
static void cylinder_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  round_compile(b, s, body, SN_ITEM_CYLINDER);
}

static void ends_check(sn_reader *reader, const sn_spec *spec) {
  bool from = sn_given(spec, "from"), to = sn_given(spec, "to");
  if (from != to)
    sn_field_error(reader, spec, from ? "from" : "to", "both 'from' and 'to'", "surface '%s' has only one end point",
                   spec->name);
}

#define ROUND_FIELDS(ends)                                                                       \
  SN_SURFACE_ON("rigid body, or the ground", .def = "ground", ),                                 \
      {"from",                                                                                   \
       SN_VECTOR,                                                                                \
       SN_AT(sn_surface_spec, from),                                                             \
       .unit = "m",                                                                              \
       .example = "[0, 0, -1]",                                                                  \
       .help = "first end of the axis" ends ", in the axes of the body"},                        \
      {"to",                                                                                     \
       SN_VECTOR,                                                                                \
       SN_AT(sn_surface_spec, to),                                                               \
       .unit = "m",                                                                              \
       .example = "[0, 0, 1]",                                                                   \
       .help = "second end of the reference line"},                                              \
      {"radius",                                                                                 \
       SN_REAL,                                                                                  \
       SN_AT(sn_surface_spec, radius),                                                           \
       .unit = "m",                                                                              \
       .limits = SN_POSITIVE,                                                                    \
       .example = "0.1",                                                                         \
       .help = "radius; default of the axis and the radius: the cylindrical shape of the body"}, \
      SN_SURFACE_MATERIAL, {                                                                     \
    0                                                                                            \
  }

static const sn_field capsule_fields[] = {ROUND_FIELDS(", the center of a half sphere")};
static const sn_field cylinder_fields[] = {ROUND_FIELDS("")};

const sn_surface_ops sn_surface_capsule = {
    .kind = {.name = "capsule",
             .category = SN_SURFACES,
             .summary = "cylinder with hemispherical ends",
             .fields = capsule_fields,
             .spec_size = sizeof(sn_surface_spec),
             .check = ends_check},
    .compile = capsule_compile,
};

const sn_surface_ops sn_surface_cylinder = {
    .kind = {.name = "cylinder",
             .category = SN_SURFACES,
             .summary = "cylinder with flat ends",
             .fields = cylinder_fields,
             .spec_size = sizeof(sn_surface_spec),
             .check = ends_check},
    .compile = cylinder_compile,
};

/* ---- box ---- */

static void box_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = solid_of(body);
  bool box = geometry.type == SN_GEOMETRY_BOX;
  if (!sn_given(s, "size") && !box) {
    sn_field_error(&b->compiler->reader, &s->spec, NULL, "a 'size', or a body with the shape of a box",
                   "surface '%s' has no size", s->spec.name);
    return;
  }
  sn_item *item = add_solid(b, s, body, SN_ITEM_BOX);
  if (!item) return;
  for (int k = 0; k < 3; k++) {
    double e[3] = {k == 0, k == 1, k == 2};
    sn_quat_rotate(s->rotation, e, item->axis[k]);
    item->half[k] = (sn_given(s, "size") ? s->size[k] : geometry.size[k]) / 2;
  }
  sn_copy(item->center, s->at);
  item->reach = sn_norm(item->half);
}

static const sn_field box_fields[] = {
    SN_SURFACE_ON("rigid body, or the ground", .def = "ground", ),
    {"size", SN_VECTOR, SN_AT(sn_surface_spec, size), .unit = "m", .limits = SN_POSITIVE, .example = "[1, 1, 1]",
     .help = "edge lengths; default: those of the box shape of the body"},
    {"at", SN_VECTOR, SN_AT(sn_surface_spec, at), .unit = "m", .def = "[0, 0, 0]", .help = "center, in body axes"},
    {"rotation", SN_ROTATION, SN_AT(sn_surface_spec, rotation), .def = "[1, 0, 0, 0]",
     .help = "orientation of the edges, in body axes"},
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_box = {
    .kind = {.name = "box",
             .category = SN_SURFACES,
             .summary = "box",
             .fields = box_fields,
             .spec_size = sizeof(sn_surface_spec)},
    .compile = box_compile,
};

/* ---- plane ---- */

static void plane_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  double n[3];
  sn_copy(n, s->normal);
  if (!(sn_normalize(n) > 0)) {
    sn_field_error(&b->compiler->reader, &s->spec, "normal", "a direction", "the normal of surface '%s' is zero",
                   s->spec.name);
    return;
  }
  sn_check_plane(b->compiler, &s->spec, "normal", n);
  sn_item *item = add_solid(b, s, body, SN_ITEM_PLANE);
  if (!item) return;
  sn_copy(item->center, s->at);
  sn_copy(item->axis[0], n);
  sn_frame(n, item->axis[1], item->axis[2]);
  item->reach = INFINITY;
}

static const sn_field plane_fields[] = {
    SN_SURFACE_ON("rigid body, or the ground", .def = "ground", ),
    {"at", SN_VECTOR, SN_AT(sn_surface_spec, at), .unit = "m", .def = "[0, 0, 0]",
     .help = "a point of the plane, in body axes"},
    {"normal", SN_VECTOR, SN_AT(sn_surface_spec, normal), .required = true, .example = "[0, 1, 0]",
     .help = "outward normal, in body axes"},
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_plane = {
    .kind = {.name = "plane",
             .category = SN_SURFACES,
             .summary = "half-space bounded by a plane",
             .fields = plane_fields,
             .spec_size = sizeof(sn_surface_spec)},
    .compile = plane_compile,
};
