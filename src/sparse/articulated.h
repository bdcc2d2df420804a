/* articulated.h - elimination along trees of rigid bodies, in O(bodies), with dense blocks of six.
 *
 * Body i has a velocity of six components (a twist), an inertia Y_i and a joint of k <= 6 equations with its parent p or
 * with the ground. The accelerations u and the multipliers l of
 *
 *   Y_i u_i + C_i'l_i + sum over its children P_c'l_c = f_i,      C_i u_i + P_i u_p = c_i
 *
 * follow from eliminating bodies from the leaves to the root: u_i, then l_i with S_i = C_i Y_i^-1 C_i', which leaves
 *
 *   Y_p += P_i'S_i^-1 P_i,    f_p -= P_i'S_i^-1 (C_i Y_i^-1 f_i - c_i)
 *
 * with the parent: its articulated inertia. Y and S are positive definite and only sums of positive terms are added, so
 * that no pivoting is needed. Rows of vectors have SN_TWIST numbers: six components and two of padding.
 */
#ifndef SN_ARTICULATED_H
#define SN_ARTICULATED_H

#include <stdbool.h>

enum { SN_TWIST = 8, SN_JOINT_MOST = 6 };

typedef struct sn_articulated {
  int bodies;
  const int *parent; /* [bodies] a smaller number, -1: none; bodies of one tree follow each other */
  const int *row;    /* [bodies + 1] first equation of the joint with the parent or the ground; at most six of them */
  /* Given, and changed by the factorization: */
  double *Y; /* [bodies 6 SN_TWIST] inertia, symmetric; then rows of D L' of Y = L D L' */
  double *Z; /* [bodies 6 SN_TWIST] columns of C'; then L^-1 C'. Column 6: f, then L^-1 f */
  double *V; /* [rows SN_TWIST] P; then L_S^-1 P of S = L_S D_S L_S' */
  double *f; /* [bodies SN_TWIST] forces; changed */
  double *c; /* [rows] */
  /* Found: */
  double *S; /* [rows SN_TWIST] rows of D_S L_S'; column 6: L_S^-1 (C Y^-1 f - c) */
  double *D; /* [bodies SN_TWIST] 1/D */
  double *E; /* [rows] 1/D_S */
  double *u; /* [bodies SN_TWIST] accelerations */
  double *l; /* [rows] multipliers */
} sn_articulated;

/* Bodies first .. last - 1, whole trees. Factorize, with f and c taken along; -1, or the body where it failed: its
 * inertia is not positive, or equations of its joint repeat each other. */
int sn_articulated_factor(const sn_articulated *w, int first, int last);
/* The same for other f and c, by the last factors. */
void sn_articulated_forward(const sn_articulated *w, int first, int last);
/* u and l after either of them. */
void sn_articulated_backward(const sn_articulated *w, int first, int last);
/* Answers to SN_TWIST loads at a time, with c = 0, by the last factors; f, c, u and l of `w` stay. A row of each array
 * is a number for each load, and arrays begin with body `first` and its first equation: f [bodies 6 SN_TWIST], changed;
 * u [bodies 6 SN_TWIST], l [rows SN_TWIST] found. */
void sn_articulated_answers(const sn_articulated *w, int first, int last, double *f, double *u, double *l);

#endif
