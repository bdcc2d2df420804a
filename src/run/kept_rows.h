/* kept_rows.h - the rows of a run in memory, for runs that are measured and leave no file.
 *
 * A result file costs tens of milliseconds: its tables, and the disk. A short case of a study costs one. The series are
 * those of the file, with the same names and bits.
 */
#ifndef SN_KEPT_ROWS_H
#define SN_KEPT_ROWS_H

#include "analysis/simulation.h"

typedef struct sn_kept_rows {
  sn_arena arena;
  sn_simulation *simulation;
  int columns;
  const char *const *name; /* [columns] */
  double *value;           /* [rows][columns] */
  const double **series;   /* [columns] those that were asked for */
  size_t rows, room;
} sn_kept_rows;

/* What the rows of the run will take [bytes], as far as that is known before. */
double sn_kept_rows_bytes(const sn_simulation *simulation);

void sn_kept_rows_begin(sn_kept_rows *kept, sn_simulation *simulation);
void sn_kept_rows_add(sn_kept_rows *kept, const sn_row *row);
void sn_kept_rows_free(sn_kept_rows *kept);

/* A series by its name in the result file, or by that in expressions; NULL: there is none. */
const double *sn_kept_rows_series(sn_kept_rows *kept, const char *name, size_t *count);
/* As sn_result_mode: a quantity of a mode (from 1) of the last stage that found some; NaN: there is none. */
double sn_kept_rows_mode(const sn_kept_rows *kept, const char *quantity, int mode);

#endif
