/* friction.c - friction in joints; see friction.h for the law.
 *
 *   Q = -f G,   G = dphi/dq,   f = k(|u|) u,   u = phi'
 *   K = f d2phi/dq2 + G (f_u dphi'/dq + f_N dN/dq),   D = f_u G G',   f_u = k + k' |u|,   f_N = u dk/dN
 *
 * and a column G f_N dN/dl for the multipliers: the matrix is not symmetric. spherical joints: friction_ball.c. */
#include "force/friction.h"

#include <math.h>
#include <string.h>

#include "joint/relation.h"
#include "model/tree.h"

typedef struct friction_spec {
  sn_spec spec;
  const char *joint;
  int coordinate;
  double coefficient, radius, length, constant, breakaway, stribeck, viscous, creep;
} friction_spec;

/* ---- the law ---- */

/* s(u), which leaves its value at rest at the speed c. */
static double strengthening(const sn_friction *x, double c, double u, double *slope) {
  *slope = 0;
  if (u < c || x->breakaway == 1) return x->breakaway;
  const double z = (u - c) / x->stribeck, more = (x->breakaway - 1) * exp(-z * z);
  *slope = -2 * z / x->stribeck * more;
  return 1 + more;
}

sn_rub sn_friction_at(const sn_friction *x, const sn_eval *ev, double u, double N) {
  if (ev->set_valued) return (sn_rub){.k = x->viscous};
  const double B = x->mu * N + x->constant, c = x->creep;
  double slope, s = strengthening(x, c, u, &slope), e, bend; /* e = s rho/u and e'/u */
  if (u < c) {
    const double z = u / c;
    e = s * (3 - z * z) / (2 * c);
    bend = -s / (c * c * c);
  } else {
    e = s / u;
    bend = (slope - e) / (u * u);
  }
  return (sn_rub){.k = B * e + x->viscous, .bend = B * bend, .by_N = x->mu * e, .dry = B * e};
}

/* ---- the batch of coordinates ---- */

static int friction_groups(const sn_batch *batch, int i, int *groups) {
  const sn_group_set *set = &((const sn_friction *)batch->data)[i].set;
  memcpy(groups, set->group, (size_t)set->count * sizeof(int));
  return set->count;
}

static double speed_of(const sn_friction *x, const double *q, const double *v) {
  sn_phi p;
  sn_phi_at(&x->phi, q, &p);
  return sn_phi_rate(&x->phi, &p, q, v);
}

static void friction_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_friction *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_friction *x = &item[i];
    const double u = speed_of(x, ev->q, ev->v), N = x->mu > 0 ? sn_bearing_force(&x->bearing, ev) : 0;
    sn_phi p;
    sn_phi_mean(&x->phi, ev, &p);
    sn_phi_apply(&x->phi, &p, ev, sn_friction_at(x, ev, fabs(u), N).k * u, r);
  }
}

static void friction_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_friction *item = batch->data;
  enum { N = SN_FORMULA_LOCAL };
  for (int i = range.first; i < range.last; i++) {
    const sn_friction *x = &item[i];
    const bool presses = x->mu > 0 && !ev->set_valued;
    double G[N], R[N], H[N * N], B[N], row[N], T[N * N];
    const int np = sn_phi_count(&x->phi), n = x->set.n;
    sn_phi p;
    if (!presses && ev->ck == 0 && ev->cd == 0) continue;
    memset(H, 0, (size_t)np * (size_t)np * sizeof(double));
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(B, 0, (size_t)n * sizeof(double));
    memset(row, 0, (size_t)n * sizeof(double));
    sn_phi_at(&x->phi, ev->q, &p);
    const double u = sn_phi_rate(&x->phi, &p, ev->q, ev->v);
    const double force = presses ? sn_bearing_row(&x->bearing, ev, n, row) : 0;
    const sn_rub f = sn_friction_at(x, ev, fabs(u), force);
    sn_phi_derivatives(&x->phi, &p, ev->q, ev->v, ev->ck * f.k * u, G, H, np, R);
    for (int c = 0; c < n; c++) row[c] *= f.by_N * u;
    for (int c = 0; c < np; c++) {
      B[x->place[c]] += G[c];
      row[x->place[c]] += (f.k + f.bend * u * u) * (ev->cd * G[c] + ev->ck * R[c]);
      for (int d = 0; d < np; d++) T[x->place[d] + n * x->place[c]] += H[d + np * c];
    }
    for (int c = 0; c < n; c++)
      for (int d = 0; d < n; d++) T[d + n * c] += B[d] * row[c];
    sn_matrix_add(A, x->set.count, x->set.group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void friction_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_friction *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_friction *x = &item[i];
    const double u = speed_of(x, ev->q, ev->v), N = x->mu > 0 ? sn_bearing_force(&x->bearing, ev) : 0;
    const sn_rub f = sn_friction_at(x, ev, fabs(u), N);
    power->friction -= f.dry * u * u;
    power->damping -= x->viscous * u * u;
  }
}

