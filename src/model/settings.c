/* settings.c - overrides of the integrator of dynamics stages; see settings.h.
 *
 * Overrides "integrator=NAME", "integrator={type: NAME, ...}" and "integrator.FIELD=VALUE" act on the specs that were
 * read from the file, by the tables of their kinds, so that values are checked like those of the file and may use its
 * parameters. A tolerance ends a fixed step, as --tolerance does. A parameter of the same name comes first.
 */
#include "model/settings.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader.h"
#include "model/registry.h"
#include "model/tree.h"

static const char prefix[] = "integrator";
enum { prefix_length = sizeof prefix - 1 };

/* ---- accuracy ---- */

static const sn_field *field_of(const sn_spec *spec, const char *name) {
  assert(sn_is_field(spec->kind, name));
  int i = sn_field_index(spec->kind, name);
  return i < 0 ? NULL : &spec->kind->fields[i];
}
static bool has(const sn_spec *spec, const char *name) {
  return field_of(spec, name) != NULL;
}
static uint64_t bit_of(const sn_spec *spec, const sn_field *field) {
  return (uint64_t)1 << (field - spec->kind->fields);
}

/* Copy a number or choice that both tables have. */
static void keep(const sn_spec *from, sn_spec *to, const char *name) {
  const sn_field *source = field_of(from, name), *target = field_of(to, name);
  if (!source || !target) return;
  assert(sn_type_size(source->type) == sn_type_size(target->type));
  memcpy((char *)to + target->at, (const char *)from + source->at, sn_type_size(target->type));
  if (sn_given(from, name)) to->given |= bit_of(to, target);
}

/* As if the number had not been written; it has no default. */
static void forget(sn_spec *spec, const char *name) {
  const sn_field *field = field_of(spec, name);
  if (!field) return;
  memset((char *)spec + field->at, 0, sn_type_size(field->type));
  spec->given &= ~bit_of(spec, field);
}

double sn_number_of(const sn_spec *spec, const char *name) {
  const sn_field *field = field_of(spec, name);
  const void *value = sn_field_value(spec, name);
  if (!field) return 0;
  if (field->type == SN_REAL) return *(const double *)value;
  if (field->type == SN_BOOL) return *(const bool *)value;
  return field->type == SN_INT || field->type == SN_CHOICE ? *(const int *)value : 0;
}

/* As if the number had been written. */
static void set_real(sn_spec *spec, const char *name, double value) {
  const sn_field *field = field_of(spec, name);
  if (!field) return;
  assert(field->type == SN_REAL);
  memcpy((char *)spec + field->at, &value, sizeof value);
  spec->given |= bit_of(spec, field);
}

static const char *const accuracy[] = {"step", "tolerance", "relative", "absolute"};
static const char *const limits[] = {"horizon", "min_step", "max_step"};

bool sn_has_accuracy(const sn_spec *method) {
  for (size_t i = 0; i < SN_COUNT(accuracy); i++)
    if (sn_given(method, accuracy[i])) return true;
  return false;
}

void sn_keep_accuracy(const sn_spec *file, sn_spec *method) {
  bool own = sn_has_accuracy(method), tolerances = has(method, "tolerance");
  if (!own && has(file, "tolerance")) keep(file, method, "step");
  if (!own && tolerances && !(sn_number_of(file, "step") > 0)) {
    for (size_t i = 1; i < SN_COUNT(accuracy); i++) keep(file, method, accuracy[i]);
    if (!sn_given(method, "bounds")) keep(file, method, "bounds");
  }
  for (size_t i = 0; tolerances && i < SN_COUNT(limits); i++)
    if (sn_given(file, limits[i]) && !sn_given(method, limits[i])) keep(file, method, limits[i]);
}

/* A tolerance ends a fixed step, and takes the place of its own parts. */
static void end_step(sn_spec *method) {
  forget(method, "step");
  forget(method, "relative");
  forget(method, "absolute");
}

