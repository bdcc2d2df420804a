/* sized.h - what callers of the public interface are given: structs that begin with their size, so that callers may know
 * fewer fields, and texts. */
#ifndef SN_SIZED_H
#define SN_SIZED_H

#include <stddef.h>

/* All fields that the caller knows; his size stays. */
void sn_give(void *to, const void *all, size_t size);

/* A copy that belongs to the caller (sn_release): it is in no pool. NULL: there is no memory for it. */
char *sn_give_text(const char *text, size_t length);

#endif
