/* spinning.h - flat parts of rigid bodies that turn on each other about their normal. */
#ifndef SN_SPINNING_H
#define SN_SPINNING_H

#include "analysis/simulation.h"

/* After a row: adds the angle since the last one to the evidence, of the two solids that turn fastest. */
void sn_follow_spinning(sn_simulation *simulation, const sn_row *row);
/* The doubt, for an angle in rad. */
const char *sn_say_spinning(sn_simulation *simulation, double angle);

#endif
