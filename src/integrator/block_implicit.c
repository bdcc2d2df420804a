/* block_implicit.c - radau5, radau and gam: see block_implicit.h for the equations.
 *
 * After a block the state at its end is that of the last point; a and l there are solved for at the acceleration
 * level, since the method's own are of lower order at index 3 (and GAM starts the next block from them).
 */
#include "integrator/block_implicit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/failure.h"

/* ---- steps ---- */

static void update_weights(sn_block *w, const sn_state *state) {
  sn_lower_weights(&w->settings, w->tolerance, w->system->n, w->system->model->unit, state->q, w->weight);
  sn_lower_weights(&w->settings, w->tolerance, w->system->n, w->system->model->unit, state->v, w->rate_weight);
}

static bool order_is_high(const sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  return w->system->m > 0 && t->order > (t->family == SN_RADAU ? 5 : 3);
}

static const char *const too_high =
    "this order may be too high for index 3: errors of the positions affect the multipliers by 1/h^2";

static const char *lower_order(const sn_block *w) {
  return sn_block_tableau(w)->family == SN_RADAU ? "order: 5, or a smaller tolerance" : "order: 3, or radau5";
}

static sn_status report_failure(const sn_block *w, const sn_state *state, sn_newton_result result) {
  sn_system *s = w->system;
  char what[600];
  const char *help = order_is_high(w)    ? lower_order(w)
                     : w->newton.stalled ? sn_rounding_hint
                     : w->fixed          ? "a smaller step, or adaptive steps (tolerance)"
                     : w->tolerance > 1e-6
                         ? "a smaller tolerance (large ones lead to steps in which Newton's method does not converge)"
                         : "check the model near that time";
  if (result == SN_SINGULAR)
    snprintf(what, sizeof what, "%.300s (step %g s)", sn_message(s->context), w->h);
  else
    snprintf(what, sizeof what,
             "no convergence at t = %g s: step %g s is at the minimum, order %d, %d iterations, correction %.3g "
             "(allowed %.3g), worst at '%s'\n  %s",
             state->t, w->h, sn_block_tableau(w)->order, w->newton.iterations, w->newton.last_norm,
             w->newton.last_target, sn_system_owner(s, w->newton.worst),
             order_is_high(w) ? too_high
                              : "the motion within one step is too large for the Jacobian at the middle of the step");
  return sn_fail_step(s, &w->settings, state, w->h, what, help);
}

static sn_status report_error(const sn_block *w, const sn_state *state) {
  char what[400];
  bool high = order_is_high(w);
  snprintf(what, sizeof what,
           "the local error exceeds the tolerance at t = %g s: step %g s is at the minimum, order %d%s%s", state->t,
           w->h, sn_block_tableau(w)->order, high ? "\n  " : "", high ? too_high : "");
  return sn_fail_step(w->system, &w->settings, state, w->h, what,
                      high ? lower_order(w) : "check the model near that time");
}

/* What Newton left in Phi at the end of a GAM block is a jump for the next: all its points meet Phi = 0, its start does
 * not, and its error estimate keeps some hundred times the jump however short the step. Where that would count it is
 * taken away,
 *
 *     [M + D/mu + K/mu^2, G'; G, 0] (dq, .) = (0, -Phi)
 *
 * with the matrix of the first shift: stiff deformations are left as they are. G is real, so the real part serves. */
static void close_positions(sn_block *w, sn_state *state) {
  enum { MOST = 4 };
  const double counts = 3e-4 * w->tolerance;
  sn_system *s = w->system;
  double *phi = w->work, before = INFINITY;
  if (s->m == 0 || w->fixed || sn_block_tableau(w)->family == SN_RADAU) return;
  for (int k = 0; k < MOST; k++) {
    double size = 0;
    sn_system_position(s, state, phi);
    for (int i = 0; i < s->m; i++) size = fmax(size, fabs(phi[i]));
    if (size <= counts || !(size < 0.5 * before)) return;
    before = size;
    for (int i = 0; i < s->n + s->m; i++) w->x[i] = i < s->n ? 0 : -phi[i - s->n];
    sn_shifted_solve(w->shifted, 0, w->x);
    s->count->solves++;
    for (int i = 0; i < s->n; i++) state->q[i] += creal(w->x[i]);
  }
}

