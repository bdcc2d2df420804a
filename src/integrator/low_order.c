/* low_order.c - one step of the low-order integrators; see low_order.h.
 *
 *   local error (Hussein et al.): C h^2 (a1 - a0), weighted by Y = max(1, |q| so far); C: of the method
 *   h_new = 0.7 h Theta^(-1/6), Theta = (error/tolerance)^2, the largest recent one (steps_to_remember)
 * A change of the step changes the energy by a fraction of h^2, and changes in phase with an oscillation accumulate:
 * the step is kept as long as the error is within the tolerance.
 */
#include "integrator/low_order.h"

#include <math.h>
#include <string.h>

/* ---- the iterate ----
 * Passes over vectors of a large model run on all threads (base/threads.h). */

static double extrapolation(const sn_low_order *w) {
  return w->previous_h > 0 ? w->h / w->previous_h : 0;
}

/* Do the equations of motion take x for a, and nothing but `reset` and `correct` change a? Then these two find x. */
static bool finds_x(const sn_low_order *w) {
  return !w->ops->evaluate && !w->ops->iterate;
}

/* The same with Newmark's formulas for qh and vh. */
static void start_piece(void *self, int first, int last) {
  const sn_low_order *w = self;
  const double s = extrapolation(w), cq = w->cq, cv = w->cv, al = w->alpha, part = 1 / (1 + al);
  const double *restrict a0 = w->a0, *restrict previous = w->previous, *restrict x0 = w->x0;
  const double *restrict q0 = w->from->q, *restrict v0 = w->from->v;
  double *restrict q = w->to->q, *restrict v = w->to->v, *restrict to = w->to->a, *restrict x = w->x;
  for (int i = first; i < last; i++) {
    const double a = a0[i] + s * (a0[i] - previous[i]);
    to[i] = a;
    q[i] = sn_newmark_qh(w, q0[i], v0[i], a0[i]) + cq * a;
    v[i] = sn_newmark_vh(w, v0[i], a0[i]) + cv * a;
    x[i] = part * (a + al * x0[i]);
  }
}

static void reset_piece(void *self, int first, int last) {
  const sn_low_order *w = self;
  const double s = extrapolation(w), cq = w->cq, cv = w->cv, al = w->alpha, part = 1 / (1 + al);
  const double *restrict a0 = w->a0, *restrict previous = w->previous, *restrict x0 = w->x0;
  const double *restrict qh = w->qh, *restrict vh = w->vh;
  double *restrict q = w->to->q, *restrict v = w->to->v, *restrict to = w->to->a, *restrict x = w->x;
  for (int i = first; i < last; i++) {
    const double a = a0[i] + s * (a0[i] - previous[i]);
    to[i] = a;
    q[i] = qh[i] + cq * a;
    v[i] = vh[i] + cv * a;
    x[i] = part * (a + al * x0[i]);
  }
}

/* Back to the predictor: linear extrapolation of accelerations and multipliers. */
static void reset(void *self) {
  sn_low_order *w = self;
  const double s = extrapolation(w), *l = w->previous + w->system->n;
  w->to->t = w->from->t + w->h;
  sn_threads_split(w->system->threads, w->system->n, w->at_once ? start_piece : reset_piece, w);
  for (int i = 0; i < w->system->m; i++) w->to->l[i] = w->l0[i] + s * (w->l0[i] - l[i]);
  w->x_found = finds_x(w);
  if (w->twin) {
    memset(w->w, 0, (size_t)w->system->n * sizeof(double));
    memset(w->mu, 0, (size_t)w->system->m * sizeof(double));
  }
  if (w->ops->reset) w->ops->reset(w);
}

static void evaluate_piece(void *self, int first, int last) {
  const sn_low_order *w = self;
  const double al = w->alpha, part = 1 / (1 + al);
  for (int i = first; i < last; i++) w->x[i] = part * (w->to->a[i] + al * w->x0[i]);
}

