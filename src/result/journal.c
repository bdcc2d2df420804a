/* journal.c - see journal.h. */
#define _DEFAULT_SOURCE /* flock */

#include "result/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

typedef struct piece {
  uint64_t at, size; /* in the file */
} piece;

typedef struct journaled {
  H5FD_t base; /* first: HDF5 sees this */
  int file, journal;
  char *journal_path;
  haddr_t eoa, eof;
  haddr_t settled; /* end of the file as of the last flush: below it nothing is written before the next */
  bool flushed;    /* ever: until then nothing is */
  bool whole;      /* all tables have been written since the last flush */
  piece *kept;     /* in the order of writing */
  size_t count, room;
  unsigned char *data; /* of all of them, one after the other */
  size_t bytes, data_room;
} journaled;

/* Behind it: the pieces, their data, and the check over all of that. */
typedef struct header {
  char mark[8];
  uint64_t count, bytes, end; /* end: of the file */
} header;

static const char mark[8] = "sinewjn1";

/* For sn_h5_reason, which looks for these words. */
static herr_t fail(const char *what) {
  H5Epush2(H5E_DEFAULT, __FILE__, "journal", (unsigned)__LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR,
           "%s failed, errno = %d, error message = '%s'", what, errno, strerror(errno));
  return -1;
}

/* ---- bytes ---- */

