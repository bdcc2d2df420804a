/* buckling.h - shared by the files of buckling. Private. */
#ifndef SN_BUCKLING_H
#define SN_BUCKLING_H

#include "analysis/modes.h"
#include "analysis/statics.h"

typedef struct sn_buckling_work {
  sn_simulation *simulation;
  double s0;
  sn_state rest;            /* in equilibrium at s0 */
  sn_state before;          /* the one before */
  sn_state moved;           /* along the linear response */
  double shift;             /* of M in K, where something is free to move and no load acts there */
  double *z;                /* [n + m] linear response to the loads */
  double *force;            /* [n + m] dQ/ds */
  sn_matrix *general;       /* S with its unsymmetric part */
  bool follows;             /* the loads are conservative, and the start is in equilibrium: there is a path to follow */
  int steps;                /* made along it, */
  double step, top;         /* the last one; and a load factor at which it is unstable */
  sn_statics_work *statics; /* for it */
} sn_buckling_work;

/* How much the first shape u, at the factor f, is that of a linearization that holds. */
typedef struct sn_buckling_quality {
  double left; /* sn_buckling_left: should be gone */
  double own;  /* what of its change the response within u itself makes: a limit point rather than a bifurcation */
} sn_buckling_quality;

/* The state with the load factor s0 + f along the linear response. */
sn_state *sn_buckling_along(sn_buckling_work *buckling, double f);
/* u'K u there. */
double sn_buckling_stiffness(sn_buckling_work *buckling, double f, const double *u);

/* What of it is left there; at most this of a load factor that is right to about as much. */
static const double SN_BUCKLING_MARGIN = 0.05;
double sn_buckling_left(sn_buckling_work *buckling, double f, const double *u);

sn_buckling_quality sn_buckling_judge(sn_buckling_work *buckling, double f, const double *u);
/* Does the first factor f say where the structure buckles? */
bool sn_buckling_holds(sn_buckling_work *buckling, sn_buckling_quality quality, double f);
/* The equilibrium nearer to the first load factor f, on the stable side of it, becomes the state at rest; false: there is
 * none, or it is not looked for. */
bool sn_buckling_follow(sn_buckling_work *buckling, sn_buckling_quality quality, double f);
/* Back from there, where it is so near that K is singular up to rounding; false: not from the start. */
bool sn_buckling_retreat(sn_buckling_work *buckling);

#endif
