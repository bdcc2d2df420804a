/* curve_make.c - curves from points or formulas; see curve.h.
 *
 * The cubic spline through points c_i at u_i, h_i = u_(i+1) - u_i, has the slopes b_i of
 *   h_i b_(i-1) + 2 (h_(i-1) + h_i) b_i + h_(i-1) b_(i+1) = 3 (h_i (c_i - c_(i-1))/h_(i-1) + h_(i-1) (c_(i+1) - c_i)/h_i)
 */
#include <math.h>
#include <string.h>

#include "joint/curve.h"
#include "math/vec3.h"

enum { LEAST_SAMPLES = 256, MOST_KNOTS = 4096 };

typedef struct knots { /* c, c', c'' at each */
  int count;           /* a closed curve ends with its first */
  double *u, (*c)[3][3];
} knots;

/* ---- points ---- */

/* Tridiagonal systems with the corners of periodic ones, three right sides at once. Row i: a b_(i-1) + d b_i + e b_(i+1)
 * = r. Elimination leaves b_i = r + a L - e b_(i+1), L the last unknown. */
typedef struct row {
  double a, d, e, r[3];
} row;

static void solve_periodic(int n, row *x, double (*b)[3]) {
  for (int i = 0; i < n - 1; i++) {
    double from = x[i].a, d = x[i].d, w = -from;
    if (i > 0) {
      d -= from * x[i - 1].e;
      w *= x[i - 1].a;
      sn_axpy(x[i].r, -from, x[i - 1].r);
    }
    if (i == n - 2) w -= x[i].e;
    x[i].e = i == n - 2 ? 0 : x[i].e / d;
    x[i].a = w / d;
    sn_scale(x[i].r, 1 / d, x[i].r);
  }
  for (int i = n - 3; i >= 0; i--) {
    x[i].a -= x[i].e * x[i + 1].a;
    sn_axpy(x[i].r, -x[i].e, x[i + 1].r);
  }
  const row *end = &x[n - 1];
  double d = end->d + end->a * x[n - 2].a + end->e * x[0].a;
  for (int k = 0; k < 3; k++) b[n - 1][k] = (end->r[k] - end->a * x[n - 2].r[k] - end->e * x[0].r[k]) / d;
  for (int i = 0; i < n - 1; i++) {
    sn_copy(b[i], x[i].r);
    sn_axpy(b[i], x[i].a, b[n - 1]);
  }
}

/* Slope at the first of four (or fewer) points of the polynomial through them. */
static void end_slope(int count, const double *u, const double (*c)[3], int step, double slope[3]) {
  int n = count < 4 ? count : 4;
  memset(slope, 0, 3 * sizeof(double));
  for (int j = 1; j < n; j++) { /* weights of c_j - c_0: derivative of Lagrange's polynomial j at u_0 */
    double w = 1 / (u[j * step] - u[0]);
    for (int k = 1; k < n; k++)
      if (k != j) w *= (u[0] - u[k * step]) / (u[j * step] - u[k * step]);
    for (int d = 0; d < 3; d++) slope[d] += w * (c[j * step][d] - c[0][d]);
  }
}

/* c' and c'' of the spline from its points. */
static void fit(sn_arena *arena, bool closed, int n, const double *u, const double (*c)[3], knots *y) {
  int m = closed ? n - 1 : n; /* unknown slopes; the last knot of a closed one is its first */
  row *x = SN_NEW(arena, row, m);
  double(*b)[3] = sn_alloc(arena, (size_t)n, sizeof *b);
  for (int i = 0; i < m; i++) {
    int before = i > 0 ? i - 1 : n - 2;
    if (!closed && (i == 0 || i == n - 1)) {
      x[i] = (row){.d = 1};
      end_slope(n, u + i, c + i, i ? -1 : 1, x[i].r);
      continue;
    }
    double h0 = i > 0 ? u[i] - u[i - 1] : u[n - 1] - u[n - 2], h1 = u[i + 1] - u[i];
    x[i] = (row){.a = h1, .d = 2 * (h0 + h1), .e = h0};
    for (int k = 0; k < 3; k++)
      x[i].r[k] = 3 * (h1 / h0 * (c[i][k] - c[before][k]) + h0 / h1 * (c[i + 1][k] - c[i][k]));
  }
  solve_periodic(m, x, b);
  if (closed) sn_copy(b[n - 1], b[0]);
  for (int i = 0; i < n; i++) {
    int j = i < n - 1 ? i : closed ? 0 : n - 2, end = i == n - 1 && !closed;
    double h = u[j + 1] - u[j];
    sn_copy(y->c[i][0], c[i]);
    sn_copy(y->c[i][1], b[i]);
    for (int k = 0; k < 3; k++) {
      double d = (c[j + 1][k] - c[j][k]) / h;
      y->c[i][2][k] = end ? (2 * b[j][k] + 4 * b[j + 1][k] - 6 * d) / h : (6 * d - 4 * b[j][k] - 2 * b[j + 1][k]) / h;
    }
  }
}

