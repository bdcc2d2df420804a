/* tr_bdf2.c - trapezoidal rule and BDF2 in turn (Bank et al.), SUNDIALS ARKODE, on the index-1 form (index1.h).
 *
 * A step of h has the stages at 0, (2 - sqrt 2) h and h; with c = (1 - 1/sqrt 2) h both implicit ones solve
 *   z - c f(z) = known,   f = (v, a)
 * Second order, L-stable: frequencies far above 1/h are damped. Corrections of z = (q, v) from residuals (rq, rv), with
 * x = dv + rq/c, dq = c x, without the terms below:
 *   [M + c D + c^2 K, G'; G, 0] [x; .] = [M (rv + rq/c); G (rv + (1/c + 2 alpha) rq)/(1 + 2 alpha c + beta^2 c^2)]
 * Neglected are D rq, as rq vanishes after the first correction (which may be smaller than the next), and the
 * dependence of gamma and G v + Phi_t on q, which is of the size of velocities, not of stiffness. local error in q:  C
 * h^2 (a1 - a0), C = |3 g^2 - 4 g + 2|/(12 (2 - g)), g = 2 - sqrt 2
 */
#include <arkode/arkode_arkstep.h>
#include <string.h>

#include "integrator/index1.h"
#include "integrator/step.h"

static const double CONSTANT = 0.04044011451988086; /* C */
static const double EXACT = 1e-11;                  /* fixed steps: what Newton may leave, relative to max(1, |x|) */
static const double ROUNDING = 1e-12;               /* adaptive steps: the least that may be allowed */
static const double NEWTON_SHARE = 1e-3;            /* adaptive steps: of the local error allowed */
static const double MOST_SHARE = 0.1;               /* where that is close to rounding */
static const double NEWTON_SHARE_RUN = 1e-2;        /* the same with bounds: run, where that is small itself */

typedef struct tr_bdf2 {
  sn_index1 form;
  void *memory;
  sn_system *twin;  /* with the iteration matrix */
  SUNMatrix matrix; /* stands for it */
  SUNLinearSolver solver;
  double *x, *y, *mass; /* [n + m], [n + m], [n] */
  double *a0;           /* [n] accelerations at the start of the last step */
  double last_h;        /* 0: none */
  double horizon;       /* bounds: run: the local errors of this time add up to the tolerance [s]; 0: bounds: step */
  sn_state start;       /* of the current step */
  sn_step_control control;
} tr_bdf2;

/* bounds: run. Of second order, as the own methods (low_order_error.c): a step may err by its fraction of the horizon T,
 * tolerance h/T, with the last h for the next. The settings have been divided by the seconds of T beyond one. */
static double fraction_of_run(const tr_bdf2 *w) {
  const double times = 5;    /* ARKODE aims at less than it may, and errors of velocities do not add up */
  const double first = 1e-3; /* before the first step: ARKODE chooses it by these weights */
  const double least = 1e-5; /* steps that are shorter still, as the first ones: Newton could not reach it */
  if (w->horizon == 0) return 1;
  return fmin(1, times * fmax(least, (w->last_h > 0 ? w->last_h : first) / fmin(1, w->horizon)));
}

/* What Newton may leave of the local error allowed: a small share, but not less than rounding lets it reach. */
static double newton_share(const tr_bdf2 *w) {
  const sn_integrator_spec *s = &w->form.base.settings;
  const double share = w->horizon > 0 ? NEWTON_SHARE_RUN : NEWTON_SHARE;
  if (s->step > 0) return 1;
  return fmin(MOST_SHARE, fmax(share, EXACT / (fraction_of_run(w) * s->tolerance)));
}

static int weights(N_Vector y, N_Vector weight, void *self) {
  const tr_bdf2 *w = self;
  const sn_integrator_spec *s = &w->form.base.settings;
  const double fraction = fraction_of_run(w), least = s->tolerance > 1e-14 ? ROUNDING : 0; /* what is less fails */
  const double *x = N_VGetArrayPointer(y);
  const double rates = 2.5; /* of velocities, whose errors add up less, and which vibrations are in */
  double *e = N_VGetArrayPointer(weight);
  const int n = w->form.base.system->n;
  for (int i = 0; i < 2 * n; i++) {
    const double unit = w->form.base.system->model->unit[i % n];
    const double share = fmin(1, (i < n ? 1 : rates) * fraction);
    e[i] = 1 / (s->step > 0 ? EXACT * fmax(1, fabs(x[i]))
                            : fmax(share * sn_allowed(s, unit, x[i]), least * fmax(1, fabs(x[i]))));
  }
  return 0;
}

