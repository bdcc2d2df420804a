/* pages.c - large arrays on large pages: with pages of 4 KiB a processor spends much of its time on looking up where
 * the next one is, as soon as arrays are larger than its caches. */
#define _DEFAULT_SOURCE /* madvise */
#include <stdint.h>

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
