/* table.h - a table of named columns, written as CSV and as HDF5, the same bytes for the same numbers. */
#ifndef SN_RESULT_TABLE_H
#define SN_RESULT_TABLE_H

#include "base/base.h"

typedef struct sn_column {
  const char *name;
  const double *number;    /* [rows]; NaN: no value. NULL: texts */
  const char *const *text; /* [rows] */
} sn_column;

typedef struct sn_columns {
  int rows, count;
  sn_column *column;
} sn_columns;

/* Write PATH through a temporary file that is renamed: a reader gets the old table or the new one. Numbers
 * have all digits; one that is missing is an empty field in CSV and NaN in HDF5. */
sn_status sn_write_csv(sn_context *context, const char *path, const sn_columns *columns);
/* A dataset for each column, in their order; `title` is an attribute of the file. */
sn_status sn_write_hdf5(sn_context *context, const char *path, const char *title, const sn_columns *columns);

/* The column of that name; NULL: none. */
const sn_column *sn_find_column(const sn_columns *columns, const char *name);

#endif
