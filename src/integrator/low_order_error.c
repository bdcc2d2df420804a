/* low_order_error.c - local errors of a step of the low-order integrators, what is allowed of them, and the messages of
 * steps that fail; see low_order.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/failure.h"
#include "integrator/low_order.h"

/* Allowed local error of the step: its fraction of the horizon, but not below the rounding error of positions, which no
 * shorter step would reduce. The sum of the local errors and the verdict include it. */
double sn_low_order_allowed(const sn_low_order *w) {
  const double rounding = w->tolerance > 1e-14 ? 1e-16 : 0; /* a smaller tolerance fails, and the message says why */
  return w->horizon > w->h ? fmax(w->tolerance * w->h / w->horizon, rounding) : w->tolerance;
}

double sn_weighted_squares(int first, int last, const double *weight, const double *x) {
  double sum = 0;
  for (int i = first; i < last; i++) sum += (x[i] * weight[i]) * (x[i] * weight[i]);
  return sum;
}

typedef struct weighted {
  const double *weight, *x;
} weighted;

static void square_piece(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const weighted *v = user;
  sum[0] = sn_weighted_squares(first, last, v->weight, v->x);
}

static double mean_square(const sn_low_order *w, const double *weight, const double *x) {
  weighted v = {weight, x};
  double sum[SN_MOST_SUMS];
  sn_threads_sum(w->system->threads, w->system->n, square_piece, &v, sum);
  return sum[0] / w->system->n;
}

double sn_low_order_norm(const sn_low_order *w, const double *da) {
  return w->C * w->h * w->h * sqrt(mean_square(w, w->weight, da));
}

/* bounds: run. What C h^2 (a1 - a0) moves along the constraints and slower than the step:
 *   [cm M + cd D + ck K, G'; G, 0] (x, .) = (cm M (a1 - a0), 0),   error = C h^2 |x|
 * Positions are on their constraints, so that a1 - a0 across them is no error of positions: at index 3 it has what a
 * change of the step left in v, divided by h, which no shorter step would make small. The same holds for deformations
 * that are stiff to the step. Methods that may leave the constraints count all of it.
 * An old matrix has a G that has turned since, and lets some of what is across through. That is rounding of positions
 * over h^2: with short steps it would be taken for an error, they would be cut, and it would grow. So no matrix is older
 * than some steps, and none of an earlier step has a step refused.
 * Newmark's v errs by d h (a1 - a0) per step, a damping of d h w^2/2 for motions of any frequency w: they lose
 * d/2 h^2 a1 per step in amplitude. */
bool sn_low_order_is_filtered(const sn_low_order *w) {
  const sn_low_order_ops *ops = w->ops;
  bool closed =
      ops->primary == SN_POSITION_LEVEL || ops->secondary == SN_POSITION_LEVEL || ops->closes || w->system->m == 0;
  return !w->fixed && w->horizon > 0 && closed;
}

/* x[n] := M (a1 - a0). Newton's method has left nothing of M x1 + (G'l - Q)_1 that matters to an error: with
 * x1 - (a1 - a0) in place of x1 this is -M (a1 - a0). Where the equations are met elsewhere, or a user has said what may
 * be left of them, the product costs two residuals. */
static void mass_times_change(sn_low_order *w, double *change, double *x) {
  int n = w->system->n;
  const double al = w->alpha;
  for (int i = 0; i < n; i++) change[i] = w->to->a[i] - w->a0[i];
  if (w->ops->evaluate || w->ops->iterate || w->newton.stop[0] > 0) {
    sn_system_mass_times(w->system, w->to, change, x);
    return;
  }
  sn_state at = *w->to;
  at.a = change;
  for (int i = 0; i < n; i++) change[i] = (w->to->a[i] + al * w->x0[i]) / (1 + al) - change[i];
  sn_system_residual(w->system, &at, 1, x);
  for (int i = 0; i < n; i++) x[i] = -x[i];
}

