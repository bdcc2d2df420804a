/* server.c - results over HTTP, for a browser on this machine only.
 *
 *   GET /KEY/                the viewer
 *   GET /KEY/api/results     every result as a tree (view/index.h)
 *   GET /KEY/api/state       rows and status of every result, for runs that go on
 *   GET /KEY/api/rows?result=K&path=/time&first=F&count=N&stride=S&type=f4|f8
 *                            rows of a dataset as floats of this machine
 *   GET /KEY/api/coordinates?result=K&first=F&count=N&stride=S&type=f4|f8
 *                            the same of the coordinates of all bodies side by side
 *
 * Nothing else exists: paths are names of datasets, never of files. Requests must name this server in their Host
 * header, so that a page from elsewhere cannot reach it by a name that points to this machine. Every request must name
 * the key, 128 random bits made when the server starts, so that other users of this machine cannot read results.
 */
#include "view/server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "view/clients.h"
#include "view/index.h"
#include "view/page.h"

enum {
  header_memory = 16 << 10,   /* all headers of a request, and its address */
  largest_answer = 64 << 20,  /* bytes of rows */
  largest_upload = 512 << 20, /* a video */
  quiet_time = 10,            /* s; a connection on which nothing moves for so long is closed */
  key_length = 32,            /* hexadecimal digits */
};

struct sn_server {
  struct MHD_Daemon *daemon;
  sn_result **result;
  const char *const *name;
  int count, port;
  sn_pool *pool; /* of the caller: for data read by requests */
  char key[key_length + 1], address[64];
  sn_clients clients;   /* of the thread of the daemon */
  pthread_mutex_t lock; /* of what follows, and of result */
  char *upload;
  size_t upload_size;
  bool expected, arrived, failed; /* a picture */
  double asked, busy;             /* times of the last request for the state, and of any request; wall clock */
  atomic_long steps;              /* of the run that goes on; -1: none does */
};

/* ---- answers ---- */

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type, void *bytes,
                              size_t count, void (*release)(void *)) {
  static const char *const header[][2] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
       "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},
  };
  struct MHD_Response *response = release ? MHD_create_response_from_buffer_with_free_callback(count, bytes, release)
                                          : MHD_create_response_from_buffer(count, bytes, MHD_RESPMEM_PERSISTENT);
  if (!response && release) release(bytes);
  if (!response) return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  for (size_t i = 0; i < SN_COUNT(header); ++i) MHD_add_response_header(response, header[i][0], header[i][1]);
  const enum MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *why) {
  return answer(connection, status, "text/plain; charset=utf-8", (void *)(uintptr_t)why, strlen(why), NULL);
}

static enum MHD_Result answer_json(struct MHD_Connection *connection, sn_text *json) {
  if (json->failed) {
    sn_text_free(json);
    return MHD_NO;
  }
  return answer(connection, MHD_HTTP_OK, "application/json", json->data, json->length, sn_free);
}

/* ---- the data ---- */

static enum MHD_Result send_results(sn_server *server, struct MHD_Connection *connection) {
  sn_text json = {0};
  sn_text_add(&json, "{\"results\":[");
  for (int i = 0; i < server->count; ++i) {
    sn_text_add(&json, "%s{\"name\":", i ? "," : "");
    const char *slash = strrchr(server->name[i], '/'), *name = slash ? slash + 1 : server->name[i];
    sn_json_text(&json, name, strlen(name)); /* its folder is not disclosed */
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
    if (atomic_load(&server->steps) >= 0) sn_text_add(&json, ",\"steps\":%ld", atomic_load(&server->steps));
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
    return refuse(connection, MHD_HTTP_BAD_REQUEST, "missing row range\n");
  sn_result *result = index < (size_t)server->count ? server->result[index] : NULL;
  if (!result || !sn_view_shape_of(result, coordinates ? "/time" : path, &shape))
    return refuse(connection, MHD_HTTP_NOT_FOUND, "no such dataset\n");
  if (coordinates) shape.columns = sn_view_width(result);
  if (count < 1 || first >= shape.rows || (count - 1) > (shape.rows - 1 - first) / stride)
    return refuse(connection, MHD_HTTP_RANGE_NOT_SATISFIABLE, "row out of range\n");
  if (shape.columns < 1 || count > largest_answer / width / shape.columns)
    return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "too many rows at once\n");
  const size_t bytes = count * shape.columns * width;
  void *rows = sn_try_new(bytes, 1);
  if (!rows || !(coordinates ? sn_view_coordinates(result, first, count, stride, width, rows)
                             : sn_view_rows(result, path, first, count, stride, width, rows))) {
    sn_free(rows);
    return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "cannot read the dataset\n");
  }
  return answer(connection, MHD_HTTP_OK, "application/octet-stream", rows, bytes, sn_free);
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
      char *grown = sn_try_resized(u->bytes, capacity, 1);
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
  server->expected = false;
  u->bytes = NULL;
  return refuse(connection, MHD_HTTP_OK, "received\n");
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

