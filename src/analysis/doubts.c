/* doubts.c - doubts that are reported during the run, for the verdict at its end (trust.h); checkpoints keep them. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/evidence.h"
#include "base/history.h"
#include "joint/constraint.h"
#include "joint/turns.h"
#include "math/constants.h"
#include "model/formula.h"

void sn_add_doubt(sn_simulation *s, sn_trust level, const char *text) {
  if (level > s->doubts.audit) s->doubts.audit = level;
  sn_add_model_doubt(s, level, text);
}

void sn_add_model_doubt(sn_simulation *s, sn_trust level, const char *text) {
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
  int level = (int)d->level, audit = (int)d->audit;
  sn_history_int(h, &d->count, 0, SN_MOST_DOUBTS);
  sn_history_int(h, &d->more, 0, INT_MAX);
  sn_history_int(h, &level, SN_GOOD, SN_BAD);
  sn_history_int(h, &audit, SN_GOOD, SN_BAD);
  d->level = (sn_trust)level, d->audit = (sn_trust)audit;
  for (int i = 0; i < d->count; i++) {
    int own = (int)d->doubt[i].level, length = h->loading ? 0 : (int)strlen(d->doubt[i].text);
    sn_history_int(h, &own, SN_DOUBTFUL, SN_BAD);
    sn_history_int(h, &length, 0, 4096);
    if (h->failed) length = 0;
    char *text = SN_NEW(&s->arena, char, length + 1);
    for (int k = 0; k < length; k++) {
      int letter = h->loading ? 0 : d->doubt[i].text[k];
      sn_history_int(h, &letter, CHAR_MIN, CHAR_MAX);
      text[k] = (char)letter;
    }
    sn_make_plain(text, true); /* a checkpoint may come from elsewhere, and it will be printed */
    d->doubt[i].level = (sn_trust)own;
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

/* ---- rows ---- */

/* Expressions and variables that have no value, such as the logarithm of a negative number. */
static void doubt_values(sn_simulation *s, const sn_row *row) {
  const double *x = row->values;
  char text[700], why[600];
  for (int i = 0; i < s->model->outputs; x += s->model->output[i].columns, i++) {
    const sn_output *o = &s->model->output[i];
    int column = 0;
    while (column < o->columns && isfinite(x[column])) column++;
    if (o->type != SN_OUTPUT_EXPRESSION || column == o->columns) continue;
    const int begin = snprintf(text, sizeof text, "'%.60s' has no value at some time", o->name);
    bool told = false;
    for (int k = 0; k < s->doubts.count; k++) told |= strncmp(s->doubts.doubt[k].text, text, (size_t)begin) == 0;
    sn_eval ev = sn_eval_at(s, &s->sample); /* which the row was made of */
    ev.t = row->t, ev.q = row->q, ev.v = row->v;
    if (!told && o->quantity[column].formula &&
        sn_explain_formula(s->model, o->quantity[column].formula, &ev, why, sizeof why))
      snprintf(text + begin, sizeof text - (size_t)begin, ": %s", why);
    if (!told) sn_add_doubt(s, SN_BAD, text);
  }
}

/* Inputs that no program has set follow their defaults, which are looked at where rows are. */
static void doubt_inputs(sn_simulation *s, const sn_row *row) {
  char text[300];
  for (int i = 0; i < s->model->inputs; i++) {
    const sn_input *x = &s->model->input[i];
    if ((s->inputs && !isnan(s->inputs[i])) || sn_host_has(s->host, i) || sn_expr_is_constant(x->standard->f)) continue;
    const double value = sn_expr_value(x->standard->f, row->t);
    const double rounding = 1e-12 * fabs(value); /* of interpolated values at the ends of the range */
    if (value >= x->low - rounding && value <= x->high + rounding) continue;
    snprintf(text, sizeof text, "input '%.60s' leaves its range, %g to %g", x->name, x->low, x->high);
    sn_add_doubt(s, SN_BAD, text);
  }
}

void sn_follow_angles(sn_simulation *s) {
  const double far = 0.9 * SN_PI; /* half a turn in a step, in which the next value is the nearest one */
  const sn_eval ev = sn_eval_at(s, &s->state);
  const char *fastest = NULL;
  for (int i = 0; i < s->model->constraints; i++)
    sn_constraint_follow(s->model->constraint[i], s->state.q, s->discrete);
  if (!(sn_follow_turns(s->model, &ev, s->discrete, &fastest) > far) || s->analysis != &sn_dynamics) return;
  sn_add_doubt(s, SN_DOUBTFUL,
               sn_format(&s->arena,
                         "'%s' in an expression turns by half a revolution or more in a step, and its turns may be "
                         "miscounted within the step; possible remedy: a smaller 'max_step'",
                         fastest));
}

/* Angles in space that count no turns are known within half a revolution of the start only. */
static void doubt_angles(sn_simulation *s, const sn_row *row) {
  char text[300];
  for (int i = 0; i < s->model->formulas; i++) {
    const sn_formula *f = s->model->formula[i];
    for (int k = 0; k < f->variables; k++) {
      if (!f->s[k] || f->s[k]->type != SN_QUANTITY_PHI || f->s[k]->turns || !sn_phi_nears_jump(&f->s[k]->phi, row->q))
        continue;
      snprintf(
          text, sizeof text,
          "an angle in the expression of '%s' comes close to half a revolution, where it jumps in space; a variable "
          "whose rate is that of the angle counts revolutions",
          f->owner);
      sn_add_doubt(s, SN_DOUBTFUL, text);
    }
  }
}

/* Chambers of actuators: pressures are relative to the atmosphere where the tank is at 0, and no fluid pulls. */
static void doubt_pressures(sn_simulation *s, const sn_row *row) {
  const double vacuum = -101325;
  char text[300];
  for (int i = 0; i < s->model->variables; i++) {
    const sn_variable *x = &s->model->variable[i];
    if (!x->owner || !x->part || !x->differential || strcmp(x->unit, "Pa") || !(row->v[x->index] < vacuum)) continue;
    snprintf(text, sizeof text,
             "%s of '%.60s' falls below a vacuum: the fluid would cavitate, which is not modeled; forces from then on "
             "are too large",
             x->part, x->owner);
    sn_add_doubt(s, SN_BAD, text);
  }
}

void sn_doubt_row(sn_simulation *s, const sn_row *row) {
  doubt_values(s, row);
  doubt_inputs(s, row);
  doubt_angles(s, row);
  doubt_pressures(s, row);
}
