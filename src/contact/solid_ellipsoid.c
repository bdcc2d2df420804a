/* solid_ellipsoid.c - an ellipsoid with the semi-axes a_k along its axes.
 *
 *   sum (x_k/a_k)^2 = 1,    the farthest point along the unit vector m:  x_k = a_k^2 m_k/h,  h = sqrt(sum (a_k m_k)^2)
 *   radii of curvature there:  D = (a^2 - x x')/h, across m
 *
 * The distance d of a point c is that of its nearest point x = (1 + t/a^2)^-1 c, with the largest t of
 *
 *   |z(t)| = 1,  z_k = a_k c_k/(t + a_k^2)         found as the zero of 1/|z| - 1, nearly a straight line, by Newton
 *
 * and the normal turns by P = (D + d)^-1. The core is what is deeper than the margin, which is less than all radii of
 * curvature: convex, and with its margin the ellipsoid itself. */
#include <math.h>

#include "contact/solid.h"
#include "math/quat.h"

static double smallest(const double a[3]) {
  return sn_lesser(a[0], sn_lesser(a[1], a[2]));
}

static void ellipsoid_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = sn_solid_of_body(body);
  bool given = sn_given(s, "radii");
  if (!given && geometry.type != SN_GEOMETRY_ELLIPSOID) {
    sn_field_error(&b->compiler->reader, &s->spec, NULL, "'radii', or a body with the shape of an ellipsoid",
                   "surface '%s' has no size", s->spec.name);
    return;
  }
  sn_item *item = sn_add_solid(b, s, body, SN_ITEM_ELLIPSOID);
  if (!item) return;
  for (int k = 0; k < 3; k++) {
    double e[3] = {k == 0, k == 1, k == 2};
    sn_quat_rotate(s->rotation, e, item->axis[k]);
    item->half[k] = given ? s->size[k] : geometry.size[k];
  }
  sn_copy(item->center, s->at);
  item->reach = sn_greater(item->half[0], sn_greater(item->half[1], item->half[2]));
}

static double ellipsoid_size(const sn_item *item) {
  return smallest(item->half);
}

static void ellipsoid_bound(const sn_item *item, const sn_solid_place *place, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int a = 0; a < 3; a++) sum += item->half[a] * item->half[a] * place->axis[a][k] * place->axis[a][k];
    low[k] = place->center[k] - sqrt(sum);
    high[k] = place->center[k] + sqrt(sum);
  }
}

/* Along the axes: the nearest point x to c. Where c is so deep that it lies between the sides of the smallest semi-axis,
 * t = -a^2 of that axis, and the rest of |z| = 1 is its own. */
static void nearest_point(const double a[3], const double c[3], double x[3]) {
  int least = a[0] <= a[1] ? a[0] <= a[2] ? 0 : 2 : a[1] <= a[2] ? 1 : 2;
  double t = -INFINITY, below = a[least] * a[least];
  for (int k = 0; k < 3; k++) t = fmax(t, a[k] * (fabs(c[k]) - a[k]));
  for (int i = 0; i < 60; i++) { /* from the left of the root, monotonically */
    double z2 = 0, zz = 0;
    for (int k = 0; k < 3; k++) {
      double room = t + a[k] * a[k];
      if (!(room > 1e-12 * below)) continue;
      double z = a[k] * c[k] / room;
      z2 += z * z, zz += z * z / room;
    }
    if (!(z2 > 0)) break;
    double step = z2 * (sqrt(z2) - 1) / zz;
    t += step;
    if (!(fabs(step) > 1e-15 * (t + below))) break;
  }
  double rest = 1;
  for (int k = 0; k < 3; k++) {
    double room = t + a[k] * a[k];
    x[k] = room > 1e-12 * below ? a[k] * a[k] * c[k] / room : 0;
    rest -= x[k] * x[k] / (a[k] * a[k]);
  }
  if (!(t + below > 1e-12 * below)) x[least] = (c[least] < 0 ? -1 : 1) * a[least] * sqrt(fmax(0, rest));
}

