/* view.c - sinew view: show results in a browser. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/show.h"
#include "view/browser.h"
#include "view/server.h"

/* The folder of what the desktop's browser was given; "": none. */
static char opened[SN_FOLDER_SIZE];

void cli_show_address(const sn_server *server, bool browser) {
  printf("serving at %s  (Ctrl-C to stop)\n", sn_server_address(server));
  fflush(stdout);
  if (!browser) return;
  if (sn_temporary_folder(opened)) sn_browser_show(opened, sn_server_address(server));
}

void cli_stop_showing(sn_server *server) {
  sn_server_stop(server);
  if (opened[0]) sn_browser_forget(opened);
}

static sigset_t ending_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}

void cli_block_signals(void) {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

void cli_unblock_signals(void) {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

void cli_wait_for_signal(void) {
  const sigset_t signals = ending_signals();
  int which;
  cli_block_signals();
  sigwait(&signals, &which);
}

bool cli_port(const cli_arguments *arguments, int *port) {
  *port = 0;
  return cli_whole(arguments, "port", 1, 65535, port);
}

/* The results of the command line, opened; those that are open must be freed in any case. */
static sn_status open_all(const cli_arguments *arguments, sn_result **result) {
  sn_status status = SN_OK;
  for (int i = 0; !status && i < arguments->operands; ++i)
    status = sn_result_open(arguments->context, arguments->operand[i], &result[i]);
  return status;
}

static sn_status run_view(const cli_arguments *arguments) {
  int port;
  if (!cli_port(arguments, &port)) return SN_USAGE;
  const int count = arguments->operands;
  sn_result **result = sn_new((size_t)count, sizeof *result);
  sn_server *server = NULL;
  cli_block_signals(); /* before the server's thread exists: it must not get them */
  sn_status status = open_all(arguments, result);
  if (!status) status = sn_server_start(arguments->context, result, arguments->operand, count, port, &server);
  if (status) {
    cli_report(arguments->context, status);
  } else {
    cli_show_address(server, !cli_given(arguments, "no-browser"));
    cli_wait_for_signal();
  }
  cli_stop_showing(server);
  for (int i = 0; i < count; ++i) sn_result_free(result[i]);
  sn_free(result);
  return status;
}

static const cli_option view_options[] = {
    {"port", 0, "N", .help = "port (default: any free port)"},
    {"no-browser", 0, NULL, .help = "print the address, do not open a browser"},
    {0},
};

const cli_command cli_view = {
    .name = "view",
    .summary = "show results in a browser: motion in 3D, plots, audit",
    .usage = "RESULT.h5...",
    .fewest = 1,
    .most = -1,
    .hint = CLI_RESULT,
    .options = view_options,
    .run = run_view,
    .details =
        "Serves a page on this machine only. Its address contains a random key, so that other users cannot open it.\n"
        "Opens it in the default browser, if there is one. Several results can be overlaid or shown side by side.\n"
        "\nexamples:\n"
        "  sinew view pendulum.h5\n"
        "  sinew view soft.h5 stiff.h5 --port 8080 --no-browser\n",
};
