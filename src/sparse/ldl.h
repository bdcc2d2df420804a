/* ldl.h - the block LDL' factorization (ldl_factor.c), shared by the solver (ldl.c) and the rank test (ldl_rank.c). Private.
 *
 * Block columns are numbered by their position in the elimination order; `order` leads back to the groups. */
#ifndef SN_LDL_H
#define SN_LDL_H

#include "base/threads.h"
#include "sparse/matrix.h"

/* Positions first .. last - 1 of the elimination order: whole trees of the elimination forest, or one subtree. Parts are
 * eliminated and solved with at the same time. What a subtree contributes to the positions behind it, its boundary, is
 * collected in the part and added by one thread, part after part. */
typedef struct sn_ldl_part {
  int first, last;
  int boundary;      /* block rows behind `last` that its columns have: those of its root; 0 for whole trees */
  const int *row;    /* [boundary] their positions, ascending */
  int *place;        /* [boundary + 1] scalar rows before each of them */
  double *U;         /* contribution to the matrix: lower triangle, columns of blocks one after the other */
  double *y;         /* [place[boundary]] contribution to right-hand sides */
  double *reach;     /* [boundary] largest sum of magnitudes so far in a block of a row of the boundary */
  double *panel;     /* as in sn_ldl_data, for its columns */
  size_t panel_half; /* values in one of the two halves of `panel` */
  double *small;
  size_t fill, fill_end;         /* its blocks in sn_ldl_data.fill */
  size_t far, far_next, far_end; /* room in L for its fill with the boundary: given out where it is reached */
  int *given;                    /* [givens] its columns that have blocks of the matrix with the boundary */
  int givens;
  int live;   /* blocks with the boundary that have not vanished, in the last factorization */
  bool full;  /* there was no room for them, and it ended there */
  int broken; /* position where the factorization failed, -1: nowhere */
} sn_ldl_part;

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
  bool tree;         /* that of a tree (ldl_tree.c) */
  int *parent;       /* elimination tree, -1 at a root; postordered */
  int *youngest;     /* smallest position in the subtree: the subtree of j is youngest[j] .. j */
  sn_ldl_part *part; /* work for threads (ldl_parts.c): it follows from the pattern alone */
  int parts;
  bool cut; /* groups that separate others come last: the order has more fill than it needs */
  int *top; /* [tops] positions that belong to no part: eliminated after all of them, ascending */
  int tops;

  /* ---- structure of L below the diagonal ---- */
  size_t *column; /* [groups + 1] first block of a column */
  size_t *live;   /* [groups] end of the blocks of a column that are not negligible: see ldl_factor.c */
  int *row;       /* [blocks] position of the block row, ascending in a column */
  size_t *at; /* [blocks + 1] its values in L; size[i] x size[j], column major, in the order they are visited; fill with
                   * the boundary of a part has none but in columns that are `reached` */
  size_t *place; /* [blocks + 1] the same without gaps within a column: `at` itself, unless parts have boundaries */
  size_t *pivot; /* [groups] values of the diagonal block in D */

  /* ---- where the blocks of the matrix go ---- */
  size_t *target;  /* [blocks of the matrix] into D for a diagonal block, otherwise into L */
  bool *transpose; /* [blocks of the matrix] the order turned the block over */
  size_t *fill;    /* [fills] blocks of L that start from zero: part by part, then from top_fill on those of the top */
  size_t fills, top_fill;
  size_t near;   /* values of L before the fill with boundaries, which is not in this list */
  bool *reached; /* [groups] the column has numbers with the boundary of its part */

  /* ---- numbers ---- */
  double *L;          /* L_ij = A_ij D_j^-1 */
  double *D;          /* D_j while being eliminated, then D_j^-1 */
  size_t values;      /* in L */
  double factor_cost; /* multiplications of a factorization over those of a solution */
  double *scale;      /* [rows] largest magnitude the diagonal entry of a row ever had; numbering of the matrix */
  double *given; /* [rows] magnitude of the diagonal entries of the matrix, for orders of trees; NULL: another one */
  double *panel; /* the scaled blocks of one column, twice: see ldl_factor.c */
  size_t panel_values;
  double *small; /* room for three dense blocks of the largest size, and one row */
  double *work;  /* [rows] for solutions */

  /* ---- rigid bodies with their joints, for solutions alone: ldl_links.c; NULL: there are none ---- */
  const double **link; /* [groups] values of the link that begins at a position; NULL: none does */
  size_t *link_place;  /* [groups + 1] where in link_values they are, if there is room for them */
  double *link_values;
} sn_ldl_data;

