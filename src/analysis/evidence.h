/* evidence.h - what a run measures about itself, row by row and step by step, for the rules of trust.c.
 *
 * Energy exchanged in a stage: the largest swing of any kind of energy (of kinetic energy, which counts from rest, its
 * largest value), plus the swings of all works done (applied, driver, damping, friction). An energy error says little
 * beside the kinetic energy alone: a heap that comes to rest has almost none.
 */
#ifndef SN_EVIDENCE_H
#define SN_EVIDENCE_H

#include "analysis/simulation.h"

/* A stage begins, from a consistent state; what the one before came to is kept. */
void sn_evidence_begin(sn_simulation *simulation);
/* It ends, well or not, before its integrator goes. */
void sn_evidence_end(sn_simulation *simulation);
/* A row was made. */
void sn_evidence_row(sn_simulation *simulation, const sn_row *row);
/* A step of dynamics is over. */
void sn_evidence_step(sn_simulation *simulation);

/* Penalty contacts of two bodies, by name, overlap by so many radii. */
void sn_evidence_overlap(sn_simulation *simulation, double radii, const char *const body[2]);
/* What a checkpoint keeps of it. */
void sn_evidence_history(sn_simulation *simulation, sn_history *history);

/* Largest energy error over the energy exchanged, of all stages up to now; with the sign of the error. */
double sn_evidence_energy(const sn_simulation *simulation);
/* The same divided by the tolerance in force; 0 where steps are fixed. */
double sn_evidence_energy_tolerance(const sn_simulation *simulation);
/* What the energy error, carried on as a shift in time, moves points by, relative to their largest way and in
 * tolerances; 0 where steps are fixed, where drivers set the pace, and where the motion stops and turns. */
double sn_evidence_late(const sn_simulation *simulation);
/* Share of the largest kinetic energy below which a motion turns. */
#define SN_TURNS 0.05
/* Tolerance of adaptive steps in force, the larger of its parts; 0: steps are fixed, or nothing moves in time. */
double sn_evidence_tolerance(const sn_simulation *simulation);

#endif
