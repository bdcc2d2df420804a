/* explicit_limit.h - what limits explicit steps: how fast dampers act, and how fast the stiffest part vibrates.
 *
 *   M x d = D x,   M x w^2 = K x      explicit steps with both forces are stable for h d < 2 - (h w)^2/2
 */
#ifndef SN_EXPLICIT_LIMIT_H
#define SN_EXPLICIT_LIMIT_H

#include "system/system.h"

/* The largest d [1/s] and w [rad/s] at this state, to some percent, joints included; 0 where nothing is damped or
 * elastic. [M G'; G 0] is factorized; x[n + m] is room. */
double sn_damping_rate(sn_system *system, const sn_state *state, double *x);
double sn_highest_frequency(sn_system *system, const sn_state *state, double *x);

#endif
