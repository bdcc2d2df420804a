/* plate.c - thin ANCF plate: position and two slopes per node (r, r_x, r_y), no transverse shear.
 *
 *   reference: r(x, y) = at + x ex + y ey,                                          flat
 *              r(x, y) = at + R sin(x/R) ex + R (1 - cos(x/R)) ez + y ey,           radius R: bent about the across
 * edge with ex along `along`, ey along `across`, ez = ex x ey; x and y are lengths on the surface.
 *
 * This file reads and places plates; shape functions are in plate_shape.c, the forces in plate_element.c.
 */
#include <string.h>

#include "body/bodies.h"
#include "body/plate_element.h"
#include "math/lanes.h"
#include "math/vec3.h"
#include "model/compile.h"
#include "model/materials.h"

typedef struct plate_spec {
  sn_spec spec;
  double at[3], along[3], across[3];
  int elements[2];
  double thickness, radius;
  const sn_spec *material;
  double stiffness_damping, mass_damping;
  double velocity[3], angular_velocity[3];
} plate_spec;

static const sn_field plate_fields[] = {
    {"at", SN_VECTOR, SN_AT(plate_spec, at), .unit = "m", .def = "[0, 0, 0]", .help = "corner sw: u = 0, v = 0"},
    {"along", SN_VECTOR, SN_AT(plate_spec, along), .unit = "m", .required = true,
     .help = "first edge, sw to se: direction and length (u from 0 to 1)"},
    {"across", SN_VECTOR, SN_AT(plate_spec, across), .unit = "m", .required = true, .example = "[0, 1, 0]",
     .help = "second edge, sw to nw, normal to the first (v from 0 to 1)"},
    {"elements", SN_GRID, SN_AT(plate_spec, elements), .def = "[8, 8]", .limits = SN_BETWEEN(1, 10000),
     .help = "elements along the first and the second edge"},
    {"thickness", SN_REAL, SN_AT(plate_spec, thickness), .unit = "m", .required = true, .limits = SN_POSITIVE,
     .help = "thickness", .example = "0.01"},
    {"material", SN_MATERIAL, SN_AT(plate_spec, material), .required = true, .help = "name of a material"},
    {"radius", SN_REAL, SN_AT(plate_spec, radius), .unit = "m",
     .help = "radius of a stress-free cylindrical shape that starts along the first edge and bends toward first edge x "
             "second edge (negative: away from it)"},
    {"stiffness_damping", SN_REAL, SN_AT(plate_spec, stiffness_damping), .unit = "s", .def = "0",
     .limits = SN_NOT_NEGATIVE, .help = "Kelvin-Voigt damping: stress = this times E times the strain rate"},
    {"mass_damping", SN_REAL, SN_AT(plate_spec, mass_damping), .unit = "1/s", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "mass-proportional damping: force = -this M v"},
    {"velocity", SN_VECTOR, SN_AT(plate_spec, velocity), .unit = "m/s", .def = "[0, 0, 0]",
     .help = "initial velocity of the corner sw"},
    {"angular_velocity", SN_VECTOR, SN_AT(plate_spec, angular_velocity), .unit = "rad/s", .def = "[0, 0, 0]",
     .help = "initial angular velocity about the corner sw"},
    {0},
};

static void plate_check(sn_reader *reader, const sn_spec *spec) {
  const plate_spec *s = (const plate_spec *)(const void *)spec;
  double x = sn_norm(s->along), y = sn_norm(s->across);
  if (!(x > 0) || !(y > 0))
    sn_field_error(reader, spec, x > 0 ? "across" : "along", "an edge with a length", "plate '%s' has no area",
                   spec->name);
  else if (fabs(sn_dot(s->along, s->across)) > 1e-9 * x * y)
    sn_field_error(reader, spec, "across", "an edge normal to 'along'", "plate '%s' is not a rectangle", spec->name);
  else if (!(((const sn_material_spec *)(const void *)s->material)->young > 0))
    sn_field_error(reader, spec, "material", "a material with 'young' above 0",
                   "material '%s' of plate '%s' has no stiffness", s->material->name, spec->name);
  else if (sn_given(spec, "radius") && !(fabs(s->radius) > 0))
    sn_field_error(reader, spec, "radius", "a radius other than 0; leave it out for a flat plate",
                   "the radius of plate '%s' is zero", spec->name);
}

