/* planar_beam.c - planar-bar and planar-beam: the elements of Huang's thesis in three descriptions.
 *
 *   irf      inertial frame: nodes (x, y) or (x, y, angle)
 *   ancf-s   simplified absolute nodal coordinates: nodes (x, y) or (r, r')
 *   frf      a floating frame for each element (planar_frf.c)
 *
 * This file reads and places them; the forces are in planar_element.c and floating_element.c. A body takes the table of
 * its formulation when it is compiled.
 */
#include "body/planar_beam.h"

#include <math.h>
#include <string.h>

#include "body/beam_shape.h"
#include "body/planar_element.h"
#include "math/gauss.h"
#include "math/vec3.h"

#define PLACE_FIELDS(count)                                                                                            \
  {"from",                                                                                                             \
   SN_VECTOR,                                                                                                          \
   SN_AT(sn_planar_beam_spec, from),                                                                                   \
   .unit = "m",                                                                                                        \
   .required = true,                                                                                                   \
   .help = "first end of the line",                                                                                    \
   .example = "[0, 0, 0]"},                                                                                            \
      {"to",        SN_VECTOR,        SN_AT(sn_planar_beam_spec, to),                                                  \
       .unit = "m", .required = true, .help = "second end of the line"},                                               \
      {"elements",                                                                                                     \
       SN_INT,                                                                                                         \
       SN_AT(sn_planar_beam_spec, elements),                                                                           \
       .def = count,                                                                                                   \
       .limits = SN_BETWEEN(1, 100000),                                                                                \
       .help = "number of elements; bars are connected by hinges"},                                                    \
      {"material", SN_MATERIAL, SN_AT(sn_planar_beam_spec, material), .required = true, .help = "name of a material"}, \
      {"section", SN_SECTION, SN_AT(sn_planar_beam_spec, section), .required = true, .help = "name of a section"}, {   \
    "formulation", SN_CHOICE, SN_AT(sn_planar_beam_spec, formulation),                                                 \
        .def = "irf", .choices = "irf|ancf-s|frf",                                                                     \
        .help =                                                                                                        \
            "irf: inertial frame; ancf-s: simplified absolute nodal coordinates; frf: a floating frame per element"    \
  }
#define MOTION_FIELDS                                                                               \
  {"velocity",    SN_VECTOR,          SN_AT(sn_planar_beam_spec, velocity),                         \
   .unit = "m/s", .def = "[0, 0, 0]", .help = "initial velocity of the first end"},                 \
  {                                                                                                 \
    "angular_velocity", SN_VECTOR, SN_AT(sn_planar_beam_spec, angular_velocity),                    \
        .unit = "rad/s", .def = "[0, 0, 0]", .help = "initial angular velocity about the first end" \
  }

static const sn_field bar_fields[] = {PLACE_FIELDS("1"), MOTION_FIELDS, {0}};

static const sn_field beam_fields[] = {
    PLACE_FIELDS("8"),
    {"theory", SN_CHOICE, SN_AT(sn_planar_beam_spec, theory), .def = "euler-bernoulli",
     .choices = "bar|euler-bernoulli|timoshenko",
     .help = "bar: axial only (as planar-bar); euler-bernoulli: bending; timoshenko: bending and shear"},
    {"shear_factor", SN_REAL, SN_AT(sn_planar_beam_spec, shear_factor), .def = "5/6", .limits = SN_POSITIVE,
     .help = "timoshenko: shear correction factor"},
    {"mass", SN_CHOICE, SN_AT(sn_planar_beam_spec, mass), .def = "consistent", .choices = "consistent|constant",
     .help = "irf beams: consistent mass of the interpolated line, or the constant mass matrix of the thesis (too much "
             "rotational inertia on coarse meshes)"},
    {"rotary_inertia", SN_BOOL, SN_AT(sn_planar_beam_spec, rotary_inertia), .def = "true",
     .help = "rotary inertia of the sections; false: mass on the axis only, as in the thesis"},
    {"axial_strain", SN_CHOICE, SN_AT(sn_planar_beam_spec, axial_strain), .def = "mean", .choices = "mean|chord",
     .help =
         "irf beams: mean strain of the bent element, or that of its chord as in the thesis: axial forces then change "
         "bending between the elements only, with an error of N l^2/(12 EI)"},
    MOTION_FIELDS,
    {0},
};

static void planar_check(sn_reader *reader, const sn_spec *spec) {
  const sn_planar_beam_spec *s = (const sn_planar_beam_spec *)(const void *)spec;
  if (!(((const sn_material_spec *)(const void *)s->material)->young > 0))
    sn_field_error(reader, spec, "material", "a material with 'young' above 0",
                   "material '%s' of %s '%s' has no stiffness", s->material->name, spec->kind->name, spec->name);
}

