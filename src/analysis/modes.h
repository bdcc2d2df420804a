/* modes.h - natural frequencies and shapes about a configuration. */
#ifndef SN_MODES_H
#define SN_MODES_H

#include "analysis/pencil.h"

/* Lowest first. All memory is the simulation's. */
typedef struct sn_modes {
  int stage;        /* that made them */
  const char *kind; /* "vibration", "buckling", "damped" */
  int count;
  int rigid;             /* of them, those with frequency zero up to rounding */
  int unstable;          /* those with w2 < 0: the configuration is left, at the rate sqrt(-w2) */
  double *factor;        /* [count] buckling: load factors, the lowest positive ones; else NULL */
  double reversed;       /* buckling: factor of reversed loads, negative; NaN: none, or not known */
  double *w2;            /* [count] vibration: squares of angular frequencies [1/s2]; 0 for rigid ones */
  double *re, *im;       /* [count] damped: eigenvalues lambda [1/s], im >= 0; w2 is |lambda|^2; else NULL */
  double *damping;       /* [count] damping ratios. damped: -re/|lambda|; vibration: u'D u/(2 w), NaN: w2 <= 0 */
  double *shape;         /* [count][n], u'M u = 1, largest entry positive; damped: largest entry 1 */
  double *imaginary;     /* [count][n] damped: imaginary part of it */
  const char *method;    /* "dense", "lanczos" */
  struct sn_modes *next; /* of an earlier stage */
} sn_modes;

/* w/2pi in Hz; negative for unstable ones: minus the rate of growth / 2 pi. */
double sn_mode_frequency(const sn_modes *modes, int i);

/* As programs see them. */
void sn_modes_describe(const sn_modes *modes, sn_modes_info *info);

/* Fix signs: the largest entry of each shape is positive. */
void sn_modes_fix_signs(sn_modes *modes, int n);
/* Add what a stage has found to the simulation. */
void sn_modes_keep(sn_simulation *simulation, sn_modes *modes, const char *kind);

/* The `count` lowest modes of the pencil: by LAPACK on the null space of G, or by ARPACK's Lanczos method with
 * A(shift)^-1 as the operator. Fewer come back where there are fewer. */
sn_status sn_modes_dense(sn_pencil *pencil, sn_arena *arena, int count, sn_modes *modes);
sn_status sn_modes_lanczos(sn_pencil *pencil, sn_arena *arena, int count, sn_modes *modes);

/* Modes whose w2 are zero up to rounding of the scale, from a solver, become what they are beside light stiff parts; other
 * modes stay. false: there are none, or all stay. */
bool sn_pencil_sharpen(sn_pencil *pencil, sn_arena *arena, sn_modes *modes);

/* The same of buckling, (K + f S) u = 0 on G u = 0: factors f and shapes. S is the pencil's `stress`. */
sn_status sn_buckling_dense(sn_pencil *pencil, sn_arena *arena, int count, sn_modes *modes);
sn_status sn_buckling_lanczos(sn_pencil *pencil, sn_arena *arena, int count, sn_modes *modes);

/* Forces that stiff bodies make of the rounding of positions q [n]; K: the stiffness. */
double sn_rounding_of_forces(const sn_matrix *K, int n, const double *q);
/* A doubt where a state at rest, with its accelerations, is about to move: no equilibrium. work: [n + m];
 * state: the text up to "not in equilibrium". */
void sn_doubt_equilibrium(sn_simulation *simulation, sn_system *system, const sn_state *at, const sn_matrix *K,
                          double *work, const char *state);

enum { SN_DENSE_UP_TO = 400 }; /* coordinates; beyond, Lanczos is faster */

#endif
