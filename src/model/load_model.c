/* load_model.c - model files into models. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/handles.h"
#include "model/memory_need.h"
#include "model/model.h"
#include "sinew/about.h"

/* Every field `elements` of a body is counted, given as a number, a parameter or by default. */
static int refine(sn_document *document, int times) {
  assert(times >= 1);
  int refined = 0;
  for (int i = 0; i < document->list[SN_BODIES].count; i++) {
    const sn_spec *spec = document->list[SN_BODIES].item[i];
    for (const sn_field *field = spec->kind->fields; field && field->name; field++) {
      if (strcmp(field->name, "elements") != 0 || (field->type != SN_INT && field->type != SN_GRID)) continue;
      int *elements = (int *)(void *)((char *)(uintptr_t)spec + field->at);
      for (int k = 0; k < (field->type == SN_GRID ? 2 : 1); k++) elements[k] *= times;
      refined++;
    }
  }
  return refined;
}

typedef struct source {
  sn_context *context;
  const char *name;
  const char *text; /* NULL: in the file of that name */
  size_t length;
  const sn_document *before; /* that was read of the same text; NULL: none */
  const char *const *sets;
  size_t count;
  int times, *refined;
  sn_model **model;
} source;

/* For sn_model_change. */
static void keep_sets(const source *s, sn_arena *arena, sn_document *document) {
  const char **set = SN_NEW(arena, const char *, s->count + 1);
  for (size_t i = 0; i < s->count; i++) set[i] = sn_copy_text(arena, s->sets[i], strlen(s->sets[i]));
  document->set = set;
  document->sets = s->count;
  document->times = s->times;
}

static sn_status parse(const source *s, const char *text, size_t length) {
  sn_arena arena = {0};
  sn_document *document = NULL;
  sn_status status = s->before && s->before->tree
                         ? sn_reread_document(s->context, &arena, s->before, s->sets, s->count, &document)
                         : sn_read_document(s->context, &arena, s->name, text, length, s->sets, s->count, &document);
  if (status == SN_OK) keep_sets(s, &arena, document);
  if (status == SN_OK && s->times > 1) *s->refined = refine(document, s->times);
  if (status == SN_OK) status = sn_memory_check(s->context, document);
  if (status == SN_OK) return sn_compile(s->context, arena, document, s->model);
  sn_arena_free(&arena);
  return status;
}

static sn_status load(void *argument) {
  const source *s = argument;
  size_t length = 0;
  if (s->text) return parse(s, s->text, s->length);
  char *text = sn_read_file(s->name, SN_LARGEST_TEXT, &length);
  if (!text) return sn_fail(s->context, SN_IO, "cannot read %s: %s", s->name, strerror(errno));
  sn_status status = parse(s, text, length);
  sn_free(text);
  return status;
}

static sn_status make(source *s) {
  sn_pool *pool;
  *s->model = NULL;
  sn_clear_message(s->context);
  sn_status status = sn_make_in_pool(s->context, load, s, &pool);
  if (status)
    *s->model = NULL;
  else
    (*s->model)->pool = pool;
  return status;
}

sn_status sn_model_parse(sn_context *context, const char *name, const char *text, size_t length,
                         const char *const *sets, size_t count, sn_model **model) {
  source s = {context, name, text, length, NULL, sets, count, 1, NULL, model};
  return make(&s);
}

sn_status sn_model_load_refined(sn_context *context, const char *path, const char *const *sets, size_t count, int times,
                                int *refined, sn_model **model) {
  source s = {context, path, NULL, 0, NULL, sets, count, times, refined, model};
  return make(&s);
}

sn_status sn_model_load(sn_context *context, const char *path, const char *const *sets, size_t count,
                        sn_model **model) {
  return sn_model_load_refined(context, path, sets, count, 1, NULL, model);
}

/* ---- the same with other parameters ---- */

/* Do two overrides concern the same name? */
static bool is_same(const char *a, const char *b) {
  const size_t length = strcspn(a, "=");
  return strcspn(b, "=") == length && strncmp(a, b, length) == 0;
}

sn_status sn_model_change(const sn_model *model, sn_context *context, const char *const *sets, size_t count,
                          sn_model **changed) {
  int refined = 0;
  *changed = NULL;
  if (sn_handle_check(model)) return SN_USAGE;
  const sn_document *document = model->document;
  if (!context) context = model->context;
  const char **all = sn_try_new(document->sets + count + 1, sizeof *all);
  if (!all) return sn_fail(context, SN_MEMORY, "out of memory");
  size_t kept = 0;
  for (size_t i = 0; i < document->sets; i++) {
    size_t k = 0;
    while (k < count && !is_same(sets[k], document->set[i])) k++;
    if (k == count) all[kept++] = document->set[i];
  }
  for (size_t k = 0; k < count; k++) all[kept++] = sets[k];
  source s = {context, document->path, document->source, document->length, document,
              all,     kept,           document->times,  &refined,         changed};
  const sn_status status = make(&s);
  sn_free(all);
  return status;
}

sn_status sn_model_refine(const sn_model *model, sn_context *context, int times, int *refined, sn_model **finer) {
  *finer = NULL;
  *refined = 0;
  if (sn_handle_check(model)) return SN_USAGE;
  const sn_document *document = model->document;
  if (!context) context = model->context;
  const int most = 1000000, all = times >= 1 && times <= most / document->times ? times * document->times : 0;
  if (all == 0) return sn_fail(context, SN_USAGE, "a mesh cannot be refined %d times", times);
  source s = {context, document->path, document->source, document->length, document, document->set, document->sets, all,
              refined, finer};
  return make(&s);
}
