/* sundials.h - shared by the SUNDIALS integrators (ida, adams, erk, tr-bdf2).
 *
 * They solve first-order equations for y. Local errors are root mean squares over coordinates and velocities, each
 * relative to sn_allowed of its size. The libraries allocate when they are created, KLU also when it changes its
 * pivots.
 */
#ifndef SN_SUNDIALS_H
#define SN_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "integrator/integrator.h"

typedef struct sn_sundials {
  sn_system *system;
  sn_integrator_spec settings;
  SUNContext context;
  char said[200]; /* last complaint of the library */
  double limit;   /* stop time that was set */
  long counted[3];
  bool no_memory; /* a function that the library called had none */
} sn_sundials;

/* Local error allowed per step of a multistep method. Its errors are of one sign over many steps and add up: it takes a
 * share of what others may, while rounding lets it. Of entry i of (q, v), x. */
double sn_sundials_allowed(const sn_sundials *s, double share, int i, double x);
bool sn_sundials_begin(sn_sundials *s, sn_system *system, const sn_integrator_spec *settings);
void sn_sundials_end(sn_sundials *s);
/* Takes messages of the library; `data` is an sn_sundials. */
void sn_sundials_listen(int code, const char *module, const char *function, char *message, void *data);
/* `state` := (t, q, v, a, l) one step later, `before` := what it was; counts the step. */
void sn_sundials_accept(sn_sundials *s, sn_state *state, sn_state *before, const sn_state *reached);
/* What `call` returns, for a function that the library calls; -1, which ends the step, where memory is missing.
 * sn_sundials_count, behind the library, then returns to the guard. */
int sn_sundials_answer(sn_sundials *s, int (*call)(void *arguments), void *arguments);
/* Totals of the library so far: error test failures, failures of its iteration, iterations. */
void sn_sundials_count(sn_sundials *s, long rejected, long diverged, long iterations);
/* Entry of (q, l) with the largest error[i] weight[i]; y is (q, v, ...): owner(i) gives the place of entry i in q. */
const char *sn_sundials_worst(const sn_sundials *s, N_Vector error, N_Vector weight, const int *owner);

#endif
