/* server.h - shows results to a browser on this machine: the page and its data over HTTP on the loopback interface. */
#ifndef SN_VIEW_SERVER_H
#define SN_VIEW_SERVER_H

#include <stdbool.h>

#include "sinew/program.h"

typedef struct sn_server sn_server;

/* Serve results (they stay the caller's, names are what the page calls them) at a port, 0: any free one. */
sn_status sn_server_start(sn_context *context, sn_result *const *result, const char *const *name, int count, int port,
                          sn_server **server);
/* Where it is: "http://127.0.0.1:PORT/KEY/". The key gives access to the results, so the address is shown to the user
 * only: it never appears in the arguments of a program, which others can read. */
const char *sn_server_address(const sn_server *server);
/* Another result in the place of number `index`, such as a finished file for the one that was being written. NULL: none
 * for now. After the return the old one is not used any more. */
void sn_server_replace(sn_server *server, int index, sn_result *result);
/* How many steps the run has made whose result is being written; from any thread. */
void sn_server_count_steps(sn_server *server, long steps);
/* Wait a few seconds at most until pages that watch have seen what is there now. */
void sn_server_let_see(sn_server *server);
void sn_server_stop(sn_server *server);

/* Accept one POST to /KEY/picture, for pages that draw for `sinew render`; no other POST is ever accepted. */
void sn_server_expect(sn_server *server);
/* Wait for it at most so many seconds: its bytes (to be freed by the caller) and whether they are what was asked for or
 * a message about why not. */
bool sn_server_receive(sn_server *server, double seconds, bool (*go_on)(void *), void *user, char **bytes,
                       size_t *count, bool *failed);

#endif
