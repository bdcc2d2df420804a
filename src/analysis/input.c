/* input.c - values that a program sets while a simulation runs. */
#include <math.h>

#include "analysis/hooks.h"

/* Input i changes to `value`; the next step starts with other forces. */
static sn_status set(sn_simulation *s, int i, double value) {
  const sn_input *x = &s->model->input[i];
  if (!isnan(value) && !(value >= x->low && value <= x->high))
    return sn_fail(s->context, SN_USAGE, "input '%s' cannot be %g: its range is %g to %g", x->name, value, x->low,
                   x->high);
  if (value == s->inputs[i] || (isnan(value) && isnan(s->inputs[i]))) return SN_OK;
  s->inputs[i] = value;
  s->viewed = NAN;
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

sn_status sn_set_input(sn_simulation *s, size_t number, double value) {
  const sn_status status = sn_alive(s);
  if (status) return status;
  if (number >= (size_t)s->model->inputs)
    return sn_fail(s->context, SN_USAGE, "there is no input number %zu: the model has %d", number, s->model->inputs);
  call c = {s, (int)number, value};
  return sn_guard(s->context, s->pool, guarded, &c);
}

sn_status sn_simulation_set_input(sn_simulation *s, const char *name, double value) {
  if (sn_alive(s)) return SN_USAGE;
  const long number = sn_model_find(s->model, SN_LIST_INPUTS, name);
  if (number < 0) return sn_fail(s->context, SN_USAGE, "the model has no input '%s'", name);
  return sn_set_input(s, (size_t)number, value);
}
