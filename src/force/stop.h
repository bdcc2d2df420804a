/* stop.h - elastic stops on joint coordinates, and play between them:
 *
 *   x = sum_k w_k phi_k,   depth d = x - max > 0 or min - x > 0
 *   F = k d^e (1 + c d') >= 0,   U = k d^(e+1)/(e + 1)                  (Hunt and Crossley)
 *   Q = -F dd/dq,   K = F d2d/dq2 + dF/dd G G' + dF/dd' G (dd'/dq)',   D = dF/dd' G G',   G = dd/dq
 *
 * A rigid stop has a restitution e in place of a stiffness: impulses of symplectic-euler hold it (system/joint_impulses.h).
 *
 * F and its slope by d' are continuous where the stop is touched. Angles of bodies in space are known modulo 2 pi, so x
 * is known modulo a period: it is the value nearest to the middle of the limits.
 */
#ifndef SN_STOP_H
#define SN_STOP_H

#include "joint/relation.h"

enum { SN_STOP_TERMS = 2 };

typedef struct sn_stop {
  const char *name;
  int terms;
  sn_coordinate phi[SN_STOP_TERMS];
  double w[SN_STOP_TERMS];
  double min, max; /* -INFINITY, INFINITY: none */
  double period;   /* 0: none */
  double k, e, c;
  bool rigid;         /* k = 0; other forces than impulses do not hold it */
  double restitution; /* of a rigid one */
} sn_stop;

/* All stops of a model. */
int sn_stops_of(const sn_model *model, const sn_stop **list);
/* x, x' and x'' at a state. */
void sn_stop_motion(const sn_stop *stop, const double *q, const double *v, const double *a, double x[3]);
/* dx/dq, added to the global vector g[n]. */
void sn_stop_gradient(const sn_stop *stop, const double *q, double *g);

#endif
