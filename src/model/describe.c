/* describe.c - kinds in words, for a terminal. */
#include <string.h>

#include "model/field_text.h"
#include "model/refusals.h"
#include "model/registry.h"

static void describe_field(FILE *out, const sn_field *field, int name_width, int type_width) {
  sn_phrase type = sn_type_phrase(field), range = sn_range_phrase(field);
  const char *state = field->required ? "required" : field->def && field->def[0] ? field->def : "-";
  fprintf(out, "  %-*s  %-*s  %-6s  ", name_width, field->name, type_width, type.text, field->unit ? field->unit : "");
  if (range.text[0])
    fprintf(out, "%-12s  %s\n", state, range.text);
  else
    fprintf(out, "%s\n", state);
  sn_put_wrapped(out, field->help, name_width + 6);
}

void sn_describe(FILE *out, const sn_kind *kind) {
  int name_width = 4, type_width = 5;
  for (const sn_field *field = kind->fields; field->name; field++) {
    int name = (int)strlen(field->name), type = (int)strlen(sn_type_phrase(field).text);
    if (name > name_width) name_width = name;
    if (type > type_width) type_width = type;
  }
  fprintf(out, "%s (%s): %s\n", kind->name, sn_category_noun(kind->category), kind->summary);
  if (kind->fields[0].name) {
    fprintf(out, "\n  %-*s  %-*s  %-6s  %-12s  %s\n", name_width, "key", type_width, "value", "unit", "default",
            "range");
    for (const sn_field *field = kind->fields; field->name; field++) describe_field(out, field, name_width, type_width);
  }
  sn_put_body(out, kind, false);
  sn_put_outputs(out, kind, false);
  if (sn_find_refusal(kind)) fputc('\n', out), sn_put_refusal(out, kind);
  fprintf(out, "\nExample:\n\n");
  sn_write_example(out, kind, 2);
}

void sn_describe_all(FILE *out) {
  int width = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    if ((int)strlen((*kind)->name) > width) width = (int)strlen((*kind)->name);
  for (int category = 0; category < SN_CATEGORIES; category++) {
    fprintf(out, "%s%s: %s\n", category ? "\n" : "", sn_category_key((sn_category)category),
            sn_category_help((sn_category)category));
    for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
      if ((int)(*kind)->category == category) fprintf(out, "  %-*s  %s\n", width, (*kind)->name, (*kind)->summary);
  }
}
