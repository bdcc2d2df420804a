/* sums.c - see sums.h. */
#include "result/sums.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/whole_file.h"
#include "result/disk.h"

static const char mark[8] = "sinewsum";

void sn_sums_free(sn_sums *sums) {
  free(sums->sum);
  free(sums->mark);
  *sums = (sn_sums){0};
}

/* Eight bytes at a time: h = (h ^ x) p, and its upper half into the lower one. */
uint64_t sn_sum_of(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  uint64_t h = sn_hash_begin ^ size;
  for (; size >= 8; at += 8, size -= 8) {
    uint64_t x;
    memcpy(&x, at, sizeof x);
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return sn_hash(h, at, size);
}

/* ---- writing ---- */

static bool make_room(sn_sums *sums, size_t blocks) {
  if (blocks <= sums->room) return true;
  const size_t room = 2 * blocks + 64;
  uint64_t *sum = realloc(sums->sum, room * sizeof *sum);
  if (sum) sums->sum = sum;
  unsigned char *marks = realloc(sums->mark, room);
  if (marks) sums->mark = marks;
  if (!sum || !marks) return errno = ENOMEM, false;
  memset(sums->mark + sums->room, 0, room - sums->room);
  sums->room = room;
  return true;
}

bool sn_sums_touch(sn_sums *sums, uint64_t at, size_t size) {
  if (!size) return true;
  const size_t first = (size_t)(at / sn_sum_block), last = (size_t)((at + size - 1) / sn_sum_block);
  if (!make_room(sums, last + 1)) return false;
  memset(sums->mark + first, 1, last - first + 1);
  return true;
}

bool sn_sums_set_end(sn_sums *sums, uint64_t end) {
  if (end == sums->end) return true;
  const uint64_t low = end < sums->end ? end : sums->end, high = end < sums->end ? sums->end : end;
  if (!sn_sums_touch(sums, low, (size_t)(high - low))) return false;
  if (low % sn_sum_block) sn_sums_touch(sums, low - 1, 1); /* the block the end is in gets longer or shorter */
  sums->end = end;
  sums->count = (size_t)((end + sn_sum_block - 1) / sn_sum_block);
  return true;
}

size_t sn_sums_size(const sn_sums *sums, size_t block) {
  const uint64_t left = sums->end - (uint64_t)block * sn_sum_block;
  return left < sn_sum_block ? (size_t)left : sn_sum_block;
}

sn_sums_head sn_sums_head_of(const sn_sums *sums) {
  sn_sums_head head = {.block = sn_sum_block, .end = sums->end};
  memcpy(head.mark, mark, sizeof mark);
  return head;
}

/* ---- reading ---- */

/* Sums that stand at a place of a file, by the head that belongs to them. */
static bool read_sums(sn_sums *sums, int file, uint64_t at, const sn_sums_head *head) {
  if (memcmp(head->mark, mark, sizeof mark) || head->block != sn_sum_block) return false;
  if (head->end > (uint64_t)1 << 50 || !make_room(sums, (size_t)(head->end / sn_sum_block) + 1)) return false;
  sums->end = head->end;
  sums->count = (size_t)((head->end + sn_sum_block - 1) / sn_sum_block);
  memset(sums->mark, 0, sums->room);
  return sn_disk_read(file, sums->sum, sums->count * sizeof *sums->sum, at);
}

static uint64_t check_of(const sn_sums *sums) {
  return sn_hash(sn_sum_of(sums->sum, sums->count * sizeof *sums->sum), &sums->end, sizeof sums->end);
}

/* Those of FILE.sums. */
static bool load_beside(sn_sums *sums, const char *path) {
  char *name = sn_disk_beside(path, ".sums");
  const int file = name ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  sn_sums_head head;
  struct stat now;
  const bool good = file >= 0 && !fstat(file, &now) && sn_disk_read(file, &head, sizeof head, 0) &&
                    head.end / sn_sum_block <= (uint64_t)now.st_size / sizeof *sums->sum && /* no more than there are */
                    read_sums(sums, file, sizeof head, &head);
  const int error = name ? errno : ENOMEM;
  if (file >= 0) close(file);
  free(name);
  errno = error;
  return good;
}

bool sn_sums_load(sn_sums *sums, int file, const char *path) {
  struct stat now;
  sn_sums_head head;
  *sums = (sn_sums){0};
  errno = 0;
  if (load_beside(sums, path)) return true;
  if (errno != ENOMEM && !fstat(file, &now) && now.st_size > (off_t)sizeof head) {
    const uint64_t at = (uint64_t)now.st_size - sizeof head;
    const bool plausible = sn_disk_read(file, &head, sizeof head, at) && !memcmp(head.mark, mark, sizeof mark) &&
                           head.end <= at && (head.end + sn_sum_block - 1) / sn_sum_block == (at - head.end) / 8;
    if (plausible && read_sums(sums, file, head.end, &head) && check_of(sums) == head.check) return true;
  }
  const int error = errno;
  sn_sums_free(sums);
  errno = error;
  return false;
}

bool sn_sums_agree(sn_sums *sums, int file, uint64_t at, size_t size, uint64_t *bad) {
  unsigned char bytes[sn_sum_block];
  if (!size || at >= sums->end) return true;
  const uint64_t last = at + size < sums->end ? at + size - 1 : sums->end - 1;
  for (size_t block = (size_t)(at / sn_sum_block); block <= (size_t)(last / sn_sum_block); ++block) {
    if (sums->mark[block]) continue;
    const size_t length = sn_sums_size(sums, block);
    *bad = block;
    if (!sn_disk_read(file, bytes, length, (uint64_t)block * sn_sum_block)) return false;
    if (sn_sum_of(bytes, length) != sums->sum[block]) return false;
    sums->mark[block] = 1;
  }
  return true;
}

/* ---- when the file is finished ---- */

static bool put_behind(sn_sums *sums, int file) {
  sn_sums_head head = sn_sums_head_of(sums);
  const size_t bytes = sums->count * sizeof *sums->sum;
  const uint64_t whole = sums->end + bytes + sizeof head;
  head.check = check_of(sums);
  const bool good = sn_disk_write(file, sums->sum, bytes, sums->end) &&
                    sn_disk_write(file, &head, sizeof head, sums->end + bytes) && !sn_truncate(file, (long long)whole);
  if (!good) sn_truncate(file, (long long)sums->end);
  return good;
}

bool sn_sums_finish(int file, const char *path) {
  sn_sums sums = {0};
  const bool good = load_beside(&sums, path) && put_behind(&sums, file) && sn_disk_sync(file);
  sn_sums_forget(path);
  sn_sums_free(&sums);
  return good;
}

bool sn_sums_make(int file) {
  unsigned char bytes[sn_sum_block];
  sn_sums sums = {0};
  struct stat now;
  bool good = !fstat(file, &now) && sn_sums_set_end(&sums, (uint64_t)now.st_size);
  for (size_t i = 0; good && i < sums.count; ++i) {
    const size_t size = sn_sums_size(&sums, i);
    good = sn_disk_read(file, bytes, size, (uint64_t)i * sn_sum_block);
    sums.sum[i] = sn_sum_of(bytes, size);
  }
  good = good && put_behind(&sums, file);
  sn_sums_free(&sums);
  return good;
}

void sn_sums_forget(const char *path) {
  char *name = sn_disk_beside(path, ".sums");
  if (name) unlink(name);
  free(name);
}
