/* workers.c - the processes of a study on this machine.
 *
 *   here    number of a case ->     a process, by one socket each
 *           <- report, text         in the order of the cases
 */
#include "study/workers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

enum {
  most_given = 64,         /* cases that wait at a process */
  most_cases = 1000,       /* of one process; a new one begins with clean memory */
  largest_text = 16 << 20, /* of an outcome */
};
static const double given_time = 0.02; /* [s] of work that waits at a process */
static const double short_case = 1;    /* [s]; behind one of these another may wait */

typedef enum answer { DONE, FAILED, THERE, BUSY, UNTRIED } answer;

typedef struct report {
  int32_t number, answer, status; /* status: of what could not be tried, and the text says why */
  uint32_t length;                /* of the text that follows */
  double seconds;
} report;

typedef struct worker {
  pid_t child; /* 0: none */
  int channel;
  int given[most_given], count; /* cases it has, in their order; it runs the first */
  int total;                    /* given so far */
  bool closing;                 /* it gets no more */
  double seconds;               /* of its last case */
  char *input;                  /* what has come of a report */
  size_t length, room;
} worker;

struct sn_workers {
  sn_arena arena;
  sn_sweep *cases;
  sn_workers_calls calls;
  int jobs;
  bool store;
  worker *worker;
  int *log; /* [jobs] of the processes, one after the other, at each place; -1: not begun */
  struct pollfd *poll;
  unsigned char *killed; /* [cases] how often */
  sn_undo undo;
};

/* ---- the process ---- */

/* Without its parent a case would run on unseen. Linux ends the process then; elsewhere it looks after every step. */
#ifdef __linux__
static const sn_progress check_parent = NULL;
static void follow(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it has died before */
}
#else
static void check_parent(void *user, const sn_simulation *simulation) {
  (void)simulation;
  if (getppid() != *(const pid_t *)user) _exit(1);
}
static void follow(pid_t parent) {
  (void)parent;
}
#endif

/* The limit counts from the start of the process: each case adds its own to what has been used. */
static void limit_time(double seconds) {
  struct rusage used;
  struct rlimit limit;
  if (!(seconds > 0) || getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &limit)) return;
  const double so_far = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
                        1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  const rlim_t wanted = (rlim_t)ceil(so_far + seconds);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_CPU, &limit);
}

