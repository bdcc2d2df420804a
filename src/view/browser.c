/* browser.c - the browsers of this machine: one for people, one that draws without a window. */
#include "view/browser.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The full name of a program of the search path, in `full`. */
static bool find_program(const char *name, char *full, size_t size) {
  const char *path = getenv("PATH");
  if (strchr(name, '/')) {
    snprintf(full, size, "%s", name);
    return !access(full, X_OK);
  }
  for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
    const size_t length = strcspn(at, ":");
    snprintf(full, size, "%.*s/%s", (int)length, at, name);
    if (length && !access(full, X_OK)) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

static void leave_terminal(void) {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) return;
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
}

/* Start a program in a process group of its own, without our terminal. leash: pipes it gets as files 3 and 4; NULL:
 * none. folder: for its temporary files; NULL: where it likes. */
static pid_t start(char *const *words, const int *leash, const char *folder) {
  const pid_t process = fork();
  if (process == 0) {
    setpgid(0, 0);
    if (leash) {
      const int input = fcntl(leash[0], F_DUPFD, 5), output = fcntl(leash[1], F_DUPFD, 5);
      dup2(input, 3);
      dup2(output, 4);
      close(input);
      close(output);
    }
    leave_terminal();
    signal(SIGPIPE, SIG_DFL);
    if (folder) setenv("TMPDIR", folder, 1); /* what it leaves when it is ended goes with the folder */
    execv(words[0], words);
    _exit(127);
  }
  if (process > 0) setpgid(process, process);
  return process;
}

/* folder/open.html, readable by the user alone, which leads to the address. */
static bool make_page(const char *folder, const char *address, char *url, size_t size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/open.html", folder);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool put = dprintf(file, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", address) > 0;
  snprintf(url, size, "file://%s", path);
  return !close(file) && put;
}

bool sn_browser_show(const char *folder, const char *address) {
  char program[4096], url[4200];
  const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  if (!(x11 && *x11) && !(wayland && *wayland)) return false;
  if (!find_program("xdg-open", program, sizeof program)) return false;
  if (!make_page(folder, address, url, sizeof url)) return false;
  char *words[] = {program, url, NULL};
  return start(words, NULL, NULL) > 0;
}

const char *sn_browser_find(void) {
  static char program[4096];
  static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
  const char *chosen = getenv("SINEW_BROWSER");
  if (chosen && *chosen) return find_program(chosen, program, sizeof program) ? program : NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (find_program(names[i], program, sizeof program)) return program;
  return NULL;
}

pid_t sn_browser_start(const char *program, const char *folder, const char *address) {
  char profile[4200], url[4200];
  if (!make_page(folder, address, url, sizeof url)) return -1;
  snprintf(profile, sizeof profile, "--user-data-dir=%s", folder);
  const char *const words[] = {
      program, "--headless=new", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--no-proxy-server",
      "--remote-debugging-pipe", /* unused pipe: it keeps the browser open until this process ends */
      profile,
      /* its sandbox cannot be made by root; it shows nothing but our own page */
      geteuid() == 0 ? "--no-sandbox" : "--disable-dev-shm-usage", url, NULL};
  int to[2], from[2];
  if (pipe(to) || pipe(from)) return -1;
  fcntl(to[1], F_SETFD, FD_CLOEXEC);
  fcntl(from[0], F_SETFD, FD_CLOEXEC);
  const int leash[2] = {to[0], from[1]};
  const pid_t process = start((char *const *)(uintptr_t)words, leash, folder);
  close(to[0]);
  close(from[1]);
  return process;
}

void sn_browser_forget(const char *folder) {
  char path[4096];
  DIR *open = opendir(folder);
  for (const struct dirent *entry; open && (entry = readdir(open));) {
    struct stat about;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= sizeof path) continue;
    if (lstat(path, &about)) continue;
    if (S_ISDIR(about.st_mode)) {
      sn_browser_forget(path);
    } else {
      unlink(path);
    }
  }
  if (open) closedir(open);
  rmdir(folder);
}

void sn_browser_forget_later(const char *folder, unsigned seconds) {
  if (fork() != 0) return;
  setsid();
  leave_terminal(); /* whoever reads our output must not wait for us */
  sleep(seconds);
  sn_browser_forget(folder);
  _exit(0);
}

bool sn_browser_runs(pid_t process) {
  return waitpid(process, NULL, WNOHANG) == 0;
}

void sn_browser_stop(pid_t process) {
  kill(-process, SIGTERM);
  for (int i = 0; i < 25 && sn_browser_runs(process); ++i) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  kill(-process, SIGKILL);
  waitpid(process, NULL, WNOHANG);
}
