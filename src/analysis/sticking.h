/* sticking.h - where joints with friction begin and cease to stick. */
#ifndef SN_STICKING_H
#define SN_STICKING_H

#include "analysis/simulation.h"

/* Steps end where the speed of a joint passes its creep speed (analysis/crossings.h). */
void sn_add_sticking_crossings(sn_simulation *simulation);

#endif
