/* help.h - the answer of every benchmark to -h and --help. */
#ifndef BENCH_HELP_H
#define BENCH_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Print the text and exit if any argument asks for help. Called first in main. */
static inline void bench_help(int argc, char **argv, const char *text) {
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "-h") != 0 && strcmp(argv[k], "--help") != 0) continue;
    fputs(text, stdout);
    exit(0);
  }
}

#endif
