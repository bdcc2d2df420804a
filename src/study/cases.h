/* cases.h - the cases of a study: run one, store its outcome, write the table.
 *
 * A case is identified by a hash of everything that affects its outcome: the program's version, the text of the model,
 * its values, the measures. Its outcome is a record of that name (outcome_logs.h), taken whole or not at all, so that a
 * study that was killed goes on where it was, and one that was changed repeats only what changed.
 *
 * Processes that work on the same folder, on one machine or on several that share it, claim cases by locks on bytes of
 * one file. A lock ends with the process that holds it, however that ends.
 */
#ifndef SN_CASES_H
#define SN_CASES_H

#include "result/table.h"
#include "run/record.h"
#include "study/outcome_logs.h"
#include "study/sample.h"

typedef struct sn_outcome {
  const char *status; /* "done", "failed", "crashed" */
  double reached;     /* time [s] */
  double cpu, wall;   /* s; cpu: the start and all steps, without outputs */
  const char *host;
  const char *message; /* one line; "" when nothing failed */
  const char *trust;   /* the verdict, "good", "doubtful", "bad"; "": it was not judged */
  const char *audit;   /* that on how it was solved alone (analysis/trust.h) */
  const double *value; /* [measures]; NaN: none */
} sn_outcome;

typedef struct sn_sweep {
  sn_context *context;
  sn_arena arena;
  const sn_study *study;
  const char *folder;
  const char *model_text;
  size_t model_length;
  int count, measures;
  const sn_value *value;        /* [count * variations] */
  const char *const *name;      /* [count] the hash of each case, in hexadecimal */
  const unsigned long long *at; /* [count] the byte that stands for it in the file of claims */
  int claims;                   /* that file; -1: not open */
  sn_logs *logs;
  int log; /* of this process; -1: not begun */
} sn_sweep;

/* Make the folder and what belongs into it, or take what is there. The study was checked. */
sn_status sn_sweep_open(sn_context *context, const sn_study *study, const char *model_text, size_t model_length,
                        const char *folder, sn_sweep **cases);
void sn_sweep_free(sn_sweep *cases);
/* Remove the folder of a rank whose outcomes went elsewhere, with the files of its cases. */
void sn_sweep_remove(const sn_sweep *cases);

/* Is its outcome among what was read by sn_logs_read? */
bool sn_case_finished(const sn_sweep *cases, int i);
/* Does another process work on it? */
bool sn_case_claimed(const sn_sweep *cases, int i);
/* Claim a case for this process until it ends or releases it; false: another process has it. Where the file system has
 * no locks, nobody has it: two processes may then run the same case, with the same outcome. Only for processes that
 * opened the file of claims themselves: see sn_sweep_reopen. */
bool sn_case_claim(sn_sweep *cases, int i);
void sn_case_release(sn_sweep *cases, int i);
/* After fork, in the child: a file of claims of its own, and the log that it writes to. */
sn_status sn_sweep_reopen(sn_sweep *cases, int log);

/* Run a case. SN_OK: the outcome says how it ended. Otherwise (SN_IO) it could not be tried. */
sn_status sn_case_run(sn_sweep *cases, int i, sn_progress show, void *user, sn_outcome *outcome);
/* The outcome of a case that cannot speak for itself. Memory from the arena of the cases. */
sn_outcome sn_case_lost(sn_sweep *cases, const char *message);
/* A measure of this case and another one, of which both have finished; NaN: one has no result. */
double sn_case_between(const sn_sweep *cases, int i, const sn_measure_spec *measure);
sn_status sn_case_write(sn_sweep *cases, int i, const sn_outcome *outcome);
/* The outcome as the text of its record, and that text into the log, with the seconds of work that it took. */
char *sn_case_text(const sn_sweep *cases, const sn_outcome *outcome, sn_arena *arena, size_t *length);
sn_status sn_case_store(sn_sweep *cases, int i, const char *text, size_t length, double seconds);
/* False: it has not finished, as far as the logs were read. */
bool sn_case_read(const sn_sweep *cases, int i, sn_arena *arena, sn_outcome *outcome);

/* The table of all cases, of which all have finished, and the times they took. Memory from the arena. */
sn_status sn_sweep_table(sn_sweep *cases, sn_arena *arena, sn_columns *table, sn_columns *times);
/* table.csv, table.h5, times.csv, times.h5; with `keep`, results/NUMBER.h5. */
sn_status sn_sweep_write_tables(sn_sweep *cases, const sn_columns *table, const sn_columns *times);

#endif