/* Where the equations of motion are met: the iterate with x in place of a. */
static sn_state evaluate(sn_low_order *w) {
  if (w->ops->evaluate) return w->ops->evaluate(w);
  sn_state at = *w->to;
  if (!w->x_found) sn_threads_split(w->system->threads, w->system->n, evaluate_piece, w);
  at.a = w->x;
  return at;
}

static void constraints(sn_low_order *w, sn_level level, double factor, double *phi) {
  void (*const of[])(sn_system *, const sn_state *, double *) = {NULL, sn_system_position, sn_system_velocity,
                                                                 sn_system_acceleration};
  of[level](w->system, w->to, phi);
  for (int i = 0; i < w->system->m; i++) phi[i] *= factor;
}

/* Scaled so that the derivative by a1 is G. */
static void primary_constraints(sn_low_order *w, double *phi) {
  if (w->ops->primary != SN_POSITION_LEVEL) {
    constraints(w, w->ops->primary, 1 / w->cv, phi);
    return;
  }
  sn_system_constraints(w->system, w->to, w->cq / w->cv, phi);
  for (int i = 0; i < w->system->m; i++) phi[i] *= 1 / w->cq;
}

static void residual(void *self, double *r) {
  sn_low_order *w = self;
  int n = w->system->n, m = w->system->m;
  sn_state at = evaluate(w);
  if (w->ops->equations)
    w->ops->equations(w, &at, r);
  else
    sn_system_residual(w->system, &at, 1, r);
  if (w->ops->rows)
    w->ops->rows(w, r + n);
  else
    primary_constraints(w, r + n);
  /* with redundant constraints the matrix has -eps on its diagonal; the residual goes with it, or what l has in the
   * null space of G' would gather rounding from step to step */
  for (int i = 0; i < m; i++)
    r[n + i] = w->matrix_unit * (r[n + i] - w->system->regularization * w->system->row_unit[i] * w->to->l[i]);
}

static bool matrices_are_of_start(const sn_low_order *w) {
  return w->on_start && w->system->regularization > 0;
}

bool sn_low_order_factor_twin(sn_low_order *w) {
  w->twin_valid = sn_system_factor_mass(w->twin, matrices_are_of_start(w) ? w->from : w->to);
  return w->twin_valid;
}

/* Of (unit a1, l): [(cm M + cd D + ck K)/unit, G'; G, -unit eps], eps of redundant constraints */
static bool factor_in_unit(sn_low_order *w, const sn_state *at, bool stiff) {
  sn_system *s = w->system;
  const double eps = s->regularization, cd = stiff ? w->cd : 0, ck = stiff ? w->ck : 0;
  s->regularization = w->unit * eps;
  const bool good = sn_system_factor(s, at, 1, w->cm / w->unit, cd / w->unit, ck / w->unit);
  s->regularization = eps;
  return good;
}

/* Where equations of motion are met within the step, G' of the reactions is not the G of the constraints, which are met
 * at the end, and the one matrix has the first for both. Near singular positions they differ as much as by their sign,
 * and the iteration diverges. Then the matrix takes G of the end for both, (d, mu) are its solution, and the
 * multipliers follow from the same reaction: [M, G~'; G~, 0] (x, dl) = (G1'mu, 0), in the twin. */
static bool factor_at_end(sn_low_order *w, const sn_state *at) {
  sn_state end = *w->to;
  end.a = at->a;
  w->twin_valid = false;
  return sn_system_factor_mass(w->twin, at) && factor_in_unit(w, &end, true);
}

static const double *multipliers_within(sn_low_order *w, const double *mu) {
  int n = w->system->n;
  sn_system_reaction(w->system, w->to, mu, w->work);
  memset(w->work + n, 0, (size_t)w->system->m * sizeof(double));
  sn_system_solve(w->twin, w->work);
  return w->work + n;
}

static bool factor(void *self) {
  sn_low_order *w = self;
  sn_state at = evaluate(w);
  if (matrices_are_of_start(w)) at.t = w->from->t, at.q = w->from->q, at.v = w->from->v;
  w->matrix_cq = w->cq;
  w->matrix_unit = w->unit;
  w->age = 0;
  w->twin_valid = false; /* what has become too old for the one matrix is too old for the other */
  if (w->at_end) return factor_at_end(w, &at);
  if (w->ops->secondary == SN_POSITION_LEVEL && !sn_low_order_factor_twin(w)) return false;
  bool stiff = w->newton.variant != SN_SCHUR;
  return factor_in_unit(w, &at, stiff);
}