/* The end of the block becomes the state. */
static sn_status finish(sn_block *w, sn_state *state) {
  const sn_tableau *t = sn_block_tableau(w);
  size_t n = (size_t)w->system->n, last = (size_t)t->stages - 1;
  state->t = w->to;
  memcpy(state->q, w->now.q + last * n, n * sizeof(double));
  memcpy(state->v, w->now.v + last * n, n * sizeof(double));
  close_positions(w, state);
  memcpy(w->now.q + last * n, state->q, n * sizeof(double));
  sn_status status =
      w->project && w->system->m > 0 ? sn_project_rates(w->system, state) : sn_solve_accelerations(w->system, state);
  if (status) return status;
  sn_step_count(w->system->count, w->h);
  update_weights(w, state);
  sn_block_judge_prediction(w);
  w->before_h = w->h;
  w->before_use = w->use;
  return SN_OK;
}

/* One attempt with the present step and order. */
static sn_newton_result attempt(sn_block *w) {
  double ratio = w->h / w->matrix_h;
  w->newton.rounding = fmax(1e-14, 4e-18 * sn_block_tableau(w)->amplify);
  w->newton.enough = sn_newton_enough(w->fixed, w->tolerance);
  sn_block_weigh_rates(w);
  w->newton.most = w->fixed ? 25 : 6 + 2 * sn_block_tableau(w)->stages;
  if (w->matrix_use != w->use || !(fabs(ratio - 1) < 0.1)) sn_newton_discard(&w->newton);
  sn_block_reset(w);
  return sn_newton_solve(&w->newton);
}

/* Newton's method failed: half the step, and a limit below the failed step, which is relaxed slowly. In stiff models
 * Newton's method fails at steps that the error would still allow. */
static bool cut(sn_block *w) {
  bool possible = sn_step_cut(&w->control, w->h);
  w->control.h = fmax(w->h / 2, w->control.smallest);
  w->most_h = 0.7 * w->h;
  return possible;
}

static void limit_growth(sn_block *w) {
  w->control.h = fmin(w->control.h, fmax(w->most_h, w->control.smallest));
  w->most_h *= 1.05;
}

static sn_status block_step(void *self, sn_state *state, sn_state *before, double limit) {
  sn_block *w = self;
  sn_state swap = *before; /* the old arrays of `before` take the new state */
  *before = *state;
  *state = swap;
  w->from = before;
  sn_block_points points = w->before; /* the last solution becomes the block before */
  w->before = w->now;
  w->now = points;
  sn_status status = SN_NUMERICS;
  for (;;) {
    w->h = sn_step_begin(&w->control, before->t, limit);
    w->to = w->h == limit - before->t ? limit : before->t + w->h;
    sn_newton_result result = attempt(w);
    if (result == SN_CONVERGED) {
      double error = w->fixed ? 0 : sn_block_error(w);
      double tried = w->h;
      w->control.order = sn_block_error_order(sn_block_tableau(w));
      if (sn_step_judge(&w->control, before->t, tried, error)) {
        status = finish(w, state);
        w->rejected = false;
        if (status == SN_OK && w->variable) sn_block_choose_order(w, error);
        if (!w->fixed) limit_growth(w);
        if (status == SN_OK) return SN_OK;
        break;
      }
      w->system->count->error_rejections++;
      w->rejected = true;
      if (tried > w->control.smallest) continue;
      report_error(w, before);
    } else {
      w->system->count->newton_rejections++;
      w->rejected = true;
      w->before_h = 0; /* extrapolation may be what failed */
      w->control.last_error = 1;
      if (w->variable && w->use > 0) sn_block_lower_order(w);
      if (cut(w)) continue;
      report_failure(w, before, result);
    }
    break;
  }
  swap = *state;
  *state = *before;
  *before = swap;
  before->t = state->t; /* no step to interpolate in */
  w->before_h = 0;
  return status;
}

/* ---- the polynomial of a block ---- */

static void block_interpolate(void *self, sn_state *x) {
  const sn_block *w = self;
  const sn_tableau *t = &w->tableau[w->before_use];
  int n = w->system->n, m = w->system->m, s = t->stages;
  double c[SN_STAGES + 1] = {0}, p[SN_STAGES + 1];
  memcpy(c + 1, t->c, (size_t)s * sizeof(double));
  sn_lagrange(s + 1, c, (x->t - w->from->t) / w->before_h, p);
  for (int k = 0; k < n; k++) {
    x->q[k] = p[0] * w->from->q[k];
    x->v[k] = p[0] * w->from->v[k];
    x->a[k] = p[0] * w->from->a[k];
    for (int i = 0; i < s; i++) {
      x->q[k] += p[i + 1] * w->now.q[i * n + k];
      x->v[k] += p[i + 1] * w->now.v[i * n + k];
      x->a[k] += p[i + 1] * w->now.a[i * n + k];
    }
  }
  for (int k = 0; k < m; k++) {
    x->l[k] = p[0] * w->from->l[k];
    for (int i = 0; i < s; i++) x->l[k] += p[i + 1] * w->now.l[i * m + k];
  }
}

