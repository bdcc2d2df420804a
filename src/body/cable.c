/* cable.c - thin ANCF beam: position and one slope per node, no shear, no torsion.
 *
 *   r(x) = s1 r0 + s2 r0' + s3 r1 + s4 r1'          (cubic Hermite, s = x/l)
 *   s1 = 1-3s^2+2s^3   s2 = l(s-2s^2+s^3)   s3 = 3s^2-2s^3   s4 = l(s^3-s^2)
 *
 * This file reads and places cables; the forces of their elements are in cable_element.c.
 */
#include <string.h>

#include "body/bodies.h"
#include "body/cable_element.h"
#include "body/line.h"
#include "math/gauss.h"
#include "math/hermite.h"
#include "math/lanes.h"
#include "math/vec3.h"
#include "model/compile.h"
#include "model/materials.h"
#include "model/plane.h"

typedef struct cable_spec {
  sn_line_spec line;
  int curvature; /* 0 geometric, 1 material */
  int bending;   /* BENDING_AUTO, ... */
} cable_spec;
enum { BENDING_AUTO, BENDING_SCALAR, BENDING_PLANAR };

static const sn_field cable_fields[] = {
    SN_LINE_FIELDS,
    {"section", SN_SECTION, SN_AT(sn_line_spec, section), .required = true,
     .help = "name of a section; the bending stiffness is E Izz in all directions"},
    SN_TAPER_FIELDS,
    {"curvature", SN_CHOICE, SN_AT(cable_spec, curvature), .def = "geometric", .choices = "geometric|material",
     .help = "|r' x r''|/|r'|^3, or /|r'|^2"},
    {"bending", SN_CHOICE, SN_AT(cable_spec, bending), .def = "auto", .choices = "auto|scalar|planar",
     .help = "curved lines: energy of the signed curvature (planar, for motion in the plane of the line) or of its "
             "magnitude (scalar, no torsional stiffness); auto: planar in planar models and if nothing can leave the "
             "plane"},
    SN_LINE_MOTION_FIELDS("E"),
};

static const cable_spec *cable_of(const sn_spec *spec) {
  return (const cable_spec *)(const void *)spec;
}

static void cable_check(sn_reader *reader, const sn_spec *spec) {
  const sn_line_spec *line = &cable_of(spec)->line;
  if (sn_line_check(reader, line) && sn_given(spec, "bending") && !sn_line_rests_curved(line))
    sn_field_error(reader, spec, "bending", "a curved stress-free shape",
                   "'bending' does not apply to a cable that is straight in its stress-free shape");
}

typedef struct cable {
  int elements, dim;
  double element_length;
  int reference;        /* SN_CABLE_STRAIGHT, SN_CABLE_CURVED, SN_CABLE_PLANAR */
  double normal[3];     /* SN_CABLE_PLANAR in space: of the plane */
  double (*rest)[2][3]; /* [elements + 1] r and r' of the shape without stress; NULL: straight */
  const char *doubt;
  const sn_line_spec *line;
  int curvature;
  const sn_cable_elements *batch; /* its elements are there from `offset` on */
  int offset;
} cable;

/* The section at s in [0, 1] along the cable. */
static sn_section_values section_at(const sn_line_spec *s, double place) {
  if (!s->section_end) return sn_section(s->section);
  return sn_section_between(s->section, s->section_end, sn_expr_value(s->taper, place));
}

/* The plane of a curved shape without stress. */
static bool plane_of(const sn_spec *spec, double normal[3]) {
  const sn_line_spec *s = sn_line_of(spec);
  if (sn_given(spec, "rest_through")) return sn_plane_of(s->rest_through.count, s->rest_through.value, normal);
  if (sn_given(spec, "through")) return sn_plane_of(s->through.count, s->through.value, normal);
  double arc[3][3];
  sn_copy(arc[0], s->from), sn_copy(arc[1], s->via), sn_copy(arc[2], s->to);
  return sn_plane_of(3, (const double(*)[3])arc, normal);
}

