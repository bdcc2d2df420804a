/* samples.c - see samples.h.
 *
 * At an instant first all outputs whose delay is over are put out, then the controllers that are due are evaluated in the
 * order of the file: a later one sees new outputs of an earlier one. */
#include "analysis/samples.h"

#include <math.h>
#include <string.h>

#include "model/formula.h"

enum { NUMBER, PENDING, HEAD }; /* of the discrete values of a controller, see sn_sampled */

static const double SAME = 1e-9; /* of a period: times closer together are one */

static bool is_due(const sn_sampled *c, double time, double t) {
  return time <= t + SAME * c->period;
}

/* Put out what is pending. */
static void put_out(const sn_sampled *c, double *d) {
  memcpy(d + HEAD + c->outputs, d + HEAD, (size_t)c->outputs * sizeof(double));
  d[PENDING] = INFINITY;
}

static bool wakes(const sn_sampled *c, const double *d, double t) {
  return c->wake && is_due(c, c->wake(c, d + HEAD + 2 * c->outputs), t);
}

/* At the time of the instant itself, which the state has up to rounding: a setpoint that jumps there has jumped. */
static void evaluate(const sn_simulation *s, const sn_sampled *c, bool instant, double *d) {
  sn_eval ev = sn_eval_at(s, &s->state);
  if (instant) ev.t = d[NUMBER] * c->period;
  double *u = s->samples + s->model->discrete;
  for (int k = 0; k < c->inputs; k++) u[k] = sn_formula_value(c->input[k], &ev);
  c->sample(c, s->state.t, u, d + HEAD + 2 * c->outputs, d + HEAD);
  if (c->delay > 0)
    d[PENDING] = s->state.t + c->delay;
  else
    put_out(c, d);
}

/* True: something changed. */
static bool sample(sn_simulation *s) {
  const sn_model *m = s->model;
  const double t = s->state.t;
  bool changed = false;
  for (int i = 0; i < m->sampled; i++) {
    const sn_sampled *c = &m->samples[i];
    double *d = s->discrete + c->first;
    if (is_due(c, d[PENDING], t)) put_out(c, d), changed = true;
  }
  for (int i = 0; i < m->sampled; i++) {
    const sn_sampled *c = &m->samples[i];
    double *d = s->discrete + c->first;
    const bool instant = is_due(c, d[NUMBER] * c->period, t);
    if (!instant && !wakes(c, d, t)) continue;
    evaluate(s, c, instant, d);
    if (instant) d[NUMBER]++;
    changed = true;
  }
  return changed;
}

void sn_begin_samples(sn_simulation *s) {
  for (int i = 0; i < s->model->sampled; i++) {
    const sn_sampled *c = &s->model->samples[i];
    s->discrete[c->first + NUMBER] = ceil(s->state.t / c->period - SAME);
  }
  sample(s);
}

/* Without a change of what expressions read the step before may go on. */
sn_status sn_take_samples(sn_simulation *s) {
  const sn_model *m = s->model;
  const size_t size = (size_t)m->discrete * sizeof(double);
  double *old = s->samples;
  memcpy(old, s->discrete, size);
  if (!sample(s)) return SN_OK;
  for (int i = 0; i < m->sampled; i++) {
    const sn_sampled *c = &m->samples[i];
    const int first = c->first + HEAD + c->outputs, count = c->outputs + c->states;
    if (memcmp(old + first, s->discrete + first, (size_t)count * sizeof(double)) != 0) return sn_follow_change(s);
  }
  return SN_OK;
}

/* Times that are one up to rounding end a step together, at the last of them. */
double sn_next_sample(const sn_simulation *s) {
  double next = INFINITY, last = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < s->model->sampled; i++) {
      const sn_sampled *c = &s->model->samples[i];
      const double *d = s->discrete + c->first;
      const double times[] = {d[NUMBER] * c->period, d[PENDING],
                              c->wake ? c->wake(c, d + HEAD + 2 * c->outputs) : INFINITY};
      for (size_t k = 0; k < SN_COUNT(times); k++) {
        if (pass == 0) next = fmin(next, times[k]);
        if (pass == 1 && is_due(c, times[k], next)) last = fmax(last, times[k]);
      }
    }
  return isfinite(next) ? fmax(next, last) : next;
}
