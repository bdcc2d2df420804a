/* ccp_dense.h - an island as one small dense problem, for solvers that need all of N: lemke and interior-point.
 * Private.
 *
 * Contacts are scaled to compensate for different masses, with the scale s of ccp.h: x = sqrt(s) g, y = d/sqrt(s)
 *
 *     y = N x + r,      N := N_ij/sqrt(s_i s_j),   r := r_i/sqrt(s_i)
 *
 * Cones do not change, and residuals are sqrt(s) |x - P(x - y)|, a velocity.
 */
#ifndef SN_CCP_DENSE_H
#define SN_CCP_DENSE_H

#include "contact/ccp_problem.h"

struct sn_dense {
  int count;      /* contacts that can move */
  int *contact;   /* their numbers */
  double *mu;     /* [count] */
  double *root;   /* [count] sqrt(s) */
  double *N;      /* [3 count][3 count] */
  double *r;      /* [3 count] */
  double *x, *y;  /* [3 count] impulses, and N x + r */
  int capacity;   /* contacts there is room for */
  double *number; /* what a method needs beside; see sn_dense_room */
  size_t numbers;
  int *index;
  size_t indices;
};

/* From the x of a start to a solution. It leaves iterations, residual and worst (among these contacts). */
typedef void (*sn_dense_solver)(sn_dense *problem, const sn_ccp_settings *settings, sn_ccp_result *result);
/* All islands of at most so many contacts, by this solver. */
sn_ccp_result sn_ccp_dense(sn_ccp *ccp, const sn_ccp_settings *settings, int most, sn_dense_solver solver);

/* Islands of at most so many contacts that a solver has left above the tolerance; the better of both results stays. How
 * many there are. */
int sn_ccp_dense_rest(sn_ccp *ccp, const sn_ccp_settings *settings, int most, sn_dense_solver solver);

/* y += N x, N symmetric */
void sn_dense_add(size_t size, const double *N, const double *x, double *y);
/* y = N x + r */
void sn_dense_rates(sn_dense *problem);
/* The residual of ccp.h of x and y, for given s, [3 contacts] with those of the normals, or NULL: that of Coulomb's
 * law. */
void sn_dense_judge(const sn_dense *problem, const double *s, sn_ccp_result *result);
/* x := P(x - y - s n), which leaves open contacts without any impulse, and its y. */
void sn_dense_step(sn_dense *problem, const double *s);
/* Newton's method from x, for given s or Coulomb's law (NULL), as long as the residual is halved; the number of
 * iterations. room: 2 (3 contacts)^2 + 9 contacts. */
int sn_dense_newton(sn_dense *problem, const double *s, double tolerance, double *room, sn_ccp_result *result);
/* At least so many numbers and integers to work with; what was there is not kept. */
void sn_dense_room(sn_dense *problem, size_t numbers, size_t indices);

#endif
