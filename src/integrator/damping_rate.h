/* damping_rate.h - how fast dampers act: the largest rate d of M x d = D x, by which explicit steps are limited. */
#ifndef SN_DAMPING_RATE_H
#define SN_DAMPING_RATE_H

#include "system/system.h"

/* d [1/s] at this state, to some percent, joints included; 0 where nothing is damped. [M G'; G 0] is factorized; x[n +
 * m] is room. */
double sn_damping_rate(sn_system *system, const sn_state *state, double *x);

#endif
