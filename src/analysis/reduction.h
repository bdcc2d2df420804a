/* reduction.h - what the modes of reduced floating bodies leave out where they are loaded.
 *
 * The reduction is exact for forces at the ends. A force between them also bends the body with the ends held, and of this
 * deflection only the part of the modes that are kept is there (sn_geometry.left_out). Forces and joints between the ends
 * count, and in statics the weight, at the middle.
 */
#ifndef SN_REDUCTION_H
#define SN_REDUCTION_H

#include "analysis/modes.h"
#include "analysis/simulation.h"

/* The largest part of a deflection that is left out; body and s (0 to 1): where, if it is above 0. */
double sn_left_out(const sn_simulation *simulation, const sn_body **body, double *s);

/* Modes of vibration. With c = x'M u of a left-out shape x, of frequency W, in a mode u, w is too high by c^2 w^2/(W^2 -
 * w^2)/2: doubtful above 1 %, and where there are frequencies above the lowest W, as modes are missing there. */
void sn_doubt_modal_reduction(sn_simulation *simulation, const sn_state *state, const sn_modes *modes);

#endif
