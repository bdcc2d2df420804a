/* floating.c - straight beam in a floating frame: small deformations, linear elasticity, large motion.
 *
 *   r = R + A (u0 + S z)      frame at the start of the beam, x axis along it
 *
 * Reference conditions remove rigid motion from z: `tangent` holds the section at the start (the frame is tangent
 * there), `simply-supported` holds the start and the deflections of the end (the frame's x axis runs through both
 * ends). Each element is an item of floating_element.c on (frame, node, node), so that the equations stay sparse; a
 * reduced body
 * (`modes`) is one item on (frame, boundary and modes). This file reads and places bodies.
 */
#include <math.h>
#include <string.h>

#include "body/beam_shape.h"
#include "body/bodies.h"
#include "body/floating_beam.h"
#include "math/gauss.h"
#include "math/quat.h"

typedef struct floating_spec {
  sn_spec spec;
  double from[3], to[3], up[3];
  int elements;
  const sn_spec *material, *section;
  int reference; /* 0 tangent, 1 simply-supported */
  int theory;    /* 0 euler-bernoulli, 1 timoshenko */
  double shear_factor;
  int modes;
  double stiffness_damping, mass_damping;
  double velocity[3], angular_velocity[3];
} floating_spec;

static const sn_field floating_fields[] = {
    {"from", SN_VECTOR, SN_AT(floating_spec, from), .unit = "m", .required = true, .help = "start of the beam",
     .example = "[0, 0, 0]"},
    {"to", SN_VECTOR, SN_AT(floating_spec, to), .unit = "m", .required = true, .help = "end of the beam"},
    {"up", SN_VECTOR, SN_AT(floating_spec, up),
     .help = "direction of the y axis (height) of the section, made normal to the beam; default: by the shortest "
             "rotation from [1, 0, 0]"},
    {"elements", SN_INT, SN_AT(floating_spec, elements), .def = "4", .limits = SN_BETWEEN(1, 1000),
     .help = "number of elements"},
    {"material", SN_MATERIAL, SN_AT(floating_spec, material), .required = true, .help = "name of a material"},
    {"section", SN_SECTION, SN_AT(floating_spec, section), .required = true,
     .help = "name of a section; with a torsion constant in spatial models"},
    {"reference", SN_CHOICE, SN_AT(floating_spec, reference), .def = "tangent", .choices = "tangent|simply-supported",
     .help = "floating frame: tangent at the start, or axis through both ends"},
    {"theory", SN_CHOICE, SN_AT(floating_spec, theory), .def = "euler-bernoulli",
     .choices = "euler-bernoulli|timoshenko", .help = "without or with shear deformation"},
    {"shear_factor", SN_REAL, SN_AT(floating_spec, shear_factor), .def = "5/6", .limits = SN_POSITIVE,
     .help = "timoshenko: shear correction factor"},
    {"modes", SN_INT, SN_AT(floating_spec, modes), .limits = SN_BETWEEN(0, 1000),
     .help = "Craig-Bampton reduction to the coordinates of the ends and this many fixed-interface modes; modes of "
             "equal frequency are kept together; default: no reduction"},
    {"stiffness_damping", SN_REAL, SN_AT(floating_spec, stiffness_damping), .unit = "s", .def = "0",
     .limits = SN_NOT_NEGATIVE, .help = "stiffness-proportional damping of the deformation"},
    {"mass_damping", SN_REAL, SN_AT(floating_spec, mass_damping), .unit = "1/s", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "mass-proportional damping of the deformation"},
    {"velocity", SN_VECTOR, SN_AT(floating_spec, velocity), .unit = "m/s", .def = "[0, 0, 0]",
     .help = "initial velocity of the first end"},
    {"angular_velocity", SN_VECTOR, SN_AT(floating_spec, angular_velocity), .unit = "rad/s", .def = "[0, 0, 0]",
     .help = "initial angular velocity about the first end"},
    {0},
};

static void floating_check(sn_reader *reader, const sn_spec *spec) {
  const floating_spec *s = (const floating_spec *)(const void *)spec;
  if (!(((const sn_material_spec *)(const void *)s->material)->young > 0))
    sn_field_error(reader, spec, "material", "a material with 'young' above 0",
                   "material '%s' of floating '%s' has no stiffness", s->material->name, spec->name);
}

/* ---- the body ---- */

