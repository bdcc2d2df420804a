/* resolve.c - see resolve.h. */
#include "base/resolve.h"

#include <math.h>

enum {
  DEGREE = 8,    /* of the polynomial g must be */
  BUDGET = 1000, /* evaluations in one search for the end of a smooth piece */
  GLANCES = 500, /* evaluations to see what one step missed */
  SAMPLES = 256, /* for the size of g in the run */
  DIGITS = 16,   /* last digits of t around a kink */
  DOUBLINGS = 4, /* by which one search may exceed the last */
};
static const double TINY = 1e-4;   /* of the tolerance: values this small in the run are nothing */
static const double CUBIC = 0.05;  /* allowed from the cubic through the ends, of the range */
static const double LEAP = 1e-4;   /* of the run: where to begin after a short piece */
static const double ENDLESS = 1e4; /* s: run without an end */
static const double SHORTEST_LEAP = 1e-6, LONGEST_LEAP = 1e-2; /* of the run: across places without bounds */
static const double SHORTEST = 1e-12;                          /* of the run: interval not worth a search */

/* ---- g and its bounds ---- */

static sn_jet jet_at(const sn_resolution *r, double t) {
  return r->motion ? sn_expr_jet_along(r->f, r->motion, t) : sn_expr_jet_at(r->f, t, r->x);
}

static sn_taylor bounds(const sn_resolution *r, double from, double to, int n) {
  return r->motion ? sn_expr_taylor_along(r->f, r->motion, from, to, n) : sn_expr_taylor_at(r->f, r->x, from, to, n);
}

static double value_at(const sn_resolution *r, double t) {
  assert(r->level == 0 || r->level == 2); /* f or its acceleration */
  const sn_jet g = jet_at(r, t);
  return r->level == 0 ? g.value : g.accel;
}

/* g_k = f_(k+2) (k+2)(k+1) for the second derivative */
static double factor_of(int level, int k) {
  return level == 0 ? 1 : (double)((k + 2) * (k + 1));
}

static double slope_at(const sn_resolution *r, double t) {
  const int level = r->level;
  if (level == 0) return jet_at(r, t).rate;
  const sn_taylor g = bounds(r, t, t, level + 1);
  return g.smooth && g.top > level ? g.c[level + 1].low * factor_of(level, 1) : 0;
}

static double span_of(const sn_resolution *r, double t) {
  return fmax(isfinite(r->end) ? r->end - t : ENDLESS, fabs(t));
}

/* ---- may one step reach from a to b? ---- */

typedef enum verdict { RESOLVED, UNRESOLVED, ROUGH } verdict;

/* The cubic through (g, g') at the ends, at u = 1/4, 1/2, 3/4 of the way. */
static bool ends_tell(const sn_resolution *r, double a, double b, const double g[5], double allowed) {
  const double h = b - a, s0 = slope_at(r, a), s1 = slope_at(r, b);
  double low = g[0], high = g[0], worst = 0;
  for (int i = 1; i < 5; i++) low = fmin(low, g[i]), high = fmax(high, g[i]);
  for (int i = 1; i < 4; i++) {
    const double u = i / 4.0, w = 1 - u;
    const double cubic = (1 + 2 * u) * w * w * g[0] + u * u * (3 - 2 * u) * g[4] + h * u * w * (w * s0 - u * s1);
    worst = fmax(worst, fabs(cubic - g[i]));
  }
  return worst <= fmax(allowed, CUBIC * (high - low)); /* NaN: no */
}

static verdict judge(const sn_resolution *r, double a, double b) {
  const sn_taylor x = bounds(r, a, b, DEGREE + 1 + r->level);
  double g[5], size = r->least;
  for (int i = 0; i < 5; i++) {
    g[i] = value_at(r, i < 4 ? a + i / 4.0 * (b - a) : b);
    if (isfinite(g[i])) size = fmax(size, fabs(g[i]));
  }
  const double allowed = r->tolerance * size, half = (b - a) / 2;
  if (r->level == 0 && x.c[0].high - x.c[0].low <= allowed) return RESOLVED;
  if (!x.smooth) return ROUGH;
  for (int k = 0; k <= DEGREE + 1; k++) {
    if (k + r->level > x.top) return k <= 4 || ends_tell(r, a, b, g, allowed) ? RESOLVED : UNRESOLVED;
    const sn_span c = x.c[k + r->level];
    const double bound = k == 0 ? (c.high - c.low) / 2 : sn_span_size(c) * pow(half, k);
    if (factor_of(r->level, k) * bound <= allowed)
      return k <= 4 || ends_tell(r, a, b, g, allowed) ? RESOLVED : UNRESOLVED;
  }
  return UNRESOLVED;
}