typedef struct plate {
  int nx, ny;  /* elements */
  double a, b; /* edges of an element */
  const sn_plate_elements *batch;
  int offset; /* of its first element there */
} plate;

static const plate_spec *spec_of(const sn_body *body) {
  return (const plate_spec *)(const void *)body->spec;
}

/* ---- elements ---- */

/* The elements of all plates, made at the first of them. */
static sn_plate_elements *elements_for(sn_compiler *c, const sn_spec *spec) {
  sn_batch *batch = sn_batch_get(c, sn_plate_batch(), sizeof(sn_plate_elements));
  sn_plate_elements *e = batch->data;
  if (e->capacity) return e;
  const sn_list *list = &c->model->document->list[SN_BODIES];
  size_t total = 0;
  bool curved = false;
  for (int i = 0; i < list->count; i++) {
    const plate_spec *s = (const plate_spec *)(const void *)list->item[i];
    if (s->spec.kind != spec->kind) continue;
    total += (size_t)s->elements[0] * (size_t)s->elements[1];
    curved |= sn_given(s, "radius");
  }
  size_t n = total / SN_LANES_PADDING * SN_LANES_PADDING + SN_LANES_PADDING;
  *e = (sn_plate_elements){.capacity = (int)n, .tables = SN_NEW(c->arena, sn_plate_tables, 1)};
  sn_plate_tables_fill(e->tables);
  for (int k = 0; k < 4; k++) e->first[k] = SN_NEW(c->arena, int, n), e->group[k] = SN_NEW(c->arena, int, n);
  double **array[] = {&e->a, &e->b, &e->C, &e->D, &e->nu, &e->mass, &e->alpha, &e->beta};
  for (size_t k = 0; k < SN_COUNT(array); k++) *array[k] = SN_NEW(c->arena, double, n);
  if (curved) {
    e->eps0 = SN_NEW(c->arena, double, 3 * SN_PLATE_MEMBRANE * n);
    e->kappa0 = SN_NEW(c->arena, double, 3 * SN_PLATE_BENDING * n);
  }
  return e;
}

/* Node numbers of element (i, j), counterclockwise from sw. */
static void nodes_of(const plate *own, int i, int j, int node[4]) {
  assert(i >= 0 && i < own->nx && j >= 0 && j < own->ny);
  int row = own->nx + 1, sw = i + row * j;
  node[0] = sw, node[1] = sw + 1, node[2] = sw + row + 1, node[3] = sw + row;
}

static void add_element(sn_compiler *c, sn_plate_elements *e, int at, const sn_body *body, int i, int j) {
  assert(at >= 0 && at < e->capacity);
  const plate_spec *s = spec_of(body);
  const sn_material_spec *m = (const sn_material_spec *)(const void *)s->material;
  const plate *own = body->data;
  int node[4];
  nodes_of(own, i, j, node);
  double q[36];
  for (int k = 0; k < 4; k++) {
    e->first[k][at] = body->first + 9 * node[k];
    e->group[k][at] = body->first_group + node[k];
    memcpy(q + 9 * k, c->q0 + e->first[k][at], 9 * sizeof *q);
  }
  double t = s->thickness;
  e->a[at] = own->a;
  e->b[at] = own->b;
  e->C[at] = m->young * t / (1 - m->poisson * m->poisson);
  e->D[at] = e->C[at] * t * t / 12;
  e->nu[at] = m->poisson;
  e->mass[at] = m->density * t * own->a * own->b;
  e->alpha[at] = s->mass_damping;
  e->beta[at] = s->stiffness_damping;
  if (sn_given(s, "radius")) sn_plate_set_reference(e, at, q);
}

/* The lanes behind the last element work on a copy of it. */
static void pad(sn_plate_elements *e, int last) {
  assert(e->capacity % SN_LANES_PADDING == 0 && last >= 0 && last < e->capacity);
  for (int i = last + 1; i < e->capacity && i <= last + SN_LANES_PADDING; i++) {
    for (int k = 0; k < 4; k++) e->first[k][i] = e->first[k][last], e->group[k][i] = e->group[k][last];
    double *array[] = {e->a, e->b, e->C, e->D, e->nu, e->mass, e->alpha, e->beta};
    for (size_t k = 0; k < SN_COUNT(array); k++) array[k][i] = array[k][last];
    for (int g = 0; e->eps0 && g < 3 * SN_PLATE_MEMBRANE; g++)
      e->eps0[g * e->capacity + i] = e->eps0[g * e->capacity + last];
    for (int g = 0; e->kappa0 && g < 3 * SN_PLATE_BENDING; g++)
      e->kappa0[g * e->capacity + i] = e->kappa0[g * e->capacity + last];
  }
}

