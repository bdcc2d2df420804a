/* rollouts.c - many simulations of one model at once, on several threads. */
#include <limits.h>
#include <math.h>

#include "analysis/simulation.h"
#include "base/threads.h"

typedef struct batch {
  const sn_model *model;
  const sn_options *options;
  const sn_rollouts *what;
  size_t width; /* numbers read at the end of an interval */
  double *values;
  sn_status *status;
  sn_context **context;
} batch;

static sn_status roll_out(const batch *b, size_t i, sn_simulation *s, double *values, size_t *done) {
  const sn_rollouts *w = b->what;
  const size_t n = (size_t)b->model->n, inputs = (size_t)b->model->inputs;
  const double begin = sn_time(s);
  sn_status status = SN_OK;
  if (w->q || w->v) status = sn_set_state(s, w->q ? w->q + i * n : NULL, w->v ? w->v + i * n : NULL);
  for (size_t k = 0; status == SN_OK && k < w->samples; k++) {
    for (size_t u = 0; w->inputs && status == SN_OK && u < inputs; u++)
      status = sn_set_input(s, u, w->inputs[(i * w->samples + k) * inputs + u]);
    if (status == SN_OK) status = sn_advance(s, begin + (double)(k + 1) * w->period);
    double *y = values + k * b->width;
    for (size_t o = 0; status == SN_OK && o < w->outputs; o++) {
      status = sn_read_output(s, w->output[o], y);
      y += b->model->output[w->output[o]].columns;
    }
    if (status == SN_OK) *done = k + 1;
  }
  return status;
}

static void task(void *user, int index) {
  const batch *b = user;
  const size_t i = (size_t)index, samples = b->what->samples;
  double *values = b->values + i * samples * b->width;
  size_t done = 0;
  sn_simulation *s = NULL;
  b->context[i] = sn_context_create();
  if (!b->context[i]) {
    b->status[i] = SN_MEMORY;
  } else {
    sn_options options = b->options ? *b->options : (sn_options){0};
    options.context = b->context[i];
    b->status[i] = sn_simulation_create(b->model, &options, &s);
    if (!b->status[i]) b->status[i] = roll_out(b, i, s, values, &done);
    sn_simulation_free(s);
  }
  for (size_t k = done * b->width; k < samples * b->width; k++) values[k] = NAN;
  if (b->status[i] || !b->context[i]) return;
  sn_context_free(b->context[i]); /* there is no message to keep */
  b->context[i] = NULL;
}

static sn_status check(const sn_model *m, const sn_rollouts *w, size_t *width) {
  *width = 0;
  if (!(w->period > 0) || !isfinite(w->period))
    return sn_fail(m->context, SN_USAGE, "rollouts: the period is %g s", w->period);
  if (w->threads > SN_MOST_THREADS || w->threads < 0)
    return sn_fail(m->context, SN_USAGE, "rollouts: %d threads; from 1 to %d are possible", w->threads,
                   SN_MOST_THREADS);
  if (w->count > INT_MAX) return sn_fail(m->context, SN_USAGE, "rollouts: %zu are too many", w->count);
  for (size_t o = 0; o < w->outputs; o++) {
    if (w->output[o] >= (size_t)m->outputs)
      return sn_fail(m->context, SN_USAGE, "there is no output number %zu: the model has %d", w->output[o], m->outputs);
    *width += (size_t)m->output[w->output[o]].columns;
  }
  return SN_OK;
}

/* The first failure, and its message for the model. */
static sn_status first_failure(const batch *b) {
  sn_status status = SN_OK;
  for (size_t i = 0; i < b->what->count; i++) {
    if (b->status[i] && !status) {
      status = b->status[i];
      sn_fail(b->model->context, status, "rollout %zu: %s", i,
              b->context[i] ? sn_message(b->context[i]) : "out of memory");
    }
    sn_context_free(b->context[i]);
  }
  return status;
}

static sn_status run(void *argument) {
  batch *b = argument;
  const int threads = b->what->threads > 0 ? b->what->threads : 1;
  sn_status *status = b->status ? b->status : sn_new(b->what->count + 1, sizeof *b->status);
  sn_status *given = b->status;
  b->status = status;
  b->context = sn_new(b->what->count + 1, sizeof *b->context);
  sn_threads *pool = sn_threads_create(threads);
  sn_threads_run(pool, (int)b->what->count, task, b);
  sn_threads_free(pool);
  const sn_status first = first_failure(b);
  sn_free(b->context);
  if (!given) sn_free(status);
  return first;
}

sn_status sn_roll_out(const sn_model *m, const sn_options *options, const sn_rollouts *what, double *values,
                      sn_status *statuses) {
  batch b = {.model = m, .options = options, .what = what, .values = values, .status = statuses};
  const sn_status status = check(m, what, &b.width);
  if (status || !what->count) return status;
  sn_pool *pool = sn_pool_create();
  if (!pool) return sn_fail(m->context, SN_MEMORY, "out of memory");
  const sn_status done = sn_guard(m->context, pool, run, &b);
  sn_pool_free(pool);
  return done;
}
