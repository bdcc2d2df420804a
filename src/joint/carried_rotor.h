/* carried_rotor.h - inertia of a rotor on a body that turns in space; see carried_rotor.c. */
#ifndef SN_CARRIED_ROTOR_H
#define SN_CARRIED_ROTOR_H

#include "model/compile.h"

/* Inertia J of the coordinate `index` of `group`, the angle of the rotor against the carrier, about `axis` (global,
 * unit, at the start). The marker has a frame. */
void sn_add_carried_rotor(sn_compiler *compiler, const sn_marker *carrier, const double axis[3], int index, int group,
                          double J);

#endif
