/* linearize.h - the equations of motion about a state as x' = A x + B u, y = C x + D u, in independent coordinates. */
#ifndef SN_LINEARIZE_H
#define SN_LINEARIZE_H

#include "analysis/modes.h"

/* All memory is the simulation's; matrices by rows. */
typedef struct sn_linear {
  int stage;                   /* that made it */
  int states, inputs, outputs; /* states: changes of independent coordinates, then their rates */
  const char **state_name;     /* "bar.rotation_z", ..., "rate of bar.rotation_z" */
  const char **input_name;
  const char **output_name; /* "tip.x": the columns of the model's outputs */
  double *A, *B, *C, *D;
  double *re, *im;        /* [states] eigenvalues of A [1/s], ascending |.|; conjugate ones follow each other */
  struct sn_linear *next; /* of an earlier stage */
} sn_linear;

/* Eigenvalues of A, and the damped modes with im >= 0: `lift` gives the coordinates [n] of a change of the states. */
sn_status sn_linear_eigen(sn_simulation *simulation, sn_linear *linear, sn_modes *modes,
                          void (*lift)(void *user, const double *x, double *dq), void *user);

#endif
