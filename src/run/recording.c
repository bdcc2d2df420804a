/* recording.c - a run into a result file that is resumed, watched, profiled and summarized, for programs. */
#include "sinew/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/checkpoint.h"
#include "analysis/events.h"
#include "analysis/modes.h"
#include "base/sized.h"
#include "base/trace.h"
#include "run/record.h"
#include "system/phases.h"

/* All its memory is in the pool of the simulation, whose arena grows while it is used. */
struct sn_recording {
  sn_simulation *simulation;
  const char *path, *from; /* from: the run that is resumed; NULL: none */
  sn_writer *writer;       /* NULL: it is closed */
  double begin;            /* start time, or that of the checkpoint */
  bool ran;
  sn_status status;    /* of the run */
  const char *message; /* if it failed */
};

/* ---- opening ---- */

typedef struct opening {
  sn_simulation *simulation;
  sn_recording_options options;
  sn_recording *recording;
  sn_resume resume;
} opening;

static bool is_part(const char *path) {
  const size_t length = strlen(path), part = strlen(".part");
  return length > part && strcmp(path + length - part, ".part") == 0;
}

/* Continue where the other run stopped. */
static sn_status load_checkpoint(opening *o) {
  sn_simulation *s = o->simulation;
  const char *from = o->options.resume;
  sn_status status = sn_resume_read(s->model, from, &o->resume);
  if (status) return status;
  if (s->options.checkpoint == 0) s->options.checkpoint = o->resume.interval;
  status = sn_checkpoint_load(s, &o->resume.history);
  if (status) return status;
  /* A run that was killed after its last step lacks nothing but the name of its file. */
  if (sn_all_finished(s) && !is_part(from))
    return sn_fail(s->context, SN_USAGE, "%s is complete: it ends at %g s\n  possible remedy: a later end, --until T",
                   from, sn_time(s));
  return SN_OK;
}

static sn_status open_recording(void *argument) {
  opening *o = argument;
  sn_simulation *s = o->simulation;
  sn_recording *r = o->recording = sn_new(1, sizeof *r);
  r->simulation = s;
  r->path = o->options.path;
  r->from = o->options.resume;
  r->message = "";
  sn_status status = r->from ? load_checkpoint(o) : SN_OK;
  r->begin = sn_time(s);
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_OUTPUT);
  if (!status)
    status = r->from ? sn_writer_resume(s, r->from, o->resume.rows, r->path, &r->writer)
                     : sn_writer_open(s, r->path, &r->writer);
  sn_phase_end(s->system, &mark);
  sn_history_free(&o->resume.history);
  if (status) sn_free(r), o->recording = NULL;
  return status;
}

sn_status sn_recording_open(sn_simulation *s, const sn_recording_options *options, sn_recording **recording) {
  opening o = {.simulation = s, .options.size = sizeof o.options};
  *recording = NULL;
  if (options->size >= sizeof options->size)
    memcpy(&o.options, options, options->size < sizeof o.options ? options->size : sizeof o.options);
  if (!o.options.path) return sn_fail(s->context, SN_USAGE, "a recording needs the path of its file");
  if (sn_pool_failed(s->pool)) return sn_fail(s->context, SN_MEMORY, "out of memory at t = %g s", s->state.t);
  const sn_status status = sn_guard(s->context, s->pool, open_recording, &o);
  if (!status) *recording = o.recording;
  return status;
}

/* ---- running, watching, closing ---- */

static sn_status keep_message(void *argument) {
  sn_recording *r = argument;
  r->message = sn_format(&r->simulation->arena, "%s", sn_message(r->simulation->context));
  return SN_OK;
}

sn_status sn_recording_run(sn_recording *r, sn_progress progress, void *user) {
  if (!r->writer || r->ran) return sn_fail(r->simulation->context, SN_USAGE, "the recording was run before");
  r->ran = true;
  r->status = sn_record(r->simulation, r->writer, progress, user);
  if (r->status && sn_guard(NULL, r->simulation->pool, keep_message, r)) r->message = "out of memory";
  return r->status;
}

typedef struct watching {
  sn_recording *recording;
  sn_result **result;
} watching;

static sn_status watch(void *argument) {
  const watching *w = argument;
  return sn_result_watch(w->recording->simulation->context, w->recording->writer, w->result);
}

sn_status sn_recording_watch(sn_recording *r, sn_result **result) {
  watching w = {r, result};
  *result = NULL;
  if (!r->writer) return sn_fail(r->simulation->context, SN_USAGE, "the recording is closed");
  return sn_guard(r->simulation->context, r->simulation->pool, watch, &w);
}

static sn_status close_writer(void *argument) {
  sn_recording *r = argument;
  sn_writer *writer = r->writer;
  r->writer = NULL;
  return sn_writer_close(writer, r->ran ? r->status : SN_INTERRUPTED, r->message);
}

sn_status sn_recording_close(sn_recording *r) {
  sn_context *context = r->simulation->context;
  if (!r->writer) return sn_fail(context, SN_USAGE, "the recording is closed");
  return sn_guard(context, r->simulation->pool, close_writer, r);
}

void sn_recording_free(sn_recording *r) {
  if (!r) return;
  if (r->writer) sn_recording_close(r);
  sn_free(r);
}

