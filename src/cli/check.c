/* check.c - sinew check: is the model right? */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "model/memory_need.h"

static sn_status run_check(const cli_arguments *arguments) {
  size_t count = 0;
  sn_model *model = NULL;
  const char *path = arguments->operand[0], **sets = cli_values(arguments, "set", &count);
  const sn_status status = sn_model_load(arguments->context, path, sets, count, &model);
  sn_free(sets);
  if (status) return cli_report(arguments->context, status);
  printf("ok: %s: bodies %d, joints %d, outputs %d, coordinates %d, constraint equations %d\n", path, model->bodies,
         model->joints, model->outputs, model->n, model->m);
  const sn_need need = sn_memory_needed(model->document);
  printf("    memory of a run: about %s", sn_bytes_text(need.bytes).text);
  if (need.touching > need.bytes / 10)
    printf("; by an implicit method up to %s, if all bodies touch", sn_bytes_text(need.bytes + need.touching).text);
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
