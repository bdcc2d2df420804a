/* field_type.c - types of fields by their tables. */
#include "model/field_type.h"

#include <string.h>

const sn_type_ops *const sn_types[SN_TYPES] = {
#define TYPE(NAME, name) &sn_type_##name,
#include "model/types.def"
};

bool sn_fail_type(sn_place p, const sn_node *node, const char *wanted) {
  sn_node_error(p.reader, node, NULL, "expected %s for '%s', found %s", wanted, p.field->name,
                sn_found(p.reader, node));
  return false;
}

/* In [ ] a comma ends a value, so that atan2(1, 2) falls apart into two. */
const char *sn_comma_hint(const sn_node *list) {
  for (int i = 0; i < list->count; i++)
    if (list->item[i]->type == SN_SCALAR && strchr(list->item[i]->text, '(') && !strchr(list->item[i]->text, ')'))
      return "is a value that contains a comma missing its quotes?";
  return NULL;
}

bool sn_read_value(sn_reader *reader, const sn_field *field, const sn_node *node, void *at) {
  return sn_types[field->type]->read((sn_place){reader, field}, node, at);
}

size_t sn_type_size(sn_type type) {
  return sn_types[type]->size;
}

int sn_type_functions(sn_type type) {
  return sn_types[type]->functions;
}

bool sn_type_number(sn_type type, const void *at, double *number) {
  if (!sn_types[type]->number) return false;
  *number = sn_types[type]->number(at);
  return true;
}