/* Bars between hinges are a mechanism: several are made only if they are asked for. */
static int elements_of(const sn_planar_beam_spec *s, int theory) {
  return theory == SN_BAR && !sn_given(s, "elements") ? 1 : s->elements;
}

void sn_planar_node(const sn_planar_beam_spec *s, const sn_planar_beam *own, int i, double r[2], double v[2]) {
  double w = s->angular_velocity[2], x = own->l * i * own->tangent[0], y = own->l * i * own->tangent[1];
  r[0] = s->from[0] + x;
  r[1] = s->from[1] + y;
  v[0] = s->velocity[0] - w * y;
  v[1] = s->velocity[1] + w * x;
}

/* ---- nodal formulations ---- */

static int node_size(const sn_planar_beam *own) {
  return own->theory == SN_BAR ? 2 : own->formulation == SN_IRF ? 3 : 4;
}

static void add_nodes(sn_compiler *c, sn_body *body, const sn_planar_beam_spec *s, const sn_planar_beam *own) {
  int size = node_size(own);
  double w = s->angular_velocity[2];
  body->first = c->model->n;
  body->groups = own->elements + 1;
  body->count = size * body->groups;
  for (int i = 0; i <= own->elements; i++) {
    double q[4] = {0}, v[4] = {0};
    sn_planar_node(s, own, i, q, v);
    if (size == 3) {
      q[2] = own->angle, v[2] = w;
    } else {
      q[2] = own->tangent[0], q[3] = own->tangent[1];
      v[2] = -w * q[3], v[3] = w * q[2];
    }
    int group = sn_add_coordinates(c, body->name, size, q, v);
    if (i == 0) body->first_group = group;
  }
}

static void set_bar(sn_planar_item *it, double rhoA) {
  double m = rhoA * it->L / 6;
  it->M[0][0] = it->M[1][1] = 2 * m;
  it->M[0][1] = it->M[1][0] = m;
}

static void make_constant(sn_planar_item *it) {
  it->constant = true;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if ((i + j) % 2) it->M[i][j] = 0;
}

static void set_slopes(sn_planar_item *it, double P) {
  for (int g = 0; g < SN_PLANAR_GAUSS; g++) sn_beam_slope(sn_gauss5_points[g], it->L, P, it->slope[g]);
}

/* rhoA: mass per length, rhoI: rotary inertia per length; P: shear, see beam_shape.h. L and EA are set before. */
static void set_beam(sn_planar_item *it, double rhoA, double rhoI, double EI, double P, bool irf) {
  double s[4], t[4];
  for (int g = 0; g < 4; g++) {
    sn_beam_deflection(sn_gauss4_points[g], it->L, P, s);
    sn_beam_rotation(sn_gauss4_points[g], it->L, P, t);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        it->M[i][j] += sn_gauss4_weights[g] * it->L * (rhoA * s[i] * s[j] + rhoI * t[i] * t[j]);
  }
  set_slopes(it, P);
  if (!irf) {
    sn_beam_stiffness(EI, it->L, P, it->K);
    return;
  }
  double c = EI / (it->L * (1 + P));
  it->K[0][0] = it->K[1][1] = (4 + P) * c;
  it->K[0][1] = it->K[1][0] = (2 - P) * c;
}

/* The mean of w'^2/2 over the element is c'H c/2: with it, axial forces act on the bent line and not on its chord. */
static void set_mean_strain(sn_planar_item *it) {
  for (int g = 0; g < SN_PLANAR_GAUSS; g++)
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        it->H[a][b] += sn_gauss5_weights[g] * it->slope[g][2 * a + 1] * it->slope[g][2 * b + 1];
}

static void add_elements(sn_compiler *c, const sn_body *body, const sn_planar_beam *own) {
  double E = own->material->young, rhoA = own->material->density * own->section.A;
  int size = node_size(own);
  for (int e = 0; e < own->elements; e++) {
    sn_planar_item item = {.L = own->l, .EA = E * own->section.A};
    for (int k = 0; k < 2; k++) {
      item.first[k] = body->first + size * (e + k);
      item.group[k] = body->first_group + e + k;
    }
    if (own->theory == SN_BAR)
      set_bar(&item, rhoA);
    else
      set_beam(&item, rhoA, own->rotary ? own->material->density * own->section.Rzz : 0, E * own->section.Izz, own->P,
               own->formulation == SN_IRF);
    if (own->theory != SN_BAR && own->formulation == SN_IRF && own->constant) make_constant(&item);
    if (own->bowed) set_mean_strain(&item);
    *(sn_planar_item *)sn_batch_append(c, sn_planar_batch(own->theory != SN_BAR, own->formulation), sizeof item) = item;
  }
}