/* Stages start from linearly extrapolated accelerations. */
static int predict(double t, N_Vector z, void *self) {
  const tr_bdf2 *w = self;
  const sn_state *s = &w->start;
  int n = w->form.base.system->n;
  double *x = N_VGetArrayPointer(z), d = t - s->t;
  for (int i = 0; i < n; i++) {
    double rate = w->last_h > 0 ? (s->a[i] - w->a0[i]) / w->last_h : 0;
    x[i] = s->q[i] + d * (s->v[i] + d / 2 * (s->a[i] + d / 3 * rate));
    x[n + i] = s->v[i] + d * (s->a[i] + d / 2 * rate);
  }
  return 0;
}

/* ---- corrections ---- */

typedef struct question {
  tr_bdf2 *w;
  double t, c;
  const double *y;
} question;

static int find_factors(void *arguments) {
  const question *ask = arguments;
  tr_bdf2 *w = ask->w;
  if (!sn_index1_evaluate(&w->form, ask->t, ask->y)) return 1;
  return sn_system_factor(w->twin, &w->form.at, 1, 1, ask->c, ask->c * ask->c) ? 0 : 1;
}

static int factor(double t, N_Vector y, N_Vector rate, SUNMatrix A, SUNMatrix M, booleantype jok, booleantype *jcur,
                  double c, void *self, N_Vector x1, N_Vector x2, N_Vector x3) {
  tr_bdf2 *w = self;
  question ask = {w, t, c, N_VGetArrayPointer(y)};
  (void)rate, (void)A, (void)M, (void)jok, (void)x1, (void)x2, (void)x3;
  *jcur = true;
  return sn_sundials_answer(&w->form.base, find_factors, &ask);
}

static int solve(SUNLinearSolver solver, SUNMatrix A, N_Vector correction, N_Vector residual, double tolerance) {
  tr_bdf2 *w = solver->content;
  const sn_system *s = w->twin;
  const double *rq = N_VGetArrayPointer(residual), *rv = rq + s->n;
  double alpha = w->form.spec.alpha, beta = w->form.spec.beta, c = 0;
  double *dq = N_VGetArrayPointer(correction), *dv = dq + s->n, *x = w->x;
  (void)A, (void)tolerance;
  ARKStepGetCurrentGamma(w->memory, &c);
  for (int i = 0; i < s->n; i++) x[i] = rv[i] + (1 / c + 2 * alpha) * rq[i];
  memset(x + s->n, 0, (size_t)s->m * sizeof(double));
  sn_matrix_multiply(sn_system_matrix(s), x, w->y); /* of which G x */
  for (int i = 0; i < s->n; i++) w->mass[i] = rv[i] + rq[i] / c;
  sn_system_mass_times(w->form.base.system, &w->form.at, w->mass, x);
  for (int i = 0; i < s->m; i++) x[s->n + i] = w->y[s->n + i] / (1 + 2 * alpha * c + beta * beta * c * c);
  sn_system_solve(w->twin, x);
  for (int i = 0; i < s->n; i++) {
    double d = rq[i]; /* both vectors may be one */
    dv[i] = x[i] - d / c;
    dq[i] = c * x[i];
  }
  return 0;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}
static SUNMatrix_ID matrix_type(SUNMatrix A) {
  (void)A;
  return SUNMATRIX_CUSTOM;
}
static int nothing_to_start(SUNLinearSolver solver) {
  (void)solver;
  return 0;
}
static int nothing_to_set_up(SUNLinearSolver solver, SUNMatrix A) {
  (void)solver, (void)A;
  return 0;
}

