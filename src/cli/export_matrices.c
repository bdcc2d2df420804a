/* export_matrices.c - sinew export --matrix, --matlab: state-space matrices for other programs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/cli.h"

typedef struct table {
  const double *value;
  size_t rows, columns;
  const char *const *row, *const *column;
} table;

static bool find_matrix(const sn_linear_info *s, const char *name, table *t) {
  const table all[] = {{s->A, s->states, s->states, s->state, s->state},
                       {s->B, s->states, s->inputs, s->state, s->input},
                       {s->C, s->outputs, s->states, s->output, s->state},
                       {s->D, s->outputs, s->inputs, s->output, s->input}};
  const int at = strlen(name) == 1 ? name[0] - 'A' : -1;
  if (at < 0 || at > 3) return false;
  *t = all[at];
  return true;
}

/* Names of columns above, of rows before. */
static void write_table(FILE *out, const table *t) {
  for (size_t k = 0; k < t->columns; ++k) fprintf(out, ",%s", t->column[k]);
  fputc('\n', out);
  for (size_t i = 0; i < t->rows && !ferror(out); ++i) {
    fputs(t->row[i], out);
    for (size_t k = 0; k < t->columns; ++k) fprintf(out, ",%.17g", t->value[i * t->columns + k]);
    fputc('\n', out);
  }
}

static void write_either(FILE *out, const sn_linear_info *space, const table *t) {
  if (t->row) {
    write_table(out, t);
    return;
  }
  char *bytes = NULL;
  size_t length = 0;
  if (sn_linear_matlab(space, &bytes, &length)) sn_out_of_memory(0);
  fwrite(bytes, 1, length, out);
  sn_release(bytes);
}

static sn_status write_to(const char *path, const sn_linear_info *space, const table *t) {
  if (!path || !strcmp(path, "-")) {
    write_either(stdout, space, t);
    return cli_finish_output();
  }
  sn_whole_file file;
  if (sn_whole_file_open(&file, path)) {
    write_either(file.out, space, t);
    if (sn_whole_file_close(&file, !ferror(file.out))) return SN_OK;
  }
  cli_error("cannot write %s: %s", path, strerror(errno));
  return SN_IO;
}

sn_status cli_export_matrices(const cli_arguments *arguments) {
  sn_result *result = NULL;
  sn_linear_info space;
  table t = {0};
  const char *matrix = cli_value(arguments, "matrix"), *path = cli_value(arguments, "file");
  sn_status status = sn_result_open(arguments->context, arguments->operand[0], &result);
  if (status) return cli_report(arguments->context, status);
  if (sn_result_linear(result, &space)) {
    cli_error("%s has no state-space matrices: its model has no stage 'linearize'", arguments->operand[0]);
    status = SN_USAGE;
  } else if (matrix && !find_matrix(&space, matrix, &t)) {
    cli_error("unknown matrix '%s'; choose A, B, C or D", matrix);
    status = SN_USAGE;
  } else if (!matrix && !path) {
    cli_error("option '--matlab' needs a file: -o FILE.mat");
    status = SN_USAGE;
  } else {
    status = write_to(path, &space, &t);
  }
  sn_result_free(result);
  return status;
}
