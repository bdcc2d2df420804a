/* journal.h - result files that are complete at any time: a driver for HDF5 that changes the file atomically, from one
 * flush to the next.
 *
 * HDF5 writes its tables in no particular order, at a flush and in between; if it is killed in between, the file is
 * unreadable. Here whatever lies within the file as of the last flush is kept in memory, and what lies beyond goes to
 * the file directly, where nothing refers to it yet. A flush writes what is kept to FILE.journal, then to the file,
 * then empties the journal. Killed before the journal is whole, the file is that of the flush before; killed later, the
 * journal has the rest. What is flushed is on the disk when the flush returns, in an order that survives a crash of the
 * machine. Every block has a checksum (sums.h), which is looked at when it is read.
 */
#ifndef SN_JOURNAL_H
#define SN_JOURNAL_H

#include "result/h5.h"

/* Make (H5F_ACC_TRUNC) or open (H5F_ACC_RDWR, H5F_ACC_RDONLY) a file through the driver; h5->file has it. */
void sn_journal_open(sn_h5 *h5, const char *path, unsigned flags);
/* Open a file for reading, as far as that needs the file system: the next sn_journal_open takes it, whatever its path.
 * `locked`: our process has locked it already. */
void sn_journal_prepare(sn_h5 *h5, const char *path, bool locked);
/* Bring a file whose writer was killed up to date. Nothing happens where there is no journal, or a writer lives. */
void sn_journal_replay(const char *path);
/* Has damaged data been read from the open file? */
bool sn_journal_damaged(hid_t file);
/* After a failure of HDF5 itself: it cannot close a file whose cache it cannot write, and crashes when it tries again
 * at exit. From now on its writes go to memory that is discarded; the file does not change. */
void sn_journal_abandon(hid_t file);

#endif
