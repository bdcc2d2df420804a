/* equations.h - private to src/system: the inner part of a system, and how its batches are run through. */
#ifndef SN_EQUATIONS_H
#define SN_EQUATIONS_H

#include "system/phases.h"
#include "system/system.h"
#include "system/tree.h"

typedef struct sn_equations {
  sn_matrix *matrix;
  const sn_batch *batch; /* the model's, with slots of this matrix */
  sn_arena matrix_arena; /* of these two */
  const sn_linsolve_ops *solver_ops;
  void *solver;
  bool owns_contacts, owns_threads;
  int couplings, coupling_capacity;       /* pairs of groups that contacts couple in the matrix */
  int *coupling;                          /* [2 couplings] sorted */
  long covered;                           /* version of the candidates the matrix is known to provide for */
  long revision;                          /* changes with the pattern of the matrix */
  sn_power *powers;                       /* [chunks of the largest batch] */
  bool mass_kept;                         /* [M G'; G 0] is constant, and the matrix and its factors are this one ... */
  double mass_regularization;             /* ... with this regularization */
  bool mass_exact;                        /* its solutions are exact to rounding: refining them changes nothing */
  sn_tree *tree;                          /* the model is a tree of rigid bodies (tree.h); NULL: it is not, or a twin */
  bool tree_factored;                     /* the factors at hand are those of the tree, and no matrix is assembled */
  double *tree_force;                     /* [n] of what is not a rigid body; NULL: there is none */
  bool kick;                              /* under way */
  bool set_valued;                        /* see sn_eval */
  double *kick_q;                         /* [n] where forces, D and K of a kick are taken; NULL: where M and G are */
  double kick_h;                          /* length of its step */
  double kick_c;                          /* dampers of a kick push with v + kick_c dv */
  double load;                            /* factor of gravity and prescribed forces; 1 except in statics */
  double gravity[3];                      /* load times the model's; in use when load is not 1 */
  const double *inputs, *discrete, *hold; /* see sn_eval */
  struct sn_host *host;                   /* see sn_eval */
  double *work;                           /* [n + m] */
  double *refine;                         /* [3 (n + m)] for sn_system_solve_refined, and others that do not solve */
  double *reactions;                /* [m] for sn_system_accelerations of models with friction in joints; else NULL */
  sn_phase_watch *watch, own_watch; /* the one in use: that of the system whose twin this is */
} sn_equations;

/* Matrix, slots and analysis for the couplings and the solver in force. False: it cannot be analyzed; the context says
 * so, and the system has no solver. */
bool sn_system_make_matrix(sn_system *system);

/* ---- trees of rigid bodies (stage.c) ---- */

/* Factorize [M G'; G 0] along the tree. False: the model is no tree, or it cannot be done here. */
bool sn_system_factor_tree(sn_system *system, const sn_state *state);

/* ---- running over batches (evaluate.c) ---- */

/* A function on ranges with one result; the two signatures in use. */
typedef struct sn_job {
  const sn_batch *batch;
  const sn_eval *eval;
  void (*into_vector)(const sn_batch *, sn_range, const sn_eval *, double *);
  double *vector;
  sn_matrix *matrix;
  const int *chunk;
} sn_job;
void sn_run_batch(sn_system *system, sn_job *job);

sn_eval sn_system_eval(const sn_system *system, const sn_state *state);
/* r[n] of all batches and of contacts. */
void sn_system_evaluate(sn_system *system, const sn_eval *eval, double *r);

#endif
