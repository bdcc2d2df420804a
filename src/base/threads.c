/* threads.c - a pool of threads that splits an index range.
 *
 * Workers sleep between runs. Within a run every thread takes the next index from a shared counter. Who computes what
 * is left open; callers make sure that it does not matter (see the colors of a batch).
 */
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct sn_threads {
  int count; /* the caller included */
  pthread_t *thread;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  unsigned long run; /* number of the current run, so that a worker joins each once */
  int busy;          /* workers still in the current run */
  bool stop;
  sn_task task;
  void *user;
  int last;
  atomic_int next;
};

static void take_work(sn_threads *t) {
  for (int i; (i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed)) < t->last;) t->task(t->user, i);
}

static void *worker(void *argument) {
  sn_threads *t = argument;
  unsigned long seen = 0;
  pthread_mutex_lock(&t->lock);
  for (;;) {
    while (t->run == seen && !t->stop) pthread_cond_wait(&t->work, &t->lock);
    if (t->stop) break;
    seen = t->run;
    pthread_mutex_unlock(&t->lock);
    take_work(t);
    pthread_mutex_lock(&t->lock);
    if (--t->busy == 0) pthread_cond_signal(&t->done);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

sn_threads *sn_threads_create(int count) {
  sn_threads *t = calloc(1, sizeof *t);
  pthread_t *thread = calloc((size_t)count, sizeof *thread);
  if (!t || !thread) {
    fputs("sinew: out of memory\n", stderr);
    abort();
  }
  t->thread = thread;
  t->count = 1;
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
  pthread_mutex_lock(&t->lock);
  t->stop = true;
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
  for (int i = 1; i < t->count; i++) pthread_join(t->thread[i], NULL);
  pthread_mutex_destroy(&t->lock);
  pthread_cond_destroy(&t->work);
  pthread_cond_destroy(&t->done);
  free(t->thread);
  free(t);
}

int sn_threads_count(const sn_threads *t) {
  return t->count;
}

void sn_threads_run(sn_threads *t, int count, sn_task task, void *user) {
  if (t->count == 1 || count <= 1) {
    for (int i = 0; i < count; i++) task(user, i);
    return;
  }
  pthread_mutex_lock(&t->lock);
  t->task = task;
  t->user = user;
  t->last = count;
  atomic_store_explicit(&t->next, 0, memory_order_relaxed);
  t->busy = t->count - 1;
  t->run++;
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
  take_work(t);
  pthread_mutex_lock(&t->lock);
  while (t->busy) pthread_cond_wait(&t->done, &t->lock);
  pthread_mutex_unlock(&t->lock);
}
