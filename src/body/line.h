/* line.h - reference lines of cables and beams: straight, circular arc, smooth through points. */
#ifndef SN_LINE_H
#define SN_LINE_H

#include "base/base.h"

/* Points at equal arc length along a line and unit tangents there. All return the length of the line, 0 when it
 * degenerates (points that coincide or, for an arc, lie on a straight line). */
double sn_line_straight(const double from[3], const double to[3], int elements, double (*r)[3], double (*t)[3]);
double sn_line_arc(const double from[3], const double via[3], const double to[3], int elements, double (*r)[3],
                   double (*t)[3]);
double sn_line_spline(sn_arena *arena, int count, const double (*point)[3], int elements, double (*r)[3],
                      double (*t)[3]);

#endif
