/* export.c - sinew export: results for other programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/cli.h"

/* The series to export: time, then all, or those named by themselves or by their group. To be freed. */
static const sn_series **select_series(const cli_arguments *arguments, sn_result *result, size_t *count) {
  size_t wanted = 0, names = 0;
  const char **groups = cli_values(arguments, "output", &wanted);
  const char *const *name = sn_result_names(result);
  while (name[names]) ++names;
  const sn_series **series = sn_new(names + 1, sizeof *series);
  bool *used = sn_new(names + 1, sizeof *used), ok = true;
  *count = 0;
  if (names) ok = (series[(*count)++] = sn_result_series(result, name[0])) != NULL;
  for (size_t k = 0; ok && k < (wanted ? wanted : 1); ++k) { /* in the order asked for */
    bool found = !wanted;
    for (size_t i = 1; ok && i < names; ++i) {
      if (wanted && !sn_series_in_group(name[i], groups[k])) continue;
      found = true;
      if (!used[i]) ok = (series[(*count)++] = sn_result_series(result, name[i])) != NULL;
      used[i] = true;
    }
    if (ok && !found && strcmp(groups[k], name[0]) != 0)
      sn_result_series(result, groups[k]), ok = false; /* for its message */
  }
  sn_free(groups);
  sn_free(used);
  if (ok) return series;
  sn_free(series);
  return NULL;
}

static void write_csv(FILE *out, const sn_series *const *series, size_t count) {
  for (size_t k = 0; k < count; ++k) fprintf(out, "%s%s", k ? "," : "", series[k]->name);
  fputc('\n', out);
  const size_t rows = count ? series[0]->count : 0;
  for (size_t i = 0; i < rows && !ferror(out); ++i) {
    for (size_t k = 0; k < count; ++k) fprintf(out, "%s%.17g", k ? "," : "", series[k]->value[i]);
    fputc('\n', out);
  }
}

static sn_status write_file(const char *path, const sn_series *const *series, size_t count) {
  sn_whole_file file;
  if (sn_whole_file_open(&file, path)) {
    write_csv(file.out, series, count);
    if (sn_whole_file_close(&file, !ferror(file.out))) return SN_OK;
  }
  cli_error("cannot write %s: %s", path, strerror(errno));
  return SN_IO;
}

static sn_status run_export(const cli_arguments *arguments) {
  if (cli_value(arguments, "matrix") || cli_given(arguments, "matlab")) return cli_export_matrices(arguments);
  sn_result *result = NULL;
  size_t count = 0;
  sn_status status = sn_result_open(arguments->context, arguments->operand[0], &result);
  if (status) return cli_report(arguments->context, status);
  const sn_series **series = select_series(arguments, result, &count);
  const char *path = cli_value(arguments, "file");
  if (!series) {
    status = cli_report(arguments->context, sn_result_failed(result) ? SN_IO : SN_USAGE);
  } else if (path && strcmp(path, "-")) {
    status = write_file(path, series, count);
  } else {
    write_csv(stdout, series, count);
    status = cli_finish_output();
  }
  sn_free(series);
  sn_result_free(result);
  return status;
}

static const cli_option export_options[] = {
    {"csv", 0, NULL, .help = "comma-separated values, one row per recorded time (the default)"},
    {"output", 0, "NAME", .help = "export only this output (tip), group (energy) or series (tip.x)", .repeats = true},
    {"matrix", 0, "NAME", .help = "the matrix A, B, C or D of the last stage 'linearize' instead, with names"},
    {"matlab", 0, NULL, .help = "A, B, C, D and the names of states, inputs and outputs as a file of MATLAB"},
    {"file", 'o', "FILE", .help = "write to this file instead of the standard output", .hint = CLI_FILE},
    {0},
};

const cli_command cli_export = {
    .name = "export",
    .summary = "export a result as a table",
    .usage = "RESULT.h5",
    .fewest = 1,
    .most = 1,
    .hint = CLI_RESULT,
    .options = export_options,
    .run = run_export,
    .details =
        "Columns are t, the outputs (tip.x, tip.y, ...), energy.*, constraint.*, momentum.* and step, in full\n"
        "precision.\n"
        "\nexamples:\n"
        "  sinew export pendulum.h5 --csv > pendulum.csv\n"
        "  sinew export pendulum.h5 --csv --output tip --output energy.total -o tip.csv\n"
        "  sinew export rotor.h5 --matrix A\n"
        "  sinew export rotor.h5 --matlab -o rotor.mat\n",
};
