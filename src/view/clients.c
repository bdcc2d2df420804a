/* clients.c - the open connections of the server, so that slow ones cannot keep new ones out.
 *
 * On the loopback interface all clients have the same address, so a limit per address tells nobody apart. What does is
 * time: a browser sends its request at once, a client that does not is either idle or slow. When there are many
 * connections, each new one closes the one that has waited longest without a request; if none waits, the one whose
 * answer takes longest, if it has had its time.
 */
#include "view/clients.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/base.h"

static const double time_for_an_answer = 10; /* s; only when there are too many */

static void link_newest(sn_clients *clients, sn_client *client) {
  client->older = clients->newest;
  client->newer = NULL;
  *(clients->newest ? &clients->newest->newer : &clients->oldest) = client;
  clients->newest = client;
}

static void unlink_client(sn_clients *clients, sn_client *client) {
  assert(client->older ? client->older->newer == client : clients->oldest == client);
  assert(client->newer ? client->newer->older == client : clients->newest == client);
  *(client->older ? &client->older->newer : &clients->oldest) = client->newer;
  *(client->newer ? &client->newer->older : &clients->newest) = client->older;
}

/* The connection that matters least; NULL: all are being answered and have time left. */
static sn_client *least(const sn_clients *clients, double now) {
  sn_client *slow = NULL;
  for (sn_client *c = clients->oldest; c; c = c->newer) {
    if (!c->busy && c->socket >= 0) return c;
    if (!slow && c->socket >= 0 && now - c->since > time_for_an_answer) slow = c;
  }
  return slow;
}

sn_client *sn_client_enter(sn_clients *clients, int socket) {
  sn_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  if (clients->count >= sn_crowded) {
    sn_client *closed = least(clients, sn_wall_time());
    if (closed) {
      shutdown(closed->socket, SHUT_RDWR); /* the server sees the end of it and calls sn_client_leave */
      closed->socket = -1;
    }
  }
  client->socket = socket;
  client->since = sn_wall_time();
  link_newest(clients, client);
  clients->count++;
  return client;
}

void sn_client_leave(sn_clients *clients, sn_client *client) {
  if (!client) return;
  assert(clients->count > 0);
  unlink_client(clients, client);
  clients->count--;
  free(client);
}

void sn_client_mark(sn_clients *clients, sn_client *client, bool busy) {
  if (!client || client->busy == busy) return;
  client->busy = busy;
  client->since = sn_wall_time();
  unlink_client(clients, client);
  link_newest(clients, client);
}