typedef struct floating {
  sn_frame_beam beam;
  int elements, dim, nr; /* nr: coordinates of the frame */
  double p[4];           /* orientation at the start */
  int *freedom;          /* [(elements + 1) node] number of each degree of freedom among the free ones; -1: held */
  int count;             /* free ones */
  int *node_group;       /* [elements + 1] group of the free ones of a node; -1: none */
  int *node_first;       /* its first coordinate */
  int *node_size;
  const double *basis; /* [count][columns] of a reduced body; NULL: not reduced */
  int columns;
  const double *left_out;   /* [elements + 1] of a reduced body: see sn_geometry */
  sn_left_mode *left_modes; /* of a reduced body: see sn_geometry */
  int left_count;
  const sn_floating_place **middle; /* [elements] for markers that have no place of their own */
} floating;

static bool is_held(const floating_spec *s, int dim, int node, int k) {
  if (s->reference == 0) return node == 0;
  bool displacement = k < dim, torsion = dim == 3 && k == 3;
  if (node == 0) return displacement || torsion;
  return node == s->elements && displacement && k > 0;
}

static void number_freedom(sn_compiler *c, const floating_spec *s, floating *own) {
  int n = own->beam.node, nodes = s->elements + 1;
  own->freedom = SN_NEW(c->arena, int, n *nodes);
  own->node_group = SN_NEW(c->arena, int, nodes);
  own->node_first = SN_NEW(c->arena, int, nodes);
  own->node_size = SN_NEW(c->arena, int, nodes);
  for (int i = 0; i < nodes; i++)
    for (int k = 0; k < n; k++) {
      bool held = is_held(s, own->dim, i, k);
      own->freedom[i * n + k] = held ? -1 : own->count++;
      own->node_size[i] += !held;
    }
}

/* Groups of an element behind the frame, and Z of its degrees of freedom over their coordinates. Returns nf. */
static int element_link(const floating *own, const sn_body *body, int e, int *groups, int group[3], int first[3],
                        int size[3], double *Z) {
  assert(e >= 0 && e < own->elements);
  int n = own->beam.node, nf = 0, start[2];
  *groups = 1;
  group[0] = body->first_group;
  first[0] = body->first;
  size[0] = own->nr;
  if (own->basis) {
    if (own->columns)
      group[1] = body->first_group + 1, first[1] = body->first + own->nr, size[1] = own->columns, *groups = 2;
    nf = own->columns;
  }
  for (int k = 0; k < 2 && !own->basis; k++) {
    int node = e + k;
    start[k] = nf;
    if (own->node_size[node] == 0) continue;
    group[*groups] = own->node_group[node];
    first[*groups] = own->node_first[node];
    size[(*groups)++] = own->node_size[node];
    nf += own->node_size[node];
  }
  assert(nf <= SN_FLOATING_DEFORMATION && *groups <= 3);
  memset(Z, 0, sizeof(double) * (size_t)(2 * n * nf));
  for (int k = 0; k < 2; k++)
    for (int j = 0, next = own->basis ? 0 : start[k]; j < n; j++) {
      int row = k * n + j, number = own->freedom[(e + k) * n + j];
      if (number < 0) continue;
      if (own->basis)
        memcpy(Z + row * nf, own->basis + number * nf, sizeof(double) * (size_t)nf);
      else
        Z[row * nf + next++] = 1;
    }
  return nf;
}

/* M and K of all free degrees of freedom, dense. */
static void assemble(const floating *own, double *M, double *K) {
  double S[3][SN_BEAM_FREEDOM], W[3][SN_BEAM_FREEDOM], k[SN_BEAM_FREEDOM][SN_BEAM_FREEDOM];
  const sn_frame_beam *b = &own->beam;
  double r[3] = {own->dim == 3 ? b->ry + b->rz : 0, b->rz, b->ry}; /* rotary inertia about x, y, z */
  int n = b->node, count = own->count;
  sn_frame_beam_stiffness(b, k);
  for (int e = 0; e < own->elements; e++)
    for (int g = -1; g < 4; g++) {
      if (g >= 0) sn_frame_beam_shape(b, sn_gauss4_points[g], S, W);
      for (int i = 0; i < 2 * n; i++)
        for (int j = 0; j < 2 * n; j++) {
          int row = own->freedom[e * n + i], column = own->freedom[e * n + j];
          if (row < 0 || column < 0) continue;
          if (g < 0) K[row * count + column] += k[i][j];
          for (int a = 0; a < 3 && g >= 0; a++)
            M[row * count + column] +=
                sn_gauss4_weights[g] * b->mass * b->l * (S[a][i] * S[a][j] + r[a] * W[a][i] * W[a][j]);
        }
    }
}

