/* choice.h - selection of the integrator by trial: candidates integrate the next part of a stage, and their errors and
 * work decide. */
#ifndef SN_CHOICE_H
#define SN_CHOICE_H

#include "analysis/simulation.h"

typedef struct sn_choice {
  const char *method;
  double share;       /* of the tolerance, for the local errors of its steps */
  const char *reason; /* in the simulation's arena */
} sn_choice;

/* Try the candidates from the present state, which does not change; `settings` are common to all methods. */
sn_choice sn_try_methods(sn_simulation *simulation, const sn_integrator_spec *settings);
/* The decision is one of a run that had gone on before: its work until now is not counted towards the next trial. */
void sn_choice_counts_from_here(sn_simulation *simulation);
/* Work done, in evaluations of the equations. */
double sn_work_done(const sn_system *system, const char *method);
/* Has enough work been done since the last trial, so that another one costs little in comparison? */
bool sn_choice_due(const sn_simulation *simulation);

#endif
