/* test_draft.c - models in memory: read, changed, written, compiled. A text that was written is read back as the same tree,
 * and makes the same model. */
#include <dirent.h>
#include <unistd.h>

#include "support.h"

#ifndef MODELS
#define MODELS "models"
#endif

static sn_draft *draft_of(sn_context *context, const char *text) {
  sn_draft *draft;
  if (sn_draft_parse(context, "draft.yaml", text, strlen(text), &draft)) fail_msg("%s", sn_message(context));
  return draft;
}

static void expect(sn_draft *draft, const char *path, const char *value) {
  const char *found = sn_draft_get(draft, path);
  if (!value) assert_null(found);
  if (value) assert_non_null(found);
  if (value) assert_string_equal(found, value);
}

static const char text[] =
    "sinew: 1\ntitle: 'a: b # c, \"d\" it''s'\ngravity: [0, -9.81, 0]\nparameters: {L: 1.0, m: &mass 2}\n"
    "bodies:\n"
    "  one: &bob {type: point-mass, mass: m, position: [L, 0, 0]} # a comment\n"
    "  two: *bob\n"
    "joints: {rod: {type: distance, between: [ground, one]}}\n"
    "outputs: {one: {point: one}, two: {point: 'two'}}\n";

static void test_paths(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_draft *draft = draft_of(context, text);
  expect(draft, "title", "'a: b # c, \"d\" it''s'");
  expect(draft, "gravity", "[0, -9.81, 0]");
  expect(draft, "gravity.1", "-9.81");
  expect(draft, "bodies.two.mass", "m");
  expect(draft, "bodies.three", NULL);
  expect(draft, "gravity.3", NULL);
  expect(draft, "title.x", NULL);
  assert_int_equal(sn_draft_count(draft, "bodies"), 2);
  assert_string_equal(sn_draft_key(draft, "bodies", 1), "two");
  assert_string_equal(sn_draft_key(draft, "gravity", 2), "2");
  assert_null(sn_draft_key(draft, "gravity", 3));
  assert_int_equal(sn_draft_count(draft, "title"), 0);
  assert_true(sn_draft_count(draft, "") >= 6);
  /* what an alias shares changes in one place only */
  assert_int_equal(sn_draft_set(draft, "bodies.two.position.1", "0.5"), SN_OK);
  expect(draft, "bodies.two.position", "[L, 0.5, 0]");
  expect(draft, "bodies.one.position", "[L, 0, 0]");
  /* new entries, and mappings on the way */
  assert_int_equal(sn_draft_set(draft, "forces.pull", "{type: force, at: two, force: [1, 'sin(t, 2)', 0]}"), SN_OK);
  expect(draft, "forces", "{pull: {type: force, at: two, force: [1, 'sin(t, 2)', 0]}}");
  assert_int_equal(sn_draft_set(draft, "gravity.3", "7"), SN_OK);
  assert_int_equal(sn_draft_remove(draft, "gravity.0"), SN_OK);
  expect(draft, "gravity", "[-9.81, 0, 7]");
  assert_int_equal(sn_draft_remove(draft, "joints"), SN_OK);
  expect(draft, "joints", NULL);
  /* wrong ones leave it as it is */
  char *before = strdup(sn_draft_text(draft));
  assert_int_equal(sn_draft_set(draft, "", "1"), SN_USAGE);
  assert_int_equal(sn_draft_set(draft, "bodies..mass", "1"), SN_USAGE);
  assert_int_equal(sn_draft_set(draft, "title.x", "1"), SN_USAGE);
  assert_int_equal(sn_draft_set(draft, "gravity.9", "1"), SN_USAGE);
  assert_int_equal(sn_draft_set(draft, "gravity.x", "1"), SN_USAGE);
  assert_int_equal(sn_draft_remove(draft, "nothing.at.all"), SN_USAGE);
  assert_int_equal(sn_draft_set(draft, "bodies.three", "{type: "), SN_BAD_MODEL);
  assert_int_equal(sn_draft_set(draft, "bodies.three", "\"\\x01"), SN_BAD_MODEL);
  assert_true(strlen(sn_message(context)) > 5);
  assert_string_equal(before, sn_draft_text(draft));
  free(before);
  sn_draft_free(draft);
  assert_int_equal(sn_draft_parse(context, "x", "[1, 2]", 6, &draft), SN_BAD_MODEL);
  assert_null(draft);
  assert_int_equal(sn_draft_load(context, "/nowhere.yaml", &draft), SN_IO);
  sn_draft_free(NULL);
  sn_context_free(context);
}

