/* checkpoint.c - see checkpoint.h. */
#include "analysis/checkpoint.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/choice.h"
#include "analysis/companion.h"
#include "analysis/events.h"
#include "analysis/evidence.h"

static const double MARK = 20275; /* first number: the order of the others; another order has another */

bool sn_checkpoint_possible(const sn_simulation *s) {
  return s->ops && s->integrator && !s->analysis->quasi_static;
}

/* ---- stored values ---- */

/* The name of a body, as its number. */
static void remember_body(const sn_model *model, const char **name, sn_history *h) {
  int place = -1;
  for (int i = 0; *name && i < model->bodies; i++)
    if (strcmp(model->body[i].name, *name) == 0) place = i;
  sn_history_int(h, &place, -1, model->bodies - 1);
  *name = place >= 0 ? model->body[place].name : NULL;
}

static void remember_contact(const sn_model *model, sn_contact_statistics *x, sn_history *h) {
  long *counts[] = {&x->solutions, &x->contacts,     &x->iterations, &x->misses,    &x->again,
                    &x->impacts,   &x->impacts_left, &x->weakened,   &x->recoveries};
  double *values[] = {&x->work, &x->total, &x->residual, &x->time, &x->time_detect, &x->time_solve, &x->crept};
  for (size_t k = 0; k < SN_COUNT(counts); k++) sn_history_long(h, counts[k]);
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
  sn_history_int(h, &x->most, 0, INT_MAX);
  for (int k = 0; k < 2; k++) remember_body(model, &x->between[k], h);
}

/* Every member of the statistics; test_checkpoint.c fails if one is missing. */
static void remember_statistics(const sn_model *model, sn_statistics *x, sn_history *h) {
  long *counts[] = {&x->steps,         &x->error_rejections, &x->newton_rejections, &x->iterations,
                    &x->residuals,     &x->jacobians,        &x->factorizations,    &x->solves,
                    &x->short_steps,   &x->least_steps,      &x->unseen_loads,      &x->most_iterations,
                    &x->rounded_steps, &x->unseen_impacts,   &x->unsettled,         &x->cut_steps};
  double *values[] = {&x->local_error,
                      &x->smallest_step,
                      &x->largest_step,
                      &x->time_residual,
                      &x->time_jacobian,
                      &x->time_factor,
                      &x->time_solve,
                      &x->time_output,
                      &x->time_method,
                      &x->time_analysis,
                      &x->time_start,
                      &x->time_companion,
                      &x->cpu,
                      &x->wall,
                      &x->cpu_output,
                      &x->estimated_error,
                      &x->estimated_until,
                      &x->reaction_difference,
                      &x->acceleration_difference,
                      &x->output_difference};
  for (size_t k = 0; k < SN_COUNT(counts); k++) sn_history_long(h, counts[k]);
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
  remember_contact(model, &x->contact, h);
}

static void remember_state(const sn_system *system, sn_state *x, sn_history *h) {
  size_t n = (size_t)system->n, m = (size_t)system->m;
  sn_history_real(h, &x->t);
  sn_history_reals(h, x->q, n);
  sn_history_reals(h, x->v, n);
  sn_history_reals(h, x->a, n);
  sn_history_reals(h, x->l, m);
}

static void remember_audit(sn_simulation *s, sn_history *h) {
  double *values[] = {&s->energy_start, &s->largest_energy_error, &s->largest_kinetic, &s->impact_step};
  sn_history_reals(h, s->power, SN_COUNT(s->power));
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
  sn_history_reals(h, s->work, SN_COUNT(s->work));
  sn_history_reals(h, s->largest_constraint, SN_LEVELS);
  sn_history_int(h, &s->passed, 0, INT_MAX);
  for (int i = 0; i < s->model->outputs; i++) {
    sn_output_memory *memory = &s->memory[i];
    sn_history_bool(h, &memory->known);
    sn_history_real(h, &memory->t);
    sn_history_real(h, &memory->angle);
    sn_history_real(h, &memory->rate);
  }
  sn_evidence_history(s, h);
  sn_doubts_history(s, h);
}

/* All but the integrator's own. */
static void remember(sn_simulation *s, sn_history *h) {
  sn_history_real(h, &s->begin);
  sn_history_long(h, &s->first_row);
  sn_history_long(h, &s->next_row);
  sn_history_real(h, &s->last_row);
  sn_history_real(h, &s->system->regularization);
  sn_history_reals(h, s->system->row_unit, (size_t)s->system->m);
  remember_state(s->system, &s->state, h);
  sn_history_reals(h, s->inputs, (size_t)s->model->inputs);
  sn_history_reals(h, s->discrete, (size_t)s->model->discrete);
  sn_events_history(s, h);
  remember_audit(s, h);
  sn_companion_history(s, h);
}

