/* plain.c - text that is safe to print.
 *
 * Titles, names and messages come from files, and a control character could do anything to a terminal. What is printed
 * went through here: at the end of every message (sn_fail), where texts of a result file are read, and in the errors of
 * the model reader, which refuses control characters in texts anyway.
 */
#include <string.h>

#include "base/base.h"
#include "base/utf8.h"

bool sn_is_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

void sn_make_plain(char *text, bool lines) {
  assert(text);
  const size_t length = strlen(text);
  size_t out = 0;
  for (size_t i = 0; i < length;) {
    uint32_t code = 0;
    const size_t size = sn_utf8_next(text + i, length - i, &code);
    const bool kept = size && (!sn_is_control(code) || (lines && (code == '\n' || code == '\t')));
    if (kept) {
      memmove(text + out, text + i, size);
      out += size;
    } else {
      text[out++] = '?';
    }
    i += size ? size : 1;
  }
  text[out] = 0;
}
