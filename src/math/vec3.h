/* vec3.h - 3-vectors as double[3]. */
#ifndef SN_VEC3_H
#define SN_VEC3_H

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

static inline double sn_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double sn_norm(const double a[3]) {
  return sqrt(sn_dot(a, a));
}
static inline void sn_copy(double y[3], const double a[3]) {
  y[0] = a[0];
  y[1] = a[1];
  y[2] = a[2];
}
static inline void sn_sub(double y[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) y[k] = a[k] - b[k];
}
static inline void sn_scale(double y[3], double s, const double a[3]) {
  for (int k = 0; k < 3; k++) y[k] = s * a[k];
}
/* y += s a */
static inline void sn_axpy(double y[3], double s, const double a[3]) {
  for (int k = 0; k < 3; k++) y[k] += s * a[k];
}
static inline void sn_cross(double y[3], const double a[3], const double b[3]) {
  double x = a[1] * b[2] - a[2] * b[1], z = a[2] * b[0] - a[0] * b[2], w = a[0] * b[1] - a[1] * b[0];
  y[0] = x;
  y[1] = z;
  y[2] = w;
}
/* The same for lengths whose square is not a number to compute with: the largest component goes out first. */
static __attribute__((noinline, unused)) double sn_normalize_extreme(double a[3]) {
  double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
  if (!(most > 0 && most <= DBL_MAX)) return sn_norm(a);
  for (int k = 0; k < 3; k++) a[k] /= most;
  double n = sn_norm(a);
  sn_scale(a, 1 / n, a);
  return n * most;
}
/* Divide by its length; returns the length (0: left alone). */
static inline double sn_normalize(double a[3]) {
  double n = sn_norm(a);
  if (!(n > 1e-140 && n < 1e140)) return sn_normalize_extreme(a);
  sn_scale(a, 1 / n, a);
  return n;
}
/* y: the direction of what x has across a, an axis of any length; returns how much that is. Where it is rounding, x lies
 * along a, and y is the direction of `other` across a. The length of a matters: axes of bodies are as long as Euler
 * parameters, which integrators hold to a tolerance, and x - (x.a) a of an x along a is not zero then, but along a. */
static inline double sn_across(double y[3], const double x[3], const double a[3], const double other[3]) {
  const double square = sn_dot(a, a), least = 1e-12 * sn_norm(x);
  sn_copy(y, x);
  sn_axpy(y, -sn_dot(y, a) / square, a);
  const double across = sn_normalize(y);
  if (!(across > least)) sn_copy(y, other);
  sn_axpy(y, -sn_dot(y, a) / square, a); /* a difference of 1e-12 has rounding of 1e-4 along a */
  sn_normalize(y);
  return across;
}
/* Of length 1, up to the rounding of directions that were turned and combined many times? Numbers that are not finite
 * pass: a trial state may hold them, and finding them is the business of the step control. */
#define SN_UNIT_ERROR 1e-9
static inline bool sn_is_unit(const double a[3]) {
  return !(fabs(sn_dot(a, a) - 1) > SN_UNIT_ERROR);
}
/* Of about length 1: directions fixed to bodies are as long as Euler parameters are, which integrators hold to a
 * tolerance. */
static inline bool sn_is_direction(const double a[3]) {
  return !(fabs(sn_dot(a, a) - 1) > 0.1);
}
/* Two unit vectors that make a right-handed frame (b, c, a) with the unit vector a. */
static inline void sn_frame(const double a[3], double b[3], double c[3]) {
  assert(sn_is_direction(a));
  int x = fabs(a[0]) <= fabs(a[1]), y = fabs(a[0]) <= fabs(a[2]), z = fabs(a[1]) <= fabs(a[2]); /* no branches */
  int first = x & y, second = (1 - x) & z;
  double e[3] = {first, second, 1 - first - second};
  sn_cross(b, e, a);
  sn_normalize(b);
  sn_cross(c, a, b);
}

#endif
