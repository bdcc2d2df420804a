/* expr_grid.c - tables of two arguments z(x, y) on a rectangular grid: values and derivatives on jets, bounds on series.
 *
 * In a cell, s = x - x_i and r = y - y_j, the function is a sum of products of the functions of one argument
 *
 *   z = sum_pq P_p(s) R_q(r) W_pq
 *
 * P = (A, B, A', B'): A = 1 - s/h and B = s/h multiply values at the ends of the cell, A' = h^2/6 (A^3 - A) and
 * B' = h^2/6 (B^3 - B) second derivatives there (natural spline); W are z, z_xx, z_yy and z_xxyy at the corners. Linear:
 * the first two alone, bilinear. Cubic: both derivatives up to the second are continuous.
 *
 * Outside the grid P is continued: held, or along its tangent.
 */
#include <math.h>

#include "base/expr_program.h"
#include "base/jet.h"
#include "base/taylor.h"
#include "math/predicates.h"

typedef struct axis {
  int cell;       /* its first point */
  double origin;  /* of s */
  double P[4][4]; /* P_p = sum_k P[p][k] s^k */
} axis;

static int find_cell(int count, const double *x, double at) {
  const sn_table line = {.count = count, .x = x};
  return sn_table_segment(&line, at);
}

/* The four functions of cell i as polynomials of s, from its first point. */
static void inside(const sn_grid *grid, int k, int i, axis *a) {
  const double h = grid->x[k][i + 1] - grid->x[k][i];
  *a = (axis){.cell = i,
              .origin = grid->x[k][i],
              .P = {{1, -1 / h}, {0, 1 / h}, {0, -h / 3, 0.5, -1 / (6 * h)}, {0, -h / 6, 0, 1 / (6 * h)}}};
}

/* What they are beyond an end: at the end, and with linear extrapolation their tangents. */
static void outside(const sn_grid *grid, int k, bool behind, sn_extrapolation rule, axis *a) {
  const int i = behind ? grid->count[k] - 2 : 0;
  inside(grid, k, i, a);
  const double end = grid->x[k][behind ? i + 1 : i], s = end - a->origin;
  for (int p = 0; p < 4; ++p) {
    const double *c = a->P[p];
    const double value = c[0] + s * (c[1] + s * (c[2] + s * c[3])), slope = c[1] + s * (2 * c[2] + 3 * s * c[3]);
    a->P[p][0] = value;
    a->P[p][1] = rule == SN_EXTRAPOLATE_LINEAR ? slope : 0;
    a->P[p][2] = a->P[p][3] = 0;
  }
  a->origin = end;
}

/* Cell or continuation that holds all of the range; false: there are several, or none (extrapolation: error). */
static bool choose(const sn_grid *grid, int k, sn_extrapolation rule, sn_span x, axis *a) {
  const int last = grid->count[k] - 1;
  const bool one = x.low == x.high; /* a value at an end belongs to the grid */
  if (one ? x.high < grid->x[k][0] : x.high <= grid->x[k][0]) {
    outside(grid, k, false, rule, a);
    return rule != SN_EXTRAPOLATE_ERROR;
  }
  if (one ? x.low > grid->x[k][last] : x.low >= grid->x[k][last]) {
    outside(grid, k, true, rule, a);
    return rule != SN_EXTRAPOLATE_ERROR;
  }
  if (x.low < grid->x[k][0] || x.high > grid->x[k][last]) return false;
  const int i = find_cell(grid->count[k], grid->x[k], x.low);
  inside(grid, k, i, a);
  return x.high <= grid->x[k][i + 1];
}

/* W_pq: p and q are corners, 2 more for second derivatives. */
static double weight(const sn_grid *grid, const axis a[2], int p, int q) {
  const int at = (a[0].cell + p % 2) * grid->count[1] + a[1].cell + q % 2;
  const double *from = p < 2 ? (q < 2 ? grid->z : grid->m[1]) : q < 2 ? grid->m[0] : grid->m[2];
  return from[at];
}

