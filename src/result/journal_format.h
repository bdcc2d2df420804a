/* journal_format.h - the journal beside a result that is being written: see journal.h. Private.
 *
 *   header, pieces (those of the sums last), their data, check over all of that
 */
#ifndef SN_JOURNAL_FORMAT_H
#define SN_JOURNAL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sn_journal_piece {
  uint64_t at, size; /* in the file */
} sn_journal_piece;

typedef struct sn_journal_header {
  char mark[8];
  uint64_t count, of_sums, bytes, end; /* end: of the file */
} sn_journal_header;

extern const char sn_journal_mark[8];

uint64_t sn_journal_check(const sn_journal_header *header, const sn_journal_piece *pieces, const unsigned char *data);

/* The pieces to their places; the file is at least `end` long afterwards, as HDF5 demands. */
bool sn_journal_apply(int file, const sn_journal_piece *pieces, size_t count, const unsigned char *data, uint64_t end);

#endif
