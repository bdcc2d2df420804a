/* attempt.c - runs that are compared with each other, and error bars from them, for programs. */
#include "sinew/attempt.h"

#include <math.h>
#include <string.h>

#include "base/handles.h"
#include "base/sized.h"
#include "study/deviation.h"

struct sn_attempt {
  sn_pool *pool;
  sn_trial trial;
};

typedef struct making {
  const sn_model *model;
  const sn_options *options;
  sn_attempt_options how;
  sn_attempt *attempt;
} making;

static sn_status make(void *argument) {
  making *m = argument;
  m->attempt = sn_new(1, sizeof *m->attempt);
  if (m->how.still)
    sn_trial_watch(m->model, m->options, m->how.progress, m->how.user, &m->attempt->trial);
  else
    sn_trial_run_within(m->model, m->options, m->how.cpu_limit, &m->attempt->trial);
  return SN_OK;
}

sn_status sn_attempt_create(const sn_model *model, const sn_options *options, const sn_attempt_options *how,
                            sn_attempt **attempt) {
  making m = {.model = model, .options = options};
  sn_pool *pool = NULL;
  *attempt = NULL;
  if (sn_handle_check(model)) return SN_USAGE;
  if (how) memcpy(&m.how, how, how->size < sizeof m.how ? how->size : sizeof m.how);
  const sn_status status = sn_make_in_pool(model->context, make, &m, &pool);
  if (status) return status;
  m.attempt->pool = pool;
  *attempt = m.attempt;
  return SN_OK;
}

void sn_attempt_free(sn_attempt *attempt) {
  if (!attempt) return;
  sn_pool *pool = attempt->pool;
  sn_trial_free(&attempt->trial);
  sn_free(attempt);
  sn_pool_free(pool);
}

sn_status sn_attempt_about(const sn_attempt *attempt, sn_attempt_info *info) {
  const sn_trial *t = &attempt->trial;
  const sn_statistics *s = &t->statistics;
  const sn_attempt_info all = {.integrator = t->integrator ? t->integrator : "",
                               .step = t->step,
                               .tolerance = t->tolerance,
                               .status = t->status,
                               .too_slow = t->too_slow,
                               .message = t->message ? t->message : "",
                               .reached = t->reached,
                               .rows = (size_t)t->rows,
                               .columns = (size_t)t->outputs,
                               .frequencies = (size_t)t->frequencies,
                               .t = t->t,
                               .output = t->output,
                               .frequency = t->frequency,
                               .energy_error = t->energy_error,
                               .kinetic = t->kinetic,
                               .drift = {t->drift[0], t->drift[1], t->drift[2]},
                               .energy_ratio = t->energy_ratio,
                               .noise = t->noise,
                               .trust = sn_trust_names[t->trust],
                               .reasons = t->reasons ? t->reasons : "",
                               .cpu = t->cpu,
                               .steps = s->steps,
                               .error_rejections = s->error_rejections,
                               .newton_rejections = s->newton_rejections,
                               .iterations = s->iterations,
                               .jacobians = s->jacobians,
                               .local_error = s->local_error};
  sn_give(info, &all, sizeof all);
  return SN_OK;
}

/* ---- differences ---- */

const char *sn_measure_name(sn_measure measure) {
  return (unsigned)measure < SN_MEASURES ? sn_measure_names[measure] : NULL;
}

double sn_attempt_distance(const sn_attempt *a, const sn_attempt *b, sn_measure measure) {
  return (unsigned)measure < SN_MEASURES ? sn_trial_distance(&a->trial, &b->trial, measure) : NAN;
}

double sn_attempt_scale(const sn_attempt *attempt, sn_measure measure) {
  return (unsigned)measure < SN_MEASURES ? sn_trial_scale(&attempt->trial, measure) : NAN;
}

double sn_attempt_relative(const sn_attempt *attempt, const sn_attempt *reference, sn_measure measure) {
  return (unsigned)measure < SN_MEASURES ? sn_trial_relative(&attempt->trial, &reference->trial, measure) : NAN;
}

double sn_attempt_output_error(const sn_model *model, const sn_attempt *attempt, const sn_attempt *reference,
                               int angles, size_t *column) {
  int first;
  const double error = angles ? sn_verify_angles(model, &attempt->trial, &reference->trial, &first)
                              : sn_verify_others(model, &attempt->trial, &reference->trial, &first);
  *column = first < 0 ? 0 : (size_t)first;
  return error;
}

/* ---- error bars ---- */

const char *sn_source_name(sn_source source) {
  return (unsigned)source < SN_SOURCES ? sn_source_names[source] : NULL;
}

double sn_attempt_range(const sn_model *model, const sn_attempt *base, size_t column) {
  return column < (size_t)base->trial.outputs ? sn_verify_range(model, &base->trial, (int)column) : NAN;
}

sn_deviation sn_attempt_deviation(const sn_attempt *base, const sn_attempt *other, size_t column, double range) {
  if (column >= (size_t)base->trial.outputs || column >= (size_t)other->trial.outputs)
    return (sn_deviation){NAN, NAN, NAN};
  return sn_verify_column(&base->trial, &other->trial, (int)column, range);
}

double sn_attempt_bar(const sn_attempt *base, const double deviation[SN_SOURCES], sn_source *from) {
  return sn_verify_bar(&base->trial, deviation, from);
}