/* A straight element looks the same from all sides: only a plane that is known beforehand gives curvature a sign. */
static int reference_of(const sn_document *document, const sn_spec *spec) {
  const sn_line_spec *s = sn_line_of(spec);
  const int bending = cable_of(spec)->bending;
  double normal[3];
  if (!sn_line_rests_curved(s)) return SN_CABLE_STRAIGHT;
  if (bending != BENDING_AUTO) return bending == BENDING_PLANAR ? SN_CABLE_PLANAR : SN_CABLE_CURVED;
  if (document->planar) return SN_CABLE_PLANAR;
  const double *point = sn_given(spec, "through") ? s->through.value[0] : s->from;
  return plane_of(spec, normal) && sn_moves_in_plane(document, point, normal) ? SN_CABLE_PLANAR : SN_CABLE_CURVED;
}

static const sn_batch_ops *batch_of(const sn_document *document, const sn_spec *spec) {
  return sn_cable_batch(cable_of(spec)->curvature, reference_of(document, spec));
}

/* The elements of all cables that share a batch with this one, made at the first of them. */
static sn_cable_elements *elements_for(sn_compiler *c, const sn_spec *spec, int reference) {
  const sn_document *document = c->model->document;
  sn_batch *batch = sn_batch_get(c, batch_of(document, spec), sizeof(sn_cable_elements));
  sn_cable_elements *e = batch->data;
  if (e->capacity) return e;
  const sn_list *list = &document->list[SN_BODIES];
  size_t total = 0;
  bool varying = false;
  for (int i = 0; i < list->count; i++)
    if (list->item[i]->kind == spec->kind && batch_of(document, list->item[i]) == batch->ops) {
      const sn_line_spec *other = sn_line_of(list->item[i]);
      total += (size_t)other->elements;
      varying |= other->section_end != NULL;
    }
  size_t n = total / SN_LANES_PADDING * SN_LANES_PADDING + SN_LANES_PADDING;
  *e = (sn_cable_elements){
      .capacity = (int)n, .dim = c->model->dim, .first = SN_NEW(c->arena, int, n), .group = SN_NEW(c->arena, int, n)};
  double **array[] = {&e->length, &e->EA, &e->EI, &e->mass, &e->alpha, &e->beta};
  for (size_t k = 0; k < SN_COUNT(array); k++) *array[k] = SN_NEW(c->arena, double, n);
  if (reference != SN_CABLE_STRAIGHT) {
    e->eps0 = SN_NEW(c->arena, double, SN_CABLE_AXIAL *n);
    e->kappa0 = SN_NEW(c->arena, double, SN_CABLE_BENDING *n);
  }
  if (varying) {
    e->EA_at = SN_NEW(c->arena, double, SN_CABLE_AXIAL *n);
    e->EI_at = SN_NEW(c->arena, double, SN_CABLE_BENDING *n);
    e->mass_at = SN_NEW(c->arena, double, SN_CABLE_MASS *n);
  }
  if (reference == SN_CABLE_PLANAR) e->k0 = SN_NEW(c->arena, double, 3 * SN_CABLE_BENDING * n);
  return e;
}

/* u = r_x and w = r_xx at s of the element with nodes q[0..11] = r0 r0' r1 r1' */
static void derivatives(const double *q, double l, double s, double u[3], double w[3]) {
  for (int k = 0; k < 3; k++) {
    double d = (q[6 + k] - q[k]) / l, a = q[3 + k], b = q[9 + k];
    u[k] = 6 * s * (1 - s) * d + (1 - 4 * s + 3 * s * s) * a + (3 * s * s - 2 * s) * b;
    w[k] = ((6 - 12 * s) * d + (6 * s - 4) * a + (6 * s - 2) * b) / l;
  }
}

