/* line.h - reference lines of cables and beams: straight, circular arc, smooth through points. */
#ifndef SN_LINE_H
#define SN_LINE_H

#include "model/compile.h"

/* Points at equal arc length along a line and unit tangents there. All return the length of the line, 0 when it
 * degenerates (points that coincide or, for an arc, lie on a straight line). */
double sn_line_straight(const double from[3], const double to[3], int elements, double (*r)[3], double (*t)[3]);
double sn_line_arc(const double from[3], const double via[3], const double to[3], int elements, double (*r)[3],
                   double (*t)[3]);
double sn_line_spline(sn_arena *arena, int count, const double (*point)[3], int elements, double (*r)[3],
                      double (*t)[3]);

/* What the user writes about a line: from and to, from-via-to, or through. */
typedef struct sn_line_spec {
  const double *from, *to, *via;
  const sn_points *through;
} sn_line_spec;

/* Is exactly one line given? False after reporting. */
bool sn_line_check(sn_reader *reader, const sn_spec *spec);
/* Nodes of the line a spec describes. */
double sn_line_nodes(const sn_spec *spec, const sn_line_spec *line, sn_arena *scratch, int elements, double (*r)[3],
                     double (*t)[3]);
/* Report a line without length. */
void sn_line_degenerate(sn_reader *reader, const sn_spec *spec);

#endif