void sn_set_accuracy(sn_spec *method, double step, double tolerance) {
  if (tolerance > 0) {
    end_step(method);
    set_real(method, "tolerance", tolerance);
  }
  if (step > 0) set_real(method, "step", step);
}

void sn_refine_accuracy(sn_spec *method, double times) {
  for (size_t i = 0; i < SN_COUNT(accuracy); i++) {
    const sn_field *field = field_of(method, accuracy[i]);
    double value = sn_number_of(method, accuracy[i]) / times;
    if (field) memcpy((char *)method + field->at, &value, sizeof value);
  }
}

/* ---- a method by itself ---- */

sn_status sn_read_method(sn_context *context, sn_arena *arena, const char *text, const sn_spec **method) {
  sn_reader reader = sn_reader_for(context, arena, NULL);
  sn_clear_message(context);
  const bool mapping = text[0] == '{';
  const sn_kind *kind = mapping ? NULL : sn_find_kind(SN_INTEGRATORS, text);
  if (!mapping && !kind) {
    const char *names = "";
    for (const sn_kind *const *k = sn_kinds; *k; k++)
      if ((*k)->category == SN_INTEGRATORS) names = sn_format(arena, "%s%s%s", names, *names ? ", " : "", (*k)->name);
    return sn_fail(context, SN_USAGE, "there is no integrator '%s'\n  one of: %s", text, names);
  }
  const char *written = mapping ? sn_format(arena, "%s\n", text) : "{}\n";
  const sn_node *node = sn_begin_reading(&reader, prefix, written, strlen(written));
  if (node) sn_read_parameters(&reader, NULL, NULL, 0);
  if (!node)
    *method = NULL;
  else if (kind)
    *method = sn_read_fields(&reader, kind, "", NULL, NULL, NULL, 0);
  else
    *method = sn_read_spec(&reader, SN_INTEGRATORS, "", node, node);
  return sn_end_reading(&reader);
}

sn_status sn_read_stages(sn_context *context, sn_arena *arena, const char *text, sn_list *stages) {
  sn_reader reader = sn_reader_for(context, arena, NULL);
  sn_clear_message(context);
  const char *written = sn_format(arena, "%s\n", text);
  const sn_node *node = sn_begin_reading(&reader, sn_category_key(SN_ANALYSES), written, strlen(written));
  if (node) {
    sn_read_parameters(&reader, NULL, NULL, 0);
    sn_read_analyses(&reader, node, node);
    *stages = reader.document->list[SN_ANALYSES];
  }
  return sn_end_reading(&reader);
}

/* ---- overrides ---- */

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

static void forget_message(void *quiet) {
  free(((sn_context *)quiet)->message);
}

/* What is written behind the equals sign: a mapping in { }, a list in [ ], or a scalar. */
static sn_node *value_of(sn_reader *reader, const char *set) {
  const char *text = strchr(set, '=') + 1;
  if (text[0] != '{' && text[0] != '[') return new_scalar(reader->arena, text, strlen(text));
  sn_context quiet = {0};
  sn_undo undo;
  sn_undo_begin(&undo, forget_message, &quiet);
  sn_document document = {.path = prefix, .source = text, .length = strlen(text)};
  sn_reader inner = sn_reader_for(&quiet, reader->arena, &document);
  sn_node *node = sn_check_text(&inner, text, document.length) ? sn_parse_tree(&inner, text, document.length) : NULL;
  sn_undo_end(&undo);
  forget_message(&quiet);
  if (node && inner.errors == 0 && node->type != SN_SCALAR) {
    forget_lines(node);
    return node;
  }
  sn_set_error(reader, set, 0, 0, text[0] == '{' ? "{type: NAME, ...}" : "[a, b, ...]", "cannot be parsed");
  return NULL;
}

/* The integrator of a stage, which is of the reader's making; NULL: it has none. */
static const sn_spec **integrator_of(const sn_spec *stage) {
  const sn_field *field = field_of(stage, prefix);
  if (!field || field->type != SN_INTEGRATOR_SPEC) return NULL;
  return (const sn_spec **)(void *)((char *)(uintptr_t)stage + field->at);
}

