/* test_refusals.c - every kind that an analysis or integrator refuses is in the table that the reference prints, and nothing
 * else is. Each kind is tried in the model of its example. */
#include "kinds/kinds.h"
#include "model/field_text.h"
#include "model/refusals.h"
#include "model/registry.h"
#include "support.h"

static bool lists(const char *names, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = names; at && *at; at += strcspn(at, "|"), at += *at == '|')
    if (strncmp(at, name, length) == 0 && (at[length] == '|' || !at[length])) return true;
  return false;
}

/* The model of an example with another analysis. */
static char *model_of(const sn_kind *kind, const char *analysis) {
  char *text = NULL, *end;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  sn_write_model(out, kind);
  fclose(out);
  end = strstr(text, "\nanalysis:");
  assert_non_null(end);
  char *whole = malloc(length + strlen(analysis) + 32);
  assert_non_null(whole);
  sprintf(whole, "%.*s\nanalysis: %s\n", (int)(end - text), text, analysis);
  free(text);
  return whole;
}

/* Is it refused: does it not begin, for a reason that is not in the state? */
static bool is_refused(const char *text) {
  run r = {.context = sn_context_create()};
  sn_status status = sn_model_parse(r.context, "example", text, strlen(text), NULL, 0, &r.model);
  if (status) fail_msg("%s", sn_message(r.context));
  status = sn_simulation_create(r.model, NULL, &r.simulation);
  const bool refused = status == SN_USAGE || strstr(sn_message(r.context), "does not support");
  close_run(&r);
  return refused;
}

static int compare(const sn_kind *kind, const sn_kind *other) {
  char analysis[200];
  const bool method = other->category == SN_INTEGRATORS;
  const sn_refusal *x = sn_find_refusal(kind);
  if (method)
    snprintf(analysis, sizeof analysis, "{type: dynamics, duration: 0.1, integrator: {type: %s%s}}", other->name,
             strcmp(other->name, "symplectic-euler") == 0 ? ", step: 1e-4" : "");
  else
    snprintf(analysis, sizeof analysis, "{type: %s%s}", other->name,
             strcmp(other->name, "dynamics") == 0 || strcmp(other->name, "kinematics") == 0 ? ", duration: 0.1" : "");
  char *text = model_of(kind, analysis);
  const bool told = x && lists(method ? x->integrators : x->analyses, other->name), is = is_refused(text);
  if (told != is)
    print_error("%s and %s: %s, but the reference says the contrary\n", kind->name, other->name,
                is ? "refused" : "not refused");
  free(text);
  return told != is;
}

static void test_refusals(void **state) {
  (void)state;
  int wrong = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    const sn_category c = (*kind)->category;
    if (c != SN_BODIES && c != SN_JOINTS && c != SN_FORCES && c != SN_CONTACTS) continue;
    for (const sn_kind *const *other = sn_kinds; *other; other++)
      if ((*other)->category == SN_INTEGRATORS || (*other)->category == SN_ANALYSES) wrong += compare(*kind, *other);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
