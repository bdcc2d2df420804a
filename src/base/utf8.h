/* utf8.h - walking through UTF-8 text one character at a time. */
#ifndef SN_UTF8_H
#define SN_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at text[0..length), its code in *code; 0 when the bytes are no valid UTF-8 (overlong
 * forms, surrogates and codes above 0x10FFFF included). */
static inline size_t sn_utf8_next(const char *text, size_t length, uint32_t *code) {
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (!length) return 0;
  const unsigned char *s = (const unsigned char *)text;
  size_t size = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  if (!size || size > length) return 0;
  uint32_t c = size == 1 ? s[0] : s[0] & (0x7Fu >> size);
  for (size_t i = 1; i < size; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3Fu);
  }
  if (c < smallest[size] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
  *code = c;
  return size;
}

/* The same for text already known or not to be valid: a wrong byte counts as one character, '?'. */
static inline size_t sn_utf8_step(const char *text, size_t length, uint32_t *code) {
  size_t size = sn_utf8_next(text, length, code);
  if (size) return size;
  *code = '?';
  return length ? 1 : 0;
}

/* Columns a character takes on a terminal: 2 for East Asian wide ones, 0 for marks that combine. */
static inline int sn_utf8_width(uint32_t c) {
  if (c < 0x300) return 1;
  if (c < 0x370 || (c >= 0x200B && c <= 0x200F) || c == 0xFEFF) return 0;
  if (c < 0x1100) return 1;
  if (c < 0x1160 || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7A4) || (c >= 0xF900 && c < 0xFB00) ||
      (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF01 && c < 0xFF61) || (c >= 0xFFE0 && c < 0xFFE7) ||
      (c >= 0x1F300 && c < 0x1FB00) || (c >= 0x20000 && c < 0x3FFFE))
    return 2;
  return 1;
}

#endif
