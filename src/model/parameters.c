/* parameters.c - named numbers, defined by expressions of each other in any order.
 *
 * A parameter is evaluated at its first use; one that is used while it is being evaluated is part of a cycle. Overrides
 * ("name=expression", from the command line) take the place of what the file says. A parameter used as $name anywhere
 * is a word: that value is replaced by its text before anything is read.
 */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"
#include "model/tree.h"

/* ---- evaluation ---- */

/* "a -> b -> a" */
static void report_cycle(sn_reader *reader, sn_parameter *again) {
  sn_parameters *all = &sn_reading_of(reader)->parameters;
  int first = all->open_count - 1;
  while (first > 0 && all->open[first] != again) first--;
  char chain[600] = "";
  size_t used = 0;
  for (int i = first; i < all->open_count && used < 400; i++)
    used += (size_t)snprintf(chain + used, sizeof chain - used, "%.60s -> ", all->open[i]->name);
  snprintf(chain + used, sizeof chain - used, "%s%.60s", used < 400 ? "" : "... -> ", again->name);
  sn_node_error(reader, again->node, NULL, "parameter '%s' depends on itself: %s", again->name, chain);
  for (int i = first; i < all->open_count; i++) all->open[i]->state = SN_PARAMETER_WRONG;
}

static bool evaluate_set(sn_reader *reader, sn_parameter *parameter) {
  assert(strchr(parameter->set, '='));
  sn_reading *reading = sn_reading_of(reader);
  const char *text = strchr(parameter->set, '=') + 1;
  sn_expr_error error = {0};
  const sn_expr *expr = sn_expr_compile(&reading->scratch, text, strlen(text), &reading->scope, &error);
  if (expr) {
    parameter->value = sn_expr_value(expr, 0);
    return true;
  }
  if (!error.text[0]) return false;
  size_t before = (size_t)(text - parameter->set) + (size_t)error.offset;
  const char *expected = sn_cut_hint(&error);
  sn_set_error(reader, parameter->set, before, error.length > 0 ? (size_t)error.length : 1, expected, error.text);
  return false;
}

enum { deepest_chain = 200 }; /* each link costs a few kilobytes of stack */

static void evaluate(sn_reader *reader, sn_parameter *parameter) {
  sn_parameters *all = &sn_reading_of(reader)->parameters;
  if (all->open_count >= deepest_chain) {
    sn_node_error(reader, parameter->node, NULL, "parameters depend on each other in a chain of more than %d",
                  deepest_chain);
    for (int i = 0; i < all->open_count; i++) all->open[i]->state = SN_PARAMETER_WRONG;
    parameter->state = SN_PARAMETER_WRONG;
    return;
  }
  parameter->state = SN_PARAMETER_OPEN;
  all->open[all->open_count++] = parameter;
  assert(all->open_count <= deepest_chain);
  bool good = parameter->set ? evaluate_set(reader, parameter)
                             : sn_read_number(reader, parameter->node, parameter->name, &parameter->value);
  all->open_count--;
  if (parameter->state == SN_PARAMETER_OPEN) parameter->state = good ? SN_PARAMETER_DONE : SN_PARAMETER_WRONG;
}

/* sn_scope.lookup */
static bool look_up(void *user, const char *name, double *value, bool *failed) {
  sn_reader *reader = user;
  sn_parameter *parameter = sn_map_get(&sn_reading_of(reader)->parameters.map, name);
  if (!parameter) return false;
  if (parameter->state == SN_PARAMETER_WORD && !parameter->word) parameter->state = SN_PARAMETER_NEW; /* no word */
  if (parameter->state == SN_PARAMETER_WORD) {
    sn_node_error(reader, parameter->node, NULL, "parameter '%s' is used both as a word, $%s, and as a number", name,
                  name);
    parameter->state = SN_PARAMETER_WRONG;
  }
  if (parameter->state == SN_PARAMETER_NEW) evaluate(reader, parameter);
  if (parameter->state == SN_PARAMETER_OPEN) report_cycle(reader, parameter);
  *failed = parameter->state != SN_PARAMETER_DONE;
  *value = parameter->value;
  return !*failed;
}

/* ---- declaration ---- */

static void declare(sn_reader *reader, sn_parameter *parameter, const sn_node *key, const sn_node *node) {
  sn_parameters *all = &sn_reading_of(reader)->parameters;
  *parameter = (sn_parameter){.name = key->text, .key = key, .node = node};
  if (!sn_is_name(key->text, false)) {
    sn_node_error(reader, key, "a letter, then letters, digits and _", "'%s' cannot name a parameter", key->text);
    parameter->state = SN_PARAMETER_WRONG;
  } else if (sn_is_expression_word(key->text) && strcmp(key->text, "e") != 0) { /* e is too handy a name to keep */
    sn_node_error(reader, key, NULL, "'%s' cannot name a parameter: it has a meaning in expressions", key->text);
    parameter->state = SN_PARAMETER_WRONG;
  }
  parameter->word = sn_map_get(&all->words, parameter->name);
  if (parameter->word && parameter->state == SN_PARAMETER_NEW) parameter->state = SN_PARAMETER_WORD;
  sn_map_put(&all->map, reader->arena, parameter->name, parameter);
}

