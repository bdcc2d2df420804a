/* record.c - run all stages of a simulation into a result file. */
#include <math.h>

#include "result/result.h"

typedef struct recording {
  sn_simulation *simulation;
  sn_writer *writer;
  sn_row row;
  double begin;    /* time the stage began */
  double recorded; /* time of its last row */
  long next;       /* number of the next row on the output grid */
} recording;

static sn_status record(recording *r, double t) {
  sn_sample(r->simulation, t, &r->row);
  r->recorded = t;
  const double begin = sn_wall_time(), cpu = sn_cpu_time();
  const sn_status status = sn_writer_row(r->writer, &r->row);
  r->simulation->system->statistics.time_output += sn_wall_time() - begin;
  r->simulation->system->statistics.cpu_output += sn_cpu_time() - cpu;
  return status;
}

/* The rows on the grid begin + k output_step that lie in the last step; the end of the stage has its own row. */
static sn_status record_step(recording *r) {
  const sn_simulation *s = r->simulation;
  if (s->analysis->every_step) return record(r, sn_time(s));
  if (s->analysis->still) return SN_OK;
  const double slack = 1e-9 * s->output_step;
  const double reached = fmin(sn_time(s), s->end - slack);
  sn_status status = SN_OK;
  for (double t; !status && (t = r->begin + (double)r->next * s->output_step) <= reached; ++r->next) {
    status = record(r, t);
  }
  return status;
}

static sn_status run_stage(recording *r, sn_progress show, void *user) {
  sn_simulation *s = r->simulation;
  r->begin = sn_time(s);
  r->next = 1;
  sn_status status = record(r, r->begin), disk = SN_OK;
  while (!status && !s->finished) {
    status = sn_step(s);
    if (status) break;
    status = record_step(r);
    if (show) show(user, s);
  }
  /* Where the stage stopped is recorded too, wherever that is. */
  const double last = s->analysis->still ? r->recorded : fmin(sn_time(s), s->end);
  if (status != SN_IO && last > r->recorded) {
    char *message = sn_format(&s->arena, "%s", sn_message(s->context));
    disk = record(r, last);
    if (!disk) sn_fail(s->context, status, "%s", message);
  }
  return disk ? disk : status;
}

sn_status sn_record(sn_simulation *s, sn_writer *writer, sn_progress show, void *user) {
  recording r = {.simulation = s, .writer = writer};
  sn_row_create(s, &r.row);
  sn_status status = SN_OK;
  for (;;) {
    const long first = sn_writer_rows(writer);
    status = run_stage(&r, show, user);
    sn_writer_stage(writer, s->stage, r.begin, first);
    if (status || sn_all_finished(s)) break;
    status = sn_next_stage(s);
    if (status) break;
  }
  return status;
}
