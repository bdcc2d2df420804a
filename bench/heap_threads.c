/* heap_threads.c - heaps of cables on several numbers of threads: time per step, by phase, and whether bits are equal.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heaps.h"
#include "system/phases.h"

/* Wall clock of phases [ms per step], on average. */
static void phase_times(const world *w, double scale, double time[SN_PHASES]) {
  const sn_system *system = w->simulation->system;
  for (int k = 0; k < SN_PHASES; k++) time[k] += scale * sn_phase_time(&system->statistics, (sn_phase)k);
}

/* Wall clock of `steps` from the snapshot [ms per step], the fastest of four stretches, and of the phases of all; q and
 * v at the end in *end. */
static double time_threads(const world *w, const sn_snapshot *from, int threads, int steps, double phase[SN_PHASES],
                           double *end) {
  enum { STRETCHES = 4, ANEW = 4 }; /* contacts and their impulses are found anew */
  world own = *w;
  sn_options options = {.threads = threads};
  const size_t n = (size_t)w->simulation->system->n;
  double best = INFINITY;
  need(w->context, sn_simulation_create(w->model, &options, &own.simulation));
  need(w->context, sn_snapshot_restore(own.simulation, from));
  for (int k = 0; k < ANEW; k++) need(w->context, sn_step(own.simulation));
  phase_times(&own, -1e3 / steps, phase);
  for (int k = 0; k < STRETCHES; k++) {
    int stretch = steps * (k + 1) / STRETCHES - steps * k / STRETCHES;
    double start = sn_wall_time();
    for (int i = 0; i < stretch; i++) need(w->context, sn_step(own.simulation));
    if (stretch > 0) best = fmin(best, 1e3 * (sn_wall_time() - start) / stretch);
  }
  phase_times(&own, 1e3 / steps, phase);
  memcpy(end, own.simulation->state.q, n * sizeof *end);
  memcpy(end + n, own.simulation->state.v, n * sizeof *end);
  sn_simulation_free(own.simulation);
  return best;
}

enum { MOST_RUNS = 16 };

static void show_phases(int count, char **number, double phase[][SN_PHASES]) {
  printf("ms per step by phase, on average\n%-12s", "threads");
  for (int k = 0; k < count; k++) printf("%9s", number[k]);
  printf("\n");
  for (int j = 0; j < SN_PHASES; j++) {
    double most = 0;
    for (int k = 0; k < count; k++) most = fmax(most, phase[k][j]);
    if (most < 1e-3) continue;
    printf("%-12s", sn_phase_names[j]);
    for (int k = 0; k < count; k++) printf("%9.3f", phase[k][j]);
    printf("\n");
  }
  fflush(stdout);
}

/* `steps` from the state of w on each number of threads. */
static int compare_threads(const world *w, const char *what, int steps, int count, char **number) {
  double first = 0, phase[MOST_RUNS][SN_PHASES] = {{0}};
  int differ = 0;
  sn_snapshot *snapshot;
  need(w->context, sn_snapshot_take(w->simulation, &snapshot));
  const size_t size = 2 * (size_t)w->simulation->system->n;
  double *one = calloc(size, sizeof *one), *end = calloc(size, sizeof *end);
  if (!one || !end) abort();
  printf("%s, %d contacts, %d steps\nthreads  ms per step   ratio\n", what, w->simulation->system->contacts->count,
         steps);
  for (int k = 0; k < count; k++) {
    double time = time_threads(w, snapshot, atoi(number[k]), steps, phase[k], k ? end : one);
    if (k == 0) first = time;
    bool same = k == 0 || memcmp(one, end, size * sizeof *end) == 0;
    printf("%7s  %11.2f  %6.2f   %s\n", number[k], time, first / time, same ? "same bits" : "OTHER BITS");
    fflush(stdout);
    differ += !same;
  }
  show_phases(count, number, phase);
  free(one);
  free(end);
  sn_snapshot_free(snapshot);
  return differ != 0;
}

