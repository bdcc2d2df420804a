/* workers.h - the processes of a study on this machine: each runs case after case.
 *
 * A crash costs only the case that crashed: the others that its process was to run go to another one. Short cases are
 * given to a process several at a time, so that it never waits for this one, which gets a processor late where all are
 * busy; long cases, and the last ones, one at a time, so that none of them waits behind another.
 *
 * Where the cases come from and where the outcomes go is the engine's matter (engine.h).
 */
#ifndef SN_WORKERS_H
#define SN_WORKERS_H

#include "study/cases.h"

typedef struct sn_workers sn_workers;

typedef enum sn_returned {
  SN_RETURNED_BUSY,   /* another process has it */
  SN_RETURNED_UNRUN,  /* the process it was given to is gone */
  SN_RETURNED_KILLED, /* somebody killed the process that ran it: it may be tried once more */
} sn_returned;

/* What an engine does for its workers. */
typedef struct sn_workers_calls {
  /* Up to `want` cases to run; how many there are now. */
  int (*next)(void *user, int want, int *list);
  /* Cases that nobody has, about. */
  long (*left)(void *user);
  /* A case has finished. text: its outcome (see sn_case_text), which took so many seconds; NULL: it is in the folder. */
  sn_status (*finished)(void *user, int i, bool failed, const char *text, size_t length, double seconds);
  /* A case was not run. */
  void (*returned)(void *user, int i, sn_returned why);
  void *user;
} sn_workers_calls;

/* `jobs` processes, started when there are cases. `store`: they claim the cases and write the outcomes to the folder of
 * the study; otherwise the outcomes come back as texts. */
sn_workers *sn_workers_create(sn_sweep *cases, int jobs, bool store, const sn_workers_calls *calls);
/* Give cases, and wait up to `seconds` for outcomes. A failure is the reason why a case could not be tried. */
sn_status sn_workers_turn(sn_workers *workers, double seconds);
/* Cases that have been given and have not come back; without `list` only their number. */
int sn_workers_running(const sn_workers *workers, int *list);
/* End all processes at once; what they run is lost. */
void sn_workers_stop(sn_workers *workers);

#endif
