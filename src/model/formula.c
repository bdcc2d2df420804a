/* formula.c - values and gradients of expressions of the state; see formula.h. */
#include "model/formula.h"

#include <math.h>
#include <string.h>

#include "model/host.h"

int sn_group_set_add(sn_group_set *set, int group, int size) {
  for (int i = 0; i < set->count; i++)
    if (set->group[i] == group) return set->first[i];
  if (set->count == SN_FORMULA_GROUPS || set->n + size > SN_FORMULA_LOCAL) return -1;
  set->group[set->count] = group;
  set->first[set->count++] = set->n;
  set->n += size;
  return set->n - size;
}

int sn_quantity_groups(const sn_quantity *s, const int *group_size, int *group, int *size) {
  int count = 0;
  switch (s->type) {
    case SN_QUANTITY_PHI:
    case SN_QUANTITY_RATE:
      count = sn_phi_groups(&s->phi, group);
      break;
    case SN_QUANTITY_FORMULA:
      count = s->formula->set.count;
      memcpy(group, s->formula->set.group, (size_t)count * sizeof(int));
      break;
    case SN_QUANTITY_STATE:
      group[count++] = s->group;
      break;
    case SN_QUANTITY_MEASURED:
      count = s->measured->groups;
      memcpy(group, s->measured->group, (size_t)count * sizeof(int));
      break;
    case SN_QUANTITY_INPUT:
      if (!s->call) break;
      count = s->call->set.count;
      memcpy(group, s->call->set.group, (size_t)count * sizeof(int));
      break;
    case SN_QUANTITY_DISCRETE:
      break;
  }
  for (int i = 0; i < count; i++) size[i] = group_size[group[i]];
  return count;
}

/* Does a function of the host program give the value of an input? A value that was set comes first. */
static bool is_called(const sn_quantity *s, const sn_eval *ev) {
  return sn_host_has(ev->host, s->index) && (!ev->inputs || isnan(ev->inputs[s->index]));
}

static double called_value(const sn_quantity *s, const sn_eval *ev) {
  double x[SN_EXPR_VARIABLES] = {0};
  if (s->call) sn_formula_arguments(s->call, ev, x);
  return sn_host_value(ev->host, s->index, ev->t, s->call ? s->call->variables : 0, x);
}

double sn_quantity_value(const sn_quantity *s, const sn_eval *ev) {
  sn_phi p;
  switch (s->type) {
    case SN_QUANTITY_PHI:
      sn_phi_at(&s->phi, ev->q, &p);
      return s->turns && ev->discrete ? sn_nearest_turn(p.value, ev->discrete[s->turns - 1]) : p.value;
    case SN_QUANTITY_RATE:
      sn_phi_at(&s->phi, ev->q, &p);
      return sn_phi_rate(&s->phi, &p, ev->q, ev->v);
    case SN_QUANTITY_FORMULA:
      return sn_formula_value(s->formula, ev);
    case SN_QUANTITY_STATE:
      return (ev->hold ? ev->hold : ev->v)[s->index];
    case SN_QUANTITY_INPUT:
      if (ev->inputs && !isnan(ev->inputs[s->index])) return ev->inputs[s->index];
      if (is_called(s, ev)) return called_value(s, ev);
      return sn_formula_value(s->formula, ev);
    case SN_QUANTITY_MEASURED:
      return s->measured->value(s->measured, ev);
    case SN_QUANTITY_DISCRETE:
      return ev->discrete ? ev->discrete[s->index] : s->start;
  }
  return NAN;
}

void sn_formula_arguments(const sn_formula *f, const sn_eval *ev, double *x) {
  for (int k = 0; k < f->variables; k++) x[k] = f->s[k] ? sn_quantity_value(f->s[k], ev) : 0;
}

double sn_formula_value(const sn_formula *f, const sn_eval *ev) {
  if (f->variables == 0) return sn_expr_value(f->f, ev->t);
  double x[SN_EXPR_VARIABLES];
  sn_formula_arguments(f, ev, x);
  return sn_expr_value_at(f->f, ev->t, x);
}

/* ---- gradients ---- */

/* to += w from, of coordinates that come in groups of these sizes and go to at[] */
static void scatter(int groups, const int *size, const int *at, double w, const double *from, double *to) {
  for (int g = 0; g < groups; g++)
    for (int i = 0; i < size[g]; i++) to[at[g] + i] += w * *from++;
}

static void add_phi(const sn_quantity *s, const int *at, const sn_eval *ev, double w, double *dq, double *dv) {
  double G[SN_PHI_LOCAL], R[SN_PHI_LOCAL];
  int size[SN_PHI_PROBES * SN_PROBE_GROUPS], groups = 0;
  const bool rate = s->type == SN_QUANTITY_RATE;
  const sn_coordinate *x = &s->phi;
  sn_phi p;
  sn_phi_at(x, ev->q, &p);
  sn_phi_derivatives(x, &p, ev->q, ev->v, 0, G, NULL, sn_phi_count(x), rate ? R : NULL);
  for (int k = 0; k < x->probes; k++)
    for (int g = 0; g < x->probe[k].groups; g++) size[groups++] = x->probe[k].size[g];
  scatter(groups, size, at, w, rate ? R : G, dq);
  if (rate) scatter(groups, size, at, w, G, dv);
}

