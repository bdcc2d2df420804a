/* whole_file.c - a file that is written whole or not at all. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/whole_file.h"

#include <assert.h>
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

/* A file without a name in the folder of `path`, which goes with the program; -1: there is none of that sort here. */
static int create_unnamed(const char *path) {
#ifdef O_TMPFILE
  const char *slash = strrchr(path, '/');
  char folder[4096] = ".";
  if (slash && (size_t)(slash - path) >= sizeof folder - 1) return -1;
  if (slash) snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
  if (access("/proc/self/fd", X_OK)) return -1;
  return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
#else
  (void)path;
  return -1;
#endif
}

/* A name of its own for a new file beside the wanted one, file->part: of the open file `unnamed`, or of one that is
 * made here (-1). The open file; -1: errno says why. */
static int give_name(sn_whole_file *file, int unnamed) {
  assert(!file->part);
  const size_t size = strlen(file->path) + 48;
  char open_file[32];
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", unnamed);
  file->part = malloc(size);
  if (!file->part) {
    errno = ENOMEM;
    return -1;
  }
  int made = -1;
  for (unsigned i = 0; made < 0 && i < 1000; ++i) { /* names that a killed program left behind are passed over */
    snprintf(file->part, size, "%s.%ld-%u.part", file->path, (long)getpid(), i);
    if (unnamed >= 0)
      made = linkat(AT_FDCWD, open_file, AT_FDCWD, file->part, AT_SYMLINK_FOLLOW) ? -1 : unnamed;
    else
      made = open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (made < 0 && errno != EEXIST && errno != EINTR) break;
  }
  if (made >= 0) return made;
  const int error = errno;
  free(file->part);
  file->part = NULL;
  errno = error;
  return -1;
}

static void drop(void *argument) {
  sn_whole_file_close(argument, false);
}

bool sn_whole_file_open(sn_whole_file *file, const char *path) {
  assert(path);
  struct stat there;
  *file = (sn_whole_file){.path = path};
  const bool exists = !stat(path, &there);
  if (exists && S_ISDIR(there.st_mode)) {
    errno = EISDIR;
    return false;
  }
  if (exists && !S_ISREG(there.st_mode)) {
    file->out = fopen(path, "wb");
    if (file->out) sn_undo_begin(&file->undo, drop, file);
    return file->out;
  }
  int descriptor = create_unnamed(path);
  file->unnamed = descriptor >= 0;
  if (!file->unnamed) descriptor = give_name(file, -1);
  file->out = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (file->out) sn_undo_begin(&file->undo, drop, file);
  if (file->out) return true;
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (file->part) unlink(file->part);
  free(file->part);
  file->part = NULL;
  errno = error;
  return false;
}

const char *sn_whole_file_name(sn_whole_file *file) {
  assert(file->out);
  if (file->unnamed && give_name(file, fileno(file->out)) < 0) return NULL;
  file->unnamed = false;
  return file->part ? file->part : file->path;
}

/* Give a file without a name its last one, if that is free. */
static bool take_free_name(const sn_whole_file *file) {
  char open_file[32];
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", fileno(file->out));
  return !linkat(AT_FDCWD, open_file, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW);
}

bool sn_whole_file_close(sn_whole_file *file, bool good) {
  if (!file->out) return false;
  sn_undo_end(&file->undo);
  int error = good ? 0 : errno;
  good = good && !ferror(file->out);
  if (good && file->unnamed &&
      (fflush(file->out) || (!take_free_name(file) && give_name(file, fileno(file->out)) < 0))) {
    error = errno;
    good = false;
  }
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
