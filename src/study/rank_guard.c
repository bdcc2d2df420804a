/* rank_guard.c - see rank_guard.h. */
#include "study/rank_guard.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "study/team.h"

static void *wait_for_all(void *user) {
  sn_rank_guard *g = user;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (time_t)g->limit + 1;
  pthread_mutex_lock(&g->mutex);
  int late = 0;
  while (!g->over && !late) late = pthread_cond_timedwait(&g->changed, &g->mutex, &until);
  if (!g->over) {
    fprintf(stderr, "sinew: rank %d has waited %.3g s for the other ranks to begin: one of them does not answer\n",
            g->rank, g->limit);
    _exit(SN_IO);
  }
  pthread_mutex_unlock(&g->mutex);
  return NULL;
}

void sn_rank_guard_begin(sn_rank_guard *g, int rank) {
  *g = (sn_rank_guard){.rank = rank, .limit = 5 * sn_team_silence()};
  pthread_mutex_init(&g->mutex, NULL);
  pthread_cond_init(&g->changed, NULL);
  g->runs = pthread_create(&g->thread, NULL, wait_for_all, g) == 0;
}

void sn_rank_guard_end(sn_rank_guard *g) {
  pthread_mutex_lock(&g->mutex);
  g->over = true;
  pthread_cond_signal(&g->changed);
  pthread_mutex_unlock(&g->mutex);
  if (g->runs) pthread_join(g->thread, NULL);
  pthread_cond_destroy(&g->changed);
  pthread_mutex_destroy(&g->mutex);
}
