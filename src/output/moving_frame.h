/* moving_frame.h - motion of the frame of a marker. */
#ifndef SN_MOVING_FRAME_H
#define SN_MOVING_FRAME_H

#include "model/compile.h"

/* Probes of the origin and the axes. */
typedef struct sn_moving_frame {
  sn_probe origin, axis[3];
  int axes; /* 3; planar models: 1, the first; 0: those of the ground */
} sn_moving_frame;

/* All in global components. */
typedef struct sn_frame_motion {
  double r[3], v[3], a[3]; /* of the origin */
  double e[3][3];          /* unit axes */
  double w[3], alpha[3];   /* angular velocity and acceleration */
} sn_frame_motion;

/* The frame of a marker, or in planar models of the tangent where it has no frame. NULL: it has neither. */
sn_moving_frame *sn_moving_frame_of(sn_compiler *compiler, const sn_marker *marker);
/* The origin alone, with global axes. */
sn_moving_frame *sn_moving_point_of(sn_compiler *compiler, const sn_marker *marker);

void sn_frame_motion_at(const sn_moving_frame *frame, const sn_eval *eval, sn_frame_motion *motion);

/* The motion of `frame` as it is seen in the axes of `from`, in these axes. */
void sn_frame_motion_relative(const sn_frame_motion *from, sn_frame_motion *motion);

#endif
