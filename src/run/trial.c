/* trial.c - runs of a model that are compared with each other; see trial.h. */
#include "run/trial.h"

#include <math.h>
#include <string.h>

#include "analysis/companion.h"
#include "analysis/evidence.h"
#include "analysis/modes.h"
#include "analysis/noise.h"

const char *const sn_measure_names[SN_MEASURES] = {"position", "velocity", "multipliers", "energy"};

/* ---- what is kept of a row ---- */

static int outputs_of_type(const sn_model *m, int type) {
  int count = 0;
  for (int i = 0; i < m->outputs; i++) count += (int)m->output[i].type == type;
  return count;
}

static void choose_columns(const sn_model *m, sn_trial *trial) {
  int points = outputs_of_type(m, SN_OUTPUT_POINT), reactions = 0;
  for (int i = 0; i < m->outputs; i++)
    if (m->output[i].type == SN_OUTPUT_REACTION) reactions += m->output[i].columns;
  for (int k = 0; k < SN_MEASURES; k++) trial->vector[k] = 1;
  trial->columns[SN_POSITIONS] = trial->columns[SN_VELOCITIES] = points > 0 ? points * m->dim : m->n;
  if (points > 0) trial->vector[SN_POSITIONS] = trial->vector[SN_VELOCITIES] = m->dim;
  trial->columns[SN_MULTIPLIERS] = reactions > 0 ? reactions : m->m;
  trial->columns[SN_TOTAL_ENERGY] = 1;
  for (int i = 0; i < m->outputs; i++) trial->outputs += m->output[i].columns;
}

static double *grown(sn_arena *arena, const double *old, size_t used, size_t size) {
  double *values = SN_NEW(arena, double, size + 1);
  if (used > 0) memcpy(values, old, used * sizeof(double));
  return values;
}

static void make_room(sn_trial *trial) {
  if (trial->rows < trial->room) return;
  size_t used = (size_t)trial->rows, room = used > 0 ? 2 * used : 256;
  trial->t = grown(&trial->arena, trial->t, used, room);
  for (int k = 0; k < SN_MEASURES; k++) {
    size_t columns = (size_t)trial->columns[k];
    trial->value[k] = grown(&trial->arena, trial->value[k], used * columns, room * columns);
  }
  size_t outputs = (size_t)trial->outputs;
  trial->output = grown(&trial->arena, trial->output, used * outputs, room * outputs);
  trial->room = (int)room;
}

static double *row_of(const sn_trial *trial, sn_measure measure, int row) {
  assert(measure < SN_MEASURES && row >= 0 && row < trial->room);
  return trial->value[measure] + (size_t)row * (size_t)trial->columns[measure];
}

/* Columns of a point are its position, velocity and acceleration, one after the other. */
static void keep_outputs(const sn_model *m, const double *values, double *q, double *v, double *l) {
  size_t size = (size_t)m->dim * sizeof(double);
  for (int i = 0; i < m->outputs; values += m->output[i++].columns) {
    const sn_output *o = &m->output[i];
    if (o->type == SN_OUTPUT_POINT) {
      memcpy(q, values, size);
      memcpy(v, values + m->dim, size);
      q += m->dim;
      v += m->dim;
    } else if (o->type == SN_OUTPUT_REACTION) {
      memcpy(l, values, (size_t)o->columns * sizeof(double));
      l += o->columns;
    }
  }
}

static void keep_row(sn_simulation *s, double t, sn_row *row, sn_trial *trial) {
  const sn_model *m = s->model;
  sn_sample(s, t, row);
  const double cpu = sn_cpu_time();
  sn_companion_row(s, row);
  s->system->statistics.cpu_output += sn_cpu_time() - cpu;
  make_room(trial);
  assert(trial->rows < trial->room);
  int i = trial->rows++;
  trial->t[i] = t;
  double *q = row_of(trial, SN_POSITIONS, i), *v = row_of(trial, SN_VELOCITIES, i);
  double *l = row_of(trial, SN_MULTIPLIERS, i);
  if (outputs_of_type(m, SN_OUTPUT_POINT) == 0) {
    memcpy(q, row->q, (size_t)m->n * sizeof(double));
    memcpy(v, row->v, (size_t)m->n * sizeof(double));
  }
  if (outputs_of_type(m, SN_OUTPUT_REACTION) == 0 && m->m > 0) memcpy(l, s->sample.l, (size_t)m->m * sizeof(double));
  keep_outputs(m, row->values, q, v, l);
  *row_of(trial, SN_TOTAL_ENERGY, i) = row->energy[SN_E_TOTAL];
  if (trial->outputs > 0)
    memcpy(trial->output + (size_t)i * (size_t)trial->outputs, row->values, (size_t)trial->outputs * sizeof(double));
}

