/* scalar.h - the block matrix seen as scalars by columns (CSC), for libraries that want it so. */
#ifndef SN_SCALAR_H
#define SN_SCALAR_H

#include "sparse/matrix.h"

typedef struct sn_scalar {
  int rows, entries;
  int *start;           /* [rows + 1] first entry of a column; not const, as KLU wants it so */
  int *row;             /* [entries] ascending in a column */
  const size_t *source; /* [entries] which value of the block matrix */
} sn_scalar;

/* Both triangles, also of a matrix stored as symmetric. False: 2^31 entries or more. */
bool sn_scalar_pattern(const sn_matrix *matrix, sn_arena *arena, sn_scalar *scalar);
size_t sn_scalar_bytes(const sn_scalar *scalar); /* memory held */

#endif
