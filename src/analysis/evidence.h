/* evidence.h - quantities measured during a run, row by row and step by step, for the rules of trust_rules.h.
 *
 * Energy exchanged in a stage: the largest change of any kind of energy (for kinetic energy its largest value), plus
 * the largest changes of all kinds of work (applied, driver, damping, friction). The kinetic energy alone is not a
 * suitable scale: a heap that comes to rest has almost none.
 */
#ifndef SN_EVIDENCE_H
#define SN_EVIDENCE_H

#include "analysis/simulation.h"

/* A stage begins, from a consistent state; the values of earlier stages are kept. */
void sn_evidence_begin(sn_simulation *simulation);
/* The stage ends, successfully or not, before its integrator is freed. */
void sn_evidence_end(sn_simulation *simulation);
/* A row was made. */
void sn_evidence_row(sn_simulation *simulation, const sn_row *row);
/* A step of dynamics is over, which could not have gone further than to the limit. */
void sn_evidence_step(sn_simulation *simulation, double limit);

/* Doubts by the values of a row: of outputs, inputs, angles and pressures (doubts.c). */
void sn_doubt_row(sn_simulation *simulation, const sn_row *row);
/* Turns of angles in space, at the end of a step. */
void sn_follow_angles(sn_simulation *simulation);
/* Fails when a row has shown that the energy error is many times what was exchanged while it was small, ... */
sn_status sn_check_growth(sn_simulation *simulation);
/* ... so many times. */
#define SN_DIVERGED 1e6

/* Penalty contacts of two bodies, by name, overlap by so many radii. */
void sn_evidence_overlap(sn_simulation *simulation, double radii, const char *const body[2]);
/* The values stored in a checkpoint. */
void sn_evidence_history(sn_simulation *simulation, sn_history *history);

/* Largest energy error over the energy exchanged, of all stages up to now; with the sign of the error. */
double sn_evidence_energy(const sn_simulation *simulation);
/* The same divided by the tolerance in force; 0 where steps are fixed. */
double sn_evidence_energy_tolerance(const sn_simulation *simulation);
/* Displacement of points due to the time shift caused by the energy error, relative to their largest displacement, in
 * tolerances; 0 with fixed steps, in driven motion, and if the motion reverses. */
double sn_evidence_late(const sn_simulation *simulation);
/* Energy exchanged in the current stage. */
double sn_evidence_exchanged(const sn_simulation *simulation);
/* Strain energy that the mesh lacks (mesh_error.h) over the energy exchanged, times the drift in phase of swings. */
double sn_evidence_mesh(const sn_simulation *simulation);
/* Energy that overlapping contacts had at the start and then released, over the energy exchanged; 0 in later stages, and
 * as long as a tenth of it is still there. */
double sn_evidence_released(const sn_simulation *simulation);
/* Share of the largest kinetic energy below which a motion turns. */
#define SN_TURNS 0.05
/* Tolerance of adaptive steps in force, the larger of its parts; 0: steps are fixed, or nothing moves in time. */
double sn_evidence_tolerance(const sn_simulation *simulation);

#endif
