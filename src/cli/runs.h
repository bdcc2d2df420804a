/* runs.h - what the commands that run a model several times share: lists, the model, the table's file. */
#ifndef SN_RUNS_H
#define SN_RUNS_H

#include "cli/plot.h"

/* A run that is compared with others, and what it came to. */
typedef struct cli_trial {
  sn_attempt *attempt; /* NULL: it was not run */
  sn_attempt_info info;
} cli_trial;
void cli_try(const sn_model *model, const sn_options *options, const sn_attempt_options *how, cli_trial *trial);
void cli_trial_free(cli_trial *trial);

/* The words of an option's value between commas; empty when it was not given. Memory from the arena. */
int cli_words(const cli_arguments *arguments, const char *option, sn_arena *arena, const char ***words);
/* The same as positive numbers; -1 after printing an error. */
int cli_numbers(const cli_arguments *arguments, const char *option, sn_arena *arena, double **numbers);
/* Is there such an integrator? Prints an error otherwise. */
bool cli_knows_integrator(const char *name);
/* What CLI_RUN_OPTIONS say but --set. False after printing an error. */
bool cli_run_options(const cli_arguments *arguments, sn_options *options);
/* The model with the parameters of --set, and one more ("n=4") unless `extra` is NULL. Errors are printed. */
sn_status cli_load_model(const cli_arguments *arguments, const char *extra, sn_model **model);
/* Exactly one of --step and --tolerance, or none. Prints an error otherwise. */
bool cli_one_setting(const cli_arguments *arguments);
/* --integrator, known, and not beside a --set of one of its fields. */
bool cli_one_integrator(const cli_arguments *arguments);
/* Write a table with `put`; "-" is the standard output. NULL path: nothing to do. Errors are printed. */
sn_status cli_write_table(const char *path, void (*put)(FILE *out, const void *data), const void *data);
/* A message as a field of a CSV file. */
void cli_put_csv_text(FILE *out, const char *text);
/* %.*g for a table, "-" when it is not a number. */
const char *cli_figure(char buffer[32], int digits, double value);

#endif
