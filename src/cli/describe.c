/* describe.c - sinew describe: what can be written in a model. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* The kinds of a list ("joints"); false: there is no such list. */
static bool print_list(const char *wanted) {
  bool found = false;
  sn_kind_info kind;
  for (size_t i = 0; !sn_kind_at(i, &kind); ++i) {
    if (strcmp(kind.list, wanted) != 0) continue;
    found = true;
    printf("%-20s %s\n", kind.name, kind.summary);
  }
  return found;
}

static sn_status run_describe(const cli_arguments *arguments) {
  if (!arguments->operands) return cli_print_page(SN_PAGE_KINDS, 0);
  const char *wanted = arguments->operand[0], *nearest = NULL;
  if (!strcmp(wanted, "trust")) {
    puts("The verdict on a run is the worst finding of these rules and of the checks made during the run:\n");
    return cli_print_page(SN_PAGE_TRUST, 0);
  }
  if (!strcmp(wanted, "expressions")) return cli_print_page(SN_PAGE_EXPRESSIONS, 0);
  int found = 0, distance = 4, others = 0;
  sn_kind_info kind;
  for (size_t i = 0; !sn_kind_at(i, &kind); ++i) {
    if (!strcmp(kind.name, wanted)) {
      const bool whole = cli_given(arguments, "model");
      if (whole && !kind.of_models) others++;
      if (whole && (found || !kind.of_models)) continue;
      if (found++) putchar('\n');
      const sn_status status = cli_print_page(whole ? SN_PAGE_EXAMPLE : SN_PAGE_KIND, i);
      if (status) return status;
    }
    const int d = sn_name_distance(wanted, kind.name, distance);
    if (d < distance) distance = d, nearest = kind.name;
  }
  if (found || print_list(wanted)) return SN_OK;
  if (others) {
    cli_error("'%s' belongs to study files, not to models; without --model its fields and an example are shown",
              wanted);
    return SN_USAGE;
  }
  if (nearest) {
    cli_error("unknown kind '%s'; did you mean '%s'?", wanted, nearest);
  } else {
    cli_error("unknown kind '%s'; 'sinew describe' lists all kinds", wanted);
  }
  return SN_USAGE;
}

static const cli_option options[] = {
    {"model", .help = "print a complete model that contains an example of the kind"},
    {0},
};

const cli_command cli_describe = {
    .name = "describe",
    .summary =
        "list the kinds of bodies, joints, forces, ..., or of one of these lists, the fields of one kind, what "
        "expressions may use, or the rules of the verdict",
    .usage = "[KIND|LIST|expressions|trust]",
    .most = 1,
    .hint = CLI_KIND,
    .options = options,
    .run = run_describe,
};
