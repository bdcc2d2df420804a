/* options.h - command lines: one table of options per sub-command drives parsing, help and completion. */
#ifndef SN_OPTIONS_H
#define SN_OPTIONS_H

#include <stdio.h>

#include "base/base.h"
#include "sinew/program.h"

/* What an argument is, for completion. */
typedef enum cli_hint {
  CLI_ANY,
  CLI_MODEL,      /* a model file */
  CLI_RESULT,     /* a result file */
  CLI_FILE,       /* any file */
  CLI_INTEGRATOR, /* a name from the registry */
  CLI_KIND,
  CLI_CHOICE, /* one of `choices` */
} cli_hint;

typedef struct cli_option {
  const char *name;     /* without the dashes */
  char letter;          /* of the short form; 0: none */
  const char *argument; /* what stands for its value in the help; NULL: it has none */
  const char *help;
  bool repeats;
  cli_hint hint;
  const char *choices; /* "auto|ldl|klu" */
} cli_option;

typedef struct cli_command cli_command;

typedef struct cli_arguments {
  sn_context *context;
  const cli_command *command;
  const char **operand; /* what is no option, NULL-terminated */
  int operands;
  struct cli_value {
    const cli_option *option;
    const char *value;
  } * value;
  int values;
} cli_arguments;

struct cli_command {
  const char *name, *summary;
  const char *usage;         /* operands, as written after the options: "MODEL" */
  int fewest, most;          /* operands; most < 0: any number */
  cli_hint hint;             /* of the operands */
  const char *choices;       /* with CLI_CHOICE */
  const cli_option *options; /* ends with a row whose name is NULL; NULL: none */
  const char *details;       /* paragraphs for the help; NULL: none */
  sn_status (*run)(const cli_arguments *arguments);
};

/* Split the words after the sub-command's name. Errors are printed; SN_USAGE. */
sn_status cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments);
void cli_arguments_free(cli_arguments *arguments);

/* Options that several commands have. */
#define CLI_SET_OPTION                                                                                            \
  {"set", 0, "NAME=VALUE", .help = "override a parameter or the default of an input; VALUE may be an expression", \
   .repeats = true},                                                                                              \
  {                                                                                                               \
    "memory", 0, "SIZE", .help = "refuse a model that needs more, as 4G or 500M (default: the memory available)"  \
  }
#define CLI_UNTIL_OPTION \
  { "until", 0, "T", .help = "simulate until this time [s]" }
/* How a model is run; read by cli_run_options (runs.h). */
#define CLI_RUN_OPTIONS                                                                                               \
  CLI_SET_OPTION,                                                                                                     \
      {"integrator", 0, "NAME", .help = "use another integrator, NAME or {type: NAME, ...}", .hint = CLI_INTEGRATOR}, \
      {"step", 0, "H", .help = "fixed step [s]"}, {"tolerance", 0, "E", .help = "adaptive step with this tolerance"}, \
      CLI_UNTIL_OPTION

bool cli_given(const cli_arguments *arguments, const char *option);
const char *cli_value(const cli_arguments *arguments, const char *option); /* the last one; NULL: not given */
/* All values of a repeated option; *count of them; to be freed. */
const char **cli_values(const cli_arguments *arguments, const char *option, size_t *count);
/* A positive number; *number is left alone when the option was not given. False after printing an error. */
bool cli_number(const cli_arguments *arguments, const char *option, double *number);
/* The limit of the context, from --memory or SINEW_MEMORY. */
bool cli_limit_memory(const cli_arguments *arguments);
bool cli_whole(const cli_arguments *arguments, const char *option, int least, int most, int *number);
enum { CLI_MOST = 1000000 }; /* of what has no limit of its own */

/* The usage line and the whole help of a sub-command. */
void cli_print_usage(FILE *out, const cli_command *command);
void cli_print_help(FILE *out, const cli_command *command);

/* The nearest of `count` names `stride` bytes apart, each the first member of its struct; NULL: none is near. */
const char *cli_nearest(const char *name, const void *names, size_t count, size_t stride);

#endif
