/* record_run.c - a run into a result file, for programs. */
#include "run/record.h"

typedef struct call {
  sn_simulation *simulation;
  const char *path, *message;
  sn_status status;
  sn_writer *writer;
} call;

static sn_status open_file(void *argument) {
  call *c = argument;
  return sn_writer_open(c->simulation, c->path, &c->writer);
}

static sn_status close_file(void *argument) {
  call *c = argument;
  const char *message = c->status ? sn_format(&c->simulation->arena, "%s", sn_message(c->simulation->context)) : "";
  return sn_writer_close(c->writer, c->status, message);
}

sn_status sn_record_run(sn_simulation *s, const char *path, sn_progress progress, void *user) {
  call c = {.simulation = s, .path = path};
  if (sn_pool_failed(s->pool)) return sn_fail(s->context, SN_MEMORY, "out of memory at t = %g s", s->state.t);
  sn_status status = sn_guard(s->context, s->pool, open_file, &c);
  if (status) return status;
  c.status = sn_record(s, c.writer, progress, user);
  const sn_status closed = sn_guard(s->context, s->pool, close_file, &c);
  return c.status ? c.status : closed;
}

typedef struct judging {
  sn_simulation *simulation;
  sn_verdict verdict;
} judging;

static sn_status judge(void *argument) {
  judging *j = argument;
  j->verdict = sn_judge(j->simulation, SN_OK);
  return SN_OK;
}

static bool verdict_of(sn_simulation *s, sn_verdict *verdict) {
  judging j = {.simulation = s};
  if (sn_pool_failed(s->pool) || sn_guard(s->context, s->pool, judge, &j)) return false;
  *verdict = j.verdict;
  return true;
}

const char *sn_verdict_word(sn_simulation *s) {
  sn_verdict v;
  return verdict_of(s, &v) ? sn_trust_names[v.level] : NULL;
}

const char *sn_verdict_reasons(sn_simulation *s) {
  sn_verdict v;
  return verdict_of(s, &v) ? v.reasons : NULL;
}
