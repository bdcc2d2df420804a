/* threads.c - a pool of threads that splits an index range.
 *
 * Within a run every thread takes the next index from a shared counter. The assignment of indices to threads is not
 * fixed; callers ensure that it does not matter (see the colors of a batch).
 *
 * Runs follow each other within microseconds, in an iteration of a solver for example, and waking a thread that sleeps
 * takes longer than that. So a waiting thread polls for some time before it sleeps. The thread that changes the awaited
 * value first publishes it and then looks for sleepers. A thread that goes to sleep first announces this and then polls
 * once more. So one of the two always notices the other, and no wake-up is lost.
 */
#include "base/threads.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/memory.h"

struct sn_threads {
  int count; /* the caller included */
  int looks; /* before one lies down: none where there are more threads than processors */
  pthread_t *thread;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  atomic_ulong run;     /* number of the current run, so that a worker joins each once */
  atomic_int busy;      /* workers still in the current run */
  atomic_int sleepers;  /* workers that must be woken */
  atomic_bool expected; /* the caller sleeps until none is busy */
  atomic_bool stop;
  atomic_bool failed; /* for want of memory */
  sn_pool *memory;    /* of the caller */
  sn_task task;
  void *user;
  int last;
  atomic_int next;
};

enum { LOOKS = 4000 }; /* some tens of microseconds */

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static sn_status take_work(void *pool) {
  sn_threads *t = pool;
  for (int i; (i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed)) < t->last;) t->task(t->user, i);
  return SN_OK;
}

/* A thread without memory leaves the rest to the others; the caller reports it when all are done. */
static void take_part(sn_threads *t) {
  if (sn_guard(NULL, t->memory, take_work, t)) atomic_store(&t->failed, true);
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
  sn_threads *t = argument;
  for (unsigned long seen = 0;; seen++) {
    wait_for_work(t, seen);
    if (atomic_load(&t->stop)) return NULL;
    take_part(t);
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
  t->count = 1;
  t->looks = count <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS : 0;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->work, NULL);
  pthread_cond_init(&t->done, NULL);
  for (int i = 1; i < count; i++) { /* fewer threads than asked for is slower, not wrong */
    if (pthread_create(&t->thread[t->count], NULL, worker, t)) break;
    t->count++;
  }
  return t;
}

void sn_threads_free(sn_threads *t) {
  if (!t) return;
  release(t);
  sn_free(t->thread);
  sn_free(t);
}

int sn_threads_count(const sn_threads *t) {
  assert(t && t->count >= 1);
  return t->count;
}

void sn_threads_run(sn_threads *t, int count, sn_task task, void *user) {
  assert(count >= 0 && task);
  if (t->count == 1 || count <= 1) {
    for (int i = 0; i < count; i++) task(user, i);
    return;
  }
  t->task = task;
  assert(atomic_load(&t->busy) == 0); /* a task does not start another run on its own threads */
  t->user = user;
  t->last = count;
  t->memory = sn_pool_now();
  atomic_store(&t->next, 0);
  atomic_store(&t->busy, t->count - 1);
  atomic_fetch_add(&t->run, 1);
  call_workers(t);
  take_part(t);
  wait_for_workers(t);
  if (!atomic_load(&t->failed)) return;
  atomic_store(&t->failed, false);
  sn_out_of_memory(0);
}
