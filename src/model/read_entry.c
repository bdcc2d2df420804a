/* read_entry.c - entries of a category: name, type, and the fields of the type's table. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"
#include "model/registry.h"
#include "model/tree.h"

/* ---- defaults ---- */

/* The default of a field as a node, made by the parser that reads files; wrong ones are our own errors. */
static const sn_node *parse_default(const sn_reader *reader, const char *text) {
  if (text[0] == '[' || text[0] == '{') {
    sn_context quiet = {0};
    sn_document document = {.path = "default", .source = text, .length = strlen(text)};
    sn_reader inner = sn_reader_for(&quiet, reader->arena, &document);
    sn_node *node = sn_parse_tree(&inner, text, document.length);
    if (node) return node;
  }
  sn_node *node = SN_NEW(reader->arena, sn_node, 1);
  node->type = SN_SCALAR;
  node->text = text;
  return node;
}

static const sn_node *default_of(const sn_reader *reader, const sn_kind *kind, int field) {
  sn_reading *reading = sn_reading_of(reader);
  int k = 0, count = 0;
  while (sn_kinds[k] && sn_kinds[k] != kind) k++;
  if (!reading->defaults) {
    int kinds = 0;
    while (sn_kinds[kinds]) kinds++;
    reading->defaults = SN_NEW(reader->arena, const sn_node **, kinds + 1); /* the last: the file's head */
  }
  while (kind->fields[count].name) count++;
  if (!reading->defaults[k]) reading->defaults[k] = SN_NEW(reader->arena, const sn_node *, count);
  const sn_node **cached = &reading->defaults[k][field];
  if (!*cached) *cached = parse_default(reader, kind->fields[field].def);
  return *cached;
}

/* ---- fields ---- */

typedef struct fill { /* a spec being filled */
  const sn_kind *kind;
  const char *name;
  sn_spec *spec;
  uint64_t meant; /* bit i: an unknown key probably meant field i */
  bool good;
} fill;

/* "the integrator symplectic-euler": the kind of another category that has this key, if no key here has a similar name;
 * NULL: none. */
static const char *owner_of(const sn_reader *reader, const sn_kind *kind, const char *key) {
  const char *names = "", *noun = NULL;
  int count = 0;
  for (const sn_kind *const *k = sn_kinds; *k; k++) {
    if ((*k)->category == kind->category || (*k)->category >= SN_VARIATIONS || sn_field_index(*k, key) < 0) continue;
    if (noun && noun != sn_category_noun((*k)->category)) return NULL;
    noun = sn_category_noun((*k)->category);
    if (count++ < 3) names = sn_format(reader->arena, "%s%s%s", names, count > 1 ? ", " : " ", (*k)->name);
  }
  if (!noun) return NULL;
  return sn_format(reader->arena, "the %s%s%s", noun, names, count > 3 ? ", ..." : "");
}

/* {type:cable}: one key without a value. True after reporting. */
static bool report_colon(sn_reader *reader, const sn_node *key) {
  const char *colon = key->quoted ? NULL : strchr(key->text, ':');
  if (!colon) return false;
  sn_node_error(reader, key, "a blank after the ':' of a key", "'%.*s' has no value", (int)(colon - key->text),
                key->text);
  return true;
}

static void report_unknown(sn_reader *reader, fill *f, const sn_node *key, const char *const *more, int more_count) {
  const char *names[64 + 16];
  int count = 0;
  if (report_colon(reader, key)) {
    const int meant = sn_field_index(f->kind, sn_copy_text(reader->arena, key->text, strcspn(key->text, ":")));
    if (meant >= 0) f->meant |= (uint64_t)1 << meant;
    return;
  }
  for (int i = 0; f->kind->fields[i].name && count < 64; i++) names[count++] = f->kind->fields[i].name;
  for (int i = 0; i < more_count && count < (int)SN_COUNT(names); i++) names[count++] = more[i];
  const char *near = sn_nearest(key->text, names, count);
  int index = near ? sn_field_index(f->kind, near) : -1;
  if (index >= 0) f->meant |= (uint64_t)1 << index;
  const char *owner = near ? NULL : owner_of(reader, f->kind, key->text);
  const char *expected = sn_suggest(reader->arena, key->text, names, count);
  if (owner) expected = sn_format(reader->arena, "%s; '%s' is a key of %s", expected, key->text, owner);
  sn_node_error(reader, key, expected, "unknown key '%s' in %s", key->text, sn_label(reader, f->kind, f->name));
}

static bool is_among(const char *word, const char *const *names, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(word, names[i]) == 0) return true;
  return false;
}

