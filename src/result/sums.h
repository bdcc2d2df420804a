/* sums.h - checksums of the blocks of a result file, so that damaged data are never used.
 *
 *   file while it is written:   blocks ...                    FILE.sums:  head, sums
 *   file when it is finished:   blocks ... | sums | head
 *
 * A sum covers a block of 16 KiB, the last one up to the end of what HDF5 has written. HDF5 does not look beyond its
 * end, so that other programs read finished files as always. Whoever reads through our driver (journal.h) reads no
 * block whose sum is wrong.
 */
#ifndef SN_RESULT_SUMS_H
#define SN_RESULT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { sn_sum_block = 16 << 10 };

typedef struct sn_sums_head {
  char mark[8];
  uint64_t block, end, check; /* end: bytes of the file that are covered; check: over the sums, of finished files */
} sn_sums_head;

typedef struct sn_sums {
  uint64_t *sum;
  unsigned char *mark; /* of a block: changed since its sum was made (writing), or compared with it (reading) */
  size_t count, room;  /* blocks of [0, end), and room for more */
  uint64_t end;
} sn_sums;

void sn_sums_free(sn_sums *sums);

/* ---- writing ---- */
/* Bytes have changed. False: no memory. */
bool sn_sums_touch(sn_sums *sums, uint64_t at, size_t size);
/* The file ends there now. */
bool sn_sums_set_end(sn_sums *sums, uint64_t end);
/* Sum of a block, whose bytes are given. */
uint64_t sn_sum_of(const void *bytes, size_t size);
size_t sn_sums_size(const sn_sums *sums, size_t block);
sn_sums_head sn_sums_head_of(const sn_sums *sums);
/* Put FILE.sums behind the end of the finished file, and remove it. False: the file has no sums. */
bool sn_sums_finish(int file, const char *path);
/* Put sums behind the end of a file that another program has written and closed. */
bool sn_sums_make(int file);
/* Remove FILE.sums of a file that is given up. */
void sn_sums_forget(const char *path);

/* ---- reading ---- */
/* Of a file and its name. False: it has none, or they cannot be read; ENOMEM: for want of memory. */
bool sn_sums_load(sn_sums *sums, int file, const char *path);
/* Compare the blocks of a range that have not been compared; false: *bad is one that differs. */
bool sn_sums_agree(sn_sums *sums, int file, uint64_t at, size_t size, uint64_t *bad);

#endif
