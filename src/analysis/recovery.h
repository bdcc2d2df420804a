/* recovery.h - what stress resultants recorded at one place get wrong because of the mesh, from those beside it.
 *
 * The mean of a resultant over an element is accurate, its course within is not: strains may swing about their mean
 * (membrane locking, waves as short as an element), and at an end nothing corrects them. The recovered value R is that of
 * the parabola
 *
 *   R(x) = a + b x + c x^2,     mean of R over each of three elements = mean of the resultant there
 *
 * over the element of the place and those beside it, without a joint or force at a node between them, where
 * resultants jump. With two elements it is the straight line; at a node between two elements, the mean of both sides,
 * as it is recorded. The error of R is of third order in the length of elements, that of a resultant at the end of one of
 * second (first, where it is constant in each element).
 */
#ifndef SN_RECOVERY_H
#define SN_RECOVERY_H

#include "analysis/simulation.h"

/* A row: compares recorded resultants, and the stresses that follow from them, with the recovered ones. */
void sn_follow_recovery(sn_simulation *simulation, const sn_row *row);
/* The largest difference of all outputs and rows, relative to the largest value of its column in the run or, if that is
 * larger, of the means around it; forces (moments) below 1 % of other forces (moments) there, or
 * of moments over the length of the body, count as that much. */
double sn_evidence_recovery(const sn_simulation *simulation);
const char *sn_say_recovery(sn_simulation *simulation, double value);
/* The values stored in a checkpoint. */
void sn_recovery_history(sn_simulation *simulation, sn_history *history);

#endif
