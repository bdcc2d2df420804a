/* crafted.c - see crafted.h. Each function changes a sound result: sizes, types, links, storage, numbers. */
#include "crafted.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop(hid_t file, const char *path) {
  if (H5Lexists(file, path, H5P_DEFAULT) > 0) H5Ldelete(file, path, H5P_DEFAULT);
}

/* Instead of what is at `path`: a dataset in chunks, of any size on paper. */
static void replace(hid_t file, const char *path, hid_t type, int rank, const hsize_t *size, const hsize_t *chunk,
                    int filter) {
  hsize_t most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  drop(file, path);
  const hid_t space = H5Screate_simple(rank, size, chunk ? most : NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk) H5Pset_chunk(creation, rank, chunk);
  if (filter == 1) H5Pset_deflate(creation, 9);
  if (filter == 2) H5Pset_shuffle(creation), H5Pset_fletcher32(creation);
  const hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset >= 0) H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
}

static void text_attribute(hid_t object, const char *name, const char *text, size_t size, hsize_t count) {
  if (H5Aexists(object, name) > 0) H5Adelete(object, name);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size ? size : H5T_VARIABLE);
  const hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const size_t n = count ? (size_t)count : 1;
  if (attribute >= 0 && size) {
    H5Awrite(attribute, type, text);
  } else if (attribute >= 0) {
    const char **all = malloc(n * sizeof *all);
    for (size_t i = 0; i < n; ++i) all[i] = text;
    H5Awrite(attribute, type, all);
    free(all);
  }
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

static void number_attribute(hid_t object, const char *name, hid_t type, const void *value) {
  if (H5Aexists(object, name) > 0) H5Adelete(object, name);
  const hid_t space = H5Screate(H5S_SCALAR),
              attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, value);
  H5Aclose(attribute);
  H5Sclose(space);
}

static void fill(hid_t file, const char *path, double value) {
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset < 0) return;
  const hid_t space = H5Dget_space(dataset);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  double *all = count > 0 ? malloc((size_t)count * sizeof *all) : NULL;
  for (hssize_t i = 0; i < count && all; ++i) all[i] = value;
  if (all) H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
  free(all);
  H5Sclose(space);
  H5Dclose(dataset);
}

/* ---- sizes ---- */

static const hsize_t small_chunk[3] = {16, 16, 16};