/* What follows the key in the path of a request, "/" for the page; NULL: the key is missing or wrong. The comparison
 * takes the same time wherever it differs. */
static const char *behind_key(const sn_server *server, const char *url) {
  unsigned different = 0;
  if (strlen(url) < key_length + 2 || url[0] != '/' || url[key_length + 1] != '/') return NULL;
  for (int i = 0; i < key_length; ++i) different |= (unsigned char)url[i + 1] ^ (unsigned char)server->key[i];
  return different ? NULL : url + key_length + 1;
}

static enum MHD_Result get(sn_server *server, struct MHD_Connection *connection, const char *url) {
  if (!strcmp(url, "/"))
    return answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8", (void *)(uintptr_t)sn_viewer, sn_viewer_size,
                  NULL);
  if (!strcmp(url, "/api/results")) return send_results(server, connection);
  if (!strcmp(url, "/api/state")) return send_state(server, connection);
  if (!strcmp(url, "/api/rows")) return send_rows(server, connection, false);
  if (!strcmp(url, "/api/coordinates")) return send_rows(server, connection, true);
  return refuse(connection, MHD_HTTP_NOT_FOUND, "not found\n");
}

static sn_client *client_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

typedef struct request {
  sn_server *server;
  struct MHD_Connection *connection;
  const char *url, *method, *data;
  size_t *size;
  void **state;
  enum MHD_Result result;
} request;

static void unlock(void *lock) {
  pthread_mutex_unlock(lock);
}

static enum MHD_Result respond(const request *r) {
  sn_server *server = r->server;
  struct MHD_Connection *connection = r->connection;
  const char *url = r->url, *method = r->method;
  size_t *size = r->size;
  void **state = r->state;
  if (!is_for_us(server, connection)) return refuse(connection, MHD_HTTP_FORBIDDEN, "wrong host name\n");
  const char *what = behind_key(server, url);
  if (!what) return refuse(connection, MHD_HTTP_FORBIDDEN, "open the complete address that sinew printed\n");
  sn_client_mark(&server->clients, client_of(connection), true);
  sn_undo undo;
  pthread_mutex_lock(&server->lock);
  sn_undo_begin(&undo, unlock, &server->lock);
  server->busy = sn_wall_time();
  enum MHD_Result result;
  if (!strcmp(method, MHD_HTTP_METHOD_GET) || !strcmp(method, MHD_HTTP_METHOD_HEAD)) {
    result = get(server, connection, what);
  } else if (!strcmp(method, MHD_HTTP_METHOD_POST) && !strcmp(what, "/picture") && (server->expected || *state)) {
    if (!*state) {
      *state = sn_try_new(1, sizeof(upload));
      result = *state ? MHD_YES : MHD_NO;
    } else {
      result = take(server, connection, *state, r->data, size);
    }
  } else {
    result = refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is supported\n");
  }
  sn_undo_end(&undo);
  pthread_mutex_unlock(&server->lock);
  return result;
}

