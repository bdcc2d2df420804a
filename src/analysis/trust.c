/* trust.c - the verdict by the rules; see trust.h. */
#include "analysis/trust.h"

#include <math.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/trust_rules.h"

const char *const sn_trust_names[3] = {"good", "doubtful", "bad"};

enum { RULES = SN_RUN_RULES + SN_MODEL_RULES };

static const sn_rule *rule_at(int i) {
  return i < SN_RUN_RULES ? &sn_run_rules[i] : &sn_model_rules[i - SN_RUN_RULES];
}

/* The companion run reached the end, conserved its energy, and both agree; the companion itself has a part of the
 * difference as error. */
static bool is_confirmed(const sn_simulation *s) {
  const double most_energy = 5, tolerance = sn_evidence_tolerance(s);
  const sn_evidence *e = &s->evidence;
  return s->ops && !e->not_compared && s->system->statistics.estimated_error > 0 &&
         s->system->statistics.estimated_error <= 5 &&
         e->finer_energy <= most_energy * (tolerance > 0 ? tolerance : 1e-3);
}

static sn_trust level_of(const sn_rule *r, double value) {
  return !(value <= r->bad) ? SN_BAD : value > r->doubtful ? SN_DOUBTFUL : SN_GOOD;
}

/* "energy and tolerance" behind "energy": the same number, and one line is enough. */
static bool was_said(const double *value, int i) {
  for (int k = 0; k < i; k++)
    if (level_of(rule_at(k), value[k]) != SN_GOOD &&
        strncmp(rule_at(i)->name, rule_at(k)->name, strlen(rule_at(k)->name)) == 0)
      return true;
  return false;
}

sn_verdict sn_judge(sn_simulation *s, sn_status status) {
  const bool failed = status != SN_OK && status != SN_INTERRUPTED;
  double value[RULES];
  const sn_trust told = failed ? SN_BAD : s->doubts.level;
  sn_verdict verdict = {told, failed ? SN_BAD : s->doubts.audit, failed ? "bad: the run did not reach its end\n" : ""};
  const bool confirmed = is_confirmed(s);
  for (int i = 0; i < RULES; i++) value[i] = confirmed && rule_at(i)->about == A_SIGN ? 0 : rule_at(i)->value(s);
  for (int level = SN_BAD; level > SN_GOOD; level--) {
    const char *name = sn_trust_names[level];
    for (int i = 0; i < s->doubts.count; i++)
      if (s->doubts.doubt[i].level == (sn_trust)level)
        verdict.reasons = sn_format(&s->arena, "%s%s: %s\n", verdict.reasons, name, s->doubts.doubt[i].text);
    for (int i = 0; i < RULES; i++) {
      if (level_of(rule_at(i), value[i]) != (sn_trust)level) continue;
      if ((sn_trust)level > verdict.level) verdict.level = (sn_trust)level;
      if (rule_at(i)->about != A_MODEL && (sn_trust)level > verdict.audit) verdict.audit = (sn_trust)level;
      if (!was_said(value, i))
        verdict.reasons = sn_format(&s->arena, "%s%s: %s\n", verdict.reasons, name, rule_at(i)->say(s, value[i]));
    }
  }
  if (status == SN_INTERRUPTED)
    verdict.reasons = sn_format(&s->arena, "%s%s: interrupted at t = %g s; this is about the part before\n",
                                verdict.reasons, sn_trust_names[verdict.level], s->state.t);
  if (s->doubts.more)
    verdict.reasons =
        sn_format(&s->arena, "%s%s: and %d more\n", verdict.reasons, sn_trust_names[s->doubts.level], s->doubts.more);
  return verdict;
}

/* ---- for readers ---- */

static const char *limit(char text[32], double value) {
  if (isfinite(value))
    snprintf(text, 32, "%g", value);
  else
    snprintf(text, 32, "never");
  return text;
}

void sn_describe_trust(FILE *out, bool markdown) {
  char doubtful[32], bad[32];
  if (markdown) fputs("| rule | what is measured | doubtful above | bad above | why |\n|---|---|---|---|---|\n", out);
  for (int i = 0; i < RULES; i++) {
    const sn_rule *r = rule_at(i);
    limit(doubtful, r->doubtful), limit(bad, r->bad);
    if (markdown)
      fprintf(out, "| %s | %s | %s | %s | %s |\n", r->name, r->measured, doubtful, bad, r->why);
    else
      fprintf(out, "%-20s  %s\n%22sdoubtful above %s, bad %s%s: %s\n", r->name, r->measured, "", doubtful,
              isfinite(r->bad) ? "above " : "", bad, r->why);
  }
}
