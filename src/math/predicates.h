/* predicates.h - what assertions ask of numbers.
 *
 * Directions and frames are asked for in the midst of a step, where a trial state may hold anything. Numbers that are
 * not finite pass there: finding them is the business of the step control.
 */
#ifndef SN_PREDICATES_H
#define SN_PREDICATES_H

#include <stdbool.h>
#include <stddef.h>

#include "math/vec3.h"

static inline bool sn_all_finite(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}
/* Three unit vectors at right angles, right-handed: a x b = c */
static inline bool sn_is_frame(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  sn_cross(n, a, b);
  return sn_is_unit(a) && sn_is_unit(b) && !(fabs(sn_dot(a, b)) > SN_UNIT_ERROR) && !(sn_dot(n, c) < 1 - SN_UNIT_ERROR);
}
/* Each above the one before */
static inline bool sn_is_rising(int count, const double *x) {
  for (int i = 1; i < count; i++)
    if (!(x[i] > x[i - 1])) return false;
  return true;
}
/* A is n x n; up to rounding of its largest entry */
static inline bool sn_is_symmetric(int n, const double *A) {
  double largest = 0;
  for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(A[i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(A[i * n + j] - A[j * n + i]) > 1e-12 * largest) return false;
  return true;
}

#endif