static void use_method(sn_reader *reader, const sn_spec **integrator, const sn_node *node) {
  if (node->type == SN_SCALAR && strcmp((*integrator)->kind->name, node->text) == 0) return; /* as in the file */
  sn_spec *method = (sn_spec *)(uintptr_t)sn_read_spec(reader, SN_INTEGRATORS, "", node, node);
  if (!method) return;
  sn_keep_accuracy(*integrator, method);
  if (method->kind->check) method->kind->check(reader, method); /* what is kept may contradict the rest */
  if (reader->errors == 0) *integrator = method;
}

static void use_fields(sn_reader *reader, const sn_spec **integrator, const sn_node *fields) {
  const sn_kind *kind = (*integrator)->kind;
  sn_spec *method = sn_alloc(reader->arena, 1, kind->spec_size);
  memcpy(method, *integrator, kind->spec_size);
  if (sn_value_of(fields, "tolerance", NULL)) end_step(method);
  if (sn_read_more_fields(reader, method, fields)) *integrator = method;
}

/* All overrides integrator.FIELD=VALUE as one mapping; of two for one field, the last one counts. */
static sn_node *fields_of(sn_reader *reader, const char *const *sets, size_t count) {
  sn_node *fields = SN_NEW(reader->arena, sn_node, 1);
  fields->type = SN_MAPPING;
  fields->key = SN_NEW(reader->arena, sn_node *, count + 1);
  fields->item = SN_NEW(reader->arena, sn_node *, count + 1);
  for (size_t i = 0; i < count; i++) {
    if (!sn_is_setting(sets[i]) || sets[i][prefix_length] != '.') continue;
    const char *name = sets[i] + prefix_length + 1, *equals = strchr(name, '=');
    sn_node *value = equals ? value_of(reader, sets[i]) : NULL;
    if (!value) continue;
    sn_node *key = new_scalar(reader->arena, name, (size_t)(equals - name));
    int at = 0;
    while (at < fields->count && strcmp(fields->key[at]->text, key->text) != 0) at++;
    fields->key[at] = key;
    fields->item[at] = value;
    fields->count += at == fields->count;
  }
  return fields;
}

/* Does it set anything? */
static bool is_complete(sn_reader *reader, const char *set) {
  const char *equals = strchr(set, '=');
  if (equals && equals != set + prefix_length + 1) return true;
  sn_set_error(reader, set, 0, 0, "integrator=NAME or integrator.FIELD=VALUE", "this sets nothing");
  return false;
}

void sn_apply_settings(sn_reader *reader, const char *const *sets, size_t count) {
  const sn_list *stages = &reader->document->list[SN_ANALYSES];
  const bool is_parameter = sn_map_get(&sn_reading_of(reader)->parameters.map, prefix) != NULL;
  const sn_node *fields = fields_of(reader, sets, count);
  int methods = 0, concerned = 0;
  for (size_t i = 0; i < count; i++) {
    if (!sn_is_setting(sets[i]) || (is_parameter && sets[i][prefix_length] == '=')) continue;
    if (!is_complete(reader, sets[i])) return;
    methods += sets[i][prefix_length] == '=';
  }
  if (methods + fields->count == 0) return;
  for (int k = 0; k < stages->count; k++) {
    const sn_spec **integrator = integrator_of(stages->item[k]);
    if (!integrator) continue;
    concerned++;
    for (size_t i = 0; methods && i < count; i++) { /* methods first: they bring their defaults */
      if (!sn_is_setting(sets[i]) || sets[i][prefix_length] != '=') continue;
      const sn_node *node = value_of(reader, sets[i]);
      if (node) use_method(reader, integrator, node);
    }
    if (fields->count && reader->errors == 0) use_fields(reader, integrator, fields);
  }
  for (size_t i = 0; concerned == 0 && i < count; i++)
    if (sn_is_setting(sets[i]) && !(is_parameter && sets[i][prefix_length] == '='))
      sn_set_error(reader, sets[i], 0, 0, NULL, "the model has no analysis of type dynamics");
}
