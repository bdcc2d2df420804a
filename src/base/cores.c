/* cores.c - see cores.h. A core is counted with the first of its processors. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/cores.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { LEAST_WORK = 1500 }; /* coordinates of a thread: a residual of them takes some tens of microseconds */

/* The first processor of the core that this one belongs to; itself where that is not known. */
static size_t first_of_core(size_t processor) {
  char path[96];
  size_t first = processor;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", processor);
  FILE *in = fopen(path, "r");
  if (!in) return processor;
  if (fscanf(in, "%zu", &first) != 1) first = processor;
  fclose(in);
  return first;
}

static int online(void) {
  const long all = sysconf(_SC_NPROCESSORS_ONLN);
  return all > 0 ? (int)all : 1;
}

int sn_processors(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) return online();
  const int count = CPU_COUNT(&allowed);
  return count > 0 ? count : 1;
}

int sn_physical_cores(void) {
  cpu_set_t allowed, seen;
  int cores = 0;
  CPU_ZERO(&seen);
  if (sched_getaffinity(0, sizeof allowed, &allowed)) return online();
  for (size_t k = 0; k < CPU_SETSIZE; k++) {
    if (!CPU_ISSET(k, &allowed)) continue;
    const size_t first = first_of_core(k);
    if (first < CPU_SETSIZE && CPU_ISSET(first, &seen)) continue;
    if (first < CPU_SETSIZE) CPU_SET(first, &seen);
    cores++;
  }
  return cores > 0 ? cores : 1;
}

int sn_useful_threads(int coordinates, int cores) {
  const int useful = coordinates / LEAST_WORK;
  return useful < 1 ? 1 : useful < cores ? useful : cores;
}
