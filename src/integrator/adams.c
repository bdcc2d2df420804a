/* adams.c - explicit Adams of variable order and step: SUNDIALS CVODE on independent coordinates.
 *
 *   y = (q_i, v_i),  y' = (v_i, a_i):   q_d from Phi = 0,   v_d from G v + Phi_t = 0,   [M G'; G 0] [a; l] = [Q; gamma]
 *
 * The constraints hold at every evaluation (partition.h). CVODE iterates without a matrix: the step is bound by the
 * highest frequency. When the choice of independent coordinates has become poor, a new one is made after the step
 * and CVODE starts again from there, at order 1.
 */
#include <cvode/cvode.h>
#include <stdio.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrator/failure.h"
#include "integrator/partition.h"
#include "integrator/sundials.h"
#include "model/kinds.h"

static const double POOR = 0.2;        /* of the smallest pivot when chosen: choose again */
static const double EXACT = 1e-13;     /* last change of q_d, relative to max(1, |q|) */
enum { ITERATIONS = 8, RENEWALS = 4 }; /* for q_d: with one matrix; matrices */

typedef enum trouble { NONE, NO_POSITION, SINGULAR } trouble;

typedef struct adams {
  sn_sundials base;
  sn_partition partition;
  void *memory;
  SUNNonlinearSolver iteration;
  N_Vector y, error, weight;
  sn_state at;     /* of the last evaluation */
  double *phi;     /* [m] */
  int *owner;      /* [2 (n - rank)] place in q */
  trouble trouble; /* why the last evaluation failed */
} adams;

/* ---- one evaluation ---- */

/* q_d with the factorization of an earlier evaluation, renewed when it contracts poorly. */
static bool solve_position(adams *w) {
  sn_system *s = w->base.system;
  for (int renewal = 0; renewal < RENEWALS; renewal++) {
    double last = INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
      sn_system_position(s, &w->at, w->phi);
      double change = sn_partition_correct(&w->partition, w->phi, w->at.q);
      if (change <= EXACT) return true;
      if (!(change < 0.5 * last)) break;
      last = change;
    }
    for (int i = 0; i < s->n; i++)
      if (!isfinite(w->at.q[i])) return false;
    sn_system_assemble(s, &w->at, 0, 1, 0, 0);
    if (!sn_partition_factor(&w->partition)) return false;
  }
  return false;
}

/* w->at := the whole state at time t for independent coordinates y. */
static bool evaluate(adams *w, double t, const double *y) {
  sn_system *s = w->base.system;
  sn_partition *p = &w->partition;
  int free = s->n - p->rank;
  double dt = t - w->at.t;
  for (int k = 0; k < p->rank; k++) w->at.q[p->dependent[k]] += dt * w->at.v[p->dependent[k]];
  for (int i = 0; i < free; i++) {
    w->at.q[p->independent[i]] = y[i];
    w->at.v[p->independent[i]] = y[free + i];
  }
  w->at.t = t;
  w->trouble = NO_POSITION;
  if (!solve_position(w)) return false;
  w->trouble = SINGULAR;
  if (!sn_system_factor_mass(s, &w->at) || !sn_partition_factor(p)) return false;
  sn_system_velocity(s, &w->at, w->phi);
  sn_partition_correct(p, w->phi, w->at.v);
  sn_system_accelerations(s, &w->at, NULL);
  w->trouble = NONE;
  return true;
}

static int slope(double t, N_Vector y, N_Vector rate, void *self) {
  adams *w = self;
  const sn_partition *p = &w->partition;
  int free = w->base.system->n - p->rank;
  double *d = N_VGetArrayPointer(rate), sum = 0;
  if (!evaluate(w, t, N_VGetArrayPointer(y))) return 1; /* try a shorter step */
  for (int i = 0; i < free; i++) {
    d[i] = w->at.v[p->independent[i]];
    d[free + i] = w->at.a[p->independent[i]];
    sum += fabs(d[free + i]);
  }
  return isfinite(sum) ? 0 : 1;
}

static int weights(N_Vector y, N_Vector weight, void *self) {
  const adams *w = self;
  const double *x = N_VGetArrayPointer(y);
  double *e = N_VGetArrayPointer(weight);
  int size = (int)N_VGetLength(y);
  for (int i = 0; i < size; i++) e[i] = 1 / sn_allowed(&w->base.settings, x[i]);
  return 0;
}

