/* statics.h - shared by the files of statics. Private. */
#ifndef SN_STATICS_H
#define SN_STATICS_H

#include "analysis/pencil.h"
#include "analysis/simulation.h"

typedef struct sn_statics_spec {
  sn_analysis_spec head;
  int steps;
  double tolerance, min_step;
  bool relax;
  int solver; /* 0 auto, 1 ldl, 2 klu */
} sn_statics_spec;

typedef struct sn_statics_work {
  const sn_statics_spec *spec; /* NULL: not that of statics */
  double tolerance;
  sn_system *system;
  bool raise;           /* loads are raised with s */
  double s, ds;         /* load factor reached, next step */
  double from, to;      /* times */
  double shift;         /* of M in the matrix: > 0 where parts are free to move without forces */
  double little;        /* shift that is enough */
  bool unstable;        /* was said already */
  bool relaxed;         /* likewise */
  bool buckled;         /* likewise */
  int iterations;       /* of the last solve */
  int worst;            /* entry of (q, l) with the largest residual of the last failure */
  double last_residual; /* relative to the force scale */
  double *ahead;        /* [n] first correction of the last solve: the displacement predicted by the tangent */
  bool loose;           /* at the start nothing holds some part against the loads: */
  sn_freedom free;      /* which */
  sn_state trial, test; /* iterate; damped iterate */
  sn_state found;       /* what Newton found, while a stable one is looked for */
  double *r0;           /* [n] */
  double *guess;        /* [m] reactions to start from */
  double *product;      /* [n + m] matrix times correction */
  double *F, *dx, *bar; /* [n + m] residual, Newton correction, next correction with the same matrix */
} sn_statics_work;

/* Memory for equilibria, from the system's arena; r0 is zero. */
sn_statics_work *sn_statics_create(sn_system *system, double tolerance);
/* Nothing moves; differential variables keep their values. */
void sn_statics_rest(sn_simulation *simulation, sn_statics_work *work);
/* The state x at the load factor s: its time, and the loads of the system. */
void sn_statics_place(sn_statics_work *statics, double s, sn_state *x);
/* F[n + m] */
void sn_statics_residual(sn_statics_work *statics, double s, const sn_state *x, double *F);
/* Largest force at work: reactions, or what the loads and the imbalance of the start give; changes bar and dx. */
double sn_statics_force_scale(sn_statics_work *statics, double s, const sn_state *x);
/* Root mean square of the changes dx of q, each relative to max(1, |q|). */
double sn_statics_size(const sn_statics_work *statics, const double *dx, const sn_state *x);
/* to = from + damping dx */
void sn_statics_move(const sn_statics_work *statics, sn_state *to, const sn_state *from, double damping,
                     const double *dx);
/* dx := -A^-1 F, A factorized; false: not accurate enough. */
bool sn_statics_solve(sn_statics_work *statics, const double *F, double *dx);
/* The matrix at x and statics->dx, the Newton correction of statics->F. */
bool sn_statics_correction(sn_statics_work *statics, const sn_state *x);
/* Equilibrium at s from statics->trial, with or without a line search; false: not found, `worst` is where. */
bool sn_statics_newton(sn_statics_work *statics, double s, bool search);
void sn_statics_find_worst(sn_statics_work *statics);

#endif
