/* plane.h - does a model in space move in one plane? */
#ifndef SN_PLANE_H
#define SN_PLANE_H

#include "model/field.h"

/* Is everything in the model its own mirror image in the plane through `point` with the unit `normal`, so that what
 * starts in the plane stays in it? Only what is known to be so counts: false for kinds that are not listed in plane.c.
 * Functions of time are looked at in many places, not everywhere. */
bool sn_moves_in_plane(const sn_document *document, const double point[3], const double normal[3]);

/* The plane of a few points: its unit normal, and whether they lie in one (false on a straight line too). */
bool sn_plane_of(int count, const double (*point)[3], double normal[3]);

#endif