/* z = sum_kl c[k][l] s^k r^l */
static void coefficients(const sn_grid *grid, const axis a[2], double c[4][4]) {
  const int functions = grid->m[0] ? 4 : 2;
  for (int k = 0; k < 4; ++k)
    for (int l = 0; l < 4; ++l) c[k][l] = 0;
  for (int p = 0; p < functions; ++p) {
    for (int q = 0; q < functions; ++q) {
      const double w = weight(grid, a, p, q);
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) c[k][l] += w * a[0].P[p][k] * a[1].P[q][l];
    }
  }
}

/* c0 + c1 s + c2 s^2 + c3 s^3 and its first two derivatives */
static sn_jet polynomial(const double c[4], double s) {
  return (sn_jet){c[0] + s * (c[1] + s * (c[2] + s * c[3])), c[1] + s * (2 * c[2] + 3 * s * c[3]),
                  2 * c[2] + 6 * s * c[3]};
}

sn_jet sn_grid_jet(const sn_table *table, const sn_jet u[2]) {
  const sn_grid *grid = table->grid;
  axis a[2];
  double c[4][4], along[3][4];
  for (int k = 0; k < 2; ++k) {
    const sn_span x = {u[k].value, u[k].value};
    if (isnan(u[k].value) || !choose(grid, k, table->outside, x, &a[k])) return sn_jet_invalid();
  }
  coefficients(grid, a, c);
  const double s = u[0].value - a[0].origin, r = u[1].value - a[1].origin;
  for (int k = 0; k < 4; ++k) {
    const sn_jet row = polynomial(c[k], r);
    along[0][k] = row.value, along[1][k] = row.rate, along[2][k] = row.accel;
  }
  const sn_jet z = polynomial(along[0], s), zy = polynomial(along[1], s), zyy = polynomial(along[2], s);
  const double x1 = u[0].rate, y1 = u[1].rate;
  return (sn_jet){
      z.value, z.rate * x1 + zy.value * y1,
      z.accel * x1 * x1 + 2 * zy.rate * x1 * y1 + zyy.value * y1 * y1 + z.rate * u[0].accel + zy.value * u[1].accel};
}

/* ---- bounds ---- */

/* Cells that a range within the grid, or held to it, touches. */
static void touched(const sn_grid *grid, int k, sn_span x, int *first, int *last) {
  const int end = grid->count[k] - 1;
  *first = find_cell(grid->count[k], grid->x[k], fmax(x.low, grid->x[k][0]));
  *last = find_cell(grid->count[k], grid->x[k], fmin(x.high, grid->x[k][end]));
}

static double largest_cell(const sn_grid *grid, int k, int first, int last) {
  double h = 0;
  for (int i = first; i <= last; ++i) h = fmax(h, grid->x[k][i + 1] - grid->x[k][i]);
  return h;
}

/* Range over several cells: that of the points, and how far cubics can leave their chords: |A'| + |B'| <= h^2/8. */
static sn_taylor across(const sn_table *table, const sn_taylor u[2]) {
  const sn_grid *grid = table->grid;
  int first[2], last[2];
  double h2[2], most[3] = {0};
  for (int k = 0; k < 2; ++k) {
    const sn_span x = u[k].c[0];
    const bool leaves = x.low < grid->x[k][0] || x.high > grid->x[k][grid->count[k] - 1];
    if (leaves && table->outside != SN_EXTRAPOLATE_HOLD) return sn_taylor_unknown();
    touched(grid, k, x, &first[k], &last[k]);
    const double h = largest_cell(grid, k, first[k], last[k]);
    h2[k] = h * h / 8;
  }
  const double z0 = grid->z[first[0] * grid->count[1] + first[1]];
  sn_span range = {z0, z0};
  for (int i = first[0]; i <= last[0] + 1; ++i) {
    for (int j = first[1]; j <= last[1] + 1; ++j) {
      const int at = i * grid->count[1] + j;
      range = sn_span_hull(range, (sn_span){grid->z[at], grid->z[at]});
      for (int n = 0; n < 3 && grid->m[0]; ++n) most[n] = fmax(most[n], fabs(grid->m[n][at]));
    }
  }
  const double beyond = h2[0] * most[0] + h2[1] * most[1] + h2[0] * h2[1] * most[2];
  return sn_taylor_rough((sn_span){range.low - beyond, range.high + beyond});
}

