/* block_implicit.h - shared by the files of the block implicit integrators. Private.
 *
 * A block of length h with points t0 + c_i h (tableau.h) at index 3; A below is the tableau's matrix:
 *
 *     V_i = v0 + h (b_i a0 + sum A_ij a_j),   Q_i = q0 + h (b_i v0 + sum A_ij V_j)
 *     M(Q_i) a_i + G(Q_i)'l_i = Q(t_i, Q_i, V_i),   Phi(Q_i, t_i) = 0
 *
 * Unknowns are the accelerations and multipliers at the points. With A = T diag(1/lambda) T^-1, mu = lambda/h, hats for
 * T^-1 times the values at the points, and M, D, K, G taken at one point, simplified Newton solves for each shift
 *
 *     [M + D/mu + K/mu^2, G'; G, 0] (da^, dl^) = -(r^, mu^2 Phi^)
 *
 * (nonholonomic rows: Psi in place of Phi, mu in place of mu^2), which has the size of one point, and stays regular as h -> 0.
 */
#ifndef SN_BLOCK_IMPLICIT_H
#define SN_BLOCK_IMPLICIT_H

#include "integrator/integrator.h"
#include "integrator/newton.h"
#include "integrator/step.h"
#include "integrator/tableau.h"
#include "sparse/shifted.h"

/* Values at the points of a block: [stage][n], [stage][m]. */
typedef struct sn_block_points {
  double *q, *v, *a, *l;
} sn_block_points;

typedef struct sn_block {
  sn_system *system;
  sn_system *twin; /* assembles M, D, K with both triangles */
  sn_shifted *shifted;
  long revision; /* of the pattern it was made for */
  int orders;    /* tableaux, ascending */
  sn_tableau *tableau;
  int use;       /* the one in use */
  int order;     /* asked for: 0 chosen on the run, 1 the lowest, ... */
  bool variable; /* the order is chosen on the run */
  bool fixed;
  bool project;     /* velocities at the end of a block */
  double tolerance; /* the user's, its relative part */
  sn_integrator_spec settings;
  double h;        /* of the current block */
  double matrix_h; /* the kept matrices belong to, */
  int matrix_use;  /* and their tableau */
  sn_newton newton;
  sn_step_control control;
  const sn_state *from;   /* start of the block */
  double to;              /* time of its end */
  sn_block_points now;    /* iterate; after a step its solution */
  sn_block_points before; /* solution of the block before */
  double before_h;        /* 0: there is none */
  int before_use;
  int predict;       /* points of it the start values are extrapolated from */
  double *r;         /* [4][SN_STAGES][n + m] residuals, corrections; defects and errors */
  double *work;      /* [4][n + m] */
  double complex *x; /* [2 (n + m)] */
  double *rate;      /* [n + m] errors of the velocities */
  double *product;   /* [n + m] a matrix times them */
  /* [n] tolerance/allowed, for positions and velocities, of the largest |q| and |v| so far: 1/Y, 1/V */
  double *weight, *rate_weight;
  double *newton_weight; /* [n] of velocities, in Newton's norm ... */
  double least;          /* ... which rounding lets it bring down to this */
  double most_h;         /* longest step Newton is trusted with; infinite until it fails */
  bool rejected;         /* the last attempt was */
  int since;             /* steps since the order changed */
  double lower;          /* gam: how much larger the error of the next lower order would be */
  /* radau: time gained per cost with each order when it was last measured, since when, and steps to hold back higher
   * ones */
  double efficiency[4], mark_time, mark_cost;
  int hold;
} sn_block;

static inline const sn_tableau *sn_block_tableau(const sn_block *w) {
  return &w->tableau[w->use];
}
/* Largest |lambda| of the tableau in use. */
static inline double sn_block_fastest_shift(const sn_block *w) {
  const sn_tableau *t = sn_block_tableau(w);
  double fastest = 0;
  for (int k = 0; k < t->shifts; k++) fastest = fmax(fastest, cabs(t->lambda[k]));
  return fastest;
}
/* Root mean square of the weighted x over the coordinates. */
double sn_block_norm(const sn_block *w, const double *weight, const double *x);

/* ---- block_newton.c ---- */

extern const sn_newton_ops sn_block_newton;
/* a and l at the points as predicted, with the velocities and positions that belong to them. */
void sn_block_reset(void *block);
/* One iteration; worst[n + m] takes the correction of the last point. Returns the norm of all corrections. */
double sn_block_iterate(void *block, double *worst);
/* Linear systems for the pattern the twin has now; false: the context says why. */
bool sn_block_make_shifted(sn_block *w);
/* newton_weight and least for the step under way. */
void sn_block_weigh_rates(sn_block *w);
/* After a block: how many points of it the next prediction uses. */
void sn_block_judge_prediction(sn_block *w);

/* ---- block_estimate.c ---- */

/* Local error of the block just solved, relative to what is allowed. */
double sn_block_error(sn_block *w);
/* Exponent of h in that error. */
double sn_block_error_order(const sn_tableau *tableau);
/* After an accepted block: the order of the next, and its length when that must change with it. */
void sn_block_choose_order(sn_block *w, double error);
/* After a failure: a lower order where there is one. */
void sn_block_lower_order(sn_block *w);

#endif
