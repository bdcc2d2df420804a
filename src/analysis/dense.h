/* dense.h - small systems as full matrices, column major.
 *
 *     G' P = Q R  (column pivoting)      the last n - rank columns of Q are an orthonormal basis Z of the null space of G
 */
#ifndef SN_DENSE_H
#define SN_DENSE_H

#include "sparse/matrix.h"

/* D[n][n] := the part of the block matrix that couples coordinates; or the symmetric part of it. */
void sn_dense_fill(const sn_matrix *A, int n, bool symmetric, double *D);
/* Z[n][free], for sn_free, from the m rows of G in A; the number of its columns, or -1. */
int sn_dense_null_space(const sn_matrix *A, int n, int m, double **Z);
/* R[size][size] = Z'A Z for symmetric A; W[size][n] is A Z. */
void sn_dense_project(int n, int size, const double *Z, const double *A, double *W, double *R);

#endif
