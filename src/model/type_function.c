/* type_function.c - types of fields: functions of time, of time and place, and of the place along a line. */
#include "model/field_type.h"

static bool read_function(sn_place p, const sn_node *node, void *at) {
  const sn_expr **value = at;
  *value = sn_read_formula(p.reader, node, p.field->name, NULL, false);
  return *value != NULL;
}

static bool read_formula(sn_place p, const sn_node *node, void *at) {
  const sn_expr **value = at;
  *value = sn_read_formula(p.reader, node, p.field->name, p.field->locals, true);
  return *value != NULL;
}

const sn_type_ops sn_type_function = {
    .size = sizeof(const sn_expr *),
    .words = "function of t",
    .example = "sin(t)",
    .schema = "\"$ref\": \"#/$defs/number\"",
    .functions = 1,
    .read = read_function,
};

static bool read_field(sn_place p, const sn_node *node, void *at) {
  const sn_expr **value = at;
  *value = sn_read_field_function(p.reader, node, p.field->name);
  return *value != NULL;
}

const sn_type_ops sn_type_field = {
    .size = sizeof(const sn_expr *),
    .words = "function of x, y, z and t",
    .example = "1 - z/2",
    .schema = "\"$ref\": \"#/$defs/number\"",
    .functions = 1,
    .read = read_field,
};

static bool read_profile(sn_place p, const sn_node *node, void *at) {
  const sn_expr **value = at;
  *value = sn_read_function(p.reader, node, p.field->name, "s");
  return *value != NULL;
}

const sn_type_ops sn_type_profile = {
    .size = sizeof(const sn_expr *),
    .words = "function of s",
    .example = "1 - s",
    .schema = "\"$ref\": \"#/$defs/number\"",
    .read = read_profile,
};

static bool read_three(sn_place p, const sn_node *node, const sn_expr **value, const char *wanted,
                       bool (*read)(sn_place p, const sn_node *node, void *at)) {
  if (node->type != SN_SEQUENCE) return sn_fail_type(p, node, wanted);
  if (node->count != 3) {
    sn_node_error(p.reader, node, sn_comma_hint(node), "expected %s for '%s', found a list of %d", wanted,
                  p.field->name, node->count);
    return false;
  }
  bool good = true;
  for (int i = 0; i < 3; i++) good &= read(p, node->item[i], &value[i]);
  return good;
}

static bool read_function3(sn_place p, const sn_node *node, void *at) {
  return read_three(p, node, at, "a list of 3 functions of t", read_function);
}

static bool read_formula3(sn_place p, const sn_node *node, void *at) {
  return read_three(p, node, at, "a list of 3 expressions", read_formula);
}

static bool read_field3(sn_place p, const sn_node *node, void *at) {
  return read_three(p, node, at, "a list of 3 functions of x, y, z and t", read_field);
}

static bool read_profile3(sn_place p, const sn_node *node, void *at) {
  return read_three(p, node, at, "a list of 3 functions of s", read_profile);
}

const sn_type_ops sn_type_field3 = {
    .size = sizeof(const sn_expr *[3]),
    .words = "[f, f, f], functions of x, y, z and t",
    .example = "[sin(t), 0, 0]",
    .schema = "\"$ref\": \"#/$defs/vector\"",
    .functions = 3,
    .read = read_field3,
};

const sn_type_ops sn_type_function3 = {
    .size = sizeof(const sn_expr *[3]),
    .words = "[f(t), f(t), f(t)]",
    .example = "[sin(t), 0, 0]",
    .schema = "\"$ref\": \"#/$defs/vector\"",
    .functions = 3,
    .read = read_function3,
};

const sn_type_ops sn_type_profile3 = {
    .size = sizeof(const sn_expr *[3]),
    .words = "[f(s), f(s), f(s)]",
    .example = "[cos(2*pi*s), sin(2*pi*s), 0]",
    .schema = "\"$ref\": \"#/$defs/vector\"",
    .read = read_profile3,
};

const sn_type_ops sn_type_formula = {
    .size = sizeof(const sn_expr *),
    .words = "expression",
    .example = "sin(t)",
    .schema = "\"$ref\": \"#/$defs/number\"",
    .functions = 1,
    .read = read_formula,
};

static bool read_formulas(sn_place p, const sn_node *node, void *at) {
  sn_formulas *list = at;
  if (node->type != SN_SEQUENCE || node->count == 0) return sn_fail_type(p, node, "a list of expressions");
  const sn_expr **f = SN_NEW(p.reader->arena, const sn_expr *, node->count);
  *list = (sn_formulas){node->count, f};
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++) good &= read_formula(p, node->item[i], &f[i]);
  return good;
}

const sn_type_ops sn_type_formulas = {
    .size = sizeof(sn_formulas),
    .words = "list of expressions",
    .example = "[sin(t), 2*t]",
    .schema = "\"type\": \"array\", \"minItems\": 1, \"items\": " SN_SCHEMA_NUMBER,
    .read = read_formulas,
};

static bool read_assignments(sn_place p, const sn_node *node, void *at) {
  sn_assignments *list = at;
  if (node->type != SN_MAPPING || node->count == 0)
    return sn_fail_type(p, node, "a mapping {variable: expression, ...}");
  const sn_expr **f = SN_NEW(p.reader->arena, const sn_expr *, node->count);
  const char **name = SN_NEW(p.reader->arena, const char *, node->count);
  *list = (sn_assignments){node->count, name, (const sn_node *const *)node->key, f};
  bool good = true;
  for (int i = 0; i < node->count && !sn_reader_full(p.reader); i++) {
    const sn_entry *entry;
    const bool known = sn_read_reference(p.reader, SN_VARIABLES, node->key[i], &entry);
    if (known) name[i] = entry->name;
    good &= read_formula(p, node->item[i], &f[i]) && known;
  }
  return good;
}

const sn_type_ops sn_type_assignments = {
    .size = sizeof(sn_assignments),
    .words = "{variable: expression, ...}",
    .example = "{my_switch: 1}",
    .schema = "\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": " SN_SCHEMA_NUMBER,
    .read = read_assignments,
};

const sn_type_ops sn_type_formula3 = {
    .size = sizeof(const sn_expr *[3]),
    .words = "[expression, expression, expression]",
    .example = "[sin(t), 0, 0]",
    .schema = "\"$ref\": \"#/$defs/vector\"",
    .functions = 3,
    .read = read_formula3,
};
