/* contents.h - what lies in an open result file, as plain bytes: the one place where HDF5 reads. It runs in a confined
 * process for files that may come from anywhere, and in our own for the file that a run writes (store.h).
 *
 * Nothing is read before its type and size are known to be those of a result: numbers of rank 1 or 2 and text, stored
 * in this file, without filters, no larger than the file itself. Soft and external links are not followed; an object
 * that has several hard links is met at the first one only, so that no circle is walked.
 */
#ifndef SN_RESULT_CONTENTS_H
#define SN_RESULT_CONTENTS_H

#include "result/h5.h"

enum { sn_longest_path = 1024 };

/* Bytes that grow. (Nothing here jumps when memory is missing: HDF5 is around, or this is another process.) */
typedef struct sn_bytes {
  unsigned char *data;
  size_t count, room;
  bool failed; /* no memory, or an unreasonable amount */
  bool no_memory;
} sn_bytes;

/* Objects met so far. */
typedef struct sn_met sn_met;
void sn_met_free(sn_met *met);

/* Rows first, first + stride, ... of some columns of a dataset of numbers; or bytes of a text (width 1). */
typedef struct sn_wanted {
  char path[sn_longest_path];
  uint64_t first, count, stride, column, columns;
  uint32_t width; /* of a number as it is wanted: 4, 8 bytes */
} sn_wanted;

/* Append the description (object.h reads it) of an object, with `members` that of the members of a group. False: there
 * is no such object. *met: NULL at first; its own for every file. */
bool sn_contents_describe(const sn_h5 *h5, const char *path, bool members, sn_met **met, sn_bytes *out);

/* Give the numbers in pieces. False: there are none, or h5 has failed, or the taker. */
typedef bool (*sn_taker)(void *user, const void *bytes, size_t size);
bool sn_contents_rows(sn_h5 *h5, const sn_wanted *wanted, sn_taker take, void *user);

#endif
