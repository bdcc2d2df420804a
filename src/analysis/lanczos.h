/* lanczos.h - some eigenvectors of an operator OP that is symmetric in the inner product x'B y, by ARPACK's implicitly
 * restarted Lanczos method. */
#ifndef SN_LANCZOS_H
#define SN_LANCZOS_H

#include "base/base.h"

typedef struct sn_lanczos {
  int n;
  void *user;
  /* y = OP x; Bx is B x, or NULL where it is not known. */
  void (*apply)(void *user, const double *x, const double *Bx, double *y);
  /* y = B x */
  void (*weigh)(void *user, const double *x, double *y);
  double shift;      /* eigenvalues are shift + 1/those of OP */
  const char *which; /* of the operator: "LM" of largest size, "SA" the lowest */
} sn_lanczos;

/* `count` values and vectors[count][n], x'B x = 1, in any order; `most` is the dimension of the space that OP maps to,
 * which start[n] is from. */
sn_status sn_lanczos_solve(const sn_lanczos *problem, sn_context *context, const double *start, int count, int most,
                           double *values, double *vectors);

#endif
