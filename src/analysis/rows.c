/* rows.c - what is recorded at a time: outputs, energies, constraints, and what the parts of the model say of their state. */
#include <math.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/hooks.h"
#include "analysis/modes.h"
#include "analysis/simulation.h"
#include "analysis/trust.h"
#include "body/bodies.h"
#include "joint/primitive.h"
#include "system/phases.h"

sn_touching sn_touching_at(sn_simulation *s, const sn_state *x) {
  sn_touching t = {.contacts = s->audit->contacts};
  if (t.contacts) t.count = sn_contacts_loaded(s->audit->contacts, s->audit->threads, x->q, x->v, &t.contact);
  return t;
}

/* The last step of implicit methods of low order, which damp what they do not follow; 0: others, whose steps follow all
 * that moves, or whose order makes q as good as forces need it. (Contact forces would change the pattern.) */
static sn_output_step damped_step(sn_simulation *s) {
  bool damps = s->ops && !s->ops->interpolate && !s->ops->quintic && !s->ops->impulsive && !s->ops->mass_only;
  sn_output_step step = {.h = damps && !s->audit->contacts ? s->state.t - s->before.t : 0};
  if (!s->ops || !s->ops->held_error || !s->integrator || !(step.h > 0)) return step;
  step.held_error = s->ops->held_error(s->integrator);
  if (step.held_error != 0 && !s->held.q) sn_state_create(s->audit, &s->held);
  step.room = &s->held;
  return step;
}

/* A state on its constraints is needed where these are redundant. */
static void solve_reactions(sn_simulation *s, sn_state *x) {
  if (s->audit->regularization > 0 && !s->near.q) sn_state_create(s->audit, &s->near);
  sn_output_step step = damped_step(s);
  sn_solve_reactions(s->audit, x, &step, &s->near);
}

void sn_solve_for_outputs(sn_simulation *s, sn_state *x) {
  if (!s->analysis->quasi_static && !sn_velocities_jump(s)) solve_reactions(s, x);
}

static void fill_output(sn_simulation *s, int output, const sn_state *x, const sn_touching *touching, double *y) {
  assert(output >= 0 && output < s->model->outputs);
  sn_eval ev = sn_eval_at(s, x);
  double gravity[3];
  if (s->analysis->quasi_static && s->load != 1) { /* in its equations */
    for (int k = 0; k < 3; k++) gravity[k] = s->load * s->model->gravity[k];
    ev.gravity = gravity;
    ev.load = s->load;
  }
  sn_output_fill(s->model, &s->model->output[output], &ev, touching, &s->memory[output], y);
}

/* Within a step in which velocities jump they are interpolated, as if bodies were brought to rest and accelerated again:
 * such energies are not those of the motion. The error is that of the end of the step. */
double sn_energy_error(sn_simulation *s) {
  sn_energy e;
  double error = sn_total_energy(s->audit, &s->state, &e) - s->energy_start;
  for (int k = 0; k < SN_WORKS; k++) error -= s->work[k];
  return error;
}

void sn_audit_energy(sn_simulation *s, const sn_state *x, double energy[SN_ENERGIES]) {
  sn_energy e;
  double work[SN_WORKS];
  sn_work_at(s, x->t, work);
  energy[SN_E_TOTAL] = sn_total_energy(s->audit, x, &e);
  energy[SN_E_KINETIC] = e.kinetic;
  energy[SN_E_STRAIN] = e.strain;
  energy[SN_E_GRAVITY] = e.gravity;
  energy[SN_E_SPRING] = e.spring;
  energy[SN_E_CONTACT] = e.contact;
  energy[SN_E_ERROR] = s->analysis->quasi_static ? 0 : energy[SN_E_TOTAL] - s->energy_start;
  for (int k = 0; k < SN_WORKS; k++) {
    energy[SN_E_APPLIED + k] = work[k];
    if (!s->analysis->quasi_static) energy[SN_E_ERROR] -= work[k];
  }
  if (sn_velocities_jump(s) && x->t > s->before.t && x->t < s->state.t) energy[SN_E_ERROR] = sn_energy_error(s);
  s->largest_energy_error = fmax(s->largest_energy_error, fabs(energy[SN_E_ERROR]));
  s->largest_kinetic = fmax(s->largest_kinetic, e.kinetic);
}

