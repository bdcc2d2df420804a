/* whole_file.h - a file that is written whole or not at all.
 *
 * It is written under a name of its own beside the wanted one, created exclusively, so that no symbolic link and no
 * other program's file is ever written through, and takes the wanted name when it is complete. What stood there before
 * stays until then. Pipes and devices (/dev/stdout) are written as they are.
 */
#ifndef SN_BASE_WHOLE_FILE_H
#define SN_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct sn_whole_file {
  FILE *out;        /* to be written to; NULL: it could not be opened, errno says why */
  const char *path; /* the wanted name; stays the caller's */
  char *part;       /* the name until it is complete; NULL: a pipe or a device */
} sn_whole_file;

bool sn_whole_file_open(sn_whole_file *file, const char *path);
/* Give it its name, if `good` and all was written; otherwise remove what there is. False: it is not there, and errno
 * says why. */
bool sn_whole_file_close(sn_whole_file *file, bool good);

/* rename and ftruncate that do not give up because of a signal. */
int sn_rename(const char *from, const char *to);
int sn_truncate(int file, long long size);

#endif