/* Strain and curvature of the reference element itself: the interpolated shape is free of stress. */
static void set_reference(sn_cable_elements *e, int i, const double *q, double l, int material) {
  assert(e->eps0 && e->kappa0 && i >= 0 && i < e->capacity);
  double u[3], w[3], k[3];
  for (int g = 0; g < SN_CABLE_AXIAL; g++) {
    derivatives(q, l, sn_gauss5_points[g], u, w);
    e->eps0[g * e->capacity + i] = (sn_dot(u, u) - 1) / 2;
  }
  for (int g = 0; g < SN_CABLE_BENDING; g++) {
    derivatives(q, l, sn_gauss3_points[g], u, w);
    sn_cross(k, u, w);
    sn_scale(k, 1 / pow(sn_norm(u), material ? 2 : 3), k);
    e->kappa0[g * e->capacity + i] = sn_norm(k);
    for (int x = 0; e->k0 && x < 3; x++) e->k0[(3 * g + x) * e->capacity + i] = k[x];
  }
}

/* Stiffness at the Gauss points, and the mass block by the five points of the axial strain: exact for areas up to the
 * third power of s. `number` of the element within its cable. */
static void set_section(sn_cable_elements *e, int i, const sn_line_spec *s, int number, double l) {
  const sn_material_spec *m = (const sn_material_spec *)(const void *)s->material;
  for (int k = 0; k < SN_CABLE_MASS; k++) e->mass_at[k * e->capacity + i] = 0; /* padding was here */
  for (int g = 0; g < SN_CABLE_BENDING; g++)
    e->EI_at[g * e->capacity + i] = m->young * section_at(s, (number + sn_gauss3_points[g]) / s->elements).Izz;
  for (int g = 0; g < SN_CABLE_AXIAL; g++) {
    double x = sn_gauss5_points[g], A = section_at(s, (number + x) / s->elements).A;
    double S[4];
    sn_hermite(x, l, S);
    double weight = sn_gauss5_weights[g] * l * m->density * A;
    e->EA_at[g * e->capacity + i] = m->young * A;
    for (int a = 0, k = 0; a < 4; a++)
      for (int b = a; b < 4; b++, k++) e->mass_at[k * e->capacity + i] += weight * S[a] * S[b];
  }
}

static void add_element(sn_cable_elements *e, int i, const cable *own, int number, int first, int group) {
  assert(i >= 0 && i < e->capacity && number >= 0 && number < own->elements);
  const sn_line_spec *s = own->line;
  double l = own->element_length;
  const sn_material_spec *m = (const sn_material_spec *)(const void *)s->material;
  sn_section_values v = sn_section(s->section);
  e->first[i] = first;
  e->group[i] = group;
  e->length[i] = l;
  e->EA[i] = m->young * v.A;
  e->EI[i] = m->young * v.Izz;
  e->mass[i] = m->density * v.A * l;
  e->alpha[i] = s->mass_damping;
  e->beta[i] = s->stiffness_damping;
  if (e->eps0 && own->rest) set_reference(e, i, own->rest[number][0], l, own->curvature);
  if (e->EA_at) set_section(e, i, s, number, l);
}

/* The lanes behind the last element work on a copy of it. */
static void pad(sn_cable_elements *e, int last) {
  assert(e->capacity % SN_LANES_PADDING == 0 && last >= 0 && last < e->capacity);
  for (int i = last + 1; i < e->capacity && i <= last + SN_LANES_PADDING; i++) {
    e->first[i] = e->first[last];
    e->group[i] = e->group[last];
    double *array[] = {e->length, e->EA, e->EI, e->mass, e->alpha, e->beta};
    for (size_t k = 0; k < SN_COUNT(array); k++) array[k][i] = array[k][last];
    double *table[] = {e->eps0, e->kappa0, e->k0, e->EA_at, e->EI_at, e->mass_at};
    const int rows[] = {SN_CABLE_AXIAL, SN_CABLE_BENDING, 3 * SN_CABLE_BENDING,
                        SN_CABLE_AXIAL, SN_CABLE_BENDING, SN_CABLE_MASS};
    for (size_t k = 0; k < SN_COUNT(table); k++)
      for (int g = 0; table[k] && g < rows[k]; g++) table[k][g * e->capacity + i] = table[k][g * e->capacity + last];
  }
}

