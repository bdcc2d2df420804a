/* refusals.h - which analyses and integrators refuse models with a kind; tests/unit/test_refusals.c compares the table
 * with what they do, and the reference prints it in the section of the kind. */
#ifndef SN_REFUSALS_H
#define SN_REFUSALS_H

#include <stdio.h>

#include "model/registry.h"

typedef struct sn_refusal {
  sn_category category;
  const char *kind;
  const char *analyses, *integrators; /* "statics|modes"; NULL: none */
  const char *more;                   /* a sentence on options that are refused; NULL: none */
} sn_refusal;

/* NULL: nothing refuses it. */
const sn_refusal *sn_find_refusal(const sn_kind *kind);
/* A sentence or two; false: there is nothing to say. */
bool sn_put_refusal(FILE *out, const sn_kind *kind);

#endif
