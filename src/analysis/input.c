/* input.c - values that a program sets while a simulation runs. */
#include <math.h>
#include <string.h>

#include "analysis/simulation.h"

/* Input i changes to `value`; the next step starts with other forces. */
static sn_status set(sn_simulation *s, int i, double value) {
  const sn_input *x = &s->model->input[i];
  if (!isnan(value) && !(value >= x->low && value <= x->high))
    return sn_fail(s->context, SN_USAGE, "input '%s' cannot be %g: its range is %g to %g", x->name, value, x->low,
                   x->high);
  if (value == s->inputs[i] || (isnan(value) && isnan(s->inputs[i]))) return SN_OK;
  s->inputs[i] = value;
  return sn_follow_change(s);
}

typedef struct call {
  sn_simulation *simulation;
  int input;
  double value;
} call;

static sn_status guarded(void *argument) {
  const call *c = argument;
  return set(c->simulation, c->input, c->value);
}

sn_status sn_simulation_set_input(sn_simulation *s, const char *name, double value) {
  if (sn_pool_failed(s->pool)) return sn_fail(s->context, SN_MEMORY, "out of memory at t = %g s", s->state.t);
  for (int i = 0; i < s->model->inputs; i++) {
    if (strcmp(s->model->input[i].name, name) != 0) continue;
    call c = {s, i, value};
    return sn_guard(s->context, s->pool, guarded, &c);
  }
  return sn_fail(s->context, SN_USAGE, "the model has no input '%s'", name);
}
