/* read_quantity.c - references in expressions: hinge.angle, tip.x, distance(a.end, b.start), names of variables.
 *
 * Here names are checked and markers are read; what they are in the model is found when it is compiled
 * (joint/quantity.c). */
#include <string.h>

#include "model/model.h"
#include "model/reader.h"
#include "model/refer.h"
#include "model/tree.h"

const char *const sn_point_words[] = {"x", "y", "z", "vx", "vy", "vz"};
const char *const sn_reaction_words[] = {"fx", "fy", "fz", "mx", "my", "mz", "force", "moment", "x", "y", "z"};
const char *const sn_energy_words[] = {"kinetic_energy", "potential_energy", "energy"};
const char *const sn_spring_words[] = {"force", "moment", "length", "angle", "rate"};
static const char *const calls[] = {"distance", "relative"};

static bool has_entry(const sn_reader *reader, sn_category category, const char *name) {
  return sn_map_get(&sn_reading_of(reader)->entries[category].map, name) != NULL;
}

/* ---- messages ---- */

static const sn_category owners[] = {SN_JOINTS, SN_BODIES, SN_FORCES, SN_OUTPUTS};

static bool fail_name(sn_reader *reader, const sn_node *node, const char *name) {
  int count = 0;
  for (size_t i = 0; i < SN_COUNT(owners); i++) {
    const sn_entries *entries = &sn_reading_of(reader)->entries[owners[i]];
    if (entries->broken) return false;
    count += entries->count;
  }
  const char **names = SN_NEW(reader->arena, const char *, count + 1);
  count = 0;
  for (size_t i = 0; i < SN_COUNT(owners); i++) {
    const sn_entries *entries = &sn_reading_of(reader)->entries[owners[i]];
    for (int k = 0; k < entries->count; k++) names[count++] = entries->names[k];
  }
  sn_node_error(reader, node, sn_suggest(reader->arena, name, names, count),
                "'%s' is not the name of a joint, body, force or output", name);
  return false;
}

/* ---- words ---- */

typedef struct word_list {
  const char *word[96];
  int count;
} word_list;

static void add_words(word_list *list, const char *const *words, int count) {
  for (int i = 0; i < count && list->count < (int)SN_COUNT(list->word); i++)
    if (sn_find_word(list->word, list->count, words[i]) < 0) list->word[list->count++] = words[i];
}

/* Columns of the resultants of all kinds of bodies. */
static void add_resultants(word_list *list) {
  for (int i = 0; sn_kinds[i]; i++) {
    if (sn_kinds[i]->category != SN_BODIES) continue;
    const sn_body_ops *ops = (const sn_body_ops *)(const void *)sn_kinds[i];
    const sn_headings *space = ops->resultant_headings, *plane = ops->planar ? ops->planar->resultant_headings : NULL;
    if (space) add_words(list, space->name, space->count);
    if (plane) add_words(list, plane->name, plane->count);
  }
}

static bool is_resultant(const char *word) {
  word_list list = {.count = 0};
  add_resultants(&list);
  return sn_find_word(list.word, list.count, word) >= 0;
}

/* What may stand behind the dot of an output; which of it the output has is found when it is compiled. */
static bool is_column(const char *word) {
  static const char *const value[] = {"value"};
  word_list list = {.count = 0};
  add_words(&list, sn_joint_words, SN_REFERENCE_JOINT_WORDS);
  add_words(&list, sn_point_words, SN_REFERENCE_POINT_WORDS);
  add_words(&list, sn_reaction_words, SN_REFERENCE_REACTION_WORDS);
  add_words(&list, sn_spring_words, SN_REFERENCE_SPRING_WORDS);
  add_words(&list, value, 1);
  return sn_find_word(list.word, list.count, word) >= 0 || sn_find_joint_word(word) >= 0 || is_resultant(word);
}

static bool fail_component(sn_reader *reader, const sn_node *node, const char *name, const char *component) {
  word_list list = {.count = 0};
  const bool output = has_entry(reader, SN_OUTPUTS, name), body = has_entry(reader, SN_BODIES, name);
  if (strstr(node->text, ".reaction."))
    add_words(&list, sn_reaction_words, SN_REFERENCE_REACTION_WORDS);
  else if (has_entry(reader, SN_JOINTS, name) || output)
    add_words(&list, sn_joint_words, SN_REFERENCE_JOINT_WORDS);
  if (body || output) add_words(&list, sn_point_words, SN_REFERENCE_POINT_WORDS);
  if (has_entry(reader, SN_FORCES, name)) add_words(&list, sn_spring_words, SN_REFERENCE_SPRING_WORDS);
  sn_node_error(reader, node, sn_suggest(reader->arena, component, list.word, list.count),
                "'%s' has no quantity '%s' that expressions can use", name, component);
  return false;
}

/* ---- pieces ---- */

typedef struct piece { /* text[begin .. end) of a reference */
  sn_reader *reader;
  const sn_node *node; /* of the reference as a whole; its text is the reference */
} piece;

