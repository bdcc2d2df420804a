/* low_order_create.c - what the low-order integrators have before their first step, and what checkpoints have of them; see
 * low_order.h. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "integrator/low_order.h"

/* First adaptive step: local error C h^2 |a1 - a0| with a1 - a0 guessed as a h/T, T = 1 s; small models start smaller.
 */
static double first_step(const sn_low_order *w, const sn_state *state) {
  double a = 0, v = 0;
  for (int i = 0; i < w->system->n; i++) {
    a = fmax(a, fabs(state->a[i] * w->weight[i]));
    v = fmax(v, fabs(state->v[i] * w->weight[i]));
  }
  double one = w->settings.relative > 0 ? w->tolerance / w->settings.relative : 1; /* a size of 1, as weighted */
  double most = fmax(fmax(a, v), one), late = w->tolerance / w->horizon;
  return fmin(1e-3, w->horizon == 0 ? cbrt(w->tolerance / (w->C * most))
                    : w->first > 0  ? fmin(sqrt(late / (w->C * most)), late / (w->first * most))
                                    : sqrt(late / (w->C * most)));
}

/* Errors are remembered for a while of the motion, however many steps it has: the time in which the motion itself
 * changes is the h that makes C h^3 |q^(3)| one, (C/tolerance)^(1/3) steps. A memory of so many steps is the shorter
 * the smaller they are: at some tolerance they begin to follow each swing, and the error grows as it is tightened. */
static double steps_to_remember(const sn_low_order *w) {
  const double times = 5;
  double accuracy = w->settings.relative > 0 ? w->settings.relative : w->tolerance;
  return fmax(times * (w->horizon > 0 ? sqrt(w->C / accuracy) : cbrt(w->C / accuracy)), 10);
}

static void create_vectors(sn_low_order *w) {
  sn_system *s = w->system;
  int n = s->n, m = s->m;
  double **sized[] = {&w->weight, &w->x0, &w->x};
  for (size_t k = 0; k < SN_COUNT(sized); k++) *sized[k] = SN_NEW(&s->arena, double, n);
  for (int k = 0; k < SN_DIFFERENCES; k++) w->slope[k] = SN_NEW(&s->arena, double, n);
  if (!w->fixed) w->rate_weight = SN_NEW(&s->arena, double, n);
  w->a0 = SN_NEW(&s->arena, double, n + m);
  w->l0 = w->a0 + n;
  w->previous = SN_NEW(&s->arena, double, n + m);
  w->room_v = SN_NEW(&s->arena, double, n);
  if (w->ops->two_steps) {
    w->last_q = SN_NEW(&s->arena, double, n);
    w->last_v = SN_NEW(&s->arena, double, n);
  }
  w->work = s->room[0];
  w->qh = s->room[1];
  w->vh = s->room[1] + n;
  if (!w->twin) return;
  w->w = SN_NEW(&s->arena, double, n);
  w->mu = SN_NEW(&s->arena, double, m);
  w->middle = SN_NEW(&s->arena, double, n);
}

/* Rows of the constraints have entries of about 1; masses of bodies of a millimeter are 1e-9 kg, and their moments of
 * inertia 1e-16 kg m2. Without a unit of their own they are rounding beside the constraints, and the matrix is called
 * singular. Of ordinary masses it is 1, and results are as without it. */
static double unit_of_masses(const sn_low_order *w, const sn_state *state) {
  const double usual = 1e-6;
  double most = 0, least = INFINITY, *x = w->work, *y = w->work + w->system->n + w->system->m;
  if (w->ops->secondary != SN_NO_LEVEL) return 1;           /* two matrices of the same unit */
  for (int i = 0; i < w->system->n; i++) x[i] = sin(i + 1); /* any vector of which no sum is zero by symmetry */
  sn_system_mass_times(w->system, state, x, y);
  for (int i = 0; i < w->system->n; i++)
    if (fabs(y[i]) > 0) most = fmax(most, fabs(y[i])), least = fmin(least, fabs(y[i]));
  const double mean = sqrt(most) * sqrt(least);
  return mean > usual && mean < 1 / usual ? 1 : isfinite(mean) && mean > 0 ? mean : 1;
}

