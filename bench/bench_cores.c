/* bench_cores.c - what the processors of this machine give at the same time, to programs that share nothing.
 *
 *   bench_cores
 *
 * Two loops in registers, without memory: `wide` has many independent multiply-adds and fills the arithmetic units of a
 * core, `chain` waits for each of its results and leaves them idle. Two processors that are threads of one core slow each
 * other down in the first and hardly in the second; a virtual machine often does not say which these are, so every pair
 * is tried. Two more loops read the clocks: a kernel that does not trust the counters of its processors keeps the time in
 * order by one number in memory, for which all of them then wait.
 * The sum of the speeds on all processors is the most that any program gains here: a sweep of 16 processes on 8 cores
 * with two threads each cannot gain 15 times.
 */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/cores.h"
#include "help.h"

enum { most = 256, chains = 12, looks = 5 };
typedef double vector __attribute__((vector_size(32)));
typedef double (*loop)(long count);

static double wide(long count) {
  vector x[chains];
  for (int k = 0; k < chains; k++) x[k] = (vector){1, 2, 3, k};
  for (long i = 0; i < count; i++)
    for (int k = 0; k < chains; k++) x[k] = x[k] * 0.999999 + 1e-6;
  double sum = 0;
  for (int k = 0; k < chains; k++) sum += x[k][0] + x[k][1] + x[k][2] + x[k][3];
  return sum;
}

static double wall_clock(long count) {
  double sum = 0;
  for (long i = 0; i < count; i++) sum += sn_wall_time();
  return sum;
}

static double cpu_clock(long count) {
  double sum = 0;
  for (long i = 0; i < count; i++) sum += sn_cpu_time();
  return sum;
}

static double chain(long count) {
  volatile double start = 0.5; /* unknown to the compiler */
  double x = start;
  for (long i = 0; i < count; i++) x = x * 0.999999 + 1e-6;
  return x;
}

typedef struct worker {
  pthread_t thread;
  size_t processor;
  loop loop;
  long count;
  atomic_bool *go, *stop; /* stop NULL: `looks` times, the least of which counts */
  atomic_int *ready;
  double seconds; /* of CPU time, for one call */
  volatile double result;
} worker;

static size_t processor[most];
static int processors;

static void *run(void *argument) {
  worker *w = argument;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(w->processor, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  atomic_fetch_add(w->ready, 1);
  while (!atomic_load(w->go)) sched_yield();
  double sum = 0;
  for (int k = 0; w->stop ? !atomic_load(w->stop) : k < looks; k++) {
    const double begin = sn_cpu_time();
    w->result = w->loop(w->count);
    const double time = sn_cpu_time() - begin;
    w->seconds = k == 0 || time < w->seconds ? time : w->seconds;
    sum += time;
  }
  if (!w->stop) w->result = sum / looks;
  return NULL;
}

/* On these processors at the same time; those after the first `timed` go on until the others have ended. seconds[timed]: the
 * least of the calls if `least`, else their mean. */
static void measure(loop f, long count, const size_t *on, int number, int timed, bool least, double *seconds) {
  static worker w[most];
  atomic_bool go = false, stop = false;
  atomic_int ready = 0;
  for (int k = 0; k < number; k++) {
    w[k] = (worker){.processor = on[k], .loop = f, .count = count, .go = &go, .ready = &ready};
    if (k >= timed) w[k].stop = &stop;
    if (pthread_create(&w[k].thread, NULL, run, &w[k])) exit(2);
  }
  while (atomic_load(&ready) < number) sched_yield();
  atomic_store(&go, true);
  for (int k = 0; k < timed; k++) pthread_join(w[k].thread, NULL);
  atomic_store(&stop, true);
  for (int k = timed; k < number; k++) pthread_join(w[k].thread, NULL);
  for (int k = 0; k < timed; k++) seconds[k] = least ? w[k].seconds : w[k].result;
}

/* Calls of the loop that take about this long. */
static long count_for(loop f, double seconds) {
  long count = 1000;
  for (double time = 0; time < 0.3 * seconds && count < 1L << 40; count *= 2)
    measure(f, count, processor, 1, 1, true, &time);
  return count;
}

static void try_pairs(void) {
  const long count = count_for(wide, 2e-3);
  double alone[most];
  int shared = 0;
  for (int i = 0; i < processors; i++) measure(wide, count, &processor[i], 1, 1, true, &alone[i]);
  printf("pairs that slow each other down (`wide`, by a quarter or more):");
  for (int i = 0; i < processors; i++)
    for (int j = i + 1; j < processors; j++) {
      const size_t pair[2] = {processor[i], processor[j]};
      double time;
      measure(wide, count, pair, 2, 1, true, &time);
      if (time < 1.25 * alone[i]) continue;
      printf(" %zu-%zu %.2f", pair[0], pair[1], time / alone[i]);
      shared++;
    }
  printf("%s\n", shared ? "" : " none");
}

static void try_all(const char *name, loop f) {
  const long count = count_for(f, 20e-3);
  double alone = 0, time[most];
  measure(f, count, processor, 1, 1, true, &alone);
  printf("%-10s  %7.2f", name, 1e9 * alone / (double)count);
  for (int n = 1;; n = 2 * n < processors ? 2 * n : processors) {
    double speed = 0, slowest = 0;
    measure(f, count, processor, n, n, false, time);
    for (int k = 0; k < n; k++) speed += alone / time[k], slowest = time[k] > slowest ? time[k] : slowest;
    printf("   %3d %6.2f %5.2f", n, speed, slowest / alone);
    if (n == processors) break;
  }
  printf("\n");
}

int main(int argc, char **argv) {
  bench_help(
      argc, argv,
      "Usage: bench_cores\n"
      "\n"
      "What the processors of this machine give at the same time to loops that share nothing, which of them slow each "
      "other down,\n"
      "and what a look at the clocks costs.\n");
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) return 2;
  for (size_t k = 0; k < CPU_SETSIZE && processors < most; k++)
    if (CPU_ISSET(k, &allowed)) processor[processors++] = k;
  char source[40] = "unknown";
  FILE *in = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
  if (in && fscanf(in, "%39s", source) != 1) source[0] = 0;
  if (in) fclose(in);
  printf("%d processors, %d cores by the system's account; clock %s\n", processors, sn_physical_cores(), source);
  printf("             ns, one   processors, times faster, the slowest against one ...\n");
  try_all("wide", wide);
  try_all("chain", chain);
  try_all("wall clock", wall_clock);
  try_all("CPU clock", cpu_clock);
  try_pairs();
  return 0;
}