/* ---- creation ---- */

static void adams_free(void *self) {
  adams *w = self;
  if (w->memory) CVodeFree(&w->memory);
  if (w->iteration) SUNNonlinSolFree(w->iteration);
  if (w->y) N_VDestroy(w->y);
  if (w->error) N_VDestroy(w->error);
  if (w->weight) N_VDestroy(w->weight);
  sn_partition_free(&w->partition);
  sn_sundials_end(&w->base);
}

static sn_status singular_partition(adams *w, double t) {
  sn_system *s = w->base.system;
  return sn_fail(s->context, SN_NUMERICS,
                 "adams: singular partition at t = %g s: no set of independent coordinates, broken at '%s'\n"
                 "  what may help: hht-i3 or ida, which pass through such positions; a look at joints that lock there",
                 t, sn_system_owner(s, s->n + w->partition.worst));
}

/* Choose coordinates at w->at and fill y. Where equations are redundant, as many must be left out as before. */
static bool choose(adams *w) {
  sn_system *s = w->base.system;
  sn_partition *p = &w->partition;
  int before = p->rank;
  sn_system_assemble(s, &w->at, 0, 1, 0, 0);
  if (!sn_partition_choose(p) || (w->y && p->rank != before) || (p->rank < s->m && s->regularization == 0))
    return false;
  int free = s->n - p->rank;
  if (!w->y) {
    w->y = N_VNew_Serial(2 * free, w->base.context);
    w->error = N_VNew_Serial(2 * free, w->base.context);
    w->weight = N_VNew_Serial(2 * free, w->base.context);
    if (!w->y || !w->error || !w->weight) return false;
  }
  double *y = N_VGetArrayPointer(w->y);
  for (int i = 0; i < free; i++) {
    y[i] = w->at.q[p->independent[i]];
    y[free + i] = w->at.v[p->independent[i]];
    w->owner[i] = w->owner[free + i] = p->independent[i];
  }
  return true;
}

static bool make_solver(adams *w) {
  const sn_integrator_spec *s = &w->base.settings;
  void *memory = w->memory = CVodeCreate(CV_ADAMS, w->base.context);
  w->iteration = SUNNonlinSol_FixedPoint(w->y, 0, w->base.context);
  return memory && w->iteration && CVodeSetErrHandlerFn(memory, sn_sundials_listen, &w->base) == 0 &&
         CVodeInit(memory, slope, w->at.t, w->y) == 0 && CVodeSetUserData(memory, w) == 0 &&
         CVodeWFtolerances(memory, weights) == 0 && CVodeSetNonlinearSolver(memory, w->iteration) == 0 &&
         CVodeSetMaxOrd(memory, s->order) == 0 && CVodeSetMinStep(memory, s->min_step) == 0 &&
         CVodeSetMaxHnilWarns(memory, -1) == 0 && (s->max_step > 1e29 || CVodeSetMaxStep(memory, s->max_step) == 0) &&
         (s->initial_step <= 0 || CVodeSetInitStep(memory, s->initial_step) == 0);
}

static void *adams_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  adams *w = SN_NEW(&system->arena, adams, 1);
  sn_state_create(system, &w->at);
  sn_state_copy(system, &w->at, state);
  w->phi = SN_NEW(&system->arena, double, system->m + 1);
  w->owner = SN_NEW(&system->arena, int, 2 * system->n);
  bool good = sn_sundials_begin(&w->base, system, settings) && sn_partition_create(&w->partition, system);
  if (good && !choose(w)) {
    good = false;
    singular_partition(w, state->t);
  } else if (good && w->partition.rank == system->n) {
    good = false;
    sn_fail(
        system->context, SN_NUMERICS,
        "adams: the joints prescribe all motion, no independent coordinate is left\n  what may help: hht-i3 or ida");
  } else if (good && !make_solver(w)) {
    good = false;
    sn_fail(system->context, SN_NUMERICS, "CVODE does not start: %s", w->base.said);
  }
  if (good) return w;
  adams_free(w);
  return NULL;
}

/* ---- one step ---- */

