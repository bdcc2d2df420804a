/* floating_reduce.c - the reduction of Craig and Bampton. With b the boundary and i the rest,
 *
 *   z_i = -K_ii^-1 K_ib z_b + X y,     K_ii x = w^2 M_ii x: the columns of X, lowest w first
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "body/floating_beam.h"

/* Y[r][c] = X[row[r]][column[c]] */
static void take(int count, const double *X, int rows, const int *row, int columns, const int *column, double *Y) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) Y[r * columns + c] = X[row[r] * count + column[c]];
}

/* The same scale whatever the mass: largest entry 1, positive. */
static void scale_modes(int n, double *X) {
  for (int j = 0; j < n; j++) {
    double most = 0;
    for (int i = 0; i < n; i++)
      if (fabs(X[i * n + j]) > fabs(most)) most = X[i * n + j];
    for (int i = 0; i < n; i++) X[i * n + j] /= most;
  }
}

bool sn_craig_bampton(sn_arena *arena, int count, double *M, double *K, const bool *boundary, int modes,
                      double *basis) {
  int *inner = SN_NEW(arena, int, count), *outer = SN_NEW(arena, int, count), ni = 0, nb = 0;
  for (int i = 0; i < count; i++) {
    if (boundary[i])
      outer[nb++] = i;
    else
      inner[ni++] = i;
  }
  int columns = nb + modes;
  memset(basis, 0, sizeof(double) * (size_t)(count * columns));
  for (int k = 0; k < nb; k++) basis[outer[k] * columns + k] = 1;
  if (ni == 0) return true;
  double *Kii = SN_NEW(arena, double, ni *ni), *Mii = SN_NEW(arena, double, ni *ni);
  double *Kib = SN_NEW(arena, double, ni *nb), *w = SN_NEW(arena, double, ni);
  take(count, K, ni, inner, ni, inner, Kii);
  take(count, M, ni, inner, ni, inner, Mii);
  take(count, K, ni, inner, nb, outer, Kib);
  double *A = SN_NEW(arena, double, ni *ni);
  memcpy(A, Kii, sizeof(double) * (size_t)(ni * ni));
  if (nb && LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', ni, nb, A, ni, Kib, nb) != 0) return false;
  for (int i = 0; i < ni; i++)
    for (int k = 0; k < nb; k++) basis[inner[i] * columns + k] = -Kib[i * nb + k];
  if (modes == 0) return true;
  if (LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'V', 'U', ni, Kii, ni, Mii, ni, w) != 0) return false;
  scale_modes(ni, Kii);
  for (int i = 0; i < ni; i++)
    for (int k = 0; k < modes; k++) basis[inner[i] * columns + nb + k] = Kii[i * ni + k];
  return true;
}
