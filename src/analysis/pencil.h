/* pencil.h - the symmetric pencil of small motions about a state at rest,
 *
 *     K u = w2 M u  on  G u = 0,      K = d(-Q + G'l)/dq, its symmetric part
 *
 * as the matrix A(s) = [K - s M, G'; G, 0]. By Sylvester's law A(s) has m negative eigenvalues more than there are w2 <
 * s: a factorization counts them. Velocities are taken as zero: nothing of rotating frames is in K.
 */
#ifndef SN_PENCIL_H
#define SN_PENCIL_H

#include "analysis/simulation.h"

/* The simulation's system for it, with the load factor and the regularization now in force. NULL after a failure. */
sn_system *sn_pencil(sn_simulation *simulation);

/* Largest |K_ii|/M_ii: the size of w2 that rounding must be compared with; at least 1e-6 1/s2. */
double sn_pencil_scale(sn_system *pencil, const sn_state *state);
/* Number of w2 < shift; -1: the factorization failed. */
int sn_pencil_below(sn_system *pencil, const sn_state *state, double shift);
/* y = M x, both [n] */
void sn_pencil_mass(sn_system *pencil, const sn_state *state, const double *x, double *y);

/* Directions in which nothing holds the parts: w2 = 0 up to rounding. */
typedef struct sn_freedom {
  int count;          /* of them; -1: could not be counted */
  double pull;        /* largest work of the loads along one of them, relative to the largest force times the motion */
  const char *bodies; /* those that move: "'crank', 'rod' and 3 more"; memory of the pencil */
} sn_freedom;
sn_freedom sn_find_freedom(sn_system *pencil, const sn_state *state);

#endif
