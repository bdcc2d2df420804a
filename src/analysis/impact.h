/* impact.h - steps that know an impact before it begins. */
#ifndef SN_IMPACT_H
#define SN_IMPACT_H

#include "analysis/simulation.h"

/* Masses of rigid bodies, as impacts feel them; NULL: no rigid bodies touch by penalty. In the simulation's arena. */
struct sn_impacts *sn_impacts_create(sn_simulation *simulation);
/* Longest step from the present state that follows its impacts; and what to do after a step that had this bound. */
double sn_impact_step(sn_simulation *simulation);
void sn_impact_followed(sn_simulation *simulation, double bound);
/* After a fixed step: is it too long for an impact that it ended in? */
void sn_check_impacts(sn_simulation *simulation);

#endif
