/* probe.h - a probe is a 3-vector y(q) on a body: the position of a point or a direction.
 *
 * Joints, forces and outputs see bodies only through probes:
 *     y(q)                       value
 *     Y = dy/dq                  3 x nd over the probe's own coordinates
 *     c = (Y v)_q v              convective part of the acceleration: y'' = Y a + c
 *     H(f) = d(Y'f)/dq           nd x nd, for tangents
 * A probe touches at most SN_PROBE_GROUPS groups; its local coordinates are theirs, one after the other.
 */
#ifndef SN_PROBE_H
#define SN_PROBE_H

#include "base/base.h"

enum { SN_PROBE_GROUPS = 4, SN_PROBE_COORDINATES = 48, SN_PROBE_WEIGHTS = 28 };

typedef struct sn_probe sn_probe;
struct sn_eval; /* model.h */

typedef struct sn_probe_ops {
  const char *name;
  void (*value)(const sn_probe *probe, const double *q, double y[3]);
  /* J: 3 x nd, column major */
  void (*jacobian)(const sn_probe *probe, const double *q, double *J);
  /* r[coordinates of the probe] += Y'f; r is the global vector */
  void (*apply)(const sn_probe *probe, const double *q, const double f[3], double *r);
  /* y' = Y v */
  void (*rate)(const sn_probe *probe, const double *q, const double *v, double rate[3]);
  void (*convective)(const sn_probe *probe, const double *q, const double *v, double c[3]);
  /* J: 3 x nd, d(Y v)/dq; NULL: 0 */
  void (*rate_jacobian)(const sn_probe *probe, const double *q, const double *v, double *J);
  /* T[i + j*stride] += H(f); NULL: linear probe, H = 0 and c = 0 */
  void (*hessian)(const sn_probe *probe, const double *q, const double f[3], double *T, int stride);
  /* Over a step of an energy-momentum method: r += Z'f where Z (q1 - q0) = y(q1) - y(q0). NULL: y is at most quadratic,
   * and Z = Y in the middle */
  void (*apply_step)(const sn_probe *probe, const struct sn_eval *step, const double f[3], double *r);
} sn_probe_ops;

struct sn_probe {
  const sn_probe_ops *ops;
  int groups; /* 0: constant */
  int group[SN_PROBE_GROUPS];
  int first[SN_PROBE_GROUPS]; /* first coordinate of each group */
  int size[SN_PROBE_GROUPS];  /* coordinates in each group */
  int count;                  /* nd: all of them */
  int dim;                    /* linear: components of a vector among the coordinates, 2 or 3; single: which one */
  int vectors;                /* section: of which its frame is made, see section_probe.c */
  /* constant: y = weight[0..2]. linear: y = sum weight[k] e_k over the 3-vectors e_k of its coordinates.
   * rigid: y = weight[0] r + A(p) (weight[1..3]). planar: y = sum over groups (x, y, angle) of w[0] r + R(angle)
   * (w[1..2]), w = weight + 3 group. In planar models y has z = 0 (points).
   * section: vector i of `vectors` is sum weight[stride i + k] e_k, stride 8 for three of them, else 12; components of
   * the direction in the frame they make: weight[24..26]. */
  double weight[SN_PROBE_WEIGHTS];
  const void *data; /* more constants of a kind's own sort of probe; lives as long as the model */
};

extern const sn_probe_ops sn_probe_constant, sn_probe_linear, sn_probe_rigid, sn_probe_planar, sn_probe_section,
    sn_probe_single;

/* apply_step of any y: Z = Y + (y1 - y0 - Y d) d'/d.d, d = q1 - q0, Y in the middle (Gonzalez). */
void sn_probe_apply_corrected(const sn_probe *probe, const struct sn_eval *step, const double f[3], double *r);

/* C = ((Y v)_q v)_q, 3 x nd: how the convective term changes with q. */
void sn_probe_convective_jacobian(const sn_probe *probe, const double *q, const double *v, double *C);

/* The direction fixed to a section that is `direction` where its vectors are `start`; the groups, `vectors` and their
 * weights are the caller's. */
void sn_section_probe(const double (*start)[3], const double direction[3], sn_probe *probe);

void sn_constant_probe(const double value[3], sn_probe *probe);
/* For assertions: is it filled, within its limits? */
bool sn_is_probe(const sn_probe *probe);

#endif
