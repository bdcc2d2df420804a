/* access.c - what a program reads of a simulation, and sets, between its steps. */
#include <math.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/evidence.h"
#include "analysis/hooks.h"
#include "analysis/simulation.h"
#include "base/handles.h"
#include "joint/primitive.h"
#include "model/compile.h"

static_assert((int)SN_ENERGY_COUNT == (int)SN_ENERGIES, "the public interface has the same");

const double *sn_positions(const sn_simulation *s) {
  return sn_handle_check(s) ? NULL : s->state.q;
}

const double *sn_velocities(const sn_simulation *s) {
  return sn_handle_check(s) ? NULL : s->state.v;
}

const double *sn_accelerations(const sn_simulation *s) {
  return sn_handle_check(s) ? NULL : s->state.a;
}

const double *sn_multipliers(const sn_simulation *s) {
  return sn_handle_check(s) ? NULL : s->state.l;
}

const char *sn_energy_name(size_t number) {
  return number < SN_ENERGIES ? sn_energy_names[number] : NULL;
}

sn_status sn_alive(const sn_simulation *s) {
  if (sn_handle_check(s)) return SN_USAGE;
  return sn_pool_failed(s->pool) ? sn_fail(s->context, SN_MEMORY, "out of memory at t = %g s", s->state.t) : SN_OK;
}

/* ---- outputs ---- */

typedef struct reading {
  sn_simulation *simulation;
  size_t number;
  double time, *values;
} reading;

/* The state at a time, with accelerations and reactions, once for all that is read there. */
static void look(sn_simulation *s, double t) {
  if (!s->view.q) sn_state_create(s->audit, &s->view);
  if (s->viewed == t) return;
  sn_interpolate(s, t, &s->view);
  sn_solve_for_outputs(s, &s->view);
  s->viewed = t;
}

static sn_status read_output(void *argument) {
  const reading *r = argument;
  look(r->simulation, r->time);
  sn_fill_output(r->simulation, (int)r->number, &r->simulation->view, r->values);
  return SN_OK;
}

sn_status sn_read_output_at(sn_simulation *s, size_t number, double time, double *values) {
  reading r = {s, number, time, values};
  sn_status status = sn_alive(s);
  if (status) return status;
  if (number >= (size_t)s->model->outputs)
    return sn_fail(s->context, SN_USAGE, "there is no output number %zu: the model has %d", number, s->model->outputs);
  if (!(time >= s->before.t && time <= s->state.t))
    return sn_fail(s->context, SN_USAGE, "t = %g s is not within the last step, %g to %g s", time, s->before.t,
                   s->state.t);
  sn_host_clear(s);
  status = sn_guard(s->context, s->pool, read_output, &r);
  return status ? status : atomic_load(&s->host->fault) ? sn_host_check(s, SN_CALLBACK) : SN_OK;
}

sn_status sn_read_output(sn_simulation *s, size_t number, double *values) {
  return sn_read_output_at(s, number, s->state.t, values);
}

static sn_status read_energies(void *argument) {
  const reading *r = argument;
  look(r->simulation, r->time);
  sn_audit_energy(r->simulation, &r->simulation->view, r->values);
  return SN_OK;
}

sn_status sn_energies(sn_simulation *s, double values[SN_ENERGY_COUNT]) {
  reading r = {s, 0, s->state.t, values};
  sn_status status = sn_alive(s);
  return status ? status : sn_guard(s->context, s->pool, read_energies, &r);
}

/* ---- reactions and contacts ---- */

static sn_status read_reaction(void *argument) {
  const reading *r = argument;
  sn_simulation *s = r->simulation;
  sn_probe p;
  double about[3];
  look(s, r->time);
  const sn_eval ev = sn_eval_at(s, &s->view);
  sn_marker_point(&s->model->joint[r->number].marker[1], &p);
  p.ops->value(&p, ev.q, about);
  sn_joint_reaction(s->model, (int)r->number, &ev, about, r->values, r->values + 3);
  return SN_OK;
}

