/* contents.h - all that lies in a result file. Part of program.h.
 *
 * Arrays and texts belong to the result unless said otherwise. A result belongs to one thread at a time.
 */
#ifndef SINEW_CONTENTS_H
#define SINEW_CONTENTS_H

#include <stdint.h>

#include "sinew/analysis.h"
#include "sinew/message.h"
#include "sinew/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files ---- */

/* Does the file begin as a result file? What a killed run left in its journal is put there first. */
SN_API int sn_is_result(const char *path);
/* Is the file as it was written? All of it is read; `damaged` (may be NULL) is called with the bytes of each block that is
 * not. SN_IO with a message when anything is wrong, or when the file has no checksums. */
typedef struct sn_checked {
  long blocks, damaged;
  double bytes;
} sn_checked;
SN_API sn_status sn_result_check(sn_context *context, const char *path, sn_checked *checked,
                                 void (*damaged)(void *user, uint64_t from, uint64_t to), void *user);

/* What the file says about itself. Texts are never NULL. */
typedef struct sn_file_info {
  size_t size;       /* of the struct as the caller knows it */
  const char *title; /* of the model */
  const char *version, *created;
  const char *status, *message; /* "running" (or killed), "done", "failed", "interrupted"; why */
  size_t rows, bodies, joints, outputs;
} sn_file_info;
/* info->size must be set. */
SN_API sn_status sn_result_file(const sn_result *result, sn_file_info *info);

/* ---- series, modes, linear models ---- */

/* The name of the series that is meant by a name of expressions, such as hinge.rate; otherwise the name itself. */
SN_API const char *sn_result_meant(sn_result *result, const char *name);
/* Is `name` (of a series) the group's own name, or does it begin with that and a dot? */
SN_API int sn_series_in_group(const char *name, const char *group);

/* What a mode does not have is NaN. */
typedef struct sn_mode_row {
  int stage, mode;                       /* both from 1 */
  double frequency, damping, eigenvalue; /* vibration: [Hz]; ratio; square of the angular frequency [1/s2] */
  double real_part, imaginary_part;      /* of damped eigenvalues [1/s] */
  double load_factor;                    /* buckling */
} sn_mode_row;
/* The modes of all stages, in the order of the file; NULL: there are none. */
SN_API const sn_mode_row *sn_result_modes(sn_result *result, size_t *count);
/* The matrices of the last stage that linearized; re and im are NULL (see sn_result_modes). SN_USAGE: there are none; SN_IO:
 * they cannot be read. */
SN_API sn_status sn_result_linear(sn_result *result, sn_linear_info *info);
/* A file of MATLAB (level 5) in memory, with A, B, C, D and cell arrays `states`, `inputs`, `outputs` of names. *bytes
 * belongs to the caller (sn_release). SN_MEMORY: it cannot be made; *bytes is NULL then. */
SN_API sn_status sn_linear_matlab(const sn_linear_info *info, char **bytes, size_t *length);

/* ---- the file itself: groups, datasets of numbers, texts, and their attributes (docs/results.md) ---- */

typedef enum sn_object_kind { SN_OBJECT_GROUP, SN_OBJECT_NUMBERS, SN_OBJECT_TEXT, SN_OBJECT_OTHER } sn_object_kind;
typedef enum sn_value_kind { SN_TEXT_VALUE, SN_REAL_VALUE, SN_INTEGER_VALUE } sn_value_kind;

typedef struct sn_object sn_object;
typedef struct sn_object_info {
  sn_object_kind kind;
  const char *name;           /* as in the file: not to be printed as it is */
  size_t rows, columns;       /* of numbers; rows of a text: its bytes */
  size_t attributes, members; /* members: of a group */
} sn_object_info;
typedef struct sn_attribute_info {
  const char *name;
  sn_value_kind kind;
  int single;              /* a value, not an array */
  size_t count;            /* of values, at least 1 */
  const char *const *text; /* one of these three, by the kind; control characters are replaced */
  const double *real;
  const int64_t *integer;
} sn_attribute_info;

/* What lies at a path, "/outputs"; of a group its members too, unless `members` is 0. It belongs to the caller
 * (sn_object_free), and its members to it; it may outlive the result. NULL: there is nothing, or it cannot be read
 * (sn_result_failed). */
SN_API sn_object *sn_result_object(sn_result *result, const char *path, int members);
SN_API void sn_object_free(sn_object *object);
SN_API void sn_object_about(const sn_object *object, sn_object_info *info);
/* NULL, SN_USAGE: there is no such number. */
SN_API const sn_object *sn_object_member_at(const sn_object *object, size_t number);
SN_API sn_status sn_object_attribute_at(const sn_object *object, size_t number, sn_attribute_info *info);
/* An attribute that is a single text; "": there is none. */
SN_API const char *sn_object_text(const sn_object *object, const char *name);

/* Rows first, first + stride, ... (count of them) of a dataset of numbers, all its columns, as floats (width 4) or doubles
 * (8) to `out`, row by row. SN_IO: there are not so many, or they cannot be read. */
SN_API sn_status sn_result_rows(sn_result *result, const char *path, size_t first, size_t count, size_t stride,
                                size_t width, void *out);
/* A text, which belongs to the caller (sn_release); NULL: there is none, or it cannot be read. */
SN_API char *sn_result_text(sn_result *result, const char *path, size_t *length);
/* Why the file cannot be read any more; NULL: it can. */
SN_API const char *sn_result_trouble(const sn_result *result);

#ifdef __cplusplus
}
#endif
#endif
