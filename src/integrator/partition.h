/* partition.h - generalized coordinate partitioning: independent coordinates, and dependent ones that follow from them.
 *
 *   G = [G_i, G_d], G_d square and regular on the equations kept (repeated ones are left out):
 *   q_d from Phi(q_i, q_d) = 0,   v_d = -G_d^-1 (G_i v_i + Phi_t)
 *
 * The dependent coordinates are the pivots of G, rows scaled to largest entry 1, with full pivoting: dense, once and
 * whenever G_d has become poor. The smallest pivot of the sparse factorization of G_d tells how good it is.
 */
#ifndef SN_PARTITION_H
#define SN_PARTITION_H

#include <suitesparse/klu.h>

#include "sparse/scalar.h"
#include "system/system.h"

typedef struct sn_partition {
  sn_system *system;
  sn_scalar scalar; /* of the system's matrix */
  int rank;         /* dependent coordinates, equations kept */
  int *dependent;   /* [rank] coordinates */
  int *independent; /* [n - rank] coordinates, ascending */
  int *kept;        /* [m] place of an equation among those kept; -1: left out */
  int worst;        /* equation where the last choice or factorization broke down */
  double quality;   /* smallest pivot of G_d now, and ... */
  double chosen;    /* ... when it was chosen */
  /* private */
  double *dense;  /* [m n] scaled G, row by row */
  double *scale;  /* [m] 1/largest entry of a row */
  int *equation;  /* [m] order of pivot rows */
  int *place;     /* [n] order of pivot columns */
  int *start;     /* [m + 1] G_d by columns */
  int *row;       /* [entries] */
  size_t *source; /* [entries] */
  double *value;  /* [entries] */
  double *b;      /* [m] */
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  klu_common common;
} sn_partition;

/* False: too large for dense pivoting, with a message. */
bool sn_partition_create(sn_partition *p, sn_system *system);
void sn_partition_free(sn_partition *p);
/* From G as it stands in the system's matrix. Choose anew (allocates); factorize G_d. False: singular, see `worst`. */
bool sn_partition_choose(sn_partition *p);
bool sn_partition_factor(sn_partition *p);
/* x[dependent] -= G_d^-1 phi[kept]; the largest change, relative to max(1, |x|). */
double sn_partition_correct(sn_partition *p, const double *phi, double *x);

#endif
