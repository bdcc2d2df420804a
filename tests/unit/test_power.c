/* test_power.c - the machine stops: what had not been synchronized may be there or not.
 *
 * The program's own pwrite, ftruncate, posix_fallocate and fdatasync stand before those of the C library and log what a
 * run does to its files. Then the machine stops after any of these calls: everything before the last fdatasync of a
 * file is there, of what came later any part. The file is rebuilt like that, many times, and must be readable with the
 * rows of the run, and, once a checkpoint has been written, one can go on from it.
 */
#define _DEFAULT_SOURCE
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "run/record.h"
#include "support.h"

enum { written, cut, grown, synchronized };
enum { files_of_a_run = 3 };
static const char *const endings[files_of_a_run] = {"", ".journal", ".sums"};

typedef struct entry {
  int what, file; /* file: by its ending */
  uint64_t at, size;
  char *data;
} entry;

static struct {
  entry *entry;
  size_t count, room;
  const char *part; /* its files are logged; NULL: none */
} all;

/* Which of the files of the run it is; -1: another. */
static int file_of(int descriptor) {
  struct stat open, named;
  if (!all.part || fstat(descriptor, &open)) return -1;
  for (int i = 0; i < files_of_a_run; ++i) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", all.part, endings[i]);
    if (!stat(name, &named) && named.st_ino == open.st_ino && named.st_dev == open.st_dev) return i;
  }
  return -1;
}

static void note(int what, int descriptor, const void *data, uint64_t size, uint64_t at) {
  const int file = file_of(descriptor);
  if (file < 0) return;
  if (all.count == all.room) {
    all.room = 2 * all.room + 1024;
    all.entry = realloc(all.entry, all.room * sizeof *all.entry);
  }
  entry *e = &all.entry[all.count++];
  *e = (entry){.what = what, .file = file, .at = at, .size = size};
  if (data) memcpy(e->data = malloc(size), data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
  note(written, file, data, size, (uint64_t)at);
  if (lseek(file, at, SEEK_SET) < 0) return -1;
  return write(file, data, size);
}

int ftruncate(int file, off_t size) {
  static int (*real)(int, off_t);
  if (!real) *(void **)(&real) = dlsym(RTLD_NEXT, "ftruncate");
  note(cut, file, NULL, 0, (uint64_t)size);
  return real(file, size);
}

int posix_fallocate(int file, off_t at, off_t size) {
  static int (*real)(int, off_t, off_t);
  if (!real) *(void **)(&real) = dlsym(RTLD_NEXT, "posix_fallocate");
  note(grown, file, NULL, 0, (uint64_t)(at + size));
  return real(file, at, size);
}

int fdatasync(int file) {
  note(synchronized, file, NULL, 0, 0);
  return 0;
}

static const char *const model = "models/simple-pendulum.yaml";
static char folder[] = "/tmp/sinew-power-XXXXXX";
static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return random_state >> 11;
}

static void record(const char *path) {
  run r;
  sn_writer *writer;
  sn_options options = {.until = 0.4, .checkpoint = 0.1};
  open_run(&r, model, &options);
  assert_int_equal(sn_writer_open(r.simulation, path, &writer), SN_OK);
  assert_int_equal(sn_record(r.simulation, writer, NULL, NULL), SN_OK);
  all.part = NULL; /* closing gives the file its name; what comes before it is all here */
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  close_run(&r);
}

/* The files as a disk may have them after entry number `end`; lucky: some of what was not synchronized is there. */
static void rebuild(const char *path, size_t end, bool lucky) {
  size_t sure[files_of_a_run] = {0};
  for (size_t i = 0; i < end; ++i)
    if (all.entry[i].what == synchronized) sure[all.entry[i].file] = i;
  for (int k = 0; k < files_of_a_run; ++k) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", path, endings[k]);
    const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    for (size_t i = 0; i < end; ++i) {
      const entry *e = &all.entry[i];
      if (e->file != k || e->what == synchronized || (i > sure[k] && (!lucky || next_random() % 2))) continue;
      const size_t size = i > sure[k] && next_random() % 4 == 0 ? (size_t)(next_random() % (e->size + 1)) : e->size;
      if (e->what == written) assert_int_equal(pwrite(file, e->data, size, (off_t)e->at), size);
      struct stat now;
      if (e->what == grown && !fstat(file, &now) && (uint64_t)now.st_size < e->at)
        assert_int_equal(ftruncate(file, (off_t)e->at), 0);
      if (e->what == cut) assert_int_equal(ftruncate(file, (off_t)e->at), 0);
    }
    close(file);
  }
}

static bool can_go_on(const char *path) {
  run r;
  sn_resume resume = {0};
  open_run(&r, model, NULL);
  const bool good =
      sn_resume_read(r.model, path, &resume) == SN_OK && sn_checkpoint_load(r.simulation, &resume.history) == SN_OK;
  sn_history_free(&resume.history);
  close_run(&r);
  return good;
}

static void test_the_machine_stops(void **state) {
  (void)state;
  char path[64], part[80], again[64], command[96];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  snprintf(part, sizeof part, "%s.part", path);
  snprintf(again, sizeof again, "%s/again.h5", folder);
  all.part = part;
  record(path);
  sn_context *context = sn_context_create();
  sn_result *result;
  assert_int_equal(sn_result_open(context, path, &result), SN_OK);
  const sn_series *whole = sn_result_time(result);
  const size_t stops = (size_t)attack_count(300);
  random_state = attack_seed();
  size_t resumable = 0, readable = 0, before_any = 0;
  assert_true(all.count > 100);
  long latest = -1;
  for (size_t i = 0; i < stops; ++i) {
    const size_t end = 1 + all.count * i / stops;
    rebuild(again, end, false);
    const long least = readable_rows(again, whole);
    if (least < latest) fail_msg("stopped after call %zu: %ld rows, there were %ld before", end, least, latest);
    latest = least;
    rebuild(again, end, true);
    const long rows = readable_rows(again, whole);
    if (rows < least) fail_msg("stopped after call %zu: %ld rows with more on the disk than for %ld", end, rows, least);
    readable += rows >= 0;
    before_any += rows < 0;
    resumable += rows > 0 && can_go_on(again);
  }
  print_message("%zu stops: %zu readable, %zu with a checkpoint, %zu before there was a file\n", stops, readable,
                resumable, before_any);
  assert_true(before_any < stops / 5 && resumable > stops / 2);
  attack_tally((long)stops, (long)(readable + before_any));
  sn_result_free(result);
  sn_context_free(context);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_machine_stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