/* What stands in the file. */
static void fill_given(sn_reader *reader, fill *f, const sn_node *node, const char *const *more, int more_count) {
  for (int i = 0; i < node->count && !sn_reader_full(reader); i++) {
    const sn_node *key = node->key[i];
    int index = sn_field_index(f->kind, key->text);
    if (index < 0) {
      if (is_among(key->text, more, more_count)) continue;
      report_unknown(reader, f, key, more, more_count);
      f->good = false;
      continue;
    }
    const sn_field *field = &f->kind->fields[index];
    f->spec->given |= (uint64_t)1 << index;
    if (!sn_read_value(reader, field, node->item[i], (char *)f->spec + field->at)) f->good = false;
  }
}

/* What does not: defaults, and the required fields that are missing. */
static void fill_defaults(sn_reader *reader, fill *f, const sn_node *label) {
  const char *missing[64], *hint = NULL;
  int count = 0;
  for (int i = 0; f->kind->fields[i].name; i++) {
    const sn_field *field = &f->kind->fields[i];
    if ((f->spec->given | f->meant) >> i & 1) continue;
    if (field->def) {
      if (!sn_read_value(reader, field, default_of(reader, f->kind, i), (char *)f->spec + field->at)) f->good = false;
    } else if (field->required) {
      if (!count)
        hint = sn_format(reader->arena, "%s: %s%s%s%s", field->name, field->help, field->unit ? " [" : "",
                         field->unit ? field->unit : "", field->unit ? "]" : "");
      assert((size_t)count < SN_COUNT(missing));
      missing[count++] = field->name;
    }
  }
  if (!count) return;
  sn_node_error(reader, label, count == 1 ? hint : NULL, "missing key%s %s in %s", count > 1 ? "s" : "",
                sn_join(reader->arena, missing, count, "'", "'"), sn_label(reader, f->kind, f->name));
  f->good = false;
}

/* Is the table of a kind in order? A row wrong there would be read into other fields. */
SN_ASSERTED static bool is_table(const sn_kind *kind) {
  int count = 0;
  for (const sn_field *f = kind->fields; f->name; f++, count++)
    if (f->at < sizeof(sn_spec) || f->at >= kind->spec_size || !f->help ||
        (f->type == SN_CHOICE) != (f->choices != NULL) || (f->required && f->def))
      return false;
  return count <= 64; /* bits of `given` */
}

const sn_spec *sn_read_fields(sn_reader *reader, const sn_kind *kind, const char *name, const sn_node *label,
                              const sn_node *node, const char *const *more_keys, int more_count) {
  assert(kind && is_table(kind) && name);
  fill f = {.kind = kind, .name = name, .good = true};
  f.spec = sn_alloc(reader->arena, 1, kind->spec_size);
  *f.spec = (sn_spec){.kind = kind, .name = name, .node = node, .label = label};
  if (node && node->type == SN_MAPPING) fill_given(reader, &f, node, more_keys, more_count);
  fill_defaults(reader, &f, label);
  int errors = reader->errors;
  if (f.good && kind->check) kind->check(reader, f.spec);
  return f.good && reader->errors == errors ? f.spec : NULL;
}

bool sn_read_more_fields(sn_reader *reader, sn_spec *spec, const sn_node *mapping) {
  assert(mapping->type == SN_MAPPING);
  fill f = {.kind = spec->kind, .name = spec->name, .spec = spec, .good = true};
  fill_given(reader, &f, mapping, NULL, 0);
  int errors = reader->errors;
  if (f.good && spec->kind->check) spec->kind->check(reader, spec);
  return f.good && reader->errors == errors;
}

/* ---- types ---- */

static int kind_names(sn_category category, const char *names[64]) {
  int count = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind && count < 64; kind++)
    if ((*kind)->category == category) names[count++] = (*kind)->name;
  assert(count < 64); /* none left out */
  return count;
}

static const sn_kind *find_type(sn_reader *reader, sn_category category, const sn_node *type) {
  if (type->type != SN_SCALAR || sn_is_nothing(type)) {
    sn_node_error(reader, type, NULL, "expected the name of a type, found %s", sn_found(reader, type));
    return NULL;
  }
  const sn_kind *kind = sn_find_kind(category, type->text);
  if (kind) return kind;
  const char *names[64];
  int count = kind_names(category, names);
  sn_node_error(reader, type, sn_suggest(reader->arena, type->text, names, count), "unknown type of %s: %s",
                sn_category_noun(category), sn_found(reader, type));
  return NULL;
}

static const sn_kind *missing_type(sn_reader *reader, sn_category category, const char *name, const sn_node *label,
                                   const sn_node *node) {
  for (int i = 0; i < node->count; i++)
    if (strncmp(node->key[i]->text, "type:", 5) == 0 && report_colon(reader, node->key[i])) return NULL;
  const sn_kind *kind = sn_unnamed_kind(category);
  if (category == SN_BODIES && strcmp(name, "ground") == 0) kind = sn_find_kind(SN_BODIES, "ground");
  if (kind) return kind;
  const char *names[64];
  int count = kind_names(category, names);
  const char *expected =
      sn_format(reader->arena, "type: %s%s", count > 1 ? "one of " : "", sn_join(reader->arena, names, count, "", ""));
  if (name[0])
    sn_node_error(reader, label, expected, "missing key 'type' in %s '%s'", sn_category_noun(category), name);
  else
    sn_node_error(reader, label, expected, "missing key 'type' in %s", sn_category_noun(category));
  return NULL;
}

