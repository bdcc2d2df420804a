/* file.c - files as a whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

char *sn_read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t size = 0, capacity = 0;
  if (!file) return NULL;
  for (;;) {
    if (size == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      char *bigger = realloc(text, capacity);
      if (!bigger) break;
      text = bigger;
    }
    size_t got = fread(text + size, 1, capacity - size, file);
    size += got;
    if (got == 0) break;
  }
  int failed = ferror(file) ? errno : 0;
  fclose(file);
  if (failed) {
    free(text);
    errno = failed;
    return NULL;
  }
  *length = size;
  return text;
}
