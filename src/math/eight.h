/* eight.h - vectors of eight numbers: six of a motion or a force in space (linear, then angular) and two zeros. */
#ifndef SN_EIGHT_H
#define SN_EIGHT_H

#include <string.h>

typedef double sn_eight __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) sn_eight sn_eight_load(const double *p) { /* any alignment */
  sn_eight v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline __attribute__((always_inline)) double sn_eight_sum(sn_eight v) { /* of the six */
  double s = 0;
  for (int k = 0; k < 6; k++) s += v[k];
  return s;
}

#endif
