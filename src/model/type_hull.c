/* type_hull.c - type of fields: the convex hull of points, written as a list or read from a file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/field_type.h"
#include "model/hull.h"
#include "model/tree.h"

enum { LARGEST = 64 << 20, MOST = 1 << 20 };

typedef struct points {
  int count, capacity;
  double (*x)[3];
} points;

static void add(points *p, const double x[3]) {
  if (p->count == p->capacity) {
    p->capacity = 2 * p->capacity + 64;
    p->x = sn_resized(p->x, (size_t)p->capacity, sizeof *p->x);
  }
  memcpy(p->x[p->count++], x, sizeof(double[3]));
}

/* ---- files ---- */

static bool ends_with(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a > b && strcmp(text + a - b, end) == 0;
}

/* Three numbers of a line, with commas, semicolons or blanks between them. */
static bool three_numbers(const char *text, double x[3]) {
  for (int k = 0; k < 3; k++) {
    char *rest;
    text += strspn(text, " \t,;");
    x[k] = strtod(text, &rest);
    if (rest == text || !isfinite(x[k])) return false;
    text = rest;
  }
  return true;
}

/* Lines `word x y z`, others are skipped; without a word all but the first (names) and comments must be numbers. Returns
 * the number of a line that is wrong, 0: none. */
static int read_lines(char *text, const char *word, points *p) {
  int number = 0;
  char *next;
  for (char *line = text; line; line = next) {
    double x[3];
    size_t length = word ? strlen(word) : 0;
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    number++;
    line += strspn(line, " \t\r");
    if (!*line || *line == '#') continue;
    if (word && (strncmp(line, word, length) != 0 || !strchr(" \t", line[length]))) continue;
    if (three_numbers(line + length, x))
      add(p, x);
    else if (word || number > 1)
      return number;
  }
  return 0;
}

/* 80 bytes, the number of triangles, 50 bytes for each: normal and three corners in single precision. */
static bool read_binary_stl(const char *text, size_t length, points *p) {
  uint32_t count;
  if (length < 84) return false;
  memcpy(&count, text + 80, sizeof count);
  if ((length - 84) / 50 != count || (length - 84) % 50) return false;
  for (uint32_t i = 0; i < count; i++)
    for (int c = 0; c < 3; c++) {
      float f[3];
      double x[3];
      memcpy(f, text + 84 + 50 * (size_t)i + 12 + 12 * (size_t)c, sizeof f);
      for (int k = 0; k < 3; k++) x[k] = (double)f[k];
      add(p, x);
    }
  return true;
}

static bool read_text(sn_place p, const sn_node *node, const char *path, char *text, size_t length, points *list) {
  bool stl = ends_with(path, ".stl") || ends_with(path, ".STL"),
       obj = ends_with(path, ".obj") || ends_with(path, ".OBJ");
  if (stl && read_binary_stl(text, length, list)) return true;
  int wrong = read_lines(text, obj ? "v" : stl ? "vertex" : NULL, list);
  if (wrong)
    sn_node_error(p.reader, node, "three numbers", "%s, line %d is not a point", path, wrong);
  else if (list->count > MOST)
    sn_node_error(p.reader, node, NULL, "%s has more than %d points", path, (int)MOST);
  return !wrong && list->count <= MOST;
}

/* Paths are relative to the folder of the model. */
static bool read_point_file(sn_place p, const sn_node *node, points *list) {
  const char *model = p.reader->document->path, *slash = strrchr(model, '/'), *path = node->text;
  if (path[0] != '/' && slash) path = sn_format(p.reader->arena, "%.*s/%s", (int)(slash - model), model, path);
  size_t length = 0;
  char *bytes = strcmp(node->text, "-") == 0 ? NULL : sn_read_file(path, LARGEST, &length);
  if (!bytes) {
    sn_node_error(p.reader, node, "a list of points, or a CSV, OBJ or STL file, relative to the folder of the model",
                  "cannot read %s: %s", path, strcmp(node->text, "-") == 0 ? "it is not a file" : strerror(errno));
    return false;
  }
  char *text = sn_new(length + 1, 1); /* with an end */
  memcpy(text, bytes, length);
  text[length] = 0;
  bool good = read_text(p, node, path, text, length, list);
  sn_free(text);
  sn_free(bytes);
  return good;
}

/* ---- the field ---- */

static bool read_list(sn_place p, const sn_node *node, points *list) {
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++) {
    double x[3] = {0, 0, 0};
    good &= sn_type_vector.read(p, node->item[i], x);
    add(list, x);
  }
  return good;
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  for (int k = 0; k < 3; k++)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}

/* Corners of triangles come several times. */
static void drop_equal(points *p) {
  int kept = 0;
  if (p->count) qsort(p->x, (size_t)p->count, sizeof *p->x, compare);
  for (int i = 0; i < p->count; i++)
    if (kept == 0 || compare(p->x[i], p->x[kept - 1]) != 0) memmove(p->x[kept++], p->x[i], sizeof *p->x);
  p->count = kept;
}

static bool read_hull(sn_place p, const sn_node *node, void *at) {
  points list = {0};
  bool file = node->type == SN_SCALAR;
  if (!file && node->type != SN_SEQUENCE) return sn_fail_type(p, node, "a list of points, or a file of points");
  bool good = file ? read_point_file(p, node, &list) : read_list(p, node, &list);
  drop_equal(&list);
  const sn_hull *hull = NULL;
  if (good && list.count > SN_HULL_POINTS) {
    sn_node_error(p.reader, node, sn_format(p.reader->arena, "at most %d", (int)SN_HULL_POINTS), "'%s' has %d points",
                  p.field->name, list.count);
    good = false;
  }
  if (good) hull = sn_hull_of(p.reader->arena, list.count, (const double(*)[3])list.x);
  if (good && !hull)
    sn_node_error(p.reader, node, "four or more points that do not lie in one plane",
                  "the %d points of '%s' have no volume", list.count, p.field->name);
  sn_free(list.x);
  *(const sn_hull **)at = hull;
  return hull != NULL;
}

const sn_type_ops sn_type_hull = {
    .size = sizeof(const sn_hull *),
    .words = "list of points, or a file",
    .example = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
    .schema =
        "\"anyOf\": [{\"type\": \"array\", \"items\": " SN_SCHEMA_VECTOR ", \"minItems\": 4}, {\"type\": \"string\"}]",
    .read = read_hull,
};
