/* read_quantity.c - references in expressions: hinge.angle, tip.x, distance(a.end, b.start), names of variables.
 *
 * Here names are checked and markers are read; what they are in the model is found when it is compiled
 * (joint/quantity.c). */
#include <string.h>

#include "model/reader.h"
#include "model/refer.h"
#include "model/tree.h"

const char *const sn_point_words[] = {"x", "y", "z", "vx", "vy", "vz"};
static const char *const calls[] = {"distance", "relative"};

static bool has_entry(const sn_reader *reader, sn_category category, const char *name) {
  return sn_map_get(&sn_reading_of(reader)->entries[category].map, name) != NULL;
}

/* ---- messages ---- */

static const sn_category owners[] = {SN_JOINTS, SN_BODIES, SN_OUTPUTS};

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
                "'%s' is not the name of a joint, body or output", name);
  return false;
}

static bool fail_component(sn_reader *reader, const sn_node *node, const char *name, const char *component) {
  const char *words[SN_REFERENCE_JOINT_WORDS + SN_REFERENCE_POINT_WORDS];
  int count = 0;
  if (has_entry(reader, SN_JOINTS, name) || has_entry(reader, SN_OUTPUTS, name))
    for (int i = 0; i < SN_REFERENCE_JOINT_WORDS; i++) words[count++] = sn_joint_words[i];
  if (has_entry(reader, SN_BODIES, name) || has_entry(reader, SN_OUTPUTS, name))
    for (int i = 0; i < SN_REFERENCE_POINT_WORDS; i++) words[count++] = sn_point_words[i];
  sn_node_error(reader, node, sn_suggest(reader->arena, component, words, count),
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

static bool read_dotted(const piece *p, sn_reference *x) {
  const char *text = p->node->text;
  const size_t dot = last_dot(text), first = strcspn(text, ".");
  const char *owner = sn_copy_text(p->reader->arena, text, first);
  x->component = text + dot + 1;
  x->name = owner;
  if (first == dot && has_entry(p->reader, SN_JOINTS, owner) && sn_find_joint_word(x->component) >= 0) {
    x->type = SN_REFERENCE_JOINT;
    return true;
  }
  if (has_entry(p->reader, SN_BODIES, owner) &&
      sn_find_word(sn_point_words, SN_REFERENCE_POINT_WORDS, x->component) >= 0) {
    x->type = SN_REFERENCE_MARKER;
    return sn_read_marker(p->reader, part(p, 0, dot), &x->marker[0]);
  }
  if (first == dot && has_entry(p->reader, SN_OUTPUTS, owner) &&
      (sn_find_joint_word(x->component) >= 0 ||
       sn_find_word(sn_point_words, SN_REFERENCE_POINT_WORDS, x->component) >= 0)) {
    x->type = SN_REFERENCE_OUTPUT;
    return true;
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
    sn_node_error(reader, node, "a function of t", "'%s' depends on the motion, which is not possible here", copy);
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

const sn_expr *sn_read_formula(sn_reader *reader, const sn_node *node, const char *what, const char *locals,
                               bool state) {
  const char *names[8];
  int count = 0;
  for (const char *at = locals; at && *at && count < (int)SN_COUNT(names); at += strcspn(at, "|"), at += *at == '|')
    names[count++] = sn_copy_text(reader->arena, at, strcspn(at, "|"));
  place user = {reader, node, state};
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
