/* command.c - run another program and read what it says. */
#include "study/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

extern char **environ;

static int start(const char *const *words, int out, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
  const int error = posix_spawnp(child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* Until it closes its output; false: that took too long. */
static bool listen_to(int in, double seconds, char *text, size_t size) {
  const double end = sn_wall_time() + seconds;
  size_t length = 0;
  for (;;) {
    struct pollfd wait = {.fd = in, .events = POLLIN};
    const double left = end - sn_wall_time();
    if (left <= 0) return false;
    if (poll(&wait, 1, (int)(1000 * left) + 1) <= 0) continue;
    char piece[1024];
    const ssize_t got = read(in, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    for (ssize_t i = 0; i < got && length + 1 < size; ++i) text[length++] = piece[i];
    text[length] = 0;
  }
}

int sn_command_run(const char *const *words, double seconds, char *text, size_t size) {
  int ends[2], how = 0;
  pid_t child;
  text[0] = 0;
  if (pipe(ends)) return SN_COMMAND_MISSING;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  const int error = start(words, ends[1], &child);
  close(ends[1]);
  if (error) return close(ends[0]), errno = error, SN_COMMAND_MISSING;
  const bool ended = listen_to(ends[0], seconds, text, size);
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
  if (!ended) return SN_COMMAND_SILENT;
  return WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
}
