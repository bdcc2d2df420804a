/* threads.c - a pool of threads that splits an index range.
 *
 * Within a run every thread has a slice of the indices and takes them one after the other; then it takes what is left
 * in the slices of others. So a thread mostly works on the same data in one run after the other, and threads do not
 * contend for one counter. The assignment of indices to threads is not fixed; callers ensure that it does not matter
 * (see the colors of a batch). A run with fewer indices than threads leaves the other threads alone.
 *
 * Runs follow each other within microseconds, in an iteration of a solver for example, and waking a thread that sleeps
 * takes longer than that. So a waiting thread polls for some time before it sleeps. The thread that changes the awaited
 * value first publishes it and then looks for sleepers. A thread that goes to sleep first announces this and then polls
 * once more. So one of the two always notices the other, and no wake-up is lost.
 */
#include "base/threads.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/trace.h"

/* Indices of one thread, on a cache line of their own. */
typedef struct slice {
  _Alignas(64) atomic_int next;
  int last;
} slice;

typedef struct member {
  sn_threads *pool;
  int index; /* 0: the caller */
} member;

struct sn_threads {
  int count; /* the caller included */
  int looks; /* before one lies down: none where there are more threads than processors */
  pthread_t *thread;
  member *member;
  slice *slice;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  atomic_ulong run;     /* number of the current run, so that a worker joins each once, and its threads: see MEMBERS */
  atomic_int busy;      /* workers still in the current run */
  atomic_int sleepers;  /* workers that must be woken */
  atomic_bool expected; /* the caller sleeps until none is busy */
  atomic_bool stop;
  atomic_bool failed; /* for want of memory */
  sn_pool *memory;    /* of the caller */
  sn_task task;
  void *user;
  int active;        /* threads of the current run */
  sn_trace *trace;   /* NULL: none is kept */
  const char *phase; /* its name */
};

enum { LOOKS = 4000 };      /* some tens of microseconds */
enum { MEMBERS = 1 << 11 }; /* run = number MEMBERS + threads; more than SN_MOST_THREADS */
static_assert((int)MEMBERS > (int)SN_MOST_THREADS, "room for the number of threads");

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void take_slice(sn_threads *t, slice *s) {
  if (atomic_load_explicit(&s->next, memory_order_relaxed) >= s->last) return;
  for (int i; (i = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) < s->last;) t->task(t->user, i);
}

static sn_status take_work(void *argument) {
  const member *m = argument;
  sn_threads *t = m->pool;
  for (int k = 0; k < t->active; k++) take_slice(t, &t->slice[(m->index + k) % t->active]);
  return SN_OK;
}

/* A thread without memory leaves the rest to the others; the caller reports it when all are done. */
static void take_part(sn_threads *t, int index) {
  const double begin = t->trace && index > 0 ? sn_wall_time() : 0; /* the caller's part is within its phase */
  if (sn_guard(NULL, t->memory, take_work, &t->member[index])) atomic_store(&t->failed, true);
  if (t->trace && index > 0) sn_trace_add(t->trace, index, t->phase ? t->phase : "other", begin, sn_wall_time());
}

static bool is_called(sn_threads *t, unsigned long seen) {
  return atomic_load(&t->run) != seen || atomic_load(&t->stop);
}

static void wait_for_work(sn_threads *t, unsigned long seen) {
  for (int k = 0; k < t->looks; k++, pause_briefly())
    if (is_called(t, seen)) return;
  pthread_mutex_lock(&t->lock);
  atomic_fetch_add(&t->sleepers, 1);
  while (!is_called(t, seen)) pthread_cond_wait(&t->work, &t->lock);
  atomic_fetch_sub(&t->sleepers, 1);
  pthread_mutex_unlock(&t->lock);
}

static void *worker(void *argument) {
  const member *m = argument;
  sn_threads *t = m->pool;
  for (unsigned long seen = 0;;) {
    wait_for_work(t, seen);
    if (atomic_load(&t->stop)) return NULL;
    seen = atomic_load(&t->run);
    if (m->index >= (int)(seen % MEMBERS)) continue; /* not one of this run */
    take_part(t, m->index);
    if (atomic_fetch_sub(&t->busy, 1) > 1 || !atomic_load(&t->expected)) continue;
    pthread_mutex_lock(&t->lock);
    pthread_cond_signal(&t->done);
    pthread_mutex_unlock(&t->lock);
  }
}

