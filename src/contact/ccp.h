/* ccp.h - contact with friction as a complementarity problem over cones, and its solvers.
 *
 *     C* > d = N g + r + s n  _|_  g in C            N = D' A^-1 D
 *
 * s = mu |d_t| for each contact, along its normal (De Saxce): Coulomb's law. Sliding contacts then have N g + r = 0
 * along n. s = 0 is the convex relaxation, whose solution minimizes g'N g/2 + r'g, and has mu |d_t| there: it lifts
 * what slides. For given s the problem is a relaxed one, so that solvers of that, which renew s as they go, solve both.
 *
 * g = (gn, gu, gw) for each contact: its impulse along normal and tangents. C is the product of the friction cones
 * |gt| <= mu gn, C* its dual. D (three columns for each contact, given here by rows of D') leads from impulses to
 * generalized ones; A^-1 is the coordinate part of the inverse of the factorized [A G'; G 0], so that joints are
 * included exactly. N is never formed but where `gauss-seidel` needs it; shapes are unknown here.
 *
 * Residual, the same for all solvers: the largest over the contacts of s |g - P(g - d/s)|, a velocity, with P the
 * projection onto the cone and s a bound of the contact's own diagonal block of N. It vanishes at solutions only.
 */
#ifndef SN_CCP_H
#define SN_CCP_H

#include "base/threads.h"
#include "sparse/linsolve.h"

typedef struct sn_ccp sn_ccp;

/* SN_TWIST: (c', w) and two zeros, the lanes of math/lanes.h. */
enum { SN_CCP_VECTORS = 12, SN_CCP_ROW = 48, SN_TWIST = 8 };
typedef enum sn_ccp_method {
#define SOLVER(NAME, variable, word) SN_CCP_##NAME,
#include "contact/ccp_solvers.def"
  SN_CCP_METHODS
} sn_ccp_method;

/* One side of a contact: how its point moves with the coordinates of a few groups of one element or body, x' = J v.
 * Given by one of
 *   weights  x' = sum w_k e_k', the e_k being vectors among the coordinates
 *   twist    x' = c' + w x arm, (c', w) = T v: a rigid body
 *   rows     [n u w]'J itself
 * Side 0 counts as it is, side 1 with the other sign. `group`, `vector` and `twist` are not copied: they must stay as
 * they are until the contacts are cleared. */
typedef struct sn_ccp_side {
  int groups; /* 0: this side does not move */
  const int *group;
  const double *weight; /* [vectors] */
  const int *vector;    /* [vectors] first coordinate of each */
  int vectors, dim;     /* dim: components of a vector, 2 or 3 */
  const double *twist;  /* [coordinates][SN_TWIST] columns of T; one group */
  double arm[3];
  const double *rows; /* [3 * coordinates], row after row */
} sn_ccp_side;

typedef struct sn_ccp_contact {
  uint64_t key;     /* the same from step to step as long as the contact lasts; 0: start from nothing */
  double friction;  /* mu >= 0 */
  double normal[3]; /* n in space; u and w by sn_frame (math/vec3.h) */
  sn_ccp_side side[2];
} sn_ccp_contact;

typedef struct sn_ccp_settings {
  sn_ccp_method method;
  bool relaxed;     /* s = 0 */
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
extern const sn_ccp_solver_ops *const sn_ccp_solvers[SN_CCP_METHODS];

/* `solver` is one of sn_ldl, factorized before contacts are added; threads may be NULL. */
sn_ccp *sn_ccp_create(const sn_matrix *matrix, const void *solver, sn_threads *threads);
void sn_ccp_free(sn_ccp *ccp);

/* The matrix has been factorized anew: call before contacts are added. */
void sn_ccp_refactored(sn_ccp *ccp);
/* Forget the contacts; what they were is kept for the next start. Then add the present ones; numbers count from 0. */
void sn_ccp_clear(sn_ccp *ccp);
void sn_ccp_add(sn_ccp *ccp, const sn_ccp_contact *contact);
/* From the next contact on nothing is touched that was touched before: an island of its own, see islands.h. Without it
 * all are of one. */
void sn_ccp_new_island(sn_ccp *ccp);
/* The part of the matrix a group of coordinates is in: parts move alone unless contacts tie them. */
int sn_ccp_part_of(const sn_ccp *ccp, int group);
int sn_ccp_parts(const sn_ccp *ccp);
/* d[3 count] = D'v for any v[n] */
void sn_ccp_rates(const sn_ccp *ccp, const double *v, double *d);
/* A contact whose r along n is this is out of it: its impulse is 0. */
enum { SN_CCP_FAR = 1000000 }; /* m/s */
/* Solve for given r[3 count], starting from the impulses the contacts had at the last solution. It may be done more
 * than once, with other r. */
sn_ccp_result sn_ccp_solve(sn_ccp *ccp, const double *r, const sn_ccp_settings *settings);
/* g[3 count] of the last solution; f[n] += D g */
const double *sn_ccp_impulses(const sn_ccp *ccp);
void sn_ccp_to_space(const sn_ccp *ccp, int contact, const double g[3], double impulse[3]); /* on side 0 */
void sn_ccp_forces(const sn_ccp *ccp, double *f);
/* Forget the impulses of former contacts: the next solution starts from nothing. */
void sn_ccp_forget(sn_ccp *ccp);

#endif
