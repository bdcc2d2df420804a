/* schema.c - sinew schema and sinew reference: the field tables for editors and for readers. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static sn_status run_schema(const cli_arguments *arguments) {
  const char *file = arguments->operands ? arguments->operand[0] : "model";
  if (!strcmp(file, "model")) return cli_print_page(SN_PAGE_MODEL_SCHEMA, 0);
  if (!strcmp(file, "study")) return cli_print_page(SN_PAGE_STUDY_SCHEMA, 0);
  cli_error("no schema for '%s'; choose model or study", file);
  return SN_USAGE;
}

static sn_status run_reference(const cli_arguments *arguments) {
  (void)arguments;
  const sn_status status = cli_print_page(SN_PAGE_REFERENCE, 0);
  if (status) return status;
  fputs(
      "\n## Trust\n\nEvery run ends with a verdict, *good*, *doubtful* or *bad*: the worst finding of these rules and "
      "of the "
      "checks\nmade during the run. See [results.md](results.md#the-verdict).\n\n",
      stdout);
  return cli_print_page(SN_PAGE_TRUST_MARKDOWN, 0);
}

const cli_command cli_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of model or study files, for editors",
    .usage = "[model|study]",
    .most = 1,
    .hint = CLI_CHOICE,
    .choices = "model|study",
    .run = run_schema,
    .details =
        "Editors with support for YAML schemas complete and check models with it. For editors that use\n"
        "yaml-language-server, write the schema to a file and put this line at the top of the model:\n"
        "  # yaml-language-server: $schema=sinew.schema.json\n",
};

const cli_command cli_reference = {
    .name = "reference",
    .summary = "print the reference page of model and study files (Markdown)",
    .usage = "",
    .run = run_reference,
};
