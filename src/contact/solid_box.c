/* solid_box.c - a box; convex pairs see its edges rounded. */
#include <math.h>

#include "contact/solid.h"
#include "math/quat.h"

static void box_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = sn_solid_of_body(body);
  bool box = geometry.type == SN_GEOMETRY_BOX;
  if (!sn_given(s, "size") && !box) {
    sn_field_error(&b->compiler->reader, &s->spec, NULL, "a 'size', or a body with the shape of a box",
                   "surface '%s' has no size", s->spec.name);
    return;
  }
  sn_item *item = sn_add_solid(b, s, body, SN_ITEM_BOX);
  if (!item) return;
  for (int k = 0; k < 3; k++) {
    double e[3] = {k == 0, k == 1, k == 2};
    sn_quat_rotate(s->rotation, e, item->axis[k]);
    item->half[k] = (sn_given(s, "size") ? s->size[k] : geometry.size[k]) / 2;
  }
  sn_copy(item->center, s->at);
  item->reach = sn_norm(item->half);
}

static double box_size(const sn_item *item) {
  return sn_lesser(item->half[0], sn_lesser(item->half[1], item->half[2]));
}

static void box_bound(const sn_item *item, const sn_solid_place *place, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double u = fabs(place->axis[0][k]) * item->half[0];
    double r = fabs(place->axis[1][k]) * item->half[1] + fabs(place->axis[2][k]) * item->half[2];
    low[k] = place->center[k] - u - r;
    high[k] = place->center[k] + u + r;
  }
}

static void box_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  double w[3], outside[3] = {0, 0, 0}, least = INFINITY;
  int beyond = 0, face = 0, within = 0;
  double sign[3];
  sn_sub(w, c, place->center);
  for (int k = 0; k < 3; k++) {
    double x = sn_dot(w, place->axis[k]), depth = item->half[k] - fabs(x);
    sign[k] = x < 0 ? -1 : 1;
    if (depth < 0) {
      beyond++;
      sn_axpy(outside, -sign[k] * depth, place->axis[k]);
    } else {
      within = k;
    }
    if (depth < least) least = depth, face = k;
  }
  if (beyond <= 1) {
    sn_scale(v->n, sign[face], place->axis[face]);
    v->distance = -least;
    return;
  }
  double d = sn_norm(outside);
  sn_scale(v->n, 1 / d, outside);
  v->distance = d;
  if (beyond == 2)
    sn_see_about_line(v, place->axis[within], d);
  else
    sn_see_about_point(v, d);
}

static void box_core(const sn_item *item, double rounded, sn_core *core) {
  core->straight = 3;
  core->margin = rounded * box_size(item);
  for (int k = 0; k < 3; k++) core->half[k] -= core->margin;
}

static void corner(const sn_item *item, const sn_solid_place *p, int k, double x[3]) {
  sn_copy(x, p->center);
  for (int a = 0; a < 3; a++) sn_axpy(x, k >> a & 1 ? item->half[a] : -item->half[a], p->axis[a]);
}

static void box_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  for (int k = 0; k < 8; k++) {
    double x[3];
    corner(&c->surfaces->item[a], &c->own->solid[a], k, x);
    sn_touch_at(c, pair, a, b, x, 0, k, list);
  }
}

/* With penalty the gap is that of rounded boxes, whose normal turns smoothly from face to edge to corner, so that
 * forces have a potential; complementarity keeps sharp edges. */
static void box_box(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  (c->surfaces->law[pair->law].dvi ? sn_box_box : sn_touch_convex)(c, pair, a, b, list);
}

static const sn_solid_pair box_pairs[] = {{SN_ITEM_BOX, box_box}, {0, NULL}};

static const sn_field box_fields[] = {
    SN_SURFACE_ON("rigid body, or the ground", .def = "ground", .example = "my_body", ),
    {"size", SN_VECTOR, SN_AT(sn_surface_spec, size), .unit = "m", .limits = SN_POSITIVE, .example = "[1, 0.1, 0.1]",
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

const sn_solid_ops sn_solid_box = {
    .blunt = true,
    .size = box_size,
    .bound = box_bound,
    .see = box_see,
    .core = box_core,
    .on_plane = box_plane,
    .pairs = box_pairs,
};
