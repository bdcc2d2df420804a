/* bench_explicit.c - table 1 of Bulin (2018), benchmark B5: newmark at index 3 against explicit methods on a flexible
 * pendulum, 2 s.
 *
 *   bench_explicit [FILE.csv]
 *
 * newmark: delta = 0.05, h = 1e-3. The explicit ones have the tolerances MATLAB's have by default, relative 1e-3,
 * absolute 1e-6. The fastest of three runs counts. Exits 1 unless newmark is more than four times faster than the best
 * of them.
 */
#include <math.h>
#include <stdlib.h>

#include "study.h"

typedef struct method {
  const char *name, *integrator;
  double theirs; /* s */
} method;

#define PAIR "relative: 1e-3, absolute: 1e-6"
static const method methods[] = {
    {"newmark, index 3", "{type: newmark, delta: 0.05, step: 1e-3}", 2.0},
    {"erk 3(2)", "{type: erk, order: 3, " PAIR "}", 7.9},
    {"adams", "{type: adams, " PAIR "}", 9.3},
    {"erk 5(4)", "{type: erk, order: 5, " PAIR "}", 21.2},
};

int main(int argc, char **argv) {
  FILE *csv = study_csv(argc, argv, 1);
  double first = 0, best = INFINITY;
  sn_trial reference;
  study_run exact = {"bulin-pendulum", NULL, "{type: radau5, tolerance: 1e-8}", 2, 0.01, 0};
  study_trial(&exact, &reference);
  printf("%-18s %9s %8s %9s %10s   %9s %8s\n", "method", "CPU [s]", "ratio", "steps", "error", "Bulin [s]", "ratio");
  if (csv) fprintf(csv, "method,cpu,ratio,steps,evaluations,error,bulin,bulin_ratio\n");
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    const method *m = &methods[k];
    study_run run = {"bulin-pendulum", NULL, m->integrator, 2, 0.01, 0};
    double cpu = INFINITY;
    sn_trial trial;
    for (int i = 0; i < 3; i++) {
      study_trial(&run, &trial);
      if (trial.status) {
        printf("%s: %s\n", m->name, trial.message);
        return 3;
      }
      cpu = fmin(cpu, trial.cpu);
      if (i < 2) sn_trial_free(&trial);
    }
    if (k == 0)
      first = cpu;
    else
      best = fmin(best, cpu);
    double error = sn_trial_relative(&trial, &reference, SN_POSITIONS);
    printf("%-18s %9.4f %8.1f %9ld %10.1e   %9.1f %8.1f\n", m->name, cpu, cpu / first, trial.statistics.steps, error,
           m->theirs, m->theirs / methods[0].theirs);
    if (csv)
      fprintf(csv, "%s,%.4g,%.4g,%ld,%ld,%.4g,%.4g,%.4g\n", m->name, cpu, cpu / first, trial.statistics.steps,
              trial.statistics.residuals, error, m->theirs, m->theirs / methods[0].theirs);
    sn_trial_free(&trial);
  }
  sn_trial_free(&reference);
  if (csv) fclose(csv);
  printf("newmark faster than the best explicit method by more than 4: %.1f, %s\n", best / first,
         best > 4 * first ? "met" : "MISSED");
  return !(best > 4 * first);
}
