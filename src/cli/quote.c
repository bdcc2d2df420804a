/* quote.c - file names in hints, so that they can be typed as they are printed. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

cli_word cli_quoted(const char *path) {
  cli_word word;
  bool plain = *path && *path != '~';
  for (const char *c = path; *c; ++c)
    plain = plain && (isalnum((unsigned char)*c) || strchr("-_./+,:@%~=", *c) || (unsigned char)*c >= 0x80);
  const char *here = *path == '-' ? "./" : ""; /* not an option */
  if (plain) {
    snprintf(word.text, sizeof word.text, "%s%s", here, path);
    return word;
  }
  size_t used = (size_t)snprintf(word.text, sizeof word.text, "'%s", here);
  for (const char *c = path; *c && used + 6 < sizeof word.text; ++c) {
    const char *put = *c == '\'' ? "'\\''" : (char[]){*c, 0};
    memcpy(word.text + used, put, strlen(put));
    used += strlen(put);
  }
  word.text[used++] = '\'';
  word.text[used] = 0;
  return word;
}
