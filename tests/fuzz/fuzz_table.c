/* fuzz_table.c - libFuzzer target: a table of any texts and numbers is written as CSV and read back by the rules of RFC
 * 4180: the same texts, the same numbers bit by bit. The numbers are also a table of a model: whatever its points, its
 * spline is refused or can be evaluated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/expr.h"
#include "result/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { most = 64 };
typedef struct table {
  int rows;
  const char *text[most];
  double number[most];
} table;

/* Texts end with a zero; 8 bytes behind each are a number. */
static table take_apart(const uint8_t *data, size_t size, sn_arena *arena) {
  table t = {0};
  while (size > 9 && t.rows < most) {
    const size_t length = strnlen((const char *)data, size - 9);
    t.text[t.rows] = sn_copy_text(arena, (const char *)data, length);
    memcpy(&t.number[t.rows++], data + length + 1, sizeof(double));
    data += length + 9, size -= length + 9;
  }
  return t;
}

/* The next field; its end is where the next begins. */
static const char *field(const char *at, const char *end, char *to, char *stop) {
  const bool quoted = at < end && *at == '"';
  at += quoted;
  while (at < end && (quoted ? !(*at == '"' && (at + 1 == end || at[1] != '"')) : *at != ',' && *at != '\n')) {
    if (quoted && *at == '"') ++at;
    *to++ = *at++;
  }
  *to = 0;
  at += quoted;
  *stop = at < end ? *at : 0;
  return at + 1;
}

static void read_back(const table *t, const char *csv, size_t length) {
  char *one = malloc(length + 1), stop;
  const char *at = csv, *end = csv + length;
  at = field(at, end, one, &stop);
  if (strcmp(one, "text, of \"any\" kind") || stop != ',') abort();
  at = field(at, end, one, &stop);
  for (int i = 0; i < t->rows; ++i) {
    at = field(at, end, one, &stop);
    if (strcmp(one, t->text[i]) || stop != ',') abort();
    at = field(at, end, one, &stop);
    if (stop != '\n' || (isnan(t->number[i]) ? one[0] != 0 : strtod(one, NULL) != t->number[i])) abort();
  }
  if (at != end) abort();
  free(one);
}

static void fit(const table *t) {
  double m[most], x[most];
  for (int i = 0; i < t->rows; ++i) x[i] = i;
  if (t->rows < 2) return;
  sn_spline_fit(t->rows, x, t->number, m);
  const sn_table points = {.name = "f", .count = t->rows, .x = x, .y = t->number, .m = m};
  const sn_scope scope = {.tables = &points, .table_count = 1, .time_allowed = true};
  sn_arena arena = {0};
  sn_expr_error error = {0};
  const sn_expr *e = sn_expr_compile(&arena, "f(t)", 4, &scope, &error);
  if (!e) abort();
  for (double at = -1; at < t->rows + 1; at += 0.37) sn_expr_jet(e, at);
  sn_expr_taylor(e, 0.2, 1.7, 3);
  sn_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char path[64];
  sn_context *context = sn_context_create();
  sn_arena arena = {0};
  size_t length = 0;
  const table t = take_apart(data, size, &arena);
  sn_column column[] = {{.name = "text, of \"any\" kind", .text = t.text}, {.name = "number", .number = t.number}};
  const sn_columns columns = {t.rows, 2, column};
  snprintf(path, sizeof path, "/dev/shm/fuzz-table-%ld.csv", (long)getpid());
  if (sn_write_csv(context, path, &columns)) abort();
  char *csv = sn_read_file(path, SIZE_MAX, &length);
  if (!csv) abort();
  read_back(&t, csv, length);
  unlink(path);
  sn_free(csv);
  fit(&t);
  sn_arena_free(&arena);
  sn_context_free(context);
  return 0;
}
