/* command.h - run another program and read what it says. */
#ifndef SN_COMMAND_H
#define SN_COMMAND_H

#include <stddef.h>

enum { SN_COMMAND_MISSING = -1, SN_COMMAND_SILENT = -2 };

/* Run the program words[0], found on PATH, for at most so many seconds. Its exit code (128 and more: a signal), or one
 * of the above: it is not there, or took too long and was ended. What it printed, up to the size, goes to `text`. */
int sn_command_run(const char *const *words, double seconds, char *text, size_t size);

#endif
