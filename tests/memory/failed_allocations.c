/* failed_allocations.c - fails every allocation of the program once, and sees what comes of it.
 *
 *     failed_allocations [--every K] [--from N] [--until T] [--verbose] MODEL...
 *
 * This is the whole program, linked with a malloc, calloc, realloc, aligned_alloc, free and main of its own in front of
 * those of the C library and of the command line (ld --wrap). So the allocations of our own code are counted and fail,
 * those that libraries make for themselves do not.
 *
 * For every model it runs the commands below as children, once to count their allocations, then with each K-th of them
 * failing. A case has survived if the child ends with code 5 and one message that names memory; or as if nothing had
 * happened, with the same output. It must not crash, hang, leave memory or files open, nor a result that cannot be
 * read. The last line is "tried N survived M"; the exit code is 0 when all survived.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/sinew.h"

enum { leaked = 99, left_open = 98, time_limit = 120 };

/* ---- memory ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
int __real_main(int count, char **words);

/* Pages that parent and child share. */
static struct {
  long made, fail; /* allocations so far; the number of the one that fails, 0: none */
  bool failed;
} * shared;

static bool counting;
enum { most = 1 << 20 };
static void *live[most]; /* by address: linear probing; gone: nothing, but the search goes on behind it */
static char gone;
static long lives;

