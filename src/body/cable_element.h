/* cable_element.h - the elements of all cables, as arrays. */
#ifndef SN_CABLE_ELEMENT_H
#define SN_CABLE_ELEMENT_H

#include "model/model.h"

enum { SN_CABLE_AXIAL = 5, SN_CABLE_BENDING = 3 }; /* Gauss points */
enum { SN_CABLE_MASS = 10 };                       /* numbers of a mass block */

enum { SN_CABLE_STRAIGHT, SN_CABLE_CURVED, SN_CABLE_PLANAR }; /* reference; planar: curved in a known plane */

enum { SN_CABLE_ROOT = 6 }; /* terms of the series of sqrt(f) below kappa = kappa0 */
static const double sn_cable_root[SN_CABLE_ROOT] = {1, 0.5, -0.125, 0.0625, -0.0390625, 0.02734375};

/* Arrays over elements, padded to a multiple of SN_LANES_PADDING (the padding repeats the last element). */
typedef struct sn_cable_elements {
  int capacity;
  int dim;         /* components of a vector: 3, or 2 in a planar model (the kernels then see z = 0) */
  int *first;      /* first of the coordinates r0 r0' r1 r1'; the second node follows the first */
  int *group;      /* group of the first node; the second is the next one */
  double *length;  /* reference length l [m] */
  double *EA, *EI; /* [N], [N m2] */
  double *mass;    /* rho A l [kg] */
  double *alpha;   /* mass-proportional damping [1/s] */
  double *beta;    /* stiffness-proportional damping [s] */
  bool damped;     /* some beta > 0 */
  /* sections that vary along the line (NULL when none in the batch does): EA and EI at the Gauss points, and the ten
   * numbers of the symmetric mass block, int rho A S_a S_b dx, a <= b row by row */
  double *EA_at;   /* [SN_CABLE_AXIAL][capacity] */
  double *EI_at;   /* [SN_CABLE_BENDING][capacity] */
  double *mass_at; /* [SN_CABLE_MASS][capacity] */
  bool material;   /* curvature |r' x r''|/|r'|^2 in place of |r'|^3 */
  /* curved reference (NULL when straight): strain, curvature and curvature vector at the Gauss points */
  double *eps0;   /* [SN_CABLE_AXIAL][capacity] */
  double *kappa0; /* [SN_CABLE_BENDING][capacity] */
  double *k0;     /* [SN_CABLE_BENDING][3][capacity]; planar bending only */
} sn_cable_elements;

/* ---- stress resultants at a station of one element (cable_resultant.c) ---- */

enum { SN_CABLE_RESULTANTS = 5 };
typedef struct sn_cable_station {
  double q[12], q0[12]; /* r0 r0' r1 r1', now and in the reference */
  double l, s;          /* length of the element, place in it */
  double EA;            /* there */
  int power, reference; /* as in cable_element.c: 3 or 2; straight, curved, curved and planar */
  double about[3];      /* unit: M and curvature about it, Q along it x tangent; 0: magnitudes */
  double f[4][3];       /* elastic forces on r0 r0' r1 r1', dU/dq */
  const double *load;   /* [3] force per length; NULL: not known */
} sn_cable_station;

/* f of element i */
void sn_cable_forces(const sn_cable_elements *elements, int i, int power, int reference, const double *q,
                     double f[4][3]);

/* N, Q, M, strain, curvature */
void sn_cable_resultants(const sn_cable_station *station, double values[SN_CABLE_RESULTANTS]);

/* Batches by curvature measure (geometric, material) and reference (straight, curved, curved and planar). */
const sn_batch_ops *sn_cable_batch(int curvature, int reference);

#endif
