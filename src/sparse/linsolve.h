/* linsolve.h - linear solvers behind one table: analyze once, refactor often. */
#ifndef SN_LINSOLVE_H
#define SN_LINSOLVE_H

#include "base/threads.h"
#include "sparse/matrix.h"

typedef struct sn_linsolve_ops {
  const char *name, *summary;
  /* What it can do: */
  bool unsymmetric; /* reads the mirror blocks too */
  bool pivots;      /* chooses its pivots: indefinite matrices are solved with as exactly as definite ones */
  bool inverses;    /* gives blocks of the inverse of connected components (components.h) */
  /* Symbolic work; NULL when it fails. The matrix must outlive the solver. */
  void *(*analyze)(const sn_matrix *matrix);
  /* Factorize the values now in the matrix. False: numerically singular; *group is the group where it broke. */
  bool (*factor)(void *self, const sn_matrix *matrix, int *group);
  /* b := A^-1 b with the last factorization; no allocation. */
  void (*solve)(void *self, double *b);
  /* The same two to the bit, on all threads: subtrees of the elimination at the same time. NULL: it cannot. */
  bool (*factor_shared)(void *self, const sn_matrix *matrix, sn_threads *threads, int *group);
  void (*solve_shared)(const void *self, sn_threads *threads, double *b);
  /* Number of negative eigenvalues of the last factorized matrix; NULL: not available. May allocate. */
  int (*negative)(const void *self);
  double (*factor_cost)(
      const void *self);             /* multiplications of a factorization over those of a solution; may be NULL */
  size_t (*bytes)(const void *self); /* memory held */
  void (*free)(void *self);
} sn_linsolve_ops;

extern const sn_linsolve_ops sn_ldl; /* native block LDL', symmetric */
extern const sn_linsolve_ops sn_klu; /* SuiteSparse KLU, unsymmetric */

/* ---- rank of the constraints, by the native factorization ----
 * With A = [W G'; G 0], W positive definite, a multiplier block whose pivot vanishes repeats earlier equations. */
typedef struct sn_dependency {
  int group;          /* the constraint group that has a redundant equation */
  int count;          /* how many of its equations are redundant */
  int member_count;   /* constraint groups that together already say the same */
  const int *members; /* [member_count], in the arena, most involved first, without `group` itself */
} sn_dependency;

#define SN_REDUNDANT 1e-9 /* relative pivot of a redundant constraint: the square of an angle */
/* Factorize the matrix, collect the dependencies: of constraints with relative pivots below that given. Returns their
 * number; -1 - j: the numbers of group j, or what follows from them, are not finite. */
int sn_ldl_rank(const sn_matrix *matrix, double below, sn_arena *arena, sn_dependency **dependencies);

#endif
