/* solid_capsule.c - a cylinder with hemispherical ends: a segment with a margin. */
#include <math.h>

#include "contact/solid.h"
#include "math/vec3.h"

static void capsule_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_item *item = sn_compile_round(b, s, body, SN_ITEM_CAPSULE);
  if (item) item->reach = item->half[0] + item->radius;
}

static void capsule_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  const double *a = place->axis[0];
  double w[3];
  sn_sub(w, c, place->center);
  double x = sn_dot(w, a), t = fmax(-item->half[0], fmin(item->half[0], x));
  sn_axpy(w, -t, a);
  double d = sn_norm(w);
  sn_copy(v->n, place->axis[1]); /* on the axis: any direction */
  if (d > 0) sn_scale(v->n, 1 / d, w);
  v->distance = d - item->radius;
  if (t == x)
    sn_see_about_line(v, a, d);
  else
    sn_see_about_point(v, d);
}

static void capsule_core(const sn_item *item, double rounded, sn_core *core) {
  (void)rounded; /* it has no edges */
  core->straight = 1;
  core->margin = item->radius;
}

static void capsule_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[a];
  for (int k = 0; k < 2; k++) {
    double x[3];
    sn_on_axis(&c->own->solid[a], k ? item->half[0] : -item->half[0], x);
    sn_touch_at(c, pair, a, b, x, item->radius, k, list);
  }
}

static const sn_field capsule_fields[] = {SN_ROUND_FIELDS(", the center of a half sphere")};

const sn_surface_ops sn_surface_capsule = {
    .kind = {.name = "capsule",
             .category = SN_SURFACES,
             .summary = "cylinder with hemispherical ends",
             .fields = capsule_fields,
             .spec_size = sizeof(sn_surface_spec),
             .check = sn_check_ends},
    .compile = capsule_compile,
};

const sn_solid_ops sn_solid_capsule = {
    .size = sn_round_size,
    .bound = sn_round_bound,
    .see = capsule_see,
    .core = capsule_core,
    .on_plane = capsule_plane,
};
