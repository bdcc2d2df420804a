/* report.c - the viewer and results in one HTML file.
 *
 * Where the page has the comment <!--sinew-data-->, a script element with JSON stands in a report: the trees of the
 * results and, by path, their datasets as 4-byte floats in base64. All datasets over time keep the same rows: every
 * k-th, and the last. Lists (of contacts, modes, what bodies look like) are kept whole.
 */
#include "view/report.h"

#include <string.h>

#include "view/index.h"
#include "view/page.h"

enum { most_bytes = 24 << 20 }; /* of the numbers of one result */

typedef struct kept {
  size_t rows, stride, count; /* of the file; kept: 0, stride, ..., and the last */
} kept;

/* Add rows of a dataset (path), or of all coordinates (NULL), as "path":"base64". */
static bool add_rows(sn_result *result, const char *path, const char *name, size_t columns, kept keep, bool *any,
                     sn_text *json) {
  const size_t even = (keep.rows - 1) / keep.stride + 1, row = columns * sizeof(float);
  float *numbers = sn_new((even + 1) * row + 1, 1);
  bool ok = path ? sn_view_rows(result, path, 0, even, keep.stride, sizeof(float), numbers)
                 : sn_view_coordinates(result, 0, even, keep.stride, sizeof(float), numbers);
  float *last = numbers + even * columns;
  if (ok && keep.count > even)
    ok = path ? sn_view_rows(result, path, keep.rows - 1, 1, 1, sizeof(float), last)
              : sn_view_coordinates(result, keep.rows - 1, 1, 1, sizeof(float), last);
  if (ok) {
    sn_text_add(json, "%s\n", *any ? "," : "");
    sn_json_text(json, name, strlen(name));
    sn_text_add(json, ":\"");
    sn_text_base64(json, numbers, keep.count * row);
    sn_text_add(json, "\"");
    *any = true;
  }
  sn_free(numbers);
  return ok;
}

/* Every dataset of numbers below `path`, except the coordinates, which go together. */
typedef struct walk {
  sn_result *result;
  sn_text *json;
  kept keep;
  size_t bytes; /* of one row of all datasets over time */
  bool any, count_only, failed;
} walk;

static bool ends_in(const char *path, const char *name) {
  const size_t length = strlen(path), own = strlen(name);
  return length >= own && !strcmp(path + length - own, name);
}

/* A list may by chance have as many rows as there are times. */
static bool is_list(const char *path) {
  if (!strncmp(path, "/bodies/", 8)) return !ends_in(path, "/coordinates");
  if (!strncmp(path, "/contacts/", 10))
    return !ends_in(path, "/count") && !ends_in(path, "/first") && !ends_in(path, "/penetration");
  return !strncmp(path, "/modes/", 7);
}

static void visit(void *user, const char *path, sn_view_shape shape) {
  walk *w = user;
  const bool over_time = shape.rows == w->keep.rows && !is_list(path);
  if (!shape.rows || !shape.columns || !strncmp(path, "/checkpoint/", 12)) return;
  if (w->count_only) {
    if (over_time) w->bytes += sizeof(float) * shape.columns;
  } else if (!ends_in(path, "/coordinates")) {
    const kept all = {shape.rows, 1, shape.rows};
    w->failed |= !add_rows(w->result, path, path, shape.columns, over_time ? w->keep : all, &w->any, w->json);
  }
}

static bool add_result(sn_result *result, const char *name, size_t rows, sn_text *json) {
  char status[16];
  const char *slash = strrchr(name, '/');
  walk w = {.result = result, .json = json, .count_only = true};
  w.keep.rows = sn_view_state(result, status);
  sn_view_each(result, visit, &w);
  const size_t fit = w.bytes ? most_bytes / w.bytes : rows, most = fit < rows ? (fit < 2 ? 2 : fit) : rows;
  if (w.keep.rows) {
    w.keep.stride = w.keep.rows > most ? (w.keep.rows - 2) / (most - 1) + 1 : 1;
    const size_t even = (w.keep.rows - 1) / w.keep.stride;
    w.keep.count = even + 1 + (even * w.keep.stride != w.keep.rows - 1);
  }
  sn_text_add(json, "{\"name\":");
  sn_json_text(json, slash ? slash + 1 : name, strlen(slash ? slash + 1 : name));
  sn_text_add(json, ",\"tree\":");
  w.failed |= !sn_view_index(result, json);
  sn_text_add(json, ",\"data\":{");
  w.count_only = false;
  if (w.keep.rows) {
    const size_t width = sn_view_width(result);
    if (width) w.failed |= !add_rows(result, NULL, "coordinates", width, w.keep, &w.any, json);
    sn_view_each(result, visit, &w);
  }
  sn_text_add(json, "}}");
  return !w.failed && !sn_result_trouble(result); /* what it does not return would be missing */
}

sn_status sn_report_make(sn_context *context, sn_result *const *result, const char *const *name, int count, size_t rows,
                         sn_text *html) {
  static const char mark[] = "<!--sinew-data-->";
  if (!sn_viewer_size) return sn_set_message(context, SN_USAGE, SN_PAGE_MISSING);
  const char *page = (const char *)sn_viewer, *at = page, *end = page + sn_viewer_size;
  while (at < end && strncmp(at, mark, sizeof mark - 1)) ++at;
  sn_text_bytes(html, page, (size_t)(at - page));
  sn_text_add(html, "<script type=\"application/json\" id=\"sinew-data\">{\"results\":[");
  for (int i = 0; i < count; ++i) {
    if (i) sn_text_add(html, ",");
    if (add_result(result[i], name[i], rows, html)) continue;
    const char *why = sn_result_trouble(result[i]);
    sn_text text = {0};
    sn_text_add(&text, "cannot read %s completely%s%s", name[i], why ? ": " : "", why ? why : "");
    sn_set_message(context, SN_IO, text.data);
    sn_text_free(&text);
    return SN_IO;
  }
  sn_text_add(html, "]}</script>");
  if (at < end) sn_text_bytes(html, at + sizeof mark - 1, (size_t)(end - at) - (sizeof mark - 1));
  if (html->failed) sn_out_of_memory(html->capacity);
  return SN_OK;
}
