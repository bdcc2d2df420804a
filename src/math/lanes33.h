/* lanes33.h - 3x3 matrices of several instances at once. */
#ifndef SN_LANES33_H
#define SN_LANES33_H

#include "math/lanes.h"

typedef struct sn_m33 {
  sn_vd m[3][3];
} sn_m33;

SN_INLINE sn_m33 sn_m33_zero(void) {
  sn_m33 H;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H.m[i][j] = sn_vd_all(0);
  return H;
}
SN_INLINE void sn_m33_outer(sn_m33 *H, sn_vd s, sn_v3 a, sn_v3 b) { /* H += s a b' */
  sn_vd ax[3] = {s * a.x, s * a.y, s * a.z}, bx[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += ax[i] * bx[j];
}
SN_INLINE void sn_m33_diagonal(sn_m33 *H, sn_vd s) { /* H += s I */
  for (int i = 0; i < 3; i++) H->m[i][i] += s;
}
SN_INLINE void sn_m33_skew(sn_m33 *H, sn_vd s, sn_v3 a) { /* H += s skew(a): skew(a) b = a x b */
  H->m[0][1] -= s * a.z, H->m[0][2] += s * a.y;
  H->m[1][0] += s * a.z, H->m[1][2] -= s * a.x;
  H->m[2][0] -= s * a.y, H->m[2][1] += s * a.x;
}
SN_INLINE void sn_m33_add(sn_m33 *H, sn_vd s, const sn_m33 *A) { /* H += s A */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += s * A->m[i][j];
}
SN_INLINE void sn_m33_add_plain(sn_m33 *H, double s, const sn_m33 *A) { /* the same with a plain number */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H->m[i][j] += s * A->m[i][j];
}
SN_INLINE sn_m33 sn_m33_transpose(const sn_m33 *A) {
  sn_m33 H;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) H.m[i][j] = A->m[j][i];
  return H;
}
SN_INLINE sn_v3 sn_m33_times(const sn_m33 *A, sn_v3 b) {
  return (sn_v3){A->m[0][0] * b.x + A->m[0][1] * b.y + A->m[0][2] * b.z,
                 A->m[1][0] * b.x + A->m[1][1] * b.y + A->m[1][2] * b.z,
                 A->m[2][0] * b.x + A->m[2][1] * b.y + A->m[2][2] * b.z};
}

#endif
