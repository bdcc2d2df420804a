/* sweep.h - sinew sweep: the parts of one command. */
#ifndef SN_SWEEP_H
#define SN_SWEEP_H

#include "cli/plot.h"
#include "study/cases.h"
#include "study/team.h"

/* The study that the options of the command line describe, as the text of a study file; to be freed. NULL after
 * printing an error. */
char *cli_sweep_text(const cli_arguments *arguments);

/* Run the cases with the engine that the command line asks for: SN_OK, with *complete if all cases have finished. */
sn_status cli_sweep_run(const cli_arguments *arguments, sn_sweep *cases, sn_team *team, bool quiet, bool *complete);

/* The table on the terminal; the plots. */
void cli_sweep_print(const sn_sweep *cases, const sn_columns *table, const sn_columns *times);
sn_status cli_sweep_plot(const sn_sweep *cases, const sn_columns *table, const sn_columns *times, bool quiet);

#endif
