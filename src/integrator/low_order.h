/* low_order.h - one step with unknowns (a1, l1), shared by the low-order integrators. Private.
 *
 *   q1 = qh + cq a1 + sq w,   v1 = vh + cv a1 + sv w        qh, vh, and the factors: of the method
 *   M1 x1 + (G'l - Q)_1 = 0,   x1 = (a1 + al x0)/(1 + al);  or at a point chosen by the method (evaluate)
 *   primary level of the constraints:  Phi_1/cq = 0,  (G1 v1 + Phi_t)/cv = 0,  or the method's own (rows)
 *   matrix: [cm M + cd D + ck K, G'; G, 0],   cm = 1/(1 + al), cd = cv, ck = cq unless the method evaluates elsewhere
 * The unknown of the linear systems may be unit * a1: all but the multipliers' columns is divided by the unit.
 * Stabilized methods also satisfy the other level, by w:
 *   velocities (sq = 0):  M(qm) w + G1'mu = 0, qm = (q0 + q1)/2,   (G1 v1 + Phi_t)/sv = 0
 *                         matrix: [M, G'; G, 0] in a second system
 *   positions (sv = 0):   (M(qm) + cv D + cq K) w + G1'mu = 0,   Phi_1/sq = 0
 *                         matrix: that of (a1, l1), whose D and K are taken
 * Positions are corrected with the iteration matrix, not with M, which has no stiffness: M would change deformations of
 * stiff bodies, whose forces then disturb the error estimate. The two are corrected in turn: corrections of a1 satisfy
 * the constraints and hardly affect w, and vice versa.
 */
#ifndef SN_LOW_ORDER_H
#define SN_LOW_ORDER_H

#include "integrator/integrator.h"
#include "integrator/newton.h"
#include "integrator/step.h"

typedef enum sn_level { SN_NO_LEVEL, SN_POSITION_LEVEL, SN_VELOCITY_LEVEL, SN_ACCELERATION_LEVEL } sn_level;

typedef struct sn_low_order sn_low_order;

enum { SN_DIFFERENCES = 4 };

/* What makes a method. */
typedef struct sn_low_order_ops {
  sn_level primary, secondary;
  bool newmark;   /* Newmark's formulas: velocities miss the rates of positions by an amount that goes with the step */
  bool closes;    /* `finish` projects positions onto their constraints at any level */
  bool two_steps; /* `begin` takes positions and velocities of the start of the last step, too */
  bool drifts;    /* ... across constraints too: velocities are not held on theirs */
  void (*begin)(sn_low_order *w); /* qh, vh and the factors of the step w->h from w->from */
  /* Where the equations of motion are met, and then cm, cd, ck are set by `begin`. NULL: at the end, with x1 for a1. */
  sn_state (*evaluate)(sn_low_order *w);
  /* r[n]: the equations of motion there. NULL: M a + G'l - Q. */
  void (*equations)(sn_low_order *w, const sn_state *at, double *r);
  /* phi[m]: in place of the primary level, scaled so that the derivative by a1 is G. NULL: as `primary` says. */
  void (*rows)(sn_low_order *w, double *phi);
  bool (*finish)(sn_low_order *w); /* after convergence; false: as if there was none. NULL: nothing */
  /* In place of an iteration of (a1, l1) and w; see newton.h. NULL: none. */
  double (*iterate)(void *w, double *dx);
  void (*reset)(sn_low_order *w);  /* after the iterate went back to the predictor; NULL: nothing */
  void (*accept)(sn_low_order *w); /* the step is taken; NULL: nothing to remember */
} sn_low_order_ops;