/* ---- what it came to ---- */

typedef struct summing {
  sn_recording *recording;
  sn_summary *summary;
} summing;

/* "statics, dynamics" */
static const char *stage_names(sn_simulation *s) {
  const char *text = "";
  for (int i = 0; i < s->stages; ++i)
    text = sn_format(&s->arena, "%s%s%s", text, i ? ", " : "", sn_stage_ops(s->stage_spec[i])->kind.name);
  return text;
}

static sn_status sum_up(void *argument) {
  const summing *u = argument;
  sn_simulation *s = u->recording->simulation;
  sn_summary all = {
      .model = s->model->document->path,
      .title = s->model->document->title ? s->model->document->title : "",
      .analysis = stage_names(s),
      .integrator = s->integrator_name,
      .step = s->settings->step,
      .tolerance = sn_asked(s)->tolerance,
      .begin = u->recording->begin,
      .reached = fmin(sn_time(s), s->end),
      .end = s->end,
      .energy_error = s->largest_energy_error,
      .kinetic = s->largest_kinetic,
      .position_change = s->start.position_change,
      .velocity_change = s->start.velocity_change,
      .redundant = s->start.redundant,
      .notes = s->start.notes ? s->start.notes : "",
      .events = sn_events_text(s, &s->arena),
      .trust = sn_trust_names[s->verdict.level],
      .reasons = s->verdict.reasons ? s->verdict.reasons : "",
  };
  memcpy(all.constraint, s->largest_constraint, sizeof all.constraint);
  sn_summary_costs(&all, &s->system->statistics);
  sn_summary_give(u->summary, &all);
  return SN_OK;
}

sn_status sn_recording_summary(sn_recording *r, sn_summary *summary) {
  summing u = {r, summary};
  return sn_guard(r->simulation->context, r->simulation->pool, sum_up, &u);
}

sn_status sn_simulation_progress(const sn_simulation *s, sn_progress_info *info) {
  const sn_progress_info all = {.stage = s->stage,
                                .quasi_static = s->analysis->quasi_static,
                                .begin = s->begin,
                                .end = s->end,
                                .time = sn_time(s),
                                .step = s->state.t - s->before.t,
                                .load = s->load,
                                .steps = s->system->statistics.steps};
  sn_give(info, &all, sizeof all);
  return SN_OK;
}

/* ---- modes of all stages: the simulation has the last first ---- */

size_t sn_modes_count(const sn_simulation *s) {
  size_t count = 0;
  for (const sn_modes *m = s->modes; m; m = m->next) ++count;
  return count;
}

sn_status sn_modes_at(const sn_simulation *s, size_t number, sn_modes_info *info, size_t *stage, const char **method) {
  const size_t count = sn_modes_count(s);
  *info = (sn_modes_info){0};
  if (number >= count) return sn_fail(s->context, SN_USAGE, "%zu stages have found modes, not %zu", count, number + 1);
  const sn_modes *m = s->modes;
  for (size_t i = count - 1; i > number; --i) m = m->next;
  sn_modes_describe(m, info);
  if (stage) *stage = (size_t)m->stage;
  if (method) *method = m->method;
  return SN_OK;
}

/* ---- profiles ---- */

struct sn_profile {
  sn_pool *pool;
  double begin;
  sn_trace *trace; /* NULL: no simulation yet */
};

static sn_status make_profile(void *argument) {
  sn_profile **profile = argument;
  *profile = sn_new(1, sizeof **profile);
  (*profile)->begin = sn_wall_time();
  return SN_OK;
}

sn_profile *sn_profile_create(void) {
  sn_profile *profile = NULL;
  sn_pool *pool = sn_pool_create();
  if (pool && !sn_guard(NULL, pool, make_profile, &profile)) {
    profile->pool = pool;
    return profile;
  }
  sn_pool_free(pool);
  return NULL;
}

typedef struct attaching {
  sn_profile *profile;
  sn_simulation *simulation;
} attaching;

static sn_status attach(void *argument) {
  const attaching *a = argument;
  sn_threads *threads = a->simulation->system->threads;
  sn_profile *p = a->profile;
  p->trace = sn_trace_create_at(sn_threads_count(threads), p->begin);
  sn_trace_add(p->trace, 0, sn_phase_names[SN_PHASE_START], p->begin, sn_wall_time());
  sn_threads_set_trace(threads, p->trace);
  return SN_OK;
}

sn_status sn_profile_attach(sn_profile *profile, sn_simulation *simulation) {
  attaching a = {profile, simulation};
  if (profile->trace) return sn_fail(simulation->context, SN_USAGE, "the profile has a simulation");
  return sn_guard(simulation->context, profile->pool, attach, &a);
}

sn_status sn_profile_write(const sn_profile *profile, sn_context *context, const char *path) {
  if (!profile->trace) return sn_fail(context, SN_USAGE, "the profile has no simulation");
  return sn_trace_write(context, profile->trace, path);
}

void sn_profile_free(sn_profile *profile) {
  if (!profile) return;
  sn_pool *pool = profile->pool;
  sn_trace_free(profile->trace);
  sn_free(profile);
  sn_pool_free(pool);
}
