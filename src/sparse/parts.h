/* parts.h - the native factorization, connected component by connected component.
 *
 * A matrix of many bodies that no joint ties together falls into parts. Each part can be solved with on its own, on any
 * thread; and of its inverse Z = A^-1 the blocks on the pattern of L can be had for about the price of the
 * factorization: the groups of one element, or of one joint and its bodies, are always among them.
 */
#ifndef SN_PARTS_H
#define SN_PARTS_H

#include "sparse/linsolve.h"

typedef struct sn_parts {
  const struct sn_ldl_data *ldl;
  int count;               /* parts */
  int *first, *last;       /* [count] positions first .. last - 1 of the elimination order */
  int *of_group;           /* [groups] part of a group */
  int *position;           /* [groups] in the elimination order */
  int *coordinates;        /* [count] groups of coordinates in the part */
  double *Z, *pivot;       /* blocks of the inverse, stored like L and D */
  double *work;            /* [rows] */
  double *even_L, *even_D; /* factors of even parts */
  int *even_first;         /* [groups + 1] vectors before a position, were all groups even */
  bool *chain;             /* [count] even, of nodes of two vectors that touch one later node each: a cable */
  sn_arena arena;
} sn_parts;

/* Of a solver made by sn_ldl.analyze. The parts follow from the pattern, but a factorization may change the order: call
 * sn_parts_update after each. False: the order is another one now, and the parts have been found anew. */
void sn_parts_create(sn_parts *parts, const void *solver);
bool sn_parts_update(sn_parts *parts, const void *solver);
void sn_parts_free(sn_parts *parts);

/* x := A^-1 x on the rows of one part; the other rows are left alone. Different parts may run at the same time. */
void sn_part_solve(const sn_parts *parts, int part, double *x);
/* x := 0 on the rows of one part. */
void sn_part_zero(const sn_parts *parts, int part, double *x);
/* The blocks of the inverse on the pattern of L. */
void sn_part_invert(const sn_parts *parts, int part);
/* Z_ij as size_i x size_j numbers: its value (r, c) is at [r * *down + c * *right]. NULL: not on the pattern. */
const double *sn_part_inverse(const sn_parts *parts, int group_i, int group_j, int *down, int *right);
/* A small part: one group of up to eight coordinates, n, and what constrains it alone. W = T Z T' with Z, n x n, of its
 * coordinates; T (six rows, n columns) and W by columns of eight. */
bool sn_part_is_small(const sn_parts *parts, int part);
void sn_part_congruent(const sn_parts *parts, int part, const double *T, double W[6][8]);

/* Even parts, A = a x I3 (parts_even.c). True: the part is one, as now factorized, and can be solved with as one. */
bool sn_part_reduce(const sn_parts *parts, int part);
/* As above for x of four numbers a vector, which stand in the order of elimination and belong to this part alone. */
void sn_part_even_solve(const sn_parts *parts, int part, double *x);
/* Asks for the factors of a chain that is solved with soon. */
void sn_part_even_fetch(const sn_parts *parts, int part);
int sn_part_even_vectors(const sn_parts *parts, int part);
/* Where in x the vector at a coordinate of a group begins. */
int sn_part_even_place(const sn_parts *parts, int group, int coordinate);

#endif
