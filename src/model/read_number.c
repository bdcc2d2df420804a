/* read_number.c - numbers, which may be written as expressions, and functions of time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/reader.h"
#include "model/syntax.h"
#include "model/tree.h"

/* ---- where in the file a part of a scalar stands ---- */

/* Byte of the source where the text of the scalar begins, if it stands there letter for letter. */
static bool find_text(const sn_document *document, const sn_node *node, size_t *start) {
  size_t first, last;
  if (!sn_find_line(document->source, document->length, node->line, &first, &last)) return false;
  uint32_t code;
  for (int column = 1; column < node->column && first < last; column++)
    first += sn_utf8_step(document->source + first, last - first, &code);
  if (node->quoted) first++;
  size_t length = strlen(node->text);
  if (first > last || length > last - first || memcmp(document->source + first, node->text, length) != 0) return false;
  *start = first;
  return true;
}

static int characters(const char *text, size_t length) {
  int count = 0;
  uint32_t code;
  for (size_t i = 0; i < length; count++) i += sn_utf8_step(text + i, length - i, &code);
  return count;
}

sn_node sn_part_of(const sn_reader *reader, const sn_node *node, size_t offset, size_t length) {
  sn_node part = *node;
  size_t start;
  if (!node->line || !find_text(reader->document, node, &start)) return part;
  part.column += characters(node->text, offset) + node->quoted;
  part.length = length ? characters(node->text + offset, length) : 1;
  return part;
}

/* ---- expressions ---- */

