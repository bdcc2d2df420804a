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

typedef struct sn_pencil {
  sn_system *system; /* its own: symmetric, ldl */
  sn_matrix *mass;   /* [M G'; G 0] at the state */
  sn_matrix *stiff;  /* [K G'; G 0] */
  sn_matrix *stress; /* buckling: derivative of K with respect to the loads, */
  double shift;      /* and what M is in `stiff` with */
  long revision;     /* of the pattern they have */
  sn_state at;       /* the state without velocity; q and l are the caller's */
  double scale;      /* largest |K_ii|/M_ii: what rounding of w2 must be compared with; at least 1 1/s2 */
  double zero;       /* |w2| below may be zero up to rounding: see sn_pencil_is_rigid */
  double *work;      /* [2 (n + m)] */
  double *right;     /* [n + m] */
} sn_pencil;

/* The simulation's pencil about a state, with the load factor and the regularization now in force. NULL after a
 * failure. */
sn_pencil *sn_pencil_at(sn_simulation *simulation, const sn_state *state);
void sn_pencil_free(sn_pencil *pencil);

/* Factorize A(shift) for sn_system_solve; false: singular. */
bool sn_pencil_factor(sn_pencil *pencil, double shift);
/* Number of w2 < shift; -1: the factorization failed. */
int sn_pencil_below(sn_pencil *pencil, double shift);
/* Number of w2 < 0; -1: the factorization failed. Where w2 is zero up to rounding its mode is looked at: those of slender
 * parts are small beside the stiffest ones, and no rounding. */
int sn_pencil_unstable(sn_pencil *pencil);
/* y = M x, both [n] */
void sn_pencil_mass(sn_pencil *pencil, const double *x, double *y);

/* Is u'K u nothing but rounding of the terms it is the sum of? On fine meshes the lowest w2 are 1e-14 of the scale
 * without being zero; this function distinguishes them. */
bool sn_pencil_is_rigid(sn_pencil *pencil, double w2, const double *u);
/* The first of the two alone, of modes that rounding of the scale does not reach (sn_pencil_sharpen). */
bool sn_pencil_cancels(const sn_pencil *pencil, const double *u);

/* What rounding makes of w2 = 0 [1/s2]. */
double sn_pencil_noise(const sn_pencil *pencil);
/* Are there w2 just above that noise, so that those within it need not be zero? */
bool sn_pencil_is_dense(sn_pencil *pencil);

/* Directions in which nothing holds the parts: w2 = 0 up to rounding. */
typedef struct sn_freedom {
  int count;          /* of them, at most 40; -1: could not be found */
  double pull;        /* largest work of the loads along one of them, relative to the largest force times the motion */
  const char *bodies; /* those that move: "'crank', 'rod' and 3 more"; memory of the pencil */
} sn_freedom;
sn_freedom sn_find_freedom(sn_pencil *pencil);
/* The same about a state whose reactions hold it, for the whole loads, with a note; an error if loads act along one of
 * them. The load factor of the system is 1 afterwards. */
sn_status sn_check_supports(sn_simulation *simulation, const sn_state *state, int *free);

/* "'crank', 'rod' and 3 more": the bodies that take part in a motion [n]. */
const char *sn_name_bodies(const sn_model *model, sn_arena *arena, const double *motion);

#endif
