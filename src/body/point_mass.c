/* point_mass.c - a mass without size: q = r, or a mass added to a point of a flexible body.
 *
 *   T = m v.v/2, V = -m g.r. Attached: r = sum w_k e_k, so M gets m w_j w_k on the nodal vectors.
 */
#include "body/bodies.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct point_mass_spec {
  sn_spec spec;
  double mass;
  double position[3], velocity[3];
  sn_marker_ref attach;
} point_mass_spec;

static const sn_field point_mass_fields[] = {
    {"mass", SN_REAL, SN_AT(point_mass_spec, mass), .unit = "kg", .required = true, .limits = SN_POSITIVE,
     .help = "mass"},
    {"position", SN_VECTOR, SN_AT(point_mass_spec, position), .example = "[0, 0, 0]", .unit = "m",
     .help = "initial position"},
    {"velocity", SN_VECTOR, SN_AT(point_mass_spec, velocity), .unit = "m/s", .def = "[0, 0, 0]",
     .help = "initial velocity"},
    {"attach", SN_MARKER, SN_AT(point_mass_spec, attach),
     .help = "point of a cable or beam to which the mass is attached; it then has no coordinates of its own"},
    {0},
};

static void point_mass_check(sn_reader *reader, const sn_spec *spec) {
  bool position = sn_given(spec, "position"), attach = sn_given(spec, "attach");
  if (position == attach)
    sn_field_error(reader, spec, attach ? "attach" : NULL, "one of: position, attach",
                   attach ? "point-mass '%s' has both a position and an attachment"
                          : "point-mass '%s' has neither a position nor an attachment",
                   spec->name);
}

/* ---- instances: a mass on a linear probe ---- */

typedef struct point_mass {
  double mass;
  sn_probe probe;
} point_mass;

static int point_mass_groups(const sn_batch *batch, int i, int *groups) {
  const sn_probe *p = &((const point_mass *)batch->data)[i].probe;
  for (int g = 0; g < p->groups; g++) groups[g] = p->group[g];
  return p->groups;
}

static void point_mass_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const point_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double a[3], f[3];
    item[i].probe.ops->rate(&item[i].probe, ev->q, ev->a, a);
    for (int k = 0; k < 3; k++) f[k] = item[i].mass * (ev->ci * a[k] - ev->gravity[k]);
    item[i].probe.ops->apply(&item[i].probe, ev->q, f, r);
  }
}

static void point_mass_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const point_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_probe *p = &item[i].probe;
    double T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES] = {0};
    int nd = p->count;
    for (int j = 0; p->dim * j < nd; j++)
      for (int k = 0; p->dim * k < nd; k++)
        for (int x = 0; x < p->dim; x++)
          T[p->dim * j + x + nd * (p->dim * k + x)] = ev->cm * item[i].mass * p->weight[j] * p->weight[k];
    sn_matrix_add(A, p->groups, p->group, batch->slots + batch->slot_stride * i, T, nd);
  }
}

static void point_mass_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const point_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double r[3], v[3];
    item[i].probe.ops->value(&item[i].probe, ev->q, r);
    item[i].probe.ops->rate(&item[i].probe, ev->q, ev->v, v);
    energy->kinetic += 0.5 * item[i].mass * sn_dot(v, v);
    energy->gravity -= item[i].mass * sn_dot(ev->gravity, r);
  }
}

static void point_mass_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const point_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double r[3], v[3], L[3];
    item[i].probe.ops->value(&item[i].probe, ev->q, r);
    item[i].probe.ops->rate(&item[i].probe, ev->q, ev->v, v);
    sn_cross(L, r, v);
    sn_axpy(out, item[i].mass, v);
    sn_axpy(out + 3, item[i].mass, L);
  }
}

static const sn_batch_ops point_mass_batch = {
    .name = "point masses",
    .max_groups = SN_PROBE_GROUPS,
    .groups = point_mass_groups,
    .residual = point_mass_residual,
    .tangent = point_mass_tangent,
    .energy = point_mass_energy,
    .momentum = point_mass_momentum,
    .steady = sn_always_steady,
    .discrete = true, /* linear */
};

/* ---- body ---- */

static bool point_mass_attached(const sn_spec *spec) {
  return sn_given(spec, "attach");
}

typedef struct place {
  sn_probe probe;
  sn_marker on; /* without a body: it has coordinates of its own */
} place;

static void point_mass_compile(sn_compiler *c, sn_body *body) {
  const point_mass_spec *spec = (const point_mass_spec *)(const void *)body->spec;
  int dim = c->model->dim;
  place *kept = SN_NEW(c->arena, place, 1);
  sn_probe probe = {.ops = &sn_probe_linear, .groups = 1, .size = {dim}, .count = dim, .dim = dim, .weight = {1}};
  if (point_mass_attached(body->spec)) {
    sn_marker *marker = &kept->on;
    if (!sn_resolve(c, &spec->attach, marker)) return;
    sn_marker_point(marker, &probe);
    if (probe.ops != &sn_probe_linear) {
      sn_field_error(&c->reader, body->spec, "attach",
                     "a point of a cable or beam; elsewhere use a position and a joint",
                     "a point-mass cannot be attached to %s '%s'", marker->body->ops->kind.name, marker->body->name);
      return;
    }
  } else {
    body->first = c->model->n;
    body->count = dim;
    body->groups = 1;
    body->first_group = probe.group[0] = sn_add_coordinates(c, body->name, dim, spec->position, spec->velocity);
    sn_check_plane(c, body->spec, "position", spec->position);
    sn_check_plane(c, body->spec, "velocity", spec->velocity);
    probe.first[0] = body->first;
  }
  kept->probe = probe;
  body->data = kept;
  point_mass *item = sn_batch_append(c, &point_mass_batch, sizeof *item);
  *item = (point_mass){spec->mass, probe};
}

static bool point_mass_marker(sn_compiler *c, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker) {
  if (ref->point) {
    sn_node_error(&c->reader, ref->node, sn_format(c->arena, "just '%s'", body->name),
                  "point-mass '%s' has no point '%s'", body->name, ref->point);
    return false;
  }
  if (!body->data) return false; /* failed before */
  const sn_probe *probe = &((const place *)body->data)->probe;
  probe->ops->value(probe, c->q0, marker->position);
  return true;
}

static void point_mass_point(const sn_marker *marker, sn_probe *probe) {
  *probe = ((const place *)marker->body->data)->probe;
}

static void point_mass_geometry(const sn_body *body, sn_geometry *geometry) {
  const place *own = body->data;
  geometry->type = SN_GEOMETRY_POINT;
  geometry->on = own->on.body ? &own->on : NULL;
}

const sn_body_ops sn_point_mass = {
    .kind = {.name = "point-mass",
             .category = SN_BODIES,
             .summary = "point mass, free or attached to a cable or beam",
             .fields = point_mass_fields,
             .spec_size = sizeof(point_mass_spec),
             .check = point_mass_check},
    .planar = &sn_point_mass,
    .compile = point_mass_compile,
    .attached = point_mass_attached,
    .marker = point_mass_marker,
    .point = point_mass_point,
    .geometry = point_mass_geometry,
    .layout = &sn_layouts[SN_LAYOUT_POINT],
    .node_coordinates = 3,
};