/* ---- the secondary level ---- */

/* r[n] += (cv D + cq K) w, from the kept matrices, which are of one state: the difference of what they make of w. */
static void add_stiffness_times_w(sn_low_order *w, double *r) {
  int n = w->system->n, size = n + w->system->m;
  double *x = w->work + size, *y = w->work + 2 * size;
  memcpy(x, w->w, (size_t)n * sizeof(double));
  memset(x + n, 0, (size_t)w->system->m * sizeof(double));
  sn_matrix_multiply(sn_system_matrix(w->system), x, y);
  for (int i = 0; i < n; i++) r[i] += y[i];
  sn_system_kept_mass_times(w->twin, w->to, x, y);
  for (int i = 0; i < n; i++) r[i] -= y[i];
}

/* One correction of w: its size, as a change of acceleration that would move the iterate as much. */
static double correct_secondary(sn_low_order *w) {
  int n = w->system->n;
  bool position = w->ops->secondary == SN_POSITION_LEVEL;
  if (!w->twin_valid && !sn_low_order_factor_twin(w)) return NAN;
  double *r = w->work;
  for (int i = 0; i < n; i++) w->middle[i] = 0.5 * (w->from->q[i] + w->to->q[i]);
  sn_state mid = *w->to;
  mid.q = w->middle;
  sn_system_mass_times(w->system, &mid, w->w, r);
  if (position) add_stiffness_times_w(w, r);
  sn_system_reaction(w->system, w->to, w->mu, w->middle);
  for (int i = 0; i < n; i++) r[i] = -r[i] - w->middle[i];
  constraints(w, w->ops->secondary, -1 / (w->sq + w->sv), r + n);
  sn_system_solve(position ? w->system : w->twin, r);
  for (int i = 0; i < n; i++) {
    w->w[i] += r[i];
    w->to->q[i] += w->sq * r[i];
    w->to->v[i] += w->sv * r[i];
  }
  for (int i = 0; i < w->system->m; i++) w->mu[i] += r[n + i];
  return (w->sq / w->cq + w->sv / w->cv) * sn_low_order_norm(w, r);
}

bool sn_low_order_close(sn_low_order *w, sn_level level, bool twin, int most) {
  const double enough = 1e-15, rounding = 1e-13, most_left = 1e-9; /* changes, relative to max(1, largest) */
  int n = w->system->n;
  double before = INFINITY, *const of[] = {NULL, w->to->q, w->to->v, w->to->a}, *x = of[level];
  bool renewed = false;
  w->x_found = false;
  if (twin && !w->twin_valid && !sn_low_order_factor_twin(w)) return false;
  for (int k = 0; k < (most > 0 ? most : 20); k++) {
    double change = 0, size = 1;
    memset(w->work, 0, (size_t)n * sizeof(double));
    constraints(w, level, -1, w->work + n);
    sn_system_solve(twin ? w->twin : w->system, w->work);
    for (int i = 0; i < n; i++) {
      x[i] += w->work[i];
      change = fmax(change, fabs(w->work[i]));
      size = fmax(size, fabs(x[i]));
    }
    for (int i = 0; i < w->system->m && twin && level == SN_VELOCITY_LEVEL; i++) w->mu[i] += w->work[n + i] / w->h;
    change /= size;
    if (!isfinite(change)) return false;
    if (change <= enough) return true;
    if (change > 0.3 * before) {
      if (change < rounding || renewed) return change < most_left;
      if (twin ? !sn_low_order_factor_twin(w) : !factor(w)) return false;
      if (w->ops->secondary == SN_POSITION_LEVEL) sn_newton_discard(&w->newton); /* they are no longer of one state */
      renewed = true;
    }
    before = change;
  }
  return most > 0;
}

