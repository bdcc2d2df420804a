/* guided.h - points that follow curves (point-on-curve, cam), as the steps of an integrator meet them.
 *
 * A curve may do much on a short part of its length: the rise of a cam between two dwells, a notch. In a step that goes
 * from one dwell to the next the point rests, and nothing tells that it should not have. No adaptive step is longer than
 * a part of the curve that is resolved: the curve there is
 *   - a polynomial of degree 8 to within the tolerance, at every knot and between knots, and
 *   - near the cubic through its ends with their slopes.
 * Steps are looked at beforehand, with the motion continued at constant acceleration, and afterwards: one that went too
 * far is taken back and repeated (crossings.h). Fixed steps stay as they are; those that went too far are told.
 */
#ifndef SN_GUIDED_H
#define SN_GUIDED_H

#include "sinew/sinew.h"

/* At the begin of a stage in time, or where it goes on. */
void sn_begin_guided(sn_simulation *simulation);
/* How far the next step may go, at most to *limit. */
void sn_limit_to_guided(sn_simulation *simulation, double *limit);
/* After an adaptive step: it may go to this time and no farther; INFINITY: it may stay. */
double sn_check_guided(sn_simulation *simulation);
/* After a fixed step: did it go too far along a curve? */
void sn_check_guided_fixed(sn_simulation *simulation);

#endif
