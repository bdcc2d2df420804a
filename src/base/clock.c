/* clock.c - CPU time and wall time in seconds. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <time.h>

#include "base/base.h"

static double seconds(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now)) return 0.0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sn_cpu_time(void) {
  return seconds(CLOCK_THREAD_CPUTIME_ID);
}

double sn_wall_time(void) {
  return seconds(CLOCK_MONOTONIC);
}
