/* tableau.h - coefficients of block implicit methods, computed for any size.
 *
 * A block of length h with points c_i h, i = 1..s, c_s = 1:
 *
 *     Y_i = y0 + h (b_i f0 + sum_j A_ij f_j)
 *
 * Radau IIA (radau_tableau.c): b = 0, A of the collocation polynomial.
 * Generalized Adams, GAM (gam_tableau.c): b are the weights of the start of the block.
 *
 * A = T diag(1/lambda) T^-1 decouples the stages: with mu = lambda/h a block solves s systems of the size of one point,
 * one for each real lambda and one for each complex pair.
 */
#ifndef SN_TABLEAU_H
#define SN_TABLEAU_H

#include <complex.h>
#include <stdbool.h>

enum { SN_STAGES = 9 }; /* most points of a block */
typedef double complex sn_square[SN_STAGES][SN_STAGES];

typedef enum sn_block_family { SN_RADAU, SN_GAM } sn_block_family;

typedef struct sn_tableau {
  sn_block_family family;
  int stages; /* s */
  int order;
  double c[SN_STAGES];
  double A[SN_STAGES][SN_STAGES], b[SN_STAGES];
  /* the formula of the error estimate. Radau: weights of the embedded quadrature less those of the method, in row 0,
   * and its weight 1/lambda_0 of f0. GAM: A and b of a formula of higher order on the same points, less A and b. */
  double error_A[SN_STAGES][SN_STAGES], error_b[SN_STAGES];
  /* GAM: the same for the next lower order against this one, to choose orders; 0 when Radau. */
  double lower_A[SN_STAGES][SN_STAGES], lower_b[SN_STAGES];
  int shifts; /* real lambdas and pairs; a real one, where there is one, comes first */
  double complex lambda[SN_STAGES];
  double amplify;                               /* amplification of rounding errors of the residuals by T^-1 and T */
  double complex T[SN_STAGES][SN_STAGES];       /* [stage][shift] */
  double complex inverse[SN_STAGES][SN_STAGES]; /* [shift][stage] */
} sn_tableau;

/* s = 3, 5, 7: order 2s - 1. Odd s, so that there is one real lambda. */
void sn_tableau_radau(sn_tableau *tableau, int stages);
/* Order k + 1 for k = 2, 4, 6, 8 on N = 4, 6, 8, 9 equal steps. */
void sn_tableau_gam(sn_tableau *tableau, int order);
/* One of these, computed once in a process: it takes 0.1 ms, which counts in studies of short runs. */
void sn_tableau_of(sn_block_family family, int size, sn_tableau *tableau);

enum { SN_NODES = 16 }; /* most nodes of a polynomial */
/* w[i] = integral from `from` to `to` of the i-th Lagrange polynomial over the nodes x[count]. */
void sn_quadrature_weights(int count, const double *x, double from, double to, double *w);
/* l[i] = value at `at` of the i-th Lagrange polynomial over x[count]. */
void sn_lagrange(int count, const double *x, double at, double *l);
/* Fill shifts, lambda, T, inverse from A. */
void sn_tableau_decouple(sn_tableau *tableau);
/* X := A^-1 X for complex s x s A (overwritten) and s x columns X, by elimination with row pivots. */
void sn_solve_small(int s, sn_square A, int columns, sn_square X);
/* Stability function R(z) = y1/y0 for y' = z y/h. */
double complex sn_tableau_stability(const sn_tableau *tableau, double complex z);

#endif
