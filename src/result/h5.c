/* h5.c - the little of HDF5 that result files use. */
#include "result/h5.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* HDF5 keeps one state for the whole process and is not built for several threads: a run that is watched while it is
 * written enters it from two. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void leave(void *argument) {
  const sn_h5 *h5 = argument;
  H5Eset_auto2(H5E_DEFAULT, h5->print, h5->print_data);
  pthread_mutex_unlock(&one_at_a_time);
}

void sn_h5_begin(sn_h5 *h5) {
  pthread_mutex_lock(&one_at_a_time);
  H5Eget_auto2(H5E_DEFAULT, &h5->print, &h5->print_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  sn_undo_begin(&h5->undo, leave, h5);
}

void sn_h5_end(sn_h5 *h5) {
  sn_undo_end(&h5->undo);
  leave(h5);
}

void sn_h5_drop_file(void *h5) {
  H5Fclose(((sn_h5 *)h5)->file);
}

/* HDF5 puts the errno of a failed system call into its error stack as "..., errno = 28, ..."; by the time the call
 * returns, errno itself may have changed. The walk goes from the innermost failure outwards. */
static herr_t look_for_errno(unsigned depth, const H5E_error2_t *error, void *user) {
  sn_h5 *h5 = user;
  if (!error->desc) return 0;
  if (depth == 0) snprintf(h5->detail, sizeof h5->detail, "%s", error->desc);
  const char *at = strstr(error->desc, "errno = ");
  if (at && !h5->error) h5->error = (int)strtol(at + strlen("errno = "), NULL, 10);
  return 0;
}

bool sn_h5_ok(sn_h5 *h5, hid_t result) {
  if (result >= 0) return true;
  if (!h5->failed) {
    h5->failed = true;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_for_errno, h5);
  }
  return false;
}

const char *sn_h5_reason(const sn_h5 *h5) {
  if (h5->error) return strerror(h5->error);
  return h5->detail[0] ? h5->detail : "HDF5 failed";
}

/* ---- writing ---- */

hid_t sn_h5_group(sn_h5 *h5, hid_t parent, const char *name) {
  if (h5->failed) return H5I_INVALID_HID;
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0) {
    const hid_t there = H5Gopen2(parent, name, H5P_DEFAULT);
    sn_h5_ok(h5, there);
    return there;
  }
  const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED); /* the model's order */
  const hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
  sn_h5_ok(h5, group);
  H5Pclose(creation);
  return group;
}

void sn_h5_close(hid_t object) {
  if (object >= 0) H5Oclose(object);
}

/* Does an attribute hold as many values of the same sort? That of a file which is resumed may not. */
static bool is_alike(hid_t object, const char *name, hid_t type, hid_t space) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return false;
  const hid_t its_type = H5Aget_type(attribute), its_space = H5Aget_space(attribute);
  const bool alike = H5Tget_class(its_type) == H5Tget_class(type) &&
                     H5Sget_simple_extent_npoints(its_space) == H5Sget_simple_extent_npoints(space);
  H5Tclose(its_type);
  H5Sclose(its_space);
  H5Aclose(attribute);
  return alike;
}

/* Write an attribute; takes over `type` and `space` where they are ids of our own. */
static void write_attribute(sn_h5 *h5, hid_t object, const char *name, hid_t type, hid_t space, const void *value) {
  if (h5->failed) return;
  bool exists = H5Aexists(object, name) > 0;
  if (exists && !is_alike(object, name, type, space)) {
    H5Adelete(object, name);
    exists = false;
  }
  const hid_t attribute =
      exists ? H5Aopen(object, name, H5P_DEFAULT) : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (!sn_h5_ok(h5, attribute)) return;
  sn_h5_ok(h5, H5Awrite(attribute, type, value));
  H5Aclose(attribute);
}

