/* checkpoint.c - see checkpoint.h. */
#include "analysis/checkpoint.h"

#include <string.h>

#include "model/kinds.h"

static const double MARK = 20261; /* first number: the order of the others; another order has another */

bool sn_checkpoint_possible(const sn_simulation *s) {
  return s->ops && s->integrator && !s->analysis->still;
}

/* ---- what is put away ---- */

static void remember_statistics(sn_statistics *x, sn_history *h) {
  long *counts[] = {&x->steps,     &x->error_rejections, &x->newton_rejections, &x->iterations,
                    &x->residuals, &x->jacobians,        &x->factorizations,    &x->solves};
  double *values[] = {&x->smallest_step, &x->largest_step, &x->time_residual, &x->time_jacobian, &x->time_factor,
                      &x->time_solve,    &x->time_output,  &x->cpu,           &x->wall};
  for (size_t k = 0; k < SN_COUNT(counts); k++) sn_history_long(h, counts[k]);
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
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
  double *values[] = {&s->power.applied, &s->power.driver,         &s->power.damping,
                      &s->energy_start,  &s->largest_energy_error, &s->largest_kinetic};
  for (size_t k = 0; k < SN_COUNT(values); k++) sn_history_real(h, values[k]);
  sn_history_reals(h, s->work, SN_COUNT(s->work));
  sn_history_reals(h, s->largest_constraint, SN_LEVELS);
  for (int i = 0; i < s->model->outputs; i++) {
    sn_output_memory *memory = &s->memory[i];
    sn_history_bool(h, &memory->known);
    sn_history_real(h, &memory->t);
    sn_history_real(h, &memory->angle);
    sn_history_real(h, &memory->rate);
  }
}

/* All but the integrator's own. */
static void remember(sn_simulation *s, sn_history *h) {
  sn_history_real(h, &s->begin);
  sn_history_long(h, &s->first_row);
  sn_history_long(h, &s->next_row);
  sn_history_real(h, &s->last_row);
  sn_history_real(h, &s->system->regularization);
  remember_state(s->system, &s->state, h);
  remember_audit(s, h);
}

/* What must agree for a memory to fit: mark, model, method and its settings. */
static void remember_identity(const sn_simulation *s, double identity[], size_t count) {
  const sn_integrator_spec *set = &s->settings;
  double name = 5381;
  for (const char *c = set->spec.kind->name; *c; c++) name = (double)(((long)name * 33 + *c) % 1000003);
  const double all[] = {name,          set->step,      set->tolerance,      set->relative,     set->absolute,
                        set->min_step, set->max_step,  (double)set->order,  set->alpha,        set->delta,
                        set->project,  set->stabilize, (double)set->newton, set->baumgarte[0], set->baumgarte[1]};
  memset(identity, 0, count * sizeof(double));
  memcpy(identity, all, sizeof all);
}

enum { IDENTITY = 16 };

/* ---- save ---- */

void sn_checkpoint_save(sn_simulation *s, sn_history *h) {
  double mark = MARK, sizes[] = {s->system->n, s->system->m, s->model->outputs}, identity[IDENTITY];
  sn_history_clear(h);
  sn_simulation_statistics(s); /* brings times up to date */
  sn_history_real(h, &mark);
  sn_history_reals(h, sizes, SN_COUNT(sizes));
  sn_history_int(h, &s->stage);
  remember(s, h);
  remember_statistics(&s->system->statistics, h);
  remember_identity(s, identity, IDENTITY);
  sn_history_reals(h, identity, IDENTITY);
  if (s->ops->history) s->ops->history(s->integrator, h);
}

/* ---- load ---- */

static sn_status misfit(sn_simulation *s) {
  return sn_fail(s->context, SN_USAGE, "the checkpoint does not belong to this model, or is damaged");
}

/* The last step is over: nothing lies within it any more. */
static void begin_here(sn_simulation *s) {
  sn_state_copy(s->system, &s->before, &s->state);
  memcpy(s->work_before, s->work, sizeof s->work);
  s->cpu_start = sn_cpu_time() - s->system->statistics.cpu;
  s->wall_start = sn_wall_time() - s->system->statistics.wall;
}

static sn_status load_integrator(sn_simulation *s, sn_history *h) {
  double then[IDENTITY] = {0}, now[IDENTITY];
  sn_history_reals(h, then, IDENTITY);
  remember_identity(s, now, IDENTITY);
  if (h->failed || memcmp(then, now, sizeof now) != 0 || !s->ops->history) return SN_OK;
  s->ops->history(s->integrator, h);
  return h->failed ? misfit(s) : SN_OK;
}

sn_status sn_checkpoint_load(sn_simulation *s, sn_history *h) {
  double mark = 0, sizes[3] = {0};
  int stage = -1;
  sn_history_rewind(h);
  sn_history_real(h, &mark);
  sn_history_reals(h, sizes, SN_COUNT(sizes));
  sn_history_int(h, &stage);
  if (h->failed || mark != MARK || sizes[0] != s->system->n || sizes[1] != s->system->m ||
      sizes[2] != s->model->outputs || stage < 0 || stage >= s->stages ||
      sn_stage_ops(s->stage_spec[stage]) != &sn_dynamics)
    return misfit(s);
  s->stage = stage;
  s->analysis = &sn_dynamics;
  s->load = 1;
  remember(s, h);
  sn_statistics statistics = s->system->statistics;
  remember_statistics(&statistics, h);
  if (h->failed) return misfit(s);
  s->audit->regularization = s->system->regularization;
  sn_system_set_load(s->system, 1);
  sn_system_set_load(s->audit, 1);
  sn_status status = sn_system_refresh(s->system);
  if (status == SN_OK) status = sn_system_refresh(s->audit);
  if (status == SN_OK) status = s->analysis->begin(s, s->stage_spec[stage]);
  if (status == SN_OK) status = load_integrator(s, h);
  s->system->statistics = statistics; /* making the integrator again is no cost of the run */
  begin_here(s);
  s->resumed = true;
  return status;
}
