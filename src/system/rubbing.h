/* rubbing.h - dry friction of joints as set-valued impulses: joints stick exactly, or slide against the full friction.
 *
 *     A (v1 - v0) + G'p = h Q + D g (contacts) + R'f,   u = R v1                    R = du/dv at q0, u: speeds of the joints
 *     |f_i| <= h b_i,    u_i = 0 or f_i = -h b_i u_i/|u_i|,   b_i = B_i(p/h) s_i(|u_i(v0)|)        force/friction.h
 *
 * B depends on the impulses p of this step: normal forces and friction are solved together, by iteration. Those of a
 * spherical joint are vectors of three. The factor s of Stribeck's law is that of the speed at the start of the step.
 */
#ifndef SN_RUBBING_H
#define SN_RUBBING_H

#include "system/system.h"

typedef struct sn_rubbing sn_rubbing;

/* NULL: the model has no dry friction in joints. In the system's arena. */
sn_rubbing *sn_rubbing_create(sn_system *system);
/* A new step from `state`, whose matrix is factorized. */
void sn_rubbing_begin(sn_rubbing *rubbing, const sn_state *state, double h);
/* x[n + m] = (v1 - v0, p): given without friction, found with it. Returns the largest change of a speed since the last
 * solution of this step: contacts and friction are solved in turn until nothing changes. */
double sn_rubbing_solve(sn_rubbing *rubbing, double *x);
/* Its work goes to the system's audit; x of the whole step. */
void sn_rubbing_end(sn_rubbing *rubbing, const double *x);

#endif