static bool by_points(sn_compiler *c, const sn_spec *spec, const sn_curve_spec *s, knots *y) {
  int n = s->points.count;
  const double(*p)[3] = s->points.value;
  const double *end = n > 0 ? p[n - 1] : NULL;
  if (s->closed && n > 1 && p[0][0] == end[0] && p[0][1] == end[1] && p[0][2] == end[2]) n--;
  if (n < (s->closed ? 3 : 2)) {
    sn_field_error(&c->reader, spec, "points", s->closed ? "at least 3 different points" : "at least 2 points",
                   "%s '%s' has too few points", spec->kind->name, spec->name);
    return false;
  }
  int count = s->closed ? n + 1 : n;
  *y = (knots){count, SN_NEW(c->arena, double, count), sn_alloc(c->arena, (size_t)count, sizeof *y->c)};
  double(*all)[3] = sn_alloc(c->arena, (size_t)count, sizeof *all);
  for (int i = 0; i < count; i++) {
    double d[3];
    sn_copy(all[i], p[i % n]);
    if (i == 0) continue;
    sn_sub(d, all[i], all[i - 1]);
    y->u[i] = y->u[i - 1] + sn_norm(d);
    if (y->u[i] > y->u[i - 1] && isfinite(y->u[i])) continue;
    sn_field_error(&c->reader, spec, "points", "points apart from each other",
                   "point %d of %s '%s' repeats the one before", i % n + 1, spec->kind->name, spec->name);
    return false;
  }
  fit(c->arena, s->closed, count, y->u, (const double(*)[3])all, y);
  return true;
}

/* ---- formulas ---- */

static bool formula_at(const sn_curve_spec *s, double u, double c[3][3]) {
  bool good = true;
  for (int k = 0; k < 3; k++) {
    sn_jet j = sn_expr_jet(s->formula[k], u);
    c[0][k] = j.value, c[1][k] = j.rate, c[2][k] = j.accel;
    good = good && isfinite(j.value) && isfinite(j.rate) && isfinite(j.accel);
  }
  return good;
}

/* ---- pieces ---- */

static sn_curve *make_pieces(sn_arena *arena, const knots *y, bool closed) {
  sn_curve *x = SN_NEW(arena, sn_curve, 1);
  double(*k)[6][3] = sn_alloc(arena, (size_t)y->count, sizeof *k);
  *x = (sn_curve){.pieces = y->count - 1, .closed = closed, .knot = y->u, .k = (const double(*)[6][3])k};
  for (int i = 0; i < x->pieces; i++)
    for (int d = 0; d < 3; d++) {
      double h = y->u[i + 1] - y->u[i], p0 = y->c[i][0][d], v0 = y->c[i][1][d] * h, a0 = y->c[i][2][d] * h * h;
      double e = y->c[i + 1][0][d] - p0 - v0 - a0 / 2, v = y->c[i + 1][1][d] * h - v0 - a0,
             a = y->c[i + 1][2][d] * h * h - a0;
      k[i][0][d] = p0;
      k[i][1][d] = v0 / h;
      k[i][2][d] = a0 / (2 * h * h);
      k[i][3][d] = (10 * e - 4 * v + a / 2) / (h * h * h);
      k[i][4][d] = (-15 * e + 7 * v - a) / (h * h * h * h);
      k[i][5][d] = (6 * e - 3 * v + a / 2) / (h * h * h * h * h);
    }
  return x;
}

