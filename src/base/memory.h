/* memory.h - memory of the heap, pools that own it, and guards that a failed allocation returns to.
 *
 * No caller tests for NULL. An allocation that fails does not return: it jumps to the innermost guard of its thread,
 * whose call then comes to SN_MEMORY. Every function of the public interface sets a guard, so the host of the library
 * sees an error code and a message.
 *
 *     sn_pool *pool = sn_pool_create();
 *     sn_status status = sn_guard(context, pool, make, &arguments);    SN_MEMORY: something in make() found no memory
 *     if (status) sn_pool_free(pool);                                  all that make() took
 *
 * All memory taken under a guard is listed in the pool of the guard, so that nothing is lost when functions are left
 * by a jump. What holds more than memory (threads, objects of libraries) is an sn_new_object with a release function; what
 * is open for the length of a function (a lock, a file) has an sn_undo. No library may be jumped over: a function that
 * a library calls sets a guard of its own and reports in the way of the library.
 */
#ifndef SN_MEMORY_H
#define SN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "sinew/sinew.h"

/* ---- guards ---- */

typedef struct sn_pool sn_pool;
typedef sn_status (*sn_call)(void *argument);

/* What `call` comes to; SN_MEMORY with a message when memory was missing in it (context NULL: no message). Memory goes
 * to `pool`, NULL: to that of the guard around. */
sn_status sn_guard(sn_context *context, sn_pool *pool, sn_call call, void *argument);
/* Return to the innermost guard; bytes: of what was not there, 0 unknown. Without any the program ends: only tests call
 * what stands behind the public interface without one. */
_Noreturn void sn_out_of_memory(size_t bytes);

/* ---- what is open while a function runs ---- */

/* undo(argument) is called when the function is left by a jump. The struct may stand in the frame of the function. */
typedef struct sn_undo {
  struct sn_undo *outer;
  void (*undo)(void *argument);
  void *argument;
} sn_undo;
void sn_undo_begin(sn_undo *u, void (*undo)(void *argument), void *argument);
void sn_undo_end(sn_undo *u);

/* ---- pools ---- */

/* A pool that dies with the pool of the guard around, if it is not freed before. NULL: out of memory. */
sn_pool *sn_pool_create(void);
/* Objects are released, newest first, then all memory is freed. After a call that came to its end the pool has to be
 * empty: what it took was freed in the usual way. */
void sn_pool_free(sn_pool *pool);
/* Has a guard with this pool been returned to? What its memory holds may then be half done: only free it. */
bool sn_pool_failed(const sn_pool *pool);
/* The pool of the innermost guard; NULL: none. */
sn_pool *sn_pool_now(void);
/* A pool and a guard for `make`; what it made goes again where it fails. */
sn_status sn_make_in_pool(sn_context *context, sn_call make, void *argument, sn_pool **pool);

/* ---- memory ---- */

/* Zeroed, count >= 0, aligned to 16 bytes. */
void *sn_new(size_t count, size_t size);
/* Not zeroed, aligned to 64 bytes; not to be resized. */
void *sn_new_aligned(size_t bytes);
/* An array that grows; what was in it stays, what is new is not zeroed. memory NULL: a new one. */
void *sn_resized(void *memory, size_t count, size_t size);
#define SN_RESIZE(array, count) ((array) = sn_resized((array), (size_t)(count), sizeof *(array)))
/* The same for callers that must not be left by a jump: NULL, without any change, if there is no memory. */
void *sn_try_new(size_t count, size_t size);
void *sn_try_resized(void *memory, size_t count, size_t size);
/* Any of these; NULL: nothing happens. */
void sn_free(void *memory);

/* Zeroed memory that `release` is called with before its pool goes; sn_free alone does not call it. */
void *sn_new_object(size_t size, void (*release)(void *object));

/* Asks for large pages under memory that has not been used yet; does nothing for less than a few megabytes. */
void sn_large_pages(void *memory, size_t bytes);

#endif
