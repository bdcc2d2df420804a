/* ida_matrix.h - the Jacobian of the stabilized index-1 form, sparse, by columns.
 *
 * y = (q, v, eta, zeta), y' = (q', v', l, mu), c = the factor between them:
 *
 *     M v' - Q + G'l     [ K        c M + D   c G'   0    ]
 *     q' - v + G'mu      [ c I      -I        0      c G' ]
 *     G v + Phi_t        [ N        G         -e     0    ]     N = d(G v + Phi_t)/dq
 *     Phi                [ G        0         0      -e   ]
 *
 * d(G'mu)/dq is neglected: mu vanishes. e = 0 unless constraints are redundant. N comes from the acceleration level,
 * which is quadratic in v, so that differences are exact: with Phi''(v) at a = 0, N x = (Phi''(v + x) - Phi''(v -
 * x))/4; columns without a common equation are done together.
 */
#ifndef SN_IDA_MATRIX_H
#define SN_IDA_MATRIX_H

#include <sunmatrix/sunmatrix_sparse.h>

#include "sparse/scalar.h"
#include "system/system.h"

typedef struct sn_ida_matrix {
  sn_arena arena;
  sn_system *system;   /* stores both triangles */
  long revision;       /* of its pattern, which this was made for */
  sn_scalar scalar;    /* of its matrix A = [., G'; G, .] */
  int *place[3];       /* [entries] where an entry of A goes: see ida_matrix.c */
  int *multiplier;     /* [2 m] places of -e */
  int *unit[2];        /* [n] places of c I and -I */
  int colors;          /* of the columns of G */
  int *color;          /* [n] -1: no equation */
  sunindextype *start; /* [2 n + 2 m + 1] the pattern, which SUNDIALS erases with the values */
  sunindextype *row;   /* [entries] */
  int entries;
  double *v, *plus, *minus; /* [n], [m], [m] */
} sn_ida_matrix;

/* -e on the diagonal of zeta, when constraints are redundant; that of eta is the system's regularization. */
#define SN_IDA_POSITION_EPS 1e-9

/* J is zero, or made before. False: too large. */
bool sn_ida_matrix_create(sn_ida_matrix *J, sn_system *system);
void sn_ida_matrix_free(sn_ida_matrix *J);
void sn_ida_matrix_fill(sn_ida_matrix *J, const sn_state *state, double c, SUNMatrix result);

#endif
