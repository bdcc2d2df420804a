/* beam_body.c - beams as bodies: nodes along the reference line, elements between them, markers on them. */
#include "body/beam_body.h"

#include <math.h>
#include <string.h>

#include "base/expr.h"
#include "body/line.h"
#include "math/hermite.h"
#include "math/lanes.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct beam {
  int elements, n;
  double element_length;
  const sn_beam_node *node; /* [elements + 1] at the start */
  const sn_beam_node *rest; /* [elements + 1] of the shape without stress */
  sn_beam_sort sort;
  const char *doubt;
  const char *stiff; /* said if sections shorten between nodes; NULL: strains are not taken over the volume */
  double height[2];  /* of the section along y and z */
  const sn_beam_elements *batch; /* its elements are there from `offset` on */
  int offset;
} beam;

/* ---- frames along the line ---- */

/* The y axis of the first section: the field `name` (up, rest_up) made normal to the tangent; without it the one that
 * keeps the z axis of the section nearest to global z (global y for a line along z). */
static bool first_axis(sn_compiler *c, const sn_spec *spec, const char *name, const double t[3], double y[3]) {
  double z[3] = {0, 0, 1}, up[3] = {0, 1, 0}, length = sn_norm(t);
  if (c->model->dim == 3 && sn_given(spec, name)) {
    sn_copy(up, sn_field_value(spec, name));
    sn_normalize(up);
  } else if (fabs(t[2]) < (1 - 1e-6) * length) {
    sn_cross(up, z, t);
    sn_normalize(up);
  }
  sn_copy(y, up);
  sn_axpy(y, -sn_dot(up, t) / (length * length), t);
  if (sn_normalize(y) > 1e-6) return true;
  sn_field_error(&c->reader, spec, name, "a direction that is not along the line",
                 "'%s' of %s '%s' is parallel to the line at its start", name, spec->kind->name, spec->name);
  return false;
}

static void reflect(double x[3], const double v[3]) { /* x - 2 v (v.x)/(v.v) */
  double vv = sn_dot(v, v);
  if (vv > 0) sn_axpy(x, -2 * sn_dot(v, x) / vv, v);
}

/* The next y axis without twist: two reflections take (r0, t0) to (r1, t1) (Wang et al. 2008). */
static void transport(const double r0[3], const double t0[3], const double r1[3], const double t1[3], double y[3]) {
  double v[3], t[3];
  sn_sub(v, r1, r0);
  sn_copy(t, t0);
  reflect(y, v);
  reflect(t, v);
  sn_sub(v, t1, t);
  reflect(y, v);
  sn_axpy(y, -sn_dot(y, t1) / sn_dot(t1, t1), t1); /* rounding */
  sn_normalize(y);
}

/* The y axis turned about the tangent t by an angle. */
static void turn_about(const double t[3], double angle, const double y[3], double turned[3]) {
  double z[3];
  sn_cross(z, t, y);
  sn_normalize(z);
  sn_scale(turned, cos(angle), y);
  sn_axpy(turned, sin(angle), z);
}

/* Nodes of a line with the tangents t, which may be stretched, and sections with this twist (NULL: none). */
static sn_beam_node *make_nodes(sn_compiler *c, const sn_body *body, const char *up, const sn_expr *twist,
                                double (*r)[3], double (*t)[3]) {
  int elements = sn_line_of(body->spec)->elements;
  sn_beam_node *node = SN_NEW(c->arena, sn_beam_node, elements + 1);
  double y[3], stretch = sn_norm(t[0]);
  if (!first_axis(c, body->spec, up, t[0], y)) return NULL;
  for (int i = 0; i <= elements; i++) {
    if (i > 0) transport(r[i - 1], node[i - 1].e[1], r[i], t[i], y);
    sn_copy(node[i].e[0], r[i]);
    sn_copy(node[i].e[1], t[i]);
    sn_copy(node[i].e[2], y);
    if (twist) turn_about(t[i], sn_expr_value(twist, (double)i / elements), y, node[i].e[2]);
    sn_cross(node[i].e[3], t[i], node[i].e[2]);
    assert(sn_is_unit(y));
    sn_scale(node[i].e[3], 1 / stretch, node[i].e[3]);
  }
  return node;
}

/* ---- elements ---- */

