/* joints.h - what the user writes about joints. */
#ifndef SN_JOINTS_H
#define SN_JOINTS_H

#include "model/model.h"

/* All joints begin with these; kinds without an axis leave it zero. */
typedef struct sn_joint_spec {
  sn_spec spec;
  sn_marker_ref between[2];
  double axis[3];
  int slope;                             /* fixed: 0 direction, 1 full */
  double length;                         /* distance */
  const sn_expr *rotation, *translation; /* motion */
} sn_joint_spec;

#define SN_BETWEEN_FIELD                                                                                    \
  {                                                                                                         \
    "between", SN_MARKERS, SN_AT(sn_joint_spec, between),                                                   \
        .required = true, .help = "two markers; a body alone means its point where the other marker starts" \
  }

/* Resolve both markers of a joint; false after reporting an error. */
bool sn_joint_markers(sn_compiler *compiler, sn_joint *joint);
/* The same where a marker may be a whole edge: resolve both, return the number of pairs of points (0 after an error),
 * and give pair k. The other side of an edge is a rigid body or the ground, named without a point, or another edge. */
int sn_joint_points(sn_compiler *compiler, sn_joint *joint);
void sn_joint_pair(const sn_compiler *compiler, const sn_joint *joint, int k, sn_marker pair[2]);
/* Slope k of the surface on one side of a pair stays the vector it is, seen from the other side (3 equations). */
void sn_joint_tie_slope(sn_compiler *compiler, const sn_joint *joint, int row, const sn_marker pair[2], int side,
                        int k);
/* The axis as a unit vector; false after reporting a zero one. */
bool sn_joint_axis(sn_compiler *compiler, const sn_joint *joint, const double given[3], double axis[3]);

#endif