/* Text of `size` bytes, or of any length (size H5T_VARIABLE). */
static hid_t text_type(size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

void sn_h5_text(sn_h5 *h5, hid_t object, const char *name, const char *text) {
  if (h5->failed) return;
  if (!text) text = "";
  const hid_t type = text_type(H5T_VARIABLE), space = H5Screate(H5S_SCALAR);
  write_attribute(h5, object, name, type, space, &text);
  H5Sclose(space);
  H5Tclose(type);
}

void sn_h5_texts(sn_h5 *h5, hid_t object, const char *name, const char *const *texts, int count) {
  if (h5->failed) return;
  const char **all = sn_new((size_t)count, sizeof *all);
  for (int i = 0; i < count; ++i) all[i] = texts[i] ? texts[i] : "";
  const hsize_t size = (hsize_t)count;
  const hid_t type = text_type(H5T_VARIABLE), space = H5Screate_simple(1, &size, NULL);
  write_attribute(h5, object, name, type, space, all);
  H5Sclose(space);
  H5Tclose(type);
  sn_free(all);
}

void sn_h5_text_field(sn_h5 *h5, hid_t object, const char *name, const char *text, size_t size) {
  if (h5->failed) return;
  char *padded = sn_new(size, 1);
  snprintf(padded, size, "%s", text ? text : "");
  const hid_t type = text_type(size), space = H5Screate(H5S_SCALAR);
  write_attribute(h5, object, name, type, space, padded);
  H5Sclose(space);
  H5Tclose(type);
  sn_free(padded);
}

void sn_h5_real(sn_h5 *h5, hid_t object, const char *name, double value) {
  if (h5->failed) return;
  const hid_t space = H5Screate(H5S_SCALAR);
  write_attribute(h5, object, name, H5T_NATIVE_DOUBLE, space, &value);
  H5Sclose(space);
}

void sn_h5_reals(sn_h5 *h5, hid_t object, const char *name, const double *values, int count) {
  if (h5->failed) return;
  const hsize_t size = (hsize_t)count;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  write_attribute(h5, object, name, H5T_NATIVE_DOUBLE, space, values);
  H5Sclose(space);
}

void sn_h5_integer(sn_h5 *h5, hid_t object, const char *name, long value) {
  if (h5->failed) return;
  const hid_t space = H5Screate(H5S_SCALAR);
  write_attribute(h5, object, name, H5T_NATIVE_LONG, space, &value);
  H5Sclose(space);
}

void sn_h5_text_dataset(sn_h5 *h5, const char *name, const char *text, size_t length) {
  if (h5->failed) return;
  const char *source = length ? text : "";
  const hid_t type = text_type(length ? length : 1), space = H5Screate(H5S_SCALAR);
  H5Tset_strpad(type, H5T_STR_NULLPAD); /* all `length` bytes are text */
  const hid_t dataset = H5Dcreate2(h5->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (sn_h5_ok(h5, dataset)) {
    sn_h5_ok(h5, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, source));
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Tclose(type);
}

void sn_h5_table(sn_h5 *h5, hid_t parent, const char *name, const double *values, size_t rows, size_t columns,
                 size_t stride) {
  if (h5->failed || H5Lexists(parent, name, H5P_DEFAULT) > 0) return; /* of a run resumed: it is the same */
  const int rank = columns ? 2 : 1;
  const hsize_t size[2] = {rows, columns}, whole[2] = {rows, columns ? stride : 1}, from[2] = {0, 0};
  const hid_t space = H5Screate_simple(rank, size, NULL), memory = H5Screate_simple(rank, whole, NULL);
  H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, size, NULL);
  const hid_t dataset = H5Dcreate2(parent, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (sn_h5_ok(h5, dataset)) {
    sn_h5_ok(h5, H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values));
    H5Dclose(dataset);
  }
  H5Sclose(memory);
  H5Sclose(space);
}

/* ---- reading ---- */

/* Open an attribute if it has the class wanted; *count: its number of values. */
static hid_t open_attribute(hid_t object, const char *name, H5T_class_t wanted, hssize_t *count) {
  if (H5Aexists(object, name) <= 0) return H5I_INVALID_HID;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return attribute;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const H5T_class_t class = H5Tget_class(type);
  *count = H5Sget_simple_extent_npoints(space);
  H5Tclose(type);
  H5Sclose(space);
  if (class == wanted) return attribute;
  H5Aclose(attribute);
  return H5I_INVALID_HID;
}

long sn_h5_get_integer(hid_t object, const char *name, long missing) {
  hssize_t count = 0;
  long value = missing;
  const hid_t attribute = open_attribute(object, name, H5T_INTEGER, &count);
  if (attribute < 0) return missing;
  if (count != 1 || H5Aread(attribute, H5T_NATIVE_LONG, &value) < 0) value = missing;
  H5Aclose(attribute);
  return value;
}