static sn_beam_sort sort_of(const sn_compiler *c, const sn_spec *spec) {
  return sn_beam_sort_of(spec, c->model->dim);
}

/* The elements of all beams that share a batch with this one, made at the first of them. */
static sn_beam_elements *elements_for(sn_compiler *c, const sn_spec *spec) {
  sn_beam_sort sort = sort_of(c, spec);
  sn_beam_elements *e = sn_batch_get(c, sn_beam_batch(sort), sizeof(sn_beam_elements))->data;
  if (e->capacity) return e;
  const sn_list *list = &c->model->document->list[SN_BODIES];
  size_t total = 0;
  for (int i = 0; i < list->count; i++)
    if (list->item[i]->kind == spec->kind && sort_of(c, list->item[i]) == sort)
      total += (size_t)sn_line_of(list->item[i])->elements;
  size_t n = total / SN_LANES_PADDING * SN_LANES_PADDING + SN_LANES_PADDING, fields = (size_t)sn_beam_fields(sort);
  *e = (sn_beam_elements){.capacity = (int)n,
                          .fields = (int)fields,
                          .first = SN_NEW(c->arena, int, n),
                          .group = SN_NEW(c->arena, int, n),
                          .value = SN_NEW(c->arena, double, n *fields)};
  return e;
}

/* The lanes behind the last element work on a copy of it. */
static void pad(sn_beam_elements *e, int last) {
  assert(e->capacity % SN_LANES_PADDING == 0 && last >= 0 && last < e->capacity);
  for (int i = last + 1; i < e->capacity && i <= last + SN_LANES_PADDING; i++) {
    e->first[i] = e->first[last];
    e->group[i] = e->group[last];
    for (int f = 0; f < e->fields; f++) {
      double *value = e->value + (size_t)f * (size_t)e->capacity;
      value[i] = value[last];
    }
  }
}

static void add_elements(sn_compiler *c, const sn_body *body) {
  const sn_line_spec *s = sn_line_of(body->spec);
  beam *own = body->data;
  sn_beam_sort sort = own->sort;
  sn_beam_elements *e = elements_for(c, body->spec);
  sn_batch *batch = sn_batch_get(c, sn_beam_batch(sort), 0);
  own->batch = e;
  own->offset = batch->count;
  for (int i = 0; i < s->elements; i++) {
    int k = batch->count++;
    assert(k < e->capacity);
    e->first[k] = body->first + own->n * (own->n + 1) * i;
    e->group[k] = body->first_group + i;
    sn_beam_set_element(e, k, body->spec, sort, i, own->element_length, own->rest + i);
  }
  pad(e, batch->count - 1);
  e->axis |= own->n == 3 ? sn_beam_of(body->spec)->elastic == SN_BEAM_SELECTIVE
                         : sn_beam2d_of(body->spec)->elastic == SN_BEAM2D_SELECTIVE;
  e->damped |= s->mass_damping > 0 || s->stiffness_damping > 0;
  c->model->has_power |= e->damped;
}

/* ---- the body ---- */

/* Groups of coordinates, one per node, moving as a rigid body at the start. False when it leaves a planar model. */
static bool add_nodes(sn_compiler *c, sn_body *body) {
  const sn_line_spec *s = sn_line_of(body->spec);
  const beam *own = body->data;
  int n = own->n;
  for (int i = 0; i <= own->elements; i++) {
    double q[12], v[12], arm[3], rate[3];
    for (int k = 0; k <= n; k++) {
      const double *e = own->node[i].e[k];
      sn_copy(arm, e);
      if (k == 0) sn_sub(arm, e, own->node[0].e[0]);
      sn_cross(rate, s->angular_velocity, arm);
      if (k == 0) sn_axpy(rate, 1, s->velocity);
      for (int x = 0; x < n && x < 3; x++) q[n * k + x] = e[x], v[n * k + x] = rate[x];
      if (n == 2 && (e[2] != 0 || rate[2] != 0)) {
        sn_field_error(&c->reader, body->spec, NULL, "points and velocities with a third component of 0",
                       "%s '%s' leaves the plane of this planar model", body->spec->kind->name, body->name);
        return false;
      }
    }
    int group = sn_add_coordinates(c, body->name, n * (n + 1), q, v);
    if (i == 0) body->first_group = group;
  }
  return true;
}

