/* solid_plane.c - a half space bounded by a plane. */
#include <math.h>

#include "contact/solid.h"
#include "math/vec3.h"

static void plane_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  double n[3];
  sn_copy(n, s->normal);
  if (!(sn_normalize(n) > 0)) {
    sn_field_error(&b->compiler->reader, &s->spec, "normal", "a direction", "the normal of surface '%s' is zero",
                   s->spec.name);
    return;
  }
  sn_check_plane(b->compiler, &s->spec, "normal", n);
  sn_item *item = sn_add_solid(b, s, body, SN_ITEM_PLANE);
  if (!item) return;
  sn_copy(item->center, s->at);
  sn_copy(item->axis[0], n);
  sn_frame(n, item->axis[1], item->axis[2]);
  item->reach = INFINITY;
}

static double plane_size(const sn_item *item) {
  (void)item;
  return INFINITY;
}

static void plane_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  (void)item;
  double w[3];
  sn_sub(w, c, place->center);
  sn_copy(v->n, place->axis[0]);
  v->distance = sn_dot(w, v->n);
}

static const sn_field plane_fields[] = {
    SN_SURFACE_ON("rigid body, or the ground", .def = "ground", ),
    {"at", SN_VECTOR, SN_AT(sn_surface_spec, at), .unit = "m", .def = "[0, 0, 0]",
     .help = "a point of the plane, in body axes", .example = "[0, -0.5, 0]"},
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

const sn_solid_ops sn_solid_plane = {.size = plane_size, .see = plane_see};
