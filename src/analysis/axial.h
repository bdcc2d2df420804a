/* axial.h - axial forces of floating bodies against their Euler loads.
 *
 * The elasticity of a floating body is linear in its frame: an axial force N neither stiffens (tension) nor softens
 * (compression) it in bending. With the Euler load P of its supports a deflection w of this theory is about
 *
 *   w/(1 + N/P)      N > 0: tension
 *
 * so that |N|/P measures the error, and at N = -P the real body buckles. N is the mean of |EA u'| over the elements.
 */
#ifndef SN_AXIAL_H
#define SN_AXIAL_H

#include "analysis/simulation.h"

/* Memory of a model with floating bodies; at the start of a stage. */
void sn_axial_begin(sn_simulation *simulation);
/* A floating body at the coordinates q, whose nodes are turned by up to `turned` in its frame: evidence.axial is the
 * largest |N|/P up to now. Of a straight body under tension, whose vibrations alone are wrong, it is at most 1. */
void sn_axial_look(sn_simulation *simulation, int body, const sn_geometry *geometry, const double *q, double turned);
/* The reason in words. */
const char *sn_axial_say(sn_simulation *simulation, double value);

#endif
