/* symplectic_euler.c - symplectic Euler with fixed step; constraints at the velocity level; contact by complementarity.
 *
 *   A dv + G'p = h Q + D g,   G (v0 + dv) + Phi_t + s Phi/h = 0        at (t0, q0)
 *   v1 = v0 + dv,   q1 = q0 + h v1        p, g: impulses of joints and contacts; for g see system/impulses.h
 *
 * Dry friction of joints (force `friction`) is set-valued, and stops may be rigid: system/joint_impulses.h.
 *
 * An impulse, then free motion for the time h; rigid bodies rotate in it with constant angular momentum
 * (sn_system_advance), so that none is lost at any rotation speed.
 *
 * s = 1 (`gap`): the violation of a joint at t0 is closed within the step, so that errors of position stay of order
 * h^2. s = 0: the velocity constraint alone, and Phi drifts. First order.
 *
 * explicit: A = M, Q = Q(t0, q0, v0). Energy oscillates without drift where forces are conservative and the constraints
 * linear, as long as h < 2/w of the highest frequency w. [M G'; G 0] is factorized again only if it changes. Dampers
 * that are too fast for the step enter the matrix, A = M + h D (explicit_limit.h).
 *
 * implicit: Q = Q(t0, q0 + h(a v1 + (e - a) v0), v0 + c dv) to first order about q^ = q0 + e h v0, v0, that is
 *   A = M + c h D(q^) + a h^2 K(q^),   Q = Q(t0, q^, v0)
 *   e = (1 - rho)/(1 + rho),   a = ((1 + e)/2)^2,   c = (1 + e)/2
 * Stable for any h w where forces are linear; frequencies far above 1/h are damped by rho in each step, and low ones by
 * e times what the backward Euler method (rho = 0) would. rho = 1: nothing is damped, [M + h^2 K/4] in place of M. D
 * and K are the positive semidefinite parts, element by element (system.h): A >= M. A step that gains energy
 * nevertheless, because forces have rotated too much in it, is divided (kick_balance.h).
 */
#include <stdio.h>
#include <string.h>

#include "integrator/explicit_limit.h"
#include "integrator/failure.h"
#include "integrator/kick_balance.h"
#include "integrator/step.h"
#include "system/impulses.h"
#include "system/joint_impulses.h"

enum { LARGEST_CUT = 4096 };

typedef struct euler_spec {
  sn_integrator_spec head;
  int stabilize; /* 0 gap, 1 none */
  int elastic;   /* 0 explicit, 1 implicit, with rho */
  double rho;
  int contact_solver; /* contact by complementarity, see system/impulses.h */
  int contact_iterations;
  int contact_facets; /* lemke */
  int friction_model; /* 0 coulomb, 1 relaxed */
  int impact;         /* 0 simultaneous, 1 sequential */
  double contact_tolerance, contact_limit, rebound_speed, recovery_speed;
} euler_spec;

typedef struct euler {
  sn_system *system;
  sn_integrator_spec settings;
  double rho;
  sn_impulses *impulses;             /* NULL: no contacts */
  sn_joint_impulses *joint_impulses; /* NULL: no dry friction in joints and no rigid stops */
  bool gap, implicit;
  bool damped;    /* explicit, but dampers: A = M + h D */
  double e, a, c; /* implicit: of the current step */
  double *place;  /* [n] q0 + e h v0 */
  sn_kick_balance balance;
  sn_step_control control;
  bool steady;      /* explicit: the matrix never changes */
  bool valid;       /* the factorization is of `value` */
  double *value;    /* the matrix it was made from */
  double *x;        /* [n + m] (dv, p) */
  double *free;     /* [n + m] x without impulses ... */
  double *contacts; /* [n + m] ... and what contacts add: where they and friction of joints are solved by turns */
  double tolerance; /* of speeds there [m/s, rad/s] */
  double *v;        /* [n] */
  double *phi;      /* [m] */
} euler;

/* ---- the matrix ---- */

