/* state_space.h - state-space matrices of a result, and a file of MATLAB with them. */
#ifndef SN_STATE_SPACE_H
#define SN_STATE_SPACE_H

#include <stdio.h>

#include "result/result.h"

/* x' = A x + B u, y = C x + D u; matrices by rows. */
typedef struct sn_state_space {
  size_t states, inputs, outputs;
  const char *const *state, *const *input, *const *output; /* names */
  const double *A, *B, *C, *D;
} sn_state_space;

/* Those of the last stage that linearized; false: there are none. Memory is the result's. */
bool sn_result_state_space(sn_result *result, sn_state_space *space);
/* A file of MATLAB, level 5, with A, B, C, D and cell arrays `states`, `inputs`, `outputs` of names. */
void sn_write_matlab(FILE *out, const sn_state_space *space);

#endif
