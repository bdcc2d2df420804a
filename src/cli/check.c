/* check.c - sinew check: is the model right? */
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

static sn_status run_check(const cli_arguments *arguments) {
  size_t count = 0;
  sn_model *model = NULL;
  const char *path = arguments->operand[0], **sets = cli_values(arguments, "set", &count);
  const sn_status status = sn_model_load(arguments->context, path, sets, count, &model);
  sn_free(sets);
  if (status) return cli_report(arguments->context, status);
  printf("ok: %s: bodies %zu, joints %zu, outputs %zu, coordinates %zu, constraint equations %zu\n", path,
         sn_model_count(model, SN_LIST_BODIES), sn_model_count(model, SN_LIST_JOINTS),
         sn_model_count(model, SN_LIST_OUTPUTS), sn_model_coordinates(model), sn_model_constraints(model));
  sn_size_info need = {.size = sizeof need};
  char text[32];
  sn_model_size(model, &need);
  printf("    memory of a run: about %s", bytes_text(need.memory, text));
  if (need.memory_touching > need.memory / 10)
    printf("; by an implicit method up to %s, if all bodies touch",
           bytes_text(need.memory + need.memory_touching, text));
  printf("\n");
  sn_model_free(model);
  return SN_OK;
}

static const cli_option check_options[] = {
    CLI_SET_OPTION,
    {0},
};

const cli_command cli_check = {
    .name = "check",
    .summary = "check a model and report all errors in it",
    .usage = "MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = check_options,
    .run = run_check,
};
