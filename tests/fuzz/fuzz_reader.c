/* fuzz_reader.c - libFuzzer target: any bytes must be read or refused, without a crash, a leak or a long wait. The bytes
 * are a model. scripts/fuzz.sh builds and runs this target and the others beside it.
 */
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const sets[] = {"L=2*pi", "integrator.step=L/100", "integrator=radau5"};
  sn_context *context = sn_context_create();
  sn_arena arena = {0};
  sn_document *document = NULL;
  const char *text = size ? (const char *)data : "";
  size_t set_count = size % 4; /* with and without overrides, the same way for the same input */
  const sn_status status = sn_read_document(context, &arena, "fuzz.yaml", text, size, sets, set_count, &document);
  if ((status == SN_OK) != (document != NULL)) abort();
  if ((status == SN_OK) != (strlen(sn_message(context)) == 0)) abort(); /* a refusal says why, and only a refusal */
  sn_arena_free(&arena);
  sn_context_free(context);
  return 0;
}
