/* solid_cylinder.c - a cylinder with flat ends; convex pairs see its edges rounded. */
#include <math.h>

#include "contact/solid.h"
#include "math/constants.h"
#include "math/vec3.h"

static void cylinder_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_item *item = sn_compile_round(b, s, body, SN_ITEM_CYLINDER);
  if (item) item->reach = hypot(item->half[0], item->radius);
}

static void cylinder_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  const double *a = place->axis[0];
  double w[3], out[3], round[3];
  sn_sub(w, c, place->center);
  double x = sn_dot(w, a), sign = x < 0 ? -1 : 1;
  double r = sn_across(out, w, a, place->axis[1]), beyond = fabs(x) - item->half[0], outside = r - item->radius;
  sn_cross(round, a, out);
  if (beyond > 0 && outside > 0) { /* the rim */
    double d = hypot(beyond, outside), m[3];
    sn_scale(v->n, sign * beyond / d, a);
    sn_axpy(v->n, outside / d, out);
    sn_cross(m, v->n, round);
    v->distance = d;
    sn_add_square(v->P, 1 / d, m);
    sn_add_square(v->P, outside / d / r, round);
  } else if (outside > beyond) {
    sn_copy(v->n, out);
    v->distance = outside;
    if (r > 0) sn_add_square(v->P, 1 / r, round);
  } else {
    sn_scale(v->n, sign, a);
    v->distance = beyond;
  }
}

static void cylinder_core(const sn_item *item, double rounded, sn_core *core) {
  core->straight = 1;
  core->margin = rounded * fmin(item->radius, item->half[0]);
  core->half[0] -= core->margin;
  core->radius = item->radius - core->margin;
}

enum { AROUND = 8 };

/* Of each end the lowest point of the rim; where it nearly stands, points all around. With penalty eight, the first of
 * them the lowest: the sum does not depend on which way that is. By complementarity the lowest, over which it tips, and
 * eight that are fixed in the cylinder, so that they stay the same while it stands (faces.c). */
static void cylinder_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[a];
  const sn_solid_place *p = &c->own->solid[a];
  const double *n = c->own->solid[b].axis[0];
  double down[3], round[3];
  sn_scale(down, -1, n);
  double lean = sn_across(down, down, p->axis[0], p->axis[1]);
  sn_cross(round, p->axis[0], down);
  bool dvi = c->surfaces->law[pair->law].dvi;
  const double *first = dvi ? p->axis[1] : down, *second = dvi ? p->axis[2] : round;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < (lean > SN_STANDS ? 1 : AROUND + dvi); k++) {
      double x[3], angle = (k - dvi) * 2 * SN_PI / AROUND;
      sn_on_axis(p, end ? item->half[0] : -item->half[0], x);
      sn_axpy(x, item->radius * (k ? cos(angle) : 1), k ? first : down);
      if (k) sn_axpy(x, item->radius * sin(angle), second);
      sn_contact *contact = sn_touch_at(c, pair, a, b, x, 0, 16 * end + k, list);
      if (contact && (lean > SN_STANDS || 0.3 * lean * item->radius > -contact->gap)) { /* it is the only one */
        contact->rolls = true;
        sn_add_square(contact->R, item->radius / lean, round);
      }
    }
}

/* The cylinder is the first of the two. */
static const sn_solid_pair cylinder_pairs[] = {{SN_ITEM_CAPSULE, sn_touch_convex}, {0, NULL}};

static const sn_field cylinder_fields[] = {SN_ROUND_FIELDS("")};

const sn_surface_ops sn_surface_cylinder = {
    .kind = {.name = "cylinder",
             .category = SN_SURFACES,
             .summary = "cylinder with flat ends",
             .fields = cylinder_fields,
             .spec_size = sizeof(sn_surface_spec),
             .check = sn_check_ends},
    .compile = cylinder_compile,
};

const sn_solid_ops sn_solid_cylinder = {
    .size = sn_round_size,
    .bound = sn_round_bound,
    .see = cylinder_see,
    .core = cylinder_core,
    .on_plane = cylinder_plane,
    .pairs = cylinder_pairs,
};
