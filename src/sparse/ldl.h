/* ldl.h - the block LDL' factorization (ldl_factor.c), shared by the solver (ldl.c) and the rank test (ldl_rank.c). Private.
 *
 * Block columns are numbered by their position in the elimination order; `order` leads back to the groups. */
#ifndef SN_LDL_H
#define SN_LDL_H

#include "sparse/matrix.h"

typedef struct sn_ldl_data {
  sn_arena arena; /* holds everything below */
  size_t bytes;   /* what it holds */
  int groups, rows;

  /* ---- the elimination order; arrays [groups] over positions ---- */
  int *order;       /* group at a position */
  int *size;        /* scalar rows of that group */
  int *first;       /* its first scalar row, in the numbering of the matrix */
  bool *constraint; /* is it a group of multipliers? */
  bool *early;      /* multipliers eliminated before all their coordinates are: see ldl_analyze.c */
  bool any_early;
  int *parent;   /* elimination tree, -1 at a root; postordered */
  int *youngest; /* smallest position in the subtree: the subtree of j is youngest[j] .. j */
  int *range;    /* [ranges + 1] positions, between two of which there are whole trees: work for threads */
  int ranges;

  /* ---- structure of L below the diagonal ---- */
  size_t *column; /* [groups + 1] first block of a column */
  int *row;       /* [blocks] position of the block row, ascending in a column */
  size_t *at;     /* [blocks + 1] its values in L; size[i] x size[j], column major, in the order they are visited */
  size_t *pivot;  /* [groups] values of the diagonal block in D */

  /* ---- where the blocks of the matrix go ---- */
  size_t *target;  /* [blocks of the matrix] into D for a diagonal block, otherwise into L */
  bool *transpose; /* [blocks of the matrix] the order turned the block over */
  size_t *fill;    /* [fills] blocks of L that start from zero */
  size_t fills;

  /* ---- numbers ---- */
  double *L;     /* L_ij = A_ij D_j^-1 */
  double *D;     /* D_j while being eliminated, then D_j^-1 */
  size_t values; /* in L */
  double *scale; /* [rows] largest magnitude the diagonal entry of a row ever had; numbering of the matrix */
  double *panel; /* the scaled blocks of one column, twice: see ldl_factor.c */
  size_t panel_values;
  double *small; /* room for three dense blocks of the largest size, and one row */
  double *work;  /* [rows] for solutions */
} sn_ldl_data;

/* Order, structure and all memory; NULL when the ordering fails. safe: no group comes early. */
sn_ldl_data *sn_ldl_analyze(const sn_matrix *matrix, bool safe);
void sn_ldl_free(sn_ldl_data *f);
/* Copy the values of the matrix into L and D, set the fill to zero and `scale` to the diagonal. */
void sn_ldl_load(sn_ldl_data *f, const sn_matrix *matrix);
/* Replace D_j by its inverse and the blocks of column j by L_ij; leave X and Y, stacked like the column, such that the
 * update is A_ik -= X_i Y_k'. False when D_j is singular, or that of an early group badly conditioned. */
bool sn_ldl_eliminate(sn_ldl_data *f, int j, const double **X, const double **Y);
/* A_ik -= X_i Y_k' for all rows i >= k of column j. */
void sn_ldl_update(sn_ldl_data *f, int j, const double *X, const double *Y);
/* All of it: load, then eliminate and update column by column. False: *group is where it broke. */
bool sn_ldl_factorize(sn_ldl_data *f, const sn_matrix *matrix, int *group);
/* b := A^-1 b on the rows of positions first .. last - 1, which must be whole trees of the elimination forest. Each
 * position uses its own rows of work[rows]: ranges may run at the same time. */
void sn_ldl_solve_range(const sn_ldl_data *f, int first, int last, double *b, double *work);
/* What a solver made by sn_ldl.analyze holds now. */
const sn_ldl_data *sn_ldl_of(const void *solver);

#endif