bool sn_low_order_create(sn_low_order *w, sn_system *system, const sn_integrator_spec *s, const sn_state *state,
                         const sn_low_order_ops *ops) {
  w->system = system;
  w->ops = ops;
  w->tolerance = s->tolerance;
  w->settings = *s;
  w->fixed = s->step > 0;
  if (system->model->surfaces) w->elastic = false; /* if contacts begin or end, positions do not give the jerk */
  w->horizon = s->bounds == SN_BOUND_RUN && !w->printed ? s->horizon : 0;
  if (w->share == 0) w->share = 1e-3;
  bool needs_twin = ops->secondary != SN_NO_LEVEL || (ops->evaluate && system->m > 0);
  if (needs_twin && !w->twin && sn_system_twin(system, NULL, &w->twin) != SN_OK) return false;
  if (ops->evaluate && w->twin) sn_system_factor_mass(w->twin, state); /* takes its memory now, not in a step */
  create_vectors(w);
  for (int i = 0; i < system->n; i++) w->weight[i] = INFINITY;
  for (int i = 0; w->rate_weight && i < system->n; i++) w->rate_weight[i] = INFINITY;
  sn_low_order_update_weights(w, state);
  w->mass_unit = unit_of_masses(w, state);
  w->control = (sn_step_control){.fixed = w->fixed,
                                 .nominal = s->step,
                                 .smallest = s->min_step,
                                 .largest = s->max_step,
                                 .order = w->horizon == 0 ? 3
                                          : w->first > 0  ? 1
                                                          : 2,
                                 .printed = w->printed,
                                 .memory = 1 - 1 / steps_to_remember(w),
                                 .grid_start = state->t};
  w->own_first = fmax(fmin(first_step(w, state), s->max_step), s->min_step);
  w->control.h = w->fixed ? s->step : s->initial_step > 0 ? s->initial_step : w->own_first;
  sn_newton_create(&w->newton, system, &sn_low_order_newton, w);
  /* until `begin` there is no residual; where equations are met within the step, start_a goes on being used */
  w->room_a = ops->evaluate ? SN_NEW(&system->arena, double, system->n + system->m) : w->newton.dx;
  w->newton.iterate = ops->iterate;
  w->newton.judged = !w->fixed;
  w->newton.enough = sn_newton_enough(w->fixed, w->tolerance);
  sn_newton_use(&w->newton, (sn_newton_variant)s->newton, w->weight);
  sn_newton_stop(&w->newton, s->residual);
  w->newton.turns = w->newton.variant == SN_MODIFIED && !ops->iterate && !(w->newton.stop[0] > 0) &&
                    sn_system_watch_contacts(system, false);
  memcpy(w->x0, state->a, (size_t)system->n * sizeof(double));
  memcpy(w->a0, state->a, (size_t)system->n * sizeof(double));
  memcpy(w->l0, state->l, (size_t)system->m * sizeof(double));
  sn_low_order_begin_history(w, state);
  return true;
}

void sn_low_order_free(void *self) {
  sn_low_order *w = self;
  sn_system_free(w->twin);
}

bool sn_low_order_of_middle(const void *self) {
  const sn_low_order *w = self;
  return w->of_middle;
}

double sn_low_order_held_error(const void *self) {
  const sn_low_order *w = self;
  return w->held_error;
}

const double *sn_low_order_stabilizing(const void *self) {
  const sn_low_order *w = self;
  return w->mu;
}

void sn_low_order_history(void *self, sn_history *h) {
  sn_low_order *w = self;
  size_t n = (size_t)w->system->n, m = (size_t)w->system->m;
  sn_step_history(&w->control, h);
  sn_history_at_least(h, &w->previous_h, 0);
  sn_history_at_least(h, &w->last_h, 0);
  sn_history_real(h, &w->rate_error);
  sn_history_real(h, &w->rate_h);
  sn_history_int(h, &w->rate_age, 0, INT_MAX);
  sn_history_real(h, &w->seen_error);
  sn_history_real(h, &w->seen_all);
  sn_history_real(h, &w->seen_h);
  sn_history_int(h, &w->seen_age, 0, INT_MAX);
  sn_history_int(h, &w->turning, 0, 1);
  sn_history_reals(h, w->weight, n);
  if (w->rate_weight) sn_history_reals(h, w->rate_weight, n);
  sn_history_reals(h, w->a0, n);
  sn_history_reals(h, w->l0, m);
  sn_history_reals(h, w->x0, n);
  sn_history_reals(h, w->previous, n + m);
  if (w->ops->two_steps) {
    sn_history_reals(h, w->last_q, n);
    sn_history_reals(h, w->last_v, n);
  }
  for (size_t k = 0; k < SN_COUNT(w->past); k++) sn_history_at_least(h, &w->past[k], 0);
  sn_history_int(h, &w->rough, 0, SN_DIFFERENCES);
  for (int k = 0; k < SN_DIFFERENCES; k++) sn_history_reals(h, w->slope[k], n);
}
