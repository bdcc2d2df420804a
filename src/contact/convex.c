/* convex.c - the normal along which two convex solids are farthest apart.
 *
 * A solid is a core with a margin around it (capsule: a segment with its radius; cylinder and box: edges rounded by a
 * small part of their size; ellipsoid: what is deeper than half its smallest radius of curvature), so that cores of solids that touch are still apart and the normal is
 *
 *     n = (a - b)/|a - b|,   a, b the closest points of the cores,   gap = |a - b| - margins
 *
 * It is found by the method of Gilbert, Johnson and Keerthi: v, the point of a simplex of differences of support points
 * that is nearest to the origin, gets a new corner farthest against v until there is none. A Newton step then removes
 * what is left: with the support points a(n), b(n), their radii of curvature A, B (matrices in the plane across n) and
 * w = a - b, d = n.w
 *
 *     (A + B + d) dn = w - d n
 *
 * in which a straight direction e of a core holds n.e = 0. Cores that overlap begin with the normal of smaller cores
 * within them.
 */
#include "contact/convex.h"

#include <math.h>
#include <string.h>

#include "contact/solid.h"
#include "math/vec3.h"

static const double FLAT = 1e-4; /* cosine below which a direction counts as straight */

void sn_core_of(const sn_contacts *c, int i, double rounded, sn_core *core) {
  assert(i >= 0 && i < c->surfaces->items && c->surfaces->item[i].shape != SN_ITEM_SPHERES);
  const sn_item *item = &c->surfaces->item[i];
  const sn_solid_place *place = &c->own->solid[i];
  *core = (sn_core){.item = i, .center = place->center, .axis = place->axis};
  sn_copy(core->half, item->half);
  sn_solids[item->shape]->core(item, rounded, core);
}

/* The part of m across the axis of a cylinder. The length of axes depends on that of the Euler parameters, which
 * integrators keep to a tolerance: the remainder along the axis must not count as a direction across it. */
static void across_axis(const sn_core *core, const double m[3], double out[3]) {
  const double *a = core->axis[0];
  sn_copy(out, m);
  sn_axpy(out, -sn_dot(m, a) / sn_dot(a, a), a);
}

/* ---- ellipsoids: x = c + a^2 m/h, radii of curvature a^2/h - a^2 m m'a^2/h^3, both less the margin ---- */

void sn_ellipsoid_farthest(const double center[3], const double half[3], const double axis[3][3], const double m[3],
                           double margin, double x[3]) {
  double u[3], h = 0, length = sn_norm(m);
  for (int k = 0; k < 3; k++) {
    u[k] = sn_dot(m, axis[k]);
    h += half[k] * half[k] * u[k] * u[k];
  }
  sn_copy(x, center);
  if (!(h > 0)) return;
  for (int k = 0; k < 3; k++) sn_axpy(x, (half[k] * half[k] / sqrt(h) - margin / length) * u[k], axis[k]);
}

/* D = r0 e0 e0' + r1 e1 e1' by elimination in a frame across m. */
void sn_ellipsoid_radii(const double half[3], const double axis[3][3], const double m[3], double margin,
                        sn_support_point *e) {
  double t[2][3], h = 0, D[3] = {0, 0, 0}, y[2] = {0, 0};
  sn_frame(m, t[0], t[1]);
  for (int k = 0; k < 3; k++) {
    double a = half[k] * half[k], u = sn_dot(m, axis[k]), p = sn_dot(t[0], axis[k]), q = sn_dot(t[1], axis[k]);
    h += a * u * u;
    D[0] += a * p * p, D[1] += a * p * q, D[2] += a * q * q;
    y[0] += a * u * p, y[1] += a * u * q;
  }
  double root = sqrt(h);
  D[0] = (D[0] - y[0] * y[0] / h) / root - margin;
  D[1] = (D[1] - y[0] * y[1] / h) / root;
  D[2] = (D[2] - y[1] * y[1] / h) / root - margin;
  e->round_radius[0] = D[0];
  e->round_radius[1] = D[2] - D[1] * D[1] / D[0];
  sn_copy(e->round[0], t[0]);
  sn_axpy(e->round[0], D[1] / D[0], t[1]);
  sn_copy(e->round[1], t[1]);
}

