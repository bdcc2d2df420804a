/* hostile_results.c - result files that are damaged or made to harm, given to the program: no command may crash or hang.
 *
 *     hostile_results COUNT SEED
 *
 * First every crafted file (crafted.h) goes to every command; then files with random damage, each to one command, until
 * COUNT have been tried (if that is fewer than the crafted ones, COUNT of these). Half of the damaged files have right
 * checksums, as one who means harm would give them; the others have none. Wants SINEW, the path of the program, and
 * runs in the folder with models/. The last line says: tried N, survived M. tests/torture gives
 * count and seed as TORTURE_COUNT and TORTURE_SEED.
 */
#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "crafted.h"
#include "result/result.h"
#include "result/sums.h"
#include "view/index.h"

static const char *const model = "models/pendulum.yaml";
static char folder[] = "/tmp/sinew-hostile-XXXXXX";
static char base[64], file[64], out[64];
static unsigned char *sound; /* the sound file, without its checksums */
static size_t length;
static uint64_t state;
enum { longest = 60 }; /* [s] */

static uint64_t draw(uint64_t below) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (state >> 11) % below;
}

/* ---- files ---- */

static bool write_file(const unsigned char *bytes, size_t count, bool summed) {
  FILE *to = fopen(file, "wb");
  if (!to) return false;
  bool good = fwrite(bytes, 1, count, to) == count;
  if (summed && count) {
    const size_t blocks = (count + sn_sum_block - 1) / sn_sum_block;
    uint64_t *sum = malloc(blocks * sizeof *sum);
    for (size_t i = 0; i < blocks; ++i) {
      const size_t at = i * sn_sum_block, left = count - at;
      sum[i] = sn_sum_of(bytes + at, left < sn_sum_block ? left : sn_sum_block);
    }
    const sn_sums all = {.sum = sum, .count = blocks, .end = count};
    sn_sums_head head = sn_sums_head_of(&all);
    head.check = sn_hash(sn_sum_of(sum, blocks * sizeof *sum), &head.end, sizeof head.end);
    good = good && fwrite(sum, sizeof *sum, blocks, to) == blocks && fwrite(&head, sizeof head, 1, to) == 1;
    free(sum);
  }
  return !fclose(to) && good;
}

static bool craft(const crafted *c) {
  size_t count = 0;
  if (!write_file(sound, length, false)) return false;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const hid_t opened = H5Fopen(file, H5F_ACC_RDWR, access);
  H5Pclose(access);
  if (opened < 0) return false;
  c->make(opened);
  H5Fclose(opened);
  unsigned char *bytes = (unsigned char *)sn_read_file(file, SIZE_MAX, &count);
  const bool good = bytes && write_file(bytes, count, true);
  sn_free(bytes);
  return good;
}

/* Random damage: bits, words that lengths and addresses may be, pieces copied elsewhere, an early end. */
static bool damage(void) {
  static const uint64_t evil[] = {
      0,         1,          0xff, 0xffff, 0x7fffffff, 1U << 31, UINT32_MAX, (uint64_t)1 << 61, (uint64_t)1 << 62,
      INT64_MAX, UINT64_MAX, 96,   2048};
  unsigned char *bytes = malloc(length);
  memcpy(bytes, sound, length);
  size_t count = length;
  const uint64_t kind = draw(8), times = 1 + draw(draw(2) ? 8 : 200);
  const size_t most = draw(2) ? length : length / 8; /* the first part has more tables */
  for (uint64_t i = 0; i < times; ++i) {
    const size_t at = (size_t)draw(most - 64);
    if (kind < 3) {
      bytes[at] = (unsigned char)(bytes[at] ^ (1U << draw(8)));
    } else if (kind < 5) {
      memcpy(bytes + at, &evil[draw(sizeof evil / sizeof evil[0])], draw(2) ? 8 : 4);
    } else if (kind < 6) {
      bytes[at] = (unsigned char)draw(256);
    } else if (kind < 7) {
      memmove(bytes + at, bytes + draw(most - 64), 1 + draw(63));
    } else if (i == 0) {
      count = (size_t)draw(length);
    }
  }
  const bool good = write_file(bytes, count, draw(2));
  free(bytes);
  return good;
}

/* ---- commands ---- */

static void look(void *user, const char *path, sn_view_shape shape) {
  float some[64];
  if (shape.rows && shape.columns && shape.columns <= 64)
    sn_view_rows(user, path, shape.rows - 1, 1, 1, sizeof(float), some);
}

