/* copy.c - see copy.h. */
#include "result/copy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/h5.h"
#include "result/store.h"

enum { deepest = 8, piece_bytes = 4 << 20, largest_chunk = 32 << 10 /* numbers */ };

typedef struct copying {
  sn_store *from;
  sn_h5 to;
} copying;

static void copy_attribute(sn_h5 *to, hid_t object, const sn_attribute *a) {
  if (a->kind == SN_TEXT_VALUE && !a->single)
    sn_h5_texts(to, object, a->name, a->text, (int)a->count);
  else if (a->kind == SN_TEXT_VALUE && a->size && a->size < 1 << 16)
    sn_h5_text_field(to, object, a->name, a->text[0], a->size);
  else if (a->kind == SN_TEXT_VALUE)
    sn_h5_text(to, object, a->name, a->text[0]);
  else if (a->kind == SN_INTEGER_VALUE && a->single)
    sn_h5_integer(to, object, a->name, (long)a->integer[0]);
  else if (a->kind == SN_REAL_VALUE && a->single)
    sn_h5_real(to, object, a->name, a->real[0]);
  else if (a->kind == SN_REAL_VALUE)
    sn_h5_reals(to, object, a->name, a->real, (int)a->count);
}

static void copy_attributes(sn_h5 *to, hid_t object, const sn_object *node) {
  for (size_t i = 0; i < node->attributes && object >= 0; ++i) copy_attribute(to, object, &node->attribute[i]);
}

/* In chunks as before, unless those are none of ours. */
static hid_t make_dataset(sn_h5 *to, hid_t parent, const sn_object *node) {
  const hsize_t none[2] = {0, node->columns}, most[2] = {H5S_UNLIMITED, node->columns};
  hsize_t chunk[2] = {node->chunk[0], node->chunk[1]};
  if (!chunk[0] || !chunk[1] || chunk[0] * chunk[1] > largest_chunk || chunk[1] > node->columns) {
    chunk[1] = node->columns < largest_chunk ? (node->columns ? node->columns : 1) : largest_chunk;
    chunk[0] = largest_chunk / chunk[1];
    if (chunk[0] > node->rows) chunk[0] = node->rows ? node->rows : 1;
  }
  const double nothing = NAN;
  const hid_t space = H5Screate_simple(node->rank, none, most), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, node->rank, chunk);
  H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nothing);
  const hid_t dataset = H5Dcreate2(parent, node->name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Pclose(creation);
  H5Sclose(space);
  sn_h5_ok(to, dataset);
  return dataset;
}

static void write_rows(sn_h5 *to, hid_t dataset, const sn_object *node, size_t first, size_t count, const void *data) {
  const hsize_t from[2] = {first, 0}, block[2] = {count, node->columns};
  const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(node->rank, block, NULL);
  sn_h5_ok(to, H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, block, NULL));
  sn_h5_ok(to, H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, data));
  H5Sclose(memory);
  H5Sclose(file);
}

static void copy_numbers(copying *c, hid_t parent, const sn_object *node, const char *path) {
  if (!node->columns) return;
  const hid_t dataset = make_dataset(&c->to, parent, node);
  if (dataset < 0) return;
  const size_t row = node->columns * sizeof(double), most = row < piece_bytes ? piece_bytes / row : 1;
  const hsize_t size[2] = {node->rows, node->columns};
  double *piece = sn_new(most * row, 1);
  sn_h5_ok(&c->to, H5Dset_extent(dataset, size));
  for (size_t done = 0, count; done < node->rows && !c->to.failed; done += count) {
    count = node->rows - done < most ? node->rows - done : most;
    const sn_rows rows = {path, done, count, 1, 0, node->columns, sizeof(double)};
    if (!sn_store_rows(c->from, &rows, piece)) break; /* the store has the reason */
    write_rows(&c->to, dataset, node, done, count, piece);
  }
  sn_free(piece);
  copy_attributes(&c->to, dataset, node);
  H5Dclose(dataset);
}

static void copy_text(copying *c, const sn_object *node, const char *path) {
  size_t length = 0;
  char *text = sn_store_text(c->from, path, &length);
  if (text) sn_h5_text_dataset(&c->to, node->name, text, length);
  sn_free(text);
}

static void copy_group(copying *c, hid_t group, const char *path, int depth) {
  sn_arena arena = {0};
  const sn_object *node = sn_store_describe(c->from, path, true, &arena);
  if (node) copy_attributes(&c->to, group, node);
  for (size_t i = 0; node && i < node->members && !c->to.failed && !sn_store_trouble(c->from); ++i) {
    const sn_object *member = &node->member[i];
    const char *its = sn_format(&arena, "%s/%s", path[1] ? path : "", member->name);
    if (member->kind == SN_OBJECT_NUMBERS) copy_numbers(c, group, member, its);
    if (member->kind == SN_OBJECT_TEXT && !path[1]) copy_text(c, member, its);
    if (member->kind != SN_OBJECT_GROUP || depth >= deepest) continue;
    const hid_t inner = sn_h5_group(&c->to, group, member->name);
    if (inner >= 0) copy_group(c, inner, its, depth + 1);
    sn_h5_close(inner);
  }
  sn_arena_free(&arena);
}

sn_status sn_result_copy(sn_context *context, const char *from, bool locked, const char *to) {
  copying c = {.to.file = H5I_INVALID_HID};
  const sn_status status = sn_store_open(context, from, locked, &c.from);
  if (status) return status;
  sn_h5_begin(&c.to);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST); /* as in journal.c */
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  c.to.file = H5Fcreate(to, H5F_ACC_EXCL, H5P_DEFAULT, access);
  H5Pclose(access);
  if (sn_h5_ok(&c.to, c.to.file)) {
    sn_undo undo;
    sn_undo_begin(&undo, sn_h5_drop_file, &c.to);
    copy_group(&c, c.to.file, "/", 0);
    sn_undo_end(&undo);
    sn_h5_ok(&c.to, H5Fclose(c.to.file));
  }
  sn_h5_end(&c.to);
  const char *trouble = sn_store_trouble(c.from);
  sn_status result = SN_OK;
  if (trouble)
    result = sn_fail(context, SN_IO, "cannot read %s: %s", from, trouble);
  else if (c.to.failed)
    result = sn_fail(context, SN_IO, "cannot write %s: %s", to, sn_h5_reason(&c.to));
  sn_store_close(c.from);
  return result;
}
