/* checkpoint.h - the stored state of a simulation, from which it continues bit for bit.
 *
 * At a checkpoint the integrator and the linear solvers are created again from the stored state and numbers, in the
 * running simulation exactly as in a resumed one: from there the two cannot differ. Methods with a history of earlier
 * steps store it (sn_integrator_ops.history); those of SUNDIALS restart.
 */
#ifndef SN_CHECKPOINT_H
#define SN_CHECKPOINT_H

#include "analysis/simulation.h"

/* Can the present state be stored? Only dynamics with an integrator can. */
bool sn_checkpoint_possible(const sn_simulation *simulation);
/* Store; the simulation does not change, and may continue only by sn_checkpoint_load. */
void sn_checkpoint_save(sn_simulation *simulation, sn_history *history);
/* Continue from there: the same simulation, or a new one of the same model. Another integrator, or other settings,
 * start from the state alone. */
sn_status sn_checkpoint_load(sn_simulation *simulation, sn_history *history);

#endif
