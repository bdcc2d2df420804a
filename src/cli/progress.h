/* progress.h - one line on a terminal that shows the progress of a run. */
#ifndef SN_PROGRESS_H
#define SN_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress {
  bool on;
  double begin, end;     /* simulated */
  double started, shown; /* wall time */
} cli_progress;

void cli_progress_begin(cli_progress *progress, double begin, double end, bool quiet);
void cli_progress_show(cli_progress *progress, double time, double step);
void cli_progress_load(cli_progress *progress, double load); /* statics */
void cli_progress_end(cli_progress *progress);

/* The same for many cases. Where there is no terminal, a line now and then. */
typedef struct cli_sweep_progress {
  bool on, terminal;
  int count, begun;      /* cases; finished before this run */
  double started, shown; /* wall time */
} cli_sweep_progress;

void cli_sweep_progress_begin(cli_sweep_progress *progress, int count, int begun, bool quiet);
void cli_sweep_progress_show(cli_sweep_progress *progress, int finished, int failed, int running);
void cli_sweep_progress_end(cli_sweep_progress *progress, int finished, int failed);

#endif
