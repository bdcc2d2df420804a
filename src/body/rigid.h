/* rigid.h - what the rigid body in space and in the plane share. */
#ifndef SN_RIGID_H
#define SN_RIGID_H

#include "body/bodies.h"

typedef struct sn_rigid_spec {
  sn_spec spec;
  double position[3], rotation[4];
  double from[3], to[3];
  double mass, inertia[6], density;
  const sn_spec *shape;
  double velocity[3], angular_velocity[3];
  sn_point_map points;
} sn_rigid_spec;

/* The instances of a model in space. */
typedef struct sn_rigid_item {
  int first, group;   /* of its coordinates */
  double m, J[6], J0; /* J: xx yy zz xy xz yz, body axes; J0 = trace(J)/3, see rigid.c */
  double inverse[6];  /* J^-1 */
} sn_rigid_item;
const sn_rigid_item *sn_rigid_items(const sn_model *model, int *count);

/* Mass and inertia (6) from the spec; a named point; its geometry.
 * half: half the distance from-to, 0 without. */
bool sn_rigid_inertia(sn_compiler *compiler, const sn_rigid_spec *spec, double length, double *m, double J[6]);
bool sn_rigid_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, double half, double local[3]);
void sn_rigid_geometry(const sn_rigid_spec *spec, double half, sn_geometry *geometry);
extern const sn_body_ops sn_rigid_planar;

#endif