static bool make_linear_solver(tr_bdf2 *w) {
  w->matrix = SUNMatNewEmpty(w->form.base.context);
  w->solver = SUNLinSolNewEmpty(w->form.base.context);
  if (!w->matrix || !w->solver) return false;
  w->matrix->ops->getid = matrix_type;
  w->solver->content = w;
  w->solver->ops->gettype = solver_type;
  w->solver->ops->initialize = nothing_to_start;
  w->solver->ops->setup = nothing_to_set_up;
  w->solver->ops->solve = solve;
  return ARKStepSetLinearSolver(w->memory, w->solver, w->matrix) == 0 && ARKStepSetLinSysFn(w->memory, factor) == 0 &&
         ARKStepSetLinearSolutionScaling(w->memory, false) == 0;
}

/* ---- creation ---- */

static void release(void *self) {
  tr_bdf2 *w = self;
  if (w->memory) ARKStepFree(&w->memory);
  if (w->solver) SUNLinSolFreeEmpty(w->solver);
  if (w->matrix) SUNMatFreeEmpty(w->matrix);
  sn_index1_end(&w->form);
}

static void tr_bdf2_free(void *self) {
  tr_bdf2 *w = self;
  release(w);
  sn_system_free(w->twin);
  sn_free(w);
}

static bool make_solver(tr_bdf2 *w, double t) {
  enum { MOST_ITERATIONS = 15, MOST_FAILURES = 20 };
  const sn_integrator_spec *s = &w->form.base.settings;
  void *memory = w->memory = ARKStepCreate(NULL, sn_index1_slope, t, w->form.y, w->form.base.context);
  return memory && ARKStepSetErrHandlerFn(memory, sn_sundials_listen, &w->form.base) == 0 &&
         ARKStepSetUserData(memory, w) == 0 && ARKStepWFtolerances(memory, weights) == 0 &&
         ARKStepSetInterpolantType(memory, ARK_INTERP_LAGRANGE) == 0 && ARKStepSetInterpolantDegree(memory, 0) == 0 &&
         ARKStepSetTableNum(memory, ARKODE_TRBDF2_3_3_2, ARKODE_ERK_NONE) == 0 && make_linear_solver(w) &&
         ARKStepSetStagePredictFn(memory, predict) == 0 && ARKStepSetMaxNonlinIters(memory, MOST_ITERATIONS) == 0 &&
         ARKStepSetNonlinRDiv(memory, 1e10) == 0 && /* see the second correction above */
         ARKStepSetMaxConvFails(memory, MOST_FAILURES) == 0 && ARKStepSetNonlinConvCoef(memory, newton_share(w)) == 0 &&
         ARKStepSetMaxHnilWarns(memory, -1) == 0 &&
         (s->step > 0 || (ARKStepSetMinStep(memory, s->min_step) == 0 &&
                          (s->max_step > 1e29 || ARKStepSetMaxStep(memory, s->max_step) == 0) &&
                          (s->initial_step <= 0 || ARKStepSetInitStep(memory, s->initial_step) == 0)));
}

static void *tr_bdf2_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  tr_bdf2 *w = sn_new_object(sizeof *w, release);
  w->x = SN_NEW(&system->arena, double, system->n + system->m);
  w->y = SN_NEW(&system->arena, double, system->n + system->m);
  w->mass = SN_NEW(&system->arena, double, system->n);
  w->a0 = SN_NEW(&system->arena, double, system->n);
  w->control = sn_fixed_steps(settings->step, state->t);
  w->horizon = settings->bounds == SN_BOUND_RUN && !(settings->step > 0) ? settings->horizon : 0;
  sn_state_create(system, &w->start);
  if (sn_system_twin(system, NULL, &w->twin) == SN_OK &&
      sn_index1_begin(&w->form, system, (const sn_index1_spec *)(const void *)settings, state)) {
    if (make_solver(w, state->t)) return w;
    sn_fail(system->context, SN_NUMERICS, "ARKODE could not be started: %s", w->form.base.said);
  }
  tr_bdf2_free(w);
  return NULL;
}

/* ---- one step ---- */

