/* base.h - status, context, arena: used everywhere. */
#ifndef SN_BASE_H
#define SN_BASE_H

#include <assert.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "sinew/sinew.h"

#define SN_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SN_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* A function that only assertions call: builds without them (NDEBUG) do not need it. */
#define SN_ASSERTED __attribute__((unused))

/* ---- context: messages and the interrupt flag ---- */

struct sn_context {
  char *message; /* accumulated text of the current failure */
  size_t length, capacity;
  char brief[200]; /* a failure that was not reported in full for lack of memory; "": none */
  volatile sig_atomic_t interrupted;
  sn_listener listener; /* NULL: none */
  void *listener_user;
  double memory; /* limit for models [bytes]; 0: what the machine has */
};

/* Replace the message and return `status`, so that a failure is one line: return sn_fail(...). */
sn_status sn_fail(sn_context *context, sn_status status, const char *format, ...) SN_PRINTF(3, 4);
/* Append to the message (several model errors are reported together); without memory it returns to the guard. */
void sn_append(sn_context *context, const char *format, ...) SN_PRINTF(2, 3);
void sn_clear_message(sn_context *context);
/* Tell whoever listens. */
void sn_remark_on(const sn_context *context, sn_remark kind, const char *text);

/* ---- arena: memory that lives and dies together ---- */

typedef struct sn_arena_block sn_arena_block;
typedef struct sn_arena {
  sn_arena_block *last; /* newest block; older ones behind it */
} sn_arena;

/* Zeroed memory, aligned to 64 bytes when size >= 64 and to 16 otherwise. Never NULL: without
 * memory it returns to the guard of the thread (memory.h). */
void *sn_alloc(sn_arena *arena, size_t count, size_t size);
char *sn_copy_text(sn_arena *arena, const char *text, size_t length); /* adds the final 0 */
char *sn_format(sn_arena *arena, const char *format, ...) SN_PRINTF(2, 3);
void sn_arena_free(sn_arena *arena);
#define SN_NEW(arena, type, count) ((type *)sn_alloc((arena), (size_t)(count), sizeof(type)))

/* ---- names: nearest valid one for "did you mean" ---- */

/* Edit distance with transpositions, case folded, stops counting at `limit`. */
int sn_edit_distance(const char *a, const char *b, int limit);

/* ---- files ---- */

/* Replace control characters and bytes that are no UTF-8 by '?', in place; with `lines`, ends of lines and tabs stay.
 */
void sn_make_plain(char *text, bool lines);
bool sn_is_control(uint32_t code);

/* The whole file ("-": the standard input) in memory, for sn_free; NULL with errno set, EFBIG when it has more than
 * `most` bytes: nothing is ever used of a file that was not read to its end. */
enum { SN_LARGEST_TEXT = 256 << 20 }; /* of models and studies: far more than anybody writes */
char *sn_read_file(const char *path, size_t most, size_t *length);

/* ---- clock ---- */
double sn_cpu_time(void);  /* CPU seconds of the calling thread */
double sn_wall_time(void); /* seconds since some fixed moment */

#endif
