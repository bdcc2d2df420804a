/* test_mutants.c - models that are wrong in any way: the program says so, runs, or stops with a reason; it never
 * crashes, hangs or ends without a word.
 *
 * The bundled models are changed at random places (numbers become zero, huge, tiny or none; names are exchanged; lines
 * go, come twice or change places; bytes turn), checked, and run for a short while. A run that takes longer is asked to
 * end by SIGTERM, and has to.
 * TORTURE_COUNT: how many (60); TORTURE_SEED: other ones.
 */
#define _DEFAULT_SOURCE

#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum { longest = 64 << 10 };
/* Until SIGTERM, and from then on [s] of its own computing; who waits and does not compute gets `waiting` times as
 * much. On a loaded machine the clock on the wall tells nothing. */
static const double patience = 5, last_patience = 10, waiting = 12;

static uint64_t seed;
static char folder[4096];

static size_t below(size_t limit) {
  return limit ? (size_t)((noise(&seed) + 1) / 2 * (double)limit) % limit : 0;
}

/* ---- mutations of text[0, length); each returns the new length ---- */

static size_t replace(char *text, size_t length, size_t at, size_t old, const char *new, size_t size) {
  if (length - old + size >= longest) return length;
  memmove(text + at + size, text + at + old, length - at - old);
  memcpy(text + at, new, size);
  return length - old + size;
}

/* The next word for which is_part holds, from a random place on; its length, 0: there is none. */
static size_t find_word(const char *text, size_t length, int (*is_part)(int), size_t *at) {
  size_t i = below(length), k = 0;
  while (i < length && is_part((unsigned char)text[i])) ++i; /* out of the word we are in */
  while (i < length && !is_part((unsigned char)text[i])) ++i;
  while (i + k < length && is_part((unsigned char)text[i + k])) ++k;
  *at = i;
  return k;
}

static int is_number(int c) {
  return isdigit(c) || c == '.';
}

static size_t change_number(char *text, size_t length) {
  static const char *const values[] = {"0",    "-1",  "1e300", "1e-300", "nan",  "inf",  "-0.0",     "1e9", "2.5",
                                       "1e-9", "1/0", "1e6",   "-1e300", "1e17", "0x10", "sqrt(-1)", "",    "1e400"};
  size_t at, size = find_word(text, length, is_number, &at);
  const char *value = values[below(SN_COUNT(values))];
  return size ? replace(text, length, at, size, value, strlen(value)) : length;
}

static int is_name(int c) {
  return isalpha(c) || c == '_';
}

/* One name takes the place of another. */
static size_t change_name(char *text, size_t length) {
  char name[64];
  size_t at, other, size = find_word(text, length, is_name, &at), size_other = find_word(text, length, is_name, &other);
  if (!size || !size_other || size_other > sizeof name) return length;
  memcpy(name, text + other, size_other);
  return replace(text, length, at, size, name, size_other);
}

/* A line from a random place; its length with the end. */
static size_t find_line(const char *text, size_t length, size_t *at) {
  size_t i = below(length), end;
  while (i > 0 && text[i - 1] != '\n') --i;
  for (end = i; end < length && text[end] != '\n';) ++end;
  *at = i;
  return end - i + (end < length);
}

static size_t delete_line(char *text, size_t length) {
  size_t at, size = find_line(text, length, &at);
  return replace(text, length, at, size, "", 0);
}

static size_t copy_line(char *text, size_t length) {
  char line[1024];
  size_t from, to, size = find_line(text, length, &from);
  find_line(text, length, &to);
  if (size > sizeof line) return length;
  memcpy(line, text + from, size);
  return replace(text, length, to, 0, line, size);
}

static size_t change_bytes(char *text, size_t length) {
  static const char bytes[] = "{}[]:,-#&*!|>'\"%@`\t\n\r \\0\x80\xff\x01";
  for (size_t i = 1 + below(4); i-- > 0 && length;)
    text[below(length)] = below(2) ? bytes[below(sizeof bytes)] : (char)below(256);
  return length;
}

static size_t cut(char *text, size_t length) {
  (void)text;
  return below(length);
}

static size_t (*const mutations[])(char *, size_t) = {
    change_number, change_number, change_number, change_number, change_name,
    change_name,   delete_line,   copy_line,     change_bytes,  cut};

