/* schema.c - sinew schema and sinew reference: the field tables for editors and for readers. */
#include <stdio.h>

#include "cli/cli.h"

static sn_status run_schema(const cli_arguments *arguments) {
  (void)arguments;
  sn_write_schema(stdout);
  return SN_OK;
}

static sn_status run_reference(const cli_arguments *arguments) {
  (void)arguments;
  sn_write_reference(stdout);
  return SN_OK;
}

const cli_command cli_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of model files, for editors",
    .usage = "",
    .run = run_schema,
    .details =
        "An editor that knows YAML schemas completes and checks models with it. For one that uses\n"
        "yaml-language-server, write the schema to a file and begin the model with\n"
        "  # yaml-language-server: $schema=sinew.schema.json\n",
};

const cli_command cli_reference = {
    .name = "reference",
    .summary = "print the reference page of model files (Markdown)",
    .usage = "",
    .run = run_reference,
};
