/* case_run.c - one case of a study: run the model with its values, record it, measure it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/noise.h"
#include "study/cases.h"

enum { most_kept = 64 << 20 }; /* [bytes] of rows in memory; longer runs go through a file */

/* ---- values into overrides and options ---- */

static const sn_value *values_of(const sn_sweep *c, int i) {
  assert(i >= 0 && i < c->count);
  return &c->value[(size_t)i * (size_t)c->study->variations];
}

static size_t overrides(const sn_sweep *c, int i, sn_arena *arena, const char ***sets) {
  const sn_study *study = c->study;
  size_t count = 0;
  *sets = SN_NEW(arena, const char *, study->sets + study->variations + 1);
  for (int k = 0; k < study->sets; ++k) (*sets)[count++] = study->set[k];
  for (int k = 0; k < study->variations; ++k) {
    const sn_variation *v = &study->variation[k];
    if (!v->option) (*sets)[count++] = sn_format(arena, "%s=%s", v->name, values_of(c, i)[k].text);
  }
  return count;
}

static sn_options options_of(const sn_sweep *c, int i) {
  sn_options options = {.until = c->study->until};
  for (int k = 0; k < c->study->variations; ++k) {
    const double x = values_of(c, i)[k].number;
    switch (c->study->variation[k].option) {
      case SN_VARY_STEP:
        options.step = x;
        break;
      case SN_VARY_TOLERANCE:
        options.tolerance = x;
        break;
      case SN_VARY_UNTIL:
        options.until = x;
        break;
      default:
        break;
    }
  }
  return options;
}

/* ---- measures ---- */

static const double *no_series(void *user, const char *name, size_t *count) {
  (void)user, (void)name;
  *count = 0;
  return NULL;
}

static double no_mode(void *user, const char *quantity, int mode) {
  (void)user, (void)quantity, (void)mode;
  return NAN;
}

static double result_mode(void *user, const char *quantity, int mode) {
  return sn_result_mode(user, quantity, mode);
}

static const double *result_series(void *user, const char *name, size_t *count) {
  const sn_series *series = sn_result_series(user, name);
  *count = series ? series->count : 0;
  return series ? series->value : NULL;
}

static const double *measure_all(sn_sweep *c, const sn_run_view *run) {
  double *value = SN_NEW(&c->arena, double, c->measures + 1);
  for (int k = 0; k < c->measures; ++k) {
    const sn_measure_spec *spec = sn_study_measure(c->study, k);
    const sn_measure_ops *ops = sn_measure_ops_of(spec);
    value[k] = ops->value ? ops->value(spec, run) : NAN; /* of two runs: when all have ended, sn_case_between */
  }
  return value;
}

static const char *host_name(sn_arena *arena) {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1)) name[0] = 0;
  return sn_format(arena, "%s", name);
}

sn_outcome sn_case_lost(sn_sweep *c, const char *message) {
  static const sn_statistics nothing = {0};
  const sn_run_view run = {.noise = NAN, .statistics = &nothing, .series = no_series, .mode = no_mode};
  return (sn_outcome){.status = "crashed",
                      .reached = NAN,
                      .cpu = NAN,
                      .wall = NAN,
                      .host = host_name(&c->arena),
                      .message = sn_format(&c->arena, "%s", message),
                      .trust = "",
                      .audit = "",
                      .value = measure_all(c, &run)};
}

/* The first line of the context's message. */
static const char *first_line(sn_sweep *c) {
  const char *text = sn_message(c->context);
  return sn_copy_text(&c->arena, text, strcspn(text, "\n"));
}

/* ---- the run ---- */

static sn_run_view view_of(sn_result *result, bool done) {
  return (sn_run_view){.done = done,
                       .noise = NAN,
                       .statistics = &sn_result_about(result)->statistics,
                       .series = result_series,
                       .mode = result_mode,
                       .user = result};
}

static sn_status measure_file(sn_sweep *c, const sn_simulation *s, const char *path, bool done, sn_outcome *o) {
  sn_result *result;
  const sn_status status = sn_result_open(c->context, path, &result);
  if (status) return status;
  sn_run_view run = view_of(result, done);
  run.fixed = s->settings->step > 0;
  run.noise = sn_noise(s);
  run.constraint = sn_step_drift(s);
  o->value = measure_all(c, &run);
  o->cpu = run.statistics->cpu - run.statistics->cpu_output;
  o->wall = run.statistics->wall;
  sn_result_free(result);
  return SN_OK;
}

static const double *kept_series(void *user, const char *name, size_t *count) {
  return sn_kept_rows_series(user, name, count);
}

static double kept_mode(void *user, const char *quantity, int mode) {
  return sn_kept_rows_mode(user, quantity, mode);
}