/* The corner, or with `middle` the middle of what is equally far. */
static void support(const sn_core *core, const double m[3], double middle, double x[3]) {
  if (core->hull) {
    sn_hull_support(core, m, middle, x);
    return;
  }
  if (sn_core_is_ellipsoid(core)) {
    double part = 1 - core->shrunk, half[3];
    sn_scale(half, part, core->half);
    sn_ellipsoid_farthest(core->center, half, core->axis, m, part * core->margin, x);
    return;
  }
  sn_copy(x, core->center);
  for (int k = 0; k < core->straight; k++) {
    double along = sn_dot(m, core->axis[k]);
    if (fabs(along) > middle) sn_axpy(x, along < 0 ? -core->half[k] : core->half[k], core->axis[k]);
  }
  if (!(core->radius > 0)) return;
  double out[3], unit[3];
  across_axis(core, m, out);
  if (!(sn_normalize(out) > fmax(middle, 1e-9))) return; /* below it is rounding, ... */
  across_axis(core, out, unit);                          /* ... which the division has made larger */
  sn_axpy(x, core->radius, unit);
}

void sn_core_support(const sn_core *core, const double m[3], const sn_apart *apart, double x[3]) {
  support(core, m, apart ? apart->flat : FLAT, x);
}

/* What is straight to within `flat`. */
static void support_point_of(const sn_core *core, const double m[3], double flat, sn_support_point *e) {
  *e = (sn_support_point){.flats = 0};
  if (core->hull) {
    sn_hull_support_point(core, m, flat, e);
    return;
  }
  if (sn_core_is_ellipsoid(core)) {
    sn_ellipsoid_radii(core->half, core->axis, m, core->margin, e);
    return;
  }
  for (int k = 0; k < core->straight; k++)
    if (fabs(sn_dot(m, core->axis[k])) <= flat && e->flats < 2) sn_copy(e->flat[e->flats++], core->axis[k]);
  if (!(core->radius > 0)) return;
  double out[3];
  across_axis(core, m, out);
  double across = sn_normalize(out);
  if (across <= flat) {
    e->flats = 2;
    for (int k = 0; k < 2; k++) sn_copy(e->flat[k], core->axis[1 + k]);
  } else {
    sn_cross(e->round[0], core->axis[0], out);
    e->round_radius[0] = core->radius / across;
  }
}

/* ---- closest points of the cores ---- */

/* The point of the simplex x[0..count-1] nearest to the origin; the simplex keeps only the corners it needs. Every
 * subset is tried: where the nearest point of its span has positive weights it is a candidate. */
