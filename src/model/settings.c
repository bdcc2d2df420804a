/* settings.c - overrides "integrator=NAME", "integrator={type: NAME, ...}" and "integrator.FIELD=VALUE": the method of
 * every dynamics stage.
 *
 * They change the tree before it is read, so that values are checked like those of the file and may use its
 * parameters. Another method keeps the accuracy the file asks for, as with --integrator. A tolerance ends a fixed step,
 * as --tolerance does. A parameter of the same name comes first.
 */
#include <stdlib.h>
#include <string.h>

#include "model/reader.h"
#include "model/registry.h"
#include "model/tree.h"

static const char prefix[] = "integrator";
enum { prefix_length = sizeof prefix - 1 };

bool sn_is_setting(const char *set) {
  return strncmp(set, prefix, prefix_length) == 0 && (set[prefix_length] == '=' || set[prefix_length] == '.');
}

static sn_node *new_scalar(sn_arena *arena, const char *text, size_t length) {
  sn_node *node = SN_NEW(arena, sn_node, 1);
  node->text = sn_copy_text(arena, text, length);
  return node;
}

/* It stands in no line of the file. */
static void forget_lines(sn_node *node) {
  node->line = 0;
  for (int i = 0; i < node->count; i++) {
    forget_lines(node->item[i]);
    if (node->type == SN_MAPPING) forget_lines(node->key[i]);
  }
}

/* What is written behind the equals sign: a mapping in { }, or a scalar. */
static sn_node *value_of(sn_reader *reader, const char *set) {
  const char *text = strchr(set, '=') + 1;
  if (text[0] != '{') return new_scalar(reader->arena, text, strlen(text));
  sn_context quiet = {0};
  sn_document document = {.path = prefix, .source = text, .length = strlen(text)};
  sn_reader inner = sn_reader_for(&quiet, reader->arena, &document);
  sn_node *node = sn_check_text(&inner, text, document.length) ? sn_parse_tree(&inner, text, document.length) : NULL;
  free(quiet.message);
  if (node && inner.errors == 0 && node->type == SN_MAPPING) {
    forget_lines(node);
    return node;
  }
  sn_set_error(reader, set, 0, 0, "{type: NAME, ...}", "this is no mapping");
  return NULL;
}

/* Add a key or replace its value; the arrays are made anew, as aliases may share the old ones. */
static void put(sn_arena *arena, sn_node *mapping, const char *key, sn_node *value) {
  int at = 0, count = mapping->count;
  while (at < count && strcmp(mapping->key[at]->text, key) != 0) at++;
  sn_node **keys = SN_NEW(arena, sn_node *, count + 1), **items = SN_NEW(arena, sn_node *, count + 1);
  for (int i = 0; i < count; i++) keys[i] = mapping->key[i], items[i] = mapping->item[i];
  if (at == count) {
    keys[at] = new_scalar(arena, key, strlen(key));
    mapping->count++;
  }
  items[at] = value;
  mapping->key = keys;
  mapping->item = items;
}

static void take_away(sn_node *mapping, const char *key) {
  int kept = 0;
  for (int i = 0; i < mapping->count; i++) {
    if (strcmp(mapping->key[i]->text, key) == 0) continue;
    mapping->key[kept] = mapping->key[i];
    mapping->item[kept++] = mapping->item[i];
  }
  mapping->count = kept;
}

/* The integrator of a stage as a mapping of its own. */
static sn_node *own_integrator(sn_arena *arena, sn_node *stage) {
  const sn_node *given = sn_value_of(stage, prefix, NULL);
  sn_node *own = SN_NEW(arena, sn_node, 1);
  if (given && given->type == SN_MAPPING) {
    *own = *given;
  } else {
    own->type = SN_MAPPING;
    if (given) own->line = given->line, own->column = given->column, own->length = given->length;
    sn_node *type = given ? SN_NEW(arena, sn_node, 1) : new_scalar(arena, "auto", 4);
    if (given) *type = *given;
    put(arena, own, "type", type);
  }
  put(arena, stage, prefix, own);
  return own;
}

/* The method an integrator's node names; NULL: none. */
static const sn_kind *kind_of(const sn_node *integrator) {
  const sn_node *type =
      integrator && integrator->type == SN_MAPPING ? sn_value_of(integrator, "type", NULL) : integrator;
  return type && type->type == SN_SCALAR ? sn_find_kind(SN_INTEGRATORS, type->text) : NULL;
}

/* Fields of the file's method go over to the new one: its accuracy, unless that has one of its own, and the limits of
 * its steps; see keep_accuracy in analysis/dynamics.c. */
