/* iteration_matrix.c - [cm M + cd D + ck K, G'; G, 0]: assembled, factorized, solved with. */
#include <limits.h>
#include <string.h>

#include "contact/penalty.h"
#include "force/applied.h"
#include "model/host.h"
#include "system/equations.h"
#include "system/phases.h"

static void add_regularization(sn_system *s) {
  const sn_matrix *A = s->own->matrix;
  for (int g = 0; s->regularization > 0 && g < A->groups; g++) {
    if (!A->constraint[g]) continue;
    double *block = A->value + A->lower[A->column[g]];
    const double *unit = s->row_unit + (A->first[g] - s->n);
    for (int i = 0; i < A->size[g]; i++) block[i * (A->size[g] + 1)] -= s->regularization * unit[i];
  }
}

static void tangents(sn_system *s, const sn_eval *ev, bool constraints) {
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    sn_job j = {.batch = b, .eval = ev, .matrix = s->own->matrix};
    if (b->ops->tangent && (constraints || !b->ops->position)) sn_run_batch(s, &j);
  }
  if (ev->host && ev->host->applied > 0) sn_applied_tangent(ev, s->own->matrix);
}

/* The positive semidefinite parts of cd D and ck K, at `kick_q`. D is that of the velocities of the moment; K is that
 * of bodies at rest: that dampers turn with the body belongs to no potential. */
static void kick_tangents(sn_system *s, const sn_eval *moving, bool touching) {
  const bool damped = s->model->has_power || s->contacts;
  s->own->matrix->positive = true;
  for (int k = damped && moving->cd != 0 ? 0 : 1; k < (moving->ck != 0 ? 2 : 1); k++) {
    sn_eval ev = *moving;
    ev.cm = 0, ev.cd = k == 0 ? moving->cd : 0, ev.ck = k == 1 ? moving->ck : 0;
    if (s->own->kick_q) ev.q = s->own->kick_q;
    if (k == 1) ev.v = s->zero;
    tangents(s, &ev, false);
    if (touching) sn_penalty_tangent(s->contacts, s->threads, &ev, s->own->matrix);
  }
  s->own->matrix->positive = false;
}

static void zero_matrix(sn_system *s) {
  sn_matrix *A = s->own->matrix;
  if (A->values <= INT_MAX)
    sn_threads_zero(s->threads, (int)A->values, A->value);
  else
    sn_matrix_zero(A);
}

void sn_system_assemble(sn_system *s, const sn_state *state, double ci, double cm, double cd, double ck) {
  if (!sn_system_need_matrix(s)) return; /* the context says why, and no factors follow */
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_JACOBIAN);
  bool kick = s->own->kick && (cd != 0 || ck != 0);
  sn_eval ev = sn_system_eval(s, state);
  ev.ci = ci, ev.cm = cm, ev.cd = cd, ev.ck = ck;
  sn_state near = *state;
  if (kick && s->own->kick_q) near.q = s->own->kick_q;
  bool touching = s->contacts && (cd != 0 || ck != 0) && sn_system_prepare(s, &near);
  s->own->mass_kept = s->own->tree_factored = false;
  zero_matrix(s);
  if (kick) {
    sn_eval mass = ev;
    mass.cd = mass.ck = 0;
    tangents(s, &mass, true);
    kick_tangents(s, &ev, touching);
  } else {
    tangents(s, &ev, true);
    if (touching) sn_penalty_tangent(s->contacts, s->threads, &ev, s->own->matrix);
  }
  add_regularization(s);
  s->count->jacobians++;
  sn_phase_end(s, &mark);
}

bool sn_system_factor(sn_system *s, const sn_state *state, double ci, double cm, double cd, double ck) {
  sn_system_assemble(s, state, ci, cm, cd, ck);
  return sn_system_factor_assembled(s, state->t);
}

bool sn_always_steady(const sn_batch *batch) {
  (void)batch;
  return true;
}

bool sn_system_steady(const sn_system *s) {
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->model->batch[k];
    bool counts = b->ops->momentum || b->ops->position || b->ops->steady; /* the others are forces */
    if (counts && !(b->ops->steady && b->ops->steady(b))) return false;
  }
  return true;
}

bool sn_system_factor_assembled(sn_system *s, double t) {
  if (!s->own->solver) return false;
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_FACTOR);
  int group = -1;
  const sn_linsolve_ops *ops = s->own->solver_ops;
  bool good = ops->factor_shared ? ops->factor_shared(s->own->solver, s->own->matrix, s->threads, &group)
                                 : ops->factor(s->own->solver, s->own->matrix, &group);
  s->count->factorizations++;
  sn_phase_end(s, &mark);
  if (!good)
    sn_fail(s->context, SN_NUMERICS, "the equations are singular at t = %g s, at '%s'", t,
            group >= 0 ? s->model->group_name[group] : "?");
  return good;
}

double sn_system_factor_cost(const sn_system *s) {
  const double usual = 20; /* where the solver does not know */
  return s->own->solver_ops->factor_cost ? s->own->solver_ops->factor_cost(s->own->solver) : usual;
}

void sn_system_solve(sn_system *s, double *x) {
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_SOLVE);
  if (s->own->tree_factored)
    sn_tree_solve(s->own->tree, s->threads, s->n, x);
  else if (s->own->solver_ops->solve_shared)
    s->own->solver_ops->solve_shared(s->own->solver, s->threads, x);
  else
    s->own->solver_ops->solve(s->own->solver, x);
  s->count->solves++;
  sn_phase_end(s, &mark);
}

/* x := A^-1 b, refined twice; `b` and `r` [n + m] are changed. */
static void refine(sn_system *s, double *b, double *r, double *x) {
  int size = s->n + s->m;
  memcpy(x, b, (size_t)size * sizeof(double));
  sn_system_solve(s, x);
  for (int k = 0; k < 2; k++) {
    sn_matrix_multiply(s->own->matrix, x, r);
    for (int i = 0; i < size; i++) r[i] = b[i] - r[i];
    sn_system_solve(s, r);
    for (int i = 0; i < size; i++) x[i] += r[i];
  }
}

/* Redundant constraints. With S = G A^-1 G' the solution has l = (S + eps)^-1 b. What b has outside the range of S,
 * because q and v are a little off their constraints, is in it as b/eps and means nothing. It goes by
 *
 *   A y + G'w = G'l,   G y - eps w = 0:      w = (S + eps)^-1 S l,   A (x + y) + G'w = A x + G'l
 */
static void keep_least_norm(sn_system *s, double *x) {
  int size = s->n + s->m;
  double *b = s->own->refine, *r = b + size, *y = r + size;
  memset(y, 0, (size_t)s->n * sizeof(double));
  memcpy(y + s->n, x + s->n, (size_t)s->m * sizeof(double));
  sn_matrix_multiply(s->own->matrix, y, b);
  memset(b + s->n, 0, (size_t)s->m * sizeof(double));
  refine(s, b, r, y);
  for (int i = 0; i < s->n; i++) x[i] += y[i];
  memcpy(x + s->n, y + s->n, (size_t)s->m * sizeof(double));
}

void sn_system_solve_refined(sn_system *s, double *x) {
  if (s->own->tree_factored || (s->own->mass_kept && s->own->mass_exact)) {
    sn_system_solve(s, x);
    return;
  }
  double *b = s->own->refine;
  memcpy(b, x, (size_t)(s->n + s->m) * sizeof(double));
  refine(s, b, b + s->n + s->m, x);
  if (s->regularization > 0) keep_least_norm(s, x);
}
