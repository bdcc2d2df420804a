/* handles.c - see handles.h. */
#include "base/handles.h"

#ifndef NDEBUG
#include <pthread.h>

enum { REMEMBERED = 256 };

typedef struct freed {
  const void *handle; /* NULL: none */
  const char *what;
  sn_context *context; /* NULL: freed too */
} freed;

static freed list[REMEMBERED];
static int next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static freed *find(const void *handle) {
  for (int i = 0; handle && i < REMEMBERED; i++)
    if (list[i].handle == handle) return &list[i];
  return NULL;
}

void sn_handle_made(const void *handle) {
  pthread_mutex_lock(&lock);
  freed *x = find(handle);
  if (x) *x = (freed){0};
  pthread_mutex_unlock(&lock);
}

void sn_handle_freed(const void *handle, const char *what, sn_context *context) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < REMEMBERED; i++)
    if (list[i].context == handle) list[i].context = NULL;
  list[next] = (freed){handle, what, find(context) ? NULL : context};
  next = (next + 1) % REMEMBERED;
  pthread_mutex_unlock(&lock);
}

sn_status sn_handle_check(const void *handle) {
  pthread_mutex_lock(&lock);
  const freed *x = find(handle);
  const freed found = x ? *x : (freed){0};
  pthread_mutex_unlock(&lock);
  if (!found.handle) return SN_OK;
  if (found.context) sn_fail(found.context, SN_USAGE, "this %s was freed", found.what);
  return SN_USAGE;
}
#endif
