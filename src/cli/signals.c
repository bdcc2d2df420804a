/* signals.c - SIGINT, SIGTERM and SIGHUP end every command within a second, with exit code 130.
 *
 * A command that has something to save is told by a flag, and ends after the step it is in. One that does not hear it
 * within a second (a step of a very large model), and all others, end where they are: what a run had written before
 * stays in its part file, as after a kill; temporary files go.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* A handler has access to globals only. */
static sn_context *interrupted_context;               /* NULL: nothing to save */
static const char *temporary_file, *temporary_folder; /* NULL: none */

static void end_here(int number) {
  const char *text = number == SIGALRM ? "sinew: interrupted within a step; the rows written before are kept\n"
                                       : "sinew: interrupted\n";
  if (temporary_file) unlink(temporary_file);
  if (temporary_folder) rmdir(temporary_folder);
  if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(SN_INTERRUPTED);
  _exit(SN_INTERRUPTED);
}

static void on_signal(int number) {
  if (!interrupted_context) end_here(number);
  sn_interrupt(interrupted_context);
  alarm(1);
}

static void set_handler(int number) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, now;
  sigemptyset(&action.sa_mask);
  /* nohup sinew run ...; jobs that a script starts in the background ignore SIGINT, and are to hear it */
  const bool ignored = number == SIGHUP && !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
  if (!ignored) sigaction(number, &action, NULL);
}

void cli_watch_signals(void) {
  set_handler(SIGINT);
  set_handler(SIGTERM);
  set_handler(SIGHUP);
  signal(SIGALRM, end_here);
}

void cli_catch_signals(sn_context *context) {
  interrupted_context = context;
}

void cli_signal_was_heard(void) {
  alarm(0);
}

void cli_remove_at_signal(const char *file, const char *folder) {
  temporary_file = file;
  temporary_folder = folder;
}
