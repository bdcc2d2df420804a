/* rotation.h - a rotation as unit quaternion, rotation vector and Euler angles.
 *
 * It is given by e[k], the images of the axes: the columns of the matrix R, R_ij = e[j][i].
 */
#ifndef SN_ROTATION_H
#define SN_ROTATION_H

#include "math/vec3.h"

/* p with e0 >= 0. Of the four numbers 4 p_i^2 the largest one is divided by: 4 e0^2 = 1 + trace R, 4 e_i^2 = 1 + 2 R_ii -
 * trace R. */
static inline void sn_rotation_to_quat(const double e[3][3], double p[4]) {
  double trace = e[0][0] + e[1][1] + e[2][2], most = trace, sum = 0;
  int i = -1;
  for (int k = 0; k < 3; k++)
    if (e[k][k] > most) most = e[k][k], i = k;
  if (i < 0) {
    p[0] = 1 + trace;
    for (int k = 0; k < 3; k++) p[1 + k] = e[(k + 1) % 3][(k + 2) % 3] - e[(k + 2) % 3][(k + 1) % 3];
  } else {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    p[0] = e[j][k] - e[k][j];
    p[1 + i] = 1 + 2 * e[i][i] - trace;
    p[1 + j] = e[i][j] + e[j][i];
    p[1 + k] = e[i][k] + e[k][i];
  }
  for (int k = 0; k < 4; k++) sum += p[k] * p[k];
  double scale = (p[0] < 0 ? -1 : 1) / sqrt(sum);
  for (int k = 0; k < 4; k++) p[k] *= scale;
}

/* n a from p = (cos(a/2), n sin(a/2)), 0 <= a <= pi */
static inline void sn_quat_to_vector(const double p[4], double vector[3]) {
  double s = sn_norm(p + 1);
  sn_scale(vector, s < 1e-10 ? 2 : 2 * atan2(s, p[0]) / s, p + 1);
}

/* R = R_i(a0) R_j(a1) R_k(a2), each turn about an axis of the frame that the turns before it have left; sequence = {i, j,
 * k} with j different from both. With h the third axis and s = 1 where i, j, h is cyclic, otherwise -1:
 *
 *   k = h:  R_ih = s sin a1,  R_jh = -s sin a0 cos a1,  R_hh = cos a0 cos a1,  R_ij = -s cos a1 sin a2,  R_ii = cos a1 cos a2
 *   k = i:  R_ii = cos a1,  R_ji = sin a0 sin a1,  R_hi = -s cos a0 sin a1,  R_ij = sin a1 sin a2,  R_ih = s sin a1 cos a2
 *
 * -pi/2 <= a1 <= pi/2 in the first case, 0 <= a1 <= pi in the second. At the ends of these ranges only the sum or the
 * difference of a0 and a2 is defined: then a2 = 0. */
static inline void sn_rotation_to_euler(const double e[3][3], const int sequence[3], double a[3]) {
  int i = sequence[0], j = sequence[1], h = 3 - i - j;
  double s = (j - i + 3) % 3 == 1 ? 1 : -1, c = hypot(e[i][i], e[j][i]), S = hypot(e[i][j], e[i][h]);
  bool three = sequence[2] == h;
  a[1] = three ? atan2(s * e[h][i], c) : atan2(S, e[i][i]);
  if ((three ? c : S) < 1e-10) {
    a[0] = atan2(s * e[j][h], e[j][j]);
    a[2] = 0;
  } else if (three) {
    a[0] = atan2(-s * e[h][j], e[h][h]);
    a[2] = atan2(-s * e[j][i], e[i][i]);
  } else {
    a[0] = atan2(e[i][j], -s * e[i][h]);
    a[2] = atan2(e[j][i], s * e[h][i]);
  }
}

#endif
