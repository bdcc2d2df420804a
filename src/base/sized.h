/* sized.h - structs of the public interface that begin with their size, so that callers may know fewer fields. */
#ifndef SN_SIZED_H
#define SN_SIZED_H

#include <stddef.h>

/* All fields that the caller knows; his size stays. */
void sn_give(void *to, const void *all, size_t size);

#endif
