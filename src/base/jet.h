/* jet.h - arithmetic on second-order jets (f, f', f'') in time.
 *
 * Chain rule for g(u(t)):
 *     (g o u)'  = g'(u) u'
 *     (g o u)'' = g''(u) u'^2 + g'(u) u''
 *
 * An operation outside its domain gives NaN. At a kink (abs at 0, hypot at 0, min and max of equals) the derivatives
 * are those of one side or their mean; at a jump (sign, floor, comparison) they are zero.
 */
#ifndef SN_JET_H
#define SN_JET_H

#include <math.h>

#include "base/expr.h"

static inline sn_jet sn_jet_constant(double value) {
  return (sn_jet){value, 0.0, 0.0};
}

static inline sn_jet sn_jet_invalid(void) {
  return (sn_jet){NAN, NAN, NAN};
}

/* g(u) from g, g1 = g', g2 = g'' at u. An argument that does not move gives a result that does not move, also where
 * g' is infinite: sqrt(max(0, t - 1)) is at rest before t = 1. */
static inline sn_jet sn_jet_chain(sn_jet u, double g, double g1, double g2) {
  if (u.rate == 0.0 && u.accel == 0.0) return sn_jet_constant(g);
  return (sn_jet){g, g1 * u.rate, g2 * u.rate * u.rate + g1 * u.accel};
}

static inline sn_jet sn_jet_scale(double c, sn_jet a) {
  return (sn_jet){c * a.value, c * a.rate, c * a.accel};
}

static inline sn_jet sn_jet_add(sn_jet a, sn_jet b) {
  return (sn_jet){a.value + b.value, a.rate + b.rate, a.accel + b.accel};
}

static inline sn_jet sn_jet_sub(sn_jet a, sn_jet b) {
  return (sn_jet){a.value - b.value, a.rate - b.rate, a.accel - b.accel};
}

/* (ab)' = a'b + ab',  (ab)'' = a''b + 2a'b' + ab'' */
static inline sn_jet sn_jet_mul(sn_jet a, sn_jet b) {
  return (sn_jet){a.value * b.value, a.rate * b.value + a.value * b.rate,
                  a.accel * b.value + 2.0 * a.rate * b.rate + a.value * b.accel};
}

/* q = a/b from differentiating qb = a:  q' = (a' - qb')/b,  q'' = (a'' - 2q'b' - qb'')/b */
static inline sn_jet sn_jet_div(sn_jet a, sn_jet b) {
  if (b.value == 0.0) return sn_jet_invalid();
  const double q = a.value / b.value;
  const double q1 = (a.rate - q * b.rate) / b.value;
  return (sn_jet){q, q1, (a.accel - 2.0 * q1 * b.rate - q * b.accel) / b.value};
}

static inline sn_jet sn_jet_log(sn_jet u) {
  if (!(u.value > 0.0)) return sn_jet_invalid();
  const double g1 = 1.0 / u.value;
  return sn_jet_chain(u, log(u.value), g1, -g1 * g1);
}

/* a^b. Exponent at rest: g = a^b, g' = b a^(b-1), g'' = b(b-1) a^(b-2), also for negative a and whole b; a factor
 * b or b-1 of zero wins over an infinite power. Otherwise a^b = exp(L), L = b log a: f' = f L', f'' = f (L'' + L'^2).
 */
static inline sn_jet sn_jet_pow(sn_jet a, sn_jet b) {
  const double f = pow(a.value, b.value), c = b.value;
  if (a.value == 0.0 && c < 0.0) return sn_jet_invalid();
  if (b.rate == 0.0 && b.accel == 0.0) {
    const double g1 = c == 0.0 ? 0.0 : c * pow(a.value, c - 1.0);
    const double g2 = c * (c - 1.0) == 0.0 ? 0.0 : c * (c - 1.0) * pow(a.value, c - 2.0);
    return sn_jet_chain(a, f, g1, g2);
  }
  if (a.value < 0.0) return sn_jet_invalid();
  const sn_jet l = sn_jet_mul(b, sn_jet_log(a));
  return (sn_jet){f, f * l.rate, f * (l.accel + l.rate * l.rate)};
}

static inline sn_jet sn_jet_sqrt(sn_jet u) {
  if (u.value < 0.0) return sn_jet_invalid();
  const double g = sqrt(u.value), g1 = 0.5 / g;
  return sn_jet_chain(u, g, g1, -0.5 * g1 / u.value);
}

