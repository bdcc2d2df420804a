/* sweep_pool.c - the processes of a sweep: each runs one case, so that a crash affects that case only.
 *
 * Processes under mpirun need no messages: they claim cases by locks in the folder of the study, which they share. Rank
 * 0 waits for the cases of the others, and runs them itself if those die.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/sweep.h"

enum { exit_busy = 75 }; /* of a child: another process has the case */

typedef enum state { OPEN, RUNNING, FINISHED } state;

typedef struct worker {
  pid_t child; /* 0: none */
  int number;  /* of the case */
} worker;

typedef struct pool {
  sn_sweep *cases;
  int jobs, running, finished, failed;
  worker *worker;
  unsigned char *state, *killed; /* [cases]; killed: how often */
  cli_rank rank;
  int next; /* where the search for an open case goes on */
  cli_sweep_progress progress;
} pool;

cli_rank cli_find_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < SN_COUNT(names); ++i) {
    const char *value = getenv(names[i]);
    if (value) return (cli_rank){true, abs((int)strtol(value, NULL, 10))};
  }
  return (cli_rank){0};
}

/* ---- the child ---- */

/* Without its parent a case would run on unseen. */
static void check_parent(void *user, const sn_simulation *simulation) {
  (void)simulation;
  if (getppid() != *(const pid_t *)user) _exit(1);
}

