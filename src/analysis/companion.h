/* companion.h - a second run with a tenth of the tolerance, which estimates the error of the first. */
#ifndef SN_COMPANION_H
#define SN_COMPANION_H

#include "analysis/simulation.h"

#define SN_LEAST_ESTIMATED 1e-11 /* the smallest tolerance with an estimate */

/* A row is recorded: bring the companion there and compare. It starts with the first row of a stage of dynamics, and
 * ends when its limit of work is reached. */
void sn_companion_row(sn_simulation *simulation, const sn_row *row);
/* Free the companion; another one starts with the next row. */
void sn_companion_end(sn_simulation *simulation);

#endif
