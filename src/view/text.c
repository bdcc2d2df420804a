/* text.c - text that grows, and the JSON written into it. */
#include "view/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void sn_text_free(sn_text *text) {
  sn_free(text->data);
  *text = (sn_text){0};
}

/* NULL: there is none. */
static char *room(sn_text *text, size_t count) {
  if (text->failed) return NULL;
  if (text->length + count + 1 > text->capacity) {
    size_t capacity = text->capacity ? 2 * text->capacity : 4096;
    while (capacity < text->length + count + 1) capacity *= 2;
    char *data = sn_try_resized(text->data, capacity, 1);
    text->failed = !data;
    if (!data) return NULL;
    text->data = data;
    text->capacity = capacity;
  }
  return text->data + text->length;
}

void sn_text_bytes(sn_text *text, const void *bytes, size_t count) {
  char *at = room(text, count);
  if (!at) return;
  if (count) memcpy(at, bytes, count);
  at[count] = 0;
  text->length += count;
}

static void add_list(sn_text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int count = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *at = count > 0 ? room(text, (size_t)count) : NULL;
  if (!at) return;
  vsnprintf(at, (size_t)count + 1, format, arguments);
  text->length += (size_t)count;
}

void sn_text_add(sn_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_list(text, format, arguments);
  va_end(arguments);
}

/* ---- JSON ---- */

void sn_json_text(sn_text *text, const char *value, size_t length) {
  const unsigned char *at = (const unsigned char *)value;
  uint32_t code_point;
  sn_text_bytes(text, "\"", 1);
  for (size_t i = 0; i < length;) {
    const size_t count = sn_utf8_next(value + i, length - i, &code_point);
    if (count == 0) {
      sn_text_bytes(text, "\xef\xbf\xbd", 3);
    } else if (count == 1 && (at[i] < 0x20 || at[i] == '<' || at[i] == 0x7f)) {
      char code[8];
      snprintf(code, sizeof code, "\\u%04x", (unsigned)at[i]);
      sn_text_bytes(text, code, 6);
    } else {
      if (at[i] == '"' || at[i] == '\\') sn_text_bytes(text, "\\", 1);
      sn_text_bytes(text, at + i, count);
    }
    i += count ? count : 1;
  }
  sn_text_bytes(text, "\"", 1);
}

void sn_json_number(sn_text *text, double value) {
  char digits[32] = "null";
  if (isfinite(value)) snprintf(digits, sizeof digits, "%.17g", value);
  sn_text_bytes(text, digits, strlen(digits));
}

/* ---- base64 ---- */

void sn_text_base64(sn_text *text, const void *bytes, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = bytes;
  char *out = room(text, (count + 2) / 3 * 4);
  if (!out) return;
  for (size_t i = 0; i < count; i += 3) {
    const unsigned long x =
        (unsigned long)b[i] << 16 | (i + 1 < count ? (unsigned long)b[i + 1] << 8 : 0) | (i + 2 < count ? b[i + 2] : 0);
    *out++ = digits[x >> 18];
    *out++ = digits[x >> 12 & 63];
    *out++ = i + 1 < count ? digits[x >> 6 & 63] : '=';
    *out++ = i + 2 < count ? digits[x & 63] : '=';
  }
  *out = 0;
  text->length = (size_t)(out - text->data);
}
