/* disk.h - bytes of a file: all of them or failure, with errno set. */
#ifndef SN_RESULT_DISK_H
#define SN_RESULT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool sn_disk_write(int file, const void *data, size_t size, uint64_t at);
/* What lies beyond the end reads as zero. */
bool sn_disk_read(int file, void *data, size_t size, uint64_t at);
/* The name of a file beside another: PATH and an ending. To be freed; NULL: no memory. */
char *sn_disk_beside(const char *path, const char *ending);
/* To the disk itself. Files that cannot be synchronized, such as those in memory, need not be. */
bool sn_disk_sync(int file);

#endif
