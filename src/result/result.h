/* result.h - result files: HDF5, always readable. Layout in docs/results.md. */
#ifndef SN_RESULT_H
#define SN_RESULT_H

#include "analysis/simulation.h"
#include "sinew/contents.h"
#include "sinew/summary.h"

typedef struct sn_h5 sn_h5; /* an open file, see result/h5.h */
typedef struct sn_store sn_store;

/* ---- writing ---- */
typedef struct sn_writer sn_writer;

/* Create `path` (through "path.part" beside it, which is renamed when closed) with all that is known before the run:
 * model text, names, units, drawing data. Errors: one line in the context, nothing left behind.
 * A caller ignores SIGXFSZ to get a message instead of a signal at a file-size limit. */
sn_status sn_writer_open(sn_simulation *simulation, const char *path, sn_writer **writer);
/* Add a row; rows are buffered and flushed to disk about once a second, so that a killed run leaves its rows. After a
 * failure, which leaves earlier rows intact, later rows fail too. */
sn_status sn_writer_row(sn_writer *writer, const sn_row *row);
long sn_writer_rows(const sn_writer *writer); /* given so far */
/* A checkpoint that belongs to the first `rows` rows, which may be fewer than given so far. */
void sn_writer_checkpoint(sn_writer *writer, const sn_history *history, long rows);
const char *sn_writer_path(const sn_writer *writer);
sn_h5 *sn_writer_h5(sn_writer *writer);
/* A stage is over, or failed: where it began, its first row and, from the simulation, the rest. */
void sn_writer_stage(sn_writer *writer, int stage, double begin, long first_row);
/* Write status ("done", "failed", "interrupted", with the message) and statistics; rename into place; free. A failure
 * of the writer itself overrides the status given and is returned again. */
sn_status sn_writer_close(sn_writer *writer, sn_status status, const char *message);

/* ---- going on from a checkpoint ---- */
typedef struct sn_resume {
  sn_history history; /* for sn_checkpoint_load; to be freed */
  long rows;          /* of the file that belong to it */
  double interval;    /* options.checkpoint of that run */
} sn_resume;
/* The checkpoint of a result file, or of the part file of a run that died. Errors: it has none, or is of another model.
 */
sn_status sn_resume_read(const sn_model *model, const char *path, sn_resume *resume);
/* A writer that continues: the rows of `from` up to the checkpoint, which the simulation has loaded, are the first of
 * the new file. `from` may be the part file of `path`, or `path` itself. */
sn_status sn_writer_resume(sn_simulation *simulation, const char *from, long rows, const char *path,
                           sn_writer **writer);

/* ---- reading: beside what sinew/result.h and sinew/contents.h have ---- */
/* What the file says about the run. Texts are never NULL. */
typedef struct sn_result_info {
  const char *version, *title, *model_path, *created, *integrator;
  const char *analysis;         /* "dynamics", or of several stages "statics, dynamics" */
  const char *status, *message; /* "running" (a killed run), "done", "failed", "interrupted" */
  const char *trust, *reasons;  /* "good", "doubtful", "bad", or "" while it runs; one reason a line */
  size_t rows;
  int bodies, joints, outputs;
  double step, tolerance, end; /* settings in force; step > 0: fixed */
  sn_statistics statistics;
  double position_change, velocity_change; /* by the consistent start */
  int redundant;
  const char *notes;
  const char *events; /* the first that happened, a line each; "" if none */
} sn_result_info;
const sn_result_info *sn_result_about(const sn_result *result);

/* A quantity ("frequency" in Hz, "load_factor") of a mode (1: the lowest) found by the last stage that looked for modes;
 * NaN: there is none. */
double sn_result_mode(sn_result *result, const char *quantity, int mode);

/* The costs of a summary; and all of it to a caller, who may know fewer fields. */
void sn_summary_costs(sn_summary *summary, const sn_statistics *statistics);
void sn_summary_give(sn_summary *to, const sn_summary *all);

/* ---- for viewers: the file itself ---- */
/* All that lies in it, see result/store.h. */
sn_store *sn_result_store(sn_result *result);
/* A result that a run still writes, through the run's own open file; free it before the writer is closed. */
sn_status sn_result_watch(sn_context *context, sn_writer *writer, sn_result **result);

#endif
