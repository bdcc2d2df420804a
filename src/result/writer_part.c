/* writer_part.c - the part file of a writer: its lock, its copy when a run is resumed, its last name.
 *
 * Of two runs with the same name the second gets an error before it begins. A lock ends with its process; what a killed
 * run leaves behind is nobody's. */
#define _DEFAULT_SOURCE /* flock */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "result/copy.h"
#include "result/sums.h"
#include "result/writer.h"

bool sn_writer_owns_part(const sn_writer *w) {
  struct stat named, open;
  return !lstat(w->part, &named) && !fstat(w->space, &open) && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

/* Open the part file and lock it: 0, or errno; EWOULDBLOCK: another run has it. Never through a symbolic link. */
static int lock_part(sn_writer *w) {
  for (;;) {
    w->space = open(w->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (w->space < 0 && errno == EINTR) continue;
    if (w->space < 0) return errno;
    const int failed = flock(w->space, LOCK_EX | LOCK_NB);
    if (!failed && sn_writer_owns_part(w)) return 0;
    const int error = failed ? errno : 0;
    close(w->space);
    w->space = -1;
    if (error && error != EINTR) return error;
  }
}

sn_status sn_writer_prepare(sn_writer *w) {
  struct stat there;
  if (!w->path[0]) return sn_fail(w->context, SN_IO, "cannot write the result: its name is empty");
  if (!stat(w->path, &there) && !S_ISREG(there.st_mode)) {
    return sn_fail(w->context, SN_IO, "cannot write %s: %s", w->path,
                   S_ISDIR(there.st_mode) ? strerror(EISDIR) : "not a regular file");
  }
  w->error = lock_part(w);
  if (!w->error) return SN_OK;
  switch (w->error) {
    case EWOULDBLOCK:
      return sn_fail(w->context, SN_IO, "cannot write %s: another run is writing %s\n  possible remedy: -o OTHER.h5",
                     w->path, w->part);
    case ELOOP:
      return sn_fail(w->context, SN_IO, "cannot write %s: %s is a symbolic link", w->path, w->part);
    case ENOLCK:
    case ENOSYS:
      return sn_fail(w->context, SN_IO,
                     "cannot write %s: this file system does not support locks, so another run could write to the file "
                     "at the same time\n  possible remedy: -o in another folder",
                     w->path);
    default:
      return sn_writer_failure(w);
  }
}

static void remove_file(void *path) {
  unlink(path);
}

/* The copy takes the place of the part file. A kill at any moment leaves a file with its checksums: both have them
 * behind their end, where a new name does not part them. */
static int take_place(sn_writer *w, const char *copy, int space) {
  if (flock(space, LOCK_EX | LOCK_NB) || !sn_sums_make(space) || fsync(space)) return errno;
  sn_sums_finish(w->space, w->part);
  return sn_rename(copy, w->part) ? errno : 0;
}

sn_status sn_writer_copy(sn_writer *w, const char *from) {
  struct stat source, target;
  if (stat(from, &source)) return sn_fail(w->context, SN_IO, "cannot read %s: %s", from, strerror(errno));
  w->in_place = !fstat(w->space, &target) && source.st_dev == target.st_dev && source.st_ino == target.st_ino;
  const char *copy = sn_format(&w->arena, "%s.copy", w->part);
  unlink(copy);
  sn_undo undo;
  sn_undo_begin(&undo, remove_file, (void *)(uintptr_t)copy);
  sn_status status = sn_result_copy(w->context, from, w->in_place, copy);
  sn_undo_end(&undo);
  const int space = status ? -1 : open(copy, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (!status) w->error = space < 0 ? errno : take_place(w, copy, space);
  if (!status && w->error) status = sn_writer_failure(w);
  if (status) {
    unlink(copy);
    if (space >= 0) close(space);
    return status;
  }
  close(w->space);
  w->space = space;
  return SN_OK;
}

/* The name itself, to the disk; where a folder cannot be synchronized, nothing is lost but the promise. */
static void sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[4096] = ".";
  if (slash) snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
  const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  fsync(opened);
  close(opened);
}

int sn_writer_rename(sn_writer *w) {
  if (!sn_writer_owns_part(w)) return ENOENT; /* somebody has taken the part file away */
  const int error = sn_rename(w->part, w->path) ? errno : 0;
  sync_folder(w->path);
  return error;
}