/* ---- compiling ---- */

static const sn_body_ops bar_ops, irf_ops, ancf_ops;

static bool is_right(sn_compiler *c, const sn_body *body, const sn_planar_beam_spec *s) {
  int before = c->reader.errors;
  const char *kind = body->spec->kind->name;
  if (c->model->dim == 3)
    sn_node_error(&c->reader, body->spec->node, "'planar: true' at the top of the file, or another type",
                  "a %s needs a planar model", kind);
  sn_check_plane(c, body->spec, "from", s->from);
  sn_check_plane(c, body->spec, "to", s->to);
  sn_check_plane(c, body->spec, "velocity", s->velocity);
  if (s->angular_velocity[0] != 0 || s->angular_velocity[1] != 0)
    sn_field_error(&c->reader, body->spec, "angular_velocity", "a turn about [0, 0, 1]",
                   "'%s' rotates out of the plane of this planar model", body->name);
  if (s->from[0] == s->to[0] && s->from[1] == s->to[1])
    sn_field_error(&c->reader, body->spec, "to", "a point different from 'from'", "%s '%s' has no length", kind,
                   body->name);
  return c->reader.errors == before;
}

static void compile(sn_compiler *c, sn_body *body, int theory) {
  const sn_planar_beam_spec *s = (const sn_planar_beam_spec *)(const void *)body->spec;
  if (!is_right(c, body, s)) return;
  sn_planar_beam *own = SN_NEW(c->arena, sn_planar_beam, 1);
  *own = (sn_planar_beam){.elements = elements_of(s, theory), .formulation = s->formulation, .theory = theory};
  own->section = sn_section(s->section);
  own->constant = s->mass == 1;
  own->bowed = s->axial_strain == 0 && s->formulation == SN_IRF && theory != SN_BAR;
  own->rotary = s->rotary_inertia && theory != SN_BAR;
  own->material = (const sn_material_spec *)(const void *)s->material;
  sn_sub(own->tangent, s->to, s->from);
  own->l = sn_normalize(own->tangent) / own->elements;
  own->angle = atan2(own->tangent[1], own->tangent[0]);
  own->shear = theory == SN_TIMOSHENKO ? s->shear_factor : 0;
  if (own->shear > 0)
    own->P = sn_beam_shear(own->material->young, own->material->poisson, own->section.Izz, own->section.A, own->shear,
                           own->l);
  sn_frame_beam *beam = SN_NEW(c->arena, sn_frame_beam, 1);
  *beam = sn_frame_beam_of(2, own->material, &own->section, own->l, own->shear, own->rotary);
  own->frame_beam = beam;
  body->data = own;
  if (s->formulation == SN_FRF) {
    body->ops = theory == SN_BAR ? &sn_planar_frf_bar_ops : &sn_planar_frf_beam_ops;
    sn_planar_frf_compile(c, body);
    return;
  }
  body->ops = theory == SN_BAR ? &bar_ops : s->formulation == SN_IRF ? &irf_ops : &ancf_ops;
  add_nodes(c, body, s, own);
  add_elements(c, body, own);
}

static void bar_compile(sn_compiler *c, sn_body *body) {
  compile(c, body, SN_BAR);
}
static void beam_compile(sn_compiler *c, sn_body *body) {
  compile(c, body, ((const sn_planar_beam_spec *)(const void *)body->spec)->theory);
}

/* ---- markers ---- */

/* Nodes of the marker's element, leaving out the one that has no part in a marker at the other node. */
static int set_nodes(const sn_marker *marker, sn_probe *probe, int which[2]) {
  const sn_body *body = marker->body;
  const sn_planar_beam *own = body->data;
  double s = marker->local[0];
  int size = node_size(own), bar = own->theory == SN_BAR;
  *probe = (sn_probe){.dim = 2};
  for (int k = 0; k < 2; k++) {
    if (!bar && ((k == 0 && s == 1) || (k == 1 && s == 0))) continue;
    int g = probe->groups++;
    which[g] = k;
    probe->group[g] = body->first_group + marker->element + k;
    probe->first[g] = body->first + size * (marker->element + k);
    probe->size[g] = size;
  }
  probe->count = size * probe->groups;
  return probe->groups;
}

