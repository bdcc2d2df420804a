/* shape.c - solids of uniform density: volume and inertia about the center, in body axes. */

#include <math.h>

#include "math/constants.h"
#include "model/hull.h"
#include "model/materials.h"

/* ---- box: J = m (b^2 + c^2)/12 ---- */

typedef struct box_spec {
  sn_spec spec;
  double size[3];
} box_spec;

static const sn_field box_fields[] = {
    {"size", SN_VECTOR, SN_AT(box_spec, size), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "edges along the body axes"},
    {0},
};

/* Axes of symmetry are principal axes. */
static sn_solid principal(double V, double Jxx, double Jyy, double Jzz) {
  return (sn_solid){.volume = V, .Jxx = Jxx, .Jyy = Jyy, .Jzz = Jzz};
}

static sn_solid box_solid(const sn_spec *spec, double length) {
  (void)length;
  const double *s = ((const box_spec *)spec)->size;
  double V = s[0] * s[1] * s[2];
  return principal(V, V * (s[1] * s[1] + s[2] * s[2]) / 12, V * (s[0] * s[0] + s[2] * s[2]) / 12,
                   V * (s[0] * s[0] + s[1] * s[1]) / 12);
}

static void box_geometry(const sn_spec *spec, double length, sn_geometry *geometry) {
  (void)length;
  geometry->type = SN_GEOMETRY_BOX;
  for (int k = 0; k < 3; k++) geometry->size[k] = ((const box_spec *)spec)->size[k];
}

const sn_shape_ops sn_shape_box = {
    .kind = {.name = "box",
             .category = SN_SHAPES,
             .summary = "box with edges along the body axes",
             .fields = box_fields,
             .spec_size = sizeof(box_spec)},
    .solid = box_solid,
    .geometry = box_geometry,
};

/* ---- sphere: J = 2/5 m r^2 ---- */

typedef struct sphere_spec {
  sn_spec spec;
  double radius;
} sphere_spec;

static const sn_field sphere_fields[] = {
    {"radius", SN_REAL, SN_AT(sphere_spec, radius), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "radius"},
    {0},
};

static sn_solid sphere_solid(const sn_spec *spec, double length) {
  (void)length;
  double r = ((const sphere_spec *)spec)->radius, V = 4.0 / 3 * SN_PI * r * r * r, J = 0.4 * V * r * r;
  return principal(V, J, J, J);
}

static void sphere_geometry(const sn_spec *spec, double length, sn_geometry *geometry) {
  (void)length;
  geometry->type = SN_GEOMETRY_SPHERE;
  geometry->size[0] = ((const sphere_spec *)spec)->radius;
}

const sn_shape_ops sn_shape_sphere = {
    .kind = {.name = "sphere",
             .category = SN_SHAPES,
             .summary = "sphere",
             .fields = sphere_fields,
             .spec_size = sizeof(sphere_spec)},
    .solid = sphere_solid,
    .geometry = sphere_geometry,
};

/* ---- cylinder along x: Jxx = m r^2/2, Jyy = Jzz = m (3 r^2 + L^2)/12 ---- */

typedef struct cylinder_spec {
  sn_spec spec;
  double radius, length;
} cylinder_spec;

