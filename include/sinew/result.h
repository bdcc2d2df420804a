/* result.h - runs into result files, and result files. Part of sinew.h.
 *
 * A result file is HDF5, readable by any program that reads HDF5, and always complete: docs/results.md has its layout.
 */
#ifndef SINEW_RESULT_H
#define SINEW_RESULT_H

#include "sinew/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ---- */

/* Called after every step; sn_interrupt ends the run. */
typedef void (*sn_progress)(void *user, const sn_simulation *simulation);
/* Run all that is left of the analysis and record it, with the model and the verdict, in the file `path`, which is
 * replaced when the new one is complete. A run that fails or is interrupted leaves its rows and the reason in the file,
 * and its status is returned. progress: may be NULL. */
SN_API sn_status sn_record_run(sn_simulation *simulation, const char *path, sn_progress progress, void *user);
/* The verdict on the run so far (what it recorded, and what its steps have shown): "good", "doubtful" or "bad"; and its reasons, one line each, "" where all is well. Texts
 * of the simulation. NULL: out of memory. */
SN_API const char *sn_verdict_word(sn_simulation *simulation);
SN_API const char *sn_verdict_reasons(sn_simulation *simulation);

/* ---- reading ---- */

typedef struct sn_result sn_result;

/* It belongs to the caller; what it returns belongs to it. The file is not trusted: sizes and checksums are checked. */
SN_API sn_status sn_result_open(sn_context *context, const char *path, sn_result **result);
SN_API void sn_result_free(sn_result *result);

/* The verdict on its run: "good", "doubtful", "bad", "" of one that runs or was killed; and the reasons, a line each. */
SN_API const char *sn_result_verdict(const sn_result *result);
SN_API const char *sn_result_reasons(const sn_result *result);
/* Can the file not be read any more? A series that is NULL for another reason is not in it. */
SN_API int sn_result_failed(const sn_result *result);

/* A series is one column over time, named "tip.x", "energy.total", "constraint.position", "momentum.linear.x", "step",
 * "stage", "load".
 */
typedef struct sn_series {
  const char *name, *unit;
  size_t count;
  const double *value;
} sn_series;
SN_API const sn_series *sn_result_time(sn_result *result);
/* NULL: no such series, or it cannot be read; the context's message names the nearest, or the reason. "tip" alone is
 * not a series but a group. */
SN_API const sn_series *sn_result_series(sn_result *result, const char *name);
/* Names of all series, in the order t, outputs, energy, constraint, momentum, step, stage, load; NULL-terminated. */
SN_API const char *const *sn_result_names(sn_result *result);

#ifdef __cplusplus
}
#endif
#endif
