/* bodies.h - what the user writes about bodies: the specs of the body kinds. */
#ifndef SN_BODIES_H
#define SN_BODIES_H

#include "model/model.h"

typedef struct sn_ground_spec {
  sn_spec spec;
  sn_point_map points;
} sn_ground_spec;

typedef struct sn_point_mass_spec {
  sn_spec spec;
  double mass;
  double position[3], velocity[3];
  sn_marker_ref attach;
} sn_point_mass_spec;

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
  int elements;
  const sn_spec *material, *section;
  int curvature; /* 0 geometric, 1 material */
  int bending;   /* 0 scalar, 1 planar */
  double stiffness_damping, mass_damping;
  double velocity[3], angular_velocity[3];
} sn_cable_spec;

/* body.name or body.at(x, y, z) in body axes; the origin when no point is named and none is needed. */
bool sn_local_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, const sn_point_map *points,
                    double local[3]);

#endif
