/* test_damage.c - a bit that has changed in a result file is found, or does not matter.
 *
 * A run with checkpoints is stopped on its way. In copies of its file one bit is turned at a random place (the same
 * places every time; TORTURE_COUNT: how many, TORTURE_SEED: others). Whoever goes on from such a copy is refused, or ends with the same numbers;
 * who checks it is told, or reads the same numbers.
 */
#define _DEFAULT_SOURCE

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "base/hash.h"
#include "run/record.h"
#include "support.h"

static const char *const model = "models/pendulum.yaml";
static char folder[] = "/tmp/sinew-damage-XXXXXX";

enum { same, refused, different, sound_but_different, crashed, hung, outcomes };
static const char *const words[outcomes] = {"same", "refused", "DIFFERENT", "SOUND BUT DIFFERENT", "CRASHED", "HUNG"};

static void run_to(const char *from, const char *path, double until, bool *good) {
  run r;
  sn_writer *writer;
  sn_resume resume = {0};
  sn_options options = {.until = until, .checkpoint = 0.05, .integrator = "radau"};
  *good = false;
  open_run(&r, model, &options);
  sn_status status = SN_OK;
  if (from) {
    status = sn_resume_read(r.model, from, &resume);
    if (!status) status = sn_checkpoint_load(r.simulation, &resume.history);
    if (!status) status = sn_writer_resume(r.simulation, from, resume.rows, path, &writer);
  } else {
    status = sn_writer_open(r.simulation, path, &writer);
  }
  if (!status) {
    status = sn_record(r.simulation, writer, NULL, NULL);
    *good = sn_writer_close(writer, status, "") == SN_OK && status == SN_OK;
  }
  sn_history_free(&resume.history);
  close_run(&r);
}

/* A number over all series of a result; 0: it cannot be read. */
static uint64_t numbers_of(const char *path) {
  sn_context *context = sn_context_create();
  sn_result *result = NULL;
  uint64_t hash = sn_hash_begin;
  if (sn_result_open(context, path, &result)) hash = 0;
  for (const char *const *name = hash ? sn_result_names(result) : NULL; name && *name && hash; ++name) {
    const sn_series *s = sn_result_series(result, *name);
    hash = s ? sn_hash(sn_hash(hash, *name, strlen(*name)), s->value, s->count * sizeof *s->value) : 0;
  }
  sn_result_free(result);
  sn_context_free(context);
  return hash;
}

static bool is_sound(const char *path) {
  sn_context *context = sn_context_create();
  sn_checked checked;
  const bool sound = !sn_result_check(context, path, &checked, NULL, NULL);
  sn_context_free(context);
  return sound;
}

/* In a process of its own. */
static int try_copy(const char *copy, const char *end, uint64_t before, uint64_t after) {
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    bool good = false;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < SN_COUNT(signals); ++i) signal(signals[i], SIG_DFL); /* cmocka catches them */
    alarm(20);
    if (is_sound(copy) && numbers_of(copy) != before) _exit(sound_but_different);
    run_to(copy, end, 0.4, &good);
    _exit(!good ? refused : numbers_of(end) == after ? same : different);
  }
  int how = 0;
  waitpid(child, &how, 0);
  if (WIFSIGNALED(how)) return WTERMSIG(how) == SIGALRM ? hung : crashed;
  return WEXITSTATUS(how) < outcomes ? WEXITSTATUS(how) : crashed;
}

static void test_turned_bits(void **state) {
  (void)state;
  char begun[64], whole[64], copy[64], end[64];
  bool good = false;
  assert_non_null(mkdtemp(folder));
  snprintf(begun, sizeof begun, "%s/begun.h5", folder);
  snprintf(whole, sizeof whole, "%s/whole.h5", folder);
  snprintf(copy, sizeof copy, "%s/copy.h5", folder);
  snprintf(end, sizeof end, "%s/end.h5", folder);
  run_to(NULL, begun, 0.2, &good);
  assert_true(good);
  run_to(begun, whole, 0.4, &good);
  assert_true(good);
  const uint64_t before = numbers_of(begun), after = numbers_of(whole);
  assert_true(before && after && is_sound(begun) && is_sound(whole));

  size_t length = 0;
  char *bytes = sn_read_file(begun, SIZE_MAX, &length);
  assert_non_null(bytes);
  const long flips = attack_count(60);
  long count[outcomes] = {0};
  uint64_t random = attack_seed();
  for (long i = 0; i < flips; ++i) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    const size_t at = (size_t)(random % length);
    const int bit = (int)(random >> 60) & 7;
    bytes[at] = (char)(bytes[at] ^ (1 << bit));
    FILE *out = fopen(copy, "wb");
    assert_true(out && fwrite(bytes, 1, length, out) == length && !fclose(out));
    bytes[at] = (char)(bytes[at] ^ (1 << bit));
    const int outcome = try_copy(copy, end, before, after);
    ++count[outcome];
    if (outcome >= different) print_message("bit %d of byte %zu of %zu: %s\n", bit, at, length, words[outcome]);
    unlink(end);
  }
  sn_free(bytes);
  for (int k = 0; k < outcomes; ++k) print_message("%s %ld  ", words[k], count[k]);
  print_message("of %ld\n", flips);
  char remove[96];
  snprintf(remove, sizeof remove, "rm -rf %s", folder);
  assert_int_equal(system(remove), 0);
  attack_tally(flips, count[same] + count[refused]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_turned_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
