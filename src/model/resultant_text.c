/* resultant_text.c - the stress resultants of bodies in words: the columns of an output `resultant`, with their units. */
#include <string.h>

#include "model/field_text.h"
#include "model/model.h"
#include "model/registry.h"

static void put_columns(FILE *out, const char *where, const sn_headings *headings, bool markdown) {
  if (!headings) return;
  fprintf(out, markdown ? "| %s | " : "  %-8s  ", where);
  for (int i = 0; i < headings->count; i++) {
    fprintf(out, markdown ? "%s`%s`" : "%s%s", i ? ", " : "", headings->name[i]);
    if (headings->unit[i][0]) fprintf(out, " (%s)", headings->unit[i]);
  }
  fputs(markdown ? " |\n" : "\n", out);
}

void sn_put_resultants(FILE *out, const sn_kind *kind, bool markdown) {
  if (kind->category != SN_BODIES) return;
  const sn_body_ops *ops = (const sn_body_ops *)(const void *)kind;
  const sn_headings *plane = ops->planar ? ops->planar->resultant_headings : NULL;
  if (!ops->resultant_headings && !plane) return;
  fputs(markdown ? "\nColumns of outputs `resultant`:\n\n| Model | Columns |\n|---|---|\n"
                 : "\nColumns of outputs 'resultant':\n",
        out);
  if (plane == ops->resultant_headings) {
    put_columns(out, "any", plane, markdown);
    return;
  }
  put_columns(out, "in space", ops->resultant_headings, markdown);
  put_columns(out, "planar", plane, markdown);
}