static bool factor_mass(euler *w, const sn_state *rest) {
  sn_system *s = w->system;
  size_t size = sn_system_matrix(s)->values * sizeof(double);
  if (w->valid && w->steady) return true;
  if (!w->impulses && sn_system_is_tree(s)) return w->valid = sn_system_factor_mass(s, rest);
  sn_system_assemble(s, rest, 0, 1, 0, 0);
  if (w->valid && memcmp(w->value, sn_system_matrix(s)->value, size) == 0) return true;
  memcpy(w->value, sn_system_matrix(s)->value, size);
  w->valid = sn_system_factor_assembled(s, rest->t);
  if (w->impulses) sn_impulses_refactored(w->impulses);
  return w->valid;
}

/* Place and factors of D and K are those of the step: see choose_method. */
static bool factor_forces(euler *w, const sn_state *rest, double h) {
  for (int i = 0; w->implicit && i < w->system->n; i++) w->place[i] = rest->q[i] + w->e * h * rest->v[i];
  if (!sn_system_factor(w->system, rest, 0, 1, w->c * h, w->a * h * h)) return false;
  if (w->impulses) sn_impulses_refactored(w->impulses);
  return true;
}

static bool factor(euler *w, const sn_state *rest, double h) {
  if (w->implicit || w->damped) return factor_forces(w, rest, h);
  return factor_mass(w, rest);
}

/* ---- one step ---- */

typedef struct scaling {
  double *x, factor;
} scaling;

static void scale_piece(void *user, int first, int last) {
  const scaling *w = user;
  double *x = w->x, factor = w->factor;
  for (int i = first; i < last; i++) x[i] *= factor;
}

/* x := (h Q, -(G v + Phi_t) - s Phi/h) at the start of the step. */
static void right_side(euler *w, const sn_state *state, double h) {
  sn_system *s = w->system;
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  double *x = w->x, *p = x + s->n;
  if (w->implicit) rest.q = w->place;
  sn_system_residual(s, &rest, 0, x);
  sn_threads_split(s->threads, s->n, scale_piece, &(scaling){x, -h});
  sn_system_velocity(s, state, p);
  if (w->gap) sn_system_position(s, state, w->phi);
  for (int i = 0; i < s->m; i++) p[i] = -p[i] - (w->gap ? w->phi[i] / h : 0);
}

/* What changes its velocity in one step by more than anything moves, in meters or in millimeters, or by no number. */
static void count_growing(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const double *x = user;
  int count = 0;
  for (int i = first; i < last; i++) count += !(fabs(x[i]) < 1e9);
  sum[0] += count;
}

static int grows(const euler *w) {
  double sum[SN_MOST_SUMS];
  sn_threads_sum(w->system->threads, w->system->n, count_growing, w->x, sum);
  for (int i = 0; sum[0] > 0 && i < w->system->n; i++)
    if (!(fabs(w->x[i]) < 1e9)) return i;
  return -1;
}

static sn_status report_growth(euler *w, const sn_state *state, double h, int where) {
  char what[200], help[160];
  snprintf(what, sizeof what, "symplectic-euler: the motion grows without bound at t = %g s, first at '%s'", state->t,
           sn_system_owner(w->system, where));
  snprintf(help, sizeof help, "a step below %g s%s", h / 2,
           w->implicit ? "" : " (the method is stable for h < 2/highest frequency), elastic: implicit, or hht-i3");
  return sn_fail_step(w->system, &w->settings, state, h, what, help);
}

/* Friction of joints and contacts by turns, each with the impulses that the other has found last, until none changes a
 * speed: x = free + contacts + friction. */
