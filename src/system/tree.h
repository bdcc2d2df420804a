/* tree.h - models that are trees of rigid bodies: accelerations and reactions in O(bodies) (sparse/articulated.h).
 *
 * Private to src/system. A model is one if its bodies are rigid ones in space, its joints are made of primitives and of
 * relations between no more than two bodies, and joints that close loops have few equations (tree_loops.c). Forces of
 * any kind may act. The unknowns of a body are those of its motion in global axes,
 *
 *   r'' = u,   p'' = E(p)'w'/2 + s p,   s = (right side of the normalization)/(2 p.p)
 *
 * for Euler parameters p of any length: stages of explicit methods are a little off p.p = 1. As E(p) p = 0, the
 * normalization and its multiplier leave the equations in closed form, and a block is six wide:
 *
 *   inertia  m I3 and A J A',   A = A(p)          force  (Q_r, E(p) Q_p/2)
 *   a probe y = c r + A b:      y' = c r' + w x A b,   so a gradient g has the row (c g, A b x g), and g.2 A b along p
 *
 * A primitive or relation that closes a loop has a slot: numbers bodies, bodies + 1, ... of the arrays of joints, with
 * one of its bodies in place of the child and the other one in place of the parent.
 */
#ifndef SN_TREE_H
#define SN_TREE_H

#include "base/threads.h"
#include "joint/primitive.h"
#include "joint/relation.h"
#include "sparse/articulated.h"

typedef struct sn_tree_body {
  int first;          /* coordinate */
  int unit;           /* multiplier of the normalization */
  int place;          /* of a slot: the body that it is the joint of */
  double m, J[6], J0; /* see body/rigid.h */
} sn_tree_body;

/* A probe of a primitive: y = c r + A b, or b on the ground. */
typedef struct sn_tree_side {
  int body; /* -1: the ground */
  bool on_parent;
  double c, b[3];
} sn_tree_side;

typedef struct sn_tree_item {
  const sn_relation *relation; /* a driver or another relation of the coordinates of one joint; NULL: a primitive */
  sn_primitive_type type;
  int row; /* in the tree */
  int sides;
  sn_tree_side side[SN_PRIMITIVE_PROBES];
  double c;
  const sn_expr *f;
} sn_tree_item;

/* Of a body at a state. */
typedef struct sn_tree_motion {
  double p[4], pp;      /* Euler parameters; p.p */
  double A[9], rate[9]; /* A(p); its derivative in time */
  double bend[9];       /* 2 A(p'): y'' with a = 0 is bend b */
  double along;         /* right side along p: p.Q_p */
  double s;             /* see above */
} sn_tree_motion;

/* Bodies of one mechanism in which joints close loops; see tree_loops.c. With k equations of those joints: */
typedef struct sn_tree_loop {
  int first, last; /* bodies */
  int slot, end;   /* slots */
  int rows;        /* k */
  int rank;        /* of W: equations that do not repeat others */
  int *pivot;      /* [k] their order: equations that repeat others are the last ones */
  double *W;       /* [k k] its Cholesky factor, in this order */
  double *whole;   /* [k] diagonal of W if bodies had no joints, about */
  double *room;    /* scratch */
  double *f;       /* [bodies 6 SN_TWIST] scratch */
  double *u, *l;   /* u_j, l_j: for each SN_TWIST of them [bodies 6 SN_TWIST] and [rows of the bodies, SN_TWIST] */
  double *null;    /* [k - rank][rows of the bodies, k, bodies] multipliers that balance each other, orthonormal */
  int *index;      /* [of one of them] multiplier of the model */
} sn_tree_loop;

typedef struct sn_tree {
  sn_articulated w;         /* with slots: parent, row, Z, V, c, l */
  const sn_tree_body *body; /* [bodies and slots] */
  const sn_tree_item *item;
  const int *item_first;      /* [bodies and slots + 1] */
  const int *multiplier;      /* [rows] */
  double *gradient;           /* [n] scratch */
  double *own_pull, *up_pull; /* [rows] derivative of a row along p of the body, and of its parent */
  sn_tree_motion *motion;     /* [bodies and slots] */
  const double *weight;       /* [m] of squares in the norm of multipliers; given with the factors */
  int parts, loops;
  const int *part;      /* [parts + 1] bodies: whole mechanisms that one thread does */
  const int *part_loop; /* [parts + 1] those with loops among them */
  sn_tree_loop *loop;
  int *broken;             /* [parts] where the factorization failed, -1: nowhere */
  const bool *other_force; /* [batches of the model] forces: those that are evaluated for themselves */
  bool others;             /* there are such */
} sn_tree;

/* NULL: the model is none. */
sn_tree *sn_tree_find(const sn_model *model, sn_arena *arena);

/* Factorize at (t, q, v); the right-hand side taken along is that of forces, -r (NULL: of rigid bodies alone), and of
 * gamma - 2 alpha Phi' - beta^2 Phi. False: it cannot be done without pivoting, or equations that close loops repeat
 * others though none are `redundant`. */
bool sn_tree_factor(sn_tree *tree, sn_threads *threads, const sn_eval *eval, double alpha, double beta, const double *r,
                    bool redundant);
/* a[n], l[m] for the right-hand side that was taken along. */
void sn_tree_accelerations(sn_tree *tree, sn_threads *threads, double *a, double *l);
/* x[n + m] := [M G'; G 0]^-1 x */
void sn_tree_solve(sn_tree *tree, sn_threads *threads, int n, double *x);

/* ---- bodies, or slots, first .. last - 1 (tree_motion.c) ---- */
void sn_tree_move(const sn_tree *tree, const sn_eval *eval, double alpha, double beta, const double *r, int first,
                  int last);
/* The equations of joints after it, with their right-hand sides. */
void sn_tree_join(const sn_tree *tree, const sn_eval *eval, double alpha, double beta, int first, int last);
/* A right-hand side of the user's instead: x[n + m], of bodies, then of their joints or of slots. */
void sn_tree_take(const sn_tree *tree, int n, const double *x, int first, int last);
void sn_tree_take_rows(const sn_tree *tree, int n, const double *x, int first, int last);
/* The solution: a[n]; l[m] of joints and what they leave to those of normalizations, which follow at last. */
void sn_tree_give(const sn_tree *tree, double *a, double *l, int first, int last);
void sn_tree_give_rows(const sn_tree *tree, double *l, int first, int last);
void sn_tree_give_units(const sn_tree *tree, double *l, int first, int last);

/* ---- loops (tree_loops.c) ---- */
void sn_tree_take_loop(const sn_tree *tree, sn_tree_loop *loop, sn_arena *arena);
/* After the rows of its slots, before the factors of its bodies: sizes, by which equations that repeat others are found. */
void sn_tree_measure_loop(const sn_tree *tree, const sn_tree_loop *loop);
/* After the factors. */
bool sn_tree_factor_loop(const sn_tree *tree, sn_tree_loop *loop, bool redundant);
/* The tree's u and l become those of the closed mechanism. */
void sn_tree_close_loop(const sn_tree *tree, const sn_tree_loop *loop);
/* Multipliers of least norm, the `weight` of the tree. */
void sn_tree_balance_loop(const sn_tree *tree, const sn_tree_loop *loop, double *l);

#endif
