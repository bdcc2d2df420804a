/* beam_shape.h - shape functions of the two-node beam with shear, s = x/L in [0, 1]:
 *
 *   w(x)  = w1 W1 + w2 T1 + w3 W2 + w4 T2       deflection, from deflections W and section rotations T of the ends
 *   w'(x)                                       slope of the axis
 *   th(x) = t1 W1 + t2 T1 + t3 W2 + t4 T2       rotation of the sections
 *
 * with P = 12 EI/(k G A L^2). P = 0 is the beam of Euler and Bernoulli: cubic Hermite, th = w'.
 * They solve the beam without load on its span, so that the stiffness they give is exact at the ends. */
#ifndef SN_BEAM_SHAPE_H
#define SN_BEAM_SHAPE_H

static inline void sn_beam_deflection(double s, double L, double P, double w[4]) {
  double c = 1 / (1 + P), s2 = s * s, s3 = s2 * s, b = P * (s - s2) / 2;
  w[0] = c * (1 - 3 * s2 + 2 * s3 + P * (1 - s));
  w[1] = c * L * (s - 2 * s2 + s3 + b);
  w[2] = c * (3 * s2 - 2 * s3 + P * s);
  w[3] = c * L * (s3 - s2 - b);
}

static inline void sn_beam_slope(double s, double L, double P, double w[4]) {
  double c = 1 / (1 + P), s2 = s * s, b = P * (1 - 2 * s) / 2;
  w[0] = c / L * (6 * s2 - 6 * s - P);
  w[1] = c * (1 - 4 * s + 3 * s2 + b);
  w[2] = -w[0];
  w[3] = c * (3 * s2 - 2 * s - b);
}

static inline void sn_beam_rotation(double s, double L, double P, double t[4]) {
  double c = 1 / (1 + P), s2 = s * s;
  t[0] = c / L * 6 * (s2 - s);
  t[1] = c * (1 - 4 * s + 3 * s2 + P * (1 - s));
  t[2] = -t[0];
  t[3] = c * (3 * s2 - 2 * s + P * s);
}

/* Curvature th'(x) and its derivative, which is constant. */
static inline void sn_beam_curvature(double s, double L, double P, double k[4], double kx[4]) {
  double c = 1 / (1 + P);
  k[0] = c / (L * L) * (12 * s - 6);
  k[1] = c / L * (6 * s - 4 - P);
  k[2] = -k[0];
  k[3] = c / L * (6 * s - 2 + P);
  kx[0] = 12 * c / (L * L * L), kx[1] = kx[3] = 6 * c / (L * L), kx[2] = -kx[0];
}

/* K over (W1, T1, W2, T2): EI/(L^3 (1 + P)) [12, 6L, -12, 6L; 6L, (4+P)L^2, -6L, (2-P)L^2; ...] */
static inline void sn_beam_stiffness(double EI, double L, double P, double K[4][4]) {
  double c = EI / (L * L * L * (1 + P)), a = 12 * c, b = 6 * L * c, d = (4 + P) * L * L * c, f = (2 - P) * L * L * c;
  double k[4][4] = {{a, b, -a, b}, {b, d, -b, f}, {-a, -b, a, -b}, {b, f, -b, d}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) K[i][j] = k[i][j];
}

/* P of a section: E and Poisson's ratio, second moment, area, shear factor k */
static inline double sn_beam_shear(double E, double nu, double I, double A, double k, double L) {
  return 12 * E * I * 2 * (1 + nu) / (k * E * A * L * L);
}

#endif
