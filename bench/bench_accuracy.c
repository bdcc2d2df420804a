/* bench_accuracy.c - what an accuracy costs: CPU time of a flexible pendulum (B1) for errors of at most 1e-4 and 1e-6 m
 * of its points at t = 1.5 s.
 *
 *   bench_accuracy [METHOD...]
 *
 * Each method runs with tolerances or steps from coarse to fine. What counts is the first setting that keeps the bound as
 * the next finer one does, so that no lucky error is taken; the largest error over all output times stands beside it.
 * The reference is radau at 1e-12, confirmed by gam at 1e-12. Times are the least of three runs. Figures: 5 ms for 1e-4 m and
 * 20 ms for 1e-6 m by the fastest method.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "trials.h"

enum { SETTINGS = 13, TIMES = 3, BOUNDS = 2 };
static const struct { double error, seconds; } bounds[BOUNDS] = {{1e-4, 5e-3}, {1e-6, 20e-3}};

/* Fixed steps h0, h0/2, ...; or tolerances 1e-2, 10^-2.5, ... */
static const struct {
  const char *name;
  double step;
} methods[] = {{"hht-i3", 0}, {"gssss", 0}, {"radau5", 0}, {"radau", 0},     {"gam", 0},
               {"erk", 0},    {"adams", 0}, {"ida", 0},    {"hht-i3", 4e-3}, {"erk", 1e-3}};

static void integrate(const char *integrator, sn_trial *trial) {
  study_run it = {"pendulum", NULL, integrator, 1.5, 0.01, 2, NULL};
  study_trial(&it, trial);
}

/* Text of the k-th setting of a method. */
static const char *setting(const char *name, double step, int k, char *text, size_t size) {
  if (step > 0)
    snprintf(text, size, "{type: %s, step: %.6g}", name, step / (double)(1 << k));
  else
    snprintf(text, size, "{type: %s, tolerance: %.2g}", name, pow(10, -2 - 0.5 * k));
  return text;
}

static double at_end(const sn_trial *trial, const sn_trial *reference) {
  const int n = reference->columns[SN_POSITIONS];
  const double *a = trial->value[SN_POSITIONS] + (size_t)n * (size_t)(trial->rows - 1),
               *b = reference->value[SN_POSITIONS] + (size_t)n * (size_t)(reference->rows - 1);
  double sum = 0;
  for (int i = 0; i < n; i++) sum = fmax(sum, fabs(a[i] - b[i]));
  return sum;
}

typedef struct outcome {
  char text[80];
  double error, end, cpu;
  int64_t steps;
} outcome;

/* Runs that stop have no error that counts. */
static void try_setting(const char *text, const sn_trial *reference, outcome *out) {
  snprintf(out->text, sizeof out->text, "%s", text);
  out->cpu = INFINITY;
  for (int time = 0; time < TIMES; time++) {
    sn_trial trial;
    integrate(text, &trial);
    bool done = !trial.status;
    out->error = done ? sn_trial_distance(&trial, reference, SN_POSITIONS) : INFINITY;
    out->end = done ? at_end(&trial, reference) : INFINITY;
    out->cpu = fmin(out->cpu, trial.cpu);
    out->steps = trial.statistics.steps;
    sn_trial_free(&trial);
    if (!done) return;
  }
}

/* The first of the outcomes that keeps the bound together with the next. */
static const outcome *first_within(const outcome *outcomes, int count, double bound) {
  for (int k = 0; k + 1 < count; k++)
    if (outcomes[k].end <= bound && outcomes[k + 1].end <= bound) return &outcomes[k];
  return NULL;
}

/* All settings up to those that keep the tightest bound. */
static int try_method(const char *name, double step, const sn_trial *reference, outcome *outcomes) {
  int count = 0;
  while (count < SETTINGS && !first_within(outcomes, count, bounds[BOUNDS - 1].error)) {
    char text[80];
    try_setting(setting(name, step, count, text, sizeof text), reference, &outcomes[count]);
    count++;
  }
  return count;
}

static bool is_asked(int argc, char **argv, const char *name) {
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], name) == 0) return true;
  return argc == 1;
}

int main(int argc, char **argv) {
  bench_help(argc, argv,
             "Usage: bench_accuracy [METHOD...]\n"
             "\n"
             "CPU time that each method needs for errors of at most 1e-4 and 1e-6 m at 1.5 s of a flexible "
             "pendulum of ten cables.\n"
             "Run it in the source directory. Exits with 1 if the fastest misses 5 ms and 20 ms.\n");
  sn_trial reference, check;
  integrate("{type: radau, tolerance: 1e-12}", &reference);
  integrate("{type: gam, tolerance: 1e-12}", &check);
  printf("reference: radau at 1e-12; gam at 1e-12 differs by %.1e m\n",
         sn_trial_distance(&check, &reference, SN_POSITIONS));
  sn_trial_free(&check);
  double fastest[BOUNDS] = {INFINITY, INFINITY};
  for (size_t m = 0; m < SN_COUNT(methods); m++) {
    if (!is_asked(argc, argv, methods[m].name)) continue;
    outcome outcomes[SETTINGS];
    const int count = try_method(methods[m].name, methods[m].step, &reference, outcomes);
    for (int b = 0; b < BOUNDS; b++) {
      const outcome *found = first_within(outcomes, count, bounds[b].error);
      if (found) {
        printf("  %.0e m: %8.2f ms  error %.1e m, at most %.1e m, %6lld steps  %s\n", bounds[b].error, found->cpu * 1e3,
               found->end, found->error, (long long)found->steps, found->text);
        fastest[b] = fmin(fastest[b], found->cpu);
      } else {
        printf("  %.0e m: not reached  %s\n", bounds[b].error, outcomes[count - 1].text);
      }
    }
  }
  sn_trial_free(&reference);
  bool met = true;
  for (int b = 0; b < BOUNDS; b++) {
    bool good = fastest[b] <= bounds[b].seconds;
    printf("fastest for %.0e m: %.2f ms, allowed %.0f ms: %s\n", bounds[b].error, fastest[b] * 1e3,
           bounds[b].seconds * 1e3, good ? "met" : "MISSED");
    met = met && good;
  }
  return !met;
}