static bool receive(int channel, void *data, size_t length) {
  char *at = data;
  while (length) {
    const ssize_t got = read(channel, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    length -= (size_t)got;
  }
  return true;
}

/* Nobody listens any more: the process ends. */
static void transmit(int channel, const void *data, size_t length) {
  const char *at = data;
  while (length) {
    const ssize_t put = send(channel, at, length, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) _exit(1);
    at += put;
    length -= (size_t)put;
  }
}

typedef struct task {
  sn_sweep *cases;
  bool store;
  pid_t parent;
  sn_arena arena;
  report report;
  const char *text;
} task;

static sn_status run_case(void *argument) {
  task *t = argument;
  sn_sweep *c = t->cases;
  sn_outcome outcome;
  size_t length = 0;
  const int i = t->report.number;
  const double begin = sn_wall_time();
  if (t->store && !sn_case_claim(c, i)) return t->report.answer = BUSY, SN_OK;
  if (t->store) sn_logs_read_others(c->logs);
  if (t->store && sn_case_finished(c, i)) return t->report.answer = THERE, SN_OK;
  sn_status status = sn_case_run(c, i, check_parent, &t->parent, &outcome);
  if (status) return status;
  t->report.answer = strcmp(outcome.status, "done") ? FAILED : DONE;
  t->report.seconds = sn_wall_time() - begin;
  const char *text = sn_case_text(c, &outcome, &t->arena, &length);
  if (t->store) return sn_case_store(c, i, text, length, t->report.seconds);
  t->text = text;
  t->report.length = (uint32_t)length;
  return SN_OK;
}

static void run_task(task *t, int channel) {
  sn_context *context = t->cases->context;
  const sn_status status = sn_guard(context, NULL, run_case, t);
  if (status) {
    t->text = sn_message(context);
    t->report.answer = UNTRIED;
    t->report.status = (int)status;
    t->report.length = (uint32_t)strlen(t->text);
  }
  if (t->store) sn_case_release(t->cases, t->report.number);
  transmit(channel, &t->report, sizeof t->report);
  if (t->report.length) transmit(channel, t->text, t->report.length);
  sn_arena_free(&t->arena);
  if (status) _exit((int)status);
}

static _Noreturn void work(sn_workers *w, int channel, int log, pid_t parent) {
  static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  const struct rlimit no_core = {0};
  task first = {.cases = w->cases, .store = w->store, .parent = parent};
  for (size_t i = 0; i < SN_COUNT(usual); ++i) signal(usual[i], SIG_DFL);
  setrlimit(RLIMIT_CORE, &no_core);
  follow(parent);
  if (w->store && sn_sweep_reopen(w->cases, log)) _exit(SN_IO);
  for (;;) {
    task t = first;
    if (!receive(channel, &t.report.number, sizeof t.report.number)) _exit(0);
    limit_time(w->cases->study->cpu_limit);
    run_task(&t, channel);
  }
}

/* ---- here ---- */

static sn_status start(sn_workers *w, worker *k) {
  int ends[2], *log = &w->log[k - w->worker];
  const pid_t parent = getpid();
  sn_context *context = w->cases->context;
  if (w->store && *log < 0) *log = sn_log_begin(w->cases->logs);
  if (w->store && *log < 0)
    return sn_fail(context, SN_IO, "cannot write to %s/cases: %s", w->cases->folder, strerror(errno));
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return sn_fail(context, SN_IO, "cannot start a process: %s", strerror(errno));
  fflush(stdout);
  fflush(stderr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]); /* the ends of the others too: only then does each of them see the end of this process */
    for (int i = 0; i < w->jobs; ++i) {
      if (w->worker[i].child > 0) close(w->worker[i].channel);
      if (w->log[i] >= 0 && &w->log[i] != log) close(w->log[i]);
    }
    work(w, ends[1], *log, parent);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return sn_fail(context, SN_IO, "cannot start a process: %s", strerror(errno));
  }
  *k = (worker){.child = child, .channel = ends[0], .input = k->input, .room = k->room};
  return SN_OK;
}

/* Cases that a process may have, the one it runs included. share: of the cases that nobody has, not more than these. */
static int depth(const worker *k, long share) {
  if (k->closing) return 0;
  if (!(k->seconds > 0)) return 1; /* its cases are not known yet */
  const double waiting = fmax(given_time / k->seconds, k->seconds < short_case ? 2 : 1) - 1;
  const int many = waiting < most_given - 1 ? (int)waiting : most_given - 1;
  return 1 + (share < many ? (int)share : many);
}

