/* cli.h - what the sub-commands share. */
#ifndef SN_CLI_H
#define SN_CLI_H

#include "base/temporary.h"
#include "cli/options.h"
#include "sinew/program.h"

extern const cli_command cli_run, cli_check, cli_info, cli_view, cli_report_command, cli_render, cli_plot, cli_export,
    cli_compare, cli_converge, cli_verify, cli_sweep, cli_describe, cli_schema, cli_reference, cli_docs, cli_completion;
extern const cli_command *const cli_commands[]; /* in the order of the help; ends with NULL */

/* What `sinew verify` does with the operand and options of a run; the table goes to `path` too unless it is NULL. */
sn_status cli_verify_model(const cli_arguments *arguments, const char *path);

/* `sinew export` of state-space matrices (export_matrices.c). */
sn_status cli_export_matrices(const cli_arguments *arguments);

/* "sinew: ..." on stderr. */
void cli_error(const char *format, ...) SN_PRINTF(1, 2);
/* Print the message of the context in the format of its kind (model errors as they are) and return `status`. */
sn_status cli_report(const sn_context *context, sn_status status);
/* The message of the context, formatted; returns `status`. For what is reported later. */
sn_status cli_fail(sn_context *context, sn_status status, const char *format, ...) SN_PRINTF(3, 4);
/* A page of the tables of the library to the standard output; errors are printed. */
sn_status cli_print_page(sn_page_of page, size_t kind);
/* Flush stdout. A reader that went away is no error; a full disk is. */
sn_status cli_finish_output(void);

/* From here on SIGINT, SIGTERM and SIGHUP end the command; the second one kills as usual. */
void cli_watch_signals(void);
/* From here on there is something to save: the first one ends what runs at the end of its step, which has a second. */
void cli_catch_signals(sn_context *context);
/* The step has ended; what follows may take its time. */
void cli_signal_was_heard(void);
/* Removed when a signal ends the command at once; NULL: nothing. */
void cli_remove_at_signal(const char *file, const char *folder);

/* What a run came to, as a table. */
void cli_print_summary(FILE *out, const sn_summary *summary);
/* Each line of a text, with its name before it. */
void cli_print_lines(FILE *out, const char *name, const char *text);

/* ---- output.c ---- */

/* The file a command writes; "-" stands for the standard output. */
typedef struct cli_output {
  const char *path;
  char folder[SN_FOLDER_SIZE], temporary[SN_FOLDER_SIZE + 32]; /* of a file that takes its place; "": none */
  int standard;                                                /* the standard output, kept aside; -1: in use */
  sn_undo undo;
} cli_output;
sn_status cli_output_open(cli_output *output, const char *path, const char *ending);
sn_status cli_output_close(cli_output *output, sn_status status);

/* ---- quote.c ---- */
/* A file name as it is typed in a shell; quoted where it must be. */
typedef struct cli_word {
  char text[600];
} cli_word;
cli_word cli_quoted(const char *path);

#endif
