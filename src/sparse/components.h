/* components.h - the native factorization, one connected component of the matrix after the other.
 *
 * A matrix of many bodies that no joint ties together falls into components. Each component can be solved with on its
 * own, on any thread; and of its inverse Z = A^-1 the blocks on the pattern of L can be had for about the price of the
 * factorization: the groups of one element, or of one joint and its bodies, are always among them.
 */
#ifndef SN_COMPONENTS_H
#define SN_COMPONENTS_H

#include "sparse/linsolve.h"

typedef struct sn_components {
  const struct sn_ldl_data *ldl;
  int count;               /* components */
  int *first, *last;       /* [count] positions first .. last - 1 of the elimination order */
  int *of_group;           /* [groups] component of a group */
  int *position;           /* [groups] in the elimination order */
  int *coordinates;        /* [count] groups of coordinates in the component */
  double *Z, *pivot;       /* blocks of the inverse, stored like L and D */
  double *work;            /* [rows] */
  double *even_L, *even_D; /* factors of even components */
  int *even_first;         /* [groups + 1] vectors before a position, were all groups even */
  bool *chain;             /* [count] even, of nodes of two vectors that touch one later node each: a cable */
  sn_arena arena;
} sn_components;

/* Of a solver made by sn_ldl.analyze. The components follow from the pattern, but a factorization may change the order:
 * call sn_components_update after each. False: the order is another one now, and the components have been found anew.
 */
void sn_components_create(sn_components *components, const void *solver);
bool sn_components_update(sn_components *components, const void *solver);
void sn_components_free(sn_components *components);

/* x := A^-1 x on the rows of one component; the other rows are left alone. Different components may run at the same
 * time. */
void sn_component_solve(const sn_components *components, int component, double *x);
/* x := 0 on the rows of one component. */
void sn_component_zero(const sn_components *components, int component, double *x);
/* The blocks of the inverse on the pattern of L. */
void sn_component_invert(const sn_components *components, int component);
/* Z_ij as size_i x size_j numbers: its value (r, c) is at [r * *down + c * *right]. NULL: not on the pattern. */
const double *sn_component_inverse(const sn_components *components, int group_i, int group_j, int *down, int *right);
/* A small component: one group of up to eight coordinates, n, and what constrains it alone. W = T Z T' with Z, n x n,
 * of its coordinates; T (six rows, n columns) and W by columns of eight. */
bool sn_component_is_small(const sn_components *components, int component);
void sn_component_congruent(const sn_components *components, int component, const double *T, double W[6][8]);

/* Even components, A = a x I3 (components_even.c). True: the component is one, as now factorized, and can be solved
 * with as one. */
bool sn_component_reduce(const sn_components *components, int component);
/* As above for x of four numbers a vector, which stand in the order of elimination and belong to this component alone.
 */
void sn_component_even_solve(const sn_components *components, int component, double *x);
/* The same for two components, which is faster where they are alike. */
void sn_component_even_solve_two(const sn_components *components, const int component[2], double *const x[2]);
/* Asks for the factors of a chain that is solved with soon. */
void sn_component_even_fetch(const sn_components *components, int component);
int sn_component_even_vectors(const sn_components *components, int component);
/* Where in x the vector at a coordinate of a group begins. */
int sn_component_even_place(const sn_components *components, int group, int coordinate);

#endif
