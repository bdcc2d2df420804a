/* tree.h - models that are trees of rigid bodies: accelerations and reactions in O(bodies) (sparse/articulated.h).
 *
 * Private to src/system. A model is one if its bodies are rigid ones in space, its joints are made of primitives and of
 * relations between no more than two bodies, and no joints close a loop. Forces of any kind may act. The unknowns of a
 * body are those of its motion in global axes,
 *
 *   r'' = u,   p'' = E(p)'w'/2 + s p,   s = (right side of the normalization)/(2 p.p)
 *
 * for Euler parameters p of any length: stages of explicit methods are a little off p.p = 1. As E(p) p = 0, the
 * normalization and its multiplier leave the equations in closed form, and a block is six wide:
 *
 *   inertia  m I3 and A J A',   A = A(p)          force  (Q_r, E(p) Q_p/2)
 *   a probe y = c r + A b:      y' = c r' + w x A b,   so a gradient g has the row (c g, A b x g), and g.2 A b along p
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

typedef struct sn_tree {
  sn_articulated w;
  const sn_tree_body *body;
  const sn_tree_item *item;
  const int *item_first;      /* [bodies + 1] */
  const int *multiplier;      /* [rows] */
  double *gradient;           /* [n] scratch */
  double *own_pull, *up_pull; /* [rows] derivative of a row along p of the body, and of its parent */
  sn_tree_motion *motion;     /* [bodies] */
  int parts;
  const int *part;         /* [parts + 1] bodies: whole trees that one thread does */
  int *broken;             /* [parts] where the factorization failed, -1: nowhere */
  const bool *other_force; /* [batches of the model] forces: those that are evaluated for themselves */
  bool others;             /* there are such */
} sn_tree;

/* NULL: the model is none. */
sn_tree *sn_tree_find(const sn_model *model, sn_arena *arena);

/* Factorize at (t, q, v); the right-hand side taken along is that of forces, -r (NULL: of rigid bodies alone), and of
 * gamma - 2 alpha Phi' - beta^2 Phi. False: it cannot be done without pivoting. */
bool sn_tree_factor(sn_tree *tree, sn_threads *threads, const sn_eval *eval, double alpha, double beta,
                    const double *r);
/* a[n], l[m] for the right-hand side that was taken along. */
void sn_tree_accelerations(sn_tree *tree, sn_threads *threads, double *a, double *l);
/* x[n + m] := [M G'; G 0]^-1 x */
void sn_tree_solve(sn_tree *tree, sn_threads *threads, int n, double *x);

/* ---- bodies first .. last - 1 (tree_motion.c) ---- */
void sn_tree_move(const sn_tree *tree, const sn_eval *eval, double alpha, double beta, const double *r, int first,
                  int last);
/* The equations of joints after it, with their right-hand sides. */
void sn_tree_join(const sn_tree *tree, const sn_eval *eval, double alpha, double beta, int first, int last);
/* A right-hand side of the user's instead: x[n + m]. */
void sn_tree_take(const sn_tree *tree, int n, const double *x, int first, int last);
/* The solution: a[n], l[m]. */
void sn_tree_give(const sn_tree *tree, double *a, double *l, int first, int last);

#endif
