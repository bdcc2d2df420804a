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

/* What the user writes about a line: from and to, from-via-to, or through; and about its shape without stress. */
typedef struct sn_line_spec {
  const double *from, *to, *via;
  const sn_points *through;
  int rest; /* SN_REST_CURVE: as at the start */
  const sn_points *rest_through;
  double rest_length;
} sn_line_spec;
enum { SN_REST_CURVE, SN_REST_STRAIGHT }; /* choices of `rest` */

/* The fields of the shape without stress; `spec` has the members rest, rest_through and rest_length. */
#define SN_REST_FIELDS(spec)                                                                                           \
  {"rest",                                                                                                             \
   SN_CHOICE,                                                                                                          \
   SN_AT(spec, rest),                                                                                                  \
   .def = "curve",                                                                                                     \
   .choices = "curve|straight",                                                                                        \
   .help =                                                                                                             \
       "shape without stress: as it starts, or straight, so that a line that starts bent (a rope laid over a "         \
       "pulley) is under stress"},                                                                                     \
      {"rest_length",                                                                                                  \
       SN_REAL,                                                                                                        \
       SN_AT(spec, rest_length),                                                                                       \
       .unit = "m",                                                                                                    \
       .limits = SN_POSITIVE,                                                                                          \
       .help = "stress-free length of a line that is straight at rest; default: the initial length"},                  \
  {                                                                                                                    \
    "rest_through", SN_POINTS, SN_AT(spec, rest_through),                                                              \
        .unit = "m",                                                                                                   \
        .help = "points of the stress-free shape, at any position; its length is distributed uniformly along the line" \
  }

/* Is exactly one line given, and one shape without stress? False after reporting. */
bool sn_line_check(sn_reader *reader, const sn_spec *spec, int rest);
/* Nodes of the line a spec describes. */
double sn_line_nodes(const sn_spec *spec, const sn_line_spec *line, sn_arena *scratch, int elements, double (*r)[3],
                     double (*t)[3]);
/* Is the shape without stress curved? */
bool sn_line_rests_curved(const sn_spec *spec, int rest);
/* Nodes r0, t0 of the shape without stress, of the line whose `length` and nodes r, t are those of the start. Returns
 * its length, 0 when it degenerates; t then has the stretch at the start as its length. */
double sn_line_rest(const sn_spec *spec, const sn_line_spec *line, sn_arena *scratch, int elements, double length,
                    double (*r)[3], double (*t)[3], double (*r0)[3], double (*t0)[3]);
/* Report a line without length. */
void sn_line_degenerate(sn_reader *reader, const sn_spec *spec);

#endif
