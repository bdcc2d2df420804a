/* erk.c - explicit Runge-Kutta on the index-1 form (index1.h): SUNDIALS ARKODE, 5(4) Dormand-Prince or 3(2)
 * Bogacki-Shampine. Baumgarte's stabilization limits the step to about 3/alpha.
 */
#include <arkode/arkode_erkstep.h>

#include "integrator/index1.h"
#include "integrator/step.h"

typedef struct erk {
  sn_index1 form;
  void *memory;
  bool failed; /* and remains so: ARKODE would continue */
  sn_step_control control;
} erk;

static int weights(N_Vector y, N_Vector weight, void *self) {
  const erk *w = self;
  const double *x = N_VGetArrayPointer(y);
  double *e = N_VGetArrayPointer(weight);
  for (int i = 0; i < 2 * w->form.base.system->n; i++) e[i] = 1 / sn_allowed(&w->form.base.settings, x[i]);
  return 0;
}

/* ---- creation ---- */

static void release(void *self) {
  erk *w = self;
  if (w->memory) ERKStepFree(&w->memory);
  sn_index1_end(&w->form);
}

static void erk_free(void *self) {
  release(self);
  sn_free(self);
}

typedef struct erk_spec {
  sn_index1_spec head;
  int order; /* 5 or 3 */
} erk_spec;

static bool make_solver(erk *w, int order, double t) {
  const sn_integrator_spec *s = &w->form.base.settings;
  void *memory = w->memory = ERKStepCreate(sn_index1_slope, t, w->form.y, w->form.base.context);
  /* interpolation is done from the ends of steps by the simulation: ARKODE needs none */
  return memory && ERKStepSetErrHandlerFn(memory, sn_sundials_listen, &w->form.base) == 0 &&
         ERKStepSetUserData(memory, w) == 0 && ERKStepWFtolerances(memory, weights) == 0 &&
         ERKStepSetInterpolantType(memory, ARK_INTERP_LAGRANGE) == 0 && ERKStepSetInterpolantDegree(memory, 0) == 0 &&
         ERKStepSetTableNum(memory, order >= 4 ? ARKODE_DORMAND_PRINCE_7_4_5 : ARKODE_BOGACKI_SHAMPINE_4_2_3) == 0 &&
         ERKStepSetMaxHnilWarns(memory, -1) == 0 &&
         (s->step > 0 || (ERKStepSetMinStep(memory, s->min_step) == 0 &&
                          (s->max_step > 1e29 || ERKStepSetMaxStep(memory, s->max_step) == 0) &&
                          (s->initial_step <= 0 || ERKStepSetInitStep(memory, s->initial_step) == 0)));
}

static void *erk_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  erk *w = sn_new_object(sizeof *w, release);
  const erk_spec *own = (const erk_spec *)(const void *)settings;
  w->control = sn_fixed_steps(settings->step, state->t);
  if (sn_index1_begin(&w->form, system, &own->head, state)) {
    if (make_solver(w, own->order, state->t)) return w;
    sn_fail(system->context, SN_NUMERICS, "ARKODE could not be started: %s", w->form.base.said);
  }
  erk_free(w);
  return NULL;
}

/* ---- one step ---- */

static sn_status report_failure(erk *w, const sn_state *state, int flag) {
  double h = 0;
  const bool fixed = w->form.base.settings.step > 0;
  ERKStepGetCurrentStep(w->memory, &h);
  ERKStepGetEstLocalErrors(w->memory, w->form.error);
  ERKStepGetErrWeights(w->memory, w->form.weight);
  return sn_index1_fail(&w->form, "erk", state, h, flag == ARK_TOO_MUCH_ACC ? SN_BELOW_ROUNDING : SN_ERROR_TOO_LARGE,
                        w->form.fresh ? "an implicit integrator (hht-i3, ida)"
                        : fixed       ? "a smaller step: an explicit method may have become unstable"
                                      : "check the model near that time");
}

/* An adaptive trial step that led to where the accelerations cannot be solved for: ARKODE ends there. Again from the
 * state, with a quarter of it; false: it cannot be shorter. */
static bool cut(erk *w, const sn_state *state, double *h) {
  double tried = *h;
  *h = fmax(tried / 4, w->form.base.settings.min_step);
  if (w->form.base.settings.step > 0 || !(*h < tried)) return false;
  sn_index1_set(&w->form, state);
  w->form.base.limit = NAN;
  w->form.base.system->count->error_rejections++;
  return ERKStepReset(w->memory, state->t, w->form.y) == 0 && ERKStepSetInitStep(w->memory, *h) == 0;
}

static sn_status erk_step(void *self, sn_state *state, sn_state *before, double limit) {
  erk *w = self;
  if (w->failed) return report_failure(w, state, ARK_ERR_FAILURE);
  bool fixed = w->form.base.settings.step > 0;
  double start = state->t, t = start, h = fixed ? sn_step_begin(&w->control, start, limit) : 0, tried = 0;
  double far = fixed ? start + h : isfinite(limit) ? limit : t + 1;
  int flag;
  do {
    long rejected = 0;
    if (fixed) {
      ERKStepSetFixedStep(w->memory, h);
      ERKStepSetStopTime(w->memory, far);
    } else if (isfinite(limit) && limit != w->form.base.limit) {
      ERKStepSetStopTime(w->memory, w->form.base.limit = limit);
    }
    flag = ERKStepEvolve(w->memory, far, w->form.y, &t, ARK_ONE_STEP);
    ERKStepGetNumErrTestFails(w->memory, &rejected);
    sn_sundials_count(&w->form.base, rejected, 0, 0);
    w->failed = flag < 0 || !sn_index1_evaluate(&w->form, t, N_VGetArrayPointer(w->form.y));
    if (w->failed) tried = fabs(w->form.at.t - start) > 0 ? fabs(w->form.at.t - start) : tried;
  } while (w->failed && !w->form.fresh && cut(w, state, &tried));
  if (w->failed) return report_failure(w, state, flag);
  if (fixed) sn_step_judge(&w->control, start, h, 0);
  sn_sundials_accept(&w->form.base, state, before, &w->form.at);
  return SN_OK;
}

static const sn_field erk_fields[] = {
    SN_STEP_FIELDS,
    {"order", SN_INT, SN_AT(erk_spec, order), .def = "5", .limits = SN_BETWEEN(3, 5),
     .help = "5: Dormand-Prince 5(4); 3: Bogacki-Shampine 3(2)"},
    SN_BAUMGARTE_FIELDS("; the step stays below 3/alpha"),
    {0},
};

const sn_integrator_ops sn_erk = {
    .kind = {.name = "erk",
             .category = SN_INTEGRATORS,
             .summary = "explicit Runge-Kutta 5(4) or 3(2) (SUNDIALS ARKODE) at index 1 with Baumgarte's stabilization",
             .fields = erk_fields,
             .spec_size = sizeof(erk_spec)},
    .quintic = true,
    .create = erk_create,
    .step = erk_step,
    .free = erk_free,
};
