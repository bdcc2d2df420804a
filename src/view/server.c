/* server.c - results over HTTP, for a browser on this machine only.
 *
 *   GET /                the viewer
 *   GET /api/results     every result as a tree (view/index.h)
 *   GET /api/state       rows and status of every result, for runs that go on
 *   GET /api/rows?result=K&path=/time&first=F&count=N&stride=S&type=f4|f8
 *                        rows of a dataset as floats of this machine
 *   GET /api/coordinates?result=K&first=F&count=N&stride=S&type=f4|f8
 *                        the same of the coordinates of all bodies side by side
 *
 * Nothing else exists: paths are names of datasets, never of files. Requests must name this server in their Host
 * header, so that a page from elsewhere cannot reach it by a name that points to this machine.
 */
#include "view/server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "view/index.h"
#include "view/page.h"

enum {
  header_memory = 16 << 10,   /* all headers of a request, and its address */
  largest_answer = 64 << 20,  /* bytes of rows */
  largest_upload = 512 << 20, /* a video */
};

struct sn_server {
  struct MHD_Daemon *daemon;
  sn_result **result;
  const char *const *name;
  int count, port;
  pthread_mutex_t lock; /* of result, and of what is expected */
  char token[64];       /* "": nothing is expected */
  char *upload;
  size_t upload_size;
  bool arrived, failed;
  double asked, busy; /* when a page asked for the state, and for anything; by the wall clock */
};

/* ---- answers ---- */

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type, void *bytes,
                              size_t count, enum MHD_ResponseMemoryMode mode) {
  static const char *const header[][2] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
       "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},
  };
  struct MHD_Response *response = MHD_create_response_from_buffer(count, bytes, mode);
  if (!response) return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  for (size_t i = 0; i < SN_COUNT(header); ++i) MHD_add_response_header(response, header[i][0], header[i][1]);
  const enum MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *why) {
  return answer(connection, status, "text/plain; charset=utf-8", (void *)(uintptr_t)why, strlen(why),
                MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result answer_json(struct MHD_Connection *connection, sn_text *json) {
  return answer(connection, MHD_HTTP_OK, "application/json", json->data, json->length, MHD_RESPMEM_MUST_FREE);
}

/* ---- the data ---- */

static enum MHD_Result send_results(sn_server *server, struct MHD_Connection *connection) {
  sn_text json = {0};
  sn_text_add(&json, "{\"results\":[");
  for (int i = 0; i < server->count; ++i) {
    sn_text_add(&json, "%s{\"name\":", i ? "," : "");
    const char *slash = strrchr(server->name[i], '/'), *name = slash ? slash + 1 : server->name[i];
    sn_json_text(&json, name, strlen(name)); /* where it lies is nobody's business */
    sn_text_add(&json, ",\"tree\":");
    if (server->result[i]) {
      sn_view_index(server->result[i], &json);
    } else {
      sn_text_add(&json, "null");
    }
    sn_text_add(&json, "}");
  }
  sn_text_add(&json, "]}");
  return answer_json(connection, &json);
}

static enum MHD_Result send_state(sn_server *server, struct MHD_Connection *connection) {
  sn_text json = {0};
  server->asked = sn_wall_time();
  sn_text_add(&json, "{\"results\":[");
  for (int i = 0; i < server->count; ++i) {
    char status[16] = "running";
    const size_t rows = server->result[i] ? sn_view_state(server->result[i], status) : 0;
    sn_text_add(&json, "%s{\"rows\":%zu,\"status\":", i ? "," : "", rows);
    sn_json_text(&json, status, strlen(status));
    sn_text_add(&json, "}");
  }
  sn_text_add(&json, "]}");
  return answer_json(connection, &json);
}

static bool whole(struct MHD_Connection *connection, const char *name, size_t otherwise, size_t *value) {
  const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
  *value = otherwise;
  if (!text) return true;
  const size_t length = strlen(text);
  if (length < 1 || length > 15 || strspn(text, "0123456789") != length) return false;
  *value = (size_t)strtoull(text, NULL, 10);
  return true;
}

/* Rows of a dataset, or of the coordinates of all bodies. */
static enum MHD_Result send_rows(sn_server *server, struct MHD_Connection *connection, bool coordinates) {
  size_t index, first, count, stride;
  sn_view_shape shape = {0};
  const char *path = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "path");
  const char *type = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "type");
  const size_t width = type && !strcmp(type, "f8") ? sizeof(double) : sizeof(float);
  if (!(path || coordinates) || !whole(connection, "result", 0, &index) || !whole(connection, "first", 0, &first) ||
      !whole(connection, "count", 1, &count) || !whole(connection, "stride", 1, &stride) || stride < 1)
    return refuse(connection, MHD_HTTP_BAD_REQUEST, "which rows?\n");
  sn_result *result = index < (size_t)server->count ? server->result[index] : NULL;
  if (!result || !sn_view_shape_of(result, coordinates ? "/time" : path, &shape))
    return refuse(connection, MHD_HTTP_NOT_FOUND, "no such dataset\n");
  if (coordinates) shape.columns = sn_view_width(result);
  if (count < 1 || first >= shape.rows || (count - 1) > (shape.rows - 1 - first) / stride)
    return refuse(connection, MHD_HTTP_RANGE_NOT_SATISFIABLE, "not so many rows\n");
  if (shape.columns < 1 || count > largest_answer / width / shape.columns)
    return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "too many rows at once\n");
  const size_t bytes = count * shape.columns * width;
  void *rows = malloc(bytes);
  if (!rows || !(coordinates ? sn_view_coordinates(result, first, count, stride, width, rows)
                             : sn_view_rows(result, path, first, count, stride, width, rows))) {
    free(rows);
    return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "cannot read it\n");
  }
  return answer(connection, MHD_HTTP_OK, "application/octet-stream", rows, bytes, MHD_RESPMEM_MUST_FREE);
}

