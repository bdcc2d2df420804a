/* adams.c - explicit Adams of variable order and step: SUNDIALS CVODE on the constraint manifold.
 *
 *   y = (q, v),   y' = (v^ - k (q - q^), a^ - k (v - v^))   at the point (q^, v^) of the constraints nearest to y:
 *
 *   M (q^ - q) + G'x = 0,  Phi(q^, t) = 0,   M (v^ - v) + G'z = 0,  G v^ + Phi_t = 0,   [M G'; G 0] [a^; l] = [Q;
 * gamma]
 *
 * The state of a step is (q^, v^, a^): the constraints hold at every evaluation and output, and no independent
 * coordinates are chosen, which could become unsuitable. y itself violates the constraints by the errors of the
 * formulas; k = 0.2/h makes these decay within some steps, before they become errors along the constraints. CVODE
 * iterates without a matrix: the step is limited by the highest frequency.
 */
#include <cvode/cvode.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrator/failure.h"
#include "integrator/sundials.h"

static const double EXACT = 1e-13;     /* last change of q^, relative to max(1, |q|) */
static const double NEAR = 0.1;        /* largest total correction in this norm: otherwise a shorter step is tried */
static const double FADE = 0.2;        /* most of k h */
static const double LOCAL = 0.01;      /* of the tolerance: for the local error of a step */
static const double SHARE = 1e-3;      /* of the local error allowed that the iteration may leave: more adds up */
enum { CORRECTIONS = 6 };              /* of it, before a shorter step is tried */
enum { ITERATIONS = 8, RENEWALS = 4 }; /* for q^: with one matrix; matrices */

typedef enum trouble { NONE, NO_POSITION, SINGULAR, NO_FORCE } trouble;

typedef struct adams {
  sn_sundials base;
  void *memory;
  SUNNonlinearSolver iteration;
  N_Vector y, error, weight;
  sn_state at;     /* of the last evaluation: (q^, v^, a^, l) */
  double k;        /* [1/s] */
  bool factored;   /* the system's matrix is [M G'; G 0] of some evaluation */
  double *dx;      /* [n + m] */
  int *owner;      /* [2 n] place in q */
  int worst;       /* constraint that is farthest from being met */
  trouble trouble; /* why the last evaluation failed */
} adams;

/* ---- one evaluation ---- */

/* x[n] -= what a level of the constraints asks for, with the matrix at hand; the largest change, relative to
 * max(1, |x|). */
static double project(adams *w, void (*level)(sn_system *, const sn_state *, double *), const sn_state *at, double *x) {
  sn_system *s = w->base.system;
  double change = 0, *phi = w->dx + s->n;
  memset(w->dx, 0, (size_t)s->n * sizeof(double));
  level(s, at, phi);
  for (int i = 0; i < s->m; i++)
    if (!(fabs(phi[i]) <= fabs(phi[w->worst]))) w->worst = i;
  sn_system_solve_refined(s, w->dx);
  for (int i = 0; i < s->n; i++) {
    x[i] -= w->dx[i];
    change = fmax(change, fabs(w->dx[i]) / fmax(1, fabs(x[i])));
    if (isnan(w->dx[i])) return NAN;
  }
  return change;
}

/* What rounding leaves, in the same norm: constraints are differences of positions, of which one is the largest. */
static double rounding_of(const adams *w) {
  double most = 1;
  for (int i = 0; i < w->base.system->n; i++) most = fmax(most, fabs(w->at.q[i]));
  return EXACT * most;
}

/* q^ with the matrix of an earlier evaluation, renewed when it contracts poorly. */
static bool find_position(adams *w) {
  const double rounding = rounding_of(w);
  double moved = 0;
  for (int renewal = 0; renewal < RENEWALS; renewal++) {
    double last = INFINITY;
    for (int k = 0; k < ITERATIONS && w->factored; k++) {
      double change = project(w, sn_system_position, &w->at, w->at.q);
      moved += change;
      if (!(moved <= NEAR)) return false;
      if (change <= EXACT) return true;
      if (!(change < 0.5 * last)) {
        if (change <= rounding) return true;
        break;
      }
      last = change;
    }
    w->factored = sn_system_factor_mass(w->base.system, &w->at);
    if (!w->factored) return false;
  }
  return false;
}

/* w->at := the whole state at time t nearest to y. */
static bool evaluate(adams *w, double t, const double *y) {
  sn_system *s = w->base.system;
  size_t size = (size_t)s->n * sizeof(double);
  double sum = 0;
  w->at.t = t;
  memcpy(w->at.q, y, size);
  memcpy(w->at.v, y + s->n, size);
  w->trouble = NO_POSITION;
  w->worst = 0;
  if (s->m > 0 && !find_position(w)) return false;
  w->trouble = SINGULAR;
  w->factored = sn_system_factor_mass(s, &w->at);
  if (!w->factored) return false;
  if (s->m > 0) project(w, sn_system_velocity, &w->at, w->at.v);
  sn_system_accelerations(s, &w->at, NULL);
  for (int i = 0; i < s->n; i++) sum += fabs(w->at.a[i]) + fabs(w->at.v[i]);
  w->trouble = isfinite(sum) ? NONE : NO_FORCE;
  return w->trouble == NONE;
}

