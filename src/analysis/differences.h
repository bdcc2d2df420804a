/* differences.h - what the outputs of a run differ by from those of its companion.
 *
 * Positions of points and angles are compared in tolerances (companion.c). Here are all other parts of outputs (parts.h),
 * each relative to its largest size: forces and moments (reactions, forces, stress resultants, springs), stresses,
 * accelerations, and signals, which are all others: velocities, strains, contact forces, expressions.
 */
#ifndef SN_DIFFERENCES_H
#define SN_DIFFERENCES_H

#include "analysis/simulation.h"

/* Of their largest value: the rule of the verdict. */
#define SN_OUTPUTS_OFF 0.05

/* Once, when the simulation is made. */
void sn_create_differences(sn_simulation *simulation);
/* A companion begins. */
void sn_begin_differences(sn_simulation *simulation);
/* A row of the run and that of the companion, which was just sampled; differences are this part of errors. */
void sn_compare_outputs(sn_simulation *simulation, sn_simulation *companion, double part, const sn_row *mine,
                        const sn_row *its);
/* The companion has made a step; row: of it, to be used. */
void sn_follow_companion(sn_simulation *simulation, sn_simulation *companion, sn_row *row);
/* A row after the companion has ended: sizes of outputs go on. */
void sn_follow_outputs(sn_simulation *simulation, const sn_row *row);

/* The largest of forces, moments and stresses; of signals; *output (may be NULL): its output. */
double sn_reaction_difference(const sn_simulation *simulation, int *output);
double sn_signal_difference(const sn_simulation *simulation, int *output);
double sn_acceleration_difference(const sn_simulation *simulation);

/* The values stored in a checkpoint, after which another companion begins. */
void sn_differences_history(sn_simulation *simulation, sn_history *history);

#endif
