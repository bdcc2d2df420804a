/* trials.h - what the studies of integrators share: a model with another analysis, one run with a limit of CPU time,
 * the table's file.
 *
 * They read models/, so they are started in the root of the repository. The name of a CSV file may follow the command.
 */
#ifndef SN_BENCH_TRIALS_H
#define SN_BENCH_TRIALS_H

#include <stdio.h>

#include "run/trial.h"

/* What is run: a file of models/, "name=value" or NULL, and the text of its integrator, as in "{type: hht-i3, step:
 * 1e-3}". */
typedef struct study_run {
  const char *model, *set, *integrator;
  double duration, output_step;
  double limit;     /* seconds of CPU time after which the run is stopped; 0: none */
  const char *also; /* a second "name=value"; NULL: none */
} study_run;

/* The caller frees the trial. A model that is wrong ends the program. */
void study_trial(const study_run *run, sn_trial *trial);
/* "done", "stopped at t = 3.2 s" (limit), "failed at t = 1.2 s: ...". */
const char *study_end(const sn_trial *trial, char *text, size_t size);
/* Newton iterations over accepted steps. */
static inline double study_iterations(const sn_trial *trial) {
  return (double)trial->statistics.iterations / (double)trial->statistics.steps;
}
/* The file named by argument `at`; NULL: none was named. */
FILE *study_csv(int argc, char **argv, int at);

#endif