static bool write_at(int file, const void *data, size_t size, uint64_t at) {
  const unsigned char *from = data;
  while (size > 0) {
    const ssize_t done = pwrite(file, from, size, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done, at += (uint64_t)done, size -= (size_t)done;
  }
  return true;
}

/* What lies beyond the end reads as zero. */
static bool read_at(int file, void *data, size_t size, uint64_t at) {
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

static uint64_t check_over(uint64_t hash, const void *data, size_t size) { /* FNV-1a */
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

static uint64_t check_of(const header *h, const piece *pieces, const unsigned char *data) {
  uint64_t hash = check_over(1469598103934665603u, h, sizeof *h);
  hash = check_over(hash, pieces, h->count * sizeof *pieces);
  return check_over(hash, data, h->bytes);
}

/* The pieces to their places; the file is at least `end` long afterwards, as HDF5 demands. */
static bool apply(int file, const piece *pieces, size_t count, const unsigned char *data, uint64_t end) {
  struct stat now;
  if (!fstat(file, &now) && (uint64_t)now.st_size < end && ftruncate(file, (off_t)end)) return false;
  for (size_t i = 0; i < count; data += pieces[i++].size)
    if (!write_at(file, data, pieces[i].size, pieces[i].at)) return false;
  return true;
}

/* ---- keeping ---- */

static bool make_room(void **array, size_t *room, size_t needed, size_t size) {
  if (needed <= *room) return true;
  void *more = realloc(*array, 2 * needed * size);
  if (!more) return errno = ENOMEM, false;
  *array = more;
  *room = 2 * needed;
  return true;
}

/* HDF5 writes the same tables again and again: a piece at the same place takes that of the earlier one. */
static bool keep(journaled *f, uint64_t at, size_t size, const void *data) {
  const unsigned char *end = f->data + f->bytes;
  for (size_t i = f->count, seen = 0; i-- > 0 && seen < 64; ++seen) {
    end -= f->kept[i].size;
    if (f->kept[i].at == at && f->kept[i].size == size) {
      memcpy(f->data + (end - f->data), data, size);
      return true;
    }
    if (f->kept[i].at < at + size && at < f->kept[i].at + f->kept[i].size) break; /* a part of it: stays in order */
  }
  void *kept = f->kept, *bytes = f->data;
  const bool good =
      make_room(&kept, &f->room, f->count + 1, sizeof *f->kept) && make_room(&bytes, &f->data_room, f->bytes + size, 1);
  f->kept = kept, f->data = bytes;
  if (!good) return false;
  f->kept[f->count++] = (piece){at, size};
  memcpy(f->data + f->bytes, data, size);
  f->bytes += size;
  return true;
}

/* What is kept lies over what the file has. */
static void read_kept(const journaled *f, uint64_t at, size_t size, unsigned char *to) {
  const unsigned char *data = f->data;
  for (size_t i = 0; i < f->count; data += f->kept[i++].size) {
    const uint64_t first = f->kept[i].at > at ? f->kept[i].at : at;
    const uint64_t a = f->kept[i].at + f->kept[i].size, b = at + size, last = a < b ? a : b;
    if (first < last) memcpy(to + (first - at), data + (first - f->kept[i].at), (size_t)(last - first));
  }
}

/* The journal, whole; false: there is no space for it, and it is empty. */
static bool write_journal(const journaled *f, uint64_t end) {
  header h = {.count = f->count, .bytes = f->bytes, .end = end};
  memcpy(h.mark, mark, sizeof mark);
  const uint64_t check = check_of(&h, f->kept, f->data);
  const uint64_t pieces = sizeof h, data = pieces + f->count * sizeof *f->kept, last = data + f->bytes;
  const bool good = f->journal >= 0 && write_at(f->journal, f->kept, f->count * sizeof *f->kept, pieces) &&
                    write_at(f->journal, f->data, f->bytes, data) && write_at(f->journal, &check, sizeof check, last) &&
                    write_at(f->journal, &h, sizeof h, 0);
  if (!good && f->journal >= 0 && ftruncate(f->journal, 0)) return false;
  return good;
}

/* On a full disk without a journal: as safe as HDF5 alone. */
static herr_t settle(journaled *f) {
  const haddr_t end = f->eoa;
  const bool journal = f->count > 0 && write_journal(f, end);
  if (!apply(f->file, f->kept, f->count, f->data, end)) return fail("writing");
  if (journal && ftruncate(f->journal, 0)) return fail("emptying the journal");
  f->count = f->bytes = 0;
  f->flushed = true;
  f->settled = end;
  if (f->eof < end) f->eof = end;
  return 0;
}

/* ---- what HDF5 asks for ---- */

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
  int mode = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
  (void)access, (void)most;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  journaled *f = calloc(1, sizeof *f);
  const size_t size = strlen(name) + sizeof ".journal";
  char *path = malloc(size);
  struct stat now;
  if (f && path) f->file = open(name, mode | O_CLOEXEC, 0666);
  if (!f || !path || f->file < 0 || fstat(f->file, &now)) {
    fail("opening");
    if (f && f->file > 0) close(f->file);
    free(path);
    free(f);
    return NULL;
  }
  snprintf(path, size, "%s.journal", name);
  f->journal_path = path;
  f->journal = flags & H5F_ACC_RDWR ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  f->eof = f->settled = (haddr_t)now.st_size;
  f->flushed = now.st_size > 0;
  return &f->base;
}

static herr_t driver_close(H5FD_t *file) {
  journaled *f = (journaled *)(void *)file;
  const herr_t result = f->count > 0 ? settle(f) : 0;
  if (f->journal >= 0) close(f->journal), unlink(f->journal_path);
  close(f->file);
  free(f->journal_path);
  free(f->kept);
  free(f->data);
  free(f);
  return result;
}

static int driver_cmp(const H5FD_t *a, const H5FD_t *b) {
  struct stat x = {0}, y = {0};
  fstat(((const journaled *)(const void *)a)->file, &x);
  fstat(((const journaled *)(const void *)b)->file, &y);
  if (x.st_dev != y.st_dev) return x.st_dev < y.st_dev ? -1 : 1;
  return x.st_ino < y.st_ino ? -1 : x.st_ino > y.st_ino;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const journaled *)(const void *)file)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((journaled *)(void *)file)->eoa = end;
  return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const journaled *)(const void *)file)->eof;
}

static herr_t driver_get_handle(H5FD_t *file, hid_t access, void **handle) {
  (void)access;
  *handle = &((journaled *)(void *)file)->file;
  return 0;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *data) {
  const journaled *f = (const journaled *)(const void *)file;
  (void)type, (void)transfer;
  if (!read_at(f->file, data, size, at)) return fail("reading");
  read_kept(f, at, size, data);
  return 0;
}

