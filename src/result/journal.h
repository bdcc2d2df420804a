/* journal.h - result files that are whole at any moment: a driver for HDF5 that changes the file only from one flush to
 * the next, all at once.
 *
 * HDF5 writes its tables in no particular order, at a flush and in between; killed on the way, it leaves a file that
 * nobody can read. Here whatever lies within the file as of the last flush is kept in memory, and what lies beyond goes
 * to the file directly, where nothing refers to it yet. A flush writes what is kept to FILE.journal, then to the file,
 * then empties the journal. Killed before the journal is whole, the file is that of the flush before; killed later, the
 * journal has the rest.
 */
#ifndef SN_JOURNAL_H
#define SN_JOURNAL_H

#include "result/h5.h"

/* Let files be made and opened for writing with this access list go through a journal. */
void sn_journal_use(sn_h5 *h5, hid_t access);
/* Bring a file whose writer was killed up to date. Nothing happens where there is no journal, or a writer lives. */
void sn_journal_replay(const char *path);

#endif
