/* curve.c - curves over time summed up in one number; see curve.h. */
#include "analysis/curve.h"

#include <math.h>
#include <stdlib.h>

const char *const sn_class_names[SN_CLASSES] = {"stable", "oscillates", "drifts", "fails"};

/* ---- values ---- */

double sn_curve_final(const sn_curve *c) {
  return c->count > 0 ? c->y[c->count - 1] : NAN;
}

/* The largest of sign * y; NaN when any is. */
static double extreme(const sn_curve *c, double sign) {
  double largest = c->count > 0 ? sign * c->y[0] : NAN;
  for (size_t i = 0; i < c->count; i++) {
    if (isnan(c->y[i])) return NAN;
    largest = fmax(largest, sign * c->y[i]);
  }
  return sign * largest;
}

double sn_curve_maximum(const sn_curve *c) {
  return extreme(c, 1);
}
double sn_curve_minimum(const sn_curve *c) {
  return extreme(c, -1);
}

static double itself(double y) {
  return y;
}
static double square(double y) {
  return y * y;
}

/* 1/T int f(y) dt; of a single moment, f(y) there. */
static double mean_of(const sn_curve *c, double (*f)(double)) {
  assert(c->count == 0 || (c->t && c->y));
  double sum = 0;
  if (c->count == 0) return NAN;
  double length = c->t[c->count - 1] - c->t[0];
  if (!(length > 0)) return f(c->y[c->count - 1]);
  for (size_t i = 1; i < c->count; i++) sum += (c->t[i] - c->t[i - 1]) * (f(c->y[i]) + f(c->y[i - 1])) / 2;
  return sum / length;
}

double sn_curve_mean(const sn_curve *c) {
  return mean_of(c, itself);
}
double sn_curve_mean_absolute(const sn_curve *c) {
  return mean_of(c, fabs);
}
double sn_curve_rms(const sn_curve *c) {
  return sqrt(mean_of(c, square));
}

double sn_curve_first(const sn_curve *c, double level) {
  for (size_t i = 0; i < c->count; i++)
    if (c->y[i] > level) return c->t[i];
  return NAN;
}

double sn_curve_distance(const sn_curve *a, const sn_curve *b, int count) {
  assert(count > 0 && (count == 1 || a[0].count == a[count - 1].count));
  double largest = NAN;
  for (size_t i = 0, k = 1; i < a->count && b->count > 1; i++) {
    double t = a->t[i], sum = 0;
    while (k + 1 < b->count && b->t[k] < t) k++;
    if (t < b->t[k - 1] || t > b->t[k]) continue;
    double way = b->t[k] - b->t[k - 1], u = way > 0 ? (t - b->t[k - 1]) / way : 1;
    for (int j = 0; j < count; j++) {
      double d = a[j].y[i] - (1 - u) * b[j].y[k - 1] - u * b[j].y[k];
      sum += d * d;
    }
    if (isnan(sum)) return NAN;
    largest = fmax(largest, sqrt(sum));
  }
  return largest;
}

/* ---- cycles ---- */

/* Value at the top of the parabola through three rows, of which the middle one is not below its neighbors in the
 * direction of `sign`. With s0, s1 the slopes of the two chords, b = (s1 - s0)/(t2 - t0):
 *   y = y0 + s0 (t - t0) + b (t - t0)(t - t1),   y' = 0 at t = (t0 + t1 - s0/b)/2 */
static double peak(const sn_curve *c, size_t i) {
  if (i == 0 || i + 1 >= c->count) return c->y[i];
  const double *t = c->t + i - 1, *y = c->y + i - 1;
  if (!(t[1] > t[0]) || !(t[2] > t[1])) return y[1];
  double s0 = (y[1] - y[0]) / (t[1] - t[0]), s1 = (y[2] - y[1]) / (t[2] - t[1]);
  double b = (s1 - s0) / (t[2] - t[0]);
  if (b == 0) return y[1];
  double top = (t[0] + t[1] - s0 / b) / 2;
  return y[0] + s0 * (top - t[0]) + b * (top - t[0]) * (top - t[1]);
}

/* The extremes of the rows first..last, and where the highest is. */
typedef struct extremes {
  double high, low;
  size_t top;
} extremes;

static extremes extremes_of(const sn_curve *c, size_t first, size_t last) {
  size_t low = first, high = first;
  for (size_t i = first; i <= last; i++) {
    if (c->y[i] < c->y[low]) low = i;
    if (c->y[i] > c->y[high]) high = i;
  }
  return (extremes){peak(c, high), peak(c, low), high};
}

/* A rise through the level. */
typedef struct rise {
  double t;
  size_t row; /* first one behind it */
} rise;

/* [count] of them; noise of `least` about the level is none. */
static int find_rises(const sn_curve *c, double level, double least, rise *x) {
  bool was_below = false;
  int count = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (was_below && c->y[i] >= level) { /* the row before lies below, or was_below would have ended there */
      const double part = (level - c->y[i - 1]) / (c->y[i] - c->y[i - 1]);
      x[count++] = (rise){c->t[i - 1] + (c->t[i] - c->t[i - 1]) * part, i};
      was_below = false;
    }
    if (c->y[i] < level - least) was_below = true;
  }
  return count;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Median of the centers of the cycles. An oscillation about y0 that decays by r from one extreme to the next has the
 * extremes y0 + A, y0 - r A, y0 + r^2 A:  (high0 high1 - low^2)/(high0 + high1 - 2 low) = y0  for any r. The highest
 * point behind the last rise counts if the curve has turned there. `room` [count]; NaN: there is none. */
