/* record.c - run all stages of a simulation into a result file. */
#include "run/record.h"

#include <math.h>

#include "analysis/checkpoint.h"
#include "analysis/companion.h"
#include "analysis/noise.h"
#include "system/phases.h"

typedef struct recording {
  sn_simulation *simulation;
  sn_writer *writer;  /* NULL: */
  sn_kept_rows *kept; /* rows in memory */
  sn_row row;
  sn_history history; /* for checkpoints */
  bool scheduled;     /* the file has one from the way */
  bool open;          /* a stage has begun */
  sn_progress show;
  void *user;
} recording;

static sn_status put_row(recording *r) {
  if (r->writer) return sn_writer_row(r->writer, &r->row);
  sn_kept_rows_add(r->kept, &r->row);
  return SN_OK;
}

static long rows_so_far(const recording *r) {
  return r->writer ? sn_writer_rows(r->writer) : (long)r->kept->rows;
}

static sn_status record(recording *r, double t) {
  sn_sample(r->simulation, t, &r->row);
  r->simulation->last_row = t;
  const double cpu = sn_cpu_time();
  sn_companion_row(r->simulation, &r->row);
  const sn_phase_mark mark = sn_phase_begin(r->simulation->system, SN_PHASE_OUTPUT);
  const sn_status status = put_row(r);
  sn_phase_end(r->simulation->system, &mark);
  r->simulation->system->statistics.cpu_output += sn_cpu_time() - cpu;
  return status;
}

/* The rows on the grid begin + k output_step that lie in the last step; the end of the stage has its own row. */
static sn_status record_step(recording *r) {
  sn_simulation *s = r->simulation;
  if (s->analysis->every_step) return record(r, sn_time(s));
  if (s->analysis->quasi_static) return SN_OK;
  const double slack = 1e-9 * s->output_step;
  const double reached = fmin(sn_time(s), s->end - slack);
  const long first = s->next_row;
  sn_status status = SN_OK;
  for (double t; !status && (t = s->begin + (double)s->next_row * s->output_step) <= reached; ++s->next_row) {
    status = record(r, t);
    if (!status && s->context->interrupted) /* a step can hold very many rows */
      status = sn_fail(s->context, SN_INTERRUPTED, "interrupted at t = %g s", t);
  }
  /* both sides of a jump; a row of the grid that lies between them has the state of the far side */
  const bool wanted = s->at_event == 1 ? s->state.t > s->last_row : s->at_event == 2 && s->next_row == first;
  if (!status && wanted) status = record(r, sn_time(s));
  return status;
}

/* ---- checkpoints ---- */

static void put_away(recording *r) {
  if (!r->writer) return;
  const sn_phase_mark mark = sn_phase_begin(r->simulation->system, SN_PHASE_OUTPUT);
  sn_checkpoint_save(r->simulation, &r->history);
  sn_writer_checkpoint(r->writer, &r->history, sn_writer_rows(r->writer));
  sn_phase_end(r->simulation->system, &mark);
}

/* Has the last step passed a multiple of the interval? */
static bool is_due(const sn_simulation *s) {
  const double interval = s->options.checkpoint;
  return interval > 0 && !s->finished && sn_checkpoint_possible(s) &&
         floor((s->state.t - s->begin) / interval) > floor((s->before.t - s->begin) / interval);
}

static sn_status checkpoint(recording *r) {
  put_away(r);
  r->scheduled = true;
  return sn_checkpoint_load(r->simulation, &r->history); /* as a resumed run would continue */
}

/* ---- stages ---- */

static sn_status begin_stage(recording *r) {
  sn_simulation *s = r->simulation;
  if (s->resumed) return SN_OK;
  s->begin = sn_time(s);
  s->first_row = rows_so_far(r);
  s->next_row = 1;
  return record(r, s->begin);
}

static sn_status run_stage(recording *r) {
  sn_simulation *s = r->simulation;
  sn_status status = begin_stage(r), disk = SN_OK;
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_ANALYSIS); /* what is between steps and rows, too */
  while (!status && !s->finished) {
    status = sn_step(s);
    if (status) break;
    sn_noise_step(s);
    status = record_step(r);
    if (!status && is_due(s)) status = checkpoint(r);
    if (r->show) r->show(r->user, s);
  }
  sn_phase_end(s->system, &mark);
  s->resumed = false;
  if (status == SN_IO || status == SN_MEMORY) return status; /* without memory the state may be half made */
  char *message = sn_format(&s->arena, "%s", sn_message(s->context));
  /* From a checkpoint during the run it continues as if it had not been interrupted; from here, nearly so. */
  if (sn_checkpoint_possible(s) && !(status == SN_INTERRUPTED && r->scheduled)) put_away(r);
  /* Where the stage stopped is recorded too, wherever that is. */
  const double last = s->analysis->quasi_static ? s->last_row : fmin(sn_time(s), s->end);
  if (last > s->last_row) disk = record(r, last);
  if (!disk && status) sn_fail(s->context, status, "%s", message);
  return disk ? disk : status;
}

static void end_stage(recording *r) {
  const sn_simulation *s = r->simulation;
  r->open = false;
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_OUTPUT);
  if (r->writer) sn_writer_stage(r->writer, s->stage, s->begin, s->first_row);
  sn_phase_end(s->system, &mark);
}

static sn_status record_all(void *argument) {
  recording *r = argument;
  sn_row_create(r->simulation, &r->row);
  for (;;) {
    r->open = true;
    sn_status status = run_stage(r);
    end_stage(r);
    if (status || sn_all_finished(r->simulation)) return status;
    status = sn_next_stage(r->simulation);
    if (status) return status;
  }
}

static sn_status run_all(recording *r) {
  sn_simulation *s = r->simulation;
  r->scheduled = s->resumed && s->options.checkpoint > 0;
  sn_status status = sn_guard(s->context, s->pool, record_all, r);
  sn_history_free(&r->history);
  if (status == SN_MEMORY && r->open) end_stage(r); /* the rows so far stay readable */
  return status;
}

sn_status sn_record(sn_simulation *s, sn_writer *writer, sn_progress show, void *user) {
  assert(s && writer);
  recording r = {.simulation = s, .writer = writer, .show = show, .user = user};
  return run_all(&r);
}

sn_status sn_record_kept(sn_simulation *s, sn_kept_rows *kept, sn_progress show, void *user) {
  assert(s && kept && !(s->options.checkpoint > 0));
  recording r = {.simulation = s, .kept = kept, .show = show, .user = user};
  return run_all(&r);
}
