/* memory.c - arrays that grow, and large arrays on large pages: with pages of 4 KiB a processor spends much of its time
 * on looking up where the next one is, as soon as arrays are larger than its caches. */
#define _DEFAULT_SOURCE /* madvise */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/base.h"

enum { large_page = 2 << 20 };

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

void *sn_resized(void *memory, size_t count, size_t size) {
  const size_t bytes = count * size;
  void *larger = bytes > 0 && count <= SIZE_MAX / size ? realloc(memory, bytes) : NULL;
  if (!larger) {
    fprintf(stderr, "sinew: out of memory (%zu items of %zu bytes)\n", count, size);
    abort();
  }
  sn_large_pages(larger, bytes);
  return larger;
}