/* What Newton left of the constraints of stabilized methods; positions first, as the velocities' equations depend on
 * them. */
static bool close_constraints(sn_low_order *w) {
  return (w->ops->secondary != SN_POSITION_LEVEL || sn_low_order_close(w, SN_POSITION_LEVEL, false, 0)) &&
         sn_low_order_close(w, SN_VELOCITY_LEVEL, true, 0);
}

typedef struct correction {
  sn_low_order *w;
  const double *dx;
} correction;

/* One pass: the iterate, x for the next residual, and the weighted squares of a1 - a0 and of dx. Sums are formed in
 * LANES parts, as one register of any instruction set or several hold them, so that they do not wait for each other. */
static void correct_piece(void *self, int first, int last, double sum[SN_MOST_SUMS]) {
  enum { LANES = 8 };
  const correction *c = self;
  const sn_low_order *w = c->w;
  const double cq = w->cq, cv = w->cv, per_unit = 1 / w->matrix_unit, al = w->alpha, part = 1 / (1 + al);
  const double *restrict dx = c->dx, *restrict a0 = w->a0, *restrict x0 = w->x0, *restrict weight = w->weight;
  double *restrict q = w->to->q, *restrict v = w->to->v, *restrict a = w->to->a, *restrict x = w->x;
  double change[LANES] = {0}, step[LANES] = {0};
  for (int k = first; k < last; k += LANES) {
    const int count = last - k < LANES ? last - k : LANES;
    for (int e = 0; e < count; e++) {
      const int i = k + e;
      const double d = per_unit * dx[i], next = a[i] - d, far = (next - a0[i]) * weight[i], near = dx[i] * weight[i];
      a[i] = next;
      v[i] -= cv * d;
      q[i] -= cq * d;
      x[i] = part * (next + al * x0[i]);
      change[e] += far * far;
      step[e] += near * near;
    }
  }
  for (int e = 0; e < LANES; e++) sum[0] += change[e], sum[1] += step[e];
}

/* Norms are root mean squares of local errors in position. */
static double correct(void *self, const double *dx) {
  sn_low_order *w = self;
  int n = w->system->n;
  const double *dl = w->at_end ? multipliers_within(w, dx + n) : dx + n;
  correction c = {w, dx};
  double sum[SN_MOST_SUMS];
  sn_threads_sum(w->system->threads, n, correct_piece, &c, sum);
  w->x_found = finds_x(w);
  for (int i = 0; i < w->system->m; i++) w->to->l[i] -= dl[i];
  w->error = w->C * w->h * w->h * sqrt(sum[0] / n);
  double norm = w->C * w->h * w->h * sqrt(sum[1] / n) / w->matrix_unit;
  return w->ops->secondary != SN_NO_LEVEL && w->system->m > 0 ? norm + correct_secondary(w) : norm;
}

/* What Newton leaves is fed back, noise of alternating sign in a is part of a1 - a0. Where constraints hold the
 * coordinates, the formulas damp such noise by a root, double for Newmark's -(1 - d)/(1 + d), and errors of relative
 * size c move a double root by the order of sqrt(4 c): c must stay well below the square of the margin 1 - |root|, or
 * the noise grows. */
double sn_low_order_share(double root) {
  double margin = 1 - fabs(root);
  return fmax(0.01 * margin * margin, 1e-18);
}

/* Newton's share of the tolerance, or of the local error the step itself makes. A small error in the deformation of a
 * stiff body is a large force: fed back from step to step it would change the energy. */
static double target(void *self) {
  sn_low_order *w = self;
  if (w->to_rounding) return 0;
  const double share = w->fixed && !w->system->model->small_coordinates ? 1e-3 : 1e-5, floor = 1e-18;
  const double most = 0.01; /* a diverging iterate has a large error and would otherwise relax its own target */
  return fmax(fmin(share, w->share) * (w->fixed ? fmin(w->error, most) : sn_low_order_allowed(w)), floor);
}

