/* beam_body.h - what the kinds beam and beam2d share: compiling, markers, looks. */
#ifndef SN_BEAM_BODY_H
#define SN_BEAM_BODY_H

#include "body/beam_element.h"
#include "body/bodies.h"
#include "body/floating_beam.h"
#include "body/line.h"

enum { SN_BEAM_TIMOSHENKO, SN_BEAM_ELASTIC_LINE, SN_BEAM_SELECTIVE, SN_BEAM_CONTINUUM }; /* choices of `elastic` */
enum { SN_BEAM2D_SELECTIVE, SN_BEAM2D_CONTINUUM };                                       /* of beam2d */

/* The fields both kinds begin and end with; in between what is their own. */
#define SN_BEAM_LINE_FIELDS                                                                                   \
  {"from",                                                                                                    \
   SN_VECTOR,                                                                                                 \
   SN_AT(sn_beam_spec, from),                                                                                 \
   .example = "[0, 0, 0]",                                                                                    \
   .unit = "m",                                                                                               \
   .help = "first end of the reference line"},                                                                \
      {"to",                                                                                                  \
       SN_VECTOR,                                                                                             \
       SN_AT(sn_beam_spec, to),                                                                               \
       .example = "[1, 0, 0]",                                                                                \
       .unit = "m",                                                                                           \
       .help = "second end of the reference line"},                                                           \
      {"via", SN_VECTOR, SN_AT(sn_beam_spec, via), .unit = "m",                                               \
       .help = "third point; the line is the circular arc through from, via and to"},                         \
      {"through", SN_POINTS, SN_AT(sn_beam_spec, through), .unit = "m",                                       \
       .help =                                                                                                \
           "points of a smooth line, in place of from and to; free of stress as it lies, unless 'rest' says " \
           "otherwise"},                                                                                      \
      SN_REST_FIELDS(sn_beam_spec),                                                                           \
      {"elements",                                                                                            \
       SN_INT,                                                                                                \
       SN_AT(sn_beam_spec, elements),                                                                         \
       .def = "8",                                                                                            \
       .limits = SN_BETWEEN(1, 1000000),                                                                      \
       .help = "number of elements"},                                                                         \
  {                                                                                                           \
    "material", SN_MATERIAL, SN_AT(sn_beam_spec, material), .required = true, .help = "name of a material"    \
  }
#define SN_BEAM_TAPER_FIELDS                                                                                   \
  {"section_end", SN_SECTION, SN_AT(sn_beam_spec, section_end),                                                \
   .help = "section at the second end, of the same type; dimensions vary linearly in between"},                \
  {                                                                                                            \
    "taper", SN_PROFILE, SN_AT(sn_beam_spec, taper),                                                           \
        .def = "s", .help = "interpolation from 'section' (0) to 'section_end' (1), function of s from 0 to 1" \
  }
#define SN_BEAM_MOTION_FIELDS                                                                           \
  {"stiffness_damping",                                                                                 \
   SN_REAL,                                                                                             \
   SN_AT(sn_beam_spec, stiffness_damping),                                                              \
   .unit = "s",                                                                                         \
   .def = "0",                                                                                          \
   .limits = SN_NOT_NEGATIVE,                                                                           \
   .help = "Kelvin-Voigt damping: stress = this times the elastic constants times the strain rate"},    \
      {"mass_damping",                                                                                  \
       SN_REAL,                                                                                         \
       SN_AT(sn_beam_spec, mass_damping),                                                               \
       .unit = "1/s",                                                                                   \
       .def = "0",                                                                                      \
       .limits = SN_NOT_NEGATIVE,                                                                       \
       .help = "mass-proportional damping: force = -this M v"},                                         \
      {"velocity",    SN_VECTOR,          SN_AT(sn_beam_spec, velocity),                                \
       .unit = "m/s", .def = "[0, 0, 0]", .help = "initial velocity of the first end"},                 \
      {"angular_velocity", SN_VECTOR,          SN_AT(sn_beam_spec, angular_velocity),                   \
       .unit = "rad/s",    .def = "[0, 0, 0]", .help = "initial angular velocity about the first end"}, \
  {                                                                                                     \
    0                                                                                                   \
  }

/* ---- a body ---- */
void sn_beam_check(sn_reader *reader, const sn_spec *spec); /* line and material */
void sn_beam_compile(sn_compiler *compiler, sn_body *body);
bool sn_beam_marker(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker);
void sn_beam_point(const sn_marker *marker, sn_probe *probe);
void sn_beam_direction(const sn_marker *marker, const double direction[3], sn_probe *probe);
void sn_beam_vector(const sn_marker *marker, int k, sn_probe *probe); /* r_x, r_y, r_z */
void sn_beam_tangent(const sn_marker *marker, sn_probe *probe);
void sn_beam_resultants(const sn_marker *marker, const sn_eval *eval, double *values);
const char *sn_beam_doubt(const sn_body *body, const double *q, bool *bad);
void sn_beam_geometry(const sn_body *body, sn_geometry *geometry);

/* ---- an element (beam_setup.c) ---- */
sn_beam_sort sn_beam_sort_of(const sn_spec *spec, int n);
/* Numbers of an element of this sort. */
int sn_beam_fields(sn_beam_sort sort);
/* Fill them for element i, the one with this number along its beam, of length l between two nodes. */
void sn_beam_set_element(sn_beam_elements *e, int i, const sn_beam_spec *spec, sn_beam_sort sort, int number, double l,
                         const sn_beam_node node[2]);
/* The section at `place` in [0, 1] along the beam. */
const sn_spec *sn_beam_section(const sn_beam_spec *spec, double place, sn_section_space *space);

#endif
