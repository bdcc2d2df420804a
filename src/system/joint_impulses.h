/* joint_impulses.h - set-valued forces of joints as impulses. Dry friction: joints stick exactly, or slide against the full
 * friction. Rigid stops: a joint coordinate stays within its limits, and rebounds from them.
 *
 *     A (v1 - v0) + G'p = h Q + D g (contacts) + R'f,   u = R v1                    R = du/dv at q0, u: speeds of the joints
 *     |f_i| <= h b_i,    u_i = 0 or f_i = -h b_i u_i/|u_i|,   b_i = B_i(p/h) s_i(|u_i(v0)|)        force/friction.h
 *
 * Rigid stops, with the distance g to the limit, its rate u and the impulse f that opens it:
 *
 *     0 <= f  _|_  u(v1) + r >= 0,    r = g/h: it closes and no more;   r = e u(v0): it rebounds, where it would close within
 *                                     the step at the velocity without impulses and approaches faster than `rebound`
 *
 * Overlaps end at the speed `recovery` at most. B depends on the impulses p of this step: normal forces and friction are solved together, by iteration. Those of a
 * spherical joint are vectors of three. The factor s of Stribeck's law is that of the speed at the start of the step.
 */
#ifndef SN_JOINT_IMPULSES_H
#define SN_JOINT_IMPULSES_H

#include "system/system.h"

typedef struct sn_joint_impulses sn_joint_impulses;

/* NULL: the model has neither. In the system's arena. */
sn_joint_impulses *sn_joint_impulses_create(sn_system *system, double rebound, double recovery);
/* A new step from `state`, whose matrix is factorized. */
void sn_joint_impulses_begin(sn_joint_impulses *impulses, const sn_state *state, double h);
/* x[n + m] = (v1 - v0, p): given without them, found with them. Returns the largest change of a speed since the last
 * solution of this step: contacts and these are solved by turns until nothing changes. */
double sn_joint_impulses_solve(sn_joint_impulses *impulses, double *x);
/* Their work goes to the system's audit; x of the whole step. */
void sn_joint_impulses_end(sn_joint_impulses *impulses, const double *x);

#endif