/* Errors change with the motion, over steps_to_remember steps (low_order_create.c): so many of these in a row may have
 * those of the last one, a twentieth. */
static int steps_alike(const sn_low_order *w) {
  enum { MOST = 3, SHARE = 20 };
  return (int)fmin(MOST, 1 / (1 - w->control.memory) / SHARE);
}

/* The filter costs a residual and a solution, as much as an iteration. The error it found last, enlarged as all of a1 - a0
 * is, serves where it is not near what is allowed. INFINITY: it does not serve. */
static double known_error(const sn_low_order *w, double allowed) {
  const double near = 0.8, error = w->seen_error * fmax(w->error / w->seen_all, 1);
  return w->h == w->seen_h && w->seen_age < steps_alike(w) && error <= near * allowed ? error : INFINITY;
}

double sn_low_order_error(sn_low_order *w) {
  int n = w->system->n;
  if (!sn_low_order_is_filtered(w)) return w->error;
  const double known = known_error(w, sn_low_order_allowed(w));
  if (isfinite(known)) {
    w->seen_age++;
    return known;
  }
  double *x = w->work, *change = w->work + n + w->system->m;
  mass_times_change(w, change, x);
  for (int i = 0; i < n; i++) x[i] *= w->cm / w->matrix_unit;
  memset(x + n, 0, (size_t)w->system->m * sizeof(double));
  sn_system_solve(w->system, x);
  double error = sn_low_order_norm(w, x);
  for (int i = 0; i < n; i++) x[i] = w->first / w->C * (w->a0[i] + w->to->a[i]) / 2; /* what alternates drops out */
  if (w->first > 0) error += sn_low_order_norm(w, x);
  w->seen_h = w->h;
  w->seen_age = 0;
  w->seen_all = w->error;
  w->seen_error = error;
  return error;
}

/* What the filter leaves out are motions that constraints prescribe: of a crank that is driven, or of a body that runs
 * along a curve. Positions follow them exactly, but velocities are off by C h^2 q''' across the constraints, and with
 * them what outputs between the steps and the work of drivers are made of. That error does not add up, and is bounded
 * by what is allowed of velocities:
 *   [cm M + cd D + ck K, G'; G, 0] (y, .) = (0, G q'''),   C h^2 |y/V|
 * with q''' from positions, which have none of the noise of accelerations but rounding errors, which grow as steps
 * become shorter and are therefore always allowed. All of q''' bounds y: where that is less than the local error,
 * nothing has to be solved for. In tolerances, as `local`, the local error. */
double sn_low_order_rate_error(sn_low_order *w, double local) {
  enum { OLDEST = 10 }; /* steps of one length that a motion is smooth for */
  int n = w->system->n, size = n + w->system->m;
  double *x = w->work + size, *y = w->work, h = w->h;
  double unit = (w->rate_C > 0 ? w->rate_C : w->C) * h * h;
  if (w->system->m == 0 || !sn_low_order_is_filtered(w) || w->past[1] == 0) return 0; /* four positions are needed */
  const int oldest = w->rate_error > 0 ? OLDEST : steps_alike(w) + 1;
  if (h == w->rate_h && w->rate_age++ < oldest) return w->rate_error;
  w->rate_h = 0;
  double rounding = sn_low_order_jerk(w, x);
  for (int i = 0; i < n; i++) {
    const double q = fabs(w->to->q[i]);
    y[i] = q > 1 ? q : 1;
  }
  unit /= fmax(w->tolerance, unit * rounding * sqrt(mean_square(w, w->rate_weight, y)));
  double all = unit * sqrt(mean_square(w, w->rate_weight, x));
  if (all <= local) { /* it counts for nothing now, nor in the next steps */
    w->rate_h = h;
    w->rate_age = 1;
    w->rate_error = 0;
    return all;
  }
  memset(x + n, 0, (size_t)w->system->m * sizeof(double));
  sn_matrix_multiply(sn_system_matrix(w->system), x, y);
  memset(y, 0, (size_t)n * sizeof(double));
  sn_system_solve(w->system, y);
  w->rate_h = h;
  w->rate_age = 1;
  return w->rate_error = unit * sqrt(mean_square(w, w->rate_weight, y));
}

