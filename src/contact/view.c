/* view.c - distance, normal and derivative of the normal of a solid, seen from the center c of a sphere.
 *
 *   dn = P dc,  P = sum over the two directions along the offset surface of (curvature of it there) e e'
 *   plane, face: 0;  about an axis or an edge at distance d: 1/d across it;  about a point: 1/d in both
 */
#include <math.h>
#include <string.h>

#include "contact/set.h"
#include "math/vec3.h"

/* P of a point at distance d: (I - n n')/d. */
static void about_point(sn_view *v, double d) {
  if (!(d > 0)) return;
  double identity[6] = {1, 1, 1, 0, 0, 0};
  for (int k = 0; k < 6; k++) v->P[k] = identity[k] / d;
  sn_add_square(v->P, -1 / d, v->n);
}

/* Of a straight line along the unit vector a. */
static void about_line(sn_view *v, const double a[3], double d) {
  about_point(v, d);
  if (d > 0) sn_add_square(v->P, -1 / d, a);
}

static void see_capsule(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  const double *a = place->axis[0];
  double w[3];
  sn_sub(w, c, place->center);
  double x = sn_dot(w, a), t = fmax(-item->half[0], fmin(item->half[0], x));
  sn_axpy(w, -t, a);
  double d = sn_norm(w);
  sn_copy(v->n, place->axis[1]); /* on the axis: any way out */
  if (d > 0) sn_scale(v->n, 1 / d, w);
  v->distance = d - item->radius;
  if (t == x)
    about_line(v, a, d);
  else
    about_point(v, d);
}

static void see_cylinder(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  const double *a = place->axis[0];
  double w[3], out[3], round[3];
  sn_sub(w, c, place->center);
  double x = sn_dot(w, a), sign = x < 0 ? -1 : 1;
  sn_axpy(w, -x, a);
  double r = sn_norm(w), beyond = fabs(x) - item->half[0], outside = r - item->radius;
  sn_copy(out, place->axis[1]);
  if (r > 0) sn_scale(out, 1 / r, w);
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

static void see_box(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
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
    about_line(v, place->axis[within], d);
  else
    about_point(v, d);
}

void sn_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  memset(v, 0, sizeof *v);
  if (item->shape == SN_ITEM_PLANE) {
    double w[3];
    sn_sub(w, c, place->center);
    sn_copy(v->n, place->axis[0]);
    v->distance = sn_dot(w, v->n);
  } else if (item->shape == SN_ITEM_CAPSULE) {
    see_capsule(item, place, c, v);
  } else if (item->shape == SN_ITEM_CYLINDER) {
    see_cylinder(item, place, c, v);
  } else {
    see_box(item, place, c, v);
  }
}
