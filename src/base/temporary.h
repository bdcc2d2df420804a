/* temporary.h - files and folders for a while: below TMPDIR, or /tmp, and for the user alone. */
#ifndef SN_BASE_TEMPORARY_H
#define SN_BASE_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>

enum { SN_FOLDER_SIZE = 256 };

/* A new folder, which the caller removes. False: errno says why, and the path is "". */
bool sn_temporary_folder(char path[SN_FOLDER_SIZE]);
/* A new file without a name, to be written and read; it goes when it is closed. NULL: errno says why. */
FILE *sn_temporary_file(void);

#endif