static double center_of(const sn_curve *c, const rise *x, int count, double *room) {
  int centers = 0;
  for (int k = 0; k + 1 < count; k++) {
    const extremes here = extremes_of(c, x[k].row, x[k + 1].row - 1);
    const size_t last = k + 2 < count ? x[k + 2].row - 1 : c->count - 1;
    const extremes next = extremes_of(c, x[k + 1].row, last);
    if (next.top == c->count - 1) continue;
    room[centers++] =
        here.low + (here.high - here.low) * (next.high - here.low) / (here.high - here.low + next.high - here.low);
  }
  if (centers == 0) return NAN;
  qsort(room, (size_t)centers, sizeof *room, by_size);
  return (room[(centers - 1) / 2] + room[centers / 2]) / 2;
}

/* Rises through the level, or about the center of the cycles that they make: where the motion decays, it is not halfway
 * between the largest and the smallest value, and rises through that come later from cycle to cycle. */
static int find_cycles(const sn_curve *c, double level, rise *x, double *room) {
  enum { MOST = 20 };
  const double high = sn_curve_maximum(c), low = sn_curve_minimum(c), least = 0.005 * (high - low), same = 1e-9;
  const size_t half = c->count / 2;
  const sn_curve late = {c->count - half, c->t + half, c->y + half};
  if (!(high > low)) return 0;
  if (!isnan(level)) return find_rises(c, level, least, x);
  level = (high + low) / 2;
  if (find_rises(c, level, least, x) < 2) level = sn_curve_mean(&late); /* what decays fast goes on near its end */
  for (int pass = 0; pass < MOST; pass++) {
    const int count = find_rises(c, level, least, x);
    const double center = center_of(c, x, count, room);
    if (isnan(center) || fabs(center - level) <= same * (high - low)) return count;
    level = center;
  }
  return find_rises(c, level, least, x);
}

const sn_cycle *sn_curve_cycles(const sn_curve *c, double level, sn_arena *arena, int *count) {
  rise *x = SN_NEW(arena, rise, c->count / 2 + 1);
  double *room = SN_NEW(arena, double, c->count / 2 + 1);
  const int rises = find_cycles(c, level, x, room);
  sn_cycle *cycle = SN_NEW(arena, sn_cycle, rises + 1);
  *count = rises > 0 ? rises - 1 : 0;
  for (int k = 0; k < *count; k++) {
    const extremes y = extremes_of(c, x[k].row, x[k + 1].row - 1);
    cycle[k] = (sn_cycle){x[k].t, x[k + 1].t - x[k].t, (y.high - y.low) / 2};
  }
  return cycle;
}

/* The cycles' numbers, from `at` in sn_cycle; the reference where it is NaN becomes the first. */
static double pick_of(const sn_curve *c, double level, size_t at, double *reference, sn_pick pick) {
  sn_arena arena = {0};
  int count;
  const sn_cycle *cycle = sn_curve_cycles(c, level, &arena, &count);
  double sum = 0, farthest = NAN;
#define NUMBER(i) (*(const double *)(const void *)((const char *)&cycle[i] + at))
  double first = count > 0 ? NUMBER(0) : NAN, last = count > 0 ? NUMBER(count - 1) : NAN;
  if (isnan(*reference)) *reference = first;
  for (int i = 0; i < count; i++) {
    sum += NUMBER(i);
    if (i == 0 || fabs(NUMBER(i) - *reference) > fabs(farthest - *reference)) farthest = NUMBER(i);
  }
#undef NUMBER
  sn_arena_free(&arena);
  switch (pick) {
    case SN_PICK_FIRST:
      return first;
    case SN_PICK_LAST:
      return last;
    case SN_PICK_EXTREME:
      return farthest;
    default:
      return count > 0 ? sum / count : NAN;
  }
}

double sn_curve_period(const sn_curve *c, double level, sn_pick pick) {
  double first = NAN;
  return pick_of(c, level, offsetof(sn_cycle, period), &first, pick);
}

double sn_curve_amplitude(const sn_curve *c, double level, sn_pick pick) {
  double first = NAN;
  return pick_of(c, level, offsetof(sn_cycle, amplitude), &first, pick);
}

double sn_curve_decay(const sn_curve *c, double level, double reference, sn_pick pick) {
  double A = pick_of(c, level, offsetof(sn_cycle, amplitude), &reference, pick);
  return (reference - A) / reference;
}

double sn_curve_elongation(const sn_curve *c, double level, double reference, sn_pick pick) {
  double T = pick_of(c, level, offsetof(sn_cycle, period), &reference, pick);
  return (T - reference) / reference;
}

/* ---- roughness and class ---- */

double sn_curve_roughness(const sn_curve *c) {
  double bends = 0, range = 0;
  for (size_t i = c->count / 2 + 1; i + 1 < c->count; i++) {
    bends += fabs(c->y[i + 1] - 2 * c->y[i] + c->y[i - 1]);
    range += fabs(c->y[i + 1] - c->y[i - 1]);
  }
  if (c->count < 4) return NAN;
  return bends > 0 ? bends / range : 0;
}

/* Has it grown to more than twice what it was up to a time? */
static bool grows(const sn_curve *c, double early) {
  const double rounding = 1e-12;
  sn_curve before = *c;
  while (before.count > 0 && before.t[before.count - 1] > early) before.count--;
  return before.count > 0 && sn_curve_maximum(c) > 2 * sn_curve_maximum(&before) + rounding;
}

sn_class sn_classify(bool done, const sn_curve *constraint, double noise, const sn_class_rule *rule) {
  double phi = sn_curve_maximum(constraint);
  if (!done || !isfinite(phi) || phi > rule->apart) return SN_FAILS;
  if (phi > rule->drift || (!isnan(rule->early) && grows(constraint, rule->early))) return SN_DRIFTS;
  return noise > rule->noise ? SN_OSCILLATES : SN_STABLE;
}
