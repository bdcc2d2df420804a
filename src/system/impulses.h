/* impulses.h - contact by complementarity, as an integrator sees it: velocities in, generalized impulses out.
 *
 *     A (v1 - v0) = h Q + D g + G'p,   q1 = q0 + h v1           D, gap at q0
 *     C* > D'v1 + b  _|_  g in C
 *
 * b = gap/h closes the gap and no more; or, for a contact that would close within the step and approaches faster than
 * `rebound`, b = e D_n'v0 (Newton's restitution). Where surfaces overlap, they come apart at most at the speed
 * `recovery`.
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
} sn_impulse_settings;

/* Has the model contacts of this sort? */
bool sn_impulses_needed(const sn_system *system);
/* For a system whose solver is sn_ldl and factorized. */
sn_impulses *sn_impulses_create(sn_system *system, const sn_impulse_settings *settings);
void sn_impulses_free(sn_impulses *impulses);
/* The system has been factorized anew. */
void sn_impulses_refactored(sn_impulses *impulses);
/* f[n] = D g, the contacts being those at state->q and v_free[n] = v0 + A^-1 (h Q, ...) what would be without them;
 * count: how many there are. Fails where the complementarity problem is not solved to the limit. */
sn_status sn_impulses_solve(sn_impulses *impulses, const sn_state *state, double h, const double *v_free, double *f,
                            int *count);
/* The work g'D'v of the impulses just found, v[n] = (v0 + v1)/2, goes to the system's audit. */
void sn_impulses_work(sn_impulses *impulses, const double *v);

#endif