/* Both shapes of the line, at the start and without stress, as nodes; the length without stress, 0 after an error. */
static double lay_out(sn_compiler *c, const sn_body *body, const sn_beam_node **node, const sn_beam_node **rest_node) {
  const sn_line_spec *s = sn_line_of(body->spec);
  sn_arena scratch = {0};
  sn_line_shape line;
  double rest = sn_line_lay_out(&c->reader, s, &scratch, &line);
  if (rest > 0 && sn_line_has_section(&c->reader, s)) {
    bool space = c->model->dim == 3, same = sn_beam_rests_curved(body->spec, c->model->dim) &&
                                            !sn_given(body->spec, "rest_through") && s->rest == SN_REST_CURVE;
    const sn_expr *twist = space ? sn_beam_of(body->spec)->twist : NULL;
    *node = make_nodes(c, body, "up", twist, line.r, line.t);
    twist = space ? sn_beam_of(body->spec)->rest_twist : NULL;
    *rest_node = same ? *node : make_nodes(c, body, "rest_up", twist, line.r0, line.t0);
  }
  sn_arena_free(&scratch);
  return *node && *rest_node ? rest : 0;
}

/* Heights as those of a rectangle with this area and these second moments. */
static void expect_stiff_elements(sn_compiler *c, const sn_body *body, beam *own) {
  const sn_line_spec *s = sn_line_of(body->spec);
  const sn_section_values x = sn_section_between(s->section, s->section_end ? s->section_end : s->section, 0.5);
  own->height[0] = sqrt(12 * x.Izz / x.A);
  own->height[1] = sqrt(12 * x.Iyy / x.A);
  own->stiff = sn_format(
      c->arena,
      "elements of %s '%s' are too slender for their bending: strains over the volume make them too stiff by more than "
      "0.3 %%, (length times angle over height)^2/60; possible remedy: more elements, or a %s",
      body->spec->kind->name, body->name, own->n == 2 ? "planar-beam or cable" : "beam with elastic: timoshenko");
}

void sn_beam_compile(sn_compiler *c, sn_body *body) {
  const sn_line_spec *s = sn_line_of(body->spec);
  const sn_beam_node *node = NULL, *rest_node = NULL;
  double rest = lay_out(c, body, &node, &rest_node);
  if (!(rest > 0 && node)) return;
  if (c->model->dim == 3 && sn_beam_of(body->spec)->elastic == SN_BEAM_CONTINUUM &&
      ((const sn_material_spec *)(const void *)s->material)->poisson != 0)
    body->note = sn_format(c->arena,
                           "beam '%s' uses elastic: continuum, which is too stiff in bending on any mesh (Poisson "
                           "locking); elastic: timoshenko does not lock",
                           body->name);
  beam *own = SN_NEW(c->arena, beam, 1);
  int n = c->model->dim;
  *own = (beam){.elements = s->elements,
                .n = n,
                .element_length = rest / s->elements,
                .node = node,
                .rest = rest_node,
                .doubt = sn_format(c->arena,
                                   "the section of %s '%s' is compressed to less than half at a node, which then acts "
                                   "as a hinge: use fewer elements, not shorter than the height of the section",
                                   body->spec->kind->name, body->name),
                .sort = sort_of(c, body->spec)};
  if (own->sort != SN_BEAM_LINE) expect_stiff_elements(c, body, own);
  body->data = own;
  body->first = c->model->n;
  body->groups = s->elements + 1;
  body->count = n * (n + 1) * body->groups;
  if (add_nodes(c, body)) add_elements(c, body);
}

/* ---- markers ---- */

/* The nodal vectors: position, r_x, r_y, r_z. */
enum { R, RX, RY, RZ };

