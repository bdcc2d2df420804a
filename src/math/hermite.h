/* hermite.h - the cubic through two ends with their slopes, s = x/l in [0, 1]:
 *
 *   r(s)  = S1 r0 + S2 r0' + S3 r1 + S4 r1'          ' = d/dx
 *   S1 = 1-3s^2+2s^3   S2 = l(s-2s^2+s^3)   S3 = 3s^2-2s^3   S4 = l(s^3-s^2)
 */
#ifndef SN_HERMITE_H
#define SN_HERMITE_H

static inline void sn_hermite(double s, double l, double S[4]) {
  S[0] = 1 - 3 * s * s + 2 * s * s * s;
  S[1] = l * (s - 2 * s * s + s * s * s);
  S[2] = 3 * s * s - 2 * s * s * s;
  S[3] = l * (s * s * s - s * s);
}

/* dS/dx */
static inline void sn_hermite_slope(double s, double l, double D[4]) {
  D[0] = (6 * s * s - 6 * s) / l;
  D[1] = 1 - 4 * s + 3 * s * s;
  D[2] = (6 * s - 6 * s * s) / l;
  D[3] = 3 * s * s - 2 * s;
}

#endif
