/* engine_cores.c - the cases of a study on the cores of this machine.
 *
 * Several sweeps may work on one folder: by hand, or as tasks of Slurm, on one machine or on several that share the
 * folder. Each claims the cases that it runs (cases.h). The first of them waits for the cases of the others, and runs
 * them itself if those die.
 */
#include "study/engine.h"
#include "study/workers.h"

typedef enum state { OPEN, DONE, GIVEN, TAKEN } state; /* TAKEN: by another process */

typedef struct cores {
  sn_engine_job *job;
  unsigned char *state; /* [cases] */
  int next, left;       /* where the search for an open case goes on; wanted cases that have not finished */
  int open, taken;
} cores;

void sn_engine_begin(sn_engine_job *job, unsigned char *done) {
  job->finished = job->failed = 0;
  sn_logs_read(job->cases->logs);
  for (int i = 0; i < job->cases->count; ++i) {
    sn_arena arena = {0};
    sn_outcome o;
    done[i] = sn_case_read(job->cases, i, &arena, &o);
    if (done[i]) {
      ++job->finished;
      job->failed += o.status[0] != 'd';
    }
    sn_arena_free(&arena);
  }
}

static int next_cases(void *user, int want, int *list) {
  cores *c = user;
  const sn_engine_job *job = c->job;
  const int width = job->last - job->first;
  int count = 0;
  for (int tried = 0; tried < width && count < want && c->open > 0; ++tried) {
    const int i = c->next;
    c->next = i + 1 < job->last ? i + 1 : job->first;
    if (c->state[i] != OPEN) continue;
    c->state[i] = GIVEN;
    --c->open;
    list[count++] = i;
  }
  return count;
}

static long cases_left(void *user) {
  return ((const cores *)user)->open;
}

static sn_status case_finished(void *user, int i, bool failed, const char *text, size_t length, double seconds) {
  (void)text, (void)length, (void)seconds;
  cores *c = user;
  c->state[i] = DONE;
  --c->left;
  ++c->job->finished;
  c->job->failed += failed;
  return SN_OK;
}

static void case_returned(void *user, int i, sn_returned why) {
  cores *c = user;
  c->state[i] = why == SN_RETURNED_BUSY ? TAKEN : OPEN;
  if (why == SN_RETURNED_BUSY)
    ++c->taken;
  else
    ++c->open;
}

/* What others had: is it finished, or did they die? */
static void look_at_others(cores *c) {
  sn_logs_read_others(c->job->cases->logs);
  for (int i = c->job->first; i < c->job->last && c->taken > 0; ++i) {
    if (c->state[i] != TAKEN) continue;
    const bool done = sn_case_finished(c->job->cases, i);
    if (!done && sn_case_claimed(c->job->cases, i)) continue;
    --c->taken;
    if (done) {
      case_finished(c, i, false, NULL, 0, 0);
    } else {
      c->state[i] = OPEN;
      ++c->open;
    }
  }
}

static sn_status run_all(cores *c, sn_workers *workers) {
  sn_engine_job *job = c->job;
  const bool helps = job->team->rank > 0;
  sn_status status = SN_OK;
  double looked = sn_wall_time();
  while (!status && c->left > 0) {
    const bool others_only = c->open == 0 && sn_workers_running(workers, NULL) == 0;
    if (others_only && helps) break; /* what is left is in the hands of others */
    status = sn_workers_turn(workers, 0.05);
    if (!status && job->cases->context->interrupted) status = SN_INTERRUPTED;
    if (c->taken > 0 && sn_wall_time() - looked > 0.05) {
      look_at_others(c);
      looked = sn_wall_time();
    }
    job->show(job->user, job->finished, job->failed, sn_workers_running(workers, NULL));
  }
  return status;
}

static sn_status run_cores(sn_engine_job *job) {
  sn_arena arena = {0};
  const int count = job->cases->count, width = job->last - job->first;
  cores c = {.job = job, .state = SN_NEW(&arena, unsigned char, count)};
  sn_engine_begin(job, c.state);
  for (int i = job->first; i < job->last; ++i) c.left += c.state[i] != DONE;
  c.open = c.left;
  /* helpers begin at different places, so that they rarely claim the same case */
  c.next = job->first + (int)((unsigned)job->team->rank * 2654435761u % (unsigned)width);
  job->show(job->user, job->finished, job->failed, 0);
  const sn_workers_calls calls = {next_cases, cases_left, case_finished, case_returned, &c};
  sn_workers *workers = sn_workers_create(job->cases, job->jobs, true, &calls);
  const sn_status status = run_all(&c, workers);
  sn_workers_stop(workers);
  sn_arena_free(&arena);
  return status;
}

const sn_engine_ops sn_engine_cores = {
    .name = "cores",
    .summary = "the cores of this machine",
    .run = run_cores,
};