sn_status sn_read_reaction(sn_simulation *s, size_t joint, double force[3], double moment[3]) {
  double values[6];
  reading r = {s, joint, s->state.t, values};
  sn_status status = sn_alive(s);
  if (status) return status;
  if (joint >= (size_t)s->model->joints)
    return sn_fail(s->context, SN_USAGE, "there is no joint number %zu: the model has %d", joint, s->model->joints);
  const sn_joint *x = &s->model->joint[joint];
  if (!x->marker[1].body || (x->slide && x->ops->after))
    return sn_fail(s->context, SN_USAGE, "joint '%s' has no reaction", x->name);
  status = sn_guard(s->context, s->pool, read_reaction, &r);
  if (status) return status;
  memcpy(force, values, 3 * sizeof(double));
  memcpy(moment, values + 3, 3 * sizeof(double));
  return SN_OK;
}

typedef struct contact_reading {
  sn_simulation *simulation;
  sn_contact_info *info;
  size_t size, count;
} contact_reading;

static sn_status read_contacts(void *argument) {
  contact_reading *r = argument;
  sn_simulation *s = r->simulation;
  look(s, s->state.t);
  const sn_touching touching = sn_touching_at(s, &s->view);
  r->count = (size_t)touching.count;
  for (size_t i = 0; i < r->count && i < r->size; i++) {
    const sn_contact *x = touching.contact[i];
    sn_contact_info *info = &r->info[i];
    for (int k = 0; k < 2; k++)
      info->body[k] =
          (size_t)touching.contacts->surfaces->surface[sn_contact_surface_number(touching.contacts, x, k)].body;
    memcpy(info->point, x->point, sizeof info->point);
    memcpy(info->normal, x->normal, sizeof info->normal);
    memcpy(info->force, x->force, sizeof info->force);
    info->gap = x->gap;
  }
  return SN_OK;
}

sn_status sn_read_contacts(sn_simulation *s, sn_contact_info *contacts, size_t size, size_t *count) {
  contact_reading r = {s, contacts, size, 0};
  sn_status status = sn_alive(s);
  *count = 0;
  if (status == SN_OK) status = sn_guard(s->context, s->pool, read_contacts, &r);
  if (status == SN_OK) *count = r.count;
  return status;
}

/* ---- state ---- */

typedef struct setting {
  sn_simulation *simulation;
  const double *q, *v;
} setting;

static sn_status set_state(void *argument) {
  const setting *x = argument;
  sn_simulation *s = x->simulation;
  const size_t bytes = (size_t)s->model->n * sizeof(double);
  sn_start start = s->start;
  const double regularization = s->system->regularization;
  sn_state_copy(s->system, &s->before, &s->state); /* no step to interpolate in */
  if (x->q) memcpy(s->state.q, x->q, bytes);
  if (x->v) memcpy(s->state.v, x->v, bytes);
  /* the start of the file again, with what it keeps, where constraints have become others */
  s->left |= x->q || x->v;
  sn_status status = s->left ? sn_make_consistent_from(s->system, &s->state, &start)
                             : sn_make_consistent(s->system, &s->state, &start);
  if (status == SN_OK && !s->left) s->start = start;
  if (status) {
    sn_state_copy(s->system, &s->state, &s->before);
    s->system->regularization = regularization;
    sn_system_refresh(s->system);
    return status;
  }
  sn_begin_audit(s);
  status = sn_follow_change(s);
  sn_renew_crossings(s);
  return status;
}

static bool is_finite(const double *x, int count) {
  for (int i = 0; x && i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

sn_status sn_set_state(sn_simulation *s, const double *q, const double *v) {
  setting x = {s, q, v};
  sn_status status = sn_alive(s);
  if (status) return status;
  if (!s->ops)
    return sn_fail(s->context, SN_USAGE, "a state can be set in dynamics only; this is %s", s->analysis->kind.name);
  if (!is_finite(q, s->model->n) || !is_finite(v, s->model->n))
    return sn_fail(s->context, SN_USAGE, "the state to be set has values that are not finite");
  s->viewed = NAN;
  return sn_guard(s->context, s->pool, set_state, &x);
}
