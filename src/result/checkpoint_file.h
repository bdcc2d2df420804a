/* checkpoint_file.h - the checkpoint in a result file: one complete checkpoint, and space for the next. Private to
 * result/.
 *
 * /checkpoint has the datasets "1" and "2", written in turn, and the attribute `current` with the name of the valid
 * one: a run that is killed while it writes one still has the other.
 */
#ifndef SN_CHECKPOINT_FILE_H
#define SN_CHECKPOINT_FILE_H

#include "base/history.h"
#include "result/h5.h"

/* Write into the one that does not count; `rows`: those of the file that belong to it. Returns its number, 0: failed.
 */
int sn_checkpoint_write(sn_h5 *h5, const sn_history *history, long rows);
/* From now on it is the one that counts. */
void sn_checkpoint_commit(sn_h5 *h5, int slot);

#endif