/* ---- creation ---- */

static void create_points(sn_system *system, sn_block_points *p) {
  p->q = SN_NEW(&system->arena, double, SN_STAGES * system->n);
  p->v = SN_NEW(&system->arena, double, SN_STAGES * system->n);
  p->a = SN_NEW(&system->arena, double, SN_STAGES * system->n);
  p->l = SN_NEW(&system->arena, double, SN_STAGES * system->m);
}

static void block_history(void *self, sn_history *h) {
  sn_block *w = self;
  size_t n = SN_STAGES * (size_t)w->system->n, m = SN_STAGES * (size_t)w->system->m;
  sn_step_history(&w->control, h);
  sn_history_int(h, &w->use, 0, w->orders - 1);
  sn_history_int(h, &w->before_use, 0, w->orders - 1);
  sn_history_int(h, &w->predict, 1, SN_STAGES);
  sn_history_int(h, &w->since, 0, INT_MAX);
  sn_history_int(h, &w->hold, 0, INT_MAX);
  sn_history_at_least(h, &w->control.order, 1);
  sn_history_at_least(h, &w->before_h, 0);
  double *values[] = {&w->most_h, &w->lower, &w->mark_time, &w->mark_cost};
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
  sn_history_reals(h, w->efficiency, SN_COUNT(w->efficiency));
  sn_history_reals(h, w->weight, (size_t)w->system->n);
  sn_history_reals(h, w->rate_weight, (size_t)w->system->n);
  double *points[] = {w->now.q, w->now.v, w->now.a};
  for (size_t k = 0; k < SN_COUNT(points); k++) sn_history_reals(h, points[k], n);
  sn_history_reals(h, w->now.l, m);
}

static void block_free(void *self) {
  sn_block *w = self;
  sn_shifted_free(w->shifted);
  sn_system_free(w->twin);
}

/* First adaptive step: a tenth of the time scale of the start, less for tight tolerances. */
static double first_step(const sn_block *w, const sn_state *state) {
  double a = sn_block_norm(w, w->weight, state->a), v = sn_block_norm(w, w->weight, state->v);
  double scale = 1 / fmax(fmax(v, sqrt(a)), 1);
  return 0.1 * scale * pow(fmin(w->tolerance, 1), 1 / sn_block_error_order(sn_block_tableau(w)));
}

typedef struct block_spec {
  sn_integrator_spec head;
  bool project; /* velocities */
  int order;    /* radau, gam: 0 chosen on the run, 1 the lowest, ... */
} block_spec;

static sn_block *create_block(sn_system *system, const sn_integrator_spec *s, const sn_state *state, int orders) {
  const block_spec *own = (const block_spec *)(const void *)s;
  sn_block *w = SN_NEW(&system->arena, sn_block, 1);
  int n = system->n, size = n + system->m;
  *w = (sn_block){.system = system,
                  .orders = orders,
                  .settings = sn_settings_of_a_step(s),
                  .fixed = s->step > 0,
                  .project = own->project,
                  .order = own->order,
                  .predict = 2,
                  .most_h = INFINITY};
  w->tolerance = w->settings.relative > 0 ? w->settings.relative : w->settings.tolerance;
  w->tableau = SN_NEW(&system->arena, sn_tableau, orders);
  create_points(system, &w->now);
  create_points(system, &w->before);
  w->r = SN_NEW(&system->arena, double, 4 * SN_STAGES * size);
  w->work = SN_NEW(&system->arena, double, 4 * size);
  w->x = SN_NEW(&system->arena, double complex, 2 * size);
  w->rate = SN_NEW(&system->arena, double, size);
  w->product = SN_NEW(&system->arena, double, size);
  w->weight = SN_NEW(&system->arena, double, n);
  w->rate_weight = SN_NEW(&system->arena, double, n);
  w->newton_weight = SN_NEW(&system->arena, double, n);
  for (int i = 0; i < n; i++) w->weight[i] = w->rate_weight[i] = INFINITY;
  update_weights(w, state);
  sn_newton_create(&w->newton, system, &sn_block_newton, w);
  w->newton.iterate = sn_block_iterate;
  sn_newton_use(&w->newton, (sn_newton_variant)s->newton, w->weight);
  w->newton.slow = 0.1; /* an iteration evaluates all points: dearer than with one-step methods */
  if (sn_system_twin(system, &sn_klu, &w->twin)) return NULL;
  if (sn_block_make_shifted(w)) return w;
  sn_system_free(w->twin);
  return NULL;
}