struct sn_low_order {
  sn_system *system;
  sn_system *twin; /* of the secondary level; NULL: none */
  const sn_low_order_ops *ops;
  double alpha, beta, gamma;
  bool elastic;      /* newmark: v follows changes of the step in stiff directions too (step_change.c) */
  double shift;      /* newmark: a belongs to the time t - shift h */
  bool of_middle;    /* multipliers are those of the middle of the step */
  double held_error; /* positions that stiffness holds are off by minus this times h^2 a */
  double lag[2]; /* q' = v + lag[0] h^2 v'', v' = a + lag[1] h^2 a'': by what steps of this length err; 0: not used */
  double share;  /* fixed steps: Newton's share of the local error */
  bool printed;  /* step size control as published with hht-i3: 0.9 h Theta^(-1/6) after every step */
  const char *hint; /* possible remedy when a step fails; NULL: the usual */
  bool to_rounding; /* Newton's method continues until rounding stops it */
  bool on_start;    /* redundant constraints: matrices are made where the step starts */
  bool fixed;
  double tolerance;
  double own_first; /* the first step it would choose: a longer one, of the user, is judged by all of a1 - a0 */
  double horizon; /* bounds: run: the local errors of this time add up to the tolerance; 0: that of a step is bounded */
  sn_integrator_spec settings;
  double h; /* of the current step */
  double cq, cv, sq, sv;
  double cm, cd, ck;  /* of the matrix */
  double mass_unit;   /* of masses and moments of inertia, where they are far from 1 kg and 1 kg m2 */
  double unit;        /* of the unknown; mass_unit, changed by `begin` where said */
  double C;           /* factor of the local error C h^2 |a1 - a0| */
  double rate_C;      /* of the error rate_C h^2 q''' of velocities across constraints; 0: C */
  double rate_error;  /* that error, in tolerances, when it was last measured, ... */
  double rate_h;      /* with this step, ... */
  int rate_age;       /* and so many steps ago */
  double seen_error;  /* local error when it was last looked at, ... */
  double seen_all;    /* with all of a1 - a0, ... */
  double seen_h;      /* with this step, ... */
  int seen_age;       /* and so many steps ago */
  double first;       /* methods of first order: of what damps the motion, first h^2 |a1|; 0: second order */
  double matrix_cq;   /* the kept matrix belongs to */
  double matrix_unit; /* the same: all of a system has the unit of its matrix */
  int age;            /* of it, in steps */
  bool twin_valid;
  bool at_end;  /* the matrix has G of the end of the step, for equations of motion within it (low_order.c) */
  double error; /* local error of the iterate */
  sn_newton newton;
  int turning; /* the last step could only be solved by holding contacts that turn: the next one begins so */
  sn_step_control control;
  const sn_state *from; /* start of the step */
  sn_state *to;         /* iterate */
  double *weight;       /* [n] 1/Y, Y = max(1, |q| so far), or as relative and absolute say */
  double *rate_weight;  /* [n] 1/V, the same of velocities; NULL: steps are fixed, and nothing asks for it */
  double *a0,
      *l0; /* [n + m] and its second part: of the method at the start of the step: what the iteration for it ended with */
  double *x0, *x;   /* [n] acceleration of the equations: at the start of the step, of the iterate */
  double *qh, *vh;  /* [n] */
  bool at_once;     /* Newmark's formulas: qh and vh are found with the predictor, and not stored */
  const double *v0; /* [n] velocity the step starts from */
  const double *
      start_a; /* [n] a0 at the time this step takes it for; used by `begin` at the latest, but for methods that `evaluate` */
  double *room_a;                /* [n + m] for start_a, where it is not a0 */
  double *room_v;                /* [n] for v0, where it is not that of the last step */
  double *slope[SN_DIFFERENCES]; /* [n] divided differences of positions over the last steps, latest first */
  double past[SN_DIFFERENCES];   /* these steps; 0: none */
  int rough;                     /* steps to wait before positions are taken for smooth again: Newton has failed */
  double *previous;              /* [n + m] (a, l) at the start of the last step */
  double previous_h;             /* 0: none */
  double *last_q, *last_v;       /* [n] at the start of the last step, if ops->two_steps */
  double last_h;                 /* its length; 0: none */
  bool x_found;                  /* x is that of the iterate */
  double *w, *mu;                /* [n], [m] */
  double *middle, *work;         /* [n], [3 (n + m)] */
};

