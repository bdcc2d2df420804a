/* ccp_problem.h - shared by the files of the complementarity solver. Private.
 *
 * Impulses and velocities of contacts are held in space where products N g are what matters: f = [n u w] g, vectors of
 * four numbers the last of which is zero, so that a processor takes them in one piece; the cone then needs n alone.
 * N f is found in two steps: sums over the contacts of each component (see sparse/components.h) and its motion under
 * them; the velocities of the contacts' points. A free rigid body is a small component: forces z = (sum f, sum arm x
 * f), its motion is W z with W = T A^-1 T', 6 x 6. Other components (a cable, a mechanism) are solved with; even ones
 * (components_even.c) vector by vector, and of their edges only weights and numbers of vectors are read.
 */
#ifndef SN_CCP_PROBLEM_H
#define SN_CCP_PROBLEM_H

#include <math.h>
#include <string.h>

#include "contact/ccp.h"
#include "math/four.h"
#include "math/vec3.h"
#include "sparse/components.h"

/* SN_TWIST: (c', w) and two zeros, the lanes of math/lanes.h. */
enum { SN_TWIST = 8, SN_TWIST_COLUMNS = 7 };
/* Vectors of a carrier, at most, for which A^-1 between them is kept: those of an element of a cable. */
enum { SN_INNER = 4 };

enum { SN_CCP_CHUNK = 128, SN_COMPONENT_CHUNK = 16, SN_REGION = 8 };
enum { SN_SHORT = 128 }; /* vectors of an even component that find room on the stack */
/* Contacts whose cones stand side by side: a multiple of the lanes of any instruction set. */
enum { SN_GROUP = 8 };

/* How the point of a side moves with the coordinates of its carrier, x' = J v:
 *   fixed    not at all
 *   twist    x' = c' + w x arm, (c', w) = T v: a rigid body alone
 *   weights  x' = sum w_k e_k', the e_k being vectors among the coordinates
 *   rows     [n u w]'J itself
 * Side 0 counts as it is, side 1 with the other sign. */
typedef enum sn_edge_kind { SN_EDGE_FIXED, SN_EDGE_TWIST, SN_EDGE_WEIGHTS, SN_EDGE_ROWS } sn_edge_kind;

/* Side s of contact i is edge 2 i + s. */
typedef struct sn_edge {
  sn_edge_kind kind;
  int component; /* -1: does not move */
  int small;     /* twist: number of the small component */
  int count;     /* coordinates of the carrier, or vectors */
  const sn_carrier *carrier;
  size_t at; /* its rows, or weights, in `rows`; with their sign */
} sn_edge;

/* An edge as iterations see it, component by component; see ccp_operator.c. Its lever: four weights, or (s arm, s) with
 * its sign s. */
typedef struct sn_link {
  int edge;
  int near[2]; /* where the two pairs of vectors begin which the weights are for; -1: look at `rows` and `numbers` */
} sn_link;

/* What an iteration needs of any contact; what it needs where rigid bodies touch, and what only the start and the end
 * do, stand apart: large heaps are as fast as memory is read. */
typedef struct sn_cone {
  double n[3], mu;
  double s, inverse_s; /* scale of the contact: bound of its own block of N; inverse 0: it cannot move */
  double a, t;         /* scales along the normal and across: N of the contact along n, bound of its N across */
} sn_cone;

/* A small component: W by columns of eight; and what iterations do not need of it. */
typedef struct sn_small {
  double W[6][SN_TWIST];
} sn_small;

typedef struct sn_twist {
  const double *T; /* [coordinates][SN_TWIST] its columns */
  int group;       /* its coordinates; -1: not touched as a rigid body */
} sn_twist;

/* Contacts first .. last - 1 and all the components they touch; see islands.h. */
typedef struct sn_island {
  int first, last;
  int component_first, component_last; /* in `active` */
  int block;                           /* its first block, and region: there are not more of them */
  int cones;                           /* its first group of them */
  bool shared; /* all threads work on it; otherwise the calling one, as the others have their own */
  sn_ccp_result result;
} sn_island;

/* SN_REGION blocks with one step; see ccp_solve.c. */
typedef struct sn_region {
  double t, t1, L; /* of apgd */
  double blend;    /* b of the y from which this iterate came */
  double next;     /* b of the next y */
  double step;     /* 1/L of the next iterate */
  bool again;      /* they have changed: the next iterate is found once more */
} sn_region;

