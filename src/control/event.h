/* event.h - events: what happens when an expression crosses zero; see event.c. */
#ifndef SN_CONTROL_EVENT_H
#define SN_CONTROL_EVENT_H

#include "model/compile.h"

/* All events of the model: discrete values and locks, then formulas and equations. */
void sn_declare_events(sn_compiler *compiler);
void sn_compile_events(sn_compiler *compiler);

#endif