static int weights_of(int count, double x[4][3], const int *use, double w[4]) {
  double G[3][4];
  int n = count - 1;
  for (int i = 0; i < n; i++) {
    double u[3], v[3];
    sn_sub(u, x[use[i + 1]], x[use[0]]);
    for (int j = 0; j < n; j++) {
      sn_sub(v, x[use[j + 1]], x[use[0]]);
      G[i][j] = sn_dot(u, v);
    }
    G[i][n] = -sn_dot(u, x[use[0]]);
  }
  double size[3];
  for (int k = 0; k < n; k++) size[k] = G[k][k];
  w[0] = 1;
  for (int k = 0; k < n; k++) { /* symmetric positive definite: no pivots needed; flat simplices are left out */
    if (!(G[k][k] > 1e-13 * size[k])) return 0;
    for (int i = k + 1; i < n; i++) {
      double f = G[i][k] / G[k][k];
      for (int j = k; j <= n; j++) G[i][j] -= f * G[k][j];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    double sum = G[k][n];
    for (int j = k + 1; j < n; j++) sum -= G[k][j] * w[j + 1];
    w[k + 1] = sum / G[k][k];
    w[0] -= w[k + 1];
  }
  for (int k = 0; k < count; k++)
    if (!(w[k] > 0)) return 0;
  return 1;
}

static int nearest(int count, double x[4][3], double v[3]) {
  double best = INFINITY, kept[4][3];
  int size = 0;
  for (int set = 1; set < 1 << count; set++) {
    int use[4], n = 0;
    double w[4], y[3] = {0, 0, 0};
    for (int k = 0; k < count; k++)
      if (set >> k & 1) use[n++] = k;
    if (!weights_of(n, x, use, w)) continue;
    for (int k = 0; k < n; k++) sn_axpy(y, w[k], x[use[k]]);
    if (!(sn_dot(y, y) < best)) continue;
    best = sn_dot(y, y);
    sn_copy(v, y);
    size = n;
    for (int k = 0; k < n; k++) sn_copy(kept[k], x[use[k]]);
  }
  memcpy(x, kept, (size_t)size * sizeof *kept);
  return size;
}

enum { ROUNDS = 60 };

static bool is_among(double x[4][3], int count) {
  for (int k = 0; k < count; k++)
    if (x[k][0] == x[count][0] && x[k][1] == x[count][1] && x[k][2] == x[count][2]) return true;
  return false;
}

/* v = a - b; false: the cores overlap. Between polyhedra the search ends with the exact simplex; those of many small
 * faces leave Newton's method little to hold on to. */
static bool closest_points(const sn_core core[2], double v[3]) {
  bool hull = core[0].hull || core[1].hull;
  int again = 0;
  double size = sn_norm(core[0].half) + sn_norm(core[1].half), x[4][3], enough = hull ? 1e-15 : 1e-11;
  int count = 0;
  sn_sub(v, core[0].center, core[1].center);
  for (int k = 0; k < ROUNDS; k++) {
    double minus[3], a[3], b[3], square = sn_dot(v, v);
    sn_scale(minus, -1, v);
    support(&core[0], minus, 0, a);
    support(&core[1], v, 0, b);
    sn_sub(x[count], a, b);
    if (count && square - sn_dot(v, x[count]) <= enough * square) return true;
    if (hull && is_among(x, count)) return true; /* no corner is nearer than those of the simplex */
    double before = count ? square : INFINITY, last[3], left = square - sn_dot(v, x[count]);
    sn_copy(last, x[count]);
    count = nearest(count + 1, x, v);
    square = sn_dot(v, v);
    if (count == 0 || (count == 4 && !hull) || !(square > 1e-20)) return false;
    if (square < before && count < 4) continue;
    if (!hull || left <= fmax(1e-10 * before, 1e-11 * size * sqrt(before))) return true; /* as rounding allows */
    if (++again > 8) return false;
    count = 1; /* vertices close together: a flat simplex has hidden the way, or only seems to hold the origin */
    sn_copy(x[0], last);
    sn_copy(v, last);
  }
  return true;
}

/* ---- overlap ---- */

/* A core that is smaller by a part of its least size: its edges are rounded more. */
static sn_core inner_core(const sn_core *core, double part) {
  sn_core y = *core;
  double least = core->half[0];
  if (!sn_core_has_lines(core)) y.shrunk = part;
  if (!sn_core_has_faces(core) || core->hull) return y;
  if (core->radius > 0) least = fmin(least, core->radius);
  if (core->straight == 3) least = fmin(least, fmin(core->half[1], core->half[2]));
  for (int k = 0; k < core->straight; k++) y.half[k] -= part * least;
  y.radius = fmax(0, core->radius - part * least);
  return y;
}

/* Distance of the cores along n. */
double sn_core_separation(const sn_core core[2], const double n[3]) {
  double minus[3], a[3], b[3], w[3];
  sn_scale(minus, -1, n);
  support(&core[0], minus, 0, a);
  support(&core[1], n, 0, b);
  sn_sub(w, a, b);
  return sn_dot(w, n);
}

/* Is the unit vector v, or the opposite, the way of less overlap? */
static void try_normal(const sn_core core[2], const double v[3], double *best, double n[3]) {
  double d[3], way[3];
  sn_sub(d, core[0].center, core[1].center);
  sn_scale(way, sn_dot(d, v) < 0 ? -1 : 1, v);
  if (!(sn_normalize(way) > 1e-6)) return;
  double apart = sn_core_separation(core, way);
  if (apart > *best) *best = apart, sn_copy(n, way);
}

/* Normals of faces, of sides, and of edges that cross. */
static void try_features(const sn_core core[2], double *best, double n[3]) {
  for (int i = 0; i < core[0].straight; i++)
    for (int j = 0; j < core[1].straight; j++) {
      double e[3];
      sn_cross(e, core[0].axis[i], core[1].axis[j]);
      try_normal(core, e, best, n);
    }
  for (int k = 0; k < 2; k++) {
    double d[3], out[3];
    sn_sub(d, core[0].center, core[1].center);
    for (int i = 0; sn_core_has_faces(&core[k]) && i < core[k].straight; i++)
      try_normal(core, core[k].axis[i], best, n);
    for (int i = 0; core[k].hull && i < core[k].hull->faces; i++) {
      sn_hull_normal(&core[k], i, out);
      try_normal(core, out, best, n);
    }
    if (core[k].straight != 1) continue;
    across_axis(&core[k], d, out);
    try_normal(core, out, best, n);
  }
}

/* The unit vector between the cores; where they overlap, of the normals of smaller cores and of features the one along
 * which these overlap least. */
static bool normal_between(const sn_core core[2], double n[3]) {
  static const double parts[] = {0.05, 0.1, 0.2, 0.4, 0.6, 0.95};
  double best = -INFINITY;
  if (closest_points(core, n)) {
    sn_normalize(n);
    if (!(core[0].hull || core[1].hull) || sn_core_separation(core, n) > 0) return true;
  }
  sn_sub(n, core[0].center, core[1].center);
  if (!(sn_normalize(n) > 0)) sn_copy(n, core[0].axis[1]); /* any way out */
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    const sn_core inner[2] = {inner_core(&core[0], parts[k]), inner_core(&core[1], parts[k])};
    double v[3];
    if (!closest_points(inner, v)) continue;
    sn_normalize(v);
    double apart = sn_core_separation(core, v);
    if (apart > best) best = apart, sn_copy(n, v);
  }
  try_features(core, &best, n);
  return false;
}

