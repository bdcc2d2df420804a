/* field_text.c - fields in words. */
#include "model/field_text.h"

#include <string.h>

#include "model/field_type.h"
#include "model/model.h"
#include "model/registry.h"

sn_phrase sn_type_phrase(const sn_field *field) {
  const sn_type_ops *type = sn_types[field->type];
  sn_phrase phrase = {""};
  if (type->put_words)
    type->put_words(field, &phrase);
  else
    snprintf(phrase.text, sizeof phrase.text, "%s", type->words);
  return phrase;
}

sn_phrase sn_range_phrase(const sn_field *field) {
  const sn_limits *l = &field->limits;
  sn_phrase phrase = {""};
  if (l->has_low && l->has_high && !l->low_open && !l->high_open)
    snprintf(phrase.text, sizeof phrase.text, "%.10g to %.10g", l->low, l->high);
  else if (l->has_low && l->has_high)
    snprintf(phrase.text, sizeof phrase.text, "%s %.10g, %s %.10g", l->low_open ? ">" : ">=", l->low,
             l->high_open ? "<" : "<=", l->high);
  else if (l->has_low)
    snprintf(phrase.text, sizeof phrase.text, "%s %.10g", l->low_open ? ">" : ">=", l->low);
  else if (l->has_high)
    snprintf(phrase.text, sizeof phrase.text, "%s %.10g", l->high_open ? "<" : "<=", l->high);
  return phrase;
}

void sn_put_cell(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '|' || *text == '<') fputc('\\', out);
    fputc(*text, out);
  }
}

enum { page_width = 100 };

void sn_put_wrapped(FILE *out, const char *text, int indent) {
  int column = 0;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column && column + 1 + length > page_width) fputc('\n', out), column = 0;
    column += fprintf(out, "%*s%.*s", column ? 1 : indent, "", length, text);
    text += length;
    while (*text == ' ') text++;
  }
  fputc('\n', out);
}
