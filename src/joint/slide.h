/* slide.h - what others ask of a point that slides along a line (sliding.c); joints with `slide` set. */
#ifndef SN_SLIDE_H
#define SN_SLIDE_H

#include "model/coordinate.h"

/* Its place along the line, from the start. */
void sn_slide_coordinate(const sn_joint *joint, const double *q0, sn_coordinate *coordinate);
/* Force and moment on the second body, added. */
void sn_slide_reaction(const sn_joint *joint, const sn_eval *eval, const double about[3], double F[3], double M[3]);
/* Its sliding speed while friction has not its full value, which is below the creep speed; otherwise 0. */
double sn_slide_creep(const sn_joint *joint, const double *q, const double *v);
/* Is the point beyond an end of the line that has no stop? */
bool sn_slide_has_left(const sn_joint *joint, const double *q);

#endif
