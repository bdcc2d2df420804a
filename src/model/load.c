/* load.c - model files into models. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

sn_status sn_model_parse(sn_context *context, const char *name, const char *text, size_t length,
                         const char *const *sets, size_t count, sn_model **model) {
  sn_arena arena = {0};
  sn_document *document = NULL;
  *model = NULL;
  sn_clear_message(context);
  /* the document quotes its source in messages: keep a copy of it */
  const char *copy = sn_copy_text(&arena, text, length);
  sn_status status = sn_read_document(context, &arena, name, copy, length, sets, count, &document);
  if (status == SN_OK) return sn_compile(context, arena, document, model);
  sn_arena_free(&arena);
  return status;
}

sn_status sn_model_load(sn_context *context, const char *path, const char *const *sets, size_t count,
                        sn_model **model) {
  size_t length = 0;
  *model = NULL;
  char *text = sn_read_file(path, &length);
  if (!text) return sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  sn_status status = sn_model_parse(context, path, text, length, sets, count, model);
  free(text);
  return status;
}
