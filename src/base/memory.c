/* memory.c - see memory.h.
 *
 * Every piece of memory has a head, which links it into the list of its pool:
 *
 *     pool.first -> [head | memory]  <->  [head | memory]  <->  ...       newest first
 *
 * Threads of a run share the pool of their caller; a lock keeps its list in order.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/base.h"

enum { large_page = 2 << 20, head_size = 64 };

typedef struct head head;
struct head {
  head *next, *previous;
  sn_pool *pool;           /* NULL: taken outside of all guards */
  void (*release)(void *); /* NULL: memory and nothing else */
};
static_assert(sizeof(head) <= head_size, "memory behind a head is aligned as the head is");
static_assert((head_size & (head_size - 1)) == 0 && large_page % head_size == 0, "heads keep alignments");

struct sn_pool {
  atomic_flag lock;
  head *first;
  sn_pool *parent, *next, *previous; /* among the children of its parent */
  sn_pool *child;
  atomic_bool failed;
  bool below; /* one below it has failed: what was half made there may have left something here */
};

typedef struct guard guard;
struct guard {
  jmp_buf back;
  guard *outer;
  sn_pool *pool;
  sn_undo *undo;  /* newest first */
  size_t missing; /* bytes */
};

static _Thread_local guard *innermost;

void sn_large_pages(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes < 2 * (size_t)large_page) return;
  uintptr_t start = ((uintptr_t)memory + large_page - 1) & ~(uintptr_t)(large_page - 1);
  uintptr_t end = ((uintptr_t)memory + bytes) & ~(uintptr_t)(large_page - 1);
  madvise((void *)start, end - start, MADV_HUGEPAGE); /* where it is refused all works as before */
#else
  (void)memory, (void)bytes;
#endif
}

/* ---- guards ---- */

sn_pool *sn_pool_now(void) {
  return innermost ? innermost->pool : NULL;
}

/* What the call leaves open belongs to the guard around. */
static void keep_open(sn_undo *newest) {
  if (!innermost) return;
  sn_undo *oldest = newest;
  while (oldest->outer) oldest = oldest->outer;
  oldest->outer = innermost->undo;
  innermost->undo = newest;
}

sn_status sn_guard(sn_context *context, sn_pool *pool, sn_call call, void *argument) {
  assert(call);
  guard here = {.outer = innermost, .pool = pool ? pool : sn_pool_now()};
  volatile bool jumped = true;
  volatile sn_status status = SN_MEMORY;
  innermost = &here;
  if (setjmp(here.back) == 0) {
    status = call(argument);
    jumped = false;
  }
  innermost = here.outer;
  if (!jumped && here.undo) keep_open(here.undo);
  if (!jumped) return status;
  if (here.pool) here.pool->failed = true;
  if (!context) return SN_MEMORY;
  if (here.missing == 0) return sn_fail(context, SN_MEMORY, "out of memory");
  return sn_fail(context, SN_MEMORY, "out of memory (%zu bytes more were needed)", here.missing);
}

void sn_out_of_memory(size_t bytes) {
  if (!innermost) {
    fprintf(stderr, "sinew: out of memory outside of all guards\n");
    abort();
  }
  innermost->missing = bytes;
  while (innermost->undo) {
    sn_undo *u = innermost->undo;
    innermost->undo = u->outer;
    u->undo(u->argument);
  }
  longjmp(innermost->back, 1);
}

void sn_undo_begin(sn_undo *u, void (*undo)(void *argument), void *argument) {
  assert(u && undo && !(innermost && innermost->undo == u)); /* begun once */
  *u = (sn_undo){.outer = innermost ? innermost->undo : NULL, .undo = undo, .argument = argument};
  if (innermost) innermost->undo = u;
}

void sn_undo_end(sn_undo *u) {
  for (guard *g = innermost; g; g = g->outer)
    for (sn_undo **at = &g->undo; *at; at = &(*at)->outer)
      if (*at == u) {
        *at = u->outer;
        return;
      }
}

/* ---- pools ---- */

static void lock(sn_pool *pool) {
  while (atomic_flag_test_and_set_explicit(&pool->lock, memory_order_acquire)) {
  }
}

static void unlock(sn_pool *pool) {
  atomic_flag_clear_explicit(&pool->lock, memory_order_release);
}

sn_pool *sn_pool_create(void) {
  sn_pool *pool = calloc(1, sizeof *pool), *parent = sn_pool_now();
  if (!pool || !parent) return pool;
  lock(parent);
  pool->parent = parent;
  pool->next = parent->child;
  if (pool->next) pool->next->previous = pool;
  parent->child = pool;
  unlock(parent);
  return pool;
}