/* Norm of the constraints without scaling: at the primary level, or as in the rows of the method. */
static void norms(void *self, const double *r, double left[2]) {
  const sn_low_order *w = self;
  int n = w->system->n, m = w->system->m;
  double scale = (w->ops->rows ? 1 : w->ops->primary == SN_POSITION_LEVEL ? w->cq : w->cv) / w->matrix_unit;
  double sum[2] = {0};
  for (int i = 0; i < n + m; i++) sum[i >= n] += r[i] * r[i];
  left[0] = sqrt(sum[0]);
  left[1] = scale * sqrt(sum[1]);
}

const sn_newton_ops sn_low_order_newton = {reset, residual, factor, correct, target, norms};

/* ---- one step ---- */

typedef struct weighing {
  sn_low_order *w;
  const sn_state *state;
} weighing;

static void weigh_piece(void *self, int first, int last) {
  const weighing *x = self;
  sn_low_order *w = x->w;
  const double *unit = w->system->model->unit + first;
  sn_lower_weights(&w->settings, w->tolerance, last - first, unit, x->state->q + first, w->weight + first);
  if (!w->rate_weight) return;
  sn_lower_weights(&w->settings, w->tolerance, last - first, unit, x->state->v + first, w->rate_weight + first);
}

void sn_low_order_update_weights(sn_low_order *w, const sn_state *state) {
  weighing x = {w, state};
  sn_threads_split(w->system->threads, w->system->n, weigh_piece, &x);
}

/* schur failed: does it converge with stiffness and damping in the matrix? */
static bool misses_stiffness(sn_low_order *w) {
  if (w->newton.variant != SN_SCHUR) return false;
  w->newton.variant = SN_FULL;
  reset(w);
  bool converges = sn_newton_solve(&w->newton) == SN_CONVERGED;
  w->newton.variant = SN_SCHUR;
  sn_newton_discard(&w->newton);
  return converges;
}

static void accept_piece(void *self, int first, int last) {
  const weighing *x = self;
  sn_low_order *w = x->w;
  const size_t bytes = (size_t)(last - first) * sizeof(double);
  if (w->ops->two_steps) {
    memcpy(w->last_q + first, w->from->q + first, bytes);
    memcpy(w->last_v + first, w->v0 + first, bytes);
  }
  sn_low_order_add_slopes(w, first, last);
  weigh_piece(self, first, last);
  memcpy(w->a0 + first, w->to->a + first, bytes);
}

static void swap_vectors(double **a, double **b) {
  double *swap = *a;
  *a = *b;
  *b = swap;
}

static void accept(sn_low_order *w, const sn_state *state) {
  weighing x = {w, state};
  evaluate(w);
  swap_vectors(&w->x0, &w->x);
  w->x_found = false;
  swap_vectors(&w->a0, &w->previous); /* `previous` has the last one, and all of a0 is overwritten */
  w->l0 = w->a0 + w->system->n;
  sn_low_order_begin_slopes(w);
  sn_threads_split(w->system->threads, w->system->n, accept_piece, &x);
  memcpy(w->l0, w->to->l, (size_t)w->system->m * sizeof(double));
  sn_low_order_end_slopes(w);
  w->previous_h = w->last_h = w->h;
  sn_step_count(w->system->count, w->h);
  if (w->ops->accept) w->ops->accept(w);
}

static sn_newton_result solve_at_end(sn_low_order *w) {
  int worst = w->newton.worst;
  w->at_end = true;
  sn_newton_discard(&w->newton);
  reset(w);
  sn_newton_result result = sn_newton_solve(&w->newton);
  w->at_end = false;
  sn_newton_discard(&w->newton);
  if (result != SN_CONVERGED) w->newton.worst = worst;
  return result;
}

/* Contacts that come to rest within the step: see contact/turned.c. */
static sn_newton_result solve_turning(sn_low_order *w) {
  if (!w->turning) reset(w);
  w->newton.variant = SN_FULL;
  sn_system_watch_contacts(w->system, true);
  sn_newton_result result = sn_newton_solve(&w->newton);
  sn_system_watch_contacts(w->system, false);
  w->newton.variant = SN_MODIFIED;
  w->turning = result == SN_CONVERGED && w->newton.held;
  return result;
}