static inline sn_jet sn_jet_tan(sn_jet u) {
  const double g = tan(u.value), g1 = 1.0 + g * g;
  return sn_jet_chain(u, g, g1, 2.0 * g * g1);
}

/* asin: g' = 1/sqrt(1-x^2), g'' = x g'^3 */
static inline sn_jet sn_jet_asin(sn_jet u) {
  const double x = u.value, g1 = 1.0 / sqrt((1.0 - x) * (1.0 + x));
  return sn_jet_chain(u, asin(x), g1, x * g1 * g1 * g1);
}

static inline sn_jet sn_jet_acos(sn_jet u) {
  const double x = u.value, g1 = -1.0 / sqrt((1.0 - x) * (1.0 + x));
  return sn_jet_chain(u, acos(x), g1, x * g1 * g1 * g1);
}

static inline sn_jet sn_jet_atan(sn_jet u) {
  const double g1 = 1.0 / (1.0 + u.value * u.value);
  return sn_jet_chain(u, atan(u.value), g1, -2.0 * u.value * g1 * g1);
}

/* tanh: g' = 1/cosh^2, which keeps its digits where 1 - g^2 has lost them */
static inline sn_jet sn_jet_tanh(sn_jet u) {
  const double g = tanh(u.value), c = cosh(u.value), g1 = 1.0 / (c * c);
  return sn_jet_chain(u, g, g1, -2.0 * g * g1);
}

/* h^2 = a^2 + b^2:  h' = (aa' + bb')/h,  h'' = (a'^2 + aa'' + b'^2 + bb'' - h'^2)/h; at rest at h = 0 */
static inline sn_jet sn_jet_hypot(sn_jet a, sn_jet b) {
  const double h = hypot(a.value, b.value);
  if (h == 0.0) return sn_jet_constant(0.0);
  const double ca = a.value / h, cb = b.value / h, h1 = ca * a.rate + cb * b.rate;
  const double squares = a.rate * a.rate + b.rate * b.rate - h1 * h1;
  return (sn_jet){h, h1, squares / h + ca * a.accel + cb * b.accel};
}

/* Angle of (x, y), r^2 = x^2 + y^2:  p' = (xy' - yx')/r^2,  p'' = (xy'' - yx'' - 2 (xx' + yy') p')/r^2 */
static inline sn_jet sn_jet_atan2(sn_jet y, sn_jet x) {
  const double r = hypot(x.value, y.value);
  if (r == 0.0) return sn_jet_invalid();
  const double c = x.value / r, s = y.value / r; /* divided by r once here and once below: r^2 may overflow */
  const double p1 = (c * y.rate - s * x.rate) / r;
  const double p2 = (c * y.accel - s * x.accel - 2.0 * (c * x.rate + s * y.rate) * p1) / r;
  return (sn_jet){atan2(y.value, x.value), p1, p2};
}

/* mod(a, b) = a - n b with whole n, in [0, b) for b > 0 and in (b, 0] for b < 0; n is at rest between jumps. */
static inline sn_jet sn_jet_mod(sn_jet a, sn_jet b) {
  if (b.value == 0.0) return sn_jet_invalid();
  double r = fmod(a.value, b.value);
  if (r != 0.0 && (r < 0.0) != (b.value < 0.0)) r += b.value;
  const double n = round((a.value - r) / b.value);
  return (sn_jet){r, a.rate - n * b.rate, a.accel - n * b.accel};
}

/* From y0 at x0 to y1 at x1, s = (x - x0)/(x1 - x0), continuous to the second derivative:
 *     y = y0 + (y1 - y0) h(s),  h = 10 s^3 - 15 s^4 + 6 s^5,  h' = 30 s^2 (1-s)^2,  h'' = 60 s (1-s)(1-2s) */
static inline sn_jet sn_jet_step(sn_jet x, sn_jet x0, sn_jet y0, sn_jet x1, sn_jet y1) {
  if (!(x1.value > x0.value) || isnan(x.value)) return sn_jet_invalid();
  if (x.value <= x0.value) return y0;
  if (x.value >= x1.value) return y1;
  const sn_jet ratio = sn_jet_div(sn_jet_sub(x, x0), sn_jet_sub(x1, x0));
  const double s = ratio.value, r = 1.0 - s;
  const double h = s * s * s * (10.0 + s * (6.0 * s - 15.0));
  const sn_jet rise = sn_jet_chain(ratio, h, 30.0 * s * s * r * r, 60.0 * s * r * (r - s));
  return sn_jet_add(y0, sn_jet_mul(sn_jet_sub(y1, y0), rise));
}

#endif
