/* diagnostic.c - errors of the model, shown with the line they stand in:
 *
 *     pendulum.yaml:7:23: error: unknown key 'elments' in cable 'beam'
 *        7 |   beam: {type: cable, elments: 10}
 *          |                       ^~~~~~~
 *       did you mean 'elements'?
 */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/reader.h"
#include "model/registry.h"
#include "model/syntax.h"
#include "model/tree.h"

enum {
  max_text = 1024,  /* bytes of a message, names that a file may make as long as it likes included */
  max_width = 120,  /* columns of a quoted line */
  before_mark = 40, /* columns kept before the place in a line that is cut */
};

/* Printable, and ended cleanly where it was cut inside a character. */
static void format_clean(char *text, size_t size, const char *format, va_list arguments) {
  int length = vsnprintf(text, size, format, arguments);
  if (length < 0) text[0] = 0;
  if (length >= (int)size) memcpy(text + size - 4, "...", 4);
  sn_make_plain(text, false);
}

/* ---- the quoted line ---- */

typedef struct quote {
  char line[4 * max_width + 64], mark[max_width + 64];
  size_t line_length, mark_length;
} quote;

static void add_line(quote *q, const char *bytes, size_t size) {
  if (q->line_length + size >= sizeof q->line) return;
  memcpy(q->line + q->line_length, bytes, size);
  q->line_length += size;
}

static void add_mark(quote *q, char c, int times) {
  while (times-- > 0 && q->mark_length + 1 < sizeof q->mark) q->mark[q->mark_length++] = c;
}

static int width_of(const char *text, size_t length, int characters) {
  int width = 0;
  for (size_t i = 0; i < length && characters > 0; characters--) {
    uint32_t code;
    i += sn_utf8_step(text + i, length - i, &code);
    width += sn_utf8_width(code);
  }
  return width;
}

/* Copy the part of the line in columns from..to and draw the mark below it: ^~~~ */
static void draw(quote *q, const char *text, size_t length, const sn_node *node, int from, int to) {
  if (from > 0) {
    add_line(q, "...", 3);
    add_mark(q, ' ', 3);
  }
  int column = 0, character = 1;
  size_t i = 0;
  for (; i < length && column < to; character++) {
    uint32_t code;
    size_t size = sn_utf8_step(text + i, length - i, &code);
    int width = sn_utf8_width(code);
    if (column >= from) {
      bool plain = code != '?' && !sn_is_control(code);
      add_line(q, plain ? text + i : code == '\t' ? " " : "?", plain ? size : 1);
      int offset = character - node->column;
      if (offset < 0)
        add_mark(q, ' ', width);
      else if (offset < node->length)
        add_mark(q, offset ? '~' : '^', 1), add_mark(q, '~', width - 1);
    }
    i += size;
    column += width;
  }
  if (i < length) add_line(q, "...", 3);
  if (character <= node->column) { /* the place is the end of the line */
    if (q->mark_length < q->line_length) add_mark(q, ' ', node->column - character);
    add_mark(q, '^', 1);
  }
}

static void append_quote(sn_reader *reader, const sn_node *node) {
  const sn_document *document = reader->document;
  size_t first, last;
  if (!sn_find_line(document->source, document->length, node->line, &first, &last)) return;
  if (first == last) return; /* an empty line explains nothing */
  const char *text = document->source + first;
  size_t length = last - first;
  int mark = width_of(text, length, node->column - 1), from = 0, to = max_width;
  if (mark > max_width - before_mark && width_of(text, length, mark + max_width) > max_width) {
    from = mark - before_mark;
    to = from + max_width;
  }
  quote q = {0};
  draw(&q, text, length, node, from, to);
  sn_append(reader->context, "%4d | %.*s\n", node->line, (int)q.line_length, q.line);
  int digits = snprintf(NULL, 0, "%4d", node->line);
  sn_append(reader->context, "%*s | %.*s\n", digits, "", (int)q.mark_length, q.mark);
}

/* ---- reporting ---- */

/* Count an error; false when enough were shown. */
static bool count_error(sn_reader *reader) {
  if (sn_reader_full(reader)) return false;
  if (reader->errors++ < sn_max_errors) return true;
  sn_append(reader->context, "... and more errors\n");
  return false;
}

static void append_expected(sn_reader *reader, const char *expected) {
  if (!expected || !expected[0]) return;
  char text[max_text];
  snprintf(text, sizeof text, "%s", expected);
  sn_make_plain(text, false);
  bool question = text[strlen(text) - 1] == '?';
  sn_append(reader->context, "  %s%s\n", question ? "" : "expected ", text);
}

static void report(sn_reader *reader, const sn_node *node, const char *expected, const char *format,
                   va_list arguments) {
  if (!count_error(reader)) return;
  char text[max_text], path[max_text];
  format_clean(text, sizeof text, format, arguments);
  snprintf(path, sizeof path, "%s", reader->document->path);
  sn_make_plain(path, false);
  if (node && node->line > 0) {
    sn_append(reader->context, "%s:%d:%d: error: %s\n", path, node->line, node->column, text);
    append_quote(reader, node);
  } else {
    sn_append(reader->context, "%s: error: %s\n", path, text);
  }
  append_expected(reader, expected);
}

void sn_node_error(sn_reader *reader, const sn_node *node, const char *expected, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(reader, node, expected, format, arguments);
  va_end(arguments);
}

void sn_field_error(sn_reader *reader, const sn_spec *spec, const char *field, const char *expected, const char *format,
                    ...) {
  assert(!field || sn_is_field(spec->kind, field));
  const sn_node *node = field ? sn_value_of(spec->node, field, NULL) : NULL;
  if (!node) node = spec->label ? spec->label : spec->node;
  va_list arguments;
  va_start(arguments, format);
  report(reader, node, expected, format, arguments);
  va_end(arguments);
}

void sn_set_error(sn_reader *reader, const char *set, size_t offset, size_t length, const char *expected,
                  const char *text) {
  assert(set && text && offset <= strlen(set));
  if (!count_error(reader)) return;
  char shown[max_text], message[max_text];
  snprintf(shown, sizeof shown, "%.*s", max_width, set);
  snprintf(message, sizeof message, "%s", text);
  sn_make_plain(shown, false);
  sn_make_plain(message, false);
  sn_append(reader->context, "--set %s: error: %s\n", shown, message);
  if (length && offset < max_width) {
    sn_node place = {.line = 1, .column = width_of(set, offset, (int)offset) + 1, .length = (int)length};
    quote q = {0};
    draw(&q, set, strlen(set), &place, 0, max_width);
    sn_append(reader->context, "      %.*s\n      %.*s\n", (int)q.line_length, q.line, (int)q.mark_length, q.mark);
  }
  append_expected(reader, expected);
}

sn_reader sn_reader_for(sn_context *context, sn_arena *arena, sn_document *document) {
  return (sn_reader){.context = context, .arena = arena, .document = document};
}
