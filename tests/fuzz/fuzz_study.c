/* fuzz_study.c - libFuzzer target: any bytes are read as a study or refused. See fuzz_reader.c and scripts/fuzz.sh. */
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sn_context *context = sn_context_create();
  sn_arena arena = {0};
  sn_study *study = NULL;
  const sn_status status = sn_read_study(context, &arena, "fuzz.yaml", size ? (const char *)data : "", size, &study);
  if ((status == SN_OK) != (study != NULL)) abort();
  if ((status == SN_OK) != (strlen(sn_message(context)) == 0)) abort(); /* a refusal says why, and only a refusal */
  sn_arena_free(&arena);
  sn_context_free(context);
  return 0;
}
