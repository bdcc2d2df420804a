/* surface_spheres.c - surfaces made of spheres: strung along cables and beams, in a grid on plates, single ones.
 *
 * Friction acts on the center line or middle surface of flexible bodies, where these have no rotation (thin bodies).
 */
#include <math.h>
#include <string.h>

#include "body/plate_element.h"
#include "contact/surfaces.h"
#include "math/hermite.h"
#include "math/vec3.h"
#include "model/memory_need.h"

/* Radius from the looks of a body, 0: unknown. */
static double radius_of(const sn_geometry *geometry) {
  if (geometry->section == SN_OUTLINE_CIRCLE) return geometry->size[0];
  if (geometry->section == SN_OUTLINE_RECTANGLE) return fmin(geometry->size[0], geometry->size[1]) / 2;
  if (geometry->type == SN_GEOMETRY_SURFACE) return geometry->size[0] / 2;
  return geometry->type == SN_GEOMETRY_SPHERE ? geometry->size[0] : 0;
}

static double choose_radius(sn_surface_builder *b, const sn_surface_spec *s, const sn_geometry *geometry) {
  double radius = sn_given(s, "radius") ? s->radius : radius_of(geometry);
  if (!(radius > 0))
    sn_field_error(&b->compiler->reader, &s->spec, NULL, "a radius", "surface '%s' needs a radius: '%s' has no default",
                   s->spec.name, s->on.body);
  return radius;
}

static bool names_only_body(sn_surface_builder *b, const sn_surface_spec *s) {
  if (!s->on.point) return true;
  sn_field_error(&b->compiler->reader, &s->spec, "on", sn_format(b->compiler->arena, "just '%s'", s->on.body),
                 "surface '%s' covers a whole body, not a point", s->spec.name);
  return false;
}

static int whole(double x) {
  return (int)fmin(ceil(x), 1e7);
}

/* ---- spheres along a line ---- */

/* Does the line between four vectors have the weights of a cubic of this length? */
static bool is_cubic(const sn_surfaces *s, const sn_item *item, double l) {
  if (s->carrier[item->carrier].type != SN_CARRIER_LINEAR || s->carrier[item->carrier].vectors != 4) return false;
  for (int k = 0; k < item->count; k++) {
    double cubic[4];
    sn_hermite(s->place[item->first + k], l, cubic);
    for (int j = 0; j < 4; j++)
      if (fabs(s->weight[item->data + SN_SIDE_WEIGHTS * k + j] - cubic[j]) > 1e-12) return false;
  }
  return true;
}

/* The vectors of an element in the order of its nodes, whichever sphere comes first: a sphere in the middle has them
 * all. */
static void order_vectors(sn_surface_builder *b, const sn_body *body, sn_marker *marker) {
  sn_item *item = &b->surfaces->item[b->surfaces->items - 1];
  sn_probe probe;
  marker->local[0] = marker->local[1] = 0.5;
  body->ops->point(marker, &probe);
  if (probe.ops != &sn_probe_linear) return;
  int spheres = b->surfaces->spheres, weights = b->weights;
  sn_add_sphere(b, body, &probe, 1, 0);
  b->surfaces->spheres = spheres;
  b->weights = weights;
  item->count = 0;
  item->radius = 0;
}

/* A small spacing makes very many spheres: are there at most as many as a count may say, and memory for them? */
static bool fit(sn_surface_builder *b, const sn_surface_spec *s, double count) {
  const char *field = sn_given(s, "spacing") ? "spacing" : NULL;
  const double need = sn_memory_of_spheres(count), available = sn_memory_available(b->compiler->context);
  if (!(count <= 1e7))
    sn_field_error(&b->compiler->reader, &s->spec, field, "at most 1e7", "surface '%s' would have %.3g spheres",
                   s->spec.name, count);
  else if (need > available)
    sn_field_error(&b->compiler->reader, &s->spec, field, "fewer spheres, or a higher limit with --memory",
                   "surface '%s' would have %.3g spheres, which need about %s of memory; %s are available",
                   s->spec.name, count, sn_bytes_text(need).text, sn_bytes_text(available).text);
  return count <= 1e7 && need <= available;
}

