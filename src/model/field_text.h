/* field_text.h - fields in words, for the documents made from the tables. */
#ifndef SN_FIELD_TEXT_H
#define SN_FIELD_TEXT_H

#include "model/field.h"

typedef struct sn_phrase {
  char text[200];
} sn_phrase;

sn_phrase sn_type_phrase(const sn_field *field);  /* "number", "[x, y, z]", "geometric or material" */
sn_phrase sn_range_phrase(const sn_field *field); /* "> 0", "1 to 10"; "": no limits */

/* Text inside a cell of a Markdown table, where a bar would end the cell. */
void sn_put_cell(FILE *out, const char *text);
/* Text for a terminal, in lines of limited width, each indented. */
void sn_put_wrapped(FILE *out, const char *text, int indent);

/* ---- expression_text.c ---- */

void sn_write_expressions(FILE *out); /* the tables of the reference: functions, quantities of the motion, rules */

/* ---- example.c ---- */

/* A value of the field as it would be written; false when it has no place in an example. */
bool sn_example_of(const sn_field *field, sn_phrase *example);
/* An example of the kind as it stands in a file, each line indented by `indent` blanks. */
void sn_write_example(FILE *out, const sn_kind *kind, int indent);
/* A model that runs, with the example of the kind in it; kinds of model files only. */
void sn_write_model(FILE *out, const sn_kind *kind);

/* A model that an output can be added to: with what its text names. */
void sn_write_model_for(FILE *out, const char *output);

/* ---- body_text.c ---- */

/* Of a body: its markers, with their frames and what outputs record there, and the columns of stress resultants and
 * stresses. */
void sn_put_body(FILE *out, const sn_kind *kind, bool markdown);
/* Of outputs: the columns of the others. */
void sn_put_outputs(FILE *out, const sn_kind *kind, bool markdown);

#endif
