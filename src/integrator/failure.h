/* failure.h - cause of a failed step and a possible remedy. */
#ifndef SN_FAILURE_H
#define SN_FAILURE_H

#include "integrator/integrator.h"

/* The message `what` with the cause, where one is found, and a remedy: that of the cause, of a setting that is in the
 * way, or `help`. The state is the last good one, `h` the step that failed. Returns SN_NUMERICS. */
sn_status sn_fail_step(sn_system *system, const sn_integrator_spec *settings, const sn_state *state, double h,
                       const char *what, const char *help);

/* What may help where corrections are small and do not shrink. */
extern const char *const sn_rounding_hint;

#endif