/* ---- Newton ---- */

/* Keep the unit vector n across e; on the side where it was. */
static void make_normal(double n[3], const double e[3]) {
  double across[3];
  sn_copy(across, e);
  sn_scale(n, sn_dot(n, across) < 0 ? -1 : 1, across);
  sn_normalize(n);
}

/* Straight directions that hold n; true: they leave it no freedom. */
static bool hold(const sn_support_point e[2], double n[3], const double **line) {
  double across[3];
  *line = NULL;
  for (int k = 1; k >= 0; k--)
    if (e[k].flats == 2) {
      sn_cross(across, e[k].flat[0], e[k].flat[1]);
      make_normal(n, across);
      return true;
    }
  if (e[0].flats && e[1].flats) {
    sn_cross(across, e[0].flat[0], e[1].flat[0]);
    double sine = sn_norm(across);
    if (fabs(sn_dot(across, n)) > 0.999999 * sine && sine > 0) {
      make_normal(n, across);
      return true;
    }
  }
  if (e[0].flats || e[1].flats) *line = e[e[0].flats ? 0 : 1].flat[0];
  return false;
}

/* One step; returns its size. */
static double newton(const sn_core core[2], const sn_support_point e[2], const double *line, double flat, double most,
                     double n[3]) {
  double minus[3], a[3], b[3], w[3], t[2][3] = {{0}}, M[3] = {0, 0, 0};
  if (line) {
    sn_axpy(n, -sn_dot(n, line), line);
    sn_normalize(n);
    sn_cross(t[0], n, line);
  } else {
    sn_frame(n, t[0], t[1]);
  }
  sn_scale(minus, -1, n);
  support(&core[0], minus, flat, a);
  support(&core[1], n, flat, b);
  sn_sub(w, a, b);
  M[0] = M[2] = sn_dot(w, n);
  for (int k = 0; k < 4; k++) {
    const double *round = e[k / 2].round[k % 2], r = e[k / 2].round_radius[k % 2];
    double x = sn_dot(round, t[0]), y = line ? 0 : sn_dot(round, t[1]);
    M[0] += r * x * x, M[1] += r * x * y, M[2] += r * y * y;
  }
  double f = sn_dot(w, t[0]), g = line ? 0 : sn_dot(w, t[1]), det = line ? M[0] : M[0] * M[2] - M[1] * M[1];
  if (!(det > 0 && M[0] > 0)) return 0;
  double x = line ? f / M[0] : (M[2] * f - M[1] * g) / det, y = line ? 0 : (M[0] * g - M[1] * f) / det;
  if (!(hypot(x, y) < most)) return 0;
  sn_axpy(n, x, t[0]);
  if (!line) sn_axpy(n, y, t[1]);
  sn_normalize(n);
  return hypot(x, y);
}

/* From the normal y->n to where the separation is largest, with what is straight to within `flat` held. */
static void polish(const sn_core core[2], double flat, double most, sn_apart *y) {
  double minus[3];
  const double *line;
  y->flat = flat;
  for (int k = 0; k < 6; k++) {
    sn_scale(minus, -1, y->n);
    support_point_of(&core[0], minus, flat, &y->support[0]);
    support_point_of(&core[1], y->n, flat, &y->support[1]);
    if (hold(y->support, y->n, &line) || newton(core, y->support, line, flat, most, y->n) < 1e-15) break;
  }
  y->d = sn_core_separation(core, y->n);
}

/* Of all normals that of the largest separation is right. What was held as straight and was not gives less: then once
 * more with nothing held; and where that finds the way of more overlap, as the search left it. */
void sn_cores_apart(const sn_core core[2], sn_apart *y) {
  double minus[3], start[3], most;
  bool apart = normal_between(core, y->n);
  double found = sn_core_separation(core, y->n),
         least = found - (apart ? 2e-9 * (core[0].half[0] + core[1].half[0]) : 0);
  most = apart ? 0.01 : 0.3; /* what the search may have left */
  sn_copy(start, y->n);
  polish(core, FLAT, most, y);
  if (y->d >= least) return;
  sn_copy(y->n, start);
  polish(core, 1e-7, most, y);
  if (y->d >= least) return;
  sn_copy(y->n, start);
  sn_scale(minus, -1, start);
  support_point_of(&core[0], minus, FLAT, &y->support[0]);
  support_point_of(&core[1], start, FLAT, &y->support[1]);
  y->d = found;
  y->flat = FLAT;
}