/* SN_CCP_CHUNK contacts of an island, one after the other: neighbors. See ccp_solve.c. */
typedef struct sn_ccp_block {
  sn_region *region;
  double e_N_e, e_S_e, slope; /* apgd: its shares of sums */
  bool asleep;                /* the same: its impulses are good as long as its neighbors leave them so */
  bool slept;                 /* it did when those that move were found */
  bool disturbed;             /* some of its components move */
  bool kept;                  /* it rests, and stands in the best result so far as it is */
  bool leftover;              /* the start has impulses of contacts that open */
  double f;                   /* jacobi: its share of 2 f */
  double residual;            /* largest, when it was last looked at */
  int worst;                  /* its contact */
} sn_ccp_block;

/* Cones side by side, and what projections make of them: k^2 = t/a, mu k, 1/((mu k)^2 + 1). */
typedef struct sn_cones {
  double n[3][SN_GROUP], mu[SN_GROUP], s[SN_GROUP], inverse_s[SN_GROUP];
  double t[SN_GROUP], more[SN_GROUP]; /* a - t */
  double inverse_t[SN_GROUP];         /* 0: it cannot move */
  double ratio[SN_GROUP], scaled_mu[SN_GROUP], share[SN_GROUP];
} sn_cones;

/* This iterate, the last, the one before it; d of the last, of the one before it. */
typedef struct sn_iterates {
  double *g1, *g0, *g, *d0, *d;
} sn_iterates;

/* Mean impulses of the contacts of the last solution, in the order of the list it had (sn_ccp_take). */
typedef struct sn_impulse_memory {
  int count, capacity;
  double least; /* change of a velocity that is none [m/s] */
  uint64_t *key;
  double (*mean)[4]; /* in space, and the weight of the next impulse in it; 0: forgotten */
} sn_impulse_memory;

/* ccp_interior.c: the small islands that a solver has left above the tolerance; how many. */
int sn_ccp_interior_rest(sn_ccp *ccp, const sn_ccp_settings *settings);
typedef struct sn_dense sn_dense;
void sn_dense_free(sn_dense *problem);

struct sn_ccp {
  const sn_surfaces *surfaces;
  sn_components components;
  const sn_matrix *matrix;
  const void *solver;
  sn_threads *threads;
  /* ---- by component ---- */
  bool *inverted;  /* blocks of the inverse are those of the present factorization */
  bool *even;      /* [components] solved with as an even component */
  int *dof;        /* [components] degrees of freedom: coordinates minus constraints */
  int *small_of;   /* [components] number of a small component; -1: large */
  sn_small *small; /* of all that may be touched */
  sn_twist *twist; /* the same */
  double *motion;  /* [smalls][SN_TWIST] (c', w) of small components */
  int *sides;      /* [components] number of edges */
  int *start;      /* [components + 1] its edges among the links */
  int *active;     /* components that are touched */
  bool *awake;     /* [actives] not all of its contacts rest */
  int actives;
  double *x;      /* [rows] A^-1 D g on large components */
  double *x_even; /* the same on long even components, four numbers a vector */
  double *L;      /* [components] last estimate of the largest curvature where it was */
  sn_islands islands;
  sn_island *island; /* [islands.count] */
  int island_capacity;
  /* ---- by carrier ---- */
  int *linear_start; /* [components + 1] the linear carriers of a component among `linear` */
  int *linear;
  double (*inner)[SN_INNER * SN_INNER]; /* [carriers] of linear ones on even components: A^-1 between their vectors, of
                                           the factorization for which the component is `inverted` */
  int (*inner_place)[SN_INNER]; /* [carriers] of linear ones with so few vectors: where these are within the component,
                                   -1: across two places */
  double *carrier_twist;        /* [carriers][SN_TWIST_COLUMNS][SN_TWIST] columns of T of rigid bodies ... */
  long *twisted;                /* [carriers] ... and the problem they were found for */
  long problem;                 /* number of the present one */
  /* ---- by contact ---- */
  int count, capacity;
  sn_contact **contact; /* as detected, with all that is needed but at the start and the end */
  int *of_list;         /* [count] where in the given list it is, while they are sorted */
  int *component;       /* [2 count] of their sides; -1: does not move */
  int *need;            /* [2 count] of the same: numbers in `rows` */
  uint64_t *key;
  sn_cone *cone;
  double (*arm)[2][3];
  double (*frame)[9]; /* n, u, w */
  sn_edge *edge;      /* [2 count] */
  int *quick; /* [2 count] small component of an edge with a twist; SN_QUICK_NONE: fixed; SN_QUICK_LARGE, SN_QUICK_EVEN:
                 on such a component */
  int *arrival;  /* [listed] edges of all that moves, component by component and in the order of the contacts */
  sn_link *link; /* [listed] they as iterations take them, on even components element by element; and a few more */
  double *lever; /* [listed][4] */
  int listed;
  double *speed; /* [2 count][4] velocity of the edge's point under impulses, with the sign of its side */
  double *rows;  /* rows of D', or weights, one edge after the other */
  int *numbers;  /* beside weights: where their vectors are within an even component */
  size_t row_count, row_capacity;
  double *vector[8];   /* [4 count] each; the first: g by n, u, w, [3 count]; others in space */
  sn_ccp_block *block; /* of all islands */
  sn_region *region;
  int block_capacity; /* for as many regions */
  sn_cones *cones;    /* of all islands, each begins with a group */
  int cones_capacity;
  bool prepared;   /* contacts are, since they were added */
  const double *r; /* of the current solution */
  double *bias;    /* [count] s of ccp.h as it is in vector[7] */
  sn_impulse_memory memory;
  double (*past)[4]; /* [count] mean impulse so far in space, and the weight of the new one in it */
  /* ---- gauss-seidel: N of each large component, dense ---- */
  size_t *delassus_at; /* [components] */
  double *delassus;    /* [edges of the component][edges of the component][9] */
  size_t delassus_capacity;
  int *place;      /* [2 count] number of an edge within its component: at first as it came, then among the links */
  sn_dense *dense; /* lemke, interior-point: see ccp_dense.h; NULL: not used so far */
};

