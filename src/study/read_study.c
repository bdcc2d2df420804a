/* read_study.c - the study file as a whole. */
#include <math.h>
#include <string.h>

#include "model/reader.h"
#include "model/registry.h"
#include "model/tree.h"
#include "study/study.h"

/* ---- the head of a file ---- */

typedef struct head_spec {
  sn_spec spec;
  int version;
  const char *title, *model;
  double until, cpu_limit;
  bool keep;
} head_spec;

const sn_field sn_study_fields[] = {
    {"sinew", SN_INT, SN_AT(head_spec, version), .required = true, .help = "1, the version of the file format"},
    {"title", SN_TEXT, SN_AT(head_spec, title), .def = "", .help = "title of the study"},
    {"model", SN_TEXT, SN_AT(head_spec, model), .required = true, .help = "model file, relative to the study file"},
    {"until", SN_REAL, SN_AT(head_spec, until), .unit = "s", .limits = SN_POSITIVE,
     .help = "end time; default: that of the model"},
    {"cpu_limit", SN_REAL, SN_AT(head_spec, cpu_limit), .unit = "s", .limits = SN_POSITIVE,
     .help = "limit of CPU time per case, in whole seconds"},
    {"keep", SN_BOOL, SN_AT(head_spec, keep), .def = "false", .help = "keep the result file of every case"},
    {0},
};

static const sn_kind head_kind = {.name = "the study",
                                  .category = SN_CATEGORIES,
                                  .summary = "top-level keys of a file",
                                  .fields = sn_study_fields,
                                  .spec_size = sizeof(head_spec)};

const char *const sn_study_options[] = {"step", "tolerance", "until", NULL};

static void read_head(sn_reader *reader, const sn_node *root, sn_study *study) {
  const char *keys[SN_CATEGORIES + 1];
  int count = 0;
  keys[count++] = "set";
  for (int i = 0; i < SN_CATEGORIES; i++)
    if (sn_is_key_of(SN_STUDY_FILE, (sn_category)i)) keys[count++] = sn_category_key((sn_category)i);
  const head_spec *head = (const head_spec *)(const void *)sn_read_fields(
      reader, &head_kind, "", root->count ? root->key[0] : root, root, keys, count);
  if (!head) return;
  study->title = head->title;
  study->model = head->model;
  study->until = head->until;
  study->cpu_limit = head->cpu_limit;
  study->keep = head->keep;
}

/* A mapping {name: ..., ...} under a key that may be missing; its number of entries. */
static int entries_under(sn_reader *reader, const sn_node *root, const char *key, const sn_node **found) {
  const sn_node *node = sn_value_of(root, key, NULL);
  *found = node;
  if (!node || sn_is_nothing(node)) return 0;
  if (node->type == SN_MAPPING) return node->count;
  sn_node_error(reader, node, NULL, "expected a mapping {name: ..., ...} for '%s', found %s", key,
                sn_found(reader, node));
  return 0;
}

static bool is_value(sn_reader *reader, const sn_node *node, const char *name) {
  if (node->type == SN_SCALAR && !sn_is_nothing(node)) return true;
  sn_node_error(reader, node, NULL, "expected a value for '%s', found %s", name, sn_found(reader, node));
  return false;
}

static void read_sets(sn_reader *reader, const sn_node *root, sn_study *study) {
  const sn_node *node;
  int count = entries_under(reader, root, "set", &node);
  const char **set = SN_NEW(reader->arena, const char *, count + 1);
  for (int i = 0; i < count; i++)
    if (is_value(reader, node->item[i], node->key[i]->text))
      set[study->sets++] = sn_format(reader->arena, "%s=%s", node->key[i]->text, node->item[i]->text);
  study->set = set;
}

/* ---- what varies ---- */

static sn_value value_of(sn_reader *reader, const char *text, size_t length) {
  sn_expr_error error = {0};
  while (length > 0 && text[0] == ' ') text++, length--;
  while (length > 0 && text[length - 1] == ' ') length--;
  const sn_expr *number = sn_expr_compile(&sn_reading_of(reader)->scratch, text, length, NULL, &error);
  return (sn_value){sn_copy_text(reader->arena, text, length), number ? sn_expr_value(number, 0) : NAN};
}

