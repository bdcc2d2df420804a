/* plate_element.h - the elements of all plates, as arrays. */
#ifndef SN_PLATE_ELEMENT_H
#define SN_PLATE_ELEMENT_H

#include "model/model.h"

enum {
  SN_PLATE_MEMBRANE = 16, /* 4 x 4 Gauss points */
  SN_PLATE_BENDING = 4,   /* 2 x 2 */
  SN_PLATE_SHAPES = 12,   /* r, r_x, r_y of four nodes */
  SN_PLATE_SLOTS = 5,     /* derivatives r_x, r_y, r_xx, r_yy, r_xy */
};

/* The shape functions S_k and their derivatives at (s, h), for slopes with respect to s = x/a and h = y/b (a = b = 1).
 */
typedef struct sn_plate_shape {
  double S[SN_PLATE_SHAPES];
  double d[SN_PLATE_SLOTS][SN_PLATE_SHAPES];
} sn_plate_shape;
void sn_plate_shape_at(double s, double h, sn_plate_shape *shape);
/* S_k = sum of C[k][m] times 1, s, h, ss, sh, hh, sss, ssh, shh, hhh, sssh, shhh */
void sn_plate_monomials(double C[SN_PLATE_SHAPES][SN_PLATE_SHAPES]);

/* A quadrature point; r_xx and r_yy of bending points are those on the edges, see plate_shape.c. */
typedef struct sn_plate_point {
  double weight;
  double d[SN_PLATE_SLOTS][SN_PLATE_SHAPES];
} sn_plate_point;

/* What all elements share. */
typedef struct sn_plate_tables {
  sn_plate_point membrane[SN_PLATE_MEMBRANE], bending[SN_PLATE_BENDING];
  double mass[SN_PLATE_SHAPES][SN_PLATE_SHAPES]; /* int S_i S_j ds dh, exact */
  double mean[SN_PLATE_SHAPES];                  /* int S_i ds dh */
} sn_plate_tables;

/* Arrays over elements, padded to a multiple of SN_LANES_PADDING (the padding repeats the last element). */
typedef struct sn_plate_elements {
  int capacity;
  sn_plate_tables *tables;
  int *first[4]; /* first coordinate of its nodes, at (0,0), (1,0), (1,1), (0,1) */
  int *group[4]; /* their groups */
  double *a, *b; /* edges [m] */
  double *C, *D; /* E t/(1 - nu^2) [N/m], E t^3/12/(1 - nu^2) [N m] */
  double *nu;    /* Poisson's ratio */
  double *mass;  /* rho t a b [kg] */
  double *alpha; /* mass-proportional damping [1/s] */
  double *beta;  /* stiffness-proportional damping [s] */
  bool damped;   /* some alpha or beta > 0 */
  /* strains (exx, eyy, gxy) and curvatures (kxx, kyy, 2kxy) of the reference shape at the Gauss points; NULL: all 0 */
  double *eps0;   /* [SN_PLATE_MEMBRANE][3][capacity] */
  double *kappa0; /* [SN_PLATE_BENDING][3][capacity] */
} sn_plate_elements;

void sn_plate_tables_fill(sn_plate_tables *tables);
/* y[p] = r_x, r_y, r_xx, r_yy, r_xy at a point of an element with edges a and b and nodal values q */
void sn_plate_derivatives(const sn_plate_point *point, double a, double b, const double q[36],
                          double y[SN_PLATE_SLOTS][3]);
/* Take the shape with nodal values q (12 vectors r, r_x, r_y of four nodes) as the stress-free shape of element i. */
void sn_plate_set_reference(sn_plate_elements *elements, int i, const double q[36]);

const sn_batch_ops *sn_plate_batch(void);

/* Stress resultants of element i at (s, h) for the coordinates q (plate_resultant.c): Nxx Nyy Nxy, Mxx Myy Mxy, exx eyy
 * gxy, kxx kyy kxy. */
enum { SN_PLATE_RESULTANTS = 12 };
void sn_plate_resultants_in(const sn_plate_elements *elements, int i, double s, double h, const double *q,
                            double values[SN_PLATE_RESULTANTS]);

#endif
