/* resolve.h - how long a step may be so that a function of time cannot change unseen within it.
 *
 * A step sees g (a load f, or the acceleration f'' a driver prescribes) at its ends and little more. From time t it may
 * reach as far as T when on [t, T]
 *   - g is smooth: the first place where it is not (end of a step, if, comparison, abs, min, max, floor, knot of a
 *     table, ...) is found to the last digit, and a step ends there;
 *   - g is a polynomial of degree 8 to within tolerance times its size, by Taylor's remainder over all of [t, T]
 *     (base/taylor.h): nothing narrower can hide; or it is constant to within that;
 *   - the cubic through the values and slopes of g at t and T is within 5 % of the range of g: its ends tell what
 *     happens between, and errors estimated from them mean something.
 * What stays below 1e-4 times the tolerance of the largest value in the run counts as constant.
 */
#ifndef SN_RESOLVE_H
#define SN_RESOLVE_H

#include "base/expr_along.h"

typedef struct sn_resolution {
  const sn_expr *f;
  const double *x;            /* its variables, which are held; NULL: it has none, or */
  const sn_arguments *motion; /* they move; NULL: they do not */
  int level;                  /* g is this derivative of f: 0 of a load, 2 of a driver */
  double tolerance;
  double end;         /* nothing is asked beyond; may be infinite */
  double from, until; /* a step between these is resolved */
  double next;        /* where another smooth piece begins, if until is the end of one; NaN: it is not */
  double length;      /* that of the last search, where the next begins */
  double least;       /* values as small as this are nothing, from the largest in the run */
  double here;        /* last time an end of a piece was found right where a step began ... */
  int stuck;          /* ... and how often in a row */
  double leap;        /* next step across a place without bounds */
  double unbounded;   /* s that no bound was found for: singular places, formulas intervals cannot follow */
} sn_resolution;

void sn_resolution_begin(sn_resolution *r, const sn_expr *f, const double *x, int level, double tolerance, double t,
                         double end);
/* A step from t may reach r->until at most; nothing happens while half of what was found before is left. Where until is
 * t, a jump or kink lies between t and r->next. */
void sn_resolution_update(sn_resolution *r, double t);
/* Along a motion: up to where g is resolved from `from` on, at most `to`; intervals shorter than `point` are points.
 * *next: where another smooth piece begins; NaN: the end is not that of one. As good as `from`: nothing can be proved.
 */
double sn_resolved_until(const sn_resolution *r, double from, double to, double point, double *next);
/* Bounds of g. */
sn_span sn_resolution_range(const sn_resolution *r, double from, double to);
/* Did a step over [from, to] miss something? How far g leaves the range of its values at the two ends, relative to its
 * largest value there. */
double sn_unseen(const sn_resolution *r, double from, double to);
/* How far the mean of g over [from, to] is from the mean of its values at the two ends, relative to its largest. */
double sn_misjudged(const sn_resolution *r, double from, double to);

#endif
