/* newton.c - Newton's method with a matrix that is kept while the convergence is fast. */
#include "integrator/newton.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 25 };        /* unless the method says otherwise */
enum { MOST_RENEWALS = 4 };           /* of a matrix of this step */
enum { MOST_RENEWALS_NEAR = 12 };     /* the same where corrections are small */
enum { RENEWAL_COST = 10 };           /* of a matrix, in iterations */
enum { MOST_BY_RESIDUALS = 100 };     /* iterations where residuals are the stop (Huang) */
enum { PATIENCE = 8 };                /* broyden: iterations with a kept matrix before it is renewed (Bulin) */
static const double SLOW = 0.35;      /* the same; a kept matrix that contracts worse is renewed */
static const double STILL = 0.7;      /* over two iterations: corrections no longer shrink */
static const double POOR = 0.95;      /* a new matrix that contracts worse means failure */
static const double SHARE = 0.1;      /* broyden: of the target; its corrections err to one side, step after step */
static const double SMALL = 1e-6;     /* relative corrections: the iteration was near its end */
static const double ROUNDING = 1e-14; /* unless the method says otherwise; relative corrections */

void sn_newton_create(sn_newton *w, sn_system *system, const sn_newton_ops *ops, void *self) {
  assert(ops && ops->factor && self);
  *w = (sn_newton){.system = system,
                   .ops = ops,
                   .self = self,
                   .most = MOST_ITERATIONS,
                   .slow = SLOW,
                   .rounding = ROUNDING,
                   .patience = 1};
  w->dx = SN_NEW(&system->arena, double, system->n + system->m);
}

void sn_newton_use(sn_newton *w, sn_newton_variant variant, const double *weight) {
  assert(variant != SN_BROYDEN || weight);
  w->variant = variant;
  if (variant == SN_BROYDEN) sn_broyden_create(&w->broyden, w->system, weight);
}

void sn_newton_stop(sn_newton *w, const double residual[2]) {
  for (int k = 0; k < 2; k++) w->stop[k] = residual[k] > 0 ? residual[k] : residual[1 - k];
}

static bool renew(sn_newton *w) {
  if (w->variant == SN_BROYDEN) sn_broyden_forget(&w->broyden);
  w->valid = w->fresh = w->ops->factor(w->self);
  w->uses = w->total = w->used = 0;
  return w->valid;
}

/* ---- the age of the matrix ----
 * A matrix grows old: iterations per step increase long before it contracts too slowly. It is renewed when the
 * iterations that it took beyond the fewest it ever took,
 *
 *     sum over its steps (iterations - fewest)  >=  patience (cost of a matrix, in iterations),
 *
 * have cost as much as a new one, so that both together are at most twice what the best moment would have cost. Where a
 * new one takes no fewer iterations, age is not what makes them many, and the patience doubles. */

static void count_use(sn_newton *w) {
  enum { MOST_PATIENCE = 64 };
  if (w->uses == 0 && w->mean_before > 0)
    w->patience = w->used < w->mean_before ? 1 : w->patience < MOST_PATIENCE ? 2 * w->patience : MOST_PATIENCE;
  if (w->uses == 0 || w->used < w->fewest) w->fewest = w->used;
  w->mean_before = 0;
  w->uses++;
  w->total += w->used;
}

static bool is_due(sn_newton *w) {
  const double evaluation = 4; /* of the Jacobian, in iterations */
  const long beyond = w->total - w->uses * w->fewest;
  if (w->variant != SN_MODIFIED || w->iterate || w->uses < 2) return false; /* others know what their matrices cost */
  if ((double)beyond < (double)w->patience * (evaluation + sn_system_factor_cost(w->system))) return false;
  w->mean_before = (double)w->total / (double)w->uses;
  return true;
}

static void find_worst(sn_newton *w) {
  double most = -1;
  for (int i = 0; i < w->system->n + w->system->m && !isnan(most); i++)
    if (!(fabs(w->dx[i]) <= most)) most = fabs(w->dx[i]), w->worst = i;
}

static void count_iteration(sn_newton *w) {
  w->system->count->iterations++;
  w->iterations++;
  w->used++;
}

/* From r in dx: dx = A^-1 r, apply, norm. */
static double correct(sn_newton *w) {
  sn_system_solve(w->system, w->dx);
  if (w->variant == SN_BROYDEN) sn_broyden_correct(&w->broyden, w->dx);
  count_iteration(w);
  return w->ops->correct(w->self, w->dx);
}

/* One iteration, its norm. */
static double iterate(sn_newton *w) {
  if (w->iterate) {
    count_iteration(w);
    return w->iterate(w->self, w->dx);
  }
  w->ops->residual(w->self, w->dx);
  return correct(w);
}

/* A kept matrix that served iteration k so badly is renewed. */
static bool worn_out(const sn_newton *w, int k, double xi) {
  switch (w->variant) {
    case SN_BROYDEN:
      return xi > POOR || k + 1 >= PATIENCE;
    case SN_SCHUR:
      return xi > fmin(fmax(w->slow, 1.5 * w->contraction_new), POOR); /* a new one is no better */
    default:
      return xi > w->slow;
  }
}

/* A matrix of this step was made where the iteration began: one made here is worth its cost where the iterations left
 * would cost more. It is also made where they would not end, and either are near their end, as in singular positions,
 * in which constraints are quadratic and a matrix gives half of the correction; or the error of the step is judged
 * afterwards: a stiff body that the predictor strains needs no shorter step. */