/* Does the error concern a table that was declared but is wrong itself? */
static bool concerns_wrong_table(const sn_reader *reader, const char *text, const sn_expr_error *error) {
  const sn_reading *reading = sn_reading_of(reader);
  const sn_entries *tables = &reading->entries[SN_TABLES];
  char name[128];
  if (!tables->count || error->length <= 0 || error->length >= (int)sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", error->length, text + error->offset);
  const sn_entry *entry = sn_map_get(&tables->map, name);
  return entry && !entry->spec;
}

/* In { } and [ ] a comma ends a value, so that min(1, t) falls apart. */
static const char *comma_hint(const sn_reader *reader, const sn_node *node, const sn_expr_error *error) {
  size_t start;
  if (node->quoted || !node->line || !strstr(error->text, "never closed")) return NULL;
  if (!find_text(reader->document, node, &start)) return NULL;
  const char *after = reader->document->source + start + strlen(node->text);
  return after[strspn(after, " ")] == ',' ? "quotes around a value that contains a comma, in { } and [ ]" : NULL;
}

static void report(sn_reader *reader, const sn_node *node, size_t offset, sn_expr_error *error) {
  if (!error->text[0] || concerns_wrong_table(reader, node->text + offset, error)) return;
  if (sn_reading_of(reader)->entries[SN_TABLES].broken && strstr(error->text, "unknown function")) return;
  if (sn_reading_of(reader)->parameters.broken && strstr(error->text, "unknown name")) return;
  sn_node part = sn_part_of(reader, node, offset + (size_t)error->offset, (size_t)error->length);
  const char *expected = sn_cut_hint(error);
  if (!expected) expected = comma_hint(reader, node, error);
  if (!expected && strncmp(error->text, "unknown ", 8) == 0)
    expected = "a name of the model, or one that 'sinew describe expressions' lists";
  sn_node_error(reader, &part, expected, "%s", error->text);
}

bool sn_evaluate(sn_reader *reader, const sn_node *node, size_t offset, size_t length, double *value) {
  sn_reading *reading = sn_reading_of(reader);
  sn_expr_error error = {0};
  /* A parameter met here may itself be evaluated here, so that nothing may be freed while one is. */
  if (++reading->scratch_uses > 1000 && !reading->parameters.open_count) {
    sn_arena_free(&reading->scratch);
    reading->scratch_uses = 0;
  }
  const sn_expr *expr = sn_expr_compile(&reading->scratch, node->text + offset, length, &reading->scope, &error);
  if (!expr) {
    report(reader, node, offset, &error);
    return false;
  }
  *value = sn_expr_value(expr, 0);
  if (isfinite(*value)) return true;
  sn_node_error(reader, node, "a finite number", "the value is not finite");
  return false;
}

/* .inf, NaN and similar values, which are numbers in YAML. */
static bool is_not_finite(const char *text) {
  char word[12];
  size_t length = 0;
  if (*text == '+' || *text == '-') text++;
  if (*text == '.') text++;
  for (; text[length] && length < sizeof word - 1; length++) word[length] = (char)(text[length] | 0x20);
  word[length] = 0;
  return !text[length] && (!strcmp(word, "inf") || !strcmp(word, "nan") || !strcmp(word, "infinity"));
}

static bool is_formula(sn_reader *reader, const sn_node *node, const char *what, const char *wanted) {
  if (node->type != SN_SCALAR || sn_is_nothing(node)) {
    sn_node_error(reader, node, NULL, "expected %s for '%s', found %s", wanted, what, sn_found(reader, node));
    return false;
  }
  if (is_not_finite(node->text)) {
    sn_node_error(reader, node, NULL, "expected a finite number for '%s', found %s", what, sn_found(reader, node));
    return false;
  }
  return true;
}

bool sn_read_number(sn_reader *reader, const sn_node *node, const char *what, double *value) {
  return is_formula(reader, node, what, "a number") && sn_evaluate(reader, node, 0, strlen(node->text), value);
}

static const sn_expr *compile(sn_reader *reader, const sn_node *node, const sn_scope *scope) {
  sn_expr_error error = {0};
  sn_scope here = *scope;
  here.line = node->line;
  here.column = node->column;
  const sn_expr *expr = sn_expr_compile(reader->arena, node->text, strlen(node->text), &here, &error);
  if (!expr) report(reader, node, 0, &error);
  return expr;
}

const sn_expr *sn_read_in_scope(sn_reader *reader, const sn_node *node, const char *what, const char *wanted,
                                const sn_scope *scope) {
  if (!is_formula(reader, node, what, wanted)) return NULL;
  return compile(reader, node, scope);
}

const sn_expr *sn_read_function(sn_reader *reader, const sn_node *node, const char *what, const char *variable) {
  if (!is_formula(reader, node, what, variable ? "a function of s" : "a function of t")) return NULL;
  sn_scope scope = sn_reading_of(reader)->scope;
  scope.time_allowed = variable == NULL;
  scope.variable = variable;
  return compile(reader, node, &scope);
}

/* ---- limits ---- */

/* "above 0 kg/m3", "between 1 and 10", "above -1 and at most 0.5" */
static void describe_limits(char *text, size_t size, const sn_field *field) {
  const sn_limits *l = &field->limits;
  const char *unit = field->unit ? field->unit : "", *blank = field->unit ? " " : "";
  if (l->has_low && l->has_high && !l->low_open && !l->high_open)
    snprintf(text, size, "between %.10g and %.10g%s%s", l->low, l->high, blank, unit);
  else if (l->has_low && l->has_high)
    snprintf(text, size, "%s %.10g and %s %.10g%s%s", l->low_open ? "above" : "at least", l->low,
             l->high_open ? "below" : "at most", l->high, blank, unit);
  else if (l->has_low)
    snprintf(text, size, "%s %.10g%s%s", l->low_open ? "above" : "at least", l->low, blank, unit);
  else
    snprintf(text, size, "%s %.10g%s%s", l->high_open ? "below" : "at most", l->high, blank, unit);
}

bool sn_within_limits(sn_reader *reader, const sn_field *field, const sn_node *node, bool component, double value) {
  const sn_limits *l = &field->limits;
  bool low = !l->has_low || (l->low_open ? value > l->low : value >= l->low);
  bool high = !l->has_high || (l->high_open ? value < l->high : value <= l->high);
  if (low && high) return true;
  char limits[120];
  describe_limits(limits, sizeof limits, field);
  sn_node_error(reader, node, NULL, "%s%s must be %s, not %.10g", component ? "each number of " : "", field->name,
                limits, value);
  return false;
}