/* Tableaux are there: order and first step. */
static sn_block *begin(sn_block *w, const sn_integrator_spec *s, const sn_state *state) {
  w->variable = w->order == 0 && w->orders > 1 && !w->fixed;
  w->use = w->orders > 1 && w->order > 0 ? w->order - 1 : 0;
  w->control = (sn_step_control){.fixed = w->fixed,
                                 .nominal = s->step,
                                 .smallest = s->min_step,
                                 .largest = s->max_step,
                                 .order = sn_block_error_order(sn_block_tableau(w)),
                                 .grid_start = state->t};
  w->control.h = w->fixed              ? s->step
                 : s->initial_step > 0 ? s->initial_step
                                       : fmax(fmin(first_step(w, state), s->max_step), s->min_step);
  return w;
}

/* Tableaux and matrices stay. */
static void block_restart(void *self, const sn_state *state) {
  sn_block *w = self;
  sn_newton_discard(&w->newton);
  w->before_h = 0;
  w->most_h = INFINITY;
  begin(w, &w->settings, state);
}

static void *create_radau5(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  sn_block *w = create_block(system, s, state, 1);
  if (!w) return NULL;
  sn_tableau_of(SN_RADAU, 3, &w->tableau[0]);
  return begin(w, s, state);
}

static void *create_radau(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  sn_block *w = create_block(system, s, state, 3);
  if (!w) return NULL;
  for (int k = 0; k < 3; k++) sn_tableau_of(SN_RADAU, 3 + 2 * k, &w->tableau[k]);
  return begin(w, s, state);
}

static void *create_gam(sn_system *system, const sn_integrator_spec *s, const sn_state *state) {
  sn_block *w = create_block(system, s, state, 4);
  if (!w) return NULL;
  for (int k = 0; k < 4; k++) sn_tableau_of(SN_GAM, 3 + 2 * k, &w->tableau[k]);
  return begin(w, s, state);
}

/* ---- the methods ---- */

#define BLOCK_FIELDS                                                                                       \
  SN_STEP_FIELDS, SN_NEWTON_TWO, {                                                                         \
    "project", SN_BOOL, SN_AT(block_spec, project),                                                        \
        .def = "true",                                                                                     \
        .help = "project velocities onto the constraints after each step (one additional linear solution)" \
  }

static const sn_field radau5_fields[] = {BLOCK_FIELDS, {0}};

const sn_integrator_ops sn_radau5 = {
    .kind = {.name = "radau5",
             .category = SN_INTEGRATORS,
             .summary = "Radau IIA with three stages at index 3 (fifth order)",
             .fields = radau5_fields,
             .spec_size = sizeof(block_spec),
             .check = sn_check_steps},
    .damps = true,
    .create = create_radau5,
    .step = block_step,
    .interpolate = block_interpolate,
    .history = block_history,
    .restart = block_restart,
    .free = block_free,
};

static const sn_field radau_fields[] = {
    BLOCK_FIELDS,
    {"order", SN_CHOICE, SN_AT(block_spec, order), .def = "auto", .choices = "auto|5|9|13",
     .help = "order; auto: variable; 5 with a fixed step"},
    {0},
};

const sn_integrator_ops sn_radau = {
    .kind = {.name = "radau",
             .category = SN_INTEGRATORS,
             .summary = "Radau IIA with three, five or seven stages at index 3 (orders 5, 9, 13)",
             .fields = radau_fields,
             .spec_size = sizeof(block_spec),
             .check = sn_check_steps},
    .damps = true,
    .create = create_radau,
    .step = block_step,
    .interpolate = block_interpolate,
    .history = block_history,
    .restart = block_restart,
    .free = block_free,
};

static const sn_field gam_fields[] = {
    BLOCK_FIELDS,
    {"order", SN_CHOICE, SN_AT(block_spec, order), .def = "auto", .choices = "auto|3|5|7|9",
     .help = "order; auto: variable; 3 with a fixed step. A step is a block of 4, 6, 8 or 9 equal parts"},
    {0},
};

const sn_integrator_ops sn_gam = {
    .kind = {.name = "gam",
             .category = SN_INTEGRATORS,
             .summary = "generalized Adams methods on blocks at index 3 (orders 3, 5, 7, 9)",
             .fields = gam_fields,
             .spec_size = sizeof(block_spec),
             .check = sn_check_steps},
    .create = create_gam,
    .step = block_step,
    .interpolate = block_interpolate,
    .history = block_history,
    .restart = block_restart,
    .free = block_free,
};
