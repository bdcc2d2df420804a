/* manifold.c - contacts of two convex solids: one point, or several if faces and lines are in contact.
 *
 * The normal n comes from convex.c. For penalty see flats.c. For complementarity the support features decide:
 *
 *   a face       the other's nearest face or line, cut to the outline of this one, gives a contact at each corner
 *   two lines    nearly parallel: contacts at both ends of the common part (lines.c)
 *   else         the closest points
 *
 * A disk is clipped as an octagon. If it is inclined, it has a corner at its lowest point, so that the deepest point is
 * exact.
 *
 * The turning of the normal needs the radii of curvature of both sides: see penalty.c.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "contact/convex.h"
#include "contact/solid.h"
#include "math/constants.h"
#include "math/vec3.h"

/* A point x on the core of solid k, with m pointing out of it, against the other. */
static sn_contact *touch_at(const sn_meeting *y, int k, const double x[3], const double m[3], sn_view *view,
                            int feature) {
  sn_ball ball;
  double surface[3];
  sn_copy(surface, x);
  sn_axpy(surface, y->core[k].margin, m);
  sn_ball_at(y->c, y->core[k].item, surface, 0, &ball);
  sn_scale(view->n, -1, m);
  return sn_touch_solid(y->c, y->pair, &ball, y->core[1 - k].item, view, feature, y->list);
}

/* Radii of curvature of side 0, the rounding of edges included. */
static void roll(sn_contact *x, const sn_core *core, const sn_support_point *e) {
  double u[3], w[3];
  x->rolls = true;
  sn_frame(x->normal, u, w);
  sn_add_square(x->R, core->margin, u);
  sn_add_square(x->R, core->margin, w);
  for (int i = 0; i < 2; i++)
    if (e->round_radius[i] > 0) sn_add_square(x->R, e->round_radius[i], e->round[i]);
}

sn_contact *sn_touch_core(const sn_meeting *y, int k, const double x[3], const double n[3], sn_view *view,
                          int feature) {
  double into[3];
  sn_scale(into, -1, n);
  sn_contact *contact = touch_at(y, k, x, into, view, feature);
  if (contact) roll(contact, &y->core[k], &y->apart.support[k]);
  return contact;
}

/* ---- one point ---- */

/* The closest points of the lines a + s e and b + t f. */
static void closest_of_lines(const double a[3], const double e[3], const double b[3], const double f[3], double p[3]) {
  double d[3], m = sn_dot(e, f);
  sn_sub(d, b, a);
  sn_copy(p, a);
  sn_axpy(p, (sn_dot(d, e) - m * sn_dot(d, f)) / fmax(1 - m * m, 1e-12), e);
}

/* P = (A + B + d)^-1; straight is a very large radius. Where cores overlap so far that it is not positive, only the
 * radii count. */
static void turn_of_normal(const sn_apart *apart, double straight, double P[6]) {
  const sn_support_point *e = apart->support;
  double t[2][3], sum[3], M[3], radii[6] = {0};
  sn_frame(apart->n, t[0], t[1]);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++)
      if (e[k].round_radius[i] > 0) sn_add_square(radii, e[k].round_radius[i], e[k].round[i]);
    for (int i = 0; i < e[k].flats; i++) sn_add_square(radii, straight, e[k].flat[i]);
  }
  for (int k = 0; k < 3; k++) {
    sum[k] = t[0][k] + t[1][k];
    const double *u = t[k / 2], *w = t[(k + 1) / 2];
    double z[3] = {radii[0] * w[0] + radii[3] * w[1] + radii[4] * w[2],
                   radii[3] * w[0] + radii[1] * w[1] + radii[5] * w[2],
                   radii[4] * w[0] + radii[5] * w[1] + radii[2] * w[2]};
    M[k] = sn_dot(u, z);
  }
  double d = apart->d;
  if (!(M[0] + d > 0) || !((M[0] + d) * (M[2] + d) > M[1] * M[1])) d = 1e-8 * straight;
  M[0] += d, M[2] += d;
  double det = M[0] * M[2] - M[1] * M[1];
  sn_add_square(P, (M[2] + M[1]) / det, t[0]);
  sn_add_square(P, (M[0] + M[1]) / det, t[1]);
  sn_add_square(P, -M[1] / det, sum);
}

void sn_closest_point(const sn_meeting *y, double a[3]) {
  const sn_apart *apart = &y->apart;
  const sn_support_point *e = apart->support;
  double minus[3], b[3];
  sn_scale(minus, -1, apart->n);
  sn_core_support(&y->core[0], minus, apart, a);
  sn_core_support(&y->core[1], apart->n, apart, b);
  if (e[0].flats == 1 && e[1].flats == 1) {
    double p[3];
    closest_of_lines(a, e[0].flat[0], b, e[1].flat[0], p);
    sn_copy(a, p);
  } else if (e[0].flats) {
    sn_copy(a, b);
    sn_axpy(a, apart->d, apart->n);
  }
}

