/* newton.h - the Newton iteration of all implicit integrators.
 *
 * The matrix is kept over iterations and steps as long as the corrections decrease fast enough, and until its age has
 * cost as many iterations as a new one would (newton.c). With the contraction
 * xi = |dx_k|/|dx_k-1| the error left after iteration k is at most xi/(1 - xi) |dx_k|; the iteration stops when that is
 * within the target. A step that has not converged is never accepted.
 *
 * No target is below the rounding error. Near singular positions the solution of A dx = r contains the rounding error
 * of r amplified by the condition of A, and corrections stop decreasing far above any target. With a matrix evaluated
 * where the corrections are already small, Newton's method converges quadratically or not at all: corrections that do
 * not decrease are rounding errors, and the iteration ends if the remaining error is within `enough`. If constraints
 * have become quadratic, positions are known to the square root of the rounding error, and a solution may exist only to
 * this accuracy: that is sufficient, or a fraction of the tolerance if this is smaller. Such steps are counted.
 *
 * Optionally the iteration stops by the residuals, |forces| and |constraints| below two numbers, as Bulin's and
 * Huang's. The remaining error is then not estimated. Broyden's matrix is evaluated again at the iterate after eight
 * iterations, and after eight more.
 *
 * Variants of the matrix A in A dx = r, x := x - dx:
 *   modified  kept as above
 *   full      new in every iteration
 *   broyden   kept, and corrected by the changes of the residual (broyden.h)
 *   schur     [M, G'; G, 0] (Khude, appendix A1): `factor` of the method omits D and K
 */
#ifndef SN_NEWTON_H
#define SN_NEWTON_H

#include "integrator/broyden.h"

/* What an integrator supplies. */
typedef struct sn_newton_ops {
  void (*reset)(void *self);                       /* back to the predicted state */
  void (*residual)(void *self, double *r);         /* right-hand side, [n + m], for A dx = r */
  bool (*factor)(void *self);                      /* new matrix at the current iterate */
  double (*correct)(void *self, const double *dx); /* subtract dx from the iterate, return its norm */
  double (*target)(void *self);                    /* norm that may be left; may depend on the iterate */
  /* Norms of forces and of constraints in r, in their own units. NULL: there is no stop by residuals. */
  void (*norms)(void *self, const double *r, double left[2]);
} sn_newton_ops;

typedef enum sn_newton_result { SN_CONVERGED, SN_DIVERGED, SN_SINGULAR } sn_newton_result;

/* In the order of the choices of the field `newton`, of which a method may offer the first ones. */
typedef enum sn_newton_variant { SN_MODIFIED, SN_FULL, SN_BROYDEN, SN_SCHUR } sn_newton_variant;

typedef struct sn_newton {
  sn_system *system;
  const sn_newton_ops *ops;
  void *self;
  /* For methods with systems of their own, in place of residual, sn_system_solve and correct: one whole iteration, its
   * norm; dx [n + m] receives what names the worst entry. NULL: none. */
  double (*iterate)(void *self, double *dx);
  sn_newton_variant variant;
  sn_broyden broyden;
  bool fresh;         /* the matrix is of this step and iterate */
  bool valid;         /* there is a matrix worth trying */
  double *dx;         /* [n + m] */
  int worst;          /* entry of (q, l) with the largest correction of the last failure */
  int iterations;     /* of the last solve */
  int most;           /* iterations before giving up */
  double rounding;    /* corrections below this that stop shrinking are rounding */
  double enough;      /* the same where the matrix was made that near (sn_newton_enough) */
  bool stalled;       /* the last failure: corrections were small and did not shrink */
  bool patient;       /* ... over two iterations, not one: to the last bit, where contractions alternate */
  bool judged;        /* the local error of the step is judged afterwards: what Newton finds may be far away */
  bool turns;         /* contacts may turn (contact/turned.c): the method goes on with variant `full`, watching them */
  bool held;          /* some did in the last solve */
  double slow;        /* a kept matrix that contracts worse is renewed */
  double contraction; /* first one measured in the last solve; 0: none was needed */
  double contraction_new; /* the one the kept matrix had when it was new */
  int used;               /* iterations of the last solve with the present matrix */
  long uses, total;       /* solves that converged with it, and all their iterations ... */
  int fewest;             /* ... and the fewest of one */
  double mean_before;     /* iterations per solve of the last matrix, where age had it renewed; 0: it was not age */
  int patience;           /* how much age may cost, in new matrices */
  double last_norm, last_target;
  double stop[2];     /* residuals of forces and constraints to stop at; 0: by the error that is left */
  double residual[2]; /* the last ones, where they are the stop */
} sn_newton;

/* Root of rounding; adaptive steps: no more than a share of their tolerance. */
static inline double sn_newton_enough(bool fixed, double tolerance) {
  const double root = 1e-8, share = 1e-3;
  return fixed || root < share * tolerance ? root : share * tolerance;
}
void sn_newton_create(sn_newton *newton, sn_system *system, const sn_newton_ops *ops, void *self);
/* Another variant than `modified`; weight: [n], as in the norm. */
void sn_newton_use(sn_newton *newton, sn_newton_variant variant, const double *weight);
/* Stop by residuals as the settings say, [0] of forces, [1] of constraints; 0: one takes the number of the other. */
void sn_newton_stop(sn_newton *newton, const double residual[2]);
/* Discard the matrix: the step size changed too much, or the state jumped. */
static inline void sn_newton_discard(sn_newton *newton) {
  newton->valid = false;
}
sn_newton_result sn_newton_solve(sn_newton *newton);

#endif
