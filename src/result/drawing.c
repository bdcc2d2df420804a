/* drawing.c - see drawing.h. */
#include "result/drawing.h"

#include <assert.h>
#include <string.h>

#include "body/line.h"
#include "contact/contact.h"
#include "model/hull.h"

const char *const sn_primitive_words[] = {"none",   "point",    "line",      "chain",  "floating", "box",
                                          "sphere", "cylinder", "ellipsoid", "convex", "surface"};
static_assert(SN_COUNT(sn_primitive_words) == SN_GEOMETRY_TYPES, "a word for each type");
const char *const sn_outline_words[] = {NULL, "rectangle", "circle"};
static_assert(SN_COUNT(sn_outline_words) == SN_OUTLINES, "a word for each outline");
const char *const sn_item_words[SN_ITEM_SHAPES] = {
    "sphere",
#define SOLID(NAME, name) #name,
#include "contact/solids.def"
};

/* A table whose rows are structs of numbers. */
#define WRITE_ROWS(h5, object, name, rows, count)                                                             \
  sn_h5_table(h5, object, name, (const double *)(const void *)(rows), count, sizeof *(rows) / sizeof(double), \
              sizeof *(rows) / sizeof(double))

void sn_drawing_write_markers(sn_h5 *h5, hid_t object, const sn_marker *marker, int count) {
  enum { COLUMNS = sizeof(sn_place_row) / sizeof(double) };
  const char *bodies[SN_DRAWN_MARKERS];
  sn_place_row place[SN_DRAWN_MARKERS] = {{0}};
  double positions[3 * SN_DRAWN_MARKERS] = {0};
  assert(count <= SN_DRAWN_MARKERS);
  for (int k = 0; k < count && k < SN_DRAWN_MARKERS; ++k) {
    bodies[k] = "";
    if (!marker[k].body) continue;
    const bool fixed = !marker[k].body->count && marker[k].body->ops->place;
    bodies[k] = marker[k].body->name;
    place[k].element = marker[k].element;
    memcpy(place[k].local, fixed ? marker[k].position : marker[k].local, sizeof place[k].local);
    memcpy(positions + 3 * k, marker[k].position, sizeof(double[3]));
  }
  sn_h5_texts(h5, object, "bodies", bodies, count);
  sn_h5_reals(h5, object, "places", &place[0].element, COLUMNS * count);
  sn_h5_reals(h5, object, "positions", positions, 3 * count);
}

/* Of a line whose section varies. */
static void write_sections(sn_h5 *h5, hid_t object, const sn_body *body, const sn_geometry *first) {
  sn_geometry last = {.place = 1}, middle = {.place = 0.5};
  body->ops->geometry(body, &last);
  body->ops->geometry(body, &middle);
  bool same = last.stiffness == first->stiffness;
  for (int k = 0; k < 2; ++k) same &= last.size[k] == first->size[k] && middle.size[k] == first->size[k];
  if (same || first->elements < 1) return;
  sn_arena arena = {0};
  const size_t nodes = (size_t)first->elements + 1;
  sn_section_row *row = SN_NEW(&arena, sn_section_row, nodes);
  for (size_t i = 0; i < nodes; ++i) {
    sn_geometry at = {.place = (double)i / first->elements};
    body->ops->geometry(body, &at);
    row[i] = (sn_section_row){{at.size[0], at.size[1]}, at.stiffness, at.coupling};
  }
  WRITE_ROWS(h5, object, "sections", row, nodes);
  sn_arena_free(&arena);
}

/* How the nodes of a floating body follow from its coordinates. */
static void write_freedom(sn_h5 *h5, hid_t object, const sn_geometry *geometry) {
  sn_arena arena = {0};
  double *freedom = SN_NEW(&arena, double, geometry->freedoms);
  for (int i = 0; i < geometry->freedoms; ++i) freedom[i] = geometry->freedom[i];
  sn_h5_table(h5, object, "freedom", freedom, (size_t)geometry->freedoms, 0, 1);
  if (geometry->basis && geometry->reduced) {
    sn_h5_table(h5, object, "basis", geometry->basis, (size_t)geometry->deformations, (size_t)geometry->reduced,
                (size_t)geometry->reduced);
  }
  sn_arena_free(&arena);
}

static size_t triangles_of(const sn_hull *hull) {
  size_t count = 0;
  for (int i = 0; i < hull->faces; ++i) count += (size_t)hull->face[i].count - 2;
  return count;
}

/* Corners of triangles, each with the number of its surface. */
static sn_corner_row *put_triangles(const sn_hull *hull, const double *center, double surface, sn_corner_row *row) {
  for (int i = 0; i < hull->faces; ++i)
    for (int k = 1; k + 1 < hull->face[i].count; ++k) {
      const int *corner = hull->corner + hull->face[i].first, use[3] = {corner[0], corner[k], corner[k + 1]};
      for (int c = 0; c < 3; ++c, ++row) {
        row->surface = surface;
        for (int m = 0; m < 3; ++m) row->x[m] = hull->vertex[use[c]][m] + (center ? center[m] : 0);
      }
    }
  return row;
}

static void write_hull(sn_h5 *h5, hid_t object, const sn_hull *hull) {
  sn_arena arena = {0};
  sn_corner_row *row = SN_NEW(&arena, sn_corner_row, 3 * triangles_of(hull));
  put_triangles(hull, NULL, 0, row);
  WRITE_ROWS(h5, object, "triangles", row, 3 * triangles_of(hull));
  sn_arena_free(&arena);
}

