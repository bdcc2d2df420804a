/* faces.c - contacts by complementarity of two faces that lie on each other: the corners of their common part.
 *
 * Two polygons: one cut to the outline of the other. A disk (the end of a cylinder) has no corners; with it the points
 * are
 *
 *   corners      of the polygon, within the disk
 *   crossings    of its rim and the outline of the other
 *   on its rim   within the other: eight that are fixed in the cylinder, on which it stands at rest, and the lowest
 *
 * The polygon of these points is up to 8 % narrower than the disk. A body that begins to tip over one of its sides leans
 * that way, if only by rounding: then the lowest point of the rim is there, and presses. So the body tips over the rim,
 * in any direction, and rolls on it.
 *
 * Points are found in the plane of the face `other`, seen along the normal o of the face of solid k. Edges are sharp
 * while the faces are parallel, and rounded as the cores are where the normal is that of a rounded edge or rim.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "contact/convex.h"
#include "contact/solid.h"
#include "math/constants.h"
#include "math/vec3.h"

enum { ON_RIM = 8 };
static_assert((int)SN_CLIP_CORNERS >= 2 * (int)SN_FACE_CORNERS, "room");

/* A point is within an outline, or the same as another, to this part of the size. */
static const double NEAR = 1e-9, SAME = 1e-4;

typedef struct face {
  const sn_core *core;
  double n[3];      /* out of its solid */
  double center[3]; /* a point of it; of a disk the middle */
  double radius;    /* of a disk; else 0, and ... */
  int corners;      /* ... a polygon */
  double x[SN_FACE_CORNERS][3];
} face;

typedef struct common {
  const sn_meeting *y;
  int k;           /* whose face looks along o */
  const double *o; /* its normal */
  double down[3];  /* along the other face, the way it leans */
  face of[2];      /* that of solid k, the other */
  double size;
  int count, feature[SN_CLIP_CORNERS];
  double x[SN_CLIP_CORNERS][3];
} common;

/* ---- faces ---- */

static int most_along(const sn_core *core, const double m[3]) {
  int up = 0;
  for (int i = 1; core->straight == 3 && i < 3; i++)
    if (fabs(sn_dot(core->axis[i], m)) > fabs(sn_dot(core->axis[up], m))) up = i;
  return up;
}

/* Of the face that looks most along m. */
static void normal_along(const sn_core *core, const double m[3], double n[3]) {
  if (core->hull) {
    sn_hull_normal(core, sn_hull_face_along(core, m), n);
  } else {
    const double *axis = core->axis[most_along(core, m)];
    sn_scale(n, sn_dot(axis, m) < 0 ? -1 : 1, axis);
  }
  sn_normalize(n);
}

/* Of a hull: the core's, or with sharp edges that of the solid itself, which is farther out by the margin. */
static int corners_of_hull(const sn_core *core, const double m[3], const sn_hull *solid, double (*x)[3]) {
  sn_core sharp = *core;
  double n[3];
  if (solid) sharp.hull = solid;
  int number = sn_hull_face_along(&sharp, m), count = sn_hull_corners(&sharp, number, SN_FACE_CORNERS, x);
  sn_hull_normal(&sharp, number, n);
  for (int i = 0; i < count && solid; i++) sn_axpy(x[i], -core->margin, n);
  return count;
}

/* The polygon that looks most along m, its edges moved out by `wider`. */
static void take_polygon(const sn_core *core, const double m[3], double wider, const sn_hull *solid, face *f) {
  if (core->hull) {
    f->corners = corners_of_hull(core, m, wider > 0.95 * core->margin ? solid : NULL, f->x);
  } else {
    double half[3];
    int up = most_along(core, m);
    for (int i = 0; i < 3; i++) half[i] = core->half[i] + (i == up ? 0 : wider);
    sn_box_face(core->center, core->axis, half, m, f->x);
    f->corners = 4;
  }
  memset(f->center, 0, sizeof f->center);
  for (int i = 0; i < f->corners; i++) sn_axpy(f->center, 1.0 / f->corners, f->x[i]);
}

static void take_disk(const sn_core *core, double wider, face *f) {
  sn_copy(f->center, core->center);
  sn_axpy(f->center, core->half[0], f->n);
  f->radius = core->radius + wider;
}

