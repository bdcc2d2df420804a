/* disk.c - see disk.h. */
#define _DEFAULT_SOURCE /* fdatasync, pread, pwrite */

#include "result/disk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sn_disk_write(int file, const void *data, size_t size, uint64_t at) {
  const unsigned char *from = data;
  while (size > 0) {
    const ssize_t done = pwrite(file, from, size, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done, at += (uint64_t)done, size -= (size_t)done;
  }
  return true;
}

bool sn_disk_read(int file, void *data, size_t size, uint64_t at) {
  unsigned char *to = data;
  while (size > 0) {
    const ssize_t done = pread(file, to, size, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    if (done == 0) return memset(to, 0, size), true;
    to += done, at += (uint64_t)done, size -= (size_t)done;
  }
  return true;
}

char *sn_disk_beside(const char *path, const char *ending) {
  const size_t size = strlen(path) + strlen(ending) + 1;
  char *name = malloc(size);
  if (name) snprintf(name, size, "%s%s", path, ending);
  return name;
}

bool sn_disk_sync(int file) {
  int failed;
  do failed = fdatasync(file);
  while (failed && errno == EINTR);
  return !failed || errno == EINVAL || errno == ENOSYS;
}
