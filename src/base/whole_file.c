/* whole_file.c - a file that is written whole or not at all. */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int sn_rename(const char *from, const char *to) {
  int failed;
  do failed = rename(from, to);
  while (failed && errno == EINTR);
  return failed;
}

int sn_truncate(int file, long long size) {
  int failed;
  do failed = ftruncate(file, (off_t)size);
  while (failed && errno == EINTR);
  return failed;
}

/* A new file beside `path`; its name is file->part. */
static int create(sn_whole_file *file, const char *path) {
  const size_t size = strlen(path) + 48;
  file->part = malloc(size);
  if (!file->part) {
    errno = ENOMEM;
    return -1;
  }
  int descriptor = -1;
  for (unsigned i = 0; descriptor < 0 && i < 1000; ++i) { /* names that a killed program left behind are passed over */
    snprintf(file->part, size, "%s.%ld-%u.part", path, (long)getpid(), i);
    descriptor = open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST && errno != EINTR) break;
  }
  return descriptor;
}

bool sn_whole_file_open(sn_whole_file *file, const char *path) {
  struct stat there;
  *file = (sn_whole_file){.path = path};
  const bool exists = !stat(path, &there);
  if (exists && S_ISDIR(there.st_mode)) {
    errno = EISDIR;
    return false;
  }
  if (exists && !S_ISREG(there.st_mode)) {
    file->out = fopen(path, "wb");
    return file->out;
  }
  const int descriptor = create(file, path);
  file->out = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (file->out) return true;
  const int error = errno;
  if (descriptor >= 0) {
    close(descriptor);
    unlink(file->part);
  }
  free(file->part);
  file->part = NULL;
  errno = error;
  return false;
}

bool sn_whole_file_close(sn_whole_file *file, bool good) {
  if (!file->out) return false;
  int error = good ? 0 : errno;
  good = good && !ferror(file->out);
  if (fclose(file->out)) {
    if (good) error = errno;
    good = false;
  }
  if (file->part && good && sn_rename(file->part, file->path)) {
    error = errno;
    good = false;
  }
  if (file->part && !good) unlink(file->part);
  free(file->part);
  *file = (sn_whole_file){0};
  errno = error ? error : EIO;
  return good;
}
