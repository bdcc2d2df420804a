/* test_confine.c - a confined process can do nothing but compute, and talk to who has made it. */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "support.h"

enum { opened_a_file = 1, made_a_file, reached_the_network, made_a_process, took_memory, killed_its_parent, kept_open };

/* What a process can do after it was confined, one bit each. */
static unsigned try_everything(int other) {
  unsigned done = 0;
  struct stat there;
  if (!fstat(other, &there)) done |= 1U << kept_open;
  if (open("/etc/passwd", O_RDONLY) >= 0) done |= 1U << opened_a_file;
  if (open("/tmp/sinew-confined", O_WRONLY | O_CREAT, 0600) >= 0) done |= 1U << made_a_file;
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) done |= 1U << reached_the_network;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) done |= 1U << made_a_process;
  if (mmap(NULL, (size_t)3 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    done |= 1U << took_memory;
  if (!kill(getppid(), 0)) done |= 1U << killed_its_parent;
  return done;
}

static void nothing_is_left(void **state) {
  (void)state;
  int ends[2], other = fcntl(2, F_DUPFD, 20), how = 0;
  unsigned done = ~0U;
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    sn_confine_begin(ends[1]);
    sn_confine((size_t)1 << 30);
    const unsigned can = try_everything(other);
    _exit(write(sn_kept, &can, sizeof can) != sizeof can);
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &done, sizeof done), sizeof done);
  assert_int_equal(waitpid(child, &how, 0), child);
  assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
  assert_int_equal(done, 0);
#else
  assert_int_equal(done & ((1U << opened_a_file) | (1U << made_a_file) | (1U << reached_the_network)), 0);
#endif
  close(ends[0]);
  close(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
