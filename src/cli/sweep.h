/* sweep.h - sinew sweep: the parts of one command. */
#ifndef SN_SWEEP_H
#define SN_SWEEP_H

#include "cli/plot.h"

/* The study that the options of the command line describe, as the text of a study file; to be freed. NULL after
 * printing an error. */
char *cli_sweep_text(const cli_arguments *arguments);

/* Run the cases as the command line asks for: SN_OK, with *complete if all cases have finished. */
sn_status cli_sweep_run(const cli_arguments *arguments, sn_cases *cases, bool quiet, bool *complete);

/* A column of the table, or else of the times, by its name; false: there is none. */
bool cli_sweep_column(const sn_cases *cases, const char *name, sn_column_info *column);
/* The table on the terminal; the plots. */
void cli_sweep_print(const sn_cases *cases);
sn_status cli_sweep_plot(const sn_cases *cases, bool quiet);

#endif
