/* gssss.c - GSSSS: the single-step methods of second order U0 and V0 (gssss_family.h) at index 3, 2 or 1.
 *
 *   M(q~) a~ + G(q~)'l~ = Q(t~, q~, v~)                     equations of motion at t~ = t0 + W1 h
 *   index 3:  Phi(q1, t1) = 0                               constraints at t1
 *   index 2:  G1 v1 + Phi_t = 0
 *   index 1:  G1 a* = gamma(t1, q1, v1)
 *   Baumgarte (index 1):  Phi'' + 2 al/(l5 h) Phi' + be/(l3 h^2) Phi = 0
 * a1 belongs to the time t1 - g h, g = L6 - W1. With d the time from a0 to a1, d = (1 - g) h + g h_-1 (h_-1 = 0 in the
 * first step, whose a0 belongs to t0), acceleration and multipliers at the end are
 *   a* = a1 + g h (a1 - a0)/d,   l* = l~ + (1 - W1) h (l~ - l~_-1)/(W1 h + (1 - W1) h_-1)
 * State and outputs have a* and l*; the method continues with a1 and l~. After a change of step, a0 is shifted to the
 * time t0 - g h that the formulas assume (step_change.c).
 *   local error: C h^2 (a1 - a0), C = |l3 - g/2 - 1/6| h/d
 * Projection: after the step q1 is projected onto Phi = 0, then v1, then a* onto their levels, each with the smallest
 * change in the mass norm; a1 changes accordingly. The form names the unknown of the linear systems, a1, v1 or q1: the
 * same method with another scaling.
 */
#include <math.h>
#include <string.h>

#include "integrator/energy_momentum.h"
#include "integrator/gssss_family.h"
#include "integrator/low_order.h"

typedef enum form { A_FORM, V_FORM, D_FORM } form;

typedef struct gssss {
  sn_low_order base;
  sn_gssss_family family;
  int index, projections;
  form form;
  sn_gssss_stabilize stabilize;
  double alpha, beta; /* Baumgarte's */
  double past_h;      /* h_-1; 0: first step */
  double *qh, *vh;    /* [n] q~, v~ without what a1 adds */
  double *q, *v, *a;  /* [n] q~, v~, a~ */
  double *end;        /* [n] a* */
  double *level;      /* [m] */
} gssss;

/* ---- the formulas ---- */

static void begin(sn_low_order *base) {
  gssss *w = (gssss *)base;
  const sn_gssss_family *f = &w->family;
  const sn_state *s = base->from;
  double h = base->h, hh = h * h, g = f->shift;
  w->past_h = base->last_h;
  base->C = fabs(f->l3 - g / 2 - 1.0 / 6) * h / (w->past_h > 0 ? (1 - g) * h + g * w->past_h : h);
  base->cq = f->l3 * hh;
  base->cv = f->l5 * h;
  base->cm = f->L6;
  base->cd = f->L5 * h;
  base->ck = f->L3 * hh;
  base->unit *= w->form == A_FORM ? 1 : w->form == V_FORM ? base->cv : base->cq;
  for (int i = 0; i < base->system->n; i++) {
    double q = s->q[i], v = base->v0[i], a = base->start_a[i];
    base->qh[i] = q + h * v + hh * (0.5 - f->l3) * a;
    base->vh[i] = v + h * (1 - f->l5) * a;
    w->qh[i] = q + f->L1 * h * v + hh * (f->L2 - f->L3) * a;
    w->vh[i] = v + h * (f->L4 - f->L5) * a;
  }
}

static sn_state evaluate(sn_low_order *base) {
  gssss *w = (gssss *)base;
  const sn_gssss_family *f = &w->family;
  double h = base->h;
  for (int i = 0; i < base->system->n; i++) {
    double a = base->to->a[i];
    w->q[i] = w->qh[i] + f->L3 * h * h * a;
    w->v[i] = w->vh[i] + f->L5 * h * a;
    w->a[i] = w->base.start_a[i] + f->L6 * (a - w->base.start_a[i]);
  }
  return (sn_state){.t = base->from->t + f->W1 * h, .q = w->q, .v = w->v, .a = w->a, .l = base->to->l};
}

/* Of a* = a0 + slope (a1 - a0). The a0 of the first step belongs to t0, all others to t0 - g h. */
static double slope_of_end(const gssss *w) {
  double g = w->family.shift;
  return w->past_h > 0 ? 1 + g : 1 / (1 - g);
}

static void find_end(gssss *w) {
  double slope = slope_of_end(w);
  for (int i = 0; i < w->base.system->n; i++)
    w->end[i] = w->base.start_a[i] + slope * (w->base.to->a[i] - w->base.start_a[i]);
}

