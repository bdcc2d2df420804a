/* coordinate.h - a number phi(q) made of probes: an angle, a travel, a small rotation between two bodies.
 *
 *   turn     w_j - w_i                        planar bodies with an angle w as a coordinate: any number of turns
 *   angle    atan2(y_i.x_j - x_i.y_j, x_i.x_j + y_i.y_j)    of the second frame about x_i x y_i, modulo 2 pi;
 *            atan2(y_i.x_j, x_i.x_j)                        where the second body is a line
 *   travel   a_i.(r_j - r_i)
 *   vector   f(c) (b_i.a_j - a_i.b_j)/2       component along a x b of the rotation vector, f(c) = theta/sin(theta),
 *            c = cos(theta) from the trace of the relative rotation; singular at half a revolution
 *   distance |r_j - r_i|                      without derivatives where the points meet
 *
 * The angle does not depend on the choice of x and y: the relative rotation is a rotation about an axis normal to
 * x_i x y_i, followed by this angle about x_i x y_i.
 *
 * Each is multiplied by `sign`, minus `c`, its value at the start. All are functions of products of probes, so that
 *
 *   dphi  = sum_p g_p.dy_p
 *   d2phi = sum_pq W_pq dy_p.dy_q + sum_ab C_ab (sum_p h_ap.dy_p)(sum_q h_bq.dy_q)
 *
 * with numbers W_pq, C_ab; only `angle`, `vector` and `distance` have the second part. Local coordinates are those of the probes, one after the
 * other (a group may come more than once).
 */
#ifndef SN_COORDINATE_H
#define SN_COORDINATE_H

#include "model/model.h"

enum { SN_PHI_PROBES = 4, SN_PHI_TERMS = 4, SN_PHI_LOCAL = SN_PHI_PROBES * SN_PROBE_COORDINATES };

typedef enum sn_phi_type { SN_PHI_TURN, SN_PHI_ANGLE, SN_PHI_TRAVEL, SN_PHI_VECTOR, SN_PHI_DISTANCE } sn_phi_type;

typedef struct sn_coordinate {
  sn_phi_type type;
  int probes;
  sn_probe probe
      [SN_PHI_PROBES]; /* turn: w_i w_j; angle: x_i y_i x_j (y_j); travel: a_i r_i r_j; vector: a_i b_i a_j b_j; distance: r_i r_j */
  int second; /* 0 or 1: which marker of the pair the probes with index j sit on */
  double sign, c;
} sn_coordinate;

/* phi and its derivatives at some q. */
typedef struct sn_phi {
  double value;
  double g[SN_PHI_PROBES][3];
  double W[SN_PHI_PROBES][SN_PHI_PROBES];
  int terms; /* of h and C */
  double h[SN_PHI_TERMS][SN_PHI_PROBES][3], C[SN_PHI_TERMS][SN_PHI_TERMS];
  double y[SN_PHI_PROBES][3]; /* the probes themselves */
} sn_phi;

void sn_phi_at(const sn_coordinate *x, const double *q, sn_phi *phi);
/* For residuals: the same at eval->q; over a step of an energy-momentum method the mean of phi, and g such that
 * g.(y1 - y0) = phi1 - phi0 over the probes. */
void sn_phi_mean(const sn_coordinate *x, const sn_eval *eval, sn_phi *phi);
/* Is it an angle or a rotation vector in space within 0.15 rad of half a revolution, where it jumps? */
bool sn_phi_nears_jump(const sn_coordinate *x, const double *q);
/* An angle known modulo a turn: its value nearest to another. */
double sn_nearest_turn(double angle, double near);
int sn_phi_count(const sn_coordinate *x);               /* local coordinates */
int sn_phi_groups(const sn_coordinate *x, int *groups); /* of the local coordinates; returns their number */
double sn_phi_rate(const sn_coordinate *x, const sn_phi *phi, const double *q, const double *v);
double sn_phi_accel(const sn_coordinate *x, const sn_phi *phi, const double *q, const double *v, const double *a);
/* r += f dphi/dq, r the global vector */
void sn_phi_apply(const sn_coordinate *x, const sn_phi *phi, const sn_eval *eval, double f, double *r);
/* G[local] = dphi/dq; T += f d2phi/dq2 over the local coordinates (leading dimension stride); R[local] = d(phi')/dq
 * with phi' = G v (NULL: not wanted) */
void sn_phi_derivatives(const sn_coordinate *x, const sn_phi *phi, const double *q, const double *v, double f,
                        double *G, double *T, int stride, double *R);

/* Force and moment about a point that the generalized force -f of phi means for the second body of a joint. */
void sn_phi_reaction(const sn_coordinate *x, const sn_phi *phi, double f, const double about[3], double F[3],
                     double M[3]);

/* ---- building ---- */

/* The angle of the second marker against the first about `axis` (global, unit, at the start), from the start. NULL, or
 * why it cannot be had. */
const char *sn_make_rotation(const sn_model *model, const sn_marker marker[2], const double axis[3], sn_coordinate *x);
/* The travel of the second marker against the first along `axis`, from the start (absolute: from coincidence). */
const char *sn_make_travel(const sn_marker marker[2], const double axis[3], bool absolute, sn_coordinate *x);
/* Distance of two points. */
void sn_make_distance(const sn_marker marker[2], sn_coordinate *x);
/* The component along a x b of the rotation vector of the second frame against the first, from the start. */
void sn_make_vector(const sn_marker marker[2], const double a[3], const double b[3], sn_coordinate *x);

#endif