/* ---- failed steps ---- */

sn_status sn_low_order_report_stiffness(sn_low_order *w, double t) {
  return sn_fail(
      w->system->context, SN_NUMERICS,
      "newton: schur does not converge at t = %g s with step %g s: it neglects stiffness and damping, which are not "
      "small, worst at '%s'\n  possible remedy: newton: modified (the default), or a much smaller step",
      t, w->h, sn_system_owner(w->system, w->newton.worst));
}

sn_status sn_low_order_report_failure(sn_low_order *w, const sn_state *state, sn_newton_result result) {
  sn_system *s = w->system;
  char what[400];
  const char *help = w->newton.stop[0] > 0 ? "remove force_residual: Newton's method then stops at the rounding error"
                     : w->newton.variant == SN_SCHUR             ? "newton: modified, which includes the stiffness"
                     : w->newton.stalled                         ? sn_rounding_hint
                     : w->hint                                   ? w->hint
                     : w->fixed && sn_may_adapt(s, &w->settings) ? "a smaller step, or adaptive steps (tolerance)"
                     : w->fixed                                  ? "a smaller step"
                                                                 : "check the model near that time";
  if (result == SN_SINGULAR)
    snprintf(what, sizeof what, "%.300s (step %g s)", sn_message(s->context), w->h);
  else if (w->newton.stop[0] > 0)
    snprintf(
        what, sizeof what,
        "no convergence at t = %g s: step %g s is at the minimum, %d iterations, residuals %.3g of forces (allowed "
        "%.3g) and %.3g of constraints (allowed %.3g), worst at '%s'",
        state->t, w->h, w->newton.iterations, w->newton.residual[0], w->newton.stop[0], w->newton.residual[1],
        w->newton.stop[1], sn_system_owner(s, w->newton.worst));
  else
    snprintf(what, sizeof what,
             "no convergence at t = %g s: step %g s is at the minimum, %d iterations, correction %.3g (allowed %.3g), "
             "worst at '%s'",
             state->t, w->h, w->newton.iterations, w->newton.last_norm, w->newton.last_target,
             sn_system_owner(s, w->newton.worst));
  return sn_fail_step(s, &w->settings, state, w->h, what, help);
}

/* The coordinate whose share of C h^2 |a1 - a0| is largest. */
sn_status sn_low_order_report_error(sn_low_order *w, const sn_state *state) {
  char what[200];
  int worst = 0;
  for (int i = 0; i < w->system->n; i++)
    if (!(fabs((w->to->a[i] - w->a0[i]) * w->weight[i]) <= fabs((w->to->a[worst] - w->a0[worst]) * w->weight[worst])))
      worst = i;
  if (w->error > sn_low_order_allowed(w))
    snprintf(what, sizeof what,
             "the local error exceeds the tolerance at t = %g s: step %g s is at the minimum, error %.3g (allowed "
             "%.3g), worst at '%s'",
             state->t, w->h, w->error, sn_low_order_allowed(w), sn_system_owner(w->system, worst));
  else
    snprintf(what, sizeof what,
             "the error of velocities across constraints exceeds the tolerance at t = %g s: step %g s is at the "
             "minimum, error %.3g times what is allowed",
             state->t, w->h, w->rate_error);
  const bool tight = w->horizon > 0 && sn_low_order_allowed(w) < 1e-12; /* near the rounding error of positions */
  return sn_fail_step(w->system, &w->settings, state, w->h, what,
                      tight ? "an integrator of high order (radau), a larger tolerance, or bounds: step"
                            : "check the model near that time");
}