/* What threads share: nothing; trees and subtrees; also pieces of chains, which changes the order of large matrices. */
typedef enum sn_ldl_sharing { SN_LDL_WHOLE, SN_LDL_TREES, SN_LDL_PIECES } sn_ldl_sharing;
/* Which constraints may be eliminated early: those of trees and of hubs; of hubs; none. */
typedef enum sn_ldl_caution { SN_LDL_BOLD, SN_LDL_HUBS, SN_LDL_SAFE } sn_ldl_caution;
/* Order, structure and all memory; NULL when the ordering fails. */
sn_ldl_data *sn_ldl_analyze(const sn_matrix *matrix, sn_ldl_caution caution, sn_ldl_sharing sharing);
void sn_ldl_free(sn_ldl_data *f);
/* Copy the values of the matrix into L and D, set the fill to zero and `scale` to the diagonal. */
void sn_ldl_load(sn_ldl_data *f, const sn_matrix *matrix);
/* Replace D_j by its inverse and the blocks of column j by L_ij; leave X and Y, stacked like the column, such that the
 * update is A_ik -= X_i Y_k'. False when D_j is singular, or that of an early group badly conditioned. */
bool sn_ldl_eliminate(sn_ldl_data *f, int j, const double **X, const double **Y);
/* A_ik -= X_i Y_k' for all rows i >= k of column j. */
void sn_ldl_update(sn_ldl_data *f, int j, const double *X, const double *Y);
/* All of it: load, then eliminate and update column by column, part by part. False: *group is where it broke. The bits
 * do not depend on the number of threads; NULL: one. */
bool sn_ldl_factorize(sn_ldl_data *f, const sn_matrix *matrix, sn_threads *threads, int *group);
/* Has the fill between pieces and their boundaries vanished, but for a small part, as far as they were eliminated? */
bool sn_ldl_cuts_pay(const sn_ldl_data *f);
/* b := A^-1 b, likewise. */
void sn_ldl_solve(const sn_ldl_data *f, sn_threads *threads, double *b);
/* b := A^-1 b on the rows of positions first .. last - 1, which must be whole trees of the elimination forest. Each
 * position uses its own rows of work[rows]: ranges may run at the same time. */
void sn_ldl_solve_range(const sn_ldl_data *f, int first, int last, double *b, double *work);
/* ---- parts (ldl_parts.c), from order and structure ---- */
/* Find parts and top. False: a large tree does not divide into subtrees of similar work, and is one part. */
bool sn_ldl_find_parts(sn_ldl_data *f);
/* last[g] for groups which, eliminated after all others, divide large trees. False: no few groups do. */
bool sn_ldl_find_cuts(const sn_ldl_data *f, bool *last);
/* Room for the fill with boundaries behind all other values: most of it may vanish, and is then neither stored nor read
 * past. given: [blocks] of the matrix. */
void sn_ldl_set_apart(sn_ldl_data *f, const bool *given);
/* Memory of the parts, when `place` is known. */
void sn_ldl_make_parts(sn_ldl_data *f);
/* Lists of the blocks of L that are fill: those that are not `given` by the matrix. */
void sn_ldl_list_fill(sn_ldl_data *f, const bool *given);
/* Groups that are eliminated after all others, and the order before it was known which. */
typedef struct sn_ldl_cut {
  const bool *last;  /* [groups] */
  const int *before; /* [groups] */
} sn_ldl_cut;
/* order[p] = group at position p, by minimum degree; early[g] by group; safe: none is. cut: NULL for none; work: [4 groups].
 * False: it fails. */
bool sn_ldl_find_order(const sn_matrix *matrix, bool safe, const sn_ldl_cut *cut, int *order, bool *early, int *work);
/* The order of a mechanism that is a tree (ldl_tree.c), and which groups [groups] come early. False: it is none, and
 * nothing is changed. */
bool sn_ldl_tree_order(const sn_matrix *matrix, int *order, bool *early);
/* ---- links (ldl_links.c) ---- */
/* Memory, when order and structure are known. */
void sn_ldl_make_links(sn_ldl_data *f);
/* Of the factorized positions first .. last - 1. */
void sn_ldl_find_links(sn_ldl_data *f, int first, int last);
/* Solve with the links that begin at position j, or end there; the first position that belongs to none of them. */
int sn_ldl_forward_links(const sn_ldl_data *f, int j, int last, double *b);
int sn_ldl_backward_links(const sn_ldl_data *f, int first, int j, double *b);
void *sn_ldl_take(sn_ldl_data *f, size_t count, size_t size); /* zeroed, counted in `bytes` */
#define SN_LDL_TAKE(f, type, count) ((type *)sn_ldl_take((f), (size_t)(count), sizeof(type)))

/* What a solver made by sn_ldl.analyze holds now. */
const sn_ldl_data *sn_ldl_of(const void *solver);

#endif