/* Of the deflection at each node, beside L^3 s^2 (1 - s)^2/(3 EI) of a beam on two hinges; the larger of both directions. */
static const double *deflection_left_out(sn_compiler *c, const floating *own, const double *left_out) {
  const int n = own->beam.node;
  const double L = own->elements * own->beam.l;
  double *part = SN_NEW(c->arena, double, own->elements + 1);
  for (int i = 1; i < own->elements; i++)
    for (int k = 1; k < own->dim; k++) {
      const double s = (double)i / own->elements, EI = k == 1 ? own->beam.EIz : own->beam.EIy;
      const double hinged = L * L * L * s * s * (1 - s) * (1 - s) / (3 * EI);
      part[i] = fmax(part[i], left_out[own->freedom[i * n + k]] / hinged);
    }
  return part;
}

/* Displacements in the frame, and the turn about the line, in the middle of each element. */
static void take_left_modes(sn_compiler *c, floating *own, const sn_left_modes *rest) {
  double S[3][SN_BEAM_FREEDOM], W[3][SN_BEAM_FREEDOM];
  const int n = own->beam.node;
  sn_frame_beam_shape(&own->beam, 0.5, S, W);
  own->left_count = rest->count;
  own->left_modes = SN_NEW(c->arena, sn_left_mode, rest->count + 1);
  for (int k = 0; k < rest->count; k++) {
    double *at = SN_NEW(c->arena, double, 4 * own->elements);
    own->left_modes[k] = (sn_left_mode){rest->w2[k], at};
    for (int e = 0; e < own->elements; e++)
      for (int i = 0; i < 2 * n; i++) {
        const int z = own->freedom[e * n + i];
        const double x = z < 0 ? 0 : rest->shape[k * own->count + z];
        for (int a = 0; a < own->dim; a++) at[4 * e + a] += S[a][i] * x;
        if (own->dim == 3) at[4 * e + 3] += W[0][i] * x;
      }
  }
}

static bool reduce(sn_compiler *c, sn_body *body, const floating_spec *s, floating *own) {
  sn_arena scratch = {0};
  int count = own->count, last = s->elements * own->beam.node, ends = 0;
  bool *boundary = SN_NEW(&scratch, bool, count);
  for (int k = 0; k < own->beam.node; k++)
    for (int node = 0; node <= last; node += last) {
      int number = own->freedom[node + k];
      if (number >= 0) boundary[number] = true, ends++;
    }
  assert(ends <= count && ends <= SN_FLOATING_DEFORMATION);
  int most = SN_FLOATING_DEFORMATION < count ? SN_FLOATING_DEFORMATION - ends : count - ends;
  if (s->modes > most) {
    sn_field_error(&c->reader, &s->spec, "modes", sn_format(c->arena, "at most %d", most),
                   "floating '%s' cannot keep %d modes", s->spec.name, s->modes);
    sn_arena_free(&scratch);
    return false;
  }
  double *M = SN_NEW(&scratch, double, count *count), *K = SN_NEW(&scratch, double, count *count);
  assemble(own, M, K);
  int modes = s->modes;
  sn_left_modes rest = {0};
  double *left_out = SN_NEW(&scratch, double, count);
  own->basis = sn_craig_bampton(c->arena, &scratch, count, M, K, boundary, most, &modes, left_out, &rest);
  take_left_modes(c, own, &rest);
  own->columns = ends + modes;
  own->left_out = deflection_left_out(c, own, left_out);
  sn_arena_free(&scratch);
  if (modes != s->modes)
    body->note = sn_format(c->arena, "floating '%s' keeps %d modes, not %d: modes of equal frequency are kept together",
                           body->name, modes, s->modes);
  if (!own->basis)
    sn_field_error(&c->reader, &s->spec, "modes", NULL, "the vibration shapes of floating '%s' could not be computed",
                   s->spec.name);
  return own->basis != NULL;
}

/* ---- compiling ---- */

