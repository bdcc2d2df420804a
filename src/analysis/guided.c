/* guided.c - see guided.h. */
#include "analysis/guided.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/loads.h"
#include "analysis/simulation.h"
#include "analysis/trust_remedy.h"
#include "joint/guide.h"
#include "math/constants.h"
#include "math/vec3.h"

enum {
  DEGREE = 8,    /* of the polynomial that a resolved part is */
  DOUBLINGS = 4, /* by which one search may exceed the last */
  PARTS = 8,     /* of a step, at whose ends the point is looked for */
  MOST_CUTS = 8, /* of one step */
  ENOUGH = 1000, /* fixed steps that are counted */
};
static const double CUBIC = 0.05;     /* allowed from the cubic through the ends, of the extent of the part */
static const double OF_LENGTH = 0.25; /* of the curve: its size, to which the tolerance refers */
static const double MOST_TURN = 0.45; /* of a closed curve, so that the shorter way is the one that was gone */
static const double SHORTEST = 0.25;  /* of the distance of samples: parts are no shorter */
static const double GROWTH = 8;       /* of the next step over the last, at most */
static const double FAR = 0.25;       /* of what is resolved: shorter ways need no look at what lies between */
static const double BEYOND = 1.1;     /* the resolved part may be left by so much ... */
static const double MARGIN = 0.9;     /* ... and a step that is repeated goes by so much of the way */

typedef struct item {
  const sn_guide *guide;
  const char *name;         /* of the joint */
  double from, ahead, back; /* resolved from u = from on, so far; ahead 0: not yet looked at */
  double t, u;              /* the point at this time; t NaN: not known */
  double end;               /* where it is after a step that is looked at */
  double way, last;         /* along the curve in the last step, and the length of that */
} item;

struct sn_guided {
  int count, cuts;
  item *item;
  sn_state sample;
};

/* ---- the curve ---- */

static double range_of(const sn_curve *c) {
  return c->knot[c->pieces] - c->knot[0];
}

/* From a to b along the curve, the shorter way if it is closed. */
static double way(const sn_curve *c, double a, double b) {
  const double range = range_of(c), d = b - a;
  return c->closed ? d - range * round(d / range) : d;
}

static void point_at(const sn_curve *c, double u, double x[3], double slope[3]) {
  double at[4][3];
  const double range = range_of(c);
  if (c->closed) u -= range * floor((u - c->knot[0]) / range);
  sn_curve_at(c, u, at);
  sn_copy(x, at[0]);
  if (slope) sn_copy(slope, at[1]);
}

static double distance(const double a[3], const double b[3]) {
  double d[3];
  sn_sub(d, a, b);
  return sn_norm(d);
}

typedef struct fit {
  double u[DEGREE + 1], x[DEGREE + 1][3];
} fit;

/* Through Chebyshev's points of [a, b]. */
static void make_fit(const sn_curve *c, double a, double b, fit *f) {
  for (int k = 0; k <= DEGREE; k++) {
    f->u[k] = a + (b - a) * (1 - cos(SN_PI * k / DEGREE)) / 2;
    point_at(c, f->u[k], f->x[k], NULL);
  }
}

/* Of the curve from the polynomial at u, by the barycentric formula. */
static double off_at(const sn_curve *c, const fit *f, double u) {
  double sum = 0, y[3] = {0, 0, 0}, x[3];
  for (int k = 0; k <= DEGREE; k++) {
    if (u == f->u[k]) return 0;
    const double w = (k % 2 ? -1 : 1) * (k == 0 || k == DEGREE ? 0.5 : 1) / (u - f->u[k]);
    sum += w;
    sn_axpy(y, w, f->x[k]);
  }
  sn_scale(y, 1 / sum, y);
  point_at(c, u, x, NULL);
  return distance(x, y);
}

/* Do the ends of [a, b] with their slopes tell what the curve does between them? */
static bool ends_tell(const sn_curve *c, double a, double b, double allowed) {
  double x[5][3], slope[2][3], extent = 0, worst = 0;
  const double h = b - a;
  for (int i = 0; i < 5; i++) point_at(c, a + h * i / 4, x[i], i == 0 ? slope[0] : i == 4 ? slope[1] : NULL);
  for (int i = 1; i < 5; i++) extent = fmax(extent, distance(x[i], x[0]));
  for (int i = 1; i < 4; i++) {
    const double u = i / 4.0, w = 1 - u;
    double y[3];
    sn_scale(y, (1 + 2 * u) * w * w, x[0]);
    sn_axpy(y, u * u * (3 - 2 * u), x[4]);
    sn_axpy(y, h * u * w * w, slope[0]);
    sn_axpy(y, -h * u * u * w, slope[1]);
    worst = fmax(worst, distance(x[i], y));
  }
  return worst <= fmax(allowed, CUBIC * extent);
}

