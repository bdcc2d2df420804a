/* trust_rules.h - one number of a run, and how large it may be.
 *
 * A rule measures its number, has the limits above which a run is doubtful or bad, and says the reason in words. There are
 * two tables, which the verdict (trust.c) goes through in this order: rules about how the run was solved (trust_run.c), and
 * rules about the model, whatever solves it (trust_model.c).
 */
#ifndef SN_TRUST_RULES_H
#define SN_TRUST_RULES_H

#include "analysis/simulation.h"

/* Rules about the solution; indicators of position errors, which are not used if the companion shows that these are
 * small; rules about the model. */
typedef enum sn_rule_about { A_RUN, A_SIGN, A_MODEL } sn_rule_about;

typedef struct sn_rule {
  const char *name, *measured;
  double doubtful, bad; /* limits: the run is, above them; INFINITY: never */
  const char *why;
  double (*value)(const sn_simulation *);
  const char *(*say)(sn_simulation *, double value); /* in the simulation's arena */
  sn_rule_about about;
} sn_rule;

enum { SN_RUN_RULES = 20, SN_MODEL_RULES = 18 };
extern const sn_rule sn_run_rules[SN_RUN_RULES], sn_model_rules[SN_MODEL_RULES];

#endif
