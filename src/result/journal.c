/* journal.c - see journal.h. */
#define _DEFAULT_SOURCE /* flock */

#include "result/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "base/hash.h"
#include "base/whole_file.h"
#include "result/disk.h"
#include "result/journal_format.h"
#include "result/sums.h"

typedef struct journaled {
  H5FD_t base; /* first: HDF5 sees this */
  int file, journal, sums_file;
  dev_t device; /* identity of the file: a process that reads (store.c) has closed what others have open, and */
  ino_t inode;  /* its descriptors get their numbers */
  char *journal_path, *sums_path;
  haddr_t eoa, eof;
  haddr_t settled;        /* end of the file as of the last flush: below it nothing is written before the next */
  bool flushed;           /* ever: until then nothing is */
  bool whole;             /* all tables have been written since the last flush */
  sn_journal_piece *kept; /* in the order of writing */
  size_t count, room;
  unsigned char *data; /* of all of them, one after the other */
  size_t bytes, data_room;
  sn_sums sums;
  bool summed;  /* sums are kept (writing), or compared (reading) */
  bool damaged; /* a block was read whose sum is wrong */
} journaled;

/* For sn_h5_reason, which looks for these words. */
static herr_t fail(const char *what) {
  H5Epush2(H5E_DEFAULT, __FILE__, "journal", (unsigned)__LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR,
           "%s failed, errno = %d, error message = '%s'", what, errno, strerror(errno));
  return -1;
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

static bool append(journaled *f, uint64_t at, size_t size, const void *data) {
  void *kept = f->kept, *bytes = f->data;
  const bool good =
      make_room(&kept, &f->room, f->count + 1, sizeof *f->kept) && make_room(&bytes, &f->data_room, f->bytes + size, 1);
  f->kept = kept, f->data = bytes;
  if (!good) return false;
  f->kept[f->count++] = (sn_journal_piece){at, size};
  memcpy(f->data + f->bytes, data, size);
  f->bytes += size;
  return true;
}

/* HDF5 writes the same tables again and again: a piece at the same place takes that of the earlier one. */
static bool keep(journaled *f, uint64_t at, size_t size, const void *data) {
  const unsigned char *end = f->count ? f->data + f->bytes : NULL;
  for (size_t i = f->count, seen = 0; i-- > 0 && seen < 64; ++seen) {
    end -= f->kept[i].size;
    if (f->kept[i].at == at && f->kept[i].size == size) {
      memcpy(f->data + (end - f->data), data, size);
      return true;
    }
    if (f->kept[i].at < at + size && at < f->kept[i].at + f->kept[i].size) break; /* a part of it: stays in order */
  }
  return append(f, at, size, data);
}

/* What is kept lies over what the file has. */
static void read_kept(const journaled *f, size_t count, uint64_t at, size_t size, unsigned char *to) {
  const unsigned char *data = f->data;
  for (size_t i = 0; i < count; data += f->kept[i++].size) {
    const uint64_t first = f->kept[i].at > at ? f->kept[i].at : at;
    const uint64_t a = f->kept[i].at + f->kept[i].size, b = at + size, last = a < b ? a : b;
    if (first < last) memcpy(to + (first - at), data + (first - f->kept[i].at), (size_t)(last - first));
  }
}

/* The journal, whole; false: there is no space for it, and it is empty. */
static bool write_journal(const journaled *f, size_t of_sums, uint64_t end) {
  sn_journal_header h = {.count = f->count, .of_sums = of_sums, .bytes = f->bytes, .end = end};
  memcpy(h.mark, sn_journal_mark, sizeof sn_journal_mark);
  const uint64_t check = sn_journal_check(&h, f->kept, f->data);
  const uint64_t pieces = sizeof h, data = pieces + f->count * sizeof *f->kept, last = data + f->bytes;
  const bool good = f->journal >= 0 && sn_disk_write(f->journal, f->kept, f->count * sizeof *f->kept, pieces) &&
                    sn_disk_write(f->journal, f->data, f->bytes, data) &&
                    sn_disk_write(f->journal, &check, sizeof check, last) && sn_disk_write(f->journal, &h, sizeof h, 0);
  if (!good && f->journal >= 0 && sn_truncate(f->journal, 0)) return false;
  return good;
}

/* Sums of the blocks that have changed, as the file will be; then pieces of FILE.sums, one for each row of neighbors.
 * Returns how many pieces; 0: sums are given up. */
static size_t add_sums(journaled *f, uint64_t end) {
  unsigned char bytes[sn_sum_block];
  sn_sums *s = &f->sums;
  const size_t before = f->count;
  bool good = sn_sums_set_end(s, end);
  for (size_t i = 0; good && i < s->count; ++i) {
    if (!s->mark[i]) continue;
    const size_t size = sn_sums_size(s, i);
    good = sn_disk_read(f->file, bytes, size, (uint64_t)i * sn_sum_block);
    read_kept(f, before, (uint64_t)i * sn_sum_block, size, bytes);
    s->sum[i] = sn_sum_of(bytes, size);
  }
  const sn_sums_head head = sn_sums_head_of(s);
  good = good && append(f, 0, sizeof head, &head);
  for (size_t i = 0, next; good && i < s->count; i = next) {
    for (next = i; next < s->count && s->mark[next]; ++next) continue;
    if (next > i) good = append(f, sizeof head + i * sizeof *s->sum, (next - i) * sizeof *s->sum, s->sum + i);
    next += next == i;
  }
  memset(s->mark, 0, s->room);
  if (good) return f->count - before;
  f->count = before; /* the data of pieces that are not counted are not looked at */
  return 0;
}

/* Without memory or space for them a file has no sums. */
static void give_up_sums(journaled *f) {
  f->summed = false;
  sn_sums_free(&f->sums);
  if (f->sums_file >= 0) close(f->sums_file), unlink(f->sums_path);
  f->sums_file = -1;
}

/* The order in which things reach the disk: what the tables will refer to, the journal, the tables and the sums, and
 * only then may the journal go. On a full disk without a journal: as safe as HDF5 alone. A disk that could not be
 * synchronized has perhaps lost what it was given, whatever it says the next time. */
static herr_t settle(journaled *f) {
  const haddr_t end = f->eoa;
  const size_t tables = f->count, bytes = f->bytes, of_sums = f->summed ? add_sums(f, end) : 0;
  if (f->summed && !of_sums) give_up_sums(f), f->bytes = bytes;
  if (f->count > 0 && !sn_disk_sync(f->file)) return fail("synchronizing");
  const bool journal = f->count > 0 && write_journal(f, of_sums, end);
  if (journal && !sn_disk_sync(f->journal)) return fail("synchronizing the journal");
  if (!sn_journal_apply(f->file, f->kept, tables, f->data, end) || !sn_disk_sync(f->file)) return fail("writing");
  if (of_sums &&
      (!sn_journal_apply(f->sums_file, f->kept + tables, of_sums, f->data + bytes, 0) || !sn_disk_sync(f->sums_file)))
    give_up_sums(f);
  if (journal && sn_truncate(f->journal, 0)) return fail("emptying the journal");
  f->count = f->bytes = 0;
  f->flushed = true;
  f->settled = end;
  if (f->eof < end) f->eof = end;
  return 0;
}

/* A new one: that of a run that was killed has been used when its file was read, or its file is made anew. */
static int make_new(const char *path) {
  unlink(path);
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* ---- callbacks of HDF5 ---- */

static herr_t driver_close(H5FD_t *file);

static void open_for_writing(journaled *f, const struct stat *now) {
  f->journal = make_new(f->journal_path);
  f->sums_file = make_new(f->sums_path);
  f->summed = f->sums_file >= 0 && sn_sums_touch(&f->sums, 0, (size_t)now->st_size);
  if (!f->summed) give_up_sums(f);
}

/* NULL: errno says why. */
static journaled *open_file(const char *name, unsigned flags, bool locked) {
  int mode = flags & H5F_ACC_RDWR ? O_RDWR | O_NOFOLLOW : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  journaled *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  struct stat now;
  f->journal = f->sums_file = -1;
  f->journal_path = sn_disk_beside(name, ".journal");
  f->sums_path = sn_disk_beside(name, ".sums");
  f->file = open(name, mode | O_CLOEXEC, 0666);
  bool good = f->journal_path && f->sums_path && f->file >= 0 && !fstat(f->file, &now);
  if (good && !locked) good = !flock(f->file, LOCK_SH | LOCK_NB) || errno != EWOULDBLOCK;
  if (!good) {
    const int error = errno;
    driver_close(&f->base);
    errno = error;
    return NULL;
  }
  if (flags & H5F_ACC_RDWR)
    open_for_writing(f, &now);
  else
    f->summed = sn_sums_load(&f->sums, f->file, name);
  if (!f->summed && f->journal < 0 && errno == ENOMEM) { /* nothing is read without being compared */
    fail("opening");
    driver_close(&f->base);
    return NULL;
  }
  f->device = now.st_dev;
  f->inode = now.st_ino;
  f->eof = f->settled = (haddr_t)now.st_size;
  f->flushed = now.st_size > 0;
  return f;
}

static journaled *prepared; /* HDF5 is entered by one thread at a time */

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)access, (void)most;
  /* The writer holds the lock itself (writer.c). */
  journaled *f = prepared ? prepared : open_file(name, flags, flags & H5F_ACC_RDWR);
  prepared = NULL;
  if (!f) return fail("opening"), NULL;
  return &f->base;
}