void sn_touch_once(const sn_meeting *y) {
  const sn_apart *apart = &y->apart;
  double minus[3], a[3];
  sn_view view = {.distance = y->gap};
  sn_scale(minus, -1, apart->n);
  for (int k = 0; k < 2; k++) /* a face: its normal turns with it alone */
    if (apart->support[k].flats == 2) {
      sn_core_support(&y->core[1 - k], k ? minus : apart->n, apart, a);
      sn_touch_core(y, 1 - k, a, k ? apart->n : minus, &view, 0);
      return;
    }
  sn_closest_point(y, a);
  double straight = 1e7 * (fabs(apart->d) + y->core[0].margin + y->core[1].margin);
  turn_of_normal(apart, straight, view.P);
  sn_contact *x = touch_at(y, 0, a, minus, &view, 0);
  if (!x) return;
  roll(x, &y->core[0], &apart->support[0]);
  for (int i = 0; i < apart->support[0].flats; i++) sn_add_square(x->R, straight, apart->support[0].flat[i]);
}

/* ---- a face ---- */

enum { CORNERS = 8, AROUND = 16 };
static_assert((int)AROUND >= (int)SN_FACE_CORNERS && (int)SN_CLIP_CORNERS >= AROUND + SN_FACE_CORNERS, "room");

/* Corners around the end of a cylinder on the side of m, the first toward `to`. */
static int disk(const sn_core *core, const double m[3], const double to[3], double radius, int corners,
                double (*x)[3]) {
  double u[3], w[3], along = sn_dot(m, core->axis[0]);
  sn_across(u, to, core->axis[0], core->axis[1]);
  sn_cross(w, core->axis[0], u);
  for (int k = 0; k < corners; k++) {
    double angle = 2 * SN_PI * k / corners;
    sn_copy(x[k], core->center);
    sn_axpy(x[k], along < 0 ? -core->half[0] : core->half[0], core->axis[0]);
    sn_axpy(x[k], radius * cos(angle), u);
    sn_axpy(x[k], radius * sin(angle), w);
  }
  return corners;
}

/* The face of a box or hull that looks most along m. */
static int polygon(const sn_core *core, const double m[3], double (*x)[3]) {
  if (core->hull) return sn_hull_corners(core, sn_hull_face_along(core, m), x);
  sn_box_face(core->center, core->axis, core->half, m, x);
  return 4;
}

static bool stands(const sn_core *core, const double m[3]) {
  double along = sn_dot(m, core->axis[0]);
  return core->radius > 0 && 1 - along * along < 0.09;
}

/* Cut the corners x to the outline, a convex polygon in the plane across m. */
static int cut(int count, double (*x)[3], int corners, double (*outline)[3], const double m[3]) {
  double middle[3] = {0, 0, 0};
  for (int k = 0; k < corners; k++) sn_axpy(middle, 1.0 / corners, outline[k]);
  for (int k = 0; k < corners && count > 0; k++) {
    double edge[3], out[3], from[3];
    sn_sub(edge, outline[(k + 1) % corners], outline[k]);
    sn_cross(out, edge, m);
    if (!(sn_normalize(out) > 0)) continue;
    sn_sub(from, outline[k], middle);
    if (sn_dot(from, out) < 0) sn_scale(out, -1, out);
    count = sn_clip(count, x, out, sn_dot(out, outline[k]));
  }
  return count;
}

/* Turn the first corner of disks, which at rest is fixed in solid 1, by this part toward `to`. */
static void first_corner(const sn_meeting *y, const double o[3], const double to[3], double part, double first[3]) {
  double u[3], w[3], step = 2 * SN_PI / CORNERS;
  const double(*axis)[3] = y->core[1].axis;
  sn_copy(u, axis[fabs(sn_dot(axis[1], o)) < fabs(sn_dot(axis[2], o)) ? 1 : 2]);
  sn_axpy(u, -sn_dot(u, o), o);
  sn_normalize(u);
  sn_cross(w, o, u);
  double angle = atan2(sn_dot(to, w), sn_dot(to, u));
  angle = part * (angle - step * round(angle / step));
  sn_scale(first, cos(angle), u);
  sn_axpy(first, sin(angle), w);
}

/* From the center of a disk to what is nearest to it of the face of the partner, across o; returns the distance. */
static double way_to(const sn_core *disk, const sn_core *partner, const double o[3], double to[3]) {
  sn_sub(to, partner->center, disk->center);
  sn_axpy(to, -sn_dot(to, o), o);
  if (partner->radius > 0) return fmax(0, sn_norm(to) - partner->radius);
  for (int k = 0; k < 3; k++) {
    double along = sn_dot(to, partner->axis[k]);
    if (fabs(sn_dot(o, partner->axis[k])) < 0.7)
      sn_axpy(to, fmax(-partner->half[k], fmin(partner->half[k], -along)), partner->axis[k]);
  }
  return sn_norm(to);
}

