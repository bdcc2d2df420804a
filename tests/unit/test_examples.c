/* test_examples.c - every example of the reference runs, in the model that `sinew describe KIND --model` prints, and ends
 * with the verdict good; examples with one rigid body fit to that of the page. */
#include "kinds/kinds.h"
#include "model/field_text.h"
#include "model/registry.h"
#include "support.h"

/* Is it more than a fall? Where all that moves falls, the kinetic energy is p g t/2 with the momentum p, which is vertical. */
static bool does_something(run *r, const sn_kind *kind) {
  const sn_simulation *s = r->simulation;
  double p[6], energy[SN_ENERGIES];
  /* At rest or falling by their nature: a fixed joint, an event that locks, no contact. */
  static const char *const exempt[] = {"fixed", "event", "none"};
  if (kind->category == SN_ANALYSES) return true;
  for (size_t i = 0; i < SN_COUNT(exempt); i++)
    if (strcmp(kind->name, exempt[i]) == 0) return true;
  sn_system_momentum(s->system, &s->state, p);
  read_output(r, "energy", energy, SN_ENERGIES);
  double kinetic = energy[SN_E_KINETIC], fall = fabs(p[1]) * 9.81 * sn_time(s) / 2;
  bool falls = fabs(kinetic - fall) < 1e-4 * kinetic && hypot(p[0], p[2]) < 1e-4 * fabs(p[1]);
  return kinetic > 1e-6 && !falls;
}

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
    sn_verdict verdict = {.level = SN_GOOD};
    if (status == SN_OK) verdict = verdict_of(&r, SN_OK);
    if (verdict.level != SN_GOOD) status = sn_fail(r.context, SN_NUMERICS, "%s", verdict.reasons);
    if (status == SN_OK && !does_something(&r, *kind))
      status = sn_fail(r.context, SN_NUMERICS, "nothing is to be seen");
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

/* Does the example name `my_body`, and nothing else that is ours but itself? */
static bool is_of_one_body(const char *example, const char *own) {
  bool body = false;
  for (const char *at = strstr(example, "my_"); at; at = strstr(at + 1, "my_")) {
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    const bool is_body = length == 7 && strncmp(at, "my_body", length) == 0;
    if (!is_body && !(length == strlen(own) && strncmp(at, own, length) == 0)) return false;
    body |= is_body;
  }
  return body;
}

/* Who pastes the rigid body of the page and then a joint, a force or an output has a model. */
static void test_examples_of_one_body(void **state) {
  (void)state;
  int count = 0, failures = 0;
  const sn_kind *rigid = sn_find_kind(SN_BODIES, "rigid");
  assert_non_null(rigid);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    const sn_category category = (*kind)->category;
    if (category != SN_JOINTS && category != SN_FORCES && category != SN_OUTPUTS) continue;
    char *text = NULL, own[64];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fputs("sinew: 1\n", out);
    sn_write_example(out, rigid, 0);
    fflush(out);
    const size_t begin = length;
    sn_write_example(out, *kind, 0);
    fclose(out);
    snprintf(own, sizeof own, "my_%s", sn_category_noun(category));
    if (is_of_one_body(text + begin, own)) {
      sn_context *context = sn_context_create();
      sn_model *model = NULL;
      if (sn_model_parse(context, (*kind)->name, text, length, NULL, 0, &model)) {
        print_error("%s\n", sn_message(context));
        failures++;
      }
      sn_model_free(model);
      sn_context_free(context);
      count++;
    }
    free(text);
  }
  assert_true(count > 20);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_examples_of_one_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