static sn_newton_result solve(sn_low_order *w) {
  enum { OLDEST = 100 }; /* steps */
  w->unit = w->mass_unit;
  if (w->age++ >= OLDEST && sn_low_order_is_filtered(w)) sn_newton_discard(&w->newton);
  sn_low_order_change_step(w);
  w->ops->begin(w);
  if (!w->ops->evaluate) w->cm = 1 / (1 + w->alpha), w->cd = w->cv, w->ck = w->cq;
  bool depends_on_h = w->newton.variant != SN_SCHUR;
  if (depends_on_h && !(fabs(w->cq / w->matrix_cq - 1) < 0.3)) sn_newton_discard(&w->newton);
  if (w->newton.stop[0] > 0 && w->matrix_unit != w->unit) { /* residuals outlive a new matrix: one unit for both */
    sn_newton_discard(&w->newton);
    w->matrix_unit = w->unit;
  }
  reset(w);
  sn_newton_result result = w->turning ? SN_DIVERGED : sn_newton_solve(&w->newton);
  if (result != SN_CONVERGED && w->ops->evaluate && w->twin && w->newton.variant == SN_MODIFIED)
    result = solve_at_end(w);
  if (result != SN_CONVERGED && w->newton.turns) result = solve_turning(w);
  if (result != SN_CONVERGED || w->system->m == 0) return result;
  bool closed = w->ops->secondary == SN_NO_LEVEL || close_constraints(w);
  if (w->ops->finish) w->x_found = false;
  if (closed && (!w->ops->finish || w->ops->finish(w))) return result;
  sn_newton_discard(&w->newton);
  return SN_DIVERGED;
}

/* Local error of the iterate in tolerances. From rest M a0 = Q where reactions are zero, and all of M (a1 - a0) is that of
 * reactions after the step: across the constraints there, however long the step. A first step is therefore judged by all
 * of a1 - a0; nothing is left in it yet by changes of the step. */
static double judged_error(sn_low_order *w) {
  const bool is_long = w->past[0] == 0 && w->h > 1.001 * w->own_first;
  const double whole = w->error, all = is_long ? whole : 0, allowed = sn_low_order_allowed(w);
  w->error = fmax(all, sn_low_order_error(w));
  if (w->error > allowed && all <= allowed && sn_low_order_is_filtered(w) && !w->newton.fresh && factor(w)) {
    w->error = whole;
    w->error = fmax(all, sn_low_order_error(w));
  }
  const double error = w->error / allowed;
  return fmax(error, sn_low_order_rate_error(w, error));
}

sn_status sn_low_order_step(void *self, sn_state *state, sn_state *before, double limit) {
  sn_low_order *w = self;
  sn_state swap = *before; /* the old arrays of `before` take the new state */
  *before = *state;
  *state = swap;
  w->from = before;
  w->to = state;
  for (;;) {
    w->h = sn_step_begin(&w->control, before->t, limit);
    sn_newton_result result = solve(w);
    if (result == SN_CONVERGED) {
      const double error = w->fixed ? 0 : judged_error(w);
      if (sn_step_judge(&w->control, before->t, w->h, error)) {
        w->system->count->local_error += w->error;
        break;
      }
      w->system->count->error_rejections++;
      if (w->h > w->control.smallest) continue;
      sn_low_order_report_error(w, before);
    } else {
      w->system->count->newton_rejections++;
      int worst = w->newton.worst;
      if (w->fixed && misses_stiffness(w)) {
        w->newton.worst = worst;
        sn_low_order_report_stiffness(w, before->t);
      } else if (sn_step_cut(&w->control, w->h)) {
        w->previous_h = 0; /* extrapolation may be what failed */
        w->rough = SN_DIFFERENCES;
        continue;
      } else {
        sn_low_order_report_failure(w, before, result);
      }
    }
    swap = *state;
    *state = *before;
    *before = swap;
    return SN_NUMERICS;
  }
  accept(w, state);
  return SN_OK;
}