/* ---- what a drawing page sends back ---- */

typedef struct upload {
  char *bytes;
  size_t count, capacity;
} upload;

/* Called for every piece, then once with nothing. */
static enum MHD_Result take(sn_server *server, struct MHD_Connection *connection, upload *u, const char *data,
                            size_t *size) {
  if (*size) {
    if (u->count + *size > largest_upload) return MHD_NO;
    if (u->count + *size > u->capacity) {
      size_t capacity = u->capacity ? 2 * u->capacity : 1 << 20;
      while (capacity < u->count + *size) capacity *= 2;
      char *grown = realloc(u->bytes, capacity);
      if (!grown) return MHD_NO;
      u->bytes = grown;
      u->capacity = capacity;
    }
    memcpy(u->bytes + u->count, data, *size);
    u->count += *size;
    *size = 0;
    return MHD_YES;
  }
  const char *failed = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "failed");
  server->upload = u->bytes;
  server->upload_size = u->count;
  server->failed = failed != NULL;
  server->arrived = true;
  server->token[0] = 0;
  u->bytes = NULL;
  return refuse(connection, MHD_HTTP_OK, "thank you\n");
}

/* ---- requests ---- */

/* 127.0.0.1:PORT or localhost:PORT */
static bool is_for_us(const sn_server *server, struct MHD_Connection *connection) {
  static const char *const names[] = {"127.0.0.1", "localhost"};
  const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
  char wanted[32];
  for (size_t i = 0; host && i < SN_COUNT(names); ++i) {
    snprintf(wanted, sizeof wanted, "%s:%d", names[i], server->port);
    if (!strcmp(host, wanted)) return true;
  }
  return false;
}

static bool is_expected(const sn_server *server, struct MHD_Connection *connection, const char *url) {
  const char *token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
  return server->token[0] && !strcmp(url, "/picture") && token && !strcmp(token, server->token);
}

