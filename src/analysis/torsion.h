/* torsion.h - torsion of beams whose formulation has another torsion constant than their section.
 *
 * Strains over the volume with plane sections (beam: selective, continuum) leave warping out: their sections resist
 * twist by
 *
 *   G (k2 Izz + k3 Iyy)      in place of G J      continuum: k2 = k3 = 1
 *
 * more than the section does unless it is round, by any factor where it is thin. Such a beam is right in bending. The
 * rule measures how much of its strain energy, by its resultants, is that of torsion: T^2/(2 GJ) per length.
 */
#ifndef SN_TORSION_H
#define SN_TORSION_H

#include "analysis/modes.h"
#include "analysis/simulation.h"

/* Memory of a model with such beams; at the start of a stage. */
void sn_torsion_begin(sn_simulation *simulation);
/* A row of statics or dynamics: evidence.twisting has the most of both energies of each body up to now. */
void sn_torsion_row(sn_simulation *simulation, const sn_row *row);
/* The largest share of torsion in the strain energy of such a beam, and its body; 0: none is twisted. */
double sn_torsion_share(const sn_simulation *simulation, int *body);
/* The reason in words. */
const char *sn_torsion_say(sn_simulation *simulation, double value);
/* Modes about a state: doubtful where a frequency is off by more than 1 %. */
void sn_doubt_modal_torsion(sn_simulation *simulation, const sn_state *state, const sn_modes *modes);

#endif
