/* line.h - reference lines of cables and beams: straight, circular arc, smooth through points. */
#ifndef SN_LINE_H
#define SN_LINE_H

#include "model/compile.h"
#include "model/materials.h"

/* Points at equal arc length along a line and unit tangents there. All return the length of the line, 0 when it
 * degenerates (points that coincide or, for an arc, lie on a straight line). */
double sn_line_straight(const double from[3], const double to[3], int elements, double (*r)[3], double (*t)[3]);
double sn_line_arc(const double from[3], const double via[3], const double to[3], int elements, double (*r)[3],
                   double (*t)[3]);
double sn_line_spline(sn_arena *arena, int count, const double (*point)[3], int elements, double (*r)[3],
                      double (*t)[3]);

/* What cables and beams have in common, the first member of their specs: a reference line (from and to, from-via-to, or
 * through), its shape without stress, material and sections, motion at the start. */
typedef struct sn_line_spec {
  sn_spec spec;
  double from[3], to[3], via[3];
  sn_points through;
  int rest; /* SN_REST_CURVE: as at the start */
  sn_points rest_through;
  double rest_length;
  int elements;
  const sn_spec *material, *section, *section_end;
  const sn_expr *taper; /* 0: section, 1: section_end, function of s */
  double stiffness_damping, mass_damping;
  double velocity[3], angular_velocity[3];
} sn_line_spec;
enum { SN_REST_CURVE, SN_REST_STRAIGHT }; /* choices of `rest` */

/* Its fields, in three parts: before the section, behind it, and at the end of the table. */
#define SN_LINE_FIELDS                                                                                               \
  {"from",                                                                                                           \
   SN_VECTOR,                                                                                                        \
   SN_AT(sn_line_spec, from),                                                                                        \
   .example = "[0, 0, 0]",                                                                                           \
   .unit = "m",                                                                                                      \
   .help = "first end of the reference line"},                                                                       \
      {"to",                                                                                                         \
       SN_VECTOR,                                                                                                    \
       SN_AT(sn_line_spec, to),                                                                                      \
       .example = "[1, 0, 0]",                                                                                       \
       .unit = "m",                                                                                                  \
       .help = "second end of the reference line"},                                                                  \
      {"via", SN_VECTOR, SN_AT(sn_line_spec, via), .unit = "m",                                                      \
       .help = "third point; the line is the circular arc through from, via and to"},                                \
      {"through", SN_POINTS, SN_AT(sn_line_spec, through), .unit = "m",                                              \
       .help = "points of a smooth line, instead of from and to; stress-free in this shape unless 'rest' is given"}, \
      {"rest",                                                                                                       \
       SN_CHOICE,                                                                                                    \
       SN_AT(sn_line_spec, rest),                                                                                    \
       .def = "curve",                                                                                               \
       .choices = "curve|straight",                                                                                  \
       .help =                                                                                                       \
           "shape without stress: as it starts, or straight, so that a line that starts bent (a rope laid over a "   \
           "pulley) is under stress"},                                                                               \
      {"rest_length",                                                                                                \
       SN_REAL,                                                                                                      \
       SN_AT(sn_line_spec, rest_length),                                                                             \
       .unit = "m",                                                                                                  \
       .limits = SN_POSITIVE,                                                                                        \
       .help = "stress-free length of a line that is straight at rest; default: the initial length"},                \
      {"rest_through", SN_POINTS, SN_AT(sn_line_spec, rest_through), .unit = "m",                                    \
       .help =                                                                                                       \
           "points of the stress-free shape, at any position; its length is distributed uniformly along the line"},  \
      {"elements",                                                                                                   \
       SN_INT,                                                                                                       \
       SN_AT(sn_line_spec, elements),                                                                                \
       .def = "8",                                                                                                   \
       .limits = SN_BETWEEN(1, 1000000),                                                                             \
       .help = "number of elements"},                                                                                \
  {                                                                                                                  \
    "material", SN_MATERIAL, SN_AT(sn_line_spec, material), .required = true, .help = "name of a material"           \
  }
#define SN_TAPER_FIELDS                                                                                        \
  {"section_end", SN_SECTION, SN_AT(sn_line_spec, section_end),                                                \
   .help = "section at the second end, of the same type; dimensions vary linearly in between"},                \
  {                                                                                                            \
    "taper", SN_PROFILE, SN_AT(sn_line_spec, taper),                                                           \
        .def = "s", .help = "interpolation from 'section' (0) to 'section_end' (1), function of s from 0 to 1" \
  }
#define SN_LINE_MOTION_FIELDS(constants)                                                                \
  {"stiffness_damping",                                                                                 \
   SN_REAL,                                                                                             \
   SN_AT(sn_line_spec, stiffness_damping),                                                              \
   .unit = "s",                                                                                         \
   .def = "0",                                                                                          \
   .limits = SN_NOT_NEGATIVE,                                                                           \
   .help = "Kelvin-Voigt damping: stress = this times " constants " times the strain rate"},            \
      {"mass_damping",                                                                                  \
       SN_REAL,                                                                                         \
       SN_AT(sn_line_spec, mass_damping),                                                               \
       .unit = "1/s",                                                                                   \
       .def = "0",                                                                                      \
       .limits = SN_NOT_NEGATIVE,                                                                       \
       .help = "mass-proportional damping: force = -this M v"},                                         \
      {"velocity",    SN_VECTOR,          SN_AT(sn_line_spec, velocity),                                \
       .unit = "m/s", .def = "[0, 0, 0]", .help = "initial velocity of the first end"},                 \
      {"angular_velocity", SN_VECTOR,          SN_AT(sn_line_spec, angular_velocity),                   \
       .unit = "rad/s",    .def = "[0, 0, 0]", .help = "initial angular velocity about the first end"}, \
  {                                                                                                     \
    0                                                                                                   \
  }

static inline const sn_line_spec *sn_line_of(const sn_spec *spec) {
  return (const sn_line_spec *)(const void *)spec;
}

/* Is exactly one line given, and one shape without stress? A stiff material, sections of one type? False after
 * reporting. */
bool sn_line_check(sn_reader *reader, const sn_line_spec *line);
/* Is the shape without stress curved? */
bool sn_line_rests_curved(const sn_line_spec *line);
/* Nodes of the line: r and r' at the start, r0 and r0' without stress. */
typedef struct sn_line_shape {
  double (*r)[3], (*t)[3], (*r0)[3], (*t0)[3]; /* [elements + 1] */
} sn_line_shape;
/* Both shapes, in `scratch`. Returns the length without stress, 0 after reporting a line without length. */
double sn_line_lay_out(sn_reader *reader, const sn_line_spec *line, sn_arena *scratch, sn_line_shape *shape);
/* The section at `place` in [0, 1] along the line. */
const sn_spec *sn_line_section(const sn_line_spec *line, double place, sn_section_space *space);
/* A profile may lead anywhere: is there a section along the whole line? False after reporting. */
bool sn_line_has_section(sn_reader *reader, const sn_line_spec *line);
/* Section, elements and stiffness of a body along a line; `length` of an element. Returns the section. */
const sn_spec *sn_line_geometry(const sn_line_spec *line, double length, sn_section_space *space,
                                sn_geometry *geometry);

#endif
