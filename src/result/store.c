/* store.c - see store.h.
 *
 *   here    request ->             the process that has the file
 *              <- answer, bytes    repeated; the last answer is marked
 */
#define _DEFAULT_SOURCE /* clock_getcpuclockid */

#include "result/store.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/confine.h"
#include "result/contents.h"
#include "result/journal.h"

enum {
  most_memory = 1 << 30, /* [bytes] of the other process, beyond what it begins with */
  most_silence = 120,    /* [s] without a byte: not even a slow disk */
  largest_answer = 256 << 20,
};
/* Time of computing it may have used: at the start, with every request, and for each byte of the file with every
 * request, as a column of a wide dataset means to read all of it. */
static const double first_time = 10, request_time = 0.02, byte_time = 1e-8;

typedef struct request {
  uint32_t rows; /* 0: a description */
  uint32_t members;
  sn_wanted wanted;
} request;

typedef struct answer {
  uint32_t bytes;               /* that follow */
  uint32_t last, found, failed; /* failed: `error` and `detail` say why */
  uint32_t damaged;
  int32_t error;
  char detail[160];
} answer;

struct sn_store {
  pthread_mutex_t lock;
  sn_h5 h5;    /* of a run */
  pid_t child; /* 0: none */
  int channel;
  clockid_t clock;
  bool timed;
  double time; /* of computing, allowed so far */
  uint64_t file_bytes;
  char trouble[256];
  bool no_memory; /* of this process: that is its trouble */
};

/* ---- the process that has the file ---- */

/* At once, as far as they fit: every call wakes the other process. */
static bool send_both(const void *head, size_t head_size, const void *bytes, size_t size) {
  struct iovec part[2] = {{(void *)(uintptr_t)head, head_size}, {(void *)(uintptr_t)bytes, size}};
  while (part[0].iov_len + part[1].iov_len > 0) {
    const ssize_t done = writev(sn_kept, part, 2);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    size_t left = (size_t)done;
    for (int i = 0; i < 2; ++i) {
      const size_t own = left < part[i].iov_len ? left : part[i].iov_len;
      part[i].iov_base = (char *)part[i].iov_base + own;
      part[i].iov_len -= own;
      left -= own;
    }
  }
  return true;
}

static bool send_answer(sn_h5 *h5, bool last, bool found, const void *bytes, size_t size) {
  answer a = {.bytes = (uint32_t)size, .last = last, .found = found, .failed = h5->failed, .error = h5->error};
  a.damaged = h5->file >= 0 && sn_journal_damaged(h5->file);
  memcpy(a.detail, h5->detail, sizeof a.detail);
  return send_both(&a, sizeof a, bytes ? bytes : "", size);
}

static bool send_piece(void *user, const void *bytes, size_t size) {
  return send_answer(user, false, true, bytes, size);
}