/* Between two samples of the curve there is no knot. */
static bool is_resolved(const sn_curve *c, double a, double b, double allowed) {
  const double range = range_of(c), first = c->knot[0];
  fit f;
  if (!ends_tell(c, a, b, allowed)) return false;
  make_fit(c, a, b, &f);
  for (int turn = (int)floor((a - first) / range); turn <= (int)floor((b - first) / range); turn++)
    for (int i = 0; i < c->samples; i++) {
      const double u = c->sample_u[i] + turn * range;
      const double next = (i + 1 < c->samples ? c->sample_u[i + 1] : c->knot[c->pieces]) + turn * range;
      if (next <= a || u >= b) continue;
      if (u > a && off_at(c, &f, u) > allowed) return false;
      const double middle = (fmax(u, a) + fmin(next, b)) / 2;
      if (off_at(c, &f, middle) > allowed) return false;
    }
  return true;
}

/* How far the curve is resolved from u on, ahead or back; `last`: what was found before. */
static double reach(const sn_curve *c, double u, int side, double allowed, double last) {
  const double range = range_of(c), shortest = SHORTEST * range / c->samples,
               end = side > 0 ? c->knot[c->pieces] : c->knot[0];
  const double most = c->closed ? MOST_TURN * range : side * (end - u);
  if (most <= shortest) return INFINITY; /* at the end of an open curve, behind which it is a polynomial */
  double length = fmin(most, last > 0 ? 2 * last : most), good = 0;
  for (int k = 0; k <= DOUBLINGS && length > good; k++) {
    if (!is_resolved(c, side > 0 ? u : u - length, side > 0 ? u + length : u, allowed)) break;
    good = length;
    length = fmin(most, 2 * length);
  }
  if (good >= most) return c->closed ? most : INFINITY;
  if (good > 0) return good;
  while (length > shortest && !is_resolved(c, side > 0 ? u : u - length, side > 0 ? u + length : u, allowed))
    length /= 2;
  return fmax(length, shortest);
}

/* ---- all of them ---- */

static struct sn_guided *create(sn_simulation *s) {
  int count = 0;
  while (sn_guide_of(s->model, count)) count++;
  if (count == 0) return NULL;
  struct sn_guided *g = SN_NEW(&s->arena, struct sn_guided, 1);
  g->item = SN_NEW(&s->arena, item, count);
  for (int i = 0; i < count; i++) {
    const sn_guide *guide = sn_guide_of(s->model, i);
    if (!guide->curve) continue; /* the rim of a disk */
    item *x = &g->item[g->count++];
    *x = (item){.guide = guide, .name = ""};
    for (int j = 0; j < s->model->joints; j++)
      if (s->model->joint[j].group == guide->group) x->name = s->model->joint[j].name;
  }
  sn_state_create(s->audit, &g->sample);
  return g->count > 0 ? g : NULL;
}

void sn_begin_guided(sn_simulation *s) {
  if (!s->guided) s->guided = create(s);
  if (!s->guided) return;
  s->guided->cuts = 0;
  for (int i = 0; i < s->guided->count; i++) {
    item *x = &s->guided->item[i];
    x->t = NAN;
    x->from = x->ahead = x->back = x->way = x->last = 0;
  }
}

/* What is resolved on both sides of the point, which is where the next step begins. */
static void renew(const sn_simulation *s, item *x) {
  const sn_curve *c = x->guide->curve;
  if (!(x->t == s->state.t)) x->u = sn_guide_place(x->guide, s->state.q);
  x->t = s->state.t;
  const double gone = way(c, x->from, x->u);
  if (x->ahead > 0 && gone <= x->ahead / 2 && -gone <= x->back / 2) return;
  const double allowed = sn_function_tolerance(s) * OF_LENGTH * c->length;
  if (!(fabs(x->u - c->knot[0]) < 4 * range_of(c))) { /* far beyond an open end, or nowhere: the run says so */
    x->ahead = x->back = INFINITY;
    x->from = x->u;
    return;
  }
  x->ahead = reach(c, x->u, 1, allowed, isfinite(x->ahead) ? x->ahead : 0);
  x->back = reach(c, x->u, -1, allowed, isfinite(x->back) ? x->back : 0);
  x->from = x->u;
}

