/* index.c - a result file as a tree in JSON, and rows of its datasets.
 *
 * A result may come from anywhere, and HDF5 files can point to other files: links and datasets that do are not
 * followed.
 */
#include "view/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/h5.h"

enum { deepest = 8, most_values = 1 << 16, longest_text = 16 << 20 };

/* ---- values ---- */

static void add_texts(sn_text *json, hid_t type, hid_t space, const char *raw, size_t count, bool single) {
  const bool variable = H5Tis_variable_str(type) > 0;
  const size_t size = variable ? sizeof(char *) : H5Tget_size(type);
  if (!single) sn_text_bytes(json, "[", 1);
  for (size_t i = 0; i < count; ++i) {
    const char *text = variable ? ((const char *const *)(const void *)raw)[i] : raw + i * size;
    if (i) sn_text_bytes(json, ",", 1);
    sn_json_text(json, text ? text : "", text ? (variable ? strlen(text) : strnlen(text, size)) : 0);
  }
  if (!single) sn_text_bytes(json, "]", 1);
  if (variable) H5Dvlen_reclaim(type, space, H5P_DEFAULT, (void *)(uintptr_t)raw);
}

static void add_numbers(sn_text *json, const double *value, size_t count, bool single) {
  if (!single) sn_text_bytes(json, "[", 1);
  for (size_t i = 0; i < count; ++i) {
    if (i) sn_text_bytes(json, ",", 1);
    sn_json_number(json, value[i]);
  }
  if (!single) sn_text_bytes(json, "]", 1);
}

static void add_attribute(sn_text *json, hid_t attribute) {
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  const bool single = H5Sget_simple_extent_type(space) == H5S_SCALAR, text = H5Tget_class(type) == H5T_STRING;
  const size_t count = points > 0 && points < most_values ? (size_t)points : 0, size = H5Tget_size(type);
  char *raw = size < longest_text ? calloc(count + 1, size > sizeof(double) ? size : sizeof(double)) : NULL;
  if (raw && count && H5Aread(attribute, text ? type : H5T_NATIVE_DOUBLE, raw) >= 0) {
    if (text) {
      add_texts(json, type, space, raw, count, single);
    } else {
      add_numbers(json, (const double *)(const void *)raw, count, single);
    }
  } else {
    sn_text_bytes(json, "null", 4);
  }
  free(raw);
  H5Sclose(space);
  H5Tclose(type);
}

typedef struct walk {
  sn_text *json;
  bool any;
  int depth;
  H5O_type_t wanted;
} walk;

static void add_name(walk *w, const char *name) {
  if (w->any) sn_text_bytes(w->json, ",", 1);
  w->any = true;
  sn_json_text(w->json, name, strlen(name));
  sn_text_bytes(w->json, ":", 1);
}

static herr_t each_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user) {
  (void)info;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return 0;
  const hid_t type = H5Aget_type(attribute);
  const H5T_class_t class = H5Tget_class(type);
  H5Tclose(type);
  if (class == H5T_STRING || class == H5T_FLOAT || class == H5T_INTEGER) {
    add_name(user, name);
    add_attribute(((walk *)user)->json, attribute);
  }
  H5Aclose(attribute);
  return 0;
}

static void add_attributes(sn_text *json, hid_t object) {
  walk w = {.json = json};
  hsize_t at = 0;
  sn_text_bytes(json, "\"attributes\":{", 14);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, each_attribute, &w);
  sn_text_bytes(json, "}", 1);
}

/* ---- datasets ---- */

/* Does all of it lie in this file? */
static bool is_own(hid_t dataset) {
  const hid_t creation = H5Dget_create_plist(dataset);
  const H5D_layout_t layout = H5Pget_layout(creation);
  const bool own = H5Pget_external_count(creation) == 0 && layout != H5D_VIRTUAL && layout >= 0;
  H5Pclose(creation);
  return own;
}

static bool shape_of(hid_t dataset, hsize_t size[2]) {
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  size[1] = 1;
  const bool fits = (rank == 1 || rank == 2) && H5Tget_class(type) == H5T_FLOAT &&
                    H5Sget_simple_extent_dims(space, size, NULL) == rank && is_own(dataset);
  H5Tclose(type);
  H5Sclose(space);
  return fits;
}

/* A scalar dataset of text, such as the model. */
static void add_text_dataset(sn_text *json, hid_t dataset) {
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const size_t size = H5Tget_size(type);
  char *raw = NULL;
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size < longest_text &&
      H5Sget_simple_extent_npoints(space) == 1 && is_own(dataset))
    raw = calloc(size + 1, 1);
  sn_text_bytes(json, "\"text\":", 7);
  if (raw && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0) {
    sn_json_text(json, raw, strnlen(raw, size));
  } else {
    sn_text_bytes(json, "null", 4);
  }
  free(raw);
  H5Tclose(type);
  H5Sclose(space);
}