static void rows_2_61(hid_t file) {
  replace(file, "/time", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){(hsize_t)1 << 61}, small_chunk, 0);
}
static void rows_2_61_everywhere(hid_t file) {
  const hid_t time = H5Dopen2(file, "/time", H5P_DEFAULT), energy = H5Dopen2(file, "/energy/total", H5P_DEFAULT);
  const hsize_t size = (hsize_t)1 << 61;
  H5Dset_extent(time, &size);
  H5Dset_extent(energy, &size);
  H5Dclose(energy);
  H5Dclose(time);
}
static void columns_2_62(hid_t file) {
  replace(file, "/outputs/tip", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){3, (hsize_t)1 << 59}, small_chunk, 0);
}
static void coordinates_2_60(hid_t file) {
  replace(file, "/bodies/beam/coordinates", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){11, (hsize_t)1 << 60}, small_chunk, 0);
}
static void no_columns(hid_t file) {
  replace(file, "/bodies/beam/coordinates", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){11, 0}, small_chunk, 0);
}
static void chunk_of_gigabytes(hid_t file) {
  replace(file, "/time", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){100}, (hsize_t[]){500000000}, 0);
}
static void billion_rows(hid_t file) {
  replace(file, "/time", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){4000000000U}, (hsize_t[]){1 << 20}, 0);
}
static void rank_3(hid_t file) {
  replace(file, "/time", H5T_NATIVE_DOUBLE, 3, (hsize_t[]){10, 10, 10}, small_chunk, 0);
}
static void rank_32(hid_t file) {
  hsize_t size[32];
  for (int i = 0; i < 32; ++i) size[i] = 1;
  replace(file, "/outputs/tip", H5T_NATIVE_DOUBLE, 32, size, NULL, 0);
}
static void huge_model(hid_t file) {
  drop(file, "/model");
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, 4000000000U);
  const hid_t dataset = H5Dcreate2(file, "/model", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

/* ---- attributes ---- */

static void long_title(hid_t file) {
  char *text = malloc(30 << 20);
  memset(text, 'x', 30 << 20);
  text[(30 << 20) - 1] = 0;
  text_attribute(file, "title", text, 0, 0);
  free(text);
}
static void million_titles(hid_t file) {
  text_attribute(file, "title", "t", 0, 4000);
}
static void evil_title(hid_t file) {
  text_attribute(file, "title", "\x1b]0;owned\x07\x1b[2J'; system(\"x\") </script>%s%n\xff\xfe", 0, 0);
}
static void null_texts(hid_t file) {
  text_attribute(file, "status", NULL, 0, 0);
}
static void text_for_number(hid_t file) {
  text_attribute(file, "layout_version", "1", 0, 0);
}
static void number_for_text(hid_t file) {
  const double one = 1;
  number_attribute(file, "title", H5T_NATIVE_DOUBLE, &one);
  number_attribute(file, "status", H5T_NATIVE_DOUBLE, &one);
}
static void more_columns(hid_t file) {
  const hid_t tip = H5Dopen2(file, "/outputs/tip", H5P_DEFAULT);
  text_attribute(tip, "columns", "x", 0, 3000);
  text_attribute(tip, "units", "m", 0, 3000);
  H5Dclose(tip);
}
static void fewer_units(hid_t file) {
  const hid_t tip = H5Dopen2(file, "/outputs/tip", H5P_DEFAULT);
  text_attribute(tip, "units", "m", 0, 1);
  H5Dclose(tip);
}
static void attribute_of_references(hid_t file) {
  const hid_t space = H5Screate(H5S_SCALAR);
  if (H5Aexists(file, "title") > 0) H5Adelete(file, "title");
  const hid_t attribute = H5Acreate2(file, "title", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Aclose(attribute);
  H5Sclose(space);
}

/* ---- types and storage ---- */

static void integer_time(hid_t file) {
  replace(file, "/time", H5T_NATIVE_INT, 1, (hsize_t[]){100}, small_chunk, 0);
}
static void quad_time(hid_t file) {
  replace(file, "/time", H5T_NATIVE_LDOUBLE, 1, (hsize_t[]){100}, small_chunk, 0);
}
static void single_time(hid_t file) {
  replace(file, "/time", H5T_NATIVE_FLOAT, 1, (hsize_t[]){10}, small_chunk, 0);
}
static void variable_time(hid_t file) {
  const hid_t type = H5Tvlen_create(H5T_NATIVE_DOUBLE);
  replace(file, "/time", type, 1, (hsize_t[]){100}, small_chunk, 0);
  H5Tclose(type);
}
static void compound_time(hid_t file) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "b", 8, H5T_NATIVE_DOUBLE);
  replace(file, "/time", type, 1, (hsize_t[]){100}, small_chunk, 0);
  H5Tclose(type);
}
static void type_for_time(hid_t file) {
  drop(file, "/time");
  const hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
  H5Tcommit2(file, "/time", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Tclose(type);
}
static void group_for_time(hid_t file) {
  drop(file, "/time");
  H5Gclose(H5Gcreate2(file, "/time", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void dataset_for_group(hid_t file) {
  replace(file, "/outputs", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){100}, small_chunk, 0);
  replace(file, "/energy", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){100}, small_chunk, 0);
  replace(file, "/bodies", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){100}, small_chunk, 0);
}
static void deflated(hid_t file) {
  replace(file, "/time", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){100000000}, (hsize_t[]){1 << 20}, 1);
}
static void filtered(hid_t file) {
  replace(file, "/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){1000}, (hsize_t[]){100}, 2);
}
static void stored_elsewhere(hid_t file) {
  const hsize_t size[2] = {11, 9};
  drop(file, "/outputs/tip");
  const hid_t space = H5Screate_simple(2, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, "/etc/passwd", 0, 11 * 9 * sizeof(double));
  H5Dclose(H5Dcreate2(file, "/outputs/tip", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation);
  H5Sclose(space);
}
static void virtual_time(hid_t file) {
  const hsize_t size = 100;
  drop(file, "/time");
  const hid_t space = H5Screate_simple(1, &size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(creation, space, "/etc/hostname", "/time", space);
  const hid_t dataset = H5Dcreate2(file, "/time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset >= 0) H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
}

/* ---- links ---- */

static void to_itself(hid_t file) {
  char name[16];
  for (int i = 0; i < 10; ++i) {
    snprintf(name, sizeof name, "loop%d", i);
    H5Lcreate_hard(file, "/", file, name, H5P_DEFAULT, H5P_DEFAULT);
  }
}
static void circle(hid_t file) {
  H5Lcreate_hard(file, "/bodies", file, "/bodies/beam/again", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/outputs", file, "/outputs/outputs", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", file, "/modes", H5P_DEFAULT, H5P_DEFAULT);
}
static void many_names(hid_t file) {
  char name[32];
  for (int i = 0; i < 2000; ++i) {
    snprintf(name, sizeof name, "/outputs/tip%d", i);
    H5Lcreate_hard(file, "/outputs/tip", file, name, H5P_DEFAULT, H5P_DEFAULT);
  }
}
static void soft_links(hid_t file) {
  drop(file, "/time");
  H5Lcreate_soft("/load", file, "/time", H5P_DEFAULT, H5P_DEFAULT);
  drop(file, "/outputs");
  H5Lcreate_soft("/outputs", file, "/outputs", H5P_DEFAULT, H5P_DEFAULT);
}
static void external_links(hid_t file) {
  drop(file, "/outputs");
  H5Lcreate_external("/dev/zero", "/time", file, "/outputs", H5P_DEFAULT, H5P_DEFAULT);
  drop(file, "/bodies");
  H5Lcreate_external("/etc/passwd", "/", file, "/bodies", H5P_DEFAULT, H5P_DEFAULT);
}
static void deep_groups(hid_t file) {
  hid_t group = H5Gcreate2(file, "deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 300 && group >= 0; ++i) {
    const hid_t next = H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group);
    group = next;
  }
  H5Gclose(group);
}
static void long_names(hid_t file) {
  char name[5000];
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = 0;
  H5Lcreate_hard(file, "/outputs/tip", file, name, H5P_DEFAULT, H5P_DEFAULT);
  name[600] = 0;
  H5Lmove(file, "/outputs/tip", file, name, H5P_DEFAULT, H5P_DEFAULT);
}
static void evil_names(hid_t file) {
  H5Lmove(file, "/outputs/tip", file, "/outputs/\x1b[2J\xff\"'</script>\n$(id)", H5P_DEFAULT, H5P_DEFAULT);
}

/* ---- numbers ---- */

static void no_numbers(hid_t file) {
  fill(file, "/time", NAN);
  fill(file, "/outputs/tip", NAN);
  fill(file, "/energy/total", INFINITY);
}
static void huge_numbers(hid_t file) {
  fill(file, "/time", DBL_MAX);
  fill(file, "/outputs/tip", -DBL_MAX);
  fill(file, "/bodies/beam/coordinates", DBL_MAX);
}
static void backward_time(hid_t file) {
  fill(file, "/time", -1e300);
  fill(file, "/stage", 1e18);
}

/* ---- checkpoints ---- */

static void set_checkpoint(hid_t file, double value) {
  fill(file, "/checkpoint/1", value);
  fill(file, "/checkpoint/2", value);
}
static void checkpoint_zeros(hid_t file) {
  set_checkpoint(file, 0);
}
static void checkpoint_ones(hid_t file) {
  set_checkpoint(file, 1);
}
static void checkpoint_huge(hid_t file) {
  set_checkpoint(file, 1e18);
}
static void checkpoint_negative(hid_t file) {
  set_checkpoint(file, -5);
}
static void checkpoint_nan(hid_t file) {
  set_checkpoint(file, NAN);
}
static void set_rows(hid_t file, long rows) {
  for (int slot = 1; slot <= 2; ++slot) {
    char path[32];
    snprintf(path, sizeof path, "/checkpoint/%d", slot);
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) continue;
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    number_attribute(dataset, "rows", H5T_NATIVE_LONG, &rows);
    H5Dclose(dataset);
  }
}
static void checkpoint_rows_huge(hid_t file) {
  set_rows(file, (long)1 << 61);
}
static void checkpoint_rows_negative(hid_t file) {
  set_rows(file, -7);
}
static void checkpoint_short(hid_t file) {
  const hsize_t size = 3;
  for (int slot = 1; slot <= 2; ++slot) {
    char path[32];
    snprintf(path, sizeof path, "/checkpoint/%d", slot);
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) continue;
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    H5Dset_extent(dataset, &size);
    H5Dclose(dataset);
  }
}
static void checkpoint_long(hid_t file) {
  replace(file, "/checkpoint/1", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){(hsize_t)1 << 40}, small_chunk, 0);
  replace(file, "/checkpoint/2", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){10, 10}, small_chunk, 0);
}
static void tracks_of_another_kind(hid_t file) {
  replace(file, "/load", H5T_NATIVE_INT, 2, (hsize_t[]){10, 10}, NULL, 0);
  replace(file, "/statistics", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){10}, NULL, 0);
}
static void nothing_of_ours(hid_t file) {
  H5Adelete(file, "layout_version");
}

