/* impact.h - limits of the step before and during impacts of rigid bodies. */
#ifndef SN_IMPACT_H
#define SN_IMPACT_H

#include "analysis/simulation.h"

/* Effective masses of rigid bodies in impacts; NULL: no penalty contact of rigid bodies. In the simulation's arena. */
struct sn_impacts *sn_impacts_create(sn_simulation *simulation);
/* Longest step from the present state that resolves its impacts; and the action after a step with this limit. */
double sn_impact_step(sn_simulation *simulation);
void sn_impact_followed(sn_simulation *simulation, double bound);
/* After a fixed step: is it too long for an impact that it ended in? */
void sn_check_impacts(sn_simulation *simulation);

#endif