/* Period of a small swing: 2 pi sqrt(L/g), with L set in the draft; a model built from nothing. */
static void test_built(void **state) {
  (void)state;
  static const char *const sets[][2] = {{"gravity", "[0, 0, -9.81]"},
                                        {"parameters.L", "0.5"},
                                        {"bodies.bob", "{type: point-mass, mass: 3, position: [0.01*L, 0, -L]}"},
                                        {"joints.rod", "{type: distance, between: ['ground.at(0, 0, 0)', bob]}"},
                                        {"outputs.bob.point", "bob"}};
  sn_context *context = sn_context_create();
  sn_draft *draft;
  assert_int_equal(sn_draft_create(context, "built", &draft), SN_OK);
  for (size_t k = 0; k < SN_COUNT(sets); k++)
    if (sn_draft_set(draft, sets[k][0], sets[k][1])) fail_msg("%s", sn_message(context));
  for (int k = 0; k < 2; k++) {
    const double L = k ? 2 : 0.5, quarter = PI / 2 * sqrt(L / 9.81);
    double y[9];
    sn_model *model;
    sn_simulation *simulation;
    assert_int_equal(sn_draft_set(draft, "parameters.L", k ? "2" : "0.5"), SN_OK);
    if (sn_draft_compile(draft, NULL, 0, &model)) fail_msg("%s", sn_message(context));
    sn_options options;
    sn_default_options(&options, sizeof options);
    options.integrator = "radau";
    options.tolerance = 1e-9;
    if (sn_simulation_create(model, &options, &simulation)) fail_msg("%s", sn_message(context));
    assert_int_equal(sn_advance(simulation, quarter), SN_OK);
    assert_int_equal(sn_read_output(simulation, 0, y), SN_OK);
    assert_below(fabs(y[0]), 1e-5 * L * 0.1, "through the middle after a quarter");
    sn_simulation_free(simulation);
    sn_model_free(model);
  }
  assert_int_equal(sn_draft_set(draft, "bodies.bob.mas", "2"), SN_OK);
  sn_model *wrong;
  assert_int_equal(sn_draft_compile(draft, NULL, 0, &wrong), SN_BAD_MODEL); /* the tables check it */
  assert_non_null(strstr(sn_message(context), "mass"));
  sn_draft_free(draft);
  sn_context_free(context);
}

static void same_model(sn_context *context, const char *path) {
  sn_draft *draft, *again;
  if (sn_draft_load(context, path, &draft)) fail_msg("%s", sn_message(context));
  char *written = strdup(sn_draft_text(draft));
  if (sn_draft_parse(context, path, written, strlen(written), &again)) fail_msg("%s\n%s", sn_message(context), written);
  assert_string_equal(sn_draft_text(again), written);
  sn_model *file, *own;
  if (sn_model_load(context, path, NULL, 0, &file)) fail_msg("%s", sn_message(context));
  if (sn_draft_compile(draft, NULL, 0, &own)) fail_msg("%s: %s", path, sn_message(context));
  assert_int_equal(file->n, own->n);
  assert_int_equal(file->m, own->m);
  assert_memory_equal(file->q0, own->q0, (size_t)file->n * sizeof(double));
  assert_memory_equal(file->v0, own->v0, (size_t)file->n * sizeof(double));
  assert_int_equal(file->batches, own->batches);
  for (int k = 0; k < file->batches; k++) assert_int_equal(file->batch[k].count, own->batch[k].count);
  for (sn_list_of list = SN_LIST_BODIES; list <= SN_LIST_PARAMETERS; list++) {
    assert_int_equal(sn_model_count(file, list), sn_model_count(own, list));
    for (size_t i = 0; i < sn_model_count(file, list); i++)
      assert_string_equal(sn_model_name(file, list, i), sn_model_name(own, list, i));
  }
  sn_model_free(file);
  sn_model_free(own);
  sn_draft_free(draft);
  sn_draft_free(again);
  free(written);
}

/* Every bundled model, those of many bodies apart: it is what the file is. */
static void test_bundled(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  DIR *folder = opendir(MODELS);
  int count = 0;
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    char path[600];
    const size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", MODELS, entry->d_name);
    same_model(context, path);
    count++;
  }
  closedir(folder);
  assert_true(count > 40);
  sn_context_free(context);
}

static void test_file(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-draft-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  sn_context *context = sn_context_create();
  sn_draft *draft = draft_of(context, text), *again;
  assert_int_equal(sn_draft_write(draft, path), SN_OK);
  assert_int_equal(sn_draft_load(context, path, &again), SN_OK);
  char *own = strdup(sn_draft_text(draft));
  assert_string_equal(own, sn_draft_text(again));
  assert_int_equal(sn_draft_write(draft, "/nowhere/at/all.yaml"), SN_IO);
  free(own);
  sn_draft_free(draft);
  sn_draft_free(again);
  sn_context_free(context);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_built),
      cmocka_unit_test(test_bundled),
      cmocka_unit_test(test_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
