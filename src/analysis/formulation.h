/* formulation.h - beams whose formulation resists twist or bending otherwise than their section.
 *
 * Strains over the volume with plane sections (beam: selective, continuum) leave warping out: their sections resist
 * twist by
 *
 *   G (k2 Izz + k3 Iyy)      in place of G J      continuum: k2 = k3 = 1
 *
 * more than the section does unless it is round, by any factor where it is thin. The full law of the material over them
 * (continuum) has no strain across them that varies as bending does, so that they bend with
 *
 *   E (1 - nu)/((1 + nu)(1 - 2 nu))      in place of E (plane stress: E/(1 - nu^2); plane strain: the former)
 *
 * on any mesh. geometry.torsion and geometry.bends are these over what is right. Too much energy in a motion is
 * (1 - 1/ratio) of that of twist and bending, by the resultants: T^2/(2 GJ), M^2/(2 EI) per length with the stiffnesses of
 * the formulation.
 */
#ifndef SN_FORMULATION_H
#define SN_FORMULATION_H

#include "analysis/mesh_line.h"
#include "analysis/modes.h"

/* Memory of a model with such beams; at the start of a stage. */
void sn_formulation_begin(sn_simulation *simulation);
/* A row of statics or dynamics: evidence.formulation has the most of the energies of each body up to now. */
void sn_formulation_row(sn_simulation *simulation, const sn_row *row);
/* At the end of a stage. */
void sn_formulation_end(sn_simulation *simulation);
/* What a checkpoint keeps of it. */
void sn_formulation_history(sn_simulation *simulation, sn_history *history);

/* The largest share of torsion in the strain energy of a beam with another torsion constant, and its body; 0: none is
 * twisted. */
double sn_torsion_share(const sn_simulation *simulation, int *body);
const char *sn_torsion_say(sn_simulation *simulation, double value);
/* The largest share of too much bending energy in the strain energy of a beam, in dynamics in the energy exchanged or
 * stored, and the body. */
double sn_bending_excess(const sn_simulation *simulation, int *body);
const char *sn_bending_say(sn_simulation *simulation, double value);

/* Too much energy of all beams in a motion about a state; *body: the one with most of it. */
double sn_formulation_excess(const sn_mesh_motion *motion, int *body);
/* Modes, damped vibrations about a state, load factors as those of mesh_error.h: doubtful where one is off by more than
 * 1 %. */
void sn_doubt_modal_formulation(sn_simulation *simulation, const sn_state *state, const sn_modes *modes);
void sn_doubt_damped_formulation(sn_simulation *simulation, const sn_state *state, sn_system *system,
                                 const sn_modes *modes);
void sn_doubt_buckling_formulation(sn_simulation *simulation, const sn_state *state, double load, const sn_modes *modes,
                                   const double *energy);

#endif