/* The iterate with a* in place of a1. */
static sn_state with_end(gssss *w) {
  sn_state at = *w->base.to;
  at.a = w->end;
  return at;
}

/* ---- constraints ---- */

static void acceleration_rows(sn_low_order *base, double *phi) {
  gssss *w = (gssss *)base;
  bool baumgarte = w->stabilize == SN_STABILIZE_BAUMGARTE;
  double factor = slope_of_end(w) + (baumgarte ? 2 * w->alpha + w->beta : 0);
  int m = base->system->m;
  find_end(w);
  sn_state at = with_end(w);
  sn_system_acceleration(base->system, &at, phi);
  if (baumgarte) {
    sn_system_velocity(base->system, &at, w->level);
    for (int i = 0; i < m; i++) phi[i] += 2 * w->alpha / base->cv * w->level[i];
    sn_system_position(base->system, &at, w->level);
    for (int i = 0; i < m; i++) phi[i] += w->beta / base->cq * w->level[i];
  }
  for (int i = 0; i < m; i++) phi[i] /= factor;
}

/* a* onto G a = gamma; a1 follows. */
static bool project_end(gssss *w) {
  sn_low_order *base = &w->base;
  double *a1 = base->to->a, slope = slope_of_end(w);
  find_end(w);
  base->to->a = w->end;
  bool met = sn_low_order_close(base, SN_ACCELERATION_LEVEL, true, w->projections);
  base->to->a = a1;
  for (int i = 0; i < base->system->n; i++) a1[i] = w->base.start_a[i] + (w->end[i] - w->base.start_a[i]) / slope;
  return met;
}

/* What Newton left of index 2, unless the user has said what it may leave. */
static bool close_velocity(sn_low_order *base) {
  return base->newton.stop[0] > 0 || sn_low_order_close(base, SN_VELOCITY_LEVEL, false, 0);
}

static bool project(sn_low_order *base) {
  gssss *w = (gssss *)base;
  return sn_low_order_factor_twin(base) && sn_low_order_close(base, SN_POSITION_LEVEL, true, w->projections) &&
         sn_low_order_close(base, SN_VELOCITY_LEVEL, true, w->projections) && project_end(w);
}

/* ---- one step ---- */

static void accept(sn_low_order *base) {
  gssss *w = (gssss *)base;
  int n = base->system->n, m = base->system->m;
  double W1 = w->family.W1, h = base->h, past = w->past_h;
  const double *past_l = base->previous + n;
  if (!(w->stabilize == SN_STABILIZE_PROJECTION && m > 0)) find_end(w);
  memcpy(base->to->a, w->end, (size_t)n * sizeof(double));
  double s = (1 - W1) * h / (W1 * h + (1 - W1) * past);
  for (int i = 0; i < m; i++) base->to->l[i] += s * (base->l0[i] - past_l[i]);
}

/* index 3, 2, 1; without and with projection */
#define COMMON .newmark = true, .begin = begin, .evaluate = evaluate, .accept = accept
#define PROJECTED COMMON, .finish = project, .closes = true
static const sn_low_order_ops methods[3][2] = {
    {{COMMON, .primary = SN_POSITION_LEVEL, .drifts = true}, {PROJECTED, .primary = SN_POSITION_LEVEL}},
    {{COMMON, .primary = SN_VELOCITY_LEVEL, .finish = close_velocity}, {PROJECTED, .primary = SN_VELOCITY_LEVEL}},
    {{COMMON, .rows = acceleration_rows}, {PROJECTED, .rows = acceleration_rows}},
};
#undef COMMON
#undef PROJECTED

static void create_vectors(gssss *w, sn_system *system) {
  double **of_coordinates[] = {&w->qh, &w->vh, &w->q, &w->v, &w->a, &w->end};
  for (size_t k = 0; k < SN_COUNT(of_coordinates); k++) *of_coordinates[k] = SN_NEW(&system->arena, double, system->n);
  w->level = SN_NEW(&system->arena, double, system->m);
}

static bool damps_noise(const sn_system *system, const gssss *w) {
  return system->m == 0 || w->stabilize == SN_STABILIZE_PROJECTION || sn_gssss_noise(&w->family, w->index) < 0.999;
}

/* Where nothing damps noise in a1, an error estimate made of a1 - a0 follows the noise, and every change of step adds
 * to it. Steps of one length keep what a symplectic method keeps. */
