/* load.c - model files into models. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "model/model.h"

/* Every field of a body that is called `elements` counts them, by whatever the file gave it: a number, a parameter, its
 * default. */
static int refine(sn_document *document, int times) {
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

static sn_status parse(sn_context *context, const char *name, const char *text, size_t length, const char *const *sets,
                       size_t count, int times, int *refined, sn_model **model) {
  sn_arena arena = {0};
  sn_document *document = NULL;
  *model = NULL;
  sn_clear_message(context);
  /* the document quotes its source in messages: keep a copy of it */
  const char *copy = sn_copy_text(&arena, text, length);
  sn_status status = sn_read_document(context, &arena, name, copy, length, sets, count, &document);
  if (status == SN_OK && times > 1) *refined = refine(document, times);
  if (status == SN_OK) status = sn_memory_check(context, document);
  if (status == SN_OK) return sn_compile(context, arena, document, model);
  sn_arena_free(&arena);
  return status;
}

sn_status sn_model_parse(sn_context *context, const char *name, const char *text, size_t length,
                         const char *const *sets, size_t count, sn_model **model) {
  return parse(context, name, text, length, sets, count, 1, NULL, model);
}

sn_status sn_model_load_refined(sn_context *context, const char *path, const char *const *sets, size_t count, int times,
                                int *refined, sn_model **model) {
  size_t length = 0;
  *model = NULL;
  char *text = sn_read_file(path, SN_LARGEST_TEXT, &length);
  if (!text) return sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  sn_status status = parse(context, path, text, length, sets, count, times, refined, model);
  free(text);
  return status;
}

sn_status sn_model_load(sn_context *context, const char *path, const char *const *sets, size_t count,
                        sn_model **model) {
  return sn_model_load_refined(context, path, sets, count, 1, NULL, model);
}