static void add_elements(sn_compiler *c, sn_body *body) {
  cable *own = body->data;
  const sn_line_spec *s = own->line;
  sn_cable_elements *e = elements_for(c, body->spec, own->reference);
  sn_batch *batch = sn_batch_get(c, batch_of(c->model->document, body->spec), 0);
  own->batch = e;
  own->offset = batch->count;
  for (int i = 0; i < s->elements; i++)
    add_element(e, batch->count + i, own, i, body->first + 2 * own->dim * i, body->first_group + i);
  batch->count += s->elements;
  pad(e, batch->count - 1);
  e->damped |= s->mass_damping > 0 || s->stiffness_damping > 0;
  c->model->has_power |= e->damped;
}

/* Nodes (r, r') at the start, moving as a rigid body. False when they leave a planar model. */
static bool add_nodes(sn_compiler *c, sn_body *body, double (*r)[3], double (*t)[3]) {
  const sn_line_spec *s = sn_line_of(body->spec);
  int dim = c->model->dim;
  for (int i = 0; i <= s->elements; i++) {
    double q[6], v[6], arm[3], vr[3], vt[3];
    sn_sub(arm, r[i], r[0]);
    sn_cross(vr, s->angular_velocity, arm);
    sn_axpy(vr, 1, s->velocity);
    sn_cross(vt, s->angular_velocity, t[i]);
    for (int k = 0; k < dim; k++) q[k] = r[i][k], q[dim + k] = t[i][k], v[k] = vr[k], v[dim + k] = vt[k];
    int group = sn_add_coordinates(c, body->name, 2 * dim, q, v);
    if (i == 0) body->first_group = group;
    if (dim == 3 || (r[i][2] == 0 && vr[2] == 0)) continue;
    sn_field_error(&c->reader, body->spec, NULL, "points and velocities with a third component of 0",
                   "cable '%s' leaves the plane of this planar model", body->name);
    return false;
  }
  return true;
}

/* What is known of the shape without stress beside its length. */
static bool set_rest(sn_compiler *c, sn_body *body, double (*r)[3], double (*t)[3]) {
  cable *own = body->data;
  own->reference = reference_of(c->model->document, body->spec);
  if (own->reference == SN_CABLE_STRAIGHT) return true;
  own->rest = sn_alloc(c->arena, (size_t)own->elements + 1, sizeof *own->rest);
  for (int i = 0; i <= own->elements; i++) {
    sn_copy(own->rest[i][0], r[i]);
    sn_copy(own->rest[i][1], t[i]);
    if (own->dim == 3 || r[i][2] == 0) continue;
    sn_field_error(&c->reader, body->spec, "rest_through", "points with a third component of 0",
                   "the stress-free shape of cable '%s' leaves the plane of this planar model", body->name);
    return false;
  }
  if (own->dim == 3 && own->reference == SN_CABLE_PLANAR && !plane_of(body->spec, own->normal)) {
    sn_field_error(&c->reader, body->spec, "bending", "a plane stress-free shape, or bending: scalar",
                   "the line of cable '%s' is not a plane curve", body->name);
    return false;
  }
  own->doubt =
      sn_format(c->arena,
                own->reference == SN_CABLE_PLANAR
                    ? "cable '%s' leaves the plane of its bending: use bending: scalar (no torsion) or a beam"
                    : "cable '%s' has a curved stress-free shape and straightens; in space the direction in which it "
                      "bends back is undefined: use a beam, or bending: planar if it moves in its plane",
                body->name);
  return true;
}

/* A cable has no rotation of its section. */
static void note_section(sn_compiler *c, sn_body *body) {
  const sn_section_values v = section_at(sn_line_of(body->spec), 0);
  if (c->model->dim == 2 || fabs(v.Iyy - v.Izz) <= 0.01 * v.Izz) return;
  body->note = sn_format(
      c->arena, "cable '%s' uses Izz = %.3g m4 in all directions, but its section has Iyy = %.3g m4: a beam uses both",
      body->name, v.Izz, v.Iyy);
}

