/* scalar.h - the block matrix seen as scalars by columns (CSC), for libraries that need this format.
 *
 * The pattern and the map from its entries to the values of the blocks are made once.
 */
#ifndef SN_SCALAR_H
#define SN_SCALAR_H

#include "sparse/matrix.h"

typedef struct sn_scalar {
  int rows, entries;
  int *start;     /* [rows + 1] first entry of a column */
  int *row;       /* [entries] ascending in a column */
  size_t *source; /* [entries] which value of the block matrix */
  int *group;     /* [rows] group of a row */
  size_t bytes;   /* held by all this */
} sn_scalar;

/* Both triangles, whether the matrix stores one or two. Memory from the arena; false when there are too many entries
 * for int indices. */
bool sn_scalar_create(sn_scalar *scalar, const sn_matrix *matrix, sn_arena *arena);

#endif
