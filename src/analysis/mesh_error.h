/* mesh_error.h - strain energy that the elements of a mesh cannot take up or take up wrongly: a local estimate of what
 * finite elements get wrong, from what acts within each of them.
 *
 * Between its nodes a cubic line bends as if its ends were clamped and nothing acted there. The load f per length that is
 * left in an element (weight, inertia, loads along the line, the axial force on its mean curvature k),
 *
 *   f = rho A (g - a) + p + N k,     in mode shapes u:  f = rho A w2 u + N k(u),
 *
 * would bend it by f x^2 (l - x)^2/(24 EI), and this energy is missing:
 *
 *   bending, cubic                      f^2 l^5/(1440 EI (1 + N l^2/(42 EI)))      N > 0: tension stiffens
 *   one curvature in each element       l (Q l)^2/(24 EI)                          Q: shear force
 *   linear axial displacement           f^2 l^3/(24 EA)
 *   linear rotation about the line      n^2 l^3/(24 GJ)                            n: moment per length, of inertia forces
 *                                                                                  and of bending moments M, k x M
 *   force P between the nodes, a + b = l P^2 a^3 b^3/(6 EI l^3)                   and so for moments
 *   membrane locking                    1/2 int EA e^2 dx                          e: axial strain, less its linear part
 *
 * The last is not missing but too much: where elements are curved, a cubic line cannot bend without stretching, and
 * this part of the strain changes its sign within the element. All make the structure too stiff: a deflection under one
 * load is too small by U_missing/U, a frequency too high by U_missing/(2 U). With k l the phase of a wave along an
 * element a frequency is too high by (k l)^4/1440, (k l)^2/24 with one curvature or linear displacements.
 *
 * In shapes u of buckling f = N k(u) with the axial force N at the load factor, and U = u'K u/2; a load factor is too
 * high by U_missing/U: (k l)^4/720, (k l)^2/12. Strains of the chord miss |N|/2 int (k x)^2 dx besides.
 */
#ifndef SN_MESH_ERROR_H
#define SN_MESH_ERROR_H

#include "analysis/modes.h"
#include "analysis/simulation.h"

/* At the end of statics or of a path: doubtful above 2 % (the error of deflections). */
void sn_doubt_static_mesh(sn_simulation *simulation);
/* Modes about a state: doubtful where a frequency is off by more than 1 %. */
void sn_doubt_modal_mesh(sn_simulation *simulation, const sn_state *state, const sn_modes *modes);
enum { SN_LOWEST = 3 };
/* The lowest damped vibrations about a state: doubtful where one of them is off by more than 2 %. */
void sn_doubt_damped_mesh(sn_simulation *simulation, const sn_state *state, sn_system *system, const sn_modes *modes);
/* Shapes of buckling about a state at the load factor `load`, whose coordinates change by `response` [n] per load factor;
 * energy [count]: u'K u/2 of the shapes there. Doubtful where a load factor is off by more than 2 %. */
void sn_doubt_buckling_mesh(sn_simulation *simulation, const sn_state *state, const double *response, double load,
                            const sn_modes *modes, const double *energy);
/* A row of dynamics: evidence.missing is the largest of all bodies' energies together, evidence.coarse the body. */
void sn_follow_mesh(sn_simulation *simulation, const sn_row *row);

#endif
