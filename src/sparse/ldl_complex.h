/* ldl_complex.h - block LDL' of real and complex symmetric matrices over one structure. Private to src/sparse. */
#ifndef SN_LDL_COMPLEX_H
#define SN_LDL_COMPLEX_H

#include "sparse/ldl.h"

/* One factorization. Index 0: real parts, 1: imaginary parts. */
typedef struct sn_ldl_complex {
  const sn_ldl_data *structure;
  const sn_matrix *matrix; /* pattern of the values that are factorized */
  bool real;               /* the imaginary parts are zero and not computed */
  double *L[2], *D[2];     /* as in sn_ldl_data; D is inverted */
  double *Y[2], *minus;    /* panels of one column: A_ij; -Im L_ij */
  double *small[2];        /* one block */
  double *square;          /* four blocks */
  double *root;            /* one row */
} sn_ldl_complex;

/* All memory from the arena. */
void sn_ldl_complex_create(sn_ldl_complex *z, const sn_matrix *matrix, const sn_ldl_data *structure, sn_arena *arena);
/* re, im: values in the order of the matrix; im NULL: real. The symmetric part is factorized. False: singular at
 * *group. */
bool sn_ldl_complex_factor(sn_ldl_complex *z, const double *re, const double *im, int *group);
/* (re, im) := A^-1 (re, im), in the numbering of the matrix. */
void sn_ldl_complex_solve(const sn_ldl_complex *z, double *re, double *im);

#endif
