/* threads.h - a pool of threads that splits an index range. */
#ifndef SN_THREADS_H
#define SN_THREADS_H

typedef struct sn_threads sn_threads;
typedef void (*sn_task)(void *user, int index);

enum { SN_MOST_THREADS = 1024 };          /* beyond any machine of today; starting a million takes seconds */
sn_threads *sn_threads_create(int count); /* from 1 to SN_MOST_THREADS, the caller included; there may be fewer */
void sn_threads_free(sn_threads *threads);
int sn_threads_count(const sn_threads *threads);
/* task(user, i) for i in [0, count), each once, in any order and on any thread; returns when all are done. */
void sn_threads_run(sn_threads *threads, int count, sn_task task, void *user);

#endif
