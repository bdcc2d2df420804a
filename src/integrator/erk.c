/* erk.c - explicit Runge-Kutta on the index-1 form: SUNDIALS ARKODE, 5(4) Dormand-Prince or 3(2) Bogacki-Shampine.
 *
 *   q' = v,   v' = a:   [M G'; G 0] [a; l] = [Q; gamma - 2 alpha Phi' - beta^2 Phi]
 *
 * Baumgarte's terms keep Phi near 0: errors decay as Phi'' + 2 alpha Phi' + beta^2 Phi = 0 says. With alpha = beta they
 * fade like exp(-alpha t); the price is a step below about 3/alpha. Both zero: Phi drifts off like t^2.
 */
#include <arkode/arkode_erkstep.h>
#include <stdio.h>
#include <string.h>

#include "integrator/failure.h"
#include "integrator/step.h"
#include "integrator/sundials.h"
#include "model/kinds.h"

typedef struct erk {
  sn_sundials base;
  void *memory;
  N_Vector y, error, weight;
  sn_state at; /* of the last evaluation */
  bool fresh;  /* `at` holds its accelerations */
  bool failed; /* and stays so: ARKODE would go on */
  double *phi; /* [2 m] Phi, Phi' */
  int *owner;  /* [2 n] */
  sn_step_control control;
} erk;

/* ---- one evaluation ---- */

/* Accelerations at (t, y); the last stage of a step is the first of the next, so the same question comes twice. */
static bool evaluate(erk *w, double t, const double *y) {
  sn_system *s = w->base.system;
  size_t size = (size_t)s->n * sizeof(double);
  if (w->fresh && t == w->at.t && memcmp(w->at.q, y, size) == 0 && memcmp(w->at.v, y + s->n, size) == 0) return true;
  double alpha = w->base.settings.baumgarte[0], beta = w->base.settings.baumgarte[1], *rate = w->phi + s->m;
  w->at.t = t;
  w->fresh = false;
  memcpy(w->at.q, y, size);
  memcpy(w->at.v, y + s->n, size);
  sn_system_position(s, &w->at, w->phi);
  sn_system_velocity(s, &w->at, rate);
  for (int i = 0; i < s->m; i++) w->phi[i] = -2 * alpha * rate[i] - beta * beta * w->phi[i];
  if (!sn_system_factor_mass(s, &w->at)) return false;
  sn_system_accelerations(s, &w->at, w->phi);
  double sum = 0;
  for (int i = 0; i < s->n; i++) sum += fabs(w->at.a[i]);
  return w->fresh = isfinite(sum);
}

static int slope(double t, N_Vector y, N_Vector rate, void *self) {
  erk *w = self;
  size_t size = (size_t)w->base.system->n * sizeof(double);
  double *d = N_VGetArrayPointer(rate);
  if (!evaluate(w, t, N_VGetArrayPointer(y))) return 1; /* try a shorter step */
  memcpy(d, w->at.v, size);
  memcpy(d + w->base.system->n, w->at.a, size);
  return 0;
}

static int weights(N_Vector y, N_Vector weight, void *self) {
  const erk *w = self;
  const double *x = N_VGetArrayPointer(y);
  double *e = N_VGetArrayPointer(weight);
  for (int i = 0; i < 2 * w->base.system->n; i++) e[i] = 1 / sn_allowed(&w->base.settings, x[i]);
  return 0;
}

/* ---- creation ---- */

static void erk_free(void *self) {
  erk *w = self;
  if (w->memory) ERKStepFree(&w->memory);
  if (w->y) N_VDestroy(w->y);
  if (w->error) N_VDestroy(w->error);
  if (w->weight) N_VDestroy(w->weight);
  sn_sundials_end(&w->base);
}

static bool make_solver(erk *w, double t) {
  const sn_integrator_spec *s = &w->base.settings;
  void *memory = w->memory = ERKStepCreate(slope, t, w->y, w->base.context);
  /* interpolation is done from the ends of steps by the simulation: ARKODE needs none */
  return memory && ERKStepSetErrHandlerFn(memory, sn_sundials_listen, &w->base) == 0 &&
         ERKStepSetUserData(memory, w) == 0 && ERKStepWFtolerances(memory, weights) == 0 &&
         ERKStepSetInterpolantType(memory, ARK_INTERP_LAGRANGE) == 0 && ERKStepSetInterpolantDegree(memory, 0) == 0 &&
         ERKStepSetTableNum(memory, s->order >= 4 ? ARKODE_DORMAND_PRINCE_7_4_5 : ARKODE_BOGACKI_SHAMPINE_4_2_3) == 0 &&
         ERKStepSetMaxHnilWarns(memory, -1) == 0 &&
         (s->step > 0 || (ERKStepSetMinStep(memory, s->min_step) == 0 &&
                          (s->max_step > 1e29 || ERKStepSetMaxStep(memory, s->max_step) == 0) &&
                          (s->initial_step <= 0 || ERKStepSetInitStep(memory, s->initial_step) == 0)));
}