/* ---- the run ---- */

typedef struct watcher {
  void (*show)(void *user, const sn_simulation *simulation);
  void *user;
  bool quasi_static; /* rows of stages in which time stands still are wanted too */
  double cpu_limit;  /* [s]; 0: none */
} watcher;

static sn_status timed_step(sn_simulation *s, sn_trial *trial) {
  double begin = sn_cpu_time();
  sn_status status = sn_step(s);
  trial->cpu += sn_cpu_time() - begin;
  return status;
}

/* A stage on its grid of output times, which does not depend on the steps: its start, begin + k output_step, its end.
 * Of a stage in which time stands still nothing is kept, or its end. */
static sn_status run_stage(sn_simulation *s, const watcher *w, sn_row *row, sn_trial *trial) {
  bool kept = !s->analysis->quasi_static;
  double begin = sn_time(s), slack = 1e-9 * s->output_step;
  long next = 1;
  sn_status status = SN_OK;
  if (kept) keep_row(s, begin, row, trial);
  if (!kept && w->quasi_static && s->stage == 0) {
    sn_sample(s, begin, row);
    trial->begin = SN_NEW(&trial->arena, double, trial->outputs + 1);
    for (int i = 0; i < trial->outputs; i++) trial->begin[i] = row->values[i];
  }
  while (!status && !s->finished) {
    status = timed_step(s, trial);
    if (!status) sn_noise_step(s);
    if (!status && w->show) w->show(w->user, s);
    if (!status && w->cpu_limit > 0 && trial->cpu > w->cpu_limit) {
      trial->too_slow = true;
      status =
          sn_fail(s->context, SN_NUMERICS, "stopped after %g s of CPU time, at t = %.4g s", w->cpu_limit, sn_time(s));
    }
    double reached = fmin(sn_time(s), s->end - slack);
    for (double t; kept && !status && (t = begin + (double)next * s->output_step) <= reached; next++)
      keep_row(s, t, row, trial);
  }
  if (kept && !status && s->end > begin) keep_row(s, s->end, row, trial);
  if (!kept && !status && w->quasi_static) keep_row(s, sn_time(s), row, trial);
  return status;
}

static void close_trial(sn_simulation *s, sn_trial *trial) {
  trial->statistics = *sn_simulation_statistics(s);
  trial->energy_error = s->largest_energy_error;
  trial->kinetic = s->largest_kinetic;
  trial->noise = sn_noise(s);
  memcpy(trial->drift, s->largest_constraint, sizeof trial->drift);
  if (!*trial->integrator) trial->integrator = sn_format(&trial->arena, "%s", s->integrator_name);
  trial->step = s->settings->step;
  trial->tolerance = sn_asked(s)->tolerance;
  trial->reached = sn_time(s);
  if (!s->modes || s->modes->factor) return;
  trial->frequencies = s->modes->count;
  trial->frequency = SN_NEW(&trial->arena, double, s->modes->count + 1);
  for (int i = 0; i < s->modes->count; i++) trial->frequency[i] = sn_mode_frequency(s->modes, i);
}

static sn_status run_stages(sn_simulation *s, const watcher *w, sn_trial *trial) {
  sn_row row;
  sn_row_create(s, &row);
  sn_watch_noise(s);
  for (;;) {
    if (!isfinite(s->end))
      return sn_fail(s->context, SN_USAGE, "the model has no analysis: specify the duration with --until");
    sn_status status = run_stage(s, w, &row, trial);
    if (status || sn_all_finished(s)) return status;
    double begin = sn_cpu_time();
    status = sn_next_stage(s);
    trial->cpu += sn_cpu_time() - begin;
    if (status) return status;
  }
}

static void run_trial(const sn_model *model, const sn_options *options, const watcher *w, sn_trial *trial) {
  sn_simulation *s;
  double begin = sn_cpu_time();
  *trial = (sn_trial){.message = "", .noise = NAN, .trust = SN_BAD, .reasons = ""};
  trial->integrator = options && options->integrator ? sn_format(&trial->arena, "%s", options->integrator) : "";
  if (options) trial->step = options->step, trial->tolerance = options->tolerance;
  choose_columns(model, trial);
  trial->length = model->length;
  trial->status = sn_simulation_create(model, options, &s);
  trial->cpu = sn_cpu_time() - begin;
  if (trial->status == SN_OK) {
    trial->status = run_stages(s, w, trial);
    close_trial(s, trial);
    const sn_verdict verdict = sn_judge(s, trial->status);
    trial->energy_ratio = sn_evidence_energy(s);
    trial->trust = verdict.level;
    trial->reasons = sn_format(&trial->arena, "%s", verdict.reasons);
    sn_simulation_free(s);
  }
  if (trial->status) {
    const char *text = sn_message(model->context);
    trial->trust = SN_BAD;
    trial->message = sn_copy_text(&trial->arena, text, strcspn(text, "\n"));
  }
}

