/* tangent.h - small changes of coordinates, without those that only Euler parameters need.
 *
 * Changes eta [size] of a state are vectors (of positions, slopes), rotations theta about axes in space, and scalars. The
 * axes may rotate with the angular velocity W:
 *
 *     dr = eta,             dr' = eta' + W x eta,        dr'' = eta'' + 2 W x eta' + W x (W x eta)
 *     dp = 1/2 theta o p,   theta, theta', theta'' the same of eta, and by the product rule
 *
 * so that a structure that rotates steadily, or a rotor that does in steady bearings, has constant coefficients.
 */
#ifndef SN_TANGENT_H
#define SN_TANGENT_H

#include "system/system.h"

typedef struct sn_tangent_block {
  enum { SN_TANGENT_SCALAR, SN_TANGENT_VECTOR, SN_TANGENT_ROTATION } type;
  int q, eta; /* first coordinate, first change */
  bool slope; /* a vector that is no position */
  bool turns; /* a scalar that is an angle about z */
} sn_tangent_block;

typedef struct sn_tangent {
  int dim, n, size; /* of space, of q, of eta */
  int blocks;
  sn_tangent_block *block;
  const char **name; /* [size] "bar.x", "disk.rotation_y", "shaft.3.r_x.y" */
  bool *variable;    /* [size] a differential variable: it is the rate, and nothing depends on the change itself */
  double rate[3];    /* W */
} sn_tangent;

sn_tangent *sn_tangent_create(const sn_model *model, sn_arena *arena, const double rate[3]);
/* d[0] = dq, d[1] = dv, d[2] = da, each [n], of eta and its two derivatives, at the state. */
void sn_tangent_lift(const sn_tangent *tangent, const sn_state *state, const double *const eta[3], double *const d[3]);
/* eta'' of da, with eta and eta'; that of no change in q and v is the inverse of dq, too. */
void sn_tangent_lower(const sn_tangent *tangent, const sn_state *state, const double *da, const double *eta,
                      const double *rate, double *second);
/* What accelerations lack from a steady motion, in which vectors and angular velocities rotate with W, x'' = W x x', and
 * scalars do not change: second[size]. work[3 size]. */
void sn_tangent_unsteady(const sn_tangent *tangent, const sn_state *state, double *work, double *second);
/* How much velocities differ from a rotation of the whole with W about any axis along it: the largest |r' - W x r - c|,
 * where c is 0 (slopes, positions from the axis) or one constant (positions from elsewhere). */
double sn_tangent_apart(const sn_tangent *tangent, const sn_state *state);
/* Fastest rate at which parts turn, or vectors change relative to each other, over `length` [rad/s]; 0: all that moves
 * translates. work[2 size]. */
double sn_tangent_turning(const sn_tangent *tangent, const sn_state *state, double length, double *work);
/* y[size] = (dq/deta)' x */
void sn_tangent_pull(const sn_tangent *tangent, const double *q, const double *x, double *y);

#endif