/* Knots are doubled until the pieces agree with the formulas in their middles. */
static bool by_formulas(sn_compiler *c, const sn_spec *spec, const sn_curve_spec *s, knots *y) {
  for (int pieces = LEAST_SAMPLES;; pieces *= 2) {
    double size = 0, worst = 0, where = 0;
    *y =
        (knots){pieces + 1, SN_NEW(c->arena, double, pieces + 1), sn_alloc(c->arena, (size_t)pieces + 1, sizeof *y->c)};
    for (int i = 0; i <= pieces; i++) {
      y->u[i] = (double)i / pieces;
      if (!formula_at(s, y->u[i], y->c[i])) {
        sn_field_error(&c->reader, spec, "curve", "functions with two derivatives from s = 0 to 1",
                       "the curve of %s '%s' or a derivative is not finite at s = %g", spec->kind->name, spec->name,
                       y->u[i]);
        return false;
      }
      for (int k = 0; k < 3; k++) size = fmax(size, fabs(y->c[i][0][k] - y->c[0][0][k]));
    }
    sn_curve *x = make_pieces(c->arena, y, false);
    for (int i = 0; i < pieces; i++) {
      double u = (i + 0.5) / pieces, exact[3][3], here[4][3], d[3];
      formula_at(s, u, exact);
      sn_curve_at(x, u, here);
      sn_sub(d, exact[0], here[0]);
      if (!(sn_norm(d) <= worst)) worst = sn_norm(d), where = u;
    }
    if (worst <= 1e-11 * size) return true;
    if (pieces < MOST_KNOTS) continue;
    if (worst <= 1e-6 * size) return true;
    sn_field_error(&c->reader, spec, "curve", "smooth functions of s",
                   "the curve of %s '%s' is not smooth near s = %.3g", spec->kind->name, spec->name, where);
    return false;
  }
}

/* ---- what a curve must be ---- */

static bool fail(sn_compiler *c, const sn_spec *spec, const char *expected, const char *what) {
  sn_field_error(&c->reader, spec, sn_given(spec, "points") ? "points" : "curve", expected, "the curve of %s '%s' %s",
                 spec->kind->name, spec->name, what);
  return false;
}

/* Both ends of a closed one agree to the second derivative. */
static bool closes(sn_compiler *c, const sn_spec *spec, const knots *y) {
  double(*a)[3] = y->c[0], (*b)[3] = y->c[y->count - 1];
  double size = 0;
  for (int i = 0; i < y->count; i++)
    for (int k = 0; k < 3; k++) size = fmax(size, fabs(y->c[i][0][k] - a[0][k]));
  for (int level = 0; level < 3; level++)
    for (int k = 0; k < 3; k++)
      if (fabs(a[level][k] - b[level][k]) > (level ? 1e-5 : 1e-9) * size * pow(6, level))
        return fail(
            c, spec, "the same point, slope and second derivative at s = 0 and 1, or closed: false",
            level ? "is closed but has a corner where it closes" : "is closed but does not return to its start");
  return true;
}

static void take_samples(sn_arena *arena, sn_curve *x) {
  int each = (LEAST_SAMPLES + x->pieces - 1) / x->pieces, n = x->pieces * each;
  double(*sample)[3] = sn_alloc(arena, (size_t)n + 1, sizeof *sample), *u = SN_NEW(arena, double, n + 1);
  x->samples = x->closed ? n : n + 1;
  for (int i = 0; i <= n; i++) {
    double c[4][3], d[3];
    int p = i / each < x->pieces ? i / each : x->pieces - 1;
    u[i] = x->knot[p] + (x->knot[p + 1] - x->knot[p]) * (i - p * each) / each;
    sn_curve_at(x, u[i], c);
    sn_copy(sample[i], c[0]);
    if (i == 0) continue;
    sn_sub(d, sample[i], sample[i - 1]);
    x->length += sn_norm(d);
  }
  x->sample = (const double(*)[3])sample;
  x->sample_u = u;
}

/* c' does not vanish: the curve has a direction everywhere. */
static bool has_direction(sn_compiler *c, const sn_spec *spec, const sn_curve *x) {
  double typical = x->length / (x->knot[x->pieces] - x->knot[0]);
  for (int i = 0; i < x->samples; i++) {
    double at[4][3];
    sn_curve_at(x, x->sample_u[i], at);
    if (sn_norm(at[1]) > 1e-4 * typical) continue;
    return fail(c, spec, "a curve without cusps; the range of s can leave them out",
                sn_format(c->arena, "has a cusp or stands still near [%g, %g, %g]", at[0][0], at[0][1], at[0][2]));
  }
  return true;
}