/* A piece across the border is kept: HDF5 does not split what it writes. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *data) {
  journaled *f = (journaled *)(void *)file;
  (void)type, (void)transfer;
  const bool direct = f->flushed && at >= f->settled;
  if (direct ? !write_at(f->file, data, size, at) : !keep(f, at, size, data)) return fail("writing");
  if (f->eof < at + size) f->eof = at + size;
  return 0;
}

/* HDF5 also flushes a file it has just made, with no more than its first block; when the user asks, it has set the end
 * of the file before. */
static herr_t driver_flush(H5FD_t *file, hid_t transfer, hbool_t closing) {
  journaled *f = (journaled *)(void *)file;
  (void)transfer;
  if (!f->whole && !closing) return 0;
  f->whole = false;
  return settle(f);
}

/* The file grows when it is flushed; its tail beyond is space that was reserved. */
static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing) {
  journaled *f = (journaled *)(void *)file;
  (void)transfer, (void)closing;
  f->eof = f->eoa;
  f->whole = true;
  return 0;
}

static herr_t driver_lock(H5FD_t *file, hbool_t write) {
  const int mode = write ? LOCK_EX : LOCK_SH;
  if (!flock(((journaled *)(void *)file)->file, mode | LOCK_NB) || errno == ENOSYS) return 0;
  return fail("locking");
}

static herr_t driver_unlock(H5FD_t *file) {
  return flock(((journaled *)(void *)file)->file, LOCK_UN) && errno != ENOSYS ? fail("unlocking") : 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* of those left to applications */
#endif
    .name = "sinew journal",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_cmp,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .get_handle = driver_get_handle,
    .read = driver_read,
    .write = driver_write,
    .flush = driver_flush,
    .truncate = driver_truncate,
    .lock = driver_lock,
    .unlock = driver_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

void sn_journal_use(sn_h5 *h5, hid_t access) {
  const hid_t id = H5FDregister(&driver);
  if (!sn_h5_ok(h5, id)) return;
  sn_h5_ok(h5, H5Pset_driver(access, id, NULL));
  H5FDunregister(id); /* the list has it */
}

/* ---- after a kill ---- */

/* Read all of it; NULL: it is not whole. */
static unsigned char *read_journal(int journal, header *h) {
  struct stat now;
  uint64_t check = 0;
  if (fstat(journal, &now) || (uint64_t)now.st_size < sizeof *h + sizeof check) return NULL;
  if (!read_at(journal, h, sizeof *h, 0) || memcmp(h->mark, mark, sizeof mark)) return NULL;
  const uint64_t rest = (uint64_t)now.st_size - sizeof *h - sizeof check;
  if (h->count > rest / sizeof(piece) || h->bytes != rest - h->count * sizeof(piece)) return NULL;
  unsigned char *all = malloc(rest ? rest : 1);
  if (!all) return NULL;
  const unsigned char *data = all + h->count * sizeof(piece);
  const bool good = read_at(journal, all, rest, sizeof *h) &&
                    read_at(journal, &check, sizeof check, sizeof *h + rest) &&
                    check == check_of(h, (const piece *)(const void *)all, data);
  uint64_t sum = 0;
  for (uint64_t i = 0; good && i < h->count; ++i) sum += ((const piece *)(const void *)all)[i].size;
  if (good && sum == h->bytes) return all;
  free(all);
  return NULL;
}

void sn_journal_replay(const char *path) {
  const size_t size = strlen(path) + sizeof ".journal";
  char *name = malloc(size);
  if (!name) return;
  snprintf(name, size, "%s.journal", path);
  const int journal = open(name, O_RDONLY | O_CLOEXEC), file = journal < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0 && !flock(file, LOCK_EX | LOCK_NB)) {
    header h;
    unsigned char *all = read_journal(journal, &h);
    const bool done =
        !all || apply(file, (const piece *)(const void *)all, h.count, all + h.count * sizeof(piece), h.end);
    free(all);
    if (done) unlink(name);
  }
  if (file >= 0) close(file);
  if (journal >= 0) close(journal);
  free(name);
}
