/* read.c - the model file as a whole. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"
#include "model/registry.h"
#include "model/tables.h"
#include "model/tree.h"

/* ---- the head of a file ---- */

typedef struct head_spec {
  sn_spec spec;
  int version;
  const char *title;
  double gravity[3];
  bool planar;
  sn_body_coordinates keep;
} head_spec;

enum { supported_version = 1 };

const sn_field sn_document_fields[] = {
    {"sinew", SN_INT, SN_AT(head_spec, version), .required = true, .help = "1, the version of the file format"},
    {"title", SN_TEXT, SN_AT(head_spec, title), .def = "", .help = "title of the model"},
    {"gravity", SN_VECTOR, SN_AT(head_spec, gravity), .unit = "m/s2", .def = "[0, 0, 0]",
     .help = "gravitational acceleration"},
    {"planar", SN_BOOL, SN_AT(head_spec, planar), .def = "false",
     .help = "planar model in the x-y plane: two-dimensional coordinates, joints and outputs"},
    {"keep", SN_BODY_COORDINATES, SN_AT(head_spec, keep),
     .help = "coordinates that keep their given values when the initial positions are adjusted to the joints: "
             "positions, and velocities if they are given; default: positions change as little as possible, and all "
             "given velocities are kept"},
    {0},
};

const sn_kind sn_head_kind = {.name = "the model",
                              .category = SN_CATEGORIES,
                              .summary = "top-level keys of a file",
                              .fields = sn_document_fields,
                              .spec_size = sizeof(head_spec)};

/* A file of another version may differ in anything, so that this is checked before all else. */
bool sn_check_root(sn_reader *reader, const sn_node *root, const char *what) {
  double version;
  if (root->type != SN_MAPPING) {
    sn_node_error(reader, root, sn_format(reader->arena, "%s, beginning with 'sinew: 1'", what), "the file holds %s",
                  sn_found(reader, root));
    return false;
  }
  const sn_node *node = sn_value_of(root, "sinew", NULL);
  if (!node) return true; /* reported with the other missing keys */
  if (!sn_read_number(reader, node, "sinew", &version)) return false;
  if (version == supported_version) return true;
  sn_node_error(reader, node, sn_format(reader->arena, "sinew: %d", supported_version),
                "version %.10g of the file format is not supported", version);
  return false;
}

/* The keys at the top that are not in the head's table. */
static int other_keys(const char *keys[SN_CATEGORIES + 1]) {
  int count = 0;
  keys[count++] = "parameters";
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (sn_is_key_of(SN_MODEL_FILE, (sn_category)i)) keys[count++] = sn_category_key((sn_category)i);
  return count;
}

/* Nothing can be said about the names under this key (NULL: under any). */
static void distrust(sn_reading *reading, const char *key) {
  if (!key || strcmp(key, "parameters") == 0) reading->parameters.broken = true;
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (!key || strcmp(key, sn_category_key((sn_category)i)) == 0) reading->entries[i].broken = true;
}

/* Names are not known where a key is misspelled, or was given twice and taken out of the tree. */
static void distrust_wrong_keys(sn_reader *reader, const sn_node *root) {
  const char *keys[SN_CATEGORIES + 1];
  int count = other_keys(keys);
  if (reader->errors) distrust(sn_reading_of(reader), NULL);
  for (int i = 0; i < root->count && i < 100; i++) {
    const char *key = root->key[i]->text;
    const char *meant = sn_field_index(&sn_head_kind, key) < 0 ? sn_nearest(key, keys, count) : NULL;
    if (meant && strcmp(meant, key) != 0) distrust(sn_reading_of(reader), meant);
  }
}

static void read_head(sn_reader *reader, const sn_node *root) {
  const char *keys[SN_CATEGORIES + 1];
  int count = other_keys(keys);
  const head_spec *head = (const head_spec *)sn_read_fields(reader, &sn_head_kind, "",
                                                            root->count ? root->key[0] : root, root, keys, count);
  if (!head) return;
  reader->document->title = head->title;
  memcpy(reader->document->gravity, head->gravity, sizeof head->gravity);
  reader->document->planar = head->planar;
  reader->document->keep = head->keep;
  if (head->planar && head->gravity[2] != 0)
    sn_field_error(reader, &head->spec, "gravity", "a third component of 0",
                   "gravity points out of the plane of this planar model");
}

/* ---- tables, which expressions use as functions ---- */

static void compile_tables(sn_reader *reader) {
  sn_reading *reading = sn_reading_of(reader);
  const sn_list *list = &reader->document->list[SN_TABLES];
  sn_table *tables = SN_NEW(reader->arena, sn_table, list->count);
  int count = 0;
  for (int i = 0; i < list->count; i++) {
    const sn_table_spec *spec = (const sn_table_spec *)list->item[i];
    if (sn_is_expression_word(spec->spec.name))
      sn_node_error(reader, spec->spec.label, "another name",
                    "'%s' cannot name a table: it has a meaning in expressions", spec->spec.name);
    sn_entry *entry = sn_map_get(&reading->entries[SN_TABLES].map, spec->spec.name);
    if (sn_make_table(reader, spec, &tables[count]))
      count++;
    else
      entry->spec = NULL; /* expressions that use it are not complained about */
  }
  reader->document->tables = reading->scope.tables = tables;
  reader->document->table_count = reading->scope.table_count = count;
}

/* ---- the analysis: one, or a list of stages ---- */