/* ---- the end of a smooth piece ---- */

typedef struct search {
  const sn_resolution *r;
  int left;         /* evaluations */
  double low, high; /* smooth up to low; another piece begins at high */
  double least;     /* shorter intervals are points */
} search;

static bool is_smooth(search *s, double a, double b) {
  s->left--;
  return bounds(s->r, a, b, 1).smooth;
}

static double spacing(double t) {
  return nextafter(fabs(t), INFINITY) - fabs(t);
}

/* A kink where two smooth halves meet belongs to neither of them. Values may agree for some digits of t on either side
 * of it: low and high are where it surely has not begun and surely is over. */
static bool has_kink(search *s, double before, double middle, double after) {
  if (is_smooth(s, before, after)) return false;
  s->low = s->high = middle;
  double t = middle;
  while (t < after && is_smooth(s, before, t)) {
    s->low = t;
    t += spacing(t);
  }
  t = s->low;
  while (t < after) {
    s->high = t;
    if (is_smooth(s, t, after)) break;
    t += spacing(t);
  }
  s->low = nextafter(s->low, -INFINITY); /* at the kink itself slopes may be those of the far side */
  s->high = nextafter(s->high, INFINITY);
  return true;
}

/* The first place in [a, b] where f is not smooth, by halving; false: there is none. A budget that is spent ends the
 * search where it has come to. */
static bool find_break(search *s, double a, double b) {
  if (is_smooth(s, a, b)) return false;
  const double middle = a + (b - a) / 2;
  if (!(middle > a && middle < b) || b - a <= s->least) { /* neighbors, or as good as that near t = 0 */
    s->low = a;
    s->high = b;
    return true;
  }
  if (s->left < 0) {
    s->low = a;
    s->high = NAN;
    return true;
  }
  if (find_break(s, a, middle)) return true;
  if (has_kink(s, fmax(a, middle - DIGITS * spacing(middle)), middle, fmin(b, middle + DIGITS * spacing(middle))))
    return true;
  return find_break(s, middle, b);
}

/* ---- the search ---- */

static void set(sn_resolution *r, double t, double until, double next) {
  assert(until >= t && !(next < t));
  r->from = t;
  r->until = until;
  r->next = next;
}

/* Nothing can be proved right behind t: a singular place, or a formula intervals cannot follow. Ever longer steps,
 * until something can. */
static void leap(sn_resolution *r, double t) {
  const double span = span_of(r, t), far = fmin(t + fmax(r->leap, SHORTEST_LEAP * span), r->end);
  r->unbounded += far - t;
  r->leap = fmin(2 * (far - t), LONGEST_LEAP * span);
  set(r, t, far, NAN);
}

/* A piece ends right here; pieces that do so again and again are none. */
static void stop_here(sn_resolution *r, double t, double next) {
  enum { PATIENCE = 8 };
  r->stuck = t - r->here <= 2 * SHORTEST_LEAP * span_of(r, t) || r->leap > 0 ? r->stuck + 1 : 0;
  r->here = t;
  if (r->stuck > PATIENCE)
    leap(r, t);
  else
    set(r, t, t, next);
}

/* From twice the length found last: longer while that is resolved, otherwise up to the end of the smooth piece, and
 * half of it, a quarter, ... */
static void look_ahead(sn_resolution *r, double t) {
  const double all = isfinite(r->end) ? r->end - t : ENDLESS, shortest = SHORTEST * span_of(r, t);
  double length = fmin(all, 2 * r->length), reached = 0;
  verdict v = UNRESOLVED;
  for (int i = 0; i <= DOUBLINGS && length > reached; i++) {
    v = judge(r, t, t + length);
    if (v != RESOLVED) break;
    reached = length;
    length = fmin(2 * length, all);
  }
  if (v == RESOLVED) {
    r->leap = 0, r->stuck = 0;
    r->length = reached;
    set(r, t, reached < all ? t + reached : r->end, NAN);
    return;
  }
  search s = {.r = r, .left = BUDGET, .low = t + length, .high = NAN, .least = 1e-6 * shortest};
  if (v == ROUGH) find_break(&s, t, t + length);
  if (s.low - t <= shortest && !isnan(s.high)) {
    stop_here(r, t, s.high);
    return;
  }
  double until = s.low, next = s.high;
  while (until - t > reached && until - t > shortest && judge(r, t, until) != RESOLVED) {
    until = t + (until - t) / 2;
    next = NAN;
  }
  if (until - t < reached * (1 - SHORTEST)) until = t + reached, next = NAN;
  if (until - t <= shortest && isnan(next)) {
    leap(r, t);
    return;
  }
  r->length = fmax(until - t, LEAP * span_of(r, t));
  if (until - t > r->leap) r->leap = 0, r->stuck = 0;
  set(r, t, until, next);
}

