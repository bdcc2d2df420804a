/* test_journal.c - a run that is killed at any change of its files leaves a file that is whole and resumes, and so does a
 * run that was resumed.
 *
 * The program's own pwrite, ftruncate, rename and unlink stand before those of the C library: they end the process in
 * the middle of change number N. Random kills of the whole program: tests/attack/kills.sh.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "run/record.h"
#include "support.h"

static long changes_left = -1; /* < 0: no end to them */
static long changes;

static bool is_last(void) {
  ++changes;
  return changes_left >= 0 && changes_left-- == 0;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
  const bool last = is_last();
  if (lseek(file, at, SEEK_SET) < 0) return -1;
  if (last && write(file, data, size / 2) >= 0) raise(SIGKILL);
  return write(file, data, size);
}

typedef int two_names(const char *, const char *);
typedef int one_name(const char *);
typedef int one_file(int, off_t);

static void *usual(const char *name) {
  if (is_last()) raise(SIGKILL);
  return dlsym(RTLD_NEXT, name);
}

int rename(const char *from, const char *to) {
  two_names *f;
  *(void **)&f = usual("rename");
  return f(from, to);
}

int unlink(const char *path) {
  one_name *f;
  *(void **)&f = usual("unlink");
  return f(path);
}

int ftruncate(int file, off_t size) {
  one_file *f;
  *(void **)&f = usual("ftruncate");
  return f(file, size);
}

/* Time stands still: a busy machine would bring flushes that others did not have, one for every second. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  *now = (struct timespec){0};
  return 0;
}

static const char *const model = "models/simple-pendulum.yaml";

/* Rows and a checkpoint every 0.1 s, from the beginning or from where a part file ends; the number of changes. */
static long record(const char *path, const char *part) {
  run r;
  sn_writer *writer;
  sn_resume resume = {0};
  sn_options options = {.until = 0.4, .checkpoint = 0.1};
  changes = 0;
  open_run(&r, model, &options);
  sn_status status = part ? sn_resume_read(r.model, part, &resume) : SN_OK;
  if (!status && part) status = sn_checkpoint_load(r.simulation, &resume.history);
  if (!status)
    status = part ? sn_writer_resume(r.simulation, part, resume.rows, path, &writer)
                  : sn_writer_open(r.simulation, path, &writer);
  if (status) fail_msg("%s", sn_message(r.context));
  status = sn_record(r.simulation, writer, NULL, NULL);
  assert_int_equal(sn_writer_close(writer, status, ""), SN_OK);
  sn_history_free(&resume.history);
  close_run(&r);
  return changes;
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

/* A run in a process of its own, killed at change number `last`; false: it came to its end. */
static bool killed(const char *path, const char *part, long last) {
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    changes_left = last;
    record(path, part);
    _exit(0);
  }
  int how = 0;
  waitpid(child, &how, 0);
  return WIFSIGNALED(how);
}

static void command(const char *format, const char *folder) {
  char text[256];
  snprintf(text, sizeof text, format, folder, folder, folder);
  assert_int_equal(system(text), 0);
}

/* Its checksums are there, and right. */
static void check_sums(const char *part, long last) {
  sn_context *context = sn_context_create();
  sn_checked checked;
  if (sn_result_check(context, part, &checked, NULL, NULL))
    fail_msg("killed in change %ld: %s", last, sn_message(context));
  sn_context_free(context);
}

typedef struct place {
  char folder[32], path[48], part[64]; /* of runs that are killed */
  sn_context *context;
  sn_result *result;      /* of one that was left alone */
  const sn_series *whole; /* its times */
  long all;               /* its changes */
} place;

static void make_place(place *p) {
  char path[48];
  strcpy(p->folder, "/tmp/sinew-journal-XXXXXX");
  assert_non_null(mkdtemp(p->folder));
  snprintf(path, sizeof path, "%s/r.h5", p->folder);
  snprintf(p->path, sizeof p->path, "%s/k.h5", p->folder);
  snprintf(p->part, sizeof p->part, "%s.part", p->path);
  p->all = record(path, NULL);
  p->context = sn_context_create();
  assert_int_equal(sn_result_open(p->context, path, &p->result), SN_OK);
  p->whole = sn_result_time(p->result);
  assert_true(p->all > 100);
}

static void leave_place(place *p) {
  sn_result_free(p->result);
  sn_context_free(p->context);
  command("rm -rf %s", p->folder);
}

static void test_kill_at_every_change(void **state) {
  (void)state;
  place p;
  make_place(&p);
  long before = -1, resumable = 0;
  for (long k = 0; k < p.all; k++) {
    if (!killed(p.path, NULL, k)) break; /* it took fewer this time */
    if (access(p.part, F_OK)) {          /* it has its last name already */
      assert_int_equal(readable_rows(p.path, p.whole), (long)p.whole->count);
      continue;
    }
    const long rows = readable_rows(p.part, p.whole);
    if (rows < before) fail_msg("killed in change %ld: %ld rows, after %ld", k, rows, before);
    if (rows > 0) check_sums(p.part, k);
    before = rows;
    resumable += rows > 0 && has_checkpoint(p.part);
  }
  assert_true(before > (long)p.whole->count / 2);
  assert_true(resumable > p.all / 2);
  attack_tally(p.all, p.all); /* a loss has failed the test */
  leave_place(&p);
}

/* A run that was killed is resumed and killed again: its copy takes the place of the part file in between. */
static void test_kill_a_resumed_run(void **state) {
  (void)state;
  place p;
  make_place(&p);
  long ended = 0;
  assert_true(killed(p.path, NULL, p.all / 2));
  const long rows = readable_rows(p.part, p.whole);
  assert_true(rows > 0 && has_checkpoint(p.part));
  command("mkdir %s/kept; cp -a %s/k.* %s/kept", p.folder);
  for (long k = 0; !ended; k++) {
    command("rm -f %s/k.*; cp -a %s/kept/* %s", p.folder);
    ended = !killed(p.path, p.part, k);
    if (access(p.part, F_OK)) {
      assert_int_equal(readable_rows(p.path, p.whole), (long)p.whole->count);
      continue;
    }
    check_sums(p.part, k);
    assert_true(has_checkpoint(p.part));
    if (readable_rows(p.part, p.whole) < rows - 1) fail_msg("killed in change %ld: rows are lost", k);
  }
  leave_place(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kill_at_every_change),
      cmocka_unit_test(test_kill_a_resumed_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
