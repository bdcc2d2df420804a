/* coordinate_spring.c - spring-dampers on coordinates: the torsion spring, and the bushing as six of them.
 *
 *   U = 1/2 k (phi - phi0)^2,   F = k (phi - phi0) + c phi',   Q = -F dphi/dq
 *   K = k G G' + F d2phi/dq2 + c G (dphi'/dq)',   D = c G G',   G = dphi/dq
 */
#include <string.h>

#include "force/forces.h"
#include "joint/relation.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct bushing_spec {
  sn_spec spec;
  sn_marker_ref between[2];
  double rotation[4];
  double stiffness[3], damping[3], turn_stiffness[3], turn_damping[3];
  const sn_expr *force[3], *moment[3];
} bushing_spec;

typedef struct torsion_spec {
  sn_spec spec;
  sn_marker_ref between[2];
  const char *joint;
  double axis[3];
  double stiffness, damping, angle;
  const sn_expr *moment;
} torsion_spec;

static int spring_groups(const sn_batch *batch, int i, int *groups) {
  return sn_phi_groups(&((const sn_coordinate_spring *)batch->data)[i].phi, groups);
}

typedef struct state {
  sn_phi p;
  double rate, F;
} state;

static void state_at(const sn_coordinate_spring *s, const double *q, const double *v, state *x) {
  sn_phi_at(&s->phi, q, &x->p);
  x->rate = sn_phi_rate(&s->phi, &x->p, q, v);
  x->F = s->k * (x->p.value - s->phi0) + s->c * x->rate;
}

static void spring_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_coordinate_spring *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_coordinate_spring *s = &item[i];
    sn_phi p;
    sn_phi_mean(&s->phi, ev, &p);
    double F = s->k * (p.value - s->phi0) + s->c * sn_phi_rate(&s->phi, &p, ev->q, ev->v);
    sn_phi_apply(&s->phi, &p, ev, F, r);
  }
}

static void spring_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_coordinate_spring *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_coordinate_spring *s = &item[i];
    double G[SN_PHI_LOCAL], R[SN_PHI_LOCAL], T[SN_PHI_LOCAL * SN_PHI_LOCAL];
    int n = sn_phi_count(&s->phi), groups[SN_PHI_PROBES * SN_PROBE_GROUPS];
    state x;
    state_at(s, ev->q, ev->v, &x);
    memset(T, 0, sizeof(double) * (size_t)n * (size_t)n);
    sn_phi_derivatives(&s->phi, &x.p, ev->q, ev->v, ev->ck * x.F, G, T, n, R);
    for (int c = 0; c < n; c++) {
      double f = (ev->ck * s->k + ev->cd * s->c) * G[c] + ev->ck * s->c * R[c];
      for (int d = 0; d < n; d++) T[d + n * c] += G[d] * f;
    }
    int count = spring_groups(batch, i, groups);
    sn_matrix_add(A, count, groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void spring_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_coordinate_spring *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_phi p;
    sn_phi_at(&item[i].phi, ev->q, &p);
    energy->spring += 0.5 * item[i].k * (p.value - item[i].phi0) * (p.value - item[i].phi0);
  }
}

static void spring_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_coordinate_spring *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    state x;
    state_at(&item[i], ev->q, ev->v, &x);
    power->damping -= item[i].c * x.rate * x.rate;
  }
}

/* A damper alone has only the rate of an angle about an axis, which does not jump with it. */
static const char *spring_doubt(const sn_batch *batch, int i, const double *q, bool *bad) {
  const sn_coordinate_spring *s = (const sn_coordinate_spring *)batch->data + i;
  *bad = false;
  if (s->k == 0 && !s->recorded && s->phi.type == SN_PHI_ANGLE) return NULL;
  return sn_phi_nears_jump(&s->phi, q) ? s->warning : NULL;
}

static const sn_batch_ops spring_batch = {
    .name = "springs on coordinates",
    .max_groups = SN_PHI_PROBES * SN_PROBE_GROUPS,
    .groups = spring_groups,
    .residual = spring_residual,
    .tangent = spring_tangent,
    .energy = spring_energy,
    .power = spring_power,
    .discrete = true,
    .doubt = spring_doubt,
};

void sn_add_coordinate_spring(sn_compiler *c, const sn_coordinate_spring *spring) {
  assert(spring->name && spring->k >= 0 && spring->c >= 0 && isfinite(spring->phi0));
  sn_coordinate_spring *own = sn_batch_append(c, &spring_batch, sizeof *spring);
  *own = *spring;
  own->warning = sn_format(
      c->arena,
      "the angle of '%s' comes close to half a revolution, where it jumps in space, and the moment is wrong from "
      "there on; possible remedy: an actuator on a joint, whose angle counts turns in expressions",
      spring->name);
  c->model->has_power |= spring->c > 0;
}

