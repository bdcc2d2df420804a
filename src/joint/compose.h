/* compose.h - equations of controllers and actuators, written as expressions: their derivatives, their dependence on time
 * and what linearize needs follow from those of expressions.
 *
 * Words of such a text are quantities of the owner, "integral" for its variable OWNER.integral, or what the caller
 * gives another meaning. */
#ifndef SN_COMPOSE_H
#define SN_COMPOSE_H

#include "model/compile.h"
#include "model/refer.h"

typedef struct sn_word {
  const char *word;
  const sn_reference *means; /* lives on */
} sn_word;

typedef struct sn_composer {
  sn_compiler *compiler;
  const sn_spec *spec; /* the owner */
  const char *unit;    /* of its outputs */
  int words;
  const sn_word *word;
} sn_composer;

/* The expression of a text; all of it is known to be right. `locals` (NULL: none) are names of its first variables. */
const sn_expr *sn_compose(const sn_composer *composer, const char *const *locals, int count, const char *text);
/* A variable OWNER.part (NULL: OWNER itself) with that value or rate; and one whose value is an expression of the file. */
void sn_compose_value(const sn_composer *composer, const char *part, const char *unit, const char *text);
void sn_compose_rate(const sn_composer *composer, const char *part, const char *unit, double start, const char *text);
void sn_compose_given(const sn_composer *composer, const char *part, const char *unit, const sn_expr *f);
/* A reference to a coordinate of a joint: "angle", "rate", "position", "velocity". */
const sn_reference *sn_compose_joint(sn_compiler *compiler, const sn_spec *spec, const char *joint,
                                     const char *component);

#endif