static void cable_compile(sn_compiler *c, sn_body *body) {
  const sn_line_spec *s = sn_line_of(body->spec);
  sn_arena scratch = {0};
  sn_line_shape line;
  double rest = sn_line_lay_out(&c->reader, s, &scratch, &line);
  if (rest > 0 && sn_line_has_section(&c->reader, s)) {
    cable *own = SN_NEW(c->arena, cable, 1);
    *own = (cable){.elements = s->elements,
                   .dim = c->model->dim,
                   .element_length = rest / s->elements,
                   .line = s,
                   .curvature = cable_of(body->spec)->curvature};
    body->data = own;
    body->first = c->model->n;
    body->groups = s->elements + 1;
    body->count = 2 * own->dim * body->groups;
    note_section(c, body);
    if (set_rest(c, body, line.r0, line.t0) && add_nodes(c, body, line.r, line.t)) add_elements(c, body);
  }
  sn_arena_free(&scratch);
}

/* Where the formulation ends: a signed curvature that has left its plane by a thousandth; an unsigned one below half of
 * what it is at rest, where it is rounded (cable_bending.h), if the cable is curved by more than a tenth of a radian.
 */
static const char *cable_doubt(const sn_body *body, const double *q, bool *bad) {
  const cable *own = body->data;
  int points = own->doubt && own->dim == 3 ? own->elements * SN_CABLE_BENDING : 0;
  for (int i = 0; i < points; i++) {
    double u[3], w[3], k[3], k0[3], s = sn_gauss3_points[i % SN_CABLE_BENDING];
    int element = i / SN_CABLE_BENDING, p = own->curvature ? 2 : 3;
    derivatives(q + body->first + 6 * element, own->element_length, s, u, w);
    if (own->reference == SN_CABLE_PLANAR) {
      *bad = true;
      if (fabs(sn_dot(u, own->normal)) > 1e-3 * sn_norm(u)) return own->doubt;
      continue;
    }
    sn_cross(k, u, w);
    double kappa = sn_norm(k) / pow(sn_norm(u), p);
    derivatives(own->rest[element][0], own->element_length, s, u, w);
    sn_cross(k0, u, w);
    double kappa0 = sn_norm(k0) / pow(sn_norm(u), p);
    if (kappa < kappa0 / 2 && kappa0 * own->elements * own->element_length > 0.1) return own->doubt;
  }
  return NULL;
}

/* ---- markers: start, end, at(s) with s from 0 to 1 along the cable ---- */

/* y = sum w_k e_k over the nodes of the element; at a node only that node. */
static void cable_probe(const sn_marker *marker, bool slope, sn_probe *probe) {
  assert(marker->element >= 0 && marker->element < ((const cable *)marker->body->data)->elements);
  const sn_body *body = marker->body;
  double s = marker->local[0], l = ((const cable *)body->data)->element_length;
  double w[4];
  if (slope)
    sn_hermite_slope(s, l, w);
  else
    sn_hermite(s, l, w);
  int dim = ((const cable *)body->data)->dim, size = 2 * dim;
  *probe = (sn_probe){.ops = &sn_probe_linear, .dim = dim};
  for (int k = 0; k < 2; k++) {
    if ((k == 0 && s == 1) || (k == 1 && s == 0)) continue;
    int g = probe->groups++;
    probe->group[g] = body->first_group + marker->element + k;
    probe->first[g] = body->first + size * (marker->element + k);
    probe->size[g] = size;
    probe->weight[2 * g] = w[2 * k];
    probe->weight[2 * g + 1] = w[2 * k + 1];
  }
  probe->count = size * probe->groups;
}

static bool cable_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const cable *own = body->data;
  if (!own || !sn_line_point(c, body, ref, own->elements, &marker->element, &marker->local[0])) return false;
  marker->has_tangent = true;
  sn_probe probe;
  cable_probe(marker, false, &probe);
  probe.ops->value(&probe, c->q0, marker->position);
  cable_probe(marker, true, &probe);
  probe.ops->value(&probe, c->q0, marker->tangent);
  sn_normalize(marker->tangent);
  return true;
}

