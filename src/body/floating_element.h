/* floating_element.h - bodies described in a moving frame: r = R + A(p) u, u = u0 + S z.
 *
 * An item is a part of such a body that shares one set of coordinates: the frame (x, y, angle) or (R, p), and its
 * deformation coordinates z in up to two groups. Its mass enters only through constant integrals over its material,
 *
 *   m = int dm           s0 = int u0 dm          Sb = int S dm
 *   I0_ab = int u0_a u0_b dm     T_ab = int u0_a S_b dm      N_ab = int S_a'S_b dm       a, b axes of the frame
 *
 * which are sums over material points that represent the sections exactly (see sn_floating_point).
 */
#ifndef SN_FLOATING_ELEMENT_H
#define SN_FLOATING_ELEMENT_H

#include "model/compile.h"

enum { SN_FLOATING_DEFORMATION = SN_PROBE_COORDINATES - 7 }; /* deformation coordinates of an item at most */

typedef struct sn_floating_item {
  int dim;    /* 2, 3 */
  int groups; /* frame, then those of z */
  int group[3], first[3], size[3];
  int nf; /* deformation coordinates z */
  double m, s0[3], I0[9];
  double *Sb;         /* [dim][nf] */
  double *T;          /* [dim dim][nf] */
  double *N;          /* [dim dim][nf nf] */
  double *K;          /* [nf nf], stiffness on z */
  double alpha, beta; /* damping -(alpha N + beta K) z', N the sum of N_aa */
} sn_floating_item;

/* A new empty item at the end of the batch; its groups are the caller's to fill. */
sn_floating_item *sn_floating_append(sn_compiler *compiler, int dim, int nf);
/* Add a material point of mass dm at u0 with shape functions S[dim][nf]. */
void sn_floating_point(sn_floating_item *item, double dm, const double *u0, const double *S);

/* ---- rotations, in the plane (one angle) or in space (Euler parameters, A quadratic in p of any length) ---- */

/* A and its first derivatives over time along p', p'' (the part of p'' scaled by ci); matrices are dim x dim, row
 * major. */
typedef struct sn_turn {
  int dim, count; /* count: parameters, 1 or 4 */
  double A[9], Ad[9], Add[9];
  double Ak[4][9];   /* dA/dp_k = dA'/dp'_k */
  double Adk[4][9];  /* dA'/dp_k = half of dA''/dp'_k */
  double Addk[4][9]; /* dA''/dp_k */
} sn_turn;

void sn_turn_set(sn_turn *turn, int dim, const double *p, const double *pd, const double *pdd, double ci);
/* H[k][l] = d2A/dp_k dp_l : F */
void sn_turn_second(const sn_turn *turn, const double *F, double H[4][4]);

/* ---- probes ---- */

/* A place of a body in its frame: u = c + S z, small rotation of the section W z. */
typedef struct sn_floating_place {
  int nf;
  double c[3];
  const double *S; /* [3][nf] */
  const double *W; /* [3][nf]; in the plane only the third row counts */
} sn_floating_place;

/* The point itself; and the direction that is d in the axes of the frame while nothing is deformed, which turns with
 * the section by the whole vector (in the plane: angle) W z. Groups, first, size and count are the caller's. */
void sn_floating_point_probe(int dim, const sn_floating_place *place, sn_probe *probe);
/* In the plane: y[0] is the angle of the section, of any number of turns. */
void sn_floating_angle_probe(const sn_floating_place *place, sn_probe *probe);
extern const sn_probe_ops sn_floating_direction_ops; /* in space */
void sn_floating_direction_probe(int dim, const sn_floating_place *place, const double d[3], sn_probe *probe);

#endif
