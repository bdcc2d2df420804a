/* lanes.h - several instances at once: each lane of a vector register works on its own element.
 *
 * There are as many lanes as a register of the instruction set has that the file is compiled for (cmake/kernels.cmake):
 * eight with AVX-512, four with AVX2, two otherwise. Kernels written in these types read like scalar code. Data that
 * kernels share do not depend on it: arrays over elements are padded to a multiple of SN_LANES_PADDING, and what is
 * computed of an element does not depend on the lane or on its neighbors.
 */
#ifndef SN_LANES_H
#define SN_LANES_H

#include <assert.h>
#include <string.h>

#if defined __AVX512F__
#define SN_LANES 8
#elif defined __AVX__
#define SN_LANES 4
#else
#define SN_LANES 2
#endif
enum { SN_LANES_PADDING = 8 }; /* the most lanes of any set */

typedef double sn_vd __attribute__((vector_size(8 * SN_LANES)));
static_assert(sizeof(sn_vd) == SN_LANES * sizeof(double) && SN_LANES_PADDING % SN_LANES == 0, "a number for each lane");
typedef struct sn_v3 {
  sn_vd x, y, z;
} sn_v3;

#define SN_INLINE static inline __attribute__((always_inline))

SN_INLINE sn_vd sn_vd_load(const double *p) { /* any alignment */
  sn_vd v;
  memcpy(&v, p, sizeof v);
  return v;
}
SN_INLINE sn_vd sn_vd_all(double c) {
#if SN_LANES == 8
  return (sn_vd){c, c, c, c, c, c, c, c};
#elif SN_LANES == 4
  return (sn_vd){c, c, c, c};
#else
  return (sn_vd){c, c};
#endif
}
SN_INLINE double sn_vd_sum(sn_vd v, int lanes) {
  assert(lanes >= 0 && lanes <= SN_LANES);
  double s = 0;
  for (int k = 0; k < lanes; k++) s += v[k];
  return s;
}
SN_INLINE sn_vd sn_vd_sqrt(sn_vd v) {
  for (int k = 0; k < SN_LANES; k++) v[k] = __builtin_sqrt(v[k]);
  return v;
}
SN_INLINE sn_vd sn_vd_min(sn_vd a, sn_vd b) {
  for (int k = 0; k < SN_LANES; k++) a[k] = a[k] < b[k] ? a[k] : b[k];
  return a;
}

SN_INLINE sn_v3 sn_v3_sub(sn_v3 a, sn_v3 b) {
  return (sn_v3){a.x - b.x, a.y - b.y, a.z - b.z};
}
SN_INLINE sn_v3 sn_v3_add(sn_v3 a, sn_v3 b) {
  return (sn_v3){a.x + b.x, a.y + b.y, a.z + b.z};
}
SN_INLINE sn_v3 sn_v3_scale(sn_vd s, sn_v3 a) {
  return (sn_v3){s * a.x, s * a.y, s * a.z};
}
SN_INLINE sn_vd sn_v3_dot(sn_v3 a, sn_v3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
SN_INLINE sn_v3 sn_v3_cross(sn_v3 a, sn_v3 b) {
  return (sn_v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* p a + q b + r c with plain numbers p, q, r */
SN_INLINE sn_v3 sn_v3_mix(double p, sn_v3 a, double q, sn_v3 b, double r, sn_v3 c) {
  return (sn_v3){p * a.x + q * b.x + r * c.x, p * a.y + q * b.y + r * c.y, p * a.z + q * b.z + r * c.z};
}
/* y += s a */
SN_INLINE void sn_v3_axpy(sn_v3 *y, double s, sn_v3 a) {
  y->x += s * a.x;
  y->y += s * a.y;
  y->z += s * a.z;
}

#endif
