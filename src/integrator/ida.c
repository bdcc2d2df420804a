/* ida.c - BDF of variable order and step: SUNDIALS IDA on the stabilized index-1 form (Gear, Gupta, Leimkuhler).
 *
 *   M v' + G'l = Q,   q' - v + G'mu = 0,   G v + Phi_t = 0,   Phi = 0,   with l = eta', mu = zeta'
 *
 * y = (q, v, eta, zeta) has 2n + 2m entries. Position and velocity constraints both hold; mu, which corrects q along G'
 * to satisfy Phi = 0, vanishes with the step. eta and zeta have no weight in the local error and in Newton's norm: they
 * follow from v and q.
 */
#include <ida/ida.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>

#include "integrator/failure.h"
#include "integrator/ida_matrix.h"
#include "integrator/sundials.h"
#include "system/phases.h"

static const double LOCAL = 0.03; /* of the tolerance: for the local error of a step */

typedef struct ida {
  sn_sundials base;
  sn_system *pair; /* a twin that stores both triangles */
  sn_ida_matrix matrix;
  void *memory;
  N_Vector y, rate, error, weight;
  SUNMatrix J;
  SUNLinearSolver klu, counted; /* KLU; the same, counted and timed */
  double *reaction;             /* [n] */
  double *rate_v;               /* [n] q' */
  int *owner;                   /* [2n + 2m] place in (q, l) */
} ida;

/* ---- what IDA asks for ---- */

static sn_state view(const ida *w, double t, N_Vector y, N_Vector rate) {
  double *x = N_VGetArrayPointer(y), *d = N_VGetArrayPointer(rate);
  int n = w->base.system->n;
  return (sn_state){.t = t, .q = x, .v = x + n, .a = d + n, .l = d + 2 * n};
}

typedef struct question {
  ida *w;
  sn_state at;
  const double *rate;
  double *result;
  double c;
  SUNMatrix J;
} question;

/* Nonholonomic rows have no position level. In its place G q'/c = 0, whose derivative by q is G as well: with G v = 0 it
 * makes their mu vanish. */
static void close_rates(ida *w, const sn_state *at, const double *rate, double *phi) {
  sn_system *s = w->base.system;
  sn_state moved = *at;
  double c = 0;
  memcpy(w->rate_v, rate, (size_t)s->n * sizeof(double));
  moved.v = w->rate_v;
  IDAGetCurrentCj(w->memory, &c);
  sn_system_constraints(s, &moved, c > 0 ? 1 / c : 1, phi);
}

static int find_residual(void *arguments) {
  const question *ask = arguments;
  ida *w = ask->w;
  sn_system *s = w->base.system;
  int n = s->n, m = s->m;
  sn_state at = ask->at;
  const double *d = ask->rate;
  double *r = ask->result, sum = 0, c = 0;
  sn_system_residual(s, &at, 1, r);
  sn_system_reaction(s, &at, d + 2 * n + m, w->reaction);
  for (int i = 0; i < n; i++) r[n + i] = d[i] - at.v[i] + w->reaction[i];
  sn_system_velocity(s, &at, r + 2 * n);
  sn_system_position(s, &at, r + 2 * n + m);
  if (s->model->nonholonomic > 0) close_rates(w, &at, d, r + 2 * n + m);
  /* with redundant constraints the matrix has -eps on its diagonal; the residual goes with it (eta = l/c within a
   * step), or what l and mu have in the null space of G' would gather rounding from step to step */
  if (s->regularization > 0) IDAGetCurrentCj(w->memory, &c);
  for (int i = 0; i < m && c > 0; i++) {
    r[2 * n + i] -= s->regularization * s->row_unit[i] / c * d[2 * n + i];
    r[2 * n + m + i] -= SN_IDA_POSITION_EPS / c * d[2 * n + m + i];
  }
  for (int i = 0; i < 2 * (n + m); i++) sum += fabs(r[i]);
  return isfinite(sum) ? 0 : 1; /* 1: try a shorter step */
}