static bool may_adapt(sn_system *system, const gssss *w, bool symplectic) {
  if (symplectic) {
    sn_fail(system->context, SN_USAGE,
            "gssss: a method is symplectic only with fixed steps\n  possible remedy: a fixed step");
    return false;
  }
  if (damps_noise(system, w)) return true;
  sn_fail(
      system->context, SN_USAGE,
      "gssss: %s(%g, %g, %g) at index %d does not damp noise in the accelerations, so its error estimate is not "
      "usable\n  possible remedy: a fixed step, stabilize: projection, a lower index, or a scheme with damping (%s)",
      w->family.name == SN_U0 ? "U0" : "V0", w->family.rho[0], w->family.rho[1], w->family.rho[2], w->index,
      "generalized-alpha, wbz, hht");
  return false;
}

static void *create(sn_system *system, const sn_integrator_spec *head, const sn_state *state) {
  const sn_gssss_spec *s = (const sn_gssss_spec *)(const void *)head;
  if (s->conserve == SN_ENERGY_MOMENTUM) return sn_energy_momentum_create(system, s, state);
  gssss *w = SN_NEW(&system->arena, gssss, 1);
  *w = (gssss){.family = sn_gssss_choose(s),
               .index = s->index,
               .projections = s->projections,
               .form = (form)s->form,
               .stabilize = (sn_gssss_stabilize)s->stabilize,
               .alpha = s->alpha,
               .beta = s->beta};
  bool projected = w->stabilize == SN_STABILIZE_PROJECTION;
  if (!(head->step > 0) && !may_adapt(system, w, s->conserve == SN_SYMPLECTIC)) return NULL;
  w->base.share = sn_low_order_share(projected ? 0 : sn_gssss_noise(&w->family, w->index));
  /* What Newton leaves of a share of the local error h^3 in q is of order h^2 in v, and adds up over 1/h steps: the
   * share must stay well below any h. */
  w->base.share = fmin(w->base.share, 1e-6);
  w->base.C = 1.0 / 12;
  w->base.beta = w->family.l3;
  w->base.gamma = w->family.l5;
  w->base.shift = w->family.shift;
  /* Where stiffness holds q, K q~ = Q - M a~ with q~ = q + W1 h q' + L2 h^2 q'' + ... makes q~ right at t~ */
  w->base.held_error = w->family.L2 - w->family.W1 * w->family.W1 / 2;
  w->base.elastic = w->family.W1 == 1 && head->newton != SN_SCHUR;
  if (!damps_noise(system, w))
    w->base.hint =
        "stabilize: projection, a lower index, or a scheme with damping: this one does not damp noise in the "
        "accelerations";
  else if (w->index < 3 && w->stabilize == SN_STABILIZE_NONE && system->m > 0)
    w->base.hint =
        "stabilize: projection, or index: 3: without them positions drift from the constraints, and mechanisms cannot "
        "pass singular positions";
  create_vectors(w, system);
  if (projected && sn_system_twin(system, NULL, &w->base.twin) != SN_OK) return NULL;
  if (!sn_low_order_create(&w->base, system, head, state, &methods[3 - w->index][projected])) return NULL;
  if (w->base.share < 1e-9) w->base.newton.slow = 0.1; /* to rounding: a new matrix costs less than many iterations */
  return w;
}

static bool adapts(const sn_system *system, const sn_integrator_spec *head) {
  const sn_gssss_spec *s = (const sn_gssss_spec *)(const void *)head;
  if (s->conserve != SN_CONSERVE_NONE) return s->conserve == SN_ENERGY_MOMENTUM && system->m == 0;
  const gssss w = {.family = sn_gssss_choose(s), .index = s->index, .stabilize = (sn_gssss_stabilize)s->stabilize};
  return damps_noise(system, &w);
}

/* The principal roots: the third does not damp the motion. */
static bool damped(const sn_integrator_spec *head) {
  const sn_gssss_family f = sn_gssss_choose((const sn_gssss_spec *)(const void *)head);
  return f.rho[0] < 1 || f.rho[1] < 1;
}

/* ---- settings ---- */

