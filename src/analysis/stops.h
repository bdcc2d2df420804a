/* stops.h - limits of the step before and at stops of joints. */
#ifndef SN_STOPS_H
#define SN_STOPS_H

#include "analysis/simulation.h"

/* Effective masses at the stops of the model; NULL: it has none. In the simulation's arena. */
struct sn_stop_masses *sn_stops_create(sn_simulation *simulation);
/* Steps end where stops are touched and left (analysis/crossings.h). */
void sn_add_stop_crossings(sn_simulation *simulation);
/* Longest step from the present state that resolves an impact at a stop. */
double sn_stop_step(sn_simulation *simulation);
/* After a fixed step: is it too long for an impact that it ended in? */
void sn_check_stops(sn_simulation *simulation);

#endif
