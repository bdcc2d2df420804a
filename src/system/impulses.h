/* impulses.h - contact by complementarity for an integrator: velocities in, generalized impulses out.
 *
 *     A (v1 - v0) = h Q + D g + G'p,   q1 = q0 + h (v1 + w)           D, gap at q0
 *     C* > D'v1 + b + s n  _|_  g in C                                s: see ccp.h
 *
 * b = max(gap/h, -E1) closes the gap and no more; overlap ends, not faster than E1 = sqrt(1 + mu^2) E with the residual E
 * to which the problem is solved. Before that contacts rebound: see impacts.c. Surfaces that overlap by more than ten times h E are separated by
 * h w, w = A^-1 D g2, at most at the speed `recovery`: in positions alone, so that the kinetic energy does not change.
 */
#ifndef SN_IMPULSES_H
#define SN_IMPULSES_H

#include "contact/ccp.h"
#include "system/system.h"

typedef struct sn_impulses sn_impulses;

typedef struct sn_impulse_settings {
  sn_ccp_settings solver;
  double limit;    /* m/s: a residual above it ends the run */
  double rebound;  /* m/s */
  double recovery; /* m/s */
  bool sequential; /* impacts: contacts that only touch do not stand by */
} sn_impulse_settings;

/* Has the model contacts of this sort? */
bool sn_impulses_needed(const sn_system *system);
/* For a system whose solver gives blocks of the inverse (linsolve.h) and is factorized. */
sn_impulses *sn_impulses_create(sn_system *system, const sn_impulse_settings *settings);
void sn_impulses_free(sn_impulses *impulses);
/* The system has been factorized anew. */
void sn_impulses_refactored(sn_impulses *impulses);
/* x[n + m] = (v1 - v0, p): given without contacts, found with those at state->q; their work goes to the system's audit.
 * shifted: shift[n] is the w of above, otherwise nothing overlaps. Fails where the complementarity problem is not
 * solved to the limit. */
sn_status sn_impulses_solve(sn_impulses *impulses, const sn_state *state, double h, double *x, double *shift,
                            bool *shifted);

#endif
