/* store.h - where the contents of a result file come from.
 *
 * A file may be malicious, and HDF5 is not designed for this: it runs in a separate process that can only read this
 * file and answer (base/confine.h), in limited memory and time. Whatever happens there, a fault or an endless loop, is
 * a failure to read here. What it answers is not trusted either (object.h).
 *
 * The file of a run of this process is read directly.
 */
#ifndef SN_RESULT_STORE_H
#define SN_RESULT_STORE_H

#include "result/h5.h"
#include "result/object.h"

typedef struct sn_store sn_store;

/* Open a file; errors are one line in the context. `locked`: this process has locked it. */
sn_status sn_store_open(sn_context *context, const char *path, bool locked, sn_store **store);
/* The file a run writes; `file` is taken over. NULL: no memory. */
sn_store *sn_store_of_run(hid_t file);
void sn_store_close(sn_store *store);

/* An object, of groups with their members if wanted; NULL: there is none, or the store has failed. */
const sn_object *sn_store_describe(sn_store *store, const char *path, bool members, sn_arena *arena);
/* Rows first, first + stride, ... (count of them), all columns from `column` on up to `columns`, as numbers of `width`
 * (4, 8) bytes to `out`, row by row. False: there are not so many, or the store has failed. */
typedef struct sn_rows {
  const char *path;
  size_t first, count, stride, column, columns, width;
} sn_rows;
bool sn_store_rows(sn_store *store, const sn_rows *rows, void *out);
/* A text, for sn_free; NULL as above. */
char *sn_store_text(sn_store *store, const char *path, size_t *length);

/* Why it has failed, NULL: it has not. After a failure there is nothing more to be had. */
const char *sn_store_trouble(const sn_store *store);

#endif