/* `sharp`: 1 with sharp edges, 0 with those of the core. */
static void take_face(const sn_meeting *y, int k, const double m[3], double sharp, face *f) {
  const sn_core *core = &y->core[k];
  double wider = sharp * core->margin;
  f->core = core;
  normal_along(core, m, f->n);
  if (sn_core_is_polyhedron(core))
    take_polygon(core, m, wider, y->c->surfaces->item[core->item].hull, f);
  else
    take_disk(core, wider, f);
}

/* Is the point x, on the face or above it, within its outline? */
static bool is_within(const face *f, const double x[3], double near) {
  double d[3];
  sn_sub(d, x, f->center);
  if (f->radius > 0) {
    sn_axpy(d, -sn_dot(d, f->n), f->n);
    return sn_norm(d) <= f->radius + near;
  }
  for (int i = 0; i < f->corners; i++) {
    double e[3], out[3], from[3], to[3];
    sn_sub(e, f->x[(i + 1) % f->corners], f->x[i]);
    sn_cross(out, e, f->n);
    if (!(sn_normalize(out) > 0)) continue;
    sn_sub(from, f->center, f->x[i]);
    sn_sub(to, x, f->x[i]);
    if (sn_dot(to, out) * (sn_dot(from, out) < 0 ? 1 : -1) > near) return false;
  }
  return true;
}

/* ---- points of the common part ---- */

/* To the plane of the other face, along o. */
static void lift(const common *c, double x[3]) {
  const face *other = &c->of[1];
  double d[3];
  sn_sub(d, other->center, x);
  sn_axpy(x, sn_dot(d, other->n) / sn_dot(c->o, other->n), c->o);
}

static void add(common *c, const double x0[3], int feature) {
  double x[3], d[3];
  sn_copy(x, x0);
  lift(c, x);
  for (int i = 0; i < c->count; i++) {
    sn_sub(d, x, c->x[i]);
    if (sn_norm(d) < SAME * c->size) return;
  }
  if (c->count == SN_CLIP_CORNERS) return;
  c->feature[c->count] = feature;
  sn_copy(c->x[c->count++], x);
}

/* The point of a rim in a direction, if it is within the other face. */
static void add_of_rim(common *c, int k, const double along[3], int feature) {
  const face *f = &c->of[k];
  double x[3], up[3];
  sn_copy(x, f->center);
  sn_axpy(x, f->radius, along);
  sn_copy(up, x);
  if (k == 0) lift(c, up);
  if (is_within(&c->of[1 - k], up, NEAR * c->size)) add(c, x, feature);
}

static void add_rim(common *c, int k, int feature) {
  const double(*axis)[3] = c->of[k].core->axis;
  double down[3];
  sn_across(down, c->down, c->of[k].n, axis[1]);
  add_of_rim(c, k, down, feature + ON_RIM);
  for (int i = 0; i < ON_RIM; i++) {
    double along[3], angle = 2 * SN_PI * i / ON_RIM;
    sn_scale(along, cos(angle), axis[1]);
    sn_axpy(along, sin(angle), axis[2]);
    add_of_rim(c, k, along, feature + i);
  }
}

static void add_corners(common *c, int k, int feature) {
  for (int i = 0; i < c->of[k].corners; i++) {
    double x[3];
    sn_copy(x, c->of[k].x[i]);
    if (k == 0) lift(c, x);
    if (is_within(&c->of[1 - k], x, NEAR * c->size)) add(c, c->of[k].x[i], feature + i);
  }
}

/* Where the edge from a to b, both in the plane of the disk, crosses its rim. */
static void cross_edge(common *c, const face *disk, const double a[3], const double b[3], int feature) {
  double e[3], d[3];
  sn_sub(e, b, a);
  sn_sub(d, a, disk->center);
  double A = sn_dot(e, e), B = sn_dot(e, d), C = sn_dot(d, d) - disk->radius * disk->radius, root = B * B - A * C;
  if (!(root > 0) || !(A > 0)) return;
  for (int i = 0; i < 2; i++) {
    double x[3], s = (-B + (i ? 1 : -1) * sqrt(root)) / A;
    if (s < 0 || s > 1) continue;
    sn_copy(x, a);
    sn_axpy(x, s, e);
    add(c, x, feature + i);
  }
}

