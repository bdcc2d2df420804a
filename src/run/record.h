/* record.h - a simulation run to its end, into a result file. */
#ifndef SN_RECORD_H
#define SN_RECORD_H

#include "result/result.h"

/* Run all stages that are left, each with a row at its start and rows as its analysis wants them; with checkpoints as
 * the options say, and one where it ends. `show` (may be NULL) is called after every step. */
typedef void (*sn_progress)(void *user, const sn_simulation *simulation);
sn_status sn_record(sn_simulation *simulation, sn_writer *writer, sn_progress show, void *user);

#endif
