/* step.h - step control of all one-step integrators: fixed or adaptive, reduction and repetition, end of the run. */
#ifndef SN_STEP_H
#define SN_STEP_H

#include "base/history.h"
#include "system/system.h"

typedef struct sn_step_control {
  bool fixed;
  double nominal; /* fixed: the step asked for */
  double h;       /* next step to try */
  double smallest, largest;
  double last_error; /* of the step before, relative to the tolerance, scaled to the present step */
  double memory;     /* share of it that is left after one more step; 0: steps change as the error does */
  bool
      printed; /* Hussein's control as printed: every step is followed by 0.9 h error^(-1/order), and by nothing else */
  double order;      /* h_new = 0.9 h error^(-1/order); error relative to the tolerance */
  double grid_start; /* fixed: steps end at grid_start + k nominal */
  long grid_index;
  int quiet;  /* accepted steps in a row with a hundredth of the error remembered, or less */
  int pinned; /* accepted steps in a row at the smallest, whose errors asked for less */
} sn_step_control;

/* Fixed steps from time t on; 0: the method chooses its own. */
static inline sn_step_control sn_fixed_steps(double step, double t) {
  return (sn_step_control){.fixed = true, .nominal = step, .h = step, .smallest = step, .grid_start = t};
}

/* No fixed step, or part of one, is shorter than this fraction of the one before: a smaller remainder makes the step
 * before it longer. (Adaptive steps that end at a limit are at least 0.45 times the remainder.) */
#define SN_LEAST_SHARE 0.01

/* Step to try from time t, never beyond limit; a remainder that would be tiny is swallowed. */
double sn_step_begin(sn_step_control *control, double t, double limit);
/* The step h failed to converge: false when it cannot be cut further. */
bool sn_step_cut(sn_step_control *control, double h);
/* The step h had local error `error` (1 = just allowed). True: accepted; either way the next h is set, never below
 * the smallest. False at the smallest: the local error cannot be met. Fixed steps are always accepted; after a cut they
 * return to their grid. */
bool sn_step_judge(sn_step_control *control, double t, double h, double error);
/* A step of length h is accepted: the counters of every method. */
void sn_step_count(sn_statistics *count, double h);
/* What a checkpoint keeps of it. */
void sn_step_history(sn_step_control *control, sn_history *history);

#endif
