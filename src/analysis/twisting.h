/* twisting.h - torsion that curved cables do without.
 *
 * A cable whose curvature at rest has no sign (`bending: scalar`) has sections that turn freely about the line, until the
 * curvature at rest lies in the plane of bending. A wire holds them: by its torsional stiffness, and where a joint clamps
 * it. With psi the angle by which the plane of bending turns from station to station, less that at rest, and a the angle
 * of a section from this plane, a wire of the same shape has at least the energy
 *
 *   W = min over a of  sum over stations  l EI k k0 a^2/2  +  GJ/(2 l) (psi + a' - a)^2
 *
 * more than the cable. It is compared with U, the strain energy of the cable and 3 EI d^2/(2 L^3), that of a straight
 * cantilever bent by the displacement d (at most L), since slack shapes have no strain energy. W is 0 in any plane motion, small where the line is nearly straight (k0 << k), and many times the
 * strain energy where an arc is loaded across its plane, which a scalar cable does not resist at all.
 */
#ifndef SN_TWISTING_H
#define SN_TWISTING_H

#include "analysis/simulation.h"

/* Memory of a model with such cables; at the start of a stage. */
void sn_twisting_begin(sn_simulation *simulation);
/* A body at the coordinates q. */
void sn_twisting_look(sn_simulation *simulation, int body, const sn_geometry *geometry, const double *q);
/* Largest W/(W + U), of the largest of each up to now; *body: of which. */
double sn_twisting(const sn_simulation *simulation, int *body);
/* What a checkpoint keeps of it. */
void sn_twisting_history(sn_simulation *simulation, sn_history *history);
/* The reason in words. */
const char *sn_twisting_say(sn_simulation *simulation, double value);

#endif