/* ---- nodes ---- */

/* q = (r, r_x, r_y) of the reference shape at lengths x and y from the corner */
static void reference_at(const plate_spec *s, double x, double y, double q[9]) {
  double ex[3], ey[3], ez[3];
  sn_copy(ex, s->along);
  sn_normalize(ex);
  sn_copy(ey, s->across);
  sn_normalize(ey);
  sn_cross(ez, ex, ey);
  bool curved = sn_given(s, "radius");
  double R = curved ? s->radius : 1, angle = x / R, half = sin(angle / 2);
  sn_copy(q, s->at);
  sn_axpy(q, curved ? R * sin(angle) : x, ex);
  sn_axpy(q, curved ? 2 * R * half * half : 0, ez);
  sn_axpy(q, y, ey);
  sn_scale(q + 3, curved ? cos(angle) : 1, ex);
  sn_axpy(q + 3, curved ? sin(angle) : 0, ez);
  sn_copy(q + 6, ey);
}

static void plate_compile(sn_compiler *c, sn_body *body) {
  const plate_spec *s = spec_of(body);
  plate *own = SN_NEW(c->arena, plate, 1);
  *own = (plate){.nx = s->elements[0], .ny = s->elements[1]};
  own->a = sn_norm(s->along) / own->nx;
  own->b = sn_norm(s->across) / own->ny;
  body->data = own;
  body->first = c->model->n;
  body->groups = (own->nx + 1) * (own->ny + 1);
  body->count = 9 * body->groups;
  for (int j = 0; j <= own->ny; j++)
    for (int i = 0; i <= own->nx; i++) {
      double q[9], v[9], arm[3];
      reference_at(s, i * own->a, j * own->b, q);
      sn_sub(arm, q, s->at);
      sn_cross(v, s->angular_velocity, arm);
      sn_axpy(v, 1, s->velocity);
      sn_cross(v + 3, s->angular_velocity, q + 3);
      sn_cross(v + 6, s->angular_velocity, q + 6);
      int group = sn_add_coordinates(c, body->name, 9, q, v);
      if (i == 0 && j == 0) body->first_group = group;
    }
  sn_plate_elements *e = elements_for(c, body->spec);
  sn_batch *batch = sn_batch_get(c, sn_plate_batch(), 0);
  own->batch = e;
  own->offset = batch->count;
  for (int j = 0; j < own->ny; j++)
    for (int i = 0; i < own->nx; i++) add_element(c, e, batch->count++, body, i, j);
  pad(e, batch->count - 1);
  e->damped |= s->mass_damping > 0 || s->stiffness_damping > 0;
  c->model->has_power |= e->damped;
}

/* ---- markers: corners, edges (a row of nodes), at(u, v) ---- */

enum { POINT, SOUTH, EAST, NORTH, WEST, RIM };

/* Point k of a row, in nodes. The rim runs around the plate from sw. */
static void node_of_row(const plate *own, int row, int k, int *i, int *j) {
  assert(row > POINT && row <= RIM && k >= 0);
  int nx = own->nx, ny = own->ny;
  *i = row == EAST ? nx : row == WEST ? 0 : k;
  *j = row == NORTH ? ny : row == SOUTH ? 0 : k;
  if (row != RIM) return;
  if (k < nx)
    *i = k, *j = 0;
  else if (k < nx + ny)
    *i = nx, *j = k - nx;
  else if (k < 2 * nx + ny)
    *i = 2 * nx + ny - k, *j = ny;
  else
    *i = 0, *j = 2 * (nx + ny) - k;
}

/* A linear probe on the element of the marker: position (slot -1), r_x (0) or r_y (1); only one node at a node. The
 * weights of slot 0 and 1 also make up directions. */
