/* engine_mpi.c - the cases of a study on the ranks of mpirun: how they begin, and what all but rank 0 do.
 *
 * The queue is one number at rank 0, the first case that nobody has drawn. A rank adds to it by a one-sided operation
 * (MPI_Fetch_and_op), so that no rank waits for another one to answer. Outcomes go to rank 0 as messages: only rank 0
 * needs the folder of the study. The rank itself computes nothing; its cases run in processes of their own (workers.h),
 * so a rank answers at any time, and one that is silent is lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "study/mpi_mail.h"
#include "study/rank_guard.h"
#include "study/workers.h"

static const double beat_interval = 1; /* [s] */

int sn_mpi_draw(const sn_team *team, sn_mpi_order *order, int want, int *list) {
  if (order->empty || want < 1) return 0;
  const long first = team->mpi->draw(want);
  int count = 0;
  for (; count < want && first + count < order->count; ++count) list[count] = order->number[first + count];
  order->drawn = first + want;
  order->empty = order->drawn >= order->count;
  return count;
}

long sn_mpi_left(const sn_team *team, const sn_mpi_order *order) {
  const long left = order->count - order->drawn;
  return left > 0 ? left / team->size : 0;
}

/* ---- the others ---- */

typedef struct helper {
  sn_engine_job *job;
  sn_mpi_order *order;
  int *again, agains; /* cases to be tried once more */
  double spoke;       /* when */
} helper;

static void speak(helper *h, int tag, const void *data, size_t length) {
  h->job->team->mpi->send(0, tag, data, length);
  h->spoke = sn_wall_time();
}

static int next_cases(void *user, int want, int *list) {
  helper *h = user;
  if (h->agains == 0) return sn_mpi_draw(h->job->team, h->order, want, list);
  int count = 0;
  while (count < want && h->agains > 0) list[count++] = h->again[--h->agains];
  return count;
}

static long cases_left(void *user) {
  const helper *h = user;
  return sn_mpi_left(h->job->team, h->order) + h->agains;
}

static void case_returned(void *user, int i, sn_returned why) {
  (void)why;
  helper *h = user;
  h->again[h->agains++] = i;
}

