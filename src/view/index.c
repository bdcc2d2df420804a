/* index.c - a result file as a tree in JSON, and rows of its datasets.
 *
 * A result may come from anywhere: how much of it is shown, and how deep, has limits.
 */
#include "view/index.h"

#include <stdio.h>
#include <string.h>

enum { deepest = 8, most_groups = 1 << 20, longest_text = 16 << 20 };

/* ---- values ---- */

static void add_value(sn_text *json, const sn_attribute_info *a, size_t i) {
  if (a->kind == SN_TEXT_VALUE)
    sn_json_text(json, a->text[i], strlen(a->text[i]));
  else
    sn_json_number(json, a->kind == SN_REAL_VALUE ? a->real[i] : (double)a->integer[i]);
}

static void add_attributes(sn_text *json, const sn_object *node) {
  sn_attribute_info a;
  sn_text_bytes(json, "\"attributes\":{", 14);
  for (size_t k = 0; !sn_object_attribute_at(node, k, &a); ++k) {
    if (k) sn_text_bytes(json, ",", 1);
    sn_json_text(json, a.name, strlen(a.name));
    sn_text_bytes(json, a.single ? ":" : ":[", a.single ? 1 : 2);
    for (size_t i = 0; i < a.count; ++i) {
      if (i) sn_text_bytes(json, ",", 1);
      add_value(json, &a, i);
    }
    if (!a.single) sn_text_bytes(json, "]", 1);
  }
  sn_text_bytes(json, "}", 1);
}

/* ---- datasets ---- */

/* A text, such as the model. */
static void add_text_dataset(sn_text *json, sn_result *result, const sn_object_info *node, const char *path) {
  size_t length = 0;
  char *text = node->kind == SN_OBJECT_TEXT && node->rows < longest_text ? sn_result_text(result, path, &length) : NULL;
  sn_text_bytes(json, "\"text\":", 7);
  if (text)
    sn_json_text(json, text, strnlen(text, length));
  else
    sn_text_bytes(json, "null", 4);
  sn_release(text);
}

static void add_dataset(sn_text *json, sn_result *result, const sn_object *node, const char *path) {
  sn_object_info info;
  sn_object_about(node, &info);
  sn_text_bytes(json, "{", 1);
  if (info.kind == SN_OBJECT_NUMBERS) {
    sn_text_add(json, "\"shape\":[%zu,%zu],", info.rows, info.columns);
    add_attributes(json, node);
  } else {
    add_text_dataset(json, result, &info, path);
  }
  sn_text_bytes(json, "}", 1);
}

/* ---- groups ---- */

typedef struct walk {
  sn_result *result;
  sn_text *json;
  int groups; /* so far */
} walk;

static const char *path_of(sn_arena *arena, const char *path, const char *name) {
  return sn_format(arena, "%s/%s", path[1] ? path : "", name);
}

static void add_name(sn_text *json, bool *any, const char *name) {
  if (*any) sn_text_bytes(json, ",", 1);
  *any = true;
  sn_json_text(json, name, strlen(name));
  sn_text_bytes(json, ":", 1);
}

static void add_group(walk *w, const char *path, int depth) {
  sn_arena arena = {0};
  sn_object *group = sn_result_object(w->result, path, 1);
  sn_object_info info;
  const sn_object *node;
  sn_text *json = w->json;
  bool any = false;
  if (!group) {
    sn_text_add(json, "{\"attributes\":{},\"groups\":{},\"datasets\":{}}");
    return;
  }
  sn_text_bytes(json, "{", 1);
  add_attributes(json, group);
  sn_text_add(json, ",\"groups\":{");
  for (size_t i = 0; (node = sn_object_member_at(group, i)); ++i) {
    sn_object_about(node, &info);
    if (info.kind != SN_OBJECT_GROUP || depth >= deepest || ++w->groups > most_groups) continue;
    add_name(json, &any, info.name);
    add_group(w, path_of(&arena, path, info.name), depth + 1);
  }
  sn_text_add(json, "},\"datasets\":{");
  any = false;
  for (size_t i = 0; (node = sn_object_member_at(group, i)); ++i) {
    sn_object_about(node, &info);
    if (info.kind == SN_OBJECT_GROUP) continue;
    add_name(json, &any, info.name);
    add_dataset(json, w->result, node, path_of(&arena, path, info.name));
  }
  sn_text_add(json, "}}");
  sn_object_free(group);
  sn_arena_free(&arena);
}

bool sn_view_index(sn_result *result, sn_text *json) {
  walk w = {.result = result, .json = json};
  add_group(&w, "/", 0);
  return !sn_result_trouble(result);
}