/* ---- the program ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What the process has computed so far [s]. */
static double computed(pid_t child) {
  clockid_t clock;
  struct timespec t = {0};
  if (clock_getcpuclockid(child, &clock) || clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How it ended, as waitpid tells; -1: it did not. `asked`: it was asked to. */
static int wait_for(pid_t child, bool *asked) {
  const double begin = now();
  int how = 0;
  *asked = false;
  while (waitpid(child, &how, WNOHANG) == 0) {
    const double taken = fmax(computed(child), (now() - begin) / waiting);
    if (!*asked && taken > patience) *asked = !kill(child, SIGTERM);
    if (taken > patience + last_patience) {
      kill(child, SIGKILL);
      waitpid(child, &how, 0);
      return -1;
    }
    usleep(now() - begin < 0.1 ? 1000 : 10000);
  }
  return how;
}

/* Run it in the folder with its messages in a file; "": as it should. */
static const char *attack(char *const *words) {
  static char text[512];
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int output = open("messages", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const struct rlimit no_core = {0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv(words[0], words);
    _exit(127);
  }
  bool asked;
  const int how = wait_for(child, &asked);
  size_t length = 0;
  char *said = sn_read_file("messages", SIZE_MAX, &length);
  assert_non_null(said);
  SN_RESIZE(said, length + 1);
  said[length] = 0;
  const int code = WEXITSTATUS(how);
  text[0] = 0;
  if (how == -1) {
    snprintf(text, sizeof text, "hung");
  } else if (WIFSIGNALED(how)) {
    snprintf(text, sizeof text, "died of signal %d: %.200s", WTERMSIG(how), said);
  } else if (strstr(said, "Sanitizer") || strstr(said, "runtime error:")) {
    snprintf(text, sizeof text, "sanitizer: %.400s", said);
  } else if (code != SN_OK && code != SN_USAGE && code != SN_BAD_MODEL && code != SN_NUMERICS && code != SN_MEMORY &&
             !(asked && code == SN_INTERRUPTED)) {
    snprintf(text, sizeof text, "exit code %d: %.200s", code, said);
  } else if (code && !length) {
    snprintf(text, sizeof text, "exit code %d without a word", code);
  }
  sn_free(said);
  return text;
}

static char *read_model(const char *path, size_t *length) {
  char *text = sn_read_file(path, longest - 1, length);
  assert_non_null(text);
  char *room = malloc(longest);
  memcpy(room, text, *length);
  sn_free(text);
  return room;
}

static void keep(long i, const char *why, const char *command, const char *model) {
  char to[64], line[128];
  snprintf(to, sizeof to, "/tmp/sinew-mutant-%ld.yaml", i);
  print_message("mutant %ld of %s: sinew %s: %s\n  it is in %s\n", i, model, command, why, to);
  snprintf(line, sizeof line, "cp mutant.yaml %s", to);
  if (system(line)) print_message("  (it could not be kept)\n");
}

static void test_mutated_models(void **state) {
  (void)state;
  char program[4096], *sinew = getenv("SINEW");
  glob_t models;
  if (!sinew || !realpath(sinew, program)) skip();
  setenv("SINEW_MEMORY", "2G", 0); /* mutants may have millions of elements */
  assert_int_equal(glob("models/*.yaml", 0, NULL, &models), 0);
  const long count = attack_count(60);
  long survived = 0;
  seed = attack_seed();
  char *root = realpath(".", NULL);
  const char *place = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.4000s/sinew-mutants-XXXXXX", place && *place ? place : "/tmp");
  assert_true(mkdtemp(folder) && !chdir(folder));
  for (long i = 0; i < count; ++i) {
    char path[4200];
    size_t length;
    const char *model = models.gl_pathv[below(models.gl_pathc)];
    snprintf(path, sizeof path, "%s/%s", root, model);
    char *text = read_model(path, &length);
    for (size_t k = 1 + below(3); k-- > 0;) length = mutations[below(SN_COUNT(mutations))](text, length);
    FILE *out = fopen("mutant.yaml", "wb");
    assert_true(out && fwrite(text, 1, length, out) == length && !fclose(out));
    free(text);
    char *check[] = {program, "check", "mutant.yaml", NULL};
    char *simulate[] = {program, "run", "mutant.yaml", "-q", "--until", "1e-3", "-o", "r.h5", NULL};
    const char *why = attack(check), *command = "check";
    if (!*why) why = attack(simulate), command = "run";
    if (*why)
      keep(i, why, command, model);
    else
      ++survived;
    unlink("r.h5");
  }
  globfree(&models);
  assert_int_equal(chdir(root), 0);
  free(root);
  char remove[sizeof folder + 8];
  snprintf(remove, sizeof remove, "rm -rf %s", folder);
  assert_int_equal(system(remove), 0);
  attack_tally(count, survived);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutated_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
