/* threads.h - a pool of threads that splits an index range. */
#ifndef SN_THREADS_H
#define SN_THREADS_H

typedef struct sn_threads sn_threads;
typedef void (*sn_task)(void *user, int index);

sn_threads *sn_threads_create(int count); /* count >= 1, the caller included */
void sn_threads_free(sn_threads *threads);
int sn_threads_count(const sn_threads *threads);
/* task(user, i) for i in [0, count), each once, in any order and on any thread; returns when all are done. */
void sn_threads_run(sn_threads *threads, int count, sn_task task, void *user);

#endif
