/* writer.h - what the files of the writer share: writer.c (rows), writer_part.c (the part file), writer_datasets.c (the
 * datasets over time). */
#ifndef SN_WRITER_H
#define SN_WRITER_H

#include "result/h5.h"
#include "result/result.h"
#include "result/track.h"

enum { SN_TOUCH_COLUMNS = 12 }; /* of a contact: surfaces, point, normal, force, gap */

struct sn_writer {
  sn_h5 h5;
  sn_simulation *simulation;
  sn_context *context;
  sn_arena arena;
  const char *path, *part;
  int space;        /* descriptor of the part file, only to reserve space */
  sn_tracks tracks; /* datasets over time; the first is /time */
  double *buffer;   /* [capacity][width] rows not yet given to HDF5 */
  size_t capacity, buffered;
  hsize_t rows;      /* given to HDF5 */
  sn_tracks touches; /* datasets with a row for each contact of each row of time */
  double *touch;     /* [touch_capacity][SN_TOUCH_COLUMNS] not yet given to HDF5 */
  size_t touch_capacity, touch_buffered;
  hsize_t touch_rows;
  const sn_expr *const **vector; /* [vectors] of forces that change in time */
  int vectors;
  double flushed;    /* when */
  double flush_time; /* how long it took; a slow disk is flushed less often */
  hsize_t promised;  /* end of the part of the file whose space is reserved */
  int error;         /* errno of a reservation that failed; rows are refused since */
  bool begun;        /* its head is written */
  bool resumed;      /* it continues a file that has `rows` */
  bool in_place;     /* which was left as the part file: not to be removed when opening fails */
  bool unsummed;     /* it was finished without checksums */
};

/* Set the message: what could not be written, and why. */
sn_status sn_writer_failure(sn_writer *writer);

/* ---- the part file ---- */

/* Take its name and lock it. Refuses what would end badly: a target that is no file, or a part file that another run is
 * writing. */
sn_status sn_writer_prepare(sn_writer *writer);
/* The file to continue, as our part file: a copy that we make, so that HDF5 writes into no file from elsewhere. It takes
 * the name of the part file, which may be the one to continue, when it is complete. */
sn_status sn_writer_copy(sn_writer *writer, const char *from);
/* Is the part file still the one we have open? A run that ends gives it its last name. */
bool sn_writer_owns_part(const sn_writer *writer);
/* Give it its last name, and both to the disk: 0, or errno. */
int sn_writer_rename(sn_writer *writer);

/* ---- datasets ---- */

/* Make them, in the order in which sn_writer_row lays a row out. */
void sn_writer_make_datasets(sn_writer *writer);
/* What the head of the file takes, generously. */
size_t sn_writer_head_bytes(const sn_simulation *simulation);

#endif
