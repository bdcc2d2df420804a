/* sweep.h - sinew sweep: the parts of one command. */
#ifndef SN_SWEEP_H
#define SN_SWEEP_H

#include "cli/plot.h"
#include "study/cases.h"

/* The study that the options of the command line describe, as the text of a study file; to be freed. NULL after
 * printing an error. */
char *cli_sweep_text(const cli_arguments *arguments);

/* Place among the processes that mpirun started; 0 without it. */
typedef struct cli_rank {
  bool given;
  int number;
} cli_rank;
cli_rank cli_find_rank(void);

/* Run all cases that have not finished, `jobs` at a time. Rank 0 returns when all have finished, on any rank. */
sn_status cli_sweep_run(sn_sweep *cases, int jobs, cli_rank rank, bool quiet);

/* The table on the terminal; the plots. */
void cli_sweep_print(const sn_sweep *cases, const sn_columns *table, const sn_columns *times);
sn_status cli_sweep_plot(const sn_sweep *cases, const sn_columns *table, const sn_columns *times, bool quiet);

#endif
