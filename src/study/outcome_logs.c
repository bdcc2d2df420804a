/* outcome_logs.c - the outcomes of cases on the disk; see outcome_logs.h. */
#define _DEFAULT_SOURCE /* flock, fdatasync, pread */
#include "study/outcome_logs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/hash.h"

enum {
  name_length = 32,
  head_length = 64,
  largest_text = 16 << 20,
  path_size = 4096,
};
static const double listing_interval = 0.05; /* [s] between looks for new logs */
static const double reading_share = 20;      /* reading takes at most the 20th part of the time */
static const double synced_work = 5;         /* [s] of work that a failure of power may cost a process */

typedef struct log_file {
  char *name;
  uint64_t hash;  /* of the name */
  bool ours;      /* of this sweep */
  bool elsewhere; /* of another machine */
  bool complete;  /* nobody adds to it any more, and it was read */
  size_t read;    /* bytes that need not be read again */
} log_file;

typedef struct found {
  const char *text;
  size_t length;
} found;

struct sn_logs {
  sn_arena arena;
  const char *folder;
  char host[48], prefix[80]; /* "HOST-", "HOST-PID-" of this sweep */
  int count;
  const char *const *name;
  int *slot, slots; /* first case of each name, by its hash; -1: none */
  int *first;       /* [count] the first case that has its name */
  found *found;     /* [count] of those */
  log_file *file;
  int files, room;
  double listed, looked, took; /* when the folder was listed, when others were read, how long that took */
  double unsynced;             /* [s] of work that is not yet on the disk */
};

/* ---- cases by name ---- */

static int *slot_of(const sn_logs *l, const char *name) {
  size_t at = sn_hash(sn_hash_begin, name, name_length) & (size_t)(l->slots - 1);
  while (l->slot[at] >= 0 && memcmp(l->name[l->slot[at]], name, name_length)) at = (at + 1) & (size_t)(l->slots - 1);
  return &l->slot[at];
}

static void index_names(sn_logs *l) {
  l->slots = 16;
  while (l->slots < 2 * l->count) l->slots *= 2;
  l->slot = SN_NEW(&l->arena, int, l->slots);
  l->first = SN_NEW(&l->arena, int, l->count);
  for (int k = 0; k < l->slots; ++k) l->slot[k] = -1;
  for (int i = 0; i < l->count; ++i) {
    assert(strlen(l->name[i]) == name_length);
    int *slot = slot_of(l, l->name[i]);
    if (*slot < 0) *slot = i;
    l->first[i] = *slot;
  }
}

/* ---- life ---- */

sn_logs *sn_logs_create(const char *folder, int count, const char *const *name) {
  sn_logs *l = sn_new(1, sizeof *l);
  *l = (sn_logs){.folder = folder, .count = count, .name = name};
  char host[sizeof l->host - 1] = "";
  if (gethostname(host, sizeof host - 1)) host[0] = 0;
  for (char *c = host; *c; ++c)
    if (!isalnum((unsigned char)*c)) *c = '_';
  snprintf(l->host, sizeof l->host, "%s-", host);
  snprintf(l->prefix, sizeof l->prefix, "%s%ld-", l->host, (long)getpid());
  l->found = SN_NEW(&l->arena, found, count);
  index_names(l);
  return l;
}

void sn_logs_free(sn_logs *l) {
  if (!l) return;
  for (int k = 0; k < l->files; ++k) sn_free(l->file[k].name);
  sn_free(l->file);
  sn_arena_free(&l->arena);
  sn_free(l);
}

/* ---- records ---- */

static uint64_t checksum(const char *name, const char *text, size_t length) {
  return sn_hash(sn_hash(sn_hash_begin, name, name_length), text, length);
}

static void put_head(const char *name, const char *text, size_t length, char head[head_length + 1]) {
  snprintf(head, head_length + 1, "case %.32s %08zx %016llx\n", name, length,
           (unsigned long long)checksum(name, text, length));
}

/* Bytes of the record at `at`; 0: there is none that is whole. */
static size_t record_at(const char *at, size_t size) {
  char head[head_length + 1];
  if (size < head_length || memcmp(at, "case ", 5) || at[37] != ' ' || at[head_length - 1] != '\n') return 0;
  char digits[9];
  memcpy(digits, at + 38, 8);
  digits[8] = 0;
  const unsigned long length = strtoul(digits, NULL, 16);
  if (length > largest_text || size - head_length < length) return 0;
  put_head(at + 5, at + head_length, length, head);
  return memcmp(head, at, head_length) ? 0 : head_length + length;
}

static void take_record(sn_logs *l, const char *at, size_t size) {
  const int i = *slot_of(l, at + 5);
  if (i < 0 || l->found[i].text) return; /* of another study, or there already */
  const size_t length = size - head_length;
  char *text = SN_NEW(&l->arena, char, length + 1);
  memcpy(text, at + head_length, length);
  l->found[i] = (found){text, length};
}

/* The next "case " after `at`, within a line too, as a record may follow a part of another one; `end`: none. */
static const char *next_head(const char *at, const char *end) {
  while (++at < end && (at = memchr(at, 'c', (size_t)(end - at))))
    if (end - at >= 5 && !memcmp(at, "case ", 5)) return at;
  return end;
}

/* Take the records of a piece. Bytes before the first place without a whole record: what follows it is looked at again,
 * as it may be about to be written. */
