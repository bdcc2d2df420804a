/* shifted.h - the systems of block implicit integrators: one set of matrices, several real or complex shifts mu.
 *
 *     A(mu) = [M + D/mu + K/mu^2, G'; G, 0]
 *
 * M, D, K and G are given as assembled block matrices once; each shift has a slot with its own factorization, real for
 * real mu and complex otherwise: the native block LDL' when A is symmetric, or as good as (antisymmetric part below 1 %
 * of the diagonal; then the symmetric part is factorized, which iterations do not mind), otherwise KLU, whose first
 * factorization in a slot allocates.
 */
#ifndef SN_SHIFTED_H
#define SN_SHIFTED_H

#include <complex.h>

#include "sparse/matrix.h"

#ifndef CMPLX /* C11 asks for it; clang with glibc lacks it */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

typedef struct sn_shifted sn_shifted;
typedef enum sn_coefficient {
  SN_COEFFICIENT_MASS,
  SN_COEFFICIENT_DAMPING,
  SN_COEFFICIENT_STIFFNESS,
  SN_COEFFICIENTS
} sn_coefficient;

/* `pattern`: an unsymmetric matrix with the pattern of all that will be given, which outlives this; `exact`: KLU
 * always. NULL when the analysis fails. */
sn_shifted *sn_shifted_create(const sn_matrix *pattern, int slots, bool exact);
void sn_shifted_free(sn_shifted *shifted);

/* Take the values of the assembled matrix [P, G'; G, *] as the coefficient P. G and what is on the diagonal of the
 * multipliers come with the stiffness. */
void sn_shifted_take(sn_shifted *shifted, sn_coefficient which, const sn_matrix *matrix);
/* False: singular; *group is where it broke. */
bool sn_shifted_factor(sn_shifted *shifted, int slot, double complex mu, int *group);
/* x := A^-1 x. For a real shift the imaginary parts are ignored and come back zero. */
void sn_shifted_solve(sn_shifted *shifted, int slot, double complex *x);
/* y = P x over the coordinates only; entries of multipliers are ignored and come back zero. */
void sn_shifted_multiply(const sn_shifted *shifted, sn_coefficient which, const double *x, double *y);

#endif