static bool receive_request(request *r) {
  char *at = (char *)r;
  for (size_t size = sizeof *r; size > 0;) {
    const ssize_t got = read(sn_kept, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, size -= (size_t)got;
  }
  return true;
}

static void serve(const char *path, bool locked) {
  sn_h5 h5 = {.file = H5I_INVALID_HID};
  sn_met *met = NULL;
  request r;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  sn_journal_prepare(&h5, path, locked);
  sn_confine(most_memory);
  if (!h5.failed) sn_journal_open(&h5, "/result", H5F_ACC_RDONLY);
  bool good = send_answer(&h5, true, true, NULL, 0) && !h5.failed;
  while (good && receive_request(&r)) {
    sn_bytes bytes = {0};
    h5.failed = false, h5.error = 0, h5.detail[0] = 0;
    r.wanted.path[sn_longest_path - 1] = 0;
    bool found = r.rows ? sn_contents_rows(&h5, &r.wanted, send_piece, &h5)
                        : sn_contents_describe(&h5, r.wanted.path, r.members, &met, &bytes);
    if (bytes.failed) {
      h5.failed = true;
      if (bytes.no_memory) h5.error = ENOMEM;
      snprintf(h5.detail, sizeof h5.detail, "too many entries in %.100s", r.wanted.path);
      bytes.count = 0;
    }
    good = send_answer(&h5, true, found, bytes.data, bytes.count);
    sn_free(bytes.data);
  }
  _exit(0);
}

/* ---- asking it ---- */

static bool fail(sn_store *s, const char *why) {
  if (!s->trouble[0]) snprintf(s->trouble, sizeof s->trouble, "%s", why);
  return false;
}

/* Returns how it ended. */
static int end_child(sn_store *s, bool now) {
  int how = 0;
  if (!s->child) return 0;
  close(s->channel); /* then it ends by itself, if it can */
  const pid_t ended = now ? waitpid(s->child, &how, WNOHANG) : 0;
  if (now && !ended) kill(s->child, SIGKILL);
  while (!ended && waitpid(s->child, &how, 0) < 0 && errno == EINTR) continue;
  s->child = 0;
  return how;
}

/* It is gone: why? */
static bool gone(sn_store *s) {
  char text[160];
  const int how = end_child(s, true);
  if (WIFSIGNALED(how))
    snprintf(text, sizeof text, "it is damaged or malicious: HDF5 ended with signal %d when reading it", WTERMSIG(how));
  else
    snprintf(text, sizeof text, "it is damaged or malicious: HDF5 ended when reading it");
  return fail(s, text);
}

static double seconds(const struct timespec *t) {
  return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

/* Is there something to read before it has used up its time? */
static bool wait_for(sn_store *s) {
  const double begin = sn_wall_time();
  for (;;) {
    struct pollfd p = {.fd = s->channel, .events = POLLIN};
    if (poll(&p, 1, 100) > 0) return true;
    struct timespec used = {0};
    if (s->timed && clock_gettime(s->clock, &used)) used = (struct timespec){0};
    if (seconds(&used) > s->time || sn_wall_time() - begin > most_silence) {
      end_child(s, true);
      return fail(s, "it is damaged or malicious: HDF5 does not finish reading it");
    }
  }
}

static bool receive(sn_store *s, void *data, size_t size) {
  char *at = data;
  while (size > 0) {
    if (!wait_for(s)) return false;
    const ssize_t got = read(s->channel, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return gone(s);
    at += got, size -= (size_t)got;
  }
  return true;
}

static bool send_request(sn_store *s, const request *r) {
  const char *at = (const char *)r;
  for (size_t size = sizeof *r; size > 0;) {
    const ssize_t done = send(s->channel, at, size, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return gone(s);
    at += done, size -= (size_t)done;
  }
  s->time += request_time + byte_time * (double)s->file_bytes;
  return true;
}

static bool receive_answer(sn_store *s, answer *a) {
  if (!receive(s, a, sizeof *a)) return false;
  a->detail[sizeof a->detail - 1] = 0;
  sn_make_plain(a->detail, false);
  if (a->damaged) return fail(s, "a part of it is damaged\n  'sinew info --check' shows which");
  if (a->failed) {
    const sn_h5 h5 = {.error = a->error};
    return fail(s, a->error ? sn_h5_reason(&h5) : a->detail[0] ? a->detail : "HDF5 failed");
  }
  return true;
}

/* ---- opening and closing ---- */

static void end(sn_store *s, bool now) {
  end_child(s, now);
  if (s->h5.file > 0) {
    sn_h5_begin(&s->h5);
    H5Fclose(s->h5.file);
    sn_h5_end(&s->h5);
  }
  pthread_mutex_destroy(&s->lock);
}

static void release(void *store) {
  end(store, true);
}

static sn_store *create(void) {
  sn_store *s = sn_new_object(sizeof *s, release);
  s->channel = -1;
  s->h5.file = H5I_INVALID_HID;
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

/* No thread enters HDF5 during the fork. */
static bool start_child(sn_store *s, const char *path, bool locked) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  sn_h5_begin(&s->h5);
  s->child = fork();
  if (!s->child) {
    sn_confine_begin(ends[1]);
    serve(path, locked);
  }
  sn_h5_end(&s->h5);
  close(ends[1]);
  s->channel = ends[0];
  if (s->child < 0) return close(ends[0]), s->child = 0, false;
  s->timed = !clock_getcpuclockid(s->child, &s->clock);
  s->time = first_time;
  return true;
}

sn_status sn_store_open(sn_context *context, const char *path, bool locked, sn_store **opened) {
  struct stat there;
  answer a;
  *opened = NULL;
  if (stat(path, &there)) return sn_fail(context, SN_IO, "cannot read %s: %s", path, strerror(errno));
  sn_store *s = create();
  s->file_bytes = there.st_size > 0 ? (uint64_t)there.st_size : 0;
  if (!start_child(s, path, locked)) {
    fail(s, strerror(errno));
  } else if (!receive_answer(s, &a) && a.error == EAGAIN) {
    s->trouble[0] = 0;
    fail(s, "a run is still writing it");
  }
  if (s->no_memory) sn_out_of_memory(0);
  if (s->trouble[0]) {
    sn_fail(context, SN_IO, "cannot read %s: %s", path, s->trouble);
    sn_store_close(s);
    return SN_IO;
  }
  *opened = s;
  return SN_OK;
}

sn_store *sn_store_of_run(hid_t file) {
  sn_store *s = create();
  s->h5.file = file;
  s->file_bytes = UINT64_MAX;
  return s;
}

void sn_store_close(sn_store *s) {
  if (!s) return;
  end(s, s->trouble[0]);
  sn_free(s);
}

const char *sn_store_trouble(const sn_store *s) {
  return s->trouble[0] ? s->trouble : NULL;
}

/* ---- what it holds ---- */

static bool set_path(sn_wanted *wanted, const char *path) {
  const size_t length = strlen(path);
  if (length >= sizeof wanted->path) return false;
  memcpy(wanted->path, path, length + 1);
  return true;
}

/* The bytes of a description, to be freed. */
static unsigned char *ask_description(sn_store *s, const request *r, size_t *count) {
  answer a;
  if (!send_request(s, r) || !receive_answer(s, &a) || !a.found) return NULL;
  if (!a.last || a.bytes > largest_answer) return fail(s, "it is damaged"), NULL;
  unsigned char *bytes = sn_try_new((size_t)a.bytes + 1, 1);
  if (!bytes) return s->no_memory = true, fail(s, strerror(ENOMEM)), NULL;
  *count = a.bytes;
  if (receive(s, bytes, a.bytes)) return bytes;
  sn_free(bytes);
  return NULL;
}

static unsigned char *own_description(sn_store *s, const request *r, size_t *count) {
  sn_bytes bytes = {0};
  sn_met *met = NULL;
  sn_h5_begin(&s->h5);
  const bool found = sn_contents_describe(&s->h5, r->wanted.path, r->members, &met, &bytes) && !bytes.failed;
  sn_h5_end(&s->h5);
  sn_met_free(met);
  *count = bytes.count;
  if (bytes.no_memory) s->no_memory = true, fail(s, strerror(ENOMEM));
  if (found) return bytes.data;
  sn_free(bytes.data);
  return NULL;
}

static void unlock(void *lock) {
  pthread_mutex_unlock(lock);
}

const sn_object *sn_store_describe(sn_store *s, const char *path, bool members, sn_arena *arena) {
  request r = {.members = members};
  size_t count = 0;
  unsigned char *bytes = NULL;
  if (!set_path(&r.wanted, path)) return NULL;
  sn_undo undo;
  pthread_mutex_lock(&s->lock);
  sn_undo_begin(&undo, unlock, &s->lock);
  if (!s->trouble[0]) bytes = s->child ? ask_description(s, &r, &count) : own_description(s, &r, &count);
  const sn_object *node = bytes ? sn_object_read(bytes, count, s->file_bytes, arena) : NULL;
  if (bytes && !node) fail(s, "it is damaged or malicious");
  sn_undo_end(&undo);
  pthread_mutex_unlock(&s->lock);
  sn_free(bytes);
  if (s->no_memory) sn_out_of_memory(0);
  return node;
}

typedef struct taking {
  char *to;
  size_t left;
} taking;

static bool take(void *user, const void *bytes, size_t size) {
  taking *t = user;
  if (size > t->left) return false;
  memcpy(t->to, bytes, size);
  t->to += size, t->left -= size;
  return true;
}

static bool ask_rows(sn_store *s, const request *r, taking *t) {
  answer a;
  if (!send_request(s, r)) return false;
  do {
    if (!receive_answer(s, &a)) return false;
    if (a.bytes > t->left) return fail(s, "it is damaged or malicious");
    if (!receive(s, t->to, a.bytes)) return false;
    t->to += a.bytes, t->left -= a.bytes;
  } while (!a.last);
  return a.found;
}

static bool get_rows(sn_store *s, const request *r, void *out, size_t bytes) {
  taking t = {out, bytes};
  bool good = false;
  pthread_mutex_lock(&s->lock);
  if (s->child) {
    good = ask_rows(s, r, &t);
  } else if (!s->trouble[0]) {
    sn_h5_begin(&s->h5);
    good = sn_contents_rows(&s->h5, &r->wanted, take, &t);
    s->no_memory |= s->h5.failed && s->h5.error == ENOMEM;
    sn_h5_end(&s->h5);
  }
  pthread_mutex_unlock(&s->lock);
  if (s->no_memory) sn_out_of_memory(0);
  return good && !t.left;
}

bool sn_store_rows(sn_store *s, const sn_rows *rows, void *out) {
  request r = {.rows = 1};
  r.wanted.first = rows->first, r.wanted.count = rows->count, r.wanted.stride = rows->stride;
  r.wanted.column = rows->column, r.wanted.columns = rows->columns, r.wanted.width = (uint32_t)rows->width;
  if (!set_path(&r.wanted, rows->path) || !rows->columns || rows->count > SIZE_MAX / rows->columns / rows->width)
    return false;
  return get_rows(s, &r, out, rows->count * rows->columns * rows->width);
}

char *sn_store_text(sn_store *s, const char *path, size_t *length) {
  request r = {.rows = 1};
  sn_arena arena = {0};
  const sn_object *node = sn_store_describe(s, path, false, &arena);
  char *text = NULL;
  if (node && node->kind == SN_OBJECT_TEXT && set_path(&r.wanted, path)) {
    *length = node->rows;
    r.wanted.count = *length, r.wanted.stride = 1, r.wanted.width = 1;
    text = sn_new(*length + 1, 1);
    if (!get_rows(s, &r, text, *length)) {
      sn_free(text);
      text = NULL;
    }
  }
  sn_arena_free(&arena);
  return text;
}
