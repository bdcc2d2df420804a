/* discrete_step.c - the residual of a step of energy-momentum methods; see sn_system_step_residual. */
#include <math.h>
#include <string.h>

#include "system/equations.h"
#include "system/phases.h"

static sn_eval eval_of_step(const sn_system *s, const sn_state *middle, const double *q0, const double *q1, double h) {
  assert(q0 && q1 && h != 0);
  sn_eval ev = sn_system_eval(s, middle);
  ev.q0 = q0, ev.q1 = q1, ev.h = h;
  return ev;
}

/* Energy of instance i at one end of the step. */
static double energy_of(const sn_batch *b, int i, const sn_eval *step, const double *q, const double *v) {
  sn_eval ev = *step;
  sn_energy e = {0};
  ev.q = q, ev.v = v;
  b->ops->energy(b, (sn_range){i, i + 1}, &ev, &e);
  return e.kinetic + e.strain + e.gravity + e.spring;
}

/* Gonzalez' correction of instance i, for kinds without a step residual: with E = T + U, the residual r in the
 * middle and its power P of damping, r += (E1 - E0 - r.d - h P)/d.d d,   d = q1 - q0 of its coordinates */
static void correct_instance(sn_system *s, const sn_batch *b, int i, const sn_eval *ev, double *r) {
  enum { MOST_GROUPS = 32 };
  const sn_model *m = s->model;
  assert(b->ops->max_groups <= MOST_GROUPS);
  int groups[MOST_GROUPS], count = b->ops->groups(b, i, groups);
  sn_power power = {0};
  double *own = s->own->work, *v0 = s->own->refine, *v1 = v0 + s->n, dd = 0, done = 0;
  double e0 = energy_of(b, i, ev, ev->q0, v0), e1 = energy_of(b, i, ev, ev->q1, v1);
  b->ops->residual(b, (sn_range){i, i + 1}, ev, own);
  if (b->ops->power) b->ops->power(b, (sn_range){i, i + 1}, ev, &power);
  for (int g = 0; g < count; g++)
    for (int k = m->group_first[groups[g]]; k < m->group_first[groups[g]] + m->group_size[groups[g]]; k++) {
      double d = ev->q1[k] - ev->q0[k];
      done += own[k] * d;
      dd += d * d;
      own[k] = 0;
    }
  double off = e1 - e0 - done - ev->h * power.damping;
  if (fabs(off) <= 1e-15 * (fabs(e0) + fabs(e1) + fabs(done))) return; /* nothing but rounding */
  for (int g = 0; g < count; g++)
    for (int k = m->group_first[groups[g]]; k < m->group_first[groups[g]] + m->group_size[groups[g]]; k++)
      r[k] += off / dd * (ev->q1[k] - ev->q0[k]);
}

void sn_system_step_residual(sn_system *s, const sn_state *middle, const double *q0, const double *q1, double h,
                             double *r) {
  const sn_phase_mark mark = sn_phase_begin(s, SN_PHASE_RESIDUAL);
  sn_eval ev = eval_of_step(s, middle, q0, q1, h);
  sn_system_evaluate(s, &ev, r);
  memset(s->own->work, 0, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->n; i++) s->own->refine[i] = middle->v[i] - 0.5 * h * middle->a[i];
  sn_system_end_velocity(s, middle, q0, q1, h, s->own->refine + s->n);
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    for (int i = 0; !b->ops->discrete && b->ops->energy && i < b->count; i++) correct_instance(s, b, i, &ev, r);
  }
  s->count->residuals++;
  sn_phase_end(s, &mark);
}

void sn_system_end_velocity(sn_system *s, const sn_state *middle, const double *q0, const double *q1, double h,
                            double *v1) {
  sn_eval ev = eval_of_step(s, middle, q0, q1, h);
  for (int i = 0; i < s->n; i++) v1[i] = middle->v[i] + 0.5 * h * middle->a[i];
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *b = &s->own->batch[k];
    if (b->ops->end_velocity) b->ops->end_velocity(b, (sn_range){0, b->count}, &ev, v1);
  }
}

bool sn_system_supports_steps(sn_system *s) {
  if (s->model->nonholonomic > 0) {
    sn_fail(
        s->context, SN_USAGE,
        "conserve: energy-momentum does not support joints without a position level (rolling, knife-edge)\n  possible "
        "remedy: another integrator");
    return false;
  }
  for (int k = 0; k < s->model->batches; k++) {
    const char *what = s->own->batch[k].ops->no_steps;
    if (!what) continue;
    sn_fail(s->context, SN_USAGE,
            "conserve: energy-momentum does not support %s\n  possible remedy: another integrator", what);
    return false;
  }
  if (!s->contacts) return true;
  sn_fail(s->context, SN_USAGE,
          "conserve: energy-momentum does not support contacts\n  possible remedy: no contacts, or another integrator");
  return false;
}