static void call_workers(sn_threads *t) {
  if (atomic_load(&t->sleepers) == 0) return;
  pthread_mutex_lock(&t->lock);
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
}

static void wait_for_workers(sn_threads *t) {
  for (int k = 0; k < t->looks; k++, pause_briefly())
    if (atomic_load(&t->busy) == 0) return;
  pthread_mutex_lock(&t->lock);
  atomic_store(&t->expected, true);
  while (atomic_load(&t->busy)) pthread_cond_wait(&t->done, &t->lock);
  atomic_store(&t->expected, false);
  pthread_mutex_unlock(&t->lock);
}

static void release(void *pool) {
  sn_threads *t = pool;
  if (t->count == 0) return; /* nothing has begun */
  atomic_store(&t->stop, true);
  call_workers(t);
  for (int i = 1; i < t->count; i++) pthread_join(t->thread[i], NULL);
  pthread_mutex_destroy(&t->lock);
  pthread_cond_destroy(&t->work);
  pthread_cond_destroy(&t->done);
}

sn_threads *sn_threads_create(int count) {
  assert(count >= 1 && count <= SN_MOST_THREADS);
  sn_threads *t = sn_new_object(sizeof *t, release);
  t->thread = sn_new((size_t)count, sizeof *t->thread);
  t->member = sn_new((size_t)count, sizeof *t->member);
  t->slice = sn_new_aligned((size_t)count * sizeof *t->slice);
  for (int i = 0; i < count; i++) t->member[i] = (member){t, i};
  t->count = 1;
  t->looks = count > 1 && count <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS : 0;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->work, NULL);
  pthread_cond_init(&t->done, NULL);
  for (int i = 1; i < count; i++) { /* fewer threads than asked for is slower, not wrong */
    if (pthread_create(&t->thread[t->count], NULL, worker, &t->member[t->count])) break;
    t->count++;
  }
  return t;
}

void sn_threads_free(sn_threads *t) {
  if (!t) return;
  release(t);
  sn_free(t->thread);
  sn_free(t->member);
  sn_free(t->slice);
  sn_free(t);
}

int sn_threads_count(const sn_threads *t) {
  assert(t && t->count >= 1);
  return t->count;
}

/* The slices of a run with so many indices on up to `most` threads; returns the number of its threads. */
static int divide(sn_threads *t, int count, int most) {
  const int active = most < t->count ? most : t->count;
  for (int k = 0; k < active; k++) {
    atomic_store_explicit(&t->slice[k].next, (int)((long)count * k / active), memory_order_relaxed);
    t->slice[k].last = (int)((long)count * (k + 1) / active);
  }
  return active;
}

static void run_on(sn_threads *t, int count, int most, sn_task task, void *user) {
  assert(count >= 0 && task);
  if (t->count == 1 || most <= 1) {
    for (int i = 0; i < count; i++) task(user, i);
    return;
  }
  assert(atomic_load(&t->busy) == 0); /* a task does not start another run on its own threads */
  t->task = task;
  t->user = user;
  t->active = divide(t, count, most);
  t->memory = sn_pool_now();
  atomic_store(&t->busy, t->active - 1);
  const unsigned long number = atomic_load(&t->run) / MEMBERS + 1;
  atomic_store(&t->run, number * MEMBERS + (unsigned long)t->active);
  call_workers(t);
  take_part(t, 0);
  wait_for_workers(t);
  if (!atomic_load(&t->failed)) return;
  atomic_store(&t->failed, false);
  sn_out_of_memory(0);
}

void sn_threads_run(sn_threads *t, int count, sn_task task, void *user) {
  run_on(t, count, count, task, user);
}

void sn_threads_run_pairs(sn_threads *t, int count, sn_task task, void *user) {
  run_on(t, count, count / 2, task, user);
}

/* ---- traces ---- */

void sn_threads_set_trace(sn_threads *t, sn_trace *trace) {
  t->trace = trace;
}
sn_trace *sn_threads_trace(const sn_threads *t) {
  return t->trace;
}
const char *sn_threads_set_phase(sn_threads *t, const char *name) {
  const char *before = t->phase;
  t->phase = name;
  return before;
}

/* ---- numbers ---- */

enum { PIECE = 8192 };      /* numbers, at least: some microseconds */
enum { MOST_PIECES = 256 }; /* so that their sums have room */