static void cable_point(const sn_marker *marker, sn_probe *probe) {
  cable_probe(marker, false, probe);
}
static void cable_tangent(const sn_marker *marker, sn_probe *probe) {
  cable_probe(marker, true, probe);
}

/* ---- stress resultants ---- */

/* 12 numbers r0 r0' r1 r1' of an element */
static void nodes_of(const sn_body *body, int element, const double *x, double q[12]) {
  int dim = ((const cable *)body->data)->dim;
  for (int k = 0; k < 4; k++)
    for (int d = 0; d < 3; d++) q[3 * k + d] = d < dim ? x[body->first + 2 * dim * element + dim * k + d] : 0;
}

static void resultants_in(const sn_marker *marker, int element, double s, const sn_eval *ev, const double *load,
                          double *values) {
  assert(element >= 0 && element < ((const cable *)marker->body->data)->elements && s >= 0 && s <= 1);
  const cable *own = marker->body->data;
  const sn_material_spec *m = (const sn_material_spec *)(const void *)own->line->material;
  sn_cable_station x = {.l = own->element_length, .s = s, .load = load, .about = {0, 0, own->dim == 2}};
  x.EA = m->young * section_at(own->line, (element + s) / own->elements).A;
  x.power = own->curvature ? 2 : 3;
  x.reference = own->reference;
  if (own->dim == 3) sn_copy(x.about, marker->about);
  nodes_of(marker->body, element, ev->q, x.q);
  if (own->rest) memcpy(x.q0, own->rest[element][0], sizeof x.q0);
  sn_cable_forces(own->batch, own->offset + element, x.power, x.reference, ev->q, x.f);
  sn_cable_resultants(&x, values);
}

static void cable_resultants(const sn_marker *marker, const sn_eval *ev, const double (*load)[3], double *values) {
  const cable *own = marker->body->data;
  sn_line_resultants(marker, own->elements, ev, load, SN_CABLE_RESULTANTS, resultants_in, values);
}

static const char *const resultant_column[SN_CABLE_RESULTANTS] = {"N", "Q", "M", "strain", "curvature"};
static const char *const resultant_unit[SN_CABLE_RESULTANTS] = {"N", "N", "N m", "1", "1/m"};
static const sn_headings resultant_headings = {SN_CABLE_RESULTANTS, resultant_column, resultant_unit};

static void cable_geometry(const sn_body *body, sn_geometry *geometry) {
  const cable *own = body->data;
  sn_section_space space;
  const sn_spec *section = sn_line_geometry(own->line, own->element_length, &space, geometry);
  geometry->EI[1] = geometry->EI[0]; /* in all directions */
  if (own->dim == 3 && own->reference == SN_CABLE_CURVED) {
    const sn_material_spec *m = (const sn_material_spec *)(const void *)own->line->material;
    const sn_section_values v = sn_section(section);
    geometry->turning = (const double(*)[2][3])own->rest;
    geometry->turning_GJ = m->young / (2 * (1 + m->poisson)) * (v.J > 0 ? v.J : v.Iyy + v.Izz);
  }
  geometry->coupling =
      own->curvature ? 0 : -sn_section(section).Izz / sn_section(section).A; /* cable_resultant.c: (2 - p) */
}

const sn_body_ops sn_cable = {
    .kind = {.name = "cable",
             .category = SN_BODIES,
             .summary = "thin beam or cable, large deformation (gradient-deficient ANCF)",
             .fields = cable_fields,
             .spec_size = sizeof(cable_spec),
             .check = cable_check},
    .planar = &sn_cable,
    .compile = cable_compile,
    .marker = cable_marker,
    .landmarks = "start, end, at(s)",
    .point = cable_point,
    .tangent = cable_tangent,
    .resultants = cable_resultants,
    .resultant_headings = &resultant_headings,
    .doubt = cable_doubt,
    .geometry = cable_geometry,
    .layout = &sn_layouts[SN_LAYOUT_CABLE],
    .node_coordinates = 6,
};
