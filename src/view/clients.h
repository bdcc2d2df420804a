/* clients.h - the open connections of the server, so that slow ones cannot keep new ones out. */
#ifndef SN_VIEW_CLIENTS_H
#define SN_VIEW_CLIENTS_H

#include <stdbool.h>

enum {
  sn_most_clients = 256, /* connections open at once; the server accepts no more */
  sn_crowded = 192,      /* from here on every new connection closes an old one */
};

typedef struct sn_client {
  struct sn_client *older, *newer;
  int socket;
  bool busy;    /* a request has arrived and is being answered */
  double since; /* wall clock: when it came, or when its request arrived */
} sn_client;

/* All of them, oldest first. Used by one thread, that of the server. */
typedef struct sn_clients {
  sn_client *oldest, *newest;
  int count;
} sn_clients;

/* A new connection. NULL: no memory. */
sn_client *sn_client_enter(sn_clients *clients, int socket);
void sn_client_leave(sn_clients *clients, sn_client *client);
/* Its request has arrived (busy), or is answered: it counts as new again. */
void sn_client_mark(sn_clients *clients, sn_client *client, bool busy);

#endif
