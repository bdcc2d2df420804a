/* contents.c - see contents.h. */
#include "result/contents.h"

#include <errno.h>
#include <string.h>

#include "base/hash.h"
#include "result/object.h"

enum {
  most_bytes = 256 << 20,   /* of one description */
  most_values = 1 << 20,    /* of an attribute */
  largest_chunk = 64 << 20, /* bytes; ours have 256 KiB */
  largest_piece = 256 << 10,
};

/* ---- bytes ---- */

static void put(sn_bytes *out, const void *data, size_t size) {
  if (out->failed) return;
  if (size > most_bytes || out->count + size > most_bytes) {
    out->failed = true;
    return;
  }
  if (out->count + size > out->room) {
    const size_t room = 2 * (out->count + size) + 256;
    unsigned char *more = sn_try_resized(out->data, room, 1);
    if (!more) {
      out->failed = out->no_memory = true;
      return;
    }
    out->data = more;
    out->room = room;
  }
  if (size) memcpy(out->data + out->count, data, size);
  out->count += size;
}

static void put_number(sn_bytes *out, uint64_t value) {
  put(out, &value, sizeof value);
}

static void put_text(sn_bytes *out, const char *text, size_t length) {
  put_number(out, length);
  put(out, text, length);
}

/* ---- objects met ---- */

struct sn_met {
  struct {
    haddr_t address;
    uint64_t name; /* of its path */
  } * slot;
  size_t count, room; /* a power of two */
};

void sn_met_free(sn_met *met) {
  if (met) sn_free(met->slot);
  sn_free(met);
}

static bool grow(sn_met *met) {
  sn_met larger = {.room = met->room ? 2 * met->room : 256};
  larger.slot = sn_try_new(larger.room, sizeof *larger.slot);
  if (!larger.slot) return false;
  for (size_t i = 0; i < larger.room; ++i) larger.slot[i].address = HADDR_UNDEF;
  for (size_t i = 0; i < met->room; ++i) {
    if (met->slot[i].address == HADDR_UNDEF) continue;
    size_t at = (size_t)met->slot[i].address & (larger.room - 1);
    while (larger.slot[at].address != HADDR_UNDEF) at = (at + 1) & (larger.room - 1);
    larger.slot[at] = met->slot[i];
  }
  larger.count = met->count;
  sn_free(met->slot);
  *met = larger;
  return true;
}

/* Is this the first path by which the object is met? */
static bool is_first(sn_met **met, haddr_t address, uint64_t name, sn_bytes *out) {
  if (!*met) *met = sn_try_new(1, sizeof **met);
  sn_met *m = *met;
  if (!m || (2 * (m->count + 1) > m->room && !grow(m))) {
    out->failed = out->no_memory = true;
    return false;
  }
  size_t at = (size_t)address & (m->room - 1);
  while (m->slot[at].address != HADDR_UNDEF && m->slot[at].address != address) at = (at + 1) & (m->room - 1);
  if (m->slot[at].address == address) return m->slot[at].name == name;
  m->slot[at].address = address;
  m->slot[at].name = name;
  ++m->count;
  return true;
}

/* ---- attributes ---- */

static void put_texts(sn_bytes *out, hid_t attribute, hid_t type, hid_t space, size_t count) {
  const bool variable = H5Tis_variable_str(type) > 0;
  const size_t size = variable ? sizeof(char *) : H5Tget_size(type);
  const bool fits = size && size <= most_bytes / count;
  char *raw = fits ? sn_try_new(count, size) : NULL;
  if (fits && !raw) out->no_memory = true;
  if (!raw || H5Aread(attribute, type, raw) < 0) {
    sn_free(raw);
    out->failed = true;
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const char *text = variable ? ((const char *const *)(const void *)raw)[i] : raw + i * size;
    put_text(out, text, text ? (variable ? strlen(text) : strnlen(text, size)) : 0);
  }
  if (variable) H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw);
  sn_free(raw);
}

