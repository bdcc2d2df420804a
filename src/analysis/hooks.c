/* hooks.c - functions of a host program: controllers at instants k T, ends of steps, values of inputs, constraints. */
#include "analysis/hooks.h"

#include <math.h>

#include "analysis/events.h"
#include "joint/constraint.h"

static const double SAME = 1e-9; /* of a period: times closer together are one */

/* ---- functions of inputs ---- */

void sn_host_clear(sn_simulation *s) {
  if (atomic_load(&s->host->fault)) atomic_store(&s->host->fault, SN_HOST_FINE);
}

/* A value that is not a number is a failure where no shorter step avoids it. */
sn_status sn_host_check(const sn_simulation *s, sn_status status) {
  const sn_host *host = s->host;
  const int fault = atomic_load(&host->fault);
  if (fault == SN_HOST_FINE || (fault == SN_HOST_NO_NUMBER && status != SN_NUMERICS && status != SN_CALLBACK))
    return status;
  const sn_input *input = host->input >= 0 ? &s->model->input[host->input] : NULL;
  const char *what = input ? "input" : "constraint";
  const char *name = input ? input->name : s->model->constraint[-1 - host->input]->name;
  if (fault == SN_HOST_ENDED)
    return sn_fail(s->context, SN_CALLBACK, "the function of %s '%s' returned error %d at t = %g s", what, name,
                   host->code, host->t);
  const char *why = status == SN_NUMERICS ? sn_message(s->context) : ""; /* what failed then */
  if (input && isfinite(host->value))
    return sn_fail(s->context, SN_CALLBACK,
                   "the function of input '%s' returned %g at t = %g s: the range of the input is %g to %g%s%s",
                   input->name, host->value, host->t, input->low, input->high, why[0] ? "\n  " : "", why);
  return sn_fail(s->context, SN_CALLBACK, "the function of %s '%s' returned a value that is not finite at t = %g s%s%s",
                 what, name, host->t, why[0] ? "\n  " : "", why);
}

typedef struct call {
  sn_simulation *simulation;
  size_t number;
  sn_input_function f;
  sn_between_steps between;
  sn_event_function event;
  void *user;
  double period;
} call;

static sn_status set_function(void *argument) {
  const call *c = argument;
  sn_simulation *s = c->simulation;
  const sn_input *input = &s->model->input[c->number];
  sn_host_function *function = &s->host->function[c->number];
  *function = (sn_host_function){c->f, c->user, input->low, input->high};
  s->viewed = NAN;
  sn_host_clear(s);
  return sn_host_check(s, sn_follow_change(s));
}

sn_status sn_set_input_function(sn_simulation *s, size_t number, sn_input_function f, void *user) {
  call c = {.simulation = s, .number = number, .f = f, .user = user};
  sn_status status = sn_alive(s);
  if (status) return status;
  if (number >= (size_t)s->model->inputs)
    return sn_fail(s->context, SN_USAGE, "there is no input number %zu: the model has %d", number, s->model->inputs);
  status = sn_guard(s->context, s->pool, set_function, &c);
  if (status && status != SN_MEMORY) s->host->function[number].f = NULL;
  return status;
}

/* ---- constraints ---- */

static const sn_constraint *missing_constraint(const sn_simulation *s) {
  for (int i = 0; i < s->model->constraints; i++)
    if (!sn_constraint_holds(s->model->constraint[i], s->host)) return s->model->constraint[i];
  return NULL;
}

sn_status sn_check_constraints(const sn_simulation *s) {
  const sn_constraint *x = missing_constraint(s);
  if (!x) return SN_OK;
  return sn_fail(s->context, SN_USAGE,
                 "constraint '%s' has neither an equation nor a function of the program\n  possible remedy: give it a "
                 "field 'equation', or a function (sn_set_constraint_function, Simulation.set_constraint)",
                 x->name);
}

sn_status sn_set_constraint_function(sn_simulation *s, size_t joint, sn_constraint_function f, void *user) {
  sn_status status = sn_alive(s);
  int k = 0;
  if (status) return status;
  while (k < s->model->constraints && s->model->constraint[k]->joint != (int)joint) k++;
  if (joint >= (size_t)s->model->joints)
    return sn_fail(s->context, SN_USAGE, "there is no joint number %zu: the model has %d", joint, s->model->joints);
  if (k == s->model->constraints)
    return sn_fail(s->context, SN_USAGE, "joint '%s' is not a constraint: it has no function",
                   s->model->joint[joint].name);
  if (!s->ops)
    return sn_fail(s->context, SN_USAGE, "functions of constraints can be set in dynamics only; this is %s",
                   s->analysis->kind.name);
  const sn_host_constraint before = s->host->constraint[k];
  s->host->constraint[k] = (sn_host_constraint){f, user};
  sn_host_clear(s);
  if (missing_constraint(s)) {
    s->viewed = NAN;
    return SN_OK;
  }
  status = sn_set_state(s, NULL, NULL);
  const int fault = atomic_load(&s->host->fault);
  if (!status && !fault) return SN_OK;
  status = fault ? sn_host_check(s, SN_CALLBACK) : status;
  if (status != SN_MEMORY) s->host->constraint[k] = before;
  return status;
}