static int residual(double t, N_Vector y, N_Vector rate, N_Vector result, void *self) {
  ida *w = self;
  question ask = {w, view(w, t, y, rate), N_VGetArrayPointer(rate), N_VGetArrayPointer(result), 0, NULL};
  return sn_sundials_answer(&w->base, find_residual, &ask);
}

/* Contacts that have come near have changed the pattern of the system's matrix. */
static bool renew_pattern(ida *w, SUNMatrix J) {
  return sn_ida_matrix_create(&w->matrix, w->pair) && SUNSparseMatrix_Reallocate(J, w->matrix.entries) == 0 &&
         SUNLinSol_KLUReInit(w->klu, J, w->matrix.entries, SUNKLU_REINIT_PARTIAL) == 0;
}

static int find_jacobian(void *arguments) {
  const question *ask = arguments;
  ida *w = ask->w;
  if (!sn_system_prepare(w->pair, &ask->at)) return -1;
  if (w->matrix.revision != sn_system_revision(w->pair) && !renew_pattern(w, ask->J)) return -1;
  sn_ida_matrix_fill(&w->matrix, &ask->at, ask->c, ask->J);
  return 0;
}

static int jacobian(double t, double c, N_Vector y, N_Vector rate, N_Vector r, SUNMatrix J, void *self, N_Vector x1,
                    N_Vector x2, N_Vector x3) {
  ida *w = self;
  question ask = {w, view(w, t, y, rate), NULL, NULL, c, J};
  (void)r, (void)x1, (void)x2, (void)x3;
  return sn_sundials_answer(&w->base, find_jacobian, &ask);
}

/* Entries of eta and zeta weigh nothing; IDA divides by their number too, which the root takes back. */
static int weights(N_Vector y, N_Vector weight, void *self) {
  const ida *w = self;
  int n = w->base.system->n, m = w->base.system->m;
  const double *x = N_VGetArrayPointer(y);
  double *e = N_VGetArrayPointer(weight), root = sqrt(1 + (double)m / n);
  for (int i = 0; i < 2 * n; i++) e[i] = root / sn_sundials_allowed(&w->base, LOCAL, i, x[i]);
  for (int i = 2 * n; i < 2 * (n + m); i++) e[i] = 1e-30;
  return 0;
}

/* ---- KLU, counted ---- */

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}
static int solver_start(SUNLinearSolver solver) {
  return SUNLinSolInitialize(((ida *)solver->content)->klu);
}
static int solver_setup(SUNLinearSolver solver, SUNMatrix A) {
  ida *w = solver->content;
  const sn_phase_mark mark = sn_phase_begin(w->base.system, SN_PHASE_FACTOR);
  int flag = SUNLinSolSetup(w->klu, A);
  if (flag != 0) { /* old pivots do not fit: contacts have come or gone */
    SUNLinSol_KLUReInit(w->klu, A, w->matrix.entries, SUNKLU_REINIT_PARTIAL);
    flag = SUNLinSolSetup(w->klu, A);
  }
  w->base.system->count->factorizations++;
  sn_phase_end(w->base.system, &mark);
  return flag;
}
static int solver_solve(SUNLinearSolver solver, SUNMatrix A, N_Vector x, N_Vector b, double tolerance) {
  ida *w = solver->content;
  const sn_phase_mark mark = sn_phase_begin(w->base.system, SN_PHASE_SOLVE);
  int flag = SUNLinSolSolve(w->klu, A, x, b, tolerance);
  w->base.system->count->solves++;
  sn_phase_end(w->base.system, &mark);
  return flag;
}

static SUNLinearSolver counted_solver(ida *w) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(w->base.context);
  if (!solver) return NULL;
  solver->content = w;
  solver->ops->gettype = solver_type;
  solver->ops->initialize = solver_start;
  solver->ops->setup = solver_setup;
  solver->ops->solve = solver_solve;
  return solver;
}

/* ---- creation ---- */

static void release(void *self) {
  ida *w = self;
  if (w->memory) IDAFree(&w->memory);
  if (w->counted) SUNLinSolFreeEmpty(w->counted);
  if (w->klu) SUNLinSolFree(w->klu);
  if (w->J) SUNMatDestroy(w->J);
  N_Vector *vectors[] = {&w->y, &w->rate, &w->error, &w->weight};
  for (size_t i = 0; i < SN_COUNT(vectors); i++)
    if (*vectors[i]) N_VDestroy(*vectors[i]);
  sn_sundials_end(&w->base);
}

