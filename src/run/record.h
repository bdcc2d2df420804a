/* record.h - a simulation run to its end, into a result file. */
#ifndef SN_RECORD_H
#define SN_RECORD_H

#include "result/result.h"
#include "run/kept_rows.h"

/* Run all remaining stages, each with a row at its start and the rows of its analysis; with checkpoints according to
 * the options, and one at the end. `show` (may be NULL) is called after every step. */
sn_status sn_record(sn_simulation *simulation, sn_writer *writer, sn_progress show, void *user);
/* The same into memory, without checkpoints. */
sn_status sn_record_kept(sn_simulation *simulation, sn_kept_rows *kept, sn_progress show, void *user);

#endif
