/* pattern.h - private to the system: its matrix, rebuilt if contacts need other blocks. */
#ifndef SN_SYSTEM_PATTERN_H
#define SN_SYSTEM_PATTERN_H

#include "system/system.h"

/* Matrix, slots and analysis for the couplings and the solver in force. False: it cannot be analyzed; the context has
 * the message, and the system has no solver. */
bool sn_system_make_matrix(sn_system *system);

#endif
