/* map.c - hash table with linear probing, at most half full. */
#include "model/map.h"

#include <string.h>

#include "base/hash.h"

static size_t hash(const char *key) {
  const uint64_t h = sn_hash(sn_hash_begin, key, strlen(key));
  return (size_t)(h ^ h >> 32);
}

/* Where the key is, or would be. */
static size_t place(const sn_map *map, const char *key) {
  assert(map->count < map->capacity && (map->capacity & (map->capacity - 1)) == 0); /* a free place ends the search */
  size_t i = hash(key) & (map->capacity - 1);
  while (map->key[i] && strcmp(map->key[i], key) != 0) i = (i + 1) & (map->capacity - 1);
  return i;
}

void *sn_map_get(const sn_map *map, const char *key) {
  return map->capacity ? map->value[place(map, key)] : NULL;
}

static void grow(sn_map *map, sn_arena *arena) {
  sn_map larger = {.count = map->count, .capacity = map->capacity ? 2 * map->capacity : 16};
  larger.key = SN_NEW(arena, const char *, larger.capacity);
  larger.value = SN_NEW(arena, void *, larger.capacity);
  for (size_t i = 0; i < map->capacity; i++) {
    if (!map->key[i]) continue;
    size_t j = place(&larger, map->key[i]);
    larger.key[j] = map->key[i];
    larger.value[j] = map->value[i];
  }
  *map = larger;
}

void sn_map_put(sn_map *map, sn_arena *arena, const char *key, void *value) {
  assert(key && value);
  if (2 * map->count >= map->capacity) grow(map, arena);
  size_t i = place(map, key);
  if (!map->key[i]) map->count++;
  map->key[i] = key;
  map->value[i] = value;
}
