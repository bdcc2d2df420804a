/* taylor.c - see taylor.h. Each function stands below the recurrence of its coefficients. */
#include "base/taylor.h"

#include <assert.h>
#include <math.h>

#include "math/constants.h"

/* ---- intervals ---- */

static const sn_span everything = {-INFINITY, INFINITY};
static const sn_span nothing = {0, 0};

static bool is_zero(sn_span a) {
  return a.low == 0 && a.high == 0;
}

static bool has_zero(sn_span a) {
  return !(a.low > 0 || a.high < 0);
}

static sn_span checked(double low, double high) {
  return isnan(low) || isnan(high) ? everything : (sn_span){low, high};
}

sn_span sn_span_hull(sn_span a, sn_span b) {
  return (sn_span){fmin(a.low, b.low), fmax(a.high, b.high)};
}

double sn_span_size(sn_span a) {
  return fmax(fabs(a.low), fabs(a.high));
}

static sn_span plus(sn_span a, sn_span b) {
  return checked(a.low + b.low, a.high + b.high);
}

static sn_span minus(sn_span a, sn_span b) {
  return checked(a.low - b.high, a.high - b.low);
}

static sn_span times(double c, sn_span a) {
  if (c == 0) return nothing;
  return c > 0 ? checked(c * a.low, c * a.high) : checked(c * a.high, c * a.low);
}

static sn_span of_four(double a, double b, double c, double d) {
  if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return everything;
  double low1 = a < b ? a : b, low2 = c < d ? c : d, high1 = a < b ? b : a, high2 = c < d ? d : c;
  return (sn_span){low1 < low2 ? low1 : low2, high1 < high2 ? high2 : high1};
}