void sn_trial_run(const sn_model *model, const sn_options *options, sn_trial *trial) {
  run_trial(model, options, &(watcher){0}, trial);
}

void sn_trial_run_within(const sn_model *model, const sn_options *options, double cpu_limit, sn_trial *trial) {
  run_trial(model, options, &(watcher){.cpu_limit = cpu_limit}, trial);
}

void sn_trial_watch(const sn_model *model, const sn_options *options, void (*show)(void *, const sn_simulation *),
                    void *user, sn_trial *trial) {
  run_trial(model, options, &(watcher){.show = show, .user = user, .quasi_static = true}, trial);
}

void sn_trial_free(sn_trial *trial) {
  sn_arena_free(&trial->arena);
  *trial = (sn_trial){.message = ""};
}

/* ---- measures ---- */

/* Length of x - y, y = NULL: of x */
static double length_of(const double *x, const double *y, int size) {
  double sum = 0;
  for (int i = 0; i < size; i++) {
    double d = x[i] - (y ? y[i] : 0);
    sum += d * d;
  }
  return sqrt(sum);
}

/* Largest length of a vector of the row x - y; NaN when one is. */
static double largest_vector(const double *x, const double *y, int columns, int vector) {
  assert(vector > 0 && columns % vector == 0);
  double largest = 0;
  for (int i = 0; i < columns; i += vector) {
    double d = length_of(x + i, y ? y + i : NULL, vector);
    if (isnan(d)) return NAN;
    largest = fmax(largest, d);
  }
  return largest;
}

double sn_trial_distance(const sn_trial *a, const sn_trial *b, sn_measure measure) {
  int columns = a->columns[measure];
  double largest = 0;
  if (a->rows != b->rows || a->rows == 0 || columns == 0 || columns != b->columns[measure]) return NAN;
  for (int i = 0; i < a->rows; i++) {
    if (fabs(a->t[i] - b->t[i]) > 1e-9 * fabs(b->t[b->rows - 1])) return NAN;
    double d = largest_vector(row_of(a, measure, i), row_of(b, measure, i), columns, a->vector[measure]);
    if (isnan(d)) return NAN;
    largest = fmax(largest, d);
  }
  return largest;
}

double sn_trial_scale(const sn_trial *trial, sn_measure measure) {
  assert(measure < SN_MEASURES);
  double largest = 0;
  if (measure == SN_TOTAL_ENERGY) return trial->kinetic;
  for (int i = 0; i < trial->rows; i++)
    largest = fmax(largest,
                   largest_vector(row_of(trial, measure, i), measure == SN_POSITIONS ? row_of(trial, measure, 0) : NULL,
                                  trial->columns[measure], trial->vector[measure]));
  return largest;
}

double sn_trial_relative(const sn_trial *trial, const sn_trial *reference, sn_measure measure) {
  double scale = sn_trial_scale(reference, measure);
  return sn_trial_distance(trial, reference, measure) / (scale > 0 ? scale : 1);
}

/* ---- order ----
 * d1 = |c| h1^p (1 - r^-p), d2 = |c| h2^p (1 - s^-p): d1/d2 = (r^p - 1)/(1 - s^-p), which grows with p from 0 on and is
 * r^p when r = s. Found by bisection. */

static double ratio_of_order(double p, double r, double s) {
  if (fabs(p) < 1e-9) return log(r) / log(s);
  return expm1(p * log(r)) / -expm1(-p * log(s));
}

double sn_observed_order(double ratio, double r, double s) {
  double low = -20, high = 40;
  if (!(ratio > 0) || !isfinite(ratio) || !(r > 1) || !(s > 1)) return NAN;
  if (ratio_of_order(low, r, s) > ratio || ratio_of_order(high, r, s) < ratio) return NAN;
  while (high - low > 1e-10) {
    double p = (low + high) / 2;
    if (ratio_of_order(p, r, s) < ratio)
      low = p;
    else
      high = p;
  }
  return (low + high) / 2;
}