static void measure_kept(sn_sweep *c, sn_simulation *s, sn_kept_rows *kept, bool done, sn_outcome *o) {
  const sn_run_view run = {.done = done,
                           .fixed = s->settings->step > 0,
                           .noise = sn_noise(s),
                           .constraint = sn_step_drift(s),
                           .statistics = sn_simulation_statistics(s),
                           .series = kept_series,
                           .mode = kept_mode,
                           .user = kept};
  o->value = measure_all(c, &run);
  o->cpu = run.statistics->cpu - run.statistics->cpu_output;
  o->wall = run.statistics->wall;
}

double sn_case_between(const sn_sweep *c, int i, const sn_measure_spec *spec) {
  assert(i >= 0 && i < c->count && sn_measure_ops_of(spec)->between);
  const int j = sn_sample_other(c->study, c->value, c->count, i, spec->from), pair[2] = {i, j};
  sn_result *result[2] = {NULL, NULL};
  double value = NAN;
  bool good = j >= 0;
  for (int k = 0; k < 2 && good; ++k) {
    char path[4096];
    snprintf(path, sizeof path, "%s/cases/%s.h5", c->folder, c->name[pair[k]]);
    good = access(path, F_OK) == 0 && !sn_result_open(c->context, path, &result[k]);
  }
  if (good) {
    const sn_run_view run = view_of(result[0], true), other = view_of(result[1], true);
    value = sn_measure_ops_of(spec)->between(spec, &run, &other);
  }
  for (int k = 0; k < 2; ++k)
    if (result[k]) sn_result_free(result[k]);
  return value;
}

/* Does a measure need data that are not in the rows? */
static bool asks_for_noise(const sn_sweep *c) {
  bool asks = false;
  for (int k = 0; k < c->measures; ++k) asks = asks || sn_measure_ops_of(sn_study_measure(c->study, k))->noise;
  return asks;
}

static void fill_outcome(sn_sweep *c, const sn_simulation *s, sn_status status, sn_outcome *o) {
  o->status = status ? "failed" : "done";
  o->message = status ? first_line(c) : "";
  o->reached = fmin(sn_time(s), s->end);
}

/* Run a simulation and measure its rows. */
static sn_status run_kept(sn_sweep *c, sn_simulation *s, sn_progress show, void *user, sn_outcome *o) {
  sn_kept_rows kept;
  sn_kept_rows_begin(&kept, s);
  const sn_status status = sn_record_kept(s, &kept, show, user);
  fill_outcome(c, s, status, o);
  if (status != SN_MEMORY) {
    sn_simulation_statistics(s); /* brings times up to date */
    s->verdict = sn_judge(s, status);
    o->trust = sn_trust_names[s->verdict.level];
    o->audit = sn_trust_names[s->verdict.audit];
    measure_kept(c, s, &kept, status == SN_OK, o);
  }
  sn_kept_rows_free(&kept);
  return status == SN_MEMORY ? status : SN_OK;
}

/* Run a simulation into a file and measure that. */
static sn_status run_filed(sn_sweep *c, sn_simulation *s, const char *path, sn_progress show, void *user,
                           sn_outcome *o) {
  sn_writer *writer;
  sn_status status = sn_writer_open(s, path, &writer);
  if (status) return status;
  status = sn_record(s, writer, show, user);
  fill_outcome(c, s, status, o);
  const sn_status closed = sn_writer_close(writer, status, o->message);
  o->trust = sn_trust_names[s->verdict.level];
  o->audit = sn_trust_names[s->verdict.audit];
  if (status == SN_IO || status == SN_MEMORY || closed) return closed ? closed : status;
  return measure_file(c, s, path, status == SN_OK, o);
}

sn_status sn_case_run(sn_sweep *c, int i, sn_progress show, void *user, sn_outcome *o) {
  assert(i >= 0 && i < c->count);
  sn_arena arena = {0};
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  const char **sets;
  const size_t count = overrides(c, i, &arena, &sets);
  const sn_options options = options_of(c, i);
  const char *path = sn_format(&arena, "%s/cases/%s.h5", c->folder, c->name[i]);
  sn_status status = sn_model_parse(c->context, c->study->model, c->model_text, c->model_length, sets, count, &model);
  if (!status) status = sn_simulation_create(model, &options, &simulation);
  if (!status && !isfinite(simulation->end))
    status = sn_fail(c->context, SN_USAGE, "the model has no analysis: the study must give the end time 'until'");
  if (status && status != SN_MEMORY) {
    *o = sn_case_lost(c, first_line(c));
    o->status = "failed";
    status = SN_OK;
  } else if (!status) {
    *o = (sn_outcome){.host = host_name(&c->arena)};
    const bool filed = c->study->keep || sn_kept_rows_bytes(simulation) > most_kept;
    if (asks_for_noise(c)) sn_watch_noise(simulation);
    status = filed ? run_filed(c, simulation, path, show, user, o) : run_kept(c, simulation, show, user, o);
    if (filed && !c->study->keep) unlink(path);
  }
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_arena_free(&arena);
  return status;
}
