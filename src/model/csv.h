/* csv.h - numbers from a CSV file: named columns, or a grid. */
#ifndef SN_CSV_H
#define SN_CSV_H

#include "model/field.h"

typedef struct sn_csv {
  const char *path; /* as it was opened */
  int rows, columns;
  const char *const *name; /* [columns] of the first line if that is not all numbers; NULL: it is */
  const double *value;     /* [rows * columns], row by row */
} sn_csv;

/* Read the file that the field `file` of a spec names, from the folder of the model unless the path is absolute. Fields
 * are separated by commas, semicolons or tabs; empty lines and lines that start with # are skipped. False after
 * reporting: what is not a number is named with its line and field in the file. With `grid` the first field is not read. */
bool sn_read_csv(sn_reader *reader, const sn_spec *spec, bool grid, sn_csv *csv);
/* The file that a node names as a matrix: rows of numbers. A line of names above them and a name before each are skipped,
 * as `sinew export --matrix` writes them. */
bool sn_read_csv_matrix(sn_reader *reader, const sn_node *node, sn_matrix_rows *matrix);
/* The column that the field `key` of the spec names by its name or number from 1; where it was not written, number
 * `standard`. Its values, [rows]; NULL after reporting. */
const double *sn_csv_column(sn_reader *reader, const sn_spec *spec, const char *key, int standard, const sn_csv *csv);

#endif