enum { SN_QUICK_NONE = -1, SN_QUICK_LARGE = -2, SN_QUICK_EVEN = -3 };
/* How far ahead memory is asked for: heaps larger than the caches wait for it. */
enum { SN_PREFETCH = 12 };

/* Room for so many contacts; numbers of them that are there already are lost. */
void sn_ccp_room(sn_ccp *ccp, int count);
/* Inverses of the touched components, edges by component, scales: all that solving needs. */
void sn_ccp_prepare(sn_ccp *ccp);
/* The motion of an island's components under impulses in space, [4 count], and with it the velocities of the contacts'
 * points. */
void sn_ccp_move(sn_ccp *ccp, const sn_island *island, const double *f);
/* x += D g and y += D'x of one edge of a large component; f = [n u w] g. */
void sn_edge_add(const sn_ccp *ccp, int edge, const double g[3], const double f[3], double *x);
void sn_edge_gather(const sn_ccp *ccp, int edge, const double *x, double y[3]);
/* Which of the groups of an edge its vector k belongs to, and where in it. */
int sn_edge_place(const sn_ccp *ccp, const sn_edge *edge, int k, int *at);
/* ---- contacts of a block, several at once (ccp_project.c): all in space, [4 count] ---- */

/* `cones` are as many groups as the contacts fill, the last one with empty places. */
void sn_cones_take(const sn_cone *cone, int count, sn_cones *cones);
/* to = P(y - step S^-1 dy) with y = at + b (at - before), dy = d + b (d - d_before); S and P: see ccp_solve.c. */
void sn_ccp_project(const sn_cones *cones, int count, double step, double b, const double *at, const double *before,
                    const double *d, const double *d_before, double *to);
/* With d1 of g1: the sums of the block, the next iterate into the place of g, d1 into that of d. */
void sn_ccp_iterate(const sn_cones *cones, int count, const double *d1, const sn_iterates *v, sn_ccp_block *block);
/* Residuals (ccp.h) squared, from g and d; with a bias s, of Coulomb's law: s changes to mu |d_t| by `change`, and d by as
 * much along n. */
void sn_ccp_judge(const sn_cones *cones, int count, const double *g, const double *d, const double *bias,
                  double *change, double *square);
/* task(user, chunk) for all chunks, on all threads if shared */
void sn_ccp_run(const sn_ccp *ccp, bool shared, int chunks, sn_task task, void *user);

#define SOLVER(NAME, variable, word) extern const sn_ccp_solver_ops variable;
#include "contact/ccp_solvers.def"
sn_ccp_result sn_ccp_of_islands(const sn_ccp *ccp); /* the results of all in one */

/* The larger eigenvalue of the part T of a block [a b'; b T] of N. */
static inline double sn_block_across(const double N[9]) {
  double u = (N[4] - N[8]) / 2, w = (N[5] + N[7]) / 2;
  return (N[4] + N[8]) / 2 + sqrt(u * u + w * w);
}

/* Bound of the largest eigenvalue of such a block, that of [a |b|; |b| t] with the larger eigenvalue t of T: the same
 * however the axes across the normal are turned. Without friction only the normal counts. */
static inline double sn_block_bound(const double N[9], double mu) {
  double a = N[0];
  if (mu > 0) {
    double b2 = N[1] * N[1] + N[2] * N[2], t = sn_block_across(N), d = (a - t) / 2;
    a = (a + t) / 2 + sqrt(d * d + b2);
  }
  return a > 0 ? a : 1;
}

