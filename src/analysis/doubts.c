/* doubts.c - doubts that are reported during the run, for the verdict at its end (trust.h); checkpoints keep them. */
#include <string.h>

#include "analysis/simulation.h"
#include "base/history.h"

void sn_add_doubt(sn_simulation *s, sn_trust level, const char *text) {
  assert(level == SN_DOUBTFUL || level == SN_BAD);
  assert(text && text[0]);
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
  if (!s->is_fork) sn_remark_on(s->context, SN_DOUBT, text);
}

/* Texts as numbers, one for each character. */
void sn_doubts_history(sn_simulation *s, sn_history *h) {
  sn_doubts *d = &s->doubts;
  int level = (int)d->level;
  sn_history_int(h, &d->count);
  sn_history_int(h, &d->more);
  sn_history_int(h, &level);
  d->level = level >= SN_BAD ? SN_BAD : level <= SN_GOOD ? SN_GOOD : SN_DOUBTFUL;
  if (d->count < 0 || d->count > SN_MOST_DOUBTS) d->count = 0, h->failed = true;
  for (int i = 0; i < d->count; i++) {
    int own = (int)d->doubt[i].level, length = h->loading ? 0 : (int)strlen(d->doubt[i].text);
    sn_history_int(h, &own);
    sn_history_int(h, &length);
    if (length < 0 || length > 4096 || h->failed) h->failed = true, length = 0;
    char *text = SN_NEW(&s->arena, char, length + 1);
    for (int k = 0; k < length; k++) {
      int letter = h->loading ? 0 : d->doubt[i].text[k];
      sn_history_int(h, &letter);
      text[k] = (char)letter;
    }
    sn_make_plain(text, true); /* a checkpoint may come from elsewhere, and it will be printed */
    d->doubt[i].level = own >= SN_BAD ? SN_BAD : SN_DOUBTFUL;
    d->doubt[i].text = text;
  }
}

/* What no motion can mend has G'phi = 0; drift has not. */
const char *sn_say_conflict(sn_simulation *s, double value) {
  const sn_system *sys = s->system;
  double *phi = SN_NEW(&s->arena, double, sys->m), *r[2], along = 0, size = 0;
  if (s->start.redundant == 0) return "";
  sn_system_position(s->system, &s->state, phi);
  for (int k = 0; k < 2; k++) {
    const sn_state at = {.t = s->state.t, .q = s->state.q, .v = s->state.v, .a = sys->zero, .l = k ? phi : sys->zero};
    r[k] = SN_NEW(&s->arena, double, sys->n);
    sn_system_residual(s->system, &at, 0, r[k]);
  }
  for (int i = 0; i < sys->n; i++) along += (r[1][i] - r[0][i]) * (r[1][i] - r[0][i]);
  for (int i = 0; i < sys->m; i++) size += phi[i] * phi[i];
  const char *conflict = sn_conflict_text(sys, &s->arena, phi);
  if (along > 0.01 * size || !*conflict) return "";
  return sn_format(&s->arena, "joints are violated by up to %.2g m, %.2g of the size of the model: %s",
                   s->largest_constraint[0], value, conflict);
}