static void keep_accuracy(sn_arena *arena, const sn_node *file, sn_node *method) {
  static const char *const accuracy[] = {"step", "tolerance", "relative", "absolute"}, *const limits[] = {"min_step",
                                                                                                          "max_step"};
  const sn_kind *from = kind_of(file), *to = kind_of(method);
  if (!from || !to || file->type != SN_MAPPING) return;
  bool own = false;
  for (size_t i = 0; i < SN_COUNT(accuracy); i++) own = own || sn_value_of(method, accuracy[i], NULL);
  for (size_t i = own ? SN_COUNT(accuracy) : 0; i < SN_COUNT(accuracy) + SN_COUNT(limits); i++) {
    const char *name = i < SN_COUNT(accuracy) ? accuracy[i] : limits[i - SN_COUNT(accuracy)];
    int at;
    if (!sn_value_of(file, name, &at) || sn_value_of(method, name, NULL) || sn_field_index(to, name) < 0) continue;
    if (i == 0 && sn_field_index(from, "tolerance") < 0) continue; /* the step of an explicit method */
    put(arena, method, name, file->item[at]);
  }
}

static void use_method(sn_arena *arena, sn_node *stage, sn_node *method) {
  const sn_node *given = sn_value_of(stage, prefix, NULL);
  if (method->type == SN_SCALAR && kind_of(given) && kind_of(given) == kind_of(method)) return; /* as in the file */
  if (method->type == SN_SCALAR) {
    sn_node *mapping = SN_NEW(arena, sn_node, 1);
    mapping->type = SN_MAPPING;
    put(arena, mapping, "type", method);
    method = mapping;
  }
  if (given) keep_accuracy(arena, given, method);
  put(arena, stage, prefix, method);
}

static void use_field(sn_arena *arena, sn_node *stage, const char *set, sn_node *value) {
  const char *name = set + prefix_length + 1, *equals = strchr(set, '=');
  sn_node *integrator = own_integrator(arena, stage);
  const char *field = sn_copy_text(arena, name, (size_t)(equals - name));
  put(arena, integrator, field, value);
  if (strcmp(field, "tolerance") != 0) return;
  take_away(integrator, "step");
  take_away(integrator, "relative");
  take_away(integrator, "absolute");
}

static bool is_dynamics(const sn_node *stage) {
  const sn_node *type = stage->type == SN_MAPPING ? sn_value_of(stage, "type", NULL) : NULL;
  return type && type->type == SN_SCALAR && strcmp(type->text, "dynamics") == 0;
}

static bool is_parameter(const sn_node *root, const char *set) {
  const sn_node *parameters = sn_value_of(root, "parameters", NULL);
  if (!parameters || parameters->type != SN_MAPPING || set[prefix_length] != '=') return false;
  return sn_value_of(parameters, prefix, NULL) != NULL;
}

/* One override in all stages it concerns; their number. */
static int apply(sn_reader *reader, sn_node *analysis, const char *set) {
  bool several = analysis && analysis->type == SN_SEQUENCE;
  int count = several ? analysis->count : analysis ? 1 : 0, stages = 0;
  for (int i = 0; i < count; i++) {
    sn_node *stage = several ? analysis->item[i] : analysis;
    if (!is_dynamics(stage)) continue;
    stages++;
    sn_node *value = value_of(reader, set);
    if (value && set[prefix_length] == '=') use_method(reader->arena, stage, value);
    if (value && set[prefix_length] == '.') use_field(reader->arena, stage, set, value);
  }
  return stages;
}

void sn_place_settings(sn_reader *reader, sn_node *root, const char *const *sets, size_t set_count) {
  int index;
  bool found = sn_value_of(root, sn_category_key(SN_ANALYSES), &index) != NULL;
  sn_node *analysis = found ? root->item[index] : NULL;
  for (int fields = 0; fields < 2; fields++) /* methods first: they bring their defaults */
    for (size_t i = 0; i < set_count; i++) {
      if (!sn_is_setting(sets[i]) || is_parameter(root, sets[i]) || (sets[i][prefix_length] == '.') != fields) continue;
      const char *equals = strchr(sets[i], '=');
      if (!equals || equals == sets[i] + prefix_length + 1)
        sn_set_error(reader, sets[i], 0, 0, "integrator=NAME or integrator.FIELD=VALUE", "this sets nothing");
      else if (apply(reader, analysis, sets[i]) == 0)
        sn_set_error(reader, sets[i], 0, 0, NULL, "the model has no analysis of type dynamics");
    }
}
