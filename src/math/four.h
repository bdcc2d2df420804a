/* four.h - vectors of four numbers, the last of which is zero where they are vectors in space: one register each. */
#ifndef SN_FOUR_H
#define SN_FOUR_H

#include <assert.h>
#include <string.h>

typedef double sn_four __attribute__((vector_size(32)));
static_assert(sizeof(sn_four) == 4 * sizeof(double), "four numbers");

static inline __attribute__((always_inline)) sn_four sn_four_load(const double *p) { /* any alignment */
  sn_four v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline __attribute__((always_inline)) void sn_four_store(double *p, sn_four v) {
  memcpy(p, &v, sizeof v);
}
static inline double sn_four_sum(sn_four v) {
  return (v[0] + v[1]) + (v[2] + v[3]);
}
/* a x b; the last number is zero */
static inline sn_four sn_four_cross(sn_four a, sn_four b) {
  return (sn_four){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0};
}

#endif
