/* recorded.h - runs into result files for tests: recorded, interrupted after some steps, resumed. */
#ifndef SN_RECORDED_H
#define SN_RECORDED_H

#include <unistd.h>

#include "analysis/checkpoint.h"
#include "run/record.h"
#include "support.h"

static void temporary(char *path, const char *kind) {
  snprintf(path, 64, "/tmp/sinew-%s-XXXXXX", kind);
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
}

/* Stop a run from outside after some steps. */
typedef struct patience {
  sn_context *context;
  long steps;
} patience;

static void count_down(void *user, const sn_simulation *simulation) {
  patience *p = user;
  (void)simulation;
  if (--p->steps == 0) sn_interrupt(p->context);
}

/* Run, or go on, into `path`; interrupted after `steps` (0: never). */
static void record(const char *text, sn_options options, const char *from, const char *path, long steps) {
  run r = {.context = sn_context_create()};
  sn_resume resume = {0};
  sn_writer *writer = NULL;
  r.model = parse(r.context, text);
  if (from && sn_resume_read(r.model, from, &resume)) fail_msg("%s", sn_message(r.context));
  if (from) options.checkpoint = resume.interval;
  sn_status status = sn_simulation_create(r.model, &options, &r.simulation);
  if (!status && from) status = sn_checkpoint_load(r.simulation, &resume.history);
  if (!status)
    status = from ? sn_writer_resume(r.simulation, from, resume.rows, path, &writer)
                  : sn_writer_open(r.simulation, path, &writer);
  if (status) fail_msg("%s", sn_message(r.context));
  patience p = {r.context, steps};
  status = sn_record(r.simulation, writer, count_down, &p);
  assert_int_equal(status, steps > 0 ? SN_INTERRUPTED : SN_OK);
  assert_int_equal(sn_writer_close(writer, status, sn_message(r.context)), SN_OK);
  sn_history_free(&resume.history);
  close_run(&r);
}

#endif
