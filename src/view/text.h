/* text.h - text that grows, and the JSON written into it. */
#ifndef SN_VIEW_TEXT_H
#define SN_VIEW_TEXT_H

#include "base/base.h"

typedef struct sn_text {
  char *data; /* ends with a 0 that `length` does not count; NULL: empty */
  size_t length, capacity;
  bool failed; /* for want of memory: it is not whole. (It grows within HDF5, which must not be left by a jump.) */
} sn_text;

void sn_text_free(sn_text *text);
void sn_text_bytes(sn_text *text, const void *bytes, size_t count);
void sn_text_add(sn_text *text, const char *format, ...) SN_PRINTF(2, 3);

/* A string with its quotes. Control characters and "<" are written as \u00xx, so that the result may stand inside a
 * script element; bytes that are no UTF-8 become U+FFFD. */
void sn_json_text(sn_text *text, const char *value, size_t length);
/* A number that reads back the same; null when it is not finite. */
void sn_json_number(sn_text *text, double value);

/* Base64 of `count` bytes. */
void sn_text_base64(sn_text *text, const void *bytes, size_t count);

#endif
