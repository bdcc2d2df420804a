/* quantity.h - finds what expressions refer to in the compiled model, and makes formulas (model/formula.h) of them. */
#ifndef SN_QUANTITY_H
#define SN_QUANTITY_H

#include "model/compile.h"
#include "model/formula.h"

/* The formula of an expression of the entry `owner`; its first `locals` variables are those quantities. NULL after
 * reporting. */
const sn_formula *sn_make_formula(sn_compiler *compiler, const char *owner, const sn_expr *f, int locals,
                                  const sn_quantity *const *local);
/* Put it into the list of the model's formulas whose dependence on time steps have to resolve (analysis/loads.c). */
void sn_list_formula(sn_compiler *compiler, const sn_formula *formula);
/* Local coordinates of the groups of a quantity or formula in a larger set. NULL after reporting. */
const int *sn_place_quantity(sn_compiler *compiler, const char *owner, const sn_quantity *s, sn_group_set *set);
const int *sn_place_formula(sn_compiler *compiler, const sn_formula *formula, sn_group_set *set);
/* Make the formula of a variable, if that has not been done; false after reporting. */
bool sn_make_variable(sn_compiler *compiler, sn_variable *variable);
/* The same for the arguments that a function of the host program has as the value of an input. */
bool sn_make_call(sn_compiler *compiler, int input);
/* A new variable: a formula (f), or discrete; sn_add_differential makes a differential one of it, whose rate is f. Before
 * joints are compiled; pointers to earlier ones are no longer valid. */
sn_variable *sn_add_variable(sn_compiler *compiler, const sn_variable *variable);
void sn_add_differential(sn_compiler *compiler, sn_variable *variable, double start);
/* Its value as a quantity. */
void sn_variable_quantity(const sn_compiler *compiler, const sn_variable *variable, sn_quantity *s);
/* A quantity of its own: phi, or its rate. */
const sn_quantity *sn_phi_quantity(sn_compiler *compiler, const sn_coordinate *phi, bool rate);

#endif