static void put_numbers(sn_bytes *out, hid_t attribute, bool integer, size_t count) {
  void *raw = sn_try_new(count, sizeof(double));
  if (!raw) out->no_memory = true;
  if (raw && H5Aread(attribute, integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, raw) >= 0)
    put(out, raw, count * sizeof(double));
  else
    out->failed = true;
  sn_free(raw);
}

typedef struct walk {
  sn_bytes *out;
  uint64_t count;
  const char *path; /* of the group whose members are listed */
  sn_met **met;
  hsize_t file_size;
} walk;

/* An attribute that is not of ours, or cannot be read, is left out. */
static herr_t each_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user) {
  walk *w = user;
  (void)info;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return 0;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const H5T_class_t class = H5Tget_class(type);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  const bool text = class == H5T_STRING, integer = class == H5T_INTEGER;
  if ((text || integer || class == H5T_FLOAT) && points > 0 && points <= most_values) {
    const size_t before = w->out->count;
    const bool variable = text && H5Tis_variable_str(type) > 0;
    put_number(w->out, text ? SN_TEXT_VALUE : integer ? SN_INTEGER_VALUE : SN_REAL_VALUE);
    put_number(w->out, H5Sget_simple_extent_type(space) == H5S_SCALAR);
    put_number(w->out, text && !variable ? H5Tget_size(type) : 0);
    put_number(w->out, (uint64_t)points);
    put_text(w->out, name, strlen(name));
    if (text)
      put_texts(w->out, attribute, type, space, (size_t)points);
    else
      put_numbers(w->out, attribute, integer, (size_t)points);
    if (w->out->failed && !w->out->no_memory && w->out->count < most_bytes / 2)
      w->out->failed = false, w->out->count = before;
    if (w->out->count > before) ++w->count;
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return w->out->failed;
}

/* ---- datasets ---- */

/* Is it stored in this file and as it is? Chunks of any size would have to be read whole. */
static bool is_plain(hid_t dataset, hsize_t chunk[2]) {
  const hid_t creation = H5Dget_create_plist(dataset);
  const H5D_layout_t layout = H5Pget_layout(creation);
  bool plain = H5Pget_external_count(creation) == 0 && H5Pget_nfilters(creation) == 0 &&
               (layout == H5D_CHUNKED || layout == H5D_CONTIGUOUS || layout == H5D_COMPACT);
  if (plain && layout == H5D_CHUNKED) {
    chunk[1] = 1;
    const int rank = H5Pget_chunk(creation, 2, chunk);
    plain = (rank == 1 || rank == 2) && chunk[0] > 0 && chunk[1] > 0 && chunk[0] < largest_chunk &&
            chunk[1] < largest_chunk && chunk[0] * chunk[1] <= largest_chunk / sizeof(double);
  }
  H5Pclose(creation);
  return plain;
}

typedef struct shape {
  sn_object_kind kind;
  int rank;
  hsize_t size[2]; /* rows and columns; of a text: bytes */
  hsize_t chunk[2];
} shape;

static shape shape_of(hid_t dataset, hsize_t file_size) {
  shape s = {.kind = SN_OBJECT_OTHER, .size = {0, 1}};
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const H5T_class_t class = H5Tget_class(type);
  const size_t bytes = H5Tget_size(type);
  s.rank = H5Sget_simple_extent_ndims(space);
  if (class == H5T_FLOAT && (bytes == sizeof(float) || bytes == sizeof(double)) && (s.rank == 1 || s.rank == 2)) {
    const bool known = H5Sget_simple_extent_dims(space, s.size, NULL) == s.rank;
    const hsize_t most = file_size / bytes;
    const bool fits = s.size[0] <= most && s.size[1] <= most && (!s.size[1] || s.size[0] <= most / s.size[1]);
    if (known && fits && is_plain(dataset, s.chunk)) s.kind = SN_OBJECT_NUMBERS;
  } else if (class == H5T_STRING && H5Tis_variable_str(type) == 0 && s.rank == 0 && bytes <= file_size &&
             H5Sget_simple_extent_npoints(space) == 1 && is_plain(dataset, s.chunk)) {
    s.kind = SN_OBJECT_TEXT;
    s.size[0] = bytes;
  }
  H5Tclose(type);
  H5Sclose(space);
  return s;
}

/* ---- one object, and the members of a group ---- */

static void put_object(hid_t object, const char *name, const walk *around, bool attributes) {
  sn_bytes *out = around->out;
  shape s = {.kind = SN_OBJECT_OTHER, .size = {0, 1}};
  const H5I_type_t type = H5Iget_type(object);
  H5G_info_t info = {0};
  if (type == H5I_GROUP && H5Gget_info(object, &info) >= 0) s.kind = SN_OBJECT_GROUP;
  if (type == H5I_DATASET) s = shape_of(object, around->file_size);
  put_number(out, s.kind);
  put_text(out, name, strlen(name));
  put_number(out, info.nlinks);
  put_number(out, (uint64_t)(s.rank > 0 ? s.rank : 0));
  put_number(out, s.size[0]);
  put_number(out, s.size[1]);
  put_number(out, s.kind == SN_OBJECT_NUMBERS ? s.chunk[0] : 0);
  put_number(out, s.kind == SN_OBJECT_NUMBERS ? s.chunk[1] : 0);
  walk w = {.out = out};
  const size_t at = out->count;
  hsize_t first = 0;
  put_number(out, 0);
  if (attributes && s.kind != SN_OBJECT_OTHER)
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &first, each_attribute, &w);
  if (!out->failed) memcpy(out->data + at, &w.count, sizeof w.count);
}