/* The polygon is face k. */
static void cross_outline(common *c, int k, int feature) {
  const face *polygon = &c->of[k], *disk = &c->of[1 - k];
  double x[SN_FACE_CORNERS][3];
  for (int i = 0; i < polygon->corners; i++) {
    double d[3];
    sn_copy(x[i], polygon->x[i]);
    sn_sub(d, disk->center, x[i]);
    sn_axpy(x[i], sn_dot(d, disk->n) / sn_dot(c->o, disk->n), c->o);
  }
  for (int i = 0; i < polygon->corners; i++) cross_edge(c, disk, x[i], x[(i + 1) % polygon->corners], feature + 2 * i);
}

/* Two circles of radii R, r with centers d apart cross at (d^2 + R^2 - r^2)/(2 d) from the first. */
static void cross_rims(common *c, int feature) {
  const face *a = &c->of[1], *b = &c->of[0];
  double e[3], w[3], middle[3];
  sn_copy(middle, b->center);
  lift(c, middle);
  sn_sub(e, middle, a->center);
  double d = sn_normalize(e), R = a->radius, r = b->radius;
  if (!(d > 0)) return;
  double s = (d * d + R * R - r * r) / (2 * d), square = R * R - s * s;
  if (!(square > 0)) return;
  sn_cross(w, e, a->n);
  for (int i = 0; i < 2; i++) {
    double x[3];
    sn_copy(x, a->center);
    sn_axpy(x, s, e);
    sn_axpy(x, (i ? 1 : -1) * sqrt(square), w);
    add(c, x, feature + i);
  }
}

/* Polygon x cut to the outline of the first face. */
static void cut_polygon(common *c) {
  const face *f = &c->of[0], *other = &c->of[1];
  c->count = other->corners;
  memcpy(c->x, other->x, (size_t)c->count * sizeof *c->x);
  for (int k = 0; k < f->corners && c->count > 0; k++) {
    double edge[3], out[3], from[3];
    sn_sub(edge, f->x[(k + 1) % f->corners], f->x[k]);
    sn_cross(out, edge, c->o);
    if (!(sn_normalize(out) > 0)) continue;
    sn_sub(from, f->x[k], f->center);
    if (sn_dot(from, out) < 0) sn_scale(out, -1, out);
    c->count = sn_clip(c->count, c->x, out, sn_dot(out, f->x[k]));
  }
  for (int k = 0; k < c->count; k++) c->feature[k] = k;
}

static void find_points(common *c) {
  enum { FIRST = SN_CLIP_CORNERS, SECOND = 2 * FIRST, CROSSING = 3 * FIRST };
  const bool round[2] = {c->of[0].radius > 0, c->of[1].radius > 0};
  if (!round[0] && !round[1]) {
    cut_polygon(c);
    return;
  }
  for (int k = 0; k < 2; k++) {
    const int feature = k == c->k ? SECOND : FIRST; /* by the number of the solid */
    if (round[k])
      add_rim(c, k, feature);
    else
      add_corners(c, k, feature);
  }
  if (round[0] && round[1])
    cross_rims(c, CROSSING);
  else
    cross_outline(c, round[0], CROSSING);
}

/* ---- contacts ---- */

/* The corner of the other face nearest to the middle of the first, where none is above it. */
static void take_nearest(common *c) {
  double least = INFINITY;
  const face *other = &c->of[1];
  c->count = 1;
  c->feature[0] = 0;
  if (other->radius > 0) {
    double to[3], along[3];
    sn_sub(to, c->of[0].center, other->center);
    sn_across(along, to, other->n, other->core->axis[1]);
    sn_copy(c->x[0], other->center);
    sn_axpy(c->x[0], other->radius, along);
  }
  for (int i = 0; i < other->corners; i++) {
    double d[3];
    sn_sub(d, other->x[i], c->of[0].center);
    sn_axpy(d, -sn_dot(d, c->o), c->o);
    if (sn_norm(d) < least) least = sn_norm(d), sn_copy(c->x[0], other->x[i]);
  }
}

