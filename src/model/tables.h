/* tables.h - what the user writes about tables. */
#ifndef SN_TABLES_H
#define SN_TABLES_H

#include "model/csv.h"

typedef struct sn_table_spec {
  sn_spec spec;
  sn_reals x, y;
  sn_matrix_rows z;
  const char *file, *argument, *column;
  int form;          /* of the file: 0 columns, 1 grid */
  int interpolation; /* 0 linear, 1 cubic */
  int extrapolation; /* sn_extrapolation */
} sn_table_spec;

/* The table of a spec: its points, or those of its file. False after reporting. */
bool sn_make_table(sn_reader *reader, const sn_table_spec *spec, sn_table *table);
/* The same of two columns of a file that the fields `file`, `time` and `column` of a spec name. */
bool sn_make_signal(sn_reader *reader, const sn_spec *spec, bool cubic, sn_extrapolation outside, sn_table *table);

#endif
