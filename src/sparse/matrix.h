/* matrix.h - the block-sparse matrix of the iteration equations.
 *
 * Unknowns come in groups: the coordinates of one node or rigid body, the multipliers of one joint. The
 * matrix is made of dense column-major blocks, one for each pair of coupled groups; its pattern is fixed at compile.
 * Only blocks (i, j) with i >= j are always stored; with `unsymmetric` the mirror block (j, i) is stored too.
 * Without it the matrix stands for the symmetric part of what is added.
 */
#ifndef SN_MATRIX_H
#define SN_MATRIX_H

#include "base/base.h"

typedef struct sn_pattern sn_pattern; /* being built */

typedef struct sn_matrix {
  int groups;             /* number of groups */
  int rows;               /* number of scalar rows */
  const int *size;        /* [groups] scalar rows in a group */
  const int *first;       /* [groups + 1] first scalar row of a group */
  const int *column;      /* [groups + 1] first block of block column j, lower triangle */
  const int *row;         /* [column[groups]] block row i >= j of each block, ascending, diagonal first */
  const size_t *lower;    /* [column[groups]] where the values of block (i, j) start; size[i] x size[j] */
  const size_t *upper;    /* the mirror block (j, i), size[j] x size[i]; NULL when symmetric; diagonal: == lower */
  double *value;          /* all blocks */
  size_t values;          /* number of values */
  const bool *constraint; /* [groups] is this group one of multipliers? */
  bool positive;          /* of what is added, add the positive semidefinite part: see sn_positive_part */
} sn_matrix;

/* Build: declare groups in order, couple pairs of groups, freeze. The diagonal is always there. */
sn_pattern *sn_pattern_create(void);
int sn_pattern_group(sn_pattern *pattern, int size, bool constraint); /* returns its number */
void sn_pattern_couple(sn_pattern *pattern, int group_i, int group_j);
/* All memory from the arena; values zero. Frees the pattern. */
sn_matrix *sn_pattern_freeze(sn_pattern *pattern, sn_arena *arena, bool unsymmetric);

/* Values of its own, zero, for the same pattern, which belongs to the other matrix. */
sn_matrix *sn_matrix_like(const sn_matrix *matrix, sn_arena *arena);

/* Index of block (i, j) in row[]/lower[]; i >= j is arranged by the caller. The block must exist. */
int sn_matrix_find(const sn_matrix *matrix, int i, int j);
void sn_matrix_zero(sn_matrix *matrix);

/* The same for groups in any order. */
int sn_matrix_slot(const sn_matrix *matrix, int group_i, int group_j);
/* slots[k (k+1)/2 + c] for c <= k: index of the block coupling groups[k] and groups[c], for sn_matrix_add. Repeated
 * groups are allowed. */
void sn_matrix_slots(const sn_matrix *matrix, int count, const int *groups, int *slots);
/* A += T for the dense local matrix T (column major, leading dimension `stride`) over the given groups. Blocks with a
 * slot below 0 are zero: the matrix need not have them. */
void sn_matrix_add(sn_matrix *matrix, int count, const int *groups, const int *slots, const double *T, int stride);

/* The symmetric part of T (n x n, column major, leading dimension `stride`) without its negative eigenvalues: T itself
 * where there are none, or in room[n n]. */
enum { SN_POSITIVE_SIZE = 64 }; /* n at most; larger T are left as they are */
const double *sn_positive_part(int n, const double *T, int *stride, double *room);

/* y = A x (symmetric storage: the mirror blocks are implied). */
void sn_matrix_multiply(const sn_matrix *matrix, const double *x, double *y);

/* Up to rounding, compared with its largest entry; matrices without mirror blocks are. */
bool sn_matrix_is_symmetric(const sn_matrix *matrix);

#endif