typedef struct question {
  adams *w;
  double t;
  const double *y;
} question;

static int find_state(void *arguments) {
  const question *ask = arguments;
  return evaluate(ask->w, ask->t, ask->y) ? 0 : 1; /* 1: try a shorter step */
}

static int slope(double t, N_Vector y, N_Vector rate, void *self) {
  adams *w = self;
  int n = w->base.system->n;
  const double *x = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(rate);
  question ask = {w, t, x};
  int flag = sn_sundials_answer(&w->base, find_state, &ask);
  if (flag) return flag;
  for (int i = 0; i < n; i++) {
    d[i] = w->at.v[i] - w->k * (x[i] - w->at.q[i]);
    d[n + i] = w->at.a[i] - w->k * (x[n + i] - w->at.v[i]);
  }
  return 0;
}

static int weights(N_Vector y, N_Vector weight, void *self) {
  const adams *w = self;
  const double *x = N_VGetArrayPointer(y);
  double *e = N_VGetArrayPointer(weight);
  int size = (int)N_VGetLength(y);
  for (int i = 0; i < size; i++) e[i] = 1 / sn_sundials_allowed(&w->base, LOCAL, i, x[i]);
  return 0;
}

/* ---- creation ---- */

static void release(void *self) {
  adams *w = self;
  if (w->memory) CVodeFree(&w->memory);
  if (w->iteration) SUNNonlinSolFree(w->iteration);
  if (w->y) N_VDestroy(w->y);
  if (w->error) N_VDestroy(w->error);
  if (w->weight) N_VDestroy(w->weight);
  sn_sundials_end(&w->base);
}

static void adams_free(void *self) {
  release(self);
  sn_free(self);
}

typedef struct adams_spec {
  sn_integrator_spec head;
  int order; /* highest */
} adams_spec;

static bool make_solver(adams *w, int order) {
  const sn_integrator_spec *s = &w->base.settings;
  void *memory = w->memory = CVodeCreate(CV_ADAMS, w->base.context);
  w->iteration = SUNNonlinSol_FixedPoint(w->y, 0, w->base.context);
  return memory && w->iteration && CVodeSetErrHandlerFn(memory, sn_sundials_listen, &w->base) == 0 &&
         CVodeInit(memory, slope, w->at.t, w->y) == 0 && CVodeSetUserData(memory, w) == 0 &&
         CVodeWFtolerances(memory, weights) == 0 && CVodeSetNonlinearSolver(memory, w->iteration) == 0 &&
         CVodeSetMaxOrd(memory, order) == 0 && CVodeSetMinStep(memory, s->min_step) == 0 &&
         CVodeSetMaxHnilWarns(memory, -1) == 0 && CVodeSetNonlinConvCoef(memory, SHARE) == 0 &&
         CVodeSetMaxNonlinIters(memory, CORRECTIONS) == 0 &&
         (s->max_step > 1e29 || CVodeSetMaxStep(memory, s->max_step) == 0) &&
         (s->initial_step <= 0 || CVodeSetInitStep(memory, s->initial_step) == 0);
}

static void *adams_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  adams *w = sn_new_object(sizeof *w, release);
  int n = system->n;
  sn_state_create(system, &w->at);
  sn_state_copy(system, &w->at, state);
  w->dx = SN_NEW(&system->arena, double, n + system->m);
  w->owner = SN_NEW(&system->arena, int, 2 * n);
  for (int i = 0; i < n; i++) w->owner[i] = w->owner[n + i] = i;
  if (!sn_sundials_begin(&w->base, system, settings)) {
    adams_free(w);
    return NULL;
  }
  w->y = N_VNew_Serial(2 * n, w->base.context);
  w->error = N_VNew_Serial(2 * n, w->base.context);
  w->weight = N_VNew_Serial(2 * n, w->base.context);
  if (w->y && w->error && w->weight) {
    memcpy(N_VGetArrayPointer(w->y), state->q, (size_t)n * sizeof(double));
    memcpy(N_VGetArrayPointer(w->y) + n, state->v, (size_t)n * sizeof(double));
    if (make_solver(w, ((const adams_spec *)(const void *)settings)->order)) return w;
  }
  sn_fail(system->context, SN_NUMERICS, "CVODE could not be started: %s", w->base.said);
  adams_free(w);
  return NULL;
}

/* ---- one step ---- */

