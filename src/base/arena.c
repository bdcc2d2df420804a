/* arena.c - memory that lives and dies together: a chain of growing blocks.
 *
 *     arena.last -> [header | items ... | free ]  ->  [header | items ... ]  ->  NULL
 *
 * Blocks come from sn_new, so that memory is zero and the large ones cost nothing until they are touched. An item
 * too large for what is left, but small against a block, starts a new block; a large one gets a block to itself
 * behind the newest, which stays open for more.
 */
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* The address sanitizer sees a block as one piece. We tell it which bytes are handed out, and leave a gap between
 * items, so that running over the end of an item is found as it would be with malloc. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SN_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SN_ASAN 1
#endif
#ifdef SN_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(start, size) __asan_poison_memory_region((start), (size))
#define UNPOISON(start, size) __asan_unpoison_memory_region((start), (size))
enum { gap = 16 };
#else
#define POISON(start, size) ((void)0)
#define UNPOISON(start, size) ((void)0)
enum { gap = 0 };
#endif

enum { small_alignment = 16, large_alignment = 64, large_size = 64 };
enum { first_block = 4096, largest_block = 1 << 20 };
static_assert(large_alignment % small_alignment == 0 && (small_alignment & (small_alignment - 1)) == 0 &&
                  (large_alignment & (large_alignment - 1)) == 0,
              "alignments are powers of two");
static_assert(first_block > 4 * (large_size + large_alignment), "a small item fits a new block");

struct sn_arena_block {
  sn_arena_block *older;
  size_t size, used; /* bytes of data, not counting the header */
  unsigned char *data;
};

static sn_arena_block *new_block(size_t size) {
  if (size > SIZE_MAX - sizeof(sn_arena_block)) sn_out_of_memory(size);
  sn_arena_block *block = sn_new(1, sizeof *block + size);
  block->size = size;
  block->data = (unsigned char *)(block + 1);
  POISON(block->data, size);
  return block;
}

/* `bytes` from the block, or NULL when they do not fit. */
static void *take(sn_arena_block *block, size_t bytes, size_t alignment) {
  assert(block->used <= block->size && bytes > 0);
  const size_t misfit = (uintptr_t)(block->data + block->used) & (alignment - 1);
  const size_t pad = misfit ? alignment - misfit : 0;
  const size_t left = block->size - block->used;
  if (pad > left || bytes > left - pad) return NULL;
  unsigned char *item = block->data + block->used + pad;
  block->used += pad + bytes;
  const size_t rest = block->size - block->used, skipped = gap;
  block->used += rest < skipped ? rest : skipped;
  UNPOISON(item, bytes);
  return item;
}

void *sn_alloc(sn_arena *arena, size_t count, size_t size) {
  assert(arena && size > 0);
  if (size && count > (SIZE_MAX - large_alignment) / size) sn_out_of_memory(SIZE_MAX);
  const size_t bytes = count && size ? count * size : 1; /* every item has an address of its own */
  const size_t alignment = bytes >= large_size ? large_alignment : small_alignment;
  sn_arena_block *last = arena->last;
  void *item = last ? take(last, bytes, alignment) : NULL;
  if (item) return item;

  size_t next = first_block;
  if (last) next = last->size > largest_block / 2 ? largest_block : 2 * last->size;
  if (next < first_block) next = first_block;
  const bool alone = bytes > next / 4;
  sn_arena_block *block = new_block(alone ? bytes + large_alignment : next);
  if (alone && last) {
    block->older = last->older;
    last->older = block;
  } else {
    block->older = last;
    arena->last = block;
  }
  item = take(block, bytes, alignment);
  assert(item && ((uintptr_t)item & (alignment - 1)) == 0);
  return item;
}

char *sn_copy_text(sn_arena *arena, const char *text, size_t length) {
  assert(text || length == 0);
  if (length == SIZE_MAX) sn_out_of_memory(length);
  char *copy = SN_NEW(arena, char, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

char *sn_format(sn_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = SN_NEW(arena, char, length < 0 ? 1 : (size_t)length + 1);
  if (length > 0) vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

void sn_arena_free(sn_arena *arena) {
  assert(arena);
  sn_arena_block *block = arena->last;
  while (block) {
    sn_arena_block *older = block->older;
    sn_free(block);
    block = older;
  }
  arena->last = NULL;
}