static bool rests_curved(const sn_spec *spec) {
  if (sn_field_value(spec, "rest")) return sn_line_rests_curved(sn_line_of(spec));
  return sn_field_value(spec, "radius") && sn_given(spec, "radius");
}

/* What stress follows from: Young's modulus and Poisson's ratio of a body that is straight or flat without stress and has a
 * section with an outline; else 0. */
static void write_elasticity(sn_h5 *h5, hid_t object, const sn_body *body, const sn_geometry *geometry) {
  const sn_spec *const *material = sn_field_value(body->spec, "material");
  const bool known = material && *material && !geometry->only_drawn && !rests_curved(body->spec);
  const sn_material_spec *m = known ? (const sn_material_spec *)(const void *)*material : NULL;
  sn_h5_real(h5, object, "young", m ? m->young : 0);
  sn_h5_real(h5, object, "poisson", m ? m->poisson : 0);
}

void sn_drawing_write_body(sn_h5 *h5, hid_t object, const sn_body *body) {
  sn_h5_text(h5, object, "kind", body->ops->kind.name);
  sn_h5_text(h5, object, "layout", body->ops->layout ? body->ops->layout->name : NULL);
  sn_geometry geometry = {0};
  if (body->ops->geometry) body->ops->geometry(body, &geometry);
  sn_h5_text(h5, object, "primitive", sn_primitive_words[geometry.type]);
  sn_h5_reals(h5, object, "size", geometry.size, 3);
  sn_h5_text(h5, object, "section", sn_outline_words[geometry.section]);
  sn_h5_integer(h5, object, "elements", geometry.elements);
  sn_h5_real(h5, object, "element_length", geometry.element_length);
  sn_h5_real(h5, object, "stiffness", geometry.stiffness);
  sn_h5_real(h5, object, "coupling", geometry.coupling);
  if (geometry.section || geometry.grid[0] > 0) write_elasticity(h5, object, body, &geometry);
  if (geometry.section) write_sections(h5, object, body, &geometry);
  if (geometry.hull) write_hull(h5, object, geometry.hull);
  if (geometry.freedom) write_freedom(h5, object, &geometry);
  if (geometry.on) sn_drawing_write_markers(h5, object, geometry.on, 1);
  if (geometry.grid[0] > 0) {
    const double grid[2] = {geometry.grid[0], geometry.grid[1]};
    sn_h5_reals(h5, object, "grid", grid, 2);
    sn_h5_reals(h5, object, "element_edges", geometry.edge, 2);
  }
}

void sn_drawing_write_solids(sn_h5 *h5, hid_t group, const sn_surfaces *s) {
  sn_arena arena = {0};
  sn_solid_row *row = SN_NEW(&arena, sn_solid_row, (size_t)s->items + 1);
  size_t count = 0;
  for (int i = 0; i < s->items; ++i) {
    const sn_item *item = &s->item[i];
    const sn_carrier_type held = s->carrier[item->carrier].type;
    const bool ball = item->shape == SN_ITEM_SPHERES;
    if (ball && (item->count != 1 || held == SN_CARRIER_LINEAR || held == SN_CARRIER_PROBE)) continue;
    sn_solid_row *to = &row[count++];
    to->surface = item->surface;
    to->shape = item->shape;
    memcpy(to->center, ball ? s->weight + item->data : item->center, sizeof to->center);
    memcpy(to->axis, item->axis, sizeof to->axis);
    for (int k = 0; k < 3; ++k) to->half[k] = ball ? item->radius : item->half[k];
  }
  if (count) WRITE_ROWS(h5, group, "solids", row, count);
  sn_arena_free(&arena);
}

void sn_drawing_write_hulls(sn_h5 *h5, hid_t group, const sn_surfaces *s) {
  sn_arena arena = {0};
  size_t count = 0;
  for (int i = 0; i < s->items; ++i) count += s->item[i].hull ? 3 * triangles_of(s->item[i].hull) : 0;
  sn_corner_row *row = SN_NEW(&arena, sn_corner_row, count + 1), *next = row;
  for (int i = 0; i < s->items; ++i)
    if (s->item[i].hull) next = put_triangles(s->item[i].hull, s->item[i].center, s->item[i].surface, next);
  if (count) WRITE_ROWS(h5, group, "triangles", row, count);
  sn_arena_free(&arena);
}

static size_t body_bytes(const sn_body *body) {
  sn_geometry geometry = {0};
  if (!body->ops->geometry) return 0;
  body->ops->geometry(body, &geometry);
  const size_t numbers =
      (size_t)geometry.freedoms + (geometry.basis ? (size_t)geometry.deformations * (size_t)geometry.reduced : 0);
  const size_t corners = geometry.hull ? 3 * triangles_of(geometry.hull) : 0;
  return sizeof(sn_corner_row) * corners + sizeof(sn_section_row) * ((size_t)geometry.elements + 1) +
         sizeof(double) * numbers;
}

size_t sn_drawing_bytes(const sn_model *model) {
  size_t bytes = model->surfaces ? sizeof(sn_solid_row) * (size_t)model->surfaces->items : 0;
  for (int i = 0; model->surfaces && i < model->surfaces->items; ++i)
    if (model->surfaces->item[i].hull) bytes += sizeof(sn_corner_row) * 3 * triangles_of(model->surfaces->item[i].hull);
  for (int i = 0; i < model->bodies; ++i) bytes += body_bytes(&model->body[i]);
  for (int i = 0; i < model->joints; ++i) /* curves */
    if (model->joint[i].ops->doubt) bytes += sizeof(double[SN_DRAWN_CURVE][3]);
  return bytes;
}
