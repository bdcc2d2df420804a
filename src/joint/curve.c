/* curve.c - evaluation of curves, and the points of them nearest to a point or farthest in a direction; see curve.h. */
#include "joint/curve.h"

#include <math.h>

#include "math/vec3.h"

enum { ITERATIONS = 40 };

static double range_of(const sn_curve *x) {
  return x->knot[x->pieces] - x->knot[0];
}

static double wrap(const sn_curve *x, double u) {
  if (!x->closed) return u;
  double range = range_of(x), r = fmod(u - x->knot[0], range);
  return x->knot[0] + (r < 0 ? r + range : r);
}

static int piece_of(const sn_curve *x, double u) {
  int low = 0, high = x->pieces;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x->knot[middle] <= u)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void sn_curve_at(const sn_curve *x, double u, double c[4][3]) {
  u = wrap(x, u);
  double inside = fmin(fmax(u, x->knot[0]), x->knot[x->pieces]), beyond = u - inside;
  int i = piece_of(x, inside);
  double s = inside - x->knot[i];
  for (int d = 0; d < 3; d++) {
    double k[6];
    for (int p = 0; p < 6; p++) k[p] = x->k[i][p][d];
    c[0][d] = k[0] + s * (k[1] + s * (k[2] + s * (k[3] + s * (k[4] + s * k[5]))));
    c[1][d] = k[1] + s * (2 * k[2] + s * (3 * k[3] + s * (4 * k[4] + s * 5 * k[5])));
    c[2][d] = 2 * k[2] + s * (6 * k[3] + s * (12 * k[4] + s * 20 * k[5]));
    c[3][d] = 6 * k[3] + s * (24 * k[4] + s * 60 * k[5]);
    if (beyond == 0) continue;
    c[0][d] += beyond * (c[1][d] + beyond * 0.5 * c[2][d]);
    c[1][d] += beyond * c[2][d];
    c[3][d] = 0;
  }
}

double sn_curve_beyond(const sn_curve *x, double u) {
  if (x->closed) return 0;
  return fmax(0, fmax(x->knot[0] - u, u - x->knot[x->pieces])) / range_of(x);
}

/* Newton's method for the maximum of a function of u, from sample `at`, one sample at most in an iteration:
 * `slopes` gives its first and second derivatives. */
typedef void (*slopes_function)(const double c[4][3], const double a[3], double *first, double *second);
static double climb(const sn_curve *x, int at, const double a[3], slopes_function slopes) {
  double u = x->sample_u[at], most = 1.5 * range_of(x) / x->samples;
  for (int k = 0; k < ITERATIONS; k++) {
    double c[4][3], first, second;
    sn_curve_at(x, u, c);
    slopes((const double(*)[3])c, a, &first, &second);
    double step = fmin(fmax(-first / second, -most), most);
    u += step;
    if (!(fabs(step) > 1e-15 * fmax(fabs(u), range_of(x)))) break;
  }
  return wrap(x, u);
}

/* -|c - d|^2/2; where its second derivative is not negative, -c'.c' */
static void near_slopes(const double c[4][3], const double d[3], double *first, double *second) {
  double w[3];
  sn_sub(w, d, c[0]);
  double p = sn_dot(c[1], c[1]) - sn_dot(w, c[2]);
  *first = sn_dot(w, c[1]);
  *second = -(p > 0.1 * sn_dot(c[1], c[1]) ? p : sn_dot(c[1], c[1]));
}

double sn_curve_nearest(const sn_curve *x, const double d[3]) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < x->samples; i++) {
    double w[3];
    sn_sub(w, d, x->sample[i]);
    double square = sn_dot(w, w);
    if (square < least) least = square, best = i;
  }
  return climb(x, best, d, near_slopes);
}

static void far_slopes(const double c[4][3], const double m[3], double *first, double *second) {
  *first = sn_dot(m, c[1]);
  *second = -fabs(sn_dot(m, c[2]));
}

double sn_curve_farthest(const sn_curve *x, const double m[3]) {
  int best = 0;
  for (int i = 1; i < x->samples; i++)
    if (sn_dot(m, x->sample[i]) > sn_dot(m, x->sample[best])) best = i;
  return climb(x, best, m, far_slopes);
}

/* b: of the cross products of tangents of the curve, the one whose opposite all tangents avoid best. A plane curve has
 * its normal, a straight one its tangent. */
double sn_curve_base(const sn_curve *x, double base[3][3]) {
  enum { TANGENTS = 16, CHECKED = 256 };
  double t[CHECKED][3], best = -2;
  for (int i = 0; i < CHECKED; i++) {
    double c[4][3];
    sn_curve_at(x, x->sample_u[i * (x->samples - 1) / (CHECKED - 1)], c);
    sn_copy(t[i], c[1]);
    sn_normalize(t[i]);
  }
  for (int i = 0; i < CHECKED; i += CHECKED / TANGENTS)
    for (int j = 0; j < CHECKED; j += CHECKED / TANGENTS) {
      double b[3], least = 2;
      sn_copy(b, t[i]);
      if (i != j) sn_cross(b, t[i], t[j]);
      if (!(sn_normalize(b) > 0)) continue;
      for (int k = 0; k < CHECKED; k++) least = fmin(least, sn_dot(b, t[k]));
      if (least > best + 1e-6) best = least, sn_copy(base[0], b);
    }
  sn_frame(base[0], base[1], base[2]);
  return best;
}