static const sn_field cylinder_fields[] = {
    {"radius", SN_REAL, SN_AT(cylinder_spec, radius), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "radius"},
    {"length", SN_REAL, SN_AT(cylinder_spec, length), .unit = "m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "length along the body x axis; 0: the distance from 'from' to 'to' of the body"},
    {0},
};

static sn_solid cylinder_solid(const sn_spec *spec, double length) {
  const cylinder_spec *s = (const cylinder_spec *)spec;
  double L = s->length > 0 ? s->length : length, r = s->radius, V = SN_PI * r * r * L, J = V * (3 * r * r + L * L) / 12;
  return principal(V, V * r * r / 2, J, J);
}

static void cylinder_geometry(const sn_spec *spec, double length, sn_geometry *geometry) {
  const cylinder_spec *s = (const cylinder_spec *)spec;
  geometry->type = SN_GEOMETRY_CYLINDER;
  geometry->size[0] = s->radius;
  geometry->size[1] = s->length > 0 ? s->length : length;
}

const sn_shape_ops sn_shape_cylinder = {
    .kind = {.name = "cylinder",
             .category = SN_SHAPES,
             .summary = "cylinder along the body x axis",
             .fields = cylinder_fields,
             .spec_size = sizeof(cylinder_spec)},
    .solid = cylinder_solid,
    .geometry = cylinder_geometry,
};

/* ---- ellipsoid: V = 4/3 pi a b c, Jxx = m (b^2 + c^2)/5 ---- */

typedef struct ellipsoid_spec {
  sn_spec spec;
  double radii[3];
} ellipsoid_spec;

static const sn_field ellipsoid_fields[] = {
    {"radii", SN_VECTOR, SN_AT(ellipsoid_spec, radii), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .example = "[0.3, 0.2, 0.1]", .help = "semi-axes along the body axes"},
    {0},
};

static sn_solid ellipsoid_solid(const sn_spec *spec, double length) {
  (void)length;
  const double *r = ((const ellipsoid_spec *)spec)->radii;
  double V = 4.0 / 3 * SN_PI * r[0] * r[1] * r[2];
  return principal(V, V * (r[1] * r[1] + r[2] * r[2]) / 5, V * (r[0] * r[0] + r[2] * r[2]) / 5,
                   V * (r[0] * r[0] + r[1] * r[1]) / 5);
}

static void ellipsoid_geometry(const sn_spec *spec, double length, sn_geometry *geometry) {
  (void)length;
  geometry->type = SN_GEOMETRY_ELLIPSOID;
  for (int k = 0; k < 3; k++) geometry->size[k] = ((const ellipsoid_spec *)spec)->radii[k];
}

const sn_shape_ops sn_shape_ellipsoid = {
    .kind = {.name = "ellipsoid",
             .category = SN_SHAPES,
             .summary = "ellipsoid with semi-axes along the body axes",
             .fields = ellipsoid_fields,
             .spec_size = sizeof(ellipsoid_spec)},
    .solid = ellipsoid_solid,
    .geometry = ellipsoid_geometry,
};

/* ---- convex hull: integrals over its tetrahedra (model/hull.c) ---- */

typedef struct convex_spec {
  sn_spec spec;
  const sn_hull *points;
} convex_spec;

static const sn_field convex_fields[] = {
    {"points", SN_HULL, SN_AT(convex_spec, points), .unit = "m", .required = true,
     .help = "points whose convex hull it is, along the body axes, or the name of a CSV (x, y, z in each line), OBJ or "
             "STL file with them, relative to the folder of the model. Any origin: the center of mass of the solid "
             "becomes the origin of the body axes"},
    {0},
};

static sn_solid convex_solid(const sn_spec *spec, double length) {
  (void)length;
  const sn_hull *h = ((const convex_spec *)spec)->points;
  return (sn_solid){h->volume, h->J[0], h->J[1], h->J[2], h->J[3], h->J[4], h->J[5]};
}

static void convex_geometry(const sn_spec *spec, double length, sn_geometry *geometry) {
  (void)length;
  const sn_hull *h = ((const convex_spec *)spec)->points;
  geometry->type = SN_GEOMETRY_CONVEX;
  geometry->hull = h;
  for (int i = 0; i < h->vertices; i++)
    for (int k = 0; k < 3; k++) geometry->size[k] = fmax(geometry->size[k], fabs(h->vertex[i][k]));
}

const sn_shape_ops sn_shape_convex = {
    .kind = {.name = "convex",
             .category = SN_SHAPES,
             .summary = "convex hull of points",
             .fields = convex_fields,
             .spec_size = sizeof(convex_spec)},
    .solid = convex_solid,
    .geometry = convex_geometry,
};
