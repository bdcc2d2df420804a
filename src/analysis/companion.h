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

/* What differences of points are compared with [m]; 0: none are recorded. */
double sn_length_of_motion(const sn_simulation *simulation);

/* At a checkpoint a companion ends, and another one goes on from its state, not from that of the run: otherwise errors
 * up to there would not grow in the estimate. Saving stores that state, loading keeps it for the next one. */
void sn_companion_history(sn_simulation *simulation, sn_history *history);

#endif
