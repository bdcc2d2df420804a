/* energy_momentum.h - steps that conserve energy and momentum; an sn_low_order. */
#ifndef SN_ENERGY_MOMENTUM_H
#define SN_ENERGY_MOMENTUM_H

#include "integrator/gssss_family.h"

/* NULL: it cannot be made, the context says why. */
void *sn_energy_momentum_create(sn_system *system, const sn_gssss_spec *settings, const sn_state *state);

#endif