static sn_status solve_by_turns(euler *w, sn_state *state, double h, bool *shifted) {
  enum { TURNS = 100 };
  sn_system *s = w->system;
  const int size = s->n + s->m;
  const sn_contact_statistics counted = s->count->contact;
  const double work[2] = {s->contact_work[0], s->contact_work[1]};
  double *x = w->x, moved = INFINITY;
  memcpy(w->free, x, (size_t)size * sizeof *x);
  memset(w->contacts, 0, (size_t)size * sizeof *x);
  for (int k = 0; k < TURNS && moved > w->tolerance; k++) {
    for (int i = 0; i < size; i++) x[i] = w->free[i] + w->contacts[i];
    moved = sn_joint_impulses_solve(w->joint_impulses, x);
    for (int i = 0; i < size; i++) w->contacts[i] = x[i] -= w->contacts[i]; /* without them, and with them below */
    s->count->contact = counted;
    memcpy(s->contact_work, work, sizeof work);
    sn_status status = sn_impulses_solve(w->impulses, state, h, x, w->v, shifted);
    if (status) return status;
    for (int i = 0; i < size; i++) w->contacts[i] = x[i] - w->contacts[i];
  }
  if (moved > w->tolerance) s->count->unsettled++;
  return SN_OK;
}

static sn_status solve_impulses(euler *w, sn_state *state, double h, bool *shifted) {
  if (!w->joint_impulses) return w->impulses ? sn_impulses_solve(w->impulses, state, h, w->x, w->v, shifted) : SN_OK;
  sn_joint_impulses_begin(w->joint_impulses, state, h);
  if (!w->impulses) sn_joint_impulses_solve(w->joint_impulses, w->x);
  sn_status status = w->impulses ? solve_by_turns(w, state, h, shifted) : SN_OK;
  if (status == SN_OK) sn_joint_impulses_end(w->joint_impulses, w->x);
  return status;
}

static sn_status kick_and_advance(euler *w, sn_state *state, sn_state *before, double h) {
  sn_system *s = w->system;
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  if (!factor(w, &rest, h)) return SN_NUMERICS;
  right_side(w, state, h);
  sn_system_solve(s, w->x);
  int where = grows(w);
  if (where >= 0) return report_growth(w, state, h, where);
  bool shifted = false;
  sn_status status = solve_impulses(w, state, h, &shifted);
  if (status) return status;
  sn_system_advance(s, state, h, w->x, before);
  if (shifted) sn_system_shift(s, state->q, h, w->v, before);
  for (int i = 0; i < s->m; i++) before->l[i] = w->x[s->n + i] / h;
  return SN_OK;
}

/* Parts of a step that had to be cut are steps of the backward Euler method, and so are those after it until high
 * frequencies have faded: what the failed step would have made of them does not outlive it. */
static void choose_method(euler *w, const sn_state *state, double h) {
  w->c = w->damped;
  sn_system_set_kick_damping(w->system, w->c);
  if (!w->implicit) return;
  double e = (1 - w->rho) / (1 + w->rho);
  bool part = h < 0.999 * w->control.nominal;
  w->e = part || !sn_kick_balance_settled(&w->balance, w->system, e, state, h) ? 1 : e;
  w->c = (1 + w->e) / 2;
  w->a = w->c * w->c;
  sn_system_set_kick_damping(w->system, w->c);
}

/* Forces that turn too much within a step make energy: it is cut. What contacts counted in it goes with it. */
static sn_status try_step(euler *w, sn_state *state, sn_state *before, double h, bool *good) {
  sn_system *s = w->system;
  const sn_contact_statistics counted = s->count->contact;
  const double work[2] = {s->contact_work[0], s->contact_work[1]};
  choose_method(w, state, h);
  if (w->implicit) sn_kick_balance_begin(&w->balance, s);
  sn_system_begin_kick(s, h, w->implicit ? w->place : NULL);
  sn_status status = kick_and_advance(w, state, before, h);
  sn_system_end_kick(s);
  *good = !status && (!w->implicit || sn_kick_balance_holds(&w->balance, s, w->e, state, before, w->x));
  if (*good || status) return status;
  s->count->error_rejections++;
  s->count->contact = counted;
  memcpy(s->contact_work, work, sizeof work);
  return SN_OK;
}

static sn_status euler_step(void *self, sn_state *state, sn_state *before, double limit) {
  euler *w = self;
  sn_system *s = w->system;
  double h = 0;
  for (bool good = false; !good;) {
    h = sn_step_begin(&w->control, state->t, limit);
    sn_status status = try_step(w, state, before, h, &good);
    if (status) return status;
    if (!good && !sn_step_cut(&w->control, h)) return report_growth(w, state, h, 0);
  }
  if (w->implicit) sn_kick_balance_accept(&w->balance, w->e);
  sn_state swap = *before;
  *before = *state;
  *state = swap;
  sn_step_judge(&w->control, before->t, h, 0);
  sn_step_count(s->count, h);
  return SN_OK;
}

