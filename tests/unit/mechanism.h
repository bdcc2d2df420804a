/* mechanism.h - random mechanisms as model texts: open chains, trees, closed loops in the plane and in space, repeated
 * constraints, flexible parts, drivers, systems that fly free.
 *
 * The same seed gives the same mechanism every time. It may be turned as a whole, gravity and loads included, and its
 * bodies, joints and forces may stand in another order: neither changes the mechanism.
 */
#ifndef MECHANISM_H
#define MECHANISM_H

#include <stdbool.h>
#include <stdint.h>

#include "run/trial.h"

typedef enum family {
  CHAIN,         /* rigid, in space, one hanging on the other */
  BRANCHED,      /* rigid, in space, several on one */
  PLANE_LOOP,    /* planar: closed loop */
  SPACE_LOOP,    /* rigid, in space, closed loop with as many equations as it needs */
  REPEATED,      /* rigid, equations that repeat each other: plane loops of spatial hinges, doors, rails */
  SOFT,          /* chain with soft beams, cables, floating bodies */
  STIFF,         /* the same of steel */
  FLEXIBLE_LOOP, /* plane loop of spatial hinges with a flexible link */
  DRIVEN_CHAIN,  /* chain with a driver at its root, gears */
  FLYING,        /* no gravity, nothing held */
  FAMILIES
} family;
extern const char *const family_names[FAMILIES];

typedef struct mechanism_options {
  const double *turn; /* [4] Euler parameters; NULL: as it is */
  uint64_t shuffle;   /* order of bodies, joints and forces; 0: as it is */
  double damping;     /* springs with dampers on all bodies, mass damping of flexible ones [1/s]; 0: as it comes */
  double internal;    /* stiffness damping of flexible bodies [s] */
} mechanism_options;

/* The text up to its analysis, in the arena. Outputs are in the same order however it is shuffled: points of all
 * bodies, then reactions of all joints. */
char *mechanism_text(sn_arena *arena, family kind, uint64_t seed, const mechanism_options *options);

/* One run with 50 output times, `integrator` as in "{type: hht-i3, tolerance: 1e-6}". A model that is wrong fails the
 * test; a run that fails is told in the trial. */
void mechanism_run(family kind, uint64_t seed, const mechanism_options *options, const char *integrator,
                   double duration, sn_trial *trial);

#endif
