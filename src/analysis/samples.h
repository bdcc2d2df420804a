/* samples.h - sampled controllers in a run: their instants are ends of steps. */
#ifndef SN_SAMPLES_H
#define SN_SAMPLES_H

#include "analysis/simulation.h"

/* A stage of dynamics begins: instants from its time on. What is due at once is evaluated. */
void sn_begin_samples(sn_simulation *simulation);
/* Evaluate what is due at the present state; a change of outputs starts the integrator again. */
sn_status sn_take_samples(sn_simulation *simulation);
/* Time at which the next step has to end; infinity: there is none. */
double sn_next_sample(const sn_simulation *simulation);

#endif