static void note_number(void *user, const sn_primitive *p, sn_primitive_type type) {
  bool *number = user;
  const int rows = type == SN_COINCIDENT ? p->rows : 1;
  for (int k = 0; k < rows; k++) number[p->row + k] = type == SN_DOT || (type == SN_COINCIDENT && !p->point[0]);
}

/* Which constraints are numbers: products of directions, and quaternions of length 1. The size of the model means nothing
 * to them, whose errors are angles. */
static const bool *numbers_of(sn_simulation *s) {
  const sn_model *m = s->model;
  if (s->evidence.number) return s->evidence.number;
  bool *number = SN_NEW(&s->arena, bool, m->m + 1);
  const int units = sn_normalizations(m, NULL, NULL);
  int *first = SN_NEW(&s->arena, int, 2 * units + 1), *row = first + units;
  sn_each_primitive(m, note_number, number);
  sn_normalizations(m, first, row);
  for (int i = 0; i < units; i++) number[row[i]] = true;
  return s->evidence.number = number;
}

static void audit_constraints(sn_simulation *s, const sn_state *x, double *level) {
  void (*const function[SN_LEVELS])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                                sn_system_acceleration};
  for (int k = 0; k < SN_LEVELS; k++) {
    double *phi = s->scratch;
    level[k] = 0;
    if (k > 0 && s->analysis->quasi_static) continue; /* drivers have no speed where time stands still */
    function[k](s->audit, x, phi);
    const bool *number = numbers_of(s);
    double *open = s->evidence.open;
    for (int i = 0; i < s->audit->m; i++) {
      level[k] = fmax(level[k], fabs(phi[i]));
      if (k == 0) open[number[i]] = fmax(open[number[i]], fabs(phi[i]));
    }
    s->largest_constraint[k] = fmax(s->largest_constraint[k], level[k]);
  }
}

void sn_row_create(sn_simulation *s, sn_row *row) {
  *row = (sn_row){.values = SN_NEW(&s->arena, double, s->output_columns), .q = s->sample.q, .v = s->sample.v};
}

/* Once, with the first time. */
static void doubt_first(sn_simulation *s, sn_trust level, const char *text, double t) {
  const size_t length = strlen(text);
  for (int i = 0; i < s->doubts.count; i++)
    if (strncmp(s->doubts.doubt[i].text, text, length) == 0) return;
  sn_add_doubt(s, level, sn_format(&s->arena, "%s; the first time at t = %.6g s", text, t));
}

/* What bodies, joints and forces say of the state they are in. */
static void ask_bodies(sn_simulation *s, const sn_state *x) {
  for (int i = 0; i < s->model->bodies; i++) {
    const sn_body *body = &s->model->body[i];
    bool bad = false;
    const char *text = body->ops->doubt && body->data ? body->ops->doubt(body, x->q, &bad) : NULL;
    if (text) sn_add_model_doubt(s, bad ? SN_BAD : SN_DOUBTFUL, text);
  }
  for (int i = 0; i < s->model->joints; i++) {
    const sn_joint *joint = &s->model->joint[i];
    bool bad = false;
    const char *text = joint->warning ? joint->ops->doubt(s->model, joint, x->q, x->l, &bad) : NULL;
    if (text) doubt_first(s, bad ? SN_BAD : SN_DOUBTFUL, text, x->t);
  }
  for (int k = 0; k < s->model->batches; k++) {
    const sn_batch *batch = &s->model->batch[k];
    for (int i = 0; batch->ops->doubt && i < batch->count; i++) {
      bool bad = false;
      const char *text = batch->ops->doubt(batch, i, x->q, &bad);
      if (text) sn_add_model_doubt(s, bad ? SN_BAD : SN_DOUBTFUL, text);
    }
  }
}

