/* friction.h - dry and viscous friction in joints: the force or moment against the speed u of a joint coordinate, or the
 * moment against the relative angular velocity w of a spherical joint, u = |w|.
 *
 *   f = B s(u) rho(u/c) + d u,   B = mu r N + C            N: joint/bearing.h; r: radius, 1 for a travel
 *   rho(z) = z (3 - z^2)/2 for z < 1, 1 beyond             c: creep speed
 *   s(u) = b for u < c, 1 + (b - 1) exp(-((u - c)/u_s)^2) beyond        b: breakaway, u_s: Stribeck speed
 *
 * f = k(u) u with k and k'(u)/u finite at rest: the same formulas serve numbers and vectors. The force is smooth but for
 * a jump of its second derivative by u at u = c.
 */
#ifndef SN_FRICTION_H
#define SN_FRICTION_H

#include "joint/bearing.h"
#include "model/coordinate.h"

typedef struct sn_friction {
  const char *name;
  double mu, constant, breakaway, stribeck, viscous, creep; /* mu: times the radius */
  sn_bearing bearing;
  sn_group_set set; /* groups of the coordinate or the axes, then of the bearing */
  bool ball;        /* spherical: */
  sn_probe axis[2][3];
  int axis_at[2][3][SN_PROBE_GROUPS];
  sn_coordinate phi; /* others */
  const int *place;  /* [coordinates of phi] local ones */
} sn_friction;

/* k, k'/u and dk/dN at the speed u >= 0 under the force N, and the part of k that is not viscous. */
typedef struct sn_rub {
  double k, bend, by_N, dry;
} sn_rub;
/* Without dry friction where that is solved for as impulses. */
sn_rub sn_friction_at(const sn_friction *x, const sn_eval *eval, double u, double N);

extern const sn_batch_ops sn_ball_friction_batch;
bool sn_make_ball_friction(sn_compiler *compiler, const sn_joint *joint, sn_friction *x);

/* ---- for steps and impulses ---- */

/* All of a model, one after the other; returns their number. */
int sn_frictions_of(const sn_model *model, const sn_friction **list, int most);
/* The same one by one, i = 0, 1, ...; NULL: no more. */
const sn_friction *sn_friction_number(const sn_model *model, int i);
/* Its speed at a state: 1 number, or the 3 of w. Returns how many. */
int sn_friction_speed(const sn_friction *x, const double *q, const double *v, double u[3]);
/* r += G'p for the generalized force of p, 1 or 3 numbers; r the global vector. */
void sn_friction_apply(const sn_friction *x, const double *q, const double *p, double *r);
/* The most that dry friction can be at the speed u where it is solved for as impulses: B s(u) with c = 0. Joints stick
 * exactly there, and the curve begins at rest. */
double sn_friction_bound(const sn_friction *x, const sn_eval *eval, double u);

#endif
