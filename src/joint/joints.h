/* joints.h - what the kinds of joints share: the head of their specs, and what they need when they compile. */
#ifndef SN_JOINTS_H
#define SN_JOINTS_H

#include "model/model.h"

/* What joints between two markers have in common, the first member of their specs; those without an axis leave it zero.
 * Fields of one kind stand in its file. */
typedef struct sn_joint_spec {
  sn_spec spec;
  sn_marker_ref between[2];
  double axis[3];
  const char *carrier; /* body that carries the axis between two lines; NULL: not given */
} sn_joint_spec;

#define SN_BETWEEN_FIELD                                                                                              \
  {                                                                                                                   \
    "between", SN_MARKERS, SN_AT(sn_joint_spec, between),                                                             \
        .required = true,                                                                                             \
        .help =                                                                                                       \
            "two markers; if one is given as a body only, its point is the one that coincides with the other marker " \
            "at the start"                                                                                            \
  }
#define SN_AXIS_FIELD(what, ...) \
  { "axis", SN_VECTOR, SN_AT(sn_joint_spec, axis), __VA_ARGS__, .help = what " at the start, global" }
/* Kinds with this field serve two cables in space. */
#define SN_CARRIER_FIELD                                                                                              \
  {                                                                                                                   \
    "carrier", SN_BODY_NAME, SN_AT(sn_joint_spec, carrier),                                                           \
        .help =                                                                                                       \
            "between two cables: rigid body or ground that carries the axis, since cables have no section axes; the " \
            "cables do not twist relative to it (see theory: the frame of a cable). Default: the ground"              \
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
/* The axis as a unit vector, also kept in the joint with its frame; false after reporting a zero one. */
bool sn_joint_axis(sn_compiler *compiler, sn_joint *joint, const double given[3], double axis[3]);
/* The marker (0 or 1) whose frame carries the axis, the first if it can; -1 after reporting that none has a frame.
 * `instead`: joints that do without. Of two lines the first gets a frame, see sn_joint_line_frame. */
int sn_joint_carrier(sn_compiler *compiler, sn_joint *joint, const char *instead);
/* Give the line at a marker (0, 1) a frame whose reference direction is the part of `axis` normal to the line. In space
 * a carrier holds it: the body named in the joint, or the ground, which is noted. False after reporting. */
bool sn_joint_line_frame(sn_compiler *compiler, sn_joint *joint, int side, const double axis[3]);
/* A joint that acts on the orientation of a beam's section at a marker (0, 1) keeps that section from shearing in its
 * own plane, r_y.r_z = constant, unless another joint does so already; nothing on other bodies. After the joint's own
 * rows. */
void sn_joint_hold(sn_compiler *compiler, sn_joint *joint, int side, const sn_marker *marker);
/* Does a joint hold this section already? From now on one does. */
bool sn_joint_held(sn_compiler *compiler, const sn_marker *marker);
void sn_joint_hold_both(sn_compiler *compiler, sn_joint *joint);
/* Does its first multiplier pull, where the equation grows away from the contact? Rounding has no sign. l: NULL before
 * the first solution. */
bool sn_joint_pulls(const sn_model *model, const sn_joint *joint, const double *l);
/* Take markers, axis and frame of another joint. */
void sn_joint_as(sn_joint *joint, const sn_joint *of);
/* Sliding joints: false after reporting an axis that leaves the plane of a planar model. */
bool sn_joint_in_plane(sn_compiler *compiler, const sn_joint *joint);
/* Joints that turn: false after reporting an axis that is not normal to the plane of a planar model. */
bool sn_joint_across_plane(sn_compiler *compiler, const sn_joint *joint);
/* Report a kind that planar models do without. */
void sn_joint_only_in_space(sn_compiler *compiler, const sn_joint *joint, const char *instead);

/* ---- pieces of joints; `carrier` is the marker whose frame carries the axis, the other one is meant otherwise ---- */

/* Equations that keep the other side parallel to the axis: 2 for a frame, 2 for a line along the axis, 1 for a line
 * normal to it; in a planar model 1. 0 after reporting that it has no orientation, or a slanting one. */
int sn_parallel_rows(sn_compiler *compiler, const sn_joint *joint, int carrier, const char *instead);
void sn_add_parallel(sn_compiler *compiler, const sn_joint *joint, int row, int carrier);
/* The other point stays at 0 along `direction` from the carrier's. */
void sn_add_slide(sn_compiler *compiler, const sn_joint *joint, int row, int carrier, const double direction[3]);
/* ... on the line through the carrier's point along the axis: 2 equations, 1 in a planar model; returns the next row.
 */
int sn_add_on_line(sn_compiler *compiler, const sn_joint *joint, int row, int carrier);
static inline int sn_line_rows(const sn_model *model) {
  return model->dim - 1;
}

#endif
