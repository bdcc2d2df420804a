/* mesh_error.h - how much too stiff a static solution is on its mesh, where that is known.
 *
 * beam2d and beams of elastic: selective or continuum have one curvature in each element. The moment in it varies by
 * Q l, as the shear force says, and the bending energy of this variation is missing:
 *
 *   U_missing = sum l (Q l)^2/(24 EI)        of U = sum l (N e + M k)/2: what one load deflects is too small by
 *                                            U_missing/(U + U_missing)
 *
 * 1/(4 n^2) of a cantilever of n elements with a force at its end, 4/n^2 of a beam between two clamps with one in the
 * middle.
 */
#ifndef SN_MESH_ERROR_H
#define SN_MESH_ERROR_H

#include "analysis/simulation.h"

/* At the end of statics: doubtful above 2 %. */
void sn_doubt_flat_elements(sn_simulation *simulation);

#endif
