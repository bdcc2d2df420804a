/* signals.c - an interrupt ends what runs at the end of its step. */
#include <signal.h>

#include "cli/cli.h"

static sn_context *interrupted_context; /* the only way a handler can know it */

static void on_signal(int number) {
  (void)number;
  if (interrupted_context) sn_interrupt(interrupted_context);
}

void cli_catch_signals(sn_context *context) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  interrupted_context = context;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  const bool kept = !sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler == SIG_IGN; /* nohup sinew run ... */
  if (!kept) sigaction(SIGHUP, &action, NULL);
}
