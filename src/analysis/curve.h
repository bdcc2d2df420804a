/* curve.h - curves over time summed up in one number, by stated rules.
 *
 * Curves are rows (t, y) with t not decreasing; rows of equal time (where one stage follows another) are fine. What
 * cannot be said (no row, no full cycle) is NaN.
 */
#ifndef SN_CURVE_H
#define SN_CURVE_H

#include "base/base.h"

typedef struct sn_curve {
  size_t count;
  const double *t, *y;
} sn_curve;

double sn_curve_final(const sn_curve *curve);
double sn_curve_maximum(const sn_curve *curve);
double sn_curve_minimum(const sn_curve *curve);
double sn_curve_mean(const sn_curve *curve);          /* 1/T int y dt, trapezoids */
double sn_curve_mean_absolute(const sn_curve *curve); /* 1/T int |y| dt */
double sn_curve_rms(const sn_curve *curve);           /* sqrt(1/T int y^2 dt) */
/* Time of the first row above a level; NaN: none is. */
double sn_curve_first(const sn_curve *curve, double level);
/* The largest over the rows of a[0 .. count) of sqrt(sum (a - b)^2), b interpolated linearly at their times; rows
 * outside the times of b do not count. All a have the same rows, and all b. */
double sn_curve_distance(const sn_curve *a, const sn_curve *b, int count);

/* ---- cycles ----
 * A cycle lies between two rises through a level: the median of the centers of the cycles where the caller gives none
 * (NaN), which for decaying oscillations is the value they decay to; with one cycle alone, that never turns again,
 * halfway between the largest and the smallest value. A rise counts when the curve has been below the level by a hundredth of its half range since the
 * last one, so that noise at the level is no cycle. Its time is interpolated linearly between rows, its amplitude is
 * half the distance between the highest and the lowest point, each interpolated by a parabola through three rows. */

typedef struct sn_cycle {
  double begin, period, amplitude;
} sn_cycle;
/* All full cycles; *count of them. Memory from the arena. */
const sn_cycle *sn_curve_cycles(const sn_curve *curve, double level, sn_arena *arena, int *count);

/* Which cycle speaks for all. */
typedef enum sn_pick {
  SN_PICK_MEAN,
  SN_PICK_FIRST,
  SN_PICK_LAST,
  SN_PICK_EXTREME /* the one farthest from the reference */
} sn_pick;
#define SN_PICKS "mean|first|last|extreme"

/* Period T; amplitude A; amplitude decay (A0 - A)/A0; period elongation (T - T0)/T0, as fractions of 1. The reference
 * (A0, T0) is that of the first cycle where the caller gives none (NaN). */
double sn_curve_period(const sn_curve *curve, double level, sn_pick pick);
double sn_curve_amplitude(const sn_curve *curve, double level, sn_pick pick);
double sn_curve_decay(const sn_curve *curve, double level, double reference, sn_pick pick);
double sn_curve_elongation(const sn_curve *curve, double level, double reference, sn_pick pick);

/* ---- roughness and class ---- */

/* sum |y2 - 2 y1 + y0| / sum |y2 - y0| over all three rows that follow each other in the second half: far below 1 for a
 * motion that the rows resolve, large for one that jumps up and down from row to row. 0 for a curve at rest. */
double sn_curve_roughness(const sn_curve *curve);

typedef enum sn_class { SN_STABLE, SN_OSCILLATES, SN_DRIFTS, SN_FAILS, SN_CLASSES } sn_class;
extern const char *const sn_class_names[SN_CLASSES]; /* "stable", "oscillates", "drifts", "fails" */

/* What classes are decided by. */
typedef struct sn_class_rule {
  double apart; /* INFINITY: any */
  double drift;
  double early; /* a time; NaN: none */
  double noise;
} sn_class_rule;

/* The class of a run, the first that holds:
 *   fails       it was not `done`, or |Phi| exceeds `apart`
 *   drifts      |Phi| exceeds `drift`, or twice what it was up to the time `early` (and rounding, 1e-12)
 *   oscillates  the noise of accelerations and multipliers (noise.h) exceeds `noise`
 *   stable      none of these */
sn_class sn_classify(bool done, const sn_curve *constraint, double noise, const sn_class_rule *rule);

#endif
