/* index1.h - the index-1 form with Baumgarte's terms, for Runge-Kutta methods (erk, and tr-bdf2 of ARKODE).
 *
 *   y = (q, v):   q' = v,   v' = a:   [M G'; G 0] [a; l] = [Q; gamma - 2 alpha Phi' - beta^2 Phi]
 *
 * Baumgarte's terms keep Phi near 0: errors decay according to Phi'' + 2 alpha Phi' + beta^2 Phi = 0, with alpha = beta
 * like exp(-alpha t). If both are zero, Phi drifts like t^2.
 */
#ifndef SN_INDEX1_H
#define SN_INDEX1_H

#include "integrator/sundials.h"

/* The first member of the specs of erk and tr-bdf2. */
typedef struct sn_index1_spec {
  sn_integrator_spec head;
  double alpha, beta; /* Baumgarte's */
} sn_index1_spec;

/* a and l of `at` from its t, q, v; phi [2 m] is scratch. False: they cannot be solved for. */
bool sn_index1_accelerations(sn_system *system, const sn_index1_spec *spec, sn_state *at, double *phi);

typedef enum sn_index1_failure {
  SN_ERROR_TOO_LARGE,
  SN_NOT_CONVERGED,
  SN_BELOW_ROUNDING,
  SN_NO_ACCELERATIONS
} sn_index1_failure;
/* The step h of the method `name` from `state` failed, with the largest error at the coordinate of `worst`. */
sn_status sn_index1_report(sn_system *system, const sn_integrator_spec *settings, const char *name,
                           const sn_state *state, double h, sn_index1_failure failure, const char *worst,
                           const char *help);

/* ---- for the methods of ARKODE ---- */

typedef struct sn_index1 {
  sn_sundials base;
  sn_index1_spec spec;
  N_Vector y, error, weight; /* [2 n] */
  sn_state at;               /* of the last evaluation */
  bool fresh;                /* `at` holds its accelerations */
  double *phi;               /* [2 m] Phi, Phi' */
  int *owner;                /* [2 n] */
} sn_index1;

/* False: it cannot be made, the context says why; sn_index1_end is due all the same. */
bool sn_index1_begin(sn_index1 *w, sn_system *system, const sn_index1_spec *settings, const sn_state *state);
void sn_index1_end(sn_index1 *w);
/* w->at at (t, y), with accelerations and multipliers; false: they cannot be solved for. */
bool sn_index1_evaluate(sn_index1 *w, double t, const double *y);
/* y' for ARKODE, whose user data are an sn_index1. */
int sn_index1_slope(double t, N_Vector y, N_Vector rate, void *self);
/* y := (q, v) of the state. */
void sn_index1_set(sn_index1 *w, const sn_state *state);

/* The step h of the method `name` from `state` failed; w->error and w->weight hold its local error. Where accelerations
 * cannot be solved for (not w->fresh), the message says that instead. */
sn_status sn_index1_fail(sn_index1 *w, const char *name, const sn_state *state, double h, sn_index1_failure failure,
                         const char *help);

#define SN_BAUMGARTE_FIELDS(limit)                                                                             \
  {"alpha",                                                                                                    \
   SN_REAL,                                                                                                    \
   SN_AT(sn_index1_spec, alpha),                                                                               \
   .unit = "1/s",                                                                                              \
   .def = "20",                                                                                                \
   .limits = SN_NOT_NEGATIVE,                                                                                  \
   .help = "Baumgarte stabilization: alpha of Phi'' + 2 alpha Phi' + beta^2 Phi = 0" limit},                   \
  {                                                                                                            \
    "beta", SN_REAL, SN_AT(sn_index1_spec, beta), .unit = "1/s", .def = "20", .limits = SN_NOT_NEGATIVE,       \
                                                  .help = "Baumgarte stabilization: beta of the same equation" \
  }

#endif