/* Members that damp keep no energy; of the others U0(1, 1, s) meets its equations elsewhere than in the middle. */
static void check_energy_momentum(sn_reader *reader, const sn_spec *spec) {
  static const char *const others[] = {"form", "alpha", "beta"};
  const sn_gssss_spec *s = (const sn_gssss_spec *)(const void *)spec;
  sn_gssss_family f = sn_gssss_choose(s);
  const char *wrong = NULL;
  for (size_t k = 0; k < SN_COUNT(others) && !wrong; k++)
    if (sn_given(s, others[k])) wrong = others[k];
  if (wrong)
    sn_field_error(reader, spec, wrong, sn_format(reader->arena, "no '%s', or conserve: none", wrong),
                   "energy-momentum has neither forms nor Baumgarte's stabilization");
  else if (f.rho[0] < 1 || f.W1 != 0.5)
    sn_field_error(reader, spec, sn_given(s, "rho") ? "rho" : "scheme",
                   "midpoint, midpoint-v0, or rho: [1, 1, rho_s] with family: v0",
                   "%s(%g, %g, %g) does not conserve energy: energy-momentum needs a member without damping that "
                   "satisfies the equations at the midpoint of the step",
                   f.name == SN_U0 ? "U0" : "V0", f.rho[0], f.rho[1], f.rho[2]);
  else if (s->index != 3)
    sn_field_error(reader, spec, "index", "index: 3, or conserve: none",
                   "constraints do no work only if positions satisfy them, and index %d does not enforce positions",
                   s->index);
  else if (s->stabilize == SN_STABILIZE_BAUMGARTE)
    sn_field_error(reader, spec, "stabilize", "none or projection",
                   "Baumgarte's stabilization acts on accelerations, and index 3 has no constraints on accelerations");
}

static bool one_of(int scheme, int a, int b, int c) {
  return scheme == a || scheme == b || scheme == c;
}

/* The member is named once, by a scheme or by numbers. */
static void check_member(sn_reader *reader, const sn_gssss_spec *s) {
  static const char *const names[] = {"",    "newmark", "midpoint", "midpoint-v0", "generalized-alpha",
                                      "wbz", "hht",     "optimal"};
  const double *rho = s->rho;
  bool by_rho = sn_given(s, "rho"), conserves = s->conserve != SN_CONSERVE_NONE;
  int scheme = conserves && !sn_given(s, "scheme") ? (int)SN_GSSSS_MIDPOINT_V0 : s->scheme + 1;
  if (by_rho && sn_given(s, "scheme"))
    sn_field_error(reader, &s->head.spec, "scheme", "one of: scheme, rho", "both scheme and rho select the member");
  else if (sn_given(s, "rho_infinity") &&
           (by_rho || one_of(scheme, SN_GSSSS_NEWMARK, SN_GSSSS_MIDPOINT, SN_GSSSS_MIDPOINT_V0)))
    sn_field_error(reader, &s->head.spec, "rho_infinity",
                   "a scheme with this parameter: generalized-alpha, wbz, hht or optimal",
                   by_rho ? "rho determines all parameters" : "%s has no free parameter", names[scheme]);
  else if (sn_given(s, "family") && !by_rho && scheme != SN_OPTIMAL)
    sn_field_error(reader, &s->head.spec, "family", "rho, or scheme: optimal", "%s belongs to one family only",
                   names[scheme]);
  if (by_rho && !(rho[2] <= rho[0] && rho[0] <= rho[1]))
    sn_field_error(reader, &s->head.spec, "rho", "rho_s <= rho_min <= rho_max, written [rho_min, rho_max, rho_s]",
                   "[%g, %g, %g] is not a member of the families", rho[0], rho[1], rho[2]);
  if (!by_rho && scheme == SN_GSSSS_HHT && s->rho_infinity < 0.5)
    sn_field_error(reader, &s->head.spec, "rho_infinity", "0.5 to 1", "hht cannot damp that much");
}

static void check(sn_reader *reader, const sn_spec *spec) {
  const sn_gssss_spec *s = (const sn_gssss_spec *)(const void *)spec;
  int errors = reader->errors;
  sn_check_steps(reader, spec);
  check_member(reader, s);
  if (s->conserve == SN_ENERGY_MOMENTUM) {
    if (errors == reader->errors) check_energy_momentum(reader, spec);
    return;
  }
  if (s->stabilize == SN_STABILIZE_BAUMGARTE && s->index != 1)
    sn_field_error(reader, spec, "stabilize", "index: 1, or projection",
                   "Baumgarte's stabilization acts on accelerations, and index %d has no constraints on accelerations",
                   s->index);
  if (errors < reader->errors) return;
  sn_gssss_family f = sn_gssss_choose(s);
  if (s->index == 1 && f.shift > 0.999)
    sn_field_error(reader, spec, "index", "index 2 or 3, or a rho above 0",
                   "the accelerations of U0(0, 0, 0) lag by one step and cannot satisfy constraints");
  if (s->conserve == SN_CONSERVE_NONE) return;
  if (f.rho[0] < 1)
    sn_field_error(reader, spec, "conserve", "newmark, midpoint, midpoint-v0, or rho: [1, 1, rho_s]",
                   "%s(%g, %g, %g) has damping and is not symplectic", f.name == SN_U0 ? "U0" : "V0", f.rho[0],
                   f.rho[1], f.rho[2]);
  if (s->stabilize == SN_STABILIZE_BAUMGARTE)
    sn_field_error(reader, spec, "conserve", "stabilize: none or projection",
                   "Baumgarte's stabilization is not symplectic");
}

