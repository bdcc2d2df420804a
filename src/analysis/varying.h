/* varying.h - what makes the coefficients of a linearized motion change with time. */
#ifndef SN_VARYING_H
#define SN_VARYING_H

#include "analysis/simulation.h"
#include "analysis/tangent.h"

/* A doubt where a body turns (or bends) against the axes of the tangent and does not look the same after it. lowest: the
 * smallest eigenvalue [1/s]; what turns slowly against it changes little. */
void sn_doubt_varying(sn_simulation *simulation, sn_system *system, const sn_state *state, const sn_tangent *tangent,
                      double lowest);

#endif
