/* planar_beam.h - Huang's planar elements: what the three formulations share. */
#ifndef SN_PLANAR_BEAM_H
#define SN_PLANAR_BEAM_H

#include "body/bodies.h"
#include "body/floating_beam.h"
#include "model/compile.h"
#include "model/materials.h"

enum { SN_IRF, SN_ANCF_S, SN_FRF };
enum { SN_BAR, SN_EULER_BERNOULLI, SN_TIMOSHENKO };

/* Of planar-bar and planar-beam; planar-bar lacks theory and shear_factor. */
typedef struct sn_planar_beam_spec {
  sn_spec spec;
  double from[3], to[3];
  int elements;
  const sn_spec *material, *section;
  int formulation; /* 0 irf, 1 ancf-s, 2 frf */
  int theory;      /* 0 bar, 1 euler-bernoulli, 2 timoshenko */
  double shear_factor;
  int mass; /* irf beams: 0 consistent, 1 constant */
  bool rotary_inertia;
  int axial_strain; /* irf beams: 0 mean, 1 chord */
  double velocity[3], angular_velocity[3];
} sn_planar_beam_spec;

typedef struct sn_planar_beam {
  int elements, formulation, theory;
  bool constant;            /* irf beams: constant mass */
  bool bowed;               /* irf beams: mean strain of the bent element */
  bool rotary;              /* with the inertia of turning sections */
  double l;                 /* of an element */
  double angle, tangent[3]; /* at the start */
  double P;                 /* shear, see beam_shape.h */
  sn_section_values section;
  const sn_material_spec *material;
  double shear;                    /* factor; 0 without shear */
  const sn_frame_beam *frame_beam; /* one element, along x */
  const sn_floating_place *middle; /* frf: of an element */
  const char *doubt;               /* frf: what is told where elements bend much */
} sn_planar_beam;

/* Position and velocity of node i. */
void sn_planar_node(const sn_planar_beam_spec *spec, const sn_planar_beam *own, int i, double r[2], double v[2]);
void sn_planar_axes(const sn_marker *marker, double axes[3][3]);
void sn_planar_geometry(const sn_body *body, sn_geometry *geometry);

/* One floating frame per element, tangent at its start, joined by constraints (planar_frf.c). */
void sn_planar_frf_compile(sn_compiler *compiler, sn_body *body);
extern const sn_body_ops sn_planar_frf_bar_ops, sn_planar_frf_beam_ops;

#endif