static const sn_batch_ops friction_batch = {
    .name = "friction of joints",
    .max_groups = SN_FORMULA_GROUPS,
    .groups = friction_groups,
    .residual = friction_residual,
    .tangent = friction_tangent,
    .power = friction_power,
};

/* ---- for steps and impulses ---- */

const sn_friction *sn_friction_number(const sn_model *m, int i) {
  static const sn_batch_ops *const ops[] = {&friction_batch, &sn_ball_friction_batch};
  for (size_t k = 0; k < SN_COUNT(ops); k++) {
    const sn_batch *batch = sn_batch_find(m, ops[k]);
    if (batch && i < batch->count) return (const sn_friction *)batch->data + i;
    if (batch) i -= batch->count;
  }
  return NULL;
}

int sn_frictions_of(const sn_model *m, const sn_friction **list, int most) {
  int count = 0;
  for (const sn_friction *x; (x = sn_friction_number(m, count)); count++)
    if (count < most) list[count] = x;
  return count;
}

double sn_friction_bound(const sn_friction *x, const sn_eval *ev, double u) {
  double slope;
  return (x->mu * (x->mu > 0 ? sn_bearing_force(&x->bearing, ev) : 0) + x->constant) * strengthening(x, 0, u, &slope);
}

/* ---- building ---- */

static const sn_field friction_fields[] = {
    {"joint", SN_JOINT_NAME, SN_AT(friction_spec, joint), .required = true,
     .help = "joint with friction: revolute, cylindrical, prismatic, point-on-line or spherical; only a constant "
             "friction: also coordinate and planar"},
    {"coordinate", SN_CHOICE, SN_AT(friction_spec, coordinate), .def = "any", .choices = "any|rotation|translation",
     .help = "which one of a joint with two; each can have its own friction"},
    {"coefficient", SN_REAL, SN_AT(friction_spec, coefficient), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "mu, of sliding; the normal force is the reaction of the joint across its axis, of a spherical joint all "
             "of it",
     .example = "0.2"},
    {"radius", SN_REAL, SN_AT(friction_spec, radius), .unit = "m", .limits = SN_POSITIVE,
     .help = "of the pin or ball: the moment is mu times radius times normal force. Required for rotations with a "
             "coefficient",
     .example = "0.02"},
    {"length", SN_REAL, SN_AT(friction_spec, length), .unit = "m", .limits = SN_POSITIVE,
     .help = "distance of two supports along the axis, with the point of the second body in the middle; each carries "
             "its part of the force and of the moment across the axis. Default: moments do not press"},
    {"constant", SN_REAL, SN_AT(friction_spec, constant), .def = "0", .unit = "N m or N", .limits = SN_NOT_NEGATIVE,
     .help = "friction besides that of the reaction, of sliding: seals, preloaded bearings"},
    {"breakaway", SN_REAL, SN_AT(friction_spec, breakaway), .def = "1", .limits = SN_BETWEEN(1, 100),
     .help = "largest friction at rest over that of sliding: the ratio of static and kinetic coefficients"},
    {"stribeck_speed", SN_REAL, SN_AT(friction_spec, stribeck), .unit = "rad/s or m/s", .limits = SN_POSITIVE,
     .help = "u_s in 1 + (breakaway - 1) exp(-((u - creep_speed)/u_s)^2), the factor of friction at the speed u; "
             "symplectic-euler: exp(-(u/u_s)^2). Default: ten times the creep speed"},
    {"viscous", SN_REAL, SN_AT(friction_spec, viscous), .def = "0", .unit = "N m s/rad or N s/m",
     .limits = SN_NOT_NEGATIVE, .help = "viscous friction: moment or force per speed"},
    {"creep_speed", SN_REAL, SN_AT(friction_spec, creep), .def = "1e-3", .unit = "rad/s or m/s", .limits = SN_POSITIVE,
     .help = "speed from which dry friction has its full value; a joint that sticks creeps, slower than this. "
             "symplectic-euler, where joints stick exactly, uses it only for the default of stribeck_speed"},
    {0},
};

static void friction_check(sn_reader *reader, const sn_spec *spec) {
  const friction_spec *s = (const friction_spec *)(const void *)spec;
  if (s->coefficient == 0 && s->constant == 0 && s->viscous == 0)
    sn_field_error(reader, spec, NULL, "a coefficient, constant or viscous friction", "friction '%s' is zero",
                   spec->name);
  if (sn_given(spec, "stribeck_speed") && s->breakaway == 1)
    sn_field_error(reader, spec, "stribeck_speed", "a breakaway above 1",
                   "friction '%s' does not depend on the speed: it is the same at rest", spec->name);
}

/* A radius where the law needs it, and where it has a meaning. */
static bool check_radius(sn_compiler *c, const sn_spec *spec, bool rotation) {
  const friction_spec *s = (const friction_spec *)(const void *)spec;
  const bool given = sn_given(spec, "radius");
  if (rotation && !given && s->coefficient > 0)
    sn_field_error(&c->reader, spec, NULL, "the radius of the pin or ball",
                   "the moment of friction '%s' needs a radius", spec->name);
  else if (!rotation && given)
    sn_field_error(&c->reader, spec, "radius", NULL, "friction '%s' acts along a travel, without a radius", spec->name);
  else
    return true;
  return false;
}

