/* settings.c - overrides "integrator=NAME" and "integrator.FIELD=VALUE": the method of every dynamics stage.
 *
 * They change the tree before it is read, so that values are checked like those of the file and may use its
 * parameters. Another method starts from its own defaults. A tolerance ends a fixed step, as --tolerance does. A
 * parameter of the same name comes first.
 */
#include <string.h>

#include "model/reader.h"
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
    sn_node *type = given ? SN_NEW(arena, sn_node, 1) : new_scalar(arena, "hht-i3", 6);
    if (given) *type = *given;
    put(arena, own, "type", type);
  }
  put(arena, stage, prefix, own);
  return own;
}

static void use_method(sn_arena *arena, sn_node *stage, const char *name) {
  const sn_node *given = sn_value_of(stage, prefix, NULL);
  const sn_node *type = given && given->type == SN_MAPPING ? sn_value_of(given, "type", NULL) : given;
  if (type && type->type == SN_SCALAR && strcmp(type->text, name) == 0) return; /* with the settings of the file */
  put(arena, stage, prefix, new_scalar(arena, name, strlen(name)));
}

static void use_field(sn_arena *arena, sn_node *stage, const char *set) {
  const char *name = set + prefix_length + 1, *equals = strchr(set, '=');
  if (!equals || equals == name) return;
  sn_node *integrator = own_integrator(arena, stage);
  const char *field = sn_copy_text(arena, name, (size_t)(equals - name));
  put(arena, integrator, field, new_scalar(arena, equals + 1, strlen(equals + 1)));
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
    if (set[prefix_length] == '=')
      use_method(reader->arena, stage, set + prefix_length + 1);
    else
      use_field(reader->arena, stage, set);
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
      if (apply(reader, analysis, sets[i]) == 0)
        sn_set_error(reader, sets[i], 0, 0, NULL, "the model has no analysis of type dynamics");
    }
}