/* Weights of one of them at the marker; groups of the probe, those of the nodes it depends on. */
static void set_weights(const sn_marker *marker, int vector, sn_probe *probe, double *weight) {
  assert(marker->element >= 0 && marker->element < ((const beam *)marker->body->data)->elements);
  assert(vector >= R && vector <= ((const beam *)marker->body->data)->n);
  const sn_body *body = marker->body;
  const beam *own = body->data;
  double s = marker->local[0], l = own->element_length;
  double point[4], slope[4];
  sn_hermite(s, l, point);
  sn_hermite_slope(s, l, slope);
  int n = own->n, size = n * (n + 1);
  probe->dim = n;
  probe->groups = 0;
  for (int k = 0; k < 2; k++) {
    if ((k == 0 && s == 1) || (k == 1 && s == 0)) continue;
    int g = probe->groups++;
    double *w = weight + (n + 1) * g;
    probe->group[g] = body->first_group + marker->element + k;
    probe->first[g] = body->first + size * (marker->element + k);
    probe->size[g] = size;
    if (vector == R || vector == RX)
      for (int j = 0; j < 2; j++) w[j] = (vector == R ? point : slope)[2 * k + j];
    else
      w[vector] = k ? s : 1 - s;
  }
  probe->count = size * probe->groups;
}

static void beam_probe(const sn_marker *marker, int vector, sn_probe *probe) {
  *probe = (sn_probe){.ops = &sn_probe_linear};
  set_weights(marker, vector, probe, probe->weight);
}

/* One of them at the start. */
static void start_value(const sn_marker *marker, int vector, double y[3]) {
  const beam *own = marker->body->data;
  int n = own->n, size = n * (n + 1);
  sn_probe probe;
  beam_probe(marker, vector, &probe);
  memset(y, 0, 3 * sizeof(double));
  for (int g = 0; g < probe.groups; g++) {
    const sn_beam_node *node = &own->node[(probe.first[g] - marker->body->first) / size];
    for (int k = 0; k <= n; k++) sn_axpy(y, probe.weight[(n + 1) * g + k], node->e[k]);
  }
}

bool sn_beam_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const beam *own = body->data;
  if (!own) return false; /* failed before */
  if (!sn_line_point(c, body, ref, own->elements, &marker->element, &marker->local[0])) return false;
  marker->has_frame = marker->has_tangent = marker->has_slopes = true;
  start_value(marker, R, marker->position);
  start_value(marker, RX, marker->tangent);
  sn_normalize(marker->tangent);
  return true;
}

void sn_beam_point(const sn_marker *marker, sn_probe *probe) {
  beam_probe(marker, R, probe);
}
void sn_beam_tangent(const sn_marker *marker, sn_probe *probe) {
  beam_probe(marker, RX, probe);
}
void sn_beam_vector(const sn_marker *marker, int k, sn_probe *probe) {
  beam_probe(marker, RX + k, probe);
}

/* Fixed to the frame of the section: of r_y and r_z where bending acts on the section, of r_x, r_y, r_z where it acts
 * on the tangent, of r_y in the plane. A moment on a vector that bending does not act on would only shear its node. */
void sn_beam_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  const beam *own = marker->body->data;
  bool tangent = own->n == 3 && sn_beam_of(marker->body->spec)->elastic == SN_BEAM_ELASTIC_LINE;
  int first = tangent ? RX : RY;
  double start[3][3];
  *probe = (sn_probe){.vectors = own->n + 1 - first};
  for (int i = 0; i < probe->vectors; i++) {
    set_weights(marker, first + i, probe, probe->weight + (probe->vectors == 3 ? 8 : 12) * i);
    start_value(marker, first + i, start[i]);
  }
  sn_section_probe((const double(*)[3])start, direction, probe);
}

/* x along the line, y along r_y (height), z (width) */
void sn_beam_axes(const sn_marker *marker, double A[3][3]) {
  sn_copy(A[0], marker->tangent);
  start_value(marker, RY, A[1]);
  sn_axpy(A[1], -sn_dot(A[0], A[1]), A[0]);
  sn_normalize(A[1]);
  sn_cross(A[2], A[0], A[1]);
}

/* ---- stress resultants ---- */

static void resultants_in(const sn_marker *marker, int element, double s, const sn_eval *ev, const double *load,
                          double *values) {
  assert(element >= 0 && element < ((const beam *)marker->body->data)->elements && s >= 0 && s <= 1);
  const beam *own = marker->body->data;
  double y[SN_RESULTANTS_SPACE];
  sn_beam_resultants_in(own->batch, own->offset + element, own->sort, s, ev->q, own->rest + element, load, y);
  double plane[SN_RESULTANTS_PLANE] = {y[0], y[1], y[5], y[6], y[9]};
  if (own->n == 3)
    memcpy(values, y, sizeof y);
  else
    memcpy(values, plane, sizeof plane);
}