static void ida_free(void *self) {
  ida *w = self;
  release(w);
  sn_ida_matrix_free(&w->matrix);
  sn_system_free(w->pair);
  sn_free(w);
}

static bool make_vectors(ida *w, const sn_state *state) {
  const sn_system *s = w->base.system;
  int n = s->n, m = s->m, size = 2 * (n + m);
  w->y = N_VNew_Serial(size, w->base.context);
  w->rate = N_VNew_Serial(size, w->base.context);
  w->error = N_VNew_Serial(size, w->base.context);
  w->weight = N_VNew_Serial(size, w->base.context);
  if (!w->y || !w->rate || !w->error || !w->weight) return false;
  N_VConst(0, w->y);
  N_VConst(0, w->rate);
  sn_state at = view(w, state->t, w->y, w->rate);
  memcpy(at.q, state->q, (size_t)n * sizeof(double));
  memcpy(at.v, state->v, (size_t)n * sizeof(double));
  memcpy(N_VGetArrayPointer(w->rate), state->v, (size_t)n * sizeof(double));
  memcpy(at.a, state->a, (size_t)n * sizeof(double));
  memcpy(at.l, state->l, (size_t)m * sizeof(double));
  for (int i = 0; i < n; i++) w->owner[i] = w->owner[n + i] = i;
  for (int i = 0; i < m; i++) w->owner[2 * n + i] = w->owner[2 * n + m + i] = n + i;
  return true;
}

typedef struct ida_spec {
  sn_integrator_spec head;
  int order; /* highest */
} ida_spec;

static bool make_solver(ida *w, int order, double t) {
  const sn_integrator_spec *s = &w->base.settings;
  int size = 2 * (w->base.system->n + w->base.system->m);
  w->memory = IDACreate(w->base.context);
  w->J = SUNSparseMatrix(size, size, w->matrix.entries, CSC_MAT, w->base.context);
  if (!w->memory || !w->J) return false;
  memcpy(SUNSparseMatrix_IndexPointers(w->J), w->matrix.start, (size_t)(size + 1) * sizeof *w->matrix.start);
  memcpy(SUNSparseMatrix_IndexValues(w->J), w->matrix.row, (size_t)w->matrix.entries * sizeof *w->matrix.row);
  w->klu = SUNLinSol_KLU(w->y, w->J, w->base.context);
  w->counted = counted_solver(w);
  void *memory = w->memory;
  return w->klu && w->counted && IDASetErrHandlerFn(memory, sn_sundials_listen, &w->base) == 0 &&
         IDAInit(memory, residual, t, w->y, w->rate) == 0 && IDASetUserData(memory, w) == 0 &&
         IDAWFtolerances(memory, weights) == 0 && IDASetLinearSolver(memory, w->counted, w->J) == 0 &&
         IDASetJacFn(memory, jacobian) == 0 && IDASetMaxOrd(memory, order) == 0 &&
         IDASetMinStep(memory, s->min_step) == 0 && (s->max_step > 1e29 || IDASetMaxStep(memory, s->max_step) == 0) &&
         (s->initial_step <= 0 || IDASetInitStep(memory, s->initial_step) == 0);
}

static void *ida_create(sn_system *system, const sn_integrator_spec *settings, const sn_state *state) {
  ida *w = sn_new_object(sizeof *w, release);
  const int order = ((const ida_spec *)(const void *)settings)->order;
  w->reaction = SN_NEW(&system->arena, double, system->n);
  w->rate_v = SN_NEW(&system->arena, double, system->n);
  w->owner = SN_NEW(&system->arena, int, 2 * (system->n + system->m));
  if (!sn_sundials_begin(&w->base, system, settings) || sn_system_twin(system, &sn_klu, &w->pair)) {
    ida_free(w);
    return NULL;
  }
  if (sn_ida_matrix_create(&w->matrix, w->pair) && make_vectors(w, state) && make_solver(w, order, state->t)) return w;
  sn_fail(system->context, SN_NUMERICS, "IDA could not be started: %s",
          w->base.said[0] ? w->base.said : "the model is too large");
  ida_free(w);
  return NULL;
}