void sn_read_analyses(sn_reader *reader, const sn_node *key, const sn_node *node) {
  sn_list *list = &reader->document->list[SN_ANALYSES];
  bool several = node->type == SN_SEQUENCE;
  if (several && node->count == 0) {
    sn_node_error(reader, node, "a mapping {type: ..., ...}, or a list of them", "the list of stages is empty");
    return;
  }
  int count = several ? node->count : 1;
  list->item = SN_NEW(reader->arena, const sn_spec *, count);
  for (int i = 0; i < count && !sn_reader_full(reader); i++) {
    const sn_node *item = several ? node->item[i] : node;
    const sn_spec *spec = sn_read_spec(reader, SN_ANALYSES, "", several ? item : key, item);
    if (spec) list->item[list->count++] = spec;
  }
}

/* ---- the document ---- */

/* Named entries of a model. */
static bool is_named(sn_category category) {
  return sn_is_listed(category) && sn_is_key_of(SN_MODEL_FILE, category);
}

/* A file for `sweep`: it names a model, and has a key that no model has. */
static bool is_study(sn_reader *reader, const sn_node *root) {
  static const char *const own[] = {"vary", "measures", "sample", "plots"};
  const sn_node *model = sn_value_of(root, "model", NULL);
  bool study = false;
  for (size_t i = 0; model && i < SN_COUNT(own); i++) study = study || sn_value_of(root, own[i], NULL);
  if (study)
    sn_node_error(reader, model, "the file of a model; 'sinew sweep' runs studies",
                  "this is a study, which varies a model");
  return study;
}

static void read_root(sn_reader *reader, sn_node *root, const char *const *sets, size_t set_count) {
  sn_reading *reading = sn_reading_of(reader);
  if (!sn_check_root(reader, root, "a model") || is_study(reader, root)) return;
  distrust_wrong_keys(reader, root);
  if (!sn_place_words(reader, root, sets, set_count)) return; /* too much depends on words to continue */
  const size_t given = set_count;
  sets = sn_set_inputs(reader, root, sets, &set_count);
  /* words and inputs that were set stand in the tree now */
  if (set_count == given && reading->parameters.words.count == 0) reader->document->tree = root;
  sn_read_parameters(reader, sn_value_of(root, "parameters", NULL), sets, set_count);
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (is_named((sn_category)i))
      sn_declare_entries(reader, (sn_category)i, sn_value_of(root, sn_category_key((sn_category)i), NULL));
  sn_check_quantity_names(reader);
  sn_read_entries(reader, SN_TABLES);
  compile_tables(reader);
  read_head(reader, root);
  sn_read_entries(reader, SN_VARIABLES); /* messages about circles are about their formulas */
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (is_named((sn_category)i) && i != SN_TABLES && i != SN_VARIABLES) sn_read_entries(reader, (sn_category)i);
  int index;
  const sn_node *analysis = sn_value_of(root, sn_category_key(SN_ANALYSES), &index);
  if (analysis) sn_read_analyses(reader, root->key[index], analysis);
  if (reader->errors == 0) sn_apply_settings(reader, sets, set_count);
  reader->document->index = reading->entries;
}

/* The text without a byte order mark, ending with a 0. */
static void keep_source(sn_reader *reader, const char *text, size_t length) {
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, length -= 3;
  reader->document->source = sn_copy_text(reader->arena, text, length);
  reader->document->length = length;
}

static sn_node *begin_reading(sn_reader *reader, const char *path, const char *text, size_t length,
                              const sn_node *tree) {
  sn_document *d = SN_NEW(reader->arena, sn_document, 1);
  reader->document = d;
  d->path = sn_copy_text(reader->arena, path, strlen(path));
  d->source = "";
  reader->state = SN_NEW(reader->arena, sn_reading, 1);
  if (length > sn_max_file_size) {
    sn_node_error(reader, NULL, NULL, "the file has %zu MiB, more than the %d MiB allowed", length >> 20,
                  sn_max_file_size >> 20);
    return NULL;
  }
  keep_source(reader, text, length);
  if (tree) return sn_copy_tree(reader->arena, tree);
  return sn_check_text(reader, d->source, d->length) ? sn_parse_tree(reader, d->source, d->length) : NULL;
}

sn_node *sn_begin_reading(sn_reader *reader, const char *path, const char *text, size_t length) {
  return begin_reading(reader, path, text, length, NULL);
}

sn_status sn_end_reading(sn_reader *reader) {
  sn_reading *reading = sn_reading_of(reader);
  sn_arena_free(&reading->scratch);
  reading->scope = (sn_scope){0}; /* it refers to the reader, which ends here */
  reader->state = NULL;
  return reader->errors ? SN_BAD_MODEL : SN_OK;
}

static sn_status read_document(sn_context *context, sn_arena *arena, const char *path, const char *text, size_t length,
                               const sn_node *tree, const char *const *sets, size_t set_count, sn_document **document) {
  sn_reader reader = sn_reader_for(context, arena, NULL);
  sn_clear_message(context);
  sn_node *root = begin_reading(&reader, path, text, length, tree);
  if (root) read_root(&reader, root, sets, set_count);
  sn_status status = sn_end_reading(&reader);
  *document = status ? NULL : reader.document;
  return status;
}

sn_status sn_read_document(sn_context *context, sn_arena *arena, const char *path, const char *text, size_t length,
                           const char *const *sets, size_t set_count, sn_document **document) {
  return read_document(context, arena, path, text, length, NULL, sets, set_count, document);
}

sn_status sn_reread_document(sn_context *context, sn_arena *arena, const sn_document *of, const char *const *sets,
                             size_t set_count, sn_document **document) {
  assert(of->tree);
  return read_document(context, arena, of->path, of->source, of->length, of->tree, sets, set_count, document);
}

const sn_spec *sn_find(const sn_document *document, sn_category category, const char *name) {
  const sn_entries *entries = document->index;
  if (!entries || !sn_is_listed(category)) return NULL;
  const sn_entry *entry = sn_map_get(&entries[category].map, name);
  return entry ? entry->spec : NULL;
}