static void linear_weights(const sn_marker *marker, int slot, sn_probe *probe, double *weight) {
  assert(slot >= -1 && slot <= 1);
  const sn_body *body = marker->body;
  const plate *own = body->data;
  double s = marker->local[0], h = marker->local[1], slope[3] = {1, own->a, own->b}, scale = 1;
  if (slot >= 0) scale = 1 / (slot ? own->b : own->a);
  bool node = (s == 0 || s == 1) && (h == 0 || h == 1);
  sn_plate_shape shape;
  sn_plate_shape_at(s, h, &shape);
  int nodes[4];
  nodes_of(own, marker->element % own->nx, marker->element / own->nx, nodes);
  probe->groups = probe->count = 0;
  for (int k = 0; k < 4; k++) {
    if (node && (s != (k == 1 || k == 2) || h != (k >= 2))) continue;
    int g = probe->groups++;
    probe->group[g] = body->first_group + nodes[k];
    probe->first[g] = body->first + 9 * nodes[k];
    probe->size[g] = 9;
    probe->count += 9;
    for (int x = 0; x < 3; x++)
      weight[3 * g + x] = scale * slope[x] * (slot < 0 ? shape.S[3 * k + x] : shape.d[slot][3 * k + x]);
  }
}

static void plate_point(const sn_marker *marker, sn_probe *probe) {
  *probe = (sn_probe){.ops = &sn_probe_linear, .dim = 3};
  linear_weights(marker, -1, probe, probe->weight);
}

static void plate_slope(const sn_marker *marker, int k, sn_probe *probe) {
  *probe = (sn_probe){.ops = &sn_probe_linear, .dim = 3};
  linear_weights(marker, k, probe, probe->weight);
}

/* fixed to the frame of r_x and r_y */
static void plate_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  *probe = (sn_probe){.dim = 3, .vectors = 2};
  for (int k = 0; k < 2; k++) linear_weights(marker, k, probe, probe->weight + 12 * k);
  sn_section_probe(marker->slope, direction, probe);
}

/* x along r_x, z normal to the surface */
static void plate_axes(const sn_marker *marker, double A[3][3]) {
  sn_copy(A[0], marker->slope[0]);
  sn_normalize(A[0]);
  sn_cross(A[2], marker->slope[0], marker->slope[1]);
  sn_normalize(A[2]);
  sn_cross(A[1], A[2], A[0]);
}

/* The marker at (u, v) in units of elements. */
static void place_marker(const sn_compiler *c, const sn_body *body, double u, double v, sn_marker *marker) {
  assert(u >= 0 && v >= 0);
  const plate *own = body->data;
  double x[2] = {u, v};
  int n[2] = {own->nx, own->ny}, cell[2];
  for (int k = 0; k < 2; k++) {
    if (fabs(x[k] - round(x[k])) < 1e-9) x[k] = round(x[k]); /* a node */
    cell[k] = x[k] >= n[k] ? n[k] - 1 : (int)x[k];
    marker->local[k] = x[k] - cell[k];
  }
  marker->element = cell[0] + own->nx * cell[1];
  marker->has_frame = marker->has_plane = true;
  sn_probe probe;
  plate_point(marker, &probe);
  probe.ops->value(&probe, c->q0, marker->position);
  for (int k = 0; k < 2; k++) {
    plate_slope(marker, k, &probe);
    probe.ops->value(&probe, c->q0, marker->slope[k]);
  }
}

static void plate_pick(const sn_compiler *c, const sn_marker *row, int k, sn_marker *point) {
  assert(k >= 0 && k < row->points);
  int i, j;
  node_of_row(row->body->data, row->row, k, &i, &j);
  const plate *own = row->body->data;
  bool across = i == 0 || i == own->nx, along = j == 0 || j == own->ny;
  *point = (sn_marker){.body = row->body, .points = 1, .ref = row->ref, .along = row->along};
  if (row->row == RIM) point->along = across && along ? 2 : across;
  place_marker(c, row->body, i, j, point);
}