/* Sine of the angle between m and the face of a solid that looks most along it. */
static double lean_of(const sn_core *core, const double m[3]) {
  double most = fabs(sn_dot(m, core->axis[0])), n[3];
  if (core->hull) {
    sn_hull_normal(core, sn_hull_face_along(core, m), n);
    most = sn_dot(m, n);
  }
  for (int k = 1; core->straight == 3 && k < 3; k++) most = fmax(most, fabs(sn_dot(m, core->axis[k])));
  return sqrt(fmax(0, 1 - most * most));
}

/* Where disks have a corner: toward a face that their center is not above, so that nothing of the common part is cut
 * off; else, where they lean, toward the lowest point. */
static void corners_toward(const sn_meeting *y, int k, const double o[3], const double lowest[3], double to[3]) {
  const sn_core *face = &y->core[k], *other = &y->core[1 - k];
  bool round = other->radius > 0;
  double m[3], way[3], radius = round ? other->radius : face->radius;
  sn_scale(m, -1, o);
  double beyond = way_to(round ? other : face, round ? face : other, o, way);
  double lean = fmax(0, fmin(1, (lean_of(other, m) - 0.002) / 0.02));
  sn_sub(to, lowest, round ? other->center : face->center);
  if (beyond > 0) sn_copy(to, way), lean = fmin(1, 10 * beyond / radius);
  first_corner(y, o, to, lean, to);
}

/* The corner nearest to the middle of the face, where none is above it. */
static int nearest_corner(int count, double (*x)[3], const double center[3], const double o[3]) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    double d[3];
    sn_sub(d, x[i], center);
    sn_axpy(d, -sn_dot(d, o), o);
    if (sn_norm(d) < least) least = sn_norm(d), best = i;
  }
  sn_copy(x[0], x[best]);
  return 1;
}

/* The face is that of solid k, which looks along o. */
static void touch_face(const sn_meeting *y, int k, const double o[3]) {
  const sn_core *face = &y->core[k], *other = &y->core[1 - k];
  double m[3], x[SN_CLIP_CORNERS][3], outline[AROUND][3], to[3], lowest[3];
  if (sn_core_is_ellipsoid(other)) {
    sn_touch_once(y);
    return;
  }
  sn_scale(m, -1, o);
  sn_core_support(other, m, NULL, lowest);
  bool on_end = stands(other, m);
  corners_toward(y, k, o, lowest, to);
  if (!sn_core_is_polyhedron(other) && !on_end) { /* a line; else a rim or a half sphere */
    if (!sn_touch_line_on_face(y, k, o)) sn_touch_once(y);
    return;
  }
  int count = on_end ? disk(other, m, to, other->radius, CORNERS, x) : polygon(other, m, x);
  int corners = sn_core_is_polyhedron(face) ? polygon(face, o, outline)
                : on_end                    ? disk(face, o, to, face->radius, CORNERS, outline)
                                            : disk(face, o, to, face->radius / cos(SN_PI / AROUND), AROUND, outline);
  double margins = face->margin + other->margin, level = sn_dot(o, outline[0]) + margins;
  const sn_support_point *e = &y->apart.support[1 - k];
  double whole[SN_CLIP_CORNERS][3];
  int all = count;
  memcpy(whole, x, (size_t)count * sizeof *x);
  double deepest = INFINITY;
  count = cut(count, x, corners, outline, o);
  for (int i = 0; i < count; i++) deepest = fmin(deepest, sn_dot(o, x[i]) - level);
  if (e->flats == 0 && !(deepest < y->gap + 1e-3 * sn_solid_size(&y->c->surfaces->item[face->item]))) {
    sn_touch_once(y); /* a point that the polygon or the outline has cut off */
    return;
  }
  if (count == 0) {
    count = nearest_corner(all, whole, face->center, o);
    sn_copy(x[0], whole[0]);
  }
  for (int i = 0; i < count; i++) {
    sn_view view = {.distance = sn_dot(o, x[i]) - level};
    touch_at(y, 1 - k, x[i], m, &view, 16 + i);
  }
}

void sn_touch_convex(const sn_contacts *c, const sn_pair *pair, int i, int j, sn_contact_list *list) {
  sn_meeting y = {.c = c, .pair = pair, .list = list};
  double minus[3];
  double rounded = c->surfaces->law[pair->law].dvi ? SN_SHARP : SN_ROUNDED;
  sn_core_of(c, i, rounded, &y.core[0]);
  sn_core_of(c, j, rounded, &y.core[1]);
  sn_cores_apart(y.core, &y.apart);
  y.gap = y.apart.d - y.core[0].margin - y.core[1].margin;
  if (y.gap > sn_reach(c, &c->surfaces->law[pair->law])) return;
  if (!c->surfaces->law[pair->law].dvi) {
    sn_touch_flats(&y);
    return;
  }
  sn_scale(minus, -1, y.apart.n);
  if (y.apart.support[1].flats == 2)
    touch_face(&y, 1, y.apart.n);
  else if (y.apart.support[0].flats == 2)
    touch_face(&y, 0, minus);
  else if (!sn_touch_lines(&y))
    sn_touch_once(&y);
}