static const sn_node *part(const piece *p, size_t begin, size_t end) {
  while (begin < end && p->node->text[begin] == ' ') begin++;
  while (begin < end && p->node->text[end - 1] == ' ') end--;
  sn_node *node = SN_NEW(p->reader->arena, sn_node, 1);
  *node = *p->node;
  node->text = sn_copy_text(p->reader->arena, p->node->text + begin, end - begin);
  node->column += (int)begin;
  node->length = (int)(end - begin);
  return node;
}

/* (a, b) from `open` on: two markers. */
static bool read_arguments(const piece *p, const char *call, size_t open, size_t close, sn_reference *x) {
  const char *text = p->node->text;
  size_t comma = 0;
  int level = 0, commas = 0;
  for (size_t i = open + 1; i < close; i++) {
    level += (text[i] == '(') - (text[i] == ')');
    if (text[i] == ',' && level == 0) comma = i, commas++;
  }
  if (commas != 1) {
    sn_node_error(p->reader, p->node, sn_format(p->reader->arena, "%s(marker, marker)", call),
                  "'%s' takes 2 markers, %d given", call, commas + 1);
    return false;
  }
  return sn_read_marker(p->reader, part(p, open + 1, comma), &x->marker[0]) &&
         sn_read_marker(p->reader, part(p, comma + 1, close), &x->marker[1]);
}

static bool read_call(const piece *p, sn_reference *x) {
  const char *text = p->node->text;
  const size_t open = strcspn(text, "(");
  size_t close = open;
  for (int level = 0;; close++) {
    level += (text[close] == '(') - (text[close] == ')');
    if (level == 0) break;
  }
  const bool relative = strncmp(text, "relative", open) == 0;
  x->type = relative ? SN_REFERENCE_RELATIVE : SN_REFERENCE_DISTANCE;
  x->component = text[close + 1] ? text + close + 2 : "";
  const bool known = relative ? sn_find_word(sn_point_words, SN_REFERENCE_POINT_WORDS, x->component) >= 0
                              : !x->component[0] || strcmp(x->component, "rate") == 0;
  if (!known) {
    sn_node_error(p->reader, p->node,
                  relative ? "relative(a, b).x, .y, .z, .vx, .vy or .vz" : "distance(a, b) or distance(a, b).rate",
                  "'%s' is not a quantity", text);
    return false;
  }
  return read_arguments(p, relative ? "relative" : "distance", open, close, x);
}

/* The last dot outside parentheses. */
static size_t last_dot(const char *text) {
  size_t dot = 0;
  int level = 0;
  for (size_t i = 0; text[i]; i++) {
    level += (text[i] == '(') - (text[i] == ')');
    if (text[i] == '.' && level == 0) dot = i;
  }
  return dot;
}

/* The type that the parts of a reference owner[...].component mean, -1: none. `simple`: there is one dot. */
static int type_of(const sn_reader *reader, const char *text, const char *owner, const char *component, bool simple) {
  const bool joint = has_entry(reader, SN_JOINTS, owner), body = has_entry(reader, SN_BODIES, owner);
  if (simple && joint && sn_find_joint_word(component) >= 0) return SN_REFERENCE_JOINT;
  if (joint && strncmp(text + strlen(owner), ".reaction.", 10) == 0 && component == text + strlen(owner) + 10 &&
      sn_find_word(sn_reaction_words, SN_REFERENCE_REACTION_WORDS, component) >= 0)
    return SN_REFERENCE_REACTION;
  if (body && sn_find_word(sn_point_words, SN_REFERENCE_POINT_WORDS, component) >= 0) return SN_REFERENCE_MARKER;
  if (simple && (body || strcmp(owner, "model") == 0) &&
      sn_find_word(sn_energy_words, SN_REFERENCE_ENERGY_WORDS, component) >= 0)
    return SN_REFERENCE_ENERGY;
  if (body && is_resultant(component)) return SN_REFERENCE_RESULTANT;
  if (simple && has_entry(reader, SN_OUTPUTS, owner) && is_column(component)) return SN_REFERENCE_OUTPUT;
  if (simple && has_entry(reader, SN_FORCES, owner) &&
      sn_find_word(sn_spring_words, SN_REFERENCE_SPRING_WORDS, component) >= 0)
    return SN_REFERENCE_SPRING;
  return -1;
}

static bool read_dotted(const piece *p, sn_reference *x) {
  const char *text = p->node->text;
  const size_t dot = last_dot(text), first = strcspn(text, ".");
  const char *owner = sn_copy_text(p->reader->arena, text, first);
  x->component = text + dot + 1;
  x->name = owner;
  const int type = type_of(p->reader, text, owner, x->component, first == dot);
  if (type >= 0) {
    x->type = (sn_reference_type)type;
    return (x->type != SN_REFERENCE_MARKER && x->type != SN_REFERENCE_RESULTANT) ||
           sn_read_marker(p->reader, part(p, 0, dot), &x->marker[0]);
  }
  if (first == dot && (has_entry(p->reader, SN_CONTROLLERS, owner) || has_entry(p->reader, SN_FORCES, owner))) {
    x->type = SN_REFERENCE_VARIABLE; /* of its own; which it has is known when it is compiled */
    x->name = text;
    return true;
  }
  for (size_t i = 0; i < SN_COUNT(owners); i++)
    if (has_entry(p->reader, owners[i], owner)) return fail_component(p->reader, p->node, owner, x->component);
  return fail_name(p->reader, p->node, owner);
}

