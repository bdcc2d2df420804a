/* track.c - datasets that grow by rows.
 *
 * Chunks: large enough that reading is sequential, small enough that a short run makes a small file (a chunk takes
 * its full size on disk, however few of its rows exist) and that thousands of bodies do not fill the memory with the
 * one unfinished chunk that each of them keeps.
 */
#include "result/track.h"

#include <math.h>

enum {
  largest_chunk = 256 << 10,
  smallest_chunk = 8 << 10,
  all_chunks = 64 << 20, /* unfinished chunks of all datasets together */
};

void sn_tracks_create(sn_tracks *tracks, sn_arena *arena, int capacity, double expected_rows) {
  assert(capacity > 0);
  tracks->track = SN_NEW(arena, sn_track, capacity);
  tracks->capacity = capacity;
  tracks->expected = expected_rows >= 1 ? expected_rows : 1;
  tracks->chunk_bytes = all_chunks / (size_t)capacity;
  if (tracks->chunk_bytes > largest_chunk) tracks->chunk_bytes = largest_chunk;
  if (tracks->chunk_bytes < smallest_chunk) tracks->chunk_bytes = smallest_chunk;
}

/* Rows that do not fit into a chunk are split evenly; rows that do are stacked. */
static void plan_chunk(const sn_tracks *tracks, sn_track *track) {
  const size_t numbers = tracks->chunk_bytes / sizeof(double);
  const size_t pieces = (track->columns + numbers - 1) / numbers;
  const size_t columns = (track->columns + pieces - 1) / pieces;
  size_t rows = pieces > 1 ? 1 : numbers / columns;
  if ((double)rows > tracks->expected) rows = (size_t)tracks->expected;
  track->chunk[0] = rows;
  track->chunk[1] = columns;
}

static size_t chunk_bytes(const sn_track *track) {
  return sizeof(double) * track->chunk[0] * track->chunk[1];
}

/* Numbers never written read as NaN. */
static hid_t creation_properties(const sn_track *track) {
  const double nothing = NAN;
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, track->rank, track->chunk);
  H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nothing);
  return creation;
}

/* The cache holds the unfinished chunk; chunks of one row are never unfinished and need none. */
static hid_t access_properties(const sn_track *track) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 11, track->chunk[0] > 1 ? chunk_bytes(track) : 0, 1.0);
  return access;
}

/* A dataset of a run that is resumed; false: it is none of ours. */
static bool open_dataset(sn_track *track, hid_t parent, const char *name) {
  hsize_t size[2] = {0, 1};
  track->dataset = H5Dopen2(parent, name, H5P_DEFAULT);
  if (track->dataset < 0) return false;
  const hid_t space = H5Dget_space(track->dataset), creation = H5Dget_create_plist(track->dataset);
  bool fits = H5Sget_simple_extent_ndims(space) == track->rank && H5Pget_layout(creation) == H5D_CHUNKED &&
              H5Sget_simple_extent_dims(space, size, NULL) == track->rank && size[1] == track->columns &&
              H5Pget_chunk(creation, track->rank, track->chunk) == track->rank;
  if (track->rank == 1) track->chunk[1] = 1;
  H5Pclose(creation);
  H5Sclose(space);
  return fits;
}

static void create_dataset(sn_track *track, hid_t parent, const char *name) {
  const hsize_t size[2] = {0, track->columns}, limit[2] = {H5S_UNLIMITED, track->columns};
  const hid_t space = H5Screate_simple(track->rank, size, limit);
  const hid_t creation = creation_properties(track), access = access_properties(track);
  track->dataset = H5Dcreate2(parent, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, access);
  H5Pclose(access);
  H5Pclose(creation);
  H5Sclose(space);
}

const sn_track *sn_track_add(sn_tracks *tracks, sn_h5 *h5, hid_t parent, const char *name, int columns, int rank) {
  assert(columns > 0 && (rank == 1 || rank == 2) && (rank == 2 || columns == 1));
  assert(h5->failed || tracks->count < tracks->capacity); /* a dataset for which no room was planned */
  if (h5->failed || tracks->count == tracks->capacity) return NULL;
  sn_track *track = &tracks->track[tracks->count];
  track->rank = rank;
  track->at = tracks->width;
  track->columns = (size_t)columns;
  plan_chunk(tracks, track);
  bool fits = true;
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0)
    fits = open_dataset(track, parent, name);
  else
    create_dataset(track, parent, name);
  if (!sn_h5_ok(h5, fits ? track->dataset : H5I_INVALID_HID)) return NULL;
  ++tracks->count;
  tracks->width += track->columns;
  return track;
}

void sn_track_write(const sn_tracks *tracks, const sn_track *track, sn_h5 *h5, hsize_t rows, size_t count,
                    const double *buffer) {
  if (h5->failed) return;
  const hsize_t size[2] = {rows + count, track->columns};
  if (!sn_h5_ok(h5, H5Dset_extent(track->dataset, size)) || count == 0) return;
  const hsize_t from[2] = {0, track->at}, block[2] = {count, track->columns}, whole[2] = {count, tracks->width};
  const hid_t memory = H5Screate_simple(2, whole, NULL);
  H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, block, NULL);
  const hsize_t to[2] = {rows, 0};
  const hid_t file = H5Dget_space(track->dataset);
  H5Sselect_hyperslab(file, H5S_SELECT_SET, to, NULL, block, NULL);
  sn_h5_ok(h5, H5Dwrite(track->dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, buffer));
  H5Sclose(file);
  H5Sclose(memory);
}

size_t sn_tracks_growth(const sn_tracks *tracks, hsize_t rows, size_t count) {
  enum { index_node = 8 << 10, some_chunks = 16 }; /* a node of the chunk index, and how many chunks surely fit one */
  size_t bytes = 0;
  for (int i = 0; i < tracks->count; ++i) {
    const sn_track *track = &tracks->track[i];
    const hsize_t height = track->chunk[0], across = (track->columns + track->chunk[1] - 1) / track->chunk[1];
    const hsize_t before = (rows + height - 1) / height, after = (rows + count + height - 1) / height;
    const size_t chunks = (size_t)((after - before) * across);
    if (chunks) bytes += chunks * chunk_bytes(track) + index_node * (1 + chunks / some_chunks);
  }
  return bytes;
}

void sn_tracks_close(sn_tracks *tracks) {
  for (int i = 0; i < tracks->count; ++i) H5Dclose(tracks->track[i].dataset);
  tracks->count = 0;
}
