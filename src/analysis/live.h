/* live.h - expressions of the state, as the steps of an integrator meet them.
 *
 *   f(t, s_1, s_2, ...)   along a step: s_k(t) is a polynomial through seven values on the step's own polynomial
 *
 * so that along a step an expression is a function of time, and is treated as loads.h treats those: no adaptive step is
 * longer than every expression is resolved (base/resolve.h), and steps end at kinks and jumps (min, max, abs, sign, if,
 * comparisons, knots of tables, ...). Steps are looked at beforehand, with the motion continued at constant
 * acceleration, and afterwards: one that was too long is taken back and repeated (crossings.h). Where an expression
 * jumps, the state passes to the far side, accelerations are solved for and the integrator starts again. Fixed steps
 * stay as they are; those that missed something are counted.
 */
#ifndef SN_LIVE_H
#define SN_LIVE_H

#include "sinew/sinew.h"

/* At the begin of a stage in time, or where it goes on. */
void sn_begin_live(sn_simulation *simulation);
/* A kink that is here is passed; then how far the next step may go, at most to *limit. */
sn_status sn_limit_to_live(sn_simulation *simulation, double *limit);
/* After an adaptive step: it may go to this time and no farther; INFINITY: it may stay. */
double sn_check_live(sn_simulation *simulation);
/* After a fixed step: did an expression change within it more than its ends show? */
void sn_check_live_fixed(sn_simulation *simulation);

#endif