void sn_beam_resultants(const sn_marker *marker, const sn_eval *ev, const double (*load)[3], double *values) {
  const beam *own = marker->body->data;
  int columns = own->n == 3 ? SN_RESULTANTS_SPACE : SN_RESULTANTS_PLANE;
  sn_line_resultants(marker, own->elements, ev, load, columns, resultants_in, values);
}

/* The strain of St. Venant and Kirchhoff lets a node collapse: r_x shrinks to nothing and the axis has a kink there, at
 * a cost that falls with the element. That is no beam. */
/* Angle between two section vectors. */
static double angle_of(const double *a, const double *b, int n) {
  double x[3] = {a[0], a[1], n > 2 ? a[2] : 0}, y[3] = {b[0], b[1], n > 2 ? b[2] : 0}, z[3];
  sn_cross(z, x, y);
  return atan2(sn_norm(z), sn_dot(x, y));
}

/* Section vectors are linear between nodes. Where they turn by a, they are shorter in between by a^2/8, a strain against
 * which bending is done: the element is too stiff by (l a/h)^2/60, around a shape without stress that turns by a0 by
 * (l (a + a0)/h)^2/60. */
static double excess_stiffness(const beam *own, const double *q) {
  const int n = own->n, size = n * (n + 1);
  double most = 0;
  for (int i = 0; i < own->elements; i++)
    for (int k = 0; k < n - 1; k++) {
      const double *u = q + size * i + (2 + k) * n;
      const double at_rest = angle_of(own->rest[i].e[2 + k], own->rest[i + 1].e[2 + k], n);
      const double x = own->element_length * (angle_of(u, u + size, n) + at_rest) / own->height[k];
      most = fmax(most, x * x / 60);
    }
  return most;
}

const char *sn_beam_doubt(const sn_body *body, const double *q, bool *bad) {
  const beam *own = body->data;
  int n = own->n, size = n * (n + 1);
  for (int i = 0; i <= own->elements; i++) {
    const double *u = q + body->first + size * i + n;
    double square = 0;
    for (int k = 0; k < n; k++) square += u[k] * u[k];
    if (square > 0.25) continue;
    *bad = true;
    return own->doubt;
  }
  const double excess = own->stiff ? excess_stiffness(own, q + body->first) : 0;
  *bad = excess > 0.5;
  return excess > 3e-3 ? own->stiff : NULL;
}

/* The bending stiffness over that of E, in plane strain E/(1 - nu^2): see the Poisson effect in beam_setup.c. */
static double bends_as(const sn_body *body) {
  const bool space = ((const beam *)body->data)->n == 3;
  const double nu = ((const sn_material_spec *)(const void *)sn_line_of(body->spec)->material)->poisson;
  if (space) return sn_beam_of(body->spec)->elastic == SN_BEAM_CONTINUUM ? (1 - nu) / ((1 + nu) * (1 - 2 * nu)) : 0;
  if (sn_beam2d_of(body->spec)->elastic != SN_BEAM2D_CONTINUUM) return 0;
  return sn_beam2d_of(body->spec)->plane ? (1 - nu) * (1 - nu) / (1 - 2 * nu) : 1 / (1 - nu * nu);
}

void sn_beam_geometry(const sn_body *body, sn_geometry *geometry) {
  const sn_line_spec *s = sn_line_of(body->spec);
  sn_section_space space;
  const sn_spec *section = sn_line_geometry(s, ((const beam *)body->data)->element_length, &space, geometry);
  const sn_section_values x = sn_section(section);
  const sn_material_spec *m = (const sn_material_spec *)(const void *)s->material;
  const bool space_beam = ((const beam *)body->data)->n == 3;
  geometry->flat = !space_beam || sn_beam_of(body->spec)->elastic >= SN_BEAM_SELECTIVE;
  geometry->bends = bends_as(body);
  if (!space_beam) return;
  const double J = sn_beam_torsion_constant(body->spec, section);
  geometry->GJ = m->young / (2 * (1 + m->poisson)) * J;
  geometry->torsion = x.J > 0 ? J / x.J : 0;
  geometry->polar = m->density * (x.Ryy + x.Rzz);
}
