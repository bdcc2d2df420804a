/* temporary.c - see temporary.h. */
#define _GNU_SOURCE /* mkostemp */

#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A name to be made: XXXXXX at its end is replaced. A folder whose name is too long is not cut. */
static bool begin_name(char path[SN_FOLDER_SIZE]) {
  const char *place = getenv("TMPDIR");
  const int length = snprintf(path, SN_FOLDER_SIZE, "%s/sinew-XXXXXX", place && *place ? place : "/tmp");
  if (length < SN_FOLDER_SIZE) return true;
  errno = ENAMETOOLONG;
  return false;
}

bool sn_temporary_folder(char path[SN_FOLDER_SIZE]) {
  if (begin_name(path) && mkdtemp(path)) return true;
  path[0] = 0;
  return false;
}

FILE *sn_temporary_file(void) {
  char path[SN_FOLDER_SIZE];
  const int file = begin_name(path) ? mkostemp(path, O_CLOEXEC) : -1;
  if (file < 0) return NULL;
  unlink(path);
  FILE *stream = fdopen(file, "w+");
  if (!stream) close(file);
  return stream;
}