/* sum w_k e_k over the nodal vectors: linear, but for the angles of irf beams. */
static void vector_probe(const sn_marker *marker, const double w[4], sn_probe *probe) {
  const sn_planar_beam *own = marker->body->data;
  int which[2] = {0}, groups = set_nodes(marker, probe, which);
  bool irf = own->theory != SN_BAR && own->formulation == SN_IRF;
  probe->ops = irf ? &sn_probe_planar : &sn_probe_linear;
  for (int g = 0; g < groups; g++) {
    int k = which[g];
    if (own->theory == SN_BAR) {
      probe->weight[g] = w[k];
    } else {
      int stride = irf ? 3 : 2;
      probe->weight[stride * g] = w[2 * k];
      probe->weight[stride * g + 1] = w[2 * k + 1];
    }
  }
}

static void planar_point(const sn_marker *marker, sn_probe *probe) {
  const sn_planar_beam *own = marker->body->data;
  double s = marker->local[0], w[4] = {1 - s, s, 0, 0};
  if (own->theory != SN_BAR) sn_beam_deflection(s, own->l, own->P, w);
  vector_probe(marker, w, probe);
}

/* Bars: along the element. Beams: the direction of the section, interpolated as its rotation. */
static void planar_tangent(const sn_marker *marker, sn_probe *probe) {
  const sn_planar_beam *own = marker->body->data;
  double w[4] = {-1 / own->l, 1 / own->l, 0, 0};
  if (own->theory != SN_BAR) sn_beam_rotation(marker->local[0], own->l, own->P, w);
  vector_probe(marker, w, probe);
}

/* At a node of an irf beam: y = R(angle) s. */
static void irf_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  const sn_planar_beam *own = marker->body->data;
  int which[2] = {0};
  if (direction[0] == 0 && direction[1] == 0) { /* the normal of the plane never turns */
    sn_constant_probe(direction, probe);
    return;
  }
  const double *t = own->tangent;
  set_nodes(marker, probe, which);
  probe->ops = &sn_probe_planar;
  probe->weight[1] = t[0] * direction[0] + t[1] * direction[1];
  probe->weight[2] = t[0] * direction[1] - t[1] * direction[0];
}

void sn_planar_axes(const sn_marker *marker, double A[3][3]) {
  const double *t = ((const sn_planar_beam *)marker->body->data)->tangent;
  double axes[3][3] = {{t[0], t[1], 0}, {-t[1], t[0], 0}, {0, 0, 1}};
  memcpy(A, axes, sizeof axes);
}

static bool planar_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const sn_planar_beam *own = body->data;
  if (!own || !sn_line_point(c, body, ref, own->elements, &marker->element, &marker->local[0])) return false;
  bool node = marker->local[0] == 0 || marker->local[0] == 1;
  marker->has_frame = own->theory != SN_BAR && own->formulation == SN_IRF && node;
  marker->has_tangent = true;
  sn_probe probe;
  planar_point(marker, &probe);
  probe.ops->value(&probe, c->q0, marker->position);
  sn_copy(marker->tangent, own->tangent);
  return true;
}

/* ---- stress resultants ---- */

/* ancf-s: Green's strain eps of r', N = EA eps |r'|; M = EI t x t' with the direction t of the sections, Q = -M'. */
static void ancf_resultants(const sn_planar_beam *own, double s, const double *q, double *y) {
  double w[4][4], v[4][2] = {{0}}; /* r', t, t', t'' */
  bool bar = own->theory == SN_BAR;
  sn_beam_slope(s, own->l, own->P, w[0]);
  sn_beam_rotation(s, own->l, own->P, w[1]);
  sn_beam_curvature(s, own->l, own->P, w[2], w[3]);
  for (int i = 0; i < 2; i++) {
    if (bar) v[0][i] = (q[2 + i] - q[i]) / own->l;
    for (int k = 0; k < 4 && !bar; k++)
      for (int j = 0; j < 4; j++) v[k][i] += w[k][j] * q[2 * j + i];
  }
  double stretch = hypot(v[0][0], v[0][1]), EI = own->frame_beam->EIz;
  y[3] = (stretch * stretch - 1) / 2;
  y[0] = own->frame_beam->EA * y[3] * stretch;
  y[4] = v[1][0] * v[2][1] - v[1][1] * v[2][0];
  y[2] = EI * y[4];
  y[1] = -EI * (v[1][0] * v[3][1] - v[1][1] * v[3][0]);
}

