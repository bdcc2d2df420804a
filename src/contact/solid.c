/* solid.c - the table of solids, their pairs, and what the files of shapes share.
 *
 * Distance, normal and derivative of the normal of a solid, seen from the center c of a sphere:
 *
 *   dn = P dc,  P = sum over the two directions along the offset surface of (curvature of it there) e e'
 *   plane, face: 0;  about an axis or an edge at distance d: 1/d across it;  about a point: 1/d in both
 */
#include "contact/solid.h"

#include <assert.h>
#include <math.h>

#include "math/vec3.h"

const sn_solid_ops *const sn_solids[SN_ITEM_SHAPES] = {
#define SOLID(NAME, name) [SN_ITEM_##NAME] = &sn_solid_##name,
#include "contact/solids.def"
};

/* ---- pairs ---- */

static sn_touch_pair *own_function(const sn_solid_ops *a, sn_item_shape b) {
  for (const sn_solid_pair *p = a->pairs; p && p->touch; p++)
    if (p->with == b) return p->touch;
  return NULL;
}

void sn_narrow_solids(const sn_contacts *c, const sn_pair *pair, sn_contact_list *list) {
  int i = pair->i, j = pair->j;
  const sn_item *a = &c->surfaces->item[i], *b = &c->surfaces->item[j];
  const sn_solid_ops *of_a = sn_solids[a->shape], *of_b = sn_solids[b->shape];
  sn_touch_pair *touch = isinf(b->reach) ? of_a->on_plane : own_function(of_a, b->shape);
  if (touch) {
    touch(c, pair, i, j, list);
    return;
  }
  touch = isinf(a->reach) ? of_b->on_plane : own_function(of_b, a->shape);
  if (touch) {
    touch(c, pair, j, i, list);
    return;
  }
  assert(of_a->core && of_b->core);
  bool turned = a->shape > b->shape;
  sn_touch_convex(c, pair, turned ? j : i, turned ? i : j, list);
}

sn_contact *sn_touch_at(const sn_contacts *c, const sn_pair *pair, int a, int b, const double x[3], double radius,
                        int feature, sn_contact_list *list) {
  sn_ball ball;
  sn_view view;
  sn_ball_at(c, a, x, radius, &ball);
  sn_see(&c->surfaces->item[b], &c->own->solid[b], x, &view);
  return sn_touch_solid(c, pair, &ball, b, &view, feature, list);
}

/* ---- views ---- */

void sn_see_about_point(sn_view *v, double d) {
  if (!(d > 0)) return;
  double identity[6] = {1, 1, 1, 0, 0, 0};
  for (int k = 0; k < 6; k++) v->P[k] = identity[k] / d;
  sn_add_square(v->P, -1 / d, v->n);
}

void sn_see_about_line(sn_view *v, const double a[3], double d) {
  sn_see_about_point(v, d);
  if (d > 0) sn_add_square(v->P, -1 / d, a);
}

/* ---- compiling ---- */

sn_item *sn_add_solid(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body, sn_item_shape shape) {
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

sn_geometry sn_solid_of_body(const sn_body *body) {
  sn_geometry geometry = {0};
  if (body->ops->geometry && body->data) body->ops->geometry(body, &geometry);
  return geometry.is_solid ? geometry : (sn_geometry){0};
}
