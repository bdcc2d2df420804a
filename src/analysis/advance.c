/* advance.c - a simulation up to a time. */
#include <math.h>

#include "analysis/hooks.h"
#include "base/handles.h"

/* A stage in which time stands still is always gone through. */
static sn_status step_to(sn_simulation *s, double time) {
  const double slack = 1e-9 * (fabs(time) + s->settings->step);
  sn_status status = SN_OK;
  while (status == SN_OK && !sn_all_finished(s) &&
         (s->state.t < time - (s->pause == time ? 0 : slack) || (s->analysis->quasi_static && !s->finished)))
    status = sn_step(s);
  return status;
}

sn_status sn_advance(sn_simulation *s, double time) {
  if (sn_alive(s)) return sn_alive(s);
  if (isnan(time)) return sn_fail(s->context, SN_USAGE, "cannot advance to a time that is not a number");
  const double before = s->pause; /* of the call around, where a function of the host program calls */
  s->pause = time;
  const sn_status status = step_to(s, time);
  s->pause = before;
  return status;
}

sn_status sn_advance_over(sn_simulation *s, double time) {
  if (sn_alive(s)) return sn_alive(s);
  if (isnan(time)) return sn_fail(s->context, SN_USAGE, "cannot advance to a time that is not a number");
  return step_to(s, time);
}

sn_status sn_run(sn_simulation *s) {
  sn_status status = sn_alive(s);
  while (status == SN_OK && !sn_all_finished(s)) status = sn_step(s);
  return status;
}

double sn_time(const sn_simulation *s) {
  return sn_handle_check(s) ? NAN : s->state.t;
}

int sn_finished(const sn_simulation *s) {
  return sn_handle_check(s) || sn_all_finished(s);
}