static double derivatives(const sn_formula *f, const sn_eval *ev, double *dq, double *dv, double *dl);

static void add_formula(const sn_formula *f, const int *at, const sn_eval *ev, double w, double *dq, double *dv,
                        double *dl) {
  double nested[3][SN_FORMULA_LOCAL];
  derivatives(f, ev, nested[0], nested[1], nested[2]);
  for (int g = 0; g < f->set.count; g++) {
    const int first = f->set.first[g], end = g + 1 < f->set.count ? f->set.first[g + 1] : f->set.n;
    for (int i = 0; i < end - first; i++) {
      dq[at[g] + i] += w * nested[0][first + i];
      dv[at[g] + i] += w * nested[1][first + i];
      dl[at[g] + i] += w * nested[2][first + i];
    }
  }
}

static void add_measured(const sn_measured *m, const int *at, const sn_eval *ev, double w, double *dq, double *dv,
                         double *dl) {
  double own[3][SN_FORMULA_LOCAL];
  sn_measured_derivatives(m, ev, own[0], own[1], own[2]);
  scatter(m->groups, m->size, at, w, own[0], dq);
  scatter(m->groups, m->size, at, w, own[1], dv);
  scatter(m->groups, m->size, at, w, own[2], dl);
}

static double derivatives(const sn_formula *f, const sn_eval *ev, double *dq, double *dv, double *dl) {
  double x[SN_EXPR_VARIABLES], df[SN_EXPR_VARIABLES];
  double *const all[3] = {dq, dv, dl};
  for (int k = 0; k < 3; k++) memset(all[k], 0, (size_t)f->set.n * sizeof(double));
  if (f->variables == 0) return sn_expr_value(f->f, ev->t);
  if (f->wide) return sn_formula_value(f, ev);
  sn_formula_arguments(f, ev, x);
  const double value = f->f ? sn_expr_gradient(f->f, ev->t, f->variables, x, df)
                            : sn_host_gradient(ev->host, f->input, ev->t, f->variables, x, df);
  for (int k = 0; k < f->variables; k++) {
    const sn_quantity *s = f->s[k];
    if (!s || df[k] == 0 || !isfinite(df[k])) continue;
    if (s->type == SN_QUANTITY_FORMULA)
      add_formula(s->formula, f->at[k], ev, df[k], dq, dv, dl);
    else if (s->type == SN_QUANTITY_MEASURED)
      add_measured(s->measured, f->at[k], ev, df[k], dq, dv, dl);
    else if (s->type == SN_QUANTITY_STATE)
      dv[f->at[k][0]] += df[k];
    else if (s->type == SN_QUANTITY_PHI || s->type == SN_QUANTITY_RATE)
      add_phi(s, f->at[k], ev, df[k], dq, dv);
    else if (s->type == SN_QUANTITY_INPUT && s->call && is_called(s, ev))
      add_formula(s->call, f->at[k], ev, df[k], dq, dv, dl);
  }
  return value;
}

double sn_formula_gradient(const sn_formula *f, const sn_eval *ev, double *dq, double *dv) {
  double dl[SN_FORMULA_LOCAL];
  return derivatives(f, ev, dq, dv, dl);
}

double sn_formula_row(const sn_formula *f, const sn_eval *ev, double *row) {
  double dv[SN_FORMULA_LOCAL], dl[SN_FORMULA_LOCAL];
  const double value = derivatives(f, ev, row, dv, dl);
  for (int c = 0; c < f->set.n; c++) row[c] = ev->ck * row[c] + ev->cd * dv[c] + dl[c];
  return value;
}

void sn_formula_spread(const sn_formula *f, const int *at, const double *row, int rows, const double *b, double factor,
                       double *T, int stride) {
  for (int g = 0; g < f->set.count; g++) {
    const int first = f->set.first[g], end = g + 1 < f->set.count ? f->set.first[g + 1] : f->set.n;
    for (int c = first; c < end; c++)
      for (int d = 0; d < rows && row[c] != 0; d++) T[d + stride * (at[g] + c - first)] += factor * b[d] * row[c];
  }
}

/* ---- of a model ---- */

const sn_formula *sn_find_formula(const sn_model *model, const sn_expr *f) {
  for (int i = 0; i < model->formulas; i++)
    if (model->formula[i]->f == f) return model->formula[i];
  return NULL;
}

double sn_value_of_expression(const sn_model *model, const sn_expr *f, const sn_eval *ev) {
  if (!sn_expr_has_variables(f)) return sn_expr_value(f, ev->t);
  const sn_formula *formula = sn_find_formula(model, f);
  return formula ? sn_formula_value(formula, ev) : NAN;
}