static void *erk_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  erk *w = SN_NEW(&system->arena, erk, 1);
  int n = system->n;
  sn_state_create(system, &w->at);
  sn_state_copy(system, &w->at, state);
  w->phi = SN_NEW(&system->arena, double, 2 * system->m + 1);
  w->owner = SN_NEW(&system->arena, int, 2 * n);
  for (int i = 0; i < n; i++) w->owner[i] = w->owner[n + i] = i;
  w->control = (sn_step_control){.fixed = true,
                                 .nominal = settings->step,
                                 .h = settings->step,
                                 .smallest = settings->step,
                                 .grid_start = state->t};
  if (!sn_sundials_begin(&w->base, system, settings)) return NULL;
  w->y = N_VNew_Serial(2 * n, w->base.context);
  w->error = N_VNew_Serial(2 * n, w->base.context);
  w->weight = N_VNew_Serial(2 * n, w->base.context);
  if (w->y && w->error && w->weight) {
    memcpy(N_VGetArrayPointer(w->y), state->q, (size_t)n * sizeof(double));
    memcpy(N_VGetArrayPointer(w->y) + n, state->v, (size_t)n * sizeof(double));
    if (make_solver(w, state->t)) return w;
  }
  sn_fail(system->context, SN_NUMERICS, "ARKODE does not start: %s", w->base.said);
  erk_free(w);
  return NULL;
}

/* ---- one step ---- */

static sn_status report_failure(erk *w, const sn_state *state, int flag) {
  double h = 0, t = state->t;
  char what[300];
  const char *help = "an implicit method (hht-i3, ida)";
  ERKStepGetCurrentStep(w->memory, &h);
  if (!w->fresh) {
    snprintf(what, sizeof what, "erk: the accelerations cannot be solved for at t = %g s with step %g s", t, h);
    help = w->base.settings.step > 0 ? "a smaller step: an explicit method may have become unstable"
                                     : "a look at the model near that time";
  } else if (flag == ARK_TOO_MUCH_ACC) {
    snprintf(what, sizeof what, "erk: the tolerance is below rounding at t = %g s with step %g s", t, h);
    help = "a larger tolerance";
  } else {
    ERKStepGetEstLocalErrors(w->memory, w->error);
    ERKStepGetErrWeights(w->memory, w->weight);
    snprintf(what, sizeof what, "erk: the local error cannot be met at t = %g s with step %g s, worst at '%s'", t, h,
             sn_sundials_worst(&w->base, w->error, w->weight, w->owner));
  }
  return sn_fail_step(w->base.system, &w->base.settings, state, h, what, help);
}

/* An adaptive trial step that led to where the accelerations cannot be solved for: ARKODE ends there. Again from the
 * state, with a quarter of it; false: it cannot be shorter. */
static bool cut(erk *w, const sn_state *state, double *h) {
  int n = w->base.system->n;
  double *y = N_VGetArrayPointer(w->y), tried = *h;
  *h = fmax(tried / 4, w->base.settings.min_step);
  if (w->base.settings.step > 0 || !(*h < tried)) return false;
  memcpy(y, state->q, (size_t)n * sizeof(double));
  memcpy(y + n, state->v, (size_t)n * sizeof(double));
  w->base.limit = NAN;
  w->base.system->count->error_rejections++;
  return ERKStepReset(w->memory, state->t, w->y) == 0 && ERKStepSetInitStep(w->memory, *h) == 0;
}

static sn_status erk_step(void *self, sn_state *state, sn_state *before, double limit) {
  erk *w = self;
  if (w->failed) return report_failure(w, state, ARK_ERR_FAILURE);
  bool fixed = w->base.settings.step > 0;
  double start = state->t, t = start, h = fixed ? sn_step_begin(&w->control, start, limit) : 0, tried = 0;
  double far = fixed ? start + h : isfinite(limit) ? limit : t + 1;
  int flag;
  do {
    long rejected = 0;
    if (fixed) {
      ERKStepSetFixedStep(w->memory, h);
      ERKStepSetStopTime(w->memory, far);
    } else if (isfinite(limit) && limit != w->base.limit) {
      ERKStepSetStopTime(w->memory, w->base.limit = limit);
    }
    flag = ERKStepEvolve(w->memory, far, w->y, &t, ARK_ONE_STEP);
    ERKStepGetNumErrTestFails(w->memory, &rejected);
    sn_sundials_count(&w->base, rejected, 0, 0);
    w->failed = flag < 0 || !evaluate(w, t, N_VGetArrayPointer(w->y));
    if (w->failed) tried = fabs(w->at.t - start) > 0 ? fabs(w->at.t - start) : tried;
  } while (w->failed && !w->fresh && cut(w, state, &tried));
  if (w->failed) return report_failure(w, state, flag);
  if (fixed) sn_step_judge(&w->control, start, h, 0);
  sn_sundials_accept(&w->base, state, before, &w->at);
  return SN_OK;
}

static const sn_field erk_fields[] = {
    SN_STEP_FIELDS,
    {"order", SN_INT, SN_AT(sn_integrator_spec, order), .def = "5", .limits = SN_BETWEEN(3, 5),
     .help = "5: Dormand-Prince 5(4); 3: Bogacki-Shampine 3(2)"},
    {"alpha", SN_REAL, SN_AT(sn_integrator_spec, baumgarte[0]), .unit = "1/s", .def = "20", .limits = SN_NOT_NEGATIVE,
     .help = "Baumgarte's damping of constraint errors, Phi'' + 2 alpha Phi' + beta^2 Phi = 0; the step stays below "
             "3/alpha"},
    {"beta", SN_REAL, SN_AT(sn_integrator_spec, baumgarte[1]), .unit = "1/s", .def = "20", .limits = SN_NOT_NEGATIVE,
     .help = "Baumgarte's stiffness"},
    {0},
};

const sn_integrator_ops sn_erk = {
    .kind = {.name = "erk",
             .category = SN_INTEGRATORS,
             .summary = "explicit Runge-Kutta 5(4) or 3(2) (SUNDIALS ARKODE) at index 1 with Baumgarte's stabilization",
             .fields = erk_fields,
             .spec_size = sizeof(sn_integrator_spec)},
    .quintic = true,
    .create = erk_create,
    .step = erk_step,
    .free = erk_free,
};
