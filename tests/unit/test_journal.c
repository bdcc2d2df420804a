/* test_journal.c - a run that is killed at any of its writes leaves a file that is whole and resumes.
 *
 * The program's own pwrite stands before that of the C library: it ends the process in the middle of write number N.
 * Random kills of the whole program: tests/attack/kills.sh.
 */
#define _DEFAULT_SOURCE

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "run/record.h"
#include "support.h"

static long writes_left = -1; /* < 0: no end to them */
static long writes;

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
  ++writes;
  if (lseek(file, at, SEEK_SET) < 0) return -1;
  if (writes_left >= 0 && writes_left-- == 0) {
    if (write(file, data, size / 2) >= 0) raise(SIGKILL);
  }
  return write(file, data, size);
}

/* Time stands still: a busy machine would bring flushes that others did not have, one for every second. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  *now = (struct timespec){0};
  return 0;
}

static const char *const model = "models/simple-pendulum.yaml";

/* Rows and a checkpoint every 0.1 s; the number of writes. */
static long record(const char *path) {
  run r;
  sn_writer *writer;
  sn_options options = {.until = 0.4, .checkpoint = 0.1};
  writes = 0;
  open_run(&r, model, &options);
  if (sn_writer_open(r.simulation, path, &writer)) fail_msg("%s", sn_message(r.context));
  sn_status status = sn_record(r.simulation, writer, NULL, NULL);
  assert_int_equal(sn_writer_close(writer, status, ""), SN_OK);
  close_run(&r);
  return writes;
}

static bool has_checkpoint(const char *path) {
  run r;
  sn_resume resume = {0};
  open_run(&r, model, NULL);
  bool good = sn_resume_read(r.model, path, &resume) == SN_OK;
  if (good) assert_int_equal(sn_checkpoint_load(r.simulation, &resume.history), SN_OK);
  sn_history_free(&resume.history);
  close_run(&r);
  return good;
}

static void test_kill_at_every_write(void **state) {
  (void)state;
  char folder[] = "/tmp/sinew-journal-XXXXXX", path[64], part[80], journal[96];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  snprintf(part, sizeof part, "%s.part", path);
  snprintf(journal, sizeof journal, "%s.journal", part);
  long all = record(path), before = -1, resumable = 0;
  assert_true(access(journal, F_OK) != 0);
  sn_context *context = sn_context_create();
  sn_result *result;
  assert_int_equal(sn_result_open(context, path, &result), SN_OK);
  const sn_series *whole = sn_result_time(result);
  assert_true(all > 100);
  for (long k = 0; k < all; k++) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      snprintf(path, sizeof path, "%s/k.h5", folder);
      writes_left = k;
      record(path);
      _exit(0);
    }
    int how = 0;
    waitpid(child, &how, 0);
    if (!WIFSIGNALED(how)) break; /* it took fewer writes this time */
    snprintf(part, sizeof part, "%s/k.h5.part", folder);
    long rows = readable_rows(part, whole);
    if (rows < before) fail_msg("killed in write %ld: %ld rows, after %ld", k, rows, before);
    before = rows;
    resumable += rows > 0 && has_checkpoint(part);
  }
  assert_true(before > (long)whole->count / 2);
  assert_true(resumable > all / 2);
  attack_tally(all, all); /* a loss has failed the test */
  sn_result_free(result);
  sn_context_free(context);
  snprintf(journal, sizeof journal, "rm -rf %s", folder);
  assert_int_equal(system(journal), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kill_at_every_write)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
