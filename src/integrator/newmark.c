/* newmark.c - Newmark and HHT-I3: index 3, unknowns (a1, l1).
 *
 *   q1 = q0 + h v0 + h^2/2 ((1 - 2b) a0 + 2b a1),   v1 = v0 + h ((1 - g) a0 + g a1)
 *   M1 x1 + (G'l - Q)_1 = 0,   x1 = (a1 + al x0)/(1 + al),   Phi_1/(b h^2) = 0
 *   hht-i3:  al in [-0.3, 0], g = 1/2 - al, b = (1 - al)^2/4
 *   newmark: al = 0 above, g = 1/2 + d, b = (g + 1/2)^2/4: the same g and b with d = -al
 *   matrix:  [M/(1 + al) + g h D + b h^2 K, G'; G, 0]
 * x is the acceleration of the equations, a the one of Newmark's formulas: a1 = (1 + al) x1 - al x0. With a constant M
 * this is HHT-I3 as usually written, M a1/(1 + al) + (G'l - Q)_1 - al/(1 + al) (G'l - Q)_0 = 0; where M depends on q
 * (rigid bodies in space) that form takes M1 for M0 in the last term and is of first order only.
 *   local error (Hussein et al.): (b - 1/(6 (1 + al))) h^2 (a1 - a0), weighted by Y = max(1, |q| so far)
 *   h_new = 0.9 h Theta^(-1/6), Theta = (error/tolerance)^2
 */
#include <math.h>
#include <string.h>

#include "integrator/newton.h"
#include "integrator/step.h"
#include "model/kinds.h"

/* ---- one step ---- */

typedef struct newmark {
  sn_system *system;
  double alpha, beta, gamma;
  double C; /* factor of the local error: |beta - 1/(6 (1 + alpha))| */
  bool fixed;
  double tolerance;
  sn_integrator_spec settings;
  double h;        /* of the step under way */
  double matrix_h; /* the kept matrix belongs to */
  double error;    /* local error of the iterate: C h^2 |a1 - a0| */
  sn_newton newton;
  sn_step_control control;
  const sn_state *from; /* start of the step */
  sn_state *to;         /* iterate */
  double *weight;       /* [n] 1/Y, Y = max(1, |q| so far), or as relative and absolute say */
  double *x0, *x;       /* [n] acceleration of the equations: at the start of the step, of the iterate */
  double *predicted;    /* [n + m] (a, l) the iteration starts from */
  double *previous;     /* [n + m] (a, l) at the start of the last step */
  double previous_h;    /* 0: none */
} newmark;

/* Back to the predictor. */
static void newmark_reset(void *self) {
  newmark *w = self;
  const sn_state *s = w->from;
  double h = w->h, b = w->beta, g = w->gamma;
  w->to->t = s->t + h;
  for (int i = 0; i < w->system->n; i++) {
    double a = w->predicted[i];
    w->to->a[i] = a;
    w->to->q[i] = s->q[i] + h * s->v[i] + h * h * ((0.5 - b) * s->a[i] + b * a);
    w->to->v[i] = s->v[i] + h * ((1 - g) * s->a[i] + g * a);
  }
  memcpy(w->to->l, w->predicted + w->system->n, (size_t)w->system->m * sizeof(double));
}

/* The iterate with x in place of a. */
static sn_state newmark_at(newmark *w) {
  sn_state at = *w->to;
  double al = w->alpha;
  for (int i = 0; i < w->system->n; i++) w->x[i] = (w->to->a[i] + al * w->x0[i]) / (1 + al);
  at.a = w->x;
  return at;
}

static void newmark_residual(void *self, double *r) {
  newmark *w = self;
  int n = w->system->n, m = w->system->m;
  double scale = 1 / (w->beta * w->h * w->h);
  sn_state at = newmark_at(w);
  sn_system_residual(w->system, &at, 1, r);
  sn_system_position(w->system, w->to, r + n);
  /* with redundant constraints the matrix has -eps on its diagonal; the residual goes with it, or what l has in the
   * null space of G' would gather rounding from step to step */
  for (int i = 0; i < m; i++) r[n + i] = scale * r[n + i] - w->system->regularization * w->to->l[i];
}

static bool newmark_factor(void *self) {
  newmark *w = self;
  double h = w->h;
  sn_state at = newmark_at(w);
  w->matrix_h = h;
  return sn_system_factor(w->system, &at, 1, 1 / (1 + w->alpha), w->gamma * h, w->beta * h * h);
}