/* ---- one step ---- */

static sn_status report_failure(ida *w, const sn_state *state, int flag) {
  double h = 0, t = state->t;
  char what[500];
  const char *help = "check the model near that time; order: 2 for oscillations without damping";
  IDAGetCurrentStep(w->memory, &h);
  IDAGetEstLocalErrors(w->memory, w->error);
  IDAGetErrWeights(w->memory, w->weight);
  const char *worst = sn_sundials_worst(&w->base, w->error, w->weight, w->owner);
  if (flag == IDA_ERR_FAIL) {
    snprintf(what, sizeof what, "ida: the local error exceeds the tolerance at t = %g s with step %g s, worst at '%s'",
             t, h, worst);
  } else if (flag == IDA_LSETUP_FAIL || flag == IDA_LSOLVE_FAIL) {
    snprintf(what, sizeof what, "ida: the iteration matrix is singular at t = %g s with step %g s, near '%s'", t, h,
             worst);
    help = "check for joints that lock or become redundant at that time";
  } else if (flag == IDA_TOO_MUCH_ACC) {
    snprintf(what, sizeof what, "ida: the tolerance %g is below the rounding error at t = %g s",
             w->base.settings.tolerance, t);
    help = "a larger tolerance";
  } else {
    snprintf(what, sizeof what, "ida: no convergence at t = %g s with step %g s, worst at '%s' (%s)", t, h, worst,
             w->base.said);
  }
  return sn_fail_step(w->base.system, &w->base.settings, state, h, what, help);
}

static sn_status ida_step(void *self, sn_state *state, sn_state *before, double limit) {
  ida *w = self;
  long rejected = 0, diverged = 0, iterations = 0;
  double t = state->t, far = isfinite(limit) ? limit : t + 1;
  if (isfinite(limit) && limit != w->base.limit) IDASetStopTime(w->memory, w->base.limit = limit);
  int flag = IDASolve(w->memory, far, &t, w->y, w->rate, IDA_ONE_STEP);
  IDAGetNumErrTestFails(w->memory, &rejected);
  IDAGetNumNonlinSolvConvFails(w->memory, &diverged);
  IDAGetNumNonlinSolvIters(w->memory, &iterations);
  sn_sundials_count(&w->base, rejected, diverged, iterations);
  if (flag < 0) return report_failure(w, state, flag);
  sn_state reached = view(w, t, w->y, w->rate);
  sn_sundials_accept(&w->base, state, before, &reached);
  return SN_OK;
}

/* The polynomial the method itself works with. */
static void ida_interpolate(void *self, sn_state *x) {
  ida *w = self;
  const sn_system *s = w->base.system;
  size_t size = (size_t)s->n * sizeof(double);
  const double *y = N_VGetArrayPointer(w->error);
  IDAGetDky(w->memory, x->t, 0, w->error);
  memcpy(x->q, y, size);
  memcpy(x->v, y + s->n, size);
  IDAGetDky(w->memory, x->t, 1, w->error);
  memcpy(x->a, y + s->n, size);
  memcpy(x->l, y + 2 * s->n, (size_t)s->m * sizeof(double));
}

static const sn_field ida_fields[] = {
    SN_ADAPTIVE_FIELDS,
    {"order", SN_INT, SN_AT(ida_spec, order), .def = "5", .limits = SN_BETWEEN(1, 5),
     .help = "maximum order; use 2 for lightly damped oscillations, where higher orders are unstable"},
    {0},
};

const sn_integrator_ops sn_ida = {
    .kind = {.name = "ida",
             .category = SN_INTEGRATORS,
             .summary = "BDF of variable order (SUNDIALS IDA) on the stabilized index-1 form",
             .fields = ida_fields,
             .spec_size = sizeof(ida_spec),
             .check = sn_check_steps},
    .multistep = true,
    .damps = true,
    .create = ida_create,
    .step = ida_step,
    .interpolate = ida_interpolate,
    .free = ida_free,
};
