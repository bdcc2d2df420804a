/* test_outcome_logs.c - outcomes of cases on the disk: whatever a kill, a full disk or another sweep leaves. */
#define _DEFAULT_SOURCE /* usleep */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/outcome_logs.h"
#include "support.h"

enum { CASES = 40 };
static const char *names[CASES];
static char name_text[CASES][33];

typedef struct place {
  char folder[64];
  sn_logs *logs;
} place;

static void make_names(void) {
  for (int i = 0; i < CASES; i++) {
    snprintf(name_text[i], sizeof name_text[i], "%016x%016x", 0xabc + i / 2 * 2,
             7 * (i / 2)); /* in pairs: equal cases */
    names[i] = name_text[i];
  }
}

static void open_place(place *p) {
  if (!p->folder[0]) {
    snprintf(p->folder, sizeof p->folder, "/tmp/sinew-logs-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
  }
  p->logs = sn_logs_create(p->folder, CASES, names);
}

static void close_place(place *p) {
  sn_logs_free(p->logs);
  DIR *folder = opendir(p->folder);
  assert_non_null(folder);
  for (struct dirent *e; (e = readdir(folder));) unlinkat(dirfd(folder), e->d_name, 0);
  closedir(folder);
  assert_int_equal(rmdir(p->folder), 0);
}

/* An outcome that says which case it is, longer from case to case. */
static size_t text_of(int i, char text[256]) {
  memset(text, 'x', 256);
  const int length = snprintf(text, 256, "outcome %d\n", i / 2);
  text[length] = 'y';
  text[100 + i / 2] = '\n';
  return 101 + (size_t)i / 2;
}

static bool add(place *p, int file, int i) {
  char text[256];
  const size_t length = text_of(i, text);
  return sn_log_add(p->logs, file, i, text, length, 0);
}

static bool has(const place *p, int i) {
  char text[256];
  size_t length, wanted = text_of(i, text);
  const char *read = sn_logs_text(p->logs, i, &length);
  if (!read) return false;
  assert_true(length == wanted && !memcmp(read, text, length));
  return true;
}

static int count_of(const place *p) {
  int count = 0;
  for (int i = 0; i < CASES; i++) count += has(p, i);
  return count;
}

/* The whole of the first log. */
static char *contents(const place *p, size_t *length) {
  char path[160];
  FILE *list;
  snprintf(path, sizeof path, "ls %s/*.log | head -1", p->folder);
  list = popen(path, "r");
  assert_true(list && fgets(path, sizeof path, list));
  pclose(list);
  path[strcspn(path, "\n")] = 0;
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  char *data = malloc(1 << 16);
  *length = fread(data, 1, 1 << 16, in);
  fclose(in);
  return data;
}

static void put_log(const place *p, const char *name, const char *data, size_t length) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s.log", p->folder, name);
  FILE *out = fopen(path, "wb");
  assert_true(out && fwrite(data, 1, length, out) == length && !fclose(out));
}

/* What is added is read, by the writer and by another sweep; equal cases have one outcome. */
static void there_and_back(void **state) {
  (void)state;
  place p = {0}, other;
  open_place(&p);
  other = p;
  other.logs = sn_logs_create(p.folder, CASES, names);
  int first = sn_log_begin(p.logs), second = sn_log_begin(p.logs);
  assert_true(first >= 0 && second >= 0 && first != second);
  for (int i = 0; i < CASES; i += 2) {
    assert_true(add(&p, i % 4 ? first : second, i));
    assert_false(has(&p, i));
    sn_logs_read(i % 8 ? p.logs : other.logs); /* while the files grow */
  }
  sn_logs_read(p.logs);
  sn_logs_read(other.logs);
  assert_int_equal(count_of(&p), CASES);
  assert_int_equal(count_of(&other), CASES);
  close(first), close(second);
  sn_logs_free(other.logs);
  close_place(&p);
}

/* A log of three records, cases 0 to 5, as bytes. */
static char *three_records(place *p, size_t *length) {
  int file = sn_log_begin(p->logs);
  for (int i = 0; i < 6; i += 2) assert_true(add(p, file, i));
  close(file);
  return contents(p, length);
}

/* A log cut at any byte: all whole records before it are read; what a later process adds is read as well; and the rest
 * of a record that was only on its way is taken when it has come. */
