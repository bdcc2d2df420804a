/* step.c - step control; see step.h. */
#include "integrator/step.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>

/* Grid points are counted, not summed up; the last one before the limit is replaced by it if the remainder would be
 * next to nothing. */
double sn_step_begin(sn_step_control *c, double t, double limit) {
  assert(limit > t && c->h >= 0);
  double end = limit, h = c->h;
  if (c->fixed) { /* to the next grid point, or to a point before it after a reduction */
    double next = c->grid_start + (double)(c->grid_index + 1) * c->nominal;
    if (next > t && next - t < SN_LEAST_SHARE * c->nominal) { /* a limit took its place: an instant, the end of a run */
      c->grid_index++;
      next = c->grid_start + (double)(c->grid_index + 1) * c->nominal;
    }
    if (next > t && next < limit - SN_LEAST_SHARE * c->nominal) end = next; /* not after t: of a damaged checkpoint */
    return end - t <= (1 + SN_LEAST_SHARE) * h ? end - t : h;
  }
  double left = end - t;
  if (h >= left * (1 - 1e-9)) return left;
  return h > 0.55 * left ? left / 2 : h; /* two equal steps rather than a long and a tiny one */
}

bool sn_step_cut(sn_step_control *c, double h) {
  assert(h >= 0);
  c->h = fmax(h / (c->memory > 0 && !c->fixed ? 2 : 4), c->smallest);
  /* that h is as good as one whose error was too large: not to be tried again at once */
  if (c->memory > 0) c->last_error = fmax(c->last_error, 1) * pow(c->h / h, c->order);
  return h > c->smallest;
}

/* An accepted step whose error calls for a next one below the smallest. If the user has chosen a smallest step, many
 * such steps are allowed. If the smallest step is shorter than any motion needs, errors no longer decrease with the
 * step, and the run would never end. */
static bool has_stalled(sn_step_control *c, bool wants_less) {
  enum { PATIENCE = 1000 };
  const double default_smallest = 1e-9; /* s */
  c->pinned = wants_less ? c->pinned + 1 : 0;
  return c->pinned > PATIENCE && c->smallest <= default_smallest;
}

bool sn_step_judge(sn_step_control *c, double t, double h, double error) {
  assert(h > 0 && (c->fixed || c->order > 0));
  if (c->fixed) {
    double next = c->grid_start + (double)(c->grid_index + 1) * c->nominal;
    if (t + h >= next - 1e-9 * c->nominal) {
      c->grid_index++;
      c->h = c->nominal;
    } else {
      c->h = fmin(h < 0.9 * c->h ? c->h : 2 * h, c->nominal); /* shortened to end at the limit: continue as before */
    }
    return true;
  }
  double factor = 0.9 * pow(fmax(error, 1e-3), -1 / c->order);
  if (c->printed) {
    c->h = fmin(fmax(h * factor, c->smallest), c->largest);
    return error <= 1;
  }
  if (error > 1) {
    factor = fmax(0.2, fmin(factor, 0.9));
    c->h = fmax(h * factor, c->smallest);
    c->last_error = c->memory > 0 ? error * pow(factor, c->order) : error;
    return false;
  }
  /* The accelerations of index-3 methods alternate a little from step to step, and their errors with them: growth must
   * be earned by two steps in a row, and small growth is not worth a new matrix. Where a change of the step itself does
   * harm, errors are remembered for long: what is small only for a while does not count, nor what is nearly too large.
   */
  double remembered = fmax(error, c->last_error);
  if (factor > 1) {
    factor = fmin((c->memory > 0 ? 0.7 : 0.9) * pow(fmax(remembered, 1e-3), -1 / c->order), 2);
    if (factor < 1.2) factor = 1;
  } else if (c->memory > 0) {
    factor = 1;
  }
  /* as it would have been with the next step; what is over (a hundredth is left of it, for half of the memory) is soon
   * forgotten */
  c->quiet = error < 0.01 * remembered ? c->quiet + 1 : 0;
  const bool over = c->quiet * (1 - c->memory) > 0.5;
  double memory = over ? fmax(1 - 20 * (1 - c->memory), 0) : c->memory;
  c->last_error = fmax(error, memory * remembered) * pow(factor, c->order);
  if (h < 0.9 * c->h && factor >= 1) factor = c->h / h; /* shortened to end at the limit: continue as before */
  double next = h * factor;
  c->h = fmin(fmax(next, c->smallest), c->largest);
  return !has_stalled(c, next < c->smallest && h <= c->smallest);
}

void sn_step_count(sn_statistics *count, double h) {
  count->steps++;
  if (count->smallest_step == 0 || h < count->smallest_step) count->smallest_step = h;
  if (h > count->largest_step) count->largest_step = h;
}

void sn_step_history(sn_step_control *c, sn_history *h) {
  sn_history_at_least(h, &c->h, c->h > 0 ? DBL_MIN : 0); /* 0: a method that finds its first step later */
  sn_history_real(h, &c->last_error);
  sn_history_real(h, &c->grid_start);
  sn_history_long(h, &c->grid_index);
  sn_history_int(h, &c->pinned, 0, INT_MAX);
  sn_history_int(h, &c->quiet, 0, INT_MAX);
}
