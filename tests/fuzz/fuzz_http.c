/* fuzz_http.c - libFuzzer target: any bytes are sent to the server of the viewer, which stays alive and answers the next
 * request. The byte 1 stands for the path with the key, the byte 2 for the name of the server, so that requests get
 * past both.
 *
 * libFuzzer looks at the time by an alarm every few seconds, which interrupts what waits: poll is never restarted after
 * a signal. An interrupted call is made again; taking it for the end of an answer stopped the target now and then. */
#define _DEFAULT_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run/record.h"
#include "view/page.h"
#include "view/server.h"

const unsigned char sn_viewer[] = "<html>";
const size_t sn_viewer_size = sizeof sn_viewer - 1;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] =
    "sinew: 1\n"
    "bodies: {ball: {type: point-mass, mass: 1, position: [0, 0, 1]}}\n"
    "outputs: {ball: {point: ball}}\n"
    "analysis: {type: dynamics, duration: 0.1, integrator: {type: newmark, step: 0.01}, output_step: 0.01}\n";
static char key[64], host[64];
static int port;

static void start(void) {
  static char path[] = "/dev/shm/fuzz-http-XXXXXX";
  static const char *const names[] = {"fuzz.h5"};
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  sn_writer *writer = NULL;
  static sn_result *result;
  sn_server *server = NULL;
  close(mkstemp(path));
  if (sn_model_parse(context, "fuzz.yaml", model_text, sizeof model_text - 1, NULL, 0, &model) ||
      sn_simulation_create(model, NULL, &simulation) || sn_writer_open(simulation, path, &writer) ||
      sn_record(simulation, writer, NULL, NULL) || sn_writer_close(writer, SN_OK, "") ||
      sn_result_open(context, path, &result) || sn_server_start(context, &result, names, 1, 0, &server))
    abort();
  unlink(path);
  sn_simulation_free(simulation);
  sn_model_free(model);
  if (sscanf(sn_server_address(server), "http://127.0.0.1:%d/%40[^/]", &port, key) != 2) abort();
  snprintf(host, sizeof host, "127.0.0.1:%d", port);
}

/* A call of the system, again if a signal interrupts it. */
#define AGAIN(result, call) \
  do (result) = (call);     \
  while ((result) < 0 && errno == EINTR)

static int reach(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  const struct linger now = {1, 0}; /* thousands of connections: none waits after its end */
  setsockopt(s, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  int failed = connect(s, (struct sockaddr *)&address, sizeof address);
  if (failed && errno == EINTR) { /* it goes on by itself */
    struct pollfd p = {.fd = s, .events = POLLOUT};
    int ready;
    AGAIN(ready, poll(&p, 1, 10000));
    failed = ready != 1;
  }
  if (failed) abort();
  return s;
}

/* Bytes of the answer; 0: none within the time. `over`: nothing more will be said, as broken requests do. */
static size_t talk(const char *bytes, size_t count, bool over, int milliseconds, char *answer, size_t room) {
  const int s = reach();
  size_t got = 0;
  ssize_t more;
  AGAIN(more, send(s, bytes, count, MSG_NOSIGNAL));
  if (over) shutdown(s, SHUT_WR);
  struct pollfd p = {.fd = s, .events = POLLIN};
  while (got < room) {
    int ready;
    AGAIN(ready, poll(&p, 1, milliseconds));
    if (ready <= 0) break;
    AGAIN(more, recv(s, answer + got, room - got, 0));
    if (more <= 0) break;
    got += (size_t)more;
  }
  close(s);
  return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char request[1 << 16], answer[256];
  size_t length = 0;
  if (!port) start();
  for (size_t i = 0; i < size && length < sizeof request - 128; ++i) {
    if (data[i] == 1)
      length += (size_t)snprintf(request + length, 64, "/%s", key);
    else if (data[i] == 2)
      length += (size_t)snprintf(request + length, 64, "%s", host);
    else
      request[length++] = (char)data[i];
  }
  talk(request, length, true, 50, answer, sizeof answer);
  snprintf(request, sizeof request, "GET /%s/api/state HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", key, host);
  const size_t got = talk(request, strlen(request), false, 10000, answer, sizeof answer);
  if (got >= 15 && !memcmp(answer, "HTTP/1.1 200 OK", 15)) return 0;
  fprintf(stderr, "the next request is answered with %zu bytes: %.*s\n", got, (int)got, answer);
  abort();
}