void sn_sample(sn_simulation *s, double t, sn_row *row) {
  const sn_phase_mark mark = sn_phase_begin(s->system, SN_PHASE_OUTPUT);
  const double cpu = sn_cpu_time();
  sn_state *x = &s->sample;
  sn_interpolate(s, t, x);
  row->t = x->t;
  row->step = s->state.t - s->before.t;
  row->stage = s->stage;
  row->load = s->load;
  memcpy(row->stability, s->stability, sizeof row->stability);
  bool projected = sn_is_projected(s, x);
  if (projected) sn_project_rates(s->audit, x);
  audit_constraints(s, x, row->constraint); /* of what the integrator gave, before a is solved for again */
  if (!s->analysis->quasi_static && (!projected || s->audit->regularization > 0) && !sn_velocities_jump(s))
    solve_reactions(s, x);
  sn_audit_energy(s, x, row->energy);
  sn_system_momentum(s->audit, x, row->momentum);
  double *y = row->values;
  row->touching = sn_touching_at(s, x);
  ask_bodies(s, x);
  for (int i = 0; i < s->model->outputs; i++) {
    fill_output(s, i, x, &row->touching, y);
    y += s->model->output[i].columns;
  }
  sn_evidence_row(s, row);
  sn_phase_end(s->system, &mark);
  s->system->statistics.cpu_output += sn_cpu_time() - cpu;
}

void sn_fill_output(sn_simulation *s, int output, const sn_state *x, double *y) {
  const sn_touching touching = sn_touching_at(s, x);
  fill_output(s, output, x, &touching, y);
}

void sn_fill_outputs(sn_simulation *s, const sn_state *x, double *y) {
  const sn_eval ev = sn_eval_at(s, x);
  const sn_touching touching = sn_touching_at(s, x);
  for (int i = 0; i < s->model->outputs; i++) {
    sn_output_memory memory = s->memory[i];
    sn_output_fill(s->model, &s->model->output[i], &ev, &touching, &memory, y);
    y += s->model->output[i].columns;
  }
}

typedef struct reading {
  sn_simulation *simulation;
  const char *name;
  double *values;
  size_t size, count;
} reading;

static sn_status read_values(void *argument) {
  reading *r = argument;
  sn_simulation *s = r->simulation;
  const char *name = r->name;
  double buffer[SN_OUTPUT_COLUMNS];
  static_assert((int)SN_ENERGIES <= (int)SN_OUTPUT_COLUMNS, "the energies fit");
  size_t count = 0;
  sn_state *x = &s->sample;
  sn_interpolate(s, s->state.t, x);
  if (strcmp(name, "energy") == 0) {
    sn_audit_energy(s, x, buffer);
    count = SN_ENERGIES;
  }
  if (strcmp(name, "modes") == 0 && s->modes) {
    for (int i = 0; i < s->modes->count && (size_t)i < r->size; i++) {
      const sn_modes *m = s->modes;
      r->values[i] = m->factor ? m->factor[i] : sn_mode_frequency(m, i);
    }
    r->count = (size_t)s->modes->count;
    return SN_OK;
  }
  for (int i = 0; i < s->model->outputs && count == 0; i++) {
    const sn_output *o = &s->model->output[i];
    if (strcmp(o->name, name) != 0) continue;
    sn_solve_for_outputs(s, x);
    sn_fill_output(s, i, x, buffer);
    count = (size_t)o->columns;
  }
  for (size_t i = 0; i < count && i < r->size; i++) r->values[i] = buffer[i];
  r->count = count;
  return SN_OK;
}

size_t sn_read(sn_simulation *s, const char *name, double *values, size_t size) {
  reading r = {.simulation = s, .name = name, .values = values, .size = size};
  if (sn_alive(s) || sn_guard(s->context, s->pool, read_values, &r)) return 0;
  return r.count;
}
