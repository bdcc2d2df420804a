/* settings.h - a method of integration that the caller chooses in place of the file's. */
#ifndef SN_SETTINGS_H
#define SN_SETTINGS_H

#include "model/field.h"

/* Read a method by the tables: NAME, with its defaults, or {type: NAME, ...} as in a model file. Memory from the arena. */
sn_status sn_read_method(sn_context *context, sn_arena *arena, const char *text, const sn_spec **method);

/* One analysis, or a list of stages, as in a model file; expressions in it have no parameters. */
sn_status sn_read_stages(sn_context *context, sn_arena *arena, const char *text, sn_list *stages);

/* A number, choice or switch among the fields of a method, by its table; 0: it has no such one. */
double sn_number_of(const sn_spec *method, const char *field);

/* Does it say itself how accurate it is to be: by a step or tolerances? */
bool sn_has_accuracy(const sn_spec *method);

/* Another integrator than that of the file keeps the settings of the file: its accuracy (step, or tolerances and what
 * they bound) unless it has one of its own, and horizon and limits of the step. It goes by the tables: a field that one
 * of the two does not have is not kept, and a fixed step only if the file's method could have done without (explicit
 * ones need short steps, others do not). */
void sn_keep_accuracy(const sn_spec *file, sn_spec *method);
/* A step or tolerance of the caller (0: none) in place of what the method has, where it has such a field. A tolerance
 * ends a fixed step. */
void sn_set_accuracy(sn_spec *method, double step, double tolerance);
/* All of them, so many times finer. */
void sn_refine_accuracy(sn_spec *method, double times);

#endif