/* The method `auto` decided for, by its place among the kinds; -1: none. */
static void remember_choice(sn_simulation *s, sn_history *h) {
  int place = -1, count = 0;
  for (; sn_kinds[count]; count++)
    if (s->chosen && sn_kinds[count]->category == SN_INTEGRATORS && strcmp(sn_kinds[count]->name, s->chosen) == 0)
      place = count;
  sn_history_int(h, &place, -1, count - 1);
  bool known = place >= 0 && sn_kinds[place]->category == SN_INTEGRATORS;
  s->chosen = known ? sn_kinds[place]->name : NULL;
  sn_history_real(h, &s->share);
  sn_history_real(h, &s->asked);
  sn_history_real(h, &s->trial_work);
  if (!s->chosen) s->trial_work = 0; /* no choice, no trials; a damaged checkpoint may say otherwise */
  sn_history_real(h, &s->tried_at);
  sn_history_real(h, &s->tried_error);
}

/* ---- save ---- */

void sn_checkpoint_save(sn_simulation *s, sn_history *h) {
  assert(sn_checkpoint_possible(s));
  double mark = MARK, sizes[] = {s->system->n, s->system->m, s->model->outputs}, method = sn_identity(s->settings);
  sn_history_clear(h);
  sn_simulation_statistics(s); /* brings times up to date */
  sn_history_real(h, &mark);
  sn_history_reals(h, sizes, SN_COUNT(sizes));
  sn_history_int(h, &s->stage, 0, s->stages - 1);
  sn_history_real(h, &s->before.t);
  remember(s, h);
  remember_choice(s, h);
  remember_statistics(s->model, &s->system->statistics, h);
  sn_history_real(h, &method);
  if (s->ops->history) s->ops->history(s->integrator, h);
}

/* ---- load ---- */

static sn_status misfit(sn_simulation *s) {
  return sn_fail(s->context, SN_USAGE, "the checkpoint does not belong to this model, or is damaged");
}

/* The last step is finished: no more output times lie within it. */
static void begin_here(sn_simulation *s) {
  sn_state_copy(s->system, &s->before, &s->state);
  sn_end_work(s);
  s->cpu_start = sn_cpu_time() - s->system->statistics.cpu;
  s->wall_start = sn_wall_time() - s->system->statistics.wall;
}

static sn_status load_integrator(sn_simulation *s, sn_history *h) {
  double method = 0;
  sn_history_real(h, &method);
  if (h->failed || method != sn_identity(s->settings) || !s->ops->history) return h->failed ? misfit(s) : SN_OK;
  s->ops->history(s->integrator, h);
  return h->failed ? misfit(s) : SN_OK;
}

sn_status sn_checkpoint_load(sn_simulation *s, sn_history *h) {
  double mark = 0, sizes[3] = {0};
  double before = 0;
  int stage = -1;
  sn_history_rewind(h);
  sn_history_real(h, &mark);
  sn_history_reals(h, sizes, SN_COUNT(sizes));
  sn_history_int(h, &stage, 0, s->stages - 1);
  sn_history_real(h, &before);
  if (h->failed || mark != MARK || sizes[0] != s->system->n || sizes[1] != s->system->m ||
      sizes[2] != s->model->outputs || sn_stage_ops(s->stage_spec[stage]) != &sn_dynamics)
    return misfit(s);
  sn_companion_end(s); /* in the run that goes on as in one that is resumed */
  s->stage = stage;
  s->analysis = &sn_dynamics;
  s->load = 1;
  remember(s, h);
  remember_choice(s, h);
  const double asked = s->asked;
  sn_statistics statistics = s->system->statistics;
  remember_statistics(s->model, &statistics, h);
  if (h->failed) return misfit(s);
  sn_system_copy_regularization(s->audit, s->system);
  sn_system_set_load(s->system, 1);
  sn_system_set_load(s->audit, 1);
  sn_status status = sn_system_refresh(s->system);
  if (status == SN_OK) status = sn_system_refresh(s->audit);
  if (status == SN_OK) status = s->analysis->begin(s, s->stage_spec[stage]);
  if (status == SN_OK && !(s->state.t >= s->begin && isfinite(s->state.t))) status = misfit(s);
  if (status == SN_OK) status = load_integrator(s, h);
  s->system->statistics = statistics; /* making the integrator again is no cost of the run */
  if (s->asked != asked) sn_choice_counts_from_here(s);
  begin_here(s);
  if (s->stopped) s->finished = s->cut = true, s->end = s->state.t; /* by an event */
  if (s->finished) s->before.t = before;                            /* the row at the end has the last step */
  s->resumed = true;
  return status;
}
