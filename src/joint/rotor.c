/* rotor.c - inertia that turns with a joint through a gear: the rotor of a motor, on the first body of the joint.
 *
 *   in the plane   theta + ratio phi - psi = 0   theta: angle of the first body, the carrier; psi: angle of the rotor
 *   in space       ratio phi - psi = 0           psi: angle of the rotor against the carrier
 *
 * with J psi'' on the coordinate psi. In the plane this is the whole motion of the rotor: its kinetic energy is
 * J (theta' + ratio phi')^2/2. In space this is right on the ground; on a body, carried_rotor.c adds the speed of the body
 * about the axis of the rotor, and gyroscopic moments. Where the axis is not known (joints that slide, without `axis`) or
 * the carrier has no frame (cables), moments on a carrier that turns are missing: the verdict says so as soon as it has
 * turned by SN_ROTOR_TURN.
 */
#include <math.h>
#include <string.h>

#include "joint/carried_rotor.h"
#include "joint/joints.h"
#include "joint/relation.h"
#include "math/vec3.h"

#define SN_ROTOR_TURN 1e-3 /* rad */

typedef struct rotor_spec {
  sn_spec spec;
  const char *joint;
  int coordinate;
  double inertia, ratio, axis[3];
} rotor_spec;

static const sn_field rotor_fields[] = {
    {"joint", SN_JOINT_NAME, SN_AT(rotor_spec, joint), .required = true, .help = "joint that the rotor turns with"},
    {"coordinate", SN_CHOICE, SN_AT(rotor_spec, coordinate), .def = "any", .choices = "any|rotation|translation",
     .help = "angle or travel, of a joint with both"},
    {"inertia", SN_REAL, SN_AT(rotor_spec, inertia), .unit = "kg m2", .required = true, .limits = SN_POSITIVE,
     .help = "inertia of the rotor about its own axis"},
    {"ratio", SN_REAL, SN_AT(rotor_spec, ratio), .def = "1",
     .help = "revolutions of the rotor for one of the joint, or rad for 1 m of its travel"},
    {"axis", SN_VECTOR, SN_AT(rotor_spec, axis),
     .help =
         "in space: axis of the rotor on the first body at the start, global; default: that of a joint that turns. It "
         "matters if this body turns"},
    {0},
};

static void rotor_check(sn_reader *reader, const sn_spec *spec) {
  if (((const rotor_spec *)(const void *)spec)->ratio == 0)
    sn_field_error(reader, spec, "ratio", "a ratio other than 0", "rotor '%s' has a ratio of zero", spec->name);
}

/* ---- its mass ---- */

typedef struct rotor {
  int index, group;
  double J;
} rotor;

static int rotor_groups(const sn_batch *batch, int i, int *groups) {
  groups[0] = ((const rotor *)batch->data)[i].group;
  return 1;
}

static void rotor_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++) r[x[i].index] += ev->ci * x[i].J * ev->a[x[i].index];
}

static void rotor_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const double M = ev->cm * x[i].J;
    sn_matrix_add(A, 1, &x[i].group, batch->slots + (size_t)batch->slot_stride * (size_t)i, &M, 1);
  }
}

static void rotor_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const rotor *x = batch->data;
  for (int i = range.first; i < range.last; i++)
    energy->kinetic += 0.5 * x[i].J * ev->v[x[i].index] * ev->v[x[i].index];
}

static const sn_batch_ops rotor_batch = {
    .name = "rotors",
    .max_groups = 1,
    .groups = rotor_groups,
    .residual = rotor_residual,
    .tangent = rotor_tangent,
    .energy = rotor_energy,
    .steady = sn_always_steady,
    .discrete = true,
};

/* ---- compile ---- */

static void rotor_coordinates(sn_compiler *c, sn_joint *joint) {
  const double zero = 0;
  sn_add_coordinates(c, joint->name, 1, &zero, &zero);
}

static void own_coordinate(int index, int group, sn_coordinate *x) {
  const double origin[3] = {0, 0, 0};
  *x = (sn_coordinate){.type = SN_PHI_TURN, .probes = 2, .sign = 1, .second = 1};
  sn_constant_probe(origin, &x->probe[0]);
  x->probe[1] = (sn_probe){
      .ops = &sn_probe_single, .groups = 1, .group = {group}, .first = {index}, .size = {1}, .count = 1, .dim = 0};
}

static bool is_ground(const sn_marker *marker) {
  return !marker->body || strcmp(marker->body->ops->kind.name, "ground") == 0;
}

/* In the plane: the angle of the first body, with the sign of the joint's angle. */
static void carrier_angle(const sn_compiler *c, const sn_coordinate *joint, sn_coordinate *x) {
  const double origin[3] = {0, 0, 0};
  sn_phi p;
  *x = (sn_coordinate){.type = SN_PHI_TURN, .probes = 2, .second = 1};
  x->sign = joint->second ? joint->sign : -joint->sign;
  sn_constant_probe(origin, &x->probe[0]);
  x->probe[1] = joint->probe[joint->second ? 0 : 1];
  sn_phi_at(x, c->q0, &p);
  x->c = p.value;
}