/* The time at which the point leaves what is resolved, on its way from `from` to `to`; INFINITY: it does not. */
static double leaves(sn_simulation *s, const item *x, double from, double to, double share) {
  const sn_curve *c = x->guide->curve;
  const double gone = way(c, x->from, x->u), ahead = share * (x->ahead - gone), back = share * (x->back + gone);
  double u = x->u, sum = 0;
  for (int k = 1; k <= PARTS; k++) {
    const double t = k < PARTS ? from + (to - from) * k / PARTS : to, before = sum;
    sn_continue(s, t, &s->guided->sample);
    const double next = sn_guide_place(x->guide, s->guided->sample.q);
    sum += way(c, u, next);
    u = next;
    const double allowed = sum > ahead ? ahead : sum < -back ? -back : NAN;
    if (isnan(allowed)) continue;
    const double part = fmin(1, fmax(0, (allowed - before) / (sum - before)));
    return from + (to - from) * (k - 1 + part) / PARTS;
  }
  return INFINITY;
}

/* ---- steps ---- */

void sn_limit_to_guided(sn_simulation *s, double *limit) {
  const double t = s->state.t;
  for (int i = 0; s->guided && i < s->guided->count; i++) {
    item *x = &s->guided->item[i];
    renew(s, x);
    const double gone = way(x->guide->curve, x->from, x->u), least = fmin(x->ahead - gone, x->back + gone);
    if (x->last > 0 && GROWTH * fabs(x->way) <= FAR * least) continue;
    const double end = fmin(*limit, t + (x->last > 0 ? GROWTH * x->last : s->output_step));
    *limit = fmin(end, fmax(leaves(s, x, t, end, 1), t + (end - t) / (2 * PARTS)));
  }
}

double sn_check_guided(sn_simulation *s) {
  struct sn_guided *g = s->guided;
  const double from = s->before.t, to = s->state.t;
  double earliest = INFINITY;
  if (!g || !(to > from)) return INFINITY;
  for (int i = 0; i < g->count; i++) {
    item *x = &g->item[i];
    const double gone = way(x->guide->curve, x->from, x->u), least = fmin(x->ahead - gone, x->back + gone);
    x->end = sn_guide_place(x->guide, s->state.q);
    if (x->t == from && x->last > 0 && fabs(way(x->guide->curve, x->u, x->end)) <= FAR * least) continue;
    const double out = x->t == from ? leaves(s, x, from, to, BEYOND) : INFINITY;
    if (out < to) earliest = fmin(earliest, from + MARGIN * fmax(out - from, (to - from) / (2 * PARTS)));
  }
  if (isfinite(earliest) && g->cuts < MOST_CUTS) {
    g->cuts++;
    return earliest;
  }
  g->cuts = 0;
  for (int i = 0; i < g->count; i++) {
    item *x = &g->item[i];
    x->way = way(x->guide->curve, x->u, x->end);
    x->last = to - from;
    x->u = x->end;
    x->t = to;
  }
  return INFINITY;
}

void sn_check_guided_fixed(sn_simulation *s) {
  struct sn_guided *g = s->guided;
  const double from = s->before.t, to = s->state.t;
  long *count = &s->system->statistics.unseen_loads;
  if (!g || !(to > from) || *count >= ENOUGH) return;
  for (int i = 0; i < g->count; i++) {
    item *x = &g->item[i];
    const bool known = x->t == from;
    const double gone = way(x->guide->curve, x->from, x->u), end = sn_guide_place(x->guide, s->state.q);
    const double step = way(x->guide->curve, x->u, end);
    const bool out = known && x->ahead > 0 && (step > BEYOND * (x->ahead - gone) || -step > BEYOND * (x->back + gone));
    x->u = end;
    x->t = to;
    renew(s, x);
    if (!out || (*count)++ > 0) continue;
    sn_add_doubt(s, SN_DOUBTFUL,
                 sn_format(&s->arena,
                           "the curve of '%s' changes too much within one fixed step (%g s), first at t = %g s: use a "
                           "smaller step%s",
                           x->name, to - from, from, sn_remedy_adaptive(s)));
  }
}