static int piece_of(int count, int grain) {
  const int even = (count + MOST_PIECES - 1) / MOST_PIECES;
  return even > grain ? even : grain;
}

typedef struct numbers {
  int count, piece;
  sn_piece_task task;
  sn_piece_sum sum;
  void *user;
  double (*part)[SN_MOST_SUMS];
} numbers;

static void run_piece(void *user, int k) {
  const numbers *x = user;
  const int first = k * x->piece, last = x->count - first < x->piece ? x->count : first + x->piece;
  if (x->sum)
    x->sum(x->user, first, last, x->part[k]);
  else
    x->task(x->user, first, last);
}

void sn_threads_split_by(sn_threads *t, int count, int grain, sn_piece_task task, void *user) {
  numbers x = {.count = count, .piece = piece_of(count, grain), .task = task, .user = user};
  sn_threads_run(t, (count + x.piece - 1) / x.piece, run_piece, &x);
}

void sn_threads_split(sn_threads *t, int count, sn_piece_task task, void *user) {
  sn_threads_split_by(t, count, PIECE, task, user);
}

void sn_threads_sum_by(sn_threads *t, int count, int grain, sn_piece_sum task, void *user, double sum[SN_MOST_SUMS]) {
  double part[MOST_PIECES][SN_MOST_SUMS];
  numbers x = {.count = count, .piece = piece_of(count, grain), .sum = task, .user = user, .part = part};
  const int pieces = (count + x.piece - 1) / x.piece;
  memset(part, 0, sizeof part[0] * (size_t)(pieces > 0 ? pieces : 1)); /* the others are not used, and there are many */
  sn_threads_run(t, pieces, run_piece, &x);
  for (int i = 0; i < SN_MOST_SUMS; i++) sum[i] = part[0][i];
  for (int k = 1; k < pieces; k++)
    for (int i = 0; i < SN_MOST_SUMS; i++) sum[i] += part[k][i];
}

void sn_threads_sum(sn_threads *t, int count, sn_piece_sum task, void *user, double sum[SN_MOST_SUMS]) {
  sn_threads_sum_by(t, count, PIECE, task, user, sum);
}

/* ---- the least ---- */

typedef struct search {
  int count, piece;
  sn_piece_least task;
  void *user;
  sn_least *part;
} search;

static void search_piece(void *user, int k) {
  const search *x = user;
  const int first = k * x->piece, last = x->count - first < x->piece ? x->count : first + x->piece;
  x->part[k] = x->task(x->user, first, last);
}

sn_least sn_threads_least(sn_threads *t, int count, int grain, sn_piece_least task, void *user) {
  sn_least part[MOST_PIECES], least = {INFINITY, -1};
  search x = {.count = count, .piece = piece_of(count, grain), .task = task, .user = user, .part = part};
  const int pieces = (count + x.piece - 1) / x.piece;
  sn_threads_run(t, pieces, search_piece, &x);
  for (int k = 0; k < pieces; k++)
    if (part[k].value < least.value) least = part[k];
  return least;
}

typedef struct two_vectors {
  const double *a, *b;
} two_vectors;

static void count_unequal(void *user, int first, int last, double sum[SN_MOST_SUMS]) {
  const two_vectors *x = user;
  sum[0] += memcmp(x->a + first, x->b + first, (size_t)(last - first) * sizeof *x->a) != 0;
}

bool sn_threads_equal(sn_threads *t, int count, const double *a, const double *b) {
  two_vectors x = {a, b};
  double sum[SN_MOST_SUMS];
  sn_threads_sum(t, count, count_unequal, &x, sum);
  return sum[0] == 0;
}

/* ---- zeros and copies ---- */

typedef struct transfer {
  double *to;
  const double *from;
} transfer;

static void zero_piece(void *user, int first, int last) {
  memset((double *)user + first, 0, (size_t)(last - first) * sizeof(double));
}
static void copy_piece(void *user, int first, int last) {
  const transfer *c = user;
  memcpy(c->to + first, c->from + first, (size_t)(last - first) * sizeof(double));
}

void sn_threads_zero(sn_threads *t, int count, double *x) {
  sn_threads_split(t, count, zero_piece, x);
}
void sn_threads_copy(sn_threads *t, int count, double *to, const double *from) {
  transfer c = {to, from};
  sn_threads_split(t, count, copy_piece, &c);
}
