/* test_whole_file.c - files that are written whole or not at all, and text that is safe to print. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "support.h"

static char folder[] = "/tmp/sinew-test-whole-XXXXXX";

static int enter(void **state) {
  (void)state;
  return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state) {
  (void)state;
  const char *const names[] = {"table.csv", "other", "link"};
  for (size_t i = 0; i < SN_COUNT(names); ++i) unlink(names[i]);
  return chdir("/") || rmdir(folder);
}

static void put(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static const char *get(const char *path) {
  static char text[64];
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  text[fread(text, 1, sizeof text - 1, in)] = 0;
  fclose(in);
  return text;
}

static int files(void) {
  int count = 0;
  DIR *here = opendir(".");
  for (const struct dirent *e; (e = readdir(here));) count += e->d_name[0] != '.';
  closedir(here);
  return count;
}

static bool write_whole(const char *path, const char *text) {
  sn_whole_file file;
  if (!sn_whole_file_open(&file, path)) return false;
  fputs(text, file.out);
  return sn_whole_file_close(&file, true);
}

static void takes_its_name_when_complete(void **state) {
  (void)state;
  sn_whole_file file;
  put("table.csv", "old");
  assert_true(sn_whole_file_open(&file, "table.csv"));
  fputs("new", file.out);
  fflush(file.out);
  assert_string_equal(get("table.csv"), "old");
  assert_true(sn_whole_file_close(&file, true));
  assert_string_equal(get("table.csv"), "new");
  assert_int_equal(files(), 1);
}

static void failed_writes_leave_what_was_there(void **state) {
  (void)state;
  put("table.csv", "old");
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 4096;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  sn_whole_file file;
  assert_true(sn_whole_file_open(&file, "table.csv"));
  for (int i = 0; i < 100000; ++i) fputs("much too long ", file.out);
  const bool good = sn_whole_file_close(&file, !ferror(file.out));
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &before);
  assert_false(good);
  assert_int_equal(error, EFBIG);
  assert_string_equal(get("table.csv"), "old");
  assert_int_equal(files(), 1);
  assert_false(write_whole("no-such-folder/table.csv", "x"));
  assert_false(write_whole(".", "x"));
  assert_int_equal(files(), 1);
}

/* Neither through a link that stands at the wanted name nor through one at the name used on the way. */
static void never_writes_through_links(void **state) {
  (void)state;
  char part[64];
  struct stat now;
  put("other", "precious");
  assert_int_equal(symlink("other", "link"), 0);
  assert_true(write_whole("link", "mine"));
  assert_string_equal(get("other"), "precious");
  assert_true(!lstat("link", &now) && S_ISREG(now.st_mode));
  snprintf(part, sizeof part, "table.csv.%ld-0.part", (long)getpid());
  assert_int_equal(symlink("other", part), 0);
  assert_true(write_whole("table.csv", "mine too"));
  assert_string_equal(get("other"), "precious");
  assert_string_equal(get("table.csv"), "mine too");
  unlink(part);
}

static void devices_are_written_as_they_are(void **state) {
  (void)state;
  struct stat now;
  assert_true(write_whole("/dev/null", "away"));
  assert_true(!stat("/dev/null", &now) && S_ISCHR(now.st_mode));
  sn_whole_file file;
  assert_true(sn_whole_file_open(&file, "/dev/full"));
  fputs("does not fit", file.out);
  assert_false(sn_whole_file_close(&file, true));
}

static void text_is_safe_to_print(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      /* text, as one line, as lines */
      {"plain \xc3\xa9\xe2\x82\xac", "plain \xc3\xa9\xe2\x82\xac", "plain \xc3\xa9\xe2\x82\xac"},
      {"\x1b[31mred\a\n", "?[31mred??", "?[31mred?\n"},
      {"a\tb\x7f\xc2\x9b\x31m", "a?b??1m", "a\tb??1m"}, /* U+009B begins a sequence too */
      {"\xff\xfe cut \xe2\x82", "?? cut ??", "?? cut ??"},
  };
  for (size_t i = 0; i < SN_COUNT(cases); ++i)
    for (int lines = 0; lines < 2; ++lines) {
      char text[64];
      snprintf(text, sizeof text, "%s", cases[i][0]);
      sn_make_plain(text, lines);
      assert_string_equal(text, cases[i][1 + lines]);
    }
  sn_context *context = sn_context_create();
  sn_fail(context, SN_IO, "cannot read '%s'\n  possible remedy: %s", "a\x1b]0;b", "nothing");
  assert_string_equal(sn_message(context), "cannot read 'a?]0;b'\n  possible remedy: nothing");
  sn_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_its_name_when_complete), cmocka_unit_test(failed_writes_leave_what_was_there),
      cmocka_unit_test(never_writes_through_links),   cmocka_unit_test(devices_are_written_as_they_are),
      cmocka_unit_test(text_is_safe_to_print),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
