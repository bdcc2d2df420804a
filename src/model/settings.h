/* settings.h - a method of integration that the caller chooses in place of the file's. */
#ifndef SN_SETTINGS_H
#define SN_SETTINGS_H

#include "model/field.h"

/* Read a method by the tables: NAME, with its defaults, or {type: NAME, ...} as in a model file. Memory from the arena. */
sn_status sn_read_method(sn_context *context, sn_arena *arena, const char *text, const sn_spec **method);

/* Does it say itself how accurate it is to be: by a step or tolerances? */
bool sn_has_accuracy(const sn_spec *method);

/* Another method than the file's keeps what the file asks for: its accuracy (step, or tolerances and what they bound)
 * unless it has one of its own, and horizon and limits of the step. It goes by the tables: a field that one of the two does
 * not have is not kept, and a fixed step only if the file's method could have done without (explicit ones need short
 * steps, others do not). */
void sn_keep_accuracy(const sn_spec *file, sn_spec *method);

#endif