#define ROW(f) \
  { #f, f }
const crafted crafted_files[] = {
    ROW(rows_2_61),
    ROW(rows_2_61_everywhere),
    ROW(columns_2_62),
    ROW(coordinates_2_60),
    ROW(no_columns),
    ROW(chunk_of_gigabytes),
    ROW(billion_rows),
    ROW(rank_3),
    ROW(rank_32),
    ROW(huge_model),
    ROW(long_title),
    ROW(million_titles),
    ROW(evil_title),
    ROW(null_texts),
    ROW(text_for_number),
    ROW(number_for_text),
    ROW(more_columns),
    ROW(fewer_units),
    ROW(attribute_of_references),
    ROW(integer_time),
    ROW(quad_time),
    ROW(single_time),
    ROW(variable_time),
    ROW(compound_time),
    ROW(type_for_time),
    ROW(group_for_time),
    ROW(dataset_for_group),
    ROW(deflated),
    ROW(filtered),
    ROW(stored_elsewhere),
    ROW(virtual_time),
    ROW(to_itself),
    ROW(circle),
    ROW(many_names),
    ROW(soft_links),
    ROW(external_links),
    ROW(deep_groups),
    ROW(long_names),
    ROW(evil_names),
    ROW(no_numbers),
    ROW(huge_numbers),
    ROW(backward_time),
    ROW(checkpoint_zeros),
    ROW(checkpoint_ones),
    ROW(checkpoint_huge),
    ROW(checkpoint_negative),
    ROW(checkpoint_nan),
    ROW(checkpoint_rows_huge),
    ROW(checkpoint_rows_negative),
    ROW(checkpoint_short),
    ROW(checkpoint_long),
    ROW(tracks_of_another_kind),
    ROW(nothing_of_ours),
};
const int crafted_count = (int)(sizeof crafted_files / sizeof crafted_files[0]);
