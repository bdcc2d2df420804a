/* curve.h - a smooth curve given by points or by formulas, in the axes of the body that carries it.
 *
 *   c(u) in pieces between knots: polynomials of degree 5 with given c, c', c'' at both ends, so c is continuous to its
 *   second derivative. Points: u is the length of the chords, c the cubic spline (which these polynomials reproduce),
 *   periodic where the curve is closed, otherwise with end slopes by differences of four points. Formulas of s: u = s,
 *   c, c', c'' exact at the knots.
 *   Beyond its ends an open curve continues as c + c' x + c'' x^2/2.
 */
#ifndef SN_CURVE_H
#define SN_CURVE_H

#include "model/compile.h"

typedef struct sn_curve {
  int pieces;
  bool closed;
  const double *knot;        /* [pieces + 1] */
  const double (*k)[6][3];   /* [pieces] coefficients of powers of u - knot */
  int samples;               /* points along it from which searches start */
  const double (*sample)[3]; /* [samples] */
  const double *sample_u;    /* [samples] */
  double length;             /* of the chords of the samples */
} sn_curve;

/* What the user writes: points, or formulas of s from 0 to 1; global, at the start. */
typedef struct sn_curve_spec {
  sn_points points;
  const sn_expr *formula[3];
  bool closed;
} sn_curve_spec;

#define SN_CURVE_FIELDS(spec, member, closed_def, shown)                                                              \
  {"points", SN_POINTS, SN_AT(spec, member.points), .unit = "m",                                                      \
   .help = "points of the curve at the start, global; a cubic spline goes through them"},                             \
      {"curve",                                                                                                       \
       SN_PROFILE3,                                                                                                   \
       SN_AT(spec, member.formula),                                                                                   \
       .unit = "m",                                                                                                   \
       .help = "instead of points: x, y, z of the curve at the start, global, as functions of s from 0 to 1",         \
       .example = shown},                                                                                             \
  {                                                                                                                   \
    "closed", SN_BOOL, SN_AT(spec, member.closed),                                                                    \
        .def = closed_def,                                                                                            \
        .help =                                                                                                       \
            "does the curve return to its first point? That point is not repeated in the list. A run ends where the " \
            "point leaves an open curve"                                                                              \
  }

/* For the check of a kind: are points or formulas given, and not both? */
void sn_curve_check(sn_reader *reader, const sn_spec *spec);
/* The curve in coordinates axis[k].(x - origin), k < axes (2: the rest must be constant). NULL after reporting. */
const sn_curve *sn_make_curve(sn_compiler *compiler, const sn_spec *spec, const sn_curve_spec *given,
                              const double origin[3], const double axis[3][3], int axes);

/* c, c', c'', c''' at u. */
void sn_curve_at(const sn_curve *curve, double u, double c[4][3]);
/* u of the point of the curve nearest to d. */
double sn_curve_nearest(const sn_curve *curve, const double d[3]);
/* u of the point farthest along m. */
double sn_curve_farthest(const sn_curve *curve, const double m[3]);
/* How far beyond an end of an open curve, as a part of its range; 0: between them. */
double sn_curve_beyond(const sn_curve *curve, double u);
/* Directions b, b_1, b_2 for the normals of a curve in space; the least t.b: normals are singular at -1. */
double sn_curve_base(const sn_curve *curve, double base[3][3]);

#endif