static sn_taylor horner(int n, const sn_taylor *s, const sn_taylor c[4]) {
  sn_taylor y = c[3];
  for (int k = 2; k >= 0; --k) {
    y = sn_taylor_multiply(n, s, &y);
    y = sn_taylor_add(&c[k], &y);
  }
  return y;
}

sn_taylor sn_grid_taylor(int n, const sn_table *table, const sn_taylor u[2]) {
  axis a[2];
  sn_taylor s[2], row[4], all[4];
  double c[4][4];
  for (int k = 0; k < 2; ++k) {
    if (isnan(u[k].c[0].low) || isnan(u[k].c[0].high)) return sn_taylor_unknown();
    if (!choose(table->grid, k, table->outside, u[k].c[0], &a[k]) || !u[k].smooth) return across(table, u);
  }
  for (int k = 0; k < 2; ++k) {
    const sn_taylor origin = sn_taylor_constant(a[k].origin);
    s[k] = sn_taylor_subtract(&u[k], &origin);
  }
  coefficients(table->grid, a, c);
  for (int k = 0; k < 4; ++k) {
    for (int l = 0; l < 4; ++l) row[l] = sn_taylor_constant(c[k][l]);
    all[k] = horner(n, &s[1], row);
  }
  return horner(n, &s[0], all);
}

/* ---- second derivatives at the points ---- */

static void fit_rows(const sn_grid *grid, const double *z, double *m) {
  for (int i = 0; i < grid->count[0]; ++i)
    sn_spline_fit(grid->count[1], grid->x[1], z + i * grid->count[1], m + i * grid->count[1]);
}

static void fit_columns(const sn_grid *grid, const double *z, double *m) {
  sn_arena scratch = {0};
  double *line = SN_NEW(&scratch, double, grid->count[0]), *bend = SN_NEW(&scratch, double, grid->count[0]);
  for (int j = 0; j < grid->count[1]; ++j) {
    for (int i = 0; i < grid->count[0]; ++i) line[i] = z[i * grid->count[1] + j];
    sn_spline_fit(grid->count[0], grid->x[0], line, bend);
    for (int i = 0; i < grid->count[0]; ++i) m[i * grid->count[1] + j] = bend[i];
  }
  sn_arena_free(&scratch);
}

void sn_grid_fit(sn_arena *arena, sn_grid *grid) {
  assert(sn_is_rising(grid->count[0], grid->x[0]) && sn_is_rising(grid->count[1], grid->x[1]));
  double *m[3];
  for (int k = 0; k < 3; ++k) {
    m[k] = SN_NEW(arena, double, grid->count[0] * grid->count[1]);
    grid->m[k] = m[k];
  }
  fit_columns(grid, grid->z, m[0]);
  fit_rows(grid, grid->z, m[1]);
  fit_rows(grid, m[0], m[2]);
}

double sn_grid_overshoot(const sn_table *table) {
  enum { PARTS = 8 };
  const sn_grid *grid = table->grid;
  const int rows = grid->count[0], columns = grid->count[1];
  double low = grid->z[0], high = grid->z[0], most = 0;
  for (int i = 0; i < rows * columns; ++i) low = fmin(low, grid->z[i]), high = fmax(high, grid->z[i]);
  for (int i = 0; i < (rows - 1) * PARTS; ++i) {
    for (int j = 0; j < (columns - 1) * PARTS; ++j) {
      const double *x = grid->x[0] + i / PARTS, *y = grid->x[1] + j / PARTS;
      const sn_jet u[2] = {sn_jet_constant(x[0] + (x[1] - x[0]) * (i % PARTS) / PARTS),
                           sn_jet_constant(y[0] + (y[1] - y[0]) * (j % PARTS) / PARTS)};
      const double z = sn_grid_jet(table, u).value;
      most = fmax(most, fmax(low - z, z - high));
    }
  }
  return high > low ? most / (high - low) : 0;
}
