/* file.c - files as a whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

char *sn_read_file(const char *path, size_t most, size_t *length) {
  assert(path && length && most > 0);
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  char *text = NULL;
  size_t size = 0, capacity = 0;
  int failed = 0;
  if (!file) return NULL;
  for (;;) {
    if (size == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      char *bigger = sn_try_resized(text, capacity, 1);
      if (!bigger) {
        failed = ENOMEM;
        break;
      }
      text = bigger;
    }
    errno = 0;
    size_t got = fread(text + size, 1, capacity - size, file);
    size += got;
    if (got == 0) break;
    if (size > most) {
      failed = EFBIG;
      break;
    }
  }
  if (!failed && ferror(file)) failed = errno ? errno : EIO; /* a part of a file is never used */
  if (!standard) fclose(file);
  if (failed) {
    sn_free(text);
    if (failed == ENOMEM) sn_out_of_memory(capacity);
    errno = failed;
    return NULL;
  }
  *length = size;
  return text;
}