/* Do two faces touch? Not where something of the other is lowest that has no face near it. */
static bool has_face(const sn_core *core, const double m[3]) {
  if (sn_core_is_polyhedron(core)) return true;
  double along = sn_dot(m, core->axis[0]);
  return core->radius > 0 && 1 - along * along < SN_STANDS * SN_STANDS;
}

/* Sharp edges as long as the faces are parallel. */
static void take_faces(common *c, const double m[3]) {
  const sn_core *other = &c->y->core[1 - c->k];
  double n[3], across[3];
  normal_along(other, m, n);
  sn_cross(across, n, c->o);
  double sharp = sn_fading(sn_norm(across), SN_STANDS);
  take_face(c->y, 1 - c->k, m, sharp, &c->of[1]);
  take_face(c->y, c->k, c->o, sharp, &c->of[0]);
  sn_across(c->down, m, c->of[1].n, other->axis[1]);
  c->size = sn_greater(sn_norm(other->half), other->radius);
}

/* A contact is the same one, with the same sides, whose face ever is the first: its force is remembered by both. */
static void touch_points(const common *c, double level) {
  const sn_meeting *y = c->y;
  double out[3];
  sn_scale(out, c->k ? -1 : 1, c->o); /* of solid 0 */
  for (int i = 0; i < c->count; i++) {
    double x[3];
    sn_view view = {.distance = sn_dot(c->o, c->x[i]) - level};
    sn_copy(x, c->x[i]);
    if (c->k == 0) sn_axpy(x, -view.distance - y->core[0].margin - y->core[1].margin, c->o);
    sn_touch_smooth(y, 0, x, out, &view, 16 + c->feature[i]);
  }
}

static void touch(const sn_meeting *y, int k, const double o[3]) {
  const sn_core *first = &y->core[k], *other = &y->core[1 - k];
  double m[3];
  sn_scale(m, -1, o);
  if (sn_core_is_ellipsoid(other) || !has_face(other, m)) {
    if (sn_core_is_ellipsoid(other) || !sn_touch_line_on_face(y, k, o)) sn_touch_once(y);
    return;
  }
  common c = {.y = y, .k = k, .o = o};
  take_faces(&c, m);
  find_points(&c);
  double level = sn_dot(o, c.of[0].center) + first->margin + other->margin, deepest = INFINITY;
  for (int i = 0; i < c.count; i++) deepest = fmin(deepest, sn_dot(o, c.x[i]) - level);
  if (y->apart.support[1 - k].flats == 0 &&
      !(deepest < y->gap + 1e-3 * sn_solid_size(&y->c->surfaces->item[first->item]))) {
    sn_touch_once(y); /* a point beyond the outline */
    return;
  }
  if (c.count == 0) take_nearest(&c);
  touch_points(&c, level);
}

/* Distance of the cores along the normal o of the face of solid k that looks along m. */
static double distance_along(const sn_meeting *y, int k, const double m[3], double o[3]) {
  const sn_apart farthest = {.flat = 0}; /* nothing counts as straight */
  double minus[3], x[3], d[3];
  normal_along(&y->core[k], m, o);
  sn_scale(minus, -1, o);
  sn_core_support(&y->core[1 - k], minus, &farthest, d);
  sn_core_support(&y->core[k], o, &farthest, x);
  sn_sub(d, d, x);
  return sn_dot(d, o);
}

/* The normal between the solids is the one along which they are farthest apart: where it is that of a face the distance
 * along that is the largest, which does not depend on how exactly the search has found it. */
bool sn_touch_faces(const sn_meeting *y) {
  double best = y->apart.d, o[2][3];
  int first = -1;
  for (int k = 1; k >= 0; k--) {
    if (!sn_core_has_faces(&y->core[k])) continue;
    double m[3], rounding = 1e-9 * sn_norm(y->core[k].half);
    sn_scale(m, k ? 1 : -1, y->apart.n);
    double apart = distance_along(y, k, m, o[k]);
    if (apart > best - (first < 0 ? rounding : 0) || (first < 0 && y->apart.support[k].flats == 2))
      best = apart, first = k;
  }
  if (first < 0) return false;
  touch(y, first, o[first]);
  return true;
}
