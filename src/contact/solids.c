/* solids.c - contacts between two solids: points of the one (rims, corners, axes as balls) against the other. */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "math/vec3.h"

static const sn_solid_place *place_of(const sn_contacts *c, int i) {
  return &c->own->solid[i];
}

/* A ball of this radius at x, fixed in solid a, against solid b. */
static sn_contact *touch_at(const sn_contacts *c, const sn_pair *pair, int a, int b, const double x[3], double radius,
                            int feature, sn_contact_list *list) {
  sn_ball ball;
  sn_view view;
  sn_ball_at(c, a, x, radius, &ball);
  sn_see(&c->surfaces->item[b], place_of(c, b), x, &view);
  return sn_touch_solid(c, pair, &ball, b, &view, feature, list);
}

/* x = center + t axis */
static void on_axis(const sn_solid_place *p, double t, double x[3]) {
  sn_copy(x, p->center);
  sn_axpy(x, t, p->axis[0]);
}

/* ---- against a plane ---- */

static void capsule_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[a];
  for (int k = 0; k < 2; k++) {
    double x[3];
    on_axis(place_of(c, a), k ? item->half[0] : -item->half[0], x);
    touch_at(c, pair, a, b, x, item->radius, k, list);
  }
}

/* Of each end the lowest point of the rim; where it nearly stands, eight points of the rim, the first of them there:
 * the deepest is exact, and the sum does not depend on which it is. */
static void cylinder_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[a];
  const sn_solid_place *p = place_of(c, a);
  const double *n = place_of(c, b)->axis[0];
  double down[3], round[3];
  sn_scale(down, sn_dot(n, p->axis[0]), p->axis[0]);
  sn_axpy(down, -1, n);
  double lean = sn_normalize(down);
  if (!(lean > 1e-12)) sn_copy(down, p->axis[1]);
  sn_cross(round, p->axis[0], down);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < (lean > 0.3 ? 1 : 8); k++) {
      double x[3], angle = k * atan(1);
      on_axis(p, end ? item->half[0] : -item->half[0], x);
      sn_axpy(x, item->radius * cos(angle), down);
      sn_axpy(x, item->radius * sin(angle), round);
      sn_contact *contact = touch_at(c, pair, a, b, x, 0, 8 * end + k, list);
      if (contact && (lean > 0.3 || 0.3 * lean * item->radius > -contact->gap)) { /* it is the only one */
        contact->rolls = true;
        sn_add_square(contact->R, item->radius / lean, round);
      }
    }
}

static void corner(const sn_item *item, const sn_solid_place *p, int k, double x[3]) {
  sn_copy(x, p->center);
  for (int a = 0; a < 3; a++) sn_axpy(x, k >> a & 1 ? item->half[a] : -item->half[a], p->axis[a]);
}

static void box_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  for (int k = 0; k < 8; k++) {
    double x[3];
    corner(&c->surfaces->item[a], place_of(c, a), k, x);
    touch_at(c, pair, a, b, x, 0, k, list);
  }
}

/* With penalty the gap is that of rounded boxes, whose normal turns smoothly from face to edge to corner, so that
 * forces have a potential; complementarity keeps sharp edges. */
static void box_box(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  (c->surfaces->law[pair->law].dvi ? sn_box_box : sn_touch_convex)(c, pair, a, b, list);
}

void sn_narrow_solids(const sn_contacts *c, const sn_pair *pair, sn_contact_list *list) {
  static void (*const table[SN_ITEM_PLANE + 1][SN_ITEM_PLANE + 1])(const sn_contacts *, const sn_pair *, int, int,
                                                                   sn_contact_list *) = {
      [SN_ITEM_CAPSULE] =
          {[SN_ITEM_CAPSULE] = sn_touch_convex, [SN_ITEM_BOX] = sn_touch_convex, [SN_ITEM_PLANE] = capsule_plane},
      [SN_ITEM_CYLINDER] = {[SN_ITEM_CAPSULE] = sn_touch_convex,
                            [SN_ITEM_CYLINDER] = sn_touch_convex,
                            [SN_ITEM_BOX] = sn_touch_convex,
                            [SN_ITEM_PLANE] = cylinder_plane},
      [SN_ITEM_BOX] = {[SN_ITEM_BOX] = box_box, [SN_ITEM_PLANE] = box_plane},
  };
  sn_item_shape a = c->surfaces->item[pair->i].shape, b = c->surfaces->item[pair->j].shape;
  if (table[a][b])
    table[a][b](c, pair, pair->i, pair->j, list);
  else if (table[b][a])
    table[b][a](c, pair, pair->j, pair->i, list);
}
