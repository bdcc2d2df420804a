/* show.h - what the commands that use the viewer share. */
#ifndef SN_CLI_SHOW_H
#define SN_CLI_SHOW_H

#include "cli/options.h"
#include "view/server.h"

/* The value of --port; false after printing an error. */
bool cli_port(const cli_arguments *arguments, int *port);
/* Print where the server listens and, if wanted, ask the desktop for a browser. */
void cli_show_address(const sn_server *server, bool browser);
/* Stop the server, if there is one, and remove what the browser was given. */
void cli_stop_showing(sn_server *server);
/* Keep the signals that end a program from the threads started afterwards; wait for one of them. */
void cli_block_signals(void);
void cli_unblock_signals(void);
void cli_wait_for_signal(void);

#endif