/* The result file of a case, in pieces; it is not needed here any more. */
static sn_status send_file(helper *h, int i) {
  enum { piece = 1 << 20 };
  const sn_sweep *c = h->job->cases;
  char path[4096];
  snprintf(path, sizeof path, "%s/cases/%s.h5", c->folder, c->name[i]);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT ? SN_OK : sn_fail(c->context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  char *data = sn_new(piece, 1);
  const int32_t number = i;
  memcpy(data, &number, sizeof number);
  ssize_t got;
  while ((got = read(file, data + sizeof number, piece - sizeof number)) > 0)
    speak(h, SN_MAIL_FILE, data, sizeof number + (size_t)got);
  const int error = errno;
  sn_free(data);
  close(file);
  unlink(path);
  return got < 0 ? sn_fail(c->context, SN_IO, "cannot read %s: %s", path, strerror(error)) : SN_OK;
}

static sn_status case_finished(void *user, int i, bool failed, const char *text, size_t length, double seconds) {
  helper *h = user;
  const sn_mail_outcome head = {i, failed, seconds};
  if (h->job->cases->study->keep) {
    const sn_status status = send_file(h, i);
    if (status) return status;
  }
  char *data = sn_new(sizeof head + length, 1);
  memcpy(data, &head, sizeof head);
  memcpy(data + sizeof head, text, length);
  speak(h, SN_MAIL_OUTCOME, data, sizeof head + length);
  sn_free(data);
  return SN_OK;
}

static bool heard_end(const sn_mpi_ops *mpi) {
  sn_mail mail;
  bool end = false;
  while (!end && mpi->look(&mail)) {
    char *data = sn_new(mail.length + 1, 1);
    mpi->receive(&mail, data);
    end = mail.tag == SN_MAIL_END;
    sn_free(data);
  }
  return end;
}

/* It runs cases until there are none, and stays until rank 0 has all of them. */
static void help(helper *h, sn_workers *workers) {
  const sn_context *context = h->job->cases->context;
  const struct timespec pause = {0, 20000000};
  bool broken = false, idle = false;
  while (!heard_end(h->job->team->mpi) && !context->interrupted) {
    const sn_status status = broken ? SN_OK : sn_workers_turn(workers, 0.02);
    if (broken) nanosleep(&pause, NULL);
    if (status) {
      broken = true;
      speak(h, SN_MAIL_BROKEN, sn_message(context), strlen(sn_message(context)));
    }
    const bool now_idle = !broken && h->order->empty && h->agains == 0 && sn_workers_running(workers, NULL) == 0;
    if ((now_idle && !idle) || sn_wall_time() - h->spoke > beat_interval) {
      const char beat = now_idle;
      speak(h, SN_MAIL_BEAT, &beat, sizeof beat);
    }
    idle = now_idle;
  }
}

static sn_status run_helper(sn_engine_job *job, sn_mpi_order *order) {
  sn_arena arena = {0};
  helper h = {.job = job, .order = order, .again = SN_NEW(&arena, int, job->cases->count), .spoke = sn_wall_time()};
  const sn_workers_calls calls = {next_cases, cases_left, case_finished, case_returned, &h};
  sn_workers *workers = sn_workers_create(job->cases, job->jobs, false, &calls);
  help(&h, workers);
  sn_workers_stop(workers);
  sn_arena_free(&arena);
  return job->cases->context->interrupted ? SN_INTERRUPTED : SN_OK; /* what it could not do is not its failure */
}

/* ---- all ---- */

/* Do all ranks have the same program, model and study? */
static sn_status compare_cases(const sn_engine_job *job) {
  const sn_sweep *c = job->cases;
  uint64_t mine = 0xCBF29CE484222325u;
  for (int i = 0; i < c->count; ++i) mine = sn_hash(mine, c->name[i], strlen(c->name[i]));
  uint64_t first = mine;
  job->team->mpi->share(&first, sizeof first);
  char text[400], host[256] = "";
  int rank;
  if (first != mine) {
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "rank %d on %s has other cases than rank 0: its program, model or study differs",
             job->team->rank, host);
    job->say(job->user, text);
  }
  if (sn_team_agree(job->team, first == mine ? SN_OK : SN_IO, &rank) == SN_OK) return SN_OK;
  return sn_fail(c->context, SN_IO, "the ranks do not have the same cases");
}

/* Rank 0 knows what has finished. */
static void share_order(sn_engine_job *job, sn_arena *arena, sn_mpi_order *order) {
  const sn_mpi_ops *mpi = job->team->mpi;
  order->number = SN_NEW(arena, int32_t, job->cases->count);
  if (job->team->rank == 0) {
    unsigned char *done = SN_NEW(arena, unsigned char, job->cases->count);
    sn_engine_begin(job, done);
    for (int i = job->first; i < job->last; ++i)
      if (!done[i]) order->number[order->count++] = i;
  }
  mpi->share(&order->count, sizeof order->count);
  mpi->share(order->number, sizeof order->number[0] * (size_t)order->count);
  order->empty = order->count == 0;
}

static sn_status run_mpi(sn_engine_job *job) {
  sn_arena arena = {0};
  sn_mpi_order order = {0};
  sn_rank_guard guard;
  sn_rank_guard_begin(&guard, job->team->rank);
  sn_status status = compare_cases(job);
  if (!status) share_order(job, &arena, &order);
  sn_rank_guard_end(&guard);
  if (!status) status = job->team->rank == 0 ? sn_mpi_lead(job, &order) : run_helper(job, &order);
  sn_arena_free(&arena);
  return status;
}

const sn_engine_ops sn_engine_mpi = {
    .name = "mpi",
    .summary = "the ranks of mpirun; only rank 0 needs the folder of the study",
    .run = run_mpi,
};
