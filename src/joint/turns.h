/* turns.h - angles in space that expressions refer to count turns, as outputs do: of the values modulo a turn, within a
 * step the one nearest to that at its begin; at the end of a step the one nearest to where the mean rate leads. */
#ifndef SN_TURNS_H
#define SN_TURNS_H

#include "model/compile.h"
#include "model/formula.h"

/* Discrete values for all of them, behind the last expression. */
void sn_list_turns(sn_compiler *compiler);
/* Follow them to the end of a step. Returns the largest turn, and whose it is. */
double sn_follow_turns(const sn_model *model, const sn_eval *eval, double *discrete, const char **fastest);

#endif
