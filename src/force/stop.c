/* stop.c - elastic stops and backlash; see stop.h for the formulas. */
#include "force/stop.h"

#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "model/compile.h"

typedef struct stop_spec {
  sn_spec spec;
  sn_coordinate_refs joints;
  sn_reals factors;
  double min, max, stiffness, exponent, damping, restitution;
} stop_spec;

/* ---- the law ---- */

typedef struct state {
  sn_phi p[SN_STOP_TERMS];
  double x, rate;
} state;

static double middle(const sn_stop *s) {
  if (isfinite(s->min) && isfinite(s->max)) return 0.5 * (s->min + s->max);
  return 0;
}

static double wrapped(const sn_stop *s, double x) {
  return s->period > 0 ? middle(s) + remainder(x - middle(s), s->period) : x;
}

static void state_at(const sn_stop *s, const double *q, const double *v, state *y) {
  y->x = y->rate = 0;
  for (int k = 0; k < s->terms; k++) {
    sn_phi_at(&s->phi[k], q, &y->p[k]);
    y->x += s->w[k] * y->p[k].value;
    if (v) y->rate += s->w[k] * sn_phi_rate(&s->phi[k], &y->p[k], q, v);
  }
  y->x = wrapped(s, y->x);
}

/* Depth, and the side: 1 beyond max, -1 below min. */
static double depth_of(const sn_stop *s, double x, double *side) {
  *side = x > s->max ? 1 : -1;
  return fmax(0, x > s->max ? x - s->max : s->min - x);
}

static double potential(const sn_stop *s, double x) {
  double side;
  return s->k * pow(depth_of(s, x, &side), s->e + 1) / (s->e + 1);
}

/* The force on x (its sign included) and its derivatives by x and x'; elastic: of the potential alone. */
typedef struct law {
  double force, elastic, by_x, by_rate;
} law;

static law law_at(const sn_stop *s, double x, double rate) {
  double side, d = depth_of(s, x, &side);
  if (!(d > 0)) return (law){0};
  double spring = s->k * pow(d, s->e), factor = 1 + s->c * side * rate;
  if (!(factor > 0)) return (law){0, side * spring, 0, 0};
  return (law){side * spring * factor, side * spring, s->e * spring / d * factor, spring * s->c};
}

/* ---- the batch ---- */

static const sn_stop *stop_at(const sn_batch *batch, int i) {
  return (const sn_stop *)batch->data + i;
}

static int stop_groups(const sn_batch *batch, int i, int *groups) {
  const sn_stop *s = stop_at(batch, i);
  int n = 0;
  for (int k = 0; k < s->terms; k++) n += sn_phi_groups(&s->phi[k], groups + n);
  return n;
}

/* Over a step of an energy-momentum method: (U1 - U0)/(x1 - x0), and the damping in the middle. */
static double force_over_step(const sn_stop *s, const sn_eval *ev, double rate) {
  state end[2];
  for (int e = 0; e < 2; e++) state_at(s, e ? ev->q1 : ev->q0, NULL, &end[e]);
  double x = 0.5 * (end[0].x + end[1].x), change = end[1].x - end[0].x;
  law y = law_at(s, x, rate);
  if (fabs(change) < 1e-12 * (fabs(x) + 1)) return y.force;
  return (potential(s, end[1].x) - potential(s, end[0].x)) / change + y.force - y.elastic;
}

static void stop_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  for (int i = range.first; i < range.last; i++) {
    const sn_stop *s = stop_at(batch, i);
    state y;
    state_at(s, ev->q, ev->v, &y);
    double force = ev->q0 ? force_over_step(s, ev, y.rate) : law_at(s, y.x, y.rate).force;
    for (int k = 0; k < s->terms && force != 0; k++) {
      if (ev->q0) sn_phi_mean(&s->phi[k], ev, &y.p[k]);
      sn_phi_apply(&s->phi[k], &y.p[k], ev, force * s->w[k], r);
    }
  }
}