const sn_coordinate_spring *sn_find_coordinate_spring(const sn_model *model, const char *name) {
  const sn_batch *batch = sn_batch_find(model, &spring_batch);
  sn_coordinate_spring *item = batch ? batch->data : NULL;
  for (int i = 0; batch && i < batch->count; i++) {
    if (strcmp(item[i].name, name) != 0) continue;
    item[i].recorded = true;
    return &item[i];
  }
  return NULL;
}

void sn_coordinate_spring_state(const sn_coordinate_spring *s, const double *q, const double *v, double *phi,
                                double *force) {
  state x;
  state_at(s, q, v, &x);
  *phi = x.p.value;
  *force = x.F;
}

/* ---- torsion spring ---- */

static const sn_field torsion_fields[] = {
    {"between", SN_MARKERS, SN_AT(torsion_spec, between),
     .help = "two markers; if one is given as a body only, its point is the one that coincides with the other marker "
             "at the start",
     .example = "[ground, my_body.start]"},
    {"joint", SN_JOINT_NAME, SN_AT(torsion_spec, joint),
     .help = "joint on which the spring acts, instead of markers and axis"},
    {"axis", SN_VECTOR, SN_AT(torsion_spec, axis), .def = "[0, 0, 1]", .help = "initial axis, global"},
    {"stiffness", SN_REAL, SN_AT(torsion_spec, stiffness), .unit = "N m/rad", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "torsional stiffness", .example = "10"},
    {"damping", SN_REAL, SN_AT(torsion_spec, damping), .unit = "N m s/rad", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "torsional damping"},
    {"angle", SN_REAL, SN_AT(torsion_spec, angle), .unit = "rad", .def = "0",
     .help =
         "free angle: rotation of the second body relative to the first, from the start, at which the moment is zero"},
    {"moment", SN_FORMULA, SN_AT(torsion_spec, moment), .unit = "N m", .locals = "angle|rate",
     .help = "law of the moment, added to that of stiffness and damping: an expression of angle (from the free angle, "
             "rad), rate (rad/s), t and the motion"},
    {0},
};

static void torsion_check(sn_reader *reader, const sn_spec *spec) {
  bool between = sn_given(spec, "between"), joint = sn_given(spec, "joint");
  if (between == joint)
    sn_field_error(reader, spec, between ? "joint" : NULL, "one of: between, joint",
                   between ? "torsion-spring '%s' has both markers and a joint"
                           : "torsion-spring '%s' has neither markers nor a joint",
                   spec->name);
}

static void add_torsion(sn_compiler *c, const torsion_spec *s, sn_coordinate_spring *x) {
  sn_add_coordinate_spring(c, x);
  if (!s->moment) return;
  x->phi.c += s->angle;
  sn_add_law(c, x->name, &x->phi, s->moment);
}

static void torsion_compile(sn_compiler *c, const sn_spec *spec) {
  const torsion_spec *s = (const torsion_spec *)(const void *)spec;
  sn_coordinate_spring x = {.name = spec->name, .k = s->stiffness, .c = s->damping, .phi0 = s->angle};
  if (s->joint) {
    const sn_joint *joint = sn_find_joint(c->model, s->joint);
    if (joint && sn_joint_coordinate(c, joint, SN_ROTATION_COORDINATE, spec->node, &x.phi)) add_torsion(c, s, &x);
    return;
  }
  sn_marker marker[2];
  double axis[3];
  if (!sn_resolve_pair(c, s->between, marker)) return;
  sn_copy(axis, s->axis);
  if (!(sn_normalize(axis) > 0)) {
    sn_field_error(&c->reader, spec, "axis", "a direction", "the axis of torsion-spring '%s' has no length",
                   spec->name);
    return;
  }
  const char *why = sn_make_rotation(c->model, marker, axis, &x.phi);
  const bool tilted = c->model->dim == 2 && (axis[0] != 0 || axis[1] != 0);
  if (why)
    sn_field_error(
        &c->reader, spec, tilted ? "axis" : "between",
        tilted ? "[0, 0, 1]" : "a rigid body or the ground, and a body with an orientation; a cable normal to the axis",
        "torsion-spring '%s' is not possible: %s", spec->name, why);
  else
    add_torsion(c, s, &x);
}

const sn_force_ops sn_torsion_spring = {
    .kind = {.name = "torsion-spring",
             .category = SN_FORCES,
             .summary = "torsional spring-damper about an axis; in space within half a revolution of the start, in the "
                        "plane without limit",
             .fields = torsion_fields,
             .spec_size = sizeof(torsion_spec),
             .check = torsion_check},
    .compile = torsion_compile,
};

/* ---- bushing ---- */