/* ---- between steps ---- */

/* Of an event, or at an instant. */
static sn_status invoke(sn_simulation *s, const sn_event_info *event, sn_between_steps f, void *user,
                        const char *what) {
  s->hooks->busy = true;
  const int code = event ? s->hooks->event(user, s, event) : f(user, s);
  s->hooks->busy = false;
  if (sn_pool_failed(s->pool)) return sn_alive(s);
  return code
             ? sn_fail(s->context, SN_CALLBACK, "the function %s returned error %d at t = %g s", what, code, s->state.t)
             : SN_OK;
}

static sn_status check_busy(const sn_simulation *s) {
  return s->hooks->busy ? sn_fail(s->context, SN_USAGE, "a function that a simulation calls cannot step it") : SN_OK;
}

/* Those that a snapshot which was restored does not have. */
static void forget_events(sn_simulation *s) {
  const sn_event_info *list;
  const int count = sn_events_list(s, &list);
  if (s->hooks->told > count) s->hooks->told = count;
}

sn_status sn_hooks_before(sn_simulation *s, double *end) {
  sn_status status = check_busy(s);
  const double t = s->state.t;
  const bool back = t < s->hooks->last; /* a snapshot was restored */
  *end = INFINITY;
  if (status || s->analysis->quasi_static) return status;
  forget_events(s);
  for (sn_sampler *x = s->hooks->samplers; x && !status; x = x->after) {
    if (back) x->next = ceil(t / x->period - SAME);
    if (x->next * x->period <= t + SAME * x->period) {
      x->next = floor(t / x->period + SAME) + 1;
      status = invoke(s, NULL, x->f, x->user, "at instants");
    }
    *end = fmin(*end, x->next * x->period);
  }
  s->hooks->last = t;
  return status;
}

/* Events since the last call. */
static sn_status tell_events(sn_simulation *s) {
  sn_hooks *hooks = s->hooks;
  const sn_event_info *list;
  sn_status status = SN_OK;
  while (status == SN_OK && hooks->told < sn_events_list(s, &list)) {
    const sn_event_info event = list[hooks->told++];
    if (hooks->event) status = invoke(s, &event, NULL, hooks->event_user, "of events");
  }
  return status;
}

sn_status sn_hooks_after(sn_simulation *s) {
  const sn_status status = tell_events(s);
  if (status || !s->hooks->end) return status;
  return invoke(s, NULL, s->hooks->end, s->hooks->end_user, "at the end of steps");
}

static sn_hooks *hooks_of(sn_simulation *s) {
  if (!s->hooks) {
    s->hooks = SN_NEW(&s->arena, sn_hooks, 1);
    s->hooks->last = -INFINITY;
  }
  return s->hooks;
}

static sn_status add_sampler(void *argument) {
  const call *c = argument;
  sn_sampler **at = &hooks_of(c->simulation)->samplers;
  while (*at) at = &(*at)->after;
  sn_sampler *x = SN_NEW(&c->simulation->arena, sn_sampler, 1);
  *x = (sn_sampler){.f = c->between, .user = c->user, .period = c->period};
  x->next = ceil(c->simulation->state.t / c->period - SAME);
  *at = x;
  return SN_OK;
}

sn_status sn_on_sample(sn_simulation *s, double period, sn_between_steps f, void *user) {
  call c = {.simulation = s, .between = f, .user = user, .period = period};
  sn_status status = sn_alive(s);
  if (status) return status;
  if (!f) {
    if (s->hooks) s->hooks->samplers = NULL;
    return SN_OK;
  }
  if (!(period > 0) || !isfinite(period) || !(period > 1e-12 * fabs(s->state.t)))
    return sn_fail(s->context, SN_USAGE, "the period of a controller cannot be %g s", period);
  return sn_guard(s->context, s->pool, add_sampler, &c);
}

static sn_status set_end(void *argument) {
  const call *c = argument;
  sn_hooks *hooks = hooks_of(c->simulation);
  hooks->end = c->between;
  hooks->end_user = c->user;
  return SN_OK;
}

sn_status sn_on_step(sn_simulation *s, sn_between_steps f, void *user) {
  call c = {.simulation = s, .between = f, .user = user};
  const sn_status status = sn_alive(s);
  return status ? status : sn_guard(s->context, s->pool, set_end, &c);
}

static sn_status set_event(void *argument) {
  const call *c = argument;
  const sn_event_info *list;
  sn_hooks *hooks = hooks_of(c->simulation);
  hooks->event = c->event;
  hooks->event_user = c->user;
  hooks->told = sn_events_list(c->simulation, &list);
  return SN_OK;
}

sn_status sn_on_event(sn_simulation *s, sn_event_function f, void *user) {
  call c = {.simulation = s, .event = f, .user = user};
  const sn_status status = sn_alive(s);
  return status ? status : sn_guard(s->context, s->pool, set_event, &c);
}