static void apply_set(sn_reader *reader, const char *set) {
  sn_parameters *all = &sn_reading_of(reader)->parameters;
  const char *equals = strchr(set, '=');
  if (!equals || equals == set) {
    sn_set_error(reader, set, 0, 0, "name=expression", "this sets nothing");
    return;
  }
  char *name = sn_copy_text(reader->arena, set, (size_t)(equals - set));
  sn_parameter *parameter = sn_map_get(&all->map, name);
  if (parameter) {
    parameter->set = set;
    return;
  }
  if (all->broken || sn_is_setting(set)) return;
  const char *expected = sn_suggest(reader->arena, name, all->names, all->count);
  sn_set_error(reader, set, 0, 0, expected, sn_format(reader->arena, "the model has no parameter or input '%s'", name));
}

static void publish(sn_reader *reader) {
  sn_parameters *all = &sn_reading_of(reader)->parameters;
  double *value = SN_NEW(reader->arena, double, all->count);
  const char **word = SN_NEW(reader->arena, const char *, all->count);
  for (int i = 0; i < all->count; i++) value[i] = all->parameter[i].value, word[i] = all->parameter[i].word;
  reader->document->parameter_count = all->count;
  reader->document->parameter_name = all->names;
  reader->document->parameter_value = value;
  reader->document->parameter_word = word;
}

/* ---- words ---- */

/* Can the text only be a word (`radau5`, `hht-i3`): names that mean nothing in expressions, with dashes between? It may
 * be unused in this run. */
static bool is_only_a_word(const sn_parameters *all, const sn_parameter *parameter) {
  const char *text = parameter->set ? strchr(parameter->set, '=') + 1 : parameter->node->text;
  if (!parameter->set && parameter->node->type != SN_SCALAR) return false;
  if (!sn_is_name(text, true)) return false;
  for (const char *part = text; *part; part += strspn(part, "-")) {
    char name[64];
    size_t length = strcspn(part, "-");
    snprintf(name, sizeof name, "%.*s", (int)length, part);
    if (sn_map_get(&all->map, name) || sn_is_expression_word(name)) return false;
    part += length;
  }
  return true;
}

static const char *word_of(sn_reader *reader, const sn_node *parameters, const char *name, const char *const *sets,
                           size_t set_count) {
  size_t length = strlen(name);
  const sn_node *node = parameters && parameters->type == SN_MAPPING ? sn_value_of(parameters, name, NULL) : NULL;
  if (!node || node->type != SN_SCALAR || sn_is_nothing(node)) return NULL;
  for (size_t i = set_count; i-- > 0;) /* the last override is in force */
    if (strncmp(sets[i], name, length) == 0 && sets[i][length] == '=')
      return sn_copy_text(reader->arena, sets[i] + length + 1, strlen(sets[i] + length + 1));
  return node->text;
}

static void place_words(sn_reader *reader, const sn_node *parameters, sn_node *node, const char *const *sets,
                        size_t set_count) {
  if (node->type == SN_SCALAR) {
    if (node->quoted || node->text[0] != '$' || sn_reader_full(reader)) return;
    const char *name = node->text + 1, *word = word_of(reader, parameters, name, sets, set_count);
    if (word) {
      sn_map_put(&sn_reading_of(reader)->parameters.words, reader->arena, name, (void *)(uintptr_t)word);
      node->text = word;
    } else {
      const char *names[64];
      int count = 0;
      for (; parameters && parameters->type == SN_MAPPING && count < parameters->count && count < 64; count++)
        names[count] = parameters->key[count]->text;
      sn_node_error(reader, node, sn_suggest(reader->arena, name, names, count), "unknown parameter '%s'", name);
    }
  }
  for (int i = 0; i < node->count; i++) place_words(reader, parameters, node->item[i], sets, set_count);
}

bool sn_place_words(sn_reader *reader, sn_node *root, const char *const *sets, size_t set_count) {
  const sn_node *parameters = sn_value_of(root, "parameters", NULL);
  int errors = reader->errors;
  for (int i = 0; i < root->count; i++)
    if (root->item[i] != parameters) place_words(reader, parameters, root->item[i], sets, set_count);
  return reader->errors == errors;
}

void sn_read_parameters(sn_reader *reader, const sn_node *node, const char *const *sets, size_t set_count) {
  sn_reading *reading = sn_reading_of(reader);
  sn_parameters *all = &reading->parameters;
  if (node && node->type == SN_MAPPING) {
    all->count = node->count;
    all->parameter = SN_NEW(reader->arena, sn_parameter, node->count);
    all->names = SN_NEW(reader->arena, const char *, node->count);
    all->open = SN_NEW(reader->arena, sn_parameter *, deepest_chain);
    for (int i = 0; i < node->count; i++) {
      declare(reader, &all->parameter[i], node->key[i], node->item[i]);
      all->names[i] = all->parameter[i].name;
    }
  } else if (node && !sn_is_nothing(node)) {
    sn_node_error(reader, node, NULL, "expected a mapping {name: number, ...} for 'parameters', found %s",
                  sn_found(reader, node));
    all->broken = true;
  }
  reading->scope = (sn_scope){.lookup = look_up, .user = reader, .names = all->names, .name_count = all->count};
  for (size_t i = 0; i < set_count; i++) apply_set(reader, sets[i]);
  for (int i = 0; i < all->count && !sn_reader_full(reader); i++) {
    sn_parameter *parameter = &all->parameter[i];
    if (parameter->state != SN_PARAMETER_NEW) continue;
    if (is_only_a_word(all, parameter))
      parameter->state = SN_PARAMETER_WORD;
    else
      evaluate(reader, parameter);
  }
  publish(reader);
}