/* Norms are root mean squares of local errors in position: C h^2 |da/Y|. */
static double newmark_correct(void *self, const double *dx) {
  newmark *w = self;
  int n = w->system->n;
  double h = w->h, bq = w->beta * h * h, gv = w->gamma * h, sum = 0, change = 0;
  const double *a0 = w->from->a, *weight = w->weight;
  double *q = w->to->q, *v = w->to->v, *a = w->to->a;
  for (int i = 0; i < n; i++) {
    double d = dx[i], x = d * weight[i];
    a[i] += d;
    v[i] += gv * d;
    q[i] += bq * d;
    double y = (a[i] - a0[i]) * weight[i];
    sum += x * x;
    change += y * y;
  }
  for (int i = 0; i < w->system->m; i++) w->to->l[i] += dx[n + i];
  w->error = w->C * h * h * sqrt(change / n);
  return w->C * h * h * sqrt(sum / n);
}

/* Newton's share of the tolerance, or of the local error the step itself makes. In the latter case what it leaves is
 * fed back: noise of alternating sign in a is part of a1 - a0. Where constraints hold the coordinates, Newmark's
 * formulas damp such noise by the double root -(1 - d)/(1 + d), and errors of relative size c move a double root by the
 * order of sqrt(4 c): c must stay well below the square of the margin 1 - (1 - d)/(1 + d), or the noise grows. */
static double newmark_target(void *self) {
  newmark *w = self;
  /* a small error in the deformation of a stiff body is a large force: it must not be fed back from step to step */
  const double share = w->fixed && w->system->model->small_coordinates ? 1e-5 : 1e-3, floor = 1e-18;
  double d = w->gamma - 0.5, margin = 2 * d / (1 + d);
  return w->fixed ? fmax(fmin(share, 0.01 * margin * margin) * w->error, floor) : share * w->tolerance;
}

static const sn_newton_ops newmark_newton = {newmark_reset, newmark_residual, newmark_factor, newmark_correct,
                                             newmark_target};

/* Predictor: accelerations and multipliers go on linearly. */
static void predict(newmark *w) {
  int n = w->system->n, m = w->system->m;
  double s = w->previous_h > 0 ? w->h / w->previous_h : 0;
  for (int i = 0; i < n; i++) w->predicted[i] = w->from->a[i] + s * (w->from->a[i] - w->previous[i]);
  for (int i = 0; i < m; i++) w->predicted[n + i] = w->from->l[i] + s * (w->from->l[i] - w->previous[n + i]);
}

static void update_weights(newmark *w, const sn_state *state) {
  for (int i = 0; i < w->system->n; i++)
    w->weight[i] = fmin(w->weight[i], w->tolerance / sn_allowed(&w->settings, state->q[i]));
}

static sn_status report_failure(newmark *w, double t, sn_newton_result result) {
  sn_system *s = w->system;
  const char *hint = w->fixed ? "a smaller step, or an adaptive one (tolerance)" : "a look at the model near that time";
  if (result == SN_SINGULAR)
    return sn_fail(s->context, SN_NUMERICS,
                   "the iteration matrix is singular at t = %g s with step %g s\n  what may help: %s", t, w->h, hint);
  return sn_fail(
      s->context, SN_NUMERICS,
      "no convergence at t = %g s: step %g s is at the minimum, %d iterations, correction %.3g (allowed %.3g), "
      "worst at '%s'\n  what may help: %s",
      t, w->h, w->newton.iterations, w->newton.last_norm, w->newton.last_target, sn_system_owner(s, w->newton.worst),
      hint);
}

static void accept(newmark *w, const sn_state *state) {
  sn_statistics *st = w->system->count;
  memcpy(w->previous, w->from->a, (size_t)w->system->n * sizeof(double));
  memcpy(w->previous + w->system->n, w->from->l, (size_t)w->system->m * sizeof(double));
  w->previous_h = w->h;
  st->steps++;
  if (st->smallest_step == 0 || w->h < st->smallest_step) st->smallest_step = w->h;
  if (w->h > st->largest_step) st->largest_step = w->h;
  update_weights(w, state);
  newmark_at(w);
  memcpy(w->x0, w->x, (size_t)w->system->n * sizeof(double));
}