/* Orientation with x along u and y towards `up`. */
static bool orient(const double u[3], const double up[3], double p[4]) {
  assert(sn_is_unit(u));
  double y[3], z[3];
  sn_cross(z, u, up);
  if (!(sn_normalize(z) > 1e-9 * sn_norm(up))) return false;
  sn_cross(y, z, u);
  double a[3], b[4], turned[3]; /* shortest turn first, then a turn about the new x axis */
  sn_quat_from_x(u, b);
  sn_quat_unrotate(b, y, turned);
  double half = atan2(turned[2], turned[1]) / 2, c = cos(half), s = sin(half);
  sn_copy(a, b + 1); /* (b0, a) (c, s x) */
  p[0] = b[0] * c - a[0] * s;
  p[1] = b[0] * s + a[0] * c;
  p[2] = a[1] * c + a[2] * s;
  p[3] = a[2] * c - a[1] * s;
  return true;
}

static int add_frame(sn_compiler *c, const sn_body *body, const floating_spec *s, const floating *own) {
  assert(sn_is_unit_quat(own->p));
  double q[7], v[7], w[3];
  if (own->dim == 2) {
    double plane_q[3] = {s->from[0], s->from[1], 2 * atan2(own->p[3], own->p[0])};
    double plane_v[3] = {s->velocity[0], s->velocity[1], s->angular_velocity[2]};
    return sn_add_coordinates(c, body->name, 3, plane_q, plane_v);
  }
  sn_copy(q, s->from);
  sn_copy(v, s->velocity);
  memcpy(q + 3, own->p, sizeof own->p);
  sn_quat_unrotate(own->p, s->angular_velocity, w);
  sn_scale(w, 0.5, w);
  sn_quat_Gt(own->p, w, v + 3);
  return sn_add_coordinates(c, body->name, 7, q, v);
}

static void add_deformation(sn_compiler *c, const sn_body *body, floating *own) {
  double zero[SN_FLOATING_DEFORMATION] = {0};
  if (own->basis) {
    if (own->columns) sn_add_coordinates(c, body->name, own->columns, zero, zero);
    return;
  }
  for (int i = 0; i <= own->elements; i++) {
    own->node_first[i] = c->model->n;
    own->node_group[i] = own->node_size[i] ? sn_add_coordinates(c, body->name, own->node_size[i], zero, zero) : -1;
  }
}

static void add_items(sn_compiler *c, const sn_body *body, const floating_spec *s, const floating *own) {
  double Z[SN_BEAM_FREEDOM * SN_FLOATING_DEFORMATION];
  sn_floating_item *item = NULL;
  for (int e = 0; e < own->elements; e++) {
    int groups, group[3], first[3], size[3];
    int nf = element_link(own, body, e, &groups, group, first, size, Z);
    if (!item || !own->basis) {
      item = sn_floating_append(c, own->dim, nf);
      item->groups = groups;
      memcpy(item->group, group, sizeof group);
      memcpy(item->first, first, sizeof first);
      memcpy(item->size, size, sizeof size);
      item->alpha = s->mass_damping;
      item->beta = s->stiffness_damping;
    }
    sn_frame_beam_add(&own->beam, e * own->beam.l, Z, item);
  }
}

static bool in_plane(sn_compiler *c, const sn_body *body, const floating_spec *s) {
  int before = c->reader.errors;
  sn_check_plane(c, body->spec, "from", s->from);
  sn_check_plane(c, body->spec, "to", s->to);
  sn_check_plane(c, body->spec, "velocity", s->velocity);
  if (c->model->dim == 2 && (s->angular_velocity[0] != 0 || s->angular_velocity[1] != 0))
    sn_field_error(&c->reader, body->spec, "angular_velocity", "a turn about [0, 0, 1]",
                   "'%s' rotates out of the plane of this planar model", body->name);
  if (c->model->dim == 2 && sn_given(s, "up"))
    sn_field_error(&c->reader, body->spec, "up", "no 'up'",
                   "the y axis of the section must lie in the plane of a planar model");
  return c->reader.errors == before;
}

static void add_middles(sn_compiler *c, const sn_body *body, floating *own) {
  double Z[SN_BEAM_FREEDOM * SN_FLOATING_DEFORMATION];
  int groups, group[3], first[3], size[3];
  own->middle = SN_NEW(c->arena, const sn_floating_place *, own->elements);
  for (int e = 0; e < own->elements; e++) {
    const int nf = element_link(own, body, e, &groups, group, first, size, Z);
    own->middle[e] = sn_frame_beam_place(c->arena, &own->beam, e * own->beam.l, 0.5, Z, nf);
  }
}

