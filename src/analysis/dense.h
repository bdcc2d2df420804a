/* dense.h - small systems as full matrices, column major.
 *
 *     G' P = Q R  (column pivoting)      the last n - rank columns of Q are an orthonormal basis Z of the null space of G
 */
#ifndef SN_DENSE_H
#define SN_DENSE_H

#include "sparse/matrix.h"

/* D[n][n] := the part of the block matrix that couples coordinates; or the symmetric part of it. */
void sn_dense_fill(const sn_matrix *A, int n, bool symmetric, double *D);
/* T[m][n], the rows of G in A, each scaled to length 1 so that they can be compared. */
void sn_dense_gradients(const sn_matrix *A, int n, int m, double *T);
/* Z[free][n], for sn_free: a basis of what is orthogonal to T[m][n]; the number of its vectors, or -1. */
int sn_dense_complement(int n, int m, const double *T, double **Z);
/* The same for the rows of G in A. */
int sn_dense_null_space(const sn_matrix *A, int n, int m, double **Z);
/* R[size][size] = Z'A Z for symmetric A; W[size][n] is A Z. */
void sn_dense_project(int n, int size, const double *Z, const double *A, double *W, double *R);

#endif