static void stop_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  for (int i = range.first; i < range.last; i++) {
    const sn_stop *s = stop_at(batch, i);
    double G[SN_PHI_LOCAL], R[SN_PHI_LOCAL], T[SN_PHI_LOCAL * SN_PHI_LOCAL];
    int n = 0, first = 0, groups[SN_STOP_TERMS * SN_PHI_PROBES * SN_PROBE_GROUPS];
    state y;
    state_at(s, ev->q, ev->v, &y);
    law f = law_at(s, y.x, y.rate);
    if (f.force == 0) continue;
    for (int k = 0; k < s->terms; k++) n += sn_phi_count(&s->phi[k]);
    memset(T, 0, sizeof(double) * (size_t)(n * n));
    for (int k = 0; k < s->terms; k++) {
      double w = s->w[k];
      sn_phi_derivatives(&s->phi[k], &y.p[k], ev->q, ev->v, ev->ck * f.force * w, G + first, T + first * (n + 1), n,
                         R + first);
      int end = first + sn_phi_count(&s->phi[k]);
      for (; first < end; first++) G[first] *= w, R[first] *= w;
    }
    for (int c = 0; c < n; c++) {
      double g = (ev->ck * f.by_x + ev->cd * f.by_rate) * G[c] + ev->ck * f.by_rate * R[c];
      for (int d = 0; d < n; d++) T[d + n * c] += G[d] * g;
    }
    sn_matrix_add(A, stop_groups(batch, i, groups), groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T,
                  n);
  }
}

static void stop_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  for (int i = range.first; i < range.last; i++) {
    state y;
    state_at(stop_at(batch, i), ev->q, NULL, &y);
    energy->spring += potential(stop_at(batch, i), y.x);
  }
}

static void stop_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  for (int i = range.first; i < range.last; i++) {
    state y;
    state_at(stop_at(batch, i), ev->q, ev->v, &y);
    law f = law_at(stop_at(batch, i), y.x, y.rate);
    power->damping -= (f.force - f.elastic) * y.rate;
  }
}

static const sn_batch_ops stop_batch = {
    .name = "stops",
    .max_groups = SN_STOP_TERMS * SN_PHI_PROBES * SN_PROBE_GROUPS,
    .groups = stop_groups,
    .residual = stop_residual,
    .tangent = stop_tangent,
    .energy = stop_energy,
    .power = stop_power,
    .discrete = true,
};

/* ---- for the limit of the step ---- */

int sn_stops_of(const sn_model *model, const sn_stop **list) {
  const sn_batch *batch = sn_batch_find(model, &stop_batch);
  *list = batch ? batch->data : NULL;
  return batch ? batch->count : 0;
}

void sn_stop_motion(const sn_stop *s, const double *q, const double *v, const double *a, double x[3]) {
  state y;
  state_at(s, q, v, &y);
  x[0] = y.x;
  x[1] = y.rate;
  x[2] = 0;
  for (int k = 0; k < s->terms; k++) x[2] += s->w[k] * sn_phi_accel(&s->phi[k], &y.p[k], q, v, a);
}

void sn_stop_gradient(const sn_stop *s, const double *q, double *g) {
  const sn_eval ev = {.q = q};
  state y;
  state_at(s, q, NULL, &y);
  for (int k = 0; k < s->terms; k++) sn_phi_apply(&s->phi[k], &y.p[k], &ev, s->w[k], g);
}

/* ---- building ---- */