void sn_resolution_begin(sn_resolution *r, const sn_expr *f, const double *x, int level, double tolerance, double t,
                         double end) {
  assert(f && tolerance > 0 && isfinite(t) && end >= t);
  *r = (sn_resolution){.f = f,
                       .x = x,
                       .level = level,
                       .tolerance = tolerance,
                       .end = end,
                       .from = t,
                       .until = t,
                       .next = NAN,
                       .here = -INFINITY};
  const double all = isfinite(end) ? end - t : ENDLESS;
  double largest = 0;
  for (int i = 0; i <= SAMPLES && isfinite(end); i++) {
    const double g = fabs(value_at(r, t + all * i / SAMPLES));
    if (isfinite(g)) largest = fmax(largest, g);
  }
  r->least = TINY * largest;
  r->length = all;
}

void sn_resolution_update(sn_resolution *r, double t) {
  const bool ends = r->until >= r->end || !isnan(r->next); /* nothing farther is to be found from here */
  if (t >= r->from && t < r->until && (ends || t - r->from <= (r->until - r->from) / 2)) return;
  look_ahead(r, t);
}

/* ---- along the motion of one step ---- */

sn_span sn_resolution_range(const sn_resolution *r, double from, double to) {
  return bounds(r, from, to, 0).c[0];
}

double sn_resolved_until(const sn_resolution *r, double from, double to, double point, double *next) {
  const verdict v = judge(r, from, to);
  *next = NAN;
  if (v == RESOLVED) return to;
  search s = {.r = r, .left = BUDGET, .low = to, .high = NAN, .least = point};
  if (v == ROUGH) find_break(&s, from, to);
  double until = s.low;
  *next = s.high;
  while (until - from > point && judge(r, from, until) != RESOLVED) {
    until = from + (until - from) / 2;
    *next = NAN;
  }
  return until;
}

/* ---- what a step missed ---- */

/* Range of g over [a, b], sharpened by halving wherever bounds exceed the values known by more than a little. */
typedef struct range {
  const sn_resolution *r;
  int left; /* evaluations */
  sn_span seen;
} range;

static void widen(range *w, double a, double b) {
  const sn_resolution *r = w->r;
  const double a_little = 0.01, middle = a + (b - a) / 2, g = value_at(r, middle);
  if (isfinite(g)) w->seen = sn_span_hull(w->seen, (sn_span){g, g});
  if (w->left-- <= 0 || !(middle > a && middle < b)) return;
  const sn_span c = bounds(r, a, b, r->level).c[r->level];
  const double factor = factor_of(r->level, 0), size = sn_span_size(w->seen);
  if (factor * c.low >= w->seen.low - a_little * size && factor * c.high <= w->seen.high + a_little * size) return;
  widen(w, a, middle);
  widen(w, middle, b);
}

double sn_unseen(const sn_resolution *r, double from, double to) {
  assert(from <= to);
  const double g0 = value_at(r, from), g1 = value_at(r, to);
  const sn_span ends = {fmin(g0, g1), fmax(g0, g1)};
  range w = {r, GLANCES, ends};
  widen(&w, from, to);
  const double beyond = fmax(w.seen.high - ends.high, ends.low - w.seen.low), size = sn_span_size(w.seen);
  return size > 0 ? beyond / size : 0;
}

double sn_misjudged(const sn_resolution *r, double from, double to) {
  assert(from <= to);
  const double g0 = value_at(r, from), g1 = value_at(r, to);
  double mean = 0, size = fmax(fabs(g0), fabs(g1));
  for (int i = 0; i < SAMPLES; i++) {
    const double g = value_at(r, from + (i + 0.5) / SAMPLES * (to - from));
    mean += g / SAMPLES;
    size = fmax(size, fabs(g));
  }
  return size > 0 ? fabs(mean - (g0 + g1) / 2) / size : 0;
}
