/* noise.h - what is watched at the ends of steps, where rows may not be: noise and drift.
 *
 * Do accelerations and multipliers of a run alternate from step to step?
 * Positions and velocities of a method may be fine while its accelerations and multipliers jump up and down. What moves
 * does not count: compared are those of the method with the a and l that the equations of motion and the constraints
 * at the level of accelerations have at the same q and v,
 *   e_k = (a, l)_k - (a, l)(q_k, v_k),   d_k = |e_k - 2 e_(k-1) + e_(k-2)|/4
 * so that e = c (-1)^k has d = c, and an error that goes smoothly with time nearly none. The noise of a run is the mean
 * of d over the steps in the last tenth of its last stage in time, of a and of l each the largest entry, relative to
 * the largest |a| and |l| of the method in that stage; of the two, the larger.
 *
 * Rows between steps are interpolated, and violate the constraints by that, too. What the method itself does is |Phi|
 * at the ends of its steps: kept is the largest in each of many equal intervals of the stage.
 */
#ifndef SN_NOISE_H
#define SN_NOISE_H

#include "analysis/curve.h"
#include "analysis/simulation.h"

/* Watch both from now on; before the first step. */
void sn_watch_noise(sn_simulation *simulation);
/* A step is over. Costs the solution for a and l, in the last tenth; counted as output. Nothing when it is not watched.
 */
void sn_noise_step(sn_simulation *simulation);
/* NaN: not computed, or not defined (fewer than three steps, impulses, no motion in time). */
double sn_noise(const sn_simulation *simulation);
/* |Phi| over time as above; no rows: it is not watched, or nothing moves in time. Valid as long as the simulation is.
 */
sn_curve sn_step_drift(const sn_simulation *simulation);

#endif