static void leave_parent(sn_pool *pool) {
  assert(pool->parent != pool);
  sn_pool *parent = pool->parent;
  if (!parent) return;
  lock(parent);
  if (pool->failed || pool->below) parent->below = true;
  assert(pool->previous ? pool->previous->next == pool : parent->child == pool);
  if (pool->previous)
    pool->previous->next = pool->next;
  else
    parent->child = pool->next;
  if (pool->next) pool->next->previous = pool->previous;
  unlock(parent);
}

/* Those of a call that was left by a jump go with everything they hold. */
static void abandon(sn_pool *pool) {
  for (sn_pool *child = pool->child, *next; child; child = next) {
    next = child->next;
    child->failed = true;
    child->parent = NULL; /* its list goes as a whole */
    sn_pool_free(child);
  }
  pool->child = NULL;
  for (head *h = pool->first; h; h = h->next)
    if (h->release) h->release((char *)h + head_size);
  for (head *h = pool->first, *next; h; h = next) {
    next = h->next;
    free(h);
  }
  pool->first = NULL;
}

void sn_pool_free(sn_pool *pool) {
  if (!pool) return;
  assert(pool->failed || pool->below || (!pool->first && !pool->child));
  abandon(pool);
  leave_parent(pool);
  free(pool);
}

bool sn_pool_failed(const sn_pool *pool) {
  return pool && pool->failed;
}

sn_status sn_make_in_pool(sn_context *context, sn_call make, void *argument, sn_pool **pool) {
  assert(context && make && pool);
  *pool = sn_pool_create();
  if (!*pool) return sn_fail(context, SN_MEMORY, "out of memory");
  sn_status status = sn_guard(context, *pool, make, argument);
  if (!status) return SN_OK;
  sn_pool_free(*pool);
  *pool = NULL;
  return status;
}

/* ---- memory ---- */

static void *enter(head *h, sn_pool *pool) {
  assert(((uintptr_t)h & 15) == 0);
  h->pool = pool;
  h->release = NULL;
  h->next = h->previous = NULL;
  if (pool) {
    lock(pool);
    h->next = pool->first;
    if (h->next) h->next->previous = h;
    pool->first = h;
    unlock(pool);
  }
  return (char *)h + head_size;
}

static void leave(head *h) {
  sn_pool *pool = h->pool;
  if (!pool) return;
  lock(pool);
  assert((!h->next || h->next->previous == h) && (h->previous ? h->previous->next : pool->first) == h); /* ours */
  if (h->previous)
    h->previous->next = h->next;
  else
    pool->first = h->next;
  if (h->next) h->next->previous = h->previous;
  unlock(pool);
}

/* Bytes with their head; 0: more than there can be. */
static size_t whole(size_t count, size_t size) {
  return size && count > (SIZE_MAX / 2 - head_size) / size ? 0 : head_size + count * size;
}

static void *found(void *memory, size_t count, size_t size) {
  if (!memory) sn_out_of_memory(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
  return memory;
}

void *sn_try_new(size_t count, size_t size) {
  assert(size > 0);
  const size_t bytes = whole(count, size);
  head *h = bytes ? calloc(1, bytes) : NULL;
  if (h) sn_large_pages(h, bytes);
  return h ? enter(h, sn_pool_now()) : NULL;
}

void *sn_try_resized(void *memory, size_t count, size_t size) {
  assert(size > 0);
  const size_t bytes = whole(count, size);
  if (!bytes) return NULL;
  head *old = memory ? (head *)(void *)((char *)memory - head_size) : NULL;
  sn_pool *pool = old ? old->pool : sn_pool_now();
  if (old) leave(old);
  head *h = realloc(old, bytes);
  if (h) sn_large_pages(h, bytes);
  if (!h && old) enter(old, pool);
  return h ? enter(h, pool) : NULL;
}

void *sn_new(size_t count, size_t size) {
  return found(sn_try_new(count, size), count, size);
}

void *sn_resized(void *memory, size_t count, size_t size) {
  assert(count > 0 && size > 0);
  return found(sn_try_resized(memory, count, size), count, size);
}

void *sn_new_aligned(size_t bytes) {
  const size_t all = whole(bytes, 1);
  head *h =
      all && bytes <= SIZE_MAX / 4 ? aligned_alloc(head_size, (all + head_size - 1) / head_size * head_size) : NULL;
  if (!h) sn_out_of_memory(bytes);
  sn_large_pages(h, all);
  return enter(h, sn_pool_now());
}

void sn_free(void *memory) {
  if (!memory) return;
  head *h = (head *)(void *)((char *)memory - head_size);
  leave(h);
  free(h);
}

void *sn_new_object(size_t size, void (*release)(void *object)) {
  assert(release);
  char *object = sn_new(1, size);
  ((head *)(void *)(object - head_size))->release = release;
  return object;
}
