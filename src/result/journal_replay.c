/* journal_replay.c - what a killed run left in its journal is brought into the file. */
#define _DEFAULT_SOURCE /* flock */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/whole_file.h"
#include "result/disk.h"
#include "result/journal.h"
#include "result/journal_format.h"

const char sn_journal_mark[8] = "sinewjn2";

uint64_t sn_journal_check(const sn_journal_header *h, const sn_journal_piece *pieces, const unsigned char *data) {
  uint64_t hash = sn_hash(sn_hash_begin, h, sizeof *h);
  hash = sn_hash(hash, pieces, h->count * sizeof *pieces);
  return sn_hash(hash, data, h->bytes);
}

bool sn_journal_apply(int file, const sn_journal_piece *pieces, size_t count, const unsigned char *data, uint64_t end) {
  struct stat now;
  if (!fstat(file, &now) && (uint64_t)now.st_size < end && sn_truncate(file, (long long)end)) return false;
  for (size_t i = 0; i < count; data += pieces[i++].size)
    if (!sn_disk_write(file, data, pieces[i].size, pieces[i].at)) return false;
  return true;
}

/* The pieces are as long as their data together. */
static bool are_sound(const sn_journal_header *h, const sn_journal_piece *pieces) {
  uint64_t left = h->bytes;
  if (h->of_sums > h->count) return false;
  for (uint64_t i = 0; i < h->count; ++i) {
    if (pieces[i].size > left || pieces[i].at > UINT64_MAX / 4) return false;
    left -= pieces[i].size;
  }
  return left == 0;
}

/* Read all of it; NULL: it is not whole. */
static unsigned char *read_journal(int journal, sn_journal_header *h) {
  struct stat now;
  uint64_t check = 0;
  errno = 0;
  if (fstat(journal, &now) || (uint64_t)now.st_size < sizeof *h + sizeof check) return NULL;
  if (!sn_disk_read(journal, h, sizeof *h, 0) || memcmp(h->mark, sn_journal_mark, sizeof sn_journal_mark)) return NULL;
  const uint64_t rest = (uint64_t)now.st_size - sizeof *h - sizeof check;
  if (h->count > rest / sizeof(sn_journal_piece) || h->bytes != rest - h->count * sizeof(sn_journal_piece)) return NULL;
  unsigned char *all = malloc(rest ? rest : 1);
  if (!all) return errno = ENOMEM, NULL;
  const unsigned char *data = all + h->count * sizeof(sn_journal_piece);
  const bool good = sn_disk_read(journal, all, rest, sizeof *h) &&
                    sn_disk_read(journal, &check, sizeof check, sizeof *h + rest) &&
                    check == sn_journal_check(h, (const sn_journal_piece *)(const void *)all, data);
  if (good && are_sound(h, (const sn_journal_piece *)(const void *)all)) return all;
  free(all);
  return NULL;
}

/* The pieces of the tables to the file, those of the sums to FILE.sums. */
static bool replay(int file, const char *sums_path, const sn_journal_header *h, const unsigned char *all) {
  const sn_journal_piece *pieces = (const sn_journal_piece *)(const void *)all;
  const unsigned char *data = all + h->count * sizeof(sn_journal_piece);
  const size_t tables = (size_t)(h->count - h->of_sums);
  if (!sn_journal_apply(file, pieces, tables, data, h->end)) return false;
  if (!h->of_sums) return true;
  for (size_t i = 0; i < tables; ++i) data += pieces[i].size;
  const int sums = open(sums_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  const bool good = sums >= 0 && sn_journal_apply(sums, pieces + tables, (size_t)h->of_sums, data, 0);
  if (sums >= 0) close(sums);
  if (!good) unlink(sums_path);
  return true;
}

void sn_journal_replay(const char *path) {
  char *name = sn_disk_beside(path, ".journal"), *sums_path = sn_disk_beside(path, ".sums");
  const int journal = name && sums_path ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  const int file = journal < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0 && !flock(file, LOCK_EX | LOCK_NB)) {
    sn_journal_header h;
    unsigned char *all = read_journal(journal, &h);
    const bool done = all ? replay(file, sums_path, &h, all) : errno != ENOMEM;
    free(all);
    if (done) unlink(name);
  }
  if (file >= 0) close(file);
  if (journal >= 0) close(journal);
  free(name);
  free(sums_path);
}
