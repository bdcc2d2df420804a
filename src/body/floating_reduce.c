/* floating_reduce.c - the reduction of Craig and Bampton. With b the boundary and i the rest,
 *
 *   z_i = -K_ii^-1 K_ib z_b + X y,     K_ii x = w^2 M_ii x: the columns of X, lowest w first
 *
 * A unit force on the coordinate j of the rest, with the boundary fixed, moves it by (K_ii^-1)_jj = sum x_j^2/w^2 over all
 * columns, x'M_ii x = 1. What the reduction leaves out is the sum over those that are not kept.
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "body/floating_beam.h"
#include "math/predicates.h"

/* Y[r][c] = X[row[r]][column[c]] */
static void take(int count, const double *X, int rows, const int *row, int columns, const int *column, double *Y) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) Y[r * columns + c] = X[row[r] * count + column[c]];
}

/* Scale independent of the mass: largest entry 1, positive. */
static void scale_modes(int n, double *X) {
  for (int j = 0; j < n; j++) {
    double most = 0;
    for (int i = 0; i < n; i++)
      if (fabs(X[i * n + j]) > fabs(most)) most = X[i * n + j];
    for (int i = 0; i < n; i++) X[i * n + j] /= most;
  }
}

/* Modes of equal frequency (a round section bends equally in all directions) form one space of shapes, of which
 * rounding would select a part: all of them are kept, or none if there is no space. */
static int whole_pairs(int n, const double *w, int modes, int most) {
  int more = modes, less = modes;
  while (more > 0 && more < n && w[more] - w[more - 1] < 1e-6 * w[more]) more++;
  while (less > 0 && less < n && w[less] - w[less - 1] < 1e-6 * w[less]) less--;
  return more <= most ? more : less;
}

static void keep_left_modes(sn_arena *scratch, int count, int n, const int *inner, const double *X, const double *w,
                            int modes, sn_left_modes *rest) {
  rest->count = n - modes < SN_MOST_LEFT_MODES ? n - modes : SN_MOST_LEFT_MODES;
  rest->w2 = SN_NEW(scratch, double, rest->count + 1);
  rest->shape = SN_NEW(scratch, double, rest->count *count + 1);
  for (int k = 0; k < rest->count; k++) {
    rest->w2[k] = w[modes + k];
    for (int i = 0; i < n; i++) rest->shape[k * count + inner[i]] = X[i * n + modes + k];
  }
}

const double *sn_craig_bampton(sn_arena *arena, sn_arena *scratch, int count, double *M, double *K,
                               const bool *boundary, int most, int *modes, double *left_out, sn_left_modes *rest) {
  assert(sn_is_symmetric(count, M) && sn_is_symmetric(count, K));
  int *inner = SN_NEW(scratch, int, count), *outer = SN_NEW(scratch, int, count), ni = 0, nb = 0;
  for (int i = 0; i < count; i++) {
    if (boundary[i])
      outer[nb++] = i;
    else
      inner[ni++] = i;
  }
  double *Kii = SN_NEW(scratch, double, ni *ni), *Mii = SN_NEW(scratch, double, ni *ni);
  double *Kib = SN_NEW(scratch, double, ni *nb), *w = SN_NEW(scratch, double, ni);
  take(count, K, ni, inner, ni, inner, Kii);
  take(count, M, ni, inner, ni, inner, Mii);
  take(count, K, ni, inner, nb, outer, Kib);
  double *A = SN_NEW(scratch, double, ni *ni);
  memcpy(A, Kii, sizeof(double) * (size_t)(ni * ni));
  if (ni && nb && LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', ni, nb, A, ni, Kib, nb) != 0) return NULL;
  if (ni > 0) {
    if (LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'V', 'U', ni, Kii, ni, Mii, ni, w) != 0) return NULL;
    *modes = whole_pairs(ni, w, *modes, most);
    for (int i = 0; i < ni; i++)
      for (int k = *modes; k < ni; k++) left_out[inner[i]] += Kii[i * ni + k] * Kii[i * ni + k] / w[k];
    keep_left_modes(scratch, count, ni, inner, Kii, w, *modes, rest);
    scale_modes(ni, Kii);
  }
  assert(*modes >= 0 && *modes <= ni);
  int columns = nb + *modes;
  double *basis = SN_NEW(arena, double, count *columns);
  for (int k = 0; k < nb; k++) basis[outer[k] * columns + k] = 1;
  for (int i = 0; i < ni; i++) {
    for (int k = 0; k < nb; k++) basis[inner[i] * columns + k] = -Kib[i * nb + k];
    for (int k = 0; k < *modes; k++) basis[inner[i] * columns + nb + k] = Kii[i * ni + k];
  }
  return basis;
}
