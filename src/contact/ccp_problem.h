/* ccp_problem.h - what the files of the complementarity solver share. Private.
 *
 * Two kinds of parts (see sparse/parts.h). A small part is one group of at most SN_SMALL coordinates, with what
 * constrains it alone (a rigid body, a point mass): A^-1 = F F' there, and with rows B = D'F its share of N is B B'. A
 * large part (a cable, a mechanism) is solved with: x = A^-1 D g, then D'x.
 */
#ifndef SN_CCP_PROBLEM_H
#define SN_CCP_PROBLEM_H

#include <math.h>

#include "contact/ccp.h"
#include "sparse/parts.h"

enum { SN_SMALL = 8 }; /* a vector register full */

/* Side s of contact i is entry 2 i + s of all arrays of sides. */
typedef struct sn_edge {
  int part;   /* -1: does not move */
  int groups; /* of rows; 0: vectors with weights */
  int first[SN_CCP_GROUPS], size[SN_CCP_GROUPS], group[SN_CCP_GROUPS];
  int count; /* coordinates of the groups, or vectors */
  int dim, vector[SN_CCP_VECTORS];
  size_t at; /* its rows, or weights, in `rows` */
} sn_edge;

/* Impulses of former contacts in space, by key; open addressing. */
typedef struct sn_impulse_memory {
  int capacity; /* a power of two */
  uint64_t *key;
  double (*impulse)[3];
} sn_impulse_memory;

struct sn_ccp {
  sn_parts parts;
  const sn_matrix *matrix;
  const void *solver;
  sn_threads *threads;
  /* ---- by part ---- */
  bool *inverted; /* blocks of the inverse, and F, are those of the present factorization */
  int *small;     /* number of a small part; -1: large */
  double *F;      /* [smalls][SN_SMALL][SN_SMALL]: column k of F is F[k] */
  double *z;      /* [smalls][SN_SMALL] B'g summed over the contacts of the part */
  int *start;     /* [parts + 1] its sides in `list` */
  int *active;    /* parts that are touched */
  int actives;
  double *x; /* [rows] A^-1 D g on large parts */
  /* ---- by contact ---- */
  int count, capacity;
  uint64_t *key;
  double *mu, *s;
  double (*frame)[9];
  sn_edge *side; /* [2 count] */
  double *B;     /* [2 count][3][SN_SMALL] of sides on small parts */
  int *list;     /* [2 count] sides, part by part */
  double *rows;  /* rows of D', or weights, one side after the other */
  size_t row_count, row_capacity;
  double *vector[9]; /* [3 count] each */
  double *sum;       /* [chunks][SN_SUMS] */
  const double *r;   /* of the solution under way */
  int worst;         /* and its contact of the largest residual */
  double L;          /* last estimate of the largest curvature */
  sn_impulse_memory memory;
  /* ---- gauss-seidel: N of each large part, dense ---- */
  size_t *delassus_at; /* [parts] */
  double *delassus;    /* [3 x 3 blocks, row-wise][9] */
  size_t delassus_capacity;
  int *place;    /* [2 count] number of a side within its part */
  double *bound; /* [count] of the exact diagonal block */
};

enum { SN_CCP_CHUNK = 256, SN_PART_CHUNK = 16, SN_SUMS = 6 };

/* Factors and inverses of the touched parts, sides by part, B and s: all that solving needs. */
void sn_ccp_prepare(sn_ccp *ccp);
/* x += D g of one side; y += D'x */
void sn_edge_add(const sn_ccp *ccp, int edge, const double g[3], double *x);
void sn_edge_gather(const sn_ccp *ccp, int edge, const double *x, double y[3]);
/* z and x of impulses g; then y[3] of a contact: its rows of N g. */
void sn_ccp_spread(sn_ccp *ccp, const double *g);
void sn_ccp_gather(const sn_ccp *ccp, int contact, double y[3]);
/* Run task(ccp, chunk) for all chunks of contacts. */
void sn_ccp_chunks(sn_ccp *ccp, int count, sn_task task, void *user);
/* In place: N of the large parts, dense; the bounds of the exact diagonal blocks. */
void sn_ccp_delassus(sn_ccp *ccp);

/* Solvers: from the g in vector[0] to the g in vector[0]. */
sn_ccp_result sn_ccp_apgd(sn_ccp *ccp, const sn_ccp_settings *settings);
sn_ccp_result sn_ccp_jacobi(sn_ccp *ccp, const sn_ccp_settings *settings);
sn_ccp_result sn_ccp_gauss_seidel(sn_ccp *ccp, const sn_ccp_settings *settings);

/* Bound of the largest eigenvalue of a block of N; without friction only the normal counts. */
static inline double sn_block_bound(const double N[9], double mu) {
  double a = fabs(N[0]) + fabs(N[1]) + fabs(N[2]), b = fabs(N[3]) + fabs(N[4]) + fabs(N[5]);
  double c = fabs(N[6]) + fabs(N[7]) + fabs(N[8]);
  double bound = mu > 0 ? fmax(a, fmax(b, c)) : N[0];
  return bound > 0 ? bound : 1e-300; /* nothing moves: any impulse will do */
}

/* Projection onto the cone |gt| <= mu gn. */
static inline void sn_cone_project(double mu, double g[3]) {
  double t = sqrt(g[1] * g[1] + g[2] * g[2]);
  if (g[0] >= 0 && t <= mu * g[0]) return;
  double n = mu * t <= -g[0] ? 0 : (mu * t + g[0]) / (mu * mu + 1), scale = n > 0 ? mu * n / t : 0;
  g[0] = n;
  g[1] *= scale;
  g[2] *= scale;
}

/* s |g - P(g - d/s)|, squared */
static inline double sn_cone_residual(double mu, double s, const double g[3], const double d[3]) {
  double p[3] = {g[0] - d[0] / s, g[1] - d[1] / s, g[2] - d[2] / s};
  sn_cone_project(mu, p);
  double e[3] = {g[0] - p[0], g[1] - p[1], g[2] - p[2]};
  return s * s * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
}

/* z += B'g and y = B z over both sides of a contact, B of three rows; the sum as a tree, so that it is done in
 * vectors. */
static inline void sn_small_add(const double *restrict B, const double g[3], double *restrict z) {
  for (int k = 0; k < SN_SMALL; k++) z[k] += B[k] * g[0] + B[SN_SMALL + k] * g[1] + B[2 * SN_SMALL + k] * g[2];
}
static inline void sn_small_rows(const double *restrict B, const double *restrict z, double p[3][SN_SMALL]) {
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < SN_SMALL; k++) p[a][k] += B[a * SN_SMALL + k] * z[k];
}
static inline void sn_small_sum(double p[3][SN_SMALL], double y[3]) {
  for (int a = 0; a < 3; a++) {
    double q[4];
    for (int k = 0; k < 4; k++) q[k] = p[a][k] + p[a][k + 4];
    y[a] += (q[0] + q[2]) + (q[1] + q[3]);
  }
}

#endif
