/* table.c - a table of named columns, written as CSV and as HDF5. */
#include "result/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "result/h5.h"

const sn_column *sn_find_column(const sn_columns *columns, const char *name) {
  for (int i = 0; i < columns->count; ++i) {
    if (!strcmp(columns->column[i].name, name)) return &columns->column[i];
  }
  return NULL;
}

/* ---- CSV ---- */

/* A text, quoted if the format requires it. */
static void put_text(FILE *out, const char *text) {
  if (!text[strcspn(text, ",\"\r\n")]) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; ++text) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

/* The shortest of 15 to 17 digits that reads back as the same number. */
static void put_number(FILE *out, double value) {
  char text[40];
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fputs(text, out);
}

static void put_csv(FILE *out, const sn_columns *columns) {
  assert(columns->rows >= 0 && columns->count >= 0);
  for (int k = 0; k < columns->count; ++k) {
    if (k) fputc(',', out);
    put_text(out, columns->column[k].name);
  }
  fputc('\n', out);
  for (int i = 0; i < columns->rows; ++i) {
    for (int k = 0; k < columns->count; ++k) {
      const sn_column *c = &columns->column[k];
      if (k) fputc(',', out);
      if (!c->number) put_text(out, c->text[i]);
      if (c->number && !isnan(c->number[i])) put_number(out, c->number[i]);
    }
    fputc('\n', out);
  }
}

sn_status sn_write_csv(sn_context *context, const char *path, const sn_columns *columns) {
  sn_whole_file file;
  if (sn_whole_file_open(&file, path)) {
    put_csv(file.out, columns);
    if (sn_whole_file_close(&file, !ferror(file.out))) return SN_OK;
  }
  return sn_fail(context, SN_IO, "cannot write %s: %s", path, strerror(errno));
}

/* ---- HDF5: without times of creation, which would make every file another one ---- */

static void write_dataset(sn_h5 *h5, const char *name, hid_t type, hsize_t rows, const void *values) {
  if (h5->failed) return;
  const hid_t space = H5Screate_simple(1, &rows, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(properties, false);
  const hid_t dataset = H5Dcreate2(h5->file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  if (sn_h5_ok(h5, dataset)) {
    sn_h5_ok(h5, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    H5Dclose(dataset);
  }
  H5Pclose(properties);
  H5Sclose(space);
}

static void write_texts(sn_h5 *h5, const char *name, const char *const *text, int rows) {
  size_t size = 1;
  for (int i = 0; i < rows; ++i) {
    if (strlen(text[i]) + 1 > size) size = strlen(text[i]) + 1;
  }
  sn_arena arena = {0};
  char *padded = SN_NEW(&arena, char, size *(size_t)rows + 1);
  for (int i = 0; i < rows; ++i) memcpy(padded + size * (size_t)i, text[i], strlen(text[i]));
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  H5Tset_cset(type, H5T_CSET_UTF8);
  write_dataset(h5, name, type, (hsize_t)rows, padded);
  H5Tclose(type);
  sn_arena_free(&arena);
}

static void write_columns(sn_h5 *h5, const char *title, const sn_columns *columns) {
  sn_arena arena = {0};
  const char **name = SN_NEW(&arena, const char *, columns->count);
  for (int k = 0; k < columns->count; ++k) {
    const sn_column *c = &columns->column[k];
    name[k] = c->name;
    if (c->number) {
      write_dataset(h5, c->name, H5T_NATIVE_DOUBLE, (hsize_t)columns->rows, c->number);
    } else {
      write_texts(h5, c->name, c->text, columns->rows);
    }
  }
  sn_h5_text(h5, h5->file, "title", title);
  sn_h5_texts(h5, h5->file, "columns", name, columns->count);
  sn_arena_free(&arena);
}

sn_status sn_write_hdf5(sn_context *context, const char *path, const char *title, const sn_columns *columns) {
  sn_h5 h5 = {0};
  sn_whole_file file;
  if (!sn_whole_file_open(&file, path)) return sn_fail(context, SN_IO, "cannot write %s: %s", path, strerror(errno));
  const char *name = sn_whole_file_name(&file);
  if (!name) return sn_whole_file_close(&file, false), sn_fail(context, SN_IO, "cannot write %s", path);
  sn_h5_begin(&h5);
  h5.file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (sn_h5_ok(&h5, h5.file)) {
    sn_undo undo;
    sn_undo_begin(&undo, sn_h5_drop_file, &h5);
    write_columns(&h5, title, columns);
    sn_undo_end(&undo);
    sn_h5_ok(&h5, H5Fclose(h5.file));
  }
  sn_h5_end(&h5);
  if (sn_whole_file_close(&file, !h5.failed)) return SN_OK;
  return sn_fail(context, SN_IO, "cannot write %s: %s", path, h5.failed ? sn_h5_reason(&h5) : strerror(errno));
}