static bool worth_renewing(const sn_newton *w, double xi, int renewals) {
  bool near = w->last_norm < SMALL;
  if (w->variant != SN_MODIFIED || xi <= w->slow || renewals >= (near && xi >= 1 ? MOST_RENEWALS_NEAR : MOST_RENEWALS))
    return false;
  if (xi >= 1 && (near || w->judged)) return true;
  return xi < 1 && w->last_target > 0 && log(w->last_target / w->last_norm) < RENEWAL_COST * log(xi);
}

/* Corrections that a matrix of this place no longer makes smaller, and that leave enough: rounding. `first`: that of
 * the matrix, where it was made. */
static bool is_rounding(const sn_newton *w, int k, double first, double earlier, double norm, double xi) {
  bool exact = w->variant == SN_MODIFIED || w->variant == SN_FULL;
  double left = (xi < 0.9 ? xi / (1 - xi) : 9) * norm;
  double most = w->iterate ? POOR : STILL; /* systems of their own: the matrix is that of one point, and may be slow */
  bool still = w->patient ? k > 1 && norm > STILL * earlier : k > 0 && xi > most;
  return exact && w->fresh && still && first <= w->enough && left <= w->enough;
}

static sn_newton_result solve(sn_newton *w) {
  int renewals = 0;
  const bool full = w->variant == SN_FULL, watched = full && w->turns;
  const double fast = 0.1;
  bool steady = false; /* watched: no contact is held, and the matrix contracts so fast that another is not worth it */
  w->iterations = w->used = 0;
  w->contraction = 0;
  w->stalled = false;
  w->fresh = false;
  w->held = false;
  sn_broyden_break(&w->broyden);
  if (!full && (!w->valid || is_due(w)) && !renew(w)) return SN_SINGULAR;
  for (;;) {                        /* at most twice: with the kept matrix, then with a new one */
    double before = 0, earlier = 0; /* norms of the last iteration and the one before it */
    double first = 0;               /* of the present matrix */
    bool diverging = false;
    for (int k = 0; k < w->most && !diverging; k++) {
      if (full && !(watched && steady) && !renew(w)) return SN_SINGULAR;
      double norm = iterate(w), target = w->ops->target(w->self) * (w->variant == SN_BROYDEN ? SHARE : 1);
      const int held = sn_system_held_contacts(w->system);
      w->held |= held > 0;
      if (held > 0) target = 0; /* these are not the equations of the model */
      w->last_norm = norm;
      w->last_target = target;
      if (!isfinite(norm)) break;
      double xi = k > 0 ? norm / before : 0;
      steady = k > 0 && held == 0 && xi < fast;
      if (k == 0 || full) first = norm;
      if (k == 1) w->contraction = xi;
      if (k == 1 && w->fresh) w->contraction_new = xi;
      /* the first iteration has no contraction of its own: accept only what is already far below the target */
      if (k == 0 ? norm <= 1e-3 * target : xi < 1 && xi / (1 - xi) * norm <= target) return SN_CONVERGED;
      bool still = w->patient ? k > 1 && norm > STILL * earlier : k > 0 && xi > SLOW;
      if (still && norm <= w->rounding) return SN_CONVERGED; /* nothing left to gain */
      if (is_rounding(w, k, first, earlier, norm, xi)) {
        w->system->count->rounded_steps++;
        return SN_CONVERGED;
      }
      w->stalled = k > 0 && xi > SLOW && norm < SMALL;
      if (w->turns && !full && w->fresh && k > 0 && xi > STILL) break;
      if (k > 0 && norm > w->rounding && (w->fresh ? worth_renewing(w, xi, renewals) : worn_out(w, k, xi))) {
        if (!w->fresh && xi > POOR) break;
        renewals += w->fresh;
        if (!renew(w)) return SN_SINGULAR; /* continue from here with a new matrix */
        before = 0;
        k = -1;
        continue;
      }
      /* the iteration after a contact was held may go astray once */
      diverging = k > 1 && xi > POOR && !(w->patient && norm <= w->rounding) && !(watched && before <= earlier);
      earlier = before;
      before = norm;
    }
    if (w->fresh) break;
    w->ops->reset(w->self);
    if (!renew(w)) return SN_SINGULAR;
  }
  find_worst(w);
  w->valid = false;
  return SN_DIVERGED;
}

/* Until |forces| and |constraints| are below the two numbers: at least one iteration, and no start is tried twice. */
static sn_newton_result solve_by_residuals(sn_newton *w) {
  const bool full = w->variant == SN_FULL;
  double before = 0, xi = 0;
  w->iterations = w->used = 0;
  w->stalled = w->fresh = false;
  sn_broyden_break(&w->broyden);
  for (int k = 0;; k++) { /* iterations with the present matrix */
    w->ops->residual(w->self, w->dx);
    w->ops->norms(w->self, w->dx, w->residual);
    if (w->iterations > 0 && w->residual[0] <= w->stop[0] && w->residual[1] <= w->stop[1]) return SN_CONVERGED;
    if (!isfinite(w->residual[0] + w->residual[1]) || w->iterations == MOST_BY_RESIDUALS) break;
    bool worn = w->variant == SN_BROYDEN ? k >= PATIENCE : k > 1 && worn_out(w, k, xi);
    if (full || !w->valid || worn) {
      if (!renew(w)) return SN_SINGULAR;
      before = k = 0;
    }
    double norm = correct(w);
    xi = before > 0 ? norm / before : 0;
    if (k == 1 && w->fresh) w->contraction_new = xi;
    before = norm;
  }
  find_worst(w);
  w->valid = false;
  return SN_DIVERGED;
}

sn_newton_result sn_newton_solve(sn_newton *w) {
  sn_newton_result result = w->stop[0] > 0 ? solve_by_residuals(w) : solve(w);
  if (result == SN_CONVERGED) count_use(w);
  if (w->iterations > w->system->count->most_iterations) w->system->count->most_iterations = w->iterations;
  return result;
}