/* One item for each element that has spheres. */
static void string_spheres(sn_surface_builder *b, const sn_body *body, const sn_geometry *geometry, int count,
                           double radius) {
  int elements = geometry->elements > 0 ? geometry->elements : 1;
  double l = geometry->element_length;
  const sn_marker_ref ref = {.body = body->name, .point = "at", .count = 1, .number = {0.5}};
  sn_marker marker = {.body = body, .points = 1, .ref = &ref};
  if (!body->ops->marker(b->compiler, body, &ref, &marker)) return;
  sn_probe probe;
  body->ops->point(&marker, &probe);
  bool linear = probe.ops == &sn_probe_linear;
  sn_item *item = NULL;
  for (int i = 0; i < count; i++) {
    double s = count > 1 ? (double)i / (count - 1) : 0.5, x = s * elements;
    if (fabs(x - round(x)) < 1e-9) x = round(x);
    int element = x >= elements ? elements - 1 : (int)x;
    if (!item || item->element[0] != element) {
      item = sn_add_item(b, SN_ITEM_SPHERES);
      item->element[0] = element;
      item->neighbors[0] = 1 + (l > 0 ? whole(4 * radius / l) : 1);
      item->open[0] = element == 0;
      item->open[1] = element == elements - 1;
      item->length = l;
      marker.element = element;
      if (linear) order_vectors(b, body, &marker);
    }
    marker.local[0] = x - element;
    if (!linear) { /* other kinds keep more in their markers */
      sn_marker_ref at = ref;
      at.number[0] = s;
      if (!body->ops->marker(b->compiler, body, &at, &marker)) return;
    }
    body->ops->point(&marker, &probe);
    sn_add_sphere(b, body, &probe, radius, x - element);
  }
  for (int k = b->surface->first; k < b->surfaces->items; k++)
    b->surfaces->item[k].line = is_cubic(b->surfaces, &b->surfaces->item[k], l);
}

static void spheres_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = {0};
  if (!names_only_body(b, s)) return;
  if (!body->ops->landmarks || !strstr(body->ops->landmarks, "at(s)")) {
    sn_field_error(&b->compiler->reader, &s->spec, "on",
                   "a cable or a beam; for plates: type grid; for other bodies: sphere",
                   "%s '%s' has no center line for spheres", body->ops->kind.name, body->name);
    return;
  }
  if (!body->data) return; /* failed before */
  body->ops->geometry(body, &geometry);
  double radius = choose_radius(b, s, &geometry), length = geometry.elements * geometry.element_length;
  if (!(radius > 0)) return;
  int count = s->count;
  if (!sn_given(s, "count")) {
    double spacing = sn_given(s, "spacing") ? s->spacing : radius;
    if (!(length > 0)) {
      sn_field_error(&b->compiler->reader, &s->spec, NULL, "a 'count'", "surface '%s' needs a number of spheres",
                     s->spec.name);
      return;
    }
    if (!fit(b, s, length / spacing)) return;
    count = whole(length / spacing - 1e-9) + 1;
  }
  string_spheres(b, body, &geometry, count, radius);
}

static void count_check(sn_reader *reader, const sn_spec *spec) {
  if (sn_given(spec, "count") && sn_given(spec, "spacing"))
    sn_field_error(reader, spec, "spacing", "one of: count, spacing", "surface '%s' has both a count and a spacing",
                   spec->name);
}

#define RADIUS(text, ...) \
  { "radius", SN_REAL, SN_AT(sn_surface_spec, radius), .unit = "m", .limits = SN_POSITIVE, .help = text, __VA_ARGS__ }
#define SPACING(text) \
  { "spacing", SN_REAL, SN_AT(sn_surface_spec, spacing), .unit = "m", .limits = SN_POSITIVE, .help = text }

static const sn_field spheres_fields[] = {
    SN_SURFACE_ON("cable or beam", .required = true, .example = "my_cable", ),
    {"count", SN_INT, SN_AT(sn_surface_spec, count), .limits = SN_BETWEEN(1, 10000000),
     .help = "number of spheres along the whole line, including both ends"},
    SPACING("largest distance between spheres, instead of count; default without count: the radius"),
    RADIUS("radius of the spheres; default: radius of a round section, half the smaller edge of others", ),
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_spheres = {
    .kind = {.name = "spheres",
             .category = SN_SURFACES,
             .summary = "spheres along the axis of a cable or beam",
             .fields = spheres_fields,
             .spec_size = sizeof(sn_surface_spec),
             .check = count_check},
    .compile = spheres_compile,
};

/* ---- a grid on a plate ---- */

/* Element and place in it of sphere i of n along an edge with this many elements. */
static int grid_place(int i, int n, int elements, double *s) {
  double x = n > 1 ? (double)i / (n - 1) * elements : 0.5 * elements;
  if (fabs(x - round(x)) < 1e-9) x = round(x);
  int element = x >= elements ? elements - 1 : (int)x;
  *s = x - element;
  return element;
}

/* First sphere along an edge that belongs to an element at or behind `element`. */
static int grid_first(int element, int n, int elements) {
  double s;
  for (int i = 0; i < n; i++)
    if (grid_place(i, n, elements, &s) >= element) return i;
  return n;
}

static void grid_element(sn_surface_builder *b, const sn_body *body, const sn_geometry *geometry, const int n[2],
                         int ex, int ey, double radius) {
  int i0 = grid_first(ex, n[0], geometry->grid[0]), i1 = grid_first(ex + 1, n[0], geometry->grid[0]);
  int j0 = grid_first(ey, n[1], geometry->grid[1]), j1 = grid_first(ey + 1, n[1], geometry->grid[1]);
  if (i0 == i1 || j0 == j1) return;
  sn_item *item = sn_add_item(b, SN_ITEM_SPHERES);
  item->element[0] = ex;
  item->element[1] = ey;
  item->sheet = true;
  for (int k = 0; k < 2; k++) {
    item->neighbors[k] = 1 + whole(4 * radius / geometry->edge[k]);
    item->open[2 * k] = item->element[k] == 0;
    item->open[2 * k + 1] = item->element[k] == geometry->grid[k] - 1;
    item->edge[k] = geometry->edge[k];
  }
  sn_marker marker = {.body = body, .points = 1, .element = ex + geometry->grid[0] * ey};
  order_vectors(b, body, &marker);
  for (int j = j0; j < j1; j++)
    for (int i = i0; i < i1; i++) {
      sn_probe probe;
      grid_place(i, n[0], geometry->grid[0], &marker.local[0]);
      grid_place(j, n[1], geometry->grid[1], &marker.local[1]);
      body->ops->point(&marker, &probe);
      sn_add_sphere(b, body, &probe, radius, 0);
    }
}

static void grid_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = {0};
  if (!names_only_body(b, s)) return;
  if (body->ops->geometry && body->data) body->ops->geometry(body, &geometry);
  if (geometry.type != SN_GEOMETRY_SURFACE) {
    sn_field_error(&b->compiler->reader, &s->spec, "on", "a plate", "%s '%s' has no surface for a grid of spheres",
                   body->ops->kind.name, body->name);
    return;
  }
  double radius = choose_radius(b, s, &geometry);
  if (!(radius > 0)) return;
  int n[2];
  const double per_edge[2] = {geometry.grid[0] * geometry.edge[0] / s->spacing,
                              geometry.grid[1] * geometry.edge[1] / s->spacing};
  if (sn_given(s, "spacing") && !fit(b, s, per_edge[0] * per_edge[1])) return;
  for (int k = 0; k < 2; k++) {
    n[k] = 4 * geometry.grid[k] + 1;
    if (sn_given(s, "count")) n[k] = s->grid[k];
    if (sn_given(s, "spacing")) n[k] = whole(per_edge[k] - 1e-9) + 1;
  }
  if (!b->surfaces->monomials) {
    double *C = SN_NEW(b->compiler->arena, double, SN_PLATE_SHAPES *SN_PLATE_SHAPES);
    sn_plate_monomials((double(*)[SN_PLATE_SHAPES])C);
    b->surfaces->monomials = C;
  }
  for (int j = 0; j < geometry.grid[1]; j++)
    for (int i = 0; i < geometry.grid[0]; i++) grid_element(b, body, &geometry, n, i, j, radius);
}