/* A method with its settings as the text of a set: {type: gssss, index: 2}. */
static const char *flow_text(sn_reader *reader, const sn_node *node) {
  const char *text = "";
  if (node->type == SN_SCALAR) return node->quoted ? sn_format(reader->arena, "\"%s\"", node->text) : node->text;
  for (int i = 0; i < node->count; i++)
    text =
        sn_format(reader->arena, "%s%s%s%s%s", text, i ? ", " : "", node->type == SN_MAPPING ? node->key[i]->text : "",
                  node->type == SN_MAPPING ? ": " : "", flow_text(reader, node->item[i]));
  return sn_format(reader->arena, node->type == SN_MAPPING ? "{%s}" : "[%s]", text);
}

static bool read_list(sn_reader *reader, const sn_node *node, sn_variation *v) {
  sn_value *value = SN_NEW(reader->arena, sn_value, node->count + 1);
  v->value = value;
  if (node->count == 0) sn_node_error(reader, node, "values", "'%s' has an empty list", v->name);
  for (int i = 0; i < node->count; i++) {
    const sn_node *item = node->item[i];
    if (item->type == SN_MAPPING && strcmp(v->name, "integrator") == 0) {
      value[v->count++] = (sn_value){flow_text(reader, item), NAN};
      continue;
    }
    if (!is_value(reader, item, v->name)) return false;
    value[v->count++] = value_of(reader, item->text, strlen(item->text));
  }
  return node->count > 0;
}

/* Up to the next comma that stands in no brackets. */
static size_t value_length(const char *text) {
  int depth = 0;
  size_t length = 0;
  for (; text[length] && (depth > 0 || text[length] != ','); length++)
    depth += strchr("([{", text[length]) ? 1 : strchr(")]}", text[length]) ? -1 : 0;
  return length;
}

/* "a,b,c" */
static bool read_words(sn_reader *reader, const sn_node *node, sn_variation *v) {
  sn_value *value = SN_NEW(reader->arena, sn_value, strlen(node->text) + 1);
  v->value = value;
  for (const char *text = node->text;; text++) {
    size_t length = value_length(text);
    value[v->count] = value_of(reader, text, length);
    if (!value[v->count++].text[0]) {
      sn_node_error(reader, node, "values separated by commas", "a value of '%s' is empty", v->name);
      return false;
    }
    text += length;
    if (!*text) return true;
  }
}

/* "FROM:TO", "FROM:TO:COUNT", "FROM:TO:logCOUNT", "FROM:TO:log" */
static bool read_range_text(sn_reader *reader, const sn_node *node, sn_variation *v) {
  const char *text = node->text, *first = strchr(text, ':'), *second = strchr(first + 1, ':');
  sn_range_spec *r = &v->range;
  size_t end = second ? (size_t)(second - text) : strlen(text), middle = (size_t)(first - text);
  if (!sn_evaluate(reader, node, 0, middle, &r->from)) return false;
  if (!sn_evaluate(reader, node, middle + 1, end - middle - 1, &r->to)) return false;
  if (second && strncmp(second + 1, "log", 3) == 0) {
    r->scale = 1;
    second += 3;
  }
  if (second && second[1]) {
    double count;
    if (!sn_evaluate(reader, node, (size_t)(second + 1 - text), strlen(second + 1), &count)) return false;
    r->count = count >= 1 && count <= 1e6 && count == floor(count) ? (int)count : 0;
    if (r->count == 0) {
      sn_node_error(reader, node, "FROM:TO:COUNT or FROM:TO:logCOUNT", "%.10g is not a valid number of values of '%s'",
                    count, v->name);
      return false;
    }
  }
  if (r->scale == 0 || (r->from > 0 && r->to > 0)) return true;
  sn_node_error(reader, node, "positive ends", "a logarithmic range cannot contain %.10g",
                r->from > 0 ? r->to : r->from);
  return false;
}

static bool read_variation(sn_reader *reader, const sn_node *node, sn_variation *v) {
  static const char *const more_keys[] = {"type"};
  if (node->type == SN_SEQUENCE) return read_list(reader, node, v);
  if (node->type == SN_MAPPING) {
    const sn_spec *spec = sn_read_fields(reader, sn_unnamed_kind(SN_VARIATIONS), v->name, v->label, node, more_keys, 1);
    if (spec) v->range = *(const sn_range_spec *)(const void *)spec;
    return spec != NULL;
  }
  if (!is_value(reader, node, v->name)) return false;
  bool is_range = strchr(node->text, ':') && !strchr(node->text, '{');
  return is_range ? read_range_text(reader, node, v) : read_words(reader, node, v);
}

