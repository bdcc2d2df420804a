/* choice.h - which method, judged by outcome: candidates go through the next part of a stage, and what they come to
 * decides.
 */
#ifndef SN_CHOICE_H
#define SN_CHOICE_H

#include "analysis/simulation.h"

typedef struct sn_choice {
  const char *method;
  double share;       /* of the tolerance, for the local errors of its steps */
  const char *reason; /* in the simulation's arena */
} sn_choice;

/* Try the candidates from the present state, none of which moves it; `settings` holds what all methods share. */
sn_choice sn_try_methods(sn_simulation *simulation, const sn_integrator_spec *settings);
/* Work done, in evaluations of the equations. */
double sn_work_done(const sn_statistics *statistics, const char *method);
/* Has so much been done since the last trial that another one costs next to nothing? */
bool sn_choice_due(const sn_simulation *simulation);

#endif