static const sn_field stop_fields[] = {
    {"joints", SN_COORDINATES, SN_AT(stop_spec, joints), .required = true,
     .help =
         "the joint whose coordinate is limited: joint, joint.rotation or joint.translation; or two of them, the sum "
         "of which is, with the factors below",
     .example = "[my_hinge]"},
    {"factors", SN_REALS, SN_AT(stop_spec, factors),
     .help =
         "of the coordinates, default 1; for the backlash of two gears their pitch radii, the second one negative if "
         "the gears turn the same way"},
    {"min", SN_REAL, SN_AT(stop_spec, min), .unit = "rad or m",
     .help = "least value of the coordinate or sum, from the start; default: none"},
    {"max", SN_REAL, SN_AT(stop_spec, max), .unit = "rad or m", .help = "largest value; default: none",
     .example = "0.5"},
    {"stiffness", SN_REAL, SN_AT(stop_spec, stiffness), .unit = "N m/rad or N/m", .limits = SN_POSITIVE,
     .help = "force at the depth 1, if the exponent is not 1. Required unless a restitution is given",
     .example = "1e4"},
    {"exponent", SN_REAL, SN_AT(stop_spec, exponent), .def = "1", .limits = SN_BETWEEN(1, 3),
     .help = "of the depth in the force"},
    {"damping", SN_REAL, SN_AT(stop_spec, damping), .unit = "s/rad or s/m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "c in the force k d^e (1 + c d'), which never pulls; the restitution at small speeds v is 1 - 2/3 c v"},
    {"restitution", SN_REAL, SN_AT(stop_spec, restitution), .limits = SN_BETWEEN(0, 1),
     .help = "makes the stop rigid, in symplectic-euler alone: speed after an impact over that before it; slower ones "
             "than its rebound_speed do not rebound"},
    {0},
};

static void stop_check(sn_reader *reader, const sn_spec *spec) {
  const stop_spec *s = (const stop_spec *)(const void *)spec;
  bool min = sn_given(spec, "min"), max = sn_given(spec, "max");
  if (!min && !max)
    sn_field_error(reader, spec, NULL, "min, max or both", "stop '%s' has no limit", spec->name);
  else if (min && max && !(s->min <= s->max))
    sn_field_error(reader, spec, "max", "min <= max", "stop '%s' has no room between its limits", spec->name);
  bool rigid = sn_given(spec, "restitution"), elastic = sn_given(spec, "stiffness") || s->damping > 0;
  if (rigid == elastic)
    sn_field_error(reader, spec, rigid ? "restitution" : NULL, "a stiffness, or a restitution",
                   rigid ? "stop '%s' is both elastic and rigid" : "stop '%s' is neither elastic nor rigid",
                   spec->name);
  if (s->joints.count > SN_STOP_TERMS)
    sn_field_error(reader, spec, "joints", "one or two", "stop '%s' has %d coordinates", spec->name, s->joints.count);
  if (sn_given(spec, "factors") && s->factors.count != s->joints.count)
    sn_field_error(reader, spec, "factors", NULL, "stop '%s' has %d coordinates but %d factors", spec->name,
                   s->joints.count, s->factors.count);
}

/* Limits of angles that are known modulo a period lie within half of it from their middle. */
static bool set_period(sn_compiler *c, const sn_spec *spec, sn_stop *x) {
  sn_relation relation = {.terms = x->terms};
  for (int k = 0; k < x->terms; k++) relation.phi[k] = x->phi[k], relation.w[k] = x->w[k];
  x->period = sn_relation_period(&relation);
  if (x->period < 0) {
    sn_field_error(&c->reader, spec, "factors", "a ratio of small whole numbers, or a planar model",
                   "in space the angles of stop '%s' are known only modulo 2 pi", spec->name);
    return false;
  }
  double half = 0.5 * x->period, reach = 0;
  if (isfinite(x->min)) reach = fmax(reach, fabs(x->min - middle(x)));
  if (isfinite(x->max)) reach = fmax(reach, fabs(x->max - middle(x)));
  if (x->period == 0 || reach < 0.95 * half) return true;
  sn_field_error(&c->reader, spec, isfinite(x->max) ? "max" : "min",
                 sn_format(c->arena, "limits within %.4g of their middle (a single one: of the start)", 0.95 * half),
                 "stop '%s': in space angles are known only modulo 2 pi", spec->name);
  return false;
}

static void stop_compile(sn_compiler *c, const sn_spec *spec) {
  const stop_spec *s = (const stop_spec *)(const void *)spec;
  sn_stop x = {.name = spec->name,
               .terms = s->joints.count,
               .min = -INFINITY,
               .max = INFINITY,
               .k = sn_given(spec, "stiffness") ? s->stiffness : 0,
               .rigid = sn_given(spec, "restitution"),
               .restitution = s->restitution,
               .e = s->exponent,
               .c = s->damping};
  int local = 0;
  if (sn_given(spec, "min")) x.min = s->min;
  if (sn_given(spec, "max")) x.max = s->max;
  for (int k = 0; k < x.terms; k++) {
    const sn_joint *joint = sn_find_joint(c->model, s->joints.item[k].joint);
    if (!joint || !sn_joint_coordinate(c, joint, s->joints.item[k].type, s->joints.item[k].node, &x.phi[k])) return;
    x.w[k] = sn_given(spec, "factors") ? s->factors.value[k] : 1;
    local += sn_phi_count(&x.phi[k]);
  }
  if (local > SN_PHI_LOCAL) {
    sn_field_error(&c->reader, spec, "joints", "a joint with a rigid body or the ground on one side",
                   "the coordinates of stop '%s' depend on too many nodes", spec->name);
    return;
  }
  if (!set_period(c, spec, &x)) return;
  *(sn_stop *)sn_batch_append(c, &stop_batch, sizeof x) = x;
  c->model->has_power |= x.c > 0;
  c->model->rigid_stops |= x.rigid;
}

const sn_force_ops sn_stop_force = {
    .kind = {.name = "stop",
             .category = SN_FORCES,
             .summary = "elastic or rigid limits of a joint coordinate, or of a sum of two (backlash of gears)",
             .fields = stop_fields,
             .spec_size = sizeof(stop_spec),
             .check = stop_check},
    .compile = stop_compile,
};
