/* rope_mass.h - the mass of a rope through pulleys: its Lagrangian (rope_inertia.c) and the batch of it (rope_mass.c).
 *
 * The motion of a rope is a vector x: centers of the stops, axes of the frame, scalars z (rope.h). Of the scalars only w
 * and tau are given; lengths and directions of spans follow from the rest. Numbers are complex: a derivative is the
 * imaginary part, where x, x' and x'' have one.
 */
#ifndef SN_ROPE_MASS_H
#define SN_ROPE_MASS_H

#include <complex.h>

#include "force/rope.h"
#include "model/compile.h"

enum { SN_ROPE_MOTION = 3 * SN_ROPE_STOPS + 9 + SN_ROPE_SCALARS };

typedef double complex sn_cx;

typedef struct sn_rope_arc { /* rope on a pulley or drum */
  double length;             /* at the start */
  double row[SN_ROPE_SCALARS];
  int segment[2];               /* it is stretched as the mean of these; -1: unstretched */
  bool held;                    /* it moves with the pulley, */
  double flow[SN_ROPE_SCALARS]; /* at the speed flow z' against its center */
} sn_rope_arc;

typedef struct sn_rope_node { /* an end of a span */
  double length;              /* of its segment up to here, at the start */
  double row[SN_ROPE_SCALARS];
} sn_rope_node;

typedef struct sn_rope_mass {
  const sn_rope *rope;
  int segment[SN_ROPE_SPANS]; /* of each span */
  sn_rope_node node[SN_ROPE_SPANS][2];
  double inflow[SN_ROPE_SPANS][SN_ROPE_SCALARS]; /* into segments: unstretched length, row times z' */
  sn_rope_arc arc[SN_ROPE_STOPS];
  const double *gravity; /* [3] of the model */
  /* sentences: more rope has run off a drum than was wound on it; its weight counts for friction */
  const char *empty, *heavy;
} sn_rope_mass;

/* Places in x. */
static inline int sn_rope_at_axis(const sn_rope *rope, int axis) {
  return 3 * rope->stops + 3 * axis;
}
static inline int sn_rope_at_scalar(const sn_rope *rope, int scalar) {
  return 3 * rope->stops + 9 + scalar;
}

typedef struct sn_rope_inertia {
  sn_cx f[SN_ROPE_MOTION];    /* d/dt dT/dx' - dT/dx + dV/dx, of centers, axes, w and tau */
  sn_cx kinetic, weight;      /* T, V */
  sn_cx p[SN_ROPE_STOPS][3];  /* momentum of each center */
  sn_cx along[SN_ROPE_STOPS]; /* momentum of what runs over each pulley */
} sn_rope_inertia;

/* x[0..2]: x, x', x''; the lengths and directions of spans are written into it. */
void sn_rope_inertia_at(const sn_rope_mass *mass, const double gravity[3], sn_cx x[3][SN_ROPE_MOTION],
                        sn_rope_inertia *out);

/* After the rope is compiled: all of its mass. `wound`: lengths on the drums at its ends at the start. */
void sn_add_rope_mass(sn_compiler *compiler, const sn_rope *rope, const double wound[2]);

#endif