static void floating_compile(sn_compiler *c, sn_body *body) {
  const floating_spec *s = (const floating_spec *)(const void *)body->spec;
  const sn_section_values section = sn_section(s->section);
  floating *own = SN_NEW(c->arena, floating, 1);
  double u[3];
  if (!in_plane(c, body, s)) return;
  sn_sub(u, s->to, s->from);
  double length = sn_normalize(u);
  if (!(length > 0)) {
    sn_field_error(&c->reader, body->spec, "to", "a point different from 'from'", "floating '%s' has no length",
                   body->name);
    return;
  }
  if (c->model->dim == 3 && !(section.J > 0 && section.Iyy > 0 && section.Izz > 0)) {
    sn_field_error(&c->reader, body->spec, "section", "a section with Iyy, Izz and J above 0",
                   "section '%s' of floating '%s' has no stiffness in bending or torsion", s->section->name,
                   body->name);
    return;
  }
  own->dim = c->model->dim;
  own->nr = own->dim == 2 ? 3 : 7;
  own->elements = s->elements;
  own->beam = sn_frame_beam_of(own->dim, (const sn_material_spec *)(const void *)s->material, &section,
                               length / s->elements, s->theory ? s->shear_factor : 0, true);
  if (own->dim == 2) {
    double angle = atan2(u[1], u[0]);
    own->p[0] = cos(angle / 2), own->p[3] = sin(angle / 2);
  } else {
    sn_quat_from_x(u, own->p);
  }
  if (sn_given(s, "up") && !orient(u, s->up, own->p)) {
    sn_field_error(&c->reader, body->spec, "up", "a direction that is not along the beam",
                   "'up' does not define the orientation of the section of '%s'", body->name);
    return;
  }
  number_freedom(c, s, own);
  if (sn_given(s, "modes") && !reduce(c, body, s, own)) return;
  body->data = own;
  body->first = c->model->n;
  body->first_group = add_frame(c, body, s, own);
  add_deformation(c, body, own);
  body->count = c->model->n - body->first;
  body->groups = c->groups - body->first_group;
  add_items(c, body, s, own);
  add_middles(c, body, own);
  c->model->has_power |= s->mass_damping > 0 || s->stiffness_damping > 0;
}

static void floating_constrain(sn_compiler *c, sn_body *body) {
  sn_add_normalization(c, body->name, body->first, body->first_group, true);
}

/* ---- markers ---- */

static void set_groups(const sn_marker *marker, sn_probe *probe) {
  const floating *own = marker->body->data;
  double Z[SN_BEAM_FREEDOM * SN_FLOATING_DEFORMATION];
  *probe = (sn_probe){0};
  int nf = element_link(own, marker->body, marker->element, &probe->groups, probe->group, probe->first, probe->size, Z);
  probe->count = own->nr + nf;
}

/* Of a marker without a place of its own: the middle of its element. */
static const sn_floating_place *place_of(const sn_marker *marker) {
  return marker->data ? marker->data : ((const floating *)marker->body->data)->middle[marker->element];
}

static bool floating_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  const floating *own = body->data;
  double Z[SN_BEAM_FREEDOM * SN_FLOATING_DEFORMATION];
  int groups, group[3], first[3], size[3];
  if (!own || !sn_line_point(c, body, ref, own->elements, &marker->element, &marker->local[0])) return false;
  int nf = element_link(own, body, marker->element, &groups, group, first, size, Z);
  marker->data = sn_frame_beam_place(c->arena, &own->beam, marker->element * own->beam.l, marker->local[0], Z, nf);
  marker->has_frame = true;
  sn_probe probe;
  set_groups(marker, &probe);
  sn_floating_point_probe(own->dim, marker->data, &probe);
  probe.ops->value(&probe, c->q0, marker->position);
  return true;
}

static void floating_point(const sn_marker *marker, sn_probe *probe) {
  const floating *own = marker->body->data;
  set_groups(marker, probe);
  sn_floating_point_probe(own->dim, place_of(marker), probe);
}

static void floating_direction(const sn_marker *marker, const double direction[3], sn_probe *probe) {
  const floating *own = marker->body->data;
  double d[3];
  sn_quat_unrotate(own->p, direction, d);
  set_groups(marker, probe);
  sn_floating_direction_probe(own->dim, place_of(marker), d, probe);
}

static void floating_axes(const sn_marker *marker, double A[3][3]) {
  static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) sn_quat_rotate(((const floating *)marker->body->data)->p, e[k], A[k]);
}

