/* ccp.h - contact with friction as a complementarity problem over cones, and its solvers.
 *
 *     C* > d = N g + r + s n  _|_  g in C            N = D' A^-1 D
 *
 * s = mu |d_t| for each contact, along its normal (De Saxce): Coulomb's law. Sliding contacts then have N g + r = 0
 * along n. s = 0 is the convex relaxation, whose solution minimizes g'N g/2 + r'g, and has mu |d_t| there: sliding
 * contacts separate. For given s the problem is a relaxed one, so that solvers of the relaxed problem which update s
 * during the iteration solve both.
 *
 * g = (gn, gu, gw) for each contact: its impulse along normal and tangents. C is the product of the friction cones
 * |gt| <= mu gn, C* its dual. D (three columns for each contact, given here by rows of D') maps impulses to
 * generalized impulses; A^-1 is the coordinate block of the inverse of the factorized [A G'; G 0], so that joints are
 * included exactly. N is formed only where a solver needs it. The solvers use the carriers of the contacts found by
 * detection, not their shapes.
 *
 * Residual, the same for all solvers: the largest over the contacts of s |g - P(g - d/s)|, a velocity, with P the
 * projection onto the cone and s a bound of the contact's own diagonal block of N. It vanishes at solutions only.
 */
#ifndef SN_CCP_H
#define SN_CCP_H

#include "contact/contact.h"
#include "contact/islands.h"
#include "sparse/linsolve.h"

typedef struct sn_ccp sn_ccp;

typedef enum sn_ccp_method {
#define SOLVER(NAME, variable, word) SN_CCP_##NAME,
#include "contact/ccp_solvers.def"
  SN_CCP_METHODS
} sn_ccp_method;

typedef struct sn_ccp_settings {
  sn_ccp_method method;
  bool relaxed;     /* s = 0 */
  bool rest;        /* small islands that it leaves above the tolerance are solved by interior-point */
  bool apart;       /* start from nothing, and let the next solution not start from this one */
  double tolerance; /* of the residual, m/s */
  int iterations;   /* at most; lemke: see ccp_lemke.c */
  int facets;       /* lemke: of a friction cone, at least 3 */
} sn_ccp_settings;

typedef struct sn_ccp_result {
  int iterations;  /* the most of any island */
  long work;       /* contacts times their iterations */
  double residual; /* m/s */
  int worst;       /* contact it belongs to; -1: there are none */
  bool converged;
  int again;          /* islands that the solver left above the tolerance, and that were solved densely */
  int too_many, most; /* contacts of an island, where lemke or interior-point take no more than `most`; otherwise 0 */
} sn_ccp_result;

/* The table of a solver. */
typedef struct sn_ccp_solver_ops {
  const char *name;
  bool pyramids;    /* cones are replaced by pyramids of settings->facets edges */
  const char *hint; /* where an island has more contacts than it takes: what helps beside apgd; NULL: nothing */
  /* From the g in vector[0] to the g in vector[0] (ccp_problem.h). */
  sn_ccp_result (*solve)(sn_ccp *ccp, const sn_ccp_settings *settings);
} sn_ccp_solver_ops;
const sn_ccp_solver_ops *sn_ccp_solver(int method); /* a number of ccp_solvers.def */

/* `solver` is one of sn_ldl, factorized before contacts are taken; threads may be NULL. */
sn_ccp *sn_ccp_create(const sn_surfaces *surfaces, const sn_matrix *matrix, const void *solver, sn_threads *threads);
void sn_ccp_free(sn_ccp *ccp);

/* The matrix has been factorized anew: call before contacts are taken. */
void sn_ccp_refactored(sn_ccp *ccp);
/* The contacts of the problem, detected at q: those of the list of which a side can move, island by island. They take
 * the place of the former ones, whose impulses are kept for the start, and must stay where they are. They are listed as
 * detected: the pairs of their keys ascend. */
void sn_ccp_take(sn_ccp *ccp, int count, sn_contact *const *list, const double *q);
/* They in the order of the problem: all numbers by contact below are in this order, which is that of the islands. */
int sn_ccp_count(const sn_ccp *ccp);
sn_contact *const *sn_ccp_contacts(const sn_ccp *ccp);
const sn_islands *sn_ccp_islands(const sn_ccp *ccp);
/* d[3 count] = D'v for any v[n] */
void sn_ccp_rates(const sn_ccp *ccp, const double *v, double *d);
/* A contact whose r along n is this is out of it: its impulse is 0. */
enum { SN_CCP_FAR = 1000000 }; /* m/s */
/* Solve for given r[3 count], starting from the mean of the impulses the contacts had at former solutions (ccp.c). It may
 * be done more than once, with other r. */
sn_ccp_result sn_ccp_solve(sn_ccp *ccp, const double *r, const sn_ccp_settings *settings);
/* g[3 count] of the last solution; f[n] += D g */
const double *sn_ccp_impulses(const sn_ccp *ccp);
void sn_ccp_to_space(const sn_ccp *ccp, int contact, const double g[3], double impulse[3]); /* on side 0 */
void sn_ccp_forces(const sn_ccp *ccp, double *f);
/* Discard the impulses of earlier contacts: the next solution starts from zero. */
void sn_ccp_forget(sn_ccp *ccp);

#endif