/* The first one if there is none. */
static sn_status give(sn_workers *w, worker *k, int i) {
  const sn_status status = k->child > 0 ? SN_OK : start(w, k);
  if (status) return status;
  k->given[k->count++] = i;
  const int32_t number = i;
  if (send(k->channel, &number, sizeof number, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
    return sn_fail(w->cases->context, SN_IO, "cannot reach a process of the study: %s", strerror(errno));
  if (++k->total == most_cases) {
    k->closing = true;
    shutdown(k->channel, SHUT_WR);
  }
  return SN_OK;
}

/* Every process one case, then every process another one, as deep as each may. */
static sn_status feed(sn_workers *w) {
  int list[most_given], want = 0, have = 0, at = 0;
  const long share = w->calls.left(w->calls.user) / (2L * w->jobs); /* the last cases wait nowhere */
  for (int n = 0; n < w->jobs; ++n) {
    const int more = depth(&w->worker[n], share) - w->worker[n].count;
    want += more > 0 ? more : 0; /* it may have more than it would get now */
  }
  for (int level = 1; level <= most_given && want > 0; ++level) {
    for (int n = 0; n < w->jobs; ++n) {
      worker *k = &w->worker[n];
      if (k->count >= level || k->count >= depth(k, share)) continue;
      if (at == have) {
        have = w->calls.next(w->calls.user, want < most_given ? want : most_given, list);
        at = 0;
        if (have == 0) return SN_OK;
      }
      const sn_status status = give(w, k, list[at++]);
      --want;
      if (!status) continue;
      while (at < have) w->calls.returned(w->calls.user, list[at++], SN_RETURNED_UNRUN);
      return status;
    }
  }
  while (at < have) w->calls.returned(w->calls.user, list[at++], SN_RETURNED_UNRUN);
  return SN_OK;
}

static void forget_first(worker *k) {
  --k->count;
  memmove(k->given, k->given + 1, sizeof k->given[0] * (size_t)k->count);
}

static sn_status take_report(sn_workers *w, worker *k, const report *r, const char *text) {
  const sn_workers_calls *calls = &w->calls;
  const int i = r->number;
  if (k->count == 0 || k->given[0] != i || r->answer < DONE || r->answer > UNTRIED)
    return sn_fail(w->cases->context, SN_IO, "a process of the study sent nonsense"); /* it is damaged */
  forget_first(k);
  k->seconds = r->seconds;
  switch ((answer)r->answer) {
    case DONE:
    case FAILED:
      return calls->finished(calls->user, i, r->answer == FAILED, w->store ? NULL : text, r->length, r->seconds);
    case THERE:
      return calls->finished(calls->user, i, false, NULL, 0, 0);
    case BUSY:
      calls->returned(calls->user, i, SN_RETURNED_BUSY);
      return SN_OK;
    default:
      calls->returned(calls->user, i, SN_RETURNED_UNRUN);
      return sn_fail(w->cases->context, (sn_status)r->status, "case %d could not be run: %.*s", i + 1, (int)r->length,
                     text);
  }
}

/* Reports that have come whole. */
static sn_status take_input(sn_workers *w, worker *k) {
  size_t at = 0;
  sn_status status = SN_OK;
  while (!status && k->length - at >= sizeof(report)) {
    report r;
    memcpy(&r, k->input + at, sizeof r);
    if (r.length > largest_text) return sn_fail(w->cases->context, SN_IO, "a process of the study sent nonsense");
    if (k->length - at - sizeof r < r.length) break;
    status = take_report(w, k, &r, k->input + at + sizeof r);
    at += sizeof r + r.length;
  }
  memmove(k->input, k->input + at, k->length - at);
  k->length -= at;
  return status;
}

/* ---- a process that has ended ---- */

static sn_status bury(sn_workers *w, int i, const char *word, const char *message) {
  sn_outcome o = sn_case_lost(w->cases, message);
  size_t length;
  o.status = word;
  const char *text = sn_case_text(w->cases, &o, &w->cases->arena, &length);
  if (!w->store) return w->calls.finished(w->calls.user, i, true, text, length, 0);
  const sn_status status = sn_case_store(w->cases, i, text, length, 0);
  return status ? status : w->calls.finished(w->calls.user, i, true, NULL, 0, 0);
}

/* A case that took its process with it. One that somebody killed gets a second chance. */
static sn_status take_dead(sn_workers *w, int i, int how) {
  char text[160];
  if (w->store) sn_logs_read(w->cases->logs);
  if (w->store && sn_case_finished(w->cases, i)) return w->calls.finished(w->calls.user, i, false, NULL, 0, 0);
  if (!WIFSIGNALED(how) && (WEXITSTATUS(how) == SN_IO || WEXITSTATUS(how) == SN_MEMORY)) {
    w->calls.returned(w->calls.user, i, SN_RETURNED_UNRUN);
    return sn_fail(w->cases->context, (sn_status)WEXITSTATUS(how), "case %d could not be run", i + 1);
  }
  if (!WIFSIGNALED(how)) {
    snprintf(text, sizeof text, "the process ended with exit code %d", WEXITSTATUS(how));
    return bury(w, i, "crashed", text);
  }
  const int number = WTERMSIG(how);
  if ((number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP) && w->killed[i]++ == 0) {
    w->calls.returned(w->calls.user, i, SN_RETURNED_KILLED);
    return SN_OK;
  }
  if (number == SIGXCPU) {
    snprintf(text, sizeof text, "exceeded the CPU time limit of %g s", w->cases->study->cpu_limit);
    return bury(w, i, "failed", text);
  }
  snprintf(text, sizeof text, "the process was killed by signal %d: %s%s", number, strsignal(number),
           number == SIGKILL ? " (out of memory?)" : "");
  return bury(w, i, "crashed", text);
}

static int end_of(pid_t child) {
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
  return how;
}

static sn_status take_end(sn_workers *w, worker *k) {
  const int how = end_of(k->child), running = k->count ? k->given[0] : -1;
  close(k->channel);
  for (int n = 1; n < k->count; ++n) w->calls.returned(w->calls.user, k->given[n], SN_RETURNED_UNRUN);
  *k = (worker){.input = k->input, .room = k->room, .seconds = k->seconds};
  return running >= 0 ? take_dead(w, running, how) : SN_OK;
}

/* What a process has sent; its end. */
static sn_status hear(sn_workers *w, worker *k) {
  enum { piece = 64 << 10 };
  if (k->room - k->length < piece) {
    k->room = 2 * k->room + piece;
    SN_RESIZE(k->input, k->room);
  }
  const ssize_t got = recv(k->channel, k->input + k->length, piece, MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return SN_OK;
  if (got <= 0) return take_end(w, k);
  k->length += (size_t)got;
  return take_input(w, k);
}

/* ---- all of them ---- */

static void stop_all(void *argument) {
  sn_workers *w = argument;
  for (int n = 0; n < w->jobs; ++n)
    if (w->worker[n].child > 0) kill(w->worker[n].child, SIGKILL);
  for (int n = 0; n < w->jobs; ++n) {
    if (w->worker[n].child <= 0) continue;
    end_of(w->worker[n].child);
    close(w->worker[n].channel);
    w->worker[n].child = 0;
  }
  for (int n = 0; n < w->jobs; ++n) {
    if (w->log[n] >= 0) close(w->log[n]);
    w->log[n] = -1;
  }
}

sn_workers *sn_workers_create(sn_sweep *cases, int jobs, bool store, const sn_workers_calls *calls) {
  sn_arena arena = {0};
  sn_workers *w = SN_NEW(&arena, sn_workers, 1);
  *w = (sn_workers){.cases = cases, .jobs = jobs, .store = store, .calls = *calls};
  w->worker = SN_NEW(&arena, worker, jobs);
  w->log = SN_NEW(&arena, int, jobs);
  w->poll = SN_NEW(&arena, struct pollfd, jobs);
  w->killed = SN_NEW(&arena, unsigned char, cases->count);
  w->arena = arena;
  for (int n = 0; n < jobs; ++n) w->log[n] = -1;
  sn_undo_begin(&w->undo, stop_all, w);
  return w;
}

void sn_workers_stop(sn_workers *w) {
  sn_undo_end(&w->undo);
  stop_all(w);
  for (int n = 0; n < w->jobs; ++n) sn_free(w->worker[n].input);
  sn_arena arena = w->arena;
  sn_arena_free(&arena);
}

int sn_workers_running(const sn_workers *w, int *list) {
  int count = 0;
  for (int n = 0; n < w->jobs; ++n)
    for (int i = 0; i < w->worker[n].count; ++i, ++count)
      if (list) list[count] = w->worker[n].given[i];
  return count;
}

sn_status sn_workers_turn(sn_workers *w, double seconds) {
  sn_status status = feed(w);
  if (status) return status;
  int count = 0;
  for (int n = 0; n < w->jobs; ++n) {
    const worker *k = &w->worker[n];
    w->poll[n] = (struct pollfd){.fd = k->child > 0 ? k->channel : -1, .events = POLLIN};
    count += k->child > 0;
  }
  const int ready = poll(w->poll, (nfds_t)w->jobs, (int)ceil(1000 * seconds));
  for (int n = 0; n < w->jobs && ready > 0 && count > 0 && !status; ++n)
    if (w->poll[n].revents) status = hear(w, &w->worker[n]);
  return status;
}
