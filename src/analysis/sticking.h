/* sticking.h - where joints with friction begin and cease to stick. */
#ifndef SN_STICKING_H
#define SN_STICKING_H

#include "analysis/simulation.h"

/* Steps end where the speed of a joint passes its creep speed (analysis/crossings.h). */
void sn_add_sticking_crossings(sn_simulation *simulation);

/* Largest speed of a joint or rope that sticks, which is to slide below its creep speed, m/s; of rotations times the size
 * of the model. */
double sn_creeping(const sn_simulation *simulation);

/* At the end of statics: friction of joints that moved might have held them; the run is doubtful unless dynamics follows. */
void sn_doubt_frictionless(sn_simulation *simulation);

#endif