/* P = (D + d)^-1 across n. */
static void turn_of(const sn_support_point *e, double d, sn_view *v) {
  double t[2][3], M[3] = {d, 0, d};
  sn_frame(v->n, t[0], t[1]);
  for (int i = 0; i < 2; i++) {
    double x = sn_dot(e->round[i], t[0]), y = sn_dot(e->round[i], t[1]), r = e->round_radius[i];
    M[0] += r * x * x, M[1] += r * x * y, M[2] += r * y * y;
  }
  double det = M[0] * M[2] - M[1] * M[1], sum[3];
  if (!(M[0] > 0 && det > 0)) return; /* deeper than its center of curvature */
  for (int k = 0; k < 3; k++) sum[k] = t[0][k] + t[1][k];
  sn_add_square(v->P, (M[2] + M[1]) / det, t[0]);
  sn_add_square(v->P, (M[0] + M[1]) / det, t[1]);
  sn_add_square(v->P, -M[1] / det, sum);
}

static void ellipsoid_see(const sn_item *item, const sn_solid_place *place, const double c[3], sn_view *v) {
  const double *a = item->half;
  double w[3], local[3], x[3], away[3] = {0, 0, 0};
  sn_support_point e;
  sn_sub(w, c, place->center);
  for (int k = 0; k < 3; k++) local[k] = sn_dot(w, place->axis[k]);
  nearest_point(a, local, x);
  for (int k = 0; k < 3; k++) {
    sn_axpy(v->n, x[k] / (a[k] * a[k]), place->axis[k]);
    sn_axpy(away, local[k] - x[k], place->axis[k]);
  }
  sn_normalize(v->n);
  v->distance = sn_dot(away, v->n);
  sn_ellipsoid_radii(a, (const double(*)[3])place->axis, v->n, 0, &e);
  turn_of(&e, v->distance, v);
}

/* Half the smallest radius of curvature is left to the core. */
static void ellipsoid_core(const sn_item *item, double rounded, sn_core *core) {
  (void)rounded; /* it has no edges */
  double least = smallest(item->half);
  core->margin = 0.5 * least * least / item->reach;
}

static void ellipsoid_plane(const sn_contacts *c, const sn_pair *pair, int a, int b, sn_contact_list *list) {
  const sn_item *item = &c->surfaces->item[a];
  const sn_solid_place *p = &c->own->solid[a];
  double m[3], x[3];
  sn_support_point e;
  sn_scale(m, -1, c->own->solid[b].axis[0]);
  sn_ellipsoid_farthest(p->center, item->half, (const double(*)[3])p->axis, m, 0, x);
  sn_contact *contact = sn_touch_at(c, pair, a, b, x, 0, 0, list);
  if (!contact) return;
  sn_ellipsoid_radii(item->half, (const double(*)[3])p->axis, m, 0, &e);
  contact->rolls = true;
  for (int i = 0; i < 2; i++) sn_add_square(contact->R, e.round_radius[i], e.round[i]);
}

/* The ellipsoid is the first of the two: it rolls on what is straight. */
static const sn_solid_pair ellipsoid_pairs[] = {
    {SN_ITEM_CAPSULE, sn_touch_convex}, {SN_ITEM_CYLINDER, sn_touch_convex}, {SN_ITEM_BOX, sn_touch_convex}, {0, NULL}};

static const sn_field ellipsoid_fields[] = {
    SN_SURFACE_ON("rigid body, or the ground", .def = "ground", .example = "my_body", ),
    {"radii", SN_VECTOR, SN_AT(sn_surface_spec, size), .unit = "m", .limits = SN_POSITIVE, .example = "[0.3, 0.2, 0.1]",
     .help = "semi-axes; default: those of the ellipsoid shape of the body. For the stiffness of Hertz the smallest "
             "counts, wherever it touches: with a stiffness that changed from place to place, energy would not be "
             "conserved"},
    {"at", SN_VECTOR, SN_AT(sn_surface_spec, at), .unit = "m", .def = "[0, 0, 0]", .help = "center, in body axes"},
    {"rotation", SN_ROTATION, SN_AT(sn_surface_spec, rotation), .def = "[1, 0, 0, 0]",
     .help = "orientation of the semi-axes, in body axes"},
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_ellipsoid = {
    .kind = {.name = "ellipsoid",
             .category = SN_SURFACES,
             .summary = "ellipsoid",
             .fields = ellipsoid_fields,
             .spec_size = sizeof(sn_surface_spec)},
    .compile = ellipsoid_compile,
};

const sn_solid_ops sn_solid_ellipsoid = {
    .size = ellipsoid_size,
    .bound = ellipsoid_bound,
    .see = ellipsoid_see,
    .core = ellipsoid_core,
    .on_plane = ellipsoid_plane,
    .pairs = ellipsoid_pairs,
};