static void resultants_in(const sn_marker *marker, int e, double s, const sn_eval *ev, const double *load,
                          double *values) {
  const sn_planar_beam *own = marker->body->data;
  int size = node_size(own), first = marker->body->first + size * e;
  if (own->formulation == SN_ANCF_S) {
    ancf_resultants(own, s, ev->q + first, values);
    if (load) sn_line_load_columns(marker, e, s, own->l, ev->q, load, own->theory != SN_BAR, values);
    return;
  }
  sn_planar_item item = {.first = {first, first + size}, .L = own->l};
  if (own->bowed) {
    set_slopes(&item, own->P);
    set_mean_strain(&item);
  }
  double elongation, c[2];
  sn_planar_chord(&item, ev->q, own->theory != SN_BAR, &elongation, c);
  double d[SN_BEAM_FREEDOM] = {0, 0, c[0], elongation, 0, c[1]};
  sn_frame_beam_resultants(own->frame_beam, s, d, values);
  if (load) sn_line_load_columns(marker, e, s, own->l, ev->q, load, own->theory != SN_BAR, values);
}

static void planar_resultants(const sn_marker *marker, const sn_eval *ev, const double (*load)[3], double *values) {
  const sn_planar_beam *own = marker->body->data;
  sn_line_resultants(marker, own->elements, ev, load, SN_RESULTANTS_PLANE, resultants_in, values);
}

void sn_planar_geometry(const sn_body *body, sn_geometry *geometry) {
  const sn_planar_beam_spec *s = (const sn_planar_beam_spec *)(const void *)body->spec;
  const sn_planar_beam *own = body->data;
  bool hermite = own->theory != SN_BAR && own->formulation == SN_ANCF_S;
  geometry->type = own->formulation == SN_FRF ? SN_GEOMETRY_FLOATING : hermite ? SN_GEOMETRY_LINE : SN_GEOMETRY_CHAIN;
  geometry->elements = own->elements;
  geometry->element_length = own->l;
  geometry->stiffness = own->frame_beam->EA;
  geometry->mass = own->frame_beam->mass;
  geometry->EI[0] = own->theory == SN_BAR ? 0 : own->frame_beam->EIz;
  geometry->linear = !hermite;
  geometry->chord = own->theory != SN_BAR && own->formulation == SN_IRF && !own->bowed;
  geometry->straight = true;
  ((const sn_section_ops *)(const void *)s->section->kind)->geometry(s->section, geometry);
}

/* ---- tables ---- */

static const sn_body_ops bar_ops = {
    .kind = {.name = "planar-bar", .category = SN_BODIES},
    .marker = planar_marker,
    .landmarks = "start, end, at(s)",
    .point = planar_point,
    .tangent = planar_tangent,
    .resultants = planar_resultants,
    .resultant_headings = &sn_resultants_plane,
    .geometry = sn_planar_geometry,
    .layout = &sn_layouts[SN_LAYOUT_BAR],
};

static const sn_body_ops irf_ops = {
    .kind = {.name = "planar-beam", .category = SN_BODIES},
    .marker = planar_marker,
    .landmarks = "start, end, at(s)",
    .point = planar_point,
    .direction = irf_direction,
    .axes = sn_planar_axes,
    .tangent = planar_tangent,
    .resultants = planar_resultants,
    .resultant_headings = &sn_resultants_plane,
    .geometry = sn_planar_geometry,
    .layout = &sn_layouts[SN_LAYOUT_ANGLES],
};

static const sn_body_ops ancf_ops = {
    .kind = {.name = "planar-beam", .category = SN_BODIES},
    .marker = planar_marker,
    .landmarks = "start, end, at(s)",
    .point = planar_point,
    .tangent = planar_tangent,
    .resultants = planar_resultants,
    .resultant_headings = &sn_resultants_plane,
    .geometry = sn_planar_geometry,
    .layout = &sn_layouts[SN_LAYOUT_CABLE],
};

const sn_body_ops sn_planar_bar_kind = {
    .kind = {.name = "planar-bar",
             .planar_only = true,
             .category = SN_BODIES,
             .summary = "planar bar of two-node elements, axial deformation only (Huang)",
             .fields = bar_fields,
             .spec_size = sizeof(sn_planar_beam_spec),
             .check = planar_check},
    .planar = &sn_planar_bar_kind,
    .compile = bar_compile,
    .landmarks = "start, end, at(s)",
    .node_coordinates = 2,
};

const sn_body_ops sn_planar_beam_kind = {
    .kind = {.name = "planar-beam",
             .planar_only = true,
             .category = SN_BODIES,
             .summary = "planar beam of two-node elements in one of three formulations (Huang)",
             .fields = beam_fields,
             .spec_size = sizeof(sn_planar_beam_spec),
             .check = planar_check},
    .planar = &sn_planar_beam_kind,
    .compile = beam_compile,
    .landmarks = "start, end, at(s)",
    .node_coordinates = 4,
};