static void add_dataset(sn_text *json, hid_t dataset) {
  hsize_t size[2];
  sn_text_bytes(json, "{", 1);
  if (shape_of(dataset, size)) {
    sn_text_add(json, "\"shape\":[%llu,%llu],", (unsigned long long)size[0], (unsigned long long)size[1]);
    add_attributes(json, dataset);
  } else {
    add_text_dataset(json, dataset);
  }
  sn_text_bytes(json, "}", 1);
}

/* ---- groups ---- */

static void add_group(sn_text *json, hid_t group, int depth);

static herr_t each_member(hid_t group, const char *name, const H5L_info_t *link, void *user) {
  walk *w = user;
  if (link->type != H5L_TYPE_HARD) return 0;
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object < 0) return 0;
  const H5I_type_t type = H5Iget_type(object);
  if (w->wanted == H5O_TYPE_GROUP && type == H5I_GROUP && w->depth < deepest) {
    add_name(w, name);
    add_group(w->json, object, w->depth + 1);
  } else if (w->wanted == H5O_TYPE_DATASET && type == H5I_DATASET) {
    add_name(w, name);
    add_dataset(w->json, object);
  }
  H5Oclose(object);
  return 0;
}

/* In creation order where the file keeps it, which is the order of the model. */
static void add_members(sn_text *json, hid_t group, int depth, H5O_type_t wanted) {
  walk w = {.json = json, .depth = depth, .wanted = wanted};
  const hid_t creation = H5Gget_create_plist(group);
  unsigned order = 0;
  H5Pget_link_creation_order(creation, &order);
  H5Pclose(creation);
  H5Literate(group, order & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME, H5_ITER_INC, NULL, each_member,
             &w);
}

static void add_group(sn_text *json, hid_t group, int depth) {
  sn_text_bytes(json, "{", 1);
  add_attributes(json, group);
  sn_text_add(json, ",\"groups\":{");
  add_members(json, group, depth, H5O_TYPE_GROUP);
  sn_text_add(json, "},\"datasets\":{");
  add_members(json, group, depth, H5O_TYPE_DATASET);
  sn_text_add(json, "}}");
}

void sn_view_index(sn_result *result, sn_text *json) {
  sn_h5 *h5 = sn_result_h5(result);
  sn_h5_begin(h5);
  const hid_t root = H5Gopen2(h5->file, "/", H5P_DEFAULT);
  if (root >= 0) {
    add_group(json, root, 0);
    H5Gclose(root);
  } else {
    sn_text_bytes(json, "null", 4);
  }
  sn_h5_end(h5);
}

/* ---- rows ---- */

/* Open "/a/b/c" if every link on the way is a hard one. */
static hid_t open_own(hid_t file, const char *path, hsize_t size[2]) {
  char part[1024];
  const size_t length = strlen(path);
  if (path[0] != '/' || length < 2 || length >= sizeof part) return H5I_INVALID_HID;
  for (size_t i = 1; i <= length; ++i) {
    if (path[i] && path[i] != '/') continue;
    if (path[i - 1] == '/') return H5I_INVALID_HID;
    H5L_info_t link;
    memcpy(part, path, i);
    part[i] = 0;
    if (H5Lexists(file, part, H5P_DEFAULT) <= 0 || H5Lget_info(file, part, &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD)
      return H5I_INVALID_HID;
  }
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset < 0 || shape_of(dataset, size)) return dataset;
  H5Dclose(dataset);
  return H5I_INVALID_HID;
}

bool sn_view_shape_of(sn_result *result, const char *path, sn_view_shape *shape) {
  sn_h5 *h5 = sn_result_h5(result);
  hsize_t size[2] = {0, 0};
  sn_h5_begin(h5);
  const hid_t dataset = open_own(h5->file, path, size);
  if (dataset >= 0) H5Dclose(dataset);
  sn_h5_end(h5);
  *shape = (sn_view_shape){(size_t)size[0], (size_t)size[1]};
  return dataset >= 0;
}

bool sn_view_rows(sn_result *result, const char *path, size_t first, size_t count, size_t stride, size_t width,
                  void *out) {
  sn_h5 *h5 = sn_result_h5(result);
  hsize_t size[2];
  bool ok = false;
  sn_h5_begin(h5);
  const hid_t dataset = open_own(h5->file, path, size);
  if (dataset >= 0) {
    const hid_t file = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(file);
    const hsize_t from[2] = {first, 0}, step[2] = {stride, 1}, number[2] = {count, 1}, block[2] = {1, size[1]};
    const hsize_t shape[2] = {count, size[1]};
    const hid_t memory = H5Screate_simple(rank, shape, NULL);
    ok = count > 0 && stride > 0 && first < size[0] && (count - 1) <= (size[0] - 1 - first) / stride &&
         H5Sselect_hyperslab(file, H5S_SELECT_SET, from, step, number, block) >= 0 &&
         H5Dread(dataset, width == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT,
                 out) >= 0;
    H5Sclose(memory);
    H5Sclose(file);
    H5Dclose(dataset);
  }
  sn_h5_end(h5);
  return ok;
}

/* ---- all datasets ---- */

