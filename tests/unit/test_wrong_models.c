/* test_wrong_models.c - every model of tests/wrong must be refused with exactly the message beside it.
 *
 * A first line "# --set name=expression" gives an override. What is called study-*.yaml is a study of
 * models/pendulum.yaml. SINEW_ACCEPT=1 in the environment writes the messages
 * instead of comparing them: read each one before committing it.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/study.h"

#define FOLDER "tests/wrong"
enum { fewest = 45, most = 1000 };

/* The bytes of a file with a 0 behind them; NULL when there is none. */
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  size_t capacity = 0;
  *length = 0;
  do {
    capacity = capacity ? 2 * capacity : 4096;
    text = realloc(text, capacity + 1);
    assert_non_null(text);
    *length += fread(text + *length, 1, capacity - *length, file);
  } while (*length == capacity);
  fclose(file);
  text[*length] = 0;
  return text;
}

/* The override named in the first line, or NULL. */
static char *override_of(const char *text) {
  static const char mark[] = "# --set ";
  if (strncmp(text, mark, sizeof mark - 1) != 0) return NULL;
  const char *begin = text + sizeof mark - 1;
  size_t length = strcspn(begin, "\n");
  char *set = malloc(length + 1);
  assert_non_null(set);
  memcpy(set, begin, length);
  set[length] = 0;
  return set;
}

/* Line by line, what was expected and what came instead. */
static void print_difference(const char *expected, const char *found) {
  while (*expected || *found) {
    int a = (int)strcspn(expected, "\n"), b = (int)strcspn(found, "\n");
    bool same = a == b && memcmp(expected, found, (size_t)a) == 0;
    if (*expected || same) print_error("%c %.*s\n", same ? ' ' : '-', a, expected);
    if (*found && !same) print_error("+ %.*s\n", b, found);
    expected += a + (expected[a] != 0);
    found += b + (found[b] != 0);
  }
}

static bool accept_message(const char *path, const char *message) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  fputs(message, file);
  return fclose(file) == 0;
}

/* Read a study and look whether it fits its model. */
static sn_status read_study(sn_context *context, const char *name, const char *text, size_t length) {
  sn_arena arena = {0};
  sn_study *study = NULL;
  sn_model *model = NULL;
  sn_status status = sn_read_study(context, &arena, name, text, length, &study);
  if (!status) {
    assert_int_equal(sn_model_load(context, "models/pendulum.yaml", NULL, 0, &model), SN_OK);
    status = sn_check_study(context, &arena, study, model);
  }
  sn_model_free(model);
  sn_arena_free(&arena);
  return status;
}

/* Read and compile one model and compare; false on a difference. */
static bool check_model(const char *name) {
  char path[512], message_path[512];
  snprintf(path, sizeof path, FOLDER "/%s", name);
  snprintf(message_path, sizeof message_path, FOLDER "/%.*s.txt", (int)(strlen(name) - 5), name);
  size_t length = 0, expected_length = 0;
  char *text = read_file(path, &length);
  assert_non_null(text);
  char *set = override_of(text);
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  const char *sets[] = {set};
  sn_status status = strncmp(name, "study-", 6) == 0
                         ? read_study(context, name, text, length)
                         : sn_model_parse(context, name, text, length, sets, set ? 1 : 0, &model);
  const char *message = sn_message(context);
  char *expected = read_file(message_path, &expected_length);
  bool good = status == SN_BAD_MODEL && !model;
  if (!good) {
    print_error("%s: was not refused\n", name);
  } else if (getenv("SINEW_ACCEPT")) {
    good = accept_message(message_path, message);
  } else if (!expected || strcmp(expected, message) != 0) {
    print_error("%s: the message is not the one expected\n", name);
    print_difference(expected ? expected : "", message);
    good = false;
  }
  free(expected);
  free(set);
  free(text);
  sn_model_free(model);
  sn_context_free(context);
  return good;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_wrong_models(void **state) {
  (void)state;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  static char *names[most];
  size_t count = 0;
  int different = 0;
  for (struct dirent *entry; (entry = readdir(folder)) && count < most;) {
    size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
    names[count] = malloc(length + 1);
    assert_non_null(names[count]);
    memcpy(names[count++], entry->d_name, length + 1);
  }
  closedir(folder);
  qsort(names, count, sizeof *names, compare_names);
  assert_true(count >= fewest);
  for (size_t i = 0; i < count; i++) {
    different += !check_model(names[i]);
    free(names[i]);
  }
  assert_int_equal(different, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