static void read_variations(sn_reader *reader, const sn_node *root, sn_study *study) {
  const sn_node *node;
  int count = entries_under(reader, root, sn_category_key(SN_VARIATIONS), &node);
  sn_variation *v = SN_NEW(reader->arena, sn_variation, count + 1);
  study->variation = v;
  for (int i = 0; i < count && !sn_reader_full(reader); i++) {
    v[i] = (sn_variation){.name = node->key[i]->text, .label = node->key[i], .node = node->item[i]};
    if (read_variation(reader, node->item[i], &v[i])) study->variations++;
  }
  if (count == 0 && reader->errors == 0)
    sn_node_error(reader,
                  node          ? node
                  : root->count ? root->key[0]
                                : root,
                  "vary: {parameter: [values], ...}", "nothing varies");
}

/* ---- which combinations ---- */

static void read_sampling(sn_reader *reader, const sn_node *root, sn_study *study) {
  int index;
  const sn_node *node = sn_value_of(root, sn_category_key(SN_SAMPLINGS), &index);
  if (!node) return;
  const sn_spec *spec = sn_read_spec(reader, SN_SAMPLINGS, "", root->key[index], node);
  if (!spec) return;
  study->sampling = ((const sn_sampling_ops *)(const void *)spec->kind)->sampling;
  study->sample_count = ((const sn_sample_spec *)(const void *)spec)->count;
  study->seed = ((const sn_sample_spec *)(const void *)spec)->seed;
}

static int values_of(const sn_variation *v) {
  return v->count ? v->count : v->range.count;
}

enum { most_cases = 1000000 };

static void check_counts(sn_reader *reader, const sn_study *study) {
  double cases = 1;
  if (study->sampling > SN_SAMPLE_LIST) return;
  for (int i = 0; i < study->variations; i++) {
    const sn_variation *v = &study->variation[i], *first = study->variation;
    cases *= values_of(v);
    if (values_of(v) == 0)
      sn_node_error(reader, v->node, "FROM:TO:COUNT, or the key 'count'", "the range of '%s' needs a number of values",
                    v->name);
    else if (study->sampling == SN_SAMPLE_LIST && values_of(first) > 0 && values_of(v) != values_of(first))
      sn_node_error(reader, v->node, sn_format(reader->arena, "%d, as of '%s'", values_of(first), first->name),
                    "'%s' has %d values", v->name, values_of(v));
  }
  if (study->sampling == SN_SAMPLE_GRID && cases > most_cases)
    sn_node_error(reader, study->variation[0].label, NULL, "the grid has %.3g cases, more than the %d allowed", cases,
                  most_cases);
}

/* ---- measures and plots ---- */

/* Of a study that names none. */
static const char default_measures[] =
    "{class: class, energy_error: energy-error, drift: drift, steps: steps, rejections: rejections,"
    " iterations: iterations, iterations_per_step: iterations-per-step}";

static void read_list_of(sn_reader *reader, const sn_node *root, sn_category category) {
  const sn_node *node = sn_value_of(root, sn_category_key(category), NULL);
  if (category == SN_MEASURED && (!node || sn_is_nothing(node)))
    node = sn_parse_tree(reader, default_measures, sizeof default_measures - 1);
  if (sn_declare_entries(reader, category, node)) sn_read_entries(reader, category);
}

/* ---- the whole ---- */

static void read_root(sn_reader *reader, const sn_node *root, sn_study *study) {
  if (!sn_check_root(reader, root, "a study")) return;
  read_head(reader, root, study);
  read_sets(reader, root, study);
  read_variations(reader, root, study);
  read_sampling(reader, root, study);
  read_list_of(reader, root, SN_MEASURED);
  read_list_of(reader, root, SN_PLOTTED);
  if (reader->errors == 0) check_counts(reader, study);
}

sn_status sn_read_study(sn_context *context, sn_arena *arena, const char *path, const char *text, size_t length,
                        sn_study **out) {
  sn_reader reader = sn_reader_for(context, arena, NULL);
  sn_study *study = SN_NEW(arena, sn_study, 1);
  sn_clear_message(context);
  const sn_node *root = sn_begin_reading(&reader, path, text, length);
  study->document = reader.document;
  if (root) read_root(&reader, root, study);
  sn_status status = sn_end_reading(&reader);
  *out = status ? NULL : study;
  return status;
}