static size_t place_of(const void *memory) {
  size_t at = ((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u % most;
  while (live[at] && live[at] != memory) at = (at + 1) % most;
  return at;
}

static void enter(void *memory) {
  if (!counting || !memory) return;
  size_t at = ((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u % most;
  while (live[at] && live[at] != &gone) at = (at + 1) % most;
  live[at] = memory;
  ++lives;
}

static void leave(const void *memory) {
  if (!memory || !lives) return;
  const size_t at = place_of(memory);
  if (!live[at]) return;
  live[at] = &gone;
  --lives;
}

/* A place for a breakpoint. */
__attribute__((noinline)) static bool fail_here(void) {
  shared->failed = true;
  errno = ENOMEM;
  return true;
}

static bool fails(void) {
  return counting && ++shared->made == shared->fail && fail_here();
}

void *__wrap_malloc(size_t size) {
  if (fails()) return NULL;
  void *memory = __real_malloc(size);
  enter(memory);
  return memory;
}

void *__wrap_calloc(size_t count, size_t size) {
  if (fails()) return NULL;
  void *memory = __real_calloc(count, size);
  enter(memory);
  return memory;
}

void *__wrap_realloc(void *memory, size_t size) {
  if (fails()) return NULL;
  leave(memory);
  void *larger = __real_realloc(memory, size);
  enter(larger ? larger : memory);
  return larger;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  if (fails()) return NULL;
  void *memory = __real_aligned_alloc(alignment, size);
  enter(memory);
  return memory;
}

void __wrap_free(void *memory) {
  leave(memory);
  __real_free(memory);
}

/* ---- what is run ---- */

/* A program that uses the library: no command line around it. */
static int host(const char *path, double until) {
  sn_context *context = sn_context_create();
  if (!context) return fprintf(stderr, "sinew: out of memory\n"), SN_MEMORY;
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  double energy[16] = {0};
  sn_options options = {.until = until, .threads = 2};
  sn_status status = sn_model_load(context, path, NULL, 0, &model);
  if (!status) status = sn_simulation_create(model, &options, &simulation);
  while (!status && sn_time(simulation) < until - 1e-9) {
    const double before = sn_time(simulation);
    status = sn_step(simulation);
    if (!status && sn_time(simulation) == before) break;
  }
  if (!status && !sn_read(simulation, "energy", energy, 16)) status = SN_MEMORY;
  if (status) fprintf(stderr, "sinew: %s\n", sn_message(context));
  if (status && simulation && sn_step(simulation) != status) status = SN_USAGE; /* it stays so */
  for (int i = 0; i < 16 && !status; ++i) printf("%.17g ", energy[i]);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return (int)status;
}

enum { most_words = 12 };
typedef struct scenario {
  const char *name;
  const char *words[most_words]; /* MODEL, HALF, WHOLE, UNTIL, STEP are replaced */
  bool makes_result;             /* new.h5 */
} scenario;

static const scenario scenarios[] = {
    {"host", {"host"}, false},
    {"check", {"check", "MODEL"}, false},
    {"info", {"info", "MODEL"}, false},
    {"run", {"run", "MODEL", "-o", "new.h5", "-q", "--until", "UNTIL", "--checkpoint", "STEP"}, true},
    {"resume", {"run", "MODEL", "--resume", "HALF", "-o", "new.h5", "-q", "--until", "UNTIL"}, true},
    {"info RESULT", {"info", "WHOLE"}, false},
    {"info --check", {"info", "--check", "WHOLE"}, false},
    {"export", {"export", "WHOLE"}, false},
    {"plot", {"plot", "WHOLE", "energy.total"}, false},
    {"report", {"report", "WHOLE", "-o", "new.html"}, false},
};

typedef struct job {
  const char *model, *folder; /* model: absolute */
  char until[32], step[32], half[300], whole[300];
} job;

static const char *replaced(const job *j, const char *word) {
  const char *const pairs[][2] = {
      {"MODEL", j->model}, {"HALF", j->half}, {"WHOLE", j->whole}, {"UNTIL", j->until}, {"STEP", j->step}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
    if (strcmp(word, pairs[i][0]) == 0) return pairs[i][1];
  return word;
}

static int descriptors(void) {
  int count = 0;
  for (int i = 0; i < 256; ++i) count += fcntl(i, F_GETFD) >= 0;
  return count;
}

static void send(int descriptor, const char *name) {
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(file, descriptor);
  close(file);
}

/* In the child: run it with allocation `fail` failing. */
static _Noreturn void work(const job *j, const char *const *words, long fail) {
  char name[] = "sinew", *all[most_words + 2] = {name};
  int count = 1;
  for (; count <= most_words && words[count - 1]; ++count)
    all[count] = (char *)(uintptr_t)replaced(j, words[count - 1]);
  if (chdir(j->folder)) _exit(1);
  unlink("new.h5"), unlink("new.h5.part"), unlink("new.html");
  send(STDOUT_FILENO, "out"), send(STDERR_FILENO, "err");
  alarm(time_limit);
  const int open_before = descriptors();
  shared->made = 0;
  shared->fail = fail;
  shared->failed = false;
  counting = true;
  int code = strcmp(words[0], "host") == 0 ? host(j->model, strtod(j->until, NULL)) : __real_main(count, all);
  counting = false;
  fflush(NULL);
  if (lives) fprintf(stderr, "%ld pieces of memory were not freed\n", lives), code = leaked;
  if (descriptors() != open_before) fprintf(stderr, "a file was left open\n"), code = left_open;
  exit(code); /* a leak checker has its say */
}

/* How it ended: an exit code, or 256 + the signal. */
static int run(const job *j, const char *const *words, long fail) {
  int how = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) work(j, words, fail);
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(how) ? 256 + WTERMSIG(how) : WEXITSTATUS(how);
}

/* ---- judging ---- */

static char *text_of(const char *folder, const char *name) {
  static char text[2][1 << 20];
  static int turn;
  char path[400], *to = text[turn = !turn];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(to, 1, sizeof text[0] - 1, file) : 0;
  if (file) fclose(file);
  to[size] = 0;
  return to;
}

static uint64_t hash_of(const char *folder, const char *name) {
  char path[400];
  uint64_t hash = 0xCBF29CE484222325u;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  for (int c; file && (c = fgetc(file)) != EOF;) hash = (hash ^ (uint64_t)c) * 0x100000001B3u;
  if (file) fclose(file);
  return hash;
}

static int times_in(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) ++count;
  return count;
}

static bool exists(const char *folder, const char *name) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

/* The numbers of new.h5, or what the command printed. */
static uint64_t outcome(const job *j, const scenario *s) {
  static const char *const numbers[] = {"export", "new.h5", NULL};
  if (s->makes_result && run(j, numbers, 0)) return 0;
  return hash_of(j->folder, "out") ^ (exists(j->folder, "new.html") ? hash_of(j->folder, "new.html") : 0);
}

/* What of a failed run is left can be read. */
static bool is_readable(const job *j) {
  static const char *const names[] = {"new.h5", "new.h5.part"};
  for (int i = 0; i < 2; ++i) {
    char path[400], kept[400];
    const char *const words[] = {"info", "kept.h5", NULL};
    if (!exists(j->folder, names[i])) continue;
    snprintf(path, sizeof path, "%s/%s", j->folder, names[i]);
    snprintf(kept, sizeof kept, "%s/kept.h5", j->folder);
    if (rename(path, kept) || run(j, words, 0)) return false;
  }
  return true;
}

/* NULL: it survived. */
static const char *judge(const job *j, const scenario *s, int code, uint64_t expected) {
  static char why[300];
  char message[200];
  const char *err = text_of(j->folder, "err");
  snprintf(message, sizeof message, "%.*s", (int)strcspn(err, "\n"), err);
  const int named = times_in(err, "memory");
  if (code >= 256) {
    snprintf(why, sizeof why, "%s %s", code == 256 + 14 ? "it hung" : strsignal(code - 256), message);
    return why;
  }
  if (code == 0 && outcome(j, s) == expected) return NULL;
  if (code == 0) return "it went on with another outcome";
  snprintf(why, sizeof why, "exit code %d: %s", code, message);
  if (code != SN_MEMORY && code != SN_IO) return why;
  if (named != 1) return why;
  if (s->makes_result && !is_readable(j)) return "what is left of the result cannot be read";
  return NULL;
}

/* ---- all of it ---- */

typedef struct options {
  long every, from;
  double until;
  bool verbose;
} options;

static void fail_each(const job *j, const scenario *s, const options *o, long *tried, long *survived) {
  long own = 0, good = 0;
  const int code = run(j, s->words, 0);
  const long count = shared->made;
  if (code) {
    printf("%s %s: fails without any failure: exit code %d: %s\n", s->name, j->model, code, text_of(j->folder, "err"));
    ++*tried;
    return;
  }
  const uint64_t expected = outcome(j, s);
  for (long k = o->from; k <= count; k += o->every) {
    const int ended = run(j, s->words, k);
    const char *why = shared->failed ? judge(j, s, ended, expected) : NULL;
    ++own;
    good += why == NULL;
    if (why) printf("%s %s: allocation %ld of %ld: %s\n", s->name, j->model, k, count, why);
  }
  if (o->verbose) printf("%s %s: %ld allocations, tried %ld survived %ld\n", s->name, j->model, count, own, good);
  fflush(stdout);
  *tried += own;
  *survived += good;
}

static bool prepare(job *j, const char *model, const char *folder, double until) {
  static const char *const whole[] = {"run", "MODEL", "-o", "WHOLE", "-q", "--until", "UNTIL", NULL};
  static const char *const half[] = {"run", "MODEL", "-o", "HALF", "-q", "--until", "STEP", NULL};
  *j = (job){.model = realpath(model, NULL), .folder = folder};
  snprintf(j->until, sizeof j->until, "%g", until);
  snprintf(j->step, sizeof j->step, "%g", until / 2);
  snprintf(j->half, sizeof j->half, "%s/half.h5", folder);
  snprintf(j->whole, sizeof j->whole, "%s/whole.h5", folder);
  if (j->model && !run(j, whole, 0) && !run(j, half, 0)) return true;
  fprintf(stderr, "%s cannot be run: %s\n", model, j->model ? text_of(folder, "err") : strerror(errno));
  return false;
}

int __wrap_main(int count, char **words) {
  options o = {.every = 1, .from = 1, .until = 0.02};
  char folder[] = "/tmp/sinew-heap-XXXXXX", command[64];
  long tried = 0, survived = 0;
  int i = 1;
  for (; i < count && words[i][0] == '-'; ++i) {
    if (strcmp(words[i], "--verbose") == 0) o.verbose = true;
    if (strcmp(words[i], "--every") == 0 && i + 1 < count) o.every = strtol(words[++i], NULL, 10);
    if (strcmp(words[i], "--from") == 0 && i + 1 < count) o.from = strtol(words[++i], NULL, 10);
    if (strcmp(words[i], "--until") == 0 && i + 1 < count) o.until = strtod(words[++i], NULL);
  }
  if (i >= count || o.every < 1 || o.from < 1 || !mkdtemp(folder)) {
    fputs("usage: failed_allocations [--every K] [--from N] [--until T] [--verbose] MODEL...\n", stderr);
    return 1;
  }
  FILE *pages = tmpfile();
  if (!pages || ftruncate(fileno(pages), sizeof *shared)) return 1;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(pages), 0);
  bool good = shared != MAP_FAILED;
  for (; i < count && good; ++i) {
    job j;
    good = prepare(&j, words[i], folder, o.until);
    for (size_t k = 0; good && k < sizeof scenarios / sizeof scenarios[0]; ++k)
      fail_each(&j, &scenarios[k], &o, &tried, &survived);
    __real_free((void *)(uintptr_t)j.model);
  }
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command)) fprintf(stderr, "%s stays\n", folder);
  printf("tried %ld survived %ld\n", tried, survived);
  return good && tried == survived ? 0 : 1;
}
