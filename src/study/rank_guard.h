/* rank_guard.h - where all ranks wait for each other: one that never comes would hold the others for ever. MPI waits within its
 * own functions and cannot be asked to end, so that after five times SINEW_RANK_SILENCE this process ends with a message,
 * and mpirun with it.
 */
#ifndef SN_RANK_GUARD_H
#define SN_RANK_GUARD_H

#include <pthread.h>
#include <stdbool.h>

typedef struct sn_rank_guard {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool runs, over;
  int rank;
  double limit; /* [s] */
} sn_rank_guard;

/* The guard stays where it is until its end. */
void sn_rank_guard_begin(sn_rank_guard *guard, int rank);
void sn_rank_guard_end(sn_rank_guard *guard);

#endif