/* ---- the callback of scopes ---- */

typedef struct place {
  sn_reader *reader;
  const sn_node *node; /* the formula */
  bool allowed;
  const char *instead; /* what may stand there if it is not */
} place;

/* u.value of a variable or input is u. */
static const char *value_name(const sn_reader *reader, const char *text) {
  const size_t dot = strcspn(text, ".");
  if (strcmp(text + dot, ".value") != 0) return text;
  const char *name = sn_copy_text(reader->arena, text, dot);
  return has_entry(reader, SN_VARIABLES, name) || has_entry(reader, SN_INPUTS, name) ? name : text;
}

static const void *refer(void *user, const char *text, size_t offset, size_t length, bool *failed) {
  const place *at = user;
  sn_reader *reader = at->reader;
  sn_reading *reading = sn_reading_of(reader);
  const char *copy = value_name(reader, sn_copy_text(reader->arena, text, length));
  const bool plain = !copy[strcspn(copy, ".(")];
  const bool variable = plain && (has_entry(reader, SN_VARIABLES, copy) || has_entry(reader, SN_CONTROLLERS, copy)),
             input = plain && has_entry(reader, SN_INPUTS, copy);
  if (plain && !variable && !input) return NULL;
  sn_node *node = SN_NEW(reader->arena, sn_node, 1);
  *node = sn_part_of(reader, at->node, offset, length);
  node->text = copy;
  node->quoted = false;
  *failed = true;
  if (!at->allowed) {
    sn_node_error(reader, node, at->instead,
                  input ? "input '%s' may change while the simulation runs, which is not possible here"
                        : "'%s' depends on the motion, which is not possible here",
                  copy);
    return NULL;
  }
  sn_reference *x = sn_map_get(&reading->references, copy);
  if (x) return x;
  x = SN_NEW(reader->arena, sn_reference, 1);
  *x = (sn_reference){.text = copy, .node = node, .name = copy, .component = ""};
  const piece p = {reader, node};
  if (plain)
    x->type = variable ? SN_REFERENCE_VARIABLE : SN_REFERENCE_INPUT;
  else if (!(copy[strcspn(copy, ".(")] == '(' ? read_call(&p, x) : read_dotted(&p, x)))
    return NULL;
  sn_map_put(&reading->references, reader->arena, copy, x);
  return x;
}

const sn_expr *sn_read_field_function(sn_reader *reader, const sn_node *node, const char *what) {
  static const char *const names[] = {"x", "y", "z"};
  place user = {reader, node, false, "a function of x, y, z and t"};
  sn_scope scope = sn_reading_of(reader)->scope;
  scope.time_allowed = true;
  scope.variables = names;
  scope.variable_count = 3;
  scope.refer = refer;
  scope.refer_user = &user;
  scope.calls = calls;
  scope.call_count = (int)SN_COUNT(calls);
  return sn_read_in_scope(reader, node, what, "a function of x, y, z and t", &scope);
}

const sn_expr *sn_read_formula(sn_reader *reader, const sn_node *node, const char *what, const char *locals,
                               bool state) {
  const char *names[8];
  int count = 0;
  for (const char *at = locals; at && *at && count < (int)SN_COUNT(names); at += strcspn(at, "|"), at += *at == '|')
    names[count++] = sn_copy_text(reader->arena, at, strcspn(at, "|"));
  place user = {reader, node, state, "a function of t, such as a table of a file: name(t)"};
  sn_scope scope = sn_reading_of(reader)->scope;
  scope.time_allowed = true;
  scope.variables = names;
  scope.variable_count = count;
  scope.refer = refer;
  scope.refer_user = &user;
  scope.calls = calls;
  scope.call_count = (int)SN_COUNT(calls);
  return sn_read_in_scope(reader, node, what, "a formula", &scope);
}

void sn_check_quantity_names(sn_reader *reader) {
  static const sn_category categories[] = {SN_VARIABLES, SN_INPUTS, SN_CONTROLLERS};
  const sn_reading *reading = sn_reading_of(reader);
  for (size_t c = 0; c < SN_COUNT(categories); c++) {
    const sn_entries *entries = &reading->entries[categories[c]];
    for (int i = 0; i < entries->count; i++) {
      const char *name = entries->names[i], *other = NULL;
      if (sn_is_expression_word(name) || sn_find_word(calls, (int)SN_COUNT(calls), name) >= 0)
        other = "it has a meaning in expressions";
      else if (sn_map_get(&reading->parameters.map, name))
        other = "it is a parameter";
      else if (sn_map_get(&reading->entries[SN_TABLES].map, name))
        other = "it is a table";
      for (size_t k = 0; k < c && !other; k++)
        if (sn_map_get(&reading->entries[categories[k]].map, name)) other = k ? "it is an input" : "it is a variable";
      if (other)
        sn_node_error(reader, entries->entry[i].key, "another name", "the name '%s' is not possible here: %s", name,
                      other);
    }
  }
}