/* ---- creation ---- */

static bool create_impulses(euler *w, const euler_spec *s, const sn_state *state) {
  sn_system *system = w->system;
  const sn_impulse_settings settings = {.solver = {.method = (sn_ccp_method)s->contact_solver,
                                                   .relaxed = s->friction_model == 1,
                                                   .rest = s->contact_solver == SN_CCP_APGD,
                                                   .tolerance = s->contact_tolerance,
                                                   .iterations = s->contact_iterations,
                                                   .facets = s->contact_facets},
                                        .limit = s->contact_limit,
                                        .rebound = s->rebound_speed,
                                        .recovery = s->recovery_speed,
                                        .sequential = s->impact == 1};
  if (sn_system_use_solver(system, "ldl")) return false;
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = system->zero, .l = system->zero + system->n};
  if (!sn_system_factor(system, &rest, 0, 1, 0, 0)) return false;
  w->impulses = sn_impulses_create(system, &settings);
  return true;
}

static void euler_history(void *self, sn_history *h) {
  euler *w = self;
  sn_step_history(&w->control, h);
  if (w->implicit) sn_kick_balance_history(&w->balance, h);
  sn_history_bool(h, &w->damped);
}

/* Explicit damping of the rate d is stable for h d < 2 - (h w)^2/2, implicit damping for (h w)^2 < 4 + 2 h d. An
 * explicit step solves with a mass matrix that seldom changes, an implicit one makes and factorizes a matrix: 30 times
 * the cost for plates. So damping stays explicit within a part of its limit; the rest is for rates that grow while
 * bodies deform, and for w, which is known to some percent. */
static bool treat_damping(euler *w, const sn_state *state, double h) {
  sn_system *s = w->system;
  const double safe = 0.7;
  sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  sn_system_set_kick_damping(s, 0);
  if (w->implicit || !sn_system_has_power(s)) return true;
  if (!sn_system_factor(s, &rest, 0, 1, 0, 0)) return false;
  double d = h * sn_damping_rate(s, state, w->x), hw = d > 0 ? h * sn_highest_frequency(s, state, w->x) : 0;
  w->damped = d > 0 && !(d < safe * (2 - hw * hw / 2));
  sn_system_set_kick_damping(s, w->damped);
  return true;
}

static void *euler_create(sn_system *system, const sn_integrator_spec *head, const sn_state *state) {
  const euler_spec *s = (const euler_spec *)(const void *)head;
  euler *w = SN_NEW(&system->arena, euler, 1);
  *w = (euler){
      .system = system, .settings = *head, .rho = s->rho, .gap = s->stabilize == 0, .implicit = s->elastic == 1};
  w->control = sn_fixed_steps(head->step, state->t);
  w->steady = sn_system_steady(system);
  w->value = SN_NEW(&system->arena, double, sn_system_matrix(system)->values);
  w->x = SN_NEW(&system->arena, double, system->n + system->m);
  w->v = SN_NEW(&system->arena, double, system->n);
  w->phi = SN_NEW(&system->arena, double, system->m + 1);
  if (w->implicit) {
    sn_kick_balance_create(&w->balance, system);
    w->place = SN_NEW(&system->arena, double, system->n);
    w->control.smallest = head->step / LARGEST_CUT;
  }
  w->joint_impulses = sn_joint_impulses_create(system, s->rebound_speed, s->recovery_speed);
  w->free = SN_NEW(&system->arena, double, system->n + system->m);
  w->contacts = SN_NEW(&system->arena, double, system->n + system->m);
  w->tolerance = s->contact_tolerance;
  if (sn_impulses_needed(system) && !create_impulses(w, s, state)) return NULL;
  if (!treat_damping(w, state, head->step)) {
    sn_impulses_free(w->impulses);
    return NULL;
  }
  return w;
}

