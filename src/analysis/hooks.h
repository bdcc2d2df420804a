/* hooks.h - functions of a host program that a simulation calls between its steps. */
#ifndef SN_HOOKS_H
#define SN_HOOKS_H

#include "analysis/simulation.h"
#include "sinew/callback.h"

typedef struct sn_sampler { /* of a list, in the order in which they were given */
  sn_between_steps f;
  void *user;
  double period, next; /* number of its next instant */
  struct sn_sampler *after;
} sn_sampler;

typedef struct sn_hooks {
  sn_sampler *samplers;
  sn_between_steps end; /* NULL: none */
  void *end_user;
  sn_event_function event; /* likewise */
  void *event_user;
  int told;    /* events of the list that it has been called for */
  double last; /* time of the last call */
  bool busy;   /* one of them is being called */
} sn_hooks;

/* Can it be used? SN_MEMORY after a step that found none; in debug builds SN_USAGE where it was freed (base/handles.h). */
sn_status sn_alive(const sn_simulation *simulation);

/* Before a step: calls what is due, and says where the step has to end (INFINITY: anywhere). After a step that was
 * done. */
sn_status sn_hooks_before(sn_simulation *simulation, double *end);
sn_status sn_hooks_after(sn_simulation *simulation);

/* What functions of inputs have done since sn_host_clear: `status`, or SN_CALLBACK with a message. Values that are no
 * numbers count where the status is SN_NUMERICS, the failure of a step, or SN_CALLBACK. */
void sn_host_clear(sn_simulation *simulation);
sn_status sn_host_check(const sn_simulation *simulation, sn_status status);
/* Has every constraint of a program its function? SN_USAGE, with a message: not so. */
sn_status sn_check_constraints(const sn_simulation *simulation);

#endif
