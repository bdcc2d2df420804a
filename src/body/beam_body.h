/* beam_body.h - what the kinds beam and beam2d share: specs, compiling, markers, geometry. */
#ifndef SN_BEAM_BODY_H
#define SN_BEAM_BODY_H

#include "body/beam_element.h"
#include "body/bodies.h"
#include "body/floating_beam.h"
#include "body/line.h"

enum { SN_BEAM_TIMOSHENKO, SN_BEAM_ELASTIC_LINE, SN_BEAM_SELECTIVE, SN_BEAM_CONTINUUM }; /* choices of `elastic` */
enum { SN_BEAM2D_SELECTIVE, SN_BEAM2D_CONTINUUM };                                       /* of beam2d */

typedef struct sn_beam_spec {
  sn_line_spec line;
  double up[3], rest_up[3];
  const sn_expr *twist, *rest_twist; /* angle of the section about the line, functions of s; NULL: none */
  int elastic;                       /* SN_BEAM_TIMOSHENKO, ... */
  double k2, k3;
} sn_beam_spec;

typedef struct sn_beam2d_spec {
  sn_line_spec line;
  int plane;   /* 0 stress, 1 strain */
  int elastic; /* SN_BEAM2D_SELECTIVE, ... */
  double shear_factor;
} sn_beam2d_spec;

static inline const sn_beam_spec *sn_beam_of(const sn_spec *spec) {
  return (const sn_beam_spec *)(const void *)spec;
}
static inline const sn_beam2d_spec *sn_beam2d_of(const sn_spec *spec) {
  return (const sn_beam2d_spec *)(const void *)spec;
}

/* ---- a body ---- */
void sn_beam_compile(sn_compiler *compiler, sn_body *body);
bool sn_beam_marker(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, sn_marker *marker);
void sn_beam_point(const sn_marker *marker, sn_probe *probe);
void sn_beam_direction(const sn_marker *marker, const double direction[3], sn_probe *probe);
void sn_beam_axes(const sn_marker *marker, double axes[3][3]);
void sn_beam_vector(const sn_marker *marker, int k, sn_probe *probe); /* r_x, r_y, r_z */
void sn_beam_tangent(const sn_marker *marker, sn_probe *probe);
void sn_beam_resultants(const sn_marker *marker, const sn_eval *eval, const double (*load)[3], double *values);
const char *sn_beam_doubt(const sn_body *body, const double *q, bool *bad);
void sn_beam_geometry(const sn_body *body, sn_geometry *geometry);

/* ---- an element (beam_setup.c) ---- */
/* Is the shape without stress of a beam in n dimensions twisted, or at all other than straight? */
bool sn_beam_rests_twisted(const sn_spec *spec, int n);
bool sn_beam_rests_curved(const sn_spec *spec, int n);
sn_beam_sort sn_beam_sort_of(const sn_spec *spec, int n);
/* Torsion constant of a beam in space where it has this section: that of the section, or of plane sections. */
double sn_beam_torsion_constant(const sn_spec *spec, const sn_spec *section);
/* Numbers of an element of this sort. */
int sn_beam_fields(sn_beam_sort sort);
/* Fill them for element i, the one with this number along its beam, of length l between two nodes. */
void sn_beam_set_element(sn_beam_elements *e, int i, const sn_spec *spec, sn_beam_sort sort, int number, double l,
                         const sn_beam_node node[2]);

#endif
