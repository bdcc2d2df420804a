/* csv.c - see csv.h. */
#include "model/csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader.h"
#include "model/tree.h"

enum { LARGEST = 64 << 20, MOST_COLUMNS = 4096 };

typedef struct scanner {
  sn_reader *reader;
  const sn_node *node; /* that names the file */
  const char *path, *text, *end;
  char separator;
  int line;
} scanner;

static void fail(const scanner *s, int field, const char *expected, const char *what, const char *text, size_t length) {
  if (length > 40) length = 40;
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > 126) length = i;
  sn_node_error(s->reader, s->node, expected, "%s, line %d, field %d: '%.*s' %s", s->path, s->line, field, (int)length,
                text, what);
}

/* ---- lines and fields ---- */

static const char *line_end(const scanner *s, const char *at) {
  while (at < s->end && *at != '\n' && *at != '\r') at++;
  return at;
}

/* Go to the next line with something in it. */
static bool next_line(scanner *s, const char **begin, const char **end) {
  while (s->text < s->end) {
    const char *from = s->text, *to = line_end(s, from);
    s->text = to + (to < s->end);
    if (to + 1 < s->end && to[0] == '\r' && to[1] == '\n') s->text++;
    s->line++;
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    if (from == to || *from == '#') continue;
    *begin = from, *end = to;
    return true;
  }
  return false;
}

static char find_separator(const char *from, const char *to) {
  static const char separators[] = ",;\t";
  bool quoted = false;
  for (size_t k = 0; k < sizeof separators - 1; k++)
    for (const char *at = from; at < to; at++) {
      if (*at == '"') quoted = !quoted;
      if (*at == separators[k] && !quoted) return separators[k];
    }
  return ',';
}

/* The field at *from, without spaces and quotes; *from moves behind its separator, or to NULL at the end of the line. */
static const char *next_field(const scanner *s, const char **from, const char *to, size_t *length) {
  const char *begin = *from, *at = begin;
  bool quoted = false;
  for (; at < to && (quoted || *at != s->separator); at++)
    if (*at == '"') quoted = !quoted;
  const char *end = at;
  *from = at < to ? at + 1 : NULL;
  while (begin < end && *begin == ' ') begin++;
  while (end > begin && end[-1] == ' ') end--;
  if (end - begin >= 2 && *begin == '"' && end[-1] == '"') begin++, end--;
  *length = (size_t)(end - begin);
  return begin;
}

static int count_fields(const scanner *s, const char *from, const char *to) {
  int count = 0;
  size_t length;
  for (; from; count++) next_field(s, &from, to, &length);
  return count;
}

static bool read_number(const char *text, size_t length, double *value) {
  char copy[64], *rest;
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  if (copy[strspn(copy, "0123456789+-.eE")]) return false; /* neither hexadecimal numbers nor words */
  *value = strtod(copy, &rest);
  return !*rest && isfinite(*value);
}

static bool is_header(const scanner *s, const char *from, const char *to, bool grid) {
  double value;
  size_t length;
  if (grid) next_field(s, &from, to, &length);
  while (from) {
    const char *text = next_field(s, &from, to, &length);
    if (!read_number(text, length, &value)) return true;
  }
  return false;
}

/* ---- the file ---- */

static bool read_line(const scanner *s, int columns, const char *from, const char *to, double *value) {
  const int count = count_fields(s, from, to);
  if (count != columns) {
    sn_node_error(s->reader, s->node, "as many as in the first line", "%s, line %d has %d fields, not %d", s->path,
                  s->line, count, columns);
    return false;
  }
  for (int k = 0; k < columns; k++) {
    size_t length;
    const char *text = next_field(s, &from, to, &length);
    if (read_number(text, length, &value[k])) continue;
    fail(s, k + 1, "a number such as 0.5 or 1e-3", "is not a finite number", text, length);
    return false;
  }
  return true;
}

static void read_names(const scanner *s, const char *from, const char *to, sn_csv *csv) {
  const char **name = SN_NEW(s->reader->arena, const char *, csv->columns);
  for (int k = 0; k < csv->columns; k++) {
    size_t length;
    const char *text = next_field(s, &from, to, &length);
    name[k] = sn_copy_text(s->reader->arena, text, length);
  }
  csv->name = name;
}

static int count_lines(scanner s) {
  const char *from, *to;
  int lines = 0;
  while (next_line(&s, &from, &to)) lines++;
  return lines;
}

/* The first line of numbers; in the corner of a grid anything may stand, or nothing. */
static bool read_first(const scanner *s, bool grid, const sn_csv *csv, const char *from, const char *to,
                       double *value) {
  size_t length;
  if (!grid) return read_line(s, csv->columns, from, to, value);
  next_field(s, &from, to, &length);
  return !from || read_line(s, csv->columns - 1, from, to, value + 1);
}

static bool read_all(scanner *s, bool grid, sn_csv *csv) {
  const char *from, *to;
  const scanner start = *s;
  if (!next_line(s, &from, &to)) {
    sn_node_error(s->reader, s->node, NULL, "%s contains no numbers", s->path);
    return false;
  }
  s->separator = find_separator(from, to);
  csv->columns = count_fields(s, from, to);
  if (csv->columns > MOST_COLUMNS) {
    sn_node_error(s->reader, s->node, NULL, "%s has more than %d columns", s->path, (int)MOST_COLUMNS);
    return false;
  }
  const bool header = is_header(s, from, to, grid);
  if (header) read_names(s, from, to, csv);
  csv->rows = count_lines(start) - header;
  double *value = SN_NEW(s->reader->arena, double, (size_t)csv->rows *(size_t)csv->columns + 1);
  csv->value = value;
  if (!header) {
    if (!read_first(s, grid, csv, from, to, value)) return false;
    value += csv->columns;
  }
  while (next_line(s, &from, &to)) {
    if (!read_line(s, csv->columns, from, to, value)) return false;
    value += csv->columns;
  }
  return true;
}