/* Attributes of groups are returned on request only. */
static herr_t each_member(hid_t group, const char *name, const H5L_info_t *link, void *user) {
  walk *w = user;
  H5O_info_t info;
  if (link->type != H5L_TYPE_HARD || strlen(w->path) + strlen(name) + 2 > sn_longest_path) return 0;
  if (H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return 0;
  uint64_t hash = sn_hash(sn_hash_begin, w->path, strlen(w->path));
  if (w->path[1]) hash = sn_hash(hash, "/", 1);
  if (!is_first(w->met, info.addr, sn_hash(hash, name, strlen(name)), w->out)) return w->out->failed;
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object < 0) return 0;
  put_object(object, name, w, H5Iget_type(object) == H5I_DATASET);
  ++w->count;
  H5Oclose(object);
  return w->out->failed;
}

/* In creation order where the file keeps it, which is the order of the model. */
static void put_members(hid_t group, walk *w) {
  const hid_t creation = H5Gget_create_plist(group);
  unsigned order = 0;
  H5Pget_link_creation_order(creation, &order);
  H5Pclose(creation);
  H5Literate(group, order & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME, H5_ITER_INC, NULL, each_member,
             w);
}

/* Open "/" or "/a/b/c" if every link on the way is a hard one. */
static hid_t open_own(hid_t file, const char *path) {
  char part[sn_longest_path];
  const size_t length = strlen(path);
  if (path[0] != '/' || length >= sizeof part) return H5I_INVALID_HID;
  for (size_t i = 1; i <= length && length > 1; ++i) {
    if (path[i] && path[i] != '/') continue;
    if (path[i - 1] == '/') return H5I_INVALID_HID;
    H5L_info_t link;
    memcpy(part, path, i);
    part[i] = 0;
    if (H5Lexists(file, part, H5P_DEFAULT) <= 0 || H5Lget_info(file, part, &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD)
      return H5I_INVALID_HID;
  }
  return H5Oopen(file, path, H5P_DEFAULT);
}

/* Numbers cannot be more than the file holds; of a file that is being written some are still in memory. */
static hsize_t size_of(hid_t file) {
  hsize_t size = 0;
  unsigned intent = 0;
  if (H5Fget_intent(file, &intent) < 0 || H5Fget_filesize(file, &size) < 0) return 0;
  return intent & H5F_ACC_RDWR ? (hsize_t)1 << 50 : size;
}

bool sn_contents_describe(const sn_h5 *h5, const char *path, bool members, sn_met **met, sn_bytes *out) {
  const hid_t object = open_own(h5->file, path);
  if (object < 0) return false;
  walk w = {.out = out, .path = path, .met = met, .file_size = size_of(h5->file)};
  H5O_info_t info;
  const bool first = H5Oget_info2(object, &info, H5O_INFO_BASIC) >= 0 &&
                     is_first(met, info.addr, sn_hash(sn_hash_begin, path, strlen(path)), out);
  if (first) {
    put_object(object, "", &w, true);
    const size_t at = out->count;
    put_number(out, 0);
    if (members && H5Iget_type(object) == H5I_GROUP) put_members(object, &w);
    if (!out->failed) memcpy(out->data + at, &w.count, sizeof w.count);
  }
  H5Oclose(object);
  return first;
}

/* ---- rows ---- */

/* All of a text; it is small, or the memory for it is refused. */
static bool give_text(sn_h5 *h5, hid_t dataset, const sn_wanted *wanted, size_t bytes, sn_taker take, void *user) {
  if (wanted->first > bytes || wanted->count > bytes - wanted->first || wanted->stride != 1) return false;
  char *raw = sn_try_new(bytes + 1, 1);
  if (!raw) h5->failed = true, h5->error = ENOMEM;
  const hid_t type = H5Dget_type(dataset);
  const bool ok = raw && sn_h5_ok(h5, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw)) &&
                  take(user, raw + wanted->first, (size_t)wanted->count);
  H5Tclose(type);
  sn_free(raw);
  return ok;
}

