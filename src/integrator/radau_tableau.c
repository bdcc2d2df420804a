/* radau_tableau.c - Radau IIA with s stages, order 2s - 1 (Hairer & Wanner II, IV.5 and IV.8).
 *
 *   nodes:    P_{s-1}(x) = P_s(x), x = 2c - 1; the last is c_s = 1
 *   A_ij    = integral of the j-th Lagrange polynomial from 0 to c_i;  b_j = A_sj
 *   embedded: y^ = y0 + h (f0/lambda_0 + sum b^_j f_j), lambda_0 the real eigenvalue of A^-1, of order s:
 *             f0/lambda_0 + sum b^_j f_j integrates degree s - 1 exactly
 */
#include <math.h>
#include <string.h>

#include "integrator/tableau.h"
#include "math/constants.h"

/* p = P_{s-1}(x) - P_s(x) and its slope. */
static double difference(int s, double x, double *slope) {
  double p = 1, before = 0, d = 0, d_before = 0;
  for (int n = 0; n < s; n++) {
    double next = ((2 * n + 1) * x * p - n * before) / (n + 1);
    double d_next = d_before + (2 * n + 1) * p; /* P'_{n+1} = P'_{n-1} + (2n + 1) P_n */
    before = p, p = next;
    d_before = d, d = d_next;
  }
  *slope = d_before - d;
  return before - p;
}

static void nodes(int s, double *c) {
  const double pi = SN_PI;
  for (int i = 0; i < s - 1; i++) {
    double x = cos(2 * pi * (s - 1 - i) / (2 * s - 1)), slope; /* close enough for Newton */
    for (int k = 0; k < 20; k++) {
      double p = difference(s, x, &slope);
      x -= p / slope;
    }
    c[i] = (1 + x) / 2;
  }
  c[s - 1] = 1;
}

/* With the weight w at 0 the weights at c_j of a quadrature that integrates degree s - 1: a polynomial that vanishes at
 * all c_j but one, l_j, has the integral b_j and at 0 the value l_j(0). */
static void embedded(sn_tableau *t, double w) {
  double at_zero[SN_STAGES];
  sn_lagrange(t->stages, t->c, 0, at_zero);
  for (int j = 0; j < t->stages; j++) t->error_A[0][j] = -w * at_zero[j];
  t->error_b[0] = w;
}

void sn_tableau_radau(sn_tableau *t, int s) {
  memset(t, 0, sizeof *t);
  t->family = SN_RADAU;
  t->stages = s;
  t->order = 2 * s - 1;
  nodes(s, t->c);
  for (int i = 0; i < s; i++) sn_quadrature_weights(s, t->c, 0, t->c[i], t->A[i]);
  sn_tableau_decouple(t);
  embedded(t, 1 / creal(t->lambda[0]));
}
