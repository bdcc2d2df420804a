/* measure.h - what long runs are judged by: how amplitude and period of a swing change, how the energy strays, what a
 * step costs. */
#ifndef SN_MEASURE_H
#define SN_MEASURE_H

#include "system/system.h"

/* A swing x(t) about 0 against the amplitude A0 and period T0 it should have. */
typedef struct sn_oscillation {
  int swings;               /* extremes found */
  int periods;              /* whole periods found */
  double amplitude_decay;   /* (A0 - |A|)/A0 of the extreme that is farthest from A0; 0 without any */
  double period_elongation; /* (T - T0)/T0 of the period that is farthest from T0; 0 without any */
} sn_oscillation;
sn_oscillation sn_measure_oscillation(const double *t, const double *x, int count, double amplitude, double period);

/* Mean over time of x - x[0], signed or absolute: the mean energy error of a run whose energy is constant. */
double sn_mean_change(const double *t, const double *x, int count, bool absolute);

/* Newton iterations over accepted steps; NaN without steps. */
double sn_iterations_per_step(const sn_statistics *statistics);

#endif