/* Fill w; `share` 0: 1e-3; a second system is created for stabilized methods unless w has one. False: no memory for it,
 * the context has the message. */
bool sn_low_order_create(sn_low_order *w, sn_system *system, const sn_integrator_spec *settings, const sn_state *state,
                         const sn_low_order_ops *ops);
sn_status sn_low_order_step(void *self, sn_state *state, sn_state *before, double limit);
const double *sn_low_order_stabilizing(const void *self); /* mu of methods with sv = h */
double sn_low_order_held_error(const void *self);
bool sn_low_order_of_middle(const void *self);
void sn_low_order_history(void *self, sn_history *history);
void sn_low_order_free(void *self);

/* ---- low_order_error.c ---- */

/* Local error the step under way may make. */
double sn_low_order_allowed(const sn_low_order *w);
/* Does only what moves along the constraints count? */
bool sn_low_order_is_filtered(const sn_low_order *w);
/* Local error of the iterate; that of velocities across constraints, in tolerances, where `local` is the first. */
double sn_low_order_error(sn_low_order *w);
double sn_low_order_rate_error(sn_low_order *w, double local);
/* Why a step failed: the local error cannot be met; Newton ends so; newton: schur misses stiffness. */
sn_status sn_low_order_report_error(sn_low_order *w, const sn_state *state);
sn_status sn_low_order_report_failure(sn_low_order *w, const sn_state *state, sn_newton_result result);
sn_status sn_low_order_report_stiffness(sn_low_order *w, double t);

/* For methods with iterations of their own. */
/* Norm of a change of acceleration: C h^2 |da/Y|, root mean square, a local error in position. */
double sn_low_order_norm(const sn_low_order *w, const double *da);
/* Sum of (x weight)^2 over first .. last - 1. */
double sn_weighted_squares(int first, int last, const double *weight, const double *x);
/* [M, G'; G, 0] of the iterate in the twin. */
bool sn_low_order_factor_twin(sn_low_order *w);
extern const sn_newton_ops sn_low_order_newton;
/* Of positions and velocities, by the largest so far and the state. */
void sn_low_order_update_weights(sn_low_order *w, const sn_state *state);
/* Positions, velocities or accelerations of the iterate onto their constraints, to rounding or with so many corrections
 * (0: as many as it takes), along the iteration matrix or, if `twin`, along the mass matrix; false: they cannot be met.
 */
bool sn_low_order_close(sn_low_order *w, sn_level level, bool twin, int most);
/* Newton's share of the local error for a method whose noise in a shrinks by `root` in a step. */
double sn_low_order_share(double root);
/* v0 and start_a for a step of length h (step_change.c), and what they are made of: at the start, after a step. */
void sn_low_order_change_step(sn_low_order *w);
void sn_low_order_begin_history(sn_low_order *w, const sn_state *state);
void sn_low_order_begin_slopes(sn_low_order *w);
void sn_low_order_add_slopes(sn_low_order *w, int first, int last); /* of coordinates first .. last - 1 */
void sn_low_order_end_slopes(sn_low_order *w);
/* jerk[n] := q''' over this step and the last two, from positions alone. Returns its rounding error where positions have
 * size 1. */
double sn_low_order_jerk(const sn_low_order *w, double *jerk);
/* Newmark's qh, vh of a coordinate that starts with q0, v0, a0, by the step w->h. */
static inline double sn_newmark_qh(const sn_low_order *w, double q0, double v0, double a0) {
  return q0 + w->h * v0 + w->h * w->h * (0.5 - w->beta) * a0;
}
static inline double sn_newmark_vh(const sn_low_order *w, double v0, double a0) {
  return v0 + w->h * (1 - w->gamma) * a0;
}
/* These, cq, cv from this a0 [n]. */
void sn_newmark_begin(sn_low_order *w, const double *a0);

#endif
