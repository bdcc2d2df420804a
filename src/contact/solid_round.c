/* solid_round.c - what capsule and cylinder share: an axis and a radius about it. */
#include <math.h>

#include "contact/solid.h"
#include "math/vec3.h"

sn_item *sn_compile_round(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body, sn_item_shape shape) {
  sn_geometry geometry = sn_solid_of_body(body);
  bool cylinder = geometry.type == SN_GEOMETRY_CYLINDER, ends = sn_given(s, "from");
  double radius = sn_given(s, "radius") ? s->radius : cylinder ? geometry.size[0] : 0;
  if (!(radius > 0) || (!ends && !cylinder)) {
    sn_field_error(&b->compiler->reader, &s->spec, NULL,
                   "'from', 'to' and 'radius', or a body with the shape of a cylinder", "surface '%s' has no %s",
                   s->spec.name, radius > 0 ? "length" : "radius");
    return NULL;
  }
  double from[3] = {-geometry.size[1] / 2, 0, 0}, to[3] = {geometry.size[1] / 2, 0, 0}, d[3];
  if (ends) sn_copy(from, s->from), sn_copy(to, s->to);
  sn_sub(d, to, from);
  double length = sn_normalize(d);
  if (!(length > 0)) {
    sn_field_error(&b->compiler->reader, &s->spec, "to", "a point different from 'from'", "surface '%s' has no length",
                   s->spec.name);
    return NULL;
  }
  sn_item *item = sn_add_solid(b, s, body, shape);
  if (!item) return NULL;
  for (int k = 0; k < 3; k++) item->center[k] = (from[k] + to[k]) / 2;
  sn_copy(item->axis[0], d);
  sn_frame(d, item->axis[1], item->axis[2]);
  item->half[0] = length / 2;
  item->half[1] = item->half[2] = item->radius = radius;
  return item;
}

void sn_check_ends(sn_reader *reader, const sn_spec *spec) {
  bool from = sn_given(spec, "from"), to = sn_given(spec, "to");
  if (from != to)
    sn_field_error(reader, spec, from ? "from" : "to", "both 'from' and 'to'", "surface '%s' has only one end point",
                   spec->name);
}

double sn_round_size(const sn_item *item) {
  return item->radius;
}

void sn_round_bound(const sn_item *item, const sn_solid_place *place, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double u = fabs(place->axis[0][k]) * item->half[0], r = item->radius;
    low[k] = place->center[k] - u - r;
    high[k] = place->center[k] + u + r;
  }
}