static const sn_field fields[] = {
    SN_STEP_FIELDS,
    SN_NEWTON_ALL,
    {"scheme", SN_CHOICE, SN_AT(sn_gssss_spec, scheme), .def = "generalized-alpha",
     .choices = "newmark|midpoint|midpoint-v0|generalized-alpha|wbz|hht|optimal",
     .help = "member by name: newmark U0(1,1,0), midpoint U0(1,1,1), midpoint-v0 V0(1,1,0); with r = rho_infinity "
             "generalized-alpha U0(r,r,r), wbz U0(r,r,0), hht U0(r,r,(1-r)/(2r)), optimal U0(r,1,r) or V0(r,1,r)"},
    {"rho_infinity", SN_REAL, SN_AT(sn_gssss_spec, rho_infinity), .def = "0.8", .limits = SN_BETWEEN(0, 1),
     .help = "spectral radius at infinite frequency: 1 no damping, 0 full damping"},
    {"rho", SN_VECTOR, SN_AT(sn_gssss_spec, rho), .limits = SN_BETWEEN(0, 1),
     .help = "member by parameters, instead of scheme: [rho_min, rho_max, rho_s], the two principal roots and the "
             "spurious root at infinite frequency"},
    {"family", SN_CHOICE, SN_AT(sn_gssss_spec, family), .def = "u0", .choices = "u0|v0",
     .help = "family for rho and optimal: no overshoot in positions (u0) or in velocities (v0)"},
    {"index", SN_INT, SN_AT(sn_gssss_spec, index), .def = "3", .limits = SN_BETWEEN(1, 3),
     .help = "level at which constraints are enforced: 3 positions, 2 velocities, 1 accelerations"},
    {"form", SN_CHOICE, SN_AT(sn_gssss_spec, form), .def = "a", .choices = "a|v|d",
     .help = "unknowns of the linear systems: accelerations, velocities or positions; the method is the same"},
    {"stabilize", SN_CHOICE, SN_AT(sn_gssss_spec, stabilize), .def = "none", .choices = "none|baumgarte|projection",
     .help = "constraint stabilization: baumgarte (index 1), or projection of positions, velocities and accelerations "
             "after every step"},
    {"alpha", SN_REAL, SN_AT(sn_gssss_spec, alpha), .def = "1", .limits = SN_BETWEEN(0, 1),
     .help = "baumgarte: alpha of Phi'' + 2 alpha/(l5 h) Phi' + beta/(l3 h^2) Phi = 0"},
    {"beta", SN_REAL, SN_AT(sn_gssss_spec, beta), .def = "1", .limits = SN_BETWEEN(0, 1),
     .help = "baumgarte: beta of the same equation"},
    {"projections", SN_INT, SN_AT(sn_gssss_spec, projections), .def = "0", .limits = SN_BETWEEN(0, 20),
     .help = "projection: maximum number of corrections at each level; 0: no limit"},
    {"conserve", SN_CHOICE, SN_AT(sn_gssss_spec, conserve), .def = "none", .choices = "none|symplectic|energy-momentum",
     .help = "symplectic: only members without damping, fixed steps (default member: midpoint-v0); energy-momentum: "
             "midpoint-v0 or another V0(1,1,s), which are equivalent, at index 3 with discrete gradients that conserve "
             "energy and momentum to rounding (not to rounding with projection)"},
    {0},
};

const sn_integrator_ops sn_gssss = {
    .kind =
        {.name = "gssss",
         .category = SN_INTEGRATORS,
         .summary =
             "single-step methods of second order, families U0 and V0, at index 3, 2 or 1, including generalized alpha",
         .fields = fields,
         .spec_size = sizeof(sn_gssss_spec),
         .check = check},
    .adapts = adapts,
    .damping_field = "rho_infinity",
    .undamped = 1,
    .damped = damped,
    .create = create,
    .step = sn_low_order_step,
    .held_error = sn_low_order_held_error,
    .of_middle = sn_low_order_of_middle,
    .stabilizing = sn_low_order_stabilizing,
    .history = sn_low_order_history,
    .free = sn_low_order_free,
};