sn_span sn_span_multiply(sn_span a, sn_span b) {
  if (is_zero(a) || is_zero(b)) return nothing;
  return of_four(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

static sn_span over(sn_span a, sn_span b) {
  if (has_zero(b)) return everything;
  if (is_zero(a)) return nothing;
  return of_four(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}

static sn_span mapped(double (*f)(double), sn_span a) { /* f grows */
  return checked(f(a.low), f(a.high));
}

/* ---- simple series ---- */

sn_taylor sn_taylor_constant(double value) {
  return (sn_taylor){.c[0] = {value, value}, .smooth = true};
}

sn_taylor sn_taylor_time(double from, double to) {
  assert(!(from > to));
  return (sn_taylor){.c[0] = {from, to}, .c[1] = {1, 1}, .top = 1, .smooth = true};
}

sn_taylor sn_taylor_rough(sn_span range) {
  assert(!(range.low > range.high));
  sn_taylor y = {.c[0] = range, .top = SN_TAYLOR_ORDER};
  for (int k = 1; k <= SN_TAYLOR_ORDER; k++) y.c[k] = everything;
  return y;
}

sn_taylor sn_taylor_unknown(void) {
  return sn_taylor_rough(everything);
}

bool sn_taylor_is_constant(const sn_taylor *a) {
  return a->top == 0 && a->c[0].low == a->c[0].high;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

static int most(int a, int b) {
  return a > b ? a : b;
}

sn_taylor sn_taylor_add(const sn_taylor *a, const sn_taylor *b) {
  sn_taylor y = {.top = most(a->top, b->top), .smooth = a->smooth && b->smooth};
  for (int k = 0; k <= y.top; k++) y.c[k] = plus(a->c[k], b->c[k]);
  return y;
}

sn_taylor sn_taylor_subtract(const sn_taylor *a, const sn_taylor *b) {
  sn_taylor y = {.top = most(a->top, b->top), .smooth = a->smooth && b->smooth};
  for (int k = 0; k <= y.top; k++) y.c[k] = minus(a->c[k], b->c[k]);
  return y;
}

sn_taylor sn_taylor_scale(double factor, const sn_taylor *a) {
  sn_taylor y = {.top = a->top, .smooth = a->smooth};
  for (int k = 0; k <= y.top; k++) y.c[k] = times(factor, a->c[k]);
  return y;
}

/* y_k = sum a_i b_(k-i) */
sn_taylor sn_taylor_multiply(int n, const sn_taylor *a, const sn_taylor *b) {
  assert(n >= 0 && n <= SN_TAYLOR_ORDER);
  sn_taylor y = {.top = least(n, a->top + b->top), .smooth = a->smooth && b->smooth};
  if (!y.smooth) return sn_taylor_rough(sn_span_multiply(a->c[0], b->c[0]));
  for (int k = 0; k <= y.top; k++)
    for (int i = most(0, k - b->top); i <= least(k, a->top); i++)
      y.c[k] = plus(y.c[k], sn_span_multiply(a->c[i], b->c[k - i]));
  return y;
}

/* y b = a:  y_k = (a_k - sum_(i<k) y_i b_(k-i))/b_0 */
sn_taylor sn_taylor_divide(int n, const sn_taylor *a, const sn_taylor *b) {
  assert(n >= 0 && n <= SN_TAYLOR_ORDER);
  sn_taylor y = {.top = n, .smooth = a->smooth && b->smooth && !has_zero(b->c[0])};
  if (!y.smooth) return sn_taylor_rough(over(a->c[0], b->c[0]));
  if (b->top == 0) y.top = a->top;
  for (int k = 0; k <= y.top; k++) {
    sn_span sum = k <= a->top ? a->c[k] : nothing;
    for (int i = most(0, k - b->top); i < k; i++) sum = minus(sum, sn_span_multiply(y.c[i], b->c[k - i]));
    y.c[k] = over(sum, b->c[0]);
  }
  return y;
}

/* ---- functions given by a differential equation ---- */

/* y with y' = f u' and a known range:  k y_k = sum_(i=1..k) i u_i f_(k-i) */
static sn_taylor integrated(int n, sn_span range, const sn_taylor *f, const sn_taylor *u) {
  assert(n >= 0 && n <= SN_TAYLOR_ORDER);
  if (!f->smooth || !u->smooth) return sn_taylor_rough(range);
  sn_taylor y = {.c[0] = range, .top = u->top == 0 ? 0 : n, .smooth = true};
  for (int k = 1; k <= y.top; k++) {
    for (int i = most(1, k - f->top); i <= least(k, u->top); i++)
      y.c[k] = plus(y.c[k], sn_span_multiply(times(i, u->c[i]), f->c[k - i]));
    y.c[k] = times(1.0 / k, y.c[k]);
  }
  return y;
}

/* y_k of y' = f u', while f is still growing with y */
static sn_span next_of(int k, const sn_taylor *f, const sn_taylor *u) {
  assert(k >= 1 && k <= SN_TAYLOR_ORDER);
  sn_span sum = nothing;
  for (int i = 1; i <= least(k, u->top); i++) sum = plus(sum, sn_span_multiply(times(i, u->c[i]), f->c[k - i]));
  return times(1.0 / k, sum);
}

/* y' = y u' */
sn_taylor sn_taylor_exp(int n, const sn_taylor *u) {
  sn_taylor y = {.c[0] = mapped(exp, u->c[0]), .top = u->top == 0 ? 0 : n, .smooth = u->smooth};
  if (!y.smooth) return sn_taylor_rough(y.c[0]);
  for (int k = 1; k <= y.top; k++) y.c[k] = next_of(k, &y, u);
  return y;
}

static const double pi = SN_PI;

/* Range of cos: 1 at 2 pi k, -1 at pi + 2 pi k, otherwise between its values at the ends. */
static sn_span range_of_cos(sn_span a) {
  if (!(a.high - a.low < 2 * pi)) return (sn_span){-1, 1};
  double x = cos(a.low), y = cos(a.high);
  sn_span range = {fmin(x, y), fmax(x, y)};
  if (ceil(a.low / (2 * pi)) * 2 * pi <= a.high) range.high = 1;
  if (pi + ceil((a.low - pi) / (2 * pi)) * 2 * pi <= a.high) range.low = -1;
  return range;
}

static sn_span range_of_sin(sn_span a) {
  if (!(a.high - a.low < 2 * pi)) return (sn_span){-1, 1};
  double x = sin(a.low), y = sin(a.high);
  sn_span range = range_of_cos((sn_span){a.low - pi / 2, a.high - pi / 2});
  return (sn_span){range.low == -1 ? -1 : fmin(x, y), range.high == 1 ? 1 : fmax(x, y)};
}

/* s' = c u', c' = -+ s u' */
static void pair_of(int n, const sn_taylor *u, double turn, sn_span sine, sn_span cosine, sn_taylor *s, sn_taylor *c) {
  assert(n >= 0 && n <= SN_TAYLOR_ORDER);
  *s = *c = (sn_taylor){.top = u->top == 0 ? 0 : n, .smooth = true};
  s->c[0] = sine;
  c->c[0] = cosine;
  if (!u->smooth) {
    *s = sn_taylor_rough(sine);
    *c = sn_taylor_rough(cosine);
    return;
  }
  for (int k = 1; k <= s->top; k++) {
    s->c[k] = next_of(k, c, u);
    c->c[k] = times(turn, next_of(k, s, u));
  }
}

void sn_taylor_sin_cos(int n, const sn_taylor *u, sn_taylor *s, sn_taylor *c) {
  pair_of(n, u, -1, range_of_sin(u->c[0]), range_of_cos(u->c[0]), s, c);
}

void sn_taylor_sinh_cosh(int n, const sn_taylor *u, sn_taylor *s, sn_taylor *c) {
  double x = cosh(u->c[0].low), y = cosh(u->c[0].high);
  sn_span cosine = checked(has_zero(u->c[0]) ? 1 : fmin(x, y), fmax(x, y));
  pair_of(n, u, 1, mapped(sinh, u->c[0]), cosine, s, c);
}

/* tan has a pole where cos is 0 */
sn_taylor sn_taylor_tan(int n, const sn_taylor *u) {
  sn_taylor s, c;
  sn_taylor_sin_cos(n, u, &s, &c);
  sn_taylor y = sn_taylor_divide(n, &s, &c);
  if (y.smooth) y.c[0] = mapped(tan, u->c[0]);
  return y;
}

/* y' = f u', f = 1 - y^2 */
sn_taylor sn_taylor_tanh(int n, const sn_taylor *u) {
  sn_taylor y = {.c[0] = mapped(tanh, u->c[0]), .top = u->top == 0 ? 0 : n, .smooth = u->smooth}, f = y;
  if (!y.smooth) return sn_taylor_rough(y.c[0]);
  double x = sn_span_size(y.c[0]), z = has_zero(y.c[0]) ? 0 : fmin(fabs(y.c[0].low), fabs(y.c[0].high));
  f.c[0] = (sn_span){1 - x * x, 1 - z * z};
  for (int k = 1; k <= y.top; k++) {
    y.c[k] = next_of(k, &f, u);
    f.c[k] = nothing;
    for (int i = 0; i <= k; i++) f.c[k] = minus(f.c[k], sn_span_multiply(y.c[i], y.c[k - i]));
  }
  return y;
}

/* y' = u'/u */
sn_taylor sn_taylor_log(int n, const sn_taylor *u) {
  if (!(u->c[0].low > 0)) return sn_taylor_unknown();
  const sn_taylor one = sn_taylor_constant(1), f = sn_taylor_divide(n, &one, u);
  return integrated(n, mapped(log, u->c[0]), &f, u);
}

/* y^2 = u:  y_k = (u_k - sum_(0<i<k) y_i y_(k-i))/(2 y_0) */
sn_taylor sn_taylor_sqrt(int n, const sn_taylor *u) {
  if (sn_taylor_is_constant(u)) return u->c[0].low >= 0 ? sn_taylor_constant(sqrt(u->c[0].low)) : sn_taylor_unknown();
  if (!(u->c[0].high >= 0)) return sn_taylor_unknown();
  sn_taylor y = {.c[0] = {sqrt(fmax(u->c[0].low, 0)), sqrt(u->c[0].high)}, .top = n, .smooth = u->smooth};
  if (!y.smooth || !(u->c[0].low > 0)) return sn_taylor_rough(y.c[0]);
  for (int k = 1; k <= n; k++) {
    sn_span sum = k <= u->top ? u->c[k] : nothing;
    for (int i = 1; i < k; i++) sum = minus(sum, sn_span_multiply(y.c[i], y.c[k - i]));
    y.c[k] = over(times(0.5, sum), y.c[0]);
  }
  return y;
}

/* 1/sqrt(1 - u^2) and 1/(1 + u^2) */
static sn_taylor slope_of_asin(int n, const sn_taylor *u) {
  const sn_taylor one = sn_taylor_constant(1), below = sn_taylor_subtract(&one, u), above = sn_taylor_add(&one, u);
  const sn_taylor product = sn_taylor_multiply(n, &below, &above), root = sn_taylor_sqrt(n, &product);
  return sn_taylor_divide(n, &one, &root);
}

static bool is_outside(sn_span a) {
  return !(a.low >= -1 && a.high <= 1);
}

sn_taylor sn_taylor_asin(int n, const sn_taylor *u) {
  if (is_outside(u->c[0])) return sn_taylor_unknown();
  const sn_taylor f = slope_of_asin(n, u);
  return integrated(n, mapped(asin, u->c[0]), &f, u);
}

sn_taylor sn_taylor_acos(int n, const sn_taylor *u) {
  if (is_outside(u->c[0])) return sn_taylor_unknown();
  sn_taylor f = slope_of_asin(n, u);
  f = sn_taylor_scale(-1, &f);
  return integrated(n, (sn_span){acos(u->c[0].high), acos(u->c[0].low)}, &f, u);
}

sn_taylor sn_taylor_atan(int n, const sn_taylor *u) {
  const sn_taylor one = sn_taylor_constant(1), two = sn_taylor_constant(2), square = sn_taylor_pow(n, u, &two);
  const sn_taylor below = sn_taylor_add(&one, &square), f = sn_taylor_divide(n, &one, &below);
  return integrated(n, mapped(atan, u->c[0]), &f, u);
}

/* The angle of (x, y) is atan(y/x) for x > 0, and +-pi/2 - atan(x/y) for y > 0 and y < 0. Left of the origin, at
 * y = 0, it jumps. */
sn_taylor sn_taylor_atan2(int n, const sn_taylor *y, const sn_taylor *x) {
  if (x->c[0].low > 0) {
    const sn_taylor ratio = sn_taylor_divide(n, y, x);
    return sn_taylor_atan(n, &ratio);
  }
  if (has_zero(y->c[0])) return sn_taylor_rough((sn_span){-pi, pi});
  const sn_taylor ratio = sn_taylor_divide(n, x, y), angle = sn_taylor_atan(n, &ratio);
  const sn_taylor right = sn_taylor_constant(y->c[0].low > 0 ? pi / 2 : -pi / 2);
  return sn_taylor_subtract(&right, &angle);
}

sn_taylor sn_taylor_hypot(int n, const sn_taylor *a, const sn_taylor *b) {
  const sn_taylor two = sn_taylor_constant(2), aa = sn_taylor_pow(n, a, &two), bb = sn_taylor_pow(n, b, &two);
  const sn_taylor sum = sn_taylor_add(&aa, &bb);
  return sn_taylor_sqrt(n, &sum);
}

/* ---- powers ---- */

/* Whole exponents, by squaring. An even power has no negative values, however wide the interval. */
static sn_taylor whole_power(int n, const sn_taylor *a, unsigned long exponent) {
  sn_taylor y = sn_taylor_constant(1), square = *a;
  const double p = (double)exponent;
  for (unsigned long left = exponent; left > 0; left >>= 1) {
    if (left & 1) y = sn_taylor_multiply(n, &y, &square);
    if (left > 1) square = sn_taylor_multiply(n, &square, &square);
  }
  double low = pow(a->c[0].low, p), high = pow(a->c[0].high, p);
  if (isnan(low) || isnan(high)) return y;
  if (exponent % 2 == 1)
    y.c[0] = (sn_span){low, high};
  else if (exponent > 0)
    y.c[0] = (sn_span){has_zero(a->c[0]) ? 0 : fmin(low, high), fmax(low, high)};
  return y;
}

/* a y' = p y a':  k a_0 y_k = sum_(i=1..k) (p i - (k - i)) a_i y_(k-i), for a > 0 */
static sn_taylor real_power(int n, const sn_taylor *a, double p) {
  double x = pow(a->c[0].low, p), z = pow(a->c[0].high, p);
  sn_taylor y = {.c[0] = checked(fmin(x, z), fmax(x, z)), .top = a->top == 0 ? 0 : n, .smooth = a->smooth};
  if (!y.smooth) return sn_taylor_rough(y.c[0]);
  for (int k = 1; k <= y.top; k++) {
    for (int i = 1; i <= least(k, a->top); i++)
      y.c[k] = plus(y.c[k], times(p * i - (k - i), sn_span_multiply(a->c[i], y.c[k - i])));
    y.c[k] = over(times(1.0 / k, y.c[k]), a->c[0]);
  }
  return y;
}

sn_taylor sn_taylor_pow(int n, const sn_taylor *a, const sn_taylor *b) {
  const double p = b->c[0].low;
  if (!sn_taylor_is_constant(b)) { /* exp(b log a) */
    const sn_taylor l = sn_taylor_log(n, a), product = sn_taylor_multiply(n, b, &l);
    return sn_taylor_exp(n, &product);
  }
  if (p == floor(p) && p >= 0 && p <= 1e6) return whole_power(n, a, (unsigned long)p);
  if (p == floor(p) && p < 0 && p >= -1e6) {
    const sn_taylor one = sn_taylor_constant(1), power = whole_power(n, a, (unsigned long)-p);
    return sn_taylor_divide(n, &one, &power);
  }
  if (a->c[0].low > 0) return real_power(n, a, p);
  if (p > 0 && a->c[0].high >= 0) /* 0^p is at rest only where a is */
    return sn_taylor_is_constant(a) && a->c[0].low == 0 ? sn_taylor_constant(0)
                                                        : sn_taylor_rough((sn_span){0, pow(a->c[0].high, p)});
  return sn_taylor_unknown();
}
