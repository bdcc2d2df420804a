/* object.c - see object.h. Every length is compared with what is left before it is used. */
#include "result/object.h"

#include <string.h>

enum { longest_name = 512, most_values = 1 << 20 };

typedef struct reading {
  const unsigned char *at, *end;
  sn_arena *arena;
  uint64_t file_bytes;
  bool failed;
} reading;

static size_t left(const reading *r) {
  return (size_t)(r->end - r->at);
}

/* A number up to a limit. */
static uint64_t number(reading *r, uint64_t most) {
  uint64_t value = 0;
  if (r->failed || left(r) < sizeof value) return r->failed = true, 0;
  memcpy(&value, r->at, sizeof value);
  r->at += sizeof value;
  if (value > most) return r->failed = true, 0;
  return value;
}

static const char *text(reading *r, size_t most, bool plain) {
  const size_t length = (size_t)number(r, most);
  if (r->failed || length > left(r)) return r->failed = true, "";
  char *copy = sn_copy_text(r->arena, (const char *)r->at, length);
  r->at += length;
  if (plain) sn_make_plain(copy, true); /* it will be printed */
  return copy;
}

/* Of an object: goes into a path. */
static const char *name(reading *r, bool may_be_empty) {
  const char *n = text(r, longest_name, false);
  if ((!n[0] && !may_be_empty) || strchr(n, '/') || !strcmp(n, ".")) r->failed = true;
  return n;
}

static const void *values(reading *r, size_t count) {
  const size_t bytes = count * sizeof(double);
  if (r->failed || bytes > left(r)) return r->failed = true, NULL;
  void *copy = sn_alloc(r->arena, count, sizeof(double));
  memcpy(copy, r->at, bytes);
  r->at += bytes;
  return copy;
}

static void read_attribute(reading *r, sn_attribute *a) {
  a->kind = (sn_value_kind)number(r, SN_INTEGER_VALUE);
  a->single = number(r, 1) == 1;
  a->size = (size_t)number(r, UINT32_MAX);
  a->count = (size_t)number(r, most_values);
  a->name = text(r, longest_name, true);
  if (a->count < 1 || (a->single && a->count > 1)) r->failed = true;
  if (r->failed) return;
  if (a->kind == SN_REAL_VALUE) a->real = values(r, a->count);
  if (a->kind == SN_INTEGER_VALUE) a->integer = values(r, a->count);
  if (a->kind != SN_TEXT_VALUE) return;
  if (a->count > left(r) / sizeof(uint64_t)) {
    r->failed = true;
    return;
  }
  const char **all = SN_NEW(r->arena, const char *, a->count);
  for (size_t i = 0; i < a->count && !r->failed; ++i) all[i] = text(r, SIZE_MAX, true);
  a->text = all;
}

static void read_node(reading *r, sn_object *node, bool top) {
  node->kind = (sn_object_kind)number(r, SN_OBJECT_OTHER);
  node->name = name(r, top);
  node->links = (size_t)number(r, UINT64_MAX);
  if (node->links > INT32_MAX) node->links = INT32_MAX;
  node->rank = (int)number(r, 32);
  const uint64_t rows = number(r, UINT64_MAX), columns = number(r, UINT64_MAX);
  const bool fits = rows <= r->file_bytes && columns <= r->file_bytes && (!columns || rows <= r->file_bytes / columns);
  if (node->kind == SN_OBJECT_NUMBERS && (!fits || node->rank < 1 || node->rank > 2)) r->failed = true;
  if (node->kind == SN_OBJECT_TEXT && rows > r->file_bytes) r->failed = true;
  for (int i = 0; i < 2; ++i) node->chunk[i] = (size_t)number(r, 64 << 20);
  node->rows = (size_t)rows;
  node->columns = (size_t)columns;
  node->attributes = (size_t)number(r, left(r) / (5 * sizeof(uint64_t)));
  if (!r->failed) node->attribute = SN_NEW(r->arena, sn_attribute, node->attributes + 1);
  for (size_t i = 0; i < node->attributes && !r->failed; ++i) read_attribute(r, &node->attribute[i]);
}

const sn_object *sn_object_read(const unsigned char *bytes, size_t count, uint64_t file_bytes, sn_arena *arena) {
  reading r = {.at = bytes, .end = bytes + count, .arena = arena, .file_bytes = file_bytes};
  sn_object *node = SN_NEW(arena, sn_object, 1);
  read_node(&r, node, true);
  node->members = (size_t)number(&r, left(&r) / (9 * sizeof(uint64_t)));
  if (!r.failed) node->member = SN_NEW(arena, sn_object, node->members + 1);
  for (size_t i = 0; i < node->members && !r.failed; ++i) read_node(&r, &node->member[i], false);
  return r.failed || left(&r) ? NULL : node;
}

const sn_object *sn_object_member(const sn_object *node, const char *wanted, sn_object_kind kind) {
  for (size_t i = 0; node && i < node->members; ++i)
    if (node->member[i].kind == kind && !strcmp(node->member[i].name, wanted)) return &node->member[i];
  return NULL;
}

const sn_attribute *sn_object_attribute(const sn_object *node, const char *wanted, sn_value_kind kind) {
  for (size_t i = 0; node && i < node->attributes; ++i)
    if (node->attribute[i].kind == kind && !strcmp(node->attribute[i].name, wanted)) return &node->attribute[i];
  return NULL;
}

const char *sn_object_text(const sn_object *node, const char *wanted) {
  const sn_attribute *a = sn_object_attribute(node, wanted, SN_TEXT_VALUE);
  return a && a->count == 1 ? a->text[0] : "";
}

double sn_object_real(const sn_object *node, const char *wanted, double missing) {
  const sn_attribute *a = sn_object_attribute(node, wanted, SN_REAL_VALUE);
  return a && a->count == 1 ? a->real[0] : missing;
}

long sn_object_integer(const sn_object *node, const char *wanted, long missing) {
  const sn_attribute *a = sn_object_attribute(node, wanted, SN_INTEGER_VALUE);
  return a && a->count == 1 ? (long)a->integer[0] : missing;
}