static const sn_field grid_fields[] = {
    SN_SURFACE_ON("plate", .required = true, .example = "my_plate", ),
    {"count", SN_GRID, SN_AT(sn_surface_spec, grid), .limits = SN_BETWEEN(1, 10000),
     .help = "numbers of spheres along the two edges, including the corners; default: 4 per element edge"},
    SPACING("largest distance between spheres, instead of count"),
    RADIUS("radius of the spheres; default: half the thickness", ),
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_grid = {
    .kind = {.name = "grid",
             .category = SN_SURFACES,
             .summary = "grid of spheres on a plate",
             .fields = grid_fields,
             .spec_size = sizeof(sn_surface_spec),
             .check = count_check},
    .compile = grid_compile,
};

/* ---- one sphere ---- */

static void sphere_compile(sn_surface_builder *b, const sn_surface_spec *s, const sn_body *body) {
  sn_geometry geometry = {0};
  sn_probe probe;
  if (body->ops->geometry && body->data) body->ops->geometry(body, &geometry);
  if (!geometry.is_solid) geometry = (sn_geometry){0};
  double radius = choose_radius(b, s, &geometry);
  if (!(radius > 0)) return;
  if (s->on.point || !body->ops->place) {
    sn_marker marker;
    if (sn_given(s, "at"))
      sn_field_error(&b->compiler->reader, &s->spec, "at", "a point on 'on', or 'at'", "surface '%s' has two positions",
                     s->spec.name);
    if (!sn_resolve(b->compiler, &s->on, &marker)) return;
    sn_marker_point(&marker, &probe);
  } else if (!sn_solid_probe(body, s->at, &probe)) {
    sn_field_error(&b->compiler->reader, &s->spec, "on", "a rigid body, the ground, or a point of another body",
                   "%s '%s' has no axes for a sphere", body->ops->kind.name, body->name);
    return;
  }
  sn_check_plane(b->compiler, &s->spec, "at", s->at);
  sn_add_item(b, SN_ITEM_SPHERES);
  sn_add_sphere(b, body, &probe, radius, 0);
}

static const sn_field sphere_fields[] = {
    SN_SURFACE_ON("body, or a point of one", .def = "ground", .example = "my_body", ),
    {"at", SN_VECTOR, SN_AT(sn_surface_spec, at), .unit = "m", .def = "[0, 0, 0]", .help = "center, in body axes"},
    RADIUS("radius; default: that of the shape of the body", .example = "0.1"),
    SN_SURFACE_MATERIAL,
    {0},
};

const sn_surface_ops sn_surface_sphere = {
    .kind = {.name = "sphere",
             .category = SN_SURFACES,
             .summary = "a single sphere on a body or the ground",
             .fields = sphere_fields,
             .spec_size = sizeof(sn_surface_spec)},
    .compile = sphere_compile,
};