typedef struct list {
  sn_arena arena;
  const char *base;
  struct entry {
    struct entry *next;
    const char *path;
    sn_view_shape shape;
  } * first, **end;
  int depth;
} list;

static herr_t each_dataset(hid_t group, const char *name, const H5L_info_t *link, void *user) {
  list *l = user;
  hsize_t size[2];
  if (link->type != H5L_TYPE_HARD) return 0;
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object < 0) return 0;
  const char *path = sn_format(&l->arena, "%s/%s", l->base, name), *base = l->base;
  if (H5Iget_type(object) == H5I_GROUP && l->depth < deepest) {
    l->base = path;
    ++l->depth;
    H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, each_dataset, l);
    --l->depth;
    l->base = base;
  } else if (H5Iget_type(object) == H5I_DATASET && shape_of(object, size)) {
    struct entry *e = SN_NEW(&l->arena, struct entry, 1);
    *e = (struct entry){.path = path, .shape = {(size_t)size[0], (size_t)size[1]}};
    *l->end = e;
    l->end = &e->next;
  }
  H5Oclose(object);
  return 0;
}

void sn_view_each(sn_result *result, void (*visit)(void *user, const char *path, sn_view_shape shape), void *user) {
  sn_h5 *h5 = sn_result_h5(result);
  list l = {.base = ""};
  l.end = &l.first;
  sn_h5_begin(h5);
  H5Literate(h5->file, H5_INDEX_NAME, H5_ITER_INC, NULL, each_dataset, &l);
  sn_h5_end(h5);
  for (const struct entry *e = l.first; e; e = e->next) visit(user, e->path, e->shape);
  sn_arena_free(&l.arena);
}

/* ---- the coordinates of all bodies ---- */

typedef struct gather {
  hid_t bodies;
  size_t first, count, stride, width; /* rows; bytes of a number */
  size_t columns, at;                 /* of all bodies; of those before */
  char *out;                          /* NULL: only count the columns */
  bool failed;
} gather;

static bool gather_rows(const gather *g, hid_t dataset, const hsize_t size[2]) {
  const hsize_t from[2] = {g->first, 0}, step[2] = {g->stride, 1}, number[2] = {g->count, 1}, block[2] = {1, size[1]};
  const hsize_t whole[2] = {g->count, g->columns}, to[2] = {0, g->at}, part[2] = {g->count, size[1]};
  if (g->first >= size[0] || (g->count - 1) > (size[0] - 1 - g->first) / g->stride) return false;
  const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(2, whole, NULL);
  const bool ok = H5Sselect_hyperslab(file, H5S_SELECT_SET, from, step, number, block) >= 0 &&
                  H5Sselect_hyperslab(memory, H5S_SELECT_SET, to, NULL, part, NULL) >= 0 &&
                  H5Dread(dataset, g->width == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, memory, file,
                          H5P_DEFAULT, g->out) >= 0;
  H5Sclose(memory);
  H5Sclose(file);
  return ok;
}

static herr_t each_body(hid_t bodies, const char *name, const H5L_info_t *link, void *user) {
  gather *g = user;
  char path[1024];
  hsize_t size[2];
  (void)link;
  if ((size_t)snprintf(path, sizeof path, "/bodies/%s/coordinates", name) >= sizeof path) return 0;
  const hid_t dataset = open_own(bodies, path, size);
  if (dataset < 0) return 0;
  if (g->out && !gather_rows(g, dataset, size)) g->failed = true;
  g->at += (size_t)size[1];
  H5Dclose(dataset);
  return 0;
}

static void each_of_all(sn_result *result, gather *g) {
  sn_h5 *h5 = sn_result_h5(result);
  sn_h5_begin(h5);
  H5L_info_t link;
  if (H5Lexists(h5->file, "/bodies", H5P_DEFAULT) > 0 && H5Lget_info(h5->file, "/bodies", &link, H5P_DEFAULT) >= 0 &&
      link.type == H5L_TYPE_HARD)
    H5Literate_by_name(h5->file, "/bodies", H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, each_body, g, H5P_DEFAULT);
  sn_h5_end(h5);
}

size_t sn_view_width(sn_result *result) {
  gather g = {0};
  each_of_all(result, &g);
  return g.at;
}

bool sn_view_coordinates(sn_result *result, size_t first, size_t count, size_t stride, size_t width, void *out) {
  gather g = {.first = first, .count = count, .stride = stride, .width = width, .out = out};
  g.columns = sn_view_width(result);
  if (!g.columns || !count || !stride) return false;
  each_of_all(result, &g);
  return !g.failed && g.at == g.columns;
}

size_t sn_view_state(sn_result *result, char status[16]) {
  sn_h5 *h5 = sn_result_h5(result);
  sn_arena arena = {0};
  hsize_t size[2] = {0, 0};
  sn_h5_begin(h5);
  snprintf(status, 16, "%s", sn_h5_get_text(h5->file, "status", &arena));
  const hid_t dataset = open_own(h5->file, "/time", size);
  if (dataset >= 0) H5Dclose(dataset);
  sn_h5_end(h5);
  sn_arena_free(&arena);
  return (size_t)size[0];
}