static double rate_of(const sn_compiler *c, const sn_coordinate *x) {
  sn_phi p;
  sn_phi_at(x, c->q0, &p);
  return sn_phi_rate(x, &p, c->q0, c->v0);
}

/* The carrier of a rotor, in space or of a joint that slides, has turned. */
static const char *carrier_turns(const sn_model *model, const sn_joint *joint, const double *q, const double *l,
                                 bool *bad) {
  (void)model, (void)l, (void)bad;
  if (!joint->warning) return NULL;
  if (!joint->marker[0].has_frame) return joint->warning; /* a line: it bends, and turns with it */
  static const double e[2][3] = {{1, 0, 0}, {0, 1, 0}};
  for (int k = 0; k < 2; k++) {
    sn_probe probe;
    double now[3], z[3];
    sn_marker_direction(&joint->marker[0], e[k], &probe);
    probe.ops->value(&probe, q, now);
    sn_cross(z, e[k], now);
    if (atan2(sn_norm(z), sn_dot(e[k], now)) > SN_ROTOR_TURN) return joint->warning;
  }
  return NULL;
}

/* The axis of the rotor, if it is known; false: it is not. */
static bool rotor_axis(sn_compiler *c, const sn_joint *joint, const sn_joint *of, const sn_coordinate *phi,
                       double axis[3]) {
  const rotor_spec *spec = (const rotor_spec *)(const void *)joint->spec;
  if (!sn_given(spec, "axis")) {
    sn_copy(axis, of->axis);
    return (phi->type == SN_PHI_ANGLE || phi->type == SN_PHI_TURN) && !of->slide;
  }
  sn_copy(axis, spec->axis);
  if (c->model->dim == 2)
    sn_field_error(&c->reader, &spec->spec, "axis", "no axis: it is normal to the plane",
                   "a planar model has one axis");
  else if (!(sn_normalize(axis) > 0))
    sn_field_error(&c->reader, &spec->spec, "axis", "a direction", "the axis of rotor '%s' has no length", joint->name);
  return true;
}

static void rotor_compile(sn_compiler *c, sn_joint *joint) {
  const rotor_spec *spec = (const rotor_spec *)(const void *)joint->spec;
  const sn_joint *of = sn_find_joint(c->model, spec->joint);
  int group = 0;
  double axis[3];
  sn_relation x = {.terms = 2, .w = {-1, spec->ratio}};
  if (!of || of->ops->after) {
    sn_field_error(&c->reader, joint->spec, "joint", "a joint with a coordinate of its own",
                   "joint '%s' has no coordinate", spec->joint);
    return;
  }
  while (c->group_name[group] != joint->name) group++; /* the only one: multipliers follow */
  const int index = c->group_first[group];
  own_coordinate(index, group, &x.phi[0]);
  if (!sn_joint_coordinate(c, of, (sn_coordinate_type)spec->coordinate, joint->spec->node, &x.phi[1])) return;
  const bool carried = !is_ground(&of->marker[0]) && !is_ground(&of->marker[1]);
  const bool has_axis = rotor_axis(c, joint, of, &x.phi[1], axis);
  const bool in_plane = carried && c->model->dim == 2 && has_axis;
  const bool in_space = carried && c->model->dim == 3 && has_axis && of->marker[0].has_frame;
  if (c->reader.errors > 0) return;
  if (in_plane) {
    x.phi[2] = x.phi[1];
    carrier_angle(c, &x.phi[2], &x.phi[1]);
    x.w[1] = 1, x.w[2] = spec->ratio;
    x.terms++;
  } else if (carried && !in_space) {
    joint->warning = sn_format(
        c->arena,
        "the body '%s' that carries rotor '%s' turns: moments of the rotor on it are left out (reaction to its angular "
        "acceleration, gyroscopic moments); possible remedy: %s",
        of->marker[0].body->name, joint->name,
        of->marker[0].has_frame && c->model->dim == 3
            ? "the 'axis' of the rotor"
            : "a rigid body on a revolute joint as the rotor, with a 'gear' if the ratio is not 1");
  }
  for (int k = 1; k < x.terms; k++) /* it turns with them from the start */
    c->v0[index] += x.w[k] * rate_of(c, &x.phi[k]);
  sn_joint_as(joint, of);
  sn_add_relation(c, joint, &x);
  if (in_space)
    sn_add_carried_rotor(c, &of->marker[0], axis, index, group, spec->inertia);
  else
    *(rotor *)sn_batch_append(c, &rotor_batch, sizeof(rotor)) = (rotor){index, group, spec->inertia};
}

const sn_joint_ops sn_rotor = {
    .kind = {.name = "rotor",
             .category = SN_JOINTS,
             .summary =
                 "inertia that turns with a joint through a gear, such as the rotor of a motor: on the first body of "
                 "the joint, or on the ground if one of the two is the ground; mass and inertia across its axis "
                 "belong to that body",
             .fields = rotor_fields,
             .spec_size = sizeof(rotor_spec),
             .check = rotor_check},
    .after = true,
    .coordinates = rotor_coordinates,
    .compile = rotor_compile,
    .doubt = carrier_turns,
};