/* Projection of g = gn n + gt onto the cone |gt| <= mu gn, from along = gn and side = |gt|: inside, g stays; otherwise
 * it becomes `to` n + `scale` gt. By choices in place of branches: which contacts slip changes from one to the next. */
typedef struct sn_cone_cut {
  double to, scale;
  bool inside;
} sn_cone_cut;

static inline sn_cone_cut sn_cut_to_cone(double mu, double along, double side) {
  double edge = (mu * side + along) / (mu * mu + 1), to = edge > 0 ? edge : 0;
  return (sn_cone_cut){to, mu * to / (side + 1e-300), (along >= 0) & (side <= mu * along)};
}

/* In the axes of the contact, normal first. */
static inline void sn_cone_project(double mu, double g[3]) {
  sn_cone_cut cut = sn_cut_to_cone(mu, g[0], sqrt(g[1] * g[1] + g[2] * g[2]));
  if (cut.inside) return;
  g[0] = cut.to;
  g[1] *= cut.scale;
  g[2] *= cut.scale;
}

/* s |g - P(g - d/s)|, squared */
static inline double sn_cone_residual(const sn_cone *c, const double g[3], const double d[3]) {
  double h = c->inverse_s, s = c->s, p[3] = {g[0] - d[0] * h, g[1] - d[1] * h, g[2] - d[2] * h};
  sn_cone_project(c->mu, p);
  double e[3] = {g[0] - p[0], g[1] - p[1], g[2] - p[2]};
  return s * s * sn_dot(e, e);
}

/* The same two in space. */
static inline void sn_space_project_at(double mu, double nx, double ny, double nz, double *fx, double *fy, double *fz) {
  double along = nx * *fx + ny * *fy + nz * *fz;
  double x = *fx - along * nx, y = *fy - along * ny, z = *fz - along * nz;
  sn_cone_cut cut = sn_cut_to_cone(mu, along, sqrt(x * x + y * y + z * z));
  *fx = cut.inside ? *fx : cut.to * nx + cut.scale * x;
  *fy = cut.inside ? *fy : cut.to * ny + cut.scale * y;
  *fz = cut.inside ? *fz : cut.to * nz + cut.scale * z;
}
static inline void sn_space_project(const sn_cone *c, double f[4]) {
  sn_space_project_at(c->mu, c->n[0], c->n[1], c->n[2], &f[0], &f[1], &f[2]);
}

/* f = [n u w] g and back */
static inline void sn_to_space(const double e[9], const double g[3], double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = e[k] * g[0] + e[3 + k] * g[1] + e[6 + k] * g[2];
}
static inline void sn_from_space(const double e[9], const double f[3], double g[3]) {
  for (int k = 0; k < 3; k++) g[k] = e[3 * k] * f[0] + e[3 * k + 1] * f[1] + e[3 * k + 2] * f[2];
}

/* motion += sign W (f, arm x f) of a small component */
static inline void sn_small_push(const sn_small *p, double *restrict motion, double sign, const double f[3],
                                 const double moment[3]) {
  double z[6] = {sign * f[0], sign * f[1], sign * f[2], sign * moment[0], sign * moment[1], sign * moment[2]};
  for (int k = 0; k < SN_TWIST; k++) {
    double a = p->W[0][k] * z[0] + p->W[1][k] * z[1] + p->W[2][k] * z[2];
    double b = p->W[3][k] * z[3] + p->W[4][k] * z[4] + p->W[5][k] * z[5];
    motion[k] += a + b;
  }
}

/* u += sign (c' + w x arm) */
static inline void sn_small_point(const double motion[SN_TWIST], const double arm[3], double sign, double u[3]) {
  double turn[3];
  sn_cross(turn, motion + 3, arm);
  for (int k = 0; k < 3; k++) u[k] += sign * (motion[k] + turn[k]);
}

static inline int sn_island_blocks(const sn_island *island) {
  return (island->last - island->first + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK;
}

static inline int sn_island_groups(const sn_island *island) {
  return (island->last - island->first + SN_GROUP - 1) / SN_GROUP;
}

static inline int sn_component_chunks(const sn_island *island) {
  return (island->component_last - island->component_first + SN_COMPONENT_CHUNK - 1) / SN_COMPONENT_CHUNK;
}

/* N f of one contact in space, after sn_ccp_move */
static inline sn_four sn_ccp_velocity(const sn_ccp *c, int i) {
  const double *y = c->speed + 8 * (size_t)i;
  return sn_four_load(y) + sn_four_load(y + 4);
}

#endif
