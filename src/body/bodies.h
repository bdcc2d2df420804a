/* bodies.h - what the user writes about bodies: the specs of the body kinds. */
#ifndef SN_BODIES_H
#define SN_BODIES_H

#include "model/model.h"

typedef struct sn_ground_spec {
  sn_spec spec;
  sn_point_map points;
} sn_ground_spec;

typedef struct sn_rigid_spec {
  sn_spec spec;
  double position[3], rotation[4];
  double from[3], to[3];
  double mass, inertia[6], density;
  const sn_spec *shape;
  double velocity[3], angular_velocity[3];
  sn_point_map points;
} sn_rigid_spec;

typedef struct sn_cable_spec {
  sn_spec spec;
  double from[3], to[3], via[3];
  sn_points through;
  int rest; /* SN_REST_CURVE, SN_REST_STRAIGHT: shape without stress */
  sn_points rest_through;
  double rest_length;
  int elements;
  const sn_spec *material, *section, *section_end;
  const sn_expr *taper; /* 0: section, 1: section_end, function of s */
  int curvature;        /* 0 geometric, 1 material */
  int bending;          /* 0 auto, 1 scalar, 2 planar */
  double stiffness_damping, mass_damping;
  double velocity[3], angular_velocity[3];
} sn_cable_spec;

/* Huang's planar elements; planar-bar lacks theory and shear_factor. */
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
  double velocity[3], angular_velocity[3];
} sn_planar_beam_spec;

/* p.p - 1 = 0 for a group (r, p) of seven coordinates; while constraints are compiled. turns: let it turn in steps that
 * carry momentum, as the kind itself does not (see sn_batch_ops.advance). */
void sn_add_normalization(sn_compiler *compiler, const char *name, int first, int group, bool turns);
typedef struct sn_beam_spec { /* beam and beam2d */
  sn_spec spec;
  double from[3], to[3], via[3];
  sn_points through;
  int rest; /* SN_REST_CURVE, SN_REST_STRAIGHT: shape without stress */
  sn_points rest_through;
  double rest_length;
  int elements;
  const sn_spec *material, *section, *section_end;
  const sn_expr *taper; /* 0: section, 1: section_end, function of s */
  double up[3], rest_up[3];
  int elastic;         /* SN_BEAM_TIMOSHENKO, ... of beam_body.h */
  int plane;           /* beam2d: 0 stress, 1 strain */
  int volume;          /* beam2d: SN_BEAM2D_SELECTIVE, ... */
  double shear_factor; /* beam2d */
  double k2, k3;
  double stiffness_damping, mass_damping;
  double velocity[3], angular_velocity[3];
} sn_beam_spec;

/* body.name or body.at(x, y, z) in body axes; the origin when no point is named and none is needed. */
bool sn_local_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, const sn_point_map *points,
                    double local[3]);

/* body.start, body.end or body.at(s), s from 0 to 1 along a line of equal elements: which element, and where in it (0
 * to 1). */
bool sn_line_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, int elements, int *element,
                   double *s);

/* Resultants at a marker on such a line: `in` gives those of an element at s; at a node, where they jump a little, the
 * mean of both sides. */
void sn_line_resultants(const sn_marker *marker, int elements, const sn_eval *eval, int columns,
                        void (*in)(const sn_marker *, int, double, const sn_eval *, double *), double *values);

/* Shared by the rigid body in space and in the plane: mass and inertia (6) from the spec; a named point; its looks.
 * half: half the distance from-to, 0 without. */
bool sn_rigid_inertia(sn_compiler *compiler, const sn_rigid_spec *spec, double length, double *m, double J[6]);
bool sn_rigid_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, double half, double local[3]);
void sn_rigid_geometry(const sn_rigid_spec *spec, double half, sn_geometry *geometry);
extern const sn_body_ops sn_rigid_planar;

#endif