/* The name ground and the type ground belong together: there is one, and markers name it without declaring it. */
static bool is_ground_right(sn_reader *reader, const sn_kind *kind, const char *name, const sn_node *label) {
  if (kind->category != SN_BODIES) return true;
  bool name_is = strcmp(name, "ground") == 0, kind_is = strcmp(kind->name, "ground") == 0;
  if (name_is == kind_is) return true;
  if (name_is)
    sn_node_error(reader, label, "another name", "'ground' is the name of the inertial frame and cannot be a %s",
                  kind->name);
  else
    sn_node_error(reader, label, "the name 'ground'", "there is only one ground; it cannot be named '%s'", name);
  return false;
}

const sn_spec *sn_read_spec(sn_reader *reader, sn_category category, const char *name, const sn_node *label,
                            const sn_node *node) {
  static const char *const more_keys[] = {"type"};
  const sn_kind *kind;
  bool by_name = !name[0] || category == SN_MEASURED; /* only the name of a kind will do */
  if (node->type == SN_SCALAR && !sn_is_nothing(node) && by_name) {
    kind = find_type(reader, category, node);
  } else if (node->type != SN_MAPPING) {
    sn_node_error(reader, node, NULL, "expected a mapping {key: value, ...} for %s%s%s%s, found %s",
                  sn_category_noun(category), name[0] ? " '" : "", name, name[0] ? "'" : "", sn_found(reader, node));
    return NULL;
  } else {
    const sn_node *type = sn_value_of(node, "type", NULL);
    kind = type ? find_type(reader, category, type) : missing_type(reader, category, name, label, node);
  }
  if (!kind || !is_ground_right(reader, kind, name, label)) return NULL;
  return sn_read_fields(reader, kind, name, label, node, more_keys, 1);
}

/* ---- categories ---- */

static void check_name(sn_reader *reader, sn_category category, const sn_node *key) {
  const bool dashes = !sn_is_word(category); /* in an expression a dash is a minus */
  if (!sn_is_name(key->text, dashes))
    sn_node_error(
        reader, key, dashes ? "a letter, then letters, digits, _ and -" : "a letter, then letters, digits and _",
        "'%s' cannot name %s %s", key->text, sn_article(sn_category_noun(category)), sn_category_noun(category));
}

bool sn_declare_entries(sn_reader *reader, sn_category category, const sn_node *node) {
  assert(category < SN_CATEGORIES && sn_reading_of(reader)->entries[category].count == 0); /* once */
  sn_entries *entries = &sn_reading_of(reader)->entries[category];
  if (node && node->type != SN_MAPPING && !sn_is_nothing(node)) {
    sn_node_error(reader, node, NULL, "expected a mapping {name: {...}, ...} for '%s', found %s",
                  sn_category_key(category), sn_found(reader, node));
    entries->broken = true;
    return false;
  }
  int count = node && node->type == SN_MAPPING ? node->count : 0;
  bool add_ground = category == SN_BODIES && !sn_value_of(node, "ground", NULL);
  entries->entry = SN_NEW(reader->arena, sn_entry, count + 1);
  entries->names = SN_NEW(reader->arena, const char *, count + 1);
  if (add_ground) entries->entry[entries->count++].name = "ground";
  for (int i = 0; i < count; i++) {
    check_name(reader, category, node->key[i]);
    entries->entry[entries->count++] =
        (sn_entry){.name = node->key[i]->text, .key = node->key[i], .node = node->item[i]};
  }
  for (int i = 0; i < entries->count; i++) {
    entries->names[i] = entries->entry[i].name;
    sn_map_put(&entries->map, reader->arena, entries->names[i], &entries->entry[i]);
  }
  return true;
}

void sn_read_entries(sn_reader *reader, sn_category category) {
  sn_entries *entries = &sn_reading_of(reader)->entries[category];
  sn_list *list = &reader->document->list[category];
  list->item = SN_NEW(reader->arena, const sn_spec *, entries->count);
  for (int i = 0; i < entries->count && !sn_reader_full(reader); i++) {
    sn_entry *entry = &entries->entry[i];
    if (entry->node)
      entry->spec = sn_read_spec(reader, category, entry->name, entry->key, entry->node);
    else
      entry->spec = sn_read_fields(reader, sn_find_kind(category, entry->name), entry->name, NULL, NULL, NULL, 0);
    if (entry->spec) list->item[list->count++] = entry->spec;
  }
}
