/* test_examples.c - every example of the reference runs, in the model that `sinew describe KIND --model` prints, and ends
 * with the verdict good. */
#include "kinds/kinds.h"
#include "model/field_text.h"
#include "model/registry.h"
#include "support.h"

static void test_examples(void **state) {
  (void)state;
  int count = 0, failures = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if (!sn_belongs_to(SN_MODEL_FILE, (*kind)->category)) continue;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    sn_write_model(out, *kind);
    fclose(out);
    run r = {.context = sn_context_create()};
    sn_status status = sn_model_parse(r.context, (*kind)->name, text, length, NULL, 0, &r.model);
    if (status == SN_OK) status = sn_simulation_create(r.model, NULL, &r.simulation);
    if (status == SN_OK && verdict_of(&r, SN_OK).level != SN_GOOD)
      status = sn_fail(r.context, SN_NUMERICS, "%s", r.simulation->verdict.reasons);
    if (status) {
      print_error("%s %s: %s\n%s\n", sn_category_noun((*kind)->category), (*kind)->name, sn_message(r.context), text);
      failures++;
    }
    count++;
    close_run(&r);
    free(text);
  }
  assert_true(count > 60);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