/* Local coordinates of those of phi. */
static bool place_coordinate(sn_compiler *c, sn_friction *x) {
  int *place = SN_NEW(c->arena, int, sn_phi_count(&x->phi) + 1), k = 0;
  x->place = place;
  for (int p = 0; p < x->phi.probes; p++)
    for (int g = 0; g < x->phi.probe[p].groups; g++) {
      const int at = sn_group_set_add(&x->set, x->phi.probe[p].group[g], x->phi.probe[p].size[g]);
      if (at < 0) return false;
      for (int i = 0; i < x->phi.probe[p].size[g]; i++) place[k++] = at + i;
    }
  return true;
}

static bool make_coordinate(sn_compiler *c, const sn_spec *spec, const sn_joint *joint, sn_friction *x,
                            bool *rotation) {
  const friction_spec *s = (const friction_spec *)(const void *)spec;
  const sn_coordinate_type type = (sn_coordinate_type)s->coordinate;
  const sn_node *node = sn_value_of(spec->node, "joint", NULL);
  if (x->ball) { /* in the plane: a pin */
    static const double z[3] = {0, 0, 1};
    const char *why = sn_make_rotation(c->model, joint->marker, z, &x->phi);
    if (why) sn_node_error(&c->reader, node, "bodies with an orientation", "spherical '%s': %s", joint->name, why);
    if (why) return false;
  } else if (type == SN_ANY_COORDINATE && joint->has_rotation && joint->has_translation) {
    sn_field_error(&c->reader, spec, "joint", "coordinate: rotation, or coordinate: translation",
                   "%s '%s' has two coordinates", joint->ops->kind.name, joint->name);
    return false;
  } else if (!sn_joint_coordinate(c, joint, type, node, &x->phi)) {
    return false;
  }
  *rotation = x->ball || type == SN_ROTATION_COORDINATE || (type == SN_ANY_COORDINATE && joint->has_rotation);
  x->ball = false;
  return true;
}

static void refuse_joint(sn_compiler *c, const sn_spec *spec, const sn_joint *joint, const char *why) {
  sn_field_error(&c->reader, spec, "joint", "a revolute, cylindrical, prismatic, point-on-line or spherical joint",
                 "%s '%s' %s", joint->ops->kind.name, joint->name, why);
}

static void friction_compile(sn_compiler *c, const sn_spec *spec) {
  const friction_spec *s = (const friction_spec *)(const void *)spec;
  const sn_joint *joint = sn_find_joint(c->model, s->joint);
  if (!joint || c->reader.errors) return; /* perhaps that of the joint */
  bool rotation = true;
  sn_friction x = {.name = spec->name,
                   .mu = s->coefficient * (sn_given(spec, "radius") ? s->radius : 1),
                   .constant = s->constant,
                   .breakaway = s->breakaway,
                   .stribeck = sn_given(spec, "stribeck_speed") ? s->stribeck : 10 * s->creep,
                   .viscous = s->viscous,
                   .creep = s->creep,
                   .ball = strcmp(joint->ops->kind.name, "spherical") == 0};
  const bool ball = x.ball, has_axis = !ball;
  if (joint->slide || joint->ops->after) {
    refuse_joint(c, spec, joint, joint->slide ? "has a friction of its own" : "has no coordinate of its own");
    return;
  }
  if (ball && sn_given(spec, "length")) {
    sn_field_error(&c->reader, spec, "length", NULL, "spherical '%s' has no axis with two supports", joint->name);
    return;
  }
  const bool in_space = ball && c->model->dim == 3;
  if (in_space ? !sn_make_ball_friction(c, joint, &x) : !make_coordinate(c, spec, joint, &x, &rotation)) return;
  if (!check_radius(c, spec, rotation)) return;
  if (!in_space && !place_coordinate(c, &x)) {
    refuse_joint(c, spec, joint, "depends on too many coordinates");
    return;
  }
  const double length = sn_given(spec, "length") ? s->length : 0;
  if (x.mu > 0 && (!sn_make_bearing(c, joint, has_axis, length, &x.set, &x.bearing) || x.bearing.primitives == 0)) {
    refuse_joint(c, spec, joint, "has no reaction that could press");
    return;
  }
  *(sn_friction *)sn_batch_append(c, in_space ? &sn_ball_friction_batch : &friction_batch, sizeof x) = x;
  c->model->rubs |= x.mu > 0 || x.constant > 0;
  c->model->reactive |= x.mu > 0;
  c->model->unsymmetric |= x.mu > 0;
  c->model->has_power = true;
}

const sn_force_ops sn_friction_force = {
    .kind = {.name = "friction",
             .category = SN_FORCES,
             .summary = "friction in a joint: Coulomb with sticking, Stribeck, viscous; normal force from the reaction",
             .fields = friction_fields,
             .spec_size = sizeof(friction_spec),
             .check = friction_check},
    .compile = friction_compile,
};
