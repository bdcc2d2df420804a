/* map.h - from names to things, for models with many of them. */
#ifndef SN_MAP_H
#define SN_MAP_H

#include "base/base.h"

typedef struct sn_map {
  size_t count, capacity; /* capacity: 0 or a power of two */
  const char **key;       /* NULL: free */
  void **value;
} sn_map;

/* The value of a key, NULL when there is none. */
void *sn_map_get(const sn_map *map, const char *key);
/* Add or replace. The key is not copied. */
void sn_map_put(sn_map *map, sn_arena *arena, const char *key, void *value);

#endif