/* What the viewer asks for. */
static void view(void) {
  sn_context *context = sn_context_create();
  sn_result *result = NULL;
  sn_text json = {0};
  if (!sn_result_open(context, file, &result)) {
    char status[16];
    sn_view_index(result, &json);
    sn_view_each(result, look, result);
    const size_t rows = sn_view_state(result, status), width = sn_view_width(result);
    float *all = width && width < 1 << 20 ? malloc(width * sizeof *all) : NULL;
    if (all && rows) sn_view_coordinates(result, rows - 1, 1, 1, sizeof(float), all);
    free(all);
  }
  sn_text_free(&json);
  sn_result_free(result);
  sn_context_free(context);
}

static const char *const command[][10] = {
    {"info", file},
    {"info", "--check", file},
    {"export", file, "-o", out},
    {"plot", file, "energy.total"},
    {"plot", file, "tip.x", "tip.y"},
    {"report", file, "-o", out},
    {"run", "models/pendulum.yaml", "--resume", file, "-o", out, "-q", "--until", "0.32"},
    {"view"},
};
enum { commands = sizeof command / sizeof command[0] };

/* How a process ended: 0 well, 1 with a signal, 2 not in time, 3 with a code of ours that is none. */
static int try_command(int which) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; ++i) dup2(nowhere, i);
    if (which == commands - 1) view(), _exit(0);
    char *arguments[12] = {getenv("SINEW")};
    for (int i = 0; i < 10 && command[which][i]; ++i) arguments[i + 1] = (char *)(uintptr_t)command[which][i];
    execv(arguments[0], arguments);
    _exit(127);
  }
  int how = 0;
  for (int i = 0; i < longest * 200; ++i) {
    if (waitpid(child, &how, WNOHANG) == child) {
      if (WIFSIGNALED(how)) return 1;
      return WEXITSTATUS(how) <= 4 ? 0 : 3;
    }
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  kill(child, SIGKILL);
  waitpid(child, &how, 0);
  return 2;
}

static bool survives(int which, const char *what, long number) {
  static const char *const words[] = {"", "CRASHED", "HUNG", "STRANGE EXIT CODE"};
  const int outcome = try_command(which);
  unlink(out);
  if (!outcome) return true;
  char keep[128], call[512];
  snprintf(keep, sizeof keep, "%s/bad-%ld-%d.h5", folder, number, which);
  snprintf(call, sizeof call, "cp %s %s", file, keep);
  if (system(call)) keep[0] = 0;
  printf("%s: %s %s with %s\n", words[outcome], command[which][0], what, keep);
  fflush(stdout);
  return false;
}

static bool prepare(void) {
  char call[512];
  size_t whole = 0;
  snprintf(base, sizeof base, "%s/base.h5", folder);
  snprintf(file, sizeof file, "%s/file.h5", folder);
  snprintf(out, sizeof out, "%s/out.h5", folder);
  snprintf(call, sizeof call, "%s run %s -q --until 0.3 --checkpoint 0.05 --integrator radau -o %s", getenv("SINEW"),
           model, base);
  if (system(call)) return false;
  sound = (unsigned char *)sn_read_file(base, SIZE_MAX, &whole);
  sn_sums sums;
  const int opened = open(base, O_RDONLY);
  const bool good = sound && opened >= 0 && sn_sums_load(&sums, opened, base);
  length = good ? (size_t)sums.end : 0;
  if (good) sn_sums_free(&sums);
  if (opened >= 0) close(opened);
  return good;
}

int main(int count, char **argument) {
  const char *files = count > 1 ? argument[1] : getenv("TORTURE_COUNT");
  const char *seed = count > 2 ? argument[2] : getenv("TORTURE_SEED");
  const long wanted = files ? strtol(files, NULL, 10) : 300;
  state = 88172645463325252u + 0x9E3779B97F4A7C15u * (seed ? strtoull(seed, NULL, 10) : 1);
  long tried = 0, survived = 0;
  if (!getenv("SINEW") || !mkdtemp(folder) || !prepare()) return fputs("cannot begin; is SINEW set?\n", stderr), 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (int which = 0; which < commands; ++which) {
    if (write_file(sound, length, true) && !try_command(which)) continue;
    printf("a sound file: %s fails\n", command[which][0]);
    return 2;
  }
  for (int i = 0; i < crafted_count; ++i) {
    if (tried >= wanted || !craft(&crafted_files[i])) continue;
    for (int which = 0; which < commands && tried < wanted; ++which)
      survived += survives(which, crafted_files[i].what, tried++);
  }
  while (tried < wanted && damage()) survived += survives((int)draw(commands), "random damage", tried), ++tried;
  printf("tried %ld, survived %ld\n", tried, survived);
  sn_free(sound);
  char remove[96];
  snprintf(remove, sizeof remove, "rm -rf %s", folder);
  if (tried == survived && system(remove)) return 1;
  return tried == wanted && survived == tried ? 0 : 1;
}