static double floating_angle(const sn_marker *marker, sn_probe *probe) {
  const floating *own = marker->body->data;
  set_groups(marker, probe);
  sn_floating_angle_probe(place_of(marker), probe);
  return 2 * atan2(own->p[3], own->p[0]);
}

/* d = Z z of an element, and the resultants there. */
static void resultants_in(const sn_marker *marker, int e, double s, const sn_eval *ev, const double *load,
                          double *values) {
  const floating *own = marker->body->data;
  double Z[SN_BEAM_FREEDOM * SN_FLOATING_DEFORMATION], d[SN_BEAM_FREEDOM] = {0};
  int groups, group[3], first[3], size[3];
  int nf = element_link(own, marker->body, e, &groups, group, first, size, Z);
  for (int g = 1, j = 0; g < groups; g++)
    for (int k = 0; k < size[g]; k++, j++)
      for (int i = 0; i < 2 * own->beam.node; i++) d[i] += Z[i * nf + j] * ev->q[first[g] + k];
  sn_frame_beam_resultants(&own->beam, s, d, values);
  if (load) sn_line_load_columns(marker, e, s, own->beam.l, ev->q, load, true, values);
}

static void floating_resultants(const sn_marker *marker, const sn_eval *ev, const double (*load)[3], double *values) {
  const floating *own = marker->body->data;
  int columns = own->dim == 2 ? SN_RESULTANTS_PLANE : SN_RESULTANTS_SPACE;
  sn_line_resultants(marker, own->elements, ev, load, columns, resultants_in, values);
}

static void floating_geometry(const sn_body *body, sn_geometry *geometry) {
  const floating_spec *s = (const floating_spec *)(const void *)body->spec;
  const floating *own = body->data;
  geometry->type = SN_GEOMETRY_FLOATING;
  geometry->elements = own->elements;
  geometry->element_length = own->beam.l;
  geometry->stiffness = own->beam.EA;
  geometry->mass = own->beam.mass;
  geometry->EI[0] = own->beam.EIz, geometry->EI[1] = own->beam.EIy;
  if (own->dim == 3) geometry->GJ = own->beam.GJ, geometry->polar = own->beam.mass * (own->beam.ry + own->beam.rz);
  geometry->linear = true;
  geometry->bending = own->dim == 2 ? own->beam.EIz : fmin(own->beam.EIz, own->beam.EIy);
  geometry->freedom = own->freedom;
  geometry->freedoms = own->beam.node * (own->elements + 1);
  geometry->deformations = own->count;
  geometry->basis = own->basis;
  geometry->reduced = own->columns;
  geometry->left_out = own->left_out;
  geometry->left_modes = own->left_modes, geometry->left_count = own->left_count;
  ((const sn_section_ops *)(const void *)s->section->kind)->geometry(s->section, geometry);
}

static const sn_body_ops floating_planar = {
    .kind = {.name = "floating", .category = SN_BODIES},
    .compile = floating_compile,
    .marker = floating_marker,
    .landmarks = "start, end, at(s)",
    .point = floating_point,
    .direction = floating_direction,
    .axes = floating_axes,
    .angle = floating_angle,
    .resultants = floating_resultants,
    .resultant_headings = &sn_resultants_plane,
    .geometry = floating_geometry,
    .turn = 2,
    .turns = 1,
    .layout = &sn_layouts[SN_LAYOUT_FLOATING_PLANAR],
    .node_coordinates = 3,
    .dense = true,
};

const sn_body_ops sn_floating = {
    .kind = {.name = "floating",
             .category = SN_BODIES,
             .summary = "straight beam in a floating frame: small deformation, large motion; optional modal reduction; "
                        "axial forces do not change its bending: 'beam' or 'cable' for columns, strings, fast blades",
             .fields = floating_fields,
             .spec_size = sizeof(floating_spec),
             .check = floating_check},
    .planar = &floating_planar,
    .compile = floating_compile,
    .constrain = floating_constrain,
    .marker = floating_marker,
    .landmarks = "start, end, at(s)",
    .point = floating_point,
    .direction = floating_direction,
    .axes = floating_axes,
    .resultants = floating_resultants,
    .resultant_headings = &sn_resultants_space,
    .geometry = floating_geometry,
    .turn = 3,
    .turns = 4,
    .layout = &sn_layouts[SN_LAYOUT_FLOATING],
    .node_coordinates = 6,
    .dense = true,
};
