/* beam_element.h - the elements of all fully parameterized beams, in space and in the plane, as arrays.
 *
 * Space (n = 3): node (r, r_x, r_y, r_z). Plane (n = 2): node (r, r_x, r_y). n is also the number of components
 * of a vector.
 */
#ifndef SN_BEAM_ELEMENT_H
#define SN_BEAM_ELEMENT_H

#include "model/model.h"

enum {
  SN_BEAM_STATIONS = 5,     /* Gauss points along the axis: exact, the energy of a straight element has degree 8 */
  SN_BEAM_POINTS = 9,       /* points of the section at most */
  SN_BEAM_PLANE_POINTS = 3, /* in the plane: Gauss over the height */
  SN_BEAM_BENDING = 3,      /* elastic-line: Gauss points of curvature and torsion */
  SN_BEAM_LINE_NUMBERS = SN_BEAM_STATIONS + 3 * SN_BEAM_BENDING, /* elastic-line: strains at all its points */
  SN_BEAM_REFERENCE = 7, /* numbers of a curved reference at a point, see below */
  SN_BEAM_VECTORS = 8,   /* nodal vectors at most */
};

/* Numbers of an element; number f of element i is value[f * capacity + i]. */
enum {
  SN_BEAM_LENGTH, /* l [m] */
  SN_BEAM_ALPHA,  /* mass-proportional damping [1/s] */
  SN_BEAM_BETA,   /* stiffness-proportional damping [s] */
  SN_BEAM_VOLUME, /* [7] material over the volume: C11 C22 C33, C12, G23 G13 G12; elastic-line: at the nodes, per area
                   */
  SN_BEAM_AXIS = SN_BEAM_VOLUME + 7, /* [7] material on the axis; elastic-line: areas of both nodes, 1 for timoshenko */
  SN_BEAM_MASS = SN_BEAM_AXIS + 7,   /* [36] lower triangle of the mass matrix of the nodal vectors, by rows */
  /* volume: section points and last the axis, each y/l z/l weight (n = 3) or y/l weight (n = 2), the same at all
   * stations; sorts with a reference have them for each station, and then for each station and section point the upper
   * triangle of Lambda^-1 (11 12 22 13 23 33) and det J0. elastic-line: eps0 at the stations, then l kappa_y0, l
   * kappa_z0 at each bending point with one number of the twist at rest (cosine and sine of psi, S); behind them EA and
   * E Iyy, E Izz, G J of the same points. */
  SN_BEAM_REST = SN_BEAM_MASS + SN_BEAM_VECTORS * (SN_BEAM_VECTORS + 1) / 2,
};

/* What a batch of elements computes: the table is chosen by these. */
typedef enum sn_beam_sort {
  SN_BEAM_STRAIGHT, /* volume integration */
  SN_BEAM_CURVED,   /* with a reference: curved, or the section varies */
  SN_BEAM_LINE,
  SN_BEAM_PLANE,
  SN_BEAM_PLANE_CURVED,
  SN_BEAM_SORTS
} sn_beam_sort;

typedef struct sn_beam_elements {
  int capacity; /* a multiple of SN_LANES_PADDING; the lanes behind the last element repeat it */
  int fields;   /* numbers of an element */
  int *first;   /* first coordinate; the second node follows the first */
  int *group;   /* of the first node; the second is the next one */
  double *value;
  bool damped; /* some beta or alpha > 0 */
  bool axis;   /* some material on the axis */
} sn_beam_elements;

const sn_batch_ops *sn_beam_batch(sn_beam_sort sort);

/* A node at the start: r, r_x, r_y, r_z. */
typedef struct sn_beam_node {
  double e[4][3];
} sn_beam_node;

/* Stress resultants (beam_resultant.c) of element i at s in [0, 1] for the coordinates q: the ten columns
 * sn_resultants_space of floating_beam.h, also in the plane. rest: r, r_x, r_y, r_z of both nodes without
 * stress. load: [3] force per length; NULL: not known. */
void sn_beam_resultants_in(const sn_beam_elements *e, int i, sn_beam_sort sort, double s, const double *q,
                           const sn_beam_node rest[2], const double *load, double *values);

#endif
