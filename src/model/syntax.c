/* syntax.c - places in the text, text that cannot be parsed at all, and what the YAML parser complains about. */
#include "model/syntax.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "model/tree.h"

/* ---- places ---- */

static bool is_tail(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
} /* of a character of several bytes */

/* Is the byte the last one of a line's end? */
static bool ends_line(const char *text, size_t i) {
  return text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
}

static int column_at(const char *text, size_t offset) {
  int column = 1;
  for (size_t i = offset; i > 0 && !ends_line(text, i - 1); i--) column += !is_tail(text[i - 1]);
  return column;
}

/* The text ends with a 0, so that looking one byte ahead is safe. */
void sn_move_cursor(sn_cursor *cursor, const char *text, size_t offset) {
  bool recount = false;
  while (cursor->offset > offset) {
    size_t i = --cursor->offset;
    if (ends_line(text, i)) {
      cursor->line--;
      recount = true;
    } else if (!is_tail(text[i])) {
      cursor->column--;
    }
  }
  if (recount) cursor->column = column_at(text, cursor->offset);
  while (cursor->offset < offset) {
    size_t i = cursor->offset++;
    if (ends_line(text, i)) {
      cursor->line++;
      cursor->column = 1;
    } else if (!is_tail(text[i])) {
      cursor->column++;
    }
  }
}

bool sn_find_line(const char *text, size_t length, int line, size_t *first, size_t *last) {
  size_t i = 0;
  for (int n = 1; n < line; n++) {
    while (i < length && !ends_line(text, i)) i++;
    if (i++ >= length) return false;
  }
  *first = *last = i;
  while (*last < length && text[*last] != '\n' && text[*last] != '\r') ++*last;
  return true;
}

/* ---- text that cannot be parsed ---- */

static void report_byte(sn_reader *reader, const char *text, size_t offset, const char *expected, const char *what) {
  sn_cursor cursor = {.line = 1, .column = 1};
  sn_move_cursor(&cursor, text, offset);
  sn_node place = {.line = cursor.line, .column = cursor.column, .length = 1};
  sn_node_error(reader, &place, expected, what, (unsigned)(unsigned char)text[offset]);
}

bool sn_check_text(sn_reader *reader, const char *text, size_t length) {
  if (!length) {
    sn_node_error(reader, NULL, "a model, beginning with 'sinew: 1'", "the file is empty");
    return false;
  }
  for (size_t i = 0; i < length;) {
    uint32_t code = 0;
    size_t size = sn_utf8_next(text + i, length - i, &code);
    const char *expected = NULL, *what = NULL;
    if (!size)
      expected = "text saved as UTF-8", what = "byte 0x%02X is not valid UTF-8";
    else if (!code)
      expected = "a text file", what = "the file contains a NUL byte";
    else if ((code < 0x20 && !strchr("\t\n\r", (int)code)) || code == 0x7F)
      what = "control character 0x%02X is not allowed";
    else if (code == 0xFEFF && i)
      what = "byte order mark inside the file";
    if (what) {
      report_byte(reader, text, i, expected, what);
      return false;
    }
    i += size;
  }
  return true;
}

/* ---- complaints of the parser ---- */

/* Beginnings of its messages, and what to say instead; NULL keeps its words. */
static const struct {
  const char *theirs, *ours, *expected;
} translations[] = {
    {"wrongly indented double-quoted", "quoted text continues on a line that is not indented", "a closing quote: \""},
    {"wrongly indented single-quoted", "quoted text continues on a line that is not indented", "a closing quote: '"},
    {"double-quoted scalar without closing", "this quote is never closed", "a closing quote: \""},
    {"single-quoted scalar without closing", "this quote is never closed", "a closing quote: '"},
    {"invalid multiline plain key", "this value continues on the next line, which contains another key",
     "the same indentation for all keys of a mapping"},
    {"invalid nested block mapping on the same line", "a second ': ' in one line",
     "a new line, or { } around an inner mapping, or quotes around text with a colon"},
    {"invalid indentation in mapping", "the indentation of this line differs from the other keys of its mapping", NULL},
    {"plain scalar cannot start with", NULL, "quotes around the text"},
    {"flow mapping with invalid extra closing", "this '}' closes nothing", NULL},
    {"flow sequence with invalid extra closing", "this ']' closes nothing", NULL},
};

/* A tab among the blanks that begin a line is the usual cause, which the parser does not report. */
static bool report_tab(sn_reader *reader, const char *text, size_t length, int line) {
  size_t first, last;
  if (!sn_find_line(text, length, line, &first, &last)) return false;
  size_t i = first;
  while (i < last && text[i] == ' ') i++;
  if (i >= last || text[i] != '\t') return false;
  sn_node place = {.line = line, .column = (int)(i - first) + 1, .length = 1};
  sn_node_error(reader, &place, "spaces", "a tab cannot be used for indentation");
  return true;
}

/* A line "mass:1", which is no key to the parser; it complains about what follows. */
static bool report_colon(sn_reader *reader, const char *text, size_t length, int line) {
  size_t first, last;
  if (!sn_find_line(text, length, line, &first, &last)) return false;
  size_t i = first;
  while (i < last && text[i] == ' ') i++;
  const size_t word = i;
  while (i < last && (isalnum((unsigned char)text[i]) || text[i] == '_' || text[i] == '-')) i++;
  if (i == word || i + 1 >= last || text[i] != ':' || strchr(" \t:", text[i + 1])) return false;
  sn_node place = {.line = line, .column = (int)(word - first) + 1, .length = (int)(i - word) + 1};
  sn_node_error(reader, &place, "a blank after the ':' of a key", "'%.*s' has no value", (int)(i - word), text + word);
  return true;
}

/* Did the parser stop because a { or [ has no end? It reports this only at the end of the text. */
static bool is_unclosed(const char *text) {
  return strstr(text, "without a closing") || strncmp(text, "wrongly indented flow", 21) == 0;
}

void sn_report_syntax(sn_reader *reader, const char *text, size_t length, const sn_syntax_error *error) {
  size_t first, last;
  sn_node place = {.line = error->line, .column = error->column, .length = 1};
  while (place.line > 1 && !sn_find_line(text, length, place.line, &first, &last)) place.line--, place.column = 1;
  for (int line = place.line; line <= place.line + 1; line++)
    if (report_tab(reader, text, length, line)) return;
  if (error->open && is_unclosed(error->text)) {
    sn_node open = *error->open;
    open.length = 1;
    sn_node_error(reader, &open, error->open_mapping ? "a closing '}'" : "a closing ']'", "this '%s' is never closed",
                  error->open_mapping ? "{" : "[");
    return;
  }
  if (error->open && strncmp(error->text, "missing comma in flow", 21) == 0) {
    sn_node_error(reader, &place, NULL, "a ',' or a '%s' is missing before this, for the '%s' in line %d",
                  error->open_mapping ? "}" : "]", error->open_mapping ? "{" : "[", error->open->line);
    return;
  }
  const bool lacks_key = strstr(error->text, "expected ':'") || strncmp(error->text, "invalid multiline", 17) == 0;
  for (int line = place.line; lacks_key && line >= place.line - 1; line--)
    if (report_colon(reader, text, length, line)) return;
  for (size_t i = 0; i < SN_COUNT(translations); i++) {
    if (strncmp(error->text, translations[i].theirs, strlen(translations[i].theirs)) != 0) continue;
    sn_node_error(reader, &place, translations[i].expected, "%s",
                  translations[i].ours ? translations[i].ours : error->text);
    return;
  }
  sn_node_error(reader, &place, NULL, "%s", error->text);
}
