/* output.c - "-o -": the standard output in place of a file.
 *
 * Results and pictures are made as files. With "-" the file is a temporary one, what would be printed goes to the
 * standard error meanwhile, and the bytes follow at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Memory was missing: the standard output is again what it was. */
static void drop(void *argument) {
  const cli_output *output = argument;
  fflush(stdout);
  dup2(output->standard, STDOUT_FILENO);
  close(output->standard);
  unlink(output->temporary);
  rmdir(output->folder); /* a result that was begun keeps it */
}

sn_status cli_output_open(cli_output *output, const char *path, const char *ending) {
  *output = (cli_output){.path = path, .standard = -1};
  if (!path || strcmp(path, "-") != 0) return SN_OK;
  if (!sn_temporary_folder(output->folder)) {
    cli_error("cannot create a temporary folder (TMPDIR): %s", strerror(errno));
    return SN_IO;
  }
  snprintf(output->temporary, sizeof output->temporary, "%s/output%.10s", output->folder, ending);
  cli_remove_at_signal(output->temporary, output->folder);
  fflush(stdout);
  output->path = output->temporary;
  output->standard = dup(STDOUT_FILENO);
  if (output->standard >= 0) sn_undo_begin(&output->undo, drop, output);
  if (output->standard >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return SN_OK;
  cli_error("cannot use the standard output: %s", strerror(errno));
  return SN_IO;
}

/* Copy the file; 0, or the error. */
static int copy_file(const char *path, int to) {
  char buffer[65536];
  FILE *file = fopen(path, "rb");
  size_t got = 0;
  if (!file) return errno;
  int error = 0;
  while (!error && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    for (size_t done = 0; done < got && !error;) {
      const ssize_t put = write(to, buffer + done, got - done);
      if (put < 0 && errno != EINTR) error = errno;
      if (put > 0) done += (size_t)put;
    }
  if (!error && ferror(file)) error = EIO;
  fclose(file);
  return error;
}

sn_status cli_output_close(cli_output *output, sn_status status) {
  if (!output->temporary[0]) return status;
  if (output->standard >= 0) sn_undo_end(&output->undo);
  fflush(stdout);
  const int error = output->standard >= 0 ? copy_file(output->temporary, output->standard) : 0;
  if (output->standard >= 0) {
    dup2(output->standard, STDOUT_FILENO);
    close(output->standard);
  }
  unlink(output->temporary);
  rmdir(output->folder);
  cli_remove_at_signal(NULL, NULL);
  if (!error || status) return status;
  cli_error("cannot write to the standard output: %s", strerror(error));
  return SN_IO;
}
