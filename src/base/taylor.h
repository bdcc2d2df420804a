/* taylor.h - Taylor coefficients of a function of time, bounded over an interval of time.
 *
 *     c[k] contains f^(k)(t)/k! for every t in the interval
 *
 * Arithmetic on such series (Moore 1966) bounds a function and all its derivatives at once, so that Taylor's remainder
 *     |f(t) - p(t)| <= |c[k]| (w/2)^k,   p of degree k - 1 about the middle, w the width of the interval
 * tells whether anything narrower than the interval can hide in it. Bounds are computed with the rounding of the
 * evaluation itself: operations are monotone in each argument, rounding included, so that what they give at the ends
 * contains what the evaluation gives between.
 */
#ifndef SN_TAYLOR_H
#define SN_TAYLOR_H

#include <stdbool.h>

enum { SN_TAYLOR_ORDER = 11 };

typedef struct sn_span {
  double low, high;
} sn_span;

typedef struct sn_taylor {
  sn_span c[SN_TAYLOR_ORDER + 1];
  int top;     /* those above are zero */
  bool smooth; /* throughout the interval: no kink, no jump, no pole; otherwise only c[0] says something */
} sn_taylor;

/* ---- intervals ---- */
sn_span sn_span_hull(sn_span a, sn_span b);
sn_span sn_span_multiply(sn_span a, sn_span b);
double sn_span_size(sn_span a); /* largest |x| */

/* ---- series; n is the highest coefficient wanted ---- */
sn_taylor sn_taylor_constant(double value);
sn_taylor sn_taylor_time(double from, double to);
/* Only the range is known, and that the function is not smooth. */
sn_taylor sn_taylor_rough(sn_span range);
/* Nothing is known. */
sn_taylor sn_taylor_unknown(void);
bool sn_taylor_is_constant(const sn_taylor *a); /* one value, exactly */

sn_taylor sn_taylor_add(const sn_taylor *a, const sn_taylor *b);
sn_taylor sn_taylor_subtract(const sn_taylor *a, const sn_taylor *b);
sn_taylor sn_taylor_scale(double factor, const sn_taylor *a);
sn_taylor sn_taylor_multiply(int n, const sn_taylor *a, const sn_taylor *b);
sn_taylor sn_taylor_divide(int n, const sn_taylor *a, const sn_taylor *b);
sn_taylor sn_taylor_exp(int n, const sn_taylor *a);
sn_taylor sn_taylor_log(int n, const sn_taylor *a);
sn_taylor sn_taylor_sqrt(int n, const sn_taylor *a);
void sn_taylor_sin_cos(int n, const sn_taylor *a, sn_taylor *sine, sn_taylor *cosine);
void sn_taylor_sinh_cosh(int n, const sn_taylor *a, sn_taylor *sine, sn_taylor *cosine);
sn_taylor sn_taylor_tan(int n, const sn_taylor *a);
sn_taylor sn_taylor_tanh(int n, const sn_taylor *a);
sn_taylor sn_taylor_asin(int n, const sn_taylor *a);
sn_taylor sn_taylor_acos(int n, const sn_taylor *a);
sn_taylor sn_taylor_atan(int n, const sn_taylor *a);
sn_taylor sn_taylor_atan2(int n, const sn_taylor *y, const sn_taylor *x);
sn_taylor sn_taylor_hypot(int n, const sn_taylor *a, const sn_taylor *b);
sn_taylor sn_taylor_pow(int n, const sn_taylor *a, const sn_taylor *b);

#endif