static sn_status report_failure(adams *w, const sn_state *state, int flag) {
  sn_system *s = w->base.system;
  double h = 0, t = state->t;
  char what[400];
  const char *help = "an implicit integrator (hht-i3, ida): the model may be too stiff for adams";
  CVodeGetCurrentStep(w->memory, &h);
  if (w->trouble == SINGULAR) {
    snprintf(what, sizeof what, "adams: no solution for the accelerations at t = %g s with step %g s: %.200s", t, h,
             sn_message(s->context));
    help = "hht-i3 or ida, which may pass such positions; check for joints that lock there";
  } else if (w->trouble == NO_FORCE) {
    snprintf(what, sizeof what, "adams: the accelerations are not finite at t = %g s with step %g s", t, h);
  } else if (w->trouble == NO_POSITION) {
    snprintf(what, sizeof what, "adams: the constraints cannot be satisfied at t = %g s with step %g s, worst at '%s'",
             t, h, sn_system_owner(s, s->n + w->worst));
    help = "check for joints that lock or reach a limit there; hht-i3 or ida";
  } else if (flag == CV_TOO_MUCH_ACC) {
    snprintf(what, sizeof what, "adams: the tolerance %g is below the rounding error at t = %g s",
             w->base.settings.tolerance, t);
    help = "a larger tolerance";
  } else {
    CVodeGetEstLocalErrors(w->memory, w->error);
    CVodeGetErrWeights(w->memory, w->weight);
    snprintf(what, sizeof what, "adams: %s at t = %g s with step %g s, worst at '%s'",
             flag == CV_ERR_FAILURE ? "the local error exceeds the tolerance" : "the iteration does not converge", t, h,
             sn_sundials_worst(&w->base, w->error, w->weight, w->owner));
  }
  return sn_fail_step(s, &w->base.settings, state, h, what, help);
}

/* Twice the largest |v|/max(1, |q|), 1/s. */
static double rate_of_motion(const adams *w) {
  double rate = 0;
  for (int i = 0; i < w->base.system->n; i++) rate = fmax(rate, fabs(w->at.v[i]) / fmax(1, fabs(w->at.q[i])));
  return 2 * rate;
}

static sn_status adams_step(void *self, sn_state *state, sn_state *before, double limit) {
  adams *w = self;
  long rejected = 0, diverged = 0, iterations = 0;
  double t = state->t, far = isfinite(limit) ? limit : t + 1, h = 0;
  CVodeGetLastStep(w->memory, &h);
  w->k = fmin(rate_of_motion(w), FADE / h);
  if (isfinite(limit) && limit != w->base.limit) CVodeSetStopTime(w->memory, w->base.limit = limit);
  w->trouble = NONE;
  int flag = CVode(w->memory, far, w->y, &t, CV_ONE_STEP);
  CVodeGetNumErrTestFails(w->memory, &rejected);
  CVodeGetNumNonlinSolvConvFails(w->memory, &diverged);
  CVodeGetNumNonlinSolvIters(w->memory, &iterations);
  sn_sundials_count(&w->base, rejected, diverged, iterations);
  if (flag < 0 || !evaluate(w, t, N_VGetArrayPointer(w->y))) return report_failure(w, state, flag);
  sn_sundials_accept(&w->base, state, before, &w->at);
  return SN_OK;
}

/* ---- between the ends of a step ---- */

/* x at a level of the constraints, with the matrix of the end of the step, which stays as it is. */
static void follow(adams *w, void (*level)(sn_system *, const sn_state *, double *), const sn_state *at, double *x) {
  double change = 1;
  for (int k = 0; k < 20 && change > EXACT && isfinite(change); k++) change = project(w, level, at, x);
}

/* CVODE's polynomial, moved onto the constraints. */
static void adams_interpolate(void *self, sn_state *x) {
  adams *w = self;
  const sn_system *s = w->base.system;
  size_t size = (size_t)s->n * sizeof(double);
  const double *y = N_VGetArrayPointer(w->error);
  CVodeGetDky(w->memory, x->t, 0, w->error);
  memcpy(x->q, y, size);
  memcpy(x->v, y + s->n, size);
  CVodeGetDky(w->memory, x->t, 1, w->error);
  memcpy(x->a, y + s->n, size);
  memcpy(x->l, w->at.l, (size_t)s->m * sizeof(double));
  if (s->m == 0) return;
  follow(w, sn_system_position, x, x->q);
  follow(w, sn_system_velocity, x, x->v);
  follow(w, sn_system_acceleration, x, x->a);
}

static const sn_field adams_fields[] = {
    SN_ADAPTIVE_FIELDS,
    {"order", SN_INT, SN_AT(adams_spec, order), .def = "12", .limits = SN_BETWEEN(1, 12), .help = "maximum order"},
    SN_SOLVER_FIELD,
    {0},
};

const sn_integrator_ops sn_adams = {
    .kind =
        {.name = "adams",
         .category = SN_INTEGRATORS,
         .summary =
             "explicit Adams methods of variable order (SUNDIALS CVODE), with constraints enforced at every evaluation",
         .fields = adams_fields,
         .spec_size = sizeof(adams_spec),
         .check = sn_check_steps},
    .multistep = true,
    .create = adams_create,
    .step = adams_step,
    .interpolate = adams_interpolate,
    .free = adams_free,
};
