/* hash.h - FNV-1a over bytes, 64 bits: to identify things and to detect changes; not for cryptography. */
#ifndef SN_BASE_HASH_H
#define SN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t sn_hash_begin = 14695981039346656037u;

static inline uint64_t sn_hash(uint64_t hash, const void *data, size_t size) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

#endif