static void cut_anywhere(void **state) {
  (void)state;
  place p = {0};
  size_t length;
  open_place(&p);
  char *data = three_records(&p, &length);
  sn_logs_free(p.logs);
  const size_t end[] = {64 + 101, 2 * 64 + 101 + 102, 3 * 64 + 101 + 102 + 103};
  assert_int_equal(length, end[2]);
  for (size_t cut = 0; cut <= length; cut++) {
    place q = {0};
    open_place(&q);
    put_log(&q, "elsewhere-1-1", data, cut);
    sn_logs_read(q.logs);
    const int whole = (cut >= end[0]) + (cut >= end[1]) + (cut >= end[2]);
    if (count_of(&q) != 2 * whole) fail_msg("cut at %zu: %d of %d cases", cut, count_of(&q), 2 * whole);
    sn_logs_free(q.logs);
    /* the next process of the same place adds its own */
    q.logs = sn_logs_create(q.folder, CASES, names);
    char both[1024];
    memcpy(both, data, cut);
    memcpy(both + cut, data, length);
    put_log(&q, "elsewhere-1-1", both, cut + length);
    sn_logs_read(q.logs);
    if (count_of(&q) != 6) fail_msg("cut at %zu and gone on: %d cases", cut, count_of(&q));
    close_place(&q);
  }
  free(data);
  p.logs = NULL;
  close_place(&p);
}

/* Any byte that changes costs at most its own case, and gives no wrong text. */
static void damaged(void **state) {
  (void)state;
  place p = {0};
  size_t length;
  open_place(&p);
  char *data = three_records(&p, &length);
  for (size_t k = 0; k < length; k++) {
    data[k] ^= 1;
    place q = {0};
    open_place(&q);
    put_log(&q, "a-1-1", data, length);
    sn_logs_read(q.logs);
    if (count_of(&q) != 4) fail_msg("byte %zu: %d cases", k, count_of(&q));
    close_place(&q);
    data[k] ^= 1;
  }
  free(data);
  close_place(&p);
}

/* A disk that is full in the middle of a record: it says so, and leaves no part of it. */
static void full_disk(void **state) {
  (void)state;
  place p = {0};
  size_t length;
  struct rlimit before, small;
  open_place(&p);
  int file = sn_log_begin(p.logs);
  assert_true(add(&p, file, 0));
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 64 + 101 + 90;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const bool added = add(&p, file, 2);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_false(added);
  free(contents(&p, &length));
  assert_int_equal(length, 64 + 101);
  assert_true(add(&p, file, 2));
  sn_logs_read(p.logs);
  assert_int_equal(count_of(&p), 4);
  close(file);
  close_place(&p);
}

/* Another sweep sees at once what this one has added before it begins a case, and does not look again at logs whose
 * processes have ended. */
static void other_sweeps(void **state) {
  (void)state;
  place p = {0};
  int go[2], done[2], how;
  char byte = 0;
  open_place(&p);
  sn_logs_read(p.logs);
  assert_int_equal(pipe(go) | pipe(done), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    sn_logs *mine = sn_logs_create(p.folder, CASES, names); /* its own process, its own name */
    place q = p;
    q.logs = mine;
    int file = sn_log_begin(mine);
    for (int i = 0; i < 8; i += 2) {
      if (read(go[0], &byte, 1) != 1 || !add(&q, file, i) || write(done[1], "", 1) != 1) _exit(1);
    }
    if (read(go[0], &byte, 1) != 1) _exit(1);
    kill(getpid(), SIGKILL);
  }
  for (int i = 0; i < 8; i += 2) {
    assert_int_equal(write(go[1], "", 1), 1);
    assert_int_equal(read(done[0], &byte, 1), 1);
    usleep(60000); /* the interval after which new logs are looked for */
    sn_logs_read_others(p.logs);
    assert_true(has(&p, i) && !has(&p, i + 2));
  }
  assert_int_equal(write(go[1], "", 1), 1);
  assert_int_equal(waitpid(child, &how, 0), child);
  usleep(60000);
  sn_logs_read_others(p.logs); /* the last time */
  close_place(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back), cmocka_unit_test(cut_anywhere), cmocka_unit_test(damaged),
      cmocka_unit_test(full_disk),      cmocka_unit_test(other_sweeps),
  };
  make_names();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