/* Paths are relative to the folder of the model. */
static const char *place(sn_reader *reader, const char *file) {
  const char *model = reader->document->path, *slash = strrchr(model, '/');
  if (file[0] == '/' || !slash) return file;
  return sn_format(reader->arena, "%.*s/%s", (int)(slash - model), model, file);
}

static bool open_file(sn_reader *reader, const sn_node *node, const char *file, scanner *s, char **text) {
  const char *path = place(reader, file);
  size_t length = 0;
  *text = strcmp(file, "-") == 0 ? NULL : sn_read_file(path, LARGEST, &length);
  if (!*text) {
    sn_node_error(reader, node, "a CSV file, relative to the folder of the model", "cannot read %s: %s", path,
                  strcmp(file, "-") == 0 ? "it is not a file" : strerror(errno));
    return false;
  }
  *s = (scanner){.reader = reader, .node = node, .path = path, .text = *text, .end = *text + length};
  if (length >= 3 && memcmp(*text, "\xEF\xBB\xBF", 3) == 0) s->text += 3;
  return true;
}

bool sn_read_csv(sn_reader *reader, const sn_spec *spec, bool grid, sn_csv *csv) {
  const char *file = *(const char *const *)sn_field_value(spec, "file");
  char *text;
  scanner s;
  if (!open_file(reader, sn_value_of(spec->node, "file", NULL), file, &s, &text)) return false;
  *csv = (sn_csv){.path = s.path};
  const bool good = read_all(&s, grid, csv);
  sn_free(text);
  return good;
}

/* ---- matrices ---- */

/* A line of numbers, perhaps behind a name. */
static bool read_row(const scanner *s, bool named, int columns, const char *from, const char *to, double *value) {
  size_t length;
  if (named) next_field(s, &from, to, &length);
  if (from) return read_line(s, columns, from, to, value);
  fail(s, 1, "numbers behind the name of a row", "is a row without numbers", "", 0);
  return false;
}

static bool read_rows(scanner *s, sn_matrix_rows *M) {
  const scanner start = *s;
  const char *from, *to, *first;
  double *value, number;
  size_t length;
  if (!next_line(s, &from, &to)) {
    sn_node_error(s->reader, s->node, NULL, "%s contains no numbers", s->path);
    return false;
  }
  s->separator = find_separator(from, to);
  const bool header = is_header(s, from, to, true);
  if (header && !next_line(s, &from, &to)) {
    sn_node_error(s->reader, s->node, NULL, "%s contains no numbers", s->path);
    return false;
  }
  const char *rest = from;
  first = next_field(s, &rest, to, &length);
  const bool named = !read_number(first, length, &number);
  M->columns = count_fields(s, from, to) - named;
  M->rows = count_lines(start) - header;
  M->value = value = SN_NEW(s->reader->arena, double, (size_t)M->rows *(size_t)M->columns + 1);
  do {
    if (!read_row(s, named, M->columns, from, to, value)) return false;
    value += M->columns;
  } while (next_line(s, &from, &to));
  return true;
}

bool sn_read_csv_matrix(sn_reader *reader, const sn_node *node, sn_matrix_rows *matrix) {
  char *text;
  scanner s;
  if (!open_file(reader, node, node->text, &s, &text)) return false;
  const bool good = read_rows(&s, matrix);
  sn_free(text);
  return good;
}

static const double *copy_column(sn_reader *reader, const sn_csv *csv, int k) {
  double *value = SN_NEW(reader->arena, double, csv->rows + 1);
  for (int i = 0; i < csv->rows; i++) value[i] = csv->value[(size_t)i * (size_t)csv->columns + (size_t)k];
  return value;
}

const double *sn_csv_column(sn_reader *reader, const sn_spec *spec, const char *key, int standard, const sn_csv *csv) {
  const char *word = *(const char *const *)sn_field_value(spec, key);
  if (!sn_given(spec, key)) {
    if (standard <= csv->columns) return copy_column(reader, csv, standard - 1);
    sn_field_error(reader, spec, "file", sn_format(reader->arena, "at least %d", standard), "%s has %d column%s",
                   csv->path, csv->columns, csv->columns == 1 ? "" : "s");
    return NULL;
  }
  for (int k = 0; csv->name && k < csv->columns; k++)
    if (strcmp(csv->name[k], word) == 0) return copy_column(reader, csv, k);
  char *rest;
  const long number = strtol(word, &rest, 10);
  if (*word && !*rest && number >= 1 && number <= csv->columns) return copy_column(reader, csv, (int)number - 1);
  sn_field_error(reader, spec, key,
                 csv->name
                     ? sn_suggest(reader->arena, word, csv->name, csv->columns)
                     : sn_format(reader->arena, "a number from 1 to %d: the file has no line of names", csv->columns),
                 "%s has no column '%s'", csv->path, word);
  return NULL;
}
