/* analysis.h - equilibria, modes and linear models at the present state of a simulation. Part of sinew.h. */
#ifndef SINEW_ANALYSIS_H
#define SINEW_ANALYSIS_H

#include "sinew/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Another analysis from the present state of `at`, as in a model file: "{type: statics}", "{type: modes, count: 10}",
 * "{type: linearize}". It is run to its end in a simulation of its own, with the inputs, functions of inputs and forces at
 * markers of `at`, and the same numbers of markers; that one belongs to the caller and holds what was found: a state
 * (sn_positions, outputs, reactions), modes, a linear model. `at` stays as it is, and must not be freed before. On failure
 * *found is NULL, and the message is that of the context of `at`. */
SN_API sn_status sn_analyze(sn_simulation *at, const char *analysis, sn_simulation **found);

/* x' = A x + B u, y = C x + D u about a state; x: changes of independent coordinates, then their rates; u: inputs of the
 * model; y: columns of its outputs. Matrices by rows; eigenvalues of A [1/s]. All of it belongs to the simulation. */
typedef struct sn_linear_info {
  size_t states, inputs, outputs;
  const double *A, *B, *C, *D; /* [states][states], [states][inputs], [outputs][states], ... */
  const double *re, *im;       /* [states] */
  const char *const *state, *const *input, *const *output; /* names */
} sn_linear_info;
/* What the analysis linearize has found last. SN_USAGE: there was none. */
SN_API sn_status sn_linear_model(const sn_simulation *simulation, sn_linear_info *info);

/* Modes, lowest first: of vibration, of buckling (factor), or damped ones (re, im). All of it belongs to the simulation. */
typedef struct sn_modes_info {
  const char *kind; /* "vibration", "buckling", "damped" */
  size_t count, rigid;
  const double *w2;                /* [count] squares of angular frequencies [1/s2]; < 0: unstable */
  const double *factor;            /* [count] load factors of buckling; else NULL */
  const double *re, *im;           /* [count] eigenvalues of damped modes [1/s]; else NULL */
  const double *damping;           /* [count] damping ratios; NaN: none */
  const double *shape, *imaginary; /* [count][coordinates]; imaginary: of damped modes, else NULL */
} sn_modes_info;
/* What the analyses modes, buckling or linearize have found last. SN_USAGE: there were none. */
SN_API sn_status sn_modes_found(const sn_simulation *simulation, sn_modes_info *info);

#ifdef __cplusplus
}
#endif
#endif