static int most_threads(int *count, char **number) {
  int most = 1;
  if (*count > MOST_RUNS) *count = MOST_RUNS;
  for (int k = 0; k < *count; k++) most = atoi(number[k]) > most ? atoi(number[k]) : most;
  return most;
}

int heap_threads(const char *method, int n, int fall, int steps, int count, char **number) {
  char what[100];
  const int most = most_threads(&count, number);
  world w = open_world(cables_text(n, strcmp(method, "dvi") == 0, POUR, CABLE_DAMPING), most);
  for (int i = 0; i < fall; i++) need(w.context, sn_step(w.simulation));
  snprintf(what, sizeof what, "%d cables by %s after %g s", n, method, sn_time(w.simulation));
  int differ = compare_threads(&w, what, steps, count, number);
  close_world(&w);
  return differ;
}

/* ---- at rest ---- */

enum { SETTLED = 1000 };   /* cables that settle, in 10 cells; the others are copies of these cells */
#define STRONG_DAMPING 5.0 /* 1/s */
#define SETTLING 1.0       /* s */

/* Root mean square of the velocities of nodes. */
static double rms_speed(const world *w) {
  double sum = 0;
  long count = 0;
  const int n = w->simulation->system->n;
  for (int k = 0; k + 3 <= n; k += 6, count++) /* position, slope, position, ... */
    for (int a = 0; a < 3; a++) sum += pow(w->simulation->state.v[k + a], 2);
  return sqrt(sum / (double)count);
}

/* The state of cable `from` of `source` becomes that of cable `to`, displaced by x and z. */
static void copy_cable(const world *source, int from, const world *w, int to, const double shift[2]) {
  const int a = source->model->body[1 + from].first, b = w->model->body[1 + to].first;
  const size_t nodes = 11;
  memcpy(w->simulation->state.q + b, source->simulation->state.q + a, 6 * nodes * sizeof(double));
  memcpy(w->simulation->state.v + b, source->simulation->state.v + a, 6 * nodes * sizeof(double));
  for (size_t k = 0; k < nodes; k++) {
    double *x = w->simulation->state.q + b + 6 * k;
    x[0] += shift[0];
    x[2] += shift[1];
  }
}

static void copy_cells(const world *source, int settled, const world *w, int n) {
  for (int i = 0; i < n; i++) {
    const cell_place place = pour_place(n, i);
    const int from = pour_index(settled, place.cell % (settled / 100), place.number);
    const cell_place origin = pour_place(settled, from);
    const double shift[2] = {place.corner[0] - origin.corner[0], place.corner[1] - origin.corner[1]};
    copy_cable(source, from, w, i, shift);
  }
}

/* Cells do not touch each other, so that some that have settled, with strong damping, can be put side by side: 10,000
 * cables take as long to come to rest as 1,000. They then go on with their own damping for some steps. After 1 s the
 * speed does not decrease any more: 2 to 3 cm/s remain, as the deepest pair of spheres jumps from one to the next. */
int heap_at_rest(const char *method, int n, int steps, int count, char **number) {
  char what[200];
  const int most = most_threads(&count, number), settled = n < SETTLED ? n : SETTLED;
  const bool dvi = strcmp(method, "dvi") == 0;
  if (n % 100 || n % settled) {
    fprintf(stderr, "a heap at rest has a multiple of 100 cables, above 1000 of 1000\n");
    return 2;
  }
  world small = open_world(cables_text(settled, dvi, POUR, STRONG_DAMPING), most);
  while (sn_time(small.simulation) < SETTLING) need(small.context, sn_step(small.simulation));
  world w = open_world(cables_text(n, dvi, POUR, CABLE_DAMPING), most);
  copy_cells(&small, settled, &w, n);
  close_world(&small);
  for (int i = 0; i < 20; i++) need(w.context, sn_step(w.simulation));
  snprintf(what, sizeof what, "%d cables at rest by %s, rms speed %.1f mm/s", n, method, 1e3 * rms_speed(&w));
  int differ = compare_threads(&w, what, steps, count, number);
  close_world(&w);
  return differ;
}