static enum MHD_Result get(sn_server *server, struct MHD_Connection *connection, const char *url) {
  if (!strcmp(url, "/"))
    return answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8", (void *)(uintptr_t)sn_page, sn_page_size,
                  MHD_RESPMEM_PERSISTENT);
  if (!strcmp(url, "/api/results")) return send_results(server, connection);
  if (!strcmp(url, "/api/state")) return send_state(server, connection);
  if (!strcmp(url, "/api/rows")) return send_rows(server, connection, false);
  if (!strcmp(url, "/api/coordinates")) return send_rows(server, connection, true);
  return refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
  sn_server *server = user;
  (void)version;
  if (!is_for_us(server, connection))
    return refuse(connection, MHD_HTTP_FORBIDDEN, "this is not the server you named\n");
  pthread_mutex_lock(&server->lock);
  server->busy = sn_wall_time();
  enum MHD_Result result;
  if (!strcmp(method, MHD_HTTP_METHOD_GET) || !strcmp(method, MHD_HTTP_METHOD_HEAD)) {
    result = get(server, connection, url);
  } else if (!strcmp(method, MHD_HTTP_METHOD_POST) && is_expected(server, connection, url)) {
    if (!*state) {
      *state = calloc(1, sizeof(upload));
      result = *state ? MHD_YES : MHD_NO;
    } else {
      result = take(server, connection, *state, data, size);
    }
  } else {
    result = refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
  }
  pthread_mutex_unlock(&server->lock);
  return result;
}

static void completed(void *user, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode why) {
  (void)user, (void)connection, (void)why;
  upload *u = *state;
  if (u) free(u->bytes);
  free(u);
  *state = NULL;
}

/* ---- life ---- */

sn_status sn_server_start(sn_context *context, sn_result *const *result, const char *const *name, int count, int port,
                          sn_server **started) {
  *started = NULL;
  if (!sn_page_size) return sn_fail(context, SN_USAGE, SN_PAGE_MISSING);
  sn_server *server = calloc(1, sizeof *server);
  sn_result **own = calloc((size_t)count + 1, sizeof *own);
  if (!server || !own) abort();
  memcpy(own, result, sizeof *own * (size_t)count);
  server->result = own;
  server->name = name;
  server->count = count;
  pthread_mutex_init(&server->lock, NULL);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)header_memory, MHD_OPTION_CONNECTION_LIMIT, 64U,
      MHD_OPTION_CONNECTION_TIMEOUT, 120U, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
  if (!server->daemon) {
    sn_server_stop(server);
    return port ? sn_fail(context, SN_IO, "cannot listen at port %d of this machine; is it taken?", port)
                : sn_fail(context, SN_IO, "cannot listen at any port of this machine");
  }
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
  server->port = info ? info->port : port;
  *started = server;
  return SN_OK;
}

int sn_server_port(const sn_server *server) {
  return server->port;
}

void sn_server_replace(sn_server *server, int index, sn_result *result) {
  pthread_mutex_lock(&server->lock);
  server->result[index] = result;
  pthread_mutex_unlock(&server->lock);
}

/* Pages ask for the state once a second; what has changed they read at once. */
void sn_server_let_see(sn_server *server) {
  const double begin = sn_wall_time(), recent = 5, longest = 4, quiet = 0.5;
  for (bool seen = false; !seen;) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    const double now = sn_wall_time();
    pthread_mutex_lock(&server->lock);
    const bool watched = server->busy > begin - recent, told = server->asked > begin && now - server->busy > quiet;
    pthread_mutex_unlock(&server->lock);
    seen = !watched || told || now - begin > longest;
  }
}

void sn_server_stop(sn_server *server) {
  if (!server) return;
  if (server->daemon) MHD_stop_daemon(server->daemon);
  pthread_mutex_destroy(&server->lock);
  free(server->result);
  free(server->upload);
  free(server);
}

void sn_server_expect(sn_server *server, const char *token) {
  pthread_mutex_lock(&server->lock);
  snprintf(server->token, sizeof server->token, "%s", token);
  pthread_mutex_unlock(&server->lock);
}

bool sn_server_receive(sn_server *server, double seconds, bool (*go_on)(void *), void *user, char **bytes,
                       size_t *count, bool *failed) {
  const double end = sn_wall_time() + seconds;
  bool arrived = false;
  while (!arrived && sn_wall_time() < end && go_on(user)) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    pthread_mutex_lock(&server->lock);
    arrived = server->arrived;
    pthread_mutex_unlock(&server->lock);
  }
  if (!arrived) return false;
  *bytes = server->upload;
  *count = server->upload_size;
  *failed = server->failed;
  server->upload = NULL;
  server->arrived = false;
  return true;
}