static sn_status respond_guarded(void *argument) {
  request *r = argument;
  r->result = respond(r);
  return SN_OK;
}

/* Without memory the connection is closed, and the server continues. */
static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
  sn_server *server = user;
  request r = {server, connection, url, method, data, size, state, MHD_NO};
  (void)version;
  return sn_guard(NULL, server->pool, respond_guarded, &r) ? MHD_NO : r.result;
}

static void completed(void *user, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode why) {
  sn_server *server = user;
  (void)why;
  sn_client_mark(&server->clients, client_of(connection), false);
  upload *u = *state;
  if (u) sn_free(u->bytes);
  sn_free(u);
  *state = NULL;
}

/* A connection begins or ends. */
static void connected(void *user, struct MHD_Connection *connection, void **client,
                      enum MHD_ConnectionNotificationCode what) {
  sn_server *server = user;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *client = info ? sn_client_enter(&server->clients, info->connect_fd) : NULL;
  } else {
    sn_client_leave(&server->clients, *client);
    *client = NULL;
  }
}

/* ---- life ---- */

static bool make_key(char key[key_length + 1]) {
  unsigned char bytes[key_length / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; ++i) snprintf(key + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

/* A socket that listens at a port of the loopback interface, 0: any free one, which *port then is; -1: it cannot. It is
 * made here so that the port is known before the first request comes. */
static int listen_at(int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
  socklen_t size = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
  if (s < 0) return -1;
  if (setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
      bind(s, (struct sockaddr *)&address, sizeof address) || listen(s, SOMAXCONN) ||
      getsockname(s, (struct sockaddr *)&address, &size)) {
    close(s);
    return -1;
  }
  *port = ntohs(address.sin_port);
  return s;
}

static void release(void *object) {
  sn_server *server = object;
  if (server->daemon) MHD_stop_daemon(server->daemon);
  pthread_mutex_destroy(&server->lock);
}

sn_status sn_server_start(sn_context *context, sn_result *const *result, const char *const *name, int count, int port,
                          sn_server **started) {
  *started = NULL;
  if (!sn_viewer_size) return sn_set_message(context, SN_USAGE, SN_PAGE_MISSING);
  sn_result **own = sn_new((size_t)count + 1, sizeof *own);
  sn_server *server = sn_new_object(sizeof *server, release);
  server->pool = sn_pool_now();
  memcpy(own, result, sizeof *own * (size_t)count);
  server->result = own;
  server->name = name;
  server->count = count;
  atomic_init(&server->steps, -1);
  pthread_mutex_init(&server->lock, NULL);
  server->port = port;
  const int listening = listen_at(&server->port);
  if (listening >= 0 && make_key(server->key)) {
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/%s/", server->port, server->key);
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL, handle, server, MHD_OPTION_LISTEN_SOCKET,
        listening, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)header_memory, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)sn_most_clients, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)quiet_time, MHD_OPTION_NOTIFY_CONNECTION,
        connected, server, MHD_OPTION_NOTIFY_COMPLETED, completed, server, MHD_OPTION_END);
  }
  if (!server->daemon) {
    if (listening >= 0) close(listening);
    sn_server_stop(server);
    char text[80] = "cannot listen on any port";
    if (port) snprintf(text, sizeof text, "cannot listen on port %d; it may be in use", port);
    return sn_set_message(context, SN_IO, text);
  }
  *started = server;
  return SN_OK;
}

const char *sn_server_address(const sn_server *server) {
  return server->address;
}

void sn_server_replace(sn_server *server, int index, sn_result *result) {
  pthread_mutex_lock(&server->lock);
  server->result[index] = result;
  pthread_mutex_unlock(&server->lock);
}

void sn_server_count_steps(sn_server *server, long steps) {
  atomic_store_explicit(&server->steps, steps, memory_order_relaxed);
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
  release(server);
  sn_free(server->result);
  sn_free(server->upload);
  sn_free(server);
}

void sn_server_expect(sn_server *server) {
  pthread_mutex_lock(&server->lock);
  server->expected = true;
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
