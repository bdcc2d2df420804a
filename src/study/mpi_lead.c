/* mpi_lead.c - rank 0 of a study: it stores the outcomes of all ranks, and runs cases itself.
 *
 * It does not know which rank has drawn which case. When nobody has anything left to do, the cases that have not come
 * in belonged to ranks that broke or were lost: rank 0 runs them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "study/mpi_mail.h"
#include "study/workers.h"

typedef struct other {
  double heard; /* when */
  bool settled; /* it has nothing left to run, or is broken or lost */
  bool lost;
  sn_whole_file file; /* a result that comes in pieces */
  char path[4096];
} other;

typedef struct lead {
  sn_engine_job *job;
  sn_mpi_order *order;
  other *other;        /* [size] */
  unsigned char *done; /* [cases] */
  int *again, agains;  /* cases to be run here */
  long left;
  double retry;   /* when cases that another process had are tried again */
  double silence; /* [s] after which a rank is lost */
} lead;

/* ---- cases that run here ---- */

static int next_cases(void *user, int want, int *list) {
  lead *l = user;
  int count = 0;
  if (l->agains > 0 && sn_wall_time() >= l->retry)
    while (count < want && l->agains > 0) {
      const int i = l->again[--l->agains];
      if (!l->done[i]) list[count++] = i;
    }
  return count ? count : sn_mpi_draw(l->job->team, l->order, want, list);
}

static long cases_left(void *user) {
  const lead *l = user;
  return sn_mpi_left(l->job->team, l->order) + l->agains;
}

static sn_status case_finished(void *user, int i, bool failed, const char *text, size_t length, double seconds) {
  (void)text, (void)length, (void)seconds;
  lead *l = user;
  if (l->done[i]) return SN_OK; /* a rank that was given up has sent it after all */
  l->done[i] = 1;
  --l->left;
  ++l->job->finished;
  l->job->failed += failed;
  return SN_OK;
}

static void case_returned(void *user, int i, sn_returned why) {
  lead *l = user;
  l->again[l->agains++] = i;
  if (why == SN_RETURNED_BUSY) l->retry = sn_wall_time() + 0.1;
}

/* ---- mail ---- */

static sn_status cannot_write(lead *l, const char *path) {
  return sn_fail(l->job->cases->context, SN_IO, "cannot write %s: %s", path, strerror(errno));
}

static bool is_case(const lead *l, int32_t number) {
  return number >= 0 && number < l->job->cases->count;
}

static sn_status take_file(lead *l, other *o, const char *data, size_t length) {
  const sn_sweep *c = l->job->cases;
  int32_t number;
  if (length < sizeof number) return SN_OK;
  memcpy(&number, data, sizeof number);
  if (!is_case(l, number)) return SN_OK;
  if (!o->file.out) {
    snprintf(o->path, sizeof o->path, "%s/cases/%s.h5", c->folder, c->name[number]);
    if (!sn_whole_file_open(&o->file, o->path)) return cannot_write(l, o->path);
  }
  const size_t bytes = length - sizeof number;
  return fwrite(data + sizeof number, 1, bytes, o->file.out) == bytes ? SN_OK : cannot_write(l, o->path);
}

static sn_status take_outcome(lead *l, other *o, const char *data, size_t length) {
  sn_mail_outcome head;
  if (length < sizeof head) return SN_OK;
  memcpy(&head, data, sizeof head);
  if (!is_case(l, head.number)) return SN_OK;
  if (o->file.out && !sn_whole_file_close(&o->file, !fflush(o->file.out))) return cannot_write(l, o->path);
  if (l->done[head.number]) return SN_OK;
  const sn_status status =
      sn_case_store(l->job->cases, head.number, data + sizeof head, length - sizeof head, head.seconds);
  return status ? status : case_finished(l, head.number, head.failed, NULL, 0, 0);
}

static void say(const lead *l, int rank, const char *what) {
  char text[600];
  snprintf(text, sizeof text, "rank %d %s; the other ranks run its cases", rank, what);
  l->job->say(l->job->user, text);
}

static sn_status take_mail(lead *l, const sn_mail *mail) {
  other *o = &l->other[mail->rank];
  char *data = sn_new(mail->length + 1, 1), text[512];
  sn_status status = SN_OK;
  l->job->team->mpi->receive(mail, data);
  o->heard = sn_wall_time();
  switch ((sn_mpi_tag)mail->tag) {
    case SN_MAIL_FILE:
      status = take_file(l, o, data, mail->length);
      break;
    case SN_MAIL_OUTCOME:
      status = take_outcome(l, o, data, mail->length);
      break;
    case SN_MAIL_BROKEN:
      o->settled = true;
      snprintf(text, sizeof text, "cannot go on: %s", data);
      say(l, mail->rank, text);
      break;
    default:
      o->settled = o->settled || (mail->length > 0 && data[0]);
  }
  sn_free(data);
  return status;
}

/* ---- ranks that are lost; what nobody runs ---- */

static bool all_settled(lead *l) {
  const double now = sn_wall_time();
  bool all = true;
  char text[200];
  for (int r = 1; r < l->job->team->size; ++r) {
    other *o = &l->other[r];
    if (!o->lost && now - o->heard > l->silence) {
      snprintf(text, sizeof text, "has not answered for %.3g s and counts as lost", l->silence);
      say(l, r, text);
      o->lost = o->settled = l->job->team->lost = true;
    }
    all = all && o->settled;
  }
  return all;
}

static void take_over(lead *l) {
  for (long k = 0; k < l->order->count; ++k)
    if (!l->done[l->order->number[k]]) l->again[l->agains++] = l->order->number[k];
}

static sn_status run_all(lead *l, sn_workers *workers) {
  sn_engine_job *job = l->job;
  const sn_mpi_ops *mpi = job->team->mpi;
  /* operations on the counter may need us to enter MPI now and then */
  const double pause = job->team->size > 1 ? 0.001 : 0.05;
  sn_status status = SN_OK;
  while (!status && l->left > 0) {
    sn_mail mail;
    status = sn_workers_turn(workers, pause);
    while (!status && mpi->look(&mail)) status = take_mail(l, &mail);
    if (!status && job->cases->context->interrupted) status = SN_INTERRUPTED;
    const int running = sn_workers_running(workers, NULL);
    if (all_settled(l) && l->order->empty && running == 0 && l->agains == 0 && l->left > 0) take_over(l);
    job->show(job->user, job->finished, job->failed, running);
  }
  return status;
}

sn_status sn_mpi_lead(sn_engine_job *job, sn_mpi_order *order) {
  sn_arena arena = {0};
  const int count = job->cases->count, size = job->team->size;
  lead l = {.job = job, .order = order, .left = order->count, .silence = sn_team_silence()};
  l.other = SN_NEW(&arena, other, size);
  l.done = SN_NEW(&arena, unsigned char, count);
  l.again = SN_NEW(&arena, int, 2 * (size_t)count + 64);
  for (int r = 0; r < size; ++r) l.other[r].heard = sn_wall_time();
  job->show(job->user, job->finished, job->failed, 0);
  const sn_workers_calls calls = {next_cases, cases_left, case_finished, case_returned, &l};
  sn_workers *workers = sn_workers_create(job->cases, job->jobs, true, &calls);
  const sn_status status = run_all(&l, workers);
  sn_workers_stop(workers);
  for (int r = 1; r < size; ++r) {
    if (!l.other[r].lost) job->team->mpi->send(r, SN_MAIL_END, "", 0);
    if (l.other[r].file.out) sn_whole_file_close(&l.other[r].file, false);
  }
  sn_arena_free(&arena);
  return status;
}
