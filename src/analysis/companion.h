/* companion.h - a second run beside the first, with a tenth of its tolerance, to see what the first is off by. */
#ifndef SN_COMPANION_H
#define SN_COMPANION_H

#include "analysis/simulation.h"

/* A row is recorded: bring the companion there and compare. It begins with the first row of a stage of
 * dynamics without contacts, and ends when its share of work is spent. */
void sn_companion_row(sn_simulation *simulation, const sn_row *row);
/* It goes; another one begins with the next row. */
void sn_companion_end(sn_simulation *simulation);
/* The output whose reaction differs most. */
int sn_companion_reaction(const sn_simulation *simulation);

#endif
