/* host_constraint.c - functions of a host program that are constraints, with their derivatives; see host.h.
 *
 * Of z = (t, x), derivatives that the function does not give are differences of fourth order, of its values or of the
 * first derivatives that it gives:
 *
 *   f_i  = (8 (f(z + h e_i) - f(z - h e_i)) - (f(z + 2 h e_i) - f(z - 2 h e_i)))/(12 h)
 *   f_dd = (16 (f(z + h d) + f(z - h d)) - (f(z + 2 h d) + f(z - 2 h d)) - 30 f(z))/(12 h^2)
 *   f_ij = (f_dd of d = e_i + e_j, minus f_dd of d = e_i - e_j)/4,        e_i in units of h_i
 *
 * With h = 5e-4, of functions that change over a length of 1 (0.1), the errors are about 1e-12 (1e-9) of f_i and 1e-9
 * (1e-8) of f_ij.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "model/host.h"

enum { N = SN_CONSTRAINT_VARIABLES };

typedef struct point {
  sn_host *host;
  int number, n; /* variables, t among them */
  double z[N], h[N];
} point;

/* NaN after noting what was wrong; first, second [n x n]: NaN where the function does not give them. */
static double call(const point *p, const double *z, double *first, double *second) {
  const sn_host_constraint *function = &p->host->constraint[p->number];
  double value = NAN;
  for (int i = 0; i < p->n; i++) first[i] = NAN;
  for (int i = 0; i < p->n * p->n; i++) second[i] = NAN;
  if (atomic_load(&p->host->fault) == SN_HOST_ENDED) return NAN;
  const int code = function->f(function->user, z[0], z + 1, &value, first, second);
  if (code == 0 && isfinite(value)) return value;
  sn_host_note(p->host, code ? SN_HOST_ENDED : SN_HOST_NO_NUMBER, -1 - p->number, code, z[0], value);
  return NAN;
}

/* The same at z + a h_i e_i + b h_j e_j. */
static double shifted(const point *p, int i, double a, int j, double b, double *first) {
  double z[N], ignored[N * N];
  memcpy(z, p->z, sizeof z);
  z[i] += a * p->h[i];
  z[j] += b * p->h[j];
  return call(p, z, first, ignored);
}

/* f_i, and where the function gives f_j at the points around, f_ji. */
static double differences(const point *p, int i, double *of_first) {
  static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
  double sum = 0, first[N];
  for (int j = 0; j < p->n; j++) of_first[j] = 0;
  for (int k = 0; k < 4; k++) {
    sum += weight[k] * shifted(p, i, at[k], i, 0, first);
    for (int j = 0; j < p->n; j++) of_first[j] += weight[k] * first[j];
  }
  for (int j = 0; j < p->n; j++) of_first[j] /= 12 * p->h[i];
  return sum / (12 * p->h[i]);
}

/* h^2 f_dd along a h_i e_i + b h_j e_j */
static double curvature(const point *p, double value, int i, int j, double b) {
  double ignored[N];
  const double near = shifted(p, i, 1, j, b, ignored) + shifted(p, i, -1, j, -b, ignored);
  const double far = shifted(p, i, 2, j, 2 * b, ignored) + shifted(p, i, -2, j, -2 * b, ignored);
  return (16 * near - far - 30 * value) / 12;
}

static double second_difference(const point *p, double value, int i, int j) {
  if (i == j) return curvature(p, value, i, i, 0) / (p->h[i] * p->h[i]);
  return (curvature(p, value, i, j, 1) - curvature(p, value, i, j, -1)) / (4 * p->h[i] * p->h[j]);
}

void sn_host_constrain(sn_host *host, int number, double t, int count, const double *x, int order,
                       sn_constraint_value *y) {
  point p = {.host = host, .number = number, .n = count + 1};
  double second[N * N], of_first[N][N];
  assert(count >= 1 && count < N);
  p.z[0] = t;
  memcpy(p.z + 1, x, (size_t)count * sizeof(double));
  for (int i = 0; i < p.n; i++) {
    const double h = 5e-4 * fmax(1, fabs(p.z[i]));
    p.h[i] = (p.z[i] + h) - p.z[i]; /* the difference that there is */
  }
  y->value = call(&p, p.z, y->first, second);
  if (order < 1 || isnan(y->value)) return;
  bool missing = false;
  for (int i = 0; order > 1 && i < p.n * p.n; i++) missing |= isnan(second[i]);
  for (int i = 0; i < p.n; i++) {
    const bool given = isfinite(y->first[i]);
    if (given && !missing) continue;
    const double first = differences(&p, i, of_first[i]);
    if (!given) y->first[i] = first;
  }
  for (int i = 0; order > 1 && i < p.n; i++)
    for (int j = 0; j <= i; j++) {
      double d = isfinite(second[i * p.n + j]) ? second[i * p.n + j] : second[j * p.n + i];
      if (!isfinite(d)) d = of_first[i][j];
      if (!isfinite(d)) d = of_first[j][i];
      if (!isfinite(d)) d = second_difference(&p, y->value, i, j);
      y->second[i][j] = y->second[j][i] = d;
    }
}
