/* fuzz_result.c - libFuzzer target: what is read around result files outside of HDF5, and the whole way.
 *
 *   first byte o   the answer of the process that has the file (result/object.h)
 *              j   a journal beside a part file
 *              s   checksums beside a part file
 *   otherwise      a result file, opened as every command does it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/object.h"
#include "result/result.h"
#include "view/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64], path[96], beside[128];

static void write_file(const char *name, const uint8_t *data, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) abort();
}

/* Puts the journal in its place, and compares checksums. */
static void check_result(void) {
  sn_context *context = sn_context_create();
  sn_checked checked;
  sn_result_check(context, path, &checked, NULL, NULL);
  sn_context_free(context);
}

static void open_result(void) {
  sn_context *context = sn_context_create();
  sn_result *result = NULL;
  sn_text json = {0};
  const sn_status status = sn_result_open(context, path, &result);
  if ((status == SN_OK) != (result != NULL) || (status && !sn_message(context)[0])) abort();
  if (result) {
    for (const char *const *name = sn_result_names(result); *name; ++name) sn_result_series(result, *name);
    sn_view_index(result, &json);
    sn_view_width(result);
  }
  sn_text_free(&json);
  sn_result_free(result);
  sn_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t head[] = "\x89HDF\r\n\x1a\n and nothing more";
  if (!folder[0]) {
    snprintf(folder, sizeof folder, "/dev/shm/fuzz-result-XXXXXX");
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/r.h5.part", folder);
  }
  if (!size) return 0;
  if (data[0] == 'o') {
    sn_arena arena = {0};
    sn_object_read(data + 1, size - 1, 1 << 20, &arena);
    sn_arena_free(&arena);
    return 0;
  }
  const bool aside = data[0] == 'j' || data[0] == 's';
  snprintf(beside, sizeof beside, "%s%s", path, data[0] == 's' ? ".sums" : ".journal");
  write_file(path, aside ? head : data, aside ? sizeof head : size);
  if (aside) write_file(beside, data + 1, size - 1);
  if (aside)
    check_result();
  else
    open_result();
  unlink(beside);
  return 0;
}
