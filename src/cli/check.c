/* check.c - sinew check: is the model right, and what will a run of it say at the start? */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

/* "1.5 GB" */
static const char *bytes_text(double bytes, char text[32]) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < SN_COUNT(units); ++unit) bytes /= 1000;
  snprintf(text, 32, "%.3g %s", bytes, units[unit]);
  return text;
}

/* Models whose runs need more than this are not started. */
static const double most_memory = 2e9;

static void print_model(const char *path, const sn_model *model, const sn_size_info *need) {
  char text[32];
  printf("ok: %s: bodies %zu, joints %zu, outputs %zu, coordinates %zu, constraint equations %zu\n", path,
         sn_model_count(model, SN_LIST_BODIES), sn_model_count(model, SN_LIST_JOINTS),
         sn_model_count(model, SN_LIST_OUTPUTS), sn_model_coordinates(model), sn_model_constraints(model));
  printf("    memory of a run: about %s", bytes_text(need->memory, text));
  if (need->memory_touching > need->memory / 10)
    printf("; by an implicit method up to %s, if all bodies touch",
           bytes_text(need->memory + need->memory_touching, text));
  printf("%s\n", need->memory > most_memory ? "; its start is not checked" : "");
}

/* The first stage begins as that of a run does: parts are assembled, velocities made consistent, drivers counted. */
static sn_status check_start(const char *path, const sn_model *model) {
  sn_size_info need = {.size = sizeof need};
  sn_freedom_info freedom = {.size = sizeof freedom};
  sn_simulation *simulation = NULL;
  sn_model_size(model, &need);
  if (need.memory > most_memory) {
    print_model(path, model, &need);
    return SN_OK;
  }
  sn_status status = sn_simulation_create(model, NULL, &simulation);
  if (!status) status = sn_model_freedom(model, &freedom);
  if (!status) {
    print_model(path, model, &need);
    cli_print_lines(stdout, "note", freedom.notes);
    cli_print_lines(stdout, "start", sn_verdict_reasons(simulation));
  }
  sn_release(freedom.notes);
  sn_simulation_free(simulation);
  return status;
}

static sn_status run_check(const cli_arguments *arguments) {
  size_t count = 0;
  sn_model *model = NULL;
  const char *path = arguments->operand[0], **sets = cli_values(arguments, "set", &count);
  sn_status status = sn_model_load(arguments->context, path, sets, count, &model);
  sn_free(sets);
  if (!status) status = check_start(path, model);
  if (status) cli_report(arguments->context, status);
  sn_model_free(model);
  return status;
}

static const cli_option check_options[] = {
    CLI_SET_OPTION,
    {0},
};

const cli_command cli_check = {
    .name = "check",
    .summary = "check a model and its start, and report all errors",
    .usage = "MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = check_options,
    .run = run_check,
};