static bool give_rows(sn_h5 *h5, hid_t dataset, const sn_wanted *r, int rank, sn_taker take, void *user) {
  const size_t row = (size_t)r->columns * r->width;
  const hsize_t most = row < largest_piece ? largest_piece / row : 1;
  char *piece = sn_try_new((size_t)(r->count < most ? r->count : most), row);
  if (!piece) h5->failed = true, h5->error = ENOMEM;
  const hid_t file = H5Dget_space(dataset);
  bool ok = piece != NULL;
  for (hsize_t done = 0, count; ok && done < r->count; done += count) {
    count = r->count - done < most ? r->count - done : most;
    const hsize_t from[2] = {r->first + done * r->stride, r->column}, step[2] = {r->stride, 1}, number[2] = {count, 1};
    const hsize_t block[2] = {1, r->columns}, whole[2] = {count, r->columns};
    const hid_t memory = H5Screate_simple(rank, whole, NULL);
    ok = sn_h5_ok(h5, H5Sselect_hyperslab(file, H5S_SELECT_SET, from, step, number, block)) &&
         sn_h5_ok(h5, H5Dread(dataset, r->width == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, memory, file,
                              H5P_DEFAULT, piece)) &&
         take(user, piece, (size_t)count * row);
    H5Sclose(memory);
  }
  H5Sclose(file);
  sn_free(piece);
  return ok;
}

static bool are_there(const shape *s, const sn_wanted *r) {
  return s->kind == SN_OBJECT_NUMBERS && (r->width == sizeof(float) || r->width == sizeof(double)) && r->stride > 0 &&
         r->count > 0 && r->first < s->size[0] && r->count - 1 <= (s->size[0] - 1 - r->first) / r->stride &&
         r->columns > 0 && r->column < s->size[1] && r->columns <= s->size[1] - r->column;
}

bool sn_contents_rows(sn_h5 *h5, const sn_wanted *wanted, sn_taker take, void *user) {
  const hid_t object = open_own(h5->file, wanted->path);
  if (object < 0) return false;
  bool ok = false;
  if (H5Iget_type(object) == H5I_DATASET) {
    const shape s = shape_of(object, size_of(h5->file));
    if (s.kind == SN_OBJECT_TEXT && wanted->width == 1)
      ok = give_text(h5, object, wanted, (size_t)s.size[0], take, user);
    else if (are_there(&s, wanted))
      ok = give_rows(h5, object, wanted, s.rank, take, user);
  }
  H5Oclose(object);
  return ok;
}
