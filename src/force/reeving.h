/* reeving.h - what the user writes about a rope, and how it is compiled: reeving_compile.c. */
#ifndef SN_REEVING_H
#define SN_REEVING_H

#include "force/rope.h"
#include "model/compile.h"

/* A new zeroed rope at the end of the batch. */
sn_rope *sn_add_rope(sn_compiler *compiler);

#endif
