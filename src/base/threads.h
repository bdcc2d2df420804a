/* threads.h - a pool of threads that splits an index range. */
#ifndef SN_THREADS_H
#define SN_THREADS_H

#include <stdbool.h>

typedef struct sn_threads sn_threads;
typedef void (*sn_task)(void *user, int index);

enum { SN_MOST_THREADS = 1024 };          /* beyond any machine of today; starting a million takes seconds */
sn_threads *sn_threads_create(int count); /* from 1 to SN_MOST_THREADS, the caller included; there may be fewer */
void sn_threads_free(sn_threads *threads);
int sn_threads_count(const sn_threads *threads);
/* task(user, i) for i in [0, count), each once, in any order and on any thread; returns when all are done. */
void sn_threads_run(sn_threads *threads, int count, sn_task task, void *user);
/* The same with at least two indices for each thread: for tasks of a few microseconds, of which one more thread takes
 * longer to start and to wait for than it saves. */
void sn_threads_run_pairs(sn_threads *threads, int count, sn_task task, void *user);

/* ---- vectors ----
 * Pieces of [0, count) that depend on nothing but `count`, on all threads: task(user, first, last). Vectors below some
 * thousand numbers are one piece, on the calling thread. */
typedef void (*sn_piece_task)(void *user, int first, int last);
void sn_threads_split(sn_threads *threads, int count, sn_piece_task task, void *user);
/* The same in pieces of at least `grain` indices. */
void sn_threads_split_by(sn_threads *threads, int count, int grain, sn_piece_task task, void *user);
/* The same with sums: a piece adds to its own, which begin at zero and are added in the order of the pieces. So the bits
 * do not depend on the number of threads. */
enum { SN_MOST_SUMS = 2 };
typedef void (*sn_piece_sum)(void *user, int first, int last, double sum[SN_MOST_SUMS]);
void sn_threads_sum(sn_threads *threads, int count, sn_piece_sum task, void *user, double sum[SN_MOST_SUMS]);
void sn_threads_sum_by(sn_threads *threads, int count, int grain, sn_piece_sum task, void *user,
                       double sum[SN_MOST_SUMS]);
/* The same for the least of values: a piece returns its own, the first of several, with where it is; INFINITY, -1: none.
 * Pieces have at least `grain` indices. */
typedef struct sn_least {
  double value;
  int index;
} sn_least;
typedef sn_least (*sn_piece_least)(void *user, int first, int last);
sn_least sn_threads_least(sn_threads *threads, int count, int grain, sn_piece_least task, void *user);
/* Have both the same bits? */
bool sn_threads_equal(sn_threads *threads, int count, const double *a, const double *b);
void sn_threads_zero(sn_threads *threads, int count, double *x);
void sn_threads_copy(sn_threads *threads, int count, double *to, const double *from);

#endif
