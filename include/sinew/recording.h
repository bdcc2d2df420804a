/* recording.h - a run into a result file that is resumed, watched, profiled and summarized. Part of program.h.
 *
 * sn_record_run (result.h) does the usual in one call. A recording belongs to one thread at a time; its simulation must
 * outlive it, and must not be stepped otherwise meanwhile.
 *
 *     sn_recording_options options = {.size = sizeof options, .path = "pendulum.h5"};
 *     sn_recording *recording;
 *     if (!sn_recording_open(simulation, &options, &recording)) {
 *       sn_recording_run(recording, NULL, NULL);
 *       sn_recording_close(recording);
 *     }
 *     sn_recording_free(recording);
 */
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "sinew/analysis.h"
#include "sinew/result.h"
#include "sinew/summary.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_recording sn_recording;

typedef struct sn_recording_options {
  size_t size;      /* of the struct as the caller knows it */
  const char *path; /* of the result; beside it lies PATH.part until it is complete */
  const char
      *resume; /* result of a run of the same model, or the .part file of one that was killed, whose last checkpoint
                         the simulation continues from; its rows up to there are the first of the new file. NULL: none */
} sn_recording_options;
/* Open the file, and load the checkpoint if a run is resumed; the interval of its checkpoints is kept where
 * sn_options.checkpoint is 0. SN_USAGE: that run is complete. On failure *recording is NULL and nothing is left behind. */
SN_API sn_status sn_recording_open(sn_simulation *simulation, const sn_recording_options *options,
                                   sn_recording **recording);
/* Run all that is left. progress (may be NULL) is called after every step. On failure the rows so far stay; close it. */
SN_API sn_status sn_recording_run(sn_recording *recording, sn_progress progress, void *user);
/* The file while it is written; free it before the recording is closed. It may be read on another thread. */
SN_API sn_status sn_recording_watch(sn_recording *recording, sn_result **result);
/* Write how the run ended, its verdict and statistics, and give the file its name. A recording that was not run is marked
 * as interrupted. The message of a run that failed is the context's again unless closing fails. */
SN_API sn_status sn_recording_close(sn_recording *recording);
/* What the run came to; after it was closed. Texts belong to the simulation. summary->size must be set. */
SN_API sn_status sn_recording_summary(sn_recording *recording, sn_summary *summary);
/* One that was not closed is closed first. NULL: nothing happens. */
SN_API void sn_recording_free(sn_recording *recording);

/* ---- how far it is ---- */

typedef struct sn_progress_info {
  size_t size;       /* of the struct as the caller knows it */
  int stage;         /* from 0 */
  int quasi_static;  /* time stands still; `load` goes up */
  double begin, end; /* of the stage [s]; end infinite: the model has no analysis, and the caller gave none */
  double time, step; /* reached, and the last step [s] */
  double load;       /* load factor */
  long steps;        /* accepted, of all stages */
} sn_progress_info;
/* info->size must be set. No cost to speak of; for functions of type sn_progress. */
SN_API sn_status sn_simulation_progress(const sn_simulation *simulation, sn_progress_info *info);

/* ---- modes of all stages ---- */

/* How many stages have found modes; and those of one, first stage first: *stage (from 0) and *method ("dense", "lanczos")
 * may be NULL. SN_USAGE: there is no such number. */
SN_API size_t sn_modes_count(const sn_simulation *simulation);
SN_API sn_status sn_modes_at(const sn_simulation *simulation, size_t number, sn_modes_info *info, size_t *stage,
                             const char **method);

/* ---- profiles: what every thread did when, for Perfetto or chrome://tracing ---- */

typedef struct sn_profile sn_profile;
/* It counts from here; NULL: out of memory. */
SN_API sn_profile *sn_profile_create(void);
/* Watch a simulation: all before counts as its start. The profile must outlive it. */
SN_API sn_status sn_profile_attach(sn_profile *profile, sn_simulation *simulation);
/* As JSON, after the run. */
SN_API sn_status sn_profile_write(const sn_profile *profile, sn_context *context, const char *path);
SN_API void sn_profile_free(sn_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