static void euler_free(void *self) {
  sn_impulses_free(((euler *)self)->impulses);
}

static const char solver_words[] =
#define SOLVER(NAME, variable, word) "|" word
#include "contact/ccp_solvers.def"
    ;

static const sn_field euler_fields[] = {
    SN_ONLY_FIXED_FIELDS,
    {"stabilize", SN_CHOICE, SN_AT(euler_spec, stabilize), .def = "gap", .choices = "gap|none",
     .help = "gap: position errors are corrected in the next step; none: they drift"},
    {"elastic", SN_CHOICE, SN_AT(euler_spec, elastic), .def = "explicit", .choices = "explicit|implicit",
     .help = "implicit: stiffness and damping are part of the matrix, so that high frequencies are damped and do not "
             "limit the step"},
    {"rho", SN_REAL, SN_AT(euler_spec, rho), .def = "0.5", .limits = SN_BETWEEN(0, 1),
     .help = "implicit: spectral radius at high frequencies; 1: no numerical damping, 0: maximum damping"},
    {"contact_solver", SN_CHOICE, SN_AT(euler_spec, contact_solver), .def = "apgd", .choices = solver_words + 1,
     .help = "solver for contacts of method dvi; apgd: accelerated projected gradient descent; lemke and "
             "interior-point use dense matrices, for hundreds of connected contacts, not for thousands"},
    {"contact_facets", SN_INT, SN_AT(euler_spec, contact_facets), .def = "8", .limits = SN_BETWEEN(3, 64),
     .help = "lemke: number of edges of the friction pyramids that replace the cones; friction is up to 1 - "
             "cos(pi/edges) too small"},
    {"friction_model", SN_CHOICE, SN_AT(euler_spec, friction_model), .def = "coulomb", .choices = "coulomb|relaxed",
     .help = "contacts of method dvi: Coulomb's law, or its convex relaxation, in which sliding bodies lift off at the "
             "friction coefficient times the sliding speed"},
    {"contact_tolerance", SN_REAL, SN_AT(euler_spec, contact_tolerance), .def = "1e-6", .unit = "m/s",
     .limits = SN_POSITIVE, .help = "largest allowed residual of the complementarity problem, as a velocity"},
    {"contact_iterations", SN_INT, SN_AT(euler_spec, contact_iterations), .def = "1000",
     .limits = SN_BETWEEN(1, 1000000000),
     .help = "maximum number of iterations of the contact solver in a step; steps that miss the tolerance are counted; "
             "not used by lemke. Groups of at most 40 contacts that apgd does not solve are solved by interior-point"},
    {"contact_limit", SN_REAL, SN_AT(euler_spec, contact_limit), .def = "0.05", .unit = "m/s", .limits = SN_POSITIVE,
     .help = "residual above which the run ends"},
    {"rebound_speed", SN_REAL, SN_AT(euler_spec, rebound_speed), .def = "0.01", .unit = "m/s",
     .limits = SN_NOT_NEGATIVE, .help = "approach speed below which contacts do not rebound"},
    {"impact", SN_CHOICE, SN_AT(euler_spec, impact), .def = "simultaneous", .choices = "simultaneous|sequential",
     .help = "closed contacts during an impact: they react at once (simultaneous) or one after the other (sequential, "
             "Newton's cradle)"},
    {"recovery_speed", SN_REAL, SN_AT(euler_spec, recovery_speed), .def = "0.5", .unit = "m/s",
     .limits = SN_NOT_NEGATIVE,
     .help = "maximum speed at which overlaps are corrected, in positions only; velocities do not change"},
    SN_SOLVER_FIELD,
    {0},
};

const sn_integrator_ops sn_symplectic_euler = {
    .kind = {.name = "symplectic-euler",
             .category = SN_INTEGRATORS,
             .summary = "symplectic Euler, fixed step, constraints on velocities (first order); required for contacts "
                        "of method dvi",
             .fields = euler_fields,
             .spec_size = sizeof(euler_spec)},
    .impulsive = true,
    .mass_only = true,
    .create = euler_create,
    .step = euler_step,
    .free = euler_free,
    .history = euler_history,
};
