/* bench_threads.c - an implicit step of a long cable chain on several threads.
 *
 * hht-i3, h = 1e-3. For each number of threads: wall clock of the fastest and of the median step, CPU time of all steps,
 * shares of the phases, and whether the state at the end is bitwise that of the first number of threads. On a machine
 * with other work the fastest step tells most.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/simulation.h"
#include "help.h"
#include "system/phases.h"

static void need(sn_context *context, sn_status status) {
  if (!status) return;
  fputs(sn_message(context), stderr);
  exit((int)status);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A copy of q, v and a at the end of a run, in *size numbers. */
static double *end_state(const sn_simulation *s, size_t *size) {
  size_t n = (size_t)s->system->n;
  double *x = malloc(3 * n * sizeof *x);
  if (!x) abort();
  memcpy(x, s->state.q, n * sizeof *x);
  memcpy(x + n, s->state.v, n * sizeof *x);
  memcpy(x + 2 * n, s->state.a, n * sizeof *x);
  *size = 3 * n;
  return x;
}

static double *run(const char *text, int threads, int steps, double *first, size_t *size) {
  sn_context *context = sn_context_create();
  sn_model *model;
  sn_simulation *s;
  sn_options options = {.integrator = "hht-i3", .step = 1e-3, .threads = threads};
  need(context, sn_model_parse(context, "bench", text, strlen(text), NULL, 0, &model));
  need(context, sn_simulation_create(model, &options, &s));
  double *time = calloc((size_t)steps, sizeof *time), cpu = sn_cpu_time(), wall = sn_wall_time();
  if (!time) abort();
  for (int k = 0; k < steps; k++) {
    double start = sn_wall_time();
    need(context, sn_step(s));
    time[k] = sn_wall_time() - start;
  }
  cpu = sn_cpu_time() - cpu;
  wall = sn_wall_time() - wall;
  qsort(time, (size_t)steps, sizeof *time, compare);
  const sn_statistics *c = &s->system->statistics;
  double vectors = sn_phase_time(c, SN_PHASE_METHOD);
  double known = c->time_residual + c->time_jacobian + c->time_factor + c->time_solve + vectors;
  printf("%7d  %8.2f  %8.2f  %8.2f   %5.1f %5.1f %5.1f %5.1f %6.1f %5.1f", threads, time[0] * 1e3,
         time[steps / 2] * 1e3, cpu / steps * 1e3, 100 * c->time_residual / wall, 100 * c->time_jacobian / wall,
         100 * c->time_factor / wall, 100 * c->time_solve / wall, 100 * vectors / wall, 100 * (1 - known / wall));
  if (*first == 0) *first = time[steps / 2];
  printf("  %6.2f", *first / time[steps / 2]);
  double *end = end_state(s, size);
  free(time);
  sn_simulation_free(s);
  sn_model_free(model);
  sn_context_free(context);
  return end;
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_threads [ELEMENTS [STEPS [THREADS...]]]\n"
             "\n"
             "Time of the implicit steps of a cable chain (default: 100000 elements, 50 steps, 1 and 2 threads).\n"
             "Exits with 1 if the results differ in any bit.\n");
  int elements = argc > 1 ? atoi(argv[1]) : 100000, steps = argc > 2 ? atoi(argv[2]) : 50, differ = 0;
  char text[600], two[] = "2", one[] = "1", *usual[] = {one, two}, **threads = argc > 3 ? argv + 3 : usual;
  int count = argc > 3 ? argc - 3 : 2;
  if (elements < 1 || steps < 1) return 1;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, -9.81, 0]\nmaterials: {rubber: {density: 7200, young: 2e7}}\n"
           "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"
           "bodies: {chain: {type: cable, from: [0, 0, 0], to: [%d/10, 0, 0], elements: %d, material: rubber, section: "
           "square}}\njoints: {pin: {type: spherical, between: [ground, chain.start]}}\n",
           elements, elements);
  printf("%d elements, %d steps\n         ms per step:                  %% of the wall clock:\n", elements, steps);
  printf("threads   fastest    median       CPU   resid   Jac  fact solve integr other   ratio\n");
  double *first = NULL, median = 0;
  for (int k = 0; k < count; k++) {
    size_t size;
    int number = atoi(threads[k]);
    double *end = run(text, number > 0 ? number : 1, steps, &median, &size);
    bool same = !first || memcmp(first, end, size * sizeof *end) == 0;
    printf("   %s\n", same ? "same bits" : "OTHER BITS");
    fflush(stdout);
    differ += !same;
    if (first)
      free(end);
    else
      first = end;
  }
  free(first);
  return differ != 0;
}
