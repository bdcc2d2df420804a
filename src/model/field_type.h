/* field_type.h - the table of each type of field: how it is read, and what documents say of it. */
#ifndef SN_FIELD_TYPE_H
#define SN_FIELD_TYPE_H

#include "model/field_text.h"
#include "model/reader.h"

typedef struct sn_place { /* what is being read, for messages */
  sn_reader *reader;
  const sn_field *field;
} sn_place;

typedef struct sn_type_ops {
  size_t size;         /* of the C type it fills */
  int functions;       /* of time that it holds, each a const sn_expr * */
  const char *words;   /* "number", in the reference */
  const char *example; /* a value as it would be written */
  const char *schema;  /* members of a JSON Schema */
  /* Where these depend on the field; NULL: they do not. */
  void (*put_words)(const sn_field *field, sn_phrase *words);
  void (*put_example)(const sn_field *field, sn_phrase *example);
  void (*put_schema)(FILE *out, const sn_field *field);
  /* Read the value into `at`; false after reporting. */
  bool (*read)(sn_place place, const sn_node *node, void *at);
  /* What it is as a number; NULL: none. */
  double (*number)(const void *at);
} sn_type_ops;

#define TYPE(NAME, name) extern const sn_type_ops sn_type_##name;
#include "model/types.def"
extern const sn_type_ops *const sn_types[SN_TYPES];

/* ---- for the files of types ---- */

#define SN_SCHEMA_NUMBER "{\"$ref\": \"#/$defs/number\"}"
#define SN_SCHEMA_VECTOR "{\"$ref\": \"#/$defs/vector\"}"
#define SN_SCHEMA_NAME "^[A-Za-z][A-Za-z0-9_-]*$"
#define SN_SCHEMA_NAMES "\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 1"

/* "expected WANTED for 'field', found ..."; false. */
bool sn_fail_type(sn_place place, const sn_node *node, const char *wanted);
/* Does a comma that belongs to a value cut a list? NULL: no. */
const char *sn_comma_hint(const sn_node *list);

#endif