static sn_status report_failure(adams *w, const sn_state *state, int flag) {
  sn_system *s = w->base.system;
  double h = 0, t = state->t;
  char what[300];
  const char *help = "an implicit method (hht-i3, ida): the model may be too stiff for this one";
  CVodeGetCurrentStep(w->memory, &h);
  if (w->trouble == SINGULAR) return singular_partition(w, t);
  if (w->trouble == NO_POSITION) {
    snprintf(what, sizeof what, "adams: the constraints cannot be met at t = %g s with step %g s, worst at '%s'", t, h,
             sn_system_owner(s, s->n + w->partition.worst));
    help = "a smaller tolerance, or hht-i3 or ida";
  } else if (flag == CV_TOO_MUCH_ACC) {
    snprintf(what, sizeof what, "adams: the tolerance %g is below rounding at t = %g s", w->base.settings.tolerance, t);
    help = "a larger tolerance";
  } else {
    CVodeGetEstLocalErrors(w->memory, w->error);
    CVodeGetErrWeights(w->memory, w->weight);
    snprintf(what, sizeof what, "adams: %s at t = %g s with step %g s, worst at '%s'",
             flag == CV_ERR_FAILURE ? "the local error cannot be met" : "the iteration does not converge", t, h,
             sn_sundials_worst(&w->base, w->error, w->weight, w->owner));
  }
  return sn_fail_step(s, &w->base.settings, state, h, what, help);
}

/* A new choice of coordinates, and a new start. */
static sn_status choose_again(adams *w) {
  if (!choose(w)) return singular_partition(w, w->at.t);
  CVodeSetInitStep(w->memory, 0);
  w->base.limit = NAN;
  memset(w->base.counted, 0, sizeof w->base.counted);
  CVodeReInit(w->memory, w->at.t, w->y);
  return SN_OK;
}

static sn_status adams_step(void *self, sn_state *state, sn_state *before, double limit) {
  adams *w = self;
  long rejected = 0, diverged = 0, iterations = 0;
  double t = state->t, far = isfinite(limit) ? limit : t + 1;
  if (w->partition.quality < POOR * w->partition.chosen) {
    sn_status status = choose_again(w);
    if (status) return status;
  }
  if (isfinite(limit) && limit != w->base.limit) CVodeSetStopTime(w->memory, w->base.limit = limit);
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

/* x[dependent] from a level of the constraints, with the factorization of the end of the step, which stays as it is. */
static void follow(adams *w, void (*level)(sn_system *, const sn_state *, double *), const sn_state *at, double *x) {
  double change = 1;
  for (int k = 0; k < 40 && change > EXACT && isfinite(change); k++) {
    level(w->base.system, at, w->phi);
    change = sn_partition_correct(&w->partition, w->phi, x);
  }
}

/* Independent coordinates by CVODE's polynomial, dependent ones from there. */
static void adams_interpolate(void *self, sn_state *x) {
  adams *w = self;
  sn_system *s = w->base.system;
  const sn_partition *p = &w->partition;
  int free = s->n - p->rank;
  const double *y = N_VGetArrayPointer(w->error);
  double t = x->t, dt = t - w->at.t;
  sn_state_copy(s, x, &w->at);
  x->t = t;
  for (int i = 0; i < s->n; i++) {
    x->q[i] += dt * (x->v[i] + dt / 2 * x->a[i]);
    x->v[i] += dt * x->a[i];
  }
  CVodeGetDky(w->memory, t, 0, w->error);
  for (int i = 0; i < free; i++) x->q[p->independent[i]] = y[i], x->v[p->independent[i]] = y[free + i];
  CVodeGetDky(w->memory, t, 1, w->error);
  for (int i = 0; i < free; i++) x->a[p->independent[i]] = y[free + i];
  follow(w, sn_system_position, x, x->q);
  follow(w, sn_system_velocity, x, x->v);
  follow(w, sn_system_acceleration, x, x->a);
}

static const sn_field adams_fields[] = {
    SN_ADAPTIVE_FIELDS,
    {"order", SN_INT, SN_AT(sn_integrator_spec, order), .def = "12", .limits = SN_BETWEEN(1, 12),
     .help = "highest order"},
    SN_SOLVER_FIELD,
    {0},
};

const sn_integrator_ops sn_adams = {
    .kind = {.name = "adams",
             .category = SN_INTEGRATORS,
             .summary = "explicit Adams of variable order (SUNDIALS CVODE) on independent coordinates",
             .fields = adams_fields,
             .spec_size = sizeof(sn_integrator_spec)},
    .adaptive_only = true,
    .multistep = true,
    .create = adams_create,
    .step = adams_step,
    .interpolate = adams_interpolate,
    .free = adams_free,
};
