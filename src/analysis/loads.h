/* loads.h - the functions of time of a model, loads and prescribed motions, as the steps of an integrator meet them.
 *
 * No adaptive step is longer than every function is resolved (base/resolve.h): steps end where one is not smooth, and
 * nothing narrower than a step goes unseen. Where a load jumps, accelerations are solved for anew and the integrator
 * starts again from there; where a prescribed velocity jumps, velocities follow by the impulse of the constraints.
 * Fixed steps stay as they are; those that missed something are counted.
 */
#ifndef SN_LOADS_H
#define SN_LOADS_H

#include "base/resolve.h"
#include "sinew/sinew.h"

typedef struct sn_load_function {
  sn_resolution resolution;
  const char *owner; /* name of the force, joint or event */
  bool doubtful;     /* the last fixed step judged it badly */
  bool told;         /* that it has no bounds */
} sn_load_function;

typedef struct sn_loads {
  int count;
  sn_load_function *item;
  double until; /* all are resolved up to here ... */
  double check; /* ... which is looked at again from here on */
} sn_loads;

/* At the begin of a stage in time, or where it goes on. */
void sn_begin_loads(sn_simulation *simulation);
/* How far the next adaptive step may go, at most to *limit; from the far side of a jump that is here. */
sn_status sn_limit_to_loads(sn_simulation *simulation, double *limit);
/* Error allowed of a function, relative to its size. */
double sn_function_tolerance(const sn_simulation *simulation);
/* Forces have changed at once, from outside: accelerations are solved for, and the integrator starts again. */
sn_status sn_follow_change(sn_simulation *simulation);
/* After a fixed step: did a load change within it more than its ends show? */
void sn_check_loads(sn_simulation *simulation);

#endif
