/* trust.c - see trust.h. */
#include "analysis/trust.h"

#include <string.h>

#include "analysis/simulation.h"

const char *const sn_trust_names[3] = {"good", "doubtful", "bad"};

/* ---- told during the run ---- */

void sn_add_doubt(sn_simulation *s, sn_trust level, const char *text) {
  sn_doubts *d = &s->doubts;
  if (level > d->level) d->level = level;
  for (int i = 0; i < d->count; i++)
    if (strcmp(d->doubt[i].text, text) == 0) {
      if (level > d->doubt[i].level) d->doubt[i].level = level;
      return;
    }
  if (d->count == SN_MOST_DOUBTS) {
    d->more++;
    return;
  }
  d->doubt[d->count].level = level;
  d->doubt[d->count++].text = sn_format(&s->arena, "%s", text);
}

/* ---- rules on counters ---- */

/* A share of the steps in which something happened that should not. */
typedef struct counter_rule {
  const char *text;
  long (*count)(const sn_statistics *);
  double doubtful, bad; /* shares of the steps above which it is */
} counter_rule;

static long contact_misses(const sn_statistics *x) {
  return x->contact.misses;
}

static const counter_rule counter_rules[] = {
    {"contact forces missed their tolerance", contact_misses, 0, 0.1},
};

static void judge_counters(sn_simulation *s, sn_verdict *verdict) {
  const sn_statistics *x = &s->system->statistics;
  for (size_t i = 0; i < SN_COUNT(counter_rules); i++) {
    const counter_rule *rule = &counter_rules[i];
    long count = rule->count(x);
    double share = (double)count / (double)(x->steps > 0 ? x->steps : 1);
    sn_trust level = share > rule->bad ? SN_BAD : share > rule->doubtful ? SN_DOUBTFUL : SN_GOOD;
    if (level == SN_GOOD) continue;
    if (level > verdict->level) verdict->level = level;
    verdict->reasons = sn_format(&s->arena, "%s%s: %s in %ld of %ld steps\n", verdict->reasons, sn_trust_names[level],
                                 rule->text, count, x->steps);
  }
}

sn_verdict sn_judge(sn_simulation *s, sn_status status) {
  sn_verdict verdict = {s->doubts.level, ""};
  (void)status;
  for (int level = SN_BAD; level > SN_GOOD; level--)
    for (int i = 0; i < s->doubts.count; i++)
      if (s->doubts.doubt[i].level == (sn_trust)level)
        verdict.reasons =
            sn_format(&s->arena, "%s%s: %s\n", verdict.reasons, sn_trust_names[level], s->doubts.doubt[i].text);
  judge_counters(s, &verdict);
  return verdict;
}