static herr_t driver_close(H5FD_t *file) {
  journaled *f = (journaled *)(void *)file;
  const herr_t result = f->count > 0 ? settle(f) : 0;
  if (f->journal >= 0) close(f->journal), unlink(f->journal_path);
  if (f->sums_file >= 0) close(f->sums_file); /* goes when it has become a part of the file: sn_sums_finish */
  if (f->file >= 0) close(f->file);
  sn_sums_free(&f->sums);
  free(f->journal_path);
  free(f->sums_path);
  free(f->kept);
  free(f->data);
  free(f);
  return result;
}

static int driver_cmp(const H5FD_t *a, const H5FD_t *b) {
  const journaled *x = (const journaled *)(const void *)a, *y = (const journaled *)(const void *)b;
  if (x->device != y->device) return x->device < y->device ? -1 : 1;
  return x->inode < y->inode ? -1 : x->inode > y->inode;
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

/* Some readers treat unreadable data as missing: they check at the end (sn_journal_damaged). */
static herr_t damage(journaled *f, uint64_t block) {
  f->damaged = true;
  const unsigned long long from = block * sn_sum_block, to = from + sn_sums_size(&f->sums, (size_t)block) - 1;
  H5Epush2(H5E_DEFAULT, __FILE__, "journal", (unsigned)__LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
           "it is damaged: the checksum of bytes %llu to %llu is wrong", from, to);
  return -1;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *data) {
  journaled *f = (journaled *)(void *)file;
  uint64_t bad = 0;
  (void)type, (void)transfer;
  if (f->journal < 0 && f->summed && !sn_sums_agree(&f->sums, f->file, at, size, &bad)) return damage(f, bad);
  if (!sn_disk_read(f->file, data, size, at)) return fail("reading");
  read_kept(f, f->count, at, size, data);
  return 0;
}

/* A piece across the border is kept: HDF5 does not split what it writes. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *data) {
  journaled *f = (journaled *)(void *)file;
  (void)type, (void)transfer;
  const bool direct = f->flushed && at >= f->settled;
  if (f->summed && !sn_sums_touch(&f->sums, at, size)) give_up_sums(f);
  if (direct ? !sn_disk_write(f->file, data, size, at) : !keep(f, at, size, data)) return fail("writing");
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
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* Registered once, for the life of HDF5: a driver that goes while a file still has it is used after it was freed. */
static hid_t registered(void) {
  static hid_t id = H5I_INVALID_HID; /* HDF5 is entered by one thread at a time */
  if (H5Iis_valid(id) <= 0) id = H5FDregister(&driver);
  return id;
}

static void use_driver(sn_h5 *h5, hid_t access) {
  const hid_t id = registered();
  if (sn_h5_ok(h5, id)) sn_h5_ok(h5, H5Pset_driver(access, id, NULL));
}

void sn_journal_prepare(sn_h5 *h5, const char *path, bool locked) {
  prepared = open_file(path, H5F_ACC_RDONLY, locked);
  if (!prepared) h5->failed = true, h5->error = errno;
  sn_h5_ok(h5, registered());
}

/* The oldest format has no mark for "open for writing": a file whose writer was killed opens like any other. */
void sn_journal_open(sn_h5 *h5, const char *path, unsigned flags) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (flags != H5F_ACC_RDONLY) H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG); /* also what a function left open that found no memory */
  use_driver(h5, access);
  if (!h5->failed)
    h5->file = flags & H5F_ACC_TRUNC ? H5Fcreate(path, flags, H5P_DEFAULT, access) : H5Fopen(path, flags, access);
  sn_h5_ok(h5, h5->file);
  H5Pclose(access);
}

/* ---- around an open file ---- */

static journaled *journaled_of(hid_t file) {
  void *handle = NULL;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle) return NULL;
  return (journaled *)(void *)((char *)handle - offsetof(journaled, file));
}

bool sn_journal_damaged(hid_t file) {
  const journaled *f = journaled_of(file);
  return f && f->damaged;
}

void sn_journal_abandon(hid_t file) {
  journaled *f = journaled_of(file);
  char name[64];
  if (!f) return;
  snprintf(name, sizeof name, "/sinew-%ld", (long)getpid());
  const int memory = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (memory < 0) return;
  shm_unlink(name);
  dup2(memory, f->file);
  close(memory);
  if (f->sums_file >= 0) close(f->sums_file); /* it stays as of the last flush, like the file */
  f->sums_file = -1;
  f->summed = false;
}
