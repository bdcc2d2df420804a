/* stage.c - accelerations and multipliers at a state, as stages of explicit methods need them. */
#include <string.h>

#include "contact/penalty.h"
#include "force/applied.h"
#include "model/host.h"
#include "system/equations.h"
#include "system/phases.h"

/* ---- trees of rigid bodies ---- */

/* r[n] = -Q of all but rigid bodies, whose forces the tree knows; NULL: there are no others. */
static const double *other_forces(sn_system *s, const sn_eval *ev) {
  const sn_tree *tree = s->own->tree;
  double *r = s->own->tree_force;
  if (!r && ev->host && ev->host->applied > 0) r = s->own->work;
  if (!r) return NULL;
  sn_threads_zero(s->threads, s->n, r);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    sn_job j = {.batch = b, .eval = ev, .into_vector = b->ops->residual, .vector = r};
    if (tree->other_force[k]) sn_run_batch(s, &j);
  }
  if (ev->host && ev->host->applied > 0) sn_applied_residual(ev, r);
  if (s->contacts) sn_penalty_residual(s->contacts, s->threads, ev, r);
  return r;
}

bool sn_system_is_tree(const sn_system *s) {
  /* where equations repeat others though no loop is closed, they are those of one joint, which the tree cannot solve */
  return s->own->tree && (s->regularization == 0 || s->own->tree->loops > 0);
}

static bool factor_tree(sn_system *s, const sn_eval *ev, double alpha, double beta, const double *r) {
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_FACTOR);
  s->own->mass_kept = false;
  s->own->tree->weight = s->row_unit;
  s->own->tree_factored = sn_tree_factor(s->own->tree, s->threads, ev, alpha, beta, r, s->regularization > 0);
  s->count->jacobians++;
  s->count->factorizations++;
  sn_phase_end(s, &mark);
  return s->own->tree_factored;
}

bool sn_system_factor_tree(sn_system *s, const sn_state *state) {
  if (!sn_system_is_tree(s)) return false;
  const sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  const sn_eval ev = sn_system_eval(s, &rest);
  return factor_tree(s, &ev, 0, 0, NULL);
}

/* The same with the right-hand side of a stage. */
static bool factor_stage(sn_system *s, const sn_state *state, double alpha, double beta) {
  if (!sn_system_is_tree(s) || s->own->kick) return false; /* forces of a kick are others */
  const sn_state rest = {.t = state->t, .q = state->q, .v = state->v, .a = s->zero, .l = s->zero + s->n};
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_RESIDUAL);
  sn_eval ev = sn_system_eval(s, &rest);
  ev.ci = 0;
  const double *r = other_forces(s, &ev);
  s->count->residuals++;
  sn_phase_end(s, &mark);
  return factor_tree(s, &ev, alpha, beta, r);
}

/* ---- all models ---- */

bool sn_system_stage(sn_system *s, sn_state *at, double alpha, double beta, double *phi) {
  assert(phi || (alpha == 0 && beta == 0));
  if (factor_stage(s, at, alpha, beta)) {
    const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_SOLVE);
    sn_tree_accelerations(s->own->tree, s->threads, at->a, at->l);
    s->count->solves++;
    sn_phase_end(s, &mark);
    return true;
  }
  if (phi) {
    double *rate = phi + s->m;
    sn_system_position(s, at, phi);
    sn_system_velocity(s, at, rate);
    for (int i = 0; i < s->m; i++) phi[i] = -2 * alpha * rate[i] - beta * beta * phi[i];
  }
  if (!sn_system_factor_mass(s, at)) return false;
  sn_system_accelerations(s, at, phi);
  return true;
}