static void limit_time(double seconds) {
  const rlim_t limit = (rlim_t)ceil(seconds);
  const struct rlimit limits = {.rlim_cur = limit, .rlim_max = limit + 5};
  const struct rlimit no_core = {0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (seconds > 0) setrlimit(RLIMIT_CPU, &limits);
}

typedef struct order {
  sn_sweep *cases;
  int number;
  pid_t parent;
} order;

static sn_status run_case(void *argument) {
  const order *o = argument;
  sn_sweep *cases = o->cases;
  int i = o->number;
  pid_t parent = o->parent;
  sn_outcome outcome;
  sn_status status = sn_sweep_reopen(cases);
  if (!status && !sn_case_claim(cases, i)) _exit(exit_busy);
  if (!status && sn_case_finished(cases, i)) _exit(0);
  if (!status) status = sn_case_run(cases, i, check_parent, &parent, &outcome);
  if (cases->context->interrupted) _exit(SN_INTERRUPTED);
  return status ? status : sn_case_write(cases, i, &outcome);
}

static _Noreturn void work(sn_sweep *cases, int i, pid_t parent) {
  order o = {cases, i, parent};
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  limit_time(cases->study->cpu_limit);
  const sn_status status = sn_guard(cases->context, NULL, run_case, &o);
  if (status) cli_report(cases->context, status);
  _exit((int)status);
}

static sn_status start(pool *p, worker *w, int i) {
  const pid_t parent = getpid();
  fflush(stdout);
  fflush(stderr);
  const pid_t child = fork();
  if (child == 0) work(p->cases, i, parent);
  if (child < 0) return sn_fail(p->cases->context, SN_IO, "cannot start a process: %s", strerror(errno));
  *w = (worker){child, i};
  p->state[i] = RUNNING;
  ++p->running;
  return SN_OK;
}

/* ---- the parent ---- */

static void finish(pool *p, int i) {
  sn_arena arena = {0};
  sn_outcome o;
  p->state[i] = FINISHED;
  ++p->finished;
  if (sn_case_read(p->cases, i, &arena, &o) && strcmp(o.status, "done")) ++p->failed;
  sn_arena_free(&arena);
}

static sn_status bury(pool *p, int i, const char *status, const char *message) {
  sn_outcome o = sn_case_lost(p->cases, message);
  o.status = status;
  const sn_status written = sn_case_write(p->cases, i, &o);
  if (!written) finish(p, i);
  return written;
}

/* A case that took its process with it. One that somebody killed gets a second chance. */
static sn_status take_dead(pool *p, int i, int number) {
  char text[160];
  if ((number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP) && p->killed[i]++ == 0) {
    p->state[i] = OPEN;
    return SN_OK;
  }
  if (number == SIGXCPU) {
    snprintf(text, sizeof text, "exceeded the CPU time limit of %g s", p->cases->study->cpu_limit);
    return bury(p, i, "failed", text);
  }
  snprintf(text, sizeof text, "the process was killed by signal %d: %s%s", number, strsignal(number),
           number == SIGKILL ? " (out of memory?)" : "");
  return bury(p, i, "crashed", text);
}

/* Collect a child that ended; SN_OK, or the reason why the sweep cannot continue. */
static sn_status take_in(pool *p, worker *w, int how) {
  const int i = w->number;
  *w = (worker){0};
  --p->running;
  if (WIFSIGNALED(how)) return take_dead(p, i, WTERMSIG(how));
  const int code = WEXITSTATUS(how);
  char text[80];
  p->state[i] = OPEN;
  switch (code) {
    case 0:
      finish(p, i);
      return SN_OK;
    case exit_busy:
    case SN_INTERRUPTED:
      return SN_OK;
    case SN_IO: /* the child said why */
    case SN_MEMORY:
      return sn_fail(p->cases->context, (sn_status)code, "case %d could not be run", i + 1);
    default:
      snprintf(text, sizeof text, "the process ended with exit code %d", code);
      return bury(p, i, "crashed", text);
  }
}

static sn_status reap(pool *p, bool *any) {
  sn_status status = SN_OK;
  *any = false;
  for (int k = 0; k < p->jobs && !status; ++k) {
    int how;
    if (p->worker[k].child <= 0 || waitpid(p->worker[k].child, &how, WNOHANG) <= 0) continue;
    *any = true;
    status = take_in(p, &p->worker[k], how);
  }
  return status;
}

/* An open case that no process runs; -1: none now. Cases that other processes finished are counted. */
static int find_open(pool *p) {
  for (int tried = 0; tried < p->cases->count; ++tried) {
    const int i = p->next;
    p->next = (i + 1) % p->cases->count;
    if (p->state[i] != OPEN) continue;
    if (sn_case_finished(p->cases, i)) {
      finish(p, i);
    } else if (!sn_case_claimed(p->cases, i)) {
      return i;
    }
  }
  return -1;
}

static sn_status fill(pool *p, bool *any) {
  for (int k = 0; k < p->jobs; ++k) {
    if (p->worker[k].child > 0) continue;
    const int i = find_open(p);
    if (i < 0) break;
    *any = true;
    const sn_status status = start(p, &p->worker[k], i);
    if (status) return status;
  }
  return SN_OK;
}

static void stop_all(void *argument) {
  pool *p = argument;
  for (int k = 0; k < p->jobs; ++k)
    if (p->worker[k].child > 0) kill(p->worker[k].child, SIGKILL);
  for (int k = 0; k < p->jobs; ++k)
    if (p->worker[k].child > 0)
      while (waitpid(p->worker[k].child, NULL, 0) < 0 && errno == EINTR) continue;
}

/* Wait a little; longer the longer nothing happens. */
static void rest(double *pause, bool any) {
  *pause = any ? 0.001 : fmin(1.5 * *pause, 0.05);
  const struct timespec time = {0, (long)(1e9 * *pause)};
  nanosleep(&time, NULL);
}

static sn_status run_all(pool *p) {
  sn_status status = SN_OK;
  double pause = 0.001;
  while (!status && p->finished < p->cases->count) {
    bool any = false;
    status = reap(p, &any);
    if (!status && p->cases->context->interrupted) status = SN_INTERRUPTED;
    if (!status) status = fill(p, &any);
    cli_sweep_progress_show(&p->progress, p->finished, p->failed, p->running);
    if (p->running == 0 && !any && p->rank.number > 0) break; /* what is left is in the hands of others */
    if (!status && p->finished < p->cases->count) rest(&pause, any);
  }
  return status;
}

sn_status cli_sweep_run(sn_sweep *cases, int jobs, cli_rank rank, bool quiet) {
  sn_arena arena = {0};
  pool p = {.cases = cases, .jobs = jobs, .rank = rank};
  p.worker = SN_NEW(&arena, worker, jobs);
  p.state = SN_NEW(&arena, unsigned char, cases->count);
  p.killed = SN_NEW(&arena, unsigned char, cases->count);
  for (int i = 0; i < cases->count; ++i)
    if (sn_case_finished(cases, i)) finish(&p, i);
  /* ranks begin at different places, so that they rarely claim the same case */
  p.next = (int)((unsigned)rank.number * 2654435761u % (unsigned)cases->count);
  cli_sweep_progress_begin(&p.progress, cases->count, p.finished, quiet || rank.number > 0);
  sn_undo undo;
  sn_undo_begin(&undo, stop_all, &p);
  const sn_status status = run_all(&p);
  sn_undo_end(&undo);
  if (status == SN_INTERRUPTED) cli_signal_was_heard();
  stop_all(&p);
  cli_sweep_progress_end(&p.progress, p.finished, p.failed);
  if (status == SN_INTERRUPTED && rank.number == 0)
    cli_error("interrupted after %d of %d cases; repeat the command to resume", p.finished, cases->count);
  sn_arena_free(&arena);
  return status;
}