/* ---- rows ---- */

static bool is_numbers(const sn_object *node, sn_view_shape *shape) {
  sn_object_info info = {0};
  if (node) sn_object_about(node, &info);
  const bool numbers = node && info.kind == SN_OBJECT_NUMBERS;
  if (numbers) *shape = (sn_view_shape){info.rows, info.columns};
  return numbers;
}

bool sn_view_shape_of(sn_result *result, const char *path, sn_view_shape *shape) {
  sn_object *node = sn_result_object(result, path, 0);
  const bool numbers = is_numbers(node, shape);
  sn_object_free(node);
  return numbers;
}

bool sn_view_rows(sn_result *result, const char *path, size_t first, size_t count, size_t stride, size_t width,
                  void *out) {
  return !sn_result_rows(result, path, first, count, stride, width, out);
}

/* ---- all datasets ---- */

typedef struct visiting {
  sn_result *result;
  void (*visit)(void *user, const char *path, sn_view_shape shape);
  void *user;
  int groups;
} visiting;

static void visit_group(visiting *v, const char *path, int depth) {
  sn_arena arena = {0};
  sn_object *group = sn_result_object(v->result, path, 1);
  const sn_object *node;
  sn_view_shape shape;
  for (size_t i = 0; group && (node = sn_object_member_at(group, i)); ++i) {
    sn_object_info info;
    sn_object_about(node, &info);
    const char *member = path_of(&arena, path, info.name);
    if (info.kind == SN_OBJECT_GROUP && depth < deepest && ++v->groups <= most_groups)
      visit_group(v, member, depth + 1);
    else if (is_numbers(node, &shape))
      v->visit(v->user, member, shape);
  }
  sn_object_free(group);
  sn_arena_free(&arena);
}

void sn_view_each(sn_result *result, void (*visit)(void *user, const char *path, sn_view_shape shape), void *user) {
  visiting v = {.result = result, .visit = visit, .user = user};
  visit_group(&v, "/", 0);
}

/* ---- the coordinates of all bodies ---- */

typedef struct bodies {
  sn_arena arena;
  size_t count, columns; /* columns of all bodies */
  const char **path;
  size_t *width;
} bodies;

static bodies find_bodies(sn_result *result) {
  bodies b = {0};
  sn_object *group = sn_result_object(result, "/bodies", 1);
  sn_object_info info;
  if (!group) return b;
  sn_object_about(group, &info);
  b.path = SN_NEW(&b.arena, const char *, info.members + 1);
  b.width = SN_NEW(&b.arena, size_t, info.members + 1);
  for (size_t i = 0, members = info.members; i < members; ++i) {
    sn_view_shape shape;
    sn_object_about(sn_object_member_at(group, i), &info);
    const char *path = sn_format(&b.arena, "/bodies/%s/coordinates", info.name);
    if (!sn_view_shape_of(result, path, &shape)) continue;
    b.path[b.count] = path;
    b.width[b.count++] = shape.columns;
    b.columns += shape.columns;
  }
  sn_object_free(group);
  return b;
}

size_t sn_view_width(sn_result *result) {
  bodies b = find_bodies(result);
  sn_arena_free(&b.arena);
  return b.columns;
}

bool sn_view_coordinates(sn_result *result, size_t first, size_t count, size_t stride, size_t width, void *out) {
  bodies b = find_bodies(result);
  bool ok = b.columns > 0 && count > 0 && stride > 0;
  char *piece = NULL, *to = out;
  size_t room = 0;
  for (size_t i = 0; i < b.count && ok; ++i) {
    const size_t row = b.width[i] * width;
    if (!row) continue;
    if (count * row > room) {
      room = count * row;
      sn_free(piece);
      piece = sn_new(room, 1);
    }
    ok = !sn_result_rows(result, b.path[i], first, count, stride, width, piece);
    for (size_t k = 0; k < count && ok; ++k) memcpy(to + k * b.columns * width, piece + k * row, row);
    to += row;
  }
  sn_free(piece);
  sn_arena_free(&b.arena);
  return ok;
}

size_t sn_view_state(sn_result *result, char status[16]) {
  sn_object *root = sn_result_object(result, "/", 1);
  const sn_object *node;
  sn_view_shape shape;
  size_t rows = 0;
  for (size_t i = 0; root && (node = sn_object_member_at(root, i)); ++i) {
    sn_object_info info;
    sn_object_about(node, &info);
    if (!strcmp(info.name, "time") && is_numbers(node, &shape)) rows = shape.rows;
  }
  snprintf(status, 16, "%.15s", root ? sn_object_text(root, "status") : "");
  sn_object_free(root);
  return rows;
}