static sn_status newmark_step(void *self, sn_state *state, sn_state *before, double limit) {
  newmark *w = self;
  sn_state swap = *before; /* the old arrays of `before` take the new state */
  *before = *state;
  *state = swap;
  w->from = before;
  w->to = state;
  for (;;) {
    w->h = sn_step_begin(&w->control, before->t, limit);
    double ratio = w->h / w->matrix_h;
    if (!(fabs(ratio * ratio - 1) < 0.3)) sn_newton_discard(&w->newton);
    predict(w);
    newmark_reset(w);
    sn_newton_result result = sn_newton_solve(&w->newton);
    if (result == SN_CONVERGED) {
      double error = w->fixed ? 0 : w->error / w->tolerance;
      if (sn_step_judge(&w->control, before->t, w->h, error)) break;
      w->system->count->error_rejections++;
      if (w->h > w->control.smallest) continue;
      sn_fail(w->system->context, SN_NUMERICS, "the local error cannot be met at t = %g s: step %g s is at the minimum",
              before->t, w->h);
    } else {
      w->system->count->newton_rejections++;
      if (sn_step_cut(&w->control, w->h)) {
        w->previous_h = 0; /* extrapolation may be what failed */
        continue;
      }
      report_failure(w, before->t, result);
    }
    swap = *state;
    *state = *before;
    *before = swap;
    return SN_NUMERICS;
  }
  accept(w, state);
  return SN_OK;
}

/* First adaptive step: local error C h^2 |a1 - a0| with a1 - a0 guessed as a h/T, T = 1 s; small models start smaller.
 */
static double first_step(const newmark *w, const sn_state *state) {
  double a = 0, v = 0;
  for (int i = 0; i < w->system->n; i++) {
    a = fmax(a, fabs(state->a[i] * w->weight[i]));
    v = fmax(v, fabs(state->v[i] * w->weight[i]));
  }
  return fmin(1e-3, cbrt(w->tolerance / (w->C * fmax(fmax(a, v), 1))));
}

static newmark *newmark_create(sn_system *system, const sn_integrator_spec *s, const sn_state *state, double alpha,
                               double d) {
  newmark *w = SN_NEW(&system->arena, newmark, 1);
  *w = (newmark){.system = system,
                 .alpha = alpha,
                 .beta = (1 + d) * (1 + d) / 4,
                 .gamma = 0.5 + d,
                 .tolerance = s->tolerance,
                 .settings = *s,
                 .fixed = s->step > 0};
  w->C = fabs(w->beta - 1 / (6 * (1 + alpha)));
  w->weight = SN_NEW(&system->arena, double, system->n);
  w->x0 = SN_NEW(&system->arena, double, system->n);
  w->x = SN_NEW(&system->arena, double, system->n);
  w->predicted = SN_NEW(&system->arena, double, system->n + system->m);
  w->previous = SN_NEW(&system->arena, double, system->n + system->m);
  for (int i = 0; i < system->n; i++) w->weight[i] = INFINITY;
  update_weights(w, state);
  w->control = (sn_step_control){.fixed = w->fixed,
                                 .nominal = s->step,
                                 .smallest = s->min_step,
                                 .largest = s->max_step,
                                 .order = 3,
                                 .grid_start = state->t};
  w->control.h = w->fixed              ? s->step
                 : s->initial_step > 0 ? s->initial_step
                                       : fmax(fmin(first_step(w, state), s->max_step), s->min_step);
  sn_newton_create(&w->newton, system, &newmark_newton, w);
  memcpy(w->x0, state->a, (size_t)system->n * sizeof(double));
  return w;
}

/* ---- the two methods ---- */

static void *create_newmark(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  return newmark_create(system, s, state, 0, s->delta);
}

static void *create_hht(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  return newmark_create(system, s, state, s->alpha, -s->alpha);
}

static const sn_field newmark_fields[] = {
    SN_STEP_FIELDS,
    {"delta", SN_REAL, SN_AT(sn_integrator_spec, delta), .def = "0.05", .limits = SN_BETWEEN(0, 1),
     .help = "numerical damping: gamma = 1/2 + delta, beta = (gamma + 1/2)^2/4; 0 is unstable with constraints"},
    {0},
};

const sn_integrator_ops sn_newmark = {
    .kind = {.name = "newmark",
             .category = SN_INTEGRATORS,
             .summary = "Newmark's method at index 3 (first order)",
             .fields = newmark_fields,
             .spec_size = sizeof(sn_integrator_spec)},
    .create = create_newmark,
    .step = newmark_step,
};

static const sn_field hht_fields[] = {
    SN_STEP_FIELDS,
    {"alpha", SN_REAL, SN_AT(sn_integrator_spec, alpha), .def = "-0.05", .limits = SN_BETWEEN(-0.3, 0),
     .help = "numerical damping: gamma = 1/2 - alpha, beta = (1 - alpha)^2/4"},
    {0},
};

const sn_integrator_ops sn_hht_i3 = {
    .kind = {.name = "hht-i3",
             .category = SN_INTEGRATORS,
             .summary = "Hilber-Hughes-Taylor at index 3 (second order)",
             .fields = hht_fields,
             .spec_size = sizeof(sn_integrator_spec)},
    .create = create_hht,
    .step = newmark_step,
};