static size_t take_records(sn_logs *l, const char *piece, size_t size) {
  const char *at = piece, *end = piece + size, *gap = NULL;
  while (at < end) {
    const size_t length = record_at(at, (size_t)(end - at));
    if (length) take_record(l, at, length);
    if (!length && !gap) gap = at;
    at = length ? at + length : next_head(at, end);
  }
  return (size_t)((gap ? gap : end) - piece);
}

/* ---- files ---- */

static bool read_piece(int file, char *data, size_t size, size_t from) {
  while (size) {
    const ssize_t got = pread(file, data, size, (off_t)from);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got, from += (size_t)got, size -= (size_t)got;
  }
  return true;
}

/* False: no memory. */
static bool read_new(log_file *f, int file, char **data, size_t *size) {
  struct stat info;
  /* before its size: what is complete does not grow any more */
  const bool in_use = flock(file, LOCK_SH | LOCK_NB) != 0;
  *data = NULL;
  *size = 0;
  if (fstat(file, &info) || !S_ISREG(info.st_mode)) return true;
  f->complete = !in_use && info.st_size > 0; /* an empty one has just been made: its lock may follow */
  if ((size_t)info.st_size <= f->read) return true;
  *size = (size_t)info.st_size - f->read;
  *data = sn_try_new(*size, 1);
  if (!*data) return false;
  if (!read_piece(file, *data, *size, f->read)) *size = 0;
  return true;
}

static void read_log(sn_logs *l, log_file *f) {
  char path[path_size], *data;
  size_t size;
  snprintf(path, sizeof path, "%s/%s", l->folder, f->name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const bool read = read_new(f, file, &data, &size);
  close(file);
  if (!read) sn_out_of_memory(size);
  f->read += take_records(l, data, size);
  sn_free(data);
}

static void add_file(sn_logs *l, const char *name) {
  const size_t length = strlen(name);
  const uint64_t hash = sn_hash(sn_hash_begin, name, length);
  for (int k = 0; k < l->files; ++k)
    if (l->file[k].hash == hash && !strcmp(l->file[k].name, name)) return;
  if (l->files == l->room) {
    l->room = 2 * l->room + 16;
    SN_RESIZE(l->file, l->room);
  }
  char *copy = sn_new(length + 1, 1);
  memcpy(copy, name, length + 1);
  l->file[l->files++] = (log_file){.name = copy,
                                   .hash = hash,
                                   .ours = !strncmp(name, l->prefix, strlen(l->prefix)),
                                   .elsewhere = strncmp(name, l->host, strlen(l->host)) != 0};
}

static void close_folder(void *folder) {
  closedir(folder);
}

static void list_files(sn_logs *l) {
  DIR *folder = opendir(l->folder);
  sn_undo undo;
  if (!folder) return;
  sn_undo_begin(&undo, close_folder, folder);
  for (struct dirent *e; (e = readdir(folder));) {
    const size_t length = strlen(e->d_name);
    if (length > 4 && !strcmp(e->d_name + length - 4, ".log")) add_file(l, e->d_name);
  }
  sn_undo_end(&undo);
  closedir(folder);
  l->listed = sn_wall_time();
}

void sn_logs_read(sn_logs *l) {
  list_files(l);
  for (int k = 0; k < l->files; ++k)
    if (!l->file[k].complete) read_log(l, &l->file[k]);
}

void sn_logs_read_others(sn_logs *l) {
  const double begin = sn_wall_time();
  if (begin - l->looked < reading_share * l->took) return;
  if (begin - l->listed > listing_interval) list_files(l);
  for (int k = 0; k < l->files; ++k)
    if (!l->file[k].complete && !l->file[k].ours) read_log(l, &l->file[k]);
  l->looked = sn_wall_time();
  l->took = l->looked - begin;
}

const char *sn_logs_text(const sn_logs *l, int i, size_t *length) {
  assert(i >= 0 && i < l->count);
  const found *f = &l->found[l->first[i]];
  *length = f->length;
  return f->text;
}

/* ---- writing ---- */

int sn_log_begin(sn_logs *l) {
  char path[path_size];
  int file = -1;
  for (int number = 1; file < 0; ++number) {
    snprintf(path, sizeof path, "%s/%s%d.log", l->folder, l->prefix, number);
    file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST && errno != EINTR) return -1;
  }
  while (flock(file, LOCK_EX) && errno == EINTR) continue; /* a reader may have it for a moment */
  return file;
}

static bool is_shared(const sn_logs *l) {
  for (int k = 0; k < l->files; ++k)
    if (l->file[k].elsewhere && !l->file[k].complete) return true;
  return false;
}

bool sn_log_add(sn_logs *l, int file, int i, const char *text, size_t length, double seconds) {
  assert(i >= 0 && i < l->count);
  char head[head_length + 1];
  put_head(l->name[i], text, length, head);
  const struct iovec parts[2] = {{head, head_length}, {(void *)(uintptr_t)text, length}};
  const off_t before = lseek(file, 0, SEEK_END);
  const ssize_t whole = (ssize_t)(head_length + length), put = writev(file, parts, 2);
  if (put != whole) { /* the rest would find no place either */
    const int error = put < 0 ? errno : ENOSPC;
    const bool cut = put <= 0 || before < 0 || !ftruncate(file, before);
    (void)cut; /* readers ignore a part of a record */
    errno = error;
    return false;
  }
  l->unsynced += seconds;
  if (l->unsynced < synced_work && !is_shared(l)) return true;
  l->unsynced = 0;
  return !fdatasync(file) || errno == EINVAL || errno == EROFS;
}