/* A method of second order may leave less in a step than Newton's method can reach: a shorter one may leave even less. */
static const char *remedy(const tr_bdf2 *w) {
  const sn_integrator_spec *s = &w->form.base.settings;
  if (s->step > 0) return "a smaller step, or hht-i3";
  return w->horizon > 0 && fraction_of_run(w) * s->tolerance < 10 * ROUNDING
             ? "radau: errors that this tolerance allows in a step of second order are close to rounding; or a larger "
               "tolerance"
             : "hht-i3 or radau";
}

static sn_status report_failure(tr_bdf2 *w, const sn_state *state, int flag) {
  double h = 0;
  ARKStepGetCurrentStep(w->memory, &h);
  ARKStepGetEstLocalErrors(w->memory, w->form.error);
  ARKStepGetErrWeights(w->memory, w->form.weight);
  return sn_index1_fail(&w->form, "tr-bdf2", state, h,
                        flag == ARK_TOO_MUCH_ACC  ? SN_BELOW_ROUNDING
                        : flag == ARK_ERR_FAILURE ? SN_ERROR_TOO_LARGE
                                                  : SN_NOT_CONVERGED,
                        remedy(w));
}

/* Errors of a method of low order follow the sum of its local ones. */
static void add_local_error(tr_bdf2 *w, const sn_state *before, const sn_state *state) {
  const sn_integrator_spec *s = &w->form.base.settings;
  const double *unit = w->form.base.system->model->unit;
  int n = w->form.base.system->n;
  double h = state->t - before->t, sum = 0;
  for (int i = 0; i < n; i++) {
    double e = CONSTANT * h * h * (state->a[i] - before->a[i]) * s->tolerance / sn_allowed(s, unit[i], state->q[i]);
    sum += e * e;
  }
  w->form.base.system->count->local_error += sqrt(sum / n);
}

static sn_status tr_bdf2_step(void *self, sn_state *state, sn_state *before, double limit) {
  tr_bdf2 *w = self;
  sn_sundials *base = &w->form.base;
  bool fixed = base->settings.step > 0;
  double t = state->t, h = fixed ? sn_step_begin(&w->control, t, limit) : 0;
  double far = fixed ? t + h : isfinite(limit) ? limit : t + 1;
  long rejected = 0, diverged = 0, iterations = 0;
  sn_state_copy(base->system, &w->start, state);
  if (fixed) {
    ARKStepSetFixedStep(w->memory, h);
    ARKStepSetStopTime(w->memory, far);
  } else if (isfinite(limit) && limit != base->limit) {
    ARKStepSetStopTime(w->memory, base->limit = limit);
  }
  if (w->horizon > 0) ARKStepSetNonlinConvCoef(w->memory, newton_share(w));
  int flag = ARKStepEvolve(w->memory, far, w->form.y, &t, ARK_ONE_STEP);
  ARKStepGetNumErrTestFails(w->memory, &rejected);
  ARKStepGetNumNonlinSolvConvFails(w->memory, &diverged);
  ARKStepGetNumNonlinSolvIters(w->memory, &iterations);
  sn_sundials_count(base, rejected, diverged, iterations);
  if (flag < 0 || !sn_index1_evaluate(&w->form, t, N_VGetArrayPointer(w->form.y)))
    return report_failure(w, state, flag);
  if (fixed) sn_step_judge(&w->control, state->t, h, 0);
  sn_sundials_accept(base, state, before, &w->form.at);
  add_local_error(w, before, state);
  memcpy(w->a0, before->a, (size_t)base->system->n * sizeof(double));
  w->last_h = state->t - before->t;
  return SN_OK;
}

static const sn_field tr_bdf2_fields[] = {SN_STEP_FIELDS, SN_BAUMGARTE_FIELDS(""), {0}};

const sn_integrator_ops sn_tr_bdf2 = {
    .kind = {.name = "tr-bdf2",
             .category = SN_INTEGRATORS,
             .summary =
                 "trapezoidal rule and BDF2 combined (SUNDIALS ARKODE) at index 1 with Baumgarte's stabilization",
             .fields = tr_bdf2_fields,
             .spec_size = sizeof(sn_index1_spec),
             .check = sn_check_steps},
    .quintic = true,
    .create = tr_bdf2_create,
    .step = tr_bdf2_step,
    .free = tr_bdf2_free,
};
