/* track.h - datasets that grow by rows, cut out of one buffer of wide rows. */
#ifndef SN_TRACK_H
#define SN_TRACK_H

#include "result/h5.h"

typedef struct sn_track {
  hid_t dataset;
  int rank;  /* 1: [T], 2: [T x columns] */
  size_t at; /* first column in the wide row */
  size_t columns;
  hsize_t chunk[2]; /* rows, columns of a chunk */
} sn_track;

typedef struct sn_tracks {
  sn_track *track;
  int count, capacity;
  size_t width;       /* columns of the wide row so far */
  size_t chunk_bytes; /* size of a chunk aimed at */
  double expected;    /* rows expected */
} sn_tracks;

void sn_tracks_create(sn_tracks *tracks, sn_arena *arena, int capacity, double expected_rows);
/* Make, or open, a dataset for the next columns of the wide row. NULL after a failure. */
const sn_track *sn_track_add(sn_tracks *tracks, sn_h5 *h5, hid_t parent, const char *name, int columns, int rank);
/* Append `count` wide rows to a dataset of which the first `rows` count. */
void sn_track_write(const sn_tracks *tracks, const sn_track *track, sn_h5 *h5, hsize_t rows, size_t count,
                    const double *buffer);
/* Bytes the file grows by, at most, when every track goes from `rows` to `rows + count`. */
size_t sn_tracks_growth(const sn_tracks *tracks, hsize_t rows, size_t count);
void sn_tracks_close(sn_tracks *tracks);

#endif