static bool plate_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  static const struct {
    const char *name;
    double u, v;
    int row;
  } named[] = {
      {"sw", 0, 0, POINT},         {"se", 1, 0, POINT},    {"ne", 1, 1, POINT},      {"nw", 0, 1, POINT},
      {"south", 0.5, 0, SOUTH},    {"east", 1, 0.5, EAST}, {"north", 0.5, 1, NORTH}, {"west", 0, 0.5, WEST},
      {"center", 0.5, 0.5, POINT}, {"rim", 0.5, 0.5, RIM},
  };
  const plate *own = body->data;
  const char *expected =
      "one of: sw, se, ne, nw, center, at(u, v) with u and v from 0 to 1; edges: south, east, north, west, rim";
  double u = -1, v = -1;
  if (!ref->point) {
    sn_node_error(&c->reader, ref->node, expected, "'%s' does not specify a point of the plate", body->name);
    return false;
  }
  if (strcmp(ref->point, "at") == 0 && ref->count == 2) u = ref->number[0], v = ref->number[1];
  for (size_t k = 0; k < SN_COUNT(named) && ref->count == 0; k++)
    if (strcmp(ref->point, named[k].name) == 0) u = named[k].u, v = named[k].v, marker->row = named[k].row;
  if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) {
    const char *near = ref->count ? NULL : sn_near_point(c, ref->point, body->ops->landmarks);
    sn_node_error(&c->reader, ref->node, near ? near : expected, "plate '%s' has no point '%s'", body->name,
                  sn_point_text(c, ref));
    return false;
  }
  int nx = own->nx, ny = own->ny, counts[] = {1, nx + 1, ny + 1, nx + 1, ny + 1, 2 * (nx + ny)};
  marker->points = counts[marker->row];
  marker->along = marker->row == EAST || marker->row == WEST;
  place_marker(c, body, u * nx, v * ny, marker);
  return true;
}

/* ---- stress resultants ---- */

/* On edges and at nodes, where they jump a little, the mean of the elements around. */
static void plate_resultants(const sn_marker *marker, const sn_eval *ev, const double (*load)[3], double *values) {
  (void)load;
  const plate *own = marker->body->data;
  int cell[2] = {marker->element % own->nx, marker->element / own->nx}, n[2] = {own->nx, own->ny}, count = 0;
  for (int k = 0; k < SN_PLATE_RESULTANTS; k++) values[k] = 0;
  for (int way = 0; way < 4; way++) { /* the element itself, its neighbor along x, along y, across the corner */
    int at[2];
    double x[2], y[SN_PLATE_RESULTANTS];
    bool there = true;
    for (int k = 0; k < 2; k++) {
      double s = marker->local[k];
      int step = !(way >> k & 1) ? 0 : s == 0 ? -1 : s == 1 ? 1 : 0;
      at[k] = cell[k] + step;
      x[k] = s - step;
      there = there && (step || !(way >> k & 1)) && at[k] >= 0 && at[k] < n[k];
    }
    if (!there) continue;
    sn_plate_resultants_in(own->batch, own->offset + at[0] + own->nx * at[1], x[0], x[1], ev->q, y);
    count++;
    for (int k = 0; k < SN_PLATE_RESULTANTS; k++) values[k] += y[k];
  }
  assert(count > 0);
  for (int k = 0; k < SN_PLATE_RESULTANTS; k++) values[k] /= count;
}

static const char *const resultant_column[SN_PLATE_RESULTANTS] = {"Nxx", "Nyy", "Nxy", "Mxx", "Myy", "Mxy",
                                                                  "exx", "eyy", "gxy", "kxx", "kyy", "kxy"};
static const char *const resultant_unit[SN_PLATE_RESULTANTS] = {"N/m", "N/m", "N/m", "N",   "N",   "N",
                                                                "1",   "1",   "1",   "1/m", "1/m", "1/m"};
static const sn_headings resultant_headings = {SN_PLATE_RESULTANTS, resultant_column, resultant_unit};

static void plate_geometry(const sn_body *body, sn_geometry *geometry) {
  const plate *own = body->data;
  geometry->type = SN_GEOMETRY_SURFACE;
  geometry->size[0] = spec_of(body)->thickness;
  geometry->grid[0] = own->nx, geometry->grid[1] = own->ny;
  geometry->edge[0] = own->a, geometry->edge[1] = own->b;
}

const sn_body_ops sn_plate = {
    .kind = {.name = "plate",
             .category = SN_BODIES,
             .summary = "thin plate or cylindrical shell, large deformation (gradient-deficient ANCF)",
             .fields = plate_fields,
             .spec_size = sizeof(plate_spec),
             .check = plate_check},
    .compile = plate_compile,
    .marker = plate_marker,
    .landmarks = "sw, se, ne, nw, center, at(u, v), south, east, north, west, rim",
    .point = plate_point,
    .direction = plate_direction,
    .axes = plate_axes,
    .slope = plate_slope,
    .pick = plate_pick,
    .resultants = plate_resultants,
    .resultant_headings = &resultant_headings,
    .geometry = plate_geometry,
    .layout = &sn_layouts[SN_LAYOUT_PLATE],
    .node_coordinates = 9,
};