/* Of the curve between two places, in u: the shorter way. */
static double between(const sn_curve *x, double a, double b) {
  const double range = x->knot[x->pieces] - x->knot[0], d = fabs(b - a);
  return x->closed ? fabs(d - range * round(d / range)) : d;
}

/* Of two parts of a curve that nearly meet: their distance, by going to the nearest point of each other in turn.
 * Infinite: they come together along the curve itself, which is where its samples are dense. */
static double approach(const sn_curve *x, int i, int j) {
  double u[2] = {x->sample_u[i], x->sample_u[j]}, c[2][4][3], d[3] = {0, 0, 0};
  const double apart = between(x, u[0], u[1]);
  for (int k = 0; k < 60; k++) {
    int s = k % 2;
    sn_curve_at(x, u[s], c[s]);
    sn_curve_at(x, u[1 - s], c[1 - s]);
    sn_sub(d, c[1 - s][0], c[s][0]);
    u[s] += sn_dot(d, c[s][1]) / sn_dot(c[s][1], c[s][1]);
  }
  return between(x, u[0], u[1]) < apart / 2 ? INFINITY : sn_norm(d);
}

/* The nearest point is one point: parts of the curve do not cross or touch. */
static bool is_simple(sn_compiler *c, const sn_spec *spec, const sn_curve *x) {
  int n = x->samples, apart = 8;
  double near = 2 * x->length / n;
  for (int i = 0; i < n; i++)
    for (int j = i + apart; j < n; j++) {
      double d[3];
      sn_sub(d, x->sample[j], x->sample[i]);
      if (sn_norm(d) > near || (x->closed && i + n - j < apart)) continue;
      if (approach(x, i, j) > 1e-3 * x->length) continue;
      return fail(c, spec, "a curve that does not cross or touch itself; an end that meets the start is closed: true",
                  sn_format(c->arena, "crosses or touches itself near [%g, %g, %g]", x->sample[i][0], x->sample[i][1],
                            x->sample[i][2]));
    }
  return true;
}

/* ---- all of it ---- */

void sn_curve_check(sn_reader *reader, const sn_spec *spec) {
  bool points = sn_given(spec, "points");
  if (points == sn_given(spec, "curve"))
    sn_field_error(reader, spec, points ? "points" : NULL, "points, or curve: [x, y, z] as functions of s",
                   points ? "%s '%s' has both points and formulas" : "%s '%s' has no curve", spec->kind->name,
                   spec->name);
}

/* Into the axes of the carrier; the third coordinate of a plane one must not change. */
static bool turn(sn_compiler *c, const sn_spec *spec, knots *y, const double origin[3], const double axis[3][3],
                 int axes) {
  double low = INFINITY, high = -INFINITY, size = 0;
  for (int i = 0; i < y->count; i++)
    for (int level = 0; level < 3; level++) {
      double d[3], *at = y->c[i][level];
      sn_copy(d, at);
      if (level == 0) sn_axpy(d, -1, origin);
      for (int k = 0; k < 3; k++) at[k] = sn_dot(axis[k], d);
      if (level == 0) low = fmin(low, at[2]), high = fmax(high, at[2]), size = fmax(size, sn_norm(at));
      if (axes == 2) at[2] = 0;
    }
  return axes == 3 || high - low <= 1e-9 * size ||
         fail(c, spec, "points in a plane normal to 'axis'", "does not lie in one plane");
}

const sn_curve *sn_make_curve(sn_compiler *c, const sn_spec *spec, const sn_curve_spec *s, const double origin[3],
                              const double axis[3][3], int axes) {
  knots y;
  if (!(sn_given(spec, "points") ? by_points : by_formulas)(c, spec, s, &y)) return NULL;
  if (s->closed && !closes(c, spec, &y)) return NULL;
  sn_curve *x = make_pieces(c->arena, &y, s->closed); /* in global axes, for messages */
  take_samples(c->arena, x);
  if (!has_direction(c, spec, x) || !is_simple(c, spec, x) || !turn(c, spec, &y, origin, axis, axes)) return NULL;
  x = make_pieces(c->arena, &y, s->closed);
  take_samples(c->arena, x);
  return x;
}
