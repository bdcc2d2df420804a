/* measure.c - what long runs are judged by; see measure.h.
 *
 *   extreme of three neighbors x-, x, x+ at equal distances, x not between them: the parabola's,
 *     A = x - (x+ - x-)^2/(8 (x+ - 2x + x-))
 *   crossing of 0 upward between (t0, x0) and (t1, x1): t = t0 - x0 (t1 - t0)/(x1 - x0); a period lies between two
 */
#include "analysis/measure.h"

#include <math.h>

static double extreme(double left, double middle, double right) {
  double bend = right - 2 * middle + left, rise = right - left;
  return bend == 0 ? middle : middle - rise * rise / (8 * bend);
}

static void keep_farthest(double *kept, double value) {
  if (fabs(value) > fabs(*kept)) *kept = value;
}

sn_oscillation sn_measure_oscillation(const double *t, const double *x, int count, double amplitude, double period) {
  sn_oscillation o = {0};
  double crossed = NAN;
  for (int i = 1; i < count; i++) {
    if (x[i - 1] < 0 && x[i] >= 0) {
      double now = t[i - 1] - x[i - 1] * (t[i] - t[i - 1]) / (x[i] - x[i - 1]);
      if (!isnan(crossed)) {
        keep_farthest(&o.period_elongation, (now - crossed - period) / period);
        o.periods++;
      }
      crossed = now;
    }
    if (i + 1 < count && (x[i] - x[i - 1]) * (x[i + 1] - x[i]) <= 0 && x[i] != x[i - 1]) {
      double A = fabs(extreme(x[i - 1], x[i], x[i + 1]));
      keep_farthest(&o.amplitude_decay, (amplitude - A) / amplitude);
      o.swings++;
    }
  }
  return o;
}

double sn_mean_change(const double *t, const double *x, int count, bool absolute) {
  double sum = 0;
  for (int i = 1; i < count; i++) {
    double a = x[i - 1] - x[0], b = x[i] - x[0];
    if (absolute) a = fabs(a), b = fabs(b);
    sum += (t[i] - t[i - 1]) * (a + b) / 2;
  }
  return count > 1 && t[count - 1] > t[0] ? sum / (t[count - 1] - t[0]) : 0;
}

double sn_iterations_per_step(const sn_statistics *statistics) {
  return statistics->steps > 0 ? (double)statistics->iterations / (double)statistics->steps : NAN;
}
