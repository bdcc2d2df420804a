/* outcome_logs.h - the outcomes of cases on the disk: files that only grow, one for each process that runs cases.
 *
 *   FOLDER/HOST-PID-NUMBER.log     PID: of the sweep. Records, each added by one write:
 *     case NAME LENGTH CHECKSUM    NAME: of the case, LENGTH: of the text, CHECKSUM: of both; hexadecimal, 64 bytes
 *     text
 *
 * A process that is killed while it writes leaves a part of a record. Readers take whole records only: where there is
 * none, they look for the next word "case". So nothing that was finished is lost, and a damaged record costs its case
 * alone.
 *
 * A log is locked (flock) while a process may write to it. One without a lock is complete: it is read once.
 */
#ifndef SN_OUTCOME_LOGS_H
#define SN_OUTCOME_LOGS_H

#include "base/base.h"

typedef struct sn_logs sn_logs;

/* The logs of a folder; nothing is read yet. name[count]: of the cases, 32 digits each; equal names are the same case.
 * The names and the folder stay the caller's. */
sn_logs *sn_logs_create(const char *folder, int count, const char *const *name);
void sn_logs_free(sn_logs *logs);

/* Read what is new in all of them. */
void sn_logs_read(sn_logs *logs);
/* Read what other sweeps have added, before a case is begun. Reading takes at most a twentieth of the time: where there
 * are many logs, not at every call. */
void sn_logs_read_others(sn_logs *logs);
/* What was read of a case: the text of its outcome, not terminated. NULL: nothing. */
const char *sn_logs_text(const sn_logs *logs, int i, size_t *length);

/* Begin a log of this sweep. -1: errno says why. */
int sn_log_begin(sn_logs *logs);
/* Add an outcome. False: errno says why, and nothing was added. `seconds` of work are in it. What amounts to some seconds
 * is put onto the disk; at once if a sweep on another machine works in the folder, which may not see it otherwise. */
bool sn_log_add(sn_logs *logs, int file, int i, const char *text, size_t length, double seconds);

#endif
