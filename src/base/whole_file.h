/* whole_file.h - a file that is written whole or not at all.
 *
 * It is written without a name, where the file system has that, so that a program which is killed leaves nothing; or
 * under a name of its own beside the wanted one, created exclusively, so that no symbolic link and no other program's
 * file is ever written through. It takes the wanted name when it is complete. What stood there before
 * stays until then. Pipes and devices (/dev/stdout) are written as they are.
 */
#ifndef SN_BASE_WHOLE_FILE_H
#define SN_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"

typedef struct sn_whole_file {
  FILE *out;        /* to be written to; NULL: it could not be opened, errno says why */
  const char *path; /* the wanted name; stays the caller's */
  char *part;       /* the name until it is complete; NULL: it has none, or is a pipe or a device */
  bool unnamed;     /* a file that vanishes with the program; it gets its name when it is closed */
  sn_undo undo;     /* memory was missing while it was written: it goes */
} sn_whole_file;

bool sn_whole_file_open(sn_whole_file *file, const char *path);
/* Its temporary name, for callers that open files by name; NULL: none, with the reason in errno. */
const char *sn_whole_file_name(sn_whole_file *file);
/* Give it its name, if `good` and all was written; otherwise remove what there is. False: it is not there, and errno
 * says why. */
bool sn_whole_file_close(sn_whole_file *file, bool good);

/* rename and ftruncate that do not give up because of a signal. */
int sn_rename(const char *from, const char *to);
int sn_truncate(int file, long long size);

#endif
