/* rollouts.c - many simulations of one model at once, on several threads. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/simulation.h"
#include "base/handles.h"
#include "base/threads.h"

enum { SN_MOST_PARAMETERS = 64, SN_PARAMETER_TEXT = 160 };

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

/* The model with the parameters of rollout i; NULL: they are those of all. */
static sn_status change(const batch *b, size_t i, sn_model **own) {
  const sn_rollouts *w = b->what;
  char text[SN_MOST_PARAMETERS][SN_PARAMETER_TEXT];
  const char *sets[SN_MOST_PARAMETERS];
  if (w->parameters == 0) return SN_OK;
  for (size_t k = 0; k < w->parameters; k++) {
    snprintf(text[k], sizeof text[k], "%s=%.17g", w->parameter[k], w->parameter_values[i * w->parameters + k]);
    sets[k] = text[k];
  }
  const sn_status status = sn_model_change(b->model, b->context[i], sets, w->parameters, own);
  if (status || (*own)->n == b->model->n) return status;
  sn_model_free(*own);
  *own = NULL;
  return sn_fail(b->context[i], SN_USAGE, "its parameters change the number of coordinates");
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
    sn_options options = *b->options;
    sn_model *own = NULL;
    options.context = b->context[i];
    b->status[i] = change(b, i, &own);
    if (!b->status[i]) b->status[i] = sn_simulation_create(own ? own : b->model, &options, &s);
    if (!b->status[i]) b->status[i] = roll_out(b, i, s, values, &done);
    sn_simulation_free(s);
    sn_model_free(own);
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
  if (w->parameters > SN_MOST_PARAMETERS)
    return sn_fail(m->context, SN_USAGE, "rollouts: %zu parameters; at most %d are possible", w->parameters,
                   (int)SN_MOST_PARAMETERS);
  for (size_t k = 0; k < w->parameters; k++) {
    if (sn_model_find(m, SN_LIST_PARAMETERS, w->parameter[k]) < 0)
      return sn_fail(m->context, SN_USAGE, "rollouts: the model has no parameter '%.100s'", w->parameter[k]);
    for (size_t i = 0; i < w->count; i++)
      if (!isfinite(w->parameter_values[i * w->parameters + k]))
        return sn_fail(m->context, SN_USAGE, "rollout %zu: parameter '%.100s' is not finite", i, w->parameter[k]);
  }
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
  sn_options own;
  sn_rollouts known = {0};
  const size_t size = what->size ? what->size : sizeof known;
  batch b = {.model = m, .options = &own, .what = &known, .values = values, .status = statuses};
  if (sn_handle_check(m)) return SN_USAGE;
  if (size <= offsetof(sn_rollouts, count) || size > sizeof known)
    return sn_fail(m->context, SN_USAGE, "rollouts of size %zu: set it to sizeof(sn_rollouts)", size);
  memcpy(&known, what, size);
  sn_status status = sn_take_options(m->context, options, &own);
  if (status == SN_OK) status = check(m, &known, &b.width);
  if (status || !known.count) return status;
  sn_pool *pool = sn_pool_create();
  if (!pool) return sn_fail(m->context, SN_MEMORY, "out of memory");
  const sn_status done = sn_guard(m->context, pool, run, &b);
  sn_pool_free(pool);
  return done;
}
