/* checkpoint.h - a simulation put away, and taken up again bit for bit.
 *
 * At a checkpoint the integrator and the linear solvers are made anew from the state and the numbers put away, in the
 * run that goes on exactly as in one that is resumed: from there the two cannot differ. Methods that remember earlier
 * steps take their memory along (sn_integrator_ops.history); those of SUNDIALS start afresh.
 */
#ifndef SN_CHECKPOINT_H
#define SN_CHECKPOINT_H

#include "analysis/simulation.h"

/* Can the state as it is be put away? Only motion in time with an integrator can. */
bool sn_checkpoint_possible(const sn_simulation *simulation);
/* Put away; the simulation stays as it is, and may go on only by sn_checkpoint_load. */
void sn_checkpoint_save(sn_simulation *simulation, sn_history *history);
/* Go on from there: the same simulation, or a new one of the same model. Another integrator, or other settings of it,
 * start from the state alone. */
sn_status sn_checkpoint_load(sn_simulation *simulation, sn_history *history);

#endif
