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
    if (wanted) groups[k] = sn_result_meant(result, groups[k]);
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

static void write_modes(FILE *out, const sn_mode_row *row, size_t count) {
  fputs("stage,mode,frequency,damping,eigenvalue,real_part,imaginary_part,load_factor\n", out);
  for (size_t i = 0; i < count && !ferror(out); ++i)
    fprintf(out, "%d,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", row[i].stage, row[i].mode, row[i].frequency,
            row[i].damping, row[i].eigenvalue, row[i].real_part, row[i].imaginary_part, row[i].load_factor);
}

/* What is exported: series, or modes. */
typedef struct table {
  const sn_series **series;
  const sn_mode_row *modes;
  size_t count;
} table;

static void write_table(FILE *out, const table *t) {
  if (t->modes)
    write_modes(out, t->modes, t->count);
  else
    write_csv(out, t->series, t->count);
}

static sn_status write_file(const char *path, const table *t) {
  sn_whole_file file;
  if (sn_whole_file_open(&file, path)) {
    write_table(file.out, t);
    if (sn_whole_file_close(&file, !ferror(file.out))) return SN_OK;
  }
  cli_error("cannot write %s: %s", path, strerror(errno));
  return SN_IO;
}

static sn_status run_export(const cli_arguments *arguments) {
  if (cli_value(arguments, "matrix") || cli_given(arguments, "matlab")) return cli_export_matrices(arguments);
  sn_result *result = NULL;
  table t = {0};
  sn_status status = sn_result_open(arguments->context, arguments->operand[0], &result);
  if (status) return cli_report(arguments->context, status);
  const char *path = cli_value(arguments, "file");
  const bool modes = cli_given(arguments, "modes");
  if (modes)
    t.modes = sn_result_modes(result, &t.count);
  else
    t.series = select_series(arguments, result, &t.count);
  if (!t.series && !t.modes) {
    status = sn_result_failed(result) ? SN_IO : SN_USAGE;
    if (modes && status == SN_USAGE)
      cli_error("%s has no modes: its model has no stage that looks for them", arguments->operand[0]);
    else
      status = cli_report(arguments->context, status);
  } else if (path && strcmp(path, "-")) {
    status = write_file(path, &t);
  } else {
    write_table(stdout, &t);
    status = cli_finish_output();
  }
  sn_free(t.series);
  sn_result_free(result);
  return status;
}

static const cli_option export_options[] = {
    {"csv", 0, NULL, .help = "comma-separated values, one row per recorded time (the default)"},
    {"output", 0, "NAME", .help = "export only this output (tip), group (energy) or series (tip.x)", .repeats = true},
    {"modes", 0, NULL,
     .help =
         "frequencies [Hz], damping ratios, eigenvalues [1/s2] or load factors of the modes instead, one row per mode"},
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
        "precision. --modes: columns stage, mode, frequency, damping, eigenvalue (w^2), real_part and\n"
        "imaginary_part (linearize), load_factor (buckling); NaN for what a mode does not have.\n"
        "\nexamples:\n"
        "  sinew export pendulum.h5 --csv > pendulum.csv\n"
        "  sinew export pendulum.h5 --csv --output tip --output energy.total -o tip.csv\n"
        "  sinew export cantilever-modes.h5 --modes\n"
        "  sinew export rotor.h5 --matrix A\n"
        "  sinew export rotor.h5 --matlab -o rotor.mat\n",
};