static const sn_field bushing_fields[] = {
    {"between", SN_MARKERS, SN_AT(bushing_spec, between), .required = true,
     .help = "two markers on bodies with frames, both with a point",
     .example = "[\"ground.at(0, 0, 0)\", my_body.start]"},
    {"rotation", SN_ROTATION, SN_AT(bushing_spec, rotation), .def = "[1, 0, 0, 0]",
     .help = "initial axes of the bushing relative to the global axes; they move with the first body"},
    {"stiffness", SN_VECTOR, SN_AT(bushing_spec, stiffness), .unit = "N/m", .def = "[0, 0, 0]",
     .limits = SN_NOT_NEGATIVE, .help = "translational, along the axes", .example = "[1e5, 1e5, 1e6]"},
    {"damping", SN_VECTOR, SN_AT(bushing_spec, damping), .unit = "N s/m", .def = "[0, 0, 0]", .limits = SN_NOT_NEGATIVE,
     .help = "translational, along the axes"},
    {"turn_stiffness", SN_VECTOR, SN_AT(bushing_spec, turn_stiffness), .unit = "N m/rad", .def = "[0, 0, 0]",
     .limits = SN_NOT_NEGATIVE, .help = "rotational, about the axes; planar models use the third",
     .example = "[100, 100, 10]"},
    {"turn_damping", SN_VECTOR, SN_AT(bushing_spec, turn_damping), .unit = "N m s/rad", .def = "[0, 0, 0]",
     .limits = SN_NOT_NEGATIVE, .help = "rotational, about the axes"},
    {"force", SN_FORMULA3, SN_AT(bushing_spec, force), .unit = "N", .locals = "stretch|rate",
     .help = "laws along the axes, added to stiffness and damping: expressions of stretch (m), rate (m/s), t and the "
             "motion, each of its own axis"},
    {"moment", SN_FORMULA3, SN_AT(bushing_spec, moment), .unit = "N m", .locals = "angle|rate",
     .help = "laws about the axes: expressions of angle (rad), rate (rad/s), t and the motion"},
    {0},
};

/* Travels along the axes e_k of the first body, and the components of the rotation vector theta n along them: n has the
 * same components in both frames, so that the bodies may be exchanged. In the plane the turn is the angle itself. */
static void bushing_compile(sn_compiler *c, const sn_spec *spec) {
  const bushing_spec *s = (const bushing_spec *)(const void *)spec;
  sn_marker marker[2];
  double e[3][3];
  int dim = c->model->dim;
  if (!sn_resolve(c, &s->between[0], &marker[0]) || !sn_resolve(c, &s->between[1], &marker[1])) return;
  for (int i = 0; i < 2; i++)
    if (!marker[i].has_frame) {
      sn_field_error(
          &c->reader, spec, "between", "bodies with frames; springs and torsion-springs need only points or axes",
          "%s '%s' has no frame for bushing '%s'", marker[i].body->ops->kind.name, marker[i].body->name, spec->name);
      return;
    }
  for (int k = 0; k < 3; k++) {
    double unit[3] = {k == 0, k == 1, k == 2};
    sn_quat_rotate(s->rotation, unit, e[k]);
  }
  if (dim == 2 && (s->rotation[1] != 0 || s->rotation[2] != 0)) {
    sn_field_error(&c->reader, spec, "rotation", "a turn about [0, 0, 1]",
                   "the axes of bushing '%s' leave the plane of this planar model", spec->name);
    return;
  }
  for (int k = 0; k < dim; k++) {
    sn_coordinate_spring x = {.name = spec->name, .k = s->stiffness[k], .c = s->damping[k]};
    sn_make_travel(marker, e[k], true, &x.phi);
    if (x.k > 0 || x.c > 0) sn_add_coordinate_spring(c, &x);
    if (s->force[k]) sn_add_law(c, spec->name, &x.phi, s->force[k]);
  }
  for (int k = dim == 2 ? 2 : 0; k < 3; k++) {
    sn_coordinate_spring x = {.name = spec->name, .k = s->turn_stiffness[k], .c = s->turn_damping[k]};
    if (dim == 2)
      sn_make_rotation(c->model, marker, e[2], &x.phi);
    else
      sn_make_vector(marker, e[(k + 1) % 3], e[(k + 2) % 3], &x.phi);
    if (x.k > 0 || x.c > 0) sn_add_coordinate_spring(c, &x);
    if (s->moment[k]) sn_add_law(c, spec->name, &x.phi, s->moment[k]);
  }
}

const sn_force_ops sn_bushing = {
    .kind = {.name = "bushing",
             .category = SN_FORCES,
             .summary = "spring-dampers along and about three axes between two frames; rotations in space are the "
                        "rotation vector, "
                        "below half a revolution",
             .fields = bushing_fields,
             .spec_size = sizeof(bushing_spec)},
    .compile = bushing_compile,
};
